"""Dask arrays as arguments of quantities, and computations on Dask clusters.

`kind` serves calls of quantities with Dask arrays, `blocks` builds their graphs, `tasks` is what
workers execute, and `cluster` maps and reduces functions over the workers of a client. Users need
nothing from here: `robot.inverse_dynamics(q, v, a)` takes Dask arrays. Start with `kind.py`.
"""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if TYPE_CHECKING:
    from jounce.arrays.dask_adapter.cluster import Cluster, connected, quiet

__all__ = [
    "Cluster",
    "connected",
    "quiet",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(
        __name__,
        {
            "Cluster": "jounce.arrays.dask_adapter.cluster",
            "connected": "jounce.arrays.dask_adapter.cluster",
            "quiet": "jounce.arrays.dask_adapter.cluster",
        },
    )
