"""`hornbook rules invent`: invented predicates and lemmas as a theory next to the rules.

Every command reads it like any other.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

HARE = """theory hare.
sort animal.
sort place.
static exit(place, place).
static exits(place -> int) counts exit.
static gate(place).
fluent sits(animal -> place).
fluent fenced(place).
fluent watched(place).
action shut(place).
derived barred(place).
derived caught(animal).
game trap(animal).

by_a_fence: barred(?p) :- fenced(?p).
by_a_dog: barred(?p) :- watched(?p).
no_way_out: caught(?h) :- sits(?h, ?p), exits(?p, _), all ?q in exit(?p, ?q): barred(?q).
it_is_shut: after fenced(?p) :- shut(?p), gate(?p).
fences_stay: after fenced(?q) :- shut(?p), before fenced(?q), ?q != ?p.
dogs_stay: after watched(?q) :- shut(_), before watched(?q).
it_sits_still: after sits(?h, ?p) :- shut(_), before sits(?h, ?p).
trapped: before trap(?h) by shut(?p) is GI :- shut(?p), gate(?p), after caught(?h).

example three_ways_out:
  sits(tim, a), exits(a, 3), exit(a, b), exit(a, c), exit(a, d), fenced(b), watched(c), gate(d), shut(d).
"""
LEARN = ("rules", "invent", "hare.horn", "--into", "trap.horn")
LESSON = (
    '{"id": "fork", "fen": "r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1", "motif": "fork", "goal": "take", "target": "a8", "side": "white",'
    ' "value": "GI", "depth": 3, "horizon": 3, "winning_moves": ["b5c7"], "best_moves": ["b5c7"], "gain": 5}'
)
FORK = "2r3k1/5ppp/8/3N4/8/8/8/6K1 w - - 0 1"


@pytest.fixture
def hare(folder: Path) -> Path:
    (folder / "hare.horn").write_text(HARE, encoding="utf-8")
    return folder


def test_words_state_in_a_theory_that_is_proved_and_checked(run, hare):
    code, out, _ = run(*LEARN, "--json")
    message = json.loads(out)
    assert code == 0
    assert (message["lessons"], message["rules"], message["words"], message["clauses"]) == (1, 1, 1, 3)
    assert run("check", "trap_words.horn")[:2] == (0, "no mistakes\n")
    assert run("rules", "verify", "trap.horn", "--theory", "trap_words.horn")[0] == 0
    code, out, _ = run("rules", "trust", "trap_words.horn", "--rules", "trap.horn")
    assert code == 0
    assert "1 lemma proved, 0 without a proof" in out
    assert "1 rule proved, 0 without a proof" in out
    assert run("rules", "prove", "trap_words.horn")[:2] == (
        0,
        "0 rules proved, 0 without a proof, 1 proved before\n",
    )


def test_rules_with_words_answer_other_states(run, hare):
    """Query states with five exits, although the example had three."""
    run(*LEARN)
    ways = "exits(a, 5). " + "".join(f"exit(a, {place}). " for place in "bcdef")
    queried = ("query", "trap_words.horn", "trap(?h) by shut(?p) is GI", "--rules", "trap.horn", "--add")
    for watched, answered in (("b", True), ("c", False)):
        there = f"sits(tim, a). {ways}gate(f). fenced(d). fenced(e). watched(c). watched({watched})."
        (hare / "there.horn").write_text(f"{there}\n", encoding="utf-8")
        code, out, _ = run(*queried, "there.horn")
        assert ("tim" in out) is answered, out
        assert code == 0


def test_a_word_that_is_edited_proves_nothing(run, hare):
    """Add a clause that no example supports.

    The lemma is not used, and the rules that depend on it are not used either.
    """
    run(*LEARN)
    words = hare / "trap_words.horn"
    text = words.read_text(encoding="utf-8")
    words.write_text(text.replace("watched(?x), gate(?p)", "exit(_, ?x), gate(?p)"), encoding="utf-8")
    code, out, err = run("rules", "verify", "trap.horn", "--theory", "trap_words.horn")
    assert code == 1
    assert "0 rules follow" in out
    assert "1 lemma without a proof is not used" in err
    code, out, _ = run("rules", "prove", "trap_words.horn")
    assert code == 1
    assert "0 rules proved, 1 without a proof" in out


def test_a_store_keeps_words_with_the_proofs_of_their_lemmas(run, hare):
    run(*LEARN)
    assert run("store", "new", "trap.sqlite", "trap_words.horn")[0] == 0
    assert run("store", "import", "trap.sqlite", "trap.horn")[0] == 0
    for file in ("trap.horn", "trap.proofs.jsonl", "trap_words.horn", "trap_words.proofs.jsonl"):
        (hare / file).unlink()
    code, out, _ = run("rules", "verify", "trap.sqlite")
    assert (code, out) == (0, "1 rule follows from `trap_words`, 0 do not\n")


@pytest.mark.deep
def test_chess_words_answer_another_fork(run, folder):
    """Invent predicates from one knight fork.

    The check, the king's steps and the capture after each become predicates that the rules use.
    """
    (folder / "fork.jsonl").write_text(LESSON + "\n", encoding="utf-8")
    code, out, _ = run("rules", "invent", "chess", "--problems", "fork.jsonl", "--into", "fork.horn")
    assert code == 0, out
    code, out, err = run("rules", "match", "fork_words.horn", "--rules", "fork.horn", FORK)
    assert (code, err) == (0, "")
    assert "take(c8) by move(d5, e7) is GI" in out


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--into", "there.horn"), "there.horn already exists, and predicates are invented anew each time"),
        (("--into", "x.sqlite"), "invented predicates are stored beside a file of rules"),
        (("--into", "x.horn", "--proofs", "2"), "No such option: --proofs"),
    ],
)
def test_what_words_are_not_made_for_is_reported(run, hare, more, message):
    (hare / "there.horn").write_text("", encoding="utf-8")
    code, _, err = run("rules", "invent", "hare.horn", *more)
    assert code == 2
    assert message in " ".join(err.replace("│", " ").split())
    assert not (hare / "x_words.horn").exists()


def test_nothing_learned_is_reported_and_nothing_written(run, hare):
    text = HARE.replace("watched(c), gate(d), shut(d)", "watched(c), shut(d)")
    (hare / "hare.horn").write_text(text, encoding="utf-8")
    code, out, _ = run(*LEARN)
    assert code == 1
    assert out.startswith(
        "three_ways_out: no rule: nothing that follows from `shut(d)` gives a rule\n1 lesson: 0 rules"
    )
    assert not (hare / "trap.horn").exists()


def test_replies_of_an_imported_game_may_have_conditions_without_arguments(run, folder):
    """Try a game whose replies all require that the game goes on, a predicate without arguments."""
    (folder / "won.jsonl").write_text(
        '{"id": "two", "state": "(has a 2) (has b 0) (has c 1) (turn second)", "game": "reach(second, 100)",'
        ' "moves": 2, "winning": ["leave(second, a, \'1\')"]}\n',
        encoding="utf-8",
    )
    assert run("game", "import", "nim", "--into", "heaps")[0] == 0
    code, out, err = run("rules", "invent", "heaps", "--problems", "won.jsonl", "--into", "won.horn")
    assert (code, "two: no rule" in out, "nothing was learned" in err) == (1, True, True)


def position(name, moves, rows, side, winning):
    """Return a line with a problem of noughts and crosses; `rows` is the board, row after row."""
    words = {".": "blank", "x": "x", "o": "o"}
    cells = (f"(cell {place // 3 + 1} {place % 3 + 1} {words[c]})" for place, c in enumerate(rows))
    state = " ".join([*cells, f"(turn {side})"])
    game = f"reach({side}, 100)"
    found = [f"put({side}, '{row}', '{column}')" for row, column in winning]
    return json.dumps({"id": name, "state": state, "game": game, "moves": moves, "winning": found}) + "\n"


@pytest.mark.deep
def test_wins_after_every_reply_are_learned_from_an_imported_game(run, folder):
    lessons = (
        ("a", 1, ".xxo.o..x", "nought", ["22"]),
        ("b", 1, "xo.xoo.x.", "cross", ["31"]),
        ("c", 1, "xo.oxx.o.", "cross", ["33"]),
        ("d", 1, "oox.xo..x", "cross", ["31"]),
        ("e", 2, "..xx.o.o.", "cross", ["11", "31"]),
    )
    (folder / "lessons.jsonl").write_text("".join(position(*each) for each in lessons), encoding="utf-8")
    assert run("game", "import", "noughts_and_crosses", "--into", "noughts")[0] == 0
    given = ("--problems", "lessons.jsonl", "--against-replies", "--into", "r.horn", "--json")
    code, out, _ = run("rules", "invent", "noughts", *given)
    assert (code, json.loads(out)["lessons"]) == (0, 5)
    assert "_after_every_" in (folder / "r.horn").read_text(encoding="utf-8")
    assert run("rules", "verify", "r.horn", "--theory", "r_words.horn")[0] == 0
    rows = lessons[-1][2]
    transposed = "".join(rows[place % 3 * 3 + place // 3] for place in range(9))
    assert transposed != rows
    problem = position("t", 2, transposed, "cross", ["11", "13"])
    (folder / "other.jsonl").write_text(problem, encoding="utf-8")
    solve = ("problems", "solve", "r_words.horn", "--rules", "r.horn", "--problems", "other.jsonl")
    assert "GI" in run(*solve)[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("hare.horn", "--into", "new.horn"), "learned from problems of one and two moves"),
        (("hare.horn", "--rules", "a.horn"), "a file of rules is given"),
    ],
)
def test_wins_after_every_reply_need_problems(run, hare, arguments, message):
    (hare / "a.horn").write_text("import hare.\n", encoding="utf-8")
    code, _, err = run("rules", "invent", *arguments, "--against-replies")
    assert code == 2
    assert message in err
