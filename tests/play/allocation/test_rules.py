"""Tests of rules as board features.

The native step's conclusions and matches are compared with the theory and the engine. Learning from the
features is tested too.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest

from hornbook.api.teaching import learn, problem
from hornbook.inputs.states import State
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load
from hornbook.kb.parse.syntax import parse
from hornbook.play.allocation.learning import RECIPES, learn_classifier, training_boards
from hornbook.play.allocation.native import allocation_of
from hornbook.play.allocation.rules import PARTS, NoFeatureError, conditions_of, native_rules, used_rules
from hornbook.play.native import native_of
from hornbook.theories.checkers.domain import DOMAIN

NATIVE = native_of(DOMAIN)
ALLOCATION = allocation_of(DOMAIN)
START = DOMAIN.write(DOMAIN.starts()[0])
SMALL = ALLOCATION.Setting(moves=20, searches=4, shallow=1, deep=3)
THEORY = load("checkers")
SORTS = {
    "side": ("black", "white"),
    "square": ("s1", "s18", "s32"),
    "rank": ("man", "king"),
    "way": ("north_east", "south_west"),
    "int": (0, 7, 8),
    "board": ("8x8",),
}
"""Some values of each sort."""


@cache
def boards(number: int):
    return ALLOCATION.boards(START, ALLOCATION.Setting(40, 4, 1, 2), number, 9, 7)


def base_of(text: str) -> KnowledgeBase:
    base = KnowledgeBase(THEORY)
    base.add(DOMAIN.adapter.facts(DOMAIN.position(text)))
    return base


RELATIONS = sorted({fact[0] for text in boards(30).states() for fact in ALLOCATION.facts(text)})
CAPTURING = ("B:W15,22,32:B11:J11", "W:WK14,21:B9,K10,18,17", "B:W29:B", "W:WK14:B9,10,17,18:J14")


def test_facts_of_the_native_step_are_those_of_the_theory():
    for text in (*boards(30).states()[::3], *CAPTURING):
        base, reported = base_of(text), ALLOCATION.facts(text)
        assert len(set(reported)) == len(reported)
        for name in {each[0] for each in reported} | {"leap", "may_jump", "sole", "stuck", "lost", "calm"}:
            variables = ", ".join(
                f"?x{place}" for place in range(len(THEORY.vocabulary.predicates[name].columns))
            )
            assert {fact[1:] for fact in reported if fact[0] == name} == set(
                base.query(f"{name}({variables})").tuples()
            ), (text, name)


def conditions(random: Random) -> list[tuple[str, tuple[str | int, ...]]]:
    """Return random conditions with relations of the native step, joined by few variables."""
    found: list[tuple[str, tuple[str | int, ...]]] = []
    for _ in range(random.randint(2, 6)):
        name = random.choice(RELATIONS)
        columns = THEORY.vocabulary.predicates[name].columns
        found.append((name, tuple(term(random, sort.name) for sort in columns)))
    seen = {each for _, terms in found for each in terms}
    for sort in SORTS:
        if {f"?{sort}1", f"?{sort}2"} <= seen:
            found.append(("!=", (f"?{sort}1", f"?{sort}2", 0)))
    if "?int1" in seen:
        found.append(("=", random.choice((("?less", "?int1", -1), ("?int1", "?less", 1)))))
        found.append((random.choice(("<", "<=")), ("?less", 6, 1)))
    return random.sample(found, len(found))


def term(random: Random, sort: str) -> str | int:
    return random.choice(SORTS[sort]) if random.random() < 0.2 else f"?{sort}{random.randint(1, 2)}"


def as_text(name: str, terms: tuple[str | int, ...]) -> str:
    if name in ("=", "!=", "<", "<="):
        left, right, added = terms
        if left == "?int1" and right == "?less":  # the language requires the plain variable on one side
            return f"?int1 - {added} = ?less"
        return f"{left} {name} {right}" + (f" {'+-'[added < 0]} {abs(added)}" if added else "")
    return f"{name}({', '.join(map(str, terms))})".replace("8x8", "'8x8'")


def test_conditions_are_met_where_the_engine_finds_an_answer():
    random = Random(3)
    asked = [conditions(random) for _ in range(150)]
    rules = ALLOCATION.Rules(asked, START)
    met = 0
    for text in (*boards(30).states()[::8], *CAPTURING[:2]):
        base = base_of(text)
        expected = [bool(base.query(", ".join(as_text(*each) for each in body))) for body in asked]
        assert rules.speaking(text) == [place for place, is_met in enumerate(expected) if is_met]
        met += sum(expected)
    assert 100 < met < 800


@cache
def given():
    """Return conditions of rules learned from a position with a sacrifice by Black and a capture in return."""
    state = State(THEORY, "given", DOMAIN.position("B:W5,20,22,23,32:B1,2,4,7,11,12,15"), DOMAIN.adapter)
    found = learn(THEORY, [problem(state, "reduce(black, 4)", 2)]).rules.certified
    return conditions_of(ALLOCATION, found, START)


def turned(text: str) -> str:
    return ("W" if text[0] == "B" else "B") + text[1:]


def test_features_of_rules_are_whether_they_speak_here_for_the_other_and_after_moves():
    rules = native_rules(ALLOCATION, given(), START)
    number = len(rules)
    total = [0] * (PARTS * number)
    for place, text in enumerate(boards(60).states()):
        here = rules.speaking(text)
        other = rules.speaking(turned(text))
        after = Counter(
            each
            for move in NATIVE.State(text).moves()
            for each in rules.speaking(str(NATIVE.State(text).after(move)))
        )
        expected = [int(rule in here) for rule in range(number)]
        expected += [int(rule in other) for rule in range(number)]
        expected += [after[rule] for rule in range(number)]
        found = boards(60).features(place, [], rules)
        assert found[len(ALLOCATION.FEATURES) :] == expected
        assert found[: len(ALLOCATION.FEATURES)] == boards(60).features(place)
        total = [often + bool(each) for often, each in zip(total, expected, strict=True)]
    assert boards(60).spoken(rules) == total
    assert sum(map(bool, total)) >= 4


def test_what_is_learned_by_rules_keeps_those_that_it_asks_for():
    taught = training_boards(ALLOCATION, START, SMALL, 800, 400, 3)
    sizes = {"least": 20, "sample": 100, "seed": 1}
    found = learn_classifier(ALLOCATION, RECIPES["rules"], taught, SMALL, **sizes, rules=given())
    assert 0 < len(found.rules) <= len(given())
    before = len(ALLOCATION.FEATURES)
    features = {feature - before for feature, *_ in found.classifier.rows if feature >= 0}
    assert {feature % len(found.rules) for feature in features} == set(range(len(found.rules)))
    # The tree of all rules, with features numbered over all rules.
    whole = ALLOCATION.grown(
        taught.boards,
        range(before, before + PARTS * len(given())),
        [],
        20,
        "utility",
        native_rules(ALLOCATION, given(), START),
    )
    rows, stored = used_rules(whole.rows, before, given())
    assert stored == found.rules
    assert [row[:4] for row in rows] == [row[:4] for row in found.classifier.rows]
    names, few = list(given()), list(stored)
    for (feature, *_), (again, *_) in zip(whole.rows, rows, strict=True):
        if feature >= 0:
            part, rule = divmod(feature - before, len(names))
            assert divmod(again - before, len(few)) == (part, few.index(names[rule]))
    tally = ALLOCATION.play(START, SMALL, found.classifier, 30, 5)
    assert 0 < tally.deep <= 30 * SMALL.searches
    assert tally.deciding_nodes == 0


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("win(?c) is IG", "does not test `win(?c) is IG`"),
        ("idle(?c, ?s, _)", "has no relation `idle` of 3 columns"),
        ("pieces(?c, ?n), ?n = 2 * ?n", "does not test `?n = 2 * ?n`"),
        ("to_move(?c), ?c != black", "`black` is compared, which is neither a variable nor a number"),
        ("pieces(?c, ?n), ?n < 9999999999", "a number is too large"),
    ],
)
def test_a_rule_with_conditions_of_another_kind_is_reported(body, message):
    rule = parse(f"my_rule:\n  win(?c) is GI :- player(?c), {body}.", "rules.horn").clauses[0]
    with pytest.raises(NoFeatureError, match="`my_rule` is no feature: ") as reported:
        conditions_of(ALLOCATION, [rule], START)
    assert message in str(reported.value)
