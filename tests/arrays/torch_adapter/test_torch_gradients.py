"""Gradients of any order on tensors: torch.autograd, torch.func, and those of NumPy's pullbacks."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from jounce.arrays.frameworks.operators import operator
from jounce.robot import Robot
from support.contacts import Standing, with_contacts
from support.helpers import (
    assert_close,
    chain,
    quantity,
    random_argument,
    random_arguments,
    small_model,
    with_frames,
)
from support.mechanisms import State, mechanism
from support.robots import random_model

torch = pytest.importorskip("torch", reason="PyTorch, a large package, is not installed")

#: PyTorch's own, when it first differentiates forwards.
pytestmark = [
    pytest.mark.frameworks,
    pytest.mark.filterwarnings("ignore:`torch.jit.script:DeprecationWarning"),
]


@cache
def arm() -> Robot:
    """Joints with and without quaternions, and a tool."""
    model = chain(("revolute", "spherical"))
    return Robot(with_frames(model, np.random.default_rng(1)))


@cache
def floating() -> Robot:
    return Robot(with_frames(chain(("free", "revolute")), np.random.default_rng(1)))


@cache
def small() -> Robot:
    return Robot(small_model())


def tensors(*arrays: Any) -> list[Any]:
    return [torch.tensor(np.asarray(x), dtype=torch.float64) for x in arrays]


def learnt(*arrays: Any) -> list[Any]:
    return [x.requires_grad_() for x in tensors(*arrays)]


def given(robot: Robot, name: str, *batch: int) -> list[np.ndarray]:
    """Arguments of a quantity of a robot."""
    return random_arguments(getattr(robot, name).kernel, robot, np.random.default_rng(2), batch)


def results(found: Any) -> tuple[Any, ...]:
    return found if isinstance(found, tuple) else (found,)


def weighted(found: Any) -> Any:
    """A sum in which all entries count differently."""
    return sum((torch.sin(torch.arange(x.numel()).view(x.shape)) * x).sum() for x in results(found))


# ------------------------------------------------------------------ beside NumPy's pullbacks

NAMES = (
    "inverse_dynamics",
    "forward_dynamics",
    "mass_matrix",
    "kinetic_energy",
    "integrate",
    "step",
    "body_poses",
    "coriolis_matrix",
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("robot", [arm, floating])
def test_gradients_are_those_of_the_pullback(robot, name):
    values = given(robot(), name, 2)
    leaves = learnt(*values)
    found = results(getattr(robot().torch, name)(*leaves))
    lam = [np.random.default_rng(3).normal(size=tuple(x.shape)) for x in found]
    torch.autograd.backward(found, tensors(*lam))
    expected = getattr(robot(), name).vjp(*values, *lam, coordinates=True)
    for x, y in zip(leaves, expected, strict=True):
        assert_close(x.grad, y, 1e-11, name)


def test_gradients_of_mechanisms_and_contacts():
    at = State(mechanism("floating"))
    values = [at[name] for name in ("q", "v", "a")]
    leaves = learnt(*values)
    lam = np.random.default_rng(3).normal(size=at.closed.nv)
    at.closed.torch.inverse_dynamics(*leaves).backward(torch.tensor(lam))
    expected = at.closed.inverse_dynamics.vjp(*values, lam, coordinates=True)
    for x, y in zip(leaves, expected, strict=True):
        assert_close(x.grad, y, 1e-10)
    rng = np.random.default_rng(0)
    model = with_contacts(random_model(rng, 2, ("revolute", "spherical")), rng, "point")
    standing = Standing(model)
    values = [standing.q, standing.v, standing.tau]
    leaves = learnt(*values)
    found = results(standing.contacts.torch.forward_dynamics(*leaves))
    lam = [rng.normal(size=tuple(x.shape)) for x in found]
    torch.autograd.backward(found, tensors(*lam))
    expected = standing.contacts.forward_dynamics.vjp(*values, *lam, coordinates=True)
    for x, y in zip(leaves, expected, strict=True):
        assert_close(x.grad, y, 1e-9)


def test_gradients_in_everything_a_call_takes():
    robot = arm()
    q, v, a = given(robot, "inverse_dynamics", 2)
    rng = np.random.default_rng(5)
    twist, rate, w, tool = *rng.normal(size=(2, 6)), rng.normal(size=(2, robot.nb, 6)), np.ones(6)
    tau = robot.torch.inverse_dynamics
    moving = lambda *x: tau(*x[:3], wrenches=x[3], base_twist=x[4], base_acceleration=x[5])  # noqa: E731
    assert torch.autograd.gradcheck(moving, learnt(q, v, a, w, twist, rate))
    by_frame = lambda *x: tau(*x[:3], wrenches={"tool": x[3]})  # noqa: E731
    assert torch.autograd.gradcheck(by_frame, learnt(q, v, a, tool))
    numbers = robot.morphable.now
    assert torch.autograd.gradcheck(
        robot.torch.parametric.inverse_dynamics, learnt(q, v, a, numbers[0])
    )
    assert torch.autograd.gradcheck(
        robot.torch.morphable.inverse_dynamics, learnt(q[0], v[0], a[0], *numbers)
    )
    rk4 = lambda *x: robot.torch.step(*x, method="rk4")  # noqa: E731
    assert torch.autograd.gradcheck(rk4, learnt(q, v, a, 0.05))
    assert torch.autograd.gradcheck(tau.rates(1), learnt(q, v, a, a))
    assert torch.autograd.gradcheck(tau.dq, learnt(q[0], v[0], a[0]))


def test_tangents():
    robot = floating()
    q, v, a = given(robot, "inverse_dynamics", 2)
    lam = np.random.default_rng(3).normal(size=(2, robot.nv))
    Q, V, A, L, step = *tensors(q, v, a, lam), *learnt(np.zeros((2, robot.nv)))
    found = robot.torch.tangent.inverse_dynamics(Q, V, A, step)
    assert_close(found.detach(), robot.inverse_dynamics(q, v, a))
    found.backward(L)
    expected = robot.inverse_dynamics.vjp(q, v, a, lam)[0]
    assert_close(step.grad, expected, 1e-11)
    Q.requires_grad_()
    (gradient,) = torch.autograd.grad(robot.torch.inverse_dynamics(Q, V, A), Q, L)
    assert_close(robot.torch.tangent.gradient(Q, gradient).detach(), expected, 1e-11)
    by_name = robot.torch.tangent.inverse_dynamics(Q, V, A, dq=step)
    assert torch.equal(by_name, found)
    with pytest.raises(TypeError, match="argument 'dq' is missing, the velocity that moves"):
        robot.torch.tangent.inverse_dynamics(Q, V, A)


# ------------------------------------------------------------------ torch.autograd


def check(function: Any, leaves: list[Any]) -> None:
    """First and second derivatives, backwards and forwards, batched too."""
    assert torch.autograd.gradcheck(
        function,
        leaves,
        check_forward_ad=True,
        check_batched_grad=True,
        check_batched_forward_grad=True,
    )
    assert torch.autograd.gradgradcheck(function, leaves, check_batched_grad=True)


@pytest.mark.parametrize("name", ["inverse_dynamics", "forward_dynamics", "kinetic_energy"])
def test_gradcheck(name):
    check(getattr(arm().torch, name), learnt(*given(arm(), name)))


def every() -> list[tuple[str, str]]:
    """All quantities of a robot and of its frames, by name."""
    frame = floating().frame("tool")
    own = [("robot", name) for name in floating().definitions]
    return [*own, *(("frame", name) for name in frame.definitions if not name.startswith("task_"))]


@pytest.mark.slow
@pytest.mark.parametrize("robot", [arm, floating])
@pytest.mark.parametrize("of", every())
def test_gradcheck_of_every_quantity(robot, of):
    table, name = of
    owner = robot() if table == "robot" else robot().frame("tool")
    surface = robot().torch if table == "robot" else robot().torch.frame("tool")
    rng = np.random.default_rng(4)
    values = random_arguments(operator(getattr(owner, name)).kernel, robot(), rng)
    if name == "difference":
        values[1] = robot().integrate(values[0], 0.3 * rng.normal(size=robot().nv))
    function, leaves = getattr(surface, name), learnt(*values)
    assert torch.autograd.gradcheck(function, leaves, check_forward_ad=True)
    fast = torch.autograd.gradgradcheck(function, leaves, fast_mode=True)
    assert fast


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(arm().parametric.definitions))
def test_gradcheck_in_parameters(name):
    robot = arm()
    pi = robot.model.parameters
    row = robot.parametric.definitions[name]
    rng = np.random.default_rng(4)
    names = [x for x in row.arguments if x != "pi"]
    values = [random_argument(x, robot, rng, own=row.argument_definitions.get(x)) for x in names]
    function = getattr(robot.torch.parametric, name)
    assert row.arguments[-1] == "pi"
    assert torch.autograd.gradcheck(function, learnt(*values, pi), check_forward_ad=True)
    assert torch.autograd.gradgradcheck(function, learnt(*values, pi), fast_mode=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["inverse_dynamics", "forward_dynamics", "mass_matrix", "kinetic_energy", "step"]
)
def test_gradcheck_of_mechanisms(name):
    at = State(mechanism("floating"))
    quantity = getattr(at.closed, name)
    values = [0.01 if x == "h" else at[x] for x in quantity.definition.arguments]
    function = getattr(at.closed.torch, name)
    assert torch.autograd.gradcheck(function, learnt(*values), check_forward_ad=True, atol=1e-4)
    assert torch.autograd.gradgradcheck(function, learnt(*values), fast_mode=True, atol=1e-3)


def test_only_wanted_gradients_are_computed(monkeypatch):
    from jounce.arrays.frameworks import operators

    robot = arm()
    asked = []
    pull = operators.Operator.vjp
    monkeypatch.setattr(
        operators.Operator, "vjp", lambda self, wanted: asked.append(wanted) or pull(self, wanted)
    )
    q, v, a = tensors(*given(robot, "inverse_dynamics", 2))
    v.requires_grad_()
    robot.torch.inverse_dynamics(q, v, a).sum().backward()
    assert asked == [(1,)]
    assert q.grad is None


def test_broadcast_arguments_get_gradients_of_their_shapes():
    robot = arm()
    q, v, a = given(robot, "inverse_dynamics", 4)
    Q, V, A = learnt(q[0], v[:, None], a[None, :, :])
    found = robot.torch.inverse_dynamics(Q, V, A)
    assert found.shape == (4, 4, robot.nv)
    found.square().sum().backward()
    wide = learnt(
        np.broadcast_to(q[0], (4, 4, robot.nq)),
        np.broadcast_to(v[:, None], (4, 4, robot.nv)),
        np.broadcast_to(a, (4, 4, robot.nv)),
    )
    robot.torch.inverse_dynamics(*wide).square().sum().backward()
    assert_close(Q.grad, wide[0].grad.sum((0, 1)), 1e-11)
    assert_close(V.grad, wide[1].grad.sum(1, keepdim=True), 1e-11)
    assert_close(A.grad, wide[2].grad.sum(0, keepdim=True), 1e-11)


def test_some_results_alone_are_differentiated():
    robot = arm()
    values = [*given(robot, "step", 2)]
    leaves = learnt(*values)
    weighted(robot.torch.step(*leaves)[1]).backward()
    again = learnt(*values)
    q, v = robot.torch.step(*again)
    (weighted(v) + 0.0 * weighted(q)).backward()
    for x, y in zip(leaves, again, strict=True):
        assert_close(x.grad, y.grad)


def test_changes_in_place_are_noticed():
    robot = arm()
    q, v, a = learnt(*given(robot, "inverse_dynamics", 2))
    moved = v * 1.0
    tau = robot.torch.inverse_dynamics(q, moved, a)
    moved += 1.0
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        tau.sum().backward()


def test_no_gradient_where_none_is_asked_for():
    robot = arm()
    leaves = learnt(*given(robot, "inverse_dynamics", 2))
    with torch.no_grad():
        assert not robot.torch.inverse_dynamics(*leaves).requires_grad
    with torch.inference_mode():
        assert not robot.torch.inverse_dynamics(*leaves).requires_grad
    assert robot.torch.inverse_dynamics(*leaves).requires_grad
    module = torch.nn.Linear(robot.nv, robot.nv, dtype=torch.float64)
    q, v, a = (x.detach() for x in leaves)
    module(robot.torch.inverse_dynamics(q, v, a)).sum().backward()


def test_single_precision():
    robot = arm()
    values = given(robot, "inverse_dynamics", 2)
    narrow = [x.detach().float().requires_grad_() for x in tensors(*values)]
    wide = learnt(*values)
    for leaves in (narrow, wide):
        robot.torch.inverse_dynamics(*leaves).square().sum().backward()
    for x, y in zip(narrow, wide, strict=True):
        assert x.grad.dtype == torch.float32
        assert_close(x.grad, y.grad, 1e-4)


def test_mixed_precision_keeps_each_gradients_own():
    robot = arm()
    q, v, a = tensors(*given(robot, "inverse_dynamics", 2))
    v = v.float().requires_grad_()
    robot.torch.inverse_dynamics(q, v, a).sum().backward()
    assert v.grad.dtype == torch.float32


def test_gradients_of_batched_gradients():
    robot = arm()
    q, v, a = learnt(*given(robot, "inverse_dynamics"))
    tau = robot.torch.inverse_dynamics(q, v, a)
    found = torch.autograd.grad(tau, v, torch.eye(robot.nv).double(), is_grads_batched=True)[0]
    assert_close(found, robot.inverse_dynamics.dv(*(x.detach().numpy() for x in (q, v, a))), 1e-11)
    jacobian = torch.autograd.functional.jacobian
    of_v = lambda x: robot.torch.inverse_dynamics(q.detach(), x, a.detach())  # noqa: E731
    assert_close(jacobian(of_v, v, vectorize=True), found, 1e-11)
    forwards = jacobian(of_v, v, vectorize=True, strategy="forward-mode")
    assert_close(forwards.detach(), found, 1e-11)


# ------------------------------------------------------------------ torch.func


def test_vmap_is_one_call(monkeypatch):
    from jounce.arrays.torch_adapter import operations

    robot = arm()
    calls = []
    values = operations.values
    monkeypatch.setattr(operations, "values", lambda f, x: calls.append(f) or values(f, x))
    q, v, a = tensors(*given(robot, "inverse_dynamics", 5))
    tau, vmap = robot.torch.inverse_dynamics, torch.func.vmap
    expected = robot.inverse_dynamics(*(x.numpy() for x in (q, v, a)))
    assert_close(vmap(tau)(q, v, a), expected)
    assert_close(vmap(tau, in_dims=(0, 1, 1), out_dims=1)(q, v.T, a.T).T, expected)
    assert len(calls) == 2
    one = vmap(tau, in_dims=(None, 0, None))(q[0], v, a[0])
    assert_close(one[3], tau(q[0], v[3], a[0]))
    nested = vmap(vmap(tau, in_dims=(None, 0, None)), in_dims=(0, None, None))(q, v, a[0])
    assert nested.shape == (5, 5, robot.nv)
    assert_close(nested[2, 4], tau(q[2], v[4], a[0]))
    assert len(calls) == 4
    batched = vmap(tau, in_dims=(None, 0, None))(q, v[:, None], a)  # beside other batch axes
    assert_close(batched[1, 2], tau(q[2], v[1], a[2]))


def test_jacobians_and_hessians():
    robot = arm()
    q, v, a = tensors(*given(robot, "inverse_dynamics"))
    tau, func = robot.torch.inverse_dynamics, torch.func
    of_v = lambda x: tau(q, x, a)  # noqa: E731
    expected = robot.inverse_dynamics.dv(q.numpy(), v.numpy(), a.numpy())
    for jacobian in (func.jacrev, func.jacfwd):
        assert_close(jacobian(of_v)(v), expected, 1e-11)
    cost = lambda x: tau(x, v, a).square().sum()  # noqa: E731
    found = [
        func.hessian(cost)(q),
        func.jacfwd(func.jacfwd(cost))(q),
        func.jacrev(func.jacrev(cost))(q),
        func.jacrev(func.jacfwd(cost))(q),
        torch.autograd.functional.hessian(cost, q),
    ]
    for other in found[1:]:
        assert_close(other, found[0], 1e-11)
    third = func.jacfwd(func.hessian(lambda x: tau(q, x, a).sum() ** 2))(v)
    assert third.shape == (robot.nv,) * 3


@pytest.mark.filterwarnings("ignore:Attempted to insert a get_attr")  # of linearize
def test_transforms_compose():
    robot = arm()
    q, v, a = tensors(*given(robot, "inverse_dynamics", 3))
    tau, func = robot.torch.inverse_dynamics, torch.func
    cost = lambda q, v, a: tau(q, v, a).square().sum()  # noqa: E731
    each = func.vmap(func.grad(cost, argnums=(0, 1)))(q, v, a)
    every = func.grad(cost, argnums=(0, 1))(q, v, a)
    for x, y in zip(each, every, strict=True):
        assert_close(x, y, 1e-11)
    value, tangent = func.jvp(tau, (q, v, a), (q, v, a))
    weights = func.vjp(tau, q, v, a)[1](value)
    dot = sum((x * y).sum() for x, y in zip(weights, (q, v, a), strict=True))
    assert_close(dot, (tangent * value).sum(), 1e-11)
    linear = func.linearize(lambda x: tau(q, x, a), v)[1]
    assert_close(linear(v), func.jvp(lambda x: tau(q, x, a), (v,), (v,))[1], 1e-11)


def test_functional_call_of_a_module():
    robot = arm()
    q, v, _ = tensors(*given(robot, "inverse_dynamics", 3))

    class Feedback(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.gain = torch.nn.Linear(robot.nv, robot.nv, dtype=torch.float64)

        def forward(self, q: Any, v: Any) -> Any:
            return robot.torch.forward_dynamics(q, v, self.gain(v))

    module = Feedback()
    numbers = {name: x.detach() for name, x in module.named_parameters()}

    def cost(numbers: Any, q: Any, v: Any) -> Any:
        return torch.func.functional_call(module, numbers, (q, v)).square().sum()

    each = torch.func.vmap(torch.func.grad(cost), in_dims=(None, 0, 0))(numbers, q, v)
    module(q, v).square().sum().backward()
    for name, x in module.named_parameters():
        assert_close(each[name].sum(0), x.grad, 1e-10)


def test_forward_derivatives_by_hand():
    from torch.autograd import forward_ad

    robot = arm()
    q, v, a = tensors(*given(robot, "inverse_dynamics", 2))
    with forward_ad.dual_level():
        found = robot.torch.inverse_dynamics(q, forward_ad.make_dual(v, a), a)
        tangent = forward_ad.unpack_dual(found).tangent
    expected = robot.inverse_dynamics.dv(*(x.numpy() for x in (q, v, a)))
    assert_close(tangent, np.einsum("bij,bj->bi", expected, a.numpy()), 1e-11)


def test_a_robot_with_every_joint():
    robot = small()
    q, v, a = tensors(*given(robot, "inverse_dynamics", 2))
    cost = lambda q: robot.torch.inverse_dynamics(q, v, a).square().sum()  # noqa: E731
    q.requires_grad_()
    (gradient,) = torch.autograd.grad(cost(q), q)
    direction = torch.tensor(np.random.default_rng(0).normal(size=tuple(q.shape)))
    step = 1e-6 * direction
    slope = (cost(q + step) - cost(q - step)) / 2e-6
    assert_close((gradient * direction).sum(), slope.detach(), 1e-7)


def test_the_gradient_of_a_frame():
    robot = floating()
    (q,) = learnt(robot.random(np.random.default_rng(0)))
    point = robot.torch.frame("tool").pose(q)[:3, 3].sum()
    (gradient,) = torch.autograd.grad(point, q)
    along = robot.torch.tangent.gradient(q, gradient).detach()
    J = robot.frame("tool").jacobian(q.detach().numpy())
    R = robot.frame("tool").pose(q.detach().numpy())[:3, :3]
    assert_close(along, (R @ J[3:]).sum(0), 1e-12)
    assert (
        quantity(robot, robot.frame("tool").definitions["pose"], "tool") is robot.frame("tool").pose
    )
