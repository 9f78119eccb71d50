/* The parts of NumPy's C API that native code uses. Its functions are pointers that Python reads
 * from the tables _ARRAY_API and _UFUNC_API (gufunc.numpy_function); npy_intp has 64 bits. */
#pragma once
#include "cpython.h"

/* The first members of PyArrayObject; ndarraytypes.h publishes them. */
typedef struct {
    PyObject ob_base;
    char *data;
    int32_t nd;
    int64_t *dimensions;
    int64_t *strides;
    PyObject *base;
    PyObject *descr;
    int32_t flags;
} PyArrayObject;

enum {
    NPY_ARRAY_C_CONTIGUOUS = 0x0001,
    NPY_ARRAY_ALIGNED = 0x0100,
    NPY_ARRAY_WRITEABLE = 0x0400,
    NPY_DOUBLE = 12,
};

typedef PyObject *PyArray_New(PyObject *type, int32_t nd, const int64_t *dimensions,
                              int32_t type_number, const int64_t *strides, void *data,
                              int32_t itemsize, int32_t flags, PyObject *object);
typedef PyObject *PyArray_Scalar(void *data, PyObject *descr, PyObject *base);

/* Sets the allocation handler of the current context; returns the previous one, a new reference. */
typedef PyObject *PyDataMem_SetHandler(PyObject *handler);

/* Returns and clears the floating-point status flags of the processor. */
typedef int32_t PyUFunc_getfperr(void);
