"""The numbers beside a robot, as a piece of HTML: q, gravity torques, energy, conditioning."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

import numpy as np

from jounce.errors import legible
from jounce.viewer.live.stage import State

_STYLE = (
    "<style>.jn{font-size:12px;line-height:1.35;width:100%;margin:2px 0 8px}"
    ".jn{border-collapse:collapse}"
    ".jn td{padding:0 4px}.jn td+td{text-align:right;font-variant-numeric:tabular-nums}"
    ".jn th{text-align:left;padding:2px 4px;border-bottom:1px solid #8884}</style>"
)


def numbers(state: State, frame: str) -> str:
    """Tables of what can be read off a state, with names that cannot be more than text."""
    whole = state.subject.whole
    tables = [
        ("the whole", _whole(state, frame)),
        ("q", zip(whole.labels("q"), map(_short, state.q), strict=True)),
        (
            "gravity, N m or N",
            zip(whole.labels("v"), map(_short, whole.gravity_forces(state.q)), strict=True),
        ),
    ]
    return _STYLE + "".join(_table(title, rows) for title, rows in tables)


def _whole(state: State, frame: str) -> list[tuple[str, str]]:
    """Energy, conditioning, and where the chosen frame is."""
    subject, q = state.subject, state.q
    whole = subject.whole
    rows = [("potential energy", f"{_short(whole.potential_energy(q))} J")]
    if np.any(state.v != 0.0):
        rows.append(("kinetic energy", f"{_short(whole.kinetic_energy(q, state.v))} J"))
    rows.append(("condition of M", conditioning(whole.mass_matrix(q))))
    J = whole.frame(frame).jacobian_mixed(q)
    rows.append((f"condition of J, {frame}", conditioning(J)))
    volume = float(np.prod(np.linalg.svd(J[3:], compute_uv=False)))
    rows.append(("its manipulability", _short(volume)))
    x, y, z = subject.robot.frame(frame).pose(q)[:3, 3]
    rows.append(("its position", f"{_short(x)}, {_short(y)}, {_short(z)} m"))
    if subject.mechanism is not None:
        rows.append(("gap of the loops", f"{float(subject.mechanism.gap(q)):.1e}"))
    return rows


def conditioning(A: np.ndarray) -> str:
    """Largest over smallest singular value, in words where there is no number."""
    s = np.linalg.svd(A, compute_uv=False)
    if not np.isfinite(s).all() or not len(s) or s[0] == 0.0:
        return "none"
    return "singular" if s[-1] <= 1e-12 * s[0] else f"{s[0] / s[-1]:.3g}"


def _short(x: float) -> str:
    """A number in a few letters, zero without a sign."""
    return f"{float(x):.4g}" if abs(x) >= 1e-9 else "0"


def _table(title: str, rows: Iterable[tuple[str, str]]) -> str:
    cells = "".join(
        f"<tr><td>{escape(legible(name, 40))}</td><td>{escape(text)}</td></tr>"
        for name, text in rows
    )
    return f'<table class="jn"><tr><th colspan="2">{escape(title)}</th></tr>{cells}</table>'


def notice(sentences: Iterable[str]) -> str:
    """Sentences to be read at the top of the panel; empty if there are none."""
    lines = [escape(legible(text, 600)) for text in sentences if text]
    if not lines:
        return ""
    body = "".join(f"<p style='margin:2px 0'>{line}</p>" for line in lines)
    return (
        "<div class='jounce-notice' style='font-size:12px;padding:4px 8px;margin-bottom:4px;"
        f"overflow-wrap:anywhere;background:#fff3d6;color:#5b3a00;border-radius:4px'>{body}</div>"
    )
