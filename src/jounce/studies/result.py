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
from jounce.studies.variation import DRIVES, GEOMETRIC
from jounce.utils import write_files

if TYPE_CHECKING:
    from jounce.robot import Robot
    from jounce.studies.engine import Problem
    from jounce.studies.statistics import Statistics


#: The share of the variance below which no parameter is named.
_MIN_SHARE = 0.01


class Worst(NamedTuple):
    """The largest deviation of one entry of the result from its nominal value."""

    value: float
    nominal: float

    #: Index into the points, in the axes of the arguments.
    point: tuple[int, ...]

    #: Number of the sample.
    sample: int


@dataclass(frozen=True, eq=False, repr=False)
class Study:
    """How uncertain a quantity is along a trajectory, and which parameters cause it.

    Arrays are (*points, *shape): the leading axes of the arguments, then those of one result.
    """

    robot: Any

    #: The quantity; `motor_forces` or `driven_dynamics` if drives vary.
    quantity: str
    unit: str

    #: Names of the entries of one result, flat, and its shape.
    labels: list[str]
    shape: tuple[int, ...]

    #: Times of the points in s.
    t: np.ndarray | None

    #: Values of the nominal robot; mean and standard deviation of the samples.
    nominal: np.ndarray
    mean: np.ndarray
    std: np.ndarray

    #: Covariance (*points, m, m) of the m entries; None if m > 64.
    covariance: np.ndarray | None

    #: Quantiles (levels, *points, *shape), exact to a bin of width `resolution` (*points, *shape).
    levels: tuple[float, ...]
    quantiles: np.ndarray
    resolution: np.ndarray

    #: Extremes of the samples, and the largest deviation of each entry.
    low: np.ndarray
    high: np.ndarray
    worst: list[Worst]

    #: Parameters that vary together, such as "inertia[link3]".
    groups: list[str]

    #: Sobol indices (groups, *points, *shape): the share of the variance that a group has by
    #: itself (first), and together with others (total). Estimates of small ones may be negative.
    #: `_error`: standard errors, NaN for too few samples. `_overall`: (groups, *shape), over all
    #: points, weighted by the variance. None without `sobol`.
    first: np.ndarray | None
    total: np.ndarray | None
    first_error: np.ndarray | None
    total_error: np.ndarray | None
    first_overall: np.ndarray | None
    total_overall: np.ndarray | None
    first_overall_error: np.ndarray | None
    total_overall_error: np.ndarray | None

    #: What varied, as it was given.
    vary: Mapping[str, Amount]
    samples: int

    #: Evaluations of the quantity, at all points together.
    evaluations: int
    seed: int
    sampling: str
    seconds: float
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
        """Return the results that the statistics of all samples say."""
        shape, reference, m = problem.evaluation.shape, problem.reference, problem.nominal.shape[1]
        full = (*batch, *shape)
        own = problem.evaluation.quantity
        covariance = statistics.spread() if problem.layout.covariance else None
        low, high = reference + statistics.low, reference + statistics.high
        return cls(
            robot=robot,
            quantity=quantity,
            unit=own.definition.unit,
            labels=_label_entries(robot, own.definition, shape),
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
            **_indices(statistics, batch, shape),
            vary=vary,
            samples=problem.samples,
            evaluations=problem.evaluations,
            seed=problem.seed,
            sampling=problem.sampling,
            seconds=seconds,
            problem=problem,
        )

    # -------------------------------------------------------------- samples again

    def draw(self, sample: int) -> dict[str, np.ndarray]:
        """Draw a sample again.

        Parameters
        ----------
        sample : int
            Number of the sample.

        Returns
        -------
        dict of str to ndarray
            parameters (nb, 10), placements and screws (nb, 6) as twists of displacements, armature,
            damping and friction (nt,).
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
        """Return the robot of a sample; of a mechanism or a robot in contact, that of its tree."""
        drawn = self.draw(sample)
        tree: Robot = getattr(self.robot, "robot", self.robot)
        kinds = {group.kind for group in self.problem.variation.groups}
        drives = {name: drawn[name] for name in DRIVES if name in kinds}
        robot = tree.edit.with_parameters(drawn["parameters"], **drives)
        moved = {f"{kind}s": drawn[f"{kind}s"] for kind in GEOMETRIC if kind in kinds}
        return robot.edit.with_geometry(**moved) if moved else robot

    def worst_robot(self, entry: int | str = 0) -> Robot:
        """Return the robot that deviates most in an entry, by its label or number."""
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

    # -------------------------------------------------------------- as text and files

    def to_dict(self) -> dict[str, Any]:
        """Return the results as numbers, lists and text."""
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
        """Return the results as JSON.

        Parameters
        ----------
        path
            A file to write the text to; by default none.
        overwrite
            Replace a file that exists; FileExistsError otherwise.
        """
        text = json.dumps(self.to_dict(), allow_nan=False)
        if path is not None:
            write_files({path: f"{text}\n".encode()}, overwrite=overwrite)
        return text

    def report(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write one HTML file with plots and tables; see `jounce.studies.report`.

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
        from jounce.studies.report import write_html

        return write_html(self, path, overwrite=overwrite)

    def plots(self) -> Any:
        """Return figures of Matplotlib by name; see `jounce.studies.plots`."""
        from jounce.studies.plots import figures

        return figures(self)

    def ranked(self, entry: int | str) -> list[tuple[str, float, float]]:
        """Return groups with first-order and total index over all points, the largest first.

        Parameters
        ----------
        entry : int or str
            Entry of the result, by its label or number.

        Returns
        -------
        list of (str, float, float)
            Empty without Sobol indices.
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
        """Which parameters make each entry uncertain."""
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
            lines.append("nothing of it varies")
        return "\n".join(printable(line) for line in lines)


def shares(study: Study, entry: int, most: int) -> str:
    """Return the parameters that cause most of an entry's variance, with their total indices."""
    names = [name for name, _, total in study.ranked(entry)[:most] if total >= _MIN_SHARE]
    return ", ".join(f"{x} {percent(study, study.groups.index(x), entry)}" for x in names)


def percent(study: Study, group: int, entry: int, digits: int = 0) -> str:
    """Return the total index over all points, as 41 ± 3 %; ? if its error is not known."""
    both: tuple[Any, Any] = (study.total_overall, study.total_overall_error)
    total, error = (float(x.reshape(len(study.groups), -1)[group, entry]) for x in both)
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


def _indices(
    statistics: Statistics, batch: tuple[int, ...], shape: tuple[int, ...]
) -> dict[str, np.ndarray | None]:
    """Return Sobol indices by the names of the fields of `Study`."""
    out: dict[str, np.ndarray | None] = {}
    for overall in (False, True):
        axes = shape if overall else (*batch, *shape)
        both = statistics.indices(overall) if statistics.layout.groups else (None, None)
        for x, error in zip(both, ("", "_error"), strict=True):
            for k, name in enumerate(("first", "total")):
                key = f"{name}{'_overall' * overall}{error}"
                out[key] = None if x is None else x[k].reshape(-1, *axes)
    return out
