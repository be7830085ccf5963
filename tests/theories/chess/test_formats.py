"""Tests of chess positions and moves as text and pictures: reading, printing, and mistakes with their place."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from random import Random

import chess
import pytest

from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.theories.chess.pictures.svg import draw
from hornbook.theories.chess.states.diagram import parse_diagram, print_diagram
from hornbook.theories.chess.states.epd import parse_epd
from hornbook.theories.chess.states.fen import parse_fen, print_fen
from hornbook.theories.chess.states.notation import (
    NotationError,
    parse_move,
    parse_san,
    parse_uci,
    print_san,
    print_uci,
)
from hornbook.theories.chess.states.position import PositionError
from hornbook.theories.chess.states.rules import legal_moves

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PASSED = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"


def boards(seed: int, games: int, plies: int):
    """Return positions of random games."""
    random = Random(seed)
    for _ in range(games):
        board = chess.Board()
        while not board.is_game_over() and board.ply() < plies:
            yield board
            board.push(random.choice(list(board.legal_moves)))


# FEN and diagrams


def test_positions_of_random_games_are_printed_as_they_were_read():
    for board in boards(1, 3, 100):
        fen = board.fen(en_passant="fen")
        position = parse_fen(fen)
        assert print_fen(position) == fen
        again = parse_diagram(print_diagram(position))
        assert print_fen(again).split()[:4] == fen.split()[:4]


def test_the_counts_may_be_left_out():
    assert (
        print_fen(parse_fen("% a comment\n8/8/4k3/8/8/4K3/4P3/8 b - -\n"))
        == "8/8/4k3/8/8/4K3/4P3/8 b - - 0 1"
    )


def test_epd_is_read_as_another_program_writes_it():
    for counts in ("", " 4 7"):
        written, expected = [], []
        for number, board in enumerate(boards(2, 2, 60)):
            best = list(board.legal_moves)[:2]
            fields, operations = board.epd(), board.epd(id=f"p; {number}", bm=best, ce=-number)
            written.append(fields + counts + operations.removeprefix(fields))
            expected.append((f"p; {number}", {move.uci() for move in best}))
        lines = parse_epd("\n".join(written), "some.epd")
        assert [(line.name, {print_uci(move) for move in line.best}) for line in lines] == expected


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "expected what stands on the board"),
        ("8/8/4k3/8/8/4K3/4P3/8 w -", 26, "expected the square that a pawn has just passed over, or `-`"),
        ("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1 x", 33, "nothing was expected here"),
        ("8/8/4k3/8/8/4K3/4P3 w - -", 20, "7 ranks"),
        ("8/8/4k3/8/8/4K3/4P3/8/8 w - -", 23, "a ninth rank"),
        ("8/8/4k2/8/8/4K3/4P3/8 w - -", 8, "rank 6 has 7 squares"),
        ("8/8/4k4/8/8/4K3/4P3/8 w - -", 7, "rank 6 has more than 8 squares"),
        ("8/8/4x3/8/8/4K3/4P3/8 w - -", 6, "unexpected character `x`"),
        ("8/8/4k3/8/8/8/4P3/8 w - -", 1, "White has 0 kings"),
        ("P7/8/4k3/8/8/4K3/8/8 w - -", 1, "a pawn on a8: no pawn stands on a first or last rank"),
        ("8/8/4k3/8/8/4K3/4P3/8 W - -", 23, "expected who is to move, `w` or `b`, not `W`"),
        ("8/8/4k3/8/8/4K3/4P3/8 w Kx -", 26, "expected the rights to castle, some of `KQkq` or `-`, not `x`"),
        (
            "8/8/4k3/8/8/4K3/4P3/8 w K -",
            25,
            "the right `K` to castle needs a king on e1 and a rook on h1",
        ),
        ("8/8/4k3/8/8/4K3/4P3/8 w - e9", 27, "expected the square that a pawn has just passed over, or `-`, not `e9`"),
        ("8/8/4k3/8/8/4K3/4P3/8 w - e3", 27, "with white to move, the square passed over is on rank 6"),
        ("8/8/4k3/8/8/4K3/4P3/8 w - e6", 27, "no pawn can just have passed over e6"),
        ("8/8/4k3/8/8/4K3/4P3/8 w - - x", 29, "expected the plies since a capture or a pawn's move, not `x`"),
        ("8/8/4k3/8/8/8/4R3/K7 w - -", 22, "black has just moved and stands in check"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_fen_is_reported_with_its_column(text, column, message):
    with pytest.raises(TheoryError) as raised:
        parse_fen(text, "a.fen")
    (found,) = raised.value.diagnostics
    assert (found.code, found.message) == ("HB005", message)
    assert (found.span.line, found.span.column) == (1, column)


def test_a_second_line_is_no_fen():
    with pytest.raises(TheoryError, match="a second line"):
        parse_fen("8/8/4k3/8/8/4K3/4P3/8 w - -\n8/8/4k3/8/8/4K3/4P3/8 b - -\n")


DIAGRAM = """\
to move: white
castling: KQkq
en passant: f6
  a b c d e f g h
