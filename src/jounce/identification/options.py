"""What `identify` can be asked for: each option once, for the function and for the command line.

The annotation of an option holds its type, what it means, and how help calls its value.
"""

# without "from __future__ import annotations": they are read here
import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from textwrap import fill
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Concatenate,
    Literal,
    NamedTuple,
    ParamSpec,
    TypeVar,
    get_args,
    get_origin,
)

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from jounce.mechanism.robot import Mechanism
    from jounce.robot import Robot

Method = Literal["ols", "wls", "tls", "consistent", "log-cholesky"]
Metric = Literal["euclidean", "bregman", "geodesic"]
Robust = Literal["huber"]

#: Blocks of time for cross-validation: each has factors of its own, and a fit.
_MOST_FOLDS = 1000


@dataclass(frozen=True, eq=False, kw_only=True)
class FitOptions:
    """What is identified, and how."""

    method: Annotated[
        Method,
        "least squares: ordinary, weighted by the noise of each torque (iterated), total (errors in"
        " the regressor too), or weighted over the physically consistent bodies, by an"
        " interior-point method or in coordinates without constraints. The first three find the"
        " base parameters and change the others as little as possible",
    ] = "consistent"
    friction: Annotated[
        bool, "viscous and Coulomb friction too, which otherwise are the robot's own"
    ] = False
    armature: Annotated[bool, "rotor inertias too, which otherwise are the robot's own"] = False
    offset: Annotated[bool, "constant torques too (reported only)"] = False
    smoothing: Annotated[
        float, "speed below which Coulomb friction fades, in rad/s or m/s", "SPEED"
    ] = 0.0
    fixed: Annotated[
        Sequence[str],
        "links that keep their parameters; those without mass do anyway, unless none has any",
        "LINK",
    ] = ()
    prior: Annotated[
        "Robot | Mechanism | ArrayLike | None",
        "robot with the parameters to stay close to, or these (nb, 10); by default the robot"
        " itself",
        "URDF",
    ] = None
    metric: Annotated[Metric, "distance to the prior (geodesic: for log-cholesky)"] = "euclidean"
    regularization: Annotated[
        float,
        "weight of the prior: its parameters are worth as much as a measurement with a relative"
        " deviation of 1 / sqrt(regularization)",
        "WEIGHT",
    ] = 1e-2
    weights: Annotated[
        "ArrayLike | None",
        "of the torques (nv,), 1 / their standard deviations; by default those of the residuals",
        "W,W,...",
    ] = None
    robust: Annotated[
        Robust | None,
        "bound the pull of wrong torques by Huber's weights: those beyond 1.345 standard deviations"
        " of the noise count in proportion to 1 / their residual, beyond 8 not at all. Residuals"
        " are weighted too, and the data are read a few times more. Without it such torques are a"
        " warning that names the rows",
    ] = None
    folds: Annotated[int, "blocks of time for cross-validation; 0: none", "N"] = 5

    def __post_init__(self) -> None:
        for option in described():
            value = getattr(self, option.name)
            if option.choices and value not in option.allowed:
                told = ", ".join(map(str, option.allowed))
                raise ValueError(f"{option.name}: choose one of {told}, found {value!r}")
        if self.method == "consistent" and self.metric == "geodesic":
            raise ValueError(
                "metric: the geodesic distance is not convex; choose method='log-cholesky', or"
                " metric='bregman'"
            )
        if not (np.isfinite(self.regularization) and self.regularization > 0.0):
            raise ValueError(f"regularization: expected > 0, found {self.regularization!r}")
        if not (np.isfinite(self.smoothing) and self.smoothing >= 0.0):
            raise ValueError(f"smoothing: expected a speed >= 0, found {self.smoothing!r}")
        if isinstance(self.folds, bool) or self.folds not in range(_MOST_FOLDS + 1):
            raise ValueError(
                f"folds: expected an integer from 0 to {_MOST_FOLDS}, found {self.folds!r}"
            )
        object.__setattr__(self, "folds", int(self.folds))


