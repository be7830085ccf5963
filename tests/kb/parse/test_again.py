"""Tests of incremental parsing: after edits, the result equals a fresh parse."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import hornbook
from hornbook.kb.parse.incremental import ParsedText
from hornbook.kb.parse.syntax import MAX_MISTAKES, parse, parse_again
from hornbook.kb.text.scanner import scan
from oracles.language.edits import edit

THEORIES = Path(hornbook.__file__).parents[2] / "theories"


def check_again(text: str, before: ParsedText) -> ParsedText:
    """Check that the incremental parse of a text equals a fresh parse."""
    again, written = parse_again(text, "a.horn", before)
    new = parse(text, "a.horn")
    assert (again.text, again.clauses, again.comments, repr(again.diagnostics)) == (
        (new.text, new.clauses, new.comments, repr(new.diagnostics))
    )
    assert [clause.span for clause in again.clauses] == [clause.span for clause in new.clauses]
    if again.scanned is not None:
        assert [list(piece) for piece in again.scanned] == list(scan(text, []))
    return written


@pytest.mark.parametrize("name", ["classical/stack.horn", "chess/parts/checks.horn", "go/parts/blocks.horn"])
def test_a_theory_that_is_edited(name):
    numbers = random.Random(name)
    first = (THEORIES / name).read_text(encoding="utf-8")[:3000]
    text, before = first, ParsedText()
    for _ in range(40):
        before = check_again(text, before)
        text = numbers.choice((first, *(edit(numbers, text) for _ in range(3))))


@pytest.mark.deep
@pytest.mark.parametrize(("most", "steps"), [(8, 1000), (3 * MAX_MISTAKES, 150)])
def test_lines_that_are_put_in_and_taken_out(most, steps):
    """There are few kinds of lines, so clauses are opened, closed, moved and repeated.

    Long texts exceed the limit on reported mistakes.
    """
    numbers = random.Random(3)
    kinds = ("p.", "q(a", ").", "", "% c", "p. q", "r(?x)", "'")
    lines, before = ["p."], ParsedText()
    for _ in range(steps):
        at = numbers.randrange(len(lines) + 1)
        lines[at : at + numbers.randrange(3)] = numbers.choices(kinds, k=numbers.randrange(most // 2))
        del lines[most:]
        before = check_again("\n".join(lines), before)
