"""Examples in docstrings run and give what they show; functions that users call have one."""

from __future__ import annotations

import doctest
import inspect
from importlib import import_module
from importlib.util import find_spec

import pytest

import jounce
from support.layers import MODULES

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
WITH_EXAMPLES = [name for name, path in MODULES.items() if ">>> " in path.read_text("utf-8")]

#: Libraries that examples of a package need.
NEEDS = {"control": "daqp", "planning": "clarabel", "studies": "pandas"}


@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_examples_give_what_they_show(module: str) -> None:
    library = NEEDS.get(module.partition(".")[0])
    if library and find_spec(library) is None:
        pytest.skip(f"needs {library}")
    full = f"jounce.{module}".rstrip(".")
    results = doctest.testmod(import_module(full), optionflags=FLAGS)
    assert results.attempted > 0
    assert results.failed == 0


#: Modules whose functions all have an example.
COMPLETE = (jounce.inertia, jounce.edit)
#: Other functions with an example.
FUNCTIONS = (
    jounce.load, jounce.read, jounce.gallery, jounce.from_dh, jounce.from_screws,
    jounce.set_num_threads, jounce.get_num_threads, jounce.release_memory, jounce.check.check,
    jounce.Robot.hybrid_dynamics, jounce.Robot.elastic, jounce.Robot.frame, jounce.Robot.quantity,
    jounce.Robot.labels, jounce.Robot.linearize, jounce.Robot.lqr,
)  # fmt: skip


def test_functions_of_users_have_examples() -> None:
    listed = [
        value
        for module in COMPLETE
        for name, value in vars(module).items()
        if inspect.isfunction(value) and name[0] != "_"
        if value.__module__.startswith(module.__name__)
    ]
    missing = [x.__name__ for x in (*listed, *FUNCTIONS) if ">>> " not in (x.__doc__ or "")]
    assert not missing
