"""Identify a robot's inertial parameters from measured motions and torques.

The data have columns t, q_<joint>, v_<joint>, a_<joint> and tau_<joint> in SI units. Other common
names are recognized; missing accelerations are estimated. The result is a copy of the URDF file in
which only the inertias differ, and optionally friction and armature.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jounce.cli import shared_arguments
from jounce.errors import printable

if TYPE_CHECKING:
    from jounce.identification import options

EXAMPLES = (
    "jounce identify robot.urdf log.csv -o identified.urdf --report report.html",
    "jounce identify robot.urdf log.npz --friction --json",
    "jounce identify robot.urdf log.csv --model simulate --kp 600 --kd 20 --estimate damping delay",
    "jounce identify robot.urdf 'logs/*.parquet' --dask tcp://host:8786 --keep kept --skip-broken",
)


#: Placeholders for values of options in the help text.
_METAVARS = {
    "smoothing": "SPEED",
    "fixed": "LINK",
    "prior": "URDF",
    "regularization": "WEIGHT",
    "weights": "W,W,...",
    "folds": "N",
    "columns": "NAME=COLUMN",
    "units": "NAME=UNIT",
    "torque_scale": "FACTOR",
    "time_scale": "FACTOR",
    "rate": "HZ",
    "cutoff": "HZ",
    "client": "ADDRESS",
    "keep": "FOLDER",
    **dict.fromkeys(("kp", "kd", "stall_torque", "no_load_speed", "torque_constant"), "X,X,..."),
    **dict.fromkeys(("noise",), "X,X,..."),
    **dict.fromkeys(("delay", "period", "window"), "S"),
    **dict.fromkeys(("held_out", "spread"), "X"),
    **dict.fromkeys(("starts", "iterations", "seed"), "N"),
    "estimate": "NAME",
}

#: Flags of options of simulation whose names are those of other options.
_SIMULATION_FLAGS = {"smoothing": "--simulation-smoothing"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add files, and a flag for every option of `jounce.identify`."""
    from jounce.identification import SimulationModel, identify, options

    parser.add_argument("robot", help="URDF file, another robot file, or a name from the gallery")
    parser.add_argument(
        "data",
        nargs="+",
        help=".csv, .tsv, .txt, .npz, .npy, .parquet or a folder of .npy; or several files, as a"
        " quoted pattern such as 'logs/*.parquet', or a folder",
    )
    parser.add_argument("-o", "--output", metavar="URDF", help="write the identified robot here")
    parser.add_argument("--report", metavar="HTML", help="write a report with plots here")
    shared_arguments.add_force(parser)
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    fit, all_options = options.list_options(options.FitOptions), options.list_options()
    texts = options.describe_parameters(identify)
    group = parser.add_argument_group("identification")
    group.add_argument("--base", choices=("fixed", "floating"), default="fixed")
    shared_arguments.add_active(group, ", whose torque is measured")
    for option in fit:
        group.add_argument(_flag(option), **_argument(option, texts[option.name]))
    group = parser.add_argument_group("data")
    for option in all_options[len(fit) :]:
        group.add_argument(_flag(option), **_argument(option, texts[option.name]))
    group = parser.add_argument_group("simulation, for logs without torques")
    group.add_argument(
        "--model",
        choices=("torques", "simulate"),
        default="torques",
        help="fit measured torques, or simulate servos along the log (default: torques)",
    )
    texts = options.describe_parameters(SimulationModel)
    for option in options.list_options(SimulationModel):
        arguments = _argument(option, texts[option.name])
        arguments["dest"] = f"simulation_{option.name}"
        if option.name == "estimate":
            arguments["nargs"] = "+"
        flag = _SIMULATION_FLAGS.get(option.name, _flag(option))
        group.add_argument(flag, **arguments)


def _flag(option: options.Option) -> str:
    """Return the flag of an option, such as --torque-scale; singular if it can be repeated."""
    name = {"columns": "column", "units": "unit", "client": "dask"}.get(option.name, option.name)
    return f"--{name.replace('_', '-')}"


