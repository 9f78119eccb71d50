"""Section 9: inertial parameters, as columns of a regressor and as an argument."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pinocchio as pin

from benchmarks import peers
from benchmarks.measure import Effort, Times, compare, time_interleaved
from benchmarks.report import COMPARED, Options, Row, Table, Verdict, compare_cells, nanoseconds
from benchmarks.robots import BATCH, Case, case
from benchmarks.sections.batch import LARGE, SMALL
from jounce.export.pinocchio import parameters_from_pinocchio

#: Speed over a loop of Pinocchio's: small arms, humanoids.
TARGETS = (20.0, 10.0)
#: Time with the parameters as an argument over that with constant ones.
PARAMETRIC = 3.0

#: Samples compared at a time (regressors are large), and of robots that are all different.
CHUNK, CHECKED = 256, 64

FUNCTION = "computeJointTorqueRegressor"

NOTE = (
    f"ns per sample on a batch of {BATCH}: `inverse_dynamics.dpi`, nv x 10 nb entries in an array"
    f" allocated per call. Pinocchio: a Python loop of `{FUNCTION}` over rows cut beforehand,"
    " storing each result into a preallocated array (it has no batch function for it); `loop, no"
    " store` drops them. `jounce, out=`: into the same array again and again. `jounce, new memory`:"
    " into a `numpy.empty` of its own per call. `GB/s`: results written, by the call that"
    " allocates. Compared before timing, with Pinocchio's columns in our order of parameters and"
    " bodies; neither regressor has the armature."
)
COLUMNS = (
    "robot",
    "nv",
    "entries",
    "operations",
    *COMPARED,
    "jounce, out=",
    "ratio, out",
    "loop, no store",
    "jounce, new memory",
    "GB/s",
    "difference",
)

PARAMETRIC_NOTE = (
    f"ns per sample on a batch of {BATCH}, results allocated per call: `inverse_dynamics` with the"
    " parameters folded into the kernel, and `parametric.inverse_dynamics` with an array of them,"
    " (nb, 10) for the whole batch or (4096, nb, 10) with other ones for each sample. `ratio`: of"
    " these over the first. Compared before timing with Pinocchio; robots that all differ in"
    f" {CHECKED} samples, each by a Pinocchio model of its own."
)
PARAMETRIC_COLUMNS = (
    "robot",
    "nv",
    "operations",
    "with pi",
    "constant",
    "pi shared",
    "ratio",
    "quartiles",
    "target",
    "met",
    "pi per sample",
    "ratio ",
    "quartiles ",
    "target ",
    "met ",
    "difference",
)


def tables(options: Options) -> list[Table]:
    """The regressor, and parameters as an argument."""
    jobs: dict[str, list[tuple[str, Callable[[], list[Row]]]]] = {"regressor": [], "parametric": []}
    for name in options.robots:
        jobs["regressor"].append((f"regressor {name}", partial(_regressor, name, options)))
        jobs["parametric"].append((f"parametric {name}", partial(_parametric, name, options)))
    return [
        Table("Parameters: the regressor", NOTE, COLUMNS, jobs["regressor"]),
        Table(
            "Parameters: as an argument", PARAMETRIC_NOTE, PARAMETRIC_COLUMNS, jobs["parametric"]
        ),
    ]


# ------------------------------------------------------------------ the regressor


def regressor_as_ours(robot: Case, found: np.ndarray) -> np.ndarray:
    """Pinocchio's regressors (batch, pin_nv, 10 joints) in our coordinates and order of columns."""
    joints = robot.pin_model.njoints - 1
    bodies = found.reshape(*found.shape[:2], joints, 10)[:, :, np.array(robot.map.joint_ids) - 1]
    ours = parameters_from_pinocchio(bodies).reshape(*found.shape[:2], -1)
    return np.swapaxes(robot.map.tau_from_pinocchio(np.swapaxes(ours, 1, 2)), 1, 2)


def regressor_loop(robot: Case, store: bool) -> Callable[[], Any]:
    """A Python loop over samples; it stores into a preallocated array, or drops the results."""
    function, model, data = getattr(pin, FUNCTION), robot.pin_model, robot.pin_data
    rows = list(zip(*(robot.states[1][x] for x in "qva"), strict=True))
    if not store:

        def bare() -> None:
            for row in rows:
                function(model, data, *row)

        return bare
    out = np.empty((robot.batch, model.nv, 10 * (model.njoints - 1)))

    def store_results() -> np.ndarray:
        for i, row in enumerate(rows):
            out[i] = function(model, data, *row)
        return out

    return store_results


def check_regressor(robot: Case, what: str, ours: np.ndarray, theirs: np.ndarray) -> float:
    """Compare part by part: mapped copies of all would take several times the memory."""
    parts = (slice(k, k + CHUNK) for k in range(0, len(theirs), CHUNK))
    return max(compare(what, ours[x], regressor_as_ours(robot, theirs[x])) for x in parts)


def regressor_calls(robot: Case) -> tuple[dict[str, Callable[[], Any]], float]:
    """Return the timed calls on the batch, and the difference of their results."""
    function = robot.robot.inverse_dynamics.dpi
    arguments = [robot.states[0][x] for x in "qva"]
    shape = (robot.batch, *function.kernel.outputs[0])
    out = np.empty(shape)
    calls: dict[str, Callable[[], Any]] = {
        "ours": lambda: function(*arguments),
        "ours_out": lambda: function(*arguments, out=out),
        "ours_new": lambda: function(*arguments, out=np.empty(shape)),
        "theirs": regressor_loop(robot, True),
        "bare": regressor_loop(robot, False),
    }
    theirs = calls["theirs"]()
    what = f"{robot.name} inverse_dynamics.dpi"
    worst = check_regressor(robot, what, calls["ours"](), theirs)
    again = check_regressor(robot, f"{what} with out=", calls["ours_out"](), theirs)
    return calls, max(worst, again)


