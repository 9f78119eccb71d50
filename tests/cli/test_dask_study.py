"""`jounce study --dask`: the same numbers from workers, and a sentence where there are none."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from distributed import LocalCluster

import jounce
from jounce import cli

pytestmark = pytest.mark.scale

VARY = ["--vary", "inertia=5%", "--samples", "500", "--json"]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A study of a short motion."""
    monkeypatch.chdir(tmp_path)
    t = np.linspace(0.0, 1.0, 11)
    names = jounce.load("planar_2r").model.joint_names
    head = ",".join(("t", *(f"q_{x}" for x in names)))
    table = np.column_stack((t, np.sin(t), np.cos(t)))
    np.savetxt("t.csv", table, delimiter=",", header=head, comments="")
    return ["study", "planar_2r", "--trajectory", "t.csv", *VARY]


def test_workers_find_the_same_numbers(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    result = []
    options: dict[str, Any] = {
        "processes": True,
        "threads_per_worker": 1,
        "dashboard_address": ":0",
    }
    workers: Any = LocalCluster(n_workers=2, **options)
    with workers as cluster:
        for extra in ([], ["--dask", cluster.scheduler_address]):
            cli.main([*command, *extra])
            result.append(json.loads(capsys.readouterr().out))
            del result[-1]["seconds"]
    assert result[0].keys() == result[1].keys()
    for name in ("mean", "std", "quantiles", "total"):
        np.testing.assert_allclose(result[0][name], result[1][name], rtol=0, atol=1e-9)


def test_an_address_where_nobody_is(command: list[str]) -> None:
    address = "tcp://127.0.0.1:1"
    with pytest.raises(SystemExit, match=f"^jounce study: [^\n]*{re.escape(address)}"):
        cli.main([*command, "--dask", address])
