"""A plugin of pytest: which functions of the package each test calls, and how long it takes.

Written as JSON to the file that JOUNCE_TOUCHED names: {test: [seconds, ["path:name", ...]]}.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

import jounce

_HERE = str(Path(jounce.__file__).parent)
_TESTS: dict[str, tuple[float, list[str]]] = {}
_calls: set[CodeType] = set()


def _called(frame: FrameType, event: str, argument: Any) -> None:
    if event == "call":
        _calls.add(frame.f_code)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Watch one test with its fixtures."""
    _calls.clear()
    start = time.perf_counter()
    threading.setprofile(_called)
    sys.setprofile(_called)
    try:
        return (yield)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # pyright: ignore[reportArgumentType]
        names = sorted(
            f"{code.co_filename.removeprefix(_HERE + os.sep)}:{_function(code)}"
            for code in _calls
            if code.co_filename.startswith(_HERE)
        )
        _TESTS[item.nodeid] = time.perf_counter() - start, names


def _function(code: CodeType) -> str:
    """The qualified name, without what is made inside of functions."""
    return code.co_qualname.partition(".<locals>")[0]


def pytest_sessionfinish() -> None:
    """Write what was seen."""
    Path(os.environ["JOUNCE_TOUCHED"]).write_text(json.dumps(_TESTS), "utf-8")
