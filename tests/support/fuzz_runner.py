"""Feed mutated files to a reader, in a process of its own: it may crash, hang or eat memory.

    python fuzz_runner.py FORMAT FIRST COUNT

Prints a line per file: its number before it is read, and what became of it afterwards (JSON).
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import random
import re
import resource
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from jounce.errors import ModelError, ModelWarning
from jounce.formulas.dynamics import inverse_dynamics
from jounce.io import read
from jounce.model.model import Model
from jounce.model.tree import lower
from support import fuzz_meshes
from support.fuzz_mutations import mutated
from support.fuzz_seeds import SUFFIX, seed

#: Seconds after which a file counts as hanging, bytes of memory that the process may ever use.
HANG = 20
MEMORY = 1 << 30

#: Errors about the document as a whole, in which there is no element to name.
_NO_ELEMENT = re.compile("malformed XML|DOCTYPE|nested more than|cannot decode|at most .* tags")
_ELEMENT = re.compile(r"<[^<>]+>|\b[\w:.-]+ '")


def make(format: str, number: int) -> bytes:
    """The file with this number."""
    rng = random.Random(f"{format} {number}")
    if format in fuzz_meshes.FORMATS:
        return fuzz_meshes.mutated(format, rng)
    return mutated(seed(format, rng), rng)


def outcome(path: Path, evaluate: bool) -> dict[str, Any]:
    """What reading the file leads to: "accepted", "refused", or what is wrong with it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", ModelWarning)
            model = read(path)
    except ModelError as error:
        message = str(error)
        return {"refused": message, "wrong": _problem_with_message(message, path)}
    except Exception as error:
        return {"wrong": f"{type(error).__name__}: {error}"[:2000]}
    try:
        return {"accepted": model.nv, "wrong": _problem_with_model(model, evaluate)}
    except Exception as error:
        return {"wrong": f"accepted, then {type(error).__name__}: {error}"[:2000]}


def _problem_with_message(message: str, path: Path) -> str:
    """What a message lacks: the file, the line, the element; or an empty string."""
    if len(message) > 5000:
        return f"a message of {len(message)} characters: {message[:200]}"
    if not message.isprintable():
        return f"control characters in the message: {message!r}"
    found = re.match(rf"{re.escape(str(path))}:(\d+): (.+)", message, re.DOTALL)
    if found is None:
        return f"no file and line: {message[:2000]}"
    if int(found[1]) > path.read_bytes().count(b"\n") + 1:
        return f"there is no such line: {message[:2000]}"
    if not _NO_ELEMENT.search(found[2]) and not _ELEMENT.search(found[2]):
        return f"no element: {message[:2000]}"
    return ""


def _problem_with_model(model: Model, evaluate: bool) -> str:
    """What is not finite in a model that was accepted, or an empty string."""
    if not 0 <= model.nv <= model.nq <= 7 * model.nb:
        return f"nq = {model.nq}, nv = {model.nv}, nb = {model.nb}"
    tree = lower(model)
    arrays = [("gravity", tree.gravity)]
    for i, node in enumerate(tree.nodes):
        names = ("R0", "p0", "S", "gain", "offset", "armature", "damping", "friction", "inertia")
        for name in (*names, "R_user", "p_user"):
            arrays.append((f"{name} of node {i}", getattr(node, name)))
    arrays += [(f"frame {i}", np.append(R, p)) for i, (_, R, p) in enumerate(tree.frames)]
    for name, array in arrays:
        if not np.all(np.isfinite(np.asarray(array, dtype=float))):
            return f"accepted, but {name} is not finite"
    for joint in model.joints:
        if not np.all(joint.lower <= joint.upper):
            return f"accepted, but the limits of '{joint.name}' are {joint.lower}, {joint.upper}"
    if evaluate and 0 < model.nv < 60:
        rng = np.random.default_rng(0)
        q, v, a = (rng.normal(size=n).astype(object) for n in (model.nq, model.nv, model.nv))
        tau = np.asarray(inverse_dynamics(tree, q, v, a), dtype=float)
        if tau.shape != (model.nv,):
            return f"inverse dynamics of shape {tau.shape}"
    return ""


def peak_memory() -> int:
    """Return the most bytes that this process has used."""
    with contextlib.suppress(OSError):  # rusage counts what the parent had before, this does not
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(x.split()[1]) << 10 for x in lines if x.startswith("VmHWM"))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak << 10


def main(format: str, first: int, count: int) -> None:
    """Read the files with the numbers first ... first + count - 1."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # files that a reader leaves behind show up here
        path = Path(folder) / f"mutated{({**SUFFIX, **fuzz_meshes.SUFFIX})[format]}"
        judge = fuzz_meshes.outcome if format in fuzz_meshes.FORMATS else outcome
        for number in range(first, first + count):
            path.write_bytes(make(format, number))
            print(number, flush=True)
            faulthandler.dump_traceback_later(HANG, exit=True)
            start = time.process_time()
            result = judge(path, evaluate=number % 5 == 0)
            result["seconds"] = time.process_time() - start
            faulthandler.cancel_dump_traceback_later()
            result["memory"] = peak_memory()
            if result["memory"] > MEMORY:
                result["wrong"] = f"{result['memory']} bytes of memory"
            left = [entry.name for entry in path.parent.iterdir() if entry != path]
            if left:
                result["wrong"] = f"left behind: {left}"
            print(json.dumps(result), flush=True)
            if result["memory"] > MEMORY or left:
                break  # the next file gets a fresh process


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
