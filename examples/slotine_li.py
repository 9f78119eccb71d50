"""A Franka arm learns what it carries: adaptive tracking after Slotine and Li.

The arm follows a trajectory with a payload of 3 kg at its flange that its controller knows nothing
of. With the errors e = q - q_d, the reference v_r = d/dt q_d - L e and s = v - v_r, the torques

    tau = Y(q, v, v_r, a_r) pi_hat - K s,        Y pi = M a_r + C v_r + g

and one of three laws for the estimate pi_hat of the last link's ten parameters:

    fixed        pi_hat keeps the values of the link without the payload
    Slotine-Li   d/dt pi_hat = -G Y^T s (Slotine and Li 1987)
    natural      d/dt P = -g P L P for the pseudo-inertia P (4, 4) of pi_hat, where tr(L P) =
                 (Y^T s)^T pi_hat (Lee, Kwon and Park 2018): P stays positive definite, so that the
                 estimate is at every instant that of a body that could exist

Both adaptive laws make s^T M s / 2 plus a distance of the estimate fall by s^T K s, because
dM/dt - 2 C is skew for jounce's C. The closed loop is simulated with `forward_dynamics` and the
classical Runge-Kutta method, all controllers in one batch.

    python examples/slotine_li.py [--quick] [--output FOLDER]

Needs NumPy only; writes slotine_li.png where Matplotlib is installed.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

import jounce
from jounce import inertia
from jounce.utils.progress import track

LAWS = ("fixed", "Slotine-Li", "natural")

#: 3 kg of steel and foam, 12 cm beyond the flange and slightly off its axis.
PAYLOAD = inertia.translate(inertia.box((0.12, 0.08, 0.16), mass=3.0), (0.04, -0.03, 0.12 + 0.107))

SLOPE = 10.0  # L, 1/s
DAMPING = np.array((40.0, 40.0, 30.0, 30.0, 6.0, 4.0, 2.0))  # K, N m s/rad

#: Gains G and g of adaptation.
GAINS = np.array((80.0, *[2.0] * 3, *[0.4] * 6))
NATURAL = 2.0

#: The mean positions, amplitudes (rad) and frequencies (rad/s) of the trajectory.
MIDDLE = np.array((0.0, 0.3, 0.0, -1.8, 0.0, 1.9, 0.6))
SWING = np.array((0.8, 0.5, 0.6, 0.5, 0.9, 0.7, 1.0))
RATES = np.array((0.9, 1.3, 1.1, 1.7, 1.9, 2.3, 2.9))

STEP = 1e-3  # s


class Closed(NamedTuple):
    """Result of a simulation: instants (n,), and for each law errors, estimates, energies."""

    t: np.ndarray
    error: np.ndarray  # (n, laws, nv), rad
    estimate: np.ndarray  # (n, laws, 10)
    lyapunov: np.ndarray  # (n, laws)


def reference(t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Position, velocity and acceleration to follow, (nv,) each; the motion fades in."""
    u = min(t / 2.0, 1.0)
    f = u**3 * (10.0 - 15.0 * u + 6.0 * u * u)
    df = 15.0 * (u * (1.0 - u)) ** 2
    ddf = 15.0 * u * (1.0 - u) * (1.0 - 2.0 * u)
    phase = RATES * t
    s, ds = np.sin(phase), RATES * np.cos(phase)
    return (
        MIDDLE + SWING * f * s,
        SWING * (df * s + f * ds),
        SWING * (ddf * s + 2.0 * df * ds - f * RATES**2 * s),
    )


class Plant:
    """The arm with its payload, and the controllers that believe in the one without."""

    def __init__(self, believed: jounce.Robot) -> None:
        self.believed = believed
        self.known = believed.model.parameters[:-1].ravel()
        self.start = believed.model.parameters[-1]
        truth = believed.model.parameters.copy()
        truth[-1] = inertia.compose(truth[-1], PAYLOAD)
        self.truth = truth[-1]
        self.arm = believed.edit.with_parameters(truth)
        # matrices dual to the ones that the ten parameters multiply in P: tr(D_j P_k) = (j == k)
        self.units = inertia.pseudo_inertia(np.eye(10)).reshape(10, 16)
        self.dual = np.linalg.solve(self.units @ self.units.T, self.units)

    def flow(self, t: float, x: np.ndarray) -> np.ndarray:
        """Rate of the states x (laws, 24): q, v and the estimates under every law."""
        q, v, estimate = np.split(x, (7, 14), axis=-1)
        q_d, v_d, a_d = reference(t)
        v_r, a_r = v_d - SLOPE * (q - q_d), a_d - SLOPE * (v - v_d)
        s = v - v_r
        Y = self.believed.slotine_li_regressor(q, v, v_r, a_r)
        last = Y[..., -10:]
        tau = Y[..., :-10] @ self.known + np.einsum("lij,lj->li", last, estimate) - DAMPING * s
        a = self.arm.forward_dynamics(q, v, tau)
        pull = np.einsum("lij,li->lj", last, s)
        return np.concatenate((v, a, self.adaptation(estimate, pull)), axis=-1)

    def adaptation(self, estimate: np.ndarray, pull: np.ndarray) -> np.ndarray:
        """Rates (laws, 10) of the estimates, in the order of LAWS, for pull = Y^T s."""
        P = (estimate[2] @ self.units).reshape(4, 4)
        L = (pull[2] @ self.dual).reshape(4, 4)
        natural = self.dual @ (-NATURAL * P @ L @ P).ravel()
        return np.stack((np.zeros(10), -GAINS * pull[1], natural))

    def lyapunov(self, t: float, x: np.ndarray) -> np.ndarray:
        """s^T M s / 2 and the distance of the estimate from the truth, for every law."""
        q, v, estimate = np.split(x, (7, 14), axis=-1)
        q_d, v_d, _ = reference(t)
        s = v - v_d + SLOPE * (q - q_d)
        kinetic = 0.5 * np.einsum("li,lij,lj->l", s, self.arm.mass_matrix(q), s)
        miss = estimate[1] - self.truth
        R = np.linalg.solve(inertia.pseudo_inertia(estimate[2]), inertia.pseudo_inertia(self.truth))
        bregman = (np.trace(R) - 4.0 - np.linalg.slogdet(R)[1]) / NATURAL
        return kinetic + np.array((0.0, 0.5 * miss @ (miss / GAINS), bregman))


