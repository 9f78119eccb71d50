"""Identification on clusters of Dask: the same bits as here, whatever happens to workers."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from distributed import Client, LocalCluster, Status

import jounce
from jounce.arrays.dask_adapter import cluster as crews
from jounce.cli import main
from jounce.errors import ArgumentError, DataError, DataWarning
from jounce.identification import identify
from jounce.identification.partition_reader import PartitionReader
from jounce.io.urdf.write import write_urdf
from jounce.robot import Robot
from support.helpers import assert_close
from support.identify_data import Motion, changed, cut, motion, quiet, write_logs, write_parquet
from support.identify_mechanisms import changed_mechanism, mechanism_motion

pytestmark = pytest.mark.scale

COUNT = 7
CUTS = (100, 130, 400, 650, 900, 1100)


@pytest.fixture(scope="module")
def data(arm: Robot) -> Motion:
    return motion(changed(arm), 1300, noise=0.02)


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    options: Any = {"processes": True, "threads_per_worker": 1, "dashboard_address": ":0"}
    with LocalCluster(n_workers=2, **options) as result:
        yield result


@pytest.fixture(scope="module")
def client(cluster: LocalCluster) -> Iterator[Client]:
    with Client(cluster) as result:
        yield result


@pytest.fixture
def logs(arm: Robot, data: Motion, tmp_path: Path) -> Path:
    return write_logs(arm, data, tmp_path / "logs", *CUTS)


def same(found: Any, expected: Any) -> None:
    """Bit for bit."""
    for name in ("theta", "validation", "rms"):
        assert np.array_equal(getattr(found, name), getattr(expected, name), equal_nan=True)
    assert np.array_equal(found.kept.tau, expected.kept.tau)
    assert str(found.summary) == str(expected.summary)


# ------------------------------------------------------------------ the same answer


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"metric": "geodesic", "folds": 0},
        {"method": "wls", "robust": "huber", "friction": True},
        {"method": "tls", "momentum": True, "cutoff": 10.0, "skip_broken": True},
    ],
)
def test_workers_find_the_same(
    options: Any, client: Client, arm: Robot, data: Motion, logs: Path
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # a file that is too short for the filter
        current = identify(arm, f"{logs}/*.parquet", **options)
        is_present = identify(arm, f"{logs}/*.parquet", client=client, **options)
    same(is_present, current)
    if "momentum" not in options:
        full = identify(arm, data.arrays(), **options)
        assert_close(is_present.theta, full.theta, 1e-10)
        assert_close(is_present.validation, full.validation, 1e-10)


def test_floating_bases_and_mechanisms(client: Client, tmp_path: Path) -> None:
    closed = jounce.load("five_bar").closed(("joint1", "joint4"))
    motions = mechanism_motion(changed_mechanism(closed), 200, 0.15, noise=0.01)
    robot, rng = quiet("kuka_iiwa14", base="floating"), np.random.default_rng(3)
    q = np.stack([robot.random(k) for k in range(300)])
    v, a = rng.normal(size=(2, 300, robot.nv))
    tau = changed(robot).inverse_dynamics(q, v, a)
    arrays = {"q": q, "v": v, "a": a, "tau": tau + 0.1 * rng.normal(size=tau.shape)}
    for owner, arguments in ((closed, motions.arrays("q", "v", "a", "tau")), (robot, arrays)):
        n = len(arguments["q"])
        edges = ((0, 50), (50, 51), (51, n))
        parts = [{k: x[a:b] for k, x in arguments.items()} for a, b in edges]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DataWarning)
            current, is_present, full = (
                identify(owner, x, method="wls", client=y)
                for x, y in ((parts, None), (parts, client), (arguments, None))
            )
        same(is_present, current)
        assert_close(is_present.theta, full.theta, 1e-10)


def test_frames_of_dask_come_in_partitions(client: Client, arm: Robot, logs: Path) -> None:
    frames = pytest.importorskip("dask.dataframe", reason="Dask has its frames in an extra")
    frame = frames.read_parquet([str(path) for path in sorted(logs.iterdir())])
    assert frame.npartitions > 1
    files = identify(arm, logs, method="wls")
    current = identify(arm, frame, method="wls")
    is_present = identify(arm, frame, method="wls", client=client)
    same(is_present, current)
    assert current.summary.partitions == frame.npartitions
    assert_close(current.theta, files.theta, 1e-10)


def test_kept_records(client: Client, arm: Robot, logs: Path, tmp_path: Path) -> None:
    current = identify(arm, logs, method="wls", keep=tmp_path / "here")
    is_present = identify(arm, logs, method="wls", keep=tmp_path / "there", client=client)
    same(is_present, current)
    same(identify(arm, logs, method="wls", keep=tmp_path / "here", client=client), current)
    names = [sorted(x.name for x in (tmp_path / place).iterdir()) for place in ("here", "there")]
    assert names[0] == names[1]
    assert len(names[0]) == COUNT


def test_broken_parts(client: Client, arm: Robot, data: Motion, logs: Path) -> None:
    part = cut(data, *CUTS)[3]
    write_parquet(
        arm, Motion(part.t, part.q, part.v, part.a, part.tau * np.nan), logs / "3.parquet"
    )
    (logs / "5.parquet").write_bytes(b"no Parquet")
    with pytest.raises(DataError, match=r"logs/5.parquet: .*; skip_broken=True"):
        identify(arm, logs, client=client)
    (logs / "5.parquet").unlink()
    match = r"logs/3.parquet: none of its 250 rows can be used: 250 have missing .* skip_broken="
    with pytest.raises(DataError, match=match):
        identify(arm, logs, client=client)
    with pytest.warns(DataWarning, match=r"1 of 6 partitions left out: .*logs/3.parquet \("):
        result = identify(arm, logs, client=client, skip_broken=True)
    assert result.factors.count == 1300 - 250 - 200


# ------------------------------------------------------------------ failures


def test_a_worker_that_dies_in_the_middle(
    cluster: LocalCluster, client: Client, arm: Robot, logs: Path, tmp_path: Path
) -> None:
    flag = str(tmp_path / "dead")

    def plant() -> None:
        """Die with some rows of a file read, once: the flag is seen by all."""
        import os

        from jounce.identification.regression import Factors

        add = Factors.add

        def deadly(self: Any, *args: Any) -> None:
            add(self, *args)
            if not os.path.exists(flag):
                with open(flag, "x"):
                    os._exit(1)

        Factors.add = deadly  # type: ignore[method-assign]

    expected = identify(arm, logs)
    client.run(plant)  # does nothing any more once the flag is there
    result = identify(arm, logs, client=client)
    assert os.path.exists(flag)
    same(result, expected)


def slowly() -> Callable[[], None]:
    """Delay of half a second per file on a worker; nested functions are pickled by value."""

    def slow() -> None:
        import time

        from jounce.identification.partition_reader import PartitionReader

        read = PartitionReader.read

        def late(self: Any, *args: Any) -> Any:
            time.sleep(0.5)
            return read(self, *args)

        PartitionReader.read = late  # type: ignore[method-assign]

    return slow


def after(keep: Path, count: int, do: Callable[[], Any]) -> threading.Thread:
    """A thread that does something once so many records are kept."""

    def wait() -> None:
        for _ in range(6000):
            if keep.exists() and len(list(keep.glob("*.record"))) >= count:
                do()
                return
            time.sleep(0.02)

    thread = threading.Thread(target=wait)
    thread.start()
    return thread


def test_a_cluster_that_is_restarted(arm: Robot, logs: Path, tmp_path: Path) -> None:
    keep = tmp_path / "kept"
    options: Any = {"processes": True, "threads_per_worker": 1, "dashboard_address": ":0"}
    with LocalCluster(n_workers=1, **options) as part, Client(part, set_as_default=False) as client:
        client.run(slowly())
        thread = after(keep, 2, lambda: client.restart(timeout=120.0))
        match = r"scheduler was lost or restarted with \d of 7 partitions done; run it again: "
        with pytest.raises(DataError, match=match):
            identify(arm, logs, client=client, keep=keep)
        thread.join()
        done = len(list(keep.glob("*.record")))
        assert 2 <= done < COUNT
        same(identify(arm, logs, client=client, keep=keep), identify(arm, logs))


def test_workers_may_be_elsewhere(
    client: Client, arm: Robot, logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (logs / "2.parquet").write_bytes(b"no Parquet")
    monkeypatch.chdir(logs)
    options: Any = {"method": "wls", "skip_broken": True}
    with pytest.warns(DataWarning, match=r": 2.parquet \(Parquet magic bytes not found"):
        current = identify(arm, "*.parquet", **options)
    with pytest.warns(DataWarning, match=r": 2.parquet \(Parquet magic bytes not found"):
        is_present = identify(arm, "*.parquet", client=client, **options)
    same(is_present, current)
    item = identify(arm, "6.parquet", client=client, method="wls")
    assert item.summary.source == "6.parquet"


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense"])
def test_dead_addresses(address: str, arm: Robot, logs: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(crews, "_CONNECT_TIMEOUT", 1.0)
    with pytest.raises(ArgumentError, match=f"client: .*'{address}'"):
        identify(arm, logs, client=address)


@pytest.mark.parametrize("given", [3, object()])
def test_what_is_no_client(given: Any, arm: Robot, logs: Path) -> None:
    with pytest.raises(ArgumentError, match="client: expected a Dask client, a cluster, an"):
        identify(arm, logs, client=given)


def test_closed_clients(cluster: LocalCluster, arm: Robot, logs: Path) -> None:
    closed = Client(cluster, set_as_default=False)
    closed.close()
    with pytest.raises(
        ArgumentError, match="client: expected a connected client, found one that is closed"
    ):
        identify(arm, logs, client=closed)


def test_no_workers(arm: Robot, logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crews, "_WORKER_TIMEOUT", 0.2)
    monkeypatch.setattr(crews, "_CHECK_INTERVAL", 0.1)
    with LocalCluster(n_workers=0, processes=False, dashboard_address=":0") as empty:
        match = (
            r"client: the cluster has had no workers for 0.2 s, with 0 of 7 partitions done; start"
            r" workers, or wait for them with client.wait_for_workers\(1\), then "
        )
        with pytest.raises(DataError, match=match):
            identify(arm, logs, client=empty)


def test_paused_workers(arm: Robot, logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate a worker whose own memory is close to its limit."""
    monkeypatch.setattr(crews, "_WORKER_TIMEOUT", 0.5)
    monkeypatch.setattr(crews, "_CHECK_INTERVAL", 0.1)
    options: Any = {"processes": False, "dashboard_address": ":0", "memory_limit": 0}
    with LocalCluster(n_workers=1, **options) as full, Client(full, set_as_default=False) as part:
        part.run(_pause)
        match = (
            "its only worker has been paused for 0.5 s, out of memory, with .* done; give workers"
            " more memory, then "
        )
        with pytest.raises(DataError, match=match):
            identify(arm, logs, client=part)


