"""How robots, quantities and results show themselves: on a terminal, in notebooks, as drawings."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import jounce
from jounce.identification import identify
from jounce.viewer.pictures.layout import COLUMNS, WIDEST, places
from jounce.viewer.pictures.tree import MAX_JOINTS, short_names
from jounce.viewer.pictures.words import span
from support import PROJECT

pytestmark = pytest.mark.shown

HOSTILE = '"><img src=x onerror=alert(1)>\u202e\x1b[31m\n&amp;]]>'

_VOID = {"br", "hr", "img", "meta"}


class Page(HTMLParser):
    """Tags of a piece of HTML, which must be closed in order, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def chain(count: int, kinds: tuple[str, ...] = ("revolute",), prefix: str = "l") -> jounce.Robot:
    builder = jounce.TreeBuilder("chain")
    for i in range(count):
        more = {} if i == 0 else {"parent": f"{prefix}{i - 1}"}
        builder.add(f"{prefix}{i}", kinds[i % len(kinds)], mass=1.0, com=(0.1, 0.0, 0.0), **more)
    return jounce.Robot(builder.build())


def hand() -> jounce.Robot:
    """A palm on a free joint, five fingers of three joints, the last of each follows the second."""
    builder = jounce.TreeBuilder("hand")
    builder.add("palm", "free", mass=1.0, inertia_com=np.eye(3) * 0.01)
    for f in range(5):
        above = "palm"
        for k in range(3):
            name = f"finger{f}_{k}"
            mimic = jounce.Mimic(f"{f}_{k - 1}", 0.5, 0.1) if k == 2 else None
            builder.add(
                name, "revolute", above, joint_name=f"{f}_{k}", mass=0.1, com=(0.1, 0, 0),
                mimic=mimic,
            )  # fmt: skip
            above = name
    return jounce.Robot(builder.build())


def centers(svg: str) -> list[tuple[float, float]]:
    """Where joints are drawn."""
    root = ElementTree.fromstring(svg)
    out = []
    for group in root.findall("{*}g"):
        if group.find("{*}title") is not None and group.find("{*}text") is not None:
            inner = group.find("{*}g")
            assert inner is not None
            x, y = re.findall(r"-?\d+", inner.attrib["transform"])[:2]
            out.append((float(x), float(y)))
    return out


# ------------------------------------------------------------------ where joints go


