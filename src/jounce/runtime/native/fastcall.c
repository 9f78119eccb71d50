/* The builtin behind a quantity: from Python's call to the kernel; see fastcall.py.
 *
 * Plain float64 arrays of just the right shapes go straight to the kernel, everything else to the
 * ordinary call, unchanged. Frames stay below a page, so that an overflow of the stack meets its
 * guard page. */
#include "cpython.h"
#include "kernel.h"
#include "numpy.h"

#define LIKELY(condition) __builtin_expect(!!(condition), 1)

enum {
    MAX_CORE_AXES = 6,
    MAX_BATCH_AXES = 4,
    READABLE = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED,
    WRITABLE = READABLE | NPY_ARRAY_WRITEABLE,
};

/* Shape of one sample of an operand. */
typedef struct {
    int64_t ndim;
    int64_t sizes[MAX_CORE_AXES];
} Core;

/* A kernel with or without the optional arguments, and the steps of its dense operands. */
typedef struct {
    LoopData *loop; /* null if there is none yet */
    const int64_t *steps;
    int64_t n_steps;
} Variant;

/* What a builtin knows of its quantity; fastcall.py: Signature. */
typedef struct {
    PyObject *fallback; /* the ordinary call */
    PyObject *array_type, *float64, *tuple_type, *float_type, *scalar_type; /* to compare with */
    PyObject *none, *out;                                                   /* None, "out" */
    PyArray_New *new_array;
    PyArray_Scalar *new_scalar;
    PyDataMem_SetHandler *set_handler;
    PyUFunc_getfperr *get_status;
    PyObject *handler; /* allocates the results of batches of at least as many samples */
    int64_t recycled;
    int64_t required, arguments, results; /* required arguments come first */
    int64_t returns_tuple;
    PyObject *const *names; /* of the arguments, interned */
    char *const *defaults;  /* data of omitted optional arguments, or null */
    const Core *cores;      /* of all arguments, then results */
    Variant required_only, full;
} Signature;

const int64_t jounce_signature_bytes = sizeof(Signature);

/* The batch axes that operands have in front of their cores. */
typedef struct {
    int64_t ndim;
    const int64_t *sizes;
} Batch;

/* The operands of a call. */
typedef struct {
    PyObject *const *objects; /* arguments, null for optional ones that are omitted */
    PyObject *out;            /* null if results are to be new */
    int64_t inputs;
    const Variant *variant;
} Call;

/* Put arguments given by name in their places. Returns 0 if there is something wrong with them. */
static int place_arguments(const Signature *self, PyObject *const *args, int64_t nargs,
                           const PyTupleObject *names, PyObject **places, Call *call) {
    if (nargs > self->arguments) return 0;
    for (int64_t k = 0; k < self->arguments; k++) places[k] = k < nargs ? args[k] : NULL;
    for (int64_t n = 0; names && n < names->ob_size; n++) {
        PyObject *name = names->ob_item[n], *value = args[nargs + n];
        if (name == self->out) {
            call->out = value;
            continue;
        }
        int64_t k = nargs;
        while (k < self->arguments && self->names[k] != name) k++;
        if (k == self->arguments) return 0; /* unknown, twice, or equal but not interned */
        places[k] = value;
    }
    int full = 0;
    for (int64_t k = self->required; k < self->arguments; k++) {
        if (places[k] == self->none) places[k] = NULL; /* None stands for omitted */
        full |= places[k] != NULL;
    }
    call->objects = places;
    call->variant = full ? &self->full : &self->required_only;
    call->inputs = full ? self->arguments : self->required;
    return 1;
}

/* Sort what a call was given. Returns 0 if there is something wrong with it. */
static int read_call(const Signature *self, PyObject *const *args, int64_t nargs,
                     const PyTupleObject *names, PyObject **places, Call *call) {
    *call = (Call){args, NULL, self->required, &self->required_only};
    /* most calls give what is required by position, and perhaps out: nothing is to be sorted */
    int in_order = nargs == self->required;
    if (in_order && names) {
        in_order = names->ob_size == 1 && names->ob_item[0] == self->out;
        if (in_order) call->out = args[nargs];
    }
    if (!LIKELY(in_order) && !place_arguments(self, args, nargs, names, places, call)) return 0;
    if (call->out == self->none) call->out = NULL;
    return 1;
}

static int has_sizes(const int64_t *sizes, const int64_t *expected, int64_t count) {
    for (int64_t k = 0; k < count; k++)
        if (sizes[k] != expected[k]) return 0;
    return 1;
}

