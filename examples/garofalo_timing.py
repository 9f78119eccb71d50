"""Section VII of Garofalo, Ott and Albu-Schaeffer 2013: what M, C, g and their derivatives cost.

On a humanoid of 25 joints without a free base the paper measures 0.244 ms for M, C and g (Xeon
W3530, 2.8 GHz), with C of its equation (6b), and compares two ways to dM/dt, dC/dt and dg/dt: M, C,
g at two instants, to be differenced, against extended code that gives M, C, g with their exact
derivatives. There the latter takes 0.71 of the former's time.

    python examples/garofalo_timing.py [--quick]

Here both are timed on one thread, one sample at a time (a control loop, as in the paper) and in a
batch that fits the processor's cache, with the paper's C and with the Christoffel matrix. The ratio
is about 1: most of what extended code can share is shared within M, C and g already, which are some
hundred times faster. A difference quotient is then as fast, with two thirds of the digits at best,
as the last lines show; in the state, where each variable needs two evaluations, exact derivatives
take a fraction of its operations.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence

import numpy as np

import jounce
from jounce.arrays.bound_quantity import BoundQuantity
from jounce.robot import Robot

PAPER_MICROSECONDS, PAPER_RATIO = 244.0, 0.71

Call = Callable[[], object]


def prepare(quantity: BoundQuantity, *arguments: np.ndarray) -> Call:
    """Return a compiled call that writes to arrays made beforehand."""
    quantity.warmup()
    batch = arguments[0].shape[:-1]
    out = tuple(np.empty(batch + shape) for shape in quantity.kernel.outputs)
    return lambda: quantity(*arguments, out=out)


def clock(calls: dict[str, Call], rounds: int, repeats: int) -> dict[str, float]:
    """Seconds per call, the least over the rounds; the calls take turns and meet the same noise."""
    best = dict.fromkeys(calls, np.inf)
    for _ in range(rounds):
        for name, call in calls.items():
            begin = time.perf_counter()
            for _ in range(repeats):
                call()
            best[name] = min(best[name], (time.perf_counter() - begin) / repeats)
    return best


def report(robot: Robot, coriolis: str, samples: int, quick: bool) -> dict[str, float]:
    """Measure and print; returns the time of M, C, g in microseconds and the ratio."""
    rng = np.random.default_rng(0)
    q = robot.random(rng, samples)
    v, a = rng.standard_normal((2, samples, robot.nv))
    if samples == 1:
        q, v, a = q[0], v[0], a[0]
    value = robot.equations_of_motion.choose(coriolis=coriolis)
    rates = value.rates(1)
    calls = {"value": prepare(value, q, v), "rates": prepare(rates, q, v, a)}
    work = 40 if quick else 20_000
    result = clock(calls, 3 if quick else 15, max(work // samples, 1))
    once, every = (1e6 * result[name] / samples for name in calls)
    counts = [quantity.cost.operations for quantity in (value, rates)]
    how = "one sample at a time" if samples == 1 else f"batch of {samples}"
    print(f"\n{coriolis}, {how}:              us per sample, operations")
    print(f"  M, C, g                        {once:8.2f}    {counts[0]:7,}")
    print(f"  M, C, g at two instants        {2 * once:8.2f}    {2 * counts[0]:7,}")
    print(f"  M, C, g, dM/dt, dC/dt, dg/dt   {every:8.2f}    {counts[1]:7,}")
    ratio = every / (2 * once)
    print(f"  ratio                          {ratio:8.2f}    {counts[1] / counts[0] / 2:7.2f}")
    return {"microseconds": once, "ratio": ratio}


def in_state(robot: Robot) -> float:
    """Operations of exact state derivatives over those of central differences."""
    motion = robot.equations_of_motion
    exact = motion.dq.cost.operations + motion.dv.cost.operations
    differences = 4 * robot.nv * motion.cost.operations
    print(f"\nstate derivatives of M, C, g: {exact:,} operations, by differences {differences:,}")
    return exact / differences


def digits(robot: Robot, h: float = 1e-5) -> dict[str, float]:
    """Relative deviation of central differences from the exact derivatives, and of C + C^T."""
    rng = np.random.default_rng(1)
    q, (v, a) = robot.random(rng), rng.standard_normal((2, robot.nv))
    up, down = (
        robot.equations_of_motion(robot.integrate(q, s * h * v + h * h / 2.0 * a), v + s * h * a)
        for s in (1.0, -1.0)
    )
    _, C, _, *exact = robot.equations_of_motion.rates(1)(q, v, a)
    result = {}
    for name, x, y, rate in zip(("dM/dt", "dC/dt", "dg/dt"), up, down, exact, strict=True):
        error = np.abs((x - y) / (2.0 * h) - rate).max() / np.abs(rate).max()
        result[f"{name} by differences"] = float(error)
    rate = robot.mass_matrix.dt(q, v)
    result["C + C^T - dM/dt"] = float(np.abs(C + C.T - rate).max() / np.abs(rate).max())
    return result


def main(argv: Sequence[str] | None = None) -> dict[str, float]:
    """Measure and print; returns the figures of single samples and the largest deviations."""
    parser = argparse.ArgumentParser(description="Section VII of Garofalo et al. 2013.")
    parser.add_argument("--quick", action="store_true", help="few repetitions, for tests")
    parser.add_argument("--batch", type=int, default=64, help="samples per call (default: 64)")
    options = parser.parse_args(argv)
    robot = jounce.load("toro25", base="fixed")
    print(f"{robot!r}, one thread; the paper: {PAPER_MICROSECONDS:.0f} us, ratio {PAPER_RATIO}")
    before = jounce.get_num_threads()
    jounce.set_num_threads(1)
    try:
        result = report(robot, "garofalo", 1, options.quick)
        report(robot, "christoffel", 1, options.quick)
        report(robot, "garofalo", options.batch, options.quick)
        report(robot, "christoffel", options.batch, options.quick)
    finally:
        jounce.set_num_threads(before)
    result["state"] = in_state(robot)
    print("\nlargest relative deviation:")
    for name, value in digits(robot).items():
        print(f"  {name:<22} {value:.1e}")
        result[name] = value
    return result


if __name__ == "__main__":
    main()
