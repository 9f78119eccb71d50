"""Choices, extremes and the arctangent: on every scalar, in every backend, with derivatives."""

from __future__ import annotations

import math
import shutil
import subprocess
from pathlib import Path
from typing import Any

import casadi
import mpmath
import numpy as np
import pytest
import sympy

from jounce.compiler.graph.choices import arctangent
from jounce.compiler.graph.differentiate import Recorded
from jounce.compiler.graph.expr import Graph
from jounce.compiler.graph.tape import record
from jounce.compiler.targets import c, interpreter, matlab
from jounce.compiler.targets.function import Function, Variable
from jounce.export.exact import Exact
from jounce.export.exact import scalar as exact
from jounce.math import scalar
from jounce.math.jets import Jet
from support.helpers import compiled_tape

pytestmark = pytest.mark.machine_code

NAN = math.nan


def formula(x: Any, y: Any) -> list[Any]:
    return [
        scalar.where(x, y / x, -2.0),
        scalar.where(x - y, x * y, x + y),
        scalar.minimum(x, y),
        scalar.maximum(x, -0.25 * y),
        scalar.maximum(1.5, y),
        scalar.atan2(y, x),
        scalar.atan2(-y, 0.5),
        scalar.atan2(0.5, -x),
    ]


def expected(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        return np.stack(
            np.broadcast_arrays(
                np.where(x > 0, y / x, -2.0),
                np.where(x > y, x * y, x + y),
                np.minimum(x, y),
                np.maximum(x, -0.25 * y),
                np.maximum(1.5, y),
                np.arctan2(y, x),
                np.arctan2(-y, 0.5),
                np.arctan2(0.5, -x),
            ),
            axis=-1,
        )


def function() -> Function:
    graph = Graph()
    x, y = graph.input(), graph.input()
    given = [Variable(name, (), "") for name in ("x", "y")]
    return Function("f", record(graph, formula(x, y)), tuple(given), (Variable("r", (8,), ""),))


X, Y = np.random.default_rng(0).normal(size=(2, 203))
X[:4], Y[:4] = (0.0, 0.0, -1.0, 2.0), (0.0, 1.0, 0.0, 0.0)


def test_backends_agree() -> None:
    f = function()
    with np.errstate(all="ignore"):
        (found,) = interpreter.TARGET.build(f)(X, Y)
    np.testing.assert_allclose(found, expected(X, Y), rtol=1e-15, atol=1e-300)
    for char, tolerance in (("d", 1e-15), ("f", 1e-6)):
        compiled = compiled_tape(f.tape, ((), ()), ((8,),), char)
        x, y = X.astype(char), Y.astype(char)
        with np.errstate(all="ignore"):  # what is not taken divides by zero
            found = compiled(x, y)
        np.testing.assert_allclose(found, expected(x, y), rtol=tolerance, atol=1e-300)


def test_what_is_not_a_number_stays_so() -> None:
    compiled = compiled_tape(function().tape, ((), ()), ((8,),), "d")
    with np.errstate(all="ignore"):
        found = compiled(np.array([NAN, 1.0]), np.array([1.0, NAN]))
    # a choice by NaN is the second one
    assert np.isnan(found).tolist() == [
        [False, True, True, True, False, True, False, True],
        [True, True, True, True, True, True, True, False],
    ]


@pytest.mark.parametrize("char", "df")
def test_arctangent(char: str) -> None:
    graph = Graph()
    y, x = graph.input(), graph.input()
    tape = record(graph, [y.atan2(x)])
    compiled = compiled_tape(tape, ((), ()), ((1,),), char)
    angle = np.linspace(-np.pi, np.pi, 20_011)
    size = np.exp2(np.linspace(-60, 60, 20_011))
    s, k = (np.sin(angle) * size).astype(char), (np.cos(angle) * size).astype(char)
    true = np.arctan2(s.astype(np.longdouble), k.astype(np.longdouble))
    found = compiled(s, k)[..., 0]
    assert np.max(np.abs(found - true) / np.spacing(np.abs(true.astype(char)))) < 2.5
    tiny = np.array([1e-300, -1e-300, 5e-324], "d") if char == "d" else np.array([1e-38], "f")
    np.testing.assert_array_equal(compiled(tiny, np.ones_like(tiny))[..., 0], tiny)
    edges = np.array([[0.0, 0.0], [0.0, -1.0], [1.0, 0.0], [-1.0, 0.0]], char)
    np.testing.assert_array_equal(compiled(*edges.T)[..., 0], np.arctan2(*edges.T))
    assert arctangent(1.0, 1.0) == math.pi / 4


def test_sources(tmp_path: Path) -> None:
    f = function()
    text = c.TARGET.build(f)
    assert " atan2(" in text
    assert "static double f_maximum(double x, double y)" in text
    for name in ("kept", "dropped", "minimum", "maximum"):
        assert (
            f"function {'y' if name in ('kept', 'dropped') else 'z'} = {name}("
            in matlab.TARGET.build(f)
        )
    octave = shutil.which("octave-cli") or shutil.which("octave")
    if octave is None:
        return  # the text is all that can be looked at
    (tmp_path / "f.m").write_text(matlab.TARGET.build(f))
    run = [octave, "--eval", "printf('%.17g ', f(0, 2), f(-1.5, 0.5), f(2, 0.25))"]
    out = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=True)
    wanted = expected(np.array([0, -1.5, 2]), np.array([2, 0.5, 0.25]))
    np.testing.assert_allclose(np.fromstring(out.stdout, sep=" "), wanted.ravel(), rtol=1e-15)


