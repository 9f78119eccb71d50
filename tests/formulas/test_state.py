"""Derivatives in the state: of every row of the catalog, against what knows nothing of them.

The truth is the quantity's own formula on complex numbers (first order: a complex step along each
velocity), and on Taylor series of complex numbers (second order: a complex step of series that
expand the sines and quaternions of q themselves). Formulas run on floats here; a handful is
compiled. Tolerance: 1e-12 of the largest entry, 1e-15 cond(M) if that is more where M is solved.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest

import jounce
from jounce.backends import interpreter
from jounce.catalog.derived import derivative, derivative_names
from jounce.catalog.row import Row
from jounce.catalog.rows import FRAME, ROBOT, ROWS
from jounce.errors import ModelError
from jounce.formulas.motions import configuration_jets, time_derivatives
from jounce.interop.pinocchio import PinocchioMap, swap_order
from jounce.math.jets import from_rates, rates_of
from jounce.math.spatial import bracket
from jounce.model.joints import KINDS
from jounce.model.model import Model
from jounce.model.tree import lower
from jounce.robot import Robot
from support.c_libraries import call, function_names, library, needs_compiler
from support.case import Case
from support.digits import digits, with_unit_quaternions
from support.helpers import (
    assert_close,
    formula_result,
    kernel_of,
    objects,
    quiet_read,
    random_argument,
    random_robot,
    slope,
    small_model,
    with_two_roots,
)
from support.robots import ALL_KINDS, SINGLE, random_model, random_state, rate
from support.urdf_files import good_files

FIRST = {"dq": "q", "dv": "v", "da": "a", "dtau": "tau"}

# What is offered beyond the first derivatives; the order of the letters is that of the axes.
SECOND_ORDER = {
    "inverse_dynamics": ("dqq", "dqv", "dvv", "daq"),
    "forward_dynamics": ("dqq", "dqv", "dvv", "dqtau"),
    "bias_forces": ("dqq", "dqv", "dvv"),
    "mass_matrix": ("dqq",),
    "gravity_forces": ("dqq",),
    "potential_energy": ("dqq",),
}
TOGETHER = {
    "inverse_dynamics": ("derivatives", "hessian", "design"),
    "forward_dynamics": ("derivatives", "design"),
    "bias_forces": ("design",),
    "gravity_forces": ("design",),
}
WITHOUT_PARAMETERS = ("external_forces", "joint_friction", "slotine_li_regressor")
WITHOUT_GEOMETRY = ("joint_friction", "christoffel", "slotine_li_regressor")


class State(Case):
    """A case whose values are those of the kernels, and what second derivatives need."""

    def __init__(self, model: Model, seed: int = 0) -> None:
        super().__init__(model, seed, lumped=True)

    def once(self, row: Row, name: str, direction: np.ndarray) -> np.ndarray:
        """Derivative of a row's result along a direction of an argument."""
        return self.along(lambda x: self.evaluate(row, **{name: x}), direction, name)

    def twice(self, row: Row, first: str, second: str, direction: np.ndarray) -> np.ndarray:
        """Derivative in `second` along the direction of the derivatives in `first`, axis last."""
        moved = {second: self.moved(second, direction)}
        at = moved.get(first, objects(self.at[first]))
        columns = []
        for unit in map(objects, np.eye(self.nv)):
            if first == "q":
                jets = configuration_jets(self.robot.tree, at, [unit])
            else:
                jets = from_rates([at, unit])
            result = self.evaluate(row, **{**moved, first: jets})
            columns.append(slope(rates_of(result, 1)[1]))
        return np.stack(columns, axis=-1)

    def floor(self, row: Row) -> float:
        """The size of the quantity itself: where derivatives vanish, rounding of it remains."""
        return max(float(np.abs(self.value(row.name)).max()), 1e-9)

    @property
    def brackets(self) -> np.ndarray:
        """Structure constants c (nv, nv, nv): [e_i, e_j] = sum_l c_lij e_l; zero across joints."""
        c = np.zeros((self.nv,) * 3)
        for node in self.robot.tree.nodes:
            at, n = node.v, node.S.shape[1]
            S = node.S.astype(float)
            for i in range(n):
                for j in range(n):
                    turned = bracket(node.S[:, i], node.S[:, j]).astype(float)
                    c[at : at + n, at + i, at + j] = np.linalg.lstsq(S, turned)[0]
        return c

    @property
    def coordinate_rates(self) -> bool:
        """Whether all velocities are rates of coordinates."""
        return not self.brackets.any()


# ------------------------------------------------------------------ robots


