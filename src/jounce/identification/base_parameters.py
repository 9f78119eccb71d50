"""Base parameters: the combinations of inertial parameters that torques depend on.

Some inertial parameters have no effect on torques, others only as sums. The identifiable
directions are the span J of the energies of all bodies as functions of the state (kinetic energy,
and potential energy up to a constant): parameters d with <x, d> = 0 for every x in J have no effect
(Gautier and Khalil 1990, Direct calculation of minimum set of inertial parameters of serial
robots).

By structure, J comes from a recursion over the elementary tree (`jounce.identification.structure`),
exact for every joint kind, direction of gravity and tree. Numerically, it is the row space of the
regressor at random states; for a mechanism, at random states with closed loops. The reduction of J
to echelon form gives the combinations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from jounce.errors import legible, printable
from jounce.formulas import wrt_inertia
from jounce.identification.drives import driven_velocities
from jounce.identification.page import align_table
from jounce.identification.structure import NEW, energy_span, local_span, snap_placements, svd
from jounce.identification.subject import MechanismAdapter, Subject, subject
from jounce.math import INERTIA_ENTRIES, array
from jounce.model.inertia import PARAMETERS
from jounce.utils import cached_property

if TYPE_CHECKING:
    from jounce.model import Tree
    from jounce.solve.mechanism import Mechanism

Method = Literal["structure", "numerical"]

#: Geometry closer than this (rad, m) to a special one is rounded to it: URDF angles such as 1.5708
#: mean a right angle, and parameters that act through 4e-6 rad are not measurable.
TOLERANCE = 2e-5


#: Singular values of the regressor below this, relative to the largest, are rounding errors. The
#: singular value of a parameter that acts through a small angle is proportional to its square.
_MIN_SINGULAR_VALUE = 1e-10

#: Terms of a combination that explain less than this fraction of a column are rounding errors.
_MIN_TERM = 1e-7


@dataclass(frozen=True, eq=False)
class BaseParameters:
    """A minimal set of combinations beta = B pi that determines all torques.

    Attributes
    ----------
    robot : str
        Name of the robot.
    labels : tuple of str
        Names of the p parameters: ten per body, then nv armatures if included.
    matrix : (r, p) array
        B.
    independent : (r,) array of int
        Indices of the parameters to which others are added; their columns of B form an identity.
    """

    robot: str
    labels: tuple[str, ...]
    matrix: np.ndarray
    independent: np.ndarray

    def __len__(self) -> int:
        return len(self.matrix)

    @cached_property
    def names(self) -> list[str]:
        """The combinations, such as "Izz[arm] + 0.09 m[hand]"."""
        return [self.name(i) for i in range(len(self))]

    def name(self, i: int, terms: int | None = None, digits: int = 6) -> str:
        """Return a combination as a sum.

        Parameters
        ----------
        i : int
            Index of the combination.
        terms : int, optional
            Number of terms after which the sum is truncated.
        digits : int
            Significant digits of factors.

        Returns
        -------
        str
            Such as "Izz[arm] + 0.09 m[hand]".
        """
        row, first = self.matrix[i], self.independent[i]
        others = [k for k in np.flatnonzero(row) if k != first]
        shown = others if terms is None else others[: max(terms - 1, 0)]
        text = self.labels[first]
        for k in shown:
            size = f"{abs(row[k]):.{digits}g}"
            factor = "" if size == "1" else f"{size} "
            text += f" {'-' if row[k] < 0 else '+'} {factor}{self.labels[k]}"
        hidden = len(others) - len(shown)
        return text + (f" + {hidden} more" if hidden else "")

    @cached_property
    def without_effect(self) -> list[str]:
        """Inertial parameters that have no effect on torques."""
        unused = np.flatnonzero(~self.matrix.any(axis=0))
        return [self.labels[k] for k in unused if not self.labels[k].startswith("armature[")]

    @cached_property
    def alone(self) -> np.ndarray:
        """Mask (p,) of the parameters that are identifiable individually, not only in a sum."""
        single = np.count_nonzero(self.matrix, axis=1) == 1
        out = np.zeros(len(self.labels), dtype=bool)
        out[self.independent[single]] = True
        return out

    def values(self, parameters: np.ndarray) -> np.ndarray:
        """Return the values of the combinations.

        Parameters
        ----------
        parameters : (..., p) array
            Parameters in the order of `labels`.

        Returns
        -------
        (..., r) array
            beta = B pi.
        """
        return np.asarray(parameters) @ self.matrix.T

    def table(
        self,
        values: np.ndarray | None = None,
        deviations: np.ndarray | None = None,
        terms: int | None = 6,
    ) -> str:
        """Return a text table with a line per combination.

        Parameters
        ----------
        values, deviations : (r,) array, optional
            Values and standard deviations to show.
        terms : int, optional
            Number of terms after which names are truncated.

        Returns
        -------
        str
            The table.
        """
        columns = {"value": values, "deviation": deviations}
        shown = {head: x for head, x in columns.items() if x is not None}
        lines = [
            [str(i + 1), *(f"{x[i]:.4g}" for x in shown.values()), self.name(i, terms)]
            for i in range(len(self))
        ]
        return align_table(["#", *shown, "combination"], lines)

    def __str__(self) -> str:
        title = f"{len(self)} base parameters of {printable(self.robot)} (of {len(self.labels)})"
        lines = [title, self.table()]
        if self.without_effect:
            lines.append(f"without effect: {printable(', '.join(self.without_effect))}")
        return "\n".join(lines)


def base_parameters(
    robot: Subject | Mechanism,
    *,
    armature: bool = False,
    method: Method = "structure",
    fixed: Sequence[str] = (),
    tolerance: float = TOLERANCE,
    rng: np.random.Generator | int | None = 0,
) -> BaseParameters:
    """Return the combinations of inertial parameters that determine the torques of a robot.

    Parameters
    ----------
    robot : Robot or Mechanism
        The torques of a mechanism, `robot.closed()`, are those of its independent joints. Fewer
        combinations determine them; they are computed numerically, without rounding its geometry.
    armature : bool
        Include the armatures (nv,) of joints with one velocity; some of them act like a moment of
        inertia of a body.
    method : {"structure", "numerical"}
        Recursion over the tree, or the regressor at random states.
    fixed : sequence of str
        Bodies whose parameters are known and left out.
    tolerance : float
        Angles (rad) and lengths (m) closer than this to 0, 30, 45, 60, 90 degrees or to zero are
        rounded to these; 0 disables rounding.
    rng : Generator, int or None
        Random number generator or seed, for the states of "numerical" and for the coordinates of
        mimicking joints.

    Returns
    -------
    BaseParameters
        The combinations, as a matrix with labels; `print` shows them as a table.

    Raises
    ------
    ValueError
        If the method, the tolerance or a body in `fixed` is not valid.
    """
    if method not in get_args(Method):
        raise ValueError(f"method: choose one of {', '.join(get_args(Method))}, found {method!r}")
    if not 0.0 <= tolerance < 0.1:
        raise ValueError(f"tolerance: expected 0 or a small angle, found {tolerance!r}")
    owner = subject(robot)
    check_fixed(owner, fixed)
    J, least = _span(owner, method, tolerance, np.random.default_rng(rng))
    labels, order = parameter_labels(owner), _preference(owner)
    if armature:
        labels += [f"armature[{name}]" for name in owner.labels("v")]
        order += [10 * owner.nb + k for k in driven_velocities(owner)]
    J = J[:, : len(labels)]
    kept = [k for k in order if k >= 10 * owner.nb or owner.model.body_names[k // 10] not in fixed]
    J = np.where(np.isin(np.arange(len(labels)), kept), J, 0.0)
    matrix, independent = _echelon(J, kept, least)
    return BaseParameters(owner.name, tuple(labels), matrix, independent)


def _span(
    robot: Subject, method: Method, tolerance: float, rng: np.random.Generator
) -> tuple[np.ndarray, float]:
    """Return rows (r, 10 nb + nv) that span J, armatures last, and the least singular value."""
    if isinstance(robot, MechanismAdapter):
        return _regressor_span(robot, robot.tree, rng), _MIN_SINGULAR_VALUE
    tree = robot.tree if tolerance == 0.0 else snap_placements(robot.tree, tolerance)
    if method == "structure":
        return energy_span(tree, rng), NEW
    return _regressor_span(robot, tree, rng), _MIN_SINGULAR_VALUE


def check_fixed(robot: Subject, fixed: Sequence[str]) -> None:
    """Refuse names of links that the robot does not have."""
    unknown = [name for name in fixed if name not in robot.model.body_names]
    if unknown:
        raise ValueError(
            legible(
                f"fixed: {robot.name} has no moving link '{unknown[0]}'; choose among"
                f" {', '.join(robot.model.body_names)}"
            )
        )


def parameter_labels(robot: Subject) -> list[str]:
    """Return names of the 10 nb inertial parameters, such as "Ixx[panda_link2]"."""
    return [f"{name}[{body}]" for body in robot.model.body_names for name in PARAMETERS]


# ------------------------------------------------------------------ echelon form


def _preference(robot: Subject) -> list[int]:
    """Return the order of preference of independent parameters: root first, as in papers.

    Parameters that a joint passes on to its parent come last within a body: for a rotation the
    mass, the first moment along the axis and one of the moments of inertia across it, for a
    translation the inertia.
    """
    out = []
    for b, joint in enumerate(robot.model.joints):
        if not any(joint.row.turns):
            within = range(10)
        else:
            k = int(np.argmax(np.abs(joint.axis)))
            i, j = (k + 1) % 3, (k + 2) % 3
            entry = {frozenset(e): 4 + n for n, e in enumerate(INERTIA_ENTRIES)}
            pairs = ((k, k), (i, i), (i, j), (i, k), (j, k))
            within = [entry[frozenset(pair)] for pair in pairs]
            within += [1 + i, 1 + j, entry[frozenset((j, j))], 1 + k, 0]
        out += [10 * b + n for n in within]
    return out


def sufficient_columns(robot: Subject) -> tuple[np.ndarray, np.ndarray]:
    """Return columns c (r,) of the regressor and B (r, 10 nb) with Y = Y[:, c] B, to round-off.

    The number of columns is not minimal, but there is no tolerance: only parameters that a joint
    passes on to its parent are left out.
    """
    matrix, independent = _echelon(local_span(robot.tree), _preference(robot), NEW, 1e-14)
    return independent, matrix


def _echelon(
    J: np.ndarray, order: Sequence[int], least: float, negligible: float = _MIN_TERM
) -> tuple[np.ndarray, np.ndarray]:
    """Return B (r, p) with the row space of J, and its independent columns, in echelon form.

    least: relative singular values below this are zero. negligible: terms of a combination that
    explain a smaller fraction of a column are dropped.
    """
    norms = np.linalg.norm(J, axis=0)
    norms = np.where(norms > least * norms.max(initial=0.0), norms, 0.0)
    scaled = np.divide(J, norms, out=np.zeros_like(J), where=norms > 0.0)
    _, s, Vt = svd(scaled)
    rows = Vt[s > least * s.max(initial=0.0)]
    effective = [k for k in order if norms[k] > 0.0]
    independent = np.array(_pivots(rows, effective), dtype=int)
    B = np.linalg.solve(rows[:, independent], rows) if len(rows) else rows
    # entries are compared after scaling: what matters is their effect on torques
    B[np.abs(B) <= negligible] = 0.0
    B[:, independent] = np.eye(len(independent))
    B = B * norms / norms[independent, None]
    ordered = np.argsort(independent)
    return B[ordered], independent[ordered]


def _pivots(rows: np.ndarray, order: Sequence[int]) -> list[int]:
    """Return the first independent columns in an order of preference, as many as there are rows.

    A column is independent if a minimum fraction of it is orthogonal to the previous ones. The
    largest fraction that gives enough columns is used, since small ones admit rounding errors.
    """
    pivots: list[int] = []
    for fraction in np.geomspace(1e-3, 1e-12, 19):
        basis = np.zeros((rows.shape[0], rows.shape[0]))
        pivots = []
        for k in order:
            if len(pivots) == len(rows):
                break
            remainder = rows[:, k]
            for _ in range(2):  # twice is enough
                remainder = remainder - basis[:, : len(pivots)] @ (
                    basis[:, : len(pivots)].T @ remainder
                )
            size = np.linalg.norm(remainder)
            if size > fraction * np.linalg.norm(rows[:, k]) > 0.0:
                basis[:, len(pivots)] = remainder / size
                pivots.append(k)
        if len(pivots) == len(rows):
            break
    return pivots


# ------------------------------------------------------------------ numerically


def _regressor_span(robot: Subject, tree: Tree, rng: np.random.Generator) -> np.ndarray:
    """Return rows (r, 10 nb + nv) that span the regressor at random states, armatures last.

    tree: the tree of the robot, or a rounded one.
    """
    p = 10 * robot.nb + robot.nv
    n = 4 * p // robot.nv + 20
    v, a = rng.normal(size=(2, n, robot.nv))
    Y = np.zeros((n, robot.nv, p))
    if isinstance(robot, MechanismAdapter):
        Y[..., : 10 * robot.nb] = robot.inverse_dynamics.dpi(
            robot.sample_configurations(n, rng), v, a
        )
    else:
        q = robot.integrate(robot.neutral(), rng.uniform(-np.pi, np.pi, (n, robot.nv)))
        for rows, *state in zip(Y, q, v, a, strict=True):
            rows[:, : 10 * robot.nb] = wrt_inertia.inverse_dynamics_dpi(tree, *map(array, state))
    Y[..., 10 * robot.nb :] = a[:, :, None] * np.eye(robot.nv)
    R = np.linalg.qr(Y.reshape(-1, p), mode="r")
    norms = np.linalg.norm(R, axis=0)
    norms[norms <= _MIN_SINGULAR_VALUE * norms.max()] = np.inf
    _, s, Vt = svd(R / norms)
    return Vt[s > _MIN_SINGULAR_VALUE * s[0]] * np.where(np.isinf(norms), 0.0, norms)
