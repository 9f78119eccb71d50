"""Controllers in pages: their kernels, and what the page passes to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.compiler.targets import interpreter
from jounce.control import Controller, cartesian_impedance, gravity_compensation, pd_plus
from jounce.errors import ArgumentError, legible
from jounce.model import Contact
from jounce.robot import System
from jounce.solve.mechanism import Mechanism
from jounce.viewer.scene.configurations import Subject, start_of
from jounce.viewer.web.description import floating_base, point_contacts
from jounce.viewer.web.functions import WebFunction
from jounce.viewer.web.module import WebModule, build_module

#: Controllers by name.
NAMES = ("gravity", "impedance")

#: Natural frequency of joints under impedance control, rad/s, and damping ratio.
FREQUENCY = 10.0
DAMPING_RATIO = 0.7

#: Natural frequency of robots that stand on point contacts, rad/s.
STANDING_FREQUENCY = 50.0

#: Natural frequency of the posture under impedance control of a frame, rad/s.
POSTURE_FREQUENCY = 5.0

#: Time in s in which motions decay under gravity compensation.
DECAY_TIME = 1.0

#: Period in s after which a controller with a state is called again.
PERIOD = 0.001

#: Ends of the names of rates of references, which are zero in a page.
_RATES = ("_v_d", "_a_d", "_j_d", "_s_d")


@dataclass(frozen=True)
class PageController:
    """A controller in a page.

    module: the law as WebAssembly. data: its description for JavaScript. sources: quantities of the
    robot by the reference that follows them. remarks: sentences for the page.
    """

    module: WebModule
    data: dict[str, Any]
    sources: dict[str, str]
    remarks: tuple[str, ...]

    def describe(self, system: Subject, robot: WebModule) -> dict[str, Any]:
        """Return the description, with identifiers of quantities in the robot's module."""
        identifiers = {id(system.quantity(x.quantity)): x.name for x in robot.functions}
        names = {key: identifiers[id(system.quantity(x))] for key, x in self.sources.items()}
        arguments = [
            x | ({"follows": names[x["name"]]} if x["name"] in names else {})
            for x in self.data["arguments"]
        ]
        return self.data | {"arguments": arguments}


def controller_of_page(
    original: System,
    system: Subject,
    controller: Controller | str | None,
    frame: str | None,
    reference: Mapping[str, ArrayLike | str] | None,
) -> tuple[PageController | None, list[str]]:
    """Return the controller of a page, if there is one, and remarks.

    Parameters
    ----------
    original : System
        What the page is written for; a controller drives its robot if it can.
    system : Robot or Mechanism
        What the page simulates.
    controller, frame, reference
        As for `write_page`.

    Returns
    -------
    page_controller : PageController or None
    remarks : list of str
        Sentences for the page.
    """
    remarks: list[str] = []
    made = None
    if controller is not None:
        made = build_controller(system, controller, frame, reference)
    elif frame is not None or (reference is not None and not isinstance(original, Controller)):
        raise ArgumentError("frame and reference: expected a controller, found none")
    elif isinstance(original, Controller):
        try:
            made = build_controller(system, original, None, reference)
        except ArgumentError as error:
            remarks = [f"The controller is left out: {legible(str(error))}."]
    return made, [*remarks, *(made.remarks if made else ())]


def build_controller(
    system: Subject,
    controller: Controller | str,
    frame: str | None = None,
    reference: Mapping[str, ArrayLike | str] | None = None,
) -> PageController:
    """Build a controller for a page.

    Parameters
    ----------
    system : Robot or Mechanism
        What the page simulates.
    controller, frame, reference
        As for `write_page`.

    Returns
    -------
    PageController
        Kernel and description.

    Raises
    ------
    ArgumentError
        If the controller does not fit the robot, or needs what a page does not have.
    """
    if isinstance(controller, str):
        controller, sources = named_controller(system, controller, frame)
        reference = {**sources, **(reference or {})}
    elif not isinstance(controller, Controller):
        raise TypeError(
            f"controller must be a Controller or one of {', '.join(NAMES)}, found"
            f" {type(controller).__name__}"
        )
    elif frame is not None:
        raise ArgumentError("frame: expected with controller 'impedance', found a Controller")
    module = build_module(controller, [controller.call])
    (function,) = module.functions
    given = dict(reference or {})
    _check_controller(system, controller, function, given)
    sources = {key: x for key, x in given.items() if isinstance(x, str)}
    base = _base_entries(system)
    data = {
        "law": function.name,
        "name": legible(controller.call),
        "doc": legible(function.doc),
        "period": PERIOD,
        "commands": system.nv,
        "base": base,
        "arguments": _describe_arguments(system, controller, function, given),
    }
    remark = (
        "The controller commands joints only, as a floating base has no motors. Without the floor,"
        " springs hold the base."
    )
    return PageController(module, data, sources, (remark,) if base else ())


