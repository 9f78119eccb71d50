"""Recognition of columns by name; ambiguous names are refused.

Names come from files. They reach reports and terminals as text, whatever they look like.
"""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.cli import main
from jounce.errors import DataError, ModelWarning
from jounce.identification import base_parameters, identify, open_recording
from jounce.identification.columns import expected_columns, resolve
from jounce.robot import Robot
from support.helpers import assert_close
from support.identify_data import changed, csv_text, motion, names


def chain(*joints: str, name: str = "chain", links: tuple[str, ...] = ()) -> Robot:
    """Revolute joints in a row."""
    builder = jounce.TreeBuilder(name)
    labels = links or tuple(f"link{k}" for k in range(len(joints)))
    for k, joint in enumerate(joints):
        builder.add(
            labels[k],
            "revolute",
            labels[k - 1] if k else None,
            joint_name=joint,
            axis=(0, 1, 0) if k % 2 else (1, 0, 0),
            xyz=(0.3, 0.0, 0.1),
            mass=1.0 + k,
            com=(0.1, 0.02, 0.03),
            inertia_com=np.diag((0.01, 0.02, 0.02)),
        )
    return Robot(builder.build())


NUMBERED = ("1", "0", "2")


# ------------------------------------------------------------------ positions


@pytest.mark.parametrize("joints", [NUMBERED, ("2", "1", "0"), ("3", "1", "2"), ("q", "tau", "t")])
def test_arrays_mean_positions(joints: tuple[str, ...], tmp_path: Path) -> None:
    """Any names of joints, in all containers of arrays."""
    robot = chain(*joints)
    data = motion(changed(robot), 300, noise=0.01)
    reference = identify(chain("a", "b", "c"), data.arrays(), method="ols", folds=0)
    assert np.all(reference.rms < 0.05 * reference.rms_torque)
    np.savez(tmp_path / "data.npz", **data.arrays())
    for name, array in data.arrays().items():
        np.save(tmp_path / f"{name}.npy", array)
    topics = {"joints": {"t": data.t, "position": data.q, "velocity": data.v, "effort": data.tau}}
    topics["joints"]["acceleration"] = data.a
    for arguments in (data.arrays(), tmp_path / "data.npz", tmp_path, topics):
        assert_close(identify(robot, arguments, method="ols", folds=0).theta, reference.theta, 1e-9)


def test_named_topics_mean_names() -> None:
    robot = chain(*NUMBERED)
    data = motion(changed(robot), 300, noise=0.01)
    order = [2, 0, 1]
    fields = {"position": data.q, "velocity": data.v, "acceleration": data.a, "effort": data.tau}
    topic = {"t": data.t, "name": [NUMBERED[k] for k in order]}
    topics = {"joints": topic | {k: x[:, order] for k, x in fields.items()}}
    reference = identify(robot, data.arrays(), method="ols", folds=0)
    assert_close(identify(robot, topics, method="ols", folds=0).theta, reference.theta, 1e-9)


def test_columns_by_the_convention_mean_names() -> None:
    robot = chain(*NUMBERED)
    for joints in (NUMBERED, ("0", "1", "2")):
        result = resolve([f"{k}_{x}" for k in ("q", "tau") for x in joints], robot)
        assert result["q"] == ["q_1", "q_0", "q_2"]
        assert result["tau"] == ["tau_1", "tau_0", "tau_2"]


@pytest.mark.parametrize("spelling", ["q{}", "q[{}]", "pos({})", "position[ {} ]"])
def test_numbers_mean_positions(spelling: str) -> None:
    columns = [spelling.format(k) for k in range(3)]
    assert resolve(columns[::-1], chain(*NUMBERED))["q"] == columns


@pytest.mark.parametrize("spelling", ["pos_{}", "{}.position", "q {}", "joint_{}_q"])
def test_numbers_that_may_be_names_are_refused(spelling: str) -> None:
    columns = [spelling.format(k) for k in range(3)]
    if spelling.endswith("{}"):
        with pytest.raises(
            DataError, match=r"may count the entries of q or be the name of a joint"
        ):
            resolve(columns, chain(*NUMBERED))
    else:  # nothing but names can stand there
        assert resolve(columns, chain(*NUMBERED))["q"] == [columns[k] for k in (1, 0, 2)]
    assert resolve(columns, chain("0", "1", "2"))["q"] == columns


