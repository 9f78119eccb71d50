"""Arrays of Dask: what robots make of them, lazily, and work on its clusters.

What may live here: all that knows Dask. `kind` serves calls of quantities with its arrays, `calls`
says what such a call is about, `chunks` cuts arrays that are given together, `blocks` makes graphs,
`tasks` is what workers do, and `cluster` has them do other things. Users need nothing from here:
`robot.inverse_dynamics(q, v, a)` takes Dask's arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jounce.lazy import submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
