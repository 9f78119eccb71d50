"""Where in a file an object of the compiled model comes from, for errors that are about it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from jounce.errors import ModelError
from jounce.io.xml import Element

#: Elements that kinds of objects come from; those of equality constraints have tags of their own.
_TAGS = {"body": ("body",), "joint": ("joint", "freejoint"), "site": ("site",)}


class CompiledError(ModelError):
    """About an object of a compiled model: a body, joint, site or equality, and its index."""

    def __init__(self, message: object, kind: str, index: int) -> None:
        super().__init__(message)
        self.kind, self.index = kind, index


@contextlib.contextmanager
def about(kind: str, index: int) -> Iterator[None]:
    """A ModelError inside is about an object of the compiled model, unless it is about another."""
    try:
        yield
    except CompiledError:
        raise
    except ModelError as error:
        raise CompiledError(error, kind, index) from error


def located(error: ModelError, root: Element, mj: Any) -> ModelError:
    """The error with file and line of the element it is about, as far as that can be found."""
    node = None
    if isinstance(error, CompiledError):
        node = _element(error.kind, error.index, root, mj)
    where = root.where if node is None else f"{node.source}:{node.line}"
    return ModelError(f"{where}: {str(error).removeprefix(f'{root.source}: ')}")


def _element(kind: str, index: int, root: Element, mj: Any) -> Element | None:
    """The element an object has its name from, or that of its body; None if that is not known."""
    nodes = list(root.walk())
    equalities = [x for x in nodes if x.parent is not None and x.parent.tag == "equality"]
    candidates = [x for x in nodes if x.tag in _TAGS[kind]] if kind in _TAGS else equalities
    name = getattr(mj, kind)(index).name
    named = [x for x in candidates if name and x.attributes.get("name") == name]
    if named:
        return named[0]
    if kind == "equality":
        return equalities[index] if len(equalities) == mj.neq else None
    owners = {"body": range(mj.nbody), "joint": mj.jnt_bodyid, "site": mj.site_bodyid}
    bodies = [x for x in nodes if x.tag == "body"]
    body = int(owners[kind][index])
    # as many as there are: nothing was replicated or attached
    return bodies[body - 1] if body > 0 and len(bodies) == mj.nbody - 1 else None
