"""Wrenches given by the names of the frames they act on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from jounce.errors import ArgumentError
from jounce.model.model import Frame
from jounce.robot import Robot, load
from jounce.solve.design import design_gradient
from support.helpers import assert_close, random_robot
from support.robots import random_pose


def made() -> Robot:
    """Two frames on one body, one on another, and one on the ground."""
    rng = np.random.default_rng(4)
    model = random_robot(3, 3, ("revolute", "prismatic"))
    seats = {"tool": 2, "probe": 2, "elbow": 1, "floor": -1}
    frames = [Frame(name, body, random_pose(rng)) for name, body in seats.items()]
    return Robot(replace(model, frames=tuple(frames)))


ROBOT = made()
RNG = np.random.default_rng(7)
Q = ROBOT.random(RNG, 4)
V, A = RNG.standard_normal((2, 4, ROBOT.nv))
TOOL, PROBE, ELBOW = RNG.standard_normal((3, 6))


def work(name: str, w: np.ndarray) -> np.ndarray:
    """Generalised forces of a wrench on a frame, J^T w."""
    return np.einsum("bij,...i->bj", ROBOT.frame(name).jacobian(Q), w)


def test_they_do_the_work_of_their_frames() -> None:
    given = {"tool": TOOL, "probe": PROBE, "elbow": ELBOW}
    wanted = sum(work(name, w) for name, w in given.items())
    assert_close(ROBOT.external_forces(Q, given), wanted)
    tau = ROBOT.inverse_dynamics(Q, V, A)
    assert_close(tau - ROBOT.inverse_dynamics(Q, V, A, wrenches=given), wanted)
    assert_close(tau - ROBOT.inverse_dynamics(Q, V, A, given), wanted)
    single = ROBOT.inverse_dynamics(Q[1], V[1], A[1], wrenches=given)
    assert_close(single, (tau - wanted)[1])
    assert_close(ROBOT.inverse_dynamics(Q, V, A, wrenches={}), tau)


def test_their_rates_are_those_in_the_axes_of_the_frames() -> None:
    jerk = RNG.standard_normal(V.shape)
    rate = ROBOT.inverse_dynamics.dt
    both = {"wrenches": {"tool": TOOL}, "dwrenches": {"tool": PROBE}}
    found = rate(Q, V, A, jerk) - rate(Q, V, A, jerk, **both)
    J, dJ = ROBOT.frame("tool").jacobian(Q), ROBOT.frame("tool").jacobian.dt(Q, V)
    wanted = np.einsum("bij,i->bj", dJ, TOOL) + np.einsum("bij,i->bj", J, PROBE)
    assert_close(found, wanted, floor=np.abs(rate(Q, V, A, jerk)).max())


def test_batches_and_kinds_of_numbers() -> None:
    many = RNG.standard_normal((4, 6))
    found = ROBOT.external_forces(Q, {"tool": many, "elbow": [0, 0, 0, 1, 2, 3]})
    wanted = np.einsum("bij,bi->bj", ROBOT.frame("tool").jacobian(Q), many)
    assert_close(found, wanted + work("elbow", np.array((0, 0, 0, 1.0, 2, 3))))
    narrow = ROBOT.external_forces(Q.astype("f4"), {"tool": TOOL.astype("f4")})
    assert narrow.dtype == np.float32
    assert_close(narrow, work("tool", TOOL), 1e-5)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"hand": TOOL}, r"argument 'wrenches': no frame 'hand'; choose one of .*tool, probe"),
        ({"tool": np.zeros(3)}, r"argument 'wrenches'\['tool'\] must have shape \(\.\.\., 6\)"),
        ({"floor": TOOL}, r"found frame 'floor' of the fixed base"),
        (
            {"tool": np.zeros((2, 6)), "probe": np.zeros((3, 6))},
            r"batch axes do not broadcast: tool \(2,\), probe \(3,\)",
        ),
    ],
)
def test_what_is_wrong_is_said(given: dict, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        ROBOT.inverse_dynamics(Q[0], V[0], A[0], wrenches=given)


def test_other_arguments_are_no_wrenches() -> None:
    with pytest.raises(TypeError, match="argument 'q'"):
        ROBOT.mass_matrix({"tool": TOOL})


def test_mechanisms_and_design_take_them() -> None:
    closed = load("five_bar").closed(("joint1", "joint4"))
    q = closed.assemble(closed.robot.neutral(), strict=True).q
    v, a = np.ones((2, 2))
    name = closed.robot.model.frame_names[-1]
    w = np.array((0, 0, 0, 1.0, 2.0, 0))
    found = closed.inverse_dynamics(q, v, a) - closed.inverse_dynamics(q, v, a, wrenches={name: w})
    assert_close(found, closed.frame(name).jacobian(q).T @ w)
    by_frame = design_gradient(ROBOT, V, Q, V, A, wrenches={"tool": TOOL})
    body = np.zeros((ROBOT.nb, 6))
    frame = ROBOT.model.frames[ROBOT.model.frame_index("tool")]
    R, p = frame.placement[:3, :3], frame.placement[:3, 3]
    force = R @ TOOL[3:]
    body[frame.body] = (*(R @ TOOL[:3] + np.cross(p, force)), *force)
    wanted = design_gradient(ROBOT, V, Q, V, A, wrenches=body)
    assert_close(by_frame.screws, wanted.screws)
