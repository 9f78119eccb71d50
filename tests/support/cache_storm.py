"""Many processes on one cache directory while others break it, as a process of its own:

    python cache_storm.py SECONDS PROCESSES ROUNDS

Workers are processes that start cold, look up or compile kernels and compare the results with the
interpreter's, under a limit so small that they prune each other's entries all the time. When one
has done its rounds another takes its place; some are killed. Meanwhile entries are deleted,
truncated, altered, exchanged, replaced by links, directories and pipes, and the whole directory
goes. Prints what happened as JSON.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

#: Megabytes the cache may keep: a few kernels.
LIMIT = "0.2"
#: Chance that a worker is killed between two deeds, in a long storm.
KILLED = 0.0005
QUANTITIES = ("gravity_forces", "mass_matrix", "potential_energy", "bias_forces")


# ------------------------------------------------------------------ a worker


def worker(seed: int, rounds: int) -> None:
    """Look up or compile, compare, and print how often each happened."""
    import numpy as np

    from jounce.compiler.targets.llvm import compiler
    from jounce.robot import Robot
    from support.helpers import interpreted, quiet_read

    done: Counter[str] = Counter()
    original = compiler.compile_object

    def counted(text: str) -> bytes:
        done["compiled"] += 1
        return original(text)

    compiler.compile_object = counted
    rng, model = random.Random(seed), quiet_read("planar_2r")
    numbers = np.random.default_rng(seed)
    for _ in range(rounds):
        gravity = (0.0, -1.0 - rng.randrange(6), 0.0)  # few enough to meet others' entries
        quantity = Robot(model.with_gravity(gravity)).quantity(rng.choice(QUANTITIES))
        given = [numbers.normal(size=(5, *core)) for core in quantity.kernel.inputs]
        found, wanted = quantity(*given), interpreted(quantity.kernel, *given)
        if not np.allclose(found, wanted, rtol=1e-12, atol=1e-12):
            raise AssertionError(f"{quantity!r} with gravity {gravity}: {found}, not {wanted}")
        done["rounds"] += 1
    print(json.dumps(done))


# ------------------------------------------------------------------ a vandal


def files(cache: Path) -> list[Path]:
    """What is a file: a vandal must not wait for a pipe, or copy a device."""
    return sorted(p for p in cache.iterdir() if p.is_file() and not p.is_symlink())


def truncate(path: Path, rng: random.Random) -> None:
    os.truncate(path, rng.randrange(path.stat().st_size + 1))


def alter(path: Path, rng: random.Random) -> None:
    """One bit, anywhere."""
    with path.open("r+b") as file:
        file.seek(rng.randrange(path.stat().st_size))
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ 1 << rng.randrange(8)]))


def exchange(path: Path, rng: random.Random) -> None:
    """The entry of another kernel under this name."""
    path.write_bytes(rng.choice(files(path.parent)).read_bytes())


def extend(path: Path, rng: random.Random) -> None:
    with path.open("ab") as file:
        file.write(rng.randbytes(rng.randrange(1, 5000)))


def link(path: Path, rng: random.Random) -> None:
    target = rng.choice(("/dev/zero", "/dev/null", str(path.parent), str(path)))
    path.unlink()
    path.symlink_to(target)


def pipe(path: Path, rng: random.Random) -> None:
    path.unlink()
    os.mkfifo(path)


def folder(path: Path, rng: random.Random) -> None:
    """For a moment, as nothing can take its place."""
    path.unlink()
    path.mkdir()
    time.sleep(0.02)
    path.rmdir()


def forbid(path: Path, rng: random.Random) -> None:
    path.chmod(rng.choice((0o000, 0o666, 0o400)))


def remove(path: Path, rng: random.Random) -> None:
    path.unlink()


def remove_all(path: Path, rng: random.Random) -> None:
    shutil.rmtree(path.parent, ignore_errors=True)


def open_to_others(path: Path, rng: random.Random) -> None:
    """For a moment, in which nobody may trust it."""
    path.parent.chmod(0o777)
    time.sleep(0.02)
    path.parent.chmod(0o700)


DEEDS: tuple[Callable[[Path, random.Random], None], ...] = (
    *(truncate, alter, exchange, extend, link, pipe, folder, forbid, remove) * 3,
    *(remove_all, open_to_others),
)


def vandalise(cache: Path, rng: random.Random, done: Counter[str]) -> None:
    """One deed; what is gone meanwhile, or no longer a file, is left alone."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        path = rng.choice(files(cache))
        deed = rng.choice(DEEDS)
        deed(path, rng)
        done[deed.__name__] += 1


# ------------------------------------------------------------------ all of it


class Storm:
    """Workers that come and go."""

    def __init__(self, cache: Path, rounds: int) -> None:
        self.rng = random.Random(0)
        self.done: Counter[str] = Counter()
        self._rounds = rounds
        paths = os.pathsep.join(filter(None, sys.path))
        self._env = {
            **os.environ,
            "JOUNCE_CACHE": str(cache),
            "JOUNCE_CACHE_SIZE": LIMIT,
            "PYTHONPATH": paths,
        }

    def start(self) -> subprocess.Popen[str]:
        self.done["processes"] += 1
        command = [sys.executable, __file__, "worker", str(self.done["processes"])]
        return subprocess.Popen(
            [*command, str(self._rounds)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self._env,
        )

    def finish(self, process: subprocess.Popen[str], killed: bool = False) -> None:
        """Take a worker's figures; whatever it complains of ends everything."""
        out, errors = process.communicate(timeout=120)
        if killed:
            self.done["killed"] += 1
        elif process.returncode:
            raise SystemExit(f"a worker ended with {process.returncode}: {errors}")
        else:
            self.done += Counter(json.loads(out))


def storm(seconds: float, processes: int, rounds: int) -> Counter[str]:
    """Let workers come and go for a while, and then one in peace."""
    with tempfile.TemporaryDirectory() as place:
        cache = Path(place) / "cache"
        run = Storm(cache, rounds)
        end = time.monotonic() + seconds
        at_work = [run.start() for _ in range(processes)]
        while at_work:
            time.sleep(run.rng.choice((0.001, 0.05, 0.2)))
            vandalise(cache, run.rng, run.done)
            for process in list(at_work):
                kill = seconds > 10 and run.rng.random() < KILLED and process.poll() is None
                if kill:
                    process.kill()
                if kill or process.poll() is not None:
                    at_work.remove(process)
                    run.finish(process, kill)
                    if time.monotonic() < end:
                        at_work.append(run.start())
        shutil.rmtree(cache, ignore_errors=True)
        run.finish(run.start())
        size = sum(path.stat().st_size for path in cache.iterdir())
        assert size <= float(LIMIT) * 2**20 * 1.05, f"the cache holds {size} bytes"
    return run.done


if __name__ == "__main__":
    if sys.argv[1] == "worker":
        worker(*map(int, sys.argv[2:]))
    else:
        print(json.dumps(storm(float(sys.argv[1]), *map(int, sys.argv[2:]))))
