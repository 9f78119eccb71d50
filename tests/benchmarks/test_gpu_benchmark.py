"""The benchmarks on a GPU, without one: what they count, compare and write."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.compiler.graph.expr import Graph
from jounce.compiler.graph.tape import record
from support import PROJECT
from support.helpers import interpreted

pytestmark = pytest.mark.cuda


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(PROJECT))
    monkeypatch.setenv("PYTHONPATH", os.environ.get("PYTHONPATH", ""))
    names = ("__main__", "card", "peers", "rates", "robots", "small", "work")
    result = {name.strip("_"): import_module(f"benchmarks.gpu.{name}") for name in names}
    monkeypatch.setattr(result["robots"], "COMPARED", 8)
    monkeypatch.setattr(result["rates"], "COMPARED", 8)
    monkeypatch.setattr(result["main"].machine, "hindrance", lambda *packages: "")
    return SimpleNamespace(**result)


def test_instructions_fuse_products_into_sums(bench: Any) -> None:
    count = bench.work.instructions
    graph = Graph()
    x, y, z = graph.inputs_like((3,))
    pairs = bench.work.sincos("double")
    assert count(record(graph, [x * y + z]), "double") == 1
    assert count(record(graph, [x * y + z * x]), "double") == 2  # one of both is fused
    product = x * y
    assert count(record(graph, [product + z, product - z]), "double") == 3  # none is
    assert count(record(graph, [product + z, product]), "double") == 2
    assert count(record(graph, [x.sin(), x.cos()]), "double") == pairs
    assert count(record(graph, [x.sin(), y.cos()]), "double") == 2 * pairs
    assert count(record(graph, [-x]), "double") == 0
    assert count(record(graph, [x / y]), "float") == bench.work.ITERATED["float"]
    assert 20 <= pairs <= 30
    assert bench.work.sincos("float") < pairs
    assert str(pairs) in bench.work.definition()


def test_peaks(bench: Any) -> None:
    kernel = jounce.load("iiwa14_mueller_kumar2021").inverse_dynamics.kernel
    assert bench.work.numbers(kernel) == 28
    peak = bench.work.Peak(28 * 8 * 1e9, {"double": 1e12, "float": 2e12})
    moved, issued = peak.rates(kernel, "double")
    assert moved == pytest.approx(1e9)
    assert peak.rates(kernel, "float")[0] == pytest.approx(2e9)
    instructions = bench.work.instructions(kernel.tape, "double")
    assert issued == pytest.approx(1e12 / instructions)
    assert 0.5 * len(kernel.tape) < instructions < 1.5 * len(kernel.tape)


# ------------------------------------------------------------------ a card that is none


class Launcher:
    """Replacement of the runtime that uses the interpreter on host memory."""

    def __init__(self, kernel: Any, dtype: Any, factor: float = 1.0) -> None:
        self.kernel, self.dtype, self.factor = kernel, np.dtype(dtype), factor
        self.program = SimpleNamespace(threads=64, samples=64, groups=2, shared=128)

    def _array(self, pointer: int, shape: tuple[int, ...]) -> np.ndarray:
        kind = np.ctypeslib.as_ctypes_type(self.dtype)
        index = ctypes.cast(pointer, ctypes.POINTER(kind))
        return np.ctypeslib.as_array(index, shape)

    def launch(
        self, stream: int, samples: int, pointers: Sequence[int], steps: Sequence[int]
    ) -> None:
        kernel = self.kernel
        assert [int(np.prod(core)) for core in kernel.inputs] == list(steps)
        assert len(pointers) == len(kernel.inputs) + len(kernel.outputs)
        arguments = [
            self._array(p, (samples, *c)) for p, c in zip(pointers, kernel.inputs, strict=False)
        ]
        result = interpreted(kernel, *arguments)
        result = result if isinstance(result, tuple) else (result,)
        for p, x in zip(pointers[len(arguments) :], result, strict=True):
            self._array(p, x.shape)[...] = x * self.factor


class Stream:
    """CuPy's, which has nothing to wait for; it remembers what it would capture."""

    ptr = 7

    def __init__(self, **_: Any) -> None:
        self.captured = 0

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def use(self) -> None:
        pass

    synchronize = begin_capture = use

    def end_capture(self) -> Any:
        return SimpleNamespace(launch=lambda stream: None)


