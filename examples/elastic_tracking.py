"""A KUKA iiwa with elastic joints follows a trajectory by feedforward alone.

`elastic_inverse_dynamics` gives the motor torques that make the links follow a rest-to-rest
motion exactly. Here they drive the two-mass dynamics, links and motors coupled by springs,

    M(q) a + C v + g = K (theta - q),    J d2/dt2 theta + d d/dt theta + K (theta - q) = tau_m(t)

simulated forward by SciPy. Nothing is fed back: what is left of the tracking error is the
integrator's. For comparison, the torques that ignore the springs (the same motors, rigid joints).

    python examples/elastic_tracking.py [--quick] [--output FOLDER]

Needs SciPy; writes elastic_tracking.png where Matplotlib is installed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

import jounce
from jounce.solve.elastic import elastic_inverse_dynamics

#: Drives as harmonic-drive arms of this size have them, seen after the gear.
STIFFNESS = np.array((14e3, 14e3, 10e3, 10e3, 7e3, 4e3, 4e3))  # N m/rad
MOTOR_INERTIA = np.array((3.2, 3.2, 1.7, 1.7, 0.8, 0.4, 0.4))  # kg m^2
MOTOR_FRICTION = np.array((15.0, 15.0, 8.0, 8.0, 4.0, 2.0, 2.0))  # N m s/rad

START = np.array((-0.6, 0.4, 0.2, -1.2, 0.1, 0.7, 0.0))  # rad
GOAL = np.array((0.6, 0.9, -0.3, -0.5, 0.8, -0.4, 1.2))

#: Largest tracking error that counts as following, rad.
TOLERANCE = 1e-6

Torque = Callable[[float], np.ndarray]


def rest_to_rest(t: Any, duration: float) -> tuple[np.ndarray, ...]:
    """q, v, a, j, s at t: the polynomial of degree 9 with v, a, j, s zero at both ends."""
    shape = np.polynomial.Polynomial((0, 0, 0, 0, 0, 126, -420, 540, -315, 70))
    u = np.asarray(t, dtype=float)[..., None] / duration
    levels = [(shape.deriv(k) if k else shape)(u) / duration**k for k in range(5)]
    return (START + levels[0] * (GOAL - START), *(x * (GOAL - START) for x in levels[1:]))


def simulate(robot: jounce.Robot, torque: Torque, instants: np.ndarray) -> np.ndarray:
    """Link positions (n, nv) at the instants, from rest in equilibrium, under tau_m(t)."""
    n = robot.nv

    def flow(t: float, y: np.ndarray) -> np.ndarray:
        q, theta, v, dtheta = y.reshape(4, n)
        spring = STIFFNESS * (theta - q)
        a = robot.forward_dynamics(q, v, spring)
        ddtheta = (torque(t) - spring - MOTOR_FRICTION * dtheta) / MOTOR_INERTIA
        return np.concatenate((v, dtheta, a, ddtheta))

    held = START + robot.gravity_forces(START) / STIFFNESS
    start = np.concatenate((START, held, np.zeros(2 * n)))
    span = (instants[0], instants[-1])
    result = solve_ivp(flow, span, start, "DOP853", instants, rtol=1e-11, atol=1e-13)
    if not result.success:
        raise SystemExit(f"the integrator gave up: {result.message}")
    return result.y[:n].T


def plot(path: Path, t: np.ndarray, q: np.ndarray, errors: dict[str, np.ndarray]) -> None:
    """The motion, and the largest error over the joints for each kind of feedforward."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, (above, below) = plt.subplots(2, 1, sharex=True, figsize=(7.0, 6.0), layout="tight")
    for i, column in enumerate(q.T):
        above.plot(t, column, label=f"$q_{i + 1}$")
    above.set(ylabel="link position [rad]", title="KUKA iiwa with elastic joints, feedforward only")
    above.legend(ncols=4, fontsize="small")
    for name, error in errors.items():
        below.semilogy(t, np.maximum(np.abs(error).max(axis=1), 1e-16), label=name)
    below.axhline(TOLERANCE, color="gray", linestyle=":", label="1e-6 rad")
    below.set(xlabel="t [s]", ylabel="largest tracking error [rad]", ylim=(1e-15, None))
    below.legend(fontsize="small")
    figure.savefig(path, dpi=150)
    plt.close(figure)
    print(f"wrote {path}")


def main(argv: Sequence[str] | None = None) -> float:
    """Simulate, print the errors, plot; returns the largest tracking error in rad."""
    parser = argparse.ArgumentParser(description="Track a trajectory with elastic joints.")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "output")
    parser.add_argument("--quick", action="store_true", help="a shorter motion, for tests")
    options = parser.parse_args(argv)
    duration = 0.25 if options.quick else 2.0
    robot = jounce.load("kuka_iiwa14")

    def elastic(t: float) -> np.ndarray:
        return elastic_inverse_dynamics(
            robot,
            *rest_to_rest(t, duration),
            STIFFNESS,
            damping=MOTOR_FRICTION,
            motor_inertia=MOTOR_INERTIA,
        ).motor_torque

    def rigid(t: float) -> np.ndarray:
        q, v, a, _, _ = rest_to_rest(t, duration)
        return robot.inverse_dynamics(q, v, a) + MOTOR_INERTIA * a + MOTOR_FRICTION * v

    t = np.linspace(0.0, duration, 201)
    wanted = rest_to_rest(t, duration)[0]
    errors = {}
    for name, torque in (("elastic inverse dynamics", elastic), ("rigid inverse dynamics", rigid)):
        begin = time.perf_counter()
        errors[name] = simulate(robot, torque, t) - wanted
        seconds = time.perf_counter() - begin
        largest = np.abs(errors[name]).max()
        print(
            f"{name:<26} largest tracking error {largest:.1e} rad  (simulated in {seconds:.1f} s)"
        )
    options.output.mkdir(parents=True, exist_ok=True)
    try:
        plot(options.output / "elastic_tracking.png", t, wanted, errors)
    except ImportError:
        print("no picture: Matplotlib is not installed")
    worst = float(np.abs(errors["elastic inverse dynamics"]).max())
    if worst > TOLERANCE:
        raise SystemExit(f"tracking error {worst:.1e} rad above {TOLERANCE:.0e} rad")
    return worst


if __name__ == "__main__":
    main()
