"""Section 3: from nothing to the first result, in fresh processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks.report import Options, Row, Table, Verdict
from benchmarks.robots import FIXED, path

#: Seconds for the first call without a cache.
COLD = {"panda": 0.3, "g1": 1.5}
CACHED = 0.03
IMPORT = 0.3

#: Times its own steps; inverse_dynamics is looked up inside, since that is where work may hide.
PROGRAM = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
clock, marks = time.perf_counter, []
marks.append(clock())
import numpy
marks.append(clock())
import jounce
marks.append(clock())
robot = jounce.load(sys.argv[1])
marks.append(clock())
q, v, a = numpy.zeros(robot.nq), numpy.ones(robot.nv), numpy.ones(robot.nv)
marks.append(clock())
robot.inverse_dynamics(q, v, a)
marks.append(clock())
robot.inverse_dynamics(q, v, a)
marks.append(clock())
if "llvmlite" not in sys.modules:
    sys.exit("llvmlite was not imported")
print(json.dumps([b - a for a, b in zip(marks, marks[1:])]))
"""

IMPORT_COLUMNS = ("import", "ms", "least", "of which numpy", "target", "met")
IMPORT_NOTE = (
    "Wall clock, median of {runs} fresh processes and the least of them; llvmlite is imported with"
    " it. Files in the system's cache, byte code compiled."
)

COLUMNS = (
    "robot",
    "load",
    "first call, cold",
    "least",
    "target",
    "met",
    "first call, cached",
    "least ",
    "target ",
    "met ",
    "second call",
)

NOTE = (
    "ms by the wall clock, medians of {runs} fresh processes of each kind, and the least of them."
    " First call: `robot.inverse_dynamics(q, v, a)` on one sample, tracing and compilation"
    " included, import and `jounce.load` not; cold: `JOUNCE_CACHE=0`; cached: with a directory of"
    " objects filled by an earlier process."
)


def tables(options: Options) -> list[Table]:
    """Two tables: the import, and the first call; floating bases add nothing here."""
    runs = 3 if options.quick else 9
    names = [name for name in options.robots if name in FIXED] or [FIXED[0]]
    first: list[tuple[str, Callable[[], list[Row]]]] = []
    first.append(("startup import", partial(_import, names[0], 2 * runs)))
    jobs = [(f"startup {name}", partial(_rows, name, runs)) for name in names]
    return [
        Table("Import", IMPORT_NOTE.format(runs=2 * runs), IMPORT_COLUMNS, first),
        Table("First call", NOTE.format(runs=runs), COLUMNS, jobs),
    ]


def _process(name: str, cache: str) -> np.ndarray:
    command = (sys.executable, "-c", PROGRAM, str(path(name)))
    environment = {**os.environ, "JOUNCE_CACHE": cache}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{name}: the process failed:\n{done.stderr}")
    return np.array(json.loads(done.stdout))


def _import(name: str, runs: int) -> list[Row]:
    times = np.array([_process(name, "0")[:2] for _ in range(runs)])
    total, (numpy, _) = times.sum(axis=1), np.median(times, axis=0)
    verdict = Verdict("import jounce", float(np.median(total)), IMPORT, False, " s")
    cells = (
        "jounce",
        _ms(verdict.value),
        _ms(total.min()),
        _ms(numpy),
        verdict.bound_text,
        verdict.mark,
    )
    return [Row(cells, [verdict])]


def _rows(name: str, runs: int) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "objects")
        _process(name, store)
        if not os.listdir(store):
            raise RuntimeError(f"{name}: nothing was written to the cache")
        pairs = [(_process(name, "0"), _process(name, store)) for _ in range(runs)]
    cold, cached = np.median(np.array(pairs), axis=0)
    least_cold, least_cached = np.min(np.array(pairs), axis=0)
    everything = np.median(np.array(pairs).reshape(2 * runs, -1), axis=0)
    warm = Verdict(f"first call from the disk cache, {name}", cached[4], CACHED, False, " s")
    first = Verdict(f"first call cold, {name}", cold[4], COLD.get(name, 0.0), False, " s")
    has_target = name in COLD
    cells = (
        name,
        _ms(everything[2]),
        _ms(cold[4]),
        _ms(least_cold[4]),
        first.bound_text if has_target else "",
        first.mark if has_target else "",
        _ms(cached[4]),
        _ms(least_cached[4]),
        warm.bound_text,
        warm.mark,
        _ms(everything[5]),
    )
    return [Row(cells, [*([first] if has_target else []), warm])]


def _ms(seconds: float) -> str:
    value = seconds * 1e3
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 1 else f"{value:.3f}"
