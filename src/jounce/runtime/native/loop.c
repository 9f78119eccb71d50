/* The inner loop that is registered with NumPy for every gufunc; see gufunc.py. */
#include "cpython.h"
#include "kernel.h"
#include "numpy.h"

/* Run the kernel of the loop's data. */
void jounce_loop(char **args, const int64_t *count, const int64_t *steps, LoopData *data) {
    if (data->kernel(args, count, steps, data) == 0) return;
    PyGILState_STATE state = PyGILState_Ensure(); /* NumPy has released the lock */
    PyErr_NoMemory();
    PyGILState_Release(state);
}

/* Run the kernel on blocks of samples until none is left; several threads share the counter.
 * Returns 0, 1 if the kernel failed, 2 if floating-point status flags are set. */
int32_t jounce_share(LoopData *data, char *const *args, const int64_t *steps, int64_t operands,
                     int64_t total, int64_t block, _Atomic int64_t *next,
                     PyUFunc_getfperr *get_status) {
    int32_t failed = 0;
    get_status();
    while (run_next_block(data, args, steps, operands, total, block, next, &failed))
        if (failed) return 1;
    return get_status() ? 2 : 0;
}
