"""`jounce.lie`: power series to fifty digits, group identities, SciPy and Pinocchio, and calls."""

from __future__ import annotations

import pickle

import numpy as np
import pinocchio as pin
import pytest
from scipy.spatial.transform import Rotation

from jounce.arrays import lie
from jounce.export.pinocchio import swap_order
from support import exact_screws as exact
from support.helpers import assert_close

#: What is asked for; what is found is a few 1e-16.
RELATIVE = 1e-13

TWISTS = np.array([*exact.twists()])
GROUPS = (lie.so3, lie.se3, lie.quaternion)


def vectors(n: int, size: int = 3, longest: float = 3.0) -> np.ndarray:
    rng = np.random.default_rng(n)
    x = rng.normal(size=(n, size))
    x[:, :3] *= (rng.uniform(0.0, longest, n) / np.linalg.norm(x[:, :3], axis=1))[:, None]
    return x


# ------------------------------------------------------------------ digits


def test_exponentials_to_all_digits() -> None:
    R, q, T = lie.so3.exp(TWISTS[:, :3]), lie.quaternion.exp(TWISTS[:, :3]), lie.se3.exp(TWISTS)
    for k, x in enumerate(TWISTS):
        rotation = exact.Ad_exp(x[:3])
        assert exact.error(R[k], rotation) < RELATIVE
        assert exact.error(T[k, :3, :3], rotation) < RELATIVE
        assert exact.error(T[k, :3, 3], exact.translation(x)) < RELATIVE
        if np.linalg.norm(x[:3]) < 2.5:  # the part that turns, however little it does
            assert exact.error(R[k] - R[k].T, rotation - rotation.T) < RELATIVE
        turn = exact.quaternion(x[:3])
        assert exact.error(q[k], turn) < RELATIVE
        assert exact.error(q[k, 1:], turn[1:]) < RELATIVE
    np.testing.assert_array_equal(T[:, 3], np.tile((0.0, 0.0, 0.0, 1.0), (len(T), 1)))


def test_logarithms_to_all_digits() -> None:
    for found in (
        lie.so3.log(lie.so3.exp(TWISTS[:, :3])),
        lie.quaternion.log(lie.quaternion.exp(TWISTS[:, :3])),
        lie.quaternion.log(-3.0 * lie.quaternion.exp(TWISTS[:, :3])),
        lie.se3.log(lie.se3.exp(TWISTS)),
    ):
        for part in range(0, found.shape[1], 3):
            own, mine = TWISTS[:, part : part + 3], found[:, part : part + 3]
            gap = np.abs(mine - own).max(axis=1) / np.abs(own).max(axis=1)
            assert gap.max() < RELATIVE


@pytest.mark.parametrize("group", [lie.so3, lie.se3], ids=lambda group: group.name)
def test_jacobians_to_all_digits(group: lie.Group) -> None:
    given = TWISTS if group is lie.se3 else TWISTS[:, :3]
    left, left_inverse = group.left_jacobian(given), group.left_jacobian_inverse(given)
    for k, x in enumerate(given):
        J = exact.left_jacobian(x)
        assert exact.block_error(left[k], J) < RELATIVE
        assert exact.block_error(left_inverse[k], exact.inverse(J)) < RELATIVE
    np.testing.assert_array_equal(group.right_jacobian(-given), left)
    np.testing.assert_array_equal(group.right_jacobian_inverse(-given), left_inverse)
    if group is lie.so3:
        np.testing.assert_array_equal(lie.quaternion.left_jacobian(given), left)
        np.testing.assert_array_equal(lie.quaternion.right_jacobian_inverse(-given), left_inverse)


def test_turns_by_nearly_pi() -> None:
    rng = np.random.default_rng(1)
    axes = rng.normal(size=(200, 3))
    axes[:6] = np.vstack((np.eye(3), -np.eye(3)))
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    for short in (1e-3, 1e-6, 1e-9, 1e-12, 1e-15):
        w = (np.pi - short) * axes
        assert_close(lie.so3.log(lie.so3.exp(w)), w, 1e-14)
        assert_close(lie.quaternion.log(lie.quaternion.exp(w)), w, 1e-14)
    half = lie.so3.log(lie.so3.exp(np.pi * axes))
    same = np.sign((half * axes).sum(axis=1))  # one of two
    assert_close(same[:, None] * half, np.pi * axes, 1e-14)
    w = (2.0 * np.pi - 1.0) * axes  # the shorter way back
    assert_close(lie.quaternion.log(lie.quaternion.exp(w)), -axes, 1e-14)


# ------------------------------------------------------------------ identities


def test_group_identities() -> None:
    x, y, e = vectors(20, 6), vectors(21, 6)[:20], vectors(22, 6)[:20]
    T, S = lie.se3.exp(x), lie.se3.exp(y)
    assert_close(lie.se3.inverse(T) @ T, np.broadcast_to(np.eye(4), T.shape), 1e-14)
    assert_close(lie.se3.Ad(T @ S), lie.se3.Ad(T) @ lie.se3.Ad(S), 1e-13)
    bracket = np.einsum("nij,nj->ni", lie.se3.ad(x), y)
    assert_close(bracket, -np.einsum("nij,nj->ni", lie.se3.ad(y), x), 1e-14)
    moved = T @ lie.se3.exp(1e-3 * y) @ lie.se3.inverse(T)
    assert_close(lie.se3.log(moved), 1e-3 * np.einsum("nij,nj->ni", lie.se3.Ad(T), y), 1e-11)
    assert_close(lie.se3.left_jacobian(x), lie.se3.Ad(T) @ lie.se3.right_jacobian(x), 1e-13)
    h = 1e-6
    for group, given, step in ((lie.se3, x, e), (lie.so3, x[:, :3], e[:, :3])):
        ends = [group.exp(given + s * h * step) for s in (1.0, -1.0)]
        back = np.linalg.inv(group.exp(given))
        # differences: h^2 and rounding over h
        left = group.log(ends[0] @ back) - group.log(ends[1] @ back)
        slope = np.einsum("nij,nj->ni", group.left_jacobian(given), step)
        assert_close(left / (2 * h), slope, 1e-8)
        right = group.log(back @ ends[0]) - group.log(back @ ends[1])
        slope = np.einsum("nij,nj->ni", group.right_jacobian(given), step)
        assert_close(right / (2 * h), slope, 1e-8)


