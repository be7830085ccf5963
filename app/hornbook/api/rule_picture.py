"""Picture of a learned rule on a board: a position that it matches, with the places marked that it mentions.

Without a given position, the picture shows the position that the rule was learned from. This may be a problem
in its file or in a file of the same name next to the theory, or the state of an example. A rule may have been
learned from a later position of a solution. Then the picture shows the first match among the positions of
that problem, the other problems and the positions reachable from its own.
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
from hornbook.theories.protocols.missing_member import MissingMemberError

if TYPE_CHECKING:
    from hornbook.theories.domain import Domain


MOST_PLAYED = 2_000
"""The largest number of positions reachable from a problem that are tried."""


def rule_picture(rules: LearnedRules, name: str, position: Path | None = None) -> str:
    """Return the picture as SVG.

    Raises NoPictureError if the rule matches none of the positions, or no domain draws them.
    """
    learned = LearnedRules(rules.theory, rules.base, names=frozenset([name]))
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
    return answer.to_svg()


def _states(origin: Provenance, theory: Theory) -> Iterator[Any]:
    """Yield positions that the rule may match, first that of its own problem or example."""
    for example in theory.examples:
        if example.name == origin.example and example.source is not None and theory.path is not None:
            source = theory.path.parent / example.source
            if source.is_file():
                yield read_state(theory, source)
    domain = the_domain(theory, "how its states are drawn", NoPictureError)
    files = [Path(origin.file)]
    with suppress(MissingMemberError):
        files.append(domain.shipped().parent / Path(origin.file).name)
    for file in files:
        if file.is_file() and file.suffix in domain.suffixes:
            # The file may have changed since the rule was learned.
            with suppress(HornbookError, OSError):
                lessons = domain.lessons(file, theory)
                own = [each.state for each in lessons if each.name == origin.example]
                yield from own
                yield from (each.state for each in lessons if each.name != origin.example)
                yield from islice(_played(domain, own), MOST_PLAYED)
                return


def _played(domain: Domain, states: list[Any]) -> Iterator[Any]:
    """Yield the positions reachable from some states, in breadth-first order."""
    found: list[Any] = []
    for state in states:
        for action in domain.actions(state):
            after = domain.after(state, action)
            if after is not None:
                found.append(after)
                yield after
    if found:
        yield from _played(domain, found)
