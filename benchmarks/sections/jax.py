"""Section: robots inside JAX, compared with NumPy, plain JAX and adam-robotics."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from importlib.util import find_spec
from typing import Any
from xml.etree import ElementTree

import numpy as np

from benchmarks.measure import Effort, Times, compare, time_interleaved
from benchmarks.plain_jax import plain_newton_euler
from benchmarks.report import Options, Row, Table, Verdict, nanoseconds
from benchmarks.robots import BATCH, Case, case, path
from jounce.robot import Robot

ROBOTS = ("ur5", "panda", "g1")

#: Time inside jit over NumPy's, and of the gradient of the sum of squares over the value.
OVER_NUMPY, OVER_VALUE = 1.2, 4.0

#: Times quicker than the others: value, gradient, and compiling both.
TARGETS = {"value": 20.0, "gradient": 50.0, "compiling": 5.0}

#: Entries of gradients are sums of large terms; the others' are differentiated operation by
#: operation.
TOLERANCE = 1e-9

CLOCK = " By the CPU clock of the process: XLA hands parts of large programs to threads of its own."
OWN_NOTE = (
    "ns per sample on a batch of {batch}, float64. `jit`: `jax.jit(robot.jax.inverse_dynamics)`, as"
    " compared with NumPy's call of the same kernel, which has the same bits; `gradient`: of the"
    " sum of squares of tau in q, v and a, by `jax.grad`. By the wall clock, all on one thread."
)
PEER_NOTE = (
    "ns per sample on a batch of {batch}, float64, all inside `jax.jit`; `gradient`: of the sum of"
    " squares in all arguments, by `jax.grad`. `compiling`: seconds to trace and compile both"
    " functions, without a cache. Results are compared before, gradients too, to {tolerance:.0e}. "
)
PLAIN_NOTE = PEER_NOTE + "`plain`: a Newton-Euler recursion in jax.numpy, under `jax.vmap`." + CLOCK
ADAM_NOTE = (
    PEER_NOTE
    + "`adam`: `bias_force` of adam-robotics for JAX under `jax.vmap`, of which the forces"
    " of the base are left away; it has no inverse dynamics with accelerations." + CLOCK
)
OWN = ("robot", "nv", "NumPy", "jit", "ratio", "met", "gradient", "over value", "met")
PEER = tuple(f"{what} {name}" for what in TARGETS for name in ("ours", "theirs", "ratio", "met"))


def tables(options: Options) -> list[Table]:
    """Three tables; none without JAX, and none of adam-robotics without that."""
    if find_spec("jax") is None:
        return []
    robots = [name for name in options.robots if name in ROBOTS]
    effort = Effort(max(options.effort.rounds // 3, 3), options.effort.seconds)
    sizes = {"batch": BATCH, "tolerance": TOLERANCE}
    kinds = {
        "JAX": (OWN_NOTE, OWN, _own),
        "JAX: a plain Newton-Euler": (PLAIN_NOTE, ("robot", "nv", *PEER), _beside_plain),
    }
    if find_spec("adam") is not None:
        kinds["JAX: adam-robotics"] = (ADAM_NOTE, ("robot", "nv", *PEER), _beside_adam)
    return [
        Table(
            title,
            note.format(**sizes),
            columns,
            [(f"{title} {name}", partial(rows, name, effort)) for name in robots],
        )
        for title, (note, columns, rows) in kinds.items()
    ]


# ------------------------------------------------------------------ functions to compare


@cache
def _jax() -> Any:
    """JAX in float64, on as few threads as it can, which must be said before its first use."""
    flags = os.environ.get("XLA_FLAGS", "")
    os.environ["XLA_FLAGS"] = f"{flags} --xla_cpu_multi_thread_eigen=false".strip()
    import jax

    jax.config.update("jax_cpu_enable_async_dispatch", False)
    jax.config.update("jax_enable_x64", True)
    return jax


def _gradient(function: Callable[..., Any], count: int) -> Callable[..., Any]:
    """Of the sum of squares in all arguments."""
    squares = lambda *x: (function(*x) ** 2).sum()  # noqa: E731
    return _jax().grad(squares, tuple(range(count)))


def _compile(function: Callable[..., Any], given: list[Any]) -> dict[str, Any]:
    """The function and its gradient, and the seconds that compiling took."""
    jax, start = _jax(), time.process_time()
    made = {
        name: jax.jit(f).lower(*given).compile()
        for name, f in {"value": function, "gradient": _gradient(function, len(given))}.items()
    }
    return {**made, "compiling": time.process_time() - start}


def _call(function: Callable[..., Any], given: list[Any]) -> Callable[[], Any]:
    ready = _jax().block_until_ready
    return lambda: ready(function(*given))


def _with_origins(name: str) -> str:
    """The text of a URDF in which every joint says where it is, as adam-robotics needs it."""
    root = ElementTree.parse(path(name)).getroot()
    for joint in root.iter("joint"):
        if joint.find("origin") is None:
            ElementTree.SubElement(joint, "origin", xyz="0 0 0", rpy="0 0 0")
    return ElementTree.tostring(root, encoding="unicode")


def adam_bias_forces(robot: Case) -> Callable[..., Any]:
    """The same bias forces by adam-robotics, of one sample."""
    from adam.jax.computations import KinDynComputations

    gravity = np.concatenate((robot.robot.model.gravity, np.zeros(3)))
    names = list(robot.pin_model.names)[1:]
    theirs = KinDynComputations(_with_origins(robot.name), names, gravity=gravity)
    theirs.rbdalgos.math.factory._device = None  # which tracers of newer JAX do not have
    gains = robot.map.v_to_pinocchio(np.eye(robot.robot.nv))
    offsets = robot.map.q_to_pinocchio(np.zeros((1, robot.robot.nq)))[0]
    base, still = np.eye(4), np.zeros(6)

    def forces(q: Any, v: Any) -> Any:
        return gains @ theirs.bias_force(base, q @ gains + offsets, still, v @ gains)[6:]

    return forces


# ------------------------------------------------------------------ rows


def _fresh(name: str, peer: str) -> Robot:
    """The robot without any kernel, and of a name that no kernel was compiled for."""
    return Robot(replace(case(name).robot.model, name=f"{name} compared with {peer}"))


def _arguments(robot: Case, names: str) -> list[Any]:
    return [_jax().numpy.asarray(robot.states[0][x]) for x in names]


def _own(name: str, effort: Effort) -> list[Row]:
    robot = case(name)
    arguments, quantity = _arguments(robot, "qva"), robot.robot.inverse_dynamics
    states = [np.asarray(x) for x in arguments]
    made = _compile(robot.robot.jax.inverse_dynamics, arguments)
    truth = quantity(*states)
    compare(f"{name} inside jit", np.asarray(made["value"](*arguments)), truth, 0.0)
    pulled = quantity.vjp(*states, 2.0 * truth)
    for result, expected in zip(made["gradient"](*arguments), pulled, strict=True):
        compare(f"{name} gradient", np.asarray(result), expected)
    calls = {
        "numpy": lambda: quantity(*states),
        "value": _call(made["value"], arguments),
        "gradient": _call(made["gradient"], arguments),
    }
    times = time_interleaved(calls, effort, time.perf_counter)
    inside = Verdict(f"{name} inside jit", times.ratio("value", "numpy"), OVER_NUMPY, False)
    share = Verdict(f"{name} gradient", times.ratio("gradient", "value"), OVER_VALUE, False)
    cells = (
        name,
        str(robot.robot.nv),
        nanoseconds(times["numpy"], BATCH),
        nanoseconds(times["value"], BATCH),
        f"{inside.value:.2f}",
        inside.mark,
        nanoseconds(times["gradient"], BATCH),
        f"{share.value:.2f}",
        share.mark,
    )
    return [Row(cells, [inside, share])]


def _beside_plain(name: str, effort: Effort) -> list[Row]:
    theirs = _jax().vmap(plain_newton_euler(case(name).robot))
    ours = _fresh(name, "plain").jax.inverse_dynamics
    return _beside(name, "plain", ours, theirs, _arguments(case(name), "qva"), effort)


def _beside_adam(name: str, effort: Effort) -> list[Row]:
    try:
        theirs = _jax().vmap(adam_bias_forces(case(name)))
    except (TypeError, AttributeError) as error:  # what it raises on files it cannot read
        cells = (name, str(case(name).robot.nv), f"{type(error).__name__} in adam")
        return [Row((*cells, *("",) * (len(PEER) - 1)))]
    ours = _fresh(name, "adam").jax.bias_forces
    return _beside(name, "adam", ours, theirs, _arguments(case(name), "qv"), effort)


def _beside(
    name: str,
    peer: str,
    ours: Callable[..., Any],
    theirs: Callable[..., Any],
    given: list[Any],
    effort: Effort,
) -> list[Row]:
    mine, other = _compile(ours, given), _compile(theirs, given)
    result, expected = ([x["value"](*given), *x["gradient"](*given)] for x in (mine, other))
    for x, y in zip(result, expected, strict=True):
        compare(f"{name} and {peer}", np.asarray(x), np.asarray(y), TOLERANCE)
    calls = {
        f"{what} {whose}": _call(functions[what], given)
        for what in ("value", "gradient")
        for whose, functions in (("ours", mine), ("theirs", other))
    }
    times = time_interleaved(calls, effort, time.process_time)
    seconds = {"ours": mine["compiling"], "theirs": other["compiling"]}
    verdicts = [
        Verdict(f"{what} compared with {peer}, {name}", _ratio(what, times, seconds), target, True)
        for what, target in TARGETS.items()
    ]
    cells = [name, str(case(name).robot.nv)]
    for what, verdict in zip(TARGETS, verdicts, strict=True):
        cells += _format_times(what, times, seconds)
        cells += [f"{verdict.value:.0f}", verdict.mark]
    return [Row(cells, verdicts)]


def _ratio(what: str, times: Times, seconds: Mapping[str, float]) -> float:
    if what == "compiling":
        return seconds["theirs"] / seconds["ours"]
    return times.ratio(f"{what} theirs", f"{what} ours")


def _format_times(what: str, times: Times, seconds: Mapping[str, float]) -> list[str]:
    """Ours and theirs."""
    if what == "compiling":
        return [f"{seconds[whose]:.2f} s" for whose in ("ours", "theirs")]
    return [nanoseconds(times[f"{what} {whose}"], BATCH) for whose in ("ours", "theirs")]
