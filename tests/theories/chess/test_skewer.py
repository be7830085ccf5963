"""Tests of the skewer.

A rule learned from one diagram must win the piece behind the king, and must never conclude a false win.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from hornbook.compiler.checker.certificate import Certificate, Leaf
from hornbook.compiler.checker.checker import Lemma, verify
from hornbook.compiler.checker.context import RejectedError
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.learn.lessons import Problem, RuleLearner
from hornbook.compiler.match.position import RuleMatcher
from hornbook.compiler.rules.admission import RuleBase, RuleEntry
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, Constant, Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.proved_rules import raw_engine
from hornbook.theories.chess.play import question, tactics
from hornbook.theories.chess.states.fen import parse_fen

TABLE = Path(__file__).parent / "skewers.tsv"


class Row(NamedTuple):
    fen: str
    move: str
    target: str
    verdict: str
    why: str


ROWS = [
    Row(*line.split("\t"))
    for line in TABLE.read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.fixture(scope="module")
def theory():
    return load("chess")


@pytest.fixture(scope="module")
def learned(theory):
    """Return the rules learned from the first diagram of the table only."""
    diagram = ROWS[0]
    game = Atom("take", (Constant(diagram.target),))
    learner = RuleLearner(theory, tactics, RuleBase(theory.name))
    (taught,) = learner.learn([Problem("skewer", str(TABLE), parse_fen(diagram.fen), game, 2)])
    assert taught.first
    return learner.base


@pytest.mark.deep
def test_the_rule_of_one_diagram_fires_where_it_wins_and_nowhere_else(theory, learned):
    matcher = RuleMatcher(theory, question.focus_predicate)
    for entry in learned:
        matcher.add(entry.rule)
    fired: dict[str, list[bool]] = {"take": [], "no": []}
    for row in ROWS:
        game = Atom("take", (Constant(row.target),))
        output = matcher.statements(question.parts(parse_fen(row.fen)), [game])
        moves = {
            "".join(str(term.value) for term in statement.by.terms if isinstance(term, Constant))
            for _, statement in output
            if statement.by is not None
        }
        fired[row.verdict].append(row.move in moves)
    assert not any(fired["no"])
    assert all(fired["take"])
    assert len(fired["no"]) >= 30
    assert len(fired["take"]) >= 30


@pytest.mark.deep
def test_a_position_is_matched_from_what_is_rare_in_it(theory, learned):
    matcher = RuleMatcher(theory, question.focus_predicate)
    for entry in learned:
        matcher.add(entry.rule)
    queried = [(question.parts(parse_fen(row.fen)), [Atom("take", (Constant(row.target),))]) for row in ROWS]
    first, *others = queried[:12]
    matcher.statements(*first)
    engine = raw_engine(matcher.base)
    engine.profile(True)
    for parts, games in others:
        matcher.statements(parts, games)
    visits = sum(part.visits for part in engine.profile_report().parts)
    assert visits < 300_000 * len(others)


def second_player_win(learned: RuleBase) -> RuleEntry:
    return next(entry for entry in learned if entry.rule.name.startswith("take_is_ig"))


def test_a_proof_without_a_reply_is_refused(theory, learned):
    entry = second_player_win(learned)
    certificate = entry.certificate
    assert certificate is not None
    lemmas = {e.rule.name: Lemma.of(e.rule, e.certificate) for e in learned if e.certificate is not None}
    verify(entry.rule, certificate, theory, lemmas)
    for number in range(len(certificate.replies)):
        for replies in (
            (*certificate.replies[:number], *certificate.replies[number + 1 :]),
            (*certificate.replies[:number], Leaf(()), *certificate.replies[number + 1 :]),
        ):
            faulty = replace(certificate, replies=replies)
            with pytest.raises(RejectedError):
                verify(entry.rule, faulty, theory, lemmas)


def test_a_rule_that_forgets_who_else_could_answer_is_refused(theory, learned):
    entry = second_player_win(learned)
    certificate = entry.certificate
    assert certificate is not None
    lemmas: dict[str, Lemma] = {}
    verify(entry.rule, _of(entry.rule, certificate, theory), theory, lemmas)
    for condition in entry.rule.body:
        if not isinstance(condition, Atom) or condition.predicate not in ("compelled", "caught"):
            continue
        shorter = replace(entry.rule, body=tuple(c for c in entry.rule.body if c != condition))
        with pytest.raises(RejectedError):
            verify(shorter, _of(shorter, certificate, theory), theory, lemmas)


def _of(rule: Rule, certificate: Certificate, theory: Theory) -> Certificate:
    """Return the same proof as a certificate of another rule."""
    return certificate_of(rule, certificate.steps, theory, {}, certificate.replies, certificate.open)
