"""Propagate parameter uncertainty to a quantity and rank the causes.

Samples many robots whose inertias, placements, axes or friction differ from nominal, and evaluates
the quantity for each of them along a trajectory: mean, quantiles, worst case, and the share of each
parameter in the variance (Sobol indices). The trajectory is a file with columns t, q_<joint>,
v_<joint> and a_<joint> in SI units (other common names are understood); velocities and
accelerations that are missing are derivatives of the positions.
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jounce.cli import shared_arguments
from jounce.errors import ArgumentError, DataWarning, ModelWarning, printable

if TYPE_CHECKING:
    from jounce.studies import Study, Trajectory

EXAMPLES = (
    "jounce study robot.urdf --trajectory t.csv --vary inertia=5% placement=0.1mm --samples 1e6"
    " -o study.html",
    "jounce study robot.urdf --trajectory t.csv --vary 'inertia[link7]=10%' friction --json",
    "jounce study robot.urdf --trajectory t.npz --vary mass=3% --quantity gravity_forces --dask"
    " tcp://host:8786",
)

#: A kind, optionally the names of bodies or joints, and an amount.
_VARIED = re.compile(r"\s*([^=\[\]]+?(?:\[.*\])?)\s*(?:=\s*(.+?)\s*)?", re.S)

#: Options that the results depend on, in the order of the command in reports.
_REPEATED = ("quantity", "samples", "seed", "sampling", "quantiles", "points", "base")
_REPEATED += (
    "package_dir",
    "active",
    "degrees",
    "column",
    "unit",
    "time_scale",
    "torque_scale",
    "rate",
)
_REPEATED += ("cutoff", "no_sobol")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the robot, its motion, what varies, and where it is computed."""
    from jounce.studies import KINDS

    shared_arguments.add_robot(parser)
    add = parser.add_argument
    add(
        "--trajectory",
        metavar="FILE",
        required=True,
        help="the motion: .csv, .tsv, .txt, .npz, .npy, .parquet or a folder of .npy",
    )
    kinds = "; ".join(f"{x.name}={x.takes}: {x.doc}" for x in KINDS.values())
    add(
        "--vary",
        metavar="KIND=AMOUNT",
        nargs="+",
        action="extend",
        required=True,
        help="uncertain parameters with their standard deviations. The amount may be omitted;"
        " inertia[link7] is that of one link only. Kinds: " + kinds.replace("%", "%%"),
    )
    add("--samples", default="1e5", help="number of sampled robots, such as 1e6 (default: 1e5)")
    add("--quantity", default="inverse_dynamics", help="quantity (default: %(default)s)")
    add(
        "-o",
        "--output",
        metavar="FILE",
        help="write a report with plots here (.html), or the results as numbers (.json)",
    )
    shared_arguments.add_force(parser)
    add("--json", action="store_true", help="print the results as JSON")
    add("--seed", type=int, default=0, help="seed of the samples (default: 0)")
    add("--sampling", default="sobol", help="sobol, halton, lhs or random (default: %(default)s)")
    add("--quantiles", metavar="P,P,...", help="levels between 0 and 1, such as 0.05,0.5,0.95")
    add("--no-sobol", action="store_true", help="omit Sobol indices; takes two thirds of the time")
    add = parser.add_argument_group("workers").add_argument
    add("--dask", metavar="ADDRESS", help="a scheduler such as tcp://host:8786; local: starts one")
    add("--devices", metavar="N,N,...", help="GPUs by number, such as 0,1, or all")
    add("--threads", type=int, metavar="N", help="number of threads (default: one for each core)")
    _add_motion(parser.add_argument_group("trajectory").add_argument)


def _add_motion(add: Any) -> None:
    points = "maximum number, evenly spaced (default: %(default)s)"
    add("--points", type=int, default=100, metavar="N", help=points)
    add("--degrees", action="store_true", help="angles are in degrees")
    several: dict[str, Any] = {"action": "append", "default": []}
    text = "a column that is not recognized, such as q_elbow='motor 3'; may be repeated"
    add("--column", **several, metavar="NAME=COLUMN", help=text)
    text = "unit of a column whose name contains none, such as q=deg; may be repeated"
    add("--unit", **several, metavar="NAME=UNIT", help=text)
    scale: dict[str, Any] = {"type": float, "default": 1.0, "metavar": "FACTOR"}
    add("--time-scale", **scale, help="factor to s (ns: 1e-9)")
    add("--torque-scale", **scale, help="factor to N m or N")
    add("--rate", type=float, metavar="HZ", help="rows per second, if there are no times")
    add(
        "--cutoff",
        type=float,
        metavar="HZ",
        help="cutoff of a low-pass for the derivatives of measured motions (default: none)",
    )


