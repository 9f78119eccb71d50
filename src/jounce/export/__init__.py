"""Bridges to other libraries; each imports its library only when used."""

from typing import TYPE_CHECKING

from jounce.lazy import submodules

if TYPE_CHECKING:
    from jounce.interop import casadi as casadi
    from jounce.interop import exact as exact
    from jounce.interop import latex as latex
    from jounce.interop import mujoco as mujoco
    from jounce.interop import peers as peers
    from jounce.interop import pinocchio as pinocchio
    from jounce.interop import sizes as sizes
    from jounce.interop import sympy as sympy
    from jounce.interop import trigonometry as trigonometry
else:
    __getattr__, __dir__ = submodules(__name__)
