"""Nonlinear springs, given by their force law and its two derivatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from jounce.errors import ArgumentError, suggest
from jounce.model.drives import SpringLaw
from jounce.solve.elastic.drives import Drives

Law = Callable[[np.ndarray], np.ndarray]

#: Maximum evaluations of a law in one search; step doubling reaches any float much earlier.
_MAX_EVALUATIONS = 300

#: Points and weights on [0, 1] of the integral of a force law.
_POINTS, _WEIGHTS = (0.5 * x for x in np.polynomial.legendre.leggauss(16))


@dataclass(frozen=True)
class Spring:
    """Nonlinear springs of the drives, tau = force(x), instead of a stiffness.

    force, slope, curvature: elementwise functions of the deflections x = theta - q (..., k) of the
    springs' joints, which return the forces (N m, N) and their first and second derivatives with
    respect to x. Forces must increase with x. joints: names of the joints with these springs, in
    the order of the entries; other drives are rigid. By default all drives, in the order of v.
    """

    force: Law
    slope: Law
    curvature: Law
    joints: Sequence[str] | None = None

    def deflection(
        self, drives: Drives, forces: Sequence[np.ndarray], title: str
    ) -> tuple[np.ndarray, ...]:
        """Return deflections with two time derivatives, zero for rigid joints.

        Parameters
        ----------
        drives : Drives
        forces : sequence of array (..., nv)
            Forces of the springs and their first two time derivatives.
        title : str
            Begin of error messages.

        Returns
        -------
        tuple of ndarray (..., nv)
            x, x' and x''.
        """
        indices = self._velocities(drives)
        tau, dtau, ddtau = (np.asarray(x[..., indices], dtype=float) for x in forces)
        names = [drives.names[i] for i in indices]
        x = _Search(self, names, title).deflection(tau)
        slope = _evaluate(self.slope, x, "slope", title)
        _check(slope > 0.0, x, slope, names, f"{title}: the spring's slope must be > 0")
        dx = dtau / slope
        ddx = (ddtau - _evaluate(self.curvature, x, "curvature", title) * dx**2) / slope
        results = tuple(np.zeros(forces[0].shape) for _ in range(3))
        for array, part in zip(results, (x, dx, ddx), strict=True):
            array[..., indices] = part
        return results

    def law(self, drives: Drives) -> SpringLaw:
        """Return the law for kernels, which compile its functions.

        Parameters
        ----------
        drives : Drives

        Returns
        -------
        SpringLaw
            The energy integrates the force by Gauss-Legendre quadrature with 16 points.
        """

        def compile_law(function: Law) -> Law:
            def call(x: np.ndarray) -> np.ndarray:
                try:
                    values = np.asarray(function(x), dtype=object)
                except TypeError as error:
                    raise ArgumentError(
                        f"{drives.name}.elastic: the functions of a Spring are compiled; expected"
                        f" + - * / **, np.sqrt, np.sin and np.cos only, found: {error}"
                    ) from error
                return np.broadcast_to(values, x.shape)

            return call

        force = compile_law(self.force)

        def energy(x: np.ndarray) -> np.ndarray:
            points = zip(_POINTS + 0.5, _WEIGHTS, strict=True)
            return x * sum(w * force(s * x) for s, w in points)

        return SpringLaw(force, compile_law(self.slope), energy, tuple(self._velocities(drives)))

    def _velocities(self, drives: Drives) -> list[int]:
        """Return the indices of the springs' joints in v."""
        driven_indices = [i for i, driven in enumerate(drives.driven) if driven]
        if self.joints is None:
            return driven_indices
        names = [drives.names[i] for i in driven_indices]
        named = (self.joints,) if isinstance(self.joints, str) else tuple(self.joints)
        for name in named:
            if name not in names:
                raise ArgumentError(
                    f"{drives.name}: Spring.joints: joint {name!r} has no drive;"
                    f" {suggest(name, dict.fromkeys(names))}"
                )
        if len(set(named)) < len(named):
            raise ArgumentError(f"{drives.name}: Spring.joints: a joint is named twice in {named}")
        return [i for name in named for i in driven_indices if drives.names[i] == name]


def _evaluate(law: Law, x: np.ndarray, what: str, title: str) -> np.ndarray:
    """Evaluate a law at deflections, and check the shape of the result."""
    with np.errstate(all="ignore"):
        values = np.asarray(law(x), dtype=float)
    if values.shape != x.shape:
        raise ArgumentError(
            f"{title}: the spring's {what} must return an array of the shape of its argument,"
            f" {x.shape}, found {values.shape}"
        )
    return values


