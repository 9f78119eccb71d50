"""Kernels with a thread per sample, how their results reach memory, and what launches them."""

from __future__ import annotations

from jounce.compiler.targets.c.syntax import listed
from jounce.compiler.targets.cuda.sample import width
from jounce.compiler.targets.cuda.syntax import launcher_prototype
from jounce.compiler.targets.function import Function

#: Threads of a block.
THREADS = 64

#: What NAME_sample calls: for pointers in .cuh, for results of a block in .cu.
SEND = """\
/* Called when the next `count` entries of a result are there: nothing to do for a pointer. */
static __device__ __forceinline__ void {own}_send({scalar} *, int, int) {{}}
"""

_STAGED = """\
/* A result of all samples of a block on its way to memory. Threads collect up to W entries of their
 * samples in shared memory; then all of them write these, neighbours side by side, which is far
 * quicker than each thread by itself. Rows have an odd length, so that threads use different banks.
 */
template <int W> struct {own}_staged {{
    {scalar} *result; /* of the block's first sample */
    int size;{pad} /* entries of a sample */
    int left;{pad} /* samples of the block */

    static __device__ __forceinline__ {scalar} *rows()
    {{
        __shared__ {scalar} stage[{own}_threads * (W | 1)];
        return stage;
    }}

    __device__ __forceinline__ {scalar} &operator[](int k) const
    {{
        return rows()[threadIdx.x * (W | 1) + k % W];
    }}
}};

/* Writes `count` entries of each sample of the block, those from `first` on. */
template <int W>
static __device__ __forceinline__ void {own}_send({own}_staged<W> x, int first, int count)
{{
    __syncthreads();
    for (int i = threadIdx.x; i < x.left * count; i += {own}_threads) {{
        const int sample = i / count, k = i % count;
        x.result[x.size * sample + first + k] = x.rows()[sample * (W | 1) + k];
    }}
    __syncthreads();
}}
"""


def staging(own: str, scalar: str) -> str:
    """Definition of what collects results in shared memory."""
    pad = " " * (len(scalar) + 4)
    return _STAGED.format(own=own, scalar=scalar, pad=pad)


def define_kernel(function: Function, scalar: str, own: str) -> str:
    """Definitions of NAME_kernel and of the function that launches it."""
    name, wide = function.name, width(function, scalar)
    given = [f"const {scalar} *__restrict__ {x.name}" for x in function.inputs]
    result = [f"{scalar} *__restrict__ {x.name}" for x in function.outputs]
    # one block will do: else registers are kept free for more of them, at the price of spills
    head = f"static __global__ void __launch_bounds__({own}_threads, 1) {name}_kernel"
    signature = listed(head, [*given, *result, "long long n"])
    at = [f"{x.name} + {x.size} * sample" for x in function.inputs]
    if wide:
        to = [
            f"{own}_staged<{wide}>{{{x.name} + {x.size} * first, {x.size}, left}}"
            for x in function.outputs
        ]
        lines = [
            f"const long long first = (long long){own}_threads * blockIdx.x;",
            f"const int left = n - first < {own}_threads ? (int)(n - first) : {own}_threads;",
            "/* threads past the end repeat the last sample */",
            "const int lane = (int)threadIdx.x < left ? (int)threadIdx.x : left - 1;",
            "const long long sample = first + lane;",
            "",
            *listed(f"{name}_sample", [*at, *to], ";").split("\n"),
        ]
    else:
        to = [f"{x.name} + {x.size} * sample" for x in function.outputs]
        lines = [
            f"const long long sample = (long long){own}_threads * blockIdx.x + threadIdx.x;",
            "",
            "if (sample < n)",
            *(f"    {line}" for line in listed(f"{name}_sample", [*at, *to], ";").split("\n")),
        ]
    body = "".join(f"    {line}".rstrip() + "\n" for line in lines)
    return f"{signature}\n{{\n{body}}}\n\n{_launcher(function, scalar, own)}"


def _launcher(function: Function, scalar: str, own: str) -> str:
    names = [f"&{x.name}" for x in (*function.inputs, *function.outputs)]
    arguments = listed("", [*names, "&n"])[1:-1]
    return f"""\
{launcher_prototype(function, scalar)}
{{
    const long long blocks = n / {own}_threads + (n % {own}_threads > 0);
    void *arguments[] = {{{arguments}}};

    if (n < 0 || blocks > 0x7fffffff)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    return cudaLaunchKernel({function.name}_kernel, dim3((unsigned int)blocks),
            dim3({own}_threads), arguments, 0, stream);
}}
"""
