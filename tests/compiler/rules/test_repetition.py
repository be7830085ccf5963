"""Tests of redundant learned rules: the learner leaves out a rule that only repeats a rule of the theory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hornbook.compiler.learn.learning import ExampleProgress, examples_of, learn_all
from hornbook.compiler.match.position import RuleMatcher
from hornbook.compiler.rules.admission import RuleBase, RuleEntry
from hornbook.compiler.rules.repetition import repetition
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_rule
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse_query

PLAIN = (Path(__file__).parent / "data" / "repetition_plain.horn").read_text(encoding="utf-8")
ROOMS = """theory rooms.
sort box.
sort room.
fluent in(box -> room).
fluent sealed(box).
fluent open(room).
fluent lit(room).
derived movable(box).
derived usable(room).
action carry(box, room).
"""
GAME = """theory one_move.
sort stone.
fluent free(stone).
action hit(stone).
game take(stone).
static weak(stone).
"""


def lesson(theory: Theory, *, max_proofs: int = 1) -> ExampleProgress:
    (*_, progress) = learn_all(examples_of(theory), theory, RuleBase(theory.name), max_proofs=max_proofs)
    assert not (progress.outcome.fault)
    assert not (progress.outcome.refused)
    assert not progress.outcome.gaps
    return progress


def learned(text: str, goal: str, facts: str, *, max_proofs: int = 1) -> ExampleProgress:
    return lesson(load_text(f"{text}example e: {facts}.\nexpect e: {goal}.\n"), max_proofs=max_proofs)


REPEATED = {
    "the rule itself": (
        PLAIN + "r: wide(?x) :- size(?x, ?n), limit(?m), ?n > ?m.",
        "wide(a)",
        "size(a, 7)",
    ),
    "with values that equations determine, and without what the theory states": (
        PLAIN + "r: odd(?x) :- hue(?x, ?c), ?c = black, other(black, white), size(?x, ?n), 1 = ?n - 1.",
        "odd(a)",
        "hue(a, black), size(a, 2)",
    ),
    "what another rule of the theory says more generally": (
        PLAIN
        + "r: near(?x, ?y) :- beside(?x, ?y). s: odd(?x) :- size(?x, ?n), ?n > 3."
        + "t: near(?x, ?y) :- odd(?x), beside(?y, ?x), beside(?x, ?y).",
        "near(a, b)",
        "beside(a, b), beside(b, a), size(a, 4)",
    ),
    "with things made one": (
        PLAIN + "r: near(?x, ?y) :- hue(?x, ?c), hue(?y, ?c), beside(?x, ?y).",
        "near(a, a)",
        "hue(a, black), beside(a, a)",
    ),
    "with an absence": (PLAIN + "r: wide(?x) :- hue(?x, _), absent far(?x).", "wide(a)", "hue(a, black)"),
    "at a moment": (
        ROOMS + "r: movable(?b) :- in(?b, ?r), open(?r).",
        "before movable(x)",
        "in(x, p), open(p), carry(x, q)",
    ),
}


EFFECTS = {
    "a transition": (
        ROOMS + "r: after sealed(?b) :- carry(?b, ?r), before in(?b, ?q), before open(?r).",
        "after sealed(x)",
        "in(x, p), open(q), carry(x, q)",
    ),
    "what persists": (ROOMS + "persists open(_).", "after open(p)", "open(p), carry(x, q)"),
}


@pytest.mark.parametrize(("text", "goal", "facts"), EFFECTS.values(), ids=EFFECTS)
def test_a_rule_about_an_effect_is_stored_since_states_are_matched_without_the_theory(text, goal, facts):
    progress = learned(text, goal, facts)
    (entry,), (output,) = progress.admitted, progress.repeating
    assert output.is_admitted
    assert str(output).endswith("and is kept, since states are matched by learned rules alone")
    learned_only = KnowledgeBase(replace(load_text(text), rules=(entry.rule,)))
    learned_only.add_text(f"{facts}.".replace("), ", "). "))
    assert learned_only.holds(parse_query(goal).conditions[0])


@pytest.mark.parametrize(("text", "goal", "facts"), REPEATED.values(), ids=REPEATED)
def test_a_rule_of_the_theory_that_is_learned_is_left_out(text: str, goal: str, facts: str):
    for proofs in (1, 5):
        progress = learned(text, goal, facts, max_proofs=proofs)
        (output,) = progress.repeating
        assert (progress.admitted, len(progress.base), output.is_admitted) == ((), 0, False)
        assert f"nothing new: the rule of `{goal}` repeats `" in str(output)


@pytest.mark.parametrize(("text", "goal", "facts"), REPEATED.values(), ids=REPEATED)
def test_what_is_left_out_says_nothing_that_the_rule_it_repeats_does_not(text: str, goal: str, facts: str):
    theory = load_text(f"{text}example e: {facts}.\nexpect e: {goal}.\n")
    (output,) = lesson(theory).repeating
    (example,) = examples_of(theory)
    one = KnowledgeBase(replace(theory, rules=(output.of,)))
    one.add(example.facts)
    assert one.holds(example.goals[0])


NEW = {
    "of two steps": (
        PLAIN + "r: odd(?x) :- beside(?x, ?y), far(?y). s: wide(?x) :- odd(?x), size(?x, ?n), ?n > 1.",
        "wide(a)",
        "beside(a, b), far(b), size(a, 2)",
        "wide(?x) :- beside(?x, ?y), far(?y), size(?x, ?n), ?n > 1.",
    ),
    "of recursion": (
        PLAIN + "r: near(?x, ?y) :- beside(?x, ?y). s: near(?x, ?z) :- beside(?x, ?y), near(?y, ?z).",
        "near(a, c)",
        "beside(a, b), beside(b, c)",
        "near(?x, ?z) :- beside(?x, ?y), beside(?y, ?z).",
    ),
    "through an action": (
        ROOMS + "persists open(_). t: after sealed(?b) :- carry(?b, ?r), before in(?b, ?q), after open(?r).",
        "after sealed(x)",
        "in(x, p), open(q), carry(x, q)",
        "after sealed(?b) :- carry(?b, ?r), before in(?b, _), before open(?r).",
    ),
}


@pytest.mark.parametrize(("text", "goal", "facts", "rule"), NEW.values(), ids=NEW)
def test_a_rule_that_no_single_rule_of_the_theory_gives_is_admitted(
    text: str, goal: str, facts: str, rule: str
):
    progress = learned(text, goal, facts)
    (entry,) = progress.admitted
    assert progress.repeating == ()
    assert rule in " ".join(print_rule(entry.rule).split())


MESSAGE = {
    "of any moment": ("usable(?p) :- open(?p).", "usable(?q) :- open(?q), lit(?q).", True),
    "of one moment by one of any": (
        "usable(?p) :- open(?p).",
        "before usable(?p) :- before open(?p), before lit(?p).",
        True,
    ),
    "of any moment by one of one": (
        "before usable(?p) :- before open(?p).",
        "usable(?p) :- open(?p).",
        False,
    ),
    "of another moment": (
        "after usable(?p) :- carry(_, ?p), before open(?p).",
        "before usable(?p) :- before open(?p).",
        False,
    ),
    "of what holds after an action": (
        "after usable(?p) :- carry(_, ?p), after open(?p).",
        "after usable(?p) :- carry(_, ?p), before open(?p).",
        False,
    ),
    "of less": ("usable(?p) :- open(?p), lit(?p).", "usable(?p) :- open(?p).", False),
    "by a stronger comparison": (
        "after sealed(?b) :- carry(?b, _), before weight(?b, ?n), ?n > 5.",
        "after sealed(?b) :- carry(?b, _), before weight(?b, ?n), ?n >= 7.",
        True,
    ),
    "by a weaker comparison": (
        "after sealed(?b) :- carry(?b, _), before weight(?b, ?n), ?n > 5.",
        "after sealed(?b) :- carry(?b, _), before weight(?b, ?n), ?n >= 3.",
        False,
    ),
    "of things that are one": ("beside(?p, ?q) :- open(?p), open(?q).", "beside(?p, ?p) :- open(?p).", True),
    "of things that may differ": (
        "beside(?p, ?p) :- open(?p).",
        "beside(?p, ?q) :- open(?p), open(?q).",
        False,
    ),
}


@pytest.mark.parametrize(("theirs", "rule", "repeats"), MESSAGE.values(), ids=MESSAGE)
def test_a_rule_repeats_what_one_rule_gives_wherever_it_answers(theirs: str, rule: str, repeats: bool):
    words = ROOMS + "fluent weight(box -> int).\nderived beside(room, room).\n"
    theory = load_text(f"{words}theirs: {theirs}")
    (mine,) = load_text(f"{words}mine: {rule}").rules
    assert (repetition(RuleEntry(mine, None, None), theory) is not None) is repeats


def test_a_proof_that_gives_a_rule_of_its_own_comes_before_one_that_repeats_the_theory():
    text = (
        PLAIN
        + "r: wide(?x) :- size(?x, ?n), ?n > 5. s: odd(?x) :- hue(?x, black), beside(?x, _)."
        + "t: wide(?x) :- odd(?x), beside(?x, ?x)."
    )
    facts = "size(a, 9), hue(a, black), beside(a, a)"
    (entry,) = learned(text, "wide(a)", facts, max_proofs=5).admitted
    assert "hue(?x, black)" in print_rule(entry.rule)


def test_a_rule_that_was_learned_before_is_no_repetition_of_the_theory():
    theory = load_text(
        PLAIN
        + "r: odd(?x) :- beside(?x, ?y), far(?y). s: wide(?x) :- odd(?x).\n"
        + "example e: beside(a, b), far(b).\nexpect e: wide(a).\n"
        + "example f: beside(c, d), far(d).\nexpect f: wide(c).\n"
    )
    first, second = learn_all(examples_of(theory), theory, RuleBase(theory.name))
    assert [entry.rule.name for entry in first.admitted] == ["wide_1"]
    assert [by for _, by in second.subsumed] == ["wide_1"]
    assert first.repeating == second.repeating == ()


def test_a_rule_about_a_game_is_stored_since_positions_are_matched_without_the_theory():
    theory = load_text(
        GAME
        + "r: take(?s) by hit(?s) is GI :- free(?s), weak(?s).\n"
        + "example e: free(a), weak(a), hit(a).\nexpect e: before take(a) by hit(a) is GI.\n"
    )
    progress = lesson(theory)
    (entry,), (output,) = progress.admitted, progress.repeating
    assert output.is_admitted
    assert str(output).startswith(f"{entry.rule.name} repeats `r` (")
    assert str(output).endswith("and is kept, since states are matched by learned rules alone")
    position = [GroundFact("free", ("b",)), GroundFact("weak", ("b",))]
    game, won = Atom("take", (Constant("b"),)), Constant("GI")
    without, matcher = RuleMatcher(theory, "weak"), RuleMatcher(theory, "weak")
    matcher.add(entry.rule)
    assert without.matches(position, game, won) == []
    assert [match.conclusion.by for match in matcher.matches(position, game, won)] == [
        Atom("hit", (Constant("b"),))
    ]
