"""Reports and plots of studies: whole, self-contained, legible for few joints and for many."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.studies import KINDS, Kind, Study, Uniform, study
from jounce.studies.plots import MAX_ENTRIES, choose_entries, choose_groups, figures
from jounce.studies.report import facts, index_table, summary_table, write_html
from support import PROJECT


def along(robot: jounce.Robot, points: int, vary: Mapping[str, Any], **options: Any) -> Study:
    """A study of a robot on its way."""
    t = np.linspace(0.0, 1.0, points)
    q = robot.random(np.random.default_rng(0), 1)[0]
    v, a = (np.outer(f(t), np.linspace(0.5, 1.0, robot.nv)) for f in (np.sin, np.cos))
    state = (robot.integrate(q, t[:, None] * v), v, a)
    return study(robot, state, vary=vary, t=t, **{"samples": 600, **options})


@pytest.fixture(scope="module")
def result() -> Study:
    vary = {"inertia": "5%", "placement[joint2]": Uniform("1mm"), "mass[link1]": None}
    return along(jounce.load("planar_2r"), 9, vary)


class _Page(HTMLParser):
    """Tags, what they refer to, and the text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.said: list[str] = []
        self.policy = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if ("http-equiv", "Content-Security-Policy") in attrs:
            self.policy = dict(attrs)["content"] or ""
        self.links += [x or "" for name, x in attrs if name in ("src", "href", "xlink:href")]

    def handle_data(self, data: str) -> None:
        self.said.append(data)


def page(result: Study, folder: Path, **options: Any) -> _Page:
    path = write_html(result, folder / "study.html", overwrite=True, **options)
    return _Page(path.read_text("utf-8"))


def test_the_page_is_whole_and_needs_no_network(result: Study, tmp_path: Path) -> None:
    seen = page(result, tmp_path, command="jounce study <&>", notes=("11 rows were left out",))
    assert seen.tags.count("svg") == 5
    assert not {"script", "link", "img", "iframe"} & {*seen.tags}
    assert seen.policy.startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:;")
    assert "script" not in seen.policy
    assert [link for link in seen.links if not link.startswith(("#", "data:"))] == []
    said = "\n".join(seen.said)
    for word in ("Study of planar_2r", "600 robots, seed 0", "inverse_dynamics (N m, N)", "joint2"):
        assert word in said
    for word in ("jounce study <&>", "11 rows were left out", "inertia: 5%", "mass[link1]: 5%"):
        assert word in said
    assert "placement[joint2]: Uniform(amount='1mm')" in said
    assert "9 from 0 s to 1 s" in said


def test_files_that_cannot_be_written_are_named(result: Study, tmp_path: Path) -> None:
    for write in (result.report, result.to_json):
        with pytest.raises(FileNotFoundError, match=r"cannot write '.*nowhere"):
            write(tmp_path / "nowhere" / "study")
        with pytest.raises(IsADirectoryError, match="cannot write '"):
            write(tmp_path)
    assert not any(tmp_path.iterdir())


def test_names_of_files_are_not_obeyed(tmp_path: Path) -> None:
    builder = jounce.TreeBuilder("<b>$x$</b>")
    builder.add("<i>&", "revolute", axis=(0, 1, 0), joint_name="<u>$\\frac$", mass=1, com=(1, 0, 0))
    seen = page(along(jounce.Robot(builder.build()), 3, {"mass": "5%"}), tmp_path)
    assert not {"b", "i", "u"} & {*seen.tags}
    assert "Study of <b>$x$</b>" in "".join(seen.said)
    assert "<u>$\\frac$" in seen.said


def test_tables_have_the_numbers_of_the_study(result: Study) -> None:
    heads, lines = summary_table(result)
    assert [line[0] for line in lines] == result.labels == ["joint1", "joint2"]
    column = heads.index("std (RMS over points)")
    for i, line in enumerate(lines):
        rms = np.sqrt(np.mean(result.std[:, i] ** 2))
        assert float(line[column]) == pytest.approx(rms, rel=1e-3)
        worst = max(np.abs(x[:, i] - result.nominal[:, i]).max() for x in (result.low, result.high))
        assert float(line[heads.index("max |deviation|")]) == pytest.approx(worst, rel=1e-3)
    assert result.total_overall is not None
    first = result.groups[int(np.argmax(result.total_overall[:, 1]))]
    assert summary_table(result)[1][1][-1].startswith(f"{first} ")
    heads, lines = index_table(result)
    assert heads == ["parameter", "joint1", "joint2"]
    assert [line[0] for line in lines] == result.groups
    share, _, error = lines[0][1].partition(" ± ")
    assert float(share) == pytest.approx(100 * result.total_overall[0, 0], abs=0.051)
    assert result.total_overall_error is not None
    assert float(error) == pytest.approx(100 * result.total_overall_error[0, 0], abs=0.051)


def test_shares_are_told_with_their_errors(result: Study) -> None:
    total, error = result.total_overall, result.total_overall_error
    assert total is not None
    assert error is not None
    for entry, line in enumerate(str(result).splitlines()[1:]):
        group = int(np.argmax(total[:, entry]))
        share, spread = (f"{100 * x[group, entry]:.0f}" for x in (total, error))
        assert f" {result.groups[group]} {share} ± {spread} %" in line
        assert f"{result.groups[group]} {share} ± {spread} %" in summary_table(result)[1][entry][-1]


