"""The base parameters of a robot, including drives, and the scale of each parameter.

Estimates work on the deviation from prior parameters theta_0, by default those of the robot, so
that parameters that the data do not determine keep their prior values.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from jounce.identification.base_parameters import BaseParameters, base_parameters
from jounce.identification.drives import driven_velocities
from jounce.identification.regression import Factors, Layout
from jounce.model.inertia import pseudo_inertia
from jounce.utils import cached_property

#: Least radius of gyration (m), and least mass relative to the heaviest body, for scales of bodies.
_MIN_RADIUS, _MIN_MASS_SHARE = 0.02, 1e-3

#: Radius of gyration (m) of bodies of robots without mass, which are treated as 1 kg each.
_DEFAULT_RADIUS = 0.2


@dataclass(frozen=True, eq=False)
class Space:
    """The base parameters of a layout, including drives, and the scale of each parameter.

    base: combinations of inertial parameters and armatures. fixed: bodies that keep their
    parameters. prior: theta_0 (p,). scale (p,): typical sizes, for distances between parameters.
    """

    layout: Layout
    base: BaseParameters
    prior: np.ndarray
    scale: np.ndarray
    fixed: tuple[str, ...]

    @classmethod
    def of(
        cls, layout: Layout, factors: Factors, prior: np.ndarray, fixed: tuple[str, ...]
    ) -> Space:
        """Return the space of a layout; sizes of drive parameters come from the data."""
        base = base_parameters(layout.robot, armature=layout.armature, fixed=fixed)
        return cls(layout, base, prior, _scales(layout, factors, prior), fixed)

    def with_scales_of(self, factors: Factors) -> Space:
        """Return a copy with sizes of drive parameters from other data."""
        return replace(self, scale=_scales(self.layout, factors, self.prior))

    @cached_property
    def active(self) -> np.ndarray:
        """Mask (p,) of the parameters that may change."""
        out = np.ones(self.layout.size, dtype=bool)
        for b, name in enumerate(self.layout.robot.model.body_names):
            out[10 * b : 10 * b + 10] = name not in self.fixed
        with_drive = np.isin(np.arange(self.layout.robot.nv), driven_velocities(self.layout.robot))
        for part in list(self.layout.groups.values())[1:]:
            out[part] = self.layout.measured & with_drive
        return out

    @cached_property
    def matrix(self) -> np.ndarray:
        """B (r, p) with beta = B theta, rows of drive parameters last."""
        p, known = self.layout.size, len(self.base.labels)
        top = np.zeros((len(self.base), p))
        top[:, :known] = self.base.matrix
        return np.vstack((top, np.eye(p)[self._single_drives]))

    @cached_property
    def _single_drives(self) -> np.ndarray:
        """Indices of the active drive parameters that are not part of `base`."""
        return np.array(
            [k for k in range(len(self.base.labels), self.layout.size) if self.active[k]],
            dtype=int,
        )

    @cached_property
    def independent(self) -> np.ndarray:
        """For each row of B, the column that is zero in all other rows."""
        return np.concatenate((self.base.independent, self._single_drives))

    @cached_property
    def names(self) -> list[str]:
        """Names of the combinations."""
        return [*self.base.names, *(self.layout.labels[k] for k in self._single_drives)]

    def short_name(self, i: int, terms: int = 4) -> str:
        """Return the name of combination i, truncated after some terms."""
        return self.base.name(i, terms, 4) if i < len(self.base) else self.names[i]

    def lift(self, change: np.ndarray) -> np.ndarray:
        """Return the least change (p,) of theta, relative to scale, for a change of beta."""
        scaled = self.matrix * np.where(self.active, self.scale, 0.0)
        sizes = np.linalg.norm(scaled, axis=1)
        return np.linalg.lstsq(scaled / sizes[:, None], change / sizes, rcond=None)[0] * self.scale


def _scales(layout: Layout, factors: Factors, prior: np.ndarray) -> np.ndarray:
    """Return typical sizes of the parameters, of bodies from mass and radius of gyration.

    The size of a drive parameter is the one that would explain a torque by itself.
    """
    out = np.ones(layout.size)
    bodies = prior[layout.groups["inertia"]].reshape(-1, 10)
    masses = np.abs(bodies[:, 0])
    heaviest = masses.max(initial=0.0)
    spread = np.trace(pseudo_inertia(bodies)[:, :3, :3], axis1=1, axis2=2)
    for b, (m, squares) in enumerate(zip(masses, spread, strict=True)):
        mass = max(m, _MIN_MASS_SHARE * heaviest) or 1.0
        radius = max(
            np.sqrt(max(squares, 0.0) / mass), _MIN_RADIUS if heaviest else _DEFAULT_RADIUS
        )
        sizes = np.array([1.0] + [radius] * 3 + [radius**2] * 6)
        out[10 * b : 10 * b + 10] = mass * sizes
    totals = np.sqrt(factors.totals())
    for name, part in layout.groups.items():
        if name == "inertia":
            continue
        for i in layout.rows:
            columns = np.flatnonzero(layout.supports[i] == part.start + i)
            size = np.linalg.norm(factors.parts[i][:, columns]) if len(columns) else 0.0
            if size > 0.0 and totals[i] > 0.0:
                out[part.start + i] = totals[i] / size
    return out
