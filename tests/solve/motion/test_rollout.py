"""Steps one after the other, what stops them, and gradients through all of them."""

from __future__ import annotations

import pickle
import re
import warnings
import weakref

import numpy as np
import pytest

import jounce
from jounce.errors import ArgumentError
from jounce.robot import Robot
from support import PROJECT
from support.helpers import assert_close, random_robot
from support.linkages import rocker

ROBOT = Robot(random_robot(9, 2, ("spherical", "revolute")))
N, T, H = ROBOT.nv, 11, 0.01


class Case:
    """Starts, forces and wrenches of three motions."""

    def __init__(self) -> None:
        rng = np.random.default_rng(1)
        self.q, self.v = ROBOT.random(rng, 3), rng.normal(size=(3, N))
        self.taus = rng.normal(size=(3, T, N))
        self.wrenches = rng.normal(size=(T, ROBOT.nb, 6))
        self.lam = rng.normal(size=(2, 3, T + 1, N))
        self.along = [rng.normal(size=x.shape) for x in (self.v, self.v, self.taus, self.wrenches)]


def test_steps_one_after_the_other() -> None:
    c = Case()
    q, v = ROBOT.rollout(c.q, c.v, c.taus, H, c.wrenches, friction=True)
    state = c.q, c.v
    for k in range(T):
        state = ROBOT.step(*state, c.taus[:, k], H, c.wrenches[k], friction=True)
        assert_close(q[:, k + 1], state[0])
        assert_close(v[:, k + 1], state[1])
    into = np.empty_like(q), np.empty_like(v)
    found = ROBOT.rollout(c.q, c.v, c.taus, H, c.wrenches, friction=True, out=into)
    assert found is into
    assert np.array_equal(into[0], q)
    narrow = ROBOT.rollout(*(x.astype(np.float32) for x in (c.q, c.v, c.taus)), H)
    assert narrow[0].dtype == narrow[1].dtype == np.float32
    assert ROBOT.rollout(c.q[0], c.v[0], c.taus[0, :0], H)[0].shape == (1, ROBOT.nq)
    assert pickle.loads(pickle.dumps(ROBOT.rollout))(c.q, c.v, c.taus, H)[0].shape == q.shape


