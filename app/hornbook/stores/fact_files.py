"""Import of facts from files into a store, checked against the theory and the store, all or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from hornbook.inputs.opening import add_all
from hornbook.inputs.table_reading import TableReading
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.lower.coding import Coding
from hornbook.kb.sources.diagnostics import TheoryError, error
from hornbook.kb.sources.files import read_text
from hornbook.kb.store import Store
from hornbook.matcher.program.coded import Limits


def add_facts(
    store: Store,
    theory: Theory,
    states: Sequence[Path],
    tables: Sequence[str],
    files: Sequence[Path],
    *,
    reading: TableReading,
    limits: Limits | None = None,
) -> int:
    """Add the facts of states, tables and texts, and return the number of new ones.

    `limits` bound the facts of the store and these together.
    """
    # Rules are refused before, since a knowledge base would accept them but a store cannot store them. Each
    # file is read only once because it may be a pipe.
    given = facts_of_files(theory, files, limits)
    with store.transaction():
        before = store.count_facts(theory.name)
        base = KnowledgeBase(theory, store=store, limits=limits)
        add_all(base, states, tables, (), reading=reading)
        base.add(given)
        base.engine.check_consistency()
        return store.count_facts(theory.name) - before


def retract_facts(store: Store, theory: Theory, files: Sequence[Path], limits: Limits | None = None) -> int:
    """Retract the facts of texts, and return how many the store had.

    This also works if the stored facts contradict the theory.
    """
    coding = Coding(theory.vocabulary)
    removed = [coding.ground(coding.fact(fact)) for fact in facts_of_files(theory, files, limits)]
    return store.retract_facts(removed, theory.name)


def facts_of_files(theory: Theory, files: Iterable[Path], limits: Limits | None = None) -> list[GroundFact]:
    """Return the facts in some texts, each at its time.

    Raises TheoryError if a text contains anything else.
    """
    base = KnowledgeBase(theory, limits=limits)
    found: list[GroundFact] = []
    for path in files:
        text = read_text(path)
        clauses = base.read_clauses(text, str(path))
        if clauses.rules:
            message = "a store keeps facts; rules belong to its theory"
            problem = error("HB042", message, clauses.rules[0].span, "write it into the theory's file")
            raise TheoryError([problem], {str(path): text})
        found += clauses.facts
    return found
