"""How viewers are opened: `robot.view.show` and `robot.view.play`."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Unpack

from numpy.typing import ArrayLike

from jounce.errors import printable
from jounce.utils import in_notebook
from jounce.viewer.live.charts import Chart, elastic_charts, identification_charts, series_charts
from jounce.viewer.live.player import Clock, Motion, Performance, positive
from jounce.viewer.live.server import FIRST_PORT
from jounce.viewer.live.subject import Subject
from jounce.viewer.live.viewer import Viewer, ViewerOptions

if TYPE_CHECKING:
    from jounce.identification import Identification
    from jounce.robot import System
    from jounce.solve.elastic import ElasticMotion


def show(
    system: System,
    q: ArrayLike | None = None,
    *,
    port: int | None = None,
    open_browser: bool | None = None,
    **options: Unpack[ViewerOptions],
) -> Viewer:
    """Show a robot, a mechanism or a robot in contact in the browser; returns at once.

    Parameters
    ----------
    system
        What to show.
    q
        Configuration (nq,) to start with; by default at rest.
    port
        By default the first free one from 8080 on.
    open_browser
        By default where there is a screen, but not in a notebook, which shows the viewer itself.
    options
        host, package_dirs, collision, overlays, wrenches: as for `robot.view.show`.
    """
    viewer = Viewer(system, q, port=port, **options)
    _announce(viewer, port, open_browser)
    return viewer


def play(
    system: System,
    trajectory: ArrayLike,
    dt: float,
    *,
    ghosts: ArrayLike | int | None = None,
    series: Mapping[str, ArrayLike] | None = None,
    identification: Identification | None = None,
    elastic: ElasticMotion | None = None,
    speed: float = 1.0,
    loop: bool = True,
    playing: bool = True,
    port: int | None = None,
    open_browser: bool | None = None,
    **options: Unpack[ViewerOptions],
) -> Viewer:
    """Play a motion in the browser; the parameters are those of `robot.view.play`."""
    title = printable(f"{system.name}.view.play")
    subject = Subject(system)
    motion = Motion(subject, trajectory, dt, ghosts, title)
    pace = positive(speed, f"{title}: speed must be a number > 0")
    charts = series_charts(series, motion.t, title)
    by_joint: dict[str, list[Chart]] = {}
    for found in (
        identification_charts(identification, subject, motion.dt, title),
        elastic_charts(elastic, subject, motion.q, motion.t, title),
    ):
        for name, own in found.items():
            by_joint.setdefault(name, []).extend(own)
    clock = Clock(motion.duration, speed=pace, loop=bool(loop), playing=bool(playing))
    performance = Performance(motion, clock, charts, by_joint)
    viewer = Viewer(system, port=port, performance=performance, **options)
    _announce(viewer, port, open_browser)
    return viewer


def _announce(viewer: Viewer, port: int | None, open_browser: bool | None) -> None:
    """Say where the viewer is, and open it for those who have a screen."""
    inline = in_notebook()
    if not inline:
        taken = (
            f" (port {FIRST_PORT} is taken)" if port is None and viewer.port != FIRST_PORT else ""
        )
        print(f"{viewer!r}{taken}", flush=True)
    if open_browser or (open_browser is None and not inline and _has_screen()):
        import webbrowser

        webbrowser.open(viewer.url)


def _has_screen() -> bool:
    """Whether a browser would open a window; those of terminals would take them over."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
