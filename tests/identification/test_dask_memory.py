"""The memory of workers is that of a piece of a file, however many and however large files are."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from distributed import Client, LocalCluster

from jounce.identification import identify
from jounce.robot import Robot
from support.identify_data import changed, motion, names, two_links

MEGA = 1_000_000


def write_links(arm: Robot, folder: Path, rows: int, count: int) -> int:
    """A file of about 72 bytes a row under several names; the size of all."""
    import pyarrow
    from pyarrow import parquet

    data = motion(changed(arm), rows, step=1e-3, noise=0.02)
    columns = {"t": data.t}
    for k in ("q", "v", "a", "tau"):
        columns |= dict(zip(names(arm, k), getattr(data, k).T, strict=True))
    first = folder / "0.parquet"
    options: Any = {"compression": "none", "use_dictionary": False}
    parquet.write_table(pyarrow.table(columns), first, **options)
    for k in range(1, count):
        os.link(first, folder / f"{k}.parquet")
    return count * first.stat().st_size


@contextmanager
def workers(limit: int) -> Iterator[Client]:
    options: Any = {"processes": True, "threads_per_worker": 1, "dashboard_address": ":0"}
    with (
        LocalCluster(n_workers=2, memory_limit=limit, **options) as cluster,
        Client(cluster) as client,
    ):
        yield client


def peaks(client: Client) -> dict[str, int]:
    """Most memory that each worker, by its process, has had so far, in bytes."""

    def peak() -> tuple[int, int]:
        import os
        from pathlib import Path

        lines = Path("/proc/self/status").read_text().splitlines()
        line = next(line for line in lines if line.startswith("VmHWM"))
        return os.getpid(), 1024 * int(line.split()[1])

    return {str(process): most for process, most in client.run(peak).values()}


_LINUX_ONLY = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="the peak of memory is read from /proc"
)
_COPIES = pytest.mark.filterwarnings("ignore:.* are copies of only:jounce.DataWarning")
pytestmark = [pytest.mark.scale, _LINUX_ONLY, _COPIES]


def test_more_files_take_no_more_memory(tmp_path: Path) -> None:
    arm = two_links()
    size = write_links(arm, tmp_path, 300_000, 10)
    subset = [tmp_path / f"{k}.parquet" for k in range(4)]
    with workers(1000 * MEGA) as client:
        identify(arm, subset, method="wls", client=client)
        before = peaks(client)
        result = identify(arm, tmp_path, method="wls", client=client)
        after = peaks(client)
    assert result.factors.count == 3_000_000
    assert before.keys() == after.keys()  # the same processes
    for process, most in after.items():
        assert most - before[process] < size / 8


@pytest.mark.slow
def test_data_four_times_as_large_as_the_memory(tmp_path: Path) -> None:
    arm, limit = two_links(), 600 * MEGA
    size = write_links(arm, tmp_path, MEGA, 34)
    assert size > 4 * limit
    with workers(limit) as client:
        before = peaks(client)
        result = identify(arm, f"{tmp_path}/*.parquet", client=client)
        after = peaks(client)
    assert result.factors.count == 34 * MEGA
    assert before.keys() == after.keys()
    assert max(after.values()) < limit
