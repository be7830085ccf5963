"""Code lenses: above an example what can be done with it, and above an expectation what came of it when it was run last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lsprotocol import types as lsp

from hornbook.editing.texts import Lines
from hornbook.kb.ast.declarations import Example, Expect
from hornbook.kb.names.occurrences import Clauses
from hornbook.kb.text.counts import counted

RUN, LEARN = "hornbook.run", "hornbook.learn"
Outcomes = Mapping[str, str]
"""What came of the expectations of a run, by their text: nothing where one is met, and what was derived instead."""


def lenses(clauses: Sequence[Clauses], uri: str, lines: Lines, outcomes: Outcomes) -> Iterator[lsp.CodeLens]:
    """The lenses of a document."""
    expectations = [
        (each, clause) for each in clauses for clause in each.clauses if isinstance(clause, Expect)
    ]
    for each in clauses:
        for clause in each.clauses:
            if isinstance(clause, Example):
                wanted = sum(expect.example == clause.name for _, expect in expectations)
                range_ = lines.range(clause.span)
                run = f"run: {counted(wanted, 'expectation')}" if wanted else "run"
                yield _lens(range_, run, RUN, uri, clause.name)
                yield _lens(range_, "learn a rule", LEARN, uri, clause.name)
            elif isinstance(clause, Expect):
                why = outcomes.get(written(each))
                title = "run" if why is None else f"not met: {why}" if why else "met"
                yield _lens(lines.range(clause.span), title, RUN, uri, clause.example)


def written(clauses: Clauses) -> str:
    """The text of a clause without its spaces, which stays what it is where lines above it change."""
    return " ".join(token.text for token in clauses.tokens)


def _lens(range_: lsp.Range, title: str, command: str, *arguments: str) -> lsp.CodeLens:
    return lsp.CodeLens(range_, lsp.Command(title, command, arguments=[*arguments]))
