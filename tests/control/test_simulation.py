"""Closed loops: what happens at each instant, and gradients through time."""

from __future__ import annotations

import pickle
from functools import cache
from typing import Any

import numpy as np
import pytest

import jounce
from jounce import control, trajectories
from jounce.control import Simulation, simulate
from jounce.errors import ArgumentError, ModelWarning
from jounce.robot import Robot
from jounce.solve.elastic import Spring
from support.control import robot_of
from support.helpers import assert_close

H = 1e-3
ROBOTS = ("two", "floating", "closed", "elastic")


@cache
def plant_of(name: str) -> Any:
    """Return a small robot, mechanism or elastic robot."""
    if name == "elastic":
        return plant_of("two").elastic([400.0, 300.0], [0.2, 0.1], [0.3, 0.1])
    if name != "two":
        return robot_of(name)
    builder, inertia = jounce.TreeBuilder("two"), np.diag((0.02, 0.03, 0.04))
    for k in range(2):
        builder.add(
            f"link{k}",
            "revolute",
            f"link{k - 1}" if k else None,
            axis=(0, 1, 0),
            mass=1.0 + k,
            com=(0.2, 0.0, 0.1),
            inertia_com=inertia,
            xyz=(0.4 * k, 0.0, 0.0),
            effort_limit=2.0 + k,
        )
    return Robot(builder.build())


@cache
def law_of(name: str) -> Any:
    """Return PD control, or feedforward with PD control of the motors of the elastic robot."""
    plant = plant_of(name)
    if name == "elastic":
        numbers = [400.0, 300.0], [0.2, 0.1]
        return control.flatness_feedforward(plant.robot, *numbers, kp=90.0, kd=9.0)
    return control.pd_plus(plant, 60.0, 6.0)


def start_of(name: str, seed: int = 0) -> tuple[np.ndarray, ...]:
    """Return a state near the reference."""
    plant, rng = plant_of(name), np.random.default_rng(seed)
    links = getattr(plant, "robot", plant) if name == "elastic" else plant
    q = links.integrate(center_of(name), 0.1 * rng.standard_normal(plant.nv))
    v = 0.1 * rng.standard_normal(plant.nv)
    return (q, v, q + 0.01, 2.0 * v) if name == "elastic" else (q, v)


def center_of(name: str) -> np.ndarray:
    """Return the middle of the reference."""
    return links_of(name).random(1) if name != "closed" else plant_of(name).reference


@cache
def reference_of(name: str) -> Any:
    """Return a periodic reference."""
    plant = plant_of(name)
    waves = 0.2 * np.random.default_rng(2).standard_normal((2, plant.nv, 2))
    links = plant.robot if name == "elastic" else plant
    return trajectories.fourier(links, center_of(name), 1.0, *waves)


def loop(name: str, steps: int, **options: Any) -> Simulation:
    return simulate(
        plant_of(name),
        options.pop("law", law_of(name)),
        options.pop("reference", reference_of(name)),
        steps * H,
        start=options.pop("start", start_of(name)),
        **options,
    )


