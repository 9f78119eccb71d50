"""CUDA kernels with a thread per sample, and the functions that launch them."""

from __future__ import annotations

from itertools import accumulate

from jounce.compiler.targets.c_family.dialect import Dialect, indented, listed
from jounce.compiler.targets.function import Function

#: Threads of a block.
THREADS = 64

#: Entries up to which the results of a sample are written right where they belong.
NARROW = 4

#: Bytes of shared memory that a block has on every device.
SHARED_BYTES = 48 * 1024


def launcher_prototype(function: Function, dialect: Dialect) -> str:
    """Return the signature of the function that launches a kernel on memory of the device."""
    arguments = [*dialect.pointers(function), "long long n", "cudaStream_t stream"]
    return listed(f"cudaError_t {function.name}", arguments)


def define_kernel(function: Function, dialect: Dialect) -> str:
    """Return the definitions of NAME_kernel and of the function that launches it."""
    # one block will do: else registers are kept free for more of them, at the price of spills
    head = f"static __global__ void __launch_bounds__({THREADS}, 1) {function.name}_kernel"
    signature = listed(head, [*dialect.pointers(function, "__restrict__ "), "long long n"])
    size = sum(x.size for x in function.outputs)
    row = size | 1  # odd, so that threads use different banks
    fits = THREADS * row * {"double": 8, "float": 4}[dialect.scalar] <= SHARED_BYTES
    lines = _staged(function, dialect, row) if size > NARROW and fits else _direct(function)
    body = indented(lines)
    return f"{signature}\n{{\n{body}}}\n\n{_define_launcher(function, dialect)}"


def _direct(function: Function) -> list[str]:
    """Return statements that have each thread write the results of its sample."""
    arrays = [f"{x.name} + {x.size} * sample" for x in (*function.inputs, *function.outputs)]
    return [
        f"const long long sample = {THREADS}LL * blockIdx.x + threadIdx.x;",
        "",
        "if (sample < n)",
        f"    {listed(f'{function.name}_sample', arrays, ';')}",
    ]


def _staged(function: Function, dialect: Dialect, row: int) -> list[str]:
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
        listed(f"{function.name}_sample", arrays, ";"),
        "__syncthreads();",
    ]
    for x, start in zip(outputs, starts, strict=True):
        lines.append(f"for (int i = threadIdx.x; i < left * {x.size}; i += {THREADS})")
        source = f"stage[i / {x.size}][{start} + i % {x.size}]"
        lines.append(f"    {x.name}[{x.size} * first + i] = {source};")
    return lines


def _define_launcher(function: Function, dialect: Dialect) -> str:
    names = [f"&{x.name}" for x in (*function.inputs, *function.outputs)]
    arguments = listed("", [*names, "&n"])[1:-1]
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
