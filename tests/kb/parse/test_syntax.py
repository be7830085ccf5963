from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from lark import Lark, Tree
from lark.exceptions import UnexpectedInput

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.declarations import (
    Example,
    Expect,
    Frame,
    Import,
    Predicate,
    Replies,
    ReplyCase,
    Sort,
    SortName,
    TheoryName,
)
from hornbook.kb.format.printer import print_clause
from hornbook.kb.parse.syntax import MAX_MISTAKES, MAX_NESTING, parse, parse_query, resolve
from hornbook.kb.parse.term_builder import RESERVED
from hornbook.kb.text.scanner import KEYWORDS, MARKS, MAX_CLAUSE, MAX_TEXT, Comment, scan
from oracles.language.term_strategies import clauses, with_numbered_wildcards

GRAMMAR = resources.files("hornbook.kb.parse").joinpath("grammar.lark").read_text(encoding="utf-8")
ROOT = Path(__file__).parents[3]
SHIPPED = sorted((ROOT / "theories").rglob("*.horn"))
X, Y, P, N = t.Variable("x"), t.Variable("y"), t.Variable("p"), t.Variable("n")


def one(text):
    parsed = parse(text)
    assert parsed.diagnostics == ()
    (clause,) = parsed.clauses
    return clause


def body(text):
    return one(f"h :- {text}.").body


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("theory go.", TheoryName("go")),
        ("import values.", Import("values")),
        ("sort point.", Sort("point", "open")),
        ("sort cents = int.", Sort("cents", "integer")),
        ("sort colour = black | 'off white'.", Sort("colour", "enumerated", ("black", "off white"))),
        ("static rain.", Predicate("static", "rain", ())),
        ("action move(colour, point).", Predicate("action", "move", (SortName("colour"), SortName("point")))),
        (
            "fluent liberties(point -> int) counts liberty.",
            Predicate("fluent", "liberties", (SortName("point"), SortName("int")), 1, SortName("liberty")),
        ),
        (
            "frame colour(?p, _): move(_, ?p); move(_, ?x), ?x != ?p.",
            Frame(
                t.Atom("colour", (P, t.Variable("_1"))),
                (
                    (t.Atom("move", (t.Variable("_2"), P)),),
                    (t.Atom("move", (t.Variable("_3"), X)), t.Comparison("!=", X, P)),
                ),
            ),
        ),
        (
            "derived near(point) operational.",
            Predicate("derived", "near", (SortName("point"),), operational=True),
        ),
        (
            "fluent stone(point) observed complete.",
            Predicate("fluent", "stone", (SortName("point"),), observed=True, complete=True),
        ),
        (
            "fluent stone(point) observed.",
            Predicate("fluent", "stone", (SortName("point"),), observed=True),
        ),
        (
            "fluent spare(point -> int) counts liberty but named.",
            Predicate(
                "fluent",
                "spare",
                (SortName("point"), SortName("int")),
                1,
                SortName("liberty"),
                SortName("named"),
            ),
        ),
        (
            "replies take(?x): move(_, ?p), ?p != ?x unless bad(?p); pass.",
            Replies(
                t.Atom("take", (X,)),
                (
                    ReplyCase(
                        t.Atom("move", (t.Variable("_1"), P)),
                        (t.Comparison("!=", P, X),),
                        t.Atom("bad", (P,)),
                    ),
                    ReplyCase(t.Atom("pass", ())),
                ),
            ),
        ),
        ('example e from "x.sgf".', Example("e", "x.sgf", ())),
        ("example e: rain, p(1).", Example("e", None, (t.Atom("rain", ()), t.Atom("p", (t.Constant(1),))))),
        ("expect e: p(?x).", Expect("e", (t.Atom("p", (X,)),))),
        (
            "expect e: p(?x) gives a, 2.",
            Expect("e", (t.Atom("p", (X,)),), ((t.Constant("a"),), (t.Constant(2),))),
        ),
        (
            "expect e: p(?x, ?y) gives (a, b).",
            Expect("e", (t.Atom("p", (X, Y)),), ((t.Constant("a"), t.Constant("b")),)),
        ),
        ("p('it''s', -3, _).", t.Rule(t.Atom("p", (t.Constant("it's"), t.Constant(-3), t.Variable("_1"))))),
        ("l: p :- q.", t.Rule(t.Atom("p", ()), (t.Atom("q", ()),), "l")),
        ("after p(?x) :- before p(?x).", t.Rule(t.Atom("p", (X,), "after"), (t.Atom("p", (X,), "before"),))),
        (
            "take(?x) by move(?y, ?p) is GI.",
            t.Rule(t.GameStatement(t.Atom("take", (X,)), t.Atom("move", (Y, P)), t.Constant("GI"))),
        ),
        ("take(?x) is ?n.", t.Rule(t.GameStatement(t.Atom("take", (X,)), None, N))),
    ],
)
def test_what_a_clause_means(text, clause):
    assert one(text) == clause


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("?x - ?y - 1 > -2", t.Comparison(">", t.Operation("-", (t.Operation("-", (X, Y)), t.Constant(1))), t.Constant(-2))),
        ("?x + ?y * 2 = ?n", t.Comparison("=", t.Operation("+", (X, t.Operation("*", (Y, t.Constant(2))))), N)),
        ("(?x + ?y) // 2 <= ?n", t.Comparison("<=", t.Operation("//", (t.Operation("+", (X, Y)), t.Constant(2))), N)),
        ("?n = min(?x, max(?y, 3))", t.Comparison("=", N, t.Operation("min", (X, t.Operation("max", (Y, t.Constant(3))))))),
        ("?x = count_", t.Comparison("=", X, t.Constant("count_"))),
        ("?x = 'count'", t.Comparison("=", X, t.Constant("count"))),
        ("?x = all", t.Comparison("=", X, t.Constant("all"))),
        ("?x != 'min'", t.Comparison("!=", X, t.Constant("min"))),
        ("all ?x in before r(?p, ?x): q", t.All((X,), t.Atom("r", (P, X), "before"), (t.Atom("q", ()),))),
        ("all ?x, ?y in r(?x, ?y): (?x > 1, q)", t.All((X, Y), t.Atom("r", (X, Y)), (t.Comparison(">", X, t.Constant(1)), t.Atom("q", ())))),
        ("all ?x in r(?x): (?x + 1) * 2 > 3", t.All((X,), t.Atom("r", (X,)), (t.Comparison(">", t.Operation("*", (t.Operation("+", (X, t.Constant(1))), t.Constant(2))), t.Constant(3)),))),
        ("?n = count ?x in r(?x)", t.CountIn(N, (X,), (t.Atom("r", (X,)),))),
        (
            "?n = count ?x in (r(?x) or after s(?x)) but ?p or b or 3",
            t.CountIn(N, (X,), (t.Atom("r", (X,)), t.Atom("s", (X,), "after")), (P, t.Constant("b"), t.Constant(3))),
        ),
        ("3 = sum ?x where r(?x)", t.Aggregate(t.Constant(3), "sum", (X,), (t.Atom("r", (X,)),))),
        ("?n = count ?x, ?y where (r(?x), q(?y))", t.Aggregate(N, "count", (X, Y), (t.Atom("r", (X,)), t.Atom("q", (Y,))))),
        ("absent r(?x)", t.Absent((t.Atom("r", (X,)),))),
        ("absent (r(?x), absent q)", t.Absent((t.Atom("r", (X,)), t.Absent((t.Atom("q", ()),))))),
        ("in(in, is, by, or)", t.Atom("in", (t.Constant("in"), t.Constant("is"), t.Constant("by"), t.Constant("or")))),
        ("all ?x in in(?x): is", t.All((X,), t.Atom("in", (X,)), (t.Atom("is", ()),))),
        ("p(before, all, absent, count, min, theory)", t.Atom("p", tuple(map(t.Constant, ("before", "all", "absent", "count", "min", "theory"))))),
        ("by by by is is", t.GameStatement(t.Atom("by", ()), t.Atom("by", ()), t.Constant("is"))),
    ],
)  # fmt: skip
def test_what_a_condition_means(text, condition):
    assert body(text) == (condition,)


