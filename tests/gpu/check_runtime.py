"""Kernels compiled, cached, loaded and launched by the driver on a real device."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import cupy as cp
import numpy as np

import jounce
from jounce.compiler.targets import nvptx
from jounce.runtime import cuda
from jounce.runtime.cuda import images
from jounce.runtime.cuda.driver import driver
from jounce.utils import cache
from tests.gpu.support import close, raises, robots

LEGACY = 1
PROJECT = Path(__file__).parents[2]


def _state(robot: Any, n: int, dtype: Any = np.float64) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    v, a = rng.standard_normal((2, n, robot.nv))
    return [np.ascontiguousarray(x, dtype) for x in (robot.random(rng, n), v, a)]


def _computed(quantity: Any, arrays: Any, stream: int = LEGACY) -> tuple[np.ndarray, ...]:
    """Return results of a quantity's launcher on arrays (n, *core), in CuPy's memory."""
    kernel = quantity.kernel
    found = cuda.launcher(kernel, arrays[0].dtype.char, 0)
    n = len(arrays[0])
    with cp.cuda.ExternalStream(stream):
        given = [cp.asarray(x) for x in arrays]
        out = [cp.empty((n, *core), arrays[0].dtype) for core in kernel.outputs]
        steps = [x[0].size for x in arrays]
        found.launch(stream, n, [x.data.ptr for x in (*given, *out)], steps)
        return tuple(map(cp.asnumpy, out))


def check_architecture_is_one_that_is_known() -> None:
    name = cuda.architecture(0)
    assert name in nvptx.ARCHITECTURES, name
    device = driver().device(0)
    print(f"device 0: {device.name}, sm_{device.capability}, CUDA {driver().version}")


def check_launches_of_all_robots() -> None:
    for name in (
        "planar_2r",
        "iiwa14_mueller_kumar2021",
        "every kind",
        "floating, mimic",
        "toro25",
    ):
        robot = robots()[name]
        for dtype, scalar in ((np.float64, "double"), (np.float32, "float")):
            q, v, a = _state(robot, 77, dtype)
            (found,) = _computed(robot.inverse_dynamics, (q, v, a))
            expected = robot.inverse_dynamics(*(x.astype(np.float64) for x in (q, v, a)))
            assert found.dtype == dtype, name
            close(found, expected, scalar)


def check_batches_of_all_sizes() -> None:
    robot = robots()["iiwa14_mueller_kumar2021"]
    for n in (1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000, 4097):
        q, v, _ = _state(robot, n)
        (found,) = _computed(robot.bias_forces, (q, v))
        close(found, robot.bias_forces(q, v), "double")


def check_nothing_is_written_beyond_the_results() -> None:
    robot = robots()["iiwa14_mueller_kumar2021"]
    kernel = cuda.launcher(robot.mass_matrix.kernel, "d", 0)
    for n in (1, 33, 65, 100):
        q = _state(robot, n)[0]
        given, out = cp.asarray(q), cp.full((n + 64, 7, 7), 42.0)
        kernel.launch(LEGACY, n, (given.data.ptr, out.data.ptr), (7,))
        found = cp.asnumpy(out)
        close(found[:n], robot.mass_matrix(q), "double")
        assert (found[n:] == 42.0).all()


def check_steps_between_samples() -> None:
    robot = robots()["iiwa14_mueller_kumar2021"]
    kernel = cuda.launcher(robot.inverse_dynamics.kernel, "d", 0)
    q, v, a = _state(robot, 130)
    wide = np.concatenate([q, v, a], axis=1)  # rows of 21, each argument a slice of them
    given, out = cp.asarray(wide), cp.empty((130, 7))
    at = given.data.ptr
    kernel.launch(LEGACY, 130, (at, at + 56, at + 112, out.data.ptr), (21, 21, 21))
    close(cp.asnumpy(out), robot.inverse_dynamics(q, v, a), "double")
    kernel.launch(LEGACY, 130, (at, at + 56, at + 112, out.data.ptr), (21, 0, -0))
    close(cp.asnumpy(out), robot.inverse_dynamics(q, v[0], a[0]), "double")
    last = at + 129 * 21 * 8
    kernel.launch(LEGACY, 130, (last, at + 56, at + 112, out.data.ptr), (-21, 0, 0))
    close(cp.asnumpy(out), robot.inverse_dynamics(q[::-1], v[0], a[0]), "double")


def check_kernels_are_found_by_a_second_process() -> None:
    code = (
        "import sys, time, jounce\n"
        "from jounce.compiler.targets import nvptx\n"
        "from jounce.runtime import cuda\n"
        "if len(sys.argv) > 1:\n"
        "    nvptx.compile_program = None\n"
        "robot = jounce.load('iiwa14_mueller_kumar2021')\n"
        "robot.mass_matrix.kernel.tape\n"
        "cuda.architecture(0)\n"
        "begin = time.perf_counter()\n"
        "robot.mass_matrix.warmup(device=0)\n"
        "print(time.perf_counter() - begin)\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = os.pathsep.join([str(PROJECT / "src"), *filter(None, sys.path)])
        environment = {**os.environ, "JOUNCE_CACHE": folder, "PYTHONPATH": path}
        times = []
        for more in ([], ["again"]):
            command = [sys.executable, "-W", "ignore", "-c", code, *more]
            done = subprocess.run(command, env=environment, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            times.append(float(done.stdout.split()[-1]))
    print(f"mass_matrix of the iiwa: {times[0]:.2f} s compiled, {times[1]:.2f} s from the disk")


def check_a_broken_kernel_is_written_again() -> None:
    robot = jounce.Robot(robots()["planar_2r"].model)
    with tempfile.TemporaryDirectory() as folder:
        before, os.environ["JOUNCE_CACHE"] = os.environ.get("JOUNCE_CACHE", ""), folder
        try:
            first = _computed(robot.mass_matrix, _state(robot, 5)[:1])
            (entry,) = (x for x in cache.entries() if not x.name.endswith("formulation"))
            stored = cache.read(entry.key) or b""
            head, _, code = stored.partition(b"\0")
            # same length, since the driver does not receive it
            cache.write(entry.key, head + b"\0" + b"junk" + bytes(len(code)))
            again = jounce.Robot(robots()["planar_2r"].model)
            second = _computed(again.mass_matrix, _state(robot, 5)[:1])
        finally:
            os.environ["JOUNCE_CACHE"] = before
    np.testing.assert_array_equal(first[0], second[0])


def check_what_the_compiler_says_is_told() -> None:
    ptx = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k() { nonsense; }\n"
    load = lambda: images.load_kernel(driver().device(0), ptx.encode() + b"\0", "k", "robot.x")  # noqa: E731
    text = raises(RuntimeError, [], load)
    assert "robot.x: compiling for" in text, text
    assert "it says:" in text, text
    print(text[:200])


def check_streams_run_side_by_side_and_threads_too() -> None:
    robot = jounce.Robot(robots()["iiwa14_mueller_kumar2021"].model)
    q, v, a = _state(robot, 300)
    expected = robot.inverse_dynamics(q, v, a)
    call, device = driver(), driver().device(0)
    results: dict[int, Any] = {}

    def work(k: int) -> None:
        with device.current():
            stream = int(call("cuStreamCreate", 1))  # does not synchronize with the default stream
        try:
            for _ in range(20):
                results[k] = _computed(robot.inverse_dynamics, (q, v, a), stream)[0]
        finally:
            with device.current():
                call("cuStreamSynchronize", stream)
                call("cuStreamDestroy", stream)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    for found in results.values():
        close(found, expected, "double")


def check_launches_cost_little() -> None:
    robot, device = robots()["iiwa14_mueller_kumar2021"], driver().device(0)
    kernel = cuda.launcher(robot.inverse_dynamics.kernel, "d", 0)
    given, out = [cp.asarray(x) for x in _state(robot, 64)], cp.empty((64, 7))
    pointers, steps = [x.data.ptr for x in (*given, out)], [7, 7, 7]
    with device.current():
        for _ in range(3):
            begin = time.perf_counter()
            for _ in range(1000):
                kernel.launch(LEGACY, 64, pointers, steps)
            took = (time.perf_counter() - begin) / 1000
            driver()("cuStreamSynchronize", LEGACY)
    print(f"a launch takes {1e6 * took:.1f} us of Python's time")
    assert took < 1e-3


def check_refusals() -> None:
    count = driver().count
    words = f"there is no CUDA device {count}; valid: 0 ("
    raises(ValueError, [words], lambda: cuda.architecture(count))


def check_a_forked_process_is_told() -> None:
    kernel = cuda.launcher(robots()["planar_2r"].mass_matrix.kernel, "d", 0)
    done = os.fork()
    if done == 0:
        try:
            kernel.launch(0, 1, (0, 0), (0,))
        except RuntimeError as error:
            os._exit(0 if "was forked" in str(error) else 1)
        os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(done, 0)[1]) == 0


def check_code_of_robots_that_are_gone_is_unloaded() -> None:
    import gc

    from jounce.runtime.cuda import launchers

    model = robots()["planar_2r"].model
    for _ in range(launchers.MAX_ABANDONED + 5):
        robot = jounce.Robot(model)
        found = _computed(robot.mass_matrix, _state(robot, 3)[:1])
        del robot
        gc.collect()
        assert len(launchers._abandoned) <= launchers.MAX_ABANDONED + 1
    close(
        found[0], robots()["planar_2r"].mass_matrix(_state(robots()["planar_2r"], 3)[0]), "double"
    )
