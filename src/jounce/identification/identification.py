"""From measurements to parameters: `identify`, and what it finds out."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from jounce import inertia
from jounce.errors import ModelError, printable
from jounce.identification.base_parameters import PARAMETERS, check_fixed
from jounce.identification.checks import Inspector
from jounce.identification.collection import Collection, crew
from jounce.identification.data import DataSummary, Samples
from jounce.identification.drives import DriveParameters, of_all_joints
from jounce.identification.estimate import Estimate, Space
from jounce.identification.fitting import Fitter, solvable
from jounce.identification.options import Options, by_keyword
from jounce.identification.partitions import partitions
from jounce.identification.regression import Factors, Layout, total
from jounce.identification.robust import find_outliers, reweighted
from jounce.identification.subject import Subject, without_open_loops
from jounce.identification.workers import worker_pool
from jounce.lazy import cached_property
from jounce.process.files import write_files

if TYPE_CHECKING:
    from jounce.mechanism.robot import Mechanism
    from jounce.robot import Robot


@dataclass(frozen=True, eq=False, repr=False)
class Identification:
    """What was identified, how well it explains the data, and where it may be trusted.

    robot: as it was loaded, or a mechanism, whose nv count its independent joints. parameters
    (nb, 10), armature, damping, friction, offset (nv,): those found, or the robot's own where not
    asked for. estimate: values and standard deviations of the base parameters (white noise assumed)
    by least squares. rms, rms_prior, rms_torque (nv,): of the residuals, of the residuals before,
    of the torques, NaN where not measured. validation (folds, nv): residuals on blocks of time left
    out of the fit. kept: some samples for plots.
    """

    robot: Robot | Mechanism
    options: Options
    space: Space
    theta: np.ndarray
    estimate: Estimate
    factors: Factors
    validation: np.ndarray
    kept: Samples
    summary: DataSummary

    # -------------------------------------------------------------- what was found

    @property
    def subject(self) -> Subject:
        """The robot, or the mechanism with the names of one."""
        return self.space.layout.robot

    @property
    def parameters(self) -> np.ndarray:
        """Inertial parameters (nb, 10)."""
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
    def offset(self) -> np.ndarray:
        """Constant torques (nv,) added to the model, N m or N."""
        return self._drive("offset")

    @cached_property
    def identified(self) -> Robot | Mechanism:
        """The robot or mechanism with the parameters found.

        Raises
        ------
        ModelError
            If a link is not physically consistent.
        """
        try:
            return self.subject.with_parameters(self.parameters, **self._chosen_drives())
        except ModelError as error:
            raise ModelError(
                f"{error}; method 'consistent' finds only physically consistent links"
            ) from None

    def _chosen_drives(self) -> dict[str, np.ndarray]:
        """Those of all joints of the kinds that were asked for."""
        armature, friction = self.options.armature, self.options.friction
        asked = {"armature": armature, "damping": friction, "friction": friction}
        found = {name: getattr(self, name) for name, wanted in asked.items() if wanted}
        return of_all_joints(self.subject, found)

    def torques(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> np.ndarray:
        """Torques (..., nv) of the model found, friction and offsets included."""
        states = (np.asarray(x, dtype=float) for x in (q, v, a))
        return self.space.layout.torques(self.theta, *states)

    # -------------------------------------------------------------- how good it is

    @cached_property
    def _measured(self) -> np.ndarray:
        return np.where(self.space.layout.measured, 1.0, np.nan)

    @cached_property
    def rms(self) -> np.ndarray:
        """Residual of each torque, root mean square."""
        return self._measured * self.factors.mean(self.factors.squares(self.theta))

    @cached_property
    def rms_prior(self) -> np.ndarray:
        """Residual of each torque with the parameters the robot had."""
        prior = self.space.layout.prior
        return self._measured * self.factors.mean(self.factors.squares(prior))

    @cached_property
    def rms_torque(self) -> np.ndarray:
        """Each torque, root mean square, without what is known of the drives."""
        return self._measured * self.factors.mean(self.factors.totals())

    @cached_property
    def beta(self) -> np.ndarray:
        """Values (r,) of the base parameters at theta."""
        return self.space.matrix @ self.theta

    @cached_property
    def deviations(self) -> np.ndarray:
        """Standard deviations (p,) of parameters that can be told alone; NaN for the others."""
        out = np.full(self.space.layout.size, np.nan)
        single = np.count_nonzero(self.space.matrix, axis=1) == 1
        out[self.space.independent[single]] = self.estimate.deviations[single]
        return out

    @cached_property
    def problems(self) -> dict[str, str]:
        """What is physically impossible, by link or joint; empty if all is consistent."""
        out = {}
        for name, pi in zip(self.subject.body_names, self.parameters, strict=True):
            problem = inertia.problem(pi)
            if problem:
                out[name] = problem
        for what in ("armature", "damping", "friction"):
            for name, x in zip(self.subject.labels("v"), getattr(self, what), strict=True):
                if x < 0.0:
                    out[name] = f"{what} is negative: {x:.4g}"
        return out

    # -------------------------------------------------------------- saying it

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
        """Everything that was found, as plain numbers and strings."""
        names, rows = self.subject.labels("v"), self.space.layout.rows
        base = zip(self.space.names, self.beta, self.estimate.deviations, strict=True)
        return {
            "robot": self.robot.name,
            "method": self.options.method,
            "data": {k: x for k, x in vars(self.summary).items() if x == x},
            "links": {
                name: dict(zip(("mass", *PARAMETERS[1:]), pi.tolist(), strict=True))
                for name, pi in zip(self.subject.body_names, self.parameters, strict=True)
            },
            "joints": {
                names[i]: {
                    "armature": float(self.armature[i]),
                    "damping": float(self.damping[i]),
                    "friction": float(self.friction[i]),
                    "offset": float(self.offset[i]),
                    "rms": float(self.rms[i]),
                    "rms_before": float(self.rms_prior[i]),
                    "rms_torque": float(self.rms_torque[i]),
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
        """`to_dict` as JSON."""
        return json.dumps(self.to_dict(), indent=2, allow_nan=False)

    def plots(self) -> dict[str, Any]:
        """Figures of matplotlib: torques and residuals, errors by joint, base parameters."""
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
        """Write the URDF file `source` with the parameters found and nothing else changed.

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


