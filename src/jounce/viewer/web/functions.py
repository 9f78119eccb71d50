"""JSON data about a robot and its quantities, for JavaScript."""

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

#: Attributes of a robot, and `then`, which would make it a promise.
_RESERVED = frozenset(
    ("name", "nq", "nv", "nb", "gravity", "neutral", "velocities", "joints", "functions", "then")
)


@dataclass(frozen=True)
class WebFunction:
    """A quantity as a function of JavaScript.

    name: its identifier. quantity: its name for `robot.quantity`. kernels: the functions of
    WebAssembly, without and (if there are any) with optional arguments. presets: default values of
    optional arguments by name. gradients: for each result that needs an optional argument, the name
    of that argument. unit, equation: as in the catalog.
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
        """Shapes of all arguments by name, including optional ones."""
        names = (*self.needed, *self.presets)
        return {name: x.shape for name, x in zip(names, self.kernels[-1].inputs, strict=True)}

    @property
    def results(self) -> dict[str, tuple[int, ...]]:
        """Shapes of all results by name, including those that need optional arguments."""
        return {x.name: x.shape for x in self.kernels[-1].outputs}

    @property
    def operations(self) -> int:
        """Number of arithmetic operations of a call without optional arguments."""
        return len(self.kernels[0].tape)


def web_functions(system: System, quantities: str | Iterable[str]) -> list[WebFunction]:
    """Return quantities by name as functions with unique identifiers."""
    out: list[WebFunction] = []
    taken = {name.lower() for name in _RESERVED}
    for identifier, title, quantity in source.name_quantities(system, quantities):
        name = f"frame_{identifier}" if identifier[:1].isdigit() else identifier or "frame"
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
    """Return the kernel with all optional arguments, or None if there is none."""
    if not quantity.kernel.quantity.optional:
        return None
    try:
        return quantity.full_kernel
    except ValueError:  # too many arrays
        return None


def explain_undefined(system: System, name: str) -> str:
    """Return why a quantity is not defined for a robot, or '' if it is."""
    try:
        _ = system.quantity(name).kernel.tape
    except JounceError as error:
        return str(error)
    return ""


# ------------------------------------------------------------------ the robot


def robot_data(system: System) -> dict[str, Any]:
    """Return sizes, joints, gravity and an initial configuration of a robot."""
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
    entries = slice(None) if rule is not None else view.v
    data: dict[str, Any] = {
        "name": view.name,
        "kind": view.kind,
        "q": [view.q.start, view.q.stop],
        "v": [view.v.start, view.v.stop],
        "lower": [float(x) for x in bounds.lower[entries]],
        "upper": [float(x) for x in bounds.upper[entries]],
    }
    if rule is not None:
        data["mimic"] = {
            "joint": rule.leader,
            "multiplier": float(rule.multiplier),
            "offset": float(rule.offset),
        }
    return data


def function_data(function: WebFunction, layouts: dict[str, Layout]) -> dict[str, Any]:
    """Return arguments and results of a function, with their offsets in memory."""
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
                "inputs": [offset // 8 for offset in layouts[kernel.name].inputs],
                "outputs": [offset // 8 for offset in layouts[kernel.name].outputs],
            }
            for kernel in function.kernels
        ],
    }


def literal(data: Any, **options: Any) -> str:
    """Return data as a JavaScript expression in ASCII that cannot end a script element.

    options: those of `json.dumps`.
    """
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), **options)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
