"""`calibrate`: from measurements to geometric parameters."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from jounce.calibration.estimator import Loss, Noise, Normal, Problem, chi_square, outliers
from jounce.calibration.kinematics import GROUPS, Kinematics
from jounce.calibration.measurements import UNITS, Measurements
from jounce.calibration.observability import observability, select
from jounce.calibration.plausibility import (
    check_angles,
    check_residuals,
    check_units,
    check_validation,
)
from jounce.calibration.pose_tables import read_measurements
from jounce.calibration.result import Calibration, Residual
from jounce.errors import ArgumentError, DataError, DataWarning, explain_call, suggest, warn

if TYPE_CHECKING:
    from jounce.robot import Robot
    from jounce.solve import Mechanism

#: Rounds of selection, fit and noise; change of deviations that ends them; rows for selection.
_MAX_ROUNDS, _MAX_CHANGE, _SELECTION_ROWS = 8, 0.01, 300

#: Rounds of the fit of sensors and markers alone.
_START_ROUNDS = 2


@explain_call
def calibrate(
    robot: Robot | Mechanism,
    data: Measurements | Sequence[Measurements] | Mapping[str, Any] | str | os.PathLike[str],
    *,
    parameters: Sequence[str] = ("offsets", "placements"),
    loss: Loss | None = None,
    priors: Mapping[str, float] | None = None,
    folds: int = 5,
    frame: str | None = None,
    estimate: Sequence[str] = ("mount", "target"),
) -> Calibration:
    """Estimate the geometry of a robot from measurements of its frames.

    Parameters
    ----------
    robot : Robot or Mechanism
        The robot as designed. The loops of a mechanism, `robot.closed()`, stay closed; its
        independent joints have the encoders.
    data : Measurements, sequence of Measurements, path, mapping or data frame
        Measurements of one or more sensors; or a file or table of one: see
        `jounce.calibration.read_measurements`.
    parameters : sequence of str
        What is estimated of the robot: "offsets" and "gears" of encoders, "placements" of joints in
        their parents, "screws" (joint axes alone, all frames stay where they are at the neutral
        configuration), "joint_compliance" and "link_compliance" under gravity. Of redundant
        parameters, the first in this order are estimated. Frames of sensors and markers are chosen
        by `Measurements.estimate`.
    loss : {"huber", "cauchy"}
        Robust loss of the length of whitened residuals; by default squares.
    priors : mapping of str to float
        Standard deviations of the parameters' deviations from the design, in rad or m, by group:
        "offsets" (0.1), "gears" (0.05), "screws", "placements" (0.1), "joint_compliance" (1e-3
        rad/Nm), "link_compliance" (1e-4 rad/Nm), "mounts", "targets" (10), "intrinsics" (1000 px).
    folds : int
        Parts for cross-validation; 0 disables it.
    frame : str
        Frame with the marker, for data from a file or table; by default the last one that most
        joints move.
    estimate : sequence of str
        What is estimated of the "mount" (pose of the sensor in the world) and "target" (pose of the
        marker in its frame), for data from a file or table.

    Returns
    -------
    Calibration
        Parameters with standard deviations, residuals and the calibrated robot.

    Raises
    ------
    DataError
        If there are too few measurements, or the estimate does not converge.

    Examples
    --------
    >>> import jounce, numpy as np
    >>> from jounce.calibration import Measurements
    >>> robot = jounce.load("kuka_iiwa14")
    >>> real = robot.edit.with_geometry(placements=np.full((7, 6), 1e-3))
    >>> q = np.random.default_rng(0).uniform(-1.5, 1.5, (60, 7))
    >>> data = Measurements("pose", "tool", q, real.frame("tool").pose(q), deviation=1e-4)
    >>> result = jounce.calibrate(robot, data)
    >>> bool(np.allclose(result.predict(data), data.values, atol=1e-6))
    True
    """
    if unknown := [name for name in parameters if name not in GROUPS]:
        raise ArgumentError(f"{robot.name}: parameters: {suggest(unknown[0], GROUPS)}")
    if loss not in (None, *get_args(Loss)):
        raise ArgumentError(f"{robot.name}: loss: {suggest(str(loss), get_args(Loss))}")
    items = _measurements(robot, data, frame, tuple(estimate))
    kinematics = Kinematics(robot, items, parameters, priors or {})
    warnings = _check_data(kinematics)
    _first_guess(kinematics)
    noises = [Noise(item) for item in items]
    problem = Problem(kinematics, noises, loss, folds)
    result = _fit(kinematics, problem, noises, parameters, loss)
    return replace(result, warnings=[*warnings, *result.warnings])


def _fit(
    kinematics: Kinematics,
    problem: Problem,
    noises: list[Noise],
    parameters: Sequence[str],
    loss: Loss | None,
) -> Calibration:
    frames = _columns(kinematics, ("mounts", "targets", "intrinsics"))
    x = np.zeros(kinematics.size)
    for _ in range(_START_ROUNDS):  # sensors and markers alone
        J = problem.jacobian(x, _SELECTION_ROWS)
        kept = select(J[:, frames], kinematics.scale[frames]).columns
        x, _, _ = problem.minimize(x, frames[kept])
    before = _residuals(kinematics, problem, x)
    chosen, steps, selection, change = None, 0, None, np.inf
    of_frames = np.isin(np.arange(len(x)), frames)
    for _ in range(_MAX_ROUNDS):
        # the robot as designed: small errors must not make redundant parameters independent
        design = np.where(of_frames, x, 0.0)
        selection = select(problem.jacobian(design, _SELECTION_ROWS), kinematics.scale, chosen)
        columns = selection.columns
        _check_count(kinematics, columns)
        if chosen is not None and np.array_equal(columns, chosen) and change < _MAX_CHANGE:
            break
        x = np.where(np.isin(np.arange(len(x)), columns), x, 0.0)
        x, normal, count = problem.minimize(x, columns)
        chosen, steps = columns, steps + count
        change = _update_noise(problem, noises, x, len(columns), loss)
    assert chosen is not None
    assert selection is not None
    normal = problem.normal(x, chosen)
    prior = kinematics.prior[chosen]
    odd = _find_outliers(kinematics, problem, x)
    validation = _validate(normal, prior, x[chosen], problem.folds)
    warnings = _warnings(kinematics, problem, x, odd)
    if not warnings and not odd:
        warnings = check_validation(kinematics.data, validation, len(chosen))
    for message in warnings:
        warn(f"{kinematics.system.name}: {message}", DataWarning)
    return Calibration(
        kinematics=kinematics,
        parameters=tuple(parameters),
        loss=loss,
        x=x,
        columns=chosen,
        selection=selection,
        covariance=normal.covariance(prior, loss),
        sigma=[noise.sigma for noise in noises],
        before=before,
        after=_residuals(kinematics, problem, x),
        validation=validation,
        observability=observability(
            normal.H.sum(axis=(0, 1)), prior, sum(map(len, kinematics.data))
        ),
        outliers=odd,
        warnings=warnings,
        steps=steps,
    )


def _measurements(
    robot: Robot | Mechanism, data: Any, frame: str | None, estimate: tuple[str, ...]
) -> list[Measurements]:
    """Return the data as a list of measurements."""
    if isinstance(data, Measurements):
        return [data]
    if isinstance(data, str | os.PathLike | Mapping) or hasattr(data, "columns"):
        return [read_measurements(data, robot, frame, estimate=estimate)]
    items: list[Any] = list(data)
    if not items or not all(isinstance(item, Measurements) for item in items):
        raise ArgumentError(
            f"{robot.name}: data: expected a path, a table or jounce.calibration.Measurements,"
            f" found {type(items[0]).__name__ if items else 'an empty sequence'}"
        )
    return items


def _columns(kinematics: Kinematics, groups: Sequence[str]) -> np.ndarray:
    parts = [np.arange(b.part.start, b.part.stop) for b in kinematics.blocks if b.group in groups]
    return np.concatenate([np.empty(0, dtype=int), *parts])


def _check_count(kinematics: Kinematics, columns: np.ndarray) -> None:
    count = sum(len(item) * len(UNITS[item.kind]) for item in kinematics.data)
    if count <= len(columns):
        raise DataError(
            f"{count} measured numbers are too few for {len(columns)} parameters; record more"
            " configurations, or estimate fewer parameters"
        )


def _check_data(kinematics: Kinematics) -> list[str]:
    """Refuse lengths in other units than m; return warnings about angles."""
    warnings = [text for item in kinematics.data if (text := check_angles(kinematics, item))]
    for message in warnings:
        warn(f"{kinematics.system.name}: {message}", DataWarning)
    for item in kinematics.data:
        if item.kind == "pose":
            check_units(kinematics, item, item.values[:, :3, 3])
        elif UNITS[item.kind][0] == "m":
            check_units(kinematics, item, item.values)
    return warnings


def _first_guess(kinematics: Kinematics) -> None:
    """Compute poses of sensors in the world that are not given from positions or poses."""
    given = {item.sensor_key for item in kinematics.data if item.mount is not None}
    known = {item.marker_key for item in kinematics.data if item.target is not None}
    zero = np.zeros(kinematics.size)
    for item in kinematics.data:
        key = item.sensor_key
        if key in given or "mount" not in item.estimate or item.reference is not None:
            continue
        if item.kind not in ("pose", "position") or len(item) < 4:
            continue
        rows = np.unique(np.linspace(0, len(item) - 1, min(len(item), 500)).astype(int))
        q = kinematics.joint_positions(zero, item, rows)
        F = np.asarray(kinematics.poses[item.frame](q, *kinematics.geometry(zero)))
        F = F @ kinematics.target(zero, item.marker_key)
        measured = item.values[rows]
        y = measured[:, :3, 3] if item.kind == "pose" else measured
        kinematics.mounts[key] = A = _align(y, F[:, :3, 3])
        given.add(key)
        if item.kind == "pose" and item.marker_key not in known and "target" in item.estimate:
            turns = F[:, :3, :3].mT @ A[:3, :3] @ measured[:, :3, :3]
            U, _, Vt = np.linalg.svd(turns.mean(axis=0))
            kinematics.targets[item.marker_key] = T = np.eye(4)
            T[:3, :3] = U @ np.diag((1.0, 1.0, np.linalg.det(U @ Vt))) @ Vt
            known.add(item.marker_key)


def _align(y: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return the pose A (4, 4) for which A y is closest to p, by Kabsch's method."""
    T = np.eye(4)
    U, _, Vt = np.linalg.svd((p - p.mean(axis=0)).T @ (y - y.mean(axis=0)))
    T[:3, :3] = U @ np.diag((1.0, 1.0, np.linalg.det(U @ Vt))) @ Vt
    T[:3, 3] = p.mean(axis=0) - T[:3, :3] @ y.mean(axis=0)
    return T