# ------------------------------------------------------------------ the work


@by_keyword(Options)
def identify(robot: Robot | Mechanism, data: Any, options: Options) -> Identification:
    """Inertial parameters, and those of the drives if asked for, from measured motions and torques.

    data: q, v, a and tau; see `jounce.identification.open_recording` for what it may be. Read once,
    in pieces: it may be larger than the memory. Or several such, each a recording of its own: a
    list, a pattern such as "logs/*.parquet", or a folder of files. robot: or a mechanism,
    `robot.closed()`; torques are those of its independent joints, whose q suffices.
    """
    owner = without_open_loops(robot, "whose forces are part of the torques")
    names = ("armature", "friction", "offset", "smoothing")
    every = np.ones(owner.nv, dtype=bool)
    whole = Layout(owner, every, **{k: getattr(options, k) for k in names})
    prior = _prior(whole, options.prior)
    fixed = _fixed(owner, prior, options.fixed)
    weights = None if options.weights is None else _weights(owner, options.weights)
    source, parts = given = partitions(data)
    with (
        worker_pool() as pool,
        crew(options, pool) as workers,
        solvable(source, [part.name for part in parts]),
    ):
        collection = Collection(robot, given, options, whole, prior, workers)
        found = _fitted(robot, options, collection, (prior, fixed, weights))
    return found


def _fitted(
    robot: Robot | Mechanism,
    options: Options,
    data: Collection,
    wanted: tuple[np.ndarray, tuple[str, ...], np.ndarray | None],
) -> Identification:
    """What the data say. wanted: the prior, bodies that stay as they are, weights of torques."""
    (prior, fixed, weights), layout = wanted, data.layout
    record = data.first()
    parts, kept, excerpt = data.parts(record), data.kept(record), data.excerpt(record)
    known = np.any(prior[layout.groups["inertia"]])
    expected = layout.torques(prior, kept.q, kept.v, kept.a) if known else None
    inspector = Inspector(layout.robot, layout.measured, data.summary)
    inspector.report(record.sight, kept.tau, expected)
    fitter = Fitter(Space.of(layout, total(parts), prior, fixed), options, weights)
    if options.robust is not None:
        parts, outliers = reweighted(data, excerpt, fitter)
        data.summary.outliers = outliers.rows
    factors = total(parts)
    fitter = fitter.rescaled(factors)
    estimate, theta = fitter(factors)
    if options.robust is None:
        inspector.outliers(find_outliers(data, factors, theta, excerpt, fitter))
    validation = fitter.validate(parts)
    space, summary = fitter.space, data.summary
    plain = options if isinstance(options.client, str) else replace(options, client=None)
    found = Identification(robot, plain, space, theta, estimate, factors, validation, kept, summary)
    inspector.fit(found.rms, kept.tau, estimate.unexcited, len(space.names))
    if not estimate.settled:
        summary.warn(
            "the weights of the torques, which follow their residuals, did not settle; pass"
            " weights=, 1 / the standard deviations of the torques, or record more data"
        )
    return found


def _prior(layout: Layout, prior: Robot | Mechanism | ArrayLike | None) -> np.ndarray:
    out = layout.prior.copy()
    if prior is None:
        return out
    given = getattr(getattr(prior, "robot", prior), "parameters", prior)
    values = np.asarray(given, dtype=float)
    nb = layout.robot.nb
    if values.shape not in ((nb, 10), (10 * nb,)) or not np.isfinite(values).all():
        raise ValueError(
            f"prior: expected finite parameters of shape ({nb}, 10), or a robot with {nb} bodies,"
            f" found shape {values.shape}"
        )
    out[layout.groups["inertia"]] = values.ravel()
    return out


def _fixed(robot: Subject, prior: np.ndarray, fixed: Sequence[str]) -> tuple[str, ...]:
    """Links that keep their parameters: those named and those without any."""
    check_fixed(robot, fixed)
    names = robot.body_names
    bodies = prior[: 10 * robot.nb].reshape(-1, 10)
    empty = [name for name, pi in zip(names, bodies, strict=True) if not pi.any()]
    if len(empty) == len(names):
        empty = []
    return tuple(name for name in names if name in fixed or name in empty)


def _weights(robot: Subject, weights: ArrayLike) -> np.ndarray:
    out = np.asarray(weights, dtype=float)
    if out.shape != (robot.nv,) or not np.all(np.isfinite(out) & (out > 0.0)):
        raise ValueError(f"weights: expected {robot.nv} numbers > 0, found {weights!r}")
    return out
