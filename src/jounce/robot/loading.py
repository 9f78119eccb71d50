"""`load`: robots from files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from jounce import io
from jounce.errors import explain_call, name_file
from jounce.robot.robot import Robot


@explain_call
def load(
    path_or_name: str | os.PathLike[str],
    *,
    base: str | None = None,
    gravity: Sequence[float] | None = None,
    package_dirs: io.Folders = (),
    xacro_args: Mapping[str, Any] | None = None,
    target: str | None = None,
) -> Robot:
    """Load a robot from a file, or by its name.

    Parameters
    ----------
    path_or_name : str or path
        A file: URDF (.urdf), MJCF (.mjcf, needs mujoco), SDF (.sdf, .world), .xml by its root
        element <robot>, <mujoco> or <sdf>, or .xacro (needs xacro). Or a name: one of
        `jounce.gallery`, or of the package robot_descriptions if it is installed, such as
        "robot_descriptions/panda_description" (also without the prefix).
    base : {"fixed", "floating"}
        "floating" adds a free joint named "base" first. By default that of an MJCF
        file, "floating" for the gallery's toro25, otherwise "fixed".
    gravity : sequence of float (3,)
        Gravitational acceleration in m/s^2; by default that of the file, or (0, 0, -9.81) if it
        has none.
    package_dirs : path or sequence of paths
        Folders that are searched first for package://..., model://... and included files; see
        `jounce.io.resolve_mesh`. Missing meshes do not raise an error.
    xacro_args : mapping of str to value
        Arguments of a xacro file, or of a robot of robot_descriptions that comes as xacro.
    target : str
        Processor to compile for; see `Robot`.

    Returns
    -------
    Robot
        The robot.

    Raises
    ------
    ModelError
        If there is no such file or robot, or if the file cannot be read.

    Examples
    --------
    >>> import jounce
    >>> robot = jounce.load("kuka_iiwa14", base="floating")
    >>> robot.nq, robot.nv
    (14, 13)
    """
    model = io.read(
        path_or_name,
        base=base,
        gravity=gravity,
        package_dirs=package_dirs,
        xacro_args=xacro_args,
    )
    with name_file(model.source):
        return Robot(model, target=target)