def run(args: argparse.Namespace) -> None:
    """Read the motion, run the study, print it, and write the requested files."""
    from jounce.studies import read_trajectory, study

    vary = parse_varied(args.vary)
    if args.output:
        _check_target(args.output, args.force)
    names = ("points", "degrees", "time_scale", "torque_scale", "rate", "cutoff")
    reading: dict[str, Any] = {name: getattr(args, name) for name in names}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)  # `jounce info` shows them
        warnings.simplefilter("ignore", DataWarning)  # they are among the notes
        robot = shared_arguments.system(args)
        shared_arguments.quantity(robot, args.quantity)
        reading["columns"] = shared_arguments.pairs("--column", "COLUMN", args.column)
        reading["units"] = shared_arguments.pairs("--unit", "UNIT", args.unit)
        motion = read_trajectory(robot, args.trajectory, args.quantity, **reading)
    for note in motion.notes:
        print(printable(f"{motion.source}: {note}"), file=sys.stderr)
    options = _options(args)
    with shared_arguments.client(args.dask) as client:
        result = study(
            *(robot, motion.arguments, args.quantity, vary), t=motion.t, client=client, **options
        )
    print(result.to_json() if args.json else result)
    if args.output:
        _write(result, motion, args)


def _options(args: argparse.Namespace) -> dict[str, Any]:
    """Return the options of `study`."""
    samples = shared_arguments.numbers("--samples", args.samples)[0]
    options = {"samples": samples, "sobol": not args.no_sobol}
    options |= {name: getattr(args, name) for name in ("seed", "sampling", "threads")}
    if args.quantiles is not None:
        options["quantiles"] = shared_arguments.numbers("--quantiles", args.quantiles)
    if args.devices is not None:
        numbers = (
            () if args.devices == "all" else shared_arguments.numbers("--devices", args.devices)
        )
        options["devices"] = [int(x) for x in numbers] or "all"
    return options


def _check_target(path: str, force: bool) -> None:
    """Check that a report can be written before anything is computed."""
    from jounce.identification import plots

    suffix = shared_arguments.target(path, force).suffix.lower()
    if suffix not in (".html", ".htm", ".json"):
        raise ArgumentError(
            f"-o: expected a file .html (a report) or .json (its numbers), found '{path}'"
        )
    if suffix != ".json":
        plots.figure_class()  # needs Matplotlib


def _write(result: Study, motion: Trajectory, args: argparse.Namespace) -> None:
    path = Path(args.output)
    if path.suffix.lower() == ".json":
        result.to_json(path, overwrite=args.force)
    else:
        from jounce.studies import write_html

        notes = (f"{len(motion)} points of {motion.source}", *motion.notes)
        write_html(result, path, command=repeat_command(args), notes=notes, overwrite=args.force)
    print(f"written: {printable(str(path))}", file=sys.stderr)


def parse_varied(words: Sequence[str]) -> dict[str, str | None]:
    """Return amounts by kind, from words such as inertia=5%; None without an amount."""
    vary: dict[str, str | None] = {}
    for word in words:
        match = _VARIED.fullmatch(word)
        if match is None:
            raise ArgumentError(
                f"--vary: expected KIND=AMOUNT, such as inertia=5% or inertia[link7]=5%, found"
                f" '{word}'"
            )
        if match[1] in vary:
            raise ArgumentError(f"--vary: {match[1]} occurs twice; name it once")
        vary[match[1]] = match[2]
    return vary


def repeat_command(args: argparse.Namespace) -> str:
    """Return a command line that gives the same numbers again."""
    words = ["jounce", "study", args.robot, "--trajectory", args.trajectory, "--vary", *args.vary]
    for name in _REPEATED:
        value = getattr(args, name)
        flag = f"--{name.replace('_', '-')}"
        if value is True:
            words.append(flag)
        elif value is not None and value is not False:
            for item in value if isinstance(value, list) else [value]:
                words += [flag, str(item)]
    return shlex.join([*words, "-o", args.output])
