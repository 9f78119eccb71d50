"""Kernels on simulated devices: compiled, kept on disk, loaded, launched, and every refusal."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.compiler.targets import nvptx
from jounce.errors import ArgumentError
from jounce.runtime import cuda
from jounce.runtime.cuda import driver, images, launchers
from jounce.runtime.kernel import Kernel
from jounce.utils import cache
from support.simulated_cuda import Card, Simulated, hosted, install

pytestmark = pytest.mark.cuda

TESTS = Path(__file__).parents[2]


def kernel() -> Kernel:
    """Of a robot of its own, so that nothing is compiled yet."""
    return jounce.Robot(jounce.load("planar_2r").model).mass_matrix.kernel


def programs() -> list[cache.Entry]:
    """What the cache holds besides chosen formulations."""
    return [entry for entry in cache.entries() if not entry.name.endswith("formulation")]


def launched(
    api: Simulated, made: Kernel, char: str = "d", device: int = 0, stream: int = 0
) -> Any:
    """Mass matrices of three configurations, computed on a device."""
    dtype = np.dtype(char)
    q = np.arange(6.0).reshape(3, 2).astype(dtype)
    into = api.memory(np.full((3, 2, 2), np.nan, dtype), device)
    found = cuda.launcher(made, char, device)
    found.launch(stream, 3, (api.memory(q, device), into), (2,))
    buffer = api.blocks[into][0]
    return q, np.frombuffer(buffer, dtype, 12).reshape(3, 2, 2)


@pytest.mark.parametrize("char", ["d", "f"])
def test_a_kernel_is_launched_from_pointers_and_steps(api: Simulated, char: str) -> None:
    q, found = launched(api, kernel(), char)
    expected = jounce.load("planar_2r").mass_matrix(q)
    np.testing.assert_allclose(found, expected, rtol=1e-12 if char == "d" else 1e-5)
    (stream, context, shape, values), *more = api.launches()
    assert not more
    assert (stream, context) == (0, 500)
    program = cuda.launcher(kernel(), char, 0).program
    blocks = -(-3 // program.samples)
    assert shape == (blocks, program.groups, 1, program.threads, 1, 1, program.shared)
    assert values[2:] == [2, 3]
    assert api.current() == 0  # as it was before


def test_a_launcher_is_made_once(api: Simulated) -> None:
    made = kernel()
    assert cuda.ready(made, "d", 0) is None
    first = cuda.launcher(made, "d", 0)
    assert cuda.launcher(made, "d", 0) is first
    assert cuda.ready(made, "d", 0) is first
    assert cuda.launcher(made, "f", 0) is not first
    assert api.names().count("cuLibraryLoadData") == 2


def test_devices_of_one_architecture_share_code(monkeypatch: Any, tmp_path: Path) -> None:
    monkeypatch.setenv("JOUNCE_CACHE", str(tmp_path))
    api = install(monkeypatch, Simulated([Card(), Card(), Card(capability=(8, 0))]))
    made = kernel()
    first, second, third = (cuda.launcher(made, "d", k) for k in range(3))
    assert first.function == second.function != third.function
    assert api.names().count("cuLibraryLoadData") == 2
    if first.program.shared:
        assert {device for _, device in api.attributes} == {0, 1, 2}
    launched(api, made, device=1)
    assert api.launches()[-1][1] == 501


def test_architectures(monkeypatch: Any) -> None:
    cards = [Card(capability=x) for x in ((7, 5), (9, 0), (12, 1), (15, 0))]
    install(monkeypatch, Simulated(cards))
    newest = nvptx.ARCHITECTURES[-1]
    assert [cuda.architecture(k) for k in range(4)] == ["sm_75", "sm_90", newest, newest]


def test_older_versions_of_llvm_know_fewer_architectures(monkeypatch: Any) -> None:
    from jounce.compiler.targets.nvptx.program import _supported_architectures

    known = _supported_architectures(20)
    assert {"sm_103", "sm_121"}.isdisjoint(known)
    assert set(_supported_architectures(21)) - set(known) == {"sm_103", "sm_121"}
    monkeypatch.setattr(nvptx, "ARCHITECTURES", known)
    install(monkeypatch, Simulated([Card(capability=x) for x in ((10, 3), (12, 1))]))
    assert [cuda.architecture(k) for k in range(2)] == ["sm_100", "sm_120"]


def test_operators_and_warmups_have_launchers(api: Simulated) -> None:
    from jounce.arrays.frameworks.operators import operator

    robot = jounce.Robot(jounce.load("planar_2r").model)
    assert robot.mass_matrix.warmup("f", device=0) is robot.mass_matrix
    ready = cuda.ready(robot.mass_matrix.kernel, "f", 0)
    assert ready is not None
    assert operator(robot.mass_matrix).launcher("f", 0) is ready
    assert cuda.ready(robot.mass_matrix.kernel, "d", 0) is None
    pushed = operator(robot.mass_matrix).jvp((0,))
    assert pushed.launcher("d", 0) is pushed.launcher("d", 0)


def test_the_text_that_becomes_ptx_reads_the_same_parameters(
    monkeypatch: Any, tmp_path: Path
) -> None:
    """The kernel's own text, run by the processor, on what a launch packs."""
    monkeypatch.setenv("JOUNCE_CACHE", str(tmp_path))
    api = install(monkeypatch, Simulated(), hosted)
    for char in "fd":
        q, found = launched(api, kernel(), char)
        expected = jounce.load("planar_2r").mass_matrix(q)
        np.testing.assert_allclose(found, expected, rtol=1e-12 if char == "d" else 1e-5)


