"""How long `sandriver serve` takes from the command to the first page it answers with 200.

Usage: ``python bench/startup.py [--runs 5] [--json]``. Each run is a new process with an empty data folder.
"""

from __future__ import annotations

import argparse
import http.client
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time

COMMAND = [sys.executable, "-m", "sandriver", "serve", "--port", "0", "--data"]


def once() -> float:
    """Seconds from starting the process to a complete answer."""
    with tempfile.TemporaryDirectory() as data:
        began = time.perf_counter()
        process = subprocess.Popen([*COMMAND, data], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            found = re.search(r"http://([\d.]+):(\d+)", line)
            if found is None:
                raise SystemExit(f"the server said {line!r} and no address")
            connection = http.client.HTTPConnection(found[1], int(found[2]), timeout=10)
            connection.request("GET", "/")
            answer = connection.getresponse()
            answer.read()
            took = time.perf_counter() - began
            if answer.status != 200:
                raise SystemExit(f"the page was answered with {answer.status}: is the client built? (make web)")
            connection.close()
        finally:
            process.terminate()
            process.wait(10)
            if process.stdout is not None:
                process.stdout.close()
    return took


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    times = [once() for _ in range(options.runs)]
    result = {"seconds": round(statistics.median(times), 3), "best": round(min(times), 3), "runs": len(times)}
    print(json.dumps(result) if options.json else f"ready after {result['seconds']} s (best {result['best']} s of {result['runs']})")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
