"""Progress bars for long work, by `rich` if it is installed, otherwise as plain lines."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from typing import Any


def _on_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def in_notebook() -> bool:
    """Return whether the program runs in a notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


def track(
    items: Iterable[Any], description: str, *, total: int | None = None, quiet: bool = False
) -> Iterator[Any]:
    """Iterate over items while showing progress on standard error.

    total: number of items, if `items` has no length. quiet: show progress only on a terminal or in
    a notebook; otherwise logs get a line for every tenth of the work.
    """
    # rich needs ipywidgets for bars in notebooks
    has_bar = _on_terminal() or (in_notebook() and find_spec("ipywidgets") is not None)
    count = len(items) if total is None else total  # pyright: ignore[reportArgumentType]
    if not has_bar:
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
