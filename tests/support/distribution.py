"""What `make package` holds the distributions to: `python -m support.distribution DIST WORK`.

The source distribution holds what the repository does, and its tests run from it; the wheel holds
the package with its data, and works in an environment that has nothing else.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from support import PROJECT

#: What building adds to a source distribution.
MADE = ("PKG-INFO", "setup.cfg", "src/jounce.egg-info/")

#: Tests that read files of every folder, and take seconds.
QUICK = (
    "tests/project/test_public_surface.py",
    "tests/project/test_readme.py::test_reference_page_is_current",
    "tests/project/test_contributing.py",
    "tests/project/test_packaging.py",
    "tests/cli/test_commands.py",
    "tests/io/test_gallery_robots.py",
)

#: What a user does first, as code and as a command.
SMOKE = (
    "import jounce; robot = jounce.load('kuka_iiwa14');"
    "assert robot.mass_matrix(robot.random(0)).shape == (7, 7);"
    "assert 'site-packages' in jounce.__file__"
)
COMMANDS = ("--version", "info kuka_iiwa14", "page planar_2r -o page.html --no-timings")


def tracked(project: Path) -> set[str]:
    """Files of the repository."""
    found = subprocess.run(
        ["git", "-C", str(project), "ls-files", "-z"], capture_output=True, text=True, check=True
    )
    return {name for name in found.stdout.split("\0") if name and (project / name).is_file()}


def in_sdist(path: Path) -> set[str]:
    """Files of a source distribution, without what building added."""
    with tarfile.open(path) as archive:
        files = [x.name.partition("/")[2] for x in archive.getmembers() if x.isfile()]
    return {name for name in files if not name.startswith(MADE)}


def in_wheel(path: Path) -> set[str]:
    """Files of a wheel that belong to the package."""
    with zipfile.ZipFile(path) as archive:
        return {name for name in archive.namelist() if name.startswith("jounce/")}


def same(what: str, found: Iterable[str], expected: Iterable[str]) -> None:
    """End with a sentence if a file is missing, or there by mistake."""
    missing, extra = sorted({*expected} - {*found}), sorted({*found} - {*expected})
    if missing or extra:
        sys.exit(
            f"{what}: missing {missing or 'nothing'}, not in the repository {extra or 'nothing'}"
        )
    print(f"{what}: {len({*found})} files, those of the repository")


def run(command: Sequence[object], folder: Path, path: str = "") -> None:
    """Run a command in a folder, without the paths of this process."""
    environment = {**os.environ, "PYTHONPATH": path}
    print("$", *command, flush=True)
    subprocess.run([str(x) for x in command], cwd=folder, env=environment, check=True)


def try_wheel(wheel: Path, work: Path) -> None:
    """Install it where nothing else is, with what it says it needs, and use it."""
    venv.create(work / "venv", with_pip=True)
    programs = work / "venv" / "bin"
    run([programs / "python", "-m", "pip", "install", "--quiet", wheel], work)
    run([programs / "python", "-W", "error", "-c", SMOKE], work)
    for words in COMMANDS:
        run([programs / "jounce", *words.split()], work)


def try_sdist(sdist: Path, work: Path) -> None:
    """Unpack it elsewhere and run tests there, on its own source."""
    with tarfile.open(sdist) as archive:
        archive.extractall(work, filter="data")
    (project,) = (path for path in work.iterdir() if (path / "pyproject.toml").is_file())
    source = os.pathsep.join((str(project / "src"), str(project)))
    python = [sys.executable, "-m", "pytest"]
    run([*python, "--collect-only", "-qqq", "-n", "0", "-p", "no:cacheprovider"], project, source)
    run([*python, "-p", "no:cacheprovider", "-m", "not slow", *QUICK], project, source)


def main(dist: Path, work: Path) -> None:
    """Check the distributions of a folder; work: an empty place, made anew."""
    (wheel,), (sdist,) = dist.glob("*.whl"), dist.glob("*.tar.gz")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    files = tracked(PROJECT)
    same(sdist.name, in_sdist(sdist), files)
    package = {x.removeprefix("src/") for x in files if x.startswith("src/jounce/")}
    same(wheel.name, in_wheel(wheel), package)
    try_wheel(wheel, work)
    try_sdist(sdist, work)


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute(), Path(sys.argv[2]).absolute())
