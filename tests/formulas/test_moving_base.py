"""A robot on something that moves is a robot on a floating base that is moved so."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from jounce.catalog.arguments import rate_name
from jounce.catalog.derivative import derivative, derive
from jounce.catalog.tables import FRAME, ROBOT
from jounce.catalog.variables import Variant
from jounce.formulas import wrt_screws, wrt_state
from jounce.model.model import Body, Joint, Model
from jounce.papers import newton_euler
from jounce.robot import Robot, load
from support.case import Case
from support.helpers import assert_close, numbers, objects
from support.zoo import case_of

ROBOTS = ("every kind", "floating, mimic", "two roots, mimic", "iiwa14_mueller_kumar2021")
LEVELS = 5

#: Those on which many derivatives are taken: all of them in the long run.
FEW = [pytest.param(x, marks=() if "two" in x else pytest.mark.slow) for x in ROBOTS]


def floating(model: Model) -> Model:
    """The same robot on a body without mass that floats."""
    base = Joint("mount", "free", parent=-1, placement=np.eye(4))
    joints = [replace(joint, parent=joint.parent + 1) for joint in model.joints]
    bodies = (Body("mount", np.zeros(10)), *model.bodies)
    frames = tuple(replace(f, body=f.body + 1) for f in model.frames if f.name != "base")
    return Model("afloat", bodies, (base, *joints), frames=frames, gravity=model.gravity)


class Moved:
    """A robot at a state on a moving base, and the same one afloat."""

    def __init__(self, case: Case) -> None:
        self.case = case
        rng = np.random.default_rng(5)
        self.base = [rng.normal(size=6) for _ in range(LEVELS)]
        self.tree = replace(case.tree, base=tuple(map(objects, self.base)))
        self.afloat = Robot(floating(case.model)).tree
        free = [rate_name("q", k) for k in range(1, LEVELS)]
        self.at = {"q": np.concatenate((self._home(), case.at["q"]))}
        for level, name in zip(self.base, free, strict=False):
            self.at[name] = np.concatenate((level, case.at[name]))
        for name in ("wrenches", "dwrenches", "ddwrenches"):
            self.at[name] = np.vstack((np.zeros(6), case.at[name]))

    def _home(self) -> np.ndarray:
        """The free joint where the world is."""
        joint = Robot(floating(self.case.model)).neutral()
        return joint[: joint.size - self.case.at["q"].size]

    def here(self, row: Any, *extra: Any) -> Any:
        """A row on the tree that is mounted."""
        names = (*row.arguments, *row.optional)
        return row.formula(self.tree, *(objects(self.case.at[x]) for x in names), *extra)

    def there(self, row: Any, *extra: Any) -> Any:
        """The same on the tree afloat."""
        names = (*row.arguments, *row.optional)
        return row.formula(self.afloat, *(objects(self.at[x]) for x in names), *extra)


@cache
def moved(name: str) -> Moved:
    return Moved(case_of(name))


@pytest.mark.parametrize("name", ROBOTS)
def test_forces_and_their_rates(name: str) -> None:
    both = moved(name)
    for row in (ROBOT["inverse_dynamics"], ROBOT["joint_wrenches"]):
        for key in ("", "dt", "dtt"):
            found = derivative(row, key) if key else row
            drop = 6 if row.name == "inverse_dynamics" else 1
            wanted = numbers(both.there(found))[drop:]
            assert_close(numbers(both.here(found)), wanted, what=found.name)


@pytest.mark.parametrize("name", ROBOTS)
def test_motion_of_bodies_and_frames(name: str) -> None:
    both = moved(name)
    for row in (ROBOT["body_twists"], ROBOT["body_accelerations"]):
        for found in (row, derivative(row, "dt")):
            wanted = numbers(both.there(found))[1:]
            assert_close(numbers(both.here(found)), wanted, what=found.name)
    frame = both.case.model.bodies[-1].name
    own = both.case.model.frame_index(frame)
    there = floating(both.case.model).frame_index(frame)
    for row in (FRAME[x] for x in ("twist", "acceleration", "classical_acceleration")):
        for found in (row, derivative(row, "dt")):
            assert_close(numbers(both.here(found, own)), numbers(both.there(found, there)))


@pytest.mark.parametrize("name", ROBOTS)
def test_as_the_lecture_has_it(name: str) -> None:
    both = moved(name)
    V_0, A_0 = (objects(x) for x in both.base[:2])
    lift = np.concatenate((np.zeros(3), -both.case.model.gravity))
    wanted = newton_euler.inverse_dynamics(*both.case.state, (), V_0, A_0 + objects(lift))
    found = ROBOT["inverse_dynamics"].formula(both.tree, *both.case.state[1:])
    assert_close(numbers(found), numbers(wanted))


@pytest.mark.parametrize("name", FEW)
def test_forms_of_derivatives_know_the_base(name: str) -> None:
    """Closed forms on the moving base, against the rule on the value's formula."""
    both = moved(name)
    rows = [ROBOT[x] for x in ("inverse_dynamics", "bias_forces", "joint_wrenches")]
    rows += [ROBOT["body_accelerations"], FRAME["acceleration"], FRAME["twist"]]
    for row in rows:
        given = [objects(both.case.at[x]) for x in (*row.arguments, *row.optional)]
        count = len(row.arguments)
        frame = (both.case.frame,) if row.of_frame else ()
        for key in ("dq", "dv", "dscrew"):
            found = derivative(row, key).formula(both.tree, *given, *frame)
            if key == "dscrew":
                inputs = (*given, *frame)
                wanted = wrt_screws.along_geometry(row.formula, both.tree, inputs, True)
            else:
                wanted = wrt_state.directional(
                    row.formula,
                    both.tree,
                    given[:count],
                    row.arguments.index(key[1:]),
                    (*given[count:], *frame),
                    configuration=key == "dq",
                )
            assert_close(numbers(found), numbers(wanted), what=f"{row.name}.{key}")


