"""The measurements of `jounce bench`: quantities, and Pinocchio's functions for them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.arrays import BoundQuantity
from jounce.catalog import CONFIGURATION
from jounce.errors import JounceError
from jounce.io.urdf import urdf_text
from jounce.robot import Robot
from jounce.solve.mechanism import Mechanism
from jounce.utils import get_num_threads, measure

#: Pinocchio's function for a quantity, and the method of `PinocchioMap` that converts its result.
PINOCCHIO = {
    "inverse_dynamics": ("rnea", "tau_from_pinocchio"),
    "forward_dynamics": ("aba", "v_from_pinocchio"),
    "mass_matrix": ("crba", "matrix_from_pinocchio"),
    "mass_matrix_inverse": ("computeMinverse", "matrix_from_pinocchio"),
    "coriolis_matrix": ("computeCoriolisMatrix", "matrix_from_pinocchio"),
    "gravity_forces": ("computeGeneralizedGravity", "tau_from_pinocchio"),
    "bias_forces": ("nonLinearEffects", "tau_from_pinocchio"),
    "inverse_dynamics.derivatives": ("computeRNEADerivatives", "matrix_from_pinocchio"),
    "forward_dynamics.derivatives": ("computeABADerivatives", "matrix_from_pinocchio"),
}

#: Quantities that differ in Pinocchio if joints mimic others, because it leaves these joints free.
_OF_FREE_JOINTS = ("forward_dynamics", "forward_dynamics.derivatives", "mass_matrix_inverse")

#: Largest size of the results of a batch.
MAX_BATCH_BYTES = 1 << 26

EFFORT = measure.Effort(rounds=9, seconds=0.004)


@dataclass(frozen=True)
class Timing:
    """Seconds of a single call, of Pinocchio's, and per sample of a batch; None: not timed.

    batch: number of samples. note: why something was not timed.
    """

    quantity: str
    operations: int | None = None
    single: float | None = None
    pinocchio: float | None = None
    sample: float | None = None
    batch: int = 0
    note: str = ""


class Stopwatch:
    """Times quantities of a robot or mechanism, all at the same random states.

    note: why Pinocchio is not timed, or "" if it is.
    """

    def __init__(self, system: Robot | Mechanism, batch: int = 4096) -> None:
        self.system, self._rng = system, np.random.default_rng(0)
        shape = (batch, system.nv)
        self._states = {
            "q": system.random(self._rng, batch),
            **{name: self._rng.standard_normal(shape) for name in ("v", "a", "tau")},
        }
        numbers = zip(("pi", "placements", "screws"), system.morphable.now, strict=True)
        self._states |= {name: np.broadcast_to(x, (batch, *x.shape)) for name, x in numbers}
        self._pinocchio, self.note = None, ""
        try:
            self._pinocchio = _to_pinocchio(system)
        except ImportError:
            self.note = "not compared with Pinocchio, which is not installed: pip install pin"
        except JounceError as error:
            self.note = f"not compared with Pinocchio: {error}"

    def measure(self, name: str, effort: measure.Effort = EFFORT) -> Timing:
        """Time a quantity; if it cannot be computed, the note says why."""
        try:
            quantity = self.system.quantity(name)
            operations = quantity.lower().operations
            size = 8 * sum(int(np.prod(core)) for core in quantity.kernel.outputs)
            batch = max(1, min(len(self._states["q"]), MAX_BATCH_BYTES // max(size, 1)))
            arguments = self._arguments(quantity, batch)
            single = [x[0].copy() for x in arguments]
            quantity(*single)
        except JounceError as error:
            return Timing(name, note=str(error))
        calls: dict[str, tuple[Any, ...]] = {"single": (quantity, *single)}
        calls["sample"], note = (quantity, *arguments), ""
        try:
            if call := self._pinocchio_call(name, quantity, single):
                calls["pinocchio"] = call
        except measure.MismatchError as error:
            note = f"Pinocchio is not timed: {error}"
        clock = time.thread_time if get_num_threads() == 1 else time.perf_counter
        candidates = {key: _timer(call, clock) for key, call in calls.items()}
        times = measure.time_interleaved(candidates, effort, clock)
        seconds = {key: times[key] / (batch if key == "sample" else 1) for key in calls}
        return Timing(name, operations, batch=batch, note=note, **seconds)

    def _arguments(self, quantity: BoundQuantity, batch: int) -> list[np.ndarray]:
        """Return values of the arguments: states, the robot's numbers, or random ones."""
        kernel, out = quantity.kernel, []
        for name, shape in zip(kernel.arguments, kernel.inputs, strict=True):
            known = self._states.get(name)
            if known is not None and known.shape[1:] == tuple(shape):
                out.append(np.ascontiguousarray(known[:batch]))
            elif kernel.quantity.argument(name).chart is CONFIGURATION:
                out.append(self.system.random(self._rng, batch))
            else:
                out.append(self._rng.standard_normal((batch, *shape)))
        return out

    def _pinocchio_call(
        self, name: str, quantity: BoundQuantity, single: list[np.ndarray]
    ) -> tuple[Any, ...] | None:
        """Return Pinocchio's function and its arguments, if it has one; compare its result."""
        if self._pinocchio is None or name not in PINOCCHIO:
            return None
        library, model, map_ = self._pinocchio
        if model.nv != self.system.nv and name in _OF_FREE_JOINTS:
            return None
        function, convert = PINOCCHIO[name]
        to_theirs = {"q": map_.q_to_pinocchio, "tau": map_.tau_to_pinocchio}
        states = [
            to_theirs.get(argument, map_.v_to_pinocchio)(x)
            for argument, x in zip(quantity.kernel.arguments, single, strict=True)
        ]
        call = (getattr(library, function), model, model.createData(), *states)
        ours, theirs = quantity(*single), call[0](*call[1:])
        if isinstance(ours, tuple):  # the first is the value, which Pinocchio leaves in its data
            ours, theirs = np.stack(ours[1:]), np.stack(theirs)
        measure.compare(name, np.asarray(ours), getattr(map_, convert)(theirs), batched=False)
        return call


def _to_pinocchio(system: Robot | Mechanism) -> tuple[Any, Any, Any]:
    """Return Pinocchio, the robot as its model, and the map between the coordinates.

    The model is read from a URDF if that can represent the robot: then Pinocchio uses its joints
    for the axes x, y and z, which are faster than those for any axis.
    """
    from jounce.export import pinocchio

    if not isinstance(system, Robot):
        raise JounceError("the robot has closed loops")
    library = pinocchio.pinocchio()
    try:
        model = library.buildModelFromXML(urdf_text(system.model))
        model.gravity.linear = np.array(system.model.gravity)
        return library, model, pinocchio.PinocchioMap(system.model, model)
    except (JounceError, ValueError, RuntimeError):
        model = pinocchio.to_pinocchio(system.model)
        return library, model, pinocchio.PinocchioMap(system.model, model)


def _timer(call: tuple[Any, ...], clock: Callable[[], float]) -> Any:
    """Return a timer of a function call with these arguments."""
    names = {f"x{k}": value for k, value in enumerate(call)}
    return measure.statement_timer(f"x0({', '.join(list(names)[1:])})", names, clock=clock)
