/* Calls of one kernel, one after the other, each on the results of the one before; see
 * planning/optimal_control_rollout.py. */
#include "kernel.h"

/* Run a kernel `calls` times; after each call, the address of operand i grows by advance[i] bytes.
 * Returns 0, or 1 if the kernel failed. */
int32_t jounce_chain(LoopData *data, char *const *args, const int64_t *advance, int64_t operands,
                     int64_t calls, const int64_t *count, const int64_t *steps) {
    char *moved[MAX_OPERANDS];
    for (int64_t k = 0; k < calls; k++) {
        for (int64_t i = 0; i < operands; i++) moved[i] = args[i] + k * advance[i];
        if (data->kernel(moved, count, steps, data) != 0) return 1;
    }
    return 0;
}
