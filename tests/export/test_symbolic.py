"""Robots on SymPy symbols: the printed torques, Lagrange's equations, simplification, LaTeX."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.formulas import dynamics
from jounce.io.gallery import planar_2r
from jounce.math.scalar import array
from jounce.model.model import Body, Joint, Model
from jounce.papers import lagrange, newton_euler
from jounce.robot import Robot
from support.helpers import assert_close, chain, random_argument, with_frames

sympy = pytest.importorskip("sympy")
from jounce.export.sympy import Result, SymbolicRobot  # noqa: E402
from jounce.export.trigonometry import exact, simplify  # noqa: E402

m1, m2, m3, L1, L2, g = sympy.symbols("m1 m2 m3 L1 L2 g")
PLANAR = {
    "link1.mass": m1,
    "link2.mass": m2,
    "link1.com.x": L1,
    "link2.com.x": L2,
    "joint2.x": L1,
    "frame(tool).x": L2,
    "gravity.y": -g,
}


def is_zero(x: Any) -> bool:
    """Whether an expression, or every entry of an array, simplifies to exactly 0."""
    entries = list(x) if np.iterable(x) else [x]
    return all(simplify(sympy.sympify(e)) == 0 for e in entries)


def planar(**options: Any) -> SymbolicRobot:
    return SymbolicRobot(jounce.load("planar_2r"), PLANAR, **options)


def arm(axes: str, offsets: Any) -> Robot:
    """Links of mass 1/2 with revolute joints about the axes named, general inertias."""
    bodies, joints = [], []
    for i, (axis, offset) in enumerate(zip(axes, offsets, strict=True)):
        T = np.eye(4)
        T[:3, 3] = offset
        direction = np.eye(3)["xyz".index(axis)]
        joints.append(Joint(f"joint{i + 1}", "revolute", i - 1, T, axis=direction))
        c = np.array((0.3, 0.1, 0.2))
        I = np.diag((0.1, 0.2, 0.25)) + 0.5 * (c @ c * np.eye(3) - np.outer(c, c))
        entries = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
        bodies.append(Body(f"link{i + 1}", np.array((0.5, *(0.5 * c), *entries))))
    return Robot(Model("arm", tuple(bodies), tuple(joints)))


ELBOW: dict[str, Any] = {"joint2.z": "h", "joint3.x": L2, "gravity.z": -g}
for i in (1, 2, 3):
    ELBOW |= {f"link{i}.mass": f"m{i}", f"link{i}.com.x": f"r{i}"}
    ELBOW |= {f"link{i}.com.y": 0, f"link{i}.com.z": 0}
    ELBOW |= {f"link{i}.inertia.{k}": f"I{i}{k}" for k in ("xx", "yy", "zz")}


def elbow() -> SymbolicRobot:
    """A spatial arm of three joints, 17 parameters as symbols."""
    return SymbolicRobot(arm("zyy", ((0, 0, 0), (0, 0, 0.3), (0.4, 0, 0))), ELBOW)


# ------------------------------------------------------------------ Mueller and Kumar, section 6.1


def printed_torques() -> tuple[list[Any], list[Any], list[Any]]:
    """tau, its first and its second time derivative as printed, dots restored."""
    q1, q2, v1, v2, a1, a2, j1, j2, k1, k2 = sympy.symbols("q1 q2 v1 v2 a1 a2 j1 j2 s1 s2")
    c1, s1, c2, s2 = sympy.cos(q1), sympy.sin(q1), sympy.cos(q2), sympy.sin(q2)
    c12, s12 = sympy.cos(q1 + q2), sympy.sin(q1 + q2)
    tau = [
        L1**2 * (m1 + m2) * a1
        + L2**2 * m2 * (a1 + a2)
        + L2 * g * m2 * c12
        + L1 * g * (m1 + m2) * c1
        + L1 * L2 * m2 * ((2 * a1 + a2) * c2 - (v2**2 + 2 * v1 * v2) * s2),
        L2 * m2 * (L1 * s2 * v1**2 + L2 * (a1 + a2) + g * c12 + L1 * a1 * c2),
    ]
    first = [
        L1**2 * (m1 + m2) * j1
        + L2**2 * m2 * (j1 + j2)
        - L2 * g * m2 * s12 * (v1 + v2)
        - L1 * g * (m1 + m2) * s1 * v1
        + L1 * L2 * m2 * ((2 * j1 + j2) * c2 - v2**3 * c2 - 2 * v1 * v2**2 * c2)
        - L1 * L2 * m2 * (4 * a1 * v2 + 2 * a2 * v1 + 3 * a2 * v2) * s2,
        L2 * m2 * (L2 * (j1 + j2) - g * s12 * (v1 + v2) + L1 * j1 * c2 + 2 * L1 * a1 * v1 * s2)
        + L2 * m2 * (-L1 * a1 * v2 * s2 + L1 * v1**2 * v2 * c2),
    ]
    second = [
        L1**2 * (m1 + m2) * k1
        + L2**2 * m2 * (k1 + k2)
        - L1 * g * (m1 + m2) * (v1**2 * c1 + a1 * s1)
        - L2 * g * m2 * ((a1 + a2) * s12 + (v1 + v2) ** 2 * c12)
        + L1 * L2 * m2 * ((2 * k1 + k2) * c2 - 3 * a2**2 * s2 + v2**4 * s2)
        + L1 * L2 * m2 * (2 * v1 * v2**3 - 6 * a1 * a2 - 6 * j1 * v2 - 2 * j2 * v1) * s2
        - L1 * L2 * m2 * 4 * j2 * v2 * s2
        - L1 * L2 * m2 * 6 * (a1 * v2**2 + a2 * v2**2 + a2 * v1 * v2) * c2,
        -L2 * m2 * (-L2 * (k1 + k2) + g * (v1 + v2) ** 2 * c12 + g * (a1 + a2) * s12)
        - L2 * m2 * L1 * (-k1 * c2 - 2 * a1**2 * s2 + v1**2 * v2**2 * s2 + a1 * v2**2 * c2)
        - L2 * m2 * L1 * (-2 * j1 * v1 * s2 + 2 * j1 * v2 * s2 + a1 * a2 * s2)
        - L2 * m2 * L1 * (-a2 * v1**2 * c2 - 4 * a1 * v1 * v2 * c2),
    ]
    return tau, first, second


def test_printed_torques_of_mueller_and_kumar() -> None:
    sym = planar()
    ours = (sym.inverse_dynamics(), sym.inverse_dynamics.dt(), sym.inverse_dynamics.dtt())
    for derived, printed in zip(ours, printed_torques(), strict=True):
        assert is_zero(derived - sympy.Matrix(printed))
        assert not is_zero(derived - 2 * sympy.Matrix(printed))
    for derived, printed in zip(sym.inverse_dynamics.rates(2)(), printed_torques(), strict=True):
        assert is_zero(derived - sympy.Matrix(printed))


# ------------------------------------------------------------------ Lagrange


def test_lagrange_of_the_planar_arm() -> None:
    sym = planar()
    tau = sym.evaluate(lagrange.lagrange_equations, sym.q, sym.v, sym.a)
    assert is_zero(tau - sym.inverse_dynamics())
    assert is_zero(tau - sym.evaluate(newton_euler.inverse_dynamics, sym.q, sym.v, sym.a))


def test_lagrange_of_a_spatial_arm() -> None:
    sym = elbow()
    tau = sym.evaluate(lagrange.lagrange_equations, sym.q, sym.v, sym.a)
    assert is_zero(tau - sym.inverse_dynamics())


def _examples() -> dict[str, tuple[Any, Any]]:
    """Robot and solution of the lecture's examples, on symbols."""
    phi, I1, I2 = sympy.symbols("phi I1 I2")
    q, v = (array(sympy.symbols(f"{x}1 {x}2 {x}3")) for x in "qv")
    M2, M3, L = (m1, m2), (m1, m2, m3), (L1, L2)
    level = lagrange.bent_link_upright(q, M2, L, phi, g)
    return {
        "1": (lagrange.bent_link_tree(M2, L, phi, g), lagrange.bent_link(M2, L, phi)),
        "1, level": (lagrange.bent_link_upright_tree(M2, L, phi, g), level),
        "2": (lagrange.planar_2r_tree(M2, L, g), lagrange.planar_2r(q, v, M2, L, g)),
        "3": (
            lagrange.planar_rp_tree(M2, (I1, I2), L1, g),
            lagrange.planar_rp(q, v, M2, (I1, I2), L1, g),
        ),
        "4": (lagrange.cartesian_ppp_tree(M3, g), lagrange.cartesian_ppp(M3, g)),
    }


