"""Solution of the program of whole-body control for a set of active contacts, with a report."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.control.whole_body_program import (
    CONTACT,
    FRICTION,
    JOINT_LIMITS,
    TORQUE,
    ProgramFormula,
)
from jounce.errors import SolverError

#: Entries of `sense` of DAQP, and its status of a solution.
_INEQUALITY, _EQUATION, _SOLVED = 0, 5, 1

#: Largest violation of constraints that DAQP accepts, relative to their rows.
_TOLERANCE = 1e-9

#: Weights of violated constraints and of contact forces in relaxed programs, over the largest entry
#: of H. Forces of small weight would make rows of torques dependent to rounding; should the first
#: weight not suffice, the second one is tried.
_VIOLATION_WEIGHT, _FORCE_WEIGHTS = 1e3, (10.0, 1e3)

#: Violations (rad/s^2, m/s^2) that are tolerated.
_NEGLIGIBLE = 2e-3

#: Distance to a bound that is reached, relative to the bound.
_REACHED = 1e-6

#: Constraints of a kind that are named in messages.
_MAX_NAMED = 4


@dataclass(frozen=True, eq=False)
class WholeBodySolution:
    """Solution of whole-body control, for one sample or with leading axes."""

    tau: np.ndarray
    """Forces of the drives (nv,) in N m and N; 0 for velocities without drive."""

    a: np.ndarray
    """Accelerations (nv,)."""

    forces: np.ndarray
    """Contact forces (nc,) in the axes of the contacts, as of `robot.contacts()`; 0 for inactive
    contacts."""

    success: np.ndarray | bool
    """True if all constraints hold, contacts and joint limits to 0.002 rad/s^2 and m/s^2."""

    reason: np.ndarray | str
    """Which constraints cannot hold together, '' for success."""


class _Daqp:
    """Dense programs of one size, each solved from the active constraints of the one before.

    Minimizes x^T H x / 2 + c^T x with lower <= (x, A x) <= upper.

    equations: slice of the rows of A that are equations.
    """

    def __init__(self, equations: slice) -> None:
        try:
            import daqp
        except ImportError:
            raise ImportError(
                'WholeBodyController needs DAQP; install it: pip install "jounce[control]"'
            ) from None
        self._new_model, self._equations = daqp.Model, equations
        self._model: Any = None

    def solve(self, H: Any, c: Any, A: Any, lower: Any, upper: Any) -> np.ndarray | None:
        """Return the solution, or None if there is none."""
        if self._model is not None and self._model.update(H, c, A, upper, lower) >= 0:
            x, _, flag, _ = self._model.solve()
            if flag == _SOLVED:
                return x
        model = self._new_model()  # from the start: the active constraints may be useless
        model.settings = {"primal_tol": _TOLERANCE}
        sense = np.full(len(upper), _INEQUALITY, dtype=np.int32)
        sense[len(c) :][self._equations] = _EQUATION
        if model.setup(H, c, A, upper, lower, sense)[0] >= 0:
            x, _, flag, _ = model.solve()
            if flag == _SOLVED:
                self._model = model
                return x
        self._model = None
        return None


class ActiveProgram:
    """The program for a set of active contacts.

    Parameters
    ----------
    formula : ProgramFormula
        Formula of the program with all contacts.
    names : collection of str
        Names of the active contacts.
    """

    def __init__(self, formula: ProgramFormula, names: Collection[str]) -> None:
        self._formula = formula
        unknowns, rows = _find(formula.unknowns, names), _find(formula.rows, names)
        equations = slice(sum(formula.rows[k][0] in ("", CONTACT) for k in rows))
        held = [k for k in rows if formula.rows[k][0] == CONTACT]
        if held:
            contacts = formula.robot.contacts(*(dict.fromkeys(formula.rows[k][1] for k in held)))
            if contacts.tree.rows is not None:  # only independent equations
                independent = {held[k] for k in contacts.tree.rows}
                rows = [k for k in rows if k not in {*held} - independent]
                equations = slice(equations.stop - len(held) + len(independent))
        n = len(formula.unknowns)
        self._is_complete = len(unknowns) + len(rows) == n + len(formula.rows)
        self._unknowns, self._rows = np.array(unknowns), np.array(rows)
        self._bounds = np.array([*unknowns, *(n + k for k in rows)])
        self._labels = [*formula.unknowns, *formula.rows]
        self._drives = slice(len(formula.passive) + formula.nc, None)
        self._solver, self._relaxed_solver = _Daqp(equations), _Daqp(equations)

    def solve(self, arrays: Sequence[np.ndarray]) -> WholeBodySolution:
        """Return the solution for one sample of the results of the formula."""
        H, c, A, lower, upper, h = arrays
        formula, nv, program = self._formula, len(h), arrays[:5]
        if not self._is_complete:
            k, rows, bounds = self._unknowns, self._rows, self._bounds
            program = H[np.ix_(k, k)], c[k], A[np.ix_(rows, k)], lower[bounds], upper[bounds]
        x, reason = self._solver.solve(*program), ""
        if x is None or not np.isfinite(x).all():
            x, reason = self._relax(*program)
        if not self._is_complete:
            every = np.zeros(len(c))
            every[self._unknowns] = x
            x = every
        tau, drives = np.zeros(nv), A[self._drives][: len(formula.driven)]
        tau[formula.driven] = drives @ x + h[formula.driven]
        return WholeBodySolution(tau, x[:nv], formula.unit * x[nv:], not reason, reason)

    def _relax(self, H: Any, c: Any, A: Any, lower: Any, upper: Any) -> tuple[np.ndarray, str]:
        """Return the solution that violates contacts and joint limits least, and a report.

        Violations are further unknowns with squared costs, and bounds are the last rows of A.
        """
        if not all(np.isfinite(x).all() for x in (H, c, A)) or np.isnan((*lower, *upper)).any():
            raise SolverError("expected finite numbers, found NaN or inf in q, v or the reference")
        n, m = A.shape[1], len(A)
        labels = [self._labels[k] for k in self._bounds]
        labels = labels[n:] + labels[:n]
        lower, upper = (np.roll(x, -n) for x in (lower, upper))
        limited = np.isfinite(lower) | np.isfinite(upper)
        soft = [
            k
            for k, (kind, _) in enumerate(labels)
            if (kind == JOINT_LIMITS and limited[k]) or (kind == CONTACT and k < m)
        ]
        largest, forces = float(H.max()), [kind == CONTACT for kind, _ in labels[m:]]
        weights = np.full(n + len(soft), _VIOLATION_WEIGHT * largest)
        rows, free = np.zeros((m + n, len(weights))), np.inf * weights
        rows[:m, :n], rows[m:, :n] = A, np.eye(n)
        rows[soft, n + np.arange(len(soft))] = 1.0
        bounds = np.append(-free, lower), np.append(free, upper)
        for weight in _FORCE_WEIGHTS:
            P = np.diag(weights)
            P[:n, :n] = H + weight * largest * np.diag(forces)
            x = self._relaxed_solver.solve(P, np.append(c, np.zeros(len(soft))), rows, *bounds)
            if x is not None:
                break
        else:
            raise SolverError(
                "no solution was found even without contacts and joint limits; check for gains and"
                " weights of very different sizes"
            )
        y = rows[:, :n] @ x[:n]
        near = [np.abs(y - b) < _REACHED * (1.0 + np.abs(b)) for b in (lower, upper)]
        reached = [labels[k] for k in np.flatnonzero(near[0] | near[1])]
        violated = [(labels[k], abs(s)) for k, s in zip(soft, x[n:], strict=True)]
        return x[:n], _explain([pair for pair in violated if pair[1] > _NEGLIGIBLE], reached)


def _find(labels: Sequence[tuple[str, str]], names: Collection[str]) -> list[int]:
    """Return indices of the entries that do not belong to inactive contacts."""
    return [
        k
        for k, (kind, name) in enumerate(labels)
        if kind not in (CONTACT, FRICTION) or name in names
    ]


def _explain(
    violated: Sequence[tuple[tuple[str, str], float]], reached: Sequence[tuple[str, str]]
) -> str:
    """Return a sentence about violated constraints and limits that are reached; '' for none."""
    worst: dict[str, float] = {}
    for label, violation in sorted(violated, key=lambda pair: -pair[1]):
        worst.setdefault("{} '{}'".format(*label), violation)
    if not worst:
        return ""
    listed = [f"{name} ({x:.3g} rad/s^2 or m/s^2)" for name, x in worst.items()][:_MAX_NAMED]
    text, kinds = f"constraints cannot hold together: violated are {', '.join(listed)}", []
    for kind in (TORQUE, FRICTION):
        names = [*dict.fromkeys(f"'{name}'" for label, name in reached if label == kind)]
        if names:
            more = ", ..." if len(names) > _MAX_NAMED else ""
            kinds.append(f"{kind} {', '.join(names[:_MAX_NAMED])}{more}")
    return f"{text}; at their limits are {' and '.join(kinds)}" if kinds else text
