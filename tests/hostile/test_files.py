"""Files made to do harm, and paths that are no files: an error soon, and without much memory."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import resource
import socket
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import psutil
import pytest

import jounce
from jounce.errors import ModelError
from jounce.io import read
from jounce.io.builder import MAX_FRAMES
from jounce.io.xml import MAX_BYTES, MAX_DEPTH, read_xml
from support.fuzz_mutations import DOCTYPES
from support.fuzz_seeds import FORMATS, MJCF, SDF, SUFFIX, URDF

pytest.importorskip("mujoco")

ROOTS = {"urdf": "robot", "mjcf": "mujoco", "sdf": "sdf"}
SECONDS = 120.0  # a hang, not a slow machine


@pytest.fixture(autouse=True)
def _soon() -> Iterator[None]:
    """Every test here must end soon, on a slow machine too."""
    start = time.process_time()
    yield
    assert time.process_time() - start < SECONDS


def refused(path: Path, *words: str) -> str:
    with pytest.raises(ModelError) as caught:
        read(path)
    message = str(caught.value)
    for word in (str(path), *words):
        assert word in message
    return message


# ------------------------------------------------------------------ entities


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("doctype", range(len(DOCTYPES)))
@pytest.mark.parametrize("format", FORMATS)
def test_document_types_are_refused(
    format: str, doctype: int, encoding: str, tmp_path: Path
) -> None:
    """No entity is declared, so none is expanded and no other file is read."""
    root = ROOTS[format]
    text = f'{DOCTYPES[doctype]}\n<{root} name="&e9;" version="1.9">&e9;</{root}>'
    if encoding in ("utf-16-le", "utf-16-be"):  # without a mark, the header has to say so
        name = encoding.upper().replace("-LE", "LE").replace("-BE", "BE")
        text = f'<?xml version="1.0" encoding="{name}"?>{text}'
    path = tmp_path / f"bomb{SUFFIX[format]}"
    path.write_bytes(text.encode(encoding))
    message = refused(path, ":1:", "DOCTYPE and entity declarations are refused")
    assert "root:" not in message


def test_entities_that_nobody_declared(tmp_path: Path) -> None:
    path = tmp_path / "a.urdf"
    path.write_text('<robot name="r">\n<link name="&x;"/></robot>')
    refused(path, ":2:", "undefined entity")
    path.write_text('<robot name="&lt;&#x1F916;&amp;"><link name="a"/></robot>')
    assert read(path).name == "<🤖&"


# ------------------------------------------------------------------ size


@pytest.mark.parametrize("format", FORMATS)
def test_large_files_are_not_read(format: str, tmp_path: Path) -> None:
    path = tmp_path / f"large{SUFFIX[format]}"
    with path.open("wb") as file:
        file.write(f"<{ROOTS[format]}>".encode())
        file.truncate(300 << 20)  # no bytes on the disk
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    refused(path, f"at most {MAX_BYTES} bytes", str(300 << 20))
    assert time.perf_counter() - start < 1.0
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20 << 10


@pytest.mark.parametrize("close", [True, False])
@pytest.mark.parametrize("format", FORMATS)
def test_deep_nesting(format: str, close: bool, tmp_path: Path) -> None:
    path = tmp_path / f"deep{SUFFIX[format]}"
    depth, root = 100_000, ROOTS[format]
    path.write_text(f"<{root}>" + "<a>" * depth + "</a>" * depth * close + f"</{root}>" * close)
    refused(path, f"nested more than {MAX_DEPTH} deep")


def _link(name: str) -> str:
    return f'<link name="{name}"/>'


def _joint(k: int, parent: str, child: str, inside: str = "", kind: str = "continuous") -> str:
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="j{k}" type="{kind}">{ends}{inside}</joint>'


def _mimics(n: int, leader: Callable[[int], int]) -> str:
    links = "".join(_link(f"l{k}") for k in range(n + 1))
    joints = "".join(
        _joint(k, "l0", f"l{k + 1}", f'<mimic joint="j{leader(k)}"/>' if k else "")
        for k in range(n)
    )
    return f'<robot name="r">{links}{joints}</robot>'


def _sdf(inside: str) -> str:
    return f'<sdf version="1.9"><model name="m"><link name="l"/>{inside}</model></sdf>'


def _mjcf(inside: str, more: str = "") -> str:
    return f"<mujoco><worldbody>{inside}</worldbody>{more}</mujoco>"


_BODY = '<body><joint axis="0 0 1"/><geom size="0.1"/>{}</body>'

#: Small files that would grow in memory or take for ever, and what is said about them.
GROWING: dict[str, tuple[str, Callable[[], str], str]] = {
    "links": ("urdf", lambda: _mimics(2 * MAX_FRAMES, lambda k: 0), f"at most {MAX_FRAMES} links"),
    "a cycle of mimics": ("urdf", lambda: _mimics(4000, lambda k: k % 3999 + 1), "circle"),
    "numbers": (
        "urdf",
        lambda: (
            f'<robot><link name="a"><inertial><mass value="{"1 " * 9**7}"/></inertial></link>'
            "</robot>"
        ),
        "a finite number",
    ),
    "digits": (
        "urdf",
        lambda: (
            f'<robot><link name="a"><inertial><mass value="{"1" * 9**7}"/></inertial></link>'
            "</robot>"
        ),
        "a finite number",
    ),
    "elements": ("urdf", lambda: f"<robot>{'<a/>' * 1_100_000}</robot>", "1000000 tags"),
    "attributes": (
        "urdf",
        lambda: "<robot " + " ".join(f"a{k}=''" for k in range(1_100_000)) + "/>",
        "1000000 attributes",
    ),
    "names in names": (
        "sdf",
        lambda: _sdf(f'<model name="{"x" * 1000}">' * 900 + "</model>" * 900),
        "names of at most",
    ),
    "frames": (
        "sdf",
        lambda: _sdf("".join(f'<frame name="f{k}"/>' for k in range(2 * MAX_FRAMES))),
        f"at most {MAX_FRAMES} links",
    ),
    "frames in a circle": (
        "sdf",
        lambda: _sdf(
            "".join(f'<frame name="f{k}" attached_to="f{(k + 1) % 5000}"/>' for k in range(5000))
        ),
        "circle",
    ),
    "poses in a circle": (
        "sdf",
        lambda: _sdf(
            "".join(
                f'<link name="f{k}"><pose relative_to="f{(k + 1) % 2000}"/></link>'
                f'<joint name="j{k}" type="fixed"><parent>l</parent><child>f{k}</child></joint>'
                for k in range(2000)
            )
        ),
        "circle",
    ),
    "replicas": (
        "mjcf",
        lambda: _mjcf('<replicate count="10">' * 9 + _BODY.format("") + "</replicate>" * 9),
        "at most",
    ),
    "bodies": ("mjcf", lambda: _mjcf(_BODY.format("") * 20_000), "at most"),
    "a large mesh": (
        "mjcf",
        lambda: _mjcf(
            '<body><joint/><geom type="mesh" mesh="m"/></body>',
            '<asset><mesh name="m" builtin="supersphere" params="1000000 1 1"/></asset>',
        ),
        "numbers up to",
    ),
}


def _peak() -> int:
    """Largest resident memory of this process so far, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> (
        20 if sys.platform == "darwin" else 10
    )


