"""Section 2: one sample per call, from Python, with our output array reused."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pinocchio as pin

from benchmarks import peers
from benchmarks.measure import compare, statement_timer, time_interleaved
from benchmarks.report import Options, Row, Table, Verdict, nanoseconds
from benchmarks.robots import Case, case
from benchmarks.sections.batch import LARGE, SMALL

#: Our time over Pinocchio's: small arms, humanoids, and inverse dynamics of some robots.
TARGETS = (1.0, 0.8)
INVERSE_DYNAMICS_TARGETS = {"ur5": 0.45, "panda": 0.40, "g1": 0.30}

COLUMNS = (
    "robot",
    "quantity",
    "nv",
    "jounce, out=",
    "jounce",
    "Pinocchio",
    "time ratio",
    "quartiles",
    "target",
    "met",
)

NOTE = (
    "ns per call on 1-d arrays. The ratio is the time of `robot.quantity(..., out=out)` over that"
    " of `pinocchio.rnea`, `aba` or `crba` with `model` and `data` at hand; below 1 we are faster."
)


def tables(options: Options) -> list[Table]:
    """Return the table of all robots."""
    jobs = [
        (f"single {quantity} {name}", partial(_rows, name, quantity, options))
        for name in options.robots
        for quantity in peers.SINGLE
    ]
    return [Table("Single calls", NOTE, COLUMNS, jobs)]


def _rows(name: str, quantity: str, options: Options) -> list[Row]:
    robot, peer = case(name), peers.PEERS[quantity]
    ours = [x[0].copy() for x in peers.our_arguments(robot, quantity)]
    theirs = [robot.states[1][x][0].copy() for x in peer.arguments]
    f, g = getattr(robot.robot, quantity), getattr(pin, peer.function)
    out = np.empty_like(f(*ours))
    arguments = f(*ours, out=out)
    reference = peers.as_ours(
        robot, quantity, np.array(g(robot.pin_model, robot.pin_data, *theirs))
    )
    compare(f"single {name} {quantity}", arguments, reference, batched=False)

    goal = TARGETS[0] if name in SMALL else TARGETS[1] if name in LARGE else None
    if quantity == "inverse_dynamics":
        goal = INVERSE_DYNAMICS_TARGETS.get(name, goal)
    title = f"single {quantity} {name}"
    peer = (g, theirs, ("model", "data"))
    return [timed_row(robot, quantity, title, goal, (f, ours, out), peer, options)]


def timed_row(
    robot: Case,
    quantity: str,
    title: str,
    goal: float | None,
    ours: tuple[Any, Sequence[np.ndarray], Any],
    theirs: tuple[Any, Sequence[np.ndarray], Sequence[str]],
    options: Options,
) -> Row:
    """A row of COLUMNS: our call (function, arguments, out) compared with theirs, on one sample.

    theirs: function, arguments, and which of model and data come before them.
    """
    f, xs, out = ours
    g, ys, leading = theirs
    names = {"f": f, "g": g, "model": robot.pin_model, "data": robot.pin_data, "out": out}
    for letter, values in (("x", xs), ("y", ys)):
        names |= {f"{letter}{k}": value for k, value in enumerate(values)}
    x, y = (", ".join(name for name in names if name[0] == letter) for letter in "xy")
    candidates = {
        "ours": statement_timer(f"f({x}, out=out)", names),
        "allocating": statement_timer(f"f({x})", names),
        "theirs": statement_timer(f"g({', '.join(leading)}, {y})", names),
    }
    times = time_interleaved(candidates, options.effort)
    ratio = times.ratio("ours", "theirs")
    low, high = times.quartiles("ours", "theirs")
    verdicts = [] if goal is None else [Verdict(title, ratio, goal, at_least=False)]
    cells = (
        robot.name,
        quantity,
        robot.size,
        nanoseconds(times["ours"]),
        nanoseconds(times["allocating"]),
        nanoseconds(times["theirs"]),
        f"{ratio:.2f}",
        f"{low:.2f}–{high:.2f}",
        verdicts[0].bound_text if verdicts else "",
        verdicts[0].mark if verdicts else "",
    )
    return Row(cells, verdicts)
