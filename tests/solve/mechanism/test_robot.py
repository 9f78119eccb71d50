"""Mechanisms as users meet them: independent joints, assembly, quantities, errors."""

from __future__ import annotations

import pickle
import re
from dataclasses import replace

import numpy as np
import pytest

import jounce
from jounce.catalog.derivative import derivative_names
from jounce.catalog.mechanism import ALL_JOINTS, MECHANISM, MECHANISM_FRAME
from jounce.catalog.names import PRODUCTS
from jounce.errors import ModelError
from jounce.io import TreeBuilder, placement
from jounce.io.gallery import four_bar
from jounce.model.constraints import LOOPS
from jounce.robot import Robot
from jounce.solve.mechanism.assembly import independent
from support import PROJECT
from support.helpers import assert_close, objects
from support.mechanisms import leg, mechanism, pendulum, stewart
from support.robots import random_rotation

# ------------------------------------------------------------------ loops of a model


def test_with_loop_takes_names_and_poses():
    model = pendulum(1.0, 1.0).frame("tip", "link1", placement((1, 0, 0))).build()
    T = placement((0.5, 0, 0))
    one = model.with_loop("tip", ("world", T), "planar").loops[0]
    assert (one.name, one.body_a, one.body_b, one.kind) == ("loop0", 1, -1, "planar")
    np.testing.assert_array_equal(one.placement_a, placement((1, 0, 0)))
    np.testing.assert_array_equal(one.placement_b, T)
    assert one.locked == LOOPS["planar"]
    two = model.with_loop("tip", "world").with_loop("link0", "world", [0, 0, 0, 1, 0, 0])
    assert [loop.name for loop in two.loops] == ["loop0", "loop1"]
    assert two.loops[1].locked == (False, False, False, True, False, False)
    moved = model.with_loop(("tip", T), "link0", "point", "pin").loops[0]
    np.testing.assert_allclose(moved.placement_a, placement((1.5, 0, 0)))
    assert Robot(model).edit.with_loop("tip", "world").model.loops[0].kind == "weld"
    assert two.digest() != model.digest()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere", "world"), r"loop 'loop0': frame_a: .*no frame 'nowhere'.*link0.*or 'world'"),
        (("link0", 3), r"frame_b: expected a name, or a name and a pose, found 3"),
        (("link0", ("world", np.zeros((4, 4)))), r"loop 'loop0': frame_b: .*rotation"),
        (("link0", "link0"), "both of its frames are fixed in link 'link0'"),
        (("link0", "world", "hinge"), "unknown kind 'hinge'; choose one of weld, revolute"),
        (("link0", "world", 5), "six booleans"),
        (("link0", "world", (True,) * 5), "six booleans"),
        (("link0", "world", (False,) * 6), "six booleans"),
    ],
)
def test_bad_loops(arguments, message):
    with pytest.raises(ModelError, match=message):
        pendulum(1.0, 1.0).build().with_loop(*arguments)


def test_two_loops_of_one_name():
    model = pendulum(1.0, 1.0).build().with_loop("link0", "world", name="pin")
    with pytest.raises(ModelError, match="two loops are called 'pin'"):
        model.with_loop("link1", "world", name="pin")


# ------------------------------------------------------------------ which joints are independent


def test_independent_joints_are_those_at_the_base():
    closed = mechanism("five_bar")
    assert closed.independent_names == ["joint1", "joint4"]
    assert closed.dependent_names == ["joint2", "joint3"]
    assert (closed.nv, closed.nq, closed.active) == (2, 4, (0, 3))
    assert stewart()[0].closed(q0=stewart()[1]).independent_names == [
        f"pose[{k}]" for k in range(6)
    ]


def test_joints_without_drive_are_dependent():
    builder = TreeBuilder("four")
    for link, parent, xyz, effort in (
        ("crank", None, (0, 0, 0), 0.0),
        ("coupler", "crank", (0.2, 0, 0), 0.0),
        ("rocker", None, (0.4, 0, 0), 5.0),
    ):
        builder.add(
            link, "revolute", parent, xyz=xyz, axis=(0, 0, 1), effort_limit=effort, mass=1.0
        )
    builder.loop(
        "tip", "coupler", "rocker", "point", placement((0.4, 0, 0)), placement((0.3, 0, 0))
    )
    closed = Robot(builder.build()).closed()
    assert closed.independent_names == ["rocker_joint"]