def _read_and_measure(path: Path, pipe: Connection) -> None:
    before = psutil.Process().memory_info().rss >> 20
    try:
        read(path)
        message = "accepted"
    except ModelError as error:
        message = str(error)
    except BaseException as error:
        message = repr(error)
    pipe.send((message, _peak() - before))


@pytest.mark.parametrize("case", GROWING)
def test_small_files_stay_small(case: str, tmp_path: Path) -> None:
    """In a process of its own, whose memory is measured."""
    format, text, words = GROWING[case]
    path = tmp_path / f"growing{SUFFIX[format]}"
    path.write_text(text())
    context = multiprocessing.get_context("fork")
    mine, theirs = context.Pipe(duplex=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python >= 3.12, on fork with threads
        child = context.Process(target=_read_and_measure, args=(path, theirs))
        child.start()
    try:
        assert mine.poll(SECONDS), "it takes too long"
        message, megabytes = mine.recv()
    finally:
        child.kill()
        child.join()
    assert words in message
    assert megabytes < 600


def test_markup_that_cannot_be_counted(tmp_path: Path) -> None:
    """In EBCDIC, < is no < and = is no =: nothing would bound the number of elements."""
    path = tmp_path / "a.urdf"
    text = '<robot name="r"><link name="a"/></robot>'
    for encoding in ("cp037", "cp500", "cp1140"):
        header = f'<?xml version="1.0" encoding="{encoding}"?>'
        path.write_bytes(header.encode() + text.encode(encoding))
        refused(path, ":1:", "cannot decode", encoding, "UTF-8")
    for encoding in ("utf-8", "UTF-16", "latin-1", "us-ascii", "cp1252", "koi8-r", "iso-8859-15"):
        header = f'<?xml version="1.0" encoding="{encoding}"?>'
        path.write_bytes((header + text).encode(encoding))
        assert read(path).name == "r"


# ------------------------------------------------------------------ numbers


@pytest.mark.parametrize("number", ["1e51", "-1e308", "1e400", "inf", "nan"])
@pytest.mark.parametrize(
    ("format", "whole", "old"),
    [
        ("urdf", URDF, 'xyz="0 0 0.3"'),
        ("sdf", SDF, "<pose>0 0 0.1 0 0 0.3</pose>"),
        ("mjcf", MJCF, 'pos="0.1 0 0" quat'),
    ],
)
def test_numbers_that_overflow_are_refused(
    format: str, whole: str, old: str, number: str, tmp_path: Path
) -> None:
    assert whole.count(old) == 1
    path = tmp_path / f"a{SUFFIX[format]}"
    path.write_text(whole.replace(old, old.replace("0.1", number).replace("0.3", number)))
    refused(path, f"{path}:")


def test_included_files_count_together(tmp_path: Path) -> None:
    """Each one is small enough, all of them are not."""
    for k in range(3):
        with (tmp_path / f"part{k}.xml").open("wb") as file:
            file.write(b"<mujocoinclude><custom/></mujocoinclude>")
            file.write(b" " * (MAX_BYTES // 3 + 10))
    path = tmp_path / "whole.mjcf"
    inside = "".join(f'<include file="part{k}.xml"/>\n' for k in range(3))
    path.write_text(f"<mujoco>{inside}</mujoco>")
    refused(path, ":3:", "included files of at most")


# ------------------------------------------------------------------ a compiler that breaks down


@pytest.mark.parametrize("anchor", ["", " "])
def test_anchors_on_which_mujoco_hangs(anchor: str, tmp_path: Path) -> None:
    """Without the check, the file after this one would never be read."""
    path = tmp_path / "a.mjcf"
    assert MJCF.count('anchor="0 0 0.1"') == 1
    path.write_text(MJCF.replace('anchor="0 0 0.1"', f'anchor="{anchor}"'))
    refused(path, "<connect>", "'anchor': expected numbers")
    path.write_text(MJCF)
    assert read(path).nv > 0


def test_the_next_file_is_read_after_a_breakdown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.mjcf"
    path.write_text(MJCF.replace('anchor="0 0 0.1"', 'anchor=""'))
    with monkeypatch.context() as patch:
        patch.setattr("jounce.io.mjcf.source._NUMBERS", set())
        refused(path, "MuJoCo cannot compile it: Caught an unknown exception")
    path.write_text(MJCF)
    assert read(path).nv > 0


# ------------------------------------------------------------------ paths that are no files


@pytest.mark.parametrize("suffix", [*SUFFIX.values(), ".xml", ".world", ".xacro"])
def test_paths_that_are_no_files(suffix: str, tmp_path: Path) -> None:
    fifo, link, loop, folder, place = (
        tmp_path / f"{name}{suffix}" for name in ("fifo", "link", "loop", "folder", "socket")
    )
    os.mkfifo(fifo)
    link.symlink_to(tmp_path / "nowhere")
    loop.symlink_to(loop)
    folder.mkdir()
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(place))
        for path in (fifo, link, loop, folder, place, tmp_path / f"none{suffix}"):
            refused(path, f"cannot read '{path}': ")
    for device in ("/dev/zero", "/dev/full", "/dev/tty", "/proc/self/mem"):
        path = tmp_path / f"{Path(device).name}{suffix}"
        path.symlink_to(device)
        refused(path)
    for name in (f"a\0b{suffix}", f"{'x' * 5000}{suffix}"):
        with pytest.raises(ModelError, match="cannot read"):
            read(name)


@pytest.mark.parametrize("format", FORMATS)
def test_files_one_may_not_read(format: str) -> None:
    root = os.geteuid() == 0
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / f"a{SUFFIX[format]}"
        path.write_text({"urdf": URDF, "mjcf": MJCF, "sdf": SDF}[format])
        assert read(path).nv > 0
        path.chmod(0)
        if root:  # whom no permission binds
            os.seteuid(65534)
        try:
            refused(path, "cannot read", "Permission denied")
        finally:
            if root:
                os.seteuid(0)


def test_a_file_that_shrinks_or_grows_while_it_is_read(tmp_path: Path) -> None:
    """Somebody writes it at the same time: a robot or an error, never anything else."""
    path = tmp_path / "a.urdf"
    path.write_text(URDF)
    stop = threading.Event()

    def rewrite() -> None:
        while not stop.is_set():
            path.write_text(URDF)

    thread = threading.Thread(target=rewrite)
    thread.start()
    try:
        for _ in range(200):
            with contextlib.suppress(ModelError):
                assert read(path).nv == 11
    finally:
        stop.set()
        thread.join()


# ------------------------------------------------------------------ names


#: Names that are like any others: spaces, scripts, emoji, quotes, text that runs backwards.
NAMES = ("a b", "naïve", "名前", "🤖", "e\u0301", "\u202eevil", "it's", "a.b", "-", "x" * 900)


def named(format: str) -> str:
    """A robot with a link and a joint of each of these names."""
    if format == "urdf":
        links = "".join(f'<link name="{name}"/>' for name in ("root", *NAMES))
        joints = "".join(
            _joint(k, "root", name).replace(f'"j{k}"', f'"{name}"') for k, name in enumerate(NAMES)
        )
        return f'<robot name="r 🤖">{links}{joints}</robot>'
    if format == "mjcf":
        bodies = "".join(
            f'<body name="{name}"><joint name="{name}"/><geom size="1"/></body>' for name in NAMES
        )
        return f'<mujoco model="r 🤖"><worldbody>{bodies}</worldbody></mujoco>'
    parts = "".join(
        f'<link name="{name}"/><joint name="{name}_joint" type="ball"><parent>root</parent>'
        f"<child>{name}</child></joint>"
        for name in NAMES
    )
    return f'<sdf version="1.9"><model name="r 🤖"><link name="root"/>{parts}</model></sdf>'


@pytest.mark.parametrize("format", FORMATS)
def test_names_of_every_kind(format: str, tmp_path: Path) -> None:
    folder = tmp_path / "a folder with spaces, ünïcödé and 🤖"
    folder.mkdir()
    path = folder / f"robot 1{SUFFIX[format]}"
    path.write_text(named(format), encoding="utf-8")
    model = read(path)
    assert model.name == "r 🤖"
    assert [body.name for body in model.bodies] == list(NAMES)
    assert [joint.name.removesuffix("_joint") for joint in model.joints] == list(NAMES)
    assert set(NAMES) <= {frame.name for frame in model.frames}
    text = path.read_text("utf-8").replace('"名前"', '"🤖"', 1)
    path.write_text(text, encoding="utf-8")
    message = refused(path, ":1:", "🤖")
    assert "same name" in message or "repeated name" in message


def test_frames_by_names_of_every_kind(tmp_path: Path) -> None:
    path = tmp_path / "robot.urdf"
    path.write_text(named("urdf"), encoding="utf-8")
    robot = jounce.load(path)
    poses = [robot.frame(name).pose(robot.neutral()) for name in NAMES]
    assert len(poses) == len(NAMES)
    assert robot.joints["🤖"].q == slice(3, 4)


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("urdf", URDF.replace('<link name="tool"/>', '<link name="tool"/>\n<link name="tool"/>')),
        ("sdf", SDF.replace('<link name="copy"/>', '<link name="copy"/>\n<link name="copy"/>')),
        ("mjcf", MJCF.replace('body name="twin"', 'body name="cart"')),
        ("mjcf", MJCF.replace('joint name="follow"', 'joint name="wheel"')),
    ],
)
def test_duplicate_names_are_refused(format: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{SUFFIX[format]}"
    path.write_text(text)
    message = refused(path)
    assert "same name" in message or "repeated name" in message


def test_messages_are_safe_to_print(tmp_path: Path) -> None:
    """No escape sequences, no text that runs backwards, no megabytes."""
    path = tmp_path / "a.urdf"
    for name in ("\u202eevil", "\x9b31m", "a&#10;b", "\u2028", "\ufeff", "x" * 10**6):
        path.write_text(f'<robot name="{name}"><joint name="{name}"/></robot>', encoding="utf-8")
        message = refused(path, ":1:", "link")
        assert message.isprintable()
        assert len(message) < 5000
    with pytest.raises(ModelError) as caught:
        read_xml("<a>\udc80")
    assert str(caught.value).encode()
