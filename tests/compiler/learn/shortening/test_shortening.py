"""Tests of short forms: the same conclusions with fewer conditions, and proofs that the checker accepts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import hornbook
from hornbook.compiler.checker.certificate import fingerprint_of_rule
from hornbook.compiler.learn.learning import examples_of, learn_all
from hornbook.compiler.learn.lessons import RuleLearner
from hornbook.compiler.learn.shortening.parts import FEW, MANY, MAX_ARGUMENTS
from hornbook.compiler.learn.shortening.shortening import continued, shortened
from hornbook.compiler.match.states import StateMatcher
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import RuleBase, admit
from hornbook.compiler.rules.definitions import written_out
from hornbook.compiler.rules.subsumption import subsumes
from hornbook.compiler.rules.verification import verify_all
from hornbook.games.lessons import learner_for, lessons_in
from hornbook.inputs.domains import domain_of
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Rule, condition_variables, statements
from hornbook.kb.ast.theory import Theory
from hornbook.kb.load.loader import load_text

HEXAPAWN = Path(hornbook.__file__).parent / "commands" / "theories" / "skeleton_game"


@pytest.fixture(scope="module")
def hexapawn() -> Theory:
    return load(HEXAPAWN)


@pytest.fixture(scope="module")
def flat(hexapawn: Theory) -> RuleBase:
    """The rules of Hexapawn as they are learned."""
    return learner_of(hexapawn, RuleBase(hexapawn.name)).base


@pytest.fixture(scope="module")
def short(hexapawn: Theory, flat: RuleBase) -> RuleBase:
    found = shortened(flat, hexapawn)
    assert not found.reasons
    return found.base


def learner_of(theory: Theory, base: RuleBase) -> RuleLearner:
    """Return a learner that learned from all problems of Hexapawn, with the rules of a base."""
    lessons = lessons_in(theory, [HEXAPAWN / "problems.jsonl"])
    domain = domain_of(theory)
    assert domain is not None
    learner = learner_for(theory, domain, lessons[0].game.predicate, base)
    list(learner.learn(lessons))
    return learner


def users_of(predicate: str, base: RuleBase) -> set[str]:
    """Return the names of the rules with a condition on a predicate."""
    return {
        entry.rule.name for entry in base if any(s.relation == predicate for s in statements(entry.rule.body))
    }


def test_a_short_rule_has_at_most_half_the_conditions(flat, short):
    sizes = [sorted(len(entry.rule.body) for entry in base) for base in (flat, short)]
    before, after = (each[len(each) // 2] for each in sizes)
    assert before > MANY
    assert after <= before // 2
    assert len(flat) == len(short)


def test_the_checker_accepts_every_short_rule(hexapawn, short):
    verdicts = list(verify_all(short, hexapawn))
    assert [each.reason for each in verdicts if not each.follows] == []
    assert any(entry.certificate.replies for entry in short if "_is_ig_" in entry.rule.name)


def test_a_short_rule_written_out_is_the_rule_that_was_learned(hexapawn, flat, short):
    theory = short.definitions.extended(hexapawn)
    for name, entry in flat.entries.items():
        whole = written_out(short.entries[name].rule, theory)
        assert len(whole.body) == len(entry.rule.body)
        assert subsumes(whole, entry.rule)
        assert subsumes(entry.rule, whole)


def test_every_part_is_safe_and_has_few_arguments(short):
    for clause in short.definitions.clauses:
        bound = {v.name for c in clause.body for v in condition_variables(c)}
        assert {v.name for v in condition_variables(clause.head)} <= bound
        assert len(clause.body) > 1
    # A part of an earlier rule may export more than the next rule needs, but never more than this.
    assert all(len(each.columns) <= MAX_ARGUMENTS for each in short.definitions.predicates)


def test_no_condition_is_repeated(short):
    for body in [*(e.rule.body for e in short), *(c.body for c in short.definitions.clauses)]:
        assert len(set(body)) == len(body)


def test_equal_parts_share_one_predicate(short):
    bodies = [frozenset(clause.body) for clause in short.definitions.clauses]
    assert len(set(bodies)) == len(bodies)
    assert len(users_of("legal_by_a_step", short)) > 1


def test_short_rules_conclude_the_same_in_all_positions(hexapawn, flat, short):
    domain = domain_of(hexapawn)
    states, todo = [], list(domain.starts())
    while todo and len(states) < 300:
        state = todo.pop()
        states.append(state)
        todo += [after for a in domain.actions(state) if (after := domain.after(state, a)) is not None]
    queries = [query for state in states for query in domain.questions(state, hexapawn)]
    found = []
    for base in (flat, short):
        theory = base.definitions.extended(hexapawn)
        matcher = StateMatcher(theory, domain.focus_predicate, [entry.answering for entry in base])
        found.append([sorted(map(str, each)) for each in matcher.statements(queries)])
    assert found[0] == found[1]
    assert any(found[0])


def test_the_same_lessons_teach_short_rules_nothing_new(hexapawn, short):
    learner = learner_of(hexapawn, short)
    assert learner.base.entries.keys() == short.entries.keys()


def test_rules_are_learned_from_short_rules_as_lemmas(hexapawn, flat, short):
    """Without the rules for the last two moves, the others are learned again, and use the short ones."""
    left_out = {name for name, entry in flat.entries.items() if entry.certificate.rank > 1}
    kept = replace(
        short, entries={name: entry for name, entry in short.entries.items() if name not in left_out}
    )
    kept = replace(kept, shapes={name: shape for name, shape in short.shapes.items() if name in kept.entries})
    learner = learner_of(hexapawn, kept)
    again = continued(learner.base, hexapawn)
    assert len(again) == len(flat)
    assert [v.reason for v in verify_all(again, hexapawn) if not v.follows] == []
    new = [entry for name, entry in again.entries.items() if name not in kept.entries]
    assert any(name in kept.entries for entry in new for name in entry.certificate.lemmas)
    assert continued(again, hexapawn) == again
    assert continued(flat, hexapawn) is flat


def test_a_short_form_is_admitted_like_the_rule_that_was_learned(flat, short):
    for name, entry in flat.entries.items():
        assert admit(short, entry).by is not None, name


def test_short_rules_stay_as_they_are(hexapawn, short):
    again = shortened(short, hexapawn).base
    assert [entry.rule for entry in again] == [entry.rule for entry in short]
    assert again.definitions == short.definitions


def test_a_changed_part_takes_its_rules_their_certificates(hexapawn, short):
    """A proof covers one definition of a part, so another one must be proved again."""
    clause = next(c for c in short.definitions.clauses if c.head.relation == "legal_by_a_step")
    weaker = replace(clause, body=clause.body[:-1])
    clauses = tuple(weaker if c is clause else c for c in short.definitions.clauses)
    edited = replace(short, definitions=replace(short.definitions, clauses=clauses))
    refused = {v.entry.rule.name for v in verify_all(edited, hexapawn) if not v.follows}
    using = users_of("legal_by_a_step", short)
    assert using
    assert using <= refused


def test_a_written_rule_base_reads_as_it_was(hexapawn, short, tmp_path):
    rulebase.write(short, tmp_path / "short.horn")
    again = rulebase.read(tmp_path / "short.horn", hexapawn)
    assert [entry.rule for entry in again] == [entry.rule for entry in short]
    assert all(entry.is_certified for entry in again)


# Rules about a single state

STATES = """
theory rooms.
sort thing.
static made_of(thing, thing).
static strong(thing).
fluent on(thing, thing).
fluent wet(thing).
derived sturdy(thing).
derived dry(thing).
derived usable(thing).
fluent cold(thing).
by_its_material: sturdy(?x) :- made_of(?x, ?m), strong(?m), made_of(?m, ?n), strong(?n).
by_its_place: dry(?x) :- on(?x, ?y), made_of(?y, ?z), strong(?z), cold(?z).
by_both: usable(?x) :- sturdy(?x), dry(?x), cold(?x).
example one: made_of(a, b), strong(b), made_of(b, c), strong(c), on(a, t), made_of(t, c), cold(c), cold(a).
expect one: usable(a).
"""


def learned(text: str) -> tuple[Theory, RuleBase]:
    theory = load_text(text)
    base = RuleBase(theory.name)
    for step in learn_all(examples_of(theory), theory, base):
        base = step.base
    return theory, base


def only(base: RuleBase) -> Rule:
    (entry,) = base
    return entry.rule


def test_the_parts_of_a_rule_about_one_state_are_called_after_facts_and_labels():
    theory, base = learned(STATES)
    assert len(only(base).body) == 9
    found = shortened(base, theory)
    assert {each.relation for each in only(found.base).body} == {
        "sturdy_by_by_its_material",
        "dry_by_by_its_place",
        "cold",
    }
    assert [v.reason for v in verify_all(found.base, theory) if not v.follows] == []


def test_a_rule_with_few_conditions_keeps_them():
    theory, base = learned(STATES.replace(", cold(?x).", ".").replace("cold(a).", "wet(a)."))
    assert len(only(base).body) == MANY
    assert shortened(base, theory).base == base
    assert FEW < MANY


def test_a_rule_whose_conclusion_is_static_stays_long_with_the_reason():
    text = STATES.replace("derived usable", "static usable").replace("fluent", "static")
    text = text.replace("derived", "static")
    theory, base = learned(text)
    found = shortened(base, theory)
    assert only(found.base) == only(base)
    assert fingerprint_of_rule(only(found.base)) == next(iter(found.base)).certificate.of
    assert "static" in found.reasons[only(base).name]
    assert not found.base.definitions
