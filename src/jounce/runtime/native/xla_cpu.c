/* XLA's handler on CPUs.
 *
 * A small batch runs on the calling thread. A large one is cut into blocks, which the caller and
 * threads of XLA's pool take one after the other. What they share stays on the heap until the last
 * of them is done with it: a thread that comes late finds it, and no block left. */
#include "kernel.h"
#include "xla_handler.h"

void *malloc(size_t size);
void free(void *memory);

enum {
    BLOCKS_PER_THREAD = 16, /* about, so that all threads end at the same time */
    BLOCK_MULTIPLE = 16,    /* samples */
};

/* cpu.py: CpuEntry */
typedef struct {
    KernelEntry head;
    LoopData *data;
    int64_t min_block; /* samples */
} CpuEntry;

/* A batch that several threads work on; its places and steps follow. */
typedef struct {
    _Atomic int64_t users;  /* threads that have it, or will */
    _Atomic int64_t next;   /* the first sample that no thread has taken */
    _Atomic int64_t done;   /* samples */
    _Atomic int64_t failed; /* whether a block had no memory */
    int64_t total, block, operands;
    char **places;
    int64_t *steps;
    LoopData data;
} Batch;

static int32_t (*yield_processor)(void);
static _Atomic int64_t *max_threads;

/* Set what lets other threads run, and where the number of threads to use is. */
void jounce_set_threads(int32_t (*yield)(void), _Atomic int64_t *threads) {
    yield_processor = yield;
    max_threads = threads;
}

static void run_blocks(Batch *batch) {
    int64_t count;
    int32_t status;
    while ((count = run_next_block(&batch->data, batch->places, batch->steps, batch->operands,
                                   batch->total, batch->block, &batch->next, &status))) {
        if (status) atomic_store_explicit(&batch->failed, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&batch->done, count, memory_order_release);
    }
}

static void release(Batch *batch, int64_t users) {
    if (atomic_fetch_sub_explicit(&batch->users, users, memory_order_acq_rel) == users) free(batch);
}

/* What a thread of XLA's pool does. */
static void run_task(void *data) {
    run_blocks(data);
    release(data, 1);
}

static int64_t choose_block(int64_t total, int64_t threads, int64_t min_block) {
    int64_t even = total / (threads * BLOCKS_PER_THREAD);
    int64_t block = even < min_block ? min_block : even;
    if (block < 1) block = 1;
    return (block + BLOCK_MULTIPLE - 1) / BLOCK_MULTIPLE * BLOCK_MULTIPLE;
}

/* Return null if there is no memory. */
static Batch *create_batch(const CpuEntry *entry, char **places, const int64_t *steps,
                           int64_t total, int64_t threads) {
    int64_t operands = entry->head.operands;
    size_t place_bytes = operands * sizeof *places;
    size_t step_bytes = entry->head.step_count * sizeof *steps;
    Batch *batch = malloc(sizeof *batch + place_bytes + step_bytes);
    if (!batch) return NULL;
    char *arrays = (char *)(batch + 1);
    *batch = (Batch){
        .users = threads,
        .total = total,
        .block = choose_block(total, threads, entry->min_block),
        .operands = operands,
        .places = memcpy(arrays, places, place_bytes),
        .steps = memcpy(arrays + place_bytes, steps, step_bytes),
        .data = *entry->data,
    };
    /* the limit is meant for the results of the whole batch */
    batch->data.far = batch->data.far * batch->block / total;
    return batch;
}

/* Run a batch on several threads, this one among them; return whether a block failed. */
static int64_t share_batch(const XLA_FFI_CallFrame *frame, Batch *batch) {
    const XLA_FFI_Api *api = frame->api;
    int64_t total = batch->total, threads = batch->users;
    XLA_FFI_ThreadPool_Schedule_Args args = {
        .struct_size = sizeof args, .ctx = frame->ctx, .task = run_task, .data = batch};
    for (int64_t k = 1; k < threads; k++) {
        XLA_FFI_Error *error = api->XLA_FFI_ThreadPool_Schedule(&args);
        if (error) { /* there is no pool */
            XLA_FFI_Error_Destroy_Args unneeded = {.struct_size = sizeof unneeded, .error = error};
            api->XLA_FFI_Error_Destroy(&unneeded);
            release(batch, threads - k);
            break;
        }
    }
    run_blocks(batch);
    while (atomic_load_explicit(&batch->done, memory_order_acquire) < total) yield_processor();
    int64_t failed = atomic_load_explicit(&batch->failed, memory_order_relaxed);
    release(batch, 1);
    return failed;
}

static XLA_FFI_Error *run(const XLA_FFI_CallFrame *frame, const KernelEntry *head, char **places,
                          int64_t *steps, int64_t samples) {
    const CpuEntry *entry = (const CpuEntry *)head;
    LoopData *data = entry->data;
    int64_t threads = atomic_load_explicit(max_threads, memory_order_relaxed);
    Batch *batch = NULL;
    if (threads > 1 && samples >= data->large &&
        frame->api->struct_size > offsetof(XLA_FFI_Api, XLA_FFI_ThreadPool_Schedule))
        batch = create_batch(entry, places, steps, samples, threads);
    int64_t failed =
        batch ? share_batch(frame, batch) : data->kernel(places, &samples, steps, data);
    if (!failed) return NULL;
    return fail(frame, "jounce: no memory for the workspace of a kernel",
                XLA_FFI_Error_Code_RESOURCE_EXHAUSTED);
}

XLA_FFI_Error *jounce_handler(const XLA_FFI_CallFrame *frame) { return handle(frame, 0, run); }
