"""Simplification of SymPy expressions that are polynomials in sines and cosines of joint angles.

SymPy's own trigsimp searches; this computes. An expression is read once, subexpression by
subexpression, into a ring of polynomials in c_i, s_i, the square roots of primes and all other
symbols, where s_i^2 = 1 - c_i^2 at every step. That form is unique, so equal expressions become
equal. On the way back the trigonometric part of each coefficient becomes a sum over multiple
angles, k.q (unique as well), from which pairs are taken together,

    cos A + cos B = 2 cos((A + B) / 2) cos((A - B) / 2),

as far as that saves terms: c1 c2 - s1 s2 ends as cos(q1 + q2), (1 + cos 2 q1) / 2 as cos(q1)^2.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy
from sympy.core.sorting import default_sort_key
from sympy.polys.orderings import MonomialOrder
from sympy.polys.rings import PolyRing

#: A sine ("s") or cosine ("c") of an integer combination of the angles.
Wave = tuple[str, tuple[int, ...]]
#: A sum of products of waves.
Waves = dict[tuple[Wave, ...], Any]

#: Coefficients with more terms than this are not factored, only freed of common factors.
_FACTOR_LIMIT = 30


def exact(x: Any) -> Any:
    """The rational number a float was meant to be: 0.5 is 1/2, 9.81 is 981/100, 0.1 + 0.2 3/10.

    The simplest fraction within the float's rounding, else the float's shortest decimal.
    """
    value = float(x)
    if value == int(value):
        return sympy.Integer(int(value))
    near = Fraction(value).limit_denominator(10**6)
    if near != 0 and abs(float(near) - value) <= 4 * math.ulp(value):
        return sympy.Rational(near.numerator, near.denominator)
    return sympy.Rational(repr(value))


def simplified(expression: Any) -> Any:
    """The expression (or every entry of a matrix or array) in collected form; exact."""
    if isinstance(expression, (sympy.MatrixBase, sympy.NDimArray)):
        entries = _simplify(sympy.flatten(expression.tolist()))
        if isinstance(expression, sympy.NDimArray):
            return type(expression)(entries, expression.shape)
        return sympy.ImmutableMatrix(*expression.shape, entries)
    return _simplify([sympy.sympify(expression)])[0]


def _simplify(expressions: Sequence[Any]) -> list[Any]:
    reader = _Reader(expressions)
    return [reader.written(reader.read(e)) for e in expressions]


@dataclass(frozen=True)
class _SinesFirst(MonomialOrder):
    """The lexicographic order in which s^2 leads s^2 + c^2 - 1."""

    angles: int

    def __call__(self, m: tuple[int, ...]) -> tuple[int, ...]:
        n = self.angles
        return m[n : 2 * n] + m[:n] + m[2 * n :]


class _Reader:
    """Expressions as quotients of polynomials in one ring, and back."""

    def __init__(self, expressions: Iterable[Any]) -> None:
        self._units: dict[Any, int] = {}  # angles by the common denominator of their multiples
        atoms: dict[Any, None] = {}
        roots: dict[int, None] = {}
        self._collect(expressions, atoms, roots)
        # one order whatever the expressions' own: equal expressions end in equal forms
        self._units = {x: self._units[x] for x in sorted(self._units, key=default_sort_key)}
        self.angles = [x / n for x, n in self._units.items()]
        self._where = {x: i for i, x in enumerate(self._units)}
        self._n = len(self.angles)
        primes = sorted(roots)
        plain_atoms = sorted(atoms, key=default_sort_key)
        self.others = [*map(sympy.sqrt, primes), *plain_atoms]
        names = [f"x{i}" for i in range(2 * self._n + len(self.others))]
        order: Any = _SinesFirst(self._n)
        self.ring: Any = PolyRing(names, sympy.QQ, order)
        generators = self.ring.gens
        self._cos, self._sin = generators[: self._n], generators[self._n : 2 * self._n]
        plain = generators[2 * self._n :]
        self._known: dict[Any, tuple[Any, Any]] = {
            x: (g, self.ring.one) for x, g in zip(self.others, plain, strict=True)
        }
        self._squared = range(self._n, 2 * self._n + len(primes))
        self._relations = [s**2 + c**2 - 1 for c, s in zip(self._cos, self._sin, strict=True)]
        self._relations += [x**2 - p for x, p in zip(plain, primes, strict=False)]
        self._patterns: dict[Any, Waves] = {}

    # -------------------------------------------------------------- which generators

    def _collect(
        self, expressions: Iterable[Any], atoms: dict[Any, None], roots: dict[int, None]
    ) -> None:
        stack = list(reversed([sympy.sympify(e) for e in expressions]))
        seen: set[Any] = set()
        while stack:
            e = stack.pop()
            if e in seen or e.is_Rational or e.is_Float:
                continue
            seen.add(e)
            if isinstance(e, (sympy.sin, sympy.cos)):
                for angle, factor in _multiples(e.args[0]).items():
                    self._units[angle] = math.lcm(self._units.get(angle, 1), int(factor.q))
            elif e.is_Add or e.is_Mul or (e.is_Pow and e.exp.is_Integer):
                stack.extend(reversed([x for x in e.args if not (e.is_Pow and x is e.exp)]))
            elif _is_root(e):
                roots.update(dict.fromkeys(_root_primes(e.base)))
            else:
                atoms[e] = None

    # -------------------------------------------------------------- reading

    def read(self, e: Any) -> tuple[Any, Any]:
        """Numerator and denominator of an expression."""
        e = sympy.sympify(e)
        found = self._known.get(e)
        if found is None:
            found = self._known[e] = self._read(e)
        return found

    def _read(self, e: Any) -> tuple[Any, Any]:
        one = self.ring.one
        if e.is_Float:
            e = exact(e)
        if e.is_Rational:
            return one * sympy.QQ(e.p, e.q), one
        if e.is_Add:
            total = (self.ring.zero, one)
            for x in e.args:
                total = self._add(total, self.read(x))
            return total
        if e.is_Mul:
            total = (one, one)
            for x in e.args:
                total = self._times(total, self.read(x))
            return total
        if isinstance(e, (sympy.sin, sympy.cos)):
            c, s = self._cosine_sine(e.args[0])
            return (c if isinstance(e, sympy.cos) else s), one
        if _is_root(e):  # sqrt(p/q) = sqrt(p q) / q
            return self._root(e.base) if e.exp > 0 else self._root(1 / e.base)
        base, power = self.read(e.base), int(e.exp)
        if power < 0:
            base, power = (base[1], base[0]), -power
        out = (one, one)
        for _ in range(power):
            out = self._times(out, base)
        return out

    def _root(self, x: Any) -> tuple[Any, Any]:
        out = self.ring.one
        for p, n in sympy.factorint(x.p * x.q).items():
            out = out * sympy.QQ(p) ** (n // 2)
            if n % 2:
                out = out * self._known[sympy.sqrt(p)][0]
        return out * sympy.QQ(1, x.q), self.ring.one

    def _cosine_sine(self, argument: Any) -> tuple[Any, Any]:
        """Cosine and sine of a sum of multiples of the angles, one unit angle at a time."""
        c, s = self.ring.one, self.ring.zero
        for angle, factor in _multiples(argument).items():
            i, turns = self._where[angle], int(factor * self._units[angle])
            ci, si = self._cos[i], self._sin[i] if turns > 0 else -self._sin[i]
            for _ in range(abs(turns)):
                c, s = self._reduced(c * ci - s * si), self._reduced(s * ci + c * si)
        return c, s

    def _times(self, a: tuple[Any, Any], b: tuple[Any, Any]) -> tuple[Any, Any]:
        one = self.ring.one
        n = self._reduced(a[0] * b[0])
        if a[1] == one and b[1] == one:
            return n, one
        return self._cancelled(n, self._reduced(a[1] * b[1]))

    def _add(self, a: tuple[Any, Any], b: tuple[Any, Any]) -> tuple[Any, Any]:
        if a[1] == b[1]:
            n = a[0] + b[0]
            return (n, a[1]) if a[1] == self.ring.one else self._cancelled(n, a[1])
        _, left, right = a[1].cofactors(b[1])
        n = self._reduced(a[0] * right) + self._reduced(b[0] * left)
        return self._cancelled(n, self._reduced(a[1] * right))

    def _cancelled(self, n: Any, d: Any) -> tuple[Any, Any]:
        if not d:
            raise ZeroDivisionError("the expression divides by zero")
        _, n, d = n.cofactors(d)
        return n * (1 / d.LC), d * (1 / d.LC)

    def _reduced(self, p: Any) -> Any:
        """The polynomial with s^2 = 1 - c^2 and sqrt(p)^2 = p."""
        return p.rem(self._relations) if any(m[i] > 1 for m in p for i in self._squared) else p

    # -------------------------------------------------------------- writing

    def written(self, value: tuple[Any, Any]) -> Any:
        """A quotient as a SymPy expression, in collected form."""
        # factors are multiplied at once: SymPy would multiply -1 (x + y) out
        numerator, denominator = (self._collected(p) for p in value)
        return sympy.Mul(*numerator, *(1 / x for x in denominator))

    def _collected(self, p: Any) -> list[Any]:
        """Factors, one of them a sum over products of waves, each with its coefficient."""
        if not p:
            return [sympy.Integer(0)]
        n = 2 * self._n
        blank = (0,) * n
        common = tuple(min(m[i] for m in p) for i in range(n, len(self.ring.gens)))
        rows: dict[Any, dict[Any, Any]] = {}
        for m, x in p.items():
            rest = tuple(a - b for a, b in zip(m[n:], common, strict=True))
            rows.setdefault(rest, {})[m[:n]] = x
        groups: Waves = {}
        for m, row in rows.items():
            for product, x in self._pattern(row).items():
                groups.setdefault(product, self.ring.zero)[blank + m] = x
        shared, groups = _without_shared({product: c for product, c in groups.items() if c})
        outside = [x**e for x, e in zip(self.others, common, strict=True) if e]
        outside += [self._wave(w) for w in shared]
        factors = self._as_product(groups)
        if factors is not None:
            return [*outside, *factors]
        terms = [
            [*self._factored(coefficient), *(self._wave(w) for w in product)]
            for product, coefficient in groups.items()
        ]
        if len(terms) == 1:
            return [*outside, *terms[0]]
        total = sympy.Add(*(sympy.Mul(*term) for term in terms))
        minus = total.could_extract_minus_sign()
        return [*outside, sympy.Integer(-1), -total] if minus else [*outside, total]

    def _as_product(self, groups: Waves) -> list[Any] | None:
        """The sum as a product of shorter sums, such as (L1 c1 + L2 c12)^2, if it is one."""
        if not 1 < sum(map(len, groups.values())) <= _FACTOR_LIMIT:
            return None
        waves = list({wave: None for product in groups for wave in product})
        n = len(waves)
        ring: Any = PolyRing([f"x{i}" for i in range(n + len(self.others))], sympy.QQ)
        total = ring.zero
        for product, coefficient in groups.items():
            exponents = tuple(product.count(wave) for wave in waves)
            for m, x in coefficient.items():
                total[exponents + m[2 * self._n :]] = x
        _, factors = total.factor_list()
        if sum(e for f, e in factors if len(f) > 1) < 2:
            return None
        names = (*map(self._wave, waves), *self.others)
        return _product(total, lambda factor: factor.as_expr(*names))

    def _pattern(self, row: dict[Any, Any]) -> Waves:
        """The shorter of the two ways to write one coefficient: as it is, or as waves in pairs."""
        scale = row[max(row)]
        key = frozenset((m, x / scale) for m, x in row.items())
        if key not in self._patterns:
            plain = {self._product(m): x / scale for m, x in row.items()}
            sums: dict[Wave, Any] = {}
            for m, x in row.items():
                for wave, y in _waves(m, self._n).items():
                    sums[wave] = sums.get(wave, 0) + y * x / scale
            paired = _paired({w: x for w, x in sums.items() if x})
            self._patterns[key] = min((paired, plain), key=_cost)
        return {product: x * scale for product, x in self._patterns[key].items()}

    def _product(self, m: tuple[int, ...]) -> tuple[Wave, ...]:
        """A monomial in c_i and s_i as a product of waves."""
        out: list[Wave] = []
        for i in range(self._n):
            unit = tuple(int(i == k) for k in range(self._n))
            out += [("c", unit)] * m[i] + [("s", unit)] * m[self._n + i]
        return tuple(out)

    def _wave(self, wave: Wave) -> Any:
        kind, k = wave
        angle = sympy.Add(*(n * x for n, x in zip(k, self.angles, strict=True)))
        return sympy.cos(angle) if kind == "c" else sympy.sin(angle)

    def _factored(self, p: Any) -> list[Any]:
        """The factors of a coefficient, which is free of angles."""
        if 1 < len(p) <= _FACTOR_LIMIT:
            return _product(p, self._nested)
        return [self._nested(p)]

    def _nested(self, p: Any) -> Any:
        """A sum with what most of its terms share taken out, and so on: L1^2 (m1 + m2) + ..."""
        terms = dict(p)
        out = []
        while len(terms) > 1:
            best, shared, cluster = 0, (), []
            for i in range(len(self.ring.gens)):
                having = [m for m in terms if m[i]]
                common = tuple(map(min, zip(*having, strict=True))) if len(having) > 1 else ()
                score = (len(having) - 1) * sum(common)
                if score > best:
                    best, shared, cluster = score, common, having
            if not best:
                break
            rest = self.ring.zero
            for m in cluster:
                rest[tuple(a - b for a, b in zip(m, shared, strict=True))] = terms.pop(m)
            out.append(sympy.Mul(*self._monomial(shared), *self._factored(rest)))
        out += [sympy.Mul(_rational(x), *self._monomial(m)) for m, x in terms.items()]
        return sympy.Add(*out)

    def _monomial(self, m: tuple[int, ...]) -> list[Any]:
        return [x**e for x, e in zip(self.others, m[2 * self._n :], strict=True) if e]


def _rational(x: Any) -> Any:
    return sympy.Rational(int(x.numerator), int(x.denominator))


def _product(p: Any, write: Callable[[Any], Any]) -> list[Any]:
    """The polynomial's factors, a number first, signs taken out of the others."""
    content, factors = p.factor_list()
    number, out = _rational(content), []
    for factor, power in factors:
        written = write(factor)
        if written.could_extract_minus_sign():
            written, number = -written, number * (-1) ** power
        out.append(written**power)
    return [number, *out]