MODELS: dict[str, Callable[[], Model]] = {
    "every kind": lambda: random_robot(1, len(ALL_KINDS)),
    "serial": lambda: random_robot(2, len(ALL_KINDS), branching=False, armature=False),
    "floating": lambda: random_robot(3, 6, floating=True),
    "two roots": lambda: with_two_roots(random_robot(4, len(ALL_KINDS))),
    "two roots, mimic": lambda: with_two_roots(random_robot(5, 6, SINGLE, mimic=True)),
    "mimic": lambda: random_robot(6, 6, SINGLE, mimic=True),
    "floating, mimic": lambda: random_robot(7, 5, SINGLE, mimic=True, floating=True),
    "small": small_model,
    "planar, universal": lambda: random_robot(8, 2, ("planar", "universal")),
    "cylindrical, spherical": lambda: random_robot(8, 2, ("cylindrical", "spherical")),
    "floating, small": lambda: random_robot(10, 3, SINGLE[:2], floating=True),
    "two free": lambda: with_two_roots(random_robot(9, 2, ("free",))),
    "kuka": lambda: quiet_read("kuka_iiwa14"),
}
#: Fewer degrees of freedom, every kind among them: for second derivatives.
FEW = (
    "planar, universal",
    "cylindrical, spherical",
    "floating, small",
    "two free",
    "mimic",
    "two roots, mimic",
    "kuka",
)


@cache
def state_of(name: str) -> State:
    return State(MODELS[name](), len(name))


def test_the_robots_have_what_they_are_for() -> None:
    few = {joint.kind for name in FEW for joint in state_of(name).model.joints}
    assert set(FEW) <= set(MODELS)
    assert few == set(KINDS)
    for name in MODELS:
        state = state_of(name)
        assert ("mimic" in name or name == "small") == state.robot.tree.has_mimics
        assert sum(j.parent < 0 for j in state.model.joints) == 1 + ("two" in name)
        kinds = {joint.kind for joint in state.model.joints}
        assert state.coordinate_rates == kinds.isdisjoint(("spherical", "planar", "free"))


# ------------------------------------------------------------------ the grid


def test_every_argument_has_its_derivative() -> None:
    for row in ROWS:
        names = derivative_names(row)
        assert len(set(names)) == len(names)
        assert {x for x in names if x in FIRST} == {
            x for x, argument in FIRST.items() if argument in row.arguments
        }
        second = SECOND_ORDER.get(row.name, ())
        together = TOGETHER.get(row.name, ())
        dpi = () if row.of_frame or row.name in WITHOUT_PARAMETERS else ("dpi",)
        geometry = () if row.name in WITHOUT_GEOMETRY else ("dscrew", "dplacement")
        expected = {"dt", "dtt", *second, *together, *dpi, *geometry}
        assert set(names) - set(FIRST) == expected, row.name
        assert set(row.forms) <= set(names)
        for name in names:
            assert derivative(row, name).of is row
        if row.tangent is not None:  # series would give derivatives of its entries
            assert all(row.forms[x].formula for x in names if x not in ("dt", "dtt"))


def test_what_a_row_has_not_is_said() -> None:
    for row, name in (("mass_matrix", "dtau"), ("joint_friction", "dscrew"), ("pose", "dpi")):
        with pytest.raises(ValueError, match=rf"{row} has no derivative '{name}'; .*dt, dtt"):
            derivative((ROBOT | FRAME)[row], name)


def test_a_derivative_has_the_forms_of_its_own() -> None:
    """What dqv is to a quantity, dv is to its dq: by the same form, or by the same rule."""
    state = state_of("serial")
    for row, suffix, first, second in second_rows():
        again = derivative(derivative(row, f"d{first}"), f"d{second}")
        once = derivative(row, suffix)
        assert (again.shape, again.arguments, again.wrt) == (once.shape, once.arguments, (second,))
        if row.name == "gravity_forces":
            assert_close(state.evaluate(again), state.evaluate(once))


def first_rows() -> Iterator[tuple[Row, str, str]]:
    for row in ROWS:
        for name, argument in FIRST.items():
            if argument in row.arguments:
                yield row, name, argument


def second_rows() -> Iterator[tuple[Row, str, str, str]]:
    for name, seconds in SECOND_ORDER.items():
        for suffix in seconds:
            yield ROBOT[name], suffix, *derivative(ROBOT[name], suffix).wrt


# ------------------------------------------------------------------ truth


@pytest.mark.parametrize("name", list(MODELS))
def test_first_derivatives(name: str) -> None:
    state = state_of(name)
    for row, suffix, argument in first_rows():
        if row.name == "christoffel" and state.nv > 12:  # nv^2 Coriolis matrices on each side
            continue
        columns = [state.once(row, argument, unit) for unit in np.eye(state.nv)]
        truth = np.stack(columns, axis=-1)
        if row.name == "pose":  # a rigid motion has six directions, not sixteen
            truth = vee(np.linalg.inv(state.value("pose")) @ np.moveaxis(truth, -1, 0)).T
        title = f"{row.name}.{suffix}"
        found = np.asarray(state.evaluate(derivative(row, suffix), lump=True)).astype(float)
        assert_close(found, truth, state.tolerance(title), title, floor=state.floor(row))


def vee(X: np.ndarray) -> np.ndarray:
    """Twists (..., 6) of matrices (..., 4, 4); what should be skew-symmetric must be so."""
    np.testing.assert_allclose(X[..., :3, :3], -X[..., :3, :3].swapaxes(-1, -2), atol=1e-13)
    np.testing.assert_allclose(X[..., 3, :], 0.0, atol=1e-15)
    turn = np.stack((X[..., 2, 1], X[..., 0, 2], X[..., 1, 0]), axis=-1)
    return np.concatenate((turn, X[..., :3, 3]), axis=-1)


