"""Who may read and drive a viewer: requests and messages that its server accepts and refuses."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest

import jounce
from jounce.errors import JounceWarning
from jounce.viewer.live.access import MAX_MESSAGE_BYTES, Guard, is_acceptable
from jounce.viewer.live.server import choose_port

msgpack = pytest.importorskip("msgspec.msgpack", reason="needs jounce[view]")

pytestmark = pytest.mark.browser

#: What browsers send to open a WebSocket.
_UPGRADE = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)

_CAMERA = {
    "type": "ViewerCameraMessage",
    "wxyz": [1, 0, 0, 0],
    "position": [1, 1, 1],
    "fov": 1.0,
    "near": 0.1,
    "far": 100.0,
    "image_height": 480,
    "image_width": 640,
    "look_at": [0, 0, 0],
    "up_direction": [0, 0, 1],
}


def answer(
    port: int, path: str, host: str | None, origin: str | None = None, upgrade: bool = False
) -> bytes:
    """Send a request as it stands, and return all that comes back, or the head of a WebSocket."""
    text = f"GET {path} HTTP/1.1\r\n"
    text += "" if host is None else f"Host: {host}\r\n"
    text += "" if origin is None else f"Origin: {origin}\r\n"
    text += (_UPGRADE if upgrade else "") + "\r\n"
    with socket.create_connection(("127.0.0.1", port), 20.0) as connection:
        connection.sendall(text.encode("latin-1"))
        reply = b""
        while part := connection.recv(65536):
            reply += part
            if reply.startswith(b"HTTP/1.1 101") and b"\r\n\r\n" in reply:
                break
    return reply


def status(*arguments: Any, **options: Any) -> int:
    return int(answer(*arguments, **options).split(b" ", 2)[1])


@contextmanager
def connect(viewer: Any) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Speak to a viewer as its page would: a function that sends messages."""
    import viser
    from websockets.sync.client import connect

    url = viewer.url.replace("http", "ws").rstrip("/")
    with connect(url, subprotocols=[f"viser-v{viser.__version__}"], max_size=None) as client:  # pyright: ignore[reportArgumentType]
        client.send(msgpack.encode(_CAMERA))
        yield lambda message: client.send(msgpack.encode(message))


def wait_until(condition: Callable[[], bool]) -> bool:
    """Wait for another thread; whether it came true."""
    from time import monotonic, sleep

    end = monotonic() + 30.0
    while not condition() and monotonic() < end:
        sleep(0.02)
    return condition()


def test_requests_need_token_host_and_origin(shown: Any) -> None:
    viewer = shown(jounce.load("planar_2r").view.show)
    port, path = viewer.port, urlsplit(viewer.url).path
    home = f"localhost:{port}"
    assert len(path) > 30
    page = answer(port, path, home)
    assert page.startswith(b"HTTP/1.1 200")
    assert b"Referrer-Policy: no-referrer" in page.partition(b"\r\n\r\n")[0]
    for good in (home, f"127.0.0.1:{port}", f"[::1]:{port}", "localhost", "localhost:9999"):
        assert status(port, path, good) == 200
        for address in (path, path.rstrip("/")):
            assert status(port, address, good, f"http://{good}", upgrade=True) == 101
    assert status(port, path.rstrip("/"), home, upgrade=True) == 101  # not a browser, but invited
    other = path[:-2] + ("A" if path[-2] != "A" else "B") + "/"
    for upgrade in (False, True):
        for wrong in ("/", "//", other, path[:-3], f"/x{path}", f"/?token={path[1:-1]}", "x"):
            assert status(port, wrong, home, f"http://{home}", upgrade=upgrade) == 403
        for host in ("evil.example", f"evil.example:{port}", "localhost.evil.example", "10.0.0.1"):
            assert status(port, path, host, f"http://{host}", upgrade=upgrade) == 403
        assert status(port, path, None, upgrade=upgrade) == 403
        for origin in ("http://evil.example", "null", f"http://localhost:{port}1", "file://", home):
            assert status(port, path, home, origin, upgrade=upgrade) == 403
    assert status(port, "/../../etc/passwd", home) == 403
    assert status(port, f"{path}../../../../../../etc/passwd", home) == 404


def test_two_viewers_have_different_tokens(shown: Any) -> None:
    robot = jounce.load("planar_2r")
    one, two = shown(robot.view.show), shown(robot.view.show)
    assert status(two.port, urlsplit(two.url).path, f"localhost:{two.port}") == 200
    assert status(two.port, urlsplit(one.url).path, f"localhost:{two.port}") == 403


def test_a_viewer_for_all_networks_answers_to_addresses_only(shown: Any) -> None:
    with pytest.warns(JounceWarning, match="anyone with its address and token"):
        viewer = shown(jounce.load("planar_2r").view.show, host="0.0.0.0")
    path = urlsplit(viewer.url).path
    own = socket.gethostname()
    for host in ("localhost", "192.0.2.7:80", "[2001:db8::1]", own, f"{own}.local:{viewer.port}"):
        assert status(viewer.port, path, host, f"http://{host}", upgrade=True) == 101
        assert status(viewer.port, "/", host, f"http://{host}", upgrade=True) == 403
    for host in ("evil.example", "192.0.2.7.evil.example", "user@localhost", "localhost/x", "[::1"):
        assert status(viewer.port, path, host, f"http://{host}", upgrade=True) == 403


