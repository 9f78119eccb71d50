"""Every target of the table against the interpreter."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import jounce
from jounce import export
from jounce.compiler import targets
from jounce.compiler.targets import interpreter, nvptx, wasm
from jounce.compiler.targets.function import Function, Results, scalar_of
from jounce.robot import Robot, load
from support import cuda_text
from support.functions import function_of, tiny_model
from support.helpers import assert_close, named_kernels, random_arguments
from support.web import raw_in_node

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
OCTAVE = shutil.which("octave-cli") or shutil.which("octave")

ROBOT = Robot(tiny_model())
KERNELS = named_kernels(ROBOT)

#: A scalar, a vector, a matrix, several arguments, signs, constants among the results.
ROWS = ("kinetic_energy", "inverse_dynamics+", "mass_matrix", "joint_friction", "pose")


def run_c(text: str, function: Function, folder: Path, arrays: list[np.ndarray]) -> Results:
    if COMPILER is None:
        pytest.skip("no C compiler on PATH")
    (folder / "one.c").write_text(text)
    command = [COMPILER, "-Wall", "-Wextra", "-Werror", "-std=c99", "-pedantic", "-shared", "-fPIC"]
    subprocess.run([*command, "one.c", "-lm", "-o", "one.so"], cwd=folder, check=True, timeout=60)
    call = ctypes.CDLL(str(folder / "one.so"))[function.name]
    results = tuple(np.empty(x.shape, arrays[0].dtype) for x in function.outputs)
    call(*(x.ctypes.data_as(ctypes.c_void_p) for x in (*arrays, *results)))
    return results


def run_matlab(text: str, function: Function, folder: Path, arrays: list[np.ndarray]) -> Results:
    if OCTAVE is None:
        pytest.skip("neither octave-cli nor octave on PATH")
    (folder / f"{function.name}.m").write_text(text)
    given = []
    for x in arrays:
        numbers = " ".join(f"{v:.17g}" for v in x.ravel(order="F"))
        given.append(f"reshape([{numbers}], {', '.join(map(str, (*x.shape, 1, 1)[:2]))})")
    names = [x.name for x in function.outputs]
    lines = [f"[{', '.join(names)}] = {function.name}({', '.join(given)});"]
    lines += [f"printf('%.17g ', {name}); printf('\\n');" for name in names]
    (folder / "script.m").write_text("\n".join(lines))
    command = [OCTAVE, "--no-init-file", "--no-gui", "--quiet", "script.m"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return tuple(
        np.array(line.split(), dtype=float).reshape(x.shape, order="F")
        for line, x in zip(done.stdout.splitlines(), function.outputs, strict=True)
    )


def run_cuda(text: str, function: Function, folder: Path, arrays: list[np.ndarray]) -> Results:
    if cuda_text.needs_cpp.args[0]:
        pytest.skip(cuda_text.needs_cpp.kwargs["reason"])
    (folder / "one.cu").write_text(text)
    built = cuda_text.host_library(folder, "one.cu")
    results = tuple(np.empty(x.shape, arrays[0].dtype) for x in function.outputs)
    assert cuda_text.launch(built[function.name], [*arrays, *results], 1) == 0
    return results


def run_wasm(code: bytes, function: Function, folder: Path, arrays: list[np.ndarray]) -> Results:
    made = wasm.module([function])
    assert made.code == code
    row = np.concatenate([x.ravel() for x in arrays])
    return function.results((), raw_in_node(made, function, row[None], folder)[0])


def run_nvptx(text: str, function: Function, folder: Path, arrays: list[np.ndarray]) -> Results:
    assert text.lstrip().startswith("//")
    shapes = [x.shape for x in function.inputs], [x.shape for x in function.outputs]
    found = nvptx.compile_hosted(function.tape, *shapes, scalar_of(arrays[0].dtype))
    return tuple(x[0] for x in found(*(x[None] for x in arrays)))


#: How the text or the module of a target is run, for those that give one.
RUN: dict[str, Callable[..., Results]] = {
    "nvptx": run_nvptx,
    "c": run_c,
    "cuda": run_cuda,
    "matlab": run_matlab,
    "wasm": run_wasm,
}


@pytest.mark.parametrize("char", ["d", "f"])
@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("name", list(targets.TARGETS))
def test_targets_give_the_interpreters_numbers(
    name: str, row: str, char: str, tmp_path: Path
) -> None:
    kernel = KERNELS[row]
    function = function_of(kernel)
    given = random_arguments(kernel, ROBOT, np.random.default_rng(0), (3, 1))
    given = [np.ascontiguousarray(x, char) for x in given]
    expected = interpreter.TARGET.build(function)(*given)
    if name in ("matlab", "wasm") and char == "f":
        with pytest.raises(ValueError, match="float64"):
            targets.get_target(name).build(function, char)
        return
    built = targets.get_target(name).build(function, char)
    if isinstance(built, str | bytes):
        one = [np.ascontiguousarray(x[0, 0]) for x in given]
        found, expected = RUN[name](built, function, tmp_path, one), [x[0, 0] for x in expected]
    else:
        found = built(*given)
        assert all(x.dtype == char for x in found)
    for result, right in zip(found, expected, strict=True):
        assert result.shape == right.shape
        assert_close(result, right, 1e-13 if char == "d" else 2e-5, row, floor=1e-3)


def test_any_quantity_for_any_target() -> None:
    robot = load("planar_2r")
    q, v = np.array([0.3, -0.2]), np.array([1.0, 2.0])
    call = export.build(robot, "mass_matrix.rates(1)", "llvm")
    assert callable(call)
    for found, expected in zip(call(q, v), robot.mass_matrix.rates(1)(q, v), strict=True):
        assert_close(found, expected, 1e-15)
    text = export.build(robot, "frame(tool).pose", "c", np.float32)
    assert isinstance(text, str)
    assert "void planar_2r_tool_pose(const float q[2], float T[16])" in text


_FRESH = """
import numpy as np
from jounce.compiler.targets.function import Function, Variable
from jounce.compiler.targets.llvm import TARGET, compiler
from jounce.compiler.graph.expr import Graph
from jounce.compiler.graph.tape import record

