"""The viewer in Chromium: the robot covers pixels, sliders move it, overlays show, tabs close."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import jounce
from jounce.viewer.live import Viewer
from support.linkages import rocker

pytestmark = pytest.mark.browser

if TYPE_CHECKING:
    from playwright.sync_api import Page

#: What is left of the panel, in pixels of the window.
WIDTH, HEIGHT, SCENE = 680, 360, 340

#: How long to wait for what must come, s: machines of continuous integration are slow.
PATIENCE = 90.0

#: Without the notice that there is no GPU, which covers the scene.
PLAIN = ".mantine-Notifications-root, .mantine-Notification-root {display: none !important}"


@pytest.fixture
def look(open_page: Any, pixels: Any) -> Callable[[Viewer], Looking]:
    """Opens a viewer in a page of its own, and waits until the robot is there."""

    def look_(viewer: Viewer) -> Looking:
        before = viewer.clients
        page = open_page(viewer.url, width=WIDTH, height=HEIGHT)
        page.add_style_tag(content=PLAIN)
        page.get_by_role("tab", name="Joints").wait_for()
        looking = Looking(page, pixels)
        until(page, lambda: viewer.clients > before)
        until(page, lambda: looking.covered() > 0.002)
        looking.still()
        return looking

    return look_


class Looking:
    """A page, and what is seen on the left of it."""

    def __init__(self, page: Page, pixels: Any) -> None:
        self.page, self._pixels = page, pixels

    def scene(self) -> np.ndarray:
        """The picture without the panel."""
        clip = {"x": 0, "y": 0, "width": SCENE, "height": HEIGHT}
        return self._pixels(self.page, clip=clip, timeout=1000.0 * PATIENCE)

    def covered(self) -> float:
        """Which part of the picture is darker than the floor, or has a colour."""
        picture = self.scene().astype(int)
        low, high = picture.min(axis=2), picture.max(axis=2)
        return float(np.mean((low < 165) | (high - low > 40)))

    def still(self) -> np.ndarray:
        """The picture, when it has come to rest."""
        last = self.scene()
        for _ in range(30):
            self.page.wait_for_timeout(150)
            now = self.scene()
            if np.array_equal(last, now):
                return now
            last = now
        return last

    def slide(self, number: int, part: float) -> None:
        """Click on a slider of the tab that is open, at a part of its way."""
        box = self.page.locator(".mantine-Slider-root:visible").nth(number).bounding_box()
        assert box is not None
        self.page.mouse.click(box["x"] + part * box["width"], box["y"] + box["height"] / 2.0)

    def tick(self, label: str) -> None:
        """Tick a box of the tab "Show"."""
        self.page.get_by_role("tab", name="Show").click()
        self.page.get_by_label(label, exact=True).click()


def until(page: Page, done: Callable[[], bool], patience: float = PATIENCE) -> None:
    """Wait while the page lives on."""
    end = time.monotonic() + patience
    while not done():
        assert time.monotonic() < end, "it never came"
        page.wait_for_timeout(100)


def test_a_slider_moves_the_robot_an_overlay_shows_and_numbers_follow(
    shown: Any, look: Any, differing: Any
) -> None:
    robot = jounce.load("kuka_iiwa14")
    viewer = shown(robot.view.show, robot.neutral())
    seen = look(viewer)
    upright = seen.still()
    seen.slide(1, 0.85)
    until(seen.page, lambda: viewer.q[1] > 1.0)
    until(seen.page, lambda: differing(upright, seen.scene()) > 2000)
    bent = seen.still()
    assert np.allclose(np.delete(viewer.q, 1), 0.0)
    assert viewer.q[1] <= robot.limits.upper[1]

    seen.tick("gravity torques")
    until(seen.page, lambda: viewer.overlays == ("gravity",))
    until(seen.page, lambda: differing(bent, seen.scene()) > 100)
    arcs = seen.still()
    seen.tick("gravity torques")
    until(seen.page, lambda: viewer.overlays == ())
    until(seen.page, lambda: differing(arcs, seen.scene()) > 100)
    seen.tick("robot")
    until(seen.page, lambda: seen.covered() < 0.001)

    seen.page.get_by_role("tab", name="Numbers").click()
    torque = f"{robot.gravity_forces(viewer.q)[1]:.4g} N m"
    seen.page.get_by_text(torque, exact=True).wait_for()
    assert not seen.page.problems


def test_random_keeps_a_floating_base_and_the_view_can_be_reset(
    shown: Any, look: Any, differing: Any
) -> None:
    robot = jounce.load("kuka_iiwa14", base="floating")
    viewer = shown(robot.view.show)
    seen = look(viewer)
    first = seen.still()
    assert np.abs(viewer.q[7:]).min() > 0.1  # bent, so that overlays have something to show
    base = np.array((1.0, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0))
    viewer.q = np.concatenate((base, viewer.q[7:]))
    before = viewer.q
    seen.page.get_by_text("random", exact=True).click()
    until(seen.page, lambda: not np.allclose(viewer.q, before))
    assert np.allclose(viewer.q[:7], base)
    viewer.q = before
    near = seen.still()
    far = before.copy()
    far[4] += 30.0
    viewer.q = far
    until(seen.page, lambda: seen.covered() < 0.01)
    seen.page.get_by_text("reset view", exact=True).click()
    until(seen.page, lambda: seen.covered() > 0.02)
    assert differing(first, near) > 100


def test_two_browsers_see_the_same_and_one_may_leave(
    shown: Any, look: Any, differing: Any, capfd: Any
) -> None:
    robot = jounce.load("planar_2r")
    viewer = shown(robot.view.show)
    one, two = look(viewer), look(viewer)
    assert viewer.clients == 2
    before = two.still()
    one.slide(0, 0.7)
    until(two.page, lambda: differing(before, two.scene()) > 300)
    assert viewer.q[0] > 0.5
    one.page.close()
    until(two.page, lambda: viewer.clients == 1)
    bent = two.still()
    viewer.q = (0.3, -1.5)
    until(two.page, lambda: differing(bent, two.scene()) > 300)
    assert not two.page.problems
    out, err = capfd.readouterr()
    assert "Traceback" not in out + err
    assert err == ""


def test_loops_that_cannot_close_are_said_and_the_robot_stays(
    shown: Any, look: Any, differing: Any
) -> None:
    closed = rocker()
    viewer = shown(closed.view.show, overlays=("constraints",))
    seen = look(viewer)
    start, before = viewer.q, seen.still()
    seen.slide(0, 0.97)
    seen.page.get_by_text("the loops do not close there").wait_for()
    assert np.array_equal(viewer.q, start)
    assert differing(before, seen.still()) < 60
    crank = viewer.q[0]
    viewer.q = closed.assemble(closed.robot.integrate(start, (0.1, 0.0, 0.0))).q
    until(seen.page, lambda: differing(before, seen.scene()) > 100)
    assert viewer.q[0] == pytest.approx(crank + 0.1)
    assert closed.gap(viewer.q) < 1e-9
    assert not viewer.messages


def test_a_motion_plays_stands_still_and_can_be_scrubbed(
    shown: Any, look: Any, differing: Any
) -> None:
    robot = jounce.load("kuka_iiwa14")
    t = np.linspace(0.0, 4.0, 201)
    q = np.sin(t)[:, None] * np.array((0.0, 1.2, 0.0, -0.8, 0.0, 0.0, 0.0))
    aside = np.array((0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0))
    ghosts = np.stack((q + aside, q - aside))
    viewer = shown(
        robot.view.play, q, 0.02, ghosts=ghosts, series={"shoulder": q[:, 1]}, playing=False
    )
    seen = look(viewer)
    picture = seen.scene()
    assert viewer.time == 0.0
    seen.page.get_by_role("button", name="play").click()
    until(seen.page, lambda: viewer.time > 0.5 and differing(picture, seen.scene()) > 200)
    seen.page.get_by_role("button", name="pause").click()
    seen.page.get_by_role("button", name="play").wait_for()
    drawn = seen.page.locator(".uplot canvas").first.evaluate(
        """canvas => {
          const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          let blue = 0, red = 0;
          for (let i = 0; i < data.length; i += 4) {
            if (data[i + 3] > 128 && data[i + 2] > data[i] + 80) blue++;
            if (data[i + 3] > 128 && data[i] > data[i + 2] + 80 && data[i + 1] < 60) red++;
          }
          return [blue, red];
        }"""
    )
    assert min(drawn) > 40, "the first curve is blue, the cursor red"
    stopped, still = viewer.time, seen.still()
    assert viewer.time == stopped
    seen.page.get_by_label("ghosts", exact=True).click()
    until(seen.page, lambda: differing(still, seen.scene()) > 100)
    alone = seen.still()
    seen.slide(0, 0.5 if stopped < 1.0 or stopped > 3.0 else 0.95)
    until(seen.page, lambda: abs(viewer.time - stopped) > 0.3)
    until(seen.page, lambda: differing(alone, seen.scene()) > 100)
    k = viewer.time / 0.02
    nearby = robot.interpolate(q[int(k)], q[min(int(k) + 1, 200)], k - int(k))
    assert np.allclose(viewer.q, nearby)
    assert not seen.page.problems
