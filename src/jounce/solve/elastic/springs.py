"""Nonlinear springs, by their law and its two derivatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from jounce.errors import ArgumentError, suggest
from jounce.solve.elastic.drives import Drives

Law = Callable[[np.ndarray], np.ndarray]

#: Evaluations of a law in search of one deflection; doubled steps reach any number long before.
_MOST = 300


@dataclass(frozen=True)
class Spring:
    """Springs of the drives with tau = force(x), in place of a stiffness.

    force, slope, curvature: functions of the deflections x = theta - q (..., k) of the springs'
    joints, entry by entry, that return as many forces (N m, N), and their first and second
    derivatives in x. Forces must rise with x. joints: whose springs these are, by name, in the
    order of the entries; the other drives are rigid. By default those of all drives, in the order
    of v.
    """

    force: Law
    slope: Law
    curvature: Law
    joints: Sequence[str] | None = None

    def deflection(
        self, drives: Drives, forces: Sequence[np.ndarray], title: str
    ) -> tuple[np.ndarray, ...]:
        """x, x' and x'' (..., nv) for forces with their two time derivatives; zero where rigid."""
        on = self._velocities(drives)
        tau, dtau, ddtau = (np.asarray(x[..., on], dtype=float) for x in forces)
        names = [drives.names[i] for i in on]
        x = _Search(self, names, title).deflection(tau)
        slope = _evaluated(self.slope, x, "slope", title)
        _check(slope > 0.0, x, slope, names, f"{title}: the spring's slope must be > 0")
        dx = dtau / slope
        ddx = (ddtau - _evaluated(self.curvature, x, "curvature", title) * dx**2) / slope
        found = tuple(np.zeros(forces[0].shape) for _ in range(3))
        for place, part in zip(found, (x, dx, ddx), strict=True):
            place[..., on] = part
        return found

    def _velocities(self, drives: Drives) -> list[int]:
        """Where the springs' joints are in v."""
        own = [i for i, driven in enumerate(drives.driven) if driven]
        if self.joints is None:
            return own
        names = [drives.names[i] for i in own]
        named = (self.joints,) if isinstance(self.joints, str) else tuple(self.joints)
        for name in named:
            if name not in names:
                raise ArgumentError(
                    f"{drives.name}: Spring.joints: no drive of a joint {name!r};"
                    f" {suggest(name, dict.fromkeys(names))}"
                )
        if len(set(named)) < len(named):
            raise ArgumentError(f"{drives.name}: Spring.joints: a joint is named twice in {named}")
        return [i for name in named for i in own if drives.names[i] == name]


def _evaluated(law: Law, x: np.ndarray, what: str, title: str) -> np.ndarray:
    """A law at deflections, as many numbers as there are of these."""
    with np.errstate(all="ignore"):
        found = np.asarray(law(x), dtype=float)
    if found.shape != x.shape:
        raise ArgumentError(
            f"{title}: the spring's {what} must return an array of the shape of its argument,"
            f" {x.shape}, found {found.shape}"
        )
    return found


def _check(
    right: np.ndarray, x: np.ndarray, found: np.ndarray, names: list[str], what: str
) -> None:
    """Refuse a law that is wrong at some deflection; states that are not numbers may pass."""
    wrong = np.argwhere(~right & np.isfinite(x))
    if len(wrong):
        at = tuple(wrong[0].tolist())
        raise ArgumentError(
            f"{what}, found {found[at]:.6g} at deflection {x[at]:.6g} of joint '{names[at[-1]]}'"
        )


class _Search:
    """Deflections at which springs have given forces.

    A step away from where the force is too small is doubled until the force is too large, or
    halved where the law ends (it falls, or is no number: a pole, a logarithm). Between the two ends
    Newton's steps are taken, or halves where those do not get far enough.
    """

    def __init__(self, spring: Spring, names: list[str], title: str) -> None:
        self._spring, self._names, self._title = spring, names, title

    def deflection(self, tau: np.ndarray) -> np.ndarray:
        """x with force(x) = tau; NaN where tau is no number."""
        rest = self._force(np.zeros(tau.shape))
        _check(np.isfinite(rest), np.zeros(tau.shape), rest, self._names, self._says("be finite"))
        sign = np.where(tau >= rest, 1.0, -1.0)
        near, far = self._ends(sign, tau, rest)
        return self._between(sign, tau, near, far)

    def _force(self, x: np.ndarray) -> np.ndarray:
        return _evaluated(self._spring.force, x, "force", self._title)

    def _says(self, what: str) -> str:
        return f"{self._title}: the spring's force must {what}"

    def _ends(
        self, sign: np.ndarray, tau: np.ndarray, rest: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Deflections between which the force is tau, the nearer to zero first."""
        near, low = np.zeros(tau.shape), rest.copy()
        end = np.full(tau.shape, np.inf)  # where the law is no longer one
        with np.errstate(all="ignore"):
            slope = _evaluated(self._spring.slope, near, "slope", self._title)
            step = np.abs(tau - rest) / slope
        step = np.where(np.isfinite(step) & (step > 0.0), step, 1.0)
        open_ = np.isfinite(tau) & (tau != rest)
        far = near.copy()
        for _ in range(_MOST):
            if not open_.any():
                return near, far
            x = near + np.where(open_, sign * step, 0.0)
            force = self._force(x)
            ended = ~(sign * force >= sign * low)
            reached = open_ & ~ended & (sign * force >= sign * tau)
            far = np.where(reached, x, far)
            open_ &= ~reached
            further = open_ & ~ended
            near, low = np.where(further, x, near), np.where(further, force, low)
            end = np.where(open_ & ended, np.abs(x), end)
            step = np.minimum(np.where(further, 2.0 * step, step), 0.5 * (end - np.abs(near)))
            step = np.where(np.isfinite(step), step, 1.0)
        at = tuple(np.argwhere(open_)[0].tolist())
        raise ArgumentError(
            f"{self._title}: the spring of joint '{self._names[at[-1]]}' does not reach the force"
            f" {tau[at]:.6g}: it gives {low[at]:.6g} at deflection {near[at]:.6g}, and must rise"
            " with the deflection"
        )

    def _between(
        self, sign: np.ndarray, tau: np.ndarray, near: np.ndarray, far: np.ndarray
    ) -> np.ndarray:
        """Newton's method within ends that come closer; done when nothing moves any more."""
        x, moved = far.copy(), np.abs(far - near)
        for _ in range(_MOST):
            missed = self._force(x) - tau
            over = sign * missed >= 0.0
            far, near = np.where(over, x, far), np.where(over, near, x)
            with np.errstate(all="ignore"):
                new = x - missed / _evaluated(self._spring.slope, x, "slope", self._title)
            inside = (sign * new >= sign * near) & (sign * new <= sign * far)
            good = inside & (np.abs(new - x) <= 0.5 * moved)
            new = np.where(good, new, 0.5 * (near + far))
            new = np.where(missed == 0.0, x, new)
            moved, x = np.abs(new - x), new
            if not np.any(moved > 2.0 * np.finfo(float).eps * np.abs(x)):
                break
        return np.where(np.isfinite(tau), x, np.nan)
