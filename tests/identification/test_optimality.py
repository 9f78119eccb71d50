"""All estimators end where the conditions of their optimum hold, or say that they do not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jounce
from jounce.identification import estimator, identify
from jounce.identification.consistent import MARGIN, Bodies, consistent, drive_columns
from jounce.identification.drives import DriveParameters
from jounce.identification.parameter_space import Space
from jounce.identification.result import Identification
from jounce.robot import Robot
from support.helpers import assert_close
from support.identify_data import (
    PANDA,
    UR5,
    Motion,
    changed,
    example,
    loaded,
    motion,
    with_drives,
)


def measurements(seed: int) -> tuple[Robot, Robot, Motion]:
    """A robot, the same with other masses, friction and rotors, and noisy torques of that."""
    robot = loaded(("kuka_iiwa14", str(example(UR5)), str(example(PANDA)))[seed % 3])
    factors = np.random.default_rng(seed).uniform(0.8, 1.2, (robot.nb, 1))
    truth = with_drives(robot.edit.with_parameters(factors * robot.model.parameters), seed)
    return robot, truth, motion(truth, 400, seed=seed, noise=0.01)


def fit(robot: Robot, data: Motion, **options: Any) -> Identification:
    """With weights that do not change."""
    weights = 1.0 / (0.01 * np.abs(data.tau).mean(axis=0))
    common: dict[str, Any] = {"friction": True, "armature": True, "folds": 0, "weights": weights}
    return identify(robot, data.arrays(), **common | options)


def equations(found: Identification) -> tuple[np.ndarray, np.ndarray]:
    return found.factors.stack(np.asarray(found.options.weights))


def gradient(found: Identification) -> np.ndarray:
    """Half the gradient of |A theta - z|^2 / gamma + d(theta, prior), in units of the scales."""
    space, theta, metric = found.space, found.theta, found.options.metric
    A, z = equations(found)
    out = A.T @ (A @ theta - z) / found.options.regularization
    first = 0 if metric == "euclidean" else space.layout.groups["inertia"].stop
    out[first:] += ((theta - space.prior) / space.scale**2)[first:]
    bodies = Bodies.of(space)
    J, J0 = (bodies.matrices(x) for x in (theta, bodies.regularize(space.prior)))
    if metric == "bregman":
        G = np.linalg.inv(J0) - np.linalg.inv(J)
    else:  # J^-1 log(J J_0^-1)
        s, V = np.linalg.eig(np.linalg.solve(J0, J).mT)
        G = np.linalg.solve(J, ((V * np.log(s)[:, None]) @ np.linalg.inv(V)).real)
    for k in range(len(J) if metric != "euclidean" else 0):
        out[bodies.columns(k)] += np.einsum("ij,nij->n", G[k], bodies.units(k))
    return np.where(space.active, out * space.scale, 0.0)


def check_conditions(found: Identification, tolerance: float) -> None:
    """Stationarity, feasibility and complementarity, with multipliers from the gradient.

    Ten parameters are ten entries of a pseudo-inertia: the gradient is <Z, dJ> for just one Z.
    """
    space, theta = found.space, found.theta
    g = gradient(found)
    A, z = equations(found)
    # terms of the gradient, which cancel each other
    sizes = np.linalg.norm(A * space.scale, axis=0) * np.linalg.norm(A @ theta - z)
    small = tolerance * (1.0 + sizes.max() / found.options.regularization)
    bodies, drives = Bodies.of(space), drive_columns(space)
    for k, J in enumerate(bodies.matrices(theta)):
        part = bodies.columns(k)
        units = (bodies.units(k) * space.scale[part, None, None]).reshape(10, 16)
        Z = (np.linalg.pinv(units) @ g[part]).reshape(4, 4)
        assert_close(units @ Z.ravel(), g[part], 1e-9)
        assert np.linalg.eigvalsh(J).min() > MARGIN * (1.0 - 1e-6)
        assert np.linalg.eigvalsh(Z + Z.T).min() > -small
        assert abs(np.sum(Z * (J - MARGIN * np.eye(4)))) < small
    assert np.all(theta[drives] >= 0.0)
    assert np.all(g[drives] > -small)
    assert np.all(np.abs(g[drives] * theta[drives] / space.scale[drives]) < small)
    others = np.setdiff1d(np.arange(space.layout.groups["inertia"].stop, len(g)), drives)
    assert np.all(np.abs(g[others]) < small)


def check_bregman(seed: int) -> None:
    """All base parameters within five standard deviations of the truth, without a warning."""
    robot, truth, data = measurements(seed)
    drives = DriveParameters.of(truth)
    numbers = truth.model.parameters.ravel(), drives.armature, drives.damping, drives.friction
    heavy = truth.model.parameters[:, 0] > 0.0
    for gamma in (1.0, 0.1):
        result = fit(robot, data, metric="bregman", regularization=gamma)
        ratio = (result.parameters[:, 0] / truth.model.parameters[:, 0])[heavy]
        error = result.beta - result.space.matrix @ np.concatenate(numbers)
        assert np.abs(error / result.estimate.deviations).max() < 5.0, (seed, gamma)
        assert result.estimate.is_close, (seed, gamma, result.estimate.distance)
        # the second link of the Panda is hardly excited
        assert ratio.min() > 0.25, (seed, gamma, ratio)
        assert ratio.max() < 8.0, (seed, gamma, ratio)
        assert not result.problems
        check_conditions(result, 1e-11)


@pytest.mark.parametrize("seed", [16, 19, 24, 35, 1, 2])
def test_bregman_is_optimal(seed: int) -> None:
    """Four of these were links without mass as long as log-determinants had no weight."""
    check_bregman(seed)


@pytest.mark.slow
def test_bregman_is_optimal_for_100_seeds() -> None:
    for seed in range(100):
        check_bregman(seed)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("metric", "tolerance"), [("euclidean", 1e-11), ("bregman", 1e-11), ("geodesic", 1e-8)]
)
def test_constrained_fits_are_optimal(metric: Any, tolerance: float, seed: int) -> None:
    robot, _, data = measurements(seed)
    result = fit(robot, data, metric=metric, regularization=0.1, offset=True)
    check_conditions(result, tolerance)


@pytest.mark.parametrize("metric", ["euclidean", "bregman"])
def test_scales_of_data_and_prior_do_not_matter(metric: Any) -> None:
    """Weights times ten and a hundred times the regularization are the same problem."""
    robot, _, data = measurements(0)
    item = fit(robot, data, metric=metric, regularization=1.0)
    A, z = equations(item)
    for factor in (1e-5, 1e5):
        other = consistent(item.space, factor * A, factor * z, factor**2, metric)
        assert_close(other, item.theta, 1e-9)


@pytest.mark.parametrize("method", ["ols", "wls", "tls"])
def test_least_squares_checks_its_conditions(
    arm: Robot, monkeypatch: pytest.MonkeyPatch, method: Any
) -> None:
    """Parameters that are off by a thousandth are refused."""
    data = motion(changed(arm), 100, noise=1e-6)
    identify(arm, data.arrays(), method=method, folds=0)
    lifted = Space.lift
    monkeypatch.setattr(Space, "lift", lambda space, x: 1.001 * lifted(space, x))
    with pytest.raises(jounce.DataError, match="optimality conditions hold only to"):
        identify(arm, data.arrays(), method=method, folds=0)


@pytest.mark.parametrize("metric", ["euclidean", "bregman"])
def test_data_that_no_robot_explains_are_an_error(arm: Robot, metric: Any) -> None:
    """Exact torques of the other sign."""
    data = motion(changed(arm), 100)
    with (
        pytest.warns(jounce.DataWarning, match="opposite"),
        pytest.raises(jounce.DataError, match=r"optimality conditions.* check the units and signs"),
    ):
        identify(arm, data.arrays() | {"tau": -data.tau}, metric=metric, folds=0)


@pytest.mark.parametrize(
    ("method", "name"), [("wls", "_MAX_CHANGE"), ("consistent", "_MAX_CONSTRAINED_CHANGE")]
)
def test_weights_that_do_not_settle_are_told(
    arm: Robot, monkeypatch: pytest.MonkeyPatch, method: Any, name: str
) -> None:
    monkeypatch.setattr(estimator, name, 0.0)
    data = motion(changed(arm), 100, noise=0.1)
    with pytest.warns(jounce.DataWarning, match=r"did not converge; pass weights="):
        identify(arm, data.arrays(), method=method, folds=0)


@pytest.mark.parametrize("metric", ["euclidean", "bregman"])
def test_links_without_mass_are_a_warning(arm: Robot, metric: Any) -> None:
    """Parameters that fulfil all constraints but not the data, as of a wrong solution."""
    data = motion(changed(arm), 200, noise=0.01)
    light = arm.edit.with_parameters(0.1 * arm.model.parameters)
    options: Any = {"metric": metric, "prior": light, "regularization": 1e9, "folds": 0}
    with pytest.warns(jounce.DataWarning, match="standard deviations of the noise away"):
        result = identify(arm, data.arrays(), **options)
    assert result.estimate.distance > 50.0
    assert result.estimate.distances.max() > 5.0
