"""Wrenches by frame: {"tool": w} applies w at the frame's origin, in the frame's axes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jounce.arrays.validation import batch_mismatch, convert_array, precision
from jounce.catalog.arguments import by_frame
from jounce.errors import ArgumentError, suggest
from jounce.model.model import Frame, Model

#: Name of an argument, followed by a frame name if the argument maps frames to wrenches.
Key = tuple[str, ...]


def flatten(arguments: Mapping[str, Any]) -> dict[Key, Any]:
    """Return arguments by key, with one entry per frame for wrenches by frame."""
    out: dict[Key, Any] = {}
    for name, x in arguments.items():
        split = isinstance(x, Mapping) and bool(x) and by_frame(name)
        out |= {(name, frame): w for frame, w in x.items()} if split else {(name,): x}
    return out


def unflatten(arguments: Mapping[Key, Any]) -> dict[str, Any]:
    """Return arguments by name, with wrenches by frame as mappings: the inverse of `flatten`."""
    named: dict[str, Any] = {}
    for (name, *frame), x in arguments.items():
        if frame:
            named.setdefault(name, {})[frame[0]] = x
        else:
            named[name] = x
    return named


def describe_key(key: Key) -> str:
    """Return an argument as error messages show it, such as "wrenches['tool']"."""
    return key[0] + "".join(f"[{frame!r}]" for frame in key[1:])


def on_bodies(model: Model, name: str, x: Any, title: str) -> Any:
    """Convert wrenches by frame to wrenches on all bodies; other arguments are returned as is.

    Parameters
    ----------
    model : Model
        The robot model.
    name : str
        Name of the argument.
    x : array_like or mapping
        The argument; a mapping from frame names to wrenches (..., 6) (moment, force) in the
        frame's axes, about its origin (N m, N).
    title : str
        Prefix of error messages.

    Returns
    -------
    array_like
        Wrenches (..., nb, 6) on the bodies, in their axes and about their origins, or `x` itself.
    """
    if not isinstance(x, Mapping) or not by_frame(name):
        return x
    return _sum_by_body(model, x, f"{title}: argument '{name}'")


def _sum_by_body(model: Model, wrenches: Mapping[str, Any], what: str) -> np.ndarray:
    """Convert wrenches (..., 6) by frame to wrenches on all bodies (..., nb, 6).

    Each is (moment, force) in its frame's axes, about the frame's origin. Leading axes broadcast;
    wrenches on the same body add up. Frames of the fixed base raise an error.
    """
    on_body: list[tuple[int, np.ndarray]] = []
    for name, x in wrenches.items():
        frame = find_wrench_frame(model, name, what)
        on_body.append(
            (
                frame.body,
                _move_to_body(frame.placement, convert_array(x, f"{what}[{name!r}]", (6,))),
            )
        )
    shapes = [x.shape[:-1] for _, x in on_body]
    try:
        batch = np.broadcast_shapes(*shapes)
    except ValueError:
        raise batch_mismatch(what, dict(zip(wrenches, shapes, strict=True))) from None
    out = np.zeros((*batch, model.nb, 6), precision(x for _, x in on_body))
    for body, x in on_body:
        out[..., body, :] += x
    return out


def find_wrench_frame(model: Model, name: str, what: str) -> Frame:
    """Return the frame of that name; an error if it is unknown or part of the fixed base."""
    if name not in {frame.name for frame in model.frames}:
        names = [frame.name for frame in model.frames]
        raise ArgumentError(f"{what}: no frame {name!r}; {suggest(name, names)}")
    frame = model.frames[model.frame_index(name)]
    if frame.body < 0:
        raise ArgumentError(
            f"{what}: expected a frame of a moving body, found frame {name!r} of the fixed base;"
            " omit it"
        )
    return frame


def wrench_matrix(model: Model, frame: Frame) -> np.ndarray:
    """Return the matrix (6, 6 nb) from wrenches (..., 6) on a frame to wrenches on all bodies."""
    out = np.zeros((6, model.nb, 6))
    out[:, frame.body] = _move_to_body(frame.placement, np.eye(6))
    return out.reshape(6, -1)


def _move_to_body(placement: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Transform wrenches from a frame to its body's axes and origin: Ad^-T w."""
    R, p = placement[:3, :3], placement[:3, 3]
    force = w[..., 3:] @ R.T
    moment = w[..., :3] @ R.T + np.cross(p, force)
    return np.concatenate((moment, force), axis=-1).astype(precision((w,)), copy=False)
