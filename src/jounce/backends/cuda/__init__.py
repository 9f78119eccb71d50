"""Tapes as CUDA C++: readable device functions, a kernel each, its launcher, and their self-test.

The text depends on the tape alone: no dates, no machine, no architecture.
"""

from jounce.backends.cuda.files import build, header, source
from jounce.backends.cuda.selftest import selftest_source

__all__ = ["build", "header", "selftest_source", "source"]
