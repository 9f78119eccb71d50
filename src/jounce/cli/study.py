"""Say how uncertain parameters of a robot make a quantity, and which of them matter.

Many robots are drawn whose inertias, placements, axes or friction differ from nominal, and the
quantity is computed for each of them along a trajectory: mean, quantiles, worst case, and the share
of each parameter in the variance (Sobol's indices). The trajectory is a file with columns t,
q_<joint>, v_<joint> and a_<joint> in SI units (other common names are understood); velocities and
accelerations that are not there follow from the positions.
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

from jounce.cli import given
from jounce.errors import printable

if TYPE_CHECKING:
    from jounce.studies import Study
    from jounce.studies.trajectory import Trajectory

EXAMPLES = (
    "jounce study robot.urdf --trajectory t.csv --vary inertia=5% placement=0.1mm --samples 1e6"
    " -o study.html",
    "jounce study robot.urdf --trajectory t.csv --vary 'inertia[link7]=10%' friction --json",
    "jounce study robot.urdf --trajectory t.npz --vary mass=3% --quantity gravity_forces --dask"
    " tcp://host:8786",
)

#: A kind, of all bodies or joints or of some, and an amount.
_VARIED = re.compile(r"\s*([^=\[\]]+?(?:\[.*\])?)\s*(?:=\s*(.+?)\s*)?", re.S)

#: Options that a study depends on, in the order in which a report repeats them.
_REPEATED = ("quantity", "samples", "seed", "quantiles", "points", "base", "package_dir", "active")
_REPEATED += ("degrees", "column", "time_scale", "torque_scale", "rate", "cutoff", "no_sobol")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The robot, its motion, what varies, and where it is computed."""
    from jounce.studies import KINDS

    given.add_robot(parser)
    parser.add_argument(
        "--trajectory",
        metavar="FILE",
        required=True,
        help="the motion: .csv, .tsv, .txt, .npz, .npy, .parquet or a folder of .npy",
    )
    kinds = "; ".join(f"{x.name}={x.takes}: {x.doc}" for x in KINDS.values())
    parser.add_argument(
        "more", metavar="KIND=AMOUNT", nargs="*", help="what else is uncertain, see --vary"
    )
    parser.add_argument(
        "--vary",
        metavar="KIND=AMOUNT",
        action="append",
        required=True,
        help="what is uncertain, by its standard deviation; more may follow, or it may be repeated."
        " Without an amount its usual one; inertia[link7]: of one link only. Kinds: "
        + kinds.replace("%", "%%"),
    )
    parser.add_argument("--samples", default="1e5", help="robots drawn, such as 1e6 (default: 1e5)")
    parser.add_argument(
        "--quantity", default="inverse_dynamics", help="what is computed (default: %(default)s)"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write a report with plots here (.html), or the results as numbers (.json)",
    )
    given.add_force(parser)
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    parser.add_argument("--seed", type=int, default=0, help="of the draws (default: 0)")
    parser.add_argument(
        "--quantiles", metavar="P,P,...", help="levels between 0 and 1, such as 0.05,0.5,0.95"
    )
    parser.add_argument(
        "--no-sobol", action="store_true", help="without indices, in two thirds of the time or less"
    )
    _add_where(parser.add_argument_group("where it is computed"))
    _add_motion(parser.add_argument_group("the trajectory"))


def _add_where(group: Any) -> None:
    group.add_argument(
        "--dask", metavar="ADDRESS", help="a scheduler such as tcp://host:8786; local: starts one"
    )
    group.add_argument("--devices", metavar="N,N,...", help="GPUs by number, such as 0,1, or all")
    group.add_argument("--threads", type=int, metavar="N", help="default: one for each core")


def _add_motion(group: Any) -> None:
    group.add_argument(
        "--points",
        type=int,
        default=100,
        metavar="N",
        help="at most so many, at even distances (default: %(default)s)",
    )
    group.add_argument("--degrees", action="store_true", help="angles are in degrees")
    group.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="NAME=COLUMN",
        help="where something is that cannot be recognised, such as q_elbow='motor 3'; may be"
        " repeated",
    )
    group.add_argument(
        "--time-scale", type=float, default=1.0, metavar="FACTOR", help="factor to s (ns: 1e-9)"
    )
    group.add_argument(
        "--torque-scale", type=float, default=1.0, metavar="FACTOR", help="factor to N m or N"
    )
    group.add_argument(
        "--rate", type=float, metavar="HZ", help="of the rows, where there are no times"
    )
    group.add_argument(
        "--cutoff",
        type=float,
        metavar="HZ",
        help="of a low-pass for what is differentiated, if the motion was measured (default: none)",
    )


def run(args: argparse.Namespace) -> None:
    """Read the motion, draw robots, print, and write what was asked for."""
    from jounce.studies import study

    vary, options = varied(sort_words(args)), _options(args)
    if args.output:
        _check_target(args.output, args.force)
    robot = _robot(args)
    given.quantity(robot, args.quantity)
    motion = _motion(args, robot)
    for note in motion.notes:
        print(printable(f"{motion.source}: {note}"), file=sys.stderr)
    with given.client(args.dask) as client:
        found = study(
            *(robot, motion.arguments, args.quantity, vary), t=motion.t, client=client, **options
        )
    print(found.to_json() if args.json else found)
    if args.output:
        _write(found, motion, args)


