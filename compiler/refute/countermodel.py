"""Counter-models: small states that satisfy a rule's conditions but not its conclusion.

The conditions are made true with few objects in many ways: variables may share an object, and closed sets get
additional members. The theory is saturated with these facts only, and the engine evaluates the conditions and
the conclusion. A state that is found proves that the rule does not follow. A search without a result proves
nothing. This is the opposite of the checker and shares no code with it.

A condition on a derived predicate is made true by supposing its fact, which a given state cannot have. Such a
state shows only that no proof can do without the clauses of the predicate. So a state is searched for that
derives the supposed facts. If there is none, the counter-model names the supposed facts.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice, product

from hornbook.compiler.checker.checker import as_value
from hornbook.kb.ast.declarations import INTEGER_SORT, Predicate, SortName
from hornbook.kb.ast.evaluation import evaluated
from hornbook.kb.ast.once_per_theory import once_per_theory
from hornbook.kb.ast.substitution import (
    apply_to_condition,
    apply_to_statement,
    apply_to_term,
    at_moment,
    rename_rule,
)
from hornbook.kb.ast.terms import (
    All,
    Atom,
    Comparison,
    Condition,
    Constant,
    CountIn,
    Expression,
    GameStatement,
    Operation,
    PlanStatement,
    Rule,
    Statement,
    Term,
    Variable,
    condition_constants,
    condition_variables,
    expression_variables,
    member_atoms,
    outer_variables,
    predicate_of,
    statements,
)
from hornbook.kb.ast.theory import GroundFact, Theory, Vocabulary, counts_of
from hornbook.kb.base.fact_states import FactStates
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.check.clauses.sorts import variable_sorts
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.budget import Budget, SpentError
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.facts import FactError, ground_fact
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass

Assignment = Mapping[str, Constant]
Candidate = tuple[Assignment, tuple[GroundFact, ...]]
"""The values of a rule's variables, and the facts of a state."""

MOST_MEMBERS = 2
"""The maximum number of members that a closed set gets in addition to those that the rule names."""
MOST_ROWS = 50_000
"""The maximum number of assignments considered, since comparisons may exclude all of them."""
MOST_WAYS = 6
"""The maximum number of ways to choose the variables of one member of a closed set."""
MOST_UNFOLDED = 8
"""The maximum number of rules with unfolded conditions that are tried."""
MOST_UNFOLDINGS = 100
"""The maximum number of conditions that are unfolded for them."""
_LIMITS = Limits(facts=100_000, seconds=5.0)
_FIRST_BLOCK, _LARGEST_BLOCK = 16, 256
"""The numbers of states that are evaluated together."""


@dataclass(frozen=True, slots=True)
class CounterModel:
    """A counter-model: the values of the rule's variables, the facts of the state, and the missing
    conclusion.

    `supposed` has the facts of the state that only rules may conclude, and that no rule concludes there.
    """

    assignment: Assignment
    facts: tuple[GroundFact, ...]
    missing: Statement
    supposed: tuple[GroundFact, ...] = ()

    def __str__(self) -> str:
        names = ", ".join(f"?{name} = {constant.value}" for name, constant in self.assignment.items())
        state = "\n".join(f"  {_shown(fact)}" for fact in self.facts)
        text = f"with {names}\nin the state\n{state}\n`{print_condition(self.missing)}` does not follow"
        if not self.supposed:
            return text
        supposed = ", ".join(f"`{_shown(fact)}`" for fact in self.supposed)
        return (
            f"{text}; but the state supposes {supposed}, which no rule concludes there: the claim may still"
            " be right in states of given facts"
        )


def _shown(fact: GroundFact) -> str:
    tense = "after " if fact.tense == "after" else ""
    return f"{tense}{fact.relation}({', '.join(map(str, fact.values))})"


