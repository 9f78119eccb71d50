"""Dask's arrays on a cluster of processes: a robot travels once, and is compiled once in each."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import jounce
from jounce import robot as robots
from jounce.compiler.targets.llvm import compiler
from jounce.runtime.kernel import Kernel
from jounce.utils import content_cache

da: Any = pytest.importorskip("dask.array", reason="Dask is an extra: pip install 'jounce[dask]'")
dask: Any = pytest.importorskip("dask")
distributed: Any = pytest.importorskip("distributed")

pytestmark = pytest.mark.scale

RNG = np.random.default_rng(3)
Q, V, A = RNG.normal(size=(3, 60, 2))

#: What happened in this process, if it is a worker that watches.
SEEN: dict[str, int] = {}


def watch() -> None:
    """Count from now on, in a worker: robots that are made, kernels loaded, code compiled."""
    SEEN.clear()
    SEEN.update(made=0, loaded=0, compiled=0)
    content_cache._objects.clear()
    for owner, name, what in (
        (robots.Robot, "__init__", "made"),
        (Kernel, "_compile", "loaded"),
        (compiler, "compile_object", "compiled"),
    ):
        _counted(owner, name, what)


def _counted(owner: Any, name: str, what: str) -> None:
    real = getattr(owner, name)
    real = getattr(real, "uncounted", real)

    def counted(*args: Any, **named: Any) -> Any:
        SEEN[what] += 1
        return real(*args, **named)

    setattr(counted, "uncounted", real)  # noqa: B010
    setattr(owner, name, counted)


def seen() -> dict[str, int]:
    return dict(SEEN)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Two processes with one thread each, and an empty cache between them."""
    options: dict[str, Any] = {"processes": True, "dashboard_address": ":0", "memory_limit": 0}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JOUNCE_CACHE", str(tmp_path_factory.mktemp("workers")))
        with (
            distributed.LocalCluster(n_workers=2, threads_per_worker=1, **options) as cluster,
            distributed.Client(cluster) as made,
        ):
            yield made


def lazy(*arrays: np.ndarray, block: int = 10) -> list[Any]:
    return [da.from_array(x, chunks=(block, *x.shape[1:])) for x in arrays]


def test_results_are_those_of_numpy(client: Any) -> None:
    robot = jounce.load("planar_2r")
    found = robot.inverse_dynamics.derivatives(*lazy(Q, V, A))
    for x, truth in zip(
        dask.compute(*found), robot.inverse_dynamics.derivatives(Q, V, A), strict=True
    ):
        np.testing.assert_array_equal(x, truth)
    closed = jounce.load("five_bar").closed()
    q = np.broadcast_to(closed.reference, (60, closed.nq))
    (lazy_q,) = lazy(q)
    np.testing.assert_array_equal(closed.mass_matrix(lazy_q).compute(), closed.mass_matrix(q))
    q1, v1 = robot.rollout(*lazy(Q, V), np.zeros((3, 2)), 0.01)
    np.testing.assert_array_equal(q1.compute(), robot.rollout(Q, V, np.zeros((3, 2)), 0.01)[0])
    assert v1.shape == (60, 4, 2)


def test_a_robot_is_made_and_compiled_once_per_worker(client: Any) -> None:
    robot = jounce.load("planar_rp")
    given = RNG.normal(size=(3, 64, robot.nv))
    first, second = sorted(client.scheduler_info()["workers"])
    client.run(watch)
    tau = robot.inverse_dynamics(*lazy(*given, block=2))  # 32 tasks
    client.compute(tau, workers=[first]).result()
    assert client.run(seen)[first] == {"made": 1, "loaded": 1, "compiled": 1}
    again = jounce.load("planar_rp").inverse_dynamics(*lazy(*given, block=4))
    client.compute(again, workers=[first]).result()
    assert client.run(seen)[first] == {"made": 1, "loaded": 1, "compiled": 1}
    found = client.compute(again + 0.0, workers=[second]).result()
    assert client.run(seen)[second] == {"made": 1, "loaded": 1, "compiled": 0}  # from the disk
    np.testing.assert_array_equal(found, robot.inverse_dynamics(*given))


def test_the_robot_is_one_value_of_the_graph() -> None:
    robot = jounce.load("kuka_iiwa14")
    alone = len(pickle.dumps(robot))

    def graph(blocks: int) -> dict[Any, Any]:
        given = [da.zeros((blocks * 10, 7), chunks=(10, 7)) for _ in range(3)]
        (found,) = dask.optimize(robot.inverse_dynamics(*given))
        return dict(found.__dask_graph__())

    sizes = {blocks: len(pickle.dumps(graph(blocks))) for blocks in (10, 110)}
    assert sum(str(key).startswith("jounce-") for key in graph(10)) == 1
    assert (sizes[110] - sizes[10]) / 100 < 2000 < alone


