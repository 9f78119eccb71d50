"""Server of a viewer: choice of the port, start, address and stop."""

from __future__ import annotations

import errno
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from jounce.errors import ArgumentError, JounceWarning, warn
from jounce.viewer.live.access import LOCAL, GuardedHost, guarded_servers

#: First port that is tried, and how many ports are tried.
FIRST_PORT, MAX_PORTS_TRIED = 8080, 200


def viser() -> Any:
    """Import and return the package `viser`.

    Returns
    -------
    module

    Raises
    ------
    ImportError
        If it is not installed; the message has the command that installs it.
    """
    try:
        import viser
    except ImportError:
        raise ImportError(
            "the viewer needs viser, which is not installed: pip install 'jounce[view]'"
        ) from None
    return viser


def choose_port(host: str, port: int | None) -> int:
    """Return the port asked for if it is free, or the first free one from `FIRST_PORT` on."""
    if port is not None:
        if isinstance(port, bool) or not isinstance(port, int) or not 1 <= port <= 65535:
            raise ArgumentError(f"port: expected a whole number from 1 to 65535, found {port!r}")
        if _is_port_free(host, port):
            return port
        raise ArgumentError(
            f"port {port} of {host} is taken; choose another, or omit port to use a free one"
        )
    for candidate in range(FIRST_PORT, FIRST_PORT + MAX_PORTS_TRIED):
        if _is_port_free(host, candidate):
            return candidate
    raise ArgumentError(
        f"ports {FIRST_PORT} to {FIRST_PORT + MAX_PORTS_TRIED - 1} of {host} are all taken;"
        " pass another port"
    )


def _is_port_free(host: str, port: int) -> bool:
    """Return whether a server can listen on a port; raise if the host is another machine."""
    try:
        if not isinstance(host, str):
            raise OSError
        places = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError:
        raise ArgumentError(
            f"host: expected a name or address of this machine, such as 'localhost' or '0.0.0.0',"
            f" found {host!r}"
        ) from None
    for family, kind, protocol, _, address in places:
        with socket.socket(family, kind, protocol) as probe:
            if (
                sys.platform != "win32"
            ):  # As servers do, so that ports that are being closed can be reused.
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            try:
                probe.bind(address)
            except PermissionError:
                raise ArgumentError(
                    f"port {port} of {host} is reserved for the system; choose a port >= 1024"
                ) from None
            except OSError as error:
                if error.errno == errno.EADDRNOTAVAIL:
                    raise ArgumentError(
                        f"host: '{host}' is not an address of this machine; choose 'localhost', or"
                        " '0.0.0.0' for all of its networks"
                    ) from None
                return False
    return True


def start(host: str, port: int | None, label: str) -> Any:
    """Start a viser server with the access rules of `access`; it prints only errors.

    Raises
    ------
    ArgumentError
        If the host is not an address of this machine, or the port is taken.
    RuntimeError
        If viser has started its server without the rules.
    """
    library = viser()
    chosen = choose_port(host, port)
    if host not in LOCAL:
        warn(
            f"the viewer listens on {host}: anyone with its address and token, or with access to"
            " the network traffic, can see and move the robot; omit host to serve this"
            " machine only",
            JounceWarning,
        )
    place = GuardedHost(host)
    with _suppress_output(), guarded_servers():
        server = library.ViserServer(host=place, port=chosen, label=label, verbose=False)
    if not place.guard.installed:
        stop(server)
        raise RuntimeError(
            f"the viewer cannot restrict access to its server with viser {library.__version__};"
            " install another version of viser"
        )
    server.gui.configure_theme(show_share_button=False, show_logo=False, control_width="medium")
    return server


def stop(server: Any) -> None:
    """Stop a server and disconnect its clients."""
    with _suppress_output():
        server.stop()


def address(server: Any) -> str:
    """Return the URL of the server for a browser on this machine, with the token."""
    host = server.get_host()
    token = host.guard.token
    shown = "localhost" if host in (*LOCAL, "0.0.0.0", "::") else host
    shown = f"[{shown}]" if ":" in shown else shown
    return f"http://{shown}:{server.get_port()}/{token}/"


@contextmanager
def _suppress_output() -> Iterator[None]:
    """Suppress the output of viser to the global console of rich."""
    import rich

    console = rich.get_console()
    before, console.quiet = console.quiet, True
    try:
        yield
    finally:
        console.quiet = before
