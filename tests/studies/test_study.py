"""Studies against what is known without drawing, and against plain loops over robots."""

from __future__ import annotations

import json
import pickle
import tracemalloc
import warnings

import numpy as np
import pytest
from scipy import stats

import jounce
from jounce.errors import ArgumentError, DataError, ModelWarning
from jounce.studies import Normal, Study, Uniform, study
from jounce.studies.engine import Evaluation, run_chunks
from support import mechanisms as closed
from support import zoo


def _robot(name: str) -> jounce.Robot:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        return jounce.Robot(zoo.MODELS[name]())


def _state(robot: jounce.Robot, points: int = 3, seed: int = 0) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    v, a = rng.normal(size=(2, points, robot.nv))
    return robot.random(rng, points), v, a


def _rubbing() -> jounce.Robot:
    robot = jounce.load("franka")
    rng = np.random.default_rng(8)
    drives = {name: rng.uniform(0.5, 2.0, 7) for name in ("armature", "damping", "friction")}
    return robot.edit.with_parameters(robot.model.parameters, **drives)


def _all_values(found: Study) -> np.ndarray:
    """Results (samples, points, m) of all samples."""
    problem = found.problem
    chunks = [problem.draw(chunk) for chunk in range(problem.chunks)]
    values = [problem.evaluation(problem.variation, x).swapaxes(0, 1) for x in chunks]
    return np.concatenate(values).reshape(found.samples, *found.nominal.shape)


# ------------------------------------------------------------------ what is known


