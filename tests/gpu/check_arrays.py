"""Quantities called with CUDA arrays of CuPy, and of other libraries by both protocols."""

from __future__ import annotations

import gc
import time
from typing import Any

import cupy as cp
import numpy as np
import torch

import jounce
from jounce.arrays.cupy_adapter import foreign
from jounce.errors import ArgumentError
from jounce.runtime.cuda import launchers
from tests.gpu.support import close, raises, robots

NAMES = ("planar_2r", "iiwa14_mueller_kumar2021", "every kind", "floating, mimic")
SCALARS = (("double", np.float64), ("float", np.float32))


def _state(robot: Any, n: int = 70, dtype: Any = np.float64) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    v, a = rng.standard_normal((2, n, robot.nv))
    return [np.ascontiguousarray(x, dtype) for x in (robot.random(rng, n), v, a)]


def _same(found: Any, expected: Any, scalar: str = "double") -> None:
    """Assert that a CuPy array has the values and the shape of a NumPy array."""
    assert isinstance(found, cp.ndarray), type(found)
    assert found.shape == np.shape(expected), (found.shape, np.shape(expected))
    close(cp.asnumpy(found), expected, scalar)


# ------------------------------------------------------------------ CuPy


def check_values_on_all_robots() -> None:
    for name in NAMES:
        robot = robots()[name]
        for scalar, dtype in SCALARS:
            q, v, a = _state(robot, dtype=dtype)
            expected = robot.inverse_dynamics(*(x.astype(float) for x in (q, v, a)))
            found = robot.inverse_dynamics(*map(cp.asarray, (q, v, a)))
            assert found.dtype == dtype, name
            _same(found, expected, scalar)
        q, v, a = _state(robot)
        _same(robot.mass_matrix(cp.asarray(q)), robot.mass_matrix(q))
        _same(robot.integrate(*map(cp.asarray, (q, v))), robot.integrate(q, v))


def check_derivatives() -> None:
    robot = robots()["iiwa14_mueller_kumar2021"]
    q, v, a = _state(robot)
    on = [cp.asarray(x) for x in (q, v, a)]
    for name, more in (("derivatives", ()), ("rates(1)", (a,)), ("vjp", (a,)), ("dt", (a,))):
        quantity = robot.inverse_dynamics.derivative(name)
        found, expected = quantity(*on, *map(cp.asarray, more)), quantity(q, v, a, *more)
        several = isinstance(expected, tuple)
        assert isinstance(found, tuple) == several
        for x, y in zip(*((found, expected) if several else ((found,), (expected,))), strict=True):
            _same(x, y)


def check_frames_options_and_constants() -> None:
    robot = robots()["iiwa14_mueller_kumar2021"]
    q, v, a = _state(robot)
    on = [cp.asarray(x) for x in (q, v, a)]
    name = robot.model.frame_names[-1]
    w = np.random.default_rng(1).standard_normal((70, 6))
    expected = robot.inverse_dynamics(q, v, a, wrenches={name: w})
    for push in (w, cp.asarray(w)):
        _same(robot.inverse_dynamics(*on, wrenches={name: push}), expected)
    twist = np.ones(6)
    _same(
        robot.inverse_dynamics(*on, base_twist=twist),
        robot.inverse_dynamics(q, v, a, base_twist=twist),
    )
    _same(robot.frame(name).pose(on[0]), robot.frame(name).pose(q))
    _same(robot.bias_forces(on[0], v), robot.bias_forces(q, v))
    _same(robot.bias_forces(q, on[1]), robot.bias_forces(q, v))
    for method in ("euler", "rk4"):
        found = robot.step(*on, 1e-3, method=method)
        for x, y in zip(found, robot.step(q, v, a, 1e-3, method=method), strict=True):
            _same(x, y)
    pi = robot.model.parameters * np.linspace(0.9, 1.1, 70)[:, None, None]
    _same(
        robot.parametric.inverse_dynamics(*on, cp.asarray(pi)),
        robot.parametric.inverse_dynamics(q, v, a, pi),
    )


