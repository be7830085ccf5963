"""Tokens that identify clients, generated for one run or read from a private file.

Invariants: Tokens are stored as digests. All of them are compared in constant time, so that the response time
reveals nothing about a token.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Literal, get_args

from hornbook.kb.sources.files import read_text
from hornbook.kb.text.escaping import on_one_line
from hornbook.kb.text.lines import lines_of
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError

SHORTEST = 20
"""The least number of characters of a token. A shorter one could be guessed."""


class TokenError(HornbookError):
    """A file of tokens cannot be used."""


Role = Literal["query", "update", "reload"]
"""A permission of a client.

`query`: queries, also in sessions. `update`: changes to the facts of the store. `reload`: reloading the
theory.
"""
ROLES: frozenset[Role] = frozenset(get_args(Role))
DEFAULT_ROLES: frozenset[Role] = frozenset(("query",))
"""The roles of a token whose line names none."""


@dataclass(frozen=True, slots=True)
class Client:
    """A client that has a token."""

    name: str
    roles: frozenset[Role] = ROLES


@dataclass(frozen=True, slots=True)
class Tokens:
    """The digests of the accepted tokens, each with its client."""

    digests: Mapping[bytes, Client] = field(repr=False)

    @classmethod
    def of(cls, named: Mapping[str, str]) -> Tokens:
        """Return tokens by the names of their clients, which have all roles."""
        return cls({_digest(token): Client(name) for name, token in named.items()})

    def client_of(self, presented: str) -> Client | None:
        """Return the client with this token, or None."""
        presented_digest, found = _digest(presented), None
        for digest, client in self.digests.items():
            if hmac.compare_digest(digest, presented_digest):
                found = client
        return found


def made_token() -> str:
    """Return a random token that fits in a link."""
    return secrets.token_urlsafe(24)


def read_tokens(path: Path) -> Tokens:
    """Read a file of tokens.

    Each line has the name of a client, its token and its roles, such as `shop TOKEN query,update`. A client
    without roles has the role `query`. Empty lines and lines that begin with `#` are ignored.

    Raises:
        TokenError: If other users can read or change the file, or a line is malformed.
        OSError: If the file cannot be read.
    """
    _must_be_private(path)
    found: dict[bytes, Client] = {}
    names: set[str] = set()
    for number, line in enumerate(lines_of(read_text(path)), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        parts = line.split()
        if not 2 <= len(parts) <= 3 or not line.isascii():
            raise TokenError(
                f"{path}:{number}:1: a line must have the name of a client, its token and its roles: `shop"
                f" {made_token()} query,update`"
            )
        name, token, *rest = parts
        if len(token) < SHORTEST:
            raise TokenError(
                f"{path}:{number}:{line.rindex(token) + 1}: the token is so short that it could be guessed;"
                f" use at least {SHORTEST} characters, such as `{made_token()}`"
            )
        if name in names:
            raise TokenError(f"{path}:{number}:1: `{on_one_line(name)}` has a token already")
        if (digest := _digest(token)) in found:
            raise TokenError(f"{path}:{number}:1: `{on_one_line(name)}` has the token of another client")
        names.add(name)
        roles = _roles(rest[0], f"{path}:{number}:{line.rindex(rest[0]) + 1}") if rest else DEFAULT_ROLES
        found[digest] = Client(name, roles)
    if not found:
        raise TokenError(f"{path}:1:1: the file has no token; add a line such as `shop {made_token()}`")
    return Tokens(found)


def _roles(text: str, place: str) -> frozenset[Role]:
    """Return the roles in a comma-separated list. Raise TokenError if one is unknown."""
    named = text.split(",")
    roles = frozenset(role for role in ROLES if role in named)
    if len(roles) < len(named):
        raise TokenError(
            f"{place}: roles are `query`, `update` and `reload`, with commas between them and no spaces"
        )
    return roles


def _must_be_private(path: Path) -> None:
    """Raise TokenError if other users can read or change the file, on systems with file modes."""
    if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise TokenError(
            f"{path}: other users may read or change the file; prevent this with `chmod 600 {path}`"
        )


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
