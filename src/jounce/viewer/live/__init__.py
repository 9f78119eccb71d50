"""A robot in the browser: its shapes, sliders, overlays and motions, by viser.

viser is needed: pip install "jounce[view]". `robot.view.show()` and `robot.view.play(...)` come
here. `viewer.py` is the window, `stage.py` what is in it, `player.py` plays motions. Start with
`opening.py`.
"""

from jounce.viewer.live.layers import OVERLAYS as OVERLAYS
from jounce.viewer.live.opening import play as play
from jounce.viewer.live.opening import show as show
from jounce.viewer.live.server import viser as viser
from jounce.viewer.live.viewer import Viewer as Viewer

__all__ = ["OVERLAYS", "Viewer", "play", "show", "viser"]