def second_derivatives_are_true(state: State) -> None:
    direction = state.rng.normal(size=state.nv)
    for row, suffix, first, second in second_rows():
        truth = state.twice(row, first, second, direction)
        title = f"{row.name}.{suffix}"
        found = state.value(title) @ direction
        assert_close(found, truth, 10 * state.tolerance(title), title, floor=state.floor(row))


@pytest.mark.parametrize("name", ["every kind", "two roots, mimic"])
def test_derivatives_along_unit_velocities_are_time_derivatives(name: str) -> None:
    """The same truth by another route: series in time with constant unit velocities."""
    state = state_of(name)
    q = objects(state.at["q"])
    for quantity in ("mass_matrix", "gravity_forces", "com_jacobian", "momentum_matrix"):
        row = ROBOT[quantity]
        columns = []
        for unit in map(objects, np.eye(state.nv)):
            levels = time_derivatives(row.formula, state.robot.tree, q, [unit], 1)
            columns.append(np.asarray(levels[1]).astype(float))
        assert_close(state.value(f"{quantity}.dq"), np.stack(columns, axis=-1), what=quantity)


@pytest.mark.parametrize("name", ["every kind", "mimic", "kuka"])
def test_fused_rows_are_the_single_ones(name: str) -> None:
    state = state_of(name)
    for quantity, last in (("inverse_dynamics", "da"), ("forward_dynamics", "dtau")):
        results = state.evaluate(derivative(ROBOT[quantity], "derivatives"), lump=True)
        names = (quantity, f"{quantity}.dq", f"{quantity}.dv", f"{quantity}.{last}")
        for result, single in zip(results, names, strict=True):
            tolerance = state.tolerance(single)
            assert_close(result, state.value(single), tolerance, single)


# ------------------------------------------------------------------ identities


def mass_matrix_rate(state: State) -> None:
    """Mdot = sum_k dM/dq_k v_k = C + C^T."""
    C, along_v = state.value("coriolis_matrix"), state.value("mass_matrix.dq") @ state.at["v"]
    assert_close(along_v, C + C.T, floor=state.floor(ROBOT["mass_matrix"]))
    row = derivative(ROBOT["mass_matrix"], "dt")
    assert_close(along_v, np.asarray(state.evaluate(row)).astype(float))


def connection_is_metric(state: State) -> None:
    """dM_ij/dq_k = Gamma_ijk + Gamma_jik, whatever the joints: Mdot = C + C^T holds for every v."""
    Gamma = state.value("christoffel")
    expected = Gamma + Gamma.swapaxes(0, 1)
    assert_close(state.value("mass_matrix.dq"), expected, floor=state.floor(ROBOT["mass_matrix"]))


def connection_has_no_torsion(state: State) -> None:
    """Gamma_ijk - Gamma_ikj = sum_l M_il c_lkj: symmetric where velocities are coordinate rates."""
    Gamma, M = state.value("christoffel"), state.value("mass_matrix")
    torsion = np.einsum("il,lkj->ijk", M, state.brackets)
    assert torsion.any() != state.coordinate_rates
    assert_close(Gamma - Gamma.swapaxes(1, 2), torsion, floor=state.floor(ROBOT["mass_matrix"]))


def velocity_derivative_is_twice_coriolis(state: State) -> None:
    """dtau/dv = 2 C plus the torsion's share, which vanishes for one-degree-of-freedom joints."""
    C, Gamma = state.value("coriolis_matrix"), state.value("christoffel")
    dv, v = state.value("inverse_dynamics.dv"), state.at["v"]
    floor = state.floor(ROBOT["mass_matrix"])
    assert_close(dv, C + np.einsum("ijk,j->ik", Gamma, v), floor=floor)
    if state.coordinate_rates:
        assert_close(dv, 2.0 * C, floor=floor)
    np.testing.assert_array_equal(dv, state.value("bias_forces.dv"))


def christoffel_from_mass_matrix(state: State) -> None:
    """The textbook's (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) / 2 for coordinate rates."""
    if not state.coordinate_rates:
        return
    dM = state.value("mass_matrix.dq")  # i, j, k
    textbook = 0.5 * (dM + dM.swapaxes(1, 2) - np.moveaxis(dM, 2, 0))
    floor = state.floor(ROBOT["mass_matrix"])
    assert_close(state.value("christoffel"), textbook, floor=floor)
    assert_close(state.value("coriolis_matrix.dv"), textbook, floor=floor)


def energies_give_forces(state: State) -> None:
    v, dM = state.at["v"], state.value("mass_matrix.dq")
    assert_close(state.value("potential_energy.dq"), state.value("gravity_forces"))
    assert_close(state.value("potential_energy.dqq"), state.value("gravity_forces.dq"))
    half = 0.5 * np.einsum("ijk,i,j->k", dM, v, v)
    floor = state.floor(ROBOT["kinetic_energy"])
    assert_close(state.value("kinetic_energy.dq"), half, floor=floor)
    assert_close(state.value("kinetic_energy.dv"), state.value("mass_matrix") @ v)


