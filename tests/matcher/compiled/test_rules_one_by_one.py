"""Tests of rules that come one by one: they share the plans of earlier rules, whose code is rebuilt rarely."""

from __future__ import annotations

from random import Random

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import CodedPredicate, CodedRule, Fact, Match, Var

x, y = Var(0), Var(1)
LINK, COLOUR, FOUND = range(3)
PREDICATES = [CodedPredicate(2), CodedPredicate(2), CodedPredicate(2)]
RULES = 700
"""More than enough for each code of a trie to be rebuilt several times."""


def rules(random: Random) -> list[CodedRule]:
    """Return rules with few conditions about few constants, so that many share their beginnings."""
    found = []
    for number in range(RULES):
        body = [Match(LINK, (x, y)), Match(COLOUR, (x, random.randrange(9))), Match(COLOUR, (y, number % 7))]
        random.shuffle(body)
        found.append(CodedRule(number, Match(FOUND, (number, x)), tuple(body), 2))
    return found


def facts(random: Random) -> list[Fact]:
    """Return links of few objects, and their colours."""
    links = {Fact(LINK, (random.randrange(12), random.randrange(12))) for _ in range(25)}
    return [*links, *{Fact(COLOUR, (random.randrange(12), random.randrange(9))) for _ in range(30)}]


def test_rules_that_come_one_by_one_conclude_what_they_conclude_together():
    random = Random(7)
    engine = CompiledEngine(PREDICATES)
    present: list[CodedRule] = []
    state: list[Fact] = []
    for rule in rules(random):
        after = facts(random)
        engine.update(add_rules=[rule])
        engine.update(
            add=[fact for fact in after if fact not in state],
            retract=[fact for fact in state if fact not in after],
        )
        present.append(rule)
        state = after
        if len(present) % 50 == 0:
            together = CompiledEngine(PREDICATES)
            together.update(add=state, add_rules=present)
            assert engine.facts(FOUND) == together.facts(FOUND)
            assert engine.facts(FOUND)
