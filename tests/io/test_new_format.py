"""The recipe of `jounce.io` for a new file format: a function, and a line in a table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce import cli, io
from jounce.errors import ModelError
from jounce.io.xml import read_xml
from jounce.model.model import Mesh, Model
from support.helpers import assert_close

# ------------------------------------------------------------------ the format


def read_toy(
    path: Any, *, base: str | None = None, gravity: Any = None, package_dirs: io.Folders = ()
) -> Model:
    """A robot in JSON: its name, and links with a parent, a joint, an inertia and meshes."""
    data = json.loads(io.read_bytes(path, 1 << 20))
    pull = io.DEFAULT_GRAVITY if gravity is None else gravity
    builder = io.TreeBuilder(data["name"], pull, source=str(path))
    builder.add("base", io.base_kind(base or "fixed"), joint_name="base", mass=1.0)
    for link in data["links"]:
        if "mass" not in link:
            raise ModelError(f"{path}: link '{link['name']}': expected a 'mass', found {[*link]}")
        meshes = [
            Mesh(name, "visual", file=str(io.resolve_mesh(name, path, package_dirs) or ""))
            for name in link.get("meshes", ())
        ]
        facts: Any = {key: link[key] for key in ("mass", "com", "xyz", "axis") if key in link}
        builder.add(link["name"], link["kind"], link["parent"], meshes=meshes, **facts)
    return builder.build()


HINGE = {"kind": "revolute", "axis": [0, 1, 0]}
LINKS: list[dict[str, Any]] = [
    {"name": "upper", "parent": "base", "mass": 1.0, "com": [0, 0, -0.5], **HINGE},
    {"name": "lower", "parent": "upper", "mass": 2.0, "com": [0, 0, -0.3], **HINGE},
    {"name": "hand", "kind": "fixed", "parent": "lower", "mass": 0.1, "meshes": ["hand.stl"]},
]
LINKS[1]["xyz"] = [0, 0, -1.0]


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(io.READERS, ".toy", read_toy)
    path = tmp_path / "arm.toy"
    path.write_text(json.dumps({"name": "arm", "links": LINKS}))
    return path


# ------------------------------------------------------------------ what it can do from then on


def test_it_is_loaded(toy: Path) -> None:
    robot = jounce.load(toy)
    assert robot.nv == 2
    assert jounce.load(str(toy)).nv == 2
    q = np.array((0.3, -0.2))
    s1, s12 = np.sin(0.3), np.sin(0.1)
    expected = 9.81 * np.array((0.5 * s1 + 2.1 * s1 + 0.6 * s12, 0.6 * s12))
    assert_close(robot.gravity_forces(q), expected)


def test_base_and_gravity(toy: Path) -> None:
    floating = jounce.read(toy, base="floating", gravity=(0.0, 0.0, -1.62))
    assert (floating.nq, floating.nv) == (9, 8)
    assert floating.gravity.tolist() == [0.0, 0.0, -1.62]
    with pytest.raises(ValueError, match="base: expected one of fixed, floating"):
        jounce.read(toy, base="loose")


def test_folders_of_packages(toy: Path, tmp_path: Path) -> None:
    parts = tmp_path / "parts"
    parts.mkdir()
    (parts / "hand.stl").touch()
    assert jounce.read(toy).bodies[1].meshes[0].file == ""
    assert jounce.read(toy, package_dirs=parts).bodies[1].meshes[0].file == str(parts / "hand.stl")


def test_errors_and_the_command_line(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(
        ModelError, match=r"\.urdf, \.mjcf, \.sdf, \.world, \.toy, \.xacro or \.xml"
    ):
        jounce.load("arm.unknown")
    with pytest.raises(ModelError, match=r"cannot read '.*none\.toy': No such file"):
        jounce.load(toy.with_name("none.toy"))
    with pytest.raises(ModelError, match=r"xacro_args are for files ending in \.xacro"):
        jounce.load(toy, xacro_args={})
    cli.main(["info", str(toy)])
    assert capsys.readouterr().out.startswith("arm: 2 joints")
    weightless = {"name": "upper", "kind": "revolute", "parent": "base"}
    toy.write_text(json.dumps({"name": "arm", "links": [weightless]}))
    with pytest.raises(ModelError, match=r"arm\.toy: link 'upper': expected a 'mass'"):
        jounce.load(toy)


def test_in_xml_its_root_element_tells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_pendulum(path_or_text: Any, *, source: str | None = None, **options: Any) -> Model:
        root = read_xml(path_or_text, source)
        builder = io.TreeBuilder("pendulum", source=root.source)
        com = (0.0, 0.0, -root.number("length"))
        return builder.add("bob", "revolute", axis=(0, 1, 0), mass=1.0, com=com).build()

    monkeypatch.setitem(io.ROOTS, "pendulum", read_pendulum)
    path = tmp_path / "p.xml"
    path.write_text('<pendulum length="2"/>')
    assert jounce.read(path).bodies[0].inertia[4] == 4.0
    path.write_text('<pendulum length="two"/>')
    with pytest.raises(ModelError, match=r"p\.xml:1"):
        jounce.read(path)
