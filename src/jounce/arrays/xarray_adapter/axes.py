"""Names of the axes of quantities, and labels of the entries along them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from jounce.arrays.tables import parameter_labels
from jounce.catalog.charts import Shape
from jounce.model.inertia.parameters import PARAMETERS

#: Labels along an axis.
Labels = tuple[str, ...]

#: Components of twists, wrenches (moment, force), momenta and displacements, angular first.
_COMPONENTS = tuple(f"{part}_{axis}" for part in ("angular", "linear") for axis in "xyz")

#: Contact forces, one for each direction that a contact can lock.
_FORCES = ("mx", "my", "mz", "fx", "fy", "fz")

#: Drive parameters after the inertial ones, in the columns of extended regressors.
_DRIVES = ("armature", "damping", "friction")


class Axis(NamedTuple):
    """An axis of a quantity."""

    name: str
    #: Length, if known.
    size: int | None
    #: Labels of the entries.
    labels: Labels | None = None
    #: Other accepted names of the dimension in arguments.
    also: tuple[str, ...] = ()


class _Kind(NamedTuple):
    """Names of the axes of one size, their labels, and other accepted names in arguments."""

    names: tuple[str, ...]
    labels: Callable[[Any], Iterable[str]] | None = None
    also: tuple[str, ...] = ()


def _robot_parameters(system: Any) -> Iterable[str]:
    drives = (f"{name}[{joint}]" for name in _DRIVES for joint in system.labels("t"))
    return (*parameter_labels(system.model), *drives)


def _contact_rows(system: Any) -> Iterable[str]:
    for contact in system.contacts:
        for force, locked in zip(_FORCES, contact.locked, strict=True):
            if locked:
                yield f"{contact.name}_{force}"


def _derivatives(variables: str) -> Callable[[Any], Iterable[str]]:
    """Label derivatives by several variables, each along the velocities."""
    return lambda system: (f"{x}_{name}" for x in variables for name in system.labels("v"))


#: Kinds of axes by their sizes in the catalog's shapes.
_KINDS: dict[int | str, _Kind] = {
    "nv": _Kind(("joint",), lambda system: system.labels("v")),
    "nq": _Kind(("coordinate",), lambda system: system.labels("q"), also=("joint",)),
    "nt": _Kind(("tree_joint",), lambda system: system.labels("t"), also=("joint",)),
    "np": _Kind(
        ("passive_joint",),
        lambda system: (x for x in system.labels("t") if x not in system.labels("v")),
    ),
    "nb": _Kind(("body",), lambda system: (body.name for body in system.model.bodies)),
    "10nb": _Kind(("body_parameter",), lambda system: parameter_labels(system.model)),
    "10nb+3nt": _Kind(("robot_parameter",), _robot_parameters),
    "2nv": _Kind(("state",), _derivatives("qv")),
    "3nv": _Kind(("motion",), _derivatives("qva")),
    "nl": _Kind(("loop_row",)),
    "loops": _Kind(("loop",), lambda system: (loop.name for loop in system.model.loops)),
    "nk": _Kind(("contact",), lambda system: system.contact_names),
    "nc": _Kind(("contact_row",), _contact_rows),
    "time": _Kind(("time",)),
    3: _Kind(("axis",), lambda system: "xyz"),
    4: _Kind(("row", "column")),
    "quaternion": _Kind(("quaternion",), lambda system: "wxyz"),
    6: _Kind(("component",), lambda system: _COMPONENTS),
    10: _Kind(("parameter",), lambda system: PARAMETERS),
}

#: Axes of other sizes, in quantities added by users.
_OTHER = _Kind(("entry",))


def system_of(owner: Any) -> Any:
    """Return the robot, mechanism or contacts that an owner of quantities belongs to.

    Groups of `jounce.lie` are returned as they are.
    """
    while not getattr(owner, "is_system", False) and hasattr(owner, "robot"):
        owner = owner.robot
    return owner


def axes(owner: Any, shape: Shape, all_joints: bool = False) -> tuple[Axis, ...]:
    """Return the axes of a catalog shape for an owner of quantities.

    Axes of the same name are numbered: joint, joint_2, joint_3. all_joints: whether nv counts all
    joints of a mechanism's tree.
    """
    system, counts = system_of(owner), Counter[str]()
    result: list[Axis] = []
    for n in shape:
        kind = _KINDS.get("nt" if all_joints and n == "nv" else n, _OTHER)
        if n == 4 and shape.count(4) == 1:
            kind = _KINDS["quaternion"]
        labels = None if kind.labels is None else tuple(kind.labels(system))
        names, also = kind.names, kind.also
        if n in ("nq", "nt") and not all_joints and labels == tuple(system.labels("v")):
            names, also = (
                _KINDS["nv"].names,
                kind.names,
            )  # one entry per joint, named as for velocities
        taken = counts[names[0]]
        counts[names[0]] += 1
        name = names[taken] if taken < len(names) else f"{names[0]}_{taken + 1}"
        size = n if isinstance(n, int) else owner.sizes.get(n)
        result.append(Axis(name, size, labels, () if taken else also))
    return tuple(result)
