"""Recursive estimation of a load at a frame: a square-root information filter.

The information of the ten parameters phi is kept as a triangular factor R and z, of |R phi - z|^2.
Rows of the torques, divided by their noise, are added by Givens rotations, which lose no digits.
Information is forgotten towards that of the start, so that R never becomes singular.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.control.controller import Controller, per_joint
from jounce.control.traced_model import TracedModel
from jounce.errors import ArgumentError, ModelError
from jounce.formulas import pseudo_inertias
from jounce.math import Array, scalar
from jounce.model import inertia
from jounce.robot import Robot
from jounce.solve import Mechanism

#: Sweeps of Jacobi's method for eigenvalues of (3, 3) matrices, which converge quadratically.
_SWEEPS = 4

#: Least eigenvalue of an estimate relative to the first one, and a number that avoids 0 / 0.
_LEAST_EIGENVALUE, _TINY = 1e-4, 1e-30


def _add_row(R: Array, z: Array, row: Array, value: Any) -> None:
    """Add an equation row . phi = value to the triangular factor, in place."""
    n = len(row)
    for k in range(n):
        length = scalar.sqrt(R[k, k] * R[k, k] + row[k] * row[k] + _TINY)
        c, s = R[k, k] / length, row[k] / length
        R[k, k] = length
        for j in range(k + 1, n):
            R[k, j], row[j] = c * R[k, j] + s * row[j], c * row[j] - s * R[k, j]
        z[k], value = c * z[k] + s * value, c * value - s * z[k]


def _solve(R: Array, z: Array) -> Array:
    """Return phi with R phi = z."""
    phi = scalar.zeros(len(z))
    for k in reversed(range(len(z))):
        rest = z[k]
        for j in range(k + 1, len(z)):
            rest = rest - R[k, j] * phi[j]
        phi[k] = rest / R[k, k]
    return phi


def _eigen(A: Array) -> tuple[list[Any], Array]:
    """Return eigenvalues and eigenvectors (columns) of a symmetric (3, 3) matrix, by Jacobi."""
    A, V = A.copy(), scalar.identity(3)
    for _ in range(_SWEEPS):
        for p in range(2):
            for q in range(p + 1, 3):
                d, b = A[q, q] - A[p, p], 2.0 * A[p, q]
                root = scalar.sqrt(d * d + b * b + _TINY)
                t = b / scalar.where(d, d + root, d - root)
                c = 1.0 / scalar.sqrt(1.0 + t * t)
                s = t * c
                for M in (A, A.T, V.T):  # rotate rows p and q
                    for j in range(3):
                        M[p, j], M[q, j] = c * M[p, j] - s * M[q, j], s * M[p, j] + c * M[q, j]
    return [A[k, k] for k in range(3)], V


def _consistent(phi: Array, least_mass: Any, root: Array, inverse: Array) -> Array:
    """Return parameters with positive mass, and second moments about the center of mass.

    Eigenvalues of these, relative to root root^T, are raised; mass and first moments, which torques
    determine much better, stay as they are.
    """
    P = pseudo_inertias.pseudo_inertia(phi)
    mass, h = scalar.maximum(P[3, 3], least_mass), P[:3, 3]
    about_frame = np.outer(h, h) / mass
    s, V = _eigen(inverse @ (P[:3, :3] - about_frame) @ inverse.T)
    W = root @ V
    scaled = W * np.array([scalar.maximum(x, _LEAST_EIGENVALUE) for x in s], dtype=object)
    out = P.copy()
    out[:3, :3], out[3, 3] = scaled @ W.T + about_frame, mass
    return pseudo_inertias.parameters(out)


def _payload_observer(
    model: TracedModel,
    state: Any,
    measurement: Any,
    reference: Any,
    gains: Any,
    *,
    frame: str,
    friction: bool,
) -> Any:
    """Parameters of a load and their standard deviations, from torques."""
    q, v, a, tau = measurement
    place = model.frame(frame)
    J = place.jacobian(q)
    units = scalar.identity(10)
    Y = np.stack([J.T @ place.load_wrench(q, v, a, units[k]) for k in range(10)], axis=1)
    rest = tau - model.inverse_dynamics(q, v, a)
    if friction:
        rest = rest - model.joint_friction(v)
    keep, renew = (
        scalar.sqrt(scalar.maximum(x, 0.0))
        for x in (1.0 * gains.forgetting, 1.0 - gains.forgetting)
    )
    R, z = keep * state.information, keep * state.values
    for k in range(10):
        _add_row(R, z, renew * gains.first_information[k], renew * gains.first_values[k])
    for k in range(len(rest)):
        _add_row(R, z, Y[k] / gains.noise[k], rest[k] / gains.noise[k])
    phi = _consistent(_solve(R, z), 1.0 * gains.least_mass, gains.root, gains.inverse_root)
    columns = [_solve(R, units[k]) for k in range(10)]
    deviations = [scalar.sqrt(sum(column[i] * column[i] for column in columns)) for i in range(10)]
    return np.stack((phi, np.array(deviations, dtype=object))), (R, z)


def payload_observer(
    robot: Robot | Mechanism,
    frame: str,
    noise: ArrayLike,
    *,
    load: ArrayLike | None = None,
    deviation: float = 10.0,
    forgetting: float = 1.0,
    friction: bool = False,
) -> Controller:
    """Return a recursive estimator of a load at a frame; its command is (estimate, deviations).

    Parameters
    ----------
    robot : Robot or Mechanism
        Model of the robot without the load.
    frame : str
        Frame that carries the load.
    noise : array_like (nv,) or float
        Standard deviation of the torques in N m or N.
    load : array_like (10,), optional
        First estimate about the frame, physically consistent; by default a sphere of 1 kg and 0.1 m
        radius.
    deviation : float
        Standard deviation of the first estimate, relative to its mass and radius of gyration.
    forgetting : float
        Factor of the information in each period, in (0, 1]: 1 - 1 / n remembers about n periods.
        Forgotten information is replaced by that of the first estimate.
    friction : bool
        Subtract the friction of the model's joints from tau.

    Returns
    -------
    Controller
        Command (2, 10): physically consistent parameters (m, m c, I) about the frame, and standard
        deviations. State (information, values), measurement (q, v, a, tau), reference ().

    Raises
    ------
    ArgumentError
        If a number is out of range.
    ModelError
        If `load` is not physically consistent.

    Notes
    -----
    Estimates that are not physically consistent are corrected: the mass, and eigenvalues of the
    second moments about the center of mass, are raised to 1e-4 of those of `load`. Mass and center
    of mass are otherwise those of least squares. The state is not corrected, so that estimates are
    those of least squares as soon as these are consistent.

    References
    ----------
    Bierman: Factorization Methods for Discrete Sequential Estimation, 1977.

    Examples
    --------
    >>> import jounce
    >>> from jounce import control
    >>> robot = jounce.load("kuka_iiwa14")
    >>> observer = control.payload_observer(robot, "tool", noise=0.1)
    >>> rest, tau = [0.0] * 7, robot.gravity_forces([0.5] * 7)
    >>> found, state = observer(observer.initial_state(), ([0.5] * 7, rest, rest, tau), ())
    >>> found.shape
    (2, 10)
    """
    if not 0.0 < forgetting <= 1.0 or not deviation > 0.0:
        raise ArgumentError(
            f"{robot.name}: payload_observer: expected forgetting in (0, 1] and deviation > 0,"
            f" found {forgetting} and {deviation}"
        )
    if not np.all(np.asarray(noise) > 0.0):
        raise ArgumentError(f"{robot.name}: payload_observer: expected noise > 0, found {noise}")
    robot.frame(frame)
    first = inertia.sphere(0.1, mass=1.0) if load is None else np.asarray(load, dtype=float)
    if first.shape != (10,):
        raise ArgumentError(f"{robot.name}: load must have shape (10,), found {first.shape}")
    if problem := inertia.problem(first):
        raise ModelError(f"{robot.name}: load is not physically consistent: {problem}")
    P = inertia.pseudo_inertia(first)
    radius = np.sqrt(np.trace(P[:3, :3]) / P[3, 3])
    sizes = P[3, 3] * np.array([1.0] + [radius] * 3 + [radius**2] * 6)
    information = np.diag(1.0 / (deviation * sizes))
    h = P[:3, 3]
    root = np.linalg.cholesky(P[:3, :3] - np.outer(h, h) / P[3, 3])
    gains = {
        **per_joint(robot, noise=noise),
        "forgetting": forgetting,
        "first_information": information,
        "first_values": information @ first,
        "least_mass": _LEAST_EIGENVALUE * P[3, 3],
        "root": root,
        "inverse_root": np.linalg.inv(root),
    }
    return Controller(
        robot,
        partial(_payload_observer, frame=frame, friction=friction),
        gains=gains,
        state={"information": information, "values": information @ first},
        measurement={"q": ("nq",), "v": ("nv",), "a": ("nv",), "tau": ("nv",)},
        reference={},
        command=(2, 10),
        name="payload_observer",
    )
