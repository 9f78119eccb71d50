"""A minimum-effort motion of the Franka arm by direct collocation, with exact derivatives.

From rest to rest in a given time, with the least integral of the squared torques (each relative to
its limit). Unknowns are q, v and a at the knots; trapezoidal collocation ties them together,

    q_k+1 - q_k = h/2 (v_k + v_k+1),    v_k+1 - v_k = h/2 (a_k + a_k+1),

and torques tau = inverse_dynamics(q, v, a) are limited at every knot, as are positions and
velocities. IPOPT solves it (the one that comes with CasADi), four times: first derivatives from
`inverse_dynamics.derivatives` or by finite differences, Hessians of the Lagrangian from
`inverse_dynamics.hessian`, by finite differences, or IPOPT's own limited-memory estimate. The
differences know the structure too, and take all knots and directions in one call of the batched
kernel: they are as fast as differences can be. "derivatives" in the table is the time they took,
"samples" how many inverse dynamics (or calls of the closed forms) that was; the rest is IPOPT's.

    python examples/trajectory_optimization.py [--quick] [--output FOLDER]

Needs CasADi; writes trajectory_optimization.png where Matplotlib is installed.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import casadi
import numpy as np

import jounce
from jounce.utils.progress import track

#: Limits of the arm, from its data sheet.
LOWEST = np.array((-2.8973, -1.7628, -2.8973, -3.0718, -2.8973, -0.0175, -2.8973))  # rad
HIGHEST = np.array((2.8973, 1.7628, 2.8973, -0.0698, 2.8973, 3.7525, 2.8973))
FASTEST = np.array((2.175, 2.175, 2.175, 2.175, 2.61, 2.61, 2.61))  # rad/s
STRONGEST = np.array((87.0, 87.0, 87.0, 87.0, 12.0, 12.0, 12.0))  # N m

START = np.array((-0.9, 0.5, 0.0, -2.0, 0.0, 2.0, 0.8))  # rad
GOAL = np.array((0.9, 0.9, 0.3, -1.1, 0.4, 1.6, -0.2))
DURATION = 1.0  # s

State = tuple[np.ndarray, np.ndarray, np.ndarray]


def add_time(method: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a method to add its duration to `seconds` of the object."""

    def wrapper(self: Any, *arguments: Any) -> Any:
        begin = time.perf_counter()
        result = method(self, *arguments)
        self.seconds += time.perf_counter() - begin
        return result

    return wrapper


class Exact:
    """Derivatives of inverse dynamics in closed form; one call for all knots."""

    def __init__(self, robot: jounce.Robot) -> None:
        self.inverse_dynamics = robot.inverse_dynamics
        self.samples, self.seconds = 0, 0.0

    @add_time
    def first(self, state: State) -> tuple[np.ndarray, np.ndarray]:
        """Torques (knots, n) and their derivatives in (q, v, a) (knots, n, 3 n)."""
        self.samples += len(state[0])
        tau, *parts = self.inverse_dynamics.derivatives(*state)
        return tau, np.concatenate(parts, axis=-1)

    @add_time
    def second(self, state: State, weights: np.ndarray) -> np.ndarray:
        """Second derivatives of weights @ tau at every knot (knots, 3 n, 3 n)."""
        self.samples += len(state[0])
        return self.inverse_dynamics.hessian(*state, weights)


class Differences(Exact):
    """The same by central differences; still one call for all knots and directions."""

    @add_time
    def first(self, state: State, step: float = 1e-5) -> tuple[np.ndarray, np.ndarray]:
        """Torques and their derivatives; the error is about 1e-10."""
        x = np.concatenate(state, axis=-1)
        moves = step * np.eye(x.shape[-1])[:, None]
        change = self._at(x + moves) - self._at(x - moves)  # (3 n, knots, n)
        return self._at(x), np.moveaxis(change, 0, -1) / (2.0 * step)

    @add_time
    def second(self, state: State, weights: np.ndarray, step: float = 1e-3) -> np.ndarray:
        """Second derivatives; the error is about 1e-6, truncation and rounding being balanced."""
        x = np.concatenate(state, axis=-1)
        i = step * np.eye(x.shape[-1])[:, None, None]
        j = np.moveaxis(i, 0, 1)
        corners = [self._at(x + a * i + b * j) * a * b for a in (1, -1) for b in (1, -1)]
        mixed = np.einsum("ijkt,kt->kij", sum(corners), weights)
        return mixed / (4.0 * step**2)

    def _at(self, x: np.ndarray) -> np.ndarray:
        self.samples += x[..., 0].size
        return self.inverse_dynamics(*np.split(x, 3, axis=-1))


