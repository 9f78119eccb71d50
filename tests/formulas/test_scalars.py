"""Every row of the catalog on every scalar type a formula may meet."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy

from jounce.catalog.arguments import STATE, rate_name
from jounce.catalog.charts import CONFIGURATION
from jounce.catalog.derivative import derivative
from jounce.compiler.graph.expr import Expr, Graph
from jounce.compiler.graph.tape import record
from jounce.compiler.targets import interpreter
from jounce.formulas.motions import configuration_jets, configuration_rate
from jounce.math import scalar
from jounce.math.jets import Jet, from_rates, rates_of
from jounce.math.scalar import array, zeros
from jounce.math.spatial import skew
from jounce.model.model import Model
from jounce.model.tree import lower
from jounce.robot import Robot
from jounce.runtime.kernel import Kernel
from jounce.runtime.trace import core_shape
from support.helpers import (
    assert_close,
    chain,
    formula_result,
    interpreted,
    joined,
    kernels,
    named_kernels,
    objects,
    parts_of,
    quiet_read,
    random_argument,
    random_arguments,
    small_model,
)
from support.robots import ALL_KINDS, random_model

ROBOTS: dict[str, Callable[[], Any]] = {
    "small": small_model,
    "planar_2r": lambda: quiet_read("planar_2r"),
    "others": lambda: chain(("planar", "helical", "universal", "cylindrical"), 3),
}


@cache
def robot_of(name: str) -> tuple[Robot, dict[str, Kernel]]:
    robot = Robot(ROBOTS[name]())
    return robot, named_kernels(robot)


rows = pytest.mark.parametrize("row", list(robot_of("small")[1]))
#: Every row on every robot that has it.
pairs = pytest.mark.parametrize(
    ("row", "name"), [(row, name) for name in ROBOTS for row in robot_of(name)[1]]
)


class Sample:
    """A row on a robot at a random state, with first time derivatives of the arguments."""

    def __init__(self, name: str, row: str) -> None:
        self.robot, named = robot_of(name)
        self.tree = self.robot.tree
        self.kernel = named[row]
        own = self.kernel.quantity.argument_definitions
        rng = np.random.default_rng(len(name) + len(row))
        state = {n: random_argument(n, self.robot, rng) for n in STATE}
        self.values: dict[str, np.ndarray] = {}
        self.slopes: dict[str, np.ndarray] = {}
        for argument in self.kernel.arguments:
            if argument in state and argument not in own:
                self.values[argument] = state[argument]
                self.slopes[argument] = state[rate_name(argument, 1)]
            else:
                given = self.kernel.quantity.argument(argument)
                self.values[argument] = random_argument(argument, self.robot, rng, (), given)
                core = core_shape(given.tangent_shape, self.robot.sizes)
                self.slopes[argument] = rng.normal(size=core)

    def moves(self, argument: str) -> bool:
        """Whether an argument is a configuration, which moves along velocities."""
        return self.kernel.quantity.argument(argument).chart is CONFIGURATION

    @property
    def given(self) -> list[np.ndarray]:
        return [objects(x) for x in self.values.values()]

    def floats(self) -> np.ndarray:
        return self.formula(*self.given).astype(float)

    def formula(self, *arguments: np.ndarray) -> np.ndarray:
        return formula_result(self.kernel, self.tree, *arguments)

    @property
    def inverts(self) -> bool:
        return self.kernel.quantity.solves

    def tolerance(self, usual: float) -> float:
        """Where M is inverted, digits are lost in proportion to its condition number."""
        if not self.inverts:
            return usual
        mass = robot_of_kernel(self.robot, "mass_matrix")
        M = formula_result(mass, self.tree, objects(self.values["q"])).astype(float)
        return usual * max(1.0, np.linalg.cond(M))

    def moved(self, step: Any, number: Callable[[float], Any]) -> list[np.ndarray]:
        """The arguments a step later in time, to first order."""
        out = []
        for name, value in self.values.items():
            x = array(number(e) for e in value.ravel().tolist()).reshape(value.shape)
            slope = objects(self.slopes[name])
            if self.moves(name):
                slope = configuration_rate(self.tree, x, slope)
            out.append(np.asarray(x + step * slope, dtype=object))
        return out

    def slope(self, number: Callable[[float], Any]) -> np.ndarray | None:
        """The formula's own time derivative, on any scalars; None where the rate of v follows."""
        if self.kernel.quantity.rates is not None and "tau" in self.kernel.arguments:
            return None
        row = derivative(self.kernel.quantity, "dt")
        own = self.kernel.quantity.argument_definitions
        rates = {f"d{n}" if n in own else rate_name(n, 1): x for n, x in self.slopes.items()}
        known = {**rates, **self.values}
        names = row.arguments + row.optional
        given = [known[n] for n in names if n in known]
        given = [array(number(e) for e in x.ravel().tolist()).reshape(x.shape) for x in given]
        extra = () if self.kernel._frame is None else (self.kernel._frame,)
        return joined(parts_of(row, row.formula(self.tree, *given, *extra))).astype(object)


