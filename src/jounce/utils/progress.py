"""Progress bars for long work: rich where it is installed, plain lines otherwise."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from typing import Any


def _on_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def in_notebook() -> bool:
    """Whether a notebook would show what a cell returns."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


def track(
    items: Iterable[Any], description: str, *, total: int | None = None, quiet: bool = False
) -> Iterator[Any]:
    """Iterate over items while showing how far the work has come (on standard error).

    total: how many items there are, if they cannot tell. quiet: only where someone is watching,
    that is on a terminal or in a notebook; otherwise a line at every tenth goes to a log as well.
    """
    # rich draws bars into notebooks by ipywidgets
    watched = _on_terminal() or (in_notebook() and find_spec("ipywidgets") is not None)
    count = len(items) if total is None else total  # pyright: ignore[reportArgumentType]
    if not watched:
        yield from items if quiet else _plain(items, description, count)
        return
    try:
        from rich.console import Console
        from rich.progress import track as rich_track
    except ImportError:
        yield from _plain(items, description, count)
        return
    yield from rich_track(items, description=description, total=count, console=Console(stderr=True))


def _plain(items: Iterable[Any], description: str, count: int) -> Iterator[Any]:
    tenth = 0
    for k, item in enumerate(items, 1):
        yield item
        if 10 * k // count > tenth:
            tenth = 10 * k // count
            print(f"{description}: {10 * tenth} %", file=sys.stderr)
