"""What the server and the processes that answer say to each other, and how it goes through a channel.

Nothing here needs the language: the server itself only passes on what it is sent.
"""

from __future__ import annotations

import pickle
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from hornbook.kb.ast.theory import GroundFact
from hornbook.matcher.program.coded import Limits
from hornbook.web.service.replies import Kind

HEAD = struct.Struct("!I")
"""Before each message stands its length in bytes."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What is to be served, and what one request may take of it."""

    target: str
    rules: Path | None = None
    limits: Limits = field(default_factory=Limits)
    most: int = 10_000
    """Answers to a query."""
    most_session_facts: int = 10_000
    """Facts of a session."""
    growth: int = 512 * 2**20
    """Bytes by which a process may grow before another takes its place."""
    tables: tuple[str, ...] = ()
    """Tables with more facts, as `--facts` names them."""
    skip_bad: bool = False
    """Whether rows that do not fit are left out, and told."""
    most_answer_bytes: int = 10_000_000
    streams: Mapping[Path, str] = field(default_factory=dict)
    """The texts of the standard input and of pipes, which the processes of the service cannot read."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The facts of a session: those that it has added, and those that are served but not there for it."""

    session: str
    version: int
    added: tuple[GroundFact, ...] = ()
    retracted: tuple[GroundFact, ...] = ()

    def is_as(self, other: Standing) -> bool:
        """Whether they are the same facts, without looking at them."""
        return (self.session, self.version) == (other.session, other.version)

    def changed(self, retract: Iterable[GroundFact], add: Iterable[GroundFact]) -> Standing:
        """The facts after a change: what goes goes first."""
        added, retracted = dict.fromkeys(self.added), dict.fromkeys(self.retracted)
        for fact in retract:
            if fact in added:
                del added[fact]
            else:
                retracted[fact] = None
        for fact in add:
            if fact in retracted:
                del retracted[fact]
            else:
                added[fact] = None
        return Standing(self.session, self.version + 1, tuple(added), tuple(retracted))


@dataclass(frozen=True, slots=True)
class Refused:
    """The status and the body of a refusal, and what only the log is told."""

    status: int
    error: Kind
    message: str
    diagnostics: tuple[dict[str, Any], ...] = ()
    log: str | None = None

    @property
    def body(self) -> bytes:
        said = {"error": self.error, "message": self.message, "diagnostics": list(self.diagnostics)}
        return msgspec.json.encode(said)


@dataclass(frozen=True, slots=True)
class Work:
    """A request: what is asked, as it was sent, and the facts of the session that asks."""

    kind: str
    body: bytes = b""
    standing: Standing | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """Facts that were changed for all."""

    retract: tuple[GroundFact, ...]
    add: tuple[GroundFact, ...]


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a request: the answer, what only the log is told, and what is to be kept: a session or a change for all."""

    status: int
    body: bytes
    log: str | None = None
    kept: Standing | Told | None = None
    has_grown: bool = False
    must_end: bool = False
    """Its facts may be others than those of the store."""


@dataclass(frozen=True, slots=True)
class Ready:
    """What is served, for the other processes that serve it."""

    opened: bytes
    served: dict[str, Any]


def packed(message: object) -> bytes:
    """A message with its length before it."""
    content = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return HEAD.pack(len(content)) + content
