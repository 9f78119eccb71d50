"""Units that names of columns state are converted, once; what contradicts them is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.identify import identify, open_recording
from jounce.identify.data import Piece
from jounce.robot import Robot
from jounce.study import read_trajectory
from support.helpers import assert_close
from support.identify_data import Motion, changed, motion
from support.identify_mechanisms import mechanism_motion

DataError = jounce.DataError
TURN = 180.0 / np.pi


@pytest.fixture(scope="module")
def data(arm: Robot) -> Motion:
    return motion(changed(arm), 60)


def table(data: Motion, header: str, **factors: float) -> dict[str, np.ndarray]:
    """Columns called by the words of a header, with t, q, v, a and tau multiplied by factors."""
    rows = [factors.get(k, 1.0) * x for k, x in data.arrays().items()]
    return dict(zip(header.split(), np.column_stack(rows).T, strict=True))


def first(given: Any, robot: Any, **options: Any) -> Piece:
    return next(open_recording(given, robot, **options).read(1000))


def same(found: Piece, data: Motion) -> None:
    for name, x in data.arrays().items():
        assert_close(found[name], x, 1e-12)


NON_SI = "t[ms] q1[deg] q2[deg] v1[deg/s] v2[deg/s] a1[deg/s^2] a2[deg/s^2] tau1[mNm] tau2[mNm]"
SPELLED = "t(us) q1(°) q2(°) v1(°/s) v2(°/s) a1(°/s²) a2(°/s²) tau1(N*mm) tau2(N·mm)"
INVERSE = (
    "t[nsec] q1[deg] q2[deg] v1[deg.s-1] v2[deg.s-1] a1[deg.s^-2] a2[deg.s^-2] tau1[kNm] tau2[kNm]"
)
WORDS = (
    "t[ms] pos_joint1_deg pos_joint2_deg joint1.vel_deg/s joint2.vel_deg/s acc_joint1_deg_s2"
    " acc_joint2_deg_s2 effort_joint1_mNm effort_joint2_mNm"
)
IN_DEGREES = {"q": TURN, "v": TURN, "a": TURN}


@pytest.mark.parametrize(
    ("header", "factors"),
    [
        (NON_SI, {"t": 1e3, "tau": 1e3, **IN_DEGREES}),
        (SPELLED, {"t": 1e6, "tau": 1e3, **IN_DEGREES}),
        (INVERSE, {"t": 1e9, "tau": 1e-3, **IN_DEGREES}),
        (WORDS, {"t": 1e3, "tau": 1e3, **IN_DEGREES}),
        (NON_SI.replace("deg", "mrad"), {"t": 1e3, "tau": 1e3, "q": 1e3, "v": 1e3, "a": 1e3}),
        (NON_SI.replace("deg/s]", "rpm]"), {"t": 1e3, "tau": 1e3, **IN_DEGREES, "v": 30.0 / np.pi}),
        ("t[s] q1[rad] q2[rad] v1[rad/s] v2[rad/s] a1[rad/s2] a2[x] tau1[Nm] tau2[A]", {}),
    ],
)
def test_what_the_header_says(
    header: str, factors: dict[str, float], arm: Robot, data: Motion
) -> None:
    same(first(table(data, header, **factors), arm), data)


def test_files_and_arrays(arm: Robot, data: Motion, tmp_path: Path) -> None:
    given = table(data, NON_SI, t=1e3, tau=1e3, **IN_DEGREES)
    path = tmp_path / "log.csv"
    rows = np.column_stack(list(given.values())).tolist()
    path.write_text("\n".join([",".join(given), *(",".join(map(repr, x)) for x in rows)]))
    same(first(path, arm), data)
    arrays = {"t": data.t, "q [deg]": TURN * data.q, "v": data.v, "a": data.a, "tau": data.tau}
    same(first(arrays, arm), data)
    found = read_trajectory(arm, arrays)
    assert_close(found.values["q"], data.q, 1e-12)


def test_mapped_columns(arm: Robot, data: Motion) -> None:
    columns = {"q_joint1": "first angle [deg]"}
    given = {"first angle [deg]": TURN * data.q[:, 0], "q_joint2": data.q[:, 1], "tau": data.tau}
    assert_close(first(given, arm, columns=columns)["q"], data.q, 1e-12)


def test_times_of_ros(arm: Robot, data: Motion) -> None:
    names = ["field.position0", "field.position1", "field.effort0", "field.effort1"]
    rows = np.column_stack((data.q, data.tau)).T
    given = {"%time": 1e9 * data.t, **dict(zip(names, rows, strict=True))}
    assert_close(first(given, arm)["t"], data.t, 1e-12)
    other = {"%time": data.t, "q": data.q, "tau": data.tau}  # a comment sign
    assert_close(first(other, arm)["t"], data.t, 0.0)


# ------------------------------------------------------------------ beside options


def test_options_that_say_the_same(arm: Robot, data: Motion) -> None:
    given = table(data, NON_SI, t=1e3, tau=1e3, **IN_DEGREES)
    same(first(given, arm, degrees=True, time_scale=1e-3, torque_scale=1e-3), data)
    flipped = given | {k: -given[k] for k in ("tau1[mNm]", "tau2[mNm]")}
    same(first(flipped, arm, torque_scale=-1e-3), data)
    half = table(data, NON_SI.replace("tau2[mNm]", "tau2"), t=1e3, tau=1e3, **IN_DEGREES)
    same(first(half, arm, torque_scale=1e-3), data)  # one column says nothing


@pytest.mark.parametrize(
    ("header", "options", "match"),
    [
        (NON_SI, {"torque_scale": 1e3}, r"'tau1\[mNm\]' says 'mnm', .*torque_scale=1000 says"),
        (NON_SI, {"time_scale": 1e-9}, r"'t\[ms\]' says 'ms', a factor of 0.001, and time_scale"),
        (
            NON_SI.replace("deg", "rad"),
            {"degrees": True},
            r"'q1\[rad\]' says .*degrees=True",
        ),
        (
            NON_SI.replace("q2[deg]", "q2[mm]"),
            {},
            r"'q2\[mm\]' says 'mm', expected a unit of",
        ),
    ],
)
def test_contradictions(header: str, options: Any, match: str, arm: Robot, data: Motion) -> None:
    with pytest.raises(DataError, match=match):
        open_recording(table(data, header), arm, **options)


def test_signs_and_gears_of_torques(arm: Robot, data: Motion) -> None:
    header = NON_SI.replace("deg", "rad").replace("mNm", "Nm").replace("[ms]", "")
    same(first(table(data, header, tau=-0.01), arm, torque_scale=-100.0), data)


def test_joints_that_are_called_like_units(data: Motion) -> None:
    builder = jounce.TreeBuilder("named")
    for k, joint in enumerate(("arm_deg", "arm(mm)")):
        builder.add(f"l{k}", "revolute", f"l{k - 1}" if k else None, joint_name=joint, mass=1.0)
    robot = Robot(builder.build())
    given = {f"{k}_{x}": data.q[:, 0] for k in ("pos", "tau") for x in ("arm_deg", "arm(mm)")}
    assert_close(first(given, robot)["q"], data.q[:, :1].repeat(2, axis=1), 0.0)


def test_joints_that_slide() -> None:
    builder = jounce.TreeBuilder("slide")
    builder.add("a", "prismatic", joint_name="rail", mass=1.0)
    builder.add("b", "revolute", "a", joint_name="turn", mass=1.0)
    robot, x = Robot(builder.build()), np.arange(1.0, 11.0)
    given = {"rail pos (mm)": 1e3 * x, "turn pos (deg)": TURN * x}
    given |= {"rail force [kN]": 1e-3 * x, "turn torque [Nm]": x}
    found = first(given, robot)
    assert_close(found["q"], np.column_stack((x, x)), 1e-12)
    assert_close(found["tau"], np.column_stack((x, x)), 1e-12)
    uniform = {"rail pos [rad]": x, "turn pos [rad]": x, "rail tau [Nm]": x, "turn tau [Nm]": x}
    assert_close(first(uniform, robot)["q"], found["q"], 1e-12)


def test_mechanisms() -> None:
    closed = jounce.load("five_bar").closed(("joint1", "joint4"))
    data = mechanism_motion(closed, 40, 0.15)
    given = {f"q_{k} [deg]": TURN * data.q[:, i] for i, k in ((0, "joint1"), (3, "joint4"))}
    given |= {f"tau_{k} [mNm]": 1e3 * data.tau[:, i] for i, k in enumerate(("joint1", "joint4"))}
    plain = {k.partition(" ")[0]: x for k, x in given.items()}
    options: Any = {"degrees": True, "torque_scale": 1e-3}
    found, expected = first(given, closed), first(plain, closed, **options)
    for name in ("q", "tau"):
        assert_close(found[name], expected[name], 1e-12)


def test_identified_alike(arm: Robot) -> None:
    data = motion(changed(arm), 300, noise=0.02)
    found = identify(arm, table(data, NON_SI, t=1e3, tau=1e3, **IN_DEGREES), method="wls")
    assert_close(found.theta, identify(arm, data.arrays(), method="wls").theta, 1e-9)
