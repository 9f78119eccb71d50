"""SVG drawings of kinematic trees, without dependencies."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jounce.errors import ArgumentError, printable
from jounce.utils import format_count, html, write_files
from jounce.viewer.pictures.layout import Place, places
from jounce.viewer.pictures.symbols import symbol
from jounce.viewer.pictures.words import JointWords, joint_words

if TYPE_CHECKING:
    from jounce.robot import System

#: Maximum number of joints in a drawing.
MAX_JOINTS = 200

#: Width of a column, height of a row and top margin, in pixels.
_COLUMN, _ROW, _TOP = 96, 66, 30

#: Characters that fit into a column.
_MAX_CHARACTERS = 14

#: Legible on white and on black, for files without a known background.
_NEUTRAL_COLOR = "#767676"
_LOOP, _MIMIC = "#c2410c", "#8a63d2"

#: A piece of ground, for contacts.
_GROUND = (
    '<path d="M-7 0H7M-4 0l-3 4M1 0l-3 4M6 0 3 4" fill="none" stroke="#2e9e4f" stroke-width="1.7"/>'
)


@dataclass(frozen=True, eq=False)
class TreeDrawing:
    """SVG of a robot's kinematic tree: notebooks show it, `str` returns it, `save` writes it.

    width, height: in pixels. inner: the content of the <svg> element.
    """

    width: int
    height: int
    inner: str

    def svg(self, color: str) -> str:
        """Return the SVG document.

        Parameters
        ----------
        color : str
            Color of lines and names; "currentColor" is that of the page.

        Returns
        -------
        str
        """
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}"'
            f' viewBox="0 0 {self.width} {self.height}" role="img" color="{color}"'
            ' font-family="system-ui, sans-serif" font-size="11">'
            f"{self.inner}</svg>"
        )

    def __str__(self) -> str:
        return self.svg(_NEUTRAL_COLOR)

    def __repr__(self) -> str:
        return f"<drawing of a kinematic tree, {self.width} by {self.height} pixels>"

    def _repr_svg_(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return html.wrap_output(self.svg("currentColor"))

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write an SVG file.

        Parameters
        ----------
        path
            The file to write, ending in .svg.
        overwrite
            Replace a file that exists; FileExistsError otherwise.

        Returns
        -------
        The path of the file.
        """
        target = Path(path)
        if target.suffix.lower() != ".svg":
            raise ArgumentError(
                f"save: expected a file ending in .svg, found '{target.name}'; programs such as"
                " Inkscape and rsvg-convert make PNG and PDF of it"
            )
        write_files({target: f"{self}\n".encode()}, overwrite=overwrite)
        return target


def draw(system: System) -> TreeDrawing:
    """Draw a kinematic tree.

    Parameters
    ----------
    system : Robot, Mechanism or Contacts

    Returns
    -------
    TreeDrawing
    """
    return _Drawing(system).drawing()