def test_names_are_those_of_the_content() -> None:
    q, v, a = lazy(Q, V, A)

    def names(robot: Any) -> list[str]:
        closed = jounce.load("five_bar").closed()
        (at,) = lazy(np.broadcast_to(closed.reference, (4, closed.nq)))
        table, tool = robot.parametric, robot.frame(robot.model.frame_names[-1])
        return [
            robot.inverse_dynamics(q, v, a).name,
            robot.inverse_dynamics(q, a, v).name,
            robot.inverse_dynamics(q, v, a, wrenches=np.ones((2, 6))).name,
            robot.inverse_dynamics(q, v, a, dtype="f4").name,
            robot.inverse_dynamics.dq(q, v, a).name,
            robot.step(q, v, a, 0.1)[0].name,
            robot.step(q, v, a, 0.2)[0].name,
            robot.step(q, v, a, 0.1, method="rk4")[0].name,
            robot.bias_forces.rates(1)(q, v, a)[1].name,
            table.bias_forces(q, v, robot.model.parameters).name,
            tool.pose(q).name,
            robot.rollout(q, v, np.zeros((3, 2)), 0.1)[0].name,
            robot.rollout(q, v, np.zeros((3, 2)), 0.1, method="rk4")[0].name,
            robot.limits.contains(q).name,
            robot.limits.contains(q, tolerance=1.0).name,
            closed.mass_matrix(at).name,
            jounce.lie.so3.exp(da.ones((4, 3))).name,
        ]

    found = names(jounce.load("planar_2r"))
    assert found == names(jounce.load("planar_2r"))
    assert len({*found}) == len(found)
    other = names(jounce.load("planar_2r", gravity=(0.0, 0.0, 0.0)))
    assert [x for x, y in zip(found, other, strict=True) if x == y] == found[-2:]


def test_blocks_follow_their_elementwise_neighbors() -> None:
    """What comes before and after a quantity, block by block, is in its tasks."""
    robot = jounce.load("planar_2r")
    q, v, a = (x * da.ones((60, 2), chunks=(10, 2)) for x in (1.0, 2.0, 3.0))
    found = (2.0 * robot.inverse_dynamics(q + 1.0, v, a) ** 2).sum(axis=1)
    (optimized,) = dask.optimize(found)
    assert len(dict(optimized.__dask_graph__())) <= 2 * 6 + 1


def test_a_limit_on_operations_goes_along(client: Any) -> None:
    """What warmup(limit=None) allows here is allowed there."""
    robot = jounce.load("planar_2r")
    client.run(_set_limit, "10")
    try:
        with pytest.raises(jounce.KernelTooLargeError):
            robot.forward_dynamics(*lazy(Q, V, A)).compute()
        robot.forward_dynamics.warmup(limit=None)
        found = robot.forward_dynamics(*lazy(Q, V, A)).compute()
    finally:
        client.run(_set_limit, None)
    np.testing.assert_array_equal(found, robot.forward_dynamics(Q, V, A))


def _set_limit(limit: str | None) -> None:
    content_cache._objects.clear()
    if limit is None:
        os.environ.pop("JOUNCE_LIMIT", None)
    else:
        os.environ["JOUNCE_LIMIT"] = limit


def _listening() -> set[tuple[Any, ...]]:
    """Process, address and port of all sockets on which this process or a child of it listens."""
    import psutil

    here = psutil.Process()
    return {
        (process.pid, *found.laddr)
        for process in (here, *here.children(recursive=True))
        for found in process.net_connections("inet")
        if found.status == psutil.CONN_LISTEN
    }


def test_local_workers_listen_on_the_loopback_interface_and_show_no_pages() -> None:
    from urllib.error import HTTPError
    from urllib.request import urlopen

    from jounce.arrays.dask_adapter.cluster import connect

    before = _listening()
    with connect("local") as local:
        assert local.submit(sum, [1, 2]).result() == 3
        new = _listening() - before
        assert len(new) >= 4  # scheduler, nanny, worker, and web servers
        assert {address for _, address, _ in new} == {"127.0.0.1"}
        pages = [local.scheduler_info()["services"]["dashboard"]]
        pages += [x["services"]["dashboard"] for x in local.scheduler_info()["workers"].values()]
        for port in pages:
            for path in ("status", "info/main/workers.html", "json/index.html", "health"):
                with pytest.raises(HTTPError, match="404"):
                    urlopen(f"http://127.0.0.1:{port}/{path}", timeout=20.0)
