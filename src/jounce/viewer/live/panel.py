"""What stands beside the robot: sliders, boxes to tick, numbers, and the controls of a motion."""

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
from jounce.viewer.live.numbers import notice, numbers
from jounce.viewer.live.player import Performance
from jounce.viewer.live.stage import State

if TYPE_CHECKING:
    from jounce.viewer.live.viewer import Viewer

#: Sliders have at least so many steps.
_STEPS = 500

#: Speeds that can be chosen.
SPEEDS = {"0.1": 0.1, "0.25": 0.25, "0.5": 0.5, "1": 1.0, "2": 2.0, "5": 5.0}


def by_people(act: Callable[[Any], None]) -> Callable[[Any], None]:
    """A callback that answers to people only, not to values that a program has set."""

    def callback(event: Any) -> None:
        if event.client_id is not None:
            act(event)

    return callback


class Panel:
    """Tabs with sliders, overlays and numbers, and a place for sentences above."""

    def __init__(self, server: Any, desk: Viewer, dials: list[Dial], state: State) -> None:
        self.gui, self.desk = server.gui, desk
        self._notice = self.gui.add_html("")
        self._notices: dict[str, str] = {}
        self._tabs = self.gui.add_tab_group()
        self._sliders: list[tuple[Dial, Any]] = []
        self._numbers: Any = None
        self.frame = ""
        self._dials, self._state = dials, state

    # -------------------------------------------------------------- sentences

    def say(self, about: str, *sentences: str) -> None:
        """Show sentences about something, in the place of earlier ones; none: nothing."""
        text = " ".join(sentences)
        if self._notices.get(about, "") != text:
            self._notices[about] = text
            self._notice.content = notice(self._notices.values())

    @property
    def said(self) -> list[str]:
        """What is shown above the tabs."""
        return [text for text in self._notices.values() if text]

    # -------------------------------------------------------------- tabs

    def add_joints(self, home: Callable[[], np.ndarray], random: Callable[[], np.ndarray]) -> None:
        """Sliders of all dials; buttons that go home and elsewhere."""
        desk, gui = self.desk, self.gui
        with self._tabs.add_tab("Joints"):
            buttons = gui.add_button_group("go to", ("neutral", "random"))
            pick = {"neutral": home, "random": random}

            @buttons.on_click
            def _(event: Any) -> None:
                choice = pick[event.target.value]
                desk.edit("all", lambda _: choice())

            by_joint: dict[str, list[Dial]] = {}
            for dial in self._dials:
                by_joint.setdefault(dial.joint, []).append(dial)
            for name, own in by_joint.items():
                folder = gui.add_folder(legible(name, 40)) if len(own) > 2 else nullcontext()
                with folder:
                    for dial in own:
                        self._add_slider(dial)

    def _add_slider(self, dial: Dial) -> None:
        value = _rounded(dial.read(self._state.q), dial)
        low, high = min(dial.low, value), max(dial.high, value)
        slider = self.gui.add_slider(
            legible(dial.label, 40),
            low,
            high,
            step=_finest(dial),
            initial_value=value,
            hint=legible(dial.hint, 200),
        )
        self._sliders.append((dial, slider))

        def changed(event: Any) -> None:
            number = float(np.clip(event.target.value, slider.min, slider.max))
            if number != event.target.value:  # from something else than the page
                slider.value = number
            self.desk.edit(dial, lambda q: dial.write(q, number))

        slider.on_update(by_people(changed))

    def add_overlays(
        self,
        layers: Iterable[Layer],
        switch: Callable[[Layer, bool], None],
        shapes: Callable[[bool], None],
        handles: list[Handle],
        frames: list[str],
    ) -> dict[str, Any]:
        """A box for each layer, the choice of a frame; returns the boxes by their keys."""
        gui, desk, boxes = self.gui, self.desk, {}
        with self._tabs.add_tab("Show"):
            self._box("robot", "the shapes of its bodies", True, shapes)
            for layer in layers:
                overlay = layer.overlay
                act = partial(switch, layer)
                boxes[overlay.key] = self._box(overlay.label, overlay.hint, False, act)
            if handles:
                self._box(
                    "handles",
                    "to grab bodies on free and spherical joints",
                    any(handle.node.visible for handle in handles),
                    lambda on: [setattr(handle.node, "visible", on) for handle in handles],
                )
            legible_names = {legible(name, 60): name for name in frames}
            self.frame = frames[-1]
            shown = gui.add_dropdown(
                "frame",
                tuple(legible_names),
                initial_value=legible(self.frame, 60),
                hint="the frame of ellipsoids, and of the numbers",
            )

            def chosen(event: Any) -> None:
                name = legible_names[event.target.value]

                def choose() -> None:
                    self.frame = name

                desk.ask(choose)

            shown.on_update(by_people(chosen))
        return boxes

    def _box(self, label: str, hint: str, on: bool, act: Callable[[bool], Any]) -> Any:
        box = self.gui.add_checkbox(label, on, hint=hint)

        def ticked(event: Any) -> None:
            value = bool(event.target.value)
            self.desk.ask(lambda: act(value))

        box.on_update(by_people(ticked))
        return box

    def add_numbers(self) -> None:
        """A tab with numbers."""
        with self._tabs.add_tab("Numbers"):
            self._numbers = self.gui.add_html("")

    # -------------------------------------------------------------- what is shown now

    def show(self, state: State, touched: set[object]) -> None:
        """Put sliders to a state, but for those that people move, and write the numbers."""
        for dial, slider in self._sliders:
            if dial not in touched:
                value = _rounded(dial.read(state.q), dial)
                if value < slider.min:
                    slider.min = value
                if value > slider.max:
                    slider.max = value
                slider.value = value
        if self._numbers is not None:
            self._numbers.content = numbers(state, self.frame)

    # -------------------------------------------------------------- motions

    def add_motion(
        self, performance: Performance, ghosts: Callable[[bool], None] | None
    ) -> MotionTab:
        """The tab of a motion; ghosts: what shows and hides them, if there are any."""
        with self._tabs.add_tab("Motion"):
            return MotionTab(self, performance, ghosts)


