"""How Pinocchio computes our quantities, from Python: its batch functions, or a loop."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from benchmarks.measure import compare
from benchmarks.robots import Case
from jounce.export import peers
from jounce.export.peers import PEERS as PEERS
from jounce.export.peers import Call as Call

#: The functions of a single call, which have a target.
SINGLE = ("inverse_dynamics", "forward_dynamics", "mass_matrix")


def our_arguments(case: Case, quantity: str) -> tuple[np.ndarray, ...]:
    """Arguments of our call on the batch."""
    return tuple(case.states[0][name] for name in PEERS[quantity].arguments)


def as_ours(case: Case, quantity: str, result: np.ndarray) -> np.ndarray:
    """Pinocchio's result in our coordinates."""
    return peers.as_ours(case.map, PEERS[quantity].result, result)


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

    def stored() -> np.ndarray:
        for i, row in enumerate(rows):
            out[i] = function(model, data, *row)
        return out

    def bare() -> None:
        for row in rows:
            function(model, data, *row)

    return stored if store else bare


def batch_calls(case: Case, quantity: str) -> dict[str, Call]:
    """What is timed on a batch; every call but "bare" returns its result.

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
