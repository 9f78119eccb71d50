"""`robot.elastic_inverse_dynamics`: the quantity as a callable that checks the drives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike

from jounce.arrays import kinds
from jounce.arrays.bound_quantity import BoundQuantity
from jounce.arrays.calls import ResolvedCall
from jounce.arrays.differentiable import Rates
from jounce.arrays.validation import broadcast_arguments, plain, precision
from jounce.catalog.arguments import argument
from jounce.catalog.elastic import DRIVES
from jounce.errors import ArgumentError, describe_mismatch
from jounce.formulas.elastic import deflection
from jounce.runtime.trace import core_shape
from jounce.solve.elastic.drives import Drives, ElasticMotion, check_out, stored_motion
from jounce.solve.elastic.springs import Spring

if TYPE_CHECKING:
    from jounce.robot import Robot
    from jounce.robot.system import System
    from jounce.solve.mechanism.robot import Mechanism

_DOUBLE = np.dtype(np.float64)
_MISSING: Any = object()


class ElasticInverseDynamics(BoundQuantity):
    """Motor motion and torque that make elastic joints follow q, v, a, j, s exactly.

        theta = q + tau / K,  tau_m = J d2/dt2 theta + d d/dt theta + tau

    with tau and its two time derivatives in closed form; nothing is integrated or differentiated
    numerically. One kernel computes everything; leading axes broadcast, also those of the drives'
    numbers.

    stiffness: K > 0 in N m/rad or N/m, np.inf for a rigid joint (theta = q); or a `Spring`.
    dstiffness, ddstiffness: its time derivatives, if it changes. damping: viscous friction d >= 0
    of the motor against its housing, in N m s/rad or N s/m (for damping in the spring see
    `elastic_trajectory`). motor_inertia: J >= 0 in kg m^2 or kg, seen after the gear, not to be
    included in the joint's armature. Each is (..., nv), or a number for every drive. Free,
    spherical and planar joints have no drive: stiffness np.inf, all else zero. A joint that mimics
    another is geared rigidly to its leader, whose motor moves both. In a mechanism the independent
    joints can have drives; all others are rigid.

    wrenches, dwrenches, ddwrenches (..., nb, 6): wrenches on the bodies and their time derivatives,
    and all other options of inverse_dynamics.rates(2); omitted derivatives are zero. out: a tuple
    of five arrays or None for the results. Results are float32 if an array of the state or of the
    wrenches is float32 and none is wider; the drives' numbers do not affect the precision.
    """

    wraps_kernel = True

    if TYPE_CHECKING:  # the signature for type checkers

        def __call__(  # pyright: ignore[reportIncompatibleVariableOverride]
            self,
            q: ArrayLike,
            v: ArrayLike,
            a: ArrayLike,
            j: ArrayLike,
            s: ArrayLike,
            stiffness: ArrayLike | Spring,
            *,
            damping: ArrayLike | None = None,
            motor_inertia: ArrayLike | None = None,
            dstiffness: ArrayLike | None = None,
            ddstiffness: ArrayLike | None = None,
            out: tuple[np.ndarray | None, ...] | None = None,
            **forces: ArrayLike | None,
        ) -> ElasticMotion:
            """See the class."""
            ...

    def __init__(self, robot: System) -> None:
        self.drives = Drives(robot)
        self.links = cast(Rates, robot.quantity("inverse_dynamics.rates(2)"))
        super().__init__(robot.name, robot.definitions["elastic_inverse_dynamics"], robot)

    def _text(self) -> str:
        return f"{self.title}{self._signature_text()}\n\n{type(self).__doc__}"

    def _make_signature(self) -> Signature:
        """Return the signature: drives' numbers except the stiffness, and forces, are keywords."""
        either, named = Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY
        first = [Parameter(name, either) for name in (*"qvajs", "stiffness")]
        options = (*DRIVES[1:], *self.definition.optional, "out")
        further = [Parameter(name, named, default=None) for name in options]
        return Signature([*first, *further], return_annotation=ElasticMotion)

    def _signature_text(self) -> str:
        return str(self._make_signature().replace(return_annotation=Signature.empty))

    # -------------------------------------------------------------- calls

    def _wrap_call(self, call: Callable[..., Any]) -> Callable[..., ElasticMotion]:
        """Return a function that checks the drives' numbers and runs the kernel by `call`.

        Valid vectors are recognized by their bytes, because checking them again would take longer
        than the kernel.
        """
        number, zero = self.drives.number, self.drives.number("damping", 0.0)
        right_K, right_d, right_J = (self.drives.right[name] for name in DRIVES[:3])
        undriven = None if self.drives.driven.all() else (..., ~self.drives.driven)
        make, array, double, missing = tuple.__new__, np.ndarray, _DOUBLE, _MISSING
        known = frozenset((np.ndarray, float, int, type(None), tuple, Spring))

        def elastic_inverse_dynamics(
            q: Any = missing,
            v: Any = missing,
            a: Any = missing,
            j: Any = missing,
            s: Any = missing,
            stiffness: Any = missing,
            *extra: Any,
            damping: Any = None,
            motor_inertia: Any = None,
            dstiffness: Any = None,
            ddstiffness: Any = None,
            **options: Any,
        ) -> ElasticMotion:
            K, d, J, dK, ddK = stiffness, damping, motor_inertia, dstiffness, ddstiffness
            arrays = type(q) is type(v) is type(a) is type(j) is type(s) is array
            usual = type(K) in known and type(d) in known and type(J) in known and dK is None is ddK
            if options and not {*map(type, options.values())} <= known:
                usual = False
            if not ((arrays and usual) or K is missing or extra):
                results = self._call_adapter((q, v, a, j, s, K), (d, J, dK, ddK), options)
                if results is not None:
                    return make(ElasticMotion, results)
            if type(K) is not array or extra or K.tobytes() not in right_K:
                if K is missing or extra or type(K) is Spring:
                    drives = dict(zip(DRIVES[1:], (d, J, dK, ddK), strict=True))
                    return self._call_unusual((q, v, a, j, s, K, *extra), drives, options)
                K = number("stiffness", K)
            if d is None:
                d = zero
            elif type(d) is not array or d.tobytes() not in right_d:
                d = number("damping", d)
            if J is None:
                J = zero
            elif type(J) is not array or J.tobytes() not in right_J:
                J = number("motor_inertia", J)
            dK = zero if dK is None else number("dstiffness", dK)
            ddK = zero if ddK is None else number("ddstiffness", ddK)
            if type(q) is not array or q.dtype is not double:
                K, d, J, dK, ddK = self._match_precision(
                    (q, v, a, j, s), options, (K, d, J, dK, ddK)
                )
            if options and options.get("out") is not None:
                check_out(options["out"], self.title)
            results = call(q, v, a, j, s, K, d, J, dK, ddK, **options)
            if undriven is not None:
                results[0][undriven] = np.nan  # the kernel returns zeros there
            return make(ElasticMotion, results)

        return elastic_inverse_dynamics

    def _call_adapter(
        self, args: tuple[Any, ...], drives: tuple[Any, ...], options: dict[str, Any]
    ) -> Any:
        """Call the adapter of another array library; None if all arrays are NumPy's."""
        kind = kinds.find_kind((*args, *drives, *options.values()))
        named = {**dict(zip(DRIVES[1:], drives, strict=True)), **options}
        return None if kind is None else kind.call(self, args, named)

    def _resolve_options(self, args: tuple[Any, ...], options: dict[str, Any]) -> ResolvedCall:
        """Resolve the drives' numbers for calls of other libraries; omitted numbers are zero."""
        values = dict(zip(self.definition.arguments, args, strict=False)) | options
        if isinstance(values.get("stiffness"), Spring):
            raise TypeError(
                f"{self.title}: a Spring needs NumPy arrays; for arrays of other libraries"
                " stiffness must be numbers"
            )
        for name in DRIVES:
            x = values.get(name, _MISSING)
            if x is None or (x is _MISSING and name != "stiffness"):
                x = 0.0
            if isinstance(x, (float, int, list, tuple, np.ndarray)):
                # plain numbers do not affect the precision
                values[name] = self.drives.number(name, x).tolist()
        state = tuple(values.pop(name) for name in self.definition.arguments if name in values)
        return ResolvedCall(self, state, values)

    def _match_precision(
        self, state: tuple[Any, ...], options: dict[str, Any], numbers: tuple[np.ndarray, ...]
    ) -> tuple[np.ndarray, ...]:
        """Return the drives' numbers in the precision of the state and the forces."""
        values = dict(zip("qvajs", state, strict=True))
        values |= {name: x for name, x in options.items() if name in self.definition.optional}
        arrays = [
            plain(x, f"{self.title}: argument '{name}'")
            for name, x in values.items()
            if x is not None and x is not _MISSING
        ]
        with np.errstate(over="ignore"):  # stiffness beyond float32 becomes inf, which is rigid
            return tuple(x.astype(precision(arrays), copy=False) for x in numbers)

    def _call_unusual(
        self, args: tuple[Any, ...], drives: dict[str, Any], options: dict[str, Any]
    ) -> ElasticMotion:
        """Evaluate nonlinear springs, which kernels do not support, or raise for a bad call."""
        positional = [x for x in args if x is not _MISSING]
        try:
            bound = self._make_signature().bind(*positional, **drives, **options)
        except TypeError as error:
            named = {**drives, **options}
            text = describe_mismatch(self.title, self._make_signature(), tuple(positional), named)
            raise TypeError(text) from error
        values = {name: x for name, x in bound.arguments.items() if x is not None}
        spring, out = values.pop("stiffness"), values.pop("out", None)
        damping, motor_inertia, *rates = (values.pop(name, 0.0) for name in DRIVES[1:])
        state, *levels = link_forces(self.links, self.title, values)
        x = undamped_deflections(self.drives, (spring, *rates), levels, self.title)
        motion = self.drives.motion(state, levels[0], x, damping, motor_inertia)
        return stored_motion(motion, out, self.title)


