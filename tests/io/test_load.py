"""Choice of readers by name or file, xacro, robot_descriptions, and search for meshes."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tracemalloc
import types
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import jounce
from jounce.errors import ModelError, ModelWarning
from jounce.io import read, read_urdf, resolve_mesh
from jounce.io.files import read_bytes
from jounce.io.packages import find_package
from jounce.io.xml import MAX_ATTRIBUTES, MAX_TAGS, read_xml, root_tag
from jounce.robot import Robot

URDF = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
<link name="a"/><link name="b"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1"
iyz="0" izz="1"/></inertial><visual><geometry><mesh filename="package://pkg/meshes/b.stl"/>
</geometry></visual></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>"""
MJCF = '<mujoco><worldbody><body><joint/><geom size="0.1"/></body></worldbody></mujoco>'
SDF = """<sdf version="1.9"><model name="m"><link name="a"/><link name="b"/><joint name="j"
type="revolute"><parent>a</parent><child>b</child></joint></model></sdf>"""


# ------------------------------------------------------------------ by suffix and root element


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".urdf", URDF),
        (".xml", URDF),
        (".xml", MJCF),
        (".mjcf", MJCF),
        (".xml", SDF),
        (".sdf", SDF),
        (".world", SDF),
        (".xml", f'\ufeff<?xml version="1.0"?>\n<!-- {"x" * 5000} -->\n{SDF}'),
    ],
)
def test_files_are_known_by_suffix_and_root(suffix: str, text: str, tmp_path: Path) -> None:
    if "mujoco" in text:
        pytest.importorskip("mujoco")
    path = tmp_path / f"robot{suffix}"
    path.write_text(text, encoding="utf-8")
    robot = jounce.load(path)
    assert isinstance(robot, Robot)
    assert robot.nv == 1
    assert jounce.load(str(path), base="floating", gravity=(0, 0, -1)).model.gravity[2] == -1


def test_root_tags() -> None:
    assert root_tag("<?xml version='1.0' encoding='latin-1'?><!-- <a> --><b:c d='é'/>") == "b:c"
    assert root_tag("<a><unfinished") == "a"
    for text in ("", "no xml <", "<!DOCTYPE a><a/>", "<!-- only"):
        assert root_tag(text) == ""


def test_names_that_nobody_knows() -> None:
    message = r"cannot read 'unknown': .*\.urdf.*or \.xml.*robot_descriptions.*planar_2r, "
    with pytest.raises(ModelError, match=message):
        jounce.load("unknown")
    with pytest.raises(ModelError, match="cannot read 'a/b c'"):
        jounce.load("a/b c")


# ------------------------------------------------------------------ xacro

