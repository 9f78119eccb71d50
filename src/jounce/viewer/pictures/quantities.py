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
    definition, sizes = quantity.definition, quantity.robot.sizes
    facts = [("equation", definition.equation)] if definition.equation else []
    if definition.differentiable:
        names = [name for name in derivative_names(definition) if name not in PRODUCTS]
        facts.append(("derivatives", " ".join(f".{name}" for name in (*names, "rates(k)"))))
        facts.append(("Jacobian products", " ".join(f".{name}" for name in PRODUCTS)))
    return html.wrap_output(
        html.heading(f"{quantity.title}({', '.join(definition.arguments)})"),
        f"<p>{html.escape(definition.doc)}</p>",
        html.table(("takes", "shape", "meaning"), _argument_rows(definition, sizes), last=True),
        html.table(("gives", "shape", "unit"), _result_rows(definition, sizes), last=True),
        html.pairs(facts) if facts else "",
    )


def _argument_rows(
    definition: AnyQuantity, sizes: Mapping[str, int]
) -> Iterator[tuple[str, str, str]]:
    """Yield name, shape and meaning of arguments and options."""
    for name in (*definition.arguments, *definition.optional, *definition.base):
        argument = definition.argument(name)
        optional = "" if name in definition.arguments else "; optional"
        yield name, _shape(argument.shape, sizes), f"{argument.doc}{optional}"
    for option in definition.options:
        default, *others = map(repr, option.values)
        yield f"{option.name}={default}", "", f"{option.doc}; or {', '.join(others)}"
    if definition.drives is not None:
        yield "extended=False", "", "columns of armature, damping and friction of all joints too"
        yield "smoothing=None", "", "Coulomb friction as v / sqrt(v^2 + e^2) instead of sign(v)"


def _result_rows(
    definition: AnyQuantity, sizes: Mapping[str, int]
) -> Iterator[tuple[str, str, str]]:
    """Yield letter, shape and unit of results."""
    for letter, shape in zip(definition.result_names, definition.shapes, strict=True):
        yield letter, _shape(shape, sizes), definition.unit


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
        (f".{name}({', '.join(definition.arguments)})", definition.doc)
        for name, definition in frame.definitions.items()
    ]
    return html.wrap_output(
        html.heading(f"frame '{frame.name}'", [f"of {frame.robot.name}"]),
        f"<p>{html.escape(f'Fixed in {owner}, at ({position}) m.')}</p>",
        html.collapsible(
            "quantities", html.table(("quantity", "what it is"), rows, last=True), True
        ),
    )
