"""Trees with exact numbers and symbols, on which `jounce.export.sympy` runs formulas."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import sympy

from jounce.errors import ModelError, suggest
from jounce.export.trigonometry import exact
from jounce.math import (
    INERTIA_ENTRIES,
    Array,
    array,
    inertia_matrix,
    parameters_from,
    shift_inertia,
    zeros,
)
from jounce.model import DRIVES, Joint, Model, Node, Tree, moved_inertia

_AXES = "xyz"
_INERTIAS = ("xx", "yy", "zz", "xy", "xz", "yz")


# ------------------------------------------------------------------ exact scalars


class Exact:
    """A SymPy expression as a scalar of formulas.

    Floats become exact numbers, and zeros the float 0.0, which formulas drop as a structural zero,
    so "scalar" means an `Exact` or 0.0 below.
    """

    __slots__ = ("x",)

    #: Read by `math.linear.solver`, which then solves without pivoting on magnitudes.
    symbolic = True

    def __init__(self, x: Any) -> None:
        self.x = x

    def __add__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: b - a)

    def __mul__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a / b)

    def __rtruediv__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: b / a)

    def __neg__(self) -> Any:
        return Exact(-self.x)

    def __pos__(self) -> Any:
        return self

    def __pow__(self, exponent: int) -> Any:
        return Exact(self.x**exponent)

    def _with(self, other: Any, operation: Callable[[Any, Any], Any]) -> Any:
        if isinstance(other, Exact):
            return scalar(operation(self.x, other.x))
        if isinstance(other, (int, float, sympy.Expr)):
            return scalar(operation(self.x, expression(other)))
        return NotImplemented

    def sin(self) -> Any:
        """Return the sine, for NumPy's function of that name.

        Returns
        -------
        scalar
        """
        return scalar(sympy.sin(self.x))

    def cos(self) -> Any:
        """Return the cosine, for NumPy's function of that name.

        Returns
        -------
        scalar
        """
        return scalar(sympy.cos(self.x))

    def sqrt(self) -> Any:
        """Return the square root, for NumPy's function of that name.

        Returns
        -------
        scalar
        """
        return scalar(sympy.sqrt(self.x))

    def sign(self) -> Any:
        """Return the sign, for NumPy's function of that name.

        Returns
        -------
        scalar
        """
        return scalar(sympy.sign(self.x))

    def keep(self, x: Any) -> Any:
        """Return x where this scalar is positive, else 0.

        Parameters
        ----------
        x : scalar

        Returns
        -------
        scalar
        """
        return scalar(sympy.Piecewise((expression(x), self.x > 0), (0, True)))

    def drop(self, x: Any) -> Any:
        """Return 0 where this scalar is positive, else x.

        Parameters
        ----------
        x : scalar

        Returns
        -------
        scalar
        """
        return scalar(sympy.Piecewise((0, self.x > 0), (expression(x), True)))

    def minimum(self, other: Any) -> Any:
        """Return the minimum of this scalar and another.

        Parameters
        ----------
        other : scalar

        Returns
        -------
        scalar
        """
        return scalar(sympy.Min(self.x, expression(other)))

    def maximum(self, other: Any) -> Any:
        """Return the maximum of this scalar and another.

        Parameters
        ----------
        other : scalar

        Returns
        -------
        scalar
        """
        return scalar(sympy.Max(self.x, expression(other)))

    @staticmethod
    def angle(y: Any, x: Any) -> Any:
        """Return the polar angle of the point (x, y), atan2(y, x), in rad.

        Parameters
        ----------
        y, x : scalar

        Returns
        -------
        scalar
        """
        return scalar(sympy.atan2(expression(y), expression(x)))

    def diff(self, other: Exact) -> Any:
        """Return the partial derivative with respect to a symbol.

        Parameters
        ----------
        other : Exact
            A symbol.

        Returns
        -------
        scalar
        """
        return scalar(self.x.diff(other.x))

    def __repr__(self) -> str:
        return repr(self.x)


def scalar(x: Any) -> Any:
    """Convert an expression or number to a scalar of formulas.

    Parameters
    ----------
    x : expression, number or Exact

    Returns
    -------
    Exact or float
        The float 0.0 for zero.
    """
    x = expression(x)
    return 0.0 if x == 0 else Exact(x)


def expression(x: Any) -> Any:
    """Convert a scalar of formulas or a number to an exact SymPy expression.

    Parameters
    ----------
    x : expression, number or Exact

    Returns
    -------
    sympy.Expr
        Floats become the rational numbers that they round.
    """
    if isinstance(x, Exact):
        return x.x
    if isinstance(x, (float, np.floating)):
        return exact(x)
    x = sympy.sympify(x)
    return exact(x) if x.is_Float else x


def scalars(x: Any, shape: tuple[int, ...], what: str = "") -> Array:
    """Convert expressions to an object array of scalars.

    Parameters
    ----------
    x : array_like or sympy.Matrix
        Expressions and numbers, in row-major order.
    shape : tuple of int
    what : str
        Name of the argument in error messages.

    Returns
    -------
    ndarray of object
    """
    entries = np.array(x.tolist() if hasattr(x, "tolist") else x, dtype=object)
    if entries.size != int(np.prod(shape, dtype=int)):
        raise ValueError(f"{what}: expected shape {shape}, found {entries.shape}")
    out = zeros(*shape)
    for index, entry in zip(np.ndindex(*shape), entries.flat, strict=True):
        out[index] = scalar(entry)
    return out


def _rotation(R: Any) -> Array:
    """Convert a rotation matrix; entries with a simple rational square become square roots."""
    out = zeros(3, 3)
    for index in np.ndindex(3, 3):
        value = float(R[index])
        square = round(64 * 27 * 25 * value * value)
        root = sympy.sign(square) * sympy.sqrt(sympy.Rational(square, 64 * 27 * 25))
        close = abs(abs(value) - float(root)) <= 4e-16 and square != 0
        out[index] = scalar((root if value > 0 else -root) if close else value)
    return out


# ------------------------------------------------------------------ parameters


class Parameters:
    """Exact parameters of a model by path; each can be replaced by an expression.

    Paths: LINK.mass, LINK.com.x, LINK.inertia.xx (about the center of mass, in the link's axes),
    JOINT.x (the joint's position in its parent), JOINT.pitch, JOINT.armature, and so on for all
    names of `jounce.model.DRIVES` (.0, .1, ... if a joint has several velocities), gravity.x,
    frame(NAME).x.

    Parameters
    ----------
    model : Model
    """

    def __init__(self, model: Model) -> None:
        self.numbers: dict[str, Any] = {}
        put = self.numbers.__setitem__
        for body in model.bodies:
            m, *h = (exact(x) for x in body.inertia[:4])
            com = [x / m if m else x for x in h]
            about = scalars(inertia_matrix(body.inertia), (3, 3))
            # from the origin back to the center of mass: shift a mass at c by -c
            back = array(scalar(-x) for x in com)
            moment = scalars(h, (3,))
            about, _ = shift_inertia(about, moment, scalar(m), back)
            put(f"{body.name}.mass", m)
            for axis, x in zip(_AXES, com, strict=True):
                put(f"{body.name}.com.{axis}", x)
            for name, index in zip(_INERTIAS, INERTIA_ENTRIES, strict=True):
                put(f"{body.name}.inertia.{name}", expression(about[index]))
        for joint in model.joints:
            for axis, x in zip(_AXES, joint.placement[:3, 3], strict=True):
                put(f"{joint.name}.{axis}", exact(x))
            if joint.row.pitched:
                put(f"{joint.name}.pitch", exact(joint.pitch))
            for what in DRIVES:
                for i, x in enumerate(getattr(joint, what)):
                    suffix = f".{i}" if joint.nv > 1 else ""
                    put(f"{joint.name}.{what}{suffix}", exact(x))
        for axis, x in zip(_AXES, model.gravity, strict=True):
            put(f"gravity.{axis}", exact(x))
        for frame in model.frames:
            for axis, x in zip(_AXES, frame.placement[:3, 3], strict=True):
                put(f"frame({frame.name}).{axis}", exact(x))
        self.values = dict(self.numbers)

    @property
    def symbols(self) -> dict[Any, Any]:
        """The number of each symbol that is a parameter, or a multiple of which is one."""
        out: dict[Any, Any] = {}
        for path, value in self.values.items():
            factor, symbol = value.as_coeff_Mul()
            if symbol.is_Symbol:
                out[symbol] = self.numbers[path] / factor
        return out

    def use(self, robot: str, parameters: Mapping[str, Any]) -> None:
        """Replace numbers by expressions.

        Parameters
        ----------
        robot : str
            Name of the robot in error messages.
        parameters : mapping
            Expressions, numbers or names of symbols by path.

        Raises
        ------
        ModelError
            If `parameters` is no mapping or has an unknown path.
        """
        if not isinstance(parameters, Mapping):
            raise ModelError(
                "parameters: expected a mapping such as {'link1.mass': 'm'}, found"
                f" {parameters!r}"
            )
        for path, value in parameters.items():
            if path not in self.numbers:
                owner = path.rpartition(".")[0]
                similar = [p for p in self.numbers if p.startswith(f"{owner}.")] or self.numbers
                hint = suggest(path, similar)
                raise ModelError(f"robot '{robot}' has no parameter '{path}'; {hint}")
            named = isinstance(value, str)
            self.values[path] = sympy.Symbol(value) if named else expression(value)

    def vector(self, *paths: str) -> Array:
        """Return the parameters with these paths.

        Parameters
        ----------
        *paths : str

        Returns
        -------
        ndarray of scalars (n,)
        """
        return array(scalar(self.values[path]) for path in paths)

    def position(self, owner: str) -> Array:
        """Return the parameters OWNER.x, .y and .z.

        Parameters
        ----------
        owner : str
            A joint, LINK.com, "gravity" or frame(NAME).

        Returns
        -------
        ndarray of scalars (3,)
        """
        return self.vector(*(f"{owner}.{axis}" for axis in _AXES))

    def drive(self, joint: str, what: str) -> Array:
        """Return the armature or another number of a joint, one per velocity.

        Parameters
        ----------
        joint : str
            Name of the joint.
        what : str
            A name of `jounce.model.DRIVES`, such as "damping".

        Returns
        -------
        ndarray of scalars (nv,)
        """
        per_velocity = [path for path in self.values if path.startswith(f"{joint}.{what}.")]
        return self.vector(*(per_velocity or [f"{joint}.{what}"]))

    def armature(self, joint: Joint) -> Array:
        """Return the armature of a joint, checked as `Joint` checks numbers.

        Parameters
        ----------
        joint : Joint

        Returns
        -------
        ndarray of scalars (nv,)
        """
        paths = [path for path in self.values if path.startswith(f"{joint.name}.armature")]
        values = [self.values[path] for path in paths]
        problem = joint.row.armature_problem(values)
        if problem:
            assignments = ", ".join(f"{path} = {x}" for path, x in zip(paths, values, strict=True))
            raise ModelError(f"joint '{joint.name}': {problem}; found {assignments}")
        return self.drive(joint.name, "armature")

    def inertia(self, link: str) -> Array:
        """Return the ten inertial parameters of a link.

        Parameters
        ----------
        link : str
            Name of the link.

        Returns
        -------
        ndarray of scalars (10,)
            (m, m c, Ixx, Iyy, Izz, Ixy, Ixz, Iyz) about the origin of the link's frame.
        """
        (m,) = self.vector(f"{link}.mass")
        com = self.position(f"{link}.com")
        entries = self.vector(*(f"{link}.inertia.{name}" for name in _INERTIAS))
        central = inertia_matrix(np.concatenate((zeros(4), entries)))
        about, h = shift_inertia(central, zeros(3), m, com)
        return parameters_from(m, h, about)


def symbolic_tree(model: Model, tree: Tree, data: Parameters) -> Tree:
    """Return the tree of a model with exact numbers and the given parameters.

    Parameters
    ----------
    model : Model
    tree : Tree
        That of `jounce.model.lower(model)`.
    data : Parameters

    Returns
    -------
    Tree
    """
    nodes: list[Node] = []
    for b, joint in enumerate(model.joints):
        point = scalars(joint.point, (3,))
        p0 = data.position(joint.name) + _rotation(joint.placement[:3, :3]) @ point
        if joint.parent >= 0:
            parent = nodes[tree.node_of_body[joint.parent]]
            p0 = parent.R_user @ p0 + parent.p_user
        for part in joint.row.parts:
            node = tree.nodes[len(nodes)]
            R_user = _rotation(node.R_user)
            p_user = -(R_user @ point)
            inertia = data.inertia(model.bodies[b].name) if node.body == b else zeros(10)
            pitch = data.vector(f"{joint.name}.pitch")[0] if part.motion.pitched else 0.0
            nodes.append(
                replace(
                    node,
                    R0=_rotation(node.R0),
                    p0=p0,
                    pitch=pitch,
                    S=part.motion.subspace(pitch),
                    armature=data.armature(joint)[part.v],
                    **{what: data.drive(joint.name, what)[part.v] for what in DRIVES[1:]},
                    inertia=moved_inertia(inertia, R_user, p_user),
                    R_user=R_user,
                    p_user=p_user,
                )
            )
            p0 = zeros(3)  # further motions of a joint have the origin of the first
    frames = []
    for frame, (i, R, _) in zip(model.frames, tree.frames, strict=False):
        p = data.position(f"frame({frame.name})")
        p = p if i < 0 else nodes[i].R_user @ p + nodes[i].p_user
        frames.append((i, _rotation(R), p))
    frames += tree.frames[len(frames) :]  # frames of the loops
    gravity = data.position("gravity")
    return replace(tree, nodes=tuple(nodes), gravity=gravity, frames=tuple(frames))