def undamped_deflections(
    drives: Drives, stiffness: Sequence[Any], forces: Sequence[np.ndarray], title: str
) -> tuple[np.ndarray, ...]:
    """Return x, x', x'' of undamped springs, of a stiffness with its rates or a Spring."""
    spring, *rates = stiffness
    if not isinstance(spring, Spring):
        names = ("stiffness", "dstiffness", "ddstiffness")
        numbers = [drives.numbers(name, x) for name, x in zip(names, stiffness, strict=True)]
        return deflection(forces, numbers)
    if any(np.any(x) for x in rates):
        raise ArgumentError(
            f"{title}: dstiffness and ddstiffness need a numeric stiffness, because a Spring does"
            " not change in time"
        )
    return spring.deflection(drives, forces, title)


def link_forces(
    links: Rates, title: str, values: dict[str, Any]
) -> tuple[list[np.ndarray], np.ndarray, np.ndarray, np.ndarray]:
    """Return the state as broadcastable arrays, and tau with its two time derivatives.

    links: inverse_dynamics.rates(2). values: its arguments and forces by name.
    """
    row, sizes = links.definition, links.robot.sizes
    if not {*values} <= {*row.arguments, *row.optional}:
        links(**values)  # raises an error that lists the arguments
    cores = {name: core_shape(argument(name).shape, sizes) for name in values}
    _, arrays = broadcast_arguments(title, values, cores)
    named_arrays = dict(zip(values, arrays, strict=True))
    return [named_arrays[name] for name in "qvajs"], *links(**named_arrays)


def elastic_inverse_dynamics(robot: Robot | Mechanism, *args: Any, **named: Any) -> ElasticMotion:
    """Return motion and torque of the motors of elastic joints.

    Parameters
    ----------
    robot : Robot or Mechanism
    *args, **named
        Arguments of `robot.elastic_inverse_dynamics`; see `ElasticInverseDynamics`.

    Returns
    -------
    ElasticMotion
    """
    return robot.elastic_inverse_dynamics(*args, **named)
