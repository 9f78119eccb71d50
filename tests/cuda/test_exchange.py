"""Arrays of whoever says where they lie on CUDA, in simulated memory; and our own arrays."""

from __future__ import annotations

import ctypes
import gc
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.lib.array_utils import byte_bounds

import jounce
from jounce.cuda import DeviceArray, dlpack
from jounce.cuda.arrays import empty, from_numpy
from jounce.errors import ArgumentError
from jounce.quantities import kinds
from jounce.runtime.cuda import memory
from jounce.runtime.cuda.driver import driver
from support.simulated_cuda import Card, Simulated, install

MODEL = jounce.load("planar_2r").model
Q, V, A = np.random.default_rng(0).standard_normal((3, 4, 2))


class Given:
    """Another library's array: NumPy's values in simulated memory of a device."""

    def __init__(self, api: Simulated, values: Any, device: int = 0, stream: int | None = None):
        self.values, self.stream, self.number = np.asarray(values), stream, device
        self.api = api
        low, high = byte_bounds(self.values)
        raw = ctypes.string_at(low, high - low)  # gaps and all
        start = api.memory(np.frombuffer(raw, np.uint8), device)
        self.pointer = start + self.values.ctypes.data - low
        self.shape, self.strides, self.dtype = (
            self.values.shape,
            self.values.strides,
            self.values.dtype,
        )

    def now(self) -> np.ndarray:
        """The values in the device's memory, which must lie row by row."""
        buffer = (ctypes.c_char * self.values.nbytes).from_address(self.pointer)
        return np.frombuffer(buffer, self.dtype).reshape(self.shape)


class Interfaced(Given):
    """By `__cuda_array_interface__`, as Numba's."""

    readonly, mask = False, None

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "strides": self.strides,
            "typestr": self.dtype.str,
            "data": (self.pointer if self.values.size else 0, self.readonly),
            "version": 3,
            "stream": self.stream,
            "mask": self.mask,
        }


class Packed(Given):
    """By DLPack only."""

    asked: int | None = None

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, self.number

    def __dlpack__(self, *, stream: int | None = None) -> Any:
        self.asked = stream
        return dlpack.capsule(self, self.pointer, (2, self.number))


class Namespaced(Packed):
    """By DLPack, with the array API's namespace."""

    def __array_namespace__(self) -> Any:
        return SimpleNamespace(from_dlpack=lambda x: ("made", x))


@pytest.fixture
def robot(api: Simulated) -> Any:
    return jounce.Robot(MODEL)


@pytest.mark.parametrize("kind", [Interfaced, Packed])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_values(api: Simulated, robot: Any, kind: Any, dtype: Any) -> None:
    given = [x.astype(dtype) for x in (Q, V, A)]
    found = robot.inverse_dynamics(*(kind(api, x) for x in given))
    assert type(found) is DeviceArray
    assert (found.shape, found.dtype, found.device) == ((4, 2), dtype, 0)
    expected = robot.inverse_dynamics(*given)
    np.testing.assert_allclose(found.copy_to_host(), expected, rtol=0, atol=1e-4)
    np.testing.assert_allclose(np.asarray(found), expected, rtol=0, atol=1e-4)
    both = robot.inverse_dynamics.derivatives(*(kind(api, x) for x in given))
    for x, y in zip(both, robot.inverse_dynamics.derivatives(*given), strict=True):
        np.testing.assert_allclose(np.asarray(x), y, rtol=0, atol=1e-4)


def test_results_go_on_as_arguments(api: Simulated, robot: Any) -> None:
    tau = robot.inverse_dynamics(Interfaced(api, Q), V, A)
    a = robot.forward_dynamics(Q, V, tau)
    assert type(a) is DeviceArray
    np.testing.assert_allclose(np.asarray(a), A)
    part = robot.mass_matrix(Interfaced(api, Q))[1:3, 0]
    np.testing.assert_allclose(np.asarray(part), robot.mass_matrix(Q)[1:3, 0])
    assert len(part) == 2
    with pytest.raises(TypeError, match="indexed by integers, slices"):
        part[[0, 1]]