@dataclass(frozen=True, eq=False, kw_only=True)
class Options(FitOptions):
    """All options of `identify`: what and how, and what the data are like."""

    columns: Annotated[
        Mapping[str, str] | None,
        "where measurements are that cannot be recognised, such as tau_elbow='motor 3'",
        "NAME=COLUMN",
    ] = None
    degrees: Annotated[bool, "angles are in degrees"] = False
    torque_scale: Annotated[float, "factor to N m or N (mN m: 1e-3)", "FACTOR"] = 1.0
    time_scale: Annotated[float, "factor to s (ns: 1e-9)", "FACTOR"] = 1.0
    rate: Annotated[float | None, "sampling rate in Hz, if there are no times", "HZ"] = None
    cutoff: Annotated[
        float | None,
        "in Hz, of the low-pass by which accelerations are estimated where there are none, or of"
        " that of the momentum form",
        "HZ",
    ] = None
    momentum: Annotated[bool, "use the filtered momentum form, which needs no accelerations"] = (
        False
    )
    client: Annotated[
        Any,
        "a client of Dask, or the address of its scheduler such as tcp://host:8786, whose workers"
        " read the files and compress each where it lies; 'local' starts some here. All must see"
        " the files under the same names",
        "ADDRESS",
    ] = None
    keep: Annotated[
        str | os.PathLike[str] | None,
        "folder where what each file was compressed to is kept, so that a later run only does what"
        " is missing, after a crash or where there are more files",
        "FOLDER",
    ] = None
    skip_broken: Annotated[
        bool,
        "leave out files that cannot be used, which otherwise are an error; they are named in a"
        " warning and in the report",
    ] = False
    trust_units: Annotated[
        bool, "do not compare the units of files with each other, and take all as they are"
    ] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("rate", "cutoff"):
            value = getattr(self, name)
            if value is not None and not (np.isfinite(value) and value > 0.0):
                raise ValueError(f"{name}: expected a frequency in Hz, found {value!r}")


class Option(NamedTuple):
    """An option in words: its type without None, the choices it leaves, and what help says."""

    name: str
    default: Any
    sort: Any
    choices: tuple[str, ...]
    help: str
    value: str | None = None

    @property
    def allowed(self) -> tuple[str | None, ...]:
        """All choices: its default may be one more."""
        return self.choices if self.default in self.choices else (self.default, *self.choices)

    def __str__(self) -> str:
        among = f" (one of {', '.join(map(repr, self.allowed))})" if self.choices else ""
        text = f"{self.name}={self.default!r}{among}: {self.help}."
        return fill(text, 96, subsequent_indent="    ")


def described(owner: type[FitOptions] = Options) -> list[Option]:
    """The options of a class in words."""
    out = []
    for field in fields(owner):
        sort, text, *value = get_args(field.type)
        if type(None) in get_args(sort):
            sort = get_args(sort)[0]
        choices = get_args(sort) if get_origin(sort) is Literal else ()
        out.append(Option(field.name, field.default, sort, choices, text, *value))
    return out


# ------------------------------------------------------------------ as keywords

Keywords = ParamSpec("Keywords")
Result = TypeVar("Result")


def by_keyword(
    options: Callable[Keywords, Options],
) -> Callable[
    [Callable[["Robot | Mechanism", Any, Options], Result]],
    Callable[Concatenate["Robot | Mechanism", Any, Keywords], Result],
]:
    """A decorator: a function of robot, data and options takes the options as keywords.

    Its signature and its docstring list them; a keyword that is none is a TypeError that does too.
    """
    own = []
    for option in inspect.signature(options).parameters.values():
        sort = get_args(option.annotation)[0]
        own.append(option.replace(annotation=getattr(sort, "__forward_arg__", sort)))

    def decorate(
        work: Callable[["Robot | Mechanism", Any, Options], Result],
    ) -> Callable[Concatenate["Robot | Mechanism", Any, Keywords], Result]:
        robot, data, _ = inspect.signature(work).parameters.values()
        signature = inspect.signature(work).replace(parameters=(robot, data, *own))

        @wraps(work)
        def call(*args: Any, **keywords: Any) -> Result:
            try:
                given = signature.bind(*args, **keywords).arguments
            except TypeError as error:
                names = ", ".join(option.name for option in own)
                raise TypeError(
                    f"{work.__name__}: {error}; expected a robot, data and by keyword {names}"
                ) from None
            return work(given.pop("robot"), given.pop("data"), Options(**given))

        call.__doc__ = "\n".join((f"{inspect.getdoc(work)}\n", *map(str, described())))
        call.__signature__ = signature  # type: ignore[attr-defined]
        call.__annotations__ = {x.name: x.annotation for x in signature.parameters.values()}
        return call

    return decorate
