/* Launches from Python, by a single call. */
#include "cuda_launch.h"

enum {
    CAPTURED = 1,       /* status of a stream that is recorded into a graph */
    LEGACY = 1,         /* streams up to this one are the default ones, which cannot be captured */
    OTHER_CONTEXT = -1, /* results besides the driver's errors: nothing was launched */
    NOT_KEPT = -2,
};

/* Functions of the CUDA driver, which return 0 if all went well; launchers.py: _FUNCTIONS. */
typedef struct {
    LaunchKernel *launch;
    int32_t (*current)(void **context);
    int32_t (*capturing)(void *stream, int32_t *status);
} Driver;

/* The kernels of a quantity, and memory for their arguments; launchers.py: _Call. */
typedef struct {
    const Driver *driver;
    void *context; /* of the device */
    const Launch *first;
    void **parameters;
    int64_t kept; /* whether the code stays loaded, as that of captured launches must */
} Call;

/* Launch the kernels of a quantity for the arguments in its memory. */
int32_t jounce_launch(const Call *call, void *stream, int64_t samples) {
    const Driver *driver = call->driver;
    void *context = NULL;
    int32_t status = driver->current(&context), capture = 0;
    if (status) return status;
    if (context != call->context) return OTHER_CONTEXT;
    if ((uintptr_t)stream > LEGACY && !call->kept && !driver->capturing(stream, &capture) &&
        capture == CAPTURED)
        return NOT_KEPT;
    return launch_all(driver->launch, call->first, samples, stream, call->parameters);
}
