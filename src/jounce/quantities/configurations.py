"""The configurations of a robot: where joints sit in them, neutral and random ones, steps between.

They are called as the quantities are: arrays of any library, leading axes that broadcast, float32
for float32, `out=` by name.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from jounce.errors import ArgumentError, printable
from jounce.model import manifold
from jounce.model.model import Joint
from jounce.model.tree import Tree
from jounce.process.once import once_property
from jounce.quantities.arrays import floating, precision, shaped, stored, together
from jounce.quantities.limits import Clipping
from jounce.quantities.signatures import explained


@dataclass(frozen=True)
class JointView:
    """A joint by name: its kind and where it sits in q and v (its leader's place, if it mimics)."""

    name: str
    kind: str
    q: slice
    v: slice
    joint: Joint


class Configurations(Clipping):
    """What has configurations: a robot."""

    @property
    @abstractmethod
    def tree(self) -> Tree:
        """The elementary tree that formulas walk."""

    @once_property
    def joints(self) -> Mapping[str, JointView]:
        """Joints by name: joints["elbow"].q and .v are slices into q and v."""
        views = {}
        for i, joint in zip(self.tree.node_of_body, self.model.joints, strict=True):
            node = self.tree.nodes[i]
            # the joint's coordinates end with those of its last node
            q = slice(node.qs.stop - joint.nq, node.qs.stop)
            v = slice(node.vs.stop - joint.nv, node.vs.stop)
            views[joint.name] = JointView(joint.name, joint.kind, q, v, joint)
        return MappingProxyType(views)

    def _array(self, x: ArrayLike, name: str, size: int) -> np.ndarray:
        what = f"{printable(self.name)}: argument '{name}'"
        return np.asarray(shaped(x, what, (size,)), dtype=float)

    @explained
    def neutral(self, *, dtype: DTypeLike = "float64", out: np.ndarray | None = None) -> np.ndarray:
        """The configuration (nq,) of zero angles and displacements and identity quaternions."""
        q = manifold.neutral(self.tree).astype(floating(dtype), copy=False)
        return stored(q, out, printable(f"{self.name}.neutral"))

    @explained
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

    @explained
    def integrate(self, q: ArrayLike, v: ArrayLike, *, out: np.ndarray | None = None) -> np.ndarray:
        """Configuration (..., nq) reached from q by the velocity v held for one unit of time.

        Leading axes broadcast; the result is float32 if an argument is and none is wider.
        """
        sizes = {"q": self.tree.nq, "v": self.tree.nv}
        return self._step("integrate", manifold.integrate, {"q": q, "v": v}, sizes, out)

    @explained
    def difference(
        self, q0: ArrayLike, q1: ArrayLike, *, out: np.ndarray | None = None
    ) -> np.ndarray:
        """Velocity (..., nv) that leads from q0 to q1 in one unit of time.

        Leading axes broadcast; the result is float32 if an argument is and none is wider.
        """
        sizes = {"q0": self.tree.nq, "q1": self.tree.nq}
        given = {"q0": q0, "q1": q1}
        return self._step("difference", manifold.difference, given, sizes, out)

    def _step(
        self,
        name: str,
        formula: Callable[..., np.ndarray],
        given: Mapping[str, ArrayLike],
        sizes: Mapping[str, int],
        out: np.ndarray | None,
    ) -> np.ndarray:
        """A step between configurations, in double precision inside."""
        title = printable(f"{self.name}.{name}")
        batch, arrays = together(title, given, {key: (size,) for key, size in sizes.items()})
        wide = (np.asarray(x, dtype=float) for x in arrays)  # without what subclasses add
        wide = (
            x if x.shape[:-1] == batch else np.broadcast_to(x, (*batch, x.shape[-1])) for x in wide
        )
        return stored(formula(self.tree, *wide).astype(precision(arrays), copy=False), out, title)


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
