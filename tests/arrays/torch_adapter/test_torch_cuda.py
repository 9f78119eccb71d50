"""robot.torch on a GPU, as far as a machine without one can tell.

A simulated launcher reads and writes the processor's memory at the addresses and steps that it is
given, and tensors say of themselves that they lie on CUDA: all that Python does is the real thing.
What PyTorch alone knows of devices is asked of its fake tensors. tests/gpu/check_torch.py runs the
same on a GPU.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, ClassVar

import numpy as np
import pytest

import jounce
from jounce.arrays.frameworks.operators import Operator, operator
from jounce.errors import ArgumentError
from jounce.robot import Robot
from support.helpers import assert_close, chain, random_arguments, small_model, with_frames

torch = pytest.importorskip("torch", reason="PyTorch, a large package, is not installed")

from torch._subclasses.fake_tensor import FakeTensorMode  # noqa: E402

from jounce.arrays.torch_adapter import constants, cuda, library, operations  # noqa: E402

# PyTorch's own, on the way to a graph
pytestmark = [
    pytest.mark.frameworks,
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

    def __init__(self, computed: Any, char: str, device: int) -> None:
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
        flat: Any = np.ndarray((entries,), self.dtype, memoryview(memory))
        rows = np.empty(core, self.dtype).strides
        return np.lib.stride_tricks.as_strided(
            flat, (samples, *core), (step * self.dtype.itemsize, *rows)
        )


@pytest.fixture
def gpu(monkeypatch: Any) -> Any:
    """Tensors that say that they lie on CUDA, and launchers that compute there; gives the calls."""
    launcher = lambda *what: Launched(*what)  # noqa: E731
    monkeypatch.setattr(Operator, "launcher", launcher, raising=False)
    monkeypatch.setattr(cuda, "stream", lambda device: STREAM)
    monkeypatch.setattr(torch.Tensor, "is_cuda", True)
    monkeypatch.setattr(torch.Tensor, "is_cpu", False)
    Launched.calls.clear()
    return Launched.calls


@pytest.fixture
def computed_there(monkeypatch: Any) -> Any:
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


def test_zeros_without_memory_get_some(gpu):
    robot = arm()
    q, v, _ = state(robot, 3)
    nothing = torch._efficientzerotensor((3, robot.nv), dtype=torch.float64)
    expected = robot.inverse_dynamics(q.numpy(), v.numpy(), np.zeros((3, robot.nv)))
    for _ in range(2):
        same(robot.torch.inverse_dynamics(q, v, nothing), expected)
        assert 0 not in gpu[-1][2]


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
    pi = layouts(
        torch.tensor(robot.model.parameters * rng.uniform(0.9, 1.1, (2, robot.nb, 1))), rng
    )
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


@pytest.fixture
def in_a_thread(monkeypatch):
    """Gradients computed in a thread of their own, as PyTorch does on CUDA."""
    pulled = operations.pull_back

    def work(differentiated: bool, *what: Any) -> Any:
        with torch.set_grad_enabled(differentiated):
            return pulled(*what)

    with ThreadPoolExecutor(1) as engine:
        there = lambda *x: engine.submit(work, torch.is_grad_enabled(), *x).result()  # noqa: E731
        monkeypatch.setattr(operations, "pull_back", there)
        yield


@pytest.mark.usefixtures("gpu", "in_a_thread")
def test_batched_gradients_in_threads_of_autograd():
    robot = arm()
    given = [x.requires_grad_() for x in state(robot, 2)]
    tau = robot.torch.inverse_dynamics
    assert torch.autograd.gradcheck(tau, given, check_batched_grad=True)
    assert torch.autograd.gradgradcheck(tau, given, check_batched_grad=True)
    q, v, a = (x[0].detach() for x in given)
    rows = torch.autograd.functional.jacobian(lambda x: tau(q, x, a), v, vectorize=True)
    assert_close(rows.numpy(), robot.inverse_dynamics.dv(q.numpy(), v.numpy(), a.numpy()))


def test_batched_gradients_of_batched_gradients_are_refused(in_a_thread):
    robot = arm()
    q, v, a = (x[0] for x in state(robot, 2))
    v.requires_grad_()
    eye = torch.eye(robot.nv, dtype=torch.float64)

    def inner(weight: Any) -> Any:
        tau = robot.torch.inverse_dynamics(q, v, a)
        return torch.autograd.grad(tau, v, eye * weight, is_grads_batched=True)[0]

    with pytest.raises(NotImplementedError, match=r"batched gradients .*use torch\.func\.vmap"):
        torch._vmap_internals._vmap(inner)(eye)


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
        expected = robot.step(*arrays, h=0.01)[1] + robot.mass_matrix(arrays[0])[..., 0]
        assert_close(found.numpy(), expected)


def test_gradients_of_what_is_compiled(computed_there):
    robot = arm()
    function = compiled(lambda q, v, a: robot.torch.inverse_dynamics(q.sin(), v, a).square().sum())
    leaves = [x.requires_grad_() for x in state(robot, 3)]
    again = [x.detach().clone().requires_grad_() for x in leaves]
    function(*leaves).backward()
    q, v, a = again
    robot.torch.inverse_dynamics(q.sin(), v, a).square().sum().backward()
    for x, y in zip(leaves, again, strict=True):
        assert_close(x.grad.numpy(), y.grad.numpy())


def on_cuda(*shapes: tuple[int, ...], dtype: Any = torch.float64) -> list[Any]:
    """Tensors of CUDA without values; inside a FakeTensorMode."""
    return [torch.empty(shape, dtype=dtype, device="cuda") for shape in shapes]


CALLS: dict[str, Callable[..., Any]] = {
    "quantity": lambda r, q, v, a: r.torch.inverse_dynamics(q, v, a),
    "number": lambda r, q, v, a: r.torch.step(q, v, a, 0.01),
    "list": lambda r, q, v, a: r.torch.inverse_dynamics(q, v, [0.0, 1.0, 2.0, 3.0]),
    "array": lambda r, q, v, a: r.torch.inverse_dynamics(q, v, np.arange(4.0)),
    "wrenches, and gravity by default": lambda r, q, v, a: r.torch.inverse_dynamics(
        q, v, a, wrenches={"tool": v.narrow(-1, 0, 1).expand(3, 6)}
    ),
    "gradient": lambda r, q, v, a: r.torch.tangent.gradient(q, q),
    "parameters": lambda r, q, v, a: r.torch.parametric.inverse_dynamics(
        q, v, a, r.model.parameters
    ),
}


@pytest.mark.parametrize("what", CALLS)
def test_graphs_stay_on_the_device(what):
    """CUDA graphs of torch.compile are given up where a node of a graph lies on the CPU."""
    from torch.fx.experimental.proxy_tensor import make_fx

    robot = arm()
    with FakeTensorMode():
        given = on_cuda((3, robot.nq), (3, robot.nv), (3, robot.nv))
        graph = make_fx(lambda *x: CALLS[what](robot, *x))(*given)
    graph.graph.eliminate_dead_code()  # as torch.compile does
    seen = [node.meta["val"] for node in graph.graph.nodes if "val" in node.meta]
    leaves = torch.utils._pytree.tree_leaves(seen)
    tensors = [x for x in leaves if isinstance(x, torch.Tensor)]
    assert len(tensors) >= 4
    assert {x.device.type for x in tensors} == {"cuda"}
    assert not [node for node in graph.graph.nodes if node.op == "get_attr"]


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_shapes_of_what_has_no_values(dtype):
    robot = arm()
    with FakeTensorMode():
        q, v, a = on_cuda((3, 1, robot.nq), (5, robot.nv), (robot.nv,), dtype=dtype)
        found = robot.torch.inverse_dynamics(q, v, a)
        q1, v1 = robot.torch.step(q, v, a, 0.01)
    assert (found.shape, found.dtype) == ((3, 5, robot.nv), dtype)
    assert found.device == q1.device == v1.device == q.device


# ------------------------------------------------------------------ what is wrong

ODD: dict[str, Callable[[Any], Any]] = {
    "sparse_coo": lambda x: x.to_sparse(),
    "sparse_csr": lambda x: x.to_sparse_csr(),
    "sparse_bsc": lambda x: x.to_sparse_bsc((1, 1)),
    "nested": lambda x: torch.nested.nested_tensor(list(x)),
}


@pytest.mark.filterwarnings("ignore:.*[Ss]parse|.*nested")
@pytest.mark.parametrize("layout", ODD)
def test_odd_layouts_get_a_sentence(monkeypatch, gpu, layout):
    robot, wrong = arm(), rf"must be a dense tensor, found a {layout} one; pass"
    q, v, a = state(robot, 3)
    robot.torch.inverse_dynamics(q, v, a)  # there is a plan from now on
    stride = torch.Tensor.stride
    dense = lambda x: x.layout is torch.strided and not x.is_nested  # noqa: E731
    monkeypatch.setattr(  # sparse tensors of some versions of PyTorch have some
        torch.Tensor, "stride", lambda x: stride(x) if dense(x) else (0, 0)
    )
    gpu.clear()
    for learnt in (False, True):
        odd = ODD[layout](q).requires_grad_(learnt)
        for function in (robot.torch.inverse_dynamics, robot.inverse_dynamics):
            with pytest.raises(TypeError, match=rf"inverse_dynamics: argument 'q' {wrong}"):
                function(odd, v, a)
    with pytest.raises(TypeError, match=rf"at step 0 {wrong}"):
        robot.torch.rollout(q, v, h=0.01, policy=lambda k, q, v: ODD[layout](v), steps=2)
    assert not gpu


def test_several_devices_get_a_sentence():
    robot = arm()
    act = lambda k, q, v: torch.zeros(3, robot.nv, dtype=torch.float64)  # noqa: E731
    with FakeTensorMode():
        q, v, a = on_cuda((3, robot.nq), (3, robot.nv), (3, robot.nv))
        with pytest.raises(ArgumentError, match=r"one device, found cpu and cuda:0; move them"):
            robot.torch.inverse_dynamics(q, v.to("cpu"), a)
        with pytest.raises(ArgumentError, match=r"found cuda:0 and cuda:1; move them with \.to"):
            robot.torch.inverse_dynamics(q, v, a.to("cuda:1"))
        with pytest.raises(
            ArgumentError, match=r"step 0 must be on the device of the state, cuda:0"
        ):
            robot.torch.rollout(q, v, h=0.01, policy=act, steps=2)
        with pytest.raises(TypeError, match=r"'q' must be on the CPU or on CUDA .*, found xpu:0"):
            robot.torch.inverse_dynamics(torch.empty(3, robot.nq, device="xpu").double(), v, a)


def test_operators_of_graphs_refuse_several_devices(monkeypatch, gpu):
    robot = arm()
    given = state(robot, 3)
    places = {id(x): k for k, x in enumerate(given)}
    monkeypatch.setattr(torch.Tensor, "get_device", lambda x: places[id(x)])
    with pytest.raises(ArgumentError, match=r"inverse_dynamics: tensors must be on one device"):
        cuda.values(operator(robot.inverse_dynamics), given)


def test_rocm_gets_a_sentence(monkeypatch):
    monkeypatch.setattr(torch.version, "hip", "6.0")
    with FakeTensorMode():
        q, v, a = on_cuda((4,), (4,), (4,))
        with pytest.raises(TypeError, match=r"on the CPU or on CUDA .*, found cuda:0 of ROCm"):
            arm().torch.inverse_dynamics(q, v, a)


def test_no_kernel_is_made_while_a_graph_is_captured(monkeypatch, gpu):
    robot = made()
    given = state(robot, 3)
    monkeypatch.setattr(cuda, "is_capturing", lambda: True)
    with pytest.raises(
        RuntimeError, match=r"kernel for cuda:-1 must be compiled.*call the same function"
    ):
        robot.torch.inverse_dynamics(*given)
    monkeypatch.setattr(cuda, "is_capturing", lambda: False)
    expected = robot.torch.inverse_dynamics(*given)
    monkeypatch.setattr(cuda, "is_capturing", lambda: True)
    same(robot.torch.inverse_dynamics(*given), expected.numpy())


def test_numpys_options_are_refused(gpu):
    robot = arm()
    q, v, a = (x.requires_grad_() for x in state(robot, 3))
    with pytest.raises(TypeError, match=r"takes no 'out', an option for NumPy"):
        robot.torch.inverse_dynamics(q, v, a, out=np.empty((3, robot.nv)))
    with pytest.raises(
        TypeError, match=r"'out' is for NumPy arrays, and a tensor is on cpu; omit it"
    ):
        robot.inverse_dynamics(q, v, a, out=np.empty((3, robot.nv)))


# ------------------------------------------------------------------ numbers beside tensors

DEVICE = torch.device("meta")  # any but the CPU


@pytest.mark.parametrize(
    "numbers",
    [
        0.01,
        [0.0, 0.0, -9.81],
        [[1.0, 1.0], [1.0, 2.0]],
        np.zeros((0, 3)),
        np.float32(0.1),
        [0.0, -0.0, np.nan, np.nan, np.inf],
        np.arange(12.0).reshape(3, 4).T,
    ],
)
def test_pieces_are_the_array(numbers):
    array = np.asarray(numbers, float)
    pieces = constants._pieces(array)
    again = np.array([value for value, count in pieces for _ in range(count)])
    np.testing.assert_array_equal(again.reshape(array.shape), array)
    assert (np.signbit(again) == np.signbit(array.ravel())).all()


def test_small_arrays_are_kept(monkeypatch):
    monkeypatch.setattr(constants, "_copies", {})
    gravity = np.array((0.0, 0.0, -9.81))
    with torch.inference_mode():
        first = constants.make_constant(gravity, torch.float64, DEVICE)
    assert not first.is_inference()
    assert constants.make_constant(list(gravity), torch.float64, DEVICE) is first
    assert constants.make_constant(gravity, torch.float32, DEVICE) is not first
    large = np.arange(1e4)
    kept = len(constants._copies)
    assert constants.make_constant(large, torch.float64, DEVICE).shape == (10000,)
    assert len(constants._copies) == kept
    for k in range(constants._MAX_COPIES + 5):
        constants.make_constant([0.0, 1.0 + k], torch.float64, DEVICE)
    assert 0 < len(constants._copies) <= constants._MAX_COPIES
    assert constants.make_constant(gravity, torch.float64, DEVICE) is not first


def test_nothing_is_copied_while_a_graph_is_captured(monkeypatch):
    monkeypatch.setattr(constants, "_copies", {})
    monkeypatch.setattr(cuda, "is_capturing", lambda: True)
    found = constants.make_constant([[0.0, 0.0], [1.0, 2.0]], torch.float64, DEVICE)
    assert (found.shape, found.device.type) == ((2, 2), "meta")
    assert not constants._copies
    monkeypatch.setattr(cuda, "is_capturing", lambda: False)
    kept = constants.make_constant([0.0, 1.0], torch.float64, DEVICE)
    monkeypatch.setattr(cuda, "is_capturing", lambda: True)
    assert constants.make_constant([0.0, 1.0], torch.float64, DEVICE) is kept
    with pytest.raises(RuntimeError, match=r"\(1000,\) cannot be copied to meta while"):
        constants.make_constant(np.arange(1000.0), torch.float64, DEVICE)


def test_numbers_move_in_what_is_traced():
    def work(x: Any, h: float) -> Any:
        given = [x, library.LIBRARY.array(h, "h")]
        first, second = library.LIBRARY.alike(given, (True, False), "title")
        return first + second

    torch._dynamo.reset()
    function = torch.compile(work, fullgraph=True, backend="eager")
    for h in (0.1, 0.2, 0.3):
        found = function(torch.empty(3, dtype=torch.float32, device=DEVICE), h)
        assert (found.device, found.dtype) == (DEVICE, torch.float32)


def test_products_are_in_full_precision(gpu):
    rng = np.random.default_rng(0)
    x, matrix = rng.normal(size=(4, 6)), rng.normal(size=(6, 18))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = library.LIBRARY.product(torch.tensor(x), matrix)
    assert_close(found.numpy(), x @ matrix)
    single = library.LIBRARY.product(torch.tensor(x).float(), matrix)
    assert single.dtype is torch.float32
    assert_close(single.numpy(), x @ matrix, 1e-6)


# ------------------------------------------------------------------ modules


def test_modules_compute_there(gpu):
    robot = jounce.load("planar_2r")
    q, v, a = state(robot, 16)
    truth = robot.edit.with_parameters(1.2 * robot.model.parameters, damping=[0.5] * 2)
    measured = torch.tensor(truth.motor_forces(*(x.numpy() for x in (q, v, a))))
    model = jounce.torch.Dynamics(robot, ("inertia", "friction", "armature"), margin=1e-3)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05, foreach=False)
    losses = []
    for _ in range(30):
        optimizer.zero_grad()
        loss = (model(q, v, a) - measured).square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.2 * losses[0]
    tau = model(q, v, a)
    assert_close(model.forward_dynamics(q, v, tau).detach().numpy(), a.numpy(), 1e-9)
    assert model.to_robot().nv == 2
    assert gpu


def test_without_a_factor_accelerations_are_nan(gpu):
    from jounce.arrays.torch_adapter.dynamics import _solve_mass_matrix

    M = torch.eye(3, dtype=torch.float64).expand(2, 3, 3).clone()
    M[1, 2, 2] = -1.0
    found = _solve_mass_matrix(M, torch.ones(2, 3, dtype=torch.float64))
    assert torch.isfinite(found[0]).all()
    assert torch.isnan(found[1]).all()


def test_modules_move_with_all_they_have():
    robot = arm()
    model = jounce.torch.Dynamics(robot, ("inertia", "friction", "armature"), margin=1e-3)
    places = {name for name, _ in model.named_buffers()} - set(model.state_dict())
    assert places == {"_learned_bodies", "_driven"}  # which files of weights need not have
    assert {x.device.type for x in model.to("meta").buffers()} == {"meta"}
    assert model.damping.device.type == "meta"


def test_constants_in_graphs_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    from jounce.arrays.torch_adapter import constants

    monkeypatch.setattr(constants, "_in_graphs", {})
    array = np.array((1.5, 2.5, 3.5))
    given = array, constants._pieces(array), {"dtype": torch.float64, "device": "cpu"}
    kept = constants._copy_to_device(*given)
    assert not constants._in_graphs
    monkeypatch.setattr(constants.cuda, "is_capturing", lambda: True)
    assert constants._copy_to_device(*given) is kept
    constants._copies.clear()  # as when there are too many
    assert [x is kept for x in constants._in_graphs.values()] == [True]
