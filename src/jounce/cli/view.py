"""Show a robot in the browser: shapes, sliders, overlays, numbers. Needs jounce[view].

Shows meshes, or simple shapes if meshes are missing, or a skeleton of the joints. Loops of the
robot stay closed while joints move. The address is printed; Ctrl-C ends the program.
"""

from __future__ import annotations

import argparse

from jounce.cli import shared_arguments
from jounce.errors import ArgumentError

EXAMPLES = (
    "jounce view kuka_iiwa14",
    "jounce view robot.urdf --overlay gravity --overlay com --package-dir ~/ros/src",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the robot, the address, and what to show."""
    shared_arguments.add_robot(parser)
    parser.add_argument("--collision", action="store_true", help="show collision shapes, too")
    parser.add_argument(
        "--overlay",
        action="append",
        default=[],
        metavar="NAME",
        help="show an overlay: frames, axes, com, gravity, ...; may be repeated",
    )
    parser.add_argument(
        "--open-loops", action="store_true", help="ignore loops: move all joints independently"
    )
    parser.add_argument("--port", type=int, help="default: the first free one from 8080 on")
    parser.add_argument(
        "--host", default="localhost", help="default: localhost; 0.0.0.0 for all networks"
    )
    parser.add_argument("--no-open", action="store_true", help="do not open a browser")


def run(args: argparse.Namespace) -> None:
    """Show the robot until interrupted."""
    from jounce.viewer.live import show, viser

    viser()  # fails before anything takes time if it is not installed
    if args.open_loops and args.active:
        raise ArgumentError("--active has no effect with --open-loops; omit one of them")
    system = shared_arguments.system(args, quiet=True, close=not args.open_loops)
    try:
        with show(
            system,
            port=args.port,
            host=args.host,
            open_browser=False if args.no_open else None,
            block=False,
            package_dirs=args.package_dir,
            collision=args.collision,
            overlays=args.overlay,
        ) as viewer:
            for sentence in viewer.messages:
                print(sentence, flush=True)
            viewer.wait()
    except KeyboardInterrupt:
        print()  # after the terminal's ^C
