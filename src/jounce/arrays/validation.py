"""What counts as an array of numbers, whichever library made it, and what to say if it does not.

Objects are taken by their values: what NumPy takes, and whatever offers `__array__` or DLPack on
the CPU (PyTorch, JAX, pandas, xarray, Polars, Arrow, the array API's namespaces). Missing numbers
of tables count as NaN. Nothing is copied that need not be, and no kind of float is widened.
Refused with a sentence: what would silently lose something (a gradient, a mask, units), what lies
on another device, what is not computed yet, and what is not real or wider than float64.
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

#: DLPack's numbers of devices: the processor, CUDA, and all whose memory the processor reads (its
#: own, and pinned or managed memory of CUDA and ROCm).
_CPU, _CUDA, _READABLE = 1, 2, (1, 3, 11, 13)

#: What has no names of columns.
_NAMELESS = frozenset((np.ndarray, float, int, list, tuple, type(None)))

#: Units that angles are not in here, as attributes spell them.
_DEGREES = re.compile(r"(?i)\s*(deg|degrees?|arcdegrees?|°)(\b.*|[^a-z].*)?")


def plain(x: Any, what: str) -> np.ndarray:
    """An array of real numbers as NumPy's, without a copy where one can be avoided.

    what: how messages begin, such as "panda.mass_matrix: argument 'q'". Subclasses of
    numpy.ndarray stay what they are, except numpy.matrix, which can have no batch axes, and masked
    arrays, whose mask no kernel knows.
    """
    array = x if type(x) is np.ndarray else _taken(x, what)
    if array.dtype.kind not in "fiub" or array.dtype.itemsize > 8:
        raise TypeError(f"{what} must be real float64 or float32, found {_describe(x, array)}")
    return array


def _describe(x: Any, array: np.ndarray) -> str:
    """Return what something is whose values, as an array, are no real numbers."""
    if x is None or isinstance(x, (str, bytes)):
        return repr(x)
    if array.dtype.kind in "US":
        return f"text in {_kind(x)}"
    if isinstance(x, (np.ndarray, np.generic)):
        return str(array.dtype)
    if array.ndim == 0 and array.dtype == object:
        return f"{_kind(x)}; give a list or an array of its numbers"
    return f"{array.dtype} of {_kind(x)}"


def shaped(x: Any, what: str, core: Shape) -> np.ndarray:
    """An array of real numbers whose last axes are `core`; see `plain`."""
    if type(x) is not np.ndarray:
        refuse_degrees(x, what)
    return with_core(plain(x, what), what, core)


def with_core(array: Any, what: str, core: Shape) -> Any:
    """An array, of whatever library, after a look whether its last axes are `core`."""
    shape = tuple(array.shape)
    split = len(shape) - len(core)
    if split < 0 or shape[split:] != core:
        wanted = ", ".join(("...", *map(str, core)))
        raise ArgumentError(f"{what} must have shape ({wanted}), found {shape} of {array.dtype}")
    return array


def together(
    title: str, given: Mapping[str, Any], cores: Mapping[str, Shape]
) -> tuple[Shape, list[np.ndarray]]:
    """Arguments as arrays of the core shapes they must have, and the batch they broadcast to."""
    arrays = {
        name: shaped(x, f"{title}: argument '{name}'", cores[name]) for name, x in given.items()
    }
    batches = {name: x.shape[: x.ndim - len(cores[name])] for name, x in arrays.items()}
    try:
        return np.broadcast_shapes(*batches.values()), list(arrays.values())
    except ValueError:
        raise batch_mismatch(title, batches) from None


def batch_mismatch(title: str, batches: Mapping[str, tuple[Any, ...]]) -> ArgumentError:
    """Return the error of arguments whose batches do not broadcast; title: of what is called."""
    text = ", ".join(f"{name} {batch}" for name, batch in batches.items())
    return ArgumentError(f"{title}: batch axes do not broadcast: {text}")


def refuse_other_order(x: Any, names: Sequence[str], what: str, axis: int = -1) -> None:
    """Refuse an array that names the entries of an axis unlike these: one of xarray, or a table.

    For those who take arrays by their values, which would lose the names. Columns of a table count
    if they are just these names; others, as numbers, say nothing about the order.
    """
    dims, coords = getattr(x, "dims", ()), getattr(x, "coords", ())
    if isinstance(dims, tuple) and len(dims) >= -axis and dims[axis] in coords:
        found = np.asarray(coords[dims[axis]]).tolist()
        wrong = found not in (list(names), list(range(len(names))))
        where = f"'{dims[axis]}'" + (", its last axis" if axis == -1 else "")
    else:
        columns, where = _columns(x, axis), "its columns" if axis == -1 else "its rows"
        found = [*columns] if len(columns) == len(names) else []
        wrong = found != list(names) and {*found} == {*names}
    if wrong:
        raise ArgumentError(
            f"{what} must have {legible(', '.join(names), 1000)} along {where}, in this order,"
            f" found {legible(', '.join(map(str, found)), 300)}; sort it, or give its .values"
        )


def refuse_other_joints(owner: Any, x: Any, of: Literal["q", "v", "t"], what: str) -> None:
    """Refuse an array (..., n), to be taken by its values, with joints in another order.

    of: whether its entries are those of q, of v, or of the velocities of all joints.
    """
    if type(x) is not np.ndarray:
        refuse_other_order(x, owner.labels(of), what)


def state_array(owner: Any, x: Any, of: Literal["q", "v"], what: str) -> np.ndarray:
    """Return an argument (..., nq) or (..., nv) as float64; what: how messages begin."""
    what = printable(what)
    refuse_other_joints(owner, x, of, what)
    return np.asarray(shaped(x, what, (owner.sizes[f"n{of}"],)), dtype=float)


def refuse_other_columns(owner: Any, title: str, given: Iterable[tuple[str, Any]]) -> None:
    """Refuse tables among arguments whose columns are the joints of a robot in another order.

    owner: what has the quantity; title: of what is called. Arrays of xarray are put in order.
    """
    for name, x in given:
        columns = _columns(x, -1)
        if not len(columns) or not isinstance(columns[0], str):
            continue
        while not hasattr(owner, "labels") and hasattr(owner, "robot"):
            owner = owner.robot
        labels = getattr(owner, "labels", lambda of: ())
        for of in "qvt":
            refuse_other_order(x, labels(of), f"{title}: argument '{name}'")


def _columns(x: Any, axis: int) -> Sequence[Any]:
    """Names of a table's columns (axis -1) or rows (-2); nothing of what is no table."""
    if type(x) in _NAMELESS or hasattr(x, "__dask_graph__"):  # whose rows are not computed yet
        return ()
    axes = getattr(x, "axes", None)
    if isinstance(axes, list):  # pandas
        return axes[axis] if len(axes) >= -axis else ()
    for name in ("column_names", "columns"):  # Arrow, Polars
        found = getattr(x, name, None)
        if isinstance(found, list) and axis == -1:
            return found
    return ()


