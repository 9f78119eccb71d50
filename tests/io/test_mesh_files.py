"""Mesh files: formats, scenes, units, mirrors, and files that are none."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh

from jounce.errors import ModelError
from jounce.io.surfaces import Surface, read_parts, read_surface
from jounce.model import inertia
from support import solids
from support.helpers import assert_close
from support.robots import random_pose
from support.solids import write

BRICK = (0.2, 0.3, 0.5)


@pytest.mark.parametrize(
    ("name", "options", "tolerance"),
    [
        ("part.stl", {}, 1e-7),  # single precision
        ("part.STL", {"file_type": "stl_ascii"}, 1e-7),
        ("part.obj", {"digits": 17}, 1e-14),
        ("part.ply", {}, 1e-7),  # single precision
        ("part.PLY", {"encoding": "ascii", "file_type": "ply"}, 1e-7),
        ("part.dae", {}, 1e-7),
        ("part.off", {"digits": 17}, 1e-14),
        ("part.glb", {}, 1e-7),
    ],
)
def test_formats(tmp_path: Path, name: str, options: dict[str, Any], tolerance: float) -> None:
    solid = solids.bumpy(np.random.default_rng(0), 2, (0.1, 0.2, 0.3))
    surface = read_surface(write(tmp_path / name, solid, **options))
    assert len(surface.faces) == len(solid[1])
    assert inertia.examine(*surface).ok
    assert_close(inertia.from_mesh(*surface), inertia.from_mesh(*solid), tolerance)


def gltf(mesh: solids.Mesh, **changes: Any) -> str:
    """A glTF file with its buffers inside, some of its top-level entries changed."""
    files = trimesh.Trimesh(*mesh, process=False).export(file_type="gltf", embed_buffers=True)
    return json.dumps({**json.loads(files["model.gltf"]), **changes})


def test_gltf_scene(tmp_path: Path) -> None:
    """Poses of nodes, one of them a mirror, and colors of materials."""
    nodes = [
        {"children": [1, 2], "translation": [1.0, 0.0, 0.0]},
        {"mesh": 0, "rotation": [0.0, 0.0, 0.5**0.5, 0.5**0.5], "scale": [2.0, 2.0, 2.0]},
        {"mesh": 0, "scale": [-1.0, 1.0, 1.0], "translation": [0.0, 3.0, 0.0]},
    ]
    path = tmp_path / "scene.gltf"
    solid = solids.box((0.25, 0.5, 0.125))
    path.write_text(gltf(solid, nodes=nodes, scenes=[{"nodes": [0]}], scene=0))
    turned = inertia.translate(inertia.box((1.0, 0.5, 0.25), density=1000.0), (1.0, 0.0, 0.0))
    mirrored = inertia.box((0.25, 0.5, 0.125), density=1000.0)
    mirrored = inertia.translate(mirrored, (1.0, 3.0, 0.0))
    surface = read_surface(path)
    assert_close(inertia.from_mesh(*surface), inertia.compose(turned, mirrored), 1e-13)
    document = json.loads(gltf(solid))
    document["meshes"][0]["primitives"][0]["material"] = 0
    paint = [{"pbrMetallicRoughness": {"baseColorFactor": [1.0, 0.0, 0.0, 1.0]}}]
    path.write_text(json.dumps({**document, "materials": paint}))
    assert [color for _, color in read_parts(path)] == [(1.0, 0.0, 0.0, 1.0)]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"buffers": [{"uri": "/etc/passwd", "byteLength": 9}]}, "embed its buffers"),
        ({"extensionsRequired": ["KHR_draco_mesh_compression"]}, "not supported: KHR_draco"),
        ({"accessors": [{"count": 10**12, "type": "VEC3", "componentType": 5126}]}, "without data"),
        ({"nodes": [{"mesh": 0, "children": [0]}]}, "each with one parent"),
        ({"nodes": [{"mesh": 0, "children": [k + 1]} for k in range(30)]}, "20 deep"),
        ({"nodes": [{"children": [2]}, {"children": [2]}, {"mesh": 0}]}, "each with one parent"),
        ({"nodes": 3}, "trimesh found TypeError"),
        ({"images": [{"uri": "/etc/passwd"}], "textures": [{"source": 0}]}, ""),
    ],
)
def test_hostile_gltf(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    path = tmp_path / "scene.gltf"
    path.write_text(gltf(solids.box(), **changes))
    if message:
        with pytest.raises(ModelError, match=message):
            read_surface(path)
    else:
        assert len(read_surface(path).faces) == 12


@pytest.mark.parametrize(
    ("unit", "length"), [("millimeter", 1e-3), ("meter", 1.0), ("inch", 0.0254)]
)
def test_3mf_assemblies(tmp_path: Path, unit: str, length: float) -> None:
    """Ten boxes in each of ten assemblies, a hundred in all."""
    more = "".join(
        f'<object id="{k + 1}"><components>'
        + "".join(
            f'<component objectid="{k}" transform="1 0 0 0 1 0 0 0 1 {x * j} 0 0"/>'
            for j in range(10)
        )
        + "</components></object>"
        for k, x in ((1, 2), (2, 20))
    )
    path = tmp_path / "part.3mf"
    path.write_bytes(solids.zipped(solids.threemf(solids.box(), unit, more, "3")))
    surface = read_surface(path)
    assert len(surface.faces) == 1200
    brick = inertia.box((length, length, length), density=1000.0)
    row = [inertia.translate(brick, (2 * k * length, 0.0, 0.0)) for k in range(100)]
    assert_close(inertia.from_mesh(*surface), inertia.compose(*row), 1e-12)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("meter", "furlong", "unit among micron"),
        ('objectid="1"', 'objectid="9"', r"part.3mf': 3dmodel.model:\d+: <build>: <item>"),
        ('v1="0"', 'v1="99"', "vertices from 0 to 7"),
        ('v1="0"', 'v1="0.5"', "vertices from 0 to 7"),
        ("</model>", "", "malformed XML"),
        (
            "</resources>",
            '<object id="2"><components><component objectid="2"/></components></object>'
            "</resources>",
            "contain itself",
        ),
    ],
)
def test_bad_3mf(tmp_path: Path, old: str, new: str, message: str) -> None:
    build = "2" if 'id="2"' in new else "1"
    text = solids.threemf(solids.box(), build=build)
    (tmp_path / "part.3mf").write_bytes(solids.zipped(text.replace(old, new)))
    with pytest.raises(ModelError, match=message):
        read_surface(tmp_path / "part.3mf")


@pytest.mark.parametrize("suffix", [".stl", ".off", ".glb", ".gltf"])
def test_what_to_install_without_trimesh(
    tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"part{suffix}"
    path.write_bytes(b"anything")
    monkeypatch.setitem(sys.modules, "trimesh", None)
    with pytest.raises(ModelError, match=r'needs trimesh: pip install "jounce\[mesh\]"'):
        read_surface(path)


def test_faces_with_more_corners_and_several_objects(tmp_path: Path) -> None:
    v, _ = solids.box(BRICK)
    lines = ["mtllib missing.mtl"]
    for k, at in enumerate(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))):
        lines += [f"o part{k}", "usemtl paint", *(f"v {x} {y} {z}" for x, y, z in v + at)]
        lines += ["f " + " ".join(str(i + 1 + 8 * k) for i in quad) for quad in solids.QUADS]
    path = tmp_path / "two.obj"
    path.write_text("\n".join(lines))
    brick = inertia.box(BRICK, density=1000.0)
    expected = inertia.compose(brick, inertia.translate(brick, (1.0, 0.0, 0.0)))
    assert_close(inertia.from_mesh(*read_surface(path)), expected, 1e-14)


DAE = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g" name="g"><mesh>
<source id="p"><float_array id="pa" count="24">{points}</float_array>
<technique_common><accessor source="#pa" count="8" stride="3">
<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
</accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="12"><input semantic="VERTEX" source="#v" offset="0"/><p>{faces}</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s" name="s">
<node id="outer"><matrix>1 0 0 50 0 1 0 0 0 0 1 0 0 0 0 1</matrix>
<node id="a"><matrix>0 -1 0 0 1 0 0 0 0 0 1 0 0 0 0 1</matrix>
<instance_geometry url="#g"/></node>
<node id="b"><matrix>-1 0 0 100 0 1 0 0 0 0 1 0 0 0 0 1</matrix>
<instance_geometry url="#g"/></node></node>
</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>
"""