/* Whether an object is a dense float64 array of samples; stores its number of batch axes. */
static int is_plain(const Signature *self, PyObject *object, const Core *core, int32_t flags,
                    int64_t *batch_axes) {
    const PyArrayObject *array = (const PyArrayObject *)object;
    if (array->descr != self->float64 || (array->flags & flags) != flags) return 0;
    *batch_axes = array->nd - core->ndim;
    if ((uint64_t)*batch_axes > MAX_BATCH_AXES) return 0;
    return has_sizes(array->dimensions + *batch_axes, core->sizes, core->ndim);
}

/* Data of an argument, or null if it is not a plain one. The first that has batch axes sets the
 * batch; others have the same, or none. */
static inline char *read_argument(const Signature *self, PyObject *object, int64_t k, Batch *batch,
                                  int64_t *is_batched) {
    const Core *core = self->cores + k;
    *is_batched = 0;
    if (!object) return self->defaults[k];
    if (!LIKELY(object->ob_type == self->array_type)) {
        int is_number = object->ob_type == self->float_type || object->ob_type == self->scalar_type;
        return is_number && core->ndim == 0 ? (char *)&((PyFloatObject *)object)->ob_fval : NULL;
    }
    const PyArrayObject *array = (const PyArrayObject *)object;
    int64_t axes;
    if (!is_plain(self, object, core, READABLE, &axes)) return NULL;
    if (axes) {
        *is_batched = 1;
        if (!batch->ndim)
            *batch = (Batch){axes, array->dimensions};
        else if (axes != batch->ndim || !has_sizes(array->dimensions, batch->sizes, axes))
            return NULL;
    }
    return array->data;
}

/* Data of an array for a result, or null if it is not a plain one of the batch. */
static inline char *read_out(const Signature *self, PyObject *object, int64_t k,
                             const Batch *batch) {
    int64_t axes;
    const PyArrayObject *array = (const PyArrayObject *)object;
    if (object->ob_type != self->array_type) return NULL;
    if (!is_plain(self, object, self->cores + self->arguments + k, WRITABLE, &axes)) return NULL;
    if (axes != batch->ndim || !has_sizes(array->dimensions, batch->sizes, axes)) return NULL;
    return array->data;
}

/* The arrays that were given for results, or null if they are not as many. */
static PyObject *const *read_outs(const Signature *self, PyObject *const *out) {
    if (!self->returns_tuple) return out;
    if ((*out)->ob_type != self->tuple_type) return NULL;
    const PyTupleObject *tuple = (const PyTupleObject *)*out;
    return tuple->ob_size == self->results ? tuple->ob_item : NULL;
}

/* Whether results share no memory with arguments nor with one another. */
static int are_disjoint(char *const *data, const int64_t *steps, int64_t inputs, int64_t operands,
                        int64_t samples) {
    for (int64_t r = inputs; r < operands; r++)
        for (int64_t k = 0; k < r; k++)
            if ((uintptr_t)data[k] < (uintptr_t)data[r] + steps[r] * samples &&
                (uintptr_t)data[r] < (uintptr_t)data[k] + steps[k] * samples)
                return 0;
    return 1;
}

static void drop(PyObject *const *objects, int64_t count) {
    for (int64_t k = 0; k < count; k++)
        if (objects[k]) Py_DecRef(objects[k]);
}

/* A new array with the axes of the batch, then of the core. */
static PyObject *new_array(const Signature *self, const Core *core, const Batch *batch) {
    int64_t sizes[MAX_BATCH_AXES + MAX_CORE_AXES];
    for (int64_t k = 0; k < batch->ndim; k++) sizes[k] = batch->sizes[k];
    for (int64_t k = 0; k < core->ndim; k++) sizes[batch->ndim + k] = core->sizes[k];
    return self->new_array(self->array_type, (int32_t)(batch->ndim + core->ndim), sizes, NPY_DOUBLE,
                           NULL, NULL, 0, 0, NULL);
}

/* Make arrays for the results; those without axes are numbers first, and null as objects.
 * Returns 0 with an exception set if that fails. */
static int make_results(const Signature *self, const Batch *batch, int64_t samples,
                        PyObject **created, double *numbers, char **data) {
    const Core *cores = self->cores + self->arguments;
    PyObject *previous = NULL;
    if (samples >= self->recycled && !(previous = self->set_handler(self->handler))) return 0;
    int64_t k = 0;
    for (; k < self->results; k++) {
        created[k] = NULL;
        data[k] = (char *)(numbers + k);
        if (batch->ndim + cores[k].ndim == 0) continue;
        created[k] = new_array(self, cores + k, batch);
        if (!created[k]) break;
        data[k] = ((PyArrayObject *)created[k])->data;
    }
    int restored = 1;
    if (previous) {
        PyObject *ours = self->set_handler(previous);
        Py_DecRef(previous);
        restored = ours != NULL;
        if (ours) Py_DecRef(ours);
    }
    if (LIKELY(restored && k == self->results)) return 1;
    drop(created, k);
    return 0;
}

