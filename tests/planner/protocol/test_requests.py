"""Reading requests of game managers, and refusing other texts."""

from __future__ import annotations

import pytest

from hornbook.planner.protocol.requests import (
    MAX_MOVES_TEXT,
    Abort,
    Info,
    Play,
    Preview,
    RequestError,
    Start,
    Stop,
    move_of,
    request_of,
    text_of_request,
)

RULES = "(role a) (<= (legal a (go ?x)) (at ?x))"


@pytest.mark.parametrize(
    ("text", "request_"),
    [
        ("(INFO)", Info()),
        (" ( info )\n", Info()),
        (f"(START M.1 Red ({RULES}) 30 10)", Start("M.1", "red", RULES, 30, 10)),
        (f"( start m a ( {RULES} ) 1 0 )", Start("m", "a", f" {RULES} ", 1, 0)),
        (f"(START m a ({RULES}) 30 10 further (things))", None),
        (f"(START m a ({RULES}) 30 10 further)", Start("m", "a", RULES, 30, 10)),
        ("(PLAY m NIL)", Play("m", None)),
        ("(PLAY m ())", Play("m", None)),
        ("( PLAY m ((Mark 1 2) noop ) )", Play("m", (("mark", "1", "2"), "noop"))),
        ("(STOP m (a b))", Stop("m", ("a", "b"))),
        (f"(PREVIEW ({RULES}) 5)", Preview(RULES, 5)),
        ("(ABORT m)", Abort("m")),
    ],
)
def test_a_request_is_read(text, request_):
    if request_ is None:
        with pytest.raises(RequestError):
            request_of(text)
        return
    assert request_of(text) == request_
    assert request_of(text_of_request(request_)) == request_


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "begins with one of INFO, START"),
        ("hello", "begins with one of"),
        ("(SING m)", "begins with one of"),
        ("(PLAY m", r"does not end with `\)`"),
        ("(PLAY m noop)", "moves are a list, or NIL"),
        ("(PLAY m ((go ?x)))", "no variables"),
        ("(PLAY (m) NIL)", r"form of the request is \(PLAY MATCH \(MOVES\)\)"),
        ("(PLAY m)", "form of the request"),
        ("(PLAY m NIL) (INFO)", "one list"),
        ("(PLAY m (a)))", "closes nothing"),
        ("(ABORT m n)", r"\(ABORT MATCH\)"),
        ("(INFO now)", r"\(INFO\)"),
        ("(START m a)", r"\(START MATCH ROLE"),
        (f"(START m ({RULES}) 1 1)", r"\(START MATCH ROLE"),
        (f"(START m a ({RULES}) 1)", "a clock is missing"),
        (f"(START m a ({RULES}) 1.5 1)", "integer from 0 to 1,000,000, not `1.5`"),
        (f"(START m a ({RULES}) 1 -1)", "not `-1`"),
        (f"(START m a ({RULES}) 1 ٣)", "not `٣`"),
        (f"(START m a ({RULES}) 1 {'9' * 5000})", "not `99999999999999999999`"),
        ("(PREVIEW x 1)", r"\(PREVIEW \(RULES\) CLOCK\)"),
        ("(PREVIEW (x))", "a clock is missing"),
        (f"(PLAY m ({'a ' * MAX_MOVES_TEXT}))", "more than 100,000 characters"),
        (f"(PLAY m {'(' * 500}{')' * 500})", "nested more than 100 deep"),
    ],
)
def test_another_text_is_refused(text, message):
    with pytest.raises(RequestError, match=message):
        request_of(text)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("noop", "noop"),
        ("( Mark 1 ( f A ) )", ("mark", "1", ("f", "a"))),
        ("", None),
        ("a b", None),
        ("(a", None),
        ("?x", None),
        ("(mark ?x)", None),
        ("a " * MAX_MOVES_TEXT, None),
    ],
)
def test_a_reply_is_one_ground_term(text, move):
    assert move_of(text) == move
