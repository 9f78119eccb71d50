"""Neutral configuration of a tree, without coordinates of mimics."""

from __future__ import annotations

import numpy as np

from jounce.model.tree import Node, Tree


def leaders(tree: Tree) -> list[Node]:
    """Return the nodes of a tree that have coordinates: all but those of mimic joints."""
    first: dict[int, Node] = {}
    for node in tree.nodes:
        first.setdefault(node.v, node)
    return list(first.values())


def neutral(tree: Tree) -> np.ndarray:
    """Return the configuration (nq,) of zero angles and displacements and identity quaternions."""
    q = np.zeros(tree.nq)
    for node in leaders(tree):
        q[node.qs] = node.motion.neutral()
    return q
