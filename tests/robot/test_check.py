"""robot.model.check(): what is planted is found, and sound robots are left in peace."""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import jounce
from jounce.errors import ModelWarning
from jounce.io import TreeBuilder, placement
from jounce.model import inertia
from jounce.model.model import Body, Joint, Mimic, Model, Solid
from jounce.robot import Robot
from jounce.robot.check import RULES, SEVERITIES, Finding, check
from support.helpers import quiet_read
from support.urdf_files import good_files, joint, link, robot

ROD = inertia.translate(inertia.cylinder(0.04, 0.4, mass=2.0), (0.0, 0.0, 0.2))


def arm(n: int = 3, **changes: object) -> Model:
    """A sound arm of n rods; changes: facts of the middle joint."""
    builder = TreeBuilder("arm")
    parent = None
    for i in range(n):
        extra = changes if i == n // 2 else {}
        facts = {"lower": -2.0, "upper": 2.0, "effort_limit": 50.0, "velocity_limit": 3.0, **extra}
        builder.add(
            f"link{i}",
            "revolute",
            parent,
            xyz=(0, 0, 0.4),
            axis=np.eye(3)[i % 2],
            inertia=ROD,
            **facts,
        )
        parent = f"link{i}"
    return builder.frame("tip", parent, placement((0, 0, 0.4))).build()


def with_inertia(model: Model, i: int, pi: np.ndarray) -> Model:
    bodies = list(model.bodies)
    bodies[i] = Body(bodies[i].name, pi)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        return replace(model, bodies=tuple(bodies))


def with_joint(model: Model, i: int, **changes: object) -> Model:
    joints = list(model.joints)
    joints[i] = replace(joints[i], **changes)
    return replace(model, joints=tuple(joints))


def only(model: Model) -> Finding:
    """The one thing that is found."""
    found = check(model)
    assert len(found) == 1, [str(f) for f in found]
    return found[0]


def about(pi: np.ndarray, factor: float) -> np.ndarray:
    """pi with another inertia about the center of mass."""
    mass, com, I = inertia.about_com(pi)
    return inertia.from_com(mass, com, factor * I)


# ------------------------------------------------------------------ sound robots

#: Some in which there is nothing to find.
CLEAN = (
    "a1",
    "alex_nub_hands",
    "b1",
    "g1_29dof_rev_1_0",
    "go2",
    "kinova",
    "laikago",
    "panda",
    "solo12",
    "tiago_pro",
    "ur10_robot",
    "xarm7",
    "z1",
)


def test_sound_robots_are_left_in_peace():
    assert check(arm()) == []
    for name in ("franka", "toro25", "planar_rp"):
        assert jounce.load(name).model.check() == [], name
    for path in good_files():
        if path.stem in CLEAN:
            assert [str(f) for f in check(quiet_read(path, "fixed"))] == [], path.stem


def test_few_findings_on_real_robots():
    """All findings were reviewed one by one: mistakes and placeholders."""
    counts: Counter[str] = Counter()
    links = quiet_robots = 0
    for path in good_files():
        model = quiet_read(path, "fixed")
        found = check(model)
        links += model.nb
        quiet_robots += not found
        counts.update(f.severity for f in found if "tiago" not in path.stem)
        for finding in found:
            assert finding.severity in SEVERITIES
            assert finding.message
            assert finding.suggestion
    if links:
        assert quiet_robots >= 35
        assert counts["error"] <= 35
        assert counts["warning"] <= 100


def test_planted_factors_of_a_thousand_are_found():
    """In robots with nothing to find, in all links; 99 of 100 are recognised."""
    planted, missed = Counter(), Counter()
    for path in good_files():
        model = quiet_read(path, "fixed")
        if path.stem not in CLEAN:
            continue
        for factor in (1e-3, 1e3, 1e6):
            bodies = [Body(b.name, about(b.inertia, factor), solids=b.solids) for b in model.bodies]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ModelWarning)
                wrong = replace(model, bodies=tuple(bodies))
            found = {f.where for f in check(wrong) if f.code.startswith(("inertia", "placeholder"))}
            for body in bodies:
                planted[factor] += 1
                missed[factor] += f"link '{body.name}'" not in found
    for factor, count in planted.items():
        assert missed[factor] <= 0.03 * count, factor


# ------------------------------------------------------------------ inertias


