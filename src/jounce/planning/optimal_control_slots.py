"""Iterates of several optimal control problems, and the expansions of all their knots.

A slot holds a problem until it is solved. The expansions of all slots are in buffers that are
evaluated by one call of a kernel for each kind of knots, and that the Riccati recursion reads.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from jounce.planning.optimal_control_rollout import Rollout, join_rows
from jounce.planning.optimal_control_stage import Stage
from jounce.planning.riccati import Riccati

#: Number of entries of expansions that stay in the cache of a processor.
_CACHED_ENTRIES = 200_000

#: First penalty of constraints.
_MIN_PENALTY = 1e1

Arrays = dict[str, np.ndarray]


class Layout(NamedTuple):
    """Kinds of knots, with the knots of each, and the tangents of the states by name."""

    stages: tuple[Stage, ...]
    knots: tuple[slice, ...]
    steps: int


@dataclass
class Work:
    """Problems to solve, and their results, with the problem as the first axis."""

    states: Arrays
    u: np.ndarray
    parameters: Arrays
    limits: tuple[np.ndarray, np.ndarray] | None
    gains: np.ndarray
    cost: np.ndarray
    defect: np.ndarray
    violation: np.ndarray
    iterations: np.ndarray
    reason: np.ndarray
    history: list[list[tuple[float, ...]]]

    @classmethod
    def create(
        cls,
        states: Arrays,
        u: np.ndarray,
        parameters: Arrays,
        limits: tuple[np.ndarray, np.ndarray] | None,
        nx: int,
    ) -> Work:
        """Return work without results.

        Parameters
        ----------
        states, u, parameters, limits
            Fields of the same name.
        nx : int
            Size of the state's tangent space.

        Returns
        -------
        Work
            Work.
        """
        count = len(u)
        return cls(
            states,
            u,
            parameters,
            limits,
            gains=np.zeros((*u.shape, nx)),
            cost=np.zeros(count),
            defect=np.zeros(count),
            violation=np.zeros(count),
            iterations=np.zeros(count, dtype=int),
            reason=np.full(count, "", dtype=object),
            history=[[] for _ in range(count)],
        )


@dataclass
class Slot:
    """State of the iteration of one problem."""

    problem: int
    iteration: int = 0
    levenberg: float = 0.0
    violation: float = np.inf
    history: list[tuple[float, ...]] = field(default_factory=list)


class Slots:
    """Iterates and expansions of the problems that a thread works on.

    Parameters
    ----------
    layout : Layout
        Kinds of knots.
    work : Work
        Problems and results.
    """

    def __init__(self, layout: Layout, work: Work) -> None:
        self.layout, self.work = layout, work
        first = layout.stages[0]
        self.names, self.nv, self.links = first.state, first.system.nv, first.links
        lengths = [knots.stop - knots.start for knots in layout.knots]
        patterns = [stage.pattern for stage in layout.stages]
        kinds = np.repeat(np.arange(len(lengths)), lengths).tolist()
        self.riccati = Riccati(patterns, kinds, first.nx, first.nu)
        entries = sum(
            length * len(pattern.rows) for length, pattern in zip(lengths, patterns, strict=True)
        )
        self.capacity = max(1, _CACHED_ENTRIES // entries)
        self.rollouts = [Rollout(stage) for stage in layout.stages if not stage.functions.is_last]
        self.exact = first.exact
        self.slots: list[Slot] = []
        self.states: Arrays = {}
        self.u = np.zeros(0)
        self.parameters: Arrays = {}
        self.extra: Arrays = {}
        self.data: list[np.ndarray] = []
        self.trial: list[np.ndarray] = []

    # -------------------------------------------------------------- evaluation

    def _inputs(
        self, k: int, states: Arrays, u: np.ndarray, parameters: Arrays, extra: Arrays
    ) -> list[Any]:
        """Return the arguments of the kernel of a stage, with axes (..., knots)."""
        stage, knots = self.layout.stages[k], self.layout.knots[k]
        after = slice(knots.start + 1, knots.stop + 1)
        inputs = []
        for name in stage.arguments:
            if name in states:
                inputs.append(states[name][..., knots, :])
            elif name == "u":
                inputs.append(u[..., knots, :])
            elif name == "costate":
                inputs.append((extra["curvature"][:, None] * extra["costate"])[..., after, :])
            elif name == "curvature":
                inputs.append(extra["curvature"])
            elif name in ("offsets", "root_penalty"):
                inputs.append(extra[f"{name}_{k}"])
            elif name in parameters:
                x = parameters[name]
                inputs.append(x[:, knots] if x.shape[1] > 1 else x)
            else:
                inputs.append(states[name.removesuffix("_next")][..., after, :])
        return inputs

    def evaluate(
        self,
        name: str,
        states: Arrays,
        u: np.ndarray,
        parameters: Arrays,
        extra: Arrays,
        out: list[np.ndarray] | None = None,
    ) -> list[np.ndarray]:
        """Return values or expansions of all knots, an array (..., knots, count) per stage."""
        results = []
        for k, stage in enumerate(self.layout.stages):
            options = {} if out is None else {"out": out[k]}
            inputs = self._inputs(k, states, u, parameters, extra)
            results.append(stage.quantity(name)(*inputs, **options))
        return results

    def sum_merits(self, values: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return costs, sums and maxima of defects (...) of values or expansions."""
        cost: Any = 0.0
        total: Any = 0.0
        largest: Any = 0.0
        for stage, x in zip(self.layout.stages, values, strict=True):
            cost = cost + x[..., 0].sum(axis=-1)
            if not stage.functions.is_last:
                defects = np.abs(x[..., 1 : 1 + stage.nx])
                total = total + defects.sum(axis=(-1, -2))
                largest = np.maximum(largest, defects.max(axis=(-1, -2)))
        return cost, total, largest

    def roll_out(
        self, chosen: list[int], fractions: np.ndarray, policy: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return trials of the line search and their costs.

        Parameters
        ----------
        chosen : list of int
            Slot of each trial.
        fractions : ndarray (trials,)
            Step lengths.
        policy : ndarray (slots, knots - 1, nu, width)
            Feedback of all slots.

        Returns
        -------
        rows : ndarray (trials, knots, count)
            State of each knot, and control and cost of the one before.
        cost : ndarray (trials,)
            Costs.
        """
        picked: Any = [chosen[0]] if chosen[0] == chosen[-1] else chosen
        if picked == list(range(len(self.slots))):
            picked = slice(None)
        states = {name: x[picked] for name, x in self.states.items()}
        u, gains = self.u[picked], policy[picked]
        parameters = {name: x[picked] for name, x in self.parameters.items()}
        low, high = self._limit_arrays(picked)
        start = join_rows(states, self.names)
        size, nu = start.shape[2], u.shape[2]
        nx = len(self.names) * self.nv
        rows = np.empty((len(chosen), start.shape[1], size + nu + 1))
        rows[:, 0, :size] = start[:, 0]
        for k, (stage, knots) in enumerate(zip(self.layout.stages, self.layout.knots, strict=True)):
            if stage.functions.is_last:
                continue
            after = slice(knots.start + 1, knots.stop + 1)
            operands = self.split_rows(rows[:, knots])[0]
            operands |= {f"{name}_iterate": x[:, knots] for name, x in states.items()}
            operands |= {f"{name}_next": x[:, after] for name, x in states.items()}
            for name, x in parameters.items():
                operands[name] = x[:, knots] if x.shape[1] > 1 else x
            for name in ("offsets", "root_penalty"):
                if f"{name}_{k}" in self.extra:
                    operands[name] = self.extra[f"{name}_{k}"][picked]
            operands["u"] = u[:, knots]
            operands["gain"] = gains[:, knots, :, nu : nu + nx]
            operands["feedforward"] = gains[:, knots, :, nu + nx]
            operands["fraction"] = fractions[:, None]
            operands["gap"] = self.data[k][picked][..., 1 : 1 + nx]
            operands["low"], operands["high"] = low[:, knots], high[:, knots]
            self.rollouts[k].run(operands, rows[:, after])
        last, moved = len(self.layout.stages) - 1, self.split_rows(rows)[0]
        inputs = self._inputs(last, moved, u, *self.select(chosen))
        final = self.layout.stages[last].quantity("value")(*inputs)[..., 0]
        return rows, rows[:, 1:, -1].sum(axis=1) + final.sum(axis=-1)

    def split_rows(self, rows: np.ndarray) -> tuple[Arrays, np.ndarray]:
        """Return the states (..., knots, n) and controls (..., knots - 1, nu) of rows of trials.

        Parameters
        ----------
        rows : ndarray (..., knots, count)
            Rows, see `roll_out`.

        Returns
        -------
        states : dict of str to ndarray
            States by name.
        u : ndarray
            Controls.
        """
        states, place = {}, 0
        for name in self.names:
            width = self.states[name].shape[-1]
            states[name] = rows[..., place : place + width]
            place += width
        return states, rows[..., 1:, place:-1]

    def _limit_arrays(self, picked: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return the limits of controls of some slots (slots, knots - 1, nu)."""
        if self.work.limits is None:
            none = np.full((1, *self.u.shape[1:]), np.inf)
            return -none, none
        problems = np.array([slot.problem for slot in self.slots])[picked]
        low, high = (x[problems] for x in self.work.limits)
        shape = (len(problems), *self.u.shape[1:])
        return np.broadcast_to(low, shape), np.broadcast_to(high, shape)

    # -------------------------------------------------------------- slots

    def load(self, pending: Iterator[int]) -> list[int]:
        """Fill free slots; return those that are new."""
        new = []
        while len(self.slots) < self.capacity:
            problem = next(pending, None)
            if problem is None:
                break
            new.append(len(self.slots))
            self.slots.append(Slot(problem))
        if new:
            self._gather(new)
        return new

    def _gather(self, new: list[int]) -> None:
        """Copy the iterates of new problems, and the parameters of all."""
        work, added = self.work, [self.slots[k].problem for k in new]
        problems = [slot.problem for slot in self.slots]
        old = len(problems) - len(new)

        def join(now: np.ndarray, every: np.ndarray) -> np.ndarray:
            return every[added] if not old else np.concatenate((now, every[added]))

        self.states = {x: join(self.states.get(x, self.u), work.states[x]) for x in self.names}
        self.u = join(self.u, work.u)
        self.parameters = {name: x[problems] for name, x in work.parameters.items()}
        nx = len(self.names) * self.nv
        first = {
            "costate": np.zeros((len(new), self.layout.steps + 1, nx)),
            "curvature": np.zeros((len(new), 1)),
        }
        for k, (stage, knots) in enumerate(zip(self.layout.stages, self.layout.knots, strict=True)):
            count, length = sum(stage.counts[2:]), knots.stop - knots.start
            if count:
                first[f"offsets_{k}"] = np.zeros((len(new), length, count))
                first[f"root_penalty_{k}"] = np.full((len(new), length), _MIN_PENALTY**0.5)
        self.extra = {
            name: np.concatenate((self.extra[name], x)) if old else x for name, x in first.items()
        }
        shapes = [
            (len(problems), knots.stop - knots.start, len(stage.pattern.rows))
            for stage, knots in zip(self.layout.stages, self.layout.knots, strict=True)
        ]
        data = [np.empty(shape) for shape in shapes]
        for now, then in zip(data, self.data, strict=False):
            now[:old] = then[:old]
        self.data, self.trial = data, [np.empty(shape) for shape in shapes]
        self._find_addresses()

    def keep(self, kept: list[int]) -> None:
        """Keep some slots only."""
        self.slots = [self.slots[k] for k in kept]
        for arrays in (self.states, self.parameters, self.extra):
            for name in arrays:
                arrays[name] = arrays[name][kept]
        self.u = self.u[kept]
        self.data = [x[kept] for x in self.data]
        self.trial = [x[kept] for x in self.trial]
        self._find_addresses()

    def _find_addresses(self) -> None:
        """Find where the expansions of all knots are, in both sets of buffers."""
        self.addresses, self.trial_addresses = (
            np.ascontiguousarray(
                np.concatenate(
                    [
                        x.ctypes.data
                        + x.strides[0] * np.arange(x.shape[0])[:, None]
                        + x.strides[1] * np.arange(x.shape[1])
                        for x in buffers
                    ],
                    axis=1,
                )
            )
            for buffers in (self.data, self.trial)
        )

    def swap(self) -> None:
        """Exchange the expansions of the iterates and of the trial."""
        self.data, self.trial = self.trial, self.data
        self.addresses, self.trial_addresses = self.trial_addresses, self.addresses

    def select(self, chosen: list[int]) -> tuple[Arrays, Arrays]:
        """Return parameters and multipliers of some slots."""
        if len(chosen) == len(self.slots):
            return self.parameters, self.extra
        return (
            {name: x[chosen] for name, x in self.parameters.items()},
            {name: x[chosen] for name, x in self.extra.items()},
        )

    def expand(self, chosen: list[int]) -> None:
        """Expand some slots at their present iterates."""
        states = {name: x[chosen] for name, x in self.states.items()}
        parts = self.evaluate("expansion", states, self.u[chosen], *self.select(chosen))
        for buffer, x in zip(self.data, parts, strict=True):
            buffer[chosen] = x
