"""First calls in signal handlers never wait for the first call that they interrupt."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

START = '''
import faulthandler, gc, signal, sys
import numpy as np
import jounce
from jounce.compiler.targets.llvm import loaded, processors
from jounce.runtime import fastcall, gufunc, native, recycling

faulthandler.dump_traceback_later(100, exit=True)
model = jounce.load("planar_2r").model
q = np.array((0.3, -0.4))
kept = []

def call(robot):
    return robot.forward_dynamics(q, q, q)

EXPECTED = call(jounce.Robot(model))

def forget():
    """Have what all kernels share made again; what code points to stays."""
    for function in (
        native.load, gufunc._share, gufunc.numpy_function, gufunc._constructor,
        fastcall._method, recycling.set_handler, processors.host, loaded.expose_process,
    ):
        for cell in function.__closure__:
            if isinstance(cell.cell_contents, dict):
                kept.append(dict(cell.cell_contents))
                cell.cell_contents.clear()
    recycling._pools.clear()

def check(robot):
    """The same quantity as the one that is interrupted, and another one."""
    assert np.array_equal(call(robot), EXPECTED)
    assert np.isfinite(robot.gravity_forces(q)).all()
'''

PROGRAMS = {
    # as if a signal arrived before a line of what the main thread runs, one line after the other
    "at every moment": """
        def first_call(moment, cold):
            robot, lines = jounce.Robot(model), 0
            if cold:
                forget()

            def trace(frame, event, argument):
                nonlocal lines
                lines += event == "line"
                if lines == moment and event == "line":
                    check(robot)
                return trace

            gc.disable()  # which would run here and there
            sys.settrace(trace)
            call(robot)
            sys.settrace(None)
            gc.enable()
            check(robot)
            return lines

        for cold in (False, True):
            lines = first_call(0, cold)
            for moment in range(1, lines, lines // 90):
                first_call(moment, cold)
    """,
    "by an alarm": """
        robots = []
        signal.signal(signal.SIGALRM, lambda *_: (check(robots[-1]), robots.append(None)))
        met = 0
        for n in range(60):
            robots.append(jounce.Robot(model))
            signal.setitimer(signal.ITIMER_REAL, 1e-4 + n * 5e-5)
            robot = robots[-1]
            call(robot)
            met += robots[-1] is None
            signal.setitimer(signal.ITIMER_REAL, 0)
            check(robot)
        assert met, "no alarm met a first call"
    """,
    # the handler waits for a thread that waits for what the handler interrupted
    "while another thread waits for what is interrupted": """
        import threading
        from jounce.utils import once

        def thread():
            once.entry(table, "b", lambda: (asked.set(), once.entry(table, "a", object)))

        def interrupted():
            other.start()
            asked.wait()
            while not any(place[1] == "a" for _, place in list(once._waiting.values())):
                pass
            once.entry(table, "b", object)  # in a handler
            return object()

        table, asked, other = {}, threading.Event(), threading.Thread(target=thread)
        once.entry(table, "a", interrupted)
        other.join()
        assert sorted(table) == ["a", "b"]
    """,
}


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX ones")
@pytest.mark.parametrize("what", list(PROGRAMS))
def test_handlers_do_not_wait_for_ever(what: str, tmp_path: Path) -> None:
    code = "\n".join(line[8:] for line in PROGRAMS[what].splitlines())
    result = subprocess.run(
        [sys.executable, "-c", f"{START}\n{code}\nprint('done')"],
        env={**os.environ, "JOUNCE_CACHE": str(tmp_path), "JOUNCE_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout == "done\n"
