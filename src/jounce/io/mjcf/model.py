"""Compiled MuJoCo models to Model: bodies, joints, couplings, loops and frames.

q of the model is MuJoCo's qpos joint by joint (`ref` included); only the coordinates of free joints
are in another order, and joints coupled by equality constraints have none. `jounce.export.mujoco`
maps states to and fro. A body with several joints becomes a chain of massless bodies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.errors import ModelError
from jounce.io.builder import (
    TreeBuilder,
    Vector,
    base_joint_name,
    base_kind,
    inertia_from_com,
    unique_name,
)
from jounce.io.mjcf.couplings import (
    CONNECT,
    JOINT,
    TENDON,
    WELD,
    Coupling,
    active,
    couplings,
    equality_name,
)
from jounce.io.mjcf.drives import Drives, Warnings, drives, is_disabled, warn_about_forces
from jounce.io.mjcf.places import CompiledError, about
from jounce.io.mjcf.source import MeshAsset
from jounce.math.lie import exp_so3, rotation_from_quaternion
from jounce.model.joints import FLOATING, KINDS, spellings
from jounce.model.model import Body, Mesh, Mimic, Model, Solid
from jounce.model.numbers import Floats
from jounce.model.tree import inverse_pose

#: Kinds that MuJoCo's joint types become, in the order of mjtJoint.
TYPES = tuple(spellings("mjcf")[word] for word in ("free", "ball", "slide", "hinge"))

#: mjtGeom of simple shapes, and their names here.
_SHAPES = {2: "sphere", 3: "capsule", 4: "ellipsoid", 5: "cylinder", 6: "box"}
_MESH = 7
#: mjtObj of sites, which equality constraints may connect instead of bodies.
_SITE = 6


def model_from_mujoco(
    mj: Any,
    *,
    source: str = "mujoco",
    base: str | None = None,
    gravity: Vector | None = None,
    name: str | None = None,
    meshes: Mapping[str, MeshAsset] | None = None,
) -> Model:
    """Return the model of a compiled `mujoco.MjModel`.

    Parameters
    ----------
    mj : mujoco.MjModel
        The compiled model.
    source : str
        File it comes from, for messages.
    base : {"fixed", "floating"}, optional
        By default the file's own; "fixed" removes the free joint of its only floating robot,
        "floating" adds a free joint "base" to the top-level body of its only fixed robot.
    gravity : sequence of float (3,), optional
        Gravitational acceleration in m/s^2; by default the file's own.
    name : str, optional
        Name of the robot; by default the file's own.
    meshes : mapping of str to MeshAsset, optional
        Files of the meshes, by name.

    Returns
    -------
    Model
        The model.
    """
    import mujoco

    names = names_of(mj)
    if gravity is None:
        gravity = np.array(mj.opt.gravity) * (not is_disabled(mj, mujoco, "GRAVITY"))
    warn = Warnings(source)
    try:
        _check_finite(mj, names)
        builder = TreeBuilder(name or names.model, gravity, source=source)
        root = _root_to_change(mj, names, base)
        coupled = couplings(mj, names.joints)
        reader = _Reader(
            mj, names, builder, coupled, drives(mj, mujoco, names.joints, warn), meshes or {}, warn
        )
        builder.frame(names.bodies[0])
        for b in range(1, mj.nbody):
            with about("body", b):
                reader.body(b, base if b == root else None)
        reader.sites()
        reader.loops()
        warn_about_forces(mj, names.bodies, names.joints, warn)
        return builder.build()
    except CompiledError as error:
        raise CompiledError(f"{source}: {error}", error.kind, error.index) from error
    except ModelError as error:
        raise ModelError(f"{source}: {error}") from error


def _check_finite(mj: Any, names: Names) -> None:
    """The compiler takes infinite numbers; refuse them, naming the body or joint."""
    of_bodies = ("pos", "quat", "ipos", "iquat", "mass", "inertia")
    of_joints = ("pos", "axis")
    rows = [("body", names.bodies, getattr(mj, f"body_{name}"), name) for name in of_bodies]
    rows += [("joint", names.joints, getattr(mj, f"jnt_{name}"), name) for name in of_joints]
    rows.append(("joint", names.joints, mj.qpos0[mj.jnt_qposadr], "ref"))
    for kind, owners, values, name in rows:
        fine = np.isfinite(np.asarray(values))
        bad = ~fine.all(axis=tuple(range(1, fine.ndim)))
        if bad.any():
            i = int(np.argmax(bad))
            what = f"{'link' if kind == 'body' else kind} '{owners[i]}'"
            raise CompiledError(f"{what}: expected finite numbers as its '{name}'", kind, i)


# ------------------------------------------------------------------ names


@dataclass(frozen=True)
class Names:
    """Names of the model and of its bodies, joints and sites; made up where the file has none.

    steps: names of the massless bodies, one per joint that is not its body's last.
    """

    model: str
    bodies: list[str]
    joints: list[str]
    sites: list[str]
    steps: dict[int, str]


def names_of(mj: Any) -> Names:
    """The names under which a compiled model's bodies, joints and sites are found here."""
    body_names = [mj.body(i).name for i in range(mj.nbody)]
    taken = set(body_names)
    bodies = [name or unique_name(f"body{i}", taken) for i, name in enumerate(body_names)]
    joint_names = [mj.joint(j).name for j in range(mj.njnt)]
    known = set(joint_names)
    joints: list[str] = []
    steps: dict[int, str] = {}
    for j, name in enumerate(joint_names):
        body = int(mj.jnt_bodyid[j])
        joints.append(name or unique_name(f"{bodies[body]}_joint", known))
        if j + 1 < mj.body_jntadr[body] + mj.body_jntnum[body]:
            steps[j] = unique_name(f"{bodies[body]}_{joints[j]}", taken)
    sites = []
    for i in range(mj.nsite):
        name = mj.site(i).name or f"site{i}"
        sites.append(unique_name(name if name not in taken else f"{name}_site", taken))
    model = bytes(mj.names).split(b"\0", 1)[0].decode(errors="replace")
    return Names(model, bodies, joints, sites, steps)


