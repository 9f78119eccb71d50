"""Denavit-Hartenberg tables: hand-computed kinematics, screws, and published robots."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jounce import from_dh
from jounce.errors import ModelError, ModelWarning
from jounce.formulas import dynamics
from jounce.formulas.kinematics import frame_pose
from jounce.io import from_screws, placement
from jounce.model.links import move_inertia
from jounce.model.model import Model
from jounce.model.tree import lower
from support.helpers import assert_close, objects, quiet_read
from support.robots import random_inertia, random_pose
from support.urdf_files import good_files

#: Standard table (a, alpha, d, theta), link data about the centers of mass, and motors of the
#: Puma 560, as Corke and Armstrong-Helouvry (1994) collected them.
PUMA = {
    "rows": [
        (0.0, np.pi / 2, 0.0, 0.0),
        (0.4318, 0.0, 0.0, 0.0),
        (0.0203, -np.pi / 2, 0.15005, 0.0),
        (0.0, np.pi / 2, 0.4318, 0.0),
        (0.0, -np.pi / 2, 0.0, 0.0),
        (0.0, 0.0, 0.0, 0.0),
    ],
    "mass": (0.0, 17.4, 4.8, 0.82, 0.34, 0.09),
    "com": (
        (0.0, 0.0, 0.0),
        (-0.3638, 0.006, 0.2275),
        (-0.0203, -0.0141, 0.07),
        (0.0, 0.019, 0.0),
        (0.0, 0.0, 0.0),
        (0.0, 0.0, 0.032),
    ),
    "inertia": [
        np.diag(moments)
        for moments in (
            (0.0, 0.35, 0.0),
            (0.13, 0.524, 0.539),
            (0.066, 0.086, 0.0125),
            (1.8e-3, 1.3e-3, 1.8e-3),
            (0.3e-3, 0.4e-3, 0.3e-3),
            (0.15e-3, 0.15e-3, 0.04e-3),
        )
    ],
    "joints": [
        {"armature": rotor * gear**2}
        for rotor, gear in (
            (200e-6, -62.6111),
            (200e-6, 107.815),
            (200e-6, -53.7063),
            (33e-6, 76.0364),
            (33e-6, 71.923),
            (33e-6, 76.686),
        )
    ],
}


def puma() -> Model:
    with pytest.warns(ModelWarning, match="triangle"):  # link 1 was only measured about its axis
        return from_dh(**PUMA, name="puma560", tool=np.eye(4))


def pose(model: Model, q: Any, frame: str = "tool") -> np.ndarray:
    return frame_pose(lower(model), objects(q), model.frame_index(frame)).astype(float)


# ------------------------------------------------------------------ published numbers


def test_puma_reproduces_published_results() -> None:
    """Poses, gravity torques and inertia as printed (four digits) in Corke's textbook."""
    model = puma()
    tree = lower(model)
    zero, nominal = np.zeros(6), np.array((0.0, np.pi / 4, np.pi, 0.0, np.pi / 4, 0.0))
    half = 0.5e-4
    assert np.abs(pose(model, zero)[:3, 3] - (0.4521, -0.15005, 0.4318)).max() < half
    assert np.abs(pose(model, zero)[:3, :3] - np.eye(3)).max() < half
    assert np.abs(pose(model, nominal)[:3, 3] - (0.5963, -0.15005, -0.0144)).max() < half
    g = dynamics.gravity_forces(tree, objects(nominal)).astype(float)
    assert np.abs(g - (0, 31.6399, 6.0351, 0, 0.0283, 0)).max() < half
    g = dynamics.gravity_forces(tree, objects(zero)).astype(float)
    assert np.abs(g - (0, 37.4837, 0.2489, 0, 0, 0)).max() < half
    M = dynamics.mass_matrix(tree, objects(nominal)).astype(float)
    expected = np.diag((3.6594, 4.4137, 0.9378, 0.1925, 0.1713, 0.1941))
    for i, j, value in ((0, 1, -0.4044), (0, 2, 0.1006), (0, 3, -0.0025), (1, 2, 0.3509)):
        expected[i, j] = expected[j, i] = value
    for i, j, value in ((1, 4, 0.0024), (2, 4, 0.0015)):
        expected[i, j] = expected[j, i] = value
    assert np.abs(M - expected).max() < half


