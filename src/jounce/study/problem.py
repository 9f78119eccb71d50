"""A study as plain data that travels: the robot, its arguments, what varies, how it is reduced."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.errors import DataError
from jounce.study.evaluation import Evaluation
from jounce.study.libraries import cupy, module_of
from jounce.study.reducers import BATCHES, Extremes, Histogram, Indices, Moments
from jounce.study.variation import Variation

#: Values in the results of a chunk, about; and fewest and most samples of one.
_VALUES, _FEWEST, _MOST = 1 << 21, 16, 1 << 14

#: Chunks that are done one after the other, at least, and how many such leaves there are at most.
_LEAF, _LEAVES = 4, 512

#: Samples evaluated for the indices, as a share of all others.
_SHARE = 0.5

#: Values that a block of a chunk has: what fits into the cache of a core.
_BLOCK = 1 << 16

#: Numbers of robots that a block has on a GPU, where each point has its own copy: 512 MB.
_COPIED = 1 << 26

#: The number of the samples that first tell how far values are spread: no chunk has it.
PILOT = 2**32 - 1


@dataclass(frozen=True, eq=False)
class Problem:
    """All that a chunk is made of.

    bounds: lowest value of the histograms' first bins and their width, (points, m) each.
    """

    evaluation: Evaluation
    variation: Variation
    samples: int
    seed: int
    nominal: np.ndarray
    bounds: tuple[np.ndarray, np.ndarray]
    bins: int
    covariance: bool
    sobol: bool

    @property
    def chunk(self) -> int:
        """Samples of a chunk, whoever does it."""
        return chunk_size(self.nominal.size)

    @property
    def chunks(self) -> int:
        """How many chunks there are."""
        return -(-self.samples // self.chunk)

    @property
    def leaves(self) -> list[range]:
        """Chunks that are done together, in order: what one task does."""
        each = max(_LEAF, -(-self.chunks // _LEAVES))
        return [range(k, min(k + each, self.chunks)) for k in range(0, self.chunks, each)]

    @property
    def varies(self) -> np.ndarray:
        """Which results (points, m) vary by more than rounding."""
        return self.bounds[1] > 0.0

    def drawn(self, chunk: int) -> np.ndarray:
        """The numbers (s, d) of the samples of a chunk: always the same."""
        count = min(self.chunk, self.samples - chunk * self.chunk)
        return draws(self.variation, self.seed, chunk, count)

    def pairs(self, count: int) -> int:
        """Pairs of independent samples, among `count`, that the indices are made of."""
        if not self.sobol:
            return 0
        pairs = min(count // 2, max(2, round(_SHARE * count / len(self.variation.groups))))
        return pairs if pairs < BATCHES else pairs // BATCHES * BATCHES

    def rows(self, on_processor: bool) -> int:
        """Samples that are evaluated at once."""
        if on_processor:
            return max(1, _BLOCK // self.nominal.size)
        now = self.variation.nominal
        numbers = now.parameters.size + now.placements.size + now.screws.size
        return max(1, _COPIED // (len(self.nominal) * numbers))

    @property
    def evaluations(self) -> int:
        """How often the quantity is evaluated, at all points together."""
        last = self.samples - (self.chunks - 1) * self.chunk
        pairs = (self.chunks - 1) * self.pairs(self.chunk) + self.pairs(last)
        return (self.samples + pairs * len(self.variation.groups)) * len(self.nominal)


def chunk_size(values: int) -> int:
    """Samples of a chunk of results with so many values each: a power of two."""
    size = max(_FEWEST, min(_MOST, _VALUES // max(values, 1)))
    return 1 << (size.bit_length() - 1)


def draws(variation: Variation, seed: int, chunk: int, count: int) -> np.ndarray:
    """Independent numbers (count, d) of a chunk."""
    stream = np.random.SeedSequence(seed, spawn_key=(chunk,))
    return variation.draw(np.random.Generator(np.random.Philox(stream)), count)


class State:
    """All statistics together, of the samples of one chunk after the other."""

    def __init__(self, problem: Problem, xp: Any = np) -> None:
        shape = problem.nominal.shape
        self.moments = Moments(shape, problem.covariance, xp)
        self.histogram = Histogram(*problem.bounds, problem.bins, xp)
        self.extremes = Extremes(shape, xp)
        self.indices = Indices(len(problem.variation.groups) if problem.sobol else 0, shape, xp)

    def merged(self, other: State) -> State:
        """This state with what comes after it; both stay as they are."""
        out = copy(self)
        for name, part in vars(self).items():
            setattr(out, name, part.merged(getattr(other, name)))
        return out

    def gathered(self) -> State:
        """The same with NumPy's arrays."""
        for part in vars(self).values():
            part.gathered()
        return self