def test_names_that_a_server_on_one_address_answers_to() -> None:
    guard = Guard("127.0.0.1")
    assert guard.allows_host("LOCALHOST:80")
    assert not guard.allows_host("127.0.0.2")
    assert not guard.allows_host("")


def test_numbers_out_of_range_do_not_reach_the_robot(shown: Any) -> None:
    viewer = shown(jounce.load("planar_2r").view.show, (0.0, 0.0))
    (_, slider), (_, other) = viewer._panel._sliders
    with connect(viewer) as send:
        assert wait_until(lambda: viewer.clients == 1)

        def pull(handle: Any, value: Any, key: str = "value") -> None:
            uuid = handle._impl.uuid
            send({"type": "GuiUpdateMessage", "uuid": uuid, "updates": {key: value}})

        for value in (np.nan, np.inf, -np.inf):
            pull(slider, value)
        pull(slider, "none", "update_cb")
        pull(other, 0.25)
        assert wait_until(lambda: viewer.q[1] == 0.25)
        assert viewer.q[0] == 0.0
        assert slider.value == 0.0
        pull(slider, 1e300)
        assert wait_until(lambda: viewer.q[0] == slider.max)
        assert wait_until(lambda: slider.value == slider.max)
        assert slider.max == pytest.approx(np.pi)
    assert not viewer.messages


def test_handles_are_pulled_to_finite_places(shown: Any) -> None:
    viewer = shown(jounce.load("toro25").view.show)
    (handle,) = viewer._handles
    before = viewer.q
    with connect(viewer) as send:
        assert wait_until(lambda: viewer.clients == 1)

        def pull(wxyz: Any, position: Any) -> None:
            name = handle.node.name
            send(
                {
                    "type": "TransformControlsUpdateMessage",
                    "name": name,
                    "wxyz": wxyz,
                    "position": position,
                    "owner": "",
                }
            )

        pull([1, 0, 0, 0], [np.nan, 0, 0])
        pull([np.inf, 0, 0, 0], [0, 0, 0])
        pull([0, 0, 0, 0], [1e300, 2, 3])
        assert wait_until(lambda: viewer.q[4] != before[4])
        assert np.allclose(viewer.q[:7], (1, 0, 0, 0, 1e6, 2, 3))
        pull([1e300, 0, 1e300, 0], [1, 2, 3])
        assert wait_until(lambda: viewer.q[4] != 1e6)
        assert np.allclose(viewer.q[:7], (0.5**0.5, 0, 0.5**0.5, 0, 1, 2, 3))
    assert not viewer.messages


def test_large_messages_end_the_connection(shown: Any) -> None:
    from websockets.exceptions import ConnectionClosed

    viewer = shown(jounce.load("planar_2r").view.show)
    with connect(viewer) as send:
        assert wait_until(lambda: viewer.clients == 1)
        send({"type": "GuiUpdateMessage", "x": "x" * MAX_MESSAGE_BYTES})
        assert wait_until(lambda: viewer.clients == 0)
        with pytest.raises(ConnectionClosed, match="1009"):
            send(_CAMERA)
    assert wait_until(lambda: viewer.clients == 0)


def test_messages_of_other_kinds_are_dropped() -> None:
    assert is_acceptable(msgpack.encode(_CAMERA))
    update = {"type": "GuiUpdateMessage", "uuid": "x", "updates": {"value": [1, 2.0, "a", None]}}
    assert is_acceptable(msgpack.encode(update))
    for message in (
        {"type": "ShareUrlRequest"},
        {"type": "FileTransferStartUpload"},
        {"type": ["ViewerCameraMessage"]},
        {"type": "GuiUpdateMessage", "uuid": "x", "updates": 5},
        {"type": "GuiUpdateMessage", "uuid": "x", "updates": {"value": 1, "removed": True}},
        {"type": "GuiUpdateMessage", "uuid": "x", "updates": {"value": [[1.0, {"a": np.inf}]]}},
        _CAMERA | {"position": [1.0, np.nan, 0.0]},
        [1, 2],
        None,
    ):
        assert not is_acceptable(msgpack.encode(message))
    assert not is_acceptable("text")
    assert not is_acceptable(b"\xc1")
    assert not is_acceptable(b"\x91" * 60_000 + b"\xc0")


def test_a_server_that_ignores_the_rules_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jounce.viewer.live.server.guarded_servers", nullcontext)
    before = choose_port("localhost", None)
    with pytest.raises(RuntimeError, match=r"cannot restrict access to its server with viser 1\."):
        jounce.load("planar_2r").view.show(open_browser=False)
    assert choose_port("localhost", None) <= before


def test_other_servers_of_the_program_keep_their_own_rules(shown: Any) -> None:
    import viser

    from jounce.viewer.live.access import guarded_servers

    with guarded_servers():
        server = viser.ViserServer(host="localhost", port=choose_port("localhost", None))
    try:
        assert status(server.get_port(), "/", "localhost") == 200
    finally:
        server.stop()


def test_refusals_write_nothing_to_the_terminal(shown: Any, capfd: Any) -> None:
    viewer = shown(jounce.load("planar_2r").view.show)
    capfd.readouterr()
    for text in ("POST / HTTP/1.1\r\n\r\n", "\x16\x03\x01\r\n", "GET / HTTP/1.1\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", viewer.port), 20.0) as connection:
            connection.sendall(text.encode("latin-1"))
            while connection.recv(65536):
                pass
    viewer.close()
    assert capfd.readouterr() == ("", "")
