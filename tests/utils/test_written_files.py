"""Every file that the package writes is written atomically, and replaces others on request only."""

from __future__ import annotations

import ast
import errno
import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.identification import Identification, identify
from jounce.identification.excitation.trajectory import FourierTrajectory
from jounce.studies import Study, study
from jounce.viewer.web.page import write_page
from support.identify_data import motion, two_links
from support.layers import MODULES

#: Names of what writes files, which only `jounce.utils.files` may use.
DIRECT = {
    *("write_text", "write_bytes", "touch", "savefig", "imsave", "save", "savez", "savetxt"),
    *("savez_compressed", "tofile", "to_csv", "to_parquet", "write_table", "ParquetWriter"),
    *("fdopen", "mkstemp", "NamedTemporaryFile", "copyfile", "copy2", "open_memmap"),
    *("O_WRONLY", "O_RDWR"),
}
#: Uses that write to memory or nowhere, or that only read.
HARMLESS = {
    ("cli", "O_WRONLY"),
    ("identification.map_reduce", "savez"),
    ("identification.plots", "savefig"),
    ("identification.log_tables", "open_memmap"),
    ("utils.cache", "fdopen"),
}


def opens_for_writing(call: ast.Call) -> bool:
    """Return whether a call is `open(path, "w")`, `path.open("w")` or similar."""
    method = isinstance(call.func, ast.Attribute)
    name = getattr(call.func, "attr" if method else "id", "")
    modes = [*call.args[0 if method else 1 :], *(x.value for x in call.keywords if x.arg == "mode")]
    texts = [x.value for x in modes if isinstance(x, ast.Constant) and isinstance(x.value, str)]
    return name == "open" and any(re.fullmatch("[rwaxbt+]+", x) and x.strip("rbt") for x in texts)


def direct_writes(module: str) -> list[str]:
    """Places in a module that write a file themselves."""
    out = []
    for node in ast.walk(ast.parse(MODULES[module].read_text("utf-8"))):
        name = getattr(node, "attr", getattr(node, "id", ""))
        opens = isinstance(node, ast.Call) and opens_for_writing(node)
        if opens or (name in DIRECT and (module, name) not in HARMLESS):
            out.append(f"{module}, line {getattr(node, 'lineno', 0)}: {name or 'open'}")
    return out


def test_files_are_written_by_one_writer() -> None:
    writes = [x for module in MODULES if module != "utils.files" for x in direct_writes(module)]
    assert not writes, "use jounce.utils.files.write_files"
    assert direct_writes("utils.files")  # the check finds something where there is something


@cache
def find_writes() -> Identification:
    return identify(two_links(), motion(two_links(), 60).arrays(), method="ols", folds=0)


@cache
def uncertain() -> Study:
    robot = jounce.load("planar_2r")
    state = np.zeros((3, robot.nv))
    return study(robot, (state, state, state), vary={"mass": "5%"}, samples=20)


@cache
def source() -> str:
    from jounce.io.urdf.write import urdf_text

    return urdf_text(two_links().model)


def patch(path: Path, **options: Any) -> object:
    """Write an identified robot, in place if the file is there."""
    robot = path.with_name("source.txt")
    robot.write_text(source())
    return find_writes().write_urdf(robot, path, **options)


def save(path: Path, **options: Any) -> object:
    motions = FourierTrajectory(5.0, np.zeros(2), np.ones((2, 3)), np.ones((2, 3)))
    return motions.save(path, **options)


def export(kind: str) -> Callable[..., object]:
    def write(path: Path, **options: Any) -> object:
        method = getattr(jounce.load("planar_2r").export, kind)
        return method(path.parent, ["mass_matrix"], name="arm", **options)

    return write


#: Writers by the name of the file that they write, or of the first.
WRITERS: dict[str, Callable[..., object]] = {
    "robot.urdf": lambda path, **options: two_links().export.urdf(path, **options),
    "identified.urdf": patch,
    "report.html": lambda path, **options: find_writes().report(path, **options),
    "study.html": lambda path, **options: uncertain().report(path, **options),
    "study.json": lambda path, **options: uncertain().to_json(path, **options),
    "excitation.csv": save,
    "tree.svg": lambda path, **options: two_links().view.tree().save(path, **options),
    "page.html": lambda path, **options: write_page(
        jounce.load("planar_2r"), path, (), timings=False, **options
    ),
    "arm.h": export("c"),
    "arm.cuh": export("cuda"),
    "arm_mass_matrix.m": export("matlab"),
    "arm.tex": export("latex"),
    "arm.wasm": export("web"),
}


@pytest.mark.parametrize("name", list(WRITERS))
def test_files_survive_full_disks_and_are_replaced_on_request(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path, write = tmp_path / name, WRITERS[name]
    path.write_bytes(b"mine")
    with pytest.raises(FileExistsError, match=f"cannot write '.*{name}': the file exists"):
        write(path)
    with monkeypatch.context() as patch:
        patch.setattr("jounce.utils.files.os.fsync", full)
        with pytest.raises(OSError, match=f"cannot write '.*{name}': No space left"):
            write(path, overwrite=True)
    assert path.read_bytes() == b"mine"
    assert {x.name for x in tmp_path.iterdir()} <= {name, "source.txt"}
    write(path, overwrite=True)
    assert len(path.read_bytes()) > 100
    assert not [x for x in tmp_path.iterdir() if x.name.startswith(".")]


def test_a_robot_can_be_patched_in_place_on_a_disk_that_fills_up(tmp_path: Path) -> None:
    """The system takes the first bytes of a file and refuses the rest."""
    resource = pytest.importorskip("resource")
    path = tmp_path / "robot.urdf"
    path.write_text(source())
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    identification = find_writes()
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        with pytest.raises(OSError, match=r"cannot write '.*robot\.urdf': File too large"):
            identification.write_urdf(path, path, overwrite=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_text() == source()
    assert [x.name for x in tmp_path.iterdir()] == ["robot.urdf"]
    identification.write_urdf(path, path, overwrite=True)
    assert jounce.load(path).nv == 2
