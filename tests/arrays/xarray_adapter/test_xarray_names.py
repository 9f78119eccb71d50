"""Arrays with names: what goes in by name comes out by name, with the numbers of NumPy's arrays."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.errors import ArgumentError
from jounce.robot import Robot
from support.contacts import Standing, with_contacts
from support.helpers import quiet_read, small_model
from support.mechanisms import State, mechanism
from support.robots import random_model

xr: Any = pytest.importorskip("xarray", reason="xarray is an extra: pip install 'jounce[xarray]'")

pytestmark = pytest.mark.scale

RNG = np.random.default_rng(5)
JOINTS = ["joint1", "joint2"]
TIMES = np.arange(4) * 0.25


@pytest.fixture(scope="module")
def arm() -> Any:
    return Robot(quiet_read("planar_2r"))


@pytest.fixture(scope="module")
def floating() -> Any:
    return Robot(small_model())


def over_time(x: np.ndarray, names: list[Any] | None = None, **options: Any) -> Any:
    """An array (4, n) as one over time and joints."""
    coords = {"time": TIMES, **({} if names is None else {"joint": names})}
    return xr.DataArray(x, dims=("time", "joint"), coords=coords, **options)


def same(found: Any, expected: Any, dims: tuple[str, ...]) -> None:
    """A named array of these numbers, to the last bit, and dimensions."""
    assert isinstance(found, xr.DataArray)
    assert found.dims == dims
    assert found.dtype == np.asarray(expected).dtype
    np.testing.assert_array_equal(found.values, expected)


def test_joints_are_named(arm: Any) -> None:
    q, v, a = RNG.normal(size=(3, 4, 2))
    found = arm.inverse_dynamics(over_time(q), over_time(v), over_time(a))
    same(found, arm.inverse_dynamics(q, v, a), ("time", "joint"))
    assert list(found.joint.values) == arm.labels("v")
    np.testing.assert_array_equal(found.time, TIMES)
    assert found.name == "inverse_dynamics"
    assert found.attrs["units"] == "N m, N"
    assert found.attrs["long_name"].startswith("Inverse dynamics")
    assert found.attrs["robot"] == arm.name
    assert found.sel(joint=arm.labels("v")[1]).shape == (4,)


def test_the_robot_has_its_own_order(arm: Any) -> None:
    """Names in another order, and dimensions in another order, are put right."""
    q, v, a = RNG.normal(size=(3, 4, 2))
    names = arm.labels("v")
    turned = over_time(q, names).isel(joint=[1, 0])
    assert turned.joint.values.tolist() == names[::-1]
    found = arm.inverse_dynamics(turned, over_time(v, names).T, over_time(a[:, ::-1], [1, 0]))
    same(found, arm.inverse_dynamics(q, v, a), ("time", "joint"))
    again = arm.inverse_dynamics(over_time(v, names).T, q, a)
    same(again, arm.inverse_dynamics(v, q, a), ("time", "joint"))


def test_names_of_nothing_are_refused(arm: Any) -> None:
    q = RNG.normal(size=(4, 2))
    with pytest.raises(ArgumentError, match=r"argument 'q' must have the coordinates .* unknown: "):
        arm.mass_matrix(over_time(q, ["shoulder", arm.labels("v")[1]]))
    with pytest.raises(ArgumentError, match=r"found: 'joint1', 'joint1'|missing: "):
        arm.mass_matrix(over_time(q, [arm.labels("v")[0]] * 2))
    with pytest.raises(ArgumentError, match=r"'q' must have 2 entries along 'joint', found 3"):
        arm.mass_matrix(xr.DataArray(np.zeros((4, 3)), dims=("time", "joint")))
    with pytest.raises(
        ArgumentError, match=r"dimension 'joint' or 'coordinate', found dimensions "
    ):
        arm.mass_matrix(xr.DataArray(q, dims=("time", "dof")))
    with pytest.raises(ArgumentError, match=r"'joint' or 'coordinate', found dimensions none$"):
        arm.mass_matrix(xr.DataArray(1.0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # xarray itself advises against it
        twice = xr.DataArray(np.zeros((2, 2)), dims=("joint", "joint"))
    with pytest.raises(ArgumentError, match=r"'q' must have dimensions of different names, found"):
        arm.mass_matrix(twice)
    with pytest.raises(ArgumentError, match=r"\.rename\(\{'dof': 'joint'\}\)"):
        arm.mass_matrix(xr.DataArray(q, dims=("time", "dof")))


def test_other_dimensions_broadcast_by_name(arm: Any) -> None:
    q, v = RNG.normal(size=(4, 2)), RNG.normal(size=(3, 2))
    starts = xr.DataArray(v, dims=("start", "joint"), coords={"start": list("abc")})
    found = arm.inverse_dynamics(over_time(q), starts, over_time(q))
    same(found, arm.inverse_dynamics(q[:, None], v, q[:, None]), ("time", "start", "joint"))
    assert found.start.values.tolist() == list("abc")
    first = arm.inverse_dynamics(starts, over_time(q), np.zeros(2))
    same(first, arm.inverse_dynamics(v[:, None], q, np.zeros(2)), ("start", "time", "joint"))


def test_what_is_shared_must_be_the_same(arm: Any) -> None:
    q = RNG.normal(size=(4, 2))
    later = over_time(q).assign_coords(time=TIMES + 1.0)
    with pytest.raises(ArgumentError, match=r"'q', 'v', 'a' must have the same .* 'time'"):
        arm.inverse_dynamics(over_time(q), later, over_time(q))
    with pytest.raises(ArgumentError, match=r"'q', 'v', 'a' must have the same .* 'time'"):
        arm.inverse_dynamics(over_time(q), over_time(q)[:3], over_time(q))
    nobody_says = over_time(q).drop_vars("time")
    same(
        arm.inverse_dynamics(nobody_says, over_time(q), nobody_says),
        arm.inverse_dynamics(q, q, q),
        ("time", "joint"),
    )


def test_arrays_without_names_are_constants(arm: Any) -> None:
    q, v = RNG.normal(size=(2, 4, 2))
    expected = arm.inverse_dynamics(q, v, [0.0, 1.0])
    for a in ([0.0, 1.0], np.array((0.0, 1.0)), np.array([[0.0, 1.0]] * 4)):
        same(arm.inverse_dynamics(over_time(q), v, a), expected, ("time", "joint"))
    with pytest.raises(ArgumentError, match=r"'a' without labels.*\(time 4\), found \(3,\)"):
        arm.inverse_dynamics(over_time(q), v, np.zeros((3, 2)))
    with pytest.raises(ArgumentError, match=r"'a' without labels.*\(time 4\), found \(5, 4\)"):
        arm.inverse_dynamics(over_time(q), v, np.zeros((5, 4, 2)))
    with pytest.raises(ArgumentError, match=r"'v' without labels.*\(none\), found \(4,\)"):
        arm.inverse_dynamics(xr.DataArray(q[0], dims="joint"), v, v)


def test_dimensions_that_nobody_named(arm: Any) -> None:
    q = RNG.normal(size=(4, 2))
    same(arm.mass_matrix(xr.DataArray(q)), arm.mass_matrix(q), ("dim_0", "joint", "joint_2"))
    same(arm.mass_matrix(xr.DataArray(q[0])), arm.mass_matrix(q[0]), ("joint", "joint_2"))
    mixed = arm.inverse_dynamics(xr.DataArray(q), xr.DataArray(q[0]), xr.DataArray(q))
    same(mixed, arm.inverse_dynamics(q, q[0], q), ("dim_0", "joint"))
    same(
        arm.mass_matrix(xr.Variable(("time", "joint"), q)),
        arm.mass_matrix(q),
        ("time", "joint", "joint_2"),
    )


def test_single_samples_empty_batches_and_float32(arm: Any) -> None:
    one = xr.DataArray(RNG.normal(size=2), dims="joint")
    same(arm.mass_matrix(one), arm.mass_matrix(one.values), ("joint", "joint_2"))
    same(arm.kinetic_energy(one, one), arm.kinetic_energy(one.values, one.values), ())
    none = xr.DataArray(np.zeros((0, 2)), dims=("time", "joint"))
    same(arm.mass_matrix(none), np.zeros((0, 2, 2)), ("time", "joint", "joint_2"))
    narrow = one.astype("f")
    same(arm.mass_matrix(narrow), arm.mass_matrix(narrow.values), ("joint", "joint_2"))
    assert arm.mass_matrix(narrow, dtype="d").dtype == np.float64


def test_several_results(arm: Any) -> None:
    q, v, a = RNG.normal(size=(3, 4, 2))
    found = arm.inverse_dynamics.derivatives(over_time(q), over_time(v), over_time(a))
    assert [x.name for x in found] == ["tau", "tau_dq", "tau_dv", "tau_da"]
    expected = arm.inverse_dynamics.derivatives(q, v, a)
    assert isinstance(found, tuple)
    for x, y in zip(found, expected, strict=True):
        same(x, y, ("time", "joint", "joint_2")[: y.ndim])
    assert len({x.name for x in found}) == 4
    levels = arm.mass_matrix.rates(0)(over_time(q))
    assert isinstance(levels, tuple)
    same(levels[0], arm.mass_matrix(q), ("time", "joint", "joint_2"))
    M, C, g = arm.equations_of_motion(over_time(q), v)
    assert (M.name, C.name, g.name) == ("M", "C", "g")
    assert g.attrs["units"] == "N m, N"
    xr.merge([M, C, g], join="exact")


def test_options_and_arguments_by_name(arm: Any) -> None:
    q, v = RNG.normal(size=(2, 4, 2))
    extended = arm.slotine_li_regressor(over_time(q), v, v, v, extended=True, smoothing=0.1)
    expected = arm.slotine_li_regressor(q, v, v, v, extended=True, smoothing=0.1)
    same(extended, expected, ("time", "joint", "robot_parameter"))
    labels = extended.robot_parameter.values.tolist()
    bodies, joints = arm.model.body_names, arm.labels("v")
    assert labels[:2] == [f"m[{bodies[0]}]", f"hx[{bodies[0]}]"]
    assert labels[-2:] == [f"friction[{name}]" for name in joints]
    named = arm.step(q=over_time(q), v=over_time(v), tau=v, h=0.01, method="rk4")
    for x, y in zip(named, arm.step(q, v, v, 0.01, method="rk4"), strict=True):
        same(x, y, ("time", "joint"))
    steps = xr.DataArray([0.1, 0.2], dims="step")
    found, _ = arm.step(over_time(q), v[0], v[0], steps)
    same(found, arm.step(q[:, None], v[0], v[0], [0.1, 0.2])[0], ("time", "step", "joint"))


def test_wrenches_by_frame(arm: Any) -> None:
    q = RNG.normal(size=(4, 2))
    w = RNG.normal(size=(4, 6))
    expected = arm.inverse_dynamics(q, q, q, {"tool": w})
    pushed = xr.DataArray(w, dims=("time", "component"))
    for given in ({"tool": pushed}, {"tool": pushed.T}, xr.Dataset({"tool": pushed}), {"tool": w}):
        found = arm.inverse_dynamics(over_time(q), q, q, given)
        same(found, expected, ("time", "joint"))
    parts = ("angular_z", "angular_y", "angular_x", "linear_z", "linear_y", "linear_x")
    turned = xr.DataArray(
        w[:, [2, 1, 0, 5, 4, 3]], dims=("time", "component"), coords={"component": list(parts)}
    )
    same(arm.inverse_dynamics(q, over_time(q), q, {"tool": turned}), expected, ("time", "joint"))
    w = RNG.normal(size=(2, 6))
    every = xr.DataArray(w, dims=("body", "component"), coords={"body": arm.model.body_names})
    found = arm.inverse_dynamics(over_time(q), q, q, wrenches=every[::-1])
    same(found, arm.inverse_dynamics(q, q, q, w), ("time", "joint"))


def test_numbers_of_the_robot(arm: Any) -> None:
    q = RNG.normal(size=(4, 2))
    pi, placements, screws = arm.morphable.now
    robots = xr.DataArray(
        np.stack([pi, 2 * pi]),
        dims=("robot", "body", "parameter"),
        coords={"robot": ["light", "heavy"]},
    )
    found = arm.parametric.mass_matrix(over_time(q), robots)
    expected = arm.parametric.mass_matrix(q[:, None], robots.values)
    same(found, expected, ("time", "robot", "joint", "joint_2"))
    placed = xr.DataArray(placements, dims=("body", "row", "column"))
    found = arm.morphable.mass_matrix(over_time(q), robots, placed, screws)
    same(found, expected, ("time", "robot", "joint", "joint_2"))
    gravity = xr.DataArray([1.0, 2.0, 3.0], dims="axis", coords={"axis": list("zyx")})
    found = arm.parametric.gravity_forces(over_time(q), pi, gravity=gravity)
    same(found, arm.parametric.gravity_forces(q, pi, gravity=[3.0, 2.0, 1.0]), ("time", "joint"))


def test_frames(arm: Any) -> None:
    q = RNG.normal(size=(4, 2))
    tool = arm.frame("tool")
    same(tool.pose(over_time(q)), tool.pose(q), ("time", "row", "column"))
    jacobian = tool.jacobian(over_time(q))
    same(jacobian, tool.jacobian(q), ("time", "component", "joint"))
    assert jacobian.component.values[[0, 5]].tolist() == ["angular_x", "linear_z"]
    assert jacobian.attrs["frame"] == "tool"
    same(
        tool.jacobian.dq(over_time(q)),
        tool.jacobian.dq(q),
        ("time", "component", "joint", "joint_2"),
    )


def test_pullbacks(arm: Any) -> None:
    q, v, a, lam = RNG.normal(size=(4, 4, 2))
    found = arm.inverse_dynamics.vjp(over_time(q), v, a, over_time(lam))
    for x, y in zip(found, arm.inverse_dynamics.vjp(q, v, a, lam), strict=True):
        same(x, y, ("time", "joint"))
    w = RNG.normal(size=(2, 6))
    found = arm.inverse_dynamics.vjp(over_time(q), v, a, over_time(lam), wrenches=w)
    expected = arm.inverse_dynamics.vjp(q, v, a, lam, wrenches=w)
    assert len(found) == len(expected) == 4
    same(found[-1], expected[-1], ("time", "body", "component"))
    weights = xr.DataArray(RNG.normal(size=(2, 2)), dims=("joint_2", "joint"))
    (found,) = arm.mass_matrix.vjp(over_time(q), weights)
    same(found, arm.mass_matrix.vjp(q, weights.values.T)[0], ("time", "joint"))


def test_floating_bases(floating: Any) -> None:
    q, v = floating.random(3, 4), RNG.normal(size=(4, floating.nv))
    assert floating.nq != floating.nv
    named = xr.DataArray(
        q[:, ::-1],
        dims=("time", "coordinate"),
        coords={"coordinate": floating.labels("q")[::-1]},
    )
    moved = floating.integrate(named, over_time(v))
    same(moved, floating.integrate(q, v), ("time", "coordinate"))
    assert moved.coordinate.values.tolist() == floating.labels("q")
    back = floating.difference(named, moved)
    same(back, floating.difference(q, moved.values), ("time", "joint"))
    assert back.joint.values.tolist() == floating.labels("v")
    same(floating.mass_matrix(over_time(q)), floating.mass_matrix(q), ("time", "joint", "joint_2"))


def test_mechanisms() -> None:
    closed: Any = mechanism("five_bar")
    state = State(closed)
    q, v, a = (np.asarray(state[name], float) for name in "qva")
    where = xr.DataArray(q, dims="coordinate", coords={"coordinate": closed.labels("q")})[::-1]
    rates = xr.DataArray(v, dims="joint", coords={"joint": closed.labels("v")})[::-1]
    tau = closed.inverse_dynamics(where, rates, a)
    same(tau, closed.inverse_dynamics(q, v, a), ("joint",))
    assert tau.joint.values.tolist() == closed.labels("v")
    whole = closed.velocity(where, rates)
    same(whole, closed.velocity(q, v), ("tree_joint",))
    assert whole.tree_joint.values.tolist() == closed.labels("t")
    E = closed.passive_jacobian(where)
    same(E, closed.passive_jacobian(q), ("passive_joint", "joint"))
    assert {*E.passive_joint.values} | {*E.joint.values} == {*closed.labels("t")}
    J = closed.loop_jacobian(xr.DataArray(q, dims="joint"))
    same(J, closed.loop_jacobian(q), ("loop_row", "tree_joint"))


def test_contacts() -> None:
    rng = np.random.default_rng(2)
    model = random_model(rng, 3, ("revolute", "spherical"), floating=True)
    standing = Standing(with_contacts(model, rng, "point"))
    contacts: Any = standing.contacts
    q = xr.DataArray(standing.q, dims="coordinate")
    a, f = contacts.contact_dynamics(q, standing.v, standing.tau)
    truth = contacts.contact_dynamics(standing.q, standing.v, standing.tau)
    same(a, truth[0], ("joint",))
    same(f, truth[1], ("contact_row",))
    assert f.contact_row.values.tolist() == ["contact0_fx", "contact0_fy", "contact0_fz"]
    anchors = contacts.contact_poses(q)
    same(anchors, contacts.contact_poses(standing.q), ("contact", "row", "column"))
    found = contacts.forward_dynamics(q, standing.v, standing.tau, anchors=anchors, kp=3.0)
    expected = contacts.forward_dynamics(
        standing.q, standing.v, standing.tau, anchors=anchors.values, kp=3.0
    )
    same(found, expected, ("joint",))


def test_elastic_drives(arm: Any) -> None:
    q, v, a, j, s = RNG.normal(size=(5, 4, 2))
    expected = arm.elastic_inverse_dynamics(q, v, a, j, s, 1e3, motor_inertia=0.1)
    stiffness = xr.DataArray([1e3, 1e3], dims="joint")
    first = arm.elastic_inverse_dynamics(q, over_time(v), a, j, s, 1e3, motor_inertia=0.1)
    same(first[0], expected[0], ("time", "joint"))
    for K in (1e3, stiffness):
        found = arm.elastic_inverse_dynamics(
            over_time(q), v, a, j, over_time(s), K, motor_inertia=0.1
        )
        assert type(found) is type(expected)
        for x, y in zip(found, expected, strict=True):
            same(x, y, ("time", "joint"))


def test_coordinates_of_the_batch_stay(arm: Any) -> None:
    q = over_time(RNG.normal(size=(4, 2)))
    q = q.assign_coords(phase=("time", list("abab")), side=("joint", ["l", "r"]), run=7)
    q.time.attrs["units"] = "s"
    found = arm.mass_matrix(q)
    assert {*found.coords} == {"time", "phase", "run", "joint", "joint_2"}
    assert found.time.attrs == {"units": "s"}
    assert found.phase.values.tolist() == list("abab")
    chosen = q.sel(joint=1) if "joint" in q.indexes else q.isel(joint=1)
    duration = abs(chosen.assign_coords(joint="joint2"))  # a number over time, of one joint
    state = arm.step(q, q, q, duration)[0]
    same(state, arm.step(q.values, q.values, q.values, duration.values)[0], ("time", "joint"))
    assert state.joint.values.tolist() == arm.labels("v")


def test_coordinates_of_the_batch_with_names_of_the_quantity(arm: Any) -> None:
    """They would be lost; numbers and coordinates along the quantity's own dimensions may be."""
    q = over_time(RNG.normal(size=(4, 2)))
    with pytest.raises(
        ArgumentError,
        match=r"'q' has a coordinate 'axis' along 'time'.*\.rename\(\{'axis'",
    ):
        arm.center_of_mass(q.assign_coords(axis=("time", list("abcd"))))
    for harmless in (7, ("joint", ["l", "r"])):
        found = arm.center_of_mass(q.assign_coords(axis=harmless))
        assert found.axis.values.tolist() == list("xyz")
    assert "axis" in arm.mass_matrix(q.assign_coords(axis=("time", list("abcd")))).coords


