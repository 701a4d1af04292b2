"""``sandriver verify``: was a finished game played with the shuffle that was committed to before its first card fell?"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sandriver.cli.refusals import refuse

EXAMPLE = "example: sandriver verify game.txt (the record as the table offers it for download; - reads standard input)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the record."""
    parser.epilog = EXAMPLE
    parser.add_argument("record", metavar="RECORD", help="file with the record of a finished game; -: standard input")


def run(arguments: argparse.Namespace) -> int:
    """Check the record and print what was found; return the exit status: 2 when something is wrong, with the line that is."""
    from sandriver.games import GAMES
    from sandriver.tables.errors import RecordError
    from sandriver.tables.record import SIZE_LIMIT, format_result
    from sandriver.tables.verify import verify

    name = "standard input" if arguments.record == "-" else arguments.record
    try:
        if arguments.record == "-":
            data = sys.stdin.buffer.read(SIZE_LIMIT + 1)
        else:
            with Path(arguments.record).open("rb") as file:
                data = file.read(SIZE_LIMIT + 1)
        verified = verify(data.decode(errors="strict" if len(data) <= SIZE_LIMIT else "replace"), GAMES)
    except OSError as error:
        return refuse("verify", f"{name}: {error.strerror or error}")
    except ValueError as error:  # RecordError, or bytes that are no text
        return refuse("verify", f"{name}: {error if isinstance(error, RecordError) else 'not UTF-8 text'}")
    record = verified.record
    assert record.result is not None
    game = GAMES[record.game]
    print(f"{name}: every card fell as committed")
    print(f"  {record.game}, table {record.table}, {' and '.join(f'{seat.seat} {seat.name!r}' for seat in record.seats)}")
    print("  the commitment is the SHA-256 of the secret")
    print(f"  start and the chance of all {len(record.moves)} moves follow from the secret and the seats' nonces")
    print(f"  end: {game.format_position(verified.end)}")
    print(f"  result: {format_result(record.result, game.seat_names)}")
    return 0
