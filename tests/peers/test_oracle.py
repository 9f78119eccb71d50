"""Pinocchio as an oracle on mutated URDF files: what both accept, both compute alike.

Known differences, none of them in the numbers:
* Pinocchio (through urdfdom) takes a link whose <inertial> it cannot read for one without inertia,
  and an <origin> it cannot read for none; here it is an error.
* Pinocchio takes documents that are not well-formed or have document types; here they are refused.
* urdfdom refuses what dynamics do not need: limits without effort or velocity, revolute joints
  without limits, bad materials, <safety_controller> and <calibration>, limits of inf.
* Its planar joints move in the x-y plane whatever <axis> says; such files are not compared.
* The attribute armature of <dynamics> is an extension here; it is left out of the comparison.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest

from support import SUPPORT

pytest.importorskip("pinocchio")

RUNNER = SUPPORT / "oracle_runner.py"
#: Files in the ordinary run, and in all.
SAMPLE, TOTAL = 60, 3000
TOLERANCE = 1e-9


def run(first: int, count: int) -> dict[int, dict[str, Any]]:
    """What became of each file; where one ends the process, another process takes up the rest."""
    results: dict[int, dict[str, Any]] = {}
    last = first + count
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    while first < last:
        command = [sys.executable, str(RUNNER), str(first), str(last - first)]
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # Pinocchio repeats what it cannot read, in any encoding
            text=True,
            check=False,
            env=env,
            timeout=60 + 2 * count,
        )
        number = first - 1
        for line in done.stdout.splitlines():
            if line.isdigit():
                number = int(line)
            elif line.startswith("{"):
                results[number] = json.loads(line)
            else:
                results[number] = {"crash": line}
        assert number >= first, done.stdout
        first = number + 1
    return results


def summary(results: dict[int, dict[str, Any]]) -> Counter[str]:
    """How many files there are of each sort."""
    count: Counter[str] = Counter()
    for result in results.values():
        if "crash" in result:
            count[f"{result['crash']} crashed"] += 1
        elif "difference" in result:
            count["compared"] += 1
        else:
            who = {(1, 1): "both accept", (1, 0): "only Pinocchio", (0, 1): "only jounce"}
            count[who.get((result["theirs"], result["ours"]), "both refuse")] += 1
    return count


def check(results: dict[int, dict[str, Any]]) -> None:
    count = summary(results)
    print(dict(count), "largest difference:", max(r.get("difference", 0) for r in results.values()))
    apart = {k: r for k, r in results.items() if r.get("difference", 0.0) > TOLERANCE}
    assert not apart
    assert not count["jounce crashed"]
    strange = [r for r in results.values() if "planar" not in r.get("unmapped", "planar")]
    assert not strange
    assert count["compared"] > 0.15 * len(results)


def test_both_compute_alike() -> None:
    check(run(0, SAMPLE))


@pytest.mark.slow
def test_both_compute_alike_on_thousands_of_files() -> None:
    check(run(SAMPLE, TOTAL - SAMPLE))