@pytest.mark.parametrize(
    ("joints", "columns", "q"),
    [
        (("q", "tau"), ["tau_q", "q_tau", "q_q", "tau_tau"], ["q_q", "q_tau"]),
        (("t", "time"), ["t", "pos_t", "pos_time"], ["pos_t", "pos_time"]),
        (("arm", "arm(left)"), ["pos_arm [rad]", "pos_arm(left)"], None),
        (("arm", "arm_2"), ["pos_arm_2", "pos_arm"], ["pos_arm", "pos_arm_2"]),
        (("A", "a"), ["q_a", "q_A"], ["q_A", "q_a"]),
        (("A", "a"), ["pos_a", "pos_A"], [None, None]),
        (("j1", "j2"), ["pos_j1_j2"], [None, None]),
        (("elbow",), ["q_shoulder"], [None]),
        (("elbow",), ["position"], ["position"]),
    ],
)
def test_names_within_names(
    joints: tuple[str, ...], columns: list[str], q: list[str | None] | None
) -> None:
    assert resolve(columns, chain(*joints))["q"] == (columns if q is None else q)


def test_units_are_no_quantities() -> None:
    """Ampere is not acceleration."""
    result = resolve(["tau_x [A]", "tau_y [A]"], chain("x", "y"))
    assert result["tau"] == ["tau_x [A]", "tau_y [A]"]
    assert result["a"] == [None, None]


@pytest.mark.parametrize(
    "columns",
    [
        ["q0", "q1", "position_0", "position_1"],
        ["q0", "q_0", "q1"],
        ["q[0]", "q[1]", "pos[0]", "pos[1]"],
    ],
)
def test_two_columns_for_one_place(columns: list[str]) -> None:
    with pytest.raises(DataError, match=r"both look like .*; choose one by columns="):
        resolve(columns, chain("a", "b"))


def test_blocks_are_not_mixed() -> None:
    """Two of one array and one of another are no positions of three joints."""
    assert resolve(["q[0]", "q[1]", "q_cmd[2]"], chain("a", "b", "c"))["q"] == [None] * 3


def test_labels_that_two_joints_share() -> None:
    builder = jounce.TreeBuilder("twins")
    builder.add("a", "spherical", joint_name="x", mass=1.0)
    builder.add("b", "revolute", "a", joint_name="x_0", mass=1.0)
    robot = Robot(builder.build())
    with pytest.raises(DataError, match="column 'q_x_0' fits two joints"):
        resolve(expected_columns(robot), robot)
    assert None not in resolve([f"q[{k}]" for k in range(5)], robot)["q"]


def test_a_column_array_may_have_a_joints_name() -> None:
    robot = chain("a", "b")
    data = motion(robot, 30)
    columns = dict(zip(names(robot, "q", "tau"), np.hstack((data.q, data.tau)).T, strict=True))
    recording = open_recording({k: x[:, None] for k, x in columns.items()}, robot)
    assert_close(next(recording.read(30))["q"], data.q, 0.0)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"name": ["a", "a"]}, "two columns are named 'a'"),
        ({"name": [["a", "b"], ["b", "a"], ["a", "b"]]}, "change from message to message"),
        ({"name": "a"}, "'name' must be a list of joints"),
        ({"name": []}, "'name' must be a list of joints"),
        ({"name": ["a", "b"], "pos": np.zeros((3, 2))}, "'pos' and another field are both 'q_a'"),
        ({"velocity": ["x", "y", "z"]}, "'velocity' must be real numbers, found dtype"),
        ({"t": [0.0, np.nan, 1.0]}, "'t' must be finite times"),
    ],
)
def test_topics_that_cannot_be_told(fields: dict[str, Any], message: str) -> None:
    topic = {"t": np.arange(3.0), "position": np.zeros((3, 2)), "effort": np.zeros((3, 2))}
    with pytest.raises(DataError, match=message):
        open_recording({"joints": topic | fields}, chain("a", "b"))


