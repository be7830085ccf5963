"""Saturation of relaxed rules by the engine: the atoms that can ever hold, and the instances of rules that can ever matter.

The atoms come first. Then each rule is put to the engine as a question, whose answers are its instances: so no engine
holds more than atoms, and the order of the conditions follows from how many atoms there are.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from hornbook.matcher.compiled.engine import Engine
from hornbook.matcher.program.coded import Limits, Match, PredicateId, Rule, Var
from hornbook.matcher.program.errors import FactLimitError, LimitError, MemoryLimitError, TimeLimitError
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.planner.gdl.clauses import Clause
from hornbook.planner.gdl.coding import Program
from hornbook.planner.gdl.flattening import WORD
from hornbook.planner.grounding.relaxation import Relaxation, RelaxedRule


class TooLarge(HornbookError):
    """A game with more atoms or instances of rules than wanted. `clause` is one that has too many, where that is known."""

    def __init__(self, reason: str, clause: Clause | None = None) -> None:
        where = f", most by the rule for `{clause.head.name}` in line {clause.span.line}" if clause else ""
        super().__init__(f"{reason}{where}")
        self.clause = clause


@dataclass(frozen=True, slots=True)
class Rows:
    """`cells` are 64-bit integers, row behind row."""

    count: int
    cells: bytes


@dataclass(frozen=True, slots=True)
class Carried:
    """What holds of `source` makes the same hold of `target`: what is next is true, and what is legal is done."""

    name: str
    source: PredicateId
    target: PredicateId


def carried(program: Program) -> tuple[Carried, ...]:
    """What carries over, of all shapes of fluents and moves."""
    return tuple(
        Carried(name, source, program.numbers[to, shapes])
        for (name, shapes), source in program.numbers.items()
        for of, to in (("init", "true"), ("next", "true"), ("legal", "does"))
        if name == of and (to, shapes) in program.numbers and (name != "legal" or shapes[0] == WORD)
    )


class Saturation:
    """An engine with all atoms of a relaxation. Every call raises TooLarge where a limit is passed."""

    def __init__(self, program: Program, relaxation: Relaxation, limits: Limits) -> None:
        self._program = program
        self._relaxation = relaxation
        self._limits = limits
        self._began = time.monotonic()
        self._engine = Engine(relaxation.predicates, derivations="none", limits=limits)
        try:
            self._engine.update(add=program.facts, add_rules=self._rules())
        except FactLimitError as problem:
            raise self._too_large(problem, self._concluding(problem.predicate)) from None
        except LimitError as problem:
            raise self._too_large(problem, None) from None

    def _rules(self) -> list[Rule]:
        rules: list[Rule] = list(self._relaxation.static)
        for number, rule in enumerate(self._relaxation.rules):
            body = (*rule.positive, *rule.tests)
            rules.append(Rule(("relaxed", number), rule.head, body, rule.variables))
        role = self._program.numbers["role", (WORD,)]
        for each in carried(self._program):
            columns = self._columns(each.source)
            plays = (Match(role, columns[:1]),) if each.name == "legal" else ()
            body = (Match(each.source, columns), *plays)
            rules.append(Rule((each.source, each.target), Match(each.target, columns), body, len(columns)))
        return rules

    def atoms(self, predicate: PredicateId) -> Rows:
        """What can hold of a relation, sorted."""
        columns = self._columns(predicate)
        try:
            return Rows(*self._engine.query_cells([Match(predicate, columns)], columns))
        except LimitError as problem:
            raise self._too_large(problem, self._concluding(predicate)) from None

    def instances(self, rule: RelaxedRule, variables: Sequence[Var]) -> Rows:
        """The values of variables in all instances of a rule, each once."""
        try:
            return Rows(*self._engine.query_cells((*rule.positive, *rule.tests), variables))
        except LimitError as problem:
            raise self._too_large(problem, rule) from None

    def check(self, instances: int, memory: int, most: RelaxedRule) -> None:
        """Whether the limits hold with so many instances of rules, in so many bytes; `most` has most of them."""
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
        """A rule that concludes a relation, or what is carried over to it."""
        ways = {each.source for each in carried(self._program) if each.target == predicate} | {predicate}
        return next((rule for rule in self._relaxation.rules if rule.head.predicate in ways), None)

    def _columns(self, predicate: PredicateId) -> tuple[Var, ...]:
        return tuple(map(Var, range(self._relaxation.predicates[predicate].arity)))
