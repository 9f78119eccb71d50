"""Comparison of many quantities in parallel processes, as most of the time is compiling.

A task is a quantity, given by the names of its owner and of itself, as `robot.quantity` takes them,
so that it is sent to a process as two strings. Each process has its own context on the GPU.
"""

from __future__ import annotations

import multiprocessing
import os
import warnings
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from typing import Any

import numpy as np

import jounce
from jounce.arrays.bound_quantity import BoundQuantity
from jounce.errors import ModelWarning
from support.contacts import with_contacts
from support.helpers import chain, quiet_read, with_frames
from support.robots import random_model
from support.zoo import with_heavy_base
from tests.gpu.support import (
    DTYPES,
    difference,
    given,
    host,
    listed,
    mechanisms,
    robots,
    truth_of,
)

#: Batch sizes: around a block of threads, and empty.
SIZES = (1000, 65, 64, 3, 1, 0)

#: Number of processes: cores, less some for driver threads; each takes 0.5 GB of the GPU.
MOST_PROCESSES = 14

#: Seconds after which processes of a check are considered to hang.
PATIENCE = 200.0

Task = tuple[str, str]


def _standing() -> Any:
    """Return a small robot with a point contact and, without it, a floating base."""
    rng = np.random.default_rng(2)
    model = random_model(rng, 3, ("revolute", "spherical"), floating=True)
    return jounce.Robot(with_contacts(model, rng, "point")).contacts()


def _serial(*kinds: str) -> Any:
    """Return a chain of these joints, with friction and a tool."""
    return jounce.Robot(with_frames(chain(kinds), np.random.default_rng(0)))


#: "tiny", "ball", "short": three joints, two, and two of one degree of freedom, for long formulas.
OWNERS: dict[str, Callable[[], Any]] = {
    "tiny": lambda: _serial("prismatic", "spherical", "revolute"),
    "ball": lambda: _serial("spherical", "prismatic"),
    "short": lambda: _serial("revolute", "prismatic"),
    "planar, floating": lambda: jounce.Robot(
        with_heavy_base(quiet_read("planar_2r", base="floating"))
    ),
    "standing": _standing,
    **{
        name: lambda name=name: robots()[name]
        for name in ("every kind", "mimic", "small", "toro25")
    },
    **{f"{name}, closed": lambda name=name: mechanisms()[name] for name in ("four_bar", "leg")},
}


@cache
def owner(name: str) -> Any:
    """Return a robot, a mechanism or a robot in contact."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        return OWNERS[name]()


def on_card(x: np.ndarray) -> Any:
    """Return the array on the GPU."""
    import cupy

    return cupy.asarray(x)


def compared(quantity: BoundQuantity, sizes: Sequence[int] = SIZES) -> None:
    """Assert that the GPU gives the results of the CPU, in both precisions."""
    narrow = given(quantity, max(sizes), scalar="float")
    truth, allowed = truth_of(quantity, narrow)
    for scalar, dtype in DTYPES.items():
        arrays = [on_card(x.astype(dtype)) for x in narrow]
        for size in sizes:
            found = [host(x) for x in listed(quantity(*(x[:size] for x in arrays)))]
            for k, (ours, theirs) in enumerate(zip(found, truth, strict=True)):
                what = f"{quantity.title}[{k}] in {dtype}, {size} samples"
                assert ours.dtype == dtype, f"{what}: {ours.dtype}"
                assert ours.shape == theirs[:size].shape, f"{what}: shape {ours.shape}"
                error = difference(ours, theirs[:size], float(np.abs(theirs).max(initial=0.0)))
                assert error <= allowed[scalar], f"{what}: {error:.1e} above {allowed[scalar]:.1e}"


# ------------------------------------------------------------------ processes

#: The first task that broke this process's context, after which none can succeed.
_broken = ""


def outcome(task: Task) -> str:
    """Return what failed in a task; '' if nothing did."""
    global _broken
    title = " ".join(task)
    if _broken:
        return f"{title}: not run, as {_broken} broke the context of its process"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ModelWarning)
            compared(owner(task[0]).quantity(task[1]))
    except Exception as error:  # a failure must not end the others
        text = f"{title}: {type(error).__name__}: {' '.join(str(error).split())[:300]}"
        if "illegal" in text.lower() or "launch failed" in text.lower():
            _broken = title
        return text
    return ""


@cache
def _pool() -> ProcessPoolExecutor:
    """Return spawned processes; forked ones could not use the GPU."""
    count = max(1, min(MOST_PROCESSES, (os.cpu_count() or 1) - 1))
    return ProcessPoolExecutor(count, multiprocessing.get_context("spawn"))


def _give_up() -> None:
    """End processes that hang or remain after one died; the next check starts new ones."""
    for child in multiprocessing.active_children():
        child.kill()
    _pool().shutdown(wait=False, cancel_futures=True)
    _pool.cache_clear()


def all_compared(tasks: Iterable[Task]) -> None:
    """Run all tasks in parallel; AssertionError lists those that fail."""
    every = list(tasks)
    assert every, "there is nothing to compare"
    futures: dict[Future[str], str] = {}
    wrong: list[str] = []
    try:
        for task in every:
            futures[_pool().submit(outcome, task)] = " ".join(task)
        for future in as_completed(futures, PATIENCE):
            if text := future.result():
                wrong.append(text)
                print(f"  {text}", flush=True)
    except (BrokenProcessPool, TimeoutError) as error:
        done = {title for future, title in futures.items() if _passed(future)}
        left = [title for title in map(" ".join, every) if title not in done]
        _give_up()
        raise AssertionError(
            f"{type(error).__name__} while one of {len(left)} ran: {', '.join(left[:40])}"
        ) from error
    assert not wrong, f"{len(wrong)} of {len(every)} differ: {'; '.join(wrong[:3])}"
    print(f"  {len(every)} quantities in both precisions", flush=True)


def _passed(future: Future[str]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None
