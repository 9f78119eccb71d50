"""Quantities of a robot as source code: C99 for controllers, CUDA C++, MATLAB functions.

The files depend only on the robot and the quantities: they are byte-identical on all machines.
"""

from __future__ import annotations

import hashlib
import math
import os
import random
import re
import unicodedata
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from jounce.compiler import targets
from jounce.compiler.graph import arctangent, ops
from jounce.compiler.targets import (
    Function,
    Project,
    Samples,
    Variable,
    interpreter,
    scalar_of,
    variable_name,
)
from jounce.utils import renamed_keyword, write_files

if TYPE_CHECKING:
    from jounce.arrays import BoundQuantity
    from jounce.robot import System
    from jounce.runtime import Kernel

_WORDS = """
    assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdarg
    stdbool stddef stdint stdio stdlib string tgmath time wchar wctype memory threads
    selftest aux con nul prn com1 com2 com3 com4 lpt1 lpt2 lpt3
"""

#: File names of C headers, of the self-test, and of devices of Windows.
_RESERVED_NAMES = frozenset(_WORDS.split())

#: Maximum length of a prefix.
_MAX_PREFIX_LENGTH = 40

#: Number of states in a self-test.
_SELF_TEST_STATES = 3


def export_c(
    robot: System, folder: str | os.PathLike[str], *quantities: Any, **options: Any
) -> list[Path]:
    """Write C99 into a folder.

    Parameters
    ----------
    robot : Robot, Mechanism or Contacts
    folder, *quantities, **options
        Passed to `robot.export.c`.

    Returns
    -------
    list of Path
        The files.
    """
    return robot.export.c(folder, *quantities, **options)


def export_cuda(
    robot: System, folder: str | os.PathLike[str], *quantities: Any, **options: Any
) -> list[Path]:
    """Write CUDA C++ into a folder.

    Parameters
    ----------
    robot : Robot, Mechanism or Contacts
    folder, *quantities, **options
        Passed to `robot.export.cuda`.

    Returns
    -------
    list of Path
        The files.
    """
    return robot.export.cuda(folder, *quantities, **options)


def export_matlab(
    robot: System, folder: str | os.PathLike[str], *quantities: Any, **options: Any
) -> list[Path]:
    """Write MATLAB functions into a folder.

    Parameters
    ----------
    robot : Robot, Mechanism or Contacts
    folder, *quantities, **options
        Passed to `robot.export.matlab`.

    Returns
    -------
    list of Path
        The files.
    """
    return robot.export.matlab(folder, *quantities, **options)


def export_files(
    robot: System,
    folder: str | os.PathLike[str],
    quantities: str | Iterable[str],
    target: str,
    *,
    dtype: DTypeLike = np.float64,
    simd: bool = False,
    name: str | None = None,
    overwrite: bool = False,
) -> list[Path]:
    """Write the code of quantities for a target into a folder.

    Parameters
    ----------
    robot : Robot, Mechanism or Contacts
    folder : path
        Created if needed.
    quantities : str or iterable of str
        Names as `robot.quantity` takes them.
    target : str
        A name of `jounce.compiler.targets.TARGETS`.
    dtype : dtype
        float64 or float32.
    simd : bool
        Also write functions over many samples, in languages that have them.
    name : str, optional
        Prefix of files and functions, by default made of the robot's name.
    overwrite : bool
        Replace files that exist.

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    FileExistsError
        If a file exists and is not to be replaced.
    ValueError
        If the target writes no files, or a name is not allowed.
    """
    chosen, scalar = targets.get_target(target), scalar_of(dtype)
    prefix = prefix_of(robot.name, name)
    functions = _functions(robot, quantities, prefix, chosen.max_name)
    files = chosen.files(replace(project(robot, prefix, functions, scalar), simd=simd))
    return write(folder, files, overwrite=overwrite)


def project(
    robot: System, prefix: str, functions: Iterable[Function], scalar: str = "double"
) -> Project:
    """Return what targets need to know to write the functions of a robot into files."""
    return Project(
        prefix,
        robot.name,
        tuple(functions),
        scalar,
        gravity=f"Gravity: ({', '.join(repr(float(x)) for x in robot.model.gravity)}) m/s^2.",
        coordinates=tuple(_coordinates(robot)),
        sizes=f"Joints (q has {robot.nq} entries, v has {robot.nv}):",
        joints=partial(_joint_table, robot),
        samples=lambda function: samples_of(robot, function, scalar),
    )