def test_impossible_inertias_are_errors_with_the_links_name():
    bad = with_inertia(arm(), 1, (2.0, 0, 0, 0, 0.1, 0.1, 0.5, 0, 0, 0))
    finding = only(bad)
    assert (finding.severity, finding.where) == ("error", "link 'link1'")
    assert "triangle inequality" in finding.message
    tiny = with_inertia(arm(), 2, (1e-3, 0, 0, 0, 1e-10, 1e-10, 5e-10, 0, 0, 0))
    codes = [(f.severity, f.code, f.where) for f in check(tiny)]
    assert ("error", "impossible-inertia", "link 'link2'") in codes


def test_merged_links_are_looked_at_one_by_one():
    builder = TreeBuilder("r")
    builder.add("arm", "revolute", inertia=ROD)
    builder.add("camera", "fixed", "arm", inertia=(0.1, 0, 0, 0, 1e-4, 1e-4, 5e-4, 0, 0, 0))
    model = builder.build()
    assert inertia.is_consistent(model.bodies[0].inertia)
    assert only(model).where == "link 'camera'"


UNITS = {
    "kg mm^2": (about(ROD, 1e6), "inertia-too-large"),
    "g m^2": (about(ROD, 1e3), "inertia-too-large"),
    "t m^2": (about(ROD, 1e-3), "inertia-too-small"),
    "mass in g": (
        inertia.from_com(2000.0, (0, 0, 0.2), inertia.about_com(ROD).inertia),
        "inertia-too-small",
    ),
    "com in mm": (
        inertia.from_com(2.0, (0, 0, 200.0), inertia.about_com(ROD).inertia),
        "far-center-of-mass",
    ),
    "placeholder": (inertia.from_com(2.0, (0, 0, 0.2), np.eye(3)), "placeholder-inertia"),
    "no mass": (np.array((0.0, 0, 0, 0, 0.1, 0.1, 0.1, 0, 0, 0)), "inertia-without-mass"),
    "point": (inertia.point_mass(2.0, (0, 0, 0.2)), "point-mass"),
}


@pytest.mark.parametrize("case", UNITS)
def test_units_and_placeholders(case):
    pi, code = UNITS[case]
    found = [f for f in check(with_inertia(arm(5), 2, pi)) if f.where == "link 'link2'"]
    assert [f.code for f in found] == [code]


def test_units_of_the_whole_robot():
    grams = arm().with_parameters(1e3 * arm().parameters)
    assert "too-heavy" in [f.code for f in check(replace(grams, bodies=_bare(grams)))]
    light = arm().with_parameters(1e-3 * arm().parameters)
    assert "too-light" in [f.code for f in check(replace(light, bodies=_bare(light)))]
    joints = [replace(j, placement=placement((0, 0, 400.0))) for j in arm().joints]
    codes = [f.code for f in check(replace(arm(), joints=tuple(joints)))]
    assert codes == ["too-long"]


def _bare(model: Model) -> tuple[Body, ...]:
    return tuple(Body(b.name, b.inertia) for b in model.bodies)


def test_shapes_tell_the_size():
    """A long, light rod without a tip frame is no surprise once its cylinder is known."""
    long = inertia.cylinder(0.005, 3.0, mass=0.02)
    rod = Solid("cylinder", "visual", (0.005, 3.0))
    plain = TreeBuilder("r").add("rod", "revolute", inertia=long).build()
    assert only(plain).code == "inertia-too-large"
    shaped = TreeBuilder("r").add("rod", "revolute", inertia=long, solids=(rod,)).build()
    assert check(shaped) == []


def test_copied_inertias():
    pi = inertia.box((0.1, 0.2, 0.3), mass=1.0)
    builder = TreeBuilder("r")
    for i in range(5):
        builder.add(
            f"l{i}",
            "revolute",
            f"l{i - 1}" if i else None,
            xyz=(0, 0, 0.3),
            axis=np.eye(3)[i % 2],
            inertia=pi,
        )
    finding = only(builder.build())
    assert (finding.severity, finding.code) == ("note", "same-inertias")
    assert (
        "5 of 5 links have the same inertia: 'l0', 'l1', 'l2', 'l3' and 1 more" in finding.message
    )


# ------------------------------------------------------------------ nothing to move


