/* XLA's handler on CUDA: it launches the kernels of a quantity on XLA's stream.
 *
 * It neither waits nor allocates nor asks the stream for its state, so that XLA can record calls
 * into a CUDA graph. It makes the context of the stream current if it is not. */
#include "cuda_launch.h"
#include "xla_handler.h"

/* cuda.py: CudaEntry */
typedef struct {
    KernelEntry head;
    const Launch *launches; /* by device number */
    int64_t devices;
} CudaEntry;

/* Functions of the CUDA driver, which return 0 if all went well; cuda.py: DRIVER_FUNCTIONS. */
typedef struct {
    LaunchKernel *cuLaunchKernel;
    int32_t (*cuStreamGetCtx)(void *stream, void **context);
    int32_t (*cuCtxGetCurrent)(void **context);
    int32_t (*cuCtxPushCurrent)(void *context);
    int32_t (*cuCtxPopCurrent)(void **context);
    int32_t (*cuCtxGetDevice)(int32_t *device);
    int32_t (*cuGetErrorString)(int32_t status, const char **text);
} Driver;

static const Driver *driver;

void jounce_set_driver(const Driver *functions) { driver = functions; }

/* Make the context of a stream current; return whether one has to be popped afterwards. If the
 * driver does not know it, the current one stays: the launch tells what is wrong. */
static int push_context(void *stream) {
    void *wanted = NULL, *current = NULL;
    int32_t status = driver->cuStreamGetCtx(stream, &wanted);
    driver->cuCtxGetCurrent(&current);
    return !status && wanted != current && !driver->cuCtxPushCurrent(wanted);
}

/* Return how to launch a kernel on the device of the current context, or null. */
static const Launch *find_launch(const CudaEntry *entry) {
    int32_t device = -1;
    if (driver->cuCtxGetDevice(&device) || device < 0 || device >= entry->devices) return NULL;
    const Launch *launch = &entry->launches[device];
    return launch->function ? launch : NULL;
}

/* Kernels take the addresses of all operands, the steps of arguments, and the number of samples. */
static int32_t launch_kernels(const Launch *launch, const KernelEntry *entry, char **places,
                              int64_t *steps, int64_t samples, void *stream) {
    void *parameters[entry->operands + entry->inputs + 1], **next = parameters;
    for (int64_t k = 0; k < entry->operands; k++) *next++ = &places[k];
    for (int64_t k = 0; k < entry->inputs; k++) *next++ = &steps[k];
    *next = &samples;
    return launch_all(driver->cuLaunchKernel, launch, samples, stream, parameters);
}

/* Append as much of a text as fits; return the new end. */
static char *append(char *to, char *end, const char *text) {
    while (*text && to < end) *to++ = *text++;
    *to = 0;
    return to;
}

static XLA_FFI_Error *fail_launch(const XLA_FFI_CallFrame *frame, int32_t status) {
    char message[MAX_MESSAGE + 1], *end = message + MAX_MESSAGE;
    const char *text = NULL;
    driver->cuGetErrorString(status, &text);
    char *rest = append(message, end, "jounce: the driver of CUDA did not launch a kernel: ");
    append(rest, end, text ? text : "unknown error");
    return fail(frame, message, XLA_FFI_Error_Code_INTERNAL);
}

static XLA_FFI_Error *run(const XLA_FFI_CallFrame *frame, const KernelEntry *entry, char **places,
                          int64_t *steps, int64_t samples) {
    XLA_FFI_Stream_Get_Args args = {.struct_size = sizeof args, .ctx = frame->ctx};
    XLA_FFI_Error *error = frame->api->XLA_FFI_Stream_Get(&args);
    if (error) return error;
    void *stream = args.stream, *popped;
    int pushed = push_context(stream);
    const Launch *launch = find_launch((const CudaEntry *)entry);
    int32_t status = launch ? launch_kernels(launch, entry, places, steps, samples, stream) : 0;
    if (pushed) driver->cuCtxPopCurrent(&popped);
    if (!launch)
        return fail(frame,
                    "jounce: a kernel is called on a device that JAX did not have when it was"
                    " compiled; call jax.clear_caches() and trace the function again",
                    XLA_FFI_Error_Code_NOT_FOUND);
    return status ? fail_launch(frame, status) : NULL;
}

XLA_FFI_Error *jounce_handler(const XLA_FFI_CallFrame *frame) {
    return handle(frame, XLA_FFI_HANDLER_TRAITS_COMMAND_BUFFER_COMPATIBLE, run);
}
