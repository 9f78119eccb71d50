"""The public surface: exactly these names, and an import that brings in nothing optional."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import version
from types import ModuleType

import pytest

import jounce

PUBLIC = {
    "ArgumentError",
    "Body",
    "DataError",
    "DataWarning",
    "Contact",
    "Direction",
    "Frame",
    "Joint",
    "JounceError",
    "KernelTooLargeError",
    "Loop",
    "Mimic",
    "Model",
    "ModelError",
    "ModelWarning",
    "Orientation",
    "Pose",
    "Position",
    "Robot",
    "TreeBuilder",
    "from_dh",
    "from_screws",
    "gallery",
    "get_num_threads",
    "limit_threads",
    "load",
    "read",
    "release_memory",
    "set_num_threads",
}

OPTIONAL = (
    "casadi",
    "dask",
    "distributed",
    "jax",
    "matplotlib",
    "mpmath",
    "mujoco",
    "pinocchio",
    "rich",
    "scipy",
    "sympy",
    "torch",
    "trimesh",
    "xarray",
)


def test_public_names() -> None:
    found = {
        name
        for name, value in vars(jounce).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert found == PUBLIC


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_public_names_are_documented(name: str) -> None:
    assert (getattr(jounce, name).__doc__ or "").strip()


def test_version() -> None:
    assert jounce.__version__ == version("jounce")


def loaded(code: str) -> set[str]:
    """Top-level packages a fresh interpreter has loaded after running the code."""
    code += (
        "\nimport json, sys\nprint(json.dumps([name.partition('.')[0] for name in sys.modules]))"
    )
    command = [sys.executable, "-W", "error", "-c", code]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0, result.stderr
    return set(json.loads(result.stdout.splitlines()[-1]))


def test_import_brings_in_nothing_optional() -> None:
    assert not loaded("import jounce") & set(OPTIONAL)


def test_ordinary_use_brings_in_nothing_optional() -> None:
    code = (
        "import jounce; robot = jounce.load('planar_2r'); q = robot.random(0);"
        "robot.mass_matrix(q); robot.mass_matrix.dt(q, q); help; repr(robot.mass_matrix);"
        "robot.inverse_dynamics.lower(); import jounce.cli, jounce.papers"
    )
    assert not loaded(code) & set(OPTIONAL)
