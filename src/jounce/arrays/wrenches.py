"""Wrenches given by frame: {"tool": w} for what acts there, in the frame's own axes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jounce.arrays.validation import batch_mismatch, precision, shaped
from jounce.catalog.arguments import by_frame
from jounce.errors import ArgumentError, suggest
from jounce.model.model import Frame, Model

#: The name of an argument, followed by that of a frame if it maps frames to wrenches.
Key = tuple[str, ...]


def flatten(arguments: Mapping[str, Any]) -> dict[Key, Any]:
    """Return arguments by key, with wrenches of frames one by one."""
    out: dict[Key, Any] = {}
    for name, x in arguments.items():
        split = isinstance(x, Mapping) and bool(x) and by_frame(name)
        out |= {(name, frame): w for frame, w in x.items()} if split else {(name,): x}
    return out


def unflatten(arguments: Mapping[Key, Any]) -> dict[str, Any]:
    """Return arguments by name, with wrenches of frames as mappings: the inverse of `flatten`."""
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
    """An argument as it is, or if it is wrenches by frame those on all bodies (..., nb, 6).

    name: of the argument. title: of what is called, with which messages begin.
    """
    if not isinstance(x, Mapping) or not by_frame(name):
        return x
    return _summed(model, x, f"{title}: argument '{name}'")


def _summed(model: Model, given: Mapping[str, Any], what: str) -> np.ndarray:
    """Wrenches (..., 6) by the names of frames, as those on all bodies (..., nb, 6).

    Each is (moment, force) in its frame's axes, about the frame's origin. Leading axes broadcast;
    several on one body add up. Frames that no joint moves are refused: what pushes there pushes
    the ground.
    """
    moved: list[tuple[int, np.ndarray]] = []
    for name, x in given.items():
        frame = pushed_frame(model, name, what)
        moved.append((frame.body, _in_body(frame.placement, shaped(x, f"{what}[{name!r}]", (6,)))))
    shapes = [x.shape[:-1] for _, x in moved]
    try:
        batch = np.broadcast_shapes(*shapes)
    except ValueError:
        raise batch_mismatch(what, dict(zip(given, shapes, strict=True))) from None
    out = np.zeros((*batch, model.nb, 6), precision(x for _, x in moved))
    for body, x in moved:
        out[..., body, :] += x
    return out


def pushed_frame(model: Model, name: str, what: str) -> Frame:
    """The frame of that name, on which a wrench moves a joint."""
    if name not in {frame.name for frame in model.frames}:
        names = [frame.name for frame in model.frames]
        raise ArgumentError(f"{what}: no frame {name!r}; {suggest(name, names)}")
    frame = model.frames[model.frame_index(name)]
    if frame.body < 0:
        raise ArgumentError(
            f"{what}: frame {name!r} belongs to the fixed base, where a wrench moves no joint;"
            " omit it"
        )
    return frame


def wrench_matrix(model: Model, frame: Frame) -> np.ndarray:
    """The matrix (6, 6 nb) that takes wrenches (..., 6) on a frame to those on all bodies."""
    out = np.zeros((6, model.nb, 6))
    out[:, frame.body] = _in_body(frame.placement, np.eye(6))
    return out.reshape(6, -1)


def _in_body(placement: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Ad^-T w: wrenches of a frame with this pose in its body, in the body's axes and origin."""
    R, p = placement[:3, :3], placement[:3, 3]
    force = w[..., 3:] @ R.T
    moment = w[..., :3] @ R.T + np.cross(p, force)
    return np.concatenate((moment, force), axis=-1).astype(precision((w,)), copy=False)
