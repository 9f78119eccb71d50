"""Arguments that several commands share, and functions that evaluate them."""

from __future__ import annotations

import argparse
import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jounce.arrays import BoundQuantity
    from jounce.robot import Robot
    from jounce.solve.mechanism import Mechanism

ROBOT = "robot file, or a name from the gallery"


def add_robot(parser: argparse.ArgumentParser) -> None:
    """Add the robot and how to read it, for `system`."""
    add_file(parser)
    add_active(parser)


def add_file(parser: argparse.ArgumentParser) -> None:
    """Add the robot's file, and how to read it."""
    parser.add_argument("robot", help=ROBOT)
    parser.add_argument(
        "--base", choices=("fixed", "floating"), help="base of the robot (default: as in the file)"
    )
    parser.add_argument(
        "--package-dir",
        action="append",
        default=[],
        metavar="FOLDER",
        help="folder with ROS packages; may be repeated",
    )


def add_active(parser: Any, remark: str = "") -> None:
    """Add the independent joints of a mechanism. remark: for the help text."""
    parser.add_argument(
        "--active",
        metavar="JOINT",
        action="append",
        help=f"for robots with closed loops: an independent joint{remark}; may be repeated"
        " (default: those that robot.closed() chooses)",
    )


def system(args: argparse.Namespace, quiet: bool = False, close: bool = True) -> Robot | Mechanism:
    """Load the robot of a command line.

    quiet: suppress warnings about the file, which `jounce info` lists. close: return the mechanism
    with closed loops if the robot has any.
    """
    from jounce.errors import ModelWarning
    from jounce.robot import load

    with warnings.catch_warnings():
        if quiet:
            warnings.simplefilter("ignore", ModelWarning)
        robot = load(args.robot, base=args.base, package_dirs=args.package_dir)
    return close_loops(robot, args.active) if close else robot


def close_loops(robot: Robot, active: Sequence[str] | None) -> Robot | Mechanism:
    """Return the robot, or the mechanism with closed loops if it has any."""
    from jounce.errors import ArgumentError

    if robot.model.loops:
        return robot.closed(active)
    if active:
        raise ArgumentError(f"--active: {robot.name} has no closed loops; omit the option")
    return robot


def quantity(of: Robot | Mechanism, name: str) -> BoundQuantity:
    """Return a quantity by its name; ArgumentError if there is none."""
    from jounce.errors import ArgumentError, JounceError

    try:
        return of.quantity(name)
    except JounceError:
        raise
    except (AttributeError, ValueError) as error:  # of a derivative that does not exist
        raise ArgumentError(error) from error


def add_force(parser: Any) -> None:
    """Add the option that lets a command replace files."""
    parser.add_argument("--force", action="store_true", help="replace files that exist")


def target(path: str, force: bool) -> Path:
    """Check before a long run that a file can be written at its end; return its path."""
    from jounce.errors import ArgumentError
    from jounce.utils import check_target

    place = Path(path)
    folder = place.absolute().parent
    if not folder.is_dir():
        raise ArgumentError(f"cannot write '{path}': its folder does not exist")
    check_target(place, force)
    replaced = place.is_file() or not place.exists()  # otherwise a pipe or a device
    if replaced and not os.access(folder, os.W_OK):
        raise ArgumentError(f"cannot write '{path}': its folder is read-only")
    return place


def pairs(option: str, value: str, items: Sequence[str]) -> dict[str, str]:
    """Parse words such as q_elbow=angle to a mapping from measurements to columns or units."""
    from jounce.errors import DataError

    mapping = {}
    for item in items:
        name, equals, text = item.partition("=")
        if not equals:
            raise DataError(f"{option}: expected NAME={value}, found '{item}'")
        mapping[name] = text
    return mapping


def align_columns(rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Return a line for each row of a table; the first `left` columns are aligned to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if k < left else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def numbers(flag: str, text: str) -> list[float]:
    """Parse numbers separated by commas."""
    from jounce.errors import DataError

    try:
        return [float(word) for word in text.split(",")]
    except ValueError:
        raise DataError(f"{flag}: expected numbers and commas, found '{text}'") from None


@contextmanager
def client(where: str | None) -> Iterator[Any]:
    """Connect to the Dask scheduler at an address; "local" starts workers on this machine."""
    if where is None:
        yield None
        return
    try:
        from jounce.arrays.dask_adapter import connect
    except ImportError:
        raise ImportError('--dask needs Dask; install it: pip install "jounce[dask]"') from None
    with connect(where) as connection:
        yield connection
