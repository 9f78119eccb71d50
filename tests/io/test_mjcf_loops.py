"""Couplings and loops of MJCF models, against MuJoCo."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jounce.errors import ModelError
from jounce.export.mujoco import MujocoMap, model_from_mujoco
from jounce.formulas.mechanism.loops import loop_residual
from jounce.io import read_mjcf
from jounce.model.model import Model
from jounce.model.tree import lower
from support.helpers import assert_close, objects
from support.mjcf_files import (
    LINK,
    TENDONS,
    assert_equal_to_mujoco,
    at,
    chain,
    compiled,
    mjcf,
    quiet_mjcf,
    said,
)
from support.robots import random_state

mujoco = pytest.importorskip("mujoco")


# ------------------------------------------------------------------ couplings


def residuals(mj: Any, qpos: np.ndarray) -> np.ndarray:
    """Return the violation of MuJoCo's active equality constraints."""
    data = at(mj, qpos, np.zeros(mj.nv))
    kind = int(mujoco.mjtConstraint.mjCNSTR_EQUALITY)
    return np.array(data.efc_pos[data.efc_type == kind])


COUPLINGS = {
    "follows": '<joint joint1="b" joint2="a" polycoef="0.3 -2 0 0 0"/>',
    "same": '<joint joint1="a" joint2="c"/>',
    "stands still": '<joint joint1="b" polycoef="0.7 0 0 0 0"/>',
    "does not move": '<joint joint1="b" joint2="a" polycoef="0.7 0 0 0 0"/>',
    "in a row": '<joint joint1="a" joint2="b" polycoef="0.1 2 0 0 0"/>'
    '<joint joint1="b" joint2="c" polycoef="0.2 3 0 0 0"/>',
    "from behind": '<joint joint1="b" joint2="c" polycoef="0.2 3 0 0 0"/>'
    '<joint joint1="a" joint2="b" polycoef="0.1 2 0 0 0"/>',
    "two leaders": '<joint joint1="a" joint2="b" polycoef="0.1 2 0 0 0"/>'
    '<joint joint1="a" joint2="c" polycoef="0.2 3 0 0 0"/>',
    "twice": '<joint joint1="a" joint2="b" polycoef="0 2 0 0 0"/>'
    '<joint joint1="b" joint2="a" polycoef="0 0.5 0 0 0"/>',
    "chain that stands": '<joint joint1="a" joint2="b" polycoef="0.1 2 0 0 0"/>'
    '<joint joint1="b" polycoef="0.5 0 0 0 0"/>',
    "tendon": '<tendon tendon1="t" polycoef="0.2 0 0 0 0"/>',
    "two tendons": '<tendon tendon1="t" tendon2="u" polycoef="0.2 3 0 0 0"/>',
    "inactive": '<joint joint1="b" joint2="a" active="false"/>',
}


@pytest.mark.parametrize("case", COUPLINGS)
def test_coupled_joints_obey_the_constraint(case: str) -> None:
    """q of the model leads to qpos on the constraint, and the reduced dynamics are MuJoCo's."""
    text = chain(f"{TENDONS}<equality>{COUPLINGS[case]}</equality>")
    model, mj = read_mjcf(text), compiled(text)
    free = {
        "inactive": 3,
        "in a row": 1,
        "from behind": 1,
        "two leaders": 1,
        "chain that stands": 1,
    }
    assert model.nv == free.get(case, 2)
    q = random_state(model, np.random.default_rng(1))[0]
    left = residuals(mj, MujocoMap(model, mj).q_to_mujoco(q))
    assert (len(left) > 0) == (case != "inactive")
    assert_close(left, np.zeros(len(left)), floor=1.0)
    assert_equal_to_mujoco(model, mj, 2)


def test_the_first_joint_of_a_coupling_follows() -> None:
    b = read_mjcf(chain(f"<equality>{COUPLINGS['follows']}</equality>")).joints[1]
    assert b.mimic is not None
    assert (b.mimic.leader, b.mimic.multiplier) == ("a", -2.0)
    assert b.mimic.offset == pytest.approx(0.3 + 0.2 + 2 * 0.1, rel=1e-15)  # refs 0.2 and 0.1


