"""Section: dynamics in contact and impulses, compared with Pinocchio's constraints."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any

import numpy as np
import pinocchio as pin

from benchmarks.measure import Effort, compare, time_interleaved
from benchmarks.report import COMPARED, Options, Row, Table, Verdict, compare_cells
from benchmarks.robots import ROBOTS, Case, case, path

#: Robots with their contacts: kind, and frames.
STANDING: dict[str, tuple[str, tuple[str, ...]]] = {
    "talos-floating": ("surface", ("left_sole_link", "right_sole_link")),
    "g1-floating": ("surface", ("left_ankle_roll_link", "right_ankle_roll_link")),
    "anymal-floating": ("point", ("LF_FOOT", "RF_FOOT", "LH_FOOT", "RH_FOOT")),
}
BATCH = 1024

#: Speed over Pinocchio's loop.
TARGET = 8.0
#: Seconds to the first accelerations, forces and all their derivatives: cold, and from the cache.
COLD, CACHED = 10.0, 0.3
#: Relative to the largest entry of a sample; knees that are nearly straight cost digits.
TOLERANCE = 1e-8

Results = tuple[np.ndarray, ...]


@dataclass(frozen=True, eq=False)
class Stand:
    """A robot on its contacts, on both sides."""

    case: Case
    kind: str
    frames: tuple[str, ...]

    @cached_property
    def contacts(self) -> Any:
        """Ours."""
        robot = self.case.robot
        for frame in self.frames:
            robot = robot.edit.with_contact(frame, self.kind)
        return robot.contacts()

    @cached_property
    def constraints(self) -> tuple[Any, Any, Any]:
        """Pinocchio's: models, data, and the proximal settings that leave nothing out."""
        model = self.case.pin_model
        kind = pin.ContactType.CONTACT_6D if self.kind == "surface" else pin.ContactType.CONTACT_3D
        models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
        for name in self.frames:
            frame = model.frames[model.getFrameId(name, pin.FrameType.BODY)]
            seat = frame.parentJoint, frame.placement
            models.append(pin.RigidConstraintModel(kind, model, *seat, pin.ReferenceFrame.LOCAL))
        datas.extend([x.createData() for x in models])
        pin.initConstraintDynamics(model, self.case.pin_data, models, datas)
        return models, datas, pin.ProximalSettings(1e-14, 0.0, 1)

    @cached_property
    def rows(self) -> np.ndarray:
        """Indices of our rows of the contacts in those of Pinocchio: rotation first."""
        n = len(self.frames)
        if self.kind == "point":
            return np.arange(3 * n)
        return (6 * np.arange(n)[:, None] + np.array((3, 4, 5, 0, 1, 2))).ravel()

    @property
    def order(self) -> np.ndarray:
        """Indices of our velocities in those of Pinocchio."""
        return self.case.map.G.argmax(axis=0)


# ------------------------------------------------------------------ Pinocchio's way


def _accelerations(stand: Stand, q: Any, v: Any, tau: Any) -> Results:
    models, datas, settings = stand.constraints
    data, part = stand.case.pin_data, slice(6 if stand.kind == "surface" else 3)
    a = pin.constraintDynamics(stand.case.pin_model, data, q, v, tau, models, datas, settings)
    return a, np.concatenate([x.contact_force.vector[part] for x in datas])


def _derivatives(stand: Stand, q: Any, v: Any, tau: Any) -> Results:
    models, datas, settings = stand.constraints
    result = _accelerations(stand, q, v, tau)
    model, data = stand.case.pin_model, stand.case.pin_data
    by = pin.computeConstraintDynamicsDerivatives(model, data, models, datas, settings)
    return (*result, by[0], by[3], by[1], by[4], by[2], by[5])


def _impulses(stand: Stand, q: Any, v: Any) -> Results:
    models, datas, settings = stand.constraints
    model, data = stand.case.pin_model, stand.case.pin_data
    return (pin.impulseDynamics(model, data, q, v, models, datas, 0.0, settings),)


@dataclass(frozen=True)
class Work:
    """A quantity of ours, Pinocchio's way of it, and the results that both have.

    theirs: function(stand, *sample). shared: how many of our results Pinocchio gives, if not all.
    """

    quantity: str
    arguments: tuple[str, ...]
    theirs: Callable[..., Results]
    function: str
    shared: int | None = None


WORKS = (
    Work("contact_dynamics", ("q", "v", "tau"), _accelerations, "constraintDynamics"),
    Work(
        "contact_dynamics.derivatives",
        ("q", "v", "tau"),
        _derivatives,
        "constraintDynamics` and `computeConstraintDynamicsDerivatives",
    ),
    Work("impulse", ("q", "v"), _impulses, "impulseDynamics", 1),
)

NOTE = (
    "ns per sample on a batch of {batch}, results allocated per call: {frames}. Pinocchio: a Python"
    " loop of `{function}` over rows cut beforehand, with one proximal iteration and no damping,"
    " storing into preallocated arrays. Compared before timing to {tolerance:.0e}. `single`: µs per"
    " call on one sample, without the storing."
)
COLUMNS = (
    "robot",
    "nv",
    "rows",
    "operations",
    *COMPARED,
    "single, jounce",
    "single, Pinocchio",
    "difference",
)


@cache
def stand(name: str) -> Stand:
    """A robot of STANDING on its contacts."""
    return Stand(case(name, BATCH), *STANDING[name])