def refuse_degrees(x: Any, what: str) -> None:
    """Refuse an array whose attributes say that it is in degrees."""
    attrs = getattr(x, "attrs", None)
    units = attrs.get("units") if isinstance(attrs, Mapping) else None
    if isinstance(units, str) and _DEGREES.fullmatch(units):
        raise ArgumentError(
            f"{what} has units {units!r}; give its numbers in rad, m, s, kg, N (numpy.deg2rad), and"
            " an attribute that says so, or none"
        )


def floating(dtype: DTypeLike) -> np.dtype[Any]:
    """One of the two kinds of numbers that results come in."""
    try:
        found = np.dtype(dtype)
    except TypeError as error:
        raise ArgumentError(f"dtype must be float64 or float32, found {dtype!r}") from error
    if found not in (_SINGLE, _DOUBLE):
        raise ArgumentError(f"dtype must be float64 or float32, found {found}")
    return found


def precision(arrays: Iterable[np.ndarray]) -> np.dtype[Any]:
    """What results are in: float32 if an array is and none is wider, else float64."""
    dtypes = {x.dtype.newbyteorder("=") for x in arrays}
    return _SINGLE if _SINGLE in dtypes and np.result_type(*dtypes) == _SINGLE else _DOUBLE


def stored(result: np.ndarray, out: Any, what: str) -> np.ndarray:
    """A result (..., n) in the array that is given for it, if there is one, as gufuncs do it.

    Leading axes broadcast, the last does not. The result may lie in the memory of what it was
    computed from. what: how messages begin.
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
        raise ArgumentError(f"{what}: the result cannot be put into out: {error}") from error
    return place


def check_out_type(out: Any, what: str) -> np.ndarray:
    """Return an array for results; TypeError for anything but NumPy's arrays without a mask.

    what: how messages begin.
    """
    if isinstance(out, np.ma.MaskedArray):
        raise TypeError(
            f"{what}: out must be an array without a mask, found a masked array; give its .data,"
            " and change its mask yourself"
        )
    if not isinstance(out, np.ndarray):
        raise TypeError(
            f"{what}: out must be a numpy.ndarray (or np.memmap), or a tuple of them for several"
            f" results, found {_kind(out)}; omit it and assign the result, as in"
            " dataset[...] = result"
        )
    return out


def check_out_array(out: np.ndarray, shape: Shape, dtype: np.dtype[Any], what: str) -> None:
    """Refuse an array that cannot hold a result of a shape and dtype.

    what: how messages begin.
    """
    if not out.flags.writeable:
        raise ArgumentError(f"{what}: out must be writable, found a read-only array")
    if out.shape != shape:
        raise ArgumentError(f"{what}: out must have shape {shape}, found {out.shape}")
    if not np.can_cast(dtype, out.dtype, "same_kind"):
        raise TypeError(f"{what}: out must have a dtype that holds {dtype}, found {out.dtype}")


# ------------------------------------------------------------------ other libraries


def _taken(x: Any, what: str) -> np.ndarray:
    """The values of something that is not just NumPy's, through whichever protocol it offers."""
    for part in _parts(x):
        reason = _objection(part, listed=part is not x)
        if reason:
            raise TypeError(f"{what} ({_kind(part)}) {reason}")
    if isinstance(x, np.ndarray) and not isinstance(x, (np.matrix, np.ma.MaskedArray)):
        return x
    try:
        if hasattr(x, "__dlpack__") and not hasattr(x, "__array__"):
            return np.from_dlpack(cast(Any, x))
        array = np.asarray(x)
        return _without_gaps(x, array) if array.dtype == object else array
    except Exception as error:  # whatever another library raises: said in its words
        reason = legible(str(error).strip().partition("\n")[0], 300)
        if isinstance(x, (list, tuple)):
            raise ArgumentError(f"{what} is not an array: {reason}") from error
        raise TypeError(f"{what} ({_kind(x)}) gives no array: {reason}") from error


