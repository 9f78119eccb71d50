"""Exported C on emulated microcontrollers."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

import jounce
from jounce.cli import main
from jounce.errors import ArgumentError, JounceError
from jounce.export import embedded, measure_code

COMPILER = shutil.which("arm-none-eabi-gcc") and shutil.which("qemu-system-arm")
needs_compiler = pytest.mark.skipif(
    COMPILER is None, reason="arm-none-eabi-gcc and qemu-system-arm are not installed"
)
ARM = jounce.load("kuka_iiwa14")


@needs_compiler
@pytest.mark.parametrize("target", embedded.PROCESSORS)
def test_resources(target: str) -> None:
    (size,) = measure_code(ARM, "inverse_dynamics", target)
    count = sum(size.operations.values())
    assert count == ARM.quantity("inverse_dynamics").lower(np.float32).operations
    assert set(size.library) == {"sinf", "cosf"}
    # a load or a store beside most operations, and six sines and cosines of about 30 instructions
    assert size.instructions is not None
    assert 1.2 * count < size.instructions < 4 * count
    assert 2 * count < size.code < 10 * count
    assert 0 < size.stack < 1000


@needs_compiler
def test_mechanisms_and_double_precision() -> None:
    closed = jounce.load("four_bar").closed()
    single, double = (
        measure_code(closed, ["forward_dynamics"], "cortex-m4", dtype)[0]
        for dtype in (np.float32, np.float64)
    )
    assert single.operations == double.operations
    assert single.instructions is not None
    assert double.instructions is not None
    # without a unit for doubles, each operation is a call
    assert double.instructions > 5 * single.instructions
    assert "__aeabi_dmul" in double.library


@needs_compiler
def test_command_line(tmp_path: object, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["export", "planar_2r", "--to", "c", "-o", str(tmp_path), "--float32"]
    main([*words, "--target", "cortex-m7", "mass_matrix"])
    text = capsys.readouterr().out
    assert "without warnings" in text
    assert "mass_matrix" in text
    assert "instructions" in text


def test_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ArgumentError, match="unknown processor 'cortex-m77'; did you mean"):
        measure_code(ARM, target="cortex-m77")
    monkeypatch.setattr(embedded.shutil, "which", lambda name: None)
    with pytest.raises(JounceError, match="arm-none-eabi-gcc is not installed"):
        measure_code(ARM)
