"""The section of the benchmarks about JAX: others compute the same, and its table is filled."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from support import PROJECT

pytest.importorskip("jax", reason="JAX is an extra: pip install 'jounce[jax]'")
pytest.importorskip("pinocchio")

pytestmark = pytest.mark.frameworks

#: In a process of its own, for the section tells JAX how to run.
PROGRAM = """
import numpy as np
from benchmarks.measure import Effort
from benchmarks.report import Options
from benchmarks.robots import case, one_thread
from benchmarks.sections import jax
try:
    panda = case("panda", 1)
except FileNotFoundError:
    print("example-robot-data is not installed")
    raise SystemExit
with one_thread():
    jax._jax()
    x = [panda.states[0][name][0] for name in "qva"]
    truth = panda.robot.inverse_dynamics(*x)
    found = jax.plain_newton_euler(panda.robot)(*x)
    assert np.allclose(found, truth, rtol=1e-12, atol=1e-12), (found, truth)
    tables = jax.tables(Options(("ur5", "talos"), Effort(3, 1e-4), quick=True))
    assert [len(table.jobs) for table in tables] == [1] * len(tables)
    [row] = tables[0].jobs[0][1]()
    assert len(row.cells) == len(tables[0].columns)
    print(*row.verdicts, sep="\\n")
"""


def test_the_section_runs() -> None:
    path = os.pathsep.join((str(PROJECT), str(PROJECT / "src")))
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    if "not installed" in done.stdout:
        pytest.skip(done.stdout.strip())
    assert "ur5 inside jit: " in done.stdout
    assert "target ≤ 4x" in done.stdout
