"""Section 12: a million samples of panda, from files to parameters, in fresh processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

import jounce
from benchmarks.measure import MismatchError
from benchmarks.report import Options, Row, Table, Verdict
from benchmarks.robots import path
from benchmarks.sections.wide import cores

#: Seconds and bytes for a million samples.
SECONDS, BYTES = 20.0, 1e9
METHODS = ("ols", "wls", "consistent")

#: Relative noise of the torques.
NOISE = 0.02

PROGRAM = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
import jounce
from jounce.identification import identify
robot = jounce.load(sys.argv[1])
start = time.perf_counter()
found = identify(robot, sys.argv[2], method=sys.argv[3], friction=True, armature=True)
seconds = time.perf_counter() - start
status = open("/proc/self/status").read()  # getrusage would count the process that started this
peak = int(status.split("VmHWM:")[1].split()[0]) * 1024
print(json.dumps([seconds, peak, (found.rms / found.rms_torque).tolist(), len(found.problems)]))
"""

COLUMNS = (
    "method",
    "samples",
    "seconds",
    "target",
    "met",
    "peak, MB",
    "target ",
    "met ",
    "residual / torque",
    "impossible links",
)

NOTE = (
    "Wall clock of `identify(robot, folder, method=...)` with friction, armature and five-fold"
    " cross-validation, compilation included, {cores} cores; q, v, a and tau of panda as .npy files"
    " that are mapped, not loaded. Peak: resident memory of the whole process (Linux). The torques"
    f" have {100 * NOISE:g} % noise; a fit whose residual is larger is not reported."
)


def tables(options: Options) -> list[Table]:
    """Return the table, with a row per method."""
    samples = 50_000 if options.quick else 1_000_000
    folder = tempfile.TemporaryDirectory(prefix="jounce-identification-")
    jobs: list[tuple[str, Callable[[], list[Row]]]] = [
        (f"identification {method}", partial(_row, method, samples, folder)) for method in METHODS
    ]
    return [Table("Identification of panda", NOTE.format(cores=cores()), COLUMNS, jobs)]


def measurements(folder: Path, samples: int) -> None:
    """Motions along Fourier series and noisy torques of panda, a file per quantity."""
    robot = jounce.load(path("panda"))
    rng = np.random.default_rng(0)
    t = 0.001 * np.arange(samples)
    q, v, a = np.zeros((3, samples, robot.nv))
    for k in range(1, 6):
        w = 2.0 * np.pi * k / 20.0
        sines, cosines = rng.normal(size=(2, robot.nv)) * 0.6 / k
        s, c = np.sin(w * t)[:, None], np.cos(w * t)[:, None]
        q += sines * s - cosines * c
        v += w * (sines * c + cosines * s)
        a += w * w * (cosines * c - sines * s)
    tau = robot.inverse_dynamics(q, v, a) + 0.5 * v + 0.3 * np.sign(v)
    tau += NOISE * np.sqrt(np.mean(tau**2, axis=0)) * rng.normal(size=tau.shape)
    for name, x in (("t", t), ("q", q), ("v", v), ("a", a), ("tau", tau)):
        np.save(folder / f"{name}.npy", x)


def _row(method: str, samples: int, place: tempfile.TemporaryDirectory[str]) -> list[Row]:
    folder = Path(place.name)
    if not any(folder.iterdir()):
        measurements(folder, samples)
    # the section is about both cores and compilation too, whatever the other sections need
    environment = os.environ | {"JOUNCE_CACHE": "0"}
    command = [sys.executable, "-c", PROGRAM, str(path("panda")), str(folder), method]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        raise RuntimeError(done.stderr)
    seconds, peak, relative, impossible = json.loads(done.stdout)
    if max(relative) > 1.05 * NOISE:
        raise MismatchError(f"identification {method}: residuals {relative} above {NOISE}")
    verdicts = [
        Verdict(f"identification {method}", seconds, SECONDS, False, " s"),
        Verdict(f"identification {method}, memory", peak / 1e6, BYTES / 1e6, False, " MB"),
    ]
    cells = (
        method,
        f"{samples:,}",
        f"{seconds:.1f}",
        verdicts[0].bound_text,
        verdicts[0].mark,
        f"{peak / 1e6:.0f}",
        verdicts[1].bound_text,
        verdicts[1].mark,
        f"{100 * max(relative):.2f} %",
        str(impossible),
    )
    return [Row(cells, verdicts)]
