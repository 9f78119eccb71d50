"""Controllers of rigid robots: gravity compensation, PD+, computed torque, passivity-based control.

Errors are those of `TracedModel.tracking_error`: e leads from q to q_d, and the reference velocity
v_d and its rate a_d are at q, so that the laws hold for spherical and free joints too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from numpy.typing import ArrayLike

from jounce.control.controller import Controller, per_joint
from jounce.control.traced_model import TracedModel
from jounce.math import scalar
from jounce.model import Node
from jounce.robot import Robot
from jounce.solve import Mechanism


def _gravity_compensation(
    model: TracedModel, state: Any, measurement: Any, reference: Any, gains: Any
) -> Any:
    """Gravity compensation with damping: tau = g - kd v."""
    q, v = measurement
    return model.gravity_forces(q) - gains.kd * v, state


def gravity_compensation(robot: Robot | Mechanism, *, kd: ArrayLike = 0.0) -> Controller:
    """Return gravity compensation with damping, tau = g(q) - kd v.

    Parameters
    ----------
    robot : Robot or Mechanism
        Model of the robot.
    kd : array_like (nv,) or float
        Damping in N m s/rad or N s/m.

    Returns
    -------
    Controller
        state (), measurement (q, v), reference ().
    """
    gains = per_joint(robot, kd=kd)
    return Controller(
        robot, _gravity_compensation, gains=gains, reference={}, name="gravity_compensation"
    )


def _pd_plus(model: TracedModel, state: Any, measurement: Any, reference: Any, gains: Any) -> Any:
    """PD+ control: tau = M a_d + C v_d + g + kp e + kd (v_d - v)."""
    q, v = measurement
    e, _, v_d, a_d = model.tracking_error(q, v, *reference)
    M, C, g = model.equations_of_motion(q, v)
    return M @ a_d + C @ v_d + g + gains.kp * e + gains.kd * (v_d - v), state


def pd_plus(robot: Robot | Mechanism, kp: ArrayLike, kd: ArrayLike) -> Controller:
    """Return PD control with model-based feedforward, globally stable without inverting M.

    tau = M(q) a_d + C(q, v) v_d + g(q) + kp e + kd (v_d - v). The energy
    (v_d - v)^T M (v_d - v) / 2 + e^T kp e / 2 decreases at the rate (v_d - v)^T kd (v_d - v),
    because dM/dt = C + C^T.

    Parameters
    ----------
    robot : Robot or Mechanism
        Model of the robot.
    kp, kd : array_like (nv,) or float
        Stiffness and damping, in N m/rad and N m s/rad, or N/m and N s/m. The energy decreases as
        above if kp is the same for the three velocities of a spherical joint and no joint is free.

    Returns
    -------
    Controller
        state (), measurement (q, v), reference (q_d, v_d, a_d).

    References
    ----------
    Paden, Panja: Globally asymptotically stable 'PD+' controller for robot manipulators, 1988.
    """
    return Controller(robot, _pd_plus, gains=per_joint(robot, kp=kp, kd=kd), name="pd_plus")


def _computed_torque(
    model: TracedModel, state: Any, measurement: Any, reference: Any, gains: Any
) -> Any:
    """Computed torque: tau = M (a_d + kd (v_d - v) + kp e) + C v + g."""
    q, v = measurement
    e, _, v_d, a_d = model.tracking_error(q, v, *reference)
    return model.inverse_dynamics(q, v, a_d + gains.kd * (v_d - v) + gains.kp * e), state


def computed_torque(robot: Robot | Mechanism, kp: ArrayLike, kd: ArrayLike) -> Controller:
    """Return computed-torque control, which makes errors decay as d2e/dt2 + kd de/dt + kp e = 0.

    tau = M(q) (a_d + kd (v_d - v) + kp e) + C(q, v) v + g(q).

    Parameters
    ----------
    robot : Robot or Mechanism
        Model of the robot.
    kp, kd : array_like (nv,) or float
        Gains in 1/s^2 and 1/s; kd = 2 sqrt(kp) damps critically.

    Returns
    -------
    Controller
        state (), measurement (q, v), reference (q_d, v_d, a_d).
    """
    gains = per_joint(robot, kp=kp, kd=kd)
    return Controller(robot, _computed_torque, gains=gains, name="computed_torque")


def _slotine_li(
    model: TracedModel, state: Any, measurement: Any, reference: Any, gains: Any
) -> Any:
    """Passivity-based tracking of Slotine and Li: tau = M a_r + C v_r + g + kd s."""
    q, v = measurement
    v_r, a_r = reference_motion(model, q, v, reference, gains.lam)
    M, C, g = model.equations_of_motion(q, v)
    return M @ a_r + C @ v_r + g + gains.kd * (v_r - v), state


def reference_motion(
    model: TracedModel, q: Any, v: Any, reference: Any, lam: Any
) -> tuple[Any, Any]:
    """Return v_r = v_d + lam e and its rate; v = v_r makes the error decay as de/dt = -lam e."""
    e, e_rate, v_d, a_d = model.tracking_error(q, v, *reference)
    return v_d + lam * e, a_d + lam * e_rate


def slotine_li(robot: Robot | Mechanism, kd: ArrayLike, lam: ArrayLike) -> Controller:
    """Return passivity-based tracking control.

    tau = M(q) a_r + C(q, v) v_r + g(q) + kd s with v_r = v_d + lam e and s = v_r - v. The energy
    s^T M s / 2 decreases at the rate s^T kd s, because dM/dt = C + C^T.

    Parameters
    ----------
    robot : Robot or Mechanism
        Model of the robot.
    kd : array_like (nv,) or float
        Damping in N m s/rad or N s/m.
    lam : array_like (nv,) or float
        Rate of convergence in 1/s; the same number for all velocities of a joint.

    Returns
    -------
    Controller
        state (), measurement (q, v), reference (q_d, v_d, a_d).

    References
    ----------
    Slotine, Li: On the adaptive control of robot manipulators, 1987.
    """
    return Controller(robot, _slotine_li, gains=per_joint(robot, kd=kd, lam=lam), name="slotine_li")


def _friction_compensation(
    model: TracedModel, state: Any, measurement: Any, reference: Any, gains: Any
) -> Any:
    """Feedforward of joint friction along a reference, smooth at rest."""
    q_d, v_d = reference
    numbers = gains._asdict()
    replaced = {"damping": ("damping",), "friction": ("friction", "stribeck_friction")}

    def change(node: Node) -> Node:
        names = [field for name in replaced.keys() & numbers for field in replaced[name]]
        smoothing = scalar.array([gains.smoothing] * len(node.friction))
        zeros = {name: 0.0 * getattr(node, name) for name in names}
        return replace(node, friction_smoothing=smoothing, **zeros)

    tau = model.with_nodes(change).friction_forces(q_d, v_d)
    if "damping" in numbers:
        tau = tau + gains.damping * v_d
    if "friction" in numbers:
        root = [scalar.sqrt(x * x + gains.smoothing * gains.smoothing) for x in v_d]
        tau = tau + gains.friction * (v_d / scalar.array(root))
    return tau, state


def friction_compensation(
    robot: Robot | Mechanism,
    *,
    damping: ArrayLike | None = None,
    friction: ArrayLike | None = None,
    smoothing: float = 0.01,
) -> Controller:
    """Return the feedforward of joint friction along a reference; add it to another controller.

    tau = `robot.joint_friction` at v_d, with v_d / sqrt(v_d^2 + smoothing^2) in place of signs. It
    uses the reference velocity, so that noise and limit cycles at rest are not fed back.

    Parameters
    ----------
    robot : Robot or Mechanism
        Model of the robot, with the friction of its joints (mimicking and dependent ones included)
        except for the part that depends on their load.
    damping, friction : array_like (nv,) or float, optional
        Viscous and Coulomb friction of the velocities in place of those of the joints; they are
        gains then.
    smoothing : float
        Speed in rad/s or m/s below which the Coulomb friction fades.

    Returns
    -------
    Controller
        state (), measurement (), reference (q_d, v_d).

    Examples
    --------
    >>> import jounce
    >>> from jounce import control
    >>> robot = jounce.load("kuka_iiwa14")
    >>> controller = control.computed_torque(robot, 100, 20) + control.friction_compensation(robot)
    """
    chosen = {"damping": damping, "friction": friction}
    numbers = {name: x for name, x in chosen.items() if x is not None}
    return Controller(
        robot,
        _friction_compensation,
        gains={**per_joint(robot, **numbers), "smoothing": smoothing},
        measurement={},
        reference={"q_d": ("nq",), "v_d": ("nv",)},
        name="friction_compensation",
    )
