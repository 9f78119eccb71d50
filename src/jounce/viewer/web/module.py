"""Quantities of a robot as an ES module: WebAssembly, a JavaScript wrapper, and types.

The files depend only on the robot and the quantities: they are byte-identical on all machines.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, cast

from jounce.compiler import targets
from jounce.compiler.targets import wrap_comment
from jounce.compiler.targets.wasm import WasmTarget, encode_unsigned
from jounce.export import source
from jounce.viewer.web.declarations import declarations
from jounce.viewer.web.functions import (
    WebFunction,
    explain_undefined,
    function_data,
    literal,
    robot_data,
    web_functions,
)

if TYPE_CHECKING:
    from jounce.robot import System

#: Quantities that `robot.export.web` writes by default, if the robot has them.
DEFAULT = (
    "body_poses",
    "mass_matrix",
    "gravity_forces",
    "bias_forces",
    "inverse_dynamics",
    "forward_dynamics",
    "contact_dynamics",
    "contact_jacobian",
    "kinetic_energy",
    "potential_energy",
    "center_of_mass",
    "integrate",
    "loop_residual",
)

_USE = (
    "const robot = await load(); robot.mass_matrix(q) is a Float64Array in row-major order, or an"
    " array of these for several results. Arguments are arrays of numbers. Calls have no state.",
)


@dataclass(frozen=True)
class WebModule:
    """A robot's quantities for JavaScript.

    name: name of the module and its files. wasm: the WebAssembly. javascript: an ES module that
    exports `load`. declarations: its types. factory: an expression for the function `load`, for
    scripts that pass the WebAssembly to it. functions: the quantities.
    """

    name: str
    wasm: bytes
    javascript: str
    declarations: str
    factory: str
    functions: tuple[WebFunction, ...]


def build_module(
    system: System, quantities: str | Iterable[str] | None = None, name: str | None = None
) -> WebModule:
    """Build the module of some quantities, in float64.

    Parameters
    ----------
    system : System
        A robot, a mechanism or a robot in contact.
    quantities : str or iterable of str
        Names as `robot.quantity` takes them; by default those that `robot.export.web` writes.
    name : str
        Name of the module; by default the robot's, with characters that identifiers do not allow
        replaced.

    Returns
    -------
    WebModule
        WebAssembly, JavaScript and type declarations.
    """
    prefix = source.prefix_of(system.name, name)
    functions = web_functions(
        system, default_quantities(system) if quantities is None else quantities
    )
    linked = cast(WasmTarget, targets.get_target("wasm")).link(
        [kernel for x in functions for kernel in x.kernels]
    )
    descriptions = {x.name: function_data(x, linked.layouts) for x in functions}
    robot = robot_data(system)
    mark = hashlib.sha256(linked.code + literal([robot, descriptions]).encode()).hexdigest()[:32]
    data = literal({"name": prefix, "mark": mark, "robot": robot, "functions": descriptions})
    # an expression that builds functions from a module and its description
    factory = f"{asset('kernels.js').strip()}({data})"
    about, test = source.project(system, prefix, ()).about, "node selftest.mjs"
    lines = about(f"{prefix}.js", _USE, test)
    types = about(f"{prefix}.d.ts", (f"Types of {prefix}.js.",), test)
    return WebModule(
        prefix,
        linked.code + _mark_section(mark),
        _module(prefix, lines, factory),
        declarations(prefix, types, functions),
        factory,
        tuple(functions),
    )


def default_quantities(system: System) -> tuple[str, ...]:
    """Return the quantities that `robot.export.web` writes by default.

    Parameters
    ----------
    system : Robot, Mechanism or Contacts

    Returns
    -------
    tuple of str
        Entries of `DEFAULT` that are defined for the system; a singular mass matrix, for example,
        excludes forward dynamics.
    """
    names = (name for name in DEFAULT if name in system.definitions)
    return tuple(name for name in names if not explain_undefined(system, name))


def export_web(
    system: System,
    folder: str | os.PathLike[str],
    quantities: str | Iterable[str] | None = None,
    *,
    name: str | None = None,
    page: bool = True,
    overwrite: bool = False,
) -> list[Path]:
    """Write quantities as WebAssembly with an ES module around it.

    Writes NAME.wasm, NAME.js, NAME.d.ts and selftest.mjs, a test for node.

    Parameters
    ----------
    system : System
        A robot, a mechanism or a robot in contact.
    folder : path
        Folder of the files; created if it does not exist.
    quantities : str or iterable of str
        Names as `robot.quantity` takes them; by default those of `default_quantities`.
    name : str
        Name of the module and its files; by default the robot's.
    page : bool
        Also write NAME.html, a page that shows the robot and computes by itself
        (`jounce.viewer.web.page`). It leaves out times of NumPy's calls, so that it is
        reproducible.
    overwrite : bool
        Replace files that exist.

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    FileExistsError
        If a file exists and `overwrite` is false.
    """
    module = build_module(system, quantities, name)
    contents: dict[str, str | bytes] = {
        f"{module.name}.wasm": module.wasm,
        f"{module.name}.js": module.javascript,
        f"{module.name}.d.ts": module.declarations,
        "selftest.mjs": _selftest(system, module),
    }
    if page:
        from jounce.viewer.web.page import page_text  # it imports this module

        text = page_text(system, quantities, timings=False)
        contents[f"{module.name}.html"] = text.encode("utf-8")
    return source.write(folder, contents, overwrite=overwrite)


def asset(name: str) -> str:
    """Return the text of a file for JavaScript or a page that belongs to the package.

    Parameters
    ----------
    name : str
        Such as "page.html".

    Returns
    -------
    str
    """
    return files("jounce.viewer.web").joinpath("assets", name).read_text("utf-8")


def _module(prefix: str, about: list[str], factory: str) -> str:
    """Return the text of the ES module."""
    top = "".join(f"// {line}".rstrip() + "\n" for line in wrap_comment(about)).replace("</", "< /")
    return (
        f"{top}\nconst create = {factory};\n\n"
        "export async function load(source) {\n"
        f'  return create(source === undefined ? new URL("./{prefix}.wasm", import.meta.url)'
        " : source);\n}\n"
    )


def _mark_section(mark: str) -> bytes:
    """Return a section by which JavaScript recognizes its WebAssembly."""
    name = b"jounce"
    content = encode_unsigned(len(name)) + name + mark.encode()
    return b"\x00" + encode_unsigned(len(content)) + content


# ------------------------------------------------------------------ the self-test


_CHECK = """\
let failures = 0;
for (const [identifier, cases] of Object.entries(tests)) {
  let bad = 0;
  cases.forEach(({ inputs, outputs, allowed }, state) => {
    const found = robot[identifier](...inputs);
    const results = Array.isArray(found) ? found : [found];
    outputs.forEach((expected, k) => {
      const errors = expected.map((x, i) => Math.abs(results[k][i] - x));
      const off = errors.filter((x) => !(x <= allowed[k])).length;
      if (off > 0) {
        bad += 1;
        console.log(
          `FAIL ${identifier}, state ${state}, result ${k}: ${off} of ${expected.length} numbers` +
            ` are off, by up to ${Math.max(...errors)} (allowed ${allowed[k]})`,
        );
      }
    });
  });
  console.log(`${bad > 0 ? "FAIL" : "PASS"} ${identifier}`);
  failures += bad;
}
console.log(failures > 0 ? "FAIL" : "PASS");
process.exitCode = failures > 0 ? 1 : 0;
"""


def _selftest(system: System, module: WebModule) -> str:
    """Return a program for node that compares each function with reference values."""
    tests: dict[str, list[dict[str, list[object]]]] = {}
    for function in module.functions:
        for kernel in function.kernels:
            samples = source.samples_of(system, kernel, "double")
            cases = tests.setdefault(function.name, [])
            for k in range(len(next(iter(samples.outputs.values())))):
                cases.append(
                    {
                        "inputs": [samples.inputs[x.name][k] for x in kernel.inputs],
                        "outputs": [samples.outputs[x.name][k] for x in kernel.outputs],
                        "allowed": [samples.tolerances[x.name][k] for x in kernel.outputs],
                    }
                )
    return (
        f"// selftest.mjs: compares the functions of {module.name}.js with values computed by"
        " jounce.\n//\n//   node selftest.mjs\n//\n"
        "// It prints PASS or FAIL, and returns zero if everything passes.\n\n"
        'import { readFile } from "node:fs/promises";\n\n'
        f"const tests = {literal(tests)};\n\n"
        "// imported as text, because older versions of node treat .js files as CommonJS\n"
        f'const text = await readFile(new URL("./{module.name}.js", import.meta.url), "utf8");\n'
        "const { load } = await import(`data:text/javascript,${encodeURIComponent(text)}`);\n"
        f'const bytes = await readFile(new URL("./{module.name}.wasm", import.meta.url));\n'
        f"const robot = await load(bytes);\n{_CHECK}"
    )