@dataclass(eq=False)
class _Drawing:
    """Builder of a drawing."""

    system: System

    def __post_init__(self) -> None:
        self.model = self.system.model
        self.count = min(self.model.nb, MAX_JOINTS)
        self.words = joint_words(self.system, self.count)
        self.places = places([joint.parent for joint in self.model.joints[: self.count]])
        self.names = short_names([joint.name for joint in self.model.joints[: self.count]])
        self.index = {joint.name: i for i, joint in enumerate(self.model.joints)}

    def drawing(self) -> TreeDrawing:
        rows = 1 + max((place.row for place in self.places), default=0)
        columns = 1 + max((place.column for place in self.places), default=0)
        legend, length = self._legend(_TOP + rows * _ROW)
        parts = [
            f"<title>{html.escape(f'Kinematic tree of {self.system.name}')}</title>",
            '<g fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round"'
            f' opacity="0.75">{"".join(self._links())}</g>',
            "".join(self._ties()),
            self._world(),
            "".join(map(self._joint, range(self.count))),
            "".join(self._contacts()),
            legend,
        ]
        width = max(columns * _COLUMN + 14, length)
        return TreeDrawing(width, _TOP + rows * _ROW + 26, "".join(parts))

    def _center_of(self, body: int) -> tuple[int, int]:
        """Return the center of the symbol of a body's joint or of the world."""
        place = self.places[body] if body >= 0 else Place(0, 0)
        return _COLUMN // 2 + place.column * _COLUMN, _TOP + 12 + place.row * _ROW

    # -------------------------------------------------------------- lines

    def _links(self) -> Iterator[str]:
        """Yield lines from each joint to its parent."""
        for i, joint in enumerate(self.model.joints[: self.count]):
            (x0, y0), (x, y) = self._center_of(joint.parent), self._center_of(i)
            free = ' stroke-dasharray="1 4"' if joint.kind == "free" else ""
            if self.places[i].wrapped:
                gap, left = y - _ROW + 46, x - _COLUMN // 2
                path = f"M{x0} {y0}h{_COLUMN // 2}V{gap}H{left}V{y}H{x}"
            elif y0 == y:
                path = f"M{x0} {y0}H{x}"
            else:
                half = x0 + _COLUMN // 2
                path = f"M{x0} {y0}H{half}V{y - 8}q0 8 8 8H{x}"
            yield f'<path d="{path}"{free}/>'

    def _ties(self) -> Iterator[str]:
        """Yield dashed arcs of mimic joints and loops."""
        for i, joint in enumerate(self.model.joints[: self.count]):
            leader = None if joint.mimic is None else self.index[joint.mimic.leader]
            if leader is not None and leader < self.count:
                yield self._arc(i, leader, _MIMIC, f"{self.words[i].name} {self.words[i].limits}")
        for loop in self.model.loops:
            if max(loop.body_a, loop.body_b) < self.count:
                kind = loop.kind if isinstance(loop.kind, str) else "custom"
                tooltip = f"loop {loop.name} ({kind}): {self._body(loop.body_a)}"
                yield self._arc(
                    loop.body_a, loop.body_b, _LOOP, f"{tooltip} to {self._body(loop.body_b)}"
                )

    def _arc(self, a: int, b: int, color: str, tooltip: str) -> str:
        """Return a dashed arc between two bodies, above those between them."""
        (x0, y0), (x1, y1) = sorted((self._center_of(a), self._center_of(b)))
        if y0 == y1:
            lift = min(14 + abs(x1 - x0) // 16, 44)
            path = f"M{x0} {y0 - 9}C{x0 + 12} {y0 - lift} {x1 - 12} {y1 - lift} {x1} {y1 - 9}"
        else:
            out = max(x0, x1) + 2 * _COLUMN // 3
            path = f"M{x0 + 7} {y0 + 6}C{out} {y0 + 12} {out} {y1 - 12} {x1 + 7} {y1 - 6}"
        return (
            f'<path d="{path}" fill="none" stroke="{color}" stroke-width="1.6"'
            f' stroke-dasharray="5 3"><title>{html.escape(tooltip)}</title></path>'
        )

    def _body(self, body: int) -> str:
        return "world" if body < 0 else self.model.bodies[body].name

    # -------------------------------------------------------------- joints

    def _world(self) -> str:
        """Return the symbol of the world, a hatched line."""
        x, y = self._center_of(-1)
        hatches = "".join(f"M{x - 2} {y + k}l-7 6" for k in range(-14, 15, 7))
        return (
            f'<path d="M{x - 2} {y - 16}V{y + 16}{hatches}M{x - 2} {y}H{x}" fill="none"'
            ' stroke="currentColor" stroke-width="1.5" opacity="0.75"/>'
            f'<text x="{x - 4}" y="{y + 32}" text-anchor="middle" fill="currentColor"'
            f' opacity="0.75">world</text>'
        )

    def _joint(self, i: int) -> str:
        x, y = self._center_of(i)
        words = self.words[i]
        lines = "".join(
            f'<text x="{x}" y="{y + 22 + 12 * k}" text-anchor="middle" fill="currentColor">'
            f"{html.escape(line)}</text>"
            for k, line in enumerate(self.names[i])
        )
        return (
            f"<g><title>{html.escape(_tooltip(words))}</title>"
            f'<g transform="translate({x} {y})">{symbol(self._kind(i), bool(words.follows))}</g>'
            f"{lines}</g>"
        )

    def _kind(self, i: int) -> str:
        return self.model.joints[i].kind

    def _contacts(self) -> Iterator[str]:
        """Yield ground symbols next to bodies with contacts, faint for inactive ones."""
        names = getattr(self.system, "contact_names", None)
        for contact in self.model.contacts:
            if contact.body < self.count:
                x, y = self._center_of(contact.body)
                faint = ' opacity="0.35"' if names and contact.name not in names else ""
                tooltip = html.escape(f"contact {contact.name} ({contact.kind})")
                yield f'<g transform="translate({x + 19} {y + 5})"{faint}>{_GROUND}'
                yield f"<title>{tooltip}</title></g>"

    # -------------------------------------------------------------- legend

    def _legend(self, top: int) -> tuple[str, int]:
        """Return the legend at a height, and its width."""
        entries = [
            (symbol(kind), kind) for kind in dict.fromkeys(map(self._kind, range(self.count)))
        ]
        hollow = [self._kind(i) for i, x in enumerate(self.words) if x.follows]
        if hollow:
            entries.append((symbol(hollow[0], hollow=True), "follows others"))
        for color, present, what in (
            (_MIMIC, any(x.follows == "mimic" for x in self.words), "mimics"),
            (_LOOP, self.model.loops, "loop"),
        ):
            if present:
                dash = f'<path d="M-9 0H9" stroke="{color}" stroke-width="1.6"'
                entries.append((f'{dash} stroke-dasharray="5 3"/>', what))
        if self.model.contacts:
            entries.append((_GROUND, "contact"))
        if self.count < self.model.nb:
            entries.append(
                ("", f"{format_count(self.model.nb - self.count, 'further joint')} not drawn")
            )
        out, x = [], 22
        for sign, text in entries:
            out.append(
                f'<g transform="translate({x} {top + 10})"><g transform="scale(0.75)">{sign}</g>'
                '<text x="12" y="4" fill="currentColor" opacity="0.75">'
                f"{html.escape(text)}</text></g>"
            )
            x += 36 + round(6.4 * len(text))
        return "".join(out), x


def _tooltip(words: JointWords) -> str:
    """Return the tooltip of a joint."""
    out = [f"{words.name}: {words.kind}, {words.parent} to {words.body} ({words.mass} kg)"]
    out += [f"{name}[{indices}]" for name, indices in (("q", words.q), ("v", words.v)) if indices]
    if words.limits != "-":
        out.append(words.limits)
    return ", ".join(out)


# ------------------------------------------------------------------ names


def short_names(names: Sequence[str]) -> list[list[str]]:
    """Shorten names to at most two lines that fit into a column.

    Parameters
    ----------
    names : sequence of str
        Names of joints.

    Returns
    -------
    list of list of str
        Lines of each name, without a prefix or suffix that most names share.
    """
    names = [printable(name) for name in names]
    head, tail = _common(names), _common([name[::-1] for name in names])[::-1]
    return [_lines(_without(name, head, tail)) for name in names]


def _common(names: Sequence[str]) -> str:
    """Return a common prefix of most names, such as "panda_"; none for few names."""
    if len(names) < 4:
        return ""
    starts: dict[str, int] = {}
    for name in names:
        for separator in re.finditer(r"[_./\-\s]", name):
            if separator.end() < len(name):
                starts[name[: separator.end()]] = starts.get(name[: separator.end()], 0) + 1
    often = [start for start, count in starts.items() if 4 * count >= 3 * len(names)]
    return max(often, key=len, default="")


def _without(name: str, head: str, tail: str) -> str:
    short = name.removeprefix(head).removesuffix(tail)
    return short if short and len(head) + len(short) + len(tail) >= len(name) else name


def _lines(name: str) -> list[str]:
    """Split a name into at most two lines at the end of a word."""
    if _length(name) <= _MAX_CHARACTERS:
        return [name]
    ends = [separator.end() for separator in re.finditer(r"[_./\-\s]", name)]
    fitting = [k for k in ends if _length(name[:k]) <= _MAX_CHARACTERS]
    if fitting:
        k = fitting[-1]
        return [name[:k], _fit(name[k:])]
    return [_fit(name)]


def _length(text: str) -> int:
    """Return the width of a text in characters; those of wide scripts count twice."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _fit(text: str) -> str:
    longest = _MAX_CHARACTERS
    while _length(html.truncate(text, longest)) > _MAX_CHARACTERS:
        longest -= 1
    return html.truncate(text, longest)
