"""What is special, before your eyes: each claim is an identity, computed two ways and compared."""

from __future__ import annotations

import math
import time
from pathlib import Path

import numpy as np

from jounce.cli import bench
from jounce.cli.speed import Stopwatch
from jounce.errors import printable
from jounce.export.source import write
from jounce.robot import Robot, load
from jounce.utils.files import check_target
from jounce.utils.measure import Effort
from jounce.utils.progress import track
from jounce.utils.threads import get_num_threads, set_num_threads

STATES = 1_000_000
CHUNK = 20_000

#: What is timed beside Pinocchio, and for how long.
TIMED = ("inverse_dynamics", "mass_matrix", "forward_dynamics", "inverse_dynamics.derivatives")
EFFORT = Effort(rounds=5, seconds=0.003)


def check(claim: str, left: np.ndarray, right: np.ndarray) -> None:
    """Print by how much two arrays differ, and refuse to go on if it is more than rounding."""
    error = np.abs(left - right).max() / np.abs(right).max()
    print(f"  {claim:<62} differ by {error:.0e}")
    if not error < 1e-12:
        raise SystemExit(f"{claim} does not hold")


def dynamics(robot: Robot, motion: np.ndarray) -> None:
    """The equations of motion, and the Coriolis matrix that is skew with dM/dt."""
    q, v, a = motion[:3]
    print("\nDynamics: quantities are functions of arrays, compiled for this robot")
    tau = robot.inverse_dynamics(q, v, a)
    M, C, g = robot.equations_of_motion(q, v)
    check("inverse_dynamics = M a + C v + g", tau, M @ a + C @ v + g)
    check("mass_matrix.dt = C + C^T", robot.mass_matrix.dt(q, v), C + C.T)


def rates(robot: Robot, motion: np.ndarray) -> None:
    """Torques to their fourth time derivative: the energy to its fifth says the same."""
    print("\nTime derivatives, in closed form, to any order: tau, dtau/dt ... d^4 tau/dt^4")
    tau = robot.inverse_dynamics.rates(4)(*motion)
    energy = [
        sum(parts)
        for parts in zip(
            robot.kinetic_energy.rates(5)(*motion),
            robot.potential_energy.rates(5)(*motion[:-1]),
            strict=True,
        )
    ]
    power = [
        sum(math.comb(k, i) * motion[1 + i] @ tau[k - i] for i in range(k + 1)) for k in range(5)
    ]
    ratios = np.array(power) / np.array(energy[1:])
    check("d^k/dt^k (v . tau) = d^(k+1)/dt^(k+1) energy, k = 0 ... 4", ratios, np.ones(5))


def sensitivities(robot: Robot, motion: np.ndarray) -> None:
    """Derivatives in the state, held against those in time and of the inverse function."""
    q, v, a, j = motion[:4]
    print("\nSensitivities: derivatives are attributes, and have derivatives")
    tau, tau_q, tau_v, M = robot.inverse_dynamics.derivatives(q, v, a)
    check(
        "inverse_dynamics.dt = .dq v + .dv a + M j",
        robot.inverse_dynamics.dt(*motion[:4]),
        tau_q @ v + tau_v @ a + M @ j,
    )
    a_q = robot.forward_dynamics.dq(q, v, tau)
    check("forward_dynamics.dq = -M^-1 inverse_dynamics.dq", a_q, -np.linalg.solve(M, tau_q))


def regressor(robot: Robot, motion: np.ndarray) -> None:
    """Torques are linear in the inertial parameters."""
    q, v, a = motion[:3]
    Y, pi = robot.inverse_dynamics.dpi(q, v, a), robot.model.parameters.ravel()
    print(f"\nRegressor: {Y.shape[0]} torques, {Y.shape[1]} inertial parameters pi")
    check("inverse_dynamics.dpi pi = inverse_dynamics", Y @ pi, robot.inverse_dynamics(q, v, a))


def loop(rng: np.random.Generator) -> None:
    """A mechanism: dynamics of the independent joints, the loops closed."""
    closed = load("five_bar").closed()
    q = closed.random(rng)
    v, a = rng.standard_normal((2, closed.nv))
    print(f"\nClosed loops: {closed.name}, {closed.nq} joints, {closed.nv} of them independent")
    power = closed.kinetic_energy.dt(q, v, a) + closed.potential_energy.dt(q, v)
    check("v . inverse_dynamics = rate of the energy", v @ closed.inverse_dynamics(q, v, a), power)


def many(robot: Robot, rng: np.random.Generator) -> None:
    """Inverse dynamics of a million states."""
    q, v = robot.random(rng, CHUNK), rng.standard_normal((CHUNK, robot.nv))
    a, out = rng.standard_normal((CHUNK, robot.nv)), np.empty((CHUNK, robot.nv))
    seconds = 0.0
    for _ in track(range(STATES // CHUNK), "a million states", quiet=True):
        start = time.perf_counter()
        robot.inverse_dynamics(q, v, a, out=out)
        seconds += time.perf_counter() - start
        q, v, a = v, a, q  # other states for the next round
    print(
        f"\nA million states of inverse dynamics, {get_num_threads()} threads:"
        f" {seconds:.3f} s, {1e9 * seconds / STATES:.0f} ns each"
    )


def speed(robot: Robot) -> None:
    """Times on one thread, beside Pinocchio's if it is installed."""
    threads = get_num_threads()
    set_num_threads(1)
    try:
        watch = Stopwatch(robot)
        work = track(TIMED, "measuring", quiet=True)
        found = [watch.measure(name, robot.quantity(name), EFFORT) for name in work]
    finally:
        set_num_threads(threads)
    beside = watch.peer is not None
    print(f"\nSpeed on one thread{', beside Pinocchio, which gives the same' if beside else ''}")
    for line in bench.table(found, beside).splitlines():
        print(f"  {line}")
    if watch.without:
        print(f"  {watch.without}")


def main(folder: Path, overwrite: bool = False) -> None:
    """Run the demonstration, and write its page into a folder."""
    from jounce.viewer.web.page import write_page

    start = time.perf_counter()
    rng = np.random.default_rng(0)
    robot = load("kuka_iiwa14")
    write(folder, {})  # creates it, or fails before anything is computed
    check_target(folder / f"{robot.name}.html", overwrite)
    print(f"{robot!r}, {robot.model.parameters[:, 0].sum():.1f} kg")
    motion = np.stack([robot.random(rng), *rng.standard_normal((6, robot.nv))])
    dynamics(robot, motion)
    rates(robot, motion)
    sensitivities(robot, motion)
    regressor(robot, motion)
    loop(rng)
    many(robot, rng)
    speed(robot)
    page = write_page(robot, folder / f"{robot.name}.html", overwrite=overwrite)
    print(f"\nThe robot as a page that computes, {page.stat().st_size / 1e6:.1f} MB, open it:")
    print(f"  {printable(page.absolute().as_uri())}")
    print(
        f"({time.perf_counter() - start:.0f} s in all, most of it compiling; again it is quicker)"
    )
