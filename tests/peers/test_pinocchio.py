"""Every quantity that Pinocchio has too, on every example robot; and published reference values.

Tolerance: 1e-12 of the largest entry. Where a linear system with M is solved (forward dynamics,
inverse of M), both libraries lose digits in proportion to the condition number of M, so the
tolerance is 1e-15 cond(M) there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jounce.catalog.tables import FRAME, ROBOT
from jounce.export.pinocchio import PinocchioMap, swap_order, to_pinocchio
from jounce.io.gallery import gallery_data
from jounce.model.model import Model
from jounce.papers.common import armature_christoffel
from jounce.robot import Robot, load
from support.helpers import (
    assert_close,
    interpreted,
    kernel_of,
    objects,
    quantity,
    quiet_read,
    random_argument,
    with_frames,
)
from support.robots import ALL_KINDS, random_model
from support.urdf_files import good_files

pin = pytest.importorskip("pinocchio")

SAMPLES = 3

#: Robots, small to large, whose machine code is compared; the others' tapes are interpreted.
COMPILED = {
    ("TwoDofs", "fixed"),
    ("finger_edu", "floating"),
    ("ur5_robot", "fixed"),
    ("xarm7", "floating"),
    ("panda", "fixed"),
    ("solo12", "floating"),
    ("tiago_no_hand", "fixed"),
    ("baxter", "fixed"),
    ("b1-z1", "floating"),
    ("tiago_pro", "fixed"),
    ("g1_29dof_rev_1_0", "floating"),
    ("romeo", "fixed"),
}

Evaluate = Callable[..., np.ndarray]


class Peer:
    """A robot in both libraries, at the same random states."""

    def __init__(self, model: Model, theirs: Any, compiled: bool) -> None:
        self.robot = Robot(model)
        self.pin_model, self.data = theirs, theirs.createData()
        self.maps = PinocchioMap(model, theirs)
        self.compiled = compiled
        rng = np.random.default_rng(model.nv)
        for name in ("q", "v", "a", "tau"):
            setattr(self, name, random_argument(name, self.robot, rng, (SAMPLES,)))
        self.q_pin = self.maps.q_to_pinocchio(self.q)
        self.v_pin, self.a_pin = (self.maps.v_to_pinocchio(x) for x in (self.v, self.a))
        # Pinocchio's reader does not know armature
        for b, joint in enumerate(model.joints):
            if joint.kind in ("revolute", "prismatic", "helical"):
                at = theirs.joints[self.maps.joint_ids[b]].idx_v
                theirs.armature[at] = joint.armature[0]

    def ours(self, name: str, *arguments: np.ndarray, frame: str | None = None) -> np.ndarray:
        row = (ROBOT if frame is None else FRAME)[name]
        if self.compiled:
            return quantity(self.robot, row, frame)(*arguments)
        return interpreted(kernel_of(self.robot, row, frame), *arguments)

    def theirs(self, function: Callable[..., Any], *arguments: np.ndarray) -> np.ndarray:
        """Pinocchio's function on every sample."""
        samples = zip(*arguments, strict=True)
        return np.array([np.copy(function(self.pin_model, self.data, *x)) for x in samples])

    def check(
        self, what: str, ours: np.ndarray, theirs: np.ndarray, *limits: float, **more: float
    ) -> None:
        assert_close(ours, theirs, *limits, what=f"{self.robot.name}, {what}", **more)


def mass_matrix(model: Any, data: Any, q: np.ndarray) -> np.ndarray:
    upper = np.triu(pin.crba(model, data, q))
    return upper + np.triu(upper, 1).T


def inverse_mass_matrix(model: Any, data: Any, q: np.ndarray) -> np.ndarray:
    upper = np.triu(pin.computeMinverse(model, data, q))
    return upper + np.triu(upper, 1).T