def named_controller(
    system: Subject, name: str, frame: str | None = None
) -> tuple[Controller, dict[str, str]]:
    """Return a controller by name, with gains for the initial configuration of a page.

    Parameters
    ----------
    system : Robot or Mechanism
        The robot.
    name : str
        "gravity" or "impedance".
    frame : str, optional
        Name of the frame under impedance control, instead of the joints.

    Returns
    -------
    controller : Controller
        Gravity compensation, PD+ control or Cartesian impedance control.
    reference : dict
        Quantities of the robot that are its reference.
    """
    if name not in NAMES:
        raise ArgumentError(f"controller must be one of {', '.join(NAMES)}, found '{name}'")
    if frame is not None and name == "gravity":
        raise ArgumentError("frame: expected with controller 'impedance', found 'gravity'")
    q = start_of(system)
    M = _interpret(system, "mass_matrix", q)
    inertia = np.diagonal(M)
    if name == "gravity":
        return gravity_compensation(system, kd=_round(inertia / DECAY_TIME)), {}
    if frame is None:
        feet = point_contacts(system)
        if feet:
            stiffness, damping = _impedance(_standing_inertia(system, feet, M), STANDING_FREQUENCY)
        else:
            stiffness, damping = _impedance(inertia, FREQUENCY)
        return pd_plus(system, stiffness, damping), {}
    if floating_base(system) is not None:
        raise ArgumentError(
            f"{system.name}: impedance control of a frame: expected a fixed base, found a floating"
            " one, which has no motors; omit the frame"
        )
    return _frame_controller(system, frame, q, M)


def _frame_controller(
    system: Subject, frame: str, q: np.ndarray, M: np.ndarray
) -> tuple[Controller, dict[str, str]]:
    """Return Cartesian impedance control of a frame, and its reference."""
    J = _interpret(system, f"frame({frame}).jacobian", q)
    mobility = J @ np.linalg.solve(M, J.T)
    largest = np.diagonal(mobility).reshape(2, 3).max(axis=1)  # rotation, translation
    if largest.min() < 1e-9:
        raise ArgumentError(
            f"{system.name}: impedance control of a frame: expected a frame that translates and"
            f" rotates, found '{frame}', which does not; omit the frame"
        )
    # the same stiffness along all axes: that of the mean inertia along axes that move
    largest = np.repeat(largest, 3)
    axes = np.diagonal(np.linalg.inv(mobility + np.diag(largest) / 100)).reshape(2, 3)
    moving = (np.diagonal(mobility) > 1e-6 * largest).reshape(2, 3)
    mass = np.repeat((axes * moving).sum(axis=1) / moving.sum(axis=1), 3)
    stiffness, damping = _impedance(mass, FREQUENCY)
    posture_stiffness, posture_damping = _impedance(np.diagonal(M), POSTURE_FREQUENCY)
    controller = cartesian_impedance(
        system,
        frame,
        stiffness,
        damping,
        posture_stiffness=posture_stiffness,
        posture_damping=posture_damping,
    )
    target = controller.arguments["reference"][0]
    return controller, {target: f"frame({frame}).pose"}


def _standing_inertia(system: Subject, feet: list[Contact], M: np.ndarray) -> np.ndarray:
    """Return the inertia (nv,) that each joint moves if the feet keep their places.

    The inverse of the diagonal of N (N^T M N)^-1 N^T, where N spans the motions of the feet held.
    """
    contacts = system.robot if isinstance(system, Mechanism) else system
    J = _interpret(
        contacts.contacts(*(foot.name for foot in feet)), "contact_jacobian", start_of(system)
    )
    _, values, rows = np.linalg.svd(J)
    N = rows[np.count_nonzero(values > 1e-9 * values[0]) :].T
    mobility = np.diagonal(N @ np.linalg.solve(N.T @ M @ N, N.T))
    free = mobility > 1e-9 * mobility.max()
    return np.where(free, 1.0 / np.where(free, mobility, 1.0), np.diagonal(M))


