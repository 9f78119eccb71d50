"""Points of a path: configurations and external wrenches, with derivatives along the path."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ArgumentError
from jounce.robot import Robot
from jounce.solve import Mechanism

#: A path: path(s, order) returns q and its derivatives with respect to s, as trajectories do.
Path = Callable[[np.ndarray, int], Sequence[np.ndarray]]

#: External wrenches on the bodies (nb, 6), constant or as a function of s.
Wrenches = ArrayLike | Callable[[float], ArrayLike] | None

#: Samples of wrenches for each interval of the path, where their derivatives are needed.
_SAMPLES = 4


def compose(values: Sequence[np.ndarray], rates: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return a function of s and its time derivatives, from those with respect to s and of s.

    Parameters
    ----------
    values : sequence of ndarray
        The function (points, n) and its derivatives (points, m), at most five.
    rates : sequence of ndarray (points,)
        ds/dt, d2s/dt2, ...

    Returns
    -------
    list of ndarray
        The function and as many derivatives as both arguments have.
    """
    if not values:
        return []
    f = values
    missing = [np.zeros((1, 1))] * (5 - len(rates))
    d1, d2, d3, d4, d5 = [*(np.asarray(x)[:, None] for x in rates), *missing]
    out = [f[0]]
    order = min(len(values) - 1, len(rates))
    if order > 0:
        out.append(f[1] * d1)
    if order > 1:
        out.append(f[2] * d1**2 + f[1] * d2)
    if order > 2:
        out.append(f[3] * d1**3 + 3.0 * f[2] * d1 * d2 + f[1] * d3)
    if order > 3:
        out.append(
            f[4] * d1**4
            + 6.0 * f[3] * d1**2 * d2
            + f[2] * (3.0 * d2**2 + 4.0 * d1 * d3)
            + f[1] * d4
        )
    if order > 4:
        out.append(
            f[5] * d1**5
            + 10.0 * f[4] * d1**3 * d2
            + f[3] * (10.0 * d1**2 * d3 + 15.0 * d1 * d2**2)
            + f[2] * (5.0 * d1 * d4 + 10.0 * d2 * d3)
            + f[1] * d5
        )
    return out


