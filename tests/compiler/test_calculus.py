"""Tests of the queries to the checker that is extracted from the Coq proof.

If Coq is installed, they also check the proof of its arithmetic.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from benchmarks.fuzz.certificates import SETS
from benchmarks.fuzz.second_reader import learned, lemmas, small
from hornbook.compiler.prove.by_hand import prove
from hornbook.compiler.rules.certificates import certificate_as_json
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse
from oracles.calculus.building import RECORD, SOURCES, rows
from oracles.calculus.comparing import CheckerQuestion, CheckerTally, question_of
from oracles.calculus.questions import closed_text, given_text, theory_text
from oracles.coq.record import differences, read
from oracles.proofs.two_readers import Both
from oracles.reader.language import clauses
from oracles.reader.theory import free

THEORY = """
theory made.
sort thing. sort size = int.
static holds(thing -> size).
action fill(thing).
action drain(thing).
fluent full(thing).
game done.
done_when_full: done by fill(?x) is GI :- holds(?x, ?n), ?n + 1 <= 3, full(?x).
all_full: done is G :- full('?a').
filled: after full(?x) :- fill(?x).
replies done: drain(?x), full(?x) unless holds(?x, 3).
holds('?a', 3).
"""


def test_nothing_is_admitted():
    """`Print Assumptions` checks the same if Coq is installed. This test needs no Coq."""
    for path in SOURCES.glob("*.v"):
        text = re.sub(r"\(\*.*?\*\)", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert not re.search(r"\b(Admitted|admit|Axiom|Parameter|Conjecture|bypass_check)\b", text), path


def test_a_theory_is_queried_about_in_its_own_words():
    both = Both.of_texts(load_text(THEORY), [THEORY])
    message = theory_text(both.read)
    assert '("holds" (false true))' in message
    assert '(("holds" "?a" 3))' in message  # a word that looks like a variable, as a value
    assert (
        '(rule "all_full" (statement (game "done") always ("G"))'
        ' ((statement (changing "full") always ("\'?a"))))' in message
    )
    assert (
        '(rule "done_when_full" (statement (by "done" "fill" 0) always ("?x" "GI"))'
        ' ((statement (static "holds") always ("?x" "?n")) (compare "<=" ("+" "?n" 1) 3)'
        ' (statement (changing "full") always ("?x"))))' in message
    )
    assert (
        '(rule "filled" (statement (changing "full") after ("?x")) ((statement (action "fill") always ("?x"))))'
        in message
    )
    assert (
        '((replies "done" () ((case "drain" ("?x") ((statement (changing "full") always ("?x")))'
        ' (statement (static "holds") always ("?x" 3))))))' in message
    )


def test_a_condition_on_a_closed_set_is_queried_about_with_gaps_for_what_is_outside_of_it():
    text = "theory made.\n" + SETS
    both = Both.of_texts(load_text(text), [text])
    good = (
        '(closed "(all 0 (m _ 0) (near 0 1) (v 1 2) (> 2 _))" (((changing "m") always) ((changing "n") always)'
        ' ((static "near") always) ((changing "v") always)) (("#1.0" (changing "n") always ("?b"))) ("?b" 2) none)'
    )
    rule = both.read.rules["all_near"]
    assert closed_text(rule[3][1], both.read, free(rule), 1) == good
    assert given_text(rule, both.read).startswith('(given (rule "all_near" ')


def test_what_is_queried_of_each_member_is_queried_about_under_names_of_its_own():
    text = "theory made.\n" + SETS
    assert (
        '(every (changing "m") always ("?b") (changing "n") "#1.0" ("%0") (("%1" "x") ("%2" "i"))'
        ' ((statement (static "near") always ("?%0" "?%1")) (statement (changing "v") always ("?%1" "?%2"))'
        ' (compare ">" "?%2" 2)))' in theory_text(Both.of_texts(load_text(text), [text]).read)
    )


def test_terms_for_the_variables_of_a_member_are_queried_about_by_these_names():
    case = next(case for case in small() if '"each"' in json.dumps(case.data))
    queried = question_of("small", "one", case.both, case.rule, case.form, case.data)
    assert '(("%1" "?x") ("%2" "?j"))' in queried.text
    steps = json.loads(json.dumps(case.data["steps"]))
    each = next(
        proof for step in steps for proof in step[3] if isinstance(proof, list) and proof[0] == "each"
    )
    each[2][0][1][0][0] = "%1"  # a name that the rule does not have
    message = question_of("small", "one", case.both, case.rule, case.form, {**case.data, "steps": steps})
    assert message.project
    assert '(("?%1" "?x") ("%2" "?j"))' in message.text


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("all ?z in m(?b, ?z): (near(?z, ?y), v(?y, ?j), ?j > 2)", True),  # only names differ
        ("all ?z in m(?b, ?z): (near(?z, ?y), v(?z, ?j), ?j > 2)", False),
        ("all ?z in m(?b, ?z): (near(?z, ?y), v(?y, ?k), ?k > 2)", False),  # a variable of the rule
        ("all ?z in m(?b, ?z): (near(?z, ?y), v(?y, ?j), 2 > ?j)", False),
        ("all ?z in m(?b, ?z): (near(?z, ?y), v(?y, ?j), ?j > 2, ?j > 2)", False),
        (
            "all ?z in m(?b, ?z): (near(?z, ?y), absent v(?y, 1))",
            None,
        ),  # it may become false with more facts
    ],
)
def test_two_conditions_on_closed_sets_are_one_up_to_names_of_their_own(condition, message):
    text = "theory made.\n" + SETS
    theory = Both.of_texts(load_text(text), [text]).read
    one = theory.rules["all_near"][3][1]
    other = clauses(f"made: good(?b) :- n(?b, ?k), {condition}.")[0][3][1]
    shared = {"?b", "?k"}
    queried = closed_text(other, theory, shared)
    assert (None if queried is None else queried == closed_text(one, theory, shared)) == message


def test_what_a_count_leaves_out_and_its_number_state_outside_of_it():
    text = "theory made.\n" + SETS
    theory = Both.of_texts(load_text(text), [text]).read
    count = clauses("made: good(?b) :- ?k = count ?x in m(?b, ?x) but ?p.")[0][3][0]
    message = closed_text(count, theory, {"?b", "?k", "?p"})
    assert message == (
        '(closed "(count  (0) ((m _ 0)) (_))" (((changing "m") always) ((changing "n") always))'
        ' (("#0.0" (changing "n") always ("?b"))) ("?b" "?p") "?k")'
    )


def test_a_certificate_is_queried_about_unless_its_form_says_enough():
    case = next(case for case in learned("firm") if case.rule.name == "solvent_by_buy_is_pi_1")

    def ask(data):
        return question_of("firm", "one", case.both, case.rule, case.form, data)

    good = ask(case.data)
    assert not good.project
    assert not good.early
    assert good.text.startswith('(question false (rule "solvent_by_buy_is_pi_1" ')
    assert good.text.count("(step ") == len(case.steps)
    other = ask({**case.data, "rank": "1"})
    assert other.project
    assert other.early.startswith("refused: ")
    plan = parse("plan_x: plan solvent in 1 by hire(?x) :- staff(?x).").clauses[0]
    assert (
        question_of("firm", "plan", case.both, plan, case.both.form(plan), {}).early == "not covered: a plan"
    )


def test_the_proofs_of_replies_are_queried_about_as_they_state():
    case = next(case for case in small() if case.data.get("replies"))
    queried = question_of("small", "one", case.both, case.rule, case.form, case.data, is_lemma=True)
    assert not queried.project
    assert queried.text.startswith("(question true ")
    number, chosen, _, _ = case.data["open"]
    assert f"(opening {number} (" in queried.text
    assert all(f'("{name}" ' in queried.text for name in chosen)
    leaves = str(case.data["replies"]).count("'split'") + len(case.data["replies"])
    assert queried.text.count("(leaf ") >= leaves


RECURSIVE = """
theory made.
sort thing.
static edge(thing, thing).
fluent full(thing).
derived wet(thing).
derived damp(thing).
source: wet(?x) :- full(?x).
flows: wet(?x) :- edge(?x, ?y), wet(?y).
full_is_damp: damp(?x) :- full(?x).
damp_flows: damp(?x) :- edge(?x, ?y), damp(?y).
"""


@pytest.mark.deep
def test_a_proof_by_induction_is_queried_about_with_the_rules_that_conclude():
    theory = load_text(RECURSIVE)
    both = Both.of_texts(theory, [RECURSIVE])
    rule = parse("all_damp: damp(?x) :- wet(?x).").clauses[0]
    data = json.loads(json.dumps(certificate_as_json(prove(rule, theory, {}))))
    queried = question_of("made", "one", both, rule, both.form(rule), data)
    assert not queried.project
    assert not queried.early
    assert queried.text.count('(invert () "wet" before ("?x") () 0 ') == 1
    assert '(step "~" false before (("x" "?y~1")) (3) ())' in queried.text
    assert '("wet" "damp"))' in theory_text(both.read)
    given = {**data, "cases": {**data["cases"], "invert": ["full", "before", ["?x"]]}}
    assert (
        question_of("made", "one", both, rule, both.form(rule), given).early == "refused: `full` may be given"
    )


def test_the_lemmas_of_chess_are_queried_about_of_chess_without_them():
    declined = []
    for case in lemmas("chess"):
        queried = question_of("lemmas", case.rule.name, case.both, case.rule, case.form, case.data)
        assert not queried.project
        assert f'(rule "{case.rule.name}"' not in theory_text(case.both.read)
        if queried.early:
            declined.append((case.rule.name, queried.early))
        else:
            assert "(invert " in queried.text
    before = "not covered: what is told apart before an action in a state to which actions lead"
    names = [
        "a_line_stays_clear_when_the_king_stays",
        "a_line_stays_clear_when_the_king_steps",
        "a_line_stays_clear_when_the_king_castles",
        "it_went_there",
        "its_king_is_where_it_was",
    ]
    assert declined == [(name, before) for name in names]


@pytest.mark.parametrize(
    ("project", "message", "disagree"),
    [
        ("", "accepted", False),
        ("no", "accepted", True),
        ("", "refused: why", True),
        ("no", "refused: why", False),
        ("", "not covered: why", False),
        ("no", "not covered: why", False),
        ("no", "Fatal error", True),
    ],
)
def test_what_is_declined_is_no_disagreement_and_all_else_is(project, message, disagree):
    tally = CheckerTally()
    tally.take(CheckerQuestion("group", "name", "", project, "", ""), message)
    assert bool(tally.disagreements) == disagree


def test_the_record_is_of_this_proof():
    """CI repeats the run that the record names (`python -m oracles.calculus`).

    This test needs no Coq and finds an outdated record.
    """
    first, *recorded = read(RECORD)
    assert first["axioms"] == "none"
    assert differences(recorded, rows()) == [], "run `python -m oracles.calculus --write`"


def test_the_page_shows_the_claim_that_is_proved():
    page = (Path(__file__).parents[2] / "docs" / "explanation" / "the-calculus.md").read_text(
        encoding="utf-8"
    )
    claim = (SOURCES / "Claim.v").read_text(encoding="utf-8")
    assert claim[claim.index("Definition claim") :].strip() in page
