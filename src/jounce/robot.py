"""The robot as users meet it: quantities that are callables, frames, and its configurations."""

from __future__ import annotations

import difflib
import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType, MethodType
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from jounce import io, joints, memory, threads
from jounce.backends.gufunc import NotCompiled
from jounce.elastic import ElasticMotion, elastic_inverse_dynamics
from jounce.errors import ModelError
from jounce.formulas.catalog import (
    FRAME,
    ROBOT,
    Row,
    argument,
    derivative_names,
    derivative_row,
    describe,
    time_row,
)
from jounce.kernels import Kernel, Lowered, core_shape
from jounce.math.lie import quaternion_normalise
from jounce.model import Joint, Model
from jounce.topology import Tree, lower

if TYPE_CHECKING:
    from jounce.interop.casadi import CasadiRobot
    from jounce.interop.sympy import SymbolicRobot
    from jounce.papers.jain_rodriguez import SpatialOperators

#: Operations a thread must be worth; below, a batch stays on the caller's thread.
_OPERATIONS_PER_THREAD = 4_000_000


#: What NumPy's gufuncs take by name.
_UFUNC_OPTIONS = ("out", "dtype", "casting", "order", "subok", "axes", "axis", "signature")

#: A quantity's name as a string: [frame(NAME).]quantity[.derivative | .rates(K)].
_NAME = re.compile(
    r"(?:frame\((?P<frame>.+)\)\.)?(?P<quantity>\w+)"
    r"(?:\.rates\((?P<order>\d+)\)|\.(?P<derivative>\w+))?"
)