def test_a_sum_of_frictions_has_the_variance_and_indices_that_are_known():
    """tau = ... + damping v + friction sign(v), both logarithmic normals."""
    robot = _rubbing()
    q, v, a = _state(robot, 4)
    result = study(
        robot, (q, v, a), vary={"friction": "20%", "damping": "10%"}, samples=200_000, seed=1
    )
    part = {
        name: [getattr(j, name)[0] for j in robot.model.joints] for name in ("friction", "damping")
    }

    def parts(s: float, size: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return size * np.exp(s**2 / 2), (np.exp(s**2) - 1) * np.exp(s**2) * size**2

    rub = parts(0.2, np.array(part["friction"]) * np.sign(v))
    damp = parts(0.1, np.array(part["damping"]) * v)
    variance = rub[1] + damp[1]
    nominal = robot.inverse_dynamics(q, v, a)
    np.testing.assert_allclose(result.nominal, robot.motor_forces(q, v, a), rtol=1e-12, atol=1e-12)
    error = np.sqrt(variance / result.samples)
    assert (np.abs(result.mean - nominal - rub[0] - damp[0]) < 5.0 * error).all()
    np.testing.assert_allclose(result.std, np.sqrt(variance), rtol=0.02)
    for k in range(7):
        first = result.first[result.groups.index(f"friction[joint{k + 1}]")]
        total = result.total[result.groups.index(f"friction[joint{k + 1}]")]
        expected = np.zeros((4, 7))
        expected[:, k] = (rub[1] / variance)[:, k]
        assert (np.abs(first - expected) < 0.03).all()
        assert (np.abs(total - expected) < 0.06).all()
        others = np.arange(7) != k
        assert (total[:, others] < 1e-20).all()


def test_all_statistics_are_those_of_all_samples():
    robot = jounce.load("franka")
    arguments = _state(robot)
    result = study(
        robot, arguments, vary={"inertia": "5%", "placement": "1mm 1deg"}, samples=20_000
    )
    assert result.problem.chunks > 1
    values = _all_values(result)
    np.testing.assert_allclose(result.mean, values.mean(axis=0), rtol=1e-10)
    np.testing.assert_allclose(result.std, values.std(axis=0, ddof=1), rtol=1e-9)
    for k in range(3):
        np.testing.assert_allclose(result.covariance[k], np.cov(values[:, k].T), rtol=0, atol=1e-9)
    np.testing.assert_allclose(result.low, values.min(axis=0), rtol=0, atol=1e-13)
    np.testing.assert_allclose(result.high, values.max(axis=0), rtol=0, atol=1e-13)
    exact = np.quantile(values, result.levels, axis=0)
    assert (np.abs(result.quantiles - exact) < result.resolution).all()
    for k, worst in enumerate(result.worst):
        deviations = np.abs(values[..., k] - result.nominal[:, k])
        assert worst.sample == np.unravel_index(deviations.argmax(), deviations.shape)[0]
        assert abs(abs(worst.value - worst.nominal) - deviations.max()) < 1e-12


@pytest.mark.parametrize("name", ["franka", "every kind", "floating", "floating, mimic"])
def test_samples_are_those_of_robots_made_one_by_one(name):
    robot = _robot(name)
    arguments = _state(robot)
    vary = {"inertia": "10%", "com": "2mm", "placement": "1mm 1deg", "screw": "2mm"}
    result = study(robot, arguments, vary=vary, samples=30, sobol=False)
    values = _all_values(result)
    for sample in (0, 7, 29):
        made = result.robot_of(sample)
        expected = made.inverse_dynamics(*arguments)
        np.testing.assert_allclose(values[sample], expected, rtol=1e-9, atol=1e-9)
    entry = int(np.argmax(result.std.max(axis=0)))
    worst = result.worst[entry]
    again = result.worst_robot(entry).inverse_dynamics(*arguments)[(*worst.point, entry)]
    assert abs(again - worst.value) < 1e-9 * max(1.0, abs(again))


def test_drives_of_samples_are_those_of_robots_made_one_by_one():
    robot = _rubbing()
    q, v, a = _state(robot)
    vary = {"friction": "20%", "damping": "10%", "armature": "30%", "mass": "5%"}
    result = study(robot, (q, v, a), "motor_forces", vary, 20)
    values = _all_values(result)
    pushed = study(robot, (q, v, a), "driven_dynamics", {"friction": "20%", "mass": "5%"}, 20)
    accelerations = _all_values(pushed)
    for sample in (0, 19):
        expected = result.robot_of(sample).motor_forces(q, v, a)
        np.testing.assert_allclose(values[sample], expected, rtol=1e-10, atol=1e-10)
        expected = pushed.robot_of(sample).driven_dynamics(q, v, a)
        np.testing.assert_allclose(accelerations[sample], expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    ("asked", "called", "kind"),
    [
        ("inverse_dynamics", "motor_forces", "friction"),
        ("inverse_dynamics", "motor_forces", "armature"),
        ("forward_dynamics", "driven_dynamics", "damping"),
        ("inverse_dynamics", "inverse_dynamics", "mass"),
    ],
)
def test_results_are_called_what_they_are(asked, called, kind):
    """The worst value is that of the worst robot, by the name that the study gives it."""
    robot = _rubbing()
    arguments = _state(robot)
    result = study(robot, arguments, asked, {kind: "20%"}, 50)
    assert result.quantity == result.to_dict()["quantity"] == called
    assert str(result).startswith(f"{robot.name}.{called}, ")
    worst = result.worst[2]
    again = result.worst_robot(2).quantity(result.quantity)(*arguments)[(*worst.point, 2)]
    assert abs(again - worst.value) < 1e-9
    same = study(robot, arguments, result.quantity, result.vary, 50)
    np.testing.assert_array_equal(same.mean, result.mean)


def test_a_mechanism_takes_its_dependent_joints_along():
    mechanism = closed.mechanism("five_bar")
    tree = mechanism.robot
    drives = {"damping": np.linspace(0.5, 1.0, tree.nv), "friction": np.full(tree.nv, 0.3)}
    mechanism = tree.edit.with_parameters(tree.model.parameters, **drives).closed(mechanism.active)
    q, v = mechanism.reference, np.linspace(0.3, 0.8, mechanism.nv)
    vary = {"inertia": "5%", "damping": "20%", "friction": "10%"}
    result = study(mechanism, (q, v, -v), vary=vary, samples=500)
    assert result.nominal.shape == (mechanism.nv,)
    np.testing.assert_allclose(result.nominal, mechanism.motor_forces(q, v, -v), rtol=1e-10)
    values = _all_values(result)
    again = result.robot_of(3).closed(mechanism.active, mechanism.reference)
    np.testing.assert_allclose(values[3], again.motor_forces(q, v, -v), rtol=1e-9)
    assert result.quantity == "motor_forces"
    pushed = study(mechanism, (q, v, -v), "forward_dynamics", {"damping": "20%"}, 50)
    assert pushed.quantity == "driven_dynamics"
    np.testing.assert_allclose(pushed.nominal, mechanism.driven_dynamics(q, v, -v), rtol=1e-9)
    with pytest.raises(ArgumentError, match=r"placement of a mechanism cannot vary.*loops"):
        study(mechanism, (q, v, v), vary={"placement": "1mm"}, samples=10)


def test_a_mechanism_may_float():
    mechanism = closed.mechanism("leg")
    v = np.random.default_rng(0).normal(size=(2, mechanism.nv))
    q = np.tile(mechanism.reference, (2, 1))
    result = study(mechanism, (q, v, -v), vary={"inertia": "5%"}, samples=200)
    expected = mechanism.inverse_dynamics(q, v, -v)
    np.testing.assert_allclose(result.nominal, expected, rtol=1e-9, atol=1e-9)
    assert len(result.labels) == mechanism.nv
    assert result.std.max() > 0.0


def test_frames_follow_placements():
    robot = jounce.load("franka")
    q = robot.random(0, 2)
    result = study(robot, (q,), "frame(link7).pose", {"placement[joint7]": "1mm"}, 20_000)
    assert result.shape == (4, 4)
    assert result.labels[3] == "0, 3"
    np.testing.assert_allclose(result.nominal, robot.frame("link7").pose(q), rtol=0, atol=1e-14)
    # the last joint moves the frame itself: in all directions alike
    np.testing.assert_allclose(result.std[:, :3, 3], 1e-3, rtol=0.03)
    assert (result.std[:, :3, :3] == 0.0).all()
    assert (result.low[:, 3] == (0, 0, 0, 1)).all()
    np.testing.assert_allclose(result.total[0, :, :3, 3], 1.0, rtol=0.1)
    with pytest.raises(ArgumentError, match="frames do not depend on mass"):
        study(robot, (q,), "frame(link7).pose", {"mass": "1%"}, 10)


def test_contacts_and_matrices_can_be_studied():
    robot = jounce.load("kuka_iiwa14").edit.with_contact("link7", "point", "tip")
    q, v, tau = _state(robot, 2)
    contacts = robot.contacts("tip")
    result = study(contacts, (q, v, tau), "forward_dynamics", {"mass": "2%"}, 50)
    expected = contacts.forward_dynamics(q, v, tau)
    np.testing.assert_allclose(result.nominal, expected, rtol=1e-8, atol=1e-8)
    assert (result.std > 0.0).all()
    matrix = study(robot, (q,), "mass_matrix", {"mass": "2%"}, 50)
    assert matrix.covariance.shape == (2, 49, 49)
    assert matrix.labels[1].count(",") == 1
    large = study(robot, (q,), "mass_matrix.dq", {"mass": "2%"}, 50)
    assert large.covariance is None
    assert large.std.shape == (2, 7, 7, 7)


# ------------------------------------------------------------------ identities


def test_shares_of_the_variance_add_up():
    robot = jounce.load("franka")
    result = study(robot, _state(robot, 2), vary={"inertia": "20%", "mass": "20%"}, samples=100_000)
    first, total = result.first_overall.sum(axis=0), result.total_overall.sum(axis=0)
    slack = 4.0 * np.sqrt((result.first_overall_error**2).sum(axis=0))
    assert (first < 1.0 + slack).all()
    assert (total > 1.0 - slack).all()
    error = np.hypot(result.first_overall_error, result.total_overall_error)
    assert (result.total_overall >= result.first_overall - 4.0 * error).all()
    # joint 7 moves its own link only
    only = [k for k, name in enumerate(result.groups) if name.endswith("[link7]")]
    np.testing.assert_allclose(result.total_overall[only, -1].sum(), 1.0, atol=0.15)
    others = [k for k in range(len(result.groups)) if k not in only]
    assert np.abs(result.total_overall[others, -1]).max() < 1e-12


def test_of_two_groups_one_has_part_in_what_the_other_does_not_explain():
    """The law of total variance: V = E[V | x] + V(E[. | x])."""
    robot = jounce.load("planar_2r")
    result = study(robot, _state(robot, 4), "forward_dynamics", {"mass": "40%"}, 100_000, threads=1)
    assert len(result.groups) == 2
    error = np.hypot(result.total_error, result.first_error[::-1])
    assert (np.abs(result.total - (1.0 - result.first[::-1])) < 4.0 * error).all()
    assert error.max() < 0.03
    assert (result.total - result.first).max() > 0.005  # masses act together


def test_weighted_indices_are_means_over_points():
    robot = jounce.load("planar_2r")
    result = study(robot, _state(robot, 5), vary={"mass": "10%"}, samples=5000)
    weight = result.std**2
    for each, overall in (
        (result.total, result.total_overall),
        (result.first, result.first_overall),
    ):
        mean = (each * weight).sum(axis=1) / weight.sum(axis=0)
        # up to the difference of the variance of samples in pairs from that of all
        np.testing.assert_allclose(overall, mean, rtol=0, atol=0.02)


# ------------------------------------------------------------------ the same numbers


def _same(a: Study, b: Study) -> None:
    names = ("mean", "std", "covariance", "quantiles", "low", "high", "first", "total")
    for name in (*names, "first_overall", "total_overall"):
        ours, theirs = getattr(a, name), getattr(b, name)
        atol = 1e-9 * np.abs(theirs).max()
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=atol, err_msg=name)
    assert [x.sample for x in a.worst] == [x.sample for x in b.worst]


