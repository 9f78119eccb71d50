"""Pinocchio's functions for our quantities: batch functions, or a loop in Python."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pinocchio as pin

from benchmarks.measure import compare
from benchmarks.robots import Case

Call = Callable[[], Any]


@dataclass(frozen=True)
class Peer:
    """Pinocchio's function for a quantity.

    parallel: its C++ batch function, with the names of its arguments ("0": zeros), if there is
    one. result: what it returns, which decides how it is mapped to ours.
    """

    arguments: tuple[str, ...]
    function: str
    result: str
    parallel: tuple[str, ...] = ()


PEERS: dict[str, Peer] = {
    "inverse_dynamics": Peer(("q", "v", "a"), "rnea", "forces", ("rneaInParallel", "q", "v", "a")),
    "forward_dynamics": Peer(
        ("q", "v", "tau"), "aba", "motion", ("abaInParallel", "q", "v", "tau")
    ),
    "mass_matrix": Peer(("q",), "crba", "matrix"),
    "coriolis_matrix": Peer(("q", "v"), "computeCoriolisMatrix", "matrix"),
    "mass_matrix_inverse": Peer(("q",), "computeMinverse", "inverse"),
    # quicker than rneaInParallel with zeros, though in a Python loop
    "gravity_forces": Peer(("q",), "computeGeneralizedGravity", "forces"),
    "bias_forces": Peer(
        ("q", "v"), "nonLinearEffects", "forces", ("rneaInParallel", "q", "v", "0")
    ),
}

#: The functions of a single call, which have a target.
SINGLE = ("inverse_dynamics", "forward_dynamics", "mass_matrix")


def our_arguments(case: Case, quantity: str) -> tuple[np.ndarray, ...]:
    """Arguments of our call on the batch."""
    return tuple(case.states[0][name] for name in PEERS[quantity].arguments)


def as_ours(case: Case, quantity: str, result: np.ndarray) -> np.ndarray:
    """Pinocchio's result in our coordinates."""
    to, kind = case.map, PEERS[quantity].result
    if kind == "forces":
        return to.tau_from_pinocchio(result)
    if kind == "motion":
        return to.v_from_pinocchio(result)
    if kind == "inverse" and to.pin_nv != to.model.nv:
        # the inverse of M with the mimicking joint tied is not a part of the inverse without
        return np.linalg.inv(to.matrix_from_pinocchio(np.linalg.inv(result)))
    return to.matrix_from_pinocchio(result)


def parallel(case: Case, quantity: str, threads: int = 1, reuse: bool = False) -> Call | None:
    """Pinocchio's C++ batch function on columns that are contiguous; None if it has none."""
    peer = PEERS[quantity]
    if not peer.parallel:
        return None
    function = getattr(pin, peer.parallel[0])
    states, zeros = case.states[1], np.zeros((case.batch, case.pin_model.nv))
    columns = tuple(zeros.T if x == "0" else states[x].T for x in peer.parallel[1:])
    pool = pin.ModelPool(case.pin_model, threads)
    if not reuse:
        return lambda: function(threads, pool, *columns).T
    out = np.empty((case.batch, case.pin_model.nv))
    into = out.T  # Fortran order, so it is written in place

    def call() -> np.ndarray:
        function(threads, pool, *columns, into)
        return out

    return call


def loop(case: Case, quantity: str, store: bool) -> Call:
    """A Python loop over samples, with the rows already cut; stores into a preallocated array."""
    peer, model, data = PEERS[quantity], case.pin_model, case.pin_data
    function = getattr(pin, peer.function)
    rows = list(zip(*(case.states[1][name] for name in peer.arguments), strict=True))
    core = (model.nv, model.nv) if peer.result in ("matrix", "inverse") else (model.nv,)
    out = np.empty((case.batch, *core)) if store else np.empty(0)

    def store_results() -> np.ndarray:
        for i, row in enumerate(rows):
            out[i] = function(model, data, *row)
        return out

    def bare() -> None:
        for row in rows:
            function(model, data, *row)

    return store_results if store else bare


def batch_calls(case: Case, quantity: str) -> dict[str, Call]:
    """Return the timed calls on a batch; all except "bare" return their results.

    ours, ours_out: the public call allocating its result, and with out= reused. theirs,
    theirs_out: the C++ batch function likewise, or the loop that stores. For matrices, bare: the
    loop without storing; ours_new: into memory that is new each time, since jounce and the
    allocator use the memory of dropped results again.
    """
    function, arguments = getattr(case.robot, quantity), our_arguments(case, quantity)
    out = function(*arguments)
    calls: dict[str, Call] = {
        "ours": lambda: function(*arguments),
        "ours_out": lambda: function(*arguments, out=out),
    }
    allocating = parallel(case, quantity)
    reusing = parallel(case, quantity, reuse=True)
    if allocating is None or reusing is None:
        return {
            **calls,
            "ours_new": lambda: function(*arguments, out=np.empty(out.shape)),
            "theirs": loop(case, quantity, True),
            "bare": loop(case, quantity, False),
        }
    return {**calls, "theirs": allocating, "theirs_out": reusing}


def check(case: Case, quantity: str, calls: dict[str, Call], ours: str = "ours") -> float:
    """Compare the results of the very calls that will be timed; the largest difference."""
    what = f"{case.name} {quantity}"
    reference = as_ours(case, quantity, np.array(calls["theirs"]()))
    worst = compare(what, np.array(calls[ours]()), reference)
    if "ours_out" in calls:
        worst = max(worst, compare(f"{what} with out=", calls["ours_out"](), reference))
    if "theirs_out" in calls:
        again = as_ours(case, quantity, calls["theirs_out"]())
        compare(f"{what}, Pinocchio with and without its output given", again, reference)
    return worst
