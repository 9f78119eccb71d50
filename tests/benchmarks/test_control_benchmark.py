"""The section of the benchmarks that measures controllers."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

pytestmark = pytest.mark.shown

pytest.importorskip("pinocchio")


def test_the_tables_are_filled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2]))
    main, measure, report, robots, section = (
        import_module(f"benchmarks.{name}")
        for name in ("__main__", "measure", "report", "robots", "sections.control")
    )
    try:
        robots.path("panda")
    except FileNotFoundError:
        pytest.skip("example-robot-data is not installed")
    monkeypatch.setattr(section, "BATCH", 20)
    monkeypatch.setattr(section, "LAWS", {"slotine_li": section.LAWS["slotine_li"]})
    effort = measure.Effort(rounds=1, seconds=1e-4)
    tables = main.run(report.Options(("panda",), effort, quick=True), ("control",))
    assert [table.title for table in tables[:2]] == [
        "Control: single calls",
        "Control: batches of 20",
    ]
    for table in tables:
        (row,) = table.rows
        assert len(row.cells) == len(table.columns)
        assert row.cells[0] == "slotine_li"
        assert all(row.cells)
    assert section.tables(report.Options(("ur5",), effort, quick=True)) == []
