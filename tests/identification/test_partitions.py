"""Many files are one: the same answer as from all rows at once; what is broken is named."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.cli import main
from jounce.identification import identify
from jounce.identification.partition_reader import PartitionReader, PartitionTask
from jounce.identification.regression import Compressed
from jounce.io.urdf.write import write_urdf
from jounce.robot import Robot
from jounce.solve.mechanism.robot import Mechanism
from support.helpers import assert_close
from support.identify_data import (
    PANDA,
    Motion,
    changed,
    csv_text,
    cut,
    example,
    motion,
    quiet,
    write_logs,
    write_parquet,
)
from support.identify_mechanisms import changed_mechanism, mechanism_motion

DataError, DataWarning = jounce.DataError, jounce.DataWarning
CUTS = (150, 260, 400, 650)


@pytest.fixture(scope="module")
def data(arm: Robot) -> Motion:
    return motion(changed(arm), 900, noise=0.02)


@pytest.fixture
def logs(arm: Robot, data: Motion, tmp_path: Path) -> Path:
    """A folder of five files."""
    return write_logs(arm, data, tmp_path / "logs", *CUTS)


def parts_of(data: Motion, *cuts: int) -> list[dict[str, np.ndarray]]:
    return [part.arrays() for part in cut(data, *(cuts or CUTS))]


# ------------------------------------------------------------------ the same answer


@pytest.mark.parametrize("method", ["ols", "wls", "tls", "consistent"])
@pytest.mark.parametrize("robust", [None, "huber"])
def test_parts_give_what_all_rows_give(method: Any, robust: Any, arm: Robot, data: Motion) -> None:
    full = identify(arm, data.arrays(), method=method, robust=robust, friction=True)
    result = identify(arm, parts_of(data), method=method, robust=robust, friction=True)
    assert result.factors.count == full.factors.count
    for name in ("theta", "beta", "rms", "validation"):
        assert_close(getattr(result, name), getattr(full, name), 1e-10)


def floating() -> tuple[Robot, dict[str, np.ndarray]]:
    robot = quiet("kuka_iiwa14", base="floating")
    rng = np.random.default_rng(3)
    q = np.stack([robot.random(k) for k in range(600)])
    v, a = rng.normal(size=(2, 600, robot.nv))
    tau = changed(robot).inverse_dynamics(q, v, a)
    return robot, {"q": q, "v": v, "a": a, "tau": tau + 0.1 * rng.normal(size=tau.shape)}


def mechanism() -> tuple[Mechanism, dict[str, np.ndarray]]:
    closed = jounce.load("five_bar").closed(("joint1", "joint4"))
    data = mechanism_motion(changed_mechanism(closed), 400, 0.15, noise=0.01)
    return closed, data.arrays("q", "v", "a", "tau")


def mimicking() -> tuple[Robot, dict[str, np.ndarray]]:
    robot = quiet(example(PANDA))  # with a hand
    assert any(joint.mimic is not None for joint in robot.model.joints)
    return robot, motion(changed(robot), 500, noise=0.01).arrays("q", "v", "a", "tau")


@pytest.mark.parametrize("options", [{"method": "wls"}, {}, {"metric": "bregman"}])
@pytest.mark.parametrize("make", [floating, mechanism, mimicking])
def test_other_robots(
    make: Callable[[], tuple[Any, dict[str, np.ndarray]]], options: dict[str, Any]
) -> None:
    robot, arrays = make()
    parts = [{k: x[a:b] for k, x in arrays.items()} for a, b in ((0, 90), (90, 91), (91, 999))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        full, result = (identify(robot, x, **options) for x in (arrays, parts))
    assert_close(result.theta, full.theta, 1e-10)
    assert_close(result.validation, full.validation, 1e-10)


@pytest.mark.parametrize("options", [{}, {"momentum": True}])
def test_filters_begin_anew_in_each_file(options: Any, arm: Robot) -> None:
    """The ends of each part are left out, as where time jumps back."""
    long = motion(changed(arm), 3000, noise=0.01)
    parts = [part.arrays("t", "q", "v", "tau") for part in cut(long, 1000, 2000)]
    result = identify(arm, parts, method="wls", **options)
    counts = [identify(arm, part, method="wls", **options).factors.count for part in parts]
    assert result.factors.count == sum(counts)
    assert result.summary.jumps == result.summary.gaps == 0
    assert np.abs(result.kept.a).max() > 0.1


def test_patterns_folders_lists_and_addresses(
    arm: Robot, logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = identify(arm, f"{logs}/*.parquet", method="wls")
    deep = f"{logs.parent}/**/[0-9].parquet"
    files = sorted(logs.iterdir())
    (logs / "_SUCCESS").touch()
    for arguments in (
        deep,
        logs,
        str(logs),
        files,
        [f"{logs}/[01]*", *files[2:]],
        f"file://{logs}/*t",
    ):
        assert_close(identify(arm, arguments, method="wls").theta, result.theta, 0.0)
    monkeypatch.chdir(logs)
    assert_close(identify(arm, "*.parquet", method="wls").theta, result.theta, 0.0)


@pytest.mark.filterwarnings("ignore:.* are copies of only:jounce.DataWarning")
def test_addresses_of_other_systems(arm: Robot, data: Motion, logs: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.put(str(logs), "/fleet", recursive=True)
    result = identify(arm, "memory://fleet/*.parquet", method="wls")
    assert_close(result.theta, identify(arm, logs, method="wls").theta, 0.0)
    memory.pipe("/fleet/x.csv", csv_text(arm, data).encode())
    pair = identify(arm, ["memory://fleet/x.csv", *sorted(logs.iterdir())], method="ols")
    assert pair.factors.count == 1800
    memory.pipe("/fleet/x.csv", b"t,q_joint1\n1,oops\n")
    with pytest.raises(DataError, match=r"memory://fleet/x.csv: no column for q_joint2"):
        identify(arm, "memory://fleet/x.csv")
    with pytest.raises(DataError, match="cannot read 'memory://nowhere/\\*': there is no such"):
        identify(arm, "memory://nowhere/*")
    with pytest.raises(DataError, match=r"cannot read 'martian://x/y.csv': .*martian"):
        identify(arm, "martian://x/y.csv")
    memory.rm("/fleet", recursive=True)


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ("nothing/*.parquet", "cannot read 'nothing/.*': there is no such file"),
        ([], "expected some files, found an empty list"),
        ([3.0], "expected a list of paths, .*, found float at 0"),
    ],
)
def test_no_data(given: Any, match: str, arm: Robot) -> None:
    with pytest.raises(DataError, match=match):
        identify(arm, given)


def test_a_file_counts_once(arm: Robot, logs: Path) -> None:
    with pytest.raises(DataError, match=r"0.parquet' occurs twice"):
        identify(arm, [logs / "*.parquet", logs / "0.parquet"])


def test_names_that_look_like_patterns(arm: Robot, data: Motion, tmp_path: Path) -> None:
    path = write_parquet(arm, data, tmp_path / "log[1].parquet")
    assert identify(arm, path, method="ols").summary.source == str(path)


# ------------------------------------------------------------------ broken parts


def truncate(arm: Robot, path: Path, data: Motion) -> None:
    path.write_bytes(path.read_bytes()[:-200])


def rename(arm: Robot, path: Path, data: Motion) -> None:
    path.unlink()
    path.with_suffix(".csv").write_text("t,a,b\n0,1,2\n")


def lose_torque(arm: Robot, path: Path, data: Motion) -> None:
    write_parquet(arm, Motion(data.t, data.q, data.v, data.a, data.tau * np.nan), path)


def make_wild(arm: Robot, path: Path, data: Motion) -> None:
    tau = data.tau.copy()
    tau[100] = 1e20
    write_parquet(arm, Motion(data.t, data.q, data.v, data.a, tau), path)


def milli_torques(arm: Robot, path: Path, data: Motion) -> None:
    write_parquet(arm, Motion(data.t, data.q, data.v, data.a, 1e3 * data.tau), path)


def opposite(arm: Robot, path: Path, data: Motion) -> None:
    write_parquet(arm, Motion(data.t, data.q, data.v, data.a, -data.tau), path)


def in_degrees_partly(arm: Robot, path: Path, data: Motion) -> None:
    write_parquet(arm, Motion(data.t, 180.0 / np.pi * data.q, data.v, data.a, data.tau), path)


BROKEN = {
    truncate: "damaged",
    rename: "no column for q_joint1",
    lose_torque: "none of its 140 rows can be used",
    make_wild: "row 100 .*found 1e\\+20",
    milli_torques: "torque_scale=1e-3",
    opposite: "opposite",
}


@pytest.mark.parametrize("spoil", BROKEN)
def test_broken_parts(
    spoil: Callable[[Robot, Path, Motion], None], arm: Robot, data: Motion, logs: Path
) -> None:
    others = [logs / f"{k}.parquet" for k in (0, 1, 3, 4)]
    expected = identify(arm, others, method="wls", folds=0)
    spoil(arm, logs / "2.parquet", cut(data, *CUTS)[2])
    with pytest.raises(DataError, match=rf"logs/2\.\w+: .*({BROKEN[spoil]}).*skip_broken=True"):
        identify(arm, logs, method="wls", folds=0)
    with pytest.warns(DataWarning, match=r"1 of 5 partitions left out: .*logs/2\.\w+ \("):
        result = identify(arm, logs, method="wls", folds=0, skip_broken=True)
    assert_close(result.theta, expected.theta, 1e-10)
    assert "1 of 5 partitions left out" in str(result)
    assert result.summary.partitions == 5
    text = json.loads(result.to_json())["data"]["left_out"]
    assert [Path(name).stem for name in text] == ["2"]


@pytest.mark.parametrize("spoil", [in_degrees_partly])
def test_a_file_that_does_not_fit_is_named(
    spoil: Callable[[Robot, Path, Motion], None], arm: Robot, data: Motion, logs: Path
) -> None:
    """Units are not guessed from other files; rows far from the model are named with theirs."""
    spoil(arm, logs / "2.parquet", cut(data, *CUTS)[2])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DataWarning)
        identify(arm, logs, method="wls", folds=0)
    assert any("row 0 of" in str(x.message) and "/2.parquet" in str(x.message) for x in caught)


def test_standing_still_is_no_other_unit(arm: Robot) -> None:
    """Beside files of motions one that is nearly all noise, and the other way round."""
    flat = arm.edit.with_model(replace(arm.model, gravity=np.zeros(3)))
    still, parts = motion(changed(flat), 140), parts_of(motion(changed(flat), 900, noise=0.02))
    noise = 1e-4 * np.random.default_rng(0).normal(size=still.tau.shape)
    others = Motion(still.t, 1e-6 * still.q, 1e-6 * still.v, 1e-6 * still.a, noise)
    assert identify(flat, [*parts, others.arrays()], method="ols", folds=0).factors.count == 1040
    for robot in (flat, flat.edit.with_parameters(np.zeros_like(flat.model.parameters))):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DataWarning)
            result = identify(robot, [*[others.arrays()] * 3, parts[0]], method="ols", folds=0)
        assert result.factors.count == 570


def test_units_that_all_share_are_no_difference(arm: Robot, data: Motion) -> None:
    parts = [x | {"tau": 1e3 * x["tau"]} for x in parts_of(data)]
    with pytest.warns(DataWarning, match="torque_scale=1e-3"):
        assert identify(arm, parts, method="ols").factors.count == 900


def test_torques_of_other_joints(data: Motion) -> None:
    robot = quiet("kuka_iiwa14", base="floating")
    rng = np.random.default_rng(0)
    q = np.stack([robot.random(k) for k in range(100)])
    v, a = rng.normal(size=(2, 100, robot.nv))
    tau = robot.inverse_dynamics(q, v, a)
    base = next(iter(robot.joints))
    joints = [x for x in robot.labels("v") if not x.startswith(base)]
    subset = {f"tau_{name}": x for name, x in zip(joints, tau[:, 6:].T, strict=True)}
    motions = {"q": q, "v": v, "a": a}
    full = motions | {"tau": tau}
    with pytest.raises(DataError, match=r"part 1 of the data: it has other torques, .*than the"):
        identify(robot, [full, motions | subset, full], method="ols")


def test_all_broken(arm: Robot, logs: Path) -> None:
    for path in logs.iterdir():
        path.write_bytes(b"no Parquet")
    for options in ({}, {"skip_broken": True}):
        with pytest.raises(DataError, match=r"none of its 5 partitions can be used; .*0.parquet: "):
            identify(arm, logs, **options)


def test_missing_rows_are_counted_by_file(arm: Robot, data: Motion, logs: Path) -> None:
    part = cut(data, *CUTS)[2]
    tau = part.tau.copy()
    tau[10:15] = np.nan
    write_parquet(arm, Motion(part.t, part.q, part.v, part.a, tau), logs / "2.parquet")
    match = r"5 of 900 rows have missing values .* left out: 5 of .*/2.parquet"
    with pytest.warns(DataWarning, match=match):
        identify(arm, logs, method="wls")


def test_outliers_are_named_by_file(arm: Robot, data: Motion, logs: Path) -> None:
    part = cut(data, *CUTS)[3]
    tau = part.tau.copy()
    tau[17, 1] = 1e4
    write_parquet(arm, Motion(part.t, part.q, part.v, part.a, tau), logs / "3.parquet")
    options: Any = {"method": "wls", "friction": True, "folds": 0}
    with pytest.warns(DataWarning, match=r"row 17 of .*3.parquet \(joint2: "):
        identify(arm, logs, **options)
    result = identify(arm, logs, robust="huber", **options)
    assert result.summary.outliers == 1


# ------------------------------------------------------------------ kept records


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the files that are read, in order."""
    seen: list[str] = []
    read = PartitionReader.read

    def count_call(self: PartitionReader, task: PartitionTask, **options: Any) -> Any:
        seen.append(Path(task.name).name)
        return read(self, task, **options)

    monkeypatch.setattr(PartitionReader, "read", count_call)
    return seen


