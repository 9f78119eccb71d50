"""Meshes in a page: packing and thinning."""

from __future__ import annotations

import base64
import zlib

import numpy as np
import pytest

import jounce
from jounce.viewer.scene import Part, looks, shapes
from jounce.viewer.web import meshes

pytestmark = pytest.mark.shown


def ball(radius: float = 0.3, sides: int = 200, origin: str = "mesh") -> Part:
    """A sphere of many triangles, away from the origin."""
    surface = shapes.solid("sphere", (radius,), sides)
    vertices = surface.vertices * (1.0, 0.5, 2.0) + (0.1, -0.2, 0.7)
    return Part(0, "ball", vertices, surface.faces, (0.1, 0.2, 0.3, 1.0), origin)


def box(part: Part) -> np.ndarray:
    used = part.vertices[np.unique(part.faces)]
    return np.array((used.min(axis=0), used.max(axis=0)))


def distance(part: Part, points: np.ndarray) -> float:
    """How far points (n, 3) are from the nearest vertices of a part, at most."""
    gaps = points[:, None, :] - part.vertices[None]
    return float(np.sqrt((gaps * gaps).sum(axis=2)).min(axis=1).max())


def unpacked(pack: meshes.PackedMeshes) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return vertices (V, 3) and triangles (F, 3) of each part, as a page reads them."""
    content = zlib.decompress(base64.b64decode(pack.data))
    count, corners = 3 * pack.vertices, 3 * pack.triangles
    planes = np.frombuffer(content[: 2 * count], np.uint8).reshape(2, count)
    grid = np.cumsum(planes.T.copy().view("<u2")[:, 0], dtype=np.uint16).reshape(3, -1).T
    planes = np.frombuffer(content[2 * count :], np.uint8).reshape(4, corners)
    zigzag = planes.T.copy().view("<u4")[:, 0].astype(np.int64)
    indices = np.cumsum((zigzag >> 1) ^ -(zigzag & 1)).reshape(-1, 3)
    out, v, f = [], 0, 0
    for part in pack.parts:
        some = grid[v : v + part["vertices"]].astype(float)
        vertices = np.array(part["low"]) + some / meshes.STEPS * np.array(part["size"])
        out.append((vertices, indices[f : f + part["triangles"]]))
        v, f = v + part["vertices"], f + part["triangles"]
    return out


def test_what_is_packed_comes_back_to_16_bits() -> None:
    parts = looks(jounce.load("kuka_iiwa14").model).parts
    pack = meshes.pack(parts)
    found = unpacked(pack)
    assert len(found) == len(pack.parts) == len(parts)
    assert pack.triangles == sum(len(faces) for _, faces in found)
    for part, about, (vertices, faces) in zip(parts, pack.parts, found, strict=True):
        assert about["body"] == part.body
        assert about["link"] == part.link
        size = np.ptp(box(part), axis=0)
        expected, given = part.vertices[part.faces], vertices[faces]
        assert len(given) == len(expected)
        # triangles come in the same order, with the same corners
        assert np.abs(given - expected).max() <= 0.51 * size.max() / meshes.STEPS


def test_vertices_at_one_place_are_packed_once() -> None:
    part = ball(sides=16)
    corners = part.vertices[part.faces].reshape(-1, 3)  # as STL files have them
    loose = Part(0, "x", corners, np.arange(len(corners)).reshape(-1, 3), part.color, "mesh")
    pack = meshes.pack([loose])
    assert pack.vertices < len(part.vertices) + 1 < len(corners)
    assert pack.triangles == len(part.faces)


def test_parts_without_triangles_are_left_out() -> None:
    nothing = Part(0, "x", np.zeros((0, 3)), np.zeros((0, 3), int), (0, 0, 0, 1), "mesh")
    pack = meshes.pack([nothing, ball(sides=8)])
    assert len(pack.parts) == len(unpacked(pack)) == 1
    assert meshes.pack([]).triangles == 0


@pytest.mark.parametrize("budget", [300, 2000])
def test_thinning_keeps_box_shape_and_budget(budget: int) -> None:
    part = ball()
    (thin,) = meshes.decimate([part], budget)
    assert 0.3 * budget < len(thin.faces) <= budget < len(part.faces)
    assert np.array_equal(box(thin), box(part))
    # no place of the surface is far from what is left of it
    assert distance(thin, part.vertices[::50]) < 2.0 * 0.6 / np.sqrt(budget / 12)
    # and triangles still look outward
    corners = thin.vertices[thin.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    outward = (normals * (corners.mean(axis=1) - (0.1, -0.2, 0.7))).sum(axis=1)
    assert np.mean(outward > 0.0) > 0.95


def test_thinning_leaves_alone_what_fits_and_simple_shapes() -> None:
    parts = (ball(sides=8), ball(origin="solid"))
    assert meshes.decimate(parts[:1], 1000) == parts[:1]
    found = meshes.decimate((ball(), parts[1]), 50_000)
    assert found[1] is parts[1]
    assert sum(len(part.faces) for part in found) <= 50_000


def test_parts_smaller_than_a_cell_stay_as_boxes() -> None:
    tiny = ball(radius=1e-3, sides=40)
    large = ball(radius=1.0)
    found = meshes.decimate([large, tiny], 400)
    assert np.allclose(box(found[1]), box(tiny))
    assert 0 < len(found[1].faces) < len(tiny.faces)


@pytest.mark.parametrize("budget", [0, -1, True, 2.5])
def test_a_budget_must_be_a_whole_number(budget: float) -> None:
    with pytest.raises(jounce.errors.ArgumentError, match="whole number >= 1, found"):
        meshes.decimate([ball(sides=8)], budget)  # pyright: ignore[reportArgumentType]
