"""Co-design of an arm and its motion: joint placements, joint axes and link shapes at once.

A four-joint arm carries 2 kg from a shelf, over an obstacle, to a table. Links are solid tubes
with a radius per ring. Unknowns are the motion (a spline), where each joint sits on its parent,
how its axis is tilted, and all radii; the cost is the mean square of the torques plus the
compliance of the links, so that the optimum is neither heavy nor soft. The hand has to pass its
three points whatever the arm looks like. Gradients are exact: torques are pulled back to inertial
parameters, placements and screws (`inverse_dynamics.design`), and from the parameters to the
vertices of the link meshes (`inertia.vertex_vjp`). `robot.morphable` takes the shape as an
argument, so nothing is compiled between steps.

    python examples/co_design.py [--quick] [--output FOLDER]

Needs SciPy; writes co_design.png where Matplotlib is installed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.interpolate import BSpline
from scipy.optimize import minimize

import jounce
from jounce import inertia
from jounce.math.lie import exp_pose
from jounce.utils.progress import track

DENSITY = 1200.0  # kg/m^3, a filled plastic
PAYLOAD = 2.0  # kg, at the hand
DURATION = 1.2  # s
HAND = np.array((0.25, 0.0, 0.0))  # in the last body's frame
REACH = np.array(((0.0, 0.0, 0.35), (0.0, 0.0, 0.15), (0.4, 0.0, 0.0), (0.35, 0.0, 0.0)))
AXES = np.array(((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (0.0, 1.0, 0.0), (0.0, 1.0, 0.0)))
START = np.array(((-0.9, -0.3, 0.9, 0.3), (0.0, -0.9, 1.2, 0.2), (0.9, 0.1, 0.7, 0.4)))  # rad
TORQUE = np.array((40.0, 80.0, 40.0, 20.0))  # N m, what is usual for each joint
RADIUS = 0.035  # m, of all rings before
SLIMMEST, THICKEST = 0.012, 0.08
RINGS, SIDES = 6, 12
CONTROLS, DEGREE = 10, 5
SOFTNESS = 0.05  # weight of the compliance, which is 1 before


def arm() -> jounce.Robot:
    """The arm before: inertias are given per call, so those here do not matter."""
    joints, bodies = [], []
    for i, (reach, axis) in enumerate(zip(REACH, AXES, strict=True)):
        T = np.eye(4)
        T[:3, 3] = reach
        joints.append(jounce.Joint(f"joint{i + 1}", "revolute", i - 1, T, axis))
        bodies.append(jounce.Body(f"link{i + 1}", inertia.sphere(0.05, mass=1.0)))
    hand = np.eye(4)
    hand[:3, 3] = HAND
    frames = (jounce.Frame("hand", 3, hand),)
    return jounce.Robot(jounce.Model("arm", tuple(bodies), tuple(joints), frames))


# ------------------------------------------------------------------ links


class Tube:
    """A closed tube around the line from a body's origin to `end`, with a radius per ring.

    Vertices are linear in the end and the radii: centre + radius * direction.
    """

    def __init__(self, end: np.ndarray) -> None:
        along = end / np.linalg.norm(end)
        x = np.cross(along, np.eye(3)[np.argmin(np.abs(along))])
        x /= np.linalg.norm(x)
        turn = 2 * np.pi * np.arange(SIDES) / SIDES
        around = np.outer(np.cos(turn), x) + np.outer(np.sin(turn), np.cross(along, x))
        self.share = np.linspace(0.0, 1.0, RINGS)  # of the way to the end
        ring = np.tile(around, (RINGS, 1))
        self.centers = np.concatenate((np.repeat(self.share, SIDES), (0.0, 1.0)))
        self.ring = np.concatenate((np.repeat(np.arange(RINGS), SIDES), (0, RINGS - 1)))
        self.directions = np.concatenate((ring, np.zeros((2, 3))))
        self.faces = self._faces()

    @staticmethod
    def _faces() -> np.ndarray:
        current = np.arange(SIDES)
        after = np.roll(current, -1)
        faces = []
        for k in range(RINGS - 1):
            a, b = k * SIDES, (k + 1) * SIDES
            for i, j in zip(current, after, strict=True):
                faces += [(a + i, a + j, b + j), (a + i, b + j, b + i)]
        bottom, top, last = RINGS * SIDES, RINGS * SIDES + 1, (RINGS - 1) * SIDES
        faces += [(bottom, j, i) for i, j in zip(current, after, strict=True)]
        faces += [(top, last + i, last + j) for i, j in zip(current, after, strict=True)]
        return np.array(faces)

    def vertices(self, end: np.ndarray, radii: np.ndarray) -> np.ndarray:
        """The corners (V, 3)."""
        return np.outer(self.centers, end) + radii[self.ring, None] * self.directions

    def pulled_back(self, gradient: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Gradients in the end (3,) and the radii from that in the vertices."""
        per_vertex = (gradient * self.directions).sum(axis=1)
        return self.centers @ gradient, np.bincount(self.ring, per_vertex, RINGS)

    def compliance(
        self, end: np.ndarray, radii: np.ndarray
    ) -> tuple[float, np.ndarray, np.ndarray]:
        """Bending under a force at the end, integral of (distance)^2 / r^4, with its gradients."""
        length = np.linalg.norm(end)
        lever = (1.0 - self.share) ** 2 + 0.02  # the last ring carries a little too
        value = length**3 * np.sum(lever / radii**4)
        return value, 3 * value * end / length**2, -4 * length**3 * lever / radii**5


