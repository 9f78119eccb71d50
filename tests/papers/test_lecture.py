"""The lecture on one rigid body beside our inertias; heights; bodies of the papers and ours."""

from __future__ import annotations

import importlib
import re
from itertools import product
from typing import Any

import numpy as np
import pytest

from jounce import papers
from jounce.math.scalar import array
from jounce.math.spatial import ad
from jounce.model import inertia
from jounce.model.model import Model
from jounce.papers import common, garofalo2013, lagrange, mueller_kumar2021, rigid_body
from jounce.papers.jain_rodriguez import spatial_operators
from support import PROJECT
from support.case import Case
from support.helpers import chain, close, numbers, objects, quiet_read
from support.robots import ALL_KINDS, SINGLE, random_inertia, random_model


def _box(m: float, *edges: float) -> tuple[list[float], list[np.ndarray]]:
    """Masses and points that integrate squares over a box exactly: Gauss's, two along each edge."""
    points = [
        objects(np.array(signs) * np.array(edges) / np.sqrt(12.0))
        for signs in product((-1.0, 1.0), repeat=3)
    ]
    return [m / 8.0] * 8, points


def test_inertia_matrix_is_an_integral() -> None:
    """-int [r]^2 dm, by its entries, of a solid, and of what our own parameters say."""
    masses, points = _box(3.0, 0.5, 0.3, 0.2)
    I = rigid_body.inertia_of(masses, points)
    close(I, rigid_body.box_inertia(3.0, 0.5, 0.3, 0.2))
    rng = np.random.default_rng(7)
    masses = rng.uniform(0.1, 1.0, 6).tolist()
    points = [objects(x) for x in rng.normal(size=(6, 3))]
    I = rigid_body.inertia_of(masses, points)
    close(I, rigid_body.inertia_entries(masses, points))
    ours = inertia.compose(
        *(inertia.point_mass(m, numbers(x)) for m, x in zip(masses, points, strict=True))
    )
    close(I, inertia.spatial_inertia(ours)[:3, :3])
    w = objects(rng.normal(size=3))
    moving = sum(0.5 * m * np.sum(np.cross(w, r) ** 2) for m, r in zip(masses, points, strict=True))
    close(rigid_body.rotational_energy(I, w), moving, "1/2 int |w x r|^2 dm")


def test_diagonalization() -> None:
    """Eigenvectors are the principal axes, where Euler's equations part; ours are the same."""
    rng = np.random.default_rng(8)
    pi = random_inertia(rng)
    I = objects(inertia.about_com(pi).inertia)
    moments, R = rigid_body.principal_axes(I)
    close(R.T @ R, np.eye(3))
    close(np.linalg.det(numbers(R)), 1.0)
    assert 0.0 < moments[0] <= moments[1] <= moments[2]
    close(I @ R, R * moments, "I v = lambda v")
    close(rigid_body.rotated_inertia(I, R), np.diag(numbers(moments)))
    close(sorted(numbers(moments)), sorted(inertia.principal(pi).moments))
    w, wd = (objects(rng.normal(size=3)) for _ in range(2))
    moment, _ = rigid_body.body_moment_and_force(I, 1.0, w, 0 * w, wd, 0 * w)
    close(rigid_body.principal_axes_moment(moments, R.T @ w, R.T @ wd), R.T @ moment)


def test_bracket_of_twists() -> None:
    """As the cross product: antisymmetric, Jacobi's identity, and how screws move."""
    A, B, C = (objects(x) for x in np.random.default_rng(9).normal(size=(3, 6)))
    bracket = rigid_body.bracket
    close(rigid_body.bracket_matrix(A), ad(A), "the other floor")
    close(bracket(A, B)[:3], np.cross(A[:3], B[:3]))
    close(bracket(A, B)[3:], np.cross(A[3:], B[:3]) + np.cross(A[:3], B[3:]))
    close(bracket(A, B), -bracket(B, A))
    close(bracket(A, A), np.zeros(6))
    jacobi = [bracket(x, bracket(y, z)) for x, y, z in ((A, B, C), (B, C, A), (C, A, B))]
    close(sum(jacobi), np.zeros(6))


def test_compound_body_of_the_lecture() -> None:
    """2 kg and 1 kg: {b} lies a third of the way, and Steiner's terms are 2/3 d^2 across it."""
    r, h, prism, d = 0.2, 0.6, (0.8, 0.1, 0.15), 0.6
    whole = rigid_body.cylinder_and_prism((r, h), prism, d)
    assert whole.m == 3.0
    close(whole.center, (d / 3, 0.0, 0.0))
    I = rigid_body.cylinder_inertia(2.0, r, h) + rigid_body.box_inertia(1.0, *prism)
    close(whole.inertia, I + np.diag((0.0, 2 / 3 * d * d, 2 / 3 * d * d)))
    ours = inertia.compose(
        inertia.cylinder(r, h, mass=2.0),
        inertia.translate(inertia.box(prism, mass=1.0), (d, 0.0, 0.0)),
    )
    mass, com, about = inertia.about_com(ours)
    close(whole.m, mass)
    close(whole.center, com)
    close(whole.inertia, about)


