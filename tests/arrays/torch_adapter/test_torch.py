"""robot.torch: the same values as NumPy's, for every quantity, and sentences for what is wrong."""

from __future__ import annotations

import copy
import gc
import pickle
import subprocess
import sys
import threading
import weakref
from functools import cache
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.errors import ArgumentError
from jounce.robot import Robot
from support.contacts import Standing, with_contacts
from support.helpers import assert_close, chain, random_arguments, small_model, with_frames
from support.mechanisms import State, mechanism
from support.robots import random_model

torch = pytest.importorskip("torch", reason="PyTorch, a large package, is not installed")

pytestmark = pytest.mark.frameworks


@cache
def arm() -> Robot:
    """Joints whose configurations are plain numbers, and a tool."""
    model = chain(("revolute", "prismatic", "helical"))
    return Robot(with_frames(model, np.random.default_rng(1)))


@cache
def small() -> Robot:
    return Robot(small_model())


def tensors(*arrays: Any) -> list[Any]:
    return [torch.tensor(np.asarray(x)) for x in arrays]


def state(robot: Any, count: int, *batch: int, seed: int = 0) -> list[np.ndarray]:
    """A configuration, then `count` velocities."""
    rng = np.random.default_rng(seed)
    q = robot.random(rng, int(np.prod(batch, dtype=int))).reshape(*batch, robot.nq)
    return [q, *rng.normal(size=(count, *batch, robot.nv))]


def flat(found: Any) -> list[np.ndarray]:
    """Results as arrays, one or several."""
    return [np.asarray(x) for x in (found if isinstance(found, tuple) else (found,))]


def same(found: Any, expected: Any) -> None:
    """Bit by bit, and in shape."""
    assert isinstance(found, tuple) == isinstance(expected, tuple)
    for x, y in zip(flat(found), flat(expected), strict=True):
        assert x.dtype == y.dtype
        np.testing.assert_array_equal(x, y, strict=True)


# ------------------------------------------------------------------ values


@pytest.mark.parametrize("name", sorted(arm().definitions))
def test_every_quantity_has_numpys_bits(name):
    robot = arm()
    quantity = getattr(robot, name)
    given = random_arguments(quantity.kernel, robot, np.random.default_rng(3), (2,))
    found = getattr(robot.torch, name)(*tensors(*given))
    assert all(isinstance(x, torch.Tensor) for x in (found if type(found) is tuple else (found,)))
    if name == "elastic_inverse_dynamics":
        return  # which takes the drives' numbers by name: see below
    same(found, quantity(*given))


def test_elastic_drives():
    robot = arm()
    quantity, function = robot.elastic_inverse_dynamics, robot.torch.elastic_inverse_dynamics
    given = random_arguments(quantity.kernel, robot, np.random.default_rng(3), (2,))
    names = ("damping", "motor_inertia", "dstiffness", "ddstiffness")
    given[5:8] = np.abs(given[5:8])
    drives = dict(zip(names, given[6:], strict=True))
    bare = quantity(*given[:6])
    for x, y in zip(function(*tensors(*given[:6])), bare, strict=True):
        np.testing.assert_array_equal(x, y)
    for x, y in zip(function(*tensors(*given)), quantity(*given[:6], **drives), strict=True):
        np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("name", ["pose", "jacobian", "twist", "classical_acceleration"])
def test_frames(name):
    robot = arm()
    frame = robot.frame("tool")
    given = random_arguments(getattr(frame, name).kernel, robot, np.random.default_rng(3), (2,))
    found = getattr(robot.torch.frame("tool"), name)
    same(found(*tensors(*given)), getattr(frame, name)(*given))
    same(found.dq(*tensors(*given)), getattr(frame, name).dq(*given))
    assert robot.torch.frame("tool") is robot.torch.frame("tool")


