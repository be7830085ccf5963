"""Sessions: facts that clients keep for a while, each for itself alone.

Always true: there are no more than so many, of one client too, each ends when it was not used for so long, and a client that is known by a token
sees its own alone.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from hornbook.web.service.messages import Standing


@dataclass(slots=True)
class Session:
    """A session, whose it is, and what it stands at."""

    standing: Standing
    owner: str
    """The client by which sessions are counted: a token's or an address."""
    client: str | None
    until: float
    changing: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def name(self) -> str:
        return self.standing.session


class Sessions:
    """All sessions, those first that end first."""

    def __init__(
        self, most: int, client_most: int, seconds: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.most, self.client_most, self.seconds, self._now = most, client_most, seconds, now
        self._found: OrderedDict[str, Session] = OrderedDict()
        self._beginning: Counter[str] = Counter()

    def __len__(self) -> int:
        self._end_old()
        return len(self._found)

    def name(self) -> str:
        """A name for a session that nobody can guess."""
        return secrets.token_urlsafe(18)

    def why_full(self, owner: str) -> str | None:
        """Return why a client cannot begin another session; None where it can."""
        owned = sum(each.owner == owner for each in self._found.values()) if len(self) else 0
        if owned + self._beginning[owner] >= self.client_most:
            return f"the client has {self.client_most:,} sessions, and no more are allowed; end one, or wait until one ends"
        if len(self) + self._beginning.total() >= self.most:
            return f"there are {self.most:,} sessions, and no more are allowed; wait until one ends"
        return None

    @contextmanager
    def beginning(self, owner: str) -> Iterator[None]:
        """Count a session that is not there yet, so that no more begin than are allowed."""
        self._beginning[owner] += 1
        try:
            yield
        finally:
            self._beginning[owner] -= 1
            if not self._beginning[owner]:
                del self._beginning[owner]

    def add(self, standing: Standing, owner: str, client: str | None) -> Session:
        session = Session(standing, owner, client, self._now() + self.seconds)
        self._found[standing.session] = session
        return session

    def used(self, name: str, client: str | None) -> Session | None:
        """The session of a client, which is used from now on; None where it has none of this name."""
        self._end_old()
        session = self._found.get(name)
        if session is None or session.client != client:
            return None
        session.until = self._now() + self.seconds
        self._found.move_to_end(name)
        return session

    def end(self, session: Session) -> None:
        self._found.pop(session.name, None)

    def _end_old(self) -> None:
        while self._found and next(iter(self._found.values())).until <= self._now():
            self._found.popitem(last=False)
