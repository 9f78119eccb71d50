"""Robots as pages in a browser, from disk and without network: what is seen, computed and moved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from benchmarks.robots import case
from jounce.viewer.web.page import write_page
from support.zoo import MODELS

pytestmark = pytest.mark.browser

Opener = Callable[..., Any]

#: Waits until the page computes.
READY = "() => window.jounce.ready.then(() => true)"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@pytest.fixture
def shown(open_page: Opener, folder: Path) -> Opener:
    """Opens the page of a robot and waits until it computes; made once for each robot."""

    def show(system: Any, name: str, quantities: Any = (), **options: Any) -> Any:
        file = folder / f"{name}.html"
        if not file.exists():
            write_page(system, file, quantities, timings=False)
        page = open_page(file.as_uri(), offline=True, **options)
        page.evaluate(READY)
        return page

    return show


def robot_of(name: str) -> Any:
    robot = jounce.load(name)
    return robot.closed() if robot.model.loops else robot


def until(page: Any, condition: str) -> None:
    """Wait for a condition; Playwright's own way would evaluate text, which pages forbid."""
    look = f"const look = () => (({condition}) ? done(true) : setTimeout(look, 20)); look();"
    assert page.evaluate(f"() => new Promise((done) => {{ {look} }})")


def drawn(page: Any) -> None:
    """Wait until the picture shows the present state."""
    page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )


# ------------------------------------------------------------------ what is seen


def test_the_robot_is_seen_and_a_slider_moves_it(
    shown: Opener, pixels: Callable[..., np.ndarray], differing: Callable[..., int]
) -> None:
    page = shown(robot_of("kuka_iiwa14"), "kuka")
    view = page.locator("#view")
    drawn(page)
    box = view.bounding_box()
    clip = {**box, "height": box["height"] - 120}  # without the bar
    with_robot = pixels(page, clip=clip)
    page.evaluate(
        "() => { jounce.page.stage.root.visible = false; jounce.page.stage.dirty = true; }"
    )
    drawn(page)
    without = pixels(page, clip=clip)
    assert differing(with_robot, without) > 0.02 * without[..., 0].size
    page.evaluate(
        "() => { jounce.page.stage.root.visible = true; jounce.page.stage.dirty = true; }"
    )
    page.get_by_label("joint2", exact=True).focus()
    page.keyboard.press("PageUp")  # a tenth of the range
    drawn(page)
    assert differing(pixels(page, clip=clip), with_robot) > 500
    q = page.evaluate("() => [...jounce.simulator.q]")
    assert abs(q[1] - (0.6 + 0.1 * 2 * 2.0944)) < 1e-3
    assert page.get_by_label("joint2, rad").input_value() == f"{q[1]:.3f}"
    assert page.problems == []


def test_overlays_and_dark_pages(
    chromium: Any, folder: Path, pixels: Callable[..., np.ndarray], differing: Callable[..., int]
) -> None:
    file = folder / "dark.html"
    write_page(robot_of("kuka_iiwa14"), file, (), timings=False)
    context = chromium.new_context(
        viewport={"width": 700, "height": 420}, offline=True, color_scheme="dark"
    )
    try:
        page = context.new_page()
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: problems.append(said.text))  # warnings too
        page.goto(file.as_uri())
        page.evaluate(READY)
        drawn(page)
        before = pixels(page)
        assert before[:, :, :].mean() < 70  # dark
        for name in ("frames", "axes", "com"):
            page.evaluate(f"() => document.getElementById('show-{name}').click()")
            drawn(page)
            after = pixels(page)
            assert differing(after, before) > 20, name
            before = after
        assert problems == []  # not even warnings
    finally:
        context.close()


def test_narrow_windows_have_everything_below(shown: Opener) -> None:
    page = shown(robot_of("planar_2r"), "planar", width=390, height=700)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    page.get_by_text("Mass matrix").scroll_into_view_if_needed()
    assert page.get_by_text("Mass matrix").is_visible()
    assert page.problems == []


