"""robot.jax on CUDA: values, transformations, graphs, errors; expected values are from NumPy.

By default JAX reserves three quarters of the memory of a GPU; other libraries need some.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from typing import Any

import numpy as np

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import jax
import jax.numpy as jnp

import jounce
from tests.gpu.support import close, given, mechanisms, raises, robots

jax.config.update("jax_enable_x64", True)

#: Platform of JAX.
PLATFORM = "cuda"


@cache
def device() -> Any:
    """Return the GPU."""
    return jax.devices(PLATFORM)[0]


def on_card(*arrays: Any) -> list[Any]:
    """Return NumPy arrays as JAX arrays on the GPU."""
    return [jax.device_put(x, device()) for x in arrays]


def on_processor(function: Callable[..., Any], *arrays: Any) -> Any:
    """Return the results of JAX on the CPU, which uses the kernels that NumPy calls."""
    return jax.jit(function)(*(jax.device_put(x, jax.devices("cpu")[0]) for x in arrays))


def lies_there(x: Any) -> None:
    """Assert that a JAX array is on the GPU."""
    assert isinstance(x, jax.Array), type(x)
    assert x.devices() == {device()}, x.devices()


def compared(quantity: Any, of_jax: Any, *, scalar: str = "double", tolerance: float = 0.0) -> None:
    """Compare values of a quantity under jit, on 65 samples."""
    arrays = given(quantity, 65, scalar=scalar)
    found = jax.jit(of_jax)(*on_card(*arrays))
    jax.tree.map(lies_there, found)
    expected = quantity(*(x.astype(np.float64) for x in arrays))
    close(found, expected, scalar, quantity.title, tolerance)


# ------------------------------------------------------------------ values


def check_card() -> None:
    """The GPU is found, and the handler is called by name."""
    print(f"  jax {jax.__version__}, {device()}: {device().device_kind}", flush=True)
    robot = robots()["planar_2r"]
    text = jax.jit(robot.jax.mass_matrix).lower(*on_card(np.zeros((3, 2)))).as_text()
    assert "@jounce(" in text, text


def check_values_in_double() -> None:
    """Arms, floating bases, mimic joints, all joint kinds."""
    for name in ("iiwa14_mueller_kumar2021", "small", "every kind", "floating", "mimic"):
        robot = robots()[name]
        compared(robot.inverse_dynamics, robot.jax.inverse_dynamics)
        compared(robot.mass_matrix, robot.jax.mass_matrix)


def check_values_in_single() -> None:
    """float32, the default of JAX."""
    for name in ("iiwa14_mueller_kumar2021", "every kind"):
        robot = robots()[name]
        compared(robot.inverse_dynamics, robot.jax.inverse_dynamics, scalar="float")
        compared(robot.mass_matrix, robot.jax.mass_matrix, scalar="float")
    arrays = given(robots()["small"].inverse_dynamics, 5, scalar="float")
    with jax.enable_x64(False):
        found = jax.jit(robots()["small"].jax.inverse_dynamics)(*on_card(*arrays))
        assert found.dtype == np.float32
    close(found, robots()["small"].inverse_dynamics(*arrays), "float")


def check_forward_dynamics() -> None:
    """Forward dynamics, which loses digits in divisions by small numbers."""
    robot = robots()["iiwa14_mueller_kumar2021"]
    compared(robot.forward_dynamics, robot.jax.forward_dynamics, tolerance=1e-9)
    derivatives = robot.forward_dynamics.derivatives
    compared(derivatives, robot.jax.forward_dynamics.derivatives, tolerance=1e-9)


def check_closed_form_derivatives_and_frames() -> None:
    """Several results from one kernel, frames, wrenches by frame, time derivatives."""
    robot = robots()["iiwa14_mueller_kumar2021"]
    compared(robot.inverse_dynamics.derivatives, robot.jax.inverse_dynamics.derivatives)
    compared(robot.frame("tool").jacobian, robot.jax.frame("tool").jacobian)
    compared(robot.kinetic_energy.rates(2), robot.jax.kinetic_energy.rates(2))
    q, v, a = given(robot.inverse_dynamics, 7)
    push = np.random.default_rng(1).normal(size=(7, 6))
    found = jax.jit(lambda *x: robot.jax.inverse_dynamics(*x[:3], wrenches={"tool": x[3]}))
    expected = robot.inverse_dynamics(q, v, a, wrenches={"tool": push})
    close(found(*on_card(q, v, a, push)), expected)


def check_batches() -> None:
    """Empty and single batches, sizes around a block, several axes, and shared arguments."""
    robot = robots()["small"]
    tau = jax.jit(robot.jax.inverse_dynamics)
    for batch in (0, 1, 3, 63, 64, 65, 1000, (), (4, 5), (2, 0)):
        arrays = given(robot.inverse_dynamics, batch)
        found = tau(*on_card(*arrays))
        lies_there(found)
        close(found, robot.inverse_dynamics(*arrays), what=f"batch {batch}")
    q, v, a = given(robot.inverse_dynamics, 130)
    for arrays in ((q[0], v, a), (q, v[0], a[0]), (q, v[:1], a), (q[:, None], v[:3], a[:1])):
        found = tau(*on_card(*arrays))
        close(found, robot.inverse_dynamics(*arrays), what=str([x.shape for x in arrays]))


def check_large_batch() -> None:
    """250,000 samples, some of which are compared."""
    robot = robots()["iiwa14_mueller_kumar2021"]
    q, v, a = np.random.default_rng(0).normal(size=(3, 2**18 + 17, 7))
    found = np.asarray(jax.jit(robot.jax.inverse_dynamics)(*on_card(q, v, a)))
    some = np.r_[0:100, 2**17 : 2**17 + 100, -100:0]
    close(found[some], robot.inverse_dynamics(q[some], v[some], a[some]))
    assert np.isfinite(found).all()


def check_direct_calls() -> None:
    """Quantities take arrays on the GPU, with NumPy arrays as constants."""
    robot = robots()["iiwa14_mueller_kumar2021"]
    q, v, a = given(robot.inverse_dynamics, 9)
    found = robot.inverse_dynamics(*on_card(q, v), a)
    lies_there(found)
    close(found, robot.inverse_dynamics(q, v, a))
    M = robot.mass_matrix(*on_card(q[0]))
    lies_there(M)
    close(M, robot.mass_matrix(q[0]))


# ------------------------------------------------------------------ transformations


def check_vmap() -> None:
    """vmap along any axes, nested, and with unmapped arguments."""
    robot = robots()["small"]
    tau = robot.jax.inverse_dynamics
    q, v, a = given(robot.inverse_dynamics, 6)
    over = jax.jit(jax.vmap(tau, (0, 1, None)))(*on_card(q, v.T.copy(), a[0]))
    close(over, robot.inverse_dynamics(q, v, a[0]))
    nested = jax.jit(jax.vmap(jax.vmap(tau, (None, 0, None)), (0, None, None)))
    close(nested(*on_card(q, v, a[0])), robot.inverse_dynamics(q[:, None], v, a[0]))


def check_gradients() -> None:
    """Gradients in all arguments, in forward and reverse mode."""
    robot = robots()["iiwa14_mueller_kumar2021"]
    tau = robot.jax.inverse_dynamics
    arrays = given(robot.inverse_dynamics, 33)
    weights, moves = (
        2.0 * robot.inverse_dynamics(*arrays),
        given(robot.inverse_dynamics, 33, seed=1),
    )
    cost = lambda *x: (tau(*x) ** 2).sum()  # noqa: E731
    found = jax.jit(jax.grad(cost, (0, 1, 2)))(*on_card(*arrays))
    close(list(found), list(robot.inverse_dynamics.vjp(*arrays, weights)))
    pushed = jax.jit(lambda x, dx: jax.jvp(tau, x, dx))
    value, moved = pushed(tuple(on_card(*arrays)), tuple(on_card(*moves)))
    close(value, robot.inverse_dynamics(*arrays))
    expected = on_processor(lambda x, dx: jax.jvp(tau, x, dx)[1], tuple(arrays), tuple(moves))
    close(moved, expected, tolerance=1e-11)
    by_a = jax.jit(jax.vmap(jax.jacfwd(tau, 2)))(*on_card(*arrays))
    close(by_a, robot.mass_matrix(arrays[0]))
    by_q = jax.jit(jax.vmap(jax.jacrev(tau, 0)))(*on_card(*arrays))
    close(by_q, robot.inverse_dynamics.dq(*arrays), tolerance=1e-11)


def check_second_derivatives() -> None:
    """Forward over reverse mode, and reverse over forward mode."""
    robot = robots()["planar_2r"]
    arrays = given(robot.inverse_dynamics, ())
    cost = lambda q, v, a: (robot.jax.inverse_dynamics(q, v, a) ** 2).sum()  # noqa: E731
    for twice in (jax.hessian(cost), jax.jacrev(jax.jacfwd(cost))):
        found = jax.jit(twice)(*on_card(*arrays))
        close(found, on_processor(twice, *arrays), tolerance=1e-11)
        close(found, np.asarray(found).T, tolerance=1e-11)


def check_floating_bases() -> None:
    """Gradients in the entries of q, and along velocities."""
    robot = robots()["floating"]
    q, v = given(robot.momentum, 5)
    total = lambda q, v: (robot.jax.momentum(q, v) ** 2).sum()  # noqa: E731
    found = jax.jit(jax.grad(total))(*on_card(q, v))
    expected = on_processor(jax.grad(total), q, v)
    close(found, expected, tolerance=1e-11)
    along = jax.jit(robot.jax.tangent.gradient)(*on_card(q, np.asarray(expected)))
    close(along, on_processor(robot.jax.tangent.gradient, q, expected), tolerance=1e-11)


def check_scan_and_rollouts() -> None:
    """Successive steps, a policy, and gradients through all of them."""
    robot = robots()["iiwa14_mueller_kumar2021"]
    q, v = 0.3 * np.random.default_rng(0).normal(size=(2, 16, 7))
    taus = np.zeros((16, 20, 7))
    found = jax.jit(robot.jax.rollout)(*on_card(q, v, taus), 0.001)
    close(list(found), list(robot.rollout(q, v, taus, 0.001)), tolerance=1e-10)
    close(list(robot.rollout(*on_card(q, v, taus), 0.001)), list(found), tolerance=1e-12)

    def restless(q: Any, v: Any, gain: Any) -> Any:
        damped = lambda k, q, v: robot.jax.gravity_forces(q) - gain * v  # noqa: E731
        return (robot.jax.rollout(q, v, h=0.001, policy=damped, steps=10)[1] ** 2).mean()

    both = jax.value_and_grad(restless, 2)
    value, gradient = jax.jit(both)(*on_card(q, v, np.ones(7)))
    expected = on_processor(both, q, v, np.ones(7))
    close([value, gradient], list(expected), tolerance=1e-9)


def check_mechanisms_and_parameters() -> None:
    """Closed loops; robot parameters as arguments, one robot per sample."""
    linkage = mechanisms()["four_bar"]
    for quantity in ("inverse_dynamics", "mass_matrix"):
        compared(getattr(linkage, quantity), getattr(linkage.jax, quantity), tolerance=1e-11)
    robot = robots()["small"]
    quantity, of_jax = robot.parametric.inverse_dynamics, robot.jax.parametric.inverse_dynamics
    compared(quantity, of_jax, tolerance=1e-11)
    arrays = given(quantity, 17)
    cost = lambda *x: (of_jax(*x) ** 2).sum()  # noqa: E731
    of_pi = jax.grad(cost, 3)
    close(jax.jit(of_pi)(*on_card(*arrays)), on_processor(of_pi, *arrays), tolerance=1e-11)


def check_several_devices_of_one() -> None:
    """shard_map and pmap on all GPUs of the machine."""
    from jax.sharding import Mesh, PartitionSpec

    robot, cards = robots()["small"], jax.devices(PLATFORM)
    arrays = given(robot.inverse_dynamics, 6 * len(cards))
    expected = robot.inverse_dynamics(*arrays)
    mesh = Mesh(np.array(cards), ("x",))
    over = {"mesh": mesh, "in_specs": PartitionSpec("x"), "out_specs": PartitionSpec("x")}
    close(jax.jit(jax.shard_map(robot.jax.inverse_dynamics, **over))(*arrays), expected)
    split = [x.reshape(len(cards), 6, -1) for x in arrays]
    found = jax.pmap(robot.jax.inverse_dynamics, devices=cards)(*split)
    close(np.asarray(found).reshape(expected.shape), expected)


# ------------------------------------------------------------------ programs


def _chain(robot: Any) -> Callable[..., Any]:
    """Return a function of several kernels, with XLA operations between them."""

    def work(q: Any, v: Any, a: Any) -> Any:
        for _ in range(4):
            tau = robot.jax.inverse_dynamics(q, v, a)
            M = robot.jax.mass_matrix(q)
            a = 0.5 * jnp.tanh(tau) + 0.1 * jnp.einsum("...ij,...j->...i", M, v)
            q, v = q + 0.01 * v, jnp.sin(v + a)
        return q, v, a, robot.jax.kinetic_energy(q, v)

    return work


@contextmanager
def _counted() -> Iterator[Callable[[], int]]:
    """Return how often the handler launched a kernel; recorded graphs launch none."""
    from jounce.arrays.jax_adapter import abi, cuda

    functions, calls = cuda.handler(abi.version()).functions, [0]
    unsigned = (ctypes.c_uint,) * 7
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, *unsigned, *(ctypes.c_void_p,) * 3)
    before = functions[0]
    launch = kind(before)

    def counting(*x: Any) -> int:
        calls[0] += 1
        return launch(*x)

    ours = kind(counting)
    functions[0] = ctypes.cast(ours, ctypes.c_void_p).value
    try:
        yield lambda: calls[0]
    finally:
        functions[0] = before


def check_several_kernels_in_one_program() -> None:
    """Kernels that XLA runs in order on its stream, between its own."""
    robot = robots()["iiwa14_mueller_kumar2021"]
    arrays = given(robot.inverse_dynamics, 257)
    work = _chain(robot)
    found = jax.jit(work)(*on_card(*arrays))
    close(list(found), list(on_processor(work, *arrays)), tolerance=1e-10)


def _graphs(options: dict[str, Any]) -> None:
    """Call a program often that XLA may record as graphs, with changing memory."""
    robot = robots()["iiwa14_mueller_kumar2021"]
    work = _chain(robot)
    batches = [given(robot.inverse_dynamics, 64, seed=seed) for seed in range(4)]
    expected = [list(on_processor(work, *x)) for x in batches]
    program = jax.jit(work).lower(*on_card(*batches[0])).compile(compiler_options=options)
    kept, stay = [], [on_card(*x) for x in batches]
    with _counted() as count:
        for k in range(60):
            fresh = k % 3 == 0
            found = program(*(on_card(*batches[k % 4]) if fresh else stay[k % 4]))
            close(list(found), expected[k % 4], what=f"call {k}", tolerance=1e-10)
            kept.append(found if k % 7 == 0 else None)  # so that the next call uses other memory
        several = count()
        for _ in range(20):
            jax.block_until_ready(program(*stay[0]))
        same = count() - several
    print(
        f"  launches: {several} in 60 calls, {same} in 20 of the same; 9 kernels each", flush=True
    )


def check_command_buffers() -> None:
    """Graphs of everything that XLA records, from one kernel on."""
    _graphs({"xla_gpu_graph_min_graph_size": 1})


def check_programs_as_xla_makes_them() -> None:
    """Default settings for graphs, and no graphs."""
    _graphs({})
    _graphs({"xla_gpu_enable_command_buffer": ""})


def check_donated_arrays() -> None:
    """Donated arrays, whose memory XLA reuses."""
    robot = robots()["iiwa14_mueller_kumar2021"]
    step = lambda q, v, tau: robot.jax.step(q, v, tau, 0.001)  # noqa: E731
    q, v = 0.3 * np.random.default_rng(0).normal(size=(2, 100, 7))
    tau = np.zeros((100, 7))
    state, push = on_card(q, v), on_card(tau)[0]
    program = jax.jit(step, donate_argnums=(0, 1))
    for _ in range(30):
        state = program(*state, push)
        q, v = robot.step(q, v, tau, 0.001)
    close(list(state), [q, v], tolerance=1e-10)


def check_threads() -> None:
    """Programs that run concurrently."""
    robot = robots()["iiwa14_mueller_kumar2021"]
    tau = jax.jit(robot.jax.inverse_dynamics)
    batches = [given(robot.inverse_dynamics, 500, seed=seed) for seed in range(8)]
    cards = [on_card(*x) for x in batches]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(5):
            for found, x in zip(pool.map(lambda x: tau(*x), cards), batches, strict=True):
                close(found, robot.inverse_dynamics(*x))


def check_exported_programs() -> None:
    """Export for CPU and GPU at once, with a symbolic batch size."""
    from jax import export

    robot = robots()["small"]
    arrays = given(robot.inverse_dynamics, 21)
    (many,) = export.symbolic_shape("many")
    kinds = [jax.ShapeDtypeStruct((many, *x.shape[1:]), x.dtype) for x in arrays]
    allowed = [export.DisabledSafetyCheck.custom_call("jounce")]
    function = jax.jit(robot.jax.inverse_dynamics)
    made = export.export(function, platforms=["cpu", "cuda"], disabled_checks=allowed)(*kinds)
    expected = robot.inverse_dynamics(*arrays)
    close(jax.jit(made.call)(*on_card(*arrays)), expected)
    close(on_processor(made.call, *arrays), expected)


def check_warmup() -> None:
    """Warm-up for the GPU by default; the next trace finds the kernel."""
    from jounce.arrays.frameworks.operators import operator
    from jounce.arrays.jax_adapter import abi, cuda, handler

    robot = robots()["every kind"]
    assert robot.jax.gravity_forces.warmup() is robot.jax.gravity_forces
    number = handler.kernel_key(operator(robot.gravity_forces), "d")
    assert number in cuda.handler(abi.version())
    compared(robot.gravity_forces, robot.jax.gravity_forces)


# ------------------------------------------------------------------ errors


def check_refusals() -> None:
    """Errors for arrays on several devices, NumPy output arrays, and non-numbers."""
    robot = robots()["planar_2r"]
    q, v, a = given(robot.inverse_dynamics, 3)
    mixed = (*on_card(q, v), jax.device_put(a, jax.devices("cpu")[0]))
    words = ["must be on the same devices", "jax.device_put"]
    raises(jounce.ArgumentError, words, lambda: robot.jax.inverse_dynamics(*mixed))
    raises(jounce.ArgumentError, words, lambda: robot.inverse_dynamics(*mixed))
    cards = on_card(q, v, a)
    into = np.empty((3, 2))
    raises(Exception, ["is on"], lambda: robot.inverse_dynamics(*cards, out=into))
    raises(TypeError, ["int"], lambda: robot.jax.inverse_dynamics(cards[0].astype(int), *cards[1:]))
    warm = partial(robot.jax.mass_matrix.warmup, platform="tpu")
    raises(jounce.ArgumentError, ["'cpu' or 'cuda'", "'tpu'"], warm)


_START = """
import warnings
import numpy as np
import jax
jax.config.update("jax_enable_x64", True)
from tests.gpu.support import close, given, robots
robot = robots()["planar_2r"]
x = given(robot.inverse_dynamics, 5)
tau = robot.jax.inverse_dynamics
cards = [jax.device_put(y, jax.devices("cuda")[0]) for y in x]
"""


def _alone(code: str, **environment: str) -> str:
    """Return what a program prints in a separate process."""
    done = subprocess.run(
        [sys.executable, "-c", _START + textwrap.dedent(code)],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def check_without_processors() -> None:
    """JAX_PLATFORMS=cuda: JAX has no CPU device."""
    code = """
        close(jax.jit(tau)(*cards), robot.inverse_dynamics(*x))
        close(jax.grad(lambda q: tau(q, *cards[1:]).sum())(cards[0]),
              robot.inverse_dynamics.vjp(*x, np.ones((5, 2)))[0])
        print("done")
    """
    assert _alone(code, JAX_PLATFORMS="cuda").strip() == "done"


def check_callbacks() -> None:
    """JOUNCE_JAX=callback: through the CPU, with a warning."""
    code = """
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            found = jax.jit(tau)(*cards)
        close(found, robot.inverse_dynamics(*x))
        assert any("called through Python" in str(y.message) for y in said), said
        print("done")
    """
    assert _alone(code, JOUNCE_JAX="callback").strip() == "done"