def test_any_number_of_threads_gives_the_same_answer():
    robot = jounce.load("planar_2r")
    arguments = _state(robot, 40)
    how = {"vary": {"inertia": "5%", "placement": "1mm"}, "samples": 150_000, "seed": 7}
    item = study(robot, arguments, **how, threads=1)
    assert item.problem.chunks > 3
    for threads in (2, 3):
        result = study(robot, arguments, **how, threads=threads)
        _same(item, result)
        again = study(robot, arguments, **how, threads=threads)
        np.testing.assert_array_equal(result.covariance, again.covariance)
    other = study(robot, arguments, **{**how, "seed": 8}, threads=1)
    assert (other.mean != item.mean).all()


@pytest.mark.parametrize("sampling", ["sobol", "halton", "lhs", "random"])
def test_sampling_methods_agree(sampling):
    """The mean of forces that are linear in the masses is the nominal one, times exp(s^2 / 2)."""
    robot = jounce.load("planar_2r")
    q = robot.random(0, 3)
    result = study(robot, (q,), "gravity_forces", {"mass": "10%"}, 4000, sampling=sampling)
    assert result.sampling == result.to_dict()["sampling"] == sampling
    expected = result.nominal * np.exp(0.005)
    atol = (5e-2 if sampling == "random" else 5e-3) * result.std.max()
    np.testing.assert_allclose(result.mean, expected, rtol=0, atol=2 * atol)


