"""Calibration: exact derivatives, minimal parameters, deviations that hold, files that are kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce import lie
from jounce.calibration import Calibration, Measurements, calibrate, select_poses
from jounce.calibration.kinematics import GROUPS, Kinematics
from jounce.cli import main
from jounce.robot import Robot
from support.helpers import assert_close
from support.identify_data import example, quiet, two_links

ARM = "kuka_iiwa14"


@pytest.fixture(scope="module")
def arm() -> Robot:
    return jounce.load(ARM)


def configurations(n: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-1.5, 1.5, (n, 7))


def displaced(robot: Robot, seed: int = 1, size: float = 1e-3) -> Robot:
    x = size * np.random.default_rng(seed).normal(size=(robot.nb, 6))
    return robot.edit.with_geometry(placements=x)


def measured(robot: Robot, q: np.ndarray, noise: float = 0.0, frame: str = "tool") -> Measurements:
    """Poses with noise in rad and m."""
    T = robot.frame(frame).pose(q)
    if noise:
        rng = np.random.default_rng(len(q))
        T = T @ lie.se3.exp(noise * rng.normal(size=(len(q), 6)))
    return Measurements("pose", frame, q, T, deviation=noise or 1e-4)


def every_kind(q: np.ndarray) -> list[Measurements]:
    """One sensor of each kind, in the world and on the robot."""
    n, rng = len(q), np.random.default_rng(5)
    T = lie.se3.exp(rng.normal(size=(n, 6)))
    camera: Any = {"intrinsics": (500.0, 510.0, 320.0, 240.0), "sensor": "camera"}
    estimate = ("mount", "target", "intrinsics")
    return [
        Measurements("pose", "tool", q, T, sensor="a", mount=lie.se3.exp(rng.normal(size=6))),
        Measurements("position", "tool", q, T[:, :3, 3], sensor="a", marker="b"),
        Measurements("orientation", "link5", q, T[:, :3, :3], reference="link2", sensor="c"),
        Measurements("distance", "tool", q, np.ones(n), sensor="d"),
        Measurements("plane", "tool", q, sensor="e", marker="b"),
        Measurements("pixel", "tool", q, np.ones((n, 2)), estimate=estimate, **camera),
    ]


# ------------------------------------------------------------------ derivatives


@pytest.mark.parametrize("k", range(6))
def test_derivatives_are_exact(arm: Robot, k: int) -> None:
    """Of all parameters, away from the design: against central differences of sixth order."""
    items = every_kind(configurations(3))
    kinematics = Kinematics(arm, items, GROUPS, {})
    rng, rows = np.random.default_rng(k), np.arange(3)
    x = 1e-2 * rng.normal(size=kinematics.size)
    for block in kinematics.blocks[-2:]:
        x[block.part] *= 1e-3  # compliance under loads of hundreds of N m
    e, J = kinematics.evaluate(x, items[k], rows, np.arange(len(x)))
    assert J is not None
    assert np.any(J, axis=(0, 1)).sum() > 60
    for block in kinematics.blocks:
        step = np.zeros(len(x))
        step[block.part] = 1e-3 * rng.normal(size=block.part.stop - block.part.start)
        if "compliance" in block.group:
            step *= 1e-3
        weights = {1: 45.0, 2: -9.0, 3: 1.0}
        change = sum(
            w
            / 60.0
            * (
                kinematics.evaluate(x + i * step, items[k], rows, None)[0]
                - kinematics.evaluate(x - i * step, items[k], rows, None)[0]
            )
            for i, w in weights.items()
        )
        assert_close(J @ step, np.asarray(change), 1e-9, f"{items[k].kind} {block.group}")
    assert np.isfinite(e).all()


# ------------------------------------------------------------------ minimal parameters


def test_minimal_and_complete_for_seven_joints(arm: Robot) -> None:
    """4 per joint and 6: with all redundant groups together, and exact data are explained."""
    data = measured(displaced(arm), configurations(60))
    for parameters in (
        ("placements",),
        ("offsets", "placements"),
        ("screws",),
        ("offsets", "screws", "placements"),
    ):
        result = calibrate(arm, data, parameters=parameters)
        assert len(result.columns) == 34
        assert_close(result.predict(data), data.values, 1e-7)
        assert len(result.unidentifiable) == result.kinematics.size - 34


def test_redundant_parameters_are_explained(arm: Robot) -> None:
    result = calibrate(arm, measured(arm, configurations(40)), parameters=("offsets",))
    assert result.unidentifiable == {
        "joint1 offset": "moves like -1 sensor mount rz",
        "joint7 offset": "moves like +1 tool marker target rz",
    }
    assert_close(result.values, np.zeros(len(result.values)), 1e-12)


def test_gears_and_offsets(arm: Robot) -> None:
    rng, q = np.random.default_rng(3), configurations(80)
    gears, offsets = 1e-3 * rng.normal(size=(2, 7))
    data = measured(arm, (1.0 + gears) * q + offsets)
    data = replace(data, q=q, mount=np.eye(4), target=np.eye(4), estimate=())
    result = calibrate(arm, data, parameters=("offsets", "gears"))
    assert_close(result.values, np.concatenate((offsets, gears)), 1e-6)
    assert result.offset("joint3") == result.values[2]


def test_sensors_at_unknown_places(arm: Robot) -> None:
    """First guesses of a tracker behind the robot and a marker that is turned."""
    rng, q = np.random.default_rng(4), configurations(40)
    mount, target = lie.se3.exp(np.array([(0.5, -2.0, 1.5, 3.0, -2.0, 1.0), [1.0, 2.0, 0.5] * 2]))
    target[:3, 3] *= 0.1
    T = lie.se3.inverse(mount) @ displaced(arm).frame("tool").pose(q) @ target
    T = T @ lie.se3.exp(1e-5 * rng.normal(size=(40, 6)))
    result = calibrate(arm, Measurements("pose", "tool", q, T, deviation=1e-5))
    assert result.after[1].rms < 3e-5
    assert_close(result.mount(), mount, 0.01)
    assert_close(result.target("tool"), target, 0.01)


# ------------------------------------------------------------------ kinds of measurements


def test_cameras_with_unknown_intrinsics(arm: Robot) -> None:
    q = configurations(150)
    mount = lie.se3.exp(np.array((0.1, 0.2, 0.1, 0.3, 0.2, -4.0)))
    options: Any = {"sensor": "camera", "estimate": ("mount", "target", "intrinsics")}
    true = Measurements("pixel", "tool", q, np.zeros((150, 2)), mount=mount,
                        intrinsics=(812.0, 795.0, 330.0, 236.0), **options)  # fmt: skip
    truth = calibrate_nothing(displaced(arm), true)
    near = mount @ lie.se3.exp(np.full(6, 0.01))
    data = replace(true, values=truth.predict(true), mount=near, intrinsics=(800, 800, 320, 240),
                   deviation=0.1)  # fmt: skip
    result = calibrate(arm, data, parameters=("placements",))
    assert np.abs(result.predict(data) - data.values).max() < 1e-2
    assert_close(result.kinematics.intrinsics(result.x, data.sensor_key), true.intrinsics, 1e-3)


def calibrate_nothing(robot: Robot, item: Measurements) -> Calibration:
    """A robot with sensors as they are given, which predicts measurements."""
    empty: Any = replace(item, estimate=())
    kinematics = Kinematics(robot, [empty], (), {})
    none: Any = np.zeros(0)
    return Calibration(kinematics, (), None, none, none, none, none, [], [], [], [], {}, [], [], 0)


def test_several_sensors_touches_and_planes(arm: Robot) -> None:
    """Distances, points on a plane, and touches of link 2."""
    real = displaced(arm)
    q = configurations(60)
    T = real.frame("tool").pose(q)
    at = np.array((1.0, 0.5, 0.2))
    distances = np.linalg.norm(T[:, :3, 3] - at, axis=1)
    heights = T[:, 2, 3] - 0.3
    seen = (lie.se3.inverse(real.frame("link2").pose(q)) @ T)[:, :3, 3]
    mount, plane = np.eye(4), np.eye(4)
    mount[:3, 3], plane[2, 3] = at + 0.02, 0.29
    items = [
        Measurements("distance", "tool", q, distances, 1e-5, sensor="wire", mount=mount),
        Measurements("plane", "tool", q, heights, 1e-5, sensor="plane", mount=plane),
        Measurements("position", "tool", q, seen, 1e-5, reference="link2", sensor="probe"),
    ]
    result = calibrate(arm, items)
    for item in items:
        assert_close(result.predict(item), item.values, 1e-6)
    assert max(x.rms for x in result.before) > 1e-4


def test_closed_loops_stay_closed() -> None:
    """Lengths of a four-bar from the pose of its coupler."""
    robot = jounce.load("four_bar")
    x = np.zeros((3, 6))
    x[:, 3], x[0, 2] = (0.0, 2e-3, -1e-3), 1e-3  # lengths of crank and ground
    real = robot.edit.with_geometry(placements=x)
    q = np.zeros((40, 3))
    q[:, 0] = np.linspace(-2.0, 2.0, 40)
    closed, real_closed = robot.closed(), real.closed()
    at = closed.assemble(q, strict=True).q
    # planar, so that the displaced loop closes exactly
    true = real_closed.assemble(at, strict=True).q
    T = real_closed.frame("tool").pose(true)
    data = Measurements("pose", "tool", at, T, deviation=1e-6, estimate=())
    result = calibrate(closed, data, parameters=("offsets", "placements"))
    assert np.abs(result.predict(data) - T).max() < 1e-7
    assert result.before[1].rms > 1e-4


def test_planar_loops_of_noisy_data_stay_closed() -> None:
    """Errors out of the plane leave gaps, which are as small as possible."""
    robot = jounce.load("four_bar")
    rng, q = np.random.default_rng(0), np.zeros((60, 3))
    q[:, 0] = np.linspace(-2.0, 2.0, 60)
    closed = robot.closed()
    at = closed.assemble(q, strict=True).q
    T = np.asarray(closed.frame("tool").pose(at)) @ lie.se3.exp(1e-4 * rng.normal(size=(60, 6)))
    data = Measurements("pose", "tool", at, T, deviation=1e-4, estimate=())
    result = calibrate(closed, data, parameters=("placements",))
    assert result.validation[0] < 1.1
    assert np.abs(result.values / result.deviations).max() < 4.0
    mechanism: Any = result.calibrated
    assert 1e-9 < mechanism.tolerance < 1e-3
    predicted = mechanism.frame("tool").pose(mechanism.assemble(at).q)
    assert_close(predicted, result.predict(data), 1e-7)


def test_few_data_are_announced(arm: Robot) -> None:
    data = measured(displaced(arm), configurations(8), 1e-4)
    with pytest.warns(jounce.DataWarning, match="hardly determine 34 parameters"):
        calibrate(arm, data)


def test_compliance_under_gravity(arm: Robot) -> None:
    q = configurations(80)
    c = 1e-5 * np.arange(1.0, 8.0)
    data = measured(arm, q - c * arm.gravity_forces(q))
    data = replace(data, q=q, mount=np.eye(4), target=np.eye(4), estimate=(), deviation=1e-6)
    result = calibrate(arm, data, parameters=("joint_compliance",))
    # the first and the last axis carry no load
    assert_close(result.values, c[1:-1], 1e-3)
    links = calibrate(arm, data, parameters=("link_compliance",))
    assert links.after[0].rms < 1e-3 * links.before[0].rms


# ------------------------------------------------------------------ statistics


def planar(seed: int | None) -> tuple[Robot, Measurements]:
    robot = two_links()
    q = np.random.default_rng(0).uniform(-2.0, 2.0, (40, 2))
    p = (robot.frame("link2").pose(q) @ (0.3, 0.0, 0.0, 1.0))[:, :3]
    if seed is not None:
        p = p + 1e-3 * np.random.default_rng(seed).normal(size=p.shape)
    target = np.eye(4)
    target[0, 3] = 0.3
    return robot, Measurements("position", "link2", q, p, target=target, mount=np.eye(4))


def test_standard_deviations_hold() -> None:
    """Over 200 repetitions, with noise that is known or estimated."""
    robot, _ = planar(None)
    errors = []
    for seed in range(200):
        _, data = planar(seed)
        data = replace(data, deviation=None if seed % 2 else 1e-3)
        result = calibrate(robot, data, folds=0)
        errors.append(result.values / result.deviations)
    z = np.array(errors)
    assert z.shape == (200, 11)
    assert abs(np.mean(np.abs(z) < 1.0) - 0.683) < 0.03
    assert abs(np.mean(np.abs(z) < 2.0) - 0.954) < 0.02
    assert np.abs(z).max() < 5.0
    assert np.all(np.abs(z.std(axis=0) - 1.0) < 0.2)


@pytest.mark.parametrize("loss", ["huber", "cauchy"])
def test_standard_deviations_of_robust_losses_hold(loss: Any) -> None:
    """For noise that is normal, also where the weights vary much."""
    errors = []
    for seed in range(60):
        robot, data = planar(seed)
        data = replace(data, deviation=1e-3)
        result = calibrate(robot, data, folds=0, loss=loss)
        errors.append(result.values / result.deviations)
    assert abs(np.std(errors) - 1.0) < 0.08


def test_noise_is_estimated_and_cross_validated(arm: Robot) -> None:
    data = replace(measured(displaced(arm), configurations(100), noise=2e-4), deviation=None)
    result = calibrate(arm, data)
    assert_close(result.sigma[0], np.full(6, 2e-4), 0.1)
    assert 1.0 < result.validation[0] < 1.1
    assert set(result.observability) == {"condition", "O1", "O2", "O3", "O4", "O5"}


@pytest.mark.parametrize("loss", ["huber", "cauchy"])
def test_outliers_are_named_and_bounded(arm: Robot, loss: Any) -> None:
    data = measured(displaced(arm), configurations(120), noise=1e-4)
    good = calibrate(arm, data)
    T = data.values.copy()
    T[[7, 50], :3, 3] += 0.05
    bad = replace(data, values=T)
    with pytest.warns(jounce.DataWarning, match="row 7 of pose of tool"):
        plain = calibrate(arm, bad)
    result = calibrate(arm, bad, loss=loss)
    assert [row[1] for row in result.outliers] == [7, 50]
    error = np.abs(result.predict(data) - good.predict(data)).max()
    assert error < 2e-4
    assert np.abs(plain.predict(data) - good.predict(data)).max() > 10.0 * error


def test_selected_poses_are_better_than_random_ones(arm: Robot) -> None:
    sensor = measured(arm, configurations(1))
    candidates = arm.random(np.random.default_rng(0), 300)
    chosen = select_poses(arm, sensor, 20, candidates=candidates)
    assert np.array_equal(chosen.q, candidates[chosen.indices])
    assert len(set(chosen.indices)) == 20
    others = [
        calibrate(arm, measured(arm, candidates[k : k + 20])).observability["O1"]
        for k in range(0, 100, 20)
    ]
    best = calibrate(arm, measured(arm, chosen.q))
    assert best.observability["O1"] > 1.04 * max(others)
    assert_close([chosen.deviations[name] for name in best.names], best.deviations, 1e-6)
    seen = select_poses(arm, sensor, 20, candidates=candidates, visible=lambda q: q[:, 0] > 0.0)
    assert np.all(seen.q[:, 0] > 0.0)
    with pytest.raises(jounce.ArgumentError, match="0 of 300 candidates are visible"):
        select_poses(arm, sensor, 20, candidates=candidates, visible=lambda q: q[:, 0] > 9.0)


def test_cameras_see_what_is_before_them(arm: Robot) -> None:
    mount = np.eye(4)
    mount[2, 3] = -3.0
    sensor = Measurements("pixel", "tool", np.zeros((1, 7)), np.zeros((1, 2)), sensor="camera",
                          mount=mount, intrinsics=(500, 500, 320, 240))  # fmt: skip
    chosen = select_poses(arm, sensor, 30, image=(640.0, 480.0))
    pixels = calibrate_nothing(arm, replace(sensor, q=chosen.q, values=np.zeros((30, 2))))
    seen = pixels.predict(pixels.kinematics.data[0])
    assert seen.min() >= 0.0
    assert np.all(seen <= (640.0, 480.0))


# ------------------------------------------------------------------ files

URDF = """<?xml version="1.0"?>
<robot name="two"> <!-- kept -->
  <link name="base"/>
  <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="j1" type="revolute"><parent link="base"/><child link="a"/>
    <origin  xyz='0 0 .1'   rpy="0.1 -0.2 0.3"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
  <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="m" type="fixed"><parent link="a"/><child link="mid"/><origin xyz="0 0.2 0" rpy="1 0 0"/></joint>
  <link name="mid"/>
  <joint name="j2" type="revolute"><parent link="mid"/><child link="b"/>
    <origin xyz="0.5 0 0"/><axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
  <link name="tip"/>
  <joint name="t" type="fixed"><parent link="b"/><child link="tip"/><origin xyz="0.4 0 0"/></joint>