class Problem:
    """The nonlinear programme: unknowns x = (q, v, a) knot by knot; collocation, then torques."""

    def __init__(self, robot: jounce.Robot, knots: int) -> None:
        self.robot, self.knots, self.n = robot, knots, robot.nv
        self.h = DURATION / (knots - 1)
        self.weights = np.full((knots, 1), self.h) / STRONGEST**2  # trapezoidal rule
        self.weights[[0, -1]] /= 2.0
        self.linear = self._collocation()
        blocks = np.kron(np.eye(knots), np.ones((self.n, 3 * self.n)))
        pattern = np.concatenate((self.linear != 0.0, blocks != 0.0))
        self.jacobian = casadi.sparsify(casadi.DM(pattern.astype(float))).sparsity()
        square = casadi.kron(casadi.DM.eye(knots), casadi.DM.ones(3 * self.n, 3 * self.n))
        self.hessian = casadi.triu(square).sparsity()
        self.places = [np.array(x.get_triplet()) for x in (self.jacobian, self.hessian)]

    def _collocation(self) -> np.ndarray:
        """The constant matrix of the collocation constraints."""
        difference = np.diff(np.eye(self.knots), axis=0)
        mean = 0.5 * self.h * np.abs(difference)
        q, v, a = np.eye(3)
        rows = [
            np.kron(difference, current[None]) - np.kron(mean, rate[None])
            for current, rate in ((q, v), (v, a))
        ]
        return np.kron(np.concatenate(rows), np.eye(self.n))

    def state(self, x: Any) -> State:
        """q, v and a, each (knots, n)."""
        q, v, a = np.moveaxis(np.reshape(x, (self.knots, 3, self.n)), 1, 0)
        return q, v, a

    def bounds(self) -> dict[str, np.ndarray]:
        """Limits of x and of the constraints; rest at both ends."""
        free = np.full(self.n, np.inf)
        upper = np.tile(np.stack((HIGHEST, FASTEST, free)), (self.knots, 1, 1))
        lower = np.tile(np.stack((LOWEST, -FASTEST, -free)), (self.knots, 1, 1))
        for k, q in ((0, START), (-1, GOAL)):
            upper[k, 0] = lower[k, 0] = q
            upper[k, 1] = lower[k, 1] = 0.0
        ties = np.zeros(len(self.linear))
        torques = np.tile(STRONGEST, self.knots)
        return {
            "lbx": lower.ravel(),
            "ubx": upper.ravel(),
            "lbg": np.concatenate((ties, -torques)),
            "ubg": np.concatenate((ties, torques)),
        }

    def guess(self) -> np.ndarray:
        """The straight line in joint space with a smooth time law."""
        shape = np.polynomial.Polynomial((0, 0, 0, 10, -15, 6))
        u = np.linspace(0.0, 1.0, self.knots)[:, None]
        q, v, a = ((shape.deriv(k) if k else shape)(u) / DURATION**k for k in range(3))
        way = GOAL - START
        return np.stack((START + q * way, v * way, a * way), axis=1).ravel()

    # -------------------------------------------------------------- what the solver asks for

    def value(self, x: np.ndarray, _: Any) -> list[Any]:
        """Cost and constraints."""
        tau = self.robot.inverse_dynamics(*self.state(x))
        constraints = np.concatenate((self.linear @ x.ravel(), tau.ravel()))
        return [float((self.weights * tau**2).sum()), constraints]

    def gradient(self, source: Exact, x: np.ndarray, _: Any) -> list[Any]:
        """Cost and its gradient."""
        tau, D = source.first(self.state(x))
        pull = self.weights * tau
        return [float((pull * tau).sum()), 2.0 * np.einsum("ki,kij->kj", pull, D).ravel()]

    def constraint_jacobian(self, source: Exact, x: np.ndarray, _: Any) -> list[Any]:
        """Constraints and their sparse Jacobian."""
        tau, D = source.first(self.state(x))
        full = np.zeros(self.jacobian.shape)
        full[: len(self.linear)] = self.linear
        lower = full[len(self.linear) :].reshape(self.knots, self.n, self.knots, 3 * self.n)
        every = np.arange(self.knots)
        lower[every, :, every] = D
        entries = full[tuple(self.places[0])]
        constraints = np.concatenate((self.linear @ x.ravel(), tau.ravel()))
        return [constraints, casadi.DM(self.jacobian, entries)]

    def lagrangian_hessian(
        self, source: Exact, x: np.ndarray, _: Any, on_cost: np.ndarray, on_constraints: np.ndarray
    ) -> list[Any]:
        """Upper triangle of the Hessian of cost and weighted constraints: a block per knot."""
        state = self.state(x)
        tau, D = source.first(state)
        cost = 2.0 * float(on_cost.item()) * self.weights
        multipliers = on_constraints[len(self.linear) :].reshape(self.knots, self.n)
        blocks = source.second(state, multipliers + cost * tau)
        blocks = blocks + np.einsum("ki,kij,kil->kjl", cost, D, D)
        row, column = self.places[1]
        size = 3 * self.n
        return [casadi.DM(self.hessian, blocks[row // size, row % size, column % size])]


class Callback(casadi.Callback):
    """A Python function of arrays as a CasADi Function."""

    def __init__(self, name: str, function: Callable[..., list[Any]], ins: Any, outs: Any) -> None:
        casadi.Callback.__init__(self)
        self.function, self.ins, self.outs = function, ins, outs
        self.construct(name, {})

    def get_n_in(self) -> int:
        """Number of inputs."""
        return len(self.ins)

    def get_n_out(self) -> int:
        """Number of outputs."""
        return len(self.outs)

    def get_sparsity_in(self, i: int) -> Any:
        """Shape of an input."""
        return self.ins[i][1]

    def get_sparsity_out(self, i: int) -> Any:
        """Shape and pattern of an output."""
        return self.outs[i][1]

    def get_name_in(self, i: int) -> str:
        """Name of an input."""
        return self.ins[i][0]

    def get_name_out(self, i: int) -> str:
        """Name of an output."""
        return self.outs[i][0]

    def eval(self, arguments: Any) -> list[Any]:
        """Evaluate."""
        return self.function(*(np.array(x) for x in arguments))


class Solution(NamedTuple):
    """Result of a solver, with iterations and times."""

    x: np.ndarray
    cost: float
    converged: bool
    iterations: int
    seconds: float
    samples: int
    in_derivatives: float
    residual: np.ndarray


def solve(problem: Problem, source: Exact, second: bool, iterations: int) -> Solution:
    """Run IPOPT with derivatives from `source`, Hessians included or estimated."""
    size, count = problem.jacobian.shape[1], problem.jacobian.shape[0]
    dense = casadi.Sparsity.dense
    x, p = ("x", dense(size, 1)), ("p", dense(0, 0))
    f, g = ("f", dense(1, 1)), ("g", dense(count, 1))

    def bind(name: str, function: Callable[..., list[Any]], ins: Any, outs: Any) -> Callback:
        return Callback(name, lambda *values: function(source, *values), ins, outs)

    nlp = Callback("nlp", problem.value, (x, p), (f, g))
    gradient = ("grad_f_x", x[1])
    jacobian = ("jac_g_x", problem.jacobian)
    options: dict[str, Any] = {
        "print_time": False,
        "no_nlp_grad": True,
        "ipopt": {"print_level": 0, "sb": "yes", "max_iter": iterations, "tol": 1e-7},
        "grad_f": bind("nlp_grad_f", problem.gradient, (x, p), (f, gradient)),
        "jac_g": bind("nlp_jac_g", problem.constraint_jacobian, (x, p), (g, jacobian)),
    }
    if second:
        ins = (x, p, ("lam_f", f[1]), ("lam_g", g[1]))
        outs = (("triu_hess_gamma_x_x", problem.hessian),)
        options["hess_lag"] = bind("nlp_hess_l", problem.lagrangian_hessian, ins, outs)
    else:
        options["ipopt"]["hessian_approximation"] = "limited-memory"
    solver = casadi.nlpsol("solver", "ipopt", nlp, options)
    source.samples, source.seconds = 0, 0.0
    begin = time.perf_counter()
    result = solver(x0=problem.guess(), **problem.bounds())
    seconds = time.perf_counter() - begin
    stats = solver.stats()
    return Solution(
        np.array(result["x"]).ravel(),
        float(result["f"]),
        bool(stats["success"]),
        int(stats["iter_count"]),
        seconds,
        source.samples,
        source.seconds,
        np.array(stats["iterations"]["inf_du"]),
    )


def plot(path: Path, problem: Problem, solutions: dict[str, Solution]) -> None:
    """The motion, its torques relative to their limits, and how the solvers converged."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    q, v, a = problem.state(next(iter(solutions.values())).x)
    first = problem.state(problem.guess())
    t = np.linspace(0.0, DURATION, problem.knots)
    figure, axes = plt.subplots(1, 3, figsize=(14.0, 4.6), layout="constrained")
    tau, line = (problem.robot.inverse_dynamics(*x) / STRONGEST for x in ((q, v, a), first))
    for i in range(problem.n):
        style = {"color": f"C{i}", "linewidth": 1.4}
        axes[0].plot(t, q[:, i], "o-", markersize=3, label=f"$q_{i + 1}$", **style)
        axes[0].plot(t, first[0][:, i], ":", color=f"C{i}", linewidth=1.0)
        axes[1].plot(t, tau[:, i], "o-", markersize=3, label=rf"$\tau_{i + 1}$", **style)
        axes[1].plot(t, line[:, i], ":", color=f"C{i}", linewidth=1.0)
    axes[0].set(xlabel="t [s]", ylabel="joint position [rad]", title="motion")
    axes[1].set(xlabel="t [s]", ylabel="torque / limit", title="torques")
    for i, (name, result) in enumerate(solutions.items()):
        mark = "" if result.converged else ", gave up"
        shown = np.maximum(result.residual, 1e-12)
        style = "--" if name.startswith("differences") else "-"
        line = {"color": f"C{i}", "linewidth": 1.2, "label": f"{name}{mark}"}
        axes[2].loglog(1 + np.arange(len(shown)), shown, style, **line)
    axes[2].set(xlabel="iteration", ylabel="dual infeasibility", title="IPOPT's progress")
    for each in axes:
        each.grid(alpha=0.3)
        place = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.14)}
        columns = 2 if each is axes[2] else 7
        each.legend(ncols=columns, fontsize="small", columnspacing=1.0, handlelength=1.6, **place)
    figure.suptitle("Franka arm, minimum effort (solid) and the initial guess (dotted)")
    figure.savefig(path, dpi=150)
    plt.close(figure)
    print(f"wrote {path}")


def main(argv: Sequence[str] | None = None) -> dict[str, Solution]:
    """Solve four times, print what it took, plot; returns the solutions."""
    parser = argparse.ArgumentParser(description="A minimum-effort motion by direct collocation.")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "output")
    parser.add_argument("--quick", action="store_true", help="fewer knots, for tests")
    options = parser.parse_args(argv)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jounce.ModelWarning)  # published inertias, rounded
        robot = jounce.load("franka")
    problem = Problem(robot, 10 if options.quick else 21)
    begin = time.perf_counter()
    for name in ("inverse_dynamics", "inverse_dynamics.derivatives", "inverse_dynamics.hessian"):
        robot.quantity(name).warmup()
    print(f"compiled in {time.perf_counter() - begin:.1f} s; {problem.knots} knots")
    exact, differences = Exact(robot), Differences(robot)
    cases = {
        "closed form, Hessian too": (exact, True),
        "differences, Hessian too": (differences, True),
        "closed form, estimated Hessian": (exact, False),
        "differences, estimated Hessian": (differences, False),
    }
    limit = 300 if options.quick else 1000
    solve(problem, exact, True, 1)  # loads IPOPT
    solutions = {}
    for name in track(list(cases), "solving"):
        runs = [solve(problem, *cases[name], limit) for _ in range(1 if options.quick else 3)]
        solutions[name] = min(runs, key=lambda result: result.seconds)
    print(f"{'':<32}{'iterations':>11}{'samples':>12}{'derivatives':>13}{'in all':>9}{'cost':>12}")
    for name, result in solutions.items():
        mark = "" if result.converged else "  gave up"
        print(
            f"{name:<32}{result.iterations:>11}{result.samples:>12,}"
            f"{result.in_derivatives:>11.3f} s{result.seconds:>7.2f} s{result.cost:>12.8f}{mark}"
        )
    options.output.mkdir(parents=True, exist_ok=True)
    try:
        plot(options.output / "trajectory_optimization.png", problem, solutions)
    except ImportError:
        print("no picture: Matplotlib is not installed")
    return solutions


if __name__ == "__main__":
    main()
