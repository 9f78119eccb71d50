"""Run a demonstration: derivatives, a closed loop, a million states, and a robot as a web page.

Each printed identity is checked. The page is one file that opens in a browser without a network.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path
from typing import TYPE_CHECKING

from jounce.cli import shared_arguments
from jounce.errors import printable

if TYPE_CHECKING:
    import numpy as np

    from jounce.robot import Robot

EXAMPLES = ("jounce demo", "jounce demo -o pages")

STATES = 1_000_000
CHUNK = 20_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the folder that the page is written to."""
    parser.add_argument(
        "-o",
        "--output",
        metavar="FOLDER",
        type=Path,
        default=Path("jounce-demo"),
        help="folder of the page (default: jounce-demo)",
    )
    shared_arguments.add_force(parser)


def run(args: argparse.Namespace) -> None:
    """Run the demonstration and write its page."""
    import numpy as np

    from jounce.export import source
    from jounce.robot import load
    from jounce.utils import check_target
    from jounce.viewer.web import write_page

    start = time.perf_counter()
    rng = np.random.default_rng(0)
    robot = load("kuka_iiwa14")
    target = args.output / f"{robot.name}.html"
    source.write(args.output, {})  # creates the folder, or fails before anything is computed
    check_target(target, args.force)
    print(f"{robot!r}, {robot.model.mass:.1f} kg")
    _check_arm(robot, np.stack([robot.random(rng), *rng.standard_normal((6, robot.nv))]))
    _check_loop(rng)
    _time_batch(robot, rng)
    page = write_page(robot, target, overwrite=args.force)
    print(f"\nThe robot as an interactive page, {page.stat().st_size / 1e6:.1f} MB:")
    print(f"  {printable(page.absolute().as_uri())}")
    seconds = time.perf_counter() - start
    print(f"({seconds:.0f} s, mostly compilation; the next run is faster)")


def check(claim: str, left: np.ndarray, right: np.ndarray) -> None:
    """Print the difference of two arrays; exit if it is more than round-off."""
    error = abs(left - right).max() / abs(right).max()
    print(f"  {claim:<62} differ by {error:.0e}")
    if not error < 1e-12:
        raise SystemExit(f"{claim} does not hold")


def _check_arm(robot: Robot, motion: np.ndarray) -> None:
    """Check identities between dynamics, time derivatives, sensitivities and the regressor."""
    import numpy as np

    q, v, a, j = motion[:4]
    print("\nDynamics: quantities are functions of arrays, compiled for this robot")
    M, C, g = robot.equations_of_motion(q, v)
    tau, tau_q, tau_v, _ = robot.inverse_dynamics.derivatives(q, v, a)
    check("inverse_dynamics = M a + C v + g", tau, M @ a + C @ v + g)
    check("mass_matrix.dt = C + C^T", robot.mass_matrix.dt(q, v), C + C.T)

    print("\nTime derivatives in closed form, of any order: tau, dtau/dt ... d^4 tau/dt^4")
    rates = robot.inverse_dynamics.rates(4)(*motion)
    kinetic = np.array(robot.kinetic_energy.rates(5)(*motion))
    energy = kinetic + robot.potential_energy.rates(5)(*motion[:-1])
    power = [
        sum(math.comb(k, i) * motion[1 + i] @ rates[k - i] for i in range(k + 1)) for k in range(5)
    ]
    ratios = np.array(power) / energy[1:]
    check("d^k/dt^k (v . tau) = d^(k+1)/dt^(k+1) energy, k = 0 ... 4", ratios, np.ones(5))

    print("\nSensitivities: derivatives are attributes, and have derivatives")
    rate = robot.inverse_dynamics.dt(q, v, a, j)
    check("inverse_dynamics.dt = .dq v + .dv a + M j", rate, tau_q @ v + tau_v @ a + M @ j)
    a_q = robot.forward_dynamics.dq(q, v, tau)
    check("forward_dynamics.dq = -M^-1 inverse_dynamics.dq", a_q, -np.linalg.solve(M, tau_q))

    Y = robot.inverse_dynamics.dpi(q, v, a)
    print(f"\nRegressor: {Y.shape[0]} torques, {Y.shape[1]} inertial parameters pi")
    check("inverse_dynamics.dpi pi = inverse_dynamics", Y @ robot.model.parameters.ravel(), tau)


def _check_loop(rng: np.random.Generator) -> None:
    """Check that the power of the independent joints of a mechanism is the rate of its energy."""
    from jounce.robot import load

    closed = load("five_bar").closed()
    q = closed.random(rng)
    v, a = rng.standard_normal((2, closed.nv))
    print(f"\nClosed loops: {closed.name}, {closed.nq} joints, {closed.nv} of them independent")
    rate = closed.kinetic_energy.dt(q, v, a) + closed.potential_energy.dt(q, v)
    check("v . inverse_dynamics = rate of the energy", v @ closed.inverse_dynamics(q, v, a), rate)


def _time_batch(robot: Robot, rng: np.random.Generator) -> None:
    """Time the inverse dynamics of a million states."""
    import jounce
    from jounce.utils import track

    q, v, a = robot.random(rng, CHUNK), *rng.standard_normal((2, CHUNK, robot.nv))
    out, seconds = q.copy(), 0.0
    for _ in track(range(STATES // CHUNK), "a million states", quiet=True):
        start = time.perf_counter()
        robot.inverse_dynamics(q, v, a, out=out)
        seconds += time.perf_counter() - start
        q, v, a = v, a, q  # other states for the next round
    print(
        f"\nA million states of inverse dynamics, {jounce.get_num_threads()} threads:"
        f" {seconds:.3f} s, {1e9 * seconds / STATES:.0f} ns each"
    )