def test_independent_joints_may_be_given():
    robot = jounce.load("five_bar")
    closed = robot.closed(("joint3", "joint1"))
    assert closed.active == (2, 0)
    v = np.array((0.3, -0.4))
    q = closed.reference
    whole = closed.velocity(q, v)
    assert_close(whole[[2, 0]], v)
    assert robot.closed([2, "joint1"]).active == (2, 0)
    assert mechanism("leg").active == (0, 1, 2, 3, 4, 5, 6, 7, 10, 13)
    one = leg().closed([f"base[{k}]" for k in range(6)] + ["hip", "knee", "ankle"])
    assert one.independent_names[-2:] == ["ankle[0]", "ankle[1]"]


@pytest.mark.parametrize(
    ("active", "message"),
    [
        (["elbow"], r"active: no joint 'elbow' .*choose one of joint1, joint2, joint3, joint4"),
        ([9], "active: no joint 9"),
        (["joint1", "joint1"], "named twice"),
        (["joint1"], "has 2 degrees of freedom, found 1 .*choice: joint1, joint4"),
        (["joint1", "joint2", "joint3"], "found 3"),
    ],
)
def test_bad_choices_of_independent_joints(active, message):
    with pytest.raises(ModelError, match=message):
        jounce.load("five_bar").closed(active)


def test_joints_that_do_not_determine_the_others():
    """The two base joints of a chain whose far half is closed upon itself."""
    model = pendulum(1.0, 0.5, 0.4, 0.3, 0.2).build()
    robot = Robot(model).edit.with_loop("link1", ("link4", placement((0.2, 0.1, 0))), "point")
    assert robot.closed().nv == 3
    with pytest.raises(ModelError, match="do not determine the other joints; a valid choice"):
        robot.closed(["link0_joint", 3, 4])


def test_a_follower_is_not_independent():
    robot = mechanism("mixed").robot
    follower = next(joint.name for joint in robot.model.joints if joint.mimic)
    with pytest.raises(ModelError, match="that moves independently"):
        robot.closed([follower])


def test_pivoting_prefers_the_order_given_and_finds_the_rank():
    rng = np.random.default_rng(0)
    axis = random_rotation(rng)[:, :1]
    # three dimensions; the first and the last three columns are normal to each other
    columns = np.hstack((random_rotation(rng), axis, random_rotation(rng)))
    A = np.linalg.qr(rng.normal(size=(6, 3)))[0] @ columns
    for order in (range(7), reversed(range(7))):
        wanted = list(order)
        found = independent(A, wanted)
        assert found == wanted[:3]
        assert np.linalg.matrix_rank(A[:, found]) == 3
    A[:, 0] = 1e-3 * A[:, 1]  # short: not chosen though it comes first
    assert 0 not in independent(A, range(7))
    assert independent(np.zeros((2, 3)), range(3)) == []


def test_report():
    report = mechanism("four_bar").report()
    assert (report.rows, report.rank, report.dof) == (5, 2, 1)
    assert report.redundant == ("tip.wx", "tip.wy", "tip.vz")
    assert not report.singular
    assert report.gap < 1e-14
    for text in ("four_bar: 1 loop (tip)", "rank 2, 1 degree of freedom", "crank_joint"):
        assert text in str(report)
    assert mechanism("leg").report().redundant == ()
    closed = mechanism("bennett")
    assert (closed.report().rank, closed.nv) == (2, 1)  # counting would leave no motion


def test_report_at_a_singular_configuration():
    """A parallelogram flat on the ground: its crank does not determine the rest."""
    builder = pendulum(0.3, 0.5)
    builder.add("rocker", "revolute", xyz=(0.5, 0, 0), axis=(0, 0, 1), mass=1.0, com=(0.1, 0, 0))
    builder.loop("tip", "link1", "rocker", "point", placement((0.5, 0, 0)), placement((0.3, 0, 0)))
    closed = Robot(builder.build()).closed()
    assert not closed.report().singular
    flat = closed.report(np.zeros(3))
    assert flat.singular
    assert "(singular)" in str(flat)
    found = closed.assemble(np.zeros(3))
    assert found.success
    assert found.singular
    assert found.conditioning < 1e-12


# ------------------------------------------------------------------ mechanisms that are none


