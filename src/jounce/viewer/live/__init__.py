"""A robot in the browser: its shapes, sliders, overlays and motions, by viser.

viser is needed: pip install "jounce[view]". `robot.view.show()` and
`robot.view.play(...)` come here.
"""

from jounce.view.layers import OVERLAYS as OVERLAYS
from jounce.view.opening import play as play
from jounce.view.opening import show as show
from jounce.view.viewer import Viewer as Viewer
