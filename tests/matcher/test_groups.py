"""Tests of groups of facts: exchanging groups equals an update with their facts, in both engines."""

from __future__ import annotations

from random import Random

import pytest

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import CodedPredicate, CodedRule, Fact, Match, Var
from hornbook.matcher.program.errors import MalformedError
from oracles.reference.engine import ReferenceEngine

PREDICATES = [CodedPredicate(2), CodedPredicate(1), CodedPredicate(2), CodedPredicate(2, 1)]
X, Y, Z = Var(0), Var(1), Var(2)
RULES = [
    CodedRule("both", Match(2, (X, Y)), (Match(0, (X, Y)), Match(1, (Y,))), 2),
    CodedRule("on", Match(2, (X, Z)), (Match(2, (X, Y)), Match(0, (Y, Z))), 3),
]


def engine_of(kind):
    engine = kind(PREDICATES)
    engine.update(add_rules=RULES)
    return engine


@pytest.mark.parametrize("seed", range(6))
def test_an_exchange_of_groups_is_the_update_with_their_facts(seed):
    random = Random(seed)
    plain, compiled, by_facts = (
        engine_of(ReferenceEngine),
        engine_of(CompiledEngine),
        engine_of(CompiledEngine),
    )
    facts = [Fact(0, (a, b)) for a in range(5) for b in range(5)] + [Fact(1, (a,)) for a in range(5)]
    pool = [random.sample(facts, random.randint(0, 6)) for _ in range(12)]
    groups = [(plain.group(each), compiled.group(each), each) for each in pool]
    for _ in range(40):
        removed, come = random.sample(groups, 3), random.sample(groups, random.randint(0, 4))
        plain.exchange([g[0] for g in removed], [g[0] for g in come])
        compiled.exchange([g[1] for g in removed], [g[1] for g in come])
        by_facts.update(retract=[f for g in removed for f in g[2]], add=[f for g in come for f in g[2]])
        for number in range(3):
            assert plain.facts(number) == compiled.facts(number) == by_facts.facts(number)
            assert plain.given(number) == compiled.given(number)


def test_an_engine_takes_only_groups_of_its_own():
    one, other = engine_of(CompiledEngine), engine_of(CompiledEngine)
    with pytest.raises(MalformedError):
        one.exchange([], [other.group([Fact(1, (1,))])])


NUMBERS = {("pair", None): 0, ("one", "before"): 1}
WORDS = [({"a": 1, "b": 2}, None), ({"a": 1},), (), ()]


def test_rows_by_name_are_read_by_what_is_known_of_their_words():
    engine = engine_of(CompiledEngine)
    rows = {("pair", None): [("a", 7), ("b", -7)], ("one", "before"): (("a",),)}
    group = engine.named_group(rows, NUMBERS, WORDS)
    assert group is not None
    engine.exchange([], [group])
    assert (engine.facts(0), engine.facts(1)) == ({(1, 7), (2, -7)}, {(1,)})


@pytest.mark.parametrize(
    ("name", "row"),
    [
        (("pair", None), ("c", 7)),
        (("pair", None), ("a", True)),
        (("pair", None), ("a", 2**63)),
        (("pair", None), ("a",)),
        (("pair", None), ["a", 7]),
        (("pair", None), ([], 7)),
        (("pair", None), 7),
        (("pair", "before"), ("a", 7)),
        (("other", None), ("a", 7)),
        ("pair", ("a", 7)),
    ],
    ids=str,
)
def test_what_is_not_known_is_left_to_who_asks(name, row):
    rows = {("one", "before"): [("a",)], name: [row]}
    assert engine_of(CompiledEngine).named_group(rows, NUMBERS, WORDS) is None