def check_joint_space(peer: Peer, coriolis: bool = True) -> None:
    maps = peer.maps
    q, v, a = peer.q, peer.v, peer.a
    q_pin, v_pin, a_pin = peer.q_pin, peer.v_pin, peer.a_pin
    forces = maps.tau_from_pinocchio
    tau = forces(peer.theirs(pin.rnea, q_pin, v_pin, a_pin))
    peer.check("inverse dynamics", peer.ours("inverse_dynamics", q, v, a), tau)
    bias = forces(peer.theirs(pin.nonLinearEffects, q_pin, v_pin))
    peer.check("bias forces", peer.ours("bias_forces", q, v), bias)
    gravity = forces(peer.theirs(pin.computeGeneralizedGravity, q_pin))
    peer.check("gravity forces", peer.ours("gravity_forces", q), gravity)
    M = maps.matrix_from_pinocchio(peer.theirs(mass_matrix, q_pin))
    peer.check("mass matrix", peer.ours("mass_matrix", q), M)
    if coriolis:
        C = maps.matrix_from_pinocchio(peer.theirs(pin.computeCoriolisMatrix, q_pin, v_pin))
        # Pinocchio adds armature to the diagonal of M only: in spherical joints its C, which has
        # the same C v and C + C^T, is not the one that M determines (see test_koszul)
        tree = peer.robot.tree
        C += np.array([armature_christoffel(tree, objects(x)) for x in v]).astype(float)
        # planar mechanisms have C = 0 up to rounding of terms of the size of M
        floor = np.abs(M).max()
        peer.check("Coriolis matrix", peer.ours("coriolis_matrix", q, v), C, floor=floor)
    condition = np.linalg.cond(M).max()
    if condition > 1e14:  # massless links: no library can solve for their accelerations
        return
    tolerance = max(1e-12, 1e-15 * condition)
    if peer.robot.tree.has_mimics:  # Pinocchio solves for followers as if they were free
        inverse = np.linalg.inv(M)
        acceleration = np.linalg.solve(M, (peer.tau - bias)[..., None])[..., 0]
    else:
        order = np.argmax(maps.G, axis=0)  # our velocities are theirs in another order
        inverse = peer.theirs(inverse_mass_matrix, q_pin)[:, order[:, None], order]
        tau_pin = peer.tau @ maps.G.T
        acceleration = maps.v_from_pinocchio(peer.theirs(pin.aba, q_pin, v_pin, tau_pin))
    peer.check("inverse of M", peer.ours("mass_matrix_inverse", q), inverse, tolerance)
    ours = peer.ours("forward_dynamics", q, v, peer.tau)
    peer.check("forward dynamics", ours, acceleration, tolerance)


