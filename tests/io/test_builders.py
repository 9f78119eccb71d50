"""Models from code, from screws and from the gallery."""

from __future__ import annotations

import re

import numpy as np
import pytest

from jounce.errors import ModelError, ModelWarning
from jounce.export.pinocchio import PinocchioMap, parameters_to_pinocchio, to_pinocchio
from jounce.io import TreeBuilder, from_screws, gallery, inertia_from_com, placement, read
from jounce.io.gallery import gallery_data, planar_2r
from jounce.math.lie import exp_se3
from jounce.model.joints import KINDS
from jounce.model.model import Mimic, Model

ABOUT_COM = np.array(((0.3, 0.01, -0.02), (0.01, 0.25, 0.03), (-0.02, 0.03, 0.2)))


def test_placement_is_yaw_pitch_roll() -> None:
    r, p, y = 0.3, -0.7, 1.1
    Rx = np.array(((1, 0, 0), (0, np.cos(r), -np.sin(r)), (0, np.sin(r), np.cos(r))))
    Ry = np.array(((np.cos(p), 0, np.sin(p)), (0, 1, 0), (-np.sin(p), 0, np.cos(p))))
    Rz = np.array(((np.cos(y), -np.sin(y), 0), (np.sin(y), np.cos(y), 0), (0, 0, 1)))
    T = placement((1, 2, 3), (r, p, y))
    np.testing.assert_allclose(T[:3, :3], Rz @ Ry @ Rx, atol=1e-16)
    np.testing.assert_array_equal(T[:, 3], (1, 2, 3, 1))
    np.testing.assert_array_equal(placement(), np.eye(4))


def test_inertia_from_com_is_steiner() -> None:
    c = np.array((0.1, -0.2, 0.3))
    pi = inertia_from_com(2.0, c, ABOUT_COM)
    J = ABOUT_COM + 2.0 * (c @ c * np.eye(3) - np.outer(c, c))
    expected = (2.0, *(2.0 * c), J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])
    np.testing.assert_allclose(pi, expected, rtol=1e-15)
    pin = pytest.importorskip("pinocchio")
    theirs = pin.Inertia(2.0, c, ABOUT_COM).toDynamicParameters()
    np.testing.assert_allclose(parameters_to_pinocchio(pi), theirs, rtol=1e-14)
    with pytest.raises(ModelError, match="expected a symmetric matrix"):
        inertia_from_com(1.0, c, np.arange(9).reshape(3, 3))


def every_kind() -> Model:
    """A tree with every joint kind, fixed links, a mimic and branches out of depth-first order."""
    builder = TreeBuilder("zoo", gravity=(0.1, -9.0, 2.0)).add("root", "fixed", xyz=(0, 0, 1))
    parents = ["root", "root"]
    for i, kind in enumerate(KINDS):
        builder.add(
            kind,
            kind,
            parents[i],
            xyz=(0.1 * i, 0.2, -0.3),
            rpy=(0.1, 0.2 * i, 0.3),
            mass=1.0 + i,
            com=(0.1, 0.02 * i, -0.1),
            inertia_com=ABOUT_COM,
            pitch=0.1 if kind == "helical" else 0.0,
            axis2=(0, 1, 0.2),
            **({} if kind == "planar" else {"axis": (1, 0.5, 0.2), "point": (0.1, 0.2, 0.3)}),
        )
        parents.append(kind)
    builder.add("nose", "fixed", "free", placement=placement((0, 1, 0), (1, 0, 0)), mass=0.5)
    builder.add("follower", "revolute", "nose", mimic=("revolute_joint", 2.0, 0.1), mass=1.0)
    return builder.frame("tip", "nose", placement((0, 0, 1))).build()


def test_builder_merges_and_seats() -> None:
    model = every_kind()
    assert [j.name for j in model.joints] == [f"{name}_joint" for name in (*KINDS, "follower")]
    assert [f.name for f in model.frames] == ["root", *KINDS, "nose", "follower", "tip"]
    assert [j.parent for j in model.joints] == [-1, -1, 0, 1, 2, 3, 4, 5, 7]
    assert model.bodies[7].inertia[0] == 8.5
    np.testing.assert_array_equal(model.joints[8].placement, placement((0, 1, 0), (1, 0, 0)))
    tip = model.frames[model.frame_index("tip")]
    np.testing.assert_allclose(
        tip.placement, placement((0, 1, 0), (1, 0, 0)) @ placement((0, 0, 1))
    )
    assert model.nv == 1 + 1 + 1 + 2 + 2 + 3 + 3 + 6


