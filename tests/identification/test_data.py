"""Measured data: every format gives the same, names are understood, bad input is named."""

from __future__ import annotations

import bz2
import gzip
import lzma
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.identification import cleaning, identify, open_recording, read_log
from jounce.identification.cleaning import samples
from jounce.identification.columns import expected_columns, resolve
from jounce.identification.data import DataSummary
from jounce.identification.result import Identification
from jounce.robot import Robot
from support.helpers import assert_close
from support.identify_data import (
    Motion,
    changed,
    csv_text,
    loaded,
    motion,
    names,
    with_drives,
)

DataError, DataWarning = jounce.DataError, jounce.DataWarning


@pytest.fixture(scope="module")
def data(arm: Robot) -> Motion:
    return motion(with_drives(changed(arm)), 300, noise=0.02)


@pytest.fixture(scope="module")
def reference(arm: Robot, data: Motion) -> Identification:
    return identify(arm, data.arrays(), method="wls", friction=True)


def same(found: Identification, reference: Identification) -> None:
    assert_close(found.theta, reference.theta, 1e-9)
    assert found.factors.count == reference.factors.count


# ------------------------------------------------------------------ formats


@pytest.mark.parametrize(
    "kind",
    ["csv", "tsv", "semicolon", "blank", "comment", "quotes", "tail", "gz", "bz2", "xz", "crlf"],
)
def test_text(
    kind: str, arm: Robot, data: Motion, reference: Identification, tmp_path: Path
) -> None:
    text = csv_text(arm, data)
    path = tmp_path / ("data.tsv" if kind == "tsv" else "data.csv")
    if kind in ("tsv", "semicolon", "blank"):
        text = text.replace(",", {"tsv": "\t", "semicolon": ";", "blank": "  "}[kind])
        path = path.with_suffix(".txt") if kind == "blank" else path
    if kind == "comment":
        text = "# recorded with care, on a Tuesday\n# " + text
    if kind == "crlf":
        text = "\ufeff" + text.replace("\n", "\r\n")
    if kind == "quotes":
        text = "\n".join(",".join(f'"{x}"' for x in line.split(",")) for line in text.splitlines())
    if kind == "tail":  # an empty column at the end, and a delimiter behind it
        text = "\n".join((x + (",," if k else ",note")) for k, x in enumerate(text.splitlines()))
    packers = {"gz": gzip, "bz2": bz2, "xz": lzma}
    if kind in packers:
        path = tmp_path / f"data.csv.{kind}"
        path.write_bytes(packers[kind].compress(text.encode()))
    else:
        path.write_text(text, encoding="utf-8", newline="")
    same(identify(arm, path, method="wls", friction=True), reference)


def test_numpy_files(arm: Robot, data: Motion, reference: Identification, tmp_path: Path) -> None:
    np.savez(tmp_path / "data.npz", **data.arrays())
    same(identify(arm, tmp_path / "data.npz", method="wls", friction=True), reference)
    folder = tmp_path / "folder"
    folder.mkdir()
    for name, array in data.arrays().items():
        np.save(folder / f"{name}.npy", array)
    same(identify(arm, folder, method="wls", friction=True), reference)
    columns = ["t", *names(arm, "q", "v", "a", "tau")]
    rows = np.column_stack([data.t, data.q, data.v, data.a, data.tau])
    table = np.empty(300, dtype=[(name, float) for name in columns])
    for k, name in enumerate(columns):
        table[name] = rows[:, k]
    np.save(tmp_path / "data.npy", table)
    same(identify(arm, tmp_path / "data.npy", method="wls", friction=True), reference)
    same(identify(arm, table, method="wls", friction=True), reference)


