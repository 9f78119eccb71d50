"""Numbers in robot files are plain ASCII decimals, as other readers of the formats take them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from jounce.errors import ModelError
from jounce.io import read
from jounce.io.numbers import decimals, number

URDF = """<robot name="r"><link name="a"/><link name="b"><inertial><mass value="{mass}"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0 0 {place}"/>
<limit lower="-1" upper="{limit}" effort="1" velocity="1"/></joint></robot>"""
SDF = """<sdf version="1.9"><model name="m"><link name="a"/><link name="b">
<pose>0 0 {place} 0 0 0</pose><inertial><mass>{mass}</mass></inertial></link>
<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz>
<limit><lower>-1</lower><upper>{limit}</upper></limit></axis></joint></model></sdf>"""
FILES = {".urdf": URDF, ".sdf": SDF}
GOOD = {"mass": "1", "place": "2", "limit": "3"}

#: Spelled so, Python's float takes them or C's strtod does; the formats' own readers do not.
WORDS = ("٣", "１", "𝟏", "1_000", "0x10", "0x1p3", "nan", "-nan", "NaN", "infinity", "Infinity")
WORDS += ("++inf", "+-inf", "1e400", "-1e400", "1,5", "1f", "1d0", "e5", ".", "", "1\u00a0", "True")


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("place", GOOD)
@pytest.mark.parametrize("suffix", FILES)
def test_what_is_not_a_plain_number_is_refused(
    suffix: str, place: str, word: str, tmp_path: Path
) -> None:
    path = tmp_path / f"robot{suffix}"
    path.write_text(FILES[suffix].format(**GOOD), encoding="utf-8")
    assert read(path).nv == 1
    path.write_text(FILES[suffix].format(**{**GOOD, place: word}), encoding="utf-8")
    with pytest.raises(ModelError, match=rf"robot\{suffix}:\d+: .*expected .*number"):
        read(path)


@pytest.mark.parametrize("word", ["inf", "+inf", "INF"])
@pytest.mark.parametrize("suffix", FILES)
def test_limits_may_be_infinite_and_nothing_else(suffix: str, word: str, tmp_path: Path) -> None:
    path = tmp_path / f"robot{suffix}"
    path.write_text(FILES[suffix].format(**{**GOOD, "limit": word}))
    assert read(path).joints[0].upper == math.inf
    for place in ("mass", "place"):
        path.write_text(FILES[suffix].format(**{**GOOD, place: word}))
        with pytest.raises(ModelError, match="finite number"):
            read(path)


def test_versions_and_counts_are_ascii_too(tmp_path: Path) -> None:
    path = tmp_path / "robot.sdf"
    path.write_text(SDF.format(**GOOD).replace("1.9", "١.٩"), encoding="utf-8")
    with pytest.raises(ModelError, match="version"):
        read(path)


@pytest.mark.parametrize("attribute", ["mass", "armature", "pos", "axis", "anchor"])
def test_empty_numbers_of_mjcf_are_refused(attribute: str, tmp_path: Path) -> None:
    """MuJoCo takes mass="" for no mass, and then that of the geom's volume."""
    pytest.importorskip("mujoco")
    text = """<mujoco><worldbody><body name="b"><joint pos="0 0 0" axis="0 0 1" armature="0.1"/>
    <geom size="0.1" mass="2"/></body></worldbody><equality><connect body1="b" anchor="1 0 0"/>
    </equality></mujoco>"""
    path = tmp_path / "robot.mjcf"
    path.write_text(text)
    assert read(path).bodies[0].inertia[0] == 2.0
    path.write_text(re.sub(rf'{attribute}="[^"]*"', f'{attribute}=" "', text))
    with pytest.raises(ModelError, match=rf"robot\.mjcf:\d: .*'{attribute}': expected numbers"):
        read(path)


@pytest.mark.parametrize("word", ["yes", "", "2", "TRUE "])
def test_flags_of_sdf_are_true_or_false(word: str, tmp_path: Path) -> None:
    path = tmp_path / "robot.sdf"
    for old in ("<pose>", "<inertial>"):
        name = {"<pose>": "degrees", "<inertial>": "auto"}[old]
        new = f'{old[:-1]} {name}="{word}">'
        path.write_text(SDF.format(**GOOD).replace(old, new))
        if word == "TRUE " and name == "degrees":
            assert read(path).nv == 1
            continue
        with pytest.raises(ModelError, match=rf"attribute '{name}': "):
            read(path)


@pytest.mark.parametrize(
    "reader", [number, lambda word: decimals([word.encode()])[0], lambda word: float(word)]
)
@pytest.mark.parametrize("word", ["0", "-0.0", "1.5", "+2", ".5", "5.", "1e-400", "1E3", "5e-324"])
def test_plain_numbers_are_read_to_the_last_bit(reader: Callable[[str], float], word: str) -> None:
    assert reader(word) == float(word)
