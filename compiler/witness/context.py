"""The context of a proof in construction: the learned rule's conditions, their consequences, and the reasons
for these.

Conditions are assumed of *variables*, not of fresh constants, so two variables may always denote the same
object. Two members of a set count as two only if they are proved distinct. A closed set is complete by its
count and that many distinct members. It is also complete by a closed condition of the learned rule, which
holds for an arbitrary member.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from hornbook.compiler.checker.cases import counts_in_case, in_case
from hornbook.compiler.checker.context import RejectedError, is_of_numbers
from hornbook.compiler.checker.form import form_of_term
from hornbook.compiler.checker.proofs import OPEN, with_row
from hornbook.compiler.witness.closed_sets import ClosedSet, ClosedSets
from hornbook.compiler.witness.congruence import Moment, Place, Row
from hornbook.compiler.witness.proof_state import Constraints, Found, Ref
from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.substitution import apply_to_condition, at_moment, rename_condition
from hornbook.kb.ast.terms import (
    Absent,
    Aggregate,
    All,
    Atom,
    Comparison,
    Condition,
    Constant,
    CountIn,
    Expression,
    GameStatement,
    Rule,
    Statement,
    Term,
    Variable,
    condition_variables,
    expression_variables,
    outer_variables,
    shared_variables,
    statements,
)
from hornbook.kb.ast.theory import Theory, Vocabulary, counts_of
from hornbook.matcher.program.dataclass import dataclass

__all__ = ["RejectedError", "SearchContext"]


@dataclass(frozen=True, slots=True)
class EntailedAll:
    """The witness that a known `all` entails another one, by a proof for an arbitrary member.

    Attributes:
        known: The number of the known condition.
        numbers: The numbers of the facts known of that member, in order.
        merged: The pairs of statements whose values are equal by keys.
        terms: The binding of the goal's own variables.
        proofs: The proofs of the goal's conditions.
    """

    known: int
    numbers: tuple[int, ...]
    merged: tuple[tuple[Place, int, int], ...]
    terms: Found
    proofs: Found


@dataclass(frozen=True, slots=True)
class Note:
    """A note of a certificate, the numbers of its conclusions, and the length of the key log before it."""

    witness: Found
    numbers: tuple[int, ...]
    merged: int


@dataclass(frozen=True, slots=True)
class ArbitraryMember:
    """An arbitrary member of a set: the context, the member's row, and the numbers of the facts known of
    it.
    """

    context: SearchContext
    row: Row
    numbers: tuple[int, ...]


Introduce = Callable[[int, All | CountIn, Moment, "SearchContext"], Found]
"""A search for a proof of the closed condition or count at an index by universal introduction.