@pytest.mark.parametrize("options", [{}, {"momentum": True}, {"robust": "huber"}])
def test_kept_records_are_used(
    options: Any, arm: Robot, data: Motion, logs: Path, passes: list[str], tmp_path: Path
) -> None:
    options = {"method": "wls", "friction": True, "cutoff": 10.0, **options}
    expected = identify(arm, logs, **options)
    for again in (False, True):
        passes.clear()
        result = identify(arm, logs, keep=tmp_path / "a" / "kept", **options)
        assert_close(result.theta, expected.theta, 0.0)
        assert_close(result.validation, expected.validation, 0.0)
        assert_close(result.kept.rows, expected.kept.rows, 0.0)
        assert str(result.summary) == str(expected.summary)
        assert bool(passes) is not again
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        identify(arm, logs, keep=tmp_path / "a" / "kept", **options, armature=True)
    assert "0.parquet" in passes


def test_only_what_changed_is_read_again(
    arm: Robot, data: Motion, logs: Path, passes: list[str], tmp_path: Path
) -> None:
    keep = tmp_path / "kept"
    identify(arm, logs, method="wls", folds=0, keep=keep)
    passes.clear()
    write_parquet(arm, motion(changed(arm), 100, seed=5), logs / "9.parquet")
    os.utime(logs / "1.parquet", ns=(0, 0))
    result = identify(arm, logs, method="wls", folds=0, keep=keep)
    assert passes == ["1.parquet", "9.parquet"]
    assert_close(result.theta, identify(arm, logs, method="wls", folds=0).theta, 0.0)


