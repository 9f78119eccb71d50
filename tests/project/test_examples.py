"""The examples run, in their reduced form, and reach what they promise."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest

from support import PROJECT

pytestmark = pytest.mark.shown

EXAMPLES = PROJECT / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.py"))


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"examples_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", NAMES)
def test_examples_say_how_to_run_them(name):
    text = (EXAMPLES / f"{name}.py").read_text("utf-8")
    assert text.startswith('"""')
    assert f"    python examples/{name}.py" in text.split('"""')[1]


def test_elastic_tracking(tmp_path, capsys):
    pytest.importorskip("scipy")
    worst = load("elastic_tracking").main(["--quick", "--output", str(tmp_path)])
    assert worst < 1e-9  # rad
    printed = capsys.readouterr().out
    assert "elastic inverse dynamics   largest tracking error" in printed
    assert (tmp_path / "elastic_tracking.png").is_file() or "no picture" in printed


def test_mpc_panda(tmp_path, capsys):
    pytest.importorskip("scipy")
    found = load("mpc_panda").main(["--quick", "--output", str(tmp_path)])
    assert found["tracking"] < 0.002  # m
    assert 0.004 < found["pushed"] < 0.02
    assert found["last"] < 0.002
    assert found["largest torque"] == pytest.approx(1.0, abs=1e-9)  # at the start
    assert found["rate"] > 0.0
    printed = capsys.readouterr().out
    assert (tmp_path / "mpc_panda.png").is_file() or "no picture" in printed


def test_tune_gains(tmp_path, capsys):
    pytest.importorskip("scipy")
    assert load("tune_gains").main(["--quick", "--output", str(tmp_path)]) > 1.2
    assert "error (root mean square)" in capsys.readouterr().out


def test_mueller_kumar_figures(tmp_path):
    pytest.importorskip("matplotlib")
    found = load("mueller_kumar_figures").main(["--quick", "--output", str(tmp_path)])
    # central differences at 5 ms: what is left is their own error
    assert found["dQ/dt, order 2"] < 1e-3
    assert found["d2Q/dt2, order 2"] < 1e-3
    assert found["dQ/dt, order 8"] < 1e-7
    assert found["d2Q/dt2, order 8"] < 1e-7
    for figure in (3, 4):
        picture = tmp_path / f"mueller_kumar_figure{figure}.png"
        assert picture.read_bytes()[:4] == b"\x89PNG"
        assert picture.stat().st_size > 50_000


@pytest.mark.slow
def test_garofalo_timing(capsys):
    found = load("garofalo_timing").main(["--quick"])
    assert found["microseconds"] > 0.0
    assert found["ratio"] > 0.0
    assert found["state"] < 0.09
    assert found["C + C^T - dM/dt"] < 1e-12
    for name in ("dM/dt", "dC/dt", "dg/dt"):
        assert found[f"{name} by differences"] < 1e-7  # step 1e-5, central
    assert "ratio" in capsys.readouterr().out


def test_trajectory_optimization(tmp_path, capsys):
    pytest.importorskip("casadi")
    found = load("trajectory_optimization").main(["--quick", "--output", str(tmp_path)])
    exact, differences, estimated, _ = found.values()
    assert exact.converged
    assert exact.iterations < 60
    assert differences.cost == pytest.approx(exact.cost, rel=1e-6)
    assert exact.samples < differences.samples / 100
    assert exact.iterations < estimated.iterations / 4
    printed = capsys.readouterr().out
    assert "closed form, Hessian too" in printed
    assert (tmp_path / "trajectory_optimization.png").is_file() or "no picture" in printed


def test_co_design(tmp_path, capsys):
    pytest.importorskip("scipy")
    found = load("co_design").main(["--quick", "--output", str(tmp_path)])
    assert found["error"] < 1e-7  # fourth-order differences, step 1e-3
    assert found["after"] < 0.5 * found["before"]
    assert found["missed"] < 0.02  # m: fifteen steps do not quite reach the points
    printed = capsys.readouterr().out
    assert (tmp_path / "co_design.png").is_file() or "no picture" in printed


def test_five_bar(tmp_path, capsys):
    found = load("five_bar").main(["--quick", "--output", str(tmp_path)])
    # central differences of order 6 at 5 ms, and of order 2 in the screw
    assert found["dtau/dt"] < 1e-6
    assert found["d2tau/dt2"] < 1e-6
    assert found["dtau/dscrew"] < 1e-8
    printed = capsys.readouterr().out
    assert "5 constraints of rank 2, 2 degrees of freedom" in printed
    assert (tmp_path / "five_bar.png").is_file() or "no picture" in printed


def test_slotine_li(tmp_path, capsys):
    found = load("slotine_li").main(["--quick", "--output", str(tmp_path)])
    adaptive, natural = found["Slotine-Li"], found["natural"]
    for law in (adaptive, natural):
        assert law["last"] < 0.4 * law["first"]
        assert law["last"] < 0.4 * found["fixed"]["last"]
        assert law["rise"] < 1e-9  # rounding
        assert law["largest"] < 20.0
        assert law["mass"] == pytest.approx(3.7355, abs=0.5)
    assert adaptive["last"] < 0.005  # rad
    assert found["fixed"]["last"] > 0.05
    assert natural["eigenvalue"] > 0.0
    assert adaptive["eigenvalue"] < 0.0  # on its way it is no body's
    printed = capsys.readouterr().out
    assert "truth" in printed
    assert (tmp_path / "slotine_li.png").is_file() or "no picture" in printed


def test_excitation(tmp_path, capsys):
    found = load("excitation").main(["--quick", "--output", str(tmp_path)])
    assert found.condition < 0.5 * found.start_condition
    assert max(shares.max() for shares in found.use.values()) <= 1.0
    table = (tmp_path / "excitation.csv").read_text("utf-8").splitlines()
    assert table[0].startswith("t,q_joint1,")
    assert len(table) == 1002
    printed = capsys.readouterr().out
    assert "43 base parameters" in printed
    assert (tmp_path / "excitation.png").is_file() or "no picture" in printed


def crocoddyl_problems() -> ModuleType:
    """The example, where Crocoddyl and the Pinocchio that it was built for are installed."""
    pytest.importorskip("crocoddyl", reason="Crocoddyl is not installed: pip install crocoddyl")
    example = load("crocoddyl_problems")
    if not example.is_compatible():
        pytest.skip("Crocoddyl's wheel was built for another Pinocchio than the installed one")
    return example


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["--quick"], []], ids=["quick", "whole"])
def test_crocoddyl_problems(arguments: list[str]) -> None:
    found = crocoddyl_problems().main(arguments)
    assert set(found) == {"reaching", "walking"}
    for name, kinds in found.items():
        theirs = kinds.pop("Pinocchio")
        assert 3 < theirs["iterations"] < 50, name
        for kind, ours in kinds.items():
            assert ours["iterations"] == theirs["iterations"], (name, kind)
            # rounding, multiplied in every iteration
            assert ours["cost"] == pytest.approx(theirs["cost"], rel=1e-10), (name, kind)
