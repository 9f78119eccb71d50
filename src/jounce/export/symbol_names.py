"""Names of symbols for the coordinates of a robot, for `sympy.py`."""

from __future__ import annotations

from jounce.catalog import rate_of
from jounce.robot import System


class SymbolNames:
    """Names of a robot's coordinates, by number or by joint."""

    def __init__(self, robot: System, names: str) -> None:
        self.numbered = names == "numbers"
        self._q = [str(i + 1) for i in range(robot.nq)]
        self._velocities = list(robot.velocities)
        self._all = [str(i + 1) for i in range(robot.sizes["nt"])]
        self._v = [self._all[k] for k in self._velocities]
        self._bodies = [str(i + 1) for i in range(robot.sizes["nb"])]
        self._integrates: dict[int, int] = {}  # v[k] is the time derivative of q[i]
        for node in robot.tree.nodes:
            if node.motion.flat:
                places = range(node.vs.start, node.vs.stop), range(node.qs.start, node.qs.stop)
                self._integrates.update(zip(*places, strict=True))
        if not self.numbered:
            self._bodies = [body.name for body in robot.model.bodies]
            self._q, self._v = robot.labels("q", start=1), robot.labels("v", start=1)
            self._all = robot.labels("t", start=1)

    def entries(
        self, base: str, order: int, shape: tuple[int, ...]
    ) -> list[tuple[str, int, str, str]]:
        """Return letter, order of the time derivative, label and LaTeX subscript of each entry."""
        if base in ("w", "wrenches"):
            parts = ("mx", "my", "mz", "fx", "fy", "fz")
            labels = [(b, part) for b in self._bodies for part in parts]
            return [(base, order, f"{b}{p}", f"{self._mark(b)},{p}") for b, p in labels]
        if base in ("tau", "v_r", "a_r", "lam", "joint_forces"):
            labels = self._all if base == "joint_forces" else self._v
            return [(base, order, label, self._mark(label)) for label in labels]
        if order == 0:
            return [("q", 0, label, self._mark(label)) for label in self._q]
        rows = []
        for k, label in zip(self._velocities, self._v, strict=True):
            if k in self._integrates:
                label = self._q[self._integrates[k]]
                rows.append(("q", order, label, self._mark(label)))
            else:  # v is not the derivative of coordinates: a twist in the body's axes
                rows.append(("v", order - 1, label, self._mark(label)))
        return rows

    def _mark(self, label: str) -> str:
        escaped = label.replace("_", r"\_")
        return label if self.numbered else rf"\mathrm{{{escaped}}}"


#: LaTeX of letters of symbols.
LATEX_LETTERS = {"tau": r"\tau", "wrenches": "w", "lam": r"\lambda", "joint_forces": r"\tau"}

#: Arguments that have symbols, with their time derivatives: v is that of q, dtau that of tau.
_BASES = ("q", "tau", "wrenches", "w", "v_r", "a_r", "lam", "joint_forces")


def base_and_order(name: str) -> tuple[str, int]:
    """Return base and order of an argument: ("q", 2) for a, ("tau", 1) for dtau."""
    known = rate_of(name)
    if known is None or known[0] not in _BASES:
        raise ValueError(
            f"'{name}' has no symbols; choose one of {', '.join(_BASES)} or a time derivative"
        )
    return known


def derivative_latex(letter: str, order: int) -> str:
    """Return LaTeX of a time derivative, with up to four dots or with its order."""
    if order == 0:
        return letter
    return rf"\{'d' * order}ot{{{letter}}}" if order <= 4 else f"{letter}^{{({order})}}"
