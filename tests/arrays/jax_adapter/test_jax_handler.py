"""The handler that XLA calls: threads, keys, several devices and processes, broken calls."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.arrays.frameworks.operators import Operator, operator
from jounce.compiler.targets.inner_loop import LoopData
from jounce.errors import ModelWarning
from jounce.robot import Robot
from jounce.runtime import batches, fastcall
from jounce.runtime import kernel as kernels
from jounce.utils import memory
from support.helpers import quiet_read, small_model

jax: Any = pytest.importorskip("jax", reason="JAX is an extra: pip install 'jounce[jax]'")

pytestmark = pytest.mark.frameworks
jnp: Any = jax.numpy
abi: Any = pytest.importorskip("jounce.arrays.jax_adapter.abi")
cpu: Any = pytest.importorskip("jounce.arrays.jax_adapter.cpu")
handler: Any = pytest.importorskip("jounce.arrays.jax_adapter.handler")

ARM = Robot(quiet_read("planar_2r"))


@pytest.fixture(autouse=True)
def _wide() -> Iterator[None]:
    with jax.enable_x64(True):
        yield


@pytest.fixture
def _four_threads() -> Iterator[None]:
    before = jounce.get_num_threads()
    jounce.set_num_threads(4)
    yield
    jounce.set_num_threads(before)


def states(count: int) -> list[np.ndarray]:
    rng = np.random.default_rng(count)
    return [ARM.random(rng, count), *rng.normal(size=(2, count, ARM.nv))]


def call(
    inner: Operator, *arrays: Any, key: Any = None, absent: Any = "not here", results: Any = None
) -> Any:
    """A call of the handler that says what it likes."""
    number = cpu.add_operator(inner, "d", abi.version()) if key is None else key
    given = jax.ShapeDtypeStruct((2,), jnp.float64) if results is None else results
    attributes = {} if absent is None else {"absent": absent}
    call = jax.ffi.ffi_call(handler.TARGET, given)
    return jax.jit(lambda *x: call(*x, key=number, **attributes))(*arrays)


# ------------------------------------------------------------------ batches


@pytest.mark.usefixtures("_four_threads")
def test_blocks_on_several_threads() -> None:
    """The same bits, whatever is left for the last block, and for arguments without a batch."""
    found = operator(ARM.inverse_dynamics)
    tau = jax.jit(ARM.jax.inverse_dynamics)
    kernel = found.compile("d")
    before = kernel.large
    kernel.large = 32  # entries: from 16 samples on
    try:
        for count in (1, 15, 16, 17, 31, 100, 1000, 4099):
            x = states(count)
            assert np.array_equal(tau(*x), ARM.inverse_dynamics(*x))
            one = x[0], x[1][0], x[2]
            assert np.array_equal(tau(*one), ARM.inverse_dynamics(*one))
    finally:
        kernel.large = before


@pytest.mark.usefixtures("_four_threads")
def test_large_batches_from_several_threads() -> None:
    tau = jax.jit(ARM.jax.inverse_dynamics)
    x = [jnp.asarray(y) for y in states(200_000)]
    truth = ARM.inverse_dynamics(*map(np.asarray, x))
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: np.asarray(tau(*x)), range(8)):
            assert np.array_equal(found, truth)


def test_threads_that_trace_at_the_same_time() -> None:
    """Each compiles what it needs, once."""
    robot = Robot(quiet_read("planar_2r"))
    x = states(3)
    names = ("inverse_dynamics", "bias_forces", "gravity_forces", "mass_matrix") * 3

    def work(name: str) -> bool:
        quantity = getattr(robot, name)
        given = x[: len(quantity.kernel.arguments)]
        with jax.enable_x64(True):
            return np.array_equal(jax.jit(getattr(robot.jax, name))(*given), quantity(*given))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, names))


# ------------------------------------------------------------------ calls


def test_keys_follow_from_what_is_computed() -> None:
    """The same for the same robot, and different for another, a derivative or a precision."""
    inner = operator(ARM.inverse_dynamics)
    again = operator(Robot(quiet_read("planar_2r")).inverse_dynamics)
    assert again is not inner
    assert handler.kernel_key(again, "d") == handler.kernel_key(inner, "d")
    other = operator(Robot(small_model()).inverse_dynamics)
    keys = {
        handler.kernel_key(x, char)
        for x in (inner, inner.vjp((0,)), inner.vjp((1,)), inner.jvp((0,)), other)
        for char in "fd"
    }
    assert len(keys) == 10


def test_kernels_in_the_same_bucket_are_told_apart() -> None:
    inner, known = operator(ARM.inverse_dynamics), cpu.handler(abi.version())
    kernel = inner.compile("d")
    truth = ARM.inverse_dynamics(*(x[0] for x in states(1)))
    for number in [*range(0, 1024 * 300, 1024), -1, -1024, 0]:
        known.add_kernel(number, kernel)
    with pytest.raises(jax.errors.JaxRuntimeError, match="NOT_FOUND: not here"):
        call(inner, *(x[0] for x in states(1)), key=np.int64(1024 * 300))
    for number in (0, 1024, 1024 * 299, -1, -1024):
        found = call(inner, *(x[0] for x in states(1)), key=np.int64(number))
        assert np.array_equal(found, truth)


def test_what_no_kernel_can_serve_is_an_error() -> None:
    inner, (q, v, a) = operator(ARM.inverse_dynamics), (x[0] for x in states(1))
    three = jax.ShapeDtypeStruct((3, 2), jnp.float64)
    wrong: list[tuple[tuple[Any, ...], dict[str, Any], str]] = [
        ((q, v, a), {"key": np.int64(7)}, "NOT_FOUND: not here"),
        ((q, v, a), {"key": np.int64(7), "absent": 1001 * "x"}, "NOT_FOUND: x{1000}($|[^x])"),
        ((q, v, a), {"absent": None}, "INVALID_ARGUMENT: .*not one that this version"),
        ((q, v, a), {"key": 0.5}, "INVALID_ARGUMENT: .*not one that this version"),
        ((q, v), {}, "INVALID_ARGUMENT: .*shapes and dtypes"),
        ((q, v, a, a), {}, "INVALID_ARGUMENT: .*shapes and dtypes"),
        ((q, v, a[:1]), {}, "INVALID_ARGUMENT: .*shapes and dtypes"),
        ((q, v, a[0]), {}, "INVALID_ARGUMENT: .*shapes and dtypes"),
        ((q, v, a.astype(np.float32)), {}, "INVALID_ARGUMENT: .*shapes and dtypes"),
        ((q, v, np.tile(a, (2, 1))), {}, "INVALID_ARGUMENT: .*shapes and dtypes"),
        ((q, v, np.tile(a, (2, 1))), {"results": three}, "INVALID_ARGUMENT: .*shapes and dtypes"),
        ((q, v, a), {"results": [three, three]}, "INVALID_ARGUMENT: .*shapes and dtypes"),
    ]
    for given, options, message in wrong:
        with pytest.raises(jax.errors.JaxRuntimeError, match=message):
            call(inner, *given, **options)
    found = call(inner, q, v, np.tile(a, (3, 1)), results=three)
    assert np.array_equal(found, ARM.inverse_dynamics(q, v, np.tile(a, (3, 1))))


class Failing:
    """A kernel that has no memory, as the table takes it; it counts the samples it is asked for."""

    inputs: tuple[tuple[int, ...], ...] = ((2,), (2,), (2,))
    outputs: tuple[tuple[int, ...], ...] = ((2,),)
    block = 16
    char, dtype = "d", np.dtype("d")

    def __init__(self, large: int) -> None:
        self.counts: list[int] = []
        kind = ctypes.CFUNCTYPE(ctypes.c_int32, *(ctypes.c_void_p,) * 4)
        self.code = kind(self.run)
        self.data = LoopData()
        self.data.kernel, self.data.large = ctypes.cast(self.code, ctypes.c_void_p).value, large
        self.address = ctypes.addressof(self.data)

    def run(self, places: int, count: int, steps: int, data: int) -> int:
        self.counts.append(ctypes.c_int64.from_address(count).value)
        return 1


@pytest.mark.usefixtures("_four_threads")
@pytest.mark.parametrize(("large", "key"), [(1 << 40, 11), (1, 12)])
def test_no_memory_is_an_error(large: int, key: int) -> None:
    """On the caller's thread, and on several of which each does its part."""
    kernel, many = Failing(large), jax.ShapeDtypeStruct((1000, 2), jnp.float64)
    cpu.handler(abi.version()).add_kernel(key, kernel)
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"RESOURCE_EXHAUSTED: .*no memory"):
        call(operator(ARM.inverse_dynamics), *states(1000), key=np.int64(key), results=many)
    assert sum(kernel.counts) == 1000
    assert len(kernel.counts) == (63 if large == 1 else 1)


