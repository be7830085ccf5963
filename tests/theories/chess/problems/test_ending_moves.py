"""Tests of moves in pawn endings against a lone king: no reply is left out, and the learned rules are true."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import chess
import pytest

import hornbook.theories.chess
from hornbook import cli
from hornbook.games import planning
from hornbook.inputs.theories import load
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_statement
from hornbook.kb.ast.terms import Constant
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.parse.syntax import Query
from hornbook.play.kep.proof import claims_of
from hornbook.theories.chess import adapter
from hornbook.theories.chess.play import question
from hornbook.theories.chess.states.fen import parse_fen
from hornbook.theories.chess.states.notation import parse_uci
from oracles.chess.kpk_table import kpk_table

ENDINGS = Path(hornbook.theories.chess.__file__).parent / "endings" / "endings.horn"


def random_board(random, men):
    while True:
        board = chess.Board(None)
        squares = random.sample(range(64), len(men) + 2)
        for square, man in zip(squares, ["K", "k", *men], strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(man))
        board.turn = random.random() < 0.5
        if board.is_valid() and not board.is_game_over():
            return board


@pytest.fixture(scope="module")
def theory():
    return load(ENDINGS)


@pytest.fixture(scope="module")
def base(theory):
    """Return a knowledge base of the facts that never change. Tests add and remove positions."""
    found = KnowledgeBase(theory, derivations="none")
    found.add(list(adapter.board()))
    return found


def open_replies(base, theory, side):
    """Yield the actions that the declared replies leave open, with None for an unspecified term."""
    for case in theory.replies_of("win").cases:
        given = {theory.replies_of("win").game.terms[0].name: Constant(side)}
        action = apply_to_statement(case.action, given)
        conditions = tuple(apply_to_condition(each, given) for each in case.conditions)
        found = base.engine.query(Query(conditions, case.span))
        for row in found.rows:
            values = dict(zip(found.variables, map(Constant, row), strict=True))
            if case.unless is None or not base.holds(
                apply_to_statement(apply_to_statement(case.unless, given), values)
            ):
                terms = apply_to_statement(action, values).terms
                yield action.predicate, tuple(t.value if isinstance(t, Constant) else None for t in terms)


@pytest.mark.parametrize("men", ["P", "PPp", "Pq", "Rp", "Pn"])
def test_every_legal_move_is_among_the_replies(base, theory, men):
    random = Random(f"replies {men}")
    for _ in range(4):
        board = random_board(random, men)
        base.push()
        facts = adapter.position_facts(parse_fen(board.fen()))
        base.add([fact for fact in facts if fact.relation in theory.vocabulary.predicates])
        found = set(open_replies(base, theory, "black" if board.turn else "white"))
        base.pop()
        for move in board.legal_moves:
            action = question.action_of(parse_uci(parse_fen(board.fen()), move.uci()))
            assert any(
                name == action.relation
                and all(one in (None, other) for one, other in zip(terms, action.values, strict=True))
                for name, terms in found
            ), f"{board.fen()}: {move}"


@pytest.mark.deep
def test_a_rule_from_the_way_of_a_proof_is_certified_decides_more_and_is_true(capsys, tmp_path):
    """White takes the opposition, and the theory decides only after each of Black's replies."""
    epd, rules = tmp_path / "some.epd", tmp_path / "rules.horn"
    epd.write_text('8/8/4k3/8/5K2/4P3/8/8 w - - id "opposition";\n', encoding="utf-8")
    assert cli.main(["learn", "endings", "--problems", str(epd), "--into", str(rules), "--json"]) == 0
    output = json.loads(capsys.readouterr().out)
    assert output["proved"] == 1
    known = planning.planning_knowledge(load("chess"), rules=rules)
    learned = set(known.rule_names) - {rule.name for rule in claims_of(known.claims_theory)}
    assert len(learned) == output["added"] > 0
    assert known.wins.says(parse_fen("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1"), "white") in learned
    # One file to the left, and one rank up.
    assert known.wins.says(parse_fen("8/3k4/8/3K4/3P4/8/8/8 b - - 0 1"), "white") in learned
    random, table = Random("table"), kpk_table()
    for _ in range(60):
        board = random_board(random, "P")
        rule = known.wins.says(parse_fen(board.fen()), "white")
        (pawn,) = board.pieces(chess.PAWN, chess.WHITE)
        places = (pawn, board.king(chess.WHITE), board.king(chess.BLACK))
        assert rule is None or table.plies(*places, white_first=board.turn) is not None
