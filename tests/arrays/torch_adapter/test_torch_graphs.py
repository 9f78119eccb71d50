"""Functions of a robot where PyTorch captures graphs: torch.compile, torch.export, make_fx."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.arrays.frameworks.operators import operator
from jounce.robot import Robot
from support.helpers import assert_close, chain, with_frames

torch = pytest.importorskip("torch", reason="PyTorch, a large package, is not installed")

# PyTorch's own, on the way to a graph
pytestmark = [
    pytest.mark.frameworks,
    pytest.mark.filterwarnings("ignore:`torch.jit.script:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:.*isinstance.*treespec.*:FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning:torch"),
]


def made(seed: int = 0) -> Robot:
    """A robot that nobody has used yet."""
    model = chain(("revolute", "spherical"), seed)
    return Robot(with_frames(model, np.random.default_rng(1)))


@cache
def arm() -> Robot:
    return made()


def state(robot: Robot, *batch: int) -> list[Any]:
    rng = np.random.default_rng(2)
    count = int(np.prod(batch, dtype=int))
    q = robot.random(rng, count).reshape(*batch, robot.nq)
    return [torch.tensor(x) for x in (q, *rng.normal(size=(2, *batch, robot.nv)))]


def compiled(function: Callable[..., Any], backend: str = "aot_eager") -> Callable[..., Any]:
    torch._dynamo.reset()
    return torch.compile(function, fullgraph=True, backend=backend)


def agree(function: Callable[..., Any], *given: Any) -> None:
    """What is compiled gives what it gives without."""
    found, expected = compiled(function)(*given), function(*given)
    leaves = torch.utils._pytree.tree_leaves
    for x, y in zip(leaves(found), leaves(expected), strict=True):
        assert_close(x.detach(), y.detach())


# ------------------------------------------------------------------ torch.compile


def test_the_first_use_may_be_inside():
    robot = made()
    given = state(robot, 3)
    function = compiled(lambda q, v, a: robot.torch.inverse_dynamics(q, v, a) * 2.0)
    assert "torch" not in vars(robot)
    found = function(*given)
    assert_close(found, 2.0 * robot.inverse_dynamics(*(x.numpy() for x in given)))


def test_a_function_that_was_not_called_yet_may_be_compiled():
    robot = made()
    function, given = robot.torch.inverse_dynamics, state(robot, 3)
    found = compiled(lambda q, v, a: function(q, v, a) * 2.0)(*given)
    assert_close(found, 2.0 * robot.inverse_dynamics(*(x.numpy() for x in given)))


CALLS: dict[str, Callable[..., Any]] = {
    "quantity": lambda r, q, v, a: r.torch.inverse_dynamics(q, v, a),
    "derivative": lambda r, q, v, a: r.torch.inverse_dynamics.dq(q, v, a),
    "rates": lambda r, q, v, a: r.torch.inverse_dynamics.rates(1)(q, v, a, a),
    "frame": lambda r, q, v, a: r.torch.frame("tool").pose(q),
    "derivative of a frame": lambda r, q, v, a: r.torch.frame("tool").pose.dq(q),
    "name": lambda r, q, v, a: r.torch.quantity("frame(tool).jacobian.dt")(q, v),
    "option": lambda r, q, v, a: r.torch.step(q, v, a, 0.01, method="rk4"),
    "choice of a derivative": lambda r, q, v, a: r.torch.step.dv.choose(method="rk4")(
        q, v, a, 0.01
    ),
    "derivative of a choice": lambda r, q, v, a: r.torch.step.choose(method="rk4").dv(
        q, v, a, 0.01
    ),
    "choice": lambda r, q, v, a: r.torch.step.choose(method="rk4", friction=True)(q, v, a, 0.01),
    "wrenches": lambda r, q, v, a: r.torch.inverse_dynamics(
        q, v, a, wrenches={"tool": v[0, :1].expand(6)}
    ),
    "tangent": lambda r, q, v, a: r.torch.tangent.inverse_dynamics(q, v, a, dq=v),
    "gradient": lambda r, q, v, a: r.torch.tangent.gradient(q, q),
    "rollout": lambda r, q, v, a: r.torch.rollout(q, v, a.expand(3, *a.shape).movedim(0, -2), 0.01),
}


@pytest.mark.parametrize("what", CALLS)
def test_what_robots_have_is_found_inside(what):
    robot = made()  # which nobody has used yet; below are functions that exist
    given = state(robot, 3)
    agree(lambda q, v, a: CALLS[what](robot, q, v, a), *given)


def test_parameters_inside():
    robot = made()
    pi = torch.tensor(robot.model.parameters)
    agree(lambda *x: robot.torch.parametric.inverse_dynamics(*x, pi), *state(robot, 3))


def test_functions_found_outside_are_called_inside():
    robot = arm()
    given = state(robot, 3)
    tau, tool, table = (
        robot.torch.inverse_dynamics,
        robot.torch.frame("tool"),
        robot.torch.parametric,
    )
    agree(lambda q, v, a: tau.dv(q, v, a) @ tau.choose()(q, v, a)[..., None], *given)
    agree(lambda q, v, a: tool.twist(q, v), *given)
    pi = torch.tensor(robot.model.parameters)
    agree(lambda q, v, a: table.mass_matrix(q, pi), *given)
    agree(lambda q, v, a: tau.rates(1)(q, v, a, v)[1], *given)


def test_gradients_of_what_is_compiled():
    robot = arm()
    given = state(robot, 3)
    function = compiled(lambda q, v, a: robot.torch.inverse_dynamics(q.sin(), v, a).square().sum())
    leaves = [x.clone().requires_grad_() for x in given]
    again = [x.clone().requires_grad_() for x in given]
    function(*leaves).backward()
    robot.torch.inverse_dynamics(again[0].sin(), *again[1:]).square().sum().backward()
    for x, y in zip(leaves, again, strict=True):
        assert_close(x.grad, y.grad)


def test_batches_of_any_size_share_a_graph():
    robot = arm()
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    function = torch.compile(
        lambda q, v, a: robot.torch.inverse_dynamics(q, v, a),
        fullgraph=True,
        backend="aot_eager",
        dynamic=True,
    )
    for size in (3, 5, 8, 13):
        given = state(robot, size)
        assert_close(function(*given), robot.torch.inverse_dynamics(*given))
    assert torch._dynamo.utils.counters["stats"]["unique_graphs"] == 1


def test_rollouts_of_any_size_share_a_graph():
    robot = arm()
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    roll = lambda q, v, a: robot.torch.rollout(q, v, a[:, None].expand(-1, 3, -1), 0.01)  # noqa: E731
    roll(*state(robot, 2))  # robot.torch is there from now on
    function = torch.compile(roll, fullgraph=True, backend="aot_eager", dynamic=True)
    for size in (3, 5, 8):
        given = state(robot, size)
        for x, y in zip(function(*given), roll(*given), strict=True):
            assert_close(x, y)
    assert torch._dynamo.utils.counters["stats"]["unique_graphs"] == 1


def test_another_robot_is_another_graph():
    robot = made(seed=1)
    holder = {"robot": robot}
    function = compiled(lambda q, v, a: holder["robot"].torch.inverse_dynamics(q, v, a))
    given = state(robot, 3)
    assert_close(function(*given), robot.torch.inverse_dynamics(*given))
    holder["robot"] = other = robot.edit.with_parameters(1.5 * robot.model.parameters)
    assert_close(function(*given), other.torch.inverse_dynamics(*given))
    assert not torch.allclose(function(*given), robot.torch.inverse_dynamics(*given))


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "vmap": lambda f, q, v, a: torch.func.vmap(f, in_dims=(0, None, 0))(q, v[0], a),
    "grad": lambda f, q, v, a: torch.func.grad(lambda x: f(x, v, a).square().sum())(q),
    "jvp": lambda f, q, v, a: torch.func.jvp(lambda x: f(q, x, a), (v,), (a,))[1],
    "jacrev": lambda f, q, v, a: torch.func.jacrev(lambda x: f(q[0], x, a[0]))(v[0]),
    "jacfwd": lambda f, q, v, a: torch.func.jacfwd(lambda x: f(q[0], x, a[0]))(v[0]),
    "hessian": lambda f, q, v, a: torch.func.hessian(lambda x: f(x, v[0], a[0]).square().sum())(
        q[0]
    ),
}


@pytest.mark.parametrize("what", FUNCTIONS)
def test_torch_func_inside(what):
    robot = arm()
    agree(lambda q, v, a: FUNCTIONS[what](robot.torch.inverse_dynamics, q, v, a), *state(robot, 2))


def test_single_precision_inside():
    robot = arm()
    given = [x.float() for x in state(robot, 3)]
    found = compiled(lambda q, v, a: robot.torch.inverse_dynamics(q, v, a))(*given)
    assert found.dtype == torch.float32
    assert_close(found, robot.torch.inverse_dynamics(*given))


def test_wrong_calls_inside_say_what_is_wrong():
    robot = arm()
    q, v, a = state(robot, 3)
    with pytest.raises(Exception, match=r"argument 'q' must have shape \(\.\.\., 5\)"):
        compiled(lambda q, v, a: robot.torch.inverse_dynamics(q[:, :2], v, a))(q, v, a)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # what the machine's compiler makes PyTorch say
def test_inductor():
    robot = arm()
    given = state(robot, 4)
    leaves = [x.clone().requires_grad_() for x in given]
    again = [x.clone().requires_grad_() for x in given]
    function = lambda q, v, a: robot.torch.inverse_dynamics(q.sin(), v, a).cos().sum()  # noqa: E731
    compiled(function, "inductor")(*leaves).backward()
    function(*again).backward()
    for x, y in zip(leaves, again, strict=True):
        assert_close(x.grad, y.grad, 1e-11)


# ------------------------------------------------------------------ the operator


def key_of(robot: Robot, name: str) -> str:
    from jounce.arrays.torch_adapter.operations import _register_operator

    return _register_operator(operator(getattr(robot, name)), for_good=True)


@pytest.mark.parametrize("name", ["inverse_dynamics", "step"])
def test_opcheck(name):
    robot = arm()
    q, v, a = state(robot, 2)
    h = (torch.full((2,), 0.01, dtype=torch.float64),) if name == "step" else ()
    given = [x.clone().requires_grad_() for x in (q, v, a, *h)]
    torch.library.opcheck(torch.ops.jounce.call.default, (key_of(robot, name), given))


def test_opcheck_of_a_pullback():
    from jounce.arrays.torch_adapter.operations import _register_operator

    robot = arm()
    q, v, a = state(robot, 2)
    key = _register_operator(operator(robot.inverse_dynamics).vjp((0, 2)), for_good=True)
    given = [x.clone().requires_grad_() for x in (q, v, a, a)]
    torch.library.opcheck(torch.ops.jounce.call.default, (key, given))


def test_keys_say_what_is_computed():
    robot = made(seed=3)
    same, other = made(seed=3), robot.edit.with_parameters(1.5 * robot.model.parameters)
    assert key_of(robot, "mass_matrix") == key_of(same, "mass_matrix")
    assert key_of(robot, "mass_matrix") != key_of(other, "mass_matrix")


def test_an_unknown_key_gets_a_sentence():
    with pytest.raises(RuntimeError, match="which is unknown in this process; load the robot"):
        torch.ops.jounce.call("chain_mass_matrix_0123", [torch.zeros(5, dtype=torch.float64)])


def test_make_fx():
    from torch.fx.experimental.proxy_tensor import make_fx

    robot = arm()
    given = state(robot, 2)
    graph = make_fx(robot.torch.inverse_dynamics)(*given)
    assert "jounce.call.default" in graph.code
    assert_close(graph(*given), robot.torch.inverse_dynamics(*given))
    gradient = make_fx(torch.func.grad(lambda *x: robot.torch.inverse_dynamics(*x).sum()))(*given)
    assert "vjp" in gradient.code


def test_tensors_without_values():
    from torch._subclasses.fake_tensor import FakeTensorMode

    robot = arm()
    with FakeTensorMode() as mode:
        given = [mode.from_tensor(x) for x in state(robot, 3)]
        q, v = robot.torch.step(*given, 0.01)
    assert q.shape == (3, robot.nq)
    assert v.shape == (3, robot.nv)


# ------------------------------------------------------------------ torch.export


class Torques(torch.nn.Module):
    """A module that calls a robot."""

    def __init__(self, robot: Robot) -> None:
        super().__init__()
        self.robot = robot

    def forward(self, q: Any, v: Any, a: Any) -> Any:
        """Torques, and one more."""
        return self.robot.torch.inverse_dynamics(q, v, a) + 1.0


def exported(robot: Robot, strict: bool, path: Any) -> None:
    size = torch.export.Dim("size")
    shapes = {name: {0: size} for name in ("q", "v", "a")}
    program = torch.export.export(
        Torques(robot), tuple(state(robot, 3)), dynamic_shapes=shapes, strict=strict
    )
    torch.export.save(program, path)


@pytest.mark.parametrize("strict", [False, True])
def test_export_and_back(strict, tmp_path):
    robot = arm()
    exported(robot, strict, tmp_path / "torques.pt2")
    module = torch.export.load(tmp_path / "torques.pt2").module()
    given = state(robot, 7)
    assert_close(module(*given), robot.torch.inverse_dynamics(*given) + 1.0)


ELSEWHERE = """
import sys
import torch
import jounce, jounce.torch
program = torch.export.load(sys.argv[1])
given = [torch.full((4, 7), 0.3, dtype=torch.float64)] * 3
try:
    program.module()(*given)
