"""Default size limit of kernels, and estimates of what tracing and compiling one takes."""

from __future__ import annotations

import math
import os

from jounce.compiler import targets
from jounce.compiler.targets.base import Estimate
from jounce.errors import ArgumentError, KernelTooLargeError

#: Kernels of more operations are compiled only when asked for by name (`warmup(limit=None)`).
LIMIT = 4_000_000

#: What even the shortest trace takes, in bytes.
MIN_TRACE_BYTES = 32 << 20

#: What tracing an operation takes, in bytes and seconds (measured on chains and humanoids).
_TRACED_BYTES, _TRACED_SECONDS = 450, 5e-6


def most_operations() -> float:
    """Most operations a kernel may have unless asked for: JOUNCE_LIMIT, or `LIMIT`."""
    given = os.environ.get("JOUNCE_LIMIT", "").strip().lower()
    if given == "none":
        return math.inf
    if given and (not (given.isascii() and given.isdigit()) or int(given) < 1):
        raise ArgumentError(
            f"JOUNCE_LIMIT must be a positive number of operations, or 'none', found {given!r}"
        )
    return int(given) if given else LIMIT


def checked(limit: float | None, what: str) -> float:
    """Most operations as users say it, None for whatever it takes; what: how messages begin."""
    most = math.inf if limit is None else limit
    if isinstance(most, bool) or not isinstance(most, (int, float)) or not most >= 1:
        raise ArgumentError(
            f"{what}: limit must be a number of operations >= 1, or None, found {limit!r}"
        )
    return most


def estimate(operations: int, outputs: int) -> Estimate:
    """Seconds and bytes of tracing and compiling, with as many threads as there may be."""
    cost = targets.get_host_target().estimate(operations, outputs)
    traced = _TRACED_SECONDS * operations, _TRACED_BYTES * operations
    return Estimate(cost.seconds + traced[0], cost.bytes + traced[1])


def in_words(operations: int, outputs: int) -> str:
    """The estimate, to be read."""
    return f"{operations:,} operations, {estimate(operations, outputs)}"


def too_large(
    title: str, operations: int, outputs: int, than: str = "more than"
) -> KernelTooLargeError:
    """What to raise when a formula has more operations than it may.

    than: "about" if they were estimated.
    """
    return KernelTooLargeError(
        f"{title} exceeds the default kernel size limit: {than} {in_words(operations, outputs)};"
        f" its result takes {8 * outputs:,} bytes per sample. To compile it anyway, call"
        f" {title}.warmup(limit=None) first, or set JOUNCE_LIMIT=none"
    )
