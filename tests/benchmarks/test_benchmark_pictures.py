"""The pictures of the results are those of the tables."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from benchmarks import plots
from benchmarks.report import FIGURES

pytestmark = pytest.mark.shown

PICTURES = plots.pictures()


@pytest.mark.parametrize("name", [*PICTURES])
def test_pictures_are_current(name: str) -> None:
    drawn = (FIGURES / name).read_text("utf-8")
    assert drawn == PICTURES[name], "run: python -m benchmarks.plots"


@pytest.mark.parametrize("name", [*PICTURES])
def test_pictures_stay_within_their_frame(name: str) -> None:
    root = ElementTree.fromstring(PICTURES[name])
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    dots = [x for x in root.iter() if x.tag.endswith("circle")]
    assert len(dots) > 10
    for dot in dots:
        assert 0 < float(dot.attrib["cx"]) < width
        assert 0 < float(dot.attrib["cy"]) < height


def test_dots_lie_where_the_table_says() -> None:
    table = "| robot | nv | a | b |\n|---|---|---|---|\n| r | 2 | 1.5 | 1,000 |\n"
    result = plots.tables(f"## T\n\nwords\n\n{table}")
    (line,) = plots._lines(result["T"], {"ours": "a", "theirs": "b"}, ("ours", "theirs"))
    assert line.values == (("ours", 1.5), ("theirs", 1000.0))
    assert line.name == "r, 2 joints"
    assert line.remark == "667×"
    group = plots.Group("g", [line])
    text = plots.draw_svg(plots.Picture("ns", {"ours": "#00f", "theirs": "#f00"}, [group]))
    assert "<title>theirs: 1000</title>" in text


def test_cells_without_a_number_are_left_out() -> None:
    assert plots.number("1,234.5") == 1234.5
    assert plots.number("3.52e+10") == 3.52e10
    assert plots.number("8.05 s") == 8.05
    assert plots.number("TypeError in adam") is None
    assert plots.number("") is None
    rows = [{"robot": "r", "nv": "2", "a": "", "b": "1"}]
    assert not [*plots._lines(rows, {"a": "a", "b": "b"})]
