"""Units that names of columns state are converted, once; what contradicts them is refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.identification import identify, open_recording
from jounce.identification.data import Piece
from jounce.robot import Robot
from jounce.studies import read_trajectory
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
        ("t[s] q1[rad] q2[rad] v1[rad/s] v2[rad/s] a1[rad/s2] a2(filtered) tau1[Nm] tau2[SI]", {}),
    ],
)
def test_what_the_header_says(
    header: str, factors: dict[str, float], arm: Robot, data: Motion
) -> None:
    same(first(table(data, header, **factors), arm), data)


POUND, FOOT, INCH, KILOGRAM = 4.4482216152605, 0.3048, 0.0254, 9.80665
TURNS = {"rpm": np.pi / 30.0, "rad": 1.0, "deg": np.pi / 180.0}


@pytest.mark.parametrize(
    ("units", "factor"),
    [
        ("lbf ft|lbf·ft|ft-lb|ft lbs|lb-ft|foot pounds|ft_lbf|lbfft", POUND * FOOT),
        ("in-lb|lbf in|lb.in|inlb", POUND * INCH),
        ("ozf in|oz-in|oz in|oz·in|ozin", POUND / 16.0 * INCH),
        ("kgf cm|kgf·cm|kg cm|kg-cm|kgcm|kgf*cm", KILOGRAM * 1e-2),
        ("kgf m|kp m", KILOGRAM),
        ("gf cm|g cm", KILOGRAM * 1e-5),
        ("N m|Nm|N·m|N⋅m|N*m|N.m|N-m|NM|nm|newton meters|m N", 1.0),
        ("mNm|mN m|N mm|Nmm|mN·m|1e-3 Nm|millinewton-metre", 1e-3),
        ("Ncm|N cm", 1e-2),
        ("kNm|kN·m", 1e3),
        ("µN m|μNm|uNm", 1e-6),
    ],
)
def test_torques(units: str, factor: float, arm: Robot, data: Motion) -> None:
    for unit in units.split("|"):
        for name in (
            "tau_joint2 [{}]",
            "effort joint2 ({})",
            "torque [{}] joint2",
            "torque_joint2 {{{}}}",
        ):
            arguments = {"q": data.q, "tau_joint1": data.tau[:, 0]}
            arguments[name.format(unit)] = data.tau[:, 1] / factor
            assert_close(first(arguments, arm)["tau"], data.tau, 1e-12)


@pytest.mark.parametrize(
    ("name", "factor"),
    [
        ("q{}_deg", TURNS["deg"]),
        ("q_{}_deg", TURNS["deg"]),
        ("joint{} angle/deg", TURNS["deg"]),
        ("q{} [rev]", 2.0 * np.pi),
        ("q{} (º)", TURNS["deg"]),
        ("q{} [0.1 deg]", 0.1 * TURNS["deg"]),
        ("q{} [arcmin]", TURNS["deg"] / 60.0),
        ("dq{}_rpm", TURNS["rpm"]),
        ("dq_joint{} [rev/min]", TURNS["rpm"]),
        ("vel{} (revolutions per minute)", TURNS["rpm"]),
        ("vel_{}_rev_per_min", TURNS["rpm"]),
        ("vel_joint{}_deg_s", TURNS["deg"]),
        ("qd{} [°/s]", TURNS["deg"]),
        ("qd{} [dps]", TURNS["deg"]),
        ("qd{} [rad·s⁻¹]", 1.0),
        ("qd{} [deg/ms]", 1e3 * TURNS["deg"]),
        ("acc{}_deg_s2", TURNS["deg"]),
        ("acc{} [deg/sec^2]", TURNS["deg"]),
        ("acc{} (rad/(s^2))", 1.0),
        ("acc{} [deg/s/s]", TURNS["deg"]),
        ("acc{} [rpm/s]", TURNS["rpm"]),
        ("tau{}_lbf_ft", POUND * FOOT),
        ("tau_{}_mnm", 1e-3),
    ],
)
def test_positions_and_rates(name: str, factor: float, arm: Robot, data: Motion) -> None:
    arrays = data.arrays()
    quantity = {"d": "v", "v": "v", "a": "a", "t": "tau"}.get(name[0], "q")
    quantity = "v" if name.startswith("qd") else quantity
    x = arrays.pop(quantity) / factor
    result = first(arrays | {name.format(k): x[:, k - 1] for k in (1, 2)}, arm)
    assert_close(result[quantity], data.arrays()[quantity], 1e-12)


@pytest.mark.parametrize(
    ("name", "factor"),
    [
        ("time_ms", 1e-3),
        ("t/ms", 1e-3),
        ("timestamp_ns", 1e-9),
        ("t_us", 1e-6),
        ("time (µs)", 1e-6),
        ("t [milliseconds]", 1e-3),
        ("ts", 1.0),
        ("Time [min]", 60.0),
    ],
)
def test_times(name: str, factor: float, arm: Robot, data: Motion) -> None:
    result = first({name: data.t / factor, "q": data.q, "tau": data.tau}, arm)
    assert_close(result["t"], data.t, 1e-12)
    pair = {name: data.t / factor, "t": data.t, "q": data.q, "tau": data.tau}
    assert_close(first(pair, arm)["t"], data.t, 1e-12)


@pytest.mark.parametrize(
    "unit",
    ["A", "mA", "V", "%", "counts", "raw", "MNm", "N", "deg", "N m s", "kg m^2", "rad/(s*s)"],
)
def test_torques_in_other_units(unit: str, arm: Robot, data: Motion) -> None:
    arguments = {"q": data.q, "tau_joint1": data.tau[:, 0], f"tau_joint2 [{unit}]": data.tau[:, 1]}
    text = rf"column 'tau_joint2 \[.*\]' is in '{re.escape(unit)}', expected a unit of torque such"
    with pytest.raises(DataError, match=text):
        open_recording(arguments, arm)


@pytest.mark.parametrize(
    "column",
    [
        *(f"q_joint2 [{unit}]" for unit in ("N m", "counts", "rad/s", "rpm", "m", "DN")),
        *("q_joint2_ticks", "q_joint2_rpm", "v_joint2 [deg]", "v_joint2_deg", "v_joint2 [deg/s^2]"),
        *("a_joint2 [rad/s]", "a_joint2 [m/s^2]", "t [rad]", "t [ticks]"),
        *("tau_joint2_counts", "tau_joint2_mA", "tau_joint2_deg", "tau_joint2 [kg m2/s2]"),
    ],
)
def test_units_of_something_else(column: str, arm: Robot, data: Motion) -> None:
    words = "t q_joint1 q_joint2 v_joint1 v_joint2 a_joint1 a_joint2 tau_joint1 tau_joint2"
    plain = re.split(r" |_(?!joint)", column)[0]
    arguments = {column if k == plain else k: x for k, x in table(data, words).items()}
    with pytest.raises(DataError, match=rf"{re.escape(column)}' is in .*, expected a unit of"):
        open_recording(arguments, arm)


@pytest.mark.parametrize("name", ["tau_Nmm_{}", "tau_mNm_joint{}"])
def test_units_in_the_middle_are_not_understood(name: str, arm: Robot, data: Motion) -> None:
    arguments = {"q": data.q} | {name.format(k): data.tau[:, k - 1] for k in (1, 2)}
    with pytest.raises(DataError, match="no column for tau_joint1, tau_joint2"):
        open_recording(arguments, arm)


def test_scales_of_unknown_units(arm: Robot, data: Motion) -> None:
    """Currents times a torque constant, and times in ticks: only the user knows the factors."""
    arguments = {"t [ticks]": data.t / 4e-3, "q": data.q, "tau [A]": data.tau / 0.7}
    with pytest.raises(DataError, match=r"or pass time_scale= \(s per ticks\)"):
        open_recording(arguments, arm, torque_scale=0.7)
    with pytest.raises(DataError, match=r"or pass torque_scale= \(N m per A\)"):
        open_recording(arguments, arm, time_scale=4e-3)
    result = first(arguments, arm, torque_scale=0.7, time_scale=4e-3)
    assert_close(result["tau"], data.tau, 1e-12)
    assert_close(result["t"], data.t, 1e-12)


def test_columns_in_two_units(arm: Robot, data: Motion) -> None:
    arguments = {f"q{k}": data.q[:, k - 1] for k in (1, 2)} | {"tau": data.tau}
    arguments |= {f"q{k}_deg": TURN * data.q[:, k - 1] for k in (1, 2)}
    with pytest.raises(DataError, match="'q1' and 'q1_deg' both look like q number 1; choose one"):
        first(arguments, arm)
    columns = {f"q_joint{k}": f"q{k}_deg" for k in (1, 2)}
    assert_close(first(arguments, arm, columns=columns)["q"], data.q, 1e-12)


def test_units_of_topics(arm: Robot, data: Motion) -> None:
    joints = ["joint2", "joint1"]
    arguments = {"t": data.t, "name": joints, "position [deg]": TURN * data.q[:, ::-1]}
    result = first({"/states": arguments | {"effort [mNm]": 1e3 * data.tau[:, ::-1]}}, arm)
    assert_close(result["q"], data.q, 1e-12)
    assert_close(result["tau"], data.tau, 1e-12)


def test_quaternions_have_no_unit() -> None:
    builder = jounce.TreeBuilder("ball")
    builder.add("a", "spherical", joint_name="ball", mass=1.0)
    robot, q = Robot(builder.build()), np.tile([0.0, 0.0, 0.0, 1.0], (5, 1))
    arguments = {f"q_ball_{k} [-]": q[:, k] for k in range(4)} | {"tau": np.zeros((5, 3))}
    with pytest.raises(DataError, match="'deg', expected a number without a unit"):
        first({"q [deg]": q, "tau": np.zeros((5, 3))}, robot)
    assert_close(first(arguments, robot)["q"], q, 0.0)


def test_files_and_arrays(arm: Robot, data: Motion, tmp_path: Path) -> None:
    arguments = table(data, NON_SI, t=1e3, tau=1e3, **IN_DEGREES)
    path = tmp_path / "log.csv"
    rows = np.column_stack(list(arguments.values())).tolist()
    path.write_text("\n".join([",".join(arguments), *(",".join(map(repr, x)) for x in rows)]))
    same(first(path, arm), data)
    arrays = {"t": data.t, "q [deg]": TURN * data.q, "v": data.v, "a": data.a, "tau": data.tau}
    same(first(arrays, arm), data)
    result = read_trajectory(arm, arrays)
    assert_close(result.values["q"], data.q, 1e-12)


def test_mapped_columns(arm: Robot, data: Motion) -> None:
    columns = {"q_joint1": "first angle [deg]"}
    arguments = {
        "first angle [deg]": TURN * data.q[:, 0],
        "q_joint2": data.q[:, 1],
        "tau": data.tau,
    }
    assert_close(first(arguments, arm, columns=columns)["q"], data.q, 1e-12)


def test_times_of_ros(arm: Robot, data: Motion) -> None:
    names = ["field.position0", "field.position1", "field.effort0", "field.effort1"]
    rows = np.column_stack((data.q, data.tau)).T
    arguments = {"%time": 1e9 * data.t, **dict(zip(names, rows, strict=True))}
    assert_close(first(arguments, arm)["t"], data.t, 1e-12)
    other = {"%time": data.t, "q": data.q, "tau": data.tau}  # a comment sign
    assert_close(first(other, arm)["t"], data.t, 0.0)


# ------------------------------------------------------------------ beside options


def test_units_by_option(arm: Robot, data: Motion) -> None:
    """For all columns of a quantity, or for one of them."""
    factors = {"t": 1e3, "q": TURN, "tau": 1e3}
    arguments = {k: factors.get(k, 1.0) * x for k, x in data.arrays().items()}
    same(first(arguments, arm, units={"t": "ms", "q": "deg", "tau": "mN m"}), data)
    arguments["tau"] = data.tau * (1.0, 1e3)
    units = {"t": "ms", "q_joint1": "deg", "q": "deg", "tau_joint2": "mN m"}
    same(first(arguments, arm, units=units), data)
    header = NON_SI.replace("q2[deg]", "q2")
    mixed = table(data, header, t=1e3, tau=1e3, **IN_DEGREES)
    same(first(mixed, arm, units={"q_joint2": "deg", "tau": "mNm"}), data)


def test_units_of_identify_and_trajectories(arm: Robot, data: Motion) -> None:
    arguments = {**data.arrays(), "q": TURN * data.q, "tau": 1e3 * data.tau}
    units = {"q": "deg", "tau": "mN m"}
    result, plain = identify(arm, arguments, units=units), identify(arm, data.arrays())
    assert_close(result.theta, plain.theta, 1e-9)
    assert_close(read_trajectory(arm, arguments, units={"q": "deg"}).values["q"], data.q, 1e-12)


@pytest.mark.parametrize(
    ("units", "match"),
    [
        ({"q": "counts"}, "units: 'q' is in 'counts', expected a unit of angle such as rad or deg"),
        ({"tau": "deg"}, "units: 'tau' is in 'deg', expected a unit of torque"),
        ({"q_joint2": "mm"}, "units: 'q_joint2' is in 'mm', expected a unit of angle"),
        ({"q_elbow": "deg"}, "units: 'q_elbow' is no measurement in the data; choose among t, q"),
        (
            {"tau": "kN m"},
            r"'tau1\[mNm\]' is in 'mNm', .*which contradicts units={'tau': 'kN m'}",
        ),
    ],
)
def test_units_that_cannot_be(units: Any, match: str, arm: Robot, data: Motion) -> None:
    with pytest.raises(DataError, match=match):
        open_recording(table(data, NON_SI), arm, units=units)


def test_options_that_say_the_same(arm: Robot, data: Motion) -> None:
    arguments = table(data, NON_SI, t=1e3, tau=1e3, **IN_DEGREES)
    same(first(arguments, arm, degrees=True, time_scale=1e-3, torque_scale=1e-3), data)
    flipped = arguments | {k: -arguments[k] for k in ("tau1[mNm]", "tau2[mNm]")}
    same(first(flipped, arm, torque_scale=-1e-3), data)
    half = table(data, NON_SI.replace("tau2[mNm]", "tau2"), t=1e3, tau=1e3, **IN_DEGREES)
    same(first(half, arm, torque_scale=1e-3), data)  # one column says nothing


@pytest.mark.parametrize(
    ("header", "options", "match"),
    [
        (NON_SI, {"torque_scale": 1e3}, r"'tau1\[mNm\]' is in 'mNm', .*contradicts torque_scale"),
        (
            NON_SI,
            {"time_scale": 1e-9},
            r"'t\[ms\]' is in 'ms', a factor of 0.001, which contradicts time_scale",
        ),
        (
            NON_SI.replace("deg", "rad"),
            {"degrees": True},
            r"'q1\[rad\]' is in .*degrees=True",
        ),
        (
            NON_SI.replace("q2[deg]", "q2[mm]"),
            {},
            r"'q2\[mm\]' is in 'mm', expected a unit of",
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
    arguments = {f"{k}_{x}": data.q[:, 0] for k in ("pos", "tau") for x in ("arm_deg", "arm(mm)")}
    assert_close(first(arguments, robot)["q"], data.q[:, :1].repeat(2, axis=1), 0.0)


def test_joints_that_slide() -> None:
    builder = jounce.TreeBuilder("slide")
    builder.add("a", "prismatic", joint_name="rail", mass=1.0)
    builder.add("b", "revolute", "a", joint_name="turn", mass=1.0)
    robot, x = Robot(builder.build()), np.arange(1.0, 11.0)
    arguments = {"rail pos (mm)": 1e3 * x, "turn pos (deg)": TURN * x}
    arguments |= {"rail force [kN]": 1e-3 * x, "turn torque [Nm]": x}
    result = first(arguments, robot)
    assert_close(result["q"], np.column_stack((x, x)), 1e-12)
    assert_close(result["tau"], np.column_stack((x, x)), 1e-12)
    for column, factor in (("rail force (lbf)", 4.4482216152605), ("force_rail_kN", 1e3)):
        arguments = {"q": result["q"], "turn torque [Nm]": x, column: x / factor}
        assert_close(first(arguments, robot)["tau"], result["tau"], 1e-12)
    for column in ("rail pos [rad]", "rail pos [deg]", "rail pos [mm/s]", "pos_rail_deg"):
        with pytest.raises(DataError, match="expected a unit of length such as m or mm"):
            first({column: x, "q_turn": x, "tau": result["tau"]}, robot)
    with pytest.raises(DataError, match="expected a unit of force such as N, kN or lbf"):
        first({"q": result["q"], "rail tau [Nm]": x, "turn tau [Nm]": x}, robot)


def test_mechanisms() -> None:
    closed = jounce.load("five_bar").closed(("joint1", "joint4"))
    data = mechanism_motion(closed, 40, 0.15)
    arguments = {f"q_{k} [deg]": TURN * data.q[:, i] for i, k in ((0, "joint1"), (3, "joint4"))}
    arguments |= {
        f"tau_{k} [mNm]": 1e3 * data.tau[:, i] for i, k in enumerate(("joint1", "joint4"))
    }
    plain = {k.partition(" ")[0]: x for k, x in arguments.items()}
    options: Any = {"degrees": True, "torque_scale": 1e-3}
    result, expected = first(arguments, closed), first(plain, closed, **options)
    for name in ("q", "tau"):
        assert_close(result[name], expected[name], 1e-12)


def test_identified_alike(arm: Robot) -> None:
    data = motion(changed(arm), 300, noise=0.02)
    result = identify(arm, table(data, NON_SI, t=1e3, tau=1e3, **IN_DEGREES), method="wls")
    assert_close(result.theta, identify(arm, data.arrays(), method="wls").theta, 1e-9)
