"""Numbers in files: plain ASCII decimals, as all readers of the formats take them.

Python's own float also takes digits of other scripts, 1_000, "nan" and "infinity".
"""

from __future__ import annotations

import math
from collections.abc import Sequence

_PLAIN = "0123456789+-.eE"
_PLAIN_BYTES = _PLAIN.encode()


def number(word: str) -> float:
    """The number a word spells, infinite where it is "inf" with or without a sign.

    ValueError for all else; decimals too large for a float are among it.
    """
    if word.strip(_PLAIN):
        if word.lstrip("+-").lower() != "inf" or len(word) > len("+inf"):
            raise ValueError(word)
        return -math.inf if word[0] == "-" else math.inf
    value = float(word)
    if math.isinf(value):
        raise ValueError(word)
    return value


def decimals(words: Sequence[bytes]) -> list[float]:
    """The numbers that words of ASCII text spell, "inf" not among them; else ValueError."""
    if b"".join(words).translate(None, _PLAIN_BYTES):
        raise ValueError
    return [float(word) for word in words]
