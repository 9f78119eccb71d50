/* The parts of CPython's C API that native code uses, for interpreters with a global lock on 64-bit
 * machines. fastcall.available() compares the layouts with what the interpreter says before
 * anything relies on them. */
#pragma once
#include <stdint.h>

typedef int64_t Py_ssize_t;
typedef struct PyObject PyObject;

struct PyObject {
    Py_ssize_t ob_refcnt;
    PyObject *ob_type;
};

typedef struct {
    PyObject ob_base;
    Py_ssize_t ob_size;
    PyObject *ob_item[];
} PyTupleObject;

typedef struct {
    PyObject ob_base;
    double ob_fval;
} PyFloatObject;

typedef struct PyThreadState PyThreadState;
typedef int32_t PyGILState_STATE;

void Py_IncRef(PyObject *object);
void Py_DecRef(PyObject *object);
PyObject *PyErr_NoMemory(void);
PyThreadState *PyEval_SaveThread(void);
void PyEval_RestoreThread(PyThreadState *state);
PyGILState_STATE PyGILState_Ensure(void);
void PyGILState_Release(PyGILState_STATE state);
PyObject *PyObject_Vectorcall(PyObject *callable, PyObject *const *args, Py_ssize_t nargs,
                              PyObject *names);
PyObject *PyTuple_New(Py_ssize_t size);
int32_t PyTuple_SetItem(PyObject *tuple, Py_ssize_t place, PyObject *object);
