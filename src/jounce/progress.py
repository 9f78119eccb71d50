"""Progress bars for long work: rich where it is installed, plain lines otherwise."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any


def track(items: Sequence[Any], description: str, *, quiet: bool = False) -> Iterator[Any]:
    """Iterate over items while showing how far the work has come (on standard error).

    quiet: only where someone is watching, that is on a terminal.
    """
    if quiet and not sys.stderr.isatty():
        yield from items
        return
    try:
        from rich.console import Console
        from rich.progress import track as rich_track
    except ImportError:
        yield from _plain(items, description)
        return
    yield from rich_track(items, description=description, console=Console(stderr=True))


def _plain(items: Sequence[Any], description: str) -> Iterator[Any]:
    tenth = 0
    for k, item in enumerate(items):
        yield item
        if 10 * (k + 1) // len(items) > tenth:
            tenth = 10 * (k + 1) // len(items)
            print(f"{description}: {10 * tenth} %", file=sys.stderr)
