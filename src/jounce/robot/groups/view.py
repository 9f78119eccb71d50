"""`robot.view`: the robot in a browser, at rest or in motion, and drawings of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from jounce.errors import explain_methods
from jounce.robot.groups.group import Group
from jounce.utils.registry import provide

if TYPE_CHECKING:
    from jounce.identification.result import Identification
    from jounce.io.packages import Folders
    from jounce.robot.system import System
    from jounce.solve.elastic import ElasticMotion
    from jounce.viewer.live.viewer import Viewer
    from jounce.viewer.pictures.tree import TreeDrawing


@explain_methods
class View(Group):
    """Viewers in the browser, which need jounce[view], and drawings."""

    _NAME = "view"
    robot: System

    def show(
        self,
        q: ArrayLike | None = None,
        *,
        port: int | None = None,
        host: str = "localhost",
        open_browser: bool | None = None,
        block: bool | None = None,
        package_dirs: Folders = (),
        collision: bool = False,
        overlays: Iterable[str] = (),
        wrenches: ArrayLike | Mapping[str, ArrayLike] | None = None,
    ) -> Viewer:
        """Open a viewer in the browser, with a slider per joint.

        Parameters
        ----------
        q : array_like (nq,)
            Configuration to start with; by default bent for chains, else neutral.
        port : int
            Port of the server; by default the first free one from 8080 on.
        host : str
            "localhost" serves this machine only, "0.0.0.0" all networks (with a warning). Both
            need the token in `Viewer.url`.
        open_browser : bool
            Open a browser window; by default if there is a screen and this is not a notebook.
        block : bool
            Wait until Ctrl-C closes the viewer, which otherwise ends with the program. By default
            if the call is in a script, not in notebooks, interactive sessions or imported modules.
        package_dirs : path or sequence of paths
            Folders in which package://... is looked for first, as for `jounce.load`.
        collision : bool
            Show collision shapes.
        overlays : iterable of str
            Overlays to switch on, from `jounce.viewer.live.OVERLAYS`.
        wrenches : array_like or mapping
            Wrenches to show as arrows; see `Viewer.wrenches`.

        Returns
        -------
        Viewer
            The viewer, whose attributes move the robot and change what is shown.
        """
        return provide("show")(
            self.robot,
            q,
            port=port,
            host=host,
            open_browser=open_browser,
            block=block,
            package_dirs=package_dirs,
            collision=collision,
            overlays=overlays,
            wrenches=wrenches,
        )

    def play(
        self,
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
        host: str = "localhost",
        open_browser: bool | None = None,
        block: bool | None = None,
        package_dirs: Folders = (),
        collision: bool = False,
        overlays: Iterable[str] = (),
        wrenches: ArrayLike | Mapping[str, ArrayLike] | None = None,
    ) -> Viewer:
        """Play a motion in the browser, with a time bar, ghosts and charts.

        Parameters
        ----------
        trajectory : array_like (n, nq) or (b, n, nq)
            Configurations every dt seconds; of several motions, those after the first are ghosts.
        dt : float
            Time between configurations, s.
        ghosts : array_like (b, n, nq) or int
            Further motions, or how many instants of the motion to show as still copies.
        series : mapping of str to array_like (n,) or (n, k)
            Curves to draw next to the motion.
        identification : Identification
            Result of `jounce.identify`: draws measured and identified torques.
        elastic : ElasticMotion
            Result of `elastic_inverse_dynamics`: draws deflections and torques.
        speed : float
            Playback speed; 1 is real time.
        loop : bool
            Start again at the end.
        playing : bool
            Start playing at once.
        port, host, open_browser, block, package_dirs, collision, overlays, wrenches
            See `show`.

        Returns
        -------
        Viewer
            The viewer.
        """
        return provide("play")(
            self.robot,
            trajectory,
            dt,
            ghosts=ghosts,
            series=series,
            identification=identification,
            elastic=elastic,
            speed=speed,
            loop=loop,
            playing=playing,
            port=port,
            host=host,
            open_browser=open_browser,
            block=block,
            package_dirs=package_dirs,
            collision=collision,
            overlays=overlays,
            wrenches=wrenches,
        )

    def tree(self) -> TreeDrawing:
        """Draw the kinematic tree.

        Returns
        -------
        TreeDrawing
            A drawing that notebooks display; `.save(path)` writes it as SVG.
        """
        return provide("draw")(self.robot)