def test_derivatives_with_too_many_arguments_say_so() -> None:
    many = operator(ARM.kinetic_energy.rates(24))
    with pytest.raises(ValueError, match="a kernel has at most 64 arguments and results, found 77"):
        many.jvp(tuple(range(26)))


def test_exported_functions_run() -> None:
    from jax import export

    x = states(3)
    allowed = [export.DisabledSafetyCheck.custom_call(handler.TARGET)]
    make = export.export(jax.jit(ARM.jax.inverse_dynamics), disabled_checks=allowed)
    assert np.array_equal(make(*x).call(*x), ARM.inverse_dynamics(*x))
    (many,) = export.symbolic_shape("many")
    kinds = [jax.ShapeDtypeStruct((many, 2), jnp.float64)] * 3
    assert np.array_equal(make(*kinds).call(*x), ARM.inverse_dynamics(*x))


# ------------------------------------------------------------------ other versions


def test_unknown_versions_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    look: Any = abi.version.__wrapped__
    monkeypatch.setattr(abi, "_read_header", lambda: (7, 0))
    with pytest.warns(
        ModelWarning, match=r"expected version 0.1, 0.2, 0.3, 0.4 .* found 7.0 in jaxlib"
    ):
        assert look() is None
    monkeypatch.setattr(abi, "_read_header", lambda: None)
    with pytest.warns(ModelWarning, match="found none in jaxlib"):
        assert look() is None
    monkeypatch.setenv(abi.VARIABLE, "callback")
    assert look() is None
    monkeypatch.setenv(abi.VARIABLE, "fast")
    with pytest.raises(ValueError, match="must be \"callback\" or unset, found 'fast'"):
        look()


