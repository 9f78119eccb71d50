"""The configurations of a robot: where joints sit in them, neutral and random ones.

Steps between them are quantities (`catalog.rows.configurations`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from jounce.errors import ArgumentError, explain_call, printable, suggest
from jounce.model import manifold
from jounce.model.model import Joint
from jounce.model.tree import Tree
from jounce.process.once import once_property
from jounce.quantities.arrays import floating, shaped, stored
from jounce.quantities.limits import Clipping


@dataclass(frozen=True)
class JointView:
    """A joint by name: its kind and where it sits in q and v (its leader's place, if it mimics)."""

    name: str
    kind: str
    q: slice
    v: slice
    joint: Joint

    def __repr__(self) -> str:
        places = f"q[{self.q.start}:{self.q.stop}], v[{self.v.start}:{self.v.stop}]"
        leader = self.joint.mimic and f", follows '{self.joint.mimic.leader}'"
        return printable(f"<joint '{self.name}': {self.kind}, {places}{leader or ''}>")


class _JointViews(dict[str, JointView]):
    """Joints by name, with a suggestion for names that are not among them."""

    def __missing__(self, name: str) -> JointView:
        raise KeyError(f"no joint {name!r}; {suggest(name, self)}")


class Configurations(Clipping):
    """What has configurations: a robot."""

    @property
    @abstractmethod
    def tree(self) -> Tree:
        """The elementary tree that formulas walk."""

    @once_property
    def joints(self) -> Mapping[str, JointView]:
        """Joints by name: joints["elbow"].q and .v are slices into q and v."""
        views = _JointViews()
        for i, joint in zip(self.tree.node_of_body, self.model.joints, strict=True):
            node = self.tree.nodes[i]
            # the joint's coordinates end with those of its last node
            q = slice(node.qs.stop - joint.nq, node.qs.stop)
            v = slice(node.vs.stop - joint.nv, node.vs.stop)
            views[joint.name] = JointView(joint.name, joint.kind, q, v, joint)
        return MappingProxyType(views)

    def _array(self, x: ArrayLike, of: Literal["q", "v"], what: str) -> np.ndarray:
        """Numbers (..., nq) or (..., nv) that are given; what: how messages begin."""
        what = printable(what)
        self._refuse_other_joints(x, of, what)
        return np.asarray(shaped(x, what, (self.sizes[f"n{of}"],)), dtype=float)

    @explain_call
    def neutral(self, *, dtype: DTypeLike = "float64", out: np.ndarray | None = None) -> np.ndarray:
        """The configuration (nq,) of zero angles and displacements and identity quaternions."""
        q = manifold.neutral(self.tree).astype(floating(dtype), copy=False)
        return stored(q, out, printable(f"{self.name}.neutral"))

    @explain_call
    def random(
        self,
        rng: np.random.Generator | int | None = None,
        n: int | None = None,
        *,
        dtype: DTypeLike = "float64",
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Random configurations (n, nq), or (nq,) without n, within the joints' limits.

        Unlimited angles are uniform in [-pi, pi], displacements in [-1, 1] m, orientations uniform.
        rng: a generator, or what makes one: a seed, or None for one that no two runs share.
        """
        title = printable(f"{self.name}.random")
        shape = () if n is None else (count(n, title),)
        rng = generator(rng, title)
        q = np.empty((*shape, self.tree.nq))
        for view in self.joints.values():
            if view.joint.mimic is None:
                bounds = self.limits.lower[view.v], self.limits.upper[view.v]
                q[..., view.q] = view.joint.row.random(rng, shape, *bounds)
        return stored(q.astype(floating(dtype), copy=False), out, title)


def whole(n: Any) -> bool:
    """Whether something is a whole number >= 0, which True is not."""
    return isinstance(n, (int, np.integer)) and not isinstance(n, bool) and int(n) >= 0


def count(n: Any, title: str) -> int:
    """How many samples the user asks for; title: how messages begin."""
    if not whole(n):
        raise ArgumentError(f"{title}: n must be a whole number >= 0 or None, found {n!r}")
    return int(n)


def generator(rng: Any, title: str) -> np.random.Generator:
    """The generator that the user gives or seeds; title: how messages begin."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise ArgumentError(
            f"{title}: rng must be a numpy.random.Generator, a seed >= 0 or None, found {rng!r}"
        ) from None
