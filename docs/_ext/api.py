"""`{api} jounce.inertia`: a table of the public names of a package or module, and a page for each.

Public are the names in a package's `__all__`, or those that a module defines. Each object has one
entry, as `jounce.load` if `jounce` has it, else by the first name on its page.
"""

from __future__ import annotations

import inspect
import re
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from catalog_pages import FOLDER, write
from docstrings import to_rst
from docutils import nodes
from docutils.parsers.rst import directives
from public_names import DIRECTIVE, public_names
from sphinx.application import Sphinx
from sphinx.ext.autodoc.mock import mock
from sphinx.util.docutils import SphinxDirective
from sphinx.util.inspect import signature as get_signature
from sphinx.util.inspect import stringify_signature
from synonyms import index

#: Objects whose entry is on the page that lists them.
INLINE = ("jounce.Robot",)

#: Those whose members come from several packages, all of which a user meets on them.
WHOLE = (
    "jounce.Robot",
    "jounce.solve.mechanism.robot.Mechanism",
    "jounce.solve.contacts.robot.Contacts",
)


def entry(name: str, value: Any) -> list[str]:
    """Return the directive that documents an object."""
    if not inspect.isclass(value):
        return [f".. autofunction:: {name}", ""]
    kind = "autoexception" if issubclass(value, BaseException) else "autoclass"
    lines = [f".. {kind}:: {name}"]
    if name in WHOLE:
        lines += ["   :inherited-members: object, int, tuple", ""]
        # a descriptor of its own kind, which autodoc does not see
        doc = inspect.getdoc(inspect.getattr_static(value, "torch")) or ""
        lines += ["   .. py:property:: torch", "", f"      {to_rst([doc])[0]}"]
    return [*lines, ""]


def row(name: str, value: Any) -> list[str]:
    """Return a row of the overview: a link, and the first line of the docstring."""
    doc = (inspect.getdoc(value) or "").partition("\n\n")[0].splitlines()
    return [f"   * - :py:obj:`{name}`", f"     - {to_rst([' '.join(doc)])[0]}"]


def list_objects(text: str) -> dict[str, Any]:
    """Return what the directives of a page list, by full name; each object once."""
    out: dict[str, Any] = {}
    above = {id(value) for value in public_names(sys.modules["jounce"]).values()}
    for name, options in DIRECTIVE.findall(text):
        module = import_module(name)
        only = re.search(r":only: *(.*)", options)
        for key, value in _choose_names(module, only and only[1]).items():
            known = above if name != "jounce" else ()
            if id(value) not in known and all(value is not x for x in out.values()):
                out[f"{name}.{key}"] = value
    return out


def aliases(name: str, value: Any) -> list[str]:
    """Return directives for further names that the module of an object has for it."""
    module = name.rpartition(".")[0]
    names = (
        f"{module}.{key}" for key, x in public_names(sys.modules[module]).items() if x is value
    )
    return [
        line
        for other in names
        if other != name
        for line in (f".. py:function:: {other}", "   :no-typesetting:", "")
    ]


def _choose_names(module: ModuleType, only: str | None) -> dict[str, Any]:
    """Return the names that a directive lists, deprecated aliases last."""
    members = public_names(module)
    names = only.replace(",", " ").split() if only else [*members]
    names.sort(key=lambda name: getattr(members[name], "__name__", name) != name)
    return {name: members[name] for name in names}


class Api(SphinxDirective):
    """The docstring of a module, and a table of the names that it offers."""

    required_arguments = 1
    option_spec = {"only": directives.unchanged, "silent": directives.flag}  # noqa: RUF012

    def run(self) -> list[nodes.Node]:
        """List names that have no shorter one; document those of `INLINE` in place."""
        name = self.arguments[0]
        with mock(self.config.autodoc_mock_imports):
            module = import_module(name)
            chosen = _choose_names(module, self.options.get("only"))
        # by identity; the values are kept alive, lest another object gets the same one
        described: dict[int, Any] = self.env.temp_data.setdefault("api_entries", {})
        above = {} if name == "jounce" else public_names(sys.modules["jounce"])
        elsewhere = {**described, **{id(value): value for value in above.values()}}
        lines = (
            [] if "silent" in self.options else [f".. automodule:: {name}", "   :no-members:", ""]
        )
        rows = []
        for key, value in chosen.items():
            if id(value) not in elsewhere:
                full = f"{name}.{key}"
                if full in INLINE:
                    lines += entry(full, value)
                else:
                    rows += row(full, value)
                described[id(value)] = value
        if rows:
            lines += [".. list-table::", "   :widths: 40 60", "", *rows]
        text = "\n".join(("````{eval-rst}", *lines, "````"))
        return self.parse_text_to_nodes(text, allow_section_headings=False)


def _generate(app: Sphinx) -> None:
    """Write a page for each object that the pages of the reference list."""
    texts: dict[str, str] = {}
    for page in sorted(Path(app.srcdir, "reference/api").glob("*.md")):
        with mock(app.config.autodoc_mock_imports):
            objects = list_objects(page.read_text("utf-8"))
        for name, value in objects.items():
            if name not in INLINE:
                title = [name, "=" * len(name), ""]
                link = f":doc:`/reference/api/{page.stem}`"
                lines = [
                    ":orphan:",
                    "",
                    *title,
                    *index(name),
                    *entry(name, value),
                    *aliases(name, value),
                ]
                texts[f"{name}.rst"] = "\n".join((*lines, f"See also {link}.", ""))
    folder = Path(app.srcdir) / FOLDER
    write(folder, texts)
    for path in folder.glob("*.rst"):
        if path.name not in texts:
            path.unlink()


def _skip_field_alias(
    _app: Sphinx, _what: str, _name: str, obj: Any, skip: bool, _options: Any
) -> bool | None:
    """Fields of named tuples are explained in the docstring of the class."""
    said = getattr(obj, "__doc__", None) or ""
    return True if said.startswith("Alias for field number") else None


def _format_signature(
    app: Sphinx,
    what: str,
    _name: str,
    obj: Any,
    _options: Any,
    signature: str | None,
    returns: str | None,
) -> tuple[str | None, str | None]:
    """Use the signature of `__init__` for classes with a generic `__new__`; name type aliases."""
    if what == "class" and (signature or "").startswith("(*args"):
        init = get_signature(
            obj.__init__, bound_method=True, type_aliases=app.config.autodoc_type_aliases
        )
        signature = stringify_signature(
            init, show_return_annotation=False, unqualified_typehints=True
        )
    return _name_aliases(signature), _name_aliases(returns)


def _name_aliases(text: str | None) -> str | None:
    """Replace placeholders of type aliases, and aliases that Sphinx could not resolve."""
    if not text:
        return text
    text = re.sub(r"(?:[\w.~]*\.)?TypeAliasForwardRef\('(\w+)'\)", r"\1", text)
    return text.replace("DTypeLike", "dtype_like").replace("ArrayLike", "array_like")


def setup(app: Sphinx) -> dict[str, Any]:
    """Write pages before any is read, and offer the directive."""
    app.connect("builder-inited", _generate, priority=600)
    app.add_directive("api", Api)
    app.connect("autodoc-skip-member", _skip_field_alias)
    app.connect("autodoc-process-signature", _format_signature)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
