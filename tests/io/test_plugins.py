"""Readers, joint kinds, targets and array libraries found by entry points."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce import io
from jounce.compiler import targets
from jounce.errors import JounceWarning
from jounce.model import joints

MODULE = """
from jounce import TreeBuilder
from jounce.compiler.targets import interpreter
from jounce.model import joints

class Array:
    def __init__(self, values): self.values = values
    def __dlpack__(self): raise BufferError

class ArrayKind:
    name = "toy"
    def call(self, quantity, args, named):
        values = [getattr(x, "values", x) for x in args]
        return Array(quantity.evaluate(values, named))
    def is_traced(self, x): return False

ARRAY_KIND = ArrayKind()

KIND = joints.Kind("double_slide", (joints.PRISMATIC, joints.REVOLUTE),
                   aliases={"urdf": ("slider",)})
TARGET = type(interpreter.TARGET)()

def read(path, *, base=None, gravity=None, package_dirs=()):
    builder = TreeBuilder("toy", source=str(path))
    builder.add("bob", "revolute", mass=2, com=(1, 0, 0))
    return builder.build()
"""

ENTRY_POINTS = """
[jounce.readers]
.toy = toy_plugin:read
.broken = toy_plugin_missing:read
.wrong = toy_plugin:__name__

[jounce.joint_kinds]
double_slide = toy_plugin:KIND
misnamed = toy_plugin:KIND

[jounce.targets]
toy = toy_plugin

[jounce.array_libraries]
toy_plugin = toy_plugin:ARRAY_KIND
toy_wrong = toy_plugin:KIND
"""

URDF = """<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="{}"><parent link="a"/><child link="b"/></joint></robot>"""


@pytest.fixture(autouse=True)
def distribution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A distribution on the import path, with a module and its metadata."""
    metadata = tmp_path / "toy_plugin-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-plugin\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(ENTRY_POINTS)
    (tmp_path / "toy_plugin.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("toy_plugin", None)
    io.READERS.pop(".toy", None)
    targets.TARGETS.pop("toy", None)
    if "double_slide" in joints.KINDS:
        joints.remove("double_slide")


def test_nothing_is_imported_for_known_names() -> None:
    jounce.load("planar_2r", target="interpreter")
    assert "toy_plugin" not in sys.modules


def test_reader(tmp_path: Path) -> None:
    (tmp_path / "arm.toy").write_text("")
    for _ in range(2):
        assert jounce.load(tmp_path / "arm.toy").nv == 1
    assert jounce.load(str(tmp_path / "arm.TOY")).nv == 1


@pytest.mark.parametrize(
    ("suffix", "message"),
    [
        (
            ".broken",
            r"\.broken = .*\(jounce\.readers\) of toy-plugin cannot be imported: ModuleNotF",
        ),
        (".wrong", r"of toy-plugin: expected a function, found 'toy_plugin'"),
        (".other", r"expected a file ending in \.urdf, .*, \.toy, .*, \.xacro or \.xml"),
    ],
)
def test_readers_that_cannot_be_used(tmp_path: Path, suffix: str, message: str) -> None:
    path = tmp_path / f"arm{suffix}"
    path.write_text("")
    with pytest.raises(jounce.JounceError, match=message):
        jounce.load(path)


def add_link(kind: str) -> Any:
    builder = jounce.TreeBuilder("probe")
    builder.add("tip", kind, axis=(1, 0, 0), axis2=(0, 1, 0), mass=1.0)
    return builder.build()


def test_joint_kind() -> None:
    assert add_link("double_slide").nv == 2
    with pytest.raises(jounce.ModelError, match=r"kind 'x'; choose one of .*, double_slide"):
        add_link("x")
    with pytest.raises(jounce.JounceError, match=r"of toy-plugin: expected .* called 'misnamed'"):
        add_link("misnamed")


def test_word_of_a_format_for_a_kind(tmp_path: Path) -> None:
    (tmp_path / "a.urdf").write_text(URDF.format("slider"))
    (tmp_path / "b.urdf").write_text(URDF.format("slidr"))
    with pytest.warns(JounceWarning, match="toy-plugin: expected .* called 'misnamed'"):
        model = jounce.read(tmp_path / "a.urdf")
    assert model.joints[0].kind == "double_slide"
    with (
        pytest.warns(JounceWarning, match="misnamed"),
        pytest.raises(jounce.ModelError, match="unknown joint type 'slidr'; did you mean 'slider'"),
    ):
        jounce.read(tmp_path / "b.urdf")


def test_target() -> None:
    robot = jounce.load("planar_2r", target="toy")
    assert np.allclose(
        robot.mass_matrix([0.1, 0.2]), jounce.load("planar_2r").mass_matrix([0.1, 0.2])
    )
    with pytest.raises(ValueError, match=r"other targets: .*toy"):
        targets.get_target("z80")


def test_array_library() -> None:
    import toy_plugin  # type: ignore[import-not-found]

    robot = jounce.load("planar_2r")
    q = np.array([0.1, 0.2])
    for _ in range(2):
        result = robot.mass_matrix(toy_plugin.Array(q))
        assert isinstance(result, toy_plugin.Array)
        assert np.array_equal(result.values, robot.mass_matrix(q))
    wrong = type("Array", (), {"__module__": "toy_wrong", "__dlpack__": None})()
    with pytest.raises(jounce.JounceError, match=r"toy_wrong = .* expected a jounce\.arrays"):
        robot.mass_matrix(wrong)
