"""What could surprise is said where people look: in help, in the reference, in the error."""

from __future__ import annotations

import numpy as np
import pytest

from jounce.catalog.derivative import derivative
from jounce.catalog.reference import describe, reference
from jounce.catalog.tables import FRAME
from jounce.robot import Robot
from support.helpers import assert_close, quiet_read


@pytest.fixture(scope="module")
def arm() -> Robot:
    return Robot(quiet_read("planar_2r"))


def test_derivatives_of_poses_are_twists(arm: Robot) -> None:
    frame = arm.frame(arm.model.frame_names[-1])
    q = np.array((0.3, 0.4))
    assert_close(frame.pose.dq(q), frame.jacobian(q))
    assert frame.pose.dq(q).shape == (6, 2)
    assert frame.pose.dt(q, q).shape == (4, 4)
    for name, shape in (("dq", "(..., 6, nv)"), ("dscrew", "(..., 6, nb, 6)")):
        text = describe(derivative(FRAME["pose"], name))
        assert "body-fixed twist" in text
        assert "not the derivative of the matrix" in text
        assert shape in text
    assert "which is frame.jacobian" in str(frame.pose.dq.__doc__)
    assert "are body-fixed twists of the frame" in " ".join(reference().split())


def test_wrenches_are_constant_unless_their_rates_are_given(arm: Robot) -> None:
    rng = np.random.default_rng(0)
    q, v, a, j = rng.normal(size=(4, 2))
    w, dw = rng.normal(size=(2, 2, 6))
    rate = arm.inverse_dynamics.dt
    assert_close(rate(q, v, a, j, wrenches=w), rate(q, v, a, j, wrenches=w, dwrenches=0.0 * dw))
    more = rate(q, v, a, j, wrenches=w) - rate(q, v, a, j, wrenches=w, dwrenches=dw)
    assert_close(more, arm.inverse_dynamics(q, v, a) - arm.inverse_dynamics(q, v, a, wrenches=dw))
    said = "1 of wrenches in the axes of the bodies; zero by default"
    assert said in str(rate.__doc__)
    assert "constant in the axes of their bodies" in reference()


def test_orders_beyond_what_a_ufunc_can_have(arm: Robot) -> None:
    """An error with the highest order, which then works."""
    with pytest.raises(
        ValueError, match=r"rates: the highest order is 30, or 19 with wrenches, found 31"
    ):
        arm.inverse_dynamics.rates(31)
    with pytest.raises(
        ValueError, match=r"kinetic_energy\.rates: the highest order is 30, found 99"
    ):
        arm.kinetic_energy.rates(99)
    with pytest.raises(ValueError, match=r"highest order is \d+, found 64"):
        arm.frame(arm.model.frame_names[-1]).pose.rates(64)
    with pytest.raises(ValueError, match="highest order is 30, found 9223372036854775808"):
        arm.kinetic_energy.rates(2**63)  # without as many rows
    assert len(arm.inverse_dynamics.rates(30).kernel.outputs) == 31
    assert len(arm.inverse_dynamics.rates(19).full_kernel.inputs) == 42
    pushed = arm.inverse_dynamics.rates(20)
    given = np.zeros((len(pushed.kernel.arguments), 2))
    with pytest.raises(
        ValueError, match=r"rates\(20\) with wrenches.*at most 64 .*; choose a lower order"
    ):
        pushed(*given, wrenches=np.zeros((2, 6)))
