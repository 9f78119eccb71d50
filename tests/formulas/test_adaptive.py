"""Adaptive control after Slotine and Li: the regressor, passivity, and energies that only fall."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jounce.model import inertia
from jounce.papers.common import armature_christoffel
from jounce.robot import Robot
from support.helpers import assert_close, chain, objects, quiet_read, random_argument
from support.robots import random_model

RNG_SEED = 20

#: All joint kinds, a tree with followers, and a chain of single axes with armature.
ROBOTS: dict[str, Callable[[], Robot]] = {
    "every kind": lambda: Robot(random_model(np.random.default_rng(1), 8)),
    "followers": lambda: Robot(
        random_model(np.random.default_rng(2), 5, ("revolute", "prismatic"), mimic=True)
    ),
    "chain": lambda: Robot(chain(("revolute", "prismatic", "helical", "revolute"))),
}


@pytest.fixture(scope="module", params=list(ROBOTS))
def robot(request: pytest.FixtureRequest) -> Robot:
    return ROBOTS[request.param]()


def states(robot: Robot, count: int = 6) -> list[np.ndarray]:
    """q, v, v_r and a_r of some samples."""
    rng = np.random.default_rng(RNG_SEED)
    return [random_argument(name, robot, rng, (count,)) for name in ("q", "v", "v", "v")]


def armature(robot: Robot) -> np.ndarray:
    """Armature of every velocity: what bodies without inertia still need to be accelerated."""
    nothing = np.zeros((robot.nb, 10))
    q, still = robot.neutral(), np.zeros(robot.nv)
    units = robot.parametric.inverse_dynamics(q, still, np.eye(robot.nv), nothing)
    return np.diag(units)


def ball_rotors(robot: Robot, v: np.ndarray) -> np.ndarray:
    """What armature adds to C: half armature v~ in spherical joints (see test_koszul)."""
    return np.array([armature_christoffel(robot.tree, objects(x)) for x in v]).astype(float)


def times(A: np.ndarray, x: np.ndarray) -> np.ndarray:
    return np.einsum("...ij,...j->...i", A, x)


# ------------------------------------------------------------------ the regressor


def test_passivity(robot: Robot) -> None:
    """s^T (dM/dt - 2 C) s = 0 for every s, not only for s = v."""
    q, v, s, _ = states(robot)
    N = robot.mass_matrix.dt(q, v) - 2.0 * robot.coriolis_matrix(q, v)
    scale = np.abs(N).max() * np.abs(s).max() ** 2
    assert np.abs(np.einsum("ni,nij,nj->n", s, N, s)).max() < 1e-12 * scale
    assert_close(N, -np.swapaxes(N, 1, 2))


def test_regressor(robot: Robot) -> None:
    """M a_r + C v_r + g = Y pi + armature a_r, and armature's share of C in spherical joints."""
    q, v, v_r, a_r = states(robot)
    Y = robot.slotine_li_regressor(q, v, v_r, a_r)
    assert Y.shape == (6, robot.nv, 10 * robot.nb)
    expected = times(robot.mass_matrix(q), a_r) + times(robot.coriolis_matrix(q, v), v_r)
    expected = expected + robot.gravity_forces(q)
    drives = armature(robot) * a_r + times(ball_rotors(robot, v), v_r)
    assert_close(Y @ robot.model.parameters.ravel() + drives, expected)


def test_classic_case(robot: Robot) -> None:
    """With v_r = v and a_r = a it is the regressor of inverse dynamics."""
    q, v, _, a = states(robot)
    assert_close(robot.slotine_li_regressor(q, v, v, a), robot.inverse_dynamics.dpi(q, v, a))


def test_regressor_is_linear_in_the_reference(robot: Robot) -> None:
    q, v, v_r, a_r = states(robot)
    still = np.zeros(v.shape)
    Y = robot.slotine_li_regressor
    together = Y(q, v, 2.0 * v_r, -a_r)
    parts = 2.0 * Y(q, v, v_r, still) - Y(q, v, still, a_r)
    assert_close(together, parts)  # gravity twice, less once


def test_velocities_change_places() -> None:
    """Christoffel symbols are symmetric where velocities are rates of coordinates."""
    robot = ROBOTS["chain"]()
    q, v, v_r, a_r = states(robot)
    Y = robot.slotine_li_regressor
    assert_close(Y(q, v, v_r, a_r), Y(q, v_r, v, a_r))


def test_extended_regressor(robot: Robot) -> None:
    q, v, v_r, a_r = states(robot)
    Y = robot.slotine_li_regressor(q, v, v_r, a_r, extended=True)
    n, first = robot.nv, 10 * robot.nb
    assert Y.shape == (6, n, first + 3 * n)
    assert_close(Y[..., :first], robot.slotine_li_regressor(q, v, v_r, a_r))
    columns = (a_r, v, np.sign(v))
    for k, column in enumerate(columns):
        block = Y[..., first + k * n : first + (k + 1) * n]
        plain = np.ones((n, n), dtype=bool)
        for view in robot.joints.values():
            plain[view.v, view.v] = k > 0 or view.kind != "spherical"
        assert_close(block * plain, column[:, :, None] * np.eye(n) * plain)
    drive = armature(robot)
    assert_close(Y[..., first : first + n] @ drive, drive * a_r + times(ball_rotors(robot, v), v_r))