@renamed_keyword("backend", "target")
def build(
    robot: System, quantity: str, target: str, dtype: DTypeLike = np.float64
) -> Callable[..., tuple[np.ndarray, ...]] | str | bytes:
    """Return the code of a quantity for a target.

    Parameters
    ----------
    robot : Robot, Mechanism or Contacts
    quantity : str
        A name as `robot.quantity` takes it.
    target : str
        A name of `jounce.compiler.targets.TARGETS`, perhaps with a machine: "nvptx:sm_90".
    dtype : dtype
        float64 or float32.

    Returns
    -------
    callable, str or bytes
        A function of arrays with a tuple of results, source text, or the bytes of a module.
    """
    return targets.get_target(target).build(function(robot, quantity), dtype)


def function(robot: System, quantity: str) -> Function:
    """Return the tape of a quantity and the names of its operands, as targets take them."""
    (only,) = _functions(robot, quantity, prefix_of(robot.name, None))
    return only


# ------------------------------------------------------------------ names


def _ascii_name(text: str) -> str:
    """Return letters and digits without accents; all else becomes single underscores."""
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(x for x in plain if not unicodedata.combining(x))
    return re.sub(r"[^A-Za-z0-9]+", "_", plain).strip("_")


def _shorten(name: str, longest: int) -> str:
    """Shorten a name; a hash of the original keeps shortened names distinct."""
    if len(name) <= longest:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:8]
    return f"{name[: longest - 9].rstrip('_')}_{digest}"


def prefix_of(robot_name: str, name: str | None) -> str:
    """Return the name that the user chose, checked, or an identifier made of the robot's name."""
    if name is None:
        prefix = _shorten(_ascii_name(robot_name), _MAX_PREFIX_LENGTH)
        if not prefix or prefix[0].isdigit():
            prefix = f"robot_{prefix}".rstrip("_")
        return f"{prefix}_robot" if prefix.lower() in _RESERVED_NAMES else prefix
    if not isinstance(name, str):
        raise TypeError(f"name must be a string, found {type(name).__name__}")
    if re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) is None or len(name) > _MAX_PREFIX_LENGTH:
        raise ValueError(
            "name must be a C identifier (letters, digits, underscores, a letter first) of at most"
            f" {_MAX_PREFIX_LENGTH} characters, found {name!r}"
        )
    if name.lower() in _RESERVED_NAMES:
        raise ValueError(f"name '{name}' is reserved by C or the operating system; choose another")
    return name


class NamedQuantity(NamedTuple):
    """A quantity to write, with its identifier and its name as the user wrote it."""

    identifier: str
    title: str
    quantity: BoundQuantity


def name_quantities(
    robot: System, quantities: str | Iterable[str], prefix: str = "", longest: int = 1000
) -> list[NamedQuantity]:
    """Return quantities without duplicates, with unique identifiers that begin with a prefix."""
    if not isinstance(quantities, Iterable):
        raise TypeError(
            f"quantities: expected names such as 'mass_matrix', found {type(quantities).__name__}"
        )
    names = [quantities] if isinstance(quantities, str) else list(quantities)
    if not names:
        raise ValueError("quantities is empty; name at least one, such as 'inverse_dynamics'")
    by_id: dict[int, tuple[str, BoundQuantity]] = {}
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"quantities: expected names as strings, found {name!r}")
        quantity = robot.quantity(name)
        by_id.setdefault(id(quantity), (name, quantity))
    taken: set[str] = set()
    out = []
    for name, quantity in by_id.values():
        # file systems may ignore case
        base_name = identifier = _shorten(
            f"{prefix}{_ascii_name(name.replace('frame(', '', 1))}", longest
        )
        count = 2
        while identifier.lower() in taken:
            identifier = f"{_shorten(base_name, longest - 4)}_{count}"
            count += 1
        taken.add(identifier.lower())
        out.append(NamedQuantity(identifier, name, quantity))
    return out


