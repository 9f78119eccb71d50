"""DLPack's capsules: arrays of one library for another, without a copy.

The layouts are those of dlpack.h before version 1.0, which all libraries give to those who do not
ask for more. What is read from a capsule is good as long as the capsule is there; what is put into
one stays until its reader, or the capsule, lets it go.
"""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Protocol

import numpy as np

Shape = tuple[int, ...]

#: Kinds of numbers, as DLPack numbers them and as NumPy writes them.
_KINDS = {0: "i", 1: "u", 2: "f", 6: "b"}
_CODES = {kind: code for code, kind in _KINDS.items()}

_NAME = b"dltensor"


class _Device(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_int32), ("number", ctypes.c_int32))


class _Type(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("ndim", ctypes.c_int32),
        ("dtype", _Type),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
    )


class _Managed(ctypes.Structure):
    _fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p))


class Described(NamedTuple):
    """What a capsule says of an array; strides in bytes, None if it lies row by row."""

    pointer: int
    shape: Shape
    strides: Shape | None
    dtype: np.dtype[Any]
    device: tuple[int, int]


class Strided(Protocol):
    """What a capsule is made of."""

    @property
    def shape(self) -> Shape:
        """Lengths of the axes."""
        ...

    @property
    def strides(self) -> Shape:
        """In bytes."""
        ...

    @property
    def dtype(self) -> np.dtype[Any]:
        """Kind of the entries."""
        ...


_python: Any = ctypes.pythonapi
_python.PyCapsule_GetPointer.restype = ctypes.c_void_p
_python.PyCapsule_GetPointer.argtypes = (ctypes.py_object, ctypes.c_char_p)
_python.PyCapsule_New.restype = ctypes.py_object
_python.PyCapsule_New.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
# in destructors capsules are no objects any more: only their addresses may be handed on
_address_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
_is_named = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_IsValid", ctypes.pythonapi)
)


def described(capsule: Any, what: str) -> Described:
    """The array in a capsule, which is good as long as the capsule; what: how messages begin."""
    tensor = _Managed.from_address(_python.PyCapsule_GetPointer(capsule, _NAME)).tensor
    kind = _KINDS.get(tensor.dtype.code)
    if kind is None or tensor.dtype.lanes != 1:
        raise TypeError(
            f"{what} must be real float64 or float32, found DLPack's type {tensor.dtype.code} of"
            f" {tensor.dtype.bits} bits"
        )
    size = tensor.dtype.bits // 8
    shape = tuple(tensor.shape[k] for k in range(tensor.ndim))
    strides = (
        tuple(size * tensor.strides[k] for k in range(tensor.ndim)) if tensor.strides else None
    )
    pointer = (tensor.data or 0) + tensor.offset
    device = tensor.device.kind, tensor.device.number
    return Described(pointer, shape, strides, np.dtype(f"{kind}{size}"), device)


# ------------------------------------------------------------------ for others

#: What capsules point to, by the address of it, until it is let go.
_given: dict[int, tuple[Any, ...]] = {}


def _let_go(address: int) -> None:
    _given.pop(address, None)


def _end(capsule: int) -> None:
    """Let go what is in a capsule that nobody has read."""
    if _is_named(capsule, _NAME):
        _let_go(_address_of(capsule, _NAME))


_let_go_at = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_let_go)
_end_at = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(_end)


def capsule(array: Strided, pointer: int, device: tuple[int, int]) -> Any:
    """A capsule with an array at an address; device: its kind and number."""
    size, ndim = array.dtype.itemsize, len(array.shape)
    shape = (ctypes.c_int64 * ndim)(*array.shape)
    strides = (ctypes.c_int64 * ndim)(*(x // size for x in array.strides))
    managed = _Managed()
    tensor = managed.tensor
    tensor.data, tensor.device, tensor.ndim = pointer, _Device(*device), ndim
    tensor.dtype = _Type(_CODES[array.dtype.kind], 8 * size, 1)
    numbers = ctypes.POINTER(ctypes.c_int64)
    tensor.shape, tensor.strides = ctypes.cast(shape, numbers), ctypes.cast(strides, numbers)
    managed.deleter = ctypes.cast(_let_go_at, ctypes.c_void_p)
    address = ctypes.addressof(managed)
    _given[address] = managed, array, shape, strides
    return _python.PyCapsule_New(address, _NAME, ctypes.cast(_end_at, ctypes.c_void_p))
