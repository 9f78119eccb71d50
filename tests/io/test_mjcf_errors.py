"""MJCF files that cannot be used: the message names what and where."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from jounce.errors import ModelError
from jounce.io import read, read_mjcf
from jounce.io.mjcf.source import MAX_ELEMENTS
from support.mjcf_files import LINK, chain, mjcf

pytest.importorskip("mujoco")

BAD = {
    "schema": ('axis="0 1 0"', 'axes="0 1 0"', r":2: <worldbody>: .*joint 'b': .*'axes'"),
    "number": ('axis="0 1 0"', 'axis="0 x 0"', r":2: .*joint 'b': .*'axis'"),
    "NaN": ('axis="0 1 0"', 'axis="0 nan 0"', r":2: .*joint 'b': attribute 'axis': .*nan"),
    "zero axis": ('axis="0 1 0"', 'axis="0 0 0"', r":2: .*joint 'b'.*axis"),
    "massless": (LINK, "", r":2: .*body 'C'.*mass|:2: .*mass"),
    "two names": ('name="b"', 'name="a"', r".*repeated name 'a' in joint"),
    "unknown body": (
        "</mujoco>",
        '<equality><weld body1="X"/></equality></mujoco>',
        r":4: .*weld.*X",
    ),
    "flex": (
        "</mujoco>",
        "<deformable><flex/></deformable></mujoco>",
        r":4: .*flex.*not supported",
    ),
    "replicas": (
        "</worldbody>",
        f'<replicate count="{MAX_ELEMENTS}"><replicate count="9999999999999999999999"><geom/>'
        "</replicate></replicate></worldbody>",
        rf":2: .*replicate.*at most {MAX_ELEMENTS}",
    ),
    "doctype": ("<mujoco", "<!DOCTYPE x><mujoco", ":1: DOCTYPE and entity declarations"),
    "root": ("mujoco", "robot", ":1: <robot>: expected <mujoco>"),
    "cut": ("</mujoco>", "", ":4: malformed XML"),
    "mesh": (
        "<worldbody>",
        '<asset><mesh builtin="wedge" params="1e9 1 1 1 1" name="s"/></asset>'
        '<worldbody><body><joint/><geom type="mesh" mesh="s"/></body>',
        r":2: .*mesh 's': .*params.*up to 200",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_message_names_the_culprit(case: str, tmp_path: Path) -> None:
    old, new, message = BAD[case]
    text = chain()
    assert old in text
    path = tmp_path / "bad.xml" if case != "root" else tmp_path / "bad.mjcf"
    path.write_text(text.replace(old, new, -1 if old in ("mujoco", LINK) else 1))
    with pytest.raises(ModelError, match=re.compile(rf"bad\.\w+{message}", re.DOTALL)):
        read(path)


def test_too_many_bodies_are_refused_quickly() -> None:
    many = f"<body>{LINK}<joint/></body>" * (MAX_ELEMENTS // 3 + 1)
    with pytest.raises(ModelError, match=f"at most {MAX_ELEMENTS}"):
        read_mjcf(mjcf(many))


def test_without_mujoco_the_message_names_the_extra() -> None:
    code = (
        "import sys; sys.modules['mujoco'] = None\nimport jounce.io\n"
        "try: jounce.io.read_mjcf('<mujoco/>')\n"
        "except ImportError as error: print(error)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert 'pip install "jounce[mujoco]"' in result.stdout
