"""Programs of the kinds that are usual for Datalog engines, with answers that clingo or Python computed.

The folder `programs` groups them by topic. The programs in `ways_round` express features that the language
lacks. Each uses the workaround that the reference gives.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hornbook.kb.ast.declarations import Expect
from hornbook.kb.ast.terms import Constant
from hornbook.kb.base.examples import example_facts, run_examples
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.formatter import format_text
from hornbook.kb.format.printer import print_clause
from hornbook.kb.load.loader import load
from hornbook.kb.load.verdict import verdict
from hornbook.kb.lower.engines import EngineName
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.syntax import Query, parse

ROOT = Path(__file__).parents[3]
FOLDER = Path(__file__).parent / "programs"
FILES = sorted(FOLDER.rglob("*.horn"))
PROGRAMS = [path for path in FILES if path.stem != "graph"]
"""The programs to run. `graph` is excluded: it is a part that other programs instantiate."""
WAYS_ROUND = {
    "terms": "ways_round/terms",
    "lists": "ways_round/lists",
    "records": "ways_round/records",
    "functions of one's own": "ways_round/powers",
    "floating-point numbers": "ways_round/fractions",
    "components": "instances/traffic",
    "the least within recursion": "ways_round/shortest",
    "one name for predicates of several lengths": "ways_round/for_all_things",
    "wildcards in facts": "ways_round/for_all_things",
    "sorts within sorts": "ways_round/narrower",
    "equivalence relations": "ways_round/same_thing",
    "a choice of one": "ways_round/choice",
    "several conclusions of one rule": "ways_round/two_conclusions",
    "the number of a word": "ways_round/choice",
    "regular expressions": "ways_round/expressions",
}
"""The features that the reference lists as missing, each with the program that works without it."""


def named(path: Path) -> str:
    return path.relative_to(FOLDER).with_suffix("").as_posix()


def missed(path: Path, engine: EngineName) -> list[Expect]:
    """Return the expectations of a program that the answers of an engine do not meet."""
    theory = load(path)
    (example,) = theory.examples
    base = KnowledgeBase(theory, engine=engine)
    base.add(example_facts(theory, example))
    return [expect for expect in theory.expects if not is_answered(expect, base)]


def is_answered(expect: Expect, base: KnowledgeBase) -> bool:
    found = base.engine.query(Query(expect.conditions, expect.span))
    if expect.answers is None:
        return bool(found)
    return set(found.rows) == {
        tuple(t.value for t in row if isinstance(t, Constant)) for row in expect.answers
    }


@pytest.mark.parametrize("path", PROGRAMS, ids=named)
def test_the_expectations_of_each_program_are_met(path):
    report = run_examples(load(path))
    assert len(report.outcomes) > 0
    assert report.failed == ()


@pytest.mark.parametrize("engine", ["plain", "demand"])
@pytest.mark.parametrize("path", PROGRAMS, ids=named)
def test_all_engines_answer_alike(path, engine):
    assert missed(path, engine) == []


@pytest.mark.parametrize("path", PROGRAMS, ids=named)
def test_duckdb_answers_alike_or_says_what_it_cannot_do(path):
    try:
        unmet = missed(path, "duckdb")
    except KnowledgeBaseError as refused:
        reasons = ("recursion is not supported", "which SQL has not")
        unmet = [] if any(reason in str(refused) for reason in reasons) else [str(refused)]
    assert unmet == []


@pytest.mark.parametrize("path", FILES, ids=named)
def test_each_program_has_no_mistakes_and_is_laid_out_and_printed_as_it_is_read(path):
    text = path.read_text(encoding="utf-8")
    assert "found by" in text or path not in PROGRAMS
    assert format_text(text) == text
    printed = [*map(print_clause, parse(text).clauses)]
    assert [*map(print_clause, parse("\n".join(printed)).clauses)] == printed
    # The warning that a rule may not terminate is also given for variables that another condition bounds.
    assert {each.code for each in verdict(str(path), cached=False).diagnostics} <= {"HB027"}


def test_whatever_is_left_out_has_a_program_that_does_without():
    page = (ROOT / "docs/reference/language.md").read_text(encoding="utf-8")
    section = page.partition("\n## What is left out")[2].partition("\n## ")[0]
    rows = [line.split(" | ")[0].removeprefix("| ") for line in section.splitlines() if line.startswith("| ")]
    assert rows[0] == "left out"
    assert [row for row in rows[2:] if sum(row.startswith(left_out) for left_out in WAYS_ROUND) != 1] == []
    assert len(rows[2:]) == len(WAYS_ROUND)
    assert {*WAYS_ROUND.values()} <= {*map(named, PROGRAMS)}
