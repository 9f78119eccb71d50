"""Kernels as what backends are given, of a robot small enough for slow ones."""

from __future__ import annotations

import re

import numpy as np

from jounce.compiler.targets.function import Function, Variable
from jounce.model.model import Model
from jounce.runtime.kernel import Kernel
from support.helpers import chain, with_frames


def tiny_model() -> Model:
    """A slide, a ball and a hinge, with armature, friction and a tool."""
    return with_frames(chain(("prismatic", "spherical", "revolute")), np.random.default_rng(0))


def function_of(kernel: Kernel) -> Function:
    """The kernel's tape with its arguments and results."""
    inputs = zip(kernel.arguments, kernel.inputs, strict=True)
    return Function(
        re.sub(r"\W+", "_", kernel.quantity.name),
        kernel.tape,
        tuple(Variable(name, shape, "") for name, shape in inputs),
        tuple(Variable(f"y{k}", shape, "") for k, shape in enumerate(kernel.outputs)),
    )
