"""The handler of CUDA without a GPU: XLA's own calls on the CPU, and a driver that is made up.

XLA calls the handler's machine code as on CUDA, except that a stream and the driver's functions are
ours. A launch records what it was given, and computes by the operator's NumPy kernel.
"""

from __future__ import annotations

import ctypes
import itertools
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jounce.arrays.frameworks.operators import Operator, operator
from jounce.compiler.targets.llvm.loaded import Module
from jounce.errors import ArgumentError, ModelWarning
from jounce.robot import Robot
from jounce.runtime import native
from jounce.utils.once import once
from support.helpers import quiet_read, small_model
from support.launches import CONTEXT, STREAM, Driver

jax: Any = pytest.importorskip("jax", reason="JAX is an extra: pip install 'jounce[jax]'")

pytestmark = pytest.mark.frameworks
jnp: Any = jax.numpy
abi: Any = pytest.importorskip("jounce.arrays.jax_adapter.abi")
cpu: Any = pytest.importorskip("jounce.arrays.jax_adapter.cpu")
cuda: Any = pytest.importorskip("jounce.arrays.jax_adapter.cuda")
primitive: Any = pytest.importorskip("jounce.arrays.jax_adapter.primitive")
handler: Any = pytest.importorskip("jounce.arrays.jax_adapter.handler")
mlir: Any = pytest.importorskip("jax.interpreters.mlir")

_HANDLER = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)

#: Where the C code of the handlers is.
FOLDER = Path(native.__file__).parent

#: A context that XLA's stream does not belong to.
OTHER = 0xC1

#: What XLA calls our handler on the CPU.
TARGET = "jounce_simulated"


DRIVER = Driver()


class Api(ctypes.Structure):
    """Leading members of XLA_FFI_Api."""

    _fields_ = (
        ("struct_size", ctypes.c_size_t),
        ("unused", ctypes.c_void_p * 9),
        ("stream_get", ctypes.c_void_p),
    )


class CallFrame(ctypes.Structure):
    """Leading members of XLA_FFI_CallFrame."""

    _fields_ = (
        ("struct_size", ctypes.c_size_t),
        ("extension_start", ctypes.c_void_p),
        ("api", ctypes.c_void_p),
    )


@_HANDLER
def _with_stream(frame: int) -> int | None:
    """The handler, called by XLA on the CPU with a stream."""
    call, given = _HANDLER(_simulated().address), CallFrame.from_address(frame)
    if given.extension_start:
        return call(frame)
    before = given.api
    size = Api.from_address(before).struct_size
    copied = ctypes.create_string_buffer(ctypes.string_at(before, size), size)
    Api.from_buffer(copied).stream_get = ctypes.cast(_stream, ctypes.c_void_p).value
    given.api = ctypes.addressof(copied)
    try:
        return call(frame)
    finally:
        given.api = before


@_HANDLER
def _stream(given: int) -> int | None:
    """XLA_FFI_Stream_Get."""
    assert ctypes.c_size_t.from_address(given).value == 32
    ctypes.c_void_p.from_address(given + 24).value = STREAM
    return None


@once
def _simulated() -> Any:
    """The handler, in machine code of its own."""
    code = Module(native.read_text("xla_cuda"))
    return cuda.CudaHandler(code, abi.version(), DRIVER.addresses(cuda.DRIVER_FUNCTIONS))


@once
def _registered() -> None:
    address = ctypes.cast(_with_stream, ctypes.c_void_p).value
    jax.ffi.register_ffi_target(TARGET, handler.capsule(address), platform="cpu")
    bare = handler.capsule(_simulated().address)
    jax.ffi.register_ffi_target(f"{TARGET}_without_stream", bare, platform="cpu")


