"""Good robot files of three formats, as a start for bad ones: real files, and generated ones that
use as much of each format as they can."""

from __future__ import annotations

import random
from functools import cache
from importlib.util import find_spec
from pathlib import Path

FORMATS = ("urdf", "mjcf", "sdf")
SUFFIX = {"urdf": ".urdf", "mjcf": ".mjcf", "sdf": ".sdf"}

#: Larger real files take long and hold nothing that smaller ones do not.
_LARGEST = 60_000


@cache
def real_files(suffix: str, largest: int = _LARGEST) -> list[Path]:
    """Files of at most `largest` bytes that the package example-robot-data carries."""
    spec = find_spec("cmeel")
    places = [] if spec is None else [Path(p) for p in spec.submodule_search_locations or ()]
    roots = [p.parent / "cmeel.prefix/share/example-robot-data/robots" for p in places]
    found = [path for root in roots for path in root.rglob(f"*{suffix}")]
    return sorted(path for path in found if path.stat().st_size <= largest)


def seed(format: str, rng: random.Random) -> str:
    """A good file: a real one if there are, or a generated one."""
    real = real_files(SUFFIX[format]) if format != "mjcf" else []
    if real and rng.random() < 0.6:
        return rng.choice(real).read_text(encoding="utf-8")
    if rng.random() < 0.5:
        return {"urdf": URDF, "mjcf": MJCF, "sdf": SDF}[format]
    return {"urdf": _urdf, "mjcf": _mjcf, "sdf": _sdf}[format](rng)


# ------------------------------------------------------------------ random trees


def _tree(rng: random.Random) -> list[int]:
    """Parents of links 1, 2, ...; link 0 is the root."""
    return [rng.randrange(max(0, k - 3), k) for k in range(1, rng.randrange(2, 9))]


def _numbers(rng: random.Random, n: int, size: float = 1.0) -> str:
    return " ".join(f"{rng.uniform(-size, size):.6g}" for _ in range(n))


def _urdf(rng: random.Random) -> str:
    parts = ['<robot name="random"><link name="l0"/>']
    for k, parent in enumerate(_tree(rng), 1):
        kind = rng.choice(("revolute", "continuous", "prismatic", "fixed", "planar", "floating"))
        parts.append(
            f'<link name="l{k}"><inertial><origin xyz="{_numbers(rng, 3)}"'
            f' rpy="{_numbers(rng, 3)}"/><mass value="{rng.uniform(0.1, 9)}"/><inertia ixx="0.1"'
            ' ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>'
            f'<joint name="j{k}" type="{kind}"><parent link="l{parent}"/><child link="l{k}"/>'
            f'<origin xyz="{_numbers(rng, 3)}" rpy="{_numbers(rng, 3, 3.0)}"/>'
            f'<axis xyz="{_numbers(rng, 3)}"/>'
            '<limit lower="-2" upper="2" effort="10" velocity="3"/></joint>'
        )
    return "".join([*parts, "</robot>"])


def _mjcf(rng: random.Random) -> str:
    children: dict[int, list[int]] = {}
    for k, parent in enumerate(_tree(rng), 1):
        children.setdefault(parent, []).append(k)

    def body(k: int) -> str:
        joints = "".join(
            f'<joint name="j{k}{i}" type="{rng.choice(("hinge", "slide"))}"'
            f' axis="{_numbers(rng, 3)}" pos="{_numbers(rng, 3)}" armature="0.1"/>'
            for i in range(rng.randrange(3))
        ) or rng.choice(("", f'<joint name="b{k}" type="ball"/>'))
        inner = "".join(body(c) for c in children.get(k, ()))
        shape = rng.choice(
            ('type="sphere" size="0.1"', 'type="box" size="0.1 0.2 0.3"', 'size="0.2"')
        )
        return (
            f'<body name="b{k}" pos="{_numbers(rng, 3)}" euler="{_numbers(rng, 3, 90.0)}">'
            f'{joints}<geom {shape} mass="1"/>{inner}</body>'
        )

    first = rng.choice(("<freejoint/>", '<joint type="hinge"/>', ""))
    root = f'<body name="root">{first}<geom size="0.1"/>{"".join(body(c) for c in children[0])}'
    return f'<mujoco model="random"><worldbody>{root}</body></worldbody></mujoco>'