def test_policies_see_each_state() -> None:
    c, seen = Case(), []

    def policy(k: int, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        seen.append(k)
        q[:] = 0.0  # a copy, which it may spoil
        return -v

    q, v = ROBOT.rollout(c.q, c.v, h=H, policy=policy, steps=4)
    assert seen == [0, 1, 2, 3]
    again = ROBOT.rollout(c.q, c.v, -v[:, :4], H)
    assert_close(again[0], q)


@pytest.mark.parametrize("options", [{}, {"friction": True, "limits": ("effort", "velocity")}])
def test_gradients_through_time(options: dict) -> None:
    c, e = Case(), 1e-6
    robot = ROBOT
    found = robot.rollout.vjp(c.q, c.v, c.taus, H, *c.lam, c.wrenches, **options)
    assert [x.shape for x in found] == [(3, N), (3, N), (3, T, N), (3,), (3, T, robot.nb, 6)]
    middle = robot.rollout(c.q, c.v, c.taus, H, c.wrenches, **options)[0]

    def cost(s: float) -> np.ndarray:
        dq, dv, dtau, dw = (s * x for x in c.along)
        q, v = robot.rollout(
            robot.integrate(c.q, dq), c.v + dv, c.taus + dtau, H + s, c.wrenches + dw, **options
        )
        turned = robot.difference(middle, q)
        return (c.lam[0] * turned + c.lam[1] * v).sum(axis=(-1, -2))

    pairs = zip((*found[:3], found[4]), c.along, strict=True)
    along = sum((g * t).reshape(3, -1).sum(axis=-1) for g, t in pairs) + found[3]
    assert_close(along, (cost(e) - cost(-e)) / (2 * e), 1e-7)  # differences


def test_memory_grows_with_the_square_root_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 400 steps only states of stretches of 20, and the starts of all, are kept."""
    from jounce.solve.motion import rollout

    c, walk, states, alive = Case(), rollout._walk, [], []

    def watched(*given):
        for state, left in walk(*given):
            states.append(weakref.ref(state[0]))
            alive.append(sum(x() is not None for x in states))
            yield state, left

    monkeypatch.setattr(rollout, "_walk", watched)
    lam = np.ones((401, N))
    ROBOT.rollout.vjp(c.q[0], c.v[0], np.zeros((400, N)), 1e-4, lam, lam)
    assert len(states) == 800  # each step twice
    assert max(alive) <= 60  # the starts of stretches, and two stretches


def test_limits_are_kept_where_asked() -> None:
    model = random_robot(4, 2, ("revolute", "prismatic"))
    robot = Robot(model)
    limits = robot.limits
    taus = np.tile([50.0, -50.0], (300, 1))
    free = robot.rollout(np.zeros(2), np.zeros(2), taus, H)
    q, v = robot.rollout(np.zeros(2), np.zeros(2), taus, H, limits=True)
    assert robot.limits.contains(q).all()
    assert (np.abs(v) <= limits.velocity).all()
    assert np.isfinite(limits.lower).any() == (not np.array_equal(free[0], q))
    with pytest.raises(ValueError, match=r"limits must be True, or some of 'effort', .* found 'x'"):
        robot.rollout(np.zeros(2), np.zeros(2), taus, H, limits="x")


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")  # by NumPy, where it looks
def test_motions_that_end_in_no_numbers_are_told() -> None:
    c = Case()
    taus = c.taus.copy()
    taus[1, 3] = np.nan
    taus[2, 6] = np.nan
    with pytest.warns(
        jounce.ModelWarning, match=r"from q\[..., 4, :\] on in 2 of 3 motions"
    ) as seen:
        q, _ = ROBOT.rollout(c.q, c.v, taus, H)
    assert [x.filename for x in seen if x.category is jounce.ModelWarning] == [__file__]
    assert np.isfinite(q[0]).all()
    assert np.isfinite(q[1:, :4]).all()
    assert not np.isfinite(q[1, 4:]).all(axis=-1).any()
    with pytest.warns(
        jounce.ModelWarning, match=r"NaN or infinite from q\[..., 7, :\] on; the cause is a step h"
    ):
        ROBOT.rollout(c.q[2], c.v[2], taus[2], H)
    with warnings.catch_warnings():
        warnings.simplefilter("error", jounce.ModelWarning)
        begun = ROBOT.rollout(c.q * np.nan, c.v, taus, H)[0]  # which is known already
        assert np.isnan(begun).all()
        assert ROBOT.rollout(c.q[:0], c.v[:0], c.taus[:0], H)[0].shape == (0, T + 1, ROBOT.nq)


def test_mechanisms_tell_of_their_independent_joints() -> None:
    closed = jounce.load("five_bar").closed(("joint1", "joint4"))
    q = closed.assemble(closed.robot.neutral(), strict=True).q
    with pytest.warns(
        jounce.ModelWarning, match="choose independent joints that determine the others"
    ):
        found, _ = closed.rollout(q, np.zeros(2), np.zeros((200, 2)), 5e-3)  # falls, and folds
    assert np.isfinite(found[100]).all()
    # what follows depends on the last bit, but never has closed loops throughout
    assert not closed.gap(found).max() < 1e-4


def test_mechanisms_start_with_closed_loops() -> None:
    closed = jounce.load("five_bar").closed(("joint1", "joint4"))
    q, v, taus = closed.reference, np.zeros(2), np.zeros((3, 2))
    still = np.zeros((4, 2))
    apart = q + np.array((0.0, 1.0, -1.0, 0.0))
    message = r"rollout: argument 'q0': the loops are open by \d.*\.assemble\(q0\)\.q first"
    with pytest.raises(ArgumentError, match=message):
        closed.rollout(apart, v, taus, 1e-3)
    with pytest.raises(ArgumentError, match=r"'q0': the loops of sample \(1,\) are open"):
        closed.rollout(np.stack((q, apart)), v, taus, 1e-3)
    with pytest.raises(ArgumentError, match=r"vjp: argument 'q0': the loops are open"):
        closed.rollout.vjp(apart, v, taus, 1e-3, still, still)
    found, _ = closed.rollout(closed.assemble(apart, strict=True).q, v, taus, 1e-3)
    assert closed.gap(found).max() < 1e-12
    closed.rollout(q.astype(np.float32), v, taus, 1e-3)  # the first step closes what is rounded


def test_mechanisms_that_come_apart_are_told() -> None:
    """At the end of its way the crank does not determine the other joints."""
    closed = rocker()
    with pytest.warns(jounce.ModelWarning, match="the loops of state .* are open by .*; reduce h"):
        closed.rollout(closed.reference, np.zeros(1), np.full((12, 1), 20.0), 0.05)


def test_bad_calls_are_told_by_argument() -> None:
    c = Case()
    bad = {
        r"argument 'taus' must have shape \(\.\.\., T, 4\)": lambda: ROBOT.rollout(
            c.q, c.v, c.taus[..., :3], H
        ),
        "argument 'h', the time of a step, is missing": lambda: ROBOT.rollout(c.q, c.v, c.taus),
        "batch axes do not broadcast: q0": lambda: ROBOT.rollout(c.q, c.v[:2], c.taus, H),
        "method must be one of": lambda: ROBOT.rollout(c.q, c.v, c.taus, H, method="x"),
        "either taus, or a policy": lambda: ROBOT.rollout(c.q, c.v, h=H),
        "steps must be a whole number": lambda: ROBOT.rollout(c.q, c.v, h=H, policy=lambda *_: 0),
        "what policy gives at step 0": lambda: ROBOT.rollout(
            c.q, c.v, h=H, policy=lambda *_: [1.0], steps=2
        ),
        r"out must have shape \(3, 12, 5\)": lambda: ROBOT.rollout(
            c.q, c.v, c.taus, H, out=(c.q, c.v)
        ),
        "out must be a tuple of two arrays.* found ndarray": lambda: ROBOT.rollout(
            c.q, c.v, c.taus, H, out=c.q
        ),
        "the gradient of a policy is not known": lambda: ROBOT.rollout.vjp(
            c.q, c.v, None, H, *c.lam, policy=lambda *_: 0
        ),
        "argument 'lam_q' must have shape": lambda: ROBOT.rollout.vjp(
            c.q, c.v, c.taus, H, c.lam[0][..., :3], c.lam[1]
        ),
    }
    for text, call in bad.items():
        with pytest.raises((ValueError, TypeError), match=text):
            call()


def test_the_page_on_steps() -> None:
    page = PROJECT / "docs" / "guide" / "steps.md"
    blocks = re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    assert len(blocks) == 6
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jounce.ModelWarning)
        exec("\n".join(blocks), {})
