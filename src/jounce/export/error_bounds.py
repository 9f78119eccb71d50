"""Bounds of the rounding errors of generated code: forward error analysis of a tape.

Every value of the tape is an interval that contains its exact values for all states of a box, with
a bound of the absolute error of the computed ones. Rounding of an operation with result z adds
u |z|, where u is the unit round-off. Fused multiply-add rounds less often, so the bounds hold with
it too. For a box that is a point, this is a running error analysis (Higham, 2002, section 3.3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from jounce.compiler.graph import ops
from jounce.compiler.targets import interpreter
from jounce.errors import ArgumentError

if TYPE_CHECKING:
    from jounce.robot import System

#: Errors of the sine, cosine and arctangent of the C library, in units in the last place.
LIBRARY_ULPS = 2.0

#: Half-width of the box of arguments for which the robot has no limits.
_DEFAULT_RANGE = 10.0

Box = Mapping[str, ArrayLike | tuple[ArrayLike, ArrayLike]]


@dataclass(frozen=True)
class ErrorBounds:
    """Rounding errors of a quantity in a box of states.

    Attributes
    ----------
    name : str
        Name of the quantity.
    dtype : numpy.dtype
        Type of the arithmetic.
    box : dict of str to (ndarray, ndarray)
        Lower and upper bounds of each argument.
    bounds : tuple of ndarray
        Bound of the absolute error of each entry, one array per result; infinite where a
        denominator may vanish.
    observed : tuple of ndarray
        Largest errors at random states of the box.
    point_bounds : tuple of ndarray
        Largest bounds at these states, each of a running error analysis at one state.
    """

    name: str
    dtype: np.dtype
    box: dict[str, tuple[np.ndarray, np.ndarray]]
    bounds: tuple[np.ndarray, ...]
    observed: tuple[np.ndarray, ...]
    point_bounds: tuple[np.ndarray, ...]

    @property
    def largest_bound(self) -> float:
        """Largest bound of all entries in the box."""
        return _largest(self.bounds)

    @property
    def point_bound(self) -> float:
        """Largest bound of all entries at random states."""
        return _largest(self.point_bounds)

    @property
    def largest_observed(self) -> float:
        """Largest observed error of all entries."""
        return _largest(self.observed)

    def __str__(self) -> str:
        """Return the bounds and errors in one line."""
        return (
            f"{self.name}, {self.dtype}: error <= {self.largest_bound:.3g} in the box,"
            f" <= {self.point_bound:.3g} and observed {self.largest_observed:.3g}"
            " at random states"
        )


def bound_errors(
    robot: System,
    quantity: str,
    box: Box | None = None,
    dtype: DTypeLike = np.float32,
    *,
    samples: int = 1000,
    rng: np.random.Generator | int | None = 0,
) -> ErrorBounds:
    """Bound the rounding errors of a quantity's generated code in a box of states.

    Parameters
    ----------
    robot : Robot, Mechanism or Contacts
    quantity : str
        A name as `robot.quantity` takes it.
    box : mapping of str to array_like or pair, optional
        Range of each argument: its absolute value, or a pair (lower, upper). By default q, v and
        tau lie within the limits of the robot, angles within pi, entries of quaternions within 1,
        and everything else within 10 (SI units).
    dtype : dtype
        float32 or float64: arithmetic of the code.
    samples : int
        Number of random states at which errors are observed.
    rng : numpy.random.Generator or int
        Random generator or seed of these states.

    Returns
    -------
    ErrorBounds
        Bounds for the whole box, and errors and bounds at random states.

    Raises
    ------
    ArgumentError
        If the box names an argument that does not exist, or a range is empty or infinite.

    Notes
    -----
    Arguments are numbers of the type `dtype`, without errors of their own. Sine, cosine and
    arctangent of the C library are assumed to be right to 2 units in the last place. Bounds of
    large boxes exceed errors by orders of magnitude, because intervals forget how values depend on
    each other; those at single states exceed them about tenfold.

    Examples
    --------
    >>> import jounce
    >>> from jounce.export import bound_errors
    >>> errors = bound_errors(jounce.load("planar_2r"), "gravity_forces", {"q": 3.0})
    >>> 0 < errors.largest_observed < errors.largest_bound < 1e-4        # N m, in float32
    True
    """
    kernel = robot.quantity(quantity).kernel
    scalar = np.dtype(dtype)
    if scalar not in (np.dtype(np.float32), np.dtype(np.float64)):
        raise ArgumentError(f"dtype: expected float32 or float64, found {scalar}")
    chosen = _complete_box(robot, quantity, kernel.arguments, kernel.inputs, box or {})
    low, high = (
        np.concatenate([chosen[x][k].ravel() for x in kernel.arguments] or [np.empty(0)])
        for k in (0, 1)
    )
    # a state within the box, exact in the arithmetic
    states = np.random.default_rng(rng).uniform(low, high, (samples, len(low)))
    states = np.clip(states.astype(scalar), low, high).astype(scalar)
    analysis = _Analysis(scalar)
    in_box = analysis.run(kernel.tape, low[:, None], high[:, None])
    exact_states = states.astype(float).T
    points = analysis.run(kernel.tape, exact_states, exact_states)
    observed = _observe(kernel.tape, states)

    def reshape_rows(rows: np.ndarray) -> tuple[np.ndarray, ...]:
        edges = np.cumsum([int(np.prod(shape)) for shape in kernel.outputs])[:-1]
        parts = np.split(rows, edges)
        return tuple(x.reshape(s) for x, s in zip(parts, kernel.outputs, strict=True))

    return ErrorBounds(
        quantity,
        scalar,
        chosen,
        reshape_rows(in_box.max(-1)),
        reshape_rows(observed.max(-1)),
        reshape_rows(points.max(-1)),
    )


def _largest(arrays: Sequence[np.ndarray]) -> float:
    return max((float(x.max()) for x in arrays if x.size), default=0.0)


def _observe(tape: Any, states: np.ndarray) -> np.ndarray:
    """Return the errors of the tape's arithmetic, compared with a more precise one."""
    precise = np.longdouble if states.dtype == np.float64 else np.float64
    with np.errstate(all="ignore"):
        computed, exact = (
            [np.broadcast_to(x, len(states)) for x in interpreter.run(tape, list(x.T))]
            for x in (states, states.astype(precise))
        )
    errors = [np.abs(x.astype(precise) - y) for x, y in zip(computed, exact, strict=True)]
    return np.stack(errors).astype(float) if errors else np.empty((0, len(states)))