def lagrange_equations(state: State) -> None:
    """d/dt dT/dv - dT/dq + dU/dq = tau, with Euler-Poincare's ad*_v dT/dv for curved joints."""
    momentum, M = state.value("kinetic_energy.dv"), state.value("mass_matrix")
    v, a = state.at["v"], state.at["a"]
    turned = np.einsum("lki,k,l->i", state.brackets, v, momentum)
    rates = state.value("mass_matrix.dq") @ v @ v + M @ a
    tau = rates - turned - state.value("kinetic_energy.dq") + state.value("gravity_forces")
    assert_close(tau, state.value("inverse_dynamics"))


def forward_is_inverse_solved(state: State) -> None:
    a = state.value("forward_dynamics")
    inverse = state.value("mass_matrix_inverse")
    row = derivative(ROBOT["inverse_dynamics"], "derivatives")
    _, tau_q, tau_v, M = state.evaluate(row, a=objects(a))
    tolerance = state.tolerance("forward_dynamics")
    for suffix, tau_x in (("dq", tau_q), ("dv", tau_v)):
        expected = -inverse @ tau_x.astype(float)
        assert_close(state.value(f"forward_dynamics.{suffix}"), expected, tolerance, suffix)
    assert_close(state.value("forward_dynamics.dtau"), inverse, tolerance)
    assert_close(state.value("inverse_dynamics.da"), M)
    dM = state.value("mass_matrix.dq")
    expected = -np.einsum("ia,abh,bj->ijh", inverse, dM, inverse)
    assert_close(state.value("mass_matrix_inverse.dq"), expected, tolerance)


def tensors_of_linear_quantities(state: State) -> None:
    v = state.at["v"]
    for name in ("momentum", "centroidal_momentum"):
        matrix_dq = state.value(f"{name}_matrix.dq")
        floor = state.floor(ROBOT[f"{name}_matrix"])
        found = state.value(f"{name}.dq")
        assert_close(np.einsum("ijk,j->ik", matrix_dq, v), found, what=name, floor=floor)
    for suffix in ("", "_world", "_mixed"):
        found = np.einsum("ijk,j->ik", state.value(f"jacobian{suffix}.dq"), v)
        assert_close(found, state.value(f"twist{suffix}.dq"), what=suffix)
        row = derivative(FRAME[f"jacobian{suffix}"], "dt")
        along_v = state.value(f"jacobian{suffix}.dq") @ v
        assert_close(along_v, np.asarray(state.evaluate(row)).astype(float), what=suffix)
    assert_close(state.value("pose.dq"), state.value("jacobian"), 1e-15)
    assert_close(state.value("center_of_mass.dq"), state.value("com_jacobian"), 1e-15)


IDENTITIES = (
    mass_matrix_rate,
    connection_is_metric,
    connection_has_no_torsion,
    velocity_derivative_is_twice_coriolis,
    christoffel_from_mass_matrix,
    energies_give_forces,
    lagrange_equations,
    forward_is_inverse_solved,
    tensors_of_linear_quantities,
)


@pytest.mark.parametrize("name", list(MODELS))
def test_identities(name: str) -> None:
    check_all(IDENTITIES, name)


def check_all(properties: Sequence[Callable[[State], None]], name: str) -> None:
    for holds in properties:
        try:
            holds(state_of(name))
        except AssertionError as error:
            error.add_note(f"{holds.__name__}, {name}")
            raise


def derivatives_commute_but_within_a_joint(state: State) -> None:
    """D_i D_j - D_j D_i = D_[i,j]: the last two axes of dqq are symmetric except within a joint.

    dqq[..., i, j] is D_j D_i: the order of the axes is that of differentiation.
    """
    for row, suffix, *_ in second_rows():
        tensor = state.value(f"{row.name}.{suffix}")
        tolerance = 10 * state.tolerance(row.name)
        if suffix == "dqq":
            swapped = tensor.swapaxes(-1, -2) - tensor
            along = np.tensordot(state.value(f"{row.name}.dq"), state.brackets, axes=1)
            floor = max(float(np.abs(tensor).max()), state.floor(row))
            assert_close(swapped, along, tolerance, row.name, floor=floor)
            if row.name == "inverse_dynamics" and not state.coordinate_rates:
                assert np.abs(swapped).max() > 1e-3 * floor
        elif suffix == "dvv":
            assert_close(tensor, tensor.swapaxes(-1, -2), tolerance, row.name)


