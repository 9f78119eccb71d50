"""Arrays of other libraries on CUDA, in simulated memory: imported by CuPy, or by PyTorch."""

from __future__ import annotations

import ctypes
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.lib.array_utils import byte_bounds

import jounce
from jounce.arrays import kinds
from jounce.arrays.cupy_adapter import foreign
from jounce.errors import ArgumentError
from jounce.runtime.cuda import streams
from support.simulated_cuda import Simulated
from support.simulated_cupy import STATE

pytestmark = pytest.mark.cuda

MODEL = jounce.load("planar_2r").model
Q, V, A = np.random.default_rng(0).standard_normal((3, 4, 2))


class Foreign:
    """Another library's array: NumPy's values in simulated memory of a device."""

    def __init__(
        self, api: Simulated, values: Any, device: int = 0, stream: int | None = None
    ) -> None:
        array = np.asarray(values)
        low, high = byte_bounds(array)
        start = api.memory(np.frombuffer(ctypes.string_at(low, high - low), np.uint8), device)
        self.pointer = start + array.ctypes.data - low  # gaps and all
        interface = {**array.__array_interface__, "data": (self.pointer, False)}
        interface["strides"] = array.strides
        self.values = np.asarray(SimpleNamespace(__array_interface__=interface))
        self.stream, self.device, self.keep = stream, device, api


class Interfaced(Foreign):
    """By `__cuda_array_interface__`, as Numba's."""

    readonly, mask = False, None

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.values.shape,
            "strides": self.values.strides,
            "typestr": self.values.dtype.str,
            "data": (self.pointer if self.values.size else 0, self.readonly),
            "version": 3,
            "stream": self.stream,
            "mask": self.mask,
        }


class Packed(Foreign):
    """By DLPack only."""

    asked: int | None = None

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, self.device

    def __dlpack__(self, *, stream: int | None = None) -> Any:
        self.asked = stream
        return self.values.__dlpack__()


class Namespaced(Packed):
    """By DLPack, with the array API's namespace."""

    def __array_namespace__(self) -> Any:
        return SimpleNamespace(from_dlpack=lambda x: ("made", x))


@pytest.fixture
def robot(cupy: Any) -> Any:
    return jounce.Robot(MODEL)


def close(found: Any, expected: Any, atol: float = 1e-12) -> None:
    """CuPy's array with the values, shape and precision of NumPy's."""
    assert type(found).__module__ == "cupy"
    assert (found.shape, found.dtype) == (np.shape(expected), expected.dtype)
    np.testing.assert_allclose(found.get(), expected, rtol=0, atol=atol)


@pytest.mark.parametrize("kind", [Interfaced, Packed])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_values(api: Simulated, robot: Any, kind: Any, dtype: Any) -> None:
    plain = [x.astype(dtype) for x in (Q, V, A)]
    arrays = [kind(api, x) for x in plain]
    atol = 1e-12 if dtype == np.float64 else 1e-4
    close(robot.inverse_dynamics(*arrays), robot.inverse_dynamics(*plain), atol)
    found, expected = (robot.inverse_dynamics.derivatives(*x) for x in (arrays, plain))
    assert type(found) is tuple
    for x, y in zip(found, expected, strict=True):
        close(x, y, atol)
    assert STATE.copies == 0


def test_results_go_on_as_arguments(api: Simulated, robot: Any) -> None:
    tau = robot.inverse_dynamics(Interfaced(api, Q), V, A)
    close(robot.forward_dynamics(Q, V, tau), A)
    close(robot.forward_dynamics(Packed(api, Q), Interfaced(api, V), tau), A)


def test_a_library_gets_its_own_arrays_back(api: Simulated, robot: Any, cupy: Any) -> None:
    word, found = robot.mass_matrix(Namespaced(api, Q))
    assert word == "made"
    close(found, robot.mass_matrix(Q))
    close(robot.bias_forces(Namespaced(api, Q), cupy.asarray(V)), robot.bias_forces(Q, V))