def check_precision() -> None:
    robot = robots()["planar_2r"]
    q, v, _ = _state(robot)
    narrow = cp.asarray(q.astype(np.float32))
    assert robot.mass_matrix(narrow).dtype == np.float32
    assert robot.bias_forces(narrow, [0.0, 0.0]).dtype == np.float32
    assert robot.bias_forces(narrow, cp.asarray(v)).dtype == np.float64
    assert robot.bias_forces(narrow, v).dtype == np.float64
    whole = cp.ones((70, 2), dtype=int)
    _same(robot.mass_matrix(whole), robot.mass_matrix(np.ones((70, 2))))


def check_slices_and_broadcasting() -> None:
    robot = robots()["iiwa14_mueller_kumar2021"]
    wide = np.random.default_rng(0).standard_normal((5, 70, 23))
    on = cp.asarray(wide)
    pairs = [
        (lambda x: x[0, :, :7], lambda x: x[0, :, 7:14], lambda x: x[1, :, 16:]),
        (lambda x: x[:, :, 1:8], lambda x: x[0, 0, 7:14], lambda x: x[2, :, 16:]),
        (lambda x: x[::2, ::-1, 1:8], lambda x: x[0, :, 7:14], lambda x: x[:1, :1, 16:]),
        (lambda x: x[:, :7, 0], lambda x: x[0, :7, 1], lambda x: x[:, 3:10, 2]),
        (lambda x: x[:, 0, :7].T[:, :].T, lambda x: x[0, 0, :7], lambda x: x[1, 1, :7]),
    ]
    for cuts in pairs:
        given = [cut(wide) for cut in cuts]
        _same(robot.inverse_dynamics(*(cut(on) for cut in cuts)), robot.inverse_dynamics(*given))


def check_slices_are_not_copied() -> None:
    robot, pool = robots()["iiwa14_mueller_kumar2021"], cp.get_default_memory_pool()
    wide = cp.zeros((1 << 18, 21))
    out = cp.empty((1 << 18, 7))
    given = wide[:, :7], wide[:, 7:14], wide[0, 14:]
    robot.inverse_dynamics(*given, out=out)
    pool.free_all_blocks()
    before = pool.total_bytes()
    robot.inverse_dynamics(*given, out=out)
    assert pool.total_bytes() == before
    cp.cuda.Device().synchronize()


def check_small_and_empty_batches() -> None:
    robot = robots()["iiwa14_mueller_kumar2021"]
    q, v, a = _state(robot)
    _same(
        robot.inverse_dynamics(*(cp.asarray(x[0]) for x in (q, v, a))),
        robot.inverse_dynamics(q[0], v[0], a[0]),
    )
    found = robot.mass_matrix(cp.asarray(q[:0]))
    assert found.shape == (0, 7, 7)
    found = robot.mass_matrix(cp.zeros((3, 0, 7)))
    assert found.shape == (3, 0, 7, 7)


def check_streams() -> None:
    robot = robots()["iiwa14_mueller_kumar2021"]
    q, v, a = _state(robot, 1 << 16)
    expected = robot.inverse_dynamics(q, v, a)
    streams = [cp.cuda.Stream(non_blocking=True) for _ in range(4)]
    found = []
    for stream in streams:
        with stream:
            given = [cp.asarray(x) for x in (q, v, a)]
            found.append(robot.inverse_dynamics(*given) + 0.0)
    with cp.cuda.Stream.ptds:
        found.append(robot.inverse_dynamics(*(cp.asarray(x) for x in (q, v, a))))
        cp.cuda.Stream.ptds.synchronize()
    for stream in streams:
        stream.synchronize()
    for x in found:
        _same(x, expected)


