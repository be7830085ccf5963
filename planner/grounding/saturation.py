"""Saturation of relaxed rules: the atoms that can ever hold, and the instances that can apply.

The atoms are derived first. Then each rule is put to the engine as a query whose answers are its instances.
In this way the engine stores only atoms, and the order of the conditions can depend on the number of atoms.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import CodedRule, Limits, Match, PredicateId, Var
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.errors import FactLimitError, LimitError, MemoryLimitError, TimeLimitError
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.planner.gdl.clauses import GdlClause
from hornbook.planner.gdl.coding import CodedGame
from hornbook.planner.gdl.flattening import WORD
from hornbook.planner.grounding.relaxation import Relaxation, RelaxedRule


class TooLarge(HornbookError):
    """A game with more atoms or rule instances than a limit allows.

    `clause` is one with too many, if known.
    """

    def __init__(self, reason: str, clause: GdlClause | None = None) -> None:
        where = f", most by the rule for `{clause.head.name}` in line {clause.span.line}" if clause else ""
        super().__init__(f"{reason}{where}")
        self.clause = clause


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of cells, stored row after row as 64-bit integers."""

    count: int
    cells: bytes


@dataclass(frozen=True, slots=True)
class Carried:
    """A rule that copies `source` to `target`.

    It leads from `init` or `next` to `true`, or from `legal` to `does`.
    """

    name: str
    source: PredicateId
    target: PredicateId


def carried(program: CodedGame) -> tuple[Carried, ...]:
    """Return the copy rules for all shapes of fluents and moves."""
    return tuple(
        Carried(name, source, program.numbers[to, shapes])
        for (name, shapes), source in program.numbers.items()
        for of, to in (("init", "true"), ("next", "true"), ("legal", "does"))
        if name == of and (to, shapes) in program.numbers and (name != "legal" or shapes[0] == WORD)
    )


class RelaxedSaturation:
    """An engine with all atoms of a relaxation. Every call raises TooLarge if a limit is exceeded."""

    def __init__(self, program: CodedGame, relaxation: Relaxation, limits: Limits) -> None:
        self._program = program
        self._relaxation = relaxation
        self._limits = limits
        self._began = time.monotonic()
        self._engine = CompiledEngine(relaxation.predicates, derivations="none", limits=limits)
        try:
            self._engine.update(add=program.facts, add_rules=self._rules())
        except FactLimitError as problem:
            raise self._too_large(problem, self._concluding(problem.predicate)) from None
        except LimitError as problem:
            raise self._too_large(problem, None) from None

    def _rules(self) -> list[CodedRule]:
        rules: list[CodedRule] = list(self._relaxation.static)
        for number, rule in enumerate(self._relaxation.rules):
            body = (*rule.positive, *rule.tests)
            rules.append(CodedRule(("relaxed", number), rule.head, body, rule.variables))
        role = self._program.numbers["role", (WORD,)]
        for each in carried(self._program):
            columns = self._columns(each.source)
            plays = (Match(role, columns[:1]),) if each.name == "legal" else ()
            body = (Match(each.source, columns), *plays)
            rules.append(
                CodedRule((each.source, each.target), Match(each.target, columns), body, len(columns))
            )
        return rules

    def atoms(self, predicate: PredicateId) -> Rows:
        """Return the possible rows of a relation, sorted."""
        columns = self._columns(predicate)
        try:
            return Rows(*self._engine.query_cells([Match(predicate, columns)], columns))
        except LimitError as problem:
            raise self._too_large(problem, self._concluding(predicate)) from None

    def instances(self, rule: RelaxedRule, variables: Sequence[Var]) -> Rows:
        """Return the distinct values of variables in the instances of a rule."""
        try:
            return Rows(*self._engine.query_cells((*rule.positive, *rule.tests), variables))
        except LimitError as problem:
            raise self._too_large(problem, rule) from None

    def check(self, instances: int, memory: int, most: RelaxedRule) -> None:
        """Raise TooLarge if this number of rule instances or this much memory exceeds a limit.

        `most` is the rule with the most instances.
        """
        limits = self._limits
        if limits.facts is not None and instances > limits.facts:
            raise self._too_large(f"more than {limits.facts:,} instances of rules", most)
        if limits.bytes is not None and memory + self._engine.bytes() > limits.bytes:
            raise self._too_large(MemoryLimitError(limits.bytes), most)
        if limits.seconds is not None and time.monotonic() - self._began > limits.seconds:
            raise self._too_large(TimeLimitError(limits.seconds), most)

    def _too_large(self, reason: object, rule: RelaxedRule | None) -> TooLarge:
        return TooLarge(str(reason), None if rule is None else self._program.origins[rule.origin].rule.clause)

    def _concluding(self, predicate: PredicateId | None) -> RelaxedRule | None:
        """Return a rule that concludes a relation or one that is copied to it."""
        ways = {each.source for each in carried(self._program) if each.target == predicate} | {predicate}
        return next((rule for rule in self._relaxation.rules if rule.head.predicate in ways), None)

    def _columns(self, predicate: PredicateId) -> tuple[Var, ...]:
        return tuple(map(Var, range(self._relaxation.predicates[predicate].arity)))
