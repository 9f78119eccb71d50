"""Where LoopData of kernel.h says how many samples make a batch a large one, in bytes."""

LARGE_OFFSET = 40
