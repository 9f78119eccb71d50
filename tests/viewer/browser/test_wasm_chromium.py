"""WebAssembly in Chromium: inlined in a page, and as an ES module that a server gives."""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.robot import Robot
from jounce.robot.system import System
from jounce.viewer.web.module import build_module
from support.functions import tiny_model
from support.helpers import assert_close, random_robot
from support.robots import ALL_KINDS
from support.web import OWN, REPLAY, every_quantity, interpreted, laid, put, random_calls, sizes

pytestmark = pytest.mark.browser

_INLINED = """
async ({ factory, wasm, calls, numbers }) => {
  const bytes = (text) => Uint8Array.from(atob(text), (x) => x.charCodeAt(0));
  const load = (0, eval)(factory);
  const robot = await load(bytes(wasm));
  REPLAY
  const given = new Float64Array(bytes(numbers).buffer);
  const found = new Uint8Array(replay(robot, calls, given).buffer);
  let text = "";
  for (let k = 0; k < found.length; k += 4096) {
    text += String.fromCharCode(...found.subarray(k, k + 4096));
  }
  return btoa(text);
}
"""


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


CASES: dict[str, tuple[Callable[[], System], str]] = {
    "tiny": (lambda: Robot(tiny_model()), "tool"),
    "every kind": (lambda: Robot(random_robot(4, len(ALL_KINDS))), ""),
    "five bar": (lambda: jounce.load("five_bar").closed(), ""),
}


@pytest.mark.parametrize("case", list(CASES))
def test_every_quantity_in_a_page(case: str, open_page: Callable[..., Any]) -> None:
    """The bits of NumPy's arithmetic, in a script without a file of its own."""
    make, frame = CASES[case]
    system = make()
    module = build_module(system, every_quantity(system, frame, ()))
    calls = list(random_calls(system, module.functions, np.random.default_rng(5)))
    given = [call for call, _ in calls]
    page = open_page("about:blank", offline=True)
    data = {"factory": module.factory, "wasm": _text(module.wasm), "calls": sizes(given)}
    data["numbers"] = _text(laid(given).tobytes())
    found = page.evaluate(_INLINED.replace("REPLAY", REPLAY), data)
    expected = [interpreted(tape, arguments, OWN) for (_, arguments), tape in calls]
    results = np.frombuffer(base64.b64decode(found))
    np.testing.assert_array_equal(results, np.concatenate(expected))
    assert page.problems == []


_PAGE = """
<!DOCTYPE html>
<link rel="icon" href="data:," />
<script type="module">
  import { load } from "./arm.js";
  const robot = await load();
  window.found = [...robot.mass_matrix([0.3, -0.4])];
</script>
"""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Nothing."""


def test_a_module_from_a_server(tmp_path: Path, open_page: Callable[..., Any]) -> None:
    robot = jounce.load("planar_2r")
    put(build_module(robot, "mass_matrix", "arm"), tmp_path)
    (tmp_path / "index.html").write_text(_PAGE)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(tmp_path)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        page = open_page(f"http://127.0.0.1:{server.server_port}/index.html")
        found = page.wait_for_function("window.found").json_value()
        assert page.problems == []
    finally:
        server.shutdown()
        server.server_close()
    assert_close(np.reshape(found, (2, 2)), robot.mass_matrix([0.3, -0.4]), 1e-14)


def test_a_script_without_a_file_says_so(open_page: Callable[..., Any]) -> None:
    module = build_module(jounce.load("planar_2r"), "mass_matrix")
    page = open_page("about:blank", offline=True)
    text = page.evaluate(f"({module.factory})().catch((error) => error.message)")
    assert "found undefined" in text
