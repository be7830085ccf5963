"""Tests of rules that the prover learns from noughts and crosses and from Nim, against full solutions.

Nim has no passes, and a player who must move often loses by it (zugzwang). Every reply is therefore proved
separately.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from hornbook.compiler.checker.certificate import CaseProof, Leaf, Split, steps_of
from hornbook.compiler.checker.checker import Lemma, verify
from hornbook.compiler.checker.context import RejectedError
from hornbook.kb.ast.terms import Constant, GameStatement, Rule
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import add_proved_rules
from hornbook.kb.format.printer import print_conditions
from oracles.proofs.small_games import Nim, SmallGame, SmallGameSolver, TicTacToe, other, some, theory_of_game
from oracles.proofs.small_plays import SmallGameLearner, game_of

NIM, TIC_TAC_TOE = Nim(), TicTacToe()


def taught(
    game: SmallGame[Any], focus_predicate: str, positions: Iterable[Any], moves: int
) -> SmallGameLearner:
    """Return a learner that tried to prove, for each position and player, a win and a second-player win."""
    learner = SmallGameLearner(game, focus_predicate)
    for position in positions:
        for friend in game.players:
            learner.prover.won(position, game_of(game, friend), moves)
            learner.prover.second_player_win(position, game_of(game, friend), moves)
    return learner


@cache
def nim_learner() -> SmallGameLearner:
    return taught(NIM, "on", NIM.positions(), 6)


@cache
def row_learner() -> SmallGameLearner:
    """Return a learner for noughts and crosses, from a dozen positions with few free cells."""
    late = [p for p in TIC_TAC_TOE.positions() if p.count("empty") in (2, 3, 4)]
    return taught(TIC_TAC_TOE, "mark", some(late, 12, 1), 1)


def messages(
    game: SmallGame[Any], rules: Sequence[Rule], positions: Iterable[Any]
) -> Iterator[tuple[Any, GameStatement]]:
    """Yield the conclusions of rules in positions, without the theory's own rules for values."""
    theory = theory_of_game(game)
    plain = tuple(rule for rule in theory.rules if not isinstance(rule.head, GameStatement))
    base = KnowledgeBase(replace(theory, rules=plain), derivations="none")
    add_proved_rules(base, rules)
    for position in positions:
        base.push()
        base.add(game.facts(position))
        for relation in base.relations():
            if isinstance(relation, GameStatement) and relation.tense == "before":
                for statement in base.engine.statements(relation.relation, "before"):
                    assert isinstance(statement, GameStatement)
                    yield position, statement
        base.pop()


def is_right(solver: SmallGameSolver, position: Any, statement: GameStatement) -> bool:
    (friend,) = (str(t.value) for t in statement.game.terms if isinstance(t, Constant))
    if statement.by is None:
        assert statement.value == Constant("IG")
        return bool(solver.won(position, friend, other(solver.game, friend)))
    action = GroundFact(statement.by.predicate, tuple(t.value for t in statement.by.terms))  # type: ignore[union-attr]
    allowed = action in set(solver.game.actions(position, friend))
    return allowed and solver.action_wins(position, action, friend, friend)


def answered(found: Iterable[tuple[Any, GameStatement]], value: str) -> set[tuple[Any, str]]:
    return {(p, str(s.game.terms[0].value)) for p, s in found if s.value == Constant(value)}  # type: ignore[union-attr]


def won(game: SmallGame[Any], value: str) -> set[tuple[Any, str]]:
    """Return the positions that are won for a player who plays first (GI) or second (IG)."""
    solver = SmallGameSolver(game)
    return {
        (p, friend)
        for p in game.positions()
        for friend in game.players
        if solver.won(p, friend, friend if value == "GI" else other(game, friend))
    }


# Nim


def test_every_position_of_nim_that_is_won_is_answered_and_no_answer_is_wrong():
    found = list(messages(NIM, [p.rule for p in nim_learner().proved], NIM.positions()))
    solver = SmallGameSolver(NIM)
    assert [pair for pair in found if not is_right(solver, *pair)] == []
    for value in ("GI", "IG"):
        assert answered(found, value) == won(NIM, value)