BAD_COUPLINGS = {
    "nonlinear": ('<joint name="e" joint1="b" joint2="a" polycoef="0 1 2 0 0"/>', "'e'.*linear"),
    "three": ('<tendon name="e" tendon1="w" tendon2="u"/>', "'e' of .*more than two joints"),
    "spatial": ('<tendon name="e" tendon1="s"/>', "'e': tendon 's' is a spatial one"),
    "against": (
        '<joint joint1="b" joint2="a"/><joint joint1="b" joint2="a" polycoef="1 1 0 0 0"/>',
        "number 1 of 'b', 'a': contradicts",
    ),
}


@pytest.mark.parametrize("case", BAD_COUPLINGS)
def test_couplings_that_cannot_be_kept(case: str) -> None:
    inside, message = BAD_COUPLINGS[case]
    tendons = TENDONS.replace(
        "</tendon>",
        '<fixed name="w"><joint joint="a" coef="1"/><joint joint="c" coef="1"/></fixed><spatial'
        ' name="s"><site site="at_a"/><site site="at_c"/></spatial></tendon>',
    )
    with pytest.raises(ModelError, match=message):
        read_mjcf(chain(f"{tendons}<equality>{inside}</equality>"))


def test_other_constraints_are_named() -> None:
    mj = compiled(chain('<equality><joint name="e" joint1="b" joint2="a"/></equality>'))
    mj.eq_type[0] = 7
    with pytest.raises(ModelError, match=r"'e': .* 'distance' is not supported; choose"):
        model_from_mujoco(mj)


# ------------------------------------------------------------------ loops

LOOPS = {
    "connect": '<connect name="e" body1="A" body2="C" anchor="0.1 0.2 0.3"/>',
    "connect to world": '<connect body1="C" anchor="0.1 0.2 0.3"/>',
    "connect sites": '<connect site1="at_a" site2="at_c"/>',
    "weld": '<weld body1="A" body2="C" anchor="0.1 0.2 0.3"/>',
    "weld relpose": '<weld body1="A" body2="C" relpose="0.1 0.2 0.3 1 2 3 4"/>',
    "weld to world": '<weld body1="C"/>',
    "weld sites": '<weld site1="at_a" site2="at_c"/>',
    "weld points": '<weld body1="A" body2="C" torquescale="0"/>',
}


@pytest.mark.parametrize("case", LOOPS)
def test_loops_are_mujocos_constraints(case: str) -> None:
    """Position errors are MuJoCo's; orientation errors vanish where MuJoCo's do."""
    text = chain(f"<equality>{LOOPS[case]}</equality>")
    model, mj = read_mjcf(text), compiled(text)
    (loop,) = model.loops
    assert loop.kind == ("weld" if "weld" in case and case != "weld points" else "spherical")
    tree = lower(model)
    q = random_state(model, np.random.default_rng(0))[0]
    apart, theirs = _poses(model, q), residuals(mj, q)
    T_a, T_b = (apart(body) @ T for body, T in _ends(loop))
    assert_close(T_a[:3, 3] - T_b[:3, 3], theirs[:3], what="position")
    if loop.kind == "weld":
        R = T_a[:3, :3].T @ T_b[:3, :3]  # (R - R^T)^ = 4 w (x, y, z) of its quaternion
        skew = np.array((R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]))
        half = skew / (2.0 * np.sqrt(1.0 + np.trace(R)))
        assert_close(np.abs(half), np.abs(theirs[3:6]), what="orientation")
    assert len(loop_residual(tree, objects(q))) == sum(loop.locked)


def _ends(loop: Any) -> list[tuple[int, np.ndarray]]:
    return [(loop.body_a, loop.placement_a), (loop.body_b, loop.placement_b)]


def _poses(model: Model, q: np.ndarray) -> Any:
    from jounce.formulas.kinematics import frame_pose

    def pose(body: int) -> np.ndarray:
        if body < 0:
            return np.eye(4)
        index = model.frame_index(model.bodies[body].name)
        return frame_pose(lower(model), objects(q), index).astype(float)

    return pose


def test_a_loop_in_one_body_is_noted_and_passed_over() -> None:
    body = f'<body name="A">{LINK}<joint name="a"/><body name="B" pos="0 0 1">{LINK}</body></body>'
    text = mjcf(body, '<equality><weld name="e" body1="A" body2="B"/></equality>')
    assert any("does nothing: equality 'e'" in message for message in said(text))
    assert quiet_mjcf(text).loops == ()
