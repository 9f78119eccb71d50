"""Files appear whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from jounce.process import files
from jounce.process.files import write_files


def test_files_are_written_and_replaced(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"before")
    write_files({tmp_path / "a": b"one", str(tmp_path / "b"): b""})
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"one", "b": b""}


def test_one_that_cannot_be_written_leaves_all_as_they_were(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"before")
    with pytest.raises(FileNotFoundError):
        write_files({tmp_path / "a": b"after", tmp_path / "missing" / "b": b"after"})
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_bytes() == b"before"


def test_an_interrupt_leaves_no_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(files.os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_files({tmp_path / "a": b"after"})
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name == "nt", reason="Windows has neither modes nor open directories")
def test_mode_and_open_folder(tmp_path: Path) -> None:
    folder = os.open(tmp_path, os.O_RDONLY)
    before = os.umask(0o022)
    try:
        write_files({"a": b"one"}, folder=folder)
        write_files({"b": b"two"}, mode=0o600, folder=folder)
    finally:
        os.umask(before)
        os.close(folder)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes == {"a": 0o644, "b": 0o600}