def simulate(plant: Plant, duration: float, every: int = 10) -> Closed:
    """All laws side by side, from rest on the trajectory; a sample at every tenth step."""
    x = np.tile(np.concatenate((MIDDLE, np.zeros(7), plant.start)), (len(LAWS), 1))
    t, rows, levels = [], [], []
    for k in track(range(round(duration / STEP) + 1), "simulating", quiet=True):
        now = k * STEP
        if k % every == 0:
            t.append(now)
            rows.append(x)
            levels.append(plant.lyapunov(now, x))
        k1 = plant.flow(now, x)
        k2 = plant.flow(now + STEP / 2, x + STEP / 2 * k1)
        k3 = plant.flow(now + STEP / 2, x + STEP / 2 * k2)
        k4 = plant.flow(now + STEP, x + STEP * k3)
        x = x + STEP / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        if not np.all(np.isfinite(x)):
            raise SystemExit(f"the simulation diverged at {now:.3f} s; take a shorter step")
    states = np.array(rows)
    wanted = np.array([reference(moment)[0] for moment in t])
    error = states[..., :7] - wanted[:, None]
    return Closed(np.array(t), error, states[..., 14:], np.array(levels))


def summary(found: Closed, k: int) -> dict[str, float]:
    """Return a summary of law k: errors in rad in the first two seconds and the last one, etc.

    largest: of all estimates. eigenvalue: the least one of the estimate's pseudo-inertia; bodies
    that could exist have positive ones only. rise: the largest one of the Lyapunov function from
    sample to sample.
    """
    second = round(1.0 / (found.t[1] - found.t[0]))
    errors = np.linalg.norm(found.error[:, k], axis=1)
    eigenvalues = np.linalg.eigvalsh(inertia.pseudo_inertia(found.estimate[:, k]))
    return {
        "first": float(errors[: 2 * second].max()),
        "last": float(errors[-second:].max()),
        "mass": float(found.estimate[-1, k, 0]),
        "largest": float(np.abs(found.estimate[:, k]).max()),
        "eigenvalue": float(eigenvalues.min()),
        "rise": float(np.diff(found.lyapunov[:, k]).max()),
    }


def plot(path: Path, plant: Plant, found: Closed) -> None:
    """Tracking errors, estimated mass, and the Lyapunov functions."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(3, 1, sharex=True, figsize=(7.0, 8.0), layout="constrained")
    for k, law in enumerate(LAWS):
        axes[0].semilogy(
            found.t, np.maximum(np.abs(found.error[:, k]).max(axis=1), 1e-5), label=law
        )
        axes[1].semilogy(found.t, found.estimate[:, k, 0], label=law)
        if k:
            axes[2].semilogy(found.t, found.lyapunov[:, k], f"C{k}", label=law)
    axes[1].axhline(plant.truth[0], color="gray", linestyle=":", label="truth")
    axes[0].set(ylabel="largest error [rad]", title="Franka arm with an unknown payload of 3 kg")
    axes[1].set(ylabel="mass of the last link [kg]")
    axes[2].set(ylabel="Lyapunov function", xlabel="t [s]")
    for each in axes:
        each.grid(alpha=0.3)
        each.legend(fontsize="small")
    figure.savefig(path, dpi=150)
    plt.close(figure)
    print(f"wrote {path}")


def main(argv: Sequence[str] | None = None) -> dict[str, dict[str, float]]:
    """Simulate, print, plot; returns the `summary` of every law."""
    parser = argparse.ArgumentParser(description="Adaptive tracking with an unknown payload.")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "output")
    parser.add_argument("--quick", action="store_true", help="a shorter motion, for tests")
    options = parser.parse_args(argv)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jounce.ModelWarning)  # published inertias, rounded
        plant = Plant(jounce.load("franka"))
    begin = time.perf_counter()
    result = simulate(plant, 6.0 if options.quick else 30.0)
    print(f"simulated {result.t[-1]:.0f} s in {time.perf_counter() - begin:.1f} s")
    print(f"{'':<12}{'error at first':>16}{'at last':>14}{'mass':>14}{'least eigenvalue':>20}")
    results = {law: summary(result, k) for k, law in enumerate(LAWS)}
    for law, row in results.items():
        errors = f"{row['first']:>12.5f} rad{row['last']:>10.5f} rad"
        print(f"{law:<12}{errors}{row['mass']:>11.4f} kg{row['eigenvalue']:>20.5f}")
    print(f"{'truth':<12}{plant.truth[0]:>41.4f} kg")
    options.output.mkdir(parents=True, exist_ok=True)
    try:
        plot(options.output / "slotine_li.png", plant, result)
    except ImportError:
        print("no picture: Matplotlib is not installed")
    return results


if __name__ == "__main__":
    main()
