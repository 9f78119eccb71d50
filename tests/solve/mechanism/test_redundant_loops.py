"""Geometry derivatives where constraints are redundant: those of the kept equations.

`Kept` is a model of these equations with NumPy, on quantities of trees; where the displaced loops
can be closed, mechanisms that are built again say the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import sympy

import jounce
from jounce.catalog.derivative import derivative
from jounce.catalog.mechanism import MECHANISM, MECHANISM_FRAME
from jounce.catalog.quantity import GEOMETRY, AnyQuantity
from jounce.formulas import dynamics, kinematics
from jounce.formulas.mechanism import loops
from jounce.model.tree import Tree
from jounce.solve.mechanism.robot import Mechanism
from support.helpers import OF_FREE_FRAMES, as_twist, assert_close, joined, objects, slopes
from support.mechanisms import State, complex_displacement, follow, mechanism

pytestmark = pytest.mark.sweeps

#: Displacements (kind, twists of all joints), the first one first.
Displacements = tuple[tuple[str, np.ndarray], ...]

ROWS = {**MECHANISM, **{f"frame.{name}": row for name, row in MECHANISM_FRAME.items()}}
TWISTS = np.random.default_rng(2).normal(size=(8, 6))

#: What needs six degrees of freedom.
TASKS = tuple(f"frame.{name}" for name in OF_FREE_FRAMES)


class Kept:
    """A mechanism whose loops obey Q^T phi = 0, Q a basis of the columns of g_p at q."""

    def __init__(self, state: State) -> None:
        self.state, closed = state, state.closed
        self.active, self.passive = list(closed.active), list(closed.tree.passive)
        G = loops.loop_jacobian(closed.robot.tree, objects(state.q)).astype(float)
        self.Q = np.linalg.qr(G[:, self.passive])[0]

    def _joined(self, active: np.ndarray, passive: np.ndarray) -> np.ndarray:
        out = np.zeros((self.state.robot.nv, *active.shape[1:]))
        out[self.active], out[self.passive] = active, passive
        return out

    def _follow(self, G: np.ndarray, rows: np.ndarray) -> np.ndarray:
        return -np.linalg.solve(self.Q.T @ G[:, self.passive], self.Q.T @ rows)

    def closed(self, displacements: Displacements) -> tuple[Tree, np.ndarray]:
        """The displaced tree, and the configuration that obeys the kept equations."""
        robot, q = self.state.robot, self.state.q
        for kind, twists in displacements:
            robot = robot.edit.with_geometry(
                **{"screws" if kind == "dscrew" else "placements": twists}
            )
        for _ in range(6):
            G = loops.loop_jacobian(robot.tree, objects(q)).astype(float)
            gap = loops.loop_residual(robot.tree, objects(q)).astype(float)
            step = self._joined(np.zeros(len(self.active)), self._follow(G, gap))
            q = self.state.robot.integrate(q, step)
        return robot.tree, q

    def values(self, displacements: Displacements) -> dict[str, np.ndarray]:
        """Quantities of the displaced mechanism, its independent joints held."""
        state, (tree, q) = self.state, self.closed(displacements)

        def on(formula: Callable, *arguments: np.ndarray) -> np.ndarray:
            return np.asarray(formula(tree, *map(objects, arguments))).astype(float)

        G, still = on(loops.loop_jacobian, q), np.zeros(len(self.active))
        solve = partial(self._follow, G)
        E = self._joined(np.eye(len(self.active)), solve(G[:, self.active]))
        v = E @ state["v"]
        drift = on(loops.loop_bias, q, v)

        def forces(a: np.ndarray) -> np.ndarray:
            a = self._joined(a, solve(G[:, self.active] @ a + drift))
            return on(dynamics.inverse_dynamics, q, v, a)

        W = np.linalg.inv(E.T @ on(dynamics.mass_matrix, q) @ E)
        a = W @ (state["tau"] - E.T @ forces(still))
        frame = len(state.robot.model.frame_names) - 1
        return {
            "inverse_dynamics": E.T @ forces(state["a"]),
            "mass_matrix_inverse": W,
            "constraint_forces": np.linalg.pinv(G[:, self.passive].T) @ forces(a)[self.passive],
            "velocity": v,
            "frame.pose": kinematics.frame_pose(tree, objects(q), frame).astype(float),
        }


def difference(values: Callable[[float], np.ndarray], h: float) -> np.ndarray:
    """The slope at zero by central differences of sixth order."""
    steps = [values(k * h) - values(-k * h) for k in (1, 2, 3)]
    return (45 * steps[0] - 9 * steps[1] + steps[2]) / (60 * h)


def given(state: State, row: AnyQuantity) -> list:
    """The row's arguments, and the last frame if it is of one."""
    inputs = [objects(state[x] if x != "h" else 0.01) for x in row.arguments]
    return [*inputs, len(state.robot.model.frame_names) - 1] if row.of_frame else inputs


