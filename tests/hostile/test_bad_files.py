"""Files that cannot be used: the message names the file, the line, the culprit and the choices."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jounce.errors import ModelError
from jounce.io import read, read_urdf
from jounce.io.xml import MAX_BYTES, MAX_DEPTH, read_xml

GOOD = """<robot name="r">
<link name="a"/>
<link name="b">
<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
</link>
<link name="c"/>
<joint name="ab" type="revolute">
<parent link="a"/>
<child link="b"/>
<origin xyz="0 0 0" rpy="0 0 0"/>
<axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/>
</joint>
<joint name="bc" type="prismatic">
<parent link="b"/>
<child link="c"/>
<axis xyz="0 0 1"/>
<mimic joint="ab"/>
</joint>
</robot>"""

#: what to replace in GOOD, by what, and what the message must contain (in this order)
CASES = {
    "malformed": ("</robot>", "</robt>", [":20:", "malformed XML", "mismatched tag"]),
    "cut off": ("</joint>\n</robot>", "", [":19:", "malformed XML", "no element found"]),
    "two documents": ("</robot>", "</robot><robot/>", ["malformed XML", "junk after"]),
    "undefined entity": ('"bc"', '"&x;"', [":14:", "undefined entity"]),
    "doctype": ("<robot", "<!DOCTYPE r><robot", [":1:", "DOCTYPE", "refused"]),
    "repeated attribute": ('name="a"', 'name="a" name="a"', [":2:", "duplicate attribute"]),
    "no robot": ("robot", "mujoco", [":1:", "mujoco 'r'", "one <robot>", "found 0"]),
    "nameless link": ('<link name="c"', "<link", [":6:", "<link>", "attribute 'name'"]),
    "two links": ('<link name="c"', '<link name="b"', [":6:", "link 'b'", "line 3", "same name"]),
    "two joints": ('name="bc"', 'name="ab"', [":14:", "joint 'ab'", "line 7", "same name"]),
    "no parent": ('<parent link="b"/>', "", [":14:", "joint 'bc'", "<parent>", "<child>"]),
    "no child": ('<child link="c"/>', "", [":14:", "joint 'bc'", "<child>"]),
    "empty child": ('<child link="c"/>', "<child/>", [":16:", "'bc'", "<child>", "'link'"]),
    "unknown parent": ('parent link="b"', 'parent link="x"', [":15:", "'bc'", "'x'", "a, b, c"]),
    "unknown child": ('child link="c"', 'child link="x"', [":16:", "'bc'", "'x'", "a, b, c"]),
    "two parents": ('child link="c"', 'child link="b"', [":14:", "'bc'", "'b'", "'ab'"]),
    "no root": ('child link="c"', 'child link="a"', [":", "cycle", "ab", "bc"]),
    "self loop": ('parent link="b"', 'parent link="c"', [":14:", "'bc'", "cycle: bc"]),
    "no type": (' type="revolute"', "", [":7:", "joint 'ab'", "'type'"]),
    "unknown type": (
        '"revolute"',
        '"hinge"',
        [
            ":7:",
            "joint 'ab'",
            "'hinge'",
            "revolute, continuous, prismatic, planar, floating, fixed",
        ],
    ),
    "zero axis": ('<axis xyz="0 0 1"/>\n<limit', '<axis xyz="0 0 0"/>', [":11:", "'ab'", "<axis>"]),
    "tiny axis": (
        '<axis xyz="0 0 1"/>\n<limit',
        '<axis xyz="0 0 1e-12"/>',
        [":7:", "'ab'", "axis"],
    ),
    "short axis": ('xyz="0 0 1"', 'xyz="0 1"', [":11:", "'ab'", "'xyz'", "3 finite", "'0 1'"]),
    "axis without xyz": ('<axis xyz="0 0 1"/>', "<axis/>", [":11:", "'ab'", "'xyz'", "missing"]),
    "word in origin": (
        'rpy="0 0 0"',
        'rpy="0 0 x"',
        [":10:", "'ab'", "<origin>", "'rpy'", "0 0 x"],
    ),
    "NaN in origin": ('rpy="0 0 0"', 'rpy="0 0 nan"', [":10:", "'ab'", "'rpy'", "0 0 nan"]),
    "underscore": ('rpy="0 0 0"', 'rpy="0 0 1_0"', [":10:", "'ab'", "'rpy'", "1_0"]),
    "NaN mass": ('value="1"', 'value="nan"', [":4:", "link 'b'", "<mass>", "'value'", "nan"]),
    "infinite mass": ('value="1"', 'value="inf"', [":4:", "link 'b'", "<mass>", "'value'", "inf"]),
    "negative mass": ('value="1"', 'value="-1"', [":4:", "link 'b'", "<mass>", ">= 0", "-1"]),
    "no mass": ('<mass value="1"/>', "", [":4:", "link 'b'", "<inertial>", "<mass>", "<inertia>"]),
    "no inertia": ("<inertia ", "<x ", [":4:", "link 'b'", "<inertia>"]),
    "no izz": (' izz="1"', "", [":4:", "link 'b'", "<inertia>", "'izz'", "missing"]),
    "bad limit": ('lower="-1"', 'lower="low"', [":12:", "'ab'", "<limit>", "'lower'", "low"]),
    "negative damping": (
        "<limit",
        '<dynamics damping="-1"/><limit',
        [":7:", "'ab'", "damping", "-1"],
    ),
    "mimic of nothing": ('mimic joint="ab"', 'mimic joint="x"', [":18:", "'bc'", "'x'", "ab, bc"]),
    "mimic without joint": ('<mimic joint="ab"/>', "<mimic/>", [":18:", "'bc'", "<mimic>"]),
    "mimic of fixed": ('"revolute"', '"fixed"', [":18:", "'bc'", "'ab'", "cannot lead", "bc"]),
    "mimic of itself": ('mimic joint="ab"', 'mimic joint="bc"', ["circle", "bc"]),
    "bad multiplier": (
        'mimic joint="ab"',
        'mimic joint="ab" multiplier="two"',
        [":18:", "'bc'", "'multiplier'", "two"],
    ),
    "planar mimic": ('"prismatic"', '"planar"', [":14:", "'bc'", "one degree of freedom"]),
    "both rotations": (
        'rpy="0 0 0"',
        'rpy="0 0 0" quat_xyzw="0 0 0 1"',
        [":10:", "'ab'", "both"],
    ),
    "no quaternion": ('rpy="0 0 0"', 'quat_xyzw="0 0 0 0"', [":10:", "'ab'", "unit quaternion"]),
    "xacro tag": (
        '<link name="c"/>',
        '<xacro:macro name="m"/>',
        [":6:", "xacro:macro 'm'", "expand"],
    ),
    "xacro number": ('value="1"', 'value="${m}"', [":4:", "link 'b'", "'value'", "${m}", "xacro"]),
}


@pytest.mark.parametrize("case", CASES)
def test_message_names_the_culprit(case: str, tmp_path: Path) -> None:
    old, new, words = CASES[case]
    assert old in GOOD
    path = tmp_path / "bad.urdf"
    path.write_text(GOOD.replace(old, new, -1 if old == "robot" else 1))
    pattern = ".*".join(re.escape(word) for word in ["bad.urdf", *words])
    with pytest.raises(ModelError, match=re.compile(pattern, re.DOTALL)):
        read(path)


def test_the_good_file_is_good() -> None:
    assert read_urdf(GOOD).nv == 1


def test_no_link() -> None:
    with pytest.raises(ModelError, match=r"<string>:1: robot 'r': .*at least one <link>"):
        read_urdf('<robot name="r"/>')


def test_two_roots() -> None:
    text = GOOD.replace("</robot>", '<link name="alone"/></robot>')
    with pytest.raises(ModelError, match=r"link 'alone'.*one root link.*a, alone"):
        read_urdf(text)


def test_cycle_beside_a_root() -> None:
    pair = '<joint name="{0}{1}" type="fixed"><parent link="{0}"/><child link="{1}"/></joint>'
    links = '<link name="d"/><link name="e"/><link name="f"/>'
    joints = pair.format("d", "e") + pair.format("e", "d") + pair.format("d", "f")
    with pytest.raises(ModelError, match=r"cycle: (de -> ed|ed -> de)"):
        read_urdf(GOOD.replace("</robot>", links + joints + "</robot>"))


def test_wrong_encoding(tmp_path: Path) -> None:
    path = tmp_path / "latin.urdf"
    path.write_bytes(GOOD.replace('"c"', '"ç"').encode("latin-1"))
    with pytest.raises(ModelError, match=r"latin.urdf:6: .*0xe7 in line 6 is not UTF-8"):
        read(path)
    path.write_bytes(b'<?xml version="1.0" encoding="klingon"?>' + GOOD.encode())
    with pytest.raises(ModelError, match=r"latin.urdf:1: .*encoding"):
        read(path)
    path.write_bytes(b'<?xml version="1.0" encoding="latin-1"?>' + GOOD.encode("latin-1"))
    assert read(path).nb == 2
    with pytest.raises(ModelError, match="not valid Unicode"):
        read_urdf(GOOD.replace("ab", "\ud800"))


@pytest.mark.parametrize("content", [b"", b"\x00\x01\x02", b"\xff\xfe", b"{}", b"<", b"<robot"])
def test_not_xml_at_all(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "junk.urdf"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=r"junk.urdf:1: malformed XML"):
        read(path)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"cannot read '.*none.urdf': No such file"):
        read(tmp_path / "none.urdf")
    (tmp_path / "folder.urdf").mkdir()
    with pytest.raises(ModelError, match=r"cannot read '.*folder.urdf': .*irectory"):
        read(tmp_path / "folder.urdf")
    with pytest.raises(ModelError, match="cannot read"):
        read_urdf("")
    with pytest.raises(ModelError, match="null byte"):
        read_urdf("a\0.urdf")


def test_entity_expansion_depth_and_size_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><robot name="&b;"/>'
    with pytest.raises(ModelError, match="entity declarations are refused"):
        read_xml(bomb)
    deep = "<a>" * MAX_DEPTH
    assert read_xml(deep + "</a>" * MAX_DEPTH).tag == "a"
    with pytest.raises(ModelError, match=f"nested more than {MAX_DEPTH} deep"):
        read_xml("<a>" + deep)
    assert MAX_BYTES == 64 * 2**20
    monkeypatch.setattr("jounce.io.xml.MAX_BYTES", 10)
    with pytest.raises(ModelError, match="at most 10 bytes"):
        read_xml(GOOD)


def test_read_lists_what_it_knows(tmp_path: Path) -> None:
    with pytest.raises(
        ModelError, match=r"\.urdf,.* or \.xml,.*iiwa14_mueller_kumar2021, franka, planar_2r"
    ):
        read("kuka")
    for source in ("planar_2r", tmp_path / "x.urdf"):
        with pytest.raises(ValueError, match="fixed, floating, found 'flying'"):
            read(source, base="flying")
    with pytest.raises(ModelError, match="gravity"):
        read_urdf(GOOD, gravity=(0, 0))
