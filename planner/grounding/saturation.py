"""Saturation of relaxed rules by the engine: the atoms that can ever hold, and the instances of rules that can ever matter.

The atoms come first. Then each rule is put to the engine as a question, whose answers are its instances: so no engine
holds more than atoms, and the order of the conditions can follow from how many atoms there are.
"""

from __future__ import annotations

from dataclasses import dataclass

from hornbook.matcher.compiled.engine import Engine
from hornbook.matcher.program.coded import Limits, Match, PredicateId, Rule, Var
from hornbook.matcher.program.errors import LimitError
from hornbook.planner.gdl.coding import Program
from hornbook.planner.gdl.flattening import WORD
from hornbook.planner.grounding.relaxation import Relaxation, RelaxedRule, variables_of


class TooLarge(Exception):
    """A game with more atoms or instances of rules than wanted. `origin` is the number of the flat rule that has too many."""

    def __init__(self, reason: str, origin: int | None) -> None:
        super().__init__(reason)
        self.origin = origin


@dataclass(frozen=True, slots=True)
class Carried:
    """What holds of `source` makes the same hold of `target`: what is next is true, and what is legal is done."""

    source: PredicateId
    target: PredicateId
    is_move: bool


def carried(program: Program) -> tuple[Carried, ...]:
    """What carries over, of all shapes of fluents and moves."""
    found: list[Carried] = []
    for (name, shapes), source in program.numbers.items():
        for of, to in (("init", "true"), ("next", "true"), ("legal", "does")):
            if name == of and (to, shapes) in program.numbers and (of != "legal" or shapes[0] == WORD):
                found.append(Carried(source, program.numbers[to, shapes], of == "legal"))
    return tuple(found)


class Saturation:
    """The engine with all atoms of a relaxation. Raises TooLarge."""

    def __init__(self, program: Program, relaxation: Relaxation, limits: Limits) -> None:
        self._engine = Engine(relaxation.predicates, derivations="none", limits=limits)
        role = program.numbers["role", (WORD,)]
        rules: list[Rule] = list(relaxation.static)
        for number, rule in enumerate(relaxation.rules):
            body = (*rule.positive, *rule.tests)
            rules.append(Rule(("relaxed", number), rule.head, body, rule.variables))
        for each in carried(program):
            columns = tuple(map(Var, range(relaxation.predicates[each.source].arity)))
            body = (Match(each.source, columns), *((Match(role, columns[:1]),) if each.is_move else ()))
            rules.append(
                Rule(("carried", each.source, each.target), Match(each.target, columns), body, len(columns))
            )
        try:
            self._engine.update(add=program.facts, add_rules=rules)
        except LimitError as problem:
            raise TooLarge(f"more can be true than wanted: {problem}", None) from None

    def atoms(self, predicate: PredicateId) -> list[tuple[int, ...]]:
        """What can hold of a relation, sorted."""
        return sorted(self._engine.facts(predicate))

    def instances(self, rule: RelaxedRule) -> tuple[tuple[Var, ...], list[tuple[int, ...]]]:
        """The variables of the conditions that change, and their values in each instance. Raises TooLarge."""
        variables = tuple(variables_of([rule.head, *rule.positive, *rule.negative]))
        try:
            return variables, self._engine.query((*rule.positive, *rule.tests), variables)
        except LimitError as problem:
            raise TooLarge(f"a rule has more instances than wanted: {problem}", rule.origin) from None
