"""Singh, Russell and Wensing's second derivatives against definitions and complex steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jounce.formulas import wrt_state
from jounce.math.scalar import identity
from jounce.math.spatial import ad, spatial_inertia
from jounce.papers import garofalo2013
from jounce.papers import singh2022 as paper
from support.case import Case
from support.helpers import assert_close, chain, numbers, objects
from support.robots import ALL_KINDS, SINGLE, random_inertia, random_model

MODELS = {
    "every kind": lambda: random_model(np.random.default_rng(1), len(ALL_KINDS)),
    "floating": lambda: random_model(np.random.default_rng(3), 5, floating=True),
    "mimic": lambda: random_model(np.random.default_rng(4), 6, SINGLE, mimic=True, floating=True),
    "planar, free inside": lambda: chain(("planar", "free", "spherical")),
}


@pytest.fixture(scope="module", params=list(MODELS))
def case(request: pytest.FixtureRequest) -> Case:
    return Case(MODELS[request.param]())


def test_operators() -> None:
    rng = np.random.default_rng(0)
    m, f = objects(rng.normal(size=6)), objects(rng.normal(size=6))
    pi = objects(random_inertia(rng))
    I, star = spatial_inertia(pi), paper.force_product(m)
    assert_close(numbers(paper.bar_product(f) @ m), numbers(star @ f), what="bar product")
    B = 0.5 * (star @ I - I @ ad(m) + paper.bar_product(I @ m))
    assert_close(numbers(paper.body_coriolis(pi, m)), numbers(B), what="B")
    rate = star @ I - I @ ad(m)
    assert_close(numbers(paper.inertia_rate(I, m)), numbers(rate), what="inertia rate")


def test_second_derivatives(case: Case) -> None:
    """The derivatives of the first derivatives, along one velocity at a time."""
    tree, q, v, a = case.state
    found = paper.inverse_dynamics_second_derivatives(tree, q, v, a)

    def steps(f: Any) -> np.ndarray:
        return np.stack([case.along(f, e) for e in identity(tree.nv)], axis=-1)

    qq = steps(lambda x: wrt_state.inverse_dynamics_dq(tree, x, v, a))
    assert_close(numbers(found.qq), qq, what="q q", floor=1.0)
    vq = steps(lambda x: wrt_state.inverse_dynamics_dv(tree, x, v, a))
    assert_close(numbers(found.qv), vq.transpose(0, 2, 1), what="q v", floor=1.0)
    aq = steps(lambda x: garofalo2013.mass_matrix(tree, x))
    assert_close(numbers(found.aq), aq, what="a q", floor=1.0)
    zero = np.zeros_like(v)
    C = [wrt_state.inverse_dynamics_dv(tree, q, e, zero) for e in identity(tree.nv)]
    assert_close(numbers(found.vv), numbers(np.stack(C, axis=-1)), what="v v", floor=1.0)


def test_turns_of_one_joint_do_not_commute() -> None:
    case = Case(chain(("spherical",)))
    tree, q, v, a = case.state
    qq = numbers(paper.inverse_dynamics_second_derivatives(tree, q, v, a).qq)
    first = numbers(wrt_state.inverse_dynamics_dq(tree, q, v, a))
    # X_j X_k - X_k X_j = [X_j, X_k] along body-fixed axes: here that of x and y, which is z
    assert_close(qq[:, 1, 0] - qq[:, 0, 1], first[:, 2], floor=1.0)
