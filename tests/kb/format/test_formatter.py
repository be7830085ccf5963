from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.kb.format import formatter
from hornbook.kb.format.formatter import FormattingError, format_text
from hornbook.kb.format.line_breaks import WIDTH
from hornbook.kb.format.printer import print_clause
from hornbook.kb.parse.syntax import parse
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.text.scanner import KEYWORDS, RESERVED, scan
from oracles.language.term_strategies import clauses

GOLDEN = Path(__file__).parent / "golden"
SHIPPED = sorted((Path(__file__).parents[3] / "theories").rglob("*.horn"))


def comments(text):
    return [comment.text for comment in parse(text).comments]


GAPS = ("  ", "\t", "\n", "\n\n\n", " \n  ", "\r\n", " % comment\n", "\n%% % 'odd'\n % more\n", " %\n")


@st.composite
def scattered(draw):
    """Draw a file of random clauses with spaces, line ends and comments in odd places."""
    # All gaps come from one seed. If hypothesis drew each of them, it would be ten times slower.
    gaps = random.Random(draw(st.integers(0, 2**32)))
    common = gaps.choice((0.0, 0.1, 0.5))
    text = gaps.choice(("", "\n\n", "% head\n\n\n", "%1\n%2\n"))
    for clause in draw(st.lists(clauses(), max_size=3)):
        for tokens in scan(print_clause(clause), []):
            for token in tokens:
                text += token.text + (gaps.choice(GAPS) if gaps.random() < common else " ")
    return text + gaps.choice(("", "\n\n", "% end", "\n% end\n%\n\n"))


@pytest.mark.deep
@settings(max_examples=100)
@given(scattered())
def test_formatting_keeps_clauses_and_comments_and_repeats_itself(text):
    formatted = format_text(text)
    assert parse(formatted).clauses == parse(text).clauses
    assert comments(formatted) == comments(text)
    assert format_text(formatted) == formatted
    lines = formatted.replace("\r\n", "\n").split("\n")
    assert lines.pop() == ""
    assert all(line == line.rstrip() for line in lines)
    assert not lines or "" not in (lines[0], lines[-1])
    assert all(one or other for one, other in itertools.pairwise(lines))


MARKS = ("COMMA", "DOT", "RPAR", "SEMICOLON", "COLON")


def places(text):
    """Return the place of each comment.

    A place is the number of preceding tokens and whether it is inside a clause or between two. For the first
    comment after a token, it also says whether both are on one line.
    """
    found_comments = []
    words = 0
    tokens = []
    for clause in scan(text, found_comments):
        for number, token in enumerate(clause):
            words += token.type not in MARKS
            tokens.append((token, words, number < len(clause) - 1))
    found, last, place = [], -1, 0
    before, inside, word_line = 0, False, 0
    for comment in found_comments:
        while place < len(tokens) and (tokens[place][0].line, tokens[place][0].column) < (
            comment.line,
            comment.column,
        ):
            token, before, inside = tokens[place]
            word_line = word_line if token.type in MARKS else token.line
            mark_line = token.line
            place += 1
        on_a_line = before > 0 and comment.line in (word_line, mark_line)
        next_to = None if before == last else on_a_line
        found.append((before, next_to, inside and not on_a_line))
        last = before
    return found


@pytest.mark.deep
@settings(max_examples=100)
@given(scattered())
def test_comments_stay_where_they_previous(text):
    assert [(before, next_to) for before, next_to, _ in places(format_text(text))] == [
        (before, next_to) for before, next_to, _ in places(text)
    ]
    for (_, next_to, was), (_, _, now) in zip(places(text), places(format_text(text)), strict=True):
        assert next_to or now or not was


@pytest.mark.parametrize("mark", ["", "lemma "])
@pytest.mark.parametrize("word", sorted(set(KEYWORDS) - RESERVED))
def test_a_label_may_be_a_word_of_the_language_that_is_not_reserved(mark, word):
    text = f"{mark}{word}:\n  colour.\n"
    (clause,) = parse(text).clauses
    assert (clause.label, clause.lemma) == (word, mark != "")
    assert print_clause(clause) + "\n" == format_text(text) == text


def test_a_predicate_may_have_the_name_of_a_word_after_it():
    text = f"persists unless(?x) unless ?n = count ?y in ({' or '.join(['unless(?x)'] * 8)}) but ?x.\n"
    (clause,) = parse(text).clauses
    assert print_clause(clause) + "\n" == format_text(text)


