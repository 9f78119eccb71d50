"""Time and peak memory of a compilation in a fresh process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.files import FILES, path

#: The peak is that of the program alone: getrusage would count the process it was forked from.
PROGRAM = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
import jounce
robot = jounce.load(sys.argv[1])
wall, cpu = time.perf_counter(), time.process_time()
operations = sum(len(robot.quantity(name).kernel.tape) for name in sys.argv[2:])
traced = time.perf_counter() - wall
for name in sys.argv[2:]:
    robot.quantity(name).warmup()
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
try:
    status = dict(line.split(":", 1) for line in open("/proc/self/status"))
    peak = int(status["VmHWM"].split()[0]) * 1024
except OSError:
    peak = 0
print(json.dumps([wall, cpu, peak, operations, traced]))
"""


@dataclass(frozen=True)
class Compilation:
    """Seconds by the wall clock (median and least) and of CPU time, peak bytes, operations.

    peak: 0 where the system does not tell. compiled: least seconds without those of tracing.
    """

    wall: float
    least: float
    cpu: float
    peak: int
    operations: int
    compiled: float


def compilation(
    robot: str, names: Sequence[str], runs: int, cache: str = "0", threads: int | None = None
) -> Compilation:
    """Trace and compile quantities by name; import and the robot's file are not counted.

    cache: value of JOUNCE_CACHE, "0" or an empty folder to be filled. threads: how many may
    compile; by default one per core.
    """
    source = str(path(robot)) if robot in FILES else robot
    command = (sys.executable, "-c", PROGRAM, source, *names)
    environment = {**os.environ, "JOUNCE_CACHE": cache}
    if threads is not None:
        environment["JOUNCE_NUM_THREADS"] = str(threads)
    result = []
    for _ in range(runs):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{robot} {', '.join(names)}: the process failed:\n{done.stderr}")
        result.append(json.loads(done.stdout))
    wall, cpu, peak, operations, traced = np.array(result).T
    return Compilation(
        float(np.median(wall)),
        float(wall.min()),
        float(np.median(cpu)),
        int(peak.max()),
        int(operations[0]),
        float((wall - traced).min()),
    )
