"""Entry points of the live viewer: `robot.view.show` and `robot.view.play`."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Unpack

from numpy.typing import ArrayLike

from jounce.errors import printable
from jounce.utils import in_notebook
from jounce.viewer.live.charts import Chart, elastic_charts, identification_charts, series_charts
from jounce.viewer.live.player import Clock, Motion, Playback, check_positive
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
    block: bool | None = None,
    **options: Unpack[ViewerOptions],
) -> Viewer:
    """Show a robot, a mechanism or a robot in contact in the browser.

    Parameters
    ----------
    system : Robot, Mechanism or Contacts
        System to show.
    q : array_like (nq,)
        Initial configuration; by default bent for chains, else neutral.
    port : int
        Port of the server; by default the first free one from 8080 on.
    open_browser : bool
        Open a browser window; by default if there is a screen and this is not a notebook.
    block : bool
        Wait until Ctrl-C closes the viewer, which otherwise ends with the program. By default if
        the call is in a script, not in notebooks, interactive sessions or imported modules.
    **options
        host, package_dirs, collision, overlays, wrenches: as for `robot.view.show`.

    Returns
    -------
    Viewer
        The viewer, whose attributes move the robot and change what is shown.

    Raises
    ------
    ArgumentError
        If an argument is not valid, or the port is taken.
    ImportError
        If viser is not installed.
    """
    viewer = Viewer(system, q, port=port, **options)
    _announce(viewer, port, open_browser, block)
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
    block: bool | None = None,
    **options: Unpack[ViewerOptions],
) -> Viewer:
    """Play a motion in the browser.

    Parameters
    ----------
    system : Robot, Mechanism or Contacts
        System to show.
    trajectory : array_like (n, nq) or (b, n, nq)
        Configurations every dt seconds; of several motions, those after the first are ghosts.
    dt : float
        Time between configurations, s.
    ghosts, series, identification, elastic, speed, loop, playing
        See `robot.view.play`.
    port, open_browser, block
        See `show`.
    **options
        host, package_dirs, collision, overlays, wrenches: as for `robot.view.show`.

    Returns
    -------
    Viewer
        The viewer.

    Raises
    ------
    ArgumentError
        If an argument is not valid, or the port is taken.
    ImportError
        If viser is not installed.
    """
    title = printable(f"{system.name}.view.play")
    subject = Subject(system)
    motion = Motion(subject, trajectory, dt, ghosts, title)
    pace = check_positive(speed, f"{title}: speed must be a positive number")
    charts = series_charts(series, motion.t, title)
    by_joint: dict[str, list[Chart]] = {}
    for charts_by_joint in (
        identification_charts(identification, subject, motion.dt, title),
        elastic_charts(elastic, subject, motion.q, motion.t, title),
    ):
        for name, joint_charts in charts_by_joint.items():
            by_joint.setdefault(name, []).extend(joint_charts)
    clock = Clock(motion.duration, speed=pace, loop=bool(loop), playing=bool(playing))
    playback = Playback(motion, clock, charts, by_joint)
    viewer = Viewer(system, port=port, playback=playback, **options)
    _announce(viewer, port, open_browser, block)
    return viewer


def _announce(
    viewer: Viewer, port: int | None, open_browser: bool | None, block: bool | None
) -> None:
    """Print the address, open a browser if there is a screen, and wait in scripts."""
    inline = in_notebook()
    if not inline:
        note = (
            f" (port {FIRST_PORT} is taken)" if port is None and viewer.port != FIRST_PORT else ""
        )
        print(f"{viewer!r}{note}", flush=True)
    if open_browser or (open_browser is None and not inline and _has_screen()):
        import webbrowser

        webbrowser.open(viewer.url)
    if called_from_script() if block is None else block:
        with suppress(KeyboardInterrupt):
            print("Press Ctrl-C to close the viewer; block=False does not wait.", flush=True)
            viewer.wait()
        viewer.close()


def called_from_script() -> bool:
    """Return whether the code that called the library is a script that ends by itself."""
    frame = sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "jounce":
        frame = frame.f_back
    names = frame.f_globals
    script = names.get("__name__") == "__main__" and "__file__" in names
    return script and not (sys.flags.interactive or hasattr(sys, "ps1") or in_notebook())


def _has_screen() -> bool:
    """Return whether a browser can open a window; terminal browsers would block the terminal."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
