"""Names of columns: recognize time, positions, velocities, accelerations and torques.

The convention is `t` for time in seconds and `q_<joint>`, `v_<joint>`, `a_<joint>`, `tau_<joint>`
in rad or m, per second, and N m or N; joints with several coordinates number them from zero,
`q_base_0` to `q_base_6`. A name is also understood if it consists of a spelling of `ALIASES`, the
joint's name or a number, and words of `_FILLERS`, with any separators and an optional unit at the
end (`jounce.identification.units`): `pos_elbow [deg]`, `joint_states/effort[0]`. Numbers count the
entries of q or v from 0 or 1. Numbers in brackets, or without a separator, are never names of
joints. All other names need `columns=`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from jounce.errors import DataError
from jounce.identification.subject import MechanismAdapter, Subject
from jounce.identification.units import (
    Stated,
    UnitOptions,
    check_units,
    column_factor,
    dimensions,
    split_unit,
)

QUANTITIES = ("q", "v", "a", "tau")

#: Labels of all entries of a quantity, and possible meanings of numbered columns.
_Entries: TypeAlias = tuple[list[str], list[list[int | None]]]

#: Maximum number of names shown of a long list.
_MAX_SHOWN = 40

#: Spellings of the quantities, without separators.
ALIASES: dict[str, tuple[str, ...]] = {
    "t": ("t", "time", "times", "timestamp", "timestamps", "stamp", "ts", "sec", "secs", "seconds"),
    "q": ("q", "pos", "position", "positions", "angle", "angles", "theta", "configuration"),
    "v": ("v", "dq", "qd", "qdot", "qp", "vel", "velocity", "velocities", "speed", "dtheta"),
    "a": ("a", "ddq", "qdd", "qddot", "qpp", "acc", "accel", "acceleration", "accelerations"),
    "tau": ("tau", "torque", "torques", "trq", "effort", "efforts", "force", "moment", "tauj"),
}
_QUANTITY = {alias: name for name, aliases in ALIASES.items() for alias in aliases}

_FILLERS = re.compile(r"joints?|j|states?|meas|measured|actual|field|data")

_SEPARATORS = re.compile(r"[\W_]+")
_NUMBER_AT_END = re.compile(r"(.*?)[\s_./-]*(?:([0-9]{1,6})|[\[(]\s*([0-9]{1,6})\s*[\])])\s*", re.S)


def component_labels(robot: Subject, quantity: str) -> list[str]:
    """Return names of the entries of a quantity: the joint's, numbered where it has several."""
    return robot.labels("q" if quantity == "q" else "v")


def expected_columns(robot: Subject, torques: bool = True) -> list[str]:
    """Return the standard names, without accelerations, which may be omitted."""
    labels = {k: component_labels(robot, k) for k in ("q", "v", "tau") if torques or k != "tau"}
    if isinstance(robot, MechanismAdapter):  # the loops determine the others
        labels["q"] = [labels["q"][i] for i in robot.leading]
    return ["t", *(f"{k}_{x}" for k, names in labels.items() for x in names)]


def join_names(names: Iterable[object]) -> str:
    """Join the first names of a list, and add the number of the others."""
    words = [str(name) for name in names]
    hidden = len(words) - _MAX_SHOWN
    return ", ".join(words[:_MAX_SHOWN]) + (f" and {hidden} more" if hidden > 0 else "")


@lru_cache(maxsize=65536)
def _words(name: str) -> str:
    """Return a name in lower case with a space for all separators, also at both ends."""
    return f" {_SEPARATORS.sub(' ', name.lower()).strip()} "


def plain_quantity(name: str) -> str:
    """Return the quantity that a name stands for, or "" if it contains other words."""
    words = _words(name).split()
    short = [word for word in words if not _FILLERS.fullmatch(word)]
    return _QUANTITY.get("".join(words)) or _QUANTITY.get("".join(short), "")


def mentions_quantity(name: str) -> bool:
    """Return whether a word of a name is a spelling of a quantity, perhaps with a number."""
    return any(word in _QUANTITY for word in re.findall("[a-z]+", name.lower()))


def quantity_of_label(name: str, label: str) -> str:
    """Return the quantity that a name stands for besides a joint's name, or "".

    A number in brackets counts entries, even if a joint has this name.
    """
    words, joint = _words(name), _words(label)
    if joint not in words or (label.isdigit() and name.rstrip().endswith(("]", ")"))):
        return ""
    return plain_quantity(words.replace(joint, " ", 1))


def _parse_numbered(name: str) -> tuple[str, str, int] | None:
    """Return quantity, prefix and number of "q1", "effort[0]" or "q1_deg"."""
    for body in (name, split_unit(name).name):
        match = _NUMBER_AT_END.fullmatch(body)
        if match and (quantity := plain_quantity(match[1])) in QUANTITIES:
            return quantity, _words(match[1]), int(match[2] or match[3])
    return None


