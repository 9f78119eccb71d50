"""`jounce info`: a tree to read, and all of the model as JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import jounce
from jounce import cli
from jounce.io import TreeBuilder, placement, read_urdf
from jounce.io.urdf.write import write_urdf
from jounce.model.model import Mesh, Solid
from support.robots import random_model
from support.urdf_files import TREE, good_files, joint, link, robot

pytestmark = pytest.mark.shown


def show(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    cli.main(["info", *map(str, arguments)])
    return capsys.readouterr().out


def facts(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    return json.loads(show(capsys, *arguments, "--json"))


@pytest.fixture
def tree(tmp_path):
    path = tmp_path / "tree.urdf"
    path.write_text(TREE)
    return path


def test_tree(capsys, tree):
    lines = show(capsys, tree).splitlines()
    assert lines[0] == (
        "r: 4 joints (1 of them follows another), nq = 5, nv = 5, 5 kg, gravity (0, 0, -9.81) m/s^2"
    )
    assert lines[1] == f"from {tree}"
    assert [" ".join(line.split()) for line in lines[3:9]] == [
        "link joint kind axis limits velocity effort mass, kg frames",
        "world base_link",
        "├─ z jz revolute (0, 0.6, 0.8) - 6 5 2 tip",
        "│ slider js prismatic -z = -2 * ja + 0.5 1 1 1",
        "└─ a ja revolute x -1 .. 2 4 3 1",
        "plane jp planar z - - - 1",
    ]
    words = ("kind", "revolute", "prismatic", "revolute", "planar")
    rows = (lines[3], *lines[5:9])
    assert len({row.find(word) for row, word in zip(rows, words, strict=True)}) == 1


def test_every_kind_and_a_loop(capsys, tmp_path):
    kinds = ("revolute", "prismatic", "helical", "cylindrical", "universal", "planar", "free")
    model = random_model(np.random.default_rng(0), 7, kinds, mimic=True)
    model = model.with_loop("body6", "world", (True, False, False, False, False, True), "lock")
    path = write_urdf(model, tmp_path / "all.urdf")
    out = show(capsys, path)
    assert "loop lock: " in out
    assert "locks wx, vz" in out
    for name in ("joint0", "joint3"):
        assert name in out


def test_findings_are_shown_and_shortened(capsys, tmp_path):
    builder = TreeBuilder("r")
    for i in range(6):
        builder.add(
            f"l{i}",
            "revolute",
            f"l{i - 1}" if i else None,
            xyz=(0, 0, 0.3),
            lower=0.0,
            upper=0.0,
            mass=1.0,
            com=(0.1 * i, 0.1, 0),
        )
    path = write_urdf(builder.build(), tmp_path / "r.urdf")
    out = show(capsys, path)
    assert "warning: joint 'l0_joint': its limits are equal: 0 to 0; give both" in out
    assert "warning: 3 more of these, see --all" in out
    assert "'l5_joint': its limits" not in out
    assert "'l5_joint': its limits" in show(capsys, path, "--all")
    assert len(facts(capsys, path)["findings"]) >= 6


def test_nothing_suspicious(capsys):
    assert show(capsys, "franka").rstrip().endswith("nothing suspicious")


def test_warnings_of_the_reader_are_said_once(capsys, tmp_path):
    path = tmp_path / "r.urdf"
    path.write_text(
        robot(
            '<link name="b"/>',
            link("a").replace('izz="0.2"', 'izz="9"'),
            joint("j", "continuous", "b", "a"),
        )
    )
    out = show(capsys, path)
    assert out.count("triangle inequality") == 1
    result = facts(capsys, path)
    assert result["warnings"] == []
    assert result["findings"][0]["where"] == "link 'a'"


def test_base_and_gravity(capsys, tree):
    out = show(capsys, tree, "--base", "floating", "--gravity", "0", "0", "-1.62")
    assert "nv = 11" in out
    assert "gravity (0, 0, -1.62)" in out
    assert "base_link" in out.splitlines()[5]


def test_json_is_complete(capsys, tree):
    """Enough to build the same model again."""
    model = read_urdf(tree)
    result = facts(capsys, tree)
    assert (result["name"], result["source"], result["nq"], result["nv"]) == ("r", str(tree), 5, 5)
    assert result["mass"] == 5.0
    for entry, ours in zip(result["joints"], model.joints, strict=True):
        assert (entry["name"], entry["kind"]) == (ours.name, ours.kind)
        np.testing.assert_array_equal(entry["placement"], ours.placement)
        np.testing.assert_array_equal(entry["axis"], ours.axis)
        for name in ("damping", "friction", "armature"):
            np.testing.assert_array_equal(entry[name], getattr(ours, name))
        limits = [-np.inf if x is None else x for x in entry["lower"]]
        np.testing.assert_array_equal(limits, ours.lower)
    jz, js, ja, jp = result["joints"]
    assert (jz["parent"], jz["child"], jz["lower"], jz["velocity_limit"]) == (
        None,
        "z",
        [None],
        [6],
    )
    assert js["mimic"] == {"leader": "ja", "multiplier": -2.0, "offset": 0.5}
    assert (js["q"], ja["q"], jp["q"], jp["v"]) == ([1, 2], [1, 2], [2, 5], [2, 5])
    for entry, body in zip(result["links"], model.bodies, strict=True):
        np.testing.assert_array_equal(entry["parameters"], body.inertia)
        moments, axes = np.array(entry["principal_moments"]), np.array(entry["principal_axes"])
        np.testing.assert_allclose(
            axes @ np.diag(moments) @ axes.T, entry["inertia_about_com"], atol=1e-15
        )
    assert [part["name"] for part in result["links"][0]["parts"]] == ["z", "tip"]
    frames = {frame["name"]: frame["link"] for frame in result["frames"]}
    assert frames == {
        "base_link": None,
        "z": "z",
        "tip": "z",
        "slider": "slider",
        "a": "a",
        "plane": "plane",
    }


def test_json_of_shapes_and_loops(capsys, tmp_path):
    box = Solid("box", "collision", (1.0, 2.0, 3.0))
    mesh = Mesh("package://x/a.stl", "visual", (1.0, 1.0, 2.0), placement((0, 0, 1)))
    builder = TreeBuilder("r").add("a", "revolute", mass=1.0, meshes=(mesh,), solids=(box,))
    model = (
        builder.add("b", "universal", "a", mass=1.0).build().with_loop("b", "world", "point", "l")
    )
    result = facts(capsys, write_urdf(model, tmp_path / "r.urdf"))
    (solid,) = result["links"][0]["solids"]
    assert (solid["shape"], solid["size"], solid["link"]) == ("box", [1, 2, 3], "a")
    (shape,) = result["links"][0]["meshes"]
    assert (shape["path"], shape["file"], shape["scale"]) == ("package://x/a.stl", None, [1, 1, 2])
    (loop,) = result["loops"]
    assert (loop["kind"], loop["link_b"], loop["locked"]) == (
        "point",
        None,
        [False] * 3 + [True] * 3,
    )


@pytest.mark.parametrize("name", jounce.gallery())
def test_the_gallery(capsys, name):
    assert show(capsys, name).startswith(f"{name}: ")
    assert facts(capsys, name)["name"] == name


def test_example_robots(capsys):
    for path in good_files():
        if path.stem in ("talos_reduced", "pr2", "iris_simple", "romeo"):
            out = show(capsys, path)
            result = facts(capsys, path)
            for entry in result["joints"]:
                assert entry["name"] in out


def test_robots_without_joints_and_long_chains(capsys, tmp_path):
    path = tmp_path / "one.urdf"
    path.write_text(robot(link("only")))
    out = show(capsys, path)
    assert "0 joints" in out
    assert "world" in out
    n = 1200
    parts = [link(f"l{i}") for i in range(n)]
    parts += [joint(f"j{i}", "continuous", f"l{i}", f"l{i + 1}") for i in range(n - 1)]
    path.write_text(robot(*parts))
    out = show(capsys, path)
    assert len(out) < 200 * n  # a chain does not move to the right
    assert f"l{n - 1}" in out


def test_names_cannot_move_the_cursor(capsys, tmp_path):
    model = TreeBuilder("a\tb").add("line\nbreak", "revolute", mass=1.0).build()
    out = show(capsys, write_urdf(model, tmp_path / "r.urdf"))
    assert "line\\nbreak" in out
    assert out.startswith("a\\tb: ")


def test_errors_are_one_line(capsys, tmp_path):
    with pytest.raises(
        SystemExit, match=r"^jounce info: cannot read 'robot.doc': there is no such"
    ):
        show(capsys, "robot.doc")
    (tmp_path / "r.urdf").write_text("<robot>")
    with pytest.raises(SystemExit, match=r"jounce info: .*r.urdf:1: malformed XML"):
        show(capsys, tmp_path / "r.urdf")


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_any_terminal(tree, encoding):
    tree.write_text(TREE.replace('"slider"', '"größe"'), encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "jounce", "info", str(tree)]
    result = subprocess.run(command, capture_output=True, timeout=60, check=True, env=environment)
    out = result.stdout.decode(encoding)
    assert ("|- z" in out) == (encoding == "ascii")
    assert ("gr\\xf6\\xdfe" if encoding == "ascii" else "größe") in out


def test_colors_where_rich_is(monkeypatch, capsys):
    pytest.importorskip("rich")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    out = show(capsys, "planar_2r")
    assert "note: link 'link1'" in out
    assert "\x1b[" in out
    monkeypatch.setitem(sys.modules, "rich.console", None)  # as if it were not installed
    assert "\x1b[" not in show(capsys, "planar_2r")