# ------------------------------------------------------------------ arguments and roots


def _multiples(argument: Any) -> dict[Any, Any]:
    """The argument of a sine as a sum of rational multiples of atoms (the atom 1 for numbers)."""
    out: dict[Any, Any] = {}
    for x in sympy.Add.make_args(sympy.expand(argument)):
        factor, atom = x.as_coeff_Mul()
        factor = exact(factor) if factor.is_Float else factor
        if not factor.is_Rational:
            factor, atom = sympy.Integer(1), x
        out[atom] = out.get(atom, 0) + factor
    return out


def _is_root(e: Any) -> bool:
    return e.is_Pow and e.base.is_Rational and e.base > 0 and abs(e.exp) == sympy.Rational(1, 2)


def _root_primes(x: Any) -> list[int]:
    return [p for p, n in sympy.factorint(x.p * x.q).items() if n % 2]


# ------------------------------------------------------------------ waves


def _normal(kind: str, k: tuple[int, ...]) -> tuple[Wave, int]:
    """The wave with its first multiple positive, and the sign that takes (0: it is sin 0)."""
    first = next((x for x in k if x), 0)
    if first < 0:
        return (kind, tuple(-x for x in k)), 1 if kind == "c" else -1
    return (kind, k), int(first != 0 or kind == "c")


