"""Robot dynamics as a PyTorch module with trainable, physically consistent parameters.

Trainable are log-Cholesky coordinates of the inertias (Rucker and Wensing 2022), and the inverse
softplus of friction and armature. For any values of these, masses and moments are positive, the
triangle inequalities hold, and friction dissipates. The motor forces are

    tau = M a + C v + g + damping v + friction v / sqrt(v^2 + smoothing^2),

that is robot.motor_forces with smoothed Coulomb friction.
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

#: Groups of parameters that can be learned.
LEARNT = ("inertia", "friction", "armature")

#: Drive parameters, each with its group in `LEARNT`.
_DRIVES = {"damping": "friction", "friction": "friction", "armature": "armature"}

#: Least initial value of learned damping, friction and armature, since gradients vanish at zero.
_MIN_START = 1e-2

#: Least size of a body (m).
_MIN_SIZE = 1e-2


class Dynamics(nn.Module):
    """Dynamics of a robot as a module with trainable inertia, friction and armature.

    Parameters
    ----------
    robot : Robot
        The robot.
    learn : sequence of {"inertia", "friction", "armature"}
        Groups of parameters to train; all others are those of the robot.
    links : sequence of str, optional
        Bodies whose inertias are trained, by default all that have a mass.
    smoothing : float
        Speed (rad/s, m/s) below which Coulomb friction fades: v / sqrt(v^2 + smoothing^2).
    margin : float or None
        Least eigenvalue of pseudo-inertias at the start, in units of mass and size. Bodies below
        (flat or physically inconsistent ones, which have no log-Cholesky coordinates) are modified
        to reach it, and a ModelWarning names them. None raises an error for such bodies.

    Notes
    -----
    Trained friction and armature start at 0.01 or more. They exist in joints with drives, not in
    free, spherical and planar joints. Calling the module computes the inverse dynamics.
    """

    _pi: Tensor
    _damping: Tensor
    _friction: Tensor
    _armature: Tensor
    _learned_bodies: Tensor
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
        numbers = _drive_parameters(robot)
        self.register_buffer("_pi", _tensor(robot.model.parameters))
        places = _body_indices(robot, links) if "inertia" in learn else []
        driven = [k for k, place in enumerate(coordinates(robot.tree)) if place is not None]
        for name, bodies in (
            ("_learned_bodies", places),
            ("_driven", driven),
        ):  # buffers move with the module
            indices = torch.tensor(bodies, dtype=torch.int64, device="cpu")
            self.register_buffer(name, indices, persistent=False)
        if "inertia" in learn:
            start = _start_coordinates(robot, places, margin)
            self.inertia_coordinates = nn.Parameter(_tensor(start))
        for name, group in _DRIVES.items():
            start = _tensor(numbers[name])
            self.register_buffer(f"_{name}", start)
            if group in learn:
                start = _softplus_inverse(start[self._driven].clamp(min=_MIN_START))
                self.register_parameter(f"{name}_coordinates", nn.Parameter(start))

    @staticmethod
    def _check(robot: Any, learn: Any, smoothing: float) -> None:
        if not isinstance(robot, RobotQuantities):
            raise TypeError(
                f"Dynamics: expected a jounce.Robot, found {type(robot).__name__}; for mechanisms,"
                " pass parameters of from_log_cholesky to the functions of torch.parametric"
            )
        unknown = [learn] if isinstance(learn, str) else [x for x in learn if x not in LEARNT]
        if unknown:
            raise ArgumentError(
                f"Dynamics: learn must be a sequence of names among {', '.join(LEARNT)}, found"
                f" {unknown[0]!r}"
            )
        if not smoothing > 0.0:
            raise ArgumentError(f"Dynamics: smoothing must be a speed > 0, found {smoothing!r}")

    # -------------------------------------------------------------- numbers

    @property
    def pi(self) -> Tensor:
        """Current inertial parameters (nb, 10)."""
        if "inertia" not in self.learn:
            return self._pi
        learnt = from_log_cholesky(self.inertia_coordinates)
        return self._pi.index_copy(0, self._learned_bodies, learnt)

    @property
    def damping(self) -> Tensor:
        """Current viscous friction (nv,) (N m s/rad, N s/m)."""
        return self._drive("damping")

    @property
    def friction(self) -> Tensor:
        """Current Coulomb friction (nv,) (N m, N)."""
        return self._drive("friction")

    @property
    def armature(self) -> Tensor:
        """Current armature (nv,) (kg m^2, kg)."""
        return self._drive("armature")

    def _drive(self, name: str) -> Tensor:
        initial: Tensor = getattr(self, f"_{name}")
        if _DRIVES[name] not in self.learn:
            return initial
        learnt = nn.functional.softplus(getattr(self, f"{name}_coordinates"))
        return initial.index_copy(0, self._driven, learnt)

    def joint_friction(self, v: Tensor) -> Tensor:
        """Return the joint friction, with smoothed Coulomb friction.

        Parameters
        ----------
        v : Tensor (..., nv)
            Velocities (rad/s, m/s).

        Returns
        -------
        Tensor (..., nv)
            Forces damping v + friction v / sqrt(v^2 + smoothing^2) (N m, N).
        """
        v = LIBRARY.array(v, "Dynamics: argument 'v'")
        fading = v / torch.sqrt(v * v + self.smoothing**2)
        return self.damping * v + self.friction * fading

    def to_robot(self) -> Robot:
        """Return a robot with the current parameters.

        Returns
        -------
        Robot
            A copy of the robot with inertia, friction and armature of the module.
        """
        with torch.no_grad():
            parameters = (self.pi, self.armature, self.damping, self.friction)
            pi, armature, damping, friction = (x.double().cpu().numpy() for x in parameters)
        return self.robot.edit.with_parameters(
            pi, armature=armature, damping=damping, friction=friction
        )

    # -------------------------------------------------------------- dynamics

    def forward(self, q: Tensor, v: Tensor, a: Tensor, wrenches: Any = None) -> Tensor:
        """Compute the inverse dynamics; see `inverse_dynamics`.

        Parameters
        ----------
        q, v, a : Tensor (..., nq), (..., nv), (..., nv)
            Configuration, velocity and acceleration.
        wrenches : Tensor (..., nb, 6) or {frame: (..., 6)}, optional
            External wrenches (moment, force) on the bodies.

        Returns
        -------
        Tensor (..., nv)
            Generalized forces.
        """
        return self.inverse_dynamics(q, v, a, wrenches)

    def inverse_dynamics(self, q: Tensor, v: Tensor, a: Tensor, wrenches: Any = None) -> Tensor:
        """Compute the motor forces of a motion, including friction.

        Parameters
        ----------
        q, v, a : Tensor (..., nq), (..., nv), (..., nv)
            Configuration, velocity and acceleration.
        wrenches : Tensor (..., nb, 6) or {frame: (..., 6)}, optional
            External wrenches (moment, force) on the bodies.

        Returns
        -------
        Tensor (..., nv)
            Generalized forces M a + C v + g + friction (N m, N).
        """
        rigid = self.robot.torch.parametric.inverse_dynamics(q, v, a, self.pi, wrenches=wrenches)
        if "armature" in self.learn:
            a = LIBRARY.array(a, "Dynamics: argument 'a'")
            rigid = rigid + (self.armature - self._armature) * a
        return rigid + self.joint_friction(v)

    def forward_dynamics(self, q: Tensor, v: Tensor, tau: Tensor, wrenches: Any = None) -> Tensor:
        """Compute the acceleration under motor forces, including friction.

        Parameters
        ----------
        q, v, tau : Tensor (..., nq), (..., nv), (..., nv)
            Configuration, velocity and generalized motor forces (N m, N).
        wrenches : Tensor (..., nb, 6) or {frame: (..., 6)}, optional
            External wrenches (moment, force) on the bodies.

        Returns
        -------
        Tensor (..., nv)
            Acceleration (rad/s^2, m/s^2).
        """
        net = tau - self.joint_friction(v)
        table = self.robot.torch.parametric
        if "armature" not in self.learn:
            return table.forward_dynamics(q, v, net, self.pi, wrenches=wrenches)
        zero = torch.zeros_like(v)
        bias = table.inverse_dynamics(q, v, zero, self.pi, wrenches=wrenches)
        return _solve_mass_matrix(self.mass_matrix(q), net - bias)

    def mass_matrix(self, q: Tensor) -> Tensor:
        """Compute the mass matrix, including armature.

        Parameters
        ----------
        q : Tensor (..., nq)
            Configuration.

        Returns
        -------
        Tensor (..., nv, nv)
            Mass matrix (kg m^2, kg m, kg).
        """
        M = self.robot.torch.parametric.mass_matrix(q, self.pi)
        if "armature" in self.learn:
            M = M + torch.diag(self.armature - self._armature)
        return M

    def step(
        self, q: Tensor, v: Tensor, tau: Tensor, h: Any, wrenches: Any = None
    ) -> tuple[Tensor, Tensor]:
        """Integrate one time step by the semi-implicit Euler method.

        Parameters
        ----------
        q, v, tau : Tensor (..., nq), (..., nv), (..., nv)
            Configuration, velocity and generalized motor forces, constant during the step.
        h : float or Tensor (...)
            Time step (s).
        wrenches : Tensor (..., nb, 6) or {frame: (..., 6)}, optional
            External wrenches (moment, force) on the bodies.

        Returns
        -------
        tuple of Tensor (..., nq), (..., nv)
            Configuration and velocity after the step.
        """
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
        """Simulate a motion step by step, with gradients through all steps.

        Parameters
        ----------
        q0, v0 : Tensor (..., nq), (..., nv)
            Initial state.
        taus : Tensor (..., T, nv)
            Generalized forces, constant during each step.
        h : float or Tensor (...)
            Time step (s).
        wrenches : Tensor (..., T, nb, 6) or {frame: (..., T, 6)}, optional
            External wrenches on the bodies, constant during each step.
        policy : callable
            Instead of `taus`: policy(k, q, v) returns the forces (..., nv) before step k.
        steps : int
            Number of steps, with a policy.
        checkpoint : bool
            Store about 2 sqrt(T) states for gradients, and recompute the others.

        Returns
        -------
        tuple of Tensor (..., T + 1, nq), (..., T + 1, nv)
            Configurations and velocities, the initial ones first.
        """
        title = f"{printable(self.robot.name)}: Dynamics.rollout"
        values = q0, v0, taus, h, wrenches
        return rollout.roll_out(title, self.robot, self.step, values, policy, steps, checkpoint)

    def extra_repr(self) -> str:
        """Return the robot and the trained groups, for `print`.

        Returns
        -------
        str
            Such as "panda, learn=('inertia',)".
        """
        return printable(f"{self.robot.name}, learn={self.learn}")


def _solve_mass_matrix(M: Tensor, force: Tensor) -> Tensor:
    """Solve M a = f by Cholesky: M (..., nv, nv), f and a (..., nv).

    On a GPU, where checking would synchronize, a is NaN if M is not positive definite.
    """
    if M.is_cpu:
        factor = torch.linalg.cholesky(M)
    else:
        factor, failed = torch.linalg.cholesky_ex(M)
        factor = factor.where((failed == 0)[..., None, None], torch.nan)
    return torch.cholesky_solve(force.unsqueeze(-1), factor).squeeze(-1)


# ------------------------------------------------------------------ initial values


def _drive_parameters(robot: Robot) -> dict[str, np.ndarray]:
    """Return armature, damping and friction (nv,) at each entry of v, including mimic joints."""
    armature = robot.parametric.mass_matrix(robot.neutral(), np.zeros((robot.nb, 10)))
    speeds = np.ones(robot.nv)
    damping = np.diagonal(robot.joint_friction.dv(speeds))
    parameters = {
        "armature": np.diagonal(armature),
        "damping": damping,
        "friction": robot.joint_friction(speeds) - damping,
    }
    return {name: np.maximum(x, 0.0) for name, x in parameters.items()}


def _body_indices(robot: Robot, links: Sequence[str] | None) -> list[int]:
    """Return the indices of the bodies whose inertias are trained."""
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
                f"Dynamics: body '{printable(name)}' must have a mass > 0, found {mass}; set its"
                " mass, or choose other bodies with links="
            )
    return [names.index(name) for name in links]


def _start_coordinates(robot: Robot, places: Sequence[int], margin: float | None) -> np.ndarray:
    """Return log-Cholesky coordinates (n, 10) of bodies, made consistent by `margin`."""
    rows, changed = [], []
    for k in places:
        pi, least = _make_consistent(robot.model.parameters[k], margin or 0.0)
        name = printable(robot.model.body_names[k])
        if margin is None and not least > 0.0:
            raise ModelError(
                f"Dynamics: body '{name}' is flat or not physically consistent: its pseudo-inertia"
                f" has the eigenvalue {least:.1e} in units of its mass and size; pass margin=1e-3"
                " to modify such bodies, or choose other bodies with links="
            )
        if least < (margin or 0.0):
            changed.append(name)
        rows.append(log_cholesky(pi))
    if changed:
        warn(
            f"Dynamics: bodies {', '.join(changed)} of '{printable(robot.name)}' are flat or not"
            f" physically consistent; training starts at modified inertias, by margin={margin:g}",
            ModelWarning,
        )
    return np.array(rows).reshape(-1, 10)


def _make_consistent(pi: np.ndarray, margin: float) -> tuple[np.ndarray, float]:
    """Return parameters (10,) with eigenvalues of the scaled pseudo-inertia of at least `margin`.

    Also returns the least eigenvalue before.
    """
    J = pseudo_inertia(pi)
    size = np.sqrt(max(np.trace(J[:3, :3]) / pi[0], _MIN_SIZE**2))
    scale = np.sqrt(pi[0]) * np.array((size, size, size, 1.0))
    unit = np.outer(scale, scale)
    s, V = np.linalg.eigh(J / unit)
    if s[0] >= margin:
        return pi, float(s[0])
    return from_pseudo_inertia((V * np.maximum(s, margin)) @ V.T * unit), float(s[0])


def _tensor(x: np.ndarray) -> Tensor:
    """Return numbers as a float64 tensor on the CPU, independent of PyTorch's defaults."""
    return torch.tensor(x, dtype=torch.float64, device="cpu")


def _softplus_inverse(x: Tensor) -> Tensor:
    return x + torch.log(-torch.expm1(-x))