@pytest.mark.parametrize(
    ("without", "said"),
    [
        ("delete window.DecompressionStream;", "This browser lacks DecompressionStream"),
        ("delete window.WebAssembly;", "This browser lacks WebAssembly"),
        (
            "HTMLCanvasElement.prototype.getContext = ((own) => function (kind, ...rest) {"
            " return kind === '2d' ? own.call(this, kind, ...rest) : null; }"
            ")(HTMLCanvasElement.prototype.getContext);",
            "This browser has no WebGL 2, so the robot is not drawn; all numbers are there.",
        ),
    ],
)
def test_what_a_browser_lacks_is_said(chromium: Any, folder: Path, without: str, said: str) -> None:
    file = folder / "lacking.html"
    if not file.exists():
        write_page(robot_of("planar_2r"), file, (), timings=False)
    context = chromium.new_context(offline=True)
    try:
        page = context.new_page()
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.add_init_script(without)
        page.goto(file.as_uri())
        page.evaluate(READY)
        assert page.locator("#status").inner_text().startswith(said)
        if "WebGL" in said:
            page.evaluate("() => document.getElementById('play').click()")
            until(page, "jounce.simulator.time > 0.01")
        assert problems == []
    finally:
        context.close()


# ------------------------------------------------------------------ what is computed

QUANTITIES = ("coriolis_matrix", "inverse_dynamics.dpi")

CALLS = """
(given) => given.map(([id, values]) => {
  const found = jounce.robot[id](...values);
  return (found instanceof Float64Array ? [found] : found).map((x) => [...x]);
})
"""


@pytest.mark.parametrize("name", ["floating, mimic", "five_bar"])
def test_numbers_equal_those_of_numpy(shown: Opener, name: str) -> None:
    closed = name == "five_bar"
    system = robot_of(name) if closed else jounce.Robot(MODELS[name]())
    page = shown(system, name.replace(", ", "-").replace(" ", "-"), QUANTITIES)
    functions = page.evaluate("() => jounce.robot.functions")
    rng = np.random.default_rng(0)
    calls: list[tuple[str, list[Any]]] = []
    expected = []
    for identifier, about in functions.items():
        given = []
        for argument in about["arguments"]:
            if argument.get("optional"):
                continue
            of_q = argument["name"].startswith("q") and argument["shape"] == [system.nq]
            given.append(system.random(rng) if of_q else rng.normal(size=argument["shape"]))
        found = system.quantity(about["quantity"])(*given)
        expected.append(found if isinstance(found, tuple) else (found,))
        calls.append((identifier, [x.ravel().tolist() for x in given]))
    results = page.evaluate(CALLS, calls)
    assert len(results) >= 11
    for (identifier, given), found, wanted in zip(calls, results, expected, strict=True):
        for x, y in zip(found, wanted, strict=True):
            size = np.abs(y).max(initial=0.0)
            if identifier == "loop_residual":  # differences of numbers as large as one
                size = 1.0
            if "dynamics" in identifier and "tau" in str(functions[identifier]["arguments"]):
                # solving with M loses what its condition says, in either
                size *= np.linalg.cond(system.mass_matrix(np.array(given[0])))
            assert np.abs(np.array(x) - np.ravel(y)).max(initial=0.0) <= 1e-14 * size, identifier
    assert page.problems == []


def test_the_panel_shows_what_kernels_give(shown: Opener) -> None:
    robot = robot_of("kuka_iiwa14")
    page = shown(robot, "kuka-panel", ["coriolis_matrix"])
    q = np.array(page.evaluate("() => [...jounce.simulator.q]"))
    rows = page.locator("#state tbody tr").all_inner_texts()
    forces = robot.gravity_forces(q)
    for row, force in zip(rows, forces, strict=True):
        assert np.isclose(float(row.split("\t")[3]), force, rtol=1e-3, atol=1e-6)
    found = page.evaluate(
        "() => [...jounce.eigenvalues(jounce.robot.mass_matrix(jounce.simulator.q), 7)]"
    )
    assert np.allclose(found, np.linalg.eigvalsh(robot.mass_matrix(q)), rtol=1e-9)
    page.evaluate("() => { document.getElementById('card-quantities').open = true; }")
    page.get_by_label("other arguments are zero").select_option("coriolis_matrix")
    assert len(page.locator("#quantity-value").inner_text().splitlines()) == 7
    until(page, "/ in this page$/.test(document.getElementById('quantity-facts').textContent)")
    page.get_by_role("button", name="Measure the speed of all").click()
    until(page, "!document.getElementById('measure').disabled")
    count = page.evaluate("() => Object.keys(jounce.robot.functions).length")
    assert page.locator("#speeds tbody tr").count() == count
    page.locator("#mass").focus()
    page.keyboard.press("ArrowDown")
    text = page.locator("#mass-entry").inner_text()
    assert text.startswith("M[1, 0] = ")
    assert np.isclose(float(text.split()[3]), robot.mass_matrix(q)[1, 0])
    assert page.problems == []


