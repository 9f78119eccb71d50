"""Controllers in pages: which are accepted, without a browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce import cli, control
from jounce.errors import ArgumentError
from jounce.viewer.web import controllers, page

pytestmark = pytest.mark.shown


def built(system: Any, *arguments: Any, **options: Any) -> dict[str, dict[str, Any]]:
    """Return the arguments of a page's controller by name."""
    made = controllers.build_controller(system, *arguments, **options)
    return {x["name"]: x for x in made.data["arguments"]}


def test_joints_have_the_frequency_of_the_constant() -> None:
    robot = jounce.load("kuka_iiwa14")
    arguments = built(robot, "impedance")
    q = np.array(arguments["q_d"]["value"])
    inertia = np.diagonal(robot.mass_matrix(q))
    assert np.allclose(arguments["kp"]["value"], controllers.FREQUENCY**2 * inertia, rtol=5e-3)
    assert arguments["q_d"]["follows"] == "q"
    assert "follows" not in arguments["v_d"]
    assert not any(arguments["v_d"]["value"] + arguments["a_d"]["value"])
    decay = np.array(built(robot, "gravity")["kd"]["value"]) / inertia
    assert np.allclose(decay, 1.0 / controllers.DECAY_TIME, rtol=5e-3)


def test_a_frame_follows_its_pose_at_the_target() -> None:
    robot = jounce.load("kuka_iiwa14")
    made = controllers.build_controller(robot, "impedance", "tool")
    assert made.sources == {"tool_pose_d": "frame(tool).pose"}
    assert made.data["doc"] == "Cartesian impedance control with a posture in the null space."
    module = page.build_module(robot, ["mass_matrix", "frame(tool).pose"])
    described = {x["name"]: x for x in made.describe(robot, module)["arguments"]}
    assert described["tool_pose_d"]["follows"] == "tool_pose"
    assert described["q_d"]["follows"] == "q"


def test_references_have_values() -> None:
    robot = jounce.load("kuka_iiwa14")

    def law(model: Any, state: Any, measurement: Any, reference: Any, gains: Any) -> Any:
        q, v = measurement
        J, x = model.frame("tool").jacobian_mixed(q)[3:], model.frame("tool").pose(q)[:3, 3]
        return J.T @ (gains.kp * (reference.x_d - x)) - gains.kd * v, state

    made = control.Controller(
        robot, law, gains={"kp": 100.0, "kd": 1.0}, reference={"x_d": (3,), "x_v_d": (3,)}
    )
    with pytest.raises(
        ArgumentError, match=r"reference 'x_d' has no value; pass reference=\{'x_d'"
    ):
        built(robot, made)
    arguments = built(robot, made, reference={"x_d": [0.1, 0.2, 0.3]})
    assert arguments["x_d"]["value"] == [0.1, 0.2, 0.3]
    assert arguments["x_v_d"]["value"] == [0.0] * 3
    assert built(robot, made, reference={"x_d": "center_of_mass"})["x_d"]["value"] == [0.0] * 3
    for value, message in (
        ([1.0, 2.0], r"'x_d' must have shape \(3,\), found \(2,\)"),
        ("frame(tool).pose", r"expected a quantity \(3,\), found 'frame\(tool\).pose' \(4, 4\)"),
        ("bias_forces", r"expected a quantity of q, found 'bias_forces'"),
    ):
        with pytest.raises(ArgumentError, match=message):
            built(robot, made, reference={"x_d": value})
    with pytest.raises(ArgumentError, match="no reference 'y_d'; expected x_d, x_v_d"):
        built(robot, made, reference={"y_d": 0.0})


def test_controllers_that_do_not_fit_are_errors() -> None:
    robot = jounce.load("kuka_iiwa14")
    other = control.gravity_compensation(jounce.load("planar_2r"))
    with pytest.raises(ArgumentError, match=r"\(nq, nv\) = \(7, 7\), found \(2, 2\)"):
        built(robot, other)
    with pytest.raises(ArgumentError, match="one of gravity, impedance, found 'pid'"):
        built(robot, "pid")
    with pytest.raises(ArgumentError, match="frame: expected with controller 'impedance'"):
        built(robot, "gravity", "tool")
    with pytest.raises(ArgumentError, match="expected a fixed base, found a floating one"):
        built(jounce.load("kuka_iiwa14", base="floating"), "impedance", "tool")
    with pytest.raises(ArgumentError, match="translates and rotates, found 'link3'"):
        built(jounce.load("cartesian_ppp"), "impedance", "link3")
    elastic = control.motor_pd(robot, 1e4, 10.0, 1.0)
    with pytest.raises(ArgumentError, match="a page measures q and v, found measurement 'theta'"):
        built(robot, elastic)
    with pytest.raises(TypeError, match="controller must be a Controller or one of gravity"):
        built(robot, 3)
    with pytest.raises(ArgumentError, match="frame and reference: expected a controller"):
        page.page_text(robot, [], frame="tool", timings=False)


def test_controllers_are_written_with_a_page_of_their_robot(tmp_path: Path) -> None:
    robot = jounce.load("planar_2r")
    pages = []
    for made in (
        control.pd_plus(robot, 1.0, 1.0),
        control.momentum_observer(robot, 100.0, 0.001),
    ):
        files = made.export.web(tmp_path / made.call, made.call)
        (html,) = [file for file in files if file.suffix == ".html"]
        pages.append(html.read_text("utf-8"))
    driven, free = pages
    assert '"law":"pd_plus"' in driven
    assert "is left out" not in driven
    assert '"controller":null' in free
    assert "The controller is left out" in free
    assert "a page measures q and v, found measurement" in free
    data = json.loads(free.partition('id="data">')[2].partition("</script>")[0])
    assert len(data["remarks"]) == 1


def test_the_command_line_takes_controllers(tmp_path: Path) -> None:
    file = tmp_path / "arm.html"
    given = ["page", "kuka_iiwa14", "-o", str(file), "--quantities", "mass_matrix", "--no-timings"]
    cli.main([*given, "--controller", "impedance", "--frame", "tool"])
    text = file.read_text("utf-8")
    assert '"name":"cartesian_impedance"' in text
    assert '"frame(tool).pose"' in text
    with pytest.raises(SystemExit, match="frame and reference: expected a controller"):
        cli.main([*given, "--force", "--frame", "tool"])
