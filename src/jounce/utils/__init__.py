"""What one process shares: cache, threads, forks, memory, locks, progress. Knows no robot."""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