def right_jacobian(w: np.ndarray) -> np.ndarray:
    """Right Jacobian of SO(3): exp(w + dw) = exp(w) exp(J dw)."""
    angle = np.linalg.norm(w)
    W = np.array(((0, -w[2], w[1]), (w[2], 0, -w[0]), (-w[1], w[0], 0)))
    if angle < 1e-6:
        return np.eye(3) - 0.5 * W + W @ W / 6
    s, c = np.sin(angle), np.cos(angle)
    return np.eye(3) - (1 - c) / angle**2 * W + (angle - s) / angle**3 * (W @ W)


# ------------------------------------------------------------------ unknowns


class Design(NamedTuple):
    """Unknowns by name: control points of the motion, shifts and turns of joints, tilts, radii."""

    controls: np.ndarray  # (free control points, joints)
    shifts: np.ndarray  # (joints, 3) m, in the parent's axes
    turns: np.ndarray  # (joints, 3) rotation vectors of the joints on their parents
    tilts: np.ndarray  # (joints, 3) rotation vectors of the axes in their bodies
    radii: np.ndarray  # (links, rings) m


@dataclass(frozen=True)
class Shape:
    """Return arguments of the kernels, and the ends of the links."""

    pi: np.ndarray
    placements: np.ndarray
    screws: np.ndarray
    ends: np.ndarray


