"""Arrays of other libraries: taken by their values, or refused with a sentence."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.arrays.validation import plain
from jounce.errors import ArgumentError
from jounce.robot import Robot
from support.helpers import quiet_read, small_model


@pytest.fixture(scope="module")
def arm() -> Robot:
    return Robot(quiet_read("planar_2r"))


class Tensor:
    """The shape of PyTorch's interface: `size` is a method, numbers come by protocols."""

    requires_grad = False
    device = "cpu"

    def __init__(self, values: Any, dtype: str = "d") -> None:
        self.values = np.array(values, dtype)

    def size(self) -> tuple[int, ...]:
        return self.values.shape

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if self.requires_grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad.")
        return self.values if dtype is None else self.values.astype(dtype)

    def __dlpack__(self, **options: Any) -> Any:
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.values.__dlpack_device__()


class OnlyDlpack:
    """What offers nothing but DLPack, on some device."""

    def __init__(self, values: Any, device: int = 1) -> None:
        self.values, self.kind = np.array(values), device

    def __dlpack__(self, **options: Any) -> Any:
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.kind, 0


class OnlyArray:
    """What offers nothing but `__array__`, of the old kind."""

    def __init__(self, values: Any) -> None:
        self.values = np.array(values)

    def __array__(self) -> np.ndarray:
        return self.values


class Namespace(Tensor):
    """An array of the array API, whose arrays need not be NumPy's."""

    def __array_namespace__(self, api_version: str | None = None) -> Any:
        return np


class WithMethods(np.ndarray):
    """A subclass of numpy.ndarray."""


#: Ways to give an array, all of the same numbers.
WAYS: dict[str, Callable[[np.ndarray], Any]] = {
    "tensor": Tensor,
    "float32": lambda x: Tensor(x, "f"),
    "dlpack": OnlyDlpack,
    "pinned": lambda x: OnlyDlpack(x, 3),
    "array": OnlyArray,
    "namespace": Namespace,
    "list": lambda x: x.tolist(),
    "matrix": lambda x: np.matrix(np.atleast_2d(x)),
    "unmasked": np.ma.array,
    "memoryview": memoryview,
    "subclass": lambda x: x.view(WithMethods),
    "swapped": lambda x: x.astype(">f8"),
}


@pytest.mark.parametrize("way", WAYS)
def test_arrays_of_any_kind(arm: Robot, way: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)  # numpy.matrix
        q, v, a = (WAYS[way](x) for x in np.arange(1.0, 13.0).reshape(3, 2, 2) / 8)
    straight = np.arange(1.0, 13.0).reshape(3, 2, 2) / 8  # exact in float32
    if way == "float32":
        straight = straight.astype("f")
    found = {
        "mass_matrix": arm.mass_matrix(q),
        "inverse_dynamics": arm.inverse_dynamics(q, v, a),
        "named": arm.inverse_dynamics(q=q, v=v, a=a),
        "derivatives": arm.inverse_dynamics.derivatives(q, v, a),
        "rates": arm.mass_matrix.rates(2)(q, v, a),
        "pose": arm.frame("tool").pose(q),
        "parametric": arm.parametric.bias_forces(q, v, arm.model.parameters.astype(straight.dtype)),
        "integrate": arm.integrate(q, v),
        "difference": arm.difference(q, v),
        "elastic": arm.elastic_inverse_dynamics(q, v, a, v, a, 1e3),
    }
    q, v, a = straight
    expected = {
        "mass_matrix": arm.mass_matrix(q),
        "inverse_dynamics": arm.inverse_dynamics(q, v, a),
        "named": arm.inverse_dynamics(q, v, a),
        "derivatives": arm.inverse_dynamics.derivatives(q, v, a),
        "rates": arm.mass_matrix.rates(2)(q, v, a),
        "pose": arm.frame("tool").pose(q),
        "parametric": arm.parametric.bias_forces(q, v, arm.model.parameters.astype(q.dtype)),
        "integrate": arm.integrate(q, v),
        "difference": arm.difference(q, v),
        "elastic": arm.elastic_inverse_dynamics(q, v, a, v, a, 1e3),
    }
    for name, value in expected.items():
        pairs = zip(
            found[name] if isinstance(value, tuple) else [found[name]],
            value if isinstance(value, tuple) else [value],
            strict=True,
        )
        for one, other in pairs:
            assert one.dtype == other.dtype == straight.dtype, name
            np.testing.assert_array_equal(one, other, err_msg=name)