# ------------------------------------------------------------------ closed loops


class Loop:
    """A robot under adaptive control that believes in other parameters, on a trajectory.

    State x: q, v, estimate (10 nb), the work of s^T K s so far, and filtered signals if asked.
    """

    slope, damping, rate = 4.0, 20.0, 0.05

    def __init__(self, robot: Robot, natural: bool, seed: int = 3) -> None:
        rng = np.random.default_rng(seed)
        self.robot, self.natural = robot, natural
        self.n, self.p = robot.nv, 10 * robot.nb
        self.truth = robot.model.parameters.ravel()
        self.armature = armature(robot)
        believed = inertia.compose(
            robot.model.parameters, inertia.point_mass(0.5, (0.1, 0.2, -0.1))
        )
        self.first = believed.ravel()
        self.gains = rng.uniform(0.5, 2.0, self.p)
        self.units = inertia.pseudo_inertia(np.eye(10)).reshape(10, 16)
        self.dual = np.linalg.solve(self.units @ self.units.T, self.units)
        self.phases = rng.uniform(0.0, 6.0, self.n)

    def start(self) -> np.ndarray:
        q = self.desired(0.0)[0] + 0.3
        return np.concatenate((q, np.zeros(self.n), self.first, (0.0,)))

    def desired(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        w = 1.0 + 0.3 * np.arange(self.n)
        s, c = np.sin(w * t + self.phases), np.cos(w * t + self.phases)
        return 0.5 * s, 0.5 * w * c, -0.5 * w * w * s

    def parts(self, t: float, x: np.ndarray) -> dict[str, np.ndarray]:
        """What the controller sees and does."""
        q, v = x[: self.n], x[self.n : 2 * self.n]
        estimate = x[2 * self.n : 2 * self.n + self.p]
        q_d, v_d, a_d = self.desired(t)
        v_r, a_r = v_d - self.slope * (q - q_d), a_d - self.slope * (v - v_d)
        Y = self.robot.slotine_li_regressor(q, v, v_r, a_r)
        s = v - v_r
        tau = Y @ estimate + self.armature * a_r - self.damping * s
        return {"q": q, "v": v, "estimate": estimate, "s": s, "Y": Y, "tau": tau}

    def flow(self, t: float, x: np.ndarray) -> np.ndarray:
        now = self.parts(t, x)
        a = self.robot.forward_dynamics(now["q"], now["v"], now["tau"])
        pull = now["Y"].T @ now["s"]
        spent = self.damping * now["s"] @ now["s"]
        return np.concatenate((now["v"], a, self.adaptation(now["estimate"], pull), (spent,)))

    def adaptation(self, estimate: np.ndarray, pull: np.ndarray) -> np.ndarray:
        if not self.natural:
            return -self.gains * pull
        P = (estimate.reshape(-1, 10) @ self.units).reshape(-1, 4, 4)
        L = (pull.reshape(-1, 10) @ self.dual).reshape(-1, 4, 4)
        return (-self.rate * (P @ L @ P).reshape(-1, 16) @ self.dual.T).ravel()

    def energy(self, t: float, x: np.ndarray) -> float:
        """s^T M s / 2 + the distance of the estimate: Euclidean, or Bregman's of -log det."""
        now = self.parts(t, x)
        kinetic = 0.5 * now["s"] @ self.robot.mass_matrix(now["q"]) @ now["s"]
        if not self.natural:
            miss = now["estimate"] - self.truth
            return float(kinetic + 0.5 * miss @ (miss / self.gains))
        total = kinetic
        for estimate, truth in zip(
            now["estimate"].reshape(-1, 10), self.truth.reshape(-1, 10), strict=True
        ):
            P, P_hat = inertia.pseudo_inertia(truth), inertia.pseudo_inertia(estimate)
            ratio = np.linalg.solve(P_hat, P)
            total += (np.trace(ratio) - 4.0 - np.linalg.slogdet(ratio)[1]) / self.rate
        return float(total)


def runge_kutta(flow: Any, x: np.ndarray, step: float, count: int) -> list[np.ndarray]:
    out = [x]
    for k in range(count):
        t = k * step
        k1 = flow(t, x)
        k2 = flow(t + step / 2, x + step / 2 * k1)
        k3 = flow(t + step / 2, x + step / 2 * k2)
        k4 = flow(t + step, x + step * k3)
        x = x + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        out.append(x)
    return out


@pytest.mark.parametrize("natural", [False, True])
@pytest.mark.parametrize("name", ["chain", "planar_2r"])
def test_energy_falls_by_what_is_spent(name: str, natural: bool) -> None:
    """V(t) + integral of s^T K s = V(0): no rise, bounded estimates, errors that vanish."""
    robot = ROBOTS["chain"]() if name == "chain" else Robot(quiet_read(name))
    if natural and name == "planar_2r":
        solid = inertia.compose(robot.model.parameters, inertia.sphere(0.1, mass=1.0))
        robot = robot.edit.with_parameters(solid)  # point masses have no positive definite P
    loop = Loop(robot, natural)
    step, count = 1e-3, 1500
    path = runge_kutta(loop.flow, loop.start(), step, count)
    energies = np.array([loop.energy(k * step, x) for k, x in enumerate(path)])
    spent = np.array([x[-1] for x in path])
    assert spent[-1] > 0.03 * energies[0]  # something happened
    # exact up to the integrator's error, of order step^4
    assert_close(energies + spent, np.full(count + 1, energies[0]), 1e-7)
    assert np.all(np.diff(energies) <= 1e-10 * energies[0])
    estimates = np.array([x[2 * loop.n : 2 * loop.n + loop.p] for x in path])
    if natural:
        eigenvalues = np.linalg.eigvalsh(inertia.pseudo_inertia(estimates.reshape(-1, 10)))
        assert eigenvalues.min() > 0.0
    else:
        bound = np.sqrt(2.0 * energies[0] * loop.gains)
        assert np.all(np.abs(estimates - loop.truth) <= bound * (1.0 + 1e-9))
    s = np.array([np.abs(loop.parts(k * step, path[k])["s"]).max() for k in (0, count)])
    assert s[1] < 0.3 * s[0]


def test_energy_needs_the_right_coriolis_matrix() -> None:
    """The same law with C(q, v_r) v_r for C(q, v) v_r, which has the same classic case."""
    loop = Loop(ROBOTS["chain"](), natural=False)
    right = loop.robot.slotine_li_regressor

    class Wrong:
        def __getattr__(self, name: str) -> Any:
            return getattr(loop_robot, name)

        def slotine_li_regressor(self, q: Any, v: Any, v_r: Any, a_r: Any) -> np.ndarray:
            return right(q, v_r, v_r, a_r)

    loop_robot, loop.robot = loop.robot, Wrong()
    step, count = 1e-3, 300
    path = runge_kutta(loop.flow, loop.start(), step, count)
    before, after = loop.energy(0.0, path[0]), loop.energy(count * step, path[-1])
    assert abs(after + path[-1][-1] - before) > 1e-3 * before


# ------------------------------------------------------------------ without accelerations


def test_momentum_form(robot: Robot) -> None:
    """d/dt (M v) = tau + C^T v - g: values, and regressors, whose rate is in closed form."""
    q, v, _, a = states(robot)
    tau = robot.inverse_dynamics(q, v, a)
    rate = robot.generalized_momentum.dt(q, v, a)
    assert_close(rate, tau + robot.momentum_forces(q, v))
    expected = times(np.swapaxes(robot.coriolis_matrix(q, v), 1, 2), v) - robot.gravity_forces(q)
    assert_close(robot.momentum_forces(q, v), expected)
    rate = robot.generalized_momentum.dpi.dt(q, v, a)
    assert_close(rate - robot.momentum_forces.dpi(q, v), robot.inverse_dynamics.dpi(q, v, a))


def test_filtered_regressor_in_the_loop() -> None:
    """F tau = (s F P - F H) pi along a closed loop, with F = w / (s + w) and no accelerations.

    s F P = w (P - F P); the filters are states of the simulation, started such that the identity
    holds from the first instant on.
    """
    loop, w = Loop(ROBOTS["chain"](), natural=False), 25.0
    n, p, size = loop.n, loop.p, 2 * loop.n + loop.p + 1
    shapes = (n * p, n * p, n, n)  # F P, F H, F tau, F of the armature's momentum

    def regressors(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        q, v = x[:n], x[n : 2 * n]
        return loop.robot.generalized_momentum.dpi(q, v), loop.robot.momentum_forces.dpi(q, v)

    def flow(t: float, x: np.ndarray) -> np.ndarray:
        P, H = regressors(x)
        drive = loop.armature * x[n : 2 * n]
        signals = np.concatenate((P.ravel(), H.ravel(), loop.parts(t, x)["tau"], drive))
        return np.concatenate((loop.flow(t, x[:size]), w * (signals - x[size:])))

    first = loop.start()
    P, H = regressors(first)
    filters = np.concatenate(
        (P.ravel(), np.zeros(H.size), np.zeros(n), loop.armature * first[n : 2 * n])
    )
    path = runge_kutta(flow, np.concatenate((first, filters)), 1e-3, 400)
    tau_scale = 0.0
    for x in path[::50]:
        P, _ = regressors(x)
        FP, FH, Ftau, Fdrive = np.split(x[size:], np.cumsum(shapes)[:-1])
        Y = w * (P - FP.reshape(n, p)) - FH.reshape(n, p)
        drive = w * (loop.armature * x[n : 2 * n] - Fdrive)
        tau_scale = max(tau_scale, np.abs(Ftau).max())
        assert_close(Y @ loop.truth + drive, Ftau, 1e-7, floor=1.0)  # Runge-Kutta at 1 ms
    assert tau_scale > 1.0
