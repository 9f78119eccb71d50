"""Passes over many files: what cannot be read is named, in whichever pass it is."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.identification import identify
from jounce.identification.partition_reader import PartitionReader, PartitionTask
from jounce.robot import Robot
from support.identify_data import changed, cut, motion, write_logs, write_parquet

DataError, DataWarning = jounce.DataError, jounce.DataWarning


@pytest.fixture
def logs(arm: Robot, tmp_path: Path) -> Path:
    """A folder of four files."""
    return write_logs(arm, motion(changed(arm), 1200, noise=0.02), tmp_path, 300, 600, 900)


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("skip_broken", [False, True])
def test_files_that_go_between_passes(
    keep: bool, skip_broken: bool, arm: Robot, logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are part of the first pass, and must not be missing in another."""
    read = PartitionReader.read

    def then_gone(self: PartitionReader, task: PartitionTask, **options: Any) -> Any:
        result = read(self, task, **options)
        if task.name.endswith("3.parquet"):
            (logs / "1.parquet").write_bytes(b"no Parquet")
        return result

    monkeypatch.setattr(PartitionReader, "read", then_gone)
    options: Any = {"keep": logs / "kept"} if keep else {}
    with pytest.raises(DataError, match=r"1.parquet: .* in the pass before: run it again"):
        identify(arm, logs, robust="huber", skip_broken=skip_broken, **options)


@pytest.mark.parametrize("momentum", [False, True])
def test_files_too_slow_for_the_cutoff(momentum: bool, arm: Robot, logs: Path) -> None:
    """At another rate than the others: their own matter, not that of the options."""
    robot = changed(arm)
    quantities = ("q", "v", "tau")
    for k in range(3):
        write_parquet(arm, motion(robot, 600, seed=k), logs / f"{k}.parquet", *quantities)
    write_parquet(arm, motion(robot, 600, 0.05), logs / "3.parquet", *quantities)
    options: Any = {"method": "ols", "folds": 0, "cutoff": 12.0, "momentum": momentum}
    match = r"3.parquet: cutoff: expected a frequency between 0 and 10 Hz .*found 12.0.*skip_broken"
    with pytest.raises(DataError, match=match):
        identify(arm, logs, **options)
    with pytest.warns(DataWarning, match=r"1 of 4 partitions left out: .*3.parquet \(cutoff: "):
        result = identify(arm, logs, skip_broken=True, **options)
    assert result.summary.rows == 1800


def test_blocks_that_lose_files_are_told_of(arm: Robot, logs: Path) -> None:
    """A file that cannot be used is known only when it is read, as that with a wild row is."""
    part = motion(changed(arm), 300, noise=0.02)
    tau = part.tau.copy()
    tau[250] = 1e20
    options: Any = {"method": "ols", "skip_broken": True, "trust_units": True, "folds": 4}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DataWarning)
        assert len(identify(arm, logs, **options).validation) == 4
    assert not any("cross-validation" in str(w.message) for w in caught)
    write_parquet(arm, replace(part, tau=tau), logs / "1.parquet")
    match = (
        r"1.parquet \(row 250.*; so the blocks of cross-validation .* length, and 3 of 4 are left$"
    )
    with pytest.warns(DataWarning, match=match):
        assert len(identify(arm, logs, **options).validation) == 3


@pytest.mark.parametrize(("again", "label"), [(True, "row"), (False, "time (s)")])
def test_recordings_that_all_begin_at_zero(again: bool, label: str, arm: Robot) -> None:
    """Are drawn one after the other."""
    pytest.importorskip("matplotlib", reason="plots need matplotlib")
    parts = [part.arrays() for part in cut(motion(changed(arm), 600, noise=0.02), 300)]
    if again:
        parts[1]["t"] = parts[0]["t"]
    axes = identify(arm, parts, method="ols", folds=0).plots()["torques"].axes
    assert axes[-1].get_xlabel() == label
    assert np.all(np.diff(axes[0].lines[0].get_xdata()) > 0.0)
