"""Identification by simulation: sensitivities, truth recovered from encoders, and what is not."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.cli import main
from jounce.errors import ArgumentError, DataError, DataWarning, ModelError
from jounce.identification import SimulationModel, base_parameters, identifiability
from jounce.identification.simulation import SimulatedFit
from jounce.identification.simulation.servo_log import Signal
from jounce.robot import Robot

KP, KD = np.array([80.0, 40.0]), np.array([4.0, 2.0])
DELAY = 0.0065
LIMIT = np.array([45.0, 18.0])

LAWS: dict[str, Any] = {"damping": [0.4, 0.25], "friction": [0.3, 0.15]}
GAINS: dict[str, Any] = {"kp": KP, "kd": KD}


def wave(t: Any, nv: int, center: Any = 0.0) -> np.ndarray:
    """Smooth commands (..., nv)."""
    t, k = np.asarray(t)[..., None], np.arange(nv)
    return center + 0.5 * np.sin((2.5 + 0.7 * k) * t + k) + 0.25 * np.sin((7.0 - 0.5 * k) * t)


def record(
    robot: Robot,
    seconds: float = 2.0,
    *,
    gains: dict[str, Any] = GAINS,
    delay: float = DELAY,
    every: int = 5,
    noise: float = 1e-4,
    resolution: float = 1e-4,
    limit: Any = np.inf,
    center: Any = 0.0,
) -> dict[str, np.ndarray]:
    """Simulate servos at 1 kHz; return a log with noise and the resolution of encoders."""
    h, step = 1e-3, robot.step.choose(method="rk4", friction=True)
    kp, kd = gains["kp"], gains["kd"]
    q, v, rows = wave(-delay, robot.nv, center), np.zeros(robot.nv), []
    for k in range(round(seconds / h) + 1):
        tau = kp * (wave(k * h - delay, robot.nv, center) - q) - kd * v
        tau = np.clip(tau, -limit, limit)
        if k % every == 0:
            rows.append((k * h, q, tau))
        q, v = step(q, v, tau, h)
    t, q, tau = (np.array(x) for x in zip(*rows, strict=True))
    q = q + noise * np.random.default_rng(0).normal(size=q.shape)
    q = np.round(q / resolution) * resolution
    return {"t": t, "q": q, "q_command": wave(t, robot.nv, center), "torques": tau}


@pytest.fixture(scope="module")
def nominal() -> Robot:
    robot = jounce.load("planar_2r")
    return robot.edit.with_friction(damping=0.2, friction=0.1, friction_smoothing=0.05)


@pytest.fixture(scope="module")
def truth(nominal: Robot) -> Robot:
    robot = nominal.edit.with_parameters(nominal.model.parameters, armature=[0.3, 0.1])
    return robot.edit.with_friction(**LAWS)


@pytest.fixture(scope="module")
def log(truth: Robot) -> dict[str, np.ndarray]:
    data = record(truth)
    return {name: data[name] for name in ("t", "q", "q_command")}


# ------------------------------------------------------------------ sensitivities

EVERYTHING = (
    "inertia",
    "armature",
    "damping",
    "friction",
    "stribeck_friction",
    "stribeck_velocity",
    "load_friction",
    "friction_smoothing",
    "load_smoothing",
    "stiffness",
    "spring_reference",
    "kp",
    "kd",
    "stall_torque",
    "no_load_speed",
    "delay",
    "torque_constant",
)


@pytest.mark.parametrize("integrator", ["rk4", "euler"])
def test_sensitivities_are_the_derivatives_of_simulations(
    truth: Robot, log: dict[str, np.ndarray], integrator: Any
) -> None:
    laws = {"stribeck_friction": 0.1, "stribeck_velocity": 0.3, "load_friction": 0.05}
    robot = truth.edit.with_friction(load_smoothing=0.1, friction_smoothing=0.1, **laws)
    data = log | {"current": 0.5 * np.cos(log["q"])}
    limits: dict[str, Any] = {"stall_torque": 15.0, "no_load_speed": 20.0, "torque_constant": 2.0}
    model = SimulationModel(
        estimate=EVERYTHING, delay=0.0031, integrator=integrator, window=0.2, **GAINS, **limits
    )
    fit = SimulatedFit(robot, data, model)
    windows, x = fit.train[:2], fit.parameters.first.copy()
    x[fit.parameters.groups["inertia"]] = 0.1
    x[fit.parameters.groups["stiffness"]] = 0.2
    e, J = fit.shooting.simulate(windows, x, jacobian=True)
    assert J is not None
    assert e.shape[-1] == 4
    J = np.concatenate((J[..., :4], J[..., 4:] @ fit.parameters.slopes(x)), axis=-1)
    rng = np.random.default_rng(1)
    for _ in range(3):
        d = rng.normal(size=J.shape[-1])
        d[:4] *= 0.1

        def residuals(s: float, d: np.ndarray = d) -> np.ndarray:
            moved = windows.move(np.tile(s * d[:4], (len(windows), 1)))
            return fit.shooting.simulate(moved, x + s * d[4:])[0]

        h = 1e-5  # small enough that no torque reaches or leaves its limit
        slope = 8.0 * (residuals(h) - residuals(-h)) - (residuals(2 * h) - residuals(-2 * h))
        slope /= 12.0 * h
        assert np.abs(slope - J @ d).max() < 1e-8 * np.abs(slope).max()


def test_interpolation_of_commands_is_exact_for_quadratics() -> None:
    t = 0.1 * np.arange(11)
    signal = Signal.of(t, (3.0 * t**2 - t)[:, None])
    times = np.array([[0.13, 0.55], [0.72, 0.2]])
    value, slope = signal.at(times)
    np.testing.assert_allclose(value[..., 0], 3.0 * times**2 - times, atol=1e-14)
    np.testing.assert_allclose(slope[..., 0], 6.0 * times - 1.0, atol=1e-13)
    before, rest = signal.at(np.array([-1.0]))
    assert before == signal.values[0]
    assert rest == 0.0


# ------------------------------------------------------------------ truth


def scores(result: Any, true: Any) -> np.ndarray:
    """Errors in standard deviations."""
    return (result.estimates - np.concatenate([np.atleast_1d(x) for x in true])) / result.deviations


def test_armature_friction_and_delay_from_encoders_only(
    nominal: Robot, log: dict[str, np.ndarray]
) -> None:
    model = SimulationModel(
        estimate=("armature", "damping", "friction", "delay"), window=0.25, **GAINS
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error", DataWarning)
        result = jounce.identify(nominal, log, model=model)
    z = scores(result, ([0.3, 0.1], *LAWS.values(), DELAY))
    assert np.abs(z).max() < 4.0
    assert result.is_optimal
    assert not result.identifiability.undetermined
    assert abs(result.values["delay"] - DELAY) < 1e-4
    assert np.all(result.validation < 1.5e-4)  # noise and resolution are 1.04e-4
    assert np.all(result.validation < 0.2 * result.validation_before)
    assert np.allclose(result.identified.model.joints[1].damping, result.values["damping"][1])
    assert "7 of 7 directions" in str(result)


def test_base_parameters_of_an_arm_with_a_consistent_result() -> None:
    arm = jounce.load("kuka_iiwa14")
    drives: dict[str, Any] = {"damping": np.full(7, 2.0), "friction": np.full(7, 0.3)}
    true = arm.edit.with_parameters(arm.model.parameters, armature=np.full(7, 0.1))
    true = true.edit.with_friction(friction_smoothing=0.05, **drives)
    gains: dict[str, Any] = {"kp": np.full(7, 600.0), "kd": np.full(7, 30.0)}
    data = record(true, 2.5, gains=gains, noise=3e-5, resolution=1e-5)
    start = true.edit.with_parameters(1.2 * arm.model.parameters)
    start = start.edit.with_friction(damping=1.0, friction=0.5)
    estimate = ("inertia", "damping", "friction")
    model = SimulationModel(estimate=estimate, delay=DELAY, window=0.25, **gains)
    result = jounce.identify(start, {k: data[k] for k in ("t", "q", "q_command")}, model=model)
    base = base_parameters(arm)
    errors = np.array([x for _, x, _ in result.base]) - base.matrix @ arm.model.parameters.ravel()
    z = errors / [s for _, _, s in result.base]
    assert len(z) == 43
    assert np.sqrt(np.mean(z**2)) < 1.6
    assert result.is_optimal
    for pi in result.parameters:
        assert jounce.inertia.is_consistent(pi)


def test_torque_limit_and_gains(truth: Robot) -> None:
    data = record(truth, limit=LIMIT)
    model = SimulationModel(
        estimate=("kp", "kd", "stall_torque"),
        kp=1.4 * KP,
        kd=0.7 * KD,
        stall_torque=1.3 * LIMIT,
        delay=DELAY,
        window=0.25,
    )
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")  # the second joint may not reach its limit
        result = jounce.identify(truth, data, model=model)
    z = scores(result, (KP, KD, LIMIT))
    assert np.nanmax(np.abs(z)) < 4.0
    assert np.isfinite(z[:5]).all()


@pytest.mark.parametrize("driven", [True, False])
def test_torque_constant_from_currents(truth: Robot, driven: bool) -> None:
    data = record(truth, delay=0.0, every=1, noise=1e-5, resolution=1e-6)
    constant = np.array([2.0, 0.5])
    chosen = {"t": data["t"], "q": data["q"], "current": data["torques"] / constant}
    if not driven:
        chosen["q_command"] = data["q_command"]
        chosen["current"] = chosen["current"] + 0.01 * np.random.default_rng(0).normal(
            size=chosen["current"].shape
        )
    gains: dict[str, Any] = {} if driven else GAINS
    model = SimulationModel(estimate=("torque_constant",), torque_constant=1.0, **gains)
    result = jounce.identify(truth, chosen, model=model)
    np.testing.assert_allclose(result.values["torque_constant"], constant, rtol=2e-2)
    assert result.is_optimal


def test_bad_starts(truth: Robot, log: dict[str, np.ndarray]) -> None:
    model = SimulationModel(
        estimate=("kp", "kd"),
        kp=10.0 * KP,
        kd=0.2 * KD,
        delay=DELAY,
        starts=5,
        spread=10.0,
        window=0.25,
        noise=1e-4,
    )
    result = jounce.identify(truth, log, model=model)
    np.testing.assert_allclose(result.values["kp"], KP, rtol=0.02)
    np.testing.assert_allclose(result.values["kd"], KD, rtol=0.02)


def test_combinations_that_act_alike_are_named(truth: Robot, log: dict[str, np.ndarray]) -> None:
    model = SimulationModel(estimate=("kd", "damping"), delay=DELAY, window=0.25, **GAINS)
    report = identifiability(truth, log, model)
    assert report.rank == 2
    assert len(report.undetermined) == 2
    for text, name in zip(report.undetermined, truth.labels("v"), strict=True):
        assert f"kd[{name}]" in text
        assert f"damping[{name}]" in text


# ------------------------------------------------------------------ identifiability


def test_unobservable_parameters_are_named(truth: Robot, log: dict[str, np.ndarray]) -> None:
    model = SimulationModel(
        estimate=("damping", "stall_torque"), stall_torque=1e4, delay=DELAY, window=0.25, **GAINS
    )
    report = identifiability(truth, log, model)
    assert report.undetermined == ["stall_torque[joint1]", "stall_torque[joint2]"]
    assert report.rank == 2
    assert np.isnan(report.deviations).tolist() == [False, False, True, True]
    with pytest.warns(DataWarning, match=r"do not determine stall_torque\[joint1\]"):
        result = jounce.identify(truth, log, model=model)
    np.testing.assert_allclose(result.values["stall_torque"], 1e4)


def test_predicted_deviations_are_those_of_the_fit(
    truth: Robot, log: dict[str, np.ndarray]
) -> None:
    model = SimulationModel(estimate=("damping",), delay=DELAY, window=0.25, **GAINS)
    predicted = identifiability(truth, log, model).deviations
    result = jounce.identify(truth, log, model=model)
    np.testing.assert_allclose(predicted, result.deviations, rtol=0.3)


def test_a_fit_that_stops_early_warns(nominal: Robot, log: dict[str, np.ndarray]) -> None:
    model = SimulationModel(
        estimate=("damping", "delay"), window=0.25, iterations=1, noise=1e-4, **GAINS
    )
    with pytest.warns(DataWarning, match="did not converge"):
        assert not jounce.identify(nominal, log, model=model).is_optimal


# ------------------------------------------------------------------ robots


def test_floating_base() -> None:
    robot = jounce.load("planar_2r", base="floating")
    bodies = np.tile(jounce.inertia.box((0.3, 0.1, 0.1), mass=1.0), (robot.nb, 1))
    robot = robot.edit.with_parameters(bodies)
    robot = robot.edit.with_friction(damping=[0.0] * 6 + [0.3, 0.2])
    h, step = 1e-3, robot.step.choose(method="rk4", friction=True)
    q, v, rows = robot.neutral(), np.zeros(8), []
    for k in range(801):
        tau = np.concatenate((np.zeros(6), wave(k * h, 2)))
        if k % 5 == 0:
            rows.append((k * h, q, tau))
        q, v = step(q, v, tau, h)
    t, q, tau = (np.array(x) for x in zip(*rows, strict=True))
    start = robot.edit.with_friction(damping=[0.0] * 6 + [0.1, 0.1])
    model = SimulationModel(estimate=("damping",), window=0.2)
    result = jounce.identify(start, {"t": t, "q": q, "tau_command": tau}, model=model)
    assert result.names == ["damping[joint1]", "damping[joint2]"]
    np.testing.assert_allclose(result.estimates, [0.3, 0.2], rtol=1e-2)


def test_mimic_joints() -> None:
    builder = jounce.TreeBuilder("gripper")
    box = {"mass": 0.5, "com": (0.1, 0.0, 0.0), "inertia_com": np.diag((1e-3, 2e-3, 2.5e-3))}
    builder.add("left", "revolute", axis=(0, 0, 1), damping=0.2, **box)
    mimic = jounce.model.Mimic("left_joint", -1.0)
    builder.add("right", "revolute", "left", axis=(0, 0, 1), mimic=mimic, joint_name="r", **box)
    robot = Robot(builder.build())
    assert robot.nv == 1
    gains: dict[str, Any] = {"kp": np.array([5.0]), "kd": np.array([0.1])}
    data = record(robot, 1.5, gains=gains, delay=0.0)
    model = SimulationModel(estimate=("damping", "armature"), window=0.25, **gains)
    result = jounce.identify(robot.edit.with_friction(damping=0.5), data, model=model)
    assert np.abs(scores(result, ([0.2], [0.0]))).max() < 4.0


# ------------------------------------------------------------------ messages


def test_messages(nominal: Robot, log: dict[str, np.ndarray]) -> None:
    servo = SimulationModel(**GAINS)
    closed: Any = jounce.load("four_bar").closed()
    with pytest.raises(ModelError, match="without closed loops, found 'four_bar"):
        jounce.identify(closed, log, model=servo)
    with pytest.raises(ArgumentError, match="kp is needed"):
        jounce.identify(nominal, log, model="simulate")
    with pytest.raises(ArgumentError, match="'dampng' cannot be estimated; did you mean"):
        SimulationModel(estimate=("dampng",))
    with pytest.raises(DataError, match="expected commands"):
        jounce.identify(nominal, {"t": log["t"], "q": log["q"]}, model=servo)
    with pytest.raises(DataError, match="no window of 5 s"):
        jounce.identify(nominal, log, model=SimulationModel(window=5.0, **GAINS))
    anything: Any = jounce.identify
    with pytest.raises(ArgumentError, match="method: identification by simulation has no such"):
        anything(nominal, log, model=servo, method="ols")
    with pytest.raises(ArgumentError, match="torque_constant: pass a value"):
        jounce.identify(nominal, log, model=SimulationModel(estimate=("torque_constant",), **GAINS))
    with pytest.raises(ArgumentError, match="model: choose one of torques, simulate"):
        anything(nominal, log, model="motion")
    with pytest.raises(ArgumentError, match="expected a number or 2 numbers"):
        jounce.identify(nominal, log, model=SimulationModel(kp=[1.0] * 3, kd=1.0))


def test_gaps_and_missing_rows(truth: Robot, log: dict[str, np.ndarray]) -> None:
    data = {name: x.copy() for name, x in log.items()}
    data["q"][100] = np.nan
    keep = np.r_[0:200, 220 : len(data["t"])]
    data = {name: x[keep] for name, x in data.items()}
    model = SimulationModel(estimate=("damping",), delay=DELAY, window=0.25, **GAINS)
    result = jounce.identify(truth, [data, log], model=model)
    assert np.abs(scores(result, [LAWS["damping"]])).max() < 4.0


# ------------------------------------------------------------------ reports, command line


def test_command_line_and_report(
    nominal: Robot, log: dict[str, np.ndarray], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    urdf, csv, out = tmp_path / "arm.urdf", tmp_path / "log.csv", tmp_path / "new.urdf"
    nominal.export.urdf(urdf)
    names = [f"{k}_{x}" for k in ("q", "q_cmd") for x in nominal.labels("v")]
    table = np.column_stack((log["t"], log["q"], log["q_command"]))
    np.savetxt(csv, table, delimiter=",", header=",".join(["t", *names]), comments="")
    arguments = ["identify", str(urdf), str(csv), "--model", "simulate", "--kp", "80,40"]
    arguments += ["--kd", "4,2", "--window", "0.25", "--json", "-o", str(out)]
    arguments += ["--report", str(tmp_path / "report.html")]
    main([*arguments, "--estimate", "armature", "damping", "friction", "delay"])
    found = json.loads(capsys.readouterr().out)
    values = {x["name"]: x["value"] for x in found["parameters"]}
    assert abs(values["delay"] - DELAY) < 2e-4
    assert abs(values["armature[joint1]"] - 0.3) < 0.02
    written = jounce.load(out)
    assert np.allclose(written.model.joints[0].damping, values["damping[joint1]"], rtol=1e-4)
    page = (tmp_path / "report.html").read_text()
    assert "held out" in page
    assert "mrad" in page
