"""Files appear whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from jounce.errors import ArgumentError
from jounce.utils import files
from jounce.utils.files import write_files


def test_files_are_written_and_replaced(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"before")
    write_files({tmp_path / "a": b"one", str(tmp_path / "b"): b""}, overwrite=True)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"one", "b": b""}


def test_one_that_cannot_be_written_leaves_all_as_they_were(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"before")
    with pytest.raises(FileNotFoundError):
        write_files(
            {tmp_path / "a": b"after", tmp_path / "missing" / "b": b"after"}, overwrite=True
        )
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_bytes() == b"before"


def test_an_interrupt_leaves_no_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(files.os, "replace", interrupt)
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


def test_existing_files_are_replaced_on_request_only(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"before")
    with pytest.raises(FileExistsError, match=r"a': the file exists.*overwrite=True.*--force"):
        write_files({tmp_path / "b": b"new", tmp_path / "a": b"after"})
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"before"}


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_leaves_files_and_is_named(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (tmp_path / "a").write_bytes(b"before")
    monkeypatch.setattr(files.os, call, full)
    with pytest.raises(OSError, match=r"cannot write '.*a': No space left") as caught:
        write_files({tmp_path / "a": b"after"}, overwrite=True)
    assert caught.value.errno == errno.ENOSPC
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"before"}


def test_only_durable_files_wait_for_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(files.os, "fsync", synced.append)
    write_files({tmp_path / "a": b"one"}, durable=False)
    assert not synced
    write_files({tmp_path / "b": b"two"})
    assert len(synced) == (1 if os.name == "nt" else 2)  # the file and its folder


@pytest.mark.skipif(os.name == "nt", reason="Windows has neither modes nor links for all users")
def test_permissions_and_links_are_kept(tmp_path: Path) -> None:
    target, link = tmp_path / "deep" / "a", tmp_path / "link"
    target.parent.mkdir()
    target.write_bytes(b"before")
    target.chmod(0o640)
    link.symlink_to(target)
    with pytest.raises(FileExistsError, match="link': the file exists"):
        write_files({link: b"after"})
    write_files({link: b"after"}, overwrite=True)
    assert link.is_symlink()
    assert target.read_bytes() == b"after"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    link.unlink()
    link.symlink_to(tmp_path / "deep" / "new")  # leads to nothing yet
    write_files({link: b"new"})
    assert (tmp_path / "deep" / "new").read_bytes() == b"new"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes with names in folders")
def test_pipes_are_written_to_and_devices_accepted(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_files({pipe: b"through"})
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    files.check_target(os.devnull, overwrite=False)  # a test that is run by root writes no device


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_read_only_files_stay(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"before")
    (tmp_path / "a").chmod(0o400)
    with pytest.raises(PermissionError, match="a': it is read-only"):
        write_files({tmp_path / "a": b"after"}, overwrite=True)
    assert (tmp_path / "a").read_bytes() == b"before"


def test_impossible_paths_are_named(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError, match="it is a folder"):
        write_files({tmp_path: b""}, overwrite=True)
    with pytest.raises(ArgumentError, match="cannot write 'a"):
        write_files({"a\0b": b""})
    assert not list(tmp_path.iterdir())
