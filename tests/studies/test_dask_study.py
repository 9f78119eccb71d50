"""Studies on a cluster of processes: the same answer as here, also when a worker dies."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from distributed import Client, LocalCluster
from distributed.protocol import dumps

import jounce
from jounce.arrays.dask_adapter import cluster
from jounce.errors import ArgumentError, DataError
from jounce.studies import Study, engine, study
from jounce.studies.engine import run_chunks

pytestmark = pytest.mark.scale


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    workers = LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    )
    with workers, Client(workers) as made:
        yield made


def _case() -> tuple[jounce.Robot, tuple[np.ndarray, ...], dict[str, Any]]:
    robot = jounce.load("planar_2r")
    rng = np.random.default_rng(0)
    v, a = rng.normal(size=(2, 40, 2))
    vary = {"inertia": "5%", "placement": "1mm"}
    return robot, (robot.random(rng, 40), v, a), {"vary": vary, "samples": 150_000, "seed": 3}


def _same(a: Study, b: Study) -> None:
    for name in ("mean", "std", "covariance", "quantiles", "low", "high", "first", "total"):
        ours, theirs = getattr(a, name), getattr(b, name)
        atol = 1e-9 * np.abs(theirs).max()
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=atol, err_msg=name)
    assert [x.sample for x in a.worst] == [x.sample for x in b.worst]


@pytest.fixture(scope="module")
def here() -> Study:
    robot, arguments, how = _case()
    return study(robot, arguments, **how, threads=1)


def test_a_cluster_gives_the_same_answer(client, here):
    robot, arguments, how = _case()
    result = study(robot, arguments, **how, client=client)
    assert result.problem.chunks > 8
    _same(result, here)


def test_the_address_of_a_scheduler_is_enough(client, here):
    robot, arguments, how = _case()
    _same(study(robot, arguments, **how, client=client.scheduler.address), here)


def test_workers_without_a_gpu_use_their_processor(client, here):
    robot, arguments, how = _case()
    _same(study(robot, arguments, **how, client=client, devices="all"), here)


def test_the_robot_travels_once_to_each_worker(client, monkeypatch):
    """Tasks hold the number of their chunks, not the robot: it is a task that they wait for."""
    robot, arguments, how = _case()
    problem = study(robot, arguments, **{**how, "samples": 10}).problem
    sizes = []
    submit = client.submit

    def watch(function, *given, **options):
        sizes.append(sum(len(bytes(x)) for x in dumps((function, given))))
        return submit(function, *given, **options)

    monkeypatch.setattr(client, "submit", watch)
    result = engine.run_cluster(problem, client, False)
    assert result.count == 10
    assert sizes[0] > 3000
    assert max(sizes[1:]) < 2000


def test_a_client_that_is_none_is_refused():
    robot, arguments, how = _case()
    with pytest.raises(ArgumentError, match="expected a Dask client, a cluster, an address"):
        study(robot, arguments, **how, client=5)


def test_a_client_that_cannot_be_waited_for_is_refused(client, monkeypatch):
    robot, arguments, how = _case()
    monkeypatch.setattr(Client, "asynchronous", property(lambda self: True))
    with pytest.raises(ArgumentError, match="asynchronous"):
        study(robot, arguments, **how, client=client)


def _dying(folder: Path) -> Any:
    """A task whose worker dies the first time that the third one is tried."""

    def work(shared, chunks):
        (folder / f"{chunks.start}-{os.getpid()}-{len(os.listdir(folder))}").touch()
        if chunks.start == 8 and not (folder / "died").exists():
            (folder / "died").touch()
            os._exit(1)
        return run_chunks(shared[0], chunks, None)

    return work


def test_a_worker_that_dies_changes_nothing(client, here, tmp_path, monkeypatch):
    robot, arguments, how = _case()
    monkeypatch.setattr(engine, "run_task", _dying(tmp_path))
    result = study(robot, arguments, **how, client=client)
    assert (tmp_path / "died").exists()
    _same(result, here)
    tried = [int(path.name.partition("-")[0]) for path in tmp_path.glob("*-*")]
    assert {*tried} == {*range(0, result.problem.chunks, 4)}
    assert tried.count(8) >= 2


def test_errors_of_workers_come_here(client, monkeypatch):
    def fail(shared, chunks):
        raise DataError("sample 5 has no finite result")

    robot, arguments, how = _case()
    monkeypatch.setattr(engine, "run_task", fail)
    with pytest.raises(DataError, match="sample 5"):
        study(robot, arguments, **how, client=client)


def test_a_scheduler_that_does_not_answer_is_named(monkeypatch):
    robot, arguments, how = _case()
    monkeypatch.setattr(cluster, "_CONNECT_TIMEOUT", 0.2)
    with pytest.raises(ArgumentError, match=r"no Dask scheduler answers at 'tcp://127\.0\.0\.1:9'"):
        study(robot, arguments, **how, client="tcp://127.0.0.1:9")


def test_a_scheduler_that_forgets_is_told_of(client, monkeypatch):
    robot, arguments, how = _case()
    done = cluster.Cluster._track_done

    def restart(self, *given):
        client.restart()
        return done(self, *given)

    monkeypatch.setattr(cluster.Cluster, "_track_done", restart)
    with pytest.raises(
        DataError, match=r"restarted with \d+ of \d+ parts of the study done; the same"
    ):
        study(robot, arguments, **how, client=client)
