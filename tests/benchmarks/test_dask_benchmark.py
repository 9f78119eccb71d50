"""The section of the benchmarks about more than one process fills its tables."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from support import PROJECT

pytest.importorskip("distributed", reason="Dask is an extra: pip install 'jounce[dask]'")
pytest.importorskip("pinocchio", reason="the benchmarks need Pinocchio")

pytestmark = pytest.mark.scale


@pytest.fixture
def section(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(PROJECT)
    result = import_module("benchmarks.sections.scale")
    try:
        result.panda()
    except FileNotFoundError:
        pytest.skip("example-robot-data is not installed")
    monkeypatch.setattr(result, "ROUNDS", 1)
    return result


def test_the_tables(section: Any) -> None:
    report, measure = (import_module(f"benchmarks.{name}") for name in ("report", "measure"))
    for quick in (True, False):
        tables = section.tables(report.Options(("panda",), measure.QUICK, quick))
        titles = [table.title for table in tables]
        assert titles[:2] == ["Dask: arrays", "Dask: tasks"]
        assert titles[-1] == "Studies"
        assert all("{" not in table.note.replace("vary={", "") for table in tables)


def test_arrays_and_tasks(section: Any) -> None:
    (row,) = section._arrays(2_000, 1_000)
    assert len(row.cells) == len(section.ARRAYS)
    assert row.verdicts[0].at_least
    (row,) = section._tasks(8)
    assert len(row.cells) == len(section.TASKS)
    assert not row.verdicts[0].at_least


def test_files(section: Any) -> None:
    pytest.importorskip("pyarrow")
    (row,) = section._files(2, 4_000)
    assert len(row.cells) == len(section.FILES)


def test_studies(section: Any) -> None:
    rows = section._studies(400, 3)
    assert [row.cells[0] for row in rows] == ["threads", "Dask"]
    assert all(len(row.cells) == len(section.STUDY) for row in rows)


def test_wrong_results_are_not_timed(section: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def study(engine: str, samples: int, points: int) -> list[Any]:
        return [1.0, 10, 0.0 if engine == "Dask" else 1.0]

    monkeypatch.setattr(section, "_study", study)
    with pytest.raises(section.MismatchError, match="differ"):
        section._studies(10, 1)
