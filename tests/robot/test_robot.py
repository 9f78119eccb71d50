"""The robot as users meet it: names, errors, documentation, copies, threads and processes."""

from __future__ import annotations

import contextlib
import copy
import gc
import multiprocessing
import os
import pickle
import pydoc
import subprocess
import sys
import textwrap
import threading
import warnings
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.arrays.bound_quantity import BoundQuantity
from jounce.arrays.tables import Frame
from jounce.catalog.quantities import QUANTITIES
from jounce.catalog.tables import FRAME, ROBOT
from jounce.errors import ModelError
from jounce.robot import Robot
from jounce.utils import threads
from support.helpers import assert_close, quantity, quiet_read, small_model


@pytest.fixture(scope="module")
def robot() -> Robot:
    return jounce.load("planar_2r")


@pytest.fixture(scope="module")
def small() -> Robot:
    return Robot(small_model())


# ------------------------------------------------------------------ what it is


def test_names_and_sizes(small: Robot) -> None:
    model = small.model
    assert small.model.joint_names == [joint.name for joint in model.joints]
    assert small.model.body_names == [body.name for body in model.bodies]
    assert small.model.frame_names == [frame.name for frame in model.frames]
    assert {*small.model.body_names, "tool", "world"} == set(small.model.frame_names)
    assert (small.nq, small.nv, small.nb) == (model.nq, model.nv, model.nb)
    assert small.name == model.name
    assert small.model.parameters.shape == (small.nb, 10)
    np.testing.assert_array_equal(small.model.gravity, model.gravity)


def test_joints_know_their_place(small: Robot) -> None:
    places_q, places_v = np.zeros(small.nq, int), np.zeros(small.nv, int)
    for name, view in small.joints.items():
        assert view.name == name
        assert view.kind == view.joint.kind
        assert view.q.stop - view.q.start == view.joint.nq
        assert view.v.stop - view.v.start == view.joint.nv
        if view.joint.mimic is None:
            places_q[view.q] += 1
            places_v[view.v] += 1
        else:
            leader = small.joints[view.joint.mimic.leader]
            assert (view.q, view.v) == (leader.q, leader.v)
    assert (places_q == 1).all()
    assert (places_v == 1).all()
    assert any(view.joint.mimic is not None for view in small.joints.values())
    assert list(small.joints) == small.model.joint_names
    with pytest.raises(TypeError):
        small.joints["another"] = None  # pyright: ignore[reportIndexIssue]
    with pytest.raises(KeyError):
        small.joints["another"]


def test_two_motion_joints_have_one_place() -> None:
    builder = jounce.TreeBuilder("pair")
    inertia = (1.0, 0.0, 0.0, 0.1, 0.1, 0.1, 0.1, 0.0, 0.0, 0.0)
    builder.add("a", "universal", axis=(1, 0, 0), axis2=(0, 1, 0), inertia=inertia)
    builder.add("b", "cylindrical", "a", inertia=inertia)
    builder.add("c", "free", "b", inertia=inertia)
    joints = Robot(builder.build()).joints
    assert [joints[f"{x}_joint"].q for x in "abc"] == [slice(0, 2), slice(2, 4), slice(4, 11)]
    assert [joints[f"{x}_joint"].v for x in "abc"] == [slice(0, 2), slice(2, 4), slice(4, 10)]


def test_robots_need_a_model_that_moves() -> None:
    with pytest.raises(TypeError, match=r"expected a jounce\.Model, found str"):
        Robot("panda.urdf")  # pyright: ignore[reportArgumentType]
    with pytest.raises(ModelError, match="'rock' has no movable joint"):
        Robot(jounce.Model("rock", (), ()))


def test_load_takes_base_and_gravity() -> None:
    assert jounce.load("planar_2r").nv == 2
    floating = jounce.load("planar_2r", base="floating", gravity=(0.0, 0.0, -1.62))
    assert floating.nv == 8
    np.testing.assert_array_equal(floating.model.gravity, (0.0, 0.0, -1.62))
    with pytest.raises(ValueError, match="expected one of fixed, floating, found 'free'"):
        jounce.load("planar_2r", base="free")
    with pytest.raises(ModelError, match="planar_2r"):
        jounce.load("planar_3r")


# ------------------------------------------------------------------ looking around


