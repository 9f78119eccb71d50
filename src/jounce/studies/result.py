"""What a study has found out."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from jounce.errors import ArgumentError, printable
from jounce.studies.kinds import Amount, Normal, Uniform
from jounce.studies.variation import GEOMETRIC
from jounce.utils.files import write_files

if TYPE_CHECKING:
    from jounce.robot import Robot
    from jounce.studies.problem import Problem, State


#: The share of the variance below which no parameter is named.
_LEAST = 0.01


class Worst(NamedTuple):
    """The largest deviation of one entry of the result: its value, where, and which sample did it.

    point: index into the points, as they were given.
    """

    value: float
    nominal: float
    point: tuple[int, ...]
    sample: int


@dataclass(frozen=True, eq=False, repr=False)
class Study:
    """How uncertain a quantity is along a trajectory, and which parameters make it so.

    Arrays are (*points, *shape), with the axes that the arguments had and those of one result.
    quantity: what they are; where drives vary, motor_forces rather than inverse_dynamics. labels:
    of the entries of one result, flat. nominal: of the robot as it is; mean, std, low, high,
    covariance (*points, m, m) (None where m > 64), quantiles (levels, *points, *shape): of the
    samples. worst: the largest deviation from nominal of each entry. groups: parameters that vary
    together. first, total (groups, *points, *shape): Sobol's indices, the share of the
    variance that a group has by itself, and together with others; first_overall, total_overall
    (groups, *shape): over all points, weighted by the variance. Names that end in `_error` are
    standard errors, NaN of too few samples. They are None without `sobol`.

    Indices are estimates: small ones may come out below zero. Quantiles are exact to a bin of a
    histogram, `resolution` (*points, *shape), and far better where many samples lie.
    """

    robot: Any
    quantity: str
    unit: str
    labels: list[str]
    shape: tuple[int, ...]
    t: np.ndarray | None
    nominal: np.ndarray
    mean: np.ndarray
    std: np.ndarray
    covariance: np.ndarray | None
    levels: tuple[float, ...]
    quantiles: np.ndarray
    resolution: np.ndarray
    low: np.ndarray
    high: np.ndarray
    worst: list[Worst]
    groups: list[str]
    first: np.ndarray | None
    total: np.ndarray | None
    first_error: np.ndarray | None
    total_error: np.ndarray | None
    first_overall: np.ndarray | None
    total_overall: np.ndarray | None
    first_overall_error: np.ndarray | None
    total_overall_error: np.ndarray | None
    vary: Mapping[str, Amount]
    samples: int
    evaluations: int
    seed: int
    seconds: float
    problem: Problem = field(repr=False)

    @classmethod
    def of(
        cls,
        problem: Problem,
        state: State,
        *,
        quantity: str,
        levels: tuple[float, ...],
        batch: tuple[int, ...],
        t: np.ndarray | None,
        vary: Mapping[str, Amount],
        seconds: float,
    ) -> Study:
        """What a state says, once all chunks are in it."""
        evaluation, nominal = problem.evaluation, problem.nominal
        one = (*batch, *evaluation.shape)
        moments, extremes = state.moments, state.extremes
        # rounding is no variance
        variance = np.where(problem.varies, moments.variance(), 0.0)
        low, high = extremes.low, extremes.high
        deviations = state.histogram.quantiles(levels, low, high)
        covariance = None
        if problem.covariance:
            covariance = moments.spread().reshape(*batch, nominal.shape[1], nominal.shape[1])
        robot = evaluation.robot
        return cls(
            robot=robot,
            quantity=quantity,
            unit=robot.quantity(evaluation.quantity).definition.unit,
            labels=labels(robot, evaluation.quantity),
            shape=evaluation.shape,
            t=t,
            nominal=nominal.reshape(one),
            mean=(nominal + moments.mean).reshape(one),
            std=np.sqrt(variance).reshape(one),
            covariance=covariance,
            levels=levels,
            quantiles=(nominal + deviations).reshape(len(levels), *one),
            resolution=problem.bounds[1].reshape(one),
            low=(nominal + low).reshape(one),
            high=(nominal + high).reshape(one),
            worst=_worst(nominal, state, batch),
            groups=[group.name for group in problem.variation.groups],
            **_indices(problem, state, one),
            vary=vary,
            samples=problem.samples,
            evaluations=problem.evaluations,
            seed=problem.seed,
            seconds=seconds,
            problem=problem,
        )

    # -------------------------------------------------------------- samples again

    def draw(self, sample: int) -> dict[str, np.ndarray]:
        """The robot's numbers in a sample, drawn again.

        parameters (nb, 10), placements and screws (nb, 6) as twists of displacements, armature,
        damping and friction (nt,).
        """
        if isinstance(sample, bool) or not isinstance(sample, (int, np.integer)):
            raise ArgumentError(f"sample must be a whole number, found {sample!r}")
        if not 0 <= sample < self.samples:
            raise ArgumentError(f"sample must be from 0 to {self.samples - 1}, found {sample}")
        problem = self.problem
        chunk, row = divmod(int(sample), problem.chunk)
        x = problem.drawn(chunk)[row : row + 1]
        numbers = problem.variation.numbers(x)
        twists = [problem.variation.twists(x, kind)[0] for kind in GEOMETRIC]
        drives = numbers.drives[0]
        return {
            "parameters": numbers.parameters[0],
            **dict(zip(("placements", "screws"), twists, strict=True)),
            **dict(zip(("armature", "damping", "friction"), drives, strict=True)),
        }

    def robot_of(self, sample: int) -> Robot:
        """The robot of a sample; of a mechanism or a robot in contact, that of its tree."""
        drawn = self.draw(sample)
        tree: Robot = getattr(self.robot, "robot", self.robot)
        kinds = {group.kind for group in self.problem.variation.groups}
        drives = {name: drawn[name] for name in ("armature", "damping", "friction")}
        changed = {name: x for name, x in drives.items() if name in kinds}
        found = tree.edit.with_parameters(drawn["parameters"], **changed)
        moved = {f"{kind}s": drawn[f"{kind}s"] for kind in GEOMETRIC if kind in kinds}
        return found.edit.with_geometry(**moved) if moved else found

    def worst_robot(self, entry: int | str = 0) -> Robot:
        """The robot that deviates most in an entry of the result, by its label or number."""
        return self.robot_of(self.worst[self._entry(entry)].sample)

    def _entry(self, entry: int | str) -> int:
        """The number of an entry of the result that is called by its label or number."""
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
        """All that was found, as numbers, lists and text."""
        out: dict[str, Any] = {"robot": self.robot.name}
        left = {"robot", "problem", "vary", "worst"}
        for name in (part for part in vars(self) if part not in left):
            value = getattr(self, name)
            out[name] = _listed(value) if isinstance(value, np.ndarray) else value
        out["shape"], out["levels"] = list(self.shape), list(self.levels)
        out["worst"] = [{**x._asdict(), "point": list(x.point)} for x in self.worst]
        out["vary"] = {key: _plain(amount) for key, amount in self.vary.items()}
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
        """Figures by Matplotlib; see `jounce.studies.plots`."""
        from jounce.studies.plots import figures

        return figures(self)

    def ranked(self, entry: int | str) -> list[tuple[str, float, float]]:
        """Groups with first-order and total index over all points, most important first.

        entry: of the result, by its label or number.
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
        return printable_lines(lines)