def test_every_kind_goes_to_pinocchio_and_back() -> None:
    pin = pytest.importorskip("pinocchio")
    model = every_kind()
    theirs = to_pinocchio(model)
    maps = PinocchioMap(model, theirs)
    rng = np.random.default_rng(0)
    q = rng.normal(size=(5, model.nq))
    np.testing.assert_allclose(
        np.cos(maps.q_from_pinocchio(maps.q_to_pinocchio(q))), np.cos(q), atol=1e-15
    )
    v = rng.normal(size=(5, model.nv))
    np.testing.assert_array_equal(maps.v_from_pinocchio(maps.v_to_pinocchio(v)), v)
    masses = sum(inertia.mass for inertia in theirs.inertias)
    assert masses == pytest.approx(model.parameters[:, 0].sum(), rel=1e-14)
    q_pin = pin.randomConfiguration(theirs, -np.ones(theirs.nq), np.ones(theirs.nq))
    M = pin.crba(theirs, theirs.createData(), q_pin)
    M = maps.matrix_from_pinocchio(np.triu(M) + np.triu(M, 1).T)
    assert M.shape == (model.nv, model.nv)
    assert np.linalg.eigvalsh(M)[0] > 0


BAD_LINKS = {
    "twice": ({"link": "a"}, "'a' already exists"),
    "nameless": ({"link": ""}, "a link needs a name, found ''"),
    "number": ({"link": 3}, "a link needs a name, found 3"),
    "matrix": ({"inertia": np.eye(3)}, "expected ten parameters .*found a matrix; .* inertia_com"),
    "kind": ({"kind": "hinge"}, "link 'b': unknown kind 'hinge'; choose one of revolute"),
    "parent": ({"parent": "x"}, "link 'b': no link 'x' was added before; choose one of a"),
    "option": ({"mas": 1}, "link 'b': unknown option 'mas'; choose one of axis, axis2"),
    "fixed": ({"kind": "fixed", "axis": (0, 0, 1)}, "link 'b': a fixed joint takes no"),
    "poses": ({"placement": np.eye(4), "xyz": (0, 0, 0)}, "link 'b': give either placement"),
    "pose": ({"placement": np.eye(3)}, r"link 'b': placement: expected shape \(4, 4\)"),
    "mirror": ({"placement": np.diag((-1, 1, 1, 1))}, "'b_joint': placement.*not a rotation"),
    "xyz": ({"xyz": (0, 1)}, r"xyz: expected shape \(3,\)"),
    "masses": ({"inertia": np.zeros(10), "mass": 1}, "link 'b': give either inertia or mass"),
    "no mass": ({"com": (0, 0, 1)}, "link 'b': com and inertia_com need a mass"),
    "negative": ({"mass": -1}, "link 'b': mass must not be negative"),
    "nan": ({"mass": np.nan}, "link 'b': inertia: expected finite"),
    "skew": (
        {"mass": 1, "inertia_com": np.arange(9).reshape(3, 3)},
        "link 'b': .*a symmetric matrix",
    ),
    "inertia": ({"inertia": (1, 2)}, r"link 'b': inertia: expected shape \(10,\)"),
    "axis": ({"axis": (0, 0, 0)}, "joint 'b_joint': axis: the axis is zero"),
}


@pytest.mark.parametrize("case", BAD_LINKS)
def test_builder_names_the_culprit(case: str) -> None:
    change, message = BAD_LINKS[case]
    builder = TreeBuilder("r").add("a", "revolute")
    with pytest.raises(ModelError, match=message):
        builder.add(**{"link": "b", "kind": "revolute", "parent": "a", **change})


def test_builder_frames_and_mimics() -> None:
    builder = TreeBuilder("r").add("a", "revolute").add("b", "prismatic", "a", mimic="a_joint")
    builder.add("c", "revolute", "b", mimic=Mimic("a_joint", 3.0))
    with pytest.raises(ModelError, match="called 'a'"):
        builder.frame("a", "b")
    with pytest.raises(ModelError, match=r"frame 'f': no link 'x'.*a, b, c"):
        builder.frame("f", "x")
    assert builder.frame("world").build().nv == 1
    with pytest.raises(ModelError, match="'d_joint' mimics 'x'"):
        builder.add("d", "revolute", mimic=("x", 1.0)).build()


