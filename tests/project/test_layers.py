"""Imports go one way, and nothing optional is imported unasked."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

import pytest

from support.layers import BELOW, MODULES

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
    """Adapters and exports may import their library; nothing else imports one unasked."""
    names = set(imports(ast.parse(MODULES[module].read_text("utf-8")), lazy=False))
    packages = {name.partition(".")[0] for name in names}
    foreign = packages - set(sys.stdlib_module_names) - REQUIRED - {"jounce"}
    if module.partition(".")[0] == "export":
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