@pytest.mark.parametrize("name", ROBOTS)
def test_a_loop_is_the_loop_that_one_would_write(name: str) -> None:
    """Bit for bit, with integration in two steps, a delay of three, limits and a wrench."""
    plant, law, steps = plant_of(name), law_of(name), 5
    limits = np.full(plant.nv, 3.0)
    wrench = np.random.default_rng(3).standard_normal((len(plant.model.bodies), 6))
    result = loop(
        name,
        steps,
        substeps=2,
        delay=1.5 * H,
        limits=limits,
        wrenches=lambda t: wrench * np.cos(9.0 * t),
    )
    state, states, commands = start_of(name), [], []
    for k in range(steps):
        states.append(state)
        commands.append(law((), state, reference_of(name)(H * k))[0])
        for i in range(2):
            tau = np.clip(commands[max((2 * k + i - 3) // 2, 0)], -limits, limits)
            t = H * k + i * 0.5 * H
            push = wrench * np.cos(9.0 * t)
            if name == "elastic":
                state = plant.step(*state, tau, 0.5 * H, wrenches=push)
            else:
                state = plant.step(*state, tau, 0.5 * H, wrenches=push, method="rk4")[:2]
    states.append(state)
    for i, x in enumerate(result.states.values()):
        assert np.array_equal(x, np.stack([y[i] for y in states]))
    assert np.array_equal(result.commands, np.stack(commands))
    assert np.array_equal(result.torques, np.clip(commands, -3.0, 3.0))
    assert np.abs(result.commands).max() > 3.0 or name == "closed"
    assert_close(result.reference, reference_of(name)(result.t, 0)[0], 0.0)
    links = plant.robot if name == "elastic" else plant
    assert_close(result.errors, links.difference(result.q, result.reference), 0.0)
    assert result.q.dtype == result.commands.dtype == np.float64


@pytest.mark.parametrize("name", ROBOTS)
def test_batches_equal_single_loops(name: str) -> None:
    starts = [start_of(name, seed) for seed in range(3)]
    gains = 50.0 + np.arange(3.0)[:, None] * np.ones(plant_of(name).nv)
    both = tuple(np.stack(x) for x in zip(*starts, strict=True))
    result = loop(name, 20, start=both, law=law_of(name).with_gains(kp=gains))
    assert result.q.shape == (3, 21, links_of(name).nq)
    for k, start in enumerate(starts):
        one = loop(name, 20, start=start, law=law_of(name).with_gains(kp=gains[k]))
        assert_close(result.q[k], one.q, 1e-11)
        assert_close(result.commands[k], one.commands, 1e-11)


def links_of(name: str) -> Any:
    return plant_of(name).robot if name == "elastic" else plant_of(name)


def test_laws_have_a_state_and_functions_are_controllers() -> None:
    def law(model: Any, state: Any, measurement: Any, reference: Any, gains: Any) -> Any:
        """PI control of the velocity."""
        total = state.total + measurement.v * gains.h
        return -gains.k * total - measurement.v, (total,)

    plant = plant_of("two")
    made = control.Controller(
        plant, law, gains={"k": 9.0, "h": H}, state={"total": np.zeros(2)}, reference={}
    )
    result = simulate(plant, made, duration=0.02, start=start_of("two"))
    assert_close(result.law_state[0], H * result.v[:-1].sum(axis=0), 1e-12)
    totals = H * np.cumsum(result.v[:-1], axis=0)
    assert_close(result.law_states["total"], np.vstack((np.zeros(2), totals)), 1e-12)
    many = simulate(plant, made, duration=0.02, start=start_of("two"), batch=(3, 2))
    assert many.law_states["total"].shape == (3, 2, 21, 2)
    assert_close(many.law_states["total"][1, 1], result.law_states["total"], 1e-12)
    assert result.reference is None
    with pytest.raises(AttributeError, match="first reference of the controller is not q_d"):
        _ = result.errors

    def same(state: Any, measurement: Any, reference: Any) -> Any:
        v = measurement[1]
        total = (state[0] if state else 0.0) + v * H
        return reference - 9.0 * total - v, (total,)

    other = simulate(plant, same, 0.0, duration=0.02, start=start_of("two"))
    assert_close(other.q, result.q, 1e-13)
    timed = simulate(plant, same, lambda t: -t, duration=0.02, start=start_of("two"))
    assert_close(timed.commands[5] - other.commands[5], np.full(2, -5.0 * H), 0.1)


def test_every_records_some_instants() -> None:
    full, some = loop("two", 10), loop("two", 10, every=4)
    rows = [0, 4, 8, 10]
    assert_close(some.t, full.t[rows], 0.0)
    assert np.array_equal(some.q, full.q[rows])
    assert np.array_equal(some.commands, full.commands[rows[:-1]])


# ------------------------------------------------------------------ sensors


def test_noise_has_its_deviation_and_follows_the_seed() -> None:
    seen: list[np.ndarray] = []

    def law(state: Any, measurement: Any, reference: Any) -> Any:
        seen.append(np.concatenate(measurement, axis=-1))
        return np.zeros(2), ()

    def run(seed: int, **options: Any) -> np.ndarray:
        seen.clear()
        options = {"noise": {"q": [1e-3, 2e-3], "v": 0.05}} | options
        simulate(plant_of("two"), law, duration=0.05, start=start_of("two"), seed=seed, **options)
        return np.stack(seen)

    true = run(0, noise={})
    errors = run(0, batch=(400,)) - true[:, None]
    errors /= [1e-3, 2e-3, 0.05, 0.05]
    assert_close(errors.std(axis=(0, 1)), np.ones(4), 0.03)
    assert np.abs(errors.mean(axis=(0, 1))).max() < 0.03
    correlation = np.corrcoef(errors.reshape(-1, 4).T) - np.eye(4)
    assert np.abs(correlation).max() < 0.03  # 4.2 standard deviations of 20,000 samples
    assert np.array_equal(run(1), run(1))
    assert np.abs(run(1) - run(2)).max() > 1e-3


def test_encoders_round_and_velocities_are_their_differences() -> None:
    seen: list[Any] = []

    def law(state: Any, measurement: Any, reference: Any) -> Any:
        seen.append(measurement)
        return np.zeros(2), ()

    start = start_of("two")
    result = simulate(
        plant_of("two"),
        law,
        duration=0.02,
        start=start,
        resolution={"q": [0.01, 0.0]},
        sensors={"v": "q_rate"},
    )
    q, v = (np.stack(x) for x in zip(*seen, strict=True))
    assert_close(q[:, 0], 0.01 * np.round(result.q[:-1, 0] / 0.01), 1e-12)
    assert_close(q[:, 1], result.q[:-1, 1], 1e-12)
    assert_close(v[1:], np.diff(q, axis=0) / H, 1e-12)
    assert_close(v[0], start[1], 0.0)
    assert np.abs(q[:, 0] - result.q[:-1, 0]).max() > 1e-3


def test_orientations_are_measured_on_the_manifold() -> None:
    """Unit quaternions, with noise in the tangent space."""
    plant, seen = plant_of("floating"), []

    def law(state: Any, measurement: Any, reference: Any) -> Any:
        seen.append(measurement[0])
        return np.zeros(plant.nv), ()

    start = start_of("floating")
    simulate(plant, law, duration=H, start=start, noise={"q": 0.01}, batch=(500,))
    quaternions = plant.joints["base_joint"].q
    assert_close(np.linalg.norm(seen[0][:, quaternions][:, :4], axis=-1), np.ones(500), 1e-12)
    change = plant.difference(np.broadcast_to(start[0], seen[0].shape), seen[0])
    assert_close(change.std(axis=0), np.full(7, 0.01), 0.15)


def test_sources_are_names_or_functions_of_signals() -> None:
    elastic, law = plant_of("elastic"), law_of("two")
    result = simulate(
        elastic,
        law,
        reference_of("elastic"),
        0.01,
        start=start_of("elastic"),
        sensors={"q": "theta", "v": lambda signals: signals["dtheta"] + 0.0 * signals["tau_s"]},
    )
    motors = result.states["theta"], result.states["dtheta"]
    expected = law((), tuple(x[3] for x in motors), reference_of("elastic")(3 * H))[0]
    assert np.array_equal(result.commands[3], expected)


def test_observers_see_the_forces_that_were_applied() -> None:
    plant = plant_of("two")
    observer = control.disturbance_observer(plant, 100.0, H)
    law = control.pd_plus(plant, 60.0, 6.0) + observer
    push = np.zeros((len(plant.model.bodies), 6))
    push[-1, 4] = push[-1, 5] = 2.0
    options = {"reference": reference_of("two"), "wrenches": push, "duration": 0.5}
    start = tuple(reference_of("two")(0.0, 1))
    with_observer = simulate(plant, law, start=start, **options)
    without = simulate(plant, law_of("two"), start=start, **options)
    assert np.abs(with_observer.errors[-1]).max() < 0.1 * np.abs(without.errors[-1]).max()


# ------------------------------------------------------------------ starts


def test_loops_start_on_the_reference() -> None:
    move = trajectories.polynomial(plant_of("two"), (0.0, 0.05), ([0.1, 0.2], 0.5), ([0.3, 0], 0.5))
    result = simulate(plant_of("two"), law_of("two"), move)
    assert result.t[-1] == pytest.approx(0.05)
    assert_close(result.q[0], [0.1, 0.2], 0.0)
    assert_close(result.v[0], [0.5, 0.5], 1e-12)
    elastic = simulate(plant_of("elastic"), law_of("elastic"), reference_of("elastic"), H)
    expected = plant_of("elastic").inverse_dynamics(*reference_of("elastic")(0.0))
    for name, x in zip(("theta", "dtheta"), expected, strict=False):
        assert_close(elastic.states[name][0], x, 1e-12)
    still = simulate(plant_of("elastic"), law_of("two"), ([0.1, 0.2], [0.0] * 2, [0.0] * 2), H)
    assert_close(still.states["theta"][0], plant_of("elastic").equilibrium([0.1, 0.2])[0], 1e-12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"period": 0.0}, "period must be > 0"),
        ({"substeps": 0}, "substeps and every >= 1"),
        ({"delay": 0.4 * H}, "multiple of period / substeps"),
        ({"delay": -H}, "multiple of period / substeps"),
        ({"duration": -1.0}, "duration must be > 0"),
        ({"duration": None}, "the reference has no end"),
        ({"reference": None}, r"tuple \(q_d, v_d, a_d\), found 0 entries"),
        ({"reference": ([0.0, 0.0],)}, "found 1 entries"),
        ({"reference": 3.0}, "tuple"),
        ({"start": ([0.0, 0.0],)}, r"start must be a tuple \(q, v\)"),
        ({"start": ([0.0], [0.0, 0.0])}, r"start 'q' must have shape \(..., 2\)"),
        ({"start": ([0.0, np.nan], [0.0, 0.0])}, "be finite"),
        ({"noise": {"qq": 1.0}}, "no measurement 'qq'"),
        ({"noise": {"q": -1.0}}, r"noise of 'q' must be a number or \(2,\), finite and >= 0"),
        ({"resolution": {"q": np.inf}}, "resolution of 'q' must be a number"),
        ({"noise": {"q": [1.0, 2.0, 3.0]}}, r"must be a number or \(2,\)"),
        ({"limits": [1.0]}, r"limits must be a number or \(2,\), and >= 0"),
        ({"limits": -1.0}, "limits must be a number"),
        ({"limits": np.nan}, "limits must be a number"),
        ({"delay": np.inf}, "delay must be a multiple"),
        ({"delay": np.nan}, "delay must be a multiple"),
        ({"sensors": {"v": "speed"}}, "measurement 'v' must be one of q, v, tau, q_rate"),
    ],
)
def test_invalid_arguments_are_explained(options: dict[str, Any], message: str) -> None:
    values = {"reference": reference_of("two"), "duration": 0.01, "start": start_of("two")}
    with pytest.raises(ArgumentError, match=message):
        simulate(plant_of("two"), law_of("two"), **(values | options))


