"""Parameters of robots with servos: values, coordinates of the fit, and sizes.

Values are inertial parameters, drive parameters, gains, delay and torque constants, in SI units.
The fit works on coordinates x, about of size one: of a body, log-Cholesky coordinates relative to
its prior, J = L J'(x) L^T with the prior pseudo-inertia L L^T, so that all x are physically
consistent; of the others, the value divided by its size, with bounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from jounce.errors import ModelError
from jounce.identification.base_parameters import PARAMETERS, check_fixed
from jounce.identification.drives import driven_velocities
from jounce.identification.simulation.servo import CURVE, GAINS
from jounce.model import DRIVES, inertia
from jounce.robot import Robot
from jounce.utils import cached_property

#: What can be estimated.
ESTIMABLE = ("inertia", *DRIVES, *GAINS, *CURVE, "delay", "torque_constant")

#: Parameters that must stay positive, because the model divides by them.
_POSITIVE = ("stribeck_velocity", "stall_torque", "no_load_speed", "torque_constant")

#: Least value of those, and of a radius of gyration, relative to their sizes or in m.
_LEAST, _MIN_RADIUS = 1e-3, 1e-3

#: Largest load-dependent friction.
_MAX_LOAD_FRICTION = 0.99

#: Least eigenvalue of a prior pseudo-inertia, scaled by mass and radius of gyration.
_MIN_EIGENVALUE = 1e-4

#: Least share of an eigenvalue of a pseudo-inertia that straight steps keep.
_BOUNDARY_SHARE = 0.1

#: Imaginary step: derivatives are exact to rounding.
_STEP = 1e-30


@dataclass(frozen=True, eq=False)
class ServoParameters:
    """The estimated parameters.

    groups: slices of the values by group. entries: for each group, bodies or velocities. start:
    values of all parameters, also of those that are not estimated, by group. sizes: of the
    estimated values (n,).
    """

    robot: Robot
    groups: dict[str, slice]
    entries: dict[str, np.ndarray]
    start: dict[str, np.ndarray]
    sizes: np.ndarray

    @classmethod
    def of(
        cls,
        robot: Robot,
        estimate: Sequence[str],
        fixed: Sequence[str],
        start: Mapping[str, np.ndarray],
        sizes: Mapping[str, np.ndarray],
    ) -> ServoParameters:
        """Return the space of parameters; sizes: typical values of those that start at zero."""
        entries: dict[str, np.ndarray] = {}
        for name in estimate:
            if name == "inertia":
                entries[name] = _free_bodies(robot, fixed)
            elif name == "delay":
                entries[name] = np.zeros(1, dtype=int)
            else:
                driven = np.array(driven_velocities(robot), dtype=int)
                kept = np.isfinite(start[name]) & (
                    (start[name] > 0.0) if name in GAINS else np.ones(robot.nv, dtype=bool)
                )
                entries[name] = driven[kept[driven]]
        groups, parts, k = {}, [], 0
        for name, chosen in entries.items():
            width = 10 if name == "inertia" else 1
            groups[name] = slice(k, k + width * len(chosen))
            k = groups[name].stop
            if name == "inertia":
                parts.append(_inertial_sizes(robot.model.parameters[chosen]).ravel())
            else:
                first = np.abs(np.atleast_1d(start[name]))[chosen]
                parts.append(np.where(first > 0.0, first, np.atleast_1d(sizes[name])[chosen]))
        everything = {name: np.array(x, dtype=float) for name, x in start.items()}
        return cls(robot, groups, entries, everything, np.concatenate(parts))

    @cached_property
    def names(self) -> list[str]:
        """Names of the values."""
        out, labels, bodies = [], self.robot.labels("v"), self.robot.model.body_names
        for name, chosen in self.entries.items():
            if name == "inertia":
                out += [f"{x}[{bodies[b]}]" for b in chosen for x in PARAMETERS]
            else:
                out += [name] if name == "delay" else [f"{name}[{labels[k]}]" for k in chosen]
        return out

    @cached_property
    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Lower and upper bounds of the coordinates."""
        lower, upper = np.full((2, len(self.sizes)), np.inf) * np.array([[-1.0], [1.0]])
        for name, part in self.groups.items():
            if name in _POSITIVE:
                lower[part] = _LEAST
            elif name not in ("inertia", "spring_reference"):
                lower[part] = 0.0
            if name == "load_friction":
                upper[part] = _MAX_LOAD_FRICTION / self.sizes[part]
        return lower, upper

    @cached_property
    def first(self) -> np.ndarray:
        """Coordinates (n,) of the start: the prior."""
        out = np.zeros(len(self.sizes))
        for name, part in self.groups.items():
            if name != "inertia":
                first = np.atleast_1d(self.start[name])[self.entries[name]]
                out[part] = first / self.sizes[part]
        return np.clip(out, *self.bounds)

    @cached_property
    def _roots(self) -> np.ndarray:
        """Factors L (k, 4, 4) of the prior pseudo-inertias L L^T, with small eigenvalues raised."""
        parameters = self.start["inertia"][self.entries["inertia"]]
        sizes = _inertial_sizes(parameters)
        units = np.stack([sizes[:, 1] / sizes[:, 0]] * 3 + [np.ones(len(sizes))], axis=1)
        units *= np.sqrt(sizes[:, :1])
        scaled = inertia.pseudo_inertia(parameters) / (units[:, :, None] * units[:, None])
        s, V = np.linalg.eigh(scaled)
        for b, least, pi in zip(self.entries["inertia"], s[:, 0], parameters, strict=True):
            if least < -_MIN_EIGENVALUE:
                raise ModelError(
                    f"link '{self.robot.model.body_names[b]}' is not physically consistent"
                    f" ({inertia.problem(pi)}); correct its inertia, or name it in fixed="
                )
        return units[:, :, None] * V * np.sqrt(np.maximum(s, _MIN_EIGENVALUE))[:, None]

    def _bodies(self, x: np.ndarray) -> np.ndarray:
        """Return inertial parameters (..., k, 10) from coordinates (..., k, 10)."""
        relative = inertia.pseudo_inertia(inertia.from_log_cholesky(x))
        return inertia.from_pseudo_inertia(self._roots @ relative @ self._roots.mT)

    def values(self, x: np.ndarray) -> np.ndarray:
        """Return the values (n,) at coordinates x."""
        out = x * self.sizes
        if "inertia" in self.groups:
            part = self.groups["inertia"]
            out[part] = self._bodies(x[part].reshape(-1, 10)).ravel()
        return out

    def slopes(self, x: np.ndarray) -> np.ndarray:
        """Return the derivative (n, n) of the values in the coordinates, block diagonal."""
        out = np.diag(self.sizes)
        if "inertia" in self.groups:
            start = self.groups["inertia"].start
            bodies = x[self.groups["inertia"]].reshape(-1, 10)
            moved = bodies + 1j * _STEP * np.eye(10)[:, None]
            rates = np.imag(inertia.from_log_cholesky(moved)) / _STEP  # (10, k, 10)
            relative = inertia.pseudo_inertia(rates)
            columns = inertia.from_pseudo_inertia(self._roots @ relative @ self._roots.mT)
            for b in range(len(bodies)):
                k = start + 10 * b
                out[k : k + 10, k : k + 10] = columns[:, b].T
        return out

    def move(self, x: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Return coordinates after a step (n,), which is straight in the values where possible.

        Torques are linear in inertial parameters, so that directions that they do not determine are
        straight lines of values. A body that would leave the consistent ones, or come much nearer
        to their boundary, follows its coordinates.
        """
        out = x + step
        if "inertia" in self.groups:
            part = self.groups["inertia"]
            straight = (self.values(x) + self.slopes(x) @ step)[part].reshape(-1, 10)
            inverse = np.linalg.inv(self._roots)
            target = inverse @ inertia.pseudo_inertia(straight) @ inverse.mT
            now = inertia.pseudo_inertia(inertia.from_log_cholesky(x[part].reshape(-1, 10)))
            least, before = (np.linalg.eigvalsh(A)[:, 0] for A in (target, now))
            inside = least > _BOUNDARY_SHARE * before
            bodies = out[part].reshape(-1, 10)
            bodies[inside] = inertia.log_cholesky(inertia.from_pseudo_inertia(target[inside]))
            out[part] = bodies.ravel()
        return out

    def expand(self, values: np.ndarray) -> dict[str, np.ndarray]:
        """Return all parameters by group, with the estimated values (n,) in their places."""
        out = {name: x.copy() for name, x in self.start.items()}
        for name, part in self.groups.items():
            if name == "inertia":
                out[name][self.entries[name]] = values[part].reshape(-1, 10)
            elif name == "delay":
                out[name] = values[part][0]
            else:
                out[name][self.entries[name]] = values[part]
        return out


def _free_bodies(robot: Robot, fixed: Sequence[str]) -> np.ndarray:
    """Return the bodies whose inertia is estimated: those with mass that are not fixed."""
    check_fixed(robot, fixed)
    names, masses = robot.model.body_names, robot.model.parameters[:, 0]
    return np.array([b for b in range(robot.nb) if names[b] not in fixed and masses[b] > 0.0], int)


def _inertial_sizes(parameters: np.ndarray) -> np.ndarray:
    """Return typical sizes (k, 10) from masses and radii of gyration."""
    mass = parameters[:, 0]
    spread = np.trace(inertia.pseudo_inertia(parameters)[:, :3, :3], axis1=1, axis2=2)
    radius = np.maximum(np.sqrt(np.maximum(spread, 0.0) / np.where(mass > 0, mass, 1)), _MIN_RADIUS)
    one = np.ones_like(mass)
    powers = np.stack([one] + [radius] * 3 + [radius**2] * 6, axis=1)
    return mass[:, None] * powers
