"""Tests neither use nor fill the user's cache, run on one thread, and draw the same numbers."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

# workers share the cores: threads of BLAS beside them only wait for each other
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from hypothesis import settings

import jounce
from support.seed_sweep import SeedSweep, add_options

# the same examples in every run; other ones, and not for the record, in a sweep over seeds
settings.register_profile("usual", derandomize=True, database=None, deadline=None)
settings.register_profile("sweep", print_blob=True, database=None, deadline=None)


#: Folders of one kind of truth each; `pytest -m papers` runs those of a folder.
TRUTHS = ("identities", "papers", "peers", "hostile")

#: Imports of large optional libraries, which `make test-frameworks` and `make test-scale` install.
_OPTIONAL = re.compile(
    r"""^(?:import |from |(?:\w+: Any = )?pytest\.importorskip\(")"""
    r"(jax|torch|dask|distributed|xarray|ray)\b",
    re.MULTILINE,
)


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out files that import an optional library which is not installed."""
    if collection_path.suffix != ".py" or not collection_path.name.startswith("test_"):
        return None
    needed = {*_OPTIONAL.findall(collection_path.read_text("utf-8"))}
    return True if any(find_spec(name) is None for name in needed) else None


def pytest_addoption(parser: pytest.Parser) -> None:
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("sweep" if config.option.seeds else "usual")
    if config.option.seeds:
        config.pluginmanager.register(SeedSweep(config))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent.name in TRUTHS:
            item.add_marker(item.path.parent.name)


@pytest.fixture(scope="session", autouse=True)
def _own_cache_and_one_thread(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "JOUNCE_CACHE", str(tmp_path_factory.mktemp("jounce-cache")))
        patch.setitem(os.environ, "JOUNCE_NUM_THREADS", "1")
        before = jounce.get_num_threads()
        jounce.set_num_threads(1)
        yield
        jounce.set_num_threads(before)