def leaf(problem: Problem, chunks: range, device: int | None = None) -> State:
    """The state of some chunks, done one after the other; on the processor, or a CUDA device."""
    if device is None:
        return _reduced(problem, chunks, np)
    xp = cupy()
    with xp.cuda.Device(device):
        return _reduced(problem, chunks, xp).gathered()


def _reduced(problem: Problem, chunks: range, xp: Any) -> State:
    state = State(problem, xp)
    nominal = xp.asarray(problem.nominal)
    shape = (min(problem.chunk, problem.samples), *problem.nominal.shape)
    every, places = xp.empty(shape), xp.empty(shape, dtype=np.int64)
    for chunk in chunks:
        x = xp.asarray(problem.drawn(chunk))
        values = every[: len(x)]
        _add_samples(problem, state, values, places[: len(x)], x, nominal, chunk)
        _add_pairs(problem, state, values, x, nominal, chunk * problem.chunk)
    return state


def _add_samples(
    problem: Problem,
    state: State,
    values: Any,
    places: Any,
    x: Any,
    nominal: Any,
    chunk: int,
) -> None:
    """Evaluate the samples of a chunk into `values`, block by block, and reduce them."""
    numbers = problem.variation.numbers(x)
    rows = problem.rows(isinstance(values, np.ndarray))
    for start in range(0, len(x), rows):
        block = slice(start, start + rows)
        part = values[block]
        problem.evaluation(numbers[block], part)
        part -= nominal
        first = chunk * problem.chunk + start
        state.moments.add(part)
        _refuse_infinite(problem, state.moments.first, part, first)
        state.extremes.add(part, first)
        state.histogram.place(part, places[block])
    state.histogram.count(places)


def _add_pairs(
    problem: Problem, state: State, values: Any, x: Any, nominal: Any, first: int
) -> None:
    """Evaluate the first samples of a chunk again, with one group after the other of the next."""
    count = problem.pairs(len(x))
    if not count:
        return
    a, b = values[:count], values[count : 2 * count]
    groups = problem.variation.groups
    xp = module_of(values)
    picked = xp.tile(x[:count], (len(groups), 1))
    rows = [slice(k * count, (k + 1) * count) for k in range(len(groups))]
    for part, group in zip(rows, groups, strict=True):
        columns = slice(group.columns.start, group.columns.stop)
        picked[part, columns] = x[count : 2 * count, columns]
    numbers = problem.variation.numbers(picked)
    state.indices.begin(a, b)
    mixed = xp.empty(a.shape)
    most = problem.rows(isinstance(values, np.ndarray))
    for k, part in enumerate(rows):
        for start in range(0, count, most):
            block = slice(part.start + start, min(part.start + start + most, part.stop))
            problem.evaluation(numbers[block], mixed[start : start + most])
        mixed -= nominal
        state.indices.add(k, a, b, mixed)
        _refuse_infinite(problem, state.indices.ab[k], mixed, first)


def _refuse_infinite(problem: Problem, sums: Any, values: Any, first: int) -> None:
    """Say which sample has no finite result, where one has not: their sums then are not finite."""
    if bool(module_of(values).isfinite(sums).all()):
        return
    host = values if isinstance(values, np.ndarray) else values.get()
    row, point, output = (int(k[0]) for k in np.nonzero(~np.isfinite(host)))
    raise DataError(
        f"{problem.evaluation.title}: sample {first + row} has no finite result at point {point},"
        f" entry {output}: the quantity is not defined for every robot that is drawn, or not at"
        " this point; vary less, or take other points"
    )
