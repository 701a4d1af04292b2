"""Serve the table for `make play`: on the wanted port, or on the next free one where none was asked for by hand."""

from __future__ import annotations

import argparse
import os
import socket
import sys

DEFAULT_PORT = 8000


def is_free(host: str, port: int) -> bool:
    """Whether a server could listen there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def choose(host: str, port: int) -> int | None:
    """The wanted port; if it is the default and taken, the next free one within 50; ``None`` if there is none."""
    if is_free(host, port):
        return port
    if port != DEFAULT_PORT:
        return None
    return next((other for other in range(port + 1, port + 51) if is_free(host, other)), None)


def main() -> None:
    """Choose the port, then become the server."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=DEFAULT_PORT)
    parser.add_argument("--data", required=True)
    options = parser.parse_args()
    port = choose(options.host, options.port)
    if port is None:
        print(f"port {options.port} is taken: choose another, for example  make play PORT={options.port + 1}", file=sys.stderr)
        sys.exit(2)
    if port != options.port:
        print(f"port {options.port} is taken, using {port}", flush=True)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # the next start is quicker for what this one compiles
    command = [sys.executable, "-m", "sandriver", "serve", "--host", options.host, "--port", str(port), "--data", options.data]
    os.execv(sys.executable, command)


if __name__ == "__main__":
    main()