@pytest.mark.parametrize("number", ["1", "1, level", "2", "3", "4"])
def test_examples_of_the_lecture(number: str) -> None:
    """Lagrange, Newton-Euler and the library's own formulas give the examples' solutions."""
    tree, (M, c, gravity) = _examples()[number]
    q, v, a = (array(sympy.symbols(" ".join(f"{x}{i}" for i in (1, 2, 3)))) for x in "qva")
    q, v, a = q[: tree.nv], v[: tree.nv], a[: tree.nv]
    found = lagrange.lagrange_dynamics(tree, q, v)
    for derived, solution in zip(found, (M, c, gravity), strict=True):
        assert is_zero((derived - solution).flat)
    tau = M @ a + c + gravity
    assert is_zero(lagrange.lagrange_equations(tree, q, v, a) - tau)
    assert is_zero(newton_euler.inverse_dynamics(tree, q, v, a) - tau)
    assert is_zero(newton_euler.closed_form(tree, q, v, a).tau - tau)
    assert is_zero(dynamics.inverse_dynamics(tree, q, v, a) - tau)
    assert is_zero((dynamics.mass_matrix(tree, q) - M).flat)


# ------------------------------------------------------------------ the same quantities as compiled

KINDS = (
    ("revolute", "prismatic"),
    ("helical", "cylindrical"),
    ("universal",),
    ("planar", "revolute"),
    ("spherical", "revolute"),
    ("free",),
)
NAMES = (
    "inverse_dynamics",
    "mass_matrix",
    "coriolis_matrix",
    "potential_energy",
    "center_of_mass",
    "joint_friction",
    "mass_matrix.dt",
    "frame(tool).pose",
    "frame(tool).jacobian.dt",
)


