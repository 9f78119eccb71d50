"""Regressors of any number of samples, compressed by QR to triangular factors.

The torques are linear in the parameters, tau = Y(q, v, a) theta, and row i of Y depends only on the
bodies that joint i moves (in a mechanism with loops, on all). For each joint the rows [Y_i  tau_i]
of all samples are compressed to one triangular factor, updated chunk by chunk (R of [R; new rows]).
No information is lost: weighted fits, residuals of any parameters, and standard deviations follow
from these factors. Normal equations would square the condition number; QR is nearly as fast, since
the factors of a chunk stay in the processor cache.
Columns that are linear combinations of others for every motion (three of ten behind a revolute
joint) are left out and restored exactly at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import cast

import numpy as np

from jounce.identification.base_parameters import parameter_labels, sufficient_columns
from jounce.identification.drives import DriveParameters, PassiveDrives, driven_velocities
from jounce.identification.friction_laws import FrictionLaws, smooth_sign
from jounce.identification.subject import MechanismAdapter, Subject
from jounce.utils import cached_property

#: Rows that are factorized at once, and maximum number of regressor entries computed at once.
_BLOCK_ROWS = 1024
_MAX_NUMBERS = 1 << 22


@dataclass(frozen=True, eq=False)
class Equations:
    """Equations tau = Y pi + sum of drive columns times drive parameters, of n samples.

    rows (n,): row numbers in the data. Y (n, nv, 10 nb). drives: the column (n, nv) of each kind of
    drive parameter. tau (n, nv): torques minus those of known drives.
    """

    rows: np.ndarray
    Y: np.ndarray
    drives: dict[str, np.ndarray]
    tau: np.ndarray

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, part: slice | np.ndarray) -> Equations:
        drives = {name: x[part] for name, x in self.drives.items()}
        return Equations(self.rows[part], self.Y[part], drives, self.tau[part])


@dataclass(frozen=True, eq=False)
class Layout:
    """Columns of the regressor: 10 nb inertial parameters, then nv of each kind of drive parameter.

    Joints with one degree of freedom have drives; the columns of others stay zero. A mechanism has
    nv independent joints; drive parameters of its dependent joints are known.
    smoothing: scale of the speed in Coulomb friction v / sqrt(v^2 + smoothing^2); 0: sign(v).
    measured: mask (nv,) of the torques that were measured.
    """

    robot: Subject
    measured: np.ndarray
    armature: bool = False
    friction: bool = False
    offset: bool = False
    smoothing: float = 0.0

    @cached_property
    def laws(self) -> FrictionLaws:
        """Friction of the model beyond viscous and Coulomb friction."""
        return FrictionLaws.of(self.robot, self.friction)

    @cached_property
    def groups(self) -> dict[str, slice]:
        """Slices of theta by kind: inertia, then kinds of drive parameters."""
        nb, nv = self.robot.nb, self.robot.nv
        out = {"inertia": slice(0, 10 * nb)}
        start = 10 * nb
        for name, included in (
            ("armature", self.armature),
            ("damping", self.friction),
            ("friction", self.friction),
            ("stribeck_friction", bool(self.laws.identified)),
            ("offset", self.offset),
        ):
            if included:
                out[name] = slice(start, start + nv)
                start += nv
        return out

    @property
    def size(self) -> int:
        """Number of columns."""
        return max(part.stop for part in self.groups.values())

    @cached_property
    def labels(self) -> list[str]:
        """Names of the columns."""
        out = parameter_labels(self.robot)
        for name in list(self.groups)[1:]:
            out += [f"{name}[{joint}]" for joint in self.robot.labels("v")]
        return out

    @cached_property
    def prior(self) -> np.ndarray:
        """The parameters of the robot as it was loaded."""
        out = np.zeros(self.size)
        out[self.groups["inertia"]] = self.robot.model.parameters.ravel()
        for name in ("armature", "damping", "friction"):
            if name in self.groups:
                out[self.groups[name]] = getattr(DriveParameters.of(self.robot), name)
        if "stribeck_friction" in self.groups:
            out[self.groups["stribeck_friction"]] = self.laws.amplitudes
        return out

    @cached_property
    def rows(self) -> list[int]:
        """Indices of the torques that were measured."""
        return [int(i) for i in np.flatnonzero(self.measured)]

    @cached_property
    def reduction(self) -> tuple[np.ndarray, np.ndarray]:
        """Independent columns (r,), and the matrix (r, p) from parameters to their coefficients."""
        columns, B = sufficient_columns(self.robot)
        inertial, p = self.groups["inertia"].stop, self.size
        matrix = np.zeros((len(columns) + p - inertial, p))
        matrix[: len(columns), :inertial] = B
        matrix[len(columns) :, inertial:] = np.eye(p - inertial)
        return np.concatenate((columns, np.arange(inertial, p))), matrix

    @cached_property
    def supports(self) -> list[np.ndarray]:
        """Independent columns that each torque can depend on."""
        out, with_drive = [], set(driven_velocities(self.robot))
        inertial = self.groups["inertia"].stop
        for v, bodies in enumerate(self._moved_bodies()):
            drives = [part.start + v for part in list(self.groups.values())[1:] if v in with_drive]
            if "stribeck_friction" in self.groups and all(v != x.k for x in self.laws.identified):
                drives = [k for k in drives if k != self.groups["stribeck_friction"].start + v]
            columns = [
                k for k in self.reduction[0] if (k // 10 in bodies if k < inertial else k in drives)
            ]
            out.append(np.array(columns, dtype=int))
        return out

    def _moved_bodies(self) -> list[set[int]]:
        """Return the bodies that each velocity moves."""
        if isinstance(self.robot, MechanismAdapter):  # through the loops, any
            return [set(range(self.robot.nb))] * self.robot.nv
        tree, moved = self.robot.tree, [set() for _ in range(self.robot.nv)]
        for i, node in enumerate(tree.nodes):
            if node.body >= 0:
                for k in (i, *tree.ancestors[i]):
                    for v in range(tree.nodes[k].vs.start, tree.nodes[k].vs.stop):
                        moved[v].add(node.body)
        return moved

    @cached_property
    def passive(self) -> PassiveDrives | None:
        """Drives of dependent joints, which are not identified."""
        return PassiveDrives.of(self.robot)

    @cached_property
    def places(self) -> list[np.ndarray]:
        """Positions of the columns of `supports` among the independent ones."""
        return [np.searchsorted(self.reduction[0], columns) for columns in self.supports]

    def sign(self, v: np.ndarray) -> np.ndarray:
        """Return the sign of velocities, smoothed, which multiplies Coulomb friction.

        v: velocities (n, nv), or those of all joints of a mechanism.
        """
        of_model = self.laws.smoothing
        if v.shape[-1] != len(of_model):
            of_model = of_model[self.laws.active]
        return smooth_sign(v, self.smoothing or of_model)

    def drives(self, v: np.ndarray, a: np.ndarray) -> dict[str, np.ndarray]:
        """Return the column (n, nv) of each kind of drive parameter."""
        return {
            "armature": a,
            "damping": v,
            "friction": self.sign(v),
            "stribeck_friction": self.laws.column(v),
            "offset": np.ones_like(v),
        }

    def known_torques(self, drives: dict[str, np.ndarray]) -> np.ndarray:
        """Return torques (n, nv) of the drive parameters that are not identified."""
        model = DriveParameters.of(self.robot)
        out = np.zeros_like(drives["damping"])
        for name in ("armature", "damping", "friction"):
            if name not in self.groups:
                out += getattr(model, name) * drives[name]
        return out

    def equations(
        self, rows: np.ndarray, Y: np.ndarray, drives: dict[str, np.ndarray], tau: np.ndarray
    ) -> Equations:
        """Return equations of samples with measured torques."""
        return Equations(rows, Y, drives, tau - self.known_torques(drives))

    def of_samples(
        self,
        rows: np.ndarray,
        q: np.ndarray,
        v: np.ndarray,
        a: np.ndarray,
        tau: np.ndarray,
        out: np.ndarray | None = None,
    ) -> Equations:
        """Return equations tau = Y(q, v, a) theta of measured states. out: buffer for Y."""
        Y = self.robot.inverse_dynamics.dpi(q, v, a, out=out)
        tau = tau - self.load_friction(q, v, tau) - self.passive_forces(q, v, a)
        return self.equations(rows, Y, self.drives(v, a), tau)

    def load_friction(self, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
        """Return the load-dependent friction (n, nv) at measured torques."""
        return self.laws.load_friction(v, self.laws.measured_loads(q, v, tau))

    def torques(self, theta: np.ndarray, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Return torques (..., nv) of the model, including known drives."""
        Y = self.robot.inverse_dynamics.dpi(q, v, a)
        zeros = np.zeros(v.shape)
        tau, drives = zeros - self.passive_forces(q, v, a), self.drives(v, a)
        tau = -self.residuals(theta, self.equations(zeros, Y, drives, tau))
        load = tau - self._unloaded_friction(theta, drives) - self.laws.own_forces(v)
        return tau + self.laws.load_friction(v, load)

    def _unloaded_friction(self, theta: np.ndarray, drives: dict[str, np.ndarray]) -> np.ndarray:
        """Return friction and offset (..., nv) of the independent joints without load."""
        model, out = DriveParameters.of(self.robot), np.zeros_like(drives["damping"])
        for name in ("damping", "friction", "stribeck_friction", "offset"):
            if name in self.groups:
                out += drives[name] * theta[self.groups[name]]
            elif name in ("damping", "friction"):
                out += drives[name] * getattr(model, name)
        return out

    def passive_forces(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Return torques (..., nv) of springs, of the drives of dependent joints, and of laws."""
        springs = self.robot.spring_forces(q) + self.laws.forces(q, v)
        if self.passive is None:
            return springs
        return springs + self.passive.inertia(q, v, a) + self.passive.friction(q, v, self.sign)

    def residuals(self, theta: np.ndarray, equations: Equations) -> np.ndarray:
        """Return residuals (n, nv) of the torques."""
        out = equations.tau - equations.Y @ theta[self.groups["inertia"]]
        for name, part in list(self.groups.items())[1:]:
            out -= equations.drives[name] * theta[part]
        return out

    def piece(self) -> int:
        """Return the number of samples whose regressor is computed at once."""
        return int(np.clip(_MAX_NUMBERS // (self.robot.nv * 10 * self.robot.nb), 64, 16384))


@dataclass(eq=False)
class Compressed:
    """Triangular factors as plain arrays, without the layout, to be sent and stored.

    count: number of samples. weight (nv,): sums of the weights of the samples, 1 by default. parts:
    the factor of [Y_i  tau_i] for each velocity i.
    """

    count: int
    weight: np.ndarray
    parts: list[np.ndarray]

    def __add__(self, other: Compressed) -> Compressed:
        """Return the factors of the samples of both."""
        parts = [_update(a, b) for a, b in zip(self.parts, other.parts, strict=True)]
        return Compressed(self.count + other.count, self.weight + other.weight, parts)


class Factors:
    """Triangular factors of [Y_i  tau_i] for each velocity i, and their number of samples.

    weight (nv,): sums of the weights of the samples, 1 by default.
    """

    def __init__(self, layout: Layout, initial: Compressed | None = None) -> None:
        """initial: factors to start from."""
        self.layout = layout
        if initial is None:
            parts = [np.empty((0, len(s) + 1)) for s in layout.supports]
            initial = Compressed(0, np.zeros(layout.robot.nv), parts)
        self.count, self.parts = initial.count, list(initial.parts)
        self.weight = initial.weight.copy()

    @property
    def compressed(self) -> Compressed:
        """The factors without the layout."""
        return Compressed(self.count, self.weight, self.parts)

    def add(
        self,
        equations: Equations,
        weights: np.ndarray | None = None,
        pool: ThreadPoolExecutor | None = None,
    ) -> None:
        """Add equations. weights (n, nv): of their squared residuals."""
        self.count += len(equations)
        self.weight += len(equations) if weights is None else weights.sum(axis=0)

        def update(i: int) -> None:
            rows = self._rows(i, equations)
            if weights is not None:
                rows *= np.sqrt(weights[:, i, None])
            self.parts[i] = _update(self.parts[i], rows)

        if pool is None:
            for i in self.layout.rows:
                update(i)
        else:
            list(pool.map(update, self.layout.rows))

    def _rows(self, i: int, equations: Equations) -> np.ndarray:
        columns = self.layout.supports[i]
        inertial = int(np.searchsorted(columns, self.layout.groups["inertia"].stop))
        out = np.empty((len(equations), len(columns) + 1))
        out[:, :inertial] = equations.Y[:, i, columns[:inertial]]
        parts = list(self.layout.groups.items())[1:]
        names = [name for name, part in parts if part.start + i in columns]
        for k, name in enumerate(names, start=inertial):
            out[:, k] = equations.drives[name][:, i]
        out[:, -1] = equations.tau[:, i]
        return out

    def __add__(self, other: Factors) -> Factors:
        """Return the factors of the samples of both."""
        return Factors(self.layout, self.compressed + other.compressed)

    def is_finite(self) -> bool:
        """Return whether all entries are finite."""
        return all(np.isfinite(part).all() for part in self.parts)

    def stack(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return A (r + 1, p), z (r + 1,): |A theta - z|^2 is the weighted sum of squares."""
        _, reduce = self.layout.reduction
        r = len(reduce)
        rows = []
        for i in self.layout.rows:
            part = self.parts[i]
            full = np.zeros((len(part), r + 1))
            full[:, self.layout.places[i]] = part[:, :-1]
            full[:, -1] = part[:, -1]
            rows.append(weights[i] * full)
        R = triangular(np.vstack(rows))
        return R[:, :r] @ reduce, R[:, r]

    def squares(self, theta: np.ndarray) -> np.ndarray:
        """Return sums (nv,) of the squares of tau_i - Y_i theta; zero where unmeasured."""
        return self._squares(theta, 1.0)

    def changes(self, change: np.ndarray) -> np.ndarray:
        """Return sums (nv,) of the squares of Y_i change."""
        return self._squares(change, 0.0)

    def _squares(self, theta: np.ndarray, torque: float) -> np.ndarray:
        out = np.zeros(self.layout.robot.nv)
        reduced = self.layout.reduction[1] @ theta
        for i in self.layout.rows:
            part = self.parts[i]
            left = torque * part[:, -1] - part[:, :-1] @ reduced[self.layout.places[i]]
            out[i] = left @ left
        return out

    def mean(self, sums: np.ndarray) -> np.ndarray:
        """Return root mean squares of sums of squares (nv,)."""
        return np.sqrt(sums / np.where(self.weight > 0.0, self.weight, 1.0))

    def totals(self) -> np.ndarray:
        """Return sums (nv,) of the squares of tau_i."""
        return self.squares(np.zeros(self.layout.size))


def triangular(rows: np.ndarray) -> np.ndarray:
    """Return the triangular factor of rows."""
    return cast(np.ndarray, np.linalg.qr(rows, mode="r"))


def _update(R: np.ndarray, rows: np.ndarray) -> np.ndarray:
    for start in range(0, len(rows), _BLOCK_ROWS):
        R = triangular(np.vstack((R, rows[start : start + _BLOCK_ROWS])))
    return R


def total(factors: Sequence[Factors]) -> Factors:
    """Return the factors of the samples of all."""
    return reduce(add, factors)
