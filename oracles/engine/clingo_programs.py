"""Coded programs as programs of clingo, an answer set solver with an independent semantics.

Programs that clingo cannot express are refused: conditions nested more than once. Integers of clingo have 32
bits, so programs with huge cells have another meaning there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import count

import clingo

from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    AllOf,
    Apply,
    ClosedSet,
    CodedCondition,
    CodedExpression,
    CodedRule,
    Compare,
    CountOf,
    Fact,
    Match,
    Var,
)
from hornbook.matcher.program.scope import variables


def text(given: Iterable[Fact], rules: Iterable[CodedRule]) -> str:
    """Return the text of the program. Predicate 3 is `p3`, and variable 2 is `V2`."""
    return "\n".join([*(f"{_atom(fact.predicate, fact.cells)}." for fact in given), *map(_rule, rules)])


def saturate(given: Iterable[Fact], rules: Iterable[CodedRule]) -> dict[int, set[tuple[int, ...]]] | None:
    """Return the facts of the program's only stable model, or None if it has none or several."""
    control = clingo.Control(["--warn=none", "--models=2"])
    control.add("base", [], text(given, rules))
    control.ground([("base", [])])
    models: list[Sequence[clingo.Symbol]] = []
    control.solve(on_model=lambda model: models.append(model.symbols(atoms=True)))
    if len(models) != 1:
        return None
    facts: dict[int, set[tuple[int, ...]]] = defaultdict(set)
    for symbol in models[0]:
        facts[int(symbol.name[1:])].add(tuple(argument.number for argument in symbol.arguments))
    return facts


def _rule(rule: CodedRule) -> str:
    names = (f"N{number}" for number in count())
    body = [
        text
        for place, condition in enumerate(rule.body)
        for text in _condition(
            condition, variables((rule.head, rule.body[:place], rule.body[place + 1 :])), names
        )
    ]
    head = _atom(rule.head.predicate, rule.head.terms)
    return f"{head} :- {', '.join(body)}." if body else f"{head}."


def _atom(predicate: int, terms: Sequence[CodedExpression | str]) -> str:
    return f"p{predicate}({', '.join(map(_term, terms))})" if terms else f"p{predicate}"


def _term(term: CodedExpression | str) -> str:
    match term:
        case Var(index):
            return f"V{index}"
        case Apply(operator, left, right):
            assert operator in "+-*"
            return f"({_term(left)} {operator} {_term(right)})"
        case _:
            return str(term)


def _inside(conditions: Iterable[CodedCondition]) -> list[str]:
    """Return the texts of conditions inside another one: statements and comparisons, as clingo requires."""
    found = []
    for condition in conditions:
        assert isinstance(condition, Match | Compare), condition
        found += _condition(condition, frozenset(), iter(()))
    return found


def _condition(condition: CodedCondition, elsewhere: frozenset[int], names: Iterator[str]) -> Iterator[str]:
    """Yield the conditions of clingo for a condition.

    `elsewhere` are the variables of the rest of the rule, and `names` are new names of variables.
    """
    match condition:
        case Match(predicate, terms):
            yield _atom(predicate, terms)
        case Compare(operator, left, right):
            yield f"{_term(left)} {operator} {_term(right)}"
        case AbsentOf(conditions):
            yield f"#count {{ 1 : {', '.join(_inside(conditions))} }} = 0"
        case AllOf(closed, members, conditions):
            size = next(names)
            inside = [_atom(closed.member, (*closed.key, *members)), *_inside(conditions)]
            yield _atom(closed.count, (*closed.key, size))
            yield f"{size} <= #count {{ {', '.join(map(_term, members))} : {', '.join(inside)} }}"
        case CountOf(result, sets, width, excluded):
            cells = [next(names) for _ in range(width)]
            for closed in sets:
                size = next(names)
                yield _atom(closed.count, (*closed.key, size))
                yield f"{size} = #count {{ {_members(closed, cells, ())} }}"
            members = "; ".join(_members(each, cells, excluded) for each in sets)
            yield f"{_term(result)} = #count {{ {members} }}"
        case AggregateOf(result, function, chosen, conditions):
            inside = _inside(conditions)
            own = variables(result) | variables(chosen)
            local = sorted(variables(conditions) - elsewhere - own)
            tuples = [*map(_term, chosen), *([] if function == "count" else (f"V{index}" for index in local))]
            yield f"{_term(result)} = #{function} {{ {', '.join(tuples or ['1'])} : {', '.join(inside)} }}"
            if function in ("min", "max"):  # for the empty set they are #sup and #inf
                yield f"{_term(result)} != #sup"
                yield f"{_term(result)} != #inf"


def _members(closed: ClosedSet, cells: Sequence[str], excluded: Sequence[Var | int]) -> str:
    differences = [f"{cell} != {_term(each)}" for each in excluded for cell in cells]
    return f"{', '.join(cells)} : {', '.join([_atom(closed.member, (*closed.key, *cells)), *differences])}"
