"""Kernels for GPUs as the processor runs them, thread by thread, against the interpreter."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from gpu.support import close, given, truth_of
from jounce.arrays.bound_quantity import BoundQuantity
from jounce.compiler.targets import nvptx
from jounce.robot import Robot
from support.mechanisms import mechanism
from support.zoo import MODELS

pytestmark = pytest.mark.cuda

#: Samples: one, a block less one, a block, one more, and two blocks and one more.
BATCHES = (1, 31, 32, 33, 65)

#: Quantities by robot: values, derivatives, pullbacks, steps, and a robot per sample.
CASES: dict[str, tuple[str, ...]] = {
    "every kind": ("inverse_dynamics", "mass_matrix", "integrate", "difference", "motor_forces"),
    "floating": ("forward_dynamics", "frame(tool).jacobian", "momentum", "inverse_dynamics.vjp"),
    "mimic": ("inverse_dynamics.derivatives", "forward_dynamics.vjp", "step", "kinetic_energy"),
    "floating, mimic": ("inverse_dynamics", "parametric.inverse_dynamics"),
    "small": ("coriolis_matrix", "body_poses", "joint_friction", "forward_dynamics.vjp"),
    "two roots": ("inverse_dynamics", "center_of_mass"),
    "iiwa14_mueller_kumar2021": (
        "inverse_dynamics.rates(2)",
        "equations_of_motion",
        "step.derivatives",
    ),
    "planar_2r": ("forward_dynamics.derivatives", "mass_matrix.dq"),
    "five_bar, closed": ("inverse_dynamics", "forward_dynamics", "mass_matrix.dq"),
}

EACH = [(name, quantity) for name, quantities in CASES.items() for quantity in quantities]


@cache
def owner(name: str) -> Any:
    """A robot, or a mechanism."""
    whole, _, closed = name.partition(", closed")
    return mechanism(whole) if name.endswith("closed") else Robot(MODELS[whole + closed]())


def quantity(name: str, path: str) -> BoundQuantity:
    return owner(name).quantity(path)


@pytest.mark.parametrize("scalar", ["double", "float"])
@pytest.mark.parametrize(("name", "path"), EACH)
def test_kernels_give_the_interpreters_numbers(name: str, path: str, scalar: str) -> None:
    found = quantity(name, path)
    kernel = found.kernel
    run = nvptx.compile_hosted(kernel.tape, kernel.inputs, kernel.outputs, scalar)
    narrow = given(found, max(BATCHES), scalar="float")
    truth, allowed = truth_of(found, narrow)
    for n in BATCHES:
        results = run(*(x[:n] for x in narrow))
        assert all(x.dtype.char == scalar[0] for x in results)
        close(results, [x[:n] for x in truth], scalar, f"{name}, {path}, {n}", allowed[scalar])
