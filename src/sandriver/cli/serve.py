"""``sandriver serve``: the page and its tables, on this machine or for everybody in the local network."""

from __future__ import annotations

import argparse
import contextlib
import webbrowser
from pathlib import Path

from sandriver.cli.refusals import refuse

EXAMPLE = "examples: sandriver serve --open;  sandriver serve --host 0.0.0.0 (phones in the same network can join)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options; what is not given comes from ``SANDRIVER_…`` or the defaults."""
    parser.epilog = EXAMPLE
    parser.add_argument("--host", metavar="ADDRESS", help="address to listen on (default 127.0.0.1; 0.0.0.0: the whole network)")
    parser.add_argument("--port", type=int, metavar="N", help="port to listen on (default 8000; 0: any free one)")
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder in which the tables are kept (default: data)")
    parser.add_argument("--database", dest="database_url", metavar="URL", help="database for several processes: postgresql://…")
    parser.add_argument("--bus", dest="bus_url", metavar="URL", help="Valkey or Redis by which they hear of each other: redis://…")
    parser.add_argument("--origin", dest="origins", action="append", metavar="URL", help="further origin that may use it; repeatable")
    parser.add_argument("--proxies", metavar="LIST", help="reverse proxies to believe, comma-separated (default: this machine)")
    parser.add_argument("--rates", type=float, metavar="X", help="factor on all rate limits (default 1)")
    parser.add_argument("--bot-pause", type=float, metavar="X", help="factor on the pause before a bot's move (default 1; 0: none)")
    parser.add_argument("--log", choices=("text", "json"), help="how the log is written, one line an event (default text)")
    parser.add_argument("--metrics-port", type=int, metavar="N", help="own port for Prometheus and probes (default: none)")
    parser.add_argument("--metrics-host", metavar="ADDRESS", help="address of that port (default 127.0.0.1)")
    parser.add_argument("--log-level", choices=("debug", "info", "warning", "error"), help="what is logged (default warning)")
    parser.add_argument("--open", action="store_true", help="open the page in the browser")


def run(arguments: argparse.Namespace) -> int:
    """Serve until interrupted; return the exit status: 2 for a setting or address that cannot be used."""
    from sandriver.server.listener import addresses, listen
    from sandriver.server.settings import Settings, SettingsError

    given = {name: value for name, value in vars(arguments).items() if name in Settings.__struct_fields__}
    try:
        settings = Settings.load(**given)
    except SettingsError as error:
        return refuse("serve", str(error))
    listeners = []
    for host, port in ((settings.host, settings.port), (settings.metrics_host, settings.metrics_port)):
        if port is not None:
            try:
                listeners.append(listen(host, port))
            except OSError as error:
                return refuse("serve", f"cannot listen on {host} port {port}: {error.strerror or error}")
    listener, metrics_listener = listeners[0], listeners[1] if len(listeners) > 1 else None
    from sandriver.server.run import run as run_server  # a second of imports, only once nothing else can be wrong
    from sandriver.server.storage import where
    from sandriver.tables.errors import StoreFailed

    found = addresses(listener)

    def ready() -> None:
        print(f"Sandriver is ready: {found[0]}", flush=True)
        for other in found[1:]:
            print(f"In your network:    {other}", flush=True)
        if metrics_listener is not None:
            print(f"Figures:            {addresses(metrics_listener)[0]}metrics", flush=True)
        if arguments.open:
            webbrowser.open(found[0])

    with contextlib.ExitStack() as held:
        for each in listeners:
            held.enter_context(each)
        try:
            run_server(settings, listener, ready, metrics_listener)
        except (StoreFailed, OSError) as error:
            return refuse("serve", f"cannot keep tables in {where(settings)}: {getattr(error, 'strerror', None) or error}")
    return 0
