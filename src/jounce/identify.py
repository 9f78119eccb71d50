"""Deprecated: import from `jounce.identification` instead of `jounce.identify`."""

from jounce.deprecation import alias_package

alias_package(__name__, "jounce.identification", {"identification": "jounce.identification"})
