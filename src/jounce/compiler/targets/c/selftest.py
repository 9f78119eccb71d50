"""The program that checks exported C against embedded values."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

from jounce.compiler.targets.c.batch import LANES
from jounce.compiler.targets.c.syntax import comment, indented, listed, number
from jounce.compiler.targets.function import Function
from jounce.compiler.targets.project import Samples
from jounce.compiler.targets.text import WIDTH


def table(name: str, rows: Sequence[Sequence[float]], scalar: str) -> str:
    """A constant array with a row per state."""
    lines = []
    for row in rows:
        text = "{" + ", ".join(number(x, scalar).strip("()") for x in row) + "},"
        lines += textwrap.wrap(text, WIDTH - 5, subsequent_indent=" ", break_on_hyphens=False)
    size = f"[{len(rows)}][{len(rows[0])}]"
    return f"static const {scalar} {name}{size} = {{\n{indented(lines)}}};\n"


_CHECK = """\
/* Compares n numbers; NaN and infinities never pass. */
static int wrong(const char *what, int state, const {scalar} *found, const {scalar} *expected,
                 int n, double allowed)
{{
    double worst = 0.0;
    int i, count = 0;

    for (i = 0; i < n; ++i) {{
        const double error = fabs((double)found[i] - (double)expected[i]);
        if (!(error <= allowed))
            ++count;
        if (!(error <= worst))
            worst = error;
    }}
    if (count > 0)
        printf("FAIL %s, state %d: %d of %d numbers are off, by up to %.2g (allowed %.2g)\\n",
               what, state, count, n, worst, allowed);
    return count;
}}
"""


def selftest_source(
    name: str,
    functions: Sequence[Function],
    samples: Sequence[Samples],
    scalar: str,
    batch: bool,
    about: Sequence[str],
) -> str:
    """A program that evaluates each function at embedded states and compares the results."""
    includes = f'#include "{name}.h"\n\n#include <math.h>\n#include <stdio.h>\n'
    parts = [comment(about), includes, _CHECK.format(scalar=scalar)]
    places = places_of(functions)
    states: dict[str, Sequence[Sequence[float]]] = {}
    for function, sample in zip(functions, samples, strict=True):
        states |= {places[x.name, x.size]: sample.inputs[x.name] for x in function.inputs}
    parts += [table(place, rows, scalar) for place, rows in states.items()]
    for function, sample in zip(functions, samples, strict=True):
        parts.append(_test(function, sample, scalar, batch, places))
    runs = [f"failures += test_{function.name}();" for function in functions]
    end = ['puts(failures > 0 ? "FAIL" : "PASS");', "return failures > 0;"]
    lines = ["int failures = 0;", "", *runs, *end]
    parts.append(f"int main(void)\n{{\n{indented(lines)}}}\n")
    return "\n".join(parts)


#: Names of the tables of states, by name and size of the argument.
Places = Mapping[tuple[str, int], str]


def places_of(functions: Sequence[Function]) -> Places:
    """An argument may have another size in another function: then its table says which."""
    out: dict[tuple[str, int], str] = {}
    for x in (x for function in functions for x in function.inputs):
        if (x.name, x.size) not in out:
            taken = any(name == x.name for name, _ in out)
            out[x.name, x.size] = f"at_{x.name}_{x.size}" if taken else f"at_{x.name}"
    return out


def tables_of(function: Function, sample: Samples, scalar: str) -> str:
    """Expected values of a function, and the errors that are allowed: of each result and state."""
    tables = ""
    for x in function.outputs:
        tables += table(f"expected_{function.name}_{x.name}", sample.outputs[x.name], scalar)
        allowed = [f"{tolerance:.1e}" for tolerance in sample.tolerances[x.name]]
        own = f"allowed_{function.name}_{x.name}[{len(allowed)}]"
        tables += f"static const double {own} = {{{', '.join(allowed)}}};\n"
    return tables


def _test(function: Function, sample: Samples, scalar: str, batch: bool, places: Places) -> str:
    """Expected values of a function, and the function that compares with them."""
    count = max(map(len, sample.tolerances.values()))
    call = [f"{places[x.name, x.size]}[i]" for x in function.inputs]
    call += [f"{x.name}[i]" for x in function.outputs]
    lines = [
        *(f"static {scalar} {x.name}[{LANES + 3}][{x.size}];" for x in function.outputs),
        "int i, bad = 0;",
        "",
        f"for (i = 0; i < {count}; ++i) {{",
        *_shifted(listed(function.name, call, ";")),
        *_comparisons(function, function.name, "i"),
        "}",
        *(_batch_test(function, scalar, count, places) if batch else ()),
        f'printf("%s {function.name}\\n", bad > 0 ? "FAIL" : "PASS");',
        "return bad > 0;",
    ]
    tables = tables_of(function, sample, scalar)
    return f"{tables}\nstatic int test_{function.name}(void)\n{{\n{indented(lines)}}}\n"


def _shifted(text: str) -> list[str]:
    return [f"    {line}" for line in text.split("\n")]


def _comparisons(function: Function, title: str, state: str) -> list[str]:
    """Statements of a loop over i that compare row i of the results with those of a state."""
    lines = []
    for x in function.outputs:
        own = f"{function.name}_{x.name}[{state}]"
        arguments = [f'"{title}: {x.name}"', state, f"{x.name}[i]", f"expected_{own}"]
        lines += _shifted(listed("bad += wrong", [*arguments, f"{x.size}", f"allowed_{own}"], ";"))
    return lines


def _batch_test(function: Function, scalar: str, count: int, places: Places) -> list[str]:
    """Statements that run the batch variant on a full block and a part of one."""
    size = LANES + 3
    inner = [f"static {scalar} many_{x.name}[{size}][{x.size}];" for x in function.inputs]
    inner += ["int k;", "", f"for (i = 0; i < {size}; ++i) {{"]
    for x in function.inputs:
        inner.append(f"    for (k = 0; k < {x.size}; ++k)")
        place = places[x.name, x.size]
        inner.append(f"        many_{x.name}[i][k] = {place}[i % {count}][k];")
    arrays = [f"many_{x.name}[0]" for x in function.inputs]
    arrays += [f"{x.name}[0]" for x in function.outputs]
    title = f"{function.name}_batch"
    inner += ["}", *listed(title, [str(size), *arrays], ";").split("\n")]
    inner += [f"for (i = 0; i < {size}; ++i) {{", *_comparisons(function, title, f"i % {count}")]
    return ["{", *(f"    {line}" if line else "" for line in (*inner, "}")), "}"]
