"""Surfaces that bound no solid are reported, classified, and repaired on request."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jounce.errors import ModelError, ModelWarning
from jounce.model import inertia
from jounce.model.inertia.mesh.topology import components, first_equal, is_watertight, position_keys
from support import solids
from support.helpers import assert_close
from support.solids import WATERTIGHT, ball, box, inverted, join, soup, tetrahedron, torus


@pytest.fixture(params=WATERTIGHT)
def mesh(request: pytest.FixtureRequest) -> solids.Mesh:
    return WATERTIGHT[request.param]


# ------------------------------------------------------------------ bad surfaces


def holed() -> solids.Mesh:
    v, f = ball(2)
    return v, f[:-2]


def capped() -> solids.Mesh:
    v, f = ball(3)
    return v, f[v[f][:, :, 2].mean(axis=1) < 0.9]


def mixed() -> solids.Mesh:
    v, f = box()
    f = f.copy()
    f[3] = f[3, ::-1]
    return v, f


def dangling() -> solids.Mesh:
    """A box with a flap on one edge."""
    v, f = box()
    return np.vstack((v, (2.0, 0.0, 0.0))), np.vstack((f, (0, 1, 8)))


def twice(v: np.ndarray, f: np.ndarray) -> solids.Mesh:
    return v, np.vstack((f, f))


def half_inverted() -> solids.Mesh:
    return join(box(), inverted(box(at=(3.0, 0.0, 0.0))))


def sheet() -> solids.Mesh:
    v, f = (
        np.array(((0.0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0))),
        np.array(((0, 1, 2), (0, 2, 3))),
    )
    return v, np.vstack((f, f[:, ::-1]))


def moebius() -> solids.Mesh:
    """One-sided and open."""
    n = 8
    u = 2 * np.pi * np.arange(n) / n
    rows = []
    for w in (-0.3, 0.3):
        c = 1.0 + w * np.cos(u / 2)
        rows.append(np.stack((c * np.cos(u), c * np.sin(u), w * np.sin(u / 2)), axis=1))
    v = np.stack(rows, axis=1).reshape(-1, 3)
    faces = []
    for k in range(n):
        a, b = 2 * k, 2 * k + 1
        c, d = (2 * k + 2, 2 * k + 3) if k < n - 1 else (1, 0)
        faces += [(a, c, d), (a, d, b)]
    return v, np.array(faces)


BAD: dict[str, tuple[solids.Mesh, str]] = {
    "one hole": (holed(), "not closed: 6 open edges"),
    "soup with a hole": (soup(holed()), "not closed: 6 open edges"),
    "winding": (mixed(), "inconsistent winding: 3 edges"),
    "flap": (dangling(), "1 edge with an odd number of faces"),
    "inverted": (inverted(ball(1)), "inverted: its faces point inward"),
    "inverted soup": (soup(inverted(box())), "inverted: its faces point inward"),
    "inverted shell": (half_inverted(), "inverted: the faces of 1 of 2 shells"),
    "given twice": (twice(*ball(1)), "80 duplicate faces"),
    "given twice, unmerged": (join(ball(1), ball(1)), "80 duplicate faces"),
    "flat": (sheet(), "encloses no volume"),
    "one triangle": ((np.eye(3), np.array([[0, 1, 2]])), "3 open edges"),
    "one point": ((np.zeros((3, 3)), np.array([[0, 1, 2]])), "encloses no volume"),
    "one-sided": (moebius(), "open edges"),
    "no faces": ((np.eye(3), np.zeros((0, 3), int)), "it is empty: 3 vertices, 0 faces"),
    "nothing": ((np.zeros((0, 3)), np.zeros((0, 3), int)), "it is empty: 0 vertices"),
    "not finite": ((np.array(((0, 0, np.nan), (1, 0, 0), (0, 1, 0))), [[0, 1, 2]]), "first: 0"),
    "index too large": ((np.eye(3), np.array([[0, 1, 3]])), "face 0 refers to vertices"),
    "index negative": ((np.eye(3), np.array([[0, 1, -1]])), "face 0 refers to vertices"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_surfaces_are_named(name: str) -> None:
    (v, f), message = BAD[name]
    with pytest.raises(ModelError, match=message):
        inertia.from_mesh(v, f)
    report = inertia.examine(v, f)
    assert not report.ok
    assert any(message in text for text in report.problems)
    assert message in str(report)


@pytest.mark.parametrize("name", ["one hole", "winding", "flap", "one triangle", "not finite"])
def test_derivatives_refuse_what_is_not_watertight(name: str) -> None:
    (v, f), message = BAD[name]
    with pytest.raises(ModelError, match=message):
        inertia.vertex_jacobian(v, f)
    with pytest.raises(ModelError, match=message):
        inertia.vertex_vjp(v, f, 1.0, np.ones(10))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda v, f: inertia.from_mesh(v, f, 0.0), "density: expected a number > 0, found 0.0"),
        (lambda v, f: inertia.from_mesh(v, f, -5.0), "density: expected a number > 0"),
        (lambda v, f: inertia.from_mesh(v, f, np.nan), "density: expected finite"),
        (lambda v, f: inertia.from_mesh(v, f, np.inf), "density: expected finite"),
        (lambda v, f: inertia.from_mesh(v, f, "heavy"), "density: expected numbers"),
        (lambda v, f: inertia.from_mesh(v, f, [1.0, 2.0]), "density: expected a number"),
        (lambda v, f: inertia.from_mesh(v, f, mass=-1.0), "mass: expected a number > 0"),
        (lambda v, f: inertia.from_mesh(v, f, 1.0, mass=1.0), "found both"),
        (lambda v, f: inertia.vertex_vjp(v, f, -1.0, np.ones(10)), "density"),
        (lambda v, f: inertia.vertex_vjp(v, f, 1.0, np.ones(9)), "weights: expected shape"),
        (lambda v, f: inertia.vertex_vjp(v, f, 1.0, np.ones((2, 10))), "weights"),
        (lambda v, f: inertia.vertex_jacobian(v, f, mass=0.0), "mass: expected a number > 0"),
        (lambda v, f: inertia.from_mesh(v.T, f), r"vertices: expected shape \(V, 3\)"),
        (lambda v, f: inertia.from_mesh(v, f.T), r"faces: expected shape \(F, 3\)"),
        (lambda v, f: inertia.from_mesh(v, np.zeros((2, 4), int)), "triangles"),
        (lambda v, f: inertia.from_mesh(v, f.astype(float)), "faces: expected integers"),
        (lambda v, f: inertia.from_mesh("box", f), "vertices: expected numbers"),
        (lambda v, f: inertia.from_mesh(v, [[0, 1, 2], [0, 1]]), "faces: expected vertex indices"),
        (lambda v, f: inertia.from_mesh([[0, 1], [0, 1, 2]], f), "vertices: expected numbers"),
        (lambda v, f: inertia.from_mesh(1e200 * v, f), "overflow"),
    ],
)
def test_bad_arguments_are_named(call: Callable[..., Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        call(*box())


# ------------------------------------------------------------------ examination


def test_report_of_a_sound_surface() -> None:
    v, f = box((1.0, 2.0, 3.0), (5.0, 0.0, 0.0))
    report = inertia.examine(*soup((v, f)))
    assert report.ok
    assert report.notes == ()
    assert (report.vertices, report.faces, report.duplicate_vertices) == (36, 12, 28)
    np.testing.assert_allclose((report.volume, report.area), (6.0, 22.0), rtol=1e-14)
    np.testing.assert_allclose(report.bounds, [(4.5, -1.0, -1.5), (5.5, 1.0, 1.5)])
    np.testing.assert_allclose(report.shells, [6.0])
    assert "36 vertices, 12 faces, 1 shells" in str(report)


def test_open_edges_by_number() -> None:
    v, f = box()
    report = inertia.examine(v, np.delete(f, 0, axis=0))
    assert {tuple(edge) for edge in report.open_edges.tolist()} == {(0, 1), (1, 3), (0, 3)}
    assert not len(report.mixed_edges)


def test_what_does_no_harm_is_a_note() -> None:
    v, f = box()
    with_flat = np.vstack((f, (0, 0, 1)))
    report = inertia.examine(v, with_flat)
    assert report.ok
    assert report.degenerate_faces.tolist() == [12]
    assert "1 degenerate face" in report.notes[0]
    with pytest.warns(ModelWarning, match="degenerate"):
        inertia.from_mesh(v, np.vstack((with_flat, (2, 1, 2)))[::-1])


@pytest.mark.parametrize(
    ("mesh", "edges", "vertices"),
    [
        (join(box(), box(at=(1.0, 1.0, 0.0))), 1, 0),
        (join(box(), box(at=(1.0, 1.0, 1.0))), 0, 1),
        (join(tetrahedron(), box(at=(-0.5, -0.5, -0.5))), 0, 1),
        (join(box(), box(at=(1.0, 0.0, 0.0))), 4, 0),
    ],
)
def test_self_touching_surfaces(mesh: solids.Mesh, edges: int, vertices: int) -> None:
    report = inertia.examine(*mesh)
    assert report.ok
    assert len(report.touching_edges) == edges + (edges == 4)  # the wall's diagonal, too
    assert len(report.touching_vertices) == vertices
    assert any("self-touching" in note for note in report.notes)
    assert report.opposite_faces == (2 if edges == 4 else 0)
    # however they touch, one of them inside out is noticed
    v, f = mesh
    f = f.copy()
    f[: len(f) // 2] = f[: len(f) // 2, ::-1]
    if len(f) == 24 and edges != 4:
        assert len(inertia.examine(v, f).inverted_shells) == 1


@pytest.mark.parametrize("at", [(0.75, 0.75, 0.75), (0.75, 0.75, 0.25), (0.75, 0.25, 0.25)])
def test_a_touching_shell_inside_out_is_refused(at: tuple[float, ...]) -> None:
    """Beside a larger one, so that the volume of both is positive."""
    small = box((0.5, 0.5, 0.5), at)
    with pytest.warns(ModelWarning, match="self-touching"):
        assert_close(inertia.from_mesh(*join(box(), small), 1.0)[0], 1.125)
    with pytest.raises(ModelError, match="inverted: the faces of 1 of 2 shells"):
        inertia.from_mesh(*join(box(), inverted(small)))


def test_nested_shells() -> None:
    outer, inner, core = box((4.0, 4.0, 4.0)), ball(1), box((0.2, 0.2, 0.2), (0.1, 0.0, 0.0))
    cavity = inertia.examine(*join(outer, inverted(inner)))
    assert cavity.ok
    assert not len(cavity.nested_shells)
    onion = inertia.examine(*join(outer, inverted(inner), core))
    assert onion.ok
    assert not len(onion.nested_shells)
    assert len(onion.shells) == 3
    filled = inertia.examine(*join(inner, outer))
    assert filled.ok
    assert filled.nested_shells.tolist() == [0]
    assert "counts twice" in filled.notes[0]
    inside_out = inertia.examine(*join(inverted(outer), inner))
    assert inside_out.inverted_shells.tolist() == [0]


def test_shells_stay_apart_though_boxes_overlap() -> None:
    """A shell in another's bounding box, but not in the other."""
    ring = torus(24, 12)
    coin = box((0.4, 0.4, 0.2))
    assert inertia.examine(*join(ring, coin)).ok
    report = inertia.examine(*join(ring, inverted(coin)))
    assert report.inverted_shells.tolist() == [1]
    inside = box((0.05, 0.05, 0.05), (1.0, 0.0, 0.0))
    assert inertia.examine(*join(ring, inverted(inside))).ok


