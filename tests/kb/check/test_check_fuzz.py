"""Fuzz tests of the checker: it never raises, and the engine can run every theory that it accepts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.kb.ast.terms import NOWHERE
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.check.queries import check_query
from hornbook.kb.check.theory_checks import check
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import ParsedFile, Query, parse
from hornbook.kb.parse.vocabulary import vocabulary
from hornbook.kb.sources.diagnostics import CODES, Diagnostic, render
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.errors import (
    ArithmeticOverflowError,
    KeyConflictError,
    LimitError,
    OverfullSetError,
)
from oracles.language.random_clauses import random_theory
from oracles.language.term_strategies import clauses, queries

ROOT = Path(__file__).parents[3]
CORPUS = sorted([*ROOT.glob("theories/**/*.horn"), *Path(__file__).parent.glob("golden/HB0[1-4]*.horn")])


def check_text(text: str) -> list[Diagnostic]:
    """Return the diagnostics of a text after a check that each can be shown at a place in it."""
    found = check([parse(text, "<text>")])
    lines = text.split("\n")
    for diagnostic in found:
        assert diagnostic.code in CODES
        assert 1 <= diagnostic.span.line <= len(lines), diagnostic
        assert 1 <= diagnostic.span.column <= len(lines[diagnostic.span.line - 1]) + 1, diagnostic
        assert render(diagnostic, {"<text>": text})
    assert len(set(found)) == len(found)
    return found


@settings(max_examples=40)
@given(st.lists(clauses(), max_size=4))
def test_any_clauses_can_be_checked(made):
    file = ParsedFile("<made>", "", tuple(made), (), ())
    check([file])
    check([file, file])


@settings(max_examples=50)
@given(queries())
def test_any_query_can_be_checked(conditions):
    words = vocabulary([parse(random_theory(Random(0), care=1.0))])
    check_query(Query(conditions, NOWHERE), words)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(50))
def test_random_theories_can_be_checked(seed):
    random = Random(seed)
    check_text(random_theory(random, care=random.choice((0.5, 0.8, 0.95, 1.0)), clauses=12))


def mutations(text: str, random: Random, number: int) -> Iterator[str]:
    """Yield texts with tokens removed, doubled, swapped or inserted from elsewhere."""
    tokens = re.split(r"(\s+|\b|(?<=\W)(?=\W))", text)
    for _ in range(number):
        changed = list(tokens)
        for _ in range(random.randint(1, 6)):
            here, there = random.randrange(len(changed)), random.randrange(len(changed))
            match random.randrange(4):
                case 0:
                    changed[here] = ""
                case 1:
                    changed[here] *= 2
                case 2:
                    changed[here], changed[there] = changed[there], changed[here]
                case _:
                    changed[here] = changed[there]
        yield "".join(changed)


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_mutated_theories_can_be_checked(path, times):
    text = path.read_text(encoding="utf-8")
    for mutated in mutations(text, Random(path.name), 3 * times):
        check_text(mutated)


BOUNDS = Limits(facts=2_000, seconds=2.0)
OF_THE_FACTS = (ArithmeticOverflowError, KeyConflictError, OverfullSetError, LimitError)
"""Errors that the engine may raise because of facts. If it refuses a rule, the checker has a bug."""

pytestmark = pytest.mark.deep


@pytest.mark.parametrize("seed", range(40))
def test_what_the_checker_accepts_the_engine_can_run(seed):
    """Clauses with errors are removed until no error is left. The engine runs the remaining clauses."""
    text = random_theory(Random(seed), care=0.97, clauses=40)
    while wrong := {d.span.line for d in check_text(text) if d.severity == "error"}:
        lines = enumerate(text.split("\n"), 1)
        text = "\n".join("" if number in wrong else line for number, line in lines)
    theory = load_text(text)
    assert len(theory.rules) >= 2
    try:
        base = KnowledgeBase(theory, limits=BOUNDS)
        for expect in theory.expects:
            base.engine.query(Query(expect.conditions, expect.span))
    except Exception as problem:
        if not isinstance(problem.__cause__, OF_THE_FACTS):
            raise
