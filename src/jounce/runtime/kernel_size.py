"""Default size limit of kernels, and estimates of the cost of tracing and compiling one."""

from __future__ import annotations

import math
import os

from jounce.compiler import targets
from jounce.compiler.targets.base import Estimate
from jounce.errors import ArgumentError, KernelTooLargeError

#: Kernels of more operations are compiled only when asked for by name (`warmup(limit=None)`).
LIMIT = 4_000_000

#: Bytes of memory that even the shortest trace takes.
MIN_TRACE_BYTES = 32 << 20

#: Bytes and seconds that tracing an operation takes (measured on chains and humanoids).
_TRACE_BYTES, _TRACE_SECONDS = 450, 5e-6


def max_operations() -> float:
    """Return the default limit of operations: JOUNCE_LIMIT, or `LIMIT`."""
    setting = os.environ.get("JOUNCE_LIMIT", "").strip().lower()
    if setting == "none":
        return math.inf
    if setting and (not (setting.isascii() and setting.isdigit()) or int(setting) < 1):
        raise ArgumentError(
            f"JOUNCE_LIMIT must be a positive number of operations, or 'none', found {setting!r}"
        )
    return int(setting) if setting else LIMIT


def check_limit(limit: float | None, what: str) -> float:
    """Return a user's limit of operations, None meaning no limit; what: how messages begin."""
    operations = math.inf if limit is None else limit
    valid = isinstance(operations, (int, float)) and not isinstance(operations, bool)
    if not valid or not operations >= 1:
        raise ArgumentError(
            f"{what}: limit must be a number of operations >= 1, or None, found {limit!r}"
        )
    return operations


def estimate(operations: int, outputs: int) -> Estimate:
    """Estimate the time and memory of tracing and compiling, with the available threads."""
    cost = targets.get_host_target().estimate(operations, outputs)
    seconds = cost.seconds + _TRACE_SECONDS * operations
    return Estimate(seconds, cost.bytes + _TRACE_BYTES * operations)


def describe_size(operations: int, outputs: int) -> str:
    """Return operations and estimate as text."""
    return f"{operations:,} operations, {estimate(operations, outputs)}"


def too_large(
    title: str, operations: int, outputs: int, than: str = "more than"
) -> KernelTooLargeError:
    """Return the error for a formula with more operations than the limit.

    than: "about" if they were estimated.
    """
    return KernelTooLargeError(
        f"{title} exceeds the default kernel size limit: {than}"
        f" {describe_size(operations, outputs)}; its result takes {8 * outputs:,}"
        f" bytes per sample. To compile it anyway, call"
        f" {title}.warmup(limit=None) first, or set JOUNCE_LIMIT=none"
    )
