"""Utilities for all packages: files, disk cache, threads, forks, progress, deprecation.

Independent of robots and formulas. Imports only `errors` and NumPy. `lazy` and `once` compute
values on first use, `cache` keeps compiled objects on disk, `files` writes files, `threads` and
`forks` handle threads and processes, `registry` lets lower layers call functions of higher ones.
Start with `lazy.py`.
"""

from typing import TYPE_CHECKING

from jounce.utils.content_cache import hash_content
from jounce.utils.deprecation import (
    function_named_as_package,
    moved_names,
    renamed_attribute,
    renamed_field,
    renamed_keyword,
)
from jounce.utils.files import check_target, write_files
from jounce.utils.lazy import cached_property, submodules
from jounce.utils.once import once_property
from jounce.utils.progress import in_notebook, track
from jounce.utils.text import format_count
from jounce.utils.threads import get_num_threads, limit_threads, set_num_threads
from jounce.utils.version import VERSION

if TYPE_CHECKING:
    from jounce.utils import cache, forks, html, measure, memory

__all__ = [
    "VERSION",
    "cache",
    "cached_property",
    "check_target",
    "forks",
    "format_count",
    "function_named_as_package",
    "get_num_threads",
    "hash_content",
    "html",
    "in_notebook",
    "limit_threads",
    "measure",
    "memory",
    "moved_names",
    "once_property",
    "renamed_attribute",
    "renamed_field",
    "renamed_keyword",
    "set_num_threads",
    "submodules",
    "track",
    "write_files",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
