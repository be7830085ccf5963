"""Classification of lines: a query, a clause or a command, and whether the line continues."""

from __future__ import annotations

import pytest

from hornbook.repl.lines import requests
from hornbook.repl.request import COMMANDS, UnknownCommandError, is_complete, read

KINDS = {
    "legal(black, ?p)": "ask",
    "?- legal(black, ?p).": "ask",
    "?- a(?x), absent b(?x)": "ask",
    "take(?b) by move(black, a1) is ?v": "ask",
    "?n = count ?x where (a(?x))": "ask",
    "all ?x in a(?x): b(?x)": "ask",
    "legal(black, a1).": "add",
    "a(b). c(d).": "add",
    "r: a(?x) :- b(?x).": "add",
    "r: a(?x) :- b(?x)": "add",
    "a(?x) :- b(?x)": "add",
    "sort thing.": "add",
    "sort thing": "add",
    "": "nothing",
    "   % a remark": "nothing",
    "why a(b)": "why",
    ":why a(b).": "why",
    "why not a(b)": "why not",
    "why-not a(b)": "why not",
    ":why  not a(b)": "why not",
    "what if a(b)": "what if",
    "learn": "learn",
    "learn a(b).": "learn",
    "save(?b) is ?v": "ask",
    "save rules.horn": "save",
    ":save rules.horn": "save",
    "save by move(black, a1) is ?v": "ask",
    "learn: a(?x) :- b(?x).": "add",
    "help(me)": "ask",
    "help": "help",
    "quit.": "quit",
    "exit": "quit",
    ":exit": "quit",
    "keep": "ask",
    "undo": "ask",
    ":undo": "undo",
    "whyever(a)": "ask",
    "before a(b)": "ask",
    "count(a, b).": "add",
}


@pytest.mark.parametrize("line", KINDS)
def test_what_a_line_is(line):
    assert read(line).name == KINDS[line]


def test_a_request_keeps_its_columns():
    request = read("  why not\n  a(b,\n c).")
    assert request.text == "         \n  a(b,\n c)."
    assert (request.argument, request.typed) == ("a(b,\n c)", "  why not\n  a(b,\n c).")


def test_a_command_that_there_is_not_has_a_near_one():
    with pytest.raises(UnknownCommandError, match=r"no command `:rulse`; did you mean `rules`\?"):
        read(":rulse")
    with pytest.raises(UnknownCommandError, match="`:help` lists the commands"):
        read(":xyzzy 1")


def test_as_much_of_a_command_as_tells_it_apart_is_enough():
    assert [read(line).name for line in (":q", ":u", ":rul ancestor", ":what x")] == [
        "quit",
        "undo",
        "rules",
        "what if",
    ]
    assert read(":rul ancestor").argument == "ancestor"
    with pytest.raises(UnknownCommandError):
        read(":r ancestor")  # ambiguous: retract or rules


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_is_read_with_its_colon(name):
    assert read(f":{name} x").name == name


GOES_ON = (
    "legal(black,",
    "a(?x),",
    "r: a(?x) :-",
    "r: a(?x)",
    "r: a(?x) :- b(?x)",
    "a(?x) :- b(?x),\n  c(?x)",
    "sort thing",
    "static a(b",
    "why a(",
    "what if a(b):",
    "learn a(b) from c(d),",
    "?n = count ?x where",
    "?n >",
    "absent",
    "?-",
)
ENDS = (
    "",
    "legal(black, ?p)",
    "a(?x), b(?x)",
    "a(b). c(d).",
    "r: a(?x) :- b(?x).",
    "a(?x) :- b(?x),\n  c(?x).",
    "all ?x in a(?x): b(?x)",
    "why a(b)",
    "why",
    "what if a(b): c(?x)",
    ":load some (odd, name",
    ":nonsense (",
    "save rules.horn",
    "% only a remark",
    "a('unclosed",
    "r: a(?x) :- # no mark",
)


@pytest.mark.parametrize("text", GOES_ON)
def test_a_line_that_goes_on_is_waited_for_until_an_empty_one(text):
    assert not is_complete(text)
    assert is_complete(f"{text}\n")
    assert is_complete(f"{text}\n   ")


@pytest.mark.parametrize("text", ENDS)
def test_a_line_that_is_all_of_it(text):
    assert is_complete(text)


def test_a_command_with_its_colon_ends_what_was_started():
    """Check that `:quit` ends an unfinished rule.

    Users may not know that an empty line ends it, and would add `:quit` to the rule forever.
    """
    assert not is_complete("a(?x) :-")
    assert is_complete("a(?x) :-\n:quit")
    assert list(requests(["a(?x) :-", ":quit"])) == ["a(?x) :-", ":quit"]
    assert list(requests([":why a(b,", "c)"])) == [":why a(b,\nc)"]
