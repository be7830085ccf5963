"""`hornbook search plan chess …`: reports on positions, as text, JSON and files for other programs."""

from __future__ import annotations

import json
import re
from itertools import cycle
from pathlib import Path

import chess
import chess.pgn
import pytest

from hornbook.commands.search import plan as in_theory
from hornbook.games import planning
from hornbook.inputs.theories import load
from hornbook.theories.protocols.planning import Turn

ONLY = "7k/8/8/3P4/8/8/8/K7 w - - 0 1"
FIGURE = "6k1/1p6/8/P1P5/8/8/8/2K5 w - - 0 1"
DEEPER = "6k1/8/1p6/P1P5/8/8/8/2K5 w - - 0 1"
STALEMATE = "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"


@pytest.fixture(scope="module")
def known():
    return planning.planning_knowledge(load("chess"))


@pytest.fixture
def once(known, monkeypatch):
    """Read the planning knowledge once for all command lines."""
    monkeypatch.setattr(in_theory, "known_for", lambda *_: known)


def queried(run, *arguments):
    code, out, _ = run("search", "plan", "chess", *arguments, "--json")
    return code, json.loads(out)["positions"]


def test_a_win_is_reported_to_be_proved_and_by_what(run):
    code, out, _ = run("search", "plan", "chess", ONLY)
    assert code == 0
    assert out.startswith("won: proved by the rules of `endings` that white wins, whatever black does\n")
    assert "white begins with d5d6\n" in out


@pytest.mark.deep
def test_proved_the_opposite_and_not_decided_have_the_same_exit_code_and_other_words(once, run):
    code, (refuted,) = queried(run, STALEMATE)
    assert (code, refuted["verdict"], refuted["proved"], refuted["stopped"]) == (1, "refuted", True, None)
    code, (stopped,) = queried(run, FIGURE, "--nodes", "10")
    assert (code, stopped["proved"], stopped["stopped"]) == (1, False, "nodes")
    _, out, _ = run("search", "plan", "chess", FIGURE, "--nodes", "10")
    assert "not proved that white wins, nor that not" in out
    assert "--nodes allows" in out
    code, (late,) = queried(run, FIGURE, "--seconds", "0.001")
    assert (code, late["verdict"], late["stopped"]) == (1, "open", "seconds")


def test_one_plans_for_any_side(once, run):
    mirrored = chess.Board(ONLY).mirror().fen()
    assert [queried(run, mirrored)[1][0][key] for key in ("player", "verdict", "move")] == [
        "black",
        "won",
        "d4d3",
    ]
    code, (other,) = queried(run, ONLY, "--role", "black")
    assert (code, other["verdict"], other["player"], other["move"]) == (1, "refuted", "black", None)
    assert run("search", "plan", "chess", ONLY, "--role", "red")[0] == 2


def test_an_interruption_shows_what_is_known(once, run, tmp_path, monkeypatch):
    epd = tmp_path / "some.epd"
    epd.write_text("\n".join(" ".join(fen.split()[:4]) for fen in (ONLY, FIGURE, ONLY)), encoding="utf-8")
    plain = planning.PlanningKnowledge.planned

    def interrupted(self, situation, expected, reported):
        def stop(made):
            raise KeyboardInterrupt

        return plain(self, situation, expected, stop if situation.name == "line 2" else reported)

    monkeypatch.setattr(planning.PlanningKnowledge, "planned", interrupted)
    code, out, _ = run("search", "plan", "chess", str(epd))
    assert code == 1
    assert out.splitlines() == [
        "line 1: won, d5d6",
        "line 2: open, c1c2; interrupted",
        "2 positions: 1 won, 0 refuted, 0 proposed, 1 open",
        "interrupted: 1 more not looked at",
    ]


@pytest.mark.parametrize(
    "bounds", [("--nodes", "1"), ("--nodes", "40"), ("--nodes", "300"), ("--seconds", "0.001")]
)
@pytest.mark.parametrize(
    "fen", ["8/8/8/3KP1k1/6p1/8/8/8 w - - 0 1", "8/8/8/6P1/3kp1K1/8/8/8 b - - 0 1", FIGURE, DEEPER]
)
def test_a_position_without_a_proof_has_a_first_move(once, run, fen, bounds):
    code, (found,) = queried(run, fen, *bounds)
    legal = [move.uci() for move in chess.Board(fen).legal_moves]
    assert found["verdict"] != "refuted"
    assert (code, found["move"] in legal) == (0 if found["verdict"] == "won" else 1, True)
    _, out, _ = run("search", "plan", "chess", fen, *bounds)
    assert f"  {found['player']} begins with {found['move']}\n" in out


@pytest.mark.deep
def test_the_move_of_an_open_position_is_compared_with_the_best(once, run, tmp_path):
    epd = tmp_path / "open.epd"
    epd.write_text("8/8/8/3KP1k1/6p1/8/8/8 w - - bm Ke6 e6;\n", encoding="utf-8")
    code, out, _ = run("search", "plan", "chess", str(epd), "--nodes", "3000")
    assert code == 1
    assert out.startswith("open: no plan of white survives")
    assert "  white begins with e5e6, which is among the best moves given: " in out


def test_no_move_is_named_where_the_opponent_is_to_move(once, run):
    for fen in (FIGURE, "8/8/8/3KP1k1/6p1/8/8/8 w - - 0 1"):
        _, (found,) = queried(run, fen, "--role", "black", "--nodes", "5")
        assert found["move"] is None


