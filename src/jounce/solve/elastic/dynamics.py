"""`robot.elastic_inverse_dynamics`: the catalog's row as a callable that knows what drives are."""

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
    numerically. One kernel computes all of it; leading axes broadcast, those of the drives' numbers
    too.

    stiffness: K > 0 in N m/rad or N/m; np.inf: a rigid joint, theta = q. Or a `Spring`, by its law.
    dstiffness, ddstiffness: its time derivatives, if it changes. damping: viscous friction d >= 0
    of the motor against its housing, in N m s/rad or N s/m (for damping in the spring see
    `elastic_trajectory`). motor_inertia: J >= 0 in kg m^2 or kg, seen after the gear, not to be
    counted in the joint's armature again. Each is (..., nv), or a number for every drive. Free,
    spherical and planar joints have no drive: stiffness np.inf, the rest zero. A joint that mimics
    another is geared rigidly to its leader, whose motor moves both. Of a mechanism the independent
    joints can have drives; all others are rigid.

    wrenches, dwrenches, ddwrenches (..., nb, 6): wrenches on the bodies and their time derivatives,
    and whatever else inverse_dynamics.rates(2) takes, as it takes it: derivatives not given are
    zero. out: five arrays for the results, or None in the place of some. Results are float32 if an
    array of the state or of the wrenches is and none of these is wider; the drives' numbers have no
    say in it.
    """

    wraps_kernel = True

    if TYPE_CHECKING:  # what checkers shall know of a call

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
        return f"{self.title}{self._shown()}\n\n{type(self).__doc__}"

    def _make_signature(self) -> Signature:
        """How it is called: the drives' numbers but the first, and forces, by name."""
        either, named = Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY
        first = [Parameter(name, either) for name in (*"qvajs", "stiffness")]
        rest = (*DRIVES[1:], *self.definition.optional, "out")
        further = [Parameter(name, named, default=None) for name in rest]
        return Signature([*first, *further], return_annotation=ElasticMotion)

    def _shown(self) -> str:
        return str(self._make_signature().replace(return_annotation=Signature.empty))

    # -------------------------------------------------------------- calls

    def _wrap_call(self, call: Callable[..., Any]) -> Callable[..., ElasticMotion]:
        """The drives' numbers checked, and put in their places; `call` runs the kernel.

        Vectors that were right before are known by their bytes: to look at each would take longer
        than all that is computed with them.
        """
        number, zero = self.drives.number, self.drives.number("damping", 0.0)
        right_K, right_d, right_J = (self.drives.right[name] for name in DRIVES[:3])
        bare = None if self.drives.driven.all() else (..., ~self.drives.driven)
        made, array, double, missing = tuple.__new__, np.ndarray, _DOUBLE, _MISSING
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
            **more: Any,
        ) -> ElasticMotion:
            K, d, J, dK, ddK = stiffness, damping, motor_inertia, dstiffness, ddstiffness
            arrays = type(q) is type(v) is type(a) is type(j) is type(s) is array
            usual = type(K) in known and type(d) in known and type(J) in known and dK is None is ddK
            if more and not {*map(type, more.values())} <= known:
                usual = False
            if not ((arrays and usual) or K is missing or extra):
                found = self._of_kind((q, v, a, j, s, K), (d, J, dK, ddK), more)
                if found is not None:
                    return made(ElasticMotion, found)
            if type(K) is not array or extra or K.tobytes() not in right_K:
                if K is missing or extra or type(K) is Spring:
                    drives = dict(zip(DRIVES[1:], (d, J, dK, ddK), strict=True))
                    return self._other((q, v, a, j, s, K, *extra), drives, more)
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
                K, d, J, dK, ddK = self._narrowed((q, v, a, j, s), more, (K, d, J, dK, ddK))
            if more and more.get("out") is not None:
                check_out(more["out"], self.title)
            found = call(q, v, a, j, s, K, d, J, dK, ddK, **more)
            if bare is not None:
                found[0][bare] = np.nan  # files and symbols have zeros there
            return made(ElasticMotion, found)

        return elastic_inverse_dynamics

    def _of_kind(self, args: tuple[Any, ...], drives: tuple[Any, ...], more: dict[str, Any]) -> Any:
        """The call with arrays of another library, if they are such."""
        kind = kinds.find_kind((*args, *drives, *more.values()))
        named = {**dict(zip(DRIVES[1:], drives, strict=True)), **more}
        return None if kind is None else kind.call(self, args, named)

    def _resolve_options(self, args: tuple[Any, ...], options: dict[str, Any]) -> ResolvedCall:
        """The drives' numbers as other libraries' calls give them: zero where nothing is said."""
        given = dict(zip(self.definition.arguments, args, strict=False)) | options
        if isinstance(given.get("stiffness"), Spring):
            raise TypeError(
                f"{self.title}: springs given by their law are for NumPy's arrays; here stiffness"
                " must be numbers"
            )
        for name in DRIVES:
            x = given.get(name, _MISSING)
            if x is None or (x is _MISSING and name != "stiffness"):
                x = 0.0
            if isinstance(x, (float, int, list, tuple, np.ndarray)):
                # as plain numbers, which have no say in the precision
                given[name] = self.drives.number(name, x).tolist()
        state = tuple(given.pop(name) for name in self.definition.arguments if name in given)
        return ResolvedCall(self, state, given)

    def _narrowed(
        self, state: tuple[Any, ...], more: dict[str, Any], numbers: tuple[np.ndarray, ...]
    ) -> tuple[np.ndarray, ...]:
        """The drives' numbers in the precision of the state and the forces."""
        given = dict(zip("qvajs", state, strict=True))
        given |= {name: x for name, x in more.items() if name in self.definition.optional}
        arrays = [
            plain(x, f"{self.title}: argument '{name}'")
            for name, x in given.items()
            if x is not None and x is not _MISSING
        ]
        with np.errstate(over="ignore"):  # what is past float32 is as good as rigid
            return tuple(x.astype(precision(arrays), copy=False) for x in numbers)

    def _other(
        self, args: tuple[Any, ...], drives: dict[str, Any], more: dict[str, Any]
    ) -> ElasticMotion:
        """A call that cannot be, or one with springs given by their law, which no kernel knows."""
        given = [x for x in args if x is not _MISSING]
        try:
            bound = self._make_signature().bind(*given, **drives, **more)
        except TypeError as error:
            named = {**drives, **more}
            text = describe_mismatch(self.title, self._make_signature(), tuple(given), named)
            raise TypeError(text) from error
        values = {name: x for name, x in bound.arguments.items() if x is not None}
        spring, out = values.pop("stiffness"), values.pop("out", None)
        damping, motor_inertia, *rates = (values.pop(name, 0.0) for name in DRIVES[1:])
        state, *levels = link_forces(self.links, self.title, values)
        x = undamped(self.drives, (spring, *rates), levels, self.title)
        motion = self.drives.motion(state, levels[0], x, damping, motor_inertia)
        return stored_motion(motion, out, self.title)


