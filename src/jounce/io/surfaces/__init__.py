"""Mesh files: one module per format, from bytes to triangles. Start at `mesh_files.py`."""

from typing import TYPE_CHECKING

from jounce.io.surfaces.mesh_files import read_parts as read_parts
from jounce.io.surfaces.mesh_files import read_surface as read_surface
from jounce.io.surfaces.surface import Color as Color
from jounce.io.surfaces.surface import Surface as Surface
from jounce.utils.deprecation import moved_names

__all__ = ["Color", "Surface", "read_parts", "read_surface"]

if not TYPE_CHECKING:
    __getattr__ = moved_names(__name__, {"Colour": f"{__name__}.Color"})
