"""Controllers: control laws of a robot, each compiled as one kernel."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.catalog import (
    Argument,
    Quantity,
    Result,
    Shape,
    Signature,
    Tables,
    Traits,
    argument,
    configuration,
)
from jounce.control.traced_model import TracedModel
from jounce.errors import ArgumentError, suggest
from jounce.model import Tree
from jounce.robot import Robot
from jounce.solve import Mechanism, Subsystem
from jounce.utils import hash_content

#: A control law for one sample: law(model, state, measurement, reference, gains) returns the
#: command, an array, and the new state, a sequence of arrays. Groups of arguments are named tuples.
Law = Callable[[TracedModel, Any, Any, Any, Any], tuple[Any, Any]]

#: Arguments of a group by name, each with its core shape, of numbers and names of sizes.
Arguments = Mapping[str, Shape]

#: Measured by encoders of a rigid robot.
MEASUREMENT: Arguments = {"q": ("nq",), "v": ("nv",)}

#: Reference motions up to the acceleration, and up to the jounce (snap).
MOTION: Arguments = {"q_d": ("nq",), "v_d": ("nv",), "a_d": ("nv",)}
SMOOTH_MOTION: Arguments = {**MOTION, "j_d": ("nv",), "s_d": ("nv",)}

_DOUBLE = np.dtype(np.float64)

_GROUPS = ("state", "measurement", "reference", "gains")


class Controller(Subsystem):
    """A control law of a robot as one compiled kernel.

    `command, state = controller(state, measurement, reference)` is a pure function: leading axes
    broadcast, so that one call serves any number of robots. `function` is the same kernel with flat
    arguments: it has derivatives in all of them (`vjp`, `jvp`), takes arrays of JAX and PyTorch,
    and is what `export` writes.

    Parameters
    ----------
    robot : Robot or Mechanism
        The robot that the law computes with, which need not be the one that is controlled.
    law : callable
        law(model, state, measurement, reference, gains), for one sample, returns the command and
        the new state. The four groups are named tuples; `model` has the quantities of the robot.
        Use `jounce.math` for functions beyond arithmetic.
    gains : mapping of str to array_like
        Parameters of the law with their values.
    state : mapping of str to array_like
        Arrays that the law passes on from call to call, with their initial values.
    measurement : mapping of str to tuple
        Core shapes of what is measured, of numbers and of "nq", "nv" and "nb"; by default q and v.
    reference : mapping of str to tuple
        Core shapes of the reference; by default q_d, v_d and a_d.
    command : tuple
        Core shape of the command; by default ("nv",).
    name : str, optional
        Name of the law, by default that of the function.

    Examples
    --------
    >>> import jounce
    >>> from jounce import control
    >>> def damping(model, state, measurement, reference, gains):
    ...     q, v = measurement
    ...     return model.gravity_forces(q) - gains.d * v, state
    >>> controller = control.Controller(
    ...     jounce.load("kuka_iiwa14"), damping, gains={"d": 2.0}, reference={}
    ... )
    >>> tau, state = controller((), ([0.1] * 7, [0.0] * 7), ())
    >>> tau.shape
    (7,)
    """

    def __init__(
        self,
        robot: Robot | Mechanism,
        law: Law,
        *,
        gains: Mapping[str, ArrayLike],
        state: Mapping[str, ArrayLike] | None = None,
        measurement: Arguments = MEASUREMENT,
        reference: Arguments = MOTION,
        command: Shape = ("nv",),
        name: str | None = None,
    ) -> None:
        name = law_name(law) if name is None else name
        super().__init__(robot, (name,))
        self._law = law
        self._initial = {key: np.asarray(x, dtype=float) for key, x in (state or {}).items()}
        self._gains = {key: np.asarray(x, dtype=float) for key, x in gains.items()}
        self._shapes: dict[str, Arguments] = {
            "state": {key: x.shape for key, x in self._initial.items()},
            "measurement": measurement,
            "reference": reference,
            "gains": {key: x.shape for key, x in self._gains.items()},
        }
        self._command: Shape = command
        self._tables = self._define(name)
        self._prepare()

    def _prepare(self) -> None:
        """Look up what each call needs."""
        self._call: tuple[Any, ...] = (
            self.function,
            tuple(self._gains.values()),
            len(self._shapes["measurement"]),
            len(self._shapes["reference"]),
            bool(self._initial),
        )

    def _define(self, name: str) -> Tables:
        """Return the catalog entry of the law."""
        named = [key for group in _GROUPS for key in self._shapes[group]]
        repeated = {key for key in named if named.count(key) > 1}
        invalid = [key for key in (name, *named) if not key.isidentifier() or key.startswith("_")]
        if repeated or invalid or hasattr(Controller, name) or name in vars(self):
            problem = next(iter((*invalid, *repeated, name)))
            raise ArgumentError(
                f"{self.robot.name}: control law '{name}': expected identifiers, each for one"
                f" argument and no attribute of a controller, found '{problem}'"
            )
        own = {
            key: _describe(key, shape, group)
            for group in _GROUPS
            for key, shape in self._shapes[group].items()
        }
        results = [Result(self._command, "command")]
        results += [Result(shape, f"{key}_next") for key, shape in self._shapes["state"].items()]
        tables = Tables({}, {}, {}, {}, {})
        law = getattr(self._law, "func", self._law)  # of a partial function
        doc = (law.__doc__ or "Control law.").strip().partition("\n")[0]
        traits = Traits(inertial=True)
        takes = Signature(tuple(named), definitions=own)
        tables.insert(Quantity(name, self._formula, takes, tuple(results), doc, "", traits=traits))
        return tables

    def _formula(self, tree: Tree, *inputs: Any) -> Any:
        """Return the command and the new state for one sample of the flat arguments."""
        remaining, groups = iter(inputs), []
        for group in _GROUPS:
            names = tuple(self._shapes[group])
            groups.append(_group(group, names)(*(next(remaining) for _ in names)))
        command, state = self.evaluate_law(TracedModel(self.robot, tree), *groups)
        return (command, *state) if self._shapes["state"] else command

    def evaluate_law(self, model: TracedModel, *groups: Any) -> tuple[Any, Any]:
        """Return the command and the new state of one sample, inside another law.

        Parameters
        ----------
        model : TracedModel
            The robot inside the law.
        *groups : named tuples
            State, measurement, reference and gains.

        Returns
        -------
        tuple
            The command, and the entries of the new state.
        """
        return self._law(model, *groups)

    # -------------------------------------------------------------- calls

    def __call__(
        self, state: tuple[Any, ...], measurement: tuple[Any, ...], reference: tuple[Any, ...]
    ) -> tuple[Any, tuple[Any, ...]]:
        """Return the command and the new state.

        Parameters
        ----------
        state : tuple of array_like
            State of the law, at first `initial_state`; () if it has none.
        measurement : tuple of array_like
            What is measured: (q, v) of most laws. Further entries are ignored, so that the state of
            an elastic robot can be passed to a law of a rigid one.
        reference : tuple of array_like
            What is to be followed: (q_d, v_d, a_d) of most laws. Further entries are ignored, so
            that a motion with jerk and snap can be passed to every law.

        Returns
        -------
        command : ndarray (..., nv)
            Forces (N m, N), or what the law commands.
        state : tuple of ndarray
            The state for the next call.
        """
        function, gains, measured, followed, has_state = self._call
        try:
            if len(measurement) != measured:
                measurement = measurement[:measured]
            if len(reference) != followed:
                reference = reference[:followed]
            values = (*state, *measurement, *reference)
            if values and getattr(values[-1], "dtype", _DOUBLE) is not _DOUBLE:
                gains = _single_gains(values, gains)
            results = function(*values, *gains)
        except (TypeError, ValueError) as error:
            self._explain(error, state, measurement, reference)
            raise
        return (results[0], results[1:]) if has_state else (results, ())

    def _explain(self, error: Exception, *groups: Any) -> None:
        """Raise an error if a group of arguments is incomplete."""
        for name, values in zip(_GROUPS, groups, strict=False):
            wanted = tuple(self._shapes[name])
            if not isinstance(values, tuple | list) or len(values) < len(wanted):
                listed = f"({', '.join(wanted)}{',' if len(wanted) == 1 else ''})"
                actual = len(values) if isinstance(values, tuple | list) else type(values).__name__
                raise ArgumentError(
                    f"{self.name}.{self.call}: {name} must be a tuple {listed}, found {actual}"
                    + (" entries" if isinstance(actual, int) else "")
                ) from error

    def initial_state(self, batch: tuple[int, ...] = ()) -> tuple[np.ndarray, ...]:
        """Return the initial state of the law.

        Parameters
        ----------
        batch : tuple of int
            Leading axes.

        Returns
        -------
        tuple of ndarray
            A new array for each entry of the state.
        """
        return tuple(np.broadcast_to(x, (*batch, *x.shape)).copy() for x in self._initial.values())

    # -------------------------------------------------------------- description

    @property
    def name(self) -> str:
        """The robot's name."""
        return self.robot.name

    @property
    def call(self) -> str:
        """Name of the law."""
        return self.choice[0]

    @property
    def tree(self) -> Tree:
        """The robot's tree."""
        return self.robot.tree

    @property
    def function(self) -> Any:
        """The law as a quantity of flat arguments: state, measurement, reference, gains.

        A `DifferentiableQuantity`, which returns the command, and the new state if there is one. It
        has the name of the law (`quantity(name)`), under which `export` writes it.
        """
        return self.quantity(self.call)

    @property
    def gains(self) -> dict[str, np.ndarray]:
        """Values of the gains, by name."""
        return dict(self._gains)

    @property
    def arguments(self) -> dict[str, tuple[str, ...]]:
        """Names of the arguments by group: state, measurement, reference, gains."""
        return {group: tuple(self._shapes[group]) for group in _GROUPS}

    @property
    def shapes(self) -> dict[str, dict[str, Shape]]:
        """Core shapes of the arguments by group and name, of numbers, "nq", "nv" and "nb"."""
        return {group: dict(self._shapes[group]) for group in _GROUPS}

    def with_gains(self, **gains: ArrayLike) -> Controller:
        """Return the same law with other gains, without compiling it again.

        Parameters
        ----------
        **gains : array_like
            New values; leading axes broadcast against the state.

        Returns
        -------
        Controller
            Controller that shares the compiled kernel.
        """
        changed = dict(self._gains)
        for name, value in gains.items():
            if name not in changed:
                raise ArgumentError(
                    f"{self.name}.{self.call} has no gain '{name}'; {suggest(name, changed)}"
                )
            changed[name] = self._check_gain(name, np.asarray(value, dtype=float))
        other = type(self).__new__(type(self))
        vars(other).update(vars(self) | {"handle": other.handle})
        other._gains = changed
        other._prepare()
        return other

    def _check_gain(self, name: str, x: np.ndarray) -> np.ndarray:
        """Return a gain with its core shape, to which a number is broadcast."""
        shape = self._shapes["gains"][name]
        core = tuple(n for n in shape if isinstance(n, int))
        if x.ndim == 0:
            x = np.broadcast_to(x, core).copy()
        if x.shape[x.ndim - len(core) :] != core:
            raise ArgumentError(
                f"{self.name}.{self.call}: gain '{name}' must be {core}, found {x.shape}"
            )
        return x

    def __add__(self, other: Controller) -> Controller:
        """Return a controller that commands the sum of two, from one kernel.

        Measurements and references of the same name are shared; those of the second controller, its
        states and its gains are appended, the latter two with the name of its law if they would
        repeat one of the first.
        """
        if not isinstance(other, Controller):
            return NotImplemented
        if other.robot is not self.robot or other._command != self._command:
            raise ArgumentError(
                f"expected two controllers of one robot with commands of one shape, found"
                f" '{self.name}.{self.call}' and '{other.name}.{other.call}'"
            )
        merged: dict[str, dict[str, Any]] = {
            "state": dict(self._initial),
            "gains": dict(self._gains),
            "measurement": dict(self._shapes["measurement"]),
            "reference": dict(self._shapes["reference"]),
        }
        names: dict[str, dict[str, str]] = {group: {} for group in _GROUPS}
        values = {"state": other._initial, "gains": other._gains}
        for group in _GROUPS:
            shared = group in ("measurement", "reference")
            for key in other._shapes[group]:
                repeated = key in merged[group] and not shared
                names[group][key] = new = f"{other.call}_{key}" if repeated else key
                merged[group].setdefault(new, values.get(group, other._shapes[group])[key])
        law = _SumOfLaws(self, other, names)
        name = f"{self.call}_and_{other.call}"
        return Controller(self.robot, law, **merged, command=self._command, name=name)

    @property
    def content_hash(self) -> str:
        """A hash of its content, the same in every process."""
        tape = self.function.kernel.tape.digest()
        return hash_content("controller", self.robot.content_hash, self.call, tape)

    def __reduce__(self) -> Any:
        named = {
            "gains": self._gains,
            "state": self._initial,
            "measurement": self._shapes["measurement"],
            "reference": self._shapes["reference"],
            "command": self._command,
            "name": self.call,
        }
        return _restore, (type(self), self.robot, self._law, named)

    def __repr__(self) -> str:
        groups = self.arguments
        listed = "; ".join(f"{group}: {', '.join(groups[group]) or 'none'}" for group in _GROUPS)
        return f"<controller '{self.name}.{self.call}' ({listed})>"

    def __str__(self) -> str:
        return repr(self)


