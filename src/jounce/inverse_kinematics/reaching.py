"""The method that robots and mechanisms have."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from jounce import inverse_kinematics
from jounce.errors import explain_call
from jounce.model import manifold
from jounce.model.limits import Limits
from jounce.model.tree import Tree
from jounce.quantities.limits import WithLimits

if TYPE_CHECKING:
    from jounce.catalog.quantity import AnyQuantity
    from jounce.inverse_kinematics.solution import Solution
    from jounce.quantities.quantity import Owner


class Reaching(WithLimits):
    """What can be asked where its joints must be for frames to be somewhere."""

    @property
    @abstractmethod
    def tree(self) -> Tree:
        """The elementary tree that formulas walk."""

    @abstractmethod
    def owner_of(self, row: AnyQuantity) -> Owner:
        """Whose quantity a row is."""

    @abstractmethod
    def random(self, rng: Any = None, n: int | None = None) -> np.ndarray:
        """Random configurations."""

    def _first_start(self) -> np.ndarray:
        """Where a search begins that is given no start: neutral, or in the middle of limits."""
        q = manifold.neutral(self.tree)
        at, entries = self._bounded
        lower, upper = self._all_limits.lower[entries], self._all_limits.upper[entries]
        both = np.isfinite(lower) & np.isfinite(upper)
        q[at[both]] = 0.5 * lower[both] + 0.5 * upper[both]
        return q

    @property
    def _closed_to(self) -> float:
        """Gaps of loops that count as closed, m and rad."""
        return 0.0

    def _closed_again(self, q: np.ndarray) -> np.ndarray:
        """Configurations (n, nq) near q in which loops are closed."""
        return q

    @explain_call
    def inverse_kinematics(
        self,
        targets: Mapping[str, Any],
        q0: ArrayLike | None = None,
        *,
        tolerance: float | tuple[float, float] = 1e-6,
        iterations: int = 100,
        restarts: int = 40,
        rng: np.random.Generator | int | None = 0,
        limits: bool | Limits = True,
        posture: ArrayLike | None = None,
        posture_weight: ArrayLike = 0.3,
        strict: bool = False,
    ) -> Solution:
        """Configurations (..., nq) at which frames are where they shall be, with a report on each.

        targets: what each frame shall do, by name: a pose (..., 4, 4), a position (..., 3), a
        jounce.Pose, Position, Orientation or Direction, or a list of these; "center_of_mass": a
        position. All in the world. q0 (..., nq): where to start, by default in the middle of the
        limits. Leading axes broadcast. Arrays on CUDA are searched for there, and what comes back
        is of their library.

        tolerance: what counts as met, m and rad, or one for each. iterations: most steps from a
        start. restarts: how often a search that got stuck begins anew, at random configurations
        from rng, which are the same for all samples; 0 stays near q0. limits: whether to keep to
        the robot's, or others to keep to. posture (..., nq): which configuration to stay near, of
        all that meet the targets; posture_weight: how much it counts at the beginning, against m
        and rad, a number or (nv,); it fades. strict: raise a ModelError about the first sample
        without a solution, instead of reporting it in `success`.
        """
        return inverse_kinematics.solver.solve(  # imported at the first call
            self,
            targets,
            q0,
            tolerance=tolerance,
            iterations=iterations,
            restarts=restarts,
            rng=rng,
            limits=limits,
            posture=posture,
            posture_weight=posture_weight,
            strict=strict,
        )
