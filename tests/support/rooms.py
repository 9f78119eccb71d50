"""The rooms of the package, what each may import, and the files in them."""

from __future__ import annotations

from pathlib import Path

import jounce

SOURCE = Path(jounce.__file__).parent

#: What each room may import, from the ground up; itself included.
_FLOOR = {"math", "process"}
_MODEL = {*_FLOOR, "inertia", "model"}
_FORMULAS = {"math", "model", "formulas"}
_QUANTITIES = {*_MODEL, "formulas", "catalog", "graph", "backends", "runtime", "quantities"}
_ROBOT = {*_QUANTITIES, "groups", "io", "inverse_kinematics", "system", "robot"}
_OFFERED = {"papers", "check", "design", "edit", "elastic", "export", "meshes"}
_ALL = {*_ROBOT, *_OFFERED, "mechanism", "contacts"}
BELOW: dict[str, set[str]] = {
    "errors": set(),
    "deprecation": set(),
    "lazy": set(),
    "math": {"math"},
    "process": {"process"},
    "inertia": {*_FLOOR, "inertia"},
    "model": _MODEL - {"process"},
    "io": {*_MODEL, "io"},
    "formulas": _FORMULAS,
    "papers": {"math", "model", "papers"},
    "graph": {"graph"},
    "catalog": {*_FORMULAS, "graph", "catalog"},
    "backends": {"graph", "backends", "process"},
    "runtime": {"math", "model", "catalog", "graph", "backends", "process", "runtime"},
    "quantities": _QUANTITIES,
    "check": {*_MODEL, "formulas"},
    "edit": {*_MODEL, "io", "formulas"},
    "meshes": {*_MODEL, "io"},
    "lie": {*_QUANTITIES, "lie"},
    "groups": {*_QUANTITIES, "groups"},
    "system": {*_QUANTITIES, "groups", "system"},
    "inverse_kinematics": {*_QUANTITIES, "lie", "inverse_kinematics"},
    "robot": _ROBOT,
    "design": _ROBOT,
    "elastic": {*_ROBOT, "elastic"},
    "export": _ROBOT,
    "motion": {*_QUANTITIES, "system", "motion"},
    "mechanism": {*_ROBOT, "design", "lie", "mechanism"},
    "contacts": {*_ROBOT, "mechanism", "contacts"},
    "identification": {*_ROBOT, "mechanism", "dask", "identification"},
    "interop": {*_ROBOT, "lie", "export", "interop"},
    "frameworks": {*_QUANTITIES, "system", "motion", "frameworks"},
    "jax": {*_QUANTITIES, "system", "frameworks", "jax"},
    "torch": {*_ROBOT, "frameworks", "cuda", "torch"},
    "cuda": {*_QUANTITIES, "frameworks", "cuda"},
    "dask": {*_QUANTITIES, "system", "dask"},
    "xarray": {*_QUANTITIES, "system", "xarray"},
    "studies": {*_ROBOT, "mechanism", "identification", "dask", "studies"},
    "pictures": {*_ROBOT, "pictures"},
    "scene": {*_ROBOT, "meshes", "scene"},
    "view": {
        *_ROBOT,
        "lie",
        "meshes",
        "mechanism",
        "elastic",
        "identification",
        "pictures",
        "scene",
        "view",
    },
    "web": {*_ROBOT, "export", "mechanism", "pictures", "scene", "web"},
    "cli": {
        *_ALL,
        "dask",
        "identification",
        "interop",
        "pictures",
        "scene",
        "studies",
        "view",
        "web",
        "cli",
        "",
    },  # what a user imports
}

#: What every room may import.
BY_ALL = {"deprecation", "errors", "lazy"}

#: Packages above a package that it may import inside functions: a robot offers what others do.
WHEN_ASKED: dict[str, set[str]] = {
    "groups": {
        *_OFFERED,
        "system",
        "robot",
        "identification",
        "interop",
        "io",
        "pictures",
        "view",
        "web",
    },
    "identification": {"pictures"},
    "model": {"check"},
    "quantities": {"pictures"},
    "robot": {"contacts", "elastic", "mechanism", "motion"},
    "mechanism": {"elastic", "motion"},
    "system": {"jax", "pictures", "torch"},
}


#: Deprecated names of packages, each a module that leads to the new one.
RENAMED = {"identify.py", "study.py"}


def modules() -> dict[str, Path]:
    """Source files by module, such as "formulas.dynamics"; packages by their name."""
    out = {}
    for path in sorted(SOURCE.rglob("*.py")):
        if path.parent == SOURCE and path.name in RENAMED:
            continue
        parts = path.relative_to(SOURCE).with_suffix("").parts
        out[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return out


MODULES = modules()