def second_derivatives_hang_together(state: State) -> None:
    dM, Gamma = state.value("mass_matrix.dq"), state.value("christoffel")
    floor = state.floor(ROBOT["mass_matrix"])
    assert_close(state.value("inverse_dynamics.daq"), dM, floor=floor)
    expected = Gamma + Gamma.swapaxes(1, 2)
    assert_close(state.value("inverse_dynamics.dvv"), expected, floor=floor)
    np.testing.assert_array_equal(
        state.value("bias_forces.dvv"), state.value("inverse_dynamics.dvv")
    )
    assert_close(state.value("bias_forces.dqv"), state.value("inverse_dynamics.dqv"), floor=floor)
    # tau_qq = sum_l M_il,qq a_l + (C v + g)_qq
    pushed = np.einsum("iljk,l->ijk", state.value("mass_matrix.dqq"), state.at["a"])
    total = pushed + state.value("bias_forces.dqq")
    assert_close(state.value("inverse_dynamics.dqq"), total, 4e-12)
    inverse = state.value("mass_matrix_inverse")
    expected = -np.einsum("ia,akj->ikj", inverse, state.value("inverse_dynamics.dvv"))
    tolerance = state.tolerance("forward_dynamics")
    assert_close(state.value("forward_dynamics.dvv"), expected, 10 * tolerance)
    expected = state.value("mass_matrix_inverse.dq").swapaxes(1, 2)
    assert_close(state.value("forward_dynamics.dqtau"), expected, 10 * tolerance)


def hessian_contracts_the_tensors(state: State) -> None:
    n = state.nv
    H = np.asarray(
        state.evaluate(derivative(ROBOT["inverse_dynamics"], "hessian"), lump=True)
    ).astype(float)
    expected = np.zeros((3, n, 3, n))
    blocks = {"dqq": (0, 0), "dqv": (0, 1), "dvv": (1, 1), "daq": (2, 0)}
    for suffix, (i, j) in blocks.items():
        tensor = state.value(f"inverse_dynamics.{suffix}")
        block = np.tensordot(state.at["lam"], tensor, axes=1)
        expected[i, :, j] = block
        if i != j:
            expected[j, :, i] = block.T
    assert_close(H, expected.reshape(3 * n, 3 * n), 4e-12)
    assert not H[n:, 2 * n :].any()
    curved = np.abs(H - H.T).max() > 1e-9 * np.abs(H).max()
    assert curved != state.coordinate_rates


SECOND = (
    second_derivatives_are_true,
    derivatives_commute_but_within_a_joint,
    second_derivatives_hang_together,
    hessian_contracts_the_tensors,
)


@pytest.mark.parametrize("name", FEW)
def test_second_derivatives(name: str) -> None:
    check_all(SECOND, name)


# ------------------------------------------------------------------ 50 digits


def test_fifty_digits() -> None:
    """Closed forms on mpmath numbers against central differences with a step of 1e-20."""
    state = State(random_robot(11, 3, ("revolute", "spherical", "helical")))
    floats = state.value("inverse_dynamics.dqq")
    with mpmath.workdps(60):
        at = {name: digits(x) for name, x in state.at.items()}
        at["q"] = with_unit_quaternions(state.robot, at["q"])
        tree = lower(state.model, mpmath.mpf)
        h = mpmath.mpf(10) ** -20
        row = ROBOT["inverse_dynamics"]
        for wanted, base in (("dq", row), ("dqq", derivative(row, "dq"))):
            found = state.evaluate(derivative(row, wanted), tree, **at)  # lumps are float sums
            for k, unit in enumerate(map(objects, np.eye(state.nv))):
                step = h * rate(state.model, at["q"], unit)
                ends = [
                    state.evaluate(base, tree, **{**at, "q": at["q"] + s * step}) for s in (1, -1)
                ]
                truth = (ends[0] - ends[1]) / (2 * h)
                error = max(abs(x) for x in (found[..., k] - truth).flat)
                assert error < mpmath.mpf(10) ** -34, f"{wanted}, {k}: {mpmath.nstr(error, 3)}"
        exact = state.evaluate(derivative(row, "dqq"), tree, **at)
    assert_close(floats, exact.astype(float), 1e-13)


# ------------------------------------------------------------------ Pinocchio

#: Robot, base, whether machine code is compared.
PEERS = (
    ("ur5_robot", "fixed", True),
    ("panda", "fixed", True),
    ("ur5_robot", "floating", False),
    ("panda", "floating", False),
    ("g1_29dof_rev_1_0", "fixed", False),
    ("g1_29dof_rev_1_0", "floating", False),
    ("talos_full_v2", "fixed", False),
    ("talos_full_v2", "floating", False),
)


def pinocchio_forward(pin: Any, model: Any, data: Any, *x: np.ndarray) -> list[np.ndarray]:
    pin.computeABADerivatives(model, data, *x)
    inverse = np.triu(data.Minv)
    full = inverse + np.triu(inverse, 1).T
    return [np.copy(data.ddq), np.copy(data.ddq_dq), np.copy(data.ddq_dv), full]


def pinocchio_inverse(pin: Any, model: Any, data: Any, *x: np.ndarray) -> list[np.ndarray]:
    pin.computeRNEADerivatives(model, data, *x)
    M = np.triu(data.M)
    return [
        np.copy(data.tau),
        np.copy(data.dtau_dq),
        np.copy(data.dtau_dv),
        M + np.triu(M, 1).T,
    ]


