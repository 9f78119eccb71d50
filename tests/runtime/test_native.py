"""The C code of the runtime: its committed LLVM text is current, and compiles for any machine."""

from __future__ import annotations

import ctypes
import re
import runpy
from pathlib import Path

import pytest

from jounce.runtime import fastcall, native
from support import PROJECT

TOOL = runpy.run_path(str(PROJECT / "tools" / "native.py"))
SOURCES = sorted(TOOL["FOLDER"].glob("*.c"))


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_texts_are_those_of_the_sources(source: Path) -> None:
    assert TOOL["is_current"](source), f"{source.name} or a header changed: run make native"


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_texts_name_no_machine(source: Path) -> None:
    text = native.read_text(source.stem)
    assert not re.search(r"^(target |source_filename|attributes )|x86|sse|avx|!llvm\.", text, re.M)


def test_changes_are_noticed(tmp_path: Path) -> None:
    source, header = tmp_path / "some.c", tmp_path / "some.h"
    source.write_text('#include "some.h"\n')
    header.write_text("int f(void);\n")
    body = "declare i32 @f()\n"
    source.with_suffix(".ll").write_text(TOOL["head_line"](source, body) + body)
    assert TOOL["is_current"](source)
    for path in (source, header, source.with_suffix(".ll")):
        before = path.read_text()
        path.write_text(before + "\n")
        assert not TOOL["is_current"](source), path
        path.write_text(before)
    assert TOOL["is_current"](source)
    source.with_suffix(".ll").unlink()
    assert not TOOL["is_current"](source)


def test_what_names_the_compiler_is_removed() -> None:
    text = """\
; ModuleID = 'a.c'
source_filename = "a.c"
target triple = "x86_64-unknown-linux"
@words = constant [9 x i8] c"#0 noundef"
; Function Attrs: nounwind
define range(i32 0, 3) i32 @f(ptr noundef captures(none) %0) local_unnamed_addr #0 {
  br i1 true, label %a, label %b, !prof !3, !llvm.loop !2

7:                                                ; preds = %1
}
attributes #0 = { nounwind }
!llvm.ident = !{!1}
!1 = !{!"clang"}
!2 = distinct !{!2}
!3 = !{!"branch_weights", i32 2000, i32 1}
"""
    assert (
        TOOL["clean"](text)
        == """\
@words = constant [9 x i8] c"#0 noundef"
define i32 @f(ptr %0) nounwind {
  br i1 true, label %a, label %b, !prof !3

7:
}
!3 = !{!"branch_weights", i32 2000, i32 1}
"""
    )


def test_what_is_not_defined_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="does not define 'nothing'"):
        native.load("recycling").address("nothing")


def test_structures_are_as_long_as_their_counterparts() -> None:
    length = ctypes.c_int64.from_address(native.load("fastcall").address("jounce_signature_bytes"))
    assert length.value == ctypes.sizeof(fastcall.Signature)
