"""Time derivatives of every quantity, against series that expand sines and quaternions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from jounce.catalog.arguments import rate_name
from jounce.catalog.autodiff.recording import as_list
from jounce.catalog.charts import CONFIGURATION
from jounce.catalog.derivative import derivative
from jounce.catalog.quantities import QUANTITIES
from jounce.catalog.quantity import AnyQuantity
from jounce.catalog.tables import FRAME, ROBOT
from jounce.formulas.motions import configuration_jets, time_derivatives
from jounce.math.jets import from_rates, rates_of
from jounce.model.model import Frame
from support.case import Case
from support.helpers import assert_close, interpreted, joined, objects, offered, quantity
from support.robots import random_pose
from support.zoo import case_of

ORDER = 3
TIMED = (
    "small",
    "floating, mimic",
    "two roots",
    "no armature",
    "planar_2r",
    "iiwa14_mueller_kumar2021",
)


def own_rate(row: AnyQuantity, name: str, order: int) -> str:
    """Name of the time derivative of an argument, which may be the row's own: dv, ddv, dddv."""
    if name not in row.argument_definitions:
        return rate_name(name, order)
    return ("", "d", "dd")[order] + name if order < 3 else f"d{order}{name}"


def truth(case: Case, row: AnyQuantity, order: int, wrenches: bool = False) -> list[np.ndarray]:
    """Value and time derivatives by the series of q itself, quaternions and sines expanded."""
    every = derivative(row, f"rates({order})")
    inputs = []
    for name in row.arguments + (row.optional if wrenches else ()):
        names = [own_rate(row, name, k) for k in range(order + 1)]
        value, *rates = (objects(case.sample(every, n)) for n in names)
        moves = row.argument(name).chart is CONFIGURATION
        inputs.append(
            configuration_jets(case.tree, value, rates) if moves else from_rates([value, *rates])
        )
    frame = (len(case.robot.model.frame_names) - 2,) if row.of_frame else ()
    results = as_list(row.formula(case.tree, *inputs, *frame))
    levels = zip(*(rates_of(x, order) for x in results), strict=True)
    return [joined(level).astype(float) for level in levels]


def timed(case: Case, row: AnyQuantity, wrenches: bool = False) -> list[np.ndarray]:
    """A row of time derivatives on floats: the library's own series, which start at 1."""
    frame = (len(case.robot.model.frame_names) - 2,) if row.of_frame else ()
    names = row.arguments + (row.optional if wrenches else ())
    result = row.formula(case.tree, *(objects(case.sample(row, n)) for n in names), *frame)
    return by_order(row, as_list(result))


def by_order(row: AnyQuantity, results: Sequence[Any]) -> list[np.ndarray]:
    """The results of a row of time derivatives, those of one order joined."""
    each = len(results) // len({*row.orders})
    levels = (tuple(results[k : k + each]) for k in range(0, len(results), each))
    return [joined(level).astype(float) for level in levels]


def tolerances(case: Case, row: AnyQuantity) -> list[float]:
    if not row.solves:
        return [1e-12] * (ORDER + 1)
    # each derivative is M^-1 times products of rates of M and lower derivatives of M^-1
    return [case.solving * 4.0**k for k in range(ORDER + 1)]


@pytest.mark.parametrize(
    "row", [r for r in QUANTITIES if r.rates is None], ids=lambda row: row.name
)
@pytest.mark.parametrize("name", TIMED)
def test_rates_are_the_taylor_series(name: str, row: AnyQuantity) -> None:
    case = case_of(name)
    if not offered(case.robot, row, case.robot.model.frame_names[-2]):
        pytest.skip("the frame cannot move in six directions")
    expected = truth(case, row, ORDER)
    rates = timed(case, derivative(row, f"rates({ORDER})"))
    limits = tolerances(case, row)
    scale = max(np.abs(expected[0]).max(), 1e-9)
    for k, limit in enumerate(limits):
        what = f"{row.name}, derivative {k}"
        assert_close(rates[k], expected[k], limit, what, floor=scale)
    for k in (1, 2):
        (alone,) = timed(case, derivative(row, "d" + k * "t"))
        assert_close(alone, expected[k], limits[k], f"{row.name}, derivative {k}", floor=scale)
    for k in range(1, ORDER):
        lower = timed(case, derivative(row, f"rates({k})"))
        assert len(lower) == k + 1
        for i, level in enumerate(lower):
            assert_close(level, expected[i], limits[i], f"{row.name}, {i} of {k}", floor=scale)