@pytest.fixture(autouse=True)
def _wide() -> Iterator[None]:
    with jax.enable_x64(True):
        yield


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Driver]:
    """JAX's CPU taken for two devices of CUDA."""
    _registered()
    monkeypatch.setattr(handler, "TARGET", TARGET)
    monkeypatch.setattr(cuda, "devices", lambda: (0, 1))
    monkeypatch.setattr(cuda, "handler", lambda version: _simulated())
    launcher = lambda inner, char, device: DRIVER.launcher(inner, char, device)  # noqa: E731
    monkeypatch.setattr(Operator, "launcher", launcher, raising=False)
    fresh = Driver(DRIVER.launchers)
    for name in ("launches", "contexts", "device", "status", "silent"):
        setattr(DRIVER, name, getattr(fresh, name))
    jax.clear_caches()
    mlir.register_lowering(primitive.primitive, primitive._lower_to_cuda, platform="cpu")
    yield DRIVER
    mlir.register_lowering(primitive.primitive, primitive._lower_to_cpu, platform="cpu")
    jax.clear_caches()


ARM = Robot(quiet_read("planar_2r"))


def states(robot: Any, *batch: int, seed: int = 0) -> list[Any]:
    rng = np.random.default_rng(seed)
    q = robot.random(rng, math.prod(batch)).reshape(*batch, robot.nq)
    return [jnp.asarray(x) for x in (q, *rng.normal(size=(2, *batch, robot.nv)))]


def truth(quantity: Any, *arrays: Any) -> Any:
    return quantity(*map(np.asarray, arrays))


# ------------------------------------------------------------------ launches


def test_what_the_driver_is_asked_for(driver: Driver) -> None:
    q, v, a = states(ARM, 130)
    found = jax.jit(ARM.jax.inverse_dynamics)(q, v, a[0])
    assert np.array_equal(found, truth(ARM.inverse_dynamics, q, v, a[0]))
    (launch,) = driver.launches
    assert launch.grid == (3, 3, 1)
    assert launch.block == (128, 1, 1)
    assert launch.shared == 70_000
    assert launch.stream == STREAM
    assert launch.steps == (2, 2, 0)
    assert launch.samples == 130
    assert launch.launcher.char == "d"
    assert driver.contexts == [CONTEXT]


@pytest.mark.parametrize(("samples", "blocks"), [(1, 1), (63, 1), (64, 1), (65, 2), (6400, 100)])
def test_blocks_cover_all_samples(driver: Driver, samples: int, blocks: int) -> None:
    x = states(ARM, samples)
    assert np.array_equal(jax.jit(ARM.jax.inverse_dynamics)(*x), truth(ARM.inverse_dynamics, *x))
    assert [y.grid for y in driver.launches] == [(blocks, 3, 1)]


def test_nothing_is_launched_for_nothing(driver: Driver) -> None:
    x = states(ARM, 0)
    assert jax.jit(ARM.jax.mass_matrix)(x[0]).shape == (0, 2, 2)
    assert jax.vmap(ARM.jax.inverse_dynamics)(*x).shape == (0, 2)
    assert driver.launches == []


def test_contexts_are_made_current_and_left(driver: Driver) -> None:
    x = states(ARM, 3)
    tau = jax.jit(ARM.jax.inverse_dynamics)
    for stack in ([OTHER], [CONTEXT], [OTHER, CONTEXT], [0]):
        driver.contexts[:] = stack
        assert np.array_equal(tau(*x), truth(ARM.inverse_dynamics, *x))
        assert driver.launches[-1].context == CONTEXT
        assert driver.contexts == stack
    driver.silent = True  # the driver does not tell: what is current, stays
    driver.contexts[:] = [OTHER]
    tau(*x)
    assert driver.launches[-1].context == OTHER
    assert driver.contexts == [OTHER]


def test_devices_have_launches_of_their_own(driver: Driver) -> None:
    x = states(ARM, 64)
    tau = jax.jit(ARM.jax.inverse_dynamics)
    tau(*x)
    driver.device = 1
    assert np.array_equal(tau(*x), truth(ARM.inverse_dynamics, *x))
    assert [y.launcher.device for y in driver.launches] == [0, 1]
    assert [y.grid for y in driver.launches] == [(1, 3, 1), (2, 1, 1)]
    for stranger in (2, -1, 1 << 20):
        driver.device = stranger
        kinds = jax.errors.JaxRuntimeError, ValueError  # the latter where JAX's own code calls
        with pytest.raises(kinds, match=r"NOT_FOUND: .*clear_caches"):
            tau(*x)
    assert len(driver.launches) == 2
    assert driver.contexts == [CONTEXT]


