"""What several commands are given: a robot from a file or the gallery, as it is asked for."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jounce.arrays.quantity import BoundQuantity
    from jounce.robot import Robot
    from jounce.solve.mechanism.robot import Mechanism

ROBOT = "robot file, or a name from the gallery"


def add_robot(parser: argparse.ArgumentParser) -> None:
    """The robot and how to read it; `system` makes one of it."""
    add_file(parser)
    add_active(parser)


def add_file(parser: argparse.ArgumentParser) -> None:
    """The robot's file, and how to read it."""
    parser.add_argument("robot", help=ROBOT)
    parser.add_argument("--base", choices=("fixed", "floating"), help="default: the robot's own")
    parser.add_argument(
        "--package-dir", action="append", default=[], metavar="FOLDER", help="holds ROS packages"
    )


def add_active(parser: Any, more: str = "") -> None:
    """Which joints of a mechanism are independent. more: what else is to be said of them."""
    parser.add_argument(
        "--active",
        metavar="JOINT",
        action="append",
        help=f"where the robot has closed loops: an independent joint{more}; may be repeated"
        " (default: those that robot.closed() chooses)",
    )


def system(args: argparse.Namespace) -> Robot | Mechanism:
    """The robot that was asked for, with its loops closed if it has any."""
    from jounce.robot import load

    return closed(load(args.robot, base=args.base, package_dirs=args.package_dir), args.active)


def closed(robot: Robot, active: Sequence[str] | None) -> Robot | Mechanism:
    """The robot, or the mechanism if it has loops."""
    from jounce.errors import ArgumentError

    if robot.model.loops:
        return robot.closed(active)
    if active:
        raise ArgumentError(
            f"--active: {robot.name} has no closed loops, all its joints move freely"
        )
    return robot


def quantity(of: Robot | Mechanism, name: str) -> BoundQuantity:
    """A quantity by its name, or a sentence about what there is."""
    from jounce.errors import ArgumentError, JounceError

    try:
        return of.quantity(name)
    except JounceError:
        raise
    except (AttributeError, ValueError) as error:  # of a derivative that there is not
        raise ArgumentError(error) from error


def add_force(parser: Any) -> None:
    """Add the option that lets a command replace files."""
    parser.add_argument("--force", action="store_true", help="replace files that exist")


def target(path: str, force: bool) -> Path:
    """Check before a long run that a file can be written at its end; return its path."""
    from jounce.errors import ArgumentError
    from jounce.utils.files import check_target

    place = Path(path)
    folder = place.absolute().parent
    if not folder.is_dir():
        raise ArgumentError(f"cannot write '{path}': its folder does not exist")
    check_target(place, force)
    replaced = place.is_file() or not place.exists()  # all else is a pipe or a device
    if replaced and not os.access(folder, os.W_OK):
        raise ArgumentError(f"cannot write '{path}': its folder is read-only")
    return place


def columns(items: Sequence[str]) -> dict[str, str]:
    """Columns of data by the names of the convention, of words such as q_elbow=angle."""
    from jounce.errors import DataError

    mapping = {}
    for item in items:
        name, equals, column = item.partition("=")
        if not equals:
            raise DataError(f"--column: expected NAME=COLUMN, found '{item}'")
        mapping[name] = column
    return mapping


def numbers(flag: str, text: str) -> list[float]:
    """Numbers with commas between them."""
    from jounce.errors import DataError

    try:
        return [float(word) for word in text.split(",")]
    except ValueError:
        raise DataError(f"{flag}: expected numbers and commas, found '{text}'") from None


@contextmanager
def client(where: str | None) -> Iterator[Any]:
    """A client of the scheduler at an address, or of workers that are started here (local)."""
    if where is None:
        yield None
        return
    try:
        from jounce.arrays.dask_adapter.cluster import connected
    except ImportError:
        raise ImportError('--dask needs Dask; install it: pip install "jounce[dask]"') from None
    with connected(where) as found:
        yield found
