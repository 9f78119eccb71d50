"""Models from joint screws: the product of exponentials of Mueller and Kumar, eqs. 3 to 6.

The pose of body i is C_i = C_parent B_i exp(X_i q_i): B_i is the pose of body i in its parent at
q = 0 and X_i = (omega, v) the joint screw in body i's own frame.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from jounce.errors import ModelError, ModelWarning, explain_call, warn
from jounce.io.builder import (
    DEFAULT_GRAVITY,
    JointOptions,
    TreeBuilder,
    Vector,
    base_kind,
    floats,
    inertia_from_com,
    unique_name,
)
from jounce.model.model import Model
from jounce.model.numbers import Floats

#: A screw's direction must have unit length to this accuracy.
_UNIT = 1e-6
#: Below this, an angular part or (relative to the screw's moment) a pitch is a rounded zero.
_ZERO = 1e-12


@explain_call
def from_screws(
    X: Any,
    B: Any,
    *,
    mass: Any = None,
    com: Any = None,
    inertia: Any = None,
    parameters: Any = None,
    parents: Sequence[int] | None = None,
    joints: Sequence[JointOptions] | None = None,
    names: Sequence[str] | None = None,
    tool: Any = None,
    name: str = "robot",
    gravity: Vector = DEFAULT_GRAVITY,
    base: str = "fixed",
    source: str = "screws",
) -> Model:
    """Return a model from joint screws and home placements.

    Parameters
    ----------
    X : array_like (n, 6)
        Joint screws (omega, v) in the frames of their bodies. omega has unit length (revolute if
        omega.v = 0, else helical with pitch omega.v), or is zero with |v| = 1 (prismatic).
    B : array_like (n, 4, 4)
        Poses of the bodies in their parents at q = 0.
    mass, com, inertia : array_like (n,), (n, 3), (n, 3, 3)
        Masses in kg, centers of mass in m and inertias in kg m^2 about the center of mass, in
        body axes. Massless if neither these nor `parameters` are given.
    parameters : array_like (n, 10)
        m, h, Ixx, Iyy, Izz, Ixy, Ixz, Iyz about the body's origin, instead of these three.
    parents : sequence of int
        Index of each body's parent, -1 for the base; by default a serial chain.
    joints : sequence of mapping
        More about each joint, such as {"lower": -1, "armature": 0.1}.
    names : sequence of str
        Names of the bodies; by default link1, link2, ... Joints are called joint1, joint2, ...
    tool : array_like (4, 4)
        Pose of a frame "tool" in the last body.
    name : str
        Name of the robot.
    gravity : array_like (3,)
        Gravitational acceleration in m/s^2.
    base : {"fixed", "floating"}
        "floating" puts the tree on a massless free body "base".
    source : str
        Origin that the model records.

    Returns
    -------
    Model
        The model; `jounce.Robot` makes a robot of it.

    Raises
    ------
    ModelError
        If an array has another shape, or a screw no unit length.

    Examples
    --------
    >>> import numpy as np
    >>> import jounce
    >>> screws = [[0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0]]  # a turn about z, a slide along x
    >>> robot = jounce.Robot(jounce.from_screws(screws, np.array([np.eye(4)] * 2)))
    >>> robot.body_poses([0.0, 0.3])[1, :3, 3].tolist()
    [0.3, 0.0, 0.0]
    """
    kind = base_kind(base)
    n = _count(X)
    X, B = floats(X, (n, 6), "X"), floats(B, (n, 4, 4), "B")
    inertias = _parameters(n, mass, com, inertia, parameters)
    names = [f"link{i + 1}" for i in range(n)] if names is None else list(names)
    if len(names) != n:
        raise ModelError(f"names: expected {n} names, found {len(names)}")
    # a user's body may be called "base" too
    root = "base" if "base" not in names else unique_name("root", {*names, "tool"})
    if base == "floating":
        text = f"robot '{name}': nothing is said about the base, so its free body is massless"
        warn(f"{text} and the mass matrix may be singular", ModelWarning)
    drives = _joint_facts(n, joints)
    builder = TreeBuilder(name, gravity, source=source)
    builder.add(root, kind, joint_name=unique_name(root, {f"joint{i + 1}" for i in range(n)}))
    for i, parent in enumerate(_parents(n, parents)):
        joint, options = screw_joint(X[i], f"screw X[{i}]")
        facts: JointOptions = {**drives[i], **options}
        builder.add(
            names[i],
            joint,
            root if parent < 0 else names[parent],
            joint_name=f"joint{i + 1}",
            placement=B[i],
            inertia=inertias[i],
            **facts,
        )
    if tool is not None:
        builder.frame("tool", names[-1] if n else root, tool)
    return builder.build()


def _count(X: Any) -> int:
    """Return the number of screws."""
    if np.ndim(X) != 2 and np.size(X):
        raise ModelError(f"X: expected one screw per joint, shape (n, 6), found {np.shape(X)}")
    return len(X)


def _joint_facts(n: int, joints: Sequence[JointOptions] | None) -> list[JointOptions]:
    """Return what is said of each joint, one mapping per joint."""
    out: list[JointOptions] = [{}] * n if joints is None else list(joints)
    if len(out) != n or not all(isinstance(facts, Mapping) for facts in out):
        raise ModelError(
            f"joints: expected a list of {n} mappings such as {{'lower': -1.0}}, one per joint,"
            f" found {joints!r}"
        )
    return out


def screw_joint(screw: Any, what: str = "screw") -> tuple[str, JointOptions]:
    """Kind and options (axis, point, pitch) of the joint with the screw (omega, v), (6,)."""
    screw = floats(screw, (6,), what)
    turn = float(np.linalg.norm(screw[:3]))
    slide = float(np.linalg.norm(screw[3:]))
    if turn <= _ZERO and abs(slide - 1.0) <= _UNIT:
        return "prismatic", {"axis": screw[3:]}
    if abs(turn - 1.0) > _UNIT:
        raise ModelError(
            f"{what}: expected |omega| = 1, or omega = 0 and |v| = 1; found"
            f" |omega| = {turn:.9g}, |v| = {slide:.9g}"
        )
    omega, v = screw[:3] / turn, screw[3:] / turn
    pitch = float(omega @ v)
    options: JointOptions = {"axis": omega, "point": np.cross(omega, v)}
    if abs(pitch) <= _ZERO * max(1.0, slide):
        return "revolute", options
    return "helical", {**options, "pitch": pitch}


def _parents(n: int, parents: Sequence[int] | None) -> list[int]:
    out = list(range(-1, n - 1)) if parents is None else list(parents)
    if len(out) != n:
        raise ModelError(f"parents: expected {n} indices, found {len(out)}")
    for i, parent in enumerate(out):
        if not isinstance(parent, (int, np.integer)) or not -1 <= parent < i:
            raise ModelError(
                f"parents[{i}]: expected -1 (the base) or the index of a body before {i}, found"
                f" {parent!r}"
            )
    return [int(parent) for parent in out]


def _parameters(n: int, mass: Any, com: Any, inertia: Any, parameters: Any) -> Floats:
    """Inertial parameters (n, 10) about the body origins, from either way of giving them."""
    values = {"mass": mass, "com": com, "inertia": inertia}
    names = [name for name, value in values.items() if value is not None]
    if not names:
        return (
            np.zeros((n, 10)) if parameters is None else floats(parameters, (n, 10), "parameters")
        )
    missing = [name for name in values if name not in names]
    if parameters is not None or missing:
        listed = " and ".join(names) + (
            f" together with parameters; omit {'it' if len(names) == 1 else 'them'}, or parameters"
            if parameters is not None
            else f" without {' and '.join(missing)}"
        )
        raise ModelError(
            f"expected either mass ({n},), com ({n}, 3) and inertia ({n}, 3, 3), or parameters"
            f" ({n}, 10); found {listed}"
        )
    mass, com = floats(mass, (n,), "mass"), floats(com, (n, 3), "com")
    inertia = floats(inertia, (n, 3, 3), "inertia")
    rows = []
    for i in range(n):
        try:
            rows.append(inertia_from_com(mass[i], com[i], inertia[i]))
        except ModelError as error:
            raise ModelError(f"inertia[{i}]: {error}") from error
    return np.array(rows).reshape(n, 10)
