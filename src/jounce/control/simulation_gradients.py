"""Gradients of a closed-loop simulation in the gains: the reverse pass through time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.control.controller import Controller
from jounce.errors import ArgumentError


def gain_gradients(
    loop: Any, states: Mapping[str, ArrayLike | None], commands: ArrayLike | None
) -> dict[str, np.ndarray]:
    """Return gradients of a cost in the gains of the controller.

    Parameters
    ----------
    loop : _Loop
        Closed loop.
    states : mapping of str to array_like (..., T + 1, nv)
        Gradients of the cost in the states by name; None for 0.
    commands : array_like (..., T, nv), optional
        Gradients of the cost in the commands.

    Returns
    -------
    dict of str to ndarray
        Gradients by name of the gain, one for each loop.
    """
    controller, plant = loop.controller, loop.plant
    if not isinstance(controller, Controller):
        raise ArgumentError(
            f"gradients of a simulation need a Controller, found {type(controller).__name__}"
        )
    steps, nv = len(loop.references.times) - 1, plant.system.nv
    weights = {
        name: _weights(x, name, (*loop.batch, steps + 1, nv))
        for name, x in states.items()
        if x is not None
    }
    lam_tau = np.zeros((steps, *loop.batch, nv))
    pulls = _weights(0.0 if commands is None else commands, "commands", (*loop.batch, steps, nv))

    function: Any = controller.function
    instants: list[Any] = []
    loop.run(lambda k, now: instants.append(now))
    lam = [np.zeros((*loop.batch, nv)) for _ in plant.names]
    _add(lam, plant.names, weights, steps)
    lam_law = [np.zeros_like(x) for x in controller.initial_state(loop.batch)]
    gains = tuple(controller.gains.values())
    total: dict[str, Any] = dict.fromkeys(controller.gains, 0.0)
    for k in reversed(range(steps)):
        now = instants[k]
        lam = _through_period(loop, instants, k, lam, lam_tau)
        slope = 1.0 if plant.limits is None else np.abs(now.command) <= plant.limits
        pull = lam_tau[k] * slope + pulls[k]
        measured = tuple(now.measured.values())
        references = loop.references.at(k)[: len(controller.arguments["reference"])]
        values = (*now.law_state, *measured, *references, *gains)
        parts = iter(function.vjp(*values, pull, *lam_law))
        lam_law = [next(parts) for _ in now.law_state]
        by_name = {name: next(parts) for name in now.measured}
        for _ in references:
            next(parts)
        for name, part in zip(total, parts, strict=True):
            total[name] = total[name] + part
        for name, x in loop.sensors.transpose(now.signals, now.measured, by_name).items():
            if name in plant.names:
                place = plant.names.index(name)
                lam[place] = lam[place] + x
            elif name == "tau_s":
                springs = plant.system.spring_torques.vjp(*now.state, x)
                lam = [y + z for y, z in zip(lam, springs, strict=False)]
            elif k:
                lam_tau[loop.active(k - 1, loop.substeps - 1)] += x
        _add(lam, plant.names, weights, k)
    return total


def _through_period(
    loop: Any, instants: list[Any], k: int, lam: list[np.ndarray], lam_tau: np.ndarray
) -> list[np.ndarray]:
    """Return gradients in the state at instant k; add those in the commands that act after it."""
    plant = loop.plant
    t = loop.references.times[k]
    state, walk = instants[k].state, []
    for i in range(loop.substeps):
        source = loop.active(k, i)
        tau = plant.clip(instants[source].command)
        walk.append((state, tau, source, t + i * plant.h))
        if i + 1 < loop.substeps:
            state = plant.advance(state, tau, t + i * plant.h)
    for state, tau, source, moment in reversed(walk):
        parts = plant.step.vjp(*state, tau, plant.h, *lam, **plant.options(moment))
        lam = list(parts[: len(plant.names)])
        lam_tau[source] += parts[len(plant.names)]
    return lam


def _weights(x: ArrayLike, name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Return gradients with time as their first axis."""
    x = np.asarray(x, dtype=float)
    if x.ndim and (x.shape[-2:] != shape[-2:] or x.ndim > len(shape)):
        raise ArgumentError(
            f"gradients of a simulation: '{name}' must have shape {shape}, found {x.shape}"
        )
    return np.moveaxis(np.broadcast_to(x, shape), -2, 0)


def _add(
    lam: list[np.ndarray], names: tuple[str, ...], weights: Mapping[str, np.ndarray], k: int
) -> None:
    """Add the gradients of the cost in the state at instant k."""
    for place, name in enumerate(names):
        if name in weights:
            lam[place] = lam[place] + weights[name][k]
