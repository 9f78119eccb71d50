"""Many threads on many robots for a while, as a process of its own:

    python soak.py SECONDS [quick]

Callers compare every result with one computed beforehand by a single thread of another process;
compilers make robots, compile their quantities anew or find them in the cache, and throw them away;
one forks. All begin at once in a process that has compiled nothing, with an empty cache. Prints
what happened as JSON: counts, what was wrong, and resident memory once a second.
"""

from __future__ import annotations

import gc
import importlib
import json
import math
import os
import pickle
import random
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import psutil

import jounce
from jounce.model.model import Model
from jounce.robot import Robot
from support.helpers import interpreted, quiet_read, small_model

CALLERS, COMPILERS = 8, 2
BATCHES = (None, 1, 3, 64, 3000)
LARGEST = 200_000
#: Seconds to wait for what has not happened yet.
PATIENCE = 120.0

#: Quantities that callers call.
CALLED = (
    *("inverse_dynamics", "forward_dynamics", "mass_matrix", "coriolis_matrix.dt"),
    *("inverse_dynamics.dq", "inverse_dynamics.dpi", "mass_matrix.dq", "kinetic_energy"),
    *("parametric.inverse_dynamics", "inverse_dynamics.rates(2)", "momentum"),
)
#: Quantities that compilers compile.
COMPILED = ("gravity_forces", "bias_forces", "potential_energy.dq", "inverse_dynamics")


@dataclass
class Call:
    """A quantity, inputs of one batch size, and what one thread alone got for them."""

    quantity: Any
    inputs: list[np.ndarray]
    results: list[np.ndarray]


@dataclass
class Log:
    """What happened, from all threads."""

    done: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, what: str) -> None:
        with self.lock:
            self.done[what] += 1

    def fail(self, what: str) -> None:
        with self.lock:
            self.wrong.append(what)


def results_of(quantity: Any, inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
    found = quantity(*inputs)
    return list(found) if isinstance(found, tuple) else [found]


def inputs_of(quantity: Any, robot: Robot, rng: np.random.Generator, n: int | None) -> Any:
    """Valid arguments; n samples, or one without a batch axis."""
    batch = () if n is None else (n,)
    out = []
    for name, core in zip(quantity.kernel.arguments, quantity.kernel.inputs, strict=True):
        if name == "q":
            out.append(robot.random(rng, n))
        elif name == "pi":
            out.append(np.broadcast_to(robot.model.parameters, (*batch, *core)).copy())
        else:
            out.append(rng.normal(size=(*batch, *core)))
    return out


def models(quick: bool) -> list[Model]:
    """The robots; quick: those that compile in no time."""
    small = [quiet_read(name) for name in ("planar_2r", "planar_rp")]
    return small if quick else [small[0], quiet_read("iiwa14_mueller_kumar2021"), small_model()]


def prepared(quick: bool) -> list[Call]:
    """All calls with their results, by a single thread."""
    rng = np.random.default_rng(0)
    out = []
    for robot in map(Robot, models(quick)):
        names = [
            *CALLED[: 4 if quick else None],
            f"frame({robot.model.frame_names[-1]}).jacobian.dt",
        ]
        for quantity in map(robot.quantity, names):
            size = sum(math.prod(shape) for shape in quantity.kernel.outputs)
            for n in BATCHES:
                if (n or 1) * size > LARGEST:
                    continue
                inputs = inputs_of(quantity, robot, rng, n)
                for dtype in ("d", "f") if n == 64 else ("d",):
                    given = [x.astype(dtype) for x in inputs]
                    out.append(Call(quantity, given, results_of(quantity, given)))
    return out


def prepared_elsewhere(quick: bool) -> list[Call]:
    """The same from another process: nothing is compiled in this one yet.

    Pickled in one piece, so that calls of a quantity share it and quantities their robot.
    """
    command = [sys.executable, __file__, "prepare", *(["quick"] if quick else [])]
    env = {**os.environ, "JOUNCE_CACHE": "0", "JOUNCE_NUM_THREADS": "1"}
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, env=env)
    return pickle.loads(done.stdout)


# ------------------------------------------------------------------ what threads do