made = []
original = compiler.compile_object
compiler.compile_object = lambda text: made.append(text) or original(text)
graph = Graph()
x = graph.inputs_like((1000,))  # a workspace so large comes from malloc
shape = (Variable("x", (1000,), ""),)
(y,) = TARGET.build(Function("twice", record(graph, list(x * 2.0)), shape, shape))(np.ones(1000))
assert (y == 2.0).all()
print(len(made))
"""


def test_machine_code_is_found_on_the_disk(tmp_path: Path) -> None:
    """By the first thing that a process does, too, when LLVM knows no symbols yet."""
    counts = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", _FRESH],
            env={**os.environ, "JOUNCE_CACHE": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        counts.append(int(done.stdout))
    assert counts == [1, 0]


def test_bad_requests_are_explained() -> None:
    others = r"'forth' is no target; valid here: native.*; other targets: interpreter, nvptx, c"
    with pytest.raises(ValueError, match=others):
        targets.get_target("forth")
    with pytest.raises(ValueError, match="there is no code for 'sm_10'; choose one of sm_75"):
        targets.get_target("nvptx:sm_10")
    with pytest.raises(ValueError, match="target 'c' has no machine 'arm'; valid: none"):
        targets.get_target("c:arm")
    function = function_of(KERNELS["mass_matrix"])
    for name in ("interpreter", "llvm"):
        call = targets.get_target(name).build(function)
        assert callable(call)
        with pytest.raises(
            ValueError, match=r"q must have the shape \(\.\.\., \d+\), found \(2,\)"
        ):
            call(np.zeros(2))
    for name in ("llvm", "c", "cuda"):
        with pytest.raises(ValueError, match="dtype must be float64 or float32, found int64"):
            targets.get_target(name).build(function, int)


def test_the_table_is_the_only_way_to_a_target() -> None:
    """The compiler itself is used only to load the runtime's native code."""
    package, source = Path(targets.__file__).parent, Path(jounce.__file__).parent
    users = {
        path.relative_to(source).as_posix()
        for path in source.rglob("*.py")
        if package not in path.parents
        and re.search(
            r"jounce\.compiler\.targets(\.| import )(llvm|nvptx|c|cuda|matlab)\b",
            path.read_text("utf-8"),
        )
    }
    assert users == {"runtime/native/__init__.py"}
