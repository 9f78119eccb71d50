"""Mechanisms identified: base parameters of the mechanism, within their stated uncertainty."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import jounce
from jounce.cli import main
from jounce.errors import DataError, DataWarning, ModelError
from jounce.identification import base_parameters, filtered_regressor, identify, open_recording
from jounce.identification.drives import DriveParameters
from jounce.identification.result import Identification
from jounce.identification.subject import MechanismAdapter
from jounce.solve.mechanism.robot import Mechanism
from support.helpers import assert_close
from support.identify_data import Motion
from support.identify_mechanisms import changed_mechanism, mechanism_motion, with_all_drives
from support.mechanisms import mechanism


@pytest.fixture(scope="module")
def five_bar() -> Mechanism:
    return jounce.load("five_bar").closed(("joint1", "joint4"))


@pytest.fixture(scope="module")
def clean(five_bar: Mechanism) -> Motion:
    return mechanism_motion(changed_mechanism(five_bar), 300, 0.15)


def relative(found: Identification, data: Motion) -> float:
    """Largest error of a torque, relative to the size of that torque."""
    error = np.abs(found.torques(data.q, data.v, data.a) - data.tau).max(axis=0)
    return float((error / np.abs(data.tau).max(axis=0)).max())


def within(found: Identification, truth: Mechanism) -> tuple[float, float]:
    """Errors of the base parameters in standard deviations, root mean square and largest."""
    known = [truth.robot.model.parameters.ravel()]
    part = DriveParameters.of(MechanismAdapter(truth))
    known += [getattr(part, k) for k in ("armature", "damping", "friction") if k in _groups(found)]
    error = found.space.matrix @ np.concatenate(known) - found.beta
    error = np.abs(error / found.estimate.deviations)
    return float(np.sqrt(np.mean(error**2))), float(error.max())


def _groups(found: Identification) -> dict[str, slice]:
    return found.space.layout.groups


# ------------------------------------------------------------------ base parameters


@pytest.mark.parametrize("name", ["four_bar", "five_bar", "bennett", "massless"])
def test_base_parameters_are_those_of_the_mechanism(name: str) -> None:
    """They determine the regressor, are independent, and fewer than those of the tree."""
    closed = mechanism(name)
    base = base_parameters(closed)
    rng = np.random.default_rng(3)
    q = MechanismAdapter(closed).sample_configurations(40, rng)
    v, a = rng.normal(size=(2, 40, closed.nv))
    Y = closed.inverse_dynamics.dpi(q, v, a).reshape(-1, 10 * closed.robot.nb)
    assert_close(Y[:, base.independent] @ base.matrix, Y, 1e-7)  # terms below 1e-7 are left out
    columns = Y[:, base.independent]
    s = np.linalg.svd(columns / np.linalg.norm(columns, axis=0), compute_uv=False)
    assert s[-1] > 1e-8 * s[0]
    assert len(base) == {"four_bar": 8, "five_bar": 18, "bennett": 7, "massless": 18}[name]
    assert len(base) < len(base_parameters(closed.robot))


def test_walks_stay_closed_and_move(five_bar: Mechanism) -> None:
    q = MechanismAdapter(five_bar).sample_configurations(50, np.random.default_rng(0))
    assert five_bar.gap(q).max() < 1e-9
    assert np.ptp(q[:, 0]) > 0.5


def test_armatures_take_part(five_bar: Mechanism) -> None:
    base = base_parameters(five_bar, armature=True)
    assert base.labels[-2:] == ("armature[joint1]", "armature[joint4]")
    assert len(base) == 18  # motors on the base only add to moments of inertia


# ------------------------------------------------------------------ with and without noise


def test_five_bar_with_noise(five_bar: Mechanism) -> None:
    truth = changed_mechanism(five_bar)
    result = identify(five_bar, mechanism_motion(truth, 600, 0.15, noise=0.01).arrays())
    usual, largest = within(result, truth)
    assert 0.3 < usual < 1.7
    assert largest < 4.0
    assert not result.problems
    assert not result.estimate.unexcited
    assert relative(result, mechanism_motion(truth, 200, 0.15, seed=5)) < 0.02
    assert isinstance(result.identified, Mechanism)
    assert result.identified.active == five_bar.active


def test_stewart_platform_with_noise_from_legs_alone() -> None:
    """Six legs' lengths and forces: the pose of the platform follows."""
    closed = mechanism("stewart")
    truth = changed_mechanism(closed)
    data = mechanism_motion(truth, 300, 0.05, noise=0.01)
    arguments = data.arrays("v", "a", "tau") | {"q": data.q[:, MechanismAdapter(closed).leading]}
    result = identify(closed, arguments, method="wls", folds=0)
    usual, largest = within(result, truth)
    assert len(result.beta) == 82
    assert 0.5 < usual < 1.5
    assert largest < 4.5
    assert relative(result, mechanism_motion(truth, 60, 0.05, seed=5)) < 0.05