XACRO = """<?xml version="1.0"?>
<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:arg name="mass" default="1"/>
<xacro:property name="m" value="$(arg mass)"/>
<xacro:include filename="$(find parts)/arm.xacro"/>
<link name="a"/><xacro:arm name="b" mass="${2 * m}"/>
</robot>"""
ARM = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:macro name="arm"
params="name mass"><link name="${name}"><inertial><mass value="${mass}"/><inertia ixx="1" ixy="0"
ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link><joint name="${name}_joint" type="continuous">
<parent link="a"/><child link="${name}"/></joint></xacro:macro></robot>"""


@pytest.fixture
def xacro_file(tmp_path: Path) -> Path:
    pytest.importorskip("xacro")
    (tmp_path / "elsewhere" / "parts").mkdir(parents=True)
    (tmp_path / "elsewhere" / "parts" / "arm.xacro").write_text(ARM)
    path = tmp_path / "robot.urdf.xacro"
    path.write_text(XACRO)
    return path


def test_xacro_is_expanded(xacro_file: Path) -> None:
    places = xacro_file.parent / "elsewhere"
    model = read(xacro_file, package_dirs=places)
    assert model.bodies[0].inertia[0] == 2.0
    assert model.source == str(xacro_file)
    assert [j.name for j in model.joints] == ["b_joint"]
    robot = jounce.load(xacro_file, package_dirs=[places], xacro_args={"mass": 3})
    assert robot.model.parameters[0, 0] == 6.0
    plain = xacro_file.with_name("plain.xacro")
    plain.write_text(SDF)
    assert read(plain).name == "m"  # what it holds, its root element says


def test_xacro_errors_name_the_file(xacro_file: Path) -> None:
    arguments = pytest.importorskip("xacro.substitution_args")
    before = arguments._eval_find
    with pytest.raises(
        ModelError, match=r"robot\.urdf\.xacro: .*package 'parts'.*package_dirs=.*--package-dir"
    ):
        read(xacro_file)
    assert arguments._eval_find is before
    for old, new, message in (
        ("2 * m", "2 * n", "n"),
        ("2 * m", "(1).__class__", "__class__|invalid"),
        ("<xacro:arm ", "<xacro:leg ", "leg"),
        ("</robot>", "", r":7: malformed XML"),
        ("<robot", "<!DOCTYPE r><robot", "DOCTYPE"),
    ):
        xacro_file.write_text(XACRO.replace(old, new, 1))
        with pytest.raises(ModelError, match=rf"robot\.urdf\.xacro.*({message})"):
            read(xacro_file, package_dirs=xacro_file.parent / "elsewhere")
    xacro_file.write_text(XACRO.replace('"${2 * m}"', '"heavy"'))
    with pytest.raises(ModelError, match=r"robot\.urdf\.xacro:\d+: .*link 'b': .*'heavy'"):
        read(xacro_file, package_dirs=xacro_file.parent / "elsewhere")


DOCTYPE = '<!DOCTYPE robot [<!ENTITY a "b">]>'


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes with names in folders")
@pytest.mark.parametrize("case", ["pipe", "doctype", "yaml"])
def test_files_that_xacro_includes_are_guarded(case: str, xacro_file: Path) -> None:
    """A pipe without a writer is refused at once, and so are entities."""
    arm, places = xacro_file.parent / "elsewhere/parts/arm.xacro", xacro_file.parent / "elsewhere"
    message = "expected a file, found a pipe or a device"
    if case == "doctype":
        arm.write_text(DOCTYPE + ARM)
        message = r"arm\.xacro:1: DOCTYPE and entity declarations are refused"
    elif case == "pipe":
        arm.unlink()
        os.mkfifo(arm)
    else:
        pytest.importorskip("yaml")
        os.mkfifo(places / "mass.yaml")
        text = f"${{xacro.load_yaml('{places / 'mass.yaml'}')['m']}}"
        xacro_file.write_text(XACRO.replace("${2 * m}", text))
    with pytest.raises(ModelError, match=rf"robot\.urdf\.xacro: .*{message}"):
        read(xacro_file, package_dirs=places)
    if case == "yaml":  # a file is read as before
        (places / "mass.yaml").unlink()
        (places / "mass.yaml").write_text("m: 5.0")
        assert read(xacro_file, package_dirs=places).bodies[0].inertia[0] == 5.0


def test_optional_includes_of_xacro_may_be_missing(xacro_file: Path) -> None:
    more = '<xacro:include filename="gone.xacro" optional="true"/><link name="a"/>'
    xacro_file.write_text(XACRO.replace('<link name="a"/>', more))
    assert read(xacro_file, package_dirs=xacro_file.parent / "elsewhere").nv == 1


def test_xacro_arguments_need_a_xacro_file(tmp_path: Path) -> None:
    (tmp_path / "r.urdf").write_text(URDF)
    with pytest.raises(ModelError, match=r"r\.urdf': xacro_args are for files ending in \.xacro"):
        read(tmp_path / "r.urdf", xacro_args={})


def test_without_xacro_the_message_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "r.xacro").write_text(XACRO)
    code = "import sys; sys.modules['xacro'] = None\nimport jounce\n"
    code += f"try: jounce.load({str(tmp_path / 'r.xacro')!r})\nexcept ImportError as e: print(e)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install xacro" in done.stdout


def test_a_missing_file_is_said_before_a_missing_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("xacro", "pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, name, None)
    for suffix in (*jounce.io.READERS, ".xml", ".xacro"):
        with pytest.raises(ModelError, match=rf"cannot read '.*gone{suffix}'.*[Nn]o such file"):
            read(tmp_path / f"gone{suffix}")
    with pytest.raises(jounce.DataError, match=r"gone\.parquet.*no such file"):
        jounce.identification.open_recording(tmp_path / "gone.parquet", jounce.load("planar_2r"))


# ------------------------------------------------------------------ robot_descriptions


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package robot_descriptions with a few modules, in place of the real one."""
    folder = tmp_path / "site" / "robot_descriptions"
    folder.mkdir(parents=True)
    robots = tmp_path / "robots" / "pkg"
    (robots / "meshes").mkdir(parents=True)
    (robots / "meshes" / "b.stl").write_text("solid")
    (robots / "r.urdf").write_text(URDF)
    (robots / "r.xml").write_text(MJCF)
    (robots / "r.urdf.xacro").write_text(URDF)
    top = f"REPOSITORY_PATH = {str(robots.parent)!r}\nPACKAGE_PATH = {str(robots)!r}\n"
    (folder / "__init__.py").write_text("")
    (folder / "_xacro.py").write_text(
        "def get_urdf_path(module, args=None):\n"
        "    assert args in (None, {'size': '2'}), args\n"
        "    return module.XACRO_PATH[:-6]"
    )
    for name, key, file in (
        ("one", "URDF_PATH", "r.urdf"),
        ("one_mj", "MJCF_PATH", "r.xml"),
        ("two_mj", "MJCF_PATH", "r.xml"),
        ("three", "XACRO_PATH", "r.urdf.xacro"),
        ("four", "OTHER_PATH", "r.urdf"),
    ):
        text = f"{top}{key} = {str(robots / file)!r}\n"
        (folder / f"{name}_description.py").write_text(text)
    (folder / "broken_description.py").write_text("raise OSError('no network')")
    monkeypatch.syspath_prepend(str(folder.parent))
    forget_descriptions()
    yield robots
    forget_descriptions()


