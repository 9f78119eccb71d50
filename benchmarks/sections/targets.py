"""Section: the same kernels for every level of x86-64 that this machine has."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import numpy as np

import jounce
from benchmarks import peers
from benchmarks.measure import Effort, compare, time_interleaved
from benchmarks.report import Options, Row, Table, nanoseconds
from benchmarks.robots import BATCH, case
from jounce.compiler.targets import llvm

QUANTITIES = ("inverse_dynamics", "forward_dynamics", "mass_matrix")

NOTE = (
    f"ns per sample of a batch of {BATCH} into an array that is used again, and ns of a single call"
    " with `out=`, with `JOUNCE_TARGET` set to each level: vectors of 2, 4 and 8 float64; `native`"
    " is the machine's own processor. Pinocchio: its batch function, or a loop that stores. Results"
    " of every level are compared with Pinocchio's before anything is timed."
)


@contextmanager
def using(target: str) -> Iterator[None]:
    """Kernels compiled inside are for that target."""
    before = os.environ.get("JOUNCE_TARGET")
    os.environ["JOUNCE_TARGET"] = target
    try:
        yield
    finally:
        del os.environ["JOUNCE_TARGET"]
        if before is not None:
            os.environ["JOUNCE_TARGET"] = before


def tables(options: Options) -> list[Table]:
    """Return the table of batches and single calls."""
    names = llvm.processor_names()
    single = [f"{name}, single" for name in names]
    columns = ("robot", "quantity", *names, "Pinocchio", *single)
    jobs = [
        (f"targets {quantity} {name}", partial(_rows, name, quantity, options.effort))
        for name in options.robots
        for quantity in QUANTITIES
    ]
    return [Table("Levels of x86-64", NOTE, columns, jobs)]


def _rows(name: str, quantity: str, effort: Effort) -> list[Row]:
    robot, names = case(name), llvm.processor_names()
    arguments = peers.our_arguments(robot, quantity)
    theirs = peers.parallel(robot, quantity, reuse=True) or peers.loop(robot, quantity, store=True)
    reference = peers.as_ours(robot, quantity, theirs())
    calls = {"theirs": theirs}
    for target in names:
        with using(target):
            f = getattr(jounce.Robot(robot.robot.model), quantity)
            out = f(*arguments)
        compare(f"{target} {name} {quantity}", out, reference)
        item = [x[0].copy() for x in arguments]
        alone = np.empty_like(out[0])
        compare(f"{target} {name} {quantity}", f(*item, out=alone), reference[0], batched=False)
        calls[target] = partial(f, *arguments, out=out)
        calls[f"{target}, single"] = partial(f, *item, out=alone)
    times = time_interleaved(calls, effort)
    cells = (
        name,
        quantity,
        *(nanoseconds(times[target], BATCH) for target in names),
        nanoseconds(times["theirs"], BATCH),
        *(nanoseconds(times[f"{target}, single"]) for target in names),
    )
    return [Row(cells)]
