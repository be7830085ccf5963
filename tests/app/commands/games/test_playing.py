"""`hornbook game play`, `query` and `why`."""

import json
import os
import subprocess
import sys

import pytest

from hornbook.planner.gdl.examples import NAMES
from oracles.gdl.own_sheets import SHEETS

NIM = str(SHEETS["nim"])


def test_a_game_at_random_goes_to_its_end(run):
    code, out, _ = run("game", "play", NIM, "--seed", "4")
    assert code == 0
    assert out.startswith("0:\n  (turn first)\n  (has a 3) (has b 4) (has c 5)\n→ first (leave ")
    assert out.splitlines()[-1] in ("over: first 100, second 0", "over: first 0, second 100")
    assert run("game", "play", NIM, "--seed", "4")[1] == out
    assert run("game", "play", NIM, "--seed", "5")[1] != out


def test_given_moves_are_played_and_what_may_follow_is_reported(run):
    code, out, _ = run("game", "play", NIM, "--moves", "(leave a 0); (leave b 0)")
    assert code == 0
    assert out.splitlines()[-4:] == [
        "2:",
        "  (turn first)",
        "  (has a 0) (has b 0) (has c 5)",
        "not over: first may do (leave c 0), (leave c 1), (leave c 2), (leave c 3), (leave c 4); second may do noop",
    ]


def test_a_wrong_move_prints_no_state(run):
    code, out, err = run("game", "play", NIM, "--moves", "(leave a 0); (leave a 0)")
    assert (code, out) == (1, "")
    assert "step 2: second may not do `(leave a 0)`; did you mean" in err


def test_states_as_json(run):
    code, out, _ = run("game", "play", NIM, "--moves", "(leave a 0)", "--json")
    first, last = json.loads(out)
    assert code == 0
    assert first["moves"] == {"first": "(leave a 0)", "second": "noop"}
    assert last["moves"] is None
    assert last["state"] == ["(has a 0)", "(has b 4)", "(has c 5)", "(turn second)"]
    assert last["legal"]["first"] == ["noop"]
    assert last["terminal"] is False
    assert last["goal"] == {"first": [0], "second": [0]}


def test_a_game_in_which_a_role_can_do_nothing_is_stuck(run):
    out = run("game", "play", str(SHEETS["stuck"]), "--moves", "(drink 1)")[1]
    assert "stuck" not in out
    out = run("game", "play", str(SHEETS["stuck"]), "--moves", "(not_here 1)")[1]
    assert out.splitlines()[-1] == "stuck: walker can do nothing; walker without a goal"


def test_a_state_may_come_from_a_file(run, tmp_path):
    file = tmp_path / "state.kif"
    file.write_text("(has a 1) (has b 0) (turn first)", encoding="utf-8")
    code, out, _ = run("game", "query", NIM, "(legal first ?move)", "--state", str(file), "--json")
    assert (code, json.loads(out)) == (0, [{"move": "(leave a 0)"}])


def test_a_question_is_answered_after_moves(run):
    assert (
        run("game", "query", NIM, "(legal first ?m)", "--moves", "(leave a 0)")[1] == "(legal first noop)\n"
    )
    assert run("game", "query", NIM, "terminal")[1] == "nothing\n"
    assert run("game", "query", NIM, "(next (has a ?n))", "--do", "(leave a 1)")[1] == "(next (has a 1))\n"


def test_a_proof_names_the_lines_of_the_sheet(run):
    code, out, _ = run("game", "why", NIM, "(next (has b ?n))", "--do", "(leave a 2)")
    assert code == 0
    assert out.splitlines() == [
        "(next (has b 4))  [nim.kif:15]",
        "  (true (has b 4))  [the state]",
        "  (does first (leave a 2))  [what is done]",
        "  (distinct b a)",
    ]
    steps = json.loads(run("game", "why", NIM, "(goal first 0)", "--json")[1])
    assert steps[-1] == {
        "conclusion": "(goal first 0)",
        "line": 22,
        "steps": [0],
        "absent": ["(not (goal first 100))"],
    }


def test_what_does_not_hold_is_reported_and_how_to_ask_for_next(run):
    code, out, _ = run("game", "why", NIM, "(legal second (leave a 0))")
    assert (code, out.splitlines()) == (
        1,
        [
            "(legal second (leave a 0)) does not hold",
            "  clause [nim.kif:11]",
            "    with ?heap = a, ?m = 0, ?player = second",
            "    fails: (true (turn second))",
        ],
    )
    code, out, _ = run("game", "why", NIM, "(next (has b ?n))")
    assert code == 1
    assert "no moves are made: give them with --do" in out
    code, out, _ = run("game", "why", NIM, "(goal first 50)")
    assert (code, out) == (1, "(goal first 50) does not hold: no clause with conditions concludes it\n")
    code, out, _ = run("game", "why", NIM, "terminal", "--json")
    (attempt,) = json.loads(out)["attempts"]
    assert (code, attempt["line"], attempt["failing"]) == (1, 19, "(not some_left)")
    assert attempt["present"][0][-1]["conclusion"] == "some_left"


@pytest.mark.deep
def test_of_several_reasons_the_same_one_is_reported_each_time():
    command = [sys.executable, "-m", "hornbook", "game", "why", "nim", "(goal first 100)"]
    output = {
        subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=False
        ).stdout
        for seed in "123"
    }
    assert len(output) == 1
    assert "some_left" in output.pop()


@pytest.mark.parametrize("command", ["query", "why"])
def test_an_unknown_relation_has_the_nearest_next_to_it(run, command):
    code, _, err = run("game", command, NIM, "(leagl first ?m)")
    assert code == 1
    assert "error[HB010]: the sheet does not mention `leagl`" in err
    assert "did you mean `legal`?" in err


def test_one_step_is_done_now(run):
    code, _, err = run("game", "query", NIM, "(next ?x)", "--do", "(leave a 0); (leave b 0)")
    assert code == 2
    assert "`--do` takes one step, not 2" in err


@pytest.mark.parametrize("name", NAMES)
def test_sheets_that_ship_are_played_by_name(run, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, _ = run("game", "play", name)
    assert code == 0
    assert "\nover: " in out


def test_a_misspelt_name_of_a_sheet_that_ships(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, _, err = run("game", "play", "noughts_and_crossses")
    assert code == 1
    assert "there is no file `noughts_and_crossses`, and no game that ships is called so" in err
    assert "did you mean `noughts_and_crosses`?" in err
    (tmp_path / "nimm").write_text("(role", encoding="utf-8")
    assert "error[HB101]" in run("game", "play", "nimm")[2]


def test_a_file_of_that_name_comes_first(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nim").write_text("(role", encoding="utf-8")
    assert run("game", "play", "nim")[0] == 1


def test_a_clause_that_no_move_mends_asks_for_no_move(run, folder):
    (folder / "clock.kif").write_text(
        "(role p) (init (at 0)) (after 0 1) (legal p go)\n"
        "(<= (next (at ?m)) (true (at ?n)) (after ?n ?m))\n"
        "(<= terminal (true (at 1))) (goal p 100)\n",
        encoding="utf-8",
    )
    code, out, _ = run("game", "why", "clock.kif", "(next (at 1))", "--moves", "go")
    assert code == 1
    assert out.startswith("(next (at 1)) does not hold\n")
    assert "fails: (after 1 1)" in out
