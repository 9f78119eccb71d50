"""Dense quadratic programs, solved by DAQP or Clarabel.

Minimize x^T H x / 2 + c^T x subject to lower <= (x, A x) <= upper; the first `equations` rows of A
are equations. Programs of one size are solved one after the other, each from the constraints that
were active before.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from jounce.errors import ArgumentError, suggest

#: Entries of `sense` of DAQP.
_INEQUALITY, _EQUATION = 0, 5

#: Largest violation of constraints that DAQP accepts, relative to their rows.
_TOLERANCE = 1e-9


class QuadraticProgram(NamedTuple):
    """Arrays of a program: H (n, n), c (n,), A (m, n), lower and upper (n + m,)."""

    H: np.ndarray
    c: np.ndarray
    A: np.ndarray
    lower: np.ndarray
    upper: np.ndarray


class DaqpSolver:
    """Solver of programs of one size by DAQP, a dual active-set method."""

    def __init__(self, equations: int) -> None:
        self._daqp, self._equations = _import("daqp"), equations
        self._model: Any = None

    def solve(self, program: QuadraticProgram) -> np.ndarray | None:
        """Return the solution, or None if there is none."""
        H, c, A, lower, upper = program
        if self._model is not None:
            self._model.update(H=H, f=c, A=A, bupper=upper, blower=lower)
            x, _, flag, _ = self._model.solve()
            if flag == 1:
                return x
        self._model = self._daqp.Model()  # from the start: the active constraints may be useless
        self._model.settings = {"primal_tol": _TOLERANCE}
        sense = np.full(len(upper), _INEQUALITY, dtype=np.int32)
        sense[len(c) : len(c) + self._equations] = _EQUATION
        flag, _ = self._model.setup(H, c, A, upper, lower, sense)
        if flag >= 0:
            x, _, flag, _ = self._model.solve()
            if flag == 1:
                return x
        self._model = None
        return None


class ClarabelSolver:
    """Solver of programs of one size by Clarabel, an interior-point method."""

    def __init__(self, equations: int) -> None:
        self._clarabel, self._equations = _import("clarabel"), equations
        self._sparse = _import("scipy.sparse")

    def solve(self, program: QuadraticProgram) -> np.ndarray | None:
        """Return the solution, or None if there is none."""
        (H, c, A, lower, upper), clarabel, csc = program, self._clarabel, self._sparse.csc_matrix
        rows, n = np.vstack((np.eye(len(c)), A)), len(c)
        equal = np.zeros(len(rows), dtype=bool)
        equal[n : n + self._equations] = True
        above, below = (np.isfinite(x) & ~equal for x in (upper, lower))
        G = np.vstack((rows[equal], rows[above], -rows[below]))
        h = np.concatenate((upper[equal], upper[above], -lower[below]))
        equations, others = int(equal.sum()), len(h) - int(equal.sum())
        cones = [clarabel.ZeroConeT(equations)] if equations else []
        cones += [clarabel.NonnegativeConeT(others)] if others else []
        settings = clarabel.DefaultSettings()
        settings.verbose, settings.max_threads = False, 1
        settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-10
        solver = clarabel.DefaultSolver(csc(np.triu(H)), c, csc(G), h, cones, settings)
        solution = solver.solve()
        return np.array(solution.x) if str(solution.status) == "Solved" else None


_SOLVERS = {"daqp": DaqpSolver, "clarabel": ClarabelSolver}


def make_solver(name: str, equations: int) -> DaqpSolver | ClarabelSolver:
    """Return a solver of programs whose first rows of A are equations.

    Parameters
    ----------
    name : {"daqp", "clarabel"}
        Library.
    equations : int
        Number of equations.

    Returns
    -------
    DaqpSolver or ClarabelSolver
        A solver that keeps the active constraints from call to call.

    Raises
    ------
    ArgumentError
        If there is no such solver.
    """
    if name not in _SOLVERS:
        raise ArgumentError(f"no solver '{name}'; {suggest(name, _SOLVERS)}")
    return _SOLVERS[name](equations)


def relax(program: QuadraticProgram, soft: np.ndarray, weight: float) -> QuadraticProgram:
    """Return a program in which constraints may be violated, at a cost.

    Parameters
    ----------
    program : QuadraticProgram
        The program.
    soft : ndarray (k,)
        Indices among the n + m constraints.
    weight : float
        Weight of half the squared violations, which are added to x as further unknowns (n + k,).

    Returns
    -------
    QuadraticProgram
        Program whose bounds on variables are rows after those of A.
    """
    H, c, A, lower, upper = program
    n, m, k = len(c), len(A), len(soft)
    rows = np.zeros((m + n, n + k))
    rows[:m, :n], rows[m:, :n] = A, np.eye(n)
    place = np.where(soft < n, m + soft, soft - n)
    rows[place, n + np.arange(k)] = 1.0
    free = np.full(n + k, np.inf)
    lower, upper = (
        np.concatenate((sign * free, x[n:], x[:n])) for sign, x in ((-1.0, lower), (1.0, upper))
    )
    weights = np.zeros((n + k, n + k))
    weights[:n, :n] = H
    weights[range(n, n + k), range(n, n + k)] = weight
    return QuadraticProgram(weights, np.append(c, np.zeros(k)), rows, lower, upper)


def _import(name: str) -> Any:
    """Import a library, with an error that says how to install it."""
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError:
        raise ImportError(
            f"WholeBodyController needs {name.partition('.')[0]}; install it:"
            ' pip install "jounce[control]"'
        ) from None
