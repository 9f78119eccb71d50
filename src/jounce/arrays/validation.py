"""Conversion of arguments to NumPy arrays, with checks of shape, dtype, device and order.

Accepted are all objects that NumPy accepts, and those with `__array__` or DLPack on the CPU
(PyTorch, JAX, pandas, xarray, Polars, Arrow, libraries of the array API). Missing values of tables
become NaN. Copies are avoided, and dtypes are not widened. Refused are objects whose conversion
would silently lose a gradient, a mask or units; arrays on other devices; lazy arrays; numbers that
are complex or wider than float64.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import DTypeLike

from jounce.errors import ArgumentError, legible, printable

Shape = tuple[int, ...]

_SINGLE, _DOUBLE = np.dtype(np.float32), np.dtype(np.float64)

#: Device types of DLPack: CPU, CUDA, and all with memory that the CPU can read (CPU, and pinned or
#: managed memory of CUDA and ROCm).
_CPU, _CUDA, _READABLE = 1, 2, (1, 3, 11, 13)

#: Types without column names.
_NAMELESS = frozenset((np.ndarray, float, int, list, tuple, type(None)))

#: Spellings of degrees in `units` attributes; angles here are in radians.
_DEGREES = re.compile(r"(?i)\s*(deg|degrees?|arcdegrees?|°)(\b.*|[^a-z].*)?")


def plain(x: Any, what: str) -> np.ndarray:
    """Convert an object to a NumPy array of real numbers, without a copy if possible.

    Parameters
    ----------
    x : array_like
        Array of any library in CPU memory, or numbers.
    what : str
        Prefix of error messages, such as "panda.mass_matrix: argument 'q'".

    Returns
    -------
    ndarray
        The array. Subclasses are kept, except `numpy.matrix`, which has no batch axes.

    Raises
    ------
    TypeError
        If the values are not real numbers of at most 64 bits, or if the conversion would lose a
        gradient, a mask or units.
    """
    array = x if type(x) is np.ndarray else _convert_values(x, what)
    if array.dtype.kind not in "fiub" or array.dtype.itemsize > 8:
        raise TypeError(f"{what} must be real float64 or float32, found {_describe(x, array)}")
    return array


def _describe(x: Any, array: np.ndarray) -> str:
    """Describe an argument that is not an array of real numbers, for error messages."""
    if x is None or isinstance(x, (str, bytes)):
        return repr(x)
    if array.dtype.kind in "US":
        return f"text in {_kind(x)}"
    if isinstance(x, (np.ndarray, np.generic)):
        return str(array.dtype)
    if array.ndim == 0 and array.dtype == object:
        return f"{_kind(x)}; pass a list or an array of its numbers"
    return f"{array.dtype} of {_kind(x)}"


def convert_array(x: Any, what: str, core: Shape) -> np.ndarray:
    """Convert an argument to an array of real numbers whose last axes are `core`; see `plain`."""
    if type(x) is not np.ndarray:
        refuse_degrees(x, what)
    return check_core(plain(x, what), what, core)


def check_core(array: Any, what: str, core: Shape) -> Any:
    """Return an array of any library, or raise an error unless its last axes are `core`."""
    shape = tuple(array.shape)
    split = len(shape) - len(core)
    if split < 0 or shape[split:] != core:
        wanted = ", ".join(("...", *map(str, core)))
        raise ArgumentError(f"{what} must have shape ({wanted}), found {shape} of {array.dtype}")
    return array


def broadcast_arguments(
    title: str, arguments: Mapping[str, Any], cores: Mapping[str, Shape]
) -> tuple[Shape, list[np.ndarray]]:
    """Convert arguments to arrays with these core shapes; return their common batch, too."""
    arrays = {
        name: convert_array(x, f"{title}: argument '{name}'", cores[name])
        for name, x in arguments.items()
    }
    batches = {name: x.shape[: x.ndim - len(cores[name])] for name, x in arrays.items()}
    try:
        return np.broadcast_shapes(*batches.values()), list(arrays.values())
    except ValueError:
        raise batch_mismatch(title, batches) from None


def batch_mismatch(title: str, batches: Mapping[str, tuple[Any, ...]]) -> ArgumentError:
    """Return the error about batches that do not broadcast; title: prefix of the message."""
    text = ", ".join(f"{name} {batch}" for name, batch in batches.items())
    return ArgumentError(f"{title}: batch axes do not broadcast: {text}")


def refuse_other_order(x: Any, names: Sequence[str], what: str, axis: int = -1) -> None:
    """Refuse a labeled array or table whose entries are in another order.

    Reading such arrays by value would lose the labels. Column names of a table are compared only
    if they are a permutation of the expected ones.

    Parameters
    ----------
    x : object
        Argument of any type; arrays without labels are accepted.
    names : sequence of str
        Expected labels along the axis.
    what : str
        Prefix of the error message.
    axis : int
        Axis with the labels, counted from the end.

    Raises
    ------
    ArgumentError
        If the labels differ.
    """
    dims, coords = getattr(x, "dims", ()), getattr(x, "coords", ())
    if isinstance(dims, tuple) and len(dims) >= -axis and dims[axis] in coords:
        order = np.asarray(coords[dims[axis]]).tolist()
        differs = order not in (list(names), list(range(len(names))))
        place = f"'{dims[axis]}'" + (", its last axis" if axis == -1 else "")
    else:
        columns, place = _columns(x, axis), "its columns" if axis == -1 else "its rows"
        order = [*columns] if len(columns) == len(names) else []
        differs = order != list(names) and {*order} == {*names}
    if differs:
        raise ArgumentError(
            f"{what} must have {legible(', '.join(names), 1000)} along {place}, in this order,"
            f" found {legible(', '.join(map(str, order)), 300)}; reorder it, or pass its .values"
        )


def refuse_other_joints(owner: Any, x: Any, of: Literal["q", "v", "t"], what: str) -> None:
    """Refuse a labeled array or table with joints in another order.

    Parameters
    ----------
    owner : Robot or Mechanism
        The robot that has the joints.
    x : object
        Argument (..., n) of any type; arrays without labels are accepted.
    of : {"q", "v", "t"}
        Meaning of the entries: configuration, velocities, or velocities of all joints of a tree.
    what : str
        Prefix of the error message.

    Raises
    ------
    ArgumentError
        If the labels differ from the names of the joints.
    """
    if type(x) is not np.ndarray:
        refuse_other_order(x, owner.labels(of), what)


def state_array(owner: Any, x: Any, of: Literal["q", "v"], what: str) -> np.ndarray:
    """Convert a configuration or velocity to float64.

    Parameters
    ----------
    owner : Robot or Mechanism
        The robot whose state it is.
    x : array_like (..., nq) or (..., nv)
        Configuration (rad, m) or velocity (rad/s, m/s).
    of : {"q", "v"}
        Configuration or velocity.
    what : str
        Prefix of error messages.

    Returns
    -------
    ndarray (..., nq) or (..., nv)
        The values.
    """
    what = printable(what)
    refuse_other_joints(owner, x, of, what)
    return np.asarray(convert_array(x, what, (owner.sizes[f"n{of}"],)), dtype=float)


def refuse_other_columns(owner: Any, title: str, arguments: Iterable[tuple[str, Any]]) -> None:
    """Refuse tables among arguments whose columns are the robot's joints in another order.

    owner: owner of the quantity; title: prefix of messages. Arrays of xarray are reordered later.
    """
    for name, x in arguments:
        columns = _columns(x, -1)
        if not len(columns) or not isinstance(columns[0], str):
            continue
        while not hasattr(owner, "labels") and hasattr(owner, "robot"):
            owner = owner.robot
        labels = getattr(owner, "labels", lambda of: ())
        for of in "qvt":
            refuse_other_order(x, labels(of), f"{title}: argument '{name}'")


def _columns(x: Any, axis: int) -> Sequence[Any]:
    """Return the names of a table's columns (axis -1) or rows (-2); () for other objects."""
    if type(x) in _NAMELESS or hasattr(x, "__dask_graph__"):  # lazy: the rows are not computed yet
        return ()
    axes = getattr(x, "axes", None)
    if isinstance(axes, list):  # pandas
        return axes[axis] if len(axes) >= -axis else ()
    for name in ("column_names", "columns"):  # Arrow, Polars
        columns = getattr(x, name, None)
        if isinstance(columns, list) and axis == -1:
            return columns
    return ()


