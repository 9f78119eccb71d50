"""A mechanism, that is a robot with closed loops, as users meet it: `robot.closed()`.

A mechanism has fewer degrees of freedom than its tree has joints. Some joints are independent, the
others follow: every quantity takes the configuration q of all joints, with the loops closed (see
`Mechanism.assemble`), and v, a, tau of the independent joints.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from jounce.catalog.mechanism import ALL_JOINTS, GEOMETRY, MECHANISM, MECHANISM_FRAME
from jounce.catalog.row import Row
from jounce.design import DesignGradient, LinkMesh, design_gradient
from jounce.errors import ArgumentError, ModelError, printable
from jounce.formulas.singular import explanation
from jounce.mechanism.assembly import (
    NUDGES,
    SINGULAR,
    Assembler,
    Assembly,
    LoopReport,
    check_limits,
    conditioning,
    counted,
    independent,
    rank_of,
    real,
    stacked,
)
from jounce.model.model import Model
from jounce.model.tree import Tree
from jounce.process.once import once_property
from jounce.quantities.arrays import floating, stored
from jounce.quantities.configurations import count, generator
from jounce.quantities.declared import MechanismQuantities
from jounce.quantities.quantity import Evaluable, Quantity
from jounce.quantities.signatures import explained
from jounce.quantities.tables import Quantities, WithFrames
from jounce.robot import Robot

_MOTIONS = ("wx", "wy", "wz", "vx", "vy", "vz")


class _AllJoints(Quantities):
    """The tree under its loops: quantities in which the velocities are those of all joints."""

    def __init__(self, mechanism: Mechanism, tree: Tree, sizes: dict[str, int]) -> None:
        self._mechanism = mechanism
        self.name = mechanism.name
        self.model = mechanism.model
        self.tree = tree
        self.sizes = sizes
        self.target = mechanism.target

    def _table(self) -> Mapping[str, Row]:
        return ALL_JOINTS

    def _make(self, row: Row) -> Quantity:
        return Quantity(self.name, row, self)

    def __reduce__(self) -> Any:
        return getattr, (self._mechanism, "_all_joints")

    def __repr__(self) -> str:
        return printable(f"<all joints of {self.name}>")


class Mechanism(MechanismQuantities, WithFrames):
    """A robot with closed loops: independent joints, assembly, and its quantities as callables.

    active: the independent joints by name, or velocities as "name[k]" or index; by default those
    nearest to the base whose choice leaves the others well determined. Joints without drive (effort
    limit zero) are chosen last. q0: a configuration near which the loops close. tolerance: gaps (m,
    rad) that count as closed, and singular values of the loops' Jacobian, relative to the largest,
    that count as zero; geometry rounded to fewer digits needs a larger one.
    """

    def __init__(
        self,
        robot: Robot,
        active: Sequence[str | int] | None = None,
        q0: ArrayLike | None = None,
        tolerance: float = 1e-9,
    ) -> None:
        if not robot.model.loops:
            raise ModelError(
                f"robot '{robot.name}' has no loops; add them with robot.with_loop(a, b, kind)"
            )
        if not (real(tolerance) and 0.0 < tolerance < 0.1):
            raise ArgumentError(
                f"{robot.name}.closed: tolerance must be in (0, 0.1), found {tolerance!r}"
            )
        self.robot = robot
        self.tolerance = tolerance
        given = None if active is None else self._velocities(active, "active")
        q, G = self._configurations(q0)
        passive = self._passive(G, given)
        rest = [k for k in range(robot.nv) if k not in passive]
        self.active: tuple[int, ...] = tuple(rest if given is None else given)
        quality = conditioning(G[:, :, passive])
        k = int(np.argmax(quality >= 0.1 * quality.max()))
        self.reference: np.ndarray = q[k]
        G = G[k]
        rows = tuple(sorted(independent(G.T, range(len(G)), tolerance=self.tolerance)))
        loose = bool(explanation(robot.tree, robot.labels("v")))
        whole = replace(robot.tree, rows=rows, loose=loose)
        self._all_joints = _AllJoints(self, whole, {**robot.sizes, "nl": len(G)})
        self.tree: Tree = replace(whole, active=self.active)

    def _table(self) -> Mapping[str, Row]:
        return MECHANISM | ALL_JOINTS

    def _frame_table(self) -> Mapping[str, Row]:
        return MECHANISM_FRAME

    def _make(self, row: Row) -> Quantity:
        if row.all_joints:
            return getattr(self._all_joints, row.name)
        return Quantity(self.name, row, self)

    def _singular(self) -> str:
        return explanation(self.tree, self.independent_names, self.reference)

    def _quantity(self, name: str) -> Quantity:
        if not name.startswith("_") and name not in self._table() and hasattr(Robot, name):
            raise AttributeError(
                f"{self!r} has no '{name}', which is for trees; that of its tree, without the"
                f" loops, is .robot.{name}",
                name=name,
                obj=self,
            )
        return super()._quantity(name)

    def __reduce__(self) -> Any:
        return Mechanism, (self.robot, self.active, self.reference, self.tolerance)

    def __repr__(self) -> str:
        return printable(
            f"<mechanism '{self.robot.name}': {counted(len(self.model.loops), 'loop')},"
            f" {counted(self.nv, 'degree')} of freedom: {', '.join(self.independent_names)}>"
        )

    # -------------------------------------------------------------- what it is

    @property
    def name(self) -> str:
        """How users make it: the robot's name and its `closed()`."""
        return f"{self.robot.name}.closed()"

    @property
    def model(self) -> Model:
        """The robot's model."""
        return self.robot.model

    @property
    def target(self) -> str | None:
        """The processor its kernels are compiled for."""
        return self.robot.target

    @property
    def nq(self) -> int:
        """Length of a configuration of all joints."""
        return self.robot.nq

    @property
    def nv(self) -> int:
        """Number of independent velocities, the degrees of freedom."""
        return len(self.active)

    @once_property
    def sizes(self) -> dict[str, int]:
        """Sizes as `jounce.catalog.mechanism` names them."""
        nv, nt = self.nv, self.robot.nv
        own = {"nv": nv, "3nv": 3 * nv, "nt": nt, "np": nt - nv}
        return {**self._all_joints.sizes, **own}

    @once_property
    def velocity_names(self) -> list[str]:
        """Velocities of all joints by name: the joint's, with [k] where it has several."""
        return self.robot.labels("v", "{}[{}]")

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
        """Rows of the residual: the loop's name and the locked motion, as "loop0.vx"."""
        found = ((loop.name, zip(_MOTIONS, loop.locked, strict=True)) for loop in self.model.loops)
        return [f"{name}.{motion}" for name, which in found for motion, locked in which if locked]

    def design_gradient(
        self,
        cost_gradient: ArrayLike,
        *arguments: ArrayLike,
        quantity: str = "inverse_dynamics",
        meshes: Mapping[str, LinkMesh] | None = None,
        **forces: ArrayLike | None,
    ) -> DesignGradient:
        """Gradient of a cost in parameters, screws, placements, vertices; see `jounce.design`.

        The independent joints are held, with their velocities, and the loops closed again.
        """
        return design_gradient(
            self, cost_gradient, *arguments, quantity=quantity, meshes=meshes, **forces
        )

    def report(self, q: ArrayLike | None = None) -> LoopReport:
        """Degrees of freedom, redundant constraints and conditioning, at q or the reference."""
        at = self.reference if q is None else self.robot._array(q, "q", self.nq)
        if at.ndim != 1 or not np.isfinite(at).all():
            raise ArgumentError(
                f"{self.name}.report: expected one finite configuration ({self.nq},)"
            )
        r, A = self._assembler.gaps(at[None])
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
            singular=not quality >= self._least,
            gap=float(self._assembler.size(r)[0]),
        )

    # -------------------------------------------------------------- assembly

    @explained
    def assemble(
        self,
        q: ArrayLike,
        fixed: Sequence[str | int] | None = None,
        *,
        tolerance: float | None = None,
        iterations: int = 100,
        strict: bool = False,
    ) -> Assembly:
        """Close the loops: configurations (..., nq) near q, with what became of each.

        fixed: joints that keep their place, by name (or velocities, as in `robot.closed`); by
        default the independent ones, whose coordinates are taken from q; () lets all move.
        tolerance: largest gap, in m and rad, that counts as closed, by default the mechanism's;
        what can be closed is closed to rounding. iterations: no sample takes more steps. strict:
        raise a ModelError that names the first sample that cannot be closed, instead of reporting
        it in `success`.
        """
        return self._assemble(
            q, fixed, NUDGES, tolerance=tolerance, iterations=iterations, strict=strict
        )

    def _assemble(
        self,
        q: ArrayLike,
        fixed: Sequence[str | int] | None = None,
        nudges: Sequence[float] = (),
        *,
        tolerance: float | None = None,
        iterations: int = 100,
        strict: bool = False,
    ) -> Assembly:
        """See `assemble`; nudges: those of `Assembler.close`."""
        q = self.robot._array(q, "q", self.nq)
        tolerance = self.tolerance if tolerance is None else tolerance
        check_limits(f"{self.name}.assemble", tolerance, iterations)
        held = list(self.active) if fixed is None else self._velocities(fixed, "fixed")
        free = np.array([k not in held for k in range(self.robot.nv)])
        flat = q.reshape(-1, self.nq)
        found, gap, steps = self._assembler.close(flat, free, tolerance, iterations, nudges)
        _, A = self._assembler.gaps(found)
        quality = conditioning(A[:, :, list(self.tree.passive)]) if len(A) else np.zeros(0)
        batch = q.shape[:-1]
        success = gap <= tolerance
        if strict and not success.all():
            self._explain(int(np.argmin(success)), found, gap, batch)
        return Assembly(
            q=found.reshape(q.shape),
            success=success.reshape(batch)[()],
            gap=gap.reshape(batch)[()],
            conditioning=quality.reshape(batch)[()],
            singular=~(quality >= self._least).reshape(batch)[()],
            iterations=steps.reshape(batch)[()],
        )

    def _explain(self, k: int, q: np.ndarray, gap: np.ndarray, batch: tuple[int, ...]) -> None:
        """Raise an error about sample k."""
        where = f" of sample {tuple(map(int, np.unravel_index(k, batch)))}" if batch else ""
        if not np.isfinite(q[k]).all():
            raise ModelError(f"{self.name}.assemble: argument 'q'{where} is not finite")
        r, _ = self._assembler.gaps(q[k : k + 1])
        worst = self.row_names[int(np.argmax(np.abs(r[0])))]
        raise ModelError(
            f"{self.name}.assemble: the loops{where} do not close from this start: '{worst}' misses"
            f" by {gap[k]:.2g} (m or rad); try another start, other values of the independent"
            " joints, or fixed=()"
        )

    @explained
    def gap(self, q: ArrayLike) -> np.ndarray:
        """How far the loops are from closed (...,): the largest angle or distance missed, rad or m.

        Unlike loop_residual it is not fooled by half turns, which are pi about any axis.
        """
        q = self.robot._array(q, "q", self.nq)
        r, _ = self._assembler.gaps(q.reshape(-1, self.nq))
        return self._assembler.size(r).reshape(q.shape[:-1])[()]

    @explained
    def track(
        self,
        q: ArrayLike,
        *,
        fixed: Sequence[str | int] | None = None,
        tolerance: float | None = None,
        iterations: int = 100,
        strict: bool = False,
    ) -> Assembly:
        """Assemble along a path (n, nq), each sample from the one before, so that it stays on it.

        The independent coordinates are taken from every row of q, the dependent ones from the first
        row only. Options: as for `assemble`.
        """
        path = self.robot._array(q, "q", self.nq)
        if path.ndim != 2 or len(path) == 0:
            raise ArgumentError(
                f"{self.name}.track: argument 'q' must have shape (n, {self.nq}), n > 0,"
                f" found {path.shape}"
            )
        options = {"tolerance": tolerance, "iterations": iterations, "strict": strict}
        found = [self._assemble(path[0], fixed, NUDGES, **options)]
        for goal in path[1:]:
            before = found[-1].q
            lead = self.robot.difference(before, goal)[..., self.active]
            guess = self.robot.integrate(before, self.velocity(before, lead))
            for at in self._led:
                guess[at] = goal[at]
            found.append(self._assemble(guess, fixed, **options))
        return stacked(found)

    @once_property
    def _led(self) -> list[slice]:
        """Where in q the joints are all of whose velocities are independent."""
        views = [v for v in self.robot.joints.values() if v.joint.mimic is None]
        return [v.q for v in views if set(range(v.v.start, v.v.stop)) <= set(self.active)]

    @explained
    def random(
        self,
        rng: np.random.Generator | int | None = None,
        n: int | None = None,
        *,
        dtype: DTypeLike = "float64",
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Random configurations (n, nq), or (nq,) without n, with closed loops.

        Drawn as robot.random draws them, then closed by moving all joints; limits may be passed.
        """
        title = printable(f"{self.name}.random")
        wanted = 1 if n is None else count(n, title)
        rng, kind = generator(rng, title), floating(dtype)
        found = np.empty((0, self.nq))
        for _ in range(20):
            starts = self.robot.random(rng, 2 * wanted + 6)
            assembled = self._assemble(starts, ())
            good = assembled.q[assembled.success & ~assembled.singular]
            found = np.concatenate((found, good))[:wanted]
            if len(found) == wanted:
                q = found[0] if n is None else found
                return stored(q.astype(kind, copy=False), out, title)
        raise ModelError(f"{title}: only {len(found)} of {wanted} configurations closed")

    @property
    def _least(self) -> float:
        """The conditioning below which the independent joints do not determine the others."""
        return max(SINGULAR, self.tolerance)

    @once_property
    def _assembler(self) -> Assembler:
        robot = self.robot
        sizes = {**robot.sizes, "loops": len(robot.model.loops)}
        view = _AllJoints(self, robot.tree, sizes)
        geometry = Evaluable(self.name, GEOMETRY, view)
        turning = np.zeros(robot.nv, dtype=bool)
        for node in robot.tree.nodes:
            turning[node.vs] |= np.any(node.S[:3] != 0.0, axis=0)
        locked = [which for _, _, which in robot.tree.loops]
        return Assembler(locked, geometry, robot.integrate, turning)

    # -------------------------------------------------------------- which joints are independent

    def _velocities(self, names: Sequence[str | int], what: str) -> list[int]:
        """Velocities by name or index; a joint's name stands for all of its velocities."""
        views = self.robot.joints
        if isinstance(names, str):
            names = (names,)
        out: list[int] = []
        for name in names:
            if isinstance(name, (int, np.integer)) and 0 <= name < self.robot.nv:
                out.append(int(name))
            elif name in self.velocity_names:
                out.append(self.velocity_names.index(str(name)))
            elif name in views and views[str(name)].joint.mimic is None:
                out += range(views[str(name)].v.start, views[str(name)].v.stop)
            else:
                raise ModelError(
                    f"{self.name}: {what}: no joint {name!r} that moves by itself; choose from"
                    f" {', '.join(self.velocity_names)}"
                )
        if len(set(out)) < len(out):
            raise ModelError(f"{self.name}: {what}: a joint is named twice in {list(names)}")
        return out

    def _configurations(self, q0: ArrayLike | None) -> tuple[np.ndarray, np.ndarray]:
        """Configurations with closed loops at which the Jacobian G has its usual rank, with G.

        A given or neutral configuration is often a singular one, so its neighbours are looked at
        too, and if none of them can be closed and none was given, random ones.
        """
        robot, rng = self.robot, np.random.default_rng(0)
        start = robot.neutral() if q0 is None else robot._array(q0, "q0", robot.nq)
        if start.ndim != 1 or not np.isfinite(start).all():
            raise ArgumentError(f"{self.name}: q0 must be one finite configuration ({robot.nq},)")
        steps = 0.3 * rng.standard_normal((12, robot.nv)) * np.linspace(0.0, 1.0, 12)[:, None]
        tries = [robot.integrate(start, steps)]
        if q0 is None:
            tries.append(robot.random(rng, 64))
        best = np.inf
        for starts in tries:
            free = np.ones(robot.nv, dtype=bool)
            q, gap, _ = self._assembler.close(starts, free, self.tolerance, 100)
            best = min(best, np.nanmin(gap, initial=np.inf))
            q = q[gap <= self.tolerance]
            if len(q):
                G = self._assembler.gaps(q)[1]
                ranks = np.array([rank_of(x, self.tolerance) for x in G])
                usual = ranks == ranks.max()
                return q[usual], G[usual]
        names = ", ".join(f"'{loop.name}'" for loop in self.model.loops)
        raise ModelError(
            f"robot '{robot.name}': its loops ({names}) cannot be closed; the best start misses by"
            f" {best:.2g} (m or rad). Check the frames of the loops, or give q0= a configuration"
            " near which they close, or a larger tolerance="
        )

    def _passive(self, G: np.ndarray, active: list[int] | None) -> list[int]:
        """Velocities that follow from the others, by G at some configurations (n, nl, nv)."""
        robot, nv, rank = self.robot, self.robot.nv, rank_of(G[0], self.tolerance)
        if rank == nv:
            raise ModelError(
                f"robot '{robot.name}' is over-constrained: its {G.shape[1]} loop constraints leave"
                f" none of {nv} degrees of freedom; lock fewer motions, or, if rounded geometry"
                " locks what exact geometry would leave free, give a larger tolerance="
            )
        if rank == 0:
            raise ModelError(f"robot '{robot.name}': its loops lock nothing that could move")
        order = self._preference()
        found = [independent(x, order, tolerance=self.tolerance) for x in G]
        chosen = min(found, key=lambda which: sorted(order.index(k) for k in which))
        if active is None:
            return sorted(chosen)
        names = [self.velocity_names[k] for k in range(nv) if k not in chosen]
        hint = f"a choice that does: {', '.join(names)}"
        if len(active) != nv - rank:
            raise ModelError(
                f"{self.name}: the mechanism has {counted(nv - rank, 'degree')} of freedom, found"
                f" {counted(len(active), 'independent velocity')}; {hint}"
            )
        passive = [k for k in range(nv) if k not in active]
        if not conditioning(G[:, :, passive]).max() > self.tolerance:
            names = ", ".join(self.velocity_names[k] for k in active)
            raise ModelError(f"{self.name}: {names} do not determine the other joints; {hint}")
        return passive

    def _preference(self) -> list[int]:
        """Velocities in the order in which they should become dependent: without drive, far out."""
        depth, driven = np.zeros(self.robot.nv, dtype=int), np.ones(self.robot.nv, dtype=bool)
        for node, above in zip(self.robot.tree.nodes, self.robot.tree.ancestors, strict=True):
            depth[node.vs] = np.maximum(depth[node.vs], len(above))
        for view in self.robot.joints.values():
            if view.joint.mimic is None:
                driven[view.v] = view.joint.effort_limit > 0.0
        return sorted(range(self.robot.nv), key=lambda k: (driven[k], -depth[k], -k))