@pytest.mark.parametrize("name", FEW)
def test_weights_parameters_and_accelerations(name: str) -> None:
    both = moved(name)
    case, row = both.case, ROBOT["inverse_dynamics"]
    state = case.state[1:]
    tau = row.formula(both.tree, *state)
    Y = numbers(derivative(row, "dpi").formula(both.tree, *state))
    armature = numbers(tau) - Y @ case.robot.model.parameters.ravel()
    at_rest = case.value("inverse_dynamics.dpi") @ case.robot.model.parameters.ravel()
    wanted = case.value("inverse_dynamics") - at_rest
    assert_close(armature, wanted, floor=np.abs(numbers(tau)).max())
    lam = case.lam
    wanted = lam @ derivative(row, "dqq").formula(both.tree, *state).reshape(case.nv, -1)
    found = derivative(row, "hessian").formula(both.tree, *state, lam)
    assert_close(numbers(found)[: case.nv, : case.nv].ravel(), numbers(wanted))
    design = derivative(row, "design").formula(both.tree, *state, lam)
    assert_close(numbers(design[0]).ravel(), numbers(lam) @ Y)
    screws = derivative(row, "dscrew").formula(both.tree, *state)
    assert_close(numbers(design[1]), np.tensordot(numbers(lam), numbers(screws), axes=1))
    a = ROBOT["forward_dynamics"].formula(both.tree, *state[:2], tau)
    assert_close(numbers(a), case.at["a"], case.solving)


# ------------------------------------------------------------------ calls


def test_by_name() -> None:
    robot = load("planar_2r")
    rng = np.random.default_rng(1)
    q = robot.random(rng, 4)
    v, a, j = rng.standard_normal((3, 4, robot.nv))
    V, A, J = rng.standard_normal((3, 6))
    w = rng.standard_normal((robot.nb, 6))
    tau = robot.inverse_dynamics(q, v, a, base_twist=V, base_acceleration=A)
    tree = replace(robot.tree, base=(objects(V), objects(A)))
    each = [
        ROBOT["inverse_dynamics"].formula(tree, *map(objects, x)) for x in zip(q, v, a, strict=True)
    ]
    assert_close(tau, numbers(np.stack(each)))
    found = robot.forward_dynamics(q, v, tau, base_twist=V, base_acceleration=A)
    assert_close(found, a, 1e-10)  # cond(M) of the small robot
    # a base that is said to rest rests, and each argument may be given alone
    rest = robot.inverse_dynamics(q, v, a, base_twist=np.zeros(6))
    assert_close(rest, robot.inverse_dynamics(q, v, a))
    pushed = robot.inverse_dynamics(q, v, a, w, base_twist=V, base_acceleration=A)
    assert_close(tau - pushed, robot.external_forces(q, np.broadcast_to(w, (4, *w.shape))))
    falling = np.concatenate((np.zeros(3), robot.model.gravity))
    lifted = robot.inverse_dynamics(q, v, a, base_acceleration=falling)
    weightless = Robot(replace(robot.model, gravity=np.zeros(3)))
    assert_close(lifted, weightless.inverse_dynamics(q, v, a))
    rate = robot.inverse_dynamics.dt
    moving = {"base_twist": V, "base_acceleration": A, "dbase_acceleration": J}
    value, same = robot.inverse_dynamics.rates(1)(q, v, a, j, **moving)
    assert_close(value, tau)
    assert_close(rate(q, v, a, j, **moving), same)
    single = robot.inverse_dynamics(q[0], v[0], a[0], base_twist=V, base_acceleration=A)
    assert_close(single, tau[0])
    half = robot.body_twists(q.astype(np.float32), v.astype(np.float32), base_twist=V.astype("f4"))
    assert half.dtype == np.float32
    assert "base_twist=None" in str(robot.inverse_dynamics.__doc__)
    with pytest.raises(ValueError, match=r"argument 'base_twist' must have shape \(..., 6\)"):
        robot.inverse_dynamics(q, v, a, base_twist=np.zeros(3))
    with pytest.raises(TypeError, match="takes no 'base_twist'"):
        robot.mass_matrix(q, base_twist=V)


def test_batches_of_bases_and_parameters() -> None:
    robot = load("planar_2r")
    rng = np.random.default_rng(2)
    q = robot.random(rng)
    v, a = rng.standard_normal((2, robot.nv))
    V = rng.standard_normal((5, 6))
    many = robot.inverse_dynamics(q, v, a, base_twist=V)
    assert many.shape == (5, robot.nv)
    for one, twist in zip(many, V, strict=True):
        assert_close(one, robot.inverse_dynamics(q, v, a, base_twist=twist))
    heavy = robot.parametric.inverse_dynamics(q, v, a, robot.model.parameters, base_twist=V)
    assert_close(heavy, many)


def test_kernels_without_it_are_as_they_were() -> None:
    robot = load("planar_2r")
    quantity = robot.inverse_dynamics
    assert quantity.kernel.arguments == ("q", "v", "a")
    assert quantity.full_kernel.arguments == ("q", "v", "a", "wrenches")
    row = derive(quantity.kernel.quantity, Variant.MOVING_BASE)
    assert row.optional == ("wrenches", "base_twist", "base_acceleration")
    assert quantity.moving_base_kernel.arguments == (*row.arguments, *row.optional)
    assert derivative(ROBOT["body_twists"], "dt").base == ("base_twist", "base_acceleration")
