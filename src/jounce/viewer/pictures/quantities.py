"""HTML of quantities and frames for notebooks: arguments, results and derivatives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from jounce.catalog import PRODUCTS, AnyQuantity, Shape, derivative_names
from jounce.utils import html

if TYPE_CHECKING:
    from jounce.arrays import Frame, QuantityProtocol


def quantity_html(quantity: QuantityProtocol) -> str:
    """Return HTML with arguments, results, equation and derivatives of a quantity."""
    row, sizes = quantity.definition, quantity.robot.sizes
    facts = [("equation", row.equation)] if row.equation else []
    if row.differentiable:
        names = [name for name in derivative_names(row) if name not in PRODUCTS]
        facts.append(("derivatives", " ".join(f".{name}" for name in (*names, "rates(k)"))))
        facts.append(("Jacobian products", " ".join(f".{name}" for name in PRODUCTS)))
    return html.wrap_output(
        html.heading(f"{quantity.title}({', '.join(row.arguments)})"),
        f"<p>{html.escape(row.doc)}</p>",
        html.table(("takes", "shape", "meaning"), _argument_rows(row, sizes), last=True),
        html.table(("gives", "shape", "unit"), _result_rows(row, sizes), last=True),
        html.pairs(facts) if facts else "",
    )


def _argument_rows(row: AnyQuantity, sizes: Mapping[str, int]) -> Iterator[tuple[str, str, str]]:
    """Yield name, shape and meaning of arguments and options."""
    for name in (*row.arguments, *row.optional, *row.base):
        argument = row.argument(name)
        optional = "" if name in row.arguments else "; optional"
        yield name, _shape(argument.shape, sizes), f"{argument.doc}{optional}"
    for option in row.options:
        default, *others = map(repr, option.values)
        yield f"{option.name}={default}", "", f"{option.doc}; or {', '.join(others)}"
    if row.drives is not None:
        yield "extended=False", "", "columns of armature, damping and friction of all joints too"
        yield "smoothing=None", "", "Coulomb friction as v / sqrt(v^2 + e^2) instead of sign(v)"


def _result_rows(row: AnyQuantity, sizes: Mapping[str, int]) -> Iterator[tuple[str, str, str]]:
    """Yield letter, shape and unit of results."""
    for letter, shape in zip(row.result_names, row.shapes, strict=True):
        yield letter, _shape(shape, sizes), row.unit


def _shape(shape: Shape, sizes: Mapping[str, int]) -> str:
    """Return a shape with its sizes, "(..., nv=7, 6)"."""
    known = (str(n) if isinstance(n, int) else f"{n}={sizes[n]}" for n in shape)
    return f"({', '.join(('...', *known))})"


def frame_html(frame: Frame) -> str:
    """Return HTML with the position of a frame and its quantities."""
    model = frame.robot.model
    fixed_frame = model.frames[frame.index]
    owner = "the world" if fixed_frame.body < 0 else f"link '{model.bodies[fixed_frame.body].name}'"
    position = ", ".join(f"{x:.4g}" for x in fixed_frame.placement[:3, 3].tolist())
    rows = [
        (f".{name}({', '.join(row.arguments)})", row.doc) for name, row in frame.definitions.items()
    ]
    return html.wrap_output(
        html.heading(f"frame '{frame.name}'", [f"of {frame.robot.name}"]),
        f"<p>{html.escape(f'Fixed in {owner}, at ({position}) m.')}</p>",
        html.collapsible(
            "quantities", html.table(("quantity", "what it is"), rows, last=True), True
        ),
    )
