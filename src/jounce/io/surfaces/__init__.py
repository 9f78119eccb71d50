"""Readers of mesh formats, one module each: bytes to vertices and triangles."""