def forget_descriptions() -> None:
    for name in [n for n in sys.modules if n.partition(".")[0] == "robot_descriptions"]:
        del sys.modules[name]


def test_robot_descriptions_by_name(package: Path) -> None:
    for name in ("one", "one_description", "three_description", "robot_descriptions/one"):
        model = read(name)
        assert model.source == str(package / "r.urdf")
        assert model.bodies[0].meshes[0].file == str(package / "meshes" / "b.stl")
    assert jounce.load("one", base="floating").nv == 7
    assert read("robot_descriptions/three_description", xacro_args={"size": 2}).name
    pytest.importorskip("mujoco")
    for name in ("two", "two_mj_description", "one_mj_description"):
        assert read(name).source == str(package / "r.xml")


def test_robot_descriptions_that_fail(package: Path) -> None:
    with pytest.raises(ModelError, match="robot_descriptions cannot get 'broken': no network"):
        read("broken")
    with pytest.raises(ModelError, match=r"cannot get 'four': .*neither URDF_PATH"):
        read("four")
    with pytest.raises(ModelError, match=r"cannot get 'one': xacro_args are for robots that come"):
        read("one", xacro_args={"size": 2})
    message = r"has no robot 'thre_description'; did you mean 'three_description'"
    with pytest.raises(ModelError, match=message):
        read("robot_descriptions/thre_description")
    for name in ("five", "one.two", "../one", "os", "", "ä"):
        with pytest.raises(ModelError, match="cannot read"):
            read(name)
    sys.modules.pop("robot_descriptions.broken_description", None)


def test_the_gallery_comes_first(package: Path) -> None:
    text = "raise RuntimeError"
    (package.parents[1] / "site/robot_descriptions/planar_2r_description.py").write_text(text)
    assert read("planar_2r").name == "planar_2r"


def test_without_the_package_names_are_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "robot_descriptions", types.ModuleType("robot_descriptions"))
    with pytest.raises(ModelError, match="cannot read 'panda_description'"):
        read("panda_description")
    monkeypatch.setitem(sys.modules, "robot_descriptions", None)
    message = r"cannot read 'robot_descriptions/panda': .*pip install 'jounce\[descriptions\]'"
    with pytest.raises(ModelError, match=message):
        read("robot_descriptions/panda")


