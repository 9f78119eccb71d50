"""Solution of the program of whole-body control for a set of active contacts, with a report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jounce.control.quadratic_programs import QuadraticProgram, make_solver, relax
from jounce.control.whole_body_program import ProgramFormula
from jounce.errors import SolverError

#: Weight of violated constraints over the largest entry of H.
_VIOLATION_WEIGHT = 1e6

#: Violations (rad/s^2, m/s^2) that are rounding errors.
_NEGLIGIBLE = 1e-5

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
    """Contact forces (nc,) in the axes of the contacts, as of `robot.contacts()`."""

    success: np.ndarray | bool
    """True if all constraints hold."""

    reason: np.ndarray | str
    """Which constraints cannot hold together, '' for success."""


class ActiveProgram:
    """The program for a set of active contacts, solved from the solution before.

    Parameters
    ----------
    formula : ProgramFormula
        Formula of the program with all contacts.
    names : tuple of str
        Names of the active contacts.
    solver : str
        Name of the solver.
    """

    def __init__(self, formula: ProgramFormula, names: Sequence[str], solver: str) -> None:
        self._formula, self._solver_name = formula, solver
        robot, contacts, nv = formula.robot, formula.contacts, formula.robot.nv
        passive, count = len(formula.passive), len(formula.driven)
        nc = 0 if contacts is None else contacts.nc
        self._drives = slice(passive + nc, passive + nc + count)
        velocities = robot.labels("v", "{}[{}]")
        forces: list[int] = []  # rows of active contacts
        held: list[int] = []  # those of them that are independent
        friction: list[int] = []
        # what each unknown and row of A belongs to
        unknowns, rows = list(velocities), [""] * (passive + nc + count)
        rows[self._drives] = [velocities[k] for k in formula.driven]
        rows += [""] * formula.friction_count
        if contacts is not None and names:
            for k, (name, part) in enumerate(contacts.rows.items()):
                if name in names:
                    own = formula.friction[k]
                    forces += range(part.start, part.stop)
                    friction += range(self._drives.stop + own.start, self._drives.stop + own.stop)
                    rows[self._drives.stop + own.start : self._drives.stop + own.stop] = [name] * (
                        own.stop - own.start
                    )
                    rows[passive + part.start : passive + part.stop] = [name] * (
                        part.stop - part.start
                    )
            ordered = [name for name in contacts.rows if name in names]
            independent = robot.contacts(*ordered).tree.rows
            held = forces if independent is None else [forces[k] for k in independent]
            unknowns += [""] * nc
        self._columns = np.array([*range(nv), *(nv + k for k in forces)])
        self._rows = np.array(
            [
                *range(passive),
                *(passive + k for k in held),
                *range(self._drives.start, self._drives.stop),
                *friction,
            ],
            dtype=int,
        )
        n, m = nv + nc, len(rows)
        self._bounds = np.concatenate((self._columns, n + self._rows))
        self._all = len(self._bounds) == n + m
        equations = passive + len(held)
        self._contact_rows = range(len(self._columns) + passive, len(self._columns) + equations)
        self._names = np.array([*unknowns, *rows], dtype=object)[self._bounds]
        self._equations, self._nv = equations, nv
        self._solver = make_solver(solver, equations)
        self._relaxed_solver = make_solver(solver, equations)

    def solve(self, arrays: Sequence[np.ndarray]) -> WholeBodySolution:
        """Return the solution for one sample of the results of the formula."""
        H, c, A, lower, upper, h = arrays[:6]
        formula, program = self._formula, QuadraticProgram(H, c, A, lower, upper)
        if not self._all:
            k, rows, bounds = self._columns, self._rows, self._bounds
            program = QuadraticProgram(
                H[np.ix_(k, k)], c[k], A[np.ix_(rows, k)], lower[bounds], upper[bounds]
            )
        x, reason = self._solver.solve(program), ""
        if x is None:
            x, reason = self._relax(program)
        if not self._all:
            every = np.zeros(len(c))
            every[self._columns] = x
            x = every
        tau, forces = np.zeros(self._nv), x[self._nv :]
        tau[formula.driven] = A[self._drives] @ x + h[formula.driven]
        if len(forces):
            forces = formula.unit * (forces @ arrays[6])
        return WholeBodySolution(tau, x[: self._nv], forces, not reason, reason)

    def _relax(self, program: QuadraticProgram) -> tuple[np.ndarray, str]:
        """Return the solution that violates contacts and joint limits least, and a report."""
        if not all(np.isfinite(x).all() for x in program[:3]):
            raise SolverError("expected finite numbers, found NaN or inf in q, v or the reference")
        n, nv = len(program.c), self._nv
        bounded = np.isfinite(program.lower[:nv]) | np.isfinite(program.upper[:nv])
        soft = np.concatenate((np.flatnonzero(bounded), np.array(self._contact_rows, dtype=int)))
        weight = _VIOLATION_WEIGHT * max(float(program.H.max()), 1.0)
        solution = self._relaxed_solver.solve(relax(program, soft, weight))
        if solution is None:
            raise SolverError(
                f"no solution was found even without joint limits, by '{self._solver_name}';"
                " check for contacts that depend on each other, and for gains and weights of very"
                " different sizes"
            )
        x, violations = solution[:n], np.abs(solution[n:])
        worst = {}  # largest violation by name
        for k, violation in zip(soft, violations, strict=True):
            if violation > _NEGLIGIBLE:
                kind = "joint limits of" if k < nv else "contact"
                name = f"{kind} '{self._names[k]}'"
                worst[name] = max(worst.get(name, 0.0), float(violation))
        if not worst:
            return x, ""
        listed = sorted(worst, key=worst.__getitem__, reverse=True)[:_MAX_NAMED]
        violated = ", ".join(f"{name} ({worst[name]:.3g} rad/s^2 or m/s^2)" for name in listed)
        return x, f"constraints cannot hold together: violated are {violated}" + self._reached(
            program, x
        )

    def _reached(self, program: QuadraticProgram, x: np.ndarray) -> str:
        """Return which torque limits and friction cones are reached."""
        y, n = program.A @ x, len(program.c)
        low, high = program.lower[n:], program.upper[n:]
        reached = np.zeros(len(y), dtype=bool)
        for bound in (low, high):
            near = _REACHED * (1.0 + np.abs(np.where(np.isfinite(bound), bound, 0.0)))
            reached |= np.abs(y - bound) < near
        drives, kinds = len(self._formula.driven), []
        for kind, part in (
            ("torques of", slice(self._equations, self._equations + drives)),
            ("friction of", slice(self._equations + drives, None)),
        ):
            names = dict.fromkeys(self._names[n:][part][reached[part]])
            if names:
                shown = ", ".join(f"'{name}'" for name in [*names][:_MAX_NAMED])
                kinds.append(f"{kind} {shown}" + (", ..." if len(names) > _MAX_NAMED else ""))
        return f"; at their limits are {' and '.join(kinds)}" if kinds else ""
