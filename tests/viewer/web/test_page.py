"""Robots as pages: what is in the file, without a browser."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce import cli
from jounce.io import placement
from jounce.viewer.web import page
from jounce.viewer.web.description import describe_system, sliders, start_of
from support.zoo import MODELS

pytestmark = pytest.mark.shown

WORST = "a\"b'c</script><script>alert(1)</script>&amp;<!--\u2028é漢"


class Outline(HTMLParser):
    """Elements of a page, and texts of the data in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = dict(attrs).get("id") or tag

    def handle_data(self, data: str) -> None:
        self.texts[self._inside] = self.texts.get(self._inside, "") + data

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    @property
    def data(self) -> dict[str, Any]:
        return json.loads(self.texts["data"])


@pytest.fixture(scope="module")
def kuka() -> str:
    return page.page_text(jounce.load("kuka_iiwa14"), ["mass_matrix"], timings=False)


def named(name: str) -> jounce.Robot:
    builder = jounce.TreeBuilder(name)
    builder.add(name, "revolute", axis=(1, 0, 0), mass=1.0, com=(0.0, 0.0, -1.0), joint_name=name)
    return jounce.Robot(builder.build())


def test_a_page_reaches_for_nothing(kuka: str) -> None:
    outline = Outline(kuka)
    for tag, attributes in outline.tags:
        for name in ("src", "href", "srcset", "action", "data"):
            value = attributes.get(name) or ""
            assert not value or value == "data:,", (tag, name, value)
    styles = outline.texts["style"]
    assert "url(" not in styles
    assert "@import" not in styles
    (policy,) = (a["content"] or "" for _, a in outline.tags if "http-equiv" in a)
    assert policy.startswith("default-src 'none';")
    assert "http" not in policy


def test_a_page_says_what_it_is(kuka: str) -> None:
    outline = Outline(kuka)
    assert outline.texts["title"] == outline.texts["h1"] == "kuka_iiwa14"
    footer = f"computed in this page by WebAssembly, written by jounce {jounce.__version__}"
    assert outline.texts["footer"] == footer
    assert "MIT" in kuka  # the licence of what draws
    assert "three.js authors" in kuka
    assert outline.data["machine"] == ""


def test_the_same_robot_gives_the_same_page(kuka: str) -> None:
    again = page.page_text(jounce.load("kuka_iiwa14"), ["mass_matrix"], timings=False)
    assert again == kuka


def test_every_control_has_a_name(kuka: str) -> None:
    """Labels, titles or texts, for people who do not see the page."""
    outline = Outline(kuka)
    named = {a.get("for") for tag, a in outline.tags if tag == "label"}
    for tag, attributes in outline.tags:
        if tag in ("input", "select"):
            # others are inside their label
            inside = attributes.get("type") == "checkbox"
            assert inside or attributes["id"] in named, attributes
        if tag == "canvas":
            assert attributes.get("aria-label")


def test_names_cannot_leave_their_places() -> None:
    text = page.page_text(named(WORST), [], timings=False)
    outline = Outline(text)
    plain = page.page_text(named("plain"), [], timings=False)
    assert [tag for tag, _ in outline.tags] == [tag for tag, _ in Outline(plain).tags]
    assert text.count("alert(1)</script>") == 0
    assert outline.data["bodies"] == [WORST]
    assert outline.data["sliders"][0]["label"] == WORST
    titled = page.page_text(named("plain"), [], title=WORST, timings=False)
    assert [tag for tag, _ in Outline(titled).tags] == [tag for tag, _ in outline.tags]


def test_calls_of_numpy_are_measured() -> None:
    data = Outline(page.page_text(named("one"), ["mass_matrix.dq"])).data
    assert data["timings"]["mass_matrix.dq"] > 0.0
    assert all(0.0 < seconds < 1.0 for seconds in data["timings"].values())
    assert re.fullmatch(r"\S+, \S+, Python [\d.]+\S*", data["machine"])


def test_large_quantities_are_left_out_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "MAX_OPERATIONS", 10)
    remarks = Outline(page.page_text(jounce.load("planar_2r"), timings=False)).data["remarks"]
    assert any(x.startswith("forward_dynamics.derivatives is left out: its") for x in remarks)
    asked = page.page_text(jounce.load("planar_2r"), "forward_dynamics.derivatives", timings=False)
    assert Outline(asked).data["remarks"] == []
    assert '"forward_dynamics_derivatives":' in asked


def test_robots_that_cannot_be_simulated_are_shown() -> None:
    """A floating base without mass: nothing resists its motion."""
    robot = jounce.load("planar_2r", base="floating")
    remarks = Outline(page.page_text(robot, timings=False)).data["remarks"]
    assert remarks[0].startswith("forward_dynamics is left out: the mass matrix is singular")
    assert all("is left out" in sentence for sentence in remarks)