@pytest.mark.parametrize(("stem", "base", "compiled"), PEERS)
def test_pinocchio(stem: str, base: str, compiled: bool) -> None:
    pin = pytest.importorskip("pinocchio")
    path = next(path for path in good_files() if path.stem == stem)
    root = () if base == "fixed" else (pin.JointModelFreeFlyer(),)
    theirs = pin.buildModelFromUrdf(str(path), *root)
    model = quiet_read(path, base)
    data, maps, state = theirs.createData(), PinocchioMap(model, theirs), State(model)
    for b, joint in enumerate(model.joints):  # Pinocchio's reader does not know armature
        if joint.kind in SINGLE:
            theirs.armature[theirs.joints[maps.joint_ids[b]].idx_v] = joint.armature[0]
    q_pin = maps.q_to_pinocchio(state.at["q"])
    v_pin, a_pin = (maps.v_to_pinocchio(state.at[x]) for x in ("v", "a"))
    G = maps.G

    def ours(name: str, *arguments: str) -> Any:
        if compiled:
            return state.robot.quantity(name)(*(state.at[x] for x in arguments))
        quantity, _, suffix = name.partition(".")
        return state.evaluate(derivative(ROBOT[quantity], suffix), lump=True)

    found = ours("inverse_dynamics.derivatives", "q", "v", "a")
    tau, *matrices = pinocchio_inverse(pin, theirs, data, q_pin, v_pin, a_pin)
    assert_close(found[0], tau @ G, what="tau")
    for x, y, what in zip(found[1:], matrices, ("dq", "dv", "da"), strict=True):
        assert_close(x, G.T @ y @ G, what=f"inverse dynamics {what}")
    gravity = pin.computeGeneralizedGravityDerivatives(theirs, data, q_pin)
    assert_close(ours("gravity_forces.dq", "q"), G.T @ gravity @ G, what="gravity")
    C = G.T @ pin.computeCoriolisMatrix(theirs, data, q_pin, v_pin) @ G
    Gamma = state.robot.christoffel(state.at["q"]) if compiled else state.value("christoffel")
    assert_close(Gamma @ state.at["v"], C, what="Christoffel symbols", floor=np.abs(C).max())
    if not state.robot.tree.has_mimics:  # Pinocchio solves for followers as if they were free
        order = np.argmax(G, axis=0)  # our velocities are theirs in another order
        tau_pin = state.at["tau"] @ G.T
        a, *matrices = pinocchio_forward(pin, theirs, data, q_pin, v_pin, tau_pin)
        tolerance = max(1e-12, 1e-14 * np.linalg.cond(matrices[-1]))
        found = ours("forward_dynamics.derivatives", "q", "v", "tau")
        assert_close(found[0], a[order], tolerance, what="a")
        for x, y, what in zip(found[1:], matrices, ("dq", "dv", "dtau"), strict=True):
            expected = y[np.ix_(order, order)]
            assert_close(x, expected, tolerance, what=f"forward dynamics {what}")
    check_hessians(pin, state, theirs, data, q_pin, v_pin, G)


def check_hessians(
    pin: Any,
    state: State,
    theirs: Any,
    data: Any,
    q_pin: np.ndarray,
    v_pin: np.ndarray,
    G: np.ndarray,
) -> None:
    """Kinematic Hessians and derivatives of twists, in the frame's own axes, the world's, mixed."""
    name = state.robot.frame_names[state.frame]
    index = theirs.getFrameId(name, pin.FrameType.BODY)
    pin.computeJointKinematicHessians(theirs, data, q_pin)
    pin.computeForwardKinematicsDerivatives(theirs, data, q_pin, v_pin, 0.0 * v_pin)
    pin.updateFramePlacements(theirs, data)
    # for the mixed twist, Pinocchio's derivative in q is not that of the twist's components
    references = {"_mixed": "LOCAL_WORLD_ALIGNED", "": "LOCAL", "_world": "WORLD"}
    for suffix, reference in references.items():
        frame = getattr(pin.ReferenceFrame, reference)
        H = np.asarray(pin.getFrameKinematicHessian(theirs, data, index, frame))
        H = H.ravel().reshape(H.shape, order="F")  # its columns come labelled as rows
        H = np.concatenate((H[3:], H[:3]))
        expected = np.einsum("xab,aj,bi->xji", H, G, G)
        found = state.value(f"jacobian{suffix}.dq")
        assert_close(found, expected, what=f"Hessian{suffix} of {name}")
        V_q, V_v = pin.getFrameVelocityDerivatives(theirs, data, index, frame)
        for wrt, V in (("dv", V_v),) if suffix == "_mixed" else (("dq", V_q), ("dv", V_v)):
            found = state.value(f"twist{suffix}.{wrt}")
            assert_close(found, swap_order(V.T).T @ G, what=f"twist{suffix}.{wrt} of {name}")


# ------------------------------------------------------------------ as users meet them


@cache
def small_robot() -> Robot:
    return Robot(random_robot(12, 3, ("revolute", "spherical", "prismatic")))


