"""jounce on a GPU: rates of kernels, small batches from Python, and what others write beside it.

python -m benchmarks.gpu [--sections ...] [--robots ...] [--quantities ...] [--seconds N] [--write]

It runs where nothing can be installed: `tests.gpu` lets jounce be imported from its source.
"""

import tests.gpu as _source  # noqa: F401
