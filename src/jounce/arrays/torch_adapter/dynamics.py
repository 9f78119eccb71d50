"""A robot as a module whose numbers are learnt, and stay those of a robot that could exist.

Inertias are log-Cholesky coordinates (Rucker and Wensing 2022), friction and armature softplus of
what the optimiser changes: whatever it does, masses and moments are positive, the triangle
inequalities hold, and drives do not push. Forces are those that the motors must give,

    tau = M a + C v + g + damping v + friction v / sqrt(v^2 + smoothing^2),

which is robot.motor_forces with Coulomb friction that fades at low speed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn

from jounce.arrays.declared import RobotQuantities
from jounce.arrays.torch_adapter import rollout
from jounce.arrays.torch_adapter.library import LIBRARY, from_log_cholesky
from jounce.arrays.torch_adapter.rollout import Policy
from jounce.errors import ArgumentError, ModelError, ModelWarning, printable, suggest, warn
from jounce.formulas.elastic import coordinates
from jounce.model.inertia import from_pseudo_inertia, log_cholesky, pseudo_inertia

if TYPE_CHECKING:
    from jounce.robot import Robot

#: What can be learnt.
LEARNT = ("inertia", "friction", "armature")

#: Numbers of the drives, and what must be learnt for them to be.
_DRIVES = {"damping": "friction", "friction": "friction", "armature": "armature"}

#: What damping, friction and armature that are to be learnt are at least at the start: at zero
#: there would be nothing to follow.
_LEAST = 1e-2

#: Least length that counts as the size of a body (m).
_SMALLEST = 1e-2


class Dynamics(nn.Module):
    """The dynamics of a robot with parameters to learn, among the inertia, friction and armature.

    learn: which. links: names of the bodies whose inertias are learnt, by default all that have a
    mass. smoothing: speed (rad/s, m/s) below which Coulomb friction fades. margin: bodies that are
    flat, or cannot exist, have no log-Cholesky coordinates; they are made rounder first, until the
    eigenvalues of their pseudo-inertias, in units of their mass and size, are no less than that,
    and a ModelWarning names them. None refuses such bodies.

    Friction and armature that are zero start at 0.01 where they are learnt, which is where there
    are drives: not in free, spherical and planar joints. What is not learnt stays the robot's.
    Called itself, it gives the inverse dynamics.
    """

    _pi: Tensor
    _damping: Tensor
    _friction: Tensor
    _armature: Tensor
    _places: Tensor
    _driven: Tensor

    def __init__(
        self,
        robot: Robot,
        learn: Sequence[str] = ("inertia", "friction"),
        *,
        links: Sequence[str] | None = None,
        smoothing: float = 0.01,
        margin: float | None = 1e-4,
    ) -> None:
        super().__init__()
        self._check(robot, learn, smoothing)
        self.robot = robot
        self.learn = tuple(learn)
        self.smoothing = float(smoothing)
        numbers = _drives(robot)
        self.register_buffer("_pi", _tensor(robot.model.parameters))
        places = _places(robot, links) if "inertia" in learn else []
        driven = [k for k, place in enumerate(coordinates(robot.tree)) if place is not None]
        for name, where in (("_places", places), ("_driven", driven)):  # which move with the rest
            found = torch.tensor(where, dtype=torch.int64, device="cpu")
            self.register_buffer(name, found, persistent=False)
        if "inertia" in learn:
            start = _coordinates(robot, places, margin)
            self.inertia_coordinates = nn.Parameter(_tensor(start))
        for name, group in _DRIVES.items():
            start = _tensor(numbers[name])
            self.register_buffer(f"_{name}", start)
            if group in learn:
                start = _softplus_inverse(start[self._driven].clamp(min=_LEAST))
                self.register_parameter(f"{name}_coordinates", nn.Parameter(start))

    @staticmethod
    def _check(robot: Any, learn: Any, smoothing: float) -> None:
        if not isinstance(robot, RobotQuantities):
            raise TypeError(
                f"Dynamics: expected a jounce.Robot, found {type(robot).__name__}; of mechanisms,"
                " robot.torch.parametric takes the parameters that from_log_cholesky gives"
            )
        unknown = [learn] if isinstance(learn, str) else [x for x in learn if x not in LEARNT]
        if unknown:
            raise ArgumentError(
                f"Dynamics: learn must be a sequence of some of {', '.join(LEARNT)}, found"
                f" {unknown[0]!r}"
            )
        if not smoothing > 0.0:
            raise ArgumentError(f"Dynamics: smoothing must be a speed > 0, found {smoothing!r}")

    # -------------------------------------------------------------- numbers

    @property
    def pi(self) -> Tensor:
        """Inertial parameters (nb, 10) as they are now."""
        if "inertia" not in self.learn:
            return self._pi
        learnt = from_log_cholesky(self.inertia_coordinates)
        return self._pi.index_copy(0, self._places, learnt)

    @property
    def damping(self) -> Tensor:
        """Viscous friction (nv,) as it is now."""
        return self._drive("damping")

    @property
    def friction(self) -> Tensor:
        """Coulomb friction (nv,) as it is now."""
        return self._drive("friction")

    @property
    def armature(self) -> Tensor:
        """Armature (nv,) as it is now."""
        return self._drive("armature")

    def _drive(self, name: str) -> Tensor:
        own: Tensor = getattr(self, f"_{name}")
        if _DRIVES[name] not in self.learn:
            return own
        learnt = nn.functional.softplus(getattr(self, f"{name}_coordinates"))
        return own.index_copy(0, self._driven, learnt)

    def joint_friction(self, v: Tensor) -> Tensor:
        """Friction (..., nv) at velocities."""
        v = LIBRARY.array(v, "Dynamics: argument 'v'")
        fading = v / torch.sqrt(v * v + self.smoothing**2)
        return self.damping * v + self.friction * fading

    def to_robot(self) -> Robot:
        """The robot with the numbers as they are now."""
        with torch.no_grad():
            found = (self.pi, self.armature, self.damping, self.friction)
            pi, armature, damping, friction = (x.double().cpu().numpy() for x in found)
        return self.robot.edit.with_parameters(
            pi, armature=armature, damping=damping, friction=friction
        )

    # -------------------------------------------------------------- dynamics

    def forward(self, q: Tensor, v: Tensor, a: Tensor, wrenches: Any = None) -> Tensor:
        """The inverse dynamics."""
        return self.inverse_dynamics(q, v, a, wrenches)

    def inverse_dynamics(self, q: Tensor, v: Tensor, a: Tensor, wrenches: Any = None) -> Tensor:
        """Forces (..., nv) that the motors must give, friction included."""
        rigid = self.robot.torch.parametric.inverse_dynamics(q, v, a, self.pi, wrenches=wrenches)
        if "armature" in self.learn:
            a = LIBRARY.array(a, "Dynamics: argument 'a'")
            rigid = rigid + (self.armature - self._armature) * a
        return rigid + self.joint_friction(v)

    def forward_dynamics(self, q: Tensor, v: Tensor, tau: Tensor, wrenches: Any = None) -> Tensor:
        """Accelerations (..., nv) for forces that the motors give."""
        left = tau - self.joint_friction(v)
        table = self.robot.torch.parametric
        if "armature" not in self.learn:
            return table.forward_dynamics(q, v, left, self.pi, wrenches=wrenches)
        rest = torch.zeros_like(v)
        bias = table.inverse_dynamics(q, v, rest, self.pi, wrenches=wrenches)
        return _solved(self.mass_matrix(q), left - bias)

    def mass_matrix(self, q: Tensor) -> Tensor:
        """The mass matrix (..., nv, nv), armature included."""
        found = self.robot.torch.parametric.mass_matrix(q, self.pi)
        if "armature" in self.learn:
            found = found + torch.diag(self.armature - self._armature)
        return found

    def step(
        self, q: Tensor, v: Tensor, tau: Tensor, h: Any, wrenches: Any = None
    ) -> tuple[Tensor, Tensor]:
        """q and v after h seconds, by semi-implicit Euler, with the forces held."""
        time = h.unsqueeze(-1) if isinstance(h, Tensor) else h
        v = v + time * self.forward_dynamics(q, v, tau, wrenches)
        return self.robot.torch.integrate(q, time * v), v

    def rollout(
        self,
        q0: Any,
        v0: Any,
        taus: Any = None,
        h: Any = None,
        wrenches: Any = None,
        *,
        policy: Policy | None = None,
        steps: int | None = None,
        checkpoint: bool = False,
    ) -> tuple[Tensor, Tensor]:
        """Configurations and velocities (..., T + 1, n), as robot.torch.rollout gives them."""
        title = f"{printable(self.robot.name)}: Dynamics.rollout"
        values = q0, v0, taus, h, wrenches
        return rollout.roll_out(title, self.robot, self.step, values, policy, steps, checkpoint)

    def extra_repr(self) -> str:
        """What it is about, for print."""
        return printable(f"{self.robot.name}, learn={self.learn}")


def _solved(M: Tensor, force: Tensor) -> Tensor:
    """Accelerations (..., nv) of a mass matrix (..., nv, nv) under forces (..., nv).

    On a GPU nothing waits for word of whether M has a factor: without one, they are NaN.
    """
    if M.is_cpu:
        factor = torch.linalg.cholesky(M)
    else:
        factor, failed = torch.linalg.cholesky_ex(M)
        factor = factor.where((failed == 0)[..., None, None], torch.nan)
    return torch.cholesky_solve(force.unsqueeze(-1), factor).squeeze(-1)


# ------------------------------------------------------------------ where it starts


def _drives(robot: Robot) -> dict[str, np.ndarray]:
    """Armature, damping and friction (nv,) as seen at each entry of v, followers included."""
    armature = robot.parametric.mass_matrix(robot.neutral(), np.zeros((robot.nb, 10)))
    speeds = np.ones(robot.nv)
    damping = np.diagonal(robot.joint_friction.dv(speeds))
    found = {
        "armature": np.diagonal(armature),
        "damping": damping,
        "friction": robot.joint_friction(speeds) - damping,
    }
    return {name: np.maximum(x, 0.0) for name, x in found.items()}


def _places(robot: Robot, links: Sequence[str] | None) -> list[int]:
    """Which bodies are learnt."""
    names, masses = robot.model.body_names, robot.model.parameters[:, 0]
    if links is None:
        return [k for k, mass in enumerate(masses) if mass > 0.0]
    for name in links:
        if name not in names:
            raise ArgumentError(
                f"Dynamics: robot '{robot.name}' has no body {name!r}; {suggest(name, names)}"
            )
        mass = masses[names.index(name)]
        if not mass > 0.0:
            raise ModelError(
                f"Dynamics: body '{printable(name)}' has the mass {mass}, and coordinates only if"
                " it has one; give it a mass, or choose other bodies with links="
            )
    return [names.index(name) for name in links]


def _coordinates(robot: Robot, places: Sequence[int], margin: float | None) -> np.ndarray:
    """Log-Cholesky coordinates (n, 10) of bodies, after flat ones were made rounder."""
    found, changed = [], []
    for k in places:
        pi, least = _rounded(robot.model.parameters[k], margin or 0.0)
        name = printable(robot.model.body_names[k])
        if margin is None and not least > 0.0:
            raise ModelError(
                f"Dynamics: body '{name}' is not physically consistent, or is flat: its"
                f" pseudo-inertia has the eigenvalue {least:.1e} in units of its mass and"
                " size; give margin=1e-3 to make such bodies rounder first, or choose other bodies"
                " with links="
            )
        if least < (margin or 0.0):
            changed.append(name)
        found.append(log_cholesky(pi))
    if changed:
        warn(
            f"Dynamics: {', '.join(changed)} of '{printable(robot.name)}' are not physically"
            f" consistent, or are flat: learning starts at rounder bodies, by margin={margin:g}",
            ModelWarning,
        )
    return np.array(found).reshape(-1, 10)


def _rounded(pi: np.ndarray, margin: float) -> tuple[np.ndarray, float]:
    """Parameters (10,) with eigenvalues of the pseudo-inertia of at least `margin`, in own units.

    And the least of these eigenvalues as they were.
    """
    J = pseudo_inertia(pi)
    size = np.sqrt(max(np.trace(J[:3, :3]) / pi[0], _SMALLEST**2))
    scale = np.sqrt(pi[0]) * np.array((size, size, size, 1.0))
    unit = np.outer(scale, scale)
    s, V = np.linalg.eigh(J / unit)
    if s[0] >= margin:
        return pi, float(s[0])
    return from_pseudo_inertia((V * np.maximum(s, margin)) @ V.T * unit), float(s[0])


def _tensor(x: np.ndarray) -> Tensor:
    """Numbers as a tensor on the CPU, whatever PyTorch's default is."""
    return torch.tensor(x, dtype=torch.float64, device="cpu")


def _softplus_inverse(x: Tensor) -> Tensor:
    return x + torch.log(-torch.expm1(-x))