</robot>
"""  # noqa: E501

MJCF = """<mujoco model="two">
  <worldbody>
    <body name="a" pos="0 0 .1"><joint name="j1" axis="0 1 0"/><geom size=".1"/>
      <body name="b"  pos="0.5 0 0" quat="2 0 0 1"><joint name="j2"/><geom size=".1"/>
        <site name="tip" pos="0.4 0 0"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize("suffix", [".urdf", ".xml"])
def test_files_keep_everything_but_placements(tmp_path: Path, suffix: str) -> None:
    text = URDF if suffix == ".urdf" else MJCF
    source = tmp_path / f"two{suffix}"
    source.write_text(text)
    robot = jounce.load(source)
    rng = np.random.default_rng(0)
    real = robot.edit.with_geometry(placements=1e-2 * rng.normal(size=(2, 6)))
    q = rng.uniform(-1.5, 1.5, (40, 2))
    target = lie.se3.exp(1e-2 * rng.normal(size=6))
    T = real.frame("tip").pose(q + np.array((0.01, -0.02))) @ target
    data = Measurements("pose", "tip", q, T, deviation=1e-6, mount=np.eye(4), estimate=("target",))
    result = calibrate(robot, data)
    place = result.write(source, tmp_path / f"new{suffix}")
    written = jounce.load(place)
    assert_close(written.frame("tip").pose(q), T, 1e-8)
    calibrated: Any = result.calibrated
    assert_close(calibrated.frame("tip").pose(q) @ result.target("tip"), T, 1e-8)
    new, old = place.read_text().splitlines(), text.splitlines()
    changed = [k for k, pair in enumerate(zip(new, old, strict=True)) if pair[0] != pair[1]]
    assert changed == ([5, 10, 12] if suffix == ".urdf" else [2, 3, 4])
    if suffix == ".urdf":
        assert new[5].startswith("    <origin  xyz='")
    with pytest.raises(FileExistsError):
        result.write(source, place)
    screws = calibrate(robot, data, parameters=("screws",))
    with pytest.raises(jounce.ModelError, match="which files cannot describe"):
        screws.write(source, tmp_path / "screws")