def test_dir_lists_every_quantity(robot: Robot) -> None:
    assert set(ROBOT) <= set(dir(robot))
    assert {"integrate", "joints", "nq", "frame"} <= set(dir(robot))
    assert set(FRAME) <= set(dir(robot.frame("tool")))
    assert not set(FRAME) & set(dir(robot))


def test_repr(robot: Robot) -> None:
    assert repr(robot) == "<robot 'planar_2r': 2 joints, nq = 2, nv = 2>"
    assert repr(robot.frame("tool")) == "<frame 'tool' of planar_2r>"
    text = repr(robot.inverse_dynamics)
    assert text.startswith("<planar_2r.inverse_dynamics(q[2], v[2], a[2]) -> (2,): ")
    assert repr(robot.external_forces).startswith(
        "<planar_2r.external_forces(q[2], w[2x6]) -> (2,)"
    )
    text = repr(robot.frame("tool").jacobian.rates(1))
    assert "planar_2r.frame('tool').jacobian.rates(1)(q[2], v[2]) -> (6, 2), (6, 2)" in text


@pytest.mark.parametrize("row", QUANTITIES, ids=lambda row: row.name)
def test_help_tells_arguments_and_equation(robot: Robot, row: Any) -> None:
    text = pydoc.plain(pydoc.render_doc(quantity(robot, row)))
    assert row.doc in text
    assert row.equation in text
    assert row.unit in text
    for name in (*row.arguments, *row.optional):
        assert f"{name} (...," in text
    timed = pydoc.plain(pydoc.render_doc(quantity(robot, row).dt))
    assert f"First time derivative of {row.name}" in timed
    for name in quantity(robot, row).dt.kernel.arguments:
        assert f"{name} (...," in timed


def test_help_of_the_robot(robot: Robot) -> None:
    text = pydoc.plain(pydoc.render_doc(robot))
    assert "class Robot" in text
    assert "neutral(self, *, dtype: 'DTypeLike' = 'float64', out: " in text


def test_errors_about_unknown_names_suggest_one(robot: Robot) -> None:
    with pytest.raises(
        AttributeError, match=r"^robot '.*' has no .*; did you mean 'mass_matrix'\?$"
    ):
        robot.mass_matrx  # noqa: B018
    assert {*ROBOT, "integrate", "limits"} <= {*dir(robot)}
    with pytest.raises(AttributeError, match=r"; see dir\(robot\) or `jounce info ROBOT --quanti"):
        robot.color  # noqa: B018
    with pytest.raises(AttributeError, match=r"did you mean 'jacobian'\?$"):
        robot.frame("tool").jacobain  # noqa: B018
    assert {*FRAME} <= {*dir(robot.frame("tool"))}
    with pytest.raises(
        AttributeError, match=r"mass_matrix has no 'dtau'; .*dt, dtt.*rates\(order\)"
    ):
        robot.mass_matrix.dtau  # noqa: B018
    assert not hasattr(robot, "_private")
    assert not hasattr(robot, "__array__")
    assert not hasattr(robot.mass_matrix, "color")
    with pytest.raises(ModelError, match=r"has no frame 'hand'; choose one of .*tool"):
        robot.frame("hand")


def test_quantities_and_frames_are_made_once(robot: Robot) -> None:
    assert robot.mass_matrix is robot.mass_matrix
    assert robot.mass_matrix.dt is robot.mass_matrix.dt
    assert robot.mass_matrix.rates(2) is robot.mass_matrix.rates(2)
    assert robot.frame("tool") is robot.frame("tool")
    assert robot.frame("tool").pose is robot.frame("tool").pose


# ------------------------------------------------------------------ names as strings