def test_mixed_precisions_irregular_strides_and_frames(api: Simulated, robot: Any) -> None:
    sideways = np.asfortranarray(Q)
    for q, v in ((sideways, V.astype(np.float32)), (Q[::-1], V), (Q[:, ::-1], V)):
        close(robot.bias_forces(Interfaced(api, q), Interfaced(api, v)), robot.bias_forces(q, v))
    w = np.ones((4, 6))
    for push in (w, Interfaced(api, w)):
        found = robot.inverse_dynamics(Packed(api, Q), V, A, wrenches={"tool": push})
        close(found, robot.inverse_dynamics(Q, V, A, wrenches={"tool": w}))
    twice = Interfaced(api, np.ones((3, 1, 2))), Interfaced(api, np.ones((4, 2)))
    assert robot.bias_forces(*twice).shape == (3, 4, 2)


def test_empty_batches(api: Simulated, robot: Any) -> None:
    found = robot.bias_forces(Interfaced(api, Q[:0], stream=70), Packed(api, V[:0]))
    assert found.shape == (0, 2)
    assert not api.launches()


def test_streams_are_ordered_on_the_device(api: Simulated, robot: Any, monkeypatch: Any) -> None:
    monkeypatch.setitem(STATE.streams, 0, 70)
    robot.bias_forces.warmup(device=0)
    api.log.clear()
    robot.bias_forces(Interfaced(api, Q, stream=70), Interfaced(api, V, stream=71))
    names = ("cuEventRecord", "cuStreamWaitEvent", "cuLaunchKernel")
    order = [entry[:2] for entry in api.log if entry[0] in names]
    before = [(names[0], 71), (names[1], 70)]
    after = [(names[0], 70), (names[1], 71)]
    assert order == [*before, (names[2], 70), *after]
    api.log.clear()
    v = Packed(api, V)
    robot.bias_forces(Interfaced(api, Q), v)  # one names no stream, the other's library waits
    assert v.asked == 70
    assert api.launches()[-1][0] == 70
    assert "cuStreamWaitEvent" not in api.names()
    monkeypatch.setitem(STATE.streams, 0, 0)
    robot.bias_forces(Interfaced(api, Q, stream=streams.LEGACY), v)  # the same stream as 0
    assert "cuStreamWaitEvent" not in api.names()


def test_out(api: Simulated, robot: Any) -> None:
    q, v = Interfaced(api, Q), Interfaced(api, V)
    expected = robot.bias_forces(Q, V)
    for values in (np.full((4, 2), np.nan), np.full((4, 3), np.nan)[:, :2]):
        out = Interfaced(api, values)
        assert robot.bias_forces(q, v, out=out) is out
        np.testing.assert_allclose(out.values, expected)
    assert STATE.copies == 1  # into the one with gaps
    assert robot.bias_forces(q, v, out=v) is v  # on top of an argument
    np.testing.assert_allclose(v.values, expected)
    v, into = Interfaced(api, V), Interfaced(api, np.full((4, 2), np.nan))
    found = robot.step(q, v, A, 0.01, out=(None, into))
    close(found[0], robot.step(Q, V, A, 0.01)[0])
    assert found[1] is into


def test_out_is_refused(api: Simulated, robot: Any) -> None:
    q, v = Interfaced(api, Q), Interfaced(api, V)
    with pytest.raises(TypeError, match=r"out must be a cupy\.ndarray"):
        robot.bias_forces(q, v, out=np.empty((4, 2)))
    with pytest.raises(ArgumentError, match=r"out must have shape \(4, 2\) of float64"):
        robot.bias_forces(q, v, out=Interfaced(api, np.ones((3, 2))))
    with pytest.raises(ArgumentError, match="on the device of the arguments, 0, found 1"):
        robot.bias_forces(q, v, out=Interfaced(api, np.ones((4, 2)), device=1))
    locked = Interfaced(api, np.ones((4, 2)))
    locked.readonly = True
    with pytest.raises(ArgumentError, match="out must be writable"):
        robot.bias_forces(q, v, out=locked)


