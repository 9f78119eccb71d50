"""Which column of a table is which measurement: names in, places in t, q, v, a and tau out.

The convention is `t` for time in seconds and `q_<joint>`, `v_<joint>`, `a_<joint>`, `tau_<joint>`
in rad or m, per second, and N m or N; joints with several coordinates number them from zero,
`q_base_0` to `q_base_6`. Other common spellings are understood too: pos, position, vel, velocity,
dq, qd, acc, ddq, torque, effort; before or behind the joint's name; any separators; numbers
instead of names (`q1` to `q7`, `effort[0]` to `effort[6]`), which count the entries of q or v.
Units in brackets are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from jounce.errors import DataError

if TYPE_CHECKING:
    from jounce.robot import Robot

QUANTITIES = ("q", "v", "a", "tau")

#: Spellings of the quantities, after separators are removed.
ALIASES: dict[str, tuple[str, ...]] = {
    "t": ("t", "time", "times", "timestamp", "timestamps", "stamp", "sec", "secs", "seconds"),
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

_UNIT = re.compile(r"[\[(]\s*[^\d\])][^\])]*[\])]\s*$")
_INDEX = re.compile(r"^(.*?)[\s_./\-\[(]*(\d+)\s*[\])]?$")
_WORDS = re.compile(r"[^a-z0-9]+")


def component_labels(robot: Robot, quantity: str) -> list[str]:
    """Names of the entries of q, or of v, a and tau: the joint's, numbered where it has several."""
    return robot.labels("q" if quantity == "q" else "v")


def expected(robot: Robot) -> list[str]:
    """The names of the convention, without accelerations, which may be left out."""
    return ["t", *(f"{k}_{x}" for k in ("q", "v", "tau") for x in component_labels(robot, k))]


def resolve(
    names: Sequence[str],
    robot: Robot,
    mapping: Mapping[str, str] | None = None,
    source: str = "the data",
) -> dict[str, list[str | None]]:
    """Column of each entry: {"t": [...], "q": [...], "v": ..., "a": ..., "tau": ...}, or None.

    mapping: {"tau_elbow": "Motor 3 torque", ...} from names of the convention to those in the data,
    for columns that cannot be recognised.
    """
    places = {k: component_labels(robot, k) for k in QUANTITIES}
    found: dict[str, list[str | None]] = {k: [None] * len(p) for k, p in places.items()}
    found["t"] = [None]
    given = _apply_mapping(names, mapping or {}, places, found, source)
    strange: dict[tuple[str, int], int] = {}  # words nobody knows in the name of a column chosen
    numbered: dict[str, dict[int, tuple[int, str]]] = {k: {} for k in QUANTITIES}
    for name in names:
        read = None if name in given else _read(name, places)
        if read is None:
            continue
        quantity, i, words, by_number = read
        if by_number:
            numbered[quantity][i] = min((words, name), numbered[quantity].get(i, (words, name)))
            continue
        before = found[quantity][i]
        if before is None or words < strange.get((quantity, i), -1):
            found[quantity][i], strange[quantity, i] = name, words
        elif before not in given and words == strange[quantity, i] and quantity != "t":
            raise DataError(
                f"{source}: columns '{before}' and '{name}' both look like {quantity} of"
                f" '{places[quantity][i]}'; say which with columns="
            )
    _place_numbered(numbered, found)
    return found


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
                f" among {', '.join(wanted)}"
            )
        if column not in names:
            raise DataError(
                f"{source}: columns= sends '{key}' to '{column}', which is not there; the columns"
                f" are {', '.join(map(str, names))}"
            )
        quantity, i = wanted[key]
        found[quantity][i] = column
    return set(mapping.values())


def _read(name: str, places: Mapping[str, list[str]]) -> tuple[str, int, int, bool] | None:
    """Quantity of a column, its entry, how many words of it are unknown, whether by a number."""
    text = _UNIT.sub("", name.strip()).strip().lower()
    quantity, words = _quantity(text)
    if quantity == "t":
        return ("t", 0, words, False) if words == 0 else None
    candidates = []
    for key, labels in places.items():
        for i, label in enumerate(labels):
            rest = _without(text, label.lower())
            if rest is not None:
                said, unknown = _quantity(rest)
                if said == key:
                    candidates.append((len(label), key, i, unknown))
    if candidates:  # of joint1 and joint1_2 the longer one is meant
        _, key, i, unknown = max(candidates)
        return key, i, unknown, False
    if quantity in places and len(places[quantity]) == 1:
        return quantity, 0, words, False
    match = _INDEX.match(text)
    if match:
        quantity, words = _quantity(match[1])
        if quantity in places:
            return quantity, int(match[2]), words, True
    return None


def _quantity(text: str) -> tuple[str, int]:
    """The quantity that a name without its joint says (or ""), and how many words are unknown."""
    words = [word for word in _WORDS.split(text) if word]
    told = [word for word in words if word not in _FILLERS]
    for attempt in ("".join(words), "".join(told)):
        if attempt in _QUANTITY:
            return _QUANTITY[attempt], 0
    for word in reversed(told):
        if word in _QUANTITY:
            return _QUANTITY[word], len(told) - 1
    return "", 0


def said_quantity(name: str) -> str:
    """The quantity that a name seems to speak of: t, q, v, a, tau or nothing."""
    text = _UNIT.sub("", name.strip()).strip().lower()
    match = _INDEX.match(text)
    return _quantity(text)[0] or (_quantity(match[1])[0] if match else "")


def _without(text: str, label: str) -> str | None:
    """The text without a joint's name that stands by itself in it."""
    match = re.search(rf"(?<![a-z0-9]){re.escape(label)}(?![a-z0-9])", text)
    return None if match is None else f"{text[: match.start()]} {text[match.end() :]}"


def _place_numbered(
    numbered: Mapping[str, dict[int, tuple[int, str]]], found: dict[str, list[str | None]]
) -> None:
    """Put columns with numbers in their places, if they are as many as there are places."""
    for quantity, columns in numbered.items():
        n = len(found[quantity])
        if any(x is not None for x in found[quantity]) or not columns:
            continue
        for first in (0, 1):
            if set(columns) == set(range(first, first + n)):
                found[quantity] = [columns[first + i][1] for i in range(n)]