def of_formula(state: State, row: AnyQuantity, name: str) -> np.ndarray:
    return np.asarray(derivative(row, name).formula(state.closed.tree, *given(state, row)))


@pytest.mark.parametrize("name", ["four_bar", "five_bar", "bennett"])
@pytest.mark.parametrize("kind", GEOMETRY)
def test_any_displacement(name, kind):
    """Also those that leave no motion."""
    state = State(mechanism(name))
    kept = Kept(state)
    twists = 0.3 * np.random.default_rng(3).normal(size=(state.robot.nb, 6))
    by_step = {h: kept.values(((kind, 1e-3 * h * twists),)) for h in range(-3, 4)}
    for quantity in ("constraint_forces", "velocity", "inverse_dynamics"):
        expected = difference(lambda h, name=quantity: by_step[h][name], 1) / 1e-3
        found = of_formula(state, ROWS[quantity], kind).astype(float)
        assert_close(np.tensordot(found, twists, axes=2), expected, 1e-7, quantity)


def along_complex_steps(state: State, row: AnyQuantity, screw: bool) -> np.ndarray:
    """How a row changes on the kept equations, with one random displacement of each joint."""
    tree = loops.keep_equations(state.closed.tree, objects(state.q))
    columns = []
    for body, twist in enumerate(TWISTS[: tree.nb]):
        moved = complex_displacement(tree, body, twist, screw)
        rest = given(state, row)[1:]
        columns.append(slopes(row, tree, row.formula(moved, follow(state, moved), *rest)))
    return np.stack(columns, axis=-1)


@pytest.mark.parametrize(
    "quantity", [name for name, row in ROWS.items() if row.geometry and name not in TASKS]
)
def test_all_quantities(quantity):
    """Series, closed forms and passes, along one displacement of each joint."""
    state, row = State(mechanism("bennett")), ROWS[quantity]
    for kind, screw in GEOMETRY.items():
        found = joined(derivative(row, kind).formula(state.closed.tree, *given(state, row)), axes=2)
        found = np.einsum("...bk,bk->...b", found, objects(TWISTS[: state.robot.nb]))
        assert_close(found, along_complex_steps(state, row, screw), 1e-10, kind)  # cond(M)


@pytest.mark.parametrize(
    ("quantity", "first", "second"),
    [
        ("frame.pose", "dscrew", "dplacement"),
        ("frame.pose", "dplacement", "dscrew"),
        pytest.param("frame.twist_world", "dplacement", "dscrew", marks=pytest.mark.slow),
        ("external_forces", "dscrew", "dplacement"),
        ("mass_matrix_inverse", "dplacement", "dscrew"),
        ("constraint_forces", "dpi", "dplacement"),
    ],
)
def test_mixed_derivatives(quantity, first, second):
    """Twice in numbers of the robot, of the same equations."""
    state, row = State(mechanism("bennett")), derivative(ROWS[quantity], first)
    found = of_formula(state, row, second)
    found = np.einsum("...bk,bk->...b", found, objects(TWISTS[: state.robot.nb]))
    expected = along_complex_steps(state, row, GEOMETRY[second])
    assert_close(found, expected, 1e-10)  # cond(M)


def test_mixed_derivative_of_pose():
    """Against differences of differences of a model of its own."""
    state = State(mechanism("bennett"))
    kept, nb = Kept(state), state.robot.nb
    screws, placements = 0.3 * TWISTS[:nb], 0.3 * TWISTS[nb : 2 * nb]

    def twist(at: float) -> np.ndarray:
        def pose(h: float) -> np.ndarray:
            moves = (("dplacement", at * placements), ("dscrew", h * screws))
            return kept.values(moves)["frame.pose"]

        return as_twist(pose(0.0), difference(pose, 2e-3))

    row = derivative(ROWS["frame.pose"], "dscrew")
    found = of_formula(state, row, "dplacement").astype(float)
    found = np.einsum("ijkbl,jk,bl->i", found, screws, placements)
    assert_close(found, difference(twist, 2e-3), 1e-6)  # of differences


# ------------------------------------------------------------------ other routes