def test_quantities_by_string(robot: Robot) -> None:
    tool = robot.frame("tool")
    same = {
        "mass_matrix": robot.mass_matrix,
        " mass_matrix ": robot.mass_matrix,
        "mass_matrix.dt": robot.mass_matrix.dt,
        "inverse_dynamics.dtt": robot.inverse_dynamics.dtt,
        "inverse_dynamics.rates(2)": robot.inverse_dynamics.rates(2),
        "frame(tool).jacobian": tool.jacobian,
        "frame('tool').jacobian.dt": tool.jacobian.dt,
        'frame("tool").pose.rates(1)': tool.pose.rates(1),
    }
    for name, expected in same.items():
        assert robot.quantity(name) is expected, name


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "expected the name of a quantity such as"),
        ("mass matrix", "expected the name of a quantity such as"),
        ("mass_matrix.", "expected the name of a quantity such as"),
        ("mass_matrix.rates", "rates"),
        ("mass_matrix.rates()", "expected the name of a quantity such as"),
        ("mass_matrix.rates(-1)", "expected the name of a quantity such as"),
        ("mass_matrix.rates(1.5)", "expected the name of a quantity such as"),
        ("mass_matrix.ddt", "ddt|cannot read"),
        ("mass_matrix(q)", "expected an option name=value"),
        ("mass_matrx", "no quantity 'mass_matrx'; did you mean 'mass_matrix'"),
        ("jacobian", "no quantity 'jacobian'"),
        ("neutral", "no quantity 'neutral'"),
        ("nq", "no quantity 'nq'"),
        ("__class__", "no quantity '__class__'"),
        ("frame(tool).mass_matrix", r"no quantity 'mass_matrix'; choose one of .*\bpose, "),
        ("fk", r"no quantity 'fk'; did you mean 'frame\(name\)\.pose'"),
        ("frame(hand).pose", "no frame 'hand'"),
        ("frame(tool)", "expected an option name=value"),
        ("frame().pose", "expected the name of a quantity such as"),
        ("mass_matrix.kernel", "kernel"),
        ("mass_matrix.ufunc", "ufunc"),
        ("mass_matrix.__call__", "__call__|cannot read"),
    ],
)
def test_bad_strings_are_refused(robot: Robot, name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        robot.quantity(name)


@pytest.mark.parametrize("order", [-1, 1.5, 2.0, True, False, "2", None, (1,)])
def test_bad_orders_are_refused(robot: Robot, order: Any) -> None:
    with pytest.raises(ValueError, match="order must be an integer >= 0, found"):
        robot.mass_matrix.rates(order)


def test_orders_may_be_numpy_integers(robot: Robot) -> None:
    assert robot.mass_matrix.rates(np.int64(2)) is robot.mass_matrix.rates(2)


# ------------------------------------------------------------------ arguments


def test_wrong_shapes_name_the_argument(robot: Robot) -> None:
    q, v, long = np.zeros(2), np.zeros(2), np.zeros(3)
    tau = robot.inverse_dynamics
    with pytest.raises(ValueError, match=r"argument 'q' must have shape \(..., 2\), found \(3,\)"):
        tau(long, v, v)
    with pytest.raises(ValueError, match=r"argument 'a' must have shape \(..., 2\), found \(3,\)"):
        tau(q, v, long)
    with pytest.raises(ValueError, match=r"argument 'v' must have shape \(..., 2\), found \(\)"):
        tau(q, 1.0, v)
    with pytest.raises(ValueError, match=r"argument 'w' must have shape \(..., 2, 6\)"):
        robot.external_forces(q, np.zeros((2, 5)))
    with pytest.raises(ValueError, match="argument 'wrenches' must have shape"):
        tau(q, v, v, wrenches=np.zeros(6))
    with pytest.raises(
        ValueError, match=r"planar_2r.inverse_dynamics: argument 'v' is not an array"
    ):
        tau(q, [[0.0], [0.0, 1.0]], v)
    with pytest.raises(ValueError, match=r"frame\('tool'\).pose: argument 'q' must have shape"):
        robot.frame("tool").pose(long)
    with pytest.raises(ValueError, match=r"mass_matrix.dt: argument 'v' must have shape"):
        robot.mass_matrix.dt(q, long)
    with pytest.raises(ValueError, match=r"rates\(1\): argument 'v' must have shape"):
        robot.mass_matrix.rates(1)(q, long)
    with pytest.raises(ValueError, match="broadcast"):
        tau(np.zeros((3, 2)), np.zeros((4, 2)), v)


def test_nothing_is_written_to_arrays_given_by_position(robot: Robot) -> None:
    q, out = np.zeros(2), np.full((2, 2), -1.0)
    with pytest.raises(TypeError, match=r"mass_matrix\(q, \*, out=None\) takes 1 positional"):
        robot.mass_matrix(q, out)
    with pytest.raises(ValueError, match=r"argument 'wrenches' must have shape \(..., 2, 6\)"):
        robot.inverse_dynamics(q, q, q, out[0])
    assert (out == -1.0).all()


@pytest.mark.parametrize("values", [1j, "x", None, np.longdouble(1), object()])
def test_wrong_dtypes_name_the_argument(robot: Robot, values: Any) -> None:
    bad = np.array([values, values])
    with pytest.raises(TypeError, match="argument 'v' must be real float64 or float32, found"):
        robot.inverse_dynamics(np.zeros(2), bad, np.zeros(2))
    bad = np.array(["2020-01-01", "2020-01-02"], dtype="datetime64[D]")
    with pytest.raises(TypeError, match="argument 'q' must be real"):
        robot.mass_matrix(bad)


def test_wrong_number_of_arguments(robot: Robot) -> None:
    q = np.zeros(2)
    named = "out=None, base_twist=None, base_acceleration=None"
    called = rf"inverse_dynamics\(q, v, a, wrenches=None, \*, {named}\)"
    with pytest.raises(TypeError, match=rf"argument 'a' is missing.*{called}"):
        robot.inverse_dynamics(q, q)
    with pytest.raises(TypeError, match=rf"{called} takes 4 positional arguments, found 5"):
        robot.inverse_dynamics(q, q, q, q, q)
    with pytest.raises(TypeError, match=r"argument 'q' is missing.*mass_matrix\(q, \*, out=None\)"):
        robot.mass_matrix()
    with pytest.raises(TypeError, match="argument 'a' is missing"):
        robot.inverse_dynamics(q=q, v=q)
    with pytest.raises(TypeError, match="argument 'q' is given twice"):
        robot.inverse_dynamics(q, q, q, q=q)
    with pytest.raises(TypeError, match="color"):
        robot.mass_matrix(q, color="red")
    with pytest.raises(TypeError, match="wrenches"):
        robot.mass_matrix(q, wrenches=np.zeros((2, 6)))


def test_arguments_by_name(robot: Robot) -> None:
    q, v, a = np.random.default_rng(0).normal(size=(3, 2))
    expected = robot.inverse_dynamics(q, v, a)
    for call in (
        {"args": (q, v), "a": a},
        {"args": (q,), "a": a, "v": v},
        {"args": (), "v": v, "q": q, "a": a},
    ):
        args = call.pop("args")
        np.testing.assert_array_equal(robot.inverse_dynamics(*args, **call), expected)
        out = np.empty(2)
        assert robot.inverse_dynamics(*args, **call, out=out) is out
        np.testing.assert_array_equal(out, expected)
    assert robot.inverse_dynamics(q=q, v=v, a=a, dtype=np.float32).dtype == np.float32
    np.testing.assert_array_equal(robot.inverse_dynamics(q, v, a, wrenches=None), expected)


def test_wrenches_by_name(robot: Robot) -> None:
    rng = np.random.default_rng(1)
    q, v, a = rng.normal(size=(3, 7, 2))
    w = rng.normal(size=(7, 2, 6))
    push = robot.external_forces(q, w)
    tau = robot.inverse_dynamics(q, v, a, wrenches=w)
    assert_close(tau, robot.inverse_dynamics(q, v, a) - push, 1e-13)
    assert_close(robot.forward_dynamics(q, v, tau, wrenches=w), a, 1e-12)
    one = robot.inverse_dynamics(q, v, a, wrenches=w[0])  # broadcasts
    assert_close(one, robot.inverse_dynamics(q, v, a) - robot.external_forces(q, w[0]), 1e-13)
    out = np.empty((7, 2))
    assert robot.inverse_dynamics(q, v, a=a, wrenches=w, out=out) is out
    np.testing.assert_array_equal(out, tau)
    single = [x.astype("f") for x in (q, v, a)]
    assert robot.inverse_dynamics(*single, wrenches=w.astype("f")).dtype == np.float32


def test_configurations_check_their_arguments(robot: Robot) -> None:
    with pytest.raises(ValueError, match=r"argument 'dv' must have shape \(..., 2\), found \(3,\)"):
        robot.integrate(np.zeros(2), np.zeros(3))
    with pytest.raises(ValueError, match="argument 'q1' must have shape"):
        robot.difference(np.zeros(2), 0.0)
    np.testing.assert_array_equal(robot.integrate([0, 1], [1, 1]), (1.0, 2.0))


# ------------------------------------------------------------------ looking inside


def test_ufunc_is_numpys(robot: Robot) -> None:
    ufunc = robot.inverse_dynamics.ufunc
    assert type(ufunc) is np.ufunc
    assert ufunc.signature == "(2),(2),(2)->(2)"
    assert (ufunc.nin, ufunc.nout) == (3, 1)
    assert ufunc.types == ["fff->f", "ddd->d"]
    assert ufunc.__name__ == "inverse_dynamics"
    assert "Inverse dynamics" in ufunc.__doc__
    rates = robot.inverse_dynamics.rates(1).ufunc
    assert rates.signature == "(2),(2),(2),(2)->(2),(2)"
    q = np.zeros((3, 2))
    for char in "fd":
        np.testing.assert_array_equal(ufunc(*[q.astype(char)] * 3).dtype, char)
    axes = ufunc(q.T, q.T, q.T, axes=[0, 0, 0, 0])
    np.testing.assert_array_equal(axes.T, ufunc(q, q, q))


def test_warmup_compiles_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = Robot(quiet_read("planar_2r"))
    assert fresh.mass_matrix.warmup() is fresh.mass_matrix
    assert fresh.mass_matrix.warmup("f") is fresh.mass_matrix

    def never(self: Any, char: str) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr(BoundQuantity, "compile_kernel", never)
    for char in "fd":
        fresh.mass_matrix(np.zeros((3, 2), char))
        fresh.mass_matrix(np.zeros(2, char))


@pytest.mark.parametrize("dtype", ["float16", "int64", complex, "g"])
def test_only_two_dtypes_can_be_compiled(robot: Robot, dtype: Any) -> None:
    with pytest.raises(ValueError, match="dtype must be float64 or float32, found"):
        robot.mass_matrix.warmup(dtype)
    with pytest.raises(ValueError, match="dtype must be float64 or float32, found"):
        robot.mass_matrix.lower(dtype)


def test_lower_shows_the_code(robot: Robot) -> None:
    lowered = robot.inverse_dynamics.lower()
    assert lowered.signature == "(2),(2),(2)->(2)"
    assert lowered.operations == sum(lowered.counts.values()) > 10
    assert "define i32 @jounce_kernel" in lowered.text
    assert "double" in lowered.text
    assert "sin" in lowered.counts
    assert repr(lowered).startswith(f"<(2),(2),(2)->(2): {lowered.operations} operations (")
    assert "x float>" in robot.inverse_dynamics.lower("f").text


# ------------------------------------------------------------------ copies


@pytest.mark.parametrize("way", ["pickle", "copy", "deepcopy"])
def test_robots_can_be_copied(small: Robot, way: str) -> None:
    def again(x: Any) -> Any:
        if way == "pickle":
            return pickle.loads(pickle.dumps(x))
        return getattr(copy, way)(x)

    q, v = small.random(0), np.ones(small.nv)
    expected = small.bias_forces(q, v)
    other = again(small)
    assert isinstance(other, Robot)
    assert other is not small
    assert other.model.digest() == small.model.digest()
    assert other.model.joint_names == small.model.joint_names
    np.testing.assert_array_equal(other.bias_forces(q, v), expected)
    frame = again(small.frame("tool"))
    assert isinstance(frame, Frame)
    np.testing.assert_array_equal(frame.pose(q), small.frame("tool").pose(q))
    model = again(small.model)
    assert model.digest() == small.model.digest()


@pytest.mark.parametrize("way", ["pickle", "deepcopy"])
def test_quantities_can_be_copied(robot: Robot, way: str) -> None:
    """Pickled as multiprocessing pickles the function of a pool."""
    q, v = np.ones(2), np.full(2, 0.5)
    for item, given in (
        (robot.mass_matrix, (q,)),
        (robot.mass_matrix.dt, (q, v)),
        (robot.mass_matrix.rates(1), (q, v)),
        (robot.frame("tool").jacobian, (q,)),
        (robot.frame("tool").jacobian.dt, (q, v)),
    ):
        again = pickle.loads(pickle.dumps(item)) if way == "pickle" else copy.deepcopy(item)
        assert repr(again) == repr(item)
        np.testing.assert_array_equal(again(*given), item(*given))


# ------------------------------------------------------------------ threads


@pytest.fixture
def two_threads() -> Iterator[None]:
    before = jounce.get_num_threads()
    jounce.set_num_threads(2)
    yield
    jounce.set_num_threads(before)


@contextlib.contextmanager
def many_slices(*items: BoundQuantity) -> Iterator[None]:
    """Let quantities treat every batch as a large one."""
    kernels = [item.kernel.compile(char) for item in items for char in "fd"]
    before = [kernel.large for kernel in kernels]
    for kernel in kernels:
        kernel.large = 1
    yield
    for kernel, large in zip(kernels, before, strict=True):
        kernel.large = large


@pytest.mark.parametrize("char", ["d", "f"])
@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_threads_change_no_bit(small: Robot, count: int, char: str) -> None:
    rng = np.random.default_rng(2)
    tau, rates = small.inverse_dynamics, small.momentum.rates(1)
    before = jounce.get_num_threads()
    for n in (1, 2, 3, 5, 17, 100):
        q, v, a = small.random(rng, n).astype(char), *rng.normal(size=(2, n, small.nv)).astype(char)
        expected, levels = tau.ufunc(q, v, a), rates.ufunc(q, v, a)
        one = tau.ufunc(q, v[0], a)
        try:
            jounce.set_num_threads(count)
            with many_slices(tau, rates):
                results = [tau(q, v, a), tau(q, v, a, out=np.empty_like(expected))]
                results.append(tau(np.asfortranarray(q), v[::-1].copy()[::-1], a))
                results.append(tau(q[:, None], v[:, None], a[:, None])[:, 0])
                some = tau(q, v[0], a)
                tuples = [rates(q, v, a), rates(q, v, a, out=tuple(map(np.empty_like, levels)))]
        finally:
            jounce.set_num_threads(before)
        for result in results:
            assert result.dtype == char
            np.testing.assert_array_equal(result, expected)
        np.testing.assert_array_equal(some, one)
        for found in tuples:
            assert isinstance(found, tuple)
            for level, wanted in zip(found, levels, strict=True):
                np.testing.assert_array_equal(level, wanted)


def test_threads_on_a_really_large_batch(robot: Robot, two_threads: None) -> None:
    q = robot.random(3, 500_000)
    assert q.size >= robot.mass_matrix.kernel.compile("d").large
    expected = robot.mass_matrix.ufunc(q)
    np.testing.assert_array_equal(robot.mass_matrix(q), expected)
    jounce.set_num_threads(1)
    np.testing.assert_array_equal(robot.mass_matrix(q), expected)


@pytest.mark.usefixtures("two_threads")
def test_large_batches_in_odd_calls(robot: Robot) -> None:
    """Calls that cannot be sliced do what they do on small batches."""
    tau = robot.inverse_dynamics
    q, v, a = np.random.default_rng(4).normal(size=(3, 40, 2))
    expected = tau.ufunc(q, v, a)
    with many_slices(tau):
        np.testing.assert_array_equal(tau(q, v, a, None), expected)
        np.testing.assert_array_equal(tau(q, v=v, a=a), expected)
        np.testing.assert_array_equal(tau(q.tolist(), v, a.astype(object).astype(float)), expected)
        np.testing.assert_array_equal(tau(q, v, a, dtype="d"), expected)
        shared = q.copy()
        assert tau(shared, v, a, out=shared) is shared
        np.testing.assert_array_equal(shared, expected)
        whole = np.round(q).astype(np.int64)
        np.testing.assert_array_equal(tau(whole, v, a), tau.ufunc(whole, v, a))
        small_ints = np.round(q).astype(np.int8)
        assert tau(small_ints, small_ints, small_ints).dtype == np.float64
        with pytest.raises(ValueError, match="argument 'v' must have shape"):
            tau(q, v[:, :1], a)
        with pytest.raises(ValueError, match="broadcast"):
            tau(q, v[:3], a)
        with pytest.raises(TypeError, match="argument 'q' must be real"):
            tau(q + 0j, v, a)
        with pytest.raises(TypeError, match="argument 'a' is missing"):
            tau(q, v)
        locked = np.empty_like(expected)
        locked.setflags(write=False)
        with pytest.raises(ValueError, match="read-only"):
            tau(q, v, a, out=locked)
        with pytest.raises(ValueError, match=r"out|operand|shape"):
            tau(q, v, a, out=np.empty((39, 2)))


class Tagged(np.ndarray):
    """An array type that results should keep."""


class Overriding(np.ndarray):
    """An array type that has a say in NumPy's functions."""

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> str:
        return f"{ufunc.__name__} on its own terms"


@pytest.mark.parametrize("large", [False, True])
def test_array_types_are_kept(robot: Robot, large: bool) -> None:
    """Large batches follow NumPy's protocols as small ones do."""
    item = robot.mass_matrix
    q = np.zeros((40, 2)).view(Tagged)
    with many_slices(item) if large else contextlib.nullcontext():
        assert type(item(q)) is Tagged
        assert item(q.view(Overriding)) == "mass_matrix on its own terms"


@pytest.mark.parametrize("n", [0, -1, 1.0, 2.5, True, "2", None])
def test_bad_numbers_of_threads_are_refused(n: Any) -> None:
    before = jounce.get_num_threads()
    with pytest.raises(ValueError, match="must be a positive integer, found"):
        jounce.set_num_threads(n)
    assert jounce.get_num_threads() == before


def test_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    before = jounce.get_num_threads()
    jounce.set_num_threads(np.int64(3))
    assert jounce.get_num_threads() == 3
    jounce.set_num_threads(before)
    for given, expected in ((" 5 ", 5), ("1", 1)):
        monkeypatch.setenv("JOUNCE_NUM_THREADS", given)
        assert threads._default_count() == expected
    for given in ("0", "-1", "two", "1.5"):
        monkeypatch.setenv("JOUNCE_NUM_THREADS", given)
        with pytest.raises(ValueError, match="JOUNCE_NUM_THREADS must be an integer from 1 to"):
            threads._default_count()
    for given in ("", " "):
        monkeypatch.setenv("JOUNCE_NUM_THREADS", given)
        assert threads._default_count() >= 1


@pytest.mark.usefixtures("two_threads")
@pytest.mark.parametrize("sick", [0, 39])
def test_threads_take_errstate_along(robot: Robot, sick: int) -> None:
    item = robot.mass_matrix
    q = np.zeros((40, 2))
    q[sick, 1] = np.inf
    with many_slices(item):
        with np.errstate(invalid="raise"), pytest.raises(FloatingPointError):
            item(q)
        with np.errstate(invalid="ignore"):
            assert np.isnan(item(q)[sick]).any()
        with np.errstate(invalid="warn"), pytest.warns(RuntimeWarning, match="invalid"):
            item(q)


def test_many_python_threads_at_once() -> None:
    """Twelve threads meet a robot on which nothing is compiled, and all get the same numbers."""
    fresh = Robot(quiet_read("planar_2r"))
    q = fresh.random(5, 50)
    v = np.ones((50, 2))
    start = threading.Barrier(12)

    def work(k: int) -> list[np.ndarray]:
        start.wait(30)
        out = [fresh.mass_matrix(q), fresh.coriolis_matrix(q, v), fresh.mass_matrix.dt(q, v)]
        out += [fresh.mass_matrix(q.astype("f")), fresh.frame("tool").pose(q)]
        one = np.empty((2, 2))
        for i in range(50):
            np.testing.assert_array_equal(fresh.mass_matrix(q[i], out=one), out[0][i])
        out.append(fresh.inverse_dynamics(q, v, v, wrenches=np.zeros((2, 6))))
        return out

    with ThreadPoolExecutor(12) as pool:
        results = list(pool.map(work, range(12)))
    for other in results[1:]:
        for x, y in zip(results[0], other, strict=True):
            np.testing.assert_array_equal(x, y)


# ------------------------------------------------------------------ memory


def use_everything(robot: Robot) -> None:
    q, v = robot.random(0), np.ones(robot.nv)
    robot.mass_matrix(q)
    robot.mass_matrix(q, out=np.empty((robot.nv, robot.nv)))
    robot.mass_matrix.dt(q, v)
    robot.mass_matrix.rates(1)(q, v)
    robot.inverse_dynamics(q, v, v, wrenches=np.zeros((robot.nb, 6)))
    robot.frame("tool").jacobian(q)
    robot.frame("tool").jacobian.dt(q, v)
    with pytest.raises(ValueError, match="shape"):
        robot.mass_matrix(q[:1])


def evaluables() -> int:
    gc.collect()
    # by type: some objects of other libraries warn when they are asked for their class
    return sum(issubclass(type(x), BoundQuantity) for x in gc.get_objects())


def test_a_gufunc_outlives_its_robot() -> None:
    mortal = Robot(quiet_read("planar_2r"))
    q = mortal.random(6, 20)
    expected = mortal.mass_matrix(q)
    ufunc, gone = mortal.mass_matrix.ufunc, weakref.ref(mortal)
    del mortal
    gc.collect()
    assert gone() is None
    np.testing.assert_array_equal(ufunc(q), expected)
    np.testing.assert_array_equal(ufunc(q.astype("f")).dtype, np.float32)


def test_a_quantity_keeps_what_it_needs() -> None:
    item = Robot(quiet_read("planar_2r")).mass_matrix  # the robot has no other name
    gc.collect()
    q = np.zeros(2)
    np.testing.assert_array_equal(item(q), item(q, out=np.empty((2, 2))))
    np.testing.assert_array_equal(item.dt(q, q), np.zeros((2, 2)))
    call = item.__call__
    del item
    gc.collect()
    assert call(q).shape == (2, 2)


def test_nothing_of_a_robot_stays_behind() -> None:
    use_everything(Robot(quiet_read("planar_2r")))
    before = evaluables()
    mortal = Robot(quiet_read("planar_2r"))
    use_everything(mortal)
    assert evaluables() > before
    gone = [weakref.ref(mortal), weakref.ref(mortal.mass_matrix), weakref.ref(mortal.tree)]
    gone.append(weakref.ref(mortal.mass_matrix.kernel.compile("d")))
    del mortal
    assert evaluables() == before
    assert [x() for x in gone] == [None] * len(gone)


def test_robots_that_come_and_go_leave_no_memory_behind() -> None:
    code = """
        import gc

        import numpy as np
        import psutil

        import jounce

        def generation(n):
            for _ in range(n):
                mortal = jounce.load("planar_2r")
                mortal.mass_matrix(np.zeros(2), out=np.empty((2, 2)))
                del mortal
                gc.collect()

        generation(20)
        process = psutil.Process()
        before = process.memory_info().rss
        generation(40)
        print(process.memory_info().rss - before)
    """
    done = run(code)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 2 << 20


def run(code: str, timeout: float = 60.0, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(code)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=timeout, check=False, **options
    )


# ------------------------------------------------------------------ processes


def in_child(robot: Robot, q: np.ndarray, pipe: Any) -> None:
    try:
        jounce.set_num_threads(2)
        with many_slices(robot.mass_matrix):
            pipe.send([robot.mass_matrix(q), robot.gravity_forces(q), robot.frame("tool").pose(q)])
    except Exception as error:  # let the parent say what went wrong
        pipe.send(error)
    pipe.close()


@pytest.mark.usefixtures("two_threads")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_other_processes(robot: Robot, method: str) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {method} here")
    q = robot.random(7, 100)
    with many_slices(robot.mass_matrix):  # threads of the parent's are running
        M = robot.mass_matrix(q)
    expected = [M, robot.gravity_forces(q), robot.frame("tool").pose(q)]
    context = multiprocessing.get_context(method)
    mine, theirs = context.Pipe(duplex=False)
    process = context.Process(target=in_child, args=(robot, q, theirs))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python >= 3.12, on fork with threads
        process.start()
    theirs.close()
    try:
        assert mine.poll(60), "the child does not answer"
        results = mine.recv()
    finally:
        process.join(10)
        if process.is_alive():
            process.kill()
    assert not isinstance(results, Exception), results
    for result, wanted in zip(results, expected, strict=True):
        np.testing.assert_array_equal(result, wanted)
    assert process.exitcode == 0


def test_a_bad_environment_is_reported_at_import() -> None:
    result = run("import jounce", env={**os.environ, "JOUNCE_NUM_THREADS": "many"})
    assert result.returncode != 0
    assert (
        f"JOUNCE_NUM_THREADS must be an integer from 1 to {threads.MAX_THREADS}, found 'many'"
        in result.stderr
    )


def test_results_too_large_for_memory_say_so():
    robot = Robot(quiet_read("iiwa14_mueller_kumar2021"))
    q = np.broadcast_to(robot.neutral(), (10**12, robot.nq))
    v = np.broadcast_to(np.zeros(robot.nv), (10**12, robot.nv))
    with pytest.raises(MemoryError, match=r"2,744 bytes per sample.*hessian"):
        robot.inverse_dynamics.dqq(q, v, v)
