"""What takes arrays by their values refuses those whose names say that they stand elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.errors import ArgumentError
from jounce.model.inertia.parameters import PARAMETERS
from jounce.viewer.live.player import Motion
from jounce.viewer.live.subject import Subject
from support.mechanisms import mechanism

xr: Any = pytest.importorskip("xarray", reason="xarray is an extra: pip install 'jounce[xarray]'")

pytestmark = pytest.mark.scale

ARM: Any = jounce.load("planar_2r")
TOOL = ARM.model.frame_names[-1]
CLOSED: Any = mechanism("five_bar")
TAUS, LAM = np.zeros((3, 2)), np.ones((4, 2))


def named(system: Any, x: np.ndarray, of: str = "q") -> Any:
    """Numbers with the names of joints along their last axis."""
    dims = [*(f"axis{k}" for k in range(x.ndim - 1)), "joint"]
    return xr.DataArray(x, dims=dims, coords={"joint": system.labels(of)})


def gradient(**given: Any) -> Any:
    """The gradients of a rollout, of which some arguments are given otherwise."""
    values = {"q0": LAM[0], "v0": LAM[0], "taus": TAUS, "lam_q": LAM, "lam_v": LAM}
    return ARM.rollout.vjp(**{**values, **given}, h=0.01)


#: Calls of what takes arrays by their values: with one of them, and what messages begin with.
TAKEN: dict[str, tuple[Any, Callable[[Any], Any]]] = {
    "rollout.vjp: argument 'q0'": (named(ARM, LAM[0]), lambda x: gradient(q0=x)),
    "rollout.vjp: argument 'v0'": (named(ARM, LAM[0]), lambda x: gradient(v0=x)),
    "rollout.vjp: argument 'taus'": (named(ARM, TAUS), lambda x: gradient(taus=x)),
    "rollout.vjp: argument 'lam_q'": (named(ARM, LAM), lambda x: gradient(lam_q=x)),
    "rollout.vjp: argument 'lam_v'": (named(ARM, LAM), lambda x: gradient(lam_v=x)),
    "inverse_kinematics: argument 'q0'": (
        named(ARM, LAM[0]),
        lambda x: ARM.inverse_kinematics({TOOL: jounce.Position([1.0, 0.5, 0.0])}, x),
    ),
    "inverse_kinematics: argument 'posture'": (
        named(ARM, LAM[0]),
        lambda x: ARM.inverse_kinematics({TOOL: jounce.Position([1.0, 0.5, 0.0])}, posture=x),
    ),
    "with_parameters: argument 'damping'": (
        named(ARM, LAM[0]),
        lambda x: ARM.edit.with_parameters(ARM.model.parameters, damping=x),
    ),
    "gap: argument 'q'": (named(CLOSED, CLOSED.reference), CLOSED.gap),
    "report: argument 'q'": (named(CLOSED, CLOSED.reference), CLOSED.report),
    "assemble: argument 'q'": (named(CLOSED, CLOSED.reference), CLOSED.assemble),
    "track: argument 'q'": (named(CLOSED, CLOSED.reference[None]), CLOSED.track),
    r"closed\(\): q0": (named(CLOSED, CLOSED.reference), lambda x: CLOSED.robot.closed(q0=x)),
    "show: argument 'q'": (
        named(ARM, LAM[0]),
        lambda x: Subject(ARM).check_configuration(x, f"{ARM.name}.show"),
    ),
    "play: trajectory": (
        named(ARM, LAM),
        lambda x: Motion(Subject(ARM), x, 0.1, None, f"{ARM.name}.play"),
    ),
}


@pytest.mark.parametrize("begin", TAKEN)
def test_another_order_is_refused(begin: str) -> None:
    given, call = TAKEN[begin]
    call(given)
    names = ", ".join(given.joint.values)
    with pytest.raises(ArgumentError, match=rf"{begin} must have {names} along 'joint', its last"):
        call(given[..., ::-1])
    with pytest.raises(ArgumentError, match=rf"{begin} must have {names} along 'joint', its last"):
        call(given.assign_coords(joint=[f"other{k}" for k in range(given.sizes["joint"])]))


@pytest.mark.parametrize("begin", TAKEN)
def test_degrees_are_refused(begin: str) -> None:
    given, call = TAKEN[begin]
    with pytest.raises(ArgumentError, match=rf"{begin} must be in radians, found units 'degrees'"):
        call(given.assign_attrs(units="degrees"))
    call(given.assign_attrs(units="rad"))


@pytest.mark.parametrize("begin", TAKEN)
def test_datasets_are_refused(begin: str) -> None:
    given, call = TAKEN[begin]
    with pytest.raises(
        TypeError, match=rf"{begin} \(xarray.Dataset\) is a mapping of arrays.*: 'x'$"
    ):
        call(xr.Dataset({"x": given}))


def test_parameters_of_bodies_in_another_order_are_refused() -> None:
    names = {"body": ARM.model.body_names, "parameter": list(PARAMETERS)}
    pi = xr.DataArray(ARM.model.parameters, dims=("body", "parameter"), coords=names)
    np.testing.assert_array_equal(
        ARM.edit.with_parameters(pi).model.parameters, ARM.model.parameters
    )
    with pytest.raises(ArgumentError, match=r"parameters must have link1, link2 along 'body', in "):
        ARM.edit.with_parameters(pi[::-1])
    with pytest.raises(ArgumentError, match=r"must have m, hx, .* along 'parameter', its last"):
        ARM.edit.with_parameters(pi[:, ::-1])
    labels = ARM.gravity_forces.dpi(named(ARM, LAM)).coords
    flat = xr.DataArray(
        ARM.model.parameters.ravel(),
        dims="body_parameter",
        coords={"body_parameter": labels["body_parameter"]},
    )
    np.testing.assert_array_equal(
        ARM.edit.with_parameters(flat).model.parameters, ARM.model.parameters
    )
    with pytest.raises(ArgumentError, match=r"must have m\[link1\], .* along 'body_parameter'"):
        ARM.edit.with_parameters(flat[::-1])
    pd: Any = pytest.importorskip("pandas")
    table = pd.DataFrame(ARM.model.parameters, index=ARM.model.body_names, columns=PARAMETERS)
    np.testing.assert_array_equal(
        ARM.edit.with_parameters(table).model.parameters, ARM.model.parameters
    )
    with pytest.raises(ArgumentError, match=r"parameters must have link1, link2 along its rows"):
        ARM.edit.with_parameters(table[::-1])
    with pytest.raises(ArgumentError, match=r"parameters must have m, .* along its columns"):
        ARM.edit.with_parameters(table[[*PARAMETERS[::-1]]])


def test_contact_forces_at_joints_in_another_order_are_refused() -> None:
    pytest.importorskip("clarabel")
    contacts = ARM.edit.with_contact(TOOL, "point", "tip").contacts()
    q = named(ARM, LAM[0])
    assert contacts.contact_forces(q).success == contacts.contact_forces(LAM[0]).success
    with pytest.raises(ArgumentError, match=r"contact_forces: argument 'q' must have joint1, joi"):
        contacts.contact_forces(q[::-1])