def tables(options: Options) -> list[Table]:
    """A table per work, and compilation in fresh processes."""
    beside = () if options.quick else set(STANDING) - set(ROBOTS)
    names = [name for name in STANDING if name in (*options.robots, *beside)]
    frames = "; ".join(f"{name} on {len(STANDING[name][1])} {STANDING[name][0]}s" for name in names)
    out = []
    for work in WORKS:
        jobs = [
            (f"contacts {work.quantity} {name}", partial(_rows, name, work, options.effort))
            for name in names
        ]
        note = NOTE.format(batch=BATCH, frames=frames, function=work.function, tolerance=TOLERANCE)
        out.append(Table(f"Contacts: {work.quantity}", note, COLUMNS, jobs))
    runs = 1 if options.quick else 3
    cold = [(f"contacts cold {name}", partial(_cold, name, runs)) for name in names]
    return [*out, Table("Contacts: first call", COLD_NOTE.format(runs=runs), COLD_COLUMNS, cold)]


def loop(robot: Stand, work: Work) -> Callable[[], Results]:
    """Pinocchio over the batch, stored."""
    rows = list(zip(*(robot.case.states[1][x] for x in work.arguments), strict=True))
    stores = tuple(np.empty((BATCH, *x.shape)) for x in work.theirs(robot, *rows[0]))

    def run() -> Results:
        for i, row in enumerate(rows):
            for store, x in zip(stores, work.theirs(robot, *row), strict=True):
                store[i] = x
        return stores

    return run


def as_ours(robot: Stand, found: Results) -> Results:
    """Pinocchio's results in our order: velocities and rows of contacts take turns."""
    order, out = robot.order, []
    for k, x in enumerate(found):
        rows = robot.rows if k % 2 else order
        out.append(x[:, rows] if x.ndim == 2 else x[:, rows][..., order])
    return tuple(out)


def check(robot: Stand, work: Work, ours: Results, theirs: Results) -> float:
    """Compare result by result."""
    pairs = zip(ours[: work.shared], as_ours(robot, theirs), strict=True)
    what = f"{robot.case.name} {work.quantity}"
    return max(compare(f"{what}, result {k}", x, y, TOLERANCE) for k, (x, y) in enumerate(pairs))


def _rows(name: str, work: Work, effort: Effort) -> list[Row]:
    robot = stand(name)
    f = robot.contacts.quantity(work.quantity)
    arguments = [robot.case.states[0][x] for x in work.arguments]
    item = [x[0].copy() for x in arguments]
    other = [robot.case.states[1][x][0].copy() for x in work.arguments]
    calls: dict[str, Callable[[], Any]] = {
        "ours": lambda: f(*arguments),
        "theirs": loop(robot, work),
    }
    worst = check(robot, work, calls["ours"](), calls["theirs"]())
    calls |= {"one": lambda: f(*item), "other": lambda: work.theirs(robot, *other)}
    # few repetitions: the loops take long
    times = time_interleaved(calls, Effort(max(effort.rounds // 2, 3), effort.seconds))
    ratio = times.ratio("theirs", "ours")
    verdict = Verdict(f"batch {work.quantity} {name}", ratio, TARGET, True)
    cells = (
        name,
        robot.case.size,
        str(robot.contacts.nc),
        f"{f.lower().operations:,}",
        *compare_cells(times, BATCH, verdict),
        f"{1e6 * times['one']:.2f}",
        f"{1e6 * times['other']:.2f}",
        f"{worst:.0e}",
    )
    return [Row(cells, [verdict])]


# ------------------------------------------------------------------ the first call

PROGRAM = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
import jounce
robot = jounce.load(sys.argv[1], base="floating")
for frame in sys.argv[3:]:
    robot = robot.edit.with_contact(frame, sys.argv[2])
robot.inverse_dynamics  # what is imported with a robot is not counted
start = time.perf_counter()
contacts = robot.contacts()
contacts.contact_dynamics.warmup()
value = time.perf_counter()
contacts.contact_dynamics.derivatives.warmup()
print(json.dumps([value - start, time.perf_counter() - start]))
"""

COLD_NOTE = (
    "Seconds by the wall clock in fresh processes (median of {runs}) from a robot with its contacts"
    " to compiled accelerations and forces, and to all their derivatives too: without a cache, and"
    " from a cache that an earlier process filled. Import and load not counted."
)
COLD_COLUMNS = (
    "robot",
    "cold, value",
    "with derivatives",
    "target",
    "met",
    "cached, value",
    "with derivatives ",
    "target ",
    "met ",
)


def _process(name: str, cache_folder: str) -> list[float]:
    kind, frames = STANDING[name]
    file = str(path(name.partition("-")[0]))
    command = (sys.executable, "-c", PROGRAM, file, kind, *frames)
    environment = {**os.environ, "JOUNCE_CACHE": cache_folder}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{name}: the process failed:\n{done.stderr}")
    return json.loads(done.stdout)


def _cold(name: str, runs: int) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "objects")
        _process(name, store)
        result = np.array([(_process(name, "0"), _process(name, store)) for _ in range(runs)])
    cold, cached = np.median(result, axis=0)
    verdicts = [
        Verdict(f"contacts cold, {name}", cold[1], COLD, False, " s"),
        Verdict(f"contacts from the disk cache, {name}", cached[1], CACHED, False, " s"),
    ]
    cells = [name]
    for (value, everything), verdict in zip((cold, cached), verdicts, strict=True):
        cells += [f"{value:.2f}", f"{everything:.2f}", verdict.bound_text, verdict.mark]
    return [Row(cells, verdicts)]
