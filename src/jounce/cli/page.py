"""Write a robot as one HTML file with a 3D view, simulation and dynamics.

The file opens from disk without a network; it contains the quantities as WebAssembly. Loops of the
robot are closed.
"""

from __future__ import annotations

import argparse

from jounce.cli import shared_arguments

EXAMPLES = (
    "jounce page kuka_iiwa14 -o kuka.html",
    "jounce page robot.urdf --quantities mass_matrix.dq --package-dir ~/ros/src",
    "jounce page robot.urdf --controller impedance --frame tool",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the robot, the file to write, and its contents."""
    shared_arguments.add_file(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="default: NAME.html, here")
    shared_arguments.add_force(parser)
    parser.add_argument(
        "--quantities",
        nargs="+",
        metavar="QUANTITY",
        help="further quantities, such as mass_matrix.dq (default: a few)",
    )
    parser.add_argument(
        "--controller",
        choices=("gravity", "impedance"),
        help="controller that drives the robot: gravity compensation, or springs at the joints",
    )
    parser.add_argument(
        "--frame", metavar="FRAME", help="with impedance: springs at this frame, not at the joints"
    )
    parser.add_argument("--title", help="title of the page (default: the robot's name)")
    parser.add_argument(
        "--active",
        nargs="+",
        metavar="JOINT",
        help="independent joints of a robot with loops (default: chosen automatically)",
    )
    parser.add_argument(
        "--triangles",
        type=int,
        metavar="N",
        help="approximate total number of triangles of all meshes (default: 100000)",
    )
    parser.add_argument(
        "--no-timings",
        action="store_true",
        help="omit timings of NumPy, so that the file is reproducible byte for byte",
    )


def run(args: argparse.Namespace) -> None:
    """Write the page and print where it is."""
    from jounce.export import source
    from jounce.viewer.web import meshes, write_page

    system = shared_arguments.system(args)
    path = write_page(
        system,
        args.output
        if args.output is not None
        else f"{source.prefix_of(system.model.name, None)}.html",
        args.quantities,
        controller=args.controller,
        frame=args.frame,
        package_dirs=args.package_dir,
        title=args.title,
        triangles=meshes.BUDGET if args.triangles is None else args.triangles,
        timings=not args.no_timings,
        overwrite=args.force,
    )
    size = path.stat().st_size / 1e6
    print(f"{path}: {size:.1f} MB; open it in a browser, no network needed")