def test_parquet(arm: Robot, data: Motion, reference: Identification, tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
    from pyarrow import parquet

    columns = ["t", *names(arm, "q", "v", "a", "tau")]
    rows = np.column_stack([data.t, data.q, data.v, data.a, data.tau])
    table = pyarrow.table({name: rows[:, k] for k, name in enumerate(columns)})
    parquet.write_table(table, tmp_path / "data.parquet", row_group_size=70)
    same(identify(arm, tmp_path / "data.parquet", method="wls", friction=True), reference)
    (tmp_path / "bad.parquet").write_bytes(b"not a table")
    with pytest.raises(DataError, match=r"cannot read '.*bad.parquet'"):
        open_recording(tmp_path / "bad.parquet", arm)


def test_data_frames(arm: Robot, data: Motion, reference: Identification) -> None:
    """Anything with columns that can be looked up by name."""

    class Frame:
        def __init__(self, columns: dict[str, np.ndarray]) -> None:
            self._columns = columns
            self.columns = list(columns)

        def __getitem__(self, name: str) -> np.ndarray:
            return self._columns[name]

    rows = np.column_stack([data.t, data.q, data.v, data.a, data.tau])
    columns = ["t", *names(arm, "q", "v", "a", "tau")]
    frame = Frame({name: rows[:, k] for k, name in enumerate(columns)})
    same(identify(arm, frame, method="wls", friction=True), reference)


def test_topics(arm: Robot, data: Motion, reference: Identification) -> None:
    """Joints in another order, accelerations on a clock of their own."""
    swapped = {"position": data.q, "velocity": data.v, "effort": data.tau}
    topics: dict[str, dict[str, Any]] = {
        "/joint_states": {
            "t": data.t,
            "name": ["joint2", "joint1"],
            **{k: x[:, ::-1] for k, x in swapped.items()},
        },
        "/imu": {"stamp": data.t, "name": ["joint1", "joint2"], "acceleration": data.a},
    }
    same(identify(arm, topics, method="wls", friction=True), reference)
    single: dict[str, dict[str, Any]] = {
        f"/{k}": {"t": data.t, "name": [f"joint{k + 1}"]}
        | {name: x[:, k : k + 1] for name, x in data.arrays("q", "v", "a", "tau").items()}
        for k in (0, 1)
    }
    same(identify(arm, single, method="wls", friction=True), reference)
    late = topics | {"/imu": {**topics["/imu"], "stamp": data.t + 0.1}}
    with pytest.warns(DataWarning, match="10 of 300 rows have missing values"):
        result = identify(arm, late, method="wls", friction=True)
    assert result.factors.count == 290


@pytest.mark.parametrize(
    ("topics", "message"),
    [
        ({"a": {"position": np.zeros((3, 2))}}, "topic 'a': expected a field 't'"),
        (
            {"a": {"t": np.zeros(3), "position": np.zeros((4, 2))}},
            "topic 'a': columns of different lengths: t: 3, position: 4",
        ),
        ({"a": {"t": np.zeros(3), "name": ["x"], "position": np.zeros((3, 2))}}, "1 names but"),
    ],
)
def test_bad_topics(arm: Robot, topics: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        open_recording(topics, arm)


def test_pieces_do_not_matter(
    arm: Robot, data: Motion, reference: Identification, monkeypatch: pytest.MonkeyPatch
) -> None:
    from jounce.identification.regression import Layout

    monkeypatch.setattr(Layout, "piece", lambda self: 7)
    same(identify(arm, data.arrays(), method="wls", friction=True), reference)


@pytest.mark.parametrize("given", [("t", "q", "v", "tau"), ("t", "q", "tau")])
def test_windows_do_not_matter(
    arm: Robot, given: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Derivatives from small windows equal those of all rows at once: the filter forgets."""
    recording = open_recording(motion(arm, 3000, 0.01).arrays(*given), arm)

    def all_of() -> tuple[np.ndarray, np.ndarray, DataSummary]:
        summary = DataSummary()
        result = list(samples(recording, 100, summary))
        return (
            np.concatenate([x.rows for x in result]),
            np.concatenate([np.hstack((x.v, x.a)) for x in result]),
            summary,
        )

    rows, states, summary = all_of()
    monkeypatch.setattr(cleaning, "_WINDOW_ROWS", 173)
    small_rows, small_states, small_summary = all_of()
    assert np.array_equal(rows, small_rows)
    assert_close(small_states, states, 1e-9)
    assert (summary.edges, summary.used) == (small_summary.edges, small_summary.used)
    assert summary.edges + summary.used == summary.rows == 3000


def test_uneven_times(arm: Robot) -> None:
    """Jitter of ten per cent of the step is evened out before the filter."""
    robot = changed(arm)
    rng = np.random.default_rng(0)
    even = motion(robot, 4000, 0.005)
    t = even.t + 0.0005 * rng.uniform(-1.0, 1.0, 4000)
    q = np.column_stack([np.interp(t, even.t, x) for x in even.q.T])
    tau = np.column_stack([np.interp(t, even.t, x) for x in even.tau.T])
    result = identify(arm, {"t": t, "q": q, "tau": tau}, method="ols", folds=0)
    assert np.all(result.rms < 0.02 * result.rms_torque)


# ------------------------------------------------------------------ names


@pytest.mark.parametrize(
    "header",
    [
        "t q_joint1 q_joint2 v_joint1 v_joint2 a_joint1 a_joint2 tau_joint1 tau_joint2",
        "time q1 q2 dq1 dq2 ddq1 ddq2 tau1 tau2",
        "stamp q0 q1 qd0 qd1 qdd0 qdd1 torque0 torque1",
        "Time pos_joint1 pos_joint2 vel_joint1 vel_joint2 acc_joint1 acc_joint2 trq_joint1"
        " trq_joint2",
        "t joint1.position joint2.position joint1.velocity joint2.velocity joint1.acceleration"
        " joint2.acceleration joint1.effort joint2.effort",
        "timestamp /joint_states/position[0] /joint_states/position[1] velocity[0] velocity[1]"
        " accel[0] accel[1] effort[0] effort[1]",
        "t[s] q_joint1[rad] q_joint2[rad] v_joint1[rad/s] v_joint2[rad/s] a_joint1[rad/s2]"
        " a_joint2[rad/s2] tau_joint1(Nm) tau_joint2(Nm)",
        "t joint1/actual_position joint2/actual_position JOINT1_vel JOINT2_vel acc-joint1"
        " acc-joint2 tau_joint1 tau_joint2",
    ],
)
def test_spellings(arm: Robot, header: str) -> None:
    result = resolve(header.split(), arm)
    columns = header.split()
    assert result["t"] == columns[:1]
    for k, quantity in enumerate(("q", "v", "a", "tau")):
        assert result[quantity] == columns[1 + 2 * k : 3 + 2 * k]


def test_spelling_with_fewer_strange_words_wins(arm: Robot) -> None:
    header = [
        "q_joint1",
        "q_joint2",
        "tau_cmd_joint1",
        "tau_joint1",
        "tau_joint2",
        "tau_cmd_joint2",
    ]
    assert resolve(header, arm)["tau"] == ["tau_joint1", "tau_joint2"]


def test_similar_names() -> None:
    """Of joint1 and joint10 each gets its own; joints with several coordinates count them."""
    builder = jounce.TreeBuilder("similar")
    builder.add("a", "spherical", joint_name="joint1", mass=1.0)
    builder.add("b", "revolute", "a", joint_name="joint10", mass=1.0)
    builder.add("c", "revolute", "b", joint_name="q", mass=1.0)
    robot = Robot(builder.build())
    assert expected_columns(robot)[1:7] == [
        *(f"q_joint1_{k}" for k in range(4)),
        "q_joint10",
        "q_q",
    ]
    result = resolve(expected_columns(robot), robot)
    assert [*result["t"], *result["q"], *result["v"], *result["tau"]] == expected_columns(robot)


def test_mapping(arm: Robot, data: Motion, reference: Identification) -> None:
    columns = {"Motor A": data.tau[:, 0], "Motor B": data.tau[:, 1]}
    arguments = data.arrays("t", "q", "v", "a") | columns
    mapping = {"tau_joint1": "Motor A", "tau_joint2": "Motor B"}
    same(identify(arm, arguments, columns=mapping, method="wls", friction=True), reference)
    with pytest.raises(DataError, match="'tau_elbow', which is not a measurement of this robot"):
        open_recording(arguments, arm, columns={"tau_elbow": "Motor A"})
    with pytest.raises(DataError, match="maps 'tau_joint1' to 'Motor C', which does not exist"):
        open_recording(arguments, arm, columns={"tau_joint1": "Motor C"})


def test_names_that_match_nothing_are_listed(arm: Robot, data: Motion) -> None:
    arguments = {"t": data.t, "q_shoulder": data.q[:, 0], "q_elbow": data.q[:, 1]}
    with pytest.raises(DataError) as caught:
        open_recording(arguments, arm)
    message = str(caught.value)
    for name in ("q_joint1", "tau_joint2", "q_shoulder", "q_elbow"):
        assert name in message


@pytest.mark.parametrize(
    ("drop", "message"),
    [
        ("tau_joint2", "no column for tau_joint2"),
        ("v_joint1", "columns v of some joints, but not of"),
    ],
)
def test_missing_columns(arm: Robot, data: Motion, drop: str, message: str) -> None:
    columns = names(arm, "q", "v", "a", "tau")
    rows = np.column_stack((data.q, data.v, data.a, data.tau))
    arguments = {name: rows[:, k] for k, name in enumerate(columns) if name != drop}
    with pytest.raises(DataError, match=message):
        open_recording(arguments, arm)


def test_ambiguous_columns(arm: Robot, data: Motion) -> None:
    arguments = data.arrays() | {"effort_joint1": data.tau[:, 0], "torque_joint1": data.tau[:, 0]}
    del arguments["tau"]
    with pytest.raises(DataError, match="'effort_joint1' and 'torque_joint1' both look like tau"):
        open_recording(arguments, arm)


# ------------------------------------------------------------------ what may be wrong with a file


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty"),
        ("1,2,3\n4,5,6\n", "the first line has numbers, not names"),
        ("t,t,q\n1,2,3\n", "two columns are named 't'"),
        ("t,q_joint1,q_joint2,tau_joint1,tau_joint2\n", "there are column names but no rows"),
        (
            "t,q_joint1,q_joint2,tau_joint1,tau_joint2\n0,1,2,3,4\n0.1,1,two,3,4\n",
            "line 3, column 'q_joint2': expected a number, found 'two'",
        ),
        (
            "t,q_joint1,q_joint2,tau_joint1,tau_joint2\n0,1,2,3,4\n0.1,1,2\n",
            "line 3: 3 fields, but the header has 5 names",
        ),
        (
            "t,q_joint1,q_joint2,tau_joint1,tau_joint2,note\n0,1,2,3,4,x\n0.1,1,2,3,4\n",
            "line 3: 5 fields, but the header has 6 names",
        ),
        (
            't,q_joint1,q_joint2,tau_joint1,tau_joint2\n0,1,2,3,4\n0.1,1,"2,3,4\n0.2,1,2,x,4\n',
            "line 4, column 'tau_joint1': expected a number, found 'x'",
        ),
    ],
)
def test_bad_text(arm: Robot, tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "data.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        identify(arm, path, rate=100.0)


def test_bad_files(arm: Robot, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no such file"):
        open_recording(tmp_path / "none.csv", arm)
    (tmp_path / "data.xlsx").write_text("?")
    with pytest.raises(DataError, match=r"expected a file ending in .csv, .tsv"):
        open_recording(tmp_path / "data.xlsx", arm)
    np.save(tmp_path / "plain.npy", np.zeros((5, 3)))
    with pytest.raises(DataError, match="without names; save a structured array"):
        open_recording(tmp_path / "plain.npy", arm)
    (tmp_path / "bad.npz").write_text("?")
    with pytest.raises(DataError, match=r"cannot read '.*bad.npz'"):
        open_recording(tmp_path / "bad.npz", arm)
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match=r"a folder without \.npy files"):
        open_recording(tmp_path / "empty", arm)


@pytest.mark.parametrize(
    ("name", "library"),
    [("log.csv", "pandas"), ("log.parquet", "pyarrow"), ("s3://x.csv", "fsspec")],
)
def test_libraries_that_are_not_installed(
    name: str, library: str, arm: Robot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "log.csv").write_text("t,q\n0,1\n")
    (tmp_path / "log.parquet").touch()
    for module in [x for x in sys.modules if x.partition(".")[0] == library] + [library]:
        monkeypatch.setitem(sys.modules, module, None)
    path = name if "://" in name else str(tmp_path / name)
    with pytest.raises(DataError, match=rf"reading '.*' needs {library}; install it: pip install"):
        read_log(path, arm)
    with pytest.raises(ImportError, match=library):
        read_log(path, arm)


def test_notes_beside_the_measurements_are_passed_over(
    arm: Robot, data: Motion, reference: Identification, tmp_path: Path
) -> None:
    notes = {"operator": np.array("me"), "limits": np.zeros((2, 2)), "names": np.array(["a", "b"])}
    np.savez(tmp_path / "data.npz", **data.arrays(), **notes)
    same(identify(arm, tmp_path / "data.npz", method="wls", friction=True), reference)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "the data are empty"),
        (3, "expected a path, a mapping of arrays"),
        ({"q": np.zeros((4, 2)), "tau": np.zeros((5, 2))}, "different lengths: q: 4, tau: 5"),
        ({"q": np.zeros((4, 2, 2))}, r"'q' must have shape \(n,\) or \(n, k\)"),
        ({"q": np.array(["a", "b"])}, "'q' must be real numbers"),
    ],
)
def test_bad_arrays(arm: Robot, given: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        open_recording(given, arm)


# ------------------------------------------------------------------ what may be wrong with numbers


def test_missing_values_are_left_out_and_counted(arm: Robot, data: Motion, tmp_path: Path) -> None:
    kept = np.ones(300, dtype=bool)
    kept[[3, 50, 51, 299]] = False
    arrays = {k: x.copy() for k, x in data.arrays().items()}
    arrays["q"][3, 0] = np.nan
    arrays["tau"][50, 1] = np.inf
    arrays["a"][51] = np.nan
    arrays["t"][299] = np.nan
    with pytest.warns(DataWarning, match="4 of 300 rows have missing values") as caught:
        result = identify(arm, arrays, method="wls", friction=True, folds=0)
    assert len(caught) == 1
    assert (result.summary.missing, result.summary.used) == (4, 296)
    clean = {k: x[kept] for k, x in data.arrays().items()}
    other = identify(arm, clean, method="wls", friction=True, folds=0)
    assert_close(result.theta, other.theta, 1e-9)
    lines = csv_text(arm, data).splitlines()
    for k, empty in ((3, ""), (50, "NaN"), (51, "null"), (299, "n/a")):
        fields = lines[1 + k].split(",")
        lines[1 + k] = ",".join((*fields[:3], empty, *fields[4:]))
    path = tmp_path / "holes.csv"
    path.write_text("\n".join(lines))
    with pytest.warns(DataWarning, match="4 of 300 rows"):
        from_text = identify(arm, path, method="wls", friction=True, folds=0)
    assert_close(from_text.theta, other.theta, 1e-9)


def test_nothing_left(arm: Robot, data: Motion) -> None:
    arrays = data.arrays() | {"tau": np.full_like(data.tau, np.nan)}
    match = (
        r"none of its 300 rows can be used: 300 have missing values \(NaN or infinity\); fill .*"
        r"empty \(tau_joint1, tau_joint2\)$"
    )
    with pytest.raises(DataError, match=match):
        identify(arm, arrays)
    subset = {k: x[:30] for k, x in data.arrays("t", "q", "tau").items()}
    match = (
        "none of its 30 rows can be used: 30 are too close to an end or a gap for the low-pass"
        " filter, which needs at least 45 rows without a gap; record longer, raise cutoff, or"
        " provide columns of v and a$"
    )
    with pytest.raises(DataError, match=match):
        identify(arm, subset)
    enough = {k: x[:45] for k, x in data.arrays("t", "q", "tau").items()}
    assert identify(arm, enough, method="ols", folds=0).summary.used == 29
    with pytest.raises(DataError, match="rows can be used: they are too few to estimate"):
        identify(arm, {k: x[:2] for k, x in subset.items()})
    with pytest.raises(DataError, match="rows can be used: the filter of the momentum form takes"):
        identify(
            arm, {k: x[:30] for k, x in data.arrays("t", "q", "v", "tau").items()}, momentum=True
        )
    again = {k: x.repeat(250, axis=0) for k, x in subset.items()}
    with pytest.raises(
        DataError, match=r"time does not increase at 7470, .*; correct the times, record"
    ):
        identify(arm, again)


def test_missing_torques() -> None:
    """Joints that are named are told by name, those that are numbered by their numbers."""
    robot = jounce.load("kuka_iiwa14")
    q = {"q": np.zeros((5, 7))}
    named = {f"tau_joint{k}": np.zeros(5) for k in (1, 2, 3, 5, 6, 7)}
    with pytest.raises(DataError, match=r"^the data: no column for tau_joint4\. The columns"):
        open_recording(q | named, robot)
    numbered = {f"tau{k}": np.zeros(5) for k in (1, 2, 3, 5, 6, 7)}
    match = "expected 7 columns of tau numbered .*, found 6 \\(1 to 7 without number 4\\);"
    with pytest.raises(DataError, match=match):
        open_recording(q | numbered, robot)


def test_too_few_samples(arm: Robot, data: Motion) -> None:
    subset = {k: x[:4] for k, x in data.arrays().items()}
    with pytest.raises(DataError, match="4 usable samples of 2 torques are too few for 10 param"):
        identify(arm, subset, friction=True)


def test_unexcited_parameters_are_named(arm: Robot, data: Motion) -> None:
    """The second joint never moves: its friction is not excited, nor its inertia by itself."""
    still = data.arrays() | {k: getattr(data, k) * np.array((1.0, 0.0)) for k in ("q", "v", "a")}
    still["tau"] = arm.inverse_dynamics(still["q"], still["v"], still["a"])
    with pytest.warns(DataWarning) as caught:
        result = identify(arm, still, friction=True, method="wls", folds=0)
    messages = [str(w.message) for w in caught]
    assert any("constant columns, which excite nothing: q_joint2" in m for m in messages)
    assert any("does not excite" in m and "friction[joint2]" in m for m in messages)
    assert "damping[joint2]" in result.estimate.unexcited
    assert np.isnan(result.deviations[result.space.layout.labels.index("damping[joint2]")])
    assert json_safe(result)


def json_safe(found: Identification) -> bool:
    return '"unexcited"' in found.to_json()


def test_suspected_units(arm: Robot) -> None:
    robot = changed(arm)
    clean = motion(robot, 500)
    degrees = 180.0 / np.pi

    def warnings_of(match: str, **other: np.ndarray) -> None:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", DataWarning)
            identify(arm, clean.arrays() | other, method="ols", folds=0)
        assert any(match in str(w.message) for w in caught), [str(w.message) for w in caught]

    identify(arm, clean.arrays(), method="ols", folds=0)  # no warning without a reason
    warnings_of("column q_joint1 of the data reaches", q=degrees * clean.q)
    warnings_of(
        "constant columns, which excite nothing: tau_joint2 (3)", tau=clean.tau * (1, 0) + (0, 3)
    )
    warnings_of("are they in mN m", tau=1e3 * clean.tau)
    warnings_of("are they in kN m", tau=1e-3 * clean.tau)
    warnings_of("pass torque_scale=-1", tau=-clean.tau)
    warnings_of("on the joint's side of the gear", tau=clean.tau / 100.0)


def test_degrees_beyond_limits() -> None:
    robot = loaded("iiwa14_mueller_kumar2021")
    data = motion(changed(robot), 200)
    degrees = 180.0 / np.pi
    arguments = {
        "q": degrees * data.q,
        "v": degrees * data.v,
        "a": degrees * data.a,
        "tau": data.tau,
    }
    with (
        pytest.warns(DataWarning, match="if angles are in degrees, pass degrees=True"),
        pytest.warns(DataWarning, match="the fit explains almost nothing of the torques of"),
    ):
        identify(robot, arguments, method="ols", folds=0)


def test_units_are_converted(arm: Robot, data: Motion, reference: Identification) -> None:
    degrees = 180.0 / np.pi
    arguments = {k: degrees * getattr(data, k) for k in ("q", "v", "a")}
    arguments |= {"t": 1e3 * data.t, "tau": 1e3 * data.tau}
    result = identify(
        arm,
        arguments,
        degrees=True,
        torque_scale=1e-3,
        time_scale=1e-3,
        method="wls",
        friction=True,
    )
    same(result, reference)


def test_times_that_do_not_rise(arm: Robot, data: Motion, reference: Identification) -> None:
    """Two recordings in one file: the second starts at zero again."""
    twice = {k: np.concatenate((x, x)) for k, x in data.arrays().items()}
    copies = pytest.warns(DataWarning, match="its 600 rows are copies of only 300 different ones")
    with copies, pytest.warns(DataWarning, match="time does not increase at 1 of 600 rows"):
        result = identify(arm, twice, method="wls", friction=True)
    assert_close(result.theta, reference.theta, 1e-9)
    smooth = motion(changed(arm), 1000)
    twice = {k: np.concatenate((x, x)) for k, x in smooth.arrays("t", "q", "tau").items()}
    twice["tau"] += 1e-9 * np.arange(2000.0)[:, None]  # no copy
    with pytest.warns(DataWarning, match="time does not increase at 1 of 2000 rows"):
        result = identify(arm, twice, method="ols")
    assert np.all(result.rms < 3e-3 * result.rms_torque)  # no derivative across the jump
    with pytest.raises(DataError, match="the times do not increase"):
        identify(arm, smooth.arrays("q", "tau") | {"t": np.zeros(1000)})


def test_gaps(arm: Robot) -> None:
    """No derivatives across a gap in time."""
    smooth = motion(changed(arm), 2000)
    kept = np.r_[0:900, 1100:2000]
    arguments = {k: x[kept] for k, x in smooth.arrays("t", "q", "tau").items()}
    result = identify(arm, arguments, method="ols")
    assert result.summary.gaps == 1
    assert np.all(result.rms < 3e-3 * result.rms_torque)


def test_no_times(arm: Robot) -> None:
    smooth = motion(changed(arm), 1000)
    arguments = smooth.arrays("q", "v", "tau")
    with pytest.raises(DataError, match="pass the sampling rate in Hz"):
        identify(arm, arguments)
    with pytest.raises(DataError, match="the momentum form needs increasing times"):
        identify(arm, arguments, momentum=True)
    result = identify(arm, arguments, rate=100.0, method="ols")
    assert np.all(result.rms < 3e-3 * result.rms_torque)
    with pytest.raises(ValueError, match="rate: expected a frequency in Hz"):
        identify(arm, arguments, rate=-1.0)
    with pytest.raises(ValueError, match="cutoff: expected a frequency between 0 and 50 Hz"):
        identify(arm, arguments, rate=100.0, cutoff=80.0)


def test_summary_in_words(arm: Robot, data: Motion) -> None:
    result = identify(arm, data.arrays("t", "q", "tau"), method="ols", friction=True)
    text = str(result.summary)
    assert "300 rows of the data" in text
    assert "near gaps and ends" in text
    assert "central differences" in text
