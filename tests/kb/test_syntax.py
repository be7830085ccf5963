from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from lark import Lark, Tree
from lark.exceptions import UnexpectedInput

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
from hornbook.kb.ast.terms import (
    Absent,
    Aggregate,
    All,
    Atom,
    Comparison,
    Constant,
    CountIn,
    GameStatement,
    Operation,
    Rule,
    Variable,
)
from hornbook.kb.format.printer import print_clause
from hornbook.kb.parse.syntax import MAX_MISTAKES, MAX_NESTING, parse, parse_query, resolve
from hornbook.kb.parse.term_builder import RESERVED
from hornbook.kb.text.scanner import KEYWORDS, MARKS, MAX_CLAUSE, MAX_TEXT, Comment, scan
from oracles.language.term_strategies import clauses, with_numbered_wildcards

GRAMMAR = resources.files("hornbook.kb.parse").joinpath("grammar.lark").read_text(encoding="utf-8")
ROOT = Path(__file__).parents[2]
SHIPPED = sorted((ROOT / "theories").rglob("*.horn"))
X, Y, P, N = Variable("x"), Variable("y"), Variable("p"), Variable("n")


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
                Atom("colour", (P, Variable("_1"))),
                (
                    (Atom("move", (Variable("_2"), P)),),
                    (Atom("move", (Variable("_3"), X)), Comparison("!=", X, P)),
                ),
            ),
        ),
        (
            "derived near(point) operational.",
            Predicate("derived", "near", (SortName("point"),), operational=True),
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
                Atom("take", (X,)),
                (
                    ReplyCase(
                        Atom("move", (Variable("_1"), P)), (Comparison("!=", P, X),), Atom("bad", (P,))
                    ),
                    ReplyCase(Atom("pass", ())),
                ),
            ),
        ),
        ('example e from "x.sgf".', Example("e", "x.sgf", ())),
        ("example e: rain, p(1).", Example("e", None, (Atom("rain", ()), Atom("p", (Constant(1),))))),
        ("expect e: p(?x).", Expect("e", (Atom("p", (X,)),))),
        ("expect e: p(?x) gives a, 2.", Expect("e", (Atom("p", (X,)),), ((Constant("a"),), (Constant(2),)))),
        (
            "expect e: p(?x, ?y) gives (a, b).",
            Expect("e", (Atom("p", (X, Y)),), ((Constant("a"), Constant("b")),)),
        ),
        ("p('it''s', -3, _).", Rule(Atom("p", (Constant("it's"), Constant(-3), Variable("_1"))))),
        ("l: p :- q.", Rule(Atom("p", ()), (Atom("q", ()),), "l")),
        ("after p(?x) :- before p(?x).", Rule(Atom("p", (X,), "after"), (Atom("p", (X,), "before"),))),
        (
            "take(?x) by move(?y, ?p) is GI.",
            Rule(GameStatement(Atom("take", (X,)), Atom("move", (Y, P)), Constant("GI"))),
        ),
        ("take(?x) is ?n.", Rule(GameStatement(Atom("take", (X,)), None, N))),
    ],
)
def test_what_a_clause_means(text, clause):
    assert one(text) == clause


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("?x - ?y - 1 > -2", Comparison(">", Operation("-", Operation("-", X, Y), Constant(1)), Constant(-2))),
        ("?x + ?y * 2 = ?n", Comparison("=", Operation("+", X, Operation("*", Y, Constant(2))), N)),
        ("(?x + ?y) // 2 <= ?n", Comparison("<=", Operation("//", Operation("+", X, Y), Constant(2)), N)),
        ("?n = min(?x, max(?y, 3))", Comparison("=", N, Operation("min", X, Operation("max", Y, Constant(3))))),
        ("?x = count_", Comparison("=", X, Constant("count_"))),
        ("?x = 'count'", Comparison("=", X, Constant("count"))),
        ("?x = all", Comparison("=", X, Constant("all"))),
        ("?x != 'min'", Comparison("!=", X, Constant("min"))),
        ("all ?x in before r(?p, ?x): q", All((X,), Atom("r", (P, X), "before"), (Atom("q", ()),))),
        ("all ?x, ?y in r(?x, ?y): (?x > 1, q)", All((X, Y), Atom("r", (X, Y)), (Comparison(">", X, Constant(1)), Atom("q", ())))),
        ("all ?x in r(?x): (?x + 1) * 2 > 3", All((X,), Atom("r", (X,)), (Comparison(">", Operation("*", Operation("+", X, Constant(1)), Constant(2)), Constant(3)),))),
        ("?n = count ?x in r(?x)", CountIn(N, (X,), (Atom("r", (X,)),))),
        (
            "?n = count ?x in (r(?x) or after s(?x)) but ?p or b or 3",
            CountIn(N, (X,), (Atom("r", (X,)), Atom("s", (X,), "after")), (P, Constant("b"), Constant(3))),
        ),
        ("3 = sum ?x where r(?x)", Aggregate(Constant(3), "sum", (X,), (Atom("r", (X,)),))),
        ("?n = count ?x, ?y where (r(?x), q(?y))", Aggregate(N, "count", (X, Y), (Atom("r", (X,)), Atom("q", (Y,))))),
        ("absent r(?x)", Absent((Atom("r", (X,)),))),
        ("absent (r(?x), absent q)", Absent((Atom("r", (X,)), Absent((Atom("q", ()),))))),
        ("in(in, is, by, or)", Atom("in", (Constant("in"), Constant("is"), Constant("by"), Constant("or")))),
        ("all ?x in in(?x): is", All((X,), Atom("in", (X,)), (Atom("is", ()),))),
        ("p(before, all, absent, count, min, theory)", Atom("p", tuple(map(Constant, ("before", "all", "absent", "count", "min", "theory"))))),
        ("by by by is is", GameStatement(Atom("by", ()), Atom("by", ()), Constant("is"))),
    ],
)  # fmt: skip
def test_what_a_condition_means(text, condition):
    assert body(text) == (condition,)


