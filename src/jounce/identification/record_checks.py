"""Consistency of records that were kept: what a file says must fit the robot, and itself.

A checksum tells damage, but anybody who can write a file can write its checksum too. These checks
find records of another layout, numbers that are none, and counts and sums that contradict each
other; they are no defence against somebody who forges a record with care.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from jounce.identification.reading import KEPT
from jounce.identification.robust import Excerpt

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jounce.identification.records import Record
    from jounce.identification.regression import Compressed, Layout
    from jounce.identification.thinning import Thinned
    from jounce.identification.work import Item, Work

#: Differences of sums of squares that rounding explains: relative to them, and to all torques.
_ROUNDING, _CANCELLATION = 1e-9, 1e-14

_COUNTS = ("rows", "missing", "edges", "used", "jumps", "gaps", "outliers", "partitions")


def check_record(record: Record, work: Work, item: Item) -> None:
    """Check that a record may be that of a partition.

    Parameters
    ----------
    record
        As it was read.
    work, item
        What it should be the result of.

    Raises
    ------
    ValueError
        If it cannot be, with the reason.
    """
    layout, first = work.layout, item.asked is None
    _require(list(record.factors) == list(range(len(item.cuts))), "it has other parts")
    for part in record.factors.values():
        _check_factors(part, layout, first)
    _check_counts(record, layout.robot.nv)
    if not first:
        _require(
            not (record.kept.most or record.excerpt.most or record.sight.low), "it has samples"
        )
        return
    summary, count = record.summary, sum(part.count for part in record.factors.values())
    momentum = work.options.momentum
    _require(
        count <= summary.used if momentum else count == summary.used, "its counts contradict others"
    )
    _require(
        summary.used + summary.missing + summary.edges == summary.rows, "its rows do not add up"
    )
    _require(record.kept.most == KEPT, "it has other samples")
    _require(record.excerpt.most == Excerpt.of(layout).held.most, "it has another excerpt")
    for held in (record.kept, record.excerpt):
        _check_thinned(held, summary.rows)
    _check_samples(record.kept, layout)
    _check_extremes(record.sight.low, record.sight.high, layout)
    if not momentum:
        _require(record.kept.seen == summary.used, "its samples are not those of its rows")
        _check_sums(record, layout)


def _require(condition: object, otherwise: str) -> None:
    if not condition:
        raise ValueError(otherwise)


def _is_count(x: object) -> bool:
    return type(x) is int and x >= 0


def _is_finite(array: np.ndarray) -> bool:
    return array.dtype == np.float64 and bool(np.isfinite(array).all())


def _check_factors(part: Compressed, layout: Layout, first: bool) -> None:
    """Check the triangular factors of some samples, which have weights unless it is the first."""
    nv = layout.robot.nv
    _require(_is_count(part.count), "a count is none")
    weight = part.weight
    _require(weight.shape == (nv,) and _is_finite(weight), "weights are no numbers")
    fits = weight == part.count if first else (weight >= 0.0) & (weight <= part.count)
    _require(fits.all(), "weights do not fit the counts")
    _require(len(part.parts) == nv, "it has factors of other joints")
    for factor, support in zip(part.parts, layout.supports, strict=True):
        width = len(support) + 1
        _require(factor.ndim == 2 and factor.shape[1] == width, "factors have another shape")
        _require(len(factor) <= min(part.count, width), "factors have too many rows")
        _require(_is_finite(factor), "factors are no numbers")
        _require(not np.tril(factor, -1).any(), "factors are not triangular")


def _check_counts(record: Record, nv: int) -> None:
    """Check the types of all that is neither factors nor samples."""
    summary, sight, outliers = record.summary, record.sight, record.outliers
    _require(all(_is_count(getattr(summary, name)) for name in _COUNTS), "a count is none")
    words = (summary.source, summary.filter, outliers.place, *summary.warnings)
    _require(all(isinstance(x, str) for x in words), "names are no text")
    _require(isinstance(summary.step, float), "the step in time is no number")
    _require(not summary.left_out, "it was left out")
    named = summary.missing_in.items()
    _require(all(isinstance(k, str) and _is_count(n) for k, n in named), "missing rows are none")
    _require(isinstance(sight.gap, float) and sight.gap >= 0.0, "the gap of loops is none")
    _require(all(len(pair) == nv for pair in sight.misfits), "misfits are of other joints")
    _require(_is_count(outliers.rows), "a count is none")
    for place, row, joint, residual in outliers.first:
        _require(
            isinstance(place, str) and _is_count(row) and isinstance(residual, float), "outlier"
        )
        _require(_is_count(joint) and joint < nv, "an outlier is of no joint")


def _check_thinned(held: Thinned, rows: int) -> None:
    """Check rows that were held, of so many."""
    arrays = held.packed()
    _require(_is_count(held.seen) and held.seen <= rows, "it has seen more rows than there are")
    _require(
        _is_count(held.every) and held.every.bit_count() == 1, "rows are held by no power of 2"
    )
    _require(len(held) <= min(held.most, held.seen), "it holds too many rows")
    for name, array in arrays.items():
        _require(len(array) == len(held), "rows held are of different lengths")
        _require(array.dtype.kind in "iu" or _is_finite(array), f"'{name}' are no numbers")
    if arrays:
        numbers = arrays["rows"]
        _require(numbers.dtype.kind == "i" and numbers.ndim == 1, "rows are not numbered")
        _require(numbers.min() >= 0 and numbers.max() < rows, "it holds rows that are not there")


def _check_samples(kept: Thinned, layout: Layout) -> None:
    """Check the shapes of samples."""
    arrays, robot = kept.arrays(), layout.robot
    if not arrays:
        return
    shapes = {"q": (robot.nq,), "v": (robot.nv,), "a": (robot.nv,), "tau": (robot.nv,), "rows": ()}
    known = {**shapes, "t": ()} if "t" in arrays else shapes
    _require(set(arrays) == set(known), "samples have other names")
    shaped = all(arrays[name].shape[1:] == shape for name, shape in known.items())
    _require(shaped, "samples have another shape")


def _check_extremes(
    low: Mapping[str, np.ndarray], high: Mapping[str, np.ndarray], layout: Layout
) -> None:
    """Check the least and largest values of q, v and tau."""
    robot = layout.robot
    shapes = {"q": (robot.nq,), "v": (robot.nv,), "tau": (robot.nv,)}
    _require(set(low) == set(high) == set(shapes), "extremes have other names")
    for name, shape in shapes.items():
        least, most = low[name], high[name]
        _require(least.shape == most.shape == shape, "extremes have another shape")
        _require(
            _is_finite(least) and _is_finite(most) and (least <= most).all(), "extremes differ"
        )


def _check_sums(record: Record, layout: Layout) -> None:
    """Check the torques of the factors beside those of the samples, and these beside extremes.

    The last columns of the factors have the same sum of squares as the torques they come from: of
    all samples where all are held, and no less than of some.
    """
    arrays = record.kept.arrays()
    for name, least in record.sight.low.items():
        x = arrays[name]
        _require((x >= least).all() and (x <= record.sight.high[name]).all(), "samples are beyond")
    q, v, a, tau = (arrays[name] for name in ("q", "v", "a", "tau"))
    measured = tau - layout.passive_forces(q, v, a) - layout.known(layout.drives(v, a))
    whole = len(record.kept) == record.summary.used
    for i in layout.rows:
        held = np.sum(measured[:, i] ** 2)
        total = sum(np.sum(part.parts[i][:, -1] ** 2) for part in record.factors.values())
        room = _ROUNDING * total + _CANCELLATION * np.sum(tau[:, i] ** 2)
        fits = abs(total - held) <= room if whole else held <= total + room
        _require(fits, "factors do not fit the samples")