# ------------------------------------------------------------------ what moves

MINUTE = """
() => {
  const { simulator } = jounce;
  let [drift, gap] = [0, 0];
  for (let k = 0; k < 3600; k++) {
    simulator.advance(1 / 60);
    drift = Math.max(drift, Math.abs(simulator.drift()));
    gap = Math.max(gap, simulator.gap(simulator.q));
  }
  const { kinetic, potential } = simulator.energy();
  return { drift, gap, time: simulator.time, moved: simulator.scale, kinetic, potential };
}
"""


@pytest.mark.parametrize("name", ["two_mass_link", "planar_2r", "four_bar", "five_bar"])
def test_a_minute_keeps_energy_and_loops(shown: Opener, name: str) -> None:
    """Pendulums, one of them chaotic, and mechanisms that pass singular poses."""
    page = shown(robot_of(name), name)
    page.evaluate(
        "() => jounce.simulator.set(jounce.simulator.q, jounce.simulator.v.map(() => 0.5))"
    )
    found = page.evaluate(MINUTE)
    assert abs(found["time"] - 60.0) < 1e-6
    assert found["moved"] > 1e-3
    assert found["drift"] < 1e-6
    assert found["gap"] < 1e-9
    assert page.problems == []


def test_steps_are_those_of_numpy(shown: Opener) -> None:
    """A robot with quaternions, against Runge-Kutta steps of the library."""
    robot = jounce.Robot(MODELS["spherical only"]())
    page = shown(robot, "spherical")
    script = """() => {
      const { simulator } = jounce;
      const v = Float64Array.from({ length: simulator.nv }, (_, k) => 0.3 * Math.cos(k));
      Object.assign(simulator, { floor: null, hold: null, stops: false, extraDamping: 0 });
      Object.assign(simulator, { ownDamping: false, tolerance: 1e-11 });
      simulator.set(simulator.setup.start, v);
      simulator.advance(0.2);
      return [[...simulator.q], [...simulator.v], simulator.drift()];
    }"""
    q, v, drift = page.evaluate(script)
    a, b = np.array(page.evaluate("() => jounce.data.start")), 0.3 * np.cos(np.arange(robot.nv))
    step = robot.quantity("step(method=rk4)")
    for _ in range(400):
        a, b = step(a, b, np.zeros(robot.nv), 0.0005)
    assert np.allclose(robot.difference(a, np.array(q)), 0.0, atol=1e-7)
    assert np.allclose(v, b, rtol=1e-6, atol=1e-6)
    assert abs(drift) < 1e-8


def test_play_pause_step_reset_and_switches(shown: Opener) -> None:
    page = shown(robot_of("planar_2r"), "planar")
    page.get_by_role("button", name="Play").click()
    until(page, "jounce.simulator.time > 0.05")
    page.get_by_role("button", name="Pause").click()
    page.locator("#view").focus()
    now = page.evaluate("() => jounce.simulator.time")
    page.keyboard.press(".")
    assert abs(page.evaluate("() => jounce.simulator.time") - now - 1 / 60) < 1e-9
    page.get_by_label("Gravity").uncheck()
    page.get_by_role("button", name="Reset", exact=True).click()
    assert page.evaluate("() => [...jounce.simulator.q]") == page.evaluate(
        "() => jounce.data.start"
    )
    page.evaluate("() => jounce.page.advance(0.5)")
    assert page.evaluate("() => Math.max(...jounce.simulator.v.map(Math.abs))") < 1e-12
    page.get_by_label("Gravity").check()
    page.get_by_label("Damping 0").fill("5")
    page.evaluate("() => { for (let k = 0; k < 60; k++) jounce.simulator.advance(0.25); }")
    hung, drift = page.evaluate(
        "() => [jounce.simulator.energy().kinetic, jounce.simulator.drift()]"
    )
    assert hung < 1e-2  # it hangs, nearly
    assert abs(drift) < 1e-6  # work of the damping is counted
    assert page.problems == []