def test_refused_launches_are_told(driver: Driver) -> None:
    x = states(ARM, 2)
    tau = jax.jit(ARM.jax.inverse_dynamics)
    driver.contexts[:] = [OTHER]
    driver.status = 701
    with pytest.raises(
        jax.errors.JaxRuntimeError,
        match="INTERNAL: jounce: the driver of CUDA did not launch a kernel: too many resources",
    ):
        tau(*x)
    driver.status = 719
    with pytest.raises(jax.errors.JaxRuntimeError, match="kernel: far too long far") as told:
        tau(*x)
    assert 900 < str(told.value).rindex("far too") < 1100
    driver.status = 12345
    with pytest.raises(jax.errors.JaxRuntimeError, match="did not launch a kernel: unknown error"):
        tau(*x)
    assert driver.contexts == [OTHER]
    driver.status = 0
    assert np.array_equal(tau(*x), truth(ARM.inverse_dynamics, *x))


def test_what_xla_says_of_streams_is_passed_on(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handler, "TARGET", f"{TARGET}_without_stream")
    with pytest.raises(
        jax.errors.JaxRuntimeError, match=r"FFI GPU context is not available|(?i:stream)"
    ):
        jax.jit(ARM.jax.inverse_dynamics)(*states(ARM, 2))
    assert driver.launches == []


def test_wrong_calls_are_errors(driver: Driver) -> None:
    inner, (q, v, a) = operator(ARM.inverse_dynamics), states(ARM, 3)
    number = np.int64(cuda.add_operator(inner, "d", abi.version()))
    call = jax.ffi.ffi_call(TARGET, jax.ShapeDtypeStruct((3, 2), jnp.float64))
    ask = lambda *x, key=number: jax.jit(lambda *x: call(*x, key=key, absent="none"))(*x)  # noqa: E731
    assert np.array_equal(ask(q, v, a), truth(ARM.inverse_dynamics, q, v, a))
    for wrong in ((q, v), (q, v, a[:, :1]), (q, v, a[:2]), (q, v, a.astype(np.float32))):
        with pytest.raises(jax.errors.JaxRuntimeError, match=r"INVALID_ARGUMENT: .*shapes and"):
            ask(*wrong)
    with pytest.raises(jax.errors.JaxRuntimeError, match="NOT_FOUND: none"):
        ask(q, v, a, key=np.int64(3))
    assert len(driver.launches) == 1


# ------------------------------------------------------------------ transformations


def test_transformations(driver: Driver) -> None:
    """By the same rules as on processors, in launches of the handler alone."""
    q, v, a = states(ARM, 4)
    tau = ARM.jax.inverse_dynamics
    cost = lambda q, v, a: (tau(q, v, a) ** 2).sum()  # noqa: E731
    weights = 2.0 * truth(ARM.inverse_dynamics, q, v, a)
    expected = ARM.inverse_dynamics.vjp(*map(np.asarray, (q, v, a)), weights)
    for found, want in zip(jax.jit(jax.grad(cost, (0, 1, 2)))(q, v, a), expected, strict=True):
        np.testing.assert_allclose(found, want, rtol=1e-12, atol=1e-12)
    mapped = jax.jit(jax.vmap(jax.vmap(tau, (0, None, None)), (None, 0, None)))(q, v, a[0])
    both = truth(ARM.inverse_dynamics, q[None], v[:, None], a[0])
    np.testing.assert_allclose(mapped, both, rtol=1e-13, atol=1e-13)
    by_columns = jax.jit(jax.vmap(jax.jacfwd(tau, 2)))(q, v, a)
    np.testing.assert_allclose(by_columns, truth(ARM.mass_matrix, q), rtol=1e-12, atol=1e-12)
    hessian = jax.jit(jax.hessian(cost))(q[0], v[0], a[0])
    np.testing.assert_allclose(hessian, hessian.T, rtol=1e-12, atol=1e-12)
    assert {x.stream for x in driver.launches} == {STREAM}
    assert len(driver.launches) >= 5


