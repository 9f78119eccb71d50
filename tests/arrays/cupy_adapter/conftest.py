"""Simulated devices, and a simulated CuPy."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from jounce.arrays.cupy_adapter import cupy_library, foreign
from support import simulated_cupy
from support.simulated_cuda import Card, Simulated, install


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch, tmp_path) -> Simulated:
    """A driver with two devices, and an empty cache."""
    monkeypatch.setenv("JOUNCE_CACHE", str(tmp_path / "cache"))
    return install(monkeypatch, Simulated([Card(), Card("Simulated RTX", (12, 1))]))


@pytest.fixture
def cupy(api: Simulated, monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """What stands for CuPy."""
    module = simulated_cupy.module()
    monkeypatch.setitem(sys.modules, "cupy", module)
    library = cupy_library.CupyLibrary()
    monkeypatch.setattr("jounce.arrays.cupy_adapter.kind.cupy_library", lambda: library)
    imports = foreign.cupy_importer()
    monkeypatch.setattr(foreign, "importer", lambda: imports)
    monkeypatch.setattr(simulated_cupy.STATE, "copies", 0)
    monkeypatch.setattr(simulated_cupy.STATE, "device_of", api.device_of)
    yield module
    assert simulated_cupy.STATE.device == 0  # as it was before
