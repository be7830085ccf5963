"""The rows of a store as frozen data classes. Data that the store does not interpret stay text.

The certificate and the provenance of a rule are JSON that `compiler/rules/stored_rules.py` writes and reads.
Here they are only stored, compared and checked for damage.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Literal

from hornbook.matcher.program.dataclass import dataclass

State = Literal["active", "forgotten", "retired"]
STATES: tuple[State, ...] = ("active", "forgotten", "retired")
"""The states of a rule: in use; stored for restoration and for dependent proofs; stored as a record only."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """One file of a theory.

    - `imports`: The number of the file of each import.
    - `proofs`: The text of the proofs of its lemmas.
    """

    path: str
    text: str
    imports: Mapping[str, int]
    proofs: str = ""


@dataclass(frozen=True, slots=True)
class StoredTheory:
    """A theory as text: all its files, imports first, its own file last.

    `target` is the name of a registered theory, or the path of its file.
    """

    name: str
    target: str
    files: tuple[StoredFile, ...]

    @property
    def fingerprint(self) -> str:
        return fingerprint_of_texts(file.text for file in self.files)


@dataclass(frozen=True, slots=True)
class StoredRule:
    """A learned rule: its text in the language, its proof and origin as JSON, and its state.

    - `reason`: The reason why it is not active.
    - `learned`: The time (UTC).
    - `versions`: The versions of the program that wrote it, as JSON.
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
    """An example or problem of a learning run. `task` identifies it, and `outcome` is JSON."""

    name: str
    file: str
    task: str
    content: str
    outcome: str
    seconds: float
    learned: str = ""


@dataclass(frozen=True, slots=True)
class Use:
    """Statistics of the use of a rule.

    - `asked`: The number of problems (or positions) for which it was tried.
    - `fired`: The number of those that it answered.
    - `states`: The number of states that were matched for them.
    - `last`: The time of the last use.
    """

    asked: int
    fired: int
    states: int
    last: str = ""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """The savings of a rule per answer, and its cost of matching, both in seconds.

    - `saved_seconds`: The time of proving the problem that the rule was learned from.
    - `match_seconds`: The mean cost of one state.
    - `states`: The number of measured states.
    """

    saved_seconds: float
    match_seconds: float
    states: int
    measured: str = ""

    def value(self, use: Use) -> float | None:
        """Return the average seconds that the rule saves per problem: savings × frequency − match cost
        (Minton 1988).

        None is returned if the rule was never used or its matching was never measured.
        """
        if use.asked == 0 or self.states == 0:
            return None
        return self.saved_seconds * use.fired / use.asked - self.match_seconds * use.states / use.asked


@dataclass(frozen=True, slots=True)
class Event:
    """An event in the history of the store: its time (UTC), its kind, and details as JSON."""

    happened: str
    what: str
    detail: str


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def fingerprint_of_texts(texts: Any) -> str:
    """Return a digest of the texts of all files of a theory, independent of their paths."""
    return digest("\n".join(sorted(digest(text) for text in texts)))


def now() -> str:
    """Return the current time in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
