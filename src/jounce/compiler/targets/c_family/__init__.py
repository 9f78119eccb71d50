"""Printer of C99 and CUDA C++ source; the targets `c` and `cuda` use it.

dialect: differences between the two languages. single: the function for one sample, in either.
batch: C over many samples, in loops that compilers vectorize. kernel: the CUDA kernel and its
launcher. files: headers and sources. selftest: the program that checks them.

The text depends on the tape alone: no dates, no machine, no architecture.
"""