except RuntimeError as error:
    print(error)
robot = jounce.load("franka")
expected = robot.torch.inverse_dynamics(*given) + 1.0
print(torch.equal(program.module()(*given), expected))
"""


def test_another_process_loads_the_robot_first(tmp_path):
    exported(jounce.load("franka"), False, tmp_path / "torques.pt2")
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, str(tmp_path / "torques.pt2")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "load the robot and call the same function of robot.torch once" in done.stdout, done
    assert done.stdout.strip().splitlines()[-1] == "True"


def test_traces_of_torch_jit_record_the_call():
    arm = jounce.load("planar_2r")
    q, v, a = torch.rand(3, 4, 2, dtype=torch.float64)
    function = lambda q, v, a: 2 * arm.torch.inverse_dynamics(q, v, a)  # noqa: E731
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that torch.jit is old, and shapes become constants
        traced = torch.jit.trace(function, (q, v, a), check_trace=False)
    for given in ((q, v, a), (q + 1, v, a)):
        assert torch.equal(traced(*given), function(*given))
    x = q.clone().requires_grad_()
    (found,) = torch.autograd.grad(traced(x, v, a).sum(), x)
    (expected,) = torch.autograd.grad(function(x, v, a).sum(), x)
    assert torch.equal(found, expected)


def test_numbers_may_change_between_calls():
    arm = jounce.load("planar_2r")
    q, v, a = torch.rand(3, 4, 2)
    step = lambda q, v, a, h: arm.torch.step(q, v, a, h)[0]  # noqa: E731
    function = torch.compile(step, fullgraph=True, backend="aot_eager")
    for h in (0.01, 0.02, 0.03):
        found = function(q, v, a, h)
        assert found.dtype == torch.float32
        assert_close(found, step(q, v, a, h), 1e-6)
