"""The prompt on a store: its initial contents, and the changes that `:save` stores."""

from __future__ import annotations

from pathlib import Path

import pytest

from hornbook.compiler.rules.stored_rules import read_rule_base
from hornbook.inputs.theories import load
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.store import Store
from hornbook.kb.store.closure import read_theory
from oracles.pages.markdown_blocks import run_hornbook

MUG = (
    "looks(mug, light). part(mug, ear). is_a(ear, handle). part(mug, foot). is_a(foot, bottom). looks(foot, flat)."
    " part(mug, hollow). is_a(hollow, concavity). looks(hollow, upward_pointing).\n"
)


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    with Store.create("cups.sqlite") as made:
        made.put_theory(read_theory("cup"))
    return Path("cups.sqlite")


def repl(typed: str, *arguments: str) -> tuple[str, int]:
    return run_hornbook(["repl", "cups.sqlite", *arguments], typed)


def test_what_is_saved_is_there_in_the_next_session_and_for_programs(store):
    output, code = repl(MUG + "learn cup(mug)\n:keep\n:save\nlooks(mug, red).\n")
    assert (output.splitlines()[-2], code) == ("saved in cups.sqlite: 9 facts, 1 rule", 0)
    output, code = repl("cup(?x)\nlooks(mug, red)\n:rules cup_1\nlearn cup(mug)\n:undo\n")
    assert output.startswith("?x\nmug\nno\ncup_1:\n")
    assert "cup_1, which is here already\nerror: nothing was changed yet\n" in output
    assert code == 1
    with Store(store) as reopened, reopened.snapshot():
        assert KnowledgeBase(store=reopened).query("cup(mug)")
        assert list(read_rule_base(reopened, load("cup")).lemmas()) == ["cup_1"]


def test_what_is_retracted_and_learned_better_is_removed(store):
    repl(MUG + ":save\n")
    output, code = repl("retract looks(mug, light).\n:save\n:save\n")
    assert (
        output
        == "retracted: 1 fact\nsaved in cups.sqlite: nothing, 1 fact retracted\nsaved in cups.sqlite: nothing\n"
    )
    assert code == 0
    assert repl("cup(mug)\n") == ("no\n", 0)


def test_what_is_not_saved_is_not_stored(store):
    before = store.read_bytes()
    assert repl(MUG + "cup(mug)\nwhat if looks(pot, light)\n")[1] == 0
    assert store.read_bytes() == before
    assert repl("cup(mug)\n") == ("no\n", 0)


def test_facts_of_the_command_line_and_typed_rules_are_not_saved(store):
    Path("mug.horn").write_text(MUG)
    output, _ = repl("light: liftable(?x) :- looks(?x, light).\n:save\n", "--add", "mug.horn")
    assert output.endswith("nothing; 1 rule typed here only, which `:write FILE.horn` keeps\n")
    assert repl("cup(mug)\n") == ("no\n", 0)


def test_rules_that_another_session_changed_are_not_overwritten(store):
    from hornbook.inputs.store_names import StoreName
    from hornbook.matcher.program.coded import Limits
    from hornbook.repl.execution import execute
    from hornbook.repl.request import read
    from hornbook.repl.session import SessionError
    from hornbook.repl.stored_session import begin

    one, other = (
        begin(StoreName(store), Limits(), lambda name: KnowledgeBase(name or ""), lambda _: None)
        for _ in range(2)
    )
    for session in (one, other):
        for line in (MUG, "learn cup(mug)", ":keep"):
            execute(session, read(line))
    assert execute(one, read(":save")).text.startswith("saved")
    with pytest.raises(SessionError, match="changed meanwhile"):
        execute(other, read(":save"))
    assert execute(one, read(":save")).text == "saved in cups.sqlite: nothing"


def test_a_store_that_cannot_be_opened_is_a_mistake_of_the_command_line(store):
    assert run_hornbook(["repl", "none.sqlite"])[1] == 2
    assert run_hornbook(["repl", "cups.sqlite#family"])[1] == 2
    output, code = run_hornbook(["repl", "cup"], ":save\n")
    assert (output, code) == (
        "error: name a file: `:save RULES.horn`; or begin with `hornbook repl FILE.sqlite`\n",
        1,
    )
