"""The option --states of `hornbook rules prune`: rules are measured in a table of states without games."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table

from hornbook.compiler.learn.covering.goals import coverage_goals
from hornbook.compiler.learn.covering.measure import CoverageMeasure, LearnedKnowledge, RuleCoverage
from hornbook.inputs.opening_store import TheoryWithRules
from hornbook.inputs.states import has_games
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.spread.coverage.covered_table import CoveredTable
from hornbook.terminal.failure import ArgumentError
from hornbook.terminal.plain_text import plain

if TYPE_CHECKING:
    from hornbook.kb.ast.terms import Rule


@dataclass(frozen=True, slots=True)
class TableWorth:
    """The worth of rules in a table.

    Attributes:
        states: The number of states.
        conclusions: The number of conclusions that the rules find.
        rules: The benefit and the cost of each rule.
        useless: The rules without which the others find the same conclusions.
    """

    states: int
    conclusions: int
    rules: Sequence[RuleCoverage]
    useless: Sequence[str]

    def table(self, limit: int) -> str:
        """Return a table with the rules that find fewest conclusions of their own."""
        table = Table(box=None, pad_edge=False)
        for name in ("covers", "only it", "tried", "µs"):
            table.add_column(name, justify="right")
        table.add_column("rule")
        for each in sorted(self.rules, key=lambda one: (one.only, -one.tried))[:limit]:
            numbers = f"{each.covers:,}", f"{each.only:,}", f"{each.tried:.1f}", f"{1e6 * each.seconds:.2f}"
            table.add_row(*numbers, each.rule)
        return plain(table)

    def rows(self) -> list[dict[str, object]]:
        """Return an object for each rule."""
        return [
            {
                "rule": each.rule,
                "covers": each.covers,
                "only": each.only,
                "tried": round(each.tried, 3),
                "seconds": each.seconds,
            }
            for each in self.rules
        ]


def worth_in_table(
    learned: TheoryWithRules, rules: Sequence[Rule], states: Path, named: Sequence[str]
) -> TableWorth:
    """Return the worth of rules in the states of a table.

    `named` are the predicates whose rules are measured. None means all that the rules conclude.

    Raises:
        ArgumentError: The theory has games, or its rules conclude nothing that the rules do.
        TableError: The table cannot be read.
    """
    theory = learned.theory
    if has_games(theory):
        raise ArgumentError("the rules are about games: give problems, or positions (--state)", "--states")
    predicates = named or list(dict.fromkeys(rule.head.relation for rule in rules))
    try:
        goals = coverage_goals(theory, predicates)
    except KnowledgeBaseError as problem:
        raise ArgumentError(str(problem), "--goal" if named else "RULES") from None
    measured = {rule.name for rule in rules if rule.head.relation in predicates}
    limits = Limits()
    table = CoveredTable(theory, states, limits, skip_bad=False)
    measure = CoverageMeasure(theory, table, goals, limits)
    known = LearnedKnowledge(theory, learned.active_base)
    found = int(measure.covered(known).sum())
    return TableWorth(
        table.states,
        found,
        [each for each in measure.worth(known) if each.rule in measured],
        [name for name in measure.useless(known) if name in measured],
    )
