"""Where a server is found: its listening socket and the addresses to tell people. Quick to import, so a taken port is said at once."""

from __future__ import annotations

import ipaddress
import socket

STUCK_MS = 60_000
"""A peer that acknowledges nothing for so long is gone; without this, a half-open connection keeps its buffers for hours."""


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises ``OSError`` when the address is taken or is none of this machine's."""
    family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STUCK_MS)
        listener.bind(address)
        listener.listen(1024)
    except OSError:
        listener.close()
        raise
    return listener


def addresses(listener: socket.socket) -> list[str]:
    """The addresses under which a browser finds the server: on this machine first, then, if it listens to all, in the local network."""
    host, port = listener.getsockname()[:2]
    if not ipaddress.ip_address(host.partition("%")[0]).is_unspecified:
        return [f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"]
    found = [f"http://127.0.0.1:{port}/"]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: nothing is sent, the system only picks the way out
        except OSError:
            return found
        own = probe.getsockname()[0]
    return found if own.startswith("127.") else [*found, f"http://{own}:{port}/"]
