"""`{api} jounce.inertia`: entries for the public names of a package or module.

What is offered: the names a package's `__init__` gives out, or those that a module defines.
Each object has one entry, as `jounce.load` if `jounce` has it, else by the first name on its page.
"""

from __future__ import annotations

import inspect
import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from docstrings import restructured
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.ext.autodoc.mock import mock
from sphinx.util.docutils import SphinxDirective
from sphinx.util.inspect import signature as get_signature
from sphinx.util.inspect import stringify_signature

#: Those whose members come from several packages, all of which a user meets on them.
WHOLE = (
    "jounce.Robot",
    "jounce.solve.mechanism.robot.Mechanism",
    "jounce.solve.contacts.robot.Contacts",
)


def offered(module: ModuleType) -> dict[str, Any]:
    """Functions, classes and values that a module offers under a name of its own."""
    module_name = module.__name__
    names = getattr(module, "__all__", None) or vars(module)
    package = hasattr(module, "__path__") and module_name != "jounce"
    out = {}
    for name in names:
        value = getattr(module, name)
        home = getattr(value, "__module__", None) or ""
        if name.startswith("_") or isinstance(value, ModuleType):
            continue
        if not (inspect.isclass(value) or inspect.isroutine(value)):
            continue
        within = home == module_name or (package and home.startswith(f"{module_name}."))
        if within or module_name == "jounce" or getattr(module, "__all__", None):
            out[name] = value
    return out


def entry(name: str, value: Any) -> list[str]:
    """The directive that describes it."""
    if not inspect.isclass(value):
        return [f".. autofunction:: {name}", ""]
    kind = "autoexception" if issubclass(value, BaseException) else "autoclass"
    lines = [f".. {kind}:: {name}"]
    if name in WHOLE:
        lines += ["   :inherited-members: object, int, tuple", ""]
        # a descriptor of its own kind, which autodoc does not see
        said = inspect.getdoc(inspect.getattr_static(value, "torch")) or ""
        lines += ["   .. py:property:: torch", "", f"      {restructured([said])[0]}"]
    return [*lines, ""]


class Api(SphinxDirective):
    """What a module says of itself, and an entry for each name it offers."""

    required_arguments = 1
    option_spec = {"only": directives.unchanged, "silent": directives.flag}  # noqa: RUF012

    def run(self) -> list[nodes.Node]:
        """Entries by autodoc; those that have a shorter name elsewhere are left to it."""
        name = self.arguments[0]
        with mock(self.config.autodoc_mock_imports):
            module = import_module(name)
        found = offered(module)
        if "only" in self.options:
            found = {key: found[key] for key in self.options["only"].replace(",", " ").split()}
        # by identity; the values are kept alive, lest another object gets the same one
        described: dict[int, Any] = self.env.temp_data.setdefault("api_entries", {})
        above = {} if name == "jounce" else offered(sys.modules["jounce"])
        elsewhere = {**described, **{id(value): value for value in above.values()}}
        lines = (
            [] if "silent" in self.options else [f".. automodule:: {name}", "   :no-members:", ""]
        )
        for key, value in found.items():
            if id(value) not in elsewhere:
                lines += entry(f"{name}.{key}", value)
                described[id(value)] = value
        text = "\n".join(("````{eval-rst}", *lines, "````"))
        return self.parse_text_to_nodes(text, allow_section_headings=False)


def _skipped(
    _app: Sphinx, _what: str, _name: str, obj: Any, skip: bool, _options: Any
) -> bool | None:
    """Fields of named tuples are explained in the docstring of the class."""
    said = getattr(obj, "__doc__", None) or ""
    return True if said.startswith("Alias for field number") else None


def _called(
    _app: Sphinx,
    what: str,
    _name: str,
    obj: Any,
    _options: Any,
    signature: str | None,
    returns: Any,
) -> tuple[str, Any] | None:
    """Classes are called as `__init__` says, where a `__new__` only prepares what all have."""
    if what == "class" and (signature or "").startswith("(*args"):
        own = get_signature(obj.__init__, bound_method=True)
        return stringify_signature(
            own, show_return_annotation=False, unqualified_typehints=True
        ), returns
    return None


def setup(app: Sphinx) -> dict[str, Any]:
    """Offer the directive."""
    app.add_directive("api", Api)
    app.connect("autodoc-skip-member", _skipped)
    app.connect("autodoc-process-signature", _called)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
