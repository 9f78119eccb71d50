"""The result of an identification by simulation: parameters, validation, reports and files."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from jounce.errors import printable
from jounce.identification.base_parameters import base_parameters
from jounce.identification.simulation.estimation import OPTIMAL_DISTANCE, Identifiability
from jounce.identification.simulation.servo_parameters import ServoParameters
from jounce.identification.simulation.simulation_model import SimulationModel
from jounce.model import DRIVES, Joint
from jounce.robot import Robot
from jounce.utils import cached_property, write_files

#: Drive parameters that a URDF can hold.
_IN_URDF = ("armature", "damping", "friction")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SimulatedIdentification:
    """Parameters identified by simulation, with uncertainties and validation.

    Attributes
    ----------
    robot : Robot
        The robot as it was loaded, with smooth friction.
    model : SimulationModel
        The options.
    space : ServoParameters
        Names, sizes and start of the parameters.
    x : (n,) array
        Coordinates of the parameters in the fit.
    predicted, identifiability : Identifiability
        What the data say about the parameters, at the start and at the result.
    covariance : (n, n) array
        Covariance of the parameters in the order of `names`, with that of the weak prior.
    sigma : (c,) array
        Standard deviation of the noise of positions (rad or m), then of currents.
    rms_before, rms : (c,) arrays
        Residuals of the windows of the fit, simulated from the best initial states.
    validation_before, validation : (c,) arrays
        Residuals of held-out windows; NaN if there are none.
    distance : float
        Distance from the optimum of the local quadratic model, in standard deviations.
    windows : (int, int, int)
        Number of windows of the fit, of held-out ones, and of samples in each.
    simulations, sensitivities : int
        Number of simulations of all windows, and of those with sensitivities.
    warnings : list of str
        Warnings about the data and the fit.
    """

    robot: Robot
    model: SimulationModel
    space: ServoParameters
    x: np.ndarray
    predicted: Identifiability
    identifiability: Identifiability
    covariance: np.ndarray
    sigma: np.ndarray
    rms_before: np.ndarray
    rms: np.ndarray
    validation_before: np.ndarray
    validation: np.ndarray
    distance: float
    iterations: int
    windows: tuple[int, int, int]
    simulations: int
    sensitivities: int
    traces: dict[str, np.ndarray]
    warnings: list[str] = field(default_factory=list)

    # -------------------------------------------------------------- parameters

    @property
    def names(self) -> list[str]:
        """Names of the estimated parameters."""
        return self.space.names

    @cached_property
    def estimates(self) -> np.ndarray:
        """Values (n,) of the estimated parameters, in SI units."""
        return self.space.values(self.x)

    @property
    def deviations(self) -> np.ndarray:
        """Standard deviations (n,) of the estimates; NaN for those that are not determined."""
        return self.identifiability.deviations

    @cached_property
    def values(self) -> dict[str, np.ndarray]:
        """All parameters by name: drive parameters and gains (nv,), "inertia" (nb, 10), "delay"."""
        return self.space.expand(self.estimates)

    @property
    def parameters(self) -> np.ndarray:
        """Inertial parameters (nb, 10), about the body frames, in kg, kg m and kg m^2."""
        return self.values["inertia"]

    @property
    def is_optimal(self) -> bool:
        """Whether the result is within 0.05 standard deviations of an optimum."""
        return self.distance < OPTIMAL_DISTANCE

    @cached_property
    def base(self) -> list[tuple[str, float, float]]:
        """Name, value and standard deviation of each base parameter; empty if none was estimated.

        Combinations of inertial parameters on which torques depend.
        """
        if "inertia" not in self.space.groups:
            return []
        bodies = self.space.entries["inertia"]
        names = self.robot.model.body_names
        kept = [name for b, name in enumerate(names) if b not in bodies]
        base = base_parameters(self.robot, fixed=kept)
        columns = (10 * bodies[:, None] + np.arange(10)).ravel()
        part = self.space.groups["inertia"]
        B = base.matrix[:, columns]
        spread = np.sqrt(np.einsum("ri,ij,rj->r", B, self.covariance[part, part], B))
        values = base.matrix @ self.parameters.ravel()
        return list(zip(base.names, values.tolist(), spread.tolist(), strict=True))

    @cached_property
    def identified(self) -> Robot:
        """The robot with the identified parameters; gains and delay are not part of it."""
        robot, estimated = self.robot, [x for x in DRIVES if x in self.space.groups]
        if "inertia" in self.space.groups:
            robot = robot.edit.with_parameters(self.parameters)

        def change(joint: Joint) -> Joint:
            place = robot.joints[joint.name].v
            new = {name: self.values[name][place] for name in estimated}
            return joint if joint.mimic is not None else replace(joint, **new)

        joints = tuple(change(joint) for joint in robot.model.joints)
        return robot.edit.with_model(replace(robot.model, joints=joints))

    # -------------------------------------------------------------- reports

    def __repr__(self) -> str:
        return (
            f"<identification of {printable(self.robot.name)} by simulation:"
            f" {len(self.names)} parameters from {self.windows[0]} windows>"
        )

    def __str__(self) -> str:
        from jounce.identification.simulation.simulated_report import text

        return text(self)

    def to_dict(self) -> dict[str, Any]:
        """Return all results as plain numbers and strings.

        Returns
        -------
        dict
            Parameters with standard deviations, residuals, rank and warnings.
        """
        rows = zip(self.names, self.estimates, self.deviations, strict=True)
        residuals = ("sigma", "rms_before", "rms", "validation_before", "validation")
        return {
            "robot": self.robot.name,
            "parameters": [
                {"name": name, "value": float(x), "deviation": _finite(s)} for name, x, s in rows
            ],
            **{name: [_finite(x) for x in getattr(self, name)] for name in residuals},
            "rank": self.identifiability.rank,
            "condition": _finite(self.identifiability.condition),
            "undetermined": self.identifiability.undetermined,
            "converged": self.is_optimal,
            "simulations": self.simulations,
            "sensitivities": self.sensitivities,
            "warnings": self.warnings,
        }

    def to_json(self) -> str:
        """Return the result of `to_dict` as JSON.

        Returns
        -------
        str
            Indented JSON; numbers that are not finite are null.
        """
        return json.dumps(self.to_dict(), indent=2, allow_nan=False)

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
        from jounce.identification.simulation.simulated_report import write_html

        return write_html(self, path, overwrite=overwrite)

    def write_urdf(
        self,
        source: str | os.PathLike[str],
        path: str | os.PathLike[str],
        *,
        overwrite: bool = False,
    ) -> Path:
        """Write a URDF file with the identified inertias, armature, damping and friction.

        Parameters
        ----------
        source
            The URDF file of the robot.
        path
            The file to write, which may be `source` itself if `overwrite` is set.
        overwrite
            Replace a file that exists; FileExistsError otherwise.

        Returns
        -------
        The path of the file that was written.
        """
        from jounce.identification.urdf_patch import patch_urdf

        drives = {x: self.values[x] for x in _IN_URDF if x in self.space.groups}
        text = patch_urdf(source, self.robot, self.parameters, **drives)
        write_files({path: text}, overwrite=overwrite)
        return Path(path)


def _finite(x: float) -> float | None:
    return float(x) if np.isfinite(x) else None
