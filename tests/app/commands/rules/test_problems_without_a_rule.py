"""Problems that give no rule: `learn` names the reason for each, and exits with 1 if it learns nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

LEARN = ("learn", "pawns", "--problems", "pawns/problems.jsonl", "--into", "rules.horn")
HARD = {
    "id": "hard",
    "state": "black bbb/.../www",
    "game": "win(black)",
    "moves": 1,
    "winning": ["move(b3, b2)"],
}


@pytest.fixture
def game(folder, run) -> Path:
    """Return the game that `hornbook new --game` writes."""
    assert run("new", "pawns", "--game")[0] == 0
    return Path("pawns/pawns.horn")


def changed(theory: Path, *changes: tuple[str, str]) -> None:
    text = theory.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    theory.write_text(text, encoding="utf-8")


GIVE_UP_A_SIDE = (
    ("give_up(int)", "give_up(side)"),
    ("give_up(?n), foe(?p, ?o), to_move(?o), men(?o, ?n).", "give_up(?o), foe(?p, ?o), to_move(?o)."),
    (
        "give_up(?n), foe(?p, ?o), before to_move(?o), before men(?o, ?n).",
        "give_up(?o), foe(?p, ?o), before to_move(?o).",
    ),
)
CLOSED_SQUARES = (("sort square.", f"sort square = {' | '.join(f'{x}{y}' for x in 'abc' for y in '1234')}."),)


@pytest.mark.parametrize("changes", [(), GIVE_UP_A_SIDE, CLOSED_SQUARES, GIVE_UP_A_SIDE + CLOSED_SQUARES])
def test_actions_with_closed_columns_teach_as_many_rules(game, run, changes):
    changed(game, *changes)
    assert run("check", "pawns")[1] == "no mistakes\n"
    code, out, _ = run(*LEARN, "--json")
    assert code == 0
    found = json.loads(out)
    assert (found["problems"], found["proved"], "unproved" in found) == (12, 12, False)
    assert run("rules", "verify", "rules.horn", "--theory", "pawns")[0] == 0


def test_a_problem_without_a_proof_is_named_with_the_reason(game, run):
    with Path("pawns/problems.jsonl").open("a", encoding="utf-8") as problems:
        problems.write(f"{json.dumps(HARD)}\n")
    code, out, _ = run(*LEARN)
    assert code == 0
    output = "hard: no proof of `win(black) is GI`: the domain names no move that may win within 1 move\n"
    assert output in out
    code, out, _ = run(*LEARN, "--json")
    assert json.loads(out)["unproved"] == {"hard": output.removeprefix("hard: no proof of ").strip()}


def test_a_reply_without_an_answer_is_named_after_the_moves_before_it(game, run):
    rule = "who_gives_up_has_lost:\n  after win(?p) is GI :- give_up(?n), foe(?p, ?o), before to_move(?o), before men(?o, ?n).\n"
    changed(game, (rule, ""))
    code, out, _ = run(*LEARN)
    assert code == 0
    assert (
        "h10: no proof of `win(black) is GI`: after `move(c3, c2)`: every reply is answered in play, but the theory"
        " derives no win after `give_up("
    ) in out


def test_replies_that_are_not_declared_are_the_reason(game, run):
    text = game.read_text(encoding="utf-8")
    start, end = text.index("replies win(?p):"), text.index("who_gives_up_has_lost:")
    game.write_text(text[:start] + text[end:], encoding="utf-8")
    _, out, _ = run(*LEARN)
    assert (
        "h10: no proof of `win(black) is GI`: after `move(c3, c2)`: the theory has no `replies` to `win`"
        in out
    )


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_nothing_learned_is_a_failure(game, run, more):
    Path("pawns/problems.jsonl").write_text(f"{json.dumps(HARD)}\n", encoding="utf-8")
    code, out, err = run(*LEARN, *more)
    assert code == 1
    assert err == "nothing was learned: no problem is proved\n"
    assert "hard" in out


def test_a_file_without_a_won_problem_is_a_failure(game, run):
    Path("pawns/problems.jsonl").write_text("", encoding="utf-8")
    code, _, err = run(*LEARN)
    assert code == 1
    assert "nothing was learned" in err


@pytest.mark.deep
def test_problems_that_known_rules_answer_are_no_failure(game, run):
    assert run(*LEARN)[0] == 0
    code, out, err = run(*LEARN)
    assert (code, err) == (0, "")
    assert "0 rules more" in out


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_words_name_the_problems_that_give_no_rule(game, run, more):
    with Path("pawns/problems.jsonl").open("a", encoding="utf-8") as problems:
        problems.write(f"{json.dumps(HARD)}\n")
    code, out, _ = run("rules", "invent", *LEARN[1:], *more)
    assert code == 0
    named = (line.partition(":")[0] for line in out.splitlines() if "no rule:" in line)
    assert sorted(json.loads(out)["unproved"] if more else named) == ["h10", "h11", "h12", "hard"]


@pytest.mark.parametrize(
    ("problems", "reason"),
    [("", "there is no example or problem"), (json.dumps(HARD), "no example or problem gives a rule")],
)
def test_words_without_a_rule_are_a_failure_with_a_reason(game, run, problems, reason):
    Path("pawns/problems.jsonl").write_text(problems, encoding="utf-8")
    code, _, err = run("rules", "invent", *LEARN[1:])
    assert code == 1
    assert err.startswith(f"nothing was learned: {reason}")


DEEP = {**HARD, "id": "deep", "moves": 3}


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_invent_names_a_reason_for_each_problem(game, run, more):
    text = HARD | {"id": "unknown", "state": "black b../.../..w", "winning": ["move(a3, a2)"]}
    with Path("pawns/problems.jsonl").open("a", encoding="utf-8") as problems:
        problems.writelines(f"{json.dumps(each)}\n" for each in (HARD, DEEP, text))
    code, out, _ = run("rules", "invent", *LEARN[1:], *more)
    assert code == 0
    named = dict(line.split(": no rule: ") for line in out.splitlines() if "no rule:" in line)
    reasons = json.loads(out)["unproved"] if more else named
    assert reasons["hard"] == "the domain names no move that may win within 1 move"
    assert reasons["deep"] == "it takes 3 moves, and words are invented for wins within 2 moves"
    assert reasons["h10"] == "after `move(c3, c2)`: no reply of a closed set is possible"
