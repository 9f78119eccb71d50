"""Identified robots in files: only numbers of inertias differ; the command."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import jounce
from jounce import cli
from jounce.identification.urdf_patch import patch_urdf
from jounce.model import inertia
from support.helpers import assert_close
from support.identify_data import (
    PANDA,
    UR5,
    Motion,
    changed,
    csv_text,
    example,
    loaded,
    motion,
    quiet,
)

URDF = """<?xml version="1.0"?>
<!-- an arm & a hand: <link> in a comment -->
<robot name="arm" xmlns:xacro="http://ros.org/wiki/xacro">
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin rpy="0.1 0.2 0.3" xyz="0.1 0 0.02"/>
      <mass value='2.0'/>
      <inertia ixx="0.02" ixy="0.001" ixz="0"
               iyy="0.03" iyz="0" izz="0.04"/>
    </inertial>
    <visual><geometry><box size="1 1 1"/></geometry></visual>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/>
    <axis xyz="0 1 0"/>
    <limit lower="-3" upper="3" effort="10" velocity="5"/>
    <dynamics damping="0.5"/>
  </joint>
  <link name="lower"><inertial><mass value="1.0"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01"
    iyz="0" izz="0.01"/></inertial></link>
  <joint name="elbow" type="continuous">
    <origin xyz="0.4 0 0"/>
    <parent link="upper"/><child link="lower"/>
    <axis xyz="0 1 0"/>
  </joint>
  <link name="tool">
    <inertial><origin xyz="0 0 0.1"/><mass value="0.4"/>
      <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.001"/></inertial>
  </link>
  <joint name="mount" type="fixed">
    <origin xyz="0.3 0 0" rpy="0 1.2 0"/>
    <parent link="lower"/><child link="tool"/>
  </joint>
  <link name="finger"/>
  <joint name="grip" type="prismatic">
    <parent link="tool"/><child link="finger"/>
    <axis xyz="1 0 0"/><limit lower="0" upper="0.1" effort="1" velocity="1"/>
  </joint>
</robot>
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "arm.urdf"
    path.write_text(URDF, encoding="utf-8", newline="")
    return path


def with_finger(robot: jounce.Robot) -> np.ndarray:
    """Other parameters of all three bodies, the empty finger included."""
    full = robot.edit.with_parameters(
        np.vstack((robot.model.parameters[:2], robot.model.parameters[1]))
    )
    return changed(full, size=0.05).model.parameters


def outside(text: str) -> str:
    """A URDF without what may change: numbers in inertias, whole inertias, dynamics."""
    text = re.sub(r"\s*<inertial>.*?</inertial>", "", text, flags=re.DOTALL)
    text = re.sub(r"\s*<dynamics[^>]*/>", "", text)
    return re.sub(r'<link name="(\w+)">\s*</link>', r'<link name="\1"/>', text)


def test_patch(file: Path) -> None:
    robot = quiet(file)
    wanted = with_finger(robot).copy()
    # a ball more, so that what is left of it without the tool is a body and the tool can stay
    wanted[1] = robot.model.parameters[1] + inertia.sphere(0.1, mass=0.2)
    drives = np.array((0.25, 0.0, 1.5))
    new = patch_urdf(file, robot, wanted, damping=drives, friction=drives + 1.0, armature=drives)
    text = new.decode()
    file.with_name("new.urdf").write_bytes(new)
    again = quiet(file.with_name("new.urdf"))
    assert_close(again.model.parameters, wanted, 1e-14)
    joints = again.model.joints
    assert [float(j.damping[0]) for j in joints] == [0.25, 0.0, 1.5]
    assert [float(j.friction[0]) for j in joints] == [1.25, 1.0, 2.5]
    assert [float(j.armature[0]) for j in joints] == [0.25, 0.0, 1.5]
    assert outside(text) == outside(URDF)
    # the tool keeps its numbers, rotations of origins stay, attributes keep their quotes
    tool = re.compile(r'<link name="tool">.*?</link>', re.DOTALL)
    assert tool.search(text)[0] == tool.search(URDF)[0]  # type: ignore[index]
    assert '<origin rpy="0.1 0.2 0.3" xyz="' in text
    assert re.search(r"<mass value='[\d.]+'/>", text)
    assert '<dynamics damping="0.25" friction="1.25" armature="0.25"/>' in text


def test_nothing_to_change(file: Path) -> None:
    robot = quiet(file)
    assert patch_urdf(file, robot, robot.model.parameters) == file.read_bytes()
    assert patch_urdf(file, robot, robot.model.parameters, damping=np.array((0.5, 0, 0))) == (
        file.read_bytes()
    )


