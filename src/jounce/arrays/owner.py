"""What has quantities, as they see it."""

from __future__ import annotations

from typing import Protocol

from jounce.model.model import Model
from jounce.model.tree import Tree


class Owner(Protocol):
    """What has quantities: a robot, a mechanism, or either with its numbers as arguments."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def model(self) -> Model:
        """Its model."""
        ...

    @property
    def tree(self) -> Tree:
        """The elementary tree that formulas walk."""
        ...

    @property
    def sizes(self) -> dict[str, int]:
        """Sizes as the catalog's shapes name them."""
        ...

    @property
    def target(self) -> str | None:
        """The processor its kernels are compiled for."""
        ...

    @property
    def content_hash(self) -> str:
        """A hash of all that it is, the same in every process."""
        ...

    def explain_singularity(self) -> str:
        """Return why the mass matrix is singular, or '' if it is not."""
        ...