def test_derivatives_rates_and_options():
    robot = arm()
    q, v, a, j = state(robot, 3, 2)
    Q, V, A, J = tensors(q, v, a, j)
    tau = robot.torch.inverse_dynamics
    same(tau.dq.dv(Q, V, A), robot.inverse_dynamics.dq.dv(q, v, a))
    same(tau.rates(1)(Q, V, A, J), robot.inverse_dynamics.rates(1)(q, v, a, j))
    same(tau.derivatives(Q, V, A), robot.inverse_dynamics.derivatives(q, v, a))
    same(tau.vjp(Q, V, A, J), robot.inverse_dynamics.vjp(q, v, a, j))
    same(
        robot.torch.step(Q, V, A, 0.01, method="rk4", friction=True),
        robot.step(q, v, a, 0.01, method="rk4", friction=True),
    )
    same(
        robot.torch.step.choose(method="rk4")(Q, V, A, torch.tensor(0.01).double()),
        robot.step(q, v, a, float(np.float32(0.01)), method="rk4"),
    )
    same(
        robot.torch.equations_of_motion(Q, V, coriolis="garofalo"),
        robot.equations_of_motion(q, v, coriolis="garofalo"),
    )
    same(robot.torch.quantity("frame(tool).pose.dt")(Q, V), robot.frame("tool").pose.dt(q, v))


def test_optional_arguments():
    robot = arm()
    q, v, a = state(robot, 2, 4)
    rng = np.random.default_rng(5)
    w, tool = rng.normal(size=(4, robot.nb, 6)), rng.normal(size=6)
    twist, rate = rng.normal(size=(2, 6))
    Q, V, A = tensors(q, v, a)
    tau, expected = robot.torch.inverse_dynamics, robot.inverse_dynamics
    same(tau(Q, V, A, torch.tensor(w)), expected(q, v, a, w))
    found = tau(Q, V, A, wrenches={"tool": torch.tensor(tool)})
    assert_close(found, expected(q, v, a, wrenches={"tool": tool}))
    found = tau(Q, V, A, base_twist=torch.tensor(twist), base_acceleration=torch.tensor(rate))
    assert_close(found, expected(q, v, a, base_twist=twist, base_acceleration=rate))


def test_numbers_of_the_robot():
    robot = arm()
    q, v, a = state(robot, 2, 2)
    pi, placements, screws = robot.morphable.now
    Q, V, A, P, L, S = tensors(q, v, a, pi, placements, screws)
    found = robot.torch.parametric.inverse_dynamics(Q, V, A, P)
    same(found, robot.parametric.inverse_dynamics(q, v, a, pi))
    found = robot.torch.morphable.inverse_dynamics(Q, V, A, P, L, S)
    same(found, robot.morphable.inverse_dynamics(q, v, a, pi, placements, screws))
    found = robot.torch.morphable.frame("tool").pose(Q, L, S)
    same(found, robot.morphable.frame("tool").pose(q, placements, screws))


def test_quaternions_of_any_length():
    robot = small()
    q, v, a = state(robot, 2, 3)
    expected = robot.inverse_dynamics(q, v, a)
    assert_close(robot.torch.inverse_dynamics(*tensors(q, v, a)), expected)
    longer = q.copy()
    for view in robot.joints.values():
        if view.q.stop - view.q.start > view.v.stop - view.v.start:
            longer[:, view.q.start : view.q.start + 4] *= 1.7
    assert not np.array_equal(longer, q)
    assert_close(robot.torch.inverse_dynamics(*tensors(longer, v, a)), expected)


def test_mechanisms_and_contacts():
    at = State(mechanism("floating"))
    given = [at[name] for name in ("q", "v", "a")]
    closed = at.closed
    assert_close(closed.torch.inverse_dynamics(*tensors(*given)), closed.inverse_dynamics(*given))
    rng = np.random.default_rng(0)
    model = with_contacts(random_model(rng, 3, ("revolute", "spherical")), rng, "point")
    standing = Standing(model)
    given = [standing.q, standing.v, standing.tau]
    expected = standing.contacts.forward_dynamics(*given)
    found = standing.contacts.torch.forward_dynamics(*tensors(*given))
    for x, y in zip(flat(found), flat(expected), strict=True):
        assert_close(x, y, 1e-9)


# ------------------------------------------------------------------ arrays


