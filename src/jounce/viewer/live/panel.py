"""Control panel of a viewer: sliders, checkboxes, tables, and playback controls."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.errors import legible
from jounce.viewer.live.charts import Chart, ChartView
from jounce.viewer.live.dials import Dial
from jounce.viewer.live.handles import Handle
from jounce.viewer.live.layers import Layer
from jounce.viewer.live.numbers import format_notice, format_tables
from jounce.viewer.live.player import Playback
from jounce.viewer.live.stage import State

if TYPE_CHECKING:
    from jounce.viewer.live.viewer import Viewer

#: Smallest number of steps of a slider.
_MIN_STEPS = 500

#: Playback speeds offered in the panel.
SPEEDS = {"0.1": 0.1, "0.25": 0.25, "0.5": 0.5, "1": 1.0, "2": 2.0, "5": 5.0}


def from_browser(act: Callable[[Any], None]) -> Callable[[Any], None]:
    """Wrap a callback so that it ignores values that were set by a program."""

    def callback(event: Any) -> None:
        if event.client_id is not None:
            act(event)

    return callback


class Panel:
    """Tabs with sliders, overlays and tables, below an area for notices."""

    def __init__(self, server: Any, viewer: Viewer, dials: list[Dial], state: State) -> None:
        self.gui, self.viewer = server.gui, viewer
        self._notice = self.gui.add_html("")
        self._notices: dict[str, str] = {}
        self._tabs = self.gui.add_tab_group()
        self._sliders: list[tuple[Dial, Any]] = []
        self._numbers: Any = None
        self.frame = ""
        self._dials, self._state = dials, state

    # -------------------------------------------------------------- sentences

    def set_notice(self, topic: str, *sentences: str) -> None:
        """Replace the notices about a topic; none clears them."""
        text = " ".join(sentences)
        if self._notices.get(topic, "") != text:
            self._notices[topic] = text
            self._notice.content = format_notice(self._notices.values())

    @property
    def notices(self) -> list[str]:
        """Notices shown above the tabs."""
        return [text for text in self._notices.values() if text]

    # -------------------------------------------------------------- tabs

    def add_joints(
        self,
        configurations: dict[str, Callable[[np.ndarray], np.ndarray]],
        reset_view: Callable[[Any], None],
    ) -> None:
        """Add a slider for each dial, and buttons for configurations and for the camera."""
        viewer, gui = self.viewer, self.gui
        with self._tabs.add_tab("Joints"):
            buttons = gui.add_button_group("go to", tuple(configurations))

            @buttons.on_click
            def _(event: Any) -> None:
                viewer.edit("all", configurations[event.target.value])

            view = gui.add_button("reset view", hint="point the camera at the robot")
            view.on_click(lambda event: event.client and reset_view(event.client))

            by_joint: dict[str, list[Dial]] = {}
            for dial in self._dials:
                by_joint.setdefault(dial.joint, []).append(dial)
            for name, joint_dials in by_joint.items():
                folder = (
                    gui.add_folder(legible(name, 40)) if len(joint_dials) > 2 else nullcontext()
                )
                with folder:
                    for dial in joint_dials:
                        self._add_slider(dial)

    def _add_slider(self, dial: Dial) -> None:
        value = _round_to_step(dial.read(self._state.q), dial)
        low, high = min(dial.low, value), max(dial.high, value)
        slider = self.gui.add_slider(
            legible(f"{dial.label}, {dial.unit}", 40),
            low,
            high,
            step=_slider_step(dial),
            initial_value=value,
            hint=legible(dial.hint, 200),
        )
        self._sliders.append((dial, slider))

        def on_change(event: Any) -> None:
            number = float(np.clip(event.target.value, slider.min, slider.max))
            if number != event.target.value:  # The message was not sent by our page.
                slider.value = number
            self.viewer.edit(dial, lambda q: dial.write(q, number))

        slider.on_update(from_browser(on_change))

    def add_overlays(
        self,
        layers: Iterable[Layer],
        switch: Callable[[Layer, bool], None],
        shapes: Callable[[bool], None],
        handles: list[Handle],
        frames: list[str],
    ) -> dict[str, Any]:
        """Add a checkbox for each layer and the choice of a frame; return checkboxes by key."""
        gui, viewer, boxes = self.gui, self.viewer, {}
        with self._tabs.add_tab("Show"):
            self._add_checkbox("robot", "shapes of the bodies", True, shapes)
            for layer in layers:
                overlay = layer.overlay
                act = partial(switch, layer)
                boxes[overlay.key] = self._add_checkbox(overlay.label, overlay.hint, False, act)
            if handles:
                self._add_checkbox(
                    "handles",
                    "drag bodies on free and spherical joints",
                    any(handle.node.visible for handle in handles),
                    lambda on: [setattr(handle.node, "visible", on) for handle in handles],
                )
            legible_names = {legible(name, 60): name for name in frames}
            self.frame = frames[-1]
            dropdown = gui.add_dropdown(
                "frame",
                tuple(legible_names),
                initial_value=legible(self.frame, 60),
                hint="frame for ellipsoids and tables",
            )

            def on_choice(event: Any) -> None:
                name = legible_names[event.target.value]

                def choose() -> None:
                    self.frame = name

                viewer.enqueue(choose)

            dropdown.on_update(from_browser(on_choice))
        return boxes

    def _add_checkbox(self, label: str, hint: str, on: bool, act: Callable[[bool], Any]) -> Any:
        box = self.gui.add_checkbox(label, on, hint=hint)

        def on_change(event: Any) -> None:
            value = bool(event.target.value)
            self.viewer.enqueue(lambda: act(value))

        box.on_update(from_browser(on_change))
        return box

    def add_numbers(self) -> None:
        """Add the tab with tables."""
        with self._tabs.add_tab("Numbers"):
            self._numbers = self.gui.add_html("")

    # -------------------------------------------------------------- what is shown now

    def show(self, state: State, touched: set[object]) -> None:
        """Update tables and sliders, except those that the user is moving."""
        for dial, slider in self._sliders:
            if dial not in touched:
                value = _round_to_step(dial.read(state.q), dial)
                if value < slider.min:
                    slider.min = value
                if value > slider.max:
                    slider.max = value
                slider.value = value
        if self._numbers is not None:
            self._numbers.content = format_tables(state, self.frame)

    # -------------------------------------------------------------- motions

    def add_motion(self, playback: Playback, ghosts: Callable[[bool], None] | None) -> MotionTab:
        """Add the tab of a motion; `ghosts` shows or hides them, or is None."""
        with self._tabs.add_tab("Motion"):
            return MotionTab(self, playback, ghosts)


def _slider_step(dial: Dial) -> float:
    """Return the step of a slider: a power of ten, so that few digits are shown."""
    span = max(dial.high - dial.low, 1e-9)
    return float(10.0 ** np.floor(np.log10(span / _MIN_STEPS)))


def _round_to_step(value: float, dial: Dial) -> float:
    """Round a coordinate to the step of its slider; the configuration stays exact."""
    step = _slider_step(dial)
    rounded = round(round(value / step) * step, 12)
    return float(np.clip(rounded, min(dial.low, value), max(dial.high, value)))


class MotionTab:
    """Playback controls: time bar, play and pause, speed, loop; and charts with a cursor."""

    def __init__(
        self,
        panel: Panel,
        playback: Playback,
        ghosts: Callable[[bool], None] | None,
    ) -> None:
        gui, self._panel = panel.gui, panel
        self._clock = clock = playback.clock
        by_joint = playback.by_joint
        self.scrubbed = -np.inf  #: Time at which the user last moved the bar.
        self._button = gui.add_button("pause" if clock.playing else "play")
        self._button.on_click(lambda _: panel.viewer.enqueue(self._toggle))
        self._bar = gui.add_slider(
            "time", 0.0, max(clock.duration, 1e-9), max(clock.duration / 2000.0, 1e-9), 0.0
        )
        self._bar.on_update(from_browser(self._scrub))
        speeds = dict(SPEEDS)
        speeds.setdefault(f"{clock.speed:g}", clock.speed)
        self._speed = gui.add_dropdown("speed", tuple(speeds), initial_value=f"{clock.speed:g}")
        self._speed.on_update(
            from_browser(lambda event: setattr(clock, "speed", speeds[event.target.value]))
        )
        loop = gui.add_checkbox("loop", clock.loop)
        loop.on_update(from_browser(lambda event: setattr(clock, "loop", bool(event.target.value))))
        if ghosts is not None:
            panel._add_checkbox(
                "ghosts", "other motions, or still copies along the motion", True, ghosts
            )
        self._joint_charts: list[ChartView] = []
        if by_joint:
            names = {legible(name, 60): name for name in by_joint}
            dropdown = gui.add_dropdown("joint", tuple(names))
            self._holder = gui.add_folder("charts of this joint")
            self._show_joint_charts(by_joint[names[dropdown.value]])
            dropdown.on_update(
                from_browser(
                    lambda event: panel.viewer.enqueue(
                        lambda: self._show_joint_charts(by_joint[names[event.target.value]])
                    )
                )
            )
        self._charts = [ChartView(gui, chart) for chart in playback.charts]

    def _show_joint_charts(self, charts: list[Chart]) -> None:
        """Show the charts of another joint."""
        for view in self._joint_charts:
            view.remove()
        with self._holder:
            self._joint_charts = [ChartView(self._panel.gui, chart) for chart in charts]
        for view in self._joint_charts:
            view.move(self._clock.time)

    def _toggle(self) -> None:
        self._clock.play(not self._clock.playing)

    def _scrub(self, event: Any) -> None:
        from time import monotonic

        self.scrubbed = monotonic()
        time = float(event.target.value)
        self._panel.viewer.enqueue(lambda: self._clock.set(time))

    def show(self, now: float) -> None:
        """Update the cursors and, unless the user is moving it, the time bar."""
        label = "pause" if self._clock.playing else "play"
        if self._button.label != label:
            self._button.label = label
        if now - self.scrubbed > 0.5:
            self._bar.value = self._clock.time
        for view in (*self._charts, *self._joint_charts):
            view.move(self._clock.time)
