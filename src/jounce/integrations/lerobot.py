"""Kinematics of robot arms with the interface of LeRobot."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ArgumentError, suggest
from jounce.robot import Robot, load
from jounce.solve.inverse_kinematics import Orientation, Pose


class RobotKinematics:
    """Forward and inverse kinematics in degrees, in place of LeRobot's class of the same name.

    Parameters
    ----------
    urdf_path : path
        Robot file or name, as `jounce.load` takes it; or a Robot.
    target_frame_name : str
        Frame of the end effector.
    joint_names : sequence of str, optional
        Joints that move, in the order of the arguments below; by default all that have a
        coordinate of their own. Other joints stay at zero.

    Attributes
    ----------
    robot : Robot
        The robot, with the joints of `joint_names` only.
    joint_names : list of str
    target_frame_name : str

    Raises
    ------
    ArgumentError
        If there is no such joint, or if a joint has several coordinates.
    ModelError
        If the robot cannot be loaded or has no such frame.

    Notes
    -----
    As in LeRobot, all positions are in degrees; those of prismatic joints are thus 180 / pi times
    the displacement in m.

    Examples
    --------
    >>> import numpy as np
    >>> from jounce.integrations.lerobot import RobotKinematics
    >>> kinematics = RobotKinematics("kuka_iiwa14", "tool")
    >>> pose = kinematics.forward_kinematics(np.full(7, 30.0))
    >>> joints = kinematics.inverse_kinematics(np.full(7, 25.0), pose, orientation_weight=1.0)
    >>> bool(np.allclose(kinematics.forward_kinematics(joints), pose, atol=1e-5))
    True
    """

    def __init__(
        self,
        urdf_path: str | os.PathLike[str] | Robot,
        target_frame_name: str = "gripper_frame_link",
        joint_names: Sequence[str] | None = None,
    ) -> None:
        robot = urdf_path if isinstance(urdf_path, Robot) else load(urdf_path)
        free = {name: view for name, view in robot.joints.items() if view.joint.mimic is None}
        movable = [name for name, view in free.items() if view.joint.nv == 1]
        self.joint_names = movable if joint_names is None else list(joint_names)
        for name in self.joint_names:
            if name not in movable:
                raise ArgumentError(
                    f"{robot.name}: expected joints with one coordinate, found '{name}';"
                    f" {suggest(name, movable)}"
                )
        if joint_names is not None:
            neutral = robot.neutral()
            others = {x: neutral[view.q] for x, view in free.items() if x not in self.joint_names}
            robot = robot.edit.lock(others) if others else robot
        self.robot = robot
        self.target_frame_name = target_frame_name
        self._frame = robot.frame(target_frame_name)
        self._neutral = robot.neutral()
        self._indices = [robot.joints[name].q.start for name in self.joint_names]

    def forward_kinematics(self, joint_pos_deg: ArrayLike) -> np.ndarray:
        """Return the pose of the end effector.

        Parameters
        ----------
        joint_pos_deg : array_like (..., n)
            Positions of the joints in degrees; further entries are ignored.

        Returns
        -------
        ndarray (..., 4, 4)
            Homogeneous transform from the frame to the base, m.
        """
        return self._frame.pose(self._configuration(np.asarray(joint_pos_deg, dtype=float)))

    def inverse_kinematics(
        self,
        current_joint_pos: ArrayLike,
        desired_ee_pose: ArrayLike,
        position_weight: float = 1.0,
        orientation_weight: float = 0.01,
    ) -> np.ndarray:
        """Return the positions near the current ones at which the end effector has a pose.

        The search respects joint limits and does not restart. A pose that cannot be reached gives
        the positions with the least weighted sum of squared errors.

        Parameters
        ----------
        current_joint_pos : array_like (..., n)
            Positions of the joints in degrees. Further entries, such as those of a gripper, are
            returned as they are.
        desired_ee_pose : array_like (..., 4, 4)
            Pose of the end effector, m.
        position_weight, orientation_weight : float
            Weights of squared distances in m and squared angles in rad, >= 0.

        Returns
        -------
        ndarray (..., n)
            Positions of the joints in degrees.

        Raises
        ------
        ArgumentError
            If the pose is not a finite homogeneous transform, or if a weight is negative.
        """
        current = np.asarray(current_joint_pos, dtype=float)
        pose = np.asarray(desired_ee_pose, dtype=float)
        if not (position_weight >= 0.0 and orientation_weight >= 0.0):
            raise ArgumentError(
                "expected position_weight and orientation_weight >= 0, found"
                f" {position_weight} and {orientation_weight}"
            )
        start = self._configuration(current)
        if position_weight > 0.0:
            ratio = math.sqrt(orientation_weight / position_weight)
            target = Pose(pose, weight=math.sqrt(position_weight), angle_weight=ratio)
        else:
            target = Orientation(pose[..., :3, :3], weight=math.sqrt(orientation_weight))
        solution = self.robot.inverse_kinematics(
            {self.target_frame_name: target}, start, restarts=0
        )
        reasons = np.atleast_1d(solution.reason)
        wrong = [text for text in reasons if text and not text.startswith("not reached")]
        if wrong:
            raise ArgumentError(f"{self.robot.name}: {wrong[0]}")
        q = solution.q[..., self._indices]
        result = np.array(np.broadcast_to(current, (*q.shape[:-1], current.shape[-1])))
        result[..., : len(self._indices)] = np.rad2deg(q)
        return result

    def _configuration(self, degrees: np.ndarray) -> np.ndarray:
        """Return configurations (..., nq)."""
        n = len(self._indices)
        if degrees.ndim == 0 or degrees.shape[-1] < n:
            raise ArgumentError(
                f"{self.robot.name}: expected positions of {n} joints, found shape {degrees.shape}"
            )
        q = np.empty((*degrees.shape[:-1], self.robot.nq))
        q[:] = self._neutral
        q[..., self._indices] = np.deg2rad(degrees[..., :n])
        return q
