"""Facts from files into a store: checked against the theory and the store, and added all or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from hornbook.inputs.opening import add_all
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
    skip_bad: bool,
    limits: Limits | None = None,
) -> int:
    """Adds the facts of states, tables and texts, and says how many were new; `limits` bound the store's and these together."""
    # A knowledge base would take rules too, which no store keeps. Each file is read once: a pipe gives no more.
    given = facts_of_files(theory, files, limits)
    with store.transaction():
        before = store.count_facts(theory.name)
        base = KnowledgeBase(theory, store=store, limits=limits)
        add_all(base, states, tables, (), skip_bad=skip_bad)
        base.add(given)
        base.must_fit()
        return store.count_facts(theory.name) - before


def retract_facts(store: Store, theory: Theory, files: Sequence[Path], limits: Limits | None = None) -> int:
    """Takes the facts of texts away, and says how many were there; also where those that are there contradict the theory."""
    coding = Coding(theory.vocabulary)
    gone = [coding.ground(coding.fact(fact)) for fact in facts_of_files(theory, files, limits)]
    return store.retract_facts(gone, theory.name)


def facts_of_files(theory: Theory, files: Iterable[Path], limits: Limits | None = None) -> list[GroundFact]:
    """The facts that texts state, at the moment that they mean. Raises TheoryError where there is anything else."""
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
