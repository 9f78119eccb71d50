"""Imports go one way, and nothing optional is imported unasked."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from support.layers import BELOW, MODULES, SOURCE

#: Packages that pyproject.toml requires; all others are optional.
REQUIRED = {"numpy", "llvmlite"}

#: Libraries with adapters that import them.
LIBRARIES = {"dask", "jax", "torch", "xarray"}


def _is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def imports(tree: ast.AST, lazy: bool) -> Iterator[str]:
    """Full names of what a file imports; lazy: also inside functions."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"relative import in line {node.lineno}"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif _is_type_checking(node) or (
            not lazy and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ):
            continue
        else:
            yield from imports(node, lazy)


def own_imports(module: str, lazy: bool) -> set[str]:
    """Modules of jounce that a module imports."""
    out = set()
    for name in imports(ast.parse(MODULES[module].read_text("utf-8")), lazy):
        head, _, rest = name.partition(".")
        if head != "jounce":
            continue
        while rest and rest not in MODULES:  # the name of something inside a module
            rest = rest.rpartition(".")[0]
        out.add(rest)
    return out - {module}


@pytest.mark.parametrize("module", [m for m in MODULES if m and m != "__main__"])
def test_imports_go_down(module: str) -> None:
    """Also those inside functions: what is above is reached by `utils/registry.py`."""
    package = module.partition(".")[0]
    for other in own_imports(module, lazy=True):
        assert other.partition(".")[0] in {*BELOW[package], package}, f"{module} imports {other}"


def test_every_package_is_known_and_every_module_has_a_docstring() -> None:
    assert set(BELOW) == {module.partition(".")[0] for module in MODULES} - {"", "__main__"}
    for module, path in MODULES.items():
        text = ast.get_docstring(ast.parse(path.read_text("utf-8")))
        assert text, f"{module} has no docstring"


def test_imports_have_no_cycles() -> None:
    graph = {module: own_imports(module, lazy=False) for module in MODULES if module}
    try:
        tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(f"import cycle: {' -> '.join(error.args[1])}")


@pytest.mark.parametrize("module", list(MODULES))
def test_optional_packages_are_imported_when_needed(module: str) -> None:
    """Adapters, exports and integrations may import their library; nothing else does."""
    names = set(imports(ast.parse(MODULES[module].read_text("utf-8")), lazy=False))
    packages = {name.partition(".")[0] for name in names}
    foreign = packages - set(sys.stdlib_module_names) - REQUIRED - {"jounce"}
    if module.partition(".")[0] in ("export", "integrations"):
        return
    adapter = next((x for x in module.split(".") if x.endswith("_adapter")), "")
    library = adapter.removesuffix("_adapter")
    own = {library, "distributed"} if library == "dask" else {library} & LIBRARIES
    assert foreign <= own, f"{module} imports {foreign}"
    others = {f"{name}_adapter" for name in LIBRARIES} - {adapter}
    assert not [x for x in own_imports(module, lazy=False) if others & {*x.split(".")}]


def test_only_one_file_knows_scalar_types() -> None:
    """Formulas and what is below never name SymPy, mpmath or CasADi."""
    for module, path in MODULES.items():
        if module.partition(".")[0] in ("math", "model", "formulas"):
            names = imports(ast.parse(path.read_text("utf-8")), lazy=True)
            assert not {"sympy", "mpmath", "casadi"} & {n.partition(".")[0] for n in names}


#: Packages that are built on the others and import their public names only.
APPLICATIONS = (
    "trajectories",
    "identification",
    "calibration",
    "studies",
    "control",
    "planning",
    "viewer",
    "export",
    "integrations",
    "cli",
)


def _private_imports(module: str) -> Iterator[str]:
    """Yield what a module of an application imports besides public names of other packages."""
    application = module.partition(".")[0]
    for node in ast.walk(ast.parse(MODULES[module].read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
            yield from (name for name in names if name.startswith("jounce."))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "jounce":
            home = (node.module or "").partition(".")[2]
            if home.partition(".")[0] == application:
                continue
            public = home == "errors" or MODULES[home].name == "__init__.py"
            offered = listed_names(MODULES[home]) if public else set[str]()
            names = {alias.name for alias in node.names}
            yield from (f"{node.module}.{name}" for name in sorted(names - offered))


def listed_names(path: Path) -> set[str]:
    """Return the names in `__all__` of a file."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return {*ast.literal_eval(node.value)}
    return set()


@pytest.mark.parametrize("application", APPLICATIONS)
def test_applications_import_public_names(application: str) -> None:
    """Names in `__all__` of packages, and `errors`: also in functions and for type checkers."""
    found = [
        f"{module} imports {name}, which is not in __all__ of a package"
        for module in MODULES
        if module.partition(".")[0] == application
        for name in _private_imports(module)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("package", [m for m in MODULES if MODULES[m].name == "__init__.py"])
def test_public_names_exist(package: str) -> None:
    name = f"jounce.{package}".rstrip(".")
    listed = listed_names(MODULES[package])
    adapter = re.search(r"(\w+)_adapter", name)
    if adapter is not None and find_spec(adapter[1]) is None:
        return
    module = import_module(name)
    assert listed <= {*module.__dict__, *dir(module)}
    missing = {x for x in listed if not hasattr(module, x)}
    assert not missing, f"{name} has no {missing}"
    if package and "." not in package:
        assert listed, f"{name} has no __all__"
        assert "\n\n" in (module.__doc__ or ""), f"{name}: say what belongs there"


@pytest.mark.parametrize("module", list(MODULES))
def test_files_that_docstrings_name_exist(module: str) -> None:
    """Where to start reading is a file of the package, or one that is named from the top."""
    path = MODULES[module]
    text = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    for name in re.findall(r"`((?:\w+/)*\w+\.py)`", text):
        places = (path.parent, SOURCE, SOURCE.parent)
        assert any((place / name).exists() for place in places), f"{module}: {name}"


def _defined_names(tree: ast.AST) -> set[str]:
    """Private names that a file defines: functions, classes, variables, attributes."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.add(node.attr)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return {name for name in names if name.startswith("_") and not name.endswith("__")}


def test_packages_use_public_names_of_each_other() -> None:
    """No package reads `x._private` if only another package defines the name."""
    of_tuples = {"_fields", "_asdict", "_replace"}  # documented members of named tuples
    trees = {module: ast.parse(path.read_text("utf-8")) for module, path in MODULES.items()}
    defined: dict[str, set[str]] = {}
    for module, tree in trees.items():
        defined.setdefault(module.partition(".")[0], set()).update(_defined_names(tree))
    found = []
    for module, tree in trees.items():
        package = module.partition(".")[0]
        others = set[str]().union(*(names for name, names in defined.items() if name != package))
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Attribute)
                and node.attr in others - defined[package] - of_tuples
            ):
                found.append(f"{module}:{node.lineno} {ast.unparse(node)}")
    assert not found, "\n".join(found)
