"""How Pinocchio computes our quantities: what `jounce bench` and the benchmarks time beside ours.

A `Peer` names Pinocchio's function for a quantity; `Counterpart` is a robot in Pinocchio, which
calls it, on one state or many, and gives its results in our coordinates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.errors import ModelError
from jounce.export.pinocchio import PinocchioMap, pinocchio, to_pinocchio
from jounce.io.urdf.write import urdf_text
from jounce.robot import Robot
from jounce.utils.measure import MismatchError, compare

Call = Callable[[], Any]
Results = tuple[np.ndarray, ...]


@dataclass(frozen=True)
class Peer:
    """Pinocchio's function for a quantity.

    parallel: its C++ batch function, with the names of its arguments ("0": zeros), if there is
    one. result: what it returns, which decides how it is mapped to ours.
    """

    arguments: tuple[str, ...]
    function: str
    result: str
    parallel: tuple[str, ...] = ()


PEERS: dict[str, Peer] = {
    "inverse_dynamics": Peer(("q", "v", "a"), "rnea", "forces", ("rneaInParallel", "q", "v", "a")),
    "forward_dynamics": Peer(
        ("q", "v", "tau"), "aba", "motion", ("abaInParallel", "q", "v", "tau")
    ),
    "mass_matrix": Peer(("q",), "crba", "matrix"),
    "coriolis_matrix": Peer(("q", "v"), "computeCoriolisMatrix", "matrix"),
    "mass_matrix_inverse": Peer(("q",), "computeMinverse", "inverse"),
    # quicker than rneaInParallel with zeros, though in a Python loop
    "gravity_forces": Peer(("q",), "computeGeneralizedGravity", "forces"),
    "bias_forces": Peer(
        ("q", "v"), "nonLinearEffects", "forces", ("rneaInParallel", "q", "v", "0")
    ),
}

#: Those of derivatives: Pinocchio's functions give them as tuples, and leave the value in its data.
DERIVATIVES: dict[str, Peer] = {
    "inverse_dynamics.derivatives": Peer(("q", "v", "a"), "computeRNEADerivatives", "tau"),
    "forward_dynamics.derivatives": Peer(("q", "v", "tau"), "computeABADerivatives", "ddq"),
}


def as_ours(to: PinocchioMap, kind: str, result: np.ndarray) -> np.ndarray:
    """Pinocchio's result in our coordinates; kind: that of the peer."""
    if kind == "forces":
        return to.tau_from_pinocchio(result)
    if kind == "motion":
        return to.v_from_pinocchio(result)
    if kind == "inverse" and to.pin_nv != to.model.nv:
        # the inverse of M with the mimicking joint tied is not a part of the inverse without
        return np.linalg.inv(to.matrix_from_pinocchio(np.linalg.inv(result)))
    return to.matrix_from_pinocchio(result)


class Counterpart:
    """A robot in Pinocchio, with a batch of states in the coordinates of both.

    ours, theirs: q, v, a, tau (batch, n). MismatchError if the torques of the two differ.
    """

    def __init__(self, robot: Robot, model: Any, states: Mapping[str, np.ndarray]) -> None:
        """model: of Pinocchio. states: our q, v and a."""
        self.model, self.data, self._pin = model, model.createData(), pinocchio()
        self.map = to = PinocchioMap(robot.model, model)
        columns = {
            "q": to.q_to_pinocchio(states["q"]),
            "v": to.v_to_pinocchio(states["v"]),
            "a": to.v_to_pinocchio(states["a"]),
        }
        self.theirs = {name: np.ascontiguousarray(x) for name, x in columns.items()}
        tau = self.loop(PEERS["inverse_dynamics"])()
        ours = to.tau_from_pinocchio(tau)
        compare("inverse_dynamics", robot.inverse_dynamics(*(states[x] for x in "qva")), ours)
        # theirs comes first: so a joint that it takes as independent moves as the mimic says
        self.theirs["tau"] = tau
        self.ours = {**states, "tau": ours}

    def single(self, peer: Peer) -> tuple[Callable[..., Any], list[np.ndarray]]:
        """Pinocchio's function and what it takes after model and data, at the first state."""
        given = [self.theirs[name][0].copy() for name in peer.arguments]
        return getattr(self._pin, peer.function), given

    def loop(self, peer: Peer) -> Call:
        """A Python loop over samples, with the rows already cut, that stores its results."""
        function, model, data = getattr(self._pin, peer.function), self.model, self.data
        rows = list(zip(*(self.theirs[name] for name in peer.arguments), strict=True))
        core = (model.nv, model.nv) if peer.result in ("matrix", "inverse") else (model.nv,)
        out = np.empty((len(rows), *core))

        def call() -> np.ndarray:
            for i, row in enumerate(rows):
                out[i] = function(model, data, *row)
            return out

        return call

    def derivatives_loop(self, peer: Peer) -> Call:
        """The same of a function that gives three matrices, and the value in its data."""
        function, model, data = getattr(self._pin, peer.function), self.model, self.data
        rows = list(zip(*(self.theirs[name] for name in peer.arguments), strict=True))
        n, count = model.nv, len(rows)
        value, (dq, dv, dx) = np.empty((count, n)), np.empty((3, count, n, n))

        def call() -> Results:
            for i, row in enumerate(rows):
                dq[i], dv[i], dx[i] = function(model, data, *row)
                value[i] = getattr(data, peer.result)
            return value, dq, dv, dx

        return call

    def batch(self, peer: Peer, threads: int = 1) -> Call | None:
        """Its C++ batch function on columns that are contiguous; None if it has none."""
        if not peer.parallel:
            return None
        function = getattr(self._pin, peer.parallel[0])
        zeros = np.zeros_like(self.theirs["v"])
        columns = [zeros.T if x == "0" else self.theirs[x].T for x in peer.parallel[1:]]
        pool = self._pin.ModelPool(self.model, threads)
        return lambda: function(threads, pool, *columns).T

    def as_ours(self, peer: Peer, found: Any) -> Any:
        """What `loop`, `batch` or `derivatives_loop` gave, in our coordinates."""
        if not isinstance(found, tuple):
            return as_ours(self.map, peer.result, found)
        kind = "forces" if peer.result == "tau" else "motion"
        return as_ours(self.map, kind, found[0]), *map(self.map.matrix_from_pinocchio, found[1:])


def counterpart(robot: Robot, states: Mapping[str, np.ndarray]) -> Counterpart:
    """The robot in Pinocchio, with joints of its own for the axes x, y and z, which are quicker.

    Those it has when it reads a URDF; where that cannot say what the robot is, it is built joint by
    joint. ImportError without Pinocchio, ModelError if it has no such joint.
    """
    try:
        model = pinocchio().buildModelFromXML(urdf_text(robot.model))
        model.gravity.linear = np.array(robot.model.gravity)
        return Counterpart(robot, model, states)
    except (ModelError, MismatchError, ValueError, RuntimeError):
        return Counterpart(robot, to_pinocchio(robot.model), states)
