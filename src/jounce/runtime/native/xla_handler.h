/* What XLA's handlers for CPU and CUDA share: from a call to a kernel and its operands.
 *
 * A call has two attributes: "absent", the error message if this process has no such kernel, and
 * "key", a hash of what the kernel computes. Python adds kernels and never removes them, since XLA
 * does not say when a compiled program is gone. */
#pragma once
#include "xla_ffi.h"
#include <stdatomic.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size);

enum {
    BUCKETS = 1024,     /* of the hash table of kernels */
    MAX_MESSAGE = 1000, /* characters of an error */
};

/* Core shape of an argument or result; handler.py: OperandShape. */
typedef struct {
    int64_t rank;
    const int64_t *sizes;
} OperandShape;

/* A kernel in one precision, and its operands, arguments first; handler.py: KernelEntry. */
typedef struct KernelEntry {
    int64_t key;
    struct KernelEntry *next; /* in the same bucket */
    int64_t inputs;           /* number of arguments */
    int64_t operands;         /* number of arguments and results */
    int64_t dtype;
    const OperandShape *shapes;
    const int64_t *steps; /* of dense operands, from sample to sample and whatever follows */
    int64_t step_count;
} KernelEntry;

/* Runs a kernel on at least one sample. */
typedef XLA_FFI_Error *Run(const XLA_FFI_CallFrame *frame, const KernelEntry *entry, char **places,
                           int64_t *steps, int64_t samples);

static _Atomic(KernelEntry *) buckets[BUCKETS];
static int32_t major_version, minor_version;

/* Set the version of the C API that XLA is told. */
void jounce_set_version(int32_t major, int32_t minor) {
    major_version = major;
    minor_version = minor;
}

/* Add a kernel, while other threads may find or add some. */
void jounce_add_kernel(KernelEntry *entry) {
    _Atomic(KernelEntry *) *bucket = &buckets[(uint64_t)entry->key % BUCKETS];
    entry->next = atomic_load_explicit(bucket, memory_order_relaxed);
    while (!atomic_compare_exchange_strong_explicit(bucket, &entry->next, entry,
                                                    memory_order_release, memory_order_relaxed)) {}
}

static const KernelEntry *find_kernel(int64_t key) {
    const KernelEntry *entry =
        atomic_load_explicit(&buckets[(uint64_t)key % BUCKETS], memory_order_acquire);
    while (entry && entry->key != key) entry = entry->next;
    return entry;
}

static XLA_FFI_Error *fail(const XLA_FFI_CallFrame *frame, const char *message, int32_t code) {
    XLA_FFI_Error_Create_Args args = {
        .struct_size = XLA_FFI_STRUCT_SIZE(XLA_FFI_Error_Create_Args, errc),
        .message = message,
        .errc = code,
    };
    return frame->api->XLA_FFI_Error_Create(&args);
}

static XLA_FFI_Error *fail_absent(const XLA_FFI_CallFrame *frame) {
    const XLA_FFI_ByteSpan *text = frame->attrs.attrs[0];
    char message[MAX_MESSAGE + 1];
    size_t length = text->len < MAX_MESSAGE ? text->len : MAX_MESSAGE;
    memcpy(message, text->ptr, length);
    message[length] = 0;
    return fail(frame, message, XLA_FFI_Error_Code_NOT_FOUND);
}

/* Return the key, or null if attributes are other than ours. */
static const int64_t *read_key(const XLA_FFI_Attrs *attrs) {
    if (attrs->size != 2 || attrs->types[0] != XLA_FFI_AttrType_STRING ||
        attrs->types[1] != XLA_FFI_AttrType_SCALAR)
        return NULL;
    const XLA_FFI_Scalar *scalar = attrs->attrs[1];
    return scalar->dtype == XLA_FFI_DataType_S64 ? scalar->value : NULL;
}

/* Return the number of samples of a buffer, -1 if its dtype or core shape differs. */
static int64_t count_samples(const XLA_FFI_Buffer *buffer, int64_t dtype,
                             const OperandShape *shape) {
    int64_t leading = buffer->rank - shape->rank, samples = 1;
    if (buffer->dtype != dtype || leading < 0) return -1;
    for (int64_t k = 0; k < leading; k++) samples *= buffer->dims[k];
    for (int64_t k = 0; k < shape->rank; k++)
        if (buffer->dims[leading + k] != shape->sizes[k]) return -1;
    return samples;
}

/* Store addresses and steps of all operands. Return the number of samples, which results have, or
 * -1 if the buffers are not those of the kernel. An argument of one sample serves all: step 0. */
static int64_t read_operands(const XLA_FFI_CallFrame *frame, const KernelEntry *entry,
                             char **places, int64_t *steps) {
    int64_t inputs = entry->inputs, total = -1;
    if (frame->args.size != inputs || frame->rets.size != entry->operands - inputs) return -1;
    memcpy(steps, entry->steps, entry->step_count * sizeof *steps);
    for (int64_t k = entry->operands - 1; k >= 0; k--) {
        const XLA_FFI_Buffer *buffer =
            k < inputs ? frame->args.args[k] : frame->rets.rets[k - inputs];
        int64_t samples = count_samples(buffer, entry->dtype, &entry->shapes[k]);
        if (total < 0) total = samples;
        if (samples < 0) return -1;
        if (samples != total) {
            if (samples != 1 || k >= inputs) return -1;
            steps[k] = 0;
        }
        places[k] = buffer->data;
    }
    return total;
}

static XLA_FFI_Error *call_kernel(const XLA_FFI_CallFrame *frame, const KernelEntry *entry,
                                  Run *run) {
    char *places[entry->operands];
    int64_t steps[entry->step_count];
    int64_t samples = read_operands(frame, entry, places, steps);
    if (samples < 0)
        return fail(frame, "jounce: buffers do not have the shapes and dtypes of their kernel",
                    XLA_FFI_Error_Code_INVALID_ARGUMENT);
    return samples ? run(frame, entry, places, steps, samples) : NULL;
}

/* Answer a call of XLA, which asks for the version first; traits: flags of the handler. */
static XLA_FFI_Error *handle(const XLA_FFI_CallFrame *frame, uint32_t traits, Run *run) {
    XLA_FFI_Extension_Base *extension = frame->extension_start;
    if (extension && extension->type == XLA_FFI_Extension_Metadata) {
        XLA_FFI_Metadata *metadata = ((XLA_FFI_Metadata_Extension *)extension)->metadata;
        metadata->api_version.major_version = major_version;
        metadata->api_version.minor_version = minor_version;
        metadata->traits = traits;
        return NULL;
    }
    if (frame->stage != XLA_FFI_ExecutionStage_EXECUTE) return NULL;
    const int64_t *key = read_key(&frame->attrs);
    if (!key)
        return fail(frame, "jounce: the call is not one that this version of jounce compiles",
                    XLA_FFI_Error_Code_INVALID_ARGUMENT);
    const KernelEntry *entry = find_kernel(*key);
    return entry ? call_kernel(frame, entry, run) : fail_absent(frame);
}
