"""Packages are attributes after a plain `import jounce`, and are imported when they are used."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import jounce

SOURCE = Path(jounce.__file__).parent
PROJECT = Path(__file__).parents[2]

#: Modules of the package by full name.
MODULES = sorted(
    ".".join(("jounce", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__")
    for path in SOURCE.rglob("*.py")
    if path.name != "__main__.py" and path != SOURCE / "__init__.py"
)


def fresh(code: str) -> list[str]:
    """What a fresh interpreter prints as JSON after `import jounce`."""
    command = [sys.executable, "-W", "error", "-c", f"import json, sys\nimport jounce\n{code}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


_RESOLVE = """
import types
missing = []
for name in {names!r}:
    at = jounce
    try:
        for part in name.split(".")[1:]:
            at = getattr(at, part)
    except AttributeError as error:
        missing.append(f"{{name}}: {{error}}")
print(json.dumps(missing))
"""


def there(name: str) -> bool:
    """Whether a name is not one of an adapter whose library is not installed."""
    library = re.search(r"\.(dask|jax|torch|xarray)(_adapter)?\b", name)
    return library is None or find_spec(library[1]) is not None


def test_packages_and_their_modules_are_attributes() -> None:
    names = [name for name in MODULES if name.count(".") <= 2 and there(name)]
    assert fresh(_RESOLVE.format(names=names)) == []


#: What readers of the documentation are told to make themselves.
_TO_BE_MADE = {"jounce.compiler.targets.python"}

#: What is no name of the package but a setting of Dask's.
_SETTINGS = {"jounce.threads"}


def test_names_of_the_documentation_exist() -> None:
    """Whatever README and docs call jounce.x.y, resolved after a plain import."""
    pages = [PROJECT / "README.md", *sorted((PROJECT / "docs").rglob("*.md"))]
    pages = [page for page in pages if "generated" not in str(page)]  # by builds of the site
    text = "\n".join(page.read_text("utf-8") for page in pages)
    names = set(re.findall(r"(?<![\w./-])jounce(?:\.[A-Za-z_]\w*)+", text))
    names -= {name for name in names if re.search(r"\.(py|md|json|toml|h|c|m)$", name)}
    assert {"jounce.load", "jounce.identify", "jounce.export.mujoco.MujocoMap"} <= names
    imported = re.findall(r"^ *from (jounce[\w.]*) import ([\w, ]+)", text, re.MULTILINE)
    names |= {f"{module}.{name.strip()}" for module, found in imported for name in found.split(",")}
    assert names > _TO_BE_MADE | _SETTINGS
    names -= _TO_BE_MADE | _SETTINGS
    assert fresh(_RESOLVE.format(names=sorted(filter(there, names)))) == []


def test_packages_are_imported_when_used() -> None:
    packages = (
        "identification",
        "control",
        "trajectories",
        "export",
        "papers",
        "cli",
        "studies",
        "viewer",
    )
    code = "print(json.dumps([name for name in sys.modules if name.startswith('jounce.')]))"
    loaded = {name.split(".")[1] for name in fresh(code)}
    assert not loaded & set(packages)
    after = fresh("jounce.elastic\n" + code)
    assert "jounce.solve.elastic" in after
    assert "jounce.identification" not in after


def test_modules_of_a_package_are_listed() -> None:
    assert {"casadi", "mujoco", "pinocchio", "sympy"} <= set(dir(jounce.export))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("identfy", "module 'jounce' has no attribute 'identfy'; did you mean 'identify'?"),
        ("lod", "module 'jounce' has no attribute 'lod'; did you mean 'load'?"),
        ("from_urdf", "module 'jounce' has no attribute 'from_urdf'; use jounce.load(path)"),
        ("quux", "module 'jounce' has no attribute 'quux'"),
        ("_private", "module 'jounce' has no attribute '_private'"),
        ("__wrapped__", "module 'jounce' has no attribute '__wrapped__'"),
    ],
)
def test_misspelled_names_get_a_suggestion(name: str, message: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(jounce, name)
    assert str(caught.value) == message


def test_a_missing_library_is_named() -> None:
    code = """
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "sympy":
            raise ModuleNotFoundError("No module named 'sympy'", name="sympy")
sys.meta_path.insert(0, Missing())
try:
    jounce.export.exact
except AttributeError as error:
    print(json.dumps([str(error)]))
"""
    assert fresh(code) == ["jounce.export.exact needs the package sympy"]


def test_type_checkers_see_all_modules() -> None:
    """Packages that list their modules for checkers list all of them."""
    lists = 0
    for path in SOURCE.rglob("__init__.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if not isinstance(node, ast.If) or isinstance(node.test, ast.UnaryOp):
                continue
            if "TYPE_CHECKING" not in ast.unparse(node.test) or not node.orelse:
                continue
            seen = {x.names[0].name for x in node.body if isinstance(x, ast.ImportFrom)}
            if path.parent == SOURCE:
                continue  # tests/project/test_public_surface.py
            files = {p.stem for p in path.parent.glob("*.py")}
            files |= {p.parent.name for p in path.parent.glob("*/__init__.py")}
            assert seen == {name for name in files if not name.startswith("_")}, path
            lists += 1
    assert lists >= 4
