"""Facts that come from outside, as a knowledge base gives them to its engine: checked, coded, and by whom they may be given.

Always true: what rules conclude is never given; it is assumed where that is said, and a store keeps no assumptions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hornbook.kb.ast.fact_columns import FactColumns
from hornbook.kb.ast.parts import Rows, facts_in
from hornbook.kb.ast.terms import Atom, predicate_of
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.lower.coding import Coding
from hornbook.kb.lower.engines import AnyEngine
from hornbook.kb.lower.fact_coder import FactCoder
from hornbook.kb.parse.facts import FactError, why_never_given
from hornbook.matcher.compiled.engine import Engine
from hornbook.matcher.program.changes import Columns
from hornbook.matcher.program.coded import Fact, PredicateId


@dataclass(frozen=True, slots=True)
class Group:
    """Facts that come and go together, as the engine of their knowledge base keeps them: how many, and which are actions."""

    size: int
    actions: tuple[Fact, ...]
    coded: Any


class GivenFacts:
    """What may be given to a theory, coded."""

    def __init__(self, theory: Theory, coding: Coding) -> None:
        self._theory, self._coding = theory, coding
        self._coder = FactCoder(coding)
        # The relations whose facts were given, of which the theory states nothing, and no actions.
        self._plain: dict[tuple[str, str | None], PredicateId] = {}
        self._never_given = [why_never_given(r.template, theory.vocabulary) for r in coding.relations]

    def coded(self, facts: Iterable[GroundFact]) -> tuple[Fact, ...]:
        """Facts, which may be given or not. Raises FactError where one does not fit its declaration."""
        return tuple(map(self._coder.fact, facts))

    def given(
        self, facts: Iterable[GroundFact], assume: Collection[str] = (), *, are_kept: bool = False
    ) -> tuple[Fact, ...]:
        """Facts that may be given, or are assumed; those that a store keeps are not. Raises FactError."""
        coded = self.coded(facts)
        for fact in coded:
            problem = self._never_given[fact.predicate]
            if problem is not None:
                relation = self._coding.relations[fact.predicate].template.relation
                if relation not in assume:
                    way_out = f"say it by a rule with a label, or (from Python) `assume=[{relation!r}]`"
                    raise FactError(f"{problem}; {way_out}")
                if are_kept:
                    raise FactError(f"{problem}, and a store keeps no assumptions")
        return coded

    def columns(self, facts: FactColumns) -> tuple[PredicateId, Columns] | None:
        """The facts of a table, to be given at once; None where each is to be looked at by itself: what is not simply given,
        and an action. Raises FactError.
        """
        coded = self._coder.columns(facts)
        if coded is None or coded[0] in self._coding.actions or self._never_given[coded[0]] is not None:
            return None
        return coded

    def group(self, rows: Rows, engine: AnyEngine) -> Group:
        """Facts that may be given, of which those that the theory states are left out, for its engine. Raises FactError."""
        if isinstance(engine, Engine):
            read = engine.named_group(rows, self._plain, self._coder.words)
            if read is not None:
                return Group(sum(map(len, rows.values())), (), read)
        facts = tuple(facts_in(rows))
        coded = self.given(facts)
        self._plain.update(
            ((fact.relation, fact.tense), number)
            for fact, (number, _) in zip(facts, coded, strict=True)
            if number not in self.not_plain
        )
        coming = tuple(fact for fact in coded if fact not in self.stated)
        actions = tuple(fact for fact in coming if fact.predicate in self._coding.actions)
        return Group(len(coming), actions, engine.group(coming))

    @cached_property
    def can_be_assumed(self) -> frozenset[PredicateId]:
        """The predicates whose facts are assumed and not given, without those that no proof may rest on."""
        words = self._theory.vocabulary.predicates
        return frozenset(
            number
            for number, why in enumerate(self._never_given)
            if why is not None and words[predicate_of(self._coding.relations[number].template)].kind != "meta"
        )

    @cached_property
    def stated(self) -> frozenset[Fact]:
        """What the theory states."""
        return frozenset(map(self._coding.fact_of, self._theory.facts))

    @cached_property
    def not_plain(self) -> frozenset[PredicateId]:
        """The actions, and the predicates of which the theory states something."""
        return self._coding.actions | {fact.predicate for fact in self.stated}

    @cached_property
    def fixed(self) -> frozenset[Fact]:
        """What the theory states of what never changes: learned rules may rest on it without asking for it."""
        words = self._theory.vocabulary.predicates
        return frozenset(
            self._coding.fact_of(s)
            for s in self._theory.facts
            if isinstance(s, Atom) and words[s.predicate].kind == "static"
        )