def test_panda_from_its_modified_table_is_its_urdf() -> None:
    """Franka's published modified table gives the poses of its URDF."""
    a = (0.0, 0.0, 0.0, 0.0825, -0.0825, 0.0, 0.088)
    alpha = np.array((0, -1, 1, 1, -1, 1, 1)) * np.pi / 2
    d = (0.333, 0.0, 0.316, 0.0, 0.384, 0.0, 0.0)
    rows = np.column_stack((a, alpha, d, np.zeros(7)))
    flange = placement((0, 0, 0.107))
    model = from_dh(rows, convention="modified", parameters=np.zeros((7, 10)), tool=flange)
    paths = [path for path in good_files() if path.name == "panda.urdf"]
    if not paths:
        pytest.skip("example-robot-data is not installed")
    urdf = quiet_read(paths[0], "fixed")
    q = np.random.default_rng(0).uniform(-1.0, 1.0, 7)
    full = np.concatenate((q, np.zeros(urdf.nq - 7)))
    # the URDF writes right angles as 1.57079632679
    assert_close(pose(model, q), pose(urdf, full, "panda_link8"), 1e-10)
    for i in range(7):
        here, there = pose(model, q, f"link{i + 1}"), pose(urdf, full, f"panda_link{i + 1}")
        assert_close(here, there, 1e-10)


# ------------------------------------------------------------------ by hand


