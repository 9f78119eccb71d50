"""Tables of measurements: all spellings, units and orientations; missing and implausible values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce import lie
from jounce.calibration import Measurements, calibrate, read_measurements
from jounce.calibration.pose_tables import default_frame
from jounce.robot import Robot
from support.helpers import assert_close
from support.identify_data import example, quiet

Columns = dict[str, np.ndarray]


@pytest.fixture(scope="module")
def arm() -> Robot:
    return jounce.load("kuka_iiwa14")


def joints(robot: Robot, q: np.ndarray) -> Columns:
    return {f"q_joint{k + 1}": q[:, k] for k in range(robot.nq)}


def sample(robot: Robot, n: int = 20) -> tuple[np.ndarray, np.ndarray]:
    q = np.random.default_rng(0).uniform(-1.5, 1.5, (n, 7))
    return q, np.asarray(robot.frame("tool").pose(q))


def places(T: np.ndarray) -> Columns:
    return {name: T[:, k, 3] for k, name in enumerate("xyz")}


def roll_pitch_yaw(R: np.ndarray) -> Columns:
    return {
        "roll": np.arctan2(R[:, 2, 1], R[:, 2, 2]),
        "pitch": -np.arcsin(R[:, 2, 0]),
        "yaw": np.arctan2(R[:, 1, 0], R[:, 0, 0]),
    }


def write(path: Path, columns: Columns, separator: str = ",") -> Path:
    rows = np.column_stack(list(columns.values())).tolist()
    lines = [separator.join(map(repr, row)).replace("nan", "") for row in rows]
    path.write_text("\n".join([separator.join(columns), *lines]) + "\n")
    return path


def test_all_orientations_and_units_are_the_same_poses(arm: Robot, tmp_path: Path) -> None:
    q, T = sample(arm)
    Q, P, R = joints(arm, q), places(T), T[:, :3, :3]
    quaternions = np.asarray(lie.quaternion.from_rotation(R))
    vectors = np.asarray(lie.so3.log(R))
    quaternion = {name: quaternions[:, k] for k, name in enumerate(("qx", "qy", "qz"), 1)}
    quaternion["QW"] = quaternions[:, 0]
    vector = {f"r{axis}": vectors[:, k] for k, axis in enumerate("xyz")}
    matrix = {f"T{i + 1}{j + 1}": T[:, i, j] for i in range(3) for j in range(4)}
    degrees = {f"{name} [deg]": np.degrees(x) for name, x in (Q | vector).items()}
    tables: list[Any] = [
        Q | P | quaternion,
        Q | P | vector,
        Q | P | roll_pitch_yaw(R),
        Q | matrix,
        {f"q{k + 1}": q[:, k] for k in range(7)} | P | vector,
        degrees | {f"{name} (mm)": 1e3 * x for name, x in P.items()},
    ]
    for k, table in enumerate(tables):
        for data in (table, write(tmp_path / f"{k}.csv", table, ";" if k % 2 else ",")):
            item = read_measurements(data, arm, "tool")
            assert item.kind == "pose"
            assert_close(item.q, q, 1e-14)
            assert_close(item.values, T, 1e-14)
    stated = {name: np.degrees(x) for name, x in (Q | roll_pitch_yaw(R)).items()}
    options: Any = {"units": {"x": "mm"}, "degrees": True}
    scaled = {name: 1e3 * x for name, x in P.items()}
    assert_close(read_measurements(stated | scaled, arm, "tool", **options).values, T, 1e-14)
    other = {"Axis 1": q[:, 0], "tcp": T[:, 0, 3]} | Q | P | quaternion
    del other["q_joint1"], other["x"]
    renamed = read_measurements(other, arm, "tool", columns={"q_joint1": "Axis 1", "x": "tcp"})
    assert_close(renamed.values, T, 1e-14)


def test_other_kinds(arm: Robot) -> None:
    q, T = sample(arm)
    Q = joints(arm, q)
    lengths = np.linalg.norm(T[:, :3, 3], axis=1)
    assert read_measurements(Q | places(T), arm).kind == "position"
    assert read_measurements(Q | roll_pitch_yaw(T[:, :3, :3]), arm).kind == "orientation"
    wire = read_measurements(Q | {"distance [mm]": 1e3 * lengths}, arm)
    assert_close(wire.values[:, 0], lengths, 1e-14)
    assert read_measurements(Q | {"height": lengths}, arm).kind == "plane"
    assert read_measurements(Q, arm, kind="plane").values.max() == 0.0
    pixels = read_measurements(Q | {"u": lengths, "v": lengths}, arm, intrinsics=(1, 1, 0, 0))
    assert pixels.values.shape == (20, 2)
    torques = {f"tau_joint{k + 1}": q[:, k] for k in range(7)}
    assert_close(read_measurements(Q | torques | places(T), arm).tau, q, 1e-14)


def test_rows_with_missing_values_are_left_out(arm: Robot, tmp_path: Path) -> None:
    q, T = sample(arm, 40)
    P = places(T)
    P["y"][[3, 7]] = np.nan
    path = write(tmp_path / "poses.csv", joints(arm, q) | P)
    with pytest.warns(jounce.DataWarning, match=r"2 of 40 rows are left out.*rows 3, 7"):
        item = read_measurements(path, arm, "tool", deviation=1e-4)
    assert len(item) == 38
    item.values[5] += 0.1
    with pytest.warns(jounce.DataWarning, match="row 6 of position of tool"):
        calibrate(arm, item, parameters=("offsets",))
    with pytest.raises(jounce.DataError, match=r"expected finite numbers, found nan at \[3, 1\]"):
        Measurements("position", "tool", q, np.stack(list(P.values()), axis=1))


def test_errors_name_columns(arm: Robot) -> None:
    q, T = sample(arm)
    Q, P = joints(arm, q), places(T)
    with pytest.raises(jounce.DataError, match="found columns x, y but not z"):
        read_measurements(Q | {"x": P["x"], "y": P["y"]}, arm)
    with pytest.raises(jounce.DataError, match="expected columns x, y, z and/or an orientation"):
        read_measurements(Q, arm)
    with pytest.raises(jounce.DataError, match=r"'x \[deg\]' is in 'deg', expected a unit of len"):
        read_measurements(Q | {"x [deg]": P["x"], "y": P["y"], "z": P["z"]}, arm)
    with pytest.raises(jounce.DataError, match="there is no such file"):
        calibrate(arm, "missing.csv")
    with pytest.raises(jounce.DataError, match=r"columns: 'x'.*choose one of q_joint1"):
        read_measurements(Q | {"tx": q[:, 0]}, arm, columns={"x": "ty"})
    with pytest.raises(jounce.DataError, match="at least one configuration"):
        Measurements("position", "tool", q[:0], T[:0, :3, 3])
    with pytest.raises(jounce.DataError, match="found in row 0 one with determinant 8"):
        Measurements("orientation", "tool", q, 2.0 * T[:, :3, :3])
    with pytest.raises(jounce.DataError, match="tau must be finite"):
        Measurements("position", "tool", q, T[:, :3, 3], tau=np.nan * q)
    with pytest.raises(jounce.ArgumentError, match="loss: did you mean 'huber'"):
        calibrate(arm, Measurements("pose", "tool", q, T), loss="hubber")  # type: ignore[arg-type]


def test_implausible_data_are_refused_or_named(arm: Robot) -> None:
    q, T = sample(arm, 60)
    Q, P = joints(arm, q), places(T)
    with pytest.raises(jounce.DataError, match=r"spread over \d+ m, tool over .* convert"):
        calibrate(arm, Q | {name: 1e3 * x for name, x in P.items()}, frame="tool")
    degrees: Any = {name: np.degrees(x) for name, x in Q.items()} | P
    with (
        pytest.warns(jounce.DataWarning, match="are angles in degrees?"),
        pytest.raises(jounce.DataError, match="check frames, units and the order of joints"),
    ):
        calibrate(arm, degrees, frame="tool")
    other = Measurements("pose", "tool", q, T[::-1])
    with pytest.warns(jounce.DataWarning, match="does not explain them"):
        result = calibrate(arm, other, parameters=("offsets",))
    assert len(result.warnings) == len(result.to_dict()["warnings"]) == 1
    noisy = T @ lie.se3.exp(1e-3 * np.random.default_rng(0).normal(size=(60, 6)))
    with pytest.warns(jounce.DataWarning, match=r"are [\d.]+ times their deviation"):
        calibrate(arm, Measurements("pose", "tool", q, noisy, deviation=1e-4))


def test_default_frame_is_at_the_end() -> None:
    ur10 = quiet(example("ur_description/urdf/ur10_robot.urdf"))
    assert ur10.model.frame_names[-1] == "base"
    assert default_frame(ur10) == "tool0"
