"""Compiled code on disk: used when it is intact and ours, never in the way otherwise."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jounce.cli import main
from jounce.compiler.targets import llvm
from jounce.compiler.targets.llvm import compiler as llvm_compiler
from jounce.compiler.targets.llvm import objects
from jounce.errors import JounceWarning
from jounce.robot import Robot
from jounce.utils import cache
from support.helpers import quiet_read

pytestmark = pytest.mark.skipif(os.name == "nt", reason="permissions are POSIX ones")

NOBODY = 65534
#: The module by itself, which starts faster than the package.
ALONE = f"""
import runpy, types
cache = types.SimpleNamespace(**runpy.run_path({cache.__file__!r}))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    chosen = tmp_path / "cache"
    monkeypatch.setenv("JOUNCE_CACHE", str(chosen))
    return chosen


class Compiler:
    """Counts how often the compiler is called."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls = 0
        original = llvm_compiler.compile_object

        def count_call(text: str) -> bytes:
            self.calls += 1
            return original(text)

        monkeypatch.setattr(llvm_compiler, "compile_object", count_call)


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> Compiler:
    with monkeypatch.context() as patch:  # what all kernels share is compiled elsewhere
        patch.setenv("JOUNCE_CACHE", "0")
        evaluate()
        _ = Robot(quiet_read("planar_2r")).gravity_forces.ufunc
    return Compiler(monkeypatch)


@pytest.fixture
def own_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory of an unprivileged user: the current one, or `nobody` for root."""
    root = os.geteuid() == 0
    with tempfile.TemporaryDirectory() as place:
        if root:
            os.chown(place, NOBODY, NOBODY)
            os.seteuid(NOBODY)
        try:
            chosen = Path(place) / "cache"
            monkeypatch.setenv("JOUNCE_CACHE", str(chosen))
            yield chosen
            chosen.chmod(0o700)
        finally:
            if root:
                os.seteuid(0)


def evaluate() -> np.ndarray:
    """A kernel of a new robot."""
    return Robot(quiet_read("planar_2r")).gravity_forces(np.array((0.1, 0.2)))