def test_collada_scene(tmp_path: Path) -> None:
    """Units are heeded, the up axis is not; nested poses, one of them a mirror."""
    v, f = solids.box((20.0, 30.0, 50.0))
    path = tmp_path / "scene.dae"
    points, faces = (" ".join(map(str, x.ravel().tolist())) for x in (v, f))
    path.write_text(DAE.format(points=points, faces=faces))
    turned = inertia.translate(inertia.box((0.3, 0.2, 0.5), density=1000.0), (0.5, 0.0, 0.0))
    mirrored = inertia.translate(inertia.box(BRICK, density=1000.0), (1.5, 0.0, 0.0))
    surface = read_surface(path)
    assert inertia.examine(*surface).ok
    assert_close(inertia.from_mesh(*surface), inertia.compose(turned, mirrored), 1e-13)


def test_collada_with_broken_paint_is_whole(tmp_path: Path) -> None:
    """Geometry counts, whatever its materials refer to; geometry that is missing is an error."""
    v, f = solids.box((20.0, 30.0, 50.0))
    points, faces = (" ".join(map(str, x.ravel().tolist())) for x in (v, f))
    text = DAE.format(points=points, faces=faces)
    paint = '<instance_geometry url="#g"><bind_material><technique_common><instance_material'
    paint += (
        ' symbol="m" target="#nowhere"/></technique_common></bind_material></instance_geometry>'
    )
    (tmp_path / "paint.dae").write_text(text.replace('<instance_geometry url="#g"/>', paint, 1))
    assert len(read_surface(tmp_path / "paint.dae").faces) == 24
    (tmp_path / "part.dae").write_text(text.replace('url="#g"', 'url="#missing"', 1))
    with pytest.raises(ModelError, match=r"part.dae.*missing"):
        read_surface(tmp_path / "part.dae")


