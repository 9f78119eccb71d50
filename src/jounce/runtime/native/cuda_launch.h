/* Launches of the kernels of a quantity by the CUDA driver. */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { MAX_GRID = 0x7FFFFFFF }; /* blocks along the first axis; the driver refuses more */

/* How to launch a kernel on a device; launchers.py: Launch. */
typedef struct Launch {
    void *function;                 /* null if it is not compiled for the device */
    int64_t samples;                /* of a block */
    int64_t groups;                 /* of blocks for the same samples */
    int64_t threads;                /* of a block */
    int64_t shared;                 /* bytes of shared memory of a block */
    const struct Launch *following; /* launched next, with the same arguments; may be null */
} Launch;

/* cuLaunchKernel, which returns 0 if all went well. */
typedef int32_t LaunchKernel(void *function, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z,
                             uint32_t block_x, uint32_t block_y, uint32_t block_z, uint32_t shared,
                             void *stream, void **parameters, void **extra);

/* Launch kernels one after the other; parameters: addresses of their arguments. */
static int32_t launch_all(LaunchKernel *launch_kernel, const Launch *launch, int64_t samples,
                          void *stream, void **parameters) {
    int32_t status = 0;
    for (; launch && !status; launch = launch->following) {
        uint64_t blocks = ((uint64_t)samples + launch->samples - 1) / launch->samples;
        if (blocks > MAX_GRID) blocks = (uint64_t)MAX_GRID + 1;
        status = launch_kernel(launch->function, blocks, launch->groups, 1, launch->threads, 1, 1,
                               launch->shared, stream, parameters, NULL);
    }
    return status;
}
