"""Which column of a table is which measurement: names in, places in t, q, v, a and tau out.

The convention is `t` for time in seconds and `q_<joint>`, `v_<joint>`, `a_<joint>`, `tau_<joint>`
in rad or m, per second, and N m or N; joints with several coordinates number them from zero,
`q_base_0` to `q_base_6`. Other common spellings are understood too: pos, position, vel, velocity,
dq, qd, acc, ddq, torque, effort; before or behind the joint's name; any separators; numbers instead
of names (`q1` to `q7`, `effort[0]` to `effort[6]`), which count the entries of q or v. Units behind
a name, "q1 [deg]" or "q1_deg", are the business of `jounce.identification.units`. Columns of arrays
are numbered in brackets, so they mean positions even where joints are called "1", "0", "2".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from jounce.errors import DataError
from jounce.identification.subject import Closed, Subject
from jounce.identification.unit_names import split_unit

QUANTITIES = ("q", "v", "a", "tau")

#: Names shown of a long list.
_SHOWN = 40

#: Spellings of the quantities, after separators are removed.
ALIASES: dict[str, tuple[str, ...]] = {
    "t": ("t", "time", "times", "timestamp", "timestamps", "stamp", "ts", "sec", "secs", "seconds"),
    "q": ("q", "pos", "position", "positions", "angle", "angles", "theta", "configuration"),
    "v": ("v", "dq", "qd", "qdot", "qp", "vel", "velocity", "velocities", "speed", "dtheta"),
    "a": ("a", "ddq", "qdd", "qddot", "qpp", "acc", "accel", "acceleration", "accelerations"),
    "tau": ("tau", "torque", "torques", "trq", "effort", "efforts", "force", "moment", "tauj"),
}
_QUANTITY = {alias: name for name, aliases in ALIASES.items() for alias in aliases}

#: Words that say nothing about which column it is.
_FILLERS = {
    "joint",
    "joints",
    "state",
    "states",
    "meas",
    "measured",
    "actual",
    "field",
    "data",
    "j",
}

_AROUND = re.compile(r"([\[(])\s+|\s+(?=[\])])")  # spaces within brackets
_INDEX = re.compile(
    r"(.*?)[\s_./-]*(?:([0-9]{1,6})|\[\s*([0-9]{1,6})\s*\]|\(\s*([0-9]{1,6})\s*\))", re.S
)
_WORDS = re.compile(r"[^a-z0-9]+")


def component_labels(robot: Subject, quantity: str) -> list[str]:
    """Names of the entries of q, or of v, a and tau: the joint's, numbered where it has several."""
    return robot.labels("q" if quantity == "q" else "v")


def expected(robot: Subject, torques: bool = True) -> list[str]:
    """The names of the convention, without accelerations, which may be left out."""
    labels = {k: component_labels(robot, k) for k in ("q", "v", "tau") if torques or k != "tau"}
    if isinstance(robot, Closed):  # the others follow
        labels["q"] = [labels["q"][i] for i in robot.leading]
    return ["t", *(f"{k}_{x}" for k, names in labels.items() for x in names)]


def _entries(robot: Subject, quantity: str) -> tuple[list[str], list[list[int | None]]]:
    """Names of all entries that may be measured, and of which of them columns may be numbered.

    All of them; all with one for each that only follows (None), as other libraries count joints
    that mimic another; of a mechanism those of the independent joints alone.
    """
    bodies = robot.bodies if isinstance(robot, Closed) else robot
    labels = component_labels(bodies, quantity)
    choices: list[list[int | None]] = [list(range(len(labels)))]
    counted: list[int | None] = []
    for view in bodies.joints.values():
        own = range(len(labels))[view.q if quantity == "q" else view.v]
        counted += own if view.joint.mimic is None else [None] * len(own)
    if len(counted) > len(labels) and [k for k in counted if k is not None] == choices[0]:
        choices.append(counted)
    if isinstance(robot, Closed):
        choices.append(list(robot.leading if quantity == "q" else map(int, robot.active)))
    return labels, choices