def test_a_library_gets_its_own_arrays_back(api: Simulated, robot: Any) -> None:
    word, found = robot.mass_matrix(Namespaced(api, Q))
    assert word == "made"
    np.testing.assert_allclose(np.asarray(found), robot.mass_matrix(Q))


def test_mixed_precisions_irregular_strides_and_frames_go_by_numpy(
    api: Simulated, robot: Any
) -> None:
    sideways = np.asfortranarray(Q)
    for q, v in ((sideways, V.astype(np.float32)), (Q[::-1], V), (Q[:, ::-1], V)):
        given = [Interfaced(api, x) for x in (q, v)]
        np.testing.assert_allclose(
            np.asarray(robot.bias_forces(*given)), robot.bias_forces(q, v), rtol=0, atol=1e-12
        )
    w = np.ones((4, 6))
    for push in (w, Interfaced(api, w)):
        found = robot.inverse_dynamics(Packed(api, Q), V, A, wrenches={"tool": push})
        expected = robot.inverse_dynamics(Q, V, A, wrenches={"tool": w})
        np.testing.assert_allclose(np.asarray(found), expected)
    twice = Interfaced(api, np.ones((3, 1, 2))), Interfaced(api, np.ones((4, 2)))
    assert robot.bias_forces(*twice).shape == (3, 4, 2)


def test_empty_batches(api: Simulated, robot: Any) -> None:
    found = robot.bias_forces(Interfaced(api, Q[:0]), Packed(api, V[:0]))
    assert found.shape == (0, 2)
    assert np.asarray(found).shape == (0, 2)
    assert found.__cuda_array_interface__["data"] == (0, False)
    assert not api.launches()


# ------------------------------------------------------------------ streams


def test_a_call_goes_to_the_stream_that_an_array_names(api: Simulated, robot: Any) -> None:
    robot.bias_forces.warmup(device=0)
    q, v = Interfaced(api, Q, stream=70), Packed(api, V)
    found = robot.bias_forces(q, v)
    assert api.launches()[-1][0] == 70
    assert v.asked == 70
    assert found.stream == 70
    assert found.__cuda_array_interface__["stream"] == 70
    api.log.clear()
    robot.bias_forces(Interfaced(api, Q, stream=70), Interfaced(api, V, stream=71))
    names = ("cuEventRecord", "cuStreamWaitEvent", "cuLaunchKernel")
    order = [entry[:2] if entry[0] != names[2] else names[2:] for entry in api.log]
    there = [(names[0], 71), (names[1], 70)]
    back = [(names[0], 70), (names[1], 71)]
    assert [entry for entry in order if entry[0] in names] == [*there, names[2:], *back]
    api.log.clear()
    found = robot.bias_forces(Interfaced(api, Q), Packed(api, V))  # which name none
    assert api.launches()[-1][0] == memory.LEGACY
    assert "cuStreamWaitEvent" not in api.names()


def test_readers_wait_for_what_is_not_computed_yet(api: Simulated, robot: Any) -> None:
    found = robot.mass_matrix(Interfaced(api, Q, stream=70))
    for asked, waiting in ((None, 1), (5, 5), (70, None), (-1, None)):
        api.log.clear()
        found.__dlpack__(stream=asked)
        waits = [entry for entry in api.log if entry[0] == "cuStreamWaitEvent"]
        assert waits == ([] if waiting is None else [("cuStreamWaitEvent", waiting)])
    with pytest.raises(BufferError, match="stays on its device"):
        found.__dlpack__(dl_device=(1, 0))
    with pytest.raises(BufferError, match="without a copy"):
        found.__dlpack__(copy=True)
    assert found.__dlpack__(dl_device=(2, 0), copy=False)


# ------------------------------------------------------------------ out


