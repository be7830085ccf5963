"""A sheet's program in the form that goal-directed evaluation reads (planner/core/resolution/program.hpp).

In this form a relation either has stored facts or is concluded by rules, never both, and an absence is of one
fact. Therefore the facts of a relation that also has rules move to a separate relation. An absence of several
conditions becomes the absence of a new relation that these conditions define.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import networkx as nx

from hornbook.matcher.program.coded import (
    AbsentOf,
    CodedCondition,
    CodedPredicate,
    CodedRule,
    CodedTerm,
    Compare,
    Match,
    Var,
)
from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.coding import CodedGame

Condition = tuple[int, int, list[int]]
"""A kind (below), the relation of a match or an absence, and columns: a word, or variable v as ~v."""
MATCH, ABSENT, EQUAL, DIFFER = range(4)
GoalRule = tuple[int, list[int], list[Condition], int]
"""A relation, the columns of the head, the body, and the number of variables."""
ON_NOTHING, ON_STATE, ON_MOVES = range(3)
"""The inputs with which a relation's facts change."""
INPUTS = {"true": ON_STATE, "does": ON_MOVES}
QUERIED = ("init", "legal", "next", "terminal", "goal")


@dataclass(frozen=True, slots=True)
class GoalProgram:
    """A program for goal-directed evaluation.

    Each element of `relations` has the width, the inputs that change it, and whether rules conclude it. The
    first ones have the program's numbers. `shared` lists the relations that follow from facts alone and are
    queried in states, each after those that it depends on.
    """

    relations: list[tuple[int, int, bool]]
    rules: list[GoalRule]
    facts: list[tuple[int, list[int]]]
    shared: list[int]


def goal_program(program: CodedGame) -> GoalProgram:
    """Return the goal program with the same relations, from the same facts and states."""
    writer = _GoalProgramWriter(program)
    for rule in program.rules:
        writer.write(rule)
    inputs = {number: INPUTS[name] for (name, _), number in program.numbers.items() if name in INPUTS}
    queried = [number for (name, _), number in program.numbers.items() if name in QUERIED]
    return writer.program(inputs, queried)


def traced(program: CodedGame) -> CodedGame:
    """Return the program with an additional relation for each rule: the instances of that rule.

    The new relations follow the others. An instance has the values of the rule's variables in ascending
    order, without those that are local to absences.
    """
    first = len(program.predicates)
    made = [
        CodedRule(
            rule.id, Match(first + place, tuple(map(Var, bound_variables(rule)))), rule.body, rule.variables
        )
        for place, rule in enumerate(program.rules)
    ]
    widths = (CodedPredicate(len(rule.head.terms)) for rule in made)
    return replace(program, predicates=(*program.predicates, *widths), rules=(*program.rules, *made))


def bound_variables(rule: CodedRule) -> list[int]:
    """Return the variables of a rule that are not local to absences, ascending."""
    return sorted(_bound(rule.body))


