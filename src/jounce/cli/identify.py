"""Identify a robot's inertial parameters from measured motions and torques.

The data have columns t, q_<joint>, v_<joint>, a_<joint> and tau_<joint> in SI units (other common
names are understood; accelerations are estimated where there are none). The result is a copy of the
URDF file in which only the inertias differ, and friction and armature if asked for.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path
from typing import Any

from jounce.errors import legible, printable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Files, method, what to identify, and what the data are like."""
    parser.add_argument("robot", help="URDF file")
    parser.add_argument("data", help=".csv, .tsv, .txt, .npz, .npy, .parquet or a folder of .npy")
    parser.add_argument("-o", "--output", metavar="URDF", help="write the identified robot here")
    parser.add_argument("--report", metavar="HTML", help="write a report with plots here")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    model = parser.add_argument_group("what is identified, and how")
    model.add_argument(
        "--method",
        choices=("ols", "wls", "tls", "consistent", "log-cholesky"),
        default="consistent",
        help="least squares: ordinary, weighted, total, or with bodies that could exist (default)",
    )
    model.add_argument("--friction", action="store_true", help="viscous and Coulomb friction too")
    model.add_argument("--armature", action="store_true", help="rotor inertias too")
    model.add_argument("--offset", action="store_true", help="constant torques too (reported only)")
    model.add_argument(
        "--fixed",
        action="append",
        default=[],
        metavar="LINK",
        help="link to leave alone; may be repeated",
    )
    model.add_argument(
        "--prior",
        metavar="URDF",
        help="robot with the parameters to stay close to (default: the robot itself)",
    )
    model.add_argument(
        "--metric",
        choices=("euclidean", "bregman", "geodesic"),
        default="euclidean",
        help="distance to the prior (geodesic: for log-cholesky)",
    )
    model.add_argument(
        "--regularization", type=float, default=1e-2, metavar="G", help="weight of the prior"
    )
    model.add_argument(
        "--robust",
        action="store_const",
        const="huber",
        help="bound the pull of wrong torques by Huber's weights",
    )
    model.add_argument("--base", choices=("fixed", "floating"), default="fixed")
    model.add_argument("--folds", type=int, default=5, metavar="N", help="for cross-validation")
    data = parser.add_argument_group("the data")
    data.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="NAME=COLUMN",
        help="where a measurement is, such as tau_elbow='motor 3'; may be repeated",
    )
    data.add_argument("--degrees", action="store_true", help="angles are in degrees")
    data.add_argument("--torque-scale", type=float, default=1.0, help="factor to N m (mN m: 1e-3)")
    data.add_argument("--time-scale", type=float, default=1.0, help="factor to s (ns: 1e-9)")
    data.add_argument("--rate", type=float, metavar="HZ", help="sampling rate, if there is no time")
    data.add_argument("--cutoff", type=float, metavar="HZ", help="of the low-pass for derivatives")
    data.add_argument(
        "--momentum", action="store_true", help="use the momentum form, without accelerations"
    )


def run(args: argparse.Namespace) -> None:
    """Identify, print, and write what was asked for."""
    from jounce import load
    from jounce.errors import DataError, DataWarning, JounceError, ModelWarning
    from jounce.identify import identify

    _check_targets(args)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        robot = load(args.robot, base=args.base)
        prior = None if args.prior is None else load(args.prior, base=args.base)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DataWarning)
        try:
            found = identify(robot, args.data, prior=prior, **_options(args))
        except ValueError as error:  # of an option, such as a link that does not exist
            raise error if isinstance(error, JounceError) else DataError(str(error)) from None
    for warning in caught:
        print(f"warning: {legible(str(warning.message))}", file=sys.stderr)
    print(found.to_json() if args.json else found)
    if args.output:
        _written(found.write_urdf(args.robot, args.output))
    if args.report:
        _written(found.report(args.report))


def _written(path: Path) -> None:
    print(f"written: {printable(str(path))}", file=sys.stderr)


def _check_targets(args: argparse.Namespace) -> None:
    """What would fail at the end of a long run had better fail now."""
    from jounce.errors import DataError

    for target in (args.output, args.report):
        if target and not Path(target).absolute().parent.is_dir():
            raise DataError(f"cannot write '{target}': its folder does not exist")
    if args.report:
        from jounce.identify.plots import figure_class

        figure_class()


def _options(args: argparse.Namespace) -> dict[str, Any]:
    """The options of `identify` that have the same name here, and the mapping of columns."""
    from jounce.errors import DataError

    mapping = {}
    for item in args.column:
        name, equals, column = item.partition("=")
        if not equals:
            raise DataError(f"--column: expected NAME=COLUMN, found '{item}'")
        mapping[name] = column
    same = (
        *("method", "armature", "friction", "offset", "metric", "regularization", "fixed"),
        *("folds", "robust", "momentum", "cutoff", "rate", "degrees", "torque_scale", "time_scale"),
    )
    return {name: getattr(args, name) for name in same} | {"columns": mapping}
