"""Identify a KUKA LBR iiwa from trajectories with Adam, through `jounce.torch.Dynamics`.

The robot that is measured has other masses, inertias and friction than its description. Joints
follow random Fourier series; torques are measured with noise. `Dynamics` takes the description as
its start, and gradient descent changes log-Cholesky coordinates of all inertias and the logarithms
of friction: every robot on the way is one that could exist. What is left of the error on other
trajectories is reported, and the result is a robot again.

    python examples/torch_identify.py [--quick]

Needs PyTorch.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
import torch

import jounce
from jounce.arrays.torch_adapter import Dynamics
from jounce.utils.progress import track

NOISE = 0.1  # N m
HARMONICS = 5
DURATION = 10.0  # s


def make_true_robot(robot: jounce.Robot, rng: np.random.Generator) -> jounce.Robot:
    """Return a robot with heavier, asymmetric links and with friction."""
    other = np.array([jounce.inertia.box((0.1, 0.12, 0.2), mass=0.6)] * robot.nb)
    shifted = jounce.inertia.translate(other, rng.uniform(-0.08, 0.08, (robot.nb, 3)))
    return robot.edit.with_parameters(
        robot.model.parameters * rng.uniform(0.85, 1.15, (robot.nb, 1)) + shifted,
        damping=rng.uniform(0.5, 2.0, robot.nv),
        friction=rng.uniform(0.5, 2.0, robot.nv),
    )


def trajectory(
    robot: jounce.Robot, rng: np.random.Generator, samples: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """q, v, a (samples, nv) of a random Fourier series."""
    t = np.linspace(0.0, DURATION, samples)[:, None]
    q, v, a = np.zeros((3, samples, robot.nv))
    for k in range(1, HARMONICS + 1):
        w = 2.0 * np.pi * k / DURATION
        size, phase = rng.normal(size=(2, robot.nv))
        q += size / k * np.sin(w * t + 3.0 * phase)
        v += size / k * w * np.cos(w * t + 3.0 * phase)
        a -= size / k * w**2 * np.sin(w * t + 3.0 * phase)
    return q, v, a


def data(
    robot: jounce.Robot, rng: np.random.Generator, trajectories: int, samples: int
) -> tuple[torch.Tensor, ...]:
    """q, v, a and measured torques of several trajectories, as tensors."""
    parts = [trajectory(robot, rng, samples) for _ in range(trajectories)]
    q, v, a = (np.concatenate(x) for x in zip(*parts, strict=True))
    tau = robot.motor_forces(q, v, a)
    tau += NOISE * rng.normal(size=tau.shape)
    return tuple(map(torch.tensor, (q, v, a, tau)))


def error(model: torch.nn.Module, given: tuple[torch.Tensor, ...]) -> float:
    """Root mean square of what is left of the torques, N m."""
    with torch.no_grad():
        return float((model(*given[:3]) - given[3]).square().mean().sqrt())


def train(model: torch.nn.Module, given: tuple[torch.Tensor, ...], steps: int) -> None:
    """Adam on the mean square error, with a rate that falls to zero."""
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    for _ in track(range(steps), "learning"):
        optimizer.zero_grad()
        loss = (model(*given[:3]) - given[3]).square().mean()
        loss.backward()
        optimizer.step()
        schedule.step()


def main(arguments: Sequence[str] | None = None) -> dict[str, float]:
    """Run the example; what it reports, by name."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer steps")
    quick = parser.parse_args(arguments).quick
    torch.set_num_threads(1)  # these tensors are too small to be shared among threads
    described = jounce.load("kuka_iiwa14")
    rng = np.random.default_rng(0)
    truth = make_true_robot(described, rng)
    seen, unseen = data(truth, rng, 4, 250), data(truth, rng, 2, 250)
    model = Dynamics(described, learn=("inertia", "friction"), margin=1e-3)
    before = error(model, unseen)
    train(model, seen, 400 if quick else 3000)
    after = error(model, unseen)
    print(f"torque error on other trajectories: {before:.2f} N m before, {after:.3f} N m after")
    print(f"noise of the measurements: {NOISE:.3f} N m")
    result = model.to_robot()
    masses = ", ".join(f"{x:.2f}" for x in result.model.parameters[:, 0])
    print(f"masses of {result}: {masses} kg")
    return {"before": before, "after": after, "noise": NOISE}


if __name__ == "__main__":
    main()
