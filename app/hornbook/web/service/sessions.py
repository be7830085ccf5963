"""Sessions: facts that clients store for a while, separate for each session.

Invariants: The number of sessions is limited, in total and for each client. A session ends when it has not
been used for some time. A client with a token sees only its own sessions.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field

from hornbook.matcher.program.dataclass import dataclass
from hornbook.web.service.messages import SessionFacts


@dataclass(slots=True)
class ServiceSession:
    """A session with its owner and its facts."""

    facts: SessionFacts
    owner: str
    """The client that the session is counted for: a token or an address."""
    client: str | None
    until: float
    changing: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def name(self) -> str:
        return self.facts.session


class Sessions:
    """All sessions, in the order of their expiry."""

    def __init__(
        self, most: int, client_most: int, seconds: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.most, self.client_most, self.seconds, self._now = most, client_most, seconds, now
        self._found: OrderedDict[str, ServiceSession] = OrderedDict()
        self._beginning: Counter[str] = Counter()

    def __len__(self) -> int:
        self._end_old()
        return len(self._found)

    def name(self) -> str:
        """Return a random name for a session, which cannot be guessed."""
        return secrets.token_urlsafe(18)

    def why_full(self, owner: str) -> str | None:
        """Return the reason why a client cannot start another session; None if it can."""
        owned = sum(each.owner == owner for each in self._found.values()) if len(self) else 0
        if owned + self._beginning[owner] >= self.client_most:
            return f"the client has {self.client_most:,} sessions, the limit; end one, or wait until one ends"
        if len(self) + self._beginning.total() >= self.most:
            return f"there are {self.most:,} sessions, and no more are allowed; wait until one ends"
        return None

    @contextmanager
    def beginning(self, owner: str) -> Iterator[None]:
        """Count a session while it is being created, so that the limits hold."""
        self._beginning[owner] += 1
        try:
            yield
        finally:
            self._beginning[owner] -= 1
            if not self._beginning[owner]:
                del self._beginning[owner]

    def add(self, facts: SessionFacts, owner: str, client: str | None) -> ServiceSession:
        session = ServiceSession(facts, owner, client, self._now() + self.seconds)
        self._found[facts.session] = session
        return session

    def used(self, name: str, client: str | None) -> ServiceSession | None:
        """Return a client's session and extend its time; None if the client has none of this name."""
        self._end_old()
        session = self._found.get(name)
        if session is None or session.client != client:
            return None
        session.until = self._now() + self.seconds
        self._found.move_to_end(name)
        return session

    def end(self, session: ServiceSession) -> None:
        self._found.pop(session.name, None)

    def _end_old(self) -> None:
        while self._found and next(iter(self._found.values())).until <= self._now():
            self._found.popitem(last=False)
