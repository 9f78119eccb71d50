"""Jacobian-vector and vector-Jacobian products, compared with Jacobians and Pinocchio."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pinocchio as pin

from benchmarks import oracles
from benchmarks.measure import Effort, compare, time_interleaved
from benchmarks.report import Options, Row, Table, Verdict, nanoseconds
from benchmarks.robots import BATCH, Case, case
from benchmarks.sections.batch import LARGE, SMALL
from benchmarks.sections.state import TOLERANCES

#: Time and operations of a pullback over those of the value.
TIME, OPERATIONS = 3.2, {"inverse_dynamics": 2.4, "forward_dynamics": 2.6, "mass_matrix": 2.5}
#: Speed of g1's pullback over Pinocchio's derivatives followed by the product.
PINOCCHIO = {("g1", "inverse_dynamics"): 30.0}

NOTE = (
    "ns per sample on a batch of {batch}, into arrays that are used again. `jvp`: the directional"
    " derivative along tangents of all arguments; `vjp`: gradients of the weighted result in all"
    " arguments. Operations are those of value, jvp and vjp. `Jacobians`: "
)
PAIRED = (
    "`derivatives`, the value with them. Pinocchio: a Python loop of `{function}` over rows cut"
    " beforehand and the products of the weights with its matrices, stored; gradients are compared"
    " with the products of its matrices before timing to {tolerance:.0e}."
)
ALONE = "`dq`, with which the gradient is compared before timing; Pinocchio has none."
COLUMNS = (
    "robot",
    "nv",
    "operations",
    "vjp / value",
    "value",
    "jvp",
    "vjp",
    "vjp / value, ns",
    "met",
    "Jacobians",
    "Pinocchio",
    "Pinocchio / vjp",
    "met",
    "difference",
)


def tables(options: Options) -> list[Table]:
    """A table per quantity."""
    out = []
    for name in OPERATIONS:
        jobs = [
            (f"pullbacks {name} {robot}", partial(_rows, robot, name, options))
            for robot in options.robots
        ]
        peer = oracles.DERIVATIVES.get(name)
        compared = ALONE
        if peer is not None:
            compared = PAIRED.format(function=peer[0], tolerance=TOLERANCES[name])
        note = NOTE.format(batch=BATCH) + compared
        out.append(Table(f"Pullbacks: {name}", note, COLUMNS, jobs))
    return out


def _weights(robot: Case, name: str) -> np.ndarray:
    shape = getattr(robot.robot, name).kernel.outputs[0]
    return np.random.default_rng(5).normal(size=(BATCH, *shape))


def _into(function: Any, arguments: list[np.ndarray]) -> Callable[[], Any]:
    """A call into arrays that are used again."""
    out = tuple(np.empty((BATCH, *shape)) for shape in function.kernel.outputs)
    values: Any = out if len(out) > 1 or function.definition.parts else out[0]
    return lambda: function(*arguments, out=values)


def _pinocchio_loop(robot: Case, name: str) -> Callable[[], Any]:
    """Derivatives, and the products of weights with them, row after row."""
    function_name, arguments, _ = oracles.DERIVATIVES[name]
    function: Any = getattr(pin, function_name)
    model, data = robot.pin_model, robot.pin_data
    rows = list(zip(*(robot.states[1][x] for x in arguments), strict=True))
    lam = np.random.default_rng(5).normal(size=(BATCH, model.nv))
    out = np.empty((3, BATCH, model.nv))

    def run() -> np.ndarray:
        for i, row in enumerate(rows):
            dq, dv, dx = function(model, data, *row)
            out[0, i], out[1, i], out[2, i] = lam[i] @ dq, lam[i] @ dv, lam[i] @ dx
        return out

    return run


def _difference(robot: Case, name: str, arguments: list[np.ndarray], lam: np.ndarray) -> float:
    """Of the gradients from Pinocchio's matrices, or our own Jacobians where it has none."""
    quantity = getattr(robot.robot, name)
    if name in oracles.DERIVATIVES:
        result = oracles.derivative_loop(robot, name, True)()
        matrices = oracles.derivatives_as_ours(robot, name, result)[1:]
    else:
        matrices = [quantity.dq(*arguments).reshape(BATCH, lam[0].size, -1)]
    truth = [np.einsum("bi,bij->bj", lam.reshape(BATCH, -1), x) for x in matrices]
    ours = quantity.vjp(*arguments, lam)
    tolerance = TOLERANCES.get(name, 1e-10)
    pairs = zip(ours, truth, strict=True)
    return max(compare(f"{robot.name} {name}.vjp", x, y, tolerance) for x, y in pairs)


def _rows(robot_name: str, name: str, options: Options) -> list[Row]:
    robot = case(robot_name)
    quantity = getattr(robot.robot, name)
    arguments = [robot.states[0][x] for x in quantity.kernel.arguments]
    rng, lam = np.random.default_rng(6), _weights(robot, name)
    tangents = [rng.normal(size=(BATCH, robot.robot.nv)) for _ in arguments]
    worst = _difference(robot, name, arguments, lam)
    paired = name in oracles.DERIVATIVES
    calls = {
        "value": _into(quantity, arguments),
        "jvp": _into(quantity.jvp, [*arguments, *tangents]),
        "vjp": _into(quantity.vjp, [*arguments, lam]),
        "jacobians": _into(quantity.derivatives if paired else quantity.dq, arguments),
    }
    if paired:
        calls["theirs"] = _pinocchio_loop(robot, name)
    times = time_interleaved(
        calls, Effort(max(options.effort.rounds // 2, 3), options.effort.seconds)
    )
    counts = [len(x.kernel.tape) for x in (quantity, quantity.jvp, quantity.vjp)]
    share, ratio = times.ratio("vjp", "value"), counts[2] / counts[0]
    verdicts = []
    if robot_name in (*SMALL, *LARGE):
        verdicts.append(Verdict(f"{name}.vjp over value, {robot_name}", share, TIME, False))
        what = f"operations of {name}.vjp over value, {robot_name}"
        verdicts.append(Verdict(what, ratio, OPERATIONS[name], False))
    mark = verdicts[0].mark if verdicts else ""
    against = Verdict("", 0.0, 0.0, True)
    speed = times.ratio("theirs", "vjp") if paired else 0.0
    if (robot_name, name) in PINOCCHIO:
        goal = PINOCCHIO[robot_name, name]
        against = Verdict(f"{name}.vjp compared with Pinocchio, {robot_name}", speed, goal, True)
        verdicts.append(against)
    cells = (
        robot_name,
        robot.size,
        " / ".join(f"{count:,}" for count in counts),
        f"{ratio:.2f}",
        *(nanoseconds(times[x], BATCH) for x in ("value", "jvp", "vjp")),
        f"{share:.2f}",
        mark,
        nanoseconds(times["jacobians"], BATCH),
        nanoseconds(times["theirs"], BATCH) if paired else "",
        f"{speed:.0f}" if paired else "",
        against.mark if against.what else "",
        f"{worst:.0e}",
    )
    return [Row(cells, verdicts)]