# ------------------------------------------------------------------ screws


def screws() -> tuple[np.ndarray, np.ndarray]:
    """Random revolute, helical and prismatic screws off the origin, and home placements."""
    rng = np.random.default_rng(3)
    X = np.zeros((4, 6))
    for i, pitch in enumerate((0.0, 0.3, None, 0.0)):
        e, y = rng.normal(size=3), rng.normal(size=3)
        e /= np.linalg.norm(e)
        X[i] = (0, 0, 0, *e) if pitch is None else (*e, *(np.cross(y, e) + pitch * e))
    B = np.stack([placement(rng.normal(size=3), rng.normal(size=3)) for _ in range(4)])
    return X, B


@pytest.mark.parametrize("parents", [None, [-1, 0, 0, 1]])
def test_screws_are_the_product_of_exponentials(parents: list[int] | None) -> None:
    pin = pytest.importorskip("pinocchio")
    X, B = screws()
    model = from_screws(X, B, parameters=np.tile((1.0, *np.zeros(9)), (4, 1)), parents=parents)
    assert [j.kind for j in model.joints] == ["revolute", "helical", "prismatic", "revolute"]
    theirs = to_pinocchio(model)
    maps, data = PinocchioMap(model, theirs), theirs.createData()
    q = np.random.default_rng(4).normal(size=4)
    pin.framesForwardKinematics(theirs, data, maps.q_to_pinocchio(q))
    C: list[np.ndarray] = []
    for i, parent in enumerate(parents or [-1, 0, 1, 2]):
        E = np.eye(4)
        E[:3, :3], E[:3, 3] = exp_se3(X[i], q[i])
        C.append((C[parent] if parent >= 0 else np.eye(4)) @ B[i] @ E)
        found = data.oMf[theirs.getFrameId(f"link{i + 1}")].homogeneous
        np.testing.assert_allclose(found, C[i], atol=1e-14)


def test_screw_names_frames_and_both_inertias() -> None:
    X, B = screws()
    mass, com = np.arange(1.0, 5.0), np.ones((4, 3))
    about = np.tile(ABOUT_COM, (4, 1, 1))
    first = from_screws(X, B, mass=mass, com=com, inertia=about, names=list("abcd"), tool=B[0])
    second = from_screws(X, B, parameters=first.parameters, names=["base", "x", "y", "z"])
    np.testing.assert_array_equal(first.parameters, second.parameters)
    assert [f.name for f in first.frames] == ["base", "a", "b", "c", "d", "tool"]
    assert [f.name for f in second.frames] == ["root", "base", "x", "y", "z"]
    assert [j.name for j in first.joints] == ["joint1", "joint2", "joint3", "joint4"]


BAD_SCREWS = {
    "long": ({"X": [(0, 0, 1, 0, 0, 0), (0, 0, 1.1, 0, 0, 0)]}, r"X\[1\]: .*\|omega\| = 1.1,"),
    "zero": ({"X": [(0, 0, 1, 0, 0, 0), (0, 0, 0, 0, 0, 0)]}, r"X\[1\]: .*\|v\| = 0"),
    "slide": ({"X": [(0, 0, 1, 0, 0, 0), (0, 0, 0, 0, 0, 2)]}, r"X\[1\]: .*\|v\| = 2"),
    "nan": ({"X": np.full((2, 6), np.nan)}, "X: expected finite"),
    "shape": ({"X": np.zeros(6)}, r"X: expected one screw per joint, shape \(n, 6\), found \(6,\)"),
    "B": ({"B": np.eye(4)}, r"B: expected shape \(2, 4, 4\)"),
    "mirror": ({"B": -np.stack([np.eye(4)] * 2)}, "'joint1': placement.*not a rotation"),
    "parents": ({"parents": [0, 0]}, r"parents\[0\]: expected -1"),
    "few parents": ({"parents": [-1]}, "parents: expected 2 indices, found 1"),
    "names": ({"names": ["a"]}, "names: expected 2 names, found 1"),
    "same names": ({"names": ["a", "a"]}, "link 'a' already exists"),
    "part": ({"parameters": None, "mass": (1, 1)}, r"parameters \(2, 10\); found mass without com"),
    "both": ({"mass": (1, 1)}, "found mass together with parameters; omit it, or parameters"),
    "parent's name": ({"parents": [-1, "link1"]}, r"parents\[1\]: expected -1 .*found 'link1'"),
    "parameters": ({"parameters": np.zeros((2, 9))}, r"parameters: expected shape \(2, 10\)"),
}


