"""What JavaScript is told of a robot and of each quantity: plain data that JSON can hold."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.compiler.targets import Function
from jounce.compiler.targets.wasm import Layout
from jounce.errors import JounceError
from jounce.export import source
from jounce.model import manifold
from jounce.solve.mechanism import Mechanism

if TYPE_CHECKING:
    from jounce.arrays import QuantityProtocol
    from jounce.robot import System
    from jounce.runtime import Kernel

#: Names that a robot has besides its quantities, and one that would make it a promise.
_TAKEN = frozenset(
    ("name", "nq", "nv", "nb", "gravity", "neutral", "velocities", "joints", "functions", "then")
)


@dataclass(frozen=True)
class WebFunction:
    """A quantity as a function of JavaScript.

    name: its identifier. quantity: what `robot.quantity` calls it. kernels: the functions of
    WebAssembly: without the arguments that may be left out, and with all of them if there are any.
    presets: values of those, by name, where others are given. gradients: of results that come only
    with an optional argument, its name. unit, equation: as in the catalog.
    """

    name: str
    quantity: str
    kernels: tuple[Function, ...]
    needed: tuple[str, ...]
    presets: dict[str, np.ndarray]
    gradients: dict[str, str]
    doc: str
    unit: str
    equation: str

    @property
    def arguments(self) -> dict[str, tuple[int, ...]]:
        """Shapes of all arguments by name, those that may be left out included."""
        names = (*self.needed, *self.presets)
        return {name: x.shape for name, x in zip(names, self.kernels[-1].inputs, strict=True)}

    @property
    def results(self) -> dict[str, tuple[int, ...]]:
        """Shapes of the results by name, those that come with optional arguments included."""
        return {x.name: x.shape for x in self.kernels[-1].outputs}

    @property
    def operations(self) -> int:
        """How many arithmetic operations a call takes, without what may be left out."""
        return len(self.kernels[0].tape)


def web_functions(system: System, quantities: str | Iterable[str]) -> list[WebFunction]:
    """Quantities by name as functions with identifiers that differ."""
    out: list[WebFunction] = []
    taken = {name.lower() for name in _TAKEN}
    for given, title, quantity in source.name_quantities(system, quantities):
        name = f"frame_{given}" if given[:1].isdigit() else given or "frame"
        while name.lower() in taken:
            name += "_"
        taken.add(name.lower())
        out.append(_function(name, title.strip(), quantity))
    return out


def _function(name: str, title: str, quantity: QuantityProtocol) -> WebFunction:
    row = quantity.kernel.quantity
    full = _with_optional(quantity)
    kernels = (source.function_of(name, title, quantity.kernel),)
    presets: dict[str, np.ndarray] = {}
    if full is not None:
        kernels = (*kernels, source.function_of(f"{name}+", title, full))
        presets = {x: quantity.default_value(x) for x in full.arguments[len(row.arguments) :]}
    always = len(kernels[0].outputs)
    further = kernels[-1].outputs[always:]
    parts = () if full is None else full.quantity.parts[always:]
    gradients = {x.name: part for x, part in zip(further, parts, strict=bool(further))}
    words = row.doc, row.unit, row.equation
    return WebFunction(name, title, kernels, row.arguments, presets, gradients, *words)


def _with_optional(quantity: QuantityProtocol) -> Kernel | None:
    """The kernel with all arguments that may be left out, if there are any and it can be had."""
    if not quantity.kernel.quantity.optional:
        return None
    try:
        return quantity.full_kernel
    except ValueError:  # more arrays than a quantity may have
        return None


def hindrance(system: System, name: str) -> str:
    """Why a quantity cannot be computed of a robot, in words; empty if it can be."""
    try:
        _ = system.quantity(name).kernel.tape
    except JounceError as error:
        return str(error)
    return ""


# ------------------------------------------------------------------ the robot


def robot_data(system: System) -> dict[str, Any]:
    """What a robot is: sizes, joints, gravity, and a configuration to begin with."""
    closed = isinstance(system, Mechanism)
    start = system.reference if closed else manifold.neutral(system.tree)
    return {
        "name": system.name,
        "nq": system.nq,
        "nv": system.nv,
        "nb": system.sizes["nb"],
        "gravity": [float(x) for x in system.model.gravity],
        "neutral": [float(x) for x in start],
        "velocities": [int(k) for k in system.velocities],
        "joints": [_joint(system, name) for name in system.joints],
    }


def _joint(system: System, name: str) -> dict[str, Any]:
    view = system.joints[name]
    rule = view.joint.mimic
    bounds = view.joint if rule is not None else system.limits.all_joints
    at = slice(None) if rule is not None else view.v
    found: dict[str, Any] = {
        "name": view.name,
        "kind": view.kind,
        "q": [view.q.start, view.q.stop],
        "v": [view.v.start, view.v.stop],
        "lower": [float(x) for x in bounds.lower[at]],
        "upper": [float(x) for x in bounds.upper[at]],
    }
    if rule is not None:
        found["mimic"] = {
            "joint": rule.leader,
            "multiplier": float(rule.multiplier),
            "offset": float(rule.offset),
        }
    return found


def function_data(function: WebFunction, layouts: dict[str, Layout]) -> dict[str, Any]:
    """What a function takes and gives, and where in memory."""
    inputs = zip(function.arguments, function.kernels[-1].inputs, strict=True)
    arguments = [
        {"name": name, "shape": list(x.shape), "doc": x.doc}
        | ({"optional": True} if name in function.presets else {})
        for name, x in inputs
    ]
    presets = (function.presets.get(name) for name in function.arguments)
    return {
        "quantity": function.quantity,
        "doc": function.doc,
        "unit": function.unit,
        "equation": function.equation,
        "operations": function.operations,
        "arguments": arguments,
        "results": [
            {"name": x.name, "shape": list(x.shape), "doc": x.doc}
            | ({"of": function.gradients[x.name]} if x.name in function.gradients else {})
            for x in function.kernels[-1].outputs
        ],
        "presets": [None if x is None else np.ravel(x).tolist() for x in presets],
        "kernels": [
            {
                "name": kernel.name,
                "inputs": [at // 8 for at in layouts[kernel.name].inputs],
                "outputs": [at // 8 for at in layouts[kernel.name].outputs],
            }
            for kernel in function.kernels
        ],
    }


def literal(data: Any, **options: Any) -> str:
    """Data as an expression of JavaScript in ASCII, which cannot end a script element.

    options: of `json.dumps`.
    """
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), **options)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
