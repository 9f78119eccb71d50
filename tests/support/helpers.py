"""What several test files share: comparisons, states in batches, tapes without a compiler."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from jounce.arrays.differentiable import DifferentiableQuantity
from jounce.catalog.arguments import Argument
from jounce.catalog.charts import CONFIGURATION
from jounce.catalog.quantities import QUANTITIES
from jounce.catalog.quantity import AnyQuantity
from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets import interpreter, llvm
from jounce.errors import ModelWarning
from jounce.io import read
from jounce.math.scalar import zeros
from jounce.model.model import Body, Frame, Mimic, Model
from jounce.model.tree import Tree
from jounce.robot import Robot
from jounce.runtime import gufunc
from jounce.runtime.compiled import CompiledKernel
from jounce.runtime.kernel import Kernel
from jounce.runtime.trace import core_shape
from support.robots import random_model, random_pose


def objects(x: Any) -> np.ndarray:
    """Object array of Python numbers."""
    out = zeros(*np.shape(x))
    out[...] = np.asarray(x).tolist()
    return out


def numbers(x: Any) -> np.ndarray:
    """Array of floats."""
    return np.asarray(x).astype(float)


#: Of complex steps: so small that its square vanishes beside anything.
STEP = 1e-30


def slope(x: Any) -> np.ndarray:
    """The derivative that a complex step leaves in a result."""
    return np.asarray(x).astype(complex).imag / STEP


def assert_close(
    actual: Any, expected: Any, tolerance: float = 1e-12, what: str = "", floor: float = 1e-9
) -> None:
    """Equal to `tolerance`, relative to the largest expected entry (or to `floor`, if larger)."""
    actual, expected = (np.asarray(x).astype(complex) for x in (actual, expected))
    assert actual.shape == expected.shape, f"{what}: shape {actual.shape}, not {expected.shape}"
    scale = max(np.abs(expected).max(initial=0.0), floor)
    error = np.abs(actual - expected).max(initial=0.0) / scale
    assert error <= tolerance, f"{what}: relative error {error:.1e} above {tolerance:.1e}"


def close(actual: Any, expected: Any, what: str = "", tolerance: float = 1e-12) -> None:
    """Equal to `tolerance`, relative to the largest expected entry or to 1, if that is larger."""
    assert_close(actual, expected, tolerance, what, floor=1.0)


def quiet_read(name: Any, base: str = "fixed") -> Model:
    """A model from a file or the gallery, without warnings about its inertias."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        return read(name, base=base)


# ------------------------------------------------------------------ robots


def with_two_roots(model: Model) -> Model:
    """The same joints, the middle one on the world: two trees side by side."""
    middle = model.nb // 2
    joints = [
        replace(j, parent=-1 if i == middle else j.parent) for i, j in enumerate(model.joints)
    ]
    return replace(model, joints=tuple(joints))


def with_frames(model: Model, rng: np.random.Generator) -> Model:
    """The same model with a frame beside its last body's and one in the world."""
    extra = (Frame("tool", model.nb - 1, random_pose(rng)), Frame("world", -1, random_pose(rng)))
    return replace(model, frames=(*model.frames, *extra))


def with_friction(model: Model, rng: np.random.Generator) -> Model:
    """The same model with viscous and Coulomb friction in its joints."""
    joints = [
        replace(j, damping=rng.uniform(0.1, 1.0, j.nv), friction=rng.uniform(0.1, 1.0, j.nv))
        for j in model.joints
    ]
    return replace(model, joints=tuple(joints))


def random_robot(seed: int, *columns: Any, **options: Any) -> Model:
    """A random model with frames and friction; columns, options: as of `random_model`."""
    rng = np.random.default_rng(seed)
    return with_friction(with_frames(random_model(rng, *columns, **options), rng), rng)


def small_model() -> Model:
    """Revolute, prismatic, spherical and free joints, a follower, armature, friction, a tool."""
    rng = np.random.default_rng(42)
    kinds = ("revolute", "prismatic", "spherical", "free")
    model = with_frames(random_model(rng, 5, kinds), rng)
    follower = next(i for i, j in reversed(list(enumerate(model.joints))) if j.nv == 1)
    leader = next(j for j in model.joints if j.nv == 1)
    joints = list(model.joints)
    joints[follower] = replace(joints[follower], mimic=Mimic(leader.name, -0.75, 0.25))
    return with_friction(replace(model, joints=tuple(joints)), rng)


def chain(kinds: tuple[str, ...], seed: int = 0) -> Model:
    """A serial robot of the given joint kinds, with armature and friction."""
    rng = np.random.default_rng(seed)
    bodies, joints = [], []
    for i, kind in enumerate(kinds):
        one = random_model(rng, 1, (kind,))
        joints.append(replace(one.joints[0], name=f"joint{i}", parent=i - 1))
        bodies.append(Body(f"body{i}", one.bodies[0].inertia))
    return with_friction(Model("chain", tuple(bodies), tuple(joints)), rng)