def _sdf(rng: random.Random) -> str:
    parts = [f'<sdf version="{rng.choice(("1.4", "1.7", "1.9"))}"><model name="random">']
    parts.append('<link name="l0"/>')
    for k, parent in enumerate(_tree(rng), 1):
        kind = rng.choice(("revolute", "prismatic", "fixed", "ball", "universal", "screw"))
        anchor = rng.choice(("", f' relative_to="l{parent}"', ' relative_to="__model__"'))
        axes = "".join(
            f"<{tag}><xyz>{xyz}</xyz></{tag}>"
            for tag, xyz in (("axis", "0 0 1"), ("axis2", "1 0 0"))
        )
        parts.append(
            f'<link name="l{k}"><pose{anchor}>{_numbers(rng, 6)}</pose><inertial>'
            f"<mass>{rng.uniform(0.1, 9)}</mass><pose>{_numbers(rng, 6)}</pose></inertial></link>"
            f'<joint name="j{k}" type="{kind}"><parent>l{parent}</parent><child>l{k}</child>'
            f"{axes}</joint>"
        )
    return "".join([*parts, "</model></sdf>"])


# ------------------------------------------------------------------ as much of each format as fits

URDF = """<?xml version="1.0"?>
<robot name="all of it" version="1.0">
<material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
<link name="world"/>
<link name="base">
<inertial><origin xyz="0 0 0.1" rpy="0 0.1 0"/><mass value="4"/>
<inertia ixx="0.1" ixy="0.001" ixz="0" iyy="0.2" iyz="0" izz="0.15"/></inertial>
<visual><origin xyz="0 0 0"/><geometry><mesh filename="package://x/base.stl" scale="1 1 1"/>
</geometry><material name="grey"/></visual>
<collision><geometry><box size="0.1 0.2 0.3"/></geometry></collision>
</link>
<link name="bras supérieur"><inertial><mass value="2"/>
<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>
<collision><geometry><cylinder radius="0.1" length="0.5"/></geometry></collision></link>
<link name="slider"><inertial><mass value="1"/>
<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
<collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<link name="follower"><inertial><mass value="0.5"/>
<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
<link name="puck"><inertial><mass value="0.5"/>
<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
<link name="drone"><inertial><mass value="0.5"/>
<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
<link name="tool"/>
<joint name="mount" type="fixed"><parent link="world"/><child link="base"/>
<origin xyz="0 0 1" quat_xyzw="0 0 0 1"/></joint>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="bras supérieur"/>
<origin xyz="0 0 0.3" rpy="1.5708 0 0"/><axis xyz="0 1 0"/>
<limit lower="-1.5" upper="1.5" effort="100" velocity="2"/>
<dynamics damping="0.1" friction="0.2" armature="0.05"/>
<safety_controller soft_lower_limit="-1" soft_upper_limit="1" k_position="1" k_velocity="1"/>
<calibration rising="0"/></joint>
<joint name="rail" type="prismatic"><parent link="bras supérieur"/><child link="slider"/>
<axis xyz="1 0 0"/><limit lower="0" upper="0.5" effort="10" velocity="1"/></joint>
<joint name="copy" type="continuous"><parent link="base"/><child link="follower"/>
<mimic joint="shoulder" multiplier="-2" offset="0.1"/></joint>
<joint name="table" type="planar"><parent link="world"/><child link="puck"/><axis xyz="0 0 1"/>
</joint>
<joint name="air" type="floating"><parent link="world"/><child link="drone"/></joint>
<joint name="grip" type="fixed"><parent link="slider"/><child link="tool"/></joint>
<transmission name="t"><type>x</type><joint name="shoulder"/></transmission>
<gazebo reference="base"><mu1>0.2</mu1></gazebo>
</robot>
"""

