"""The GPU, its driver and the versions of libraries, for reports."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from tests.gpu import PROJECT

#: Names of distributions; those with several names depend on the version of CUDA.
LIBRARIES = {
    "numpy": ("numpy",),
    "llvmlite": ("llvmlite",),
    "cuda-bindings": ("cuda-bindings",),
    "cupy": ("cupy", "cupy-cuda13x", "cupy-cuda12x"),
    "torch": ("torch",),
    "jax": ("jax",),
}


def said(*command: str) -> str:
    """Return the output of a command, or '' if it does not exist or fails."""
    if shutil.which(command[0]) is None:
        return ""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    return done.stdout.strip() if done.returncode == 0 else ""


def cards() -> list[tuple[str, str]]:
    """Return name and driver of every GPU, from nvidia-smi or the driver."""
    lines = said("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
    found = [tuple(part.strip() for part in line.split(",")) for line in lines.splitlines()]
    return [(card[0], card[1]) for card in found if len(card) == 2] or _by_driver()


def hindrance(*packages: str) -> str:
    """Return why nothing can run on a GPU here, in a sentence; '' if it can.

    packages: those needed besides NumPy, llvmlite and cuda-bindings.
    """
    absent = [name for name in ("numpy", "llvmlite", *packages) if find_spec(name) is None]
    if absent:
        return f"{sys.executable} lacks {', '.join(absent)}; PYTHON=... chooses another Python"
    try:
        from jounce.runtime.cuda.driver import driver

        driver().device(0)
    except (ImportError, RuntimeError, ValueError) as error:  # no package, driver or card
        return str(error)
    return ""


def _by_driver() -> list[tuple[str, str]]:
    """Return the name of every GPU, and the CUDA version that its driver supports."""
    try:
        from jounce.runtime.cuda.driver import driver, format_version

        api = driver()
    except (ImportError, RuntimeError):  # no package, no driver, no card
        return []
    return [(api.name(k), f"for CUDA {format_version(api.version)}") for k in range(api.count)]


def _version(names: tuple[str, ...]) -> str:
    for name in names:
        try:
            return version(name)
        except PackageNotFoundError:
            continue
    return "absent"


def commit() -> str:
    """Return the commit that runs, marked if files have changed since.

    JOUNCE_COMMIT names it in copies without a history.
    """
    given = os.environ.get("JOUNCE_COMMIT")
    return (
        given
        or said("git", "-C", str(PROJECT), "describe", "--always", "--dirty", "--abbrev=10")
        or "?"
    )


def facts() -> list[str]:
    """Return lines for the head of a report."""
    named = [f"{name}, driver {driver}" for name, driver in cards()] or ["no card"]
    libraries = ", ".join(f"{name} {_version(names)}" for name, names in LIBRARIES.items())
    return [
        f"- date: {datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        f"- card: {'; '.join(named)}",
        f"- machine: {platform.machine()}, {os.cpu_count()} cores, {platform.system()}",
        f"- Python {platform.python_version()}, jounce {_version(('jounce',))} ({commit()}),"
        f" {libraries}",
    ]
