"""Configurations of a tree, on batches of floats: neutral and random ones, steps between them."""

from __future__ import annotations

import numpy as np

from jounce.model.tree import Node, Tree


def leaders(tree: Tree) -> list[Node]:
    """The nodes of a tree that have coordinates of their own: those that mimic none."""
    first: dict[int, Node] = {}
    for node in tree.nodes:
        first.setdefault(node.v, node)
    return list(first.values())


def neutral(tree: Tree) -> np.ndarray:
    """The configuration (nq,) of zero angles and displacements and identity quaternions."""
    q = np.zeros(tree.nq)
    for node in leaders(tree):
        q[node.qs] = node.motion.neutral()
    return q


def integrate(tree: Tree, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Configurations (..., nq) reached from q by the velocity v held for one unit of time."""
    out = np.empty(q.shape)
    for node in leaders(tree):
        out[..., node.qs] = node.motion.integrate(q[..., node.qs], v[..., node.vs])
    return out


def difference(tree: Tree, q0: np.ndarray, q1: np.ndarray) -> np.ndarray:
    """Velocities (..., nv) that lead from q0 to q1 in one unit of time."""
    out = np.empty((*q0.shape[:-1], tree.nv))
    for node in leaders(tree):
        out[..., node.vs] = node.motion.difference(q0[..., node.qs], q1[..., node.qs])
    return out
