"""Controllers in pages: numbers equal those of Python, and a pulled robot returns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce import control
from jounce.viewer.web import write_page
from jounce.viewer.web.controllers import named_controller

pytestmark = pytest.mark.browser

Opener = Callable[..., Any]

#: Commands of the page at a state with a target, and again with the state that the first call left.
COMMANDS = """
([q, v, target]) => {
  const { control } = jounce.page;
  control.restart();
  control.aim(target);
  const [at, rate] = [Float64Array.from(q), Float64Array.from(v)];
  return [0, 1].map(() => {
    control.sample(at, rate);
    return [...control.command];
  });
}
"""

#: Distance from the target in q.
ERROR = """
() => Math.max(...jounce.simulator.q.map((x, i) => Math.abs(x - jounce.page.control.target[i])))
"""

#: Simulates some seconds in frames; `advance` of the page stops when a frame is over.
RUN = "(time) => { for (let k = 0; k < 60 * time; k++) jounce.simulator.advance(1 / 60); }"


def _pid(model: Any, state: Any, measurement: Any, reference: Any, gains: Any) -> Any:
    """PID control with gravity compensation."""
    q, v = measurement
    e = model.difference(q, reference.q_d)
    integral = state.integral + gains.period * e
    tau = model.gravity_forces(q) + gains.kp * e - gains.kd * v + gains.ki * integral
    return tau, (integral,)


def pid(robot: jounce.Robot) -> control.Controller:
    gains = named_controller(robot, "impedance")[0].gains
    gains |= {"ki": gains["kp"], "period": np.array(0.001)}
    state, reference = {"integral": np.zeros(robot.nv)}, {"q_d": ("nq",)}
    return control.Controller(
        robot, _pid, gains=gains, state=state, reference=reference, name="pid"
    )


@pytest.fixture
def shown(open_page: Opener, tmp_path: Path) -> Iterator[Opener]:
    """Opens the page of a robot with a controller."""
    pages: list[Any] = []

    def show(system: Any, controller: Any, frame: str | None = None, **options: Any) -> Any:
        file = tmp_path / f"{len(pages)}.html"
        write_page(system, file, (), controller=controller, frame=frame, timings=False)
        page = open_page(file.as_uri(), offline=True, **options)
        page.evaluate("() => window.jounce.ready.then(() => true)")
        pages.append(page)
        return page

    yield show
    assert [page.problems for page in pages] == [[]] * len(pages)


def drag(page: Any, body: int, x: float, y: float) -> None:
    """Press the mouse on a body, and move it by pixels."""
    place = page.evaluate(
        """(body) => {
      const { stage } = jounce.page;
      const mesh = stage.meshes.find((x) => x.userData.body === body);
      mesh.geometry.computeBoundingSphere();
      const at = mesh.geometry.boundingSphere.center.clone().applyMatrix4(mesh.matrixWorld);
      at.project(stage.camera);
      const box = stage.canvas.getBoundingClientRect();
      return [box.left + ((at.x + 1) / 2) * box.width, box.top + ((1 - at.y) / 2) * box.height];
    }""",
        body,
    )
    page.mouse.move(*place)
    page.mouse.down()
    page.mouse.move(place[0] + x, place[1] + y)


@pytest.mark.parametrize("case", ["impedance", "frame", "mechanism", "state"])
def test_commands_equal_those_of_python(shown: Opener, case: str) -> None:
    system: Any = jounce.load("five_bar" if case == "mechanism" else "kuka_iiwa14")
    system = system.closed() if case == "mechanism" else system
    frame = "tool" if case == "frame" else None
    controller = pid(system) if case == "state" else named_controller(system, "impedance", frame)[0]
    page = shown(system, pid(system) if case == "state" else "impedance", frame)
    rng, rest = np.random.default_rng(0), np.zeros(system.nv)
    for _ in range(3):
        q, target, v = system.random(rng), system.random(rng), rng.normal(size=system.nv)
        reference = (target, rest, rest)
        if frame:
            reference = (system.frame(frame).pose(target), np.zeros(6), np.zeros(6), target)
        state = controller.initial_state()
        found = page.evaluate(COMMANDS, [q.tolist(), v.tolist(), target.tolist()])
        for command in found:
            expected, state = controller(state, (q, v), reference)
            assert np.allclose(command, expected, rtol=0.0, atol=1e-12 * np.abs(expected).max())
        assert (found[0] != found[1]) == bool(state)


@pytest.mark.parametrize("frame", [None, "tool"])
def test_a_robot_that_is_pulled_returns(shown: Opener, frame: str | None) -> None:
    page = shown(jounce.load("kuka_iiwa14"), "impedance", frame, width=900, height=600)
    assert page.evaluate(ERROR) == 0.0
    page.evaluate(RUN, 0.1)
    assert page.evaluate(ERROR) < 1e-9  # gravity is compensated
    drag(page, 4, 60, -60)
    assert page.evaluate("() => Boolean(jounce.simulator.drag)")
    page.evaluate(RUN, 1.0)
    assert page.evaluate(ERROR) > 0.05
    drift = page.evaluate("() => Math.abs(jounce.simulator.drift())")
    assert drift < 1e-6  # the controller's work is counted
    page.mouse.up()
    page.evaluate("() => { jounce.page.pause(); jounce.simulator.tolerance = 1e-9; }")
    page.evaluate(RUN, 10.0)
    assert page.evaluate(ERROR) < 1e-3
    page.get_by_label("pd_plus" if frame is None else "cartesian_impedance").uncheck()
    page.evaluate(RUN, 1.0)
    assert page.evaluate(ERROR) > 0.1  # it falls without controller


def test_sliders_set_target_and_gains(shown: Opener) -> None:
    page = shown(jounce.load("five_bar").closed(), "impedance")
    slider = page.get_by_label("joint1", exact=True)
    slider.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.evaluate("() => jounce.page.pause()")
    start, target = page.evaluate("() => [jounce.data.start, [...jounce.page.control.target]]")
    assert np.isclose(target[0] - start[0], 5 * 2 * np.pi / 100)
    assert page.evaluate("() => jounce.simulator.gap(jounce.page.control.target)") < 1e-9
    assert abs(float(slider.input_value()) - target[0]) < 1e-3  # not where the robot is
    page.evaluate(RUN, 5.0)
    assert page.evaluate(ERROR) < 1e-6
    before = page.evaluate("() => [...jounce.page.control.gains[0].values]")
    page.get_by_label("kp", exact=True).fill("2")
    after = page.evaluate("() => [...jounce.page.control.gains[0].values]")
    assert np.allclose(after, 4.0 * np.array(before))
    page.get_by_role("button", name="Reset", exact=True).click()
    assert page.evaluate(ERROR) == 0.0


@pytest.mark.parametrize("sampled", [False, True])
def test_motions_equal_those_of_python(shown: Opener, sampled: bool) -> None:
    robot = jounce.load("kuka_iiwa14")
    controller = pid(robot) if sampled else named_controller(robot, "impedance")[0]
    page = shown(robot, controller)
    target = np.array(page.evaluate("() => jounce.data.start")) + 0.2
    q, v = page.evaluate(
        """(target) => {
      jounce.page.control.aim(target);
      jounce.simulator.tolerance = 1e-12;
      jounce.simulator.fresh = false;
      jounce.simulator.advance(0.03);
      jounce.simulator.advance(0.02);
      return [[...jounce.simulator.q], [...jounce.simulator.v]];
    }""",
        target.tolist(),
    )
    a, b, state = target - 0.2, np.zeros(robot.nv), controller.initial_state()
    rest = np.zeros(robot.nv)
    h = 0.001 if sampled else 0.00025

    def rates(x: np.ndarray, held: np.ndarray | None) -> np.ndarray:
        q, v = x[: robot.nv], x[robot.nv :]
        tau = controller((), (q, v), (target, rest, rest))[0] if held is None else held
        return np.concatenate((v, robot.forward_dynamics(q, v, tau)))

    for _ in range(round(0.05 / h)):
        held = None
        if sampled:
            held, state = controller(state, (a, b), (target,))
        slope, x = partial(rates, held=held), np.concatenate((a, b))
        k1 = slope(x)
        k2 = slope(x + h / 2 * k1)
        k3 = slope(x + h / 2 * k2)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + slope(x + h * k3))
        a, b = x[: robot.nv], x[robot.nv :]
    assert np.allclose(q, a, atol=1e-8)
    assert np.allclose(v, b, atol=1e-6)
    assert np.abs(v).max() > 0.1


def test_a_floating_base_has_no_motors(shown: Opener) -> None:
    page = shown(jounce.load("kuka_iiwa14", base="floating"), "impedance")
    command = page.evaluate(
        """() => {
      const { simulator, page } = jounce;
      return [...page.control.evaluate(simulator.q, simulator.v.map(() => 1))];
    }"""
    )
    assert command[:6] == [0.0] * 6
    assert np.abs(command[6:]).max() > 1.0
    assert "a floating base has no motors" in page.locator("#remarks").inner_text()
    page.evaluate(RUN, 1.0)
    height = page.evaluate("() => jounce.simulator.q[6] - jounce.data.start[6]")
    assert abs(height) < 0.1  # springs hold it
