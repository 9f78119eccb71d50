"""What a partition of the data becomes: a small record, which travels and is kept; a monoid.

The factors of a record are as good as the samples they come from, up to rounding: orthogonal
transformations, as by QR, neither amplify errors nor lose any, so that records may be added in any
order. The sum is taken as a fixed tree all the same (`process.sums`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from jounce.identification.checks import Sight
from jounce.identification.data import DataSummary
from jounce.identification.regression import Compressed
from jounce.identification.robust import Outliers
from jounce.identification.thinning import Thinned


@dataclass(eq=False)
class Record:
    """Factors by part, counts, some samples and equations, what there was to see, and outliers.

    Those of a partition number the parts as they are cut; `placed` makes folds of them.
    """

    factors: dict[int, Compressed] = field(default_factory=dict)
    summary: DataSummary = field(default_factory=DataSummary)
    kept: Thinned = field(default_factory=lambda: Thinned(0))
    excerpt: Thinned = field(default_factory=lambda: Thinned(0))
    sight: Sight = field(default_factory=Sight)
    outliers: Outliers = field(default_factory=Outliers)

    @classmethod
    def left_out(cls, name: str, reason: str) -> Record:
        """That of a partition which cannot be used."""
        return cls(summary=DataSummary(left_out={name: reason}))

    def placed(self, before: int, folds: Iterable[int]) -> Record:
        """That of a partition among others: rows before it, and the fold of each of its parts."""
        for held in (self.kept, self.excerpt):
            if "rows" in (arrays := held.arrays()):
                arrays["rows"] = arrays["rows"] + before
        self.factors = {
            k: part for k, part in zip(folds, self.factors.values(), strict=False) if part.count
        }
        return self

    def __add__(self, other: Record) -> Record:
        """That of both."""
        factors = dict(self.factors)
        for k, part in other.factors.items():
            factors[k] = factors[k] + part if k in factors else part
        return Record(
            factors,
            self.summary + other.summary,
            _sum(self.kept, other.kept),
            _sum(self.excerpt, other.excerpt),
            self.sight + other.sight,
            self.outliers + other.outliers,
        )


def _sum(one: Thinned, other: Thinned) -> Thinned:
    """Of those that hold something."""
    return one + other if one.most and other.most else one if one.most else other


# ------------------------------------------------------------------ as arrays


def packed(record: Record) -> dict[str, np.ndarray]:
    """A record of one partition as arrays by name, which `unpacked` takes back, bit for bit."""
    arrays: dict[str, np.ndarray] = {}
    for k, part in record.factors.items():
        arrays[f"weight {k}"] = part.weight
        arrays |= {f"factor {k} {i}": x for i, x in enumerate(part.parts)}
    thinned = {"kept": record.kept, "excerpt": record.excerpt}
    for name, held in thinned.items():
        arrays |= {f"{name} {k}": x for k, x in held.packed().items()}
    for name in ("low", "high"):
        arrays |= {f"{name} {k}": x for k, x in getattr(record.sight, name).items()}
    plain = {
        "counts": [part.count for part in record.factors.values()],
        "joints": max((len(part.parts) for part in record.factors.values()), default=0),
        "summary": asdict(record.summary),
        "rates": record.sight.rates,
        "misfits": record.sight.misfits,
        "gap": record.sight.gap,
        "outliers": asdict(record.outliers),
        **{name: [held.most, held.every, held.seen] for name, held in thinned.items()},
    }
    arrays["plain"] = np.frombuffer(json.dumps(plain).encode(), dtype=np.uint8)
    return arrays


def unpacked(arrays: Mapping[str, np.ndarray]) -> Record:
    """The record that was packed."""
    plain: dict[str, Any] = json.loads(arrays["plain"].tobytes().decode())
    joints = range(plain["joints"])
    factors = {
        k: Compressed(count, arrays[f"weight {k}"], [arrays[f"factor {k} {i}"] for i in joints])
        for k, count in enumerate(plain["counts"])
    }
    outliers = plain["outliers"]
    outliers["first"] = tuple(tuple(item) for item in outliers["first"])
    rates = tuple((float(ratio), float(agreement)) for ratio, agreement in plain["rates"])
    misfits = tuple(tuple(float(x) for x in pair) for pair in plain["misfits"])
    sight = Sight(_named(arrays, "low"), _named(arrays, "high"), rates, plain["gap"], misfits)
    return Record(
        factors,
        DataSummary(**plain["summary"]),
        Thinned.of(plain["kept"], _named(arrays, "kept")),
        Thinned.of(plain["excerpt"], _named(arrays, "excerpt")),
        sight,
        Outliers(**outliers),
    )


def _named(arrays: Mapping[str, np.ndarray], first: str) -> dict[str, np.ndarray]:
    """Those whose names begin with a word, by the rest."""
    return {k.partition(" ")[2]: arrays[k] for k in arrays if k.partition(" ")[0] == first}
