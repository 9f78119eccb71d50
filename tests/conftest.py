"""Tests neither use nor fill the user's cache of compiled code, and run on one thread."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

# workers share the cores: threads of BLAS beside them only wait for each other
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import jounce


@pytest.fixture(scope="session", autouse=True)
def _own_cache_and_one_thread(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "JOUNCE_CACHE", str(tmp_path_factory.mktemp("jounce-cache")))
        patch.setitem(os.environ, "JOUNCE_NUM_THREADS", "1")
        before = jounce.get_num_threads()
        jounce.set_num_threads(1)
        yield
        jounce.set_num_threads(before)
