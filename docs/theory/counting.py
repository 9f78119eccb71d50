"""Helpers of the pages on theory: chains of any length, and how many operations a formula takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import jounce
from jounce.compiler.graph.expr import Graph
from jounce.compiler.graph.tape import record
from jounce.model.tree import Tree


def chain(n: int) -> jounce.Robot:
    """A serial chain of n revolute joints about x, y, z in turn, without special angles."""
    rng = np.random.default_rng(n)
    builder = jounce.TreeBuilder(f"chain{n}")
    for i in range(n):
        spread = rng.uniform(0.5, 1.5, 3) * 1e-3
        builder.add(
            f"link{i}",
            "revolute",
            f"link{i - 1}" if i else None,
            axis=np.eye(3)[i % 3],
            xyz=rng.uniform(-0.1, 0.1, 3),
            rpy=rng.uniform(-0.5, 0.5, 3),
            mass=float(rng.uniform(0.2, 0.6)),
            com=rng.uniform(-0.05, 0.05, 3),
            inertia_com=np.diag(spread.sum() - spread),
        )
    return jounce.Robot(builder.build())


def operations(formula: Callable[..., Any], tree: Tree, *arguments: int) -> int:
    """Scalar operations of formula(tree, ...), traced as the library traces its own.

    arguments: the lengths of the vectors that it takes. Zeros and ones fold away, and what occurs
    twice is counted once, whatever the formula.
    """
    graph = Graph()
    found = formula(tree, *(graph.inputs_like((n,)) for n in arguments))
    results = found if isinstance(found, tuple) else (found,)
    return len(record(graph, [x for result in results for x in np.ravel(result)]))


def numbers(*arrays: Any) -> list[np.ndarray]:
    """Arrays of floats as arrays of objects, which formulas take."""
    return [np.asarray(x, dtype=float).astype(object) for x in arrays]


def plot(counts: dict[str, Sequence[int]], lengths: Sequence[int], title: str) -> None:
    """Operations over the number of joints, both axes logarithmic, one line per formulation."""
    import matplotlib.pyplot as plt

    _, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    for name, values in counts.items():
        axes.loglog(lengths[: len(values)], values, marker="o", label=name)
    axes.set_xticks(lengths, [str(n) for n in lengths])
    axes.minorticks_off()
    axes.set(xlabel="joints", ylabel="scalar operations", title=title)
    axes.grid(alpha=0.3)
    axes.legend()
