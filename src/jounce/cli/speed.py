"""How long quantities take, and how long Pinocchio takes for the same: for `bench` and `demo`."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.arrays.quantity import BoundQuantity
from jounce.catalog.charts import CONFIGURATION
from jounce.errors import ArgumentError, JounceError
from jounce.robot import Robot
from jounce.solve.mechanism.robot import Mechanism
from jounce.utils.measure import (
    Clock,
    Effort,
    MismatchError,
    compare,
    interleaved,
    statement,
)
from jounce.utils.threads import get_num_threads

if TYPE_CHECKING:
    from jounce.export.peers import Counterpart, Peer

#: Samples of a batch, and how many bytes their results may have.
BATCH, _BYTES = 4096, 1 << 26

EFFORT = Effort(rounds=9, seconds=0.004)


@dataclass(frozen=True)
class Speed:
    """Seconds of a single call and per sample of a batch, ours and Pinocchio's (None: it has none).

    batch: samples in it. looped: whether Pinocchio's batch is a loop in Python. note: what is to be
    said, such as why something is missing.
    """

    quantity: str
    operations: int | None = None
    single: float | None = None
    sample: float | None = None
    batch: int = 0
    pinocchio_single: float | None = None
    pinocchio_sample: float | None = None
    looped: bool = False
    note: str = ""


class Stopwatch:
    """Measures quantities of one system, at the same states."""

    def __init__(self, system: Robot | Mechanism, batch: int = BATCH, seed: int = 0) -> None:
        self.system = system
        self._rng = np.random.default_rng(seed)
        shape = (batch, system.nv)
        self._states = {
            "q": system.random(self._rng, batch),
            **{name: self._rng.standard_normal(shape) for name in ("v", "a", "tau")},
        }
        self.peer, self.without = self._counterpart()
        if self.peer is not None:
            self._states = dict(self.peer.ours)

    def _counterpart(self) -> tuple[Counterpart | None, str]:
        """The robot in Pinocchio, or why there is none."""
        if isinstance(self.system, Mechanism):
            return None, "not beside Pinocchio: the robot has closed loops"
        from jounce.export.peers import counterpart

        states = {name: self._states[name] for name in "qva"}
        try:
            return counterpart(self.system, states), ""
        except ImportError:
            return None, "not beside Pinocchio, which is not installed: pip install pin"
        except (JounceError, MismatchError) as error:
            return None, f"not beside Pinocchio: {error}"

    def measure(self, name: str, quantity: BoundQuantity, effort: Effort = EFFORT) -> Speed:
        """A quantity's times; what cannot be had, or not of this robot, is said in the note."""
        try:
            return self._measured(name, quantity, effort)
        except JounceError as error:
            return Speed(name, note=str(error))

    def _measured(self, name: str, quantity: BoundQuantity, effort: Effort) -> Speed:
        operations = quantity.lower().operations
        size = 8 * sum(int(np.prod(core)) for core in quantity.kernel.outputs)
        batch = max(1, min(len(self._states["q"]), _BYTES // max(size, 1)))
        many = [self._argument(quantity, k, batch) for k in range(len(quantity.kernel.inputs))]
        candidates: dict[str, Any] = {
            "single": _timer(quantity, [x[0].copy() for x in many], ()),
            "sample": _timer(quantity, many, ()),
        }
        theirs, looped, note = self._theirs(name, quantity, many)
        clock: Clock = time.thread_time if get_num_threads() == 1 else time.perf_counter
        times = interleaved({**candidates, **theirs}, effort, clock)
        per = {"sample": batch, "pinocchio_sample": batch}
        found = {key: times[key] / per.get(key, 1) for key in (*candidates, *theirs)}
        return Speed(name, operations, batch=batch, looped=looped, note=note, **found)

    def _argument(self, quantity: BoundQuantity, k: int, batch: int) -> np.ndarray:
        """Values of an argument: states, the robot's own numbers, or random ones."""
        name, shape = quantity.kernel.arguments[k], quantity.kernel.inputs[k]
        known = self._states.get(name)
        if known is not None and known.shape[1:] == tuple(shape):
            return known[:batch]
        numbers = dict(zip(("pi", "placements", "screws"), self.system.morphable.now, strict=True))
        if name in numbers:
            return np.broadcast_to(numbers[name], (batch, *shape)).copy()
        if quantity.kernel.row.argument(name).chart is CONFIGURATION:
            return self.system.random(self._rng, batch)
        return self._rng.standard_normal((batch, *shape))

    def _theirs(
        self, name: str, quantity: BoundQuantity, many: list[np.ndarray]
    ) -> tuple[dict[str, Any], bool, str]:
        """Pinocchio's calls, whether its batch is a loop, and why it has none."""
        found = self._peer(name)
        if self.peer is None or found is None:
            return {}, False, ""
        peer, loop = found
        if len(many[0]) != len(self._states["q"]):
            return {}, False, "not beside Pinocchio: too large for its batch"
        batch = self.peer.batch(peer, get_num_threads())
        looped, batch = batch is None, batch or loop(peer)
        ours, theirs = quantity(*many), self.peer.as_ours(peer, batch())
        pairs = zip(ours, theirs, strict=True) if isinstance(ours, tuple) else ((ours, theirs),)
        try:
            for mine, other in pairs:
                compare(name, np.asarray(mine), other)
        except MismatchError as error:
            return {}, False, f"Pinocchio is not timed: {error}"
        function, given = self.peer.single(peer)
        single = _timer(function, given, (self.peer.model, self.peer.data))
        return {"pinocchio_single": single, "pinocchio_sample": batch}, looped, ""

    def _peer(self, name: str) -> tuple[Peer, Callable[[Peer], Any]] | None:
        """Pinocchio's function for a quantity, and how it is called in a loop."""
        if self.peer is None:
            return None
        from jounce.export.peers import DERIVATIVES, PEERS

        if name in PEERS:
            return PEERS[name], self.peer.loop
        tied = self.peer.model.nv != self.system.nv  # its forward dynamics frees what mimics
        if name in DERIVATIVES and not (tied and name.startswith("forward")):
            return DERIVATIVES[name], self.peer.derivatives_loop
        return None


def _timer(function: Any, given: list[np.ndarray], leading: tuple[Any, ...]) -> Any:
    """The call as a statement, free of the cost of a function around it."""
    names = {f"x{k}": value for k, value in enumerate((*leading, *given))}
    clock: Clock = time.thread_time if get_num_threads() == 1 else time.perf_counter
    return statement(f"f({', '.join(names)})", {"f": function, **names}, clock=clock)


def check_batch(batch: int) -> int:
    """A number of samples that can be measured."""
    if not 1 <= batch <= 1_000_000:
        raise ArgumentError(f"--batch: expected 1 to 1000000 samples, found {batch}")
    return batch
