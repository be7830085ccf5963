"""Tests of the chess adapter: it emits only primitive facts, closes sets completely, and never plays a move."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import chess
import pytest

from hornbook import cli
from hornbook.inputs.theories import load
from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.terms import Rule
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.parse.syntax import parse
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.theories.chess import adapter
from hornbook.theories.chess.states.position import NAMES

FOLDER = Path(adapter.__file__).parent
CLAUSES = parse((FOLDER / "parts" / "men.horn").read_text(encoding="utf-8"), "men.horn").clauses
DECLARED = {clause.name: clause for clause in CLAUSES if isinstance(clause, Predicate)}
FEN = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"
POSITION = adapter.read(FEN, "a.fen")


def values(relation: str) -> set[tuple[str | int, ...]]:
    return {fact.values for fact in adapter.facts(POSITION) if fact.relation == relation}


def test_what_the_adapter_gives_is_declared_and_concluded_by_no_rule():
    rules = {clause.head.relation for clause in CLAUSES if isinstance(clause, Rule)}
    primitive = {name for name, p in DECLARED.items() if p.kind in ("static", "fluent", "action")}
    assert primitive - rules == adapter.EMITS
    assert all(fact.relation in adapter.EMITS for fact in adapter.facts(POSITION))
    assert {fact.relation for fact in adapter.board()} == adapter.STATICS


def test_each_fact_is_given_once_and_as_wide_as_declared():
    given = [*adapter.facts(POSITION), *adapter.actions(POSITION)]
    assert max(Counter(given).values()) == 1
    assert all(len(fact.values) == DECLARED[fact.relation].arity for fact in given)


@pytest.mark.parametrize(
    ("member", "count", "key"),
    [
        ("between", "betweens", 2),
        ("hop", "hops", 1),
        ("step", "steps", 1),
        ("strikes", "striking", 2),
        ("range", "ranges", 3),
    ],
)
def test_a_closed_set_has_as_many_members_as_its_number_says(member, count, key):
    found = Counter(row[:key] for row in values(member))
    assert {row[:-1]: row[-1] for row in values(count) if row[-1]} == found


def test_lines_and_what_is_between_are_as_another_program_has_them():
    pairs = [(a, b) for a in chess.SQUARES for b in chess.SQUARES if a != b]
    assert {(a, b) for a, b, way in values("line") if way != "none"} == {
        (NAMES[a], NAMES[b]) for a, b in pairs if chess.ray(a, b)
    }
    assert values("between") == {
        (NAMES[a], NAMES[b], NAMES[x]) for a, b in pairs for x in chess.SquareSet(chess.between(a, b))
    }
    assert values("distance") == {
        (NAMES[a], NAMES[b], chess.square_distance(a, b)) for a in chess.SQUARES for b in chess.SQUARES
    }
    assert values("hop") == {
        (NAMES[a], NAMES[b]) for a in chess.SQUARES for b in chess.SquareSet(chess.BB_KNIGHT_ATTACKS[a])
    }
    for side, colour in (("white", chess.WHITE), ("black", chess.BLACK)):
        assert {row[1:] for row in values("strikes") if row[0] == side} == {
            (NAMES[a], NAMES[b])
            for a in chess.SQUARES
            for b in chess.SquareSet(chess.BB_PAWN_ATTACKS[colour][a])
        }


def test_the_board_is_what_its_words_mean_by_files_and_ranks():
    concluded = set(KnowledgeBase(FOLDER / "geometry.horn").facts())
    for name in adapter.STATICS:
        given = {fact for fact in adapter.board() if fact.relation == name}
        assert {fact for fact in concluded if fact.relation == name} == given, name


def test_only_the_theory_for_proofs_says_what_the_words_of_the_board_mean():
    plain, for_proofs = load("chess"), load(FOLDER / "proofs.horn")
    assert {rule.head.relation for rule in plain.rules}.isdisjoint(adapter.STATICS)
    assert set(plain.without_lemmas().rules) <= set(for_proofs.rules)
    assert {rule.head.relation for rule in for_proofs.rules} >= adapter.STATICS


def test_the_board_has_some_thousands_of_facts():
    assert len(adapter.board()) < 25_000
    assert len(list(adapter.position_facts(POSITION))) == 64 + 64 + 4 + 2 + 2 + 1


def test_what_stands_on_the_board_is_reported_square_by_square():
    assert len(values("at")) == 64
    assert {("e1", "white", "king"), ("d5", "black", "pawn"), ("f6", "none", "empty")} <= values("at")
    assert {row for row in values("en_passant") if row[1] == "open"} == {("f6", "open")}
    assert values("men") == {("white", 16), ("black", 16)}
    assert values("castling") == {
        (side, wing, "kept") for side in ("white", "black") for wing in ("king_side", "queen_side")
    }


def test_actions_hold_every_legal_move():
    board = chess.Board("n1n5/PPPk4/8/8/8/8/4Kppp/R2Q3N b - - 0 1")
    given = {fact.values for fact in adapter.actions(adapter.read(board.fen(), "a"))}
    for move in board.legal_moves:
        squares = (NAMES[move.from_square], NAMES[move.to_square])
        kind = (chess.piece_name(move.promotion),) if move.promotion else ()
        assert (*squares, *kind) in given


def test_only_records_in_pgn_are_played_behind_the_adapter():
    found, left = set[str](), {"adapter"}
    while left:
        name = left.pop()
        found.add(name)
        names = re.findall(r"theories\.chess\.([\w.]+)", (FOLDER / f"{name}.py").read_text("utf-8"))
        left |= {name.replace(".", "/") for name in names} - found
    states = ("attacked", "diagram", "fen", "geometry", "position", "rays")
    of_records = ("notation", "pgn", "rules")
    assert found == {"adapter", *(f"states/{name}" for name in (*states, *of_records))}
    users = [
        name
        for name in found
        if re.search(r"states\.(rules|notation) import", (FOLDER / f"{name}.py").read_text("utf-8"))
    ]
    assert sorted(users) == ["states/notation", "states/pgn"]


# From the command line


@pytest.mark.deep
@pytest.mark.parametrize("named", ["a.fen", FEN])
def test_a_position_is_given_as_a_file_or_by_its_fen(tmp_path, monkeypatch, capsys, named):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.fen").write_text(FEN, encoding="utf-8")
    assert cli.main(["query", "chess", "--state", named, "legal(white, e5, ?to)"]) == 0
    assert capsys.readouterr().out == "?to\ne6\nf6\n"


def test_a_file_that_is_no_position_is_refused():
    with pytest.raises(TheoryError, match="9"):
        adapter.read("8/8/4k3/9/8/4K3/4P3/8 w - -", "a.fen")
    with pytest.raises(TheoryError, match="unexpected character `h`"):
        adapter.read("hello", "a.fen")
