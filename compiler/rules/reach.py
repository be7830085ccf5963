"""The depth of rules: the maximum number of the friend's moves that a proof needs, including its lemmas."""

from __future__ import annotations

from hornbook.compiler.rules.admission import RuleBase, RuleEntry
from hornbook.kb.ast.terms import WON, GameStatement


def friend_moves(base: RuleBase) -> dict[str, int]:
    """Return for each certified rule about a game the number of the friend's moves within which it states a
    win.

    If the friend plays first, the number is one more than that of the lemmas. If he plays second, it is the
    number of the lemmas, and 1 if the theory itself defines the win.
    """
    found: dict[str, int] = {}
    ranked = sorted(
        (e for e in base if e.is_certified), key=lambda e: e.certificate.rank if e.certificate else 0
    )
    for entry in ranked:
        below = max((found.get(name, 0) for name in _lemmas(entry)), default=0)
        found[entry.rule.name] = 1 + below if _plays_first(entry) else max(1, below)
    return found


def _plays_first(entry: RuleEntry) -> bool:
    head = entry.rule.head
    return isinstance(head, GameStatement) and head.value == WON


def _lemmas(entry: RuleEntry) -> tuple[str, ...]:
    return () if entry.certificate is None else entry.certificate.lemmas
