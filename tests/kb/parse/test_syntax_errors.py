"""Golden tests of syntax errors: `golden/NAME.horn` and the messages for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hornbook.kb.ast.terms import Rule
from hornbook.kb.format.printer import print_clause
from hornbook.kb.parse import syntax
from hornbook.kb.parse.automaton import Automaton
from hornbook.kb.parse.syntax import MAX_MISTAKES, MAX_NESTING, parse, parse_query
from hornbook.kb.sources.diagnostics import TheoryError, render
from hornbook.kb.text.scanner import scan
from oracles.language.term_strategies import clauses

GOLDEN = Path(__file__).parent / "golden"


def message_of(path):
    text = path.read_text(encoding="utf-8")
    return "".join(
        f"{render(diagnostic, {path.name: text})}\n\n" for diagnostic in parse(text, path.name).diagnostics
    )


def mistakes(text):
    return [(d.code, d.span.line) for d in parse(text).diagnostics]


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.horn")), ids=lambda path: path.stem)
def test_the_messages_are_the_golden_ones(path):
    assert message_of(path) == path.with_suffix(".expected").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.horn")), ids=lambda path: path.stem)
def test_no_line_has_two_messages(path):
    lines = [diagnostic.span.line for diagnostic in parse(path.read_text(encoding="utf-8")).diagnostics]
    assert len(set(lines)) == len(lines) >= 3


@pytest.mark.parametrize(
    "text",
    [
        "a b.\nc d.\ne(.\nf.",
        "a(b)\nc(d)\ne.",
        "a :- b\n  c.\nd(.\ne.",
        "p(a, 'b).\nq(c).\nr(1.5.2).",
        "# a\nb.\n// c. d.\ne.\n/* f */ g.",
    ],
)
def test_each_mistake_is_reported_once_on_its_own_line(text):
    lines = [line for _, line in mistakes(text)]
    assert len(lines) == len(set(lines)) >= 2
    assert parse(text).clauses


def test_a_clause_without_a_period_is_read_and_so_is_the_next():
    parsed = parse("sort point\nstatic p(point)\nl:\n  q :- p(a)\nlast.\n")
    assert [type(clause).__name__ for clause in parsed.clauses] == ["Sort", "Predicate", "Rule", "Rule"]
    assert [(d.code, d.span.line, d.span.column) for d in parsed.diagnostics] == [
        ("HB002", 1, 11),
        ("HB002", 2, 16),
        ("HB002", 4, 12),
    ]


@pytest.mark.deep
@given(st.lists(clauses(), min_size=2, max_size=4), st.integers(0, 3))
def test_taking_one_period_away_costs_no_clause(found, missing):
    texts = [print_clause(clause) for clause in found]
    at = missing % (len(texts) - 1)
    texts[at] = texts[at][:-1]
    parsed = parse("\n".join(texts))
    # A clause that runs into the next one may still be valid, or turn one mistake into two. This is rare.
    if len(parsed.diagnostics) == 1 and parsed.diagnostics[0].code == "HB002":
        assert parsed.clauses == tuple(found)
    last = [clause for clause in parsed.clauses if clause == found[-1]]
    assert last or at == len(found) - 2


def test_a_foreign_comment_costs_no_clause():
    text = "a. # one. two\nb :- c, # three\n  d.\n/* e.\nf. */ g.\n"
    assert [clause.head.predicate for clause in parse(text).clauses] == ["a", "b", "g"]
    assert mistakes(text) == [("HB003", 1), ("HB003", 2), ("HB003", 4)]


def test_a_file_of_mistakes_is_given_up():
    parsed = parse("a b.\n" * 1000)
    assert len(parsed.diagnostics) == MAX_MISTAKES + 1
    assert "the rest of the file was not parsed" in parsed.diagnostics[-1].message
    many_comments = parse("h :- a, # b\n" * 1000)
    assert len(many_comments.diagnostics) == MAX_MISTAKES + 1


@pytest.mark.parametrize(
    "opening", ["absent ", "absent (", "all ?x in r(?x): ", "?x > min(?x, ", "?x > (1 + "]
)
def test_nesting_is_bounded(opening):
    def nested(depth):
        inner = "?x" if ">" in opening else "p"
        start = opening if ">" not in opening else opening.partition("> ")[2]
        text = ("?x > " if ">" in opening else "") + start * depth + inner
        return f"h :- {text}{')' * (text.count('(') - text.count(')'))}."

    assert parse(nested(MAX_NESTING - 2)).diagnostics == ()
    (mistake,) = parse(nested(MAX_NESTING + 1)).diagnostics
    assert (mistake.code, mistake.message) == ("HB004", f"nested more than {MAX_NESTING} deep")


def test_the_length_of_a_clause_is_bounded(monkeypatch):
    monkeypatch.setattr("hornbook.kb.parse.syntax.MAX_CLAUSE", 1000)
    monkeypatch.setattr("hornbook.kb.text.scanner.MAX_CLAUSE", 1000)
    text = "h :- " + ", ".join(["a"] * 501) + "."
    assert len(next(scan(text, []))) == 1002
    parsed = parse(f"{text}\nb.")
    assert [(d.code, d.span.line) for d in parsed.diagnostics] == [("HB004", 1)]
    assert [clause.head.predicate for clause in parsed.clauses] == ["b"]
    assert parse("h :- " + ", ".join(["a"] * 498) + ".").diagnostics == ()


def test_the_size_of_a_text_is_bounded(monkeypatch):
    monkeypatch.setattr("hornbook.kb.parse.syntax.MAX_TEXT", 10)
    (mistake,) = parse("a(b, c, d).").diagnostics
    assert (mistake.code, mistake.message) == ("HB004", "the file has more than 10 characters")
    with pytest.raises(TheoryError, match="HB004"):
        parse_query("a(b, c, d).")


@pytest.mark.parametrize(
    ("query", "code", "message", "column"),
    [
        ("", "HB001", "the text is empty", 1),
        ("% only a comment", "HB001", "the text is empty", 1),
        ("?-", "HB001", "this ends too early", 3),
        ("legal(?x", "HB001", "the parenthesis is not closed", 6),
        ("legal(?x) legal(?y)", "HB001", "`,` is missing between two conditions", 10),
        ("legal(?x). legal(?y).", "HB001", "unexpected `legal`", 12),
        ("not legal(?x)", "HB001", "`not` is no word of the language", 1),
        ("legal(?x) # why", "HB003", "`#` begins no comment", 11),
        ("legal(\ud800)", "HB003", "U+D800 is half a character, which no file can hold", 7),
        ("all ?x in", "HB001", "this ends too early", 10),
    ],
)
def test_queries_with_mistakes(query, code, message, column):
    with pytest.raises(TheoryError) as caught:
        parse_query(query)
    (found,) = caught.value.diagnostics
    assert (found.code, found.message, found.span.column) == (code, message, column)
    str(caught.value).encode()


def test_a_very_long_line_is_shown_in_part():
    text = "p(" + "a, " * 5000 + "b c)."
    (mistake,) = parse(text, "long.horn").diagnostics
    shown = render(mistake, {"long.horn": text})
    assert max(map(len, shown.split("\n"))) < 200
    _, _, _, line, carets, _ = shown.split("\n")
    assert line[carets.index("^") - 1] == "b"


def test_the_caret_stands_under_the_mistake_after_tabs_and_wide_letters():
    text = "p(\t漢字, b c)."
    (mistake,) = parse(text, "wide.horn").diagnostics
    line, carets = render(mistake, {"wide.horn": text}).split("\n")[3:5]
    assert line == "1 | p(\t漢字, b c)."
    assert carets == "  |   \t       ^"


def test_line_ends_of_any_kind_count_as_one_line():
    text = "a.\r\nb.\rc d.\n"
    (mistake,) = parse(text, "f").diagnostics
    assert (mistake.span.line, mistake.span.column) == (3, 3)
    assert "3 | c d." in render(mistake, {"f": text})


def test_a_rule_of_one_line_is_found_where_it_stands():
    (rule,) = parse("\n\t p(?x) :- q(?x).").clauses
    assert isinstance(rule, Rule)
    assert (rule.head.span.line, rule.head.span.column, rule.head.span.end_column) == (2, 3, 8)


def test_what_is_nested_too_deeply_is_not_parsed_to_its_end(monkeypatch):
    given, run = [], Automaton.run

    def recorded(automaton, tokens, start, taken):
        given.append(len(tokens))
        return run(automaton, tokens, start, taken)

    monkeypatch.setattr(Automaton, "run", recorded)
    for text in ("(" * 5000 + "p(a)" + ")" * 5000, "(" * 5000, "p(" * 5000, "absent " * 5000 + "p(a)"):
        with pytest.raises(TheoryError):
            parse_query(text)
    assert max(given) <= 2 * MAX_NESTING + 3


def test_a_long_calculation_is_given_up_where_it_is_too_deep():
    with pytest.raises(TheoryError) as found:
        parse_query(f"?x = {'1+' * 5000}1")
    assert found.value.diagnostics[0].message == f"nested more than {MAX_NESTING} deep"
    assert len(syntax._parser()[1].depths) <= MAX_NESTING


def test_an_earlier_mistake_is_reported_before_what_is_nested_too_deeply():
    with pytest.raises(TheoryError) as found:
        parse_query(f"p(a) p(b), {'(' * 200}")
    assert found.value.diagnostics[0].span.column == 5


def test_clauses_after_a_missing_period_are_read_although_one_is_nested_too_deeply():
    found = parse(f"a(x)\nb(x).\nc(?x) :- {'(' * 200}d(?x){')' * 200}.\ne(x).\n", "file")
    assert [each.code for each in found.diagnostics] == ["HB002", "HB004"]
    assert len(found.clauses) == 3