@pytest.fixture
def card(bench: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """CuPy is NumPy, and a kernel is what `Launcher` makes of it."""
    pool = SimpleNamespace(free_all_blocks=lambda: None)
    cupy = SimpleNamespace(
        asarray=np.asarray,
        tile=np.tile,
        empty=np.empty,
        cuda=SimpleNamespace(Stream=Stream),
        get_default_memory_pool=lambda: pool,
    )
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    state = SimpleNamespace(factor=1.0, launches=0)

    def compile_kernel(kernel: Any, scalar: str) -> Any:
        made = Launcher(kernel, bench.robots.SCALARS[scalar], state.factor)
        parts = {"text": 0.1, "LLVM": 0.2, "driver": 0.1}
        return SimpleNamespace(launcher=made, parts=parts, registers=99, local=0, shared=128)

    def seconds(launches: Sequence[Callable[[], None]], stream: Any) -> float:
        state.launches = len(launches)
        launches[-1]()
        return 1e-6

    peak = bench.work.Peak(4e12, {"double": 1.6e13, "float": 3.3e13})
    monkeypatch.setattr(bench.card, "compile_kernel", compile_kernel)
    monkeypatch.setattr(bench.card, "seconds", seconds)
    monkeypatch.setattr(bench.card, "peak", lambda: peak)
    monkeypatch.setattr(bench.card, "attribute", lambda name: 1000)
    monkeypatch.setattr(bench.rates, "pointer", lambda x: x.ctypes.data)
    monkeypatch.setattr(bench.rates, "BATCH", 64)
    monkeypatch.setattr(bench.rates, "load", lambda name: jounce.load("franka"))
    monkeypatch.setattr(bench.small, "robot", lambda name: jounce.load("franka"))
    bench.rates._quantity.cache_clear()
    return state


@pytest.mark.parametrize("scalar", ["double", "float"])
@pytest.mark.parametrize("quantity", ["inverse_dynamics", "inverse_dynamics.derivatives"])
def test_rates(bench: Any, card: Any, quantity: str, scalar: str) -> None:
    result = bench.rates.measure("panda", quantity, scalar)
    assert result.samples == 64
    assert result.rate == pytest.approx(64e6)
    size = 64 * 21 * bench.robots.SCALARS[scalar].itemsize
    assert card.launches == max(-(-4000 // size), 1)  # sets that are larger than the cache
    (row,) = bench.rates._rows("panda", quantity, scalar)
    assert len(row.cells) == len(bench.rates.COLUMNS)
    what = {verdict.what.rpartition(", ")[2] for verdict in row.verdicts}
    assert {"share of the peak", "compared with GRiD", "compiling"} <= what
    assert ("rate" in what) == (quantity.endswith("derivatives") and scalar == "double")
    assert row.cells[-1] == "**NO**"


def test_wrong_results_have_no_rate(bench: Any, card: Any) -> None:
    card.factor = 1.0 + 1e-9
    with pytest.raises(bench.rates.MismatchError, match="panda inverse_dynamics float64"):
        bench.rates.measure("panda", "inverse_dynamics", "double")
    bench.rates.measure("panda", "inverse_dynamics", "float")
    card.factor = 1.0 + 1e-3
    with pytest.raises(bench.rates.MismatchError, match="float32"):
        bench.rates.measure("panda", "inverse_dynamics", "float")


def test_targets_of_humanoids(bench: Any, card: Any) -> None:
    result = bench.rates.measure("g1", "mass_matrix", "double")
    judged = bench.rates.verdicts("g1", "mass_matrix", "double", result)
    assert [verdict.target for verdict in judged] == [4e8, 5.0]
    assert [verdict.is_met for verdict in judged] == [False, True]


def test_compiling_is_timed_by_part(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    card, parts = bench.card, {"text": 0.0}
    owner = SimpleNamespace(work=lambda x: x + 1)
    original = owner.work
    with card._add_time(owner, "work", parts, "text"):
        assert owner.work(1) == 2
    assert owner.work is original
    assert 0.0 < parts["text"] < 1.0
    monkeypatch.setenv("JOUNCE_CACHE", "before")
    with card._empty_cache():
        folder = Path(os.environ["JOUNCE_CACHE"])
        assert not list(folder.iterdir())
    assert os.environ["JOUNCE_CACHE"] == "before"
    assert not folder.exists()


def test_small_batches(bench: Any, card: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench.small, "SAMPLES", 8)
    monkeypatch.setattr(bench.small, "CALLS", 2)
    monkeypatch.setattr(bench.small, "find_spec", lambda name: None)
    (row,) = bench.small._rows("inverse_dynamics.derivatives", "double")
    assert len(row.cells) == len(bench.small.COLUMNS)
    assert float(row.cells[2]) > 0.0
    assert row.cells[6:8] == ("", "")  # no PyTorch
    assert row.verdicts[0].target == 15.0
    assert list(bench.small.tables(("g1",), ("mass_matrix",))) == []


# ------------------------------------------------------------------ the page


def test_sections_stand_side_by_side(
    bench: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any
) -> None:
    main, file = bench.main, tmp_path / "GPU.md"
    Row, Table, Verdict = main.Row, main.Table, bench.rates.Verdict

    def section(title: str, *jobs: Any) -> Any:
        def tables(robots: Any, quantities: Any) -> Any:
            yield Table(title, "A note.", ("what", "rate"), list(jobs))

        return tables

    def fail() -> list[Any]:
        raise ValueError("out of | luck")

    good = lambda: [Row(("x", "1"), [Verdict("x", 1.0, 2.0, True)])]  # noqa: E731
    monkeypatch.setitem(main.SECTIONS, "rates", section("Rates", ("x", good), ("y", fail)))
    monkeypatch.setitem(main.SECTIONS, "small", section("Small", ("z", good)))
    arguments = ["--write", "--to", str(file)]
    assert main.main([*arguments, "--sections", "rates"]) == 1
    assert main.main([*arguments, "--sections", "small"]) == 0
    pair = file.read_text("utf-8")
    assert pair.startswith("# jounce on a GPU\n\n<!-- rates -->\n## Rates\n\n- command: ")
    assert pair.index("## Rates") < pair.index("## Small") < pair.index("<!-- end of small -->")
    assert "y: ValueError: out of / luck" in pair
    assert "0 of 1 met" in pair
    monkeypatch.setitem(main.SECTIONS, "rates", section("New", ("x", good)))
    assert main.main([*arguments, "--sections", "rates", "--seconds", "-1"]) == 1
    after = file.read_text("utf-8")
    assert "x: not run: out of time" in after
    assert "## Rates" not in after
    assert after[after.index("<!-- small -->") :] == pair[pair.index("<!-- small -->") :]
    assert "## New" in capsys.readouterr().out
