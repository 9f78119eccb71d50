"""Base parameters: structure and numbers agree, published counts, names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import jounce
from jounce.identification import base_parameters
from jounce.identification.base_parameters import sufficient_columns
from jounce.identification.drives import driven_velocities
from jounce.identification.structure import svd
from jounce.robot import Robot
from support.helpers import assert_close
from support.identify_data import PANDA, SO100, UR5, example, quiet
from support.robots import random_model
from support.urdf_files import good_files


def compare_spans(robot: Robot) -> None:
    """Structure and numbers give the same combinations, with armatures and without."""
    for armature in (False, True):
        ours = base_parameters(robot, armature=armature)
        theirs = base_parameters(robot, armature=armature, method="numerical", rng=7)
        assert len(ours) == len(theirs)
        assert np.array_equal(ours.independent, theirs.independent)
        # 1e-14 on arms; long fingers that share one coordinate leave only nine digits
        assert_close(ours.matrix, theirs.matrix, 1e-7, robot.name)


@pytest.mark.parametrize(
    "name", ["iiwa14_mueller_kumar2021", "planar_2r", example(UR5), example(SO100), example(PANDA)]
)
def test_structure_equals_numbers(name: str | Path) -> None:
    compare_spans(quiet(name))


@pytest.mark.parametrize("seed", range(5))
def test_structure_equals_numbers_for_every_joint_kind(seed: int) -> None:
    """Trees of all joint kinds, every other one with joints that mimic, some floating."""
    rng = np.random.default_rng(seed)
    model = random_model(rng, 3 + seed % 2, mimic=seed % 2 == 0, floating=seed % 4 == 3)
    compare_spans(Robot(model))


@pytest.mark.parametrize("gravity", [(0.0, 0.0, 0.0), (0.0, -9.81, 0.0), (3.0, 4.0, -5.0)])
def test_gravity_matters(gravity: tuple[float, float, float]) -> None:
    model = replace(quiet("planar_2r").model, gravity=np.array(gravity))
    robot = Robot(model)
    compare_spans(robot)
    # about z: without gravity across the axis the moments act only through each other
    assert len(base_parameters(robot)) == (6 if any(gravity[:2]) else 4)


#: Robots with many joints, redundant arms and grippers that mimic, of those that are installed.
LARGE = (
    *("g1_29dof_rev_1_0", "talos_reduced", "tiago_pro", "romeo", "pr2", "anymal-kinova", "xarm7"),
    *("ur5_gripper", "bravo7_gripper"),
)
LARGE_FILES = [path for path in good_files() if path.stem in LARGE]


def test_there_are_enough_large_robots() -> None:
    assert len(LARGE_FILES) >= 7  # which of them are around depends on example-robot-data's version


@pytest.mark.slow
@pytest.mark.parametrize("path", LARGE_FILES, ids=lambda path: path.stem)
def test_structure_equals_numbers_on_large_robots(path: Path) -> None:
    compare_spans(quiet(path))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5, 40))
def test_structure_equals_numbers_for_many_trees(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = random_model(rng, 2 + seed % 6, mimic=seed % 2 == 0, floating=seed % 4 == 3)
    compare_spans(Robot(model))


# ------------------------------------------------------------------ published counts


def chain(axes: list[str], gravity: tuple[float, float, float] = (0.0, 0.0, -9.81)) -> Robot:
    """Revolute joints about x, y or z of frames that all have one orientation at rest."""
    builder = jounce.TreeBuilder("chain", gravity)
    rng = np.random.default_rng(3)
    for i, axis in enumerate(axes):
        builder.add(
            f"link{i + 1}",
            "revolute",
            f"link{i}" if i else None,
            axis=np.eye(3)["xyz".index(axis)],
            xyz=rng.uniform(0.1, 0.4, 3),
            mass=1.0,
            com=(0.1, 0.2, 0.3),
            inertia_com=np.diag((0.02, 0.03, 0.04)),
        )
    return Robot(builder.build())


@pytest.mark.parametrize(
    "axes", ["zyyxyx", "zyxyxyz", "yyz", "zzy", "zzzx", "yxyy", "zyzyzyz", "yy"]
)
def test_count_of_revolute_chains(axes: str) -> None:
    """7 n - 4 b, and two less if the first axis is parallel to gravity, b joints parallel to it.

    H. Mayeda, K. Yoshida and K. Osuka, Base parameters of manipulator dynamic models, IEEE
    Transactions on Robotics and Automation 6(3), 1990. b: the first joint and those right behind
    it with parallel axes.
    """
    parallel = len(axes) - len(axes.lstrip(axes[0]))
    expected = 7 * len(axes) - 4 * parallel - 2 * (axes[0] == "z")
    assert len(base_parameters(chain(list(axes)))) == expected


def test_count_of_published_robots() -> None:
    """36 for a PUMA 560 or UR arm, 43 for seven-joint arms with the first axis upright.

    M. Gautier and W. Khalil, Direct calculation of minimum set of inertial parameters of serial
    robots, IEEE Transactions on Robotics and Automation 6(3), 1990 (36 for six joints; rotor
    inertias add four, the first two merge). C. Gaz et al., Dynamic identification of the Franka
    Emika Panda robot, IEEE Robotics and Automation Letters 4(4), 2019 (43).
    """
    right = np.pi / 2.0
    # modified Denavit-Hartenberg parameters alpha, a, d of the PUMA 560
    rows = [(0.0, 0.0, 0.0), (-right, 0.0, 0.2435), (0.0, 0.4318, -0.0934)]
    rows += [(right, -0.0203, 0.4331), (-right, 0.0, 0.0), (right, 0.0, 0.0)]
    builder = jounce.TreeBuilder("puma560")
    for i, (alpha, a, d) in enumerate(rows):
        c, s = np.cos(alpha), np.sin(alpha)
        T = np.array(
            ((1, 0, 0, a), (0, c, -s, -d * s), (0, s, c, d * c), (0, 0, 0, 1)), dtype=float
        )
        builder.add(f"link{i + 1}", "revolute", f"link{i}" if i else None, placement=T, mass=1.0)
    puma = Robot(builder.build())
    for robot, count, with_rotors in (
        (puma, 36, 40),
        (quiet(example(UR5)), 36, 40),
        (quiet("iiwa14_mueller_kumar2021"), 43, 48),
        (quiet("franka"), 43, 48),
    ):
        assert len(base_parameters(robot)) == count
        assert len(base_parameters(robot, armature=True)) == with_rotors


def test_floating_base() -> None:
    """A free body shows all ten parameters, each revolute joint lets three through."""
    robot = quiet(example(UR5), base="floating")
    assert len(base_parameters(robot)) == 10 + 7 * 6


# ------------------------------------------------------------------ what they mean


@pytest.mark.parametrize("name", ["iiwa14_mueller_kumar2021", example(PANDA)])
def test_combinations_determine_torques(name: str | Path) -> None:
    robot = quiet(name)
    rng = np.random.default_rng(0)
    q = robot.random(rng, 200)
    v, a = rng.normal(size=(2, 200, robot.nv))
    Y = robot.inverse_dynamics.dpi(q, v, a)
    base = base_parameters(robot)
    assert_close(Y[..., base.independent] @ base.matrix, Y, 1e-12)
    s = np.linalg.svd(Y.reshape(-1, 10 * robot.nb)[:, base.independent], compute_uv=False)
    assert s[-1] > 1e-6 * s[0]
    beta = base.values(robot.model.parameters.ravel())
    tau = robot.inverse_dynamics(q, v, a)
    assert_close(Y[..., base.independent] @ beta, tau, 1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_sufficient_columns(seed: int) -> None:
    """Exact whatever the geometry: no tolerance takes part."""
    rng = np.random.default_rng(seed)
    robot = Robot(random_model(rng, 5, mimic=seed == 1, floating=seed == 2))
    columns, B = sufficient_columns(robot)
    q = robot.random(rng, 20)
    v, a = rng.normal(size=(2, 20, robot.nv))
    Y = robot.inverse_dynamics.dpi(q, v, a)
    assert_close(Y[..., columns] @ B, Y, 1e-12)
    assert len(columns) < 10 * robot.nb


def test_names() -> None:
    builder = jounce.TreeBuilder("arm")
    builder.add("upper", "revolute", axis=(0, 1, 0), mass=1.0)
    builder.add("lower", "revolute", "upper", axis=(0, 1, 0), xyz=(0.3, 0, 0), mass=1.0)
    base = base_parameters(Robot(builder.build()))
    assert base.names == [
        "hx[upper] + 0.3 m[lower]",
        "hz[upper]",
        "Iyy[upper] + 0.09 m[lower]",
        "hx[lower]",
        "hz[lower]",
        "Iyy[lower]",
    ]
    assert base.name(2, terms=1) == "Iyy[upper] + 1 more"
    text = str(base)
    assert text.startswith("6 base parameters of arm (of 20)")
    assert "without effect: m[upper], hy[upper], Ixx[upper]" in text
    assert len(base.table(np.arange(6.0), np.ones(6)).splitlines()) == 7
    alone = [label for label, item in zip(base.labels, base.alone, strict=True) if item]
    assert alone == ["hz[upper]", "hx[lower]", "hz[lower]", "Iyy[lower]"]


def test_fixed_bodies_are_left_out() -> None:
    robot = quiet("iiwa14_mueller_kumar2021")
    base = base_parameters(robot, fixed=["link7"])
    assert len(base) == 36
    assert not base.matrix[:, 60:].any()


def test_sloppy_angles_are_taken_as_meant() -> None:
    """so100 has 1.57079 for a right angle: 36 combinations, not the 50 that its digits say."""
    robot = quiet(example(SO100))
    assert len(base_parameters(robot)) == 36
    assert len(base_parameters(robot, tolerance=0.0)) > 36


def test_driven() -> None:
    rng = np.random.default_rng(5)
    robot = Robot(random_model(rng, 4, ("free", "spherical", "universal", "prismatic")))
    kinds = {view.name: view for view in robot.joints.values()}
    wanted = [
        k
        for view in kinds.values()
        if view.kind in ("universal", "prismatic")
        for k in range(view.v.start, view.v.stop)
    ]
    assert driven_velocities(robot) == sorted(wanted)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "guess"}, "method: choose one of structure, numerical, found 'guess'"),
        ({"tolerance": 1.0}, "tolerance: expected 0 or a small angle"),
        ({"fixed": ["hand"]}, "fixed: planar_2r has no moving link 'hand'; choose among"),
    ],
)
def test_bad_options(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        base_parameters(quiet("planar_2r"), **options)  # type: ignore[arg-type]


def test_decompositions_that_lapack_fails_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its divide-and-conquer gave up on a matrix of the Kinova arm; the transpose works."""
    original, failed = np.linalg.svd, []

    def failing(A: np.ndarray, **options: bool) -> tuple[np.ndarray, ...]:
        if not failed:
            failed.append(A)
            raise np.linalg.LinAlgError("SVD did not converge")
        return original(A, **options)

    A = np.random.default_rng(0).normal(size=(4, 6))
    monkeypatch.setattr(np.linalg, "svd", failing)
    U, s, Vt = svd(A)
    assert failed
    assert_close((U * s) @ Vt, A)
    assert len(base_parameters(quiet(example("kinova_description/robots/kinova.urdf")))) == 36