@pytest.mark.parametrize("damage", [b"", b"no archive", slice(0, 500), slice(None, None, 2)])
def test_damaged_records_are_named_and_made_again(
    damage: Any, arm: Robot, logs: Path, tmp_path: Path
) -> None:
    keep = tmp_path / "kept"
    expected = identify(arm, logs, method="wls", keep=keep)
    victim = sorted(keep.iterdir())[1]
    victim.write_bytes(damage if isinstance(damage, bytes) else victim.read_bytes()[damage])
    with pytest.warns(DataWarning, match=rf"keep: '{victim}' is damaged .*1.parquet, is read"):
        result = identify(arm, logs, method="wls", keep=keep)
    assert_close(result.theta, expected.theta, 0.0)
    identify(arm, logs, method="wls", keep=keep)


def test_a_crash_repeats_only_the_rest(
    arm: Robot, logs: Path, passes: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = PartitionReader.read

    def crash(self: PartitionReader, task: PartitionTask, **options: Any) -> Any:
        if task.name.endswith("3.parquet"):
            raise KeyboardInterrupt
        return read(self, task, **options)

    with monkeypatch.context() as patch:
        patch.setattr(PartitionReader, "read", crash)
        with pytest.raises(KeyboardInterrupt):
            identify(arm, logs, method="wls", keep=tmp_path / "kept")
    passes.clear()
    identify(arm, logs, method="wls", keep=tmp_path / "kept")
    assert passes == ["3.parquet", "4.parquet"]


def test_a_folder_that_cannot_be(arm: Robot, logs: Path) -> None:
    with pytest.raises(jounce.errors.ArgumentError, match="keep: cannot make the folder"):
        identify(arm, logs, keep=logs / "0.parquet")


# ------------------------------------------------------------------ sums


def test_factors_are_a_monoid() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(60, 4))
    nothing = Compressed(0, np.zeros(1), [np.empty((0, 4))])
    parts = [Compressed(20, np.full(1, 20.0), [rows[k : k + 20]]) for k in (0, 20, 40)]
    item, two, three = parts
    for sum_ in (
        (item + two) + three,
        item + (two + three),
        three + (nothing + two) + item + nothing,
    ):
        assert sum_.count == 60
        assert_close(sum_.parts[0].T @ sum_.parts[0], rows.T @ rows, 1e-13)


