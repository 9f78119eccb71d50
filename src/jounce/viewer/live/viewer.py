"""A viewer: a robot in the browser, moved by sliders, by the mouse, and by programs."""

from __future__ import annotations

import atexit
import threading
import time as clocks
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Self, TypedDict

import numpy as np
from numpy.typing import ArrayLike

from jounce.arrays import on_bodies, plain
from jounce.errors import ArgumentError, legible, printable
from jounce.viewer.live import server as servers
from jounce.viewer.live.dials import dials
from jounce.viewer.live.handles import handles
from jounce.viewer.live.layers import OVERLAYS, TABLE, Layer
from jounce.viewer.live.panel import MotionTab, Panel
from jounce.viewer.live.player import Clock, Performance
from jounce.viewer.live.stage import Stage, State
from jounce.viewer.live.subject import Subject
from jounce.viewer.scene import looks as looks_of

if TYPE_CHECKING:
    from jounce.io import Folders
    from jounce.robot import System

#: Frames and numbers a second, at most.
FRAMES, NUMBERS = 40.0, 8.0


class ViewerOptions(TypedDict, total=False):
    """Options of a viewer; see `robot.view.show`."""

    host: str
    package_dirs: Folders
    collision: bool
    overlays: Iterable[str]
    wrenches: ArrayLike | Mapping[str, ArrayLike] | None