def _impedance(inertia: np.ndarray, frequency: float) -> tuple[np.ndarray, np.ndarray]:
    """Return stiffness and damping for a natural frequency."""
    return _round(frequency**2 * inertia), _round(2 * DAMPING_RATIO * frequency * inertia)


def _round(values: np.ndarray) -> np.ndarray:
    """Return numbers with three digits."""
    return np.array([float(f"{x:.3g}") for x in values])


def _interpret(system: System, name: str, q: np.ndarray) -> np.ndarray:
    """Return a quantity of q (..., nv) by interpreting the tape, without compiling it."""
    entries = interpreter.run(system.quantity(name).kernel.tape, [*q])
    return np.array(entries, dtype=float).reshape(-1, system.nv)


def _base_entries(system: Subject) -> dict[str, list[int]] | None:
    """Return the entries of q and v of a floating base, or None."""
    body = floating_base(system)
    if body is None:
        return None
    view = system.joints[system.model.joints[body].name]
    return {"q": [view.q.start, view.q.stop], "v": [view.v.start, view.v.stop]}


def _check_controller(
    system: Subject, controller: Controller, function: WebFunction, given: dict[str, Any]
) -> None:
    """Raise an error if a page cannot run a controller."""
    title, names = controller.name, controller.arguments
    expected, actual = (system.nq, system.nv), (controller.robot.nq, controller.robot.nv)
    if expected != actual:
        raise ArgumentError(
            f"{title}: expected a controller of a robot with (nq, nv) = {expected}, found {actual}"
        )
    for name in names["measurement"]:
        if name not in ("q", "v"):
            raise ArgumentError(f"{title}: a page measures q and v, found measurement '{name}'")
    shape = next(iter(function.results.values()))
    if shape != (system.nv,):
        raise ArgumentError(f"{title}: expected a command ({system.nv},), found {shape}")
    for name in given:
        if name not in names["reference"]:
            listed = ", ".join(names["reference"]) or "none"
            raise ArgumentError(f"{title}: no reference '{name}'; expected {listed}")
    for name in names["reference"]:
        if name not in (*given, "q_d") and not f"_{name}".endswith(_RATES):
            raise ArgumentError(
                f"{title}: reference '{name}' has no value; pass reference={{'{name}': ...}} with"
                " an array or the name of a quantity of q"
            )


def _describe_arguments(
    system: Subject, controller: Controller, function: WebFunction, given: dict[str, Any]
) -> list[dict[str, Any]]:
    """Return the arguments of a law: name, group, initial value, and the quantity it follows."""
    q = start_of(system)
    states = dict(zip(controller.arguments["state"], controller.initial_state(), strict=True))
    values = {**states, **controller.gains, "q_d": q, "q": q, **given}
    groups = {name: group for group, names in controller.arguments.items() for name in names}
    out = []
    for name, shape in function.arguments.items():
        source = values.get(name, 0.0)
        row: dict[str, Any] = {"name": name, "group": groups[name]}
        if isinstance(source, str):
            _check_source(system, f"{controller.name}: reference '{name}'", source, shape)
            source = 0.0
        elif name == "q_d" and name not in given:
            row["follows"] = "q"
        value = np.asarray(source, dtype=float)
        if value.ndim and value.shape != shape:
            raise ArgumentError(
                f"{controller.name}: '{name}' must have shape {shape}, found {value.shape}"
            )
        out.append(row | {"value": np.broadcast_to(value, shape).ravel().tolist()})
    return out


def _check_source(system: Subject, title: str, name: str, shape: tuple[int, ...]) -> None:
    """Raise an error if a reference cannot be a quantity of the target."""
    kernel = system.quantity(name).kernel
    if kernel.arguments[:1] != ("q",) or len(kernel.quantity.arguments) > 1:
        raise ArgumentError(f"{title}: expected a quantity of q, found '{name}'")
    result_shape = tuple(kernel.outputs[0])
    if len(kernel.outputs) > 1 or result_shape != shape:
        raise ArgumentError(f"{title}: expected a quantity {shape}, found '{name}' {result_shape}")