def test_a_robot_without_loops():
    with pytest.raises(
        ModelError, match=r"'planar_2r' has no loops; add them with robot.edit.with_loop"
    ):
        jounce.load("planar_2r").closed()


def test_loops_that_cannot_close():
    robot = Robot(pendulum(0.3, 0.4).build())
    far = robot.edit.with_loop(("link1", placement((0.4, 0, 0))), ("world", placement((2, 0, 0))))
    with pytest.raises(ModelError, match=r"its loops \('loop0'\) cannot be closed.*gap is 1\."):
        far.closed()


def test_mechanisms_without_freedom():
    robot = Robot(pendulum(0.3, 0.4).build())
    stuck = robot.edit.with_loop(
        ("link1", placement((0.4, 0, 0))), ("world", placement((0.5, 0.1, 0))), "point"
    )
    with pytest.raises(
        ModelError, match="over-constrained: its 3 loop constraints leave none of 2"
    ):
        stuck.closed()


def test_rounded_geometry():
    """A linkage whose last joint is 1e-7 m out of its plane and tilted by 1e-7 rad."""
    exact = Robot(four_bar()).model
    loop = exact.loops[0]
    off = placement((0, 0, 1e-7), (1e-7, 0, 0))
    robot = Robot(replace(exact, loops=(replace(loop, placement_b=loop.placement_b @ off),)))
    with pytest.raises(ModelError, match=r"cannot be closed.*larger tolerance="):
        robot.closed()
    closed = robot.closed(tolerance=1e-5)
    assert closed.nv == 1
    reference = Robot(exact).closed()
    found = closed.assemble(reference.reference)
    assert found.success
    assert_close(closed.mass_matrix(found.q), reference.mass_matrix(reference.reference), 1e-5)
    with pytest.raises(ValueError, match="tolerance must be in"):
        robot.closed(tolerance=0.0)


def test_loops_that_lock_nothing():
    robot = Robot(pendulum(0.3, 0.4).build())
    with pytest.raises(ModelError, match="constrain no motion"):
        robot.edit.with_loop("link1", "world", (False, False, False, False, False, True)).closed()


def test_bad_configurations():
    closed = mechanism("five_bar")
    for call in (closed.assemble, closed.gap, closed.report):
        with pytest.raises(ValueError, match=r"argument 'q' must have shape \(\.\.\., 4\)"):
            call(np.zeros(3))
    with pytest.raises(ValueError, match="one finite configuration"):
        closed.report(np.full(4, np.nan))
    with pytest.raises(ValueError, match=r"q0 must be one finite configuration \(4,\)"):
        closed.robot.closed(q0=np.zeros((2, 4)))
    wrong = [{"iterations": x} for x in (2.5, -1, True)] + [{"tolerance": x} for x in (0.0, "x")]
    for options in wrong:
        with pytest.raises(ValueError, match="tolerance > 0 and a whole number of iterations"):
            closed.assemble(np.zeros(4), **options)
    with pytest.raises(ValueError, match=r"tolerance must be in \(0, 0.1\), found 'x'"):
        closed.robot.closed(tolerance="x")
    with pytest.raises(ValueError, match=r"argument 'v' must have shape \(\.\.\., 2\)"):
        closed.mass_matrix.dt(np.zeros(4), np.zeros(4))


def test_wrong_calls_print_the_signature():
    closed = mechanism("five_bar")
    for call, shown in (
        (closed.random, "(rng=None, n=None, *, dtype='float64', out=None)"),
        (
            closed.assemble,
            "(q, fixed=None, *, tolerance=None, iterations=100, strict=False,"
            " nudges=(0.1, 0.3, 1.0))",
        ),
        (closed.gap, "(q)"),
        (closed.track, "(q, *, fixed=None, tolerance=None, iterations=100, strict=False)"),
    ):
        text = re.escape(f"it is called as five_bar.closed().{call.__name__}{shown}")
        with pytest.raises(TypeError, match=text):
            call(1, 2, 3)
        with pytest.raises(TypeError, match=text):
            call(np.zeros(4), unknown=1)