MJCF = """<mujoco model="all of it">
<compiler angle="radian" autolimits="true" eulerseq="xyz" inertiafromgeom="auto"
 balanceinertia="true" boundmass="0.001" boundinertia="0.001" settotalmass="-1" meshdir="meshes"/>
<option gravity="0 0 -9.8" timestep="0.002" integrator="implicitfast"><flag contact="enable"/>
</option>
<size memory="1M" nuserdata="3"/>
<default><joint damping="0.1" armature="0.01"/><geom density="500" rgba="1 0 0 1"/>
<default class="arm"><joint axis="0 1 0" range="-2 2" frictionloss="0.1"/>
<geom type="capsule" size="0.05"/><site size="0.01"/></default></default>
<custom><numeric name="n" data="1 2 3"/><text name="t" data="x"/></custom>
<asset><texture name="t" type="2d" builtin="checker" width="16" height="16"/>
<material name="m" texture="t"/>
<mesh name="tetra" vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale="0.1 0.1 0.1"/>
<mesh name="ball" builtin="sphere" params="2"/>
<mesh name="missing" file="missing.stl"/>
<hfield name="h" nrow="3" ncol="3" size="1 1 1 0.1" elevation="0 0 0 0 1 0 0 0 0"/></asset>
<worldbody><light pos="0 0 3"/><camera name="c" pos="1 0 1"/>
<geom type="plane" size="1 1 0.1" material="m"/><geom type="hfield" hfield="h"/>
<site name="origin" pos="0 0 0"/>
<body name="torso" pos="0 0 1" childclass="arm"><freejoint name="root"/>
<inertial pos="0 0 0" mass="3" diaginertia="0.1 0.2 0.25"/>
<geom fromto="0 0 0 0 0 0.3"/><geom type="mesh" mesh="missing"/>
<body name="upper" pos="0.1 0 0" quat="0.7 0.7 0 0">
<joint name="hip_x" axis="1 0 0"/><joint name="hip_y" type="hinge" ref="0.1" springref="0.2"
 stiffness="3" actuatorfrcrange="-5 5"/>
<geom fromto="0 0 0 0 0 0.3" mass="1"/><site name="knee" pos="0 0 0.3"/>
<body name="lower" pos="0 0 0.3" axisangle="0 0 1 0.4"><joint name="knee_joint"/>
<geom type="mesh" mesh="tetra" mass="0.5"/><geom type="ellipsoid" size="0.1 0.1 0.2"/></body></body>
<body name="rail" xyaxes="1 0 0 0 1 0"><joint name="slide" type="slide" range="0 1"/>
<geom type="box" size="0.1 0.1 0.1" fitscale="1"/>
<body name="head" zaxis="0 1 0"><joint name="neck" type="ball" range="0 1"/>
<geom type="cylinder" size="0.1 0.2"/></body></body></body>
<frame pos="0 1 0"><replicate count="3" offset="0.3 0 0"><body><joint axis="0 0 1"/>
<geom size="0.1"/></body></replicate></frame>
<body name="cart" mocap="false" gravcomp="0"><joint name="wheel" axis="1 0 0"/>
<geom type="mesh" mesh="ball" density="10"/></body>
<body name="twin" pos="1 1 0"><joint name="follow" axis="1 0 0"/><geom size="0.2"/></body>
</worldbody>
<contact><pair geom1="a" geom2="b"/><exclude body1="torso" body2="upper"/></contact>
<tendon><fixed name="string" armature="0.1" damping="0.1"><joint joint="knee_joint" coef="1"/>
<joint joint="slide" coef="-2"/></fixed>
<spatial name="cable"><site site="origin"/><site site="knee"/></spatial></tendon>
<equality><joint joint1="follow" joint2="wheel" polycoef="0.1 2 0 0 0"/>
<connect body1="head" body2="lower" anchor="0 0 0.1" active="true"/>
<weld body1="cart" body2="rail" relpose="0 0 0 1 0 0 0" active="false"/></equality>
<actuator><motor name="m1" joint="hip_x" gear="50" ctrlrange="-1 1" ctrllimited="true"/>
<position joint="hip_y" kp="3" forcerange="-9 9"/><velocity joint="slide" kv="1"/>
<muscle joint="wheel" lengthrange="0 1"/><general tendon="string" gainprm="3" biasprm="0 1 2"/>
</actuator>
<sensor><jointpos joint="hip_x"/><framepos objtype="site" objname="knee"/></sensor>
<keyframe><key name="home" qpos="0 0 0"/></keyframe>
</mujoco>
"""

