"""Random test of proofs reply by reply: a rule whose proof the checker accepts is not wrong on any state.

Correct rules and proofs are damaged at random. The plain rules of the hunt check the accepted ones on random
states. Most damaged rules are wrong on some state, so the test would detect a fault of the checker.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from random import Random

import pytest

from hornbook.compiler.checker.certificate import CaseProof, Leaf, Opening, ProofStep, Split
from hornbook.compiler.checker.checker import verify
from hornbook.compiler.checker.context import RejectedError
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.kb.ast.substitution import apply_to_condition
from hornbook.kb.ast.terms import Condition, Constant, Rule, Term, Variable
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.check.theory_checks import check_rules
from hornbook.kb.format.printer import print_conditions
from oracles.forger.faults import FAULTS
from oracles.forger.replies import ReplyFindings, one
from oracles.proofs.hunt import DECLARED, GOES, RULE, STAYING, STAYS, THEORY, A, B, into
from oracles.proofs.learned_rules import rule_of, step, theory_of

ROOMS = ("r1", "r2", "r3", "r4")
MUST_GO = theory_of(DECLARED + "replies catch(?x): go(?x, ?q), in(?x, ?r), exit(?r, ?q).\n")
"""The hunt without locked doors and without the choice to stay."""

pytestmark = pytest.mark.deep


@dataclass(frozen=True, slots=True)
class Proved:
    """A rule with its proofs, correct or damaged."""

    rule: Rule
    replies: tuple[CaseProof, ...]
    opening: Opening | None


MAY_STAY_PROVED = (
    Proved(rule_of(RULE), (GOES, STAYS), STAYING),
    Proved(
        rule_of(RULE.replace("net(?b)", "locked(?b)")),
        (Split("q^", ((A, into("?a")), (B, Leaf((step("locked_is_barred", q="?q^"),)))), Leaf(())), STAYS),
        STAYING,
    ),
)
AT_A: Opening = (0, (("q", A), ("r", Variable("h"))))
MUST_GO_PROVED = (
    Proved(rule_of(RULE.replace("net(?h), ", "")), (GOES,), AT_A),
    Proved(
        rule_of("catch(?x) is IG :- in(?x, ?h), exits(?h, 1), exit(?h, ?a), net(?a)."),
        (Split("q^", ((A, into("?a")),), Leaf(())),),
        AT_A,
    ),
)


@dataclass(frozen=True, slots=True)
class State:
    """A state of the hunt: exits between rooms, rooms with a net, locked rooms, and the animal's place."""

    exits: frozenset[tuple[str, str]]
    nets: frozenset[str]
    locked: frozenset[str]
    place: str

    @staticmethod
    def at_random(random: Random) -> State:
        exits = frozenset((p, q) for p in ROOMS for q in ROOMS if random.random() < 0.4)
        nets = frozenset(p for p in ROOMS if random.random() < 0.6)
        locked = frozenset(p for p in ROOMS if random.random() < 0.3)
        return State(exits, nets, locked, random.choice(ROOMS))

    def facts(self) -> Iterator[GroundFact]:
        yield GroundFact("in", ("hare", self.place))
        yield from (GroundFact("net", (room,)) for room in self.nets)
        yield from (GroundFact("locked", (room,)) for room in self.locked)
        yield from (GroundFact("exit", pair) for pair in self.exits)
        for room in ROOMS:
            yield GroundFact("exits", (room, sum(p == room for p, _ in self.exits)))

    def second_player_win(self, *, may_stay: bool) -> bool:
        """Return whether the animal has a reply and is caught after every reply."""
        next_to = {q for p, q in self.exits if p == self.place}
        rooms = (next_to - self.locked) | {self.place} if may_stay else next_to
        return bool(rooms) and rooms <= self.nets


def spoiled(proved: Proved, random: Random) -> Proved:
    """Return the rule with one or two random faults in it or in its proofs."""
    for _ in range(random.randint(1, 2)):
        proved = random.choice((_rule_less, _rule_less, _equal_terms, _count, _proof, _proof, _opening))(
            proved, random
        )
    return proved


def _rule_less(proved: Proved, random: Random) -> Proved:
    body = list(proved.rule.body)
    body.pop(random.randrange(len(body)))
    return replace(proved, rule=replace(proved.rule, body=tuple(body)))


def _equal_terms(proved: Proved, random: Random) -> Proved:
    """Replace one variable by another, in one condition or in all."""
    one, other = random.sample(("h", "a", "b"), 2)
    some = random.randrange(len(proved.rule.body)) if random.random() < 0.5 else None

    def changed(number: int, condition: Condition) -> Condition:
        return apply_to_condition(condition, {one: Variable(other)}) if some in (None, number) else condition

    body = tuple(changed(number, c) for number, c in enumerate(proved.rule.body))
    return replace(proved, rule=replace(proved.rule, body=body))