def robot_of_kernel(robot: Robot, row: str) -> Kernel:
    return next(k for k in kernels(robot) if k.quantity.name == row)


# ------------------------------------------------------------------ numbers


@pairs
def test_complex_numbers_with_a_step_in_time(name: str, row: str) -> None:
    """Real parts are the floats' results, imaginary parts the first time derivative."""
    sample = Sample(name, row)
    result = sample.formula(*sample.moved(1e-30j, complex)).astype(complex)
    assert_close(result.real, sample.floats(), sample.tolerance(1e-14), floor=1e-3)
    slope = sample.slope(float)
    if slope is not None:
        scale = max(np.abs(sample.floats()).max(), 1.0)
        tolerance = sample.tolerance(1e-13)
        assert_close(result.imag / 1e-30, slope.astype(float), tolerance, floor=scale)


@pairs
def test_fifty_digits(name: str, row: str) -> None:
    """A difference quotient over 1e-20 has digits left only if none fell to double precision."""
    sample = Sample(name, row)
    with mpmath.workdps(50):
        third = mpmath.mpf(1) / 3  # not a double, nor is anything computed from it

        def number(x: float) -> Any:
            return mpmath.mpf(x) * (1 + third * mpmath.mpf("1e-25"))

        step = mpmath.mpf("1e-20")
        here, there = (sample.formula(*sample.moved(h, number)) for h in (0 * step, step))
        assert_close(here.astype(float), sample.floats(), sample.tolerance(1e-13), floor=1e-3)
        slope = sample.slope(number)
        if slope is None:
            return
        quotient = np.asarray((there - here) / step, dtype=object)
        scale = max(np.abs(sample.floats()).max(), 1.0)
        # its own error is the step times the second derivative, its rounding 1e-50 / 1e-20
        assert_close(quotient.astype(float), slope.astype(float), 1e-13, floor=scale)
        assert all(isinstance(x, (mpmath.mpf, float)) for x in here.flat)
        # placements are rotations to sixteen digits only, which inverting M magnifies
        tolerance = sample.tolerance(1e-15)
        for x, y in zip(quotient.flat, slope.flat, strict=True):
            assert abs(x - y) <= tolerance * scale


#: Every joint kind with oblique axes and placements, followers, real robots.
PRECISE: dict[str, Callable[[], Model]] = {
    "every kind": lambda: chain(ALL_KINDS, 4),
    "tree": lambda: random_model(np.random.default_rng(5), 8),
    "floating, mimic": lambda: random_model(
        np.random.default_rng(6), 6, ("revolute", "helical", "prismatic"), mimic=True, floating=True
    ),
    "four_bar": lambda: quiet_read("four_bar"),
    "franka": lambda: quiet_read("franka"),
    "iiwa14_mueller_kumar2021": lambda: quiet_read("iiwa14_mueller_kumar2021"),
}


def largest(x: Any) -> Any:
    return max(abs(e) for e in np.asarray(x, dtype=object).flat)