def symbolic_of(sym: SymbolicRobot, name: str) -> Any:
    owner: Any = sym
    if name.startswith("frame("):
        owner, name = sym.frame("tool"), name.partition(").")[2]
    for part in name.split("."):
        owner = getattr(owner, part)
    return owner


@pytest.mark.parametrize("kinds", KINDS, ids="-".join)
def test_values(kinds: tuple[str, ...]) -> None:
    """Every kind of joint, with drives, friction, tools: the expressions have the same values."""
    robot = Robot(with_frames(chain(kinds, seed=3), np.random.default_rng(4)))
    sym = SymbolicRobot(robot)
    rng = np.random.default_rng(5)
    for name in NAMES:
        quantity = robot.quantity(name)
        arguments = [random_argument(n, robot, rng) for n in quantity.kernel.arguments]
        symbols = [list(sym.symbols(n)) for n in quantity.kernel.arguments]
        result = symbolic_of(sym, name)()
        value = sympy.lambdify(symbols, result.value, cse=True)(*arguments)
        expected = quantity(*arguments)
        assert_close(np.reshape(value, expected.shape), expected, 1e-11, name)


def test_parameters_take_other_values() -> None:
    numbers = {m1: 0.7, m2: 1.3, L1: 0.45, L2: 0.3, g: 3.71}
    model = planar_2r(0.45, 0.3, 0.7, 1.3, gravity=(0.0, -3.71, 0.0))
    other, sym = Robot(model), planar()
    assert sym.values == {m1: 1, m2: 1, L1: 1, L2: 1, g: exact(9.81)}
    q, v, a = np.random.default_rng(1).normal(size=(3, 2))
    state = dict(zip((*sym.q, *sym.v, *sym.a), (*q, *v, *a), strict=True))

    def value(x: Result) -> np.ndarray:
        return np.array(x.subs(numbers).subs(state), dtype=float)

    tau = sym.inverse_dynamics()
    assert_close(value(tau).ravel(), other.inverse_dynamics(q, v, a))
    assert_close(value(tau.simplified()).ravel(), other.inverse_dynamics(q, v, a))
    assert_close(value(sym.frame("tool").pose()), other.frame("tool").pose(q))
    energy = sym.kinetic_energy().simplified().subs(numbers).subs(state)
    assert_close(float(energy), other.kinetic_energy(q, v))