def test_distributions_of_scipy_may_vary():
    robot = jounce.load("planar_2r")
    vary = {"mass": stats.uniform(-0.05, 0.1), "com": Normal(1e-3)}
    result = study(robot, _state(robot), vary=vary, samples=2000)
    mass = [result.draw(k)["parameters"][0, 0] / robot.model.parameters[0, 0] for k in range(50)]
    assert np.abs(np.log(mass)).max() <= 0.05
    assert json.loads(result.to_json())["vary"]["mass"] == "uniform(-0.05, 0.1)"
    again = pickle.loads(pickle.dumps(result))
    np.testing.assert_array_equal(again.draw(3)["parameters"], result.draw(3)["parameters"])


def test_a_problem_travels_and_comes_back_the_same():
    robot = jounce.load("planar_2r")
    problem = study(robot, _state(robot, 3), vary={"mass": "5%"}, samples=100).problem
    again = pickle.loads(pickle.dumps(problem))
    ours, theirs = (run_chunks(x, range(1), None).first for x in (problem, again))
    np.testing.assert_array_equal(ours, theirs)


def test_memory_does_not_grow_with_samples():
    robot = jounce.load("planar_2r")
    arguments = _state(robot, 40)
    peaks = []
    for samples in (40_000, 400_000):
        tracemalloc.start()
        study(robot, arguments, vary={"mass": "5%"}, samples=samples, sobol=False, threads=1)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.3 * peaks[0]
    assert peaks[1] < 400_000 * 80 * 8 / 3  # of what all results would take


