/* What kernels are called with: the inner loop of a NumPy gufunc. */
#pragma once
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_OPERANDS = 64 }; /* of a NumPy ufunc: NPY_MAXARGS */

typedef struct LoopData LoopData;

/* A kernel of machine code. args: addresses of the operands, arguments first. count: samples. steps:
 * bytes from sample to sample of each operand, then along each axis of each core.
 * Returns 0, or 1 if there was no memory for its workspace. */
typedef int32_t Kernel(char **args, const int64_t *count, const int64_t *steps, LoopData *data);

/* The data of a compiled kernel, which it reads too; compiler/targets/inner_loop.py: LoopData. */
struct LoopData {
    Kernel *kernel;
    const void *segments; /* addresses of the kernel's functions in other modules */
    void *shelf;          /* where a workspace waits for its next use */
    int64_t large;        /* samples from which on a batch is worth several threads */
    int64_t lengthy;      /* samples from which on the interpreter lock is released */
    int64_t far;          /* bytes of results from which on they bypass the cache */
};

/* Take the next block of samples and run a kernel on it; threads share the counter `next`.
 * Returns the number of samples, 0 if none was left; stores the kernel's result in `status`. */
static inline int64_t run_next_block(LoopData *data, char *const *args, const int64_t *steps,
                                     int64_t operands, int64_t total, int64_t block,
                                     _Atomic int64_t *next, int32_t *status) {
    int64_t first = atomic_fetch_add_explicit(next, block, memory_order_relaxed);
    if (first >= total) return 0;
    int64_t left = total - first, count = left < block ? left : block;
    char *moved[MAX_OPERANDS];
    for (int64_t k = 0; k < operands; k++) moved[k] = args[k] + first * steps[k];
    *status = data->kernel(moved, &count, steps, data);
    return count;
}