# ------------------------------------------------------------------ the disk


def test_code_is_found_on_the_disk_without_ptx(api: Simulated, monkeypatch: Any) -> None:
    _, expected = launched(api, kernel())
    program = cuda.launcher(kernel(), "d", 0).program
    monkeypatch.setattr(nvptx, "compile_program", None)
    _, found = launched(api, kernel())
    np.testing.assert_array_equal(found, expected)
    assert cuda.launcher(kernel(), "d", 0).program == program
    (entry,) = programs()
    assert entry.name.startswith("planar_2r.mass_matrix (2)->(2,2) d sm_90")


@pytest.mark.parametrize("change", ["capability", "source"])
def test_code_on_the_disk_is_for_one_architecture_and_generator(
    api: Simulated, monkeypatch: Any, change: str
) -> None:
    launched(api, kernel())
    other = Simulated()
    if change == "capability":
        other.cards[0].capability = (8, 0)
    else:
        monkeypatch.setattr(nvptx, "build_key", lambda architecture: "another")
    launched(install(monkeypatch, other), kernel())
    assert len(programs()) == 2


@pytest.mark.parametrize("code", [b"junk", zlib.compress(b"no PTX\0")])
def test_code_that_is_none_is_written_again(api: Simulated, monkeypatch: Any, code: bytes) -> None:
    read, written = cache.read, []
    launched(api, kernel())
    program = nvptx.compile_program

    def broken(key: str) -> bytes | None:
        found = read(key)
        return None if found is None else found.partition(b"\0")[0] + b"\0" + code

    monkeypatch.setattr(cache, "read", broken)
    monkeypatch.setattr(nvptx, "compile_program", lambda *x: written.append(x) or program(*x))
    launched(api, kernel())
    assert len(written) == 1


def test_code_goes_after_its_kernel_but_not_from_graphs(api: Simulated, monkeypatch: Any) -> None:
    monkeypatch.setattr(launchers, "MAX_ABANDONED", 0)
    launchers._abandoned.clear()  # what other tests have left
    made = kernel()
    launched(api, made)
    assert len(api.libraries) == 1
    del made
    gc.collect()
    assert len(api.libraries) == 1  # nothing is asked of the driver where nobody expects it
    kept = kernel()
    api.captured.add(77)
    launched(api, kept, stream=77)
    assert len(api.libraries) == 1
    del kept
    gc.collect()
    last = kernel()
    launched(api, last)
    assert len(api.libraries) == 2
    assert not launchers._abandoned


