"""Train a policy by backpropagation through `robot.torch.rollout`: a Franka reaches for points.

A small network sees the joints, their velocities and the way from the hand to its target, and gives
accelerations, which the inverse dynamics turns into torques. The cost is the distance of the hand
to its target along the way and its speed at the end; its gradient goes back through all steps of
the simulation into the network. No reward is sampled, nothing is estimated.

    python examples/torch_policy.py [--quick]

Needs PyTorch.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import torch
from torch import Tensor, nn

import jounce
from jounce.utils.progress import track

STEPS, H = 25, 0.04  # a second
REACH = 0.25  # m, how far targets are at most along each axis
FASTEST = 20.0  # rad/s^2, what the network can ask for
DAMPING = 4.0  # 1/s
HOME = torch.tensor((0.0, -0.6, 0.0, -2.2, 0.0, 1.6, 0.8))


class Policy(nn.Module):
    """Torques from the state and the way to the target."""

    def __init__(self, robot: jounce.Robot) -> None:
        super().__init__()
        self.robot = robot
        self.net = nn.Sequential(
            nn.Linear(2 * robot.nv + 3, 64), nn.Tanh(), nn.Linear(64, robot.nv), nn.Tanh()
        )
        nn.init.zeros_(self.net[2].weight)
        nn.init.zeros_(self.net[2].bias)
        self.target = torch.zeros(3)

    def forward(self, k: int, q: Tensor, v: Tensor) -> Tensor:
        """The forces for what the network asks for, damped."""
        way = self.target - self.hand(q)
        requested = FASTEST * self.net(torch.cat((q - HOME, v, 5.0 * way), dim=-1))
        return self.robot.torch.inverse_dynamics(q, v, requested - DAMPING * v)

    def hand(self, q: Tensor) -> Tensor:
        """Return the position of the hand (..., 3)."""
        frame = self.robot.model.frame_names[-1]
        return self.robot.torch.frame(frame).pose(q)[..., :3, 3]


def cost(policy: Policy, targets: Tensor) -> tuple[Tensor, Tensor]:
    """The cost, and how far the hand is from its targets at the end, m."""
    policy.target = targets
    q0 = HOME.expand(len(targets), -1)
    q, v = policy.robot.torch.rollout(q0, torch.zeros_like(q0), h=H, policy=policy, steps=STEPS)
    away = (policy.hand(q) - targets[:, None]).norm(dim=-1)
    others = v[:, -1].square().mean(dim=-1)
    return (away[:, STEPS // 2 :].mean(dim=-1) + 0.02 * others).mean(), away[:, -1].mean()


def main(arguments: Sequence[str] | None = None) -> dict[str, float]:
    """Run the example; distances before and after, m."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer steps")
    steps = 60 if parser.parse_args(arguments).quick else 400
    torch.manual_seed(0)
    torch.set_num_threads(1)  # these tensors are too small to be shared among threads
    policy = Policy(jounce.load("franka"))
    home = policy.hand(HOME[None])
    draw = lambda count: home + REACH * (2.0 * torch.rand(count, 3) - 1.0)  # noqa: E731
    unseen = draw(64)
    before, start = (x.item() for x in cost(policy, unseen))
    optimizer = torch.optim.Adam(policy.parameters(), lr=3e-3)
    for _ in track(range(steps), "learning"):
        optimizer.zero_grad()
        cost(policy, draw(32))[0].backward()
        nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
        optimizer.step()
    after, end = (x.item() for x in cost(policy, unseen))
    print(f"cost of targets never seen: {before:.3f} before, {after:.3f} after")
    print(f"distance of the hand at the end: {start:.3f} m before, {end:.3f} m after")
    return {"before": before, "after": after, "distance": end}


if __name__ == "__main__":
    main()
