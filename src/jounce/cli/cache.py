"""List, measure or clear the compiled kernels kept on disk."""

from __future__ import annotations

import argparse

EXAMPLES = ("jounce cache", "jounce cache list", "jounce cache clear")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the action."""
    parser.add_argument(
        "action",
        nargs="?",
        default="size",
        choices=("list", "size", "clear"),
        help="list: every kernel; size: how many and how large (default); clear: delete them",
    )


def run(args: argparse.Namespace) -> None:
    """Print or clear the cache."""
    import time

    from jounce.errors import legible
    from jounce.utils import cache

    folder = cache.directory()
    if folder is None:
        print("the cache is turned off (JOUNCE_CACHE)")
        return
    if args.action == "clear":
        print(f"{folder}: {cache.clear() / 2**20:.1f} MB deleted")
        return
    entries = cache.entries()
    if args.action == "list":
        for entry in entries:
            when = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.used))
            print(f"{entry.key[:12]}  {when}  {entry.size / 1024:8.0f} KB  {legible(entry.name)}")
    total = sum(entry.size for entry in entries)
    most = cache.limit() / 2**20
    print(f"{folder}: {len(entries)} kernels, {total / 2**20:.1f} of at most {most:.0f} MB")
