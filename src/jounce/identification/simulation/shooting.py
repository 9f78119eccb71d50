"""Simulation of windows of a log, with exact sensitivities to initial states and parameters.

Each window starts in a state of its own, which is estimated too. Sensitivities S of the state are
propagated forwards: each step of the compiled servo has Jacobians A in the state and B in the
parameters, whose rows are vector-Jacobian products of one call for all windows, and S+ = A S + B.
The initial states are eliminated from the equations of each window by a QR factorization.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from jounce.identification.simulation.servo import COMMANDS, Servos
from jounce.identification.simulation.servo_log import ServoLog
from jounce.identification.simulation.servo_parameters import ServoParameters
from jounce.robot import Robot

#: Number of samples of the quadratic fit for the initial velocity.
_FIT_SAMPLES = 8

#: Standard deviations of initial states around the first guess, relative to rms motions.
_STATE_FREEDOM = 10.0

#: Largest number of entries of the sensitivities that are kept at once.
_MAX_ENTRIES = 20_000_000


@dataclass(eq=False)
class Windows:
    """Windows (W) of L samples: times (W, L), positions (W, L, nq), currents (W, L, nv) or None.

    signals: index (W,) into `logs`, whose commands act. q, v: initial states (W, nq), (W, nv), and
    their changes (W, 2 nv) from the first guess. freedom: standard deviations (2 nv,) of changes.
    """

    robot: Robot
    logs: list[ServoLog]
    signals: np.ndarray
    t: np.ndarray
    measured: np.ndarray
    currents: np.ndarray | None
    q: np.ndarray
    v: np.ndarray
    change: np.ndarray
    freedom: np.ndarray

    @classmethod
    def of(cls, robot: Robot, logs: list[ServoLog], length: int, margin: float = 0.0) -> Windows:
        """Cut logs into windows after a margin at their start, and guess initial states."""
        pairs = [(k, part) for k, log in enumerate(logs) for part in log.windows(length, margin)]
        signals = np.array([k for k, _ in pairs], dtype=int)
        t = np.array([logs[k].t[part] for k, part in pairs]).reshape(-1, length)
        q = np.array([logs[k].q[part] for k, part in pairs]).reshape(-1, length, robot.nq)
        currents = None
        if any(log.currents is not None for log in logs):
            nothing = np.full((length, robot.nv), np.nan)
            rows = [nothing if (x := logs[k].currents) is None else x[part] for k, part in pairs]
            currents = np.array(rows).reshape(-1, length, robot.nv)
        n = min(length, _FIT_SAMPLES)
        moved = robot.difference(q[:, :1], q[:, :n]) if len(q) else np.zeros((0, n, robot.nv))
        fit = np.zeros((len(q), 3, robot.nv))
        for w in range(len(q)):
            powers = (t[w, :n] - t[w, 0])[:, None] ** np.arange(3)
            fit[w] = np.linalg.lstsq(powers, moved[w], rcond=None)[0]
        v = fit[:, 1]
        spread = np.concatenate((_rms(moved) + 1e-3, _rms(v[:, None]) + 1e-2))
        start = robot.integrate(q[:, 0], fit[:, 0]) if len(q) else q[:, 0]
        change = np.zeros((len(q), 2 * robot.nv))
        return cls(robot, logs, signals, t, q, currents, start, v, change, _STATE_FREEDOM * spread)

    def __len__(self) -> int:
        return len(self.t)

    def __getitem__(self, part: Any) -> Windows:
        names = ("signals", "t", "measured", "currents", "q", "v", "change")
        arrays: dict[str, Any] = {
            k: None if getattr(self, k) is None else getattr(self, k)[part] for k in names
        }
        return Windows(self.robot, self.logs, freedom=self.freedom, **arrays)

    def move(self, steps: np.ndarray) -> Windows:
        """Return windows with other initial states; steps: tangents (W, 2 nv)."""
        nv = self.robot.nv
        out = self[slice(None)]
        out.q = np.asarray(self.robot.integrate(self.q, steps[:, :nv]))
        out.v, out.change = self.v + steps[:, nv:], self.change + steps
        return out

    def commands(self, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return commands and their rates (K, W, 3, nv) at times (K, W)."""
        out = np.zeros((2, *times.shape, 3 * self.robot.nv))
        for k, log in enumerate(self.logs):
            chosen = self.signals == k
            out[:, :, chosen] = log.commands.at(times[:, chosen])
        return tuple(out.reshape(2, *times.shape, 3, self.robot.nv))


def _rms(x: np.ndarray) -> np.ndarray:
    """Return the root mean square over all axes but the last."""
    return np.sqrt(np.mean(x**2, axis=(0, 1))) if x.size else np.zeros(x.shape[-1])


