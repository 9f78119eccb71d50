"""The program that checks exported C or CUDA against embedded values."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from jounce.compiler.targets.c_family.dialect import comment, format_list, indent_code, number
from jounce.compiler.targets.function import Function
from jounce.compiler.targets.project import Project, Samples
from jounce.compiler.targets.text import WIDTH

#: In the common subset of C99 and C++.
_TOOLS = """\
/* Samples of a test, which repeat {states} states. */
static const int samples = {samples}, states = {states};

/* Memory for all samples and one more, every byte 255: numbers that are none. */
static {scalar} *allocate(int size)
{{
    const size_t bytes = (size_t)((samples + 1) * size) * sizeof({scalar});
    {scalar} *memory = NULL;

    {allocate}
    memset(memory, 255, bytes);
    return memory;
}}

/* The states of an argument, over and over. */
static {scalar} *repeat_states(const {scalar} *table, int size)
{{
    {scalar} *memory = allocate(size);
    int i;

    for (i = 0; i < samples * size; ++i)
        memory[i] = table[i % (states * size)];
    return memory;
}}

/* Compares a result with what is expected, and resets it. NaN and infinities never pass, nor does
 * anything written behind the last sample.
 */
static int compare(const char *what, {scalar} *result, const {scalar} *expected,
        const double *allowed, int size)
{{
    double worst = 0.0, most = 0.0;
    int i, count = 0;

    for (i = 0; i < samples * size; ++i) {{
        const int state = i / size % states;
        const double error = fabs((double)result[i] - (double)expected[i % (states * size)]);
        if (!(error <= allowed[state]))
            ++count;
        if (!(error <= worst))
            worst = error;
        if (!(error / allowed[state] <= most))
            most = error / allowed[state];
    }}
    for (i = samples * size; i < (samples + 1) * size; ++i)
        if (result[i] == result[i])
            ++count;
    memset(result, 255, (size_t)((samples + 1) * size) * sizeof({scalar}));
    printf("%s %s: largest error %.2g, %.2g of what is allowed\\n", count > 0 ? "FAIL" : "PASS",
            what, worst, most);
    return count > 0;
}}
"""


@dataclass(frozen=True)
class Calls:
    """Language-specific parts of a self-test.

    Attributes
    ----------
    header : str
        Name of the file that declares the functions.
    samples : int
        Samples of a test, in addition to one for each state.
    tools : str
        Text before all others.
    allocate : str
        Statements that set `memory` to `bytes` bytes.
    free : str
        Function that frees it.
    variants : callable
        Returns the statements that fill a function's results, by name for error messages.
    """

    header: str
    samples: int
    tools: str
    allocate: str
    free: str
    variants: Callable[[Function], Mapping[str, Sequence[str]]]


def selftest_source(project: Project, calls: Calls, about: Sequence[str]) -> str:
    """Return a program that runs each function on embedded states and compares the results."""
    functions, scalar = project.functions, project.scalar
    samples = [project.samples(function) for function in functions]
    includes = ("math.h", "stdio.h", "stdlib.h", "string.h")
    lines = "".join(f"#include <{name}>\n" for name in includes)
    states = max(len(rows) for sample in samples for rows in sample.outputs.values())
    sizes = {"scalar": scalar, "states": states, "samples": calls.samples + states}
    tools = _TOOLS.format(allocate=indent_code([calls.allocate]).strip(), **sizes)
    parts = [comment(about), f'#include "{calls.header}"\n\n{lines}']
    parts += [calls.tools] if calls.tools else []
    parts.append(tools)
    tables: dict[tuple[str, int], str] = {}
    for function, sample in zip(functions, samples, strict=True):
        for x in function.inputs:
            if (x.name, x.size) not in tables:
                # an argument may have another size in another function
                again = any(name == x.name for name, _ in tables)
                name = f"at_{x.name}_{x.size}" if again else f"at_{x.name}"
                tables[x.name, x.size] = name
                parts.append(_table(name, sample.inputs[x.name], scalar))
    for function, sample in zip(functions, samples, strict=True):
        parts.append(_expected_tables(function, sample, scalar))
        parts[-1] += "\n" + _test(function, scalar, calls, tables)
    runs = [f"failures += test_{function.name}();" for function in functions]
    end = ['puts(failures > 0 ? "FAIL" : "PASS");', "return failures > 0;"]
    parts.append(f"int main(void)\n{{\n{indent_code(['int failures = 0;', '', *runs, *end])}}}\n")
    return "\n".join(parts)


def _table(name: str, rows: Sequence[Sequence[float]], scalar: str) -> str:
    """Return a constant array with a row per state."""
    lines = []
    for row in rows:
        text = "{" + ", ".join(number(x, scalar).strip("()") for x in row) + "},"
        lines += textwrap.wrap(text, WIDTH - 5, subsequent_indent=" ", break_on_hyphens=False)
    size = f"[{len(rows)}][{len(rows[0])}]"
    return f"static const {scalar} {name}{size} = {{\n{indent_code(lines)}}};\n"


def _expected_tables(function: Function, sample: Samples, scalar: str) -> str:
    """Return the tables of expected values, and of the tolerances in each state."""
    tables = ""
    for x in function.outputs:
        tables += _table(f"expected_{function.name}_{x.name}", sample.outputs[x.name], scalar)
        allowed = [f"{tolerance:.1e}" for tolerance in sample.tolerances[x.name]]
        name = f"allowed_{function.name}_{x.name}[{len(allowed)}]"
        tables += f"static const double {name} = {{{', '.join(allowed)}}};\n"
    return tables


def _test(
    function: Function, scalar: str, calls: Calls, tables: Mapping[tuple[str, int], str]
) -> str:
    """Return the function that compares all variants with the expected values."""
    lines = []
    for x in function.inputs:
        table = tables[x.name, x.size]
        lines.append(f"{scalar} *{x.name} = repeat_states({table}[0], {x.size});")
    lines += [f"{scalar} *{x.name} = allocate({x.size});" for x in function.outputs]
    lines += ["int bad = 0;", ""]
    for title, statements in calls.variants(function).items():
        lines += statements
        for x in function.outputs:
            table = f"{function.name}_{x.name}"
            items = [f'"{title}: {x.name}"', x.name, f"expected_{table}[0]", f"allowed_{table}"]
            lines.append(format_list("bad += compare", [*items, f"{x.size}"], ";"))
    lines += [f"{calls.free}({x.name});" for x in (*function.inputs, *function.outputs)]
    lines.append("return bad > 0;")
    return f"static int test_{function.name}(void)\n{{\n{indent_code(lines)}}}\n"