# ------------------------------------------------------------------ states


def random_argument(
    name: str,
    robot: Robot,
    rng: np.random.Generator,
    batch: tuple[int, ...] = (),
    own: Argument | None = None,
) -> np.ndarray:
    """A valid value of the catalog's argument `name`, or of one of a row's own.

    Numbers are durations and shares, between 0 and 1.
    """
    if name == "q" or (own is not None and own.chart is CONFIGURATION):
        flat = robot.random(rng, int(np.prod(batch, dtype=int)))
        return flat.reshape(*batch, robot.nq)
    core = (robot.nb, 6) if name.endswith(("w", "wrenches")) else (robot.nv,)  # or their rates
    if own is not None:
        core = core_shape(own.shape, robot.sizes)
        if not core:
            return rng.uniform(size=batch)
    return rng.normal(size=(*batch, *core))


def own_argument(name: str, row: AnyQuantity, robot: Robot, seed: int) -> np.ndarray:
    """One sample of an argument of a row, by its name and the seed alone."""
    rng = np.random.default_rng([seed, *name.encode()])
    return random_argument(name, robot, rng, own=row.argument(name))


def random_arguments(
    kernel: Kernel, robot: Robot, rng: np.random.Generator, batch: tuple[int, ...] = ()
) -> list[np.ndarray]:
    """Valid values of all arguments of a kernel."""
    own = kernel.quantity.argument_definitions
    return [random_argument(name, robot, rng, batch, own.get(name)) for name in kernel.arguments]


# ------------------------------------------------------------------ the catalog on a robot

#: Quantities of frames that can move in six directions; the catalog refuses them for others.
OF_FREE_FRAMES = frozenset(
    (
        "null_space_projector",
        "task_bias",
        "task_coriolis_matrix",
        "task_inertia",
        "task_jacobian_inverse",
    )
)


def parts_of(row: AnyQuantity, result: Any) -> tuple[Any, ...]:
    """What a row's formula gives, as a tuple of all its results."""
    return tuple(result) if len(row.results) > 1 else (result,)


def joined(results: Any, batch: int = 0, axes: int = 0) -> np.ndarray:
    """One array of what a row gives: several results are laid flat behind `batch` axes.

    axes: so many at their end stay, as those of derivatives, which come last.
    """
    parts = [np.asarray(x) for x in (results if isinstance(results, tuple) else (results,))]
    if len(parts) == 1:
        return parts[0]
    ends = [x.ndim - axes for x in parts]
    flat = [
        x.reshape(*x.shape[:batch], math.prod(x.shape[batch:end]), *x.shape[end:])
        for x, end in zip(parts, ends, strict=True)
    ]
    return np.concatenate(flat, axis=batch)


def in_tangent(chart: Any, tree: Tree, result: Any, change: Any) -> np.ndarray:
    """The rate of a result in its chart: of a pose its twist, of a configuration velocities."""
    value, change = numbers(result), numbers(change)
    if chart is CONFIGURATION:
        return numbers(chart.to_tangent(tree, objects(value), objects(change)))
    return change if chart is None else as_twist(value, change)


def in_tangents(row: AnyQuantity, tree: Tree, results: Any, rates: Any) -> np.ndarray:
    """Rates of the entries of what a row gives, as twists of poses and velocities; joined."""
    each = zip(row.charts, results, rates, strict=True)
    return joined(tuple(in_tangent(chart, tree, result, change) for chart, result, change in each))


def slopes(row: AnyQuantity, tree: Tree, results: Any) -> np.ndarray:
    """The derivatives that a complex step leaves in what a row gives: `in_tangents`."""
    parts = [np.asarray(x).astype(complex) for x in parts_of(row, results)]
    return in_tangents(row, tree, [x.real for x in parts], [slope(x) for x in parts])


def offered(robot: Robot, row: AnyQuantity, frame: str | None = None) -> bool:
    """Whether a row, or a derivative of it, is there for a frame: see `OF_FREE_FRAMES`."""
    if not row.of_frame or row.name.partition(".")[0] not in OF_FREE_FRAMES:
        return True
    name = robot.model.frame_names[-1] if frame is None else frame
    return _directions(robot, name) == 6


@cache
def _directions(robot: Robot, frame: str) -> int:
    """In how many directions a frame can move."""
    q = robot.random(np.random.default_rng(0))
    J = interpreted(robot.frame(frame).jacobian.kernel, q)
    return int(np.linalg.matrix_rank(J))


def quantity(robot: Robot, row: AnyQuantity, frame: str | None = None) -> DifferentiableQuantity:
    """The quantity of a row; those of frames need the name of one."""
    if not row.of_frame:
        return getattr(robot, row.name)
    return getattr(robot.frame(robot.model.frame_names[-1] if frame is None else frame), row.name)


