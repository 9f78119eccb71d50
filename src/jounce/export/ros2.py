"""A ROS 2 package around the functions of `robot.export.c`: a controller and a solver plugin."""

from __future__ import annotations

import os
import re
from pathlib import Path

from jounce.compiler.targets import get_target
from jounce.errors import ArgumentError
from jounce.export.source import function_of, name_quantities, prefix_of, project, write
from jounce.robot import System

#: Quantities that the plugins call.
_QUANTITIES = ("gravity_forces", "inverse_dynamics", "joint_friction", "mass_matrix")

_TEMPLATES = Path(__file__).with_name("ros2_templates")


def export_ros2(
    robot: System,
    folder: str | os.PathLike[str],
    *,
    name: str | None = None,
    overwrite: bool = False,
) -> list[Path]:
    """Write a ROS 2 package with a computed-torque controller and an inverse dynamics solver.

    Parameters
    ----------
    robot : Robot
        All its joints must have one degree of freedom, and it must not have closed loops.
    folder : path
        Folder of the package, created if needed.
    name : str, optional
        Prefix of C files and functions, by default made of the robot's name. The package is called
        NAME_control, in lower case.
    overwrite : bool
        Replace files that exist.

    Returns
    -------
    list of Path
        Files for ament_cmake and pluginlib, the plugins in C++17, an example of parameters, and the
        files of `robot.export.c`.

    Raises
    ------
    ArgumentError
        If the robot has other joints or loops, or names that ROS does not allow.
    FileExistsError
        If a file exists and is not to be replaced.

    Notes
    -----
    The controller commands efforts tau = ID(q, v, a_r + kd (v_r - v) + kp (q_r - q)) without joint
    friction. It follows messages trajectory_msgs/JointTrajectoryPoint of the topic ~/reference.

    Examples
    --------
    >>> import jounce, tempfile
    >>> from jounce.export.ros2 import export_ros2
    >>> files = export_ros2(jounce.load("planar_2r"), tempfile.mkdtemp())
    >>> [file.name for file in files if file.suffix == ".cpp"]
    ['controller.cpp', 'solver.cpp']
    """
    joints = _joint_names(robot)
    prefix = prefix_of(robot.name, name)
    functions = [
        function_of(x.identifier, x.title, x.quantity.kernel)
        for x in name_quantities(robot, _QUANTITIES, f"{prefix}_")
    ]
    values = {
        "PACKAGE": f"{prefix.lower()}_control",
        "PREFIX": prefix,
        "ROBOT": prefix,
        "SIZE": str(robot.nv),
        "JOINTS": ", ".join(f'"{x}"' for x in joints),
        "KP": ", ".join(["100.0"] * robot.nv),
        "KD": ", ".join(["20.0"] * robot.nv),
    }
    own = {
        file.name: re.sub("@([A-Z]+)@", lambda x: values[x[1]], file.read_text("ascii"))
        for file in sorted(_TEMPLATES.iterdir())
    }
    files = get_target("c").files(project(robot, prefix, functions))
    return write(folder, {**own, **files}, overwrite=overwrite)


def _joint_names(robot: System) -> list[str]:
    """Return the names of joints in the order of q and v."""
    views = [x for x in robot.joints.values() if x.joint.mimic is None]
    others = [f"'{x.name}' ({x.kind})" for x in views if x.joint.nv != 1 or x.joint.nq != 1]
    if others:
        raise ArgumentError(
            f"{robot.name}: ros2_control needs joints with one degree of freedom, found"
            f" {', '.join(others)}; load it with a fixed base, or export C functions instead"
        )
    if robot.model.loops:
        raise ArgumentError(
            f"{robot.name}: expected a robot without closed loops, found {len(robot.model.loops)};"
            " export C functions instead"
        )
    for view in views:
        if re.fullmatch(r"[A-Za-z0-9_.-]+", view.name) is None:
            raise ArgumentError(
                f"{robot.name}: expected joint names of letters, digits, '_', '.' and '-', found"
                f" {view.name!r}; rename the joint in the robot's file"
            )
    return [x.name for x in sorted(views, key=lambda x: x.v.start)]