class Problem:
    """Cost and constraints over one flat vector of unknowns."""

    def __init__(self, samples: int) -> None:
        self.robot = arm()
        self.n = self.robot.nv
        self.times = np.linspace(0.0, DURATION, samples)
        self.basis = self._basis()
        self.base = self.robot.morphable.now[1]
        self.ends = np.vstack((REACH[1:], HAND))
        self.tubes = [Tube(end) for end in self.ends]
        self.via = np.array((0, samples // 2, samples - 1))
        hand = self.robot.frame("hand")
        self.targets = hand.pose(START)[:, :3, 3]
        self.soft = sum(
            t.compliance(e, np.full(RINGS, RADIUS))[0]
            for t, e in zip(self.tubes, self.ends, strict=True)
        )

    def _basis(self) -> list[np.ndarray]:
        """Matrices from free control points to q, v and a: rest at both ends."""
        inner = np.linspace(0.0, DURATION, CONTROLS - DEGREE + 1)
        knots = np.concatenate(([0.0] * DEGREE, inner, [DURATION] * DEGREE))
        curve = BSpline(knots, np.eye(CONTROLS), DEGREE)
        full = [curve(self.times, nu=k) for k in range(3)]
        tie = np.zeros((CONTROLS, CONTROLS - 4))  # the first three are one, and so the last three
        tie[:3, 0] = tie[-3:, -1] = 1.0
        tie[3:-3, 1:-1] = np.eye(CONTROLS - 6)
        return [matrix @ tie for matrix in full]

    # -------------------------------------------------------------- unknowns

    @cached_property
    def start(self) -> np.ndarray:
        """The arm before, moving through the three postures."""
        way = np.linspace(0.0, 2.0, CONTROLS - 4)
        controls = np.column_stack([np.interp(way, (0, 1, 2), angle) for angle in START.T])
        zero = np.zeros((self.n, 3))
        return self.pack(Design(controls, zero, zero, zero, np.full((self.n, RINGS), RADIUS)))

    @staticmethod
    def pack(design: Design) -> np.ndarray:
        """Return the unknowns as one vector."""
        return np.concatenate([np.ravel(part) for part in design])

    def unpack(self, x: np.ndarray) -> Design:
        """Return the unknowns of a vector."""
        shapes = [(CONTROLS - 4, self.n), *[(self.n, 3)] * 3, (self.n, RINGS)]
        cuts = np.cumsum([int(np.prod(shape)) for shape in shapes])[:-1]
        return Design(*(p.reshape(s) for p, s in zip(np.split(x, cuts), shapes, strict=True)))

    def bounds(self) -> list[tuple[float, float]]:
        """The base stays, joints may move 12 cm and 0.4 rad, axes tilt 0.5 rad."""
        moves = np.repeat((0.0, 0.12, 0.12, 0.12), 3)
        turns = np.repeat((0.0, 0.4, 0.4, 0.4), 3)
        spans = [*moves, *turns, *[0.5] * (3 * self.n)]
        motion = [(-np.pi, np.pi)] * ((CONTROLS - 4) * self.n)
        return [*motion, *((-s, s) for s in spans), *[(SLIMMEST, THICKEST)] * (self.n * RINGS)]

    # -------------------------------------------------------------- the arm

    def shape(self, design: Design) -> Shape:
        """Inertias, placements, screws and link ends of a design."""
        placements = self.base.copy()
        placements[:, :3, 3] += design.shifts
        placements[:, :3, :3] @= np.array(
            [exp_pose(np.r_[w, 0, 0, 0])[:3, :3] for w in design.turns]
        )
        screws = np.array([exp_pose(np.r_[w, 0, 0, 0]) for w in design.tilts])
        ends = np.vstack((placements[1:, :3, 3], HAND))
        links = zip(self.tubes, ends, design.radii, strict=True)
        pi = np.array([inertia.from_mesh(t.vertices(e, r), t.faces, DENSITY) for t, e, r in links])
        pi[-1] += inertia.translate(inertia.point_mass(PAYLOAD), HAND)
        return Shape(pi, placements, screws, ends)

    def motion(self, design: Design) -> list[np.ndarray]:
        """q, v and a at the samples."""
        return [B @ design.controls for B in self.basis]

    def torques(self, x: np.ndarray) -> np.ndarray:
        """Torques (samples, joints)."""
        design = self.unpack(x)
        s = self.shape(design)
        return self.robot.morphable.inverse_dynamics(
            *self.motion(design), s.pi, s.placements, s.screws
        )

    # -------------------------------------------------------------- cost

    def cost(self, x: np.ndarray) -> tuple[float, np.ndarray]:
        """Mean square of the torques, relative to what is usual, plus compliance; gradient."""
        design = self.unpack(x)
        s, state = self.shape(design), self.motion(design)
        numbers = (s.pi, s.placements, s.screws)
        dynamics = self.robot.morphable.inverse_dynamics
        tau, by_q, by_v, by_a = dynamics.derivatives(*state, *numbers)
        value = np.mean(np.sum((tau / TORQUE) ** 2, axis=1))
        lam = 2.0 * tau / TORQUE**2 / len(tau)
        pulled = (np.einsum("ti,tij->tj", lam, by) for by in (by_q, by_v, by_a))
        controls = sum(B.T @ g for B, g in zip(self.basis, pulled, strict=True))
        pi, screws, placements = (g.sum(axis=0) for g in dynamics.design(*state, lam, *numbers))
        shifts, turns, tilts = self._in_coordinates(design, s, placements, screws)
        radii = np.zeros_like(design.radii)
        for i, (tube, end) in enumerate(zip(self.tubes, s.ends, strict=True)):
            vertices = tube.vertices(end, design.radii[i])
            gradient = inertia.vertex_vjp(vertices, tube.faces, DENSITY, pi[i], check=False)
            by_end, radii[i] = tube.pulled_back(gradient)
            soft, soft_end, soft_radii = tube.compliance(end, design.radii[i])
            value += SOFTNESS * soft / self.soft
            radii[i] += SOFTNESS * soft_radii / self.soft
            if i + 1 < self.n:  # the link ends where the next joint sits
                shifts[i + 1] += by_end + SOFTNESS * soft_end / self.soft
        return value, self.pack(Design(controls, shifts, turns, tilts, radii))

    @staticmethod
    def _in_coordinates(
        design: Design, s: Shape, placements: np.ndarray, screws: np.ndarray
    ) -> tuple[np.ndarray, ...]:
        """Displacements are local; the unknowns are shifts in the parent and rotation vectors."""
        R = s.placements[:, :3, :3]
        shifts = np.einsum("ijk,...ik->...ij", R, placements[..., 3:])
        right = np.array([right_jacobian(w) for w in design.turns])
        turns = np.einsum("ikj,...ik->...ij", right, placements[..., :3])
        left = np.array([right_jacobian(-w) for w in design.tilts])
        tilts = np.einsum("ikj,...ik->...ij", left, screws[..., :3])
        return shifts, turns, tilts

    # -------------------------------------------------------------- the task

    def hand_error(self, x: np.ndarray) -> np.ndarray:
        """Return the error of the hand position at the three instants (9,), in m."""
        design = self.unpack(x)
        s, (q, _, _) = self.shape(design), self.motion(design)
        hand = self.robot.morphable.frame("hand")
        return (hand.pose(q[self.via], s.placements, s.screws)[:, :3, 3] - self.targets).ravel()

    def missed_gradient(self, x: np.ndarray) -> np.ndarray:
        """Its Jacobian (9, unknowns)."""
        design = self.unpack(x)
        s, (q, _, _) = self.shape(design), self.motion(design)
        q, numbers = q[self.via], (s.placements, s.screws)
        pose = self.robot.morphable.frame("hand").pose
        R = pose(q, *numbers)[:, :3, :3]
        by_q = R @ pose.dq(q, *numbers)[:, 3:]  # (3 moments, 3, joints)
        controls = np.einsum("tpi,tc->tpci", by_q, self.basis[0][self.via])
        moved = [
            np.einsum("tpk,tkij->tpij", R, d(q, *numbers)[:, 3:])
            for d in (pose.dplacement, pose.dscrew)
        ]
        parts = (controls, *self._in_coordinates(design, s, *moved))
        rows = [part.reshape(9, -1) for part in parts]
        return np.hstack((*rows, np.zeros((9, self.n * RINGS))))

    # -------------------------------------------------------------- all together

    def gradient_error(self) -> float:
        """Relative error of both gradients along a random direction, by differences."""
        rng = np.random.default_rng(0)
        x = self.start + 0.1 * rng.normal(size=self.start.shape) * self.scale
        d, h = rng.normal(size=x.shape) * self.scale, 1e-3

        def slope(f: Any) -> Any:
            return (8 * (f(x + h * d) - f(x - h * d)) - (f(x + 2 * h * d) - f(x - 2 * h * d))) / (
                12 * h
            )

        cost = slope(lambda y: self.cost(y)[0])
        task = slope(self.hand_error)
        errors = (
            abs(self.cost(x)[1] @ d - cost) / abs(cost),
            np.abs(self.missed_gradient(x) @ d - task).max() / np.abs(task).max(),
        )
        return max(errors)

    @cached_property
    def scale(self) -> np.ndarray:
        """The size of a usual step in each unknown."""
        n = self.n
        sizes = ((CONTROLS - 4) * n, 1.0), (3 * n, 0.1), (6 * n, 0.4), (n * RINGS, 0.02)
        return np.concatenate([np.full(count, size) for count, size in sizes])

    def solve(self, steps: int) -> tuple[np.ndarray, list[float]]:
        """The best design found, and the cost after each step."""
        history = [self.cost(self.start)[0]]
        bar = iter(track(range(steps), "optimising"))

        def note(y: np.ndarray) -> None:
            history.append(self.cost(y * self.scale)[0])
            next(bar, None)

        result = minimize(
            lambda y: (lambda value, g: (value, g * self.scale))(*self.cost(y * self.scale)),
            self.start / self.scale,
            jac=True,
            method="SLSQP",
            bounds=[(a / s, b / s) for (a, b), s in zip(self.bounds(), self.scale, strict=True)],
            constraints={
                "type": "eq",
                "fun": lambda y: self.hand_error(y * self.scale),
                "jac": lambda y: self.missed_gradient(y * self.scale) * self.scale,
            },
            callback=note,
            options={"maxiter": steps, "ftol": 1e-7},
        )
        for _ in bar:  # done early
            pass
        return result.x * self.scale, history


# ------------------------------------------------------------------ pictures


def draw(axes: Any, problem: Problem, x: np.ndarray, title: str) -> None:
    """The arm at the three moments, and the way of its hand."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    design = problem.unpack(x)
    s, (q, _, _) = problem.shape(design), problem.motion(design)
    for moment, alpha in zip(problem.via, (0.35, 0.25, 0.9), strict=True):
        for i, tube in enumerate(problem.tubes):
            frame = problem.robot.morphable.frame(f"link{i + 1}")
            T = frame.pose(q[moment], s.placements, s.screws)
            points = tube.vertices(s.ends[i], design.radii[i]) @ T[:3, :3].T + T[:3, 3]
            faces = Poly3DCollection(points[tube.faces], alpha=alpha, facecolor=f"C{i}")
            axes.add_collection3d(faces)
    hand = problem.robot.morphable.frame("hand").pose(q, s.placements, s.screws)[:, :3, 3]
    axes.plot(*hand.T, "k-", lw=1)
    axes.plot(*problem.targets.T, "k*", ms=8)
    axes.set(xlim=(-0.2, 1.0), ylim=(-0.7, 0.7), zlim=(0.0, 1.2), title=title)
    axes.set_box_aspect((1.2, 1.4, 1.2), zoom=1.4)
    axes.view_init(18, -62)


def plot(problem: Problem, best: np.ndarray, history: list[float], path: Path) -> None:
    """Before and after in 3-D, the cost, and the torques."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure = pyplot.figure(figsize=(13, 8), layout="constrained")
    for index, x, title in ((1, problem.start, "before"), (2, best, "after")):
        draw(figure.add_subplot(2, 2, index, projection="3d"), problem, x, title)
    cost = figure.add_subplot(2, 2, 3)
    cost.semilogy(history)
    cost.set(xlabel="step", ylabel="cost", title="mean square torque plus compliance")
    torque = figure.add_subplot(2, 2, 4)
    pairs = zip(problem.torques(problem.start).T, problem.torques(best).T, strict=True)
    for i, (before, after) in enumerate(pairs):
        torque.plot(problem.times, before, f"C{i}--", lw=1)
        torque.plot(problem.times, after, f"C{i}", label=f"joint {i + 1}")
    torque.set(xlabel="time in s", ylabel="torque in N m", title="dashed: before")
    torque.legend()
    figure.savefig(path, dpi=110)
    print(f"wrote {path}")


def main(argv: Sequence[str] | None = None) -> dict[str, float]:
    """Check the gradients, optimise, report, draw."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer samples and steps")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "output")
    options = parser.parse_args(argv)
    problem = Problem(samples=17 if options.quick else 41)
    error = problem.gradient_error()
    print(f"{problem.start.size} unknowns; gradients agree with differences to {error:.1e}")
    begin = time.perf_counter()
    best, history = problem.solve(steps=15 if options.quick else 120)
    seconds = time.perf_counter() - begin
    torque = [float(np.sqrt(np.mean(problem.torques(x) ** 2))) for x in (problem.start, best)]
    missed = float(np.abs(problem.hand_error(best)).max())
    print(
        f"cost {history[0]:.3f} -> {history[-1]:.3f} in {len(history) - 1} steps, {seconds:.1f} s"
    )
    print(f"root mean square torque {torque[0]:.1f} -> {torque[1]:.1f} N m")
    print(f"the hand misses its points by {1e3 * missed:.2g} mm")
    try:
        options.output.mkdir(parents=True, exist_ok=True)
        plot(problem, best, history, options.output / "co_design.png")
    except ImportError:
        print('no picture: pip install "jounce[plot]"')
    return {"error": error, "before": history[0], "after": history[-1], "missed": missed}


if __name__ == "__main__":
    main()
