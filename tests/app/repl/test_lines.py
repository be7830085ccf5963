"""The prompt without a terminal: transcripts of whole sessions, and the files that they leave behind."""

from __future__ import annotations

import os
import shlex
import signal
import threading
from pathlib import Path

import pytest

from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import raw_engine
from hornbook.kb.base.theory_engine import NotDerivedError
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.errors import SECONDS, KnowledgeBaseError
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.matcher.program.errors import EngineError
from hornbook.repl.execution import execute
from hornbook.repl.interruption import stoppable
from hornbook.repl.request import read
from hornbook.repl.session import Session, SessionError
from oracles.pages.markdown_blocks import run_hornbook, typed_in

ROOT = Path(__file__).parents[3]
TRANSCRIPTS = sorted((Path(__file__).parent / "golden").glob("*.txt"))

COUNTING = (Path(__file__).parent / "data" / "lines_counting.horn").read_text(encoding="utf-8")


def session(theory: str = COUNTING) -> Session:
    return Session(lambda name: KnowledgeBase(load_text(name or "")), KnowledgeBase(load_text(theory)))


def say(to: Session, *lines: str) -> str:
    return "\n".join(execute(to, read(line)).text for line in lines)


def contents(of: Session) -> tuple[object, ...]:
    return (
        list(of.base.facts()),
        of.base.given(),
        [rule.name for rule in of.base.rules],
        dict(of.learned.entries),
    )


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_session_through_a_pipe(transcript, monkeypatch):
    monkeypatch.chdir(ROOT)
    command, _, expected = transcript.read_text(encoding="utf-8").partition("\n")
    printed, code = run_hornbook([*shlex.split(command)[2:], "--echo"], typed_in(expected))
    assert printed == expected
    assert code == (1 if "error" in expected else 0)


def test_prompts_are_not_printed_and_results_and_mistakes_go_their_ways(capsys, monkeypatch):
    import io

    from hornbook import cli

    monkeypatch.setattr("sys.stdin", io.StringIO("grandparent(ada, dan)\nparnt(a, b)\nparent(ada, ben)"))
    assert cli.main(["repl", "family"]) == 1
    out, err = capsys.readouterr()
    assert out == "yes\nyes\n"
    assert err.startswith("error[HB010]: unknown predicate `parnt`\n")


def test_what_is_supposed_leaves_nothing_behind():
    at = session()
    before = contents(at)
    assert "changed  held(stone, 2)  held(stone, 3)" in say(at, "what if take(stone)")
    assert say(at, "what if take(feather)") == (
        "change   before            after\nchanged  held(feather, 0)  held(feather, 1)\n"
        "no longer concluded, though a frame says that it stays:\n  held(stone, 2)"
    )
    # `after` agrees: a fact listed as no longer concluded has no answer.
    assert say(at, "what if take(feather): after held(?x, ?n)") == "?x       ?n\nfeather  1"
    assert say(at, "what if take(stone): after heavy(?x)") == "?x\nstone"
    for line in (
        "what if held(stone, 7)",
        "what if take(?x)",
        "what if take(stone): held(?x)",
        "what if take(9)",
    ):
        with pytest.raises((TheoryError, KnowledgeBaseError, SessionError)):
            say(at, line)
    assert contents(at) == before
    # No mark remains. Rules could not be added under one.
    say(at, "light: number(1).")


def test_what_no_frame_keeps_is_reported_not_to_be_concluded():
    at = session(COUNTING.replace("frame held(?x, _): take(?x).", ""))
    assert say(at, "what if take(feather)").endswith("removed  held(stone, 2)")


def test_an_action_that_is_given_makes_way_for_the_one_that_is_supposed():
    at = session()
    say(at, "take(feather).")
    assert say(at, "what if take(stone): take(?x)") == "?x\nstone"
    assert say(at, "take(?x)") == "?x\nfeather"