def check_energies_and_momenta(peer: Peer) -> None:
    q, v, q_pin, v_pin, G = peer.q, peer.v, peer.q_pin, peer.v_pin, peer.maps.G
    # Pinocchio's kinetic energy has the armature of some joint types only: leave it to us
    armature = peer.pin_model.armature.copy()
    peer.pin_model.armature[:] = 0.0
    kinetic = peer.theirs(pin.computeKineticEnergy, q_pin, v_pin) + 0.5 * v_pin**2 @ armature
    peer.pin_model.armature[:] = armature
    peer.check("kinetic energy", peer.ours("kinetic_energy", q, v), kinetic)
    potential = peer.theirs(pin.computePotentialEnergy, q_pin)
    peer.check("potential energy", peer.ours("potential_energy", q), potential)
    com = peer.theirs(pin.centerOfMass, q_pin)
    peer.check("centre of mass", peer.ours("center_of_mass", q), com)
    jacobian = peer.theirs(pin.jacobianCenterOfMass, q_pin) @ G
    peer.check("Jacobian of the centre of mass", peer.ours("com_jacobian", q), jacobian)

    def centroidal(model: Any, data: Any, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return np.column_stack((pin.ccrba(model, data, q, v), data.hg.vector))

    both = np.moveaxis(swap_order(np.moveaxis(peer.theirs(centroidal, q_pin, v_pin), 1, 2)), 2, 1)
    A, h = both[..., :-1] @ G, both[..., -1]
    peer.check("centroidal matrix", peer.ours("centroidal_momentum_matrix", q), A)
    peer.check("centroidal momentum", peer.ours("centroidal_momentum", q, v), h)
    # about the world's origin: the angular part gains com x linear part
    A[:, :3] += np.cross(com[:, :, None], A[:, 3:], axis=1)
    h[:, :3] += np.cross(com, h[:, 3:])
    peer.check("momentum matrix", peer.ours("momentum_matrix", q), A)
    peer.check("momentum", peer.ours("momentum", q, v), h)


REFERENCES = {"": "LOCAL", "_world": "WORLD", "_mixed": "LOCAL_WORLD_ALIGNED"}


def check_frame(peer: Peer, name: str, index: int) -> None:
    q, v, q_pin, v_pin, G = peer.q, peer.v, peer.q_pin, peer.v_pin, peer.maps.G

    def pose(model: Any, data: Any, q: np.ndarray) -> np.ndarray:
        pin.framesForwardKinematics(model, data, q)
        return data.oMf[index].homogeneous

    peer.check(f"pose of {name}", peer.ours("pose", q, frame=name), peer.theirs(pose, q_pin))
    for suffix, reference in REFERENCES.items():
        frame = getattr(pin.ReferenceFrame, reference)

        def jacobian(model: Any, data: Any, q: np.ndarray, frame: Any = frame) -> np.ndarray:
            J = pin.computeFrameJacobian(model, data, q, index, frame)
            return np.vstack((J[3:], J[:3]))

        def twist(
            model: Any, data: Any, q: np.ndarray, v: np.ndarray, frame: Any = frame
        ) -> np.ndarray:
            pin.forwardKinematics(model, data, q, v)
            return swap_order(pin.getFrameVelocity(model, data, index, frame).vector)

        J = peer.theirs(jacobian, q_pin) @ G
        peer.check(f"Jacobian{suffix} of {name}", peer.ours(f"jacobian{suffix}", q, frame=name), J)
        V = peer.theirs(twist, q_pin, v_pin)
        peer.check(f"twist{suffix} of {name}", peer.ours(f"twist{suffix}", q, v, frame=name), V)


def chosen_frames(model: Model) -> list[str]:
    """The first, the last, the middle one, and one that sits beside its body's frame."""
    names = [frame.name for frame in model.frames]
    beside = [
        f.name for f in model.frames if f.body >= 0 and not np.array_equal(f.placement, np.eye(4))
    ]
    return list(dict.fromkeys((names[0], names[len(names) // 2], names[-1], *beside[-1:])))


# ------------------------------------------------------------------ the example robots


def examples() -> list[Any]:
    """All robots, every fourth of them, if small, and those that are compiled in the usual run."""
    compiled = {stem for stem, _ in COMPILED}
    out = []
    for i, path in enumerate(good_files()):
        for base in ("fixed", "floating"):
            size = quiet_read(path).nv
            if base == "floating" or size:
                usual = (i % 4 == 0 and size < 15) or path.stem in compiled
                marks = () if usual else (pytest.mark.slow,)
                out.append(pytest.param(path, base, id=f"{path.stem}-{base}", marks=marks))
    return out


def test_there_are_enough_examples() -> None:
    assert len(good_files()) >= 40
    stems = {path.stem for path in good_files()}
    assert {stem for stem, _ in COMPILED} <= stems


@pytest.mark.parametrize(("path", "base"), examples())
def test_example_robot(path: Path, base: str) -> None:
    root = () if base == "fixed" else (pin.JointModelFreeFlyer(),)
    theirs = pin.buildModelFromUrdf(str(path), *root)
    model = quiet_read(path, base)
    peer = Peer(model, theirs, (path.stem, base) in COMPILED)
    check_joint_space(peer)
    check_energies_and_momenta(peer)
    for name in chosen_frames(model):
        check_frame(peer, name, theirs.getFrameId(name, pin.FrameType.BODY))


# ------------------------------------------------------------------ every joint kind


def upright(model: Model) -> Model:
    """Pinocchio's planar joints move in their x-y plane only."""
    z = np.array((0.0, 0.0, 1.0))
    joints = [replace(j, axis=z) if j.kind == "planar" else j for j in model.joints]
    return replace(model, joints=tuple(joints))


RANDOM: dict[str, dict[str, Any]] = {
    "every kind": {"n_joints": len(ALL_KINDS)},
    "every kind twice": {"n_joints": 2 * len(ALL_KINDS)},
    "serial": {"n_joints": len(ALL_KINDS), "branching": False},
    "floating": {"n_joints": 9, "floating": True},
    "no universal": {"n_joints": 14, "kinds": [k for k in ALL_KINDS if k != "universal"]},
    "mimic": {"n_joints": 9, "mimic": True, "kinds": ("revolute", "prismatic", "helical")},
}


@pytest.mark.parametrize("name", list(RANDOM))
def test_random_robot(name: str) -> None:
    rng = np.random.default_rng(len(name))
    model = with_frames(upright(random_model(rng, **RANDOM[name])), rng)
    theirs = to_pinocchio(model)
    peer = Peer(model, theirs, compiled=False)
    # Pinocchio's Coriolis matrix of a composite joint lacks the turn of its second axis: not even
    # C v is right
    check_joint_space(peer, coriolis=all(joint.kind != "universal" for joint in model.joints))
    check_energies_and_momenta(peer)
    for frame in ("tool", "world", "body0", "body3"):
        check_frame(peer, frame, theirs.getFrameId(frame))


# ------------------------------------------------------------------ published numbers


def test_published_forces() -> None:
    """Generalised forces of Mueller and Kumar; their wrench W is exerted by body 7: ours is -W."""
    data = gallery_data("iiwa14_mueller_kumar2021")
    amplitude, omega = (np.array(data["trajectory"][key]) for key in ("amp", "omega"))
    t = np.array([case["t"] for case in data["reference"]])[:, None]
    q = amplitude * np.cos(omega * t)
    v = -amplitude * omega * np.sin(omega * t)
    a = -amplitude * omega**2 * np.cos(omega * t)
    wrenches = np.zeros((len(t), 7, 6))
    exerted = np.array([[case["ext_wrench"]] for case in data["reference"]])
    wrenches[:, 6] = -10.0 * np.sin(np.pi * t) * exerted
    expected = np.array([case["Q"] for case in data["reference"]])
    tau = load("iiwa14_mueller_kumar2021").inverse_dynamics(q, v, a, wrenches=wrenches)
    assert_close(tau, expected, 1e-13)
