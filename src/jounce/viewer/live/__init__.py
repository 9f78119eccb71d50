"""Live viewer in the browser: shapes, sliders, overlays and motions, served by viser.

Requires viser: pip install "jounce[view]". `robot.view.show()` and `robot.view.play(...)` lead
here. `viewer.py` is the window, `stage.py` the 3D scene, `player.py` plays motions. Start with
`opening.py`.
"""

from jounce.viewer.live.layers import OVERLAYS as OVERLAYS
from jounce.viewer.live.opening import play as play
from jounce.viewer.live.opening import show as show
from jounce.viewer.live.server import viser as viser
from jounce.viewer.live.viewer import Viewer as Viewer

__all__ = ["OVERLAYS", "Viewer", "play", "show", "viser"]