def refuse_degrees(x: Any, what: str) -> None:
    """Refuse an array with an attribute `units` of degrees.

    Parameters
    ----------
    x : object
        Argument of any type.
    what : str
        Prefix of the error message.

    Raises
    ------
    ArgumentError
        If the units are degrees.
    """
    attrs = getattr(x, "attrs", None)
    units = attrs.get("units") if isinstance(attrs, Mapping) else None
    if isinstance(units, str) and _DEGREES.fullmatch(units):
        raise ArgumentError(
            f"{what} must be in radians, found units {units!r}; convert it with numpy.deg2rad and"
            " set or remove its attribute 'units'"
        )


def parse_dtype(dtype: DTypeLike) -> np.dtype[Any]:
    """Return the dtype float32 or float64; ArgumentError for any other."""
    try:
        parsed = np.dtype(dtype)
    except TypeError as error:
        raise ArgumentError(f"dtype must be float64 or float32, found {dtype!r}") from error
    if parsed not in (_SINGLE, _DOUBLE):
        raise ArgumentError(f"dtype must be float64 or float32, found {parsed}")
    return parsed


def precision(arrays: Iterable[np.ndarray]) -> np.dtype[Any]:
    """Return the dtype of results: float32 if an array is and none is wider, else float64."""
    dtypes = {x.dtype.newbyteorder("=") for x in arrays}
    return _SINGLE if _SINGLE in dtypes and np.result_type(*dtypes) == _SINGLE else _DOUBLE


