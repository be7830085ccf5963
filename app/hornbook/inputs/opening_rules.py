"""Rules to match: the rules of a theory or learned rules, with their matching statistics."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hornbook.compiler.match.only_rules import learned_rules_theory
from hornbook.compiler.rules.definitions import written_out
from hornbook.inputs.opening import read_state
from hornbook.inputs.opening_store import open_store, rules_of
from hornbook.inputs.store_names import store_named
from hornbook.inputs.theories import load_with_warnings
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.examples import example_facts
from hornbook.kb.lower.coding import Coding
from hornbook.kb.lower.matching import PreparedRules, prepared_rules
from hornbook.kb.lower.measures import parse_statistics, read_statistics, statistics_path
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class OpenedRules:
    """Rules with their theory and the place of their statistics: a file or a store."""

    theory: Theory
    rules: tuple[Rule, ...]
    statistics: Path | None
    store: Path | None = None
    stored_statistics: str | None = None
    """The statistics from the store, as text."""
    evaluated: tuple[Rule, ...] | None = None
    """Learned rules with the definitions of their conditions; None for a theory's own rules."""

    def ready(
        self,
        facts: Iterable[GroundFact] = (),
        limits: Limits | None = None,
        *,
        on_demand: bool = False,
    ) -> PreparedRules:
        """Return a matching engine for the rules.

        Joins are planned from the statistics if there are any, otherwise from `facts`. With `on_demand`,
        predicates that are `demanded` are evaluated only for the demanded arguments instead of completely.
        """
        coding = Coding(self.theory.vocabulary)
        measured = {} if self.statistics is None else read_statistics(self.statistics, coding)
        if self.stored_statistics is not None:
            measured = parse_statistics(self.stored_statistics, "the store's statistics", coding)
        return prepared_rules(
            self.theory,
            self.rules if self.evaluated is None else self.evaluated,
            facts=facts,
            statistics=measured,
            coding=coding,
            limits=limits,
            on_demand=on_demand,
        )

    def states(self, files: Iterable[Path]) -> dict[str, list[GroundFact]]:
        """Return the facts of each state by name: of the files, or of the theory's examples if no file is
        given.
        """
        found = {str(path): read_state(self.theory, path) for path in files}
        return found or {each.name: example_facts(self.theory, each) for each in self.theory.examples}


def open_rules(rules: str, theory: str | None) -> OpenedRules:
    """Return a theory's own rules, or the rules of a rule base if `theory` is given.

    From a store, return the active rules.
    """
    if theory is None and store_named(rules) is None:
        own = load_with_warnings(rules)
        return OpenedRules(own, own.rules, None if own.path is None else statistics_path(own.path))
    learned = rules_of(rules, theory, unchanged=True)
    active = (entry.answering for entry in learned.active_base if entry.is_certified)
    certified = tuple(written_out(rule, learned.theory) for rule in active)
    learned_only = learned_rules_theory(learned.theory, certified).rules
    if learned.store is None:
        return OpenedRules(learned.theory, certified, statistics_path(Path(rules)), evaluated=learned_only)
    with open_store(learned.store) as store:
        stored = store.statistics(learned.theory.name)
    return OpenedRules(learned.theory, certified, None, learned.store, stored, learned_only)
