"""Show a robot in the browser: shapes, sliders, overlays, numbers. Needs jounce[view].

Meshes are shown where they are found, else simple shapes, else a skeleton of the joints. Loops
of the file are kept closed while joints move. The address is printed; Ctrl-C ends it.
"""

from __future__ import annotations

import argparse
from typing import Any

from jounce.cli import given

EXAMPLES = (
    "jounce view kuka_iiwa14",
    "jounce view robot.urdf --overlay gravity --overlay com --package-dir ~/ros/src",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The robot, where to listen, and what to show."""
    given.add_robot(parser)
    parser.add_argument("--collision", action="store_true", help="show what collides, too")
    parser.add_argument(
        "--overlay",
        action="append",
        default=[],
        metavar="NAME",
        help="show something over it: frames, axes, com, gravity, ...; may be repeated",
    )
    parser.add_argument(
        "--open-loops", action="store_true", help="move all joints freely, whatever loops there are"
    )
    parser.add_argument("--port", type=int, help="default: the first free one from 8080 on")
    parser.add_argument(
        "--host", default="localhost", help="default: localhost; 0.0.0.0 for all networks"
    )
    parser.add_argument("--no-open", action="store_true", help="do not open a browser")


def run(args: argparse.Namespace) -> None:
    """Show it until somebody interrupts."""
    from jounce.viewer.live import show
    from jounce.viewer.live.server import viser

    viser()  # what is missing is said before anything takes time
    system = _system(args)
    try:
        with show(
            system,
            port=args.port,
            host=args.host,
            open_browser=False if args.no_open else None,
            package_dirs=args.package_dir,
            collision=args.collision,
            overlays=args.overlay,
        ) as viewer:
            for sentence in viewer.messages:
                print(sentence, flush=True)
            viewer.wait()
    except KeyboardInterrupt:
        print()  # after the terminal's ^C


def _system(args: argparse.Namespace) -> Any:
    """The robot, or the mechanism if its file has loops."""
    import warnings

    from jounce.errors import ArgumentError, ModelWarning
    from jounce.robot import load

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)  # the business of `jounce info`
        robot = load(args.robot, base=args.base, package_dirs=args.package_dir)
    if not args.open_loops:
        return given.closed(robot, args.active)
    if args.active:
        raise ArgumentError("--active: with --open-loops all joints move freely")
    return robot