def store_result(result: np.ndarray, out: Any, what: str) -> np.ndarray:
    """Copy a result (..., n) to `out` as gufuncs do, and return it; without `out` the result.

    Leading axes broadcast, the last one does not. The result may share memory with the arguments.
    what: prefix of error messages.
    """
    if isinstance(out, tuple) and len(out) == 1:
        (out,) = out
    if out is None:
        return result
    place = check_out_type(out, what)
    try:
        if place.shape[-1:] != result.shape[-1:]:
            raise ValueError("the last axis does not broadcast")
        np.copyto(np.asarray(place), result, casting="same_kind")
    except (TypeError, ValueError) as error:
        check_out_array(place, result.shape, result.dtype, what)
        raise ArgumentError(f"{what}: the result cannot be copied to out: {error}") from error
    return place


def check_out_type(out: Any, what: str) -> np.ndarray:
    """Return an array for results; TypeError unless it is a NumPy array without a mask.

    what: prefix of error messages.
    """
    if isinstance(out, np.ma.MaskedArray):
        raise TypeError(
            f"{what}: out must be an array without a mask, found a masked array; pass its .data,"
            " and set its mask yourself"
        )
    if not isinstance(out, np.ndarray):
        raise TypeError(
            f"{what}: out must be a numpy.ndarray (or np.memmap), or a tuple of them for several"
            f" results, found {_kind(out)}; omit it and assign the result, as in"
            " dataset[...] = result"
        )
    return out


def check_out_array(out: np.ndarray, shape: Shape, dtype: np.dtype[Any], what: str) -> None:
    """Refuse an array that cannot hold a result of this shape and dtype.

    what: prefix of error messages.
    """
    if not out.flags.writeable:
        raise ArgumentError(f"{what}: out must be writable, found a read-only array")
    if out.shape != shape:
        raise ArgumentError(f"{what}: out must have shape {shape}, found {out.shape}")
    if not np.can_cast(dtype, out.dtype, "same_kind"):
        raise TypeError(f"{what}: out must have a dtype that holds {dtype}, found {out.dtype}")


# ------------------------------------------------------------------ other libraries


