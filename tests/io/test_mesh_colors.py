"""Colours of mesh files: diffuse ones of COLLADA and OBJ materials, for pictures alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import jounce
from jounce.io.surfaces import read_parts, read_surface
from jounce.viewer.scene import looks
from jounce.viewer.scene.looks import PLAIN

RED, GREEN = (1.0, 0.0, 0.0, 1.0), (0.0, 0.5, 0.0, 1.0)

DAE = """<COLLADA><library_effects>
<effect id="e1"><profile_COMMON><technique><phong><diffuse><color>1 0 0 0</color></diffuse></phong>
</technique></profile_COMMON></effect>
<effect id="e2"><profile_COMMON><technique><lambert><diffuse>SECOND</diffuse></lambert></technique>
</profile_COMMON></effect></library_effects>
<library_materials><material id="m1"><instance_effect url="#e1"/></material>
<material id="m2"><instance_effect url="#e2"/></material></library_materials>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array>
<technique_common><accessor source="#a" count="4" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles material="one"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1</p></triangles>
<triangles material="two"><input semantic="VERTEX" source="#v" offset="0"/>
<p>0 1 3 1 2 3 0 3 2</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"><bind_material>
<technique_common><instance_material symbol="one" target="#m1"/>
<instance_material symbol="two" target="#m2"/></technique_common></bind_material>
</instance_geometry></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""

OBJ = """mtllib paint.mtl
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
v 1 1 0
f 1 2 4
usemtl deep red
f 1 3 5 2
usemtl unknown
f 2 3 4
"""

MTL = "newmtl other\nKd 0 0.5 0\nnewmtl deep red\nKa 0 0 1\nKd 1 0 0\n"

URDF = """<robot name="r"><link name="base"/><link name="arm"><visual><geometry>
<mesh filename="part.dae"/></geometry><material name="m"><color rgba="0 0 1 1"/></material></visual>
</link><joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>"""


def triangles(path: Path) -> tuple[dict[object, int], list[str]]:
    """Triangles of each colour, and all of them by the places of their corners."""
    found = read_parts(path)
    corners = [s.vertices[s.faces].tolist() for s, _ in found]
    return {c: len(s.faces) for s, c in found}, sorted(str(x) for part in corners for x in part)


def whole(path: Path) -> list[str]:
    surface = read_surface(path)
    return sorted(map(str, surface.vertices[surface.faces].tolist()))


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ("<color>0 0.5 0</color>", {RED: 1, GREEN: 3}),
        ("<color>1 0 0 1</color>", {RED: 4}),
        ("<texture/>", {RED: 1, None: 3}),
        ("<color>bright</color>", {RED: 1, None: 3}),
        ("<color>7 7 7 7</color>", {RED: 1, None: 3}),
    ],
)
def test_collada(tmp_path: Path, second: str, expected: dict[object, int]) -> None:
    path = tmp_path / "part.dae"
    path.write_text(DAE.replace("SECOND", second))
    counts, parts = triangles(path)
    assert counts == expected
    assert parts == whole(path)


@pytest.mark.parametrize("broken", ["#m1", "#e1", 'symbol="one"', 'material="one"'])
def test_what_is_missing_is_no_color(tmp_path: Path, broken: str) -> None:
    path = tmp_path / "part.dae"
    path.write_text(DAE.replace("SECOND", "<color>0 0.5 0</color>").replace(broken, ""))
    assert triangles(path)[0] == {None: 1, GREEN: 3}


def test_obj(tmp_path: Path) -> None:
    path = tmp_path / "part.obj"
    path.write_text(OBJ)
    (tmp_path / "paint.mtl").write_text(MTL)
    counts, parts = triangles(path)
    assert counts == {None: 2, RED: 2}
    assert parts == whole(path)
    for text in ("newmtl deep red\nKd x y z\n", "newmtl\nKd\n\\", "\0\xff"):
        (tmp_path / "paint.mtl").write_text(text)
        assert triangles(path)[0] == {None: 4}
    (tmp_path / "paint.mtl").unlink()
    assert triangles(path)[0] == {None: 4}
    path.write_text(OBJ.replace("paint.mtl", "/etc/passwd"))
    assert triangles(path)[0] == {None: 4}


def test_robots_show_them(tmp_path: Path) -> None:
    """The mesh's own colours come first, then the robot's, then a plain one."""
    (tmp_path / "part.dae").write_text(DAE.replace("SECOND", "<texture/>"))
    (tmp_path / "robot.urdf").write_text(URDF)
    robot = jounce.load(tmp_path / "robot.urdf")
    seen = [part for part in looks(robot.model).parts if part.origin == "mesh"]
    assert [part.color for part in seen] == [RED, (0.0, 0.0, 1.0, 1.0)]
    assert sum(len(part.faces) for part in seen) == 4
    for part in seen:
        assert set(np.unique(part.faces)) == set(range(len(part.vertices)))
    (tmp_path / "robot.urdf").write_text(URDF.replace("<color", "<colour"))
    model = jounce.load(tmp_path / "robot.urdf").model
    assert {part.color for part in looks(model).parts if part.origin == "mesh"} == {RED, PLAIN}