@pytest.mark.parametrize("name", list(PRECISE))
def test_identities_to_fifty_digits(name: str) -> None:
    """Lowered in fifty digits: tau = M a + C v + g, dM/dt = C + C^T, inverses, the pose's rate.

    Lowering in float64, which leaves rotations that are none by 1e-16, would show.
    """
    robot = Robot(PRECISE[name]())
    rng = np.random.default_rng(5)
    rates = (robot.random(rng), *rng.normal(size=(2, robot.nv)))
    with mpmath.workdps(50):
        tree = lower(robot.model, mpmath.mpf)
        q, v, a = (array(mpmath.mpf(x) / 3 for x in values) for values in rates)

        def value(row: str, *arguments: Any) -> np.ndarray:
            found = robot.quantity(row).definition
            frame = (len(tree.frames) - 1,) if found.of_frame else ()
            return np.asarray(found.formula(tree, *arguments, *frame), dtype=object)

        small = mpmath.mpf("1e-45")
        tau = value("inverse_dynamics", q, v, a)
        M, C = value("mass_matrix", q), value("coriolis_matrix", q, v)
        assert largest(M @ a + C @ v + value("gravity_forces", q) - tau) < small * largest(tau)
        assert largest(value("mass_matrix.dt", q, v) - C - C.T) < small * largest(M)
        condition = np.linalg.cond(M.astype(float))
        assert largest(value("forward_dynamics", q, v, tau) - a) < small * condition
        one = M @ value("mass_matrix_inverse", q)
        assert largest(one - np.eye(robot.nv)) < small * condition
        last = robot.model.frame_names[len(tree.frames) - 1 - 2 * len(tree.loops)]
        T, dT = (value(f"frame({last}).pose{x}", q, *y) for x, y in (("", ()), (".dt", (v,))))
        R, turn = T[:3, :3], value(f"frame({last}).twist", q, v)[:3]
        assert largest(R @ R.T - np.eye(3)) < small
        assert largest(R @ skew(turn) - dT[:3, :3]) < small * max(largest(turn), 1)


@pytest.mark.parametrize("name", list(PRECISE))
def test_precise_trees_are_those_of_floats(name: str) -> None:
    model = PRECISE[name]()
    precise, plain = lower(model, mpmath.mpf), lower(model)
    assert (precise.nq, precise.nv, precise.loops) == (plain.nq, plain.nv, plain.loops)
    for ours, theirs in zip(precise.nodes, plain.nodes, strict=True):
        for item in fields(ours):
            x, y = getattr(ours, item.name), getattr(theirs, item.name)
            if isinstance(y, (np.ndarray, float)):
                assert_close(x, y, 1e-14, what=item.name, floor=1.0)
            else:
                assert x == y
    for (i, *ours), (j, *theirs) in zip(precise.frames, plain.frames, strict=True):
        assert i == j
        for x, y in zip(ours, theirs, strict=True):
            assert_close(x, y, 1e-14, floor=1.0)


# ------------------------------------------------------------------ symbols


def symbols_of(sample: Sample) -> dict[str, np.ndarray]:
    """A symbol for every entry of the arguments."""
    out = {name: zeros(*value.shape) for name, value in sample.values.items()}
    for name, entries in out.items():
        for index in np.ndindex(*entries.shape):
            entries[index] = sympy.Symbol("_".join(map(str, (name, *index))), real=True)
    return out


@pytest.mark.parametrize("row", list(robot_of("planar_2r")[1]))
def test_sympy(row: str) -> None:
    """The formula on symbols, then the numbers."""
    sample = Sample("planar_2r", row)
    symbols = list(symbols_of(sample).values())
    expressions = sample.formula(*symbols)
    flat = [x for group in symbols for x in group.flat]
    free = set().union(
        *(getattr(sympy.sympify(x), "free_symbols", set()) for x in expressions.flat)
    )
    assert free <= set(flat)
    compute = sympy.lambdify(flat, list(expressions.flat), modules="math", cse=True)
    numbers = [float(x) for values in sample.values.values() for x in values.flat]
    result = np.array(compute(*numbers), dtype=float).reshape(expressions.shape)
    assert_close(result, sample.floats(), sample.tolerance(1e-13), floor=1e-3)


