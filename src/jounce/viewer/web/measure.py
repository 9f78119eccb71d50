"""How long single calls from Python take, to be shown beside those of a page."""

from __future__ import annotations

import platform
import time

import numpy as np

from jounce.arrays.protocol import QuantityProtocol
from jounce.viewer.web.description import Subject, start_of

#: Seconds that measuring a quantity may take, and calls of one round.
_LIMIT, _ROUND = 0.03, 20


def seconds_per_call(system: Subject, quantity: QuantityProtocol) -> float:
    """The quickest of some rounds of calls, seconds for each, at the state a page starts with."""
    given = [_argument(system, name, shape) for name, shape in _shapes(quantity).items()]
    quantity(*given)  # compiles it
    best, stop = np.inf, time.perf_counter() + _LIMIT
    while best == np.inf or time.perf_counter() < stop:
        start = time.perf_counter()
        for _ in range(_ROUND):
            quantity(*given)
        best = min(best, (time.perf_counter() - start) / _ROUND)
    return float(f"{best:.3g}")


def _shapes(quantity: QuantityProtocol) -> dict[str, tuple[int, ...]]:
    kernel = quantity.kernel
    return dict(zip(kernel.arguments, kernel.inputs, strict=True))


def _argument(system: Subject, name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Something to call with: the page's first configuration, small numbers for the rest."""
    if name.startswith("q") and shape == (system.nq,):
        return np.array(start_of(system), dtype=float)
    return np.full(shape, 0.01)


def machine() -> str:
    """On what it was measured, in words that name nobody's machine."""
    kind = platform.machine() or "unknown processor"
    return f"{kind}, {platform.system() or 'unknown system'}, Python {platform.python_version()}"
