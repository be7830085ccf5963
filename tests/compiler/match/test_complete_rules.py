"""Tests of rules with absences and sums of complete predicates.

These rules give the same conclusions when they are matched, compiled as a program, or run by the knowledge
base.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from hornbook.compiler.match.as_code import CodeMatcher, program_of
from hornbook.compiler.match.position import Conclusion, RuleMatcher
from hornbook.games.rules_as_code import build, write
from hornbook.kb.ast.parts import in_parts
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import add_proved_rules
from oracles.language.complete_theories import THINGS, CompleteTheory, facts, made

GAMES = [Atom("won", (Constant(thing),)) for thing in THINGS]
FOCUS = "there"


def matched(theory: CompleteTheory) -> RuleMatcher:
    matcher = RuleMatcher(theory.theory, FOCUS)
    for rule in theory.rules:
        matcher.add(rule)
    return matcher


def concluded(theory: CompleteTheory, given: list[GroundFact]) -> set[tuple[str | int, ...]]:
    base = KnowledgeBase(theory.theory)
    add_proved_rules(base, theory.rules)
    base.add(given)
    return set(base.query("won(?x) by take(?y) is GI").to_tuples())


def messages(conclusions: list[Conclusion]) -> set[tuple[str | int, ...]]:
    return {tuple(term.value for term in each.statement.terms[:-1]) for each in conclusions}


def test_matched_from_position_to_position_they_say_what_follows(times):
    found = 0
    for seed in range(12 * times):
        random = Random(seed)
        theory = made(random)
        matcher = matched(theory)
        for _ in range(4):
            given = facts(random)
            expected = concluded(theory, given)
            assert messages(matcher.conclusions(in_parts(given), GAMES)) == expected, theory.text
            found += len(expected)
    assert found > 20


@pytest.mark.deep
def test_compiled_they_say_what_matching_says(tmp_path: Path, monkeypatch, times):
    monkeypatch.setenv("CXXFLAGS", "-O0")
    found = 0
    for seed in range(2 * times):
        random = Random(seed)
        theory = made(random)
        place = tmp_path / str(seed)
        write(place, program_of(theory.theory, FOCUS, theory.rules), [])
        build(place)
        matcher, code = matched(theory), CodeMatcher(theory.theory, FOCUS, theory.rules, place)
        common = facts(random)
        for _ in range(8):
            # The compiled library stores the facts that all positions share. New facts may end absences of
            # shared ones.
            given = sorted({*common, *random.sample(facts(random), 3)}, key=str)
            given = [fact for fact in given if fact.relation != "at" or fact in common]
            usual, compiled = (m.conclusions(list(in_parts(given)), GAMES) for m in (matcher, code))
            assert [(e.rule, e.statement, e.bindings) for e in compiled] == [
                (e.rule, e.statement, e.bindings) for e in usual
            ], theory.text
            found += len(usual)
    assert found > 10
