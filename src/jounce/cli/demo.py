"""Evaluate and check a robot's dynamics, then a million states."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(args: argparse.Namespace) -> None:
    """Run the demonstration."""
    from jounce.cli import tour

    tour.main()