def _waves(m: tuple[int, ...], n: int) -> dict[Wave, Any]:
    """A monomial in c_i and s_i as a sum of waves."""
    half = sympy.QQ(1, 2)
    out: dict[Wave, Any] = {("c", (0,) * n): sympy.QQ(1)}
    for i in range(2 * n):
        for _ in range(m[i]):
            step: dict[Wave, Any] = {}
            for (kind, k), x in out.items():
                up = tuple(y + (j == i % n) for j, y in enumerate(k))
                down = tuple(y - (j == i % n) for j, y in enumerate(k))
                if i < n:  # times a cosine
                    parts = ((kind, up, half), (kind, down, half))
                elif kind == "c":
                    parts = (("s", up, half), ("s", down, -half))
                else:
                    parts = (("c", down, half), ("c", up, -half))
                for other, angle, factor in parts:
                    wave, sign = _normal(other, angle)
                    if sign:
                        step[wave] = step.get(wave, 0) + sign * factor * x
            out = {w: x for w, x in step.items() if x}
    return out


def _cost(waves: Waves) -> tuple[int, int]:
    """Terms and factors, then how large the multiples are."""
    size = sum(1 + len([w for w in product if any(w[1])]) for product in waves)
    return size, sum(abs(x) for product in waves for _, k in product for x in k)


