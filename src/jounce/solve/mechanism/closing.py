"""Closing loops of a mechanism: assembly, tracking, random configurations, reports."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from jounce.arrays.bound_quantity import BoundQuantity
from jounce.arrays.configurations import check_count, make_generator
from jounce.arrays.validation import parse_dtype, state_array, store_result
from jounce.catalog.mechanism import LOOP_GEOMETRY
from jounce.errors import (
    ArgumentError,
    ModelError,
    ModelWarning,
    explain_call,
    printable,
    warn,
)
from jounce.solve.mechanism.all_joints import AllJoints, OfMechanism
from jounce.solve.mechanism.assembly import (
    NUDGES,
    SINGULAR,
    Assembler,
    Assembly,
    LoopReport,
    check_limits,
    conditioning,
    independent,
    stack_assemblies,
)
from jounce.solve.mechanism.choice import named_velocities, velocity_names
from jounce.utils.once import once_property

#: Largest gap (rad, m) at the start and end of a motion; the first step closes it.
_MOTION_GAP = 1e-4

_MOTIONS = ("wx", "wy", "wz", "vx", "vy", "vz")


class Closing(OfMechanism):
    """Base class of mechanisms with the methods that close loops.

    robot: the robot without loops. active: the independent velocities. reference: a configuration
    with closed loops. tolerance: largest gap that counts as closed.
    """

    active: tuple[int, ...]
    reference: np.ndarray
    tolerance: float

    @once_property
    def velocity_names(self) -> list[str]:
        """Names of the velocities of all joints: the joint's, with [k] if it has several."""
        return velocity_names(self.robot)

    @property
    def independent_names(self) -> list[str]:
        """Names of the independent velocities, in the order of v."""
        return [self.velocity_names[k] for k in self.active]

    @property
    def dependent_names(self) -> list[str]:
        """Names of the dependent velocities, in the order of the rows of passive_jacobian."""
        return [self.velocity_names[k] for k in self.tree.passive]

    @once_property
    def row_names(self) -> list[str]:
        """Names of the rows of the residual, loop and locked motion, such as "loop0.vx"."""
        locked_motions = (
            (loop.name, zip(_MOTIONS, loop.locked, strict=True)) for loop in self.model.loops
        )
        return [
            f"{name}.{motion}"
            for name, motions in locked_motions
            for motion, locked in motions
            if locked
        ]

    def _check_q(self, q: ArrayLike, call: str) -> np.ndarray:
        """Check the configurations (..., nq) passed to a method."""
        return state_array(self.robot, q, "q", f"{self.name}.{call}: argument 'q'")

    def report(self, q: ArrayLike | None = None) -> LoopReport:
        """Return degrees of freedom, redundant constraints and conditioning of the loops.

        Parameters
        ----------
        q : array_like (nq,)
            Configuration; by default the reference.

        Returns
        -------
        LoopReport
            The report; `print` shows it as text.
        """
        configuration = self.reference if q is None else self._check_q(q, "report")
        if configuration.ndim != 1 or not np.isfinite(configuration).all():
            raise ArgumentError(
                f"{self.name}.report: expected one finite configuration ({self.nq},)"
            )
        r, A = self.assembler.gaps(configuration[None])
        rows = independent(A[0].T, range(A.shape[1]), tolerance=self.tolerance)
        quality = float(conditioning(A[:, :, list(self.tree.passive)])[0])
        return LoopReport(
            robot=self.robot.name,
            loops=tuple(loop.name for loop in self.model.loops),
            rows=A.shape[1],
            rank=len(rows),
            redundant=tuple(x for k, x in enumerate(self.row_names) if k not in rows),
            dof=self.robot.nv - len(rows),
            independent=tuple(self.independent_names),
            dependent=tuple(self.dependent_names),
            conditioning=quality,
            singular=not quality >= self._min_conditioning,
            gap=float(self.assembler.size(r)[0]),
        )

    @explain_call
    def assemble(
        self,
        q: ArrayLike,
        fixed: Sequence[str | int] | None = None,
        *,
        tolerance: float | None = None,
        iterations: int = 100,
        strict: bool = False,
        nudges: Sequence[float] = NUDGES,
    ) -> Assembly:
        """Close the loops, at configurations near q.

        Parameters
        ----------
        q : array_like (..., nq)
            Configurations to start from.
        fixed : sequence of str or int
            Joints that keep their position, by name (or velocities, as in `robot.closed`). By
            default the independent ones, whose coordinates are taken from q; () lets all joints
            move.
        tolerance : float
            Largest gap, in m and rad, that counts as closed; by default the mechanism's. Loops that
            can be closed are closed to round-off.
        iterations : int
            Maximum number of steps per sample.
        strict : bool
            Raise an error if a sample cannot be closed, instead of reporting it in `success`.
        nudges : sequence of float
            Displacements of the joints, in rad or m, with which failed samples are tried again.

        Returns
        -------
        Assembly
            Configurations `q` (..., nq), and for each `success`, `gap`, `conditioning`, `singular`
            and the number of `iterations`.

        Raises
        ------
        ModelError
            If `strict`, for the first sample that cannot be closed.
        """
        q = self._check_q(q, "assemble")
        tolerance = self.tolerance if tolerance is None else tolerance
        check_limits(f"{self.name}.assemble", tolerance, iterations)
        title = f"{self.name}.assemble: fixed"
        held = list(self.active) if fixed is None else named_velocities(self.robot, fixed, title)
        free = np.array([k not in held for k in range(self.robot.nv)])
        flat = q.reshape(-1, self.nq)
        closed, gap, steps = self.assembler.close(flat, free, tolerance, iterations, nudges)
        _, A = self.assembler.gaps(closed)
        quality = conditioning(A[:, :, list(self.tree.passive)]) if len(A) else np.zeros(0)
        batch = q.shape[:-1]
        success = gap <= tolerance
        if strict and not success.all():
            self._raise_open(int(np.argmin(success)), closed, gap, batch)
        return Assembly(
            q=closed.reshape(q.shape),
            success=success.reshape(batch)[()],
            gap=gap.reshape(batch)[()],
            conditioning=quality.reshape(batch)[()],
            singular=~(quality >= self._min_conditioning).reshape(batch)[()],
            iterations=steps.reshape(batch)[()],
        )

    def _raise_open(self, k: int, q: np.ndarray, gap: np.ndarray, batch: tuple[int, ...]) -> None:
        """Raise an error about sample k."""
        where = f" of sample {tuple(map(int, np.unravel_index(k, batch)))}" if batch else ""
        if not np.isfinite(q[k]).all():
            raise ModelError(f"{self.name}.assemble: argument 'q'{where} is not finite")
        r, _ = self.assembler.gaps(q[k : k + 1])
        worst = self.row_names[int(np.argmax(np.abs(r[0])))]
        raise ModelError(
            f"{self.name}.assemble: the loops{where} do not close from this start: the gap of"
            f" '{worst}' is {gap[k]:.2g} (m or rad); try another start, other values of the"
            " independent joints, or fixed=()"
        )

    @explain_call
    def gap(self, q: ArrayLike) -> np.ndarray:
        """Return the largest error of the loops.

        Unlike loop_residual, it has no second zero half a turn away.

        Parameters
        ----------
        q : array_like (..., nq)
            Configurations.

        Returns
        -------
        ndarray (...)
            The largest angle (rad) or distance (m) between frames that a loop connects.
        """
        q = self._check_q(q, "gap")
        r, _ = self.assembler.gaps(q.reshape(-1, self.nq))
        return self.assembler.size(r).reshape(q.shape[:-1])[()]

    def refuse_open_loops(self, q: np.ndarray, title: str) -> None:
        """Raise an error if a motion cannot start at q (..., nq)."""
        if problem := self._open_loops(q):
            raise ArgumentError(
                f"{title}: {problem}; close them with {printable(self.name)}.assemble(q0).q first"
            )

    def warn_about_open_loops(self, q: np.ndarray, title: str) -> None:
        """Warn if loops open during a motion (steps, ..., nq)."""
        if problem := self._open_loops(q, "state"):
            warn(
                f"{title}: {problem}; reduce h, or choose independent joints that determine the"
                " others",
                ModelWarning,
            )

    def _open_loops(self, q: np.ndarray, what: str = "sample") -> str:
        """Describe the largest gap at q (..., nq); return '' if it is below the tolerance."""
        with np.errstate(all="ignore"):  # states that are not finite are reported elsewhere
            gap, tolerance = np.asarray(self.gap(q)), max(_MOTION_GAP, self.tolerance)
        if not np.any(gap > tolerance):
            return ""
        where = np.unravel_index(np.nanargmax(gap), gap.shape)
        sample = f" of {what} {tuple(map(int, where))}" if gap.ndim else ""
        text = f"the loops{sample} are open by {gap[where]:.2g} (m or rad)"
        return f"{text}, expected at most {tolerance:.0e}"

    @explain_call
    def track(
        self,
        q: ArrayLike,
        *,
        fixed: Sequence[str | int] | None = None,
        tolerance: float | None = None,
        iterations: int = 100,
        strict: bool = False,
    ) -> Assembly:
        """Assemble along a path, each sample from the one before, so that it stays on one branch.

        Parameters
        ----------
        q : array_like (n, nq)
            Path. Independent coordinates are taken from every row, dependent ones from the first
            only.
        fixed, tolerance, iterations, strict
            Options of `assemble`.

        Returns
        -------
        Assembly
            Configurations (n, nq), and for each the result of `assemble`.

        Raises
        ------
        ModelError
            If `strict`, for the first sample that cannot be closed.
        """
        path = self._check_q(q, "track")
        if path.ndim != 2 or len(path) == 0:
            raise ArgumentError(
                f"{self.name}.track: argument 'q' must have shape (n, {self.nq}), n > 0,"
                f" found {path.shape}"
            )
        options = {"tolerance": tolerance, "iterations": iterations, "strict": strict}
        assemblies = [self.assemble(path[0], fixed, **options)]
        for goal in path[1:]:
            before = assemblies[-1].q
            lead = self.robot.difference(before, goal)[..., self.active]
            guess = self.robot.integrate(before, self._quantity("velocity")(before, lead))
            for entries in self._independent_slices:
                guess[entries] = goal[entries]
            assemblies.append(self.assemble(guess, fixed, nudges=(), **options))
        return stack_assemblies(assemblies)

    @once_property
    def _independent_slices(self) -> list[slice]:
        """Slices of q of the joints whose velocities are all independent."""
        views = [v for v in self.robot.joints.values() if v.joint.mimic is None]
        return [v.q for v in views if set(range(v.v.start, v.v.stop)) <= set(self.active)]

    @explain_call
    def random(
        self,
        rng: np.random.Generator | int | None = None,
        n: int | None = None,
        *,
        dtype: DTypeLike = "float64",
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return random configurations with closed loops, within the limits of the joints.

        Drawn as `robot.random` draws them, then closed by moving all joints. They exceed the limits
        only if too few configurations within them are found.

        Parameters
        ----------
        rng : Generator, int or None
            Random number generator, or a seed; None differs from run to run.
        n : int
            Number of configurations; None gives one without a batch axis.
        dtype : dtype
            float64 or float32.
        out : ndarray
            Array to write to.

        Returns
        -------
        ndarray (n, nq) or (nq,)
            Configurations.

        Raises
        ------
        ModelError
            If too few configurations closed.
        """
        title = printable(f"{self.name}.random")
        wanted = 1 if n is None else check_count(n, title)
        rng, kind = make_generator(rng, title), parse_dtype(dtype)
        inside = beyond = np.empty((0, self.nq))
        for _ in range(20):
            starts = self.robot.random(rng, 2 * wanted + 6)
            assembled = self.assemble(starts, (), nudges=())
            good = assembled.q[assembled.success & ~assembled.singular]
            moved, failed = self._move_into_limits(good)
            inside, beyond = np.concatenate((inside, moved)), np.concatenate((beyond, failed))
            if len(inside) >= wanted or (len(beyond) >= wanted and not len(inside)):
                break
        configurations = np.concatenate((inside, beyond))[:wanted]
        if len(configurations) < wanted:
            raise ModelError(
                f"{title}: only {len(configurations)} of {wanted} configurations closed"
            )
        return store_result(
            (configurations[0] if n is None else configurations).astype(kind, copy=False),
            out,
            title,
        )

    def _move_into_limits(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return configurations (n, nq) moved into the limits, and those that cannot be."""
        outside = ~self.limits.contains(q)
        if not outside.any():
            return q, q[:0]
        moved, success = self._project_into_limits(q[outside])
        _, A = self.assembler.gaps(moved)
        success &= conditioning(A[:, :, list(self.tree.passive)]) >= self._min_conditioning
        kept = q.copy()
        kept[outside] = moved
        good = ~outside
        good[outside] = success
        return kept[good], q[~good]

    @abstractmethod
    def _project_into_limits(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return configurations (n, nq) near q, closed and within limits, and a success mask."""

    @property
    def _min_conditioning(self) -> float:
        """Minimum conditioning with which the independent joints determine the others."""
        return max(SINGULAR, self.tolerance)

    @once_property
    def assembler(self) -> Assembler:
        """The solver that closes the loops."""
        robot = self.robot
        loops = len(robot.model.loops)
        geometry = BoundQuantity(self.name, LOOP_GEOMETRY, AllJoints(self, robot.tree, loops=loops))
        turning = np.zeros(robot.nv, dtype=bool)
        for node in robot.tree.nodes:
            turning[node.vs] |= np.any(node.S[:3] != 0.0, axis=0)
        locked = [motions for _, _, motions in robot.tree.loops]
        return Assembler(locked, geometry, robot.integrate, turning)
