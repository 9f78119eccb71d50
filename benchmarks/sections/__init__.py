"""The sections of the report by name: each gives its tables, still empty, with their jobs."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.report import Options, Table
from benchmarks.sections import (
    batch,
    calls,
    compilation,
    contact,
    control,
    formulations,
    growth,
    identification,
    jax,
    loops,
    mesh,
    motion,
    pullbacks,
    rates,
    reaching,
    regressors,
    scale,
    second,
    single,
    startup,
    state,
    sweep,
    targets,
    torch,
    web,
    wide,
)

SECTIONS: dict[str, Callable[[Options], list[Table]]] = {
    "batch": batch.tables,
    "single": single.tables,
    "calls": calls.tables,
    "startup": startup.tables,
    "compilation": compilation.tables,
    "operations": growth.operation_tables,
    "chains": growth.chain_tables,
    "wide": wide.tables,
    "sweep": sweep.tables,
    "targets": targets.tables,
    "mesh": mesh.tables,
    "time": rates.tables,
    "parameters": regressors.tables,
    "identification": identification.tables,
    "formulations": formulations.tables,
    "pullbacks": pullbacks.tables,
    "motion": motion.tables,
    "jax": jax.tables,
    "torch": torch.tables,
    "scale": scale.tables,
    "web": web.tables,
    "contacts": contact.tables,
    "control": control.tables,
    "loops": loops.tables,
    "reaching": reaching.tables,
    "state": lambda options: state.tables(options) + second.tables(options),
}
