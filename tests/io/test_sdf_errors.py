"""SDF files that cannot be used: the message names what and where."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import numpy as np
import pytest

from jounce.errors import ModelError
from jounce.io import placement, read, read_sdf
from jounce.math.lie import exp_se3
from support.helpers import assert_close
from support.sdf_files import arm, axis, joint, link, sdf

#: what to add to the arm, or to replace in it, and the words of the message
BAD: dict[str, tuple[str, str, list[str]]] = {
    "include": (
        "",
        "<include><uri>model://x</uri></include>",
        [":8:", "<include>", "not supported"],
    ),
    "no parent": ("<parent>base</parent>", "", [":6:", "joint 'j'", "<parent>"]),
    "no child": ("<child>arm</child>", "", [":6:", "joint 'j'", "<child>"]),
    "empty child": ("<child>arm</child>", "<child> </child>", [":6:", "joint 'j'", "some text"]),
    "unknown child": (">arm</child>", ">leg</child>", [":6:", "joint 'j'", "'leg'", "base, arm"]),
    "unknown parent": (
        ">base</parent>",
        ">leg</parent>",
        [":6:", "'j'", "<parent>", "'leg'", "base"],
    ),
    "child world": (">arm</child>", ">world</child>", [":6:", "joint 'j'", "cannot be the world"]),
    "itself": (">base</parent>", ">arm</parent>", [":6:", "'j'", "both fixed to link 'arm'"]),
    "type": ('"revolute"', '"gearbox"', [":6:", "joint 'j'", "'gearbox'", "revolute, continuous"]),
    "no type": (' type="revolute"', "", [":6:", "joint 'j'", "'type'"]),
    "same name": ("", link("arm"), [":8:", "link 'arm'", "line 5", "same name"]),
    "reserved": ("", link("world"), ["link 'world'", "reserved"]),
    "colons": ("", link("a::b"), ["'a::b'", "reserved"]),
    "two roots": ("", link("alone"), [":8:", "link 'alone'", "found 2", "base, alone"]),
    "pose": (
        "",
        link("x", "<pose>1 2 3</pose>"),
        [":8:", "link 'x'", "<pose>", "6 finite", "1 2 3"],
    ),
    "NaN": ("", link("x", "<pose>1 2 3 0 0 nan</pose>"), ["link 'x'", "<pose>", "finite"]),
    "relative": (
        "",
        link("x", "<pose relative_to='y'/>"),
        ["'x'", "<pose>", "no frame 'y'", "base"],
    ),
    "circle": (
        "",
        "<frame name='f'><pose relative_to='g'/></frame>"
        "<frame name='g'><pose relative_to='f'/></frame>",
        ["in a circle", "f", "g"],
    ),
    "attached": (
        "",
        "<frame name='f' attached_to='g'/><frame name='g' attached_to='f'/>",
        ["in a circle", "f", "g"],
    ),
    "rotation": (
        "",
        link("x", "<pose rotation_format='x'/>"),
        ["<pose>", "euler_rpy or quat_xyzw"],
    ),
    "quaternion": (
        "",
        link("x", "<pose rotation_format='quat_xyzw'>0 0 0 0 0 0 2</pose>"),
        ["<pose>", "unit quaternion"],
    ),
    **{
        f"inertial {i}": ('<link name="arm">', f'<link name="arm">{inside}', [":5:", *words])
        for i, (inside, words) in enumerate(
            (
                ("<inertial><mass>-1</mass></inertial>", ["'arm'", "<inertial>", "-1"]),
                ("<inertial><mass>a</mass></inertial>", ["'arm'", "<inertial>", "<mass>", "'a'"]),
                ('<inertial auto="true"/>', ["'arm'", "<inertial>", "'auto'"]),
                (
                    '<inertial><pose relative_to="base"/></inertial>',
                    ["'arm'", "<inertial>", "relative to its link"],
                ),
            )
        )
    },
    "zero axis": ("</child>", f"</child>{axis('0 0 0')}", [":6:", "joint 'j'", "<xyz>", "zero"]),
    "flag": ("", "<static>maybe</static>", [":8:", "<static>", "true or false", "maybe"]),
    "canonical": ('name="m"', 'name="m" canonical_link="x"', [":3:", "model 'm'", "no frame 'x'"]),
    "placement": ('name="m"', 'name="m" placement_frame="x"', [":3:", "model 'm'", "no frame 'x'"]),
    "version": ('version="1.9"', 'version="new"', [":2:", "'version'", "new"]),
    "no name": ('<model name="m"', "<model", [":3:", "<model>", "'name'"]),
    "empty": ("", "<model name='x'/>", [":8:", "model 'x'", "at least one <link>"]),
}


@pytest.mark.parametrize("case", BAD)
def test_message_names_the_culprit(case: str, tmp_path: Path) -> None:
    old, new, words = BAD[case]
    good = arm()
    assert old in good
    bad = good.replace(old, new, 1) if old else arm("", new)
    path = tmp_path / "bad.sdf"
    path.write_text(bad)
    pattern = ".*".join(re.escape(word) for word in ["bad.sdf", *words])
    with pytest.raises(ModelError, match=re.compile(pattern, re.DOTALL)):
        read(path)


def test_not_one_model() -> None:
    two = '<sdf version="1.9"><model name="a"><link name="l"/></model><model name="b"/></sdf>'
    with pytest.raises(ModelError, match="expected one model that is not static, found: a, b"):
        read_sdf(two)
    with pytest.raises(ModelError, match="expected one <model> or one <world>, found 0 and 0"):
        read_sdf('<sdf version="1.9"/>')
    with pytest.raises(ModelError, match="expected <sdf>"):
        read_sdf("<robot/>")
    for tag in ("include", "joint"):
        with pytest.raises(ModelError, match=f"<{tag}> in a <world> is not supported"):
            read_sdf(f'<sdf version="1.9"><world name="w"><{tag}/></world></sdf>')
    with pytest.raises(ModelError, match="cannot place 'x' in the world"):
        read_sdf(arm('<pose relative_to="x"/>'))


def test_long_chain_does_not_recurse() -> None:
    n = 2000
    links = [
        link(f"l{i}", f'<pose relative_to="l{i - 1}">0 0 1 0 0 0</pose>' if i else "")
        for i in range(n)
    ]
    joints = [joint(f"j{i}", "revolute", f"l{i - 1}", f"l{i}") for i in range(1, n)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = read_sdf(sdf(*links, *joints))
    assert model.nv == n - 1
    assert_close(model.joints[-1].placement[:3, 3], (0, 0, 1))


OLD = """<sdf version="{}"><model name="m">
<joint name="arm" type="revolute"><parent>base</parent><child>arm</child></joint>
<link name="base"/><link name="arm"/><link name="hand::palm"/>
<frame name="hand::__model__" attached_to="arm"><pose>0 0 0 0 0 1.5707963267948966</pose></frame>
<joint name="hand::grip" type="prismatic"><pose>1 0 0 0 0 0</pose>
<parent>arm</parent><child>hand::palm</child><axis><xyz {}>1 0 0</xyz></axis></joint>
</model></sdf>"""


def test_names_of_old_versions() -> None:
    """Links and joints could share a name, and nested models were written out with colons."""
    for version in ("1.4", "1.6"):
        model = read_sdf(OLD.format(version, ""))
        assert [x.name for x in model.joints] == ["arm_joint", "hand::grip"]
        assert [x.name for x in model.frames] == ["base", "arm", "hand::palm", "hand::__model__"]
    flat = OLD.replace('joint name="arm"', 'joint name="j"')
    model = read_sdf(flat.format("1.7", 'expressed_in="hand::__model__"'))
    assert_close(model.joints[1].axis, (0.0, 1.0, 0.0))
    with pytest.raises(ModelError, match="joint 'arm': the link of line 3 has the same name"):
        read_sdf(OLD.format("1.7", ""))
    with pytest.raises(ModelError, match="'hand::palm' is reserved"):
        read_sdf(flat.format("1.8", ""))


def test_gravity_of_a_world_is_the_formats() -> None:
    model = '<model name="m"><link name="l"/></model>'
    for text, z in ((model, -9.81), (f'<world name="w">{model}</world>', -9.8)):
        assert read_sdf(f'<sdf version="1.9">{text}</sdf>').gravity.tolist() == [0.0, 0.0, z]


def test_suffixes_and_root_element(tmp_path: Path) -> None:
    for name in ("a.sdf", "a.world", "a.xml", "a.SDF"):
        (tmp_path / name).write_text(arm())
        assert read(tmp_path / name).nv == 1
    E = np.eye(4)
    E[:3, :3], E[:3, 3] = exp_se3(np.array((0, 0, 1.0, 0, 0, 0)), 0.3)
    assert_close(E, placement(rpy=(0, 0, 0.3)))
