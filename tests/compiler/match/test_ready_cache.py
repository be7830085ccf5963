"""Tests of rules in the form for matchers in the cache: they answer as before, and a change finds nothing."""

from __future__ import annotations

import zlib
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from hornbook.compiler.match import ready_cache, unfolding
from hornbook.compiler.match.position import Conclusion, RuleMatcher, SharedRules
from hornbook.compiler.match.ready_cache import StoredRules, matching_key
from hornbook.compiler.rules.admission import RuleEntry
from hornbook.kb.ast.parts import in_parts
from hornbook.kb.ast.terms import Constant, Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.sources import cache
from hornbook.kb.sources.cache import recall
from oracles.language.complete_theories import CompleteTheory, facts, made
from oracles.proofs.learned_rules import rule_of, theory_of
from tests.compiler.match.test_complete_rules import FOCUS, GAMES

WORDS = """
sort person. static friend(person, person). static name(person, int). game greeted(person).
"""


@pytest.fixture(autouse=True)
def file(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache" / cache.NAME


def key_of(rules: tuple[Rule, ...], theory: Theory) -> str:
    return matching_key([RuleEntry(rule, None, None) for rule in rules], theory)


def matcher_of(theory: Theory, rules: tuple[Rule, ...], shared: SharedRules | None = None) -> RuleMatcher:
    matcher = RuleMatcher(theory, FOCUS, shared=shared)
    for rule in () if matcher.has_rules else rules:
        matcher.add(rule)
    return matcher


def shown(found: Conclusion, matcher: RuleMatcher) -> Any:
    return found.rule, found.statement, dict(found.bindings), frozenset(matcher.premises(found))


def answers(matcher: RuleMatcher, random: Random) -> list[Any]:
    found: list[Any] = []
    for _ in range(3):
        given = facts(random)
        parts = list(in_parts(given))
        found.append([shown(each, matcher) for each in matcher.conclusions(parts, GAMES)])
        found.append(matcher.statements(parts, GAMES))
        found.append([(each.rule, each.statement) for each in matcher.each(parts, GAMES)])
        found.append({value: each.rule for value, each in matcher.first(parts, GAMES[0]).items()})
        found.append([matcher.matches(given, game, Constant("GI")) for game in GAMES])
    return found


def stored(theory: Theory, rules: tuple[Rule, ...], seed: int = 0) -> str:
    """Return the key of rules that a matcher has stored."""
    key = key_of(rules, theory)
    matcher_of(theory, rules, SharedRules(key=key)).conclusions(in_parts(facts(Random(seed))), GAMES)
    return key


def test_recalled_rules_answer_as_the_rules_do(times):
    answered = 0
    for seed in range(12 * times):
        made_theory = made(Random(seed))
        theory, rules = made_theory.theory, made_theory.rules
        expected = answers(matcher_of(theory, rules), Random(seed))
        key = key_of(rules, theory)
        for is_recalled in (False, True):
            matcher = matcher_of(theory, rules, SharedRules(key=key))
            assert matcher.has_rules is is_recalled
            assert answers(matcher, Random(seed)) == expected
        answered += sum(map(len, expected))
    assert answered


def test_recalled_rules_are_those_that_were_stored(times):
    for seed in range(6 * times):
        made_theory = made(Random(seed))
        shared = SharedRules(key=key_of(made_theory.rules, made_theory.theory))
        usual = matcher_of(made_theory.theory, made_theory.rules, shared)
        usual.conclusions(in_parts(facts(Random(seed))), GAMES)
        found = SharedRules(key=shared.key).find(usual.theory_without_rules)
        assert found is not None
        assert shared.ready is not None
        assert isinstance(found.rules, StoredRules)
        assert tuple(found.rules) == found.rules[:] == tuple(shared.ready.rules)
        for one, other in zip(found.rules, shared.ready.rules, strict=True):
            named = [(r.name, r.lemma, r.learned, r.of_given, r.alone, r.alternative) for r in (one, other)]
            assert named[0] == named[1]
        assert found.packed == shared.ready.packed
        assert found.statistics == shared.ready.statistics
        assert found.concluded == shared.ready.concluded
        assert found.names == tuple(rule.name for rule in shared.ready.rules)
        assert found.packed is not None
        for name in found.packed.ids:
            assert found.coding.variables_of(name) == shared.ready.coding.variables_of(name)


def test_a_process_that_finds_the_rules_neither_prepares_nor_reads_them(monkeypatch):
    complete: CompleteTheory = made(Random(3))
    key = stored(complete.theory, complete.rules, seed=3)
    monkeypatch.setattr(unfolding, "unfolded", None)
    monkeypatch.setattr("hornbook.kb.lower.coding.Coding.rule", None)
    matcher = RuleMatcher(complete.theory, FOCUS, shared=SharedRules(key=key))
    read: list[bytes] = []
    monkeypatch.setattr(zlib, "decompress", lambda data: read.append(data) or b"")
    for seed in range(8):
        parts = list(in_parts(facts(Random(seed))))
        each = {(found.rule, found.statement) for found in matcher.each(parts, GAMES)}
        assert each <= matcher.statements(parts, GAMES)
        matcher.first(parts, GAMES[0])
    assert read == []
    assert any(matcher.each(in_parts(facts(Random(seed))), GAMES) for seed in range(8))


def other_rule(theory: Theory, rules: tuple[Rule, ...]) -> tuple[Theory, tuple[Rule, ...]]:
    return theory, (*rules[:-1], replace(rules[-1], body=rules[-1].body[:-1]))


def other_label(theory: Theory, rules: tuple[Rule, ...]) -> tuple[Theory, tuple[Rule, ...]]:
    return theory, (*rules[:-1], replace(rules[-1], label="another"))


def other_order(theory: Theory, rules: tuple[Rule, ...]) -> tuple[Theory, tuple[Rule, ...]]:
    return theory, rules[::-1]


def fewer_rules(theory: Theory, rules: tuple[Rule, ...]) -> tuple[Theory, tuple[Rule, ...]]:
    return theory, rules[1:]


def other_definition(theory: Theory, rules: tuple[Rule, ...]) -> tuple[Theory, tuple[Rule, ...]]:
    changed = replace(theory.rules[0], body=theory.rules[0].body[::-1])
    return replace(theory, rules=(changed, *theory.rules[1:])), rules


def other_declarations(theory: Theory, rules: tuple[Rule, ...]) -> tuple[Theory, tuple[Rule, ...]]:
    predicates = dict(reversed(theory.vocabulary.predicates.items()))
    return replace(theory, vocabulary=replace(theory.vocabulary, predicates=predicates)), rules


@pytest.mark.parametrize(
    "change", [other_rule, other_label, other_order, fewer_rules, other_definition, other_declarations]
)
def test_a_changed_rule_or_theory_has_another_key(change):
    complete = made(Random(5))
    assert len(complete.rules) > 1
    assert key_of(*reversed(change(complete.theory, complete.rules))) != key_of(
        complete.rules, complete.theory
    )


def test_another_program_has_another_key(monkeypatch):
    complete = made(Random(5))
    key = key_of(complete.rules, complete.theory)
    monkeypatch.setattr(ready_cache, "program", lambda: "another")
    assert key_of(complete.rules, complete.theory) != key


@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_entry_is_ignored(file, seed):
    random, complete = Random(seed), made(Random(3))
    key = stored(complete.theory, complete.rules)
    data = bytearray(file.read_bytes())
    at = data.index(b'{"packed"')
    for _ in range(3):
        data[random.randrange(at, at + 600)] ^= 1 << random.randrange(8)
    file.write_bytes(bytes(data))
    assert recall(key) is None
    matcher = matcher_of(complete.theory, complete.rules, SharedRules(key=key))
    assert not matcher.has_rules
    expected = answers(matcher_of(complete.theory, complete.rules), Random(seed))
    assert answers(matcher, Random(seed)) == expected


def test_rules_whose_functions_make_words_are_not_stored():
    theory = theory_of(WORDS)
    rules = (rule_of("r: greeted(?a) is IG :- friend(?a, ?b), name(?b, ?n), ?n = length(?b)."),)
    shared = SharedRules(key=key_of(rules, theory))
    matcher_of(theory, rules, shared).conclusions((), ())
    assert shared.ready is not None
    assert shared.ready.packed is None
    assert recall(shared.key) is None