def test_out(api: Simulated, robot: Any) -> None:
    q, v = Interfaced(api, Q), Interfaced(api, V)
    expected = robot.bias_forces(Q, V)
    for kind in (Interfaced, Packed):
        out = kind(api, np.full((4, 2), np.nan))
        assert robot.bias_forces(q, v, out=out) is out
        np.testing.assert_allclose(out.now(), expected)
    assert "cuMemcpyDtoDAsync" not in api.names()
    assert robot.bias_forces(q, v, out=v) is v  # on top of an argument
    np.testing.assert_allclose(v.now(), expected)
    assert "cuMemcpyDtoDAsync" in api.names()


def test_out_is_refused(api: Simulated, robot: Any) -> None:
    q, v = Interfaced(api, Q), Interfaced(api, V)
    with pytest.raises(TypeError, match="out must be an array on CUDA, or a tuple"):
        robot.bias_forces(q, v, out=np.empty((4, 2)))
    with pytest.raises(ArgumentError, match=r"out must have shape \(4, 2\) of float64"):
        robot.bias_forces(q, v, out=Interfaced(api, np.ones((3, 2))))
    with pytest.raises(ArgumentError, match="on the device of the arguments, 0, found 1"):
        robot.bias_forces(q, v, out=Interfaced(api, np.ones((4, 2)), device=1))
    with pytest.raises(ArgumentError, match=r"out must be C-contiguous, found strides \(24, 8\)"):
        robot.bias_forces(q, v, out=Interfaced(api, np.ones((4, 3))[:, :2]))
    locked = Interfaced(api, np.ones((4, 2)))
    locked.readonly = True
    with pytest.raises(ArgumentError, match="out must be writable"):
        robot.bias_forces(q, v, out=locked)


# ------------------------------------------------------------------ refusals


def test_arguments_are_refused(api: Simulated, robot: Any) -> None:
    q = Interfaced(api, Q)
    with pytest.raises(ArgumentError, match="arrays on CUDA devices 0 and 1"):
        robot.bias_forces(q, Interfaced(api, V, device=1))
    with pytest.raises(TypeError, match="'v' must be real float64 or float32, found complex128"):
        robot.bias_forces(q, Interfaced(api, V + 0j))
    masked = Interfaced(api, V)
    masked.mask = q
    with pytest.raises(TypeError, match="'v' has a mask"):
        robot.bias_forces(q, masked)
    broken = Packed(api, V)
    broken.__dict__["pointer"] = "nowhere"
    with pytest.raises(TypeError, match=r"argument 'v' .*Packed"):
        robot.bias_forces(q, broken)
    lost = Interfaced(api, V)
    lost.pointer = 8
    with pytest.raises(TypeError, match="gives no array: looking for address 0x8"):
        robot.bias_forces(q, lost)


def test_no_memory(monkeypatch: Any, tmp_path: Any) -> None:
    monkeypatch.setenv("JOUNCE_CACHE", str(tmp_path))
    api = install(monkeypatch, Simulated([Card(memory=200)]))
    q = Interfaced(api, Q)  # 64 bytes; the result has 128
    with pytest.raises(MemoryError) as caught:
        jounce.Robot(MODEL).mass_matrix.dq(q)
    assert str(caught.value) == (
        "planar_2r.mass_matrix.dq: 256 bytes are needed on device 0 (Simulated H200), which has 136"
        " of 200 bytes free"
    )


# ------------------------------------------------------------------ our own arrays


@pytest.mark.parametrize("pools", [True, False])
def test_memory_goes_back_with_the_last_array_on_it(api: Simulated, pools: bool) -> None:
    api.pools = pools
    device = driver().device(0)
    found = from_numpy(device, Q, 7, "a test")
    view, capsule = found[1:], found.__dlpack__(stream=7)
    del found
    gc.collect()
    assert len(api.blocks) == 1
    del view
    gc.collect()
    assert len(api.blocks) == 1
    del capsule  # which nobody has read
    gc.collect()
    assert not api.blocks
    assert ("cuMemFreeAsync" if pools else "cuMemFree") in api.names()
    assert not dlpack._given