def test_rollouts(driver: Driver) -> None:
    robot = Robot(small_model())
    q, v, _ = states(robot, 3)
    taus = jnp.zeros((3, 5, robot.nv))
    found = jax.jit(robot.jax.rollout)(q, v, taus, 0.01)
    expected = robot.rollout(*map(np.asarray, (q, v, taus)), 0.01)
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)
    assert len(driver.launches) == 5


def test_single_precision_and_donated_arrays(driver: Driver) -> None:
    x = [y.astype(np.float32) for y in states(ARM, 7)]
    expected = truth(ARM.inverse_dynamics, *x)
    found = jax.jit(ARM.jax.inverse_dynamics, donate_argnums=(2,))(*x)
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, expected)
    assert driver.launches[-1].launcher.char == "f"


def test_quantities_called_directly(driver: Driver) -> None:
    q, v, a = states(ARM, 5)
    found = ARM.inverse_dynamics(q, v, a)
    assert isinstance(found, jax.Array)
    assert np.array_equal(found, truth(ARM.inverse_dynamics, q, v, a))
    assert len(driver.launches) == 1


# ------------------------------------------------------------------ lowering


def lowered(function: Any, *arrays: Any, platforms: tuple[str, ...] = ("cuda",)) -> str:
    return jax.jit(function).trace(*arrays).lower(lowering_platforms=platforms).as_text()


def test_programs_for_machines_with_cuda() -> None:
    """Lowered where there is none: they name the kernel, and nothing is compiled for CUDA."""
    q, v, a = states(ARM, 5)
    text = lowered(ARM.jax.inverse_dynamics, q, v, a)
    number = handler.kernel_key(operator(ARM.inverse_dynamics), "d")
    assert "@jounce(" in text
    assert f"key = {number}" in text
    assert "has no kernel for CUDA in float64 in this process" in text
    from jax import export

    allowed = [export.DisabledSafetyCheck.custom_call("jounce")]
    make = export.export(
        jax.jit(ARM.jax.inverse_dynamics), platforms=["cpu", "cuda"], disabled_checks=allowed
    )
    both = make(q, v, a)
    assert both.platforms == ("cpu", "cuda")
    assert np.array_equal(both.call(q, v, a), truth(ARM.inverse_dynamics, q, v, a))


def test_kernels_are_compiled_for_all_devices(driver: Driver) -> None:
    robot = Robot(quiet_read("planar_2r"))  # the same key: what is there is taken
    before = len(driver.launchers)
    found = jax.jit(robot.jax.gravity_forces).lower(states(robot, 2)[0])
    made = [(x.char, x.device) for x in itertools.islice(driver.launchers.values(), before, None)]
    assert made == [("d", 0), ("d", 1)]
    assert all(x.kept for x in driver.launchers.values())
    assert driver.launches == []
    jax.jit(Robot(quiet_read("planar_2r")).jax.gravity_forces).lower(states(robot, 2)[0])
    assert len(driver.launchers) == before + 2
    assert f"@{TARGET}(" in found.as_text()


