"""MJCF for tests: random files, files that packages carry, and what MuJoCo computes from them."""

from __future__ import annotations

import warnings
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jounce.errors import ModelWarning
from jounce.export.mujoco import MujocoMap
from jounce.formulas import dynamics
from jounce.formulas.kinematics import frame_pose
from jounce.io import read_mjcf
from jounce.io.mjcf.model import names_of
from jounce.io.mjcf.source import heard
from jounce.model.model import Model
from jounce.model.tree import lower
from support.helpers import assert_close, objects
from support.robots import random_state


@cache
def gymnasium_files() -> list[Path]:
    """The robots of gymnasium's MuJoCo environments."""
    spec = find_spec("gymnasium")
    places = [] if spec is None else [Path(p) for p in spec.submodule_search_locations or ()]
    return sorted(path for p in places for path in (p / "envs/mujoco/assets").glob("*.xml"))


# ------------------------------------------------------------------ random files


def numbers(x: Any) -> str:
    return " ".join(repr(float(value)) for value in np.ravel(x))


def inertial(rng: np.random.Generator) -> str:
    root = rng.uniform(-0.3, 0.3, (3, 3))
    about = root @ root.T + 0.05 * np.eye(3)
    about = np.trace(about) * np.eye(3) - about  # of a mass distribution, so a possible one
    six = [about[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    mass, com = rng.uniform(0.3, 3.0), rng.uniform(-0.2, 0.2, 3)
    return f'<inertial mass="{mass}" pos="{numbers(com)}" fullinertia="{numbers(six)}"/>'


def joint(rng: np.random.Generator, name: str, kind: str) -> str:
    text = f'<joint name="{name}" type="{kind}" pos="{numbers(rng.uniform(-0.2, 0.2, 3))}"'
    text += f' armature="{rng.uniform(0, 0.3)}" damping="{rng.uniform(0, 2)}"'
    text += f' frictionloss="{rng.uniform(0, 2)}"'
    if kind in ("hinge", "slide"):
        text += f' axis="{numbers(rng.normal(size=3))}"'
        if rng.random() < 0.5:
            text += f' ref="{rng.uniform(-1, 1)}"'
        if rng.random() < 0.5:
            text += f' range="{-rng.uniform(1, 2)} {rng.uniform(1, 2)}"'
    return text + "/>"


def random_mjcf(rng: np.random.Generator, bodies: int = 7) -> str:
    """A forest of bodies with up to three joints each, fixed bodies, sites, turned frames."""
    open_, text, count = 0, "", 0
    for b in range(bodies):
        while open_ and rng.random() < 0.35:
            text, open_ = text + "</body>", open_ - 1
        pose = f'pos="{numbers(rng.uniform(-0.5, 0.5, 3))}" quat="{numbers(rng.normal(size=4))}"'
        text += f'<body name="body {b}" {pose}>{inertial(rng)}'
        choice = rng.random()
        if choice < 0.15 and open_ == 0:
            text += f'<freejoint name="free{b}"/>'
        elif choice < 0.3:
            kinds = ("slide",) * int(rng.integers(0, 2)) + ("ball",)
            text += "".join(joint(rng, f"j{b}.{i}", kind) for i, kind in enumerate(kinds))
        elif choice < 0.9:
            kinds = rng.choice(("hinge", "slide"), size=rng.integers(1, 4))
            text += "".join(joint(rng, f"j{b}.{i}", kind) for i, kind in enumerate(kinds))
        for _ in range(rng.integers(0, 2)):
            text += f'<site name="site{count}" {pose}/>'
            count += 1
        open_ += 1
    text += "</body>" * open_
    gravity = numbers(rng.normal(size=3) * 5)
    options = f'<compiler angle="radian"/><option gravity="{gravity}"/>'
    return f'<mujoco model="random">{options}<worldbody>{text}</worldbody></mujoco>'


# ------------------------------------------------------------------ MuJoCo's numbers


def compiled(text_or_path: str | Path) -> Any:
    """MuJoCo's own model of a file or text, with contacts switched off."""
    mujoco = pytest.importorskip("mujoco")
    with heard(mujoco):
        if isinstance(text_or_path, Path):
            mj = mujoco.MjModel.from_xml_path(str(text_or_path))
        else:
            mj = mujoco.MjModel.from_xml_string(text_or_path)
    mj.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    return mj


def at(mj: Any, qpos: np.ndarray, qvel: np.ndarray) -> Any:
    """MuJoCo's data with everything that depends on position and velocity."""
    mujoco = pytest.importorskip("mujoco")
    data = mujoco.MjData(mj)
    data.qpos[:], data.qvel[:] = qpos, qvel
    mujoco.mj_fwdPosition(mj, data)
    mujoco.mj_fwdVelocity(mj, data)
    return data


def mass_matrix(mj: Any, data: Any) -> np.ndarray:
    """MuJoCo's mass matrix (nv, nv), column by column: how it is stored differs by version."""
    mujoco = pytest.importorskip("mujoco")
    out = np.zeros((mj.nv, mj.nv))
    for k, unit in enumerate(np.eye(mj.nv)):
        column = np.zeros(mj.nv)
        mujoco.mj_mulM(mj, data, column, unit)
        out[:, k] = column
    return out


def assert_equal_to_mujoco(model: Model, mj: Any, seed: int = 0, tolerance: float = 1e-12) -> None:
    """Poses of bodies and sites, mass matrix, bias forces and the maps of states."""
    rng = np.random.default_rng(seed)
    maps, tree = MujocoMap(model, mj), lower(model)
    q, v, a = random_state(model, rng)
    qpos, qvel = maps.q_to_mujoco(q), maps.v_to_mujoco(q, v)
    data = at(mj, qpos, qvel)
    M = mass_matrix(mj, data)
    ours = dynamics.mass_matrix(tree, objects(q))
    assert_close(ours, maps.matrix_from_mujoco(qpos, M), tolerance, "M")
    qacc = maps.a_to_mujoco(q, v, a)
    tau = dynamics.inverse_dynamics(tree, objects(q), objects(v), objects(a))
    expected = maps.tau_from_mujoco(qpos, M @ qacc + data.qfrc_bias - data.qfrc_spring)
    assert_close(tau, expected, tolerance, "tau")
    tau = tau.astype(float)
    back = maps.tau_to_mujoco(q, tau)
    assert_close(maps.tau_from_mujoco(qpos, back), tau, tolerance, "tau and back")
    assert_close(back @ qvel, tau @ v, 10 * tolerance, "power", floor=np.abs(tau).max())
    if mj.nv == model.nv:  # no followers
        assert_close(maps.matrix_to_mujoco(q, ours.astype(float)), M, tolerance, "M and back")
    names = names_of(mj)
    pairs = [*zip(names.bodies, data.xpos, data.xmat, strict=True)]
    pairs += zip(names.sites, data.site_xpos, data.site_xmat, strict=True)
    for name, p, R in pairs:
        T = frame_pose(tree, objects(q), model.frame_index(name)).astype(float)
        assert_close(T[:3, 3], p, tolerance, f"origin of {name}", floor=1.0)
        assert_close(T[:3, :3], R.reshape(3, 3), tolerance, f"axes of {name}", floor=1.0)
    assert_close(maps.q_from_mujoco(qpos), q, tolerance, "q")
    assert_close(maps.v_from_mujoco(qpos, qvel), v, tolerance, "v")
    assert_close(maps.a_from_mujoco(qpos, qvel, qacc), a, tolerance, "a")


LINK = '<inertial mass="1" pos="0.1 0.2 0.3" diaginertia="0.3 0.2 0.25"/>'
TENDONS = (
    '<tendon><fixed name="t"><joint joint="a" coef="2"/><joint joint="b" coef="-3"/></fixed>'
    '<fixed name="u"><joint joint="b" coef="1"/></fixed></tendon>'
)


def mjcf(inside: str, rest: str = "", top: str = "") -> str:
    return (
        f'<mujoco model="m"><compiler angle="radian"/>{top}\n<worldbody>{inside}</worldbody>\n'
        f"{rest}\n</mujoco>"
    )


def chain(rest: str = "", joints: tuple[str, ...] = ("a", "b", "c"), top: str = "") -> str:
    """Bodies A, B, C, ... one on the other, each with a hinge a, b, c, ... that has a ref."""
    text = ""
    for i, name in enumerate(joints):
        axis, ref = ("1 0 0", "0 1 0", "0 0 1")[i % 3], 0.1 * (i + 1)
        text += f'<body name="{name.upper()}" pos="0.1 {0.1 * i} 0.5">{LINK}'
        text += f'<joint name="{name}" axis="{axis}" ref="{ref}" pos="0.05 0 0.1"/>'
        text += f'<site name="at_{name}" pos="0 0.1 0.2" euler="0.3 0.2 0.1"/>'
    return mjcf(text + "</body>" * len(joints), rest, top)


def quiet_mjcf(text: str | Path, **options: Any) -> Model:
    """A model of MJCF, without warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        return read_mjcf(text, **options)


def said(text: str, **options: Any) -> list[str]:
    """The warnings that reading gives."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        read_mjcf(text, **options)
    assert all(issubclass(w.category, ModelWarning) for w in caught)
    return [str(w.message) for w in caught]
