"""The same numbers on every processor: levels of x86-64, and what JOUNCE_TARGET accepts."""

from __future__ import annotations

import os
import pickle
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import llvmlite.binding as binding
import mpmath
import numpy as np
import pytest

from jounce.compiler import targets
from jounce.compiler.targets import llvm
from jounce.compiler.targets.llvm import compiler, entry, processors
from jounce.robot import Robot, load
from jounce.runtime.kernel import Kernel
from support.helpers import (
    assert_close,
    compiled_tape,
    interpreted,
    named_kernels,
    random_arguments,
    small_model,
)
from support.machine_code import (
    ANGLES,
    LAYOUTS,
    TOLERANCE,
    exactly,
    sincos_tape,
    ulps,
    ulps_allowed,
    wide_tape,
)

LEVELS = [name for name in llvm.processor_names() if name != processors.NATIVE]

#: Each has packing, constants, several segments or signs of its own.
ROWS = ("inverse_dynamics+", "mass_matrix", "forward_dynamics", "joint_friction", "pose")

pytestmark = pytest.mark.skipif(not LEVELS, reason="this machine has no level of x86-64")


@cache
def robot_and_kernels() -> tuple[Robot, dict[str, Kernel]]:
    robot = Robot(small_model())
    return robot, named_kernels(robot)


def compiled_for(level: str, kernel: Kernel, char: str) -> np.ufunc:
    return compiled_tape(kernel.tape, kernel.inputs, kernel.outputs, char, name=level)


@pytest.mark.parametrize("char", ["d", "f"])
@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("level", LEVELS)
def test_kernels(level: str, row: str, char: str) -> None:
    robot, named = robot_and_kernels()
    kernel = named[row]
    ufunc = compiled_for(level, kernel, char)
    width = llvm.processor(level).width("double" if char == "d" else "float")
    for n in (0, 1, width - 1, width, width + 1, 100):
        given = random_arguments(kernel, robot, np.random.default_rng(n), (n,))
        given = [x.astype(char) for x in given]
        expected = interpreted(kernel, *(x.astype(float) for x in given))
        tolerance = TOLERANCE[char]
        if row == "forward_dynamics":  # loses digits in proportion to the condition number of M
            M = interpreted(named["mass_matrix"], given[0].astype(float))
            tolerance *= 1.0 + np.linalg.cond(M).max(initial=0.0)
        result = ufunc(*given)
        assert_close(result, expected, tolerance, f"{row}, {n} samples", floor=1e-3)
        for change in LAYOUTS.values() if n == 100 else ():
            np.testing.assert_array_equal(ufunc(*map(change, given)), result)
        if n:
            np.testing.assert_array_equal(ufunc(*(x[-1] for x in given)), result[-1])


@cache
def angles(dtype: type) -> tuple[np.ndarray, list[tuple[np.ndarray, np.ndarray]]]:
    """Angles of all sizes, with their exact sines and cosines."""
    parts = [np.asarray(make(np.random.default_rng(2), dtype)) for make in ANGLES.values()]
    x = np.concatenate(parts).astype(dtype)
    return x, [exactly(mpmath.sin, x), exactly(mpmath.cos, x)]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("level", LEVELS)
def test_sine_and_cosine(level: str, dtype: type) -> None:
    f = compiled_tape(sincos_tape(), ((),), ((), ()), np.dtype(dtype).char, name=level)
    x, exact = angles(dtype)
    for values, right in zip(f(x), exact, strict=True):
        assert (ulps(values, right) <= ulps_allowed(x)).all()
    with np.errstate(invalid="ignore"):
        assert np.isnan(f(np.array((np.inf, -np.inf, np.nan), dtype))).all()