def test_a_lemma_is_marked_before_its_label():
    (one, two, three, other) = parse(
        "lemma it: p(?x) :- q(?x).\nlemma alike:\n  p(?x) :- q(?x) or r(?x).\nlemma: p(?x) :- q(?x)."
    ).clauses
    assert all(isinstance(each, t.Rule) for each in (one, two, three, other))
    assert [(each.label, each.lemma) for each in (one, two, three, other)] == [
        ("it", True),
        ("alike_1", True),
        ("alike_2", True),
        ("lemma", False),
    ]
    # A lemma is identified by its label, and messages point to the label.
    assert (one.span.line, one.span.column) == (1, 7)
    assert one != parse("it: p(?x) :- q(?x).").clauses[0]


def test_comments_are_stored_with_their_places():
    parsed = parse("% one\na. % two  \nb :- % 'three\n  c.\nd('%', e).")
    assert parsed.comments == (Comment("% one", 1, 1), Comment("% two", 2, 4), Comment("% 'three", 3, 6))
    assert len(parsed.clauses) == 3


def test_every_term_knows_where_it_stands():
    text = "l:\n  p(?x, 'a b') :-\n    q(_), ?x - 1 > -22, all ?y in r(?y): s(?y), before t is GI."
    rule = one(text)
    lines = text.split("\n")

    def text_of(span):
        assert span.line == span.end_line
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]

    assert text_of(rule.head.span) == "p(?x, 'a b')"
    assert [text_of(term.span) for term in rule.head.terms] == ["?x", "'a b'"]
    assert [text_of(condition.span) for condition in rule.body] == [
        "q(_)",
        "?x - 1 > -22",
        "all ?y in r(?y): s(?y)",
        "before t is GI",
    ]
    assert text_of(rule.body[1].right.span) == "-22"
    assert (rule.span.line, rule.span.column, rule.span.end_line, rule.span.end_column) == (1, 1, 2, 15)