def test_shares_of_a_body_that_becomes_lighter_than_its_tool(file: Path) -> None:
    """The flange would not be physically consistent, so all links shrink alike."""
    robot = quiet(file)
    wanted = robot.model.parameters
    wanted[1] = 0.2 * wanted[1]
    file.with_name("new.urdf").write_bytes(patch_urdf(file, robot, wanted))
    again = quiet(file.with_name("new.urdf"))
    assert_close(again.model.parameters, wanted, 1e-14)
    masses = {link.name: link.inertia[0] for link in again.model.bodies[1].links}
    assert_close(masses["lower"], 0.2 * 1.0)
    assert_close(masses["tool"], 0.2 * 0.4)


def test_impossible_bodies_are_refused(file: Path) -> None:
    robot = quiet(file)
    wanted = robot.model.parameters
    wanted[1, 0] = -1.0
    with pytest.raises(jounce.ModelError, match="link 'lower' cannot be written"):
        patch_urdf(file, robot, wanted)


@pytest.mark.parametrize(
    "encoding",
    ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1", "cp1252", "crlf"],
)
def test_encodings(tmp_path: Path, encoding: str) -> None:
    text = URDF.replace("an arm & a hand", "ein Greifer für Äpfel")
    if encoding in ("latin-1", "cp1252"):
        text = text.replace('version="1.0"', f'version="1.0" encoding="{encoding}"')
    if encoding == "crlf":
        text, encoding = text.replace("\n", "\r\n"), "utf-8"
    path = tmp_path / "arm.urdf"
    path.write_bytes(text.encode(encoding))
    robot = quiet(path)
    wanted = with_finger(robot)
    new = patch_urdf(path, robot, wanted)
    assert outside(new.decode(encoding)) == outside(text)
    if "\r\n" in text:
        assert new.count(b"\n") == new.count(b"\r\n")
    path.write_bytes(new)
    assert_close(quiet(path).model.parameters, wanted, 1e-14)


def numbers_aside(text: str) -> str:
    """A text with a mark for each number."""
    return re.sub(r"[-+]?\d+(\.\d*)?(e[-+]?\d+)?", "#", text)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_only_numbers_differ(tmp_path: Path, encoding: str) -> None:
    """Comments, CDATA, entities, quotes and namespaces stay as they are, whatever is in them."""
    text = URDF.replace("<link", "\t<link").replace(
        '<link name="upper">',
        """<link note='a > b' name="up&#112;er"><!-- <inertial><mass value="1"/></inertial> -->
    <x:extra xmlns:x="y"><![CDATA[<inertial><mass value="2"/>]]></x:extra>""",
    )
    text = text.replace(
        "<mass value='2.0'/>", "<mass\n  note=' value=\"3\"'  value = '2.0' ></mass>"
    )
    path = tmp_path / "arm.urdf"
    path.write_bytes(text.encode(encoding))
    robot = quiet(path)
    wanted = robot.model.parameters
    wanted[:2] = with_finger(robot)[:2]
    path.write_bytes(patch_urdf(path, robot, wanted))
    assert_close(quiet(path).model.parameters, wanted, 1e-14)
    new = path.read_bytes().decode(encoding)
    # the lower arm has no <origin>, and gets one
    line = re.search(r'\s+<origin xyz="[^"]*"/>(?=<mass value="[^"]*"/><inertia )', new)
    assert line is not None
    assert numbers_aside(new.replace(line[0], "")) == numbers_aside(text)
    assert new.count('<mass value="1"/>') == 1
    assert new.count('<mass value="2"/>') == 1
    assert " note=' value=\"3\"'" in new


def test_unevaluated_xacro_is_refused(file: Path) -> None:
    robot = quiet(file)
    file.write_text(URDF.replace("value='2.0'", "value='${mass}'"), encoding="utf-8")
    with pytest.raises(jounce.ModelError, match=r"arm\.urdf:8: .*found '\${mass}'.*xacro"):
        patch_urdf(file, robot, robot.model.parameters)


@pytest.mark.parametrize(("name", "base"), [(PANDA, "fixed"), (UR5, "floating")])
def test_real_files(tmp_path: Path, name: str, base: str) -> None:
    robot = quiet(example(name), base=base)
    wanted = changed(robot).model.parameters
    new = patch_urdf(example(name), robot, wanted)
    (tmp_path / "new.urdf").write_bytes(new)
    again = quiet(tmp_path / "new.urdf", base=base)
    assert_close(again.model.parameters, wanted, 1e-13)
    old = example(name).read_bytes().splitlines()
    lines = new.splitlines()
    assert len(lines) == len(old)
    differ = [a for a, b in zip(old, lines, strict=True) if a != b]
    assert all(re.search(rb"<(mass|inertia|origin) ", line) for line in differ)