def test_pulling_a_link_moves_it(shown: Opener) -> None:
    page = shown(robot_of("kuka_iiwa14"), "kuka", width=900, height=600)
    page.get_by_label("Gravity").uncheck()
    drawn(page)
    place = page.evaluate(
        """() => {
      const { stage } = jounce.page;
      const mesh = stage.meshes.find((x) => x.userData.body === 4);
      mesh.geometry.computeBoundingSphere();
      const at = mesh.geometry.boundingSphere.center.clone().applyMatrix4(mesh.matrixWorld);
      at.project(stage.camera);
      const box = stage.canvas.getBoundingClientRect();
      return [box.left + ((at.x + 1) / 2) * box.width, box.top + ((1 - at.y) / 2) * box.height];
    }"""
    )
    where = "() => [...jounce.robot.body_poses(jounce.simulator.q)].slice(16 * 4, 16 * 5)"
    before = page.evaluate(where)
    camera = page.evaluate("() => jounce.page.stage.camera.position.toArray()")
    page.mouse.move(*place)
    page.mouse.down()
    page.mouse.move(place[0] + 60, place[1] - 60)
    assert page.evaluate("() => Boolean(jounce.simulator.drag)")
    # upward, where the pointer went; it swings past it later
    until(page, f"({where})()[11] > {before[11] + 0.005}")
    assert page.locator("#force").inner_text().endswith(" N")
    assert page.evaluate("() => jounce.page.stage.arrow.visible")
    page.mouse.up()
    assert page.evaluate("() => jounce.simulator.drag === null && !jounce.page.stage.arrow.visible")
    assert abs(page.evaluate("() => jounce.simulator.drift()")) < 1e-3
    assert page.evaluate("() => jounce.page.stage.camera.position.toArray()") == camera
    assert page.problems == []


def test_numbers_have_units_and_joints_stay_within_limits(shown: Opener) -> None:
    page = shown(robot_of("kuka_iiwa14"), "kuka")
    header = page.locator("#state th").all_inner_texts()
    assert [x.split("\n") for x in header[1:]] == [
        ["v", "rad/s"],
        ["a", "rad/s²"],
        ["τ gravity", "N m"],
        ["τ bias", "N m"],
    ]
    assert {*page.locator("#sliders .unit").all_inner_texts()} == {"rad"}
    excess = page.evaluate(
        """() => {
      const { simulator, data } = jounce;
      let most = 0;
      for (let k = 0; k < 120; k++) {
        simulator.advance(1 / 60);
        for (const [i, , low, high] of data.stops) {
          most = Math.max(most, simulator.q[i] - high, low - simulator.q[i]);
        }
      }
      return most;
    }"""
    )
    assert 0.0 < excess < 0.6  # soft
    page = shown(robot_of("planar_rp"), "planar_rp")
    assert page.locator("#state th .unit").all_inner_texts()[0] == "rad/s, m/s"
    assert page.locator("#sliders .unit").all_inner_texts() == ["rad", "m"]
    assert page.problems == []


def test_frames_are_red_green_and_blue(shown: Opener, pixels: Callable[..., np.ndarray]) -> None:
    page = shown(robot_of("kuka_iiwa14"), "kuka")
    page.locator("#show-frames").check()
    drawn(page)
    picture = pixels(page.locator("#view")).astype(int)
    for k in range(3):
        others = np.delete(picture, k, axis=2).max(axis=2)
        assert np.count_nonzero(picture[..., k] - others > 60) > 80, "xyz"[k]