def _entries(robot: Subject, quantity: str) -> _Entries:
    """Return labels of all entries of a quantity, and possible meanings of numbered columns.

    Numbers may count all entries; all including mimic joints (None), as in other libraries; or, for
    a mechanism, those of the independent joints only.
    """
    bodies = robot.bodies if isinstance(robot, MechanismAdapter) else robot
    labels = component_labels(bodies, quantity)
    choices: list[list[int | None]] = [list(range(len(labels)))]
    counted: list[int | None] = []
    for view in bodies.joints.values():
        entries = range(len(labels))[view.q if quantity == "q" else view.v]
        counted += entries if view.joint.mimic is None else [None] * len(entries)
    if len(counted) > len(labels) and [k for k in counted if k is not None] == choices[0]:
        choices.append(counted)
    if isinstance(robot, MechanismAdapter):
        choices.append(list(robot.leading if quantity == "q" else map(int, robot.active)))
    return labels, choices


def explain_numbers(names: Sequence[str], robot: Subject, quantity: str) -> str:
    """Return why numbered columns of a quantity do not match its entries, or ""."""
    numbers = {x[2] for x in map(_parse_numbered, names) if x is not None and x[0] == quantity}
    if len(numbers) < 2:
        return ""
    counts = " or ".join(dict.fromkeys(str(len(x)) for x in _entries(robot, quantity)[1]))
    gaps = [str(k) for k in range(min(numbers), max(numbers)) if k not in numbers]
    without = f" without number {join_names(gaps)}" if 0 < len(gaps) < len(numbers) else ""
    return (
        f"expected {counts} columns of {quantity} numbered from 0 or 1, found {len(numbers)}"
        f" ({min(numbers)} to {max(numbers)}{without}); "
    )


def resolve(
    names: Sequence[str],
    robot: Subject,
    mapping: Mapping[str, str] | None = None,
    source: str = "the data",
    bare: bool = False,
) -> dict[str, list[str | None]]:
    """Find the column of each entry of t, q, v, a and tau; None if there is none.

    For a mechanism the entries are those of all joints. mapping: standard names to names in the
    data, which take precedence. bare: whether a column named like a joint is its position. Raises a
    DataError if two columns, or a number and a joint's name, may mean the same entry.
    """
    entries = {k: _entries(robot, k) for k in QUANTITIES}
    columns: dict[str, list[str | None]] = {k: [None] * len(x) for k, (x, _) in entries.items()}
    columns["t"] = [None]
    exact = {"t": [("t", 0)]}  # names of the convention
    for k, (labels, _) in entries.items():
        for i, label in enumerate(labels):
            exact.setdefault(f"{k}_{label}", []).append((k, i))
    mapped = _check_mapping(names, mapping or {}, exact, source)
    for (k, i), name_in_data in mapped.items():
        columns[k][i] = name_in_data
    numbered: dict[str, dict[str, dict[int, str]]] = {k: {} for k in QUANTITIES}
    doubtful: dict[str, int] = {}  # columns with a number that is also the name of a joint
    for name in names:
        if name in mapped.values():
            continue
        place, count = _read_name(name, entries, exact, source)
        if count is not None:
            k, prefix, number = count
            group = numbered[k].setdefault(prefix, {})
            if group.setdefault(number, name) != name:
                raise _ambiguous(source, group[number], name, f"{k} number {number}")
            if place is not None:
                doubtful[name] = place[1]
        elif place is not None and place not in mapped:
            k, i = place
            before = columns[k][i]
            if before is not None and k != "t":
                raise _ambiguous(source, before, name, f"{k} of '{entries[k][0][i]}'")
            columns[k][i] = name if before is None or name == "t" else before
    for k, groups in numbered.items():
        _place_numbered(groups, entries[k], doubtful, columns[k], source)
    if bare:
        _place_bare(names, entries["q"][0], columns)
    return columns


def _check_mapping(
    names: Sequence[str],
    mapping: Mapping[str, str],
    exact: Mapping[str, list[tuple[str, int]]],
    source: str,
) -> dict[tuple[str, int], str]:
    """Return the columns of `columns=` by quantity and entry; refuse unknown names."""
    for key, column in mapping.items():
        if key not in exact:
            raise DataError(
                f"{source}: columns= has '{key}', which is not a measurement of this robot; choose"
                f" among {join_names(exact)}"
            )
        if column not in names:
            raise DataError(
                f"{source}: columns= maps '{key}' to '{column}', which does not exist; the columns"
                f" are {join_names(names)}"
            )
    return {exact[key][-1]: column for key, column in mapping.items()}


def _ambiguous(source: str, first: str, second: str, what: str) -> DataError:
    return DataError(
        f"{source}: columns '{first}' and '{second}' both look like {what}; choose one by columns="
    )


