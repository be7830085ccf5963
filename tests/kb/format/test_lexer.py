from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import (
    Comment,
    Error,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
    Whitespace,
)

from hornbook.kb.format.printer import print_clause
from hornbook.kb.format.pygments_lexer import HornLexer
from oracles.language.term_strategies import clauses

SHIPPED = sorted((Path(__file__).parents[3] / "theories").rglob("*.horn"))


def lexed(text):
    return [(kind, value) for _, kind, value in HornLexer().get_tokens_unprocessed(text)]


def seen(text):
    """Return the tokens that are not white space."""
    return [(kind, value) for kind, value in lexed(text) if kind is not Whitespace and value]


@given(st.text() | st.text("?:-.,()'\"%_ab1\n =<"))
def test_every_character_comes_out_again(text):
    assert "".join(value for _, value in lexed(text)) == text


@pytest.mark.deep
@given(st.lists(clauses(), max_size=3))
def test_nothing_in_a_valid_file_is_an_error(found):
    text = "\n".join(map(print_clause, found))
    assert [value for kind, value in lexed(text) if kind is Error] == []


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_nothing_in_a_theory_that_ships_is_an_error(path):
    assert Error not in {kind for kind, _ in lexed(path.read_text(encoding="utf-8"))}


def test_a_rule():
    assert seen("% why\nlegal_move: after colour(?p, black) :- move(_, 'a 1'), ?n >= -12.") == [
        (Comment.Single, "% why"),
        (Name.Label, "legal_move"),
        (Punctuation, ":"),
        (Keyword, "after"),
        (Name.Function, "colour"),
        (Punctuation, "("),
        (Name.Variable, "?p"),
        (Punctuation, ","),
        (Text, "black"),
        (Punctuation, ")"),
        (Operator, ":-"),
        (Name.Function, "move"),
        (Punctuation, "("),
        (Name.Variable.Magic, "_"),
        (Punctuation, ","),
        (String.Single, "'a 1'"),
        (Punctuation, ")"),
        (Punctuation, ","),
        (Name.Variable, "?n"),
        (Operator, ">="),
        (Operator, "-"),
        (Number.Integer, "12"),
        (Punctuation, "."),
    ]


def test_a_parameter_of_a_query():
    assert seen("?- may($user, ?x).")[3:5] == [(Name.Variable.Global, "$user"), (Punctuation, ",")]


def test_declarations():
    assert seen("fluent liberties(point -> int) counts liberty. sort n = int.") == [
        (Keyword.Declaration, "fluent"),
        (Name.Function, "liberties"),
        (Punctuation, "("),
        (Name.Class, "point"),
        (Operator, "->"),
        (Keyword.Type, "int"),
        (Punctuation, ")"),
        (Keyword, "counts"),
        (Name.Function, "liberty"),
        (Punctuation, "."),
        (Keyword.Declaration, "sort"),
        (Name.Class, "n"),
        (Operator, "="),
        (Keyword.Type, "int"),
        (Punctuation, "."),
    ]


def test_replies_and_what_stands_after_the_columns():
    kinds = {v: k for k, v in seen("fluent spare(int -> int) counts but but named.")}
    assert kinds["but"] is Keyword  # the last of the two; the first names a set
    assert kinds["named"] is Name.Function
    assert seen("derived p(operational) operational.")[-2] == (Keyword, "operational")
    words = seen("fluent p(complete) observed complete.")[-3:-1]
    assert words == [(Keyword, "observed"), (Keyword, "complete")]
    found = seen("replies take(?b): move(?p), unless(?p) unless bad(?p).")
    assert (Keyword.Declaration, "replies") in found
    assert [kind for kind, value in found if value == "unless"] == [Name.Function, Keyword]


def test_words_of_the_language_are_keywords_only_where_they_are_meant():
    kinds = {
        value: kind for kind, value in seen("p(before, count, all) :- all ?x in in(?x): take(?x) is GI.")
    }
    assert kinds["before"] is kinds["count"] is Text
    assert kinds["all"] is Keyword
    assert kinds["GI"] is Name.Constant
    assert [kind for kind, value in seen("p :- all ?x in in(?x): q.") if value == "in"] == [
        Keyword,
        Name.Function,
    ]


@pytest.mark.parametrize("text", ["a == b", "1.5.2", "?1", "#", '"open', "'open", "_x", "\\+ p"])
def test_what_is_not_the_language_is_an_error(text):
    assert Error in {kind for kind, _ in lexed(text)}


def test_the_lexer_is_found_by_name_and_by_the_ending_of_a_file():
    points = entry_points(group="pygments.lexers", name="horn")
    if not points:
        pytest.skip("the distribution is not installed")
    assert [point.load() for point in points] == [HornLexer] * len(points)
    assert isinstance(get_lexer_by_name("horn"), HornLexer)
    assert isinstance(get_lexer_for_filename("go.horn"), HornLexer)
