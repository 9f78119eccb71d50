"""Mesh files: one module per format, from bytes to triangles. Start at `mesh_files.py`."""

from jounce.io.surfaces.mesh_files import read_parts as read_parts
from jounce.io.surfaces.mesh_files import read_surface as read_surface
from jounce.io.surfaces.surface import Colour as Colour
from jounce.io.surfaces.surface import Surface as Surface

__all__ = ["Colour", "Surface", "read_parts", "read_surface"]