def _paired(sums: dict[Wave, Any]) -> Waves:
    """Waves of equal weight taken in pairs, the factor that serves most pairs first."""
    out: Waves = {}
    left = dict(sums)
    while True:
        factor, cofactors, used = _best_factor(left)
        if factor is None:
            break
        for product, x in _paired(cofactors).items():
            key = tuple(sorted((factor, *product), key=_order))
            out[key] = out.get(key, 0) + x
        for wave in used:
            del left[wave]
    for wave, x in left.items():
        key = (wave,) if any(wave[1]) else ()
        out[key] = out.get(key, 0) + x
    return {product: x for product, x in out.items() if x}


def _best_factor(sums: dict[Wave, Any]) -> tuple[Wave | None, dict[Wave, Any], list[Wave]]:
    """The wave that divides most pairs, what it leaves of them, and the waves so used up."""
    pairs: dict[Wave, list[tuple[Wave, Wave, Wave, Any]]] = {}
    waves = sorted(sums, key=_order)
    for i, a in enumerate(waves):
        for b in waves[i + 1 :]:
            for factor, other, x in _products(a, b, sums[a], sums[b]):
                pairs.setdefault(factor, []).append((a, b, other, x))
    best: tuple[Wave | None, dict[Wave, Any], list[Wave]] = (None, {}, [])
    for factor, found in pairs.items():
        used: list[Wave] = []
        cofactors: dict[Wave, Any] = {}
        for a, b, other, x in found:
            if a not in used and b not in used:
                used += [a, b]
                cofactors[other] = cofactors.get(other, 0) + x
        if len(used) > len(best[2]):
            best = (factor, cofactors, used)
    return best


