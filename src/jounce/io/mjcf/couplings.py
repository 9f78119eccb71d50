"""Equality constraints between joint coordinates, as joints that follow others or stand still.

Each constraint is linear, sum c_j q_j = d. One by one they are reduced by what is already known:
two joints left make one follow the other, one left makes it stand still.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.io.mjcf.places import CompiledError

#: Coefficients and left-overs this small, relative to the largest, are rounded zeros.
_ZERO = 1e-12

#: mjtEq by name, as far as it is known here.
CONNECT, WELD, JOINT, TENDON = range(4)
_OTHERS = {4: "flex", 5: "flexvert", 6: "flexstrain", 7: "distance"}
#: mjtDisableBit of all constraints and of equality constraints.
_DISABLED = 1 | 2
#: mjtWrap: a tendon's part that is a joint with a coefficient.
_WRAP_JOINT = 1


@dataclass(frozen=True)
class Coupling:
    """q = gain * q_leader + offset; without a leader the joint stands still at offset."""

    leader: int | None
    gain: float
    offset: float


@dataclass(frozen=True)
class Equation:
    """sum of coefficient * q over joints = constant; `what` names the constraint `index`."""

    what: str
    index: int
    coefficients: Mapping[int, float]
    constant: float


def solve(equations: Sequence[Equation]) -> dict[int, Coupling]:
    """Return the coupling of each coupled joint, always to an independent joint."""
    known: dict[int, Coupling] = {}
    for equation in equations:
        left, constant, scale = _substitute(equation, known)
        if len(left) > 2:
            text = "couples more than two joints, which is not supported; remove it or set"
            raise CompiledError(
                f"{equation.what}: {text} active='false'", "equality", equation.index
            )
        if not left:
            if abs(constant) > 1e-9 * max(1.0, scale):
                text = f"{equation.what}: contradicts the constraints before it"
                raise CompiledError(text, "equality", equation.index)
            continue
        (joint, c), *other = left.items()
        if other:
            coupling = Coupling(other[0][0], -other[0][1] / c, constant / c)
        else:
            coupling = Coupling(None, 0.0, constant / c)
        for follower, old in known.items():
            if old.leader == joint:
                known[follower] = _after(old, coupling)
        known[joint] = coupling
    return known


def _after(first: Coupling, then: Coupling) -> Coupling:
    """`first` with its leader replaced by what that one now follows."""
    return Coupling(then.leader, first.gain * then.gain, first.gain * then.offset + first.offset)


def _substitute(
    equation: Equation, known: Mapping[int, Coupling]
) -> tuple[dict[int, float], float, float]:
    """Coefficients of the joints that are still free, the constant, and how large terms were."""
    left: dict[int, float] = {}
    constant = scale = equation.constant
    scale = abs(scale)
    for joint, c in equation.coefficients.items():
        rule = known.get(joint, Coupling(joint, 1.0, 0.0))
        constant -= c * rule.offset
        scale = max(scale, abs(c), abs(c * rule.offset))
        if rule.leader is not None:
            left[rule.leader] = left.get(rule.leader, 0.0) + c * rule.gain
    return {j: c for j, c in left.items() if abs(c) > _ZERO * scale}, constant, scale


# ------------------------------------------------------------------ from a compiled model


def couplings(mj: Any, joints: Sequence[str]) -> dict[int, Coupling]:
    """The couplings of a compiled model's active joint and tendon constraints."""
    return solve([_equation(mj, e, joints) for e in active(mj) if mj.eq_type[e] in (JOINT, TENDON)])


def active(mj: Any) -> list[int]:
    """Indices of the equality constraints that hold, all of kinds known here."""
    if mj.opt.disableflags & _DISABLED:
        return []
    out = [e for e in range(mj.neq) if mj.eq_active0[e]]
    for e in out:
        kind = int(mj.eq_type[e])
        if kind > TENDON:
            title = _OTHERS.get(kind, str(kind))
            raise CompiledError(
                f"{equality_name(mj, e)}: a constraint of the kind '{title}' is not supported;"
                " choose among connect, weld, joint, tendon",
                "equality",
                e,
            )
    return out


def equality_name(mj: Any, e: int) -> str:
    """Return the title of an equality constraint in messages."""
    name = mj.equality(e).name
    return f"equality '{name}'" if name else f"equality number {e}"


def _equation(mj: Any, e: int, joints: Sequence[str]) -> Equation:
    """(x1 - x1_0) = a0 + a1 (x2 - x2_0), x a joint's coordinate or a tendon's length."""
    what, data = equality_name(mj, e), np.array(mj.eq_data[e])
    first, second = int(mj.eq_obj1id[e]), int(mj.eq_obj2id[e])
    if second >= 0 and data[2:5].any():
        raise CompiledError(
            f"{what}: expected a linear coupling, found polycoef {data[:5].tolist()}; nonlinear"
            " ones are not supported",
            "equality",
            e,
        )
    terms = _terms(mj, e, first, what)
    constant = float(data[0]) + _at_rest(mj, terms)
    if second >= 0:
        others = {j: -float(data[1]) * c for j, c in _terms(mj, e, second, what).items()}
        constant += _at_rest(mj, others)
        for j, c in others.items():
            terms[j] = terms.get(j, 0.0) + c
    names = ", ".join(f"'{joints[j]}'" for j in terms)
    return Equation(f"{what} of {names}", e, terms, constant)


def _at_rest(mj: Any, terms: Mapping[int, float]) -> float:
    return sum(c * float(mj.qpos0[mj.jnt_qposadr[j]]) for j, c in terms.items())


def _terms(mj: Any, e: int, item: int, what: str) -> dict[int, float]:
    """Coefficients of the joint coordinates in a joint's coordinate or a fixed tendon's length."""
    if mj.eq_type[e] == JOINT:
        return {item: 1.0}
    out: dict[int, float] = {}
    first = int(mj.tendon_adr[item])
    for w in range(first, first + int(mj.tendon_num[item])):
        if mj.wrap_type[w] != _WRAP_JOINT:
            raise CompiledError(
                f"{what}: tendon '{mj.tendon(item).name}' is a spatial one; only constraints on"
                " fixed tendons are supported",
                "equality",
                e,
            )
        joint = int(mj.wrap_objid[w])
        out[joint] = out.get(joint, 0.0) + float(mj.wrap_prm[w])
    return out
