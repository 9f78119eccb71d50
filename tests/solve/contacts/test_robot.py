"""`robot.with_contact` and `robot.contacts`: what they take, refuse, keep and give."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.catalog.contacts import CONTACTED
from jounce.cli import main
from jounce.errors import ArgumentError, ModelError, ModelWarning
from jounce.model.constraints import CONTACTS
from jounce.robot import Robot
from jounce.solve.design import design_gradient
from support.helpers import assert_close


def hopper() -> Robot:
    """A trunk on a leg, with a toe."""
    builder = jounce.TreeBuilder("hopper")
    builder.add("trunk", "free", mass=8.0, inertia_com=np.diag((0.1, 0.2, 0.2)))
    builder.add(
        "thigh",
        "universal",
        "trunk",
        axis=(1, 0, 0),
        axis2=(0, 1, 0),
        mass=1.5,
        com=(0, 0, -0.2),
        inertia_com=np.diag((0.02, 0.02, 0.002)),
    )
    builder.add(
        "shank",
        "prismatic",
        "thigh",
        xyz=(0, 0, -0.4),
        mass=0.5,
        com=(0, 0, -0.1),
        inertia_com=np.diag((0.004, 0.004, 0.0004)),
    )
    return Robot(builder.build())


def arm() -> Robot:
    """Four joints, which are quick to compile."""
    builder, parent = jounce.TreeBuilder("arm"), None
    for k, axis in enumerate(np.eye(3)[[2, 1, 0, 1]]):
        options = {"mass": 1.0 + k, "com": (0.1, 0.0, 0.2), "inertia_com": 0.1 * np.eye(3)}
        builder.add(f"link{k}", "revolute", parent, xyz=(0.1, 0.2, 0.3), axis=axis, **options)
        parent = f"link{k}"
    return Robot(builder.build()).edit.with_contact(("link3", pose(0.0, 0.1, 0.4)), "point", "toe")


def pose(*xyz: float) -> np.ndarray:
    T = np.eye(4)
    T[:3, 3] = xyz
    return T


@pytest.fixture(scope="module")
def robot() -> Robot:
    toe = hopper().edit.with_contact(("shank", pose(0.0, 0.0, -0.3)), "point", "toe")
    return toe.edit.with_contact("trunk", "line", "belly", axis=(0.0, 2.0, 0.0))


# ------------------------------------------------------------------ models


def test_contacts_are_part_of_the_model(robot: Robot) -> None:
    toe, belly = robot.model.contacts
    assert (toe.name, toe.body, toe.kind, belly.kind) == ("toe", 2, "point", "line")
    assert_close(belly.placement[:3, 0], (0.0, 1.0, 0.0))
    assert np.linalg.det(belly.placement[:3, :3]) == pytest.approx(1.0)
    plain = hopper()
    assert not plain.model.contacts
    assert plain.model.digest() != robot.model.digest()
    assert plain.edit.with_contact("shank").model.contacts[0].name == "shank"


@pytest.mark.parametrize("axis", [(-1, 0, 0), (0, 0, 1), (0.3, -0.4, 0.5), (-1, 1e-13, 0)])
def test_axes_of_lines(axis: tuple[float, float, float]) -> None:
    placed = hopper().edit.with_contact("shank", "line", axis=axis).model.contacts[0].placement
    assert_close(placed[:3, 0], np.array(axis) / np.linalg.norm(axis))
    assert_close(placed[:3, :3] @ placed[:3, :3].T, np.eye(3))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("foot",), "contact 'foot': frame: .* no frame 'foot'; choose one of .*shank"),
        (("shank", "plane"), "unknown kind 'plane'; choose one of point, surface, line"),
        (("shank", "point", "toe"), "two contacts are called 'toe'"),
        (("world",), "contact 'world': its frame is fixed in the world"),
        (("shank", "line", "heel", (0, 0, 0)), "contact 'heel': axis"),
        (("shank", "surface", "heel", (0, 1, 0)), "only a line has an axis, this is a surface"),
        (((3, np.eye(4)),), "a name, or a name and a pose"),
        (("shank", "point", ""), "a contact needs a name"),
    ],
)
def test_wrong_contacts(robot: Robot, call: tuple, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        robot.model.with_contact(*call)


def test_wrong_sets(robot: Robot) -> None:
    with pytest.raises(ModelError, match=r"no contact 'heel'; choose one of toe, belly"):
        robot.contacts("heel")
    listed: Any = ["toe"]
    with pytest.raises(TypeError, match=r"names as separate strings, .* found \['toe'\]"):
        robot.contacts(listed)
    with pytest.raises(ModelError, match="'toe' is named twice"):
        robot.contacts("toe", "toe")
    with pytest.raises(
        ModelError, match=r"has no contacts; add them with robot\.edit\.with_contact"
    ):
        hopper().contacts()
    with pytest.raises(ModelError, match=r"has loops \('loop0'\)"):
        robot.edit.with_loop("world", "shank", "point").contacts()
    on_axis = jounce.load("planar_2r").edit.with_contact("link1")
    with pytest.raises(ModelError, match=r"contacts\('link1'\): the contacts constrain no motion"):
        on_axis.contacts().contact_dynamics(*np.zeros((3, 2)))


def test_edits_keep_contacts(robot: Robot) -> None:
    locked = robot.edit.lock({"shank_joint": 0.1})
    toe = locked.model.contacts[0]
    assert (toe.name, toe.body) == ("toe", 1)
    held = robot.contacts("toe").contact_poses(np.r_[robot.neutral()[:-1], 0.1])
    assert_close(locked.contacts("toe").contact_poses(locked.neutral()), held)
    with pytest.warns(ModelWarning, match="contact 'belly' is fixed in the world now"):
        fixed = robot.edit.lock({"trunk_joint": robot.neutral()[:7]})
    assert [contact.name for contact in fixed.model.contacts] == ["toe"]
    assert [c.name for c in robot.edit.subtree("trunk").model.contacts] == ["toe"]
    both = robot.edit.attach(robot, "trunk", pose(1.0, 0.0, 0.0), prefix="b_")
    assert [c.name for c in both.model.contacts] == ["toe", "belly", "b_toe", "b_belly"]
    with pytest.raises(ModelError, match="already has a"):
        robot.edit.attach(robot, "trunk")
    heavier = robot.edit.with_parameters(1.1 * robot.model.parameters)
    moved = robot.edit.with_geometry(placements=np.full((robot.nb, 6), 0.01))
    framed = robot.edit.with_frame("here", "shank")
    assert all(len(x.model.contacts) == 2 for x in (heavier, moved, framed))


def test_files_hold_contacts(robot: Robot, tmp_path: Path, capsys: Any) -> None:
    path = robot.export.urdf(tmp_path / "hopper.urdf")
    back = jounce.load(path)
    assert [(c.name, c.kind) for c in back.model.contacts] == [("toe", "point"), ("belly", "line")]
    q = back.random(np.random.default_rng(0))
    poses = [
        back.contacts().contact_poses(q),
        robot.contacts().contact_poses(np.r_[q[: robot.nq]]),
    ]
    assert_close(poses[0], poses[1])
    main(["info", str(path)])
    assert "contact toe: shank, point" in capsys.readouterr().out
    main(["info", str(path), "--json"])
    assert [c["kind"] for c in json.loads(capsys.readouterr().out)["contacts"]] == ["point", "line"]
    broken = path.read_text().replace('kind="point"', 'kind="plane"')
    path.write_text(broken)
    with pytest.raises(ModelError, match="unknown kind 'plane'"):
        jounce.load(path)


# ------------------------------------------------------------------ sets of contacts


def test_sets_are_made_once(robot: Robot) -> None:
    toe = robot.contacts("toe")
    assert toe is robot.contacts("toe")
    assert robot.contacts() is not toe
    assert repr(toe) == "<robot 'hopper' in contact: toe (point)>"
    assert toe.name == "hopper.contacts('toe')"
    assert (toe.nc, toe.nv, toe.nq) == (3, 9, 10)
    every = robot.contacts("belly", "toe")
    assert every.rows == {"belly": slice(0, 5), "toe": slice(5, 8)}
    again = pickle.loads(pickle.dumps(every))
    assert again.contact_names == ("belly", "toe")
    with pytest.raises(AttributeError, match="did you mean 'contact_jacobian'"):
        _ = toe.contact_jacobean
    with pytest.raises(AttributeError, match=r"use \.robot\.mass_matrix for the robot"):
        _ = toe.mass_matrix
    assert toe.frame("shank").pose(robot.neutral()).shape == (4, 4)


def test_what_is_offered_is_there(robot: Robot) -> None:
    """Names that are listed can be had; what contacts have no rows for is not, and said whose."""
    toe = robot.contacts("toe")
    for name in (name for name in dir(toe) if not name.startswith("_")):
        assert hasattr(toe, name), name
    for name in ("elastic_inverse_dynamics", "rollout", "integrate", "random"):
        assert name not in dir(toe)
        with pytest.raises(AttributeError, match=rf"use \.robot\.{name} for the robot"):
            getattr(toe, name)
    with pytest.raises(AttributeError, match=r"has no 'nothing_like_it'; see dir\(contacts\)"):
        _ = toe.nothing_like_it
    assert not [name for name in dir(toe) if "elastic" in name or "rollout" in name]
    assert "jacobian" in dir(toe.frame("shank"))
    assert "jacobian" in dir(toe.morphable.frame("shank"))


@pytest.mark.slow
def test_gradients_in_the_design() -> None:
    robot = arm()
    toe, rng = robot.contacts("toe"), np.random.default_rng(5)
    q, (v, tau, weights) = robot.random(rng), rng.normal(size=(3, 4))
    found = design_gradient(toe, weights, q, v, tau, quantity="forward_dynamics")
    a = toe.forward_dynamics
    assert_close(found.parameters.ravel(), weights @ a.dpi(q, v, tau), 1e-10)
    assert_close(found.screws, np.tensordot(weights, a.dscrew(q, v, tau), 1), 1e-10)
    with pytest.raises(ArgumentError, match="impulse has several results; choose one of forward"):
        design_gradient(toe, weights, q, v, quantity="impulse")


def test_calls() -> None:
    """Batches, single samples, float32, optional arguments, parameters: one and the same."""
    robot = arm()
    toe, rng = robot.contacts("toe"), np.random.default_rng(1)
    q = robot.random(rng, 6).reshape(2, 3, -1)
    v, tau = rng.normal(size=(2, 2, 3, 4))
    a, f = toe.contact_dynamics(q, v, tau)
    assert (a.shape, f.shape) == ((2, 3, 4), (2, 3, 3))
    assert_close(toe.forward_dynamics(q, v, tau), a)
    for x, y in zip(toe.contact_dynamics(q[0, 1], v[0, 1], tau[0, 1]), (a, f), strict=True):
        assert_close(x, y[0, 1])
    single = toe.contact_dynamics(*(x.astype(np.float32) for x in (q, v, tau)))
    assert single[0].dtype == np.float32
    assert_close(single[0], a, 1e-3)  # rounding of float32
    for x, y in zip(
        toe.parametric.contact_dynamics(q, v, tau, robot.model.parameters), (a, f), strict=True
    ):
        assert_close(x, y, 1e-10)  # another tree, not lumped
    anchors = toe.contact_poses(q)
    pulled = toe.contact_dynamics(q, v, tau, kd=10.0, anchors=anchors, kp=100.0)[0]
    accelerations = toe.contact_jacobian(q) @ pulled[..., None]
    wanted = -toe.contact_drift(q, v) - 10.0 * toe.contact_velocities(q, v)
    assert_close(accelerations[..., 0], wanted, 1e-10)
    after, p = toe.impulse(q, v, restitution=0.5)
    assert_close(toe.contact_velocities(q, after), -0.5 * toe.contact_velocities(q, v), 1e-10)
    S = toe.delassus_matrix(q)
    assert_close((S @ p[..., None])[..., 0], -1.5 * toe.contact_velocities(q, v), 1e-10)


def test_derivatives_in_time() -> None:
    """Along a motion of the robot itself, by differences."""
    robot = arm()
    toe, rng = robot.contacts("toe"), np.random.default_rng(2)
    q = robot.random(rng)
    v, tau, dtau = rng.normal(size=(3, 4))
    a, _f = toe.contact_dynamics(q, v, tau)
    a_t, f_t = toe.contact_dynamics.dt(q, v, tau, dtau)
    e = 1e-6
    ends = [
        toe.contact_dynamics(
            robot.integrate(q, s * e * v + 0.5 * e * e * a), v + s * e * a, tau + s * e * dtau
        )
        for s in (1.0, -1.0)
    ]
    assert_close(a_t, (ends[0][0] - ends[1][0]) / (2 * e), 1e-7)
    assert_close(f_t, (ends[0][1] - ends[1][1]) / (2 * e), 1e-7)
    J = toe.contact_jacobian
    slopes = [J(robot.integrate(q, s * e * v)) for s in (1.0, -1.0)]
    assert_close(J.dt(q, v), (slopes[0] - slopes[1]) / (2 * e), 1e-8)


def test_pullbacks_are_the_derivatives() -> None:
    robot = arm()
    toe, rng = robot.contacts("toe"), np.random.default_rng(3)
    q = robot.random(rng)
    v, tau, lam_a = rng.normal(size=(3, 4))
    lam_f = rng.normal(size=3)
    _, _, a_q, f_q, a_v, f_v, a_tau, f_tau = toe.contact_dynamics.derivatives(q, v, tau)
    found = toe.contact_dynamics.vjp(q, v, tau, lam_a, lam_f)
    blocks = ((a_q, f_q), (a_v, f_v), (a_tau, f_tau))
    for gradient, (by_a, by_f) in zip(found, blocks, strict=True):
        assert_close(gradient, lam_a @ by_a + lam_f @ by_f, 1e-10)


def test_time_derivatives_with_wrenches_and_anchors() -> None:
    """Along a motion on which all that is given changes: central differences of the value."""
    robot = arm()
    toe, rng = robot.contacts("toe"), np.random.default_rng(6)
    q = robot.random(rng)
    v, tau, dtau = rng.normal(size=(3, 4))
    w, dw = rng.normal(size=(2, robot.nb, 6))
    still = toe.contact_dynamics.dt(q, v, tau, dtau)
    for found, expected in zip(
        toe.contact_dynamics.dt(q, v, tau, dtau, wrenches=0.0 * w), still, strict=True
    ):
        assert_close(found, expected, 1e-12)
    given = {"anchors": toe.contact_poses(q), "kp": 3.0, "kd": 2.0, "damping": 0.1}
    a, _ = toe.contact_dynamics(q, v, tau, wrenches=w, **given)

    def at(t: float) -> tuple[np.ndarray, ...]:
        moved = robot.integrate(q, t * v + t * t / 2 * a)
        return toe.contact_dynamics(moved, v + t * a, tau + t * dtau, wrenches=w + t * dw, **given)

    h = 1e-5
    slopes = [(ahead - behind) / (2 * h) for ahead, behind in zip(at(h), at(-h), strict=True)]
    found = toe.contact_dynamics.dt(q, v, tau, dtau, wrenches=w, dwrenches=dw, **given)
    for x, expected in zip(found, slopes, strict=True):
        assert_close(x, expected, 1e-6)  # what the differences are good for


def test_exports(tmp_path: Path) -> None:
    casadi = pytest.importorskip("casadi")
    robot = arm()
    toe, rng = robot.contacts("toe"), np.random.default_rng(4)
    q = robot.random(rng)
    v, tau = rng.normal(size=(2, 4))
    a, _f = toe.contact_dynamics(q, v, tau)
    function = toe.export.casadi().contact_dynamics
    assert isinstance(function, casadi.Function)
    assert_close(function(q, v, tau)[0].full().ravel(), a, 1e-11)
    names = ["contact_dynamics", "impulse.derivatives", "contact_jacobian.dt"]
    files = toe.export.c(tmp_path / "c", names)
    assert any(path.suffix == ".c" for path in files)
    assert len(toe.export.matlab(tmp_path / "m", names)) >= 3
    symbols = toe.export.sympy()
    J = symbols.contact_jacobian()
    assert J.shape == (3, 4)


def test_the_page_on_contacts_runs_and_names_every_quantity() -> None:
    page = (Path(jounce.__file__).parents[2] / "docs" / "guide" / "contacts.md").read_text("utf-8")
    session: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL):
        exec(compile(block, "contacts.md", "exec"), session)
    assert np.shape(session["a_q"]) == (3, 3)
    for name in (*CONTACTED.quantities, *CONTACTS):
        assert name in page, name
