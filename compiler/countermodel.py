"""Counter-models: a small state in which a rule's conditions hold and its conclusion does not follow.

The conditions are made true of few things in every way (variables that may be one thing are made one thing),
the theory is saturated on what that says and nothing else, and the conclusion is looked for. A state found is
a proof that the rule does not follow; that none is found within the bounds proves nothing. This is the
opposite of the checker and shares nothing with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from kb.check.sorts import variable_sorts
from kb.facts import ground_fact
from kb.faults import KnowledgeBaseError
from kb.knowledge_base import KnowledgeBase
from kb.printer import print_condition
from kb.substitution import apply_to_condition, apply_to_statement
from kb.terms import (
    All,
    Atom,
    Comparison,
    Condition,
    Constant,
    CountIn,
    Expression,
    GameStatement,
    Operation,
    Rule,
    Statement,
    Term,
    Variable,
    condition_variables,
    outer_variables,
)
from kb.theory import GroundFact, Theory
from matcher.program import Limits

Assignment = Mapping[str, Constant]


@dataclass(frozen=True, slots=True)
class CounterModel:
    """What the rule's variables stand for, the facts of the state, and the conclusion that does not follow."""

    assignment: Assignment
    facts: tuple[GroundFact, ...]
    missing: Statement

    def __str__(self) -> str:
        names = ", ".join(f"?{name} = {constant.value}" for name, constant in self.assignment.items())
        facts = "\n".join(f"  {f.relation}({', '.join(map(str, f.values))})" for f in self.facts)
        return f"with {names}\nin the state\n{facts}\n`{print_condition(self.missing)}` does not follow"


def find(rule: Rule, theory: Theory, *, tries: int = 2_000) -> CounterModel | None:
    """A counter-model of a learned rule among the first `tries` assignments, or None."""
    # One knowledge base serves all states: each is pushed and popped.
    base = KnowledgeBase(theory, derivations="none", limits=Limits(facts=100_000, seconds=5.0))
    for assignment in islice(_assignments(rule, theory), tries):
        state = _state(rule, assignment, theory)
        head = apply_to_statement(rule.head, assignment)
        if state is None or _follows(base, state, head):
            continue
        return CounterModel(dict(assignment), tuple(state), head)
    return None


def _follows(base: KnowledgeBase, state: Sequence[GroundFact], head: Statement) -> bool:
    """Whether the head follows; also True for what is no state at all (two values for one key, …)."""
    base.push()
    try:
        base.add(state)
        return base.holds(head)
    except KnowledgeBaseError:
        return True
    finally:
        base.pop()


def _assignments(rule: Rule, theory: Theory) -> Iterator[Assignment]:
    """Constants for the rule's shared variables: different things first, then ever more that are one thing."""
    sorts = variable_sorts(rule, theory.vocabulary)
    variables = [t for t in rule.head.terms if isinstance(t, Variable)]
    variables += list(outer_variables(rule.body))
    names = list(dict.fromkeys(v.name for v in variables))
    choices = [_constants(name, sorts.get(name), rule, theory, names) for name in names]
    seen: set[tuple[Constant, ...]] = set()
    for row in _by_distance(choices):
        if row not in seen and _comparisons_hold(rule, dict(zip(names, row, strict=True))):
            seen.add(row)
            yield dict(zip(names, row, strict=True))


def _constants(
    name: str, sort: str | None, rule: Rule, theory: Theory, names: Sequence[str]
) -> list[Constant]:
    declared = theory.vocabulary.sorts[sort or "int"]
    if declared.kind == "enumerated":
        return [Constant(word) for word in declared.constants]
    if declared.kind == "integer":
        near = {value + d for value in _integers(rule) for d in (-1, 0, 1)} | {0, 1, 2, 3}
        return [Constant(value) for value in sorted(near, key=abs)]
    # Its own thing first, then the things of the variables before it.
    there = [c.value for c in _words(rule)]
    own = [f"thing_{name}", *(f"thing_{other}" for other in names[: names.index(name)]), *map(str, there)]
    return [Constant(word) for word in dict.fromkeys(own)]


def _by_distance(choices: Sequence[Sequence[Constant]]) -> Iterator[tuple[Constant, ...]]:
    """The rows of a product, those with few choices away from the first before those with many."""
    for total in range(sum(len(c) - 1 for c in choices) + 1):
        yield from _with_sum(choices, total)