def parameter_rates(x: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return the time derivatives of s from x = (ds/dt)^2 and its derivatives along the path.

    Parameters
    ----------
    x : sequence of ndarray (points,)
        x, x', ... up to the fourth derivative; at least x.

    Returns
    -------
    list of ndarray (points,)
        ds/dt and as many further derivatives as x has.
    """
    speed = np.sqrt(np.maximum(x[0], 0.0))
    out = [speed]
    if len(x) > 1:
        out.append(0.5 * x[1])
    if len(x) > 2:
        out.append(0.5 * speed * x[2])
    if len(x) > 3:
        out.append(0.5 * x[0] * x[3] + 0.25 * x[1] * x[2])
    if len(x) > 4:
        out.append(speed * (0.5 * x[0] * x[4] + 0.75 * x[1] * x[3] + 0.25 * x[2] ** 2))
    return out


@dataclass(frozen=True)
class PathPoints:
    """Points of a path: q (points, nq), q', ... and wrenches (points, 6 nb) with derivatives."""

    q: Sequence[np.ndarray]
    wrenches: Sequence[np.ndarray]

    def options(self, rates: Sequence[np.ndarray]) -> dict[str, Any]:
        """Return wrenches and their time derivatives as options of `inverse_dynamics.rates`.

        Parameters
        ----------
        rates : sequence of ndarray (points,)
            ds/dt, d2s/dt2, ... as far as needed.

        Returns
        -------
        dict of str to ndarray (points, nb, 6)
            The options.
        """
        return name_wrenches(compose(self.wrenches, rates) if self.wrenches else ())


def name_wrenches(wrenches: Sequence[np.ndarray]) -> dict[str, Any]:
    """Return wrenches (points, 6 nb) and time derivatives as options of inverse dynamics.

    Parameters
    ----------
    wrenches : sequence of ndarray
        Wrenches and their time derivatives; those above the third are left out.

    Returns
    -------
    dict of str to ndarray (points, nb, 6)
        The options.
    """
    names = ("wrenches", "dwrenches", "ddwrenches", "d3wrenches")
    return {k: w.reshape(len(w), -1, 6) for k, w in zip(names, wrenches, strict=False)}


class LoadedPath:
    """A path of a robot with external wrenches.

    Parameters
    ----------
    robot : Robot or Mechanism
        The robot.
    path : Path
        Its path.
    interval : tuple of two floats
        First and last parameter of the path.
    wrenches : Wrenches
        External wrenches.
    samples : int
        Number of intervals of the quintic spline through wrenches that depend on s; 0 to call the
        function instead, without derivatives.
    """

    def __init__(
        self,
        robot: Robot | Mechanism,
        path: Path,
        interval: tuple[float, float],
        wrenches: Wrenches,
        samples: int,
    ) -> None:
        self._path, self.start, self.end = path, *interval
        self._wrenches: Callable[[np.ndarray, int], list[np.ndarray]] | None = None
        bodies = len(robot.model.bodies)

        def check(value: Any) -> np.ndarray:
            w = np.asarray(value, dtype=float)
            if w.shape != (bodies, 6) or not np.isfinite(w).all():
                raise ArgumentError(
                    f"{robot.name}: wrenches must be finite and have shape ({bodies}, 6), found"
                    f" shape {w.shape}"
                )
            return w.ravel()

        if callable(wrenches):
            function = wrenches

            def sample(s: np.ndarray) -> np.ndarray:
                return np.stack([check(function(float(x))) for x in s])

            if samples:
                self._wrenches = _interpolate(
                    np.linspace(*interval, _SAMPLES * samples + 1), sample
                )
            else:
                self._wrenches = lambda s, order: [sample(s)]
        elif wrenches is not None:
            constant = check(wrenches)
            self._wrenches = lambda s, order: [
                np.broadcast_to(x, (len(s), len(constant)))
                for x in (constant, *order * (np.zeros_like(constant),))
            ]

    def __call__(self, s: np.ndarray, order: int) -> PathPoints:
        """Return the points at parameters, with derivatives up to an order."""
        loads = () if self._wrenches is None else self._wrenches(s, order)
        return PathPoints(self._path(s, order), loads)


def _interpolate(
    s: np.ndarray, sample: Callable[[np.ndarray], np.ndarray]
) -> Callable[[np.ndarray, int], list[np.ndarray]]:
    """Return the quintic spline through samples of a function, and its derivatives."""
    from scipy import interpolate

    curve = interpolate.make_interp_spline(s, sample(s), k=5)
    return lambda t, order: [curve(t, nu=k) for k in range(order + 1)]


class SmoothEnds:
    """A path that is passed from rest to rest, as a function of sigma in [0, 1].

    s = s_0 + (s_1 - s_0) p(sigma), with the polynomial p whose first derivatives vanish at both
    ends: the robot rests there at any speed of sigma.

    Parameters
    ----------
    path : LoadedPath
        The path.
    vanishing : int
        Order up to which derivatives of p vanish at the ends.
    """

    def __init__(self, path: LoadedPath, vanishing: int) -> None:
        self._path, self.start, self.length = path, path.start, path.end - path.start
        p = (np.polynomial.Polynomial((0.0, 1.0, -1.0)) ** vanishing).integ()
        self._p = p / p(1.0)

    def parameter(self, sigma: np.ndarray, order: int = 0) -> list[np.ndarray]:
        """Return s and its derivatives with respect to sigma."""
        # from the closer end, without cancellation
        far, near = sigma > 0.5, np.minimum(sigma, 1.0 - sigma)
        out = [self.start + self.length * np.where(far, 1.0 - self._p(near), self._p(near))]
        for k in range(1, order + 1):
            slope = self.length * self._p.deriv(k)(near)
            out.append(np.where(far & (k % 2 == 0), -slope, slope))
        return out

    def sigma(self, s: np.ndarray) -> np.ndarray:
        """Return sigma at parameters s, to about 1e-6."""
        grid = np.linspace(0.0, 1.0, 4001)
        return np.interp(s, self.parameter(grid)[0], grid)

    def __call__(self, sigma: np.ndarray, order: int) -> PathPoints:
        """Return the points, with derivatives with respect to sigma."""
        s = self.parameter(sigma, order)
        points = self._path(s[0], order)
        return PathPoints(compose(points.q, s[1:]), compose(points.wrenches, s[1:]))