def check_out() -> None:
    robot = robots()["iiwa14_mueller_kumar2021"]
    q, v, a = _state(robot)
    on = [cp.asarray(x) for x in (q, v, a)]
    expected = robot.inverse_dynamics(q, v, a)
    out = cp.full((70, 7), cp.nan)
    assert robot.inverse_dynamics(*on, out=out) is out
    _same(out, expected)
    part = cp.full((70, 9), cp.nan)[:, 1:8]
    assert robot.inverse_dynamics(*on, out=part) is part
    _same(part, expected)
    assert robot.inverse_dynamics(*on, out=on[1]) is on[1]
    _same(on[1], expected)
    both = cp.empty((70, 7)), cp.empty((70, 7))
    found = robot.step(*map(cp.asarray, (q, v, a)), 1e-3, out=both)
    assert found[0] is both[0]
    _same(both[1], robot.step(q, v, a, 1e-3)[1])


def check_graphs() -> None:
    robot = jounce.Robot(robots()["iiwa14_mueller_kumar2021"].model)
    q, v, a = _state(robot, 4096)
    on, out = [cp.asarray(x) for x in (q, v, a)], cp.empty((4096, 7))
    stream = cp.cuda.Stream(non_blocking=True)
    cp.cuda.Device().synchronize()
    with stream:
        robot.inverse_dynamics(*on, out=out)  # compiled before
        stream.begin_capture()
        robot.inverse_dynamics(*on, out=out)
        graph = stream.end_capture()
        for k in range(3):
            on[0][...] = cp.asarray(q + k)
            graph.launch(stream)
            stream.synchronize()
            _same(out, robot.inverse_dynamics(q + k, v, a))
        model = robot.model
        del robot
        gc.collect()
        other = jounce.Robot(model)
        before, launchers.MAX_ABANDONED = launchers.MAX_ABANDONED, 0
        other.inverse_dynamics.warmup(np.float32, device=0)  # unloads kernels of deleted robots
        launchers.MAX_ABANDONED = before
        graph.launch(stream)
        stream.synchronize()
        _same(out, other.inverse_dynamics(q + 2, v, a))
        begin = time.perf_counter()
        for _ in range(1000):
            graph.launch(stream)
        stream.synchronize()
        print(f"4096 samples from a graph: {1e3 * (time.perf_counter() - begin):.1f} us")


def check_calls_cost_little() -> None:
    robot = robots()["iiwa14_mueller_kumar2021"]
    on, out = [cp.asarray(x) for x in _state(robot, 64)], cp.empty((64, 7))
    for name, named in (("a call", {}), ("a call with out", {"out": out})):
        robot.inverse_dynamics(*on, **named)
        begin = time.perf_counter()
        for _ in range(1000):
            robot.inverse_dynamics(*on, **named)
        took = (time.perf_counter() - begin) / 1000
        cp.cuda.Device().synchronize()
        print(f"{name} takes {1e6 * took:.1f} us of Python's time")


def check_rollouts() -> None:
    robot = robots()["iiwa14_mueller_kumar2021"]
    q, v, _ = _state(robot, 8)
    taus = np.random.default_rng(3).standard_normal((8, 20, 7))
    expected = robot.rollout(q, v[0], taus, 1e-3)
    found = robot.rollout(cp.asarray(q), cp.asarray(v[0]), cp.asarray(taus), 1e-3)
    for x, y in zip(found, expected, strict=True):
        assert isinstance(x, cp.ndarray)
        np.testing.assert_allclose(cp.asnumpy(x), y, rtol=0, atol=1e-9)
    found = robot.rollout(cp.asarray(q), v, h=1e-3, policy=lambda k, q, v: -v, steps=20)
    expected = robot.rollout(q, v, h=1e-3, policy=lambda k, q, v: -v, steps=20)
    for x, y in zip(found, expected, strict=True):
        np.testing.assert_allclose(cp.asnumpy(x), y, rtol=0, atol=1e-9)


