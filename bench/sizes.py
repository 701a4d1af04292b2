"""What the browser downloads: every script and style of the built client, gzipped, and how much of it the first page needs.

Usage: ``python bench/sizes.py [--json]``. Exit status 1 when all of it is over the limit.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from pathlib import Path

STATIC = Path(__file__).resolve().parent.parent / "src" / "sandriver" / "server" / "static"
LIMIT = 60_000


def sizes() -> dict[str, int]:
    """File name to gzipped size in bytes."""
    files = [path for path in sorted(STATIC.rglob("*")) if path.suffix in {".js", ".css"}]
    return {path.relative_to(STATIC).as_posix(): len(gzip.compress(path.read_bytes(), 9)) for path in files}


def one_reader(found: dict[str, int]) -> int:
    """The most that one reader downloads: everything, but of the modules that exist once a language only the largest language's."""
    languages = ("en", "pt-BR", "ja", "el")
    by_language = {tag: sum(size for name, size in found.items() if Path(name).name.startswith(f"{tag}-")) for tag in languages}
    return sum(found.values()) - sum(by_language.values()) + max(by_language.values())


def main() -> int:
    """Measure, print, compare with the limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = sizes()
    if not found:
        print("the client is not built: make web", file=sys.stderr)
        return 2
    result = {"one_reader": one_reader(found), "all_languages": sum(found.values()), "limit": LIMIT, "files": found}
    if options.json:
        print(json.dumps(result))
    else:
        for name, size in found.items():
            print(f"{size:8,} {name}")
        print(f"{result['one_reader']:8,} bytes for one reader, {result['all_languages']:,} with all languages; limit {LIMIT:,}")
    return 0 if one_reader(found) <= LIMIT else 1


if __name__ == "__main__":
    raise SystemExit(main())
