"""Dask arrays as arguments of quantities, and computations on Dask clusters.

`kind` serves calls of quantities with Dask arrays, `blocks` builds their graphs, `tasks` is what
workers execute, and `cluster` maps and reduces functions over the workers of a client. Users need
nothing from here: `robot.inverse_dynamics(q, v, a)` takes Dask arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