def _regressor(name: str, options: Options) -> list[Row]:
    robot = case(name)
    calls, worst = regressor_calls(robot)
    # few repetitions: the loops take long
    effort = Effort(max(options.effort.rounds // 2, 3), options.effort.seconds)
    times = time_interleaved(calls, effort)
    ratio = times.ratio("theirs", "ours")
    goal = TARGETS[0] if name in SMALL else TARGETS[1] if name in LARGE else None
    verdicts = []
    if goal is not None:
        verdicts.append(Verdict(f"batch inverse_dynamics.dpi {name}", ratio, goal, True))
    kernel = robot.robot.inverse_dynamics.dpi.kernel
    entries = int(np.prod(kernel.outputs[0]))
    cells = (
        name,
        robot.size,
        f"{entries:,}",
        f"{len(kernel.tape):,}",
        *compare_cells(times, BATCH, verdicts[0] if verdicts else None),
        nanoseconds(times["ours_out"], BATCH),
        f"{times.ratio('theirs', 'ours_out'):.1f}",
        nanoseconds(times["bare"], BATCH),
        nanoseconds(times["ours_new"], BATCH),
        f"{8 * entries * BATCH / times['ours'] / 1e9:.1f}",
        f"{worst:.0e}",
    )
    return [Row(cells, verdicts)]


# ------------------------------------------------------------------ parameters as an argument


def forces_of_other_robots(robot: Case, samples: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """tau by Pinocchio, sample by sample with the bodies' inertias times scales (samples, nb)."""
    model = robot.pin_model.copy()
    data = model.createData()
    part = [robot.pin_model.inertias[i].copy() for i in robot.map.joint_ids]
    result = []
    for index, factors in zip(samples, scales, strict=True):
        for joint, inertia, s in zip(robot.map.joint_ids, part, factors.tolist(), strict=True):
            scaled = pin.Inertia(s * inertia.mass, inertia.lever, s * inertia.inertia)
            model.inertias[joint] = scaled
        result.append(np.array(pin.rnea(model, data, *(robot.states[1][x][index] for x in "qva"))))
    return robot.map.tau_from_pinocchio(np.array(result))


def parametric_calls(robot: Case) -> tuple[dict[str, Callable[[], Any]], float]:
    """Return the timed calls on the batch, and the difference of their results."""
    constant, function = robot.robot.inverse_dynamics, robot.robot.parametric.inverse_dynamics
    arguments = [robot.states[0][x] for x in "qva"]
    shared = robot.robot.model.parameters
    rng = np.random.default_rng(9)
    scales = rng.uniform(0.5, 1.5, (robot.batch, robot.robot.nb))
    each = scales[..., None] * shared
    calls: dict[str, Callable[[], Any]] = {
        "constant": lambda: constant(*arguments),
        "shared": lambda: function(*arguments, shared),
        "each": lambda: function(*arguments, each),
    }
    parallel = peers.parallel(robot, "inverse_dynamics")
    assert parallel is not None
    reference = peers.as_ours(robot, "inverse_dynamics", parallel())
    what = f"{robot.name} inverse_dynamics"
    worst = max(
        compare(what, calls["constant"](), reference),
        compare(f"{what}, parameters shared", calls["shared"](), reference),
    )
    some = np.linspace(0, robot.batch - 1, min(CHECKED, robot.batch)).astype(int)
    expected = forces_of_other_robots(robot, some, scales[some])
    result = calls["each"]()[some]
    return calls, max(worst, compare(f"{what}, parameters per sample", result, expected))


def _parametric(name: str, options: Options) -> list[Row]:
    robot = case(name)
    calls, worst = parametric_calls(robot)
    times = time_interleaved(calls, options.effort)
    verdicts = []
    if name in (*SMALL, *LARGE):
        for key, label in (("shared", "shared"), ("each", "per sample")):
            what = f"parametric.inverse_dynamics over inverse_dynamics, pi {label}, {name}"
            verdicts.append(Verdict(what, times.ratio(key, "constant"), PARAMETRIC, False))
    kernels = (robot.robot.inverse_dynamics.kernel, robot.robot.parametric.inverse_dynamics.kernel)
    cells = (
        name,
        robot.size,
        *(f"{len(kernel.tape):,}" for kernel in kernels),
        nanoseconds(times["constant"], BATCH),
        *_ratio_cells(times, "shared", verdicts[:1]),
        *_ratio_cells(times, "each", verdicts[1:]),
        f"{worst:.0e}",
    )
    return [Row(cells, verdicts)]


def _ratio_cells(times: Times, key: str, verdicts: list[Verdict]) -> tuple[str, ...]:
    low, high = times.quartiles(key, "constant")
    return (
        nanoseconds(times[key], BATCH),
        f"{times.ratio(key, 'constant'):.2f}",
        f"{low:.2f}–{high:.2f}",
        verdicts[0].bound_text if verdicts else "",
        verdicts[0].mark if verdicts else "",
    )
