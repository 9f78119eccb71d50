"""Motions in time: where robot and ghosts are, how time passes, and which charts go beside."""

from __future__ import annotations

import numpy as np
import pytest

import jounce
from jounce.errors import ArgumentError
from jounce.viewer.live.charts import elastic_charts, identification_charts, series_charts
from jounce.viewer.live.numbers import format_condition_number, format_notice, format_tables
from jounce.viewer.live.player import Clock, Motion
from jounce.viewer.live.server import FIRST_PORT, choose_port
from jounce.viewer.live.stage import State, merge_parts
from jounce.viewer.live.subject import Subject

pytestmark = pytest.mark.shown


@pytest.fixture(scope="module")
def arm() -> Subject:
    return Subject(jounce.load("planar_2r"))


def wave(n: int = 21, dt: float = 0.1) -> np.ndarray:
    t = dt * np.arange(n)
    return np.stack((np.sin(t), np.cos(t)), axis=1)


def test_a_motion_is_at_its_samples_and_between_them(arm: Subject) -> None:
    q = wave()
    motion = Motion(arm, q, 0.1, None, "play")
    assert motion.duration == pytest.approx(2.0)
    assert np.allclose(motion.configuration(0.5), q[5])
    assert np.allclose(motion.configuration(0.55), (q[5] + q[6]) / 2.0)
    assert np.array_equal(motion.configuration(99.0), q[-1])
    assert np.array_equal(motion.configuration(-1.0), q[0])
    v, a = motion.rates(1.0)
    assert np.allclose(v, (np.cos(1.0), -np.sin(1.0)), atol=2e-3)
    assert np.allclose(a, -q[10], atol=1e-2)


def test_ghosts_are_other_motions_or_instants(arm: Subject) -> None:
    q = np.stack((wave(), wave() + 1.0, wave() + 2.0))
    motion = Motion(arm, q, 0.1, None, "play")
    assert motion.ghosts == 2
    assert np.allclose(motion.ghosts_at(0.5), q[1:, 5])
    motion = Motion(arm, q[0], 0.1, 3, "play")
    assert np.array_equal(motion.ghosts_at(1.3), q[0][[0, 10, 20]])
    motion = Motion(arm, q[0], 0.1, q[1:], "play")
    assert np.allclose(motion.ghosts_at(0.25), (q[1:, 2] + q[1:, 3]) / 2.0)
    assert Motion(arm, q[0][:1], 0.1, None, "play").ghosts_at(0.0).shape == (0, 2)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((np.zeros((5, 3)), 0.1, None), r"trajectory must have shape \(n, 2\)"),
        ((np.zeros((0, 2)), 0.1, None), r"n > 0, found \(0, 2\)"),
        ((np.full((5, 2), np.nan), 0.1, None), "not finite at sample 0"),
        ((np.zeros((5, 2)), 0.0, None), "dt must be a time > 0"),
        ((np.zeros((5, 2)), "a", None), "dt must be a time > 0"),
        ((np.zeros((5, 2)), None, None), "dt must be a time > 0"),
        (([[1.0, 2.0], [3.0]], 0.1, None), "play: trajectory is not an array"),
        ((np.zeros((5, 2)), 0.1, -1), "ghosts must be 0 to 500"),
        ((np.zeros((5, 2)), 0.1, np.zeros((2, 4, 2))), "must have 5 samples"),
    ],
)
def test_motions_that_cannot_be_shown_are_refused(
    arm: Subject, arguments: tuple, words: str
) -> None:
    with pytest.raises(ArgumentError, match=words):
        Motion(arm, *arguments, "play")


@pytest.mark.parametrize("given", ["abc", None, np.zeros((5, 2), complex)])
def test_what_is_no_motion_at_all_is_refused(arm: Subject, given: object) -> None:
    with pytest.raises(TypeError, match="play: trajectory must be real float64"):
        Motion(arm, given, 0.1, None, "play")  # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError, match=r"play: series\['a'\] must be real float64"):
        series_charts({"a": given}, np.zeros(5), "play")