@pytest.mark.parametrize("momentum", [False, True])
def test_drives_of_dependent_joints_are_known(five_bar: Mechanism, momentum: bool) -> None:
    """Drives of independent joints are identified, those of dependent joints are known.

    The filters of the momentum form are of second order in the step, 2 ms: 1e-3.
    """
    part = with_all_drives(five_bar)
    truth = changed_mechanism(part)
    data = mechanism_motion(truth, 3000, 0.1, step=2e-3)
    known = vars(DriveParameters.of(part.robot))
    none = {name: np.where(np.isin(np.arange(4), part.active), 0.0, x) for name, x in known.items()}
    bare = part.robot.edit.with_parameters(part.robot.model.parameters, **none)
    prior = bare.closed(part.active, part.reference)
    options = {"armature": True, "friction": True, "momentum": momentum, "folds": 0}
    result = identify(prior, data.arrays(), method="wls", **options)
    tolerance = 1e-8 if not momentum else 1e-3
    assert relative(result, data) < tolerance
    drives = DriveParameters.of(MechanismAdapter(truth))
    assert_close(result.damping, drives.damping, 10 * tolerance)
    assert_close(result.friction, drives.friction, 10 * tolerance)
    same = DriveParameters.of(result.identified.robot)  # type: ignore[union-attr]
    assert_close(same.damping[[1, 2]], DriveParameters.of(part.robot).damping[[1, 2]])


def test_momentum_regressor(five_bar: Mechanism) -> None:
    """F tau = Y pi, to the square of the step."""
    truth = changed_mechanism(five_bar)
    data = mechanism_motion(truth, 2000, 0.1, step=1e-3)
    Y, tau = filtered_regressor(five_bar, data.q, data.v, data.tau, step=1e-3, cutoff=5.0)
    assert_close((Y @ truth.robot.model.parameters.ravel())[1200:], tau[1200:], 1e-4)


# ------------------------------------------------------------------ what was measured


def test_all_joints_or_only_those_that_lead(five_bar: Mechanism, clean: Motion) -> None:
    every = identify(five_bar, clean.arrays(), method="ols", folds=0)
    motors = ("joint1", "joint4")
    subset = {f"q_{name}": clean.q[:, i] for name, i in zip(motors, (0, 3), strict=True)}
    for k in ("v", "a", "tau"):
        subset |= {f"{k}_{name}": getattr(clean, k)[:, i] for i, name in enumerate(motors)}
    named = identify(five_bar, subset, method="ols", folds=0)
    assert_close(named.beta, every.beta, 1e-9)
    # and without velocities: differences along the closed motion
    rough = identify(five_bar, clean.arrays("t", "q", "tau"), method="ols", folds=0)
    assert relative(rough, clean) < 0.1


def test_order_of_samples_and_pieces_do_not_matter(five_bar: Mechanism, clean: Motion) -> None:
    q = clean.q[:, [0, 3]]
    mixed = np.random.default_rng(0).permutation(len(q))
    for rows in (slice(None), mixed):
        data = {"q": q[rows], "tau": clean.tau[rows]}
        recording = open_recording(data, five_bar)
        for size in (7, 1000):
            result = np.concatenate([piece["q"] for piece in recording.read(size)])
            assert_close(result, clean.q[rows], 1e-9)