REFUSED = {
    "dataset": (
        lambda q: xr.Dataset({"q": q}),
        TypeError,
        r"found a Dataset.*dataset\['q'\]",
    ),
    "other": (
        lambda q: xr.Dataset({"x": q}),
        TypeError,
        r"found a Dataset.*dataset\['x'\]",
    ),
    "none": (lambda q: xr.Dataset(), TypeError, r"'q' \(xarray.Dataset\) is a mapping of arrays"),
    "degrees": (
        lambda q: q.assign_attrs(units="degrees"),
        ArgumentError,
        r"units 'degrees'; con",
    ),
    "deg": (
        lambda q: q.assign_attrs(units="deg"),
        ArgumentError,
        r"radians, found units 'deg'; con",
    ),
    "taken": (lambda q: q.rename(time="joint_2"), ArgumentError, r"batch dimension 'joint_2'.*ren"),
    "complex": (lambda q: q * 1j, TypeError, r"must be real float64 or float32, found complex128"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(arm: Any, case: str) -> None:
    make, error, text = REFUSED[case]
    with pytest.raises(error, match=text):
        arm.mass_matrix(make(over_time(np.zeros((4, 2)))))


def test_calls_that_cannot_be(arm: Any) -> None:
    q = over_time(np.zeros((4, 2)))
    with pytest.raises(TypeError, match=r"'out' is an option for NumPy arrays"):
        arm.mass_matrix(q, out=np.zeros((4, 2, 2)))
    with pytest.raises(TypeError, match=r"argument 'v' is missing; it is called as"):
        arm.inverse_dynamics(q)
    with pytest.raises(TypeError, match=r"takes no 'speed'; valid names"):
        arm.mass_matrix(q, speed=1.0)
    with pytest.raises(TypeError, match=r"argument 'q' is given twice"):
        arm.mass_matrix(q, q=q)
    with pytest.raises(TypeError, match=r"takes 1 positional arguments, found 2"):
        arm.mass_matrix(q, q)
    assert arm.mass_matrix(q.assign_attrs(units="rad")).shape == (4, 2, 2)


def test_every_row_of_the_gallery_has_names() -> None:
    """By the printed names alone: what comes out goes in again."""
    for name in ("planar_rp", "cartesian_ppp", "two_mass_link"):
        robot: Any = jounce.load(name)
        q = xr.DataArray(robot.random(1, 3), dims=("sample", "joint"))
        poses = robot.body_poses(q)
        same(poses, robot.body_poses(q.values), ("sample", "body", "row", "column"))
        assert poses.body.values.tolist() == robot.model.body_names
        again = robot.integrate(q, robot.difference(q, q))
        np.testing.assert_allclose(again, q, atol=1e-12)


def test_methods_of_configurations(floating: Any) -> None:
    q = 4.0 * RNG.normal(size=(4, floating.nq))
    named = xr.DataArray(
        q.T, dims=("coordinate", "time"), coords={"coordinate": floating.labels("q")}
    )[::-1]
    same(
        floating.limits.contains(named, tolerance=0.5),
        floating.limits.contains(q, tolerance=0.5),
        ("time",),
    )
    half = xr.DataArray(0.5)
    same(
        floating.limits.contains(named, tolerance=half),
        floating.limits.contains(q, tolerance=0.5),
        ("time",),
    )
    np.testing.assert_array_equal(
        floating.limits.contains(q, tolerance=half), floating.limits.contains(named, tolerance=0.5)
    )
    clipped = floating.limits.clip(named)
    same(clipped, floating.limits.clip(q), ("time", "coordinate"))
    assert bool(floating.limits.contains(clipped).all())
    with pytest.raises(TypeError, match=r"clip: 'out' is an option for NumPy arrays"):
        floating.limits.clip(named, out=q)


def test_groups() -> None:
    lie: Any = jounce.lie
    vectors = RNG.normal(size=(4, 3))
    named = xr.DataArray(vectors.T, dims=("axis", "time"), coords={"axis": list("xyz")})
    R = lie.so3.exp(named)
    same(R, lie.so3.exp(vectors), ("time", "axis", "axis_2"))
    same(lie.so3.log(R), lie.so3.log(R.values), ("time", "axis"))
    assert "robot" not in R.attrs
    turns = lie.quaternion.from_rotation(R)
    same(turns, lie.quaternion.from_rotation(R.values), ("time", "quaternion"))
    assert turns["quaternion"].values.tolist() == list("wxyz")
    T = lie.se3.exp(xr.DataArray(RNG.normal(size=(2, 6)), dims=("pose", "component")))
    same(lie.se3.inverse(T), lie.se3.inverse(T.values), ("pose", "row", "column"))


def test_arrays_that_xarray_holds(arm: Any) -> None:
    class Held(np.ndarray):
        """A subclass, which xarray holds."""

    q = over_time(RNG.normal(size=(4, 2)))
    found = arm.mass_matrix(q.copy(data=q.values.view(Held)))
    same(found, arm.mass_matrix(q.values), ("time", "joint", "joint_2"))


def test_arrays_that_xarray_cannot_hold() -> None:
    """They are refused, rather than taken by their values."""
    from jounce.arrays.xarray_adapter.named_calls import Result, apply_named

    class Tensor:
        """What offers nothing that xarray asks for."""

    given = {"x": xr.DataArray(1.0)}
    with pytest.raises(
        TypeError,
        match=r"f: xarray cannot contain .*Tensor, due to an unlabeled arg",
    ):
        apply_named("f", given, {"x": ()}, [Result("y", ())], lambda x: Tensor())


def test_labels_without_an_index_count_too() -> None:
    """As dimensions have them that were renamed."""
    robot = jounce.load("planar_2r")
    q = np.random.default_rng(0).normal(size=(3, 2))
    labels = {"joint": robot.labels("q")[::-1]}
    x = xr.DataArray(q[:, ::-1], dims=("t", "joint"), coords=labels).drop_indexes("joint")
    np.testing.assert_array_equal(robot.mass_matrix(x), robot.mass_matrix(q))
    one, other = (
        xr.DataArray(q, dims=("time", "joint"), coords={"time": range(k, k + 3)}) for k in (0, 5)
    )
    with pytest.raises(ArgumentError, match=r"'q', 'v' must have the same .* 'time'"):
        robot.kinetic_energy(one, other.drop_indexes("time"))


def test_dimensions_of_unknown_length_are_refused() -> None:
    da = pytest.importorskip("dask.array")
    robot = jounce.load("planar_2r")
    q = da.from_array(np.random.default_rng(0).normal(size=(7, 2)), chunks=(3, 2))
    with pytest.raises(ArgumentError, match="'t' of unknown length"):
        robot.mass_matrix(xr.DataArray(q[q[:, 0] > 0], dims=("t", "joint")))


def test_units_of_pullbacks_are_whole() -> None:
    robot = jounce.load("planar_2r")
    q = xr.DataArray(np.zeros((3, 2)), dims=("t", "joint"))
    found = robot.kinetic_energy.vjp(q, q, np.ones(3))
    assert {x.attrs["units"] for x in found} == {"lam times J; per unit of each argument"}