def test_identities_of_a_spatial_arm() -> None:
    """dM/dt = C + C^T and M M^-1 = 1 exactly, and the simplify M is a short one."""
    sym = elbow()
    C = sym.coriolis_matrix()
    assert is_zero(sym.mass_matrix.dt() - C.value - C.value.T)
    M = sym.mass_matrix()
    short = M.simplified()
    assert is_zero(M - short)
    assert sympy.count_ops(short.value) < 0.8 * sympy.count_ops(M.value)
    flat = planar()
    product = flat.mass_matrix() @ flat.mass_matrix_inverse()
    assert is_zero(product - sympy.eye(2))
    back = flat.forward_dynamics(tau=flat.inverse_dynamics())
    assert is_zero(back - flat.a)


def test_wrenches_and_given_arguments() -> None:
    sym = planar()
    w = sym.symbols("wrenches")
    pushed = sym.inverse_dynamics(wrenches=w)
    external = sym.external_forces(w=w)
    assert is_zero(pushed - sym.inverse_dynamics() + external.value)
    still = sym.inverse_dynamics(v=0, a=[0, 0])
    assert is_zero(still - sym.gravity_forces())
    upright = sym.gravity_forces([sympy.pi / 2, 0])
    assert upright.value == sympy.zeros(2, 1)
    with pytest.raises(TypeError, match="q, v, a"):
        sym.inverse_dynamics(x=1)
    with pytest.raises(ValueError, match="argument 'q'"):
        sym.inverse_dynamics([1, 2, 3])


def test_functions_of_time() -> None:
    """With q1(t), ... SymPy's derivative of the torques is ours."""
    t = sympy.Symbol("t")
    sym = planar(time=t)
    tau = sym.inverse_dynamics()
    assert is_zero(tau.diff(t) - sym.inverse_dynamics.dt().value)
    assert is_zero(tau.diff(t, 2) - sym.inverse_dynamics.dtt().value)
    assert r"\dddot{q}_{1}" in sym.inverse_dynamics.dt().simplified().latex()
    assert sym.v[0] == sym.q[0].diff(t)


# ------------------------------------------------------------------ simplification and LaTeX


def test_collected_forms() -> None:
    q1, q2, q3, q4 = sympy.symbols("q1:5")
    s, c = sympy.sin, sympy.cos
    cases = {
        c(q1) * c(q2) - s(q1) * s(q2): c(q1 + q2),
        s(q1) * c(q2 + q3) + c(q1) * (s(q2) * c(q3) + c(q2) * s(q3)): s(q1 + q2 + q3),
        1 - s(q1) ** 2: c(q1) ** 2,
        m1 * (L1 * c(q2) + L2 * c(q2) * c(q3) - L2 * s(q2) * s(q3)) ** 2: m1
        * (L1 * c(q2) + L2 * c(q2 + q3)) ** 2,
        c(q1) * c(q2) * c(q3) - s(q1) * s(q3): c(q1) * c(q2) * c(q3) - s(q1) * s(q3),
        0.5 * L1 + 0.25 * L1: 3 * L1 / 4,
        sympy.sqrt(6) * s(q1) / (sympy.sqrt(2) * L1): sympy.sqrt(3) * s(q1) / L1,
        s(q1 / 2) * c(q1 / 2): s(q1) / 2,
        L1 / (L1 * m1 + L2 * m1) + L2 / (L1 * m1 + L2 * m1): 1 / m1,
        c(q4 + 0.25) ** 2 + s(q4 + 0.25) ** 2: 1,
        sympy.sqrt(L1) * s(q1) ** 2 + sympy.sqrt(L1) * c(q1) ** 2: sympy.sqrt(L1),
    }
    for given, short in cases.items():
        assert simplify(given) == short
    assert simplify(sympy.Matrix([[s(q1) ** 2 + c(q1) ** 2]])) == sympy.eye(1)
    array3 = sympy.Array([[[s(q1) ** 2 + c(q1) ** 2]]])
    assert simplify(array3) == sympy.Array([[[1]]])