def test_errors_that_are_not_known_are_not_zero(tmp_path: Path) -> None:
    """Two samples give one pair, whose spread cannot be estimated."""
    subset = along(jounce.load("planar_2r"), 3, {"mass": "5%"}, samples=2)
    assert " ± ? %" in str(subset)
    assert "± ? %" in summary_table(subset)[1][1][-1]
    assert all(cell.endswith(" ± ?") for line in index_table(subset)[1] for cell in line[1:])
    (bar,) = (x for x in subset.plots()["total"].axes[0].containers if hasattr(x, "has_xerr"))
    assert not any(len(segment) for segment in bar.lines[2][0].get_segments())
    assert page(subset, tmp_path).tags.count("svg") == 5


def test_many_joints_show_those_that_vary_most(tmp_path: Path) -> None:
    robot = jounce.load("toro25")
    result = along(robot, 4, {"inertia": "5%"})
    entries = choose_entries(result)
    assert len(entries) == MAX_ENTRIES < robot.nv
    assert list(entries) == sorted(entries)
    size = np.sqrt(np.mean(result.std**2, axis=0))
    assert size[entries].min() >= np.delete(size, entries).max()
    groups = choose_groups(result, entries, 3)
    assert result.total_overall is not None
    best = result.total_overall[:, entries].max(axis=1)
    np.testing.assert_allclose(best[groups], np.sort(best)[::-1][:3])
    seen = page(result, tmp_path)
    assert any(f"{MAX_ENTRIES} of {robot.nv} entries" in text for text in seen.said)
    assert {*result.labels} <= {*seen.said}  # the tables have all


@pytest.mark.parametrize(
    ("quantity", "points", "names"),
    [
        ("mass_matrix", (2, 3), ["bands", "deviations", "total", "first", "all"]),
        ("gravity_forces", (), ["bands", "deviations", "total", "first", "all"]),
        ("potential_energy", (4,), ["bands", "deviations", "total", "first", "all"]),
    ],
)
def test_results_of_any_shape(
    quantity: str, points: tuple[int, ...], names: list[str], tmp_path: Path
) -> None:
    robot = jounce.load("planar_2r")
    q = np.random.default_rng(1).uniform(-1.0, 1.0, (*points, 2))
    result = study(robot, (q,), quantity=quantity, vary={"inertia": "5%"}, samples=300)
    assert list(figures(result)) == names
    assert page(result, tmp_path).tags.count("svg") == len(names)


def test_without_indices_quantiles_or_variation(tmp_path: Path) -> None:
    robot = jounce.load("planar_2r")
    plain = along(robot, 3, {"mass": "5%"}, sobol=False, quantiles=())
    assert list(figures(plain)) == ["bands", "deviations"]
    assert "main causes" not in summary_table(plain)[0]
    assert page(plain, tmp_path).tags.count("svg") == 2
    assert "parameters" not in dict(facts(plain))
    still = study(robot, np.zeros((2, 2)).tolist(), "kinetic_energy", {"mass": "5%"}, 300)
    assert choose_entries(still).tolist() == [0]
    assert summary_table(still)[1][0][-1] == "–"
    assert page(still, tmp_path).tags.count("svg") == 5


def test_plots_are_figures_with_names_and_units(result: Study) -> None:
    drawn = result.plots()
    for name in ("bands", "deviations", "total", "first"):
        assert [x.get_title(loc="left") for x in drawn[name].axes] == ["joint1", "joint2"]
    assert drawn["bands"].get_supylabel() == "N m, N"
    labels = [text.get_text() for text in drawn["bands"].legends[0].get_texts()]
    assert labels == ["all", "5 to 95 %", "mean", "nominal"]
    shown_groups = [text.get_text() for text in drawn["all"].axes[0].get_yticklabels()]
    assert shown_groups == result.groups


def test_bands_hold_what_they_say(result: Study) -> None:
    """The filled areas end at the extremes and quantiles of the study."""
    area, inner = (x.get_paths()[0].vertices for x in result.plots()["bands"].axes[1].collections)
    assert area[:, 1].min() == pytest.approx(result.low[:, 1].min())
    assert area[:, 1].max() == pytest.approx(result.high[:, 1].max())
    low, high = (result.levels.index(x) for x in (0.05, 0.95))
    assert inner[:, 1].min() == pytest.approx(result.quantiles[low, :, 1].min())
    assert inner[:, 1].max() == pytest.approx(result.quantiles[high, :, 1].max())


def test_the_page_tells_of_every_kind() -> None:
    page = (PROJECT / "docs" / "guide" / "study.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \| `([^`]+)` \|", page, re.M)
    assert rows == [(kind.name, kind.of, _amount(kind)) for kind in KINDS.values()]


def _amount(kind: Kind) -> str:
    """Return a typical amount, or a percentage for a kind with several units."""
    return kind.takes if len(kind.numbers) > 1 else kind.default