def test_many_shells() -> None:
    """Bubbles beyond what is looked at one by one are taken to be cavities."""
    grid = np.stack(np.meshgrid(*3 * [np.arange(18.0)]), axis=-1).reshape(-1, 3)
    v, f = tetrahedron()
    vertices = (v[None] * 0.5 + grid[:, None]).reshape(-1, 3)
    faces = (f[None] + 4 * np.arange(len(grid))[:, None, None]).reshape(-1, 3)
    bubbles = join(box((30.0, 30.0, 30.0), (9.0, 9.0, 9.0)), (vertices, faces[:, ::-1]))
    expected = 27000.0 - len(grid) / 48.0
    np.testing.assert_allclose(inertia.from_mesh(*bubbles, 1.0)[0], expected, rtol=1e-13)
    assert len(inertia.examine(*bubbles).shells) == 1 + len(grid)


# ------------------------------------------------------------------ repair


def rough(mesh: solids.Mesh, size: float = 1e-8) -> solids.Mesh:
    """A soup whose copies of a vertex differ a little."""
    v, f = soup(mesh)
    return v + np.random.default_rng(0).uniform(-size, size, v.shape), f


def broken() -> solids.Mesh:
    """Everything at once."""
    v, f = rough(ball(2))
    f = f.copy()
    f[5], f[77] = f[5, ::-1], f[77, ::-1]
    f = np.vstack((np.delete(f, 100, axis=0), f[7], (3, 3, 4)))
    return v, f[:, ::-1]


