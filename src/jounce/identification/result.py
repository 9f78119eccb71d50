"""The result of an identification: parameters, residuals, reports and files."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ModelError, printable
from jounce.identification.base_parameters import PARAMETERS
from jounce.identification.data import DataSummary, Samples
from jounce.identification.drives import DriveParameters, expand_to_all_joints
from jounce.identification.estimator import ParameterEstimator
from jounce.identification.options import Options
from jounce.identification.parameter_space import Space
from jounce.identification.regression import Factors
from jounce.identification.subject import MechanismAdapter, Subject
from jounce.model import inertia
from jounce.utils import cached_property, write_files

if TYPE_CHECKING:
    from jounce.robot import Robot
    from jounce.solve.mechanism import Mechanism


@dataclass(frozen=True, eq=False, repr=False)
class Identification:
    """Identified parameters with residuals and uncertainties.

    Attributes
    ----------
    robot : Robot or Mechanism
        The robot as it was loaded. nv of a mechanism counts its independent joints.
    options : Options
        The options of `identify`.
    estimate : ParameterEstimator
        The fitted estimator: deviations, weights, condition number, unexcited parameters.
    factors : Factors
        The compressed data.
    validation : (folds, nv) array
        Root mean square residuals on blocks of time that were left out of the fit (N m or N).
    kept : Samples
        A subsample of the data, for plots.
    summary : DataSummary
        Counts of rows, partitions that were left out, and warnings.
    """

    robot: Robot | Mechanism
    options: Options
    estimate: ParameterEstimator
    factors: Factors
    validation: np.ndarray
    kept: Samples
    summary: DataSummary

    # -------------------------------------------------------------- parameters

    @property
    def space(self) -> Space:
        """The base parameters, their prior and their scales."""
        return self.estimate.space

    @property
    def theta(self) -> np.ndarray:
        """All parameters (p,): inertial ones, then those of drives."""
        return self.estimate.theta

    @property
    def subject(self) -> Subject:
        """The robot, or the mechanism with the interface of a robot."""
        return self.space.layout.robot

    @property
    def parameters(self) -> np.ndarray:
        """Inertial parameters (nb, 10), about the body frames, in kg, kg m and kg m^2."""
        return self.theta[self.space.layout.groups["inertia"]].reshape(-1, 10)

    def _drive(self, name: str) -> np.ndarray:
        groups = self.space.layout.groups
        if name in groups:
            return self.theta[groups[name]]
        return (
            np.zeros(self.robot.nv)
            if name == "offset"
            else getattr(DriveParameters.of(self.subject), name)
        )

    @property
    def armature(self) -> np.ndarray:
        """Armature (nv,) as seen at each velocity, kg m^2 or kg."""
        return self._drive("armature")

    @property
    def damping(self) -> np.ndarray:
        """Viscous friction (nv,), N m s/rad or N s/m."""
        return self._drive("damping")

    @property
    def friction(self) -> np.ndarray:
        """Coulomb friction (nv,), N m or N."""
        return self._drive("friction")

    @property
    def stribeck_friction(self) -> np.ndarray:
        """Excess (nv,) of the friction at breakaway over Coulomb friction, N m or N."""
        return self._drive("stribeck_friction")

    @property
    def offset(self) -> np.ndarray:
        """Constant torques (nv,) of the model, N m or N."""
        return self._drive("offset")

    @cached_property
    def identified(self) -> Robot | Mechanism:
        """The robot or mechanism with the identified parameters.

        Raises
        ------
        ModelError
            If a link is not physically consistent.
        """
        try:
            owner = (
                self.subject if isinstance(self.subject, MechanismAdapter) else self.subject.edit
            )
            return owner.with_parameters(self.parameters, **self._chosen_drives())
        except ModelError as error:
            raise ModelError(
                f"{error}; method 'consistent' finds only physically consistent links"
            ) from None

    def _chosen_drives(self) -> dict[str, np.ndarray]:
        """Return the identified drive parameters of all joints, by kind."""
        names = ["armature"] if self.options.armature else []
        names += ["damping", "friction"] if self.options.friction else []
        names += [x for x in ("stribeck_friction",) if x in self.space.layout.groups]
        return expand_to_all_joints(self.subject, {name: getattr(self, name) for name in names})

    def torques(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> np.ndarray:
        """Return torques of the identified model, including friction and offsets.

        Parameters
        ----------
        q : (..., nq) array
            Positions, in rad or m.
        v, a : (..., nv) arrays
            Velocities and accelerations, in rad or m and s.

        Returns
        -------
        (..., nv) array
            Torques in N m or N.
        """
        states = (np.asarray(x, dtype=float) for x in (q, v, a))
        return self.space.layout.torques(self.theta, *states)

    # -------------------------------------------------------------- quality

    @cached_property
    def _measured_mask(self) -> np.ndarray:
        return np.where(self.space.layout.measured, 1.0, np.nan)

    @cached_property
    def rms(self) -> np.ndarray:
        """Root mean square residual (nv,) of each torque, N m or N."""
        return self._measured_mask * self.factors.mean(self.factors.squares(self.theta))

    @cached_property
    def rms_prior(self) -> np.ndarray:
        """Root mean square residual (nv,) of each torque with the original parameters, N m or N."""
        prior = self.space.layout.prior
        return self._measured_mask * self.factors.mean(self.factors.squares(prior))

    @cached_property
    def rms_torque(self) -> np.ndarray:
        """Root mean square (nv,) of each torque minus that of known drives, N m or N."""
        return self._measured_mask * self.factors.mean(self.factors.totals())

    @cached_property
    def beta(self) -> np.ndarray:
        """Values (r,) of the base parameters at theta."""
        return self.space.matrix @ self.theta

    @property
    def covariance(self) -> np.ndarray:
        """Covariance (r, r) of the base parameters, for white noise; NaN where not excited."""
        return self.estimate.covariance

    @cached_property
    def deviations(self) -> np.ndarray:
        """Standard deviations (p,) of parameters that are base parameters; NaN for the others."""
        out = np.full(self.space.layout.size, np.nan)
        single = np.count_nonzero(self.space.matrix, axis=1) == 1
        out[self.space.independent[single]] = self.estimate.deviations[single]
        return out

    @cached_property
    def problems(self) -> dict[str, str]:
        """Violations of physical consistency, by link or joint; empty if there are none."""
        out = {}
        for name, pi in zip(self.subject.model.body_names, self.parameters, strict=True):
            problem = inertia.problem(pi)
            if problem:
                out[name] = problem
        for what in ("armature", "damping", "friction", "stribeck_friction"):
            for name, x in zip(self.subject.labels("v"), getattr(self, what), strict=True):
                if x < 0.0:
                    out[name] = f"{what} is negative: {x:.4g}"
        return out

    # -------------------------------------------------------------- reports

    def __repr__(self) -> str:
        return (
            f"<identification of {printable(self.robot.name)} by {self.options.method}:"
            f" {len(self.space.names)} parameters from {self.factors.count:,} samples>"
        )

    def __str__(self) -> str:
        from jounce.identification.report import text

        return text(self)

    def _repr_html_(self) -> str:
        from jounce.identification.report import notebook_html

        return notebook_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Return all results as plain numbers and strings.

        Returns
        -------
        dict
            Data, links, joints, base parameters, condition number and problems.
        """
        names, rows = self.subject.labels("v"), self.space.layout.rows
        base = zip(self.space.names, self.beta, self.estimate.deviations, strict=True)
        kinds = ("armature", "damping", "friction", "stribeck_friction", "offset", "rms")
        numbers = {name: getattr(self, name) for name in kinds}
        numbers |= {"rms_before": self.rms_prior, "rms_torque": self.rms_torque}
        return {
            "robot": self.robot.name,
            "method": self.options.method,
            "data": {k: x for k, x in vars(self.summary).items() if x == x},
            "links": {
                name: dict(zip(("mass", *PARAMETERS[1:]), pi.tolist(), strict=True))
                for name, pi in zip(self.subject.model.body_names, self.parameters, strict=True)
            },
            "joints": {
                names[i]: {
                    **{name: float(x[i]) for name, x in numbers.items()},
                    "rms_validation": _mean(self.validation[:, i]),
                }
                for i in rows
            },
            "base_parameters": [
                {"name": name, "value": float(x), "deviation": _finite(s)} for name, x, s in base
            ],
            "condition": _finite(self.estimate.condition),
            "unexcited": list(self.estimate.unexcited),
            "problems": self.problems,
        }

    def to_json(self) -> str:
        """Return the result of `to_dict` as JSON.

        Returns
        -------
        str
            Indented JSON; numbers that are not finite are null.
        """
        return json.dumps(self.to_dict(), indent=2, allow_nan=False)

    def plots(self) -> dict[str, Any]:
        """Plot torques and residuals, errors by joint, and base parameters.

        Returns
        -------
        dict of str to matplotlib.figure.Figure
            Figures "torques", "errors" and "base".
        """
        from jounce.identification.plots import base_figure, error_figure, torque_figure

        return {
            "torques": torque_figure(self),
            "errors": error_figure(self),
            "base": base_figure(self),
        }

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
        from jounce.identification.report import write_html

        return write_html(self, path, overwrite=overwrite)

    def write_urdf(
        self,
        source: str | os.PathLike[str],
        path: str | os.PathLike[str],
        *,
        overwrite: bool = False,
    ) -> Path:
        """Write the URDF file `source` with the identified parameters and no other changes.

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

        text = patch_urdf(source, self.subject, self.parameters, **self._chosen_drives())
        write_files({path: text}, overwrite=overwrite)
        return Path(path)


def _finite(x: float) -> float | None:
    return float(x) if np.isfinite(x) else None


def _mean(x: np.ndarray) -> float | None:
    return float(np.sqrt(np.mean(x**2))) if len(x) else None