def _update_noise(
    problem: Problem, noises: list[Noise], x: np.ndarray, parameters: int, loss: Loss | None
) -> float:
    """Estimate the deviations that are not given; return the largest relative change."""
    items = problem.kinematics.data
    total = sum(len(item) * len(UNITS[item.kind]) for item in items)
    change = 0.0
    for k, noise in enumerate(noises):
        if noise.given:
            continue
        _, white = problem.residuals(x, k)
        squares = np.mean(white**2, axis=0)
        if loss is not None:
            squares = np.median(white**2, axis=0) / chi_square(1, 0.0)
        change = max(change, noise.update(squares * total / max(total - parameters, 1)))
    return change


def _residuals(kinematics: Kinematics, problem: Problem, x: np.ndarray) -> list[Residual]:
    """Return the residuals of each measurements by unit."""
    out = []
    for k, item in enumerate(kinematics.data):
        e, _ = problem.residuals(x, k)
        units = UNITS[item.kind]
        for unit in dict.fromkeys(units):
            part = e[:, [j for j, other in enumerate(units) if other == unit]]
            lengths = np.linalg.norm(part, axis=1)
            rms = float(np.sqrt(np.mean(lengths**2)))
            out.append(Residual(item.name, unit, rms, float(lengths.max(initial=0.0)), lengths))
    return out


