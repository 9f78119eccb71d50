"""A study as plain data that travels: the robot, its arguments, what varies, how it is reduced."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.errors import DataError
from jounce.studies.evaluation import Evaluation
from jounce.studies.libraries import cupy, module_of
from jounce.studies.reducers import BATCHES, Extremes, Histogram, Indices, Moments
from jounce.studies.variation import Variation

#: Values in the results of a chunk, about; and fewest and most samples of one.
_VALUES, _FEWEST, _MOST = 1 << 21, 16, 1 << 14

#: Memory that a chunk takes while it is done, about: results, their bins, and what is between.
CHUNK_BYTES = 32 * _VALUES

#: Chunks that are done one after the other, at least, and how many such leaves there are at most.
_LEAF, _LEAVES = 4, 512

#: Samples evaluated for the indices, as a share of all others.
_SHARE = 0.5

#: Values that a block of a chunk has, what fits into the cache of a core; and fewest samples of
#: one: sums that are larger than a block are best added to seldom.
_BLOCK, _ROWS = 1 << 16, 32

#: Chunks that a GPU does at once, at most: launches take longer than the work of one.
_TOGETHER = 32

#: Leaves for GPUs, at least, as far as there are chunks.
_SHARES = 16

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
        """Chunks that are done one after the other: what one task does."""
        return self._cut(max(_LEAF, -(-self.chunks // _LEAVES)))

    @property
    def shares(self) -> list[range]:
        """Leaves for GPUs, which do many chunks at once; but enough of them for some devices."""
        return self._cut(min(_TOGETHER, max(_LEAF, -(-self.chunks // _SHARES))))

    def _cut(self, each: int) -> list[range]:
        return [range(k, min(k + each, self.chunks)) for k in range(0, self.chunks, each)]

    def batches(self, chunks: range, on_processor: bool) -> Iterator[range]:
        """Chunks that are evaluated at once; the last, which may have fewer samples, alone."""
        most, last = 1 if on_processor else _TOGETHER, self.chunks - 1
        stop = min(chunks.stop, last)
        for k in range(chunks.start, stop, most):
            yield range(k, min(k + most, stop))
        if last in chunks:
            yield range(last, last + 1)

    @property
    def varies(self) -> np.ndarray:
        """Which results (points, m) vary by more than rounding."""
        return self.bounds[1] > 0.0

    def drawn(self, chunk: int) -> np.ndarray:
        """The numbers (s, d) of the samples of a chunk: always the same."""
        count = min(self.chunk, self.samples - chunk * self.chunk)
        return draws(self.variation, self.seed, chunk, count)

    def drawn_together(self, chunks: range) -> np.ndarray:
        """Those of the samples of some chunks, one after the other."""
        found = [self.drawn(chunk) for chunk in chunks]
        return found[0] if len(found) == 1 else np.concatenate(found)

    def pairs(self, count: int) -> int:
        """Pairs of independent samples, among `count`, that the indices are made of."""
        if not self.sobol:
            return 0
        pairs = min(count // 2, max(2, round(_SHARE * count / len(self.variation.groups))))
        return pairs if pairs < BATCHES else pairs // BATCHES * BATCHES

    @property
    def numbers(self) -> int:
        """How many numbers a state holds, about."""
        points, size = self.nominal.shape
        return state_size(
            points, size, self.bins, len(self.variation.groups) * self.sobol, self.covariance
        )

    def rows(self, on_processor: bool) -> int:
        """Samples that are evaluated at once."""
        if on_processor:
            return max(_ROWS, _BLOCK // self.nominal.size)
        now = self.variation.nominal
        numbers = now.parameters.size + now.placements.size + now.screws.size
        return max(1, _COPIED // (len(self.nominal) * numbers))

    @property
    def evaluations(self) -> int:
        """How often the quantity is evaluated, at all points together."""
        last = self.samples - (self.chunks - 1) * self.chunk
        pairs = (self.chunks - 1) * self.pairs(self.chunk) + self.pairs(last)
        return (self.samples + pairs * len(self.variation.groups)) * len(self.nominal)


def state_size(points: int, size: int, bins: int, groups: int, covariance: bool) -> int:
    """Numbers that a state holds, about; groups: those that have indices."""
    return points * size * (bins + 11 * groups + size * covariance + 8)


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


def _untold(chunks: int) -> None:
    """Nobody wants to know."""


def leaf(
    problem: Problem,
    chunks: range,
    device: int | None = None,
    tell: Callable[[int], None] = _untold,
) -> State:
    """The state of some chunks, done one after the other; on the processor, or a CUDA device.

    tell: is called with the number of chunks that were done since; what it raises ends the leaf.
    """
    if device is None:
        return _reduced(problem, chunks, np, tell)
    xp = cupy()
    with xp.cuda.Device(device):
        return _reduced(problem, chunks, xp, tell).gathered()


def _reduced(problem: Problem, chunks: range, xp: Any, tell: Callable[[int], None]) -> State:
    state = State(problem, xp)
    nominal = xp.asarray(problem.nominal)
    every = places = xp.empty((0, *problem.nominal.shape))
    for some in problem.batches(chunks, xp is np):
        x = xp.asarray(problem.drawn_together(some))
        if len(every) < len(x):
            every = xp.empty((len(x), *problem.nominal.shape))
            places = xp.empty(every.shape, dtype=np.int64)
        values, first = every[: len(x)], some.start * problem.chunk
        _add_samples(problem, state, values, places[: len(x)], x, nominal, first)
        _add_pairs(problem, state, values, x, nominal, some)
        tell(len(some))
    return state


def _add_samples(
    problem: Problem,
    state: State,
    values: Any,
    places: Any,
    x: Any,
    nominal: Any,
    first: int,
) -> None:
    """Evaluate samples into `values`, block by block, and reduce them; first: their number."""
    numbers = problem.variation.numbers(x)
    rows = problem.rows(isinstance(values, np.ndarray))
    for start in range(0, len(x), rows):
        block = slice(start, start + rows)
        part = values[block]
        problem.evaluation(numbers[block], part)
        part -= nominal
        state.moments.add(part)
        _refuse_infinite(problem, state.moments.first, part, first + start)
        state.extremes.add(part, first + start)
        state.histogram.place(part, places[block])
    state.histogram.count(places)


def _add_pairs(
    problem: Problem, state: State, values: Any, x: Any, nominal: Any, chunks: range
) -> None:
    """Evaluate the first samples of chunks again, with one group after the other of the next."""
    each = problem.pairs(len(x) // len(chunks))
    if not each:
        return
    one, other = slice(0, each), slice(each, 2 * each)
    a, b, start, changed = (
        of.reshape(len(chunks), -1, *of.shape[1:])[:, part].reshape(-1, *of.shape[1:])
        for of, part in ((values, one), (values, other), (x, one), (x, other))
    )
    xp, count, groups = module_of(values), len(a), problem.variation.groups
    picked = xp.tile(start, (len(groups), 1))
    rows = [slice(k * count, (k + 1) * count) for k in range(len(groups))]
    for part, group in zip(rows, groups, strict=True):
        columns = slice(group.columns.start, group.columns.stop)
        picked[part, columns] = changed[:, columns]
    numbers = problem.variation.numbers(picked)
    state.indices.begin(a, b, len(chunks))
    mixed = xp.empty(a.shape)
    most = problem.rows(isinstance(values, np.ndarray))
    for k, part in enumerate(rows):
        for begin in range(0, count, most):
            block = slice(part.start + begin, min(part.start + begin + most, part.stop))
            problem.evaluation(numbers[block], mixed[begin : begin + most])
        mixed -= nominal
        state.indices.add(k, a, b, mixed)
        _refuse_infinite(problem, state.indices.ab[k], mixed, chunks.start * problem.chunk)


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
