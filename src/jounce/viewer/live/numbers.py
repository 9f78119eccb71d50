"""HTML tables for the panel: q, gravity torques, energies, condition numbers."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

import numpy as np

from jounce.errors import legible
from jounce.viewer.live.stage import State
from jounce.viewer.scene.configurations import coordinate_units

_STYLE = (
    "<style>.jn{font-size:12px;line-height:1.35;width:100%;margin:2px 0 8px}"
    ".jn{border-collapse:collapse}"
    ".jn td{padding:0 4px}.jn td+td{text-align:right;font-variant-numeric:tabular-nums}"
    ".jn th{text-align:left;padding:2px 4px;border-bottom:1px solid #8884}</style>"
)


def format_tables(state: State, frame: str) -> str:
    """Return HTML tables of the quantities at a state; names are escaped."""
    dynamics = state.subject.dynamics
    gravity = dynamics.gravity_forces(state.q)
    turns = state.axes[4][np.argsort(state.axes[1])][list(dynamics.velocities)]
    units = np.where(turns, "N m", "N")
    tables = [
        ("Summary", _summary_rows(state, frame)),
        (
            "q",
            zip(
                dynamics.labels("q"), _with_units(state.q, coordinate_units(dynamics)), strict=True
            ),
        ),
        ("gravity", zip(dynamics.labels("v"), _with_units(gravity, units), strict=True)),
    ]
    return _STYLE + "".join(_table(title, rows) for title, rows in tables)


def _summary_rows(state: State, frame: str) -> list[tuple[str, str]]:
    """Return energies, condition numbers and the position of the chosen frame."""
    subject, q = state.subject, state.q
    dynamics = subject.dynamics
    rows = [("potential energy", f"{_format_number(dynamics.potential_energy(q))} J")]
    if np.any(state.v != 0.0):
        rows.append(("kinetic energy", f"{_format_number(dynamics.kinetic_energy(q, state.v))} J"))
    rows.append(("condition number of M", format_condition_number(dynamics.mass_matrix(q))))
    J = dynamics.frame(frame).jacobian_mixed(q)
    rows.append((f"condition number of J, {frame}", format_condition_number(J)))
    volume = float(np.prod(np.linalg.svd(J[3:], compute_uv=False)))
    rows.append(("manipulability", _format_number(volume)))
    x, y, z = subject.robot.frame(frame).pose(q)[:3, 3]
    rows.append(("position", f"{_format_number(x)}, {_format_number(y)}, {_format_number(z)} m"))
    if subject.mechanism is not None:
        rows.append(("loop closure error", f"{float(subject.mechanism.gap(q)):.1e}"))
    return rows


def format_condition_number(A: np.ndarray) -> str:
    """Format the ratio of the largest to the smallest singular value, or say "singular"."""
    s = np.linalg.svd(A, compute_uv=False)
    if not np.isfinite(s).all() or not len(s) or s[0] == 0.0:
        return "none"
    return "singular" if s[-1] <= 1e-12 * s[0] else f"{s[0] / s[-1]:.3g}"


def _format_number(x: float) -> str:
    """Format a number with four digits; zero has no sign."""
    return f"{float(x):.4g}" if abs(x) >= 1e-9 else "0"


def _with_units(values: np.ndarray, units: Iterable[str]) -> list[str]:
    """Format numbers with their units."""
    numbers = map(_format_number, values)
    return [f"{x} {unit}".strip() for x, unit in zip(numbers, units, strict=True)]


def _table(title: str, rows: Iterable[tuple[str, str]]) -> str:
    cells = "".join(
        f"<tr><td>{escape(legible(name, 40))}</td><td>{escape(text)}</td></tr>"
        for name, text in rows
    )
    return f'<table class="jn"><tr><th colspan="2">{escape(title)}</th></tr>{cells}</table>'


def format_notice(sentences: Iterable[str]) -> str:
    """Return notices as HTML for the top of the panel; empty if there are none."""
    lines = [escape(legible(text, 600)) for text in sentences if text]
    if not lines:
        return ""
    body = "".join(f"<p style='margin:2px 0'>{line}</p>" for line in lines)
    return (
        "<div class='jounce-notice' style='font-size:12px;padding:4px 8px;margin-bottom:4px;"
        f"overflow-wrap:anywhere;background:#fff3d6;color:#5b3a00;border-radius:4px'>{body}</div>"
    )