def test_the_real_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its modules read a repository in a local cache, so that nothing is downloaded."""
    pytest.importorskip("robot_descriptions")
    git = pytest.importorskip("git")
    folder = tmp_path / "example-robot-data-v1/example-robot-data/robots/panda_description/urdf"
    folder.mkdir(parents=True)
    (folder / "panda.urdf").write_text(URDF)
    repository = git.Repo.init(folder.parents[2])
    repository.git.add("-A")
    author = ("-c", "user.name=a", "-c", "user.email=a@b")
    repository.git.execute(["git", *author, "commit", "-m", "Add a robot", "--no-gpg-sign"])
    repository.create_tag("v1")
    repository.close()
    monkeypatch.setenv("ROBOT_DESCRIPTIONS_CACHE", str(tmp_path))
    monkeypatch.setenv("ROBOT_DESCRIPTION_COMMIT", "v1")
    robot = jounce.load("robot_descriptions/panda_description")
    assert robot.model.source == str(folder / "panda.urdf")


# ------------------------------------------------------------------ meshes


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH", "GAZEBO_MODEL_PATH", "SDF_PATH"):
        monkeypatch.delenv(name, raising=False)
    for folder in ("ws/src/repo/pkg/meshes", "ws/install/share/pkg2/meshes", "beside me", "ü"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "a.stl").write_text("solid")
    (tmp_path / "ws/src/repo/pkg/urdf").mkdir()
    return tmp_path


def test_mesh_paths(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pkg = files / "ws/src/repo/pkg"
    mesh, urdf = pkg / "meshes/a.stl", pkg / "urdf/r.urdf"
    for path in (
        "package://pkg/meshes/a.stl",
        "model://pkg/meshes/a.stl",
        "$(find pkg)/meshes/a.stl",
        f"file://{mesh}",
        str(mesh),
        "../meshes/a.stl",
        "file://../meshes/a.stl",
        "..\\meshes\\a.stl",
    ):
        found = resolve_mesh(path, urdf)
        assert found is not None, path
        assert found.resolve() == mesh, path
    assert resolve_mesh("a.stl", files / "beside me" / "r.urdf") == files / "beside me/a.stl"
    assert resolve_mesh(f"file://{files}/beside%20me/a.stl") == files / "beside me/a.stl"
    assert resolve_mesh("ü/a.stl", package_dirs=files) == files / "ü/a.stl"
    assert find_package("pkg", urdf) == pkg
    monkeypatch.chdir(pkg)
    assert resolve_mesh("meshes/a.stl") == mesh


def test_meshes_beside_the_file_that_a_link_leads_to(files: Path) -> None:
    pkg, link = files / "ws/src/repo/pkg", files / "robot.urdf"
    (pkg / "urdf/r.urdf").write_text(URDF)
    link.symlink_to(pkg / "urdf/r.urdf")
    for path in ("package://pkg/meshes/a.stl", "../meshes/a.stl"):
        found = resolve_mesh(path, link)
        assert found is not None, path
        assert found.resolve() == pkg / "meshes/a.stl"
    assert find_package("pkg", link) == pkg


def test_meshes_of_robots_in_folders_that_links_lead_to(files: Path) -> None:
    """Links to the robot's folder, or to the folder of a package under another name."""
    pkg, robots, named = files / "ws/src/repo/pkg", files / "robots", files / "my_package"
    robots.symlink_to(pkg / "urdf")
    named.symlink_to(pkg)
    (pkg / "urdf/r.urdf").write_text(URDF)
    for path in ("package://pkg/meshes/a.stl", "../meshes/a.stl"):
        found = resolve_mesh(path, robots / "r.urdf")
        assert found is not None, path
        assert found.resolve() == pkg / "meshes/a.stl"
    assert find_package("pkg", robots / "r.urdf") == pkg
    assert find_package("pkg", "/r.urdf", named) == named


