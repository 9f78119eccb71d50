"""Pinocchio's answers where it has no function for a derivative: exact sums, or a stencil.

The stencil is the central one of order eight, good to about 1e-11 of the largest entry.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pinocchio as pin

from benchmarks import peers
from benchmarks.robots import Case

#: Step and weights of the stencil: f' = sum of w_k (f(k h) - f(-k h)) / h.
STEP = 0.004
WEIGHTS = (4 / 5, -1 / 5, 4 / 105, -1 / 280)

#: Largest relative difference allowed from a derivative by the stencil.
TOLERANCE = 1e-9

#: Pinocchio's function for the derivatives of a quantity, its arguments, where the value lies.
DERIVATIVES = {
    "inverse_dynamics": ("computeRNEADerivatives", ("q", "v", "a"), "tau"),
    "forward_dynamics": ("computeABADerivatives", ("q", "v", "tau"), "ddq"),
}

Results = tuple[np.ndarray, ...]


def stencil(f: Callable[[float], Any]) -> Any:
    """Derivative of f at zero."""
    steps = range(1, len(WEIGHTS) + 1)
    pairs = zip(WEIGHTS, steps, strict=True)
    return sum(w * (f(k * STEP) - f(-k * STEP)) for w, k in pairs) / STEP


def quantity(case: Case, name: str, *ours: np.ndarray) -> np.ndarray:
    """A quantity by Pinocchio, from and in our coordinates; arguments (batch, n), q first."""
    peer = peers.PEERS[name]
    function = getattr(pin, peer.function)
    columns = [case.map.q_to_pinocchio(ours[0]), *map(case.map.v_to_pinocchio, ours[1:])]
    rows = zip(*columns, strict=True)
    result = [np.array(function(case.pin_model, case.pin_data, *row)) for row in rows]
    return peers.as_ours(case, name, np.array(result))


# ------------------------------------------------------------------ first derivatives in the state


def derivative_loop(case: Case, name: str, store: bool, states: Any = None) -> peers.Call:
    """A Python loop of Pinocchio's derivatives: value, d/dq, d/dv and d/da or d/dtau.

    It stores into preallocated arrays, or drops the results. states: by default the batch.
    """
    function_name, arguments, attribute = DERIVATIVES[name]
    function = getattr(pin, function_name)
    model, data = case.pin_model, case.pin_data
    states = case.states[1] if states is None else states
    rows = list(zip(*(states[x] for x in arguments), strict=True))
    if not store:

        def bare() -> None:
            for row in rows:
                function(model, data, *row)

        return bare
    n, batch = model.nv, len(rows)
    value = np.empty((batch, n))
    dq, dv, dx = (np.empty((batch, n, n)) for _ in range(3))

    def store_results() -> Results:
        for i, row in enumerate(rows):
            dq[i], dv[i], dx[i] = function(model, data, *row)
            value[i] = getattr(data, attribute)
        return value, dq, dv, dx

    return store_results


def derivatives_as_ours(case: Case, name: str, found: Sequence[np.ndarray]) -> Results:
    """Pinocchio's value and derivatives in our coordinates."""
    value, dq, dv, dx = found
    G = case.map.G
    if name == "inverse_dynamics":
        value = case.map.tau_from_pinocchio(value)
        return value, *map(case.map.matrix_from_pinocchio, (dq, dv, dx))
    value = case.map.v_from_pinocchio(value)
    if case.pin_model.nv == case.robot.nv:  # G is a permutation
        return value, *map(case.map.matrix_from_pinocchio, (dq, dv, dx))
    # a mimicking joint is tied: from M da = -dtau, with G^T M G and G^T dtau G
    M = np.linalg.inv(dx)
    inverse = np.linalg.inv(G.T @ M @ G)
    return value, *(inverse @ (G.T @ M @ x @ G) for x in (dq, dv)), inverse


def inverse_dynamics_derivatives(
    case: Case, q: np.ndarray, v: np.ndarray, a: np.ndarray
) -> Results:
    """tau, dtau/dq, dtau/dv and M by Pinocchio, from and in our coordinates."""
    to = case.map.v_to_pinocchio
    states = {"q": case.map.q_to_pinocchio(q), "v": to(v), "a": to(a)}
    result = derivative_loop(case, "inverse_dynamics", True, states)()
    return derivatives_as_ours(case, "inverse_dynamics", result)


# ------------------------------------------------------------------ second derivatives, time


def second_derivatives(case: Case, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> dict[str, Any]:
    """dqq, dqv, dvv and daq of inverse dynamics, by the stencil on Pinocchio's first ones."""
    columns: dict[str, list[np.ndarray]] = {"dqq": [], "dqv": [], "dvv": [], "daq": []}
    for unit in np.eye(case.robot.nv):

        def along_q(t: float, unit: np.ndarray = unit) -> np.ndarray:
            moved = case.robot.integrate(q, np.broadcast_to(t * unit, v.shape))
            return np.stack(inverse_dynamics_derivatives(case, moved, v, a)[1:])

        def along_v(t: float, unit: np.ndarray = unit) -> np.ndarray:
            return np.stack(inverse_dynamics_derivatives(case, q, v + t * unit, a)[1:])

        dqq, _, daq = stencil(along_q)
        dqv, dvv, _ = stencil(along_v)
        for name, column in (("dqq", dqq), ("dqv", dqv), ("dvv", dvv), ("daq", daq)):
            columns[name].append(column)
    return {name: np.stack(result, axis=-1) for name, result in columns.items()}


def inverse_dynamics_rates(case: Case, *motion: np.ndarray) -> Results:
    """tau, taudot and tauddot of a fixed base for q, v, a, j, s (batch, n).

    taudot = tau_q v + tau_v a + M j from Pinocchio's derivatives; tauddot by the stencil on it.
    """
    q, v, a, j, s = motion

    def at(t: float) -> Results:
        jt = j + t * s
        at_ = a + t * j + t**2 / 2 * s
        vt = v + t * a + t**2 / 2 * j + t**3 / 6 * s
        qt = q + t * v + t**2 / 2 * a + t**3 / 6 * j + t**4 / 24 * s
        tau, dq, dv, M = inverse_dynamics_derivatives(case, qt, vt, at_)
        rate = sum((A @ x[..., None])[..., 0] for A, x in ((dq, vt), (dv, at_), (M, jt)))
        return tau, rate

    tau, rate = at(0.0)
    return tau, rate, stencil(lambda t: at(t)[1])


def time_derivative(case: Case, name: str, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> Any:
    """dM/dt, dC/dt or dg/dt: along any curve that starts with this velocity and acceleration."""
    takes_v = "v" in peers.PEERS[name].arguments

    def at(t: float) -> np.ndarray:
        moved = case.robot.integrate(q, t * v)
        return quantity(case, name, moved, *((v + t * a,) if takes_v else ()))

    return stencil(at)
