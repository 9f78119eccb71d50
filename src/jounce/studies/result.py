"""The results of a study."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from jounce.errors import ArgumentError, printable
from jounce.studies.amounts import Amount, describe_amount
from jounce.studies.statistics import Statistics, named_indices
from jounce.studies.variation import DRIVES, GEOMETRIC
from jounce.utils import write_files

if TYPE_CHECKING:
    from jounce.robot import Robot
    from jounce.studies.engine import Problem

#: Share of the variance below which no parameter is named.
_MIN_SHARE = 0.01


class Worst(NamedTuple):
    """Largest deviation of one entry of the result from its nominal value."""

    #: Value of the entry in the sample, in the unit of the quantity.
    value: float

    #: Value of the nominal robot at the same point.
    nominal: float

    #: Index of the point in the leading axes of the arguments.
    point: tuple[int, ...]

    #: Number of the sample, for `Study.draw` and `Study.robot_of`.
    sample: int


@dataclass(frozen=True, eq=False, repr=False)
class Study:
    """Result of `jounce.study`: statistics of a quantity, and the parameters that cause them.

    Arrays have shape (*points, *shape), the leading axes of the arguments followed by the axes of
    one result, and are in the unit of the quantity.
    """

    #: Nominal robot, mechanism or robot in contact.
    robot: Any

    #: Name of the quantity; `motor_forces` or `driven_dynamics` if drives vary.
    quantity: str

    #: Unit of the quantity, "" if it has none.
    unit: str

    #: Names (m,) of the entries of one result, flattened.
    labels: list[str]

    #: Shape of one result; m is the product.
    shape: tuple[int, ...]

    #: Times (*points) in s; None if none were given.
    t: np.ndarray | None

    #: Values of the nominal robot (*points, *shape).
    nominal: np.ndarray

    #: Mean of the samples (*points, *shape).
    mean: np.ndarray

    #: Standard deviation of the samples (*points, *shape).
    std: np.ndarray

    #: Covariance (*points, m, m) of the m entries; None if m > 64.
    covariance: np.ndarray | None

    #: Levels of the quantiles, from 0 to 1.
    levels: tuple[float, ...]

    #: Quantiles (levels, *points, *shape), accurate to `resolution`.
    quantiles: np.ndarray

    #: Width (*points, *shape) of the histogram bins that quantiles are computed from.
    resolution: np.ndarray

    #: Smallest value of all samples (*points, *shape).
    low: np.ndarray

    #: Largest value of all samples (*points, *shape).
    high: np.ndarray

    #: Largest deviation of each of the m entries from nominal, over all samples and points.
    worst: list[Worst]

    #: Groups of parameters that vary together, such as "inertia[link3]".
    groups: list[str]

    #: First-order Sobol indices (groups, *points, *shape): the share of the variance that a group
    #: causes alone. Estimates of small ones may be negative. None without `sobol`, as all indices.
    first: np.ndarray | None

    #: Total Sobol indices (groups, *points, *shape): the share of the variance that a group causes
    #: alone and by interactions with others.
    total: np.ndarray | None

    #: Standard errors of `first`; NaN if there are too few samples.
    first_error: np.ndarray | None

    #: Standard errors of `total`; NaN if there are too few samples.
    total_error: np.ndarray | None

    #: First-order indices (groups, *shape) over all points, weighted by the variance at each.
    first_overall: np.ndarray | None

    #: Total indices (groups, *shape) over all points, weighted by the variance at each.
    total_overall: np.ndarray | None

    #: Standard errors of `first_overall`.
    first_overall_error: np.ndarray | None

    #: Standard errors of `total_overall`.
    total_overall_error: np.ndarray | None

    #: The argument `vary` of the study.
    vary: Mapping[str, Amount]

    #: Number of sampled robots.
    samples: int

    #: Number of evaluations of the quantity, at all points together.
    evaluations: int

    #: Seed of the samples.
    seed: int

    #: Sampling method.
    sampling: str

    #: Computing time in s.
    seconds: float

    #: Internal description of the study, from which samples can be drawn again.
    problem: Problem = field(repr=False)

    @classmethod
    def of(
        cls,
        robot: Any,
        problem: Problem,
        statistics: Statistics,
        levels: tuple[float, ...],
        batch: tuple[int, ...],
        t: np.ndarray | None,
        *,
        quantity: str,
        vary: Mapping[str, Amount],
        seconds: float,
    ) -> Study:
        """Build the result from the statistics of all samples.

        Parameters
        ----------
        robot : Robot or Mechanism
            The nominal robot.
        problem : Problem
            The evaluation that was sampled.
        statistics : Statistics
            Reduced results of all samples.
        levels : tuple of float
            Levels of the quantiles.
        batch : tuple of int
            Shape of the points of the trajectory.
        t : array, optional
            Times of the points in s.
        quantity : str
            Name of the quantity.
        vary : mapping
            Amounts by kind of parameter.
        seconds : float
            Duration of the study.

        Returns
        -------
        Study
            The result.
        """
        shape, reference, m = problem.evaluation.shape, problem.reference, problem.nominal.shape[1]
        full = (*batch, *shape)
        definition = problem.evaluation.quantity.definition
        covariance = statistics.compute_covariance() if problem.layout.covariance else None
        low, high = reference + statistics.low, reference + statistics.high
        return cls(
            robot=robot,
            quantity=quantity,
            unit=definition.unit,
            labels=_label_entries(robot, definition, shape),
            shape=shape,
            t=t,
            nominal=problem.nominal.reshape(full),
            mean=(reference + statistics.mean).reshape(full),
            std=np.sqrt(statistics.variance()).reshape(full),
            covariance=None if covariance is None else covariance.reshape(*batch, m, m),
            levels=levels,
            quantiles=(reference + statistics.quantiles(levels)).reshape(len(levels), *full),
            resolution=problem.layout.width.reshape(full),
            low=low.reshape(full),
            high=high.reshape(full),
            worst=_find_worst(problem.nominal, low, high, statistics, batch),
            groups=[group.name for group in problem.variation.groups],
            **named_indices(statistics, batch, shape),
            vary=vary,
            samples=problem.samples,
            evaluations=problem.evaluations,
            seed=problem.seed,
            sampling=problem.sampling,
            seconds=seconds,
            problem=problem,
        )

    # -------------------------------------------------------------- sampled robots

    def draw(self, sample: int) -> dict[str, np.ndarray]:
        """Return the parameters of a sample, drawn again from the seed.

        Parameters
        ----------
        sample : int
            Number of the sample, from 0 to `samples` - 1.

        Returns
        -------
        dict of str to ndarray
            "parameters" (nb, 10): inertial parameters in SI units. "placements" and "screws"
            (nb, 6): displacements as twists, rotation (rad) first, then translation (m).
            "armature", "damping" and "friction" (nt,) in SI units.

        Raises
        ------
        ArgumentError
            If there is no such sample.
        """
        if isinstance(sample, bool) or not isinstance(sample, (int, np.integer)):
            raise ArgumentError(f"sample must be a whole number, found {sample!r}")
        if not 0 <= sample < self.samples:
            raise ArgumentError(f"sample must be from 0 to {self.samples - 1}, found {sample}")
        problem = self.problem
        chunk, row = divmod(int(sample), problem.chunk)
        x = problem.draw(chunk)[row : row + 1]
        numbers = problem.variation.numbers(x)
        twists = {f"{kind}s": problem.variation.twists(x, kind)[0] for kind in GEOMETRIC}
        drives = dict(zip(DRIVES, numbers.drives[0], strict=True))
        return {"parameters": numbers.parameters[0], **twists, **drives}

    def robot_of(self, sample: int) -> Robot:
        """Return the robot of a sample.

        Parameters
        ----------
        sample : int
            Number of the sample, such as `study.worst[0].sample`.

        Returns
        -------
        Robot
            The sampled robot; for a mechanism or a robot in contact, the robot of its tree.

        Raises
        ------
        ArgumentError
            If there is no such sample.
        """
        drawn = self.draw(sample)
        tree: Robot = getattr(self.robot, "robot", self.robot)
        kinds = {group.kind for group in self.problem.variation.groups}
        drives = {name: drawn[name] for name in DRIVES if name in kinds}
        robot = tree.edit.with_parameters(drawn["parameters"], **drives)
        shapes = [f"{kind}s" for kind in GEOMETRIC if kind in kinds]
        moved: dict[str, Any] = {name: drawn[name] for name in shapes}
        return robot.edit.with_geometry(**moved) if moved else robot

    def worst_robot(self, entry: int | str = 0) -> Robot:
        """Return the sampled robot whose result deviates most from nominal in one entry.

        Parameters
        ----------
        entry : int or str
            Entry of the result, by its label or number.

        Returns
        -------
        Robot
            The sampled robot, as `robot_of` returns it.

        Raises
        ------
        ArgumentError
            If there is no such entry.
        """
        return self.robot_of(self.worst[self._entry(entry)].sample)

    def _entry(self, entry: int | str) -> int:
        """Return the number of an entry, by its label or number."""
        if isinstance(entry, str) and entry in self.labels:
            return self.labels.index(entry)
        count = len(self.labels)
        number = int(entry) if isinstance(entry, (int, np.integer)) else count
        if -count <= number < count and not isinstance(entry, bool):
            return number
        raise ArgumentError(
            f"no entry {entry!r}; choose among {', '.join(self.labels)}, or a number from 0 to"
            f" {count - 1}"
        )

    # -------------------------------------------------------------- output

    def to_dict(self) -> dict[str, Any]:
        """Return the results as a dictionary of numbers, lists and strings.

        Returns
        -------
        dict of str to Any
            The attributes by name; arrays are nested lists with None for NaN.
        """
        out: dict[str, Any] = {"robot": self.robot.name}
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):  # standard errors of too few samples are None
                out[name] = np.where(np.isfinite(value), value, np.array(None)).tolist()
            elif name not in ("robot", "problem"):
                out[name] = value
        out["shape"], out["levels"] = list(self.shape), list(self.levels)
        out["worst"] = [{**x._asdict(), "point": list(x.point)} for x in self.worst]
        out["vary"] = {key: describe_amount(amount) for key, amount in self.vary.items()}
        return out

    def to_json(
        self, path: str | os.PathLike[str] | None = None, *, overwrite: bool = False
    ) -> str:
        """Return the results as JSON, and write them to a file if a path is given.

        Parameters
        ----------
        path : str or path, optional
            File to write the text to.
        overwrite : bool
            Replace an existing file.

        Returns
        -------
        str
            The content of `to_dict` as JSON.

        Raises
        ------
        FileExistsError
            If the file exists and `overwrite` is False.
        """
        text = json.dumps(self.to_dict(), allow_nan=False)
        if path is not None:
            write_files({path: f"{text}\n".encode()}, overwrite=overwrite)
        return text

    def report(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write a self-contained HTML report with plots and tables.

        Parameters
        ----------
        path : str or path
            The file to write.
        overwrite : bool
            Replace an existing file.

        Returns
        -------
        Path
            The path of the file.

        Raises
        ------
        FileExistsError
            If the file exists and `overwrite` is False.
        """
        from jounce.studies.report import write_html

        return write_html(self, path, overwrite=overwrite)

    def plots(self) -> Any:
        """Return Matplotlib figures of the results.

        Returns
        -------
        dict of str to Figure
            "bands" and "deviations", and with Sobol indices "total", "first" and "all".
        """
        from jounce.studies.plots import figures

        return figures(self)

    def ranked(self, entry: int | str) -> list[tuple[str, float, float]]:
        """Return the groups of parameters by their total index, the largest first.

        Parameters
        ----------
        entry : int or str
            Entry of the result, by its label or number.

        Returns
        -------
        list of (str, float, float)
            Name, first-order index and total index of each group over all points; empty without
            Sobol indices.

        Raises
        ------
        ArgumentError
            If there is no such entry.
        """
        entry = self._entry(entry)
        if self.total_overall is None or self.first_overall is None:
            return []
        first = self.first_overall.reshape(len(self.groups), -1)[:, entry]
        total = self.total_overall.reshape(len(self.groups), -1)[:, entry]
        order = np.argsort(-total, kind="stable")
        return [(self.groups[k], float(first[k]), float(total[k])) for k in order]

    def __repr__(self) -> str:
        return printable(
            f"<study of {self.robot.name}.{self.quantity}: {self.samples} samples,"
            f" {len(self.groups)} groups of parameters>"
        )

    def __str__(self) -> str:
        """Return a line for each entry: deviation, worst case, and the main causes."""
        points = int(np.prod(self.nominal.shape[: self.nominal.ndim - len(self.shape)], dtype=int))
        lines = [
            f"{self.robot.name}.{self.quantity}, {self.unit or 'no unit'}: {self.samples} samples"
            f" at {points} points, seed {self.seed}, {self.seconds:.1f} s"
        ]
        std = np.sqrt((self.std.reshape(points, -1) ** 2).mean(axis=0))
        width = max((len(label) for label in self.labels), default=0)
        for k, label in enumerate(self.labels):
            if std[k] == 0.0:
                continue
            worst = self.worst[k].value - self.worst[k].nominal
            text = f"{label:{width}}  std {std[k]:<9.3g} worst {worst:<+10.3g}"
            lines.append(f"{text} {shares(self, k, 4)}".rstrip())
        if len(lines) == 1:
            lines.append("no entry varies")
        return "\n".join(printable(line) for line in lines)