# ------------------------------------------------------------------ the base


def _root_to_change(mj: Any, names: Names, base: str | None) -> int:
    """The top-level body whose joint to the world `base` changes; -1 if none."""
    if base is None:
        return -1
    free = [j for j in range(mj.njnt) if TYPES[mj.jnt_type[j]] == FLOATING]
    if base_kind(base) == "fixed":
        if len(free) > 1:
            raise ModelError(_ambiguous(base, [names.joints[j] for j in free], "free joints"))
        return int(mj.jnt_bodyid[free[0]]) if free else -1
    roots = sorted({int(mj.body_rootid[mj.jnt_bodyid[j]]) for j in range(mj.njnt)})
    if not roots:
        roots = [b for b in range(1, mj.nbody) if mj.body_parentid[b] == 0]
    if len(roots) != 1:
        raise ModelError(_ambiguous(base, [names.bodies[b] for b in roots], "robots"))
    return -1 if free else roots[0]


def _ambiguous(base: str, found: list[str], what: str) -> str:
    return (
        f"base='{base}' needs a file with one robot, found {len(found)} {what}:"
        f" {', '.join(found)}; leave base out to keep the file's own"
    )


# ------------------------------------------------------------------ bodies and joints


@dataclass(frozen=True)
class _Reader:
    """Adds the bodies, frames and loops of a compiled model to a builder."""

    mj: Any
    names: Names
    builder: TreeBuilder
    couplings: Mapping[int, Coupling]
    drives: Drives
    meshes: Mapping[str, MeshAsset]
    warn: Warnings

    def body(self, b: int, base: str | None) -> None:
        """Add a body: its joints one after the other, the last of which carries its inertia."""
        mj, names = self.mj, self.names
        T = pose(mj.body_pos[b], mj.body_quat[b])
        parent = self._link(int(mj.body_parentid[b]))
        first = int(mj.body_jntadr[b])
        joints = [] if base == "fixed" else list(range(first, first + int(mj.body_jntnum[b])))
        facts = self._facts(b)
        if base == "floating":
            name = base_joint_name(names.joints)
            if not joints:
                self.builder.add(names.bodies[b], FLOATING, joint_name=name, **facts)
                return
            parent = self._massless_base(name)
        if not joints:
            self.builder.add(names.bodies[b], "fixed", parent, placement=T, **facts)
        for j in joints:
            last = j == joints[-1]
            link = names.bodies[b] if last else names.steps[j]
            with about("joint", j):
                self._joint(j, link, parent, T, facts if last else {})
            parent, T = link, np.eye(4)

    def _link(self, b: int) -> str | None:
        return None if b == 0 else self.names.bodies[b]

    def _massless_base(self, joint: str) -> str:
        """A free body under a robot whose first body already moves on the world."""
        names = self.names
        root = unique_name("base", {*names.bodies, *names.sites, *names.steps.values()})
        self.warn([root], "the robot's first joint is on the world, so its free base is massless")
        self.builder.add(root, FLOATING, joint_name=joint)
        return root

    def _joint(
        self, j: int, link: str, parent: str | None, T: Floats, facts: dict[str, Any]
    ) -> None:
        mj, kind = self.mj, TYPES[self.mj.jnt_type[j]]
        neutral = float(mj.qpos0[mj.jnt_qposadr[j]])
        rule = self.couplings.get(j)
        if rule is not None and rule.leader is None:
            T = T @ self._motion(j, rule.offset - neutral)
            self.builder.add(link, "fixed", parent, placement=T, **facts)
            return
        options: dict[str, Any] = self._options(j, kind)
        if kind == FLOATING:  # its coordinates are the pose in the world, wherever it starts
            T = np.eye(4)
        elif KINDS[kind].fields:
            T = T @ self._motion(j, -neutral)
            options["axis"] = np.array(mj.jnt_axis[j])
        if rule is not None and rule.leader is not None:
            options["mimic"] = Mimic(self.names.joints[rule.leader], rule.gain, rule.offset)
        name = self.names.joints[j]
        self.builder.add(link, kind, parent, joint_name=name, placement=T, **facts, **options)

    def _motion(self, j: int, x: float) -> Floats:
        """Displacement (4, 4) of a hinge or slide joint by x."""
        T, axis, point = np.eye(4), np.array(self.mj.jnt_axis[j]), np.array(self.mj.jnt_pos[j])
        if x == 0.0:
            return T
        if not any(KINDS[TYPES[self.mj.jnt_type[j]]].turns):
            T[:3, 3] = x * axis
        else:
            T[:3, :3] = exp_so3(axis, x).astype(float)
            T[:3, 3] = point - T[:3, :3] @ point
        return T

    def _options(self, j: int, kind: str) -> dict[str, Any]:
        """Limits, damping, friction, armature, spring, and the point a turn is about."""
        mj, name = self.mj, self.names.joints[j]
        first = int(mj.jnt_dofadr[j])
        row = KINDS[kind]
        dofs = slice(first, first + row.nv)
        armature, friction = self.drives.armature[dofs], self.drives.friction[dofs]
        out: dict[str, Any] = {"damping": self.drives.damping[dofs]}
        stiffness = float(self.drives.stiffness[j])
        if kind == FLOATING:
            self.warn([name] * (stiffness != 0.0), "springs of free joints are left out")
            self.warn([name] * bool(armature.any()), "armature of free joints is left out")
            self.warn([name] * bool(friction.any()), "friction of free joints is left out")
            return out
        out.update(armature=armature, friction=friction, stiffness=stiffness)
        if stiffness and row.single:  # springs of ball joints are at rest at the neutral pose
            out["spring_reference"] = float(mj.qpos_spring[mj.jnt_qposadr[j]])
        if any(row.turns):
            out["point"] = np.array(mj.jnt_pos[j])
        if row.limited:
            out["effort_limit"] = float(self.drives.effort[j])
            if mj.jnt_limited[j]:
                out["lower"], out["upper"] = (float(x) for x in mj.jnt_range[j])
        return out

    def _facts(self, b: int) -> dict[str, Any]:
        """Inertia and shapes of a body."""
        mj = self.mj
        R = rotation_from_quaternion(np.array(mj.body_iquat[b])).astype(float)
        about = R @ np.diag(mj.body_inertia[b]) @ R.T
        inertia = inertia_from_com(float(mj.body_mass[b]), mj.body_ipos[b], (about + about.T) / 2)
        Body(self.names.bodies[b], inertia)  # what is wrong with it is the body's, not a joint's
        first = int(mj.body_geomadr[b])
        geoms = range(first, first + int(mj.body_geomnum[b]))
        solids = [solid for g in geoms if (solid := self._solid(g)) is not None]
        meshes = [mesh for g in geoms if (mesh := self._mesh(g)) is not None]
        return {"inertia": inertia, "solids": solids, "meshes": meshes}

    def _purpose(self, g: int) -> str:
        collides = self.mj.geom_contype[g] or self.mj.geom_conaffinity[g]
        return "collision" if collides else "visual"

    def _solid(self, g: int) -> Solid | None:
        shape = _SHAPES.get(int(self.mj.geom_type[g]))
        if shape is None:
            return None
        x, y, z = (float(s) for s in self.mj.geom_size[g])
        sizes = {"sphere": (x,), "ellipsoid": (x, y, z), "box": (2 * x, 2 * y, 2 * z)}
        T = pose(self.mj.geom_pos[g], self.mj.geom_quat[g])
        size = sizes.get(shape, (x, 2 * y))
        return Solid(shape, self._purpose(g), size, T, color=self._color(g))

    def _color(self, g: int) -> tuple[float, ...] | None:
        """The geom's own, else its material's; the compiler's defaults stand for none."""
        mj, m = self.mj, int(self.mj.geom_matid[g])
        rgba = tuple(mj.geom_rgba[g].tolist())
        if rgba == (0.5, 0.5, 0.5, 1.0):
            rgba = tuple(mj.mat_rgba[m].tolist()) if m >= 0 else ()
            if rgba == (1.0, 1.0, 1.0, 1.0) and (mj.mat_texid[m] >= 0).any():
                rgba = ()
        return tuple(min(max(x, 0.0), 1.0) for x in rgba) or None

    def _mesh(self, g: int) -> Mesh | None:
        mj, i = self.mj, int(self.mj.geom_dataid[g])
        if mj.geom_type[g] != _MESH or i < 0:
            return None
        asset = self.meshes.get(mj.mesh(i).name)
        if asset is None or not asset.path:
            return None
        # the compiler moved the mesh to its center of mass and principal axes
        back = inverse_pose(pose(mj.mesh_pos[i], mj.mesh_quat[i]))
        T = pose(mj.geom_pos[g], mj.geom_quat[g]) @ back
        file = "" if asset.file is None else str(asset.file)
        place, color = T @ asset.placement, self._color(g)
        return Mesh(asset.path, self._purpose(g), asset.scale, place, file=file, color=color)

    # -------------------------------------------------------------- frames and loops

    def sites(self) -> None:
        """A frame for every site."""
        mj = self.mj
        for i, name in enumerate(self.names.sites):
            T = pose(mj.site_pos[i], mj.site_quat[i])
            with about("site", i):
                self.builder.frame(name, self._link(int(mj.site_bodyid[i])), T)

    def loops(self) -> None:
        """Loop constraints from the active connect and weld constraints."""
        taken: set[str] = set()
        for e in active(self.mj):
            kind = int(self.mj.eq_type[e])
            if kind in (JOINT, TENDON):
                continue
            (first, A), (second, B) = self._ends(e, kind)
            if self.builder.same_body(first, second):
                self.warn(
                    [equality_name(self.mj, e)], "a constraint within one rigid body does nothing"
                )
                continue
            name = unique_name(self.mj.equality(e).name or f"loop{e}", taken)
            turns = kind == WELD and self.mj.eq_data[e, 10] != 0.0
            with about("equality", e):
                self.builder.loop(name, first, second, "weld" if turns else "spherical", A, B)

    def _ends(self, e: int, kind: int) -> list[tuple[str | None, Floats]]:
        """The links an equality constraint ties, and the poses in them that must coincide."""
        mj, data = self.mj, np.array(self.mj.eq_data[e])
        ids = int(mj.eq_obj1id[e]), int(mj.eq_obj2id[e])
        if mj.eq_objtype[e] == _SITE:
            return [
                (self._link(int(mj.site_bodyid[i])), pose(mj.site_pos[i], mj.site_quat[i]))
                for i in ids
            ]
        still = np.array((1.0, 0.0, 0.0, 0.0))
        if kind == CONNECT:
            places = pose(data[:3], still), pose(data[3:6], still)
        else:
            places = pose(data[3:6], data[6:10]), pose(data[:3], still)
        return [(self._link(i), T) for i, T in zip(ids, places, strict=True)]


# ------------------------------------------------------------------ poses


def pose(position: Any, quaternion: Any) -> Floats:
    """4x4 pose from a position and a quaternion (w, x, y, z) of any length but zero."""
    T = np.eye(4)
    q = np.array(quaternion, dtype=float)
    T[:3, :3] = rotation_from_quaternion(q / np.linalg.norm(q)).astype(float)
    T[:3, 3] = position
    return T