# ------------------------------------------------------------------ the command line


def test_on_the_command_line(
    arm: Robot, logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    robot = tmp_path / "arm.urdf"
    write_urdf(arm.model, robot)
    (logs / "3.parquet").write_bytes(b"no Parquet")
    words = ["identify", str(robot), f"{logs}/*.parquet", "--method", "wls"]
    with pytest.raises(SystemExit, match=r"3.parquet: .*skip_broken=True \(--skip-broken\)"):
        main(words)
    report = tmp_path / "report.html"
    words += ["--skip-broken", "--keep", str(tmp_path / "kept"), "--report", str(report)]
    main(words)
    text = capsys.readouterr()
    assert "1 of 5 partitions left out" in text.out
    assert "1 of 5 partitions left out" in text.err
    assert "1 of 5 partitions left out" in report.read_text(encoding="utf-8")
    assert len(list((tmp_path / "kept").iterdir())) == 4


@pytest.mark.filterwarnings("ignore::jounce.errors.DataWarning")
def test_records_of_folders_notice_what_lies_in_them(
    arm: Robot, data: Motion, tmp_path: Path
) -> None:
    """A folder itself does not change when a file in it is written again."""
    keep = tmp_path / "kept"
    folders = []
    for k, part in enumerate(cut(data, 300)):
        folder = tmp_path / f"n{k}"
        folder.mkdir()
        for name, x in part.arrays().items():
            np.save(folder / f"{name}.npy", x)
        folders.append(folder)
    before = identify(arm, folders, keep=keep, method="ols")
    for folder in folders:
        np.save(folder / "tau.npy", 2.0 * np.load(folder / "tau.npy"))
    after = identify(arm, folders, keep=keep, method="ols")
    assert np.abs(after.parameters - before.parameters).max() > 0.1
    with pytest.raises(
        jounce.ArgumentError, match="keep: expected the path of a folder, found bool"
    ):
        identify(arm, folders, keep=True)


def test_one_file_by_two_names_is_refused(arm: Robot, data: Motion, tmp_path: Path) -> None:
    write_parquet(arm, data, tmp_path / "a.parquet")
    (tmp_path / "b.parquet").symlink_to(tmp_path / "a.parquet")
    with pytest.raises(DataError, match=r"b\.parquet' occurs twice"):
        identify(arm, str(tmp_path / "*.parquet"))
    with pytest.raises(DataError, match="expected a path or a list of them, found generator"):
        identify(arm, (name for name in ("a", "b")))