def _convert_values(x: Any, what: str) -> np.ndarray:
    """Convert an array of another library through `__array__` or DLPack."""
    for part in _parts(x):
        reason = _objection(part, in_list=part is not x)
        if reason:
            raise TypeError(f"{what} ({_kind(part)}) {reason}")
    if isinstance(x, np.ndarray) and not isinstance(x, (np.matrix, np.ma.MaskedArray)):
        return x
    try:
        if hasattr(x, "__dlpack__") and not hasattr(x, "__array__"):
            return np.from_dlpack(cast(Any, x))
        array = np.asarray(x)
        return _without_gaps(x, array) if array.dtype == object else array
    except Exception as error:  # other libraries raise anything; quote their message
        reason = legible(str(error).strip().partition("\n")[0], 300)
        if isinstance(x, (list, tuple)):
            raise ArgumentError(f"{what} is not an array: {reason}") from error
        raise TypeError(f"{what} ({_kind(x)}) cannot be converted to an array: {reason}") from error


def _parts(x: Any) -> Iterator[Any]:
    """Yield the leaves of nested lists, except Python scalars."""
    if isinstance(x, (list, tuple)):
        for part in x:
            yield from _parts(part)
    elif type(x) not in (float, int, bool):
        yield x


def _without_gaps(x: Any, array: np.ndarray) -> np.ndarray:
    """Convert a pandas object with missing values to floats, with NaN in their place."""
    if not (hasattr(x, "to_numpy") and hasattr(x, "ndim")):
        return array
    dtypes = x.dtypes if x.ndim == 2 else (x.dtype,)
    kinds = [getattr(dtype, "numpy_dtype", dtype) for dtype in dtypes]
    if any(getattr(dtype, "kind", "O") not in "fiub" for dtype in kinds):
        return array
    narrow = all(dtype == np.float32 for dtype in kinds)
    return x.to_numpy(dtype=np.float32 if narrow else np.float64, na_value=np.nan)


def _objection(x: Any, in_list: bool) -> str:
    """Return why an array must not be read by value, and what to pass instead; '' if it may be.

    in_list: whether it is an element of a list.
    """
    if isinstance(x, Mapping):  # a Dataset of xarray's too
        known = legible(", ".join(map(repr, x)), 300) or "nothing"
        return f"is a mapping of arrays; pass one of them: {known}"
    if isinstance(x, np.ndarray) and isinstance(x, np.ma.MaskedArray):
        count = np.ma.count_masked(x)
        return count and (
            f"has {count} of its {x.size} numbers masked; pass .filled(np.nan), which makes their"
            " rows of the result NaN, or only the unmasked rows"
        )
    graph = getattr(x, "__dask_graph__", None)
    if callable(graph) and graph() is not None:
        other = (
            "one array of the whole list, with dask.array.stack"
            if in_list
            else "map the quantity over its blocks with map_blocks"
        )
        return f"is lazy; pass its .compute(), or {other}"
    if getattr(x, "requires_grad", False) is True:
        return (
            "requires a gradient, which would be lost here; pass its .detach(), or call the"
            " function of robot.torch, which keeps gradients"
        )
    if callable(getattr(x, "to", None)) and (hasattr(x, "unit") or hasattr(x, "units")):
        return "has units; pass its numbers in rad, m, s, kg, N"
    if _device_type(x) not in _READABLE:
        return (
            f"is on {getattr(x, 'device', 'another device')}; copy it to the CPU with .cpu(),"
            " .get() or jax.device_get (CUDA arrays must all be of one library, and not in a list)"
        )
    return ""


def on_cuda(x: Any) -> bool:
    """Return whether an object is an array on a CUDA device."""
    if isinstance(x, (np.ndarray, np.generic, float, int, str, type(None), list, tuple)):
        return False
    return _device_type(x) == _CUDA


def _device_type(x: Any) -> int:
    """Return the DLPack type of the device of an object; 0 if it has none."""
    try:
        if hasattr(x, "__cuda_array_interface__"):
            return _CUDA
        return int(x.__dlpack_device__()[0]) if hasattr(x, "__dlpack_device__") else _CPU
    except Exception:  # libraries raise anything for devices unknown to DLPack
        return 0


def _kind(x: Any) -> str:
    """Return the class of an object with its package, such as "torch.Tensor"."""
    package, name = type(x).__module__.partition(".")[0], type(x).__qualname__
    return name if package == "builtins" else f"{package}.{name}"
