"""Section: closed loops, compared with Pinocchio's constrained algorithms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any

import numpy as np
import pinocchio as pin

import jounce
from benchmarks.measure import Effort, compare, time_interleaved
from benchmarks.report import COMPARED, Options, Row, Table, Verdict, compare_cells
from benchmarks.robots import path
from jounce.export.pinocchio import PinocchioMap, to_pinocchio

#: Robots with the frames that a weld joins; none: the loops of a gallery robot, which Pinocchio
#: closes at a point (revolute loops of spherical linkages cannot be written in it).
LOOPS: dict[str, tuple[str, ...]] = {
    "four_bar": (),
    "talos": ("gripper_left_base_link", "gripper_right_base_link"),
}
BATCH = 1024

#: Proximal parameter with which LCABA comes nearest to the solution.
MU = {"four_bar": 1e-7, "talos": 1e-8}
TARGET = 10.0

#: States nearer to singular configurations are left out.
CONDITIONING = 0.02

#: Relative to the largest entry: proximal iterations leave this much where rows are redundant.
TOLERANCE = 1e-4

COLUMNS = ("robot", "nv", "rows", "operations", *COMPARED, "over LCABA", "difference")
NOTE = (
    "ns per sample on a batch of {batch}: accelerations of all joints from tau, with the loops"
    " closed (`closed.constrained_dynamics`), compared with a Python loop of Pinocchio's"
    " `constraintDynamics`, and of `lcaba` (speed relative to it in the last but one column). talos"
    " on a floating base holds its hands together. Pinocchio's proximal settings: accuracy 1e-12,"
    " mu 1e-8 (1e-7 for the four-bar, whose"
    " constraints are redundant), at most 20 iterations. Compared before timing to {tolerance:.0e}."
)


@dataclass(frozen=True, eq=False)
class Loops:
    """A mechanism on both sides, and states with closed loops."""

    name: str

    @cached_property
    def robot(self) -> Any:
        """Our robot with its loops."""
        frames = LOOPS[self.name]
        if not frames:
            return jounce.load(self.name)
        robot = jounce.load(path(self.name), base="floating")
        q = robot.neutral()
        one, other = (robot.frame(frame).pose(q) for frame in frames)
        return robot.edit.with_loop(frames[0], (frames[1], np.linalg.inv(other) @ one), "weld")

    @cached_property
    def model(self) -> Any:
        """Pinocchio's model of the tree."""
        return to_pinocchio(self.robot.model)

    @cached_property
    def constraints(self) -> tuple[Any, Any, Any]:
        """Pinocchio's loops: models, data and proximal settings."""
        models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
        for loop in self.robot.model.loops:
            kind = pin.ContactType.CONTACT_6D if all(loop.locked) else pin.ContactType.CONTACT_3D
            ends = []
            for body, T in ((loop.body_a, loop.placement_a), (loop.body_b, loop.placement_b)):
                joint = 0 if body < 0 else self.model.getJointId(self.robot.model.joints[body].name)
                ends += [joint, pin.SE3(np.array(T))]
            models.append(
                pin.RigidConstraintModel(kind, self.model, *ends, pin.ReferenceFrame.LOCAL)
            )
        datas.extend([x.createData() for x in models])
        return models, datas, pin.ProximalSettings(1e-12, MU[self.name], 20)

    @cached_property
    def states(self) -> tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]]:
        """q, v and tau of all joints with closed loops, ours and in Pinocchio's order."""
        closed, rng = self.robot.closed(), np.random.default_rng(0)
        moved = 0.3 * rng.standard_normal((4 * BATCH, self.robot.nv))
        found = closed.assemble(self.robot.integrate(closed.reference, moved))
        regular = found.success & (found.conditioning > CONDITIONING)
        q = np.resize(found.q[regular], (BATCH, closed.nq))
        v = closed.velocity(q, 0.3 * rng.standard_normal((BATCH, closed.nv)))
        tau = rng.standard_normal(v.shape)
        to = PinocchioMap(self.robot.model, self.model)
        theirs = to.q_to_pinocchio(q), to.v_to_pinocchio(v), to.tau_to_pinocchio(tau)
        return (q, v, tau), theirs

    def run(self, algorithm: str) -> Callable[[], np.ndarray]:
        """Pinocchio over the batch, stored."""
        model, data = self.model, self.model.createData()
        models, datas, settings = self.constraints
        if algorithm == "lcaba":
            pin.computeJointMinimalOrdering(model, data, models)
        else:
            pin.initConstraintDynamics(model, data, models, datas)
        function, rows = getattr(pin, algorithm), list(zip(*self.states[1], strict=True))
        out = np.empty((BATCH, model.nv))

        def run() -> np.ndarray:
            for i, row in enumerate(rows):
                out[i] = function(model, data, *row, models, datas, settings)
            return out

        return run


@cache
def loops(name: str) -> Loops:
    """A mechanism of LOOPS."""
    return Loops(name)


def tables(options: Options) -> list[Table]:
    """One table: accelerations of all joints."""
    jobs = [(f"loops {name}", partial(_rows, name, options.effort)) for name in LOOPS]
    note = NOTE.format(batch=BATCH, tolerance=TOLERANCE)
    return [Table("Closed loops: forward dynamics", note, COLUMNS, jobs)]


def _rows(name: str, effort: Effort) -> list[Row]:
    case = loops(name)
    closed = case.robot.closed()
    f, states = closed.constrained_dynamics, case.states[0]
    calls = {
        "ours": lambda: f(*states),
        "theirs": case.run("constraintDynamics"),
        "lcaba": case.run("lcaba"),
    }
    ours = calls["ours"]()
    back = PinocchioMap(case.robot.model, case.model)
    worst = 0.0
    for other in ("theirs", "lcaba"):
        found = back.v_from_pinocchio(calls[other]())
        worst = max(worst, compare(f"{name} {other}", ours, found, TOLERANCE))
    times = time_interleaved(calls, Effort(max(effort.rounds // 2, 3), effort.seconds))
    verdict = Verdict(f"loops {name}", times.ratio("theirs", "ours"), TARGET, True)
    cells = (
        name,
        str(case.robot.nv),
        str(closed.sizes["nl"]),
        f"{f.lower().operations:,}",
        *compare_cells(times, BATCH, verdict),
        f"{times.ratio('lcaba', 'ours'):.1f}",
        f"{worst:.0e}",
    )
    return [Row(cells, [verdict])]