def test_quaternions_turn_as_their_matrices() -> None:
    rng = np.random.default_rng(3)
    w, x = vectors(30), rng.normal(size=(30, 3))
    q, R = lie.quaternion.exp(w), lie.so3.exp(w)
    assert_close(lie.quaternion.Ad(5.0 * q), R, 1e-14)
    assert_close(lie.so3.Ad(R), R, 0.0)
    turned = np.einsum("nij,nj->ni", R, x)
    assert_close(lie.quaternion.rotate(q, x), turned, 1e-14)
    assert_close(lie.quaternion.rotate(lie.quaternion.inverse(0.1 * q), turned), x, 1e-14)
    assert_close(lie.quaternion.from_rotation(R), q, 1e-14)
    other = lie.quaternion.exp(vectors(31)[:30])
    product = lie.quaternion.product(q, other)
    assert_close(lie.quaternion.Ad(product), R @ lie.quaternion.Ad(other), 1e-14)
    step = lie.quaternion.difference(q, other)
    assert_close(lie.quaternion.Ad(q) @ lie.so3.exp(step), lie.quaternion.Ad(other), 1e-14)
    np.testing.assert_array_equal(lie.so3.ad(w), lie.quaternion.ad(w))


# ------------------------------------------------------------------ peers


@pytest.mark.peers
def test_beside_scipy() -> None:
    w = vectors(40)
    theirs = Rotation.from_rotvec(w)
    assert_close(lie.so3.exp(w), theirs.as_matrix(), 1e-14)
    assert_close(lie.so3.log(theirs.as_matrix()), theirs.as_rotvec(), 1e-13)
    q = lie.quaternion.exp(w)
    assert_close(q, theirs.as_quat(canonical=True)[:, [3, 0, 1, 2]], 1e-14)


@pytest.mark.peers
def test_beside_pinocchio() -> None:
    twists = vectors(40, 6)
    for x in twists:
        w, theirs = x[:3], swap_order(x)
        assert_close(lie.so3.exp(w), pin.exp3(w), 1e-14)
        assert_close(lie.so3.log(pin.exp3(w)), pin.log3(pin.exp3(w)), 1e-12)
        assert_close(lie.so3.right_jacobian(w), pin.Jexp3(w), 1e-12)
        assert_close(lie.so3.right_jacobian_inverse(w), pin.Jlog3(pin.exp3(w)), 1e-12)
        T = pin.exp6(theirs)
        assert_close(lie.se3.exp(x), T.homogeneous, 1e-13)
        assert_close(swap_order(lie.se3.log(T.homogeneous)), pin.log6(T).vector, 1e-12)
        ours = (
            lie.se3.right_jacobian(x),
            lie.se3.right_jacobian_inverse(x),
            lie.se3.Ad(lie.se3.exp(x)),
        )
        for mine, other in zip(ours, (pin.Jexp6(theirs), pin.Jlog6(T), T.action), strict=True):
            swapped = swap_order(swap_order(mine).T).T
            assert_close(swapped, other, 1e-9)  # theirs loses digits of short rotations


# ------------------------------------------------------------------ calls


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.name)
def test_they_are_called_as_quantities_are(group: lie.Group) -> None:
    (size,) = group.exp.kernel.inputs[0]
    x = vectors(6, size).reshape(2, 3, size)
    many = group.exp(x)
    assert_close(many[1, 2], group.exp(x[1, 2]), 1e-15)
    assert_close(group.exp(x[1, 2].tolist()), many[1, 2], 1e-15)
    assert group.exp(x.astype("f")).dtype == np.float32
    assert_close(group.exp(x.astype("f")), many, 1e-6)
    out = np.empty_like(many)
    assert group.exp(x, out=out) is out
    np.testing.assert_array_equal(out, many)
    assert group.log(many[:0]).shape == (0, 3, size)
    again = pickle.loads(pickle.dumps(group.left_jacobian))
    assert again is group.left_jacobian
    with pytest.raises(ValueError, match=rf"lie\.{group.name}\.exp: .* \(\.\.\., {size}\), found"):
        group.exp(np.zeros(2))
    with pytest.raises(TypeError, match=r"takes 1 positional arguments, found 2"):
        group.exp(x, x)
    assert "leading axes broadcast" in str(group.exp.__doc__)


def test_nothing_is_made_up() -> None:
    x = np.full((9, 6), 0.1)
    x[4] = np.nan
    for found in (lie.se3.exp(x)[:, :3], lie.se3.left_jacobian(x)[:, 3:, :3]):
        assert np.isnan(found[4]).all()
        assert np.isfinite(np.delete(found, 4, 0)).all()
    with np.errstate(invalid="ignore"):
        none = lie.quaternion.log(np.zeros(4)), lie.quaternion.Ad(np.zeros(4))
    assert all(np.isnan(found).all() for found in none)
    w = 0.3 * np.ones(3)
    for length in (1e-300, 1e-20, 1e20, 1e300):
        assert_close(lie.quaternion.log(length * lie.quaternion.exp(w)), w, 1e-15)