def test_massless_leaves():
    builder = TreeBuilder("r").add("a", "revolute", inertia=ROD)
    model = builder.add("tip", "revolute", "a", xyz=(0, 0, 0.4)).build()
    finding = only(model)
    assert (finding.severity, finding.code, finding.where) == (
        "error",
        "massless-leaf",
        "link 'tip'",
    )
    assert "joint 'tip_joint' moves nothing, so the mass matrix is singular" in finding.message
    assert only(with_joint(model, 1, armature=0.1)).severity == "note"
    follower = with_joint(model, 1, mimic=Mimic("a_joint"), lower=-9.0, upper=9.0)
    assert only(follower).severity == "note"
    with pytest.raises(np.linalg.LinAlgError):
        np.linalg.cholesky(Robot(model).mass_matrix(np.zeros(2)))


def test_mass_on_the_axis_resists_nothing():
    builder = TreeBuilder("r").add("a", "revolute", axis=(0, 1, 0), inertia=ROD)
    builder.add("b", "revolute", "a", xyz=(0, 0, 0.4), inertia=inertia.point_mass(1.0, (0, 0, 0.1)))
    found = [f for f in check(builder.build()) if f.severity == "error"]
    assert [(f.code, f.where) for f in found] == [("singular-mass-matrix", "joint 'b_joint'")]


def test_two_joints_on_one_axis():
    builder = TreeBuilder("r").add("a", "revolute", axis=(0, 0, 1))
    builder.add("b", "revolute", "a", axis=(0, 0, 1), inertia=ROD, xyz=(0.1, 0.2, 0.0))
    builder.add("c", "prismatic", "b", axis=(1, 0, 0), inertia=ROD, xyz=(0.1, 0.2, 0.0))
    assert check(builder.build()) == []  # beside each other: the first one carries the second
    builder = TreeBuilder("r").add("a", "revolute", axis=(0, 0, 1))
    builder.add("b", "revolute", "a", axis=(0, 0, 1), inertia=ROD)
    finding = only(builder.build())
    assert (finding.severity, finding.code) == ("error", "singular-mass-matrix")
    assert "moving joints 'a_joint', 'b_joint' together meets no resistance" in finding.message


def test_massless_free_base_without_anything():
    free = TreeBuilder("r").add("base", "free").add("a", "revolute", "base", inertia=ROD).build()
    assert check(free) != []
    heavy = (
        TreeBuilder("r").add("base", "free", inertia=ROD).add("a", "revolute", "base", inertia=ROD)
    )
    assert check(heavy.build()) == []


def test_large_robots_are_checked_in_bounded_time():
    n = 2000
    parts = [link(f"l{i}") for i in range(n)]
    parts += [joint(f"j{i}", "continuous", f"l{i}", f"l{i + 1}") for i in range(n - 1)]
    codes = {f.code for f in check(jounce.io.read_urdf(robot(*parts)))}
    assert "same-inertias" in codes


# ------------------------------------------------------------------ joints


LIMITS = {
    "no room": ({"lower": 0.0, "upper": 0.0}, "no-range", "are equal: 0 to 0"),
    "degrees": (
        {"lower": -90.0, "upper": 90.0},
        "limits-in-degrees",
        "-90 to 90 rad are large: degrees?",
    ),
    "effort": ({"effort_limit": 0.0}, "no-effort", "its effort limit is zero"),
    "velocity": ({"velocity_limit": 0.0}, "no-velocity", "its velocity limit is zero"),
    "negative": ({"effort_limit": -5.0}, "negative-effort", "[-5.0] is negative"),
}


@pytest.mark.parametrize("case", LIMITS)
def test_suspicious_limits(case):
    facts, code, message = LIMITS[case]
    finding = only(arm(**facts))
    assert (finding.code, finding.where) == (code, "joint 'link1_joint'")
    assert message in finding.message


@pytest.mark.parametrize("upper", [2 * np.pi, 4 * np.pi, 1e9, np.inf])
def test_wide_limits_are_not_degrees(upper):
    assert check(arm(lower=-upper, upper=upper)) == []


def test_millimeters():
    slide = TreeBuilder("r").add("a", "prismatic", inertia=ROD, lower=0.0, upper=400.0).build()
    assert only(slide).code == "limits-in-millimeters"
    rail = TreeBuilder("r").add("a", "prismatic", inertia=ROD, lower=0.0, upper=10.0).build()
    assert check(rail) == []


def test_reversed_limits_that_slipped_through():
    model = arm()
    object.__setattr__(model.joints[1], "lower", np.array([1.0]))
    object.__setattr__(model.joints[1], "upper", np.array([-1.0]))
    finding = only(model)
    assert (finding.severity, finding.code) == ("error", "reversed-limits")
    assert "reversed: 1 to -1" in finding.message


