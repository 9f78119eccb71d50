"""Robots of every shape, by name: all kinds of joints, bases, branches, mimics, and the gallery."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

import jounce
from jounce.model.model import Model
from support.case import Case
from support.helpers import quiet_read, random_robot, small_model, with_two_roots
from support.robots import ALL_KINDS, SINGLE, random_inertia


def named_robot(name: str, *columns: Any, **options: Any) -> Model:
    return random_robot(sum(map(ord, name)), *columns, **options)


def with_heavy_base(model: Model) -> Model:
    """The same robot on a base that is not massless, as M would be singular."""
    base = replace(model.bodies[0], inertia=random_inertia(np.random.default_rng(9)))
    return replace(model, bodies=(base, *model.bodies[1:]))


#: Robots of the gallery, without those that are large and have no joints that others lack.
GALLERY = tuple(name for name in jounce.gallery() if name not in ("quadruped", "stewart"))

MODELS: dict[str, Callable[[], Model]] = {
    "every kind": lambda: named_robot("every kind", len(ALL_KINDS)),
    "serial": lambda: named_robot("serial", len(ALL_KINDS), branching=False),
    "no armature": lambda: named_robot("no armature", len(ALL_KINDS), armature=False),
    "floating": lambda: named_robot("floating", 9, floating=True),
    "mimic": lambda: named_robot("mimic", 7, SINGLE, mimic=True),
    "floating, mimic": lambda: named_robot("fm", 7, SINGLE, mimic=True, floating=True),
    "two roots": lambda: with_two_roots(named_robot("two roots", len(ALL_KINDS))),
    "two roots, mimic": lambda: with_two_roots(named_robot("tm", 6, SINGLE, mimic=True)),
    "small": small_model,
    "kuka, floating": lambda: with_heavy_base(quiet_read("iiwa14_mueller_kumar2021", "floating")),
    **{f"{kind} only": lambda kind=kind: named_robot(kind, 3, (kind,)) for kind in ALL_KINDS},
    **{name: lambda name=name: quiet_read(name) for name in GALLERY},
}


@cache
def case_of(name: str) -> Case:
    return Case(MODELS[name](), len(name))
