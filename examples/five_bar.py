"""The spherical five-bar linkage of Kwon's note moves from point to point.

Two motors drive four joints whose axes meet in one point; the loop is closed by a fifth. Motor
torques along the motion, their first and second time derivatives, and their derivative with respect
to a joint's screw (the axis of joint 2 turned, the loop closed again), all in closed form, next to
finite differences of the torques themselves.

    python examples/five_bar.py [--quick] [--output FOLDER]

Writes five_bar.png where Matplotlib is installed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import jounce
from jounce.io.gallery import gallery_data
from jounce.solve.design import displaced

if TYPE_CHECKING:
    from jounce.solve.mechanism.robot import Mechanism

MOTORS = ("joint1", "joint4")

#: How the axis of joint 2 is turned: a rotation about y, the axis stays through the centre.
TURN = (0.0, 1.0, 0.0, 0.0, 0.0, 0.0)


def rest_to_rest(t: np.ndarray) -> list[np.ndarray]:
    """Angles of the motors (n, 2) and their derivatives up to the fourth, which start at rest."""
    path = gallery_data("five_bar")["trajectory"]
    start, goal, duration = np.array(path["start"]), np.array(path["goal"]), path["duration"]
    shape = np.polynomial.Polynomial((0, 0, 0, 0, 0, 126, -420, 540, -315, 70))
    u = t[:, None] / duration
    levels = [(shape.deriv(k) if k else shape)(u) / duration**k for k in range(5)]
    return [start + levels[0] * (goal - start), *(x * (goal - start) for x in levels[1:])]


def follow(closed: Mechanism, angles: np.ndarray) -> np.ndarray:
    """Configurations of all joints (n, 4) for angles of the motors, on one branch."""
    q = np.tile(closed.reference, (len(angles), 1))
    q[:, closed.active] = angles
    result = closed.track(q, strict=True)
    print(f"assembled {len(q)} configurations, largest gap {result.gap.max():.0e} rad")
    return result.q


def differences(tau: np.ndarray, h: float) -> tuple[np.ndarray, np.ndarray]:
    """First and second derivatives by central differences of order 6, NaN at the ends."""
    first, second = np.full_like(tau, np.nan), np.full_like(tau, np.nan)
    n = len(tau)
    shifted = {k: tau[3 + k : n - 3 + k] for k in range(-3, 4)}
    weights = {1: (3 / 4, 3 / 2), 2: (-3 / 20, -3 / 20), 3: (1 / 60, 1 / 90)}
    first[3 : n - 3] = sum(w * (shifted[k] - shifted[-k]) for k, (w, _) in weights.items()) / h
    bends = sum(w * (shifted[k] + shifted[-k]) for k, (_, w) in weights.items())
    second[3 : n - 3] = (bends - 49 / 18 * shifted[0]) / h**2
    return first, second


def rebuilt(closed: Mechanism, q: np.ndarray, state: Sequence[np.ndarray]) -> np.ndarray:
    """The derivative in the screw of joint 2 by building two other mechanisms (n, 2)."""
    h, torques = 1e-5, []
    for step in (h, -h):
        screws = np.zeros((closed.robot.nb, 6))
        screws[1] = step * np.array(TURN)
        robot = jounce.Robot(displaced(closed.model, screws=screws))
        other = robot.closed(MOTORS, q[0])
        again = other.assemble(q, strict=True).q
        torques.append(other.inverse_dynamics(again, *state))
    return (torques[0] - torques[1]) / (2 * h)


def draw_mechanism(axes: Any, closed: Mechanism, q: np.ndarray) -> None:
    """The links as arcs on a sphere, at the start, on the way and at the goal."""
    w = np.array(gallery_data("five_bar")["axes"])
    for k, shade in ((0, 0.25), (len(q) // 2, 0.5), (len(q) - 1, 1.0)):
        R = {i: closed.frame(f"link{i}").pose(q[k])[:3, :3] for i in (1, 2, 3, 4)}
        # where the axes stand: each is fixed in the link before it
        ends = (w[0], R[1] @ w[1], R[2] @ w[2], R[4] @ w[4], w[3])
        pairs = ((0, 1, "C0"), (1, 2, "C2"), (2, 3, "C8"), (3, 4, "C1"))
        for a, b, color in pairs:
            u = np.linspace(0.0, 1.0, 30)[:, None]
            arc = (1 - u) * ends[a] + u * ends[b]
            arc /= np.linalg.norm(arc, axis=1, keepdims=True)
            axes.plot(*arc.T, color=color, alpha=shade, linewidth=3)
        axes.scatter(*np.array(ends).T, color="black", alpha=shade, s=12)
    axes.set_title("links on the unit sphere")
    axes.set_aspect("equal")


def plot(
    path: Path,
    closed: Mechanism,
    t: np.ndarray,
    q: np.ndarray,
    curves: dict[str, tuple[np.ndarray, np.ndarray | None]],
) -> None:
    """The mechanism, and each curve of both motors with its differences as dots."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure = plt.figure(figsize=(12.0, 7.0), layout="constrained")
    draw_mechanism(figure.add_subplot(2, 3, 1, projection="3d"), closed, q)
    every = slice(None, None, max(len(t) // 40, 1))
    for place, (label, (line, dots)) in enumerate(curves.items(), 2):
        axes = figure.add_subplot(2, 3, place)
        for i, motor in enumerate(MOTORS):
            axes.plot(t, line[:, i], color=f"C{i}", label=motor)
            if dots is not None:
                axes.plot(t[every], dots[every, i], ".", color=f"C{i}")
        axes.set(xlabel="t [s]", ylabel=label)
        axes.grid(alpha=0.3)
        if place == 2:
            axes.legend()
    figure.suptitle("spherical five-bar: lines in closed form, dots by finite differences")
    figure.savefig(path, dpi=150)
    plt.close(figure)
    print(f"wrote {path}")


def main(argv: Sequence[str] | None = None) -> dict[str, float]:
    """Compute, compare, draw; returns the largest deviations relative to the largest values."""
    parser = argparse.ArgumentParser(description="The five-bar linkage of Kwon's note.")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "output")
    parser.add_argument("--quick", action="store_true", help="fewer samples, for tests")
    options = parser.parse_args(argv)
    closed = jounce.load("five_bar").closed(MOTORS)
    print(closed.report())
    duration = gallery_data("five_bar")["trajectory"]["duration"]
    t = np.linspace(0.0, duration, 161 if options.quick else 801)
    angles, *state = rest_to_rest(t)
    q = follow(closed, angles)

    rates = closed.inverse_dynamics.rates(2)
    rates(q[0], *(x[0] for x in state))  # compiles
    begin = time.perf_counter()
    tau, dtau, ddtau = rates(q, *state)
    seconds = time.perf_counter() - begin
    print(f"tau, dtau/dt, d2tau/dt2 at {len(t)} instants in {1e3 * seconds:.2f} ms")
    screw = closed.inverse_dynamics.dscrew(q, *state[:2])[:, :, 1] @ np.array(TURN)

    numeric = differences(tau, float(t[1] - t[0]))
    compared = {
        "dtau/dt": (dtau, numeric[0]),
        "d2tau/dt2": (ddtau, numeric[1]),
        "dtau/dscrew": (screw, rebuilt(closed, q, state[:2])),
    }
    result = {}
    for name, (exact, estimate) in compared.items():
        result[name] = float(np.nanmax(np.abs(exact - estimate)) / np.abs(exact).max())
        print(f"{name:<12} largest deviation from differences: {result[name]:.1e} of the largest")
    curves = {
        "motor angles [rad]": (angles, None),
        "torques [N m]": (tau, None),
        "first time derivative [N m/s]": compared["dtau/dt"],
        "second time derivative [N m/s²]": compared["d2tau/dt2"],
        "per turn of axis 2 about y [N m/rad]": compared["dtau/dscrew"],
    }
    options.output.mkdir(parents=True, exist_ok=True)
    try:
        plot(options.output / "five_bar.png", closed, t, q, curves)
    except ImportError:
        print("no picture: Matplotlib is not installed")
    return result


if __name__ == "__main__":
    main()
