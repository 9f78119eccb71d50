"""Catalog of quantities: formulas with arguments, results, units, and derivatives of any order.

`quantity.py` defines the type of an entry, the package `quantities` the entries, and `tables.py`
maps names to entries. `derivative.py` differentiates entries with respect to a variable of
`variables.py`, by closed forms or by `autodiff`. `synonyms.py` translates names of other libraries.
This package imports `formulas`, `compiler` and the layers below them. Start with `quantity.py`,
then `quantities/dynamics.py`.
"""

from typing import TYPE_CHECKING

from jounce.catalog.arguments import Argument, argument, configuration, rate_of
from jounce.catalog.charts import CONFIGURATION, Shape
from jounce.catalog.derivative import Derivative, derivative_names, derive, with_optional_gradients
from jounce.catalog.names import PRODUCTS, parse_name
from jounce.catalog.options import with_options
from jounce.catalog.quantity import AnyQuantity, Form, Quantity, Result, Signature, Traits
from jounce.catalog.synonyms import suggest_quantity
from jounce.catalog.tables import FRAME, ROBOT, Tables
from jounce.catalog.variables import Named, RobotParameter, State, Time, Variant
from jounce.utils.deprecation import moved_names
from jounce.utils.lazy import submodules

if TYPE_CHECKING:
    from jounce.catalog import derivative, reference
    from jounce.catalog.contacts import CONTACTED
    from jounce.catalog.mechanism import CLOSED

__all__ = [
    "CLOSED",
    "CONFIGURATION",
    "CONTACTED",
    "FRAME",
    "PRODUCTS",
    "ROBOT",
    "AnyQuantity",
    "Argument",
    "Derivative",
    "Form",
    "Named",
    "Quantity",
    "Result",
    "RobotParameter",
    "Shape",
    "Signature",
    "State",
    "Tables",
    "Time",
    "Traits",
    "Variant",
    "argument",
    "configuration",
    "derivative",
    "derivative_names",
    "derive",
    "parse_name",
    "rate_of",
    "reference",
    "suggest_quantity",
    "with_optional_gradients",
    "with_options",
]

if not TYPE_CHECKING:
    _find, __dir__ = submodules(
        __name__, {"CONTACTED": "jounce.catalog.contacts", "CLOSED": "jounce.catalog.mechanism"}
    )
    __getattr__ = moved_names(__name__, {"chosen": "jounce.catalog.options.with_options"}, _find)
