"""Section: robots on fixed and floating bases, and the kernels farthest from the card's peak.

Kernels are compiled by processes side by side; one at a time is measured.
"""

from __future__ import annotations

import multiprocessing
import os
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any

import jounce
from benchmarks.files import path
from benchmarks.gpu import card, rates
from benchmarks.gpu.robots import SCALARS
from benchmarks.report import Row, Table
from jounce.errors import ModelWarning

#: Robots by name: file, and base.
FLEET: dict[str, tuple[str, str | None]] = {
    **{name: (name, None) for name in ("ur5", "panda", "anymal", "talos", "g1")},
    **{f"{name}, floating": (name, "floating") for name in ("anymal", "talos", "g1")},
    "franka": ("franka", None),
    "toro25, floating": ("toro25", None),
}

QUANTITIES = (
    "forward_dynamics.derivatives",
    "inverse_dynamics.derivatives",
    "coriolis_matrix",
    "forward_dynamics.vjp",
    "forward_dynamics",
    "inverse_dynamics",
)

#: Samples of a batch.
BATCH = 1 << 18

COLUMNS = ("robot", "quantity", "float64/s", "float32/s", "% of the smaller peak", "kernels")

NOTE = (
    "Samples a second of batches of {batch:,}, measured as above. `kernels`: threads of a block x"
    " groups, and `+1` for a second kernel that writes the results. {worst}"
)


def tables(robots: tuple[str, ...], quantities: tuple[str, ...]) -> Iterator[Table]:
    """Yield the table of all robots, if all quantities are asked for."""
    jobs = [("all robots", lambda: _rows(table))]
    table = Table("Robots on fixed and floating bases", NOTE, COLUMNS, jobs)
    yield table


def robot(name: str) -> jounce.Robot:
    """A robot by its name in FLEET."""
    file, base = FLEET[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        source = file if file in jounce.gallery() else path(file)
        return jounce.load(source, **({"base": base} if base else {}))


#: What the processes share: a lock, and the peak rates of the card.
_shared: dict[str, Any] = {}


def _start(lock: Any, peak: Any) -> None:
    """Begin a process."""
    _shared.update(lock=lock, peak=peak)


def _measure(name: str, quantity: str, scalar: str) -> tuple[float, float, str]:
    """Samples a second, share of the peak, and shape of the kernels."""
    bound = robot(name).quantity(quantity)
    made = card.compile_kernel(bound.kernel, scalar)
    rates.expected(bound)
    with _shared["lock"]:
        rate = rates.time_kernel(f"{name} {quantity}", bound, made, scalar, BATCH)
    program = made.launcher.program
    further = f" +{len(made.launcher.kernels) - 1}" * (len(made.launcher.kernels) > 1)
    peaks = _shared["peak"].rates(bound.kernel, scalar)
    return rate, rate / min(peaks), f"{program.threads} x {program.groups}{further}"


def _rows(table: Table) -> list[Row]:
    """Measure everything; the note of the table names the worst."""
    context = multiprocessing.get_context("spawn")
    count = max((os.cpu_count() or 2) - 2, 1)
    found: dict[tuple[str, str, str], tuple[float, float, str]] = {}
    with ProcessPoolExecutor(count, context, _start, (context.Lock(), card.peak())) as pool:
        tasks = [(x, y, z) for y in QUANTITIES for x in reversed(FLEET) for z in SCALARS]
        futures = {pool.submit(_measure, *task): task for task in tasks}
        for future in as_completed(futures):
            found[futures[future]] = future.result()
    rows = []
    for name in FLEET:
        for quantity in QUANTITIES:
            each = [found[name, quantity, scalar] for scalar in SCALARS]
            shares = " / ".join(f"{100.0 * share:.0f}" for _, share, _ in each)
            kernels = " / ".join(shape for *_, shape in each)
            cells = name, quantity, *(f"{rate:.3g}" for rate, *_ in each), shares, kernels
            rows.append(Row(cells, []))
    derived = {key: x for key, x in found.items() if key[1].endswith(("derivatives", "matrix"))}
    values = {key: x for key, x in found.items() if key not in derived}
    worst = []
    for what, some in (("matrices", derived), ("vectors", values)):
        (name, quantity, scalar), (_, share, _) = min(some.items(), key=lambda item: item[1][1])
        of = f"{name}, {quantity} in {SCALARS[scalar]}"
        worst.append(f"The least share among {what}: {100.0 * share:.1f} % ({of}).")
    table.note = NOTE.format(batch=BATCH, worst=" ".join(worst))
    return rows
