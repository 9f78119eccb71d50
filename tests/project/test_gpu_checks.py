"""What runs on machines with a GPU is sound without one: its runner, its comparisons, its tasks."""

from __future__ import annotations

import multiprocessing
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from jounce.catalog.tables import FRAME, ROBOT
from support import PROJECT
from support.helpers import OF_FREE_FRAMES

pytestmark = pytest.mark.cuda


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    monkeypatch.syspath_prepend(str(PROJECT))
    # processes of the fleet find NumPy under CuPy's name
    (tmp_path / "cupy.py").write_text("from numpy import asarray as asarray", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("PYTHONPATH", "XLA_PYTHON_CLIENT_PREALLOCATE"):
        monkeypatch.setenv(name, os.environ.get(name, ""))
    names = ("__main__", "machine", "support", "fleet", "check_catalog")
    found = {name.strip("_"): import_module(f"tests.gpu.{name}") for name in names}
    monkeypatch.setattr(found["fleet"], "on_card", np.asarray)
    monkeypatch.setattr(found["machine"], "hindrance", lambda: "")
    return SimpleNamespace(**found)


def test_jounce_is_found_where_it_is_not_installed(tmp_path: Path) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(PROJECT)!r}); import tests.gpu;"
        "from importlib.metadata import version; from importlib.util import find_spec;"
        "print(version('jounce'), find_spec('jounce').origin)"
    )
    command = [sys.executable, "-S", "-E", "-c", code]  # without what is installed
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    version, origin = done.stdout.split()
    assert f'version = "{version}"' in (PROJECT / "pyproject.toml").read_text("utf-8")
    assert Path(origin) == PROJECT / "src" / "jounce" / "__init__.py"


@pytest.mark.parametrize("module", ["tests.gpu", "benchmarks.gpu"])
def test_machines_without_a_gpu_are_told(module: str, tmp_path: Path) -> None:
    (tmp_path / "cupy.py").write_text("", encoding="utf-8")
    names = {"PYTHONPATH": str(tmp_path), "CUDA_VISIBLE_DEVICES": "-1"}
    before = [path.read_bytes() for path in _results()]
    done = subprocess.run(
        [sys.executable, "-m", module, "--write"],
        capture_output=True,
        text=True,
        check=False,
        cwd=PROJECT,
        env={**os.environ, **names},
    )
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert re.match("no(thing|) .*on a GPU here: .*(driver|cuda.bindings|device)", line), line
    assert before == [path.read_bytes() for path in _results()]


def _results() -> list[Path]:
    """What checks and benchmarks have written."""
    places = PROJECT / "tests" / "gpu" / "RESULTS.md", PROJECT / "benchmarks" / "GPU.md"
    return [path for path in places if path.exists()]


def test_comparisons_notice(gpu: Any) -> None:
    close = gpu.support.close
    truth = np.array((1.0, 1000.0))
    close(truth + 9e-10, truth)
    close((truth, truth), [truth, truth])
    close(truth + 9e-3, truth, "float32")
    for wrong, scalar in (
        (truth + 2e-9, "double"),
        (truth + 2e-2, "float"),
        (truth * np.nan, "float"),
        (truth[:1], "double"),
        ((truth,), "double"),
    ):
        expected = (truth, truth) if isinstance(wrong, tuple) else truth
        with pytest.raises(AssertionError):
            close(wrong, expected, scalar)
    with pytest.raises(AssertionError, match="nan"):
        close(truth, truth * np.nan)
    assert "three" in gpu.support.raises(ValueError, ["three"], lambda: _fail("two, three"))
    with pytest.raises(AssertionError, match="four"):
        gpu.support.raises(ValueError, ["four"], lambda: _fail("two, three"))
    with pytest.raises(AssertionError, match="no ValueError"):
        gpu.support.raises(ValueError, [], lambda: None)


def _fail(message: str) -> None:
    raise ValueError(message)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", ["inverse_dynamics", "frame(tool).pose.dq", "integrate"])
