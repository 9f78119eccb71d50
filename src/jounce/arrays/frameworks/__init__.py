"""What jounce is to libraries that differentiate: operators, and robots seen through a library.

Here lives what JAX and PyTorch have in common. An `Operator` is a quantity as a function of arrays
of numbers, with its pushforwards and pullbacks, which are operators again. A `Surface` is a robot,
a frame or a table of quantities whose functions take and give the arrays of a `Library`. No file
here imports one.
"""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