class _GoalProgramWriter:
    def __init__(self, program: CodedGame) -> None:
        self.widths = [predicate.arity for predicate in program.predicates]
        self.rules: list[GoalRule] = []
        self.denied: set[int] = set()  # queried only with all columns bound
        concluded = {rule.head.predicate for rule in program.rules}
        self.facts: list[tuple[int, list[int]]] = []
        own: dict[int, int] = {}
        for fact in dict.fromkeys(program.facts):
            number = fact.predicate
            if number in concluded:
                if number not in own:
                    own[number] = self.relation(self.widths[number])
                    columns = [~place for place in range(self.widths[number])]
                    self.rules.append((number, columns, [(MATCH, own[number], columns)], len(columns)))
                number = own[number]
            self.facts.append((number, list(fact.cells)))

    def relation(self, width: int) -> int:
        self.widths.append(width)
        return len(self.widths) - 1

    def write(self, rule: CodedRule) -> None:
        self.rule(rule.head.predicate, list(map(_column, rule.head.terms)), rule.body, rule.variables, set())

    def rule(
        self, relation: int, head: list[int], body: Sequence[CodedCondition], variables: int, given: set[int]
    ) -> None:
        """Add a rule whose goals bind the variables in `given`."""
        bound = given | _bound(body, given)
        conditions: list[Condition] = []
        for condition in body:
            match condition:
                case Match(predicate=number, terms=terms):
                    conditions.append((MATCH, number, list(map(_column, terms))))
                case Compare(operator=operator, left=left, right=right):
                    assert isinstance(left, Var | int)
                    assert isinstance(right, Var | int)
                    kind = EQUAL if operator == "=" else DIFFER
                    conditions.append((kind, 0, [_column(left), _column(right)]))
                case AbsentOf(conditions=inside):
                    absent, variables = self.absence(inside, bound, variables)
                    conditions.append(absent)
                case _:
                    raise TypeError(condition)
        self.rules.append((relation, head, conditions, variables))

    def absence(
        self, inside: Sequence[CodedCondition], bound: set[int], variables: int
    ) -> tuple[Condition, int]:
        """Return the absence of one fact, and the number of variables including those local to it."""
        if len(inside) == 1 and isinstance(inside[0], Match):
            columns = list(map(_column, inside[0].terms))
            local = [column for column in columns if column < 0 and ~column not in bound]
            if len(local) == len(set(local)):
                names = {column: ~(variables + place) for place, column in enumerate(local)}
                return (
                    ABSENT,
                    inside[0].predicate,
                    [names.get(column, column) for column in columns],
                ), variables + len(local)
        shared = sorted(set(_variables(inside)) & bound)
        number = self.relation(len(shared))
        self.denied.add(number)
        columns = [~variable for variable in shared]
        self.rule(number, columns, inside, variables, set(shared))
        return (ABSENT, number, columns), variables

    def program(self, inputs: Mapping[int, int], queried: Iterable[int]) -> GoalProgram:
        concluded = {relation for relation, *_ in self.rules}
        users: nx.DiGraph[int] = nx.DiGraph()
        users.add_nodes_from(range(len(self.widths)))
        for relation, _, body, _ in self.rules:
            users.add_edges_from((of, relation) for kind, of, _ in body if kind in (MATCH, ABSENT))
        inputs_of = dict.fromkeys(range(len(self.widths)), ON_NOTHING)
        for kind in (ON_STATE, ON_MOVES):
            for number in (number for number, on in inputs.items() if on == kind):
                inputs_of.update(dict.fromkeys((number, *nx.descendants(users, number)), kind))
        needed = set(queried)
        for relation, on in inputs_of.items():
            if on != ON_NOTHING:
                needed.update(users.predecessors(relation))
        for relation in tuple(needed):
            if inputs_of[relation] == ON_NOTHING:
                needed |= nx.ancestors(users, relation)
        circles = nx.condensation(users)
        order = [
            number
            for circle in nx.topological_sort(circles)
            for number in sorted(circles.nodes[circle]["members"])
        ]
        return GoalProgram(
            [(width, inputs_of[number], number in concluded) for number, width in enumerate(self.widths)],
            self.rules,
            self.facts,
            [
                number
                for number in order
                if number in needed
                and number in concluded
                and inputs_of[number] == ON_NOTHING
                and number not in self.denied
            ],
        )


def _column(term: CodedTerm) -> int:
    return ~term.index if isinstance(term, Var) else term


def _bound(body: Iterable[CodedCondition], given: Iterable[int] = ()) -> set[int]:
    """Return the variables bound by matches, and by equations with bound variables or words."""
    found = {
        term.index for each in body if isinstance(each, Match) for term in each.terms if isinstance(term, Var)
    } | set(given)
    equations = [each for each in body if isinstance(each, Compare) and each.operator == "="]
    before = -1
    while before != (before := len(found)):
        for each in equations:
            sides = [side.index for side in (each.left, each.right) if isinstance(side, Var)]
            if len(sides) < 2 or found.intersection(sides):
                found.update(sides)
    return found


def _variables(body: Iterable[CodedCondition]) -> Iterator[int]:
    for each in body:
        match each:
            case Match(terms=terms):
                yield from (term.index for term in terms if isinstance(term, Var))
            case Compare(left=left, right=right):
                yield from (side.index for side in (left, right) if isinstance(side, Var))
            case AbsentOf(conditions=inside):
                yield from _variables(inside)