REPAIRS: dict[str, tuple[solids.Mesh, solids.Mesh, str]] = {
    "hole": (holed(), ball(2), "holes closed by 2 faces"),
    "no cap": (capped(), ball(3), "holes closed by"),
    "winding": (mixed(), box(), "1 face turned"),
    "flap": (dangling(), box(), "holes"),
    "inverted": (inverted(box()), box(), "1 shell turned"),
    "inverted shell": (half_inverted(), join(box(), box(at=(3.0, 0.0, 0.0))), "1 shell turned"),
    "twice": (twice(*ball(1)), ball(1), "80 duplicate"),
    "both sides": (join(box(), inverted(box())), box(), "12 duplicate or opposite"),
    "rough": (rough(ball(2)), ball(2), "joined to near ones"),
    "degenerate": ((box()[0], np.vstack((box()[1], (0, 0, 1)))), box(), "1 degenerate face"),
    "all": (broken(), ball(2), "turned"),
}


@pytest.mark.parametrize("name", REPAIRS)
def test_repair(name: str) -> None:
    (v, f), whole, action = REPAIRS[name]
    repaired = inertia.repair(v, f)
    assert any(action in text for text in repaired.actions), repaired.actions
    assert np.array_equal(repaired.vertices, v)
    report = inertia.examine(repaired.vertices, repaired.faces)
    assert report.ok, report.problems
    with pytest.warns(ModelWarning, match=action):
        actual = inertia.from_mesh(v, f, repair=True)
    # rough vertices are off by 1e-8, and the ball without its cap is closed by a flat face
    tolerance = {"rough": 1e-7, "all": 1e-7, "no cap": 0.03}.get(name, 1e-12)
    assert_close(actual, inertia.from_mesh(*whole), tolerance)


