"""CUDA kernels with a thread per sample, and the functions that launch them."""

from __future__ import annotations

from itertools import accumulate

from jounce.compiler.targets.c_family.dialect import Dialect, format_list, indent_code
from jounce.compiler.targets.function import Function

#: Threads of a block.
THREADS = 64

#: Number of result entries up to which they are written directly to global memory.
NARROW = 4

#: Bytes of shared memory that a block has on every device.
SHARED_BYTES = 48 * 1024


def launcher_prototype(function: Function, dialect: Dialect) -> str:
    """Return the signature of the function that launches a kernel on memory of the device."""
    arguments = [*dialect.pointers(function), "long long n", "cudaStream_t stream"]
    return format_list(f"cudaError_t {function.name}", arguments)


def define_kernel(function: Function, dialect: Dialect) -> str:
    """Return the definitions of NAME_kernel and of the function that launches it."""
    # require one block only: more would limit the registers of a thread and cause spills
    head = f"static __global__ void __launch_bounds__({THREADS}, 1) {function.name}_kernel"
    signature = format_list(head, [*dialect.pointers(function, "__restrict__ "), "long long n"])
    size = sum(x.size for x in function.outputs)
    row = size | 1  # odd, so that threads use different banks
    fits = THREADS * row * {"double": 8, "float": 4}[dialect.scalar] <= SHARED_BYTES
    lines = (
        _copy_through_shared(function, dialect, row)
        if size > NARROW and fits
        else _write_directly(function)
    )
    body = indent_code(lines)
    return f"{signature}\n{{\n{body}}}\n\n{_define_launcher(function, dialect)}"


def _write_directly(function: Function) -> list[str]:
    """Return statements that have each thread write the results of its sample."""
    arrays = [f"{x.name} + {x.size} * sample" for x in (*function.inputs, *function.outputs)]
    return [
        f"const long long sample = {THREADS}LL * blockIdx.x + threadIdx.x;",
        "",
        "if (sample < n)",
        f"    {format_list(f'{function.name}_sample', arrays, ';')}",
    ]


def _copy_through_shared(function: Function, dialect: Dialect, row: int) -> list[str]:
    """Return statements that collect results in shared memory, which all threads then copy.

    So neighboring threads write neighboring numbers, which takes fewer transactions.
    """
    outputs = function.outputs
    ends = accumulate(x.size for x in outputs)
    starts = [end - x.size for x, end in zip(outputs, ends, strict=True)]
    arrays = [f"{x.name} + {x.size} * (first + lane)" for x in function.inputs]
    arrays += [f"stage[threadIdx.x] + {start}" for start in starts]
    lines = [
        f"__shared__ {dialect.scalar} stage[{THREADS}][{row}];",
        f"const long long first = {THREADS}LL * blockIdx.x;",
        f"const int left = n - first < {THREADS} ? (int)(n - first) : {THREADS};",
        "/* threads past the end repeat the last sample */",
        "const int lane = (int)threadIdx.x < left ? (int)threadIdx.x : left - 1;",
        "",
        format_list(f"{function.name}_sample", arrays, ";"),
        "__syncthreads();",
    ]
    for x, start in zip(outputs, starts, strict=True):
        lines.append(f"for (int i = threadIdx.x; i < left * {x.size}; i += {THREADS})")
        source = f"stage[i / {x.size}][{start} + i % {x.size}]"
        lines.append(f"    {x.name}[{x.size} * first + i] = {source};")
    return lines


def _define_launcher(function: Function, dialect: Dialect) -> str:
    names = [f"&{x.name}" for x in (*function.inputs, *function.outputs)]
    arguments = format_list("", [*names, "&n"])[1:-1]
    return f"""\
{launcher_prototype(function, dialect)}
{{
    const long long blocks = n / {THREADS} + (n % {THREADS} > 0);
    void *arguments[] = {{{arguments}}};

    if (n < 0 || blocks > 0x7fffffff)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    return cudaLaunchKernel({function.name}_kernel, dim3((unsigned int)blocks), dim3({THREADS}),
            arguments, 0, stream);
}}
"""