def entries(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.exists() else []


# ------------------------------------------------------------------ as it should be


def test_objects_are_kept_and_found(folder: Path, compiler: Compiler) -> None:
    expected = evaluate()
    assert compiler.calls == 1
    (entry,) = entries(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(entry.stat().st_mode) == 0o600
    before = entry.read_bytes(), entry.stat().st_mtime_ns
    np.testing.assert_array_equal(evaluate(), expected)
    assert compiler.calls == 1
    assert (entry.read_bytes(), entry.stat().st_mtime_ns) == before


def test_keys_tell_kernels_apart(folder: Path, compiler: Compiler) -> None:
    robot = Robot(quiet_read("planar_2r"))
    robot.kinetic_energy.warmup("d")
    robot.kinetic_energy.warmup("f")
    robot.gravity_forces.warmup("d")
    other = Robot(robot.model.with_gravity((0.0, -1.62, 0.0)))
    other.kinetic_energy.warmup("d")  # gravity is not in it
    other.gravity_forces.warmup("d")
    assert compiler.calls == len(entries(folder)) == 4


def test_zero_turns_it_off(
    tmp_path: Path, compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JOUNCE_CACHE", "0")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.directory() is None
    np.testing.assert_array_equal(evaluate(), evaluate())
    assert compiler.calls == 2
    assert entries(tmp_path) == []
    cache.write("key", b"payload")
    assert cache.read("key") is None


def test_default_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    for arguments in (None, ""):
        if arguments is None:
            monkeypatch.delenv("JOUNCE_CACHE", raising=False)
        else:
            monkeypatch.setenv("JOUNCE_CACHE", arguments)
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        assert cache.directory() == tmp_path / "jounce"
        monkeypatch.setenv("XDG_CACHE_HOME", "")
        monkeypatch.setenv("HOME", str(tmp_path / "home"))
        assert cache.directory() == tmp_path / "home" / ".cache" / "jounce"


def test_directories_are_made_on_the_way(
    tmp_path: Path, compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / "a" / "b" / "c"
    monkeypatch.setenv("JOUNCE_CACHE", str(deep))
    evaluate()
    assert len(entries(deep)) == 1
    evaluate()
    assert compiler.calls == 1


def test_read_gives_what_was_written(folder: Path) -> None:
    assert cache.read("key") is None
    for payload in (b"", b"x", bytes(range(256)) * 1000):
        cache.write("key", payload)
        assert cache.read("key") == payload
    assert [entry.name for entry in entries(folder)] == ["key"]  # nothing temporary is left


# ------------------------------------------------------------------ entries one cannot trust


def _replace_by_link(entry: Path) -> None:
    target = entry.with_name("elsewhere")
    entry.rename(target)
    entry.symlink_to(target)


def _replace_by_directory(entry: Path) -> None:
    entry.unlink()
    entry.mkdir()


def _replace_by_hard_link(entry: Path) -> None:
    other = entry.with_name("other")
    other.write_bytes(b"other content")
    entry.unlink()
    os.link(other, entry)


DAMAGES: dict[str, Callable[[Path], Any]] = {
    "empty": lambda e: e.write_bytes(b""),
    "truncated": lambda e: e.write_bytes(e.read_bytes()[:-1]),
    "cut in the header": lambda e: e.write_bytes(e.read_bytes()[:10]),
    "cut in the checksum": lambda e: e.write_bytes(e.read_bytes()[:30]),
    "longer": lambda e: e.write_bytes(e.read_bytes() + b"\0"),
    "a flipped bit": lambda e: e.write_bytes(_flip_bit(e.read_bytes(), -100)),
    "a flipped bit in the checksum": lambda e: e.write_bytes(_flip_bit(e.read_bytes(), 20)),
    "another version": lambda e: e.write_bytes(e.read_bytes().replace(b"object 3", b"object 0", 1)),
    "not ours": lambda e: e.write_bytes(b"\x7fELF" + bytes(1000)),
    "bare object": lambda e: e.write_bytes(e.read_bytes()[len(cache._MAGIC) + 32 :]),
    "symbolic link": _replace_by_link,
    "dangling link": lambda e: (e.unlink(), e.symlink_to(e.with_name("nowhere"))),
    "directory": _replace_by_directory,
    "pipe": lambda e: (e.unlink(), os.mkfifo(e, 0o600)),
    "huge and empty": lambda e: os.truncate(e, 1 << 33),
    "a link to another file of ours": _replace_by_hard_link,
    "writable by the group": lambda e: e.chmod(0o620),
    "writable by all": lambda e: e.chmod(0o602),
}

if os.geteuid() == 0:
    DAMAGES["another user's"] = lambda e: os.chown(e, NOBODY, NOBODY)


def _flip_bit(content: bytes, place: int) -> bytes:
    changed = bytearray(content)
    changed[place] ^= 1
    return bytes(changed)


@pytest.mark.parametrize("damage", list(DAMAGES))
def test_damaged_entries_are_compiled_again(damage: str, folder: Path, compiler: Compiler) -> None:
    expected = evaluate()
    (entry,) = entries(folder)
    content = entry.read_bytes()
    DAMAGES[damage](entry)
    assert cache.read(entry.name) is None
    np.testing.assert_array_equal(evaluate(), expected)
    assert compiler.calls == 2
    if damage == "directory":  # stays in the way, and does no harm
        return
    assert not entry.is_symlink()
    assert entry.read_bytes() == content  # and put right
    assert stat.S_IMODE(entry.stat().st_mode) == 0o600
    evaluate()
    assert compiler.calls == 2


def test_a_link_is_not_written_through(folder: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("do not touch")
    cache.write("other", b"")
    (folder / "key").symlink_to(precious)
    cache.write("key", b"payload")
    assert precious.read_text() == "do not touch"
    assert cache.read("key") == b"payload"


def test_unreadable_entries_are_written_again(own_folder: Path) -> None:
    cache.write("key", b"payload")
    assert cache.read("key") == b"payload"
    (own_folder / "key").chmod(0o000)
    assert cache.read("key") is None
    cache.write("key", b"payload")  # the directory is ours: it can be replaced
    assert cache.read("key") == b"payload"


# ------------------------------------------------------------------ directories one cannot trust


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777, 0o1777, 0o720])
def test_directories_open_to_others_are_ignored(
    mode: int, folder: Path, compiler: Compiler
) -> None:
    evaluate()
    folder.chmod(mode)
    content = {entry.name: entry.read_bytes() for entry in entries(folder)}
    with pytest.warns(JounceWarning, match=r"is writable by other users \(try chmod.*JOUNCE_CACHE"):
        expected = evaluate()
    assert compiler.calls == 2
    cache.write("new", b"payload")
    assert {entry.name: entry.read_bytes() for entry in entries(folder)} == content
    folder.chmod(0o700)
    np.testing.assert_array_equal(evaluate(), expected)
    assert compiler.calls == 2


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a directory away")
def test_directories_of_others_are_ignored(folder: Path, compiler: Compiler) -> None:
    evaluate()
    os.chown(folder, NOBODY, NOBODY)
    with pytest.warns(JounceWarning, match="belongs to another user"):
        evaluate()
    assert compiler.calls == 2


def test_symbolic_links_are_not_followed(folder: Path, tmp_path: Path, compiler: Compiler) -> None:
    """Not even to a private directory; links on the way to the directory are fine."""
    evaluate()
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    content = [entry.name for entry in entries(tmp_path / "elsewhere")]
    with pytest.warns(JounceWarning, match="'.*cache' is a symbolic link; set JOUNCE_CACHE"):
        evaluate()
    evaluate()  # which warns only once
    assert compiler.calls == 3
    cache.write("new", b"payload")
    assert [entry.name for entry in entries(tmp_path / "elsewhere")] == content
    with pytest.raises(PermissionError, match="symbolic link"):
        cache.clear()


def test_a_link_swapped_in_after_the_check_is_not_followed(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.write("key", b"ours")
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    monkeypatch.setattr(cache.os.path, "islink", lambda _: False)
    assert cache.read("key") is None


def test_links_above_the_directory_are_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "home").symlink_to(tmp_path / "disk")
    monkeypatch.setenv("JOUNCE_CACHE", str(tmp_path / "home" / "cache"))
    cache.write("key", b"ours")
    assert cache.read("key") == b"ours"


@pytest.mark.parametrize("mode", [0o755, 0o750, 0o711])
def test_directories_others_may_read_are_fine(mode: int, folder: Path, compiler: Compiler) -> None:
    folder.mkdir(mode=mode)
    folder.chmod(mode)
    evaluate()
    evaluate()
    assert compiler.calls == 1


def test_read_only_directories_do_no_harm(own_folder: Path) -> None:
    cache.write("key", b"payload")
    own_folder.chmod(0o500)
    cache.write("key", b"other")
    cache.write("new", b"other")
    assert cache.read("key") == b"payload"
    assert cache.read("new") is None
    assert [entry.name for entry in entries(own_folder)] == ["key"]
    own_folder.chmod(0o000)
    cache.write("new", b"other")
    assert cache.read("key") is None


def test_impossible_directories_do_no_harm(
    tmp_path: Path, compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text("")
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    monkeypatch.setattr(cache, "_warned", {loop})
    for chosen in (file, file / "below", loop, tmp_path / ("x" * 300), Path("/proc/nowhere")):
        monkeypatch.setenv("JOUNCE_CACHE", str(chosen))
        before = compiler.calls
        assert evaluate().all()
        assert compiler.calls == before + 1, chosen
    assert file.read_text() == ""


def test_a_full_disk_does_no_harm(
    folder: Path, compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluate()
    (entry,) = entries(folder)
    entry.unlink()

    def full(*arguments: Any, **options: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        evaluate()
    assert compiler.calls == 2
    assert entries(folder) == []  # the temporary file is gone


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", ALONE + textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def test_a_disk_that_fills_up_while_writing_does_no_harm(folder: Path) -> None:
    """The system takes the first bytes of the file and refuses the rest."""
    code = """
        import resource
        cache.write("small", b"before")
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        cache.write("key", bytes(1_000_000))
        cache.write("small", b"after")
        assert cache.read("key") is None
        assert cache.read("small") == b"after"
    """
    result = run(code)
    assert result.returncode == 0, result.stderr
    assert [entry.name for entry in entries(folder)] == ["small"]


def test_an_interrupt_leaves_nothing_behind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*arguments: Any, **options: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", interrupt)
        with pytest.raises(KeyboardInterrupt):
            cache.write("key", b"payload")
    assert entries(folder) == []


def test_a_directory_swapped_after_the_check_is_not_used(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Renaming parents of the directory during a call cannot replace it."""
    cache.write("key", b"ours")
    foreign = tmp_path / "foreign"
    shutil.copytree(folder, foreign)
    (foreign / "key").write_bytes(cache._MAGIC + cache._checksum("key", b"evil") + b"evil")
    hazard, swapped = cache._hazard, tmp_path / "swapped"

    def swap(status: os.stat_result) -> str:
        if not swapped.exists():
            folder.rename(swapped)
            foreign.rename(folder)
        return hazard(status)

    monkeypatch.setattr(cache, "_hazard", swap)
    assert cache.read("key") == b"ours"
    assert folder.joinpath("key").read_bytes().endswith(b"evil")


def test_a_user_without_a_home_has_no_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    monkeypatch.delenv("JOUNCE_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert cache.directory() is None
    cache.write("key", b"payload")
    assert entries(tmp_path) == []


# ------------------------------------------------------------------ how large it gets


def key_of(k: int) -> str:
    return f"{k:064x}"


def store(folder: Path) -> list[int]:
    return [int(entry.name, 16) for entry in entries(folder)]


def age(entry: Path, days: float) -> None:
    then = entry.stat().st_mtime - days * 86_400
    os.utime(entry, (then, then))


def test_the_oldest_objects_make_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOUNCE_CACHE_SIZE", "1")
    payload = bytes(50_000)
    for k in range(100):
        cache.write(key_of(k), payload)
        age(folder / key_of(k), days=200 - k)
        if k == 50:
            assert cache.read(key_of(40)) == payload  # in use, so not old any more
        assert sum(entry.stat().st_size for entry in entries(folder)) < 1.1 * 2**20
    kept = store(folder)
    assert kept == [40, *range(kept[1], 100)]
    assert len(kept) >= 0.8 * 2**20 / 50_100
    assert all(cache.read(key_of(k)) == payload for k in kept)


def test_only_what_the_cache_wrote_is_ever_deleted(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The directory may be one that holds other things too."""
    monkeypatch.setenv("JOUNCE_CACHE_SIZE", "0.1")
    folder.mkdir(mode=0o700)
    precious = [folder / name for name in ("thesis.tex", ".profile", "a" * 63, "A" * 64)]
    for path in precious:
        path.write_bytes(bytes(200_000))
    (folder / key_of(10**6)).mkdir()
    (folder / key_of(10**7)).symlink_to(precious[0])
    for path in entries(folder)[:4]:
        age(path, days=1000)
    for k in range(10):
        cache.write(key_of(k), bytes(50_000))
    assert all(path.stat().st_size == 200_000 for path in precious)
    assert (folder / key_of(10**6)).is_dir()
    assert len(stored_objects(folder)) < 3


def stored_objects(folder: Path) -> list[Path]:
    return [e for e in entries(folder) if e.is_file() and e.stat().st_size < 100_000]


def test_what_crashed_writers_left_is_swept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.write(key_of(0), b"payload")
    old, young = folder / ".jounce-1-a", folder / ".jounce-2-b"
    old.write_bytes(b"half")
    young.write_bytes(b"half")
    age(old, days=2)
    monkeypatch.setattr(cache, "_size_monitor", cache._SizeMonitor())
    cache.write(key_of(1), b"payload")
    assert [entry.name for entry in entries(folder)] == [young.name, key_of(0), key_of(1)]


def test_objects_larger_than_the_limit_are_not_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for megabytes in ("0", "0.01"):
        monkeypatch.setenv("JOUNCE_CACHE_SIZE", megabytes)
        cache.write(key_of(0), bytes(20_000))
        assert entries(folder) == []
    monkeypatch.setenv("JOUNCE_CACHE_SIZE", "")
    assert cache.limit() == 2**30
    for wrong in ("-1", "much", "nan", "1G"):
        monkeypatch.setenv("JOUNCE_CACHE_SIZE", wrong)
        with pytest.raises(ValueError, match=f"JOUNCE_CACHE_SIZE must be .* found '{wrong}'"):
            cache.write(key_of(0), b"")


# ------------------------------------------------------------------ many at once


def test_concurrent_writers_and_readers(folder: Path) -> None:
    """Readers get one complete payload, never a mixture."""
    payloads = [bytes([k]) * (100_000 + k) for k in range(8)]
    cache.write("key", payloads[0])

    def work(k: int) -> bool:
        for _ in range(30):
            cache.write("key", payloads[k])
            if cache.read("key") not in payloads:
                return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))
    assert [entry.name for entry in entries(folder)] == ["key"]


def test_concurrent_processes(folder: Path) -> None:
    """Several first-time users of one directory: all get results, one entry per kernel stays."""
    code = """
        import numpy as np, jounce
        robot = jounce.load("planar_2r")
        print(robot.mass_matrix(np.array((0.1, 0.2))).tobytes().hex())
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    outputs = [process.communicate(timeout=100) for process in running]
    assert [process.returncode for process in running] == [0, 0, 0], outputs
    assert len({out for out, _ in outputs}) == 1
    names = [entry.name for entry in entries(folder)]
    assert names
    assert not [name for name in names if name.startswith(".")]
    for name in names:
        assert cache.read(name)


def test_writers_that_are_killed(folder: Path) -> None:
    """Readers get a complete payload even if writers are killed."""
    code = """
        import sys
        k = int(sys.argv[1])
        print(flush=True)
        while True:
            cache.write("key", bytes([k]) * (3_000_000 + k))
    """
    command = [sys.executable, "-c", ALONE + textwrap.dedent(code)]
    payloads = [bytes([k]) * (3_000_000 + k) for k in range(3)]
    cache.write("key", payloads[0])
    result = []
    for k in range(3):
        with subprocess.Popen([*command, str(k)], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            result += [cache.read("key") for _ in range(5 + 3 * k)]
            process.kill()
        result.append(cache.read("key"))
    assert all(payload in payloads for payload in result)


def test_the_cache_moves_with_its_directory(
    folder: Path, tmp_path: Path, compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys depend on content only: a copy of the directory serves as well."""
    expected = evaluate()
    other = tmp_path / "other"
    shutil.copytree(folder, other)
    monkeypatch.setenv("JOUNCE_CACHE", str(other))
    np.testing.assert_array_equal(evaluate(), expected)
    assert compiler.calls == 1


# ------------------------------------------------------------------ intact, but not this kernel


def unresolvable(key: str) -> bytes:
    """An object with the kernel's names that needs a missing function."""
    text = f"""
    declare void @nobody_has_this()
    define void @{llvm.ENTRY}(ptr %args, ptr %dims, ptr %steps, ptr %data) {{
      call void @nobody_has_this()
      ret void
    }}
    """
    return objects.join_objects([llvm.compile_object(x) for x in objects.mark_modules([text], key)])


def of_another_kernel(key: str) -> bytes:
    """The object of another kernel, whole."""
    before = {entry.key for entry in cache.entries()}
    Robot(quiet_read("planar_2r")).potential_energy(np.zeros(2))
    (entry,) = (entry for entry in cache.entries() if entry.key not in before)
    return cache.read(entry.key) or b""


FORGED: dict[str, Callable[[str], bytes]] = {
    "nothing": lambda key: b"",
    "noise": lambda key: np.random.default_rng(0).bytes(5000),
    "noise of the right lengths": lambda key: objects.join_objects([b"noise", b"more noise"]),
    "a shortened object": lambda key: objects.join_objects([(cache.read(key) or b"")[8:400]]),
    "an object too many": lambda key: (cache.read(key) or b"") + (cache.read(key) or b""),
    "an object that needs a missing function": unresolvable,
    "another kernel's object": of_another_kernel,
}


@pytest.mark.skipif(sys.platform != "linux", reason="symbols are read of ELF files")
@pytest.mark.parametrize("what", list(FORGED))
def test_only_the_kernels_own_objects_are_linked(
    what: str, folder: Path, compiler: Compiler
) -> None:
    """Payloads with a valid checksum that are not loadable."""
    expected = evaluate()
    (entry,) = cache.entries()
    payload = FORGED[what](entry.key)
    cache.write(entry.key, payload, "forged")
    assert cache.read(entry.key) == payload
    compiler.calls = 0
    np.testing.assert_array_equal(evaluate(), expected)
    assert compiler.calls == 1
    np.testing.assert_array_equal(evaluate(), expected)
    assert compiler.calls == 1


# ------------------------------------------------------------------ the command


def test_the_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["cache"])
    assert capsys.readouterr().out == f"{folder}: 0 kernels, 0.0 of at most 1024 MB\n"
    evaluate()
    main(["cache", "list"])
    kernel, total = capsys.readouterr().out.splitlines()
    assert "planar_2r.gravity_forces (2)->(2) d" in kernel
    assert f"{folder}: 1 kernels" in total
    (folder / "mine").touch()
    main(["cache", "clear"])
    assert "deleted" in capsys.readouterr().out
    assert entries(folder) == [folder / "mine"]


def test_the_command_without_a_cache(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("JOUNCE_CACHE", "0")
    main(["cache", "clear"])
    assert "turned off" in capsys.readouterr().out
    tmp_path.chmod(0o777)
    monkeypatch.setenv("JOUNCE_CACHE", str(tmp_path))
    with pytest.raises(SystemExit, match="writable by other users"):
        main(["cache", "list"])
