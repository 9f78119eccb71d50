"""The public surface: exactly these names, and an import that brings in nothing optional."""

from __future__ import annotations

import ast
import inspect
import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import pytest

import jounce

#: Modules among the public names.
MODULES = {
    "check",
    "contacts",
    "design",
    "edit",
    "elastic",
    "errors",
    "export",
    "identification",
    "inertia",
    "interop",
    "io",
    "lie",
    "mechanism",
    "meshes",
    "model",
    "motion",
    "papers",
    "scene",
    "studies",
    "view",
    "web",
}

PUBLIC = {name for name in jounce.__all__ if name not in MODULES and name != "__version__"}

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
    assert dir(jounce) == sorted(jounce.__all__)
    assert {name for name in jounce.__all__ if isinstance(getattr(jounce, name), ModuleType)} == (
        MODULES
    )
    offered = {
        name
        for name, value in vars(jounce).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert offered | {"identify", "study"} == PUBLIC


def test_type_checkers_see_every_public_name() -> None:
    tree = ast.parse(Path(jounce.__file__).read_text("utf-8"))
    imported = {
        alias.asname
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert {*jounce.__all__} - imported == {"__version__"}


@pytest.mark.parametrize("name", ["identify", "study"])
def test_identify_and_study_are_functions(name: str) -> None:
    function = getattr(jounce, name)
    assert inspect.isfunction(function)
    assert "\nParameters\n----------\n" in (inspect.getdoc(function) or "")


@pytest.mark.parametrize(("old", "new"), [("identify", "identification"), ("study", "studies")])
def test_old_imports_warn(old: str, new: str) -> None:
    code = (
        "import warnings\n"
        "with warnings.catch_warnings(record=True) as caught:\n"
        "    warnings.simplefilter('always')\n"
        f"    from jounce.{old} import {old}\n"
        f"import jounce, jounce.{new}\n"
        "(warning,) = caught\n"
        "assert warning.category is DeprecationWarning and warning.filename == '<string>'\n"
        f"assert jounce.{old} is {old} is jounce.{new}.{old}\n"
        f"assert all(hasattr({old}, name) for name in jounce.{new}.__all__)"
    )
    assert "jounce" in loaded(code)


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
