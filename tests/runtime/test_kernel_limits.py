"""Kernels at their limits: many axes, no memory, threads with small stacks."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from math import prod
from types import BuiltinFunctionType

import numpy as np
import pytest

from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets import interpreter, llvm
from jounce.compiler.targets.llvm import workspace
from jounce.robot import Robot, load
from jounce.runtime import fastcall, gufunc
from jounce.runtime.compiled import CompiledKernel
from support.helpers import assert_close, compiled_tape, compiled_texts
from support.machine_code import powers

pytestmark = pytest.mark.machine_code

# ------------------------------------------------------------------ axes


@pytest.mark.parametrize("char", ["d", "f"])
@pytest.mark.parametrize(
    ("inputs", "outputs"),
    [((), (2, 1, 2, 1, 3)), ((1, 2, 1, 2, 1, 2), ()), ((3,), (2,) * 7), ((2,) * 5, (1,) * 31)],
)
def test_any_number_of_axes(inputs: tuple[int, ...], outputs: tuple[int, ...], char: str) -> None:
    tape = powers(inputs, prod(outputs))
    ufunc = compiled_tape(tape, (inputs,), (outputs,), char)
    rng = np.random.default_rng(0)
    for n in (1, 3, 16, 37):
        x = rng.normal(size=(n, *inputs)).astype(char)
        columns = list(x.reshape(n, -1).T)
        expected = np.stack(interpreter.run(tape, columns), axis=-1).reshape(n, *outputs)
        expected = expected.astype(char)
        np.testing.assert_array_equal(ufunc(x), expected)
        turned = np.asfortranarray(x)  # strides in an order of their own
        out = np.asfortranarray(np.full_like(expected, np.nan))
        assert ufunc(turned, out=out) is out
        np.testing.assert_array_equal(out, expected)
        np.testing.assert_array_equal(ufunc(x[0]), expected[0])


@pytest.mark.parametrize("name", ["christoffel.dpi.dq", "christoffel.dpi.dt"])
def test_derivatives_with_more_axes_than_four(name: str) -> None:
    robot = load("planar_2r")
    item = robot.quantity(name)
    rng = np.random.default_rng(1)
    given = [rng.normal(size=(9, 2)) for _ in item.kernel.arguments]
    result = item(*given)
    pi = robot.model.parameters.ravel()
    plain = robot.quantity(name.replace(".dpi", ""))
    axis = result.ndim - 2 if name.endswith("dq") else result.ndim - 1
    contracted = np.moveaxis(result, axis, -1) @ pi
    # the Christoffel symbols are linear in the parameters, armature apart, which is constant
    assert_close(contracted, plain(*given), 1e-12, name)
    single = item(*(x[4] for x in given))
    np.testing.assert_array_equal(single, result[4])


# ------------------------------------------------------------------ memory


def without_memory(tape: Tape, shape: tuple[int, ...], *result: int) -> CompiledKernel:
    """A kernel that gets no memory from the allocator, nor from the shelf."""
    shapes = (shape,), (result,)
    texts = llvm.module_texts(tape, *shapes, "double", llvm.processor())
    failing = "define internal ptr @malloc(i64 %n) {\n  ret ptr null\n}"
    text, changed = re.subn(r"declare ptr @malloc\(i64\)", failing, texts[0])
    assert changed == 1
    return compiled_texts((text, *texts[1:]), tape, *shapes)


def test_no_memory_is_an_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace, "MAX_CACHED_BYTES", 0)  # never from the shelf
    size = workspace.STACK_BYTES // 8
    tape = powers((3,), size)
    kernel = without_memory(tape, (3,), size)
    ufunc = gufunc.make_gufunc(kernel)
    called: list[str] = []
    slow = lambda *_, **__: called.append("slow")  # noqa: E731
    shortcut = fastcall.Shortcut({"x": (3,)}, {}, [(size,)], False, slow)
    shortcut.serve(kernel, full=False)
    quick = shortcut.call
    assert isinstance(quick, BuiltinFunctionType)
    out = np.full(size, -1.0)
    count = sys.getrefcount(out)
    calls: list[Callable[[], object]] = [
        lambda: ufunc(np.ones(3)),
        lambda: ufunc(np.ones((100, 3))),
        lambda: quick(np.ones(3)),
        lambda: quick(np.ones(3), out=out),
    ]
    for call in calls:
        for _ in range(3):
            with pytest.raises(MemoryError):
                call()
    assert (out == -1.0).all()
    assert sys.getrefcount(out) == count
    assert not called
    fed = compiled_tape(tape, ((3,),), ((size,),))  # other kernels still run
    assert np.isfinite(fed(np.ones((100, 3)))).all()


def test_a_robot_without_memory_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace, "STACK_BYTES", 0)
    monkeypatch.setattr(workspace, "MAX_CACHED_BYTES", 0)
    robot = Robot(load("planar_2r").model)
    kernel = robot.mass_matrix.kernel
    monkeypatch.setitem(kernel._compiled, "d", without_memory(kernel.tape, (2,), 2, 2))
    monkeypatch.setattr(fastcall, "is_possible", lambda *_: False)
    with pytest.raises(MemoryError, match="mass_matrix"):
        robot.mass_matrix(np.ones((5, 2)))


@pytest.mark.parametrize("char", ["d", "f"])
def test_workspaces_are_handed_on(char: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels of all sizes use one workspace after another, each the right numbers."""
    sizes = (10, 300, 50, 400, 5, 100)
    monkeypatch.setattr(workspace, "STACK_BYTES", 0)
    monkeypatch.setattr(workspace, "MIN_HEAP_BYTES", 64)  # each has its own size
    monkeypatch.setattr(
        workspace, "MAX_CACHED_BYTES", 350 * llvm.processor().vector_bytes
    )  # not the largest
    tapes = {size: powers((3,), size) for size in sizes}
    ufuncs = {size: compiled_tape(tape, ((3,),), ((size,),), char) for size, tape in tapes.items()}
    x = np.array((0.5, -1.25, 3.0), char)
    for size in (*sizes, *reversed(sizes)):
        expected = np.array(interpreter.run(tapes[size], list(x)), char)
        np.testing.assert_array_equal(ufuncs[size](x), expected)


# ------------------------------------------------------------------ stacks


SMALL_STACK = """
import threading
import numpy as np
from support.helpers import compiled_tape
from support.machine_code import powers
size = 1200
f = compiled_tape(powers((3,), size), ((3,),), ((size,),))
x = np.arange(120.0).reshape(40, 3)
expected = np.stack([x[:, k % 3] * (k + 2.0) for k in range(size)], axis=-1)
def work():
    np.testing.assert_array_equal(f(x), expected)
    np.testing.assert_array_equal(f(x[7]), expected[7])
    print("equal")
threading.stack_size(64 * 1024)
thread = threading.Thread(target=work)
thread.start()
thread.join()
"""


def test_threads_with_small_stacks() -> None:
    """A workspace of up to 77 KB on a thread whose whole stack is 64 KB."""
    done = subprocess.run(
        [sys.executable, "-c", SMALL_STACK],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout == "equal\n", done.stderr[-2000:]
