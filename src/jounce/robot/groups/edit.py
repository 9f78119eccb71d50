"""`robot.edit`: changed copies of a robot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from jounce.arrays.tables import parameter_labels
from jounce.arrays.validation import plain, refuse_other_order, state_array
from jounce.errors import explain_methods, printable
from jounce.model.inertia.parameters import PARAMETERS
from jounce.model.model import Model
from jounce.robot.groups.group import Group
from jounce.utils.registry import provide

if TYPE_CHECKING:
    from jounce.io.packages import Folders
    from jounce.model.model import Body, Joint
    from jounce.robot import Robot


@explain_methods
class Edit(Group):
    """Changed copies of a robot; the robot itself never changes."""

    _NAME = "edit"
    robot: Robot

    def with_model(self, model: Model) -> Robot:
        """Return a robot with another model, compiled for the same processor.

        Parameters
        ----------
        model : Model
            The model, such as `robot.model.with_gravity((0, 0, -1.62))`.

        Returns
        -------
        Robot
            The changed robot.
        """
        return type(self.robot)(model, target=self.robot.target)

    def with_parameters(
        self,
        parameters: ArrayLike,
        *,
        armature: ArrayLike | None = None,
        damping: ArrayLike | None = None,
        friction: ArrayLike | None = None,
        stribeck_friction: ArrayLike | None = None,
    ) -> Robot:
        """Return the robot with other inertial parameters.

        Parameters
        ----------
        parameters : array_like (nb, 10) or (10 nb,)
            m, h, Ixx, Iyy, Izz, Ixy, Ixz, Iyz of each body, as in `robot.model.parameters`.
        armature, damping, friction, stribeck_friction : array_like (nv,)
            Rotor inertia, viscous, Coulomb and Stribeck friction of the joints, as seen at each
            entry of v; by default the robot's own.

        Returns
        -------
        Robot
            The changed robot.

        Examples
        --------
        >>> import jounce
        >>> robot = jounce.load("planar_2r")
        >>> heavier = robot.edit.with_parameters(1.1 * robot.model.parameters)
        >>> round(heavier.model.mass / robot.model.mass, 6)
        1.1
        """
        robot = self.robot
        title = printable(f"robot '{robot.name}': parameters")
        numbers = plain(parameters, title)
        if numbers.ndim == 1:
            refuse_other_order(parameters, parameter_labels(robot.model), title)
        else:
            refuse_other_order(parameters, PARAMETERS, title)
            refuse_other_order(parameters, robot.model.body_names, title, axis=-2)
        model = robot.model.with_parameters(np.array(numbers, dtype=float))
        drives = {"armature": armature, "damping": damping, "friction": friction}
        for what, values in {**drives, "stribeck_friction": stribeck_friction}.items():
            if values is not None:
                label = f"{self.title}.with_parameters: argument '{what}'"
                model = self._with_drives(model, **{what: state_array(robot, values, "v", label)})
        return self.with_model(model)

    def with_friction(
        self,
        *,
        damping: ArrayLike | None = None,
        friction: ArrayLike | None = None,
        stribeck_friction: ArrayLike | None = None,
        stribeck_velocity: ArrayLike | None = None,
        load_friction: ArrayLike | None = None,
        friction_smoothing: ArrayLike | None = None,
        load_smoothing: ArrayLike | None = None,
    ) -> Robot:
        """Return the robot with other laws of joint friction.

        Each argument is a number for all joints or an array (nv,), as seen at each entry of v; by
        default the robot's own. Joints that follow others get 0. Units are those of prismatic
        joints after the semicolon.

        Parameters
        ----------
        damping : float or array_like (nv,)
            Viscous friction d (N m s/rad; N s/m).
        friction : float or array_like (nv,)
            Coulomb friction c (N m; N).
        stribeck_friction : float or array_like (nv,)
            Excess b of the friction at breakaway over Coulomb friction (N m; N).
        stribeck_velocity : float or array_like (nv,)
            Speed w at which the excess has halved (rad/s; m/s).
        load_friction : float or array_like (nv,)
            Friction mu per unit of load, less than 1.
        friction_smoothing : float or array_like (nv,)
            Speed n below which dry friction fades (rad/s; m/s); 0: it jumps with the sign of v.
        load_smoothing : float or array_like (nv,)
            Load e below which load-dependent friction is quadratic in the load (N m; N).

        Returns
        -------
        Robot
            The changed robot.

        Notes
        -----
        With the load r = M a + C v + g, minus external forces, the friction in `motor_forces`,
        `driven_dynamics` and steps with friction=True is
        f = d v + (c + b / (1 + (v / w)^2) + mu (sqrt(r^2 + e^2) - e)) v / sqrt(v^2 + n^2).

        Examples
        --------
        >>> import jounce
        >>> robot = jounce.load("planar_2r").edit.with_friction(damping=0.5, friction=0.1)
        >>> robot.joint_friction([1.0, -1.0]).round(6).tolist()  # N m
        [0.6, -0.6]
        """
        given = {name: x for name, x in locals().items() if name != "self" and x is not None}
        robot = self.robot
        values = {}
        for name, x in given.items():
            label = f"{self.title}.with_friction: argument '{name}'"
            x = np.full(robot.nv, x) if np.ndim(x) == 0 else x
            values[name] = state_array(robot, x, "v", label)
        return self.with_model(self._with_drives(robot.model, **values))

    def _with_drives(self, model: Model, **values: np.ndarray) -> Model:
        """Return the model with other drive parameters; mimic joints get zeros."""

        def change(joint: Joint) -> Joint:
            place = self.robot.joints[joint.name].v
            new = {k: np.zeros(joint.nv) if joint.mimic else x[place] for k, x in values.items()}
            return replace(joint, **new)

        return replace(model, joints=tuple(change(joint) for joint in model.joints))

    def with_geometry(
        self,
        *,
        screws: ArrayLike | None = None,
        placements: ArrayLike | None = None,
        frames: Mapping[str, ArrayLike] | None = None,
        loops: Mapping[str, ArrayLike] | None = None,
        contacts: Mapping[str, ArrayLike] | None = None,
    ) -> Robot:
        """Return the robot with joints, frames, loops and contacts displaced.

        Parameters
        ----------
        screws : array_like (nb, 6)
            Displacements of the joint axes only, rotation first, in body frames.
        placements : array_like (nb, 6)
            Displacements of the joints with all that they carry.
        frames, contacts : mapping of str to array_like (6,)
            Displacements of frames and contacts by name, in their own axes.
        loops : mapping of str to array_like (2, 6)
            Displacements of the frames a and b of loops by name, in their own axes.

        Returns
        -------
        Robot
            The changed robot.
        """
        moved = {"screws": screws, "placements": placements, "frames": frames}
        moved |= {"loops": loops, "contacts": contacts}
        return self.with_model(provide("displaced")(self.robot.model, **moved))

    def with_meshes(
        self,
        *,
        density: float | Mapping[str, float] | None = None,
        mass: float | Mapping[str, float] | Literal["file"] | None = None,
        purpose: str = "auto",
        links: Iterable[str] | None = None,
        package_dirs: Folders = (),
        repair: bool = False,
        hull: bool = False,
    ) -> Robot:
        """Return the robot with inertias of homogeneous links, from the shapes in its file.

        Parameters
        ----------
        density : float or mapping of str to float
            Density in kg/m^3, of all links or by link.
        mass : float, mapping of str to float, or "file"
            Mass in kg: by link, of all links together (with one density), or "file" for that of the
            file.
        purpose : {"auto", "collision", "visual"}
            Shapes to use; "auto" uses collision shapes if they are solids, else visual ones.
        links : iterable of str
            Links to change; by default all that have shapes, or that `density` or `mass` name.
        package_dirs : path or sequence of paths
            Folders in which package://... is looked for first.
        repair : bool
            Repair meshes that are not watertight, with a warning.
        hull : bool
            Take convex hulls of the meshes.

        Returns
        -------
        Robot
            The changed robot.
        """
        from jounce.io.mesh_inertia import with_meshes

        model = with_meshes(
            self.robot.model,
            density=density,
            mass=mass,
            purpose=purpose,
            links=links,
            package_dirs=package_dirs,
            repair=repair,
            hull=hull,
        )
        return self.with_model(model)

    def with_frame(
        self, name: str, frame: str | None = None, placement: ArrayLike | None = None
    ) -> Robot:
        """Return the robot with one more frame.

        Parameters
        ----------
        name : str
            Name of the new frame.
        frame : str
            Frame that it is fixed to; by default the world.
        placement : array_like (4, 4)
            Pose in that frame; by default the identity.

        Returns
        -------
        Robot
            The changed robot.
        """
        from jounce.robot import edit

        return self.with_model(edit.with_frame(self.robot.model, name, frame, placement))

    def with_loop(
        self,
        frame_a: str | tuple[str, ArrayLike],
        frame_b: str | tuple[str, ArrayLike],
        kind: str | Sequence[bool] = "weld",
        name: str | None = None,
    ) -> Robot:
        """Return the robot with one more loop, between two frames; `robot.closed` closes it.

        Parameters
        ----------
        frame_a, frame_b : str or tuple of str and array_like (4, 4)
            Names of frames, "world", or a name with a pose in that frame.
        kind : str or sequence of bool
            What the loop locks; see `jounce.Loop`.
        name : str
            Name of the loop; by default "loop0", "loop1", ...

        Returns
        -------
        Robot
            The changed robot.
        """
        return self.with_model(self.robot.model.with_loop(frame_a, frame_b, kind, name))

    def with_contact(
        self,
        frame: str | tuple[str, ArrayLike],
        kind: str = "point",
        name: str | None = None,
        *,
        axis: ArrayLike = (1.0, 0.0, 0.0),
    ) -> Robot:
        """Return the robot with one more contact with the world; see `robot.contacts`.

        Parameters
        ----------
        frame : str or tuple of str and array_like (4, 4)
            Name of a frame, or a name with a pose in that frame.
        kind : str
            What the contact locks; see `jounce.Contact`.
        name : str
            Name of the contact; by default the frame's.
        axis : array_like (3,)
            Direction of a line contact in the frame.

        Returns
        -------
        Robot
            The changed robot.

        Examples
        --------
        >>> import jounce
        >>> robot = jounce.load("toro25").edit.with_contact("left_sole", "surface")
        >>> robot.contacts("left_sole").nc
        6
        """
        return self.with_model(self.robot.model.with_contact(frame, kind, name, axis))

    def with_rotor(
        self,
        joint: str | Sequence[str],
        inertia: ArrayLike,
        gear_ratio: ArrayLike,
        *,
        axis: ArrayLike | None = None,
        mass: float | None = None,
        position: ArrayLike | None = None,
        link: str | None = None,
        included: bool = True,
    ) -> Robot:
        """Return the robot with the rotor of a geared motor, gyroscopic torques included.

        The rotor turns by gear_ratio . q relative to the link that carries it. It replaces the
        armature of the joints that it drives, which has the energy of the spin only.

        Parameters
        ----------
        joint : str or sequence of str
            Joint that the motor drives, or all n joints of a differential transmission.
        inertia : float or array_like (k,)
            Moment of inertia about the rotor's axis in kg m^2, of each of k motors.
        gear_ratio : float or array_like (n,) or (k, n)
            Turns of the rotor per turn of each joint (rad/m for prismatic joints): the matrix from
            joints to motors.
        axis : array_like (3,)
            Direction of the spin in the axes of the link; by default that of the (first) joint.
        mass : float
            Mass of the rotor in kg, by default 1 % of the link's; without effect if `included`.
        position : array_like (3,)
            Center of the rotor in the frame of the link; by default the link's center of mass.
        link : str
            Link that carries the rotor; by default the one that carries the (first) joint.
        included : bool
            Whether the inertia of the link contains the rotor already, as in most files; that of
            the rotor is then subtracted from it.

        Returns
        -------
        Robot
            The robot with a body "JOINT_rotor" that follows the joint, for each motor.

        Notes
        -----
        With the angular velocity w of the link and the unit vector n of the axis, a rotor adds
        J (n . w) (gear_ratio . v) + J (gear_ratio . v)^2 / 2 to the kinetic energy.

        Examples
        --------
        >>> import jounce
        >>> robot = jounce.load("planar_2r").edit.with_rotor("joint2", 1e-4, gear_ratio=100.0)
        >>> robot.nv, robot.model.body_names
        (2, ['link1', 'link2', 'joint2_rotor'])
        """
        from jounce.robot import rotors

        model = rotors.with_rotors(
            self.robot.model,
            joint,
            inertia,
            gear_ratio,
            axis=axis,
            mass=mass,
            position=position,
            link=link,
            included=included,
        )
        return self.with_model(model)

    def attach(
        self,
        other: Robot | Model | Body | ArrayLike,
        frame: str,
        placement: ArrayLike | None = None,
        *,
        prefix: str = "",
        weld: bool = True,
    ) -> Robot:
        """Return the robot with another robot, a body or a payload mounted on a frame.

        Parameters
        ----------
        other : Robot, Model, Body or array_like (10,)
            What to mount: a robot with its base, a body, or inertial parameters.
        frame : str
            Frame that carries it.
        placement : array_like (4, 4)
            Pose in the frame; by default the identity.
        prefix : str
            Prefix for names of the other robot that are taken.
        weld : bool
            Weld a free joint that holds all of the other robot; False keeps it.

        Returns
        -------
        Robot
            The combined robot; joints of the other come last.

        Examples
        --------
        >>> import jounce
        >>> tool = jounce.inertia.box((0.1, 0.1, 0.2), mass=1.5)
        >>> robot = jounce.load("kuka_iiwa14")
        >>> round(robot.edit.attach(tool, "tool").model.mass - robot.model.mass, 6)  # kg
        1.5
        """
        from jounce.robot import edit

        model: Any = other.model if isinstance(other, type(self.robot)) else other
        return self.with_model(
            edit.attach(self.robot.model, model, frame, placement, prefix=prefix, weld=weld)
        )

    def lock(self, values: Mapping[str, ArrayLike]) -> Robot:
        """Return the robot with joints held at given coordinates.

        Parameters
        ----------
        values : mapping of str to float or array_like
            Coordinates in rad and m by joint. Joints that mimic a locked one are locked too.

        Returns
        -------
        Robot
            A robot with fewer joints; the others keep their order.

        Examples
        --------
        >>> import jounce
        >>> jounce.load("kuka_iiwa14").edit.lock({"joint3": 0.0}).nv
        6
        """
        from jounce.robot import edit

        return self.with_model(edit.lock(self.robot.model, values))

    def subtree(self, link: str) -> Robot:
        """Return the subtree beyond a link, with the link as its fixed base.

        Parameters
        ----------
        link : str
            Link or frame that carries at least one joint.

        Returns
        -------
        Robot
            The part of the robot beyond the link, without the link itself.
        """
        from jounce.robot import edit

        return self.with_model(edit.subtree(self.robot.model, link))
