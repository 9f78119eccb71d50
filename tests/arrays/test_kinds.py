"""Direct calls with arrays of other libraries: the same kind comes out."""

from __future__ import annotations

import subprocess
import sys

import array_api_strict as xp
import numpy as np
import pytest

import jounce
from jounce.arrays import kinds
from jounce.arrays.lie import so3
from jounce.solve.elastic import ElasticMotion

ROBOT = jounce.load("planar_2r")
Q, V, A = np.arange(1.0, 13.0).reshape(3, 2, 2) / 8


def test_arrays_of_the_array_api_stay_what_they_are() -> None:
    q, v, a = map(xp.asarray, (Q, V, A))
    for found, expected in (
        (ROBOT.inverse_dynamics(q, v, a), ROBOT.inverse_dynamics(Q, V, A)),
        (ROBOT.inverse_dynamics(q=q, v=v, a=a), ROBOT.inverse_dynamics(Q, V, A)),
        (ROBOT.inverse_dynamics(q, v, [0, 0]), ROBOT.inverse_dynamics(Q, V, 0 * A)),
        (ROBOT.mass_matrix.dt(q, v), ROBOT.mass_matrix.dt(Q, V)),
        (ROBOT.frame("tool").pose(q), ROBOT.frame("tool").pose(Q)),
        (ROBOT.integrate(q, v), ROBOT.integrate(Q, V)),
        (so3.exp(xp.asarray(np.ones(3))), so3.exp(np.ones(3))),
    ):
        assert type(found) is type(q)
        np.testing.assert_array_equal(np.asarray(found), expected)
    motion = ROBOT.elastic_inverse_dynamics(q, v, a, v, a, 1e3)
    assert type(motion) is ElasticMotion
    assert {type(x) for x in motion} == {type(q)}


def test_precision_and_several_results() -> None:
    q, v, a = (xp.asarray(x.astype(np.float32)) for x in (Q, V, A))
    for found in ROBOT.inverse_dynamics.derivatives(q, v, a):
        assert type(found) is type(q)
        assert found.dtype == xp.float32


def test_wrenches_by_frame_count_as_arguments() -> None:
    q, v, a = map(xp.asarray, (Q, V, A))
    w = np.ones(6)
    expected = ROBOT.inverse_dynamics(Q, V, A, wrenches={"tool": w})
    found = ROBOT.inverse_dynamics(q, v, a, wrenches={"tool": xp.asarray(w)})
    assert type(found) is type(q)
    np.testing.assert_array_equal(np.asarray(found), expected)
    assert type(ROBOT.inverse_dynamics(q, v, a, wrenches={"tool": w})) is type(q)


def test_numpys_arrays_beside_others_are_constants() -> None:
    q = xp.asarray(Q)
    for found in (
        ROBOT.bias_forces(q, V),
        ROBOT.bias_forces(Q, xp.asarray(V)),
        ROBOT.step(q, V, A, np.float64(0.01))[1],
    ):
        assert type(found) is type(q)
    np.testing.assert_array_equal(np.asarray(ROBOT.bias_forces(q, V)), ROBOT.bias_forces(Q, V))


def test_rollouts() -> None:
    given = Q, V, np.zeros((2, 3, 2)), 0.01
    found = ROBOT.rollout(*map(xp.asarray, given[:3]), 0.01)
    for one, other in zip(found, ROBOT.rollout(*given), strict=True):
        assert type(one) is type(xp.asarray(Q))
        np.testing.assert_array_equal(np.asarray(one), other)


def test_out_is_numpys() -> None:
    out = np.empty((2, 2))
    found = ROBOT.bias_forces(xp.asarray(Q), xp.asarray(V), out=out)
    assert found is out
    np.testing.assert_array_equal(out, ROBOT.bias_forces(Q, V))


def test_lists_and_numbers_have_no_kind() -> None:
    assert kinds.find_kind((Q.tolist(), 1.0, None)) is None
    assert kinds.find_kind((Q,)) is None
    assert type(ROBOT.mass_matrix(Q.tolist())) is np.ndarray


@pytest.mark.parametrize("library", ["jax", "torch"])
def test_no_library_is_imported_before_its_arrays_are_seen(library: str) -> None:
    code = (
        "import sys, numpy as np, jounce; r = jounce.load('planar_2r');"
        "r.mass_matrix(np.zeros(2)); r.mass_matrix([0.0, 0.0]); dir(r); dir(jounce);"
        f"sys.exit('{library}' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