def _complete_box(
    robot: System,
    quantity: str,
    arguments: Sequence[str],
    shapes: Sequence[tuple[int, ...]],
    box: Box,
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return lower and upper bounds of all arguments, with their shapes."""
    for name in box:
        if name not in arguments:
            raise ArgumentError(
                f"box: {quantity} has no argument '{name}'; its arguments: {', '.join(arguments)}"
            )
    complete = {}
    for name, shape in zip(arguments, shapes, strict=True):
        bounds: Any = box[name] if name in box else _default_range(robot, name, shape)
        if not isinstance(bounds, tuple):
            bounds = (-np.abs(np.asarray(bounds, float)), np.abs(np.asarray(bounds, float)))
        try:
            low, high = (np.broadcast_to(np.asarray(x, float), shape) for x in bounds)
        except ValueError as error:
            raise ArgumentError(f"box: '{name}' must have the shape {shape}: {error}") from error
        if not (np.isfinite(low).all() and np.isfinite(high).all() and (low <= high).all()):
            raise ArgumentError(
                f"box: expected finite bounds with lower <= upper of '{name}', found {bounds}"
            )
        complete[name] = (low, high)
    return complete


def _default_range(robot: System, name: str, shape: tuple[int, ...]) -> Any:
    """Return the limits of an argument, or wide ones where there are none."""
    tree = getattr(robot, "robot", robot)
    limits = tree.limits
    if name == "q" and shape == (tree.nq,):
        return _position_range(tree)
    of_limits = {"v": limits.velocity, "tau": limits.effort}.get(name)
    if of_limits is not None and shape == (tree.nv,):
        return np.where(np.isfinite(of_limits) & (of_limits > 0), of_limits, _DEFAULT_RANGE)
    return _DEFAULT_RANGE


def _position_range(robot: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the limits of q; without limits, pi, and 1 for entries of quaternions."""
    low, high = np.full(robot.nq, -np.pi), np.full(robot.nq, np.pi)
    i = k = 0
    for joint in robot.model.joints:
        if joint.mimic is not None:
            continue
        if joint.nq == joint.nv:
            for x, limit in ((low, robot.limits.lower), (high, robot.limits.upper)):
                of_joint = limit[k : k + joint.nv]
                x[i : i + joint.nq] = np.where(np.isfinite(of_joint), of_joint, x[i : i + joint.nq])
        else:  # begins with a quaternion
            low[i : i + 4], high[i : i + 4] = -1.0, 1.0
        i, k = i + joint.nq, k + joint.nv
    return low, high


# ------------------------------------------------------------------ arithmetic


class _Value(NamedTuple):
    """Interval of exact values, and a bound of the error of computed ones; arrays of samples."""

    low: np.ndarray
    high: np.ndarray
    error: np.ndarray

    @property
    def size(self) -> np.ndarray:
        """Largest absolute value."""
        return np.maximum(np.abs(self.low), np.abs(self.high))

    def widen(self) -> _Value:
        """Return the computed values: the interval, widened by the error."""
        return _Value(self.low - self.error, self.high + self.error, self.error)


class _Analysis:
    """Arithmetic on intervals with errors, for numbers of a type."""

    def __init__(self, dtype: np.dtype) -> None:
        numbers = np.finfo(dtype)
        self.dtype, self.unit = dtype, float(numbers.eps) / 2
        self.tiny = float(numbers.tiny)  # results below it may be rounded to zero
        self.rules: dict[int, Callable[..., _Value]] = {
            ops.ADD: self._add,
            ops.SUB: lambda x, y: self._add(x, self._negate(y)),
            ops.MUL: self._multiply,
            ops.DIV: self._divide,
            ops.NEG: lambda x: self._negate(self._lift(x)),
            ops.SQRT: self._root,
            ops.SIGN: self._sign,
            ops.SIN: lambda x: self._sine(x, -np.pi / 2),
            ops.COS: lambda x: self._sine(x, 0.0),
            ops.KEPT: lambda x, c: self._select(x, c, positive=True),
            ops.DROPPED: lambda x, c: self._select(x, c, positive=False),
            ops.MINIMUM: lambda x, y: self._extreme(x, y, np.minimum),
            ops.MAXIMUM: lambda x, y: self._extreme(x, y, np.maximum),
            ops.ATAN2: self._angle,
        }

    def run(self, tape: Any, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """Return error bounds (outputs, samples) for boxes (inputs, samples)."""
        inputs = [_Value(a, b, np.zeros_like(a)) for a, b in zip(low, high, strict=True)]
        with np.errstate(all="ignore"):
            values = interpreter.run(tape, inputs, self.rules)
        count = low.shape[1] if len(low) else 1
        errors = [np.broadcast_to(self._lift(x).error, count) for x in values]
        stacked = np.stack(errors) if errors else np.empty((0, count))
        return np.where(np.isnan(stacked), np.inf, stacked)

    def _lift(self, x: Any) -> _Value:
        """Return a constant as an interval, whose error is that of its rounding."""
        if isinstance(x, _Value):
            return x
        value = np.array(float(x))
        return _Value(value, value, np.abs(value - float(self.dtype.type(value))))

    def _round(self, low: np.ndarray, high: np.ndarray, error: np.ndarray) -> _Value:
        """Return a result with the error of its rounding, and of the interval's own arithmetic."""
        low, high = np.nextafter(low, -np.inf), np.nextafter(high, np.inf)
        size = np.maximum(np.abs(low), np.abs(high)) + error
        error = (error + self.unit * size + self.tiny) * (1.0 + 1e-14)
        return _Value(low, high, np.where(np.isfinite(size), error, np.inf))

    @staticmethod
    def _negate(x: Any) -> _Value:
        if not isinstance(x, _Value):
            return -x
        return _Value(-x.high, -x.low, x.error)

    def _add(self, x: Any, y: Any) -> _Value:
        x, y = self._lift(x), self._lift(y)
        return self._round(x.low + y.low, x.high + y.high, x.error + y.error)

    def _multiply(self, x: Any, y: Any) -> _Value:
        square = x is y
        x, y = self._lift(x), self._lift(y)
        corners = (x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high)
        low, high = np.minimum.reduce(corners), np.maximum.reduce(corners)
        if square:
            low = np.maximum(low, np.where((x.low <= 0) & (x.high >= 0), 0.0, low))
        return self._round(low, high, x.size * y.error + y.size * x.error + x.error * y.error)

    def _divide(self, x: Any, y: Any) -> _Value:
        x, y = self._lift(x), self._lift(y)
        distance = np.maximum(y.low, -y.high)  # of the denominator from zero
        safe = distance - y.error > 0
        corners = (x.low / y.low, x.low / y.high, x.high / y.low, x.high / y.high)
        low = np.where(safe, np.minimum.reduce(corners), -np.inf)
        high = np.where(safe, np.maximum.reduce(corners), np.inf)
        size = np.maximum(np.abs(low), np.abs(high))
        error = (x.error + size * y.error) / (distance - y.error)
        return self._round(low, high, np.where(safe, error, np.inf))

    def _root(self, x: Any) -> _Value:
        x = self._lift(x)
        computed = x.low - x.error
        low, high = np.sqrt(np.maximum(x.low, 0.0)), np.sqrt(np.maximum(x.high, 0.0))
        slope = low + np.sqrt(np.maximum(computed, 0.0))
        error = np.where(slope > 0, x.error / slope, np.sqrt(x.error))
        return self._round(low, high, np.where(computed >= 0, error, np.inf))

    def _sign(self, x: Any) -> _Value:
        x = self._lift(x)
        w = x.widen()
        certain = (w.low > 0) | (w.high < 0) | ((w.low == 0) & (w.high == 0))
        return _Value(np.sign(x.low), np.sign(x.high), np.where(certain, 0.0, 2.0))

    def _sine(self, x: Any, top: float) -> _Value:
        """Return a sine or cosine, with its maxima at top + 2 pi k (and minima between)."""
        x = self._lift(x)
        a, b = (x.low + top) / (2 * np.pi), (x.high + top) / (2 * np.pi)
        low, high = np.cos(2 * np.pi * a), np.cos(2 * np.pi * b)
        low, high = np.minimum(low, high) - 1e-15, np.maximum(low, high) + 1e-15
        margin = 1e-15 * (1.0 + np.abs(a) + np.abs(b))
        high = np.where(np.ceil(a - margin) <= b + margin, 1.0, np.minimum(high, 1.0))
        low = np.where(np.ceil(a - 0.5 - margin) <= b - 0.5 + margin, -1.0, np.maximum(low, -1.0))
        error = np.minimum(x.error, 2.0) + (2 * LIBRARY_ULPS - 1) * self.unit
        return self._round(low - margin, high + margin, error)

    def _angle(self, y: Any, x: Any) -> _Value:
        y, x = self._lift(y), self._lift(x)
        distances = (np.maximum(0.0, np.maximum(w.low, -w.high)) for w in (y, x))
        radius = np.hypot(*distances)
        error = np.hypot(y.error, x.error)
        cut = (y.low - y.error <= 0) & (y.high + y.error >= 0) & (x.low - x.error <= 0)
        corners = [np.arctan2(s, c) for s in (y.low, y.high) for c in (x.low, x.high)]
        low = np.where(cut, -np.pi, np.minimum.reduce(corners))
        high = np.where(cut, np.pi, np.maximum.reduce(corners))
        turned = np.arcsin(np.minimum(error / radius, 1.0)) + (2 * LIBRARY_ULPS - 1) * 4 * self.unit
        exact_zero = (y.low == y.high) & (x.low == x.high) & (error == 0)
        return self._round(low, high, np.where(cut & ~exact_zero, 2 * np.pi, turned))

    def _select(self, x: Any, c: Any, *, positive: bool) -> _Value:
        """Return x where c > 0, else 0, or the other way round."""
        x, c = self._lift(x), self._lift(c)
        w = c.widen()
        above, below = w.low > 0, w.high <= 0
        kept, dropped = (above, below) if positive else (below, above)
        low = np.where(kept, x.low, np.where(dropped, 0.0, np.minimum(x.low, 0.0)))
        high = np.where(kept, x.high, np.where(dropped, 0.0, np.maximum(x.high, 0.0)))
        # the computed condition may differ from the exact one
        unsure = np.where(c.error > 0, x.size + x.error, x.error)
        return _Value(low, high, np.where(kept, x.error, np.where(dropped, 0.0, unsure)))

    def _extreme(self, x: Any, y: Any, choose: Any) -> _Value:
        x, y = self._lift(x), self._lift(y)
        low, high = choose(x.low, y.low), choose(x.high, y.high)
        return _Value(low, high, np.maximum(x.error, y.error))