@pytest.mark.parametrize("char", ["d", "f"])
@pytest.mark.parametrize("size", [1, 3, 32, 37, 64])
@pytest.mark.parametrize("level", LEVELS)
def test_packing(level: str, size: int, char: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of any length to any place, with nothing written around them."""
    monkeypatch.setattr(entry, "UNCACHED_BYTES", 0)
    tape = wide_tape(max(size, 8))
    size = len(tape.outputs)
    f = compiled_tape(tape, ((3,),), ((size,),), char, name=level)
    for n in (1, 2, 3, 4, 7, 8, 9, 16, 17, 50):
        x = np.random.default_rng(n).normal(size=(n, 3)).astype(char)
        half = np.array([k + 0.5 for k in range(size)], char)
        expected = half * x[:, :1] - x[:, 1:2]
        expected[:, ::7] = np.arange(0, size, 7)
        expected[:, 3], expected[:, -1] = x[:, 2], expected[:, 1]
        for shift in range(5):
            memory = np.full((n + 2) * size, -123.0, char)
            place = memory[shift : shift + n * size].reshape(n, size)
            f(x, out=place)
            assert_close(place, expected, 3 * np.finfo(char).eps)  # with or without fused products
            place[...] = -123.0
            assert (memory == -123.0).all()
        turned = np.full((n, size), np.nan, char, order="F")
        f(x[::-1], out=turned[::-1])
        np.testing.assert_array_equal(turned, f(x))


@pytest.mark.parametrize("level", LEVELS)
def test_code_stays_within_its_level(level: str) -> None:
    """No register or instruction of a later level, whatever this machine could do."""
    _, named = robot_and_kernels()
    kernel = named["inverse_dynamics+"]
    target = llvm.processor(level)
    (text,) = llvm.module_texts(kernel.tape, kernel.inputs, kernel.outputs, "double", target)
    asm = compiler.machine(reloc="pic").emit_assembly(binding.parse_assembly(text))
    ours = {"x86-64-v2": "xmm", "x86-64-v3": "ymm", "x86-64-v4": "zmm"}
    assert f"%{ours[level]}" in asm
    foreign = {
        "x86-64-v2": r"%[yz]mm|\bvfn?m|\bv[a-z]+pd\b",
        "x86-64-v3": r"%zmm|%k[0-7]\b|%ymm1[6-9]",
    }
    if level in foreign:
        assert not re.search(foreign[level], asm)
    assert ("fmadd" in asm) == (level != "x86-64-v2")


# ------------------------------------------------------------------ names


def test_names_of_targets() -> None:
    host = llvm.host()
    older = replace(host, features="+cx16,+popcnt,+sahf,+sse3,+sse4.1,+sse4.2,+ssse3,-avx")
    assert processors.available_names(older) == ["native", "x86-64-v2"]
    assert processors.available_names(replace(older, features="-sse3")) == ["native"]
    assert processors.available_names(replace(host, triple="aarch64-unknown-linux-gnu")) == [
        "native"
    ]
    assert processors.get_processor("native", host) is host
    with pytest.raises(
        ValueError, match=r"'x86-64-v4' is not supported .* valid here: native, x86-64-v2 "
    ):
        processors.get_processor("x86-64-v4", older)
    for wrong in ("v3", "x86-64", "X86-64-V3", "avx2", " ", "x86-64-v33"):
        with pytest.raises(ValueError, match=r"is no target; valid here: native, x86-64-v2"):
            processors.get_processor(wrong, host)


def processor(target: str | None) -> processors.Processor:
    """The processor of a target."""
    found = targets.get_target(target)
    assert isinstance(found, llvm.LlvmTarget)
    return found.processor


def test_the_environment_names_the_target(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JOUNCE_TARGET", raising=False)
    assert processor(None) is processor("llvm") is llvm.host()
    for level in LEVELS:
        for text in (f" {level} ", f"llvm:{level}"):
            monkeypatch.setenv("JOUNCE_TARGET", text)
            assert processor(None).cpu == processor("llvm").cpu == level
            assert processor("native") is processor("llvm:native") is llvm.host()
    monkeypatch.setenv("JOUNCE_TARGET", "pentium")
    robot = load("planar_2r")
    with pytest.raises(ValueError, match=r"target \(JOUNCE_TARGET\): 'pentium' is no target"):
        robot.mass_matrix(np.zeros(2))
    monkeypatch.setenv("JOUNCE_TARGET", "")
    np.testing.assert_array_equal(robot.mass_matrix(np.zeros(2)), [[5, 2], [2, 1]])


def test_targets_have_keys_of_their_own() -> None:
    keys = {llvm.build_key(llvm.processor(name)) for name in llvm.processor_names()}
    assert len(keys) == len(llvm.processor_names())


def test_a_cached_kernel_is_not_taken_for_another_target(
    tmp_path: os.PathLike[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JOUNCE_CACHE", str(tmp_path))
    compiled: list[str] = []
    original: Callable[[str], bytes] = compiler.compile_object

    def counted(text: str) -> bytes:
        compiled.append(text)
        return original(text)

    monkeypatch.setattr(compiler, "compile_object", counted)
    for _ in range(2):
        for level in LEVELS:
            monkeypatch.setenv("JOUNCE_TARGET", level)
            load("planar_2r").mass_matrix(np.zeros(2))
            assert f'"target-cpu"="{level}"' in compiled[LEVELS.index(level)]
    assert len(compiled) == len(LEVELS)


@pytest.mark.parametrize("level", LEVELS)
def test_a_robot_and_all_made_from_it_are_compiled_for_its_target(level: str) -> None:
    arm = load("five_bar", target=level)
    mechanism = arm.closed()
    several = (
        *(arm, arm.parametric, arm.morphable, pickle.loads(pickle.dumps(arm)), mechanism),
        *(
            mechanism._all_joints,
            arm.edit.with_parameters(arm.model.parameters),
            arm.edit.lock({"joint1": 0.1}),
        ),
    )
    for robot in several:
        loops = robot is mechanism._all_joints
        quantity = robot.loop_jacobian if loops else robot.gravity_forces
        assert f'"target-cpu"="{level}"' in quantity.lower().text
    q = arm.random(0, 5)
    assert_close(arm.mass_matrix(q), load("five_bar").mass_matrix(q))


def test_unknown_targets_of_a_robot_are_refused() -> None:
    with pytest.raises(ValueError, match=r"'pentium' is no target; valid here: native"):
        load("planar_2r", target="pentium")