@dataclass(eq=False)
class Shooting:
    """Simulations of windows; counts them.

    period: time between updates of the servos. current_drive: currents are commands, not
    measurements. simulations, sensitivities: numbers of simulations of all windows.
    """

    servos: Servos
    parameters: ServoParameters
    period: float
    current_drive: bool
    simulations: float = field(default=0.0)
    sensitivities: float = field(default=0.0)

    def simulate(
        self, windows: Windows, x: np.ndarray, jacobian: bool = False
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """Return residuals (W, L, c), simulated minus measured, and their Jacobian.

        The Jacobian (W, L, c, 2 nv + n) is in initial states and values of parameters. Channels c
        are positions, and currents if they are measured.
        """
        nv, n = self.servos.nv, len(self.parameters.sizes) if jacobian else 0
        values = self.parameters.expand(self.parameters.values(x))
        arguments = [values[name] for name in self.servos.names]
        W, L = windows.t.shape
        if W == 0:
            return np.zeros((0, L, nv + (nv if self._has_currents(windows) else 0))), None
        substeps = max(1, round(float(np.median(np.diff(windows.t))) / self.period))
        q, v = windows.q, windows.v
        S = np.zeros((W, 2 * nv, 2 * nv + n))
        S[:, :, : 2 * nv] = np.eye(2 * nv)
        residuals, slopes = [], []
        for k in range(L):
            h = (windows.t[:, min(k + 1, L - 1)] - windows.t[:, min(k, L - 2)]) / substeps
            times = windows.t[:, k] + h * np.arange(substeps)[:, None]
            commands, rates = windows.commands(times - values["delay"])
            currents = self._add_currents(commands, rates, values)
            e, E = self._output(windows, k, q, v, commands[0], rates[0], values, S, n)
            residuals.append(e)
            slopes.append(E)
            for j in range(substeps) if k < L - 1 else ():
                inputs = (q, v, h, *commands[j].swapaxes(0, 1), *arguments)
                if jacobian:
                    S = self._propagate(S, inputs, rates[j], currents[j])
                q, v = self.servos.step(*inputs)
        if jacobian:
            self.sensitivities += W
            return np.stack(residuals, axis=1), np.stack(slopes, axis=1)
        self.simulations += W
        return np.stack(residuals, axis=1), None

    def _has_currents(self, windows: Windows) -> bool:
        """Return whether currents are measurements."""
        return windows.currents is not None and not self.current_drive

    def _add_currents(
        self, commands: np.ndarray, rates: np.ndarray, values: dict[str, np.ndarray]
    ) -> np.ndarray:
        """Turn commands of currents into torques, in place; return the currents."""
        currents = commands[:, :, 2].copy()
        if self.current_drive:
            commands[:, :, 2] *= values["torque_constant"]
            rates[:, :, 2] *= values["torque_constant"]
        return currents

    def _propagate(
        self, S: np.ndarray, inputs: tuple[Any, ...], rates: np.ndarray, currents: np.ndarray
    ) -> np.ndarray:
        """Return the sensitivities after a step."""
        nv = self.servos.nv
        rows = np.eye(2 * nv)[:, None]
        parts = self.servos.step.vjp(*inputs, rows[..., :nv], rows[..., nv:])
        parts = [x.swapaxes(0, 1) for x in parts]
        A = np.concatenate(parts[:2], axis=-1)
        by_name = dict(zip((*COMMANDS, *self.servos.names), parts[3:], strict=True))
        S = A @ S
        S[:, :, 2 * nv :] += self._columns(by_name, rates, currents)
        return S

    def _columns(
        self, by_name: dict[str, np.ndarray], rates: np.ndarray, currents: np.ndarray
    ) -> np.ndarray:
        """Return derivatives (W, rows, n) in the values, from those in arguments of a kernel."""
        columns = []
        for name, chosen in self.parameters.entries.items():
            if name == "delay":
                pairs = zip(COMMANDS, rates.swapaxes(0, 1), strict=True)
                total = sum(np.einsum("wri,wi->wr", by_name[c], rate) for c, rate in pairs)
                columns.append(-np.asarray(total)[..., None])
            elif name == "torque_constant":
                by_torque = by_name["tau_command"] * currents[:, None]
                columns.append(by_torque[..., chosen] * float(self.current_drive))
            elif name == "inertia":
                part = by_name.get(name)
                rows = by_name["tau_command"].shape[:2]
                columns.append(
                    np.zeros((*rows, 10 * len(chosen)))
                    if part is None
                    else part[:, :, chosen].reshape(*rows, -1)
                )
            else:
                part = by_name.get(name, np.zeros_like(by_name["tau_command"]))
                columns.append(part[..., chosen])
        return np.concatenate(columns, axis=-1)

    def _output(
        self,
        windows: Windows,
        k: int,
        q: np.ndarray,
        v: np.ndarray,
        commands: np.ndarray,
        rates: np.ndarray,
        values: dict[str, np.ndarray],
        S: np.ndarray,
        n: int,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the residuals (W, c) of sample k and their derivatives (W, c, 2 nv + n)."""
        robot, nv = self.servos.robot, self.servos.nv
        e = robot.difference(windows.measured[:, k], q)
        E = robot.difference.dq1(windows.measured[:, k], q) @ S[:, :nv] if n else S[:, :0]
        if windows.currents is None or self.current_drive:
            return e, E
        torque, gains = self.servos.torque, self.servos.gains
        inputs = (q, v, *commands.swapaxes(0, 1), *(values[name] for name in gains))
        scale = 1.0 / values["torque_constant"]
        model, current = torque(*inputs) * scale, windows.currents[:, k]
        known = np.isfinite(current)
        e = np.concatenate((e, np.where(known, model - current, 0.0)), axis=-1)
        if n:
            parts = torque.vjp(*inputs, np.eye(nv)[:, None])
            parts = [x.swapaxes(0, 1) for x in parts]
            by_name = dict(zip((*COMMANDS, *gains), parts[2:], strict=True))
            C = np.concatenate(parts[:2], axis=-1) @ S
            C[:, :, 2 * nv :] += self._columns(by_name, rates, np.zeros_like(model))
            C *= scale[:, None]
            if "torque_constant" in self.parameters.groups:
                start = 2 * nv + self.parameters.groups["torque_constant"].start
                for i, j in enumerate(self.parameters.entries["torque_constant"]):
                    C[:, j, start + i] -= model[:, j] * scale[j]
            E = np.concatenate((E, np.where(known[..., None], C, 0.0)), axis=1)
        return e, E

    # -------------------------------------------------------------- equations

    def factor(self, windows: Windows, x: np.ndarray, sigma: np.ndarray) -> Equations:
        """Return the equations of windows at x, without initial states; sigma (c,): noise."""
        nv, n = self.servos.nv, len(self.parameters.sizes)
        m = 2 * nv
        D = self.parameters.slopes(x)
        W, L = windows.t.shape
        size = max(1, _MAX_ENTRIES // (L * len(sigma) * (m + n)))
        R, states, cost = np.zeros((0, n + 1)), [], 0.0
        for start in range(0, W, size):
            part = windows[start : start + size]
            e, J = self.simulate(part, x, jacobian=True)
            assert J is not None
            J[..., m:] = J[..., m:] @ D
            table = np.concatenate((J, e[..., None]), axis=-1) / sigma[:, None]
            table = table.reshape(len(part), -1, m + n + 1)
            prior = np.zeros((len(part), m, m + n + 1))
            prior[:, :, :m] = np.diag(1.0 / windows.freedom)
            prior[:, :, -1] = part.change / windows.freedom
            table = np.concatenate((table, prior), axis=1)
            if not np.isfinite(table).all():
                return Equations(np.full((n + 1, n + 1), np.nan), [], np.inf)
            cost += float(np.sum(table[..., -1] ** 2))
            T = _triangular(table)
            states.append(T[:, :m])
            R = _triangular(np.concatenate((R, T[:, m:, m:].reshape(-1, n + 1))))
        return Equations(R, states, cost)

    def cost(self, windows: Windows, x: np.ndarray, sigma: np.ndarray) -> float:
        """Return the sum of squares of weighted residuals, with those of initial states."""
        with np.errstate(all="ignore"):
            e, _ = self.simulate(windows, x)
            total = np.sum((e / sigma) ** 2) + np.sum((windows.change / windows.freedom) ** 2)
        return float(total) if np.isfinite(total) else np.inf


def _triangular(table: np.ndarray) -> np.ndarray:
    """Return the triangular factors of matrices."""
    factor: Any = np.linalg.qr(table, mode="r")
    return factor


@dataclass(frozen=True, eq=False)
class Equations:
    """Equations of the parameters: R (n + 1, n + 1), triangular, of |R [dx, 1]|^2.

    states: rows of triangular factors from which initial states follow. cost: sum of squares.
    """

    R: np.ndarray
    states: list[np.ndarray]
    cost: float

    def state_steps(self, dx: np.ndarray) -> np.ndarray:
        """Return the best changes (W, 2 nv) of initial states for a change of parameters."""
        T = np.concatenate(self.states)
        m = T.shape[1]
        right = T[:, :, -1] + T[:, :, m:-1] @ dx
        return -np.linalg.solve(T[:, :, :m], right[..., None])[..., 0]
