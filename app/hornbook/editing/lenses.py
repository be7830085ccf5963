"""Code lenses: commands above each example, and the latest result above each expectation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lsprotocol import types as lsp

from hornbook.editing.names.occurrences import ParsedClauses
from hornbook.editing.texts import TextLines
from hornbook.kb.ast.declarations import Example, Expect
from hornbook.kb.text.counts import counted

RUN, LEARN = "hornbook.run", "hornbook.learn"
Outcomes = Mapping[str, str]
"""The results of a run by the text of the expectation: empty if it is met, else the derived values."""


def lenses(
    clauses: Sequence[ParsedClauses], uri: str, lines: TextLines, outcomes: Outcomes
) -> Iterator[lsp.CodeLens]:
    """Yield the lenses of a document."""
    expectations = [
        (each, clause) for each in clauses for clause in each.clauses if isinstance(clause, Expect)
    ]
    for each in clauses:
        for clause in each.clauses:
            if isinstance(clause, Example):
                expected = sum(expect.example == clause.name for _, expect in expectations)
                range_ = lines.range(clause.span)
                run = f"run: {counted(expected, 'expectation')}" if expected else "run"
                yield _lens(range_, run, RUN, uri, clause.name)
                yield _lens(range_, "learn a rule", LEARN, uri, clause.name)
            elif isinstance(clause, Expect):
                why = outcomes.get(written(each))
                title = "run" if why is None else f"not met: {why}" if why else "met"
                yield _lens(lines.range(clause.span), title, RUN, uri, clause.example)


def written(clauses: ParsedClauses) -> str:
    """Return the text of a clause without spaces, which does not change when the lines above it do."""
    return " ".join(token.text for token in clauses.tokens)


def _lens(range_: lsp.Range, title: str, command: str, *arguments: str) -> lsp.CodeLens:
    return lsp.CodeLens(range_, lsp.Command(title, command, arguments=[*arguments]))