def test_memory_of_streams_that_are_gone_goes_back_too(api: Simulated) -> None:
    device = driver().device(0)
    for stream, code, expected in (
        (7, 0, [("cuMemFreeAsync", 7)]),
        # the legacy stream comes after those of all threads
        (memory.PER_THREAD, 0, [("cuMemFreeAsync", memory.LEGACY)]),
        # what a stream was given goes on without it
        (7, 400, [("cuMemFreeAsync", 7), ("cuCtxSynchronize",), ("cuMemFree",)]),
    ):
        api.refuse["cuMemFreeAsync"] = code
        made = empty(device, (3,), float, stream, "a test")
        place = made.pointer
        api.log.clear()
        del made
        gc.collect()
        assert not api.blocks
        names = ("cuMemFreeAsync", "cuMemFree", "cuCtxSynchronize")
        asked = [tuple(x for x in entry if x != place) for entry in api.log if entry[0] in names]
        assert asked == expected


def test_what_torch_reads_it_lets_go(api: Simulated) -> None:
    torch = pytest.importorskip("torch")
    device = driver().device(0)
    found = from_numpy(device, Q, 1, "a test")
    # torch has no CUDA here: the same capsule, said to be on the processor
    capsule = dlpack.capsule(found, found.pointer, (1, 0))
    tensor = torch.from_dlpack(capsule)
    del found
    gc.collect()
    np.testing.assert_array_equal(tensor.numpy(), Q)
    assert len(api.blocks) == 1
    del tensor, capsule
    gc.collect()
    assert not api.blocks
    assert not dlpack._given


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.uint8, np.bool_])
def test_capsules_are_read_as_they_are_written(api: Simulated, dtype: Any) -> None:
    values = (np.arange(24).reshape(2, 3, 4) % 2).astype(dtype)
    found = from_numpy(driver().device(1), values, 1, "a test")
    said = dlpack.described(found[:, ::2, 1:].__dlpack__(stream=-1), "x")
    part = values[:, ::2, 1:]
    assert said.device == (2, 1)
    assert said.dtype == dtype
    assert said[1:3] == (part.shape, part.strides)
    assert said.pointer == found.pointer + values.itemsize


def test_capsules_of_other_numbers_are_refused(api: Simulated, robot: Any) -> None:
    class Half(Packed):
        def __dlpack__(self, *, stream: int | None = None) -> Any:
            capsule = super().__dlpack__(stream=stream)
            (managed, *_), *_ = dlpack._given.values()
            managed.tensor.dtype.code = 4
            return capsule

    with pytest.raises(TypeError, match=r"'q' must be real .* found DLPack's type 4 of 64 bits"):
        robot.mass_matrix(Half(api, Q))


def test_host_copies(api: Simulated) -> None:
    found = from_numpy(driver().device(0), Q, 1, "a test")
    assert repr(found) == "<DeviceArray (4, 2) of float64 on CUDA device 0>"
    assert (found.ndim, found.size, found.nbytes) == (2, 8, 64)
    np.testing.assert_array_equal(found[::-2, ::-1].copy_to_host(), Q[::-2, ::-1])
    np.testing.assert_array_equal(np.asarray(found, np.float32), Q.astype(np.float32))
    np.testing.assert_array_equal(found[2, 1].copy_to_host(), Q[2, 1])
    np.testing.assert_array_equal(found[:, None][..., 0].copy_to_host(), Q[:, None][..., 0])
    with pytest.raises(ValueError, match="copy=False is not"):
        np.asarray(found, copy=False)


def test_rollouts(api: Simulated, robot: Any) -> None:
    taus = np.random.default_rng(3).standard_normal((4, 5, 2))
    expected = robot.rollout(Q, V[0], taus, 0.01)
    for found in (
        robot.rollout(Interfaced(api, Q, stream=9), V[0], Packed(api, taus), 0.01),
        robot.rollout(Q, V[0], Interfaced(api, taus, stream=9), 0.01),
    ):
        for x, y in zip(found, expected, strict=True):
            assert type(x) is DeviceArray
            np.testing.assert_allclose(np.asarray(x), y)
    assert api.launches()[-1][0] == 9

    def policy(k: int, q: Any, v: Any) -> Any:
        return -np.asarray(v)

    found = robot.rollout(Interfaced(api, Q), V, h=0.01, policy=policy, steps=3)
    for x, y in zip(found, robot.rollout(Q, V, h=0.01, policy=policy, steps=3), strict=True):
        np.testing.assert_allclose(np.asarray(x), y)