class Viewer:
    """A robot in the browser. `robot.view.show()` and `robot.view.play(...)` make one.

    One thread draws; the server's threads and the user's only write down what they want, so that
    nothing piles up however fast a slider moves. Use `close` when done, or `with`.
    """

    def __init__(
        self,
        system: System,
        q: ArrayLike | None = None,
        *,
        port: int | None = None,
        host: str = "localhost",
        package_dirs: Folders = (),
        collision: bool = False,
        overlays: Iterable[str] = (),
        wrenches: ArrayLike | Mapping[str, ArrayLike] | None = None,
        performance: Performance | None = None,
    ) -> None:
        self._subject = subject = Subject(system)
        self._title = printable(f"{system.name}.show")
        wanted = _checked(overlays, collision, self._title)
        start = subject.home if q is None else subject.configuration(q, self._title)
        sentence = ""
        if q is not None:
            start, sentence = subject.closed(start)
        self._wrenches = self._on_bodies(wrenches)
        looks = looks_of(subject.model, "visual", package_dirs)
        self._changed = threading.Condition()
        self._edits: dict[object, Callable[[np.ndarray], np.ndarray]] = {}
        self._jobs: list[Callable[[], None]] = []
        self._asked = self._done = 0
        self._closed = False
        self._performance = performance
        self._tab: MotionTab | None = None
        self._numbers_at = -np.inf
        self._time_shown = 0.0
        self._stale: set[object] | None = set()
        self._state = self._at(start) if performance is None else self._at_time(0.0)
        extent = start[None] if performance is None else performance.extent
        if performance is not None:
            sentence = subject.opened(performance.motion.q)
        self._server = servers.start(host, port, legible(system.name, 60))
        try:
            self._stage = Stage(self._server, subject, looks, extent, package_dirs)
            self._build(looks.missing, sentence)
            self._thread = threading.Thread(target=self._run, name="jounce viewer", daemon=True)
            for key in wanted:
                self.switch(key)
            self._thread.start()
        except BaseException:  # nobody else could end a server that nobody has
            servers.stop(self._server)
            raise
        atexit.register(self.close)

    def _build(self, missing: tuple[str, ...], sentence: str) -> None:
        """Fill the scene and the panel."""
        subject, stage = self._subject, self._stage
        self._layers = {overlay.key: Layer(overlay, stage) for overlay in TABLE}
        offered = [layer for layer in self._layers.values() if layer.offered()]
        self._handles = handles(stage)
        for handle in self._handles:
            handle.node.on_update(lambda _, handle=handle: self.edit(handle, handle.write))
        self._panel = Panel(self._server, self, dials(subject, stage.size), self._state)
        self._panel.say("shapes", *_few(missing))
        self._panel.say("loops", sentence)
        self._rng = np.random.default_rng()
        if self._performance is not None:
            show_ghosts = None
            if self._performance.motion.ghosts:
                stage.add_ghosts(self._performance.motion.ghosts)
                show_ghosts = stage.show_ghosts
            self._tab = self._panel.add_motion(self._performance, show_ghosts)
        self._panel.add_joints(lambda: subject.home, lambda: subject.random(self._rng))
        frames = [frame.name for frame in subject.model.frames]
        self._boxes = self._panel.add_overlays(
            offered, self._switch, self._show_shapes, self._handles, frames
        )
        self._panel.add_numbers()
        self._draw(set())

    # -------------------------------------------------------------- for programs

    @property
    def url(self) -> str:
        """Address for a browser on this machine, with the token that gives access."""
        return servers.address(self._server)

    @property
    def port(self) -> int:
        """The port it listens on."""
        return self._server.get_port()

    @property
    def q(self) -> np.ndarray:
        """The configuration (nq,) that is shown; may be set. Loops are closed first."""
        self.settle()
        return self._state.q.copy()

    @q.setter
    def q(self, q: ArrayLike) -> None:
        self._check_open()
        goal, sentence = self._subject.closed(self._subject.configuration(q, self._title))
        if sentence:
            raise ArgumentError(f"{self._title}: argument 'q': {sentence}")
        self.edit("program", lambda _: goal)

    @property
    def wrenches(self) -> np.ndarray | None:
        """Wrenches (nb, 6) on the bodies that the overlay "wrenches" shows; may be set.

        As quantities take them: (moment, force) in the frames of the bodies, or {frame: (6,)}.
        """
        return self._wrenches

    @wrenches.setter
    def wrenches(self, wrenches: ArrayLike | Mapping[str, ArrayLike] | None) -> None:
        self._check_open()
        self._wrenches = self._on_bodies(wrenches)
        self.edit("wrenches", lambda q: q)

    @property
    def overlays(self) -> tuple[str, ...]:
        """What is shown over the robot."""
        self.settle()
        return tuple(key for key, layer in self._layers.items() if layer.on)

    def switch(self, overlay: str, on: bool = True) -> None:
        """Show or hide one of `jounce.viewer.live.OVERLAYS`."""
        self._check_open()
        (key,) = _checked((overlay,), False, self._title)
        if key in self._boxes:
            self._boxes[key].value = on
            self.ask(lambda: self._switch(self._layers[key], on))

    @property
    def messages(self) -> list[str]:
        """Sentences above the panel: what could not be drawn, loops that do not close."""
        self.settle()
        return self._panel.said

    @property
    def clients(self) -> int:
        """How many browsers look at it."""
        return 0 if self._closed else len(self._server.get_clients())

    @property
    def time(self) -> float:
        """The instant of the motion that is shown, s; may be set. Zero without a motion."""
        self.settle()
        return 0.0 if self._performance is None else self._performance.clock.time

    @time.setter
    def time(self, time: float) -> None:
        timer = self._timer()
        instant = np.asarray(plain(time, f"{self._title}: argument 'time'"), dtype=float)
        if instant.ndim != 0 or np.isnan(instant):
            raise ArgumentError(
                f"{self._title}: argument 'time' must be one instant in s, found {time!r}"
            )
        self.ask(lambda: timer.set(instant))

    def play(self, playing: bool = True) -> None:
        """Let the motion go on, or stand still."""
        timer = self._timer()
        self.ask(lambda: timer.play(playing))

    def settle(self, timeout: float = 30.0) -> None:
        """Wait until all that was asked for is drawn."""
        with self._changed:
            goal = self._asked
            if threading.current_thread() is not self._thread:
                self._changed.wait_for(lambda: self._done >= goal or self._closed, timeout)

    def wait(self) -> None:
        """Stay until somebody interrupts (Ctrl-C) or the viewer is closed."""
        with self._changed:
            while not self._closed:
                self._changed.wait(0.5)

    def close(self) -> None:
        """End the viewer and its server; a second time does nothing."""
        with self._changed:
            if self._closed:
                return
            self._closed = True
            self._changed.notify_all()
        atexit.unregister(self.close)
        if threading.current_thread() is not self._thread:
            self._thread.join(10.0)
        servers.stop(self._server)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        where = "closed" if self._closed else f"at {self.url}"
        return printable(f"<viewer of {self._subject.system.name}, {where}>")

    def _repr_html_(self) -> str:
        """Itself inside a notebook."""
        if self._closed:
            return "<p>this viewer is closed</p>"
        return (
            f'<iframe src="{self.url}" width="100%" height="520" style="border:0"'
            ' title="a robot" loading="lazy"></iframe>'
        )

    # -------------------------------------------------------------- written down by any thread

    def edit(self, key: object, change: Callable[[np.ndarray], np.ndarray]) -> None:
        """Change the configuration; of several changes with one key the last counts."""
        with self._changed:
            self._edits.pop(key, None)
            self._edits[key] = change
            self._asked += 1
            self._changed.notify_all()

    def ask(self, job: Callable[[], None]) -> None:
        """Have something done between two drawings."""
        with self._changed:
            self._jobs.append(job)
            self._asked += 1
            self._changed.notify_all()

    # -------------------------------------------------------------- done by the drawing thread

    def _run(self) -> None:
        """Draw what is asked for until the viewer is closed."""
        while True:
            with self._changed:
                if not (self._edits or self._jobs or self._closed):
                    self._changed.wait(self._patience())
                if self._closed:
                    return
                edits, self._edits = self._edits, {}
                jobs, self._jobs = self._jobs, []
                asked = self._asked
            begun = clocks.monotonic()
            try:
                self._step(edits, jobs)
            except Exception as error:  # a sentence for whoever looks, and the show goes on
                self._panel.say("trouble", f"{type(error).__name__}: {error}")
            with self._changed:
                self._done = asked
                self._changed.notify_all()
            clocks.sleep(max(begun + 1.0 / FRAMES - clocks.monotonic(), 0.0))

    def _patience(self) -> float | None:
        """How long to wait for something new, s; None: for ever."""
        if self._performance is not None and self._performance.clock.playing:
            return 0.0
        return None if self._stale is None else 1.0 / NUMBERS

    def _step(
        self, edits: Mapping[object, Callable[[np.ndarray], np.ndarray]], jobs: list[Any]
    ) -> None:
        """Do the jobs, move time and robot, and draw if anything changed."""
        if jobs or edits:
            self._panel.say("trouble")
        for job in jobs:
            job()
        q = self._state.q
        for change in edits.values():
            q = change(q)
        touched = set(edits)
        if edits and not touched <= {"program", "wrenches", "all"}:
            q, sentence = self._subject.reached(self._state.q, q)
            self._panel.say("loops", sentence)
            if sentence:
                touched = set()
        elif edits:
            self._panel.say("loops")
        now = clocks.monotonic()
        elsewhen = self._elsewhen(now)
        if elsewhen:
            self._state = self._at_time(self._time_shown)
        elif edits:
            self._state = self._at(q)
        if edits or jobs or elsewhen:
            self._draw(touched)
        self._write(now)

    def _elsewhen(self, now: float) -> bool:
        """Let time pass; whether another instant is to be shown."""
        if self._performance is None:
            return False
        clock = self._performance.clock
        clock.tick(now)
        before, self._time_shown = self._time_shown, clock.time
        return before != self._time_shown

    def _draw(self, touched: set[object]) -> None:
        """Send what has moved."""
        with self._server.atomic():
            self._stage.move(self._state)
            if self._performance is not None and self._performance.motion.ghosts:
                ghosts = self._performance.motion.ghosts_at(self._time_shown)
                self._stage.move_ghosts(ghosts)
            for layer in self._layers.values():
                if layer.on:
                    layer.frame = self._panel.frame
                    layer.update(self._state)
            for handle in self._handles:
                if handle not in touched:
                    handle.move(self._state)
        self._stale = touched | (self._stale or set())

    def _write(self, now: float) -> None:
        """Numbers and sliders, which need not be as quick as the robot."""
        if self._stale is not None and now - self._numbers_at >= 1.0 / NUMBERS:
            touched, self._stale = self._stale, None
            self._numbers_at = now
            with self._server.atomic():
                self._panel.show(self._state, touched)
                if self._tab is not None:
                    self._tab.show(now)

    def _at(self, q: np.ndarray) -> State:
        """At rest at a configuration."""
        zero = np.zeros(self._subject.whole.nv)
        return State(self._subject, q, zero, zero, self._wrenches)

    def _at_time(self, time: float) -> State:
        """At an instant of the motion."""
        assert self._performance is not None
        motion = self._performance.motion
        q = motion.configuration(time)
        return State(self._subject, q, *motion.rates(time), self._wrenches)

    def _timer(self) -> Clock:
        self._check_open()
        if self._performance is None:
            raise ArgumentError(
                f"{self._title}: there is no motion; robot.view.play(...) shows one"
            )
        return self._performance.clock

    def _check_open(self) -> None:
        """An error if the viewer is closed: nobody would see what is asked for."""
        if self._closed:
            raise ArgumentError(
                f"{self._title}: this viewer is closed; robot.view.show() opens another"
            )

    def _switch(self, layer: Layer, on: bool) -> None:
        layer.frame = self._panel.frame
        if on and not layer.created:  # what it needs may have to be compiled
            self._panel.say("busy", f"{layer.overlay.label}: getting ready ...")
        try:
            layer.switch(on, self._state)
        finally:
            self._panel.say("busy")

    def _show_shapes(self, on: bool) -> None:
        for node in self._stage.shapes:
            node.visible = on

    def _on_bodies(self, wrenches: Any) -> np.ndarray | None:
        """Wrenches as (nb, 6), or an error."""
        if wrenches is None:
            return None
        nb = self._subject.model.nb
        given = on_bodies(self._subject.model, "wrenches", wrenches, self._title)
        found = np.asarray(plain(given, f"{self._title}: argument 'wrenches'"), dtype=float)
        if found.shape != (nb, 6) or not np.isfinite(found).all():
            raise ArgumentError(
                f"{self._title}: argument 'wrenches' must be finite numbers of shape ({nb}, 6), or"
                f" {{frame: (6,)}}, found shape {found.shape}"
            )
        return found


def _checked(overlays: Iterable[str], collision: bool, title: str) -> list[str]:
    """Names of overlays, each of which there is."""
    if not isinstance(overlays, Iterable):
        raise TypeError(
            f"{title}: argument 'overlays' must be names of {', '.join(OVERLAYS)}, found"
            f" {overlays!r}"
        )
    names = [overlays] if isinstance(overlays, str) else list(overlays)
    for name in names:
        if name not in OVERLAYS:
            raise ArgumentError(
                f"{title}: unknown overlay {name!r}; choose among {', '.join(OVERLAYS)}"
            )
    return [*dict.fromkeys((*names, *(("collision",) if collision else ())))]


def _few(sentences: tuple[str, ...], most: int = 3) -> list[str]:
    """The first sentences, and how many more there are."""
    rest = len(sentences) - most
    more = [f"(and {rest} more)"] if rest > 0 else []
    return [*(f"{text}." for text in sentences[:most]), *more]
