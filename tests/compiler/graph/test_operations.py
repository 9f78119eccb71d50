"""The rows of operations: what they say of themselves, and that one row is all a new one takes."""

from __future__ import annotations

import ctypes
import math
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jounce.compiler.graph.expr import Expr, Graph, define
from jounce.compiler.graph.ops import ANGLES, NEITHER, ODD, OPS, Op, function
from jounce.compiler.graph.tape import record
from jounce.compiler.targets import c, interpreter, matlab
from jounce.compiler.targets.function import Function, Variable
from support.helpers import assert_close, compiled_tape

pytestmark = pytest.mark.machine_code

LANGUAGES = ("numpy", "c", "matlab", "llvm", "wasm")

X = np.array([0.3, 1.7, 2.9])
Y = np.array([1.1, 0.2, -5.0])


def applied(op: Op, *signs: float) -> np.ndarray:
    return op.value(*(s * x for s, x in zip(signs, (X, Y), strict=False)))


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_rows_tell_the_truth(op: Op) -> None:
    ones = (1.0,) * op.arity
    for k, parity in enumerate(op.parity):
        signs = [-1.0 if j == k else 1.0 for j in range(op.arity)]
        if parity != NEITHER:
            np.testing.assert_array_equal(applied(op, *signs), parity * applied(op, *ones))
    if op.arity == 2:
        assert op.commutes == bool((op.value(X, Y) == op.value(Y, X)).all())
    text = op.template("numpy").format("X", "Y")
    np.testing.assert_array_equal(eval(text, {"np": np, "X": X, "Y": Y}), applied(op, *ones))


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_operations_exist_in_every_language(op: Op) -> None:
    for language in LANGUAGES:
        if language in ("llvm", "wasm") and OPS.index(op) in ANGLES:
            continue  # in pairs, by the backends' sincos
        if language in ("llvm", "wasm") and op.composed is not None:
            continue  # of others, by jounce.compiler.graph.passes.expand_operations
        assert "{0}" in op.template(language)
        assert ("{1}" in op.template(language)) == (op.arity == 2)


# ------------------------------------------------------------------ new ones


TANH = Op(
    "tanh",
    (ODD,),
    function("tanh"),
    numpy="np.tanh({0})",
    c="tanh{f}({0})",
    matlab="tanh({0})",
    llvm="{r} = call {v} @llvm.tanh.{s}({v} {0})",
)

HYPOT = Op(
    "hypot",
    (NEITHER, NEITHER),
    function("hypot"),
    numpy="np.hypot({0}, {1})",
    c="{prefix}_hypot({0}, {1})",
    c_helper="""\
static {real} {prefix}_hypot({real} x, {real} y)
{{
    return sqrt{f}(x * x + y * y);
}}
""",
    matlab="hypot({0}, {1})",
    llvm="""\
{r}.x = fmul contract {v} {0}, {0}
{r}.y = fmul contract {v} {1}, {1}
{r}.z = fadd contract {v} {r}.x, {r}.y
{r} = call {v} @llvm.sqrt.{s}({v} {r}.z)""",
    commutes=True,
)


@pytest.fixture
def new() -> Iterator[None]:
    """Two operations that the package does not have."""
    count = len(OPS)
    for row in (TANH, HYPOT):
        define(row)
    yield
    del OPS[count:]
    del Expr.tanh, Expr.hypot  # pyright: ignore[reportAttributeAccessIssue]


def formula(x: Any, y: Any, tanh: Any, hypot: Any) -> list[Any]:
    return [tanh(x * y) * 2.0, tanh(-x) + hypot(x, -y), hypot(y, 0.5), -tanh(x)]


def new_function() -> Function:
    """A tape with them, traced as formulas are."""
    graph = Graph()
    x, y = graph.input(), graph.input()
    results = formula(x, y, lambda a: a.tanh(), lambda a, b: a.hypot(b))
    names = [Variable(name, (), "") for name in ("x", "y")]
    return Function("f", record(graph, results), tuple(names), (Variable("r", (4,), ""),))


def expected(x: Any, y: Any) -> np.ndarray:
    return np.stack(np.broadcast_arrays(*formula(x, y, np.tanh, np.hypot)), axis=-1)


@pytest.mark.usefixtures("new")
def test_new_operations_are_traced() -> None:
    graph = Graph()
    x, y = graph.input(), graph.input()
    assert (-x).tanh().ref == -x.tanh().ref  # odd
    assert x.hypot(y).ref == y.hypot(x).ref  # commutes
    assert x.hypot(-y).ref != x.hypot(y).ref  # no rule for the sign
    assert repr(x.tanh()).startswith("tanh#")
    assert new_function().tape.counts() == {"tanh": 2, "hypot": 2, "mul": 2, "sub": 1, "neg": 2}


@pytest.mark.usefixtures("new")
def test_new_operations_run_everywhere() -> None:
    f = new_function()
    (found,) = interpreter.TARGET.build(f)(X, Y)
    assert_close(found, expected(X, Y), 1e-15)
    for char, tolerance in (("d", 1e-15), ("f", 1e-6)):
        compiled = compiled_tape(f.tape, ((), ()), ((4,),), char)
        x, y = np.random.default_rng(0).normal(size=(2, 50)).astype(char)
        assert_close(compiled(x, y), expected(x, y), tolerance)
    text = matlab.TARGET.build(f)
    for spelled in ("tanh(t", "tanh(x)", "hypot(x, -y)", "hypot(y, 0.5)"):
        assert spelled in text


@pytest.mark.usefixtures("new")
@pytest.mark.parametrize("char", ["d", "f"])
def test_new_operations_in_c(char: str, tmp_path: Path) -> None:
    text = c.TARGET.build(new_function(), char)
    suffix = "f" if char == "f" else ""
    assert f"tanh{suffix}(x[0])" in text
    assert text.count("f_hypot(") == 3  # defined once, used twice
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler on PATH")
    (tmp_path / "f.c").write_text(text)
    command = [compiler, "-std=c99", "-Wall", "-Werror", "-shared", "-fPIC", "f.c", "-lm"]
    subprocess.run([*command, "-o", "f.so"], cwd=tmp_path, check=True, timeout=60)
    x, y, found = np.array(0.7, char), np.array(-1.2, char), np.empty(4, char)
    pointers = [a.ctypes.data_as(ctypes.c_void_p) for a in (x, y, found)]
    ctypes.CDLL(str(tmp_path / "f.so"))["f"](*pointers)
    assert_close(found, expected(0.7, -1.2), 1e-15 if char == "d" else 1e-6)


@pytest.mark.usefixtures("new")
def test_names_and_spellings_are_checked() -> None:
    for name in ("tanh", "sin", "ref"):
        with pytest.raises(ValueError, match=f"method '{name}' already"):
            define(Op(name, (ODD,), math.tanh))
    bare = Op("bare", (ODD,), math.tanh)
    for language in LANGUAGES:
        with pytest.raises(ValueError, match=f"'bare' has no template for {language}"):
            bare.template(language)


@pytest.mark.usefixtures("new")
def test_digests_tell_what_operations_mean() -> None:
    """Machine code on disk is of the operation that it was compiled from."""
    tape = new_function().tape
    before = tape.digest()
    OPS[OPS.index(TANH)] = replace(TANH, llvm=TANH.llvm.replace("tanh", "atan"))
    assert tape.digest() != before