# ------------------------------------------------------------------ contexts and threads


def test_another_context_is_left_as_it_was(api: Simulated) -> None:
    made = kernel()
    found = cuda.launcher(made, "d", 0)
    api.cuCtxPushCurrent(501)
    api.log.clear()
    launched(api, made)
    assert api.current() == 501
    assert api.launches()[0][1] == 500
    api.cuCtxPopCurrent()
    api.cuCtxPushCurrent(500)
    api.log.clear()
    found.launch(5, 1, (api.memory(np.zeros(2)), api.memory(np.zeros(4))), (0,))
    assert set(api.names()) == {"cuLaunchKernel"}  # nothing else is asked
    api.cuCtxPopCurrent()


def test_threads_have_parameters_of_their_own(api: Simulated) -> None:
    made, results = kernel(), {}
    cuda.launcher(made, "d", 0)

    def work(k: int) -> None:
        results[k] = [launched(api, made)[1] for _ in range(5)]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    _, expected = launched(api, made)
    assert len(results) == 4
    for found in results.values():
        np.testing.assert_array_equal(found, [expected] * 5)


def test_long_compilations_are_announced(api: Simulated, monkeypatch: Any, caplog: Any) -> None:
    made = kernel()
    assert len(made.tape) > 0
    told: list[Any] = []

    def run(work: Any, tell: Any = None, needs: Any = None) -> Any:
        told.extend([tell] if tell else [])
        return work()

    monkeypatch.setattr(launchers.background, "run", run)
    cuda.launcher(made, "d", 0)
    told[0]()
    assert "compiling planar_2r.mass_matrix (" in caplog.text
    assert "for Simulated H200" in caplog.text
    fresh = kernel()
    cuda.launcher(fresh, "d", 0)
    vars(fresh).pop("tape")
    told[1]()
    assert "tracing planar_2r.mass_matrix takes more" in caplog.text


# ------------------------------------------------------------------ refusals


def refused(api: Simulated, monkeypatch: Any, kind: type[Exception] = RuntimeError) -> str:
    install(monkeypatch, api)
    monkeypatch.setenv("JOUNCE_CACHE", "off")
    with pytest.raises(kind) as caught:
        launched(api, kernel())
    assert not api._stack()  # no context stays behind
    return str(caught.value)


def test_no_bindings(monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "cuda.bindings.driver", None)
    monkeypatch.setattr(driver.STATE, "made", {})
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'jounce\[cuda\]'"):
        cuda.architecture(0)


def test_no_driver(monkeypatch: Any) -> None:
    api = Simulated()
    monkeypatch.setattr(api, "cuInit", lambda flags: (_ for _ in ()).throw(RuntimeError("no lib")))
    text = refused(api, monkeypatch)
    assert "need NVIDIA's driver" in text
    assert "libcuda.so.1" in text
    assert "no lib" in text


def test_no_device(monkeypatch: Any) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "7")
    text = refused(Simulated(refuse={"cuInit": 100}), monkeypatch)
    assert "finds no CUDA device" in text
    assert "'7'" in text


def test_a_driver_that_cannot_begin(monkeypatch: Any) -> None:
    assert "cannot be initialized: the CUDA driver reports CUDA_ERROR_INVALID_VALUE" in refused(
        Simulated(refuse={"cuInit": 1}), monkeypatch
    )
    assert "an error (99999)" in refused(Simulated(refuse={"cuInit": 99999}), monkeypatch)


def test_an_old_driver(monkeypatch: Any) -> None:
    text = refused(Simulated(version=11080), monkeypatch)
    assert "supports CUDA 11.8" in text
    assert "CUDA 12.0 or newer" in text