def _functions(
    robot: System, quantities: str | Iterable[str], prefix: str, longest: int = 1000
) -> list[Function]:
    """Return the functions to write, one per quantity."""
    named_quantities = name_quantities(robot, quantities, f"{prefix}_", longest)
    return [function_of(x.identifier, x.title, x.quantity.kernel) for x in named_quantities]


def function_of(name: str, title: str, kernel: Kernel) -> Function:
    """Return a kernel's tape, operands and comments; `title` is the name of the quantity."""
    definition = kernel.quantity
    inputs: list[Variable] = []
    for argument, shape in zip(kernel.arguments, kernel.inputs, strict=True):
        doc = definition.argument(argument).doc.replace(
            "see robot.joints", "see the table of joints"
        )
        doc = doc.replace("; or {frame: (..., 6)}", "")  # only calls from Python take it
        name_of_variable = variable_name(argument, [x.name for x in inputs])
        inputs.append(Variable(name_of_variable, shape, doc))
    outputs: list[Variable] = []
    orders = definition.orders or (None,) * len(kernel.outputs)
    for k, letter, shape in zip(orders, definition.result_names, kernel.outputs, strict=True):
        name_of_variable = variable_name(letter, [x.name for x in (*inputs, *outputs)])
        doc = f"result, unit {definition.unit}"
        if k is not None:
            unit = definition.unit.partition(";")[0]
            unit_suffix = f"/s^{k}" if k > 1 else "/s"
            doc = f"time derivative {k}, unit ({unit}){unit_suffix}" if k else f"value, unit {unit}"
        outputs.append(Variable(name_of_variable, shape, doc))
    tape = kernel.tape
    lines = [definition.doc, f"Quantity '{title.strip()}', {len(tape)} operations."]
    if definition.equation:
        lines.append(f"Equation: {definition.equation}.")
    return Function(name, tape, tuple(inputs), tuple(outputs), tuple(lines))


# ------------------------------------------------------------------ comments


def _joint_table(robot: System, brackets: str, first: int) -> list[str]:
    """Return a line per joint: the indices in q and v, and the meaning of the entries."""
    lines = []
    independent = list(robot.velocities)
    for view in robot.joints.values():
        rates = [independent.index(k) for k in range(view.v.start, view.v.stop) if k in independent]
        q, v = view.joint.row.coordinates
        line = f"  '{view.name}' ({view.kind}):"
        line += f" q{_format_indices(range(view.q.start, view.q.stop), brackets, first)} {q}; "
        if len(rates) == view.joint.nv:
            line += f"v{_format_indices(rates, brackets, first)} {v}"
        else:  # a joint of a mechanism, some of whose velocities are dependent
            some = f"v{_format_indices(rates, brackets, first)} of {v}, " if rates else ""
            line += f"{some}{'the others' if rates else v} determined by the loops"
        rule = view.joint.mimic
        if rule is not None:
            line += f" of '{rule.leader}', which it mimics: {rule.multiplier!r} q"
            line += f" + {rule.offset!r}" if rule.offset else ""
        lines.append(line)
    return lines


def _format_indices(indices: Sequence[int], brackets: str, first: int) -> str:
    """Return indices of a vector as text: [3], [0..2] or [0, 2]."""
    low, high = indices[0] + first, indices[-1] + first
    if list(indices) != list(range(indices[0], indices[-1] + 1)):
        text = ", ".join(str(k + first) for k in indices)
    else:
        text = f"{low}" if low == high else f"{low}{'..' if first == 0 else ':'}{high}"
    return brackets.format(text)


def _coordinates(robot: System) -> list[str]:
    """Return the comment on q and v of a mechanism; empty for other robots."""
    if not robot.model.loops or len(robot.velocities) == robot.sizes["nt"]:
        return []
    return [
        "A mechanism with closed loops: q has all joints and must close the loops, which is not"
        " checked; v, a, tau and their derivatives have the independent joints only:",
        f"  {', '.join(repr(name) for name in robot.labels('v', '{}[{}]'))}.",
    ]


# ------------------------------------------------------------------ states of the self-test


