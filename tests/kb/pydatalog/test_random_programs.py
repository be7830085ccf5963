"""Tests of random programs: an import has pyDatalog's answers, and a partial import has no others."""

from __future__ import annotations

import random
import re

import pytest

from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.pydatalog.importing import import_pydatalog
from hornbook.kb.pydatalog.process import PyDatalogTask, run
from hornbook.kb.sources.diagnostics import TheoryError

pytestmark = pytest.mark.deep

SIMPLE = ["w(X)", "~w(X)", "(X != 'a')", "~(X == 'b')", "(X in ['a', 'b'])", "~(X in ['c'])", "(X[0] == 'a')"]
CONDITIONS = [
    *SIMPLE, "h0(X)", "~h0(X)", "same(X, 'c')", "~same(X, 'd')", "(f[X] == 1)", "~(f[X] == 2)", "(X not in ['d'])",
]  # fmt: skip
QUESTIONS = {"h0": "h0(?x)", "h1": "h1(?x)", "h2": "h2(?x)", "value": "q(?x), f(?x, ?y)"}


def random_program(seed):
    choice = random.Random(seed)
    lines = [f"+ {name}('{choice.choice('abcd')}')" for name in "qqqqww"]
    for i in range(3):
        body = choice.choices(CONDITIONS if i else SIMPLE, k=choice.randint(1, 2))
        lines.append(f"h{i}(X) <= q(X) & {' & '.join(body)}")
    for i in range(choice.randint(1, 3)):
        lines.append(f"(f[X] == {i}) <= q(X) & {choice.choice(SIMPLE)}")
    if choice.random() < 0.5:
        lines.append(f"+ (f['a'] == {choice.randrange(4)})")
    lines.append("same(X, Y) <= (X == Y)")
    if choice.random() < 0.3:
        lines.append("same(X, Y) <= (X == 'c') & (Y == 'd')")
    choice.shuffle(lines)
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(20))
def test_answers_are_those_of_pydatalog_or_in_part_some_of_them(seed):
    program = random_program(seed)
    queried = f"{program}\nvalue(X, Y) <= q(X) & (f[X] == Y)"
    goals = [(name, 2 if name == "value" else 1) for name in QUESTIONS]
    expected = dict(zip(QUESTIONS, run(PyDatalogTask(queried, (), goals), 60), strict=True))
    in_part = answers(import_pydatalog(program, "imported", partial=True))
    assert all(in_part[name] <= expected[name] for name in QUESTIONS)
    try:
        theory = import_pydatalog(program, "imported")
    except TheoryError:
        assert "X[0]" in program
    else:
        assert answers(theory) == expected


def answers(theory):
    base = KnowledgeBase(load_text(theory))
    found = {}
    for name, question in QUESTIONS.items():
        predicate = "f" if name == "value" else name
        declared = re.search(rf"^(static|meta) {predicate}\(", theory, re.MULTILINE)
        found[name] = set(base.query(question).to_tuples()) if declared else set()
    return found