def test_a_study_travels():
    robot = jounce.load("planar_2r")
    result = study(robot, _state(robot), vary={"mass": "5%"}, samples=100)
    again = pickle.loads(pickle.dumps(result))
    np.testing.assert_array_equal(again.total, result.total)
    np.testing.assert_array_equal(again.draw(7)["parameters"], result.draw(7)["parameters"])


def test_few_points_and_many_give_the_same():
    """Points inside or outside of the loop of a kernel are the same points."""
    robot = jounce.load("franka")
    several_items = _state(robot, 40)
    how = {"vary": {"mass": "5%", "screw": "1mm"}, "samples": 300, "sobol": False}
    full = study(robot, several_items, **how)
    part = study(robot, [x[:5] for x in several_items], **how)
    np.testing.assert_allclose(part.mean, full.mean[:5], rtol=1e-12)
    np.testing.assert_allclose(part.std, full.std[:5], rtol=1e-9)


# ------------------------------------------------------------------ ways of calling


def test_points_may_have_no_axis_or_several():
    robot = jounce.load("planar_2r")
    q, v, a = _state(robot, 6)
    how = {"vary": {"mass": "5%"}, "samples": 100}
    full = study(robot, (q, v, a), **how, t=np.arange(6.0))
    item = study(robot, (q[0], v[0], a[0]), **how)
    assert item.mean.shape == (2,)
    assert item.first.shape == (2, 2)
    assert item.worst[0].point == ()
    np.testing.assert_allclose(item.mean, full.mean[0], rtol=1e-12)
    grid = study(robot, [x.reshape(2, 3, 2) for x in (q, v, a)], **how)
    assert grid.covariance.shape == (2, 3, 2, 2)
    assert len(grid.worst[0].point) == 2
    np.testing.assert_array_equal(grid.mean.reshape(6, 2), full.mean)
    held = study(robot, (q, v[0], [0.0, 0.0]), **how)
    assert held.mean.shape == (6, 2)
    single = study(robot, [x.astype(np.float32) for x in (q, v, a)], **how)
    np.testing.assert_allclose(single.mean, full.mean, rtol=1e-5)


def test_further_arguments_are_given_by_name():
    robot = jounce.load("franka")
    q, v, a = _state(robot)
    wrench = {"link7": np.ones(6)}
    result = study(robot, (q, v, a), vary={"mass": "1%"}, samples=10, wrenches=wrench)
    expected = robot.inverse_dynamics(q, v, a, wrenches=wrench)
    np.testing.assert_allclose(result.nominal, expected, rtol=1e-12)
    moon = study(robot, (q, v, a), vary={"mass": "1%"}, samples=10, gravity=(0, 0, -1.6))
    expected = robot.parametric.inverse_dynamics(
        q, v, a, robot.model.parameters, gravity=(0, 0, -1.6)
    )
    np.testing.assert_allclose(moon.nominal, expected, rtol=1e-12)


