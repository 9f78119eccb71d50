"""Base parameters of a calibration: which parameters, and how well, measurements determine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

#: Least component of a column that is independent of those before it, relative to the column: in
#: several passes, so that nearly dependent columns are chosen only if there are no others.
_LEVELS = (0.1, 1e-2, 1e-3, 1e-5, 1e-7)

#: Columns shorter than this fraction of the longest one are chosen in later passes, too.
_SMALL = 0.1


@dataclass(frozen=True, eq=False)
class Selection:
    """A minimal complete set of parameters.

    columns (r,): indices of the independent parameters. combinations (r, P): the change of each for
    a unit change of every parameter. unseen: parameters without any effect.
    """

    columns: np.ndarray
    combinations: np.ndarray
    unseen: tuple[int, ...]


def select(J: np.ndarray, scale: np.ndarray, first: np.ndarray | None = None) -> Selection:
    """Select independent columns of J (n, P) by Gram-Schmidt orthogonalization in several passes.

    J is weighted by the noise, and `scale` (P,) are standard deviations of parameters that are
    hardly known. A column is dependent if what the selected ones leave of it is round-off, or
    determines its parameter less than that. Columns `first` are preferred,
    then earlier ones.
    """
    scaled = J * scale
    if len(J) > J.shape[1]:  # the same lengths and angles in fewer rows
        scaled = np.asarray(np.linalg.qr(scaled, mode="r"))
    rest, sizes = scaled.copy(), np.linalg.norm(scaled, axis=0)
    order, largest = np.arange(J.shape[1]), sizes.max(initial=0.0)
    preferred = order if first is None else np.concatenate((first, np.setdiff1d(order, first)))
    kept: list[int] = []
    lengths = sizes
    R = np.zeros((0, J.shape[1]))
    for level in _LEVELS:
        for k in preferred:
            size = float(lengths[k])
            if k in kept or size <= max(level * max(sizes[k], _SMALL * largest), 1.0):
                continue
            q = rest[:, k] / size
            rest -= np.outer(q, q @ rest)
            rest -= np.outer(q, q @ rest)  # twice is enough
            lengths = np.linalg.norm(rest, axis=0)
            R, kept = np.vstack((R, q @ scaled)), [*kept, int(k)]
    combinations = np.linalg.solve(R[:, kept], R) if kept else R
    combinations = combinations * scale[kept][:, None] / scale
    sort = np.argsort(kept)
    columns = np.array(kept, dtype=int)[sort]
    unseen = tuple(int(k) for k in np.flatnonzero(sizes <= 1.0))
    return Selection(columns, combinations[sort], unseen)


def observability(information: np.ndarray, prior: np.ndarray, count: int) -> dict[str, float]:
    """Return condition number and observability indices O1 to O5 of an information matrix (r, r).

    Of the singular values s of the Jacobian, weighted by the noise, of parameters in units of their
    priors; `count` is the number of configurations m.

    O1 = (s_1 ... s_r)^(1/r) / sqrt(m), O2 = s_r / s_1, O3 = s_r, O4 = s_r^2 / s_1,
    O5 = 1 / sum(1 / s).

    References
    ----------
    Joubair, Bonev: Comparison of the efficiency of five observability indices for robot
    calibration, 2013.
    """
    scaled = information * np.outer(prior, prior)
    s = np.sqrt(np.maximum(np.linalg.eigvalsh(scaled)[::-1], 1e-300))
    if not len(s):
        return {}
    geometric = float(np.exp(np.mean(np.log(s))))
    return {
        "condition": float(s[0] / s[-1]),
        "O1": geometric / np.sqrt(max(count, 1)),
        "O2": float(s[-1] / s[0]),
        "O3": float(s[-1]),
        "O4": float(s[-1] ** 2 / s[0]),
        "O5": float(1.0 / np.sum(1.0 / s)),
    }