def test_few_positions_of_nim_teach_what_is_right_on_all():
    learner = taught(NIM, "on", [(1, 1, 0), (0, 2, 1)], 3)
    found = list(messages(NIM, [p.rule for p in learner.proved], NIM.positions()))
    solver = SmallGameSolver(NIM)
    assert [pair for pair in found if not is_right(solver, *pair)] == []
    # The answer does not depend on the choice of heaps.
    assert answered(found, "IG") == {(p, f) for p in [(1, 1, 0), (1, 0, 1), (0, 1, 1)] for f in NIM.players}
    assert len(answered(found, "GI")) > 18


def test_who_may_not_pass_loses_by_having_to_move():
    learner = taught(NIM, "on", [(1, 1, 0)], 2)
    assert learner.prover.won((1, 1, 0), game_of(NIM, "first"), 3) == []
    (static,) = (p for p in learner.proved if p.certificate.replies)
    (proof,) = static.certificate.replies
    assert isinstance(proof, Split)
    assert [len(proof.cases), proof.variable] == [3, "h^"]
    assert "heaps(table, 3)" in print_conditions(static.rule.body)
    assert static.certificate.open is not None


def test_where_there_is_no_reply_nothing_is_second_player_win():
    learner = taught(NIM, "on", [(0, 0, 0)], 3)
    assert learner.proved == []
    assert "nothing shows that the opponent has a reply" in " ".join(learner.prover.refused)


def less(proof: CaseProof) -> Iterator[CaseProof]:
    """Yield the proof without one playable reply, for every such reply."""
    if isinstance(proof, Leaf):
        return
    for number, (term, below) in enumerate(proof.cases):
        # The checker may know without a case that a reply is impossible.
        if not list(steps_of(below)):
            continue
        yield replace(proof, cases=(*proof.cases[:number], *proof.cases[number + 1 :]))
        for one in less(below):
            cases = (*proof.cases[:number], (term, one), *proof.cases[number + 1 :])
            yield replace(proof, cases=cases)


@pytest.mark.deep
@pytest.mark.parametrize("game", [NIM, TIC_TAC_TOE], ids=["nim", "tic_tac_toe"])
def test_a_proof_without_one_of_the_listed_replies_is_refused(game):
    learner = nim_learner() if game is NIM else row_learner()
    lemmas = {p.rule.name: Lemma.of(p.rule, p.certificate) for p in learner.proved}
    theory, refused = theory_of_game(game), 0
    for proved in learner.proved:
        verify(proved.rule, proved.certificate, theory, lemmas)
        for proof in [spoiled for whole in proved.certificate.replies for spoiled in less(whole)]:
            certificate = replace(proved.certificate, replies=(proof,))
            with pytest.raises(RejectedError, match="any other"):
                verify(proved.rule, certificate, theory, lemmas)
            refused += 1
    assert refused > 5


# Noughts and crosses


@cache
def message_of_rows(part: int) -> list[tuple[Any, GameStatement]]:
    rules = [p.rule for p in row_learner().proved]
    return list(messages(TIC_TAC_TOE, rules, TIC_TAC_TOE.positions()[part::4]))


@pytest.mark.deep
@pytest.mark.parametrize("part", range(4))
def test_no_answer_about_noughts_and_crosses_is_wrong(part):
    solver, found = SmallGameSolver(TIC_TAC_TOE), message_of_rows(part)
    assert [pair for pair in found if not is_right(solver, *pair)] == []
    assert len(answered(found, "GI")) > 600
    assert len(answered(found, "IG")) > 10


def test_rules_about_rows_hold_for_every_row_and_any_player():
    (row, *_) = (p.rule for p in row_learner().proved if not p.certificate.replies)
    open_rows = 0
    for cells, free in [((0, 1), 2), ((0, 4), 8), ((2, 4), 6), ((1, 4), 7), ((3, 5), 4)]:
        for player, rival in (("x", "o"), ("o", "x")):
            marks = ["empty"] * 9
            for cell in cells:
                marks[cell] = player
            marks[next(i for i in range(9) if i not in (*cells, free))] = rival
            open_rows += len(list(messages(TIC_TAC_TOE, [row], [tuple(marks)])))
    assert open_rows == 10