@pytest.mark.parametrize("place", ["ws/src/repo/pkg", "ws/src/repo", "ws/src"])
def test_package_dirs_and_ros_package_path(
    place: str, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, mesh = "package://pkg/meshes/a.stl", files / "ws/src/repo/pkg/meshes/a.stl"
    assert resolve_mesh(path, "/r.urdf") is None
    assert resolve_mesh(path, "/r.urdf", files / place) == mesh
    assert resolve_mesh(path, "/r.urdf", ["/nowhere", str(files / place)]) == mesh
    monkeypatch.setenv("ROS_PACKAGE_PATH", f"/nowhere::{files / place}".replace("::", ":"))
    assert resolve_mesh(path, "/r.urdf") == mesh


def test_other_variables(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(files / "ws/install"))
    found = resolve_mesh("package://pkg2/meshes/a.stl", "/r.urdf")
    assert found == files / "ws/install/share/pkg2/meshes/a.stl"
    monkeypatch.setenv("GAZEBO_MODEL_PATH", str(files / "ws/src/repo"))
    assert resolve_mesh("model://pkg/meshes/a.stl", "/r.urdf") is not None


@pytest.mark.parametrize(
    "path",
    ["", "gone.stl", "http://x/y.stl", "package://", "package://pkg", "a\0b", "x" * 5000, "~", "/"],
)
def test_what_is_not_there_is_none(path: str, files: Path) -> None:
    assert resolve_mesh(path, files / "r.urdf", files) is None


def test_a_missing_mesh_stops_nothing(files: Path) -> None:
    pkg = files / "ws/src/repo/pkg"
    (pkg / "meshes/b.stl").write_text("solid")
    path = files / "r.urdf"
    path.write_text(URDF)
    assert read(path).bodies[0].meshes[0].file == ""
    model = read(path, package_dirs=files / "ws/src")
    assert model.bodies[0].meshes[0].file == str(pkg / "meshes/b.stl")
    assert model.digest() == read(path).digest()
    path.write_text(URDF.replace("package://pkg/meshes/b.stl", ""))
    assert (read(path).bodies[0].meshes, read(path).digest()) == ((), model.digest())
    (pkg / "urdf/r.urdf").write_text(URDF)
    assert read(pkg / "urdf/r.urdf").bodies[0].meshes[0].file == str(pkg / "meshes/b.stl")


# ------------------------------------------------------------------ bounds of the XML reader


def test_many_tags_and_attributes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (MAX_TAGS, MAX_ATTRIBUTES) == (1_000_000, 1_000_000)
    monkeypatch.setattr("jounce.io.xml.MAX_TAGS", 10)
    with pytest.raises(ModelError, match="at most 10 tags"):
        read_xml("<a>" + "<b/>" * 10 + "</a>")
    monkeypatch.setattr("jounce.io.xml.MAX_ATTRIBUTES", 3)
    with pytest.raises(ModelError, match="at most 3 attributes"):
        read_xml('<a a="" b="" c="" d=""/>')


def test_text_in_many_pieces_is_joined_in_linear_time() -> None:
    n = 300_000
    assert read_xml("<a>" + "x<!---->" * n + "</a>").text == "x" * n


def test_memory_is_taken_for_the_file_rather_than_the_limit(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    tracemalloc.start()
    try:
        assert read_bytes(tmp_path / "a", 2**30) == b"abc"
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()


def test_files_that_grow_are_read_to_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").write_bytes(b"abcdef")
    known = os.stat_result((stat.S_IFREG, *[0] * 9))  # the size that it had before
    monkeypatch.setattr("jounce.io.files.os.fstat", lambda _: known)
    assert read_bytes(tmp_path / "a", 6) == b"abcdef"
    with pytest.raises(ModelError, match="expected at most 5 bytes, found 6"):
        read_bytes(tmp_path / "a", 5)


def test_a_device_is_not_read_forever() -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("this system has no /dev/zero")
    with pytest.raises(ModelError, match="/dev/zero"):
        read_xml("/dev/zero")


def test_files_gravity(tmp_path: Path) -> None:
    np.testing.assert_array_equal(read_urdf(URDF).gravity, (0, 0, -9.81))
    np.testing.assert_array_equal(read_urdf(URDF, gravity=(1, 2, 3)).gravity, (1, 2, 3))


# ------------------------------------------------------------------ what cannot be loaded


@pytest.mark.parametrize("given", [None, {}, 3, b"kuka_iiwa14", [], read("planar_2r")])
def test_what_is_no_path_is_refused(given: object) -> None:
    with pytest.raises(TypeError, match=r"expected the path of a robot file \(a string or a"):
        jounce.load(given)  # pyright: ignore[reportArgumentType]


def test_what_is_no_robot_is_explained(tmp_path: Path) -> None:
    (tmp_path / "robot.doc").write_text("")
    for given, message in (
        ("", "cannot read '': expected a file ending in .urdf"),
        (str(tmp_path), "it is a folder; expected a file ending in .urdf"),
        (tmp_path, "it is a folder; expected a file ending in .urdf"),
        (tmp_path / "robot.doc", r"robot\.doc': expected a file ending in \.urdf"),
        ("kuka_iiwa", "no such file or robot; did you mean 'kuka_iiwa14'"),
        ("x" * 5000, "no such file or robot; choose a file ending in .urdf.*gallery: kuka"),
        (URDF, "found the text of a document.*jounce.io.read_urdf"),
    ):
        with pytest.raises(ModelError, match=message):
            jounce.load(given)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rock.urdf", '<robot name="rock"><link name="a"/></robot>'),
        ("rock.sdf", '<sdf version="1.9"><model name="rock"><link name="a"/></model></sdf>'),
    ],
)
def test_errors_of_the_whole_model_name_the_file(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(ModelError, match=rf"{name}: robot 'rock' has no movable joint"):
        jounce.load(path)
    with pytest.raises(ModelError, match=rf"{name}: robot 'rock': gravity"):
        read(path, gravity=(1.0, 2.0))


def test_warnings_about_a_file_name_it(tmp_path: Path) -> None:
    path = tmp_path / "odd.urdf"
    path.write_text(
        URDF.replace("continuous", "revolute").replace(
            "<child", '<limit lower="2" upper="1"/><child'
        )
    )
    with pytest.warns(ModelWarning, match=r"odd\.urdf: joint 'j': the limits"):
        read(path)
