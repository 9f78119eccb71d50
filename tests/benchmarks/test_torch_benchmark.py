"""The section of the benchmarks about PyTorch fills its tables."""

from __future__ import annotations

from importlib import import_module

import pytest

from support import PROJECT

torch = pytest.importorskip("torch", reason="PyTorch, a large package, is not installed")
pytest.importorskip("pinocchio", reason="the benchmarks need Pinocchio")

pytestmark = pytest.mark.frameworks


def test_the_section_runs(monkeypatch):
    monkeypatch.syspath_prepend(PROJECT)
    section = import_module("benchmarks.sections.torch")
    measure, report, robots = (
        import_module(f"benchmarks.{name}") for name in ("measure", "report", "robots")
    )
    before = torch.get_num_threads()
    with robots.one_thread():
        options = report.Options(("ur5", "talos"), measure.Effort(1, 1e-4), quick=True)
        tables = section.tables(options)
        assert [len(table.jobs) for table in tables] == [1, 1]  # of ur5
        for table in tables:
            for _, job in table.jobs:
                (row,) = job()
                assert len(row.cells) == len(table.columns)
                assert row.verdicts
    torch.set_num_threads(before)
