"""Base parameters: the combinations of inertial parameters that torques depend on.

Some inertial parameters move no torque, others only as sums. What torques can tell is the span J of
the energies of all bodies, as functions of the state (kinetic energy, and potential energy up to a
constant): parameters d with <x, d> = 0 for every x in J have no effect (Gautier and Khalil 1990,
Direct calculation of minimum set of inertial parameters of serial robots).

By structure, J comes from a recursion over the elementary tree (`jounce.identification.structure`),
exact for every joint kind, direction of gravity and tree. Numerically, it is the row space of the
regressor at random states; those of a mechanism, whose loops tie its joints together, are random
too, with its loops closed. A reduction of J to echelon form names the combinations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from jounce.errors import legible, printable
from jounce.formulas import wrt_inertia
from jounce.identification.drives import driven
from jounce.identification.page import aligned
from jounce.identification.structure import NEW, as_meant, energy_span, local_span, svd
from jounce.identification.subject import Closed, Subject, subject
from jounce.math import INERTIA_ENTRIES, array
from jounce.model.inertia import PARAMETERS
from jounce.utils import cached_property

if TYPE_CHECKING:
    from jounce.model import Tree
    from jounce.solve.mechanism import Mechanism

Method = Literal["structure", "numerical"]

#: Geometry closer than this (rad, m) to a special one is taken as special: URDF angles such as
#: 1.5708 mean a right angle, and no measurement tells a parameter that acts through 4e-6 rad.
TOLERANCE = 2e-5


#: Singular values below this, relative to the largest, are rounding errors; in the regressor those
#: of parameters that act through a small tilt are its square.
_SINGULAR = 1e-10

#: Terms of a combination that add less than this share to a column are rounding errors.
_TERM = 1e-7


@dataclass(frozen=True, eq=False)
class BaseParameters:
    """A minimal set of combinations beta = B pi that determines all torques.

    labels: names of the p parameters, ten per body and then nv armatures if they take part.
    matrix: B (r, p). independent: indices (r,) of the parameters with a one of their own in B,
    to which others are added.
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
        """Combination i as a sum, cut after some terms if asked."""
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
        """Inertial parameters that move no torque."""
        still = np.flatnonzero(~self.matrix.any(axis=0))
        return [self.labels[k] for k in still if not self.labels[k].startswith("armature[")]

    @cached_property
    def alone(self) -> np.ndarray:
        """Mask (p,) of the parameters that can be told alone, not only in a sum."""
        single = np.count_nonzero(self.matrix, axis=1) == 1
        out = np.zeros(len(self.labels), dtype=bool)
        out[self.independent[single]] = True
        return out

    def values(self, parameters: np.ndarray) -> np.ndarray:
        """beta (..., r) for parameters (..., p)."""
        return np.asarray(parameters) @ self.matrix.T

    def table(
        self,
        values: np.ndarray | None = None,
        deviations: np.ndarray | None = None,
        terms: int | None = 6,
    ) -> str:
        """A line per combination, with values and standard deviations where given."""
        given = {"value": values, "deviation": deviations}
        shown = {head: x for head, x in given.items() if x is not None}
        lines = [
            [str(i + 1), *(f"{x[i]:.4g}" for x in shown.values()), self.name(i, terms)]
            for i in range(len(self))
        ]
        return aligned(["#", *shown, "combination"], lines)

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
        combinations determine them; they are found numerically, from its geometry as it is.
    armature : bool
        Include the armatures (nv,) of joints with one velocity; some of them only add to a moment
        of inertia.
    method : {"structure", "numerical"}
        Recursion over the tree, or the regressor at random states.
    fixed : sequence of str
        Bodies whose parameters are known and left out.
    tolerance : float
        Angles (rad) and lengths (m) closer than this to 0, 30, 45, 60, 90 degrees or to zero are
        rounded to these; 0 takes them as they are.
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
        order += [10 * owner.nb + k for k in driven(owner)]
    J = J[:, : len(labels)]
    kept = [k for k in order if k >= 10 * owner.nb or owner.model.body_names[k // 10] not in fixed]
    J = np.where(np.isin(np.arange(len(labels)), kept), J, 0.0)
    matrix, independent = _echelon(J, kept, least)
    return BaseParameters(owner.name, tuple(labels), matrix, independent)


def _span(
    robot: Subject, method: Method, tolerance: float, rng: np.random.Generator
) -> tuple[np.ndarray, float]:
    """Rows (r, 10 nb + nv) that span J, armatures last, and the singular values that are zero."""
    if isinstance(robot, Closed):
        return _regressor_span(robot, robot.tree, rng), _SINGULAR
    tree = robot.tree if tolerance == 0.0 else as_meant(robot.tree, tolerance)
    if method == "structure":
        return energy_span(tree, rng), NEW
    return _regressor_span(robot, tree, rng), _SINGULAR


def check_fixed(robot: Subject, fixed: Sequence[str]) -> None:
    """Refuse names of links that are not the robot's."""
    unknown = [name for name in fixed if name not in robot.model.body_names]
    if unknown:
        raise ValueError(
            legible(
                f"fixed: {robot.name} has no moving link '{unknown[0]}'; choose among"
                f" {', '.join(robot.model.body_names)}"
            )
        )


def parameter_labels(robot: Subject) -> list[str]:
    """Names of the 10 nb inertial parameters, such as "Ixx[panda_link2]"."""
    return [f"{name}[{body}]" for body in robot.model.body_names for name in PARAMETERS]


# ------------------------------------------------------------------ echelon form


def _preference(robot: Subject) -> list[int]:
    """Order in which parameters are asked to be independent: root first, as in the literature.

    What a joint lets through to its parent comes last within a body: the mass, the moment along
    the axis and one of the moments of inertia across it for a turn, the inertia for a slide.
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
    """Columns c (r,) of the regressor and a matrix B (r, 10 nb) with Y = Y[:, c] B, to rounding.

    Not the least number of columns, but without a tolerance: only what passes through each joint to
    its parent is left out.
    """
    matrix, independent = _echelon(local_span(robot.tree), _preference(robot), NEW, 1e-14)
    return independent, matrix


def _echelon(
    J: np.ndarray, order: Sequence[int], least: float, negligible: float = _TERM
) -> tuple[np.ndarray, np.ndarray]:
    """B (r, p) with the row space of J and an identity in the first columns that allow it.

    least: singular values below this, relative to the largest, are zero. negligible: share of a
    column that a term of a combination must explain to be kept.
    """
    norms = np.linalg.norm(J, axis=0)
    norms = np.where(norms > least * norms.max(initial=0.0), norms, 0.0)
    scaled = np.divide(J, norms, out=np.zeros_like(J), where=norms > 0.0)
    _, s, Vt = svd(scaled)
    rows = Vt[s > least * s.max(initial=0.0)]
    felt = [k for k in order if norms[k] > 0.0]
    independent = np.array(_pivots(rows, felt), dtype=int)
    B = np.linalg.solve(rows[:, independent], rows) if len(rows) else rows
    # an entry counts by what it does to the torques, so beside the columns it combines
    B[np.abs(B) <= negligible] = 0.0
    B[:, independent] = np.eye(len(independent))
    B = B * norms / norms[independent, None]
    ordered = np.argsort(independent)
    return B[ordered], independent[ordered]


def _pivots(rows: np.ndarray, order: Sequence[int]) -> list[int]:
    """The first columns, in the given order, that are independent: as many as there are rows.

    A column is independent if some share of it is left without those before. The largest share is
    taken that gives as many as there must be, since small ones let rounding errors through.
    """
    found: list[int] = []
    for share in np.geomspace(1e-3, 1e-12, 19):
        basis = np.zeros((rows.shape[0], rows.shape[0]))
        found = []
        for k in order:
            if len(found) == len(rows):
                break
            left = rows[:, k]
            for _ in range(2):  # twice is enough
                left = left - basis[:, : len(found)] @ (basis[:, : len(found)].T @ left)
            size = np.linalg.norm(left)
            if size > share * np.linalg.norm(rows[:, k]) > 0.0:
                basis[:, len(found)] = left / size
                found.append(k)
        if len(found) == len(rows):
            break
    return found


# ------------------------------------------------------------------ numerically


def _regressor_span(robot: Subject, tree: Tree, rng: np.random.Generator) -> np.ndarray:
    """Rows (r, 10 nb + nv) that span those of the regressor, armatures last, at random states.

    tree: the robot's, or one to take instead of it.
    """
    p = 10 * robot.nb + robot.nv
    n = 4 * p // robot.nv + 20
    v, a = rng.normal(size=(2, n, robot.nv))
    Y = np.zeros((n, robot.nv, p))
    if isinstance(robot, Closed):
        Y[..., : 10 * robot.nb] = robot.inverse_dynamics.dpi(robot.spread(n, rng), v, a)
    else:
        q = robot.integrate(robot.neutral(), rng.uniform(-np.pi, np.pi, (n, robot.nv)))
        for rows, *state in zip(Y, q, v, a, strict=True):
            rows[:, : 10 * robot.nb] = wrt_inertia.inverse_dynamics_dpi(tree, *map(array, state))
    Y[..., 10 * robot.nb :] = a[:, :, None] * np.eye(robot.nv)
    R = np.linalg.qr(Y.reshape(-1, p), mode="r")
    norms = np.linalg.norm(R, axis=0)
    norms[norms <= _SINGULAR * norms.max()] = np.inf
    _, s, Vt = svd(R / norms)
    return Vt[s > _SINGULAR * s[0]] * np.where(np.isinf(norms), 0.0, norms)
