"""The derivation of each fact below a conclusion, from an evaluation goal by goal.

A derivation is one instance of a rule. The chosen derivations are not circular: no fact depends on itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.matcher.program.coded import CodedRule, Derivation, Fact, Match, Var
from hornbook.planner import _core
from hornbook.planner.gdl.coding import CodedGame
from hornbook.planner.gdl.goal_program import bound_variables


def derivations_below(
    fact: Fact, program: CodedGame, instances: _core.Resolution
) -> dict[Fact, Derivation | None]:
    """Return a derivation of a fact that holds and of every fact that it can depend on.

    Input facts and facts of the sheet have None. The argument `instances` answers queries about the program
    `goal_program.traced(program)` in the state. That program has an additional relation for each rule, after
    the relations of `program`; its facts are the instances of the rule.
    """
    rules: dict[int, list[tuple[int, CodedRule]]] = {}
    for relation, rule in enumerate(program.rules, len(program.predicates)):
        rules.setdefault(rule.head.predicate, []).append((relation, rule))
    sheet_facts = set(program.facts)
    found: dict[Fact, Derivation | None] = {}
    by_premise: dict[Fact, list[tuple[Fact, Derivation]]] = {}
    """The derivations that use each fact, with their conclusions."""
    seen, todo, settled = {fact}, [fact], list[Fact]()
    while todo:
        each = todo.pop()
        if each in sheet_facts or each.predicate not in rules:
            found[each] = None
            settled.append(each)
            continue
        for relation, rule in rules[each.predicate]:
            for derivation in _derivations(each, relation, rule, instances):
                premises = {premise for premise in derivation.premises if isinstance(premise, Fact)}
                for premise in premises:
                    by_premise.setdefault(premise, []).append((each, derivation))
                if not premises and each not in found:
                    found[each] = derivation
                    settled.append(each)
                todo += premises - seen
                seen |= premises
    # Proceed from premises to conclusions, so that no fact depends on itself. The loop extends `settled`.
    for each in settled:
        for conclusion, derivation in by_premise.get(each, ()):
            premises = {premise for premise in derivation.premises if isinstance(premise, Fact)}
            if conclusion not in found and premises <= found.keys():
                found[conclusion] = derivation
                settled.append(conclusion)
    return found


def _derivations(
    fact: Fact, relation: int, rule: CodedRule, instances: _core.Resolution
) -> Iterator[Derivation]:
    """Yield the instances of a rule that conclude a fact: facts of the additional relation of the rule."""
    known: dict[int, int] = {}
    for term, cell in zip(rule.head.terms, fact.cells, strict=True):
        if (known.setdefault(term.index, cell) if isinstance(term, Var) else term) != cell:
            return
    bound = bound_variables(rule)
    for row in instances.ask(relation, [known.get(variable) for variable in bound]):
        values = dict(zip(bound, row, strict=True))
        premises = tuple(
            Fact(each.predicate, tuple(_cell(term, values) for term in each.terms))
            if isinstance(each, Match)
            else None
            for each in rule.body
        )
        yield Derivation(rule.id, tuple(map(values.get, range(rule.variables))), premises)


def _cell(term: object, values: dict[int, int]) -> int:
    """Return the cell of a variable or constant."""
    assert isinstance(term, Var | int)
    return values[term.index] if isinstance(term, Var) else term