def test_precision_goes_with_the_widest():
    robot = arm()
    q, v, a = state(robot, 2, 3)
    Q, V, A = tensors(q, v, a)
    tau = robot.torch.inverse_dynamics
    single = tau(Q.float(), V.float(), A.float())
    assert single.dtype == torch.float32
    assert_close(single, tau(Q, V, A), 1e-4)
    assert tau(Q.float(), V.float(), [0.0, 0.0, 1.0]).dtype == torch.float32
    assert tau(Q.float(), V, A).dtype == torch.float64
    assert tau([0.1, 0.2, 0.3], [0, 0, 0], [0.0] * 3).dtype == torch.float64
    same(tau(Q, v, a), robot.inverse_dynamics(q, v, a))


def test_strides_and_broadcasts():
    robot = arm()
    q, v, a = state(robot, 2, 4, 5)
    Q, V, A = tensors(q, v, a)
    tau = robot.torch.inverse_dynamics
    flipped = [x.permute(1, 0, 2) for x in (Q, V, A)]
    same(tau(*flipped), robot.inverse_dynamics(*(x.swapaxes(0, 1) for x in (q, v, a))))
    same(
        tau(Q[::2, :1], V[0], A[0, 0]),
        robot.inverse_dynamics(q[::2, :1], v[0], a[0, 0]),
    )
    same(tau(Q[0, 0].expand(7, 3), V[0, 0], A[0, 0]).shape, torch.Size([7, 3]))
    same(
        robot.torch.kinetic_energy(Q[0, 0], V[0, 0]),
        np.asarray(robot.kinetic_energy(q[0, 0], v[0, 0])),
    )
    assert tau(Q[:0], V[:0], A[:0]).shape == (0, 5, 3)


def test_read_only_and_backward_arrays_are_taken():
    robot = arm()
    q, v, a = state(robot, 2, 3)
    q.flags.writeable = False
    found = robot.torch.inverse_dynamics(q, torch.tensor(v), a[::-1])
    same(found, robot.inverse_dynamics(q, v, a[::-1]))


def test_pytorchs_defaults_change_nothing():
    robot = arm()
    given = tensors(*state(robot, 2, 2))
    expected = robot.torch.inverse_dynamics(*given, wrenches={"tool": [0.0] * 6})
    with torch.device("meta"):
        found = robot.torch.inverse_dynamics(*given, wrenches={"tool": [0.0] * 6})
    same(found, expected.numpy())


def test_nothing_is_copied():
    robot = arm()
    out = robot.torch.mass_matrix(tensors(state(robot, 0, 2)[0])[0])
    view = out.numpy()
    out[0, 0, 0] = 5.0
    assert view[0, 0, 0] == 5.0
    assert out.is_contiguous()


# ------------------------------------------------------------------ called directly


def test_quantities_take_tensors_themselves():
    robot = arm()
    q, v, a = state(robot, 2, 3)
    Q, V, A = tensors(q, v, a)
    same(robot.inverse_dynamics(Q, V, A), robot.torch.inverse_dynamics(Q, V, A))
    assert isinstance(robot.inverse_dynamics(Q, V, A), torch.Tensor)
    assert robot.inverse_dynamics(Q.float(), V.float(), A.float()).dtype == torch.float32
    Q.requires_grad_()
    assert robot.inverse_dynamics(Q, V, A).requires_grad
    with pytest.raises(
        TypeError, match=r"'out' is for NumPy arrays, and the gradient of a tensor would be"
    ):
        robot.inverse_dynamics(Q, V, A, out=np.empty((3, 3)))
    with torch.no_grad():
        into = np.empty((3, 3))
        assert robot.inverse_dynamics(Q.detach(), V, A, out=into) is into
    same(into, robot.inverse_dynamics(q, v, a))
    assert isinstance(robot.inverse_dynamics(V, v, a), torch.Tensor)  # several kinds


# ------------------------------------------------------------------ what is wrong

