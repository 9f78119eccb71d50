"""Derivatives of any row on any robot against complex steps of the row itself.

A derivative is recorded as a kernel is, and what it is a derivative of once more, with changes
of the robot's numbers as further inputs. One step in an imaginary direction of everything that
changes gives the derivative to rounding, for all directions at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from jounce.catalog.arguments import rate_of
from jounce.catalog.autodiff.directions import add_inertia, displace_joints
from jounce.catalog.autodiff.recording import as_list, iterate_entries
from jounce.catalog.charts import CONFIGURATION, convert_derivatives
from jounce.catalog.derivative import derivative, derive
from jounce.catalog.quantity import GEOMETRY, AnyQuantity
from jounce.catalog.variables import Variant
from jounce.compiler.graph.expr import Graph
from jounce.compiler.graph.ops import ATAN2, DROPPED, KEPT, MAXIMUM, MINIMUM, SIGN
from jounce.compiler.graph.tape import Tape, record
from jounce.compiler.targets.interpreter import run
from jounce.math.scalar import identity
from jounce.math.spatial import cross, skew
from jounce.model.tree import Tree
from jounce.runtime.trace import core_shape, output_shapes, trace_formula
from support.helpers import numbers, objects

STEP = 1e-30


def _angle(y: Any, x: Any) -> Any:
    """atan2 of numbers with small imaginary parts."""
    a, b, c, d = np.real(y), np.imag(y), np.real(x), np.imag(x)
    return np.arctan2(a, c) + 1j * (b * c - a * d) / (a * a + c * c)


#: Operations that ask for more than arithmetic, on numbers with small imaginary parts.
COMPLEX = {
    SIGN: lambda x: np.sign(np.real(x)),
    KEPT: lambda x, y: np.where(np.real(y) > 0, x, 0.0),
    DROPPED: lambda x, y: np.where(np.real(y) > 0, 0.0, x),
    MINIMUM: lambda x, y: np.where(np.real(x) < np.real(y), x, y),
    MAXIMUM: lambda x, y: np.where(np.real(x) > np.real(y), x, y),
    ATAN2: _angle,
}

#: Numbers of the robot that change: their width per body, frame or contact.
WIDTHS = {"dpi": 10, **dict.fromkeys((*GEOMETRY, "dframe", "dcontact"), 6)}


class Change(NamedTuple):
    """How arguments change by their entries, and numbers of the robot, along one direction."""

    arguments: dict[str, np.ndarray]
    numbers: np.ndarray | None = None


class Subject:
    """A tree with rows that are about it, and a value for every argument of a row.

    values: those that are no random numbers. forward: what gives accelerations, if a row that finds
    something for given tau does not. Optional arguments are given all or none, with the
    base's motion where a row knows it.
    """

    def __init__(
        self,
        tree: Tree,
        sizes: dict[str, int],
        values: dict[str, np.ndarray],
        frame: int | None = None,
        forward: AnyQuantity | None = None,
    ) -> None:
        self.tree, self.sizes, self.values, self.frame = tree, sizes, values, frame
        self.forward = forward
        self._tapes: dict[Any, Tape] = {}

    def value(self, row: AnyQuantity, name: str) -> np.ndarray:
        argument = row.argument(name)
        if argument.chart is CONFIGURATION:
            return self.values.get(name, self.values["q"])
        if name in self.values:
            return self.values[name]
        shape = core_shape(argument.shape, self.sizes)
        if name.endswith("anchors"):
            return np.zeros(shape)  # rates of poses cannot be any numbers
        rng = np.random.default_rng([*name.encode(), *shape])
        return rng.normal(size=shape) if shape else np.array(rng.uniform(0.1, 0.6))

    def names(self, row: AnyQuantity, optional: bool) -> tuple[str, ...]:
        """What a call gives."""
        return (*row.arguments, *(row.optional + row.base if optional else ()))

    def moved_frames(self, what: str) -> list[int]:
        """Indices of the frames whose placements change."""
        if what == "dcontact":
            return [k for k, _ in self.tree.contacts]
        assert self.frame is not None
        return [self.frame]

    def shape(self, what: str) -> tuple[int, int]:
        """Shape of the numbers of the robot that change."""
        of_frames = what in ("dframe", "dcontact")
        return len(self.moved_frames(what)) if of_frames else self.tree.nb, WIDTHS[what]

    # -------------------------------------------------------------- the derivative

    def evaluate(
        self, row: AnyQuantity, optional: bool, limit: float | None = None
    ) -> list[np.ndarray]:
        """What the kernel of a row gives, without a compiler; limit: its most operations."""
        names = self.names(row, optional)
        based = derive(row, Variant.MOVING_BASE) if optional and row.base else row
        frame = self.frame if row.of_frame else None
        tape = trace_formula(based, self.tree, self.sizes, frame, optional, limit=limit)
        given = [x for name in names for x in np.ravel(self.value(row, name))]
        found = iter(run(tape, given))
        shapes = output_shapes(row, self.sizes)
        return [np.reshape([next(found) for _ in np.ndindex(*s)], s) for s in shapes]

    # -------------------------------------------------------------- complex steps

    def steps(self, row: AnyQuantity, optional: bool, what: str, changes: Sequence[Change]) -> Any:
        """Results of a row, and how their entries change along directions (the last axis).

        what: which numbers of the robot change, if any do.
        """
        names = self.names(row, optional)
        tape = self._tape(row, optional, what)
        columns = []
        for name in (*names, "gravity"):
            x = self.tree.gravity if name == "gravity" else self.value(row, name)
            x = numbers(x)
            steps = [c.arguments.get(name, np.zeros(x.shape)) for c in changes]
            columns += list(_stepped(x, steps))
        if what:
            zero = np.zeros(self.shape(what))
            columns += list(_stepped(zero, [c.numbers for c in changes]))
        found = iter(run(tape, columns, COMPLEX))
        results, rates = [], []
        for shape in output_shapes(row, self.sizes):
            entries = [next(found) for _ in np.ndindex(*shape)]
            every = np.broadcast_arrays(*entries, np.zeros(len(changes)))[:-1] if entries else []
            both = np.reshape(every, (*shape, len(changes)))
            results.append(np.real(both[..., 0]))
            rates.append(np.imag(both) / STEP)
        return results, rates

    def _tape(self, row: AnyQuantity, optional: bool, what: str) -> Tape:
        key = row, optional, what
        if key not in self._tapes:
            self._tapes.clear()
            graph = Graph()
            names = self.names(row, optional)
            given = [graph.inputs_like(np.shape(self.value(row, name))) for name in names]
            gravity = graph.inputs_like((3,))
            tree = replace(self.tree, gravity=gravity)
            if what:
                small = graph.inputs_like(self.shape(what))
                if what == "dpi":
                    tree = add_inertia(tree, small)
                elif what in ("dframe", "dcontact"):
                    for k, twist in zip(self.moved_frames(what), small, strict=True):
                        E = identity(3) + skew(twist[:3]), twist[3:]
                        tree = tree.with_frame_moved(k, E)
                else:
                    tree = displace_joints(tree, small, screw=GEOMETRY[what])
            count = len(given) - (len(row.base) if optional else 0)
            tree = replace(tree, base=tuple(given[count:]))
            frame = (self.frame,) if row.of_frame else ()
            results = as_list(row.formula(tree, *given[:count], *frame))
            self._tapes[key] = record(
                graph, list(iterate_entries([np.asarray(x, object) for x in results]))
            )
        return self._tapes[key]

    # -------------------------------------------------------------- what is right

    def differences(self, row: AnyQuantity, step: str, optional: bool) -> list[np.ndarray]:
        """Results of the derivative of a row, from the row."""
        found = derivative(row, step)
        what = step if step in WIDTHS else ""
        charted = step != "dt" and not step.endswith("_coordinates")
        if step.startswith("vjp"):
            return self._pulled(row, found, optional, charted)
        changes = list(self._changes(row, found, step, optional))
        rates = self._rates(row, optional, what, changes, charted)
        shapes = output_shapes(found, self.sizes)
        return [x.reshape(shape) for x, shape in zip(rates, shapes, strict=True)]

    def _rates(
        self, row: AnyQuantity, optional: bool, what: str, changes: list[Change], charted: bool
    ) -> list[np.ndarray]:
        results, rates = self.steps(row, optional, what, changes)
        if charted and row.has_charts:
            values = [objects(x) for x in results]
            rates = convert_derivatives(row.charts, self.tree, values, [objects(x) for x in rates])
        return [numbers(x) for x in rates]

    def _pulled(
        self, row: AnyQuantity, found: AnyQuantity, optional: bool, charted: bool
    ) -> list[np.ndarray]:
        weights = [self.value(found, x) for x in found.arguments[len(row.arguments) :]]
        out = []
        for name, shape in zip(row.arguments, output_shapes(found, self.sizes), strict=True):
            changes = [
                Change({name: self._pushed(row, name, unit) if charted else unit})
                for unit in _units(shape)
            ]
            rates = self._rates(row, optional, "", changes, charted)
            pairs = zip(weights, rates, strict=True)
            total = sum(np.tensordot(w, x, np.ndim(w)) for w, x in pairs)
            out.append(np.reshape(total, shape))
        return out

    def _changes(
        self, row: AnyQuantity, found: AnyQuantity, step: str, optional: bool
    ) -> Iterator[Change]:
        """How all that changes does, direction after direction."""
        if step == "dt":
            yield Change(self._later(row, found, optional))
        elif step.startswith("jvp"):
            charted, given = not step.endswith("_coordinates"), {}
            sides = [(row.arguments, found.arguments)]
            if optional:
                sides.append((row.optional, found.optional))
            for names, every in sides:
                for name, tangent in zip(names, every[len(names) :], strict=True):
                    x = self.value(found, tangent)
                    given[name] = self._pushed(row, name, x) if charted else x
            yield Change(given)
        elif step in WIDTHS:
            for unit in _units(self.shape(step)):
                yield Change({}, unit)
        else:
            name = step.removeprefix("d")
            shape = core_shape(row.argument(name).tangent_shape, self.sizes)
            for unit in _units(shape):
                yield Change({name: self._pushed(row, name, unit)})

    def _pushed(self, row: AnyQuantity, name: str, tangent: np.ndarray) -> np.ndarray:
        chart = row.argument(name).chart
        if chart is None:
            return tangent
        return numbers(chart.push(self.tree, objects(self.value(row, name)), objects(tangent)))

    def _later(self, row: AnyQuantity, found: AnyQuantity, optional: bool) -> dict[str, np.ndarray]:
        """Rates of all arguments."""
        rates = {_rate(found, name): name for name in self.names(found, optional)}
        out = {}
        for name in self.names(row, optional):
            of, order = _rate(row, name)
            if (of, order + 1) in rates:
                rate = self.value(found, rates[of, order + 1])
            else:  # what is found moves the state itself
                origin = row if row.rates is not None or row.origin is None else row.origin
                assert origin.rates is not None, (found.name, name)
                rate = self.evaluate(self.forward or origin, optional)[0]
            out[name] = self._pushed(row, name, rate)
        if optional and row.base:
            turn = self.value(row, "base_twist")[:3]
            out["gravity"] = numbers(cross(objects(self.tree.gravity), objects(turn)))
        return out


def _rate(row: AnyQuantity, name: str) -> tuple[str, int]:
    """What an argument is a time derivative of, and of which order."""
    if name in row.argument_definitions:
        return row.argument_definitions[name].rate_of or (name, 0)
    of, order = rate_of(name) or (name, 0)
    return ("base_twist", order + 1) if of == "base_acceleration" else (of, order)


def _units(shape: tuple[int, ...]) -> Iterator[np.ndarray]:
    for unit in np.eye(int(np.prod(shape, dtype=int))):
        yield unit.reshape(shape)


def _stepped(x: np.ndarray, steps: Sequence[np.ndarray | None]) -> np.ndarray:
    """Entries of x with a small imaginary part for each direction, which are the last axis."""
    every = np.stack([np.zeros(x.shape) if s is None else s for s in steps], axis=-1)
    return (x[..., None] + 1j * STEP * every).reshape(-1, len(steps))