def test_what_is_found_can_be_written(tmp_path):
    robot = jounce.load("planar_2r")
    vary = {"mass": Uniform("5%"), "com": Normal(1e-3)}
    result = study(robot, _state(robot), vary=vary, samples=50, t=(0, 1, 2))
    path = tmp_path / "study.json"
    result.to_json(path)
    read = json.loads(path.read_text(encoding="utf-8"))
    assert read["groups"] == result.groups
    np.testing.assert_array_equal(read["total"], result.total)
    assert read["vary"] == {"mass": "Uniform(amount='5%')", "com": "Normal(amount=0.001)"}
    amounts = {"mass": np.float32(0.5), "com": Normal(np.float64(1e-3)), "inertia": None}
    other = study(robot, _state(robot), vary=amounts, samples=50).to_dict()["vary"]
    assert json.dumps(other) == '{"mass": 0.5, "com": "Normal(amount=0.001)", "inertia": null}'
    text = str(result)
    assert text.count("\n") == 2
    assert "mass[link" in text
    assert "50 samples" in repr(result)


def test_what_does_not_vary_is_said():
    robot = jounce.load("franka")
    still = np.zeros(7)
    result = study(robot, (still, still), "momentum", {"mass": "5%"}, 20)
    assert (result.std == 0.0).all()
    assert (result.total == 0.0).all()
    np.testing.assert_array_equal(result.quantiles[0], result.nominal)
    assert "no entry varies" in str(result)


def test_rounding_is_no_variance():
    """No link's inertia loads a vertical axis at rest."""
    robot = jounce.load("franka")
    still = np.zeros((40, 7))
    result = study(robot, (robot.random(0, 40), still, still), vary={"inertia": "5%"}, samples=500)
    assert 0.0 < np.abs(result.high - result.nominal)[:, 0].max() < 1e-14
    assert (result.std[:, 0] == 0.0).all()
    assert (result.std[:, 1] > 0.0).all()
    for name in ("first", "total", "first_overall", "total_overall"):
        assert (getattr(result, name)[..., 0] == 0.0).all()


def test_single_numbers_can_be_studied():
    robot = jounce.load("franka")
    q, v, _ = _state(robot)
    result = study(robot, (q, v), "kinetic_energy", {"mass": "5%"}, 4000)
    np.testing.assert_allclose(result.nominal, robot.kinetic_energy(q, v), rtol=1e-12)
    assert result.labels == ["kinetic_energy"]
    assert result.total.shape == (7, 3)
    assert result.total_overall.shape == (7,)
    # energies of the links add up: no interactions
    np.testing.assert_allclose(result.first.sum(axis=0), 1.0, atol=0.15)


@pytest.mark.parametrize("samples", [2, 3, 5, 17])
def test_few_samples_are_enough(samples):
    robot = jounce.load("franka")
    result = study(robot, _state(robot), vary={"inertia": "5%", "com": "1mm"}, samples=samples)
    assert np.isfinite(result.total).all()
    assert np.isnan(result.total_error).all() == (samples < 4)
    values = _all_values(result)
    np.testing.assert_allclose(result.std, values.std(axis=0, ddof=1), rtol=1e-9, atol=1e-13)
    read = json.loads(result.to_json())
    assert (read["total_error"][0][0][0] is None) == (samples < 4)


