"""Compile the C code of `src/jounce/runtime/native` to LLVM text, which is committed and packaged.

Users need no C compiler: the runtime gives the text to llvmlite, for the processor at hand. One
text serves all platforms, so everything that names the machine or compiler is removed: the triple,
the data layout, attributes and debug information. The C code uses types of fixed width only, and
passes no structures by value, so that nothing else depends on the platform.

Run it by `make native`; `--check` only tells which texts are out of date.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "src" / "jounce" / "runtime" / "native"

COMPILER = (sys.executable, "-m", "ziglang", "cc")
OPTIONS = (
    *("-target", "x86_64-linux-gnu", "-std=c11", "-O2", "-S", "-emit-llvm", "-ffreestanding"),
    *("-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-unused-command-line-argument"),
    # no type-based aliasing: the structures of foreign libraries are declared in part
    *("-fno-strict-aliasing", "-fno-sanitize=all", "-fno-stack-protector", "-g0"),
    # vectors of whatever width would suit the machine that compiles
    *("-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops"),
)

#: Lines that say who compiled for which machine; `attributes` lists the features of a processor.
_DROPPED_LINES = (
    *("; ModuleID", "; Function Attrs:", "source_filename", "target ", "attributes #"),
    *("!llvm.module.flags", "!llvm.ident"),
)

#: Intrinsics whose form differs between versions of LLVM, and which are only hints.
_HINTS = ("@llvm.lifetime.", "@llvm.assume(")

#: Attributes of functions and values; hints to passes that have already run.
_ATTRIBUTES = re.compile(
    r" (?:noundef|nonnull|readonly|writeonly|readnone|nocapture|noalias|returned|immarg|writable"
    r"|local_unnamed_addr|unnamed_addr|dso_local|dead_on_unwind|dead_on_return"
    r"|(?:captures|dereferenceable|dereferenceable_or_null|initializes|range|memory)"
    r"\((?:[^()]|\([^()]*\))*\)|#\d+)(?=[ ,)])"
)


def hash_sources(source: Path) -> str:
    """Return the SHA-256 of a C file and the headers that it includes by a relative name."""
    pending, seen = [source], set()
    while pending:
        path = pending.pop()
        if path not in seen:
            seen.add(path)
            names = re.findall(r'^#include "(.+)"', path.read_text("utf-8"), re.M)
            pending += [path.parent / name for name in names]
    sha = hashlib.sha256()
    for path in sorted(seen):
        sha.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return sha.hexdigest()


def head_line(source: Path, body: str) -> str:
    """Return the first line of a text: where it comes from, and hashes of that and of itself."""
    checksum = hashlib.sha256(body.encode()).hexdigest()
    return f"; {source.name}, by `make native`: source {hash_sources(source)} text {checksum}\n"


def is_current(source: Path) -> bool:
    """Return whether the committed text is that of the source, unchanged."""
    text = source.with_suffix(".ll")
    if not text.exists():
        return False
    head, _, body = text.read_text("utf-8").partition("\n")
    return head + "\n" == head_line(source, body)


def clean(text: str) -> str:
    """Remove what depends on the compiler or the machine from LLVM text."""
    lines = []
    for line in text.splitlines():
        if line.startswith(_DROPPED_LINES) or any(hint in line for hint in _HINTS):
            continue
        if not line.startswith("@"):  # the messages among the constants
            line = re.sub(r"\s*; preds = .*", "", line)
            line = re.sub(r", !(?!prof)[\w.]+ !\d+", "", line)
            line = _ATTRIBUTES.sub("", line + " ").rstrip()
            line = re.sub(r"^define (.*) \{$", r"define \1 nounwind {", line)
        lines.append(line)
    body = "\n".join(lines)
    used = {*re.findall(r"!prof (!\d+)", body)}
    nodes = re.compile(r"^(!\d+) = .*\n?", re.M)
    body = nodes.sub(lambda node: node[0] if node[1] in used else "", body + "\n")
    return re.sub(r"\n{3,}", "\n\n", body).strip() + "\n"


def compile_source(source: Path) -> str:
    """Return the LLVM text of a C file."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.ll"
        subprocess.run([*COMPILER, *OPTIONS, str(source), "-o", str(out)], check=True)
        body = clean(out.read_text("utf-8"))
    return head_line(source, body) + body


def main() -> None:
    """Compile what is out of date."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compile nothing")
    stale = [source for source in sorted(FOLDER.glob("*.c")) if not is_current(source)]
    if parser.parse_args().check:
        sys.exit(f"run make native: {', '.join(x.name for x in stale)}" if stale else 0)
    for source in stale:
        print("compiling", source.name)
        source.with_suffix(".ll").write_text(compile_source(source), "utf-8")


if __name__ == "__main__":
    main()