def test_invalid_plants_and_commands_are_explained() -> None:
    rest = ([0.0, 0.0], [0.0, 0.0], [0.0, 0.0])
    with pytest.raises(ArgumentError, match="a robot, a mechanism or an elastic robot, found int"):
        simulate(3, law_of("two"), rest, 0.01)  # pyright: ignore[reportArgumentType]
    with pytest.raises(ArgumentError, match="which has its own integrator"):
        simulate(plant_of("elastic"), law_of("two"), rest, 0.01, method="rk4")
    with pytest.raises(ArgumentError, match="start must be given"):
        simulate(plant_of("two"), control.gravity_compensation(plant_of("two")), duration=0.01)
    spring = Spring(lambda x: 9.0 * x**3, lambda x: 27.0 * x**2, lambda x: 54.0 * x)
    with pytest.raises(ArgumentError, match="has nonlinear springs"):
        simulate(plant_of("two").elastic(spring, 0.2), law_of("two"), rest, 0.01)
    with pytest.raises(ArgumentError, match=r"commands must be forces \(2,\), found \(3,\)"):
        simulate(
            plant_of("two"), lambda *_: (np.zeros(3), ()), duration=0.01, start=start_of("two")
        )
    unstable = law_of("two").with_gains(kp=1e9, kd=-1e9)
    with pytest.warns(ModelWarning, match="is not finite from"):
        simulate(plant_of("two"), unstable, reference_of("two"), 0.2)


