"""Mesh files of every format: agreement with trimesh, exact complaints, time linear in size."""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import trimesh

from jounce.errors import ModelError
from jounce.io.surfaces import mesh_files, read_surface
from support.fuzz_seeds import real_files

#: A tetrahedron in every format.
V = np.array(((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)), dtype=float)
F = np.array(((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)))
OBJ = "".join(f"v {x} {y} {z}\n" for x, y, z in V) + "".join(
    f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in F
)
STL = "solid x\n" + "".join(
    "facet normal 0 0 0\nouter loop\n"
    + "".join("vertex {} {} {}\n".format(*V[i]) for i in face)
    + "endloop\nendfacet\n"
    for face in F
)
STL += "endsolid x\n"
HEAD = "ply\nformat {}\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
HEAD += "element face 4\nproperty list uchar int vertex_indices\nend_header\n"
ROWS = "".join("{} {} {}\n".format(*x) for x in V) + "".join("3 {} {} {}\n".format(*f) for f in F)
PLY = HEAD.format("ascii 1.0") + ROWS
DAE = f"""<COLLADA>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a">{" ".join(map(str, V.ravel()))}</float_array>
<technique_common><accessor source="#a" count="4" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles><input semantic="VERTEX" source="#v" offset="0"/>
<p>{" ".join(map(str, F.ravel()))}</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n">
<instance_geometry url="#g"/>
</node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>
"""
GOOD = {".obj": OBJ, ".stl": STL, ".ply": PLY, ".dae": DAE}


def binary_stl(count: int, triangles: int = 4) -> bytes:
    return bytes(80) + struct.pack("<I", count) + bytes(50 * triangles)


def binary_ply(order: str, faces: list[tuple[int, ...]], count: int | None = None) -> bytes:
    name = {"<": "binary_little_endian 1.0", ">": "binary_big_endian 1.0"}[order]
    head = HEAD.format(name).replace("face 4", f"face {len(faces) if count is None else count}")
    rows = [struct.pack(f"{order}3f", *x) for x in V]
    rows += [struct.pack(f"{order}B{len(face)}i", len(face), *face) for face in faces]
    return head.encode() + b"".join(rows)


def refused(tmp_path: Path, suffix: str, content: str | bytes) -> str:
    path = tmp_path / f"part{suffix}"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(ModelError) as caught:
        read_surface(path)
    message = str(caught.value)
    assert message.startswith(f"mesh '{path}':")
    return message.removeprefix(f"mesh '{path}':")


def triangles(tmp_path: Path, suffix: str, content: str | bytes) -> np.ndarray:
    path = tmp_path / f"part{suffix}"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    surface = read_surface(path)
    return surface.vertices[surface.faces]


# ------------------------------------------------------------------ good files


@pytest.mark.parametrize("suffix", GOOD)
def test_the_tetrahedron_in_every_format(suffix: str, tmp_path: Path) -> None:
    assert (triangles(tmp_path, suffix, GOOD[suffix]) == V[F]).all()
    with_returns = GOOD[suffix].replace("\n", "\r\n")
    assert (triangles(tmp_path, suffix, with_returns) == V[F]).all()


@pytest.mark.parametrize("order", ["<", ">"])
def test_binary_ply_with_faces_of_one_and_of_several_sizes(order: str, tmp_path: Path) -> None:
    plain = [tuple(face) for face in F.tolist()]
    assert (triangles(tmp_path, ".ply", binary_ply(order, plain)) == V[F]).all()
    mixed = triangles(tmp_path, ".ply", binary_ply(order, [(0, 1, 2, 3), *plain]))
    assert (mixed == V[[(0, 1, 2), (0, 2, 3), *plain]]).all()


def test_ply_with_other_elements_and_properties(tmp_path: Path) -> None:
    text = PLY.replace("element vertex", "comment no\nelement colour 2\nproperty int c\n"
                       "property list uchar float more\nelement vertex")  # fmt: skip
    text = text.replace("end_header\n", "end_header\n1 0\n2 2 0.5 0.5\n")
    assert (triangles(tmp_path, ".ply", text) == V[F]).all()


def test_obj_with_slashes_negative_numbers_colors_and_continued_lines(tmp_path: Path) -> None:
    text = "\ufeff# é\no part\n" + OBJ.replace("f 1 3 2", "vt 0 0\nf -4/1/1 \\\n -2//1 \\\n2/1 # x")
    text = text.replace("v 1.0 0.0 0.0", "v 1e0 +0 -0. 0.5 0.5 0.5").replace("\ufeff", "")
    assert (triangles(tmp_path, ".obj", text) == V[F]).all()


