"""Variables alike: two variables of a rule, both in use, of which one name is most likely a slip of the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from hornbook.kb.check.levels import Level
from hornbook.kb.check.subject import Subject
from hornbook.kb.sources.diagnostics import Diagnostic, warning

SHORTEST = 3
"""Letters of the shortest names that are compared."""
MOST = 30
"""Rules with more variables are left alone: programs write them."""
CONFUSED = frozenset(map(frozenset, ("mn", "il", "uv", "vw")))
"""Letters that are taken for each other, by the eye or by the finger."""


def check_alike(subject: Subject) -> Iterator[Diagnostic]:
    """HB053: of variables that stand in one place only, HB021 speaks."""
    for reading in subject.readings():
        for level in (reading.level, *reading.level.all_inner()):
            yield from _alike(level)


def _alike(level: Level) -> Iterator[Diagnostic]:
    used = {
        name: places
        for name, places in level.own.items()
        if len(places) > 1 and len(name) >= SHORTEST and places[0].calculation is None
    }
    if len(used) > MOST:
        return
    for one, other in combinations(used, 2):
        if are_alike(one, other):
            first, second = sorted(
                (used[one][0], used[other][0]), key=lambda place: (place.span.line, place.span.column)
            )
            message = f"`?{first.name}` and `?{second.name}` are two variables"
            help_ = "if one is meant, write one name; if two are, choose names that differ more"
            yield warning("HB053", message, second.span, help_)


def are_alike(one: str, other: str) -> bool:
    """Whether the names differ in capitals, in letters that stand in each other's place, or in one that is easily confused."""
    if one.lower() == other.lower():
        return True
    if len(one) != len(other):
        return False
    places = [place for place, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    if len(places) == 1:
        return frozenset((one[places[0]], other[places[0]])) in CONFUSED
    if len(places) != 2 or places[1] != places[0] + 1:
        return False
    i, j = places
    return one[i] == other[j] and one[j] == other[i] and one[i : j + 1].isalpha()
