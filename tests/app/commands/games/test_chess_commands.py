"""`hornbook learn`, `verify`, `solve`, `score` and `match` with chess problems."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hornbook import cli
from hornbook.theories.chess.problems.problem import parse_problems, print_problems, shipped

LEARNT = ("mate1-001", "mate1-002", "hanging-001", "hanging-002", "promotion-003")


def some(name: str, into: Path, ids: tuple[str, ...]) -> Path:
    problems = parse_problems(shipped(name).read_text(encoding="utf-8"))
    into.write_text(print_problems(p for p in problems if p.id in ids), encoding="utf-8")
    return into


@pytest.fixture(scope="module")
def rules(tmp_path_factory):
    folder = tmp_path_factory.mktemp("chess")
    problems = some("learn", folder / "problems.jsonl", LEARNT)
    into = folder / "rules.horn"
    assert cli.main(["learn", "chess", "--problems", str(problems), "--into", str(into)]) == 0
    return into


@pytest.mark.deep
def test_each_problem_of_one_move_gives_a_rule_that_follows(run, tmp_path):
    problems = some("learn", tmp_path / "problems.jsonl", LEARNT)
    into = str(tmp_path / "rules.horn")
    code, out, _ = run("learn", "chess", "--problems", str(problems), "--into", into, "--json")
    report = json.loads(out)
    assert (code, report["proved"]) == (0, len(LEARNT))
    assert 0 < report["rules"] <= len(LEARNT)
    assert run("rules", "verify", into, "--theory", "chess")[0] == 0


@pytest.mark.deep
def test_problems_are_solved_and_scored(run, rules, tmp_path):
    ids = ("mate1-001", "mate1-003", "hanging-004", "fork-001", "nothing-001")
    problems = str(some("held_out", tmp_path / "held_out.jsonl", ids))
    outcomes = {}
    for levels in ("0", "1"):
        queried = ("--rules", str(rules), "--problems", problems, "--levels", levels, "--json")
        code, out, _ = run("problems", "solve", "chess", *queried)
        assert code == 0
        answers = tmp_path / "answers.jsonl"
        answers.write_text(out, encoding="utf-8")
        code, out, _ = run("problems", "grade", problems, str(answers), "--json")
        assert code == 0
        rows = {row["motif"]: row for row in json.loads(out)["rows"]}
        outcomes[levels] = {motif: row["solved"] for motif, row in rows.items()}
        assert rows[None]["wrong"] == 0
    assert outcomes["0"] == {"mate1": 2, "hanging": 1, "fork": 0, "nothing": 0, None: 3}
    assert outcomes["1"] == {"mate1": 2, "hanging": 1, "fork": 1, "nothing": 0, None: 4}


def test_a_move_that_the_solution_does_not_list_is_wrong(run, tmp_path):
    problems = str(some("held_out", tmp_path / "held_out.jsonl", ("mate1-001",)))
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"id": "mate1-001", "value": "GI", "move": "a1a1"}\n', encoding="utf-8")
    code, out, _ = run("problems", "grade", problems, str(answers))
    assert code == 1
    assert out.splitlines()[-1] == "wrong: mate1-001: GI, said GI a1a1"
    answers.write_text('{"id": "mate1-002", "value": "GI"}\n', encoding="utf-8")
    assert run("problems", "grade", problems, str(answers))[0] != 0


@pytest.mark.deep
def test_what_rules_say_of_a_position_is_reported_and_drawn(run, rules, tmp_path):
    queried = ("match", "chess", "--rules", str(rules))
    message = code, out, _ = run(*queried, "6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1")
    assert code == 0
    assert out.startswith("mate(black) by move(e1, e8) is GI  [mate_by_move_is_gi_1:")
    picture = tmp_path / "mate.svg"
    assert run(*queried, "6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1", "--svg", str(picture)) == message
    drawn = picture.read_text(encoding="utf-8")
    assert "<title>e1 to e8</title>" in drawn
    assert "○ the king to mate: g8" in drawn
    # If a knight can take the rook, the king is not mated.
    code, out, _ = run(*queried, "6k1/5ppp/5n2/8/8/8/8/4R1K1 w - - 0 1")
    assert "mate(black)" not in out


@pytest.mark.deep
def test_a_mate_is_better_than_a_man_and_two_are_a_tie(run, rules):
    code, out, _ = run(
        "rules", "match", "chess", "--rules", str(rules), "--best", "6k1/5ppp/8/8/8/8/1p6/R1B1R1K1 w - - 0 1"
    )
    first, second, third, message = out.splitlines()
    assert (code, message) == (0, "move(a1, a8) and move(e1, e8) win: nothing gains more")
    assert first.startswith("move(a1, a8): wins  [mate(black): mate_by_move_is_gi_1")
    assert second.startswith("move(e1, e8): wins  [mate(black): mate_by_move_is_gi_1")
    assert third.startswith("move(c1, b2): gains at least 1  [take(b2): take_by_move_is_gi")


@pytest.mark.deep
def test_a_mate_in_two_takes_a_level(run, rules):
    two_rooks = ("match", "chess", "--rules", str(rules), "6k1/8/8/8/8/8/R7/1R4K1 w - - 0 1", "--best")
    assert run(*two_rooks)[:2] == (1, "no rule concludes a move for the player to move\n")
    code, out, _ = run(*two_rooks, "--levels", "1")
    line = "move(b1, b7) move(g8, h8) move(a2, a8)"
    assert (code, out.splitlines()) == (
        0,
        [
            f"move(b1, b7): wins  [mate(black) by a chain, such as {line}: mate_by_move_is_gi_1]",
            "move(b1, b7) wins: nothing gains more",
        ],
    )
    # If a knight can interpose, the chain is no proof.
    two_rooks = (*two_rooks[:4], "6k1/8/2n5/8/8/8/R7/1R4K1 w - - 0 1", "--best", "--levels", "1")
    assert "mate(black)" not in run(*two_rooks)[1]


def test_the_ranks_of_a_fen_only_are_no_name_of_a_file(capsys):
    assert cli.main(["query", "chess", "--state", "6k1/5ppp/8/8/8/8/8/4R1K1", "check(?side, ?by)"]) == 1
    assert capsys.readouterr().err.startswith("error[HB005]: expected who is to move, `w` or `b`")