def test_what_the_reader_put_right_is_listed():
    """An axis of length 2 and swapped limits: the file can be used, and the robot says so."""
    text = robot(
        '<link name="base"/>',
        link("a"),
        joint(
            "j",
            "revolute",
            "base",
            "a",
            '<axis xyz="0 0 2"/><limit lower="1" upper="-1" effort="1" velocity="1"/>',
        ),
    )
    with pytest.warns(ModelWarning, match="joint 'j'"):
        model = jounce.io.read_urdf(text)
    np.testing.assert_array_equal(model.joints[0].axis, (0, 0, 1))
    found = [f for f in check(model) if f.code == "put-right"]
    assert [f.where for f in found] == ["joint 'j'"] * 2
    assert "axis [0.0, 0.0, 2.0] of length 2 was normalized" in found[0].message
    assert "limits [1.0] to [-1.0] are reversed; they were swapped" in found[1].message
    assert (model.joints[0].lower, model.joints[0].upper) == (-1.0, 1.0)
    again = replace(model.joints[0], name="k")
    assert again.notes == model.joints[0].notes
    plain = replace(model, joints=(replace(model.joints[0], notes=()),))
    assert plain.digest() == model.digest()


def test_followers_beyond_their_limits():
    def finger(gain: float, offset: float = 0.0) -> Model:
        builder = TreeBuilder("r").add("a", "revolute", inertia=ROD, lower=0.0, upper=1.0)
        mimic = ("a_joint", gain, offset)
        return builder.add(
            "b", "revolute", "a", inertia=ROD, lower=0.0, upper=1.0, mimic=mimic
        ).build()

    assert check(finger(1.0)) == []
    assert check(finger(-1.0, 1.0)) == []
    finding = only(finger(-1.0))
    assert (finding.code, finding.where) == ("follower-beyond-limits", "joint 'b_joint'")
    assert "takes it from -1 to 0, beyond its limits 0 to 1" in finding.message
    assert [f.code for f in check(finger(0.0))] == ["still-follower"]


# ------------------------------------------------------------------ the rest


@pytest.mark.parametrize(
    ("gravity", "odd"),
    [
        ((0, 0, -9.81), False),
        ((0, 0, -1.62), False),
        ((0, -9.81, 0), False),
        ((0, 0, 0), False),
        ((0, 0, 9.81), True),
        ((0, 0, -9810), True),
        ((0, 0, -0.00981), True),
    ],
)
def test_gravity(gravity, odd):
    codes = [f.code for f in check(arm().with_gravity(gravity))]
    assert codes == (["odd-gravity"] if odd else [])


def test_rough_rotations():
    T = placement((0, 0, 0.4))
    T[0, 1] = 1e-8
    with pytest.warns(ModelWarning, match="off by 1e-08"):
        model = with_joint(arm(), 1, placement=T)
    finding = only(model)
    assert (finding.severity, finding.code) == ("warning", "put-right")
    assert "off by 1e-08" in finding.message


def test_numbers_that_overflow_are_findings():
    with np.errstate(all="ignore"):
        huge = with_inertia(arm(), 1, (1e-300, 1e10, 0, 0, 1, 1, 1, 0, 0, 0))
        found = check(huge)
        assert ("error", "link 'link1'") in [(f.severity, f.where) for f in found]
        far = with_joint(arm(), 2, placement=placement((0, 0, 1e49)))
        codes = [f.code for f in check(far)]
    assert "too-long" in codes


def test_worst_first_and_readable():
    model = with_inertia(arm(4, effort_limit=0.0), 1, (2.0, 0, 0, 0, 0.1, 0.1, 0.5, 0, 0, 0))
    found = Robot(with_joint(model, 0, lower=0.0, upper=0.0)).model.check()
    assert [f.severity for f in found] == ["error", "warning", "note"]
    text = str(found[1])
    assert text.startswith("warning: joint 'link0_joint': its limits are equal: 0 to 0; give")
    assert len(RULES) == len(set(RULES))


def test_every_kind_of_joint_and_no_joint_at_all():
    from support.robots import random_model

    for seed in range(3):
        for finding in check(random_model(np.random.default_rng(seed), 10, mimic=True)):
            assert finding.severity != "error"
    assert check(Model("nothing", (), ())) == []
    assert (
        check(Model("r", (Body("a", np.zeros(10)),), (Joint("j", "spherical"),)))[0].code
        == "massless-leaf"
    )
