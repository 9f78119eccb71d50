"""Section: controllers beside the same laws on Pinocchio from Python, and as C on a Cortex-M4."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin

import jounce
from benchmarks.measure import compare, statement_timer, time_interleaved
from benchmarks.report import Options, Row, Table, Verdict, nanoseconds
from benchmarks.robots import path
from jounce import control

#: Microseconds of a single call.
TARGETS = {"computed_torque": 2.0, "slotine_li": 2.5, "feedback_linearization": 6.0}

#: Samples of a batch.
BATCH = 10_000

#: Step in s of the differences that take the place of second time derivatives in Pinocchio.
STEP = 1e-4

#: Tolerance of these differences.
DIFFERENCES = 1e-6

KP, KD, LAM, BANDWIDTH = 100.0, 20.0, 5.0, 10.0
STIFFNESS, INERTIA, FRICTION = 3e3, 0.5, 1.0

COLUMNS = ("law", "operations", "jounce", "kernel", "Pinocchio", "times faster", "target", "met")

NOTE = (
    "ns per call, panda with locked fingers (nv = 7), one sample, from Python. `jounce`: the call"
    " of the controller; `kernel`: its function with flat arguments. `Pinocchio`: the same law in"
    " Python on `rnea`, `crba`, `computeCoriolisMatrix`, `aba` and `computeRNEADerivatives`, with"
    " `model` and `data` at hand. Results are compared before anything is timed: to 1e-10, feedback"
    f" linearization to {DIFFERENCES:g}, because Pinocchio has no second time derivatives and the"
    " law there takes differences along the motion."
)

BATCH_COLUMNS = ("law", "jounce", "Pinocchio", "times faster")

BATCH_NOTE = (
    f"ns per sample of {BATCH:,} samples: one call of the controller on one thread, and a Python"
    " loop of the law on Pinocchio."
)

CORTEX_COLUMNS = (
    "law",
    "operations",
    "sum",
    "product",
    "other",
    "float: code",
    "stack",
    "double: code",
    "stack ",
    "functions",
)

CORTEX_NOTE = (
    "Exported C for panda with locked fingers, `arm-none-eabi-gcc -std=c99 -O2 -mcpu=cortex-m4"
    " -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16`. Operations of one call, and of these sums,"
    " products and others (sines, roots, divisions); bytes of code with constants (text of the"
    " object file) and of stack, in float and double; functions of the C library in float. The"
    " code has no loops and no branches, so that operations bound the time of a call."
)

_FLAGS = "-std=c99 -O2 -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -fstack-usage"


@dataclass(frozen=True)
class Panda:
    """The arm of panda in both libraries."""

    robot: jounce.Robot
    model: Any
    data: Any


@cache
def panda() -> Panda:
    """Return panda with locked fingers."""
    fingers = {f"panda_finger_joint{k}": 0.0 for k in (1, 2)}
    file = str(path("panda"))
    full = pin.buildModelFromUrdf(file)
    locked = [full.getJointId(name) for name in fingers]
    model = pin.buildReducedModel(full, locked, pin.neutral(full))
    robot = jounce.load(file).edit.lock({"panda_finger_joint1": 0.0})
    return Panda(robot, model, model.createData())


# ------------------------------------------------------------------ the laws on Pinocchio


def _computed_torque(model: Any, data: Any, measurement: Any, reference: Any) -> np.ndarray:
    (q, v), (q_d, v_d, a_d) = measurement, reference
    return pin.rnea(model, data, q, v, a_d + KD * (v_d - v) + KP * (q_d - q))


def _slotine_li(model: Any, data: Any, measurement: Any, reference: Any) -> np.ndarray:
    (q, v), (q_d, v_d, a_d) = measurement, reference
    v_r, a_r = v_d + LAM * (q_d - q), a_d + LAM * (v_d - v)
    M, C = pin.crba(model, data, q), pin.computeCoriolisMatrix(model, data, q, v)
    g = pin.computeGeneralizedGravity(model, data, q)
    return M @ a_r + C @ v_r + g + KD * (v_r - v)


def _rate(model: Any, data: Any, *motion: np.ndarray) -> np.ndarray:
    """Return dtau/dt for q, v, a and j."""
    q, v, a, j = motion
    by_q, by_v, M = pin.computeRNEADerivatives(model, data, q, v, a)
    return by_q @ v + by_v @ a + M @ j


def _feedback_linearization(model: Any, data: Any, measurement: Any, reference: Any) -> np.ndarray:
    (q, v, theta, dtheta), (q_d, v_d, a_d, j_d, s_d) = measurement, reference
    tau, dtau = STIFFNESS * (theta - q), STIFFNESS * (dtheta - v)
    a = pin.aba(model, data, q, v, tau)
    by_q, by_v, M = pin.computeRNEADerivatives(model, data, q, v, a)
    j = np.linalg.solve(M, dtau - by_q @ v - by_v @ a)
    w = BANDWIDTH
    s = s_d + 4 * w * (j_d - j) + 6 * w**2 * (a_d - a) + 4 * w**3 * (v_d - v) + w**4 * (q_d - q)
    rates = [
        _rate(
            model,
            data,
            q + h * (v + h / 2 * (a + h / 3 * (j + h / 4 * s))),
            v + h * (a + h / 2 * (j + h / 3 * s)),
            a + h * (j + h / 2 * s),
            j + h * s,
        )
        for h in (STEP, -STEP)
    ]
    ddtau = (rates[0] - rates[1]) / (2.0 * STEP)
    return INERTIA * (a + ddtau / STIFFNESS) + FRICTION * dtheta + tau


LAWS: dict[str, tuple[Callable[[jounce.Robot], control.Controller], Callable[..., np.ndarray]]] = {
    "computed_torque": (lambda robot: control.computed_torque(robot, KP, KD), _computed_torque),
    "slotine_li": (lambda robot: control.slotine_li(robot, KD, LAM), _slotine_li),
    "feedback_linearization": (
        lambda robot: control.feedback_linearization(
            robot, STIFFNESS, INERTIA, BANDWIDTH, damping=FRICTION
        ),
        _feedback_linearization,
    ),
}


@cache
def _controller(law: str) -> control.Controller:
    return LAWS[law][0](panda().robot)


def _samples(law: str, count: int) -> tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]]:
    """Return measurements and references of an arm near its reference motion."""
    robot, rng = panda().robot, np.random.default_rng(2024)
    q = robot.random(rng, count)
    v, a, j, e, v_d, a_d, j_d, s_d = rng.standard_normal((8, count, robot.nv))
    tau, dtau = robot.inverse_dynamics.rates(1)(q, v, a, j)  # of the springs
    measurement = q, v, q + tau / STIFFNESS, v + dtau / STIFFNESS
    reference = q + 0.1 * e, v_d, a_d, j_d, s_d
    groups = _controller(law).arguments
    return measurement[: len(groups["measurement"])], reference[: len(groups["reference"])]


def _loop(law: str, measurement: Any, reference: Any) -> np.ndarray:
    """Return the commands of a batch by the law on Pinocchio."""
    arm, function = panda(), LAWS[law][1]
    rows = zip(zip(*measurement, strict=True), zip(*reference, strict=True), strict=True)
    return np.array([function(arm.model, arm.data, *row) for row in rows])


def _compare(law: str, measurement: Any, reference: Any) -> None:
    ours, _ = _controller(law)((), measurement, reference)
    tolerance = DIFFERENCES if law == "feedback_linearization" else 1e-10
    compare(f"control {law}", ours, _loop(law, measurement, reference), tolerance=tolerance)


# ------------------------------------------------------------------ tables


def tables(options: Options) -> list[Table]:
    """Return the tables of single calls, batches and, with a cross compiler, of Cortex-M4."""
    if "panda" not in options.robots:
        return []
    single = [(f"control {law}", partial(_single, law, options)) for law in LAWS]
    batch = [(f"control, batch {law}", partial(_batch, law, options)) for law in LAWS]
    out = [
        Table("Control: single calls", NOTE, COLUMNS, single),
        Table(f"Control: batches of {BATCH:,}", BATCH_NOTE, BATCH_COLUMNS, batch),
    ]
    if shutil.which("arm-none-eabi-gcc"):
        jobs = [(f"control, Cortex-M4 {law}", partial(_cortex, law)) for law in LAWS]
        out.append(Table("Control: Cortex-M4", CORTEX_NOTE, CORTEX_COLUMNS, jobs))
    return out


def _single(law: str, options: Options) -> list[Row]:
    _compare(law, *_samples(law, 100))
    measurement, reference = (tuple(x[0].copy() for x in group) for group in _samples(law, 1))
    controller, arm = _controller(law), panda()
    names = {
        "controller": controller,
        "function": controller.function,
        "arguments": (*measurement, *reference, *controller.gains.values()),
        "measurement": measurement,
        "reference": reference,
        "law": LAWS[law][1],
        "model": arm.model,
        "data": arm.data,
        "state": (),
    }
    timers = {
        "ours": statement_timer("controller(state, measurement, reference)", names),
        "kernel": statement_timer("function(*arguments)", names),
        "peer": statement_timer("law(model, data, measurement, reference)", names),
    }
    times = time_interleaved(timers, options.effort)
    verdict = Verdict(
        f"control {law}", times["ours"] * 1e6, TARGETS[law], at_least=False, unit=" us"
    )
    cells = (
        law,
        f"{controller.function.cost.operations:,}",
        *(nanoseconds(times[key]) for key in timers),
        f"{times.ratio('peer', 'ours'):.1f}",
        verdict.bound_text,
        verdict.mark,
    )
    return [Row(cells, [verdict])]


def _batch(law: str, options: Options) -> list[Row]:
    groups = _samples(law, BATCH)
    _compare(law, *groups)
    controller = _controller(law)
    calls = {"ours": lambda: controller((), *groups), "peer": lambda: _loop(law, *groups)}
    times = time_interleaved(calls, options.effort)
    cells = (law, *(nanoseconds(times[key] / BATCH) for key in calls))
    return [Row((*cells, f"{times.ratio('peer', 'ours'):.0f}"))]


def _cortex(law: str) -> list[Row]:
    controller = _controller(law)
    tape = controller.function.kernel.tape
    counts = tape.counts()
    sums = sum(counts.get(name, 0) for name in ("add", "sub"))
    products = counts.get("mul", 0)
    single, double = (_compile(controller, dtype) for dtype in (np.float32, np.float64))
    cells = (
        law,
        f"{len(tape):,}",
        f"{sums:,}",
        f"{products:,}",
        f"{len(tape) - sums - products:,}",
        *(f"{x:,}" for size in (single, double) for x in (size.text, size.stack)),
        single.functions,
    )
    return [Row(cells)]


@dataclass(frozen=True)
class ObjectFile:
    """Sizes of an object file in bytes, and the functions that it needs of the C library."""

    text: int
    stack: int
    functions: str


def _compile(controller: control.Controller, dtype: Any) -> ObjectFile:
    """Return the sizes of the exported law, compiled for a Cortex-M4."""
    with tempfile.TemporaryDirectory() as folder:
        controller.export.c(folder, controller.call, name="law", dtype=dtype)
        compiler = ["arm-none-eabi-gcc", *_FLAGS.split(), "-c", "law.c"]
        subprocess.run(compiler, cwd=folder, check=True)
        sizes, symbols = (
            subprocess.run(
                [f"arm-none-eabi-{tool}", "law.o"], cwd=folder, check=True, capture_output=True
            ).stdout.decode()
            for tool in ("size", "nm")
        )
        usage = Path(folder, "law.su").read_text()
    needed = re.findall(r"^ +U (\w+)$", symbols, re.MULTILINE)
    frames = [int(line.split("\t")[1]) for line in usage.splitlines()]
    text = int(sizes.splitlines()[1].split()[0])
    return ObjectFile(text, frames[-1] + max(frames[:-1], default=0), ", ".join(needed) or "none")
