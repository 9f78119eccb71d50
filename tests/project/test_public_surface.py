"""The public surface: exactly these names, and an import that brings in nothing optional."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import pickle
import subprocess
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

import jounce

#: Modules among the public names.
MODULES = {
    "arrays",
    "calibration",
    "catalog",
    "check",
    "compiler",
    "control",
    "design",
    "edit",
    "elastic",
    "errors",
    "export",
    "identification",
    "inertia",
    "integrations",
    "io",
    "lie",
    "meshes",
    "model",
    "papers",
    "planning",
    "robot",
    "solve",
    "studies",
    "trajectories",
    "viewer",
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
    installed = {name for name in ("jax", "torch") if find_spec(name) is not None}
    assert dir(jounce) == sorted({*jounce.__all__, *installed})
    assert all(isinstance(getattr(jounce, name), ModuleType) for name in installed)
    assert {name for name in jounce.__all__ if isinstance(getattr(jounce, name), ModuleType)} == (
        MODULES
    )
    offered = {
        name
        for name, value in vars(jounce).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert offered | {"calibrate", "identify", "study"} == PUBLIC


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
    assert inspect.isroutine(function)  # for help() too
    assert inspect.isfunction(inspect.unwrap(function))
    assert pickle.loads(pickle.dumps(function)) is function
    assert "\nParameters\n----------\n" in (inspect.getdoc(function) or "")


#: Statements of version 0.2, each with what its warnings name instead.
OLD = [
    ("jounce.identify.identify", "jounce.identification.identify"),
    ("jounce.identify.base_parameters", "jounce.identification.base_parameters"),
    ("jounce.identify.result", "jounce.identification.result"),
    ("jounce.study.KINDS", "jounce.studies.KINDS"),
    ("from jounce.identify import identify", "jounce.identification.identify"),
    ("from jounce.study import study", "jounce.studies.study"),
    (
        "from jounce.identify.result import Identification",
        "jounce.identification.result.Identification",
    ),
    (
        "from jounce.identify.identification import Identification",
        "jounce.identification.Identification",
    ),
    ("import jounce.identify.excitation as x", "jounce.identification.excitation"),
    (
        "from jounce.identify.excitation.design import Excitation",
        "jounce.identification.excitation.design.Excitation",
    ),
    ("from jounce.study.result import Study", "jounce.studies.result.Study"),
    ("from jounce.catalog.derived import ROBOT", "jounce.catalog.tables.ROBOT"),
    ("from jounce.catalog.derived import derivative", "jounce.catalog.derivative.derivative"),
    ("jounce.catalog.derived.add", "jounce.catalog.tables.add"),
    ("jounce.compiler.targets.BACKENDS", "jounce.compiler.targets.TARGETS"),
    ("from jounce.compiler.targets import backend", "jounce.compiler.targets.get_target"),
    ("from jounce.compiler.targets import Backend", "jounce.compiler.targets.Target"),
    ("jounce.backends.TARGETS", "jounce.compiler.targets.TARGETS"),
    ("from jounce.backends.base import Target", "jounce.compiler.targets.base.Target"),
    ("from jounce.graph.tape import record", "jounce.compiler.graph.tape.record"),
    ("from jounce.process.progress import track", "jounce.utils.progress.track"),
    ("from jounce.quantities.quantity import follow", "jounce.arrays.bound_quantity.follow"),
    ("from jounce.mechanism.robot import Mechanism", "jounce.solve.mechanism.robot.Mechanism"),
    ("jounce.interop.mujoco", "jounce.export.mujoco"),
    ("from jounce.interop.sympy import Result", "jounce.export.sympy.Result"),
    ("from jounce.scene import looks", "jounce.viewer.scene.looks"),
    ("from jounce.scene.looks import Looks", "jounce.viewer.scene.looks.Looks"),
    ("from jounce.web.page import write_page", "jounce.viewer.web.page.write_page"),
]


@pytest.mark.parametrize(
    "statement",
    [
        "from jounce.lie import so3",
        "from jounce.elastic import Spring",
        "from jounce.design import design_gradient",
        "import jounce.inertia; jounce.inertia.box",
        "import jounce.meshes; from jounce.check import check; from jounce.edit import lock",
    ],
)
def test_short_names_of_modules_do_not_warn(statement: str) -> None:
    assert "jounce" in loaded(statement)


@pytest.mark.parametrize(("old", "new"), OLD)
def test_old_names_warn(old: str, new: str) -> None:
    code = (
        "import importlib, sys, warnings, jounce\n"
        "home, _, last = sys.argv[2].rpartition('.')\n"
        "expected = getattr(importlib.import_module(home), last)\n"
        "with warnings.catch_warnings(record=True) as caught:\n"
        "    warnings.simplefilter('always')\n"
        "    exec(sys.argv[1] if 'import' in sys.argv[1] else f'found = {sys.argv[1]}')\n"
        # `from` asks packages for a name twice
        "((text, category, file),) = {(str(x.message), x.category, x.filename) for x in caught}\n"
        "assert category is DeprecationWarning and file == '<string>'\n"
        "assert text.endswith(f'is deprecated; use {sys.argv[2]}'), text\n"
        "assert any(value is expected for name, value in vars().items() if name != 'expected')\n"
        "assert jounce.identify is jounce.identification.identify\n"
        "assert jounce.study is jounce.studies.study\n"
    )
    assert "jounce" in loaded(code, old, new)


def test_old_names_of_arguments_warn() -> None:
    robot = jounce.load("planar_2r")
    expected = jounce.export.build(robot, "mass_matrix", target="c")
    with pytest.warns(DeprecationWarning, match=r"build: backend= is .* use target=") as caught:
        found = jounce.export.build(robot, "mass_matrix", backend="c")  # type: ignore[call-arg]
    assert found == expected
    assert [warning.filename for warning in caught] == [__file__]
    with pytest.raises(TypeError, match="backend"):
        jounce.export.build(robot, "mass_matrix", target="c", backend="c")  # type: ignore[call-arg]


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_public_names_are_documented(name: str) -> None:
    assert (getattr(jounce, name).__doc__ or "").strip()


def test_version() -> None:
    assert jounce.__version__ == version("jounce")


def loaded(code: str, *arguments: str) -> set[str]:
    """Top-level packages a fresh interpreter has loaded after running the code."""
    code += (
        "\nimport json, sys\nprint(json.dumps([name.partition('.')[0] for name in sys.modules]))"
    )
    command = [sys.executable, "-W", "error", "-c", code, *arguments]
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


def test_modules_of_public_packages_exist_once() -> None:
    for name, other in (
        ("jounce.inertia.parameters", "jounce.model.inertia.parameters"),
        ("jounce.elastic.drives", "jounce.solve.elastic.drives"),
    ):
        assert importlib.import_module(name) is importlib.import_module(other)
