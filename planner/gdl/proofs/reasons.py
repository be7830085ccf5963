"""Derivations found goal by goal: one instance of a rule for each fact, without circularity."""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.matcher.program.coded import CodedRule, Derivation, Fact, Match, Var
from hornbook.planner import _core
from hornbook.planner.gdl.coding import CodedGame
from hornbook.planner.gdl.goal_program import bound_variables


def reasons(fact: Fact, program: CodedGame, instances: _core.Resolution) -> dict[Fact, Derivation | None]:
    """Return a derivation of a fact that holds and of every fact that it can depend on.

    Input facts and facts of the sheet have None. The argument `instances` answers queries about
    goal_program.traced(program) in the state.
    """
    rules: dict[int, list[tuple[int, CodedRule]]] = {}
    for place, rule in enumerate(program.rules, len(program.predicates)):
        rules.setdefault(rule.head.predicate, []).append((place, rule))
    given = set(program.facts)
    found: dict[Fact, Derivation | None] = {}
    waiting: dict[Fact, list[tuple[Fact, Derivation]]] = {}
    seen, todo, settled = {fact}, [fact], list[Fact]()
    while todo:
        each = todo.pop()
        if each in given or each.predicate not in rules:
            found[each] = None
            settled.append(each)
            continue
        for place, rule in rules[each.predicate]:
            for derivation in _derivations(each, place, rule, instances):
                premises = {premise for premise in derivation.premises if isinstance(premise, Fact)}
                for premise in premises:
                    waiting.setdefault(premise, []).append((each, derivation))
                if not premises and each not in found:
                    found[each] = derivation
                    settled.append(each)
                todo += premises - seen
                seen |= premises
    # Proceed upwards from the facts without premises, so that no fact depends on itself.
    for each in settled:
        for conclusion, derivation in waiting.get(each, ()):
            premises = {premise for premise in derivation.premises if isinstance(premise, Fact)}
            if conclusion not in found and premises <= found.keys():
                found[conclusion] = derivation
                settled.append(conclusion)
    return found


def _derivations(
    fact: Fact, place: int, rule: CodedRule, instances: _core.Resolution
) -> Iterator[Derivation]:
    """Yield the instances of a rule that conclude a fact; they are the facts of the relation `place`."""
    known: dict[int, int] = {}
    for term, cell in zip(rule.head.terms, fact.cells, strict=True):
        if (known.setdefault(term.index, cell) if isinstance(term, Var) else term) != cell:
            return
    bound = bound_variables(rule)
    for row in instances.ask(place, [known.get(variable) for variable in bound]):
        values = dict(zip(bound, row, strict=True))
        premises = tuple(
            Fact(each.predicate, tuple(_cell(term, values) for term in each.terms))
            if isinstance(each, Match)
            else None
            for each in rule.body
        )
        yield Derivation(rule.id, tuple(map(values.get, range(rule.variables))), premises)


def _cell(term: object, values: dict[int, int]) -> int:
    assert isinstance(term, Var | int)
    return values[term.index] if isinstance(term, Var) else term