def printable_lines(lines: list[str]) -> str:
    """Lines that a terminal shows as they are."""
    return "\n".join(printable(line) for line in lines)


def shares(found: Study, entry: int, most: int) -> str:
    """The parameters that most of an entry's variance is due to, with their total indices."""
    named = [name for name, _, total in found.ranked(entry)[:most] if total >= _LEAST]
    return ", ".join(f"{x} {percent(found, found.groups.index(x), entry)}" for x in named)


def percent(found: Study, group: int, entry: int, digits: int = 0) -> str:
    """The total index over all points, such as 41 ± 3 %; ? where its error is not known."""
    both: tuple[Any, Any] = (found.total_overall, found.total_overall_error)
    total, error = (float(x.reshape(len(found.groups), -1)[group, entry]) for x in both)
    known = f"{100.0 * error:.{digits}f}" if np.isfinite(error) else "?"
    return f"{100.0 * total:.{digits}f} ± {known} %"


def _plain(amount: Any) -> str | float | None:
    """An amount as a number or text, whatever kind of number it is."""
    if isinstance(amount, Normal | Uniform):
        return repr(replace(amount, amount=_plain(amount.amount)))
    return float(amount) if isinstance(amount, Real) else amount


def _listed(x: np.ndarray) -> Any:
    """An array as lists; None for errors that are not known, of too few samples."""
    return np.where(np.isfinite(x), x, np.array(None)).tolist()


def labels(robot: Any, quantity: str) -> list[str]:
    """Names of the entries of a quantity's result, flat: of joints, bodies, or numbers."""
    found = robot.quantity(quantity)
    row, core = found.definition, found.kernel.outputs[0]
    tree = getattr(robot, "robot", robot)
    of = found.robot
    axes = []
    for size, length in zip(row.shape, core, strict=True):
        if size == "nv":
            axes.append(of.labels("v") if hasattr(of, "labels") else robot.labels("v"))
        elif size in ("nq", "nt"):
            axes.append(robot.labels("q" if size == "nq" else "t"))
        elif size == "nb":
            axes.append(tree.body_names)
        else:
            axes.append([str(k) for k in range(length)])
    names = [()]
    for axis in axes:
        names = [(*before, label) for before in names for label in axis]
    return [", ".join(name) or row.name for name in names]


def _worst(nominal: np.ndarray, state: State, batch: tuple[int, ...]) -> list[Worst]:
    """The largest deviation of each entry over all points."""
    found = []
    low, high = state.extremes.low, state.extremes.high
    for k in range(nominal.shape[1]):
        above = high[:, k] >= -low[:, k]
        size = np.where(above, high[:, k], -low[:, k])
        point = int(np.argmax(size))
        ends = (high, state.extremes.high_at) if above[point] else (low, state.extremes.low_at)
        value, sample = (float(nominal[point, k] + ends[0][point, k]), int(ends[1][point, k]))
        place = tuple(int(i) for i in np.unravel_index(point, batch)) if batch else ()
        found.append(Worst(value, float(nominal[point, k]), place, sample))
    return found


def _indices(problem: Problem, state: State, one: tuple[int, ...]) -> dict[str, np.ndarray | None]:
    """Sobol's indices by the names of the study's fields."""
    names = ("first", "total", "first_overall", "total_overall")
    out: dict[str, np.ndarray | None] = {}
    groups = len(problem.variation.groups)
    for name in names:
        out[name] = out[f"{name}_error"] = None
        if problem.sobol:
            overall = name.endswith("_overall")
            shape = problem.evaluation.shape if overall else one
            indices = state.indices
            pair = (indices.first if name.startswith("first") else indices.total)(overall)
            varies = problem.varies.any(axis=0) if overall else problem.varies
            masked = (np.where(varies, x, 0.0).reshape(groups, *shape) for x in pair)
            out[name], out[f"{name}_error"] = masked
    return out