def _pause(dask_worker: Any) -> None:
    dask_worker.status = Status.paused


def test_long_waits_keep_one_watch(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking at the workers now and then leaves nothing behind."""
    monkeypatch.setattr(crews, "_CHECK_INTERVAL", 0.05)
    made = []
    watch = crews.as_completed
    monkeypatch.setattr(crews, "as_completed", lambda *x, **y: made.append(1) or watch(*x, **y))
    result = dict(crews.Cluster(client).each(_slowly, 2, range(8), "waiting"))
    assert result == {k: 2 * k for k in range(8)}
    assert len(made) == 1


def _slowly(shared: int, item: int) -> int:
    time.sleep(0.1)
    return shared * item


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and a worker, each in a process of its own, as on machines of their own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    dask = [sys.executable, "-m", "dask"]
    part: Any = {"cwd": tmp_path, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    words = (
        [*dask, "scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"],
        [*dask, "worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard"],
    )
    processes = [subprocess.Popen(command, **part) for command in words]
    try:
        yield address, processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_a_scheduler_that_is_lost(
    scheduler: tuple[str, list[subprocess.Popen[bytes]]],
    arm: Robot,
    logs: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address, processes = scheduler
    keep, count = tmp_path / "kept", 0
    expected = identify(arm, logs)

    monkeypatch.setattr(crews, "_CONNECT_TIMEOUT", 30.0)  # the processes have just been started
    with crews.connect(address) as client, crews.connect(address):
        client.wait_for_workers(1, timeout=30)
        client.run(slowly())
        killer = after(keep, 2, processes[0].kill)
        match = r"scheduler was lost .*with \d of 7 partitions done; run it again: .*kept"
        with pytest.raises(DataError, match=match):
            identify(arm, logs, client=client, keep=keep)
        killer.join()
    done = len(list(keep.glob("*.record")))
    assert 2 <= done < COUNT
    read = PartitionReader.read

    def count_call(self: PartitionReader, *args: Any, **options: Any) -> Any:
        nonlocal count
        count += 1
        return read(self, *args, **options)

    monkeypatch.setattr(PartitionReader, "read", count_call)
    same(identify(arm, logs, keep=keep), expected)
    assert count == COUNT - done


# ------------------------------------------------------------------ the command line


def test_on_the_command_line(
    cluster: LocalCluster,
    client: Client,
    arm: Robot,
    logs: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    robot, keep = tmp_path / "arm.urdf", tmp_path / "kept"
    write_urdf(arm.model, robot)
    words = ["identify", str(robot), f"{logs}/*.parquet", "--json"]
    main(words)
    current = capsys.readouterr().out
    main([*words, "--dask", cluster.scheduler_address, "--keep", str(keep)])
    assert capsys.readouterr().out == current
    assert len(list(keep.iterdir())) == COUNT
    monkeypatch.setattr(crews, "_CONNECT_TIMEOUT", 1.0)
    with pytest.raises(SystemExit, match=r"no Dask scheduler answers at 'tcp://127.0.0.1:9'"):
        main([*words, "--dask", "tcp://127.0.0.1:9"])


class Held:
    """An array with a lock, which cannot be pickled."""

    def __init__(self, array: np.ndarray) -> None:
        self.array, self.lock = array, threading.Lock()

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.asarray(self.array, dtype)


def test_what_cannot_be_sent_is_named(arm: Robot, data: Motion, client: Client) -> None:
    parts = [part.arrays() for part in cut(data, 650)]
    held = {k: Held(x) for k, x in parts[1].items()}
    expected = identify(arm, parts, method="ols", folds=0)
    result = identify(arm, [parts[0], held], method="ols", folds=0)
    assert_close(result.theta, expected.theta, 0.0)
    match = r"part 1 of the data: .*sent to workers, found dict, .*lock.*; write it to a file"
    with pytest.raises(DataError, match=match):
        identify(arm, [parts[0], held], method="ols", folds=0, client=client)