def _read_name(
    name: str,
    entries: Mapping[str, _Entries],
    exact: Mapping[str, list[tuple[str, int]]],
    source: str,
) -> tuple[tuple[str, int] | None, tuple[str, str, int] | None]:
    """Return the entry that a column names, or its number; both if it may be either."""
    if name in exact:
        if len(exact[name]) > 1:
            raise DataError(
                f"{source}: column '{name}' fits two joints, whose numbered entries have the same"
                " names; provide arrays q, v, a and tau instead, whose columns are the entries"
            )
        return exact[name][0], None
    plain = split_unit(name).name
    quantity = plain_quantity(plain)
    if quantity == "t":
        return ("t", 0), None
    label, place = _find_label(name, entries)
    if place is None:
        label, place = _find_label(plain, entries)
    if place is None and quantity:
        least = min(entries[quantity][1], key=len)
        if len(least) == 1 and least[0] is not None:
            return (quantity, least[0]), None
    return place, None if place and not label.isdigit() else _parse_numbered(name)


def _find_label(name: str, entries: Mapping[str, _Entries]) -> tuple[str, tuple[str, int] | None]:
    """Return the joint whose name a column contains, the longest one, and the entry.

    The entry is None if there is no such joint or several.
    """
    fits = []
    for label in dict.fromkeys(x for labels, _ in entries.values() for x in labels):
        quantity = quantity_of_label(name, label)
        if quantity in entries and label in entries[quantity][0]:
            fits.append((len(label), label, (quantity, entries[quantity][0].index(label))))
    best = [fit for fit in fits if fit[0] == max(fits)[0]]
    return best[0][1:] if len(best) == 1 else ("", None)


def _place_numbered(
    groups: Mapping[str, Mapping[int, str]],
    entries: _Entries,
    doubtful: Mapping[str, int],
    out: list[str | None],
    source: str,
) -> None:
    """Assign columns with the same prefix that are numbered like the entries of a quantity.

    Numbers that are also names of joints must mean the same entry. They are treated as names if the
    number of columns differs from the number of entries.
    """
    labels, choices = entries
    complete = ""
    for prefix, columns in groups.items():
        first = min(columns)
        chosen = next((x for x in choices if len(x) == len(columns)), None)
        if chosen is None or first > 1 or max(columns) - first + 1 != len(columns):
            for name in columns.values():
                if name in doubtful:
                    out[doubtful[name]] = name
            continue
        placed = {entry: columns[first + k] for k, entry in enumerate(chosen) if entry is not None}
        for entry, name in placed.items():
            if doubtful.get(name, entry) != entry:
                k = plain_quantity(prefix)
                raise DataError(
                    f"{source}: in column '{name}' the number may count the entries of {k} or be"
                    f" the name of a joint, which are {join_names(labels)}; name the columns"
                    f" {join_names(f'{k}_{x}' for x in labels)}, or choose one by columns="
                )
        if complete:
            raise DataError(
                f"{source}: columns '{complete}' and '{columns[first]}', and those numbered like"
                " them, both look like the same measurements; choose one by columns="
            )
        complete = columns[first]
        if not any(out):
            for entry, name in placed.items():
                out[entry] = name


def _place_bare(
    names: Sequence[str], labels: Sequence[str], columns: dict[str, list[str | None]]
) -> None:
    """Use columns named like joints for missing positions only."""
    by_name = {split_unit(name.strip()).name.strip(): name for name in names}
    by_name |= {name.strip(): name for name in names}
    positions = [column or by_name.get(x) for column, x in zip(columns["q"], labels, strict=True)]
    new = set(positions) - set(columns["q"])
    columns["q"] = positions
    for quantity in ("v", "a", "tau"):
        if new & set(columns[quantity]):  # such as a1, the name of a joint or an acceleration
            columns[quantity] = [None] * len(columns[quantity])


# ------------------------------------------------------------------ units


def scales(
    robot: Subject, places: Mapping[str, Sequence[str | None]], source: str, options: UnitOptions
) -> dict[str, np.ndarray]:
    """Return factors to SI units of t, q, v, a and tau, entry by entry.

    places: columns of the entries, None for missing ones.
    """
    entries = {}
    for quantity in places:
        every = (
            robot.bodies
            if isinstance(robot, MechanismAdapter) and quantity in ("q", "tau")
            else robot
        )
        labels = [""] if quantity == "t" else component_labels(every, quantity)
        entries[quantity] = list(zip(labels, dimensions(robot, quantity), strict=True))
    named = {k: [(f"{k}_{label}", x) for label, x in pairs] for k, pairs in entries.items()}
    check_units(options.units, named)
    # the times of "rostopic echo -p" are in ns; all its other columns begin with "field."
    ros = any(x and x.startswith("field.") for columns in places.values() for x in columns)
    out = {}
    for quantity, columns in places.items():
        out[quantity] = np.ones(len(columns))
        for k, (label, wanted) in enumerate(entries[quantity]):
            column = columns[k] or ""
            stated = _stated_unit("t [ns]" if ros and column == "%time" else column, label)
            option = options.factor((f"{quantity}_{label}", quantity), wanted)
            where = f"{source}: column '{column}'"
            out[quantity][k] = column_factor(where, stated, wanted, option)
    return out


def _stated_unit(column: str, label: str) -> Stated:
    """Return the unit in the name of a column; "pos_arm_deg" has none if a joint is "arm_deg"."""
    stated = split_unit(column)
    has_label = label and quantity_of_label(column, label)
    return Stated(column) if has_label and not quantity_of_label(stated.name, label) else stated
