"""Calibrate a robot's geometry from measured poses.

The data are a table (.csv, .tsv, .npz, .parquet) with columns q_<joint> in rad or m, and of a frame
of the robot x, y, z in m and/or an orientation (quaternion qw, qx, qy, qz, rotation vector rx, ry,
rz, or roll, pitch, yaw), T00 to T23 of matrices, or distance. Names may end in a unit: "x [mm]".
The result is a copy of the URDF or MJCF file in which only placements of joints differ.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

from jounce.cli import shared_arguments
from jounce.errors import printable

EXAMPLES = (
    "jounce calibrate robot.urdf poses.csv -o calibrated.urdf --report report.html",
    "jounce calibrate robot.urdf positions.csv --frame tool0 --parameters offsets --json",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add files and options of `jounce.calibrate`."""
    from jounce.calibration import PARAMETER_GROUPS

    shared_arguments.add_file(parser)
    parser.add_argument("data", help="table with a line of column names")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the calibrated robot here")
    parser.add_argument("--report", metavar="HTML", help="write a report with plots here")
    shared_arguments.add_force(parser)
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    group = parser.add_argument_group("calibration")
    group.add_argument(
        "--frame", help="frame that was measured (default: the last one that most joints move)"
    )
    group.add_argument("--degrees", action="store_true", help="angles are in degrees")
    group.add_argument(
        "--deviation",
        type=float,
        metavar="S",
        help="standard deviation of the noise in rad and m (default: estimated)",
    )
    group.add_argument(
        "--parameters",
        nargs="+",
        choices=PARAMETER_GROUPS,
        default=["offsets", "placements"],
        help="what to estimate (default: offsets placements)",
    )
    group.add_argument(
        "--estimate",
        nargs="*",
        choices=("mount", "target"),
        default=["mount", "target"],
        help="pose of the sensor in the world, and of the marker in its frame (default: both)",
    )
    group.add_argument(
        "--loss", choices=("huber", "cauchy"), help="robust loss (default: least squares)"
    )
    group.add_argument(
        "--folds", type=int, default=5, metavar="N", help="parts for cross-validation (default: 5)"
    )
    shared_arguments.add_active(group, ", which has an encoder")


def run(args: argparse.Namespace) -> None:
    """Calibrate, print the result, and write the requested files."""
    from jounce.calibration import calibrate, read_measurements
    from jounce.errors import ArgumentError, DataWarning
    from jounce.identification import plots

    for path in (args.output, args.report):
        if path:
            shared_arguments.target(path, args.force)
    if args.report:
        plots.figure_class()
    if args.output and not Path(args.robot).is_file():
        raise ArgumentError(f"-o needs the robot's URDF or MJCF file, found '{args.robot}'")
    robot = shared_arguments.system(args, quiet=True)
    with warnings.catch_warnings():
        warnings.simplefilter("always", DataWarning)
        data = read_measurements(
            args.data,
            robot,
            args.frame,
            degrees=args.degrees,
            deviation=args.deviation,
            estimate=tuple(args.estimate),
        )
        result = calibrate(
            robot, data, parameters=args.parameters, loss=args.loss, folds=args.folds
        )
    print(result.to_json() if args.json else result)
    paths = []
    if args.output:
        paths.append(result.write(args.robot, args.output, overwrite=args.force))
    if args.report:
        paths.append(result.report(args.report, overwrite=args.force))
    for path in paths:
        print(f"written: {printable(str(path))}", file=sys.stderr)
