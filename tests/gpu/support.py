"""Shared helpers of the checks: robots without downloads, states, comparisons with the CPU."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

import jounce
from jounce.arrays.bound_quantity import BoundQuantity
from jounce.catalog.charts import CONFIGURATION
from jounce.catalog.quantity import AnyQuantity
from jounce.errors import ModelWarning
from jounce.solve.contacts.robot import Contacts
from jounce.solve.mechanism.all_joints import AllJoints
from jounce.solve.mechanism.robot import Mechanism
from support import mechanisms as closed
from support import zoo
from support.helpers import interpreted

#: Largest difference, relative to the largest entry that is expected.
TOLERANCES = {"double": 1e-12, "float": 1e-5}

#: Error of float32 on the CPU, and factor for a GPU, which fuses other operations.
NARROWER, SLACK = float(np.finfo(np.float64).eps / np.finfo(np.float32).eps), 16.0

#: Both precisions by all of their names.
SCALARS = {
    **dict.fromkeys(("double", "d", "float64"), "double"),
    **dict.fromkeys(("float", "f", "float32"), "float"),
}

DTYPES = {"double": np.dtype(np.float64), "float": np.dtype(np.float32)}

#: Robots of tests/support, in addition to those of the gallery.
ZOO = ("every kind", "floating", "mimic", "floating, mimic", "small")


@cache
def robots() -> dict[str, jounce.Robot]:
    """Return robots by name, all of them trees; tests/support/zoo.py describes them.

    "every kind", "floating", "mimic", "floating, mimic", "small": random ones with frames "tool"
    and "world", friction and armature. From the gallery: "planar_2r", "franka", ...,
    "toro25" (on a floating base), and "four_bar" and "five_bar", whose loops `mechanisms` closes.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        return {name: jounce.Robot(zoo.MODELS[name]()) for name in (*ZOO, *zoo.GALLERY)}


@cache
def mechanisms() -> dict[str, Mechanism]:
    """Return robots with closed loops: "four_bar", "five_bar", and "leg" on a floating base."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        return {name: closed.mechanism(name) for name in ("four_bar", "five_bar", "leg")}


def given(
    quantity: Any, batch: int | tuple[int, ...] = 5, *, seed: int = 0, scalar: str = "double"
) -> list[np.ndarray]:
    """Return valid arguments of a quantity or derivative, as NumPy arrays (*batch, *core).

    quantity: of a robot, a mechanism, a robot in contact, one of their frames or tables. scalar:
    the precision, by any of its names. Loops are closed, parameters near those of the robot.
    """
    shape = (batch,) if isinstance(batch, int) else batch
    rng = np.random.default_rng(seed)
    kernel, owner = quantity.kernel, quantity.robot
    arrays = [
        _argument(kernel.quantity, name, core, owner, shape, rng)
        for name, core in zip(kernel.arguments, kernel.inputs, strict=True)
    ]
    return [np.asarray(x, DTYPES[SCALARS[scalar]]) for x in arrays]


def _argument(
    row: AnyQuantity,
    name: str,
    core: tuple[int, ...],
    owner: Any,
    batch: tuple[int, ...],
    rng: np.random.Generator,
) -> np.ndarray:
    if row.argument(name).chart is CONFIGURATION:
        count = math.prod(batch)
        return configurations(owner, rng, count).reshape(*batch, *core)
    if name == "h":
        return rng.uniform(1e-3, 1e-2, batch)
    if name == "pi":
        return owner.model.parameters * rng.uniform(0.9, 1.1, (*batch, core[0], 1))
    if name in ("placements", "screws"):
        own = dict(zip(("pi", "placements", "screws"), whole(owner).morphable.now, strict=True))
        return np.broadcast_to(own[name], (*batch, *core))
    return rng.uniform(0.0, 1.0, batch) if core == () else rng.normal(size=(*batch, *core))


def whole(owner: Any) -> Any:
    """Return the robot, mechanism or robot in contact that a quantity belongs to."""
    while not isinstance(owner, jounce.Robot | Mechanism):
        inner = "_mechanism" if isinstance(owner, AllJoints) else "robot"
        owner = owner.robot if isinstance(owner, Contacts) else getattr(owner, inner)
    return owner


def configurations(owner: Any, rng: np.random.Generator, count: int) -> np.ndarray:
    """Return random ones (count, nq); those of mechanisms near the reference, with closed loops."""
    robot = whole(owner)
    if not isinstance(robot, Mechanism):
        return robot.random(rng, count)
    steps = 0.05 * rng.normal(size=(count, robot.robot.nv))
    return robot.assemble(robot.robot.integrate(robot.reference, steps), (), strict=True).q


def host(x: Any) -> np.ndarray:
    """Return an array of any of the libraries as a NumPy array."""
    if hasattr(x, "detach"):  # PyTorch's
        x = x.detach().cpu()
    elif hasattr(x, "copy_to_host"):  # Numba's
        x = x.copy_to_host()
    elif type(x).__module__.partition(".")[0] == "cupy":
        x = x.get()
    return np.asarray(x)


def listed(results: Any) -> list[Any]:
    """Return one or several results as a list."""
    return list(results) if isinstance(results, tuple) else [results]


def expected(quantity: BoundQuantity, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return the results of the tape by NumPy arithmetic, in the precision of the arguments."""
    with np.errstate(all="ignore"):
        results = listed(interpreted(quantity.kernel, *arrays))
    return [x.astype(arrays[0].dtype) for x in results]  # constants may be Python numbers