def reference_of(robot: Robot, name: str, *arguments: np.ndarray) -> tuple[np.ndarray, ...]:
    """A derivative on a batch (one axis), by the interpreter."""
    kernel = robot.quantity(name).kernel
    columns = [
        x
        for a, core in zip(arguments, kernel.inputs, strict=True)
        for x in a.reshape(len(a), math.prod(core)).T
    ]
    flat = np.stack(
        [np.broadcast_to(x, len(arguments[0])) for x in interpreter.run(kernel.tape, columns)],
        axis=-1,
    )
    sizes = np.cumsum([math.prod(core) for core in kernel.outputs])[:-1]
    parts = np.split(flat, sizes, axis=-1)
    return tuple(x.reshape(-1, *core) for x, core in zip(parts, kernel.outputs, strict=True))


NAMES = (
    "inverse_dynamics.derivatives",
    "forward_dynamics.derivatives",
    "inverse_dynamics.dqq",
    "inverse_dynamics.hessian",
    "mass_matrix.dq",
    "christoffel",
)


@pytest.mark.parametrize("name", NAMES)
def test_compiled_batches_and_dtypes(name: str) -> None:
    robot = small_robot()
    quantity = robot.quantity(name)
    rng = np.random.default_rng(1)
    given = [random_argument(x, robot, rng, (11,)) for x in quantity.kernel.arguments]
    expected = reference_of(robot, name, *given)
    results = quantity(*given)
    results = results if isinstance(results, tuple) else (results,)
    single = quantity(*(x[3] for x in given))
    single = single if isinstance(single, tuple) else (single,)
    halves = quantity(*(x.astype(np.float32) for x in given))
    halves = halves if isinstance(halves, tuple) else (halves,)
    broadcast = quantity(given[0][:, None], *given[1:])
    broadcast = broadcast if isinstance(broadcast, tuple) else (broadcast,)
    for k, wanted in enumerate(expected):
        assert results[k].dtype == np.float64
        assert_close(results[k], wanted, 1e-11)
        assert_close(single[k], wanted[3], 1e-11)
        assert halves[k].dtype == np.float32
        assert_close(halves[k], wanted, 2e-3 if "forward" in name else 1e-4)
        if len(given) > 1:
            assert broadcast[k].shape == (11, *results[k].shape)
            assert_close(broadcast[k][range(11), range(11)], wanted, 1e-11)


def test_results_into_given_arrays() -> None:
    robot = small_robot()
    rng = np.random.default_rng(2)
    given = [random_argument(x, robot, rng, (5,)) for x in ("q", "v", "a")]
    n = robot.nv
    derivatives = robot.inverse_dynamics.derivatives
    out = (np.empty((5, n)), np.empty((5, n, n)), np.zeros((5, n, n, 2))[..., 0], None)
    results = derivatives(*given, out=out)
    assert all(x is y for x, y in zip(results[:3], out, strict=False))
    for x, y in zip(results, derivatives(*given), strict=True):
        np.testing.assert_array_equal(x, y)
    one = np.empty((5, n, n))
    assert robot.inverse_dynamics.dq(*given, out=one) is one
    assert_close(one, results[1])
    with pytest.raises((TypeError, ValueError)):
        derivatives(*given, out=out[:2])


def test_named_arguments() -> None:
    robot = small_robot()
    q, v, a, lam = (random_argument(x, robot, robot_rng()) for x in ("q", "v", "a", "lam"))
    hessian = robot.inverse_dynamics.hessian
    np.testing.assert_array_equal(hessian(q, v, lam=lam, a=a), hessian(q, v, a, lam))
    with pytest.raises(TypeError, match="argument 'lam' is missing"):
        hessian(q, v, a=a)
    with pytest.raises(ValueError, match=r"'lam' must have shape"):
        hessian(q, v, a, lam[:-1])


def robot_rng() -> np.random.Generator:
    return np.random.default_rng(5)


def test_unknown_derivatives_name_the_valid_ones() -> None:
    robot = small_robot()
    with pytest.raises(AttributeError, match=r"dt, dtt, dq, dqq, dpi, .*, rates\(order\)$"):
        robot.mass_matrix.dv  # noqa: B018
    with pytest.raises(AttributeError, match=r"dq, dv, da, dqq, dqv, dvv, daq, derivatives, hess"):
        robot.inverse_dynamics.dtau  # noqa: B018
    with pytest.raises(ValueError, match=r"no 'dqq'.* dt, dtt, dq, dv, dpi, dscrew"):
        robot.quantity("coriolis_matrix.dqq")
    with pytest.raises(AttributeError, match="dq"):
        robot.mass_matrix.dq.dq  # noqa: B018
    assert {"dq", "dv", "da", "dqq", "derivatives"} <= set(dir(robot.inverse_dynamics))
    with pytest.raises(ModelError, match="nowhere"):
        robot.quantity("frame(nowhere).jacobian.dq")


def test_quantities_by_name() -> None:
    robot = small_robot()
    assert robot.quantity("inverse_dynamics.dq") is robot.inverse_dynamics.dq
    assert robot.quantity("inverse_dynamics.derivatives") is robot.inverse_dynamics.derivatives
    tool = robot.frame("tool").jacobian.dq
    assert robot.quantity("frame(tool).jacobian.dq") is tool
    q = robot.random(0)
    state = State(robot.model)
    state.at["q"] = q
    assert_close(tool(q), state.value("jacobian.dq"))
    n = robot.nv
    assert robot.inverse_dynamics.dqq.kernel.outputs == ((n, n, n),)
    assert robot.inverse_dynamics.hessian.kernel.outputs == ((3 * n, 3 * n),)
    assert "Garofalo (24a)" in (robot.mass_matrix.dq.__doc__ or "")
    assert "(..., nv, nv, nv)" in (robot.mass_matrix.dq.__doc__ or "")