def test_a_driver_older_than_the_ptx(monkeypatch: Any, api: Simulated) -> None:
    device = driver.driver().device(0)
    unknown = b"//\n.version 13.0\n.entry k\0"  # the driver shall say
    images.load_kernel(device, unknown, "k", "robot.x")
    with pytest.raises(RuntimeError) as caught:
        images.load_kernel(device, b"//\n.version 9.1\n.target sm_90\n\0", "k", "robot.x")
    assert "robot.x is PTX 9.1" in str(caught.value)
    assert "CUDA 13.1 or newer" in str(caught.value)
    assert "is for CUDA 13.0" in str(caught.value)


def test_an_old_device(monkeypatch: Any) -> None:
    text = refused(Simulated([Card("Tesla V100", (7, 0))]), monkeypatch)
    assert "device 0 (Tesla V100) is of architecture sm_70" in text
    assert "sm_75 and newer" in text


def test_no_such_device(api: Simulated) -> None:
    with pytest.raises(ArgumentError, match=r"no CUDA device 2; valid: 0 \(Simulated H200\), 1"):
        cuda.architecture(2)
    assert cuda.architecture(0) == "sm_90"
    for wrong in ("cuda:0", 0.0, [0]):
        with pytest.raises(ArgumentError, match=r"by its number, such as 0, found .*0"):
            cuda.architecture(wrong)  # type: ignore[arg-type]


def test_what_the_compiler_says(monkeypatch: Any) -> None:
    text = refused(Simulated(refuse={"cuLibraryLoadData": 218}), monkeypatch)
    assert "planar_2r.mass_matrix: compiling for Simulated H200 (sm_90) fails" in text
    assert "CUDA_ERROR_INVALID_PTX" in text
    assert "ptxas error: simulated" in text


def test_no_memory_for_the_compiler_and_too_much_shared_memory(monkeypatch: Any) -> None:
    text = refused(Simulated(refuse={"cuLibraryLoadData": 2}), monkeypatch, MemoryError)
    assert "CUDA_ERROR_OUT_OF_MEMORY" in text
    plain = nvptx.compile_program

    def program(*args: Any) -> Any:
        from dataclasses import replace

        return replace(plain(*args), shared=999_999)

    monkeypatch.setattr(nvptx, "compile_program", program)
    text = refused(Simulated(refuse={"cuKernelSetAttribute": 1}), monkeypatch)
    assert "asking for 999,999 bytes of shared memory on Simulated H200" in text


def test_a_launch_that_fails(monkeypatch: Any) -> None:
    text = refused(Simulated(refuse={"cuLaunchKernel": 719}), monkeypatch)
    assert "on Simulated H200 (device 0): the CUDA driver reports CUDA_ERROR_LAUNCH_FAILED" in text


def test_a_child_whose_parent_used_another_librarys_driver(monkeypatch: Any) -> None:
    assert "was forked" in refused(Simulated(refuse={"cuInit": 3}), monkeypatch)


_FORK = """
import os, sys
import pytest
from support.simulated_cuda import Simulated, install
import jounce
from jounce.runtime import cuda
api = install(pytest.MonkeyPatch(), Simulated())
made = jounce.load("planar_2r").mass_matrix.kernel
ready = cuda.launcher(made, "d", 0)
if os.fork() == 0:
    said = []
    for call in (lambda: ready.launch(0, 1, (0, 0), (0,)), lambda: cuda.architecture(0)):
        try:
            call()
        except RuntimeError as error:
            said.append(str(error))
    os._exit(0 if len(said) == 2 and all("was forked" in x for x in said) else 1)
os._exit(os.waitstatus_to_exitcode(os.wait()[1]))
"""


def test_a_forked_process_is_told(tmp_path: Path) -> None:
    path = os.pathsep.join([str(TESTS), *sys.path])
    environment = {**os.environ, "PYTHONPATH": path, "JOUNCE_CACHE": str(tmp_path)}
    command = [sys.executable, "-W", "ignore", "-c", _FORK]
    assert subprocess.run(command, env=environment, timeout=60, check=False).returncode == 0