def test_indices_may_be_left_out():
    robot = jounce.load("planar_2r")
    result = study(robot, _state(robot), vary={"mass": "5%"}, samples=1e3, sobol=False)
    assert result.first is None
    assert result.ranked(0) == []
    assert result.evaluations == 3 * result.samples == 3000
    json.loads(result.to_json())


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"quantity": "no_such"}, "no quantity .no_such.; see `jounce info ROBOT --quantities`"),
        ({"quantity": 3}, "quantity must be a name"),
        ({"quantity": "inverse_dynamics.derivatives"}, "several results"),
        ({"quantity": "parametric.inverse_dynamics"}, "parameters as arguments"),
        ({"vary": {"friction": "5%"}, "quantity": "mass_matrix"}, "friction can vary in"),
        (
            {"vary": {"damping": "5%"}, "quantity": "parametric.inverse_dynamics"},
            "damping can vary in inverse_dynamics",
        ),
        ({"vary": {"armature": "5%"}, "quantity": "forward_dynamics"}, "armature cannot vary"),
        ({"vary": {"inertias": "5%"}}, "no kind 'inertias'"),
        ({"vary": None}, "vary must be a mapping"),
        ({"samples": 1}, "samples must be a whole number >= 2"),
        ({"samples": 10.5}, "samples must be"),
        ({"samples": "many"}, "samples must be"),
        ({"seed": -1}, "seed must be"),
        ({"bins": 2}, "bins must be"),
        ({"sampling": "grid"}, "sampling must be one of sobol, halton, lhs, random, found 'grid'"),
        ({"threads": 0}, "threads must be"),
        ({"quantiles": (0.5, 2.0)}, "levels from 0 to 1"),
        ({"samples": 2**2000}, r"samples must be a whole number up to 1e\+15"),
        ({"seed": 2**20000}, "seed must be a whole number up to"),
        ({"bins": 2**2000}, "bins must be a whole number up to"),
        ({"t": (1.0, 2.0)}, "a time for each of the points"),
        ({"t": "abc"}, "t must be times in s, or dates, of the points .*'abc'"),
        ({"t": np.array(["2020-01-01", "NaT", "2020-01-02"], "M8[D]")}, "t must be finite"),
        (
            {"vary": {"mass[link7]": "5%", "mass[link6, link7]": "50%"}},
            r"mass of link7 is given twice, by 'mass\[link7\]' and 'mass\[link6, link7\]'",
        ),
        ({"vary": {"mass": "5%", " mass": "50%"}}, "mass of link1 is given twice"),
        ({"wind": 5}, "takes no 'wind'; by name it takes wrenches"),
        ({"client": "tcp://nowhere:1", "threads": 2}, "threads: cannot be combined"),
    ],
)
def test_what_cannot_be_studied_is_refused(changed, words):
    robot = _rubbing()
    quantity = str(changed.get("quantity", ""))
    q, v, a = _state(robot)
    arguments = (q,) if quantity == "mass_matrix" else (q, v, a)
    how = {"vary": {"mass": "5%"}, "samples": 10, **changed}
    with pytest.raises(ArgumentError, match=words):
        study(robot, arguments, **how)


def test_arguments_that_do_not_fit_are_refused():
    robot = jounce.load("planar_2r")
    q, v, a = _state(robot)
    how = {"vary": {"mass": "5%"}, "samples": 10}
    with pytest.raises(ArgumentError, match=r"tuple \(q, v, a\), found 2"):
        study(robot, (q, v), **how)
    with pytest.raises(ArgumentError, match=r"tuple \(q,\), found ndarray"):
        study(robot, q, "mass_matrix", **how)
    with pytest.raises(ArgumentError, match=r"'v' must have shape \(..., 2\)"):
        study(robot, (q, v[:, :1], a), **how)
    with pytest.raises(ArgumentError, match="there are no points"):
        study(robot, (q[:0], v[:0], a[:0]), **how)
    v[1, 0] = np.nan
    with pytest.raises(ArgumentError, match="argument 'v' is not finite at point 1"):
        study(robot, (q, v, a), **how)
    with pytest.raises(ArgumentError, match="expected a robot"):
        study(robot.model, (q, v, a), **how)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_results_that_are_not_finite_are_told_of(monkeypatch, value):
    robot = jounce.load("planar_2r")
    full = Evaluation.__call__

    def fail(self, variation, x):
        out = full(self, variation, x)
        if len(x) > 1 and out.shape[1] < 64:  # of the chunk, not of the pilot
            out[1, 4, 0] = value
        return out

    monkeypatch.setattr(Evaluation, "__call__", fail)
    with pytest.raises(DataError, match="sample 4 has no finite result at point 1, entry 0"):
        study(robot, _state(robot), vary={"mass": "5%"}, samples=16)


