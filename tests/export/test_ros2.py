"""The ROS 2 package, compiled against headers with the signatures of ros2_control, and run."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import jounce
from jounce import cli
from jounce.export.ros2 import export_ros2

FLAGS = ("-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-deprecated")

STUBS = Path(__file__).parents[1] / "support" / "ros2_stubs"


def compile_package(folder: Path, prefix: str) -> None:
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("g++ is not installed")
    sources = ("controller.cpp", "solver.cpp", f"{prefix}.c", str(STUBS / "main.cpp"))
    command = [compiler, *FLAGS, f"-I{STUBS}", "-I.", *sources, "-o", "main"]
    subprocess.run(command, cwd=folder, check=True)


def plugin_types(folder: Path) -> list[str]:
    """Return the classes of both plugins."""
    roots = [
        ElementTree.parse(folder / f"{x}_plugin.xml").getroot() for x in ("controller", "solver")
    ]
    return [x.attrib["type"] for root in roots for x in root.iter("class")]


def test_plugins_return_the_numbers_of_the_robot(tmp_path: Path) -> None:
    robot = jounce.load("kuka_iiwa14")
    robot = robot.edit.with_friction(damping=0.5)
    export_ros2(robot, tmp_path, name="Arm")
    compile_package(tmp_path, "Arm")
    q, v, q_r, v_r, a_r = np.random.default_rng(0).standard_normal((5, robot.nv))
    run = subprocess.run(
        [tmp_path / "main", *plugin_types(tmp_path)],
        input="\n".join(map(repr, np.concatenate([q, v, q_r, v_r, a_r]).tolist())),
        capture_output=True,
        text=True,
        check=True,
    )
    names, *lines = run.stdout.splitlines()
    assert names.split() == [f"{x}/effort" for x in robot.joints] + [
        f"{x}/{kind}" for x in robot.joints for kind in ("position", "velocity")
    ]
    assert run.stderr.count("Ignored a reference") == 2
    assert run.stderr.count("gains kp >= 0") == 1
    assert lines.pop(4) == "0 0"  # allocations
    at_rest = 100.0 * (q_r - q) - 20.0 * v
    expected = [
        robot.inverse_dynamics(q, v, -20.0 * v),
        robot.inverse_dynamics(q, v, a_r + 20.0 * v_r + at_rest),
        robot.inverse_dynamics(q, v, at_rest),
        robot.inverse_dynamics(q, v, at_rest),
        robot.mass_matrix(q).ravel(),
        robot.inverse_dynamics(q, v, 0.0 * v) - robot.gravity_forces(q),
        robot.gravity_forces(q),
        robot.joint_friction(v),
        robot.inverse_dynamics(q, v, a_r),
    ]
    assert len(lines) == len(expected)
    for line, numbers in zip(lines, expected, strict=True):
        found = np.array(line.split(), dtype=float)
        assert np.abs(found - numbers).max() < 1e-12 * np.abs(numbers).max()


def test_files_of_the_package(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["export", "planar_2r", "--to", "ros2", "-o", str(tmp_path)])
    names = {Path(x.split()[0]).name for x in capsys.readouterr().out.splitlines()}
    assert names == {x.name for x in tmp_path.iterdir()}
    assert {"CMakeLists.txt", "controllers.yaml", "planar_2r.c", "selftest.c"} < names
    package = ElementTree.parse(tmp_path / "package.xml").getroot()
    assert package.findtext("name") == "planar_2r_control"
    cmake = (tmp_path / "CMakeLists.txt").read_text()
    for dependency in package.iter("depend"):
        assert f"find_package({dependency.text} REQUIRED)" in cmake
    assert all("@" not in x.read_text() for x in tmp_path.glob("*.[chy]*"))
    for kind in plugin_types(tmp_path):
        assert any(kind in x.read_text() for x in tmp_path.glob("*.cpp"))
    with pytest.raises(FileExistsError):
        export_ros2(jounce.load("planar_2r"), tmp_path)


@pytest.mark.parametrize(
    ("robot", "message"),
    [
        (jounce.load("planar_2r", base="floating"), "one degree of freedom, found 'base'"),
        (jounce.load("five_bar").closed(), "without closed loops, found 1"),
    ],
)
def test_robots_that_are_refused(robot: jounce.Robot, message: str, tmp_path: Path) -> None:
    with pytest.raises(jounce.ArgumentError, match=message):
        export_ros2(robot, tmp_path)
    assert not [*tmp_path.iterdir()]


def test_quantities_are_refused(tmp_path: Path) -> None:
    command = ["export", "planar_2r", "--to", "ros2", "-o", str(tmp_path), "mass_matrix"]
    with pytest.raises(SystemExit, match="takes no quantities, found 'mass_matrix'"):
        cli.main(command)
