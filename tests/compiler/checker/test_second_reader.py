"""Tests of the second, independent checker: it agrees with the first one, and shares only texts with it."""

from __future__ import annotations

import ast
import re
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
from hornbook.kb.format.printer import print_rule
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


def random_summary(random: Random, depth: int) -> str:
    """Return an aggregate or an absence of random conditions, with few variables, so that many are shared."""
    inside = ", ".join(random_condition(random, depth - 1) for _ in range(random.randint(1, 3)))
    if random.random() < 0.2:
        return f"absent ({inside})"
    one, result = (f"?{name}" for name in random.sample("abcdefgh", 2))
    group = random.choice(re.findall(r"\?\w", inside) or ["?z"])
    by = random.choice(("", f" by {group}"))
    what = random.choice((f"sum {one}", f"count {one}", f"count {one}, ?y", f"average_down({one}, 1, 0)"))
    return f"{result} = {what}{by} where ({inside})"


def random_condition(random: Random, depth: int) -> str:
    if depth and random.random() < 0.5:
        return random_summary(random, depth)
    terms = [random.choice((*(f"?{name}" for name in "abcdefghyz"), "_", "?a + 1")) for _ in range(2)]
    if random.random() < 0.2:
        return f"?{random.choice('abc')} > ?{random.choice('def')}"
    if random.random() < 0.1:
        return f"all ?m in p({terms[0]}, ?m): q(?m, {terms[1]})"
    return f"{random.choice('pq')}({', '.join(terms)})"


def test_both_read_the_same_of_random_rules_with_groups_and_averages() -> None:
    read = several = 0
    for number in range(3000):
        random = Random(f"groups.{number}")
        body = ", ".join(random_condition(random, 2) for _ in range(random.randint(1, 4)))
        if random.random() < 0.3:
            body += f", ({random_condition(random, 1)} or {random_condition(random, 1)})"
        text = f"made: head({random.choice(('?a, ?b', '?a + ?c, ?z', '_, ?d'))}) :- {body}."
        found = parse(text)
        rules = [clause for clause in found.clauses if isinstance(clause, Rule)]
        if found.diagnostics or not rules:
            continue
        forms = [form for form in clauses(text) if form[0] == "rule"]
        assert list(map(fingerprint, forms)) == list(map(fingerprint_of_rule, rules)), text
        read += any(word in body for word in (" by ", "average"))
        several += len(rules) > 1
    assert read > 500
    assert several > 100


GROUPS = """
theory made. sort box. sort place. static p(box, int, place) complete. static weight(box -> int) complete.
static heavy(box) complete. static q(place) complete. sort euro = decimal(1). static worth(box -> euro) complete.
derived total(place, int). derived two(place, int, int). derived mean(euro).
plain: total(?p, ?n) :- ?n = sum ?w by ?p where (p(?box, ?w, ?p), weight(?box, ?w)).
opened: total(?p, ?n) :-
  q(?p), ?n = average_half_even(?w, 0, 0) by ?p where (p(_, ?w, ?p), absent heavy(_)), ?n > 1.
twice: two(?p, ?n, ?m) :-
  ?n = sum ?w by ?p where p(_, ?w, ?p),
  ?m = average_down(?w, 0, 0) by ?p where (p(?b, ?w, ?p), weight(?b, ?w_1), ?w_1 > ?w).
nested: total(?p, ?n) :-
  ?n = sum ?w by ?p where (p(?b, ?w, ?p), ?k = count ?c by ?w where weight(?c, ?w), ?k > 1, weight(?b, _)).
either: total(?p, ?n) :- (q(?p) or p(_, 1, ?p)), ?n = min ?w by ?p where p(?b, ?w, ?p).
calculated: total(?p, ?n + 1) :- ?n = sum ?w by ?p, ?v where (p(?b, ?w, ?p), weight(?b, ?v)).
everywhere: mean(?n) :- ?n = average_half_up(?w, 1, 1) where (worth(?b, ?w), absent p(?b, _, _)).
"""


def test_both_read_groups_and_averages_in_every_position() -> None:
    theory = load_text(GROUPS)
    both = Both.of_texts(theory, [GROUPS])
    for rule in theory.rules:
        assert fingerprint(both.read.rules[rule.name]) == fingerprint_of_rule(rule), print_rule(rule)
    assert len(theory.rules) == len(both.read.rules) == 8


@pytest.mark.parametrize("by", ["_", "?w", "?other"])
def test_a_group_that_does_not_exist_is_not_read(by: str) -> None:
    with pytest.raises(NotRead):
        clauses(f"a: n(?n) :- ?n = sum ?w by {by} where p(?box, ?w).")


SCOPES = """
theory made. sort box. sort place. static weight(box -> int) complete. static q(place) complete. static in(box, place).
static number(box -> int) counts in. static heavy(box). static far(place). static light(box).
derived good(box). derived odd(box).
fine: good(?b) :- light(?b).
tests: odd(?b) :- heavy(?b), absent weight(?b, _), absent q(_).
"""


@pytest.mark.parametrize(
    ("conditions", "accepted"),
    [
        ("absent (weight(?x, ?n), ?n > 5), absent q(?x)", True),
        ("absent weight(?x, 7), ?m = count ?x where q(?x)", True),
        ("?m = sum ?x where weight(_, ?x), ?k = count ?x where q(?x)", True),
        ("number(?b, _), all ?x in in(?b, ?x): (far(?x), heavy(?y)), absent q(?y)", True),
        ("heavy(?x), absent q(?x)", False),
        ("absent (weight(?x, _), q(?x))", False),
        ("?m = sum ?x where q(?x)", False),
    ],
)
def test_local_variables_of_two_conditions_may_have_one_name(conditions: str, accepted: bool) -> None:
    theory, (rule,) = load_text(SCOPES), parse(f"learned: good(?b) :- light(?b), {conditions}.").clauses
    assert isinstance(rule, Rule)
    step = ProofStep("fine", "before", (("b", Variable("b")),), (0,), (), ())
    made = certificate_of(rule, (step,), theory, {})
    verdicts = Both.of_texts(theory, [SCOPES]).verdicts(rule, certificate_as_json(made))
    assert verdicts.agree, verdicts
    assert (verdicts.checker == "") == accepted, verdicts


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