@pytest.mark.parametrize(
    ("tag", "indices", "expected"),
    [
        ("polygons", "<p>0 1 2 3</p><p>1 2 3</p>", [(0, 1, 2), (0, 2, 3), (1, 2, 3)]),
        ("polylist", "<vcount>3 4</vcount><p>1 2 3 0 1 2 3</p>", [(1, 2, 3), (0, 1, 2), (0, 2, 3)]),
        ("trifans", "<p>0 1 2 3</p>", [(0, 1, 2), (0, 2, 3)]),
        ("tristrips", "<p>0 1 2 3</p>", [(0, 1, 2), (2, 1, 3)]),
    ],
)
def test_collada_primitives(
    tag: str, indices: str, expected: list[tuple[int, ...]], tmp_path: Path
) -> None:
    start, end = DAE.index("<triangles>"), DAE.index("</triangles>") + len("</triangles>")
    source = f'<{tag}><input semantic="VERTEX" source="#v" offset="0"/>{indices}</{tag}>'
    assert (triangles(tmp_path, ".dae", DAE[:start] + source + DAE[end:]) == V[expected]).all()


def test_collada_transformations_instances_and_skins(tmp_path: Path) -> None:
    nodes = """<node><translate>1 2 3</translate><rotate>0 0 2 90</rotate><scale>2 2 2</scale>
    <instance_node url="#shared"/></node><node><instance_controller url="#c"/></node>"""
    more = """<library_nodes><node id="shared"><instance_geometry url="#g"/></node></library_nodes>
    <library_controllers><controller id="c"><skin source="#g">
    <bind_shape_matrix>1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix></skin></controller>
    </library_controllers><library_visual_scenes>"""
    text = DAE.replace('<instance_geometry url="#g"/>', nodes)
    text = text.replace("<library_visual_scenes>", more)
    turned = 2.0 * V @ np.array(((0, 1, 0), (-1, 0, 0), (0, 0, 1))) + (1, 2, 3)
    found = triangles(tmp_path, ".dae", text)
    np.testing.assert_allclose(found, np.concatenate((turned[F], V[F] + (5, 0, 0))), atol=1e-15)


def test_prefixes_of_the_namespace_do_not_matter(tmp_path: Path) -> None:
    text = DAE.replace("</", "</c:").replace("<", "<c:").replace("<c:/c:", "</c:")
    text = text.replace("<c:COLLADA", '<c:COLLADA xmlns:c="http://www.collada.org/x"')
    assert (triangles(tmp_path, ".dae", text) == V[F]).all()


@pytest.mark.slow  # five hundred real files
@pytest.mark.parametrize("suffix", [".obj", ".dae"])
def test_trimesh_reads_real_meshes_alike(suffix: str) -> None:
    files = [*real_files(suffix, 1 << 30), *real_files(suffix.upper(), 1 << 30)]
    assert len(files) > 50
    for path in files:
        if path.name == "anymal_foot.dae":  # a texture is missing: trimesh drops all triangles
            continue
        ours = read_surface(path)
        scene = trimesh.load_scene(path, process=False, **_WITHOUT_PAINT.get(suffix, {}))
        theirs = scene.to_mesh()
        unit = str(theirs.units).split(" * ")
        scale = float(unit[0]) if len(unit) == 2 else 1.0
        assert len(ours.faces) == len(theirs.faces), path
        center = ours.vertices[ours.faces].mean(axis=(0, 1))
        expected = scale * theirs.triangles.mean(axis=(0, 1))
        np.testing.assert_allclose(center, expected, atol=1e-6 * np.abs(ours.vertices).max())


_WITHOUT_PAINT = {".obj": {"skip_materials": True}}


# ------------------------------------------------------------------ bad files