BAD = {
    "float16": (
        lambda q: q.half(),
        r"must be float64 or float32, found float16; give its \.double",
    ),
    "bfloat16": (lambda q: q.bfloat16(), r"must be float64 or float32, found bfloat16"),
    "int64": (lambda q: q.long(), r"must be float64 or float32, found int64"),
    "bool": (lambda q: q > 0, r"must be float64 or float32, found bool"),
    "complex": (lambda q: q.to(torch.complex128), r"found complex128; give its \.real"),
    "integers of NumPy": (
        lambda q: q.numpy().astype(int),
        r"found int64; convert it with \.ast",
    ),
    "sparse": (lambda q: q.to_sparse(), r"must be a dense tensor, found a sparse_coo one"),
    "nested": (
        lambda q: torch.nested.nested_tensor(list(q), layout=torch.jagged),
        r"must be a dense tensor, found a nested one",
    ),
    "quantized": (
        lambda q: torch.quantize_per_tensor(q.float(), 0.1, 0, torch.qint8),
        r"found qint8; give its \.dequantize\(\)",
    ),
    "meta": (lambda q: q.to("meta"), r"found the meta device, whose tensors have no values"),
    "a list of tensors": (lambda q: list(q), r"found a list of tensors; pass torch\.stack of them"),
    "text": (lambda q: "q", r"must be a tensor or numbers, found str"),
    "a ragged list": (lambda q: [[1.0], [1.0, 2.0, 3.0]], r"must be an array of numbers"),
    "a wrong shape": (lambda q: q[:, :2], r"must have shape \(\.\.\., 3\), found \(2, 2\)"),
    "a scalar": (lambda q: q[0, 0], r"must have shape \(\.\.\., 3\), found \(\)"),
    "nothing": (lambda q: None, r"argument 'q' must be an array, found None"),
}


@pytest.mark.filterwarnings("ignore:.*sparse|.*[Qq]uantiz|.*nested")
@pytest.mark.parametrize("what", BAD)
def test_bad_arguments_get_a_sentence(what):
    robot = arm()
    Q, V, A = tensors(*state(robot, 2, 2))
    change, message = BAD[what]
    with pytest.raises(
        (TypeError, ArgumentError), match=r"chain\.torch\.inverse_dynamics.*'q'"
    ) as e:
        robot.torch.inverse_dynamics(change(Q), V, A)
    assert e.match(message)
    assert "\n" not in str(e.value)


def test_a_tensor_elsewhere_is_never_copied():
    from jounce.arrays.torch_adapter.library import _describe_device

    text = _describe_device(torch.device("xpu", 0))
    assert text.startswith("must be on the CPU or on CUDA (NVIDIA), found xpu:0")
    assert text.endswith("copy it to the CPU with .cpu()")


def test_wrong_calls_get_a_sentence():
    robot = arm()
    Q, V, A = tensors(*state(robot, 2, 2))
    tau = robot.torch.inverse_dynamics
    with pytest.raises(ArgumentError, match=r"batch axes do not broadcast: q \(2,\), v \(3,\)"):
        tau(Q, V[:1].expand(3, 3), A)
    with pytest.raises(TypeError, match=r"takes no 'out', an option for NumPy"):
        tau(Q, V, A, out=np.empty((2, 3)))
    with pytest.raises(TypeError, match=r"argument 'a' is missing"):
        tau(Q, V)
    with pytest.raises(TypeError, match=r"takes 4 positional arguments, found 5"):
        tau(Q, V, A, None, None)
    with pytest.raises(AttributeError, match=r"did you mean 'inverse_dynamics'\?"):
        _ = robot.torch.inverse_dynamic
    with pytest.raises(AttributeError):
        _ = tau.dz
    with pytest.raises(ArgumentError, match=r"no frame 'hand'; choose one of"):
        tau(Q, V, A, wrenches={"hand": torch.zeros(6)})
    with pytest.raises(AttributeError, match=r"has no 'rollout'"):
        robot.torch.frame("tool").rollout(Q, V)
    with pytest.raises(AttributeError, match=r"has no 'gradient'"):
        robot.torch.gradient(Q, Q)
    with pytest.raises(ArgumentError, match=r"'g' must have shape \(\.\.\., 3\), found \(2, 2\)"):
        robot.torch.tangent.gradient(Q, Q[:, :2])


# ------------------------------------------------------------------ objects


