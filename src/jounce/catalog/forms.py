"""Helpers that build the forms and results of catalog entries."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from jounce.catalog.quantity import GEOMETRY, Form, Formula, Result


def list_derivatives(*names: str) -> dict[str, Form]:
    """Return empty forms, which list derivatives without a closed form.

    Parameters
    ----------
    *names : str
        Names of derivatives, such as "dqq".

    Returns
    -------
    dict of str to Form
        An empty form for each name.
    """
    return dict.fromkeys(names, Form())


def make_geometry_forms(formula: Formula, takes: tuple[str, ...] | None = None) -> dict[str, Form]:
    """Return closed forms of the derivatives in joint screws and placements from one formula.

    Parameters
    ----------
    formula : callable
        Formula with the keyword `screw`: True for screws, False for placements.
    takes : tuple of str, optional
        Arguments of the formula, see `Form.takes`.

    Returns
    -------
    dict of str to Form
        Forms of `dscrew` and `dplacement`.
    """
    return {
        name: Form(partial(formula, screw=screw), takes=takes) for name, screw in GEOMETRY.items()
    }


def add_jacobians(results: tuple[Result, ...], *axes: str) -> tuple[Result, ...]:
    """Return the results of a kernel that computes a quantity and its Jacobians.

    Parameters
    ----------
    results : tuple of Result
        Results of the quantity.
    *axes : str
        Arguments of shape (nv,) with respect to which they are differentiated.

    Returns
    -------
    tuple of Result
        The results, then their derivatives in each argument.
    """
    partials = (
        Result((*x.shape, "nv"), f"{x.symbol}_d{axis}", wrt=axis) for axis in axes for x in results
    )
    return (*results, *partials)


def make_design_form(symbol: str, what: str, unit: str, formula: Formula) -> Form:
    """Return the form of the gradient of a weighted quantity in the design of a robot.

    Parameters
    ----------
    symbol : str
        Prefix of the names of the results.
    what : str
        Name of the quantity in the description.
    unit : str
        Unit of the quantity.
    formula : callable
        Formula of the three gradients, which takes the weights `lam`.

    Returns
    -------
    Form
        Gradients in inertial parameters, joint screws and joint placements.
    """
    return Form(
        formula,
        arguments=("lam",),
        results=(
            Result(("nb", 10), f"{symbol}_dpi", wrt="pi"),
            Result(("nb", 6), f"{symbol}_dscrew", wrt="screw"),
            Result(("nb", 6), f"{symbol}_dplacement", wrt="placement"),
        ),
        doc=f"Gradient of lam . {what} in parameters, joint screws and placements, from one"
        " kernel.",
        unit=f"lam times {unit}; per unit of the variable",
        joint_space=False,
    )


def make_design_product_form(gradient: Form, formula: Formula) -> Form:
    """Return the form of Hessian-vector products in the design of a robot.

    Parameters
    ----------
    gradient : Form
        Form from `make_design_form`.
    formula : callable
        Formula that takes the weights `lam` and a tangent of each design parameter.

    Returns
    -------
    Form
        Products of the Hessian in the design and the tangents.
    """
    tangents = ("parameter_tangent", "screw_tangent", "placement_tangent")
    return replace(
        gradient,
        formula=formula,
        arguments=(*gradient.arguments, *tangents),
        results=tuple(replace(x, symbol=f"{x.symbol}_product") for x in gradient.results),
        doc="Hessian-vector product: derivative of `.design` as the design changes along tangents"
        " of parameters, joint screws and joint placements.",
    )
