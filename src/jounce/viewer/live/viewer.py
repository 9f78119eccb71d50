"""Viewer: a robot in the browser, moved by sliders, the mouse, and programs."""

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
from jounce.viewer.live.dials import create_dials
from jounce.viewer.live.handles import create_handles
from jounce.viewer.live.layers import OVERLAYS, TABLE, Layer
from jounce.viewer.live.panel import MotionTab, Panel
from jounce.viewer.live.player import Clock, Playback
from jounce.viewer.live.stage import Stage, State
from jounce.viewer.live.subject import Subject
from jounce.viewer.scene import looks as looks_of

if TYPE_CHECKING:
    from jounce.io import Folders
    from jounce.robot import System

#: Largest update rates of the scene and of the panel, 1/s.
MAX_FRAME_RATE, MAX_PANEL_RATE = 40.0, 8.0


class ViewerOptions(TypedDict, total=False):
    """Options of a viewer; see `robot.view.show`."""

    host: str
    package_dirs: Folders
    collision: bool
    overlays: Iterable[str]
    wrenches: ArrayLike | Mapping[str, ArrayLike] | None


class Viewer:
    """A robot in the browser, opened by `robot.view.show()` or `robot.view.play(...)`.

    One thread draws; other threads only enqueue requests, and later requests replace earlier
    ones, so that a fast slider causes no backlog. Use `close` when done, or `with`.
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
        playback: Playback | None = None,
    ) -> None:
        self._subject = subject = Subject(system)
        self._title = printable(f"{system.name}.show")
        keys = _check_overlays(overlays, collision, self._title)
        start = subject.start if q is None else subject.check_configuration(q, self._title)
        message = ""
        if q is not None:
            start, message = subject.close_loops(start)
        self._wrenches = self._check_wrenches(wrenches)
        looks = looks_of(subject.model, "visual", package_dirs)
        self._changed = threading.Condition()
        self._edits: dict[object, Callable[[np.ndarray], np.ndarray]] = {}
        self._jobs: list[Callable[[], None]] = []
        self._requested = self._done = 0
        self._closed = False
        self._playback = playback
        self._tab: MotionTab | None = None
        self._panel_updated = -np.inf
        self._time_shown = 0.0
        self._stale: set[object] | None = set()
        self._state = self._state_at_rest(start) if playback is None else self._state_at_time(0.0)
        extent = start[None] if playback is None else playback.extent
        if playback is not None:
            message = subject.describe_open_loops(playback.motion.q)
        self._server = servers.start(host, port, legible(system.name, 60))
        try:
            self._stage = Stage(self._server, subject, looks, extent, package_dirs)
            self._build(looks.missing, message)
            self._thread = threading.Thread(target=self._run, name="jounce viewer", daemon=True)
            for key in keys:
                self.switch(key)
            self._thread.start()
        except BaseException:  # The caller gets no object with which to stop the server.
            servers.stop(self._server)
            raise
        atexit.register(self.close)

    def _build(self, missing: tuple[str, ...], message: str) -> None:
        """Fill the scene and the panel."""
        subject, stage = self._subject, self._stage
        self._layers = {overlay.key: Layer(overlay, stage) for overlay in TABLE}
        available = [layer for layer in self._layers.values() if layer.has_content()]
        self._handles = create_handles(stage)
        for handle in self._handles:
            handle.node.on_update(lambda _, handle=handle: self.edit(handle, handle.write))
        self._panel = Panel(self._server, self, create_dials(subject, stage.size), self._state)
        self._panel.set_notice("shapes", *_shorten_list(missing))
        self._panel.set_notice("loops", message)
        self._rng = np.random.default_rng()
        if self._playback is not None:
            show_ghosts = None
            if self._playback.motion.ghosts:
                stage.add_ghosts(self._playback.motion.ghosts)
                show_ghosts = stage.show_ghosts
            self._tab = self._panel.add_motion(self._playback, show_ghosts)
        self._panel.add_joints(
            {
                "start": lambda _: subject.start,
                "neutral": lambda _: subject.home,
                "random": lambda q: subject.random(self._rng, q),
            },
            self._reset_view,
        )
        frames = [frame.name for frame in subject.model.frames]
        self._boxes = self._panel.add_overlays(
            available, self._switch, self._show_shapes, self._handles, frames
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
        """Port of the server."""
        return self._server.get_port()

    @property
    def q(self) -> np.ndarray:
        """Current configuration (nq,); can be set. Loops are closed first."""
        self.settle()
        return self._state.q.copy()

    @q.setter
    def q(self, q: ArrayLike) -> None:
        self._check_open()
        goal, message = self._subject.close_loops(self._subject.check_configuration(q, self._title))
        if message:
            raise ArgumentError(f"{self._title}: argument 'q': {message}")
        self.edit("program", lambda _: goal)

    @property
    def wrenches(self) -> np.ndarray | None:
        """Wrenches (nb, 6) on the bodies that the overlay "wrenches" shows; can be set.

        The format is that of quantities: (moment, force) in body frames, or {frame: (6,)}.
        """
        return self._wrenches

    @wrenches.setter
    def wrenches(self, wrenches: ArrayLike | Mapping[str, ArrayLike] | None) -> None:
        self._check_open()
        self._wrenches = self._check_wrenches(wrenches)
        self.edit("wrenches", lambda q: q)

    @property
    def overlays(self) -> tuple[str, ...]:
        """Keys of the overlays that are on."""
        self.settle()
        return tuple(key for key, layer in self._layers.items() if layer.on)

    def switch(self, overlay: str, on: bool = True) -> None:
        """Show or hide an overlay.

        Parameters
        ----------
        overlay : str
            Key from `jounce.viewer.live.OVERLAYS`.
        on : bool
            Show it if True, hide it otherwise.

        Raises
        ------
        ArgumentError
            If the overlay is unknown or the viewer is closed.
        """
        self._check_open()
        (key,) = _check_overlays((overlay,), False, self._title)
        if key in self._boxes:
            self._boxes[key].value = on
            self.enqueue(lambda: self._switch(self._layers[key], on))

    @property
    def messages(self) -> list[str]:
        """Notices above the panel, such as missing meshes and loops that do not close."""
        self.settle()
        return self._panel.notices

    @property
    def clients(self) -> int:
        """Number of connected browsers."""
        return 0 if self._closed else len(self._server.get_clients())

    @property
    def time(self) -> float:
        """Current time of the motion, s; can be set. Zero without a motion."""
        self.settle()
        return 0.0 if self._playback is None else self._playback.clock.time

    @time.setter
    def time(self, time: float) -> None:
        timer = self._get_clock()
        instant = np.asarray(plain(time, f"{self._title}: argument 'time'"), dtype=float)
        if instant.ndim != 0 or np.isnan(instant):
            raise ArgumentError(
                f"{self._title}: argument 'time' must be one number in seconds, found {time!r}"
            )
        self.enqueue(lambda: timer.set(instant))

    def play(self, playing: bool = True) -> None:
        """Start or pause the motion.

        Parameters
        ----------
        playing : bool
            Play if True, pause otherwise.

        Raises
        ------
        ArgumentError
            If the viewer shows no motion or is closed.
        """
        timer = self._get_clock()
        self.enqueue(lambda: timer.play(playing))

    def settle(self, timeout: float = 30.0) -> None:
        """Wait until all requested changes are drawn.

        Parameters
        ----------
        timeout : float
            Longest time to wait, s.
        """
        with self._changed:
            goal = self._requested
            if threading.current_thread() is not self._thread:
                self._changed.wait_for(lambda: self._done >= goal or self._closed, timeout)

    def wait(self) -> None:
        """Block until the viewer is closed or the program is interrupted (Ctrl-C)."""
        with self._changed:
            while not self._closed:
                self._changed.wait(0.5)

    def close(self) -> None:
        """Close the viewer and stop its server; closing again has no effect."""
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
        """Return an inline frame with the viewer for notebooks."""
        if self._closed:
            return "<p>this viewer is closed</p>"
        return (
            f'<iframe src="{self.url}" width="100%" height="520" style="border:0"'
            ' title="a robot" loading="lazy"></iframe>'
        )

    # -------------------------------------------------------------- requests from any thread

    def edit(self, key: object, change: Callable[[np.ndarray], np.ndarray]) -> None:
        """Enqueue a change of the configuration.

        Parameters
        ----------
        key : object
            Source of the change; a later change with the same key replaces an earlier one.
        change : callable
            Maps the configuration (nq,) to the new one.
        """
        with self._changed:
            self._edits.pop(key, None)
            self._edits[key] = change
            self._requested += 1
            self._changed.notify_all()

    def enqueue(self, job: Callable[[], None]) -> None:
        """Enqueue a job that the drawing thread runs between two frames.

        Parameters
        ----------
        job : callable
            Called without arguments.
        """
        with self._changed:
            self._jobs.append(job)
            self._requested += 1
            self._changed.notify_all()

    # -------------------------------------------------------------- drawing thread

    def _run(self) -> None:
        """Process requests and draw until the viewer is closed."""
        while True:
            with self._changed:
                if not (self._edits or self._jobs or self._closed):
                    self._changed.wait(self._wait_timeout())
                if self._closed:
                    return
                edits, self._edits = self._edits, {}
                jobs, self._jobs = self._jobs, []
                requested = self._requested
            start = clocks.monotonic()
            try:
                self._step(edits, jobs)
            except Exception as error:  # Report errors in the panel and continue.
                self._panel.set_notice("trouble", f"{type(error).__name__}: {error}")
            with self._changed:
                self._done = requested
                self._changed.notify_all()
            clocks.sleep(max(start + 1.0 / MAX_FRAME_RATE - clocks.monotonic(), 0.0))

    def _reset_view(self, client: Any) -> None:
        """Point the camera of a browser at the robot as it is now."""
        self.enqueue(lambda: self._stage.look(client.camera, self._state.q))

    def _wait_timeout(self) -> float | None:
        """Return how long to wait for requests, s; None means indefinitely."""
        if self._playback is not None and self._playback.clock.playing:
            return 0.0
        return None if self._stale is None else 1.0 / MAX_PANEL_RATE

    def _step(
        self, edits: Mapping[object, Callable[[np.ndarray], np.ndarray]], jobs: list[Any]
    ) -> None:
        """Run the jobs, advance the time, move the robot, and draw if anything changed."""
        if jobs or edits:
            self._panel.set_notice("trouble")
        for job in jobs:
            job()
        q = self._state.q
        for change in edits.values():
            q = change(q)
        touched = set(edits)
        if edits and not touched <= {"program", "wrenches", "all"}:
            q, message = self._subject.move_toward(self._state.q, q)
            self._panel.set_notice("loops", message)
            if message:
                touched = set()
        elif edits:
            self._panel.set_notice("loops")
        now = clocks.monotonic()
        time_changed = self._advance_time(now)
        if time_changed:
            self._state = self._state_at_time(self._time_shown)
        elif edits:
            self._state = self._state_at_rest(q)
        if edits or jobs or time_changed:
            self._draw(touched)
        self._update_panel(now)

    def _advance_time(self, now: float) -> bool:
        """Advance the playback clock and return whether the time has changed."""
        if self._playback is None:
            return False
        clock = self._playback.clock
        clock.tick(now)
        before, self._time_shown = self._time_shown, clock.time
        return before != self._time_shown

    def _draw(self, touched: set[object]) -> None:
        """Send new poses and overlays."""
        with self._server.atomic():
            self._stage.move(self._state)
            if self._playback is not None and self._playback.motion.ghosts:
                ghosts = self._playback.motion.ghosts_at(self._time_shown)
                self._stage.move_ghosts(ghosts)
            for layer in self._layers.values():
                if layer.on:
                    layer.frame = self._panel.frame
                    layer.update(self._state)
            for handle in self._handles:
                if handle not in touched:
                    handle.move(self._state)
        self._stale = touched | (self._stale or set())

    def _update_panel(self, now: float) -> None:
        """Update tables and sliders, at a lower rate than the scene."""
        if self._stale is not None and now - self._panel_updated >= 1.0 / MAX_PANEL_RATE:
            touched, self._stale = self._stale, None
            self._panel_updated = now
            with self._server.atomic():
                self._panel.show(self._state, touched)
                if self._tab is not None:
                    self._tab.show(now)

    def _state_at_rest(self, q: np.ndarray) -> State:
        """Return the state at rest at a configuration."""
        zero = np.zeros(self._subject.dynamics.nv)
        return State(self._subject, q, zero, zero, self._wrenches)

    def _state_at_time(self, time: float) -> State:
        """Return the state at a time of the motion."""
        assert self._playback is not None
        motion = self._playback.motion
        q = motion.configuration(time)
        return State(self._subject, q, *motion.rates(time), self._wrenches)

    def _get_clock(self) -> Clock:
        self._check_open()
        if self._playback is None:
            raise ArgumentError(
                f"{self._title}: this viewer shows no motion; use robot.view.play(...)"
            )
        return self._playback.clock

    def _check_open(self) -> None:
        """Raise ArgumentError if the viewer is closed."""
        if self._closed:
            raise ArgumentError(
                f"{self._title}: this viewer is closed; open another with robot.view.show()"
            )

    def _switch(self, layer: Layer, on: bool) -> None:
        layer.frame = self._panel.frame
        if on and not layer.is_created:  # Its kernels may have to be compiled.
            self._panel.set_notice("busy", f"{layer.overlay.label}: getting ready ...")
        try:
            layer.switch(on, self._state)
        finally:
            self._panel.set_notice("busy")

    def _show_shapes(self, on: bool) -> None:
        for node in self._stage.shapes:
            node.visible = on

    def _check_wrenches(self, wrenches: Any) -> np.ndarray | None:
        """Return wrenches as (nb, 6); raise unless finite."""
        if wrenches is None:
            return None
        nb = self._subject.model.nb
        body_wrenches = on_bodies(self._subject.model, "wrenches", wrenches, self._title)
        values = np.asarray(
            plain(body_wrenches, f"{self._title}: argument 'wrenches'"), dtype=float
        )
        if values.shape != (nb, 6) or not np.isfinite(values).all():
            raise ArgumentError(
                f"{self._title}: argument 'wrenches' must be finite numbers of shape ({nb}, 6), or"
                f" {{frame: (6,)}}, found shape {values.shape}"
            )
        return values


def _check_overlays(overlays: Iterable[str], collision: bool, title: str) -> list[str]:
    """Return the keys of overlays; raise if one is unknown."""
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


def _shorten_list(messages: tuple[str, ...], limit: int = 3) -> list[str]:
    """Return the first messages and the number of those omitted."""
    omitted = len(messages) - limit
    suffix = [f"(and {omitted} more)"] if omitted > 0 else []
    return [*(f"{text}." for text in messages[:limit]), *suffix]