def test_limits_are_those_of_the_robot() -> None:
    result = loop("two", 3, limits=True, law=law_of("two").with_gains(kp=1e4))
    assert_close(np.abs(result.torques).max(axis=0), [2.0, 3.0], 0.0)
    assert np.array_equal(loop("two", 3, limits=False).q, loop("two", 3).q)


# ------------------------------------------------------------------ gradients and plots


@pytest.mark.parametrize("name", ROBOTS)
def test_gradients_in_gains_are_those_of_the_loop(name: str) -> None:
    """Against central differences in a direction; with substeps, delay, noise and limits."""
    rng, steps, n = np.random.default_rng(4), 12, plant_of(name).nv
    wq, wv, wc = (rng.standard_normal((steps + k, n)) for k in (1, 1, 0))
    law = law_of(name)
    limits = 1.1 * np.abs(loop(name, 1).commands).max() * np.ones(n)
    limits[0] *= 0.4
    options = {"substeps": 2, "delay": 0.5 * H, "noise": {"q": 1e-3}, "limits": limits}
    base = loop(name, steps, law=law, **options)
    gradients = base.gradients(wq, wv, wc)

    def cost(gains: dict[str, np.ndarray]) -> float:
        moved = loop(name, steps, law=law.with_gains(**gains), **options)
        x = links_of(name).difference(base.q, moved.q)
        return float(np.sum(wq * x) + np.sum(wv * moved.v) + np.sum(wc * moved.commands))

    for gain in ("kp", "kd"):
        direction, h = rng.uniform(0.5, 1.0, n), 1e-3
        ends = [cost({gain: law.gains[gain] + x * direction}) for x in (h, -h)]
        assert_close(gradients[gain] @ direction, (ends[0] - ends[1]) / (2 * h), 1e-6)


