"""The robots, on both sides, and the states they are measured in."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
import pinocchio as pin

import jounce
from benchmarks.files import path as path
from jounce.export.pinocchio import PinocchioMap, to_pinocchio

FIXED = ("ur5", "panda", "g1", "talos")
FLOATING = ("g1-floating", "talos-floating")
ROBOTS = FIXED + FLOATING

#: Samples of a batch, and of a batch of the chains, whose matrices are large.
BATCH = 4096
CHAIN_BATCH = 512

MIMIC_NOTE = (
    "panda: the second finger mimics the first. jounce has nv = 8; Pinocchio takes the finger as"
    " independent and has nv = 9, shown as `8 (9)`. Its forces on the second finger are chosen so"
    " that it moves as the mimic says; results are compared through"
    " `jounce.export.pinocchio.PinocchioMap`."
)


@contextmanager
def one_thread() -> Iterator[None]:
    """Use one thread, no disk cache, and suppress warnings about files."""
    threads, cache_setting = jounce.get_num_threads(), os.environ.get("JOUNCE_CACHE")
    jounce.set_num_threads(1)
    os.environ["JOUNCE_CACHE"] = "0"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", jounce.ModelWarning)
            yield
    finally:
        jounce.set_num_threads(threads)
        del os.environ["JOUNCE_CACHE"]
        if cache_setting is not None:
            os.environ["JOUNCE_CACHE"] = cache_setting


@dataclass(frozen=True, eq=False)
class Case:
    """A robot in both libraries, and a batch of states in both orders of coordinates."""

    name: str
    robot: jounce.Robot
    pin_model: Any
    batch: int

    @cached_property
    def pin_data(self) -> Any:
        return self.pin_model.createData()

    @cached_property
    def map(self) -> PinocchioMap:
        return PinocchioMap(self.robot.model, self.pin_model)

    @property
    def size(self) -> str:
        """Number of velocities, on both sides if they differ."""
        ours, theirs = self.robot.nv, self.pin_model.nv
        return str(ours) if ours == theirs else f"{ours} ({theirs})"

    @cached_property
    def states(self) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """q, v, a and tau (batch, n), C-contiguous: ours and Pinocchio's.

        tau comes from the accelerations, by Pinocchio, so that both forward dynamics have the same
        answer even where Pinocchio takes a mimicking joint as independent.
        """
        rng = np.random.default_rng(2024)
        shape = (self.batch, self.robot.nv)
        q, v, a = self.robot.random(rng, self.batch), rng.normal(size=shape), rng.normal(size=shape)
        theirs = {
            "q": self.map.q_to_pinocchio(q),
            "v": self.map.v_to_pinocchio(v),
            "a": self.map.v_to_pinocchio(a),
        }
        pool = pin.ModelPool(self.pin_model, 1)
        tau = pin.rneaInParallel(1, pool, *(theirs[x].T for x in "qva")).T
        theirs["tau"] = np.ascontiguousarray(tau)
        ours = {"q": q, "v": v, "a": a, "tau": self.map.tau_from_pinocchio(theirs["tau"])}
        theirs = {name: np.ascontiguousarray(x) for name, x in theirs.items()}
        return ours, theirs


@cache
def case(name: str, batch: int = BATCH) -> Case:
    """A robot by its name in ROBOTS."""
    file, _, floating = name.partition("-")
    robot = jounce.load(path(file), base=floating or "fixed")
    root = (pin.JointModelFreeFlyer(),) if floating else ()
    return Case(name, robot, pin.buildModelFromUrdf(str(path(file)), *root), batch)


@cache
def chain(n: int) -> Case:
    """A serial chain of n revolute joints about x, y, z in turn, with geared motors.

    The placements have no special angles. Pinocchio gets its joints for coordinate axes, which
    are quicker than those for any axis that `to_pinocchio` uses.
    """
    rng = np.random.default_rng(n)
    builder = jounce.TreeBuilder(f"chain{n}")
    for i in range(n):
        spread = rng.uniform(0.5, 1.5, 3) * 1e-3
        builder.add(
            f"link{i}",
            "revolute",
            f"link{i - 1}" if i else None,
            axis=np.eye(3)[i % 3],
            xyz=rng.uniform(-0.1, 0.1, 3),
            rpy=rng.uniform(-0.5, 0.5, 3),
            mass=float(rng.uniform(0.2, 0.6)),
            com=rng.uniform(-0.05, 0.05, 3),
            inertia_com=np.diag(spread.sum() - spread),
            armature=0.1,
        )
    model = builder.build()
    return Case(
        f"chain{n}", jounce.Robot(model), _with_axis_joints(to_pinocchio(model)), CHAIN_BATCH
    )


def _with_axis_joints(general: Any) -> Any:
    """The chain with Pinocchio's joints for the axes x, y and z."""
    kinds = (pin.JointModelRX, pin.JointModelRY, pin.JointModelRZ)
    out = pin.Model()
    out.gravity = general.gravity
    for i in range(1, general.njoints):
        T = general.jointPlacements[i]
        out.addJoint(general.parents[i], kinds[(i - 1) % 3](), T, general.names[i])
        out.appendBodyToJoint(i, general.inertias[i], pin.SE3.Identity())
    out.armature = general.armature
    return out
