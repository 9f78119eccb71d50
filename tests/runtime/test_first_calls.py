"""What a first call makes: no more LLVM modules, workers and front ends than it needs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jounce.robot import Robot
from jounce.runtime import batches, fastcall, gufunc
from support.helpers import quiet_read

#: Counts in a process of its own: texts that LLVM compiles, objects that it loads, workers, looks
#: at the memory there is, gufuncs and builtins.
COUNTED = """
import json, sys
import numpy as np
import jounce
from jounce.compiler.targets.llvm import compiler, loaded
from jounce.utils import background, memory
from jounce.runtime import batches, fastcall, native

counts = dict.fromkeys(("compiled", "loaded", "workers", "memory", "gufuncs", "builtins"), 0)

def count(name, place, attribute):
    real = getattr(place, attribute)
    def counted(*args, **options):
        counts[name] += 1
        return real(*args, **options)
    setattr(place, attribute, counted)

count("compiled", compiler, "_emit")
count("loaded", loaded._Engine, "__init__")
count("workers", background._Worker, "begin")
count("memory", memory, "available")
count("gufuncs", batches, "make_gufunc")
count("builtins", fastcall.Shortcut, "__init__")
robot = jounce.load("kuka_iiwa14")
q, v, a = np.zeros((3, 7))
"""

CALLS = {
    "plain": "robot.inverse_dynamics.dq(q, v, a)",
    "list": "robot.inverse_dynamics.dq([0.0] * 7, q, v)",
    "float32": 'robot.inverse_dynamics.dq(*(x.astype("f") for x in (q, v, a)))',
    "warmup": "robot.inverse_dynamics.dq.warmup()",
    "compile": 'robot.inverse_dynamics.dq.kernel.compile("d")',
    "tape": "robot.inverse_dynamics.dq.kernel.tape",
}


def counted(call: str, cache: Path) -> dict[str, int]:
    """Counts of a call in a fresh process."""
    done = subprocess.run(
        [sys.executable, "-c", f"{COUNTED}\n{call}\nprint(json.dumps(counts))"],
        env={**os.environ, "JOUNCE_CACHE": str(cache), "JOUNCE_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


#: The kernel, the fast call and the allocator of results; or the inner loop of gufuncs instead.
MODULES = {"plain": 3, "list": 3, "float32": 2, "warmup": 3, "compile": 1, "tape": 0}


@pytest.mark.skipif(not fastcall.is_available(), reason="no fast call here")
@pytest.mark.parametrize("call", list(CALLS))
def test_a_first_call_makes_no_more_than_it_needs(call: str, tmp_path: Path) -> None:
    modules = MODULES[call]
    for compiled in (modules, 0):  # with an empty cache, and with a full one
        counts = counted(CALLS[call], tmp_path)
        assert counts["compiled"] == compiled
        assert counts["loaded"] == modules
        assert counts["workers"] == 1
        assert counts["gufuncs"] == (call == "float32")
        assert counts["builtins"] == (call in ("plain", "list", "warmup"))
        assert counts["memory"] <= 2  # the compiler's, and what results may keep


def test_each_dtype_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    robot = Robot(quiet_read("planar_2r"))
    kernel = robot.mass_matrix.kernel
    first = kernel.compile("d")
    assert kernel.compile(np.float64) is first
    robot.mass_matrix(np.zeros(2))
    robot.mass_matrix(np.zeros((3, 2)), dtype=float)
    assert list(kernel._compiled) == ["d"]
    robot.mass_matrix(np.zeros(2), dtype="f")
    assert list(kernel._compiled) == ["d", "f"]
    assert robot.mass_matrix.ufunc.types == ["f->f", "d->d"]


@pytest.mark.parametrize(
    ("options", "char"),
    [
        ({}, "d"),
        ({"dtype": None}, "d"),
        ({"dtype": "f"}, "f"),
        ({"dtype": np.float64}, "d"),
        ({"dtype": ">f4"}, "f"),
        ({"dtype": int}, "d"),
        ({"dtype": "nothing"}, "d"),
    ],
)
def test_the_precision_of_a_call(options: dict[str, Any], char: str) -> None:
    assert batches.choose_precision([np.zeros(2)], options) == char
    single = [np.zeros(2, "f")]
    assert batches.choose_precision(single, options) == (char if options.get("dtype") else "f")


def test_calls_with_a_signature_have_both_dtypes() -> None:
    robot = Robot(quiet_read("planar_2r"))
    q = np.ones(2)
    found = robot.mass_matrix(q, signature=(np.float32, None))
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, robot.mass_matrix(q.astype("f")))


def test_a_gufunc_outlives_its_robot() -> None:
    robot = Robot(quiet_read("planar_2r"))
    expected = robot.mass_matrix(np.ones(2))
    made = gufunc.make_gufunc(robot.mass_matrix.kernel.compile("d"))
    del robot
    np.testing.assert_array_equal(made(np.ones(2)), expected)