def test_the_best_moves_of_a_file_are_compared(once, run, tmp_path):
    epd = tmp_path / "some.epd"
    fields = " ".join(ONLY.split()[:4])
    epd.write_text(
        f'{fields} bm Kb1; id "other";\n% a comment\n\n{fields} 0 1 bm Kb1 d6; id "one";\n', encoding="utf-8"
    )
    code, out, _ = run("search", "plan", "chess", str(epd))
    assert code == 0
    assert out.splitlines()[:2] == [
        "other: won, d5d6, which is not among the best moves given: a1b1",
        "one: won, d5d6, which is among the best moves given: a1b1, d5d6",
    ]


@pytest.mark.parametrize(
    ("line", "place", "hint"),
    [
        ("7k/8/8/3P4/8/9/8/K7 w - - bm d6;", "bad.epd:2:14", "digits for empty squares"),
        ("7k/8/8/3P4/8/8/8/K7 w - - bm d7;", "bad.epd:2:30", "`bm` names legal moves"),
        ('7k/8/8/3P4/8/8/8/K7 w - - id "a"', "bad.epd:2:27", "an operation is a name"),
        ("7k/8/8/3P4/8/8/8/K7 w - - 0", "bad.epd:2:27", "an operation is a name"),
        ("7k/8/8/3P4/8/8/8/K7 w", "bad.epd:2:22", "a position is written as"),
    ],
)
def test_bad_lines_are_reported_with_their_place_and_a_way_out(once, run, tmp_path, line, place, hint):
    file = tmp_path / "bad.epd"
    file.write_text(f"% first\n{line}\n", encoding="utf-8")
    code, _, err = run("search", "plan", "chess", str(file))
    assert code == 1
    assert place in err
    assert hint in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("chess",), "Missing argument 'STATE"),
        (("family", ONLY), "no domain.py"),
        (("go", ONLY), "no `planning`"),
    ],
)
def test_what_cannot_be_queried_is_a_mistake_of_the_command_line(run, arguments, message):
    code, _, err = run("search", "plan", *arguments)
    assert code == 2
    assert message in " ".join(re.sub(r"[│\n]", " ", err).split())


def games(path):
    with path.open(encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            assert not game.errors
            yield game


def replies(node, player):
    """Yield PGN positions with the other side to move.

    Each comes with the moves given there, and comments.
    """
    waiting = [node]
    while waiting:
        at = waiting.pop()
        if at.board().turn is not player:
            yield at.board(), {each.move for each in at.variations}, " ".join(at.comment.split())
        waiting += at.variations


def test_variations_answer_every_reply_until_a_rule_decides_or_a_line_goes_on_elsewhere(once, run, tmp_path):
    file = tmp_path / "figure.pgn"
    assert run("search", "plan", "chess", DEEPER, "--pgn", str(file))[0] == 0
    (game,) = games(file)
    assert game.board().fen() == DEEPER
    named = 0
    for board, moves, comment in replies(game, chess.WHITE):
        if moves:
            assert moves == set(board.legal_moves)
            named += "plan_crown" in comment
        else:
            assert "white wins" in comment or "as in a line before" in comment
    assert named > 1


def test_what_survives_is_written_with_null_moves(once, run, tmp_path):
    file = tmp_path / "figure.pgn"
    assert run("search", "plan", "chess", FIGURE, "--nodes", "10", "--pgn", str(file))[0] == 1
    (game,) = games(file)
    assert "proposed" in game.comment
    assert game.next().move == chess.Move.from_uci("a5a6")
    null = chess.Move.null()
    passes = [board.fen() for board, moves, _ in replies(game, chess.WHITE) if null in moves]
    assert passes


def test_a_proof_is_written_with_every_reply(once, run, tmp_path):
    file, svg = tmp_path / "proof.jsonl", tmp_path / "proof.svg"
    assert run("search", "plan", "chess", DEEPER, "--into", str(file), "--svg", str(svg))[0] == 0
    head, *nodes = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    assert (head["theory"], head["player"], head["says"]) == ("chess", "white", "wins")
    assert head["rules"] == "endings"
    assert [node["node"] for node in nodes] == list(range(head["nodes"]))
    for node in nodes:
        board, moves = chess.Board(node["state"]), node.get("moves", [])
        if "rule" not in node and board.turn == chess.BLACK:
            assert {chess.Move.from_uci(each["move"]) for each in moves} == set(board.legal_moves)
        for each in moves:
            board.push_uci(each["move"])
            assert board.board_fen() == nodes[each["to"]]["state"].split()[0]
            assert nodes[each["to"]]["rank"] < node["rank"]
            board.pop()
    assert svg.read_text(encoding="utf-8").count("white wins") >= 1


def test_a_file_is_not_written_where_nothing_is_proved(once, run, tmp_path):
    file = tmp_path / "proof.jsonl"
    code, _, err = run("search", "plan", "chess", FIGURE, "--nodes", "10", "--into", str(file))
    assert (code, file.exists()) == (1, False)
    assert "nothing is proved" in err


def test_deep_variations_are_written_without_recursion(known):
    """Write a game of kings that move in a cycle, with a variation at every move."""
    state = known.domain.situations(Path(ONLY))[0].state
    game, ways = known.planning.game, cycle(["a1a2", "h8h7", "a2a1", "h7h8"])
    root = turn = Turn(None, state)
    for way, _ in zip(ways, range(2000), strict=False):
        action = known.domain.read_move(turn.state, way)
        then = Turn(action, game.after(turn.state, action))
        turn.after += [Turn(action, then.state), then]
        turn = then
    assert known.domain.write_play(root, "deep").count("(") == 2000
