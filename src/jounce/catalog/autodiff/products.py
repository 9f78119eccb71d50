"""Jacobian-vector and vector-Jacobian products of any formula, on tangents or in coordinates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from jounce.catalog.autodiff.implicit import DependentJoints, solution_gradients
from jounce.catalog.autodiff.recording import Formula, Recording
from jounce.catalog.charts import Chart, convert_derivatives, pull_weights
from jounce.formulas.mechanism.loops import Closure, keep_equations
from jounce.math.scalar import Array
from jounce.model.tree import Tree

#: Arguments for the geometry.
_SHAPE = ("placements", "screws")


@dataclass(frozen=True)
class Space:
    """Spaces of differentiated arguments and of results: tangent spaces or plain coordinates."""

    names: tuple[str, ...]
    """Names of the differentiated arguments; further arguments of the formula are constant."""

    charts: tuple[Chart | None, ...]
    """A chart for each argument; None for plain coordinates."""

    results: tuple[Chart | None, ...]
    """A chart, or None, for each result."""

    @property
    def is_plain(self) -> bool:
        """True if all arguments are differentiated in plain coordinates."""
        return all(chart is None for chart in self.charts)

    def record(
        self, formula: Formula, tree: Tree, values: Sequence[Any], extra: tuple[Any, ...]
    ) -> Recording:
        """Record a formula, with a fixed selection of independent loop equations."""
        constant_tree = tree
        if self._has_dependents(tree):
            arguments = dict(zip(self.names, values, strict=False))
            kept = keep_equations(_with_shape(tree, arguments), arguments["q"]).kept
            constant_tree = replace(tree, kept=kept)
        return Recording(
            formula, constant_tree, values, extra, hold_tree=constant_tree.kept is not tree.kept
        )

    def push(self, tree: Tree, values: Sequence[Array], tangents: Sequence[Array]) -> list[Array]:
        """Return rates of the entries of the arguments for tangents."""
        if self.is_plain:
            return list(tangents)
        arguments = dict(zip(self.names, values, strict=True))
        shaped_tree = _with_shape(tree, arguments)
        rates = [
            t if chart is None else chart.push(shaped_tree, x, t)
            for chart, x, t in zip(self.charts, values, tangents, strict=True)
        ]
        if self._has_dependents(tree):
            places = [self.names.index(name) for name in _SHAPE]
            dependent = _dependent(tree, arguments)
            rates[self.names.index("q")] += dependent.push(*(rates[k] for k in places))
        return rates

    def pull(self, tree: Tree, values: Sequence[Array], gradients: Sequence[Array]) -> list[Array]:
        """Return gradients along tangents from gradients in the entries of the arguments."""
        if self.is_plain:
            return list(gradients)
        arguments = dict(zip(self.names, values, strict=True))
        shaped_tree, entries = _with_shape(tree, arguments), list(gradients)
        if self._has_dependents(tree):
            shares = _dependent(tree, arguments).pull(entries[self.names.index("q")])
            for name, share in zip(_SHAPE, shares, strict=True):
                entries[self.names.index(name)] = entries[self.names.index(name)] + share
        return [
            g if chart is None else chart.pull(shaped_tree, x, g)
            for chart, x, g in zip(self.charts, values, entries, strict=True)
        ]

    def _has_dependents(self, tree: Tree) -> bool:
        """Return whether dependent joints follow the geometry, so that loops stay closed."""
        movable = {"q", *_SHAPE} <= {*self.names}
        return movable and tree.active is not None and not self.is_plain


def _with_shape(tree: Tree, arguments: Mapping[str, Array]) -> Tree:
    """Return the tree with the geometry among the arguments."""
    return (
        tree.with_geometry(*(arguments[name] for name in _SHAPE))
        if _SHAPE[0] in arguments
        else tree
    )


def _dependent(tree: Tree, arguments: Mapping[str, Array]) -> DependentJoints:
    """Return the dependent joints as functions of the geometry among the arguments."""
    closure = Closure(_with_shape(tree, arguments), arguments["q"])
    numbers = [arguments[name] for name in _SHAPE]
    return DependentJoints(closure, arguments["q"], tree, numbers, Tree.with_geometry)


def jvp(
    formula: Formula,
    tree: Tree,
    values: Sequence[Any],
    tangents: Mapping[int, Any],
    space: Space,
    extra: tuple[Any, ...] = (),
) -> list[Array]:
    """Return the directional derivative of a formula.

    Parameters
    ----------
    formula : callable
        formula(tree, *values, *extra): an array, or several.
    tree : Tree
    values : sequence of array
        All arguments, in the order of the formula.
    tangents : mapping of int to array
        Tangents by index of the argument, in the order of the names of `space`.
    space : Space
    extra : tuple
        Further arguments of the formula, such as the index of a frame.

    Returns
    -------
    list of array
        Derivatives of the results, in their tangent spaces.
    """
    recording = space.record(formula, tree, values, extra)
    variables = [recording.variables[k] for k in tangents]
    rates = space.push(recording.tree, variables, recording.weights(list(tangents.values())))
    seeds: list[Array | None] = [None] * len(values)
    for k, rate in zip(tangents, rates, strict=True):
        seeds[k] = rate
    tangents_of_results = recording.tangents(seeds)
    return recording.to_caller(
        convert_derivatives(space.results, recording.tree, recording.results, tangents_of_results)
    )


def vjp(
    formula: Formula,
    tree: Tree,
    values: Sequence[Any],
    weights: Sequence[Any],
    wanted: Sequence[int],
    space: Space,
    extra: tuple[Any, ...] = (),
    inverse: tuple[Formula, int] | None = None,
) -> list[Array]:
    """Return gradients of the sum of weights times results.

    Parameters
    ----------
    formula, tree, values, extra
        As those of `jvp`.
    weights : sequence of array
        Weights of the results, in the dual of their tangent spaces.
    wanted : sequence of int
        Indices of the arguments of the gradients, in the order of the names of `space`.
    space : Space
    inverse : (callable, int), optional
        For a formula that solves inverse(..., a, ...) = tau: `inverse` and the index of tau.

    Returns
    -------
    list of array
        A gradient for each wanted argument, in the dual of its tangent space.
    """
    recording = space.record(formula, tree, values, extra)
    lam = recording.weights(weights)
    lam = pull_weights(space.results, recording.tree, recording.results, lam)
    if inverse is None:
        gradients = recording.adjoints(lam, wanted)
    else:
        all_gradients = solution_gradients(recording, *inverse, lam)
        gradients = [all_gradients[k] for k in wanted]
    variables = [recording.variables[k] for k in wanted]
    return recording.to_caller(space.pull(recording.tree, variables, gradients))
