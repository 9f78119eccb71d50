"""Choice of configurations to measure at: those that determine the parameters best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.arrays import lie
from jounce.calibration.estimator import Noise
from jounce.calibration.kinematics import Kinematics
from jounce.calibration.measurements import Measurements
from jounce.calibration.observability import observability, select
from jounce.errors import ArgumentError

if TYPE_CHECKING:
    from jounce.robot import Robot
    from jounce.solve import Mechanism

#: Rounds of exchanges, and least relative gain of the determinant by one.
_MAX_EXCHANGES, _LEAST_GAIN = 200, 1e-6


@dataclass(frozen=True, eq=False)
class PoseSelection:
    """Configurations to measure at.

    Attributes
    ----------
    q : (number, nq) array
        The configurations.
    indices : (number,) array
        Rows of the candidates.
    observability : dict of str to float
        Condition number and indices O1 to O5 of all of them.
    deviations : dict of str to float
        Expected standard deviations of the parameters.
    """

    q: np.ndarray
    indices: np.ndarray
    observability: dict[str, float]
    deviations: dict[str, float]


def select_poses(
    robot: Robot | Mechanism,
    sensor: Measurements,
    number: int,
    *,
    parameters: Sequence[str] = ("offsets", "placements"),
    candidates: ArrayLike | int = 1000,
    visible: Callable[[np.ndarray], np.ndarray] | None = None,
    image: tuple[float, float] | None = None,
    rng: Any = 0,
) -> PoseSelection:
    """Choose configurations whose measurements determine the parameters best.

    Parameters
    ----------
    robot : Robot or Mechanism
        The robot.
    sensor : Measurements
        What will be measured; q and values are not used.
    number : int
        Number of configurations.
    parameters : sequence of str
        What is to be calibrated, as in `jounce.calibrate`.
    candidates : (n, nq) array_like or int
        Configurations to choose from; or their number, at random within the limits of the joints
        (closed loops need an array).
    visible : callable, optional
        visible(q), for q (n, nq), returns a mask (n,) of configurations that can be measured.
    image : tuple of two floats, optional
        Width and height of the image in pixels, for cameras: markers outside or behind the camera
        are not visible.
    rng : int or numpy.random.Generator
        Seed of random candidates.

    Returns
    -------
    PoseSelection

    Notes
    -----
    The determinant of the information matrix is maximized, by a greedy choice and exchanges of
    single configurations (Fedorov). For a given number this is both the D-optimal design and the
    one with the largest index O1.

    Examples
    --------
    >>> import jounce, numpy as np
    >>> from jounce.calibration import Measurements, select_poses
    >>> robot = jounce.load("kuka_iiwa14")
    >>> sensor = Measurements("position", "tool", np.zeros((1, 7)), deviation=1e-4)
    >>> select_poses(robot, sensor, 20, candidates=200).q.shape
    (20, 7)
    """
    q = _candidates(robot, candidates, rng)
    item = _at(sensor, q)
    kinematics = Kinematics(robot, [item], parameters, {})
    x, rows = np.zeros(kinematics.size), np.arange(len(q))
    columns = np.arange(kinematics.size)
    mask = np.ones(len(q), dtype=bool) if visible is None else np.asarray(visible(q), dtype=bool)
    if image is not None:
        mask &= _in_image(kinematics, item, x, image)
    if mask.sum() < number:
        raise ArgumentError(
            f"{robot.name}: {mask.sum()} of {len(q)} candidates are visible, expected at least"
            f" {number}; pass more candidates or another mount"
        )
    indices = np.flatnonzero(mask)
    exact = replace(item, values=_predict(kinematics, item, x))
    _, J = kinematics.evaluate(x, exact, rows[indices], columns)
    assert J is not None
    J = Noise(item).whiten(J, np.zeros(len(indices), dtype=int))
    chosen = select(J.reshape(-1, kinematics.size), kinematics.scale).columns
    prior = kinematics.prior[chosen]
    A = J[..., chosen] * prior
    best = np.array(_exchange(A, _greedy(A, number)))
    M = np.einsum("kmi,kmj->ij", A[best], A[best])
    sigma = np.sqrt(np.diag(np.linalg.inv(M + np.eye(len(M))))) * prior
    names = [kinematics.labels[k] for k in chosen]
    indices = indices[best]
    order = np.argsort(indices)
    return PoseSelection(
        q[indices][order],
        indices[order],
        observability(M / np.outer(prior, prior), prior, number),
        dict(zip(names, sigma.tolist(), strict=True)),
    )


def _candidates(robot: Robot | Mechanism, candidates: ArrayLike | int, rng: Any) -> np.ndarray:
    if not isinstance(candidates, int):
        return np.atleast_2d(np.asarray(candidates, dtype=float))
    from jounce.solve import Mechanism

    if isinstance(robot, Mechanism):
        raise ArgumentError(f"{robot.name}: pass candidates that close the loops, as an array")
    return np.asarray(robot.random(np.random.default_rng(rng), candidates))


def _at(sensor: Measurements, q: np.ndarray) -> Measurements:
    """Return the sensor's measurements at other configurations."""
    values = {"pose": np.broadcast_to(np.eye(4), (len(q), 4, 4))}
    values["orientation"] = values["pose"][:, :3, :3]
    width = sensor.values.shape[1] if sensor.values.ndim == 2 else 0
    zeros = np.zeros((len(q), width))
    deviation = sensor.deviation
    if deviation is not None and deviation.ndim == 3:
        deviation = deviation.mean(axis=0)
    new = values.get(sensor.kind, zeros)
    return replace(sensor, q=q, values=new, deviation=deviation, tau=None, rows=None)


