"""Grounding: from a problem in PDDL to its ground task, by the engine.

The relaxed problem ignores deletions and negative conditions on atoms that change. Its rules derive the
atoms that can ever be true, and the instances of actions that can ever be applicable. Conditions that never
change are evaluated by these rules, and do not occur in the ground task.

Source: Helmert, Concise Finite-Domain Representations for PDDL Planning Tasks, AIJ 173 (2009), section 6.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import (
    AbsentOf,
    CodedCondition,
    CodedPredicate,
    CodedRule,
    CodedTerm,
    Compare,
    Fact,
    Limits,
    Match,
    PredicateId,
    Var,
)
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.errors import FactLimitError, LimitError
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.planner._core import TaskBuilder
from hornbook.planner.pddl.syntax import (
    EQUALITY,
    FunctionTerm,
    PddlAction,
    PddlEffect,
    PddlLiteral,
    PlanningProblem,
    TypedName,
    is_variable,
)
from hornbook.planner.tasks.ground_task import GroundTask, Instances

TASK_BOUNDS = Limits(facts=3_000_000, seconds=None, bytes=2 * 2**30)
"""The default limits: the number of atoms and instances of actions together, and the memory."""


class TaskTooLarge(HornbookError):
    """A problem with more atoms or instances of actions than a limit allows."""


@dataclass(frozen=True, slots=True)
class _Conditions:
    """Conditions divided by their treatment: tests are static, the others may change."""

    tests: tuple[CodedCondition, ...]
    positive: tuple[Match, ...]
    negative: tuple[Match, ...]


@dataclass(frozen=True, slots=True)
class _CodedEffect:
    """An effect. `types` are the types of its own parameters; `columns` are those of action and effect."""

    literal: Match
    adds: bool
    types: tuple[Match, ...]
    conditions: _Conditions
    columns: tuple[Var, ...]

    @property
    def needs_rows(self) -> bool:
        """Whether its instances are not simply those of the action."""
        return bool(self.types or self.conditions.tests)

    def body(self, action: Match) -> tuple[CodedCondition, ...]:
        return (action, *self.types, *self.conditions.tests, *self.conditions.positive)


@dataclass(frozen=True, slots=True)
class _CodedAction:
    """An action. `instance` is the relation of its instances."""

    name: str
    instance: Match
    types: tuple[Match, ...]
    conditions: _Conditions
    cost: int | Match
    effects: tuple[_CodedEffect, ...]

    @property
    def columns(self) -> tuple[Var, ...]:
        return tuple(map(Var, range(len(self.instance.terms))))

    def body(self) -> tuple[CodedCondition, ...]:
        valued = () if isinstance(self.cost, int) else (self.cost,)
        return (*self.types, *self.conditions.tests, *self.conditions.positive, *valued)


def ground_task(both: PlanningProblem, limits: Limits = TASK_BOUNDS) -> GroundTask:
    """Return the ground task of a problem. Raises TaskTooLarge.

    An action costs what it adds to the total cost if the problem minimises that, and otherwise 1.
    """
    grounder = _Grounder(both)
    try:
        return grounder.ground(limits)
    except FactLimitError as problem:
        raise TaskTooLarge(grounder.too_many(problem)) from None
    except LimitError as problem:
        raise TaskTooLarge(f"the problem could not be grounded: {problem}") from None


class _Grounder:
    """The coding of a problem for the engine."""

    def __init__(self, both: PlanningProblem) -> None:
        self._both = both
        self._names = tuple(each.name for each in both.objects)
        self._numbers = {name: number for number, name in enumerate(self._names)}
        self._changing = both.domain.changing()
        self._predicates: list[CodedPredicate] = []
        self._facts: list[Fact] = []
        self._relations = {
            name: self._relation(len(signature.parameters))
            for name, signature in both.domain.predicates.items()
        }
        self._functions = self._coded_functions()
        self._types: dict[tuple[str, ...], PredicateId] = {}
        self._initial: dict[str, list[int]] = {name: [] for name in self._relations}
        self._initial_counts = dict.fromkeys(self._relations, 0)
        for literal in dict.fromkeys(both.problem.initial):
            if literal.positive:
                cells = [self._numbers[term] for term in literal.terms]
                self._facts.append(Fact(self._relations[literal.predicate], tuple(cells)))
                self._initial[literal.predicate] += cells
                self._initial_counts[literal.predicate] += 1
        self._actions = tuple(self._coded_action(action) for action in both.domain.actions)

    def _relation(self, arity: int) -> PredicateId:
        self._predicates.append(CodedPredicate(arity))
        return len(self._predicates) - 1

    def _coded_functions(self) -> dict[str, PredicateId]:
        """Return the relations of the functions, whose rows are the arguments that have a value."""
        found: dict[str, PredicateId] = {}
        for term in self._both.problem.values:
            if term.function not in found:
                found[term.function] = self._relation(len(term.terms))
            cells = tuple(self._numbers[name] for name in term.terms)
            self._facts.append(Fact(found[term.function], cells))
        return found

    def too_many(self, problem: FactLimitError) -> str:
        """Return the message for too many facts."""
        names = {number: f"`{name}`" for name, number in self._relations.items()}
        names |= {each.instance.predicate: f"the action `{each.name}`" for each in self._actions}
        name = None if problem.predicate is None else names.get(problem.predicate)
        most = "" if name is None else f", most of {name}"
        return f"the problem has more than {problem.limit:,} atoms and instances of actions{most}"

    def _of_types(self, types: tuple[str, ...], variable: Var) -> Match:
        """Return the condition that a variable is an object of one of the types."""
        if types not in self._types:
            number = self._types[types] = self._relation(1)
            self._facts += [Fact(number, (self._numbers[name],)) for name in self._both.of_types(types)]
        return Match(self._types[types], (variable,))

    def _coded_action(self, action: PddlAction) -> _CodedAction:
        variables = {each.name: Var(number) for number, each in enumerate(action.parameters)}
        return _CodedAction(
            action.name,
            Match(self._relation(len(variables)), tuple(variables.values())),
            self._coded_types(action.parameters, variables),
            self._coded_conditions(action.precondition, variables),
            self._coded_cost(action.cost, variables),
            tuple(self._coded_effect(effect, variables) for effect in action.effects),
        )

    def _coded_types(
        self, parameters: Iterable[TypedName], variables: Mapping[str, Var]
    ) -> tuple[Match, ...]:
        return tuple(self._of_types(each.types, variables[each.name]) for each in parameters)

    def _coded_effect(self, effect: PddlEffect, outer: Mapping[str, Var]) -> _CodedEffect:
        inner = {each.name: Var(len(outer) + number) for number, each in enumerate(effect.parameters)}
        variables = {**outer, **inner}
        return _CodedEffect(
            self._match(effect.literal, variables),
            effect.literal.positive,
            self._coded_types(effect.parameters, inner),
            self._coded_conditions(effect.conditions, variables),
            tuple(map(Var, range(len(outer) + len(inner)))),
        )

    def _coded_conditions(self, literals: Iterable[PddlLiteral], variables: Mapping[str, Var]) -> _Conditions:
        tests: list[CodedCondition] = []
        positive: list[Match] = []
        negative: list[Match] = []
        for literal in literals:
            if literal.predicate == EQUALITY:
                left, right = self._terms(literal.terms, variables)
                tests.append(Compare("=" if literal.positive else "!=", left, right))
                continue
            match = self._match(literal, variables)
            if literal.predicate in self._changing:
                (positive if literal.positive else negative).append(match)
            else:
                tests.append(match if literal.positive else AbsentOf((match,)))
        return _Conditions(tuple(tests), tuple(positive), tuple(negative))

    def _coded_cost(self, cost: int | FunctionTerm | None, variables: Mapping[str, Var]) -> int | Match:
        if not self._both.problem.minimises_cost:
            return 1
        if not isinstance(cost, FunctionTerm):
            return cost or 0
        if cost.function not in self._functions:
            self._functions[cost.function] = self._relation(len(cost.terms))
        return Match(self._functions[cost.function], self._terms(cost.terms, variables))

    def _match(self, literal: PddlLiteral, variables: Mapping[str, Var]) -> Match:
        return Match(self._relations[literal.predicate], self._terms(literal.terms, variables))

    def _terms(self, terms: Sequence[str], variables: Mapping[str, Var]) -> tuple[CodedTerm, ...]:
        return tuple(variables[term] if is_variable(term) else self._numbers[term] for term in terms)

    def ground(self, limits: Limits) -> GroundTask:
        """Return the ground task. Raises LimitError."""
        engine = CompiledEngine(self._predicates, derivations="none", limits=limits)
        engine.update(add=self._facts, add_rules=self._rules())
        builder = TaskBuilder()
        for name in sorted(self._changing):
            relation = self._relations[name]
            columns = tuple(map(Var, range(self._predicates[relation].arity)))
            initial = array("q", self._initial[name]).tobytes()
            rows = engine.query_cells([Match(relation, columns)], columns)
            builder.relation(relation, len(columns), *rows, self._initial_counts[name], initial)
        self._add_functions(builder)
        actions = tuple(self._add_action(builder, engine, action) for action in self._actions)
        core, places = builder.finish(*self._goal(engine))
        return GroundTask(core, self._names, actions, array("I", places))

    def _rules(self) -> list[CodedRule]:
        rules: list[CodedRule] = []
        for action in self._actions:
            rules.append(CodedRule(action.name, action.instance, action.body(), len(action.columns)))
            for number, effect in enumerate(action.effects):
                if effect.adds:
                    name, body = (action.name, number), effect.body(action.instance)
                    rules.append(CodedRule(name, effect.literal, body, len(effect.columns)))
        return rules

    def _add_functions(self, builder: TaskBuilder) -> None:
        rows: dict[str, list[int]] = {name: [] for name in self._functions}
        values: dict[str, list[int]] = {name: [] for name in self._functions}
        for term, value in self._both.problem.values.items():
            rows[term.function] += [self._numbers[name] for name in term.terms]
            values[term.function].append(value)
        for name, number in self._functions.items():
            cells, costs = array("q", rows[name]).tobytes(), array("q", values[name]).tobytes()
            builder.function(number, self._predicates[number].arity, len(values[name]), cells, costs)

    def _add_action(self, builder: TaskBuilder, engine: CompiledEngine, action: _CodedAction) -> Instances:
        count, cells = engine.query_cells([action.instance], action.columns)
        cost = action.cost if isinstance(action.cost, int) else _pattern(action.cost)
        conditions = action.conditions
        builder.action(
            len(action.columns),
            count,
            cells,
            _patterns(conditions.positive),
            _patterns(conditions.negative),
            cost,
        )
        for effect in action.effects:
            literal, conditions = _pattern(effect.literal), effect.conditions
            positive, negative = _patterns(conditions.positive), _patterns(conditions.negative)
            if effect.needs_rows:
                rows = engine.query_cells(effect.body(action.instance), effect.columns)
                builder.effects(literal, effect.adds, positive, negative, len(effect.columns), *rows)
            else:
                builder.effect(literal, effect.adds, positive, negative)
        return Instances(action.name, len(action.columns), count, cells)

    def _goal(self, engine: CompiledEngine) -> tuple[list[list[int]], list[list[int]], bool]:
        """Return the patterns of the goal's atoms that change, and whether its static tests hold."""
        goal = self._coded_conditions(self._both.problem.goal, {})
        holds = not goal.tests or engine.query_cells(goal.tests, ())[0] > 0
        return _patterns(goal.positive), _patterns(goal.negative), holds


def _pattern(match: Match) -> list[int]:
    return [match.predicate, *(~term.index if isinstance(term, Var) else term for term in match.terms)]


def _patterns(matches: Iterable[Match]) -> list[list[int]]:
    return [_pattern(match) for match in matches]