def test_torques_of_all_joints_are_reduced(five_bar: Mechanism, clean: Motion) -> None:
    tau = np.random.default_rng(0).normal(size=clean.q.shape)
    recording = open_recording({"q": clean.q, "tau": tau}, five_bar)
    (piece,) = recording.read(1000)
    assert_close(piece["tau"], five_bar.independent_forces(clean.q, tau), 1e-9)


def test_rows_without_numbers_are_left_out(five_bar: Mechanism, clean: Motion) -> None:
    q = clean.q[:, [0, 3]].copy()
    q[[0, 17]] = np.nan
    with pytest.warns(DataWarning, match="2 of 300 rows have missing values"):
        result = identify(five_bar, clean.arrays("v", "a", "tau") | {"q": q}, method="ols", folds=0)
    assert relative(result, clean) < 1e-8


# ------------------------------------------------------------------ wrong calls


def test_loops_that_do_not_close_are_named(five_bar: Mechanism, clean: Motion) -> None:
    off = clean.q.copy()
    off[40:, 1] += 0.5
    with pytest.raises(DataError, match=r"row 40 \(from 0\): the loops of five_bar.*'joint5\.\w+'"):
        identify(five_bar, clean.arrays() | {"q": off})
    off = clean.q.copy()
    off[:, 1] += 0.03
    with pytest.warns(DataWarning, match=r"leave the loops of five_bar.closed\(\) open by up to"):
        identify(five_bar, clean.arrays() | {"q": off}, folds=0)
    rocker = jounce.load("four_bar").closed(("rocker_joint",))
    data = {"q": np.linspace(0.0, 3.0, 50)[:, None], "tau": np.zeros((50, 1))}
    with pytest.raises(DataError, match=r"row \d+ \(from 0\): the loops .* cannot be closed"):
        list(open_recording(data, rocker).read(50))


def test_wrong_widths_are_named(five_bar: Mechanism, clean: Motion) -> None:
    with pytest.raises(DataError, match=r"no column for q_joint1, q_joint4\. The columns are"):
        identify(five_bar, clean.arrays() | {"q": clean.q[:, :3]})
    with pytest.raises(DataError, match="no column for tau_joint1"):
        identify(five_bar, clean.arrays() | {"tau": clean.q[:, :3]})
    with pytest.raises(ValueError, match="weights: expected 2 numbers"):
        identify(five_bar, clean.arrays(), weights=(1.0, 1.0, 1.0, 1.0))
    with pytest.raises(ModelError, match=r"closed loops \(joint5\).*pass the mechanism"):
        identify(five_bar.robot, clean.arrays())


# ------------------------------------------------------------------ files and pages


def test_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "guide" / "identification.md").read_text("utf-8")
    section = page.partition("## Mechanisms")[2].partition("\n## ")[0]
    (block,) = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    exec(block, {})
    assert capsys.readouterr().out == "20 18\n"


def test_command_line_and_urdf(five_bar: Mechanism, clean: Motion, tmp_path: Path, capsys) -> None:
    urdf, table, target = (tmp_path / x for x in ("five.urdf", "data.csv", "out.urdf"))
    five_bar.robot.export.urdf(urdf)
    header = "t,q_joint1,q_joint4,v_joint1,v_joint4,a_joint1,a_joint4,tau_joint1,tau_joint4"
    rows = np.column_stack((clean.t, clean.q[:, [0, 3]], clean.v, clean.a, clean.tau))
    np.savetxt(table, rows, delimiter=",", header=header, comments="", fmt="%.17g")
    flags = ["--active", "joint1", "--active", "joint4", "--folds", "0", "-o", str(target)]
    main(["identify", str(urdf), str(table), *flags])
    assert "18 of 40 are identifiable" in capsys.readouterr().out
    result = jounce.load(target)
    assert result.model.loops
    again = result.closed(("joint1", "joint4"), five_bar.reference)
    # the prior pulls a little: as much as a measurement with a thousand per cent deviation
    assert_close(again.inverse_dynamics(clean.q, clean.v, clean.a), clean.tau, 1e-4)
    with pytest.raises(SystemExit, match="active: no joint 'joint9'"):
        main(["identify", str(urdf), str(table), "--active", "joint9"])
