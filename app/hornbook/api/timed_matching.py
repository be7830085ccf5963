"""Profile of matching rules on a sequence of states, measured by the engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from hornbook.inputs.opening_rules import OpenedRules
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.matching import PreparedRules
from hornbook.matcher.program.coded import Fact, Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.engine import Statistics
from hornbook.matcher.program.profile import PartTime, Profile


@dataclass(frozen=True, slots=True)
class TimedMatching:
    """The profile of `updates` updates of the engine; `measured` has the statistics of each state."""

    profile: Profile
    ready: PreparedRules
    measured: Sequence[Statistics]
    updates: int


def timed_matching(
    opened: OpenedRules, states: Mapping[str, Iterable[GroundFact]], repeat: int, limits: Limits | None
) -> TimedMatching:
    """Match a sequence of states `repeat` times.

    Each state replaces the one before in one update. The last one is removed in a further update. Raises
    FactError and KnowledgeBaseError as a knowledge base does.
    """
    ready = opened.ready(limits=limits, on_demand=True)
    coded = [ready.coded(facts) for facts in states.values()]
    own = frozenset[Fact]()
    measured = []
    ready.engine.profile(True)
    for turn in range(repeat):
        before = own
        for facts in coded:
            ready.update(add=facts - before, retract=before - facts)
            before = facts
            if turn == 0:
                measured.append(ready.engine.statistics())
        ready.update(retract=before)
    ready.engine.profile(False)
    return TimedMatching(ready.engine.profile_report(), ready, measured, repeat * (len(coded) + 1))


def part_text(part: PartTime, ready: PreparedRules) -> str:
    """Return the text of a body literal, or a label for another part of the rule's evaluation."""
    if part.part == "beginning":
        return "(coming to it)"
    if part.part == "conclusion":
        return "(concluding)"
    return print_condition(ready.rule(part.rule).body[part.part])
