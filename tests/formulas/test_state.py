"""Derivatives in the state: of every row of the catalog, against what knows nothing of them.

The truth is the quantity's own formula on complex numbers (first order: a complex step along each
velocity), and on Taylor series of complex numbers (second order: a complex step of series that
expand the sines and quaternions of q themselves). Formulas run on floats here; a handful is
compiled. Tolerance: 1e-12 of the largest entry, 1e-15 cond(M) if that is more where M is solved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

import mpmath
import numpy as np
import pytest

from jounce.catalog import quantities
from jounce.catalog.charts import CONFIGURATION
from jounce.catalog.derivative import derivative, derivative_names
from jounce.catalog.quantity import AnyQuantity
from jounce.catalog.tables import FRAME, ROBOT
from jounce.formulas.motions import configuration_jets, time_derivatives
from jounce.math.jets import from_rates, rates_of
from jounce.math.spatial import bracket
from jounce.model.joints import KINDS
from jounce.model.model import Model
from jounce.model.tree import lower
from support.case import Case
from support.digits import digits, with_unit_quaternions
from support.helpers import (
    assert_close,
    objects,
    offered,
    parts_of,
    quiet_read,
    random_robot,
    slope,
    small_model,
    with_two_roots,
)
from support.robots import ALL_KINDS, SINGLE, rate

#: Of the state; configurations, and steps between them, have tests of their own.
ROWS = [
    row
    for row in quantities.QUANTITIES
    if not row.argument_definitions and CONFIGURATION not in row.charts
]

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
    "inverse_dynamics": ("derivatives", "hessian", "design", "design_product"),
    "forward_dynamics": ("derivatives", "design"),
    "driven_dynamics": ("derivatives",),
    "bias_forces": ("design",),
    "gravity_forces": ("design",),
}
REGRESSORS = tuple(f"slotine_li_regressor{x}" for x in ("", "_garofalo", "_mueller_kumar"))
WITHOUT_PARAMETERS = (
    "external_forces",
    "spring_forces",
    "joint_friction",
    "rates_from_velocity",
    "body_poses",
    "body_twists",
    "body_accelerations",
    "velocity_map",
    *REGRESSORS,
)
WITHOUT_GEOMETRY = (
    "joint_friction",
    "rates_from_velocity",
    "velocity_map",
    *REGRESSORS,
)
#: Of every quantity.
ALWAYS = ("dt", "dtt", "jvp", "vjp", "jvp_coordinates", "vjp_coordinates")


class State(Case):
    """A case whose values are those of the kernels, and what second derivatives need."""

    def __init__(self, model: Model, seed: int = 0) -> None:
        super().__init__(model, seed, lumped=True)

    def once(self, row: AnyQuantity, name: str, direction: np.ndarray) -> list[np.ndarray]:
        """Derivatives of a row's results along a direction of an argument."""
        moved = self.evaluate(row, **{name: self.moved(name, direction)})
        return [slope(x) for x in parts_of(row, moved)]

    def twice(self, row: AnyQuantity, first: str, second: str, direction: np.ndarray) -> np.ndarray:
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

    def floor(self, row: AnyQuantity) -> float:
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
    "kuka": lambda: quiet_read("iiwa14_mueller_kumar2021"),
}
#: Fewer degrees of freedom, every kind among them: for second derivatives, and those by rule.
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
        without_pi = row.name in WITHOUT_PARAMETERS or (row.of_frame and not row.inertial)
        dpi = () if without_pi else ("dpi",)
        geometry = () if row.name in WITHOUT_GEOMETRY else ("dscrew", "dplacement")
        own_frame = ("dframe",) if row.of_frame and geometry else ()
        expected = {*ALWAYS, *second, *together, *dpi, *geometry, *own_frame}
        assert set(names) - set(FIRST) == expected, row.name
        assert set(row.forms) <= set(names)
        for name in names:
            assert derivative(row, name).origin is row
        if row.has_charts:  # series would give derivatives of its entries
            assert all(row.forms[x].formula for x in names if x not in {*ALWAYS, "dframe"})


def test_what_a_row_has_not_is_said() -> None:
    for row, name in (("mass_matrix", "dtau"), ("joint_friction", "dscrew"), ("pose", "dpi")):
        with pytest.raises(ValueError, match=rf"{row} has no derivative '{name}'; .*dt, dtt"):
            derivative((ROBOT | FRAME)[row], name)


def test_one_derivative_is_one_row() -> None:
    """What dqv is to a quantity, dv is to its dq."""
    for row, suffix, first, second in second_rows():
        assert derivative(derivative(row, f"d{first}"), f"d{second}") is derivative(row, suffix)


def first_rows() -> Iterator[tuple[AnyQuantity, str, str]]:
    for row in ROWS:
        for name, argument in FIRST.items():
            if argument in row.arguments:
                yield row, name, argument


def second_rows() -> Iterator[tuple[AnyQuantity, str, str, str]]:
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
        if name not in FEW and not has_own_form(row, suffix):  # the rule is the same on each
            continue
        if not offered(state.robot, row, state.robot.model.frame_names[state.frame]):
            continue
        columns = [state.once(row, argument, unit) for unit in np.eye(state.nv)]
        truths = [np.stack(each, axis=-1) for each in zip(*columns, strict=True)]
        if row.has_charts:  # a rigid motion has six directions, not sixteen
            bent = np.linalg.inv(state.value(row.name)) @ np.moveaxis(truths[0], -1, 0)
            truths = [np.moveaxis(vee(bent), 0, -1)]
        by, title = derivative(row, suffix), f"{row.name}.{suffix}"
        found = parts_of(by, state.evaluate(by, lump=True))
        for tensor, truth in zip(found, truths, strict=True):
            assert_close(tensor, truth, state.tolerance(title), title, floor=state.floor(row))


def has_own_form(row: AnyQuantity, suffix: str) -> bool:
    return suffix in row.forms and row.forms[suffix].formula is not None


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
