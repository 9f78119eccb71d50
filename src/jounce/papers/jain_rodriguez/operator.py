"""Spatial operators: block matrices that keep the expression they were built from.

An `Operator` maps stacked vectors of one `Space` to another. It can be multiplied, added,
transposed, indexed by blocks and printed; it keeps its expression, so that

    print(H @ phi @ M @ phi.T @ H.T)

shows "H phi M phi^T H^T", and a product with a vector runs from the right, factor by factor.
Factors that encode a recursion over the tree (phi, psi and their transposes) run that recursion
instead of a matrix product: H phi M phi^T H^T x costs O(n). Blocks are computed lazily, once, and
blocks that are zero for every configuration are never stored.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from typing import Any

import numpy as np

from jounce.math.scalar import Array, identity, is_zero, zeros
from jounce.papers.common import solve
from jounce.utils.lazy import cached_property

Blocks = Mapping[tuple[int, int], Array]
Recursion = Callable[[Array], Array]


@dataclass(frozen=True)
class Space:
    """A space of stacked vectors: a name, and the label and size of each block."""

    name: str
    labels: tuple[str, ...]
    sizes: tuple[int, ...]

    @cached_property
    def slices(self) -> tuple[slice, ...]:
        """Return the slice of each block in a stacked vector."""
        ends = np.cumsum((0, *self.sizes)).tolist()
        return tuple(slice(a, b) for a, b in pairwise(ends))

    @property
    def dimension(self) -> int:
        """Length of a stacked vector."""
        return sum(self.sizes)


class Operator(ABC):
    """A linear map from the space `columns` to the space `rows`, in blocks."""

    __array_ufunc__ = None  # so that array @ operator calls __rmatmul__

    def __init__(self, rows: Space, columns: Space) -> None:
        self.rows = rows
        self.columns = columns

    # -------------------------------------------------------------- representation

    @property
    @abstractmethod
    def name(self) -> str:
        """The expression, such as "H phi M phi^T H^T"."""

    @property
    @abstractmethod
    def T(self) -> Operator:
        """The transpose (the paper's star)."""

    @cached_property
    def blocks(self) -> Blocks:
        """Blocks that are not structurally zero, by row and column."""
        return self._form()

    @abstractmethod
    def _form(self) -> Blocks: ...

    @abstractmethod
    def _times(self, x: Array) -> Array: ...

    def __getitem__(self, index: tuple[int, int]) -> Array:
        i, j = index
        block = self.blocks.get((i, j))
        return zeros(self.rows.sizes[i], self.columns.sizes[j]) if block is None else block

    def dense(self) -> Array:
        """Return the dense matrix as an object array."""
        out = zeros(self.rows.dimension, self.columns.dimension)
        for (i, j), block in self.blocks.items():
            out[self.rows.slices[i], self.columns.slices[j]] = block
        return out

    def rename(self, name: str, symmetric: bool = False) -> Operator:
        """Return the same operator with another name."""
        return Leaf(name, self.rows, self.columns, lambda: self.blocks, symmetric=symmetric)

    def inverse(self) -> Operator:
        """Invert a block diagonal operator with symmetric positive definite blocks."""
        if any(i != j for i, j in self.blocks):
            raise ValueError(
                f"{self.name} is not block diagonal, so it cannot be inverted block by block"
            )
        blocks = {key: solve(block, identity(len(block))) for key, block in self.blocks.items()}
        return Leaf(f"{_factor(self)}^-1", self.columns, self.rows, blocks, symmetric=True)

    # -------------------------------------------------------------- algebra

    def __matmul__(self, other: Any) -> Any:
        if isinstance(other, Operator):
            if self.columns != other.rows:
                raise ValueError(
                    f"cannot multiply {self.name} ({_shape(self)}) by {other.name}"
                    f" ({_shape(other)})"
                )
            return Product((*_factors(self), *_factors(other)))
        x = np.asarray(other, dtype=object)
        if x.ndim == 0 or len(x) != self.columns.dimension:
            raise ValueError(
                f"{self.name} ({_shape(self)}) takes stacked vectors of length"
                f" {self.columns.dimension}, found shape {x.shape}"
            )
        return self._times(x)

    def __rmatmul__(self, other: Any) -> Array:
        return (self.T @ np.asarray(other, dtype=object).T).T

    def __add__(self, other: Any) -> Operator:
        if not isinstance(other, Operator):
            return NotImplemented
        if (self.rows, self.columns) != (other.rows, other.columns):
            raise ValueError(
                f"cannot add {self.name} ({_shape(self)}) and {other.name} ({_shape(other)})"
            )
        return Sum((*_terms(self), *_terms(other)))

    def __sub__(self, other: Any) -> Operator:
        return self + -other if isinstance(other, Operator) else NotImplemented

    def __neg__(self) -> Operator:
        return self * -1

    def __mul__(self, scale: Any) -> Operator:
        return Sum(tuple((scale * c, term) for c, term in _terms(self)))

    __rmul__ = __mul__

    # -------------------------------------------------------------- printing

    def __repr__(self) -> str:
        return f"<{self.name}: {_shape(self)}>"

    def __str__(self) -> str:
        """Return the name, and a table of the blocks.

        `.` zero, `1` identity, `x` any other; single numbers are shown themselves.
        """
        table = [["", *self.columns.labels]]
        for i, label in enumerate(self.rows.labels):
            row = [_cell(self.blocks.get((i, j))) for j in range(len(self.columns.labels))]
            table.append([label, *row])
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = [
            "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip()
            for row in table
        ]
        total = len(self.rows.sizes) * len(self.columns.sizes)
        head = f"{self.name}: {_shape(self)}, {len(self.blocks)} of {total} blocks"
        return "\n".join((head, *lines))


class Leaf(Operator):
    """A named operator; its blocks may be computed lazily.

    recursion, transposed: products of the operator and its transpose with a vector, if cheaper.
    """

    def __init__(
        self,
        name: str,
        rows: Space,
        columns: Space,
        blocks: Blocks | Callable[[], Blocks],
        recursion: Recursion | None = None,
        transposed: Recursion | None = None,
        symmetric: bool = False,
    ) -> None:
        super().__init__(rows, columns)
        self._name = name
        self._source = blocks
        self._recursions = recursion, transposed
        self._symmetric = symmetric

    @property
    def name(self) -> str:
        """The name."""
        return self._name

    @property
    def T(self) -> Operator:
        """The transpose."""
        if self._symmetric:
            return self
        name = self._name[:-2] if self._name.endswith("^T") else f"{self._name}^T"

        def blocks() -> Blocks:
            return {(j, i): block.T for (i, j), block in self.blocks.items()}

        forward, backward = self._recursions
        return Leaf(name, self.columns, self.rows, blocks, backward, forward)

    def _form(self) -> Blocks:
        return self._source() if callable(self._source) else self._source

    def _times(self, x: Array) -> Array:
        if self._recursions[0] is not None:
            return self._recursions[0](x)
        out = zeros(self.rows.dimension, *x.shape[1:])
        for (i, j), block in self.blocks.items():
            rows = self.rows.slices[i]
            out[rows] = out[rows] + block @ x[self.columns.slices[j]]
        return out


class Product(Operator):
    """A product of operators."""

    def __init__(self, factors: tuple[Operator, ...]) -> None:
        super().__init__(factors[0].rows, factors[-1].columns)
        self.factors = factors

    @property
    def name(self) -> str:
        """The factors' names."""
        return " ".join(map(_factor, self.factors))

    @property
    def T(self) -> Operator:
        """The product of the transposes, in the other order."""
        return Product(tuple(factor.T for factor in reversed(self.factors)))

    def _form(self) -> Blocks:
        return reduce(_multiply, (factor.blocks for factor in self.factors))

    def _times(self, x: Array) -> Array:
        for factor in reversed(self.factors):
            x = factor @ x
        return x


class Sum(Operator):
    """A sum of operators with coefficients."""

    def __init__(self, terms: tuple[tuple[Any, Operator], ...]) -> None:
        super().__init__(terms[0][1].rows, terms[0][1].columns)
        self.terms = terms

    @property
    def name(self) -> str:
        """The terms' names with their signs."""
        out = ""
        for c, term in self.terms:
            minus = _is_number(c) and c < 0
            size = -c if minus else c
            scale = "" if _is_number(size) and size == 1 else f"{size} "
            sign = " - " if minus else " + "
            out += (sign if out else sign.strip().strip("+")) + scale + term.name
        return out

    @property
    def T(self) -> Operator:
        """The sum of the transposes."""
        return Sum(tuple((c, term.T) for c, term in self.terms))

    def _form(self) -> Blocks:
        out: dict[tuple[int, int], Array] = {}
        for c, term in self.terms:
            for key, block in term.blocks.items():
                out[key] = c * block + out[key] if key in out else c * block
        return out

    def _times(self, x: Array) -> Array:
        return reduce(lambda total, y: total + y, (c * (term @ x) for c, term in self.terms))


def diagonal(
    name: str, rows: Space, columns: Space, blocks: Mapping[int, Array], symmetric: bool = False
) -> Operator:
    """Return the block diagonal operator with these blocks, by index."""
    return Leaf(name, rows, columns, {(k, k): x for k, x in blocks.items()}, symmetric=symmetric)


def unit(space: Space) -> Operator:
    """Return the identity I of a space."""
    blocks = {k: identity(size) for k, size in enumerate(space.sizes)}
    return diagonal("I", space, space, blocks, symmetric=True)


def resolvent(E: Operator) -> Blocks:
    """Blocks of (I - E)^-1 = I + E + E E + ..., a finite sum: E leads from bodies to parents."""
    out = power = dict(unit(E.rows).blocks)
    while power:
        power = dict(_multiply(power, E.blocks))
        out = {**out, **power}  # along a tree no two powers share a block
    return out


def _multiply(A: Blocks, B: Blocks) -> Blocks:
    by_row: dict[int, list[tuple[int, Array]]] = {}
    for (k, j), block in B.items():
        by_row.setdefault(k, []).append((j, block))
    out: dict[tuple[int, int], Array] = {}
    for (i, k), left in A.items():
        for j, right in by_row.get(k, ()):
            block = left @ right
            out[i, j] = out[i, j] + block if (i, j) in out else block
    return out


def _factors(x: Operator) -> Sequence[Operator]:
    return x.factors if isinstance(x, Product) else (x,)


def _terms(x: Operator) -> Sequence[tuple[Any, Operator]]:
    return x.terms if isinstance(x, Sum) else ((1, x),)


def _factor(x: Operator) -> str:
    return f"({x.name})" if isinstance(x, Sum) else x.name


def _shape(x: Operator) -> str:
    return f"{x.rows.name} x {x.columns.name}"


def _is_number(x: Any) -> bool:
    return isinstance(x, (int, float))


def _cell(block: Array | None) -> str:
    if block is None:
        return "."
    if block.shape == (1, 1):
        return f"{block[0, 0]:.4g}" if _is_number(block[0, 0]) else "x"
    if block.shape[0] == block.shape[1]:
        difference = block - identity(len(block))
        if all(is_zero(x) for x in difference.flat):
            return "1"
    return "x"
