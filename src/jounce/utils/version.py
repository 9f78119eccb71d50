"""The version of the package."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

try:
    VERSION = version("jounce")
except (PackageNotFoundError, FileNotFoundError):  # a source tree that was never installed
    VERSION = "0+unknown"