def _predict(kinematics: Kinematics, item: Measurements, x: np.ndarray) -> np.ndarray:
    """Return what is measured without noise."""
    e, _ = kinematics.evaluate(x, item, np.arange(len(item)), None)
    if item.kind not in ("pose", "orientation"):
        return e
    T = item.values.copy()
    T[:, :3, :3] = lie.so3.exp(e[:, :3])
    if item.kind == "pose":
        T[:, :3, 3] = e[:, 3:]
    return T


def _in_image(
    kinematics: Kinematics, item: Measurements, x: np.ndarray, size: tuple[float, float]
) -> np.ndarray:
    """Return a mask of configurations whose marker is before the camera and in its image."""
    rows = np.arange(len(item))
    pixels, _ = kinematics.evaluate(x, item, rows, None)
    zeros = np.broadcast_to(np.eye(4), (len(item), 4, 4))
    seen = replace(item, kind="pose", values=zeros, intrinsics=None, deviation=None)
    p = kinematics.evaluate(x, seen, rows, None)[0][:, 3:]
    return (p[:, 2] > 0.0) & np.all((pixels >= 0.0) & (pixels <= np.array(size)), axis=1)


def _gains(A: np.ndarray, inverse: np.ndarray) -> np.ndarray:
    """Return the factors det(M + A_k^T A_k) / det(M) for A (n, m, r)."""
    m = A.shape[1]
    return np.linalg.det(np.eye(m) + A @ inverse @ A.mT)


def _greedy(A: np.ndarray, number: int) -> list[int]:
    """Return rows that increase the determinant most, one after the other."""
    M, chosen = np.eye(A.shape[2]), []
    for _ in range(number):
        gains = _gains(A, np.linalg.inv(M))
        gains[chosen] = 0.0
        chosen.append(int(np.argmax(gains)))
        M += A[chosen[-1]].T @ A[chosen[-1]]
    return chosen


def _exchange(A: np.ndarray, chosen: list[int]) -> list[int]:
    """Exchange rows as long as the determinant increases."""
    M = np.eye(A.shape[2]) + np.einsum("kmi,kmj->ij", A[chosen], A[chosen])
    for _ in range(_MAX_EXCHANGES):
        improved = False
        for place in range(len(chosen)):
            old = A[chosen[place]]
            rest = M - old.T @ old
            gains = _gains(A, np.linalg.inv(rest))
            before = gains[chosen[place]]
            gains[chosen] = 0.0
            k = int(np.argmax(gains))
            if gains[k] > before * (1.0 + _LEAST_GAIN):
                chosen[place] = k
                M, improved = rest + A[k].T @ A[k], True
        if not improved:
            break
    return chosen
