"""The section of the benchmarks that measures WebAssembly in node."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser


def test_the_table_is_filled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2]))
    main, measure, report, web = (
        import_module(f"benchmarks.{name}")
        for name in ("__main__", "measure", "report", "sections.web")
    )
    monkeypatch.setattr(web, "QUANTITIES", ("mass_matrix",))
    effort = measure.Effort(rounds=1, seconds=1e-4)
    (table,) = main.run(report.Options(("ur5",), effort, quick=True), ("web",))
    (row,) = table.rows
    assert len(row.cells) == len(table.columns)
    assert row.cells[:2] == ("ur5", "mass_matrix")
    assert float(row.cells[-1]) < 1e-14
