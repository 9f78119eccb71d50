"""Section 2b: overhead of a call: lookups, argument names, several results."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pinocchio as pin

from benchmarks import oracles
from benchmarks.measure import compare, statement_timer, time_interleaved
from benchmarks.report import Options, Row, Table, Verdict, nanoseconds
from benchmarks.robots import Case, case
from benchmarks.sections.state import check

#: Time of each call over that of its peer.
LOOKUP, NAMED, SEVERAL, ELASTIC = 1.15, 1.5, 0.35, 1.5

COLUMNS = (
    "robot",
    "call",
    "ns",
    "compared with",
    "ns ",
    "time ratio",
    "quartiles",
    "target",
    "met",
)

NOTE = (
    "ns per call on 1-d arrays, each call and its equivalent in the same run, results compared"
    " first: a derivative looked up at every call, and bound to a name; wrenches given by name, and"
    " by position; motors of elastic drives, and the forces and rates they are computed from; value"
    " and three derivatives written to given arrays, and Pinocchio's."
)

_DQ = "robot.inverse_dynamics.dq(q, v, a)"
_WRENCHES = "f(q, v, a, wrenches=w)"
_ELASTIC = "e(q, v, a, j, s, K, damping=d, motor_inertia=J)"
_SEVERAL = "f.derivatives(q, v, a, out=out)"


def tables(options: Options) -> list[Table]:
    """Return the table of all robots."""
    jobs = [(f"calls {name}", partial(_rows, name, options)) for name in options.robots]
    return [Table("Calls", NOTE, COLUMNS, jobs)]


def _rows(name: str, options: Options) -> list[Row]:
    robot = case(name)
    q, v, a = (robot.states[0][x][0].copy() for x in "qva")
    w = np.random.default_rng(0).normal(size=(robot.robot.nb, 6))
    f = robot.robot.inverse_dynamics
    names = {"robot": robot.robot, "f": f, "g": f.dq, "q": q, "v": v, "a": a, "w": w}
    compare(f"{name} {_DQ}", f.dq(q, v, a), f.derivatives(q, v, a)[1], batched=False)
    push = f(q, v, a) - robot.robot.external_forces(q, w)
    for result in (f(q, v, a, w), f(q, v, a, wrenches=w)):
        compare(f"{name} {_WRENCHES}", result, push, batched=False)
    return [
        _row(robot, _DQ, "g(q, v, a)", LOOKUP, names, options),
        _row(robot, _WRENCHES, "f(q, v, a, w)", NAMED, names, options),
        _elastic(robot, names, options),
        _several(robot, names, options),
    ]


def _elastic(robot: Case, names: dict[str, Any], options: Options) -> Row:
    """Elastic drives of all joints that can have one, compared with NumPy on their forces."""
    e, r = robot.robot.elastic_inverse_dynamics, robot.robot.inverse_dynamics.rates(2)
    j, s = np.random.default_rng(1).normal(size=(2, robot.robot.nv))
    driven = e.drives.driven
    K, d, J = np.where(driven, 1e4, np.inf), np.where(driven, 2.0, 0.0), np.where(driven, 0.5, 0.0)
    names = names | {"e": e, "r": r, "j": j, "s": s, "K": K, "d": d, "J": J}
    state = (names["q"], names["v"], names["a"], j, s)
    tau, rate, second = r(*state)
    torque = J * (state[2] + second / K) + d * (state[1] + rate / K) + tau
    result = e(*state, K, damping=d, motor_inertia=J).motor_torque
    compare(f"{robot.name} {_ELASTIC}", result, torque, batched=False)
    return _row(robot, _ELASTIC, "r(q, v, a, j, s)", ELASTIC, names, options)


def _several(robot: Case, names: dict[str, Any], options: Options) -> Row:
    function, arguments, attribute = oracles.DERIVATIVES["inverse_dynamics"]
    ours = robot.robot.inverse_dynamics.derivatives
    theirs = [robot.states[1][x][0].copy() for x in arguments]
    out = tuple(np.empty(shape) for shape in ours.kernel.outputs)
    matrices = getattr(pin, function)(robot.pin_model, robot.pin_data, *theirs)
    result = [np.array(getattr(robot.pin_data, attribute)), *map(np.array, matrices)]
    reference = oracles.derivatives_as_ours(robot, "inverse_dynamics", result)
    results = ours(names["q"], names["v"], names["a"], out=out)
    check("inverse_dynamics", f"{robot.name} {_SEVERAL}", results, reference, batched=False)
    names = names | {"h": ours, "out": out, "pin": getattr(pin, function)}
    names |= {"model": robot.pin_model, "data": robot.pin_data}
    names |= dict(zip(("x", "y", "z"), theirs, strict=True))
    goal = SEVERAL if robot.name == "ur5" else None
    statements = "h(q, v, a, out=out)", "pin(model, data, x, y, z)"
    return _row(robot, statements[0], statements[1], goal, names, options, (_SEVERAL, function))


def _row(
    robot: Case,
    ours: str,
    peer: str,
    goal: float | None,
    names: dict[str, Any],
    options: Options,
    shown: tuple[str, str] | None = None,
) -> Row:
    timers = {"ours": statement_timer(ours, names), "peer": statement_timer(peer, names)}
    times = time_interleaved(timers, options.effort)
    ratio, (low, high) = times.ratio("ours", "peer"), times.quartiles("ours", "peer")
    ours, peer = shown or (ours, peer)
    verdicts = []
    if goal is not None:
        verdicts.append(Verdict(f"{ours} {robot.name}", ratio, goal, at_least=False))
    cells = (
        robot.name,
        f"`{ours}`",
        nanoseconds(times["ours"]),
        f"`{peer}`",
        nanoseconds(times["peer"]),
        f"{ratio:.2f}",
        f"{low:.2f}–{high:.2f}",
        verdicts[0].bound_text if verdicts else "",
        verdicts[0].mark if verdicts else "",
    )
    return Row(cells, verdicts)
