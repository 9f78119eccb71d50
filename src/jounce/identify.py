"""Deprecated: import from `jounce.identification` instead of `jounce.identify`."""

import sys

from jounce import identification
from jounce.errors import warn

warn(
    "jounce.identify is a function; import other names from jounce.identification",
    DeprecationWarning,
)
# `jounce.identify` stays the function: what is found in sys.modules becomes the attribute.
for _name in identification.__all__:
    setattr(identification.identify, _name, getattr(identification, _name))
sys.modules[__name__] = identification.identify  # pyright: ignore[reportArgumentType]
sys.modules[f"{__name__}.excitation"] = identification.excitation
