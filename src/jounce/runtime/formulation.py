"""Choice of the shortest of several exact formulations of a quantity, by tracing them.

Formulas offer alternatives (`math.alternatives`): a closed form or automatic differentiation in
forward or reverse mode, matrices in joint frames or in a common frame. Which of them is shortest
depends on the robot. The choice is stored on disk, so that later processes trace once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from jounce.compiler.graph.tape import Tape
from jounce.errors import ArgumentError, KernelTooLargeError
from jounce.math.alternatives import Selection, selecting
from jounce.model.tree import Tree
from jounce.utils import cache

#: Maximum number of further formulations, so that tracing is shorter than compiling.
_MAX_TRIALS = 5

#: A formulation is abandoned when it has this many times the operations of another.
_MAX_RATIO = 6

#: Number of operations below which `_MAX_RATIO` does not apply.
_MIN_OPERATIONS = 1000

#: Version of stored choices; increased when older ones may be wrong.
_VERSION = 1

#: Traces a formula within a number of operations, or raises ArgumentError.
Tracer = Callable[[float | None], Tape]


@dataclass(frozen=True)
class Trial:
    """A formulation that was traced: its choices, and its number of operations."""

    chosen: dict[str, str]
    operations: int

    def __str__(self) -> str:
        return ", ".join(self.chosen.values()) or "only formulation"


@dataclass(frozen=True)
class Cost:
    """Operations of a quantity on a robot, and of the formulations it was chosen from.

    Attributes
    ----------
    operations : int
        Operations of the compiled formulation, for one sample.
    chosen : dict of str to str
        The alternative that was taken for each part that has several.
    trials : tuple of Trial
        All formulations that were compared, the default first.
    """

    operations: int
    chosen: dict[str, str]
    trials: tuple[Trial, ...]

    def __str__(self) -> str:
        lines = [f"{self.operations} operations"]
        for trial in self.trials:
            mark = "*" if trial.chosen == self.chosen else " "
            lines.append(f" {mark} {trial.operations:8d}  {trial}")
        return "\n".join(lines)


def find_shortest(trace: Tracer, key: str, title: str) -> tuple[Tape, Cost]:
    """Trace the stored formulation of a key, or all, and return the shortest.

    Parameters
    ----------
    trace : callable
        Traces the formula within a number of operations (None: the default limit).
    key : str
        Key of the stored choice in the disk cache, see `memory_key`.
    title : str
        Name of the quantity, for the list of cache entries.

    Returns
    -------
    tape : Tape
    cost : Cost
    """
    known, before = _recall(key)
    if known is not None:
        with selecting(known.chosen) as selection:
            tape = trace(None)
        # otherwise the choice was stored by a version with other alternatives or formulas
        same = selection.offered == before and _complete(selection) == known.chosen
        if same and len(tape) == known.operations:
            return tape, known
    tape, cost, offered = _explore(trace)
    if len(cost.trials) > 1:
        _remember(key, cost, offered, title)
    return tape, cost


#: Choices that formulas offer, with the names of their alternatives.
Offered = dict[str, tuple[str, ...]]


def _explore(trace: Tracer) -> tuple[Tape, Cost, Offered]:
    """Trace the default, then change one choice after the other and keep the shorter one."""
    best: Tape | None = None
    offered: Offered = {}
    chosen: dict[str, str] = {}
    failure: Exception | None = None
    trials: list[Trial] = []
    pending: list[dict[str, str]] = [{}]
    known: set[str] = set()
    while pending and len(trials) <= _MAX_TRIALS:
        change = pending.pop(0)
        if best is not None and chosen.keys().isdisjoint(change):
            continue  # the best formulation does not make this choice
        with selecting({**chosen, **change}) as selection:
            try:
                tape = trace(None if best is None else _MAX_RATIO * (len(best) + _MIN_OPERATIONS))
            except (ArgumentError, KernelTooLargeError) as error:
                tape, failure = None, failure or error
        taken = _complete(selection)
        if tape is not None:
            trials.append(Trial(taken, len(tape)))
            if best is None or len(tape) < len(best):
                best, chosen, offered = tape, taken, selection.offered
        for subject, names in selection.offered.items():
            if subject not in known:
                known.add(subject)
                pending += [{subject: name} for name in names if name != taken[subject]]
    if best is None:
        assert failure is not None
        raise failure
    return best, Cost(len(best), chosen, tuple(trials)), offered


def _complete(selection: Selection) -> dict[str, str]:
    """Return the alternative that was taken for every choice that was offered."""
    return {subject: selection.select(subject) for subject in selection.offered}


# ------------------------------------------------------------------ memory


def memory_key(tree: Tree, *parts: object) -> str:
    """Return the key of the stored choice for a tree and everything else it depends on."""
    return hashlib.sha256(repr((_VERSION, tree.digest, parts)).encode()).hexdigest()


def _recall(key: str) -> tuple[Cost | None, Offered]:
    """Return the stored cost, if it is well formed, and the choices offered then."""
    try:
        record = json.loads(cache.read(key) or b"null")
        trials = tuple(Trial(dict(chosen), int(count)) for chosen, count in record["trials"])
        cost = Cost(int(record["operations"]), dict(record["chosen"]), trials)
        return cost, {subject: tuple(names) for subject, names in record["offered"].items()}
    except (ValueError, TypeError, KeyError, AttributeError):
        return None, {}


def _remember(key: str, cost: Cost, offered: Offered, title: str) -> None:
    record: Mapping[str, object] = {
        "operations": cost.operations,
        "chosen": cost.chosen,
        "trials": [(trial.chosen, trial.operations) for trial in cost.trials],
        "offered": offered,
    }
    cache.write(key, json.dumps(record).encode(), f"{title} formulation")
