"""Timing and comparison, and where compiled code is kept meanwhile."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from jounce.utils.measure import FULL as FULL
from jounce.utils.measure import QUICK as QUICK
from jounce.utils.measure import TOLERANCE as TOLERANCE
from jounce.utils.measure import Clock as Clock
from jounce.utils.measure import Effort as Effort
from jounce.utils.measure import MismatchError as MismatchError
from jounce.utils.measure import Times as Times
from jounce.utils.measure import compare as compare
from jounce.utils.measure import difference as difference
from jounce.utils.measure import statement_timer as statement_timer
from jounce.utils.measure import time_interleaved as time_interleaved


@contextmanager
def cache_in(folder: str) -> Iterator[None]:
    """Take compiled code from a folder, and leave it there."""
    before = os.environ.get("JOUNCE_CACHE")
    os.environ["JOUNCE_CACHE"] = folder
    try:
        yield
    finally:
        del os.environ["JOUNCE_CACHE"]
        if before is not None:
            os.environ["JOUNCE_CACHE"] = before
