"""The closed sets of a first state: each count must be the number of the members that are known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.parse.facts import ground_fact
from hornbook.planner.theory_games.coded_theory import CodedTheory
from hornbook.planner.theory_games.refused import NoGameError


def refuse_open_sets(coded: CodedTheory, facts: Iterable[GroundFact]) -> None:
    """Raise NoGameError if a count that the game needs differs from the number of the given members.

    A condition with `all` is about the known members of a set, which are all members only if their number is
    the count. Sets with members or counts that rules conclude are not compared.
    """
    vocabulary = coded.theory.vocabulary
    concluded = {rule.head.predicate for rule, _ in coded.rules}
    known = {*facts, *map(ground_fact, coded.theory.facts)}
    for counter in vocabulary.predicates.values():
        if counter.closes is None or counter.key is None:
            continue
        relations = {coded.number(counter.name), coded.number(counter.closes)}
        if not relations <= coded.needed or relations & concluded:
            continue
        sizes = Counter(fact.values[: counter.key] for fact in known if fact.relation == counter.closes)
        for fact in sorted(known, key=str):
            if fact.relation == counter.name and fact.values[-1] != sizes[fact.values[:-1]]:
                key = ", ".join(map(str, fact.values))
                raise NoGameError(
                    f"`{counter.name}({key})` does not count the facts of `{counter.closes}`: the first state"
                    f" has {sizes[fact.values[:-1]]}; give all of them"
                )