def call(calls: Sequence[Call], rng: random.Random, log: Log) -> None:
    chosen = rng.choice(calls)
    found = results_of(chosen.quantity, chosen.inputs)
    for result, wanted in zip(found, chosen.results, strict=True):
        if not np.array_equal(result, wanted):
            log.fail(f"{chosen.quantity!r}: batch {wanted.shape}")
    log.count("calls")


def compile_one(known: Sequence[Model], rng: random.Random, log: Log) -> None:
    """A robot nobody has seen before (other gravity), or one whose kernels are in the cache."""
    model = rng.choice(known)
    fresh = rng.random() < 0.5
    if fresh:
        model = model.with_gravity([rng.uniform(-9, 9) for _ in range(3)])
    robot = Robot(model)
    quantity = robot.quantity(rng.choice(COMPILED))
    if rng.random() < 0.1:
        quantity = pickle.loads(pickle.dumps(quantity))
    inputs = inputs_of(quantity, robot, np.random.default_rng(rng.randrange(99)), 5)
    wanted = interpreted(quantity.kernel, *inputs)
    found = quantity(*inputs)
    if np.abs(found - wanted).max() > 1e-11 * max(1.0, np.abs(wanted).max()):
        log.fail(f"compiled {quantity!r}")
    log.count("compilations" if fresh else "look-ups")


def fork(calls: Sequence[Call], rng: random.Random, log: Log) -> None:
    """A child that calls and compiles while threads of the parent's do."""
    time.sleep(1.0)
    chosen, seed = rng.sample(list(calls), 3), rng.random()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python >= 3.12, with threads
        child = os.fork()
    if child == 0:
        own = Log()
        try:
            for one in chosen:
                call([one], random.Random(0), own)
            compile_one([chosen[0].quantity.robot.model], random.Random(seed), own)
        except BaseException:
            own.fail(traceback.format_exc())
        os._exit(1 if own.wrong else 0)
    end = time.monotonic() + 60.0
    while time.monotonic() < end:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            if status:
                log.fail(f"a forked child ended with {status}")
            log.count("forks")
            return
        time.sleep(0.05)
    os.kill(child, 9)
    os.waitpid(child, 0)
    log.fail("a forked child hangs")


# ------------------------------------------------------------------ all of it


def soak(seconds: float, quick: bool) -> dict[str, Any]:
    """Run everything; resident memory in bytes comes once a second."""
    calls, known = prepared_elsewhere(quick), models(quick)
    log, stop = Log(), threading.Event()

    def loop(work: Callable[[random.Random], None], seed: int) -> None:
        rng = random.Random(seed)
        while not stop.is_set():
            try:
                work(rng)
            except BaseException:
                log.fail(traceback.format_exc())
                return

    works = [lambda rng: call(calls, rng, log)] * CALLERS
    works += [lambda rng: compile_one(known, rng, log)] * COMPILERS
    if hasattr(os, "fork"):
        works.append(lambda rng: fork(calls, rng, log))
    threads = [
        threading.Thread(target=loop, args=(work, k), daemon=True) for k, work in enumerate(works)
    ]
    for thread in threads:
        thread.start()
    memory, process = [], psutil.Process()
    end = time.monotonic() + seconds
    late = end + PATIENCE
    kinds = 3 + hasattr(os, "fork")
    # a busy machine gets the time until everything happened once
    while time.monotonic() < (end if len(log.done) >= kinds else late) and not log.wrong:
        time.sleep(1.0)
        gc.collect()
        memory.append(process.memory_info().rss)
    stop.set()
    for thread in threads:
        thread.join(100.0)
        if thread.is_alive():
            log.fail("a thread hangs")
    return {"done": log.done, "wrong": log.wrong[:10], "memory": memory}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if sys.argv[1] == "prepare":
        # by its name as a module, since "__main__" is another one to who reads it
        calls = importlib.import_module("soak").prepared("quick" in sys.argv)
        sys.stdout.buffer.write(pickle.dumps(calls))
        sys.exit()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["JOUNCE_CACHE"] = folder
        os.environ["JOUNCE_CACHE_SIZE"] = "20"  # full before long: pruning is part of it
        jounce.set_num_threads(2)
        print(json.dumps(soak(float(sys.argv[1]), "quick" in sys.argv)))