def _count(proved: Proved, random: Random) -> Proved:
    size = Constant(random.choice((0, 1, 3)))
    body = tuple(
        c.with_terms((c.terms[0], size)) if getattr(c, "predicate", "") == "exits" else c  # type: ignore[union-attr]
        for c in proved.rule.body
    )
    return replace(proved, rule=replace(proved.rule, body=body))


def _proof(proved: Proved, random: Random) -> Proved:
    if not proved.replies:
        return proved
    number = random.randrange(len(proved.replies))
    replies = list(proved.replies)
    if random.random() < 0.1:
        replies.pop(number)
    else:
        replies[number] = _other_proof(replies[number], random)
    return replace(proved, replies=tuple(replies))


def _other_proof(proof: CaseProof, random: Random) -> CaseProof:
    if isinstance(proof, Leaf):
        if not proof.steps:
            return into(random.choice(("?a", "?b", "?h")))
        steps = list(proof.steps)
        number = random.randrange(len(steps))
        if random.random() < 0.4:
            steps.pop(number)
        else:
            steps[number] = _other_step(steps[number], random)
        return Leaf(tuple(steps))
    cases = list(proof.cases)
    roll = random.random()
    if roll < 0.2 or not cases:
        return random.choice((*(below for _, below in cases), proof.rest))
    if roll < 0.4:
        cases.pop(random.randrange(len(cases)))
    elif roll < 0.6:
        number = random.randrange(len(cases))
        cases[number] = (_term(random), cases[number][1])
    elif roll < 0.8:
        number = random.randrange(len(cases))
        cases[number] = (cases[number][0], _other_proof(cases[number][1], random))
    else:
        return replace(proof, rest=_other_proof(proof.rest, random))
    return replace(proof, cases=tuple(cases))


def _other_step(old: ProofStep, random: Random) -> ProofStep:
    terms = list(old.substitution)
    number = random.randrange(len(terms))
    terms[number] = (terms[number][0], _term(random))
    moment = random.choice(("before", "after", None)) if random.random() < 0.2 else old.moment
    return replace(old, substitution=tuple(terms), moment=moment)


def _opening(proved: Proved, random: Random) -> Proved:
    number = random.randrange(len(proved.replies) or 1)
    terms = tuple((name, _term(random)) for name in ("q", "r")) if number == 0 else ()
    return replace(proved, opening=None if random.random() < 0.2 else (number, terms))


def _term(random: Random) -> Term:
    return Variable(random.choice(("a", "b", "h", "x", "q^", "r^")))


def accepted(proved: Proved, theory: Theory) -> bool:
    try:
        certificate = certificate_of(proved.rule, (), theory, {}, proved.replies, proved.opening)
        verify(proved.rule, certificate, theory)
    except RejectedError:
        return False
    return True


def mistakes(rule: Rule, bases: list[tuple[State, KnowledgeBase]], *, may_stay: bool) -> tuple[int, int]:
    """Return on how many states a rule answers, and on how many of them it is wrong."""
    answered = wrong = 0
    for state, base in bases:
        if not rule.body or base.query(print_conditions(rule.body)).rows:
            answered += 1
            wrong += not state.second_player_win(may_stay=may_stay)
    return answered, wrong


@pytest.mark.parametrize(
    ("theory", "right", "may_stay"), [(THEORY, MAY_STAY_PROVED, True), (MUST_GO, MUST_GO_PROVED, False)]
)
def test_no_rule_that_is_accepted_is_wrong(theory, right, may_stay):
    random = Random(20)
    bases = []
    for _ in range(50):
        state = State.at_random(random)
        base = KnowledgeBase(theory)
        base.add(state.facts())
        bases.append((state, base))
    for proved in right:
        assert accepted(proved, theory)
        answered, wrong = mistakes(proved.rule, bases, may_stay=may_stay)
        assert answered > 1
        assert not wrong
    passed, caught, known = 0, 0, {}
    for _ in range(160):
        proved = spoiled(random.choice(right), random)
        if any(d.severity == "error" for d in check_rules([proved.rule], theory.vocabulary)):
            continue
        if proved.rule not in known:
            known[proved.rule] = mistakes(proved.rule, bases, may_stay=may_stay)
        answered, wrong = known[proved.rule]
        if accepted(proved, theory):
            passed += answered > 0
            assert not wrong, (proved, theory.replies)
        else:
            caught += wrong > 0
    assert passed > 6
    assert caught > 30


# Random theories; if the checker required less of a proof, some rules would be wrong


def found(numbers: range) -> ReplyFindings:
    total = ReplyFindings()
    for number in numbers:
        total.add(one(f"test.{number}"))
    return total


def test_no_rule_that_is_accepted_on_a_theory_at_random_is_wrong():
    total = found(range(4))
    assert total.wrong == []
    assert total.accepted > 2
    assert total.split
    assert total.right > 25


@pytest.mark.parametrize(
    ("fault", "number"), [("there always is a reply", 1), ("two members are two things", 15)]
)
def test_it_finds_a_checker_with_a_mistake(fault, number):
    assert not one(f"test.{number}").wrong
    with ExitStack() as stack:
        FAULTS[fault](stack)
        assert one(f"test.{number}").wrong
