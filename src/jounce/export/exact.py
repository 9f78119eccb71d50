"""A robot's tree with exact numbers and symbols: what `jounce.export.sympy` runs formulas on."""

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
    """A SymPy expression as a scalar of formulas: floats it meets become exact, zeros structural.

    Formulas know a zero that may be left out by its being the float 0.0.
    """

    __slots__ = ("x",)

    #: Asked for by `math.linear.solver`.
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
        """Sine."""
        return scalar(sympy.sin(self.x))

    def cos(self) -> Any:
        """Cosine."""
        return scalar(sympy.cos(self.x))

    def sqrt(self) -> Any:
        """Square root."""
        return scalar(sympy.sqrt(self.x))

    def sign(self) -> Any:
        """Sign."""
        return scalar(sympy.sign(self.x))

    def keep(self, x: Any) -> Any:
        """x where this is positive, else 0."""
        return scalar(sympy.Piecewise((expression(x), self.x > 0), (0, True)))

    def drop(self, x: Any) -> Any:
        """0 where this is positive, else x."""
        return scalar(sympy.Piecewise((0, self.x > 0), (expression(x), True)))

    def minimum(self, other: Any) -> Any:
        """The smaller of two."""
        return scalar(sympy.Min(self.x, expression(other)))

    def maximum(self, other: Any) -> Any:
        """The larger of two."""
        return scalar(sympy.Max(self.x, expression(other)))

    @staticmethod
    def angle(y: Any, x: Any) -> Any:
        """The angle of the point (x, y)."""
        return scalar(sympy.atan2(expression(y), expression(x)))

    def diff(self, other: Exact) -> Any:
        """Partial derivative with respect to a symbol: what Lagrange's equations ask for."""
        return scalar(self.x.diff(other.x))

    def __repr__(self) -> str:
        return repr(self.x)


def scalar(x: Any) -> Any:
    """An expression or number as a scalar of formulas; zero is the float 0.0."""
    x = expression(x)
    return 0.0 if x == 0 else Exact(x)


def expression(x: Any) -> Any:
    """The SymPy expression of a scalar of formulas, or of a number, exactly."""
    if isinstance(x, Exact):
        return x.x
    if isinstance(x, (float, np.floating)):
        return exact(x)
    x = sympy.sympify(x)
    return exact(x) if x.is_Float else x


def scalars(x: Any, shape: tuple[int, ...], what: str = "") -> Array:
    """Object array of scalars, of the given shape."""
    entries = np.array(x.tolist() if hasattr(x, "tolist") else x, dtype=object)
    if entries.size != int(np.prod(shape, dtype=int)):
        raise ValueError(f"{what}: expected shape {shape}, found {entries.shape}")
    out = zeros(*shape)
    for index, entry in zip(np.ndindex(*shape), entries.flat, strict=True):
        out[index] = scalar(entry)
    return out


def _rotation(R: Any) -> Array:
    """A rotation matrix of scalars; entries whose squares are simple become square roots."""
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
    """The numbers of a model, exact, by path; each may be given as an expression.

    Paths: LINK.mass, LINK.com.x, LINK.inertia.xx (about the centre of mass, in the link's axes),
    JOINT.x (where the joint sits in its parent), JOINT.pitch, JOINT.armature, JOINT.damping,
    JOINT.friction (.0, .1, ... where a joint has several velocities), gravity.x,
    frame(NAME).x.
    """

    def __init__(self, model: Model) -> None:
        self.numbers: dict[str, Any] = {}
        put = self.numbers.__setitem__
        for body in model.bodies:
            m, *h = (exact(x) for x in body.inertia[:4])
            com = [x / m if m else x for x in h]
            about = scalars(inertia_matrix(body.inertia), (3, 3))
            # from the origin back to the centre of mass: the shift by -c of a mass at c
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
        """The number each symbol stands for, where it (or a multiple of it) is a parameter."""
        out: dict[Any, Any] = {}
        for path, value in self.values.items():
            factor, symbol = value.as_coeff_Mul()
            if symbol.is_Symbol:
                out[symbol] = self.numbers[path] / factor
        return out

    def use(self, robot: str, parameters: Mapping[str, Any]) -> None:
        """Put expressions, numbers or names of symbols in the place of numbers."""
        if not isinstance(parameters, Mapping):
            raise ModelError(
                "parameters: expected a mapping such as {'link1.mass': 'm'}, found"
                f" {parameters!r}"
            )
        for path, value in parameters.items():
            if path not in self.numbers:
                owner = path.rpartition(".")[0]
                near = [p for p in self.numbers if p.startswith(f"{owner}.")] or self.numbers
                hint = suggest(path, near)
                raise ModelError(f"robot '{robot}' has no parameter '{path}'; {hint}")
            named = isinstance(value, str)
            self.values[path] = sympy.Symbol(value) if named else expression(value)

    def vector(self, *paths: str) -> Array:
        """The parameters with these paths, as scalars."""
        return array(scalar(self.values[path]) for path in paths)

    def position(self, owner: str) -> Array:
        """OWNER.x, .y, .z."""
        return self.vector(*(f"{owner}.{axis}" for axis in _AXES))

    def drive(self, joint: str, what: str) -> Array:
        """Armature, damping or friction, one per velocity of the joint."""
        several = [path for path in self.values if path.startswith(f"{joint}.{what}.")]
        return self.vector(*(several or [f"{joint}.{what}"]))

    def armature(self, joint: Joint) -> Array:
        """Armature of a joint, under the rules that a `Joint` keeps for numbers."""
        paths = [path for path in self.values if path.startswith(f"{joint.name}.armature")]
        given = [self.values[path] for path in paths]
        problem = joint.row.armature_problem(given)
        if problem:
            found = ", ".join(f"{path} = {x}" for path, x in zip(paths, given, strict=True))
            raise ModelError(f"joint '{joint.name}': {problem}; found {found}")
        return self.drive(joint.name, "armature")

    def inertia(self, link: str) -> Array:
        """Ten parameters about the origin of the link's frame."""
        (m,) = self.vector(f"{link}.mass")
        com = self.position(f"{link}.com")
        entries = self.vector(*(f"{link}.inertia.{name}" for name in _INERTIAS))
        central = inertia_matrix(np.concatenate((zeros(4), entries)))
        about, h = shift_inertia(central, zeros(3), m, com)
        return parameters_from(m, h, about)


def symbolic_tree(model: Model, tree: Tree, data: Parameters) -> Tree:
    """The tree of a model (as `model.tree.lower`) with exact numbers and the given parameters."""
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
            own = data.inertia(model.bodies[b].name) if node.body == b else zeros(10)
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
                    inertia=moved_inertia(own, R_user, p_user),
                    R_user=R_user,
                    p_user=p_user,
                )
            )
            p0 = zeros(3)  # a joint's further motions sit where the first one does
    frames = []
    for frame, (i, R, _) in zip(model.frames, tree.frames, strict=False):
        p = data.position(f"frame({frame.name})")
        p = p if i < 0 else nodes[i].R_user @ p + nodes[i].p_user
        frames.append((i, _rotation(R), p))
    frames += tree.frames[len(frames) :]  # those of the loops
    gravity = data.position("gravity")
    return replace(tree, nodes=tuple(nodes), gravity=gravity, frames=tuple(frames))
