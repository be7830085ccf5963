"""The example that a rule was learned from: its proof, derived again, and the effects of its action."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from hornbook.compiler.rules.provenance import Provenance
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.examples import example_sources
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.explain.fact_places import Stated
from hornbook.kb.explain.proof import Proof
from hornbook.kb.format.printer import print_condition
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.hornbook_error import HornbookError


def example_of(
    provenance: Provenance, theory: Theory, limits: Limits | None
) -> tuple[Proof, tuple[str, ...]]:
    """Return the example's proof, derived again from its facts, and the after-facts of the proof."""
    base = KnowledgeBase(theory, limits=limits)
    base.add(provenance.facts)
    proof = base.why(provenance.goal).with_sources(_sources(provenance, theory))
    after = tuple(print_condition(s.conclusion) for s in proof.steps if s.conclusion.tense == "after")
    return proof, after


def _sources(provenance: Provenance, theory: Theory) -> list[Stated]:
    """Return the origins of an example's facts, if the theory still has the example."""
    named = provenance.example, Path(provenance.file).name
    for example in theory.examples:
        if (example.name, Path(example.span.file).name) == named:
            with suppress(HornbookError):  # the source file may have been deleted
                return example_sources(theory, example)
    return []
