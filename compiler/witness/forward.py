"""Forward chaining over facts with variables: the rule applications that conclude a statement.

Facts contain variables, so each step found is a step of a certificate. Only rules on which the goals may
depend are applied, under all substitutions, round by round, until a goal is concluded or nothing new is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace

from hornbook.compiler.checker.certificate import CASE_MARK, CaseProof, ProofStep
from hornbook.compiler.checker.dependencies import TimedPredicate, place_of
from hornbook.compiler.checker.proofs import OPEN
from hornbook.compiler.checker.steps import is_timeless
from hornbook.compiler.witness.context import Introduce, Note, SearchContext
from hornbook.compiler.witness.members import MembersWitness
from hornbook.compiler.witness.proof_state import Found, Ref
from hornbook.compiler.witness.search import StepResult, try_step
from hornbook.kb.ast.evaluation import evaluated
from hornbook.kb.ast.operators import signature
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_statement, marked_rule
from hornbook.kb.ast.terms import (
    Aggregate,
    All,
    Comparison,
    Condition,
    Constant,
    CountIn,
    Operation,
    Rule,
    Statement,
    Tense,
    Term,
    Variable,
    expression_variables,
    outer_variables,
    shared_variables,
    statements,
)
from hornbook.kb.ast.theory import Vocabulary, counts_of
from hornbook.matcher.program.dataclass import dataclass

MOST_STEPS = 5_000
"""The maximum number of conclusions in one context."""


@dataclass(frozen=True, slots=True)
class TimedRule:
    """A rule with the variable names of a certificate's steps, and the moment at which it is applied.

    The moment is None if the rule names its own moments.
    """

    rule: Rule
    own: Rule
    shared: frozenset[str]
    moment: Tense | None
    places: tuple[TimedPredicate, ...]
    """The timed predicates of its conditions."""


@dataclass(frozen=True, slots=True)
class MadeStep:
    """A step that was made, and the facts on which it depends."""

    step: ProofStep
    tried: StepResult


def relevant_rules(
    rules: Iterable[Rule], goals: Iterable[TimedPredicate], words: Vocabulary, *, one_moment: bool
) -> tuple[TimedRule, ...]:
    """Return the rules, with moments, on which facts of the goals' timed predicates may depend, directly or
    indirectly.
    """
    concluding: dict[TimedPredicate, list[TimedRule]] = {}
    counters = counts_of(words)
    for rule in rules:
        own = marked_rule(rule, OPEN)
        shared = frozenset(shared_variables(own))
        moments: tuple[Tense | None, ...] = ("before", "after") if is_timeless(rule) else (None,)
        for moment in moments[:1] if one_moment else moments:
            if moment is None and one_moment:
                continue
            places = {place_of(s, moment, words): None for s in statements(rule.body)}
            # Conditions on a closed set depend on its count too.
            places |= {(counters[name].name, at): None for name, at in places if name in counters}
            reading = TimedRule(rule, own, shared, moment, tuple(places))
            concluding.setdefault(place_of(rule.head, moment, words), []).append(reading)
    found: dict[TimedRule, None] = {}
    todo, seen = list(goals), set(goals)
    while todo:
        for reading in concluding.get(todo.pop(), ()):
            found[reading] = None
            todo += [place for place in reading.places if place not in seen]
            seen |= set(reading.places)
    return tuple(found)


def chain_forward(
    goals: Sequence[tuple[Statement, Tense]],
    rules: Sequence[TimedRule],
    context: SearchContext,
    *,
    one_moment: bool,
    apart: set[tuple[Term, Term]] | None = None,
    introduce: Introduce | None = None,
) -> tuple[list[MadeStep | Note], bool]:
    """Apply rules in a context until a goal is known or nothing new is concluded.

    Return the steps, and whether a goal is known or the known facts are contradictory. The context is
    changed. Raise SearchBudgetError if the budget is exhausted.

    If nothing more is concluded, the consequences of closed conditions for known members are added.

    Args:
        apart: Receives the pairs of terms that must differ for a step but are not known to.
        introduce: Proves closed conditions needed for a goal, if nothing else adds facts.
    """
    made: list[MadeStep | Note] = []
    done: set[tuple[TimedRule, tuple[Term, ...]]] = set()
    seen: dict[TimedRule, tuple[int, ...]] = {}
    while True:
        before = len(made)
        for reading in rules:
            known = _known(reading, context)
            if seen.get(reading) == known:
                continue
            seen[reading] = known
            for bound in list(matching_bindings(reading.own.body, reading.shared, context, reading.moment)):
                terms = tuple(context.find(term) for _, term in sorted(bound.items()))
                head = apply_to_statement(reading.own.head, bound)
                if (reading, terms) in done or context.established(head, reading.moment) is not False:
                    continue
                done.add((reading, terms))
                step = _step_of(reading, bound)
                found = _tried(step, reading.rule, context, None, one_moment=one_moment)
                if found.number is None:
                    # The missing conditions may be concluded later.
                    if apart is not None:
                        apart |= set(_undecided(reading, bound, context))
                    done.discard((reading, terms))
                    continue
                made.append(MadeStep(step, found))
                if context.conflicting() is not False or any(
                    context.established(goal, moment) is not False for goal, moment in goals
                ):
                    return made, True
        if len(made) > MOST_STEPS:
            return made, False
        if len(made) == before:
            made += context.close()
            if len(made) > before:
                seen.clear()
                continue
            more = introduce and _introduced(goals, rules, context, introduce, one_moment=one_moment)
            if not more:
                return made, False
            made.append(more)
            if any(context.established(goal, moment) is not False for goal, moment in goals):
                return made, True


def _introduced(
    goals: Sequence[tuple[Statement, Tense]],
    rules: Sequence[TimedRule],
    context: SearchContext,
    introduce: Introduce,
    *,
    one_moment: bool,
) -> MadeStep | None:
    """Return a step, with proofs by universal introduction, that concludes a goal or a condition for it; or
    None. The number of introductions is limited, so the conclusions that are goals are tried first.
    """
    words = context.vocabulary

    def known(statement: Statement) -> tuple[Term, ...]:
        return tuple(map(context.find, statement.terms))

    def is_goal(head: Statement) -> bool:
        return any(head.relation == goal.relation and known(head) == known(goal) for goal, _ in goals)

    concluding: dict[TimedPredicate, list[TimedRule]] = {}
    for reading in rules:
        concluding.setdefault(place_of(reading.rule.head, reading.moment, words), []).append(reading)
    goal_places = {place_of(goal, moment, words): None for goal, moment in goals}
    below = {
        place: None
        for goal in goal_places
        for reading in concluding.get(goal, ())
        for place in reading.places
    }
    for reading in (reading for place in goal_places | below for reading in concluding.get(place, ())):
        if not any(isinstance(condition, (All, CountIn)) for condition in reading.own.body):
            continue
        concluded = [
            (apply_to_statement(reading.own.head, bound), bound)
            for bound in matching_bindings(reading.own.body, reading.shared, context, reading.moment)
        ]
        for head, bound in sorted(concluded, key=lambda each: not is_goal(each[0])):
            if context.established(head, reading.moment) is not False:
                continue
            step = _step_of(reading, bound)
            found = _tried(step, reading.rule, context, introduce, one_moment=one_moment)
            if found.number is not None:
                return MadeStep(replace(step, members=members_of(found.proofs)), found)
    return None


def members_of(found: Iterable[Found]) -> tuple[tuple[int, CaseProof], ...]:
    """Return the proofs by universal introduction, each with the index of the condition that it proves."""
    return tuple(
        (place, proof)
        for place, each in enumerate(found)
        if isinstance(each, MembersWitness)
        for _, proof in each.proofs
    )


def _step_of(reading: TimedRule, bound: Mapping[str, Term]) -> ProofStep:
    terms = tuple((name.removesuffix(OPEN), term) for name, term in sorted(bound.items()))
    return ProofStep(reading.rule.name, reading.moment, terms)


def _known(reading: TimedRule, context: SearchContext) -> tuple[int, ...]:
    """Return the amount of known facts that a rule can use.

    While it is unchanged, the rule concludes nothing new.
    """
    return (
        len(context.congruence.merged),
        *(context.congruence.size(place) for place in reading.places),
    )


def _undecided(
    reading: TimedRule, bound: Mapping[str, Term], context: SearchContext
) -> Iterator[tuple[Term, Term]]:
    """Yield the pairs of terms that a rule requires to differ but that are not known to."""
    for condition in reading.own.body:
        if isinstance(condition, Comparison) and condition.operator == "!=":
            instance = apply_to_condition(condition, bound)
            one, other = instance.left, instance.right
            if isinstance(one, Term) and isinstance(other, Term):
                one, other = context.find(one), context.find(other)
                if one != other and context.distinct(one, other) is False:
                    yield one, other


def needed(
    made: Sequence[MadeStep | Note], context: SearchContext, ends: Iterable[Found]
) -> tuple[tuple[ProofStep, ...], frozenset[int]]:
    """Return the steps on which ends depend, in order, and the numbers of all facts used.

    Facts are used by other steps, by notes and by consequences of keys.
    """
    used = {number for end in ends for number in _mentioned(end)}
    used |= {number for _, *pair in context.congruence.log for number in pair}
    steps: list[ProofStep] = []
    for each in reversed(made):
        if isinstance(each, Note):
            used |= set(_mentioned(each.witness)) if used & set(each.numbers) else set()
        elif each.tried.number in used:
            steps.append(each.step)
            used |= set(_mentioned(each.tried.proofs))
    return tuple(steps[::-1]), frozenset(used)


def nearest(
    goal: Statement, moment: Tense, rules: Iterable[TimedRule], context: SearchContext
) -> tuple[str, list[Condition]] | None:
    """Return the rule that comes nearest to concluding a goal, and its unproved conditions; None if there is
    no such rule.

    Unbound variables of the conditions have the rule's own names.
    """
    words = context.vocabulary
    best: tuple[str, list[Condition]] | None = None
    for reading in rules:
        if place_of(reading.rule.head, reading.moment, words) != place_of(goal, moment, words):
            continue
        bound: dict[str, Term] = {}
        pairs = list(zip(reading.own.head.terms, goal.terms, strict=True))
        if not all(
            context.equal(bound.setdefault(one.name, other) if isinstance(one, Variable) else one, other)
            for one, other in pairs
        ):
            continue
        missing = _missing(reading, bound, context)
        if best is None or len(missing) < len(best[1]):
            best = reading.rule.name, missing
    return best


def _missing(reading: TimedRule, bound: Mapping[str, Term], context: SearchContext) -> list[Condition]:
    """Return the unproved conditions of a rule; each proved statement takes its first match."""
    left = [c for c in reading.own.body if isinstance(c, Statement)]
    missing: list[Condition] = []
    while left:
        place = min(range(len(left)), key=lambda i: _open(left[i], bound))
        goal = apply_to_statement(left[place], bound)
        found = next(context.matches(goal, bound, reading.moment), None)
        if found is None:
            missing.append(goal)
        else:
            bound = found[1]
        left.pop(place)
    rest = [c for c in reading.own.body if not isinstance(c, Statement)]
    bound = _with_equations(bound, [c for c in rest if isinstance(c, Comparison)], context)
    others = [apply_to_condition(c, bound) for c in rest]
    return missing + [c for c in others if not _holds(c, reading.moment, context)]


def _holds(condition: Condition, moment: Tense | None, context: SearchContext) -> bool:
    if any(v.name.endswith(OPEN) for v in outer_variables([condition])):
        # An open variable may still be bound, except in an equation for a number that has no name.
        return not (isinstance(condition, Comparison) and condition.operator == "=")
    try:
        return context.proof(condition, moment) is not False
    except TypeError:  # words compared with numbers
        return False


def _mentioned(found: Found) -> Iterator[int]:
    """Yield the numbers of the known facts in a witness."""
    if isinstance(found, Ref):
        yield found.number
    elif isinstance(found, MembersWitness):
        yield from _mentioned((found.witness, found.used))
    elif isinstance(found, tuple):
        for part in found:
            yield from _mentioned(part)
    elif is_dataclass(found):
        for part in fields(found):
            yield from _mentioned(getattr(found, part.name))


def _tried(
    step: ProofStep, rule: Rule, context: SearchContext, introduce: Introduce | None, *, one_moment: bool
) -> StepResult:
    try:
        return try_step(step, rule, context, introduce, one_moment=one_moment)
    except TypeError as problem:  # words compared with numbers
        return StepResult((), str(problem))


def matching_bindings(
    conditions: Sequence[Condition], shared: frozenset[str], context: SearchContext, moment: Tense | None
) -> Iterator[Mapping[str, Term]]:
    """Yield bindings of open variables under which all statements among the conditions are known.

    Only bindings of all shared variables are yielded.
    """
    matched = [c for c in conditions if isinstance(c, Statement)]
    summed = [c for c in conditions if isinstance(c, (CountIn, Aggregate))]
    compared = [c for c in conditions if isinstance(c, Comparison)]
    for bound in _matched(matched, {}, context, moment):
        full = _with_equations(_with_summaries(bound, summed, context, moment), compared, context)
        if shared <= full.keys():
            yield {name: term for name, term in full.items() if name in shared}


def _matched(
    goals: Sequence[Statement], bound: Mapping[str, Term], context: SearchContext, moment: Tense | None
) -> Iterator[Mapping[str, Term]]:
    if not goals:
        yield bound
        return
    # The statement with the fewest open variables comes first, because it has the fewest matches.
    place = min(range(len(goals)), key=lambda i: _open(goals[i], bound))
    rest = [*goals[:place], *goals[place + 1 :]]
    for _, more in context.matches(apply_to_statement(goals[place], bound), bound, moment):
        yield from _matched(rest, more, context, moment)


def _open(statement: Statement, bound: Mapping[str, Term]) -> int:
    return sum(isinstance(term, Variable) and term.name not in bound for term in statement.terms)


def _with_summaries(
    bound: Mapping[str, Term],
    summed: Iterable[CountIn | Aggregate],
    context: SearchContext,
    moment: Tense | None,
) -> Mapping[str, Term]:
    """Return a binding extended by the results of counts and aggregates."""
    found = dict(bound)
    for condition in summed:
        name = condition.result
        if isinstance(name, Variable) and name.name not in found and name.name.endswith(OPEN):
            result = context.result_of(apply_to_condition(condition, found), moment)
            if isinstance(result, Term):
                found[name.name] = result
    return found


def _with_equations(
    bound: Mapping[str, Term], compared: Iterable[Comparison], context: SearchContext
) -> Mapping[str, Term]:
    """Return a binding extended by variables whose values follow from equations with known terms."""
    found = dict(bound)
    for comparison in compared:
        if comparison.operator != "=":
            continue
        for one, other in ((comparison.left, comparison.right), (comparison.right, comparison.left)):
            if not isinstance(one, Variable) or one.name in found or not one.name.endswith(OPEN):
                continue
            if not {v.name for v in expression_variables(other)} <= found.keys():
                continue
            equation = apply_to_condition(Comparison("=", one, other), found)
            assert isinstance(equation, Comparison)
            value = equation.right if equation.left == one else equation.left
            for term in [value] if isinstance(value, Term) else _values(value, found, context):
                if isinstance(value, Term) or context.compares(Comparison("=", term, value)) is not False:
                    found[one.name] = term
                    break
    return found


def _values(value: Operation, found: Mapping[str, Term], context: SearchContext) -> list[Term]:
    """Return the possible values of an operation.

    The variables of the rule to be proved come first, because its conclusion uses them.
    """
    if signature(value.operator).result == "word":
        return context.words_of(value)
    operands = [context.find(each) for each in value.operands if isinstance(each, Term)]
    given = [each.value for each in operands if isinstance(each, Constant)]
    result = evaluated(value.operator, given) if len(given) == len(value.operands) else None
    if result is not None:
        return [Constant(result)]
    known = [term for term in found.values() if isinstance(term, Constant) and isinstance(term.value, int)]
    named = sorted(context.integers, key=str)
    own = [term for term in named if isinstance(term, Variable) and CASE_MARK not in term.name]
    return [*own, *known, *(term for term in named if term not in own)]


__all__ = [
    "MadeStep",
    "TimedRule",
    "chain_forward",
    "matching_bindings",
    "nearest",
    "needed",
    "relevant_rules",
]
