"""What one process shares and every package may use: files, cache, threads, forks, progress.

Nothing here knows a robot or a formula. Imports only `errors` and NumPy. `lazy` and `once` make
values on first use, `cache` keeps objects on disk, `files` writes files, `threads` and `forks`
care for processes, `registry` lets packages call what is above them. Start with `lazy.py`.
"""

from typing import TYPE_CHECKING

from jounce.utils.deprecation import (
    function_named_as_package,
    moved_names,
    renamed_field,
    renamed_keyword,
)
from jounce.utils.files import check_target, write_files
from jounce.utils.lazy import cached_property, submodules
from jounce.utils.once import once_property
from jounce.utils.progress import in_notebook, track
from jounce.utils.residents import content_of
from jounce.utils.threads import get_num_threads, limit_threads, set_num_threads
from jounce.utils.version import VERSION

if TYPE_CHECKING:
    from jounce.utils import cache, forks, html, measure, memory

__all__ = [
    "VERSION",
    "cache",
    "cached_property",
    "check_target",
    "content_of",
    "forks",
    "function_named_as_package",
    "get_num_threads",
    "html",
    "in_notebook",
    "limit_threads",
    "measure",
    "memory",
    "moved_names",
    "once_property",
    "renamed_field",
    "renamed_keyword",
    "set_num_threads",
    "submodules",
    "track",
    "write_files",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