def test_no_two_wildcards_are_equal_and_each_clause_counts_anew():
    parsed = parse("p(_, _) :- q(_).\nr(_).")
    first, second = parsed.clauses
    assert [v.name for v in (*first.head.terms, *first.body[0].terms)] == ["_1", "_2", "_3"]
    assert second.head.terms[0].name == "_1"
    assert all(v.is_wildcard for v in first.head.terms)


def test_a_query_needs_neither_mark():
    conditions = (t.Atom("legal", (t.Constant("black"), P)), t.Comparison("!=", P, X))
    for text in (
        "?- legal(black, ?p), ?p != ?x.",
        "legal(black, ?p), ?p != ?x",
        "  ?-legal(black,?p),\n?p!=?x % c",
    ):
        assert parse_query(text).conditions == conditions


@pytest.mark.parametrize(
    "text", ["é(ß).", "x²(a1).", "日本(東京).", "p('\u2028', '\x0b').", "a.\x0c\x1f\u2029b."]
)
def test_names_and_words_of_any_language(text):
    assert parse(text).diagnostics == ()


@pytest.mark.parametrize("digits", ["²", "٣", "①", "３", "1٣"])
def test_only_the_ten_digits_make_integers(digits):
    assert {d.code for d in parse(f"p({digits}).").diagnostics} == {"HB003"}


def test_threads_may_parse_at_once():
    texts = [f"p(_, {number}) :- q(_, ?x{number}), r(_)." for number in range(200)]
    with ThreadPoolExecutor(8) as pool:
        parsed = list(pool.map(parse, texts))
    for number, file in enumerate(parsed):
        assert file.diagnostics == ()
        assert file.clauses[0] == one(texts[number])


# The scanner and the grammar


@pytest.fixture(scope="module")
def plain_lark():
    """Return the slow reference parser: lark reads the grammar's own terminals, one clause after the other."""
    return Lark(
        GRAMMAR, parser="lalr", lexer="contextual", start=["clause", "query"], propagate_positions=True
    )


def test_the_scanner_knows_the_terminals_of_the_grammar(plain_lark):
    terminals = {terminal.name for terminal in plain_lark.terminals} - {"WS", "COMMENT"}
    others = {"NAME", "VARIABLE", "PARAMETER", "WILDCARD", "INTEGER", "LITERAL", "QUOTED", "PATH"}
    assert {*KEYWORDS.values(), *MARKS.values(), *others} == terminals


@given(clauses())
def test_scanner_and_grammar_read_the_same_tokens(plain_lark, clause):
    text = print_clause(clause)
    (tokens,) = scan(text, [])
    tree = plain_lark.parse(text, start="clause")
    assert isinstance(tree, Tree)
    ours = [(token.type, token.text) for token in resolve(tokens)]
    theirs = [
        (token.type, str(token)) for token in plain_lark.parse_interactive(text, start="clause").iter_parse()
    ]
    assert ours == theirs


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_the_theories_that_ship_are_read_the_same_by_plain_lark(plain_lark, path):
    text = path.read_text(encoding="utf-8")
    assert parse(text).diagnostics == ()
    for tokens in scan(text, []):
        plain_lark.parse(" ".join(token.text for token in tokens), start="clause")


@pytest.mark.parametrize(
    "text", ["a b.", "p(.", "p(1.5.2).", "?x =< 3.", "p(_x).", "p(3a).", "p(''').", 'p("a).', "a"]
)
def test_plain_lark_refuses_what_we_refuse(plain_lark, text):
    assert parse(text).diagnostics
    with pytest.raises(UnexpectedInput):
        plain_lark.parse(text, start="clause")


def test_the_strategies_number_wildcards_as_the_parser_does():
    rule = t.Rule(t.Atom("p", (t.Variable("_9"), X)), (t.Atom("q", (t.Variable("_9"),)),))
    assert with_numbered_wildcards(rule) == one("p(_, ?x) :- q(_).")


def test_the_reference_lists_the_words_and_bounds_of_the_language():
    page = (ROOT / "docs/reference/language.md").read_text(encoding="utf-8")
    section = page.partition("### Reserved words\n")[2].partition("\n## ")[0]
    reserved, _, others = section.partition("The others")
    begins = {
        word for line in reserved.split("\n") if line.startswith("`") for word in re.findall(r"`(\w+)`", line)
    }
    assert begins == RESERVED
    assert set(re.findall(r"`(\w+)`", others.partition(")")[0])) == set(KEYWORDS) - RESERVED
    bounds = page.partition("## Bounds\n")[2].partition("\n## ")[0]
    for bound in (MAX_TEXT, MAX_CLAUSE, MAX_NESTING, MAX_MISTAKES):
        assert f"{bound:,}" in bounds