def turn(axis: str, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    R = {"x": ((1, 0, 0), (0, c, -s), (0, s, c)), "z": ((c, -s, 0), (s, c, 0), (0, 0, 1))}[axis]
    T = np.eye(4)
    T[:3, :3] = R
    return T


def shift(axis: str, x: float) -> np.ndarray:
    T = np.eye(4)
    T["xyz".index(axis), 3] = x
    return T


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_poses_are_the_products_of_the_table(convention: str) -> None:
    rng = np.random.default_rng(0)
    rows, kinds = rng.uniform(-1.5, 1.5, (5, 4)), "RPRPR"
    offset, q = rng.normal(size=(2, 5))
    origin, tool = random_pose(rng), random_pose(rng)
    model = from_dh(
        rows,
        convention=convention,
        kinds=kinds,
        offset=offset,
        parameters=np.zeros((5, 10)),
        origin=origin,
        tool=tool,
    )
    assert [j.kind for j in model.joints] == ["revolute", "prismatic"] * 2 + ["revolute"]
    T = origin
    for i, (a, alpha, d, theta) in enumerate(rows):
        x = q[i] + offset[i]
        theta, d = (theta + x, d) if kinds[i] == "R" else (theta, d + x)
        about_z, about_x = turn("z", theta) @ shift("z", d), turn("x", alpha) @ shift("x", a)
        T = T @ (about_z @ about_x if convention == "standard" else about_x @ about_z)
        assert_close(pose(model, q, f"link{i + 1}"), T)
    assert_close(pose(model, q), T @ tool)


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_dynamics_equal_those_of_screws(convention: str) -> None:
    """The same robot through screws in the base frame, with inertias given in the table's frames.

    In the standard convention joint i is about z of frame i - 1, in the modified one of frame i.
    """
    rng = np.random.default_rng(1)
    n, kinds = 5, ("revolute", "prismatic", "revolute", "revolute", "prismatic")
    rows = rng.uniform(-1.5, 1.5, (n, 4))
    inertias = np.array([random_inertia(rng) for _ in range(n)])
    model = from_dh(rows, convention=convention, kinds=kinds, parameters=inertias)
    frames = [np.eye(4), *(pose(model, np.zeros(n), f"link{i + 1}") for i in range(n))]
    X = []
    for i, kind in enumerate(kinds):
        T = frames[i if convention == "standard" else i + 1]
        z, p = T[:3, 2], T[:3, 3]
        X.append((*z, *np.cross(p, z)) if kind == "revolute" else (0, 0, 0, *z))
    masses = [move_inertia(pi, T) for pi, T in zip(inertias, frames[1:], strict=True)]
    screws = from_screws(X, [np.eye(4)] * n, parameters=masses)
    state = [objects(x) for x in rng.normal(size=(3, n))]
    tau = dynamics.inverse_dynamics(lower(model), *state)
    assert_close(tau, dynamics.inverse_dynamics(lower(screws), *state))


def test_both_conventions_of_one_planar_arm() -> None:
    """The standard frames of a planar arm are at its links' ends, the modified ones at roots."""
    L1, L2, m = 0.7, 0.4, (2.0, 3.0)
    ends = from_dh(
        [{"a": L1}, {"a": L2}], mass=m, com=np.zeros((2, 3)), inertia=np.zeros((2, 3, 3))
    )
    roots = from_dh(
        [{}, {"a": L1}],
        convention="modified",
        mass=m,
        com=((L1, 0, 0), (L2, 0, 0)),
        inertia=np.zeros((2, 3, 3)),
        tool=placement((L2, 0, 0)),
    )
    q = np.array((0.3, 0.8))
    c = L1 * L2 * np.cos(q[1])
    m11 = m[0] * L1**2 + m[1] * (L1**2 + L2**2 + 2 * c)
    M = ((m11, m[1] * (L2**2 + c)), (m[1] * (L2**2 + c), m[1] * L2**2))
    for model in (ends, roots):
        assert_close(dynamics.mass_matrix(lower(model), objects(q)), M)
    tip = L1 * np.cos(0.3) + L2 * np.cos(1.1), L1 * np.sin(0.3) + L2 * np.sin(1.1), 0.0
    assert_close(pose(ends, q, "link2")[:3, 3], tip)
    assert_close(pose(roots, q)[:3, 3], tip)


def test_options_reach_the_joints() -> None:
    model = from_dh(
        [(0, 0, 0, 0)] * 2,
        parameters=np.zeros((2, 10)),
        joints=[{"lower": -1, "upper": 2, "damping": 3}, {}],
        names=["a", "b"],
        name="r",
        gravity=(1, 2, 3),
    )
    assert (model.joints[0].lower, model.joints[0].upper, model.joints[0].damping) == (-1, 2, 3)
    assert [b.name for b in model.bodies] == ["a", "b"]
    assert (model.name, model.source) == ("r", "dh")
    np.testing.assert_array_equal(model.gravity, (1, 2, 3))
    with pytest.warns(ModelWarning, match="massless"):
        assert (
            from_dh(
                [(0, 0, 0, 0)],
                parameters=[random_inertia(np.random.default_rng(0))],
                base="floating",
            ).nv
            == 7
        )


BAD = {
    "convention": ({"convention": "craig"}, "convention: expected one of standard, modified"),
    "short row": ({"rows": [(0, 0, 0)] * 2}, r"rows\[0\] \(a, alpha, d, theta\): .*\(4,\)"),
    "key": ({"rows": [{}, {"A": 1}]}, r"rows\[1\]: unknown 'A'; did you mean 'a'"),
    "word": ({"rows": [(0, 0, 0, 0), (0, "x", 0, 0)]}, r"rows\[1\]"),
    "nan": ({"rows": [(0, 0, 0, np.nan)] * 2}, r"rows\[0\].*finite"),
    "kinds": ({"kinds": "R"}, "kinds: expected 2 kinds, found 1"),
    "kind": ({"kinds": "RX"}, "kinds: expected revolute .*found 'X'"),
    "offset": ({"offset": (0,)}, r"offset: expected shape \(2,\)"),
    "origin": ({"origin": np.eye(3)}, r"origin: expected shape \(4, 4\)"),
    "joints": ({"joints": [{}]}, "joints: expected a list of 2 mappings"),
    "option": ({"joints": [{}, {"lowest": 1}]}, "unknown option 'lowest'"),
    "inertia": (
        {"parameters": None, "mass": (1, 1)},
        r"expected either mass \(2,\), .*; found mass without com and inertia",
    ),
    "skew": (
        {
            "parameters": None,
            "mass": (1, 1),
            "com": np.zeros((2, 3)),
            "inertia": [np.eye(3), np.arange(9.0).reshape(3, 3)],
        },
        r"inertia\[1\]: .*expected a symmetric matrix",
    ),
    "no rows": ({"rows": None}, r"rows: expected one row \(a, alpha, d, theta\) per joint, found"),
    "facts": ({"joints": [3, 4]}, "joints: expected a list of 2 mappings"),
    "names": ({"names": ["a"]}, "names: expected 2 names"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_tables(case: str) -> None:
    change, message = BAD[case]
    good: dict[str, Any] = {"rows": [(0, 0, 0, 0)] * 2, "parameters": np.zeros((2, 10))}
    with pytest.raises(ModelError, match=message):
        from_dh(**{**good, **change})