CHANGES = (
    "item(cup).",
    "item(cup). item(pot). held(pot, 4).",
    "big: many(?n) :- held(_, ?n), ?n > 3.",
    "number(9). small: heavy(?x) :- number(9), item(?x).",
    "retract held(stone, 2).",
    "take(stone).",
    "learn heavy(?x) from held(x, 5)",
    "keep",
)


def test_everything_can_be_undone_in_turn():
    at = session()
    states = []
    for line in CHANGES:
        states.append(contents(at))
        say(at, f":{line}" if line == "keep" else line)
        if line.startswith("learn"):
            states.pop()
    while states:
        say(at, ":undo")
        assert contents(at) == states.pop()
    with pytest.raises(SessionError, match="nothing was changed"):
        say(at, ":undo")


GREENHOUSE = (ROOT / "tests/compiler/learn/effects/data/greenhouse.horn").read_text(encoding="utf-8")


def test_rules_with_invented_predicates_are_stored_one_after_another(tmp_path):
    at = session(GREENHOUSE)
    words = {*at.base.theory.vocabulary.predicates}
    say(at, "learn watered", ":keep", "learn replaced", ":keep")
    assert len(at.rules) == 5
    assert {*at.base.theory.vocabulary.predicates} - words == {"fresh_after_water", "fresh_after_replant"}
    say(at, f":save {tmp_path / 'rules.horn'}", ":undo")
    assert {*at.base.theory.vocabulary.predicates} - words == {"fresh_after_water"}
    say(at, ":undo", f":load {tmp_path / 'rules.horn'}", ":undo")
    assert {*at.base.theory.vocabulary.predicates} == words
    say(at, f":load {tmp_path / 'rules.horn'}")
    assert len(at.rules) == 5


BAD = (
    "item(cup). itm(pot).",
    "item(?x).",
    "heavy(stone).",
    "held(stone, 3).",
    "item(cup). held(stone, 3).",
    "item(cup). wrong: heavy(?x) :- item(?y).",
    "one_more: heavy(?x) :- item(?x).",
    "item(cup). item(pot)",
    "sort new.",
    "number(9223372036854775807). item(cup). far: number(?m) :- item(?x), number(?n), ?m = ?n + 1.",
    "retract item(cup).",
    "retract heavy(stone).",
    "retract item(stone), item(cup).",
    "retract item(?x).",
    ":load missing.horn",
    ":load item=missing.csv",
    ":load missing.txt",
    ":keep",
    ":save nowhere/rules.horn",
    ":write nowhere/facts.horn",
    "why heavy(stone)",
    "why not hevy(stone)",
    "learn heavy(stone), heavy(feather)",
    ":theory nowhere",
    ":state nothing",
    ":rules nothing",
    ":nothing",
    "heavy(stone",
    "?",
    "'",
    "retract",
)


def test_nothing_is_changed_by_what_is_wrong(tmp_path, monkeypatch):
    from hornbook.repl.lines import answer
    from hornbook.terminal.failure import ERROR

    monkeypatch.chdir(tmp_path)
    at = session()
    before = contents(at)
    for line in BAD:
        assert answer(at, line)[1] == ERROR, line
        assert contents(at) == before, line
        assert not at.changes
    assert list(tmp_path.iterdir()) == []


def test_no_rules_are_saved_that_no_one_could_read_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("family.horn").write_text("import family.\n")
    base = Session(KnowledgeBase, KnowledgeBase("family"))
    say(
        base,
        "learn great_grandparent(ida, tom) from parent(ida, leo), parent(leo, mia), parent(mia, tom).",
        ":keep",
    )
    with pytest.raises(TheoryError, match=r"would import `family\.horn`"):
        say(base, ":save rules.horn")
    assert [each.name for each in tmp_path.iterdir()] == ["family.horn"]


def test_what_was_stored_is_read_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    at = session()
    say(at, "item('two words').", "big: many(?n) :- held(_, ?n), ?n > 3.", "retract held(stone, 2).")
    say(at, "held(stone, 5).", "learn heavy(stone)", ":keep", ":save rules.horn", ":write added.horn")
    again = session()
    say(again, "retract held(stone, 2).", ":load added.horn", ":load rules.horn")
    assert again.facts() == at.facts()
    assert [rule.name for rule in again.rules] == ["big", "heavy_1"]
    assert again.learned.entries == at.learned.entries
    with pytest.raises(SessionError, match="there already"):
        say(session(), "learn heavy(x) from held(x, 5)", ":keep", ":save rules.horn")
    say(again, ":save rules.horn")


