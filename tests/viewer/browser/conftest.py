"""Chromium without a window, for tests of what people see: pages, their pixels and their errors."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from jounce.viewer.live import Viewer

#: Names of the browser, the first that is there.
NAMES = ("chromium", "chromium-browser", "google-chrome")

#: Without a GPU, and as root in a container.
FLAGS = ("--no-sandbox", "--disable-dev-shm-usage", "--use-gl=angle", "--use-angle=swiftshader")
FLAGS += ("--enable-unsafe-swiftshader", "--ignore-gpu-blocklist")

#: How long to wait for anything, ms: machines of continuous integration are slow.
PATIENCE = 60_000


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser, started once per process."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs jounce[browser]")
    path = next(filter(None, map(shutil.which, NAMES)), None)
    assert path, "these tests need a browser; `make chromium` installs Debian's"
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=[*FLAGS])
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Opens an address in a page of its own and gives it; all are closed at the end.

    open_page(url, width=640, height=480, offline=False): offline pages reach nothing but files.
    page.problems lists uncaught errors and messages of the console that are errors.
    """
    contexts: list[Any] = []

    def open_(url: str, *, width: int = 640, height: int = 480, offline: bool = False) -> Page:
        context = chromium.new_context(
            viewport={"width": width, "height": height}, offline=offline, accept_downloads=True
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on(
            "console",
            lambda said: problems.append(said.text) if said.type == "error" else None,
        )
        page.problems = problems
        page.goto(url)
        return page

    yield open_
    for context in contexts:
        context.close()


def _pixels(page: Page, **options: Any) -> np.ndarray:
    """What a page shows, (height, width, 3) of bytes; options of Playwright's `screenshot`."""
    from PIL import Image

    with Image.open(io.BytesIO(page.screenshot(**options))) as image:
        return np.asarray(image.convert("RGB"))


@pytest.fixture(scope="session")
def pixels() -> Callable[..., np.ndarray]:
    """pixels(page, **options): what a page shows, (height, width, 3) of bytes."""
    return _pixels


def _differing(one: np.ndarray, two: np.ndarray, threshold: int = 24) -> int:
    """How many pixels differ by more than a threshold in some colour."""
    apart = np.abs(one.astype(int) - two.astype(int)).max(axis=2)
    return int(np.count_nonzero(apart > threshold))


@pytest.fixture(scope="session")
def differing() -> Callable[..., int]:
    """differing(one, two, threshold=24): how many pixels of two pictures differ."""
    return _differing


@pytest.fixture
def shown() -> Iterator[Callable[..., Viewer]]:
    """Opens viewers, and closes them at the end."""
    viewers: list[Viewer] = []

    def show(make: Callable[..., Viewer], *arguments: Any, **options: Any) -> Viewer:
        viewers.append(make(*arguments, open_browser=False, **options))
        return viewers[-1]

    yield show
    for viewer in viewers:
        viewer.close()