def test_another_robots_file(file: Path) -> None:
    robot = loaded("iiwa14_mueller_kumar2021")
    with pytest.raises(
        jounce.ModelError, match="does not describe iiwa14_mueller_kumar2021: its links are"
    ):
        patch_urdf(file, robot, robot.model.parameters)
    with pytest.raises(jounce.ModelError, match="cannot read"):
        patch_urdf(file.with_name("none.urdf"), robot, robot.model.parameters)


# ------------------------------------------------------------------ the command


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Motion]:
    """A robot's file and measurements of one that differs."""
    folder = tmp_path_factory.mktemp("command")
    file = folder / "arm.urdf"
    text = URDF.replace(
        '<link name="finger"/>',
        '<link name="finger">'
        + """
      <inertial><mass value="0.3"/><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0"
      izz="0.001"/></inertial></link>""",
    )
    file.write_text(text, encoding="utf-8")
    robot = quiet(file)
    data = motion(changed(robot), 400, noise=0.01)
    table = folder / "data.csv"
    table.write_text(csv_text(robot, data), encoding="utf-8")
    return file, table, data


def test_command(record: tuple[Path, Path, Motion], tmp_path: Path, capsys: object) -> None:
    file, table, data = record
    out, report = tmp_path / "identified.urdf", tmp_path / "report.html"
    cli.main(["identify", str(file), str(table), "-o", str(out), "--report", str(report)])
    robot = quiet(out)
    tau = robot.inverse_dynamics(data.q, data.v, data.a) + robot.joint_friction(data.v)
    rms = np.sqrt(np.mean((tau - data.tau) ** 2, axis=0))
    assert np.all(rms < 0.015 * np.abs(data.tau).mean(axis=0))
    assert all(inertia.is_consistent(pi) for pi in robot.model.parameters)
    assert outside(out.read_text("utf-8")) == outside(file.read_text("utf-8"))
    page = report.read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert page.count("<svg") == 3
    printed = capsys.readouterr().out  # type: ignore[attr-defined]
    assert "shoulder" in printed
    assert "all links physically consistent" in printed


def test_command_json(record: tuple[Path, Path, Motion], capsys: object) -> None:
    file, table, _ = record
    options = ["--method", "wls", "--friction", "--armature", "--folds", "2", "--json"]
    cli.main(["identify", str(file), str(table), *options])
    result = json.loads(capsys.readouterr().out)  # type: ignore[attr-defined]
    assert result["method"] == "wls"
    assert set(result["joints"]) == {"shoulder", "elbow", "grip"}
    assert result["joints"]["elbow"]["rms"] < result["joints"]["elbow"]["rms_before"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--fixed", "hand"], "fixed: arm has no moving link 'hand'"),
        (["--column", "tau_elbow"], "--column: expected NAME=COLUMN"),
        (["-o", "/no/such/folder/x.urdf"], "its folder does not exist"),
        (["--regularization", "0"], "regularization: expected > 0"),
    ],
)
def test_command_errors(
    record: tuple[Path, Path, Motion], options: list[str], message: str
) -> None:
    file, table, _ = record
    with pytest.raises(SystemExit, match=f"jounce identify: .*{message}"):
        cli.main(["identify", str(file), str(table), *options])


def test_command_warnings(
    record: tuple[Path, Path, Motion], tmp_path: Path, capsys: object
) -> None:
    file, table, _ = record
    holes = tmp_path / "holes.csv"
    lines = table.read_text("utf-8").splitlines()
    lines[5] = ",".join(("nan", *lines[5].split(",")[1:]))
    holes.write_text("\n".join(lines), encoding="utf-8")
    cli.main(["identify", str(file), str(holes), "--method", "ols", "--folds", "0"])
    errors = capsys.readouterr().err  # type: ignore[attr-defined]
    assert "warning: " in errors
    assert "1 of 400 rows have missing values" in errors


def test_command_in_a_process(record: tuple[Path, Path, Motion]) -> None:
    file, _, _ = record
    command = [sys.executable, "-m", "jounce", "identify", str(file), "nothing.csv"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert (
        done.stderr.strip() == "jounce identify: cannot read 'nothing.csv': there is no such file"
    )
