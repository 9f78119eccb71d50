"""Names that other libraries and textbooks use, each with what jounce calls the same thing.

Error messages about unknown attributes consult the table, and so may a search of the documentation.
Names are compared without underscores, upper case, and prefixes such as `compute`, `get` or `mj_`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from jounce.errors import suggest

#: Expressions, on a robot called `robot`, each with the words that mean it. The words are those of
#: textbooks, Pinocchio, Drake, MuJoCo, RBDL, PyBullet and the Robotics Toolbox.
_WORDS = {
    "inverse_dynamics(q, v, a)": "inv_dyn rnea rne rnea_torque newton_euler id idyn"
    " recursive_newton_euler torque torques tau mj_inverse mj_rne qfrc_inverse",
    "inverse_dynamics.derivatives(q, v, a)": "rnea_derivatives inverse_dynamics_derivatives",
    "inverse_dynamics.dpi(q, v, a)": "regressor torque_regressor joint_torque_regressor"
    " dynamic_regressor dynamics_regressor inverse_dynamics_regressor Y",
    "forward_dynamics(q, v, tau)": "aba abi fd fdyn fwd_dyn accel acceleration"
    " articulated_body_algorithm dynamics qacc mj_forward time_derivatives",
    "forward_dynamics.derivatives(q, v, tau)": "aba_derivatives forward_dynamics_derivatives",
    "mass_matrix(q)": "crba M B D H mass inertia inertia_matrix joint_space_inertia mass_inertia"
    " joint_space_inertia_matrix generalized_inertia generalized_mass_matrix full_m qm crb mj_crb"
    " composite_rigid_body_algorithm mass_matrix_via_inverse_dynamics",
    "mass_matrix_inverse(q)": "minverse m_inv minv inverse_mass_matrix inverse_inertia inv_m"
    " inverse_inertia_matrix solve_m",
    "coriolis_matrix(q, v)": "coriolis C centrifugal coriolis_terms coriolis_centrifugal",
    "bias_forces(q, v)": "nle bias bias_term bias_force bias_torque h nonlinear_effects"
    " nonlinear_terms qfrc_bias coriolis_forces coriolis_vector coriolis_gravity",
    "gravity_forces(q)": "gravity g gravload generalized_gravity gravity_torque gravity_torques"
    " gravity_vector gravity_term gravity_terms gravity_force gravity_compensation static_torque"
    " gravity_generalized_forces",
    "equations_of_motion(q, v)": "all_terms eom equation_of_motion",
    "slotine_li_regressor(q, v, v_r, a_r)": "slotine_li adaptive_regressor",
    "external_forces(q, w)": "fext f_ext external_force external_wrenches apply_ft",
    "joint_friction(v)": "friction damping friction_forces friction_torque",
    "frame(name).pose(q)": "forward_kinematics fk fkine frame_pose pose ee_pose end_effector_pose"
    " frame_placement frame_placements update_frame_placements update_frame_placement omf tcp"
    " frames_forward_kinematics relative_transform transform frame_transform link_state kinematics"
    " fwd_kin fwd_kinematics ee end_effector body_to_base_coordinates body_pose_in_world"
    " transforms",
    "frame(name).jacobian(q)": "jacobian J jac jacobe body_jacobian geometric_jacobian"
    " frame_jacobian joint_jacobian joint_jacobians jac_body jac_site jac_geom point_jacobian"
    " manipulator_jacobian jacobian_spatial_velocity link_jacobian",
    "frame(name).jacobian_world(q)": "jacobian_world space_jacobian world_jacobian",
    "frame(name).jacobian_mixed(q)": "jacob0 jacobian_mixed",
    "frame(name).jacobian.dt(q, v)": "jacobian_dot j_dot jdot jacobian_derivative jacobian_rate"
    " frame_jacobian_time_variation joint_jacobians_time_variation jacobian_time_derivative jac_dot"
    " jacob0_dot",
    "frame(name).twist(q, v)": "twist frame_velocity spatial_velocity frame_twist"
    " body_spatial_velocity_in_world object_velocity ee_velocity",
    "frame(name).acceleration(q, v, a)": "frame_acceleration spatial_acceleration"
    " body_spatial_acceleration_in_world object_acceleration",
    "frame(name).classical_acceleration(q, v, a)": "classical_acceleration"
    " frame_classical_acceleration",
    "frame(name).task_inertia(q)": "task_inertia operational_space_inertia lambda_matrix",
    "frame(name)": "frames frame_id frame_index frame_by_name get_frame links link link_names body",
    "inverse_kinematics({frame: pose})": "ik ikine ikine_lm ikine_gn ikine_nr solve_ik"
    " inverse_kinematic",
    "center_of_mass(q)": "com com_pos com_position center_of_mass_position"
    " center_of_mass_position_in_world centre_of_mass",
    "center_of_mass.dt(q, v)": "com_velocity vcom com_vel center_of_mass_velocity",
    "com_jacobian(q)": "jacobian_center_of_mass jacobian_com jac_subtree_com jcom"
    " jacobian_center_of_mass_translational_velocity center_of_mass_jacobian",
    "centroidal_momentum_matrix(q)": "ccrba centroidal_map cmm ag centroidal_matrix",
    "centroidal_momentum_matrix.dt(q, v)": "dccrba centroidal_map_time_variation dag",
    "centroidal_momentum(q, v)": "hg angular_momentum subtree_vel"
    " spatial_momentum_in_world_about_point",
    "shaking_wrench(q, v, a)": "shaking_force shaking_moment momentum_rate inertial_wrench",
    "kinetic_energy(q, v)": "energy_vel kinetic",
    "potential_energy(q)": "energy_pos potential",
    "body_poses(q)": "link_poses body_pose link_pose xpos xmat omi poses joint_placements",
    "body_twists(q, v)": "link_velocities body_velocities cvel com_vel_bodies twists",
    "joint_wrenches(q, v, a)": "joint_forces reaction_forces reaction_wrenches constraint_wrenches",
    "rates_from_velocity(q, v)": "velocity_to_qdot map_velocity_to_qdot qdot q_dot",
    "velocity_from_rates(q, qdot)": "qdot_to_velocity map_qdot_to_velocity",
    "integrate(q, dv)": "integrate_pos integrate_configuration integrate_position",
    "difference(q0, q1)": "differentiate_pos subtract config_difference",
    "interpolate(q0, q1, s)": "slerp",
    "step(q, v, tau, h)": "mj_step step_simulation discrete_dynamics euler_step",
    "rollout(q0, v0, taus, h)": "simulate simulation trajectory",
    "random()": "random_configuration random_q sample rand uniform_shooting q_random",
    "neutral()": "zero_configuration q0 home neutral_configuration default_configuration zeros",
    "nv": "dof dofs n_dof n_dofs ndof ndofs num_dof num_dofs num_velocities degrees_of_freedom"
    " n num_actuated_joints",
    "nq": "num_positions num_q configuration_size",
    "nb": "num_joints n_joints njoints nbodies num_bodies nlinks num_links n_links",
    "joints": "joint joint_id joint_by_name joint_index joint_info",
    "model.joint_names": "joint_names names actuated_joint_names jnt_names active_joint_names",
    "model.frame_names": "frame_names site_names",
    "model.body_names": "body_names bodies",
    "model.mass": "total_mass subtree_mass",
    "model.parameters": "parameters inertial_parameters dynamic_parameters base_inertial_parameters"
    " inertias link_masses masses",
    "limits.lower": "lower_position_limit position_lower_limits lower_limits q_min qmin lower"
    " joint_limits position_limits qlim jnt_range",
    "limits.upper": "upper_position_limit position_upper_limits upper_limits q_max qmax upper",
    "limits.velocity": "velocity_limit velocity_limits v_max",
    "limits.effort": "effort_limit effort_limits torque_limits torque_limit tau_max",
    "view.show()": "display visualize visualizer render draw viewer initviewer open_viewer",
    "view.play(q)": "animate animation",
    "edit.lock({joint: position})": "build_reduced_model reduced reduced_model lock_joints",
    "edit.with_frame(name)": "add_frame add_site",
    "edit.attach(robot, frame)": "append_model add_tool attach_tool",
    "contacts()": "constraint_dynamics contact_dynamics impulse_dynamics",
    "closed()": "mechanism closed_loop loops loop_constraints",
    "export.urdf(path)": "to_urdf save_urdf urdf save",
    "export.c(path)": "codegen code_generation generate_code",
}

#: Expressions by receiver, for names that only frames, mechanisms, contacts or derivatives have, or
#: that mean something else there.
RECEIVER_WORDS = {
    "frame": {
        "pose(q)[:3, 3]": "position pos translation origin p xyz frame_position",
        "pose(q)[:3, :3]": "rotation rot orientation rotation_matrix r",
        "twist(q, v)": "velocity vel",
        "acceleration(q, v, a)": "acc accel",
    },
    "mechanism": {
        "loop_jacobian(q)": "constraint_jacobian constraints_jacobian jc loop_constraint_jacobian",
        "loop_residual(q)": "constraint_residual constraint_error constraints residual phi",
        "constraint_forces(q, v, tau)": "lambda lambda_ multipliers lagrange_multipliers",
        "model.loops": "loops",
        "assemble()": "close project solve_loops",
    },
    "contacts": {
        "contact_jacobian(q)": "jacobian constraint_jacobian jc j jac",
        "contact_dynamics(q, v, tau)": "forces force lambda lambda_ lambdas multipliers"
        " lagrange_multipliers constraint_forces constraint_dynamics constrained_dynamics",
        "delassus_matrix(q)": "delassus operational_space_inertia_inverse",
        "impulse(q, v)": "impulse_dynamics impact",
        "contact_names": "names",
    },
}


def squash(name: str) -> str:
    """Return a name in lower case, without underscores."""
    return name.replace("_", "").casefold()


#: Expressions by the squashed name.
SYNONYMS: Mapping[str, str] = {
    squash(word): expression for expression, words in _WORDS.items() for word in words.split()
}

#: Functions of other packages that take a robot, each with words that users try as its attributes.
_FUNCTION_WORDS = {
    "jounce.control.computed_torque(robot, kp, kd)": "computed_torque inverse_dynamics_control",
    "jounce.control.pd_plus(robot, kp, kd)": "pd_plus pd pd_control pd_controller",
    "jounce.control.WholeBodyController(robot, tasks)": "whole_body_controller whole_body_control",
    "jounce.control": "control controller controllers impedance_control cartesian_impedance",
    "jounce.trajectories": "trajectory trajectories minimum_jerk minimum_snap spline",
    "jounce.planning.retime(robot, waypoints)": "retime topp toppra time_optimal plan planning",
    "jounce.identify(robot, data)": "identify identification identify_parameters",
    "jounce.study(robot, (q, v, a))": "study uncertainty sensitivity",
}

#: The same by the squashed name.
FUNCTIONS: Mapping[str, str] = {
    squash(word): expression
    for expression, words in _FUNCTION_WORDS.items()
    for word in words.split()
}

#: What to use instead of attributes that the module `jounce` does not have, by squashed name.
MODULE_SYNONYMS: Mapping[str, str] = {
    **{squash(x.partition("(")[0]): f"jounce.load(path).{x}" for x in _WORDS},
    **{word: f"jounce.load(path).{x}" for word, x in SYNONYMS.items()},
    **dict.fromkeys(
        (
            *("loadurdf", "readurdf", "fromurdf", "parseurdf", "buildmodelfromurdf", "loadrobot"),
            *("loadmjcf", "frommjcf", "loadsdf", "fromsdf", "loadxml", "fromxml", "loadmodel"),
            *("robotmodel", "articulation", "multibody", "rigidbodytree", "multibodyplant"),
            *("buildmodelfrommjcf", "mjmodel", "buildmodel", "robotwrapper"),
        ),
        "jounce.load(path)",
    ),
}

#: Names of derivatives in other libraries.
DERIVATIVE_SYNONYMS: Mapping[str, str] = {
    word: name
    for name, words in {
        "dt": "dot time_derivative",
        "dtt": "ddot dt2 ddt dt_dt",
        "dqq": "dq2 ddq dq_dq",
        "dvv": "dv2 ddv",
        "hessian": "hess second_derivatives",
        "derivatives": "grad gradient gradients jac jacobian jacobians partials diff partial",
        "jvp": "forward tangent",
        "vjp": "backward pullback adjoint",
        "dpi": "regressor dtheta dparameters dparams",
    }.items()
    for word in words.split()
}

_PREFIX = re.compile(r"(?:compute|calculate|calc|eval|evaluate|get|mj|solve)(?=\w)")

#: Longer names are not compared with others: those of hostile files may be megabytes long.
_MAX_COMPARED = 100

#: Less similar names are not suggested; 1 is equal.
_MIN_SIMILARITY = 0.8


def find_synonym(name: str, known: Mapping[str, str] = SYNONYMS) -> str | None:
    """Return what jounce calls what other libraries call `name`, or None if that is unknown.

    Parameters
    ----------
    name : str
        Name in another library, in snake_case or CamelCase, perhaps with a prefix such as `get`.
    known : mapping of str to str
        Expressions by squashed name.

    Returns
    -------
    str or None
        An expression such as "frame(name).jacobian(q)", to be read after "robot.".
    """
    if len(name) > _MAX_COMPARED:
        return None
    word = squash(name)
    return known.get(word) or known.get(_PREFIX.sub("", word, count=1))


def explain_unknown(
    owner: str,
    name: str,
    valid: Iterable[str],
    receiver: str = "robot",
    renamed: Mapping[str, str] | None = None,
) -> str:
    """Return the message about an attribute that an object does not have.

    Parameters
    ----------
    owner : str
        What messages call the object.
    name : str
        Name that the user wrote.
    valid : iterable of str
        Names that the object has.
    receiver : str
        Object that expressions are written for, such as "robot", "frame" or "robot.jax".
    renamed : mapping of str to str, optional
        Replacements of deprecated names.

    Returns
    -------
    str
        Such as "robot 'iiwa' has no 'jacobian'; use robot.frame(name).jacobian(q)".
    """
    import difflib

    names = list(valid)
    synonyms = _list_synonyms(names, receiver)
    start = f"{owner} has no '{name}'"
    if expression := find_synonym(name, synonyms):
        return f"{start}; use {receiver}.{expression}"
    if receiver in ("robot", "mechanism") and (expression := find_synonym(name, FUNCTIONS)):
        return f"{start}; use {expression.replace('(robot', f'({receiver}')}"
    squashed = {squash(x): new for x, new in {**(renamed or {}), **{x: x for x in names}}.items()}
    if similar := find_synonym(name, squashed):
        return f"{start}; did you mean '{similar}'?"
    own = (word for word, expression in synonyms.items() if not expression.startswith("robot."))
    words = {word for word in {*own, *squashed} if len(word) > 3}
    close = difflib.get_close_matches(squash(name[:_MAX_COMPARED]), words, 1, _MIN_SIMILARITY)
    if close and close[0] not in squashed:
        return f"{start}; did you mean {receiver}.{synonyms[close[0]]}?"
    listing = f"dir({receiver})"
    if receiver == "robot":
        listing += " or `jounce info ROBOT --quantities`"
    return f"{start}; {suggest(name, names, 'valid names:', renamed, listing)}"


def _list_synonyms(names: Collection[str], receiver: str) -> dict[str, str]:
    """Return expressions by squashed word, to be read after `receiver`, which has `names`."""
    out: dict[str, str] = {}
    for word, expression in SYNONYMS.items():
        short = expression.removeprefix("frame(name).") if receiver == "frame" else expression
        if re.split(r"\W", short)[0] in names:
            out[word] = short
        elif "robot" in names:
            out[word] = f"robot.{expression}"
    for expression, words in RECEIVER_WORDS.get(receiver, {}).items():
        out.update((squash(word), expression) for word in words.split())
    return out


def suggest_quantity(name: str, valid: Iterable[str], listing: str = "") -> str:
    """Return the end of a message about an unknown name of a quantity, as in `robot.quantity`."""
    names = list(valid)
    path = re.sub(r"\([^()]*\)$", "", find_synonym(name) or "")  # without arguments
    if path and (path.split(".")[0] in names or path.startswith("frame(")):
        return f"did you mean '{path}'?"
    return suggest(name, names, listing=listing)
