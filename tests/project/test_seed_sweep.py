"""The sweep over seeds repeats what draws, changes what it draws, and says what failed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

CONFTEST = """
from support.seed_sweep import SeedSweep, add_options

def pytest_addoption(parser):
    add_options(parser)

def pytest_configure(config):
    if config.option.seeds:
        config.pluginmanager.register(SeedSweep(config))
"""
TESTS = """
from functools import cache
import numpy as np
import pytest

@pytest.fixture
def made():
    return np.random.default_rng(1).random()

@cache
def kept():
    return np.random.default_rng(2).random()

def test_certain():
    assert True

def test_lucky():
    assert np.random.default_rng(0).random() < 0.64

def test_lucky_by_a_fixture(made):
    assert made < 0.52

def test_lucky_by_a_cache():
    assert kept() < 0.27

@pytest.fixture(scope="module")
def shared():
    return np.random.default_rng(3).random()

def test_same_seed(shared):
    assert np.random.default_rng(3).random() == shared

def test_sure():
    assert np.random.default_rng(0).random() < 1.0

def test_skipped():
    pytest.skip("not today")
"""


def sweep(folder: Path, *options: str) -> tuple[int, dict[str, dict[str, object]]]:
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_luck.py").write_text(TESTS)
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    env["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--seed-report=found.json"]
    done = subprocess.run(
        [*command, *options],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    lines = [json.loads(line) for line in (folder / "found.json").read_text().splitlines()]
    return done.returncode, {x["test"].partition("::")[2]: x for x in lines}


def test_rounds_and_failures(tmp_path: Path) -> None:
    code, found = sweep(tmp_path, "--seeds=40")
    assert code == 1
    counts = {name: x["seeds"] for name, x in found.items()}
    assert counts == {
        "test_certain": 1,
        "test_lucky": 40,
        "test_lucky_by_a_fixture": 40,
        "test_lucky_by_a_cache": 39,  # one to find out that the cache draws
        "test_same_seed": 40,
        "test_sure": 40,
        "test_skipped": 1,
    }
    for name, x in found.items():
        failed = x["failed"]
        assert isinstance(failed, list)
        assert 0 not in failed, name  # round 0 is the test as written
        assert bool(failed) == ("lucky" in name), name


def test_one_round_again(tmp_path: Path) -> None:
    _, found = sweep(tmp_path, "--seeds=40", "-k=lucky")
    failed = found["test_lucky"]["failed"]
    assert isinstance(failed, list)
    (tmp_path / "found.json").unlink()
    code, again = sweep(tmp_path, "--seeds=1", f"--seed-start={failed[0]}", "-k=test_lucky")
    assert code == 1
    assert again["test_lucky"]["failed"] == failed[:1]


def test_seconds_bound_the_rounds(tmp_path: Path) -> None:
    _, found = sweep(tmp_path, "--seeds=40", "--seed-seconds=0", "-k=test_sure")
    assert found["test_sure"]["seeds"] == 2