@pytest.mark.parametrize("case", BAD_SCREWS)
def test_bad_screws(case: str) -> None:
    change, message = BAD_SCREWS[case]
    good = {
        "X": [(0, 0, 1, 0, 0, 0)] * 2,
        "B": np.stack([np.eye(4)] * 2),
        "parameters": np.zeros((2, 10)),
    }
    with pytest.raises(ModelError, match=message):
        from_screws(**{**good, **change})


# ------------------------------------------------------------------ gallery

#: Not arms, or from a file; they have tests of their own.
OTHERS = ("kuka_iiwa14", "quadruped", "toro25", "four_bar", "five_bar", "stewart")


@pytest.mark.filterwarnings("ignore::jounce.errors.ModelWarning")
@pytest.mark.parametrize("name", [n for n in gallery() if n not in OTHERS])
def test_gallery_robots(name: str) -> None:
    model = read(name)
    assert model.name == name
    assert model.frames[-1].name == "tool"
    assert model.frames[-1].body == model.nb - 1
    assert "\n" not in gallery()[name]
    np.testing.assert_array_equal(read(name, gravity=(1, 2, 3)).gravity, (1, 2, 3))
    if name == "kuka_iiwa14":  # whose file knows the base
        floating = read(name, base="floating")
    else:
        with pytest.warns(ModelWarning, match="massless"):
            floating = read(name, base="floating")
    assert floating.joints[0].kind == "free"
    assert floating.nv == model.nv + 6
    assert [f.name for f in floating.frames] == [f.name for f in model.frames]


@pytest.mark.filterwarnings("ignore::jounce.errors.ModelWarning")
def test_kuka_reproduces_the_published_torques() -> None:
    """Q = M a + C v + g + J^T W along the paper's trajectory (inertia about the CoM, Steiner)."""
    pin = pytest.importorskip("pinocchio")
    data, model = gallery_data("iiwa14_mueller_kumar2021"), read("iiwa14_mueller_kumar2021")
    theirs = to_pinocchio(model)
    work = theirs.createData()
    amp, w = (np.array(data["trajectory"][key]) for key in ("amp", "omega"))
    for row in data["reference"]:
        t = row["t"]
        q, v, a = amp * np.cos(w * t), -amp * w * np.sin(w * t), -amp * w**2 * np.cos(w * t)
        Q = pin.rnea(theirs, work, q, v, a)
        if row["ext_wrench"]:
            J = pin.computeJointJacobian(theirs, theirs.createData(), q, 7)
            Q = Q + J.T @ np.full(6, 10 * np.sin(np.pi * t))
        np.testing.assert_allclose(Q, row["Q"], rtol=1e-11, atol=1e-11)


def test_planar_2r_is_the_textbook_one() -> None:
    pin = pytest.importorskip("pinocchio")
    L1, L2, m1, m2 = 0.7, 0.4, 2.0, 3.0
    theirs = to_pinocchio(planar_2r(L1, L2, m1, m2))
    q = np.array((0.3, 0.8))
    M = pin.crba(theirs, theirs.createData(), q)
    c = L1 * L2 * np.cos(q[1])
    m11 = m1 * L1**2 + m2 * (L1**2 + L2**2 + 2 * c)
    m12 = m2 * (L2**2 + c)
    np.testing.assert_allclose(np.triu(M), ((m11, m12), (0, m2 * L2**2)), rtol=1e-14)
    g = pin.computeGeneralizedGravity(theirs, theirs.createData(), q)
    g2 = m2 * 9.81 * L2 * np.cos(q.sum())
    np.testing.assert_allclose(g, ((m1 + m2) * 9.81 * L1 * np.cos(q[0]) + g2, g2), rtol=1e-14)


def test_gallery_data_names_its_choices() -> None:
    with pytest.raises(
        ModelError, match=re.escape("'ur5'; choose one of iiwa14_mueller_kumar2021, franka")
    ):
        gallery_data("ur5")
