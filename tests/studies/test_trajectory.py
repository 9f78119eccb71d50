"""Trajectories from files: what is read, what is estimated, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.errors import ArgumentError, DataError, DataWarning, ModelError
from jounce.studies.trajectory import read_trajectory

W = np.array((1.3, 2.1))


def swing(n: int = 101) -> dict[str, np.ndarray]:
    """A motion of two joints, with its derivatives."""
    t = np.linspace(0.0, 2.0, n)
    x = t[:, None] * W
    return {"t": t, "q": np.sin(x), "v": W * np.cos(x), "a": -(W**2) * np.sin(x)}


def write(folder: Path, motion: dict[str, np.ndarray], joints: list[str]) -> str:
    """A file of the convention."""
    head = ["t"] if "t" in motion else []
    head += [f"{k}_{x}" for k in motion if k != "t" for x in joints]
    path = folder / "t.csv"
    table = np.column_stack(list(motion.values()))
    np.savetxt(path, table, delimiter=",", header=",".join(head), comments="")
    return str(path)


@pytest.fixture(scope="module")
def arm() -> jounce.Robot:
    return jounce.load("planar_2r")


def test_what_is_there_is_taken_as_it_is(arm: jounce.Robot, tmp_path: Path) -> None:
    motion = swing()
    result = read_trajectory(arm, write(tmp_path, motion, arm.model.joint_names))
    assert result.notes == ()
    assert len(result) == 101
    assert result.t is not None
    for x, k in zip((result.t, *result.arguments), "tqva", strict=True):
        np.testing.assert_allclose(x, motion[k], rtol=1e-15)


@pytest.mark.parametrize("left_out", ["va", "v", "a"])
def test_derivatives_are_estimated(arm: jounce.Robot, tmp_path: Path, left_out: str) -> None:
    motion = swing()
    arguments = {k: x for k, x in motion.items() if k not in left_out}
    result = read_trajectory(arm, write(tmp_path, arguments, arm.model.joint_names))
    for k in "va":
        # ends are a polynomial's as well, of one order less
        np.testing.assert_allclose(result.values[k], motion[k], atol=5e-4)
        np.testing.assert_allclose(result.values[k][2:-2], motion[k][2:-2], atol=5e-6)
    (note,) = result.notes
    assert "through the " + ("velocities" if left_out == "a" else "positions") in note
    assert "of 5 rows" in note


@pytest.mark.parametrize("rows", [3, 4, 9])
def test_polynomials_are_differentiated_exactly(arm: jounce.Robot, rows: int) -> None:
    """At uneven times, of the degree that so many rows allow."""
    t = np.cumsum(np.random.default_rng(3).uniform(0.1, 0.4, rows))
    degree = min(rows, 5) - 1
    series = np.polynomial.Polynomial(0.01 * np.arange(1.0, degree + 2))
    q, v, a = (np.stack((f(t), -f(t)), -1) for f in (series, series.deriv(), series.deriv(2)))
    result = read_trajectory(arm, {"t": t, "q": q})
    np.testing.assert_allclose(result.values["v"], v, rtol=1e-9)
    np.testing.assert_allclose(result.values["a"], a, rtol=1e-8)


def test_orientations_move_along_their_motions() -> None:
    """A floating base that turns while it is pushed: velocities and accelerations of its body."""
    robot = jounce.load("planar_2r", base="floating")
    t = np.linspace(0.0, 1.0, 201)
    rng = np.random.default_rng(0)
    b, c = rng.standard_normal((2, robot.nv))

    def speed(s: np.ndarray) -> np.ndarray:
        return b * np.cos(s)[..., None] + c * s[..., None]

    q = np.empty((len(t), robot.nq))
    q[0] = robot.neutral()
    for k, s in enumerate(t[:-1]):  # by the midpoint rule, in small steps
        h = (t[k + 1] - s) / 8
        x = q[k]
        for i in range(8):
            x = robot.integrate(x, h * speed(np.array(s + (i + 0.5) * h)))
        q[k + 1] = x
    result = read_trajectory(robot, {"t": t, "q": q})
    np.testing.assert_allclose(result.values["v"], speed(t), atol=1e-5)
    exact = -b * np.sin(t)[:, None] + c
    np.testing.assert_allclose(result.values["a"][2:-2], exact[2:-2], atol=2e-4)


def test_even_points_are_taken(arm: jounce.Robot, tmp_path: Path) -> None:
    motion = swing(1001)
    full = read_trajectory(arm, {"t": motion["t"], "q": motion["q"]})
    path = write(tmp_path, {"t": motion["t"], "q": motion["q"]}, arm.model.joint_names)
    some = read_trajectory(arm, path, points=11)
    assert len(some) == 11
    for item, all_ in zip(some.arguments, full.arguments, strict=True):
        np.testing.assert_allclose(item, all_[::100], rtol=0, atol=1e-12)
    assert "11 of 1,001 rows are used, evenly spaced" in some.notes
    assert len(read_trajectory(arm, path, points=5000)) == 1001
    assert len(read_trajectory(arm, path, points=1)) == 1


def test_only_what_the_quantity_takes_is_needed(arm: jounce.Robot, tmp_path: Path) -> None:
    path = write(tmp_path, {"q": swing()["q"]}, arm.model.joint_names)
    result = read_trajectory(arm, path, "gravity_forces")
    assert list(result.values) == ["q"]
    assert result.t is None
    with pytest.raises(DataError, match=r"t\.csv: expected columns v_<joint>, or times"):
        read_trajectory(arm, path, "kinetic_energy")
    timed = read_trajectory(arm, path, "kinetic_energy", rate=50.0)
    np.testing.assert_allclose(timed.values["v"], swing()["v"], atol=1e-5)


def test_torques_are_read_where_they_are_taken(arm: jounce.Robot, tmp_path: Path) -> None:
    motion = swing()
    tau = arm.inverse_dynamics(motion["q"], motion["v"], motion["a"])
    path = write(tmp_path, {**motion, "tau": tau}, arm.model.joint_names)
    result = read_trajectory(arm, path, "forward_dynamics")
    assert list(result.values) == ["q", "v", "tau"]
    np.testing.assert_allclose(result.values["tau"], tau, rtol=1e-15)
    with pytest.raises(DataError, match=r"no column for tau_joint1"):
        read_trajectory(arm, write(tmp_path, motion, arm.model.joint_names), "forward_dynamics")


def test_a_mechanism_needs_its_independent_joints_alone(tmp_path: Path) -> None:
    linkage = jounce.load("four_bar").closed()
    t = np.linspace(0.0, 1.0, 201)
    q = linkage.reference[linkage.active[0]] + 0.3 * np.sin(t)
    path = write(tmp_path, {"t": t, "q": q[:, None]}, linkage.labels("v"))
    result = read_trajectory(linkage, path, points=20)
    assert result.values["q"].shape == (20, linkage.nq)
    assert result.values["v"].shape == (20, linkage.nv)
    assert result.t is not None
    np.testing.assert_allclose(result.values["v"][:, 0], 0.3 * np.cos(result.t), atol=1e-7)
    with pytest.raises(ModelError, match=r"pass the mechanism, robot.closed\(\)"):
        read_trajectory(jounce.load("four_bar"), path)


def test_degrees_names_and_files(arm: jounce.Robot, tmp_path: Path) -> None:
    motion = swing()
    turned = {k: x if k == "t" else np.rad2deg(x) for k, x in motion.items()}
    np.savez(tmp_path / "t.npz", **turned)  # type: ignore[arg-type]
    result = read_trajectory(arm, str(tmp_path / "t.npz"), degrees=True)
    np.testing.assert_allclose(result.values["a"], motion["a"], rtol=1e-14)
    odd = {"clock": motion["t"], "one": motion["q"][:, 0], "two": motion["q"][:, 1]}
    names = {"t": "clock", "q_joint1": "one", "q_joint2": "two"}
    result = read_trajectory(arm, odd, columns=names)
    np.testing.assert_allclose(result.values["v"], motion["v"], atol=1e-4)


def test_a_low_pass_calms_measured_motions(arm: jounce.Robot) -> None:
    motion = swing(2001)
    noisy = motion["q"] + 1e-4 * np.random.default_rng(1).standard_normal(motion["q"].shape)
    data = {"t": motion["t"], "q": noisy}
    rough, calm = (read_trajectory(arm, data, cutoff=x) for x in (None, 5.0))
    assert calm.t is not None
    index = np.searchsorted(motion["t"], calm.t)
    error = np.abs(calm.values["a"] - motion["a"][index]).max()
    assert error < 0.2 < 50.0 < np.abs(rough.values["a"] - motion["a"]).max()
    assert "Butterworth" in calm.notes[0]
    with pytest.raises(ArgumentError, match=r"cutoff: .* no derivatives are estimated"):
        read_trajectory(arm, motion, cutoff=5.0)
    with pytest.raises(ArgumentError, match=r"cutoff: expected a frequency between 0 and"):
        read_trajectory(arm, data, cutoff=-1.0)
    with pytest.raises(DataError, match=r"too few for a low-pass"):
        read_trajectory(arm, {k: x[:60] for k, x in data.items()}, cutoff=5.0)


def _with_hole(motion: dict[str, Any]) -> dict[str, Any]:
    q = motion["q"].copy()
    q[7, 1] = np.nan
    return {**motion, "q": q}


def test_what_is_wrong_is_named(arm: jounce.Robot, tmp_path: Path) -> None:
    motion = swing()
    bare = {"t": motion["t"], "q": motion["q"]}
    for wrong, said in (
        (_with_hole(motion), r"t\.csv, row 7 \(from 0\), column 'q_joint2': expected a number"),
        ({**bare, "t": motion["t"][::-1]}, r"t\.csv, row 1 \(from 0\), column 't': the time does"),
        (
            {k: x[:2] for k, x in bare.items()},
            r"t\.csv: 2 row\(s\) are too few to estimate v and a",
        ),
        ({k: x[:0] for k, x in bare.items()}, r"no rows"),
    ):
        with pytest.raises(DataError, match=said):
            read_trajectory(arm, write(tmp_path, wrong, arm.model.joint_names))
    half = write(tmp_path, {"t": motion["t"], "q": motion["q"][:, :1]}, ["joint1"])
    with pytest.raises(DataError, match=r"t\.csv: no column for q_joint2\. [^\n]*v_joint2 \(or"):
        read_trajectory(arm, half)
    with pytest.raises(DataError, match=r"no\.csv"):
        read_trajectory(arm, str(tmp_path / "no.csv"))
    for points in (0, -1, 1.5, True):
        with pytest.raises(ArgumentError, match="points: expected a whole number"):
            read_trajectory(arm, motion, points=points)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="rate: expected a frequency in Hz"):
        read_trajectory(arm, motion, rate=0.0)
    with pytest.raises(ArgumentError, match=r"step takes q, v, tau, h, and a trajectory has q, v"):
        read_trajectory(arm, motion, "step")


def test_times_that_fall_only_label_where_nothing_is_estimated(arm: jounce.Robot) -> None:
    motion = swing()
    result = read_trajectory(arm, {**motion, "t": motion["t"][::-1]})
    assert result.t is None
    assert result.notes == ("the times do not increase; points are numbered instead",)
    np.testing.assert_array_equal(result.values["q"], motion["q"])


def test_units_that_do_not_fit_are_told(arm: jounce.Robot) -> None:
    motion = swing()
    turned = {k: x if k == "t" else np.rad2deg(x) for k, x in motion.items()}
    with pytest.warns(
        DataWarning, match=r"the data: column q_.* reaches .* if angles are in degrees"
    ):
        result = read_trajectory(arm, turned)
    assert "if angles are in degrees" in result.notes[0]
    bare = {"t": np.linspace(0.0, 2.0, 2001), "q": np.rad2deg(swing(2001)["q"])}
    with pytest.warns(DataWarning, match="if angles are in degrees"):
        read_trajectory(arm, bare, cutoff=5.0)