def test_what_is_learned_can_be_proved_from_the_theory_as_it_stands():
    at = session(
        "theory t. sort k. static l(k). static n(k). static m(k). derived d(k)."
        " r: d(?x) :- n(?x), m(a). s: n(?x) :- l(?x). l(a). m(a)."
    )
    assert "d(?x) :- l(?x)." in say(at, "learn d(a)")
    say(at, "retract m(a).", "m(b).")
    with pytest.raises(SessionError, match="the theory states it"):
        say(at, "learn d(a)")


@pytest.mark.deep
def test_a_line_that_takes_long_is_stopped_and_changes_nothing():
    at = session("theory long. sort thing. static n(int). n(0).")
    before = contents(at)
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt), stoppable(at):
        say(at, "on: n(?m) :- n(?n), ?m = ?n + 1, ?m < 100000000.")
    assert contents(at) == before
    say(at, "to_ten: n(?m) :- n(?n), ?m = ?n + 1, ?m < 10.")
    assert say(at, "?k = count ?n where (n(?n))") == "?k\n10"
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt), stoppable(at):
        say(at, "n(?a), n(?b), n(?c), n(?d), n(?e), n(?f), n(?g), n(?h), n(?i), n(?j), ?a + ?b > 90")
    assert say(at, "n(9)") == "yes"


def test_ctrl_c_between_the_engine_and_the_notes_leaves_a_change_whole(monkeypatch):
    at = session()
    before = contents(at)
    update = raw_engine(at.base).update

    def update_and_press(**changes: object) -> object:
        done = update(**changes)
        signal.raise_signal(signal.SIGINT)
        return done

    monkeypatch.setattr(raw_engine(at.base), "update", update_and_press)
    with stoppable(at):
        say(at, "light: heavy(?x) :- held(?x, 0).")
        assert "heavy(feather)" in say(at, "why heavy(feather)")
        say(at, ":undo")
        say(at, "what if take(stone)")
        assert contents(at) == before
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)  # the second press has no effect


def test_seconds_bound_a_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("long.horn").write_text("theory long. static n(int). n(0).")
    typed = "on: n(?m) :- n(?n), ?m = ?n + 1, ?m < 100000000.\nn(?x)\n"
    printed, code = run_hornbook(["repl", "long.horn", "--seconds", "0.2"], typed)
    assert (printed, code) == (
        f"error: more than 0.2 seconds; raise the limit ({SECONDS}) or ask less\n?x\n0\n",
        1,
    )


def test_files_of_the_command_line_are_read_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("more.horn").write_text("parent(dan, finn).\n")
    Path("parent.csv").write_text("parent,child\nfinn,gina\n")
    arguments = ["repl", "family", "--add", "more.horn", "--facts", "parent=parent.csv"]
    assert run_hornbook(arguments, "ancestor(ben, gina)\n:undo\n") == (
        (
            "parent=parent.csv: added: 1 fact below the header `parent,child`\n"
            "yes\nerror: nothing was changed yet\n"
        ),
        1,
    )
    assert run_hornbook(["repl", "family", "--add", "none.horn"])[1] == 1


def test_errors_are_those_of_the_engine_in_words():
    at = session()
    with pytest.raises(NotDerivedError):
        say(at, "why heavy(feather)")
    with pytest.raises(KnowledgeBaseError) as reported:
        at.base.add_text("held(stone, 9).")
    assert isinstance(reported.value.__cause__, EngineError)


def test_a_file_that_is_not_there_is_not_taken_for_a_state(tmp_path):
    with pytest.raises(TheoryError, match=r"there is no such file\n --> .*nowhere"):
        execute(session(), read(f":load {tmp_path / 'nowhere'}"))