def test_robots_without_mass_are_shown() -> None:
    builder = jounce.TreeBuilder("frame")
    builder.add("a", "revolute", axis=(0, 0, 1))
    builder.add("b", "prismatic", "a", axis=(1, 0, 0))
    text = page.page_text(jounce.Robot(builder.build()), timings=False)
    remarks = Outline(text).data["remarks"]
    assert remarks[0].startswith("center_of_mass is left out: the moving bodies have no mass")
    assert '"center_of_mass":' not in text
    assert '"body_poses":' in text


def test_robots_in_contact_are_shown_without() -> None:
    robot = jounce.load("planar_2r").edit.with_contact("link2")
    text = page.page_text(robot.contacts(), ["contact_jacobian", "christoffel"], timings=False)
    data = Outline(text).data
    assert data["remarks"] == [
        "Contacts do not hold in this page: the robot moves freely.",
        "contact_jacobian is left out: it needs active contacts.",
    ]
    with pytest.raises(jounce.errors.ArgumentError, match="has no quantity 'massmatrix'"):
        page.page_text(robot.contacts(), "massmatrix", timings=False)
    framed = page.page_text(robot.contacts(), "frame(link2).jacobian", timings=False)
    assert '"link2_jacobian":' in framed
    assert '"christoffel":' in text
    assert '"contact_jacobian":' not in text


def test_robots_that_stand_touch_the_floor_at_their_contacts() -> None:
    robot = jounce.load("quadruped")
    data = Outline(page.page_text(robot.contacts(), [], timings=False)).data
    assert data["remarks"] == [
        "Contacts are springs and friction of the floor, so feet can slip and lift."
    ]
    floor = data["floor"]
    assert floor["stands"]
    for contact in robot.model.contacts:
        points = [x["point"] for x in floor["points"] if x["body"] == contact.body]
        assert points == [contact.placement[:3, 3].tolist(), [0.0, 0.0, 0.0]]
    assert sum(x["body"] == 0 for x in floor["points"]) == 8
    assert not Outline(page.page_text(jounce.load("toro25"), [], timings=False)).data["floor"][
        "stands"
    ]


def test_missing_meshes_are_named(tmp_path: Path) -> None:
    file = tmp_path / "robot.urdf"
    file.write_text(
        '<robot name="r"><link name="base"/><link name="tip"><inertial><mass value="1"/><inertia'
        ' ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial><visual><geometry>'
        '<mesh filename="gone.stl"/></geometry></visual></link><joint name="j" type="continuous">'
        '<parent link="base"/><child link="tip"/></joint></robot>'
    )
    data = Outline(page.page_text(jounce.load(file), [], timings=False)).data
    assert len(data["remarks"]) == 1
    assert "gone.stl" in data["remarks"][0]
    assert data["meshes"]["triangles"] > 0  # a skeleton


# ------------------------------------------------------------------ what a page knows


@pytest.mark.parametrize("name", MODELS)
def test_every_robot_can_be_described(name: str) -> None:
    robot = jounce.Robot(MODELS[name]())
    parts = page.looks(robot.model).parts
    data = describe_system(robot, parts, 1.0)
    json.dumps(data, allow_nan=False)
    q = np.array(data["start"])
    assert q.shape == (robot.nq,)
    assert robot.limits.contains(q, tolerance=1e-12)
    reached = sorted(s["q"] for s in data["sliders"] if s["kind"] == "coordinate")
    held = sorted({s["q"] + k for s in data["sliders"] if s["kind"] == "turn" for k in range(4)})
    assert sorted((*reached, *held)) == [*range(robot.nq)]  # every coordinate can be moved
    for slider in data["sliders"]:
        assert slider["lower"] < slider["upper"]
        assert not slider["follows"]


def test_dependent_joints_show_where_they_are() -> None:
    bars = jounce.load("four_bar")
    assert [s["follows"] for s in sliders(bars.closed())] == [False, True, True]
    assert [s["follows"] for s in sliders(bars.closed(["rocker_joint"]))] == [True, True, False]
    mechanism = bars.closed(["rocker_joint"])
    assert describe_system(mechanism, (), 1.0)["active"] == [2]
    assert np.abs(mechanism.quantity("loop_residual")(start_of(mechanism))).max() < 1e-12


