"""Every attribute and first call of robots, frames, tables, mechanisms, contacts, and surfaces.

Each is asked for on a fresh robot, so that all it needs is made below it.
"""

from __future__ import annotations

import os
import pickle
import warnings
from contextlib import suppress
from typing import Any

import numpy as np

import jounce
from jounce.arrays.bound_quantity import BoundQuantity
from jounce.runtime.trace import input_shapes
from jounce.solve.contacts.robot import Contacts
from jounce.solve.mechanism.robot import Mechanism
from jounce.utils.once import _OnceProperty

CLOSED = jounce.load("five_bar").closed()
LEG = jounce.load("planar_2r")
LEG = LEG.edit.with_contact(LEG.model.frame_names[-1])


def robot() -> Any:
    return jounce.Robot(LEG.model)


def mechanism() -> Any:
    given = CLOSED.active, CLOSED.reference, CLOSED.tolerance
    return Mechanism(jounce.Robot(CLOSED.robot.model), *given)


def contacts() -> Contacts:
    return robot().contacts()


#: Fresh systems, and how to get at what has quantities on them.
OWNERS: dict[str, tuple[Any, Any]] = {
    "robot": (robot, lambda x: x),
    "frame": (robot, lambda x: x.frame(LEG.model.frame_names[-1])),
    "parametric": (robot, lambda x: x.parametric),
    "morphable": (robot, lambda x: x.morphable),
    "mechanism": (mechanism, lambda x: x),
    "closed morphable": (mechanism, lambda x: x.morphable),
    "contacts": (contacts, lambda x: x),
}


def samples(quantity: BoundQuantity) -> list[np.ndarray]:
    shapes = input_shapes(quantity.definition, quantity.robot.sizes, optional=False)
    return [np.full(shape, 0.3) for shape in shapes]


def lazy(x: Any) -> list[str]:
    """Names of what an object makes once."""
    return [
        name
        for kind in type(x).__mro__
        for name, member in vars(kind).items()
        if isinstance(member, _OnceProperty) and name != "jax"
    ]


def ask_for_everything() -> None:
    """Ask for every attribute, and call every quantity, each on a fresh robot."""
    for kind, (system, get) in OWNERS.items():
        example = get(system())
        for k, name in enumerate(example.definitions):
            quantity = getattr(get(system()), name)
            if name == "elastic_inverse_dynamics":
                continue  # called below, in its own way
            if not kind.endswith(("parametric", "morphable")) or k % 9 == 0:
                with suppress(
                    jounce.ModelError
                ):  # quantities of frames that move in all directions
                    quantity(*samples(getattr(example, name)))
        quantity = get(system())._quantity(next(iter(example.definitions)))
        for name in ("dq", "dt", "jvp", "vjp"):
            getattr(quantity, name, lambda: None)
        for name in lazy(example):
            getattr(get(system()), name)
        for name in lazy(quantity):
            getattr(get(system())._quantity(quantity.__name__), name)


def ask_for_the_rest() -> None:
    """Ask for what is not a plain call of a quantity."""
    q = np.full(2, 0.3)
    robot().elastic_inverse_dynamics(q, q, q, q, q, 1e4)
    robot().rollout(q, q, np.zeros((3, 2)), 0.01)
    robot().inverse_dynamics(q, q, q, wrenches=np.zeros((2, 6)))
    robot().inverse_dynamics.vjp(q, q, q, q, wrenches=np.zeros((2, 6)))
    robot().mass_matrix.rates(1)(q, q)
    robot().gravity_forces(np.tile(q, (300_000, 1)))
    robot().inverse_kinematics({LEG.model.frame_names[-1]: jounce.Position((0.5, 0.5, 0.0))})
    mechanism().random(0)
    for x in (robot(), mechanism(), contacts()):
        pickle.loads(pickle.dumps(x)).sizes  # noqa: B018
    if hasattr(os, "fork"):
        pid = os.fork()
        if pid == 0:
            os._exit(0)
        os.waitpid(pid, 0)


def ask_surfaces(library: str) -> None:
    """Ask for every function of a library that differentiates, and call some of them."""
    if library == "jax":
        import jax
        from jax import numpy as xp

        jax.config.update("jax_enable_x64", True)
        gradient = jax.grad
    else:
        import torch as xp

        def gradient(function: Any) -> Any:
            return lambda q: xp.autograd.grad(function(q.requires_grad_()), q)

    for system, get in OWNERS.values():
        for name in set(get(system()).definitions) - {"elastic_inverse_dynamics"}:
            getattr(get(getattr(system(), library)), name)
    q = xp.full((2,), 0.3, dtype=xp.float64)
    tool = LEG.model.frame_names[-1]
    for call in (
        lambda f: f.mass_matrix(q),
        lambda f: f.inverse_dynamics(q, q, q),
        lambda f: f.mass_matrix.dq(q),
        lambda f: gradient(lambda q: f.inverse_dynamics(q, q, q).sum())(q),
        lambda f: gradient(f.potential_energy)(q),
        lambda f: f.frame(tool).pose(q),
        lambda f: f.parametric.gravity_forces(q, LEG.model.parameters),
        lambda f: f.tangent.gravity_forces(q, q),
        lambda f: f.quantity("mass_matrix.dt")(q, q),
        lambda f: f.rollout(q, q, xp.zeros((3, 2), dtype=xp.float64), 0.01),
    ):
        call(getattr(robot(), library))
    robot().mass_matrix(q)


def ask(library: str) -> None:
    """Ask for everything of a library: numpy, jax or torch."""
    warnings.simplefilter("ignore")
    jounce.set_num_threads(2)
    if library == "numpy":
        ask_for_everything()
        ask_for_the_rest()
    else:
        ask_surfaces(library)
