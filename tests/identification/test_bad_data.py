"""Data that are no measurements, or copies of a few: what is refused, and what is warned of."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.identification import identify, open_recording
from jounce.robot import Robot
from jounce.studies import read_trajectory
from support.identify_data import changed, motion

DataError, DataWarning = jounce.DataError, jounce.DataWarning


def messages_of(robot: Robot, given: dict[str, np.ndarray], **options: Any) -> list[str]:
    """Warnings of an identification."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DataWarning)
        identify(robot, given, **{"method": "ols", "folds": 0, **options})
    return [str(w.message) for w in caught]


# ------------------------------------------------------------------ no numbers


def test_columns_of_true_and_false(arm: Robot, tmp_path: Path) -> None:
    data = motion(changed(arm), 60)
    flags = data.t > 0.3
    for name in ("t", "q_joint1", "tau_joint2"):
        rows = np.column_stack((data.q, data.tau)).T
        arguments: dict[str, Any] = dict(
            zip(("q_joint1", "q_joint2", "tau_joint1", "tau_joint2"), rows, strict=True)
        )
        arguments |= {"t": data.t, name: flags}
        np.savez(tmp_path / "log.npz", **arguments)
        match = f"column '{name}' must be real numbers, found true and false"
        for log in (arguments, tmp_path / "log.npz"):
            with pytest.raises(DataError, match=match):
                identify(arm, log, method="ols")
    mapped = open_recording(data.arrays("q", "tau") | {"brake": flags}, arm, columns={"t": "brake"})
    with pytest.raises(DataError, match="column 'brake' must be real numbers"):
        next(mapped.read(10))
    with pytest.raises(DataError, match=r"column 'q\[0\]' must be real numbers"):
        read_trajectory(arm, {"t": data.t, "q": data.q > 0.0})
    topic = {"t": data.t, "position": data.q > 0.0, "effort": data.tau}
    with pytest.raises(DataError, match="'position' must be real numbers, found true"):
        open_recording({"/states": topic}, arm)
    beside = data.arrays() | {"torque_enabled": flags, "moving": flags}  # flags, not measurements
    assert identify(arm, beside, method="ols", folds=0).summary.used == 60


def test_columns_of_true_and_false_in_parquet(arm: Robot, tmp_path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    data = motion(changed(arm), 60)
    columns = {"q_joint1": data.q[:, 0] > 0.0, "q_joint2": data.q[:, 1], "t": data.t}
    columns |= {"tau_joint1": data.tau[:, 0], "tau_joint2": data.tau[:, 1]}
    parquet.write_table(pyarrow.table(columns), tmp_path / "log.parquet")
    with pytest.raises(DataError, match="column 'q_joint1' must be numbers, found bool"):
        identify(arm, tmp_path / "log.parquet", method="ols")


# ------------------------------------------------------------------ copies


def test_copies_of_a_recording(arm: Robot) -> None:
    """They are called copies, not outliers: the noise is judged by all rows that differ."""
    data = motion(changed(arm), 400, noise=0.02).arrays("t", "q", "v", "tau")
    again = {k: np.concatenate([x] * 250) for k, x in data.items()}
    messages = messages_of(arm, again, friction=True)
    assert len(messages) == 2, messages
    assert "its 96000 rows are copies of only 384 different ones; remove the copies" in messages[0]
    assert "time does not increase at 249 of 100000 rows" in messages[1]


def test_copies_of_one_row(arm: Robot) -> None:
    data = motion(changed(arm), 60).arrays()
    still = {k: np.repeat(x[37:38], 250, axis=0) for k, x in data.items()}
    for arguments in (still, {k: still[k] for k in ("q", "tau")}):
        options: Any = {} if "v" in arguments else {"rate": 100.0}
        messages = messages_of(arm, arguments, **options)
        assert any("q and v are the same in all 2" in m for m in messages), messages
        assert not any("constant columns" in m for m in messages)


def test_trajectories(arm: Robot) -> None:
    """Units are checked in those of studies too."""
    data = motion(changed(arm), 200).arrays("t", "q", "v", "a")
    with pytest.raises(
        DataError, match=r"'v \[rad\]\[0\]' is in 'rad', expected a unit of angular"
    ):
        read_trajectory(arm, {"t": data["t"], "q": data["q"], "v [rad]": data["v"]})