def test_gradients_of_batches_and_states_of_laws() -> None:
    plant, n = plant_of("two"), 2
    law = control.pd_plus(plant, 60.0, 6.0) + control.disturbance_observer(plant, 100.0, H)
    starts = tuple(np.stack(x) for x in zip(*(start_of("two", k) for k in (0, 1)), strict=True))
    result = simulate(plant, law, reference_of("two"), 0.01, start=starts)
    weights = np.ones((2, 11, n))
    gradients = result.gradients(q=weights)
    for k in (0, 1):
        one = simulate(plant, law, reference_of("two"), 0.01, start=start_of("two", k))
        for name, x in one.gradients(q=weights[k]).items():
            assert_close(gradients[name][k], x, 1e-10, floor=1e-12)

    def cost(bandwidth: float) -> float:
        moved = simulate(plant, law.with_gains(bandwidth=bandwidth), reference_of("two"), 0.01,
                         start=start_of("two"))  # fmt: skip
        return float(moved.q.sum())

    slope = (cost(101.0) - cost(99.0)) / 2.0
    assert_close(gradients["bandwidth"][0].sum(), slope, 1e-3)


def test_gradients_through_torque_sensors_and_motor_encoders() -> None:
    def law(model: Any, state: Any, measurement: Any, reference: Any, gains: Any) -> Any:
        """Torque control of the springs, with damping of the motors."""
        q, dtheta, tau_s = measurement
        wanted = model.gravity_forces(q)
        return wanted + gains.k * (wanted - tau_s) - gains.d * dtheta, state

    shapes = {"q": ("nq",), "dtheta": ("nv",), "tau_s": ("nv",)}
    gains, elastic = {"k": [2.0, 3.0], "d": [4.0, 2.0]}, plant_of("elastic")
    made = control.Controller(
        elastic.robot, law, gains=gains, measurement=shapes, reference={}, name="torque"
    )
    weights = np.random.default_rng(6).standard_normal((31, 2))

    def run(**changed: Any) -> Simulation:
        start = start_of("elastic")
        return simulate(elastic, made.with_gains(**changed), duration=0.03, start=start, delay=H)

    result = run()
    state = tuple(x[3] for x in result.states.values())
    assert_close(result.commands[3], made((), (state[0], state[3],
        elastic.spring_torques(*state)), ())[0], 1e-14)  # fmt: skip
    gradients = result.gradients(v=weights)
    for name, value in gains.items():
        for i in range(2):
            h = 1e-3 * np.eye(2)[i]
            ends = [np.sum(weights * run(**{name: value + x}).v) for x in (h, -h)]
            assert_close(gradients[name][i], (ends[0] - ends[1]) / 2e-3, 1e-6)


def test_gradients_need_a_controller_and_signals() -> None:
    def free(state: Any, measurement: Any, reference: Any) -> Any:
        return np.zeros(2), ()

    result = simulate(plant_of("two"), free, duration=H, start=start_of("two"))
    with pytest.raises(ArgumentError, match="need a Controller, found function"):
        result.gradients()
    result = loop("two", 3, sensors={"v": "q_rate"})
    with pytest.raises(ArgumentError, match="need measurements of signals, found 'v'"):
        result.gradients(q=np.ones((4, 2)))
    with pytest.raises(ArgumentError, match=r"'q' must have shape \(4, 2\), found \(3, 2\)"):
        loop("two", 3).gradients(q=np.ones((3, 2)))


def test_plots_show_positions_errors_and_commands() -> None:
    pytest.importorskip("matplotlib")
    figure = loop("two", 5, batch=(2,)).plot((1,))
    assert [axes.get_ylabel() for axes in figure.axes] == [
        "position (rad, m)",
        "error (rad, m)",
        "command (N m, N)",
    ]
    assert [len(axes.lines) for axes in figure.axes] == [4, 2, 2]


@pytest.mark.parametrize("name", ["two", "elastic"])
def test_simulations_can_be_pickled(name: str) -> None:
    result = loop(name, 4, noise={"q": 1e-3})
    copy = pickle.loads(pickle.dumps(result))
    assert np.array_equal(copy.q, result.q)
    assert_close(copy.gradients(q=np.ones((5, 2)))["kp"], result.gradients(q=np.ones((5, 2)))["kp"])


def test_simulations_have_a_readable_name() -> None:
    assert repr(loop("two", 3, batch=(2,))) == "<simulation of 'two' from 0 to 0.003 s, batch (2,)>"
