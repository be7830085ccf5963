"""Memory growth of an answering process by requests with known words, and with new ones.

Usage:

    python benchmarks/service/words.py [--requests 20000] [--output FILE]
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks import study
from hornbook.kb.lower.budget import resident
from hornbook.web.service.answering import RequestAnswerer
from hornbook.web.service.messages import Setup
from hornbook.web.service.opened import opened
from hornbook.web.service.questions import Query

WARM = 2000
"""Number of requests before the measurement."""


def left(answering: RequestAnswerer, words: Sequence[str]) -> float:
    """Return the bytes that a request leaves in memory.

    Each word has one request, which adds a fact and queries it.
    """
    gc.collect()
    before = resident()
    for word in words:
        found = answering.query(
            Query(query=f"before colour({word}, ?c)", add=f"before colour({word}, black).")
        )
        assert found["answers"] == [{"c": "black"}]
    gc.collect()
    return (resident() - before) / len(words)


def main() -> int:
    given = study.options(__doc__, requests=20_000).parse_args()
    run = study.Study(__file__, given)
    setup = Setup("capture")
    answering = RequestAnswerer(opened(setup), setup)
    left(answering, ["old"] * WARM)
    known = left(answering, ["old"] * given.requests)
    words = [f"new_{number}" for number in range(given.requests)]
    new = left(answering, words)
    return run.finish(
        f"bytes that a request leaves in a process, of {given.requests} each:\n"
        f"  with words that were met before: {known:.1f}\n"
        f"  with a word that is new: {new:.1f}\n"
    )


if __name__ == "__main__":
    sys.exit(main())