def _check(
    valid: np.ndarray, x: np.ndarray, values: np.ndarray, names: list[str], what: str
) -> None:
    """Raise an error if a law is invalid at a finite deflection."""
    invalid = np.argwhere(~valid & np.isfinite(x))
    if len(invalid):
        i = tuple(invalid[0].tolist())
        raise ArgumentError(
            f"{what}, found {values[i]:.6g} at deflection {x[i]:.6g} of joint '{names[i[-1]]}'"
        )


class _Search:
    """Search for the deflections at which springs have given forces.

    A root is bracketed by doubling steps until the force is too large, or halving them where the
    law ends (it decreases, or is not finite, as at a pole). Newton's method is then safeguarded by
    bisection within the bracket.
    """

    def __init__(self, spring: Spring, names: list[str], title: str) -> None:
        self._spring, self._names, self._title = spring, names, title

    def deflection(self, tau: np.ndarray) -> np.ndarray:
        """Return x with force(x) = tau, NaN where tau is NaN."""
        force_at_zero = self._force(np.zeros(tau.shape))
        _check(
            np.isfinite(force_at_zero),
            np.zeros(tau.shape),
            force_at_zero,
            self._names,
            self._requirement("be finite"),
        )
        sign = np.where(tau >= force_at_zero, 1.0, -1.0)
        near, far = self._bracket(sign, tau, force_at_zero)
        return self._refine(sign, tau, near, far)

    def _force(self, x: np.ndarray) -> np.ndarray:
        return _evaluate(self._spring.force, x, "force", self._title)

    def _requirement(self, what: str) -> str:
        return f"{self._title}: the spring's force must {what}"

    def _bracket(
        self, sign: np.ndarray, tau: np.ndarray, force_at_zero: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return a bracket of the solution, the end nearer to zero first."""
        near, low = np.zeros(tau.shape), force_at_zero.copy()
        end = np.full(tau.shape, np.inf)  # smallest deflection at which the law is invalid
        with np.errstate(all="ignore"):
            slope = _evaluate(self._spring.slope, near, "slope", self._title)
            step = np.abs(tau - force_at_zero) / slope
        step = np.where(np.isfinite(step) & (step > 0.0), step, 1.0)
        searching = np.isfinite(tau) & (tau != force_at_zero)
        far = near.copy()
        for _ in range(_MAX_EVALUATIONS):
            if not searching.any():
                return near, far
            x = near + np.where(searching, sign * step, 0.0)
            force = self._force(x)
            ended = ~(sign * force >= sign * low)
            reached = searching & ~ended & (sign * force >= sign * tau)
            far = np.where(reached, x, far)
            searching &= ~reached
            advanced = searching & ~ended
            near, low = np.where(advanced, x, near), np.where(advanced, force, low)
            end = np.where(searching & ended, np.abs(x), end)
            step = np.minimum(np.where(advanced, 2.0 * step, step), 0.5 * (end - np.abs(near)))
            step = np.where(np.isfinite(step), step, 1.0)
        i = tuple(np.argwhere(searching)[0].tolist())
        raise ArgumentError(
            f"{self._title}: the spring of joint '{self._names[i[-1]]}' does not reach the force"
            f" {tau[i]:.6g}: it gives {low[i]:.6g} at deflection {near[i]:.6g}, and must rise"
            " with the deflection"
        )

    def _refine(
        self, sign: np.ndarray, tau: np.ndarray, near: np.ndarray, far: np.ndarray
    ) -> np.ndarray:
        """Run Newton's method with bisection in a shrinking bracket, until nothing changes."""
        x, last_step = far.copy(), np.abs(far - near)
        for _ in range(_MAX_EVALUATIONS):
            error = self._force(x) - tau
            over = sign * error >= 0.0
            far, near = np.where(over, x, far), np.where(over, near, x)
            with np.errstate(all="ignore"):
                new = x - error / _evaluate(self._spring.slope, x, "slope", self._title)
            inside = (sign * new >= sign * near) & (sign * new <= sign * far)
            newton_accepted = inside & (np.abs(new - x) <= 0.5 * last_step)
            new = np.where(newton_accepted, new, 0.5 * (near + far))
            new = np.where(error == 0.0, x, new)
            last_step, x = np.abs(new - x), new
            if not np.any(last_step > 2.0 * np.finfo(float).eps * np.abs(x)):
                break
        return np.where(np.isfinite(tau), x, np.nan)
