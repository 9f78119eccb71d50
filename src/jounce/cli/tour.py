"""The main job, before your eyes: a robot, its dynamics, two identities, a million states."""

from __future__ import annotations

import time
import warnings

import numpy as np

from jounce.errors import ModelWarning
from jounce.formulas.dynamics import mass_matrix
from jounce.formulas.motions import time_derivatives
from jounce.math.scalar import array
from jounce.process.progress import track
from jounce.process.threads import get_num_threads
from jounce.robot import Robot, load

STATES = 1_000_000
CHUNK = 20_000


def describe(robot: Robot) -> None:
    """Print what the robot is."""
    print(f"{robot!r}")
    print(f"  {'joint':<12}{'kind':<12}{'body':<12}{'mass [kg]':>10}   centre of mass [m]")
    for name, body, (m, *h) in zip(
        robot.joint_names, robot.body_names, robot.parameters[:, :4], strict=True
    ):
        com = np.array(h) / m if m else np.zeros(3)
        print(f"  {name:<12}{robot.joints[name].kind:<12}{body:<12}{m:>10.4f}   {com.round(4)}")


def rate_of_mass_matrix(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """dM/dt by Taylor series of the formula: independent of the Coriolis matrix."""
    rates = time_derivatives(mass_matrix, robot.tree, array(q.tolist()), [array(v.tolist())], 1)
    return rates[1].astype(float)


def check(claim: str, left: np.ndarray, right: np.ndarray) -> None:
    """Print by how much two arrays differ, and refuse to go on if it is more than rounding."""
    error = np.abs(left - right).max() / np.abs(right).max()
    print(f"  {claim:<24} largest relative difference {error:.1e}")
    if not error < 1e-12:
        raise SystemExit(f"{claim} does not hold")


def main() -> None:
    """Run the demonstration."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)  # published data, rounded
        robot = load("kuka_iiwa14")
    describe(robot)

    rng = np.random.default_rng(0)
    q = robot.random(rng)
    v, a = rng.standard_normal((2, robot.nv))
    np.set_printoptions(precision=4, suppress=True, linewidth=100)
    start = time.perf_counter()
    tau = robot.inverse_dynamics(q, v, a)
    M, C, g = robot.mass_matrix(q), robot.coriolis_matrix(q, v), robot.gravity_forces(q)
    seconds = time.perf_counter() - start
    print(f"\nAt a random state (compiled or fetched from the cache in {seconds:.2f} s):")
    for name, value in (("M", M), ("C", C), ("g", g), ("tau", tau)):
        print(f"{name} =\n{value}")
    print("\nIdentities:")
    check("tau = M a + C v + g", tau, M @ a + C @ v + g)
    check("dM/dt = C + C^T", C + C.T, rate_of_mass_matrix(robot, q, v))

    print(f"\nInverse dynamics of {STATES:,} states, {get_num_threads()} threads:")
    q, v = robot.random(rng, CHUNK), rng.standard_normal((CHUNK, robot.nv))
    a, out = rng.standard_normal((CHUNK, robot.nv)), np.empty((CHUNK, robot.nv))
    seconds = 0.0
    for _ in track(range(STATES // CHUNK), "evaluating"):
        start = time.perf_counter()
        robot.inverse_dynamics(q, v, a, out=out)
        seconds += time.perf_counter() - start
        q, v, a = v, a, q  # other states for the next round
    print(
        f"  {STATES / seconds:,.0f} evaluations per second ({1e9 * seconds / STATES:.0f} ns each)"
    )