@needs_compiler
def test_exported_c(tmp_path: Path) -> None:
    robot = small_robot()
    names = ["inverse_dynamics.dq", "inverse_dynamics.derivatives", "mass_matrix.dqq"]
    paths = robot.export_c(tmp_path, names)
    built = library(tmp_path, paths)
    rng = np.random.default_rng(3)
    for name, function in zip(names, function_names(paths), strict=True):
        kernel = robot.quantity(name).kernel
        given = [random_argument(x, robot, rng, (1,)) for x in kernel.arguments]
        found = [np.full((1, *shape), np.nan) for shape in kernel.outputs]
        call(built[function], *given, *found)
        for x, y in zip(found, reference_of(robot, name, *given), strict=True):
            assert_close(x, y, what=name)


def test_casadi() -> None:
    pytest.importorskip("casadi")
    robot = small_robot()
    rng = np.random.default_rng(4)
    functions = robot.casadi()
    q, v, a = (random_argument(x, robot, rng) for x in ("q", "v", "a"))
    expected = reference_of(robot, "inverse_dynamics.derivatives", q[None], v[None], a[None])
    inverse = functions.inverse_dynamics
    assert_close(np.array(inverse.dq(q, v, a)), expected[1][0])
    assert_close(np.array(inverse.dv(q, v, a)), expected[2][0])
    several = functions.function("inverse_dynamics.derivatives")
    assert several.name_in() == ["q", "v", "a"]
    assert len(set(several.name_out())) == 4
    for x, y in zip(several(q, v, a), expected, strict=True):
        assert_close(np.array(x).reshape(y[0].shape), y[0])
    (tensor,) = reference_of(robot, "mass_matrix.dqq", q[None])
    n = robot.nv  # later axes are laid side by side
    assert_close(np.array(functions.mass_matrix.dqq(q)).reshape(n, n, n, n), tensor[0])
    with pytest.raises(AttributeError, match="dq"):
        functions.mass_matrix.dv  # noqa: B018


def test_kernels_of_lumped_trees_are_those_of_the_plain_one() -> None:
    """What `value` compares is what the kernel traces."""
    state = state_of("small")
    row = derivative(ROBOT["inverse_dynamics"], "dq")
    kernel = kernel_of(state.robot, row)
    given = [objects(state.at[x]) for x in row.arguments]
    plain = formula_result(kernel, state.robot.tree, *given).astype(float)
    assert_close(state.value("inverse_dynamics.dq"), plain)
    columns = [state.at[x][None] for x in row.arguments]
    (traced,) = reference_of(state.robot, row.name, *columns)
    assert_close(traced[0], plain)


def test_gallery_derivatives_compile() -> None:
    robot = jounce.load("franka")
    rng = np.random.default_rng(6)
    q, v, a = (random_argument(x, robot, rng, (4,)) for x in ("q", "v", "a"))
    tau, tau_q, tau_v, M = robot.inverse_dynamics.derivatives(q, v, a)
    for x, y in (
        (tau, robot.inverse_dynamics(q, v, a)),
        (tau_v, 2.0 * robot.coriolis_matrix(q, v)),
        (M, robot.mass_matrix(q)),
        (tau_q, robot.inverse_dynamics.dq(q, v, a)),
    ):
        assert_close(x, y)


def test_wrenches_move_with_their_bodies() -> None:
    """Derivatives with wrenches= are those without, less the derivatives of J^T w."""
    rng = np.random.default_rng(11)
    model = random_model(rng, 4, floating=True)
    robot = Robot(model)
    q, v, a = random_state(model, rng)
    w = rng.standard_normal((robot.nb, 6))
    inverse, forward = robot.inverse_dynamics, robot.forward_dynamics
    without = inverse.dq(q, v, a) - robot.external_forces.dq(q, w)
    assert_close(inverse.dq(q, v, a, wrenches=w), without)
    tau, by_q, by_v, M = inverse.derivatives(q, v, a, wrenches=w)
    assert_close(tau, inverse(q, v, a, wrenches=w))
    assert_close(by_q, without)
    assert_close(by_v, inverse.dv(q, v, a))
    found, a_q, a_v, inverse_M = forward.derivatives(q, v, tau, wrenches=w)
    bound = 1e-14 * np.linalg.cond(M)  # M is solved
    assert_close(found, a, bound)
    assert_close(a_q, -inverse_M @ by_q, bound)
    assert_close(a_v, -inverse_M @ by_v, bound)
    lam = rng.standard_normal(robot.nv)
    second = inverse.hessian(q, v, a, lam, wrenches=w)[: robot.nv, : robot.nv]
    assert_close(second, np.einsum("i,ijk->jk", lam, inverse.dqq(q, v, a, wrenches=w)))