def test_random_is_called_as_that_of_robots():
    closed = mechanism("five_bar")
    q = closed.random(0, 3)
    np.testing.assert_array_equal(closed.random(0, 3, dtype=np.float32), q.astype("f"))
    out = np.empty((3, 4))
    assert closed.random(0, 3, out=out) is out
    np.testing.assert_array_equal(out, q)
    for n in (-1, "a", (2,), True, 2.0):
        text = f"five_bar.closed().random: n must be a whole number >= 0 or None, found {n!r}"
        with pytest.raises(ValueError, match=re.escape(text)):
            closed.random(0, n)
    with pytest.raises(ValueError, match=r"closed\(\)\.random: rng must be"):
        closed.random("x")
    with pytest.raises(ValueError, match=r"closed\(\)\.random: out must have shape \(3, 4\)"):
        closed.random(0, 3, out=np.empty((3, 5)))


# ------------------------------------------------------------------ quantities


def test_compiled_quantities_equal_their_formulas():
    """Batches, broadcasting, single precision; frames; derivatives."""
    closed = mechanism("five_bar")
    rng = np.random.default_rng(5)
    q = closed.assemble(closed.reference + rng.uniform(-0.3, 0.3, (9, 4))).q
    v, a = rng.normal(size=(2, 9, 2))
    for name, arguments in (
        ("inverse_dynamics", (q, v, a)),
        ("inverse_dynamics.dt", (q, v, a, v)),
        ("inverse_dynamics.dq", (q, v, a)),
        ("forward_dynamics", (q, v, a)),
        ("constraint_forces", (q, v, a)),
        ("coriolis_matrix", (q, v)),
        ("mass_matrix.dscrew", (q,)),
        ("inverse_dynamics.dpi", (q, v, a)),
        ("constrained_dynamics", (q, closed.velocity(q, v), q)),
    ):
        quantity = closed.quantity(name)
        tree = closed._all_joints.tree if name == "constrained_dynamics" else closed.tree
        found = quantity(*arguments)
        expected = [
            quantity.definition.formula(tree, *map(objects, row))
            for row in zip(*arguments, strict=True)
        ]
        assert_close(found, np.array(expected), what=name)
    wide = closed.mass_matrix(q.reshape(3, 3, 4))
    assert wide.shape == (3, 3, 2, 2)
    assert closed.inverse_dynamics(q[0], v, a[0]).shape == (9, 2)
    small = closed.mass_matrix(q.astype(np.float32))
    assert small.dtype == np.float32
    assert_close(small, closed.mass_matrix(q), 1e-5)


def test_forces_by_name():
    closed = mechanism("five_bar")
    q, v, a = closed.reference, np.array((0.1, 0.2)), np.array((0.3, -0.4))
    push = np.array((1.0, -2.0, 3.0, 0.5))
    alone = closed.inverse_dynamics(q, v, a)
    found = closed.inverse_dynamics(q, v, a, joint_forces=push)
    assert_close(found, alone - closed.independent_forces(q, push))
    again = closed.forward_dynamics(q, v, found, joint_forces=push)
    assert_close(again, a)


def test_frames_of_a_mechanism():
    closed = mechanism("five_bar")
    tool, tree_tool = closed.frame("tool"), closed.robot.frame("tool")
    q, v = closed.reference, np.array((0.4, -0.7))
    J = tool.jacobian(q)
    assert J.shape == (6, 2)
    assert_close(J, tree_tool.jacobian(q) @ closed.velocity.dv(q, v))
    assert_close(tool.twist(q, v), J @ v)
    assert_close(tool.pose(q), tree_tool.pose(q))
    assert_close(tool.pose.dq(q), J)
    with pytest.raises(ModelError, match="no frame 'x'"):
        closed.frame("x")


def test_names_documents_and_derivatives():
    closed = mechanism("five_bar")
    assert repr(closed) == "<mechanism 'five_bar': 1 loop, 2 degrees of freedom: joint1, joint4>"
    assert closed.row_names == ["joint5.wx", "joint5.wy", "joint5.vx", "joint5.vy", "joint5.vz"]
    assert {*MECHANISM, *ALL_JOINTS, "assemble"} <= set(dir(closed))
    assert "Kwon (13)" in (closed.inverse_dynamics.__doc__ or "")
    assert "five_bar.closed().mass_matrix(q[4]) -> (2, 2)" in repr(closed.mass_matrix)
    names = derivative_names(MECHANISM["inverse_dynamics"])
    together = ("derivatives", "hessian", "design", "design_product")
    assert names == (
        "dt",
        "dtt",
        "dq",
        "dv",
        "da",
        *together,
        "dpi",
        "dscrew",
        "dplacement",
        "dloop",
        *PRODUCTS,
    )
    with pytest.raises(AttributeError, match="did you mean 'mass_matrix'"):
        closed.mass_matrx  # noqa: B018
    with pytest.raises(
        AttributeError, match=r"'edit', which needs a robot without loops; use \.robot\.edit"
    ):
        closed.edit  # noqa: B018
    with pytest.raises(AttributeError, match=r"has no 'dtau'.* derivatives: dt"):
        closed.inverse_dynamics.dtau  # noqa: B018
    for table in (MECHANISM, ALL_JOINTS, MECHANISM_FRAME):
        assert all(row.doc and row.unit for row in table.values())


