"""Messages between the server and its worker processes, and their encoding.

This module does not import the language, since the server only passes requests on.
"""

from __future__ import annotations

import pickle
import struct
from collections.abc import Iterable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

import msgspec

from hornbook.inputs.table_reading import TableReading
from hornbook.kb.ast.theory import GroundFact
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.web.service.replies import Kind

HEAD = struct.Struct("!I")
"""The prefix of each message with its length in bytes."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The theory, rules and facts to serve, and the limits of a request."""

    target: str
    rules: Path | None = None
    limits: Limits = field(default_factory=Limits)
    most: int = 10_000
    """The largest number of answers to a query."""
    most_session_facts: int = 10_000
    """The largest number of facts of a session."""
    growth: int = 512 * 2**20
    """The largest growth of a process in bytes. A larger process is replaced."""
    tables: tuple[str, ...] = ()
    """Tables with additional facts, as `--facts` names them."""
    reading: TableReading = TableReading()
    """How the tables are read."""
    most_answer_bytes: int = 10_000_000
    streams: Mapping[Path, str] = field(default_factory=dict)
    """The texts of the standard input and of pipes, which the processes of the service cannot read."""


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """The facts of a session, as additions to and retractions from the served facts."""

    session: str
    version: int
    added: tuple[GroundFact, ...] = ()
    retracted: tuple[GroundFact, ...] = ()

    def is_as(self, other: SessionFacts) -> bool:
        """Return whether the facts are the same, by session and version only."""
        return (self.session, self.version) == (other.session, other.version)

    def changed(self, retract: Iterable[GroundFact], add: Iterable[GroundFact]) -> SessionFacts:
        """Return the facts after a change; retractions come before additions."""
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
        return SessionFacts(self.session, self.version + 1, tuple(added), tuple(retracted))


@dataclass(frozen=True, slots=True)
class RefusedRequest:
    """The status and the body of a refusal, and a text for the log only."""

    status: int
    error: Kind
    message: str
    diagnostics: tuple[dict[str, Any], ...] = ()
    log: str | None = None

    @property
    def body(self) -> bytes:
        text = {"error": self.error, "message": self.message, "diagnostics": list(self.diagnostics)}
        return msgspec.json.encode(text)


class WorkRequest(msgspec.Struct, frozen=True):
    """A request: its kind, its body, and the facts of its session."""

    kind: str
    body: bytes = b""
    session_facts: SessionFacts | None = None


@dataclass(frozen=True, slots=True)
class ChangeNotice:
    """A change to the facts for all clients."""

    retract: tuple[GroundFact, ...]
    add: tuple[GroundFact, ...]


class Done(msgspec.Struct, frozen=True):
    """The result of a request: a response, a text for the log, and a new session or change for all."""

    status: int
    body: bytes
    log: str | None = None
    update: SessionFacts | ChangeNotice | None = None
    has_grown: bool = False
    must_end: bool = False
    """Whether the process may have other facts than the store, so that it must end."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The loaded theory, rules and facts, for the other processes of the pool."""

    opened: bytes
    served: dict[str, Any]


def packed(message: object) -> bytes:
    """Return a message with its length as prefix."""
    content = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return HEAD.pack(len(content)) + content