def _argument(option: options.Option, text: str) -> dict[str, Any]:
    """Return the keywords of `add_argument` for an option with this description."""
    text = f"{text[:1].lower()}{text[1:].rstrip('.')}"
    out: dict[str, Any] = {"dest": option.name, "default": option.default, "help": text}
    if option.type is bool:
        return out | {"action": "store_true"}
    if option.choices and option.default is None:  # a flag, since there is only one choice
        return out | {"action": "store_const", "const": option.choices[0]}
    if option.default is not None and option.default != ():
        out["help"] += f" (default: {option.default})"
    if option.choices:
        return out | {"choices": option.choices}
    out["metavar"] = _METAVARS[option.name]
    if option.name in ("fixed", "columns", "units"):
        out["help"] += "; may be repeated"
        return out | {"action": "append", "default": []}
    return out | {"type": option.type if option.type in (int, float) else str}


def run(args: argparse.Namespace) -> None:
    """Identify, print the result, and write the requested files."""
    from jounce.errors import DataError, DataWarning, JounceError
    from jounce.identification import identify

    _check_targets(args)
    if args.client is not None and find_spec("distributed") is not None:
        from jounce.arrays.dask_adapter import silence_logs

        silence_logs()
    robot, options = (
        shared_arguments.close_loops(_load(args.robot, args.base), args.active),
        _options(args),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("always", DataWarning)
        try:
            data = args.data[0] if len(args.data) == 1 else args.data
            if args.model == "simulate":
                options["model"] = _simulation(args)
            result = identify(robot, data, **options)
        except ValueError as error:  # of an option, such as a link that does not exist
            raise error if isinstance(error, JounceError) else DataError(str(error)) from None
    print(result.to_json() if args.json else result)
    if args.output:
        with _file(args.robot) as source:
            _report_path(result.write_urdf(source, args.output, overwrite=args.force))
    if args.report:
        _report_path(result.report(args.report, overwrite=args.force))


def _load(path: str, base: Any) -> Any:
    """Load a robot without warnings about its file, which `jounce info` shows."""
    from jounce.errors import ModelWarning
    from jounce.robot import load

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        return load(path, base=base)


@contextmanager
def _file(robot: str) -> Iterator[str]:
    """Yield the path of the URDF file; for a robot from the gallery, a temporary one."""
    from jounce.io import gallery

    if robot not in gallery():
        yield robot
        return
    with tempfile.TemporaryDirectory() as folder:
        yield str(_load(robot, "fixed").export.urdf(Path(folder) / f"{robot}.urdf"))


def _report_path(path: Path) -> None:
    """Report a written file on standard error."""
    print(f"written: {printable(str(path))}", file=sys.stderr)


def _check_targets(args: argparse.Namespace) -> None:
    """Check that results can be written before they are computed."""
    for path in (args.output, args.report):
        if path:
            shared_arguments.target(path, args.force)
    if args.report:
        from jounce.identification import plots

        plots.figure_class()


def _simulation(args: argparse.Namespace) -> Any:
    """Return the options of an identification by simulation."""
    from jounce.identification import SimulationModel, options

    out = {}
    for option in options.list_options(SimulationModel):
        value = getattr(args, f"simulation_{option.name}")
        if isinstance(value, str) and not option.choices:
            flag = f"--{option.name.replace('_', '-')}"
            numbers = shared_arguments.numbers(flag, value)
            value = numbers[0] if len(numbers) == 1 else numbers
        out[option.name] = value
    return SimulationModel(**out)


def _options(args: argparse.Namespace) -> dict[str, Any]:
    """Return the options of `identify`; parse those that are more than a number or a choice."""
    from jounce.identification import options

    out = {option.name: getattr(args, option.name) for option in options.list_options()}
    out["columns"] = shared_arguments.pairs("--column", "COLUMN", args.columns)
    out["units"] = shared_arguments.pairs("--unit", "UNIT", args.units)
    if args.prior is not None:
        out["prior"] = _load(args.prior, args.base)
    if args.weights is not None:
        out["weights"] = shared_arguments.numbers("--weights", args.weights)
    return out
