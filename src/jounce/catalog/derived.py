"""Deprecated: import from `jounce.catalog.tables` and `jounce.catalog.derivative`."""

from jounce.utils.deprecation import moved_names

_TABLES = ("ALSO", "FRAME", "MORPHABLE", "MORPHABLE_FRAME", "PARAMETRIC", "ROBOT", "TREE")
_TABLES += ("add", "remove")
_DERIVATIVES = ("MOST_ARRAYS", "derivative", "derivative_names", "has_derivative")
_DERIVATIVES += ("highest_rates", "reason")

__getattr__ = moved_names(
    __name__,
    {name: f"jounce.catalog.tables.{name}" for name in _TABLES}
    | {name: f"jounce.catalog.derivative.{name}" for name in _DERIVATIVES},
)
