"""Exceeded limits: the message names an option, and the command succeeds with that option."""

from __future__ import annotations

import io
import re

import pytest

from hornbook import KnowledgeBase
from hornbook.kb.lower.errors import KnowledgeBaseError, TooManyAnswersError
from hornbook.matcher.program.coded import Limits

COUNTING = """theory counting.
static lim(int).
static n(int).
derived big(int).
next: n(?j) :- n(?i), lim(?m), ?i < ?m, ?j = ?i + 1.
big: big(?i) :- n(?i), ?i > 40.
n(0).
example e: lim(50).
expect e: big(50).
"""
COMMANDS = {
    "query": ("query", "counting.horn", "big(?i)", "--add", "lim.horn"),
    "theory run": ("theory", "run", "counting.horn", "--into", "out", "--add", "lim.horn"),
    "why": ("why", "counting.horn", "big(50)", "--add", "lim.horn"),
    "why-not": ("why-not", "counting.horn", "big(51)", "--add", "lim.horn"),
    "repl": ("repl", "counting.horn", "--add", "lim.horn"),
    "test": ("test", "counting.horn"),
    "store add": ("store", "add", "kept.sqlite", "--add", "lim.horn"),
}


@pytest.fixture(autouse=True)
def files(folder, run):
    (folder / "counting.horn").write_text(COUNTING)
    (folder / "lim.horn").write_text("lim(50).\n")
    assert run("store", "new", "kept.sqlite", "counting.horn")[0] == 0


def way_out(output: str) -> str:
    """Return the part of a message that says how to raise the limit."""
    found = re.search(r"(?:raise the limit|allow more) \((.*?)\)(?:$|,| or)", " ".join(output.split()))
    assert found is not None, output
    return found[1]


@pytest.mark.parametrize("name", COMMANDS)
def test_more_facts_are_allowed_by_the_option_that_the_message_names(run, name, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("big(50)\n"))
    code, _, err = run(*COMMANDS[name], "--max-facts", "20")
    assert code == 1
    assert way_out(err).startswith("`--max-facts`;")
    monkeypatch.setattr("sys.stdin", io.StringIO("big(50)\n"))
    assert run(*COMMANDS[name], "--max-facts", "500")[0] == 0


@pytest.mark.deep
@pytest.mark.parametrize("name", ["query", "theory run", "why", "why-not", "repl"])
def test_time_and_memory_are_raised_by_what_the_message_says(run, folder, name, monkeypatch):
    (folder / "lim.horn").write_text("lim(300000).\n")
    for option, low, high in (("--seconds", "0.001", "600"), ("--memory", "1", "4000")):
        monkeypatch.setattr("sys.stdin", io.StringIO("big(50)\n"))
        code, _, err = run(*COMMANDS[name], option, low)
        assert code == 1
        assert f"`{option}`" in way_out(err)
        if name == "query":
            assert run(*COMMANDS[name], "--max-answers", "999999", option, high)[0] == 0


def test_more_answers_are_allowed_by_what_the_message_says(run):
    code, _, err = run(*COMMANDS["query"], "--max-answers", "3")
    assert code == 2
    assert "--max-answers" in err
    assert run(*COMMANDS["query"], "--max-answers", "30")[0] == 0


def test_from_python_the_arguments_are_named():
    def queried(most: int | None = None, last: int = 50, **limits: float) -> None:
        base = KnowledgeBase("counting.horn", limits=Limits(**limits))
        base.add_text(f"lim({last}).")
        base.query("big(?i)", max_answers=most)

    for limits, named in (
        ({"facts": 20}, "Limits(facts=…)"),
        ({"seconds": 0.01, "last": 3_000_000}, "Limits(seconds=…)"),
        ({"bytes": 10}, "Limits(bytes=…)"),
    ):
        with pytest.raises(KnowledgeBaseError) as problem:
            queried(**limits)
        assert named in str(problem.value)
    with pytest.raises(TooManyAnswersError, match="more than 3 answers; ask for less, or allow more"):
        queried(3)
    queried(30)