def check_memory_goes_back() -> None:
    robot, pool = robots()["iiwa14_mueller_kumar2021"], cp.get_default_memory_pool()
    q = cp.zeros((1 << 18, 7))
    robot.mass_matrix(q)
    gc.collect()
    before = pool.used_bytes()
    for _ in range(5):
        robot.mass_matrix(q)
    gc.collect()
    assert pool.used_bytes() == before


def check_refusals() -> None:
    robot = robots()["planar_2r"]
    q, v, _ = (cp.asarray(x) for x in _state(robot))
    huge = cp.broadcast_to(cp.zeros(2), (1 << 36, 2))
    narrow = cp.empty((70, 2, 2), np.float32)
    for kind, words, call in (
        (ArgumentError, "'v' must have shape (..., 2)", lambda: robot.bias_forces(q, v[:, :1])),
        (ArgumentError, "batch axes do not broadcast", lambda: robot.bias_forces(q, v[:3])),
        (TypeError, "found complex128", lambda: robot.mass_matrix(q + 0j)),
        (TypeError, "'dtype' is for NumPy arrays", lambda: robot.mass_matrix(q, dtype=np.float32)),
        (TypeError, "be a cupy.ndarray", lambda: robot.mass_matrix(q, out=np.empty((70, 2, 2)))),
        (ArgumentError, "(70, 2, 2) of float64", lambda: robot.mass_matrix(q, out=narrow)),
        (TypeError, "is on", lambda: robot.mass_matrix([q, q])),
        (TypeError, "is on", lambda: robot.bias_forces(q, torch.zeros(70, 2, device="cuda"))),
        (MemoryError, r"cannot allocate", lambda: robot.mass_matrix(huge)),
    ):
        raises(kind, [words], call)


# ------------------------------------------------------------------ others


class Interfaced:
    """Array with `__cuda_array_interface__` only."""

    def __init__(self, x: Any, stream: int | None = None) -> None:
        self.x, self.stream = x, stream

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {**self.x.__cuda_array_interface__, "version": 3, "stream": self.stream}


class Packed:
    """Array with DLPack only."""

    def __init__(self, x: Any) -> None:
        self.x = x

    def __dlpack__(self, *, stream: int | None = None) -> Any:
        return self.x.__dlpack__(stream=stream)

    def __dlpack_device__(self) -> Any:
        return self.x.__dlpack_device__()


def check_others_by_both_protocols() -> None:
    robot = robots()["iiwa14_mueller_kumar2021"]
    for scalar, dtype in SCALARS:
        q, v, a = _state(robot, dtype=dtype)
        expected = robot.inverse_dynamics(*(x.astype(float) for x in (q, v, a)))
        tensors = [torch.as_tensor(x, device="cuda") for x in (q, v, a)]
        arrays = [cp.asarray(x) for x in (q, v, a)]
        for given in (
            [Packed(x) for x in tensors],
            [Packed(x) for x in arrays],
            [Interfaced(x) for x in tensors],
            [Interfaced(x) for x in arrays],
            [Packed(tensors[0]), Interfaced(arrays[1]), a],
        ):
            found = robot.inverse_dynamics(*given)
            assert found.dtype == dtype
            _same(found, expected, scalar)
            close(torch.from_dlpack(found).cpu().numpy(), expected, scalar)


def check_others_through_pytorch() -> None:
    robot = robots()["iiwa14_mueller_kumar2021"]
    q, v, a = _state(robot)
    arrays = [cp.asarray(x) for x in (q, v, a)]
    cp.cuda.Device().synchronize()
    before, foreign.importer = foreign.importer, foreign.torch_importer
    try:
        for given in (
            [Packed(x) for x in arrays],
            [Interfaced(x, 1) for x in arrays],
            [Packed(arrays[0]), Interfaced(arrays[1]), a],
        ):
            found = robot.inverse_dynamics(*given)
            assert isinstance(found, torch.Tensor), type(found)
            close(found.cpu().numpy(), robot.inverse_dynamics(q, v, a), "double")
    finally:
        foreign.importer = before


