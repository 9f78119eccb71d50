"""Checks on a real GPU: `python -m tests.gpu [area ...]` and `make gpu` run them.

They run on machines on which nothing can be installed: with a plain Python that has NumPy and
llvmlite, and those of CuPy, PyTorch, JAX and cuda-bindings that an area needs; without pytest. The
areas are the files `check_*.py` here; each check is a function `check_*` without arguments and with
plain asserts. After importing this package, jounce can be imported from its source.
"""

from __future__ import annotations

import os
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PROJECT = Path(__file__).parents[2]

#: Folder for metadata if jounce is not installed; git ignores it.
METADATA = PROJECT / "build" / "source"

#: Folders of jounce, of shared helpers of tests, of checks and benchmarks.
PLACES = (PROJECT / "src", PROJECT / "tests", PROJECT)


def use_source() -> None:
    """Make this process and its children import jounce, tests and benchmarks from here.

    jounce reads its version from the metadata of the installed package: if it is not installed,
    metadata with the version of pyproject.toml are written to a folder on the path.
    """
    _add([str(place) for place in PLACES])
    try:
        version("jounce")
    except (PackageNotFoundError, FileNotFoundError):  # the latter by importlib_metadata
        _write_metadata()
        _add([str(METADATA)])


def _add(places: list[str]) -> None:
    """Put folders first on the path of this process and of its children."""
    sys.path[:0] = [place for place in places if place not in sys.path]
    before = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    new = [place for place in places if place not in before]
    os.environ["PYTHONPATH"] = os.pathsep.join((*new, *filter(None, before)))


def _write_metadata() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    folder = METADATA / f"{project['name']}-{project['version']}.dist-info"
    folder.mkdir(parents=True, exist_ok=True)
    text = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (folder / "METADATA").write_text(text, encoding="utf-8")


use_source()

# the libraries share a GPU: JAX must not reserve most of its memory
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