def _finest(dial: Dial) -> float:
    """The step of a slider: a power of ten, so that few digits are shown."""
    span = max(dial.high - dial.low, 1e-9)
    return float(10.0 ** np.floor(np.log10(span / _STEPS)))


def _rounded(value: float, dial: Dial) -> float:
    """A number as a slider shows it: what is exact stays in the configuration."""
    step = _finest(dial)
    return float(np.clip(round(value / step) * step, min(dial.low, value), max(dial.high, value)))


class MotionTab:
    """Time: a bar to scrub, play and pause, speed, again and again; and charts with a cursor."""

    def __init__(
        self,
        panel: Panel,
        performance: Performance,
        ghosts: Callable[[bool], None] | None,
    ) -> None:
        gui, self._panel = panel.gui, panel
        self._clock = clock = performance.clock
        by_joint = performance.by_joint
        self.scrubbed = -np.inf  #: when people last moved the bar
        self._button = gui.add_button("pause" if clock.playing else "play")
        self._button.on_click(lambda _: panel.desk.ask(self._toggle))
        self._bar = gui.add_slider(
            "time", 0.0, max(clock.duration, 1e-9), max(clock.duration / 2000.0, 1e-9), 0.0
        )
        self._bar.on_update(by_people(self._scrub))
        speeds = dict(SPEEDS)
        speeds.setdefault(f"{clock.speed:g}", clock.speed)
        self._speed = gui.add_dropdown("speed", tuple(speeds), initial_value=f"{clock.speed:g}")
        self._speed.on_update(
            by_people(lambda event: setattr(clock, "speed", speeds[event.target.value]))
        )
        loop = gui.add_checkbox("again and again", clock.loop)
        loop.on_update(by_people(lambda event: setattr(clock, "loop", bool(event.target.value))))
        if ghosts is not None:
            panel._box("ghosts", "the other motions, or instants", True, ghosts)
        self._own: list[ChartView] = []
        if by_joint:
            names = {legible(name, 60): name for name in by_joint}
            which = gui.add_dropdown("joint", tuple(names))
            self._holder = gui.add_folder("of this joint")
            self._fill(by_joint[names[which.value]])
            which.on_update(
                by_people(
                    lambda event: panel.desk.ask(
                        lambda: self._fill(by_joint[names[event.target.value]])
                    )
                )
            )
        self._charts = [ChartView(gui, chart) for chart in performance.charts]

    def _fill(self, charts: list[Chart]) -> None:
        """Show the charts of another joint."""
        for view in self._own:
            view.remove()
        with self._holder:
            self._own = [ChartView(self._panel.gui, chart) for chart in charts]
        for view in self._own:
            view.move(self._clock.time)

    def _toggle(self) -> None:
        self._clock.play(not self._clock.playing)

    def _scrub(self, event: Any) -> None:
        from time import monotonic

        self.scrubbed = monotonic()
        time = float(event.target.value)
        self._panel.desk.ask(lambda: self._clock.set(time))

    def show(self, now: float) -> None:
        """Put the bar, unless people hold it, and the cursors to the clock's time."""
        label = "pause" if self._clock.playing else "play"
        if self._button.label != label:
            self._button.label = label
        if now - self.scrubbed > 0.5:
            self._bar.value = self._clock.time
        for view in (*self._charts, *self._own):
            view.move(self._clock.time)