def test_quantities_are_compared(gpu: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fleet = gpu.fleet
    assert fleet.outcome(("tiny", name)) == ""
    off = {np.float64: 1.0 + 1e-11, np.float32: np.float32(1.0 + 1e-4)}
    for kind, factor in off.items():
        wrong = lambda x, kind=kind, f=factor: x * f if x.dtype == kind else x  # noqa: E731
        monkeypatch.setattr(fleet, "on_card", wrong)
        assert np.dtype(kind).name in fleet.outcome(("tiny", name))
    monkeypatch.setattr(fleet, "on_card", lambda x: x.astype(np.float64))
    assert "float64" in fleet.outcome(("tiny", name))
    monkeypatch.setattr(fleet, "on_card", lambda x: np.where(x > 0.0, np.nan, x))
    assert "nan above" in fleet.outcome(("tiny", name))


def test_processes_that_die_are_told(gpu: Any) -> None:
    gpu.fleet.all_compared([("tiny", "potential_energy")])
    with pytest.raises(AssertionError, match="1 of 2 differ: tiny nonsense: ArgumentError"):
        gpu.fleet.all_compared([("tiny", "potential_energy"), ("tiny", "nonsense")])
    for child in multiprocessing.active_children():
        child.kill()
    with pytest.raises(AssertionError, match="BrokenProcessPool while one of 1 ran: tiny step"):
        gpu.fleet.all_compared([("tiny", "step")])
    gpu.fleet.all_compared([("tiny", "potential_energy")])
    gpu.fleet._give_up()


def test_every_quantity_is_there(gpu: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    tasks: list[tuple[str, str]] = []
    monkeypatch.setattr(gpu.fleet, "all_compared", tasks.extend)
    one_by_one = ("options", "anywhere", "elastic", "sines", "huge", "numbers")
    for name, check in gpu.main.checks("catalog"):
        if not any(word in name for word in one_by_one):
            count = len(tasks)
            check()
            assert len(tasks) > count, name
    assert len(tasks) > 900
    assert len(set(tasks)) == len(tasks)
    steps = {name.rsplit(".", 1)[-1] for _, name in tasks}
    assert {"dq", "dt", "rates(2)", "vjp", "jvp", "dpi", "dscrew", "derivatives"} <= steps
    names = {name for _, name in tasks}
    assert set(ROBOT) <= names
    assert {f"frame(tool).{name}" for name in FRAME} <= names
    assert {f"frame(tool).{name}" for name in OF_FREE_FRAMES} <= {
        name for owner, name in tasks if owner == "planar, floating"
    }


@pytest.mark.parametrize(
    "name",
    [
        "options",
        "arrays_that_begin_anywhere",
        "elastic_drives",
        "sines",
        "huge_angles_in_dynamics",
        "numbers_that_are_none",
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_checks_of_single_calls_pass_on_the_processor(gpu: Any, name: str) -> None:
    getattr(gpu.check_catalog, f"check_{name}")()


def test_the_page_is_sound() -> None:
    """Its code, which needs a card, can be compiled; its commands and files are there."""
    page = (PROJECT / "docs" / "guide" / "gpu.md").read_text("utf-8")
    blocks = re.findall(r"```py\n(.*?)```", page, re.DOTALL)
    assert len(blocks) >= 5
    assert "```python" not in page  # which would be run
    tour = (PROJECT / "docs" / "guide" / "tour.md").read_text("utf-8")
    (shown,) = (x for x in re.findall(r"```py\n(.*?)```", tour, re.DOTALL) if "cupy" in x)
    for block in (*blocks, shown):
        compile(block, "gpu.md", "exec")
    makefile = (PROJECT / "Makefile").read_text("utf-8")
    for target in re.findall(r"`make ([\w-]+)`", page):
        assert re.search(
            rf"^{target}:|^KINDS := .*{target.removeprefix('test-')}", makefile, re.M
        ), target
    for module in re.findall(r"python -m ([\w.]+)", page):
        assert (PROJECT / module.replace(".", "/") / "__main__.py").exists(), module


def test_the_runner_goes_on(
    gpu: Any,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    made = ModuleType("tests.gpu.check_made")
    ran: list[str] = []
    vars(made).update(
        check_first=lambda: ran.append("first"),
        check_second=lambda: _fail("two | three"),
        check_third=sys.exit,
        check_last=lambda: ran.append("last"),
        other=lambda: ran.append("other"),
    )
    monkeypatch.setitem(sys.modules, "tests.gpu.check_made", made)
    monkeypatch.setattr(gpu.main, "areas", lambda: ["made", "missing"])
    monkeypatch.setattr(gpu.main, "RESULTS", tmp_path / "RESULTS.md")
    assert gpu.main.main(["made", "--write"]) == 1
    assert ran == ["first", "last"]
    text = (tmp_path / "RESULTS.md").read_text("utf-8")
    assert text in capsys.readouterr().out
    assert "2 of 4 checks passed" in text
    assert "| made | second | failed: ValueError: two \\| three |" in text
    assert "| made | last | ok |" in text
    assert gpu.main.main(["made", "-k", "last"]) == 0
    assert gpu.main.main(["made", "-k", "nothing"]) == 1  # nothing ran
    assert gpu.main.main(["made", "-k", "first", "--seconds", "-1"]) == 1
    assert "not run: out of time" in capsys.readouterr().out
    assert gpu.main.main(["missing"]) == 1
    assert "ModuleNotFoundError" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        gpu.main.main(["unheard"])
    assert "choose among made, missing" in capsys.readouterr().err
