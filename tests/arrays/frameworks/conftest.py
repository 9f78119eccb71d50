"""Tests of a library that is not there are left out; `make test-frameworks` installs both."""

from __future__ import annotations

from importlib.util import find_spec

#: Files are named after the libraries that they need.
collect_ignore_glob = [
    f"test_*{library}*.py" for library in ("jax", "torch") if find_spec(library) is None
]
