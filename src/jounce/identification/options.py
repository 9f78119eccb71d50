"""Options of `identify`: types, defaults and checks.

They are documented in the docstring of `jounce.identify`, which the command line shows too.
"""

# without "from __future__ import annotations": the types of the options are read here
import inspect
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args, get_origin

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import warn

if TYPE_CHECKING:
    from jounce.robot import Robot
    from jounce.solve.mechanism import Mechanism

Method = Literal["ols", "wls", "tls", "consistent", "log-cholesky"]
Metric = Literal["euclidean", "bregman", "geodesic"]
Robust = Literal["huber"]

#: Maximum number of blocks for cross-validation; each needs separate factors and a fit.
_MAX_FOLDS = 1000


@dataclass(frozen=True, eq=False, kw_only=True)
class FitOptions:
    """Options of the fit."""

    method: Method = "consistent"
    friction: bool = False
    armature: bool = False
    offset: bool = False
    smoothing: float = 0.0
    fixed: Sequence[str] = ()
    prior: "Robot | Mechanism | ArrayLike | None" = None
    metric: Metric = "euclidean"
    regularization: float = 1e-2
    weights: ArrayLike | None = None
    robust: Robust | None = None
    folds: int = 5

    def __post_init__(self) -> None:
        for option in list_options():
            value = getattr(self, option.name)
            if option.choices and value not in option.allowed_values:
                allowed = ", ".join(map(str, option.allowed_values))
                raise ValueError(f"{option.name}: choose one of {allowed}, found {value!r}")
        if self.method == "log-cholesky":
            warn(
                "method 'log-cholesky' is deprecated; use 'consistent', which has the same optimum",
                DeprecationWarning,
            )
            object.__setattr__(self, "method", "consistent")
        if not (np.isfinite(self.regularization) and self.regularization > 0.0):
            raise ValueError(f"regularization: expected > 0, found {self.regularization!r}")
        if not (np.isfinite(self.smoothing) and self.smoothing >= 0.0):
            raise ValueError(f"smoothing: expected a speed >= 0, found {self.smoothing!r}")
        if isinstance(self.folds, bool) or self.folds not in range(_MAX_FOLDS + 1):
            raise ValueError(
                f"folds: expected an integer from 0 to {_MAX_FOLDS}, found {self.folds!r}"
            )
        object.__setattr__(self, "folds", int(self.folds))


@dataclass(frozen=True, eq=False, kw_only=True)
class Options(FitOptions):
    """All options of `identify`: of the fit, and of the data."""

    columns: Mapping[str, str] | None = None
    units: Mapping[str, str] | None = None
    degrees: bool = False
    torque_scale: float = 1.0
    time_scale: float = 1.0
    rate: float | None = None
    cutoff: float | None = None
    momentum: bool = False
    client: Any = None
    keep: str | os.PathLike[str] | None = None
    skip_broken: bool = False
    trust_units: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("rate", "cutoff"):
            value = getattr(self, name)
            if value is not None and not (np.isfinite(value) and value > 0.0):
                raise ValueError(f"{name}: expected a frequency in Hz, found {value!r}")


class Option(NamedTuple):
    """Name, default, type (without None) and, if the type is a Literal, choices of an option."""

    name: str
    default: Any
    type: Any
    choices: tuple[str, ...]

    @property
    def allowed_values(self) -> tuple[str | None, ...]:
        """All allowed values: the choices, and the default if it is not one of them."""
        return self.choices if self.default in self.choices else (self.default, *self.choices)


def list_options(owner: type[Any] = Options) -> list[Option]:
    """Return the options of a class, in order."""
    out = []
    for field in fields(owner):
        kind: Any = field.type
        if type(None) in get_args(kind):
            kind = get_args(kind)[0]
        choices = get_args(kind) if get_origin(kind) is Literal else ()
        out.append(Option(field.name, field.default, kind, choices))
    return out


def describe_parameters(function: Any) -> dict[str, str]:
    """Return the descriptions of parameters in a numpydoc docstring, each as one line."""
    section = re.search(
        r"^Parameters\n-+\n(.*?)(?:^\w+\n-+\n|\Z)", inspect.getdoc(function) or "", re.M | re.S
    )
    out: dict[str, str] = {}
    names: list[str] = []
    for line in (section[1] if section else "").splitlines():
        if line[:1].strip():
            names = [name.strip() for name in line.partition(":")[0].split(",")]
        for name in names:
            text = line.strip() if line.startswith(" ") else ""
            out[name] = f"{out.get(name, '')} {text}".strip()
    return out