def per_joint(robot: Robot | Mechanism, **values: ArrayLike) -> dict[str, np.ndarray]:
    """Return numbers as arrays with one entry for each velocity, (..., nv).

    Parameters
    ----------
    robot : Robot or Mechanism
        The robot.
    **values : array_like (..., nv) or float
        Gains by name.

    Returns
    -------
    dict of str to ndarray
        The arrays.

    Raises
    ------
    ArgumentError
        If a shape is wrong, or a number is not finite.
    """
    gains = {}
    for name, value in values.items():
        x = np.asarray(value, dtype=float)
        if x.ndim and x.shape != (robot.nv,):
            raise ArgumentError(
                f"{robot.name}: gain '{name}' must be a number or have shape ({robot.nv},), found"
                f" shape {x.shape}; with_gains takes batches"
            )
        if not np.isfinite(x).all():
            raise ArgumentError(f"{robot.name}: gain '{name}' must be finite, found {x}")
        gains[name] = np.broadcast_to(x, (robot.nv,)).copy()
    return gains


def law_name(law: Law) -> str:
    """Return the name of a law: that of the function, also of a partial one."""
    return getattr(getattr(law, "func", law), "__name__", type(law).__name__)


def _single_gains(values: tuple[Any, ...], gains: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
    """Return gains that do not widen calls in float32 of any array library."""
    dtypes = [str(getattr(x, "dtype", "float32")) for x in values]
    if all(dtype.endswith("float32") for dtype in dtypes):
        return tuple(x.astype(np.float32) for x in gains)
    return gains


class _SumOfLaws:
    """Law that adds the commands of two controllers.

    names: for each group, the argument that each argument of the second law is called.
    """

    def __init__(
        self, first: Controller, second: Controller, names: dict[str, dict[str, str]]
    ) -> None:
        self.first, self.second, self.names = first, second, names
        self.__doc__ = f"Sum of {first.call} and {second.call}."

    def __call__(self, model: TracedModel, *groups: Any) -> tuple[Any, Any]:
        """Return the sum of the commands, and the states of both laws."""
        of_first, of_second = [], []
        for group, values in zip(_GROUPS, groups, strict=True):
            own, renamed = self.first.arguments[group], self.names[group]
            of_first.append(_group(group, own)(*(getattr(values, key) for key in own)))
            picked = (getattr(values, key) for key in renamed.values())
            of_second.append(_group(group, tuple(renamed))(*picked))
        command, state = self.first.evaluate_law(model, *of_first)
        added, further = self.second.evaluate_law(model, *of_second)
        return command + added, (*state, *further)


def _group(name: str, arguments: tuple[str, ...]) -> Any:
    """Return the class of named tuples of a group of arguments."""
    return namedtuple(name.capitalize(), arguments)


def _describe(name: str, shape: Shape, group: str) -> Argument:
    """Return the definition of an argument."""
    if name in ("q", "v") and group == "measurement":
        return argument(name)
    if shape == ("nq",):
        return configuration(f"{group}: configuration")
    return Argument(shape, group)


def _restore(
    kind: type[Controller], robot: Robot | Mechanism, law: Law, named: dict[str, Any]
) -> Controller:
    """Unpickle a controller."""
    return kind(robot, law, **named)
