"""Simulated measurements for the tests of identification: motions, robots that differ, files."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import numpy as np

import jounce
from jounce.model import inertia
from jounce.robot import Robot

PANDA = "panda_description/urdf/panda.urdf"
UR5 = "ur_description/urdf/ur5_robot.urdf"
SO100 = "so_arm_description/urdf/so100.urdf"


def example(name: str) -> Path:
    """A file of example-robot-data."""
    spec = find_spec("cmeel")
    assert spec is not None
    for place in spec.submodule_search_locations or ():
        path = Path(place).parent / "cmeel.prefix/share/example-robot-data/robots" / name
        if path.exists():
            return path
    raise FileNotFoundError(name)


def quiet(name: str | Path, **options: str) -> Robot:
    """A robot from the gallery or a file, without warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jounce.ModelWarning)
        return jounce.load(name, **options)  # type: ignore[arg-type]


def two_links() -> Robot:
    """A planar arm of two links with friction and rotors: the smallest robot with everything."""
    builder = jounce.TreeBuilder("two_links")
    for i, parent in enumerate((None, "link1")):
        builder.add(
            f"link{i + 1}",
            "revolute",
            parent,
            joint_name=f"joint{i + 1}",
            axis=(0, 1, 0),
            xyz=(0.4 * i, 0.0, 0.0),
            mass=2.0 - i,
            com=(0.2, 0.01, 0.02),
            inertia_com=np.diag((0.01, 0.03, 0.03)),
        )
    return Robot(builder.build())


@cache
def loaded(name: str) -> Robot:
    """The same, once."""
    return quiet(name)


def changed(robot: Robot, seed: int = 0, size: float = 0.2) -> Robot:
    """A robot whose every body could exist, with other masses, centres and inertias."""
    rng = np.random.default_rng(seed)
    sizes = size * np.array((1, 0.5, 0.5, 0.5, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05))
    out = []
    for pi in robot.model.parameters:
        s, V = np.linalg.eigh(inertia.pseudo_inertia(pi))
        J = (V * np.maximum(s, 1e-3 * s[-1])) @ V.T
        start = inertia.log_cholesky(inertia.from_pseudo_inertia((J + J.T) / 2.0))
        out.append(inertia.from_log_cholesky(start + sizes * rng.normal(size=10)))
    return robot.edit.with_parameters(np.array(out))


def with_drives(robot: Robot, seed: int = 0) -> Robot:
    """The same robot with armature, viscous and Coulomb friction."""
    rng = np.random.default_rng(seed)
    armature, damping, friction = rng.uniform(0.3, 1.0, (3, robot.nv))
    return robot.edit.with_parameters(
        robot.model.parameters,
        armature=0.1 * armature,
        damping=2.0 * damping,
        friction=3.0 * friction,
    )


@dataclass(frozen=True, eq=False)
class Motion:
    """Times and states along Fourier series, and torques."""

    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    tau: np.ndarray

    def arrays(self, *names: str) -> dict[str, np.ndarray]:
        """Some of them by name; all by default."""
        return {k: getattr(self, k) for k in names or ("t", "q", "v", "a", "tau")}


def motion(
    robot: Robot,
    samples: int,
    step: float = 0.01,
    seed: int = 0,
    noise: float = 0.0,
    period: float = 10.0,
) -> Motion:
    """Smooth motions that excite everything, torques of the robot with friction.

    noise: standard deviation of each torque relative to its mean size.
    """
    rng = np.random.default_rng(seed)
    t = step * np.arange(samples)
    q, v, a = np.zeros((3, samples, robot.nv))
    for k in range(1, 6):
        w = 2.0 * np.pi * k / period
        sines, cosines = rng.normal(size=(2, robot.nv)) * 0.6 / k
        s, c = np.sin(w * t)[:, None], np.cos(w * t)[:, None]
        q += sines * s - cosines * c
        v += w * (sines * c + cosines * s)
        a += w * w * (cosines * c - sines * s)
    tau = robot.inverse_dynamics(q, v, a) + robot.joint_friction(v)
    tau = tau + noise * np.abs(tau).mean(axis=0) * rng.normal(size=tau.shape)
    return Motion(t, q, v, a, tau)


def names(robot: Robot, *quantities: str) -> list[str]:
    """Column names of the convention, for robots whose joints have one coordinate each."""
    leaders = [j.name for j in robot.model.joints if j.mimic is None]
    return [f"{k}_{name}" for k in quantities for name in leaders]


def csv_text(robot: Robot, data: Motion, *quantities: str) -> str:
    """The measurements as CSV."""
    quantities = quantities or ("q", "v", "a", "tau")
    header = ",".join(("t", *names(robot, *quantities)))
    rows = np.column_stack((data.t, *(getattr(data, k) for k in quantities)))
    return "\n".join((header, *(",".join(map(repr, row)) for row in rows.tolist()))) + "\n"


def cut(data: Motion, *cuts: int) -> list[Motion]:
    """The motion in parts, one after the other."""
    edges = (0, *cuts, len(data.t))
    arrays = data.arrays().items()
    return [Motion(**{k: x[a:b] for k, x in arrays}) for a, b in pairwise(edges)]


def write_parquet(robot: Robot, data: Motion, path: Path, *quantities: str) -> Path:
    """The measurements as a Parquet file."""
    import pyarrow
    from pyarrow import parquet

    columns = {"t": data.t}
    for k in quantities or ("q", "v", "a", "tau"):
        columns |= dict(zip(names(robot, k), getattr(data, k).T, strict=True))
    parquet.write_table(pyarrow.table(columns), path)
    return path


def write_logs(robot: Robot, data: Motion, folder: Path, *cuts: int) -> Path:
    """A folder of Parquet files, one for each part of the motion."""
    folder.mkdir(exist_ok=True)
    for k, part in enumerate(cut(data, *cuts)):
        write_parquet(robot, part, folder / f"{k}.parquet")
    return folder
