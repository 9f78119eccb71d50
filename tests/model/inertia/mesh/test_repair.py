"""For any mesh, repaired or not, the inertia is physically consistent or an error is raised."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import jounce
from jounce.errors import ModelError, ModelWarning
from jounce.model import inertia
from jounce.model.inertia.mesh.integrals import _physical
from support import solids
from support.robots import random_rotation


def random_mesh(seed: int) -> solids.Mesh:
    """Surfaces with what `repair` corrects, and some that cut through themselves."""
    rng = np.random.default_rng(seed)
    v, f = solids.box((0.2, 0.3, 0.5))
    kind = seed % 4
    if kind == 0:  # a soup of triangles
        n = int(rng.integers(4, 9))
        return rng.normal(size=(n, 3)), rng.integers(0, n, (int(rng.integers(2, 14)), 3))
    if kind == 1:  # a bent box with holes
        keep = rng.random(len(f)) < 0.8
        keep[0] = True
        return v + rng.normal(size=v.shape) * rng.choice((0.0, 0.1, 0.5)), f[keep]
    if kind == 2:  # two boxes, one of them perhaps inside out
        other = v * rng.uniform(0.1, 2.0, 3) + rng.normal(size=3) * rng.choice((0.0, 0.2))
        turned = f[:, (0, 2, 1)] if rng.random() < 0.5 else f
        return np.concatenate((v, other)), np.concatenate((f[1:], turned + len(v)))
    # a crumpled box, flat or not
    return rng.normal(size=(8, 3)) * (1.0, 1.0, rng.choice((1e-12, 1e-9, 1e-3, 1.0))), f


def assert_consistent(pi: np.ndarray) -> None:
    mass, _, about = inertia.about_com(pi)
    moments = np.linalg.eigvalsh(about)
    assert mass > 0.0
    assert moments[0] > 0.0
    assert moments[0] + moments[1] - moments[2] >= -1e-12 * moments[2]


@pytest.mark.parametrize("repair", [True, False])
@pytest.mark.parametrize("first", range(0, 400, 100))
def test_inertias_are_those_of_bodies_or_refused(first: int, repair: bool) -> None:
    found = 0
    for seed in range(first, first + 100):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ModelWarning)
            try:
                pi = inertia.from_mesh(*random_mesh(seed), density=1.0, repair=repair)
            except ModelError:
                continue
        assert_consistent(pi)
        found += 1
    assert found > (50 if repair else 1)


def crossed() -> solids.Mesh:
    """A watertight surface that counts a large thin part negatively: volume > 0, moments < 0."""
    return next(
        mesh
        for mesh in map(random_mesh, range(3, 4000, 4))
        if inertia.examine(*mesh).ok and _negative(mesh)
    )


def _negative(mesh: solids.Mesh) -> bool:
    pi = inertia.from_mesh(*mesh, density=1.0, check=False)
    return pi[0] > 1e-3 and np.linalg.eigvalsh(inertia.about_com(pi).inertia)[0] < -1e-3


@pytest.mark.parametrize(
    ("repair", "advice"), [(True, "even after repair"), (False, "cuts through")]
)
def test_a_surface_that_cuts_through_itself_is_refused(repair: bool, advice: str) -> None:
    with pytest.raises(ModelError, match=rf"mesh: no body has its inertia.*{advice}"):
        inertia.from_mesh(*crossed(), repair=repair)


@pytest.mark.parametrize("thickness", [1e-2, 1e-4, 1e-6, 1e-8, 1e-10])
@pytest.mark.parametrize("away", [0.0, 10.0])
def test_thin_plates_are_bodies(thickness: float, away: float) -> None:
    """Rounding makes no plate impossible, wherever it is."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        v, f = solids.box((1.0, 0.7, thickness))
        R = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        R[:, 0] *= np.sign(np.linalg.det(R))
        pi = inertia.from_mesh(v @ R.T + away * rng.normal(size=3), f, mass=1.0)
        moments = np.linalg.eigvalsh(inertia.about_com(pi).inertia)
        # the vertices themselves are rounded, by up to 1e-15 of their distance
        assert moments[0] + moments[1] - moments[2] >= -1e-13 * (1.0 + away**2)


def test_robots_refuse_them_by_name(tmp_path: Path) -> None:
    v, f = crossed()
    lines = ["v {} {} {}".format(*x) for x in v.tolist()]
    lines += ["f {} {} {}".format(*x) for x in (f + 1).tolist()]
    (tmp_path / "crossed.obj").write_text("\n".join(lines))
    (tmp_path / "robot.urdf").write_text(
        '<robot name="r"><link name="a"/><link name="b"><collision><geometry>'
        '<mesh filename="crossed.obj"/></geometry></collision></link>'
        '<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>'
    )
    robot = jounce.load(tmp_path / "robot.urdf")
    with pytest.raises(ModelError, match=r"link 'b': collision mesh 'crossed\.obj': no body has"):
        robot.edit.with_meshes(density=1.0, repair=True)
    repaired = robot.edit.with_meshes(density=1.0, hull=True)
    assert_consistent(repaired.model.bodies[0].inertia)


@pytest.mark.parametrize("given", [(3, 4), (3, -3), (-3, -3)])
def test_faces_given_again_are_dropped(given: tuple[int, ...]) -> None:
    """Duplicate or reversed (negative) faces of a box: one of each remains unchanged."""
    v, f = solids.box((0.2, 0.3, 0.5))
    again = [f[k] if k > 0 else f[-k][::-1] for k in given]
    found = inertia.repair(v, np.concatenate((f, again)))
    assert len(found.faces) == len(f)
    assert found.actions[0] == "2 duplicate or opposite faces dropped"
    pi = inertia.from_mesh(v, found.faces, density=1.0)
    np.testing.assert_allclose(pi, inertia.from_mesh(v, f, density=1.0), rtol=1e-12, atol=1e-16)


def test_what_rounding_took_from_a_plate_is_given_back() -> None:
    """A second moment a little below zero becomes zero, the others and mass and center stay."""
    turn = random_rotation(np.random.default_rng(1))

    def plate(least: float) -> np.ndarray:
        second = turn @ np.diag((least, 1.0, 2.0)) @ turn.T
        pi = inertia.from_com(3.0, np.zeros(3), np.trace(second) * np.eye(3) - second)
        return inertia.translate(pi, (0.1, 0.2, 0.3))

    found = _physical(plate(-1e-6), (0.0, 1e-5), False)
    np.testing.assert_allclose(found, plate(0.0), rtol=1e-12, atol=1e-14)
    with pytest.raises(ModelError, match="no body has its inertia"):
        _physical(plate(-1e-4), (0.0, 1e-5), False)
