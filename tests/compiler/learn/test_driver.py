"""The learning driver with a small strategy: the order of calls, admission, and results of other processes.

A learned rule is replayed once, by the learner, and not again by a reader of the rule base.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import pytest

from hornbook.compiler.checker import checker
from hornbook.compiler.learn.driver import PART, ROUND, Round, RuleAdmission, drive, in_rounds
from hornbook.compiler.learn.learner import ProvedExample, explanation_of, learn
from hornbook.compiler.learn.lessons import Problem, RuleLearner
from hornbook.compiler.rules.admission import RuleBase, RuleEntry, rule_base
from hornbook.compiler.rules.verification import with_verdicts
from hornbook.inputs.theories import load
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.theories.go.play import tactics
from hornbook.theories.go.problems import lessons, read_problems, shipped

THEORY = load_text(
    """theory kin.
sort person.
static parent(person, person).
derived grandparent(person, person).
derived elder(person, person).
by_parents: grandparent(?a, ?c) :- parent(?a, ?b), parent(?b, ?c).
by_grandparents: elder(?a, ?c) :- grandparent(?a, ?b), parent(?b, ?c).
"""
)
FACTS = "parent(ann, bea). parent(bea, cay). parent(cay, dan)."
ELDER, GRANDPARENT = "elder(ann, dan)", "grandparent(ann, cay)"


@dataclass(frozen=True, slots=True)
class Found:
    task: str
    entries: tuple[RuleEntry, ...]
    known: int


class Goals:
    """A strategy whose tasks are goals to explain in fixed facts."""

    def __init__(self, *, admits: bool = False) -> None:
        self.admits = admits

    def learn_from(self, task: str, rules: RuleAdmission) -> Found:
        base = KnowledgeBase(THEORY, derivations="all")
        base.add_text(FACTS)
        learned = learn(explanation_of(base, task), THEORY, "learned", rules.lemmas)
        assert isinstance(learned, ProvedExample)
        entry = RuleEntry(learned.rule, learned.certificate, None)
        known = len(rules.lemmas)
        if self.admits:
            rules.add(replace(entry, rule=entry.rule))
            return Found(task, (), known)
        return Found(task, (entry,), known)


class Elsewhere(Goals):
    """A strategy that continues the rule base in another admission."""

    def learn_from(self, task: str, rules: RuleAdmission) -> Found:
        (step,) = drive(Goals(), [task], RuleAdmission(THEORY, rules.base))
        rules.replace_base(step.base)
        return replace(step.outcome, entries=())


def admission() -> RuleAdmission:
    return RuleAdmission(THEORY, RuleBase(THEORY.name))


def elsewhere(this: Round[str, Found], parts: Sequence[Sequence[str]]) -> Iterator[list[Found]]:
    return map(this.ready(), parts)


def test_rules_are_labelled_and_admitted_in_the_order_of_the_tasks():
    first, second, third = drive(Goals(), [ELDER, ELDER, GRANDPARENT], admission())
    assert [e.rule.name for e in first.admitted] == ["elder_1"]
    assert [(e.rule.name, by) for e, by in second.subsumed] == [("elder_2", "elder_1")]
    assert not second.admitted
    assert [each.of.name for each in third.left_out] == ["by_parents"]
    assert list(third.base.entries) == ["elder_1"]


def test_each_call_knows_the_rules_of_earlier_tasks():
    assert [each.outcome.known for each in drive(Goals(), [ELDER, ELDER], admission())] == [0, 1]


def test_the_tasks_of_a_round_know_the_rules_before_the_round():
    steps = drive(Goals(), [ELDER] * (ROUND + 1), admission(), in_rounds())
    assert [each.outcome.known for each in steps] == [0] * ROUND + [1]


def test_a_task_is_taken_only_after_the_rules_of_the_previous_one_are_admitted():
    rules = admission()

    def tasks() -> Iterator[str]:
        yield ELDER
        assert list(rules.base.entries) == ["elder_1"]
        yield ELDER

    assert len(list(drive(Goals(), tasks(), rules))) == 2


def test_a_strategy_can_admit_rules_itself_and_take_them_back():
    rules = admission()
    (step,) = drive(Goals(admits=True), [ELDER], rules)
    assert [e.rule.name for e in step.admitted] == ["learned"]
    Goals(admits=True).learn_from(GRANDPARENT, rules)
    rules.undo()
    assert rules.base is step.base
    assert not rules.progress(step.task, step.outcome).admitted


@pytest.mark.parametrize("forged", [lambda e: replace(e, rule=replace(e.rule, body=e.rule.body[:1])),
                                    lambda e: replace(e, certificate=None)])  # fmt: skip
def test_a_rule_of_another_process_without_a_proof_is_learned_again_here(forged):
    def forging(this: Round[str, Found], parts: Sequence[Sequence[str]]) -> Iterator[list[Found]]:
        for outcomes in elsewhere(this, parts):
            yield [replace(o, entries=tuple(map(forged, o.entries))) for o in outcomes]

    honest = list(drive(Goals(), [ELDER], admission(), in_rounds()))
    assert list(drive(Goals(), [ELDER], admission(), in_rounds(forging))) == honest


def test_rules_from_another_admission_count_as_admitted():
    first, second = drive(Elsewhere(), [ELDER, ELDER], admission())
    assert [e.rule.name for e in first.admitted] == list(first.base.entries) == ["elder_1"]
    assert not second.admitted
    assert second.base == first.base


def test_a_round_is_sent_in_parts_and_the_next_round_is_twice_as_long():
    sizes = []

    def measured(this: Round[str, Found], parts: Sequence[Sequence[str]]) -> Iterator[list[Found]]:
        sizes.append([len(part) for part in parts])
        return elsewhere(this, parts)

    assert len(list(drive(Goals(), [ELDER] * (ROUND + PART + 1), admission(), in_rounds(measured)))) == 41
    assert sizes == [[PART] * (ROUND // PART), [PART, 1]]


@pytest.fixture
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("HORNBOOK_CACHE", str(tmp_path / "cache"))


def test_each_rule_is_replayed_once(own_cache, monkeypatch):
    replayed: list[str] = []
    replay = checker._replay

    def counted(rule, *rest, **how):
        replayed.append(rule.name)
        return replay(rule, *rest, **how)

    monkeypatch.setattr(checker, "_replay", counted)
    theory = load(lessons.PART)
    problem = next(p for p in read_problems(shipped("train")) if p.depth == 3)
    learner = RuleLearner(theory, tactics, RuleBase(theory.name))
    lesson = Problem(
        problem.id, "", problem.board, lessons.game_of(problem), lessons.moves_first(problem) or 0
    )
    assert all(taught.first for taught in learner.learn([lesson]))
    known = len(replayed)
    assert set(learner.base.entries) <= set(replayed)
    assert all(entry.is_certified for entry in with_verdicts(learner.base, theory))
    assert len(replayed) == known
    damaged = [
        replace(e, certificate=replace(e.certificate, steps=(), replies=()))
        for e in learner.base
        if e.certificate
    ]
    assert not any(e.is_certified for e in with_verdicts(rule_base(theory.name, damaged), theory))
