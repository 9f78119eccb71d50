"""Controllers as kernels: calls, batches, gains, sums, derivatives, export, errors."""

from __future__ import annotations

import ctypes
import pickle
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce import control
from jounce.errors import ArgumentError
from support.control import ROBOTS, random_state, robot_of
from support.helpers import assert_close


def integral_law(model: Any, state: Any, measurement: Any, reference: Any, gains: Any) -> Any:
    """PD control with integral action and gravity compensation."""
    q, v = measurement
    e = model.difference(q, reference.q_d)
    total = state.total + gains.h * e
    tau = model.gravity_forces(q) + gains.kp * e - gains.kd * v + gains.ki * total
    return tau, (total,)


def integral_controller(robot: Any) -> control.Controller:
    gains = {"kp": np.full(robot.nv, 50.0), "kd": 2.0, "ki": 3.0, "h": 0.001}
    return control.Controller(
        robot,
        integral_law,
        gains=gains,
        state={"total": np.zeros(robot.nv)},
        reference={"q_d": ("nq",)},
    )


@pytest.mark.parametrize("name", ROBOTS)
def test_a_law_is_compiled_with_its_state(name: str) -> None:
    robot = robot_of(name)
    q, v, q_d, *_ = random_state(robot)
    controller = integral_controller(robot)
    state = controller.initial_state()
    expected = np.zeros(robot.nv)
    for _ in range(2):
        command, state = controller(state, (q, v), (q_d,))
        e = robot.difference(q, q_d)
        expected = expected + 0.001 * e
        assert_close(state[0], expected)
        tau = robot.gravity_forces(q) + 50.0 * e - 2.0 * v + 3.0 * expected
        assert_close(command, tau, 1e-12)


def test_batches_equal_single_samples() -> None:
    robot = robot_of("arm")
    rng = np.random.default_rng(1)
    q, q_d = robot.random(rng, 5), robot.random(rng, 5)
    v = rng.standard_normal((5, 7))
    controller = integral_controller(robot)
    commands, (totals,) = controller(controller.initial_state((5,)), (q, v), (q_d,))
    for k in range(5):
        command, (total,) = controller(controller.initial_state(), (q[k], v[k]), (q_d[k],))
        assert_close(commands[k], command, 1e-14)
        assert_close(totals[k], total, 1e-14)


def test_float32_gives_float32() -> None:
    robot = robot_of("arm")
    q, v, *reference = (x.astype(np.float32) for x in random_state(robot))
    controller = control.computed_torque(robot, 100.0, 20.0)
    command, _ = controller((), (q, v), tuple(reference))
    single = controller.function(
        q, v, *reference, *(np.float32(x) for x in controller.gains.values())
    )
    assert single.dtype == np.float32
    assert_close(command, single, 1e-5)
    assert command.dtype == np.float32


def test_gains_change_without_compiling_and_in_batches() -> None:
    robot = robot_of("arm")
    q, v, *reference = random_state(robot)
    controller = control.computed_torque(robot, 100.0, 20.0)
    stiff = controller.with_gains(kp=np.array([[50.0] * 7, [400.0] * 7]))
    assert stiff.function is controller.function
    commands, _ = stiff((), (q, v), tuple(reference))
    for k, kp in enumerate((50.0, 400.0)):
        assert_close(commands[k], controller.with_gains(kp=kp)((), (q, v), tuple(reference))[0])
    with pytest.raises(ArgumentError, match=r"has no gain 'kq'; choose one of kp, kd"):
        controller.with_gains(kq=1.0)
    with pytest.raises(ArgumentError, match=r"gain 'kp' must be \(7,\), found \(3,\)"):
        controller.with_gains(kp=np.ones(3))


def test_gradients_in_gains_and_state() -> None:
    robot = robot_of("floating, mimic")
    q, v, *reference = random_state(robot)
    controller = control.slotine_li(robot, 3.0, 5.0)
    lam = np.random.default_rng(2).standard_normal(robot.nv)
    values = (q, v, *reference, *controller.gains.values())
    gradients = controller.function.vjp(*values, lam)
    h = 1e-6
    for k in range(1, len(values)):
        if values[k].shape != (robot.nv,):
            continue  # configurations move on a manifold
        direction = np.random.default_rng(k).standard_normal(robot.nv)
        moved = [
            controller.function(*values[:k], values[k] + sign * h * direction, *values[k + 1 :])
            for sign in (1.0, -1.0)
        ]
        assert_close(gradients[k] @ direction, lam @ (moved[0] - moved[1]) / (2.0 * h), 1e-7)


