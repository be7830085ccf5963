"""The rows of a store as frozen Python data; what the store does not interpret stays text.

The certificate and the provenance of a rule are JSON that `compiler/rules/stored_rules.py` writes and reads; here they
are kept, compared and checked for damage, and never understood.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

State = Literal["active", "forgotten", "retired"]
STATES: tuple[State, ...] = ("active", "forgotten", "retired")
"""Matched; kept for restoring and for the proofs that rest on it; kept only to say what became of it."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """One file of a theory: its text, the number of the file that each of its imports led to, and the text of the proofs of lemmas
    beside it.
    """

    path: str
    text: str
    imports: Mapping[str, int]
    proofs: str = ""


@dataclass(frozen=True, slots=True)
class StoredTheory:
    """A theory as text: every file that it is made of, imports first, its own file last.

    `target` is what it was opened by: the name of a registered theory, or the path of its file.
    """

    name: str
    target: str
    files: tuple[StoredFile, ...]

    @property
    def fingerprint(self) -> str:
        return fingerprint_of_texts(file.text for file in self.files)


@dataclass(frozen=True, slots=True)
class StoredRule:
    """A learned rule: its text in the language, its proof and origin as JSON, and whether it is matched.

    `reason` says why it is not active. `learned` is the moment (UTC), `versions` JSON with what wrote it.
    """

    name: str
    text: str
    certificate: str | None = None
    provenance: str | None = None
    state: State = "active"
    reason: str = ""
    learned: str = ""
    versions: str = ""

    @property
    def fingerprint(self) -> str:
        return digest(json.dumps([self.name, self.text, self.certificate, self.provenance]))


@dataclass(frozen=True, slots=True)
class StoredExample:
    """An example or problem that was learned from: `task` tells it from all others, `outcome` is JSON."""

    name: str
    file: str
    task: str
    content: str
    outcome: str
    seconds: float
    learned: str = ""


@dataclass(frozen=True, slots=True)
class Use:
    """How often a rule was asked: in how many problems (or positions), how many of these it answered, how many states
    were matched for them, and when last.
    """

    asked: int
    fired: int
    states: int
    last: str = ""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """What a rule saves where it answers, and what matching it costs, both in seconds.

    `saved_seconds` is what proving the problem took that the rule was learned from; `match_seconds` is the cost of one
    state, a mean over `states` states.
    """

    saved_seconds: float
    match_seconds: float
    states: int
    measured: str = ""

    def value(self, use: Use) -> float | None:
        """Seconds that the rule saves in a problem on average: savings × frequency − match cost (Minton 1988).

        None where the rule was never asked, or matching it never measured: then it is not known.
        """
        if use.asked == 0 or self.states == 0:
            return None
        return self.saved_seconds * use.fired / use.asked - self.match_seconds * use.states / use.asked


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to the store: when (UTC), what, and JSON that says more."""

    happened: str
    what: str
    detail: str


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def fingerprint_of_texts(texts: Any) -> str:
    """Changes with the text of any file of a theory, and not with where the files stand."""
    return digest("\n".join(sorted(digest(text) for text in texts)))


def now() -> str:
    """The moment, in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