@pytest.mark.parametrize("name", TIMED)
def test_the_two_ways_to_take_series_agree_with_time_derivatives(name: str) -> None:
    """`time_derivatives`, for those rows whose signature it reads by itself."""
    case = case_of(name)
    state = [objects(case.at[rate_name("q", k)]) for k in range(ORDER + 3)]
    for row_name in ("mass_matrix", "coriolis_matrix", "momentum", "potential_energy"):
        row = ROBOT[row_name]
        levels = time_derivatives(row.formula, case.tree, state[0], state[1:], ORDER)
        for level, expected in zip(levels, truth(case, row, ORDER), strict=True):
            assert_close(np.asarray(level).astype(float), expected, 1e-14, row_name)


@pytest.mark.parametrize("name", TIMED)
def test_rates_of_inverse_dynamics_with_wrenches(name: str) -> None:
    case = case_of(name)
    row = ROBOT["inverse_dynamics"]
    expected = truth(case, row, ORDER, wrenches=True)
    levels = timed(case, derivative(row, f"rates({ORDER})"), True)
    for level, wanted in zip(levels, expected, strict=True):
        assert_close(level, wanted)
    for k in (1, 2):
        (alone,) = timed(case, derivative(row, "d" + k * "t"), True)
        assert_close(alone, expected[k])


@pytest.mark.parametrize("wrenches", [False, True])
@pytest.mark.parametrize("name", TIMED)
def test_rates_of_forward_dynamics_invert_those_of_inverse_dynamics(
    name: str, wrenches: bool
) -> None:
    case = case_of(name)
    taus = timed(case, derivative(ROBOT["inverse_dynamics"], f"rates({ORDER})"), wrenches)
    moved = {rate_name("tau", k): tau for k, tau in enumerate(taus)}
    pushed = Case.__new__(Case)
    pushed.__dict__.update(case.__dict__, at={**case.at, **moved})
    # rounding of tau, relative to its size, reaches a through the inverse of M
    inverse = np.linalg.norm(case.value("mass_matrix_inverse"), 2)
    for k in range(1, ORDER + 1):
        tolerance = max(1e-12, 1e-14 * inverse * max(np.abs(tau).max() for tau in taus[: k + 1]))
        rows = [derivative(ROBOT["forward_dynamics"], f"rates({k})")]
        rows += [derivative(ROBOT["forward_dynamics"], "d" + k * "t")] if k < 3 else []
        for row in rows:
            found = timed(pushed, row, wrenches)
            wanted = [case.a, case.j, case.s, case.d5q][: k + 1][-len(found) :]
            for level, rate in zip(found, wanted, strict=True):
                assert_close(level, rate, tolerance, row.name, floor=1.0)


@pytest.mark.parametrize("row", QUANTITIES, ids=lambda row: row.name)
def test_rates_through_the_robot(row: AnyQuantity) -> None:
    """.dt, .dtt and .rates take the arguments in the order they say; a few of them compiled."""
    case = case_of("planar_2r")
    if not offered(case.robot, row):
        case = case_of("iiwa14_mueller_kumar2021")
    item = quantity(case.robot, row, case.robot.model.frame_names[-2])
    compiled = row.name in ("inverse_dynamics", "forward_dynamics", "twist")

    def call(evaluable: Any) -> Any:
        kernel = evaluable.kernel
        given = [case.sample(kernel.quantity, name) for name in kernel.arguments]
        return evaluable(*given) if compiled else interpreted(kernel, *given)

    levels = truth(case, row, 2) if row.rates is None else timed(case, derivative(row, "rates(2)"))
    scales = [max(np.abs(levels[0]).max(), 1.0)] * 3
    if row.name == "null_space_projector":  # rates of 1 - Jbar J, in which larger ones cancel
        scales = [np.abs(x).max() for x in truth(case, FRAME["task_jacobian_inverse"], 2)]
    timed_items = (item, item.dt, item.dtt)
    for timed_item, wanted, scale in zip(timed_items, levels, scales, strict=True):
        assert_close(joined(call(timed_item)), wanted, what=row.name, floor=scale)
    values = call(item.rates(2))
    assert isinstance(values, tuple)
    found = by_order(item.rates(2).definition, values)
    for value, wanted, scale in zip(found, levels, scales, strict=True):
        assert_close(value, wanted, what=row.name, floor=scale)


