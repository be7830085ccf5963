"""The record of a run that checked proofs: JSON Lines, with the run first, then a row for each compiled
source.

The first row has `by`, the place of the proofs; the command, the date and the version of Coq; and `axioms`.
Each further row has the path of a `source` that people write, or of one that is `generated`, with its SHA-256
digest. A record may have more rows.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hornbook.compiler.trust.shown import NO_AXIOMS
from oracles.coq import tools

OF_THE_RUN = ("command", "date", "coq")
"""The fields that differ between two runs that check the same proofs."""
Row = Mapping[str, Any]


def head(by: str, command: str, **more: object) -> Row:
    """Return the first row of the record of a run that ends now, and that found no axioms."""
    run = {"command": command, "date": datetime.now(UTC).date().isoformat(), "coq": tools.version()}
    return {"by": by, **run, "axioms": NO_AXIOMS, **more}


def sources(digests: Mapping[str, str], generated: Collection[str]) -> list[Row]:
    """Return the rows of the compiled sources."""
    return [
        {"generated" if path in generated else "source": path, "sha256": digest}
        for path, digest in sorted(digests.items())
    ]


def read(path: Path) -> list[Row]:
    """Return the rows of a record, or none if it cannot be read."""
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError, RecursionError):
        return []
    return rows if all(isinstance(row, dict) for row in rows) else []


def text(rows: Iterable[Row]) -> str:
    """Return the text of a record for its file."""
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def differences(one: Iterable[Row], other: Iterable[Row]) -> list[str]:
    """Return the names of the rows that differ between two records; the fields of the run do not count."""
    first, second = ({_without_run(row): row for row in rows} for rows in (one, other))
    apart = [(first | second)[content] for content in sorted(first.keys() ^ second.keys())]
    names = (str(next(iter(row.values()), "")) if "by" not in row else "the first row" for row in apart)
    return list(dict.fromkeys(names))


def _without_run(row: Row) -> str:
    return json.dumps({name: value for name, value in row.items() if name not in OF_THE_RUN}, sort_keys=True)


def compare(place: Path, found: list[Row], *, write: bool) -> tuple[str, bool]:
    """Compare a record with the rows of a run, and write these if asked.

    Return a message, and whether the file is right now.

    A record of the same proofs remains unchanged, with the run that it names.
    """
    recorded = read(place)
    apart = differences(recorded, found)
    if not apart and len(recorded) == len(found):
        return "", True
    if write:
        place.write_text(text(found), encoding="utf-8")
        return f"{place.name} written", True
    named = ", ".join(apart[:5]) + (f" and {len(apart) - 5} more" if len(apart) > 5 else "")
    return f"{place} is not the record of these proofs; `--write` writes it anew: {named}", False