def test_random_polynomials_keep_their_value() -> None:
    rng = np.random.default_rng(8)
    q = sympy.symbols("q1:4")
    waves = [f(x) for f in (sympy.sin, sympy.cos) for x in (*q, q[0] + q[1], q[1] - 2 * q[2])]
    atoms = [*waves, L1, m1, sympy.sqrt(2)]
    numbers = dict(zip((*q, L1, m1), rng.normal(size=5), strict=True))
    for _ in range(12):
        terms = []
        for _ in range(6):
            factors = rng.choice(len(atoms), size=4)
            terms.append(int(rng.integers(-3, 4)) * sympy.Mul(*(atoms[i] for i in factors)))
        given = sympy.Add(*terms)
        short = simplify(given)
        assert_close(complex(short.subs(numbers)), complex(given.subs(numbers)), 1e-12)
        assert simplify(short) == short
        assert is_zero(given - short)


def test_exact_numbers() -> None:
    Q = sympy.Rational
    assert [exact(x) for x in (0.5, 1.0, 0.1 + 0.2, 1 / 3)] == [Q(1, 2), 1, Q(3, 10), Q(1, 3)]
    assert exact(-9.80665) == Q(-980665, 100000)
    x = 0.123456789012345678
    assert float(exact(x)) == x


def test_roots_in_placements() -> None:
    """A joint tilted by 45 degrees gives an exact rotation."""
    T = np.eye(4)
    T[:3, :3] = [[1, 0, 0], [0, np.sqrt(0.5), -np.sqrt(0.5)], [0, np.sqrt(0.5), np.sqrt(0.5)]]
    robot = arm("z", [(0, 0, 0)])
    joints = (replace(robot.model.joints[0], placement=T),)
    R = SymbolicRobot(Robot(replace(robot.model, joints=joints))).frame("link1").pose()[:3, :3]
    assert is_zero(R * R.T - sympy.eye(3))
    assert R[2, 2] == sympy.sqrt(2) / 2


def test_latex() -> None:
    sym = planar()
    assert sym.potential_energy().simplified().latex() == (
        r"g \left(L_{1} \left(m_{1} + m_{2}\right) s_{1} + L_{2} m_{2} s_{12}\right)"
    )
    tau = sym.inverse_dynamics().simplified().latex()
    for part in (r"\ddot{q}_{1}", r"\dot{q}_{2}", "c_{12}", "s_{2}", "c_{1}"):
        assert part in tau
    assert r"\ddddot{q}_{2}" in sym.inverse_dynamics.dtt().simplified().latex()
    assert r"\dot{\tau}_{1}" in sym.forward_dynamics.dt().latex()
    assert "c_{1}^{2}" in Result(sympy.cos(sym.q[0]) ** 2, sym.names).latex()
    assert r"\cos{\left(2 q_{1} \right)}" in Result(sympy.cos(2 * sym.q[0]), sym.names).latex()
    named = planar(names="joints")
    assert str(named.q[0]) == "q_joint1"
    assert r"c_{\mathrm{joint2}}" in named.mass_matrix().latex()
    assert sym.mass_matrix()._repr_latex_().startswith("$")


def test_results_behave_as_sympy() -> None:
    sym = planar()
    M = sym.mass_matrix()
    assert M.shape == (2, 2)
    assert sympy.sympify(M) == M.value == M
    assert M[1, 1] == L2**2 * m2
    assert len(list(M)) == len(M) == 4
    assert (-M + M).value == sympy.zeros(2, 2)
    assert hash(M) == hash(M.value)
    assert repr(M) == repr(M.value)
    assert L1 in M.free_symbols


def test_wrong_names() -> None:
    robot = jounce.load("planar_2r")
    with pytest.raises(jounce.ModelError, match=r"link1\.mass"):
        SymbolicRobot(robot, {"link1.mas": m1})
    with pytest.raises(ValueError, match="joints"):
        SymbolicRobot(robot, names="letters")
    sym = SymbolicRobot(robot)
    with pytest.raises(AttributeError, match="mass_matrix"):
        _ = sym.mass
    with pytest.raises(jounce.ModelError, match="tool"):
        sym.frame("tol")
    with pytest.raises(ValueError, match="tau"):
        sym.symbols("x")
    assert "inverse_dynamics" in dir(sym)
    assert "inverse_dynamics" in repr(sym.inverse_dynamics)


def test_missing_sympy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sympy", None)
    monkeypatch.delitem(sys.modules, "jounce.export.sympy")
    with pytest.raises(ImportError, match=r"jounce\[symbolic\]"):
        __import__("jounce.export.sympy")