def check_others_with_slices_and_gaps() -> None:
    robot = robots()["iiwa14_mueller_kumar2021"]
    wide = np.random.default_rng(0).standard_normal((70, 21))
    tensor = torch.as_tensor(wide, device="cuda")
    q, v, a = (wide[:, k : k + 7] for k in (0, 7, 14))
    given = [Packed(tensor[:, k : k + 7]) for k in (0, 7, 14)]
    _same(robot.inverse_dynamics(*given), robot.inverse_dynamics(q, v, a))
    turned = Interfaced(torch.as_tensor(np.ascontiguousarray(q.T), device="cuda").T)
    _same(robot.mass_matrix(turned), robot.mass_matrix(q))
    mixed = Packed(torch.as_tensor(v, dtype=torch.float32, device="cuda"))
    _same(robot.bias_forces(given[0], mixed), robot.bias_forces(q, v.astype(np.float32)))
    empty = robot.mass_matrix(Interfaced(torch.zeros(0, 7, dtype=torch.float64, device="cuda")))
    assert empty.shape == (0, 7, 7)


def check_others_on_streams() -> None:
    robot = robots()["iiwa14_mueller_kumar2021"]
    q, v, a = _state(robot, 1 << 16)
    expected = robot.inverse_dynamics(q, v, a)
    first, second = (torch.cuda.Stream() for _ in range(2))
    with torch.cuda.stream(first):
        given = [torch.as_tensor(x, device="cuda") for x in (q, v)]
        given = [x + 0.0 for x in given]
    with torch.cuda.stream(second):
        last = torch.as_tensor(a, device="cuda") + 0.0
    with cp.cuda.Stream(non_blocking=True):
        found = robot.inverse_dynamics(
            *(Interfaced(x, first.cuda_stream) for x in given), Interfaced(last, second.cuda_stream)
        )
        _same(found, expected)
        with torch.cuda.stream(second):  # DLPack makes CuPy's stream wait for it
            last.mul_(2.0)
            found = robot.inverse_dynamics(*map(Packed, (*given, last)))
        _same(found, robot.inverse_dynamics(q, v, 2.0 * a))


def check_others_with_out() -> None:
    robot = robots()["iiwa14_mueller_kumar2021"]
    q, v, _ = _state(robot)
    expected = robot.bias_forces(q, v)
    given = [Packed(torch.as_tensor(x, device="cuda")) for x in (q, v)]
    for kind in (Packed, Interfaced):
        target = torch.full((70, 7), torch.nan, dtype=torch.float64, device="cuda")
        out = kind(target)
        assert robot.bias_forces(*given, out=out) is out
        torch.cuda.synchronize()
        close(target.cpu().numpy(), expected, "double")
    assert robot.bias_forces(*given, out=given[1]) is given[1]
    torch.cuda.synchronize()
    close(given[1].x.cpu().numpy(), expected, "double")


def check_rollouts_of_others() -> None:
    robot = robots()["planar_2r"]
    q, v, _ = _state(robot, 8)
    taus = np.random.default_rng(3).standard_normal((8, 20, 2))
    found = robot.rollout(Packed(torch.as_tensor(q, device="cuda")), v, taus, 1e-3)
    for x, y in zip(found, robot.rollout(q, v, taus, 1e-3), strict=True):
        np.testing.assert_allclose(cp.asnumpy(x), y, rtol=0, atol=1e-9)


def check_arrays_of_the_processor_go_on_as_before() -> None:
    robot = robots()["iiwa14_mueller_kumar2021"]
    q, v, _ = _state(robot)
    assert type(robot.bias_forces(q, v)) is np.ndarray
    tensor = robot.bias_forces(torch.as_tensor(q), torch.as_tensor(v))
    assert tensor.device.type == "cpu"
    close(tensor.numpy(), robot.bias_forces(q, v), "double")
    pinned = torch.as_tensor(q).pin_memory()
    close(np.asarray(robot.mass_matrix(pinned)), robot.mass_matrix(q), "double")
