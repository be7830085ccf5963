"""Tests of the second, independent checker: it agrees with the first one, and shares only texts with it."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from random import Random

import pytest

from benchmarks.fuzz.second_reader import ReaderComparison, learned, lemmas, small
from hornbook.compiler.checker.certificate import (
    Leaf,
    ProofStep,
    fingerprint_of_declaration,
    fingerprint_of_rule,
)
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.rules.certificates import certificate_as_json
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Constant, Rule, Variable
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse
from oracles.forger.run import ForgerBudget, one
from oracles.proofs.two_readers import Both, CertifiedCase
from oracles.reader import certificate as second
from oracles.reader.language import NotRead, clauses, fingerprint
from oracles.reader.theory import ReaderTheory

pytestmark = pytest.mark.deep

READER = Path(second.__file__).parent


@pytest.fixture(scope="module")
def cases() -> list[CertifiedCase]:
    return [*small(), *learned("firm")]


def test_the_second_reader_is_standard_python_only() -> None:
    for path in READER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                assert name.startswith("oracles.reader.") or name.split(".")[0] in sys.stdlib_module_names, (
                    path,
                    name,
                )


def test_both_accept_what_ships(cases: list[CertifiedCase]) -> None:
    run = ReaderComparison()
    run.as_they_are("shipped", cases)
    assert run.differences == []
    assert run.counts["shipped"]["accepted"] == len(cases) > 50


def test_both_refuse_the_attacks() -> None:
    run = ReaderComparison()
    run.attacks()
    assert run.differences == []
    assert run.counts["attacks"]["refused"] > 15


def test_both_accept_the_lemmas_that_ship_and_judge_their_mutants_alike() -> None:
    run, known = ReaderComparison(), lemmas("firm")
    assert len(known) > 50
    run.as_they_are("lemmas", known)
    run.mutants([known], 200, 4)
    assert run.differences == []
    assert run.counts["lemmas"]["refused"] == 0 < run.counts["mutants"]["accepted"]


def test_both_judge_mutants_alike(cases: list[CertifiedCase]) -> None:
    run = ReaderComparison()
    run.mutants([cases[:4], cases[4:]], 600, 3)
    assert run.differences == []
    assert run.counts["mutants"]["accepted"] > 10


def test_both_judge_what_a_forger_makes_alike() -> None:
    tallies = [one(f"11.0.{number}", ForgerBudget(mutants=15, states=1, second=True)) for number in range(3)]
    assert [str(finding) for tally in tallies for finding in tally.findings] == []
    assert sum(t.counts["certificates that the second reader was asked about"] for t in tallies) > 50


def test_both_judge_rules_that_ask_for_absences_and_sums_alike() -> None:
    budget = ForgerBudget(mutants=25, states=1, second=True, complete=True)
    tallies = [one(f"12.0.{number}", budget) for number in range(11)]
    assert [str(finding) for tally in tallies for finding in tally.findings] == []
    assert sum(t.counts["rules accepted that ask for absences or sums"] for t in tallies) > 20
    assert sum(t.counts["theories that the second reader does not read"] for t in tallies) < 3


def test_both_refuse_a_reply_whose_word_a_comparison_names_only() -> None:
    text = """
    theory made. sort thing. action act(thing). game win.
    won: after win is GI :- act(_).
    replies win: act(?t), ?t = t1.
    """
    theory, (rule,) = load_text(text), parse("still: win is IG :- ?x = t1.").clauses
    assert isinstance(rule, Rule)
    leaf = Leaf((ProofStep("won", None, (("_1", Variable("t^")),)),))
    made = certificate_of(rule, (), theory, {}, (leaf,), (0, (("t", Constant("t1")),)))
    output = Both.of_texts(theory, [text]).verdicts(rule, certificate_as_json(made))
    assert "`t1` is no `thing`" in output.checker
    assert "no thing of the sort thing" in output.reader


@pytest.mark.parametrize("name", ["go", "chess", "firm", "family"])
def test_both_read_the_same_of_a_theory(name: str) -> None:
    theory = load(name)
    both = Both.shipped(theory, name)
    assumed = theory.without_lemmas().rules
    for rule in Random(2).sample(assumed, min(60, len(assumed))):
        assert fingerprint(both.form(rule)) == fingerprint_of_rule(rule)
        if rule.label is not None:
            assert fingerprint(both.read.rules[rule.label]) == fingerprint_of_rule(rule)
    assert len(both.read.rules) == len([r for r in theory.rules if isinstance(r, Rule) and r.label])


@pytest.mark.parametrize(
    "text", ["good(?x :- f(?x).", "good(?x) :- all ?y in f(?y).", "good(?x) :- ?x + .", "good(¿)."]
)
def test_what_is_no_text_of_the_language_is_not_read(text: str) -> None:
    with pytest.raises(NotRead):
        clauses(text)


def test_nothing_is_accepted_that_is_no_certificate(cases: list[CertifiedCase]) -> None:
    case = cases[1]
    for data in (None, [], "x", {}, {"format": 4}, {**case.data, "format": 3}, {**case.data, "rank": 0}):
        assert second.decide(case.form, data, case.both.read, {}).kind == "refused"
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert second.decide(case.form, {**case.data, "end": deep}, case.both.read, {}).kind == "refused"


WORDS_OF_PLANS = """
theory words.
sort side = red | blue.
fluent to_move(-> side) alternates.
fluent passed(side) observed fleeting says "it passed".
action go(side).
game home(side) worth -10 says "it is home".
"""
PLAN = "one: plan home(?c) in 12 by go(?c) :- to_move(?c), passed(_)."


def test_it_reads_plans_and_the_words_for_them():
    (rule,) = clauses(PLAN)
    assert fingerprint(rule) == fingerprint_of_rule(parse(PLAN).clauses[0])
    words = load_text(WORDS_OF_PLANS).vocabulary
    for form in clauses(WORDS_OF_PLANS):
        if form[0] == "predicate":
            sorts = [words.sorts[name] for name in form[3]]
            listed = [("sort", sort.name, sort.kind, sort.constants) for sort in sorts]
            assert fingerprint([form, *listed]) == fingerprint_of_declaration(
                words.predicates[form[2]], words
            )


def test_it_decides_no_plan():
    (rule,) = clauses(PLAN)
    verdict = second.decide(rule, {}, ReaderTheory(clauses(WORDS_OF_PLANS)), {})
    assert verdict.kind == "not decided"
    assert "plans" in verdict.why