class Evaluable:
    """A row of the catalog on a robot, as a callable on arrays; leading axes broadcast."""

    _direct = True  # whether single samples may bypass __call__

    def __init__(self, owner: str, row: Row, robot: Robot, frame: int | None = None) -> None:
        self._owner = owner
        self._title = f"{owner}.{row.name}"
        self._row = row
        self._robot = robot
        self._frame = frame
        self._use(Kernel(row, robot.tree, robot.sizes, frame))

    def _use(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self._ufunc = kernel.ufunc
        self._large = 1 << 62  # argument size of a large batch; known once compiled
        kind = type(self)
        shortcut = None
        if self._direct:
            shortcut = kernel.shortcut(MethodType(kind.__call__, self))
        if shortcut is not None:  # a class of its own, since Python looks up calls on the class
            members = {"__call__": shortcut, "__doc__": kind.__doc__, "__module__": __name__}
            object.__setattr__(self, "__class__", type(kind.__name__, (kind,), members))

    def __call__(self, *args: ArrayLike, **options: Any) -> Any:
        """Evaluate. Options: wrenches= where the quantity takes them, out=, and NumPy's others.

        Arguments may have leading batch axes, which broadcast. float64 gives float64, float32
        gives float32.
        """
        try:
            for x in args:
                if getattr(x, "size", 0) >= self._large:
                    cores = (self.kernel.inputs, self.kernel.outputs)
                    return threads.call(self._ufunc, args, options, *cores)
            return self._ufunc(*args, **options)
        except NotCompiled as missing:
            self._compile(str(missing))
        except MemoryError as error:
            raise MemoryError(self._too_large()) from error
        except (TypeError, ValueError) as error:
            call, args, options = self._by_name(args, options)
            if call is None:
                self._explain(args, options, error)
                raise
            return call(*args, **options)
        return self(*args, **options)

    def _compile(self, char: str) -> None:
        self.kernel.compile(char)
        kernel = self.kernel
        worth_threads = 2 * max(_OPERATIONS_PER_THREAD // max(len(kernel.tape), 1), 64)
        result_bytes = 8 * sum(math.prod(shape) for shape in kernel.outputs)
        samples = min(worth_threads, memory.SMALLEST // result_bytes)
        self._large = samples * min(math.prod(shape) for shape in kernel.inputs)

    # -------------------------------------------------------------- arguments

    def _by_name(
        self, args: tuple[Any, ...], options: dict[str, Any]
    ) -> tuple[Evaluable | None, tuple[Any, ...], dict[str, Any]]:
        """Arguments given by name put in their place, and which quantity to call with them."""
        row = self._row
        named = {k: x for k, x in options.items() if k in row.arguments or k in row.optional}
        if not named:
            return None, args, options
        rest = {k: x for k, x in options.items() if k not in named}
        positional = list(args)
        for name in row.arguments[len(args) :]:
            if name not in named:
                raise TypeError(f"{self._title}: argument '{name}' is missing")
            positional.append(named.pop(name))
        for name in row.arguments:
            if name in named:
                raise TypeError(f"{self._title}: argument '{name}' is given twice")
        if all(named.get(name) is None for name in row.optional):
            return self, tuple(positional), rest
        extra = []
        for name in row.optional:  # what is not given is zero, and does not decide the dtype
            value = named.get(name)
            core = core_shape(argument(name).shape, self._robot.sizes)
            extra.append(np.zeros(core, np.float32) if value is None else value)
        return self._with_optional, (*positional, *extra), rest

    @cached_property
    def _with_optional(self) -> Evaluable:
        """The same quantity with its optional arguments as further positional ones."""
        variant: Evaluable = object.__new__(type(self).__bases__[0])
        variant.__dict__.update(self.__dict__)
        variant._use(Kernel(self._row, self._robot.tree, self._robot.sizes, self._frame, True))
        return variant

    def _explain(self, args: tuple[Any, ...], options: dict[str, Any], error: Exception) -> None:
        """Raise an error that names the argument at fault, if one is."""
        kernel = self.kernel
        names = kernel.arguments
        wrong = [name for name in options if name not in _UFUNC_OPTIONS]
        if wrong:
            known = (*names, *self._row.optional, *_UFUNC_OPTIONS)
            raise TypeError(
                f"{self._title} takes no '{wrong[0]}'; valid names: {', '.join(known)}"
            ) from error
        counts = (len(names), len(names) + len(kernel.outputs))
        if len(args) not in counts and not (set(options) - {"out"}):
            wanted = ", ".join(names)
            raise TypeError(
                f"{self._title} takes ({wanted}), found {len(args)} arguments"
            ) from error
        for name, core, given in zip(names, kernel.inputs, args, strict=False):
            try:
                array = np.asarray(given)
            except ValueError:
                raise ValueError(f"{self._title}: argument '{name}' is not an array") from error
            if array.dtype.kind not in "fiub" or array.dtype.itemsize > 8:
                raise TypeError(
                    f"{self._title}: argument '{name}' must be real float64 or float32,"
                    f" found {array.dtype}"
                ) from error
            if array.shape[max(array.ndim - len(core), 0) :] != core:
                wanted = ", ".join(map(str, core))
                raise ValueError(
                    f"{self._title}: argument '{name}' must have shape (..., {wanted}),"
                    f" found {array.shape}"
                ) from error

    def _too_large(self) -> str:
        """What to say when a result does not fit in memory."""
        each = 8 * sum(math.prod(shape) for shape in self.kernel.outputs)
        message = f"{self._title}: the result takes {each:,} bytes per sample in float64"
        if self._row.name.startswith("inverse_dynamics.d"):
            message += "; inverse_dynamics.hessian(q, v, a, lam) contracts it to a matrix"
        return message + "; pass smaller batches, or out= on a memory map"

    # -------------------------------------------------------------- looking inside

    @property
    def ufunc(self) -> np.ufunc:
        """The NumPy gufunc, ready for both dtypes."""
        for char in "fd":
            self.kernel.compile(char)
        return self._ufunc

    def warmup(self, dtype: DTypeLike = np.float64) -> Evaluable:
        """Compile now rather than at the first call; returns the quantity itself."""
        self._compile(_checked_dtype(dtype).char)
        return self

    def lower(self, dtype: DTypeLike = np.float64) -> Lowered:
        """Operation counts and LLVM text of the quantity on this robot."""
        return self.kernel.lower(_checked_dtype(dtype))

    def __reduce__(self) -> Any:
        frames = self._robot.model.frames
        frame = None if self._frame is None else frames[self._frame].name
        return _restored, (self._robot, frame, self._row.name)

    def __repr__(self) -> str:
        kernel = self.kernel
        inputs = ", ".join(
            f"{name}[{'x'.join(map(str, shape))}]"
            for name, shape in zip(kernel.arguments, kernel.inputs, strict=True)
        )
        outputs = ", ".join(map(str, kernel.outputs))
        return f"<{self._title}({inputs}) -> {outputs}: {self._row.doc}>"


class Quantity(Evaluable):
    """A quantity of a robot; its derivatives are its attributes."""

    def rates(self, order: int) -> Rates:
        """Value and time derivatives 1..order from one kernel, as a tuple of arrays."""
        if isinstance(order, bool) or not isinstance(order, (int, np.integer)) or order < 0:
            raise ValueError(f"{self._title}.rates: order must be an integer >= 0, found {order!r}")
        return cast(Rates, self._derivative(time_row(self._row, int(order), True), Rates))

    def _derivative(self, row: Row, kind: type[Evaluable] = Evaluable) -> Evaluable:
        made = self.__dict__.setdefault("_derivatives", {})
        if row.name not in made:
            made[row.name] = _class_of(row, kind)(self._owner, row, self._robot, self._frame)
        return made[row.name]

    def __getattr__(self, name: str) -> Evaluable:
        row = self.__dict__.get("_row")
        if row is not None and name in derivative_names(row):
            return self._derivative(derivative_row(row, name))
        valid = "" if row is None else ", ".join((*derivative_names(row), "rates(order)"))
        raise AttributeError(
            f"{self.__dict__.get('_title', 'quantity')} has no '{name}'; its derivatives: {valid}",
            name=name,
            obj=self,
        )

    def __dir__(self) -> Iterable[str]:
        return sorted({*object.__dir__(self), *derivative_names(self._row)})


class Rates(Evaluable):
    """A quantity and its time derivatives, from one kernel."""

    _direct = False

    def __call__(self, *args: ArrayLike, **options: Any) -> tuple[np.ndarray, ...]:
        """Evaluate: the value and its time derivatives, as a tuple of arrays."""
        results = super().__call__(*args, **options)
        return results if isinstance(results, tuple) else (results,)


def _restored(robot: Robot, frame: str | None, name: str) -> Evaluable:
    """A quantity from what it is pickled as."""
    base, _, derivative = name.partition(".")
    quantity = getattr(robot if frame is None else robot.frame(frame), base)
    if derivative.startswith("rates("):
        return quantity.rates(int(derivative[6:-1]))
    return getattr(quantity, derivative) if derivative else quantity


def _checked_dtype(dtype: DTypeLike) -> np.dtype[Any]:
    checked = np.dtype(dtype)
    if checked.char not in "fd":
        raise ValueError(f"dtype must be float64 or float32, found {checked}")
    return checked


@cache
def _class_of(row: Row, kind: type[Evaluable]) -> type[Any]:
    """A class per row, so that help() shows the quantity's own text."""
    return type(row.name, (kind,), {"__doc__": describe(row), "__module__": __name__})


class _Quantities:
    """Attribute access to the quantities of a table of the catalog."""

    def _table(self) -> Mapping[str, Row]:
        raise NotImplementedError

    def _make(self, row: Row) -> Quantity:
        raise NotImplementedError

    def __getattr__(self, name: str) -> Quantity:
        row = None if name.startswith("_") else self._table().get(name)
        if row is None:
            own = [n for n in object.__dir__(self) if not n.startswith("_")]
            valid = sorted({*self._table(), *own})
            close = difflib.get_close_matches(name, valid, 1)
            hint = f"; did you mean '{close[0]}'?" if close else ""
            raise AttributeError(
                f"{self!r} has no '{name}'{hint} Valid names: {', '.join(valid)}",
                name=name,
                obj=self,
            )
        quantity = self.__dict__[name] = self._make(row)
        return quantity

    def __dir__(self) -> Iterable[str]:
        return sorted({*object.__dir__(self), *self._table()})


class Frame(_Quantities):
    """A frame of a robot: pose, Jacobians and twists."""

    def __init__(self, robot: Robot, name: str) -> None:
        self.name = name
        self._robot = robot
        self._index = robot.model.frame_index(name)

    def _table(self) -> Mapping[str, Row]:
        return FRAME

    def _make(self, row: Row) -> Quantity:
        owner = f"{self._robot.name}.frame('{self.name}')"
        return _class_of(row, Quantity)(owner, row, self._robot, self._index)

    def __reduce__(self) -> Any:
        return Frame, (self._robot, self.name)

    def __repr__(self) -> str:
        return f"<frame '{self.name}' of {self._robot.name}>"


@dataclass(frozen=True)
class JointView:
    """A joint by name: its kind and where it sits in q and v (its leader's place, if it mimics)."""

    name: str
    kind: str
    q: slice
    v: slice
    joint: Joint


class Robot(_Quantities):
    """A robot: what it is, its configurations, and every quantity of the catalog as a callable."""

    def __init__(self, model: Model) -> None:
        if not isinstance(model, Model):
            raise TypeError(f"expected a jounce.Model, found {type(model).__name__}")
        if model.nv == 0:
            raise ModelError(f"robot '{model.name}' has no movable joint")
        self.model = model
        self._frames: dict[str, Frame] = {}

    def _table(self) -> Mapping[str, Row]:
        return ROBOT

    def _make(self, row: Row) -> Quantity:
        return _class_of(row, Quantity)(self.name, row, self)

    def __reduce__(self) -> Any:
        return Robot, (self.model,)

    def __repr__(self) -> str:
        return f"<robot '{self.name}': {self.nb} joints, nq = {self.nq}, nv = {self.nv}>"

    # -------------------------------------------------------------- what it is

    @property
    def name(self) -> str:
        """The robot's name."""
        return self.model.name

    @cached_property
    def tree(self) -> Tree:
        """The elementary tree that formulas walk."""
        return lower(self.model)

    @cached_property
    def sizes(self) -> dict[str, int]:
        """nq, nv and nb, as the catalog's shapes name them."""
        nv = self.model.nv
        return {"nq": self.model.nq, "nv": nv, "nb": self.model.nb, "3nv": 3 * nv}

    @property
    def nq(self) -> int:
        """Length of a configuration."""
        return self.sizes["nq"]

    @property
    def nv(self) -> int:
        """Length of a velocity."""
        return self.sizes["nv"]

    @property
    def nb(self) -> int:
        """Number of moving bodies."""
        return self.sizes["nb"]

    @property
    def gravity(self) -> np.ndarray:
        """Gravitational acceleration (3,), m/s^2."""
        return self.model.gravity

    @property
    def parameters(self) -> np.ndarray:
        """Inertial parameters (nb, 10): m, h, Ixx, Iyy, Izz, Ixy, Ixz, Iyz per body."""
        return self.model.parameters

    @property
    def joint_names(self) -> list[str]:
        """Joints in order."""
        return [joint.name for joint in self.model.joints]

    @property
    def body_names(self) -> list[str]:
        """Moving bodies in order; body i is moved by joint i."""
        return [body.name for body in self.model.bodies]

    @property
    def frame_names(self) -> list[str]:
        """Frames: one per link, fixed ones and the base included."""
        return [frame.name for frame in self.model.frames]

    @cached_property
    def joints(self) -> Mapping[str, JointView]:
        """Joints by name: joints["elbow"].q and .v are slices into q and v."""
        views = {}
        for i, joint in zip(self.tree.node_of_body, self.model.joints, strict=True):
            node = self.tree.nodes[i]
            # a two-motion joint starts at the node before its last
            q = slice(node.qs.stop - joint.nq, node.qs.stop)
            v = slice(node.vs.stop - joint.nv, node.vs.stop)
            views[joint.name] = JointView(joint.name, joint.kind, q, v, joint)
        return MappingProxyType(views)

    def quantity(self, name: str) -> Evaluable:
        """A quantity or derivative by its name as a string.

        Such as "mass_matrix", "inverse_dynamics.rates(2)", "mass_matrix.dt", and for frames
        "frame(tool).jacobian.dt".
        """
        found = _NAME.fullmatch(name.strip())
        if found is None:
            raise ValueError(
                f"{self.name}: cannot read the name '{name}'; expected such as 'mass_matrix',"
                " 'mass_matrix.dt', 'inverse_dynamics.rates(2)', 'frame(tool).jacobian'"
            )
        owner = self if found["frame"] is None else self.frame(found["frame"].strip("'\" "))
        table = owner._table()
        if found["quantity"] not in table:
            raise ValueError(
                f"{owner!r} has no quantity '{found['quantity']}'; choose one of {', '.join(table)}"
            )
        quantity = getattr(owner, found["quantity"])
        if found["order"] is not None:
            return quantity.rates(int(found["order"]))
        if found["derivative"] is None:
            return quantity
        valid = derivative_names(table[found["quantity"]])
        if found["derivative"] not in valid:
            raise ValueError(
                f"{self.name}: '{name}' has no '{found['derivative']}'; its derivatives:"
                f" {', '.join(valid)}, rates(order)"
            )
        return getattr(quantity, found["derivative"])

    def frame(self, name: str) -> Frame:
        """The frame called `name`; see frame_names."""
        if name not in self._frames:
            self._frames[name] = Frame(self, name)
        return self._frames[name]

    # -------------------------------------------------------------- configurations

    def _leaders(self) -> list[Any]:
        seen: set[int] = set()
        out = []
        for node in self.tree.nodes:
            if node.v not in seen:
                seen.add(node.v)
                out.append(node)
        return out

    def _array(self, x: ArrayLike, name: str, size: int) -> np.ndarray:
        array = np.asarray(x, dtype=float)
        if array.ndim == 0 or array.shape[-1] != size:
            raise ValueError(
                f"{self.name}: argument '{name}' must have shape (..., {size}), found {array.shape}"
            )
        return array

    def neutral(self) -> np.ndarray:
        """The configuration (nq,) of zero angles and displacements and identity quaternions."""
        q = np.zeros(self.nq)
        for node in self._leaders():
            q[node.qs] = joints.neutral(node.motion)
        return q

    def random(self, rng: np.random.Generator | int | None = None, n: int | None = None) -> Any:
        """Random configurations (n, nq), or (nq,) without n, within the joints' limits.

        Unlimited angles are uniform in [-pi, pi], displacements in [-1, 1] m, orientations uniform.
        """
        rng = np.random.default_rng(rng)
        shape = () if n is None else (n,)
        q = np.empty((*shape, self.nq))
        for view in self.joints.values():
            if view.joint.mimic is None:
                q[..., view.q] = _random_coordinates(rng, view.joint, shape)
        return q

    def integrate(self, q: ArrayLike, v: ArrayLike) -> np.ndarray:
        """Configuration (..., nq) reached from q by the velocity v held for one unit of time."""
        q, v = self._array(q, "q", self.nq), self._array(v, "v", self.nv)
        batch = np.broadcast_shapes(q.shape[:-1], v.shape[:-1])
        q, v = np.broadcast_to(q, (*batch, self.nq)), np.broadcast_to(v, (*batch, self.nv))
        out = np.empty(q.shape)
        for node in self._leaders():
            out[..., node.qs] = joints.integrate(node.motion, q[..., node.qs], v[..., node.vs])
        return out

    def difference(self, q0: ArrayLike, q1: ArrayLike) -> np.ndarray:
        """Velocity (..., nv) that leads from q0 to q1 in one unit of time."""
        q0, q1 = self._array(q0, "q0", self.nq), self._array(q1, "q1", self.nq)
        q0, q1 = np.broadcast_arrays(q0, q1)
        out = np.empty((*q0.shape[:-1], self.nv))
        for node in self._leaders():
            out[..., node.vs] = joints.difference(node.motion, q0[..., node.qs], q1[..., node.qs])
        return out

    # -------------------------------------------------------------- built on the quantities

    def elastic_inverse_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        j: ArrayLike,
        s: ArrayLike,
        stiffness: ArrayLike,
        *,
        damping: ArrayLike | None = None,
        motor_inertia: ArrayLike | None = None,
        **wrenches: ArrayLike,
    ) -> ElasticMotion:
        """Motor motion and torque of elastic drives; see `jounce.elastic`."""
        drive = {"damping": damping, "motor_inertia": motor_inertia}
        return elastic_inverse_dynamics(self, q, v, a, j, s, stiffness, **drive, **wrenches)

    def export_c(
        self,
        folder: str | os.PathLike[str],
        quantities: Sequence[str] = ("inverse_dynamics",),
        *,
        dtype: DTypeLike = np.float64,
        simd: bool = False,
        name: str | None = None,
    ) -> list[Path]:
        """Dependency-free C99 of quantities by name, with a self-test; see `jounce.export`."""
        from jounce.export import export_c

        return export_c(self, folder, quantities, dtype=dtype, simd=simd, name=name)

    def export_matlab(
        self,
        folder: str | os.PathLike[str],
        quantities: Sequence[str] = ("inverse_dynamics",),
        *,
        name: str | None = None,
    ) -> list[Path]:
        """One MATLAB or Octave function per quantity; see `jounce.export`."""
        from jounce.export import export_matlab

        return export_matlab(self, folder, quantities, name=name)

    def operators(self, q: ArrayLike) -> SpatialOperators:
        """The spatial operators of Jain and Rodriguez at q (nq,); for teaching and research."""
        from jounce.papers.jain_rodriguez import SpatialOperators

        return SpatialOperators(self.tree, np.asarray(q), self.joint_names)

    def symbolic(
        self,
        parameters: Mapping[str, Any] | None = None,
        *,
        time: Any = None,
        names: Literal["numbers", "joints"] = "numbers",
    ) -> SymbolicRobot:
        """The same quantities on SymPy symbols, parameters included; see `jounce.interop.sympy`."""
        from jounce.interop.sympy import SymbolicRobot

        return SymbolicRobot(self, parameters, time=time, names=names)

    def casadi(self) -> CasadiRobot:
        """The same quantities as CasADi Functions; see `jounce.interop.casadi`."""
        from jounce.interop.casadi import casadi_functions

        return casadi_functions(self)


def _random_coordinates(
    rng: np.random.Generator, joint: Joint, shape: tuple[int, ...]
) -> np.ndarray:
    if joint.kind in ("spherical", "free"):
        turn = quaternion_normalise(rng.standard_normal((*shape, 4)))
        if joint.kind == "spherical":
            return turn
        return np.concatenate((turn, rng.uniform(-1.0, 1.0, (*shape, 3))), axis=-1)
    translations = {
        "prismatic": (True,),
        "cylindrical": (False, True),
        "planar": (False, True, True),
    }
    moves = np.array(translations.get(joint.kind, (False,) * joint.nq))
    span = np.where(moves, 1.0, np.pi)
    # without a limit, a span about zero, or beyond the limit on the other side
    floor = np.where(np.isfinite(joint.upper), np.minimum(-span, joint.upper - 2 * span), -span)
    lower = np.where(np.isfinite(joint.lower), joint.lower, floor)
    ceiling = np.where(np.isfinite(joint.lower), np.maximum(span, joint.lower + 2 * span), span)
    upper = np.where(np.isfinite(joint.upper), joint.upper, ceiling)
    return rng.uniform(lower, upper, (*shape, joint.nq))


def load(
    path_or_name: str | os.PathLike[str],
    *,
    base: str | None = None,
    gravity: Sequence[float] | None = None,
) -> Robot:
    """A robot from a file (by suffix) or from the gallery (by name).

    base: "fixed", or "floating" to add a free joint named "base" first; by default the robot's
    own, "floating" for the gallery's toro25 and "fixed" for all else. gravity: acceleration (3,)
    in m/s^2; by default the robot's own, (0, 0, -9.81) for files.
    """
    return Robot(io.read(path_or_name, base=base, gravity=gravity))