def test_sympy_differentiates() -> None:
    """Lagrange's equation by SymPy: d/dt dT/dv - dT/dq + dU/dq = tau."""
    sample = Sample("planar_2r", "inverse_dynamics")
    known = symbols_of(sample)
    q, v, a = (known[name] for name in "qva")
    named = robot_of("planar_2r")[1]
    T = formula_result(named["kinetic_energy"], sample.tree, q, v).item()
    U = formula_result(named["potential_energy"], sample.tree, q).item()
    numbers = {s: float(x) for n in "qva" for s, x in zip(known[n], sample.values[n], strict=True)}
    tau = []
    for i in range(2):
        p = T.diff(v[i])
        rate = sum(p.diff(v[k]) * a[k] + p.diff(q[k]) * v[k] for k in range(2))
        tau.append(float((rate - T.diff(q[i]) + U.diff(q[i])).subs(numbers)))
    assert_close(tau, sample.floats(), 1e-13)


# ------------------------------------------------------------------ Taylor series


def series_of(sample: Sample, number: Callable[[float], Any]) -> list[np.ndarray]:
    """The arguments as jets of order 1 with coefficients of some scalar type."""
    out = []
    for name, value in sample.values.items():
        x = array(number(e) for e in value.ravel().tolist()).reshape(value.shape)
        slope = sample.slopes[name]
        dx = array(number(e) for e in slope.ravel().tolist()).reshape(slope.shape)
        moves = sample.moves(name)
        out.append(configuration_jets(sample.tree, x, [dx]) if moves else from_rates([x, dx]))
    return out


@pairs
def test_jets_of_floats(name: str, row: str) -> None:
    sample = Sample(name, row)
    value, slope = rates_of(sample.formula(*series_of(sample, float)), 1)
    assert_close(value.astype(float), sample.floats(), sample.tolerance(1e-14), floor=1e-3)
    stepped = sample.formula(*sample.moved(1e-30j, complex)).astype(complex).imag / 1e-30
    scale = max(np.abs(sample.floats()).max(), 1.0)
    assert_close(slope.astype(float), stepped, sample.tolerance(1e-13), floor=scale)


@rows
def test_jets_of_mpmath(row: str) -> None:
    sample = Sample("small", row)
    expected = rates_of(sample.formula(*series_of(sample, float)), 1)
    with mpmath.workdps(40):
        levels = rates_of(sample.formula(*series_of(sample, mpmath.mpf)), 1)
    for level, wanted in zip(levels, expected, strict=True):
        tolerance = sample.tolerance(1e-13)
        assert_close(level.astype(float), wanted.astype(float), tolerance, floor=1.0)
        assert all(isinstance(x, (mpmath.mpf, float)) for x in level.flat)


@rows
def test_jets_of_expressions(row: str) -> None:
    """The tracing scalar inside a Taylor series, replayed on numbers."""
    sample = Sample("small", row)
    graph = Graph()
    inputs: list[np.ndarray] = []
    numbers: list[float] = []

    def number(x: float) -> Expr:
        numbers.append(x)
        return graph.input()

    inputs = series_of(sample, number)
    levels = rates_of(sample.formula(*inputs), 1)
    tape = record(graph, [x for level in levels for x in level.flat])
    found = np.array(interpreter.run(tape, numbers), dtype=float).reshape(2, -1)
    expected = rates_of(sample.formula(*series_of(sample, float)), 1)
    for level, wanted in zip(found, expected, strict=True):
        tolerance = sample.tolerance(1e-13)
        assert_close(level, wanted.astype(float).ravel(), tolerance, floor=1.0)


# ------------------------------------------------------------------ tapes


