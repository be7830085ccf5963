"""A learned rule on a board: a position in which it answers, with the places marked that it speaks of.

Without a position, it is the one that the rule was learned from, where that is still to be found: a problem in its file, or
in a file of that name beside the theory, or the state of an example. A rule that was learned of a position on the way to a
solution is drawn in the first of these problems, or of the positions that can be played from its own, in which it answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbook.api.learned_rules import LearnedRules
from hornbook.compiler.rules.provenance import Provenance
from hornbook.inputs.domains import NoPictureError, the_domain
from hornbook.inputs.states import read_state
from hornbook.kb.ast.theory import Theory
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.theories.not_said import NotSaidError

if TYPE_CHECKING:
    from hornbook.theories.domain import Domain


MOST_PLAYED = 2_000
"""Positions on the way to the solution of a problem that are looked at."""


def rule_picture(rules: LearnedRules, name: str, position: Path | None = None) -> str:
    """The picture as SVG. Raises NoPictureError where the rule answers in no position that is found, or no domain draws it."""
    learned = LearnedRules(rules.theory, rules.base, asked=frozenset([name]))
    origin = rules.base.entries[name].provenance
    positions: Iterator[Any] = iter(())
    if position is not None:
        positions = iter((read_state(rules.theory, position),))
    elif origin is not None:
        positions = _states(origin, rules.theory)
    answer = next((answer for each in positions for answer in learned.match(each)), None)
    if answer is None:
        where = "the positions that it was learned from" if position is None else position
        raise NoPictureError(
            f"`{name}` does not answer in {where}; name a position in which it does (--state)"
        )
    return answer.svg()


def _states(origin: Provenance, theory: Theory) -> Iterator[Any]:
    """The positions in which a rule may answer: first that of its own lesson or example, as far as it is to be found."""
    for example in theory.examples:
        if example.name == origin.example and example.source is not None and theory.path is not None:
            source = theory.path.parent / example.source
            if source.is_file():
                yield read_state(theory, source)
    domain = the_domain(theory, "how its states are drawn", NoPictureError)
    files = [Path(origin.file)]
    with suppress(NotSaidError):
        files.append(domain.shipped().parent / Path(origin.file).name)
    for file in files:
        if file.is_file() and file.suffix in domain.suffixes:
            # A file may have changed since.
            with suppress(HornbookError, OSError):
                lessons = domain.lessons(file, theory)
                own = [each.state for each in lessons if each.name == origin.example]
                yield from own
                yield from (each.state for each in lessons if each.name != origin.example)
                yield from islice(_played(domain, own), MOST_PLAYED)
                return


def _played(domain: Domain, states: list[Any]) -> Iterator[Any]:
    """What can be played from some states, one move after the other."""
    found: list[Any] = []
    for state in states:
        for action in domain.actions(state):
            after = domain.after(state, action)
            if after is not None:
                found.append(after)
                yield after
    if found:
        yield from _played(domain, found)