@pytest.mark.parametrize("quantity", ["velocity", "inverse_dynamics"])
def test_tangents_of_shapes(quantity):
    """Pushforwards and pullbacks with the geometry as arguments."""
    closed = mechanism("bennett")
    state, rng, nb = State(closed), np.random.default_rng(6), closed.robot.nb
    shape, placements, screws = closed.morphable.now, TWISTS[:nb], TWISTS[nb : 2 * nb]
    plain, shaped = getattr(closed, quantity), getattr(closed.morphable, quantity)
    inputs = [state[x] for x in ROWS[quantity].arguments]
    still = [np.zeros(closed.nv)] * len(inputs)
    tangents = (np.zeros_like(shape[0]), placements, screws)
    found = shaped.jvp(*inputs, *shape, *still, *tangents)
    expected = np.tensordot(plain.dplacement(*inputs), placements, axes=2)
    expected = expected + np.tensordot(plain.dscrew(*inputs), screws, axes=2)
    assert_close(found, expected, 1e-11)  # cond(M)
    weights = rng.normal(size=expected.shape)
    *_, by_placements, by_screws = shaped.vjp(*inputs, *shape, weights)
    pulled = np.sum(by_placements * placements) + np.sum(by_screws * screws)
    assert_close(pulled, np.sum(weights * expected), 1e-11)  # cond(M)


def slanted_four_bar() -> Mechanism:
    """A planar four-bar whose loop is locked along axes that lie across its plane."""
    builder, seats = jounce.TreeBuilder("slanted"), {}
    for name, parent, x in (("crank", None, 0), ("coupler", "crank", 0.25), ("rocker", None, 0.5)):
        body = {"mass": 1.0, "com": (0.125, 0.25, 0), "inertia_com": 0.0625 * np.eye(3)}
        builder.add(name, "revolute", parent, xyz=(x, 0, 0), axis=(0, 0, 1), **body)
    for name, x in (("coupler", 0.5), ("rocker", 0.375)):
        seats[name] = np.eye(4)
        seats[name][:3, :3] = np.array(((15, -12, 16), (20, 9, -12), (0, 20, 15))) / 25
        seats[name][0, 3] = x
    robot = jounce.Robot(builder.build()).edit.with_loop(*seats.items(), "point")
    return robot.closed((0,), q0=(0.7, 0.5, 1.5))


def test_symbols():
    """There other equations are solved, and the same derivatives are found."""
    closed = slanted_four_bar()
    expected = closed.center_of_mass.dplacement(closed.reference)
    found = closed.export.sympy().center_of_mass.dplacement()
    values = {f"q{k + 1}": float(x) for k, x in enumerate(closed.reference)}
    entries = [float(sympy.sympify(x).subs(values)) for x in np.ravel(found.tolist())]
    assert_close(np.reshape(entries, expected.shape), expected)


# ------------------------------------------------------------------ loops that can be closed


def surviving(name: str, nb: int, rng: np.random.Generator) -> np.ndarray:
    """Displacements of all joints after which the loops of a mechanism can be closed."""
    twists = 0.3 * rng.normal(size=(nb, 6))
    free = {"four_bar": (0, 0, 1, 1, 1, 0), "five_bar": (1, 1, 1, 0, 0, 0)}
    return twists * np.array(free.get(name, (1,) * 6))


def check_rebuilt(name: str, quantity: str) -> None:
    """Compare a mixed derivative with differences of mechanisms that are closed again."""
    state, row, rng = State(mechanism(name)), ROWS[quantity], np.random.default_rng(7)
    kept = Kept(state)
    screws, placements = (surviving(name, state.robot.nb, rng) for _ in range(2))

    def value(a: float, b: float) -> np.ndarray:
        tree, q = kept.closed((("dplacement", a * placements), ("dscrew", b * screws)))
        assert np.abs(loops.loop_residual(tree, objects(q)).astype(float)).max() < 1e-13
        tree = replace(state.closed.tree, nodes=tree.nodes, frames=tree.frames)
        return joined(row.formula(tree, objects(q), *given(state, row)[1:])).astype(float)

    def mixed(h: float) -> np.ndarray:
        corners = (a * b * value(a * h, b * h) for a in (1, -1) for b in (1, -1))
        return sum(corners) / (4 * h * h)

    coarse, middle, fine = (mixed(h) for h in (8e-3, 4e-3, 2e-3))
    expected = (64 * fine - 20 * middle + coarse) / 45
    twice = derivative(derivative(row, "dscrew"), "dplacement")
    found = joined(twice.formula(state.closed.tree, *given(state, row)), axes=4).astype(float)
    found = np.einsum("...jkbl,jk,bl->...", found, screws, placements)
    assert_close(found, expected, 1e-5, floor=1e-3)  # of differences


@pytest.mark.parametrize("name", ["four_bar", "five_bar", "rssr"])
@pytest.mark.parametrize("quantity", ["potential_energy", "frame.twist_world"])
def test_rebuilt_mechanisms(name, quantity):
    """Where loops can be closed, also with none that is redundant."""
    check_rebuilt(name, quantity)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["four_bar", "rssr"])
@pytest.mark.parametrize(
    "quantity",
    [x for x, row in ROWS.items() if row.geometry and not row.has_charts and x not in TASKS],
)
def test_every_quantity_of_rebuilt_mechanisms(name, quantity):
    check_rebuilt(name, quantity)
