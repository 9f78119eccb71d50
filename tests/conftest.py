"""Tests neither use nor fill the user's cache, run on one thread, and draw the same numbers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec

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

#: Libraries that differentiate: tests of them are marked `frameworks`, and run by themselves.
FRAMEWORKS = ("jax", "torch")

#: Work on clusters, and lazy arrays: tests of it are marked `scale`, and run by themselves.
SCALE = ("dask", "xarray", "ray")

#: Files with their names are left out where they are not there; `make test-scale` installs them.
collect_ignore_glob = [
    f"*{part}"
    for name in SCALE
    if find_spec(name) is None
    for part in (f"test_{name}_*.py", f"_{name}.py", f"_{name}_*.py")
]

#: What people see and read: tests of it are marked `shown`, and run by themselves.
SHOWN = ("cli", "docs", "pictures", "view", "web", "wasm", "overlays", "examples", "readme")
SHOWN += ("benchmarks", "packaging")

#: What is about GPUs: tests of it, none of which needs one, are marked `gpu` and run by themselves.
GPU = ("cuda", "nvptx", "gpu")


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
        if item.path.parent.name == "browser":
            item.add_marker("browser")
        words = {*item.path.stem.split("_"), item.path.parent.name}
        if words & {*FRAMEWORKS}:
            item.add_marker("frameworks")
        elif words & {*SCALE}:
            item.add_marker("scale")
        elif words & {*GPU}:
            item.add_marker("gpu")
        elif words & {*SHOWN}:
            item.add_marker("shown")


@pytest.fixture(scope="session", autouse=True)
def _own_cache_and_one_thread(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "JOUNCE_CACHE", str(tmp_path_factory.mktemp("jounce-cache")))
        patch.setitem(os.environ, "JOUNCE_NUM_THREADS", "1")
        before = jounce.get_num_threads()
        jounce.set_num_threads(1)
        yield
        jounce.set_num_threads(before)