ORIENTATIONS = """<mujoco model="two">
  <compiler angle="{angle}" eulerseq="{sequence}"/>
  <worldbody>
    <body name="a" pos="0 0 .1" {first}><joint axis="0 1 0" pos="0.02 0 0"/><geom size=".1"/>
      <body name="b" {second} pos="0.5 0 0"><joint name="j2"/><geom size=".1"/>
        <site name="tip" pos="0.4 0 0" {third}/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize(
    ("angle", "sequence", "first", "second", "third"),
    [
        ("degree", "xyz", "euler='10 20 30'", "axisangle='0 1 1 40'", "zaxis='1 2 -3'"),
        ("radian", "ZYx", "euler='0.1 0.2 0.3'", "xyaxes='0 1 0 -1 0.1 0'", "euler='1 2 3'"),
        ("radian", "xyz", "zaxis='0 0 -1'", "axisangle='1 0 0 2'", ""),
    ],
)
def test_all_orientations_of_mjcf_are_written(
    tmp_path: Path, angle: str, sequence: str, first: str, second: str, third: str
) -> None:
    """As quaternions in their place, also of joints without names."""
    source = tmp_path / "two.xml"
    source.write_text(ORIENTATIONS.format(angle=angle, sequence=sequence, first=first,
                                          second=second, third=third))  # fmt: skip
    robot = jounce.load(source)
    rng = np.random.default_rng(0)
    q = rng.uniform(-1.5, 1.5, (30, 2))
    target = lie.se3.exp(1e-2 * rng.normal(size=6))
    T = displaced(robot, size=1e-2).frame("tip").pose(q) @ target
    data = Measurements("pose", "tip", q, T, deviation=1e-6, mount=np.eye(4), estimate=("target",))
    place = calibrate(robot, data).write(source, tmp_path / "new.xml")
    assert_close(jounce.load(place).frame("tip").pose(q), T, 1e-8)
    new, old = place.read_text().splitlines(), source.read_text().splitlines()
    changed = [k for k, pair in enumerate(zip(new, old, strict=True)) if pair[0] != pair[1]]
    assert changed == [3, 4, 5]


def test_files_without_gears_are_announced(tmp_path: Path) -> None:
    source = tmp_path / "two.urdf"
    source.write_text(URDF)
    robot = jounce.load(source)
    q = np.random.default_rng(0).uniform(-1.5, 1.5, (30, 2))
    data = measured(robot, q, frame="tip")
    result = calibrate(robot, data, parameters=("offsets", "gears"))
    with pytest.warns(jounce.ModelWarning, match="cannot describe gears"):
        result.write(source, tmp_path / "new.urdf")


@pytest.mark.parametrize("deviation", [None, 1e-4])
def test_all_groups_together(deviation: float | None) -> None:
    """Of an arm with parallel axes, whose errors make redundant parameters nearly independent."""
    robot = quiet(example("ur_description/urdf/ur10_robot.urdf"))
    q = np.random.default_rng(0).uniform(-2.0, 2.0, (150, 6))
    data = measured(displaced(robot), q, 1e-4, "wrist_3_link")
    result = calibrate(robot, replace(data, deviation=deviation), parameters=GROUPS)
    assert len(result.columns) == 48
    assert result.steps < 20
    assert result.validation[0] < 1.1


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, log, out = (tmp_path / name for name in ("two.urdf", "poses.csv", "new.urdf"))
    source.write_text(URDF)
    robot = jounce.load(source)
    q = np.random.default_rng(0).uniform(-1.5, 1.5, (30, 2))
    p = robot.frame("tip").pose(q + np.array((0.0, 0.02)))[:, :3, 3]
    rows = "\n".join(",".join(map(repr, row)) for row in np.column_stack((q, p)).tolist())
    log.write_text(f"q_j1,q_j2,x,y,z\n{rows}\n")
    page = tmp_path / "report.html"
    words = ["calibrate", str(source), str(log), "-o", str(out), "--report", str(page)]
    main([*words, "--frame", "tip", "--parameters", "offsets", "--estimate", "mount"])
    assert "j2 offset" in capsys.readouterr().out
    text = page.read_text(encoding="utf-8")
    assert "<svg" in text
    assert "mm" in text
    with pytest.raises(SystemExit, match=r"new\.urdf': the file exists; .*--force"):
        main(words)
    with pytest.raises(SystemExit, match=r"-o needs the robot's URDF or MJCF file"):
        main(["calibrate", ARM, str(log), "-o", str(tmp_path / "other.urdf")])
    main([*words, "--force", "--json"])
    assert '"unit": "m"' in capsys.readouterr().out


# ------------------------------------------------------------------ errors


def test_errors_say_what_to_do(arm: Robot) -> None:
    q = configurations(5)
    with pytest.raises(jounce.ArgumentError, match="no frame 'tol'; did you mean 'tool'"):
        calibrate(arm, Measurements("position", "tol", q))
    with pytest.raises(jounce.ArgumentError, match="parameters"):
        calibrate(arm, measured(arm, q), parameters=("offset",))
    with pytest.raises(jounce.DataError, match=r"shape \(5, 3\)"):
        Measurements("position", "tool", q, np.zeros((4, 3)))
    with pytest.raises(jounce.DataError, match="unit quaternions"):
        Measurements("orientation", "tool", q, np.full((5, 4), 2.0))
    with pytest.raises(jounce.DataError, match="too few"):
        calibrate(arm, measured(arm, q))
    with pytest.raises(jounce.ArgumentError, match="intrinsics"):
        Measurements("pixel", "tool", q, np.zeros((5, 2)))
    with pytest.raises(jounce.DataError, match="no column for q_joint1"):
        calibrate(arm, {"x": q[:, 0]})
