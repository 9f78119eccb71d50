"""Physical consistency of inertial parameters, and coordinates that always satisfy it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ModelError
from jounce.model.inertia.parameters import from_pseudo_inertia, numbers, pseudo_inertia, split

#: Rounded published data bend the triangle inequality by this much; more is worth a warning.
_TRIANGLE_SLACK = 1e-9

#: Where (d1, d2, d3, s12, s23, s13, t1, t2, t3) stand in the upper triangular factor.
_FACTOR = (np.array((0, 1, 2, 0, 1, 0, 0, 1, 2)), np.array((0, 1, 2, 1, 2, 2, 3, 3, 3)))


def log_cholesky(pi: ArrayLike) -> np.ndarray:
    """Return ten unconstrained coordinates of a physically consistent body (Rucker, Wensing 2022).

    Parameters
    ----------
    pi : array_like (..., 10)
        Inertial parameters; real, with a positive definite pseudo-inertia (no point mass or plate).

    Returns
    -------
    ndarray (..., 10)
        (alpha, d1, d2, d3, s12, s23, s13, t1, t2, t3).

    Notes
    -----
    J = U U^T with the upper triangular U = exp(alpha) [[exp(d1), s12, s13, t1],
    [0, exp(d2), s23, t2], [0, 0, exp(d3), t3], [0, 0, 0, 1]].

    Raises
    ------
    ModelError
        If the pseudo-inertia is not positive definite.

    Examples
    --------
    >>> import numpy as np
    >>> from jounce import inertia
    >>> pi = inertia.box((0.1, 0.2, 0.3), mass=2.0)
    >>> theta = inertia.log_cholesky(pi)
    >>> np.allclose(inertia.from_log_cholesky(theta), pi)
    True
    """
    if np.iscomplexobj(pi):
        raise ModelError("pi: the Cholesky factor needs real parameters, found complex ones")
    J = pseudo_inertia(pi)
    try:
        # the upper factor is the lower one of the matrix read backwards
        U = np.linalg.cholesky(J[..., ::-1, ::-1])[..., ::-1, ::-1]
    except np.linalg.LinAlgError:
        raise ModelError(
            "pi: its pseudo-inertia is not positive definite, so it has no Cholesky factor"
        ) from None
    scale = U[..., 3, 3]
    theta = (U / scale[..., None, None])[..., *_FACTOR]
    theta[..., :3] = np.log(theta[..., :3])
    return np.concatenate((np.log(scale)[..., None], theta), axis=-1)


def from_log_cholesky(theta: ArrayLike) -> np.ndarray:
    """Return the parameters of log-Cholesky coordinates; physically consistent for any ten numbers.

    Parameters
    ----------
    theta : array_like (..., 10)
        Coordinates, see `log_cholesky`.

    Returns
    -------
    ndarray (..., 10)
        Inertial parameters.

    Examples
    --------
    >>> import numpy as np
    >>> from jounce import inertia
    >>> inertia.is_consistent(inertia.from_log_cholesky(np.linspace(-1.0, 1.0, 10)))
    True
    """
    coordinates = numbers(theta, (10,), "theta")
    U = np.zeros((*coordinates.shape[:-1], 4, 4), dtype=coordinates.dtype)
    U[..., *_FACTOR] = np.concatenate(
        (np.exp(coordinates[..., 1:4]), coordinates[..., 4:]), axis=-1
    )
    U[..., 3, 3] = 1.0
    U = np.exp(coordinates[..., 0])[..., None, None] * U
    return from_pseudo_inertia(U @ np.swapaxes(U, -1, -2))


# ------------------------------------------------------------------ physical consistency


def problem(pi: ArrayLike) -> str:
    """Return why a body is physically inconsistent, or '' if it is consistent.

    The mass must not be negative, the inertia about the center of mass positive semidefinite, and
    no principal moment larger than the sum of the other two.

    Parameters
    ----------
    pi : array_like (10,)
        Inertial parameters of one body.

    Returns
    -------
    str
        The violated condition in words.

    Examples
    --------
    >>> from jounce import inertia
    >>> inertia.problem(inertia.sphere(0.1, mass=1.0))
    ''
    >>> bool(inertia.problem([1.0, 0.0, 0.0, 0.0, 3.0, 1.0, 1.0, 0.0, 0.0, 0.0]))  # 3 > 1 + 1
    True
    """
    parameters = np.real(numbers(pi, (10,), "pi"))
    if parameters.ndim != 1:
        raise ModelError(
            f"pi: expected the parameters (10,) of one body, found shape {parameters.shape}"
        )
    m, h, about = split(parameters)
    if m < 0.0:
        return f"the mass is negative: {m}"
    if m == 0.0 and np.any(h != 0.0):
        return "a massless body has a first moment"
    if m != 0.0:
        with np.errstate(all="ignore"):
            about = about - (h @ h * np.eye(3) - np.outer(h, h)) / m
    if not np.isfinite(about).all():
        return "its numbers overflow"
    moments = np.linalg.eigvalsh(about)
    slack = _TRIANGLE_SLACK * max(1.0, abs(moments[2]))
    if moments[0] < -slack:
        return f"the inertia about the center of mass is not positive (moments {moments.tolist()})"
    excess = moments[2] - moments[0] - moments[1]
    if excess > slack:
        return (
            f"the inertia breaks the triangle inequality by {excess:.2g} kg m^2"
            f" (principal moments {moments.tolist()})"
        )
    return ""


def is_consistent(pi: ArrayLike) -> bool:
    """Return whether a body is physically consistent; `problem` returns why it is not.

    Parameters
    ----------
    pi : array_like (10,)
        Inertial parameters of one body.

    Returns
    -------
    bool
        True if a rigid body with these parameters can exist.

    Examples
    --------
    >>> from jounce import inertia
    >>> inertia.is_consistent([1.0, 0.0, 0.0, 0.0, 3.0, 1.0, 1.0, 0.0, 0.0, 0.0])  # 3 > 1 + 1
    False
    """
    return not problem(pi)
