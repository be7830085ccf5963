"""States of theories without an adapter: texts of facts in the language, or as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any

from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import GroundFact, Theory, Vocabulary
from hornbook.kb.load.adapters import Adapter, is_adapter_forbidden, reader_of
from hornbook.kb.sources.diagnostics import TheoryError, error
from hornbook.kb.text.spans import Span


class FactTexts(Adapter):
    """A reader of states that are facts. A state is a tuple of facts.

    A text has facts in the language, or a JSON object with the rows of each predicate:
    `{"parent": [["cleo", "eve"]]}`.
    """

    def __init__(self, theory: Theory) -> None:
        self.module = ModuleType("facts")
        self._theory = theory

    def read(self, text: str, name: str) -> tuple[GroundFact, ...]:
        """Return the facts of a text, checked against the declarations. Raises TheoryError or TableError."""
        if text.lstrip().startswith("{"):
            return tuple(_facts_of_json(text, name, self._theory.vocabulary))
        from hornbook.kb.check.theory_checks import check_rules  # noqa: PLC0415 - slow to import
        from hornbook.kb.parse.facts import ground_fact  # noqa: PLC0415 - the same
        from hornbook.kb.parse.syntax import parse  # noqa: PLC0415 - the same

        parsed = parse(text, name)
        facts = [clause for clause in parsed.clauses if isinstance(clause, Rule) and clause.is_fact]
        others = (clause for clause in parsed.clauses if not (isinstance(clause, Rule) and clause.is_fact))
        found = [
            *parsed.diagnostics,
            *check_rules(facts, self._theory.vocabulary),
            *(error("HB042", _is_no_fact(each), each.span) for each in others),
        ]
        problems = [each for each in found if each.severity == "error"]
        if problems:
            raise TheoryError(problems, {name: text})
        return tuple([ground_fact(each.head) for each in facts])

    def facts(self, state: Any) -> Iterator[GroundFact]:
        """Yield the facts of a state."""
        return iter(state)


def _is_no_fact(clause: Any) -> str:
    what = f"`{clause.name}` is a rule" if isinstance(clause, Rule) else "this is a declaration"
    return f"{what}, and a state is facts alone"


def _facts_of_json(text: str, name: str, vocabulary: Vocabulary) -> Iterator[GroundFact]:
    """Yield the facts of an object with the rows of each predicate."""
    from hornbook.kb.tables.readers.json_records import read_json_text  # noqa: PLC0415 - slow to import
    from hornbook.kb.tables.tables import TableError, read_rows  # noqa: PLC0415 - the same

    try:
        tables = read_json_text(text)
    except (ValueError, RecursionError) as problem:
        mistake = error("HB001", f"this is not JSON: {problem}", Span(name, 1, 1, 1, 2))
        raise TheoryError([mistake], {name: text}) from None
    for predicate, rows in tables.items():
        if not (isinstance(rows, list) and all(isinstance(row, list) for row in rows)):
            raise TableError(name, f"`{predicate}` wants a list of rows, each a list of values")
        yield from read_rows(rows, predicate, vocabulary, name=f"`{predicate}`").facts


def state_reader(theory: Theory) -> Adapter | None:
    """Return the reader of a theory's states: its adapter, or `FactTexts` if it has none.

    None is returned if the theory has an adapter that may not be run.
    """
    found = reader_of(theory)
    if found is not None:
        return found
    return None if is_adapter_forbidden(theory) else FactTexts(theory)