def test_comments_are_kept_with_their_places():
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
    conditions = (Atom("legal", (Constant("black"), P)), Comparison("!=", P, X))
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
    """The slow twin: lark reads the grammar's own terminals, one clause after the other."""
    return Lark(
        GRAMMAR, parser="lalr", lexer="contextual", start=["clause", "query"], propagate_positions=True
    )


def tokens_of(tree):
    return [(token.type, str(token)) for token in tree.scan_values(lambda _: True)]


def test_the_scanner_knows_the_terminals_of_the_grammar(plain_lark):
    terminals = {terminal.name for terminal in plain_lark.terminals} - {"WS", "COMMENT"}
    others = {"NAME", "VARIABLE", "WILDCARD", "INTEGER", "QUOTED", "PATH"}
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
    "text", ["a b.", "p(.", "p(1.5).", "?x =< 3.", "p(_x).", "p(3a).", "p(''').", 'p("a).', "a"]
)
def test_plain_lark_refuses_what_we_refuse(plain_lark, text):
    assert parse(text).diagnostics
    with pytest.raises(UnexpectedInput):
        plain_lark.parse(text, start="clause")


def test_the_strategies_number_wildcards_as_the_parser_does():
    rule = Rule(Atom("p", (Variable("_9"), X)), (Atom("q", (Variable("_9"),)),))
    assert with_numbered_wildcards(rule) == one("p(_, ?x) :- q(_).")


def test_the_reference_lists_the_words_and_bounds_of_the_language():
    page = (ROOT / "docs/reference/language.md").read_text(encoding="utf-8")
    section = page.partition("### Words of the language\n")[2].partition("\n## ")[0]
    reserved, _, others = section.partition("The others")
    begins = {
        word for line in reserved.split("\n") if line.startswith("`") for word in re.findall(r"`(\w+)`", line)
    }
    assert begins == RESERVED
    assert set(re.findall(r"`(\w+)`", others.partition(")")[0])) == set(KEYWORDS) - RESERVED
    bounds = page.partition("## Bounds\n")[2].partition("\n## ")[0]
    for bound in (MAX_TEXT, MAX_CLAUSE, MAX_NESTING, MAX_MISTAKES):
        assert f"{bound:,}" in bounds
