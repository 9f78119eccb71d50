"""The cheat sheet as a PDF of two columns, from the Markdown of its page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fpdf import FPDF
from markdown_it import MarkdownIt
from markdown_it.token import Token
from sphinx.application import Sphinx

import jounce

PAGE, FILE = "cheat-sheet", "cheat-sheet.pdf"

#: Millimeters: A3 landscape, margin, gap of the columns, line. One page, readable on A4 too.
WIDTH, HEIGHT, MARGIN, GAP, LINE = 420, 297, 9, 8, 3.3
COLUMN = (WIDTH - 2 * MARGIN - GAP) / 2
#: Points, of text and of code.
SIZE, CODE = 7.4, 6.6

#: A style ("", "B" or "code") and a text.
Run = tuple[str, str]


class Sheet(FPDF):
    """Boxes of text that fill one column after the other."""

    def __init__(self) -> None:
        import matplotlib  # has the fonts

        super().__init__(orientation="landscape", format="A3")
        fonts = Path(matplotlib.get_data_path(), "fonts", "ttf")
        for family, style, file in (
            ("text", "", "DejaVuSans"),
            ("text", "B", "DejaVuSans-Bold"),
            ("code", "", "DejaVuSansMono"),
        ):
            self.add_font(family, style, fonts / f"{file}.ttf")
        self.set_auto_page_break(False)
        self.column, self.top = 1, 0.0

    def place(self, height: float) -> float:
        """Return the left edge of a box of some height, after a break if it needs one."""
        if self.page == 0 or self.top + height > HEIGHT - MARGIN:
            self.column = 1 - self.column
            self.top = MARGIN
            if self.column == 0:
                self.add_page()
        return MARGIN + self.column * (COLUMN + GAP)

    def style(self, style: str, size: float = SIZE) -> None:
        """Choose a font."""
        if style == "code":
            self.set_font("code", size=min(size, CODE))
        else:
            self.set_font("text", style, size)

    def lines(self, runs: list[Run], width: float) -> list[list[Run]]:
        """Break styled text into lines."""
        out: list[list[Run]] = [[]]
        used = 0.0
        for style, text in runs:
            self.style(style)
            for word in re.findall(r"\S+\s*|\s+", text):
                length = self.get_string_width(word.rstrip())
                if used + length > width and out[-1]:
                    out.append([])
                    used = 0.0
                out[-1].append((style, word))
                used += self.get_string_width(word)
        return out

    def write_lines(self, lines: list[list[Run]], left: float, top: float) -> None:
        """Write lines of styled words."""
        for k, line in enumerate(lines):
            self.set_xy(left, top + k * LINE)
            for style, word in line:
                self.style(style)
                self.cell(self.get_string_width(word), LINE, word)

    def heading(self, text: str, size: float) -> None:
        """Write a heading that stays with what follows."""
        left = self.place(0.5 * size + 14)
        self.style("B", size)
        self.set_xy(left, self.top + 1)
        self.cell(COLUMN, 0.45 * size, text)
        self.top += 0.45 * size + 2

    def paragraph(self, runs: list[Run]) -> None:
        """Write a paragraph."""
        lines = self.lines(runs, COLUMN)
        left = self.place(LINE * len(lines))
        self.write_lines(lines, left, self.top)
        self.top += LINE * len(lines) + 1

    def code(self, text: str) -> None:
        """Write a block of code on a gray ground, line by line."""
        self.set_fill_color(243, 244, 246)
        for line in text.rstrip("\n").split("\n"):
            left = self.place(LINE - 0.3)
            self.style("code")
            stretch = min(1.0, (COLUMN - 2) / max(self.get_string_width(line), 1.0))
            self.set_font_size(CODE * stretch)
            self.set_xy(left, self.top)
            self.cell(COLUMN, LINE - 0.3, line, fill=True)
            self.top += LINE - 0.3
        self.top += 1.2

    def row(self, cells: list[list[Run]], widths: list[float], header: bool) -> None:
        """Write a row of a table with a line below."""
        broken = [self.lines(x, width - 1.5) for x, width in zip(cells, widths, strict=True)]
        height = LINE * max(map(len, broken))
        left = self.place(height + 0.5)
        x = left
        for lines, width in zip(broken, widths, strict=True):
            self.write_lines(lines, x, self.top)
            x += width
        self.top += height + 0.4
        self.set_draw_color(60 if header else 200)
        self.line(left, self.top - 0.2, left + COLUMN, self.top - 0.2)


def inline(token: Token, style: str = "") -> list[Run]:
    """Return the styled text of an inline token."""
    runs: list[Run] = []
    for child in token.children or ():
        if child.type == "strong_open":
            style = "B"
        elif child.type == "strong_close":
            style = ""
        elif child.content:
            runs.append(("code" if child.type == "code_inline" else style, child.content))
        elif child.type == "softbreak":
            runs.append((style, " "))
    return runs


def rows_of(tokens: list[Token]) -> Iterator[list[list[Run]]]:
    """Yield the rows of a table, the first of which is the header."""
    cells: list[list[Run]] = []
    for token in tokens:
        if token.type == "inline":
            cells.append(inline(token))
        elif token.type == "tr_close":
            yield cells
            cells = []


def draw(text: str, path: Path) -> None:
    """Write a page in Markdown as a PDF."""
    sheet = Sheet()
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    k = 0
    while k < len(tokens):
        token = tokens[k]
        if token.type == "heading_open":
            heading = tokens[k + 1].content
            if token.tag == "h1":
                sheet.heading(f"jounce {jounce.__version__}: {heading.lower()}", 13)
            else:
                sheet.heading(heading, 9)
            k += 1
        elif token.type == "inline":
            sheet.paragraph(inline(token))
        elif token.type == "fence" and not token.info.startswith("{"):
            sheet.code(token.content)
        elif token.type == "table_open":
            stop = next(i for i in range(k, len(tokens)) if tokens[i].type == "table_close")
            rows = [*rows_of(tokens[k:stop])]
            widths = _widths(rows, sheet)
            for cells in rows:
                sheet.row(cells, widths, cells is rows[0])
            sheet.top += 1.5
            k = stop
        k += 1
    sheet.set_title("jounce cheat sheet")
    sheet.output(str(path))


def _widths(rows: list[list[list[Run]]], sheet: Sheet) -> list[float]:
    """Return widths of columns by their longest cells; the widest one gives way."""
    natural = []
    for column in zip(*rows, strict=True):
        widths = []
        for runs in column:
            total = 0.0
            for style, text in runs:
                sheet.style(style)
                total += sheet.get_string_width(text)
            widths.append(total + 2)
        natural.append(max(widths))
    excess = sum(natural) - COLUMN
    widest = max(range(len(natural)), key=natural.__getitem__)
    natural[widest] = max(natural[widest] - excess, COLUMN / len(natural))
    scale = COLUMN / sum(natural)
    return [scale * x for x in natural]


def _link(_app: Sphinx, docname: str, source: list[str]) -> None:
    if docname == PAGE:
        heading, _, body = source[0].partition("\n")
        link = (
            f'<a class="sd-btn sd-btn-outline-primary" href="{FILE}" download>Download as PDF</a>'
        )
        source[0] = f"{heading}\n\n{link}\n{body}"


def _write(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        draw(Path(app.srcdir, f"{PAGE}.md").read_text("utf-8"), Path(app.outdir, FILE))


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the PDF when the pages are there, and link to it."""
    app.connect("source-read", _link)
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