def _sine(x: float, turn: int) -> float:
    """Return sin x (turn 0) or cos x (turn 1), correctly rounded: Taylor series on integers."""
    bits = 128 + 4 * math.ceil(abs(x))
    above, below = x.as_integer_ratio()
    z = (above << bits) // below
    term = (1 << bits) if turn else z
    total, k = 0, 2 - turn
    while term:
        total += term
        term = -((term * z >> bits) * z >> bits) // (k * (k + 1))
        k += 2
    return total / (1 << bits)


#: Replacements of NumPy's functions that differ between processors in the last bit.
_PORTABLE_FUNCTIONS = {
    ops.ATAN2: arctangent,
    ops.SIN: lambda x: type(x)(_sine(float(x), 0)),
    ops.COS: lambda x: type(x)(_sine(float(x), 1)),
}


def _state(robot: System, name: str, size: int, k: int) -> list[float]:
    """Return sample k of an argument: numbers of a few digits, unit quaternions."""
    rng = random.Random(zlib.crc32(f"{name} {k}".encode()))
    values = [round(2.0 * rng.random() - 1.0, 4) for _ in range(size)]
    if name == "q":
        values = [round(x, 9) for x in robot.make_test_configuration(np.array(values)).tolist()]
        for view in robot.joints.values():
            for unit in view.joint.row.unit_vectors:
                indices = range(view.q.start + unit.start, view.q.start + unit.stop)
                length = math.sqrt(sum(values[i] * values[i] for i in indices))
                for i in indices:
                    values[i] /= length
    return values


def samples_of(robot: System, function: Function, scalar: str) -> Samples:
    """Return states, results and tolerances of a self-test.

    Rounding errors are measured by running the tape in single precision too.
    """
    inputs: dict[str, list[list[float]]] = {x.name: [] for x in function.inputs}
    outputs: dict[str, list[list[float]]] = {x.name: [] for x in function.outputs}
    tolerances: dict[str, list[float]] = {x.name: [] for x in function.outputs}
    relative, scale = (1e-5, 1.0) if scalar == "float" else (1e-12, 2.0**-29)
    number = np.float32 if scalar == "float" else np.float64
    for k in range(_SELF_TEST_STATES):
        states = [np.array(_state(robot, x.name, x.size, k), number) for x in function.inputs]
        for x, state in zip(function.inputs, states, strict=True):
            inputs[x.name].append(state.tolist())
        exact, rough = (_evaluate(function, states, kind) for kind in (np.float64, np.float32))
        start = 0
        for x in function.outputs:
            part, noise = (
                exact[start : start + x.size],
                np.abs(exact - rough)[start : start + x.size].max(),
            )
            start += x.size
            outputs[x.name].append(part.tolist())
            size = np.abs(part).max()
            tolerances[x.name].append(float(max(relative * size, 64.0 * scale * noise, 1e-300)))
    return Samples(inputs, outputs, tolerances)


def _evaluate(
    function: Function, states: Iterable[np.ndarray], kind: type[np.floating]
) -> np.ndarray:
    """Evaluate a function in the arithmetic of a dtype, bit-identical on all machines."""
    values = [x for state in states for x in state.astype(kind)]
    with np.errstate(all="ignore"):
        outputs = interpreter.run(function.tape, values, _PORTABLE_FUNCTIONS)
        results = np.array(outputs, kind).astype(np.float64)  # a result may be a constant
    if not np.isfinite(results).all():
        raise ValueError(
            f"{function.name} is NaN or infinite at a random state; check for bodies without mass"
            " at the ends of the tree, which make the mass matrix singular"
        )
    return results


# ------------------------------------------------------------------ files


def write(
    folder: str | os.PathLike[str], files: Mapping[str, str | bytes], *, overwrite: bool = False
) -> list[Path]:
    """Write all files into a folder, created if needed, or none if an error occurs."""
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise NotADirectoryError(f"cannot export to '{place}': it is a file") from error
    except OSError as error:
        text = f"cannot create the folder '{place}': {error.strerror}"
        raise OSError(error.errno, text) from error
    contents = {
        place / name: text.encode("ascii") if isinstance(text, str) else text
        for name, text in files.items()
    }
    write_files(contents, overwrite=overwrite)
    return list(contents)
