"""The result of a calibration: parameters, residuals, reports and files."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.arrays import lie
from jounce.calibration.kinematics import Kinematics
from jounce.calibration.measurements import Measurements
from jounce.calibration.observability import Selection
from jounce.errors import printable
from jounce.solve import Mechanism
from jounce.utils import write_files

if TYPE_CHECKING:
    from jounce.robot import Robot


@dataclass(frozen=True, eq=False)
class Residual:
    """Lengths (n,) of residuals of some measurements in one unit; root mean square and maximum."""

    name: str
    unit: str
    rms: float
    largest: float
    lengths: np.ndarray


@dataclass(frozen=True, eq=False, repr=False)
class Calibration:
    """Calibrated parameters with residuals and uncertainties.

    Attributes
    ----------
    kinematics : Kinematics
        Layout of all parameters.
    parameters : tuple of str
        Groups of parameters that were estimated.
    loss : str or None
        The robust loss.
    x : (P,) array
        All parameters, zero where they are redundant: deviations from the design.
    columns : (r,) array
        Indices of the independent parameters.
    selection : Selection
        Combinations of all parameters that the independent ones stand for.
    covariance : (r, r) array
        Covariance of the independent parameters.
    sigma : list of arrays
        Standard deviations or covariances of the noise of each measurements, given or estimated.
    before, after : list of Residual
        Residuals by unit: with the robot as designed and sensors and markers fitted; calibrated.
    validation : list of float
        Root mean square of residuals in units of the noise, left out of the fit by folds.
    observability : dict of str to float
        Condition number and indices O1 to O5, with parameters in units of their priors.
    outliers : list of tuple
        Name of the measurements, row, and size relative to the noise.
    warnings : list of str
        What is suspicious about the data and the result.
    steps : int
        Number of steps of the iteration.
    """

    kinematics: Kinematics
    parameters: tuple[str, ...]
    loss: str | None
    x: np.ndarray
    columns: np.ndarray
    selection: Selection
    covariance: np.ndarray
    sigma: list[np.ndarray]
    before: list[Residual]
    after: list[Residual]
    validation: list[float]
    observability: dict[str, float]
    outliers: list[tuple[str, int, float]]
    warnings: list[str]
    steps: int

    @property
    def robot(self) -> Robot | Mechanism:
        """The robot as designed."""
        return self.kinematics.system

    @property
    def names(self) -> list[str]:
        """Names of the independent parameters."""
        return [self.kinematics.labels[k] for k in self.columns]

    @property
    def units(self) -> list[str]:
        """Units of the independent parameters."""
        return [self.kinematics.units[k] for k in self.columns]

    @property
    def values(self) -> np.ndarray:
        """Values (r,) of the independent parameters."""
        return self.x[self.columns]

    @property
    def deviations(self) -> np.ndarray:
        """Standard deviations (r,) of the independent parameters."""
        return np.sqrt(np.diag(self.covariance))

    @property
    def unidentifiable(self) -> dict[str, str]:
        """Parameters that the data do not determine, each with those that stand for it."""
        out = {}
        chosen = set(self.columns.tolist())
        labels = self.kinematics.labels
        for k in range(self.kinematics.size):
            if k in chosen:
                continue
            row = self.selection.combinations[:, k]
            terms = np.flatnonzero(np.abs(row) > 1e-3 * np.abs(row).max(initial=1e-9))
            named = [f"{row[i]:+.3g} {labels[self.selection.columns[i]]}" for i in terms[:6]]
            lost = k in self.selection.unseen
            out[labels[k]] = "no effect" if lost else "moves like " + " ".join(named)
        return out

    def offset(self, joint: str) -> float:
        """Return the offset that is added to the encoder of a joint, in rad or m.

        Parameters
        ----------
        joint : str
            Name of the joint.

        Returns
        -------
        float
        """
        label = f"{joint} offset"
        labels = self.kinematics.labels
        return float(self.x[labels.index(label)]) if label in labels else 0.0

    def mount(self, sensor: str = "sensor", reference: str | None = None) -> np.ndarray:
        """Return the pose of a sensor in its reference frame, or in the world.

        Parameters
        ----------
        sensor : str
            Name of the sensor.
        reference : str, optional
            Frame of the robot that has it.

        Returns
        -------
        (4, 4) array
        """
        return self.kinematics.mount(self.x, (reference or "", sensor))

    def target(self, frame: str, marker: str = "marker") -> np.ndarray:
        """Return the pose of a marker in its frame.

        Parameters
        ----------
        frame : str
            Frame of the robot that has the marker.
        marker : str
            Name of the marker.

        Returns
        -------
        (4, 4) array
        """
        return self.kinematics.target(self.x, (frame, marker))

    def predict(self, data: Measurements) -> np.ndarray:
        """Return what the calibrated robot, sensors and markers would measure.

        Parameters
        ----------
        data : Measurements
            Configurations, sensors and markers, which must be those of the calibration.

        Returns
        -------
        (n, m) array, or (n, 4, 4) for poses
            Values in the sensor's frame; orientations as rotation matrices.
        """
        k, rows = self.kinematics, np.arange(len(data))
        if data.kind in ("pose", "orientation"):
            frames = np.broadcast_to(np.eye(4), (len(data), 4, 4))
            e, _ = k.evaluate(self.x, _replace(data, "pose", frames), rows, None)
            T = np.zeros((len(data), 4, 4))
            T[:, :3, :3] = lie.so3.exp(e[:, :3])
            T[:, :3, 3], T[:, 3, 3] = e[:, 3:], 1.0
            return T if data.kind == "pose" else T[:, :3, :3]
        e, _ = k.evaluate(self.x, data, rows, None)
        return e + data.values

    # -------------------------------------------------------------- robots and files

    def displacements(self) -> np.ndarray:
        """Return displacements (nb, 4, 4) on the right of all joint placements, with offsets.

        Returns
        -------
        (nb, 4, 4) array
            E with P exp(S (q + offset)) = P E exp(S q).
        """
        k = self.kinematics
        robot = k.robot
        q = np.asarray(robot.neutral()).copy()
        start = _motions(robot, q)
        if block := k.block("offsets"):
            for n, (_, i, _, _) in enumerate(k.joints):
                q[i] += self.x[block.part][n]
        turn = _motions(robot, q) @ np.asarray(lie.se3.inverse(start))
        P, S = k.geometry(self.x)
        return np.asarray(lie.se3.inverse(k.P0)) @ P @ S @ turn @ np.asarray(lie.se3.inverse(S))

    @property
    def calibrated(self) -> Robot | Mechanism:
        """The robot with calibrated placements and axes, offsets of joints included.

        Gears, compliance, sensors and markers are not part of it.
        """
        k = self.kinematics
        screws = k.block("screws")
        s = None if screws is None else self.x[screws.part].reshape(-1, 6)
        moved = np.asarray(lie.se3.log(self.displacements()))
        robot = k.robot.edit.with_geometry(screws=s, placements=moved)
        if not isinstance(k.system, Mechanism):
            return robot
        tolerance = max(k.system.tolerance, 2.0 * max(k.gap(self.x, item) for item in k.data))
        return robot.closed(k.system.labels("v"), tolerance=tolerance)

    def write(
        self,
        source: str | os.PathLike[str],
        path: str | os.PathLike[str],
        *,
        overwrite: bool = False,
    ) -> Path:
        """Write the URDF or MJCF file `source` with calibrated placements and no other changes.

        Joint offsets become part of the placements; limits of joints stay. Frames of markers that
        are links or bodies are moved to the marker.

        Parameters
        ----------
        source
            The file of the robot.
        path
            The file to write, which may be `source` itself if `overwrite` is set.
        overwrite
            Replace a file that exists; FileExistsError otherwise.

        Returns
        -------
        The path of the file that was written.
        """
        from jounce.calibration.robot_patch import patch_robot

        targets = {
            key[0]: self.kinematics.target(self.x, key)
            for key in self.kinematics.targets
            if key[1] == "marker"
        }
        text = patch_robot(source, self.kinematics, self.displacements(), targets)
        write_files({path: text}, overwrite=overwrite)
        return Path(path)

    # -------------------------------------------------------------- reports

    def __repr__(self) -> str:
        count = sum(map(len, self.kinematics.data))
        return (
            f"<calibration of {printable(self.robot.name)}: {len(self.columns)} parameters from"
            f" {count:,} measurements>"
        )

    def __str__(self) -> str:
        from jounce.calibration.report import text

        return text(self)

    def to_dict(self) -> dict[str, Any]:
        """Return all results as plain numbers and strings.

        Returns
        -------
        dict
            Parameters, residuals, validation, observability, outliers and sensors.
        """
        k = self.kinematics
        rows = zip(self.names, self.values, self.deviations, self.units, strict=True)
        pairs = zip(self.before, self.after, strict=True)
        return {
            "robot": self.robot.name,
            "parameters": [
                {"name": name, "value": float(x), "deviation": float(s), "unit": unit}
                for name, x, s, unit in rows
            ],
            "unidentifiable": self.unidentifiable,
            "residuals": [
                {
                    "name": a.name,
                    "unit": a.unit,
                    "rms_before": b.rms,
                    "rms": a.rms,
                    "max": a.largest,
                }
                for b, a in pairs
            ],
            "validation": dict(zip((d.name for d in k.data), self.validation, strict=False)),
            "observability": self.observability,
            "outliers": [list(row) for row in self.outliers],
            "warnings": self.warnings,
            "mounts": {" ".join(key).strip(): k.mount(self.x, key).tolist() for key in k.mounts},
            "targets": {" ".join(key): k.target(self.x, key).tolist() for key in k.targets},
            "intrinsics": {
                " ".join(key).strip(): np.asarray(k.intrinsics(self.x, key)).tolist()
                for key in k.cameras
            },
        }

    def to_json(self) -> str:
        """Return the result of `to_dict` as JSON.

        Returns
        -------
        str
            Indented JSON.
        """
        return json.dumps(self.to_dict(), indent=2)

    def report(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write a self-contained HTML report.

        Parameters
        ----------
        path
            The file to write.
        overwrite
            Replace a file that exists; FileExistsError otherwise.

        Returns
        -------
        The path of the file.
        """
        from jounce.calibration.report import write_html

        return write_html(self, path, overwrite=overwrite)


def _motions(robot: Robot, q: np.ndarray) -> np.ndarray:
    """Return the poses (nb, 4, 4) of all bodies relative to their joints' placements."""
    T = np.asarray(robot.body_poses(q))
    joints = robot.model.joints
    above = np.stack([T[j.parent] if j.parent >= 0 else np.eye(4) for j in joints])
    placements = np.stack([joint.placement for joint in joints])
    return np.asarray(lie.se3.inverse(above @ placements)) @ T


def _replace(data: Measurements, kind: Any, values: np.ndarray) -> Measurements:
    names = (
        "frame",
        "q",
        "reference",
        "mount",
        "target",
        "sensor",
        "marker",
        "tau",
        "name",
        "rows",
    )
    return Measurements(kind, values=values, **{name: getattr(data, name) for name in names})
