"""Configurations of a robot: indices of the joints in q and v, and random sampling.

Integration and differences of configurations are quantities (`catalog.quantities.configurations`).
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
    """A joint: name, kind and slices of q and v (those of its leader for a mimic joint)."""

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
    """Mapping of joints by name that suggests a name for an unknown one."""

    def __missing__(self, name: str) -> JointView:
        raise KeyError(f"no joint {name!r}; {suggest(name, self)}")


def joint_views(model: Model, tree: Tree) -> Mapping[str, JointView]:
    """Return the joints of a model by name, with their slices of q and v."""
    views = _JointViews()
    for i, joint in zip(tree.node_of_body, model.joints, strict=True):
        node = tree.nodes[i]
        # the last coordinates of the joint are those of its last node
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
    """Draw configurations (*batch, nq) of a tree within its limits."""
    views = [view for view in joints.values() if view.joint.mimic is None]
    q = np.empty((*batch, sum(view.q.stop - view.q.start for view in views)))
    for view in views:
        bounds = limits.lower[view.v], limits.upper[view.v]
        q[..., view.q] = view.joint.row.random(rng, batch, *bounds)
    return q


def is_count(n: Any) -> bool:
    """Return whether an object is an integer >= 0 and not a bool."""
    return isinstance(n, (int, np.integer)) and not isinstance(n, bool) and int(n) >= 0


def check_count(n: Any, title: str) -> int:
    """Return a number of samples as int, or raise an error; title: prefix of the message."""
    if not is_count(n):
        raise ArgumentError(f"{title}: n must be a whole number >= 0 or None, found {n!r}")
    return int(n)


def make_generator(rng: Any, title: str) -> np.random.Generator:
    """Return the random generator of an argument `rng`; title: prefix of error messages."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise ArgumentError(
            f"{title}: rng must be a numpy.random.Generator, a seed >= 0 or None, found {rng!r}"
        ) from None
