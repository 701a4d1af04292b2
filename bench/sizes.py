"""What a browser loads for each page, JavaScript and CSS gzipped, in the language that weighs most.

Usage: ``python bench/sizes.py [--json]``. The weighing is web/scripts/size.mjs's; exit status 1 when a page is over its limit.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import build_client  # noqa: E402


def weigh() -> tuple[dict[str, int], int, str]:
    """Page to bytes of its heaviest language; the exit status of the weighing; its own words."""
    program, _ = build_client.node()
    done = subprocess.run([program, "scripts/size.mjs"], cwd=ROOT / "web", capture_output=True, text=True, check=False)
    pages = {}
    for line in done.stdout.splitlines():
        sizes = [int(size) for size in re.findall(r" (?:en|pt-BR|ja|el) (\d+)", line)]
        if sizes:
            pages[re.split(r"\s{2,}", line)[0]] = max(sizes)
    return pages, done.returncode, done.stdout + done.stderr


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    pages, status, words = weigh()
    if not pages:
        print(words, file=sys.stderr)
        return 2
    print(json.dumps({"pages": pages}) if options.json else words.rstrip())
    return status


if __name__ == "__main__":
    raise SystemExit(main())
