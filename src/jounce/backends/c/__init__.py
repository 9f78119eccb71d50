"""Tapes as plain C99: readable straight-line functions, a batch variant, and their self-test.

The text depends on the tape alone: no dates, no machine. `matlab` writes the same statements.
"""

from jounce.backends.c.files import build, header, source
from jounce.backends.c.selftest import Samples, selftest_source

__all__ = ["Samples", "build", "header", "selftest_source", "source"]