def find(
    rule: Rule,
    theory: Theory,
    *,
    lemmas: Sequence[Rule] = (),
    tries: int = 2_000,
    budget: Budget | None = None,
) -> CounterModel | None:
    """Return a counter-model of a learned rule among the first `tries` states, or None.

    Each state is charged to the budget, by default one minute; None is returned when it is exhausted. A
    counter-model without supposed facts is preferred, if one is found among further states. The
    conclusion follows if the theory, with the lemmas as further rules, derives it from one state and one
    action. If it may depend on the value of a game with replies, more facts follow than a knowledge base
    derives, and no counter-model is searched for.
    """
    concluded = as_concluded(rule, theory)
    if concluded is None:
        return None
    further_rules = (lemma for lemma in lemmas if not isinstance(lemma.head, PlanStatement))
    theory = replace(theory, rules=(*theory.rules, *further_rules))
    budget = budget or Budget(seconds=60.0)
    found = _find(concluded, theory, tries, budget)
    if found is None or not found.supposed:
        return found
    for unfolded in islice(_unfolded(concluded, theory), MOST_UNFOLDED):
        given = _find(unfolded, theory, tries // MOST_UNFOLDED, budget)
        if given is not None and not given.supposed:
            return given
    return found


def _find(rule: Rule, theory: Theory, tries: int, budget: Budget) -> CounterModel | None:
    """Return the first counter-model of a rule in a form that a knowledge base derives, or None."""
    things = _CandidateConstants(rule, theory)
    names = _shared_names(rule)
    states = _states_with(names, things, rule, theory)
    candidates = _charged(
        ((a, state) for a in _assignments(rule, things) for state in _states(rule, a, things)), tries, budget
    )
    for block in _blocks(candidates):
        given = [(*state, _assigned(names, assignment)) for assignment, state in block]
        for (assignment, state), found in zip(block, states.valid(given), strict=True):
            # States that contradict the theory, or whose evaluation exceeds a limit, are skipped.
            if found is not None and found.answers(_BODY) and not found.answers(_HEAD):
                missing = apply_to_statement(rule.head, assignment)
                return CounterModel(dict(assignment), state, missing, _supposed(state, theory))
    return None


def _supposed(state: tuple[GroundFact, ...], theory: Theory) -> tuple[GroundFact, ...]:
    """Return the facts of derived predicates in a state that do not follow from its other facts."""
    words = theory.vocabulary.predicates
    derived = [fact for fact in state if words[fact.relation].kind == "derived"]
    if not derived:
        return ()
    base = KnowledgeBase(theory, limits=_LIMITS)
    try:
        base.add([fact for fact in state if fact not in derived])
        return tuple(fact for fact in derived if not base.holds(fact))
    except (KnowledgeBaseError, FactError):
        return tuple(derived)


def _unfolded(rule: Rule, theory: Theory) -> Iterator[Rule]:
    """Yield rules in which clauses replace the conditions on derived predicates, down to given facts.

    Their conditions imply those of the rule.
    """
    words = theory.vocabulary.predicates
    waiting = deque([(rule, 0)])
    for _ in range(MOST_UNFOLDINGS):
        if not waiting:
            return
        unfolded, depth = waiting.popleft()
        places = (
            (place, condition)
            for place, condition in enumerate(unfolded.body)
            if isinstance(condition, Atom) and words[condition.predicate].kind == "derived"
        )
        place, condition = next(places, (-1, None))
        if condition is None:
            yield unfolded
            continue
        for clause in theory.rules if depth < MOST_UNFOLDINGS else ():
            body = _body_of(clause, condition, f"_{depth + 1}", theory)
            if body is not None:
                conditions = (*unfolded.body[:place], *body, *unfolded.body[place + 1 :])
                waiting.append((replace(unfolded, body=tuple(dict.fromkeys(conditions))), depth + 1))


def _body_of(clause: Rule, condition: Atom, mark: str, theory: Theory) -> list[Condition] | None:
    """Return the conditions under which a clause concludes a condition, or None if it does not.

    Their further variables end with the mark. A clause that needs two variables to be equal, or to have the
    value of a constant, has an equation for them.
    """
    if clause.head.relation != condition.relation or clause.head.tense not in (None, condition.tense):
        return None
    own = rename_rule(clause, lambda name: f"{name}{mark}")
    terms: dict[str, Term] = {}
    equal: list[Condition] = []
    for term, given in zip(own.head.terms, condition.terms, strict=True):
        if isinstance(term, Variable) and term.name not in terms:
            terms[term.name] = given
        elif apply_to_term(term, terms) != given:
            equal.append(Comparison("=", given, apply_to_term(term, terms)))
    timeless = not any(each.tense for each in (own.head, *statements(own.body)))
    body = [apply_to_condition(each, terms) for each in own.body]
    if timeless:
        body = [at_moment(each, condition.tense, theory.vocabulary) for each in body]
    return [*equal, *body]


_ASSIGNED = "assigned values"
"""The predicate of the values of a rule's variables; no predicate of a theory has its name."""
_BODY, _HEAD = 0, 1
"""The numbers of the queries for a rule's conditions and conclusion."""


def _states_with(names: Sequence[str], things: _CandidateConstants, rule: Rule, theory: Theory) -> FactStates:
    """Return a theory that is evaluated in many states, with queries for the conditions and the conclusion of
    a rule with assigned variables.
    """
    columns = tuple(SortName(things.sorts.get(name) or INTEGER_SORT) for name in names)
    predicates = {**theory.vocabulary.predicates, _ASSIGNED: Predicate("static", _ASSIGNED, columns)}
    assigned = Atom(_ASSIGNED, tuple(map(Variable, names)))
    return FactStates(
        replace(theory, vocabulary=replace(theory.vocabulary, predicates=predicates)),
        (),
        [(assigned, *rule.body), (assigned, rule.head)],
        _LIMITS,
        are_supposed=True,
    )


def _assigned(names: Sequence[str], assignment: Assignment) -> GroundFact:
    return GroundFact(_ASSIGNED, tuple(assignment[name].value for name in names))


def _charged(candidates: Iterator[Candidate], tries: int, budget: Budget) -> Iterator[Candidate]:
    """Yield at most `tries` candidates until the budget is exhausted."""
    with suppress(SpentError):
        for candidate in islice(candidates, tries):
            budget.spend()
            yield candidate


def _blocks(candidates: Iterator[Candidate]) -> Iterator[list[Candidate]]:
    """Yield the candidates in blocks. The first blocks are small, because many rules are refuted soon. They
    grow only while a block takes little time, because the time of a search is bounded.
    """
    size = _FIRST_BLOCK
    while block := list(islice(candidates, size)):
        started = time.monotonic()
        yield block
        if size < _LARGEST_BLOCK and time.monotonic() - started < 1:
            size *= 4


def as_concluded(rule: Rule, theory: Theory) -> Rule | None:
    """Return a rule in a form whose conclusion a knowledge base derives.

    Return None if more follows than a knowledge base derives: from replies, or after a pass.
    """
    if _may_rest_on_replies(rule.head, theory):
        return None
    if not isinstance(rule.head, PlanStatement):
        return rule
    return as_value(rule) if rule.head.moves == 1 else None


def small_states(rule: Rule, theory: Theory, rows: int, most: int) -> Iterator[tuple[GroundFact, ...]]:
    """Yield different small states that satisfy a rule's conditions, the smallest first.

    `rows` assignments are tried. There are at most `most` states, and one more for each number that the
    theory states and that a variable may have.
    """
    things = _CandidateConstants(rule, theory)
    assignments = _assignments(rule, things, rows)
    states = (state for assignment in assignments for state in _states(rule, assignment, things))
    stated = {things.sorts.get(name): len(things.stated_for(name)) for name in _shared_names(rule)}
    return islice(_different(states), most + sum(stated.values()))


def _different(states: Iterable[tuple[GroundFact, ...]]) -> Iterator[tuple[GroundFact, ...]]:
    """Yield each state once. Assignments that differ only in results of aggregates have one state."""
    seen: set[tuple[GroundFact, ...]] = set()
    for state in states:
        if state not in seen:
            seen.add(state)
            yield state


def _may_rest_on_replies(head: Statement, theory: Theory) -> bool:
    """Return whether a conclusion may depend, through any rules, on a game won against every reply."""
    replied = {replies.game.predicate for replies in theory.replies}
    below: dict[str, list[Statement]] = {}
    for rule in theory.rules if replied else ():
        below.setdefault(rule.head.relation, []).extend(statements(rule.body))
    todo, seen = [head], {head.relation}
    while todo:
        statement = todo.pop()
        if (
            isinstance(statement, GameStatement)
            and statement.by is None
            and predicate_of(statement) in replied
        ):
            return True
        new = [s for s in below.get(statement.relation, ()) if s.relation not in seen]
        seen |= {s.relation for s in new}
        todo += new
    return False


# Assignments


def _assignments(rule: Rule, things: _CandidateConstants, rows: int | None = None) -> Iterator[Assignment]:
    """Yield constants for the rule's shared variables: distinct objects first, then more and more equal
    ones. A variable that an equation determines has its calculated value.
    """
    names = _shared_names(rule)
    equations = _equations(rule, [name for name in names if things.is_integer(name)])
    chosen = [name for name in names if name not in equations]
    choices = [things.of(name, chosen[: chosen.index(name)]) for name in chosen]
    comparisons = [c for c in rule.body if isinstance(c, Comparison)]
    for row in islice(_by_distance(choices), MOST_ROWS if rows is None else rows):
        assignment = dict(zip(chosen, row, strict=True))
        for name, calculation in equations.items():
            found = value(calculation, assignment)
            assert isinstance(found, int)
            assignment[name] = things.of_sort(name, found)
        if all(holds(comparison, assignment) for comparison in comparisons):
            yield {name: assignment[name] for name in names}


def _equations(rule: Rule, names: Sequence[str]) -> dict[str, Operation]:
    """Return the calculations of the variables that equations alone determine, in an order in which each
    uses values of chosen or earlier variables only. `names` are the variables of numbers.
    """
    matched = {v.name for v in outer_variables([c for c in rule.body if not isinstance(c, Comparison)])}
    calculable = set(names) - matched
    left = [
        (c.left.name, c.right)
        for c in rule.body
        if isinstance(c, Comparison) and c.operator == "=" and isinstance(c.left, Variable)
        and isinstance(c.right, Operation)
    ]  # fmt: skip
    found: dict[str, Operation] = {}
    known = set(matched)
    while ready := [
        (name, calculation)
        for name, calculation in left
        if name in calculable - known and all(v.name in known for v in expression_variables(calculation))
    ]:
        name, calculation = ready[0]
        found[name] = calculation
        known.add(name)
    return found


def _shared_names(rule: Rule) -> list[str]:
    """Return the names of the rule's shared variables."""
    terms = [t for t in rule.head.terms if isinstance(t, Variable)]
    return list(dict.fromkeys(v.name for v in (*terms, *outer_variables(rule.body))))


class _CandidateConstants:
    """The constants that a variable may have in a small state, by its sort."""

    def __init__(self, rule: Rule, theory: Theory) -> None:
        self.sorts = _sorts(rule, theory.vocabulary)
        self.vocabulary = theory.vocabulary
        conditions = (c for r in (rule, *theory.rules) for c in (r.head, *r.body))
        constants = [constant for condition in conditions for constant in condition_constants(condition)]
        self.numbers = [c.value for c in constants if isinstance(c.value, int)]
        self.words = [c for c in dict.fromkeys(constants) if isinstance(c.value, str)]
        own = (constant for c in (rule.head, *rule.body) for constant in condition_constants(c))
        self.own_numbers = [c.value for c in own if isinstance(c.value, int)]
        self.stated = _stated_numbers(theory)

    def is_integer(self, name: str) -> bool:
        return self.vocabulary.sorts[self.sorts.get(name) or "int"].kind == "integer"

    def stated_for(self, name: str) -> Sequence[int]:
        """Return the numbers near those that the theory's facts have in the sort of a variable."""
        return self.stated.get(self.sorts.get(name) or INTEGER_SORT, ())

    def of_sort(self, name: str, number: int) -> Constant:
        """Return a number as a value of the sort of a variable."""
        form = self.vocabulary.sorts[self.sorts.get(name) or "int"].form
        return Constant(number if form is None else form.number(number))

    def of(self, name: str, earlier: Sequence[str] = ()) -> list[Constant]:
        """Return its own object first, then those of earlier variables of its sort, then constants of
        rules. A number is near those of the rules, or those that the theory's facts have in its sort.
        """
        sort = self.sorts.get(name)
        declared = self.vocabulary.sorts[sort or "int"]
        if declared.kind == "enumerated":
            return [Constant(word) for word in declared.constants]
        if declared.kind == "integer":
            stated = self.stated_for(name)
            if declared.form is None:
                plain = dict.fromkeys(chain(_near(self.numbers, (0, 1, 2, 3)), stated))
                return [Constant(number) for number in plain]
            # Small integers are no usual dates and no usual amounts, so they come last.
            written = declared.form.number
            usual = [number for number in self.own_numbers if type(number) is type(written(0))]
            numbers = dict.fromkeys(chain(_near(usual), stated, _near(self.numbers, (0, 1, 2, 3))))
            return [Constant(written(number)) for number in numbers]
        own = [Constant(f"thing_{other}") for other in (name, *earlier) if self.sorts.get(other) == sort]
        enumerated = {
            w for s in self.vocabulary.sorts.values() if s.kind == "enumerated" for w in s.constants
        }
        mixed = map(Constant, dict.fromkeys(self.numbers)) if declared.kind == "mixed" else ()
        return [*own, *mixed, *(word for word in self.words if word.value not in enumerated)]


def _near(numbers: Iterable[int], others: Iterable[int] = ()) -> list[int]:
    """Return other numbers, some numbers and their neighbours, the smallest first."""
    near = {int(number) + d for number in numbers for d in (0, 1, -1)}.union(others)
    return sorted(near, key=lambda n: (abs(n), -n))


@once_per_theory
def _stated_numbers(theory: Theory) -> Mapping[str, Sequence[int]]:
    """Return the numbers near those that the theory's facts have in columns of each sort, in order."""
    found: dict[str, set[int]] = {}
    for fact in theory.facts:
        if isinstance(fact, Atom):
            columns = theory.vocabulary.predicates[fact.predicate].columns
            for term, column in zip(fact.arguments, columns, strict=True):
                if isinstance(term, Constant) and isinstance(term.value, int):
                    found.setdefault(column.name, set()).add(int(term.value))
    return {sort: sorted({n + d for n in numbers for d in (-1, 0, 1)}) for sort, numbers in found.items()}


def _sorts(rule: Rule, vocabulary: Vocabulary) -> dict[str, str]:
    """Return the sort of every variable, including wildcards, as far as the rule determines it."""
    found = dict(variable_sorts(rule, vocabulary))
    for statement in (rule.head, *statements(rule.body)):
        atoms = [statement] if isinstance(statement, Atom) else [statement.game, statement.by]
        for atom in atoms:
            if atom is not None:
                columns = vocabulary.predicates[atom.predicate].columns
                for term, column in zip(atom.arguments, columns, strict=True):
                    if isinstance(term, Variable):
                        found.setdefault(term.name, column.name)
    return found


def _by_distance(choices: Sequence[Sequence[Constant]]) -> Iterator[tuple[Constant, ...]]:
    """Yield the rows of a product, ordered by distance from the first choices."""
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


# Comparisons


def holds(comparison: Comparison, assignment: Assignment) -> bool:
    """Return whether a comparison holds; the engine evaluates comparisons with unassigned variables."""
    sides = (comparison.left, comparison.right)
    if any(v.name not in assignment for side in sides for v in expression_variables(side)):
        return True
    return compare(comparison.operator, *(value(side, assignment) for side in sides))


def value(expression: Expression, assignment: Assignment) -> str | int:
    match expression:
        case Constant():
            return expression.value
        case Variable():
            return assignment[expression.name].value
        case Operation():
            operands = [value(operand, assignment) for operand in expression.operands]
            found = evaluated(expression.operator, operands)
            return 0 if found is None else found


def compare(operator: str, left: str | int, right: str | int) -> bool:
    if operator in ("=", "!="):
        return (left == right) == (operator == "=")
    assert isinstance(left, int)
    assert isinstance(right, int)
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[operator]


# States


def _states(
    rule: Rule, assignment: Assignment, things: _CandidateConstants
) -> Iterator[tuple[GroundFact, ...]]:
    """Yield states that satisfy the conditions on the assigned objects, with minimal closed sets first.

    Facts that only the theory states are left out, so the caller must check that the conditions hold.
    """
    words = things.vocabulary.predicates
    facts: list[Statement] = []
    if isinstance(rule.head, GameStatement) and rule.head.by is not None and rule.head.tense is None:
        facts.append(apply_to_statement(rule.head.by, assignment))
    closed: list[All | CountIn] = []
    for condition in rule.body:
        instance = apply_to_condition(condition, assignment)
        if isinstance(instance, Atom | GameStatement):
            facts.append(instance)
        elif isinstance(instance, All | CountIn):
            closed.append(instance)
    most = MOST_MEMBERS if closed else 0
    for extra in range(most + 1):
        for way in range(MOST_WAYS if closed else 1):
            state = list(facts)
            for condition in closed:
                _fill_closed_sets(condition, state, things, extra, way)
            if _satisfies_keys(state, things.vocabulary):
                given = (s for s in state if not words[predicate_of(s)].stated)
                yield tuple(dict.fromkeys(map(ground_fact, given)))


def _fill_closed_sets(
    condition: All | CountIn, facts: list[Statement], things: _CandidateConstants, extra: int, way: int
) -> None:
    """Add members to closed sets, satisfy the closed condition for each, and add the counts."""
    counters = counts_of(things.vocabulary)
    for member in member_atoms(condition):
        for number in range(extra):
            fresh = {v.name: _member(v, number, way, things) for v in condition.variables}
            facts.append(apply_to_statement(member, fresh))
        key = member.terms[: len(member.terms) - len(condition.variables)]
        same = [s for s in facts if s.relation == member.relation and s.terms[: len(key)] == key]
        rows = list(dict.fromkeys(s.terms[len(key) :] for s in same))
        count = Atom(counters[member.predicate].name, (*key, Constant(len(rows))), member.tense)
        if not any(s.relation == count.relation and s.terms[:-1] == count.terms[:-1] for s in facts):
            facts.append(count)
        if isinstance(condition, All):
            for row in rows:
                _make_true(condition, row, facts, things, way)


def _member(variable: Variable, number: int, way: int, things: _CandidateConstants) -> Constant:
    choices = things.of(variable.name)
    if things.vocabulary.sorts[things.sorts.get(variable.name) or "int"].kind == "open":
        return Constant(f"member_{number}") if number or way % 2 == 0 or len(choices) < 2 else choices[1]
    return choices[(number + way) % len(choices)]


def _make_true(
    condition: All, row: tuple[Term, ...], facts: list[Statement], things: _CandidateConstants, way: int
) -> None:
    """Satisfy the inner conditions for one member, with values of its own variables that the comparisons
    allow.
    """
    listed = {v.name: term for v, term in zip(condition.variables, row, strict=True)}
    inner = [apply_to_condition(c, listed) for c in condition.conditions]
    names = list(dict.fromkeys(v.name for v in outer_variables(inner)))
    comparisons = [c for c in inner if isinstance(c, Comparison)]
    rows = product(*(things.of(name)[: MOST_WAYS + 2] for name in names))
    allowed = (dict(zip(names, r, strict=True)) for r in islice(rows, 500))
    ways = list(islice((w for w in allowed if all(holds(c, w) for c in comparisons)), MOST_WAYS))
    if ways:
        instances = (apply_to_condition(c, ways[way % len(ways)]) for c in inner)
        facts += [
            c for c in instances if isinstance(c, Atom | GameStatement) and not any(condition_variables(c))
        ]


def _satisfies_keys(facts: Sequence[Statement], vocabulary: Vocabulary) -> bool:
    """Return whether statements have one value for each `->` key.

    The engine would reject the state otherwise.
    """
    values: dict[tuple[object, ...], tuple[Term, ...]] = {}
    for statement in facts:
        if isinstance(statement, Atom):
            key = vocabulary.predicates[statement.predicate].key
            if key is not None:
                place = statement.predicate, statement.tense, statement.terms[:key]
                if values.setdefault(place, statement.terms[key:]) != statement.terms[key:]:
                    return False
    return True