BAD = {
    "two columns": (".obj", "v 0 0 0\nv 1 0\n", "2: expected three numbers after 'v', found '1 0'"),
    "no columns": (".obj", "v\n", "1: expected three numbers after 'v', found ''"),
    "a word": (".obj", "v 0 x 0\n", "1: expected three numbers after 'v', found '0 x 0'"),
    "not a number": (".obj", "\nv 0 nan 0\n", "2: expected three numbers after 'v'"),
    "infinity": (".obj", "v 0 inf 0\n", "1: expected three numbers after 'v'"),
    "underscore": (".obj", "v 0 1_0 0\n", "1: expected three numbers after 'v', found '0 1_0 0'"),
    "other digits": (".obj", "v 0 ٣ 0\n", "1: expected three numbers after 'v'"),
    "overflow": (".obj", OBJ.replace("1.0", "1e999"), " vertex 1 (from 0): expected finite"),
    "index 0": (".obj", OBJ + "f 0 1 2\n", "9: vertex '0' does not exist; there are 4"),
    "index 5": (".obj", OBJ + "f 5 1 2\nf 1 2 3", " a face names vertex 4; there are 4, from 0"),
    "index -5": (".obj", OBJ + "f -5 1 2\n", "9: vertex '-5' does not exist"),
    "index -0": (".obj", OBJ + "f -0 1 2\n", "9: vertex '-0' does not exist"),
    "index 1.5": (".obj", OBJ + "f 1.5 1 2\n", "9: expected vertex numbers after 'f', found '1.5'"),
    "index 1e99": (".obj", OBJ + f"f {'9' * 99} 1 2\n", "9: expected vertex numbers after 'f'"),
    "two corners": (".obj", OBJ + "f 1 2\n", "9: expected a face of three or more vertices"),
    "controls": (".obj", "v \x1b[31m\n", "1: expected three numbers after 'v', found '\\x1b[31m'"),
    "stl vertex": (".stl", STL.replace("0.0 1.0\n", "0.0\n", 1), " expected a .stl file"),
    "stl nan": (".stl", STL.replace("vertex 0.0", "vertex nan"), " vertex 0 (from 0): expec"),
    "stl four": (
        ".stl",
        STL.replace("endloop", "vertex 0 0 0\nendloop", 1),
        " expected three 'vertex' per 'endfacet', and an 'endsolid' per 'solid', found 1 of",
    ),
    "stl two": (".stl", STL.replace("vertex 0.0 0.0 0.0\n", "", 1), " expected three 'vertex'"),
    "stl cut": (".stl", STL[:52], " expected three 'vertex' per"),
    "stl open": (".stl", STL.replace("endsolid x\n", ""), " expected three 'vertex' per"),
    "stl count": (".stl", binary_stl(2**32 - 1), " the header announces 4294967295 triangles"),
    "stl short": (".stl", binary_stl(5), " the header announces 5 triangles, which take 334 bytes"),
    "stl long": (".stl", binary_stl(3), " the header announces 3 triangles"),
    "stl none": (".stl", binary_stl(0, 0), " there are no triangles in it"),
    "stl header": (".stl", b"\0" * 20, " expected an STL file, found 20 bytes"),
    "stl not finite": (
        ".stl",
        bytes(80) + struct.pack("<I12fH", 1, *(np.nan,) * 12, 0),
        " vertex 0 (from 0): expected finite numbers",
    ),
    "ply magic": (".ply", "plx\n", "1: expected a PLY header, found 'plx'"),
    "ply format": (".ply", PLY.replace("ascii", "ebcdic"), "2: expected a PLY header"),
    "ply count": (".ply", PLY.replace("vertex 4", "vertex -4"), "3: expected a PLY header"),
    "ply type": (".ply", PLY.replace("float y", "quad y"), "5: expected a PLY header"),
    "ply header": (".ply", PLY[:55], " its header has no end_header line"),
    "ply no z": (".ply", PLY.replace("property float z\n", ""), " element 'vertex', row 0 of 4"),
    "ply row": (".ply", PLY.replace("1.0 0.0 0.0", "1.0 0.0"), " element 'face', row 0 of 4: exp"),
    "ply word": (".ply", PLY.replace("1.0 0.0 0.0", "1.0 inf 0.0"), " element 'vertex', row 0"),
    "ply face": (".ply", PLY.replace("3 0 1 3", "2 0 1"), " element 'face', row 1 of 4: expected"),
    "ply list": (".ply", PLY.replace("3 0 1 3", "99 0 1 3"), " element 'face', row 1 of 4: the fi"),
    "ply minus": (".ply", PLY.replace("3 0 1 3", "3 0 1 -3"), " a face names vertex -3"),
    "ply index": (".ply", PLY.replace("3 0 1 3", "3 0 1 4"), " a face names vertex 4; there are 4"),
    "ply many": (".ply", PLY.replace("face 4", "face 999999999"), " element 'face', row 4 of 9"),
    "ply binary": (".ply", binary_ply("<", [(0, 1, 9)]), " a face names vertex 9"),
    "ply negative": (".ply", binary_ply("<", [(0, 1, -1)]), " a face names vertex -1"),
    "ply corners": (".ply", binary_ply("<", [(0, 1)]), " element 'face', row 0 of 1: expected thr"),
    "ply mixed": (".ply", binary_ply("<", [(0, 1, 2), (0, 1)]), " element 'face', row 1 of 2: exp"),
    "ply short": (".ply", binary_ply("<", [(0, 1, 2)], 10**14), " element 'face', row 1 of 1000"),
    "ply cut": (".ply", binary_ply(">", [(0, 1, 2)])[:-2], " element 'face', row 0 of 1: the f"),
    "dae root": (".dae", "<robot/>", "1: <robot>: expected <COLLADA>"),
    "dae cut": (".dae", DAE[:500], "malformed XML"),
    "dae scene": (".dae", DAE.replace("scene", "scent"), "expected an element <scene>"),
    "dae url": (".dae", DAE.replace('url="#g"', 'url="#p"'), "10: <library_visual_scenes>"),
    "dae other file": (".dae", DAE.replace('url="#g"', 'url="x.dae#g"'), "there is no <geometry>"),
    "dae number": (".dae", DAE.replace('"a">0.0', '"a">nan'), "3: <library_geometries>"),
    "dae index": (".dae", DAE.replace("<p>0 2", "<p>9 2"), "it names vertex 9; there are 4"),
    "dae minus": (".dae", DAE.replace("<p>0 2", "<p>-1 2"), "expected integers >= 0"),
    "dae digits": (".dae", DAE.replace("<p>0 2", "<p>٣ 2"), "expected integers >= 0"),
    "dae corners": (".dae", DAE.replace("<p>0 2", "<p>0 0 2"), "three corners per triangle"),
    "dae stride": (".dae", DAE.replace('stride="3"', 'stride="2"'), "a stride of 2"),
    "dae no stride": (".dae", DAE.replace('stride="3"', 'stride="0"'), "expected an integer"),
    "dae count": (".dae", DAE.replace('count="4"', 'count="5"'), "expected 5 positions, found 4"),
    "dae offset": (".dae", DAE.replace('offset="0"', 'offset="999999999"'), "offsets up to 1000"),
    "dae itself": (
        ".dae",
        DAE.replace('<instance_geometry url="#g"/>', '<instance_node url="#n"/>'),
        "one may contain itself",
    ),
    "dae bomb": (
        ".dae",
        DAE.replace("<node id", "".join(
            f'<node id="n{k}">{f"<instance_node url={chr(34)}#n{k + 1}{chr(34)}/>" * 10}</node>'
            for k in range(9)) + '<node id="n9"><instance_geometry url="#g"/></node><node id'),
        "at most 20000 nodes",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_refused_where_they_are_bad(name: str, tmp_path: Path) -> None:
    suffix, content, expected = BAD[name]
    message = refused(tmp_path, suffix, content)
    assert expected in message if suffix == ".dae" else message.startswith(expected)


# ------------------------------------------------------------------ no files, and large ones


@pytest.mark.parametrize("suffix", GOOD)
def test_pipes_and_devices_are_refused_at_once(suffix: str, tmp_path: Path) -> None:
    pipe, device = tmp_path / f"pipe{suffix}", tmp_path / f"device{suffix}"
    os.mkfifo(pipe)
    device.symlink_to("/dev/zero")
    for path in (pipe, device):
        with pytest.raises(ModelError, match="expected a file, found a pipe or a device"):
            read_surface(path)


@pytest.mark.parametrize("suffix", GOOD)
def test_large_files_are_not_read(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"large{suffix}"
    with path.open("wb") as file:
        file.truncate(mesh_files.MAX_BYTES + 1)  # no bytes on the disk
    with pytest.raises(ModelError, match=rf"large\{suffix}': expected at most {2**28} bytes"):
        read_surface(path)


#: Files that once took, or might take, time quadratic in their length.
LONG: dict[str, tuple[str, Callable[[int], str], str]] = {
    "extra": (".dae", lambda n: DAE.replace("<COLLADA>", "<COLLADA>" + "<extra>" * n), "nested"),
    "closed": (
        ".dae",
        lambda n: DAE.replace("<COLLADA>", "<COLLADA>" + "<extra></extra>" * n),
        "",
    ),
    "materials": (".dae", lambda n: "<COLLADA>" + "<bind_material " * n, "malformed"),
    "lines": (".obj", lambda n: OBJ + "\\\n" * n, ""),
    "corners": (".obj", lambda n: OBJ + "f" + " 1 2 3" * n, ""),
    "solids": (".stl", lambda n: STL * (n // 100), ""),
    "spaces": (".stl", lambda n: STL.replace(" ", " " * (n // 20)), ""),
}


@pytest.mark.parametrize("name", LONG)
def test_long_files_take_time_in_proportion(name: str, tmp_path: Path) -> None:
    suffix, make, message = LONG[name]
    start = time.process_time()
    if message:
        assert message in refused(tmp_path, suffix, make(40_000))
    else:
        assert len(triangles(tmp_path, suffix, make(40_000))) >= 4
    assert time.process_time() - start < 20.0  # a guard: a second, not minutes


def test_stray_vertices_do_not_swell_the_hull(tmp_path: Path) -> None:
    import jounce

    (tmp_path / "part.obj").write_text(OBJ + "v 9 9 9\n")
    (tmp_path / "robot.urdf").write_text(
        '<robot name="r"><link name="a"/><link name="b"><collision><geometry>'
        '<mesh filename="part.obj"/></geometry></collision></link>'
        '<joint name="j" type="continuous">'
        '<parent link="a"/><child link="b"/></joint></robot>'
    )
    robot = jounce.load(tmp_path / "robot.urdf").edit.with_meshes(density=6.0, hull=True)
    assert robot.model.bodies[0].inertia[0] == pytest.approx(1.0)
