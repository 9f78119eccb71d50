"""Write quantities of a robot as source code: C, CUDA, MATLAB, WebAssembly, LaTeX, or for ROS 2.

Names of quantities are those of robot.quantity: mass_matrix, inverse_dynamics.dq,
"inverse_dynamics.rates(2)", "frame(tool).jacobian". `jounce info --quantities` lists them.

c: C99 that needs only <math.h>. cuda: kernels and functions that launch them. matlab: a function
per quantity, for Octave too. web: a WebAssembly module with JavaScript and types. All except matlab
include a test program. latex: a document with a formula per entry, for robots with a few joints.
ros2: a package with a controller for ros2_control and an inverse dynamics solver, without choice of
quantities.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from jounce.cli import shared_arguments
from jounce.errors import ArgumentError, JounceError, printable
from jounce.export import PROCESSORS, bound_errors, measure_code, ros2

EXAMPLES = (
    "jounce export kuka_iiwa14 --to c -o firmware inverse_dynamics mass_matrix",
    "jounce export robot.urdf --to c -o firmware --float32 --target cortex-m7",
    'jounce export robot.urdf --to matlab -o functions "inverse_dynamics.rates(2)"',
    "jounce export robot.urdf --to ros2 -o robot_control",
    "jounce export planar_2r --to latex -o paper mass_matrix --symbol link1.mass=m1",
)

_LANGUAGES = ("c", "cuda", "matlab", "web", "latex", "ros2")

#: Languages that support each option.
_OPTIONS = {"float32": ("c", "cuda"), "simd": ("c",), "target": ("c",), "symbol": ("latex",)}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the robot, the language, the folder and the quantities."""
    shared_arguments.add_robot(parser)
    parser.add_argument("quantities", nargs="*", metavar="quantity", help="default: a few")
    parser.add_argument("--to", required=True, choices=_LANGUAGES, help="language")
    parser.add_argument(
        "-o", "--output", required=True, metavar="FOLDER", help="output folder, created if missing"
    )
    shared_arguments.add_force(parser)
    parser.add_argument("--name", help="prefix of files and functions (default: the robot's name)")
    parser.add_argument("--float32", action="store_true", help="float arithmetic (c, cuda)")
    parser.add_argument("--simd", action="store_true", help="functions over batches too (c)")
    parser.add_argument(
        "--target",
        choices=sorted(PROCESSORS),
        help="print code size, stack, instructions and rounding errors on this processor (c)",
    )
    parser.add_argument(
        "--symbol",
        action="append",
        default=[],
        metavar="PARAMETER=NAME",
        help="use a symbol instead of a number of the robot (latex); may be repeated",
    )


def run(args: argparse.Namespace) -> None:
    """Write the files and print their names."""
    for option, languages in _OPTIONS.items():
        if getattr(args, option) and args.to not in languages:
            raise ArgumentError(f"--{option} is for --to {' and '.join(languages)}")
    if args.quantities and args.to == "ros2":
        raise ArgumentError(f"--to ros2 takes no quantities, found '{args.quantities[0]}'; omit it")
    options: dict[str, Any] = {"name": args.name, "overwrite": args.force}
    if args.quantities:
        options["quantities"] = args.quantities
    if args.float32:
        options["dtype"] = "float32"
    if args.simd:
        options["simd"] = True
    if args.symbol:
        options["parameters"] = _symbols(args.symbol)
    system = shared_arguments.system(args)
    for name in args.quantities:
        shared_arguments.quantity(system, name)
    try:
        if args.to == "ros2":
            files = ros2.export_ros2(system, args.output, **options)
        else:
            files = getattr(system.export, args.to)(args.output, **options)
    except JounceError:
        raise
    except ValueError as error:  # such as a --name that C does not allow
        raise ArgumentError(f"{system.name}: {error}") from error
    for file in files:
        print(f"{printable(str(file))}  {_size(file)}")
    if args.target:
        _print_resources(system, args.quantities or ["inverse_dynamics"], args)


def _print_resources(system: Any, quantities: list[str], args: argparse.Namespace) -> None:
    """Print what the functions take on a processor, and their rounding errors."""
    dtype = "float32" if args.float32 else "float64"
    print(f"\n{args.target}, {dtype}: compiled by GCC -O2 without warnings")
    columns = (
        "function",
        "operations",
        "code B",
        "stack B",
        "instructions",
        "error <=",
        "at states <=",
        "observed",
    )
    rows: list[tuple[str, ...]] = [columns]
    for name in quantities:
        (size,) = measure_code(system, name, args.target, dtype)
        errors = bound_errors(system, name, dtype=dtype)
        instructions = "-" if size.instructions is None else f"{size.instructions:,}"
        sizes = (f"{x:,}" for x in (sum(size.operations.values()), size.code, size.stack))
        bounds = (errors.largest_bound, errors.point_bound, errors.largest_observed)
        rows.append((name, *sizes, instructions, *(f"{x:.2g}" for x in bounds)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = (x.rjust(width) for x, width in zip(others, widths[1:], strict=True))
        print("  ".join((printable(first).ljust(widths[0]), *cells)))
    print(
        "Errors of results in SI units: a bound for all states within the limits of the robot (10"
        " where there are none; inf if a divisor may vanish), the largest bound at 1,000 random"
        " states, and the largest error there."
    )


def _symbols(items: list[str]) -> dict[str, str]:
    """Parse words of the form PARAMETER=NAME."""
    out = {}
    for item in items:
        parameter, equals, name = item.partition("=")
        if not (equals and parameter and name):
            raise ArgumentError(f"--symbol: expected PARAMETER=NAME, found '{item}'")
        out[parameter] = name
    return out


def _size(path: Path) -> str:
    size = path.stat().st_size
    return f"{size} bytes" if size < 10_000 else f"{size / 1000:.0f} kB"
