"""Films a robot's page into docs/pictures/iiwa.gif: `python docs/film.py`.

The page computes the motion itself, step by step, so that the film is the same every time. Needs
Debian's chromium, and what tests in it need: pip install "jounce[browser]".
"""

from __future__ import annotations

import io
import shutil
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

import jounce
from jounce.utils.progress import track
from jounce.viewer.web.page import write_page

WIDTH, HEIGHT = 960, 600
FRAMES, SECONDS = 72, 3.6
COLORS = 160
BROWSER = [
    "--no-sandbox",
    "--enable-unsafe-swiftshader",
    "--use-gl=angle",
    "--use-angle=swiftshader",
]

#: JavaScript that advances the simulation of the page by a time.
STEP = """time => {
    const { page, simulator } = window.jounce;
    simulator.advance(time);
    page.pose();
    page.plot.add(simulator.time, simulator.energy());
    page.refresh();
    page.stage.render();
}"""


def frames(page: Path) -> list[Image.Image]:
    """Screenshots of the page while its robot swings."""
    out = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=BROWSER)
        tab = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        tab.goto(page.as_uri())
        tab.evaluate("window.jounce.ready")
        for k in track(range(FRAMES), "filming"):
            tab.evaluate(STEP, SECONDS / FRAMES if k else 0.0)
            out.append(Image.open(io.BytesIO(tab.screenshot())).convert("RGB"))
        browser.close()
    return out


def write_gif(images: list[Image.Image], path: Path) -> None:
    """Return the images as an endless film with a shared palette."""
    some = images[:: len(images) // 4]
    strip = Image.new("RGB", (WIDTH, HEIGHT * len(some)))
    for k, image in enumerate(some):
        strip.paste(image, (0, k * HEIGHT))
    palette = strip.quantize(COLORS, dither=Image.Dither.NONE)
    first, *others = (image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images)
    duration = round(1000 * SECONDS / FRAMES)
    first.save(path, save_all=True, append_images=others, duration=duration, loop=0, optimize=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        shots = frames(write_page(jounce.load("kuka_iiwa14"), Path(folder) / "iiwa.html"))
    target = Path(__file__).parent / "pictures" / "iiwa.gif"
    target.parent.mkdir(exist_ok=True)
    write_gif(shots, target)
    print(f"{target}: {target.stat().st_size / 1e6:.1f} MB")