@pytest.mark.parametrize("name", ["mass_matrix", "inverse_dynamics", "forward_dynamics"])
def test_rates_of_order_zero_are_the_value(name: str) -> None:
    case = case_of("planar_2r")
    item = quantity(case.robot, ROBOT[name])
    given = [case.at[argument] for argument in ROBOT[name].arguments]
    (value,) = item.rates(0)(*given)
    np.testing.assert_array_equal(value, item(*given))
    out = np.empty_like(value)
    again = item.rates(0)(*given, out=out)
    assert isinstance(again, tuple)
    assert again[0] is out


def test_wrenches_and_their_rates_by_name() -> None:
    case = case_of("planar_2r")
    row = ROBOT["inverse_dynamics"]
    state = [case.at[rate_name("q", k)] for k in range(5)]
    tau = case.robot.inverse_dynamics
    w, dw, ddw = (case.at[name] for name in ("wrenches", "dwrenches", "ddwrenches"))
    expected = truth(case, row, 2, wrenches=True)
    assert_close(tau(*state[:3], wrenches=w), expected[0])
    assert_close(tau.dt(*state[:4], wrenches=w, dwrenches=dw), expected[1])
    assert_close(tau.dtt(*state, wrenches=w, dwrenches=dw, ddwrenches=ddw), expected[2])
    for level, wanted in zip(
        tau.rates(2)(*state, ddwrenches=ddw, wrenches=w, dwrenches=dw), expected, strict=True
    ):
        assert_close(level, wanted)
    # derivatives that are not given are zero
    still = tau.dt(*state[:4], wrenches=w, dwrenches=np.zeros_like(dw))
    np.testing.assert_array_equal(tau.dt(*state[:4], wrenches=w), still)
    # and a wrench that is None is none
    np.testing.assert_array_equal(tau.dt(*state[:4], wrenches=None), tau.dt(*state[:4]))
    acceleration = case.robot.forward_dynamics
    a = acceleration.dt(*state[:2], expected[0], expected[1], wrenches=w, dwrenches=dw)
    assert_close(a, case.j, 10 * case.solving)


@pytest.mark.parametrize("step", ["dt", "dtt"])
def test_rates_of_time_derivatives_take_the_same_arguments(step: str) -> None:
    """Those of wrenches among them, whose third derivative has one name only."""
    case = case_of("planar_2r")
    every = derivative(ROBOT["inverse_dynamics"], "rates(3)")
    order = len(step) - 1
    row = derivative(derivative(ROBOT["inverse_dynamics"], step), f"rates({3 - order})")
    assert (row.arguments, row.optional, row.base) == (every.arguments, every.optional, every.base)
    expected = timed(case, every, True)[order:]
    for level, wanted in zip(timed(case, row, True), expected, strict=True):
        assert_close(level, wanted)


def test_time_derivatives_say_how_many_rates_they_need() -> None:
    case = case_of("planar_2r")
    with pytest.raises(ValueError, match=r"order 2 needs 3 rates .* found 1"):
        time_derivatives(ROBOT["momentum"].formula, case.tree, case.q, [case.v], 2)


def test_time_derivatives_of_order_zero_are_the_value() -> None:
    case = case_of("planar_2r")
    formula = ROBOT["kinetic_energy"].formula
    (value,) = time_derivatives(formula, case.tree, case.q, [case.v], 0)
    assert_close(value, case.value("kinetic_energy"), 1e-15)


def test_frames_with_arbitrary_placements() -> None:
    """A frame's pose is its body's, times the placement."""
    rng = np.random.default_rng(8)
    base = case_of("every kind").robot.model
    placements = [random_pose(rng) for _ in range(base.nb)]
    extra = [Frame(f"extra{i}", i, T) for i, T in enumerate(placements)]
    case = Case(replace(base, frames=(*base.frames, *extra)))
    for i, T in enumerate(placements):
        body = case.value("pose", base.bodies[i].name)
        assert_close(case.value("pose", f"extra{i}"), body @ T)
    assert_close(case.value("jacobian", "world"), np.zeros((6, case.robot.nv)))
