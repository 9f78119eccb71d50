"""jounce on a GPU: rates of kernels, small batches from Python, and equivalents in other libraries.

python -m benchmarks.gpu [--sections ...] [--robots ...] [--quantities ...] [--seconds N] [--write]

It runs where nothing can be installed: `tests.gpu` lets jounce be imported from its source.
"""

import os

# what the driver compiled before is no measure of what it takes to compile
os.environ.setdefault("CUDA_CACHE_DISABLE", "1")

import tests.gpu as _source  # noqa: F401
