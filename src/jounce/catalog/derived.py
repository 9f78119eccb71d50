"""Deprecated: import from `jounce.catalog.tables` and `jounce.catalog.derivative`."""

from jounce.utils.deprecation import moved_names

_TABLES = ("FRAME", "MORPHABLE", "MORPHABLE_FRAME", "PARAMETRIC", "ROBOT", "TREE", "add", "remove")
_DERIVATIVES = ("derivative", "derivative_names", "has_derivative")

__getattr__ = moved_names(
    __name__,
    {name: f"jounce.catalog.tables.{name}" for name in _TABLES}
    | {name: f"jounce.catalog.derivative.{name}" for name in _DERIVATIVES}
    | {
        "ALSO": "jounce.catalog.tables.DERIVED_TABLES",
        "MOST_ARRAYS": "jounce.catalog.derivative.MAX_ARRAYS",
        "highest_rates": "jounce.catalog.derivative.max_rates_order",
        "reason": "jounce.catalog.derivative.explain_missing",
    },
)
