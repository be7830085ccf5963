"""Sessions: facts that clients keep for a while, each for itself alone.

Always true: there are no more than so many, each ends when it was not used for so long, and a client that is known by a token
sees its own alone.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from hornbook.web.service.messages import Standing


@dataclass(slots=True)
class Session:
    """A session, whose it is, and what it stands at."""

    standing: Standing
    client: str | None
    until: float
    changing: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def name(self) -> str:
        return self.standing.session


class Sessions:
    """All sessions, those first that end first."""

    def __init__(self, most: int, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self.most, self.seconds, self._now = most, seconds, now
        self._found: OrderedDict[str, Session] = OrderedDict()

    def __len__(self) -> int:
        self._end_old()
        return len(self._found)

    def name(self) -> str:
        """A name for a session that nobody can guess."""
        return secrets.token_urlsafe(18)

    @property
    def is_full(self) -> bool:
        return len(self) >= self.most

    def add(self, standing: Standing, client: str | None) -> Session:
        session = self._found[standing.session] = Session(standing, client, self._now() + self.seconds)
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