def _validate(normal: Normal, prior: np.ndarray, x: np.ndarray, folds: int) -> list[float]:
    """Return the whitened root mean square of each measurements, left out of the fit by folds.

    The fit without a fold is one Newton step from the optimum of all data.
    """
    if folds < 2:
        return []
    H, g = normal.H.sum(axis=(0, 1)) + np.diag(prior**-2.0), normal.g.sum(axis=(0, 1))
    squares = np.zeros(len(normal.squares))
    for fold in range(folds):
        H_k, g_k = normal.H[:, fold].sum(axis=0), normal.g[:, fold].sum(axis=0)
        step = -np.linalg.solve(H - H_k, g - g_k + x / prior**2)
        squares += normal.squares[:, fold] + 2.0 * normal.g[:, fold] @ step
        squares += np.einsum("i,sij,j->s", step, normal.H[:, fold], step)
    means = squares / np.maximum(normal.counts.sum(axis=1), 1.0)
    return np.sqrt(np.maximum(means, 0.0)).tolist()


def _find_outliers(
    kinematics: Kinematics, problem: Problem, x: np.ndarray
) -> list[tuple[str, int, float]]:
    """Return name, row and relative size of outliers."""
    out = []
    for k, item in enumerate(kinematics.data):
        rows, sizes = outliers(problem.residuals(x, k)[1], problem.noises[k].given)
        out += [(item.name, int(item.row_numbers[i]), float(sizes[i])) for i in rows]
    return out


def _warnings(
    kinematics: Kinematics, problem: Problem, x: np.ndarray, odd: list[tuple[str, int, float]]
) -> list[str]:
    """Return what is suspicious about the result."""
    out = []
    for k, item in enumerate(kinematics.data):
        if problem.loss is not None or item.name not in {name for name, _, _ in odd}:
            out.append(check_residuals(item, problem.noises[k], problem.residuals(x, k)[1]))
    if odd and problem.loss is None:
        listed = ", ".join(f"row {i} of {name} ({size:.1f}x)" for name, i, size in odd[:5])
        out.append(
            f"{len(odd)} measurements are outliers: {listed}{', ...' if len(odd) > 5 else ''},"
            " rows counted from 0; correct or remove them, or pass loss='huber' or 'cauchy'"
        )
    return [message for message in out if message]