SDF = """<?xml version="1.0"?>
<sdf version="1.9">
<world name="earth"><gravity>0 0 -9.8</gravity>
<model name="ground"><static>true</static><link name="l"/></model>
<frame name="spot"><pose>1 0 0 0 0 0</pose></frame>
<model name="all of it"><pose relative_to="spot">0 0 1 0 0 0</pose>
<link name="base"><pose>0 0 0.1 0 0 0.3</pose>
<inertial><mass>3</mass><pose>0.1 0 0 0 0 0</pose><inertia><ixx>0.1</ixx><ixy>0</ixy><ixz>0</ixz>
<iyy>0.2</iyy><iyz>0.01</iyz><izz>0.25</izz></inertia></inertial>
<visual name="v"><pose>0 0 0 0 0 0</pose><geometry><mesh><uri>model://x/y.dae</uri>
<scale>1 1 1</scale></mesh></geometry></visual>
<collision name="c"><geometry><box><size>0.1 0.2 0.3</size></box></geometry></collision></link>
<link name="arm"><pose relative_to="shoulder_frame" degrees="true">0 0 0.2 90 0 0</pose>
<inertial><mass>1</mass></inertial><gravity>true</gravity></link>
<frame name="shoulder_frame" attached_to="base"><pose>0 0 0.3 0 0.1 0</pose></frame>
<joint name="shoulder" type="revolute"><pose relative_to="shoulder_frame"/>
<parent>base</parent><child>arm</child>
<axis><xyz expressed_in="shoulder_frame">0 1 0</xyz><limit><lower>-2</lower><upper>2</upper>
<effort>10</effort><velocity>3</velocity></limit><dynamics><damping>0.1</damping>
<friction>0.2</friction></dynamics></axis></joint>
<link name="nut"><pose rotation_format="quat_xyzw">0 0 1 0 0 0 1</pose></link>
<joint name="thread" type="screw"><parent>arm</parent><child>nut</child>
<screw_thread_pitch>0.01</screw_thread_pitch><axis><xyz>0 0 1</xyz></axis></joint>
<link name="cross"><pose>0 0.5 1 0 0 0</pose></link>
<joint name="cardan" type="universal"><parent>arm</parent><child>cross</child>
<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint>
<link name="bob"><pose>0 0.5 0.5 0 0 0</pose></link>
<joint name="socket" type="ball"><parent>cross</parent><child>bob</child></joint>
<link name="copy"/><joint name="follow" type="revolute"><parent>base</parent><child>copy</child>
<axis><xyz>0 0 1</xyz><mimic joint="shoulder"><multiplier>2</multiplier><offset>0.1</offset>
<reference>0</reference></mimic></axis></joint>
<joint name="closure" type="revolute"><parent>copy</parent><child>bob</child>
<axis><xyz>0 0 1</xyz></axis></joint>
<model name="tool" placement_frame="tip"><pose relative_to="nut">0 0 0.1 0 0 0</pose>
<link name="tip"/><link name="jaw"><pose>0 0 0.1 0 0 0</pose></link>
<joint name="grip" type="prismatic"><parent>tip</parent><child>jaw</child>
<axis><xyz>1 0 0</xyz><limit><lower>0</lower><upper>1e16</upper></limit></axis></joint></model>
<joint name="flange" type="fixed"><parent>nut</parent><child>tool::tip</child></joint>
<plugin name="p" filename="x.so"><a>1</a></plugin>
</model></world></sdf>
"""