@pytest.mark.deep
@settings(max_examples=100)
@given(clauses())
def test_what_the_printer_prints_is_formatted(clause):
    text = print_clause(clause) + "\n"
    assert format_text(text) == text


def test_lines_are_no_longer_than_the_width_where_they_can_be_broken():
    random.seed(1)
    conditions = ", ".join(f"neighbour(?p, ?q{i}), ?n + {i} < {random.randrange(10**6)}" for i in range(40))
    sort = "sort letter = " + " | ".join(f"letter_{i}" for i in range(40)) + "."
    example = "example e: " + ", ".join(f"colour(a{i}, black)" for i in range(40)) + "."
    long_fact = f"fact({', '.join('word' for _ in range(80))})."
    nested = f"rain :- all ?x in r(?x): all ?y in s(?y): ({conditions}), absent ({conditions})."
    text = format_text("\n".join((f"label: head :- {conditions}.", sort, example, long_fact, nested)))
    assert max(map(len, text.split("\n"))) <= WIDTH


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.horn")), ids=lambda path: path.stem)
def test_the_layout_is_the_golden_one(path):
    text = path.read_text(encoding="utf-8")
    assert format_text(text) == path.with_suffix(".expected").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_the_theories_that_ship_keep_their_clauses_and_comments(path):
    text = path.read_text(encoding="utf-8")
    formatted = format_text(text)
    assert comments(formatted) == comments(text)
    assert format_text(formatted) == formatted


@pytest.mark.parametrize(
    ("text", "formatted"),
    [
        ("", ""),
        ("\n \n", ""),
        ("% only\n\n\n% comments", "% only\n\n% comments\n"),
        ("a. b.  % of b\nc.", "a.\nb.  % of b\nc.\n"),
        ("a.% tight", "a.  % tight\n"),
        ("p(a % of a\n , b).", "p(a,  % of a\n  b).\n"),
        ("p(a)\n% of the period\n.", "p(a)\n  % of the period\n.\n"),
        ("p(a) % of the fact\n.", "p(a).  % of the fact\n"),
        ("l:\n% of the rule\np :- q.", "l:\n  % of the rule\n  p :- q.\n"),
        ("p :-\n% of q\nq,\n% of r\nr.", "p :-\n  % of q\n  q,\n  % of r\n  r.\n"),
        ("p :- q,\n r\n % , s\n . t.", "p :-\n  q,\n  r\n    % , s\n  .\nt.\n"),
        ("p :- absent (q,\n r\n % , s\n), t.", "p :-\n  absent (q, r\n    % , s\n  ), t.\n"),
        ("l:% why\np :- q.", "l:  % why\n  p :- q.\n"),
        ("p :- q, % first\n\n\n r.", "p :-\n  q,  % first\n  r.\n"),
        ("p:-?x>- 1,?y - -1<0,min( ?x,2 )=?y.", "p :- ?x > -1, ?y - -1 < 0, min(?x, 2) = ?y.\n"),
        ("a.\r\nb.\r\n", "a.\r\nb.\r\n"),
        ("static  neighbour ( point,point ) .", "static neighbour(point, point).\n"),
    ],
)
def test_small_cases(text, formatted):
    assert format_text(text) == formatted


def test_a_line_break_between_conditions_of_a_long_rule_stays():
    groups = (
        "colour(?block, white), colour(?point, empty)",
        "neighbour(?block, ?point), liberties(?block, 1)",
    )
    text = f"take(?block) by move(?player, ?point) is GI :-\n  {groups[0]},\n  {groups[1]}.\n"
    assert format_text(text) == text


def test_a_file_with_syntax_errors_is_refused_with_all_of_them():
    with pytest.raises(TheoryError) as caught:
        format_text("a b.\nc.\nd(.\n", "theory.horn")
    assert [(d.code, d.span.line) for d in caught.value.diagnostics] == [("HB001", 1), ("HB001", 3)]


@pytest.mark.parametrize("damage", ["b", "p(a).\np(a)", "", "p(a).", "p(a). % other", "p(b).  % kept"])
def test_a_text_that_says_something_else_is_never_given(monkeypatch, damage):
    monkeypatch.setattr(formatter, "_lines", lambda _: [damage])
    with pytest.raises(FormattingError):
        format_text("p(a).  % kept")


def test_many_comments_inside_one_fact_take_time_in_proportion():
    text = "p(" + ", % c\n".join("a" for _ in range(5000)) + ")."
    assert format_text(text).count("% c") == 4999
