"""The prompt at a terminal: lines, history, completion, and the keys that end an input, answer or session.

The keys come from a pipe.
"""

from __future__ import annotations

import signal
import threading
import time

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import ColorDepth, DummyOutput

from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.pygments_lexer import HornLexer
from hornbook.repl import interruption, prompt
from hornbook.repl.session import Session

CTRL_C, CTRL_D = "\x03", "\x04"


@pytest.fixture
def state_home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("NO_COLOR", raising=False)
    return tmp_path


@pytest.fixture
def keys(state_home):
    with create_pipe_input() as pipe:
        yield pipe


def family() -> Session:
    return Session(lambda name: KnowledgeBase(name or "family"), KnowledgeBase("family"))


def run(keys: PipeInput, typed: str, session: Session | None = None) -> int:
    keys.send_text(typed)
    return prompt.run_prompt(session or family(), source=keys, output=DummyOutput())


def messages(capsys: pytest.CaptureFixture[str]) -> str:
    """Return the output after the greeting."""
    out, err = capsys.readouterr()
    assert err == ""
    return out.partition("Ctrl-D ends\n")[2]


def test_lines_are_answered_until_the_end(keys, capsys):
    assert run(keys, "parent(ada, ?who)\rparent(cleo, eve).\rgrandparent(ben, eve)\r" + CTRL_D) == 0
    assert messages(capsys) == "?who\nben\nadded: 1 fact\nyes\n"


def test_quit_ends(keys):
    assert run(keys, ":quit\r") == 0


def test_a_rule_may_take_lines_and_an_empty_one_gives_up(keys, capsys):
    run(
        keys,
        "old: ancestor(?a, ?b) :-\rsibling(?a, ?b).\rancestor(dan, cleo)\rparent(ada,\r\rparent(ada, ben)\r:quit\r",
    )
    out, err = capsys.readouterr()
    assert out.endswith("added: 1 rule\nyes\nyes\n")
    assert err.startswith("error[HB001]")


def test_several_lines_that_are_pasted_are_answered_in_turn(keys, capsys):
    pasted = "parent(ada, ?x)\nold: ancestor(?a, ?b) :-\n  sibling(?a, ?b).\nancestor(dan, cleo)"
    run(keys, f"\x1b[200~{pasted}\x1b[201~\r" + CTRL_D)
    assert messages(capsys) == "?x\nben\nadded: 1 rule\nyes\n"


def test_ctrl_c_leaves_the_line(keys, capsys):
    session = family()
    assert run(keys, "parent(cleo, eve)." + CTRL_C + "parent(ada, ben)\r" + CTRL_D, session) == 0
    assert messages(capsys) == "yes\n"
    assert not session.changes


def interrupted_while_it_answers() -> None:
    """Press Ctrl-C shortly after the evaluation of a line has started.

    While a line is read, Ctrl-C only discards it.
    """
    while getattr(signal.getsignal(signal.SIGINT), "__module__", "") != interruption.__name__:
        time.sleep(0.01)
    time.sleep(0.5)
    signal.raise_signal(signal.SIGINT)


def test_ctrl_c_stops_an_answer_and_the_session_goes_on(keys, capsys, tmp_path):
    theory = tmp_path / "long.horn"
    # The query needs little memory and unlimited time.
    facts = " ".join(f"n({i})." for i in range(1_000))
    theory.write_text(f"theory long. static n(int). static total(int). {facts}")
    session = Session(lambda name: KnowledgeBase(name or ""), KnowledgeBase(theory))
    before = signal.getsignal(signal.SIGINT)
    threading.Thread(target=interrupted_while_it_answers, daemon=True).start()
    typed = "on: total(?m) :- n(?a), n(?b), n(?c), n(?d), ?m = ?a + ?b + ?c + ?d.\r?k = count ?n where (total(?n))\r"
    assert run(keys, typed + CTRL_D, session) == 0
    out, err = capsys.readouterr()
    assert err == "interrupted; nothing was changed\n"
    assert out.endswith("?k\n0\n")
    assert signal.getsignal(signal.SIGINT) is before


def test_a_mistake_does_not_end_the_session(keys, capsys):
    assert run(keys, "parnt(ada, ben)\rparent(ada, ben)\r" + CTRL_D) == 0
    out, err = capsys.readouterr()
    assert out.endswith("\nyes\n")
    assert "did you mean `parent`?" in err


def test_what_is_offered_takes_the_place_of_what_was_started():
    document = Document("grandparent(ada, cl, dan)", cursor_position=len("grandparent(ada, cl"))
    (only,) = prompt.SessionCompleter(family()).get_completions(document, CompleteEvent())
    assert (only.text, only.start_position, only.display_meta_text) == ("cleo", -2, "person")


def test_lines_are_stored_for_the_next_session(keys, state_home):
    run(keys, "parent(ada, ben)\rparent(cleo, eve).\r" + CTRL_D)
    assert (state_home / "hornbook" / "repl_history").is_file()
    editor = prompt.prompt_session(family(), source=keys, output=DummyOutput())
    assert list(editor.history.load_history_strings()) == ["parent(cleo, eve).", "parent(ada, ben)"]


@pytest.mark.parametrize("in_the_way", ["hornbook", "hornbook/repl_history"])
def test_a_history_that_cannot_be_stored_is_no_trouble(in_the_way, keys, state_home, capsys):
    place = state_home / in_the_way
    if in_the_way == "hornbook":
        place.write_text("a file where the folder would be")
    else:
        place.mkdir(parents=True)
    assert run(keys, "parent(ada, ben)\r" + CTRL_D) == 0
    assert messages(capsys) == "yes\n"


def test_colours_are_those_of_the_language_unless_they_are_not_expected(keys, monkeypatch):
    coloured = prompt.prompt_session(family(), source=keys, output=DummyOutput())
    assert isinstance(getattr(coloured.lexer, "pygments_lexer", None), HornLexer)
    monkeypatch.setenv("NO_COLOR", "1")
    plain = prompt.prompt_session(family(), source=keys, output=DummyOutput())
    assert plain.lexer is None
    assert plain.color_depth is ColorDepth.DEPTH_1_BIT


def test_without_the_extra_a_terminal_is_reported_how_to_get_it(capsys, monkeypatch):
    import sys

    from hornbook import cli

    monkeypatch.setattr("sys.stdin", type("Terminal", (), {"isatty": lambda _: True})())
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setitem(sys.modules, "prompt_toolkit", None)
    assert cli.main(["repl", "family"]) == 1
    assert "pip install 'hornbook[repl]'`, or in a checkout `pip install '.[repl]'" in capsys.readouterr().err