# ------------------------------------------------------------------ names that look like harm

HOSTILE = (
    *(r"$\frac{$", "$a$b$ x_1^2 %s%d \\", "<script>alert(1)</script>--><!--]]>&lt;", "A" * 500),
    *("a\nb\0\ud800\u202ertl", "\x1b[31mred\x1b[0m\x9b31m名前🤖"),
)


def is_text(text: str) -> bool:
    return all(line.isprintable() for line in text.split("\n"))


def test_reports_show_names_as_they_are(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="plots need matplotlib")
    name = "robot " + "".join(HOSTILE)
    robot = chain(*HOSTILE, name=name, links=tuple(f"link {x}" for x in HOSTILE))
    result = identify(
        robot, motion(changed(robot), 400, noise=0.01).arrays(), method="wls", folds=2
    )
    page = result.report(tmp_path / "report.html").read_text(encoding="utf-8")
    assert is_text(page)
    assert "<script" not in page
    assert page.index("""<meta http-equiv="Content-Security-Policy" content="default-src 'none';""")
    assert page.count("<svg") == 3
    assert r"$\frac{$" in page.partition("<svg")[2]
    for text in (str(result), repr(result), result.to_json(), str(base_parameters(robot))):
        assert is_text(text)


def test_plots_leave_settings_alone() -> None:
    matplotlib = pytest.importorskip("matplotlib", reason="plots need matplotlib")
    robot = chain("a", "b")
    result = identify(robot, motion(robot, 200, noise=0.01).arrays(), method="wls", folds=0)
    before = dict(matplotlib.rcParams)
    figures = result.plots()
    assert dict(matplotlib.rcParams) == before
    assert sorted(figures) == ["base", "errors", "torques"]


URDF = """<?xml version="1.1" encoding="utf-8"?>
<robot name="r&#x9b;31m"><link name="a"/><link name="b&#x9b;"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j&#x9b;5m&#x202e;" type="revolute"><parent link="a"/><child link="b&#x9b;"/>
<axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""


@pytest.fixture
def escaping(tmp_path: Path) -> Path:
    """A robot whose names would colour a terminal (XML knows no ESC, but its twin in C1)."""
    path = tmp_path / "r\x9b.urdf"
    path.write_text(URDF.replace('<?xml version="1.1" encoding="utf-8"?>\n', ""), encoding="utf-8")
    return path


def test_commands_print_text(escaping: Path, capsys: pytest.CaptureFixture[str]) -> None:
    robot = Robot(jounce.io.read(escaping))
    data = escaping.with_suffix(".csv")
    data.write_text(csv_text(robot, motion(robot, 200, noise=0.01)), encoding="utf-8")
    html = escaping.with_suffix(".html")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        main(["info", str(escaping)])
        main(["info", "--inertia", str(escaping)])
        main(["identify", str(escaping), str(data), "--report", str(html)])
        main(["identify", str(escaping), str(data), "--json"])
        with pytest.raises(SystemExit) as caught:
            main(["identify", str(escaping), str(data), "--fixed", "x"])
    text = capsys.readouterr()
    assert r"j\x9b5m\u202e" in text.out
    for part in (text.out, text.err, str(caught.value.code), html.read_text(encoding="utf-8")):
        assert is_text(part)


def test_terminals_without_letters(escaping: Path) -> None:
    """Characters that a terminal cannot show are escaped."""
    robot = Robot(jounce.io.read(escaping))
    data = escaping.with_suffix(".csv")
    data.write_text(csv_text(robot, motion(robot, 200, noise=0.01)), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "jounce", "identify", str(escaping), str(data), "--method", "wls"],
        capture_output=True,
        check=False,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "PYTHONIOENCODING": "ascii",
        },
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii()
    assert b"Identification of" in done.stdout