def test_single_samples_of_other_libraries(arm: Robot) -> None:
    """Where the shortcut for single samples is in place."""
    q = np.array((0.5, 0.25))
    expected = arm.mass_matrix(q)
    for _ in range(3):
        np.testing.assert_array_equal(arm.mass_matrix(Tensor(q)), expected)
        np.testing.assert_array_equal(arm.mass_matrix(OnlyDlpack(q)), expected)
        np.testing.assert_array_equal(arm.mass_matrix(q), expected)


# ------------------------------------------------------------------ refused


class Lazy(OnlyArray):
    def __dask_graph__(self) -> dict[str, int]:
        return {"x": 1}


class Tracked(Tensor):
    requires_grad = True


class OnCuda:
    __cuda_array_interface__: dict[str, Any] = {}  # noqa: RUF012
    device = "cuda:0"


class Nowhere:
    device = "meta"

    def __dlpack_device__(self) -> tuple[int, int]:
        raise ValueError("Unknown device type meta for Dlpack")


class Measured(OnlyArray):
    unit = "deg"

    def to(self, unit: str) -> Any:
        return self


class Failing:
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        raise RuntimeError("Got unsupported ScalarType BFloat16\nand more that nobody wants")


REFUSED: dict[str, tuple[Any, type[Exception], str]] = {
    "masked": (
        np.ma.array((0.1, 0.2), mask=(False, True)),
        TypeError,
        r"\(numpy\.MaskedArray\) has 1 of its 2 numbers masked; pass \.filled\(np\.nan\)",
    ),
    "dask": (Lazy((0.1, 0.2)), TypeError, r"is lazy; pass its \.compute\(\).*map_blocks"),
    "gradient": (Tracked((0.1, 0.2)), TypeError, r"requires a gradient.*\.detach\(\)"),
    "cuda": (
        [OnCuda()],
        TypeError,
        r"is on cuda:0; copy it to the CPU .* of one library, and not in a list",
    ),
    "gpu": (
        OnlyDlpack((0.1, 0.2), 10),  # ROCm's
        TypeError,
        "is on another device; copy it to the CPU",
    ),
    "nowhere": (Nowhere(), TypeError, "is on meta"),
    "units": (Measured((0.1, 0.2)), TypeError, "has units; pass its numbers in rad"),
    "failing": (
        Failing(),
        TypeError,
        r"cannot be converted to an array: Got .* ScalarType BFloat16$",
    ),
    "complex": (Tensor((1j, 2.0), "D"), TypeError, "must be real.*found complex128 of .*Tensor"),
    "long": (np.array((0.1, 0.2), "g"), TypeError, "must be real float64 or float32, found"),
    "text": (["a", "b"], TypeError, "must be real float64 or float32, found text in list"),
    "nothing": (None, TypeError, "must be real float64 or float32, found None"),
    "ragged": ([[0.1], [0.1, 0.2]], ValueError, "is not an array: "),
    "shape": (Tensor((0.1, 0.2, 0.3)), ValueError, r"must have shape \(\.\.\., 2\), found \(3,\)"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_with_a_sentence(arm: Robot, case: str) -> None:
    given, error, message = REFUSED[case]
    q = np.zeros(2)
    for call in (
        lambda: arm.inverse_dynamics(q, given, q),
        lambda: arm.inverse_dynamics(q, a=q, v=given),
        lambda: arm.inverse_dynamics.derivatives(q, given, q),
        lambda: arm.bias_forces.rates(1)(q, given, q),
        lambda: arm.integrate(q, given),
        lambda: arm.elastic_inverse_dynamics(q, given, q, q, q, 1e3),
    ):
        with pytest.raises(error, match=f"(?s)argument 'd?v'.*{message}"):
            call()


def test_arrays_are_not_copied() -> None:
    x = np.arange(6.0).reshape(3, 2)
    for given in (x, Tensor(x), OnlyDlpack(x), x.view(WithMethods), memoryview(x)):
        numbers = plain(given, "x")
        original = getattr(given, "values", x)
        assert np.shares_memory(numbers, original)
    assert type(plain(x.view(WithMethods), "x")) is WithMethods


# ------------------------------------------------------------------ the libraries themselves


def test_pandas() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    robot = Robot(small_model())
    q, v = robot.random(0, 4), np.linspace(0.0, 1.0, 4 * robot.nv).reshape(4, robot.nv)
    frames = [pandas.DataFrame(x) for x in (q, v)]
    expected = robot.bias_forces(q, v)
    np.testing.assert_array_equal(robot.bias_forces(*frames), expected)
    np.testing.assert_array_equal(
        robot.bias_forces(frames[0].iloc[1], v), robot.bias_forces(q[1], v)
    )
    narrow = robot.bias_forces(*(x.astype("float32") for x in frames))
    assert narrow.dtype == np.float32
    frames = [x.astype("Float64") for x in frames]
    frames[1].iloc[2, 0] = pandas.NA
    found = robot.bias_forces(*frames)
    assert np.isnan(found[2]).all()
    np.testing.assert_array_equal(np.delete(found, 2, 0), np.delete(expected, 2, 0))
    assert plain(frames[1].astype("Float32"), "x").dtype == np.float32
    for bad in (pandas.Series(["1", "2"]), pandas.DataFrame({"a": [1.0], "b": ["2"]})):
        with pytest.raises(TypeError, match=r"x must be real.*found object of pandas\."):
            plain(bad, "x")


def test_the_array_api() -> None:
    strict = pytest.importorskip("array_api_strict", reason="array-api-strict is not installed")
    for kind in ("float32", "float64"):
        found = plain(strict.asarray((1.0, 2.0), dtype=getattr(strict, kind)), "x")
        np.testing.assert_array_equal(found, np.array((1.0, 2.0), kind))
        assert found.dtype == kind
    with pytest.raises(TypeError, match="must be real"):
        plain(strict.asarray((1j, 2.0)), "x")


def test_arrow() -> None:
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    np.testing.assert_array_equal(plain(arrow.array((1.0, None, 3.0)), "x"), (1.0, np.nan, 3.0))
    assert plain(arrow.table({"a": [1.0, 2.0], "b": [3.0, 4.0]}), "x").shape == (2, 2)


def test_masks_inside_lists_are_refused() -> None:
    robot = jounce.load("planar_2r")
    with pytest.raises(TypeError, match="1 of its 2 numbers masked"):
        robot.gravity_forces([[np.ma.array([1.0, 2.0], mask=[True, False])]])


def test_defaults_numbers_and_byte_order_decide_no_precision() -> None:
    robot = jounce.load("planar_2r")
    x = np.ones(2, np.float32)
    small = np.zeros((2, 6), np.int8)
    assert robot.inverse_dynamics.dt(x, x, x, x, wrenches=small).dtype == np.float32
    assert (
        robot.parametric.inverse_dynamics(x, x, x, robot.model.parameters, small).dtype
        == np.float64
    )
    assert robot.gravity_forces(np.ones(2, ">f4")).dtype == np.float32
    for count in (1, 200_000):  # the second on threads
        many = np.ones((count, 2), np.float32)
        found = robot.inverse_dynamics.dpi(many, many, many, extended=True, smoothing=0.1)
        assert found.dtype == np.float32


def test_out_is_an_array_of_the_right_shape() -> None:
    robot = jounce.load("planar_2r")
    q = np.ones(2)
    pandas = pytest.importorskip("pandas", reason="pandas is part of the test extra")
    for out in ([q], pandas.Series([0.0, 0.0])):
        with pytest.raises(TypeError, match=r"out must be a numpy\.ndarray"):
            robot.gravity_forces(q, out=out)
    with pytest.raises(ValueError, match=r"out must have shape \(3, 2\), found \(4, 2\)"):
        robot.gravity_forces(np.ones((3, 2)), out=np.empty((4, 2)))
    with pytest.raises(ValueError, match="tuple of 4 arrays, found 2"):
        robot.inverse_dynamics.derivatives(q, q, q, out=(q, q))
    with pytest.raises(ValueError, match=r"batch axes do not broadcast: q \(2,\), v \(3,\)"):
        robot.bias_forces(np.ones((2, 2)), np.ones((3, 2)))


# ------------------------------------------------------------------ columns of tables


def test_columns_in_another_order_are_refused(arm: Robot) -> None:
    """Rather than taken by their places."""
    pd: Any = pytest.importorskip("pandas")
    names = arm.labels("v")
    x = np.random.default_rng(3).normal(size=(4, 2))
    table = pd.DataFrame(x, columns=names)
    turned = table[names[::-1]]
    wrong = (
        r"must have joint1, joint2 along its columns, in this order, found joint2, joint1; reorder"
    )
    np.testing.assert_array_equal(arm.mass_matrix(table), arm.mass_matrix(x))
    calls: dict[str, Callable[[Any], Any]] = {
        "inverse_dynamics: argument 'q'": lambda t: arm.inverse_dynamics(t, x, x),
        "inverse_dynamics: argument 'v'": lambda t: arm.inverse_dynamics(x, t, x),
        "inverse_dynamics: argument 'a'": lambda t: arm.inverse_dynamics(x, x, a=t),
        "parametric.mass_matrix: argument 'q'": lambda t: arm.parametric.mass_matrix(
            t, arm.model.parameters
        ),
        "pose: argument 'q'": lambda t: arm.frame("tool").pose(t),
        "vjp: argument 'lam'": lambda t: arm.inverse_dynamics.vjp(x, x, x, t),
        "contains: argument 'q'": lambda t: arm.limits.contains(t),
        "clip: argument 'q'": lambda t: arm.limits.clip(t),
        "rollout: argument 'taus'": lambda t: arm.rollout(x[0], x[0], t, 0.01),
        "rollout.vjp: argument 'taus'": lambda t: arm.rollout.vjp(
            x[0], x[0], t, 0.01, np.ones((5, 2)), np.ones((5, 2))
        ),
    }
    for begin, call in calls.items():
        call(table)
        with pytest.raises(jounce.ArgumentError, match=f"{begin} {wrong}"):
            call(turned)
    with pytest.raises(jounce.ArgumentError, match=wrong):
        arm.mass_matrix(turned.iloc[0])
    np.testing.assert_array_equal(arm.mass_matrix(table.iloc[0]), arm.mass_matrix(x[0]))
    for others in (["b", "a"], ["joint2", "joint3"], [1, 0], None):
        columns = pd.DataFrame(x, columns=others)
        np.testing.assert_array_equal(arm.mass_matrix(columns), arm.mass_matrix(x))


def test_columns_of_other_tables(arm: Robot) -> None:
    class Table(OnlyArray):
        """As Polars and Arrow have it."""

    for name in ("columns", "column_names"):
        table = Table(np.zeros((4, 2)))
        setattr(table, name, ["joint2", "joint1"])
        with pytest.raises(jounce.ArgumentError, match="found joint2, joint1"):
            arm.mass_matrix(table)
        setattr(table, name, ["joint1", "joint2"])
        assert arm.mass_matrix(table).shape == (4, 2, 2)


def test_columns_beside_other_arrays(arm: Robot) -> None:
    """Which have a say in what kind of call it is."""
    pd: Any = pytest.importorskip("pandas")
    da: Any = pytest.importorskip("dask.array")
    turned = pd.DataFrame(np.zeros((4, 2)), columns=arm.labels("v")[::-1])
    lazy = da.zeros((4, 2), chunks=2)
    with pytest.raises(jounce.ArgumentError, match="argument 'v' must have joint1, joint2"):
        arm.bias_forces(lazy, turned)
    with pytest.raises(jounce.ArgumentError, match="argument 'v0' must have joint1, joint2"):
        arm.rollout(lazy, turned, np.zeros((3, 2)), 0.01)


def test_columns_of_mechanisms_and_groups() -> None:
    """Independent joints have an order of their own; what has no joints knows no names."""
    pd: Any = pytest.importorskip("pandas")
    closed = jounce.load("five_bar").closed(("joint4", "joint1"))
    q = closed.reference
    v = pd.DataFrame([[0.1, 0.2]], columns=["joint4", "joint1"])
    np.testing.assert_array_equal(
        closed.kinetic_energy(q, v), closed.kinetic_energy(q, [[0.1, 0.2]])
    )
    with pytest.raises(jounce.ArgumentError, match="'v' must have joint4, joint1 along its col"):
        closed.kinetic_energy(q, v[["joint1", "joint4"]])
    turns = pd.DataFrame(np.zeros((2, 3)), columns=list("zyx"))
    assert jounce.lie.so3.exp(turns).shape == (2, 3, 3)


def test_wrong_places_for_results_are_explained(arm: Robot) -> None:
    q = np.zeros((3, 2))
    locked = np.zeros((3, 2))
    locked.flags.writeable = False
    structured = np.zeros((3, 2), [("x", float)])
    for out, error, message in (
        (locked, ArgumentError, "out must be writable, found a read-only array"),
        (np.zeros((2, 3)), ArgumentError, r"out must have shape \(3, 2\), found \(2, 3\)"),
        (np.zeros((3, 2), int), TypeError, "a dtype that holds float64, found int64"),
        (structured, TypeError, "a dtype that holds float64, found "),
        ((), ArgumentError, "out must be one array, found 0"),
    ):
        with pytest.raises(error, match=message):
            arm.gravity_forces(q, out=out)
    with pytest.raises(ArgumentError, match="out must be a tuple of 4 arrays, found 1"):
        arm.inverse_dynamics.derivatives(q, q, q, out=locked)
    for dtype in (int, "nonsense"):
        with pytest.raises(ArgumentError, match="dtype must be float64 or float32, found"):
            arm.gravity_forces(q, dtype=dtype)


@pytest.mark.parametrize(
    "out", [np.zeros((2, 3)).T, np.zeros((3, 4))[:, ::2], np.zeros((3, 2), ">f8")]
)
def test_results_go_into_any_layout(arm: Robot, out: np.ndarray) -> None:
    q = arm.random(0, 3)
    assert arm.gravity_forces(q, out=out) is out
    np.testing.assert_array_equal(out, arm.gravity_forces(q))


def test_results_may_overlap_with_arguments(arm: Robot) -> None:
    q = arm.random(0, 4)
    memory = np.zeros((6, 2))
    memory[:4] = q
    np.testing.assert_array_equal(
        arm.gravity_forces(memory[:4], out=memory[1:5]), arm.gravity_forces(q)
    )


@pytest.mark.parametrize("x", [{1.0, 2.0}, (x for x in (1.0, 2.0)), map(float, "12")])
def test_what_is_no_sequence_is_refused(arm: Robot, x: Any) -> None:
    with pytest.raises(TypeError, match=r"found \w+; pass a list or an array of its numbers"):
        arm.gravity_forces(x)


def test_masked_numbers_are_refused_where_models_are_made(arm: Robot) -> None:
    masked = np.ma.array(np.zeros(10), mask=True)
    for call in (
        lambda: arm.edit.attach(masked, arm.model.frame_names[-1]),
        lambda: arm.edit.lock({arm.model.joint_names[0]: masked[:1]}),
        lambda: jounce.from_dh(np.ma.array(np.zeros((2, 4)), mask=True)),
        lambda: jounce.Joint("j", "revolute", damping=masked[:1]),
    ):
        with pytest.raises(jounce.ModelError, match=r"of its \d+ numbers are masked"):
            call()