def truth_of(
    quantity: BoundQuantity, narrow: Sequence[np.ndarray]
) -> tuple[list[np.ndarray], dict[str, float]]:
    """Return results in float64 for arguments in float32, and the tolerances for a GPU.

    The conditioning of a sum is estimated from the error of float32 on the CPU: a quantity that
    solves with an ill-conditioned matrix may lose as much on the GPU, and float64 the same number
    of digits. Tolerances are relative to the largest entry, by "float" and "double".
    """
    truth = expected(quantity, [x.astype(np.float64) for x in narrow])
    rounded = expected(quantity, narrow)
    lost = max((difference(x, y) for x, y in zip(rounded, truth, strict=True)), default=0.0)
    assert lost < 1e-2, f"{quantity.title}: float32 loses {lost:.1g} of the processor's results"
    return truth, {
        "float": max(TOLERANCES["float"], SLACK * lost),
        "double": max(TOLERANCES["double"], SLACK * NARROWER * lost),
    }


def close(
    found: Any, expected: Any, scalar: str = "double", what: str = "", tolerance: float = 0.0
) -> None:
    """Assert that two arrays, or tuples of arrays, are equal up to a tolerance.

    found: from any library, on any device. scalar: "double" or "float", or another name of either:
    to 1e-12 or 1e-5 of the largest expected entry, or to `tolerance` if that is larger. Entries
    that are not finite on either side fail.
    """
    if isinstance(expected, tuple | list):
        assert isinstance(found, tuple | list), f"{what}: one result, not {len(expected)}"
        assert len(found) == len(expected), f"{what}: {len(found)} results, not {len(expected)}"
        for k, (one, other) in enumerate(zip(found, expected, strict=True)):
            close(one, other, scalar, f"{what}[{k}]", tolerance)
        return
    ours, truth = host(found), host(expected)
    assert ours.shape == truth.shape, f"{what}: shape {ours.shape}, not {truth.shape}"
    error = difference(ours, truth)
    allowed = max(TOLERANCES[SCALARS[scalar]], tolerance)
    assert error <= allowed, f"{what}: relative error {error:.1e} above {allowed:.1e}"


#: Lower bound of the scale: the gap of a closed loop is round-off only.
FLOOR = 1e-3


def difference(ours: np.ndarray, truth: np.ndarray, scale: float | None = None) -> float:
    """Return the largest difference relative to `scale`, by default the largest entry of `truth`.

    NaN if an entry of either is not finite.
    """
    if not truth.size:
        return 0.0
    if not (np.isfinite(ours).all() and np.isfinite(truth).all()):
        return float("nan")
    wide = truth.astype(np.float64)
    gap = float(np.abs(ours.astype(np.float64) - wide).max())
    return gap / max(float(np.abs(wide).max()) if scale is None else scale, FLOOR)


def raises(kind: type[BaseException], words: Sequence[str], call: Any) -> str:
    """Return the message of the error that a call raises; assert that it contains all words."""
    try:
        call()
    except kind as error:
        text = str(error)
        missing = [word for word in words if word not in text]
        assert not missing, f"{text!r} says nothing of {missing}"
        return text
    raise AssertionError(f"no {kind.__name__}")