def test_robots_start_bent_upward() -> None:
    arm = jounce.load("kuka_iiwa14")
    assert np.allclose(start_of(arm), [0.4, 0.6, -0.3, -0.9, 0.3, 0.7, 0.2])
    builder = jounce.TreeBuilder("bar")
    builder.add("bar", "revolute", axis=(0, 1, 0), mass=1.0, com=(0.5, 0.0, 0.0))
    builder.add("tip", "revolute", "bar", axis=(0, 1, 0), mass=1.0, com=(0.5, 0.0, 0.0),
                placement=placement((1.0, 0.0, 0.0)))  # fmt: skip
    builder.add("end", "revolute", "tip", axis=(0, 1, 0), mass=1.0, com=(0.5, 0.0, 0.0),
                placement=placement((1.0, 0.0, 0.0)))  # fmt: skip
    robot = jounce.Robot(builder.build())
    q = start_of(robot)
    assert np.allclose(np.abs(q), [0.4, 0.6, 0.3])
    heights = robot.body_poses(np.stack((q, q * (1.0, -1.0, -1.0))))[:, :, 2, 3].min(axis=1)
    assert heights[0] >= heights[1]


def test_slides_without_limits_have_stops() -> None:
    data = describe_system(jounce.load("cartesian_ppp"), (), 1.0)
    assert data["boundless"]
    assert data["stops"] == [[k, k, -1.0, 1.0] for k in range(3)]
    arm = describe_system(jounce.load("kuka_iiwa14"), (), 1.0)
    assert not arm["boundless"]
    assert len(arm["stops"]) == 7
    turning = describe_system(jounce.load("planar_2r"), (), 1.0)
    assert turning["stops"] == []
    assert all(slider["wraps"] for slider in turning["sliders"])
    assert not any(slider["wraps"] for slider in arm["sliders"])


def test_damping_of_joints_that_follow_counts() -> None:
    builder = jounce.TreeBuilder("pair")
    common = {"axis": (1, 0, 0), "mass": 1.0, "com": (0.0, 0.0, -1.0)}
    builder.add("a", "revolute", joint_name="a", damping=0.5, **common)
    rule = jounce.Mimic("a", 3.0, 0.0)
    builder.add("b", "revolute", "a", joint_name="b", damping=0.25, mimic=rule, **common)
    data = describe_system(jounce.Robot(builder.build()), (), 1.0)
    assert np.allclose(data["damping"], [0.5 + 9 * 0.25])
    assert data["mimics"] == ["b"]


# ------------------------------------------------------------------ files and the command line


def test_a_page_is_written_where_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "deep" / "arm.html"
    given = ["planar_2r", "-o", str(file), "--quantities", "christoffel", "--title", "Two bars"]
    cli.main(["page", *given, "--no-timings"])
    assert capsys.readouterr().out.startswith(f"{file}: ")
    outline = Outline(file.read_text("utf-8"))
    assert outline.texts["title"] == "Two bars"
    assert '"christoffel":' in file.read_text("utf-8")


def test_a_page_takes_loops_and_bases(tmp_path: Path) -> None:
    file = tmp_path / "bars.html"
    cli.main(["page", "four_bar", "-o", str(file), "--active", "rocker_joint", "--no-timings",
              "--quantities", "mass_matrix"])  # fmt: skip
    assert Outline(file.read_text("utf-8")).data["active"] == [2]
    words = ["page", "planar_2r", "-o", str(file), "--base", "floating", "--no-timings"]
    with pytest.raises(SystemExit, match=r"^jounce page: cannot write '.*bars\.html'.*--force"):
        cli.main([*words, "--quantities", "mass_matrix"])
    cli.main([*words, "--quantities", "mass_matrix", "--force"])
    assert Outline(file.read_text("utf-8")).data["floating"]


def test_mistakes_are_sentences(tmp_path: Path) -> None:
    robot = jounce.load("planar_2r")
    with pytest.raises(IsADirectoryError, match="it is a folder"):
        page.write_page(robot, tmp_path, [], timings=False)
    with pytest.raises(TypeError, match="a page shows a robot or a mechanism"):
        page.page_text("planar_2r")  # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError, match="title must be a string, found int"):
        page.page_text(robot, title=3)  # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError, match="quantities: expected names such as 'mass_matrix'"):
        page.page_text(robot, 3)  # pyright: ignore[reportArgumentType]
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError, match=r"cannot write '.*x\.html'"):
        page.write_page(robot, tmp_path / "file" / "x.html", [], timings=False)
    with pytest.raises(SystemExit, match="planar_2r has no closed loops"):
        cli.main(["page", "planar_2r", "-o", str(tmp_path / "x.html"), "--active", "joint1"])
    with pytest.raises(SystemExit, match="it is a folder"):
        cli.main(["page", "planar_2r", "-o", ""])
    with pytest.raises(SystemExit, match="nowhere"):
        cli.main(["page", str(tmp_path / "nowhere.urdf")])
    with pytest.raises(SystemExit, match="massmatrix"):
        cli.main(
            ["page", "planar_2r", "-o", str(tmp_path / "x.html"), "--quantities", "massmatrix"]
        )
