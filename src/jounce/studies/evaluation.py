"""A quantity at all points of a trajectory, for robots with the numbers of some draws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from jounce.runtime.kernel import Kernel
from jounce.studies.libraries import module_of
from jounce.studies.variation import Numbers, Travelling
from jounce.utils.once import once_property

#: Fewer points than this are the outer loop, so that kernels see many samples in a row.
_FEW = 32


@dataclass(frozen=True, eq=False)
class Evaluation(Travelling):
    """A quantity with the robot's numbers as arguments, at points (p,).

    quantity: the name of what is evaluated, in the table "parametric" or "morphable". shape: of one
    result. arguments, named: arrays (p, ...) by name, in order. columns (p, nv, 3 nt): forces of
    the drives for one unit of their armature, damping and friction, where any of these vary; zero
    for those that the robot does not have. drives:
    whether they are added to forces that come out, or taken from those that go in; armature (nt,):
    the robot's own.
    """

    robot: Any
    quantity: str
    table: str
    shape: tuple[int, ...]
    arguments: Mapping[str, np.ndarray]
    named: Mapping[str, np.ndarray]
    columns: np.ndarray | None = None
    drives: Literal["added", "taken"] = "added"
    armature: np.ndarray | None = None

    @property
    def title(self) -> str:
        """How messages begin."""
        return f"study of {self.robot.name}.{self.quantity}"

    @property
    def points(self) -> int:
        """How many points there are."""
        return len(next(iter(self.arguments.values())))

    def __call__(self, numbers: Numbers, out: Any) -> None:
        """Results (s, p, m) for the numbers of some draws, written to `out`."""
        values = out.reshape(*out.shape[:2], *self.shape)
        if isinstance(out, np.ndarray):
            with np.errstate(all="ignore"):  # what is not finite is told of later
                self._on_processor(numbers, values)
        else:
            self._on_device(numbers, values)

    # -------------------------------------------------------------- kernels

    @once_property
    def _kernel(self) -> tuple[Kernel, dict[str, np.ndarray]]:
        """The kernel, compiled, and all its arguments that no draw changes."""
        quantity = self.robot.quantity(f"{self.table}.{self.quantity}")
        one = np.zeros(1)  # stands for the robot's numbers
        values = [self.arguments.get(name, one) for name in quantity.definition.arguments]
        call = quantity.bind(tuple(values), dict(self.named))
        kernel, arrays = call.kernel, quantity.convert(call.names, call.values)
        quantity.compile_kernel(kernel, "d")
        return kernel, dict(zip(kernel.arguments, arrays, strict=True))

    def _on_processor(self, numbers: Numbers, out: np.ndarray) -> None:
        kernel, arrays = self._kernel
        count, points = out.shape[:2]
        drives = self._drive_forces(numbers, np)
        changing = self._changing(numbers)
        if drives is not None and self.drives == "taken":
            changing["tau"] = arrays["tau"] - drives
        across = points < _FEW < count
        inputs = []
        for name, core in zip(kernel.arguments, kernel.inputs, strict=True):
            if name in self._of_robot:
                inputs.append(changing[name] if across else changing[name][:, None])
            elif name in changing:
                inputs.append(changing[name].swapaxes(0, 1) if across else changing[name])
            else:
                fixed = arrays[name]
                batched = fixed.ndim > len(core)
                inputs.append(fixed[:, None] if across and batched else fixed)
        if across:
            out[...] = kernel.call().ufunc(*inputs).swapaxes(0, 1)
        elif all(len(x) == 1 for x in changing.values()):  # the same for all draws
            out[...] = kernel.call().ufunc(*inputs)
        else:
            kernel.call().ufunc(*inputs, out=out)
        if drives is not None and self.drives == "added":
            out += drives

    def _on_device(self, numbers: Numbers, out: Any) -> None:
        xp = module_of(out)
        arguments = {name: xp.asarray(x) for name, x in self.arguments.items()}
        drives = self._drive_forces(numbers, xp)
        if drives is not None and self.drives == "taken":
            arguments["tau"] = arguments["tau"] - drives
        changing = {name: xp.asarray(x)[:, None] for name, x in self._changing(numbers).items()}
        named = {name: xp.asarray(x) for name, x in self.named.items()}
        quantity = self.robot.quantity(f"{self.table}.{self.quantity}")
        out[...] = quantity(*arguments.values(), *changing.values(), **named)
        if drives is not None and self.drives == "added":
            out += drives

    @once_property
    def _of_robot(self) -> tuple[str, ...]:
        """Arguments that are the robot's numbers."""
        taken = self.robot.quantity(f"{self.table}.{self.quantity}").definition.arguments
        return tuple(taken[len(self.arguments) :])

    def _changing(self, numbers: Numbers) -> dict[str, np.ndarray]:
        """The robot's numbers by the names of arguments."""
        every = {
            "pi": numbers.parameters,
            "placements": numbers.placements,
            "screws": numbers.screws,
        }
        return {name: every[name] for name in self._of_robot}

    def _drive_forces(self, numbers: Numbers, xp: Any) -> Any:
        """Forces (s, p, nv) of the drives, as far as the quantity has not got them itself."""
        if self.columns is None:
            return None
        values = xp.array(numbers.drives)
        values[:, 0] -= xp.asarray(self.armature)  # which the quantity has
        flat = values.reshape(len(values), -1)
        out = xp.zeros((len(flat), *self.columns.shape[:2]))
        for n, k in zip(*np.nonzero(np.any(self.columns != 0.0, axis=0)), strict=True):
            out[:, :, n] += flat[:, k, None] * xp.asarray(self.columns[:, n, k])
        return out
