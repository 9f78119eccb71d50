"""Exported C and MATLAB against the gufunc: compiled, run, reproducible, and safe with any name.

What holds of CUDA alone is in compiler/targets/test_cuda_text.py.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from jounce.compiler.targets.c_family.dialect import C99
from jounce.compiler.targets.text import variable_name
from jounce.export import export_c, export_cuda, export_matlab
from jounce.model.model import Frame, Mimic, Model
from jounce.robot import Robot, load
from support.c_libraries import call, compile_c, function_names, library, needs_compiler
from support.helpers import assert_close, quiet_read, random_arguments, small_model
from support.robots import random_model

OCTAVE = shutil.which("octave-cli") or shutil.which("octave")
TOLERANCE = {"d": 1e-14, "f": 2e-5}

needs_octave = pytest.mark.skipif(OCTAVE is None, reason="neither octave-cli nor octave on PATH")

HOSTILE = 'r\u00f6b*/ot "2" \\ ??/ %{ \u673a\n#error'


def floating_model() -> Model:
    """A free base, then every kind of joint."""
    return random_model(np.random.default_rng(5), 9, floating=True)


def hostile_model() -> Model:
    """Names that break comments, strings, identifiers and lines if they are not escaped."""
    model = random_model(np.random.default_rng(1), 4, ("revolute", "prismatic"))
    names = ("*/ int x; /*", "e\u0301 \u03b1 'quoted'\\", "for", "line\nbreak\r ??/ %}")
    joints = [replace(j, name=name) for j, name in zip(model.joints, names, strict=True)]
    joints[3] = replace(joints[3], mimic=Mimic(names[0], -0.5, 0.25))
    bodies = [replace(b, name=f"{name} b") for b, name in zip(model.bodies, names, strict=True)]
    frames = (Frame("a b", 2), Frame("a_b", 3), Frame("A*/B", 1))
    return replace(model, name=HOSTILE, joints=tuple(joints), bodies=tuple(bodies), frames=frames)


CASES = {
    "iiwa14_mueller_kumar2021": (
        lambda: quiet_read("iiwa14_mueller_kumar2021"),
        ("inverse_dynamics.rates(2)", "mass_matrix", "frame(base).pose", "mass_matrix.dt"),
    ),
    "floating": (floating_model, ("inverse_dynamics", "frame(body8).jacobian", "kinetic_energy")),
    "small": (
        small_model,
        ("inverse_dynamics.dt", "joint_friction", "external_forces", "frame(tool).pose"),
    ),
    "hostile": (hostile_model, ("bias_forces", "frame(a b).pose", "frame(A*/B).pose")),
}


def gufunc(robot: Robot, name: str, given: list[np.ndarray]) -> tuple[np.ndarray, ...]:
    results = robot.quantity(name)(*given)
    return results if isinstance(results, tuple) else (results,)


# ------------------------------------------------------------------ C


@needs_compiler
@pytest.mark.parametrize("char", ["d", "f"])
@pytest.mark.parametrize("case", list(CASES))
def test_c_is_the_gufunc(case: str, char: str, tmp_path: Path) -> None:
    make, quantities = CASES[case]
    robot = Robot(make())
    paths = export_c(robot, tmp_path, quantities, dtype=char, simd=True)
    built = library(tmp_path, paths)
    rng = np.random.default_rng(3)
    for name, own in zip(quantities, function_names(paths), strict=True):
        kernel = robot.quantity(name).kernel
        given = [x.astype(char) for x in random_arguments(kernel, robot, rng, (19,))]
        expected = gufunc(robot, name, given)
        found = [np.full((19, *shape), np.nan, char) for shape in kernel.outputs]
        many = [x.copy() for x in found]
        for i in range(19):
            call(built[own], *(x[i : i + 1] for x in (*given, *found)))
        call(built[f"{own}_batch"], 0, *given, *many)
        assert np.isnan(many[0]).all()
        call(built[f"{own}_batch"], 19, *given, *many)
        for k, result in enumerate(expected):
            assert_close(found[k], result, TOLERANCE[char], f"{own}, result {k}")
            assert_close(many[k], result, TOLERANCE[char], f"{own}_batch, result {k}")


@needs_compiler
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("simd", [False, True])
@pytest.mark.parametrize("case", ["iiwa14_mueller_kumar2021", "hostile"])
def test_selftest_passes_and_can_fail(case: str, simd: bool, dtype: type, tmp_path: Path) -> None:
    make, quantities = CASES[case]
    robot = Robot(make())
    paths = export_c(robot, tmp_path, quantities, dtype=dtype, simd=simd)
    source = paths[1]
    assert [path.name for path in paths] == [f"{source.stem}.h", f"{source.stem}.c", "selftest.c"]

    def run() -> subprocess.CompletedProcess[str]:
        compile_c(tmp_path, "-O1", "selftest.c", source.name, "-lm", "-o", "selftest")
        return subprocess.run([tmp_path / "selftest"], capture_output=True, text=True, timeout=60)

    done = run()
    assert done.returncode == 0, done.stdout
    assert done.stdout.split("\n")[-2] == "PASS"
    results = sum(len(robot.quantity(name).kernel.outputs) for name in quantities)
    assert done.stdout.count("PASS") == (1 + simd) * results + 1
    text = source.read_text()
    source.write_text(text.replace("sin(", "1.001 * sin(").replace("sinf(", "1.001f * sinf("))
    done = run()
    assert done.returncode != 0
    assert "FAIL" in done.stdout


@needs_compiler
def test_ill_conditioned_kernels_pass_their_selftest(tmp_path: Path) -> None:
    """Tolerances follow the rounding errors of the kernel, not a fixed number."""
    robot = Robot(small_model())
    for dtype in (np.float64, np.float32):
        quantities = ("forward_dynamics.dt", "mass_matrix_inverse")
        export_c(robot, tmp_path, quantities, dtype=dtype, name="small", overwrite=True)
        compile_c(tmp_path, "-O1", "selftest.c", "small.c", "-lm", "-o", "selftest")
        subprocess.run([tmp_path / "selftest"], check=True, timeout=60, capture_output=True)


@needs_compiler
def test_long_kernels_compile_in_bounded_pieces(tmp_path: Path) -> None:
    robot = Robot(quiet_read("iiwa14_mueller_kumar2021"))
    name = "coriolis_matrix.rates(4)"
    kernel = robot.quantity(name).kernel
    assert len(kernel.tape) > 12_000
    paths = export_c(robot, tmp_path, [name])
    start = time.perf_counter()
    built = library(tmp_path, paths)
    assert time.perf_counter() - start < 60.0
    pieces = paths[1].read_text().split("\nstatic void ")
    assert len(pieces) > len(kernel.tape) // C99.piece
    assert max(piece.count("\n") for piece in pieces) < 2 * C99.piece
    given = random_arguments(kernel, robot, np.random.default_rng(0))
    found = [np.empty(shape) for shape in kernel.outputs]
    call(built[function_names(paths)[0]], *given, *found)
    for k, (result, expected) in enumerate(zip(found, gufunc(robot, name, given), strict=True)):
        assert_close(result, expected, 1e-14, f"derivative {k}")


@needs_compiler
@pytest.mark.parametrize("char", ["d", "f"])
def test_batches_take_large_and_invalid_angles(char: str, tmp_path: Path) -> None:
    robot = load("planar_2r")
    paths = export_c(robot, tmp_path, "gravity_forces", dtype=char, simd=True)
    built = library(tmp_path, paths)
    own = function_names(paths)[0]
    q = np.random.default_rng(0).uniform(-10, 10, (21, 2)).astype(char)
    q[:15, 0] = (0, -0.0, 1e3, -1e3, 5e5, -5e5, 6e5, 1e8, -1e15, 1e22, np.pi, np.inf, np.nan, 1, 2)
    one, many = np.empty((21, 2), char), np.empty((21, 2), char)
    for i in range(21):
        call(built[own], q[i], one[i])
    call(built[f"{own}_batch"], 21, q, many)
    bad = [11, 12]
    assert np.isnan(many[bad, 0]).all()
    many, one = (np.delete(x, bad, 0) for x in (many, one))
    assert_close(many, one, 1e-14 if char == "d" else 1e-6)


@needs_compiler
def test_the_source_has_no_state_and_allocates_nothing(tmp_path: Path) -> None:
    paths = export_c(load("planar_2r"), tmp_path, ["mass_matrix", "forward_dynamics"], simd=True)
    text = paths[0].read_text() + paths[1].read_text()
    assert set(re.findall(r"#include [<\"](.*)[>\"]", text)) == {
        "math.h",
        "stddef.h",
        "planar_2r.h",
    }
    assert "alloc" not in text.replace("allocate nothing", "")
    assert re.search(r"^static (?!void|double)", text, re.MULTILINE) is None  # no variables
    assert "    static" not in text
    assert max(map(len, text.split("\n"))) <= 120


@pytest.mark.skipif(shutil.which("c++") is None, reason="no C++ compiler on PATH")
def test_the_header_is_also_cpp(tmp_path: Path) -> None:
    robot = Robot(hostile_model())
    export_c(robot, tmp_path, ["mass_matrix", "frame(a b).pose"], name="arm", simd=True)
    (tmp_path / "main.cpp").write_text('#include "arm.h"\nint main() { return 0; }\n')
    command = ["c++", "-Wall", "-Wextra", "-Werror", "-pedantic", "-c", "main.cpp"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=60)


def test_signatures_and_layout_are_documented(tmp_path: Path) -> None:
    robot = Robot(floating_model())
    header = export_c(robot, tmp_path, ["inverse_dynamics.rates(2)", "mass_matrix"])[0].read_text()
    flat = " ".join(header.split())
    nq, nv = robot.nq, robot.nv
    given = ", ".join(f"const double {x}[{nv}]" for x in "vajs")
    result = ", ".join(f"double {x}[{nv}]" for x in ("tau", "dtau", "ddtau"))
    name = "random_inverse_dynamics_rates_2"
    assert f"void {name}(const double q[{nq}], {given}, {result});" in flat
    assert f"void random_mass_matrix(const double q[{nq}], double M[{nv * nv}]);" in flat
    assert "'joint0' (free): q[0..6] quaternion w, x, y, z, position" in flat
    assert f"M[{nv * nv}] ({nv} x {nv}, row by row)" in flat


# ------------------------------------------------------------------ the same bytes everywhere


_EXPORT = """
import sys, warnings
warnings.simplefilter("ignore")
from jounce.robot import load
from jounce.export import export_c, export_cuda, export_matlab
robot = load("planar_2r")
names = ["inverse_dynamics.rates(1)", "mass_matrix", "frame(tool).jacobian"]
export_c(robot, sys.argv[1], names, simd=True)
export_cuda(robot, sys.argv[1], names)
export_matlab(robot, sys.argv[1], names)
"""


def digest(folder: Path) -> dict[str, str]:
    return {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(folder.iterdir())}


def test_output_is_reproducible(tmp_path: Path) -> None:
    digests = []
    for seed in ("1", "2"):
        folder = tmp_path / f"run{seed}"
        environment = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": "C"}
        subprocess.run(
            [sys.executable, "-c", _EXPORT, folder], env=environment, check=True, timeout=120
        )
        digests.append(digest(folder))
    assert digests[0] == digests[1]
    assert len(digests[0]) == 9


def test_a_second_export_replaces_the_first_on_request(tmp_path: Path) -> None:
    robot = load("planar_2r")
    first = export_c(robot, tmp_path / "new" / "folder", ["mass_matrix"])
    before = digest(tmp_path / "new" / "folder")
    with pytest.raises(FileExistsError, match=r"planar_2r\.h': the file exists.*overwrite=True"):
        export_c(robot, str(tmp_path / "new" / "folder"), ["gravity_forces"])
    assert digest(first[0].parent) == before
    export_c(robot, str(tmp_path / "new" / "folder"), ["gravity_forces"], overwrite=True)
    assert digest(first[0].parent) != before
    export_c(robot, tmp_path / "new" / "folder", "mass_matrix", overwrite=True)
    assert digest(first[0].parent) == before  # and no other file is left behind
    if os.name == "posix":
        plain = tmp_path / "plain"
        plain.write_text("")
        assert first[0].stat().st_mode == plain.stat().st_mode


# ------------------------------------------------------------------ names and errors


@pytest.mark.parametrize(
    ("given", "prefix"),
    [
        ("my robot", "my_robot"),
        ("2 arms", "robot_2_arms"),
        ("h\u00e9ron-v2!", "heron_v2"),
        ("\u673a\u5668\u4eba", "robot"),
        ("", "robot"),
        ("math", "math_robot"),
        ("SelfTest", "SelfTest_robot"),
        ("__x__", "x"),
        ("x" * 300, "x" * 31 + "_0d4e2ca9"),
    ],
)
def test_prefixes_are_identifiers(given: str, prefix: str, tmp_path: Path) -> None:
    robot = Robot(replace(quiet_read("planar_2r"), name=given))
    paths = export_c(robot, tmp_path, ["gravity_forces"])
    assert paths[0].name == f"{prefix}.h"
    assert function_names(paths) == [f"{prefix}_gravity_forces"]
    assert export_matlab(robot, tmp_path, ["mass_matrix"])[0].name == f"{prefix}_mass_matrix.m"


def test_functions_of_like_named_frames_stay_apart(tmp_path: Path) -> None:
    robot = Robot(hostile_model())
    quantities = [f"frame({name}).pose" for name in ("a b", "a_b", "A*/B")]
    quantities += ["frame(a b).pose", " frame('a b').pose"]  # the first one again
    for folder in ("first", "again"):
        paths = export_c(robot, tmp_path / folder, quantities, name="arm")
        assert function_names(paths) == ["arm_a_b_pose", "arm_a_b_pose_2", "arm_A_B_pose_3"]
    long = replace(robot.model, frames=(Frame("f" * 100, 0), Frame("f" * 101, 0)))
    names = [f"frame({'f' * n}).pose" for n in (100, 101)]
    files = export_matlab(Robot(long), tmp_path, names, name="arm")
    assert len({path.stem for path in files}) == 2
    assert all(len(path.stem) <= 63 for path in files)


def test_hostile_names_stay_in_comments(tmp_path: Path) -> None:
    robot = Robot(hostile_model())
    paths = export_c(robot, tmp_path, ["mass_matrix"]) + export_matlab(robot, tmp_path)
    for path in (*paths, *export_cuda(robot, tmp_path, ["mass_matrix"])):
        text = path.read_bytes()
        assert text.isascii()
        assert b"\r" not in text
        assert b"\\ " not in text
        assert not any(line.startswith(b"#error") for line in text.split(b"\n"))


def test_names_of_variables_avoid_keywords_and_our_own() -> None:
    names = [variable_name(x) for x in ("q", "for", "t3", "s0", "work", "1x", "a b", "end")]
    assert names == ["q", "for_", "t3_", "s0_", "work_", "x_", "a_b", "end_"]
    assert variable_name("q", ["q", "q_"]) == "q__"


def test_bad_requests_are_explained(tmp_path: Path) -> None:
    robot = load("planar_2r")
    for export in (export_c, export_cuda, export_matlab):
        with pytest.raises(ValueError, match=r"'mass_matrx'; did you mean 'mass_matrix'"):
            export(robot, tmp_path, ["mass_matrix", "mass_matrx"])
        with pytest.raises(ValueError, match="expected the name of a quantity"):
            export(robot, tmp_path, ["mass_matrix.foo()"])
        with pytest.raises(ValueError, match="has no frame 'hand'"):
            export(robot, tmp_path, ["frame(hand).pose"])
        with pytest.raises(ValueError, match="quantities is empty"):
            export(robot, tmp_path, [])
        with pytest.raises(TypeError, match="names as strings"):
            export(robot, tmp_path, [robot.mass_matrix])  # pyright: ignore
        for name in ("my robot", "2r", "r\u00f6bot", "", "x" * 41, "_x"):
            with pytest.raises(ValueError, match="name must be a C identifier"):
                export(robot, tmp_path, name=name)
        with pytest.raises(ValueError, match="is reserved by C"):
            export(robot, tmp_path, name="math")
        with pytest.raises(TypeError, match="must be a string"):
            export(robot, tmp_path, name=3)  # pyright: ignore
    for dtype in (np.int64, np.complex128, np.float16):
        for export in (export_c, export_cuda):
            with pytest.raises(ValueError, match="dtype must be float64 or float32"):
                export(robot, tmp_path, dtype=dtype)
    assert not list(tmp_path.iterdir())


def test_singular_robots_are_explained(tmp_path: Path) -> None:
    model = quiet_read("planar_2r")
    bodies = tuple(replace(body, inertia=np.zeros(10)) for body in model.bodies)
    robot = Robot(replace(model, bodies=bodies))
    with pytest.raises(ValueError, match="the mass matrix is singular"):
        export_c(robot, tmp_path, ["mass_matrix_inverse"])


def test_unusable_folders_are_named(tmp_path: Path) -> None:
    robot = load("planar_2r")
    (tmp_path / "file").write_text("mine")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(NotADirectoryError, match=re.escape(str(folder))):
            export_c(robot, folder)
    assert (tmp_path / "file").read_text() == "mine"
    (tmp_path / "out" / "planar_2r.c").mkdir(parents=True)
    with pytest.raises(IsADirectoryError, match=r"planar_2r\.c': it is a folder"):
        export_c(robot, tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["planar_2r.c"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_read_only_folders_are_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    for folder in (tmp_path, tmp_path / "below"):
        with pytest.raises(PermissionError, match=re.escape(str(folder))):
            export_matlab(load("planar_2r"), folder)
    tmp_path.chmod(0o700)


def test_a_failed_write_leaves_the_old_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export_c(load("planar_2r"), tmp_path)
    before = digest(tmp_path)

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    text = f"cannot write '{tmp_path / 'planar_2r.h'}': No space left"
    with pytest.raises(OSError, match=re.escape(text)) as caught:
        export_c(load("planar_2r"), tmp_path, ["mass_matrix"], overwrite=True)
    assert caught.value.errno == errno.ENOSPC
    assert digest(tmp_path) == before


# ------------------------------------------------------------------ MATLAB


def matlab_text(x: np.ndarray) -> str:
    """An array of any shape as an expression: MATLAB counts along columns first."""
    flat = " ".join(f"{v:.17g}" for v in x.ravel(order="F"))
    shape = ", ".join(map(str, (*x.shape, 1) if x.ndim == 1 else x.shape))
    return f"reshape([{flat}], {shape})"


def octave(folder: Path, script: str) -> str:
    assert OCTAVE is not None
    (folder / "script.m").write_text(script + "\n")
    command = [OCTAVE, "--no-init-file", "--no-gui", "--quiet", "script.m"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[:4000]
    return done.stdout


@needs_octave
@pytest.mark.parametrize("case", list(CASES))
def test_octave_gives_the_gufunc(case: str, tmp_path: Path) -> None:
    make, quantities = CASES[case]
    robot = Robot(make())
    quantities = (*quantities, "external_forces")
    files = export_matlab(robot, tmp_path, quantities)
    rng = np.random.default_rng(4)
    script, expected = [], []
    for name, file in zip(dict.fromkeys(quantities), files, strict=True):
        kernel = robot.quantity(name).kernel
        given = random_arguments(kernel, robot, rng)
        results = gufunc(robot, name, given)
        names = [f"y{k}" for k in range(len(results))]
        script.append(f"[{', '.join(names)}] = {file.stem}({', '.join(map(matlab_text, given))});")
        for own, result in zip(names, results, strict=True):
            shape = (*result.shape, *(1,) * (2 - result.ndim))
            script.append(f"assert(isequal(size({own}), [{' '.join(map(str, shape))}]));")
            script.append(f"printf('%.17g ', {own}); printf('\\n');")
            expected.append((f"{file.stem}: {own}", np.asarray(result)))
    lines = octave(tmp_path, "\n".join(script)).strip().split("\n")
    for (what, result), line in zip(expected, lines, strict=True):
        found = np.array(line.split(), dtype=float).reshape(result.shape, order="F")
        assert_close(found, result, 1e-14, what)


@needs_octave
def test_octave_functions_check_their_arguments(tmp_path: Path) -> None:
    files = export_matlab(load("planar_2r"), tmp_path, ["bias_forces", "external_forces"])
    bias, external = (file.stem for file in files)
    wrong = [
        f"{bias}([1 2])",
        f"{bias}([1 2], [1 2 3])",
        f"{bias}([1 2], 'ab')",
        f"{bias}([1 2], [1i 2])",
        f"{external}([1 2], ones(6, 2))",
    ]
    script = [f"try, {x}; disp('no error'); catch e, disp(e.message); end" for x in wrong]
    script.append(f"assert(isequal({bias}([1 2], [3 4]), {bias}([1; 2], single([3; 4]))));")
    script.append(f"assert(! isempty(strfind(help('{bias}'), 'Joints:')));")
    lines = octave(tmp_path, "\n".join(script)).strip().split("\n")
    assert lines[0] == f"{bias} takes (q, v)"
    assert all(line == f"{bias}: v must be 2 real numbers" for line in lines[1:4])
    assert lines[4] == f"{external}: w must be a real matrix of 2 by 6"


def test_matlab_files_are_one_function_each(tmp_path: Path) -> None:
    robot = Robot(quiet_read("iiwa14_mueller_kumar2021"))
    files = export_matlab(robot, tmp_path, ["inverse_dynamics.rates(1)", "frame(base).pose"])
    first, second = (file.read_text() for file in files)
    assert files[0].name == "iiwa14_mueller_kumar2021_inverse_dynamics_rates_1.m"
    name = "iiwa14_mueller_kumar2021_inverse_dynamics_rates_1"
    assert first.startswith(f"function [tau, dtau] = {name}(q, v, a, j)\n% IIWA14")
    assert "'joint1' (revolute): q(1) angle; v(1) rate" in first
    assert "T(4, 4) = 1.0;" in second
