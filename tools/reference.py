"""Regenerate the files that are made from the catalog: `python -m tools.reference`.

These are docs/reference/quantities.md, the table in docs/reference/grid.md, and listed.pyi, the
signatures of quantities for type checkers.
"""

from __future__ import annotations

from pathlib import Path

from jounce.arrays import declared
from jounce.catalog.reference import reference
from tools import stubs
from tools.grid import with_grid

PAGES = Path(__file__).parent.parent / "docs" / "reference"


def main() -> None:
    """Write all of them, and print their names."""
    grid = PAGES / "grid.md"
    texts = {
        PAGES / "quantities.md": reference(),
        grid: with_grid(grid.read_text(encoding="utf-8")),
        Path(declared.__file__).with_name("listed.pyi"): stubs.stubs(),
    }
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
