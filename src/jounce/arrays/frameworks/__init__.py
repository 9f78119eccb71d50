"""Common parts of the adapters for libraries with automatic differentiation (JAX, PyTorch).

An `Operator` is a quantity as a function of arrays whose Jacobian-vector and vector-Jacobian
products are operators again. A `Surface` is a robot, a frame or a table whose functions take and
return the arrays of a `Library`. No file here imports such a library.
"""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