def _products(a: Wave, b: Wave, x: Any, y: Any) -> list[tuple[Wave, Wave, Any]]:
    """x a + y b as factor * weight * other, in both ways, if the weights and angles allow it."""
    total = [p + q for p, q in zip(a[1], b[1], strict=True)]
    if a[0] != b[0] or x * x != y * y or any(t % 2 for t in total):
        return []
    h = tuple(t // 2 for t in total)
    d = tuple(p - t for p, t in zip(a[1], h, strict=True))
    if a[0] == "c":
        kinds, weight = (("c", "c"), 2 * x) if x == y else (("s", "s"), -2 * x)
    else:
        kinds, weight = (("s", "c"), 2 * x) if x == y else (("c", "s"), 2 * x)
    (one, sign1), (two, sign2) = _normal(kinds[0], h), _normal(kinds[1], d)
    weight = weight * sign1 * sign2
    return [(one, two, weight), (two, one, weight)]


def _without_shared(waves: Waves) -> tuple[list[Wave], Waves]:
    """The waves that all products share, and the products without them."""
    shared: list[Wave] = []
    for wave in dict.fromkeys(next(iter(waves))):
        shared += [wave] * min(product.count(wave) for product in waves)
    out: Waves = {}
    for product, x in waves.items():
        rest = list(product)
        for wave in shared:
            rest.remove(wave)
        out[tuple(rest)] = x
    return shared, out


def _order(wave: Wave) -> tuple[Any, ...]:
    return tuple(-x for x in wave[1]), wave[0]
