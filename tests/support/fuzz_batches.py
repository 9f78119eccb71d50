"""Runs of mutated files in processes of their own, which may crash or hang."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any


def run_batch(
    script: Path, first: int, count: int, hang: int, *arguments: str
) -> dict[int, dict[str, Any]]:
    """What became of each file; where a file ends the process, another one takes up the rest.

    script: takes the arguments, first and count, and prints for each file its number, then what
    became of it as JSON. hang: seconds that a file may take.
    """
    results: dict[int, dict[str, Any]] = {}
    last = first + count
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    while first < last:
        command = [sys.executable, str(script), *arguments, str(first), str(last - first)]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, env=env, timeout=hang * count
        )
        number = first - 1
        for line in done.stdout.splitlines():
            if line.isdigit():
                number = int(line)
                results[number] = {"wrong": f"exit {done.returncode}: {done.stderr[-3000:]}"}
            else:
                results[number] = json.loads(line)
        assert number >= first, done.stderr
        first = number + 1
    return results
