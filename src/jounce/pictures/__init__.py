"""What a robot looks like: coloured triangles of each body, from its file or from its joints.

No library draws here: the viewer, pages and pictures take what `looks` gives.
"""

from jounce.scene.looks import Looks as Looks
from jounce.scene.looks import Part as Part
from jounce.scene.looks import looks as looks
