"""Measurements from tables: files, mappings of columns and data frames, in any common units.

Positions of joints, and torques, are recognized as in logs for identification. Columns of what was
measured have the names below, in any case, and may state their unit: "x [mm]", "rx (deg)".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.arrays import lie
from jounce.calibration.measurements import Measurements
from jounce.errors import DataError, DataWarning, suggest, warn
from jounce.identification import data as logs
from jounce.identification import units as unit_texts

if TYPE_CHECKING:
    from jounce.robot import Robot
    from jounce.solve import Mechanism

_POSITION, _DISTANCE, _HEIGHT, _PIXEL = ("x", "y", "z"), ("distance",), ("height",), ("u", "v")

#: Columns of orientations: matrices (numbered from 0 or 1), quaternions, rotation vectors and
#: angles about fixed axes, in order of preference.
_QUATERNION, _VECTOR = ("qw", "qx", "qy", "qz"), ("rx", "ry", "rz")
_ANGLES = ("roll", "pitch", "yaw")
_MATRICES = tuple(
    tuple(f"t{i + first}{j + first}" for i in range(3) for j in range(4)) for first in (0, 1)
)
_TURNS = (_QUATERNION, _VECTOR, _ANGLES)

#: Columns of kinds with one spelling.
_SINGLE = {"distance": _DISTANCE, "plane": _HEIGHT, "pixel": _PIXEL}

#: Beginnings of the names of torques.
_TORQUES = ("tau", "torque", "effort")

_EXPECTED = (
    "expected columns x, y, z and/or an orientation (qw, qx, qy, qz, or rx, ry, rz of rotation"
    " vectors, or roll, pitch, yaw), T00 to T23 of matrices, distance, height, or u, v"
)

#: Maximum number of rows per piece, and of rows named in a warning.
_CHUNK, _MAX_NAMED = 50_000, 5


def read_measurements(
    data: Any,
    robot: Robot | Mechanism,
    frame: str | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    units: Mapping[str, str] | None = None,
    degrees: bool = False,
    **options: Any,
) -> Measurements:
    """Read measurements of one sensor from a file or a table.

    Parameters
    ----------
    data : path, mapping or data frame
        A .csv, .tsv, .npz or .parquet file, a mapping of columns (n,), or a data frame. Columns:
        positions of the joints and torques as in `jounce.identification.read_log` (``q_<joint>``,
        ``tau_<joint>``), and what was measured. That is x, y, z in m; an orientation qw, qx, qy, qz
        (quaternion), rx, ry, rz (rotation vector) or roll, pitch, yaw (about fixed axes, as in
        URDF) in rad; T00 to T23 (rows of a homogeneous matrix, also numbered from 1); distance or
        height in m; or u, v in pixels. Names may end in a unit: ``x [mm]``, ``q_elbow (deg)``.
    robot : Robot or Mechanism
        The robot. For a mechanism, positions of the independent joints suffice.
    frame : str, optional
        Frame that has the marker; by default the last one that most joints move.
    columns : mapping of str to str, optional
        Names above to names in the data: ``{"x": "tcp_x", "q_elbow": "Axis 3"}``.
    units : mapping of str to str, optional
        Units of columns whose names contain none: ``{"q": "deg", "x": "mm"}``; "x", "rx" and
        "roll" mean all three columns.
    degrees : bool
        Angles are in degrees.
    **options
        Further arguments of `Measurements`, which may contain `kind`.

    Returns
    -------
    Measurements
        Rows with missing values are left out, with a warning; `rows` are the numbers of the others.

    Raises
    ------
    DataError
        If the data cannot be read, or a column is missing.

    Examples
    --------
    >>> import jounce, numpy as np
    >>> from jounce.calibration import read_measurements
    >>> robot, zeros = jounce.load("planar_2r"), np.zeros(5)
    >>> columns = {"q_joint1": zeros, "q_joint2": zeros, "x [mm]": zeros + 700, "y": zeros}
    >>> data = read_measurements({**columns, "z": zeros}, robot, "link2")
    >>> data.kind, data.values[0].round(3).tolist()
    ('position', [0.7, 0.0, 0.0])
    """
    table = logs.open_data(data)
    names = _column_names(table.names, table.source, columns or {})
    of_robot = {k: x for k, x in (columns or {}).items() if k not in _known_names()}
    of_joints = {k: x for k, x in (units or {}).items() if k.lower() not in _known_names()}
    torques = any(name.lower().startswith(_TORQUES) for name in (*table.names, *of_robot))
    log = logs.read_log(
        data, robot, columns=of_robot, units=of_joints, degrees=degrees, torques=torques
    )
    reader = _Columns(table, names, {k.lower(): x for k, x in (units or {}).items()}, degrees)
    kind, values = _read_values(reader, options.pop("kind", None))
    pieces = list(log.read(_CHUNK))
    q = np.concatenate([piece["q"] for piece in pieces])
    tau = np.concatenate([piece["tau"] for piece in pieces]) if torques else None
    arrays = [x.reshape(len(q), -1) for x in (q, values, tau) if x is not None]
    kept = np.asarray(np.isfinite(np.concatenate(arrays, axis=1)).all(axis=1))
    _warn_missing(table.source, kept)
    options.setdefault("rows", np.flatnonzero(kept))
    return Measurements(
        kind,
        frame or default_frame(robot),
        q[kept],
        None if values is None else values[kept],
        tau=None if tau is None else tau[kept],
        **options,
    )


def default_frame(robot: Robot | Mechanism) -> str:
    """Return the last frame that most joints move."""
    model = robot.model
    depths: list[int] = []
    for joint in model.joints:
        above = depths[joint.parent] if joint.parent >= 0 else 0
        depths.append(above + 1)
    frames = [(depths[f.body] if f.body >= 0 else 0, k) for k, f in enumerate(model.frames)]
    return model.frame_names[max(frames)[1]]


def _known_names() -> set[str]:
    single = (_POSITION, *_TURNS, *_SINGLE.values(), *_MATRICES)
    return {name for names in single for name in names}


def _column_names(names: Sequence[str], source: str, columns: Mapping[str, str]) -> dict[str, str]:
    """Return the columns of the data by the names of this file."""
    known, out = _known_names(), {}
    for name in names:
        plain = unit_texts.split_unit(name.strip()).name.strip().lower()
        for key in (name.strip().lower(), plain):
            if key in known:
                out.setdefault(key, name)
                break
    for key, name in columns.items():
        if key.lower() in known:
            if name not in names:
                raise DataError(f"{source}: columns: '{key}': {suggest(name, names)}")
            out[key.lower()] = name
    return out


class _Columns:
    """Columns of a table by the names of this file, in SI units."""

    def __init__(
        self, table: Any, names: Mapping[str, str], units: Mapping[str, str], degrees: bool
    ) -> None:
        self._table, self._names = table, names
        self._units, self._degrees = units, degrees
        self.source: str = table.source

    def has(self, names: Sequence[str]) -> bool:
        """Return whether there are all of some columns; refuse some of several."""
        found = [name in self._names for name in names]
        if any(found) and not all(found) and names != _PIXEL:
            missing = ", ".join(n for n, yes in zip(names, found, strict=True) if not yes)
            raise DataError(
                f"{self.source}: found columns {', '.join(n for n in names if n in self._names)}"
                f" but not {missing}; add them, or rename columns with columns="
            )
        return all(found)

    def explain(self) -> DataError:
        """Return the error if nothing was measured."""
        found = ", ".join(self._table.names)
        return DataError(f"{self.source}: {_EXPECTED}, found {found}")

    def convert(self, names: Sequence[str], unit: str = "") -> np.ndarray:
        """Return columns (n, k) in m or rad, or as they are."""
        columns = [self._names[name] for name in names]
        x = np.concatenate(list(self._table.pieces(columns, _CHUNK)))
        if not unit:
            return x
        angle = unit == "rad"
        (wanted,) = {meaning.dimension for meaning in unit_texts.parse(unit)}
        options = unit_texts.UnitOptions(self._units, self._degrees and angle, 1.0, 1.0)
        factors = []
        for name, column in zip(names, columns, strict=True):
            option = options.factor((name, names[0]), wanted)
            where = f"{self.source}: column '{column}'"
            stated = unit_texts.split_unit(column)
            factors.append(unit_texts.column_factor(where, stated, wanted, option))
        return x * factors


def _read_values(columns: _Columns, kind: Any) -> tuple[Any, np.ndarray | None]:
    """Return the kind and the values of what was measured."""
    if kind in _SINGLE or kind is None:
        for name, need in _SINGLE.items():
            if kind in (name, None) and columns.has(need):
                values = columns.convert(need, "" if name == "pixel" else "m")
                return name, values[:, 0] if name != "pixel" else values
        if kind == "plane":
            return kind, None
        if kind is not None:
            raise columns.explain()
    matrix = _MATRICES[0 if columns.has(("t00",)) else 1]  # numbered from 0 or 1
    if kind != "position" and columns.has(matrix):
        T = columns.convert(matrix).reshape(-1, 3, 4)
        T[:, :, 3] = columns.convert(matrix[3::4], "m")
        if kind == "orientation":
            return kind, T[:, :, :3]
        return "pose", np.concatenate((T, np.tile((0.0, 0.0, 0.0, 1.0), (len(T), 1, 1))), axis=1)
    turns = None if kind == "position" else _read_turns(columns)
    place = None
    if kind != "orientation" and columns.has(_POSITION):
        place = columns.convert(_POSITION, "m")
    if place is None or turns is None:
        found = "position" if turns is None else "orientation"
        values = place if turns is None else turns
        if values is None and kind == "position":
            return kind, None
        if values is None or kind not in (None, found):
            raise columns.explain()
        return found, values
    return "pose", np.concatenate((place, turns), axis=1)


def _read_turns(columns: _Columns) -> np.ndarray | None:
    """Return orientations as quaternions (n, 4); None if there are none."""
    if columns.has(_QUATERNION):
        return columns.convert(_QUATERNION)
    if columns.has(_VECTOR):
        return np.asarray(
            lie.quaternion.from_rotation(lie.so3.exp(columns.convert(_VECTOR, "rad")))
        )
    if not columns.has(_ANGLES):
        return None
    x = columns.convert(_ANGLES, "rad")
    R = np.eye(3)
    for k in (2, 1, 0):
        R = R @ np.asarray(lie.so3.exp(x[:, k, None] * np.eye(3)[k]))
    return np.asarray(lie.quaternion.from_rotation(R))


def _warn_missing(source: str, kept: np.ndarray) -> None:
    lost = np.flatnonzero(~kept)
    if len(lost) == len(kept):
        raise DataError(f"{source}: expected rows without missing values, found none")
    if len(lost):
        rows = ", ".join(map(str, lost[:_MAX_NAMED])) + (", ..." if len(lost) > _MAX_NAMED else "")
        warn(
            f"{source}: {len(lost)} of {len(kept)} rows are left out, since values are missing:"
            f" rows {rows}, counted from 0",
            DataWarning,
        )
