"""Tokens by which clients are known: made for one run, or read from a file that only its owner can read.

Always true: tokens are kept as digests, and all of them are compared in constant time, so that the time of an answer says
nothing of a token.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hornbook.kb.sources.files import read_text
from hornbook.kb.text.escaping import on_one_line
from hornbook.kb.text.lines import lines_of
from hornbook.matcher.program.hornbook_error import HornbookError

SHORTEST = 20
"""Characters of a token; fewer could be guessed."""


class TokenError(HornbookError):
    """A file of tokens that is not used."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The digests of the tokens that are accepted, each with the name of its client."""

    digests: Mapping[bytes, str] = field(repr=False)

    @classmethod
    def of(cls, named: Mapping[str, str]) -> Tokens:
        """Tokens by the names of their clients."""
        return cls({_digest(token): name for name, token in named.items()})

    def name_of(self, presented: str) -> str | None:
        """The client whose token this is; None where it is nobody's."""
        wanted, found = _digest(presented), None
        for digest, name in self.digests.items():
            if hmac.compare_digest(digest, wanted):
                found = name
        return found


def made_token() -> str:
    """A token that nobody can guess, fit for a link."""
    return secrets.token_urlsafe(24)


def read_tokens(path: Path) -> Tokens:
    """The tokens of a file: on each line the name of a client and its token; empty lines and lines with `#` are passed over.

    Raises TokenError if others than its owner can read or change the file, or a line is none such; OSError.
    """
    _must_be_private(path)
    named: dict[str, str] = {}
    for number, line in enumerate(lines_of(read_text(path)), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        parts = line.split()
        if len(parts) != 2 or not line.isascii():
            raise TokenError(
                f"{path}:{number}:1: a line is the name of a client and its token: `shop {made_token()}`"
            )
        name, token = parts
        if len(token) < SHORTEST:
            raise TokenError(
                f"{path}:{number}:{line.rindex(token) + 1}: the token is short enough to be guessed; one of {SHORTEST} characters"
                f" or more is not: `{made_token()}`"
            )
        if name in named:
            raise TokenError(f"{path}:{number}:1: `{on_one_line(name)}` has a token already")
        named[name] = token
    if not named:
        raise TokenError(f"{path}:1:1: there is no token in it; write a line such as `shop {made_token()}`")
    return Tokens.of(named)


def _must_be_private(path: Path) -> None:
    """Where the system has such modes: nobody else reads or changes the file."""
    if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise TokenError(f"{path}: others than its owner may read or change it; `chmod 600 {path}` ends that")


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
