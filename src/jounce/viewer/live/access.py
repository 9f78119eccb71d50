"""Access control of a viewer: which requests and messages its server accepts.

viser itself answers everybody, so any web page that the user visits could read the scene and move
the robot. Requests must carry a secret token in their path, a Host header that names an address of
the server (otherwise a web page could rebind its own name to it), and an Origin of the same server
if they have one. Messages must be small, of a kind that the panel sends, and finite.
"""

from __future__ import annotations

import dataclasses
import functools
import ipaddress
import logging
import math
import secrets
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

#: Names of this machine that only itself reaches.
LOCAL = ("localhost", "127.0.0.1", "::1")

#: Largest message from a browser; those of the panel have less than 1 kB.
MAX_MESSAGE_BYTES = 65536

#: Types of the messages that a browser may send: camera, controls of the panel, handles.
_ACCEPTED_MESSAGES = (
    "ViewerCameraMessage",
    "GuiUpdateMessage",
    "TransformControlsUpdateMessage",
    "TransformControlsDragStartMessage",
    "TransformControlsDragEndMessage",
)

_FORBIDDEN = "Forbidden: open the address that the viewer printed, with its token."

#: Sent with every file: the address, which holds the token, is not passed on to other sites.
_RESPONSE_HEADERS = {"Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff"}

_patch_lock = threading.Lock()


class Guard:
    """Access rules of one server that listens on a host.

    Attributes
    ----------
    token : str
        Secret first segment of all paths.
    installed : bool
        Whether a server has taken over the rules.
    """

    def __init__(self, host: str) -> None:
        self.token = secrets.token_urlsafe(24)
        self.installed = False
        self._names, self._any_address = _served_names(host)

    def allows_host(self, header: str) -> bool:
        """Return whether a Host header names an address of the server; ports may be forwarded."""
        try:
            parts = urlsplit(f"//{header}")
        except ValueError:
            return False
        if parts.netloc != header or parts.hostname is None or parts.username is not None:
            return False
        return parts.hostname in self._names or (self._any_address and _is_address(parts.hostname))

    def allows_request(self, path: str, headers: Any) -> bool:
        """Return whether a request has the token, a Host of the server, and no foreign Origin."""
        hosts, origins = headers.get_all("Host"), headers.get_all("Origin")
        if len(hosts) != 1 or not self.allows_host(hosts[0]):
            return False
        origins_of_server = (f"http://{hosts[0]}".lower(), f"https://{hosts[0]}".lower())
        if any(origin.lower() not in origins_of_server for origin in origins):
            return False
        token = path.partition("?")[0].split("/")[1:2]
        return bool(token) and secrets.compare_digest(
            token[0].encode("utf-8", "surrogateescape"), self.token.encode()
        )

    def serve_options(self, options: dict[str, Any]) -> dict[str, Any]:
        """Add the rules to the options of `websockets.asyncio.server.serve`."""
        logger = logging.getLogger("jounce.viewer.live.server")
        logger.setLevel(logging.CRITICAL)  # refused requests are no news for the user's terminal
        self.installed = True
        return options | {
            "process_request": self._check_first(options.get("process_request")),
            "create_connection": _checked_connection(),
            "max_size": MAX_MESSAGE_BYTES,
            "logger": logger,
        }

    def _check_first(self, answer: Callable[..., Any] | None) -> Callable[..., Any]:
        """Wrap what answers requests: check them, and take the token off their paths."""

        def process_request(connection: Any, request: Any) -> Any:
            if not self.allows_request(request.path, request.headers):
                return connection.respond(403, f"{_FORBIDDEN}\n")
            path = request.path.removeprefix(f"/{self.token}")
            path = path if path.startswith("/") else f"/{path}"
            response = answer and answer(connection, dataclasses.replace(request, path=path))
            if response is not None:
                for name, value in _RESPONSE_HEADERS.items():
                    response.headers[name] = value
            return response

        return process_request


class GuardedHost(str):
    """Name of a host that carries the rules of its server to where the server is started."""

    guard: Guard

    def __new__(cls, host: str) -> GuardedHost:
        """Draw a new token."""
        self = super().__new__(cls, host)
        self.guard = Guard(host)
        return self


@contextmanager
def guarded_servers() -> Iterator[None]:
    """Let servers of websockets that start on a `GuardedHost` follow its rules.

    viser offers no hook for requests; it looks up the public function
    `websockets.asyncio.server.serve` when it starts. Other servers are not affected. Callers
    that start one must check that `Guard.installed` is true afterwards.
    """
    from websockets.asyncio import server

    with _patch_lock:
        serve: Any = server.serve

        @functools.wraps(serve, updated=())
        def guarded_serve(handler: Any, host: Any = None, port: Any = None, **options: Any) -> Any:
            if isinstance(host, GuardedHost):
                options = host.guard.serve_options(options)
            return serve(handler, host, port, **options)

        server.serve = guarded_serve  # pyright: ignore[reportAttributeAccessIssue]
        try:
            yield
        finally:
            server.serve = serve


@functools.cache
def _checked_connection() -> type:
    """Return a class of connections that drop the messages which are not acceptable."""
    from websockets.asyncio.server import ServerConnection

    class CheckedConnection(ServerConnection):
        async def recv(self, *arguments: Any, **options: Any) -> Any:
            while not is_acceptable(data := await super().recv(*arguments, **options)):
                pass
            return data

    return CheckedConnection


def is_acceptable(data: str | bytes) -> bool:
    """Return whether a message from a browser is of a known type and has finite numbers only."""
    from msgspec import MsgspecError, msgpack

    if isinstance(data, str):
        return False
    try:
        message = msgpack.decode(data)
        if not isinstance(message, dict) or message.get("type") not in _ACCEPTED_MESSAGES:
            return False
        if message["type"] == "GuiUpdateMessage" and [*message.get("updates", ())] != ["value"]:
            return False
        return _is_finite(message)
    except (MsgspecError, RecursionError, TypeError):
        return False


def _is_finite(value: Any) -> bool:
    """Return whether all numbers in nested lists and mappings are finite."""
    if isinstance(value, dict):
        return all(map(_is_finite, value.values()))
    if isinstance(value, list):
        return all(map(_is_finite, value))
    return not isinstance(value, float) or math.isfinite(value)


def _served_names(host: str) -> tuple[frozenset[str], bool]:
    """Return the names of a host, and whether any address is one.

    That is so for a server on all networks: which addresses lead to it, through containers and
    routers, is not known here. A web page cannot rebind an address, only a name.
    """
    entries = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    addresses = {str(entry[4][0]).partition("%")[0] for entry in entries}
    names = {host.lower(), *addresses}
    everywhere = any(ipaddress.ip_address(x).is_unspecified for x in addresses)
    if everywhere or any(ipaddress.ip_address(x).is_loopback for x in addresses):
        names |= {*LOCAL}
    if everywhere:
        host_name = socket.gethostname().lower()
        names |= {host_name, f"{host_name}.local"}
    return frozenset(names), everywhere


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