def _with_sum(choices: Sequence[Sequence[Constant]], total: int) -> Iterator[tuple[Constant, ...]]:
    if not choices:
        if total == 0:
            yield ()
        return
    most = sum(len(c) - 1 for c in choices[1:])
    for index in range(max(0, total - most), min(total, len(choices[0]) - 1) + 1):
        for rest in _with_sum(choices[1:], total - index):
            yield (choices[0][index], *rest)


def _integers(rule: Rule) -> set[int]:
    return {c.value for c in _constants_of(rule) if isinstance(c.value, int)}


def _words(rule: Rule) -> list[Constant]:
    return [c for c in _constants_of(rule) if isinstance(c.value, str)]


def _constants_of(rule: Rule) -> list[Constant]:
    found: list[Constant] = []
    todo: list[Condition | Expression] = [rule.head, *rule.body]
    while todo:
        item = todo.pop()
        match item:
            case Constant():
                found.append(item)
            case Atom() | GameStatement():
                todo += item.terms
            case Comparison() | Operation():
                todo += [item.left, item.right]
            case All():
                todo += [item.member, *item.conditions]
            case CountIn():
                todo += [item.result, *item.sets]
            case _:
                pass
    return list(dict.fromkeys(found))


def _comparisons_hold(rule: Rule, assignment: Assignment) -> bool:
    return all(
        compare(c.operator, value(c.left, assignment), value(c.right, assignment))
        for c in rule.body
        if isinstance(c, Comparison)
    )


def value(expression: Expression, assignment: Assignment) -> str | int:
    match expression:
        case Constant():
            return expression.value
        case Variable():
            return assignment[expression.name].value
        case Operation():
            left, right = value(expression.left, assignment), value(expression.right, assignment)
            assert isinstance(left, int)
            assert isinstance(right, int)
            return _apply(expression.operator, left, right)


def _apply(operator: str, left: int, right: int) -> int:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "//":
            return left // right if right else 0
        case "min":
            return min(left, right)
        case _:
            return max(left, right)


def compare(operator: str, left: str | int, right: str | int) -> bool:
    if operator in ("=", "!="):
        return (left == right) == (operator == "=")
    assert isinstance(left, int)
    assert isinstance(right, int)
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[operator]


def _state(rule: Rule, assignment: Assignment, theory: Theory) -> list[GroundFact] | None:
    """The facts that the conditions say of the assigned things, with closed sets made as small as they may be."""
    said: list[Statement] = []
    if isinstance(rule.head, GameStatement) and rule.head.by is not None and rule.head.tense is None:
        said.append(apply_to_statement(rule.head.by, assignment))
    closed: list[All | CountIn] = []
    for condition in rule.body:
        met = apply_to_condition(condition, assignment)
        match met:
            case Atom() | GameStatement():
                said.append(met)
            case All() | CountIn():
                closed.append(met)
            case _:
                pass
    for condition in closed:
        if not _close(condition, said, theory):
            return None
    return list(dict.fromkeys(ground_fact(statement) for statement in said))


def _close(condition: All | CountIn, said: list[Statement], theory: Theory) -> bool:
    """Counts the members that are said, and makes a closed condition true of each. False where that fails."""
    members = condition.sets if isinstance(condition, CountIn) else (condition.member,)
    width = len(condition.variables)
    union: set[tuple[Term, ...]] = set()
    for member in members:
        key = member.terms[: len(member.terms) - width]
        rows = {
            s.terms[len(key) :] for s in said if s.relation == member.relation and s.terms[: len(key)] == key
        }
        union |= rows
        counts = next(
            p for p in theory.vocabulary.predicates.values() if p.counts and p.counts.name == member.predicate
        )
        count = Atom(counts.name, (*key, Constant(len(rows))), member.tense)
        if not any(s.relation == count.relation and s.terms[:-1] == count.terms[:-1] for s in said):
            said.append(count)
        if isinstance(condition, All):
            for row in rows:
                _make_true(condition, row, said)
    if isinstance(condition, CountIn):
        size = len(union - {(term,) for term in condition.excluded})
        return isinstance(condition.result, Constant) and condition.result.value == size
    return True


def _make_true(condition: All, row: tuple[Term, ...], said: list[Statement]) -> None:
    listed = {v.name: term for v, term in zip(condition.variables, row, strict=True)}
    for inner in condition.conditions:
        local = {
            v.name: Constant(f"some_{v.name}") for v in condition_variables(inner) if v.name not in listed
        }
        met = apply_to_condition(inner, {**local, **listed})
        if isinstance(met, Atom | GameStatement):
            said.append(met)
