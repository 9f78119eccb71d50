"""Write a robot as one HTML file: in 3D, simulated, with its dynamics computed in the page.

The file opens from disk without network: quantities are WebAssembly inside it. Loops of the file
are closed.
"""

from __future__ import annotations

import argparse

from jounce.cli import shared_arguments

EXAMPLES = (
    "jounce page kuka_iiwa14 -o kuka.html",
    "jounce page robot.urdf --quantities mass_matrix.dq --package-dir ~/ros/src",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the robot, the file to write, and its contents."""
    shared_arguments.add_file(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="by default NAME.html, here")
    shared_arguments.add_force(parser)
    parser.add_argument(
        "--quantities",
        nargs="+",
        metavar="QUANTITY",
        help="what to offer beside what the page needs, such as mass_matrix.dq; by default a few",
    )
    parser.add_argument("--title", help="of the page; by default the robot's name")
    parser.add_argument(
        "--active",
        nargs="+",
        metavar="JOINT",
        help="independent joints of a robot with loops; by default those that suit",
    )
    parser.add_argument(
        "--triangles",
        type=int,
        metavar="N",
        help="of all meshes together, about; by default 100000",
    )
    parser.add_argument(
        "--no-timings",
        action="store_true",
        help="do not measure NumPy: the same robot gives the same file, byte for byte",
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
        package_dirs=args.package_dir,
        title=args.title,
        triangles=meshes.BUDGET if args.triangles is None else args.triangles,
        timings=not args.no_timings,
        overwrite=args.force,
    )
    size = path.stat().st_size / 1e6
    print(f"{path}: {size:.1f} MB; open it in a browser, no network needed")
