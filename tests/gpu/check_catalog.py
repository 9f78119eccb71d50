"""Every quantity and derivative of the catalog, on small robots of every sort, on CuPy arrays."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import jounce
from jounce.arrays.bound_quantity import BoundQuantity
from jounce.catalog.derivative import derivative_names
from jounce.catalog.names import PRODUCTS
from jounce.catalog.quantity import GEOMETRY, AnyQuantity
from support.helpers import offered
from tests.gpu import fleet
from tests.gpu.fleet import Task
from tests.gpu.support import close, given, host, whole

#: Small robots with all features, and smaller ones for quantities that compile slowly.
TINY, BALL, SHORT = "tiny", "ball", "short"

#: Variable of a derivative by its name; all others are in the state.
IN_TIME = ("dt", "dtt", "rates(2)")
IN_DESIGN = ("dpi", *GEOMETRY, "design")


def _tables(name: str) -> Iterator[tuple[str, Any]]:
    """Return owners of quantities, a robot and one of its frames, with prefixes of names."""
    owner = fleet.owner(name)
    yield "", owner
    if owner.frame_definitions:
        names = [frame.name for frame in owner.model.frames]
        frame = "tool" if "tool" in names else names[-1]
        yield f"frame({frame}).", owner.frame(frame)


def _rows(name: str) -> Iterator[tuple[str, AnyQuantity]]:
    """Return the quantities of an owner and of one of its frames, by full name."""
    owner = fleet.owner(name)
    for prefix, table in _tables(name):
        for own, row in table.definitions.items():
            # except one with another call syntax, which has a separate check
            plain = type(getattr(table, own))._wrap_call is BoundQuantity._wrap_call
            if plain and _offered(owner, table, row):
                yield prefix + own, row


def _offered(owner: Any, table: Any, row: AnyQuantity) -> bool:
    """Return whether the frame has the degrees of freedom that the quantity needs."""
    return not row.of_frame or offered(whole(owner), row, table.name)


def _values(*names: str) -> Iterator[Task]:
    """Compare the quantities of owners."""
    for name in names:
        yield from ((name, quantity) for quantity, _ in _rows(name))


def _derivatives(name: str, wanted: Callable[[str], bool]) -> Iterator[Task]:
    """Compare the derivatives of all quantities of an owner whose names are wanted."""
    for quantity, row in _rows(name):
        if row.differentiable:
            every = (*derivative_names(row), "rates(2)")
            yield from ((name, f"{quantity}.{step}") for step in every if wanted(step))


def check_quantities() -> None:
    """All quantities of a robot and a frame."""
    fleet.all_compared(_values(TINY))


def check_derivatives_in_time() -> None:
    """Time derivatives, single and together."""
    fleet.all_compared(_derivatives(BALL, lambda step: step in IN_TIME))


def check_derivatives_in_the_state() -> None:
    """First derivatives, named second derivatives, and all from one kernel."""
    others = (*IN_TIME, *IN_DESIGN, *PRODUCTS)
    fleet.all_compared(_derivatives(TINY, lambda step: step not in others))


def check_derivatives_in_the_design() -> None:
    """Derivatives in inertial parameters, screws and placements."""
    fleet.all_compared(_derivatives(SHORT, lambda step: step in IN_DESIGN))


def check_pushforwards_and_pullbacks() -> None:
    """Products with vectors, on tangents and in coordinates."""
    fleet.all_compared(_derivatives(BALL, lambda step: step in PRODUCTS))


def check_derivatives_of_derivatives() -> None:
    """Derivatives that are computed by passes over the graph."""
    names = ("inverse_dynamics.dq.dt", "mass_matrix.dq.dpi", "forward_dynamics.dv.vjp")
    more = ("inverse_dynamics.derivatives.dt", "frame(tool).jacobian.dq.dq", "step.dq.dtau")
    fleet.all_compared((TINY, name) for name in (*names, *more))


def check_parametric_and_morphable() -> None:
    """A different robot for every sample."""
    owner = fleet.owner(TINY)
    frame = owner.frame("tool")
    tasks = [f"parametric.{name}" for name in owner.parametric.definitions]
    tasks += [f"morphable.{name}" for name in owner.morphable.definitions]
    tasks += [
        f"morphable.frame(tool).{name}"
        for name, row in owner.morphable.frame_definitions.items()
        if _offered(owner, frame, row)
    ]
    tasks += [f"parametric.inverse_dynamics.{step}" for step in ("dq", "vjp", "dpi")]
    fleet.all_compared((TINY, name) for name in tasks)


def check_steps() -> None:
    """Every integrator, with its Jacobians."""
    row = fleet.owner(BALL).step.definition
    choices = [f"{option.name}={value}" for option in row.options for value in option.values]
    names = [f"step({choice})" for choice in choices]
    fleet.all_compared((BALL, f"{name}{step}") for name in names for step in ("", ".derivatives"))


def check_floating_bases() -> None:
    """Floating bases, whose frames can move in all directions."""
    fleet.all_compared(_values("planar, floating"))


def check_mimics_and_every_kind_of_joint() -> None:
    """Followers, free and spherical joints, branches, helices."""
    names = ("inverse_dynamics", "forward_dynamics", "mass_matrix", "integrate", "difference")
    more = ("inverse_dynamics.vjp", "body_poses", "frame(tool).jacobian", "momentum.dq")
    robots = ("mimic", "small", "every kind")
    fleet.all_compared((robot, name) for robot in robots for name in (*names, *more))


def check_a_humanoid() -> None:
    """Kernels with more live values than registers."""
    names = ("inverse_dynamics", "forward_dynamics", "mass_matrix", "inverse_dynamics.vjp")
    fleet.all_compared(("toro25", name) for name in names)


def check_mechanisms() -> None:
    """Mechanisms with closed loops: all quantities, and some derivatives."""
    steps = ("dq", "dt", "vjp")
    some = ("inverse_dynamics", "forward_dynamics", "step")
    derived = [("four_bar, closed", f"{name}.{step}") for name in some for step in steps]
    fleet.all_compared((*_values("four_bar, closed"), *derived, ("leg, closed", "mass_matrix")))


def check_contacts() -> None:
    """A robot with a point contact: all quantities."""
    fleet.all_compared(_values("standing"))


# ------------------------------------------------------------------ calls of other forms


def check_options() -> None:
    """Optional arguments by position and name, a moving base, wrenches by frame."""
    robot = fleet.owner(TINY)
    q, v, a = arrays = given(robot.inverse_dynamics, 70)
    rng = np.random.default_rng(1)
    w, push = rng.normal(size=(70, robot.nb, 6)), rng.normal(size=(70, 6))
    base = rng.normal(size=(2, 70, 6))
    dev = fleet.on_card
    for options in (
        {"wrenches": w},
        {"wrenches": {"tool": push}},
        {"base_twist": base[0], "base_acceleration": base[1]},
    ):
        moved: dict[str, Any] = {
            name: {key: dev(y) for key, y in x.items()} if isinstance(x, dict) else dev(x)
            for name, x in options.items()
        }
        anything: Any = options
        truth = robot.inverse_dynamics(q, v, a, **anything)
        found = robot.inverse_dynamics(*map(dev, arrays), **moved)
        close(found, truth, what=f"with {', '.join(options)}")
    heavier, down = robot.parametric.inverse_dynamics, np.array((1.0, 2.0, -3.0))
    arrays = given(heavier, 70)
    truth = heavier(*arrays, gravity=down)
    close(heavier(*map(dev, arrays), gravity=dev(down)), truth, what="with gravity")
    arrays, weights = [q, v, a], rng.normal(size=(70, robot.nv))
    for coordinates in (False, True):
        options = {"coordinates": coordinates}
        truth = robot.inverse_dynamics.vjp(*arrays, weights, **options)
        close(robot.inverse_dynamics.vjp(*map(dev, (*arrays, weights)), **options), truth)


def check_arrays_that_begin_anywhere() -> None:
    """Slices from the middle of an array, which are not aligned to pages."""
    robot = jounce.load("iiwa14_mueller_kumar2021")
    for name in ("inverse_dynamics", "mass_matrix", "inverse_dynamics.derivatives"):
        quantity = robot.quantity(name)
        for scalar in ("double", "float"):
            arrays = given(quantity, 200, scalar=scalar)
            moved = [fleet.on_card(x) for x in arrays]
            for first in (1, 2, 3):
                truth = quantity(*(x[first : first + 130] for x in arrays))
                found = quantity(*(x[first : first + 130] for x in moved))
                close(found, truth, scalar, f"{name} from sample {first} in {scalar}")


def check_elastic_drives() -> None:
    """Elastic drives, which have a separate call syntax."""
    robot = jounce.load("iiwa14_mueller_kumar2021")
    arrays = given(robot.inverse_dynamics.rates(2), 65)
    K = np.linspace(1e3, 1e4, 7)
    truth = robot.elastic_inverse_dynamics(*arrays, K, motor_inertia=0.5)
    dev = fleet.on_card
    found = robot.elastic_inverse_dynamics(*map(dev, arrays), dev(K), motor_inertia=0.5)
    close(tuple(found), tuple(truth), what="elastic drives", tolerance=1e-11)


# ------------------------------------------------------------------ NaN, infinity and huge numbers


def _angles(dtype: type) -> np.ndarray:
    """Return angles of all magnitudes, near quarter turns, and of both signs."""
    rng = np.random.default_rng(3)
    largest = math.log2(float(np.finfo(dtype).max)) - 1e-3
    turns = np.concatenate((np.arange(1.0, 300.0), np.exp2(rng.uniform(0, 60, 500)) // 1))
    parts = (
        rng.uniform(-10.0, 10.0, 3000),
        rng.uniform(-1e6, 1e6, 3000),
        2.0**19 + rng.uniform(-8.0, 8.0, 500),
        turns * (math.pi / 2.0),
        np.exp2(rng.uniform(15.0, largest, 3000)),
        np.array((0.0, 1e6, 1e15, 1e22, 2.0**20, float(np.finfo(dtype).tiny))),
        10.0 ** rng.uniform(-30.0, 0.0, 500),
    )
    every = np.concatenate(parts).astype(dtype)
    return np.concatenate((every, -every))


def check_sines() -> None:
    """Sines and cosines of any angle, to a few ulp."""
    builder = jounce.TreeBuilder("wheel")
    builder.add("wheel", "revolute", axis=(0, 0, 1), mass=1.0, inertia_com=np.eye(3))
    wheel = jounce.Robot(builder.build())
    for dtype in (np.float64, np.float32):
        angles = _angles(dtype)
        T = host(wheel.body_poses(fleet.on_card(angles[:, None])))[:, 0]
        for what, found, f in (("sine", T[:, 1, 0], math.sin), ("cosine", T[:, 0, 0], math.cos)):
            exact = np.array([f(float(x)) for x in angles])
            unit = np.spacing(np.abs(exact).astype(dtype)).astype(float)
            error = np.abs(found.astype(float) - exact) / unit
            worst = int(np.argmax(error))
            message = f"{what} of {angles[worst]!r}: {error[worst]:.1f} units off"
            assert error[worst] <= 4.0, message


def check_huge_angles_in_dynamics() -> None:
    """Angles of a million turns and more do not lose digits."""
    robot = jounce.load("iiwa14_mueller_kumar2021")
    q, v, a = given(robot.inverse_dynamics, 96)
    for scale in (1e6, 1e15, 1e22):
        arrays = (q * scale, v, a)
        truth = robot.inverse_dynamics(*arrays)
        close(robot.inverse_dynamics(*map(fleet.on_card, arrays)), truth, what=f"q of {scale:g}")


def check_numbers_that_are_none() -> None:
    """NaN and infinity affect only their samples, as on the CPU."""
    robot = jounce.load("franka")
    for name in ("inverse_dynamics", "forward_dynamics", "mass_matrix", "inverse_dynamics.dq"):
        quantity = robot.quantity(name)
        for scalar in ("double", "float"):
            for bad in (math.nan, math.inf, -math.inf):
                arrays = given(quantity, 130, scalar=scalar)
                for k in (0, 63, 64, 129):
                    arrays[k % len(arrays)][k, 3] = bad
                with np.errstate(all="ignore"):
                    truth = quantity(*arrays)
                found = host(quantity(*map(fleet.on_card, arrays)))
                what = f"{name} with {bad} in {scalar}"
                assert np.array_equal(np.isfinite(found), np.isfinite(truth)), what
                good = np.isfinite(truth).reshape(len(truth), -1).all(axis=1)
                assert 0 < good.sum() < len(good), what
                close(found[good], truth[good], scalar, what, 1e-4 * (scalar == "float"))