def undamped(
    drives: Drives, stiffness: Sequence[Any], forces: Sequence[np.ndarray], title: str
) -> tuple[np.ndarray, ...]:
    """x, x', x'' of springs without damping: a stiffness with its rates, or a Spring with zeros."""
    spring, *rates = stiffness
    if not isinstance(spring, Spring):
        names = ("stiffness", "dstiffness", "ddstiffness")
        numbers = [drives.numbers(name, x) for name, x in zip(names, stiffness, strict=True)]
        return deflection(forces, numbers)
    if any(np.any(x) for x in rates):
        raise ArgumentError(
            f"{title}: dstiffness and ddstiffness are for a stiffness; the law of a Spring does not"
            " change in time"
        )
    return spring.deflection(drives, forces, title)


def link_forces(
    links: Rates, title: str, values: dict[str, Any]
) -> tuple[list[np.ndarray], np.ndarray, np.ndarray, np.ndarray]:
    """The state as arrays whose leading axes broadcast, and tau with its two time derivatives.

    links: inverse_dynamics.rates(2). values: its arguments by name, and forces that are given.
    """
    row, sizes = links.definition, links.robot.sizes
    if not {*values} <= {*row.arguments, *row.optional}:
        links(**values)  # says which are there
    cores = {name: core_shape(argument(name).shape, sizes) for name in values}
    _, arrays = broadcast_arguments(title, values, cores)
    found = dict(zip(values, arrays, strict=True))
    return [found[name] for name in "qvajs"], *links(**found)


def elastic_inverse_dynamics(robot: Robot | Mechanism, *args: Any, **named: Any) -> ElasticMotion:
    """`robot.elastic_inverse_dynamics(...)`; see `ElasticInverseDynamics`."""
    return robot.elastic_inverse_dynamics(*args, **named)
