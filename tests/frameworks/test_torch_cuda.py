"""robot.torch on a GPU, as far as a machine without one can tell.

A simulated launcher reads and writes the processor's memory at the addresses and steps that it is
given, and tensors say of themselves that they lie on CUDA: all that Python does is the real thing.
What PyTorch alone knows of devices is asked of its fake tensors. tests/gpu/check_torch.py runs the
same on a GPU.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, ClassVar

import numpy as np
import pytest

import jounce
from jounce.errors import ArgumentError
from jounce.frameworks.operators import Operator, operator
from jounce.robot import Robot
from support.helpers import assert_close, chain, random_arguments, small_model, with_frames

torch = pytest.importorskip("torch", reason="PyTorch, a large package, is not installed")

from torch._subclasses.fake_tensor import FakeTensorMode  # noqa: E402

from jounce.torch import constants, cuda, library, operations  # noqa: E402

# PyTorch's own, on the way to a graph
pytestmark = [
    pytest.mark.filterwarnings("ignore:`torch.jit.script:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:.*isinstance.*treespec.*:FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning:torch"),
]

STREAM = 17


def made(seed: int = 0) -> Robot:
    """A robot that nobody has used yet."""
    model = chain(("revolute", "spherical"), seed)
    return Robot(with_frames(model, np.random.default_rng(1)))


@cache
def arm() -> Robot:
    return made()


@cache
def small() -> Robot:
    """A tree with branches, a frame and joints of several kinds."""
    return Robot(small_model())


def state(robot: Robot, *batch: int, dtype: Any = np.float64) -> list[Any]:
    rng = np.random.default_rng(2)
    q = robot.random(rng, int(np.prod(batch, dtype=int))).reshape(*batch, robot.nq)
    return [torch.tensor(x.astype(dtype)) for x in (q, *rng.normal(size=(2, *batch, robot.nv)))]


class Launched:
    """What a launcher of the runtime is to a room above it, on memory of the processor."""

    calls: ClassVar[list[tuple[int, int, tuple[int, ...], tuple[int, ...]]]] = []

    def __init__(self, computed: Operator, char: str, device: int) -> None:
        self.operator, self.dtype, self.device = computed, np.dtype(char), device

    def launch(
        self, stream: int, samples: int, pointers: Sequence[int], steps: Sequence[int]
    ) -> None:
        """Sample k of an argument lies k steps after its pointer, results one after the other."""
        assert samples > 0
        self.calls.append((stream, samples, tuple(pointers), tuple(steps)))
        inputs, outputs = self.operator.inputs, self.operator.outputs
        assert len(pointers) == len(inputs) + len(outputs)
        own = [int(np.prod(core, dtype=int)) for core in outputs]
        arrays = [
            self._at(pointer, samples, core, step)
            for pointer, core, step in zip(
                pointers, (*inputs, *outputs), (*steps, *own), strict=True
            )
        ]
        found = self.operator(*arrays[: len(inputs)])
        for into, x in zip(arrays[len(inputs) :], found, strict=True):
            into[...] = x

    def _at(self, pointer: int, samples: int, core: tuple[int, ...], step: int) -> np.ndarray:
        entries = (samples - 1) * step + int(np.prod(core, dtype=int))
        memory = (ctypes.c_char * (entries * self.dtype.itemsize)).from_address(pointer)
        flat = np.frombuffer(memory, self.dtype)
        rows = np.empty(core, self.dtype).strides
        return np.lib.stride_tricks.as_strided(
            flat, (samples, *core), (step * self.dtype.itemsize, *rows)
        )


@pytest.fixture
def gpu(monkeypatch):
    """Tensors that say that they lie on CUDA, and launchers that compute there; gives the calls."""
    launcher = lambda *what: Launched(*what)  # noqa: E731
    monkeypatch.setattr(Operator, "launcher", launcher, raising=False)
    monkeypatch.setattr(cuda, "stream", lambda device: STREAM)
    monkeypatch.setattr(torch.Tensor, "is_cuda", True)
    monkeypatch.setattr(torch.Tensor, "is_cpu", False)
    Launched.calls.clear()
    return Launched.calls


@pytest.fixture
def computed_there(monkeypatch):
    """The same for graphs, where PyTorch asks tensors what they are."""
    launcher = lambda *what: Launched(*what)  # noqa: E731
    monkeypatch.setattr(Operator, "launcher", launcher, raising=False)
    monkeypatch.setattr(cuda, "stream", lambda device: STREAM)
    monkeypatch.setattr(operations, "values", cuda.values)
    Launched.calls.clear()
    return Launched.calls


def numpys(found: Any) -> list[np.ndarray]:
    return [x.detach().numpy() for x in (found if isinstance(found, tuple) else (found,))]


def same(found: Any, expected: Any) -> None:
    """Bit by bit, and in shape."""
    assert isinstance(found, tuple) == isinstance(expected, tuple)
    others = expected if isinstance(expected, tuple) else (expected,)
    for x, y in zip(numpys(found), others, strict=True):
        np.testing.assert_array_equal(x, np.asarray(y), strict=True)


# ------------------------------------------------------------------ values

QUANTITIES = (
    "inverse_dynamics",
    "forward_dynamics",
    "mass_matrix",
    "kinetic_energy",
    "center_of_mass",
    "inverse_dynamics.derivatives",
    "inverse_dynamics.dq.dv",
    "inverse_dynamics.rates(1)",
    "inverse_dynamics.vjp",
    "frame(tool).pose",
    "frame(tool).jacobian.dt",
    "step",
)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", QUANTITIES)
def test_values_are_what_the_kernel_gives(gpu, name, dtype):
    robot = small()
    quantity = robot.quantity(name)
    given = random_arguments(quantity.kernel, robot, np.random.default_rng(3), (4,))
    given = [x.astype(dtype) for x in given]
    function = robot.torch.quantity(name)
    expected = quantity(*given)
    for _ in range(2):  # the first call makes the plan, the second takes the short way
        gpu.clear()
        same(function(*map(torch.tensor, given)), expected)
        ((stream, samples, _, steps),) = gpu
        assert (stream, samples) == (STREAM, 4)
        assert steps == tuple(int(np.prod(core)) for core in quantity.kernel.inputs)


def test_batches_of_any_shape(gpu):
    robot = arm()
    for batch in ((), (1,), (5,), (2, 3), (0,), (3, 0), (5,)):
        gpu.clear()
        given = state(robot, *batch)
        same(
            robot.torch.inverse_dynamics(*given),
            robot.inverse_dynamics(*(x.numpy() for x in given)),
        )
        assert [samples for _, samples, *_ in gpu] == [int(np.prod(batch))] * (0 not in batch)


def test_called_directly(gpu):
    robot = arm()
    q, v, a = state(robot, 3)
    same(robot.inverse_dynamics(q, v, a), robot.inverse_dynamics(*(x.numpy() for x in (q, v, a))))
    assert len(gpu) == 1


def test_several_precisions_and_wrong_calls_take_the_long_way(gpu):
    robot = arm()
    q, v, a = state(robot, 3)
    tau = robot.torch.inverse_dynamics
    tau(q, v, a)
    assert tau(q.float(), v.float(), a.float()).dtype is torch.float32
    assert tau(q, v.float(), a).dtype is torch.float64
    with pytest.raises(ArgumentError, match=r"argument 'v' must have shape \(\.\.\., 4\)"):
        tau(q, v[:, :3], a)
    with pytest.raises(ArgumentError, match=r"argument 'q' must have shape"):
        tau(q[0, 0], v, a)
    with pytest.raises(ArgumentError, match=r"batch axes do not broadcast: q \(3,\), v \(2,\)"):
        tau(q, v[:2], a)
    with pytest.raises(TypeError, match=r"argument 'a' is missing"):
        tau(q, v)


# ------------------------------------------------------------------ memory


def test_what_can_be_read_in_place_is(gpu):
    robot = arm()
    q, v, a = state(robot, 6)
    wide = torch.cat((q, v, a), dim=-1)  # as a policy has it: all in one row
    parts = wide.split([robot.nq, robot.nv, robot.nv], dim=-1)
    wanted = robot.inverse_dynamics(*(x.numpy() for x in (q, v, a)))
    gpu.clear()
    same(robot.torch.inverse_dynamics(*parts), wanted)
    _, _, pointers, steps = gpu[-1]
    assert pointers[:3] == tuple(x.data_ptr() for x in parts)
    assert steps == (wide.shape[-1],) * 3
    gpu.clear()
    robot.torch.inverse_dynamics(q[::2], v[0], a[0].expand(3, -1))
    _, samples, pointers, steps = gpu[-1]
    assert pointers[:3] == tuple(x.data_ptr() for x in (q, v, a))
    assert (samples, steps) == (3, (2 * robot.nq, 0, 0))
    gpu.clear()
    robot.torch.inverse_dynamics(q.reshape(2, 3, -1), v.reshape(2, 3, -1), a[:1])
    _, samples, pointers, steps = gpu[-1]
    assert pointers[:3] == tuple(x.data_ptr() for x in (q, v, a))
    assert (samples, steps) == (6, (robot.nq, robot.nv, 0))


def test_the_gradient_of_a_sum_is_one_sample(gpu):
    robot = arm()
    q, v, a = state(robot, 64)
    q.requires_grad_()
    total = robot.torch.inverse_dynamics(q, v, a).sum()
    gpu.clear()
    total.backward()
    ((_, samples, _, steps),) = gpu
    assert (samples, steps[3]) == (64, 0)
    ones = np.ones((64, robot.nv))
    pulled = operator(robot.inverse_dynamics).vjp((0,))
    assert_close(q.grad.numpy(), pulled(*(x.detach().numpy() for x in (q, v, a)), ones)[0])


def layouts(x: Any, rng: np.random.Generator) -> Any:
    """The same entries as a tensor that lies in memory in another way."""
    kind = rng.integers(6)
    if kind == 0:
        order = rng.permutation(x.ndim)
        return x.permute(*order).contiguous().permute(*np.argsort(order))
    if kind == 1:
        room = torch.full((*x.shape[:-1], x.shape[-1] + 3), torch.nan, dtype=x.dtype)
        room[..., 2:-1] = x
        return room[..., 2:-1]
    if kind == 2 and x.ndim > 1:
        room = torch.full((2 * x.shape[0], *x.shape[1:]), torch.nan, dtype=x.dtype)
        room[::2] = x
        return room[::2]
    if kind == 3:
        return torch.complex(x, -x).conj().imag  # a view that is negated when it is read
    if kind == 4 and x.ndim > 1:
        return x[:1].expand(x.shape)
    return x


@pytest.mark.parametrize("seed", range(30))
def test_memory_of_any_layout(gpu, seed):
    robot, rng = arm(), np.random.default_rng(seed)
    full = tuple(int(n) for n in rng.integers(1, 4, rng.integers(1, 4)))
    given = []
    for core in (robot.nq, robot.nv, robot.nv):
        rank = int(rng.integers(0, len(full) + 1))
        batch = [n if rng.random() < 0.7 else 1 for n in full[len(full) - rank :]]
        given.append(layouts(torch.tensor(rng.normal(size=(*batch, core))), rng))
    expected = robot.inverse_dynamics(*(x.resolve_neg().numpy() for x in given))
    same(robot.torch.inverse_dynamics(*given), expected)
    pi = layouts(torch.tensor(robot.parameters * rng.uniform(0.9, 1.1, (2, robot.nb, 1))), rng)
    q = layouts(torch.tensor(robot.random(rng, 2)), rng)
    found = robot.torch.parametric.mass_matrix(q, pi)
    values = (x.resolve_neg().numpy() for x in (q, pi))
    assert_close(found.numpy(), robot.parametric.mass_matrix(*values))


# ------------------------------------------------------------------ derivatives


def test_gradients_of_any_order(gpu):
    robot = arm()
    given = [x.requires_grad_() for x in state(robot, 2)]
    tau = robot.torch.inverse_dynamics
    assert torch.autograd.gradcheck(tau, given)
    assert torch.autograd.gradgradcheck(tau, given)
    assert torch.autograd.gradcheck(tau, given, check_forward_ad=True, check_batched_grad=True)
    q, v, _ = given
    assert torch.autograd.gradcheck(robot.torch.frame("tool").jacobian, [q])
    assert torch.autograd.gradcheck(robot.torch.forward_dynamics.rates(0), [q, v, given[2]])


def test_transforms(gpu):
    from torch.func import hessian, jacfwd, jacrev, vmap

    robot = arm()
    q, v, a = state(robot, 5)
    dq = robot.inverse_dynamics.dv(*(x[0].numpy() for x in (q, v, a)))
    of_v = lambda x: robot.torch.inverse_dynamics(q[0], x, a[0])  # noqa: E731
    assert_close(jacrev(of_v)(v[0]).numpy(), dq)
    assert_close(jacfwd(of_v)(v[0]).numpy(), dq)
    H = hessian(lambda x: of_v(x).square().sum())(v[0])
    assert_close(H.numpy(), H.T.numpy())
    gpu.clear()
    each = vmap(robot.torch.inverse_dynamics, in_dims=(0, None, 1))(q, v[0], a.T.contiguous())
    assert len(gpu) == 1
    assert gpu[0][3][1] == 0  # what is not mapped is read once
    same(each, robot.inverse_dynamics(q.numpy(), v[0].numpy(), a.numpy()))


def test_rollouts(gpu):
    robot = arm()
    q, v, a = state(robot, 3)
    taus = torch.stack([a] * 4, dim=-2).requires_grad_()
    found = {}
    for checkpoint in (False, True):
        Q, V = robot.torch.rollout(q, v, taus, 0.01, checkpoint=checkpoint)
        (found[checkpoint],) = torch.autograd.grad(V[:, -1].square().sum() + Q.sum(), taus)
    assert_close(found[True].numpy(), found[False].numpy())
    expected = robot.rollout(q.numpy(), v.numpy(), taus.detach().numpy(), 0.01)
    for x, y in zip((Q, V), expected, strict=True):
        assert_close(x.detach().numpy(), y)


# ------------------------------------------------------------------ graphs


def compiled(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    torch._dynamo.reset()
    return torch.compile(function, fullgraph=True, backend="aot_eager", **options)


def test_graphs_call_the_same(computed_there):
    robot = made()
    given = state(robot, 3)
    function = compiled(
        lambda q, v, a: robot.torch.step(q, v, a, 0.01)[1] + robot.torch.mass_matrix(q)[..., 0],
        dynamic=True,
    )
    for count in (3, 6, 7):
        q, v, a = state(robot, count)
        computed_there.clear()
        found = function(q, v, a)
        assert len(computed_there) == 2
        arrays = [x.numpy() for x in (q, v, a)]
        expected = robot.step(*arrays, 0.01)[1] + robot.mass_matrix(arrays[0])[..., 0]
        assert_close(found.numpy(), expected)
    assert given[0].shape == (3, robot.nq)