def test_controllers_can_be_added() -> None:
    robot = robot_of("arm")
    q, v, *reference = random_state(robot)
    tracking = control.computed_torque(robot, 100.0, 20.0)
    both = tracking + control.friction_compensation(robot, damping=0.5, friction=0.2) + tracking
    assert both.arguments["gains"][:2] == ("kp", "kd")
    assert "computed_torque_kp" in both.arguments["gains"]
    v_d = reference[1]
    friction = 0.5 * v_d + 0.2 * v_d / np.sqrt(v_d**2 + 1e-4)
    expected = 2.0 * tracking((), (q, v), tuple(reference))[0] + friction
    assert_close(both((), (q, v), tuple(reference))[0], expected, 1e-13)
    summed = integral_controller(robot) + integral_controller(robot)
    state = summed.initial_state()
    command, state = summed(state, (q, v), (reference[0],))
    single, _ = integral_controller(robot)(state[:1], (q, v), (reference[0],))
    assert len(state) == 2
    assert command.shape == single.shape


def test_further_measurements_and_references_are_ignored() -> None:
    robot = robot_of("arm")
    q, v, *reference = random_state(robot)
    controller = control.computed_torque(robot, 100.0, 20.0)
    command, _ = controller((), (q, v), tuple(reference))
    other, _ = controller((), (q, v, q, v), (*reference, v, v))
    assert np.array_equal(command, other)


def test_pickled_controllers_compute_the_same() -> None:
    robot = robot_of("arm")
    q, v, q_d, *_ = random_state(robot)
    controller = integral_controller(robot)
    copy = pickle.loads(pickle.dumps(controller))
    ours, theirs = (c(c.initial_state(), (q, v), (q_d,))[0] for c in (controller, copy))
    assert np.array_equal(ours, theirs)
    assert copy.content_hash == controller.content_hash


def test_exported_c_equals_the_kernel(tmp_path: Path) -> None:
    robot = robot_of("arm")
    controller = integral_controller(robot)
    controller.export.c(tmp_path, "integral_law", name="arm")
    text = (tmp_path / "arm.c").read_text()
    assert "malloc" not in text
    library = tmp_path / "law.so"
    subprocess.run(
        ["cc", "-std=c99", "-O1", "-shared", "-fPIC", tmp_path / "arm.c", "-o", library, "-lm"],
        check=True,
    )
    q, v, q_d, *_ = random_state(robot)
    values = [np.full(7, 0.1), q, v, q_d, *controller.gains.values()]
    outputs = [np.empty(7), np.empty(7)]
    pointer = ctypes.POINTER(ctypes.c_double)
    function = ctypes.CDLL(str(library)).arm_integral_law
    function(*(np.asarray(x).ctypes.data_as(pointer) for x in (*values, *outputs)))
    command, state = controller((values[0],), (q, v), (q_d,))
    assert_close(outputs[0], command, 1e-13)
    assert_close(outputs[1], state[0], 1e-13)


def test_errors_name_what_is_missing() -> None:
    robot = robot_of("arm")
    q, v, *reference = random_state(robot)
    controller = control.computed_torque(robot, 100.0, 20.0)
    with pytest.raises(ArgumentError, match=r"measurement must be a tuple \(q, v\), found 1 ent"):
        controller((), (q,), tuple(reference))
    with pytest.raises(ArgumentError, match=r"reference must be a tuple .*, found ndarray"):
        controller((), (q, v), q)
    with pytest.raises(ArgumentError, match=r"gain 'kp' must be a number or have shape \(7,\)"):
        control.computed_torque(robot, np.ones(3), 1.0)
    with pytest.raises(ArgumentError, match=r"gain 'kd' must be finite"):
        control.computed_torque(robot, 1.0, np.nan)
    with pytest.raises(ArgumentError, match=r"expected identifiers.* found 'q'"):
        control.Controller(robot, integral_law, gains={"q": 1.0})
    with pytest.raises(ArgumentError, match=r"found 'tree'"):
        control.Controller(robot, integral_law, gains={}, name="tree")

    def misspelled(model: Any, state: Any, measurement: Any, reference: Any, gains: Any) -> Any:
        return model.mass_matrx(measurement.q), state

    with pytest.raises(AttributeError, match=r"has no quantity 'mass_matrx'; did you mean 'mass_m"):
        control.Controller(robot, misspelled, gains={})((), (q, v), tuple(reference))
    other = control.computed_torque(jounce.load("planar_2r"), 1.0, 1.0)
    with pytest.raises(ArgumentError, match="two controllers of one robot"):
        controller + other


def test_laws_use_derivatives_frames_and_tasks() -> None:
    robot = robot_of("arm")
    q, v, *_ = random_state(robot)
    tool = robot.model.frame_names[-1]

    def law(model: Any, state: Any, measurement: Any, reference: Any, gains: Any) -> Any:
        q, v = measurement
        J = model.frame(tool).jacobian(q)
        task = model.task_space(tool, rows="position")
        _, rate = model.gravity_forces.rates(1)(q, v)
        G = model.gravity_forces.dq(q)
        return J.T @ (J @ v) + task.jacobian(q).T @ task.velocity(q, v) + rate - G @ v, state

    controller = control.Controller(robot, law, gains={}, reference={})
    command, _ = controller((), (q, v), ())
    J = robot.frame(tool).jacobian(q)
    assert_close(command, J.T @ (J @ v) + J[3:].T @ (J[3:] @ v), 1e-12)