It may return False.
"""


class SearchContext(ClosedSets):
    """The known facts and the conditions that follow from them.

    Variables whose names end in `@` are open. A condition with an open variable holds if some binding makes
    it true.
    """

    def __init__(self, vocabulary: Vocabulary, constraints: Constraints) -> None:
        super().__init__(vocabulary, constraints)
        self.depth = 0
        """The nesting depth of universal introductions."""
        self.inversions = 0
        """The nesting depth of inversions."""
        self.induction: tuple[int, int] | None = None
        """The condition of the learned rule over which the induction runs: its index in the rule and its
        number.
        """
        self.smaller: set[int] = set()
        """The numbers of facts derived before that condition."""
        self.sizes: set[int] = set()
        """The numbers of facts that only state that sets have counts."""
        self.fixed: set[str] = set()
        """The variables that denote fixed objects: those of the learned rule and of arbitrary members."""
        self.step_conditions: list[tuple[Condition, Moment]] = []
        """The conditions of the steps, in the order of their proofs."""
        self.alls: list[tuple[All, Moment, int]] = []
        self.summaries: list[tuple[Absent | Aggregate, Moment, int]] = []
        self._alls_of: dict[ClosedSet, list[tuple[All, Moment, int, Condition]]] = {}
        self._alls_read = (0, 0)
        self.counts: list[tuple[CountIn, Moment, int]] = []
        self.taken: tuple[int, ...] = ()
        """The numbers of the learned rule's conditions, and of the action in its head."""
        self.stated: dict[int, Statement] = {}
        """The facts that the theory states, by number."""
        self.counters: Mapping[str, Predicate] = {}
        """The predicate that counts the sets of each predicate."""
        self._closed: set[tuple[int, int]] = set()
        """The pairs of numbers for which notes were made."""

    @staticmethod
    def of(rule: Rule, theory: Theory, relations: Iterable[str], constraints: Constraints) -> SearchContext:
        """Return a context with the conditions of a learned rule and the static facts of the given relations.

        Conditions without a moment hold before the rule's action.
        """
        context = SearchContext(theory.vocabulary, constraints)
        context.counters = counts_of(theory.vocabulary)
        context.state(theory, relations)
        context.fixed = set(shared_variables(rule))
        if isinstance(rule.head, GameStatement) and rule.head.by is not None and rule.head.tense is None:
            context.taken = context.take([rule.head.by], None)
        context.taken += context.take(rule.body, "before")
        return context

    def state(self, theory: Theory, relations: Iterable[str]) -> None:
        """Add the static facts that a theory states for these relations."""
        selected = set(relations)
        for statement in theory.facts:
            if statement.relation in selected and self.is_static(statement):
                number = -1 - len(self.stated)
                self.stated[number] = statement
                self.establish(statement, None, number)

    def branch(self) -> SearchContext:
        """Return an independent copy of the context."""
        result = SearchContext(self.vocabulary, self.constraints)
        self.copy_into(result)
        result.depth, result.inversions, result.fixed = self.depth, self.inversions, set(self.fixed)
        result.induction, result.smaller, result.sizes = self.induction, set(self.smaller), set(self.sizes)
        result.alls, result.counts, result.stated = list(self.alls), list(self.counts), self.stated
        result.counters = self.counters
        result.summaries, result._closed = list(self.summaries), set(self._closed)
        return result

    # Assumptions

    def take(self, conditions: Sequence[Condition], moment: Moment) -> tuple[int, ...]:
        """Assume conditions and return their numbers.

        All their variables except local ones denote fixed objects.
        """
        numbered = [(next(self.numbers), condition) for condition in conditions]
        for number, condition in sorted(numbered, key=lambda each: _reading_order(each[1])):
            match condition:
                case Atom() | GameStatement():
                    self.establish(condition, moment, number)
                case Comparison():
                    self.take_comparison(condition, number)
                case All():
                    self.alls.append((condition, moment, number))
                case CountIn():
                    self.counts.append((condition, moment, number))
                    self.integers |= {self.find(v) for v in expression_variables(condition.result)}
                case Absent():
                    self.summaries.append((condition, moment, number))
                case Aggregate():
                    self.summaries.append((condition, moment, number))
                    self.integers |= {self.find(v) for v in expression_variables(condition.result)}
        return tuple(number for number, _ in numbered)

    def suppose(self, rule: Rule, statement: Statement, moment: Moment, known: int) -> tuple[int, ...]:
        """Assume that a rule concluded the statement with the number `known`.

        Return the numbers of the added facts.
        """
        self.inversions += 1
        own = in_case(rule, self.inversions)
        counts = counts_in_case(own, self.counters, self.inversions)
        self.fixed |= {*shared_variables(own), *(size.name for _, size in counts)}
        one = [Comparison("=", a, b) for a, b in zip(own.head.terms, statement.terms, strict=True)]
        equal, body = self.take(one, None), self.take(own.body, moment)
        if self.induction is not None and (known == self.induction[1] or known in self.smaller):
            self.smaller |= set(body)
        sizes = self.take([count for count, _ in counts], moment)
        self.sizes |= set(sizes)
        return (*equal, *body, *sizes)

    def close(self) -> Iterator[Note]:
        """Add the consequences of closed conditions for known members, and the equality of counts of the same
        union.

        Yield a note for each consequence that was not added before.
        """
        for condition, moment, number in list(self.alls):
            closed = self.closed_set(condition.member, len(condition.variables), moment)
            if self.is_closed(closed[0]):
                for member, row in self.members(closed):
                    if (number, member) in self._closed:
                        continue
                    self._closed.add((number, member))
                    inside = apply_to_all(condition.conditions, _of_row(condition, row))
                    known = [c for c in inside if {v.name for v in condition_variables(c)} <= self.fixed]
                    if known:
                        merged = len(self.congruence.log)
                        witness = ("member", Ref(number), Ref(member))
                        yield Note(witness, self.take(known, moment), merged)
        for (one, at, first), (other, other_moment, second) in combinations(self.counts, 2):
            if (first, second) in self._closed:
                continue
            union = self.union(one, at)
            if union == self.union(other, other_moment) and all(self.is_closed(s[0]) for s in union[0]):
                self._closed.add((first, second))
                merged = len(self.congruence.log)
                taken = self.take([Comparison("=", one.result, other.result)], None)
                yield Note(("sizes", Ref(first), Ref(second)), taken, merged)

    # Consequences

    def established(self, statement: Statement, moment: Moment) -> Found:
        """Return the number of a statement without open variables, or False."""
        at = self.moment_of(statement, moment)
        number = self.congruence.number(statement.relation, at, statement.terms)
        return False if number is None else Ref(number)

    def proof(self, condition: Condition, moment: Moment) -> Found:
        """Return a proof of a condition without open variables, or False."""
        if isinstance(condition, (Atom, GameStatement)):
            self.budget.spend(2 + len(condition.terms))
            return self.established(condition, moment)
        found = self._hold([(0, condition)], {}, {}, moment)
        return False if found is None else found[1][0]

    def proofs(self, condition: All, row: Row, moment: Moment, introduce: Introduce | None = None) -> Found:
        """Return a binding of a closed condition's own variables for one member, and the proofs of its
        conditions; or False.

        `introduce` may prove nested closed conditions by universal introduction.
        """
        # Statements come first, then counts, because they bind the open variables of the other conditions.
        waiting = sorted(
            enumerate(condition.conditions),
            key=lambda each: 0.5 if isinstance(each[1], CountIn) else _reading_order(each[1]),
        )
        member = _of_row(condition, row)
        found = self._hold(waiting, member, {}, moment, introduce)
        if found is None:
            return False
        bound, proofs = found
        terms = tuple(
            (name.removesuffix(OPEN), form_of_term(term))
            for name, term in bound.items()
            if name not in member
        )
        return terms, tuple(proofs[place] for place in range(len(waiting)))

    def _hold(
        self,
        conditions: Sequence[tuple[int, Condition]],
        bound: Mapping[str, Term],
        proofs: Mapping[int, Found],
        moment: Moment,
        introduce: Introduce | None = None,
    ) -> tuple[Mapping[str, Term], Mapping[int, Found]] | None:
        """Return a binding of all open variables under which all conditions hold, and the proofs.

        Return None if there is none.
        """
        if not conditions:
            return bound, proofs
        (place, condition), rest = conditions[0], conditions[1:]
        condition = apply_to_condition(condition, bound)
        known: Found = False
        match condition:
            case Atom() | GameStatement():
                for number, more in self.matches(condition, bound, moment):
                    found = self._hold(rest, more, {**proofs, place: Ref(number)}, moment, introduce)
                    if found is not None:
                        return found
                return None
            case Comparison():
                if not any(map(_is_open, condition_variables(condition))):
                    known = self.compares(condition)
            case All():
                known = self._all_holds(condition, moment)
            case CountIn():
                condition, bound = self._with_result(condition, bound, moment)
                known = self._count_holds(condition, moment)
            case Absent() | Aggregate():
                known = self._summary_holds(condition, moment)
        if known is False and introduce is not None and isinstance(condition, (All, CountIn)):
            known = introduce(place, condition, moment, self)
        return (
            None if known is False else self._hold(rest, bound, {**proofs, place: known}, moment, introduce)
        )

    def _with_result(
        self, condition: CountIn, bound: Mapping[str, Term], moment: Moment
    ) -> tuple[CountIn, Mapping[str, Term]]:
        """Return a count whose open result is replaced by its known value, if there is one, and the extended
        binding.
        """
        name = condition.result
        if isinstance(name, Variable) and _is_open(name):
            result = self.result_of(condition, moment)
            if isinstance(result, Term):
                return replace(condition, result=result), {**bound, name.name: result}
        return condition, bound

    def matches(
        self, statement: Statement, bound: Mapping[str, Term], moment: Moment
    ) -> Iterator[tuple[int, Mapping[str, Term]]]:
        """Yield the known statements that match one with open variables, each by number, with the resulting
        binding.
        """
        terms = statement.terms
        pattern = [None if isinstance(t, Variable) and _is_open(t) else t for t in terms]
        at = self.moment_of(statement, moment)
        for number, row in self.congruence.numbered_rows(statement.relation, at, pattern):
            self.budget.spend(2 + len(row))
            found = dict(bound)
            if all(
                required is not None or found.setdefault(term.name, value) == value
                for required, term, value in zip(pattern, terms, row, strict=True)
                if isinstance(term, Variable)
            ):
                yield number, found

    def _summary_holds(self, condition: Absent | Aggregate, moment: Moment) -> Found:
        """Return the proof of an absence or aggregate, which holds only if the same one is assumed; or
        False.
        """
        form = self.form(_without_result(condition), moment)
        for known, at, number in self.summaries:
            if type(known) is type(condition) and self.form(_without_result(known), at) == form:
                if isinstance(condition, Absent) or isinstance(known, Absent):
                    return ("known", Ref(number))
                equal = self.compares(Comparison("=", condition.result, known.result))
                if equal is not False:
                    return ("known", Ref(number), equal)
        return False

    # Closed sets

    def _all_holds(self, condition: All, moment: Moment) -> Found:
        goal_set = self.closed_set(condition.member, len(condition.variables), moment)
        own = self._own_alls().get(goal_set, ())
        form = self.form(condition, moment) if own else None
        for _, _, number, known in own:
            if known == form:
                return ("known", Ref(number))
        counted = self.size(goal_set)
        if counted is not None:
            size, count = counted
            proved_members = [
                (member, row, proofs)
                for member, row in self.members(goal_set)
                if (proofs := self.proofs(condition, row, moment)) is not False
            ]
            chosen = self.all_distinct([row for _, row, _ in proved_members], size)
            if chosen is not None:
                members = tuple((Ref(proved_members[i][0]), *proved_members[i][2]) for i in chosen)
                return ("each", Ref(count), members, self.pairs([proved_members[i][1] for i in chosen]))
        for known_all, at, number, _ in own:
            found = self._entails_all(known_all, at, number, condition, moment)
            if found is not False:
                return found
        return False

    def _own_alls(self) -> Mapping[ClosedSet, Sequence[tuple[All, Moment, int, Condition]]]:
        """Return the assumed closed conditions by set, each with its number and canonical form."""
        state = len(self.alls), len(self.congruence.merged)
        if self._alls_read != state:
            self.budget.spend(sum(2 + len(condition.conditions) for condition, _, _ in self.alls))
            self._alls_read, self._alls_of = state, {}
            for condition, at, number in self.alls:
                closed = self.closed_set(condition.member, len(condition.variables), at)
                form = self.form(condition, at)
                self._alls_of.setdefault(closed, []).append((condition, at, number, form))
        return self._alls_of

    def may_follow_without(self, condition: All, moment: Moment) -> bool:
        """Return whether an assumed closed condition might be provable from the other known facts."""
        closed = self.closed_set(condition.member, len(condition.variables), moment)
        size = self.size(closed)
        complete = size is not None and len(self.members(closed)) >= size[0]
        return complete or len(self._own_alls().get(closed, ())) > 1

    def _entails_all(self, own: All, own_moment: Moment, number: int, goal: All, moment: Moment) -> Found:
        """Return a proof, for an arbitrary member, that an assumed closed condition entails the wanted one;
        or False.
        """
        before = len(self.congruence.log)
        any_one = self.any_member(own, own_moment)
        found = any_one.context.proofs(goal, any_one.row, moment)
        if found is False:
            return False
        merged = tuple(any_one.context.congruence.log[before:])
        return EntailedAll(number, any_one.numbers, merged, *found)

    def any_member(self, known: All, moment: Moment) -> ArbitraryMember:
        """Return a context for an arbitrary member that satisfies a known closed condition."""
        any_one = self.any_row(known.member, len(known.variables), moment)
        # The closed condition's own variables may have different values for different members.
        inside = apply_to_all(known.conditions, _of_row(known, any_one.row))
        context = any_one.context
        names = {v.name for v in outer_variables(inside)} - context.fixed
        local = {name: Variable(f"#{context.depth}.{name}") for name in names}
        context.fixed |= {v.name for v in local.values()}
        numbers = any_one.numbers + context.take(apply_to_all(inside, local), moment)
        return replace(any_one, numbers=numbers)

    def any_row(self, member: Atom, width: int, moment: Moment) -> ArbitraryMember:
        """Return a context for an arbitrary member of a set, with its membership as a known fact."""
        context = self.branch()
        context.depth += 1
        row = tuple(Variable(f"#{context.depth}.{i}") for i in range(width))
        context.fixed |= {v.name for v in row}
        return ArbitraryMember(context, row, context.take([with_row(member, row)], moment))

    def matching_counts(
        self, known: CountIn, at: Moment, goal: CountIn, moment: Moment
    ) -> tuple[tuple[Found, ...], tuple[tuple[Atom, Atom], ...]] | None:
        """Return the paired counts of the sets in two `count` conditions, and the pairs of sets that differ;
        or None.

        If every member of the first set of each pair is in the second one, the two counts are equal.
        """
        width = len(goal.variables)
        excluded = [{*map(self.find, each.excluded)} for each in (known, goal)]
        if len(known.variables) != width or len(known.sets) != len(goal.sets) or excluded[0] != excluded[1]:
            return None
        sizes: list[Found] = []
        unlike: list[tuple[Atom, Atom]] = []
        for one, other in zip(known.sets, goal.sets, strict=True):
            theirs, mine = self.closed_set(one, width, at), self.closed_set(other, width, moment)
            sizes.append(self.same_cardinality(theirs, mine))
            if sizes[-1] is False:
                return None
            if theirs != mine:
                unlike.append((one, other))
        return tuple(sizes), tuple(unlike)

    def _count_holds(self, condition: CountIn, moment: Moment) -> Found:
        if any(map(_is_open, expression_variables(condition.result))):
            return False
        goal_union = self.union(condition, moment)
        for own, at, number in self.counts:
            if self.union(own, at) == goal_union:
                equal = self.compares(Comparison("=", condition.result, own.result))
                return equal is not False and ("known", Ref(number), equal)
        found = self.size_of_union(condition, moment)
        if found is False:
            return False
        size, sets, pairs, excluded_proofs = found
        equal = self.compares(Comparison("=", condition.result, Constant(size)))
        return equal is not False and ("sets", sets, pairs, excluded_proofs, equal)

    def result_of(self, condition: CountIn | Aggregate, moment: Moment) -> Expression | None:
        """Return the value of a count or aggregate, whatever its own result variable is.

        Return None if it is not known.
        """
        if isinstance(condition, Aggregate):
            form = self.form(_without_result(condition), moment)
            equal_forms = (c for c, at, _ in self.summaries if self.form(_without_result(c), at) == form)
            return next((c.result for c in equal_forms if isinstance(c, Aggregate)), None)
        goal_union = self.union(condition, moment)
        for own, at, _ in self.counts:
            if self.union(own, at) == goal_union:
                return own.result
        found = self.size_of_union(condition, moment)
        if found is not False:
            return Constant(found[0])
        for count, at, _ in self.counts:
            if self.matching_counts(count, at, condition, moment) is not None:
                return count.result
        return None

    def impossible(self) -> Found:
        """Return a proof that the known facts are contradictory, by keys, comparisons, sorts or closed sets;
        or False.
        """
        found = self.contradictory()
        return self.overfull() if found is False else found

    def acted_on(self) -> tuple[tuple[int, int, Term], ...]:
        """Return the arguments of the known action, each with the number of the action and its column."""
        actions = (name for name, declared in self.vocabulary.predicates.items() if declared.kind == "action")
        return tuple(
            (number, column, term)
            for name in actions
            for number, row in self.congruence.numbered_rows(
                name, None, [None] * self.vocabulary.predicates[name].arity
            )
            for column, term in enumerate(row)
        )

    def form(self, condition: Condition, moment: Moment) -> Condition:
        """Return a canonical form of a closed condition; equal forms mean equivalent conditions.

        It uses representatives, and names for local variables that do not depend on the original ones.
        """
        if moment is not None and not any(s.tense for s in statements([condition])):
            condition = at_moment(condition, moment, self.vocabulary)
        names: dict[str, str] = {}

        def name(old: str) -> str:
            return old if old in self.fixed else names.setdefault(old, f"#{len(names)}")

        representatives = {
            v.name: self.find(v) for v in condition_variables(condition) if v.name in self.fixed
        }
        return apply_to_condition(rename_condition(condition, name), representatives)


def apply_to_all(conditions: Sequence[Condition], substitution: Mapping[str, Term]) -> list[Condition]:
    return [apply_to_condition(condition, substitution) for condition in conditions]


def _of_row(condition: All, row: Row) -> dict[str, Term]:
    return {variable.name: term for variable, term in zip(condition.variables, row, strict=True)}


def _is_open(variable: Variable) -> bool:
    return variable.name.endswith(OPEN)


def _reading_order(condition: Condition) -> int:
    """Return a sort key: statements come first, then comparisons between numbers, which determine how others
    are read.
    """
    match condition:
        case Atom() | GameStatement():
            return 0
        case Comparison():
            return 1 if is_of_numbers(condition) else 2
        case _:
            return 3


def _without_result(condition: Absent | Aggregate) -> Absent | Aggregate:
    """Return an aggregate with a fixed result."""
    return condition if isinstance(condition, Absent) else replace(condition, result=Constant(0))