def test_what_the_runtime_says_is_passed_on(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(self: Operator, char: str, device: int) -> Any:
        raise ModuleNotFoundError("pip install 'jounce[cuda]'")

    monkeypatch.setattr(Operator, "launcher", missing, raising=False)
    with pytest.raises(ModuleNotFoundError, match=r"jounce\[cuda\]"):
        jax.jit(ARM.jax.kinetic_energy)(*states(ARM, 2)[:2])
    assert driver.launches == []


def test_callbacks_on_cuda_are_told(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(abi, "version", lambda: None)
    x = states(ARM, 2)
    with pytest.warns(
        ModelWarning, match="planar_2r.inverse_dynamics: kernels are called through Python"
    ):
        found = jax.jit(Robot(quiet_read("planar_2r")).jax.inverse_dynamics)(*x)
    assert np.array_equal(found, truth(ARM.inverse_dynamics, *x))
    assert driver.launches == []


def test_warming_up(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    robot = Robot(small_model())
    before = len(driver.launchers)
    assert robot.jax.mass_matrix.warmup(np.float32) is robot.jax.mass_matrix
    assert len(driver.launchers) == before  # JAX's default is its CPU
    robot.jax.mass_matrix.warmup(np.float32, platform="cuda")
    assert len(driver.launchers) == before + 2
    with pytest.raises(ArgumentError, match="platform must be 'cpu' or 'cuda', found 'tpu'"):
        robot.jax.mass_matrix.warmup(platform="tpu")
    monkeypatch.setattr(cuda, "devices", tuple)
    with pytest.raises(
        ArgumentError, match="requires a CUDA device of JAX in this process, found only cpu"
    ):
        robot.jax.mass_matrix.warmup(platform="cuda")


def test_functions_are_asked_of_the_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once there is a device; until then, nobody asks for a driver."""
    asked: list[tuple[Any, ...]] = []

    def ask(*given: Any) -> tuple[int, int]:
        asked.append(given)
        return 0x100 + len(asked), 0

    monkeypatch.setattr(cuda.driver, "driver", lambda: ask)
    lowered(ARM.jax.inverse_dynamics, *states(ARM, 2))
    assert asked == []
    assert list(cuda._driver_functions()) == [0x101 + k for k in range(len(cuda.DRIVER_FUNCTIONS))]
    assert asked[0] == ("cuGetProcAddress", b"cuLaunchKernel", 12000, 0)


def test_jax_has_no_such_devices_here() -> None:
    assert cuda.devices() == () or jax.default_backend() == "gpu"


# ------------------------------------------------------------------ layouts


def test_traits_are_told() -> None:
    """XLA asks for the version and the traits by an extension of an otherwise empty call."""
    metadata = (ctypes.c_int32 * 16)()
    extension = (ctypes.c_int64 * 4)(32, 1, 0, ctypes.addressof(metadata))
    frame = (ctypes.c_int64 * 24)(184, ctypes.addressof(extension))
    assert _HANDLER(_simulated().address)(ctypes.addressof(frame)) is None
    assert [*metadata[6:9]] == [*abi.version(), 1]  # calls can be recorded into graphs


def test_structures_are_those_of_xla() -> None:
    """Of the installed version: ours have the same members, and may have fewer at their end."""
    ours = (FOLDER / "xla_ffi.h").read_text("utf-8")
    theirs = Path(jax.ffi.include_dir(), "xla", "ffi", "api", "c_api.h").read_text("utf-8")
    found, known = structures(ours), structures(theirs)
    assert len(found) == 16
    for name, members in found.items():
        assert members == known[name][: len(members)], name
    for name, value in re.findall(r"(XLA_FFI_\w+) = (\d+)", ours):
        assert re.search(rf"\b{name} = ({value}|{value}u << 0)\b", theirs), name


def test_structures_are_those_of_the_c_code() -> None:
    for kind, file in (
        (handler.OperandShape, "xla_handler.h"),
        (handler.KernelEntry, "xla_handler.h"),
        (cpu.CpuEntry, "xla_cpu.c"),
        (cuda.CudaEntry, "xla_cuda.c"),
        (cuda.Launch, "cuda_launch.h"),
    ):
        members = structures((FOLDER / file).read_text("utf-8"))[kind.__name__]
        assert [name for name, _ in kind._fields_] == [x for x in members if x != "head"]
        assert ctypes.sizeof(kind) == 8 * len(kind._fields_) + 64 * ("head" in members)
    driver = structures((FOLDER / "xla_cuda.c").read_text("utf-8"))["Driver"]
    assert tuple(driver) == cuda.DRIVER_FUNCTIONS


def structures(text: str) -> dict[str, list[str]]:
    """Names of the members of all structures in C."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    text = re.sub(r"_XLA_FFI_API_STRUCT_FIELD\((\w+)\);", r"void* \1;", text)
    text = re.sub(r"\(\*(\w+)\)\s*\([^()]*\);", r"\1;", text)  # pointers to functions
    bodies = re.findall(r"struct (\w*) ?\{([^{}]*)\} ?(\w*);", text)
    return {
        name or alias: re.findall(r"(\w+)\s*[;,](?=\s|$)", body) for name, body, alias in bodies
    }
