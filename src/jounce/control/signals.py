"""Inputs of a controller in a simulation: measurements with errors, and references."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ArgumentError, suggest
from jounce.robot import Robot
from jounce.solve import Mechanism
from jounce.trajectories import Trajectory

#: What is true in a simulation, by name: the plant's state, tau (forces that the motors applied
#: before), tau_s (torques of springs); q_rate and theta_rate are differences of successive
#: measurements.
Signals = dict[str, np.ndarray]

#: Name of a signal, or a function of the signals.
Source = str | Callable[[Signals], ArrayLike]

_RATES = {"q_rate": "q", "theta_rate": "theta"}


class Sensors:
    """Measurements of a plant, with noise and quantization.

    Parameters
    ----------
    plant : System
        Robot, mechanism or elastic robot.
    names : sequence of str
        Names of the measurements.
    sources : mapping of str to Source
        What measurements other than the signals of the same name measure.
    noise, resolution : mapping of str to array_like
        Standard deviation and quantization step of measurements by name; those of configurations
        refer to the tangent space (nv,).
    period : float
        Time between measurements in s.
    signals : sequence of str
        Names of the signals.
    """

    def __init__(
        self,
        plant: Any,
        names: Sequence[str],
        sources: Mapping[str, Source],
        noise: Mapping[str, ArrayLike],
        resolution: Mapping[str, ArrayLike],
        period: float,
        signals: Sequence[str],
    ) -> None:
        self.links: Any = plant if isinstance(plant, Robot | Mechanism) else plant.robot
        self.period = period
        self.sources: dict[str, Source] = {name: sources.get(name, name) for name in names}
        for mapping in (sources, noise, resolution):
            for name in mapping:
                if name not in self.sources:
                    raise ArgumentError(
                        f"simulate: the controller has no measurement '{name}';"
                        f" {suggest(name, self.sources)}"
                    )
        known = (*signals, *(x for x, of in _RATES.items() if of in names))
        for name, source in self.sources.items():
            if isinstance(source, str) and source not in known:
                raise ArgumentError(
                    f"simulate: measurement '{name}' must be one of {', '.join(known)} of"
                    f" '{plant.name}', found '{source}'; pass"
                    f" sensors={{'{name}': name or function of the signals}}"
                )
        self.noise = _numbers("noise", noise, self.links.nv)
        self.resolution = _numbers("resolution", resolution, self.links.nv)

    @property
    def spring_torques(self) -> bool:
        """True if torques of springs are measured, or may be."""
        return any(not isinstance(x, str) or x == "tau_s" for x in self.sources.values())

    def measure(
        self,
        signals: Signals,
        before: Mapping[str, np.ndarray],
        rng: np.random.Generator,
        batch: tuple[int, ...],
    ) -> dict[str, np.ndarray]:
        """Return what is measured by name; `before`: the measurements of the period before."""
        measured: dict[str, np.ndarray] = {}
        rates = {}
        for name, source in self.sources.items():
            if isinstance(source, str) and source in _RATES:
                rates[name] = _RATES[source]
                continue
            x = np.asarray(signals[source] if isinstance(source, str) else source(signals))
            if name in self.noise or name in self.resolution:
                x = self._with_errors(name, x, source == "q", rng, batch)
            measured[name] = x
        for name, of in rates.items():
            previous = before.get(of)
            if previous is None:
                measured[name] = signals["v" if of == "q" else "dtheta"]
            else:
                change = self._difference(of, previous, measured[of])
                measured[name] = change / self.period
        return {name: measured[name] for name in self.sources}

    def _difference(self, name: str, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return self.links.difference(x, y) if self.sources[name] == "q" else y - x

    def _with_errors(
        self,
        name: str,
        x: np.ndarray,
        is_configuration: bool,
        rng: np.random.Generator,
        batch: tuple[int, ...],
    ) -> np.ndarray:
        origin = self._origin if is_configuration else np.zeros(())
        y = true = self.links.difference(origin, x) if is_configuration else x
        if name in self.noise:
            shape = (*batch, *true.shape[true.ndim - 1 :])
            y = true + self.noise[name] * rng.standard_normal(shape)
        if name in self.resolution:
            step = self.resolution[name]
            y = np.where(step > 0.0, np.round(y / np.where(step > 0.0, step, 1.0)) * step, y)
        return self.links.integrate(x, y - true) if is_configuration else y

    @property
    def _origin(self) -> np.ndarray:
        """Configuration at which encoders read 0."""
        links = self.links
        return links.reference if isinstance(links, Mechanism) else links.neutral()

    def transpose(
        self, signals: Signals, measured: Mapping[str, np.ndarray], lam: Mapping[str, np.ndarray]
    ) -> dict[str, np.ndarray]:
        """Return gradients with respect to signals from those with respect to measurements.

        Quantization counts as an offset, whose derivative is zero.
        """
        gradients: dict[str, np.ndarray] = {}
        for name, source in self.sources.items():
            if not isinstance(source, str) or source in _RATES:
                raise ArgumentError(
                    f"gradients of a simulation need measurements of signals, found '{name}' from"
                    f" {source!r}"
                )
            x = lam[name]
            if source == "q" and (name in self.noise or name in self.resolution):
                offset = self.links.difference(signals["q"], measured[name])
                x = self.links.integrate.vjp(signals["q"], offset, x)[0]
            gradients[source] = gradients[source] + x if source in gradients else x
        return gradients


def _numbers(what: str, values: Mapping[str, ArrayLike], nv: int) -> dict[str, np.ndarray]:
    """Return checked nonnegative numbers by name."""
    arrays = {name: np.asarray(x, dtype=float) for name, x in values.items()}
    for name, x in arrays.items():
        if x.shape not in ((), (nv,)) or not np.all((x >= 0.0) & np.isfinite(x)):
            raise ArgumentError(
                f"simulate: {what} of '{name}' must be a number or ({nv},), finite and >= 0, found"
                f" {x}"
            )
    return arrays


class References:
    """References of a controller at the control instants.

    Parameters
    ----------
    reference : Trajectory, callable, tuple or None
        Trajectory, function of time, or constant.
    shapes : mapping of str to tuple, optional
        Core shapes of the entries by name; None if they are not known.
    times : ndarray (T + 1,)
        Instants in s.
    """

    def __init__(self, reference: Any, shapes: Mapping[str, Any] | None, times: np.ndarray) -> None:
        self.reference, self.shapes, self.times = reference, shapes, times
        self._order = 4 if shapes is None else max(len(shapes) - 1, 0)
        self._values = None
        if isinstance(reference, Trajectory) and not reference.batch:
            self._values = reference(times, self._order)

    def at(self, k: int) -> Any:
        """Return the entries at instant k."""
        if self._values is not None:
            return tuple(x[k] for x in self._values)
        reference = self.reference
        if isinstance(reference, Trajectory):  # of a batch: one by one, to save memory
            return reference(self.times[k], self._order)
        entries = reference(self.times[k]) if callable(reference) else reference
        return entries if self.shapes is None else _entries(entries, self.shapes)


def _entries(values: Any, shapes: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the entries of a reference, which must be complete."""
    values = () if values is None else values
    if not isinstance(values, tuple | list) or len(values) < len(shapes):
        found = f"{len(values)} entries" if isinstance(values, tuple | list) else repr(type(values))
        raise ArgumentError(
            f"simulate: reference must be a tuple ({', '.join(shapes)}), found {found}"
        )
    return tuple(values)