def kernel_of(robot: Robot, row: AnyQuantity, frame: str | None = None) -> Kernel:
    """The kernel of a row on a robot, without its optional arguments."""
    index = None if frame is None else robot.model.frame_index(frame)
    return Kernel(row, robot.tree, robot.sizes, index)


def kernels(robot: Robot) -> Iterator[Kernel]:
    """The kernel of every row that is offered, and again where it has optional arguments."""
    frame = len(robot.model.frame_names) - 2
    for row in QUANTITIES:
        if not offered(robot, row, robot.model.frame_names[frame]):
            continue
        for optional in (False, True) if row.optional else (False,):
            yield Kernel(row, robot.tree, robot.sizes, frame if row.of_frame else None, optional)


def named_kernels(robot: Robot) -> dict[str, Kernel]:
    """All kernels of a robot by the quantity's name, with a + for each optional argument."""
    return {
        kernel.quantity.name
        + "+" * (len(kernel.arguments) - len(kernel.quantity.arguments)): kernel
        for kernel in kernels(robot)
    }


def formula_result(
    kernel: Kernel, tree: Tree, *arguments: np.ndarray, lump: bool = False
) -> np.ndarray:
    """The kernel's formula on one sample of any scalar, as an object array; several `joined`."""
    extra = () if kernel._frame is None else (kernel._frame,)
    tree = tree.lumped if lump and kernel.quantity.joint_space else tree
    result = kernel.quantity.formula(tree, *arguments, *extra)
    return joined(parts_of(kernel.quantity, result)).astype(object)


def interpreted(kernel: Kernel, *arguments: np.ndarray) -> Any:
    """A kernel's tape on batches of floats, by the interpreter: no compiler involved.

    A tuple if there are several results, as the compiled one gives.
    """
    batches = [
        np.shape(a)[: np.ndim(a) - len(core)]
        for a, core in zip(arguments, kernel.inputs, strict=True)
    ]
    batch = np.broadcast_shapes(*batches)
    columns: list[np.ndarray] = []
    for a, core in zip(arguments, kernel.inputs, strict=True):
        full = np.broadcast_to(a, batch + core).reshape(*batch, math.prod(core))
        columns += list(np.moveaxis(full, -1, 0))
    results = interpreter.run(kernel.tape, columns)
    stacked = np.stack([np.broadcast_to(x, batch) for x in results], axis=-1)
    ends = np.cumsum([math.prod(core) for core in kernel.outputs])
    parts = np.split(stacked, ends[:-1], axis=-1)
    shaped = [x.reshape((*batch, *core)) for x, core in zip(parts, kernel.outputs, strict=True)]
    return shaped[0] if len(shaped) == 1 else tuple(shaped)


def default_processor() -> llvm.processors.Processor:
    """The processor that kernels are compiled for, as JOUNCE_TARGET says."""
    return llvm.processor(os.environ.get("JOUNCE_TARGET") or "native")


def compiled_tape(
    tape: Tape,
    inputs: tuple[tuple[int, ...], ...],
    outputs: tuple[tuple[int, ...], ...],
    chars: str = "d",
    name: str | None = None,
    **changes: Any,
) -> np.ufunc:
    """A gufunc of a tape, past all caches, for a processor; changes: what else differs."""
    base = default_processor() if name is None else llvm.processor(name)
    processor = replace(base, **changes)
    kernels = []
    for char in sorted(chars, reverse=True):
        scalar = {"d": "double", "f": "float"}[char]
        texts = llvm.module_texts(tape, inputs, outputs, scalar, processor)
        kernels.append(compiled_texts(texts, tape, inputs, outputs, char))
    return gufunc.make_gufunc(*kernels)


def compiled_texts(
    texts: Sequence[str],
    tape: Tape,
    inputs: Sequence[tuple[int, ...]],
    outputs: Sequence[tuple[int, ...]],
    char: str = "d",
) -> CompiledKernel:
    """A kernel of LLVM modules, past all caches."""
    code = llvm.inner_loop(llvm.Loaded(*map(llvm.compile_object, texts)))
    return CompiledKernel("tape", "", char, inputs, outputs, len(tape), code)


def as_twist(T: np.ndarray, dT: np.ndarray) -> np.ndarray:
    """Body-fixed twists of a pose (4, 4) that changes by dT (4, 4, ...), or of several poses."""
    if T.ndim > 2:
        return np.stack([as_twist(*each) for each in zip(T, dT, strict=True)])
    Z = np.tensordot(np.linalg.inv(T), dT, axes=1)
    return np.stack([Z[2, 1], Z[0, 2], Z[1, 0], Z[0, 3], Z[1, 3], Z[2, 3]])
