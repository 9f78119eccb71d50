"""Simplification of SymPy expressions that are polynomials in sines and cosines of joint angles.

SymPy's trigsimp searches for a simplification; this module computes a normal form. An expression is
converted, subexpression by subexpression, to a ring of polynomials in c_i, s_i, the square roots of
primes and all other symbols, reduced by s_i^2 = 1 - c_i^2 at every step. That form is unique, so
equal expressions become equal. In the conversion back, the trigonometric part of each coefficient
becomes a sum over multiple angles, k.q (unique as well), from which pairs are combined,

    cos A + cos B = 2 cos((A + B) / 2) cos((A - B) / 2),

as far as that saves terms: c1 c2 - s1 s2 becomes cos(q1 + q2), (1 + cos 2 q1) / 2 cos(q1)^2.
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

#: Larger coefficients are not factored; only common factors are extracted.
_MAX_FACTORED_TERMS = 30


def exact(x: Any) -> Any:
    """Return the simplest rational number that a float rounds.

    0.5 is 1/2, 9.81 is 981/100, and 0.1 + 0.2 is 3/10. The result is a fraction with a denominator
    of at most 10^6 within 4 ulp or, if there is none, the float's shortest decimal.
    """
    value = float(x)
    if value == int(value):
        return sympy.Integer(int(value))
    near = Fraction(value).limit_denominator(10**6)
    if near != 0 and abs(float(near) - value) <= 4 * math.ulp(value):
        return sympy.Rational(near.numerator, near.denominator)
    return sympy.Rational(repr(value))


def simplify(expression: Any) -> Any:
    """Return an expression, or every entry of a matrix or array, in collected form."""
    if isinstance(expression, (sympy.MatrixBase, sympy.NDimArray)):
        entries = _simplify(sympy.flatten(expression.tolist()))
        if isinstance(expression, sympy.NDimArray):
            return type(expression)(entries, expression.shape)
        return sympy.ImmutableMatrix(*expression.shape, entries)
    return _simplify([sympy.sympify(expression)])[0]


def _simplify(expressions: Sequence[Any]) -> list[Any]:
    converter = _Converter(expressions)
    return [converter.to_expression(converter.convert(e)) for e in expressions]


@dataclass(frozen=True)
class _SinesFirst(MonomialOrder):
    """The lexicographic order in which s^2 leads s^2 + c^2 - 1."""

    angles: int

    def __call__(self, m: tuple[int, ...]) -> tuple[int, ...]:
        n = self.angles
        return m[n : 2 * n] + m[:n] + m[2 * n :]


class _Converter:
    """Conversion of expressions to quotients of polynomials in one ring, and back."""

    def __init__(self, expressions: Iterable[Any]) -> None:
        self._units: dict[Any, int] = {}  # angle: common denominator of its multiples
        atoms: dict[Any, None] = {}
        roots: dict[int, None] = {}
        self._collect(expressions, atoms, roots)
        # a fixed order of generators, so that equal expressions get equal forms
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
        self._converted: dict[Any, tuple[Any, Any]] = {
            x: (g, self.ring.one) for x, g in zip(self.others, plain, strict=True)
        }
        self._squared = range(self._n, 2 * self._n + len(primes))
        self._relations = [s**2 + c**2 - 1 for c, s in zip(self._cos, self._sin, strict=True)]
        self._relations += [x**2 - p for x, p in zip(plain, primes, strict=False)]
        self._patterns: dict[Any, Waves] = {}

    # -------------------------------------------------------------- generators

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

    def convert(self, e: Any) -> tuple[Any, Any]:
        """Return numerator and denominator of an expression."""
        e = sympy.sympify(e)
        quotient = self._converted.get(e)
        if quotient is None:
            quotient = self._converted[e] = self._convert(e)
        return quotient

    def _convert(self, e: Any) -> tuple[Any, Any]:
        unit = self.ring.one
        if e.is_Float:
            e = exact(e)
        if e.is_Rational:
            return unit * sympy.QQ(e.p, e.q), unit
        if e.is_Add:
            total = (self.ring.zero, unit)
            for x in e.args:
                total = self._add(total, self.convert(x))
            return total
        if e.is_Mul:
            total = (unit, unit)
            for x in e.args:
                total = self._times(total, self.convert(x))
            return total
        if isinstance(e, (sympy.sin, sympy.cos)):
            c, s = self._cosine_sine(e.args[0])
            return (c if isinstance(e, sympy.cos) else s), unit
        if _is_root(e):  # sqrt(p/q) = sqrt(p q) / q
            return self._root(e.base) if e.exp > 0 else self._root(1 / e.base)
        base, power = self.convert(e.base), int(e.exp)
        if power < 0:
            base, power = (base[1], base[0]), -power
        out = (unit, unit)
        for _ in range(power):
            out = self._times(out, base)
        return out

    def _root(self, x: Any) -> tuple[Any, Any]:
        out = self.ring.one
        for p, n in sympy.factorint(x.p * x.q).items():
            out = out * sympy.QQ(p) ** (n // 2)
            if n % 2:
                out = out * self._converted[sympy.sqrt(p)][0]
        return out * sympy.QQ(1, x.q), self.ring.one

    def _cosine_sine(self, argument: Any) -> tuple[Any, Any]:
        """Return cosine and sine of a sum of multiples of angles, adding unit angles one by one."""
        c, s = self.ring.one, self.ring.zero
        for angle, factor in _multiples(argument).items():
            i, turns = self._where[angle], int(factor * self._units[angle])
            ci, si = self._cos[i], self._sin[i] if turns > 0 else -self._sin[i]
            for _ in range(abs(turns)):
                c, s = self._reduce(c * ci - s * si), self._reduce(s * ci + c * si)
        return c, s

    def _times(self, a: tuple[Any, Any], b: tuple[Any, Any]) -> tuple[Any, Any]:
        unit = self.ring.one
        n = self._reduce(a[0] * b[0])
        if a[1] == unit and b[1] == unit:
            return n, unit
        return self._cancel(n, self._reduce(a[1] * b[1]))

    def _add(self, a: tuple[Any, Any], b: tuple[Any, Any]) -> tuple[Any, Any]:
        if a[1] == b[1]:
            n = a[0] + b[0]
            return (n, a[1]) if a[1] == self.ring.one else self._cancel(n, a[1])
        _, left, right = a[1].cofactors(b[1])
        n = self._reduce(a[0] * right) + self._reduce(b[0] * left)
        return self._cancel(n, self._reduce(a[1] * right))

    def _cancel(self, n: Any, d: Any) -> tuple[Any, Any]:
        if not d:
            raise ZeroDivisionError("the expression divides by zero")
        _, n, d = n.cofactors(d)
        return n * (1 / d.LC), d * (1 / d.LC)

    def _reduce(self, p: Any) -> Any:
        """Reduce a polynomial by s^2 = 1 - c^2 and sqrt(p)^2 = p."""
        return p.rem(self._relations) if any(m[i] > 1 for m in p for i in self._squared) else p

    # -------------------------------------------------------------- writing

    def to_expression(self, value: tuple[Any, Any]) -> Any:
        """Return a quotient as a SymPy expression, in collected form."""
        # one product of all factors: SymPy would expand -1 (x + y)
        numerator, denominator = (self._collect_factors(p) for p in value)
        return sympy.Mul(*numerator, *(1 / x for x in denominator))

    def _collect_factors(self, p: Any) -> list[Any]:
        """Return factors, one of them a sum over products of waves, each with a coefficient."""
        if not p:
            return [sympy.Integer(0)]
        n = 2 * self._n
        blank = (0,) * n
        common = tuple(min(m[i] for m in p) for i in range(n, len(self.ring.gens)))
        rows: dict[Any, dict[Any, Any]] = {}
        for m, x in p.items():
            exponents = tuple(a - b for a, b in zip(m[n:], common, strict=True))
            rows.setdefault(exponents, {})[m[:n]] = x
        groups: Waves = {}
        for m, row in rows.items():
            for product, x in self._pattern(row).items():
                groups.setdefault(product, self.ring.zero)[blank + m] = x
        shared, groups = _split_common({product: c for product, c in groups.items() if c})
        outside = [x**e for x, e in zip(self.others, common, strict=True) if e]
        outside += [self._wave(w) for w in shared]
        factors = self._as_product(groups)
        if factors is not None:
            return [*outside, *factors]
        terms = [
            [*self._factor(coefficient), *(self._wave(w) for w in product)]
            for product, coefficient in groups.items()
        ]
        if len(terms) == 1:
            return [*outside, *terms[0]]
        total = sympy.Add(*(sympy.Mul(*term) for term in terms))
        minus = total.could_extract_minus_sign()
        return [*outside, sympy.Integer(-1), -total] if minus else [*outside, total]

    def _as_product(self, groups: Waves) -> list[Any] | None:
        """Return a sum as a product of shorter sums, such as (L1 c1 + L2 c12)^2, or None."""
        if not 1 < sum(map(len, groups.values())) <= _MAX_FACTORED_TERMS:
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
        """Return the shorter form of a coefficient: unchanged, or with waves combined in pairs."""
        scale = row[max(row)]
        key = frozenset((m, x / scale) for m, x in row.items())
        if key not in self._patterns:
            plain = {self._product(m): x / scale for m, x in row.items()}
            sums: dict[Wave, Any] = {}
            for m, x in row.items():
                for wave, y in _waves(m, self._n).items():
                    sums[wave] = sums.get(wave, 0) + y * x / scale
            paired = _combine_pairs({w: x for w, x in sums.items() if x})
            self._patterns[key] = min((paired, plain), key=_cost)
        return {product: x * scale for product, x in self._patterns[key].items()}

    def _product(self, m: tuple[int, ...]) -> tuple[Wave, ...]:
        """Return a monomial in c_i and s_i as a product of waves."""
        out: list[Wave] = []
        for i in range(self._n):
            unit = tuple(int(i == k) for k in range(self._n))
            out += [("c", unit)] * m[i] + [("s", unit)] * m[self._n + i]
        return tuple(out)

    def _wave(self, wave: Wave) -> Any:
        kind, k = wave
        angle = sympy.Add(*(n * x for n, x in zip(k, self.angles, strict=True)))
        return sympy.cos(angle) if kind == "c" else sympy.sin(angle)

    def _factor(self, p: Any) -> list[Any]:
        """Return the factors of a coefficient, which contains no angles."""
        if 1 < len(p) <= _MAX_FACTORED_TERMS:
            return _product(p, self._extract_common_factors)
        return [self._extract_common_factors(p)]

    def _extract_common_factors(self, p: Any) -> Any:
        """Return a sum with common factors of most terms extracted: L1^2 (m1 + m2) + ..."""
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
            cofactor = self.ring.zero
            for m in cluster:
                cofactor[tuple(a - b for a, b in zip(m, shared, strict=True))] = terms.pop(m)
            out.append(sympy.Mul(*self._monomial(shared), *self._factor(cofactor)))
        out += [sympy.Mul(_rational(x), *self._monomial(m)) for m, x in terms.items()]
        return sympy.Add(*out)

    def _monomial(self, m: tuple[int, ...]) -> list[Any]:
        return [x**e for x, e in zip(self.others, m[2 * self._n :], strict=True) if e]


def _rational(x: Any) -> Any:
    return sympy.Rational(int(x.numerator), int(x.denominator))


def _product(p: Any, write: Callable[[Any], Any]) -> list[Any]:
    """Return the factors of a polynomial: a number, then others with positive leading sign."""
    content, factors = p.factor_list()
    number, out = _rational(content), []
    for factor, power in factors:
        term = write(factor)
        if term.could_extract_minus_sign():
            term, number = -term, number * (-1) ** power
        out.append(term**power)
    return [number, *out]


# ------------------------------------------------------------------ arguments and roots


def _multiples(argument: Any) -> dict[Any, Any]:
    """Return the rational multiple of each atom in the argument of a sine (1 for numbers)."""
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
    """Return the wave with a positive first multiple, and its sign (0 for sin 0)."""
    first = next((x for x in k if x), 0)
    if first < 0:
        return (kind, tuple(-x for x in k)), 1 if kind == "c" else -1
    return (kind, k), int(first != 0 or kind == "c")


def _waves(m: tuple[int, ...], n: int) -> dict[Wave, Any]:
    """Return a monomial in c_i and s_i as a sum of waves."""
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
    """Return the number of terms and factors, and the sum of multiples, for comparison."""
    size = sum(1 + len([w for w in product if any(w[1])]) for product in waves)
    return size, sum(abs(x) for product in waves for _, k in product for x in k)


def _combine_pairs(sums: dict[Wave, Any]) -> Waves:
    """Combine waves of equal weight in pairs, the factor of most pairs first."""
    out: Waves = {}
    left = dict(sums)
    while True:
        factor, cofactors, used = _best_factor(left)
        if factor is None:
            break
        for product, x in _combine_pairs(cofactors).items():
            key = tuple(sorted((factor, *product), key=_order))
            out[key] = out.get(key, 0) + x
        for wave in used:
            del left[wave]
    for wave, x in left.items():
        key = (wave,) if any(wave[1]) else ()
        out[key] = out.get(key, 0) + x
    return {product: x for product, x in out.items() if x}


def _best_factor(sums: dict[Wave, Any]) -> tuple[Wave | None, dict[Wave, Any], list[Wave]]:
    """Return the factor of most pairs of waves, the cofactors, and the waves in these pairs."""
    pairs: dict[Wave, list[tuple[Wave, Wave, Wave, Any]]] = {}
    waves = sorted(sums, key=_order)
    for i, a in enumerate(waves):
        for b in waves[i + 1 :]:
            for factor, other, x in _products(a, b, sums[a], sums[b]):
                pairs.setdefault(factor, []).append((a, b, other, x))
    best_factor: tuple[Wave | None, dict[Wave, Any], list[Wave]] = (None, {}, [])
    for factor, members in pairs.items():
        used: list[Wave] = []
        cofactors: dict[Wave, Any] = {}
        for a, b, other, x in members:
            if a not in used and b not in used:
                used += [a, b]
                cofactors[other] = cofactors.get(other, 0) + x
        if len(used) > len(best_factor[2]):
            best_factor = (factor, cofactors, used)
    return best_factor


def _products(a: Wave, b: Wave, x: Any, y: Any) -> list[tuple[Wave, Wave, Any]]:
    """Return x a + y b as factor * weight * other, in both orders, or [] if it is no product."""
    total = [p + q for p, q in zip(a[1], b[1], strict=True)]
    if a[0] != b[0] or x * x != y * y or any(t % 2 for t in total):
        return []
    h = tuple(t // 2 for t in total)
    d = tuple(p - t for p, t in zip(a[1], h, strict=True))
    if a[0] == "c":
        kinds, weight = (("c", "c"), 2 * x) if x == y else (("s", "s"), -2 * x)
    else:
        kinds, weight = (("s", "c"), 2 * x) if x == y else (("c", "s"), 2 * x)
    (first, sign1), (second, sign2) = _normal(kinds[0], h), _normal(kinds[1], d)
    weight = weight * sign1 * sign2
    return [(first, second, weight), (second, first, weight)]


def _split_common(waves: Waves) -> tuple[list[Wave], Waves]:
    """Return the waves common to all products, and the products without them."""
    shared: list[Wave] = []
    for wave in dict.fromkeys(next(iter(waves))):
        shared += [wave] * min(product.count(wave) for product in waves)
    out: Waves = {}
    for product, x in waves.items():
        remaining = list(product)
        for wave in shared:
            remaining.remove(wave)
        out[tuple(remaining)] = x
    return shared, out


def _order(wave: Wave) -> tuple[Any, ...]:
    return tuple(-x for x in wave[1]), wave[0]