def _parts(x: Any) -> Iterator[Any]:
    """What a list of lists is made of, besides Python's numbers."""
    if isinstance(x, (list, tuple)):
        for part in x:
            yield from _parts(part)
    elif type(x) not in (float, int, bool):
        yield x


def _without_gaps(x: Any, array: np.ndarray) -> np.ndarray:
    """Numbers of pandas among which NumPy cannot express the missing ones, with NaN for them."""
    if not (hasattr(x, "to_numpy") and hasattr(x, "ndim")):
        return array
    dtypes = x.dtypes if x.ndim == 2 else (x.dtype,)
    found = [getattr(dtype, "numpy_dtype", dtype) for dtype in dtypes]
    if any(getattr(dtype, "kind", "O") not in "fiub" for dtype in found):
        return array
    narrow = all(dtype == np.float32 for dtype in found)
    return x.to_numpy(dtype=np.float32 if narrow else np.float64, na_value=np.nan)


def _objection(x: Any, listed: bool) -> str:
    """Why an array must not be taken by its values, and what to give instead; or nothing.

    listed: whether it is in a list.
    """
    if isinstance(x, Mapping):  # a Dataset of xarray's too
        known = legible(", ".join(map(repr, x)), 300) or "nothing"
        return f"holds arrays by name; give one of them; found: {known}"
    if isinstance(x, np.ndarray) and isinstance(x, np.ma.MaskedArray):
        count = np.ma.count_masked(x)
        return count and (
            f"has {count} of its {x.size} numbers masked; give .filled(np.nan), which makes their"
            " rows of the result NaN, or only the rows without a mask"
        )
    graph = getattr(x, "__dask_graph__", None)
    if callable(graph) and graph() is not None:
        other = (
            "one array of the whole list, with dask.array.stack"
            if listed
            else "map the quantity over its blocks with map_blocks"
        )
        return f"is not computed yet; give .compute() of it, or {other}"
    if getattr(x, "requires_grad", False) is True:
        return (
            "requires a gradient, which would be lost here; give .detach() of it, or see what"
            " robot.torch has, which keeps gradients"
        )
    if callable(getattr(x, "to", None)) and (hasattr(x, "unit") or hasattr(x, "units")):
        return "has units; give its numbers in rad, m, s, kg, N"
    if _device_type(x) not in _READABLE:
        return (
            f"is on {getattr(x, 'device', 'another device')}, which cannot be read here: quantities"
            " take arrays on CUDA if all are of one library, and no list of them; copy it to the"
            " CPU first, with .cpu(), .get() or jax.device_get"
        )
    return ""


def on_cuda(x: Any) -> bool:
    """Return whether an object is an array on a CUDA device."""
    if isinstance(x, (np.ndarray, np.generic, float, int, str, type(None), list, tuple)):
        return False
    return _device_type(x) == _CUDA


def _device_type(x: Any) -> int:
    """Return DLPack's number of the kind of device that an object is on; 0 if it has none."""
    try:
        if hasattr(x, "__cuda_array_interface__"):
            return _CUDA
        return int(x.__dlpack_device__()[0]) if hasattr(x, "__dlpack_device__") else _CPU
    except Exception:  # whatever a library raises for devices that DLPack has no number for
        return 0


def _kind(x: Any) -> str:
    """The class of an object with its library, as users write it."""
    package, name = type(x).__module__.partition(".")[0], type(x).__qualname__
    return name if package == "builtins" else f"{package}.{name}"
