"""Section: robots on PyTorch tensors, compared with NumPy and plain PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.measure import Effort, compare, time_interleaved
from benchmarks.plain_torch import plain_newton_euler
from benchmarks.report import Options, Row, Table, Verdict, nanoseconds
from benchmarks.robots import BATCH, case

ROBOTS = ("ur5", "panda", "g1")

#: Time of a call on tensors over NumPy's; times quicker than the plain one, value and gradient.
OVER_NUMPY, QUICKER = 1.2, 20.0

#: Entries of gradients are sums of large terms; the plain one's are those of many operations.
TOLERANCE = 1e-9

OWN_NOTE = (
    "ns per sample on a batch of {batch}, float64, one thread. `torch`:"
    " `robot.torch.inverse_dynamics`, whose results are NumPy's bit by bit; `requires_grad`: the"
    " same, ready for a gradient; `gradient`: value and gradients in q, v and a for given weights,"
    " by `torch.autograd.grad`, and by NumPy's value and `.vjp`."
)
PLAIN_NOTE = (
    "ns per sample on a batch of {batch}, float64, one thread. `plain`: a Newton-Euler recursion in"
    " PyTorch, body by body on the whole batch; `gradient`: value, and gradients of the sum of"
    " squares in q, v and a, by `torch.autograd.grad`. Results are compared before, to"
    " {tolerance:.0e}."
)
OWN = ("robot", "nv", "NumPy", "torch", "ratio", "met", "requires_grad", "NumPy", "gradient")
COMPARED = ("ours", "plain", "ratio", "met")
PLAIN = ("robot", "nv", *(f"{what} {x}" for what in ("value", "gradient") for x in COMPARED))


def tables(options: Options) -> list[Table]:
    """Two tables; none without PyTorch."""
    if find_spec("torch") is None:
        return []
    robots = [name for name in options.robots if name in ROBOTS]
    effort = Effort(max(options.effort.rounds // 2, 3), options.effort.seconds)
    kinds = {
        "PyTorch": (OWN_NOTE, OWN, _own),
        "PyTorch: a plain Newton-Euler": (PLAIN_NOTE, PLAIN, _beside_plain),
    }
    return [
        Table(
            title,
            note.format(batch=BATCH, tolerance=TOLERANCE),
            columns,
            [(f"{title} {name}", partial(rows, name, effort)) for name in robots],
        )
        for title, (note, columns, rows) in kinds.items()
    ]


def _tensors(robot_name: str, learnt: bool) -> list[Any]:
    """q, v and a of a robot."""
    import torch

    torch.set_num_threads(1)
    states = case(robot_name).states[0]
    return [torch.tensor(states[x], requires_grad=learnt) for x in "qva"]


def _gradient(function: Callable[..., Any], leaves: list[Any], weights: Any = None) -> Any:
    """Gradients of a weighted sum, or of the sum of squares."""
    import torch

    result = function(*leaves)
    if weights is None:
        return torch.autograd.grad(result.square().sum(), leaves)
    return torch.autograd.grad(result, leaves, weights)


def _own(robot_name: str, effort: Effort) -> list[Row]:
    robot = case(robot_name)
    tau, numpy = robot.robot.torch.inverse_dynamics, robot.robot.inverse_dynamics
    arguments, leaves = _tensors(robot_name, False), _tensors(robot_name, True)
    values = [x.numpy() for x in arguments]
    lam = tau(*arguments)
    if not np.array_equal(lam, numpy(*values)):
        raise AssertionError(f"{robot_name}: tensors and arrays have different results")
    ours, theirs = _gradient(tau, leaves, lam), numpy.vjp(*values, lam.numpy())
    for x, y in zip(ours, theirs, strict=True):
        compare(f"{robot_name} gradient", x.numpy(), y, TOLERANCE)
    weights = lam.numpy()
    times = time_interleaved(
        {"numpy": lambda: numpy(*values), "torch": lambda: tau(*arguments)}, effort
    )
    slopes = time_interleaved(  # apart: they leave other things in the cache
        {
            "learnt": lambda: tau(*leaves),
            "vjp": lambda: (numpy(*values), numpy.vjp(*values, weights)),
            "gradient": lambda: _gradient(tau, leaves, lam),
        },
        effort,
    )
    ratio = times.ratio("torch", "numpy")
    verdict = Verdict(
        f"inverse dynamics on tensors over NumPy, {robot_name}", ratio, OVER_NUMPY, False
    )
    cells = (
        robot_name,
        str(robot.robot.nv),
        nanoseconds(times["numpy"], BATCH),
        nanoseconds(times["torch"], BATCH),
        f"{ratio:.2f}",
        verdict.mark,
        *(nanoseconds(slopes[x], BATCH) for x in ("learnt", "vjp", "gradient")),
    )
    return [Row(cells, [verdict])]


def _beside_plain(robot_name: str, effort: Effort) -> list[Row]:
    robot = case(robot_name)
    ours, plain = robot.robot.torch.inverse_dynamics, plain_newton_euler(robot.robot)
    arguments, leaves = _tensors(robot_name, False), _tensors(robot_name, True)
    compare(f"{robot_name} plain", ours(*arguments).numpy(), plain(*arguments).numpy(), TOLERANCE)
    for x, y in zip(_gradient(ours, leaves), _gradient(plain, leaves), strict=True):
        compare(f"{robot_name} gradient of plain", x.numpy(), y.numpy(), TOLERANCE)
    times = time_interleaved(
        {
            "value ours": lambda: ours(*arguments),
            "value plain": lambda: plain(*arguments),
            "gradient ours": lambda: _gradient(ours, leaves),
            "gradient plain": lambda: _gradient(plain, leaves),
        },
        effort,
    )
    cells, verdicts = [robot_name, str(robot.robot.nv)], []
    for what in ("value", "gradient"):
        ratio = times.ratio(f"{what} plain", f"{what} ours")
        verdict = Verdict(f"{what} compared with plain PyTorch, {robot_name}", ratio, QUICKER, True)
        cells += [nanoseconds(times[f"{what} {x}"], BATCH) for x in ("ours", "plain")]
        cells += [f"{ratio:.0f}", verdict.mark]
        verdicts.append(verdict)
    return [Row(cells, verdicts)]