def test_repair_leaves_sound_surfaces_alone(mesh: solids.Mesh) -> None:
    repaired = inertia.repair(*mesh)
    assert repaired.actions == ()
    assert_close(inertia.from_mesh(*mesh, repair=True), inertia.from_mesh(*mesh), 1e-15)


@pytest.mark.parametrize("name", ["flat", "one triangle", "one point"])
def test_what_cannot_be_repaired(name: str) -> None:
    (v, f), _ = BAD[name]
    with pytest.raises(ModelError, match=r"after repair"):
        inertia.from_mesh(v, f, repair=True)


def test_one_sided_surfaces_end_in_an_answer_or_an_error() -> None:
    (v, f), _ = BAD["one-sided"]
    repaired = inertia.repair(v, f)
    report = inertia.examine(v, repaired.faces)
    assert not len(report.open_edges)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_repair_of_random_damage_always_ends(seed: int) -> None:
    """For any faces, every edge is balanced after repair."""
    rng = np.random.default_rng(seed)
    v, f = ball(1)
    f = f[rng.random(len(f)) < rng.uniform(0.3, 1.0)]
    turn = rng.random(len(f)) < rng.uniform(0.0, 0.6)
    f[turn] = f[turn][:, ::-1]
    f = np.vstack((f, rng.integers(0, len(v), (rng.integers(0, 20), 3))))
    repaired = inertia.repair(v, f)
    assert not len(repaired.faces) or is_watertight(position_keys(v), repaired.faces)
    report = inertia.examine(v, repaired.faces)
    assert not len(report.open_edges) + len(report.mixed_edges) + len(report.odd_edges)


def test_hull() -> None:
    rng = np.random.default_rng(12)
    v, _ = box((0.3, 0.4, 0.5))
    inside = rng.uniform(-0.1, 0.1, (50, 3))
    points = np.vstack((inside, v))
    pi = inertia.from_mesh(points, inertia.hull(points))
    assert_close(pi, inertia.box((0.3, 0.4, 0.5), density=1000.0), 1e-13)
    with pytest.raises(ModelError, match="coplanar"):
        inertia.hull(points * (1.0, 1.0, 0.0))


