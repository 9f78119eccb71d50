"""One robot at one random state, and what tests ask of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jounce.catalog.arguments import argument, rate_name
from jounce.catalog.charts import CONFIGURATION
from jounce.catalog.derivative import derivative
from jounce.catalog.quantity import AnyQuantity
from jounce.catalog.tables import FRAME, ROBOT
from jounce.formulas.motions import time_derivatives
from jounce.model.model import Model
from jounce.model.tree import Tree
from jounce.robot import Robot
from support.helpers import (
    STEP,
    joined,
    numbers,
    objects,
    own_argument,
    parts_of,
    random_argument,
    slope,
)
from support.robots import rate

#: Quantities that solve with the mass matrix and lose digits in proportion to its condition.
SOLVING = tuple(name for name, row in (ROBOT | FRAME).items() if row.solves)


class Case:
    """A model at a random state, and the catalog's formulas there, on any scalar.

    at: one sample of every argument of the catalog, and of its time derivatives up to `order`, by
    name. The same as object arrays, on which formulas run, are attributes: case.q, case.v, ...
    lumped: `value` is on the lumped tree where the quantity's kernel is.
    """

    def __init__(
        self, model: Model, seed: int = 0, *, order: int = 3, lumped: bool = False
    ) -> None:
        self.model, self.robot, self.seed = model, Robot(model), seed
        self.tree: Tree = self.robot.tree
        self.lumped = lumped
        self.rng = np.random.default_rng(seed)
        names = ["q", *(rate_name("q", k) for k in range(1, order + 3)), "tau"]
        pushed = ("w", "wrenches", "v_r", "a_r")
        names += [*(rate_name(n, k) for n in pushed for k in range(order + 1)), "lam"]
        self.at = {name: random_argument(name, self.robot, self.rng) for name in names}
        #: Beside the last body's frame, where a model has `with_frames`.
        self.frame = len(self.robot.model.frame_names) - 2
        self._known: dict[Any, np.ndarray] = {}

    def __getattr__(self, name: str) -> np.ndarray:
        if name in self.__dict__.get("at", ()):
            return objects(self.at[name])
        raise AttributeError(name)

    @property
    def nv(self) -> int:
        return self.robot.nv

    @property
    def state(self) -> tuple[Tree, np.ndarray, np.ndarray, np.ndarray]:
        """The tree with q, v, a: what most formulas take."""
        return self.tree, self.q, self.v, self.a

    def levels(self, name: str) -> list[np.ndarray]:
        """An argument and its time derivatives, as far as there are any."""
        found = (rate_name(name, k) for k in range(len(self.at)))
        return [objects(self.at[x]) for x in found if x in self.at]

    @property
    def rates(self) -> list[np.ndarray]:
        """The velocity and its time derivatives."""
        return self.levels("q")[1:]

    # -------------------------------------------------------------- quantities

    def sample(self, row: AnyQuantity, name: str) -> np.ndarray:
        """One sample of an argument of a row, which `at` may have or not, as the row's own."""
        if name in self.at and name not in row.argument_definitions:
            return self.at[name]
        return own_argument(name, row, self.robot, self.seed)

    def given(self, row: AnyQuantity, **changed: Any) -> list[Any]:
        """The arguments of a row, of which some may be replaced."""
        return [changed[x] if x in changed else objects(self.sample(row, x)) for x in row.arguments]

    def evaluate(
        self,
        row: AnyQuantity,
        tree: Tree | None = None,
        *,
        frame: str | None = None,
        lump: bool = False,
        **changed: Any,
    ) -> Any:
        """The row's formula, on another tree or with other arguments if there are any.

        lump: on the lumped tree where the row's kernel is.
        """
        tree = self.tree if tree is None else tree
        tree = tree.lumped if lump and row.joint_space else tree
        index = self.frame if frame is None else self.model.frame_index(frame)
        return row.formula(tree, *self.given(row, **changed), *((index,) if row.of_frame else ()))

    def value(self, name: str, frame: str | None = None) -> np.ndarray:
        """A quantity or derivative ("mass_matrix.dq") as numbers, evaluated once; `joined`."""
        key = name, frame
        if key not in self._known:
            base, _, suffix = name.partition(".")
            row = ROBOT[base] if base in ROBOT and frame is None else FRAME[base]
            row = derivative(row, suffix) if suffix else row
            found = self.evaluate(row, frame=frame, lump=self.lumped)
            self._known[key] = numbers(joined(parts_of(row, found)))
        return self._known[key]

    def row(self, row: AnyQuantity, *arguments: Any, frame: str | None = None) -> np.ndarray:
        """A row's formula on other arguments, as numbers."""
        extra = () if frame is None else (self.model.frame_index(frame),)
        return numbers(row.formula(self.tree, *map(objects, arguments), *extra))

    def rate(self, formula: Callable[..., Any], *rates: Any) -> np.ndarray:
        """First time derivative of formula(tree, q[, v[, a]]), by Taylor series of q."""
        levels = time_derivatives(formula, self.tree, self.q, list(map(objects, rates)), 1)
        return numbers(levels[1])

    @property
    def frames(self) -> list[str]:
        """The first, the last, and those not on a body's own frame."""
        names = self.robot.model.frame_names
        return list(dict.fromkeys((names[0], names[-1], *names[-3:])))

    def tolerance(self, name: str, rounding: float = 2e-15) -> float:
        """1e-12, or for quantities that solve `rounding` for each unit of M's condition number."""
        if name.partition(".")[0] not in SOLVING:
            return 1e-12
        return max(1e-12, rounding * float(np.linalg.cond(self.value("mass_matrix"))))

    @property
    def solving(self) -> float:
        """What may be asked of one solution with M."""
        return self.tolerance("forward_dynamics", 1e-15)

    # -------------------------------------------------------------- complex steps

    def moved(self, name: str, direction: Any, row: AnyQuantity | None = None) -> np.ndarray:
        """An argument, of a row, one complex step along a direction; q along a velocity."""
        at = objects(self.at[name] if row is None else self.sample(row, name))
        chart = (argument(name) if row is None else row.argument(name)).chart
        direction = objects(direction)
        step = rate(self.model, at, direction) if chart is CONFIGURATION else direction
        return np.asarray(at + complex(0.0, STEP) * step, dtype=object)

    def along(self, f: Callable[[Any], Any], direction: Any, name: str = "q") -> np.ndarray:
        """Derivative of f(argument) along a direction of it."""
        return slope(f(self.moved(name, direction)))
