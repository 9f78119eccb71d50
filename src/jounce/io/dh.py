"""Models from Denavit-Hartenberg tables, standard and modified.

The body frames are the table's frames. With the rows (a, alpha, d, theta) and Rx, Tx, ... turns and
shifts about and along an axis, the pose of frame i in frame i - 1 is

    standard:  Rz(theta) Tz(d) Tx(a) Rx(alpha)        joint i is about z of frame i - 1
    modified:  Rx(alpha) Tx(a) Rz(theta) Tz(d)        joint i is about z of frame i (Craig's)

where q + offset is added to theta of revolute and to d of prismatic joints.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from jounce.errors import ModelError, explain_call, suggest
from jounce.io.builder import DEFAULT_GRAVITY, JointOptions, Vector, floats, placement
from jounce.io.screws import from_screws
from jounce.model.joints import KINDS, spellings
from jounce.model.model import Model
from jounce.model.numbers import Floats, rigid_pose

CONVENTIONS = ("standard", "modified")
#: Columns of a row.
COLUMNS = ("a", "alpha", "d", "theta")


@explain_call
def from_dh(
    rows: Sequence[Mapping[str, float] | Sequence[float]] | Floats,
    *,
    convention: str = "standard",
    kinds: str | Sequence[str] | None = None,
    offset: Vector | None = None,
    mass: Any = None,
    com: Any = None,
    inertia: Any = None,
    parameters: Any = None,
    joints: Sequence[JointOptions] | None = None,
    names: Sequence[str] | None = None,
    origin: Any = None,
    tool: Any = None,
    name: str = "robot",
    gravity: Vector = DEFAULT_GRAVITY,
    base: str = "fixed",
) -> Model:
    """Return a serial robot from a Denavit-Hartenberg table.

    Parameters
    ----------
    rows : sequence or array_like (n, 4)
        Per joint (a, alpha, d, theta) in m and rad, or a mapping with these keys; missing keys
        are 0.
    convention : {"standard", "modified"}
        Convention of the table; see `jounce.io.dh`.
    kinds : str or sequence of str
        "revolute" or "prismatic" per joint, or letters such as "RRP"; by default all revolute.
    offset : array_like (n,)
        Values that are added to q.
    mass, com, inertia : array_like (n,), (n, 3), (n, 3, 3)
        Masses in kg, centers of mass in m and inertias in kg m^2 about the center of mass, in
        the frame of each row. Massless if neither these nor `parameters` are given.
    parameters : array_like (n, 10)
        m, h, Ixx, Iyy, Izz, Ixy, Ixz, Iyz about the frame's origin, instead of these three.
    joints : sequence of mapping
        More about each joint, such as {"lower": -1, "armature": 0.1}.
    names : sequence of str
        Names of the bodies; by default link1, link2, ... Joints are called joint1, joint2, ...
    origin : array_like (4, 4)
        Pose of frame 0 in the base.
    tool : array_like (4, 4)
        Pose of a frame "tool" in the last frame.
    name : str
        Name of the robot.
    gravity : array_like (3,)
        Gravitational acceleration in m/s^2.
    base : {"fixed", "floating"}
        "floating" puts the tree on a massless free body "base".

    Returns
    -------
    Model
        The model; `jounce.Robot` makes a robot of it.

    Raises
    ------
    ModelError
        If the convention, a kind or a key is unknown, or an array has another shape.

    Examples
    --------
    >>> import jounce
    >>> rows = [{"a": 0.5, "alpha": 0.0, "d": 0.0, "theta": 0.0} for _ in range(2)]
    >>> robot = jounce.Robot(jounce.from_dh(rows, name="planar"))
    >>> robot.mass_matrix([0.0, 0.0]).shape
    (2, 2)
    """
    if convention not in CONVENTIONS:
        raise ModelError(
            f"convention: expected one of {', '.join(CONVENTIONS)}, found {convention!r}"
        )
    table = _table(rows)
    n = len(table)
    turns = _turns(kinds, n)
    shift = np.zeros(n) if offset is None else floats(offset, (n,), "offset")
    table[turns, 3] += shift[turns]
    table[~turns, 2] += shift[~turns]
    B = np.array([_pose(row, convention) for row in table]).reshape(n, 4, 4)
    X = np.array([_screw(*pair, convention) for pair in zip(table, turns, strict=True)])
    if origin is not None and n:
        B[0] = rigid_pose(origin, "origin") @ B[0]
    return from_screws(
        X.reshape(n, 6),
        B,
        mass=mass,
        com=com,
        inertia=inertia,
        parameters=parameters,
        joints=joints,
        names=names,
        tool=tool,
        name=name,
        gravity=gravity,
        base=base,
        source="dh",
    )


def _table(rows: Any) -> Floats:
    """Return the rows as an array (n, 4)."""
    if not isinstance(rows, Iterable):
        raise ModelError(f"rows: expected one row ({', '.join(COLUMNS)}) per joint, found {rows!r}")
    return np.array([_row(row, i) for i, row in enumerate(rows)]).reshape(-1, 4)


def _row(row: Mapping[str, float] | Sequence[float], i: int) -> Floats:
    what = f"rows[{i}]"
    if isinstance(row, Mapping):
        unknown = [key for key in row if key not in COLUMNS]
        if unknown:
            raise ModelError(f"{what}: unknown '{unknown[0]}'; {suggest(unknown[0], COLUMNS)}")
        row = [row.get(key, 0.0) for key in COLUMNS]
    return floats(row, (4,), f"{what} ({', '.join(COLUMNS)})")


def _turns(kinds: str | Sequence[str] | None, n: int) -> Floats:
    """Return 1 for revolute and 0 for prismatic joints, (n,)."""
    letters = spellings("dh")
    rows = {
        word.lower(): KINDS[kind] for letter, kind in letters.items() for word in (letter, kind)
    }
    words = ["R"] * n if kinds is None else list(kinds)
    if len(words) != n:
        raise ModelError(f"kinds: expected {n} kinds, found {len(words)}")
    for word in words:
        if str(word).lower() not in rows:
            choices = " or ".join(f"{kind} ({letter})" for letter, kind in letters.items())
            raise ModelError(f"kinds: expected {choices}, found {word!r}")
    return np.array([all(rows[word.lower()].turns) for word in words], dtype=bool)


def _pose(row: Floats, convention: str) -> Floats:
    a, alpha, d, theta = row
    about_z = placement((0.0, 0.0, d), (0.0, 0.0, theta))
    about_x = placement((a, 0.0, 0.0), (alpha, 0.0, 0.0))
    return about_z @ about_x if convention == "standard" else about_x @ about_z


def _screw(row: Floats, turns: bool, convention: str) -> Floats:
    """Joint screw (omega, v) in the row's own frame."""
    a, alpha = row[0], row[1]
    axis, point = np.array((0.0, 0.0, 1.0)), np.zeros(3)
    if convention == "standard":  # z of the frame before, which passes through (-a, 0, 0)
        axis, point = np.array((0.0, np.sin(alpha), np.cos(alpha))), np.array((-a, 0.0, 0.0))
    if turns:
        return np.concatenate((axis, np.cross(point, axis)))
    return np.concatenate((np.zeros(3), axis))
