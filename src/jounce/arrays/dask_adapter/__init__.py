"""Dask arrays as arguments of quantities, and computations on Dask clusters.

`kind` handles calls of quantities with Dask arrays, `blocks` builds their graphs, `tasks` are
executed by workers, and `cluster` maps and reduces functions over the workers of a client. Users
import nothing from here: `robot.inverse_dynamics(q, v, a)` takes Dask arrays. Start with `kind.py`.
"""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if TYPE_CHECKING:
    from jounce.arrays.dask_adapter.cluster import Cluster, connect, silence_logs

__all__ = [
    "Cluster",
    "connect",
    "silence_logs",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(
        __name__,
        {
            "Cluster": "jounce.arrays.dask_adapter.cluster",
            "connect": "jounce.arrays.dask_adapter.cluster",
            "silence_logs": "jounce.arrays.dask_adapter.cluster",
        },
    )