def test_states_that_are_too_large_are_refused():
    robot = jounce.load("planar_2r")
    with pytest.raises(ArgumentError, match=r"numbers in memory.*fewer bins"):
        study(robot, _state(robot), vary={"mass": "5%"}, samples=10, bins=10**9)


def test_draws_are_refused_beyond_the_samples():
    robot = jounce.load("planar_2r")
    result = study(robot, _state(robot), vary={"mass": "5%"}, samples=10)
    with pytest.raises(ArgumentError, match="from 0 to 9, found 10"):
        result.draw(10)


def test_entries_have_labels_and_numbers():
    robot = jounce.load("planar_2r")
    result = study(robot, _state(robot), vary={"mass": "5%"}, samples=10)
    assert result.ranked("joint2") == result.ranked(1) == result.ranked(-1) != result.ranked(0)
    expected = result.robot_of(result.worst[1].sample).model.parameters
    for entry in ("joint2", 1, np.int64(1), -1):
        np.testing.assert_array_equal(result.worst_robot(entry).model.parameters, expected)
    for entry in ("x", 2, -3, True, 0.5):
        for call in (result.worst_robot, result.ranked):
            with pytest.raises(ArgumentError, match=r"no entry .* joint1, joint2, or a number"):
                call(entry)


def test_dates_are_times_from_the_first():
    robot = jounce.load("planar_2r")
    how = {"vary": {"mass": "5%"}, "samples": 10}
    dates = np.datetime64("2020-01-01T00:00:00") + np.array([0, 500, 1000], "m8[ms]")
    np.testing.assert_array_equal(study(robot, _state(robot), **how, t=dates).t, [0.0, 0.5, 1.0])
    result = study(robot, _state(robot), **how, t=dates - dates[1])
    np.testing.assert_array_equal(result.t, [-0.5, 0.0, 0.5])


def test_large_seeds_are_seeds():
    robot = jounce.load("planar_2r")
    result = study(robot, _state(robot), vary={"mass": "5%"}, samples=10, seed=2**128 + 1)
    assert json.loads(result.to_json())["seed"] == 2**128 + 1


def test_bodies_that_could_not_exist_keep_their_proportions():
    """A density is a factor of all ten parameters, of whatever body."""
    pi = np.array(jounce.load("planar_2r").model.parameters)
    pi[0] = (1.0, 0.5, 0.0, 0.0, 0.01, 0.5, 0.9, 0.0, 0.0, 0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jounce.ModelWarning)
        robot = jounce.load("planar_2r").edit.with_parameters(pi)
    q = np.zeros(2)
    result = study(robot, (q, q, q), vary={"mass[link1]": "50%"}, samples=100)
    drawn = result.draw(0)["parameters"][0]
    np.testing.assert_allclose(drawn, drawn[0] * pi[0], rtol=1e-12, atol=1e-15)


def test_what_varies_nothing_is_told():
    robot = jounce.load("planar_2r")
    q = np.zeros(2)
    with pytest.warns(jounce.ModelWarning, match="friction. has no effect"):
        study(robot, (q, q, q), vary={"mass": "5%", "friction": "20%"}, samples=50)


def test_friction_that_is_not_linear_is_refused():
    robot = jounce.load("planar_2r").edit.with_friction(damping=0.5, friction_smoothing=0.1)
    with pytest.raises(ArgumentError, match=r"found friction_smoothing of joint 'joint1'"):
        study(robot, (np.zeros(2), np.ones(2), np.ones(2)), vary={"damping": "10%"}, samples=10)