enum { FAILED = 1, FLAGGED = 2 };

/* Run the kernel on a batch, without the interpreter lock if it takes long. Arguments that are not
 * batched have no steps. Returns 0, FAILED without memory, or FLAGGED if floating-point status
 * flags are set, which NumPy reports. */
__attribute__((noinline)) static int32_t run_batch(const Signature *self, Kernel *kernel,
                                                   const Call *call, char **data,
                                                   const int64_t *is_batched, int64_t samples) {
    int64_t steps[MAX_OPERANDS * (1 + MAX_CORE_AXES)];
    const Variant *variant = call->variant;
    for (int64_t k = 0; k < variant->n_steps; k++) steps[k] = variant->steps[k];
    for (int64_t k = 0; k < call->inputs; k++) steps[k] *= is_batched[k];
    self->get_status();
    PyThreadState *state = samples >= variant->loop->lengthy ? PyEval_SaveThread() : NULL;
    int32_t failed = kernel(data, &samples, steps, variant->loop);
    if (state) PyEval_RestoreThread(state);
    int32_t flags = self->get_status();
    return failed ? FAILED : flags ? FLAGGED : 0;
}

/* The results as Python returns them, which takes over the references, or null. */
static PyObject *return_results(const Signature *self, PyObject **created, double *numbers) {
    PyObject *answer = NULL;
    for (int64_t k = 0; k < self->results; k++)
        if (!created[k] && !(created[k] = self->new_scalar(numbers + k, self->float64, NULL)))
            goto failed;
    if (!self->returns_tuple) return created[0];
    answer = PyTuple_New(self->results);
    if (!answer) goto failed;
    for (int64_t k = 0; k < self->results; k++) PyTuple_SetItem(answer, k, created[k]);
    return answer;
failed:
    drop(created, self->results);
    return NULL;
}

/* The builtin, METH_FASTCALL | METH_KEYWORDS. It is bound to an array whose data is a Signature. */
PyObject *jounce_call(PyArrayObject *bound, PyObject *const *args, Py_ssize_t nargs,
                      PyTupleObject *names) {
    const Signature *self = (const Signature *)bound->data;
    PyObject *places[MAX_OPERANDS], *created[MAX_OPERANDS];
    char *data[MAX_OPERANDS];
    double numbers[MAX_OPERANDS];
    int64_t is_batched[MAX_OPERANDS], samples = 1;
    Batch batch = {0, NULL};
    Call call;

    if (!read_call(self, args, nargs, names, places, &call)) goto fallback;
    const Variant *variant = call.variant;
    LoopData *loop = variant->loop;
    if (!loop) goto fallback;
    Kernel *kernel = loop->kernel;

    for (int64_t k = 0; k < call.inputs; k++) {
        data[k] = read_argument(self, call.objects[k], k, &batch, is_batched + k);
        if (!LIKELY(data[k])) goto fallback;
    }
    int64_t operands = call.inputs;
    if (call.out) {
        PyObject *const *outs = read_outs(self, &call.out);
        if (!outs) goto fallback;
        for (int64_t k = 0; k < self->results; k++) {
            data[operands + k] = read_out(self, outs[k], k, &batch);
            if (!data[operands + k]) goto fallback;
        }
        operands += self->results;
    }
    if (batch.ndim) {
        for (int64_t k = 0; k < batch.ndim; k++) samples *= batch.sizes[k];
        if (samples == 0 || samples >= loop->large) goto fallback;
        if (!are_disjoint(data, variant->steps, call.inputs, operands, samples)) goto fallback;
    }
    if (!call.out && !make_results(self, &batch, samples, created, numbers, data + call.inputs))
        return NULL;

    int32_t status = batch.ndim ? run_batch(self, kernel, &call, data, is_batched, samples)
                                : kernel(data, &samples, variant->steps, loop);
    if (!LIKELY(status == 0)) {
        if (!call.out) drop(created, self->results);
        if (status == FLAGGED) goto fallback;
        return PyErr_NoMemory();
    }
    if (!call.out) return return_results(self, created, numbers);
    Py_IncRef(call.out);
    return call.out;

fallback:
    return PyObject_Vectorcall(self->fallback, args, nargs, (PyObject *)names);
}