@pytest.mark.parametrize("count", [1, 7, WIDEST, 60])
def test_chains_stay_on_the_page(count: int) -> None:
    found = places([i - 1 for i in range(count)])
    assert len({(p.column, p.row) for p in found}) == count
    last = count if count <= WIDEST else COLUMNS
    assert max(p.column for p in found) == last
    assert [p.row for p in found] == [i // last for i in range(count)]
    assert sum(p.wrapped for p in found) == (count - 1) // last


def test_trees_have_a_place_for_each_joint_and_no_recursion() -> None:
    rng = np.random.default_rng(0)
    for n in (5, 60, 200):
        parents = [int(rng.integers(-1, i)) for i in range(n)]
        found = places(parents)
        assert len({(p.column, p.row) for p in found}) == n
        for i, parent in enumerate(parents):
            before = 0 if parent < 0 else found[parent].column
            assert found[i].wrapped or found[i].column == before + 1
    assert len(places([i - 1 for i in range(5000)])) == 5000


def test_names_are_short() -> None:
    names = [f"panda_{x}_joint" for x in ("a", "left_shoulder_pitch", "b", "c")]
    assert short_names(names) == [["a"], ["left_shoulder_", "pitch"], ["b"], ["c"]]
    assert short_names(["a_joint", "b_joint"]) == [["a_joint"], ["b_joint"]]
    assert short_names(["x" * 40])[0][0].count("…") == 1
    assert all(len(line) <= 14 for line in short_names(["pneumonoultramicroscopic_" * 3])[0])
    assert short_names(["関節" * 20])[0] == ["関節関…節関節"]


# ------------------------------------------------------------------ drawings


def test_a_drawing_shows_every_joint(tmp_path: Path) -> None:
    for robot in (jounce.load("kuka_iiwa14"), hand(), chain(60), jounce.load("toro25")):
        drawing = robot.view.tree()
        found = centers(str(drawing))
        assert len(found) == len(set(found)) == robot.nb
        for x, y in found:
            assert 0 < x < drawing.width
            assert 0 < y < drawing.height
        assert drawing._repr_svg_() == str(drawing)
        assert 'color="currentColor"' in drawing._repr_html_()
        file = drawing.save(tmp_path / "tree.svg", overwrite=True)
        assert ElementTree.parse(file).getroot().tag == "{http://www.w3.org/2000/svg}svg"
    with pytest.raises(jounce.ArgumentError, match=r"\.svg, found 'tree\.png'"):
        drawing.save(tmp_path / "tree.png")
    assert repr(drawing).startswith("<drawing of a kinematic tree")


def test_kinds_have_their_symbols() -> None:
    kinds = ("revolute", "prismatic", "helical", "cylindrical", "universal", "spherical", "planar")
    svg = str(chain(7, kinds).view.tree())
    legend = [x.text for x in ElementTree.fromstring(svg).findall("{*}g/{*}text")]
    assert [x for x in legend if x in kinds] == list(kinds)
    assert len({re.sub("#......", "", s) for s in re.findall(r"<g fill.*?</g>", svg)}) >= 3
    jounce.model.joints.add(
        jounce.model.joints.Kind("ball_and_slide", (jounce.model.joints.SPHERICAL,) * 2)
    )
    try:
        assert "ball_and_slide" in str(chain(1, ("ball_and_slide",)).view.tree())
    finally:
        jounce.model.joints.remove("ball_and_slide")


def test_followers_loops_and_contacts_are_marked() -> None:
    svg = str(hand().view.tree())
    assert svg.count("= 0.5 * ") == 10  # the arc, and the joint itself
    assert 'stroke-dasharray="1 4"' in svg  # a floating base
    assert svg.count(">follows others<") == svg.count(">mimics<") == 1
    tree = jounce.load("five_bar")
    assert "follows others" not in str(tree.view.tree())
    assert "<title>loop " in str(tree.view.tree())
    mechanism = tree.closed()
    hollow = 'stroke-dasharray="3 2"'
    assert str(tree.view.tree()).count(hollow) == 0
    assert str(mechanism.view.tree()).count(hollow) == tree.nv - mechanism.nv + 1
    legs = hand().edit.with_contact("finger0_2").edit.with_contact("finger1_2", "surface")
    faint = 'opacity="0.35"'
    assert str(legs.view.tree()).count(faint) == 0
    assert ", 2 contacts" in str(legs).splitlines()[0]
    assert ", 1 contact" in str(legs.contacts("finger1_2")).splitlines()[0]
    assert ", 2 contacts" in str(legs.contacts()).splitlines()[0]
    one = str(legs.contacts("finger1_2").view.tree())
    assert one.count(faint) == 1
    assert "contact finger1_2 (surface)" in one


def test_very_long_robots_are_drawn_in_part() -> None:
    robot = chain(MAX_JOINTS + 5)
    drawing = robot.view.tree()
    assert len(centers(str(drawing))) == MAX_JOINTS
    assert "5 further joints not drawn" in str(drawing)


# ------------------------------------------------------------------ terminal


def test_print_is_a_table() -> None:
    robot = jounce.load("kuka_iiwa14")
    first, heads, *rows = str(robot).splitlines()
    assert first == f"kuka_iiwa14: 7 joints, nq = 7, nv = 7, {robot.model.mass:.6g} kg"
    assert heads.split() == ["joint", "kind", "parent", "q", "v", "limits", "mass,", "kg"]
    assert [row.split()[0] for row in rows] == robot.model.joint_names
    assert rows[1].split() == [
        *("joint2", "revolute", "link1", "1", "1"),
        "-2.094",
        "..",
        "2.094",
        "6.35",
    ]
    assert "\n" not in repr(robot)
    assert len(str(chain(60)).splitlines()) == 62
    assert max(map(len, str(jounce.load("toro25")).splitlines())) <= 120
    assert "1 loop" in str(jounce.load("four_bar").closed())


def test_print_of_followers_and_mechanisms() -> None:
    rows = [line.split() for line in str(hand()).splitlines()]
    assert rows[2][3:5] == ["0:7", "0:6"]
    assert rows[5][:5] == ["0_2", "revolute", "finger0_1", "-", "-"]
    assert rows[5][5:12] == ["=", "0.5", "*", "0_1", "+", "0.1", "0.1"]
    mechanism = jounce.load("five_bar").closed()
    rows = [line.split() for line in str(mechanism).splitlines()[2:]]
    assert [row[3] for row in rows] == ["0", "1", "2", "3"]
    assert [k for k, row in enumerate(rows) if row[4] != "-"] == sorted(mechanism.active)
    assert span([]) == ""
    assert span([0, 4]) == "0, 4"


def test_mass() -> None:
    robot = hand()
    assert robot.model.mass == pytest.approx(1.0 + 15 * 0.1, rel=1e-14)
    assert isinstance(robot.model.mass, float)
    fixed = jounce.load("kuka_iiwa14")
    assert fixed.model.mass == pytest.approx(float(fixed.model.parameters[:, 0].sum()), rel=1e-14)
    assert jounce.load("five_bar").closed().model.mass == jounce.load("five_bar").model.mass


def test_joint_views() -> None:
    robot = hand()
    assert repr(robot.joints["0_0"]) == "<joint '0_0': revolute, q[7:8], v[6:7]>"
    assert repr(robot.joints["0_2"]) == "<joint '0_2': revolute, q[8:9], v[7:8], follows '0_1'>"


# ------------------------------------------------------------------ notebooks


def test_robots_in_notebooks() -> None:
    for robot in (
        jounce.load("kuka_iiwa14"),
        jounce.load("five_bar").closed(),
        hand().edit.with_contact("finger0_2").contacts(),
    ):
        page = Page(robot._repr_html_())
        assert page.tags.count("svg") == 1
        assert page.tags.count("tr") == len(robot.joints) + 1
        for name in robot.joints:
            assert name in page.text
        assert f"{robot.model.mass:.6g} kg" in page.text
    assert "open" in jounce.load("kuka_iiwa14")._repr_html_().partition("<details")[2][:6]
    assert "open" not in hand()._repr_html_().partition("<details")[2][:6]


def test_nothing_of_a_file_is_obeyed() -> None:
    builder = jounce.TreeBuilder(HOSTILE)
    builder.add(HOSTILE, "revolute", joint_name=HOSTILE, mass=1.0, com=(0.1, 0, 0))
    builder.add("b", "revolute", HOSTILE, joint_name=f"{HOSTILE}b", mass=1.0, com=(0.1, 0, 0),
                mimic=jounce.Mimic(HOSTILE))  # fmt: skip
    robot = jounce.Robot(builder.build()).edit.with_contact(HOSTILE, name=HOSTILE)
    shown = [
        robot._repr_html_(),
        robot.contacts()._repr_html_(),
        robot.mass_matrix._repr_html_(),
        robot.frame(HOSTILE)._repr_html_(),
        robot.view.tree()._repr_html_(),
    ]
    for text in shown:
        page = Page(text)
        assert "img" not in page.tags
        assert "script" not in page.tags
        assert "\u202e" not in text
        assert "\x1b" not in text
    ElementTree.fromstring(str(robot.view.tree()))
    assert str(robot).replace("\n", "").isprintable()


def test_long_names_show_where_the_pointer_rests() -> None:
    robot = chain(2, prefix="pneumonoultramicroscopicsilicovolcanoconiosis")
    text = robot._repr_html_()
    assert f'title="{robot.model.joint_names[1]}"' in text
    assert f"<td>{robot.model.joint_names[1]}" not in text


def test_quantities_in_notebooks() -> None:
    robot = jounce.load("kuka_iiwa14")
    for quantity in (robot.mass_matrix, robot.inverse_dynamics.dq, robot.frame("tool").jacobian):
        page = Page(quantity._repr_html_())
        row = quantity.definition
        assert row.doc in page.text
        for name in (*row.arguments, *row.optional, *row.result_names):
            assert name in page.text
        assert row.equation in page.text
        assert ".rates(k)" in page.text
    assert "(..., nv=7, nv=7)" in Page(robot.mass_matrix._repr_html_()).text
    assert "kg m^2" in Page(robot.mass_matrix._repr_html_()).text
    assert "method='euler'" in Page(robot.step._repr_html_()).text.replace('"', "'")
    assert "extended=False" in Page(robot.inverse_dynamics.dpi._repr_html_()).text
    assert "rates(k)" not in Page(robot.elastic_inverse_dynamics._repr_html_()).text


def test_frames_in_notebooks() -> None:
    page = Page(jounce.load("kuka_iiwa14").frame("tool")._repr_html_())
    assert "Fixed in link 'link7', at (0, 0, 0.045) m." in page.text
    assert ".jacobian(q)" in page.text


def test_identification_in_notebooks() -> None:
    robot = chain(2)
    rng = np.random.default_rng(0)
    q, v, a = rng.standard_normal((3, 200, 2))
    data = {"q": q, "v": v, "a": a, "tau": robot.inverse_dynamics(q, v, a)}
    page = Page(identify(robot, data, method="ols", folds=0)._repr_html_())
    for word in ("Identification of chain", "ordinary least squares", "l0", "l1", "residual"):
        assert word in page.text


# ------------------------------------------------------------------ the page


def test_the_page_runs_and_shows_what_is_printed() -> None:
    page = (PROJECT / "docs" / "guide" / "notebooks.md").read_text("utf-8")
    session: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL):
        exec(compile(block, "notebooks.md", "exec"), session)
    (printed,) = re.findall(r"```text\n(.*?)```", page, flags=re.DOTALL)
    assert printed == f"{session['robot']}\n"


@pytest.mark.parametrize("name", ["toro25", "five-bar"])
def test_drawings_of_the_page_are_current(name: str) -> None:
    robot = jounce.load("toro25") if name == "toro25" else jounce.load("five_bar").closed()
    file = PROJECT / "docs" / "pictures" / f"{name}-tree.svg"
    assert file.read_text("utf-8") == f"{robot.view.tree()}\n", "save plot_tree() there again"