def _robot(args: argparse.Namespace) -> Any:
    """The robot, without what its file is warned of: that is the business of `jounce info`."""
    from jounce.errors import ModelWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        return given.system(args)


def _motion(args: argparse.Namespace, robot: Any) -> Trajectory:
    """The motion; what looks wrong about it is among its notes."""
    from jounce.errors import DataWarning
    from jounce.studies import read_trajectory

    names = ("points", "degrees", "time_scale", "torque_scale", "rate", "cutoff")
    options = {name: getattr(args, name) for name in names}
    columns = given.columns(args.column)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return read_trajectory(robot, args.trajectory, args.quantity, columns=columns, **options)


def _check_target(path: str, force: bool) -> None:
    """Check that a report can be made and written before anything is computed."""
    from jounce.errors import ArgumentError
    from jounce.identification.plots import figure_class

    target = given.target(path, force)
    if not _is_json(target):
        if target.suffix.lower() not in (".html", ".htm"):
            raise ArgumentError(
                f"-o: expected a file .html (a report) or .json (its numbers), found '{path}'"
            )
        figure_class()


def _is_json(path: Path) -> bool:
    return path.suffix.lower() == ".json"


def _write(found: Study, motion: Trajectory, args: argparse.Namespace) -> None:
    path = Path(args.output)
    if _is_json(path):
        found.to_json(path, overwrite=args.force)
    else:
        from jounce.studies.report import write_html

        notes = (f"{len(motion)} points of {motion.source}", *motion.notes)
        write_html(found, path, command=repeated(args), notes=notes, overwrite=args.force)
    print(f"written: {printable(str(path))}", file=sys.stderr)


def _options(args: argparse.Namespace) -> dict[str, Any]:
    """Options of `study` of words."""
    out: dict[str, Any] = {"samples": count(args.samples), "seed": args.seed}
    out |= {"sobol": not args.no_sobol, "threads": args.threads}
    if args.quantiles is not None:
        out["quantiles"] = given.numbers("--quantiles", args.quantiles)
    if args.devices is not None:
        out["devices"] = _devices(args.devices)
    return out


def _devices(text: str) -> str | list[int]:
    from jounce.errors import ArgumentError

    if text == "all":
        return text
    try:
        return [int(word) for word in text.split(",")]
    except ValueError:
        raise ArgumentError(
            f"--devices: expected numbers of GPUs and commas, such as 0,1, or all, found '{text}'"
        ) from None


def count(text: str) -> int:
    """A number of samples: 1000000, 1_000_000 and 1e6 are the same."""
    from jounce.errors import ArgumentError
    from jounce.studies.studying import MOST_SAMPLES

    try:
        value = float(text)
        if 2.0 <= value <= MOST_SAMPLES and value == int(value):
            return int(value)
    except (ValueError, OverflowError):
        value = text
    raise ArgumentError(
        f"--samples: expected a whole number from 2 to {MOST_SAMPLES:g}, such as 1e6, found"
        f" '{text}'"
    )


def sort_words(args: argparse.Namespace) -> list[str]:
    """What varies, which may stand before or behind the robot; the robot is the first other word.

    An option that takes several words would take the robot too.
    """
    words = [args.robot, *args.more]
    place = next((k for k, word in enumerate(words) if not _says_kind(word)), 0)
    args.robot, args.vary, args.more = words.pop(place), [*args.vary, *words], []
    return args.vary


def _says_kind(word: str) -> bool:
    """Whether a word speaks of what varies, rightly or not, rather than of a file."""
    from jounce.studies import KINDS

    return not Path(word).exists() and ("=" in word or word.partition("[")[0].lower() in KINDS)


def varied(words: Sequence[str]) -> dict[str, str | None]:
    """Amounts by kind, of words such as inertia=5%; None where a kind stands alone."""
    from jounce.errors import ArgumentError
    from jounce.studies.kinds import KINDS, spreads

    out: dict[str, str | None] = {}
    for word in words:
        found = _VARIED.fullmatch(word)
        kind = "" if found is None else found[1].partition("[")[0].strip().lower()
        if found is None or kind not in KINDS:
            raise ArgumentError(
                f"--vary: expected KIND=AMOUNT, such as inertia=5% or inertia[link7]=5%, with KIND"
                f" one of {', '.join(KINDS)}, found '{word}'"
            )
        if found[1] in out:
            raise ArgumentError(f"--vary: {found[1]} is given twice; say once how far it varies")
        spreads(KINDS[kind], found[2], found[1])  # refuses what it cannot read
        out[found[1]] = found[2]
    return out


def repeated(args: argparse.Namespace) -> str:
    """A command line that gives the same numbers again."""
    words = ["jounce", "study", args.robot, "--trajectory", args.trajectory, "--vary"]
    words += args.vary
    for name in _REPEATED:
        value = getattr(args, name)
        flag = f"--{name.replace('_', '-')}"
        if value is True:
            words.append(flag)
        elif value is not None and value is not False:
            for one in value if isinstance(value, list) else [value]:
                words += [flag, str(one)]
    return shlex.join([*words, "-o", args.output])
