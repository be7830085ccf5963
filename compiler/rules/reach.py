"""How far a rule looks: the most moves of the friend that its proof needs, counted down its lemmas."""

from __future__ import annotations

from hornbook.compiler.rules.admission import Entry, RuleBase
from hornbook.kb.ast.terms import Constant, GameStatement

WON = Constant("GI")


def friend_moves(base: RuleBase) -> dict[str, int]:
    """For each certified rule about a game, within how many of the friend's moves it says that the game is won.

    A rule by which he plays first counts his move and those of the lemmas that its proof rests on; a rule by which
    he plays second counts those of its lemmas, and one where the theory itself says how he wins.
    """
    found: dict[str, int] = {}
    ranked = sorted(
        (e for e in base if e.is_certified), key=lambda e: e.certificate.rank if e.certificate else 0
    )
    for entry in ranked:
        below = max((found.get(name, 0) for name in _lemmas(entry)), default=0)
        found[entry.rule.name] = 1 + below if _plays_first(entry) else max(1, below)
    return found


def _plays_first(entry: Entry) -> bool:
    head = entry.rule.head
    return isinstance(head, GameStatement) and head.value == WON


def _lemmas(entry: Entry) -> tuple[str, ...]:
    return () if entry.certificate is None else entry.certificate.lemmas