# ------------------------------------------------------------------ what it is built of


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 30), max_size=200))
def test_first_equal(values: list[int]) -> None:
    keys = np.array(values, dtype=np.uint64)
    assert first_equal(keys).tolist() == [values.index(x) for x in values]


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 40), st.integers(0, 60), st.integers(0, 10**6))
def test_components(n: int, edges: int, seed: int) -> None:
    a, b = np.random.default_rng(seed).integers(0, n, (2, edges))
    label = list(range(n))
    for _ in range(n):
        for i, j in zip(a, b, strict=True):
            label[i] = label[j] = min(label[i], label[j])
    assert components(n, a, b).tolist() == label


@pytest.mark.parametrize("order", ["rising", "falling", "random"])
@pytest.mark.parametrize("shape", ["chain", "star", "ring", "comb"])
def test_components_of_long_and_crowded_graphs(shape: str, order: str) -> None:
    """There is one component for any numbering of the nodes and any tree."""
    n = 4096
    at = np.arange(n)
    before = {"chain": at - 1, "star": 0 * at, "ring": at - 1, "comb": (at - 1) // 64 * 64}[shape]
    a, b = at[1:] if shape != "ring" else at, np.maximum(before, 0)
    b = b[1:] if shape != "ring" else np.roll(at, 1)
    rng = np.random.default_rng(3)
    name = {"rising": at, "falling": at[::-1], "random": rng.permutation(n)}[order]
    assert not components(n, name[a], name[b]).any()


def test_touching_vertices(mesh: solids.Mesh) -> None:
    """Shells do not depend on the order of the faces, where two surfaces touch."""
    v, f = mesh
    shuffled = np.random.default_rng(0).permutation(f)
    expected = inertia.examine(v, f).touching_vertices
    assert np.array_equal(inertia.examine(v, shuffled).touching_vertices, expected)
    report = inertia.examine(*join(box(), box(at=(1.0, 1.0, 1.0))))
    assert report.touching_vertices.tolist() == [7]
    size = 20_000  # two cones on one rim
    rim, turn = np.arange(size), 2.0 * np.pi * np.arange(size) / size
    points = np.stack((np.cos(turn), np.sin(turn), 0.0 * turn), axis=1)
    v = np.vstack((points, (0.0, 0.0, -1.0), (0.0, 0.0, 1.0)))
    cone = np.column_stack((np.roll(rim, -1), rim, np.full(size, size)))
    report = inertia.examine(v, np.vstack((cone, cone[:, ::-1] + (cone[:, ::-1] == size))))
    assert report.ok
    assert not len(report.touching_vertices)


def test_watertight(mesh: solids.Mesh) -> None:
    v, f = mesh
    assert is_watertight(position_keys(v), f)
    assert not is_watertight(position_keys(v), f[1:])
    assert not is_watertight(position_keys(v), np.vstack((f[:1, ::-1], f[1:])))


def test_vertices_are_counted() -> None:
    v, f = box()
    report = inertia.examine(np.vstack((v, v[:2], np.eye(3))), f)
    assert (report.vertices, report.duplicate_vertices, report.unused_vertices) == (13, 2, 5)
    assert report.ok


def test_faces_on_a_line_do_no_harm() -> None:
    """A corner on a side, with a face without area along it: a note, but no warning."""
    v, f = tetrahedron()
    v = np.vstack((v, 0.5 * (v[1] + v[2])))
    assert f[3].tolist() == [1, 2, 3]
    split = np.vstack((f[:3], (1, 4, 3), (4, 2, 3), (1, 2, 4)))
    assert inertia.examine(v, split).notes[0].startswith("1 degenerate face without area")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_close(inertia.from_mesh(v, split), inertia.from_mesh(v, f))


def test_positions_are_told_apart_to_the_last_bit() -> None:
    v = np.array(((0.0, 1.0, 2.0), (-0.0, 1.0, 2.0), (0.0, 1.0, np.nextafter(2.0, 3.0))))
    first, second, third = position_keys(v).tolist()
    assert first == second != third
    rng = np.random.default_rng(13)
    many = rng.integers(0, 50, (100_000, 3)).astype(float)
    assert len(np.unique(position_keys(many))) == len(np.unique(many, axis=0))
