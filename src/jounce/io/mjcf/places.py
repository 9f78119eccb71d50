"""Errors about objects of a compiled model."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from jounce.errors import ModelError


class CompiledError(ModelError):
    """About an object of a compiled model: a body, joint, site or equality, and its index."""

    def __init__(self, message: object, kind: str, index: int) -> None:
        super().__init__(message)
        self.kind, self.index = kind, index


@contextlib.contextmanager
def about(kind: str, index: int) -> Iterator[None]:
    """A ModelError inside is about an object of the compiled model, unless it is about another."""
    try:
        yield
    except CompiledError:
        raise
    except ModelError as error:
        raise CompiledError(error, kind, index) from error
