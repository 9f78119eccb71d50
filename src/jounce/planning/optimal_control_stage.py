"""Kinds of knots of optimal control problems: cost, next state and derivatives as kernels.

A stage evaluates one knot: `value` returns the cost, the defect (next state minus that of the next
knot) and the constraints, `expansion` also the linear dynamics and the quadratic cost in tangents
of the state. Their entries that are not zero are packed into one vector, in the order of a
`Pattern`, from which the Riccati recursion reads them.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from jounce.catalog import (
    Argument,
    Quantity,
    Result,
    Shape,
    Signature,
    State,
    Tables,
    Traits,
    argument,
    configuration,
    derive,
)
from jounce.compiler.graph import Graph
from jounce.control import TracedModel, TracedQuantity
from jounce.errors import ArgumentError
from jounce.formulas import kinematics
from jounce.math import Array, scalar
from jounce.model import Tree
from jounce.planning.riccati import Pattern, padded_width
from jounce.robot import Robot, System
from jounce.runtime import core_shape
from jounce.solve import ElasticRobot, Subsystem
from jounce.solve.contacts import Contacts
from jounce.utils import hash_content

#: Traced function of one knot.
Function = Callable[..., Any]


@dataclass(frozen=True)
class StageFunctions:
    """User's functions of a kind of knots, and what they take.

    cost(model, x, u, p), or cost(model, x, p) at the end. dynamics(model, x, u, p): next state, by
    default the system's step. inequalities, equalities: constraints, at most 0 and 0. arguments:
    shapes of the parameters. contact_damping: Baumgarte gain k_d.
    """

    cost: Function | None
    dynamics: Function | None
    inequalities: Function | None
    equalities: Function | None
    arguments: Mapping[str, Shape]
    actuated: tuple[int, ...]
    method: Mapping[str, Any]
    is_last: bool
    contact_damping: float = 0.0


class Stage(Subsystem):
    """Knots of one kind as a system of its own, with the quantities `value` and `expansion`.

    Parameters
    ----------
    system : System
        Robot, mechanism, robot in contact or elastic robot.
    functions : StageFunctions
        Functions of a knot.
    exact : bool
        Whether the expansion has the Hessian of the Lagrangian instead of that of Gauss-Newton.
    """

    def __init__(self, system: System, functions: StageFunctions, exact: bool = False) -> None:
        super().__init__(system, (functions, exact))  # pyright: ignore[reportArgumentType]
        self.system, self.functions, self.exact = system, functions, exact
        self.links: Any = system.robot if isinstance(system, Contacts | ElasticRobot) else system
        step = system.definitions["step"].arguments
        self.state = tuple(step[: step.index("tau")])
        self.nx, self.nu = len(self.state) * system.nv, len(functions.actuated)
        self.variables = self.state if functions.is_last else ("u", *self.state)
        self.arguments = self._define_arguments()
        self.counts = self._count_terms()
        self._tables = Tables({}, {}, {}, {}, {})
        values = 1 + self.nx * (not functions.is_last) + sum(self.counts[2:])
        self._insert("value", self._value, values)
        self.pattern, digest = self._find_pattern()
        # formulations that were chosen are stored by robot and name
        quantity = self._quantity_of(
            f"expansion_{digest}", self._expansion, self.pattern.rows.shape
        )
        self._tables.quantities["expansion"] = quantity
        if not functions.is_last:
            self.trial_arguments = self._define_trial_arguments()
            takes = Signature(tuple(self.trial_arguments), definitions=self.trial_arguments)
            results = (Result((self.width,), "next state, control and cost"),)
            traits = Traits(geometry=False)
            self._tables.insert(
                Quantity("trial", self._trial, takes, results, "", "", traits=traits)
            )

    @property
    def width(self) -> int:
        """Number of results of a trial."""
        return self.links.nq + (len(self.state) - 1) * self.system.nv + self.nu + 1

    @property
    def call(self) -> str:
        """Name of the kind of knots."""
        return "last_knot" if self.functions.is_last else "knot"

    @property
    def tree(self) -> Tree:
        """The system's tree."""
        return self.system.tree

    @property
    def constraints(self) -> slice:
        """Entries of the constraints in values and expansions."""
        start = 1 + self.nx * (not self.functions.is_last)
        return slice(start, start + sum(self.counts[2:]))

    # -------------------------------------------------------------- arguments

    def _define_arguments(self) -> dict[str, Argument]:
        """Return all arguments of a knot, in order."""
        known: dict[str, Argument] = {}
        for name in self.state:
            known[name] = argument("q" if name == "q" else "v")
        if not self.functions.is_last:
            known["u"] = Argument((self.nu,), "control", axis=True)
            for name in self.state:
                plain = configuration("next state") if name == "q" else argument("v")
                known[f"{name}_next"] = replace(plain, axis=False)
        for name, shape in self.functions.arguments.items():
            known[name] = configuration(name) if shape == ("nq",) else Argument(shape, name)
        return known

    def _define_trial_arguments(self) -> dict[str, Argument]:
        """Return the arguments of a trial: those of a knot, and the feedback about the iterate."""
        known = {
            name: replace(x, axis=False)
            for name, x in self.arguments.items()
            if name not in ("curvature", "costate")
        }
        for name in self.state:
            plain = configuration("state of the iterate") if name == "q" else argument("v")
            known[f"{name}_iterate"] = replace(plain, axis=False)
        known["gain"] = Argument((self.nu, self.nx), "feedback gain")
        known["feedforward"] = Argument((self.nu,), "change of the control")
        known["fraction"] = Argument((), "step length")
        known["gap"] = Argument((self.nx,), "defect of the iterate")
        known["low"] = Argument((self.nu,), "lower limits of the control")
        known["high"] = Argument((self.nu,), "upper limits of the control")
        return known

    def _count_terms(self) -> tuple[int, int, int, int]:
        """Return the numbers of residuals, other terms, inequalities and equalities."""
        sample = self._make_symbols()
        self.counts = (0, 0, 0, 0)
        residuals, others = self._terms(self.tree, sample)
        parts = [self._constraint(k, self.tree, sample) for k in (0, 1)]
        extra = sum(map(len, parts))
        if extra:
            self.arguments["offsets"] = Argument((extra,), "multipliers divided by the penalty")
            self.arguments["root_penalty"] = Argument((), "square root of the penalty")
        if self.exact:
            self.arguments["curvature"] = Argument((), "1 for exact Hessians, 0 for Gauss-Newton")
        if self.exact and not self.functions.is_last:
            self.arguments["costate"] = Argument((self.nx,), "gradient of the cost to go")
        return len(residuals), len(others), len(parts[0]), len(parts[1])

    def _insert(self, name: str, formula: Function, count: int) -> None:
        """Add a quantity to the tables of the system."""
        self._tables.insert(self._quantity_of(name, formula, (count,)))

    def _quantity_of(self, name: str, formula: Function, shape: Shape) -> Quantity:
        """Return a quantity of a knot."""
        takes = Signature(tuple(self.arguments), definitions=self.arguments)
        results = (Result(shape, name),)
        return Quantity(name, formula, takes, results, "", "", traits=Traits(geometry=False))

    def _split(self, inputs: Sequence[Any]) -> tuple[Any, Any, Any, Mapping[str, Any]]:
        """Return the state, the control (None at the last knot), the parameters, and all."""
        every = dict(zip(self.arguments, inputs, strict=False))
        x = namedtuple("State", self.state)(*(every[name] for name in self.state))
        names = tuple(self.functions.arguments)
        p = namedtuple("Parameters", names)(*(every[name] for name in names))
        return x, every.get("u"), p, every

    def _models(self, tree: Tree, every: Mapping[str, Any]) -> tuple[TracedModel, TracedModel]:
        """Return the traced links, and the traced system."""
        links = self.links.tree
        if "pi" in self.functions.arguments:
            tree, links = (x.with_inertias(every["pi"]) for x in (tree, links))
        return TracedModel(self.links, links), TracedModel(self.system, tree)

    # -------------------------------------------------------------- terms

    def _call(self, function: Function, tree: Tree, inputs: Sequence[Any]) -> Any:
        """Call a user's function of a knot, which may read q entry by entry: not on series."""
        kinematics.refuse_series(tree, inputs)
        x, u, p, every = self._split(inputs)
        model = self._models(tree, every)[0]
        return function(model, x, p) if self.functions.is_last else function(model, x, u, p)

    def _terms(self, tree: Tree, inputs: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """Return the residuals, including those of constraints, and the other terms."""
        terms = () if self.functions.cost is None else self._call(self.functions.cost, tree, inputs)
        residuals: list[Any] = []
        others: list[Any] = []
        for term in terms if isinstance(terms, tuple | list) else (terms,):
            if np.ndim(term) > 1:
                raise ArgumentError(
                    f"{self.links.name}: terms of a cost must be numbers or vectors, found shape"
                    f" {np.shape(term)}"
                )
            if np.ndim(term):
                residuals += list(term)
            else:
                others.append(term)
        if sum(self.counts[2:]):
            every = self._split(inputs)[3]
            values = [x for k in (0, 1) for x in self._constraint(k, tree, inputs)]
            shifted = [x + y for x, y in zip(values, every["offsets"], strict=True)]
            for k, x in enumerate(shifted):
                part = scalar.kept(x, x) if k < self.counts[2] else x
                residuals.append(every["root_penalty"][()] * part)
        return residuals, others

    def _constraint(self, kind: int, tree: Tree, inputs: Sequence[Any]) -> list[Any]:
        """Return the inequalities (0) or the equalities (1)."""
        function = (self.functions.inequalities, self.functions.equalities)[kind]
        return [] if function is None else list(np.ravel(self._call(function, tree, inputs)))

    def _residuals(self, tree: Tree, *inputs: Any) -> Array:
        return scalar.array(self._terms(tree, inputs)[0])

    def _others(self, tree: Tree, *inputs: Any) -> Any:
        return sum(self._terms(tree, inputs)[1], 0.0)

    # -------------------------------------------------------------- dynamics

    def _step(self, tree: Tree, inputs: Sequence[Any], *, with_derivatives: bool) -> Any:
        """Return the next state, and its derivatives in the state and in all forces."""
        x, u, p, every = self._split(inputs)
        links, model = self._models(tree, every)
        assert u is not None
        if self.functions.dynamics is not None:
            return self.functions.dynamics(links, x, u, p)
        tau = scalar.zeros(self.system.nv)
        tau[list(self.functions.actuated)] = u
        h = every["h"][()]
        if isinstance(self.system, Contacts):
            return self._contact_step(links, model, (*x, tau), h, with_derivatives)
        step = self.system.quantity("step")
        step = step.choose(**self.functions.method) if self.functions.method else step
        traced = TracedQuantity(step.definition, model.tree)
        return (traced.derivatives if with_derivatives else traced)(*x, tau, every["h"])

    def _contact_step(
        self,
        links: TracedModel,
        model: TracedModel,
        inputs: Sequence[Any],
        h: Any,
        with_derivatives: bool,
    ) -> Any:
        """Return a semi-implicit Euler step in contact, and its derivatives."""
        q, v, tau = inputs
        n, kd = len(v), self.functions.contact_damping
        wrenches, anchors = scalar.zeros(self.sizes["nb"], 6), scalar.zeros(self.sizes["nk"], 4, 4)
        optional = (wrenches, anchors, 0.0, kd, 0.0) if kd else ()
        if not with_derivatives:
            after = v + h * model.forward_dynamics(q, v, tau, *optional)
            return links.integrate(q, h * after), after
        a, a_q, a_v, a_tau = model.forward_dynamics.derivatives(q, v, tau, *optional)
        after = v + h * a
        by_state = np.concatenate((h * a_q, scalar.identity(n) + h * a_v), axis=1)
        turn = h * links.integrate.ddv(q, h * after)
        start = np.concatenate((links.integrate.dq(q, h * after), scalar.zeros(n, n)), axis=1)
        A = np.concatenate((start + turn @ by_state, by_state))
        B = np.concatenate((turn @ (h * a_tau), h * a_tau))
        return links.integrate(q, h * after), after, A, B

    def _defect(self, tree: Tree, *inputs: Any) -> Array:
        """Return the next state minus that of the next knot (nx,)."""
        every = self._split(inputs)[3]
        after = self._step(tree, inputs, with_derivatives=False)
        return self._compare(tree, every, after)

    def _compare(self, tree: Tree, every: Mapping[str, Any], after: Sequence[Any]) -> Array:
        links = self._models(tree, every)[0]
        parts = [
            links.difference(every["q_next"], y) if name == "q" else y - every[f"{name}_next"]
            for name, y in zip(self.state, after, strict=False)
        ]
        return np.concatenate(parts)

    def _linear_dynamics(self, tree: Tree, inputs: Sequence[Any]) -> tuple[Array, Array]:
        """Return the defect, and its derivatives (nx, nu + nx) in the control and the state."""
        every = self._split(inputs)[3]
        if self.functions.dynamics is not None:
            defect = self._quantity_of("defect", self._defect, (self.nx,))
            blocks = [derive(defect, State((x,))).formula(tree, *inputs) for x in self.variables]
            return self._defect(tree, *inputs), np.concatenate(blocks, axis=1)
        *after, A, B = self._step(tree, inputs, with_derivatives=True)
        links = self._models(tree, every)[0]
        F = np.concatenate((B[:, list(self.functions.actuated)], A), axis=1)
        turn = links.difference.dq1(every["q_next"], after[0])
        F[: self.system.nv] = turn @ F[: self.system.nv]
        return self._compare(tree, every, after), F

    # -------------------------------------------------------------- kernels

    def _value(self, tree: Tree, *inputs: Any) -> Array:
        """Return the cost, the defect, and the constraints."""
        residuals, others = self._terms(tree, inputs)
        cost = sum(others, 0.0) + 0.5 * sum((x * x for x in residuals), 0.0)
        parts = [scalar.array([cost])]
        if not self.functions.is_last:
            parts.append(self._defect(tree, *inputs))
        return np.concatenate((*parts, *(self._constraint(k, tree, inputs) for k in (0, 1))))

    def _trial(self, tree: Tree, *inputs: Any) -> Array:
        """Return the next state, the control with feedback, and the cost."""
        every = dict(zip(self.trial_arguments, inputs, strict=True))
        links = self._models(tree, every)[0]
        fraction, changes = every["fraction"][()], []
        for name in self.state:
            x, iterate = every[name], every[f"{name}_iterate"]
            changes.append(links.difference(iterate, x) if name == "q" else x - iterate)
        u = every["u"] + fraction * every["feedforward"]
        u = u + every["gain"] @ np.concatenate(changes)
        limits = zip(u, every["low"], every["high"], strict=True)
        every["u"] = scalar.array(
            [scalar.minimum(scalar.maximum(x, low), high) for x, low, high in limits]
        )
        knot = [every.get(name) for name in self.arguments]
        residuals, others = self._terms(tree, knot)
        cost = sum(others, 0.0) + 0.5 * sum((x * x for x in residuals), 0.0)
        change = self._defect(tree, *knot) - (1.0 - fraction) * every["gap"]
        parts, nv = [], self.system.nv
        for k, name in enumerate(self.state):
            x, dx = every[f"{name}_next"], change[k * nv : (k + 1) * nv]
            parts.append(links.integrate(x, dx) if name == "q" else x + dx)
        return np.concatenate((*parts, every["u"], scalar.array([cost])))

    def _matrices(self, tree: Tree, *inputs: Any) -> tuple[Array, Array, Array, Array]:
        """Return the cost and defect and constraints, F, and L, the latter with rows of u first."""
        size, last = self.nu + self.nx, self.functions.is_last
        residuals, others = self._terms(tree, inputs)
        F, L = scalar.zeros(self.nx, size + 1), scalar.zeros(size, size + 1)
        start = self.nu if last else 0
        blocks = slice(start, size)
        if residuals:
            r = self._quantity_of("residuals", self._residuals, (self.counts[0],))
            J = np.concatenate(
                [derive(r, State((x,))).formula(tree, *inputs) for x in self.variables], axis=1
            )
            L[blocks, size] = J.T @ scalar.array(residuals)
            share = 1.0 - self._split(inputs)[3]["curvature"][()] if self.exact else 1.0
            L[blocks, blocks] = share * (J.T @ J)
        if others:
            smooth = self._quantity_of("other_terms", self._others, ())
            gradients = [derive(smooth, State((x,))).formula(tree, *inputs) for x in self.variables]
            L[blocks, size] = L[blocks, size] + np.concatenate(gradients)
        if self.exact or others:
            formula = self._lagrangian if self.exact else self._others
            hessian = self._hessian(formula, tree, inputs)
            L[blocks, blocks] = L[blocks, blocks] + hessian
        defect = scalar.zeros(0)
        if not last:
            defect, F[:, :size] = self._linear_dynamics(tree, inputs)
            F[:, size] = defect
        cost = sum(others, 0.0) + 0.5 * sum((x * x for x in residuals), 0.0)
        limits = [x for k in (0, 1) for x in self._constraint(k, tree, inputs)]
        return scalar.array([cost]), scalar.array(limits), F, L

    def _lagrangian(self, tree: Tree, *inputs: Any) -> Any:
        """Return the cost plus costate . defect, without residuals if the curvature is 0."""
        residuals, others = self._terms(tree, inputs)
        every = self._split(inputs)[3]
        squares = 0.5 * sum((x * x for x in residuals), 0.0)
        total = sum(others, 0.0) + every["curvature"][()] * squares
        if self.functions.is_last:
            return total
        return total + every["costate"] @ self._defect(tree, *inputs)

    def _hessian(self, formula: Function, tree: Tree, inputs: Sequence[Any]) -> Array:
        """Return the symmetric Hessian of a scalar in the control and the state."""
        quantity = self._quantity_of("scalar_terms", formula, ())
        rows = []
        names = self.variables
        widths = [self.nu if x == "u" else self.system.nv for x in names]
        for i, a in enumerate(names):
            row = []
            for j, b in enumerate(names):
                if j < i:
                    row.append(scalar.zeros(widths[i], widths[j]))
                    continue
                block = derive(quantity, State((a, b))).formula(tree, *inputs)
                row.append(0.5 * (block + block.T) if i == j else block)
            rows.append(np.concatenate(row, axis=1))
        upper = np.concatenate(rows)
        for i in range(len(upper)):
            upper[i + 1 :, i] = upper[i, i + 1 :]
        return upper

    def _expansion(self, tree: Tree, *inputs: Any) -> Array:
        """Return the packed entries of an expansion: cost, defect, constraints, h, F, L."""
        cost, limits, F, L = self._matrices(tree, *inputs)
        h = [self._split(inputs)[3]["h"][()]] if self.is_additive else []
        first = self.pattern.defects
        every = np.concatenate((self._reduce(F, inputs), L))
        places = zip(self.pattern.rows[first:], self.pattern.columns[first:], strict=True)
        defect = [] if self.functions.is_last else F[:, -1]
        entries = scalar.array(every[i, j] for i, j in places)
        return np.concatenate((cost, defect, limits, h, entries))

    @property
    def is_additive(self) -> bool:
        """True for semi-implicit Euler steps whose configurations are sums: q+ = q + h v+."""
        return (
            type(self.system) is Robot
            and not self.functions.is_last
            and self.functions.dynamics is None
            and self.functions.method.get("method", "euler") == "euler"
            and all(node.motion.flat for node in self.tree.nodes)
        )

    def _reduce(self, F: Array, inputs: Sequence[Any]) -> Array:
        """Return F with an upper half of e = d_q - h d_v only, see `Pattern`, if possible."""
        if not self.is_additive:
            return F
        n, h = self.system.nv, self._split(inputs)[3]["h"][()]
        F = F.copy()
        F[:n, -1] = F[:n, -1] - h * F[n:, -1]
        F[:n, :-1] = 0.0
        return F

    def _make_symbols(self) -> list[Array]:
        """Return symbols for all arguments."""
        graph = Graph()
        return [
            graph.inputs_like(core_shape(known.shape, self.sizes))
            for known in self.arguments.values()
        ]

    def _find_pattern(self) -> tuple[Pattern, str]:
        """Return the entries of an expansion that are not zero from a trace, and its digest.

        Entries of F are listed by columns, so that successive ones belong to different sums.
        """
        symbols = self._make_symbols()
        _, _, F, L = self._matrices(self.tree, *symbols)
        F, head = self._reduce(F, symbols), self.constraints.stop + self.is_additive
        size = self.nu + self.nx
        constants = np.zeros((2 * self.nx + self.nu + 1, padded_width(size + 1)))
        places = [(0, 0)] * head
        for j, i in np.ndindex(0 if self.functions.is_last else size + 1, self.nx):
            if isinstance(F[i, j], int | float):
                constants[i, j] = F[i, j]
            else:
                places.append((i, j))
        dynamics = len(places)
        for i, j in np.ndindex(*L.shape):
            if j >= i and not scalar.is_zero(L[i, j]):
                places.append((self.nx + i, j))
        rows, columns = (np.ascontiguousarray(x) for x in np.array(places, dtype=np.int32).T)
        step = head - 1 if self.is_additive else -1
        every = [x for array in (F, L) for x in array.flat]
        digest = hash_content(*(str(getattr(x, "ref", x)) for x in every))[:12]
        return Pattern(rows, columns, head, dynamics, step, constants), digest
