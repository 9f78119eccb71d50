"""Checks that measurements and the calibrated robot fit together: units, joints, frames, noise."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jounce.calibration.estimator import Noise, chi_square
from jounce.calibration.kinematics import Kinematics
from jounce.calibration.measurements import UNITS, Measurements
from jounce.errors import DataError
from jounce.identification import checks

#: Largest ratio of measured distances and those of the model, which must exceed the length (m).
_MAX_RATIO, _MIN_SPREAD = 20.0, 0.05

#: Largest plausible estimated noise by unit, and residuals in units of the given noise.
_LARGEST_NOISE = {"rad": 0.05, "m": 0.05, "px": 20.0}
_MAX_EXCESS = 2.0

#: Largest plausible residuals left out of the fit, in units of the noise.
_MAX_VALIDATION = 2.0


def check_units(kinematics: Kinematics, item: Measurements, measured: np.ndarray) -> None:
    """Refuse measured positions or lengths (n, k) of another size than the robot's, such as mm.

    Positions of the robot are those of its frame, seen from sensors at the origin.
    """
    if len(item) < 4:
        return
    zero, rows = np.zeros(kinematics.size), np.arange(len(item))
    q = kinematics.joint_positions(zero, item, rows)
    P, S = kinematics.geometry(zero)
    T = np.asarray(kinematics.poses[item.frame](q, P, S))
    if item.reference is not None:
        T = np.linalg.inv(np.asarray(kinematics.poses[item.reference](q, P, S))) @ T
    spreads = [float(np.sqrt(np.sum(np.var(x, axis=0)))) for x in (measured, T[:, :3, 3])]
    if spreads[0] > _MAX_RATIO * max(spreads[1], _MIN_SPREAD):
        raise DataError(
            f"{item.name}: measured values spread over {spreads[0]:.3g} m, {item.frame} over"
            f" {spreads[1]:.3g} m; convert values to m, or state their unit in a table"
        )


def check_angles(kinematics: Kinematics, item: Measurements) -> str:
    """Return a warning if angles are far beyond their limits, or ""."""
    low, high = item.q.min(axis=0), item.q.max(axis=0)
    if len(low) != kinematics.robot.nq:
        return ""
    ranges = checks.ValueRanges({"q": low}, {"q": high})
    problem = checks.implausible_angle(kinematics.robot, ranges)
    return f"{item.name}: {problem.partition(';')[0]}; are angles in degrees?" if problem else ""


def check_residuals(item: Measurements, noise: Noise, white: np.ndarray) -> str:
    """Return a warning if the calibrated robot does not explain measurements, or "".

    white (n, m): whitened residuals.
    """
    units = UNITS[item.kind]
    if noise.given:
        excess = float(np.sqrt(np.median(white**2) / chi_square(1, 0.0)))
        if excess < _MAX_EXCESS:
            return ""
        return (
            f"residuals of {item.name} are {excess:.3g} times their deviation, so that standard"
            " deviations of parameters are too small; calibrate more parameters, or correct"
            " deviation="
        )
    large = [(s, u) for s, u in zip(noise.sigma, units, strict=True) if s > _LARGEST_NOISE[u]]
    if not large:
        return ""
    return (
        f"residuals of {item.name} are {large[0][0]:.2g} {large[0][1]}, so that the robot does not"
        " explain them; check the order, signs and units of joints, the frame, and the convention"
        " of orientations"
    )


def check_validation(
    data: Sequence[Measurements], validation: Sequence[float], parameters: int
) -> list[str]:
    """Return warnings about measurements that are too few for the parameters."""
    return [
        f"residuals of {item.name} that are left out of the fit are {size:.3g} times the noise: the"
        f" data hardly determine {parameters} parameters; record more configurations, such as those"
        " of select_poses"
        for item, size in zip(data, validation, strict=False)
        if size > _MAX_VALIDATION
    ]
