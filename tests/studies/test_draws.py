"""Samples are physically consistent, the nominal one is the robot itself, spreads are as given."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import stats

import jounce
from jounce.errors import ArgumentError, ModelWarning
from jounce.math.lie import exp_pose
from jounce.model import inertia
from jounce.studies.amounts import (
    KINDS,
    Normal,
    Uniform,
    normal_quantile,
    parse_amount,
    parse_key,
    uniform_quantile,
)
from jounce.studies.bodies import Bodies, displace
from jounce.studies.sampling import METHODS, draw_points
from jounce.studies.variation import Variation, make_variation
from support import zoo


def _robot(name: str) -> jounce.Robot:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        return jounce.Robot(zoo.MODELS[name]())


def _vary(robot: jounce.Robot, **vary: object) -> Variation:
    return make_variation(robot, vary, "study")


def _draw(varied: Variation, count: int, seed: int = 0, method: str = "sobol") -> np.ndarray:
    return varied.transform(draw_points(method, varied.count, count, seed, 0))


@pytest.mark.parametrize("name", ["franka", "toro25", "every kind", "floating, mimic", "planar_2r"])
def test_every_draw_is_a_body_that_could_exist(name):
    robot = _robot(name)
    varied = _vary(robot, inertia="60%", mass="80%", com="5cm")
    numbers = varied.numbers(_draw(varied, 40, 3))
    consistent = [k for k, pi in enumerate(robot.model.parameters) if not inertia.problem(pi)]
    assert consistent
    for pi in numbers.parameters[:, consistent].reshape(-1, 10):
        assert inertia.problem(pi) == ""


@pytest.mark.parametrize("name", ["franka", "toro25", "every kind", "floating, mimic"])
def test_the_nominal_draw_is_the_robot_itself(name):
    robot = _robot(name)
    varied = _vary(robot, inertia="5%", placement="1mm 1deg", screw="1mm 1deg", mass="2%")
    numbers = varied.numbers(np.zeros((2, varied.count)))
    pi, placements, screws = robot.morphable.now
    scale = np.abs(pi).max()
    np.testing.assert_allclose(numbers.parameters[1], pi, rtol=1e-12, atol=1e-15 * scale)
    np.testing.assert_allclose(numbers.placements[1], placements, rtol=0, atol=1e-15)
    np.testing.assert_allclose(numbers.screws[1], screws, rtol=0, atol=1e-15)


def test_bodies_at_the_edge_stay_there():
    point = inertia.point_mass(2.0, (0.1, 0.2, 0.3))
    rotor = np.array([0.0, 0, 0, 0, 1.0, 1.5, 2.0, 0, 0, 0])
    bodies = Bodies.of(np.array([point, np.zeros(10), rotor]))
    x = np.random.default_rng(0).normal(size=(14, 50, 3)) * 0.3
    x[11:] = 0.0
    result = bodies.parameters(x)
    assert (result[:, 1] == 0.0).all()
    assert (result[:, 2, :4] == 0.0).all()
    # a point stays a point where it was: it has no radius of gyration
    expected = [inertia.point_mass(m, (0.1, 0.2, 0.3)) for m in result[:, 0, 0]]
    np.testing.assert_allclose(result[:, 0], expected, rtol=1e-12, atol=1e-15)


def test_spreads_of_a_body_are_those_that_were_asked_for():
    pi = inertia.translate(inertia.box((0.1, 0.2, 0.4), mass=3.0), (0.3, 0.0, 0.1))
    robot = jounce.load("franka")
    robot = robot.edit.with_parameters(np.vstack((robot.model.parameters[:-1], pi)))
    varied = _vary(robot, inertia="2%")
    result = varied.numbers(_draw(varied, 40_000)).parameters[:, -1]
    central = inertia.about_com(result)
    half = 0.5 * np.trace(central.inertia, axis1=-2, axis2=-1)
    second = half[:, None, None] * np.eye(3) - central.inertia
    nominal = 3.0 * np.array((0.1, 0.2, 0.4)) ** 2 / 12.0
    assert abs(result[:, 0].std() / 3.0 - 0.02) < 5e-4
    np.testing.assert_allclose(
        second[:, (0, 1, 2), (0, 1, 2)].std(axis=0) / nominal, 0.02, rtol=0.03
    )
    off = second[:, 0, 1].std() / np.sqrt(nominal[0] * nominal[1])
    assert abs(off - 0.02 / np.sqrt(2.0)) < 5e-4
    gyration = np.sqrt(nominal / 3.0)
    np.testing.assert_allclose(central.com.std(axis=0) / gyration, 0.02, rtol=0.03)


@pytest.mark.parametrize("size", [0.0, 1e-9, 1e-4, 0.3, 0.999, 1.001, 3.0])
def test_displacements_are_exponentials(size):
    rng = np.random.default_rng(1)
    twists = rng.normal(size=(5, 3, 6))
    twists[..., :3] *= size / np.linalg.norm(twists[..., :3], axis=-1, keepdims=True)
    start = np.array([exp_pose(x) for x in rng.normal(size=(3, 6))])
    result = displace(twists, start)
    expected = [[T @ exp_pose(x) for T, x in zip(start, row, strict=True)] for row in twists]
    np.testing.assert_allclose(result, expected, rtol=0, atol=5e-15)


def test_uniform_numbers_keep_to_their_bounds_and_others_do_not():
    robot = jounce.load("planar_2r")
    varied = _vary(robot, mass=Uniform("10%"), placement=Normal(1e-3))
    x = _draw(varied, 5000)
    mass, moved = x[:, :2], x[:, 2:]
    assert np.abs(mass).max() <= 0.1
    assert np.abs(mass).max() > 0.0999
    assert np.abs(moved).max() > 3e-3
    assert abs(moved.std() - 1e-3) < 2e-5


def test_groups_leave_out_what_is_zero_and_floating_bases():
    robot = jounce.load("toro25")
    names = [group.name for group in _vary(robot, placement="1mm").groups]
    assert "placement[base]" not in names
    assert len(names) == robot.nb - 1
    assert [g.name for g in make_variation(robot, {"placement[base]": "1mm"}, "").groups] == [
        "placement[base]"
    ]
    with pytest.raises(ArgumentError, match=r"nothing varies.*friction"):
        _vary(jounce.load("planar_2r"), friction="10%")


def test_what_names_a_body_goes_before_what_names_all():
    robot = jounce.load("franka")
    for vary in (
        {"mass": "5%", "mass[link3]": "20%"},
        {"mass[link3]": "20%", "mass": "5%"},
    ):
        varied = make_variation(robot, vary, "study")
        assert [group.name for group in varied.groups] == [f"mass[link{k}]" for k in range(1, 8)]
        np.testing.assert_allclose(varied.scale, [0.05, 0.05, 0.2, 0.05, 0.05, 0.05, 0.05])


@pytest.mark.parametrize(
    ("kind", "amount", "expected"),
    [
        ("inertia", "5%", {"relative": 0.05}),
        ("inertia", 0.1, {"relative": 0.1}),
        ("inertia", None, {"relative": 0.05}),
        ("placement", "0.1mm", {"m": 1e-4}),
        ("placement", "0.1 mm, 0.5 deg", {"m": 1e-4, "rad": np.deg2rad(0.5)}),
        ("placement", "2mrad 3um", {"rad": 2e-3, "m": 3e-6}),
        ("screw", "1e-3", {"m": 1e-3}),
        ("com", 2e-3, {"m": 2e-3}),
        ("com", np.float32(0.5), {"m": 0.5}),
        ("mass", np.int64(1), {"relative": 1.0}),
    ],
)
def test_amounts_are_read(kind, amount, expected):
    result = parse_amount(KINDS[kind], amount, kind)
    assert {unit: spread.scale for unit, spread in result.items()} == pytest.approx(expected)
    assert {spread.quantile for spread in result.values()} == {normal_quantile}


@pytest.mark.parametrize(
    "text", ["uniform 1mm 1deg", "uniform(1mm, 1deg)", "Uniform (±1mm ±1°)", "uniform 1000µm 1 deg"]
)
def test_uniform_amounts_are_read_from_text(text):
    result = parse_amount(KINDS["placement"], text, "")
    assert result == parse_amount(KINDS["placement"], Uniform("1mm 1deg"), "")
    assert {spread.quantile for spread in result.values()} == {uniform_quantile}


def test_amounts_are_read_however_they_are_typed():
    """With either of the two letters for micro, a sign of both directions, large letters."""
    micro = [
        parse_amount(KINDS["com"], f"100{letter}m", "") for letter in ("u", "\u00b5", "\u03bc")
    ]
    assert micro[0] == micro[1] == micro[2]
    assert parse_amount(KINDS["mass"], "± 5 %", "") == parse_amount(KINDS["mass"], "5%", "")
    kind, names = parse_key("Inertia[Link7]")
    assert (kind.name, names) == ("inertia", ["Link7"])
    for text in ("uniform", "uniform()", "±", "5±%", "5% ±", "uniform(5%"):
        with pytest.raises(ArgumentError, match="expected an amount such as"):
            parse_amount(KINDS["mass"], text, "mass")


@pytest.mark.parametrize(
    ("kind", "amount", "words"),
    [
        ("inertia", "5mm", "found '5mm'; units are %"),
        ("inertia", "five", "expected an amount such as"),
        ("inertia", "", "expected an amount such as"),
        ("placement", "5%", "units are um, \u03bcm, mm"),
        ("placement", "1mm 2mm", "expected an amount such as"),
        ("placement", "1mm nonsense", "expected an amount such as"),
        ("mass", "-5%", "above 0"),
        ("mass", 0.0, "above 0"),
        ("mass", float("nan"), "above 0"),
        ("mass", "1000%", r"at most 3 \(300%\), found 10$"),
        ("mass", "5", r"found 5 \(500%\); for 5 percent write '5%'$"),
        ("friction", 20, r"found 20 \(2000%\); for 20 percent write '20%'$"),
        ("com", "2000", "at most 1000 m, found 2000$"),
        ("mass", True, "expected an amount"),
        ("mass", [1], "expected an amount"),
    ],
)
def test_amounts_that_mean_nothing_are_refused(kind, amount, words):
    with pytest.raises(ArgumentError, match=words):
        parse_amount(KINDS[kind], amount, kind)


@pytest.mark.parametrize("key", ["inertias", "", "mass[", 3])
def test_unknown_kinds_are_refused_with_the_known_ones(key):
    with pytest.raises(ArgumentError, match=r"choose among inertia, mass, com"):
        parse_key(key)


def test_unknown_bodies_and_joints_are_refused():
    robot = jounce.load("franka")
    with pytest.raises(ArgumentError, match=r"no body 'joint1'; choose among link1"):
        make_variation(robot, {"mass[joint1]": "1%"}, "study")
    with pytest.raises(ArgumentError, match=r"no joint 'link1'; choose among joint1"):
        make_variation(robot, {"placement[joint2, link1]": "1mm"}, "study")
    with pytest.raises(ArgumentError, match="vary must be a mapping"):
        make_variation(robot, {}, "study")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("count", [2, 3, 17, 1000])
def test_points_are_in_the_unit_cube_and_repeatable(method, count):
    points = draw_points(method, 5, count, 3, 7)
    assert points.shape == (count, 5)
    assert ((points > 0.0) & (points < 1.0)).all()
    np.testing.assert_array_equal(points, draw_points(method, 5, count, 3, 7))
    for seed, chunk in ((4, 7), (3, 8)):
        assert (points != draw_points(method, 5, count, seed, chunk)).any()
    if count == 1000:
        np.testing.assert_allclose(points.mean(axis=0), 0.5, atol=0.05)


def test_sobol_points_integrate_better_than_random_ones():
    """The mean of a sum of normal numbers, of 30 independent chunks each."""
    varied = _vary(jounce.load("franka"), mass="5%")
    errors = {
        method: np.std([_draw(varied, 1024, seed, method).sum(axis=1).mean() for seed in range(30)])
        for method in ("sobol", "lhs", "random")
    }
    assert errors["sobol"] < 0.2 * errors["random"]
    assert errors["lhs"] < 0.2 * errors["random"]


def test_distributions_of_scipy_are_taken_as_they_are():
    varied = _vary(
        jounce.load("franka"),
        mass=stats.t(5, loc=0.01, scale=0.02),
        com=stats.triang(0.5, -1e-3, 2e-3),
    )
    x = _draw(varied, 20_000)
    mass, com = x[:, :7], x[:, 7:]
    np.testing.assert_allclose(np.median(mass, axis=0), 0.01, atol=1e-4)
    np.testing.assert_allclose(
        np.quantile(mass, 0.9, axis=0), stats.t.ppf(0.9, 5, 0.01, 0.02), atol=2e-4
    )
    assert com.shape == (20_000, 21)
    assert 0.98e-3 < np.abs(com).max() <= 1e-3


def test_distributions_that_mean_nothing_are_refused():
    for bad in (stats.norm(0.0, 5.0), stats.norm([0.0, 0.1], 0.1)):
        with pytest.raises(ArgumentError, match="expected an amount above 0 and at most 3"):
            parse_amount(KINDS["mass"], bad, "mass")