POINTS = [(0.7, -1.2), (-0.7, 1.2), (1.6, 1.9), (-0.3, -0.4)]


@pytest.mark.parametrize(("x", "y"), POINTS)
def test_scalars(x: float, y: float) -> None:
    wanted = expected(np.array(x), np.array(y))
    for kind in (float, complex, mpmath.mpf, np.float64, sympy.Float):
        found = formula(kind(x), kind(y))
        np.testing.assert_allclose([complex(z).real for z in found], wanted, rtol=1e-15)
    a, b = sympy.symbols("a b", real=True)
    for z, value in zip(formula(exact(a), exact(b)), wanted, strict=True):
        assert isinstance(z, Exact)
        assert float(z.x.subs({a: x, b: y})) == pytest.approx(value, rel=1e-14)
    for z, value in zip(formula(a, b), wanted, strict=True):
        assert float(z.subs({a: x, b: y})) == pytest.approx(value, rel=1e-14)
    sx, sy = casadi.SX.sym("x"), casadi.SX.sym("y")
    from jounce.export.casadi import _SPELLED

    symbols = casadi.vertcat(*interpreter.run(function().tape, [sx, sy], _SPELLED))
    found = casadi.Function("f", [sx, sy], [symbols])(x, y)
    np.testing.assert_allclose(np.array(found).ravel(), wanted, rtol=1e-15)


@pytest.mark.parametrize(("x", "y"), POINTS)
def test_derivatives(x: float, y: float) -> None:
    h, dx, dy = 1e-30, 0.4, -1.1
    true = [z.imag / h for z in map(complex, formula(x + 1j * h * dx, y + 1j * h * dy))]
    series = formula(Jet((x, dx)), Jet((y, dy)))
    np.testing.assert_allclose([z.c[1] for z in series], true, rtol=1e-14, atol=1e-300)
    graph = Graph()
    at = graph.inputs_like((2,))
    recorded = Recorded(graph, formula(*at))
    nodes = [z.ref for z in at]
    pushed = recorded.tangents(dict(zip(nodes, (dx, dy), strict=True)))
    found = interpreter.run(record(graph, pushed), [x, y])
    np.testing.assert_allclose(found, true, rtol=1e-14, atol=1e-300)
    for k, slope in enumerate(true):
        back = recorded.adjoints([float(j == k) for j in range(8)], nodes)
        gradient = interpreter.run(record(graph, back), [x, y])
        assert gradient[0] * dx + gradient[1] * dy == pytest.approx(slope, rel=1e-14)


def test_second_order_series() -> None:
    x, y = Jet((0.7, 0.3, -0.2, 0.5)), Jet((-1.2, 0.1, 0.4, -0.6))
    t = mpmath.mpf
    for found, k in zip(formula(x, y), range(8), strict=True):
        with mpmath.workdps(50):
            true = mpmath.taylor(
                lambda s, k=k: formula(*(mpmath.polyval(z.c[::-1], s) for z in (x, y)))[k], 0, 3
            )
        np.testing.assert_allclose([float(t(c)) for c in found.c], [float(c) for c in true], 1e-12)
