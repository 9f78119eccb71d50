"""Section VII of Garofalo, Ott and Albu-Schaeffer 2013: what M, C, g and their derivatives cost.

On a humanoid of 25 joints and a free base the paper measures 0.244 ms for M, C and g (Xeon W3530,
2.8 GHz), and compares two ways to dM/dt, dC/dt and dg/dt: M, C, g at two instants, to be
differenced, against the extended code that gives M, C, g with their exact derivatives. There the
latter takes 0.71 of the former's time.

    python examples/garofalo_timing.py [--quick]

Here both are timed on one thread, in a batch that fits the processor's cache (throughput) and one
sample at a time (a control loop). Since dM/dt = C + C^T, dM/dt can also be had from C in NumPy;
the cheaper way counts. A ratio above 1 says that a second evaluation of M, C and g costs less than
their exact derivatives: in straight-line code the derivative of a product is two products, and
there are no transformations left to share. A difference quotient is then as fast, with two thirds
of the digits at best, as the last lines show.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence

import numpy as np

import jounce
from jounce.quantities.quantity import Evaluable
from jounce.robot import Robot

PAPER_MICROSECONDS, PAPER_RATIO = 244.0, 0.71

Call = Callable[[], object]


def prepared(quantity: Evaluable, *arguments: np.ndarray) -> tuple[Call, list[np.ndarray]]:
    """A compiled call that writes to arrays made beforehand, and these arrays."""
    quantity.warmup()
    batch = arguments[0].shape[:-1]
    out = [np.empty(batch + shape) for shape in quantity.kernel.outputs]
    return lambda: quantity(*arguments, out=tuple(out)), out


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


def measure(robot: Robot, samples: int, quick: bool) -> dict[str, float]:
    """Microseconds per sample of the quantities and their derivatives, in batches of `samples`."""
    rng = np.random.default_rng(0)
    q = robot.random(rng, samples)
    v, a = rng.standard_normal((2, samples, robot.nv))
    if samples == 1:
        q, v, a = q[0], v[0], a[0]
    M, C, g = robot.mass_matrix, robot.coriolis_matrix, robot.gravity_forces
    calls: dict[str, Call] = {}
    calls["M"], _ = prepared(M, q)
    calls["C"], _ = prepared(C, q, v)
    calls["g"], _ = prepared(g, q)
    calls["M, dM"], (_, dM) = prepared(M.rates(1), q, v)
    calls["C, dC"], (C_value, _) = prepared(C.rates(1), q, v, a)
    calls["g, dg"], _ = prepared(g.rates(1), q, v)
    calls["C + C^T"] = lambda: np.add(C_value, np.swapaxes(C_value, -1, -2), out=dM)
    work = 40 if quick else 20_000
    found = clock(calls, 3 if quick else 15, max(work // samples, 1))
    return {name: 1e6 * seconds / samples for name, seconds in found.items()}


def report(robot: Robot, samples: int, quick: bool) -> dict[str, float]:
    """Measure and print; returns the time of M, C, g in microseconds and the ratio."""
    us = measure(robot, samples, quick)
    once = us["M"] + us["C"] + us["g"]
    by_kernel, by_numpy = us["M, dM"], us["M"] + us["C + C^T"]
    every = min(by_kernel, by_numpy) + us["C, dC"] + us["g, dg"]
    how = "its own kernel" if by_kernel <= by_numpy else "C + C^T in NumPy"
    print(f"\n{'one sample at a time' if samples == 1 else f'batch of {samples}'}, us per sample:")
    print("  " + ", ".join(f"{name}: {value:.3f}" for name, value in us.items()))
    print(f"  M, C, g                        {once:8.2f}    (paper {PAPER_MICROSECONDS:.0f})")
    print(f"  M, C, g twice                  {2 * once:8.2f}")
    print(f"  M, C, g, dM/dt, dC/dt, dg/dt   {every:8.2f}    (dM/dt from {how})")
    print(f"  ratio                          {every / (2 * once):8.2f}    (paper {PAPER_RATIO})")
    return {"microseconds": once, "ratio": every / (2 * once)}


def digits(robot: Robot, h: float = 1e-5) -> dict[str, float]:
    """Relative deviation of central differences from the exact derivatives, and of C + C^T."""
    rng = np.random.default_rng(1)
    q, (v, a) = robot.random(rng), rng.standard_normal((2, robot.nv))
    (qp, vp), (qm, vm) = (
        (robot.integrate(q, s * h * v + h * h / 2.0 * a), v + s * h * a) for s in (1.0, -1.0)
    )
    M, C, g = robot.mass_matrix, robot.coriolis_matrix, robot.gravity_forces
    C0, dC = C.rates(1)(q, v, a)
    exact = {"dM/dt": M.dt(q, v), "dC/dt": dC, "dg/dt": g.dt(q, v)}
    twice = {"dM/dt": M(qp) - M(qm), "dC/dt": C(qp, vp) - C(qm, vm), "dg/dt": g(qp) - g(qm)}
    found = {
        f"{name} by differences": float(
            np.abs(twice[name] / (2.0 * h) - exact[name]).max() / np.abs(exact[name]).max()
        )
        for name in exact
    }
    identity = np.abs(C0 + C0.T - exact["dM/dt"]).max() / np.abs(exact["dM/dt"]).max()
    return {**found, "C + C^T - dM/dt": float(identity)}


def main(argv: Sequence[str] | None = None) -> dict[str, float]:
    """Measure and print; returns the figures of the batch and the largest deviations."""
    parser = argparse.ArgumentParser(description="Section VII of Garofalo et al. 2013.")
    parser.add_argument("--quick", action="store_true", help="few repetitions, for tests")
    parser.add_argument("--batch", type=int, default=64, help="samples per call (default: 64)")
    options = parser.parse_args(argv)
    robot = jounce.load("toro25", base="floating")
    print(f"{robot!r}, one thread")
    M, C, g = robot.mass_matrix, robot.coriolis_matrix, robot.gravity_forces
    for quantity in (M, C, g, M.rates(1), C.rates(1), g.rates(1)):
        print(f"  {quantity.kernel.row.name:<26} {len(quantity.kernel.tape):>7,} operations")
    before = jounce.get_num_threads()
    jounce.set_num_threads(1)
    try:
        found = report(robot, options.batch, options.quick)
        report(robot, 1, options.quick)
    finally:
        jounce.set_num_threads(before)
    print("\nlargest relative deviation:")
    for name, value in digits(robot).items():
        print(f"  {name:<22} {value:.1e}")
        found[name] = value
    return found


if __name__ == "__main__":
    main()