def explain_numbers(names: Sequence[str], robot: Subject, quantity: str) -> str:
    """Return why numbered columns of a quantity are not its entries, in words; "" without any."""
    groups: dict[tuple[str, ...], dict[int, str]] = {}
    for name in names:
        found = _numbered(name)
        if found is not None and found.quantity == quantity:
            groups.setdefault(found.alike, {})[found.number] = name
    columns = max(groups.values(), key=len, default={})
    if len(columns) < 2:
        return ""
    choices = _entries(robot, quantity)[1]
    plain = " or ".join(dict.fromkeys(str(len(x)) for x in choices if None not in x))
    follow = listed(x.name for x in robot.joints.values() if x.joint.mimic is not None)
    more = "".join(f" (or {len(x)}, with {follow}, which follow)" for x in choices if None in x)
    first, last = min(columns), max(columns)
    gaps = [str(k) for k in range(first, last) if k not in columns]
    without = f" without number {listed(gaps)}" if 0 < len(gaps) < len(columns) else ""
    return (
        f"expected {plain}{more} columns of {quantity} numbered from 0 or 1, found"
        f" {len(columns)}, '{columns[first]}' to '{columns[last]}'{without}; "
    )


def listed(names: Iterable[object]) -> str:
    """The first of some names, and how many more there are."""
    words = [str(name) for name in names]
    more = len(words) - _SHOWN
    return ", ".join(words[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


@dataclass(frozen=True)
class _Named:
    """A column that names the quantity and the joint. strange: words of it that nobody knows."""

    quantity: str
    entry: int
    strange: int
    digits: bool = False  # the joint's name is a number, so this may be a position instead


@dataclass(frozen=True)
class _Numbered:
    """A column with a number, which counts the entries among those that are called alike."""

    quantity: str
    number: int
    strange: int
    alike: tuple[str, ...]


#: Columns by what they may be.
_Columns = dict[_Named | _Numbered, str]


def resolve(
    names: Sequence[str],
    robot: Subject,
    mapping: Mapping[str, str] | None = None,
    source: str = "the data",
    bare: bool = False,
) -> dict[str, list[str | None]]:
    """Column of each entry: {"t": [...], "q": [...], "v": ..., "a": ..., "tau": ...}, or None.

    mapping: {"tau_elbow": "Motor 3 torque", ...} from names of the convention to those in the data,
    for columns that cannot be recognised. Of a mechanism the entries are those of all joints.
    bare: whether a column that is called like a joint, and nothing else, is its position.
    """
    entries = {k: _entries(robot, k) for k in QUANTITIES}
    places = {k: labels for k, (labels, _) in entries.items()}
    found: dict[str, list[str | None]] = {k: [None] * len(p) for k, p in places.items()}
    found["t"] = [None]
    given = _apply_mapping(names, mapping or {}, places, found, source)
    spelling = _Spelling(places, {k: min(x, key=len) for k, (_, x) in entries.items()}, source)
    named: _Columns = {}
    numbered: dict[str, dict[tuple[str, ...], _Columns]] = {}
    for name in names:
        if name in given:
            continue
        for reading in spelling.readings(name):
            if isinstance(reading, _Named):
                if found[reading.quantity][reading.entry] is not None:
                    continue  # columns= has said so
                group = named
            else:
                group = numbered.setdefault(reading.quantity, {}).setdefault(reading.alike, {})
            if reading in group and reading.quantity != "t":
                raise _ambiguous(source, group[reading], name, reading, places)
            group.setdefault(reading, name)
    by_digits = _place_named(named, found, given)
    for quantity, groups in numbered.items():
        placed = _by_position(groups, entries[quantity][1], source)
        if placed is None:
            continue
        if not any(found[quantity]):
            found[quantity] = placed
        elif quantity in by_digits and placed != found[quantity]:
            first = next(filter(None, placed))
            raise DataError(
                f"{source}: in column '{first}' the number may count the entries of {quantity}"
                f" or be the name of a joint of {robot.name}, which are"
                f" {listed(places[quantity])}; call the columns"
                f" {listed(f'{quantity}_{x}' for x in places[quantity])}, or say which with"
                " columns="
            )
    if bare:
        _place_bare(names, places["q"], found)
    return found


def _place_bare(
    names: Sequence[str], labels: Sequence[str], found: dict[str, list[str | None]]
) -> None:
    """Positions that are still missing, from columns called like joints; they are nothing else."""
    called = {split_unit(name.strip()).rest.strip(): name for name in names}
    called |= {name.strip(): name for name in names}
    positions = [column or called.get(x) for column, x in zip(found["q"], labels, strict=True)]
    new = set(positions) - set(found["q"])
    found["q"] = positions
    for quantity in ("v", "a", "tau"):
        if new & set(found[quantity]):  # such as a1, a joint's name or an acceleration
            found[quantity] = [None] * len(found[quantity])


def _apply_mapping(
    names: Sequence[str],
    mapping: Mapping[str, str],
    places: Mapping[str, list[str]],
    found: dict[str, list[str | None]],
    source: str,
) -> set[str]:
    wanted = {f"{k}_{x}": (k, i) for k, p in places.items() for i, x in enumerate(p)}
    wanted["t"] = ("t", 0)
    for key, column in mapping.items():
        if key not in wanted:
            raise DataError(
                f"{source}: columns= has '{key}', which is no measurement of this robot; choose"
                f" among {listed(wanted)}"
            )
        if column not in names:
            raise DataError(
                f"{source}: columns= sends '{key}' to '{column}', which is not there; the columns"
                f" are {listed(names)}"
            )
        quantity, i = wanted[key]
        found[quantity][i] = column
    return set(mapping.values())


def _ambiguous(
    source: str,
    one: str,
    other: str,
    reading: _Named | _Numbered,
    places: Mapping[str, list[str]],
) -> DataError:
    if isinstance(reading, _Named):
        what = f"{reading.quantity} of '{places[reading.quantity][reading.entry]}'"
    else:
        what = f"{reading.quantity} number {reading.number}"
    return DataError(
        f"{source}: columns '{one}' and '{other}' both look like {what}; say which with columns="
    )


class _Spelling:
    """What names of columns may mean for a robot."""

    def __init__(
        self, places: Mapping[str, list[str]], least: Mapping[str, list[int | None]], source: str
    ) -> None:
        """least: the fewest entries of each quantity that will do."""
        self.places, self.least, self.source = places, least, source
        self.exact: dict[str, tuple[str, int]] = {}
        self.twice: set[str] = set()
        for k, labels in places.items():
            for i, x in enumerate(labels):
                if f"{k}_{x}" in self.exact:
                    self.twice.add(f"{k}_{x}")
                self.exact[f"{k}_{x}"] = (k, i)
        #: labels as they are looked for, each with the quantities it may belong to
        self.labels: dict[tuple[str, int], list[str]] = {}
        for k, labels in places.items():
            for i, x in enumerate(labels):
                self.labels.setdefault((x.lower(), i), []).append(k)

    def readings(self, name: str) -> list[_Named | _Numbered]:
        """What a column may be: nothing, a named one, a numbered one, or either."""
        if name in self.twice:
            raise DataError(
                f"{self.source}: column '{name}' fits two joints, whose numbered entries are called"
                " alike; give arrays q, v, a and tau instead, whose columns count the entries"
            )
        if name in self.exact:
            return [_Named(*self.exact[name], 0)]
        text, suffix = _without_unit(name)
        quantity, strange = _quantity(text)
        if quantity == "t" and strange == 0:
            return [_Named("t", 0, len(suffix))]
        named = self._named(_normalized(name), text, len(suffix))
        least = self.least.get(quantity, ())
        if named is None and strange == 0 and len(least) == 1 and least[0] is not None:
            named = _Named(quantity, least[0], len(suffix))
        if named is not None and not named.digits:
            return [named]
        numbered = _numbered(name)
        return [reading for reading in (named, numbered) if reading is not None]

    def _named(self, whole: str, text: str, suffix: int) -> _Named | None:
        """By a joint's name: of joint1 and joint1_2 the longer one; None where two fit as well.

        whole, text: with and without a unit, which may be the end of a joint's name. suffix: words
        of a unit that is not in brackets.
        """
        candidates = []
        for (label, i), quantities in self.labels.items():
            rest, more = without_label(text, label), suffix
            if rest is None:
                rest, more = without_label(whole, label), 0
            if rest is not None:
                said, strange = _quantity(rest)
                strange += more
                if said in quantities:
                    digits = label.isdigit()
                    candidates.append((len(label), -strange, _Named(said, i, strange, digits)))
        best = max((c[:2] for c in candidates), default=None)
        chosen = [c[2] for c in candidates if c[:2] == best]
        return chosen[0] if len(chosen) == 1 else None


def _normalized(name: str) -> str:
    """A name in lower case without spaces around it and within brackets."""
    return _AROUND.sub(r"\1", name.strip().lower())


def _without_unit(name: str) -> tuple[str, tuple[str, ...]]:
    """A normalized name without its unit, and the unit if it is a suffix, not in brackets."""
    stated = split_unit(name.strip())
    suffix = (stated.unit.lower(),) if stated.unit and not stated.brackets else ()
    return _normalized(stated.rest), suffix


def _numbered(name: str) -> _Numbered | None:
    text, suffix = _without_unit(name)
    match = _INDEX.fullmatch(text)
    if match is None:
        return None
    quantity, strange = _quantity(match[1])
    if quantity not in QUANTITIES:
        return None
    number = int(match[2] or match[3] or match[4])
    return _Numbered(quantity, number, strange + len(suffix), (*_words(match[1]), *suffix))


def _words(text: str) -> list[str]:
    return [word for word in _WORDS.split(text) if word]


def _quantity(text: str) -> tuple[str, int]:
    """The quantity that a name without its joint says (or ""), and how many words are unknown."""
    words = _words(text)
    told = [word for word in words if word not in _FILLERS]
    for attempt in ("".join(words), "".join(told)):
        if attempt in _QUANTITY:
            return _QUANTITY[attempt], 0
    for word in reversed(told):
        if word in _QUANTITY:
            return _QUANTITY[word], len(told) - 1
    return "", 0


def plain_quantity(name: str) -> str:
    """The quantity that a name says and nothing else, or nothing."""
    quantity, strange = _quantity(name.lower())
    return "" if strange else quantity


def said_quantity(name: str) -> str:
    """The quantity that a name seems to speak of: t, q, v, a, tau or nothing."""
    text, _ = _without_unit(name)
    match = _INDEX.fullmatch(text)
    return _quantity(text)[0] or (_quantity(match[1])[0] if match else "")


def without_label(text: str, label: str) -> str | None:
    """Return a text without a joint's name that stands by itself in it; None if it has none.

    A number in brackets counts entries, whatever joints are called.
    """
    if label.lower() not in text.lower():
        return None
    inside = r"(?<![\[(])" if label.isdigit() else ""
    match = re.search(rf"(?<![a-z0-9]){inside}{re.escape(label)}(?![a-z0-9])", text, re.I)
    return None if match is None else f"{text[: match.start()]} {text[match.end() :]}"


def _place_named(named: _Columns, found: dict[str, list[str | None]], given: set[str]) -> set[str]:
    """Put columns with names in their places; of several the one with the fewest strange words.

    Returns the quantities of which all names are numbers.
    """
    digits: dict[str, bool] = {}
    for reading, name in sorted(named.items(), key=lambda item: item[0].strange):
        assert isinstance(reading, _Named)
        if found[reading.quantity][reading.entry] is None:
            found[reading.quantity][reading.entry] = name
            so_far = digits.get(reading.quantity, True)
            digits[reading.quantity] = so_far and reading.digits
    return {k for k, all_digits in digits.items() if all_digits and not given & set(found[k])}


def _by_position(
    groups: Mapping[tuple[str, ...], _Columns], choices: Sequence[Sequence[int | None]], source: str
) -> list[str | None] | None:
    """The columns, called alike and numbered, that are as many as there are entries, or None.

    choices: the entries that they may be, all of them first; None: of a joint that only follows.
    """
    complete: list[tuple[int, tuple[str, ...], list[str | None]]] = []
    for alike, columns in groups.items():
        by_number = {x.number: name for x, name in columns.items() if isinstance(x, _Numbered)}
        entries = next((x for x in choices if len(x) == len(by_number)), None)
        for first in (0, 1):
            if entries is not None and set(by_number) == set(range(first, first + len(entries))):
                strange = min(reading.strange for reading in columns)
                placed: list[str | None] = [None] * len(choices[0])
                for i, entry in enumerate(entries):
                    if entry is not None:
                        placed[entry] = by_number[first + i]
                complete.append((strange, alike, placed))
    if not complete:
        return None
    complete.sort(key=lambda item: item[0])
    if len(complete) > 1 and complete[0][0] == complete[1][0]:
        one, other = (next(filter(None, item[2])) for item in complete[:2])
        raise DataError(
            f"{source}: columns '{one}' and '{other}', and those numbered like them, both look like"
            " the same measurements; say which with columns="
        )
    return list(complete[0][2])
