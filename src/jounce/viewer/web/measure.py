"""Times of single calls from Python, for comparison with those of a page."""

from __future__ import annotations

import platform
import timeit

import numpy as np

from jounce.arrays import QuantityProtocol
from jounce.viewer.scene.configurations import Subject, start_of

#: Number of calls per round, and of rounds.
_CALLS, _ROUNDS = 20, 50


def seconds_per_call(system: Subject, quantity: QuantityProtocol) -> float:
    """Return the time of a call at the state a page starts with, the shortest of some rounds."""
    arguments = [
        start_of(system) if name.startswith("q") and shape == (system.nq,) else np.full(shape, 0.01)
        for name, shape in zip(quantity.kernel.arguments, quantity.kernel.inputs, strict=True)
    ]
    quantity(*arguments)  # compiles it
    names = {"quantity": quantity, "arguments": arguments}
    times = timeit.repeat("quantity(*arguments)", globals=names, number=_CALLS, repeat=_ROUNDS)
    return float(f"{min(times) / _CALLS:.3g}")


def machine() -> str:
    """Return processor, operating system and Python version, without the host name."""
    kind = platform.machine() or "unknown processor"
    return f"{kind}, {platform.system() or 'unknown system'}, Python {platform.python_version()}"
