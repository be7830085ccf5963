"""Fuzz tests of the parser and the formatter.

No text makes them raise, hang or give a nonsensical result, and a small slip gives few messages.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.kb.format.formatter import format_text
from hornbook.kb.format.printer import print_clause
from hornbook.kb.parse.syntax import MAX_MISTAKES, ParsedFile, parse, parse_query
from hornbook.kb.sources.diagnostics import TheoryError, render
from hornbook.kb.text.scanner import KEYWORDS, MARKS, scan
from oracles.counted_steps import counted_steps
from oracles.language.term_strategies import clauses
from oracles.pages.markdown_blocks import blocks

ROOT = Path(__file__).parents[3]
LEXEMES = (
    *KEYWORDS, *MARKS, "a", "B", "?x", "?y", "_", "0", "17", "'it''s'", '"path"', "% comment\n", "\n", "\n\n  ",
    "==", "=<", "\\+", "1.5", "#", "//", "/*", "*/", "'", '"', "?", "_a", "²", "é", "\0", "\ud800", "\u2028", "\r",
)  # fmt: skip
"""Words and punctuation, including those of other languages."""


def look_at(text):
    """Parse a text, show every message, format it, and check the properties that hold for every text."""
    parsed = parse(text, "f")
    lines = parsed.text.split("\n")
    shown = []
    for diagnostic in parsed.diagnostics:
        assert diagnostic.message
        span = diagnostic.span
        assert (span.line, span.column) < (span.end_line, span.end_column)
        assert 1 <= span.column <= len(lines[span.line - 1]) + 1
        shown.append(span.line)
        render(diagnostic, {"f": text}).encode()
    if len(shown) <= MAX_MISTAKES:
        assert len(set(shown)) == len(shown)
    if parsed.diagnostics:
        with pytest.raises(TheoryError):
            format_text(text)
    else:
        formatted = format_text(text)
        assert format_text(formatted) == formatted
    return parsed


@settings(max_examples=120)
@given(st.text() | st.text("ab?_'\"%.,:;()-+*/=<>|#\\ \n1²"))
def test_any_text(text):
    look_at(text)
    try:
        parse_query(text)
    except TheoryError as refused:
        str(refused).encode()


@settings(max_examples=120)
@given(st.lists(st.sampled_from(LEXEMES), max_size=40), st.sampled_from(("", " ", "\n")))
def test_any_words_and_marks(lexemes, between):
    look_at(between.join(lexemes))


@pytest.mark.deep
@settings(max_examples=60)
@given(st.lists(clauses(), min_size=1, max_size=3), st.integers(0, 2**32))
def test_clauses_with_a_few_slips(found, seed):
    text = "\n".join(map(print_clause, found)) + "\n"
    look_at(mutated(text, random.Random(seed)))


# Slips in texts that people wrote


def corpus():
    texts = {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
        for folder in ("theories", "tests/kb/format/golden")
        for path in sorted((ROOT / folder).rglob("*.horn"))
    }
    reference = [
        block.text for block in blocks(ROOT / "docs/reference/language.md") if block.language == "horn"
    ]
    return texts | {"docs/reference/language.md": "\n".join(reference)}


CORPUS = corpus()


def pieces(text, least=12):
    """Split a text at line ends into texts of a few clauses each."""
    lines, found, running, ended, stored = text.split("\n"), [], 0, 0, 0
    for clause in scan(text, []):
        if stored >= least and clause[0].line > ended:
            found.append("\n".join(lines[running:ended]) + "\n")
            running, stored = ended, 0
        ended, stored = clause[-1].line, stored + 1
    return [*found, "\n".join(lines[running:])]


def mutated(text, numbers):
    """Draw the text with one to four characters or tokens deleted, inserted, replaced or doubled."""
    for _ in range(numbers.randint(1, 4)):
        if numbers.random() < 0.5:
            parts = list(text)
            strange = [*"?_'\"%.,:;()-+*/=<>|#\\ \n1²", "\0", "é"]
        else:
            parts = [
                part
                for line in text.splitlines(keepends=True)
                for part in line.replace("(", " ( ").split(" ")
            ]
            strange = list(LEXEMES)
        if not parts:
            return numbers.choice(strange)
        at = numbers.randrange(len(parts))
        match numbers.randrange(4):
            case 0:
                del parts[at]
            case 1:
                parts.insert(at, numbers.choice(strange))
            case 2:
                other = numbers.randrange(len(parts))
                parts[at], parts[other] = parts[other], parts[at]
            case 3:
                parts.insert(at, parts[at])
        text = (" " if len(parts) != len(text) and " " in text else "").join(parts)
    return text


@pytest.mark.parametrize("name", CORPUS)
def test_files_with_a_few_slips(name, times):
    numbers = random.Random(name)
    parts = pieces(CORPUS[name])
    for _ in range(8 * times):
        look_at(mutated(numbers.choice(parts), numbers))


@pytest.mark.parametrize("name", CORPUS)
def test_a_token_left_out_costs_at_most_two_messages_and_two_clauses(name, times):
    """Errors do not cascade. They affect the clause itself, and the next clause if the period is missing."""
    parts = [(part, token) for part in pieces(CORPUS[name]) for clause in scan(part, []) for token in clause]
    for text, token in random.Random(1).sample(parts, min(20 * times, len(parts))):
        lines, whole = text.split("\n"), parse(text)
        line = lines[token.line - 1]
        shorter = line[: token.column - 1] + line[token.end_column - 1 :]
        parsed = parse("\n".join([*lines[: token.line - 1], shorter, *lines[token.line :]]))
        assert len(parsed.diagnostics) <= 2, (token, parsed.diagnostics)
        assert len(parsed.clauses) >= len(whole.clauses) - 2, token


# Size and depth

N = 4_000


def read(text: str) -> ParsedFile:
    """Parse the text, and print its mistakes."""
    parsed = parse(text, "f")
    str(TheoryError(parsed.diagnostics, {"f": text})).encode()
    return parsed


@pytest.mark.deep
@pytest.mark.parametrize(
    "text",
    [
        lambda n: "p" + "(" * 5 * n,
        lambda n: "h :- " + "(" * 5 * n + "?x" + ")" * 5 * n + " > 3.",
        lambda n: "h :- " + "absent " * 5 * n + "p.",
        lambda n: "h :- " + "absent (" * n + "p" + ")" * n + ".",
        lambda n: "h :- " + "all ?x in r(?x): " * n + "p.",
        lambda n: "h :- ?x > " + " + ".join(["?x"] * 5 * n) + ".",
        lambda n: "h :- ?x > " + "min(?x, " * n + "?x" + ")" * n + ".",
        lambda n: "h :- " + ", ".join(["colour(?p, black)"] * n) + ".",
        lambda n: "h :- " + ", ".join(["colour(?p, black)"] * 12 * n) + ".",
        lambda n: "a b.\n" * 5 * n,
        lambda n: "colour(a, black)\n" * 2 * n,
        lambda n: "l:\n  h(?x) :- p(?x), q(?x)\n" * n,
        lambda n: "h :-\n" + "colour(a, black),\n" * n + "a b.",
        lambda n: "h :- a b,\nx,\n" + "colour(a, black),\n" * n + "a.",
        lambda n: "p(a{b}[c]\n" * n,
        lambda n: "p('a\n" * n,
        lambda n: "." * 10 * n,
        lambda n: "'" * (10 * n + 1),
        lambda n: '"' * (10 * n + 1),
        lambda n: "/* " * 5 * n,
        lambda n: "/* */ " * 5 * n,
        lambda n: "a. /* \n*/ " * n,
        lambda n: "h :- a, # x\n b,\n" * n,
        lambda n: "9" * 10 * n,
        lambda n: "p(" + "0" * 10 * n + "7).",
        lambda n: "a" * 20 * n + ".",
        lambda n: " " * 20 * n + "\n" * 20 * n + "%" * 20 * n,
        lambda n: "\0\ud800?)" * n,
        lambda n: "import a.horn.\n" * n,
        lambda n: "frame p: " + "; ".join(["a, b"] * n) + ".",
        lambda n: "sort a = " + " | ".join(["a"] * n) + ".",
        lambda n: "p(" + ", % c\n".join("a" for _ in range(n)) + ").",
    ],
    ids=lambda text: text(20)[:20].encode("ascii", "backslashreplace").decode(),
)
def test_long_and_deep_texts_are_read_in_steps_in_proportion(text):
    """The steps of regular expressions are bounded in tests/test_regular_expressions.py."""
    assert len(read(text(N)).diagnostics) <= MAX_MISTAKES + 1
    short, long = (counted_steps(lambda n=n: read(text(n))) for n in (100, 400))
    # Four times as long: a linear number of steps grows by 4, a quadratic one by 16.
    assert long < 9 * short


@pytest.mark.parametrize(
    "text",
    [
        lambda n: "p(a). " * n,
        lambda n: "p(" + ", ".join(["a"] * n) + ").",
        lambda n: "h :- " + ", ".join(["q(?x, a)"] * n) + ".",
        lambda n: "%\n" * n,
    ],
)
def test_formatting_takes_steps_in_proportion(text):
    short, long = (counted_steps(lambda n=n: format_text(text(n))) for n in (50, 200))
    assert long < 9 * short