@pairs
def test_tape_on_floats(name: str, row: str) -> None:
    """What tracing simplifies changes no result."""
    sample = Sample(name, row)
    floats = sample.floats()
    tolerance = sample.tolerance(1e-13)
    result = joined(interpreted(sample.kernel, *sample.values.values()))
    assert_close(result, floats, tolerance, floor=1.0)
    given = random_arguments(sample.kernel, sample.robot, np.random.default_rng(1), (5,))
    batch = joined(interpreted(sample.kernel, *given), 1)
    for k in range(5):
        one = joined(interpreted(sample.kernel, *(x[k] for x in given)))
        np.testing.assert_array_equal(batch[k], one)
        assert np.isfinite(one).all()


@rows
def test_tape_on_casadi(row: str) -> None:
    casadi = pytest.importorskip("casadi")
    from jounce.export.casadi import _SPELLED

    sample = Sample("small", row)
    tape = sample.kernel.tape
    x = casadi.SX.sym("x", tape.n_inputs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # on NumPy's functions, by casadi >= 3.8
        results = interpreter.run(tape, casadi.vertsplit(x), _SPELLED)
    function = casadi.Function("f", [x], [casadi.vertcat(*results)])
    numbers = np.concatenate([value.ravel() for value in sample.values.values()])
    found = np.array(function(numbers), dtype=float).ravel()
    assert_close(found, sample.floats().ravel(), sample.tolerance(1e-13), floor=1.0)


# ------------------------------------------------------------------ elementary functions


def test_elementary_functions_of_every_type() -> None:
    x = 0.75
    graph = Graph()
    for name in ("sin", "cos", "sqrt", "sign"):
        f = getattr(scalar, name)
        expected = getattr(np, name)(x)
        assert f(x) == pytest.approx(expected, abs=1e-16)
        assert f(3) == pytest.approx(getattr(np, name)(3.0))
        assert f(np.float32(x)) == pytest.approx(expected, rel=1e-6)
        assert complex(f(complex(x))) == pytest.approx(expected)
        assert float(f(mpmath.mpf(x))) == pytest.approx(expected)
        assert float(f(sympy.Float(x))) == pytest.approx(expected)
        jet = f(Jet((x, 1.0)))
        assert (jet.c[0] if isinstance(jet, Jet) else jet) == pytest.approx(expected)
        (value,) = interpreter.run(record(graph := Graph(), [f(graph.input())]), [x])
        assert value == pytest.approx(expected)
        with pytest.raises(TypeError, match=f"no {name}.* for scalars of type str"):
            f("x")
    assert graph is not None
    assert scalar.sign(-2.0) == -1.0
    assert scalar.sign(0.0) == 0.0
    assert np.isnan(scalar.sign(float("nan")))
    assert scalar.sign(-1 + 5j) == -1.0
    (value,) = interpreter.run(record(graph := Graph(), [scalar.sign(-graph.input())]), [0.3])
    assert value == -1.0


@pytest.mark.parametrize("number", [float, complex, mpmath.mpf])
def test_arithmetic_of_jets(number: Any) -> None:
    """Quotients, powers and roots against derivatives known in closed form, at t = 1/2."""
    t = Jet((number(0.5), number(1.0), number(0.0), number(0.0)))
    cases = {
        "1/t": (1.0 / t, (2.0, -4.0, 16.0, -96.0)),
        "t/(1+t)": (t / (1.0 + t), (1 / 3, 4 / 9, -16 / 27, 32 / 27)),
        "t^3": (t**3, (0.125, 0.75, 3.0, 6.0)),
        "sqrt": ((t * 0.5).sqrt(), (0.5, 0.5, -0.5, 1.5)),
        "sin(2t)": (scalar.sin(2.0 * t), tuple(_sine_rates(1.0))),
        "1 - t": (1.0 - t, (0.5, -1.0, 0.0, 0.0)),
        "t/2 - 1": (t / 2.0 - 1.0, (-0.75, 0.5, 0.0, 0.0)),
    }
    for name, (jet, expected) in cases.items():
        rates = rates_of(jet, 3)
        assert_close([complex(x) for x in rates], expected, 1e-14, name)
    assert t**0 == 1.0
    assert 0.0 * t == 0.0  # structurally


def _sine_rates(angle: float) -> list[float]:
    s, c = np.sin(angle), np.cos(angle)
    return [s, 2 * c, -4 * s, -8 * c]
