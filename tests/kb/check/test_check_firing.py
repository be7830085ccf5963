"""Tests of the warning about rules that can never fire: a reported rule fires for no input."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import Query
from hornbook.matcher.program.coded import Limits
from oracles.pages.checking import diagnostics

DECLARATIONS = """\
sort thing.
sort colour = red | green | blue.
static near(thing, thing).
static size(thing, int).
fluent colour(thing, colour).
derived small(thing).
derived kind(thing, colour).
derived level(thing, int).
meta odd(thing, colour).
meta high(thing, int).
"""
COLUMNS = {
    "near": "tt", "size": "ti", "colour": "tc", "small": "t", "kind": "tc", "level": "ti", "odd": "tc", "high": "ti",
}  # fmt: skip
CONSTANTS = {"t": ("a", "b"), "c": ("red", "green", "blue"), "i": ("1", "2", "3")}
GIVEN_CONSTANTS = {"t": ("a", "b", "e"), "c": CONSTANTS["c"], "i": ("-3", "0", "1", "2", "3", "5")}
VARIABLES = {"t": ("?x", "?y"), "c": ("?c", "?d"), "i": ("?m", "?n", "?k")}
GIVEN, DERIVED, META = ("near", "size", "colour"), ("small", "kind", "level"), ("odd", "high")


def term(random: Random, kind: str) -> str:
    return random.choice(CONSTANTS[kind] if random.random() < 0.35 else VARIABLES[kind])


def atom(random: Random, name: str) -> str:
    return f"{name}({', '.join(term(random, kind) for kind in COLUMNS[name])})"


def comparison(random: Random, body: str) -> str | None:
    bound = {kind: [v for v in VARIABLES[kind] if v in body] for kind in "ci"}
    kind = random.choice("cii")
    if not bound[kind]:
        return None
    one, other = random.choice(bound[kind]), random.choice([*bound[kind], *CONSTANTS[kind]])
    if kind == "c":
        return f"{one} {random.choice(('=', '!=', '!='))} {other}"
    more = random.choice(("", " + 1", " - 1", " * 2"))
    return f"{one}{more} {random.choice(('<', '<=', '>', '>=', '=', '!='))} {other}"


def rule(random: Random) -> str:
    head = random.choice([*DERIVED, *META])
    names = (*GIVEN, *DERIVED, *(META if head in META else ()))
    conditions = [atom(random, random.choice(names)) for _ in range(random.randint(1, 3))]
    body = ", ".join(conditions)
    for _ in range(random.randint(0, 4)):
        more = comparison(random, body)
        conditions += [] if more is None else [more]
    if head in META and random.random() < 0.6:
        inside = [atom(random, random.choice((*GIVEN, *DERIVED))) for _ in range(random.randint(1, 2))]
        conditions.append(f"absent ({', '.join(inside)})" if len(inside) > 1 else f"absent {inside[0]}")
    random.shuffle(conditions)
    head_terms = [
        random.choice([v for v in VARIABLES[kind] if v in body] or CONSTANTS[kind])
        if random.random() < 0.5
        else random.choice(CONSTANTS[kind])
        for kind in COLUMNS[head]
    ]
    return f"{head}({', '.join(head_terms)}) :- {', '.join(conditions)}."


def program(random: Random) -> tuple[str, set[int]]:
    """Draw a program without errors and return it with the lines of the reported rules."""
    rules = [rule(random) for _ in range(6)]
    while True:
        text = DECLARATIONS + "\n".join(rules) + "\n"
        found = diagnostics(text)
        first = DECLARATIONS.count("\n") + 1
        wrong = {each.span.line - first for each in found if each.severity == "error"}
        if not wrong:
            return text, {each.span.line for each in found if each.code == "HB066"}
        rules = [each for number, each in enumerate(rules) if number not in wrong]


def state(random: Random) -> list[GroundFact]:
    def value(text: str) -> str | int:
        return int(text) if text.lstrip("-").isdecimal() else text

    share = random.choice((0.3, 0.6, 1))
    return [
        GroundFact(name, tuple(map(value, row)))
        for name in GIVEN
        for row in product(*(GIVEN_CONSTANTS[kind] for kind in COLUMNS[name]))
        if random.random() < share
    ]


@pytest.mark.parametrize("part", range(4))
def test_what_is_reported_never_fires(part):
    reported = fired = 0
    for seed in range(80):
        random = Random(1000 * part + seed)
        text, lines = program(random)
        theory = load_text(text)
        for _ in range(2):
            base = KnowledgeBase(theory, limits=Limits(facts=10_000))
            base.add(state(random))
            for each in theory.rules:
                fires = bool(base.engine.query(Query(each.body, each.span)))
                fired += fires
                assert not (fires and each.span.line in lines), f"{text}\nline {each.span.line}"
        reported += len(lines)
    assert reported > 25
    assert fired > 150


@pytest.mark.parametrize(
    "body",
    [
        "near(?x, ?y), absent near(?y, ?x)",
        "near(?x, _), absent near(?x, a)",
        "size(?x, ?m), absent (size(?x, ?n), ?n > ?m)",
        "size(?x, ?m), size(_, ?n), ?m < ?n + 2, ?n < ?m",
        "colour(?x, ?c), ?c != red, ?c != blue",
        "size(?x, ?m), ?m // 2 = 3, ?m != 6",
    ],
)
def test_near_misses_are_not_reported(body):
    text = f"{DECLARATIONS}odd(?x, red) :- {body}.\n"
    assert "HB066" not in {each.code for each in diagnostics(text)}


def test_a_rule_that_waits_for_one_that_never_fires_is_not_reported_too():
    text = (
        DECLARATIONS
        + "kind(?x, red) :- near(?x, _).\nsmall(?x) :- kind(?x, blue).\nlevel(?x, 1) :- small(?x).\n"
    )
    assert [each.span.line for each in diagnostics(text) if each.code == "HB066"] == [12]


def test_what_a_mistake_hides_is_not_stored_against_a_rule():
    text = (
        DECLARATIONS
        + "kind(?x, red) :- near(?x, _).\nkind(?x, blue) :- near(?x, ?).\nsmall(?x) :- kind(?x, blue).\n"
    )
    assert "HB066" not in {each.code for each in diagnostics(text)}