# ------------------------------------------------------------------ heights


def test_heights_of_the_examples() -> None:
    """What the energy of a fixed axis cannot move is still its height: m2 g l2 sin(phi)."""
    (m1, m2), (l1, l2), g, phi = (1.5, 0.7), (0.6, 0.4), 9.81, 0.4
    q = array((0.3,))
    tree = lagrange.bent_link_tree((m1, m2), (l1, l2), phi, g)
    close(lagrange.potential_energy(tree, q), m2 * g * l2 * np.sin(phi))
    tree = lagrange.bent_link_upright_tree((m1, m2), (l1, l2), phi, g)
    high = (m1 + m2) * l1 * np.sin(0.3) + m2 * l2 * np.sin(0.3 + phi)
    close(lagrange.potential_energy(tree, q), g * high)
    q = array((0.3, 0.5))
    tree = lagrange.planar_2r_tree((m1, m2), (l1, l2), g)
    high = (m1 + m2) * l1 * np.sin(0.3) + m2 * l2 * np.sin(0.8)
    close(lagrange.potential_energy(tree, q), g * high)
    tree = lagrange.planar_rp_tree((m1, m2), (0.1, 0.2), l1, g)
    close(lagrange.potential_energy(tree, q), g * (m1 * l1 + m2 * 0.5) * np.sin(0.3))
    tree = lagrange.cartesian_ppp_tree((m1, m2, 0.5), g)
    high = (m1 + m2 + 0.5) * 0.3
    close(lagrange.potential_energy(tree, array((0.3, 0.5, 0.7))), g * high)


# ------------------------------------------------------------------ whose Jacobian is J_k

MODELS: dict[str, Model] = {
    "branching": random_model(np.random.default_rng(1), 6, SINGLE),
    "mimic": random_model(np.random.default_rng(2), 4, SINGLE, mimic=True),
    "every kind": random_model(np.random.default_rng(3), len(ALL_KINDS)),
    "floating": chain(("free", "universal", "revolute")),
    "kuka": quiet_read("iiwa14_mueller_kumar2021"),
}


@pytest.mark.parametrize("name", list(MODELS))
def test_jacobians_of_the_papers_are_those_of_frames(name: str) -> None:
    """J_k and its rate, and the twists, carried from the nodes to the robot's own body frames."""
    case = Case(MODELS[name])
    tree, q, v, _ = case.state
    nodes = garofalo2013.body_jacobians(tree, q)
    found: Any = common.at_bodies(tree, nodes)
    rates = common.at_bodies(tree, garofalo2013.jacobian_rates(tree, q, v))
    twists = common.at_bodies(tree, garofalo2013.body_twists(tree, q, v))
    stacked = mueller_kumar2021.system_jacobian(tree, q)
    same = common.at_bodies(tree, stacked.reshape(len(tree.nodes), 6, tree.nv))
    for b, body in enumerate(case.model.bodies):
        close(found[b], case.value("jacobian", body.name), body.name)
        close(same[b], found[b], f"{body.name}, stacked")
        close(rates[b], case.value("jacobian.dt", body.name), f"{body.name}, rate")
        close(twists[b], case.value("twist", body.name), f"{body.name}, twist")
    if all(node.gain == 1.0 for node in tree.nodes):  # Jain's, in the axes of the world
        o = spatial_operators(case.robot, case.at["q"])
        turned = (o.phi.T @ o.H.T).dense().reshape(len(tree.nodes), 6, tree.nv)
        for (R, _), J, J_k in zip(common.poses(tree, q), turned, nodes, strict=True):
            close(common.block_diagonal((R, R)).T @ J, J_k, "phi^T H^T")
    tip = case.model.bodies[-1].name
    close(found[-1], case.robot.frame(tip).jacobian(case.at["q"]), "compiled")


def test_page_on_the_papers() -> None:
    """docs/theory/papers.md knows every module and every correction, and its first cell runs."""
    page = (PROJECT / "docs" / "theory" / "papers.md").read_text("utf-8")
    cell = re.search(r"```{code-cell} ipython3\n(.*?)```", page, re.DOTALL)
    assert cell is not None
    exec(compile(cell[1], "docs/theory/papers.md", "exec"), {})  # the others run at `make docs`
    for key, paper in papers.PAPERS.items():
        assert all(f"`{module}`" in page for module in (key, *paper.modules)), key
        notes = importlib.import_module(f"jounce.papers.{key}").__doc__ or ""
        for note in re.findall(r"Corrected.*?(?=\n\*|\n\n|\Z)", notes, re.DOTALL):
            for number in re.findall(r"\(\d[\d.]*[a-d]?\)", note):
                assert number in page, f"{key}: {number}"