@pytest.mark.parametrize("given", [3, [1.0, 2.0], np.zeros((5, 2))])
def test_series_have_names(given: object) -> None:
    with pytest.raises(TypeError, match="play: series must be a mapping"):
        series_charts(given, np.zeros(5), "play")  # pyright: ignore[reportArgumentType]


def test_names_of_series_may_be_numbers_but_curves_must_be_there() -> None:
    (chart,) = series_charts({3: np.zeros(5)}, np.zeros(5), "play")  # pyright: ignore[reportArgumentType]
    assert chart.title == "3"
    with pytest.raises(ArgumentError, match=r"series\['a'\] must have shape .* found \(5, 0\)"):
        series_charts({"a": np.zeros((5, 0))}, np.zeros(5), "play")


def test_orientations_of_zeros_are_refused() -> None:
    """What people write for a floating base, of which normalising would make no numbers."""
    subject = Subject(jounce.load("toro25"))
    said = "'base' has a zero quaternion at entries 0:4; robot.neutral"
    with pytest.raises(ArgumentError, match=f"show: argument 'q': joint {said}"):
        subject.check_configuration(np.zeros(subject.robot.nq), "show")
    with pytest.raises(ArgumentError, match=f"play: trajectory: joint {said}"):
        Motion(subject, np.zeros((3, subject.robot.nq)), 0.1, None, "play")
    doubled = 2.0 * subject.robot.neutral()
    assert np.array_equal(subject.check_configuration(doubled, "show"), subject.robot.neutral())


def test_open_loops_along_a_trajectory_are_reported() -> None:
    subject = Subject(jounce.load("four_bar").closed())
    path = np.stack([subject.home] * 3)
    assert subject.describe_open_loops(path) == ""
    path[1] += 0.1
    assert "the loops are open along the trajectory" in subject.describe_open_loops(path)
    assert "at sample 1; mechanism.track" in subject.describe_open_loops(path)


def test_time_passes_comes_round_and_stops() -> None:
    clock = Clock(2.0, speed=2.0, loop=True, playing=True)
    assert not clock.tick(10.0)  # the first look only says when it began
    assert clock.tick(10.5)
    assert clock.time == pytest.approx(1.0)
    clock.tick(11.25)
    assert clock.time == pytest.approx(0.5)
    clock.loop = False
    clock.tick(20.0)
    assert clock.time == 2.0
    assert not clock.playing
    clock.play()
    assert clock.time == 0.0
    clock.set(5.0)
    assert clock.time == 2.0
    assert not Clock(0.0, speed=1.0, loop=True, playing=True).playing


def test_series_are_charts_with_a_row_per_sample() -> None:
    t = np.arange(2000.0)
    one, two = series_charts({"error": np.sin(t), "forces": np.zeros((2000, 3))}, t, "play")
    assert list(one.curves) == ["error"]
    assert list(two.curves) == ["0", "1", "2"]
    thin = one.subsample()
    assert len(thin.t) <= 500
    assert np.array_equal(thin.curves["error"], np.sin(thin.t))
    low, high = thin.range
    assert low < -0.99
    assert high > 0.99
    gappy = series_charts({"x": np.array((np.nan, 1.0, 3.0))}, np.arange(3.0), "play")[0]
    assert np.allclose(gappy.range, (0.9, 3.1))
    with pytest.raises(ArgumentError, match=r"series\['error'\] must have shape \(3,\)"):
        series_charts({"error": np.zeros(4)}, np.arange(3.0), "play")


