"""The version of the package."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

try:
    VERSION = version("jounce")
except PackageNotFoundError:  # a source tree on the path that was never installed
    VERSION = "0+unknown"
