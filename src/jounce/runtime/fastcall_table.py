"""The table that a builtin of `fastcall` carries, and the layouts that its text relies on."""

from __future__ import annotations

from jounce.runtime.gufunc import MOST_OPERANDS

MAX_AXES = 6  # of a core
MAX_OPERANDS = MOST_OPERANDS
MOST_BATCH_AXES = 4

# Places of PyArray_New and PyArray_Scalar in NumPy's table of functions.
NEW_ARRAY, NEW_SCALAR = 93, 60

# Where a kernel's data leads to the samples that make a batch a large one, and to those that make
# it a long one, during which others run, in bytes.
LARGE_OFFSET, LONG_OFFSET = 40, 48

# Members of an array object, in bytes: data, ndim, shape, dtype, flags; and of a tuple.
DATA, NDIM, SHAPE, DTYPE, FLAGS = 16, 24, 32, 56, 64
SIZE, ITEMS = 16, 24
VALUE = 16  # of Python's float, and of NumPy's float64
READABLE = 0x0001 | 0x0100  # C contiguous, aligned
WRITABLE = READABLE | 0x0400

# Words of the table a builtin carries: what to compare with, what to call, where its kernels are.
_WORDS = (
    "slow",
    "array_type",
    "float64",
    "tuple_type",
    "float_type",
    "scalar_type",  # NumPy's float64
    "none",
    "out",  # the word
    "needed",  # arguments that must be given
    "arguments",  # all of them
    "results",
    "several",  # whether results come as a tuple
    "names",  # of all arguments
    "defaults",  # data of arguments that are left out while others are not
    "new_array",  # NumPy's PyArray_New
    "new_scalar",  # NumPy's PyArray_Scalar
    "set_handler",  # NumPy's PyDataMem_SetHandler
    "handler",  # what recycles memory
    "recycled",  # samples from which on it makes the results
    "get_status",  # NumPy's PyUFunc_getfperr
    "kernel",  # without the optional arguments: the place of its address, and steps
    "steps",  # in bytes: from sample to sample, along each axis of each core
    "words",  # how many steps
    "full_kernel",  # with all of them, once there is one
    "full_steps",
    "full_words",
)
AT = {word: k for k, word in enumerate(_WORDS)}
OPERANDS = len(_WORDS)  # then per operand its ndim and MAX_AXES sizes


def load(word: str, kind: str = "ptr") -> str:
    """The table's entry as %word."""
    return (
        f"  %{word}.at = getelementptr i64, ptr %table, i64 {AT[word]}\n"
        f"  %{word} = load {kind}, ptr %{word}.at"
    )