def test_elastic_drives_have_charts_of_deflection_and_torque(arm: Subject) -> None:
    rng = np.random.default_rng(0)
    q, (v, a, j, s) = wave(), rng.normal(size=(4, 21, 2))
    drive = arm.robot.elastic_inverse_dynamics(q, v, a, j, s, 100.0)
    charts = elastic_charts(drive, arm, q, 0.1 * np.arange(21), "play")
    assert list(charts) == arm.robot.labels("v")
    torque, position, deflection = next(iter(charts.values()))
    assert np.array_equal(torque.curves["link"], drive.link_torque[:, 0])
    assert np.allclose(deflection.curves["motor - link"], drive.link_torque[:, 0] / 100.0)
    assert np.array_equal(position.curves["link"], q[:, 0])
    with pytest.raises(ArgumentError, match=r"elastic must be .* arrays \(5, 2\)"):
        elastic_charts(drive, arm, q[:5], np.arange(5.0), "play")


def test_identification_has_charts_of_measured_and_identified_torques(arm: Subject) -> None:
    robot, rng = arm.robot, np.random.default_rng(1)
    q, v, a = rng.normal(size=(3, 60, 2))
    tau = robot.inverse_dynamics(q, v, a)
    found = jounce.identify(robot, {"q": q, "v": v, "a": a, "tau": tau}, method="ols")
    charts = identification_charts(found, arm, 0.1, "play")
    assert set(charts) == set(robot.labels("v"))
    (chart,) = next(iter(charts.values()))
    assert np.allclose(chart.curves["residual"], 0.0, atol=1e-6)
    assert np.all(np.diff(chart.t) > 0.0)
    with pytest.raises(TypeError, match="identification must be a result"):
        identification_charts(3, arm, 0.1, "play")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="must be of this robot, found one with joints"):
        identification_charts(found, Subject(jounce.load("kuka_iiwa14")), 0.1, "play")


def test_numbers_are_those_of_the_quantities_and_names_stay_text() -> None:
    builder = jounce.TreeBuilder("<b>bold</b>")
    builder.add(
        "<script>alert(1)</script>",
        "revolute",
        axis=(0, 1, 0),
        mass=2.0,
        com=(1, 0, 0),
        joint_name="a<b",
    )
    subject = Subject(jounce.Robot(builder.build()))
    q = np.array((0.3,))
    frame = subject.robot.model.frame_names[-1]
    text = format_tables(State(subject, q, np.array((2.0,)), np.zeros(1)), frame)
    assert "<script" not in text
    assert "a&lt;b" in text
    for value in (
        subject.robot.gravity_forces(q)[0],
        subject.robot.potential_energy(q),
        subject.robot.kinetic_energy(q, (2.0,)),
    ):
        assert f"{float(value):.4g}" in text
    assert "<p" not in format_notice(())
    assert "&lt;x&gt;" in format_notice(("<x>",))


def test_condition_number_of_singular_matrices() -> None:
    assert format_condition_number(np.diag((4.0, 2.0))) == "2"
    assert format_condition_number(np.diag((4.0, 0.0))) == "singular"
    assert format_condition_number(np.zeros((2, 2))) == "none"


def test_parts_of_one_color_become_one_mesh() -> None:
    model = jounce.load("kuka_iiwa14").model
    parts = jounce.viewer.scene.looks(model).parts
    found = merge_parts(parts)
    assert len(found) < len(parts)
    assert sum(len(faces) for _, faces in found.values()) == sum(len(p.faces) for p in parts)
    for vertices, faces in found.values():
        assert faces.max() == len(vertices) - 1


def test_ports_are_checked_before_a_server_starts() -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ArgumentError, match=f"port {port} of localhost is taken"):
            choose_port("localhost", port)
    assert choose_port("localhost", port) == port
    assert choose_port("localhost", None) >= FIRST_PORT
    with pytest.raises(ArgumentError, match="whole number from 1 to 65535, found 70000"):
        choose_port("localhost", 70000)
    with pytest.raises(ArgumentError, match="name or address of this machine"):
        choose_port("no such host", None)
    with pytest.raises(ArgumentError, match="not an address of this machine"):
        choose_port("192.0.2.1", None)