def test_sliders_of_a_mechanism_keep_it_closed(shown: Opener) -> None:
    page = shown(robot_of("four_bar"), "four_bar")
    slider = page.get_by_label("crank_joint", exact=True)
    slider.focus()
    for _ in range(12):
        page.keyboard.press("ArrowRight")
        assert page.evaluate("() => jounce.simulator.gap(jounce.simulator.q)") < 1e-9
    start, now = page.evaluate("() => [jounce.data.start[0], jounce.simulator.q[0]]")
    assert abs(now - start - 12 * 2 * np.pi / 100) < 1e-9
    assert page.get_by_label("pin", exact=True).is_disabled()
    # where a loop cannot close it says so, and stays closed
    page = shown(robot_of("five_bar"), "five_bar")
    page.get_by_label("joint1", exact=True).evaluate(
        "(x) => { x.value = 3; x.dispatchEvent(new Event('input')); }"
    )
    assert page.evaluate("() => jounce.simulator.gap(jounce.simulator.q)") < 1e-9
    assert page.problems == []


def test_a_humanoid_falls_on_the_floor(shown: Opener) -> None:
    page = shown(case("g1-floating", 4).robot, "g1", width=500, height=400)
    script = """() => {
      const { simulator, robot, data } = jounce;
      simulator.tolerance = 1e-5;
      for (let k = 0; k < 90; k++) simulator.advance(1 / 60);
      return [robot.center_of_mass(simulator.q)[2] - data.floor.height, simulator.drift()];
    }"""
    height, drift = page.evaluate(script)
    assert 0.0 < height < 0.6
    assert abs(drift) < 1e-2
    q = page.evaluate("() => [...jounce.simulator.q]")
    assert abs(np.linalg.norm(q[:4]) - 1.0) < 1e-12
    assert page.problems == []


def test_hard_names_and_robots_that_cannot_move(shown: Opener) -> None:
    name = 'a"b</script><script>alert(1)</script><b>é'
    builder = jounce.TreeBuilder(name)
    builder.add(name, "revolute", axis=(1, 0, 0), mass=1.0, com=(0.0, 0.0, -1.0), joint_name=name)
    page = shown(jounce.Robot(builder.build()), "hard")
    assert page.title() == page.locator("h1").inner_text() == name
    assert page.locator(".slider label").inner_text() == name
    assert page.problems == []
    page = shown(jounce.load("planar_2r", base="floating"), "massless", None)
    page.get_by_role("button", name="Play").click()
    assert "cannot be simulated" in page.locator("#status").inner_text()
    assert page.evaluate("() => jounce.page.playing") is False
    assert "forward_dynamics is left out" in page.locator("#remarks").inner_text()
    assert page.problems == []


def test_a_quadruped_stands_is_pushed_and_falls(folder: Path, open_page: Opener) -> None:
    robot = jounce.load("quadruped")
    file = write_page(robot, folder / "dog.html", (), controller="impedance", timings=False)
    page = open_page(file.as_uri(), offline=True, width=500, height=400)
    page.evaluate(READY)
    simulate = """(push) => {
      const { simulator, robot, data } = jounce;
      const run = (time) => { for (let k = 0; k < 60 * time; k++) simulator.advance(1 / 60); };
      simulator.tolerance = 1e-6;
      if (push) {
        const drag = simulator.grasp(0, [0, 0, 0]);
        drag.target[1] += push / drag.stiffness;
        simulator.drag = { ...drag, damping: 0 };
        simulator.fresh = false;
        run(0.4);
        simulator.drag = null;
        simulator.fresh = false;
      }
      run(1.5);
      const { kinetic } = simulator.energy();
      return [simulator.q[0], ...robot.center_of_mass(simulator.q), kinetic, data.floor.height];
    }"""
    height = 2.0 * 0.21 * np.cos(0.75) + 0.022
    upright, _, y, z, kinetic, floor = page.evaluate(simulate, 0)
    assert abs(floor + height) < 1e-12  # it starts on its feet
    assert upright > 0.999
    assert kinetic < 1e-4
    assert 0.85 * height < z - floor < height
    upright, _, moved, _, kinetic, _ = page.evaluate(simulate, 60)  # N, to the left
    assert upright > 0.999
    assert kinetic < 1e-3
    assert 0.002 < moved - y < 0.2
    upright, *_, z, _, _ = page.evaluate(simulate, 400)
    assert abs(upright) < 0.9
    assert z - floor < 0.5 * height
    assert page.problems == []
