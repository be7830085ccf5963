"""Facts from outside, checked and coded for the engine of a knowledge base.

Invariants: Facts of relations that rules conclude are never given. They can be assumed if the caller names
the relation, and a store contains no assumptions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property
from typing import Any

from hornbook.kb.ast.fact_columns import FactColumns
from hornbook.kb.ast.parts import Rows, facts_in
from hornbook.kb.ast.terms import Atom, predicate_of
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.lower.coding import Coding
from hornbook.kb.lower.fact_coder import FactCoder
from hornbook.kb.parse.facts import FactError, why_never_given
from hornbook.matcher.program.changes import Columns
from hornbook.matcher.program.coded import Fact, PredicateId
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.engine import Engine


@dataclass(frozen=True, slots=True)
class Group:
    """A group of coded facts that come and go together: their number, the actions among them, and the form of
    the engine.
    """

    size: int
    actions: tuple[Fact, ...]
    coded: Any


class FactEncoder:
    """The coder and validator of facts that may be given to a theory."""

    def __init__(self, theory: Theory, coding: Coding) -> None:
        self._theory, self._coding = theory, coding
        self._coder = FactCoder(coding)
        # Relations with given facts, except actions and relations with facts of the theory.
        self._plain: dict[tuple[str, str | None], PredicateId] = {}
        self._never_given = [why_never_given(r.template, theory.vocabulary) for r in coding.relations]

    def coded(self, facts: Iterable[GroundFact]) -> tuple[Fact, ...]:
        """Return the coded facts, whether they may be given or not. Raises FactError if one does not fit its
        declaration.
        """
        return tuple(map(self._coder.fact, facts))

    def given(
        self, facts: Iterable[GroundFact], assume: Collection[str] = (), *, is_stored: bool = False
    ) -> tuple[Fact, ...]:
        """Return the coded facts, if they may be given or are assumed.

        Args:
            facts: The facts from outside.
            assume: The relations whose facts may be assumed.
            is_stored: Whether a store keeps the facts. A store contains no assumptions.

        Raises:
            FactError: A fact does not fit its declaration or may not be given.
        """
        coded = self.coded(facts)
        for fact in coded:
            problem = self._never_given[fact.predicate]
            if problem is not None:
                relation = self._coding.relations[fact.predicate].template.relation
                if relation not in assume:
                    way_out = f"say it by a rule with a label, or (from Python) `assume=[{relation!r}]`"
                    raise FactError(f"{problem}; {way_out}")
                if is_stored:
                    raise FactError(f"{problem}, and a store keeps no assumptions")
        return coded

    def columns(self, facts: FactColumns) -> tuple[PredicateId, Columns] | None:
        """Return the facts of a table in coded form, or None if each fact must be checked separately.

        Actions and facts of other than plainly given relations must be checked separately.

        Raises:
            FactError: A fact does not fit its declaration.
        """
        coded = self._coder.columns(facts)
        if coded is None or coded[0] in self._coding.actions or self._never_given[coded[0]] is not None:
            return None
        return coded

    def group(self, rows: Rows, engine: Engine) -> Group:
        """Return the facts as a group for an engine, without the facts that the theory states. Raises
        FactError.
        """
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
        """The predicates whose facts can only be assumed, except meta predicates, which no proof may use."""
        words = self._theory.vocabulary.predicates
        return frozenset(
            number
            for number, why in enumerate(self._never_given)
            if why is not None and words[predicate_of(self._coding.relations[number].template)].kind != "meta"
        )

    @cached_property
    def stated(self) -> frozenset[Fact]:
        """The facts of the theory."""
        return frozenset(map(self._coding.fact_of, self._theory.facts))

    @cached_property
    def not_plain(self) -> frozenset[PredicateId]:
        """The actions, and the predicates with facts of the theory."""
        return self._coding.actions | {fact.predicate for fact in self.stated}

    @cached_property
    def fixed(self) -> frozenset[Fact]:
        """The static facts of the theory. Learned rules may depend on them without a condition."""
        words = self._theory.vocabulary.predicates
        return frozenset(
            self._coding.fact_of(s)
            for s in self._theory.facts
            if isinstance(s, Atom) and words[s.predicate].kind == "static"
        )