def test_arguments_are_refused(api: Simulated, robot: Any) -> None:
    q = Interfaced(api, Q)
    with pytest.raises(ArgumentError, match="arrays on CUDA devices 0 and 1"):
        robot.bias_forces(q, Interfaced(api, V, device=1))
    with pytest.raises(TypeError, match="'v' must be real float64 or float32, found complex128"):
        robot.bias_forces(q, Interfaced(api, V + 0j))
    masked = Interfaced(api, V)
    masked.mask = q
    with pytest.raises(TypeError, match="'v' must be an array without a mask"):
        robot.bias_forces(q, masked)
    lost = Interfaced(api, V)
    lost.pointer = 8
    with pytest.raises(TypeError, match=r"'v' \(Interfaced\) cannot be imported: no memory at 0x8"):
        robot.bias_forces(q, lost)
    with pytest.raises(TypeError, match=r"wrenches'\['tool'\] \(Interfaced\) cannot be imported"):
        robot.inverse_dynamics(Q, V, A, wrenches={"tool": lost})


def test_rollouts(api: Simulated, robot: Any, monkeypatch: Any) -> None:
    taus = np.random.default_rng(3).standard_normal((4, 5, 2))
    expected = robot.rollout(Q, V[0], taus, 0.01)
    for found in (
        robot.rollout(Interfaced(api, Q, stream=9), V[0], Packed(api, taus), 0.01),
        robot.rollout(Q, V[0], Interfaced(api, taus, stream=9), 0.01),
    ):
        for x, y in zip(found, expected, strict=True):
            close(x, y)
    lost = Interfaced(api, Q)
    lost.pointer = 8
    with pytest.raises(TypeError, match=r"rollout: argument 'q0' \(Interfaced\) cannot be"):
        robot.rollout(lost, V, taus, 0.01)


def test_numbers_are_not_copied_into_graphs(api: Simulated, robot: Any, monkeypatch: Any) -> None:
    q, v, a = (Interfaced(api, x) for x in (Q, V, A))
    robot.inverse_dynamics.warmup(device=0)
    monkeypatch.setitem(STATE.streams, 0, 77)
    api.captured.add(77)
    with pytest.raises(RuntimeError, match="while a CUDA graph is captured: a replay would"):
        robot.inverse_dynamics(q, v, A)
    robot.inverse_dynamics(q, v, a)
    assert api.launches()[-1][0] == 77


def test_arrays_that_the_processor_reads_are_not_on_cuda(api: Simulated, robot: Any) -> None:
    class Pinned:
        def __dlpack_device__(self) -> tuple[int, int]:
            return 3, 0

        def __dlpack__(self, **options: Any) -> Any:
            return Q.__dlpack__()

    assert kinds.find_kind((Pinned(),)) is None
    assert type(robot.mass_matrix(Pinned())) is np.ndarray
    assert not api.log


# ------------------------------------------------------------------ who imports


def test_pytorch_imports_where_there_is_no_cupy(api: Simulated, monkeypatch: Any) -> None:
    torch = pytest.importorskip("torch")
    tensor = lambda x: torch.from_numpy(x.values)  # noqa: E731  no CUDA here
    by_interface = lambda x: tensor(x.owner)  # noqa: E731
    imports = foreign.Importer(by_interface, tensor, lambda x: (0, 70))
    monkeypatch.setattr(foreign, "importer", lambda: imports)
    robot: Any = jounce.Robot(MODEL)
    q, v, a = Interfaced(api, Q, stream=71), Packed(api, V), A
    found = robot.inverse_dynamics(q, v, a)
    assert isinstance(found, torch.Tensor)
    np.testing.assert_allclose(found.numpy(), robot.inverse_dynamics(Q, V, A))
    assert [x for x in api.log if x[0] == "cuStreamWaitEvent"] == [
        ("cuStreamWaitEvent", 70),
        ("cuStreamWaitEvent", 71),
    ]
    q1, _ = robot.rollout(q, v, np.zeros((4, 3, 2)), 0.01)
    np.testing.assert_allclose(q1.numpy(), robot.rollout(Q, V, np.zeros((4, 3, 2)), 0.01)[0])


def test_cupy_is_preferred_and_pytorch_needs_cuda(monkeypatch: Any) -> None:
    torch = pytest.importorskip("torch")
    find = vars(foreign.importer)["__wrapped__"]
    monkeypatch.setitem(sys.modules, "cupy", None)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ModuleNotFoundError, match=r"cupy.*PyTorch finds no CUDA.*cupy-cuda12x"):
        find()
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert find().from_interface is torch.as_tensor
    monkeypatch.setattr(foreign, "cupy_importer", lambda: "cupy")
    assert find() == "cupy"
