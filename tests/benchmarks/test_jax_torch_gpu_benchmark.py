"""Peers of the GPU benchmarks, on the CPU: both compute the same."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

import pytest

import jounce
from support import PROJECT

torch = pytest.importorskip("torch", reason="PyTorch, a large package, is not installed")
jax = pytest.importorskip("jax", reason="JAX is an extra: pip install 'jounce[jax]'")

pytestmark = pytest.mark.frameworks


@pytest.fixture
def peers(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(PROJECT))
    for name in ("PYTHONPATH", "XLA_PYTHON_CLIENT_PREALLOCATE"):
        monkeypatch.setenv(name, os.environ.get(name, ""))
    result = import_module("benchmarks.gpu.peers")
    monkeypatch.setattr(result, "BATCH", 16)
    monkeypatch.setattr(result, "DEVICE", "cpu")
    monkeypatch.setattr(result, "EFFORT", result.Effort(1, 1e-4))
    monkeypatch.setattr(result, "robot", lambda name: jounce.load("planar_2r"))
    monkeypatch.setattr(torch.cuda, "synchronize", lambda: None)
    before = {x: getattr(jax.config, x) for x in ("jax_enable_x64", "jax_default_matmul_precision")}
    yield result
    for name, value in before.items():
        jax.config.update(name, value)


@pytest.mark.parametrize(
    ("library", "scalar"), [("jax", "float"), ("torch", "double"), ("torch", "float")]
)
def test_peers(peers: Any, library: str, scalar: str) -> None:
    build = getattr(peers, f"of_{library}")
    (row,) = peers._rows("ur5", scalar, library, build)
    assert len(row.cells) == len(peers.COLUMNS)
    assert float(row.cells[3]) > 0.0

    def wrong(name: str, arguments: Any) -> Any:
        right = build(name, arguments)
        result = right["gradient theirs"]
        return {**right, "gradient theirs": lambda: tuple(1.01 * x for x in result())}

    with pytest.raises(peers.MismatchError, match="gradient theirs"):
        peers._rows("ur5", scalar, library, wrong)


def test_jobs(peers: Any) -> None:
    (table,) = peers.tables(("ur5", "g1"), ("inverse_dynamics",))
    labels = [label for label, _ in table.jobs]
    assert "torch.compile ur5 float32" in labels
    assert not [label for label in labels if "torch.compile g1" in label]
    assert "JAX g1 float64" in labels
    assert not list(peers.tables(("ur5",), ("mass_matrix",)))
