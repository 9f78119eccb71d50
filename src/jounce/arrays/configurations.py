"""Configurations of a robot: places of joints in them, and random ones.

Steps between configurations are quantities (`catalog.quantities.configurations`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from jounce.errors import ArgumentError, printable, suggest
from jounce.model.limits import Limits
from jounce.model.model import Joint, Model
from jounce.model.tree import Tree


@dataclass(frozen=True)
class JointView:
    """A joint by name: its kind and where it sits in q and v (its leader's place, if it mimics)."""

    name: str
    kind: str
    q: slice
    v: slice
    joint: Joint

    def __repr__(self) -> str:
        places = f"q[{self.q.start}:{self.q.stop}], v[{self.v.start}:{self.v.stop}]"
        leader = self.joint.mimic and f", follows '{self.joint.mimic.leader}'"
        return printable(f"<joint '{self.name}': {self.kind}, {places}{leader or ''}>")


class _JointViews(dict[str, JointView]):
    """Joints by name, with a suggestion for names that are not among them."""

    def __missing__(self, name: str) -> JointView:
        raise KeyError(f"no joint {name!r}; {suggest(name, self)}")


def joint_views(model: Model, tree: Tree) -> Mapping[str, JointView]:
    """Return the joints of a model by name, with their places in q and v."""
    views = _JointViews()
    for i, joint in zip(tree.node_of_body, model.joints, strict=True):
        node = tree.nodes[i]
        # the joint's coordinates end with those of its last node
        q = slice(node.qs.stop - joint.nq, node.qs.stop)
        v = slice(node.vs.stop - joint.nv, node.vs.stop)
        views[joint.name] = JointView(joint.name, joint.kind, q, v, joint)
    return MappingProxyType(views)


def random_configurations(
    joints: Mapping[str, JointView],
    limits: Limits,
    rng: np.random.Generator,
    batch: tuple[int, ...],
) -> np.ndarray:
    """Return configurations (*batch, nq) of a tree, drawn within its limits."""
    views = [view for view in joints.values() if view.joint.mimic is None]
    q = np.empty((*batch, sum(view.q.stop - view.q.start for view in views)))
    for view in views:
        bounds = limits.lower[view.v], limits.upper[view.v]
        q[..., view.q] = view.joint.row.random(rng, batch, *bounds)
    return q


def whole(n: Any) -> bool:
    """Whether something is a whole number >= 0, which True is not."""
    return isinstance(n, (int, np.integer)) and not isinstance(n, bool) and int(n) >= 0


def count(n: Any, title: str) -> int:
    """How many samples the user asks for; title: how messages begin."""
    if not whole(n):
        raise ArgumentError(f"{title}: n must be a whole number >= 0 or None, found {n!r}")
    return int(n)


def generator(rng: Any, title: str) -> np.random.Generator:
    """The generator that the user gives or seeds; title: how messages begin."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise ArgumentError(
            f"{title}: rng must be a numpy.random.Generator, a seed >= 0 or None, found {rng!r}"
        ) from None
