"""List which equations of the papers are implemented."""

from __future__ import annotations

import argparse

EXAMPLES = ("jounce papers",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(args: argparse.Namespace) -> None:
    """Print the coverage."""
    from jounce import papers

    print(papers.report())
