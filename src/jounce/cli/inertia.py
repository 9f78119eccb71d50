"""Compare the inertias in a robot file with those of its meshes and other shapes.

For each link: the mass in the file, the density if that mass fills the shapes, how far the centres
of mass are apart, and the principal moments of the file over those of the shapes. What looks wrong
is said in words. Links whose meshes are missing or not watertight say so; try --repair or --hull.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from jounce.errors import printable

if TYPE_CHECKING:
    from jounce.io.mesh_inertia import Comparison
    from jounce.model.model import Model

EXAMPLES = (
    "jounce inertia kuka_iiwa14",
    "jounce inertia robot.urdf --package-dir ~/ros/src --hull --json",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The file, what to take for the shapes' mass, and where and how to find the meshes."""
    parser.add_argument("robot", help="robot file")
    weight = parser.add_mutually_exclusive_group()
    weight.add_argument("--density", type=float, metavar="KG_M3", help="of all shapes")
    weight.add_argument("--mass", choices=("file",), help="the file's mass per link (default)")
    parser.add_argument(
        "--purpose",
        choices=("auto", "collision", "visual"),
        default="auto",
        help="which shapes; auto: those for collision if they are solids, else the visual ones",
    )
    parser.add_argument("--links", nargs="+", metavar="NAME", help="only these")
    parser.add_argument(
        "--package-dir", action="append", default=[], metavar="FOLDER", help="holds ROS packages"
    )
    parser.add_argument("--repair", action="store_true", help="mend meshes that are not watertight")
    parser.add_argument("--hull", action="store_true", help="take the meshes' convex hulls")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> None:
    """Print a line per link."""
    import json
    import warnings
    from dataclasses import replace

    from jounce.errors import ModelWarning
    from jounce.io import mesh_inertia as meshes

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)  # the comparison says it all
        model = _model(args.robot, args.package_dir)
        found = meshes.compare(
            model,
            density=args.density,
            mass=args.mass,
            purpose=args.purpose,
            links=args.links,
            package_dirs=args.package_dir,
            repair=args.repair,
            hull=args.hull,
        )
    # what to do about missing meshes is said once, not for each of them
    short = [replace(link, error=link.error.removesuffix(meshes.PACKAGE_ADVICE)) for link in found]
    if args.json:
        print(json.dumps([_plain(link) for link in short], indent=2))
        return
    print(_table(short))
    if any(link.error.endswith(meshes.PACKAGE_ADVICE) for link in found):
        print("Meshes were not found; pass the folder of their package as --package-dir.")


def _model(path: str, package_dirs: list[str]) -> Model:
    """The robot with a floating base, so that its root counts too; as it is if it has several."""
    from jounce import io
    from jounce.errors import ModelError

    try:
        return io.read(path, base="floating", package_dirs=package_dirs)
    except ModelError:
        return io.read(path, package_dirs=package_dirs)


def _plain(link: Comparison) -> dict[str, Any]:
    """A comparison as JSON holds it."""
    return {
        "link": link.link,
        "body": link.body,
        "file": link.file.tolist(),
        "shape": None if link.shape is None else link.shape.tolist(),
        "purpose": link.purpose,
        "shapes": link.shapes,
        "volume": link.volume,
        "density": link.density if link.volume else None,
        "com_offset": None if link.shape is None else link.com_offset.tolist(),
        "moment_ratios": None if link.shape is None else link.ratios.tolist(),
        "error": link.error,
        "remarks": list(link.remarks),
        "findings": list(link.findings),
    }


def _table(found: list[Comparison]) -> str:
    """Columns that line up, and below each link what is to be said about it."""
    head = ("link", "shapes", "mass, kg", "kg/m^3", "com off, mm", "moments, file / shapes")
    rows = [_cells(link) for link in found]
    widths = [max(len(row[k]) for row in (head, *rows)) for k in range(len(head))]
    lines = [_line(head, widths)]
    for link, row in zip(found, rows, strict=True):
        lines.append(_line(row, widths))
        lines += [f"  ! {text}" for text in link.remarks]
        lines += [f"  - {text}" for text in (link.error, *link.findings) if text]
    odd = sum(bool(link.remarks) for link in found)
    bad = sum(bool(link.error) for link in found)
    lines.append(f"{len(found)} links, {odd} with remarks (!), {bad} without a solid to compare")
    return "\n".join(map(printable, lines))


def _cells(link: Comparison) -> tuple[str, ...]:
    import numpy as np

    name = printable(link.link)
    mass = f"{link.file[0]:.4g}"
    if link.shape is None:
        return (name, "-", mass, "-", "-", "-")
    off = f"{1e3 * np.linalg.norm(link.com_offset):.3g}" if link.file[0] else "-"
    ratios = "  ".join(f"{x:8.3g}" for x in link.ratios)
    shapes = f"{link.shapes} {link.purpose}"
    return (name, shapes, mass, f"{link.density:.0f}", off, ratios)


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    left = [cell.ljust(width) for cell, width in zip(cells[:2], widths[:2], strict=True)]
    right = [cell.rjust(width) for cell, width in zip(cells[2:], widths[2:], strict=True)]
    return "  ".join((*left, *right)).rstrip()