def test_arrays_that_the_processor_reads_are_none_of_this(api: Simulated, robot: Any) -> None:
    class Pinned:
        def __dlpack_device__(self) -> tuple[int, int]:
            return 3, 0

        def __dlpack__(self, **options: Any) -> Any:
            return Q.__dlpack__()

    assert kinds.common((Pinned(),)) is None
    assert type(robot.mass_matrix(Pinned())) is np.ndarray
    assert not api.log


# ------------------------------------------------------------------ numbers beside arrays


def test_numbers_are_not_copied_into_graphs(api: Simulated) -> None:
    robot = jounce.Robot(MODEL)
    q, v, a = (Interfaced(api, x, stream=77) for x in (Q, V, A))
    robot.step(q, v, a, 0.01)
    api.captured.add(77)
    for call in (lambda: robot.step(q, v, a, 0.01), lambda: robot.inverse_dynamics(q, v, A)):
        with pytest.raises(RuntimeError, match="while a CUDA graph is captured: a replay would"):
            call()
    robot.inverse_dynamics.warmup(device=0)
    robot.inverse_dynamics(q, v, a)
    assert api.launches()[-1][0] == 77


def test_numbers_stay_until_a_stream_has_read_them(
    api: Simulated, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory._read.clear()  # what other tests have left
    device, given = driver().device(0), np.arange(3.0)
    monkeypatch.setitem(api.refuse, "cuEventQuery", 600)  # not ready
    from_numpy(device, given, 77, "numbers")
    ((_, _, kept),) = memory._read
    assert not np.shares_memory(kept, given)
    np.testing.assert_array_equal(kept, given)
    from_numpy(device, given, 77, "numbers")
    assert len(memory._read) == 2
    api.refuse.clear()
    api.log.clear()
    large = np.zeros(memory._SMALL)
    from_numpy(device, large, 77, "numbers")
    assert ("cuStreamSynchronize", 77) in api.log
    from_numpy(device, given, 77, "numbers")
    assert not memory._read
    assert api.names().count("cuEventDestroy") == 3


def test_memory_that_a_graph_reads_stays(api: Simulated) -> None:
    robot, device = jounce.Robot(MODEL), driver().device(0)
    robot.inverse_dynamics.warmup(device=0)
    v, q = Interfaced(api, V, stream=77), from_numpy(device, Q, 78, "a test")
    api.captured.add(77)
    robot.inverse_dynamics(v, v, q)
    place = q.pointer
    del q
    gc.collect()
    assert place in api.blocks


@pytest.mark.parametrize("gone", [False, True])
def test_memory_goes_back_after_all_streams_that_read_it(api: Simulated, gone: bool) -> None:
    robot, device = jounce.Robot(MODEL), driver().device(0)
    v = Interfaced(api, V, stream=77)
    q = from_numpy(device, Q, 78, "a test")
    robot.inverse_dynamics(v, v, q[:, :2])  # on 77, which waits for 78
    if gone:
        api.refuse["cuEventRecord"] = 400
    api.log.clear()
    place = q.pointer
    del q
    gc.collect()
    names = ("cuEventRecord", "cuStreamWaitEvent", "cuMemFreeAsync", "cuCtxSynchronize")
    asked = [entry for entry in api.log if entry[0] in (*names, "cuMemFree")]
    waited = [("cuEventRecord", 77), ("cuStreamWaitEvent", 78), ("cuMemFreeAsync", place, 78)]
    forced = [("cuEventRecord", 77), ("cuCtxSynchronize",), ("cuMemFree", place)]
    assert asked == (forced if gone else waited)