def shares(study: Study, entry: int, most: int) -> str:
    """Return the parameters that cause most of an entry's variance, with their total indices."""
    names = [name for name, _, total in study.ranked(entry)[:most] if total >= _MIN_SHARE]
    return ", ".join(f"{x} {percent(study, study.groups.index(x), entry)}" for x in names)


def percent(study: Study, group: int, entry: int, digits: int = 0) -> str:
    """Return the total index over all points, as 41 ± 3 %; ? if its error is not known."""
    pair: tuple[Any, Any] = (study.total_overall, study.total_overall_error)
    total, error = (float(x.reshape(len(study.groups), -1)[group, entry]) for x in pair)
    known = f"{100.0 * error:.{digits}f}" if np.isfinite(error) else "?"
    return f"{100.0 * total:.{digits}f} ± {known} %"


def _label_entries(robot: Any, definition: Any, shape: tuple[int, ...]) -> list[str]:
    """Return names of the entries of a result, flat: of joints, bodies, or numbers."""
    axes = []
    for size, length in zip(definition.shape, shape, strict=True):
        if size in ("nv", "nq", "nt"):
            axes.append(robot.labels(size[1]))
        elif size == "nb":
            axes.append(getattr(robot, "robot", robot).body_names)
        else:
            axes.append([str(k) for k in range(length)])
    return [", ".join(names) or definition.name for names in product(*axes)]


def _find_worst(
    nominal: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    statistics: Statistics,
    batch: tuple[int, ...],
) -> list[Worst]:
    """Return the largest deviation of each entry over all points."""
    above = high - nominal >= nominal - low
    value = np.where(above, high, low)
    samples = np.where(above, statistics.high_at, statistics.low_at)
    worst = []
    for k, point in enumerate(np.argmax(np.abs(value - nominal), axis=0)):
        place = tuple(int(i) for i in np.unravel_index(point, batch)) if batch else ()
        numbers = (float(value[point, k]), float(nominal[point, k]))
        worst.append(Worst(*numbers, place, int(samples[point, k])))
    return worst
