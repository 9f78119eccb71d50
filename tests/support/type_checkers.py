"""Run basedpyright and mypy on files of a folder that use jounce."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import jounce

SOURCE = Path(jounce.__file__).parent

#: Rules that pages and snippets need not follow, as they concern style or other packages.
PYRIGHT_OFF = (
    "reportMissingImports",
    "reportMissingModuleSource",
    "reportOptionalMemberAccess",
    "reportPossiblyUnboundVariable",
    "reportUnusedExpression",
)


def declare_untyped(folder: Path, modules: Iterable[str]) -> None:
    """Write stub files in which every name of these modules, and of submodules, is `Any`."""
    text = "from typing import Any\ndef __getattr__(name: str) -> Any: ...\n"
    for module in modules:
        path = folder / "typings" / module.replace(".", "/")
        path.mkdir(parents=True)
        (path / "__init__.pyi").write_text(text)


def basedpyright(folder: Path) -> dict[str, list[str]]:
    """Return messages by severity ("error", "warning", "information") for a folder's files."""
    settings: dict[str, object] = {"include": ["*.py"], "typeCheckingMode": "standard"}
    settings |= {"extraPaths": [str(SOURCE.parent)], "stubPath": "typings"}
    settings |= dict.fromkeys(PYRIGHT_OFF, False)
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    tool = Path(sys.executable).parent / "basedpyright"
    command = [tool, "-p", folder, "--pythonpath", sys.executable, "--outputjson"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    found: dict[str, list[str]] = {"error": [], "warning": [], "information": []}
    for x in json.loads(done.stdout)["generalDiagnostics"]:
        line = x["range"]["start"]["line"] + 1
        found[x["severity"]].append(f"{Path(x['file']).name}:{line}: {x['message']}")
    return found


@cache
def _cache() -> TemporaryDirectory[str]:
    """Cache of mypy for all tests of a process: filling it takes most of the time."""
    return TemporaryDirectory(prefix="jounce-mypy-")


def mypy(folder: Path) -> dict[str, list[str]]:
    """Return messages by severity ("error", "note") for a folder's files."""
    command = [sys.executable, "-m", "mypy", "--follow-imports=silent", "--check-untyped-defs"]
    command += ["--no-error-summary", "--ignore-missing-imports", "--allow-redefinition"]
    command += [
        "--disable-error-code=union-attr",
        "--disable-error-code=var-annotated",
        *(x.name for x in sorted(folder.glob("*.py"))),
    ]
    typings = folder / "typings"  # these would mislead others in a common cache
    cache_folder = str(folder / "cache") if typings.exists() else _cache().name
    path = os.pathsep.join(map(str, (typings, SOURCE.parent)))
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=folder,
        env={**os.environ, "MYPYPATH": path, "MYPY_CACHE_DIR": cache_folder},
    )
    found: dict[str, list[str]] = {"error": [], "note": []}
    for place, kind, text in re.findall(
        r"^(\w+\.py:\d+): (error|note): (.*)$", done.stdout, re.MULTILINE
    ):
        found[kind].append(f"{place}: {text}")
    assert found["error"] or not done.stderr, done.stderr
    return found


def lines(messages: Iterable[str]) -> set[int]:
    """Return the lines that messages are about."""
    return {int(message.split(":")[1]) for message in messages}
