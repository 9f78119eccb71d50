"""URDF texts made of parts, and the example robots that come with Pinocchio."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from jounce.model.model import Model
from support.helpers import quiet_read

INERTIAL = '<inertial><origin xyz="{c}" rpy="{r}"/><mass value="{m}"/>{i}</inertial>'


MATRIX = '<inertia ixx="{}" ixy="{}" ixz="{}" iyy="{}" iyz="{}" izz="{}"/>'


def link(name: str, m: float = 1.0, c: str = "0.1 0.2 0.3", r: str = "0.3 -0.2 0.5") -> str:
    i = MATRIX.format(0.3, 0.01, -0.02, 0.25, 0.03, 0.2)
    return f'<link name="{name}">{INERTIAL.format(m=m, c=c, r=r, i=i)}</link>'


def joint(name: str, kind: str, parent: str, child: str, inside: str = "") -> str:
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}">{ends}{inside}</joint>'


def robot(*parts: str) -> str:
    return '<?xml version="1.0"?>\n<robot name="r">\n' + "\n".join(parts) + "\n</robot>"


TREE = robot(
    '<gazebo><joint name="ignored"/></gazebo>',
    link("base_link"),
    link("z"),
    link("tip"),
    link("a"),
    link("slider"),
    link("plane"),
    joint(
        "jz", "continuous", "base_link", "z", '<axis xyz="0 3 4"/><limit effort="5" velocity="6"/>'
    ),
    joint(
        "jtip", "fixed", "z", "tip", '<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><axis xyz="0 0 0"/>'
    ),
    joint(
        "ja",
        "revolute",
        "base_link",
        "a",
        '<limit lower="-1" upper="2" effort="3" velocity="4"/>'
        '<dynamics damping="0.5" friction="0.25" armature="0.125"/>',
    ),
    joint(
        "js",
        "prismatic",
        "tip",
        "slider",
        '<origin xyz="0 0 1"/><axis xyz="0 0 -1"/><mimic joint="ja" multiplier="-2" offset="0.5"/>'
        '<limit lower="-1" upper="1" effort="1" velocity="1"/>',
    ),
    joint("jp", "planar", "a", "plane", '<axis xyz="0 0 1"/>'),
    '<transmission name="t"><joint name="jz"/></transmission>',
)


#: Files that are not robots: a joint without its link, no link at all, mimics of missing joints.
BROKEN = {"falcon.urdf", "ur3.urdf", "alex_psyonic_hands.urdf"}


@cache
def example_files() -> list[Path]:
    spec = find_spec("cmeel")
    places = [] if spec is None else [Path(p) for p in spec.submodule_search_locations or ()]
    roots = [p.parent / "cmeel.prefix/share/example-robot-data/robots" for p in places]
    return sorted(path for root in roots for path in root.rglob("*.urdf"))


def good_files() -> list[Path]:
    return [path for path in example_files() if path.name not in BROKEN]


def example_model(stem: str, base: str = "fixed") -> Model:
    """A robot of example-robot-data, by the name of its file."""
    found = {path.stem: path for path in good_files()}
    if stem not in found:
        pytest.skip("example-robot-data is not installed")
    return quiet_read(found[stem], base)
