"""What joints may do, as data of a robot or a mechanism, and configurations that keep to it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ArgumentError, explain_call, printable
from jounce.model.limits import Limits, limits_of
from jounce.model.model import Model
from jounce.process.once import once_property
from jounce.quantities import kinds
from jounce.quantities.arrays import (
    plain,
    precision,
    refuse_other_columns,
    refuse_other_order,
    shaped,
    stored,
)

if TYPE_CHECKING:
    from jounce.quantities.configurations import JointView


class WithLimits(ABC):
    """What has joints that may not go everywhere: a robot, a mechanism."""

    model: Model

    @property
    @abstractmethod
    def name(self) -> str:
        """What it is called."""

    @property
    @abstractmethod
    def sizes(self) -> dict[str, int]:
        """Sizes as the catalog's shapes name them."""

    @property
    @abstractmethod
    def joints(self) -> Mapping[str, JointView]:
        """Joints by name, with their places in q and in the velocities of all joints."""

    @property
    @abstractmethod
    def velocities(self) -> Sequence[int]:
        """Which velocities of all joints v has, in its order."""

    @abstractmethod
    def labels(
        self, of: Literal["q", "v", "t"], numbered: str = "{}_{}", start: int = 0
    ) -> list[str]:
        """Names of the entries of q, of v, or of the velocities of all joints."""

    def _refuse_other_joints(self, x: Any, of: Literal["q", "v", "t"], what: str) -> None:
        """Refuse an array (..., n), to be taken by its values, with joints in another order."""
        if type(x) is not np.ndarray:
            refuse_other_order(x, self.labels(of), what)

    @once_property
    def limits(self) -> Limits:
        """What the joints may do: lower, upper, velocity and effort, (nv,) each in v's order.

        Infinite where the file says nothing; see `jounce.model.limits.Limits`. Of a mechanism,
        those of its independent joints.
        """
        return self._all_limits.of(self.velocities)

    @once_property
    def _all_limits(self) -> Limits:
        """Limits of all joints, of a mechanism too."""
        return limits_of(self.model, self.labels("t", "{}[{}]"))

    @once_property
    def _bounded(self) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates that have bounds, and where in `_all_limits` these are."""
        pairs = [
            (view.q.start + i, view.v.start + k)
            for view in self.joints.values()
            if view.joint.mimic is None
            for i, k in view.joint.row.limited
        ]
        q, v = np.array(pairs, dtype=int).reshape(-1, 2).T
        return q, v

    def _bounds(self, dtype: Any) -> tuple[np.ndarray, np.ndarray]:
        """Bounds of all coordinates (nq,), rounded as coordinates of the dtype are."""
        at, entries = self._bounded
        out = np.full((2, self.sizes["nq"]), np.inf)
        out[0] = -np.inf
        out[:, at] = self._all_limits.lower[entries], self._all_limits.upper[entries]
        low, high = out.astype(dtype)
        return low, high

    @explain_call
    def within(self, q: ArrayLike, *, tolerance: float = 0.0) -> np.ndarray:
        """Whether configurations (..., nq) keep to the limits of all joints: booleans (...,).

        tolerance: how far beyond a limit they may be, in rad and m. Limits are taken in the
        precision of q, so that a float32 of a configuration within them is within them. What is not
        a number is not within.
        """
        title = printable(f"{self.name}.within")
        found = plain(tolerance, f"{title}: tolerance")
        if found.dtype == bool or found.ndim or not found >= 0:
            raise ArgumentError(f"{title}: tolerance must be a number >= 0, found {tolerance!r}")
        tolerance = float(found)
        refuse_other_columns(self, title, [("q", q)])
        core = (self.sizes["nq"],)
        found = kinds.method_called(self.within, q, {"tolerance": tolerance}, (core, ()), bool)
        if found is not None:
            return found
        q = shaped(q, f"{title}: argument 'q'", core)
        low, high = self._bounds(precision([q]))
        inside = (q >= low - tolerance) & (q <= high + tolerance)
        return np.all(inside, axis=-1)


class Clipping(WithLimits):
    """What can be put within its limits joint by joint: a robot, whose joints move freely."""

    @explain_call
    def clip(self, q: ArrayLike, *, out: np.ndarray | None = None) -> np.ndarray:
        """The nearest configurations (..., nq) that keep to the limits of all joints.

        Each coordinate goes to its nearest bound; quaternions, positions of free joints and what is
        not a number stay as they are.
        """
        title = printable(f"{self.name}.clip")
        refuse_other_columns(self, title, [("q", q)])
        core = (self.sizes["nq"],)
        found = kinds.method_called(self.clip, q, {"out": out}, (core, core))
        if found is not None:
            return found
        q = shaped(q, f"{title}: argument 'q'", core)
        dtype = precision([q])
        return stored(np.clip(np.asarray(q, dtype), *self._bounds(dtype)), out, title)