def test_the_header_is_read() -> None:
    assert abi._read_header() in abi.KNOWN


# ------------------------------------------------------------------ processes of their own


_START = """
import os, pickle, sys
import numpy as np
import jax, jax.numpy as jnp
jax.config.update("jax_enable_x64", True)
import jounce
robot = jounce.load("planar_2r")
rng = np.random.default_rng(0)
q, v, a = rng.normal(size=(3, 8, 2))
truth = robot.inverse_dynamics(q, v, a)
tau = robot.jax.inverse_dynamics
"""


def run(code: str, **environment: str) -> str:
    """What a program prints, which begins as above."""
    done = subprocess.run(
        [sys.executable, "-c", _START + textwrap.dedent(code)],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_several_devices() -> None:
    """pmap, and shard_map with and without its checks, also of arguments that all devices share."""
    code = """
        from functools import partial
        from jax.sharding import AxisType, PartitionSpec as P
        mesh = jax.make_mesh((4,), ("x",), axis_types=(AxisType.Auto,))
        split = lambda x: x.reshape(4, 2, 2)
        assert np.array_equal(jax.pmap(tau)(*map(split, (q, v, a))).reshape(8, 2), truth)
        shared = robot.inverse_dynamics(q, v, a[0])
        loss = lambda f, a: (f(q, v, a) ** 2).sum()
        expected = jax.grad(partial(loss, tau))(jnp.asarray(a[0]))
        for checked in (True, False):
            over = dict(mesh=mesh, in_specs=(P("x"), P("x"), P()), out_specs=P("x"))
            mapped = jax.shard_map(tau, **over, check_vma=checked)
            assert np.array_equal(mapped(q, v, a[0]), shared)
            found = jax.jit(jax.grad(partial(loss, mapped)))(jnp.asarray(a[0]))
            assert np.allclose(found, expected, rtol=1e-12, atol=1e-12)
        placed = [jax.device_put(x, jax.NamedSharding(mesh, P("x"))) for x in (q, v, a)]
        assert np.array_equal(jax.jit(tau)(*placed), truth)
        apart = [jax.device_put(x, device) for x, device in zip((q, v, a), jax.devices())]
        try:
            tau(*apart)
        except jounce.ArgumentError as error:
            print(error)
    """
    said = run(code, XLA_FLAGS="--xla_force_host_platform_device_count=4")
    assert "must be on the same devices, found cpu:0 and cpu:1 and cpu:2" in said


def test_programs_kept_on_disk_run_their_own_kernels(tmp_path: Path) -> None:
    """JAX's cache in one process after another, of robots alike but for their numbers."""
    code = f"""
        jax.config.update("jax_compilation_cache_dir", {str(tmp_path)!r})
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
        pi = robot.morphable.now[0]
        for mass in map(float, os.environ["MASSES"].split()):
            heavy = robot.edit.with_parameters(mass * pi)
            found = jax.jit(heavy.jax.inverse_dynamics)(q, v, a)
            assert np.array_equal(found, heavy.inverse_dynamics(q, v, a))
            assert np.allclose(found, mass * truth)
        print("done")
    """
    assert run(code, MASSES="1 2").strip() == "done"
    kept = len(list(tmp_path.iterdir()))
    assert kept >= 2
    assert run(code, MASSES="3 2 1").strip() == "done"


def test_programs_of_other_processes_say_what_is_missing(tmp_path: Path) -> None:
    file = tmp_path / "program"
    run(
        f"""
        from jax.experimental import serialize_executable
        made = jax.jit(tau).lower(q, v, a).compile()
        open({str(file)!r}, "wb").write(pickle.dumps(serialize_executable.serialize(made)))
        """
    )
    said = run(
        f"""
        from jax.experimental import serialize_executable
        robot.jax.mass_matrix(q)
        program = serialize_executable.deserialize_and_load(*pickle.load(open({str(file)!r}, "rb")))
        try:
            program(q, v, a)
        except jax.errors.JaxRuntimeError as error:
            print(error)
        tau.warmup()
        assert np.array_equal(program(q, v, a), truth)
        """
    )
    assert "NOT_FOUND: planar_2r.inverse_dynamics has no machine code in float64" in said


def test_callbacks_where_the_layout_is_unknown() -> None:
    code = """
        assert np.array_equal(jax.jit(tau)(q, v, a), truth)
        assert np.array_equal(jax.vmap(tau, (0, 0, None))(q, v, a[0]), tau(q, v, a[0]))
        found = jax.jit(jax.grad(lambda q: tau(q, v, a).sum()))(jnp.asarray(q))
        expected = robot.inverse_dynamics.vjp(q, v, a, np.ones_like(truth))[0]
        assert np.allclose(found, expected, rtol=1e-12)
        assert "callback" in jax.jit(tau).lower(q, v, a).as_text()
        tau.warmup()
        print("done")
    """
    assert run(code, JOUNCE_JAX="callback").strip() == "done"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform does not fork")
def test_children_of_a_fork_compute_as_numpy_does() -> None:
    """JAX does not survive forks; the robot's own quantities do, after it ran."""
    code = """
        import warnings
        warnings.simplefilter("ignore")
        tau(q, v, a)
        child = os.fork()
        if child == 0:
            os._exit(0 if np.array_equal(robot.inverse_dynamics(q, v, a), truth) else 1)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    assert run(code).strip() == "0"


_FAULTS = """
import resource, sys
import jax, numpy as np, jounce
robot = jounce.load("iiwa14_mueller_kumar2021")
function = jax.jit(robot.jax.mass_matrix)
q = jax.numpy.zeros((8192, 7))                    # 1.6 MB of results, 392 pages
faults = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(5):
    function(q).block_until_ready()
before = faults()
for _ in range(20):
    function(q).block_until_ready()
print((faults() - before) / 20)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's allocator")
def test_results_do_not_come_page_by_page() -> None:
    environment = {k: x for k, x in os.environ.items() if not k.startswith(("MALLOC_", "GLIBC_"))}
    command = [sys.executable, "-W", "ignore", "-c", _FAULTS]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert float(done.stdout) < 100.0


def test_memory_is_left_alone_where_users_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MALLOC_TRIM_THRESHOLD_", "131072")
    assert not memory.retain_freed_memory()
    monkeypatch.delenv("MALLOC_TRIM_THRESHOLD_")
    monkeypatch.setattr(memory, "available", lambda: 1e9)
    assert not memory.retain_freed_memory()


def test_no_front_end_of_numpy_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """XLA calls the machine code itself: neither a gufunc nor a builtin is made for it."""

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a front end that XLA does not need")

    monkeypatch.setattr(batches, "make_gufunc", refuse)
    monkeypatch.setattr(kernels, "make_gufunc", refuse)
    monkeypatch.setattr(fastcall.Shortcut, "__init__", refuse)
    robot = Robot(ARM.model.with_gravity((0.0, -1.62, 0.0)))  # which XLA does not know yet
    x = states(5)
    found = jax.jit(robot.jax.inverse_dynamics)(*x)
    gradient = jax.jit(jax.grad(lambda q: robot.jax.potential_energy(q)))(x[0][0])
    assert list(robot.inverse_dynamics.kernel._compiled) == ["d"]
    assert not robot.inverse_dynamics.kernel._calls
    monkeypatch.undo()
    np.testing.assert_array_equal(robot.inverse_dynamics(*x), found)  # and now there are some
    np.testing.assert_allclose(gradient, robot.potential_energy.dq(x[0][0]), rtol=1e-12)
