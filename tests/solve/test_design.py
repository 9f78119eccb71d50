"""Displaced robots, and gradients in all design variables at once."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from jounce import ModelError
from jounce.catalog.tables import ROBOT
from jounce.math.lie import exp_pose
from jounce.model import inertia
from jounce.model.tree import Tree
from jounce.robot import Robot
from jounce.solve.design import LinkMesh, design_gradient
from support.helpers import assert_close, objects, quiet_read, random_argument
from support.robots import random_model
from support.solids import ball


@pytest.fixture(scope="module")
def robot() -> Robot:
    return Robot(quiet_read("planar_2r"))


def states(robot: Robot, *names: str, n: int = 5) -> list[np.ndarray]:
    rng = np.random.default_rng(2)
    return [random_argument(name, robot, rng, (n,)) for name in names]


def torque_cost(robot: Robot, *state: np.ndarray) -> float:
    return 0.5 * float((robot.inverse_dynamics(*state) ** 2).sum())


def difference(cost, step: float = 1e-3) -> float:
    """Fourth-order central difference, good to about 1e-10 of smooth costs."""
    return (8 * (cost(step) - cost(-step)) - (cost(2 * step) - cost(-2 * step))) / (12 * step)


def test_with_geometry_follows_the_gradient(robot: Robot) -> None:
    state = states(robot, "q", "v", "a")
    gradient = design_gradient(robot, robot.inverse_dynamics(*state), *state)
    rng = np.random.default_rng(3)
    for name in ("screws", "placements"):
        direction = rng.normal(size=(robot.nb, 6))
        expected = difference(
            lambda s, name=name, d=direction: torque_cost(
                robot.edit.with_geometry(**{name: s * d}), *state
            )
        )
        assert_close((getattr(gradient, name) * direction).sum(), expected, 1e-9, name)
    direction = rng.normal(size=(robot.nb, 10)) * robot.model.parameters
    moved = [
        robot.edit.with_parameters(robot.model.parameters + s * direction) for s in (1e-3, -1e-3)
    ]
    expected = (torque_cost(moved[0], *state) - torque_cost(moved[1], *state)) / 2e-3
    assert_close((gradient.parameters * direction).sum(), expected, 1e-11)  # quadratic in pi


@pytest.mark.parametrize(
    "quantity", ["forward_dynamics", "gravity_forces", "kinetic_energy", "mass_matrix"]
)
def test_other_quantities(robot: Robot, quantity: str) -> None:
    """Against contractions of the full derivatives."""
    arguments = states(robot, *ROBOT[quantity].arguments)
    value = getattr(robot, quantity)(*arguments)
    weights = np.random.default_rng(4).normal(size=value.shape)
    found = design_gradient(robot, weights, *arguments, quantity=quantity)
    for x, name in (
        (found.parameters, "dpi"),
        (found.screws, "dscrew"),
        (found.placements, "dplacement"),
    ):
        full = robot.quantity(f"{quantity}.{name}")(*arguments)
        expected = np.tensordot(weights, full, axes=weights.ndim).reshape(x.shape)
        assert_close(x, expected, 1e-11, f"{quantity}.{name}", floor=1.0)


def test_vertices_by_complex_step(robot: Robot) -> None:
    """The whole chain: vertices, mesh integrals, Newton-Euler, square of the torques."""
    rng = np.random.default_rng(5)
    vertices, faces = ball(0)
    meshes = {
        name: LinkMesh(0.1 * vertices + rng.normal(scale=0.05, size=3), faces, 2700.0 + i)
        for i, name in enumerate(robot.model.body_names)
    }
    solid = robot.edit.with_parameters(
        [inertia.from_mesh(m.vertices, m.faces, m.density) for m in meshes.values()]
    )
    q, v, a = states(robot, "q", "v", "a", n=2)
    tau = solid.inverse_dynamics(q, v, a)
    gradient = design_gradient(solid, tau, q, v, a, meshes=meshes)

    def cost(shapes: dict[str, np.ndarray]) -> complex:
        pi = [inertia.from_mesh(shapes[n], m.faces, m.density) for n, m in meshes.items()]
        tree: Tree = solid.tree.with_inertias(objects(np.array(pi)))
        total = 0.0
        for state in zip(q, v, a, strict=True):
            forces = ROBOT["inverse_dynamics"].formula(tree, *map(objects, state))
            total = total + 0.5 * (forces @ forces)
        return complex(total)

    for name in meshes:
        direction = rng.normal(size=vertices.shape)
        shapes = {
            n: m.vertices + (1e-30j * direction if n == name else 0) for n, m in meshes.items()
        }
        expected = cost(shapes).imag / 1e-30
        assert_close((gradient.vertices[name] * direction).sum(), expected, 1e-12, name)


@pytest.mark.parametrize("quantity", ["inverse_dynamics", "forward_dynamics"])
def test_forces_by_name(robot: Robot, quantity: str) -> None:
    q, v, a, weights = states(robot, "q", "v", "a", "tau")
    wrenches = np.random.default_rng(7).normal(size=(robot.nb, 6))
    call = robot.quantity(quantity)
    found = design_gradient(robot, weights, q, v, a, quantity=quantity, wrenches=wrenches)
    expected = np.tensordot(weights, call.dscrew(q, v, a, wrenches=wrenches), axes=2)
    assert_close(found.screws, expected, 1e-11, floor=1.0)
    without = design_gradient(robot, weights, q, v, a)
    assert np.abs(found.screws - without.screws).max() > 1e-3
    none = design_gradient(robot, weights, q, v, a, wrenches=None)
    np.testing.assert_array_equal(none.screws, without.screws)


def test_poses_and_jacobians(robot: Robot) -> None:
    """They do not depend on inertias; poses have weights (4, 4)."""
    (q,) = states(robot, "q")
    rng = np.random.default_rng(8)
    name = robot.model.frame_names[-1]
    direction = rng.normal(size=(robot.nb, 6))
    for what, shape in (("pose", (4, 4)), ("jacobian", (6, robot.nv))):
        weights = rng.normal(size=(len(q), *shape))
        found = design_gradient(robot, weights, q, quantity=f"frame({name}).{what}")
        assert not found.parameters.any()

        def cost(s: float, what: str = what, weights: np.ndarray = weights) -> float:
            moved = robot.edit.with_geometry(placements=s * direction).frame(name)
            return float((weights * getattr(moved, what)(q)).sum())

        assert_close((found.placements * direction).sum(), difference(cost), 1e-9, what)


def test_bad_input(robot: Robot) -> None:
    q, v, a = states(robot, "q", "v", "a")
    with pytest.raises(ValueError, match=r"screws must have shape \(2, 6\), found \(6,\)"):
        robot.edit.with_geometry(screws=np.zeros(6))
    with pytest.raises(ValueError, match="placements must be finite"):
        robot.edit.with_geometry(placements=np.full((2, 6), np.nan))
    with pytest.raises(TypeError, match=r"screws .* has 12 of its 12 numbers masked"):
        robot.edit.with_geometry(screws=np.ma.array(np.zeros((2, 6)), mask=True))
    with pytest.raises(ValueError, match="no link 'wing'"):
        design_gradient(
            robot, q, q, v, a, meshes={"wing": LinkMesh(np.zeros((0, 3)), np.zeros((0, 3)))}
        )
    with pytest.raises(TypeError, match=r"takes \(q, v, a\)"):
        design_gradient(robot, q, q, v)
    with pytest.raises(ValueError, match=r"'cost_gradient' must have shape \(..., 2\)"):
        design_gradient(robot, np.zeros((5, 3)), q, v, a)
    with pytest.raises(TypeError, match="argument 'v' must be real"):
        design_gradient(robot, q, q, "fast", a)
    with pytest.raises(ValueError, match=r"do not broadcast: .*cost_gradient \(3,\)"):
        design_gradient(robot, q[:3], q, v, a)
    with pytest.raises(ValueError, match="velocity_map has no derivatives in screws"):
        design_gradient(robot, q, q, quantity="velocity_map")
    with pytest.raises(TypeError, match="no 'wrenches'; it takes none by name"):
        design_gradient(robot, q, q, quantity="gravity_forces", wrenches=0)
    with pytest.raises(TypeError, match=r"expected a jounce\.design\.LinkMesh, found tuple"):
        design_gradient(robot, q, q, v, a, meshes={robot.model.body_names[0]: ball(0)})
    rng = np.random.default_rng(0)
    eye = Robot(random_model(rng, 1, ("spherical",)))
    with pytest.raises(ModelError, match="a spherical joint has the axes"):
        eye.edit.with_geometry(screws=np.ones((1, 6)))
    assert eye.edit.with_geometry(screws=[[0, 0, 0, 1, 2, 3]]).nb == 1


@pytest.mark.parametrize("floating", [pytest.param(False, marks=pytest.mark.slow), True])
def test_morphable(floating: bool) -> None:
    """Kernels that take the shape as arguments agree with robots built anew."""
    rng = np.random.default_rng(6)
    kinds = ("revolute",) if floating else ("revolute", "universal", "prismatic", "helical")
    robot = Robot(random_model(rng, 3 if floating else 4, kinds, floating=floating))
    screws, placements = rng.normal(scale=0.3, size=(2, robot.nb, 6))
    screws[0] = 0 if floating else screws[0]
    pi, _, still = robot.morphable.now
    built = robot.edit.with_geometry(screws=screws, placements=placements)
    shape = (built.morphable.now[1], np.array([exp_pose(x) for x in screws]))
    q, v, a, lam = states(robot, "q", "v", "a", "tau")
    call = robot.morphable.inverse_dynamics
    assert_close(call(q, v, a, *robot.morphable.now), robot.inverse_dynamics(q, v, a))
    assert_close(call(q, v, a, pi, *shape), built.inverse_dynamics(q, v, a))
    both = (
        np.stack([robot.morphable.now[1], shape[0]])[:, None],
        np.stack([still, shape[1]])[:, None],
    )
    assert_close(call(q, v, a, pi, *both)[1], built.inverse_dynamics(q, v, a))  # two at once
    for suffix in ("dpi", "dscrew", "dplacement"):
        found = call.derivative(suffix)(q, v, a, pi, *shape)
        assert_close(found, built.inverse_dynamics.derivative(suffix)(q, v, a), what=suffix)
    parts = call.design(q, v, a, lam, pi, *shape), built.inverse_dynamics.design(q, v, a, lam)
    for found, expected in zip(*parts, strict=True):
        assert_close(found, expected)
    wrenches = rng.normal(size=(robot.nb, 6))
    found = call(q, v, a, pi, *shape, wrenches=wrenches)
    assert_close(found, built.inverse_dynamics(q, v, a, wrenches=wrenches))
    name = robot.model.frame_names[-1]
    frame, expected = robot.morphable.frame(name), built.frame(name)
    assert_close(frame.pose(q, *shape), expected.pose(q))
    assert_close(frame.jacobian.dscrew(q, *shape), expected.jacobian.dscrew(q))
    again = pickle.loads(pickle.dumps(robot.quantity(f"morphable.frame({name}).pose")))
    assert_close(again(q, *shape), expected.pose(q))


def test_frames_of_a_morphable_robot_are_made_once(robot: Robot) -> None:
    """Else every use would trace its kernels again."""
    name = robot.model.frame_names[-1]
    assert robot.morphable.frame(name) is robot.morphable.frame(name)
    assert robot.morphable.frame(name).pose is robot.morphable.frame(name).pose