@pytest.mark.parametrize("scale", [(1.0, 1.0, 1.0), (0.001, 0.002, 0.003), (1.0, -2.0, 1.0)])
def test_scale_and_placement(scale: tuple[float, float, float]) -> None:
    T = random_pose(np.random.default_rng(1))
    placed = Surface(*solids.box(BRICK)).place(scale, T)
    size = np.abs(scale) * BRICK
    expected = inertia.transform(inertia.box(size, density=1000.0), T)
    # vertices are rounded to eps of their distance, which is felt in proportion to the thickness
    far = np.abs(placed.vertices).max() / (size.min() / 2.0)
    assert_close(inertia.from_mesh(*placed), expected, 4 * np.finfo(float).eps * far)


def test_scale_must_not_be_zero() -> None:
    with pytest.raises(ModelError, match="scale"):
        Surface(*solids.box()).place((1.0, 0.0, 1.0))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("missing.stl", None, "No such file"),
        ("folder.stl", ..., "directory"),
        ("empty.stl", b"", "empty.stl"),
        ("empty.obj", b"", "empty.obj"),
        ("empty.ply", b"", "empty.ply"),
        ("empty.dae", b"", "empty.dae"),
        ("empty.off", b"", "empty.off"),
        ("empty.glb", b"", "empty.glb"),
        ("empty.gltf", b"", "empty.gltf"),
        ("empty.3mf", b"", "empty.3mf"),
        ("cut.off", b"OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "3 vertices and 2 faces"),
        ("short.off", b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n9 0 1 2\n", "fewer corners"),
        ("noise.stl", bytes(range(256)) * 3, "noise.stl"),
        ("noise.ply", bytes(range(256)) * 3, "noise.ply"),
        ("noise.dae", bytes(range(256)) * 3, "noise.dae"),
        ("noise.obj", bytes(range(256)) * 3, "noise.obj"),
        ("short.stl", b"\0" * 80 + (1000).to_bytes(4, "little") + b"\0" * 50, "short.stl"),
        ("points.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\n", "points.obj"),
        ("bad.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", "bad.obj"),
        ("entities.dae", b'<!DOCTYPE x [<!ENTITY a "aa">]><COLLADA/>', "entities.dae"),
        ("part.step", b"ISO-10303-21;", "cannot read '.step' files; convert it to one of .stl"),
    ],
)
def test_bad_files_are_named(tmp_path: Path, name: str, content: Any, message: str) -> None:
    path = tmp_path / name
    if content is ...:
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)
    with pytest.raises(ModelError, match="mesh '") as caught:
        read_surface(path)
    assert message in str(caught.value)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)