def test_mechanisms_can_be_pickled():
    closed = mechanism("five_bar")
    again = pickle.loads(pickle.dumps(closed))
    assert again.active == closed.active
    q, v = closed.reference, np.array((0.4, -0.7))
    for quantity in (closed.mass_matrix, closed.mass_matrix.dt, closed.frame("tool").twist):
        copy = pickle.loads(pickle.dumps(quantity))
        arguments = (q, v)[: len(quantity.kernel.arguments)]
        np.testing.assert_array_equal(copy(*arguments), quantity(*arguments))
    residual = pickle.loads(pickle.dumps(closed.loop_residual))
    np.testing.assert_array_equal(residual(q + 0.1), closed.loop_residual(q + 0.1))


# ------------------------------------------------------------------ the gallery


@pytest.mark.parametrize(("name", "dof"), [("four_bar", 1), ("five_bar", 2)])
def test_gallery(name, dof):
    robot = jounce.load(name)
    assert robot.name == name
    closed = robot.closed()
    assert closed.nv == dof
    assert closed.gap(robot.neutral()) < 1e-15
    floating = jounce.load(name, base="floating").closed()
    assert floating.nv == dof + 6
    assert floating.independent_names[:6] == [f"base[{k}]" for k in range(6)]
    pull = (1.0, 2.0, 3.0)
    np.testing.assert_array_equal(jounce.load(name, gravity=pull).model.gravity, pull)


def test_gallery_lengths():
    with pytest.raises(ModelError, match="cannot form a closed loop"):
        four_bar(crank=5.0)
    assert Robot(four_bar(0.2, 0.5, 0.4, 0.45)).closed().nv == 1


def test_loops_survive_other_gravity_and_parameters():
    robot = jounce.load("five_bar")
    for other in (
        robot.model.with_gravity((0, 0, 0)),
        robot.edit.with_parameters(robot.model.parameters).model,
    ):
        assert [loop.name for loop in other.loops] == ["joint5"]


def test_the_page_on_closed_loops_runs_and_names_every_quantity():
    page = (PROJECT / "docs" / "guide" / "closed-loops.md").read_text("utf-8")
    session: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL):
        exec(compile(block, "closed-loops.md", "exec"), session)
    assert np.shape(session["dtau"]) == (2,)
    assert np.shape(session["J"]) == (6, 2)
    for name in (*MECHANISM, *ALL_JOINTS, *LOOPS):
        assert name in page, name


def test_multipliers_pass_where_the_independent_joints_fail():
    """The rocker at its dead point does not determine the crank; the equations with lam do."""
    robot = jounce.load("four_bar")
    crank, rocker = robot.closed(("crank_joint",)), robot.closed(("rocker_joint",))
    q = crank.reference
    path = np.tile(q, (200, 1))
    path[:, 0] += np.linspace(0.0, 2.0 * np.pi, 200)
    swing = crank.track(path)
    turns = crank.passive_jacobian(swing.q)[:, 1, 0]
    k = int(np.flatnonzero(turns[:-1] * turns[1:] < 0)[0])
    low, high, q = swing.q[k, 0], swing.q[k + 1, 0], swing.q[k]
    for _ in range(60):  # bisection
        q[0] = (low + high) / 2
        q = crank.assemble(q, strict=True).q
        low, high = (q[0], high) if crank.passive_jacobian(q)[1, 0] * turns[k] > 0 else (low, q[0])
    assert rocker.assemble(q).singular
    v, tau = np.array((2.0,)), np.array((0.3, 0.0, 0.0))
    whole = crank.velocity(q, v)
    expected = crank.velocity.dt(q, v, crank.forward_dynamics(q, v, tau[:1]))
    assert_close(rocker.constrained_dynamics(q, whole, tau), expected)
