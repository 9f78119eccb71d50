"""Summaries of partitions, which can be added, sent to other processes, and stored.

Triangular factors of parts of the data can be added in any order, and the sum equals the factor of
all samples up to round-off: orthogonal transformations do not amplify errors.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

import numpy as np

from jounce.identification.checks import ValueRanges
from jounce.identification.data import DataSummary
from jounce.identification.regression import Compressed
from jounce.identification.robust import Outliers
from jounce.identification.sampling import RowSample

#: Samples kept for plots, for checks of units and for the noise of the torques.
SAMPLES = 4000


@dataclass(eq=False)
class PartitionSummary:
    """The result of a pass over one or several partitions.

    factors: by block of cross-validation, or by part of a single partition. samples: of the
    measured states. equations: a sample of the filtered equations of the momentum form.
    """

    factors: dict[int, Compressed] = field(default_factory=dict)
    data: DataSummary = field(default_factory=DataSummary)
    samples: RowSample = field(default_factory=lambda: RowSample(0))
    equations: RowSample = field(default_factory=lambda: RowSample(0))
    ranges: ValueRanges = field(default_factory=ValueRanges)
    outliers: Outliers = field(default_factory=Outliers)

    def place(self, first_row: int, folds: Iterable[int]) -> PartitionSummary:
        """Number the rows from `first_row`, and assign the factors to blocks; return self."""
        for sample in (self.samples, self.equations):
            if sample.arrays:
                sample.arrays["rows"] = sample.arrays["rows"] + first_row
        parts = zip(folds, self.factors.values(), strict=False)  # none if it was left out
        self.factors = {k: part for k, part in parts if part.count}
        return self

    def __add__(self, other: PartitionSummary) -> PartitionSummary:
        """Return the summary of both, in this order."""
        factors = dict(self.factors)
        for k, part in other.factors.items():
            factors[k] = factors[k] + part if k in factors else part
        names = (f.name for f in fields(self) if f.name != "factors")
        return PartitionSummary(
            factors, **{name: getattr(self, name) + getattr(other, name) for name in names}
        )

    # -------------------------------------------------------------- storage

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Return arrays by name for `from_arrays`; one of them contains all else as JSON."""
        arrays: dict[str, np.ndarray] = {}
        tree = json.dumps(_flatten(self, arrays))
        return {**arrays, "tree": np.frombuffer(tree.encode(), dtype=np.uint8)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> PartitionSummary:
        """Return the summary that `to_arrays` wrote."""
        tree = _restore(json.loads(arrays["tree"].tobytes()), arrays)
        return cls(
            {int(k): Compressed(**part) for k, part in tree["factors"].items()},
            DataSummary(**tree["data"]),
            RowSample(**tree["samples"]),
            RowSample(**tree["equations"]),
            ValueRanges(**tree["ranges"]),
            Outliers(**tree["outliers"]),
        )


#: Key of references to arrays in JSON; not a possible name of a file or a field.
_ARRAY = "\0array"


def _flatten(value: Any, arrays: dict[str, np.ndarray]) -> Any:
    """Return a JSON tree of data classes and containers; arrays are moved into a dictionary."""
    if isinstance(value, np.ndarray):
        name = str(len(arrays))
        arrays[name] = value
        return {_ARRAY: name}
    if is_dataclass(value):
        value = {x.name: getattr(value, x.name) for x in fields(value)}
    if isinstance(value, dict):
        return {str(k): _flatten(x, arrays) for k, x in value.items()}
    return [_flatten(x, arrays) for x in value] if isinstance(value, (list, tuple)) else value


def _restore(tree: Any, arrays: Mapping[str, np.ndarray]) -> Any:
    """Put the arrays back into a JSON tree."""
    if isinstance(tree, dict):
        if _ARRAY in tree:
            return arrays[tree[_ARRAY]]
        return {k: _restore(x, arrays) for k, x in tree.items()}
    return [_restore(x, arrays) for x in tree] if isinstance(tree, list) else tree
