"""Bodies that consist of several links: welding, moving, and shares of the inertia."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter

import numpy as np

from jounce.model.model import Body, Link
from jounce.model.numbers import Floats
from jounce.model.tree import moved_inertia


def move_inertia(inertia: Floats, T: Floats) -> Floats:
    """Return inertial parameters (10,) in the frame in which the body has the pose T (4, 4)."""
    return moved_inertia(inertia, T[:3, :3], T[:3, 3]).astype(float)


def weld_bodies(carrier: Body, load: Body, T: Floats) -> Body:
    """Return the body that consists of `carrier` and `load` at the pose T (4, 4) in it."""
    added = move_inertia(load.inertia, T)
    others = [  # most loads are one link
        Link(
            x.name, added if np.array_equal(x.inertia, load.inertia) else move_inertia(x.inertia, T)
        )
        for x in _links(load)
    ]
    return Body(
        carrier.name,
        carrier.inertia + added,
        (*carrier.meshes, *(replace(m, placement=T @ m.placement) for m in load.meshes)),
        (*carrier.solids, *(replace(s, placement=T @ s.placement) for s in load.solids)),
        _merge_links(_links(carrier), others),
    )


def _links(body: Body) -> tuple[Link, ...]:
    return body.links or ((Link(body.name, body.inertia),) if body.inertia.any() else ())


def _merge_links(links: tuple[Link, ...], others: list[Link]) -> tuple[Link, ...]:
    """Return the links of both; links that both have are merged."""
    # a body may consist of thousands of links, welded one by one: earlier ones are not copied
    if {link.name for link in others}.isdisjoint(map(attrgetter("name"), links)):
        return (*links, *others)
    sums: dict[str, Floats] = {}
    for link in (*links, *others):
        sums[link.name] = sums.get(link.name, 0.0) + link.inertia
    return tuple(Link(name, inertia) for name, inertia in sums.items())


def link_shares(body: Body) -> dict[str, Floats]:
    """Return the links of a body with their inertias, or a single link if they do not add up."""
    shares = {link.name: link.inertia for link in body.links}
    total = sum(shares.values(), np.zeros(10))
    for part in (slice(0, 1), slice(1, 4), slice(4, 10)):
        rounding = 1e-14 * np.abs(body.inertia[part]).max()
        if not shares or np.abs(total - body.inertia)[part].max() > rounding:
            return {body.name: body.inertia}
    return shares