def test_surfaces_and_functions_are_copied_and_pickled():
    robot = arm()
    given = tensors(*state(robot, 2, 2))
    expected = robot.torch.inverse_dynamics(*given)
    for again in (copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))):
        same(again(robot.torch).inverse_dynamics(*given), expected.numpy())
        same(again(robot.torch.inverse_dynamics)(*given), expected.numpy())
        same(again(robot.torch.tangent).inverse_dynamics(*given, given[1] * 0), expected.numpy())
    assert "for torch" in repr(robot.torch)
    assert "inverse_dynamics" in dir(robot.torch)
    assert "dq" in dir(robot.torch.inverse_dynamics)


class Torques(torch.utils.data.Dataset):
    """Samples that workers compute."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.states = tensors(*state(robot, 2, 8))

    def __len__(self) -> int:
        return 8

    def __getitem__(self, k: int) -> Any:
        return self.robot.torch.inverse_dynamics(*(x[k] for x in self.states))


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_workers_of_a_data_loader():
    data = Torques(arm())
    loader = torch.utils.data.DataLoader(
        data, batch_size=4, num_workers=2, multiprocessing_context="fork"
    )
    found = torch.cat(list(loader))
    same(found, arm().torch.inverse_dynamics(*data.states).numpy())


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_without_pytorch():
    found = run(
        "import sys; sys.modules['torch'] = None\n"
        "import jounce\n"
        "try: jounce.load('planar_2r').torch\n"
        "except ImportError as error: print(error)\n"
    )
    expected = "robot.torch needs PyTorch, which is not installed: pip install 'jounce[torch]'"
    assert expected in found


def test_nobody_imports_pytorch_unasked():
    found = run("import jounce, sys; jounce.load('planar_2r'); print('torch' in sys.modules)")
    assert found.strip().splitlines()[-1] == "False"


def test_pytorch_alone_is_imported_and_not_its_compiler():
    found = run(
        "import jounce, sys; jounce.load('planar_2r').torch.mass_matrix([0.1, 0.2]);"
        "print('torch._dynamo' in sys.modules)"
    )
    assert found.strip().splitlines()[-1] == "False"


def test_threads_meet_at_the_first_use():
    robot = Robot(chain(("revolute", "spherical"), seed=7))
    q, v, tau = tensors(*state(robot, 2, 16))
    found = []

    def work() -> None:
        leaf = q.clone().requires_grad_()
        torch.func.vmap(robot.torch.mass_matrix)(q)
        robot.torch.forward_dynamics(leaf, v, tau).sum().backward()
        found.append(leaf.grad)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert all(torch.equal(x, found[0]) for x in found)


def used() -> weakref.ref[Robot]:
    """A robot that was differentiated and batched."""
    robot = Robot(chain(("revolute", "spherical"), seed=8))
    q, v, a = tensors(*state(robot, 2, 2))
    robot.torch.inverse_dynamics(q.requires_grad_(), v, a).sum().backward()
    torch.func.grad(lambda x: robot.torch.kinetic_energy(x, v).sum())(q.detach())
    return weakref.ref(robot)


def test_robots_that_nobody_needs_are_gone():
    left = used()
    gc.collect()
    assert left() is None


def test_mechanisms_are_pickled_too():
    closed = jounce.load("five_bar").closed(("joint1", "joint4"))
    q, v = torch.tensor(closed.reference), torch.zeros(closed.nv, dtype=torch.float64)
    again = pickle.loads(pickle.dumps(closed.torch))
    same(again.kinetic_energy(q, v), closed.torch.kinetic_energy(q, v).numpy())


def test_what_overflows_is_in_the_results():
    arm = jounce.load("planar_2r")
    q, huge = torch.zeros(2, dtype=torch.float64), torch.full((2,), 1e200, dtype=torch.float64)
    for v in (huge, huge.clone().requires_grad_()):
        assert not torch.isfinite(arm.torch.inverse_dynamics(q + 0.5, v, q)).all()


def test_autocast_leaves_precision_alone():
    arm = jounce.load("franka")
    q, v, a = (torch.rand(3, 7) for _ in range(3))
    plain = arm.torch.inverse_dynamics(q, v, a, wrenches={"tool": torch.ones(6)})
    g = arm.torch.tangent.gradient(q, v)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = arm.torch.inverse_dynamics(q, v, a, wrenches={"tool": torch.ones(6)})
        assert torch.equal(found, plain)
        assert torch.equal(arm.torch.tangent.gradient(q, v), g)
