"""robot.torch on the GPU: values, derivatives, memory layouts, modules and errors."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import torch

import jounce
from jounce.errors import ArgumentError, ModelWarning
from support.helpers import chain, with_frames
from tests.gpu.support import DTYPES, SCALARS, close, given, mechanisms, raises, robots

#: Device of tensors; tests without a GPU run these checks on "cpu".
DEVICE = "cuda"

#: Derivatives have more rounding than values, and float32 in solves far more.
ROUNDED = {"double": 1e-12, "float": 5e-5}
SOLVES = {"double": 1e-9, "float": 2e-2}


@cache
def arm() -> jounce.Robot:
    """Return a robot with a revolute, a spherical and a prismatic joint and a tool."""
    model = chain(("revolute", "spherical", "prismatic"))
    return jounce.Robot(with_frames(model, np.random.default_rng(1)))


@cache
def hinges() -> jounce.Robot:
    """Return a robot with revolute joints only and a tool."""
    model = chain(("revolute", "revolute", "prismatic"))
    return jounce.Robot(with_frames(model, np.random.default_rng(1)))


def state(robot: Any, *batch: int, count: int = 2, scalar: str = "double") -> list[np.ndarray]:
    """Return a configuration (*batch, nq), then `count` velocities (*batch, nv)."""
    rng = np.random.default_rng(7)
    q = robot.random(rng, math.prod(batch)).reshape(*batch, robot.nq)
    arrays = q, *rng.normal(size=(count, *batch, robot.nv))
    return [np.asarray(x, DTYPES[SCALARS[scalar]]) for x in arrays]


def there(*arrays: Any) -> list[Any]:
    """Return arrays as tensors on the GPU."""
    return [torch.tensor(np.asarray(x), device=DEVICE) for x in arrays]


def lies_there(found: Any) -> None:
    """Assert that results are tensors on the GPU."""
    for x in found if isinstance(found, tuple) else (found,):
        assert isinstance(x, torch.Tensor)
        assert x.device.type == DEVICE, x.device


# ------------------------------------------------------------------ values

NAMES = ("inverse_dynamics", "mass_matrix", "kinetic_energy", "inverse_dynamics.derivatives")


def check_values() -> None:
    """Quantities of all sorts of robots, in both precisions."""
    for name in ("small", "mimic", "floating", "iiwa14_mueller_kumar2021"):
        robot = robots()[name]
        for what in NAMES[: 4 if name == "small" else 3]:
            for scalar in ("double", "float"):
                quantity = robot.quantity(what)
                arrays = given(quantity, 65, scalar=scalar)
                found = robot.torch.quantity(what)(*there(*arrays))
                lies_there(found)
                title = f"{name}.{what} {scalar}"
                close(found, quantity(*arrays), scalar, title, ROUNDED[scalar])


def check_solves() -> None:
    """Accelerations, as accurate as the conditioning of the mass matrix allows."""
    robot = robots()["iiwa14_mueller_kumar2021"]
    for scalar in ("double", "float"):
        arrays = given(robot.forward_dynamics, 65, scalar=scalar)
        found = robot.torch.forward_dynamics(*there(*arrays))
        close(found, robot.forward_dynamics(*arrays), scalar, scalar, SOLVES[scalar])


def check_batches() -> None:
    """Any batch shape, empty batches, and a single sample."""
    robot = arm()
    for batch in ((), (1,), (5,), (64,), (65,), (1000,), (2, 3, 4), (0,), (3, 0)):
        arrays = state(robot, *batch)
        found = robot.torch.inverse_dynamics(*there(*arrays))
        assert tuple(found.shape) == (*batch, robot.nv)
        close(found, robot.inverse_dynamics(*arrays), what=str(batch))


def check_large_batch() -> None:
    """A million samples; a second call gives bitwise the same."""
    robot = robots()["planar_2r"]
    tensors = there(*state(robot, 1 << 20))
    found = robot.torch.inverse_dynamics(*tensors)
    places = torch.arange(0, 1 << 20, 1031, device=DEVICE)
    some = [x[places].cpu().numpy() for x in tensors]
    close(found[places], robot.inverse_dynamics(*some))
    assert torch.equal(found, robot.torch.inverse_dynamics(*tensors))


def check_direct_calls() -> None:
    """Quantities take tensors themselves, also mixed with NumPy arrays and numbers."""
    robot = arm()
    q, v, a = state(robot, 5)
    Q, V, A = there(q, v, a)
    expected = robot.inverse_dynamics(q, v, a)
    for found in (robot.inverse_dynamics(Q, V, A), robot.inverse_dynamics(Q, v, A)):
        lies_there(found)
        close(found, expected)
    close(robot.torch.inverse_dynamics(Q, V, a.tolist()), expected)
    close(robot.torch.step(Q, V, A, 0.01), robot.step(q, v, a, 0.01))
    single = robot.torch.step(Q.float(), V.float(), A.float(), 0.01)
    assert single[0].dtype is torch.float32
    Q.requires_grad_()
    found: Any = robot.inverse_dynamics(Q, V, A)
    assert found.requires_grad


def check_options() -> None:
    """Frames, wrenches by frame and by body, gravity, a moving base, options."""
    robot = arm()
    q, v, a = state(robot, 5)
    Q, V, A = there(q, v, a)
    rng = np.random.default_rng(5)
    w, tool, twist, rate = (rng.normal(size=shape) for shape in ((5, robot.nb, 6), 6, 6, 6))
    W, TOOL, TWIST, RATE = there(w, tool, twist, rate)
    tau, own = robot.torch.inverse_dynamics, robot.inverse_dynamics
    close(tau(Q, V, A, W), own(q, v, a, w))
    close(tau(Q, V, A, wrenches={"tool": TOOL}), own(q, v, a, wrenches={"tool": tool}))
    found = tau(Q, V, A, base_twist=TWIST, base_acceleration=RATE)
    close(found, own(q, v, a, base_twist=twist, base_acceleration=rate))
    frame = robot.torch.frame("tool")
    close(frame.pose(Q), robot.frame("tool").pose(q))
    close(frame.jacobian.dq(Q), robot.frame("tool").jacobian.dq(q))
    chosen = {"method": "rk4", "friction": True}
    close(robot.torch.step(Q, V, A, 0.01, **chosen), robot.step(q, v, a, 0.01, **chosen))
    close(robot.torch.inverse_dynamics.rates(1)(Q, V, A, A), own.rates(1)(q, v, a, a))


def check_numbers_of_the_robot() -> None:
    """A different robot for every sample, and geometry as arguments."""
    robot = arm()
    q, v, a = state(robot, 33)
    rng = np.random.default_rng(3)
    pi = robot.model.parameters * rng.uniform(0.9, 1.1, (33, robot.nb, 1))
    found = robot.torch.parametric.inverse_dynamics(*there(q, v, a, pi))
    close(found, robot.parametric.inverse_dynamics(q, v, a, pi))
    now = robot.morphable.now
    found = robot.torch.morphable.mass_matrix(*there(q, *now))
    close(found, robot.morphable.mass_matrix(q, *now))


def check_mechanism() -> None:
    """Closed loops, with a gradient."""
    closed = mechanisms()["five_bar"]
    arrays = given(closed.inverse_dynamics, 9)
    found = closed.torch.inverse_dynamics(*there(*arrays))
    close(found, closed.inverse_dynamics(*arrays), tolerance=1e-9)
    results = []
    for place in (DEVICE, "cpu"):
        v = torch.tensor(arrays[1], device=place, requires_grad=True)
        q, a = (torch.tensor(arrays[k], device=place) for k in (0, 2))
        closed.torch.inverse_dynamics(q, v, a).square().sum().backward()
        results.append(v.grad)
    close(*results, tolerance=1e-9)


# ------------------------------------------------------------------ memory


def check_layouts() -> None:
    """Slices, steps, broadcasts, permutations and views, as in NumPy."""
    robot = arm()
    q, v, a = state(robot, 6, 4)
    Q, V, A = there(q, v, a)
    tau, own = robot.torch.inverse_dynamics, robot.inverse_dynamics
    wide = torch.cat((Q, V, A), dim=-1)
    parts = wide.split([robot.nq, robot.nv, robot.nv], dim=-1)
    close(tau(*parts), own(q, v, a), what="slices of rows")
    flat = wide.reshape(24, -1).split([robot.nq, robot.nv, robot.nv], dim=-1)
    close(tau(*flat), own(q, v, a).reshape(24, -1), what="slices of rows, one axis")
    close(tau(Q[::2], V[::2], A[::2]), own(q[::2], v[::2], a[::2]), what="every other")
    close(tau(Q[:, :1], V[0], A[0, 0]), own(q[:, :1], v[0], a[0, 0]), what="broadcast")
    one = A[0, 0].expand(6, 4, -1)
    close(tau(Q, V, one), own(q, v, np.broadcast_to(a[0, 0], a.shape)), what="expanded")
    turned = [x.permute(1, 0, 2) for x in (Q, V, A)]
    close(tau(*turned), own(*(x.swapaxes(0, 1) for x in (q, v, a))), what="permuted")
    columns = [x.permute(2, 0, 1).contiguous().permute(1, 2, 0) for x in (Q, V, A)]
    close(tau(*columns), own(q, v, a), what="columns")
    negative = torch.complex(V, -V).conj().imag
    assert negative.is_neg()
    close(tau(Q, negative, A), own(q, v, a), what="negated when read")
    odd = torch.empty(1 + A.numel(), dtype=A.dtype, device=DEVICE)[1:].view(A.shape).copy_(A)
    close(tau(Q, V, odd), own(q, v, a), what="not aligned to two numbers")


def check_memory_is_given_back() -> None:
    """Calls do not leak memory."""
    robot = arm()
    tensors = there(*state(robot, 4096))
    leaf = tensors[0].clone().requires_grad_()
    wide = torch.cat(tensors, dim=-1).T.contiguous().T  # must be copied
    parts = wide.split([robot.nq, robot.nv, robot.nv], dim=-1)

    def work() -> None:
        robot.torch.inverse_dynamics(leaf, *tensors[1:]).sum().backward()
        leaf.grad = None
        robot.torch.inverse_dynamics(*parts)

    for _ in range(3):
        work()
    before = torch.cuda.memory_allocated() if DEVICE == "cuda" else 0
    for _ in range(20):
        work()
    assert (torch.cuda.memory_allocated() if DEVICE == "cuda" else 0) == before


# ------------------------------------------------------------------ derivatives


def check_gradcheck() -> None:
    """Comparison with finite differences: forward, reverse, batched, second order."""
    robot = hinges()
    leaves = [x.requires_grad_() for x in there(*state(robot, 2))]
    tau = robot.torch.inverse_dynamics
    assert torch.autograd.gradcheck(tau, leaves, check_forward_ad=True, check_batched_grad=True)
    assert torch.autograd.gradgradcheck(tau, leaves)
    assert torch.autograd.gradcheck(robot.torch.frame("tool").pose, leaves[:1])


def check_batched_gradients() -> None:
    """All rows of a Jacobian at once by torch.autograd, which uses other threads for CUDA."""
    robot = hinges()
    arrays = state(robot, 1)
    q, v, a = (x[0].requires_grad_() for x in there(*arrays))
    tau = robot.torch.inverse_dynamics(q, v, a)
    rows = torch.eye(robot.nv, dtype=q.dtype, device=DEVICE)
    own = robot.inverse_dynamics
    expected = [matrix(*arrays)[0] for matrix in (own.dq, own.dv, own.da)]
    found = torch.autograd.grad(tau, (q, v, a), rows, is_grads_batched=True, retain_graph=True)
    lies_there(found)
    close(found, expected)
    vectorized = torch.autograd.functional.jacobian(
        robot.torch.inverse_dynamics, (q, v, a), vectorize=True
    )
    close(vectorized, expected)


def both(work: Callable[..., Any], *arrays: np.ndarray, tolerance: float = 1e-10) -> None:
    """Assert that results on the GPU equal those on the CPU."""
    found = work(*there(*arrays))
    lies_there(found)
    close(found, work(*(torch.tensor(x) for x in arrays)), tolerance=tolerance)


def check_transforms() -> None:
    """torch.func: Jacobians, Hessians, and batches of them."""
    from torch.func import grad, hessian, jacfwd, jacrev, jvp, vmap

    robot = arm()
    tau = robot.torch.inverse_dynamics
    q, v, a = state(robot, 5)
    one = q[0], v[0], a[0]
    both(lambda q, v, a: jacrev(tau, argnums=(0, 1, 2))(q, v, a), *one)
    both(lambda q, v, a: jacfwd(tau, argnums=1)(q, v, a), *one)
    both(lambda q, v, a: hessian(lambda x: tau(q, x, a).square().sum())(v), *one)
    both(lambda q, v, a: vmap(tau, in_dims=(0, None, 1))(q, v[0], a.T.contiguous()), q, v, a)
    both(lambda q, v, a: vmap(vmap(tau, (None, 0, 0)), (0, None, None))(q, v, a), q, v, a)
    both(lambda q, v, a: vmap(grad(lambda x, y, z: tau(x, y, z).square().sum()))(q, v, a), q, v, a)
    both(lambda q, v, a: jvp(lambda x: tau(q, x, a), (v,), (a,))[1], q, v, a)


def check_floating_base() -> None:
    """Gradients in coordinates and along velocities agree."""
    robot = robots()["floating"]
    q, v = there(*state(robot, 4, count=1))
    q.requires_grad_()
    step = torch.zeros_like(v, requires_grad=True)
    (g,) = torch.autograd.grad(robot.torch.kinetic_energy(q, v).sum(), q)
    (along,) = torch.autograd.grad(robot.torch.tangent.kinetic_energy(q, v, step).sum(), step)
    lies_there((g, along))
    close(robot.torch.tangent.gradient(q, g), along, tolerance=1e-11)


def check_gradients_of_parameters() -> None:
    """Gradients in parameters that all samples share, and in those of each sample."""
    robot = arm()
    arrays = state(robot, 16)
    for pi in (
        robot.model.parameters,
        np.broadcast_to(robot.model.parameters, (16, robot.nb, 10)).copy(),
    ):

        def work(q: Any, v: Any, a: Any, pi: Any) -> Any:
            pi.requires_grad_()
            loss = robot.torch.parametric.inverse_dynamics(q, v, a, pi).square().sum()
            return torch.autograd.grad(loss, pi)[0]

        both(work, *arrays, pi)


# ------------------------------------------------------------------ motions and modules


def check_rollouts() -> None:
    """Rollouts and their gradients, with stored and recomputed states; a policy."""
    robot = arm()
    q, v, a = state(robot, 5)
    taus = np.repeat(a[:, None], 6, axis=1)
    for options in ({}, {"checkpoint": True}, {"method": "rk4"}):

        def work(q: Any, v: Any, taus: Any, options: dict[str, Any] = options) -> Any:
            taus.requires_grad_()
            Q, V = robot.torch.rollout(q, v, taus, 0.01, **options)
            (g,) = torch.autograd.grad(V[:, -1].square().sum() + Q.square().sum(), taus)
            return Q.detach(), V.detach(), g

        both(work, q, v, taus, tolerance=1e-9)
    act = lambda k, q, v: -0.1 * v  # noqa: E731
    both(lambda q, v: robot.torch.rollout(q, v, h=0.01, policy=act, steps=5), q, v)


def check_direct_rollouts() -> None:
    """robot.rollout of tensors on the GPU."""
    robot = arm()
    q, v, a = state(robot, 5)
    taus = np.repeat(a[:, None], 4, axis=1)
    tensors: Any = there(q, v, taus)
    found = robot.rollout(*tensors, h=0.01)
    lies_there(found)
    close(found, robot.rollout(q, v, taus, 0.01), tolerance=1e-11)


def _module(*learn: str) -> tuple[Any, list[Any], Any]:
    """Return a module on the GPU, states, and motor forces of another robot."""
    robot = robots()["planar_2r"]
    arrays = state(robot, 256)
    truth = robot.edit.with_parameters(1.2 * robot.model.parameters, damping=[0.5] * robot.nv)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        model = jounce.torch.Dynamics(robot, learn, margin=1e-3).to(DEVICE)
    return model, there(*arrays), there(truth.motor_forces(*arrays))[0]


def check_modules_learn() -> None:
    """The loss decreases, and the robot can be moved back to the CPU."""
    model, (q, v, a), measured = _module("inertia", "friction", "armature")
    assert {x.device.type for x in (*model.parameters(), *model.buffers())} == {DEVICE}
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    losses = []
    for _ in range(60):
        optimizer.zero_grad()
        loss = (model(q, v, a) - measured).square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    assert losses[-1].item() < 0.1 * losses[0].item()
    learnt = model.to_robot()
    assert learnt.model.parameters.shape == (learnt.nb, 10)
    again = model.cpu()
    close(again(q.cpu(), v.cpu(), a.cpu()), model.to(DEVICE)(q, v, a), tolerance=1e-10)


def check_modules_move() -> None:
    """Forward dynamics, steps and rollouts of a module, with gradients in its parameters."""
    model, (q, v, a), _ = _module("inertia", "friction", "armature")
    tau = model(q, v, a)
    close(model.forward_dynamics(q, v, tau), a, tolerance=1e-8)
    taus = tau.detach()[:, None].expand(-1, 6, -1)
    found = []
    for checkpoint in (False, True):
        model.zero_grad()
        _, V = model.rollout(q, v, taus, 1e-3, checkpoint=checkpoint)
        V[:, -1].square().mean().backward()
        found.append(model.inertia_coordinates.grad.clone())
    lies_there(found[0])
    close(*found, tolerance=1e-9)
    assert float(found[0].abs().max()) > 0.0


# ------------------------------------------------------------------ settings of PyTorch


def check_switches() -> None:
    """Autocast, TF32, inference mode, determinism and default devices have no effect."""
    robot = hinges()
    q, v, a = (x.float() for x in there(*state(robot, 8)))
    push = {"tool": torch.ones(6, device=DEVICE)}
    tau = lambda: robot.torch.inverse_dynamics(q, v, a, wrenches=push)  # noqa: E731
    expected = tau()
    with torch.autocast(DEVICE, dtype=torch.bfloat16):
        assert torch.equal(tau(), expected)
    before = torch.backends.cuda.matmul.allow_tf32
    torch.backends.cuda.matmul.allow_tf32 = True
    try:
        assert torch.equal(tau(), expected)
    finally:
        torch.backends.cuda.matmul.allow_tf32 = before
    with torch.inference_mode():
        assert torch.equal(tau(), expected)
    torch.use_deterministic_algorithms(True)
    try:
        assert torch.equal(tau(), expected)
        leaf = q.clone().requires_grad_()
        robot.torch.inverse_dynamics(leaf, v[0], a, wrenches=push).sum().backward()
    finally:
        torch.use_deterministic_algorithms(False)
    with torch.device("meta"):
        assert torch.equal(tau(), expected)


# ------------------------------------------------------------------ errors


def check_refusals() -> None:
    """Errors are one sentence and say what to do."""
    robot = hinges()
    q, v, a = there(*state(robot, 3))
    nested = torch.nested.nested_tensor(list(q))
    tau = robot.torch.inverse_dynamics
    tau(q, v, a)  # valid calls take the fast path from now on
    wrong: list[tuple[type[Exception], tuple[str, ...], Callable[[], Any]]] = [
        (TypeError, ("'q'", "float16", ".float()"), lambda: tau(q.half(), v, a)),
        (TypeError, ("'q'", "int64"), lambda: tau(q.long(), v, a)),
        (TypeError, ("'q'", "dense", "sparse_coo"), lambda: tau(q.to_sparse(), v, a)),
        (TypeError, ("'v'", "dense", "sparse_csr"), lambda: tau(q, v.to_sparse_csr(), a)),
        (TypeError, ("'q'", "dense", "nested"), lambda: tau(nested, v, a)),
        (TypeError, ("'q'", "sparse_coo"), lambda: robot.inverse_dynamics(q.to_sparse(), v, a)),
        (ArgumentError, ("'v'", "(..., 3)", "(3, 2)"), lambda: tau(q, v[:, :2], a)),
        (ArgumentError, ("broadcast", "v (2,)"), lambda: tau(q, v[:2], a)),
        (TypeError, ("'out'", "NumPy arrays"), lambda: tau(q, v, a, out=q)),
    ]
    if DEVICE == "cuda":
        apart = ("one device", "cpu and cuda:0", ".to('cuda:0')")
        wrong += [
            (ArgumentError, apart, lambda: tau(q, v.cpu(), a)),
            (ArgumentError, apart, lambda: robot.inverse_dynamics(q.cpu(), v, a)),
            (ArgumentError, apart, lambda: tau(q, v, a, wrenches={"tool": torch.ones(6)})),
            (
                TypeError,
                ("'out'", "is on cuda:0"),
                lambda: robot.inverse_dynamics(q, v, a, out=np.empty((3, 3))),
            ),
        ]
    for kind, words, call in wrong:
        assert "\n" not in raises(kind, words, call)


def check_small_calls() -> None:
    """Print the overhead of Python for small batches."""
    robot = robots()["iiwa14_mueller_kumar2021"]
    tensors = there(*state(robot, 4096))
    wide = torch.cat(tensors, dim=-1).split([robot.nq, robot.nv, robot.nv], dim=-1)
    leaf = [x.clone().requires_grad_() for x in tensors]
    calls: dict[str, Callable[[], Any]] = {
        "robot.torch.inverse_dynamics": lambda: robot.torch.inverse_dynamics(*tensors),
        "of slices": lambda: robot.torch.inverse_dynamics(*wide),
        "robot.inverse_dynamics": lambda: robot.inverse_dynamics(*tensors),
        "with gradients, forward": lambda: robot.torch.inverse_dynamics(*leaf),
        "and backward": lambda: robot.torch.inverse_dynamics(*leaf).sum().backward(),
    }
    for name, call in calls.items():
        for _ in range(20):
            call()
        start = time.perf_counter()
        for _ in range(200):
            call()
        queued = time.perf_counter() - start
        if DEVICE == "cuda":
            torch.cuda.synchronize()
        whole = time.perf_counter() - start
        print(f"    {name}: {5e3 * queued:.1f} us to queue, {5e3 * whole:.1f} us a call")
