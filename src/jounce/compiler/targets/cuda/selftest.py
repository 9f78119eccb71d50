"""The program that checks exported CUDA against embedded values."""

from __future__ import annotations

from collections.abc import Sequence

from jounce.compiler.targets.c.selftest import Places, places_of, table, tables_of
from jounce.compiler.targets.c.syntax import comment, indented, listed
from jounce.compiler.targets.cuda.kernel import THREADS
from jounce.compiler.targets.function import Function
from jounce.compiler.targets.project import Samples

_TOOLS = """\
/* Samples of a test: a whole block and a part of one, which repeat {states} states. */
static const int samples = {samples}, states = {states};

/* Stops at an error of CUDA. */
static void done(cudaError_t error)
{{
    if (error != cudaSuccess) {{
        printf("FAIL: %s\\n", cudaGetErrorString(error));
        exit(1);
    }}
}}

/* Memory of the device for all samples and one more, every byte 255: numbers that are none. */
static {scalar} *room(int size)
{{
    {scalar} *memory = NULL;

    done(cudaMalloc((void **)&memory, (samples + 1) * size * sizeof({scalar})));
    done(cudaMemset(memory, 255, (samples + 1) * size * sizeof({scalar})));
    return memory;
}}

/* The states of an argument on the device, over and over. */
static {scalar} *copied(const {scalar} *table, int size)
{{
    {scalar} *memory = room(size);

    for (int i = 0; i < samples; ++i)
        done(cudaMemcpy(memory + i * size, table + i % states * size, size * sizeof({scalar}),
                cudaMemcpyHostToDevice));
    return memory;
}}

/* Compares a result with what is expected, and frees it. NaN and infinities never pass, nor does
 * anything written behind the last sample.
 */
static int wrong(const char *what, {scalar} *result, const {scalar} *expected,
        const double *allowed, int size)
{{
    const size_t bytes = (samples + 1) * size * sizeof({scalar});
    {scalar} *found = ({scalar} *)malloc(bytes);
    double worst = 0.0, most = 0.0;
    int count = 0;

    if (found == NULL) {{
        puts("FAIL: no memory");
        exit(1);
    }}
    done(cudaMemcpy(found, result, bytes, cudaMemcpyDeviceToHost));
    done(cudaFree(result));
    for (int i = 0; i < samples * size; ++i) {{
        const int state = i / size % states;
        const double error = fabs((double)found[i] - (double)expected[state * size + i % size]);
        if (!(error <= allowed[state]))
            ++count;
        if (!(error <= worst))
            worst = error;
        if (!(error / allowed[state] <= most))
            most = error / allowed[state];
    }}
    for (int i = samples * size; i < (samples + 1) * size; ++i)
        if (found[i] == found[i])
            ++count;
    free(found);
    printf("%s %s: largest error %.2g, %.2g of what is allowed\\n", count > 0 ? "FAIL" : "PASS",
            what, worst, most);
    return count > 0;
}}
"""


def selftest_source(
    name: str,
    functions: Sequence[Function],
    samples: Sequence[Samples],
    scalar: str,
    about: Sequence[str],
) -> str:
    """A program that runs each kernel on embedded states and compares the results."""
    includes = f'#include "{name}.cuh"\n\n#include <math.h>\n#include <stdio.h>\n'
    states = max(len(rows) for sample in samples for rows in sample.outputs.values())
    tools = _TOOLS.format(scalar=scalar, states=states, samples=THREADS + states)
    parts = [comment(about), includes + "#include <stdlib.h>\n", tools]
    places = places_of(functions)
    given = {
        places[x.name, x.size]: sample.inputs[x.name]
        for function, sample in zip(functions, samples, strict=True)
        for x in function.inputs
    }
    parts += [table(place, rows, scalar) for place, rows in given.items()]
    for function, sample in zip(functions, samples, strict=True):
        parts.append(_test(function, sample, scalar, places))
    runs = [f"failures += test_{function.name}();" for function in functions]
    end = ['puts(failures > 0 ? "FAIL" : "PASS");', "return failures > 0;"]
    lines = ["int failures = 0;", "", *runs, *end]
    parts.append(f"int main()\n{{\n{indented(lines)}}}\n")
    return "\n".join(parts)


def _test(function: Function, sample: Samples, scalar: str, places: Places) -> str:
    """Expected values of a function, and the function that compares with them."""
    name = function.name
    call = [x.name for x in (*function.inputs, *function.outputs)]
    lines = [
        *(
            f"{scalar} *{x.name} = copied({places[x.name, x.size]}[0], {x.size});"
            for x in function.inputs
        ),
        *(f"{scalar} *{x.name} = room({x.size});" for x in function.outputs),
        "int bad = 0;",
        "",
        *listed(f"done({name}", [*call, "samples", "0"], ");").split("\n"),
        "done(cudaDeviceSynchronize());",
    ]
    for x in function.outputs:
        own = f"{name}_{x.name}"
        items = [f'"{name}: {x.name}"', x.name, f"expected_{own}[0]", f"allowed_{own}"]
        lines += listed("bad += wrong", [*items, f"{x.size}"], ";").split("\n")
    lines += [f"done(cudaFree({x.name}));" for x in function.inputs]
    lines.append("return bad > 0;")
    head = f"static int test_{name}()"
    return f"{tables_of(function, sample, scalar)}\n{head}\n{{\n{indented(lines)}}}\n"
