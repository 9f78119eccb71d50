"""Section: plain Newton-Euler recursions in JAX and PyTorch on the same card."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks import plain_jax, plain_torch
from benchmarks.gpu.robots import SCALARS, robot, states
from benchmarks.measure import Effort, MismatchError, time_interleaved
from benchmarks.report import Row, Table
from tests.gpu.support import difference, host

#: Samples of a batch: what eager PyTorch keeps for a gradient of g1 must fit.
BATCH = 1 << 16

EFFORT = Effort(rounds=7, seconds=0.02)

#: Where PyTorch's tensors are.
DEVICE = "cuda"

#: Robots that torch.compile gets through in time.
COMPILED = ("ur5", "panda")

#: Relative differences allowed to the processor's in float64; gradients are sums of large terms.
TOLERANCES = {"double": 1e-9, "float": 1e-3}

COLUMNS = (
    "robot",
    "type",
    "library",
    *(f"{what} {x}" for what in ("value", "gradient") for x in ("ours", "theirs", "ratio")),
    "first call",
)

NOTE = (
    "Samples a second on a batch of {batch:,}, by the wall clock, each call waited for, so that"
    " what starts it counts. Inverse dynamics; `gradient`: value and gradients of the sum of"
    " squares in q, v and a. `ours`: `robot.jax` under `jax.jit`, `robot.torch`; `theirs`: a plain"
    " Newton-Euler recursion (`benchmarks/plain_jax.py` under `jax.vmap` and `jax.jit`,"
    " `benchmarks/plain_torch.py` eager and under `torch.compile`). `first call`: seconds of their"
    " first value and gradient. Everything is compared with the processor's results before."
)


def tables(robots: tuple[str, ...], quantities: tuple[str, ...]) -> Iterator[Table]:
    """Yield the table, robot by robot."""
    if "inverse_dynamics" not in quantities:
        return
    ways = {"jax": ("JAX", of_jax), "torch": ("torch eager", of_torch)}
    installed = [way for package, way in ways.items() if find_spec(package) is not None]
    jobs = []
    for name in robots:
        for scalar in reversed(SCALARS):
            for label, build in installed:
                title = f"{label} {name} {SCALARS[scalar]}"
                jobs.append((title, partial(_rows, name, scalar, label, build)))
        if name in COMPILED and find_spec("torch") is not None:
            build = partial(_rows, name, "float", "torch.compile", of_compiled)
            jobs.append((f"torch.compile {name} float32", build))
    note = NOTE.format(batch=BATCH)
    yield Table("Beside plain JAX and PyTorch", note, COLUMNS, jobs)


#: Values and gradients of ours and theirs by name, each a call that waits.
Calls = Mapping[str, Callable[[], Any]]


def _rows(name: str, scalar: str, label: str, build: Callable[..., Calls]) -> list[Row]:
    quantity = robot(name).inverse_dynamics
    arguments = [x.astype(SCALARS[scalar]) for x in states(quantity, BATCH)]
    calls = build(name, arguments)
    begin = time.perf_counter()
    for what in ("value theirs", "gradient theirs"):
        calls[what]()
    first = time.perf_counter() - begin
    _compare(name, label, scalar, arguments, calls)
    times = time_interleaved(calls, EFFORT, time.perf_counter)
    cells = [name, SCALARS[scalar].name, label]
    for what in ("value", "gradient"):
        ours, theirs = (BATCH / times[f"{what} {whose}"] for whose in ("ours", "theirs"))
        cells += [f"{ours:.3g}", f"{theirs:.3g}", f"{ours / theirs:.0f}"]
    return [Row((*cells, f"{first:.1f} s"))]


def _compare(name: str, label: str, scalar: str, given: list[np.ndarray], calls: Calls) -> None:
    quantity = robot(name).inverse_dynamics
    wide = [x.astype(np.float64) for x in given]
    value = quantity(*wide)
    truth = {"value": [value], "gradient": list(quantity.vjp(*wide, 2.0 * value))}
    for what, call in calls.items():
        result = call()
        result = result if isinstance(result, tuple | list) else [result]
        for ours, theirs in zip(result, truth[what.split()[0]], strict=True):
            error = difference(host(ours), theirs)
            if not error <= TOLERANCES[scalar]:
                raise MismatchError(f"{name} {label}, {what}: results differ by {error:.1e}")


def of_jax(name: str, given: list[np.ndarray]) -> Calls:
    """Ours and a plain recursion under vmap, both under jit."""
    import jax

    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_default_matmul_precision", "highest")  # float32, not its upper bits
    arrays = [jax.device_put(x) for x in given]
    pair = {
        "ours": robot(name).jax.inverse_dynamics,
        "theirs": jax.vmap(plain_jax.plain_newton_euler(robot(name), given[0].dtype)),
    }
    calls: dict[str, Callable[[], Any]] = {}
    for whose, function in pair.items():
        squares = lambda *x, f=function: (f(*x) ** 2).sum()  # noqa: E731
        made = {"value": jax.jit(function), "gradient": jax.jit(jax.grad(squares, (0, 1, 2)))}
        for what, f in made.items():
            calls[f"{what} {whose}"] = lambda f=f: jax.block_until_ready(f(*arrays))
    return calls


def of_torch(name: str, given: list[np.ndarray], wrap: Callable[..., Any] | None = None) -> Calls:
    """Ours and a plain recursion; wrap: what is made of the latter."""
    import torch

    plain = plain_torch.plain_newton_euler(robot(name), given[0].dtype, DEVICE)
    pair = {
        "ours": robot(name).torch.inverse_dynamics,
        "theirs": plain if wrap is None else wrap(plain),
    }
    arrays = [torch.tensor(x, device=DEVICE) for x in given]
    leaves = [x.clone().requires_grad_() for x in arrays]

    def value(f: Callable[..., Any]) -> Any:
        with torch.no_grad():
            result = f(*arrays)
        torch.cuda.synchronize()
        return result

    def gradient(f: Callable[..., Any]) -> Any:
        result = torch.autograd.grad(f(*leaves).square().sum(), leaves)
        torch.cuda.synchronize()
        return result

    makers = {"value": value, "gradient": gradient}
    return {
        f"{what} {whose}": partial(make, f)
        for what, make in makers.items()
        for whose, f in pair.items()
    }


def of_compiled(name: str, given: list[np.ndarray]) -> Calls:
    """The same under torch.compile, without a cache on disk."""
    import torch

    return of_torch(name, given, lambda f: torch.compile(f, fullgraph=True))
