"""The catalog for type checkers: the text of `declared.pyi`."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import Parameter

from jounce.catalog.arguments import IN_STATE, by_frame
from jounce.catalog.contacts import CONTACTED
from jounce.catalog.derivative import derivative, derivative_names
from jounce.catalog.mechanism import CLOSED
from jounce.catalog.names import PRODUCTS
from jounce.catalog.quantity import GEOMETRY, AnyQuantity, Option
from jounce.catalog.tables import TREE
from jounce.quantities.signatures import OPTIONS, signature

_HEAD = '''\
"""Every quantity and derivative with its signature; made by `python -m jounce reference --stubs`.

Long, since it lists what the catalog derives: nobody reads or edits it but type checkers.
"""

# pyright: reportIncompatibleMethodOverride=false, reportIncompatibleVariableOverride=false
# mypy: disable-error-code="assignment, override, misc"

from collections.abc import Mapping
from typing import Any, Literal, TypedDict, Unpack, type_check_only

from numpy.typing import ArrayLike, DTypeLike, NDArray

from jounce.quantities import quantity, tables

@type_check_only
class Options(TypedDict, total=False):
    dtype: DTypeLike | None
    casting: str
    order: str
    subok: bool
    axes: Any
    axis: int | None
    signature: Any

Wrenches = ArrayLike | Mapping[str, ArrayLike]
One = NDArray[Any] | tuple[NDArray[Any] | None] | None
Several = tuple[NDArray[Any] | None, ...] | None

@type_check_only
class Rates(quantity.Rates):
    def rates(self, order: int) -> Rates: ...
    def __call__(
        self, *args: ArrayLike | None, out: Several = None, **options: Any
    ) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Quantity(quantity.Quantity):
    def rates(self, order: int) -> Rates: ...

@type_check_only
class Open(Quantity):
    def __getattr__(self, name: str) -> Any: ...

@type_check_only
class Further(Quantity):
    """A derivative of a derivative, to any depth: what it takes and gives is not said here."""
    def __call__(
        self, *args: ArrayLike | None, out: One | Several = None, **options: Any
    ) -> Any: ...
'''

#: Derivatives that derivatives may have, all axes of the state in one name as well as each.
_FURTHER = ("dt", "dtt", "dttt", *(f"d{name}" for name in IN_STATE), "dpi", *GEOMETRY)

#: Types of what is given by name; all other arguments are arrays.
_TYPES = {"extended": "bool", "coordinates": "bool"}

#: What `declared` has classes for, with their rows.
_OWNERS: dict[str, Mapping[str, AnyQuantity]] = {
    "Robot": TREE.quantities,
    "Frame": TREE.frames,
    "Parametric": TREE.parametric,
    "Morphable": TREE.morphable,
    "Mechanism": CLOSED.quantities,
    "ClosedParametric": CLOSED.parametric,
    "ClosedMorphable": CLOSED.morphable,
    "Contact": CONTACTED.quantities,
    "ContactParametric": CONTACTED.parametric,
    "ContactMorphable": CONTACTED.morphable,
}

#: Owners whose frames have other rows than those of a robot.
_FRAMES: dict[str, Mapping[str, AnyQuantity]] = {
    "Morphable": TREE.morphable_frames,
    "Mechanism": CLOSED.frames,
    "ClosedMorphable": CLOSED.morphable_frames,
}


def stubs() -> str:
    """The stub file."""
    classes = _Classes()
    owners = []
    for owner, rows in _OWNERS.items():
        frame = ""
        if owner in _FRAMES:
            lines = _members(classes, owner, _FRAMES[owner])
            owners.append(f"@type_check_only\nclass {owner}Frame(tables.Frame):\n{lines}")
            frame = f"    def frame(self, name: str) -> {owner}Frame: ...\n"
        owners.append(f"class {owner}Quantities:\n{frame}{_members(classes, owner, rows)}")
    further = "".join(f"    {name}: Further\n" for name in _FURTHER)
    return "\n".join((_HEAD + further, *classes.text.values(), *owners))


def _members(classes: _Classes, owner: str, rows: Mapping[str, AnyQuantity]) -> str:
    """Attributes of a class, one for each row, with what they are about."""
    return "".join(
        f'    {name}: {classes.quantity(owner, row)}\n    """{row.doc}"""\n'
        for name, row in rows.items()
    )


class _Classes:
    """Classes of quantities by name: rows that are called and differentiated alike share one."""

    def __init__(self) -> None:
        self.text: dict[str, str] = {}

    def quantity(self, owner: str, row: AnyQuantity) -> str:
        """The class of a row that has derivatives."""
        called, lines = self._called(row), []
        for key in derivative_names(row):
            found = derivative(row, key)
            kind = self._open(found) if key in PRODUCTS else self._derivative(found)
            lines.append(f"    {key}: {kind}\n")
        name = "".join(part.capitalize() for part in row.name.split("_"))
        names = (name, owner + name)
        return self._put(names, f"{called}, Quantity", "".join(lines) or "    ...\n")

    def _derivative(self, row: AnyQuantity) -> str:
        """The class of all derivatives that are called, and differentiated, like this one."""
        called = self._called(row)
        if not row.differentiable:
            return called
        names = derivative_names(row)
        lines = "".join(f"    {key}: Further\n" for key in names)
        marks = "".join(key for key in names if key in ("dpi", "dscrew"))
        return self._put((f"{called}_{marks or 'plain'}",), f"{called}, Quantity", lines)

    def _open(self, row: AnyQuantity) -> str:
        """The class of a row whose derivatives nobody lists."""
        called = self._called(row)
        return self._put((f"Open_{called}",), f"{called}, Open", "    ...\n")

    def _called(self, row: AnyQuantity) -> str:
        """The class of all rows that are called like this one."""
        parts = ["Of", *row.arguments, *(("or", *row.optional) if row.optional else ())]
        parts += [f"on_{name}" for name in row.base[-1:]]
        parts += [option.name for option in row.options]
        parts += ["extended"] if row.drives is not None else []
        parts += ["coordinates"] if row.coordinates else []
        parts += ["several"] if _several(row) else []
        return self._put(("_".join(parts),), "quantity.Evaluable", _call(row))

    def _put(self, names: tuple[str, ...], base: str, body: str) -> str:
        for name in names:
            text = f"@type_check_only\nclass {name}({base}):\n{body}"
            if self.text.setdefault(name, text) == text:
                return name
        raise ValueError(f"two different rows called {names[-1]}")


def _several(row: AnyQuantity) -> bool:
    """Whether results come as a tuple."""
    return bool(row.parts) or len(row.shapes) > 1


def _choice(option: Option) -> str:
    """The type of an option's values."""
    if all(isinstance(value, bool) for value in option.values):
        return "bool"
    return f"Literal[{', '.join(map(repr, option.values))}]"


def _call(row: AnyQuantity) -> str:
    """How a row is called, as a method."""
    given = []
    types = {**_TYPES, **{option.name: _choice(option) for option in row.options}}
    for p in signature(row).parameters.values():
        kind = "Wrenches" if by_frame(p.name) else types.get(p.name, "ArrayLike")
        if p.name == "out":
            several = _several(row)
            given += ["*", f"out: {'Several' if several else 'One'} = None"]
        elif p.name in OPTIONS:
            continue
        elif p.default is Parameter.empty:
            given.append(f"{p.name}: {kind}")
        else:
            kind = kind if p.default is not None else f"{kind} | None"
            given.append(f"{p.name}: {kind} = {p.default!r}")
    result = "tuple[NDArray[Any], ...]" if _several(row) else "NDArray[Any]"
    listed = ", ".join(("self", *given, "**options: Unpack[Options]"))
    return f"    def __call__({listed}) -> {result}: ...\n"