8 r n b q k b n r
7 p p p . p . p p
6 . . . . . . . .
5 . . . p P p . .
4 . . . . . . . .
3 . . . . . . . .
2 P P P P . P P P
1 R N B Q K B N R
"""


def test_a_diagram_is_printed_with_all_that_is_known():
    assert print_diagram(parse_fen(PASSED)) == DIAGRAM


def test_a_diagram_may_be_bare():
    bare = "\n".join(line[1:].replace(" ", "") for line in DIAGRAM.splitlines()[4:])
    assert print_fen(parse_diagram(bare)).split()[0] == PASSED.split(maxsplit=1)[0]


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("8 r n b", "8 r x b", 5, "unexpected character `x`"),
        ("7 p p p", "6 p p p", 6, "rank 7 is numbered 6"),
        ("1 R N B", "1 R N", 12, "a rank of 7 squares; each has 8"),
        ("1 R N B Q K B N R\n", "", 11, "7 ranks; a board has 8"),
        ("to move", "to play", 1, "unknown heading `to play`"),
        (": white", ": green", 1, "`green` is not a player"),
        (
            ": f6",
            ": e6",
            12,
            "no pawn can just have passed over e6 (to move, castling and en passant: w KQkq e6)",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_diagram_is_reported_with_its_line(old, new, line, message):
    with pytest.raises(TheoryError) as raised:
        parse_diagram(DIAGRAM.replace(old, new))
    (found,) = raised.value.diagnostics
    assert (found.span.line, found.message) == (line, message)


# Moves


def test_moves_are_written_and_read_as_the_field_does():
    signs = " "
    for board in boards(4, 2, 100):
        position = parse_fen(board.fen(en_passant="fen"))
        moves = {print_uci(move): print_san(position, move) for move in legal_moves(position)}
        assert moves == {move.uci(): board.san(move) for move in board.legal_moves}
        signs += "".join(moves.values())
        for uci, san in sorted(moves.items())[::9]:
            assert print_uci(parse_san(position, san)) == uci
            assert parse_move(position, uci) == parse_move(position, san.rstrip("+#"))
    assert {"+", "x"} <= set(signs)


def test_mate_castling_and_promotion_have_their_signs():
    mate = parse_fen("6k1/P4ppp/8/8/8/8/8/R3K2R w KQ - 0 1")
    names = {print_san(mate, move) for move in legal_moves(mate)}
    assert {"a8=Q#", "a8=R#", "a8=N", "O-O", "O-O-O"} <= names


def test_a_piece_is_reported_from_its_like_by_file_rank_or_both():
    position = parse_fen("8/k7/8/8/4Q2Q/8/7K/7Q w - - 0 1")
    names = {print_san(position, move) for move in legal_moves(position) if print_uci(move).endswith("e1")}
    assert names == {"Qee1", "Q1e1", "Qh4e1"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("e5", "`e5` is not legal here"),
        ("Kg1", "`Kg1` is not legal here"),
        ("Nd4", "`Nd4` is not legal here"),
        ("Bd1x", "`Bd1x` is no move in SAN, such as `Nf3`, `exd5`, `O-O` or `e8=Q`"),
        ("Nxe4", "`Nxe4` is not legal here"),
        ("Qh3", None),
        ("axb3", "`axb3` is not legal here"),
    ],
)
def test_what_is_no_move_is_reported(text, message):
    position = parse_fen(KIWIPETE)
    if message is None:
        assert print_san(position, parse_move(position, text)) == "Qxh3"
        return
    with pytest.raises(NotationError) as raised:
        parse_move(position, text)
    assert str(raised.value) == message


def test_a_move_that_could_be_several_names_them():
    position = parse_fen("7k/8/8/8/8/8/8/KN3N2 w - - 0 1")
    with pytest.raises(NotationError, match="`Nd2` could be Nbd2, Nfd2"):
        parse_san(position, "Nd2")
    with pytest.raises(NotationError, match="`e2e9` is no move in UCI"):
        parse_uci(position, "e2e9")


def test_castling_is_the_kings_move_and_no_other():
    position = parse_fen(KIWIPETE)
    assert print_uci(parse_move(position, "O-O")) == "e1g1"
    assert print_uci(parse_move(position, "0-0-0")) == "e1c1"
    assert print_san(position, parse_uci(position, "e1c1")) == "O-O-O"


# Pictures


def test_a_picture_has_a_sign_for_each_man_and_a_ring_for_each_mark():
    position = parse_fen(KIWIPETE)
    picture = draw(position, {"fork": ["e4", "d5"], "<pin>": ["h3"]})
    root = ET.fromstring(picture)
    rings = [found for found in root if found.tag.endswith("circle")]
    assert len([found for found in root if found.tag.endswith("text")]) == 32 + 16
    assert len(rings) == 3
    assert [ring[0].text for ring in rings] == ["fork: e4", "fork: d5", "<pin>: h3"]
    assert len({ring.attrib["stroke"] for ring in rings}) == 2
    with pytest.raises(PositionError):
        draw(position, {"fork": ["i9"]})
