"""The context of a replayed proof: the learned rule's conditions taken as true, and what they establish.

They are taken as true of *variables*, not of fresh constants, so two variables may always stand for one thing:
two members of a set are two only when that is proved. A closed set is complete by its count and as many
members proved distinct; or by a closed condition of the learned rule itself, which is true of any one member.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from hornbook.compiler.checker.congruence import Moment, Place, Row
from hornbook.compiler.checker.established import Constraints, Established, RejectedError, is_of_numbers
from hornbook.kb.ast.notation import print_condition
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

__all__ = ["Context", "RejectedError"]

ClosedSet = tuple[Place, Row]
"""A set's relation and moment, and the representatives of its key."""


class Context(Established):
    """What is established, and which conditions follow. Variables whose names end in `@` are open: a condition
    with one holds if there is something for it to stand for.
    """

    def __init__(self, vocabulary: Vocabulary, constraints: Constraints) -> None:
        super().__init__(vocabulary, constraints)
        self.depth = 0
        self.fixed: set[str] = set()
        """The variables that stand for one thing each: those of the learned rule, and any members taken."""
        self.asked: list[tuple[Condition, Moment]] = []
        """The conditions of the steps, as they were established."""
        self.alls: list[tuple[All, Moment]] = []
        self._alls_of: dict[ClosedSet, list[tuple[All, Moment, Condition]]] = {}
        self._alls_read = (0, 0)
        self.counts: list[tuple[CountIn, Moment]] = []
        self._counted_by = {name: predicate.name for name, predicate in counts_of(vocabulary).items()}

    @staticmethod
    def of(rule: Rule, theory: Theory, relations: Iterable[str], constraints: Constraints) -> Context:
        """The conditions of a learned rule, read before its action where it does not say otherwise, and what
        the theory states of those relations that never change.
        """
        context = Context(theory.vocabulary, constraints)
        wanted = set(relations)
        for statement in theory.facts:
            if statement.relation in wanted and context.is_lasting(statement):
                context.establish(statement, None)
        context.fixed = shared_variables(rule)
        if isinstance(rule.head, GameStatement) and rule.head.by is not None and rule.head.tense is None:
            context.establish(rule.head.by, None)
        context.take(rule.body, "before")
        return context

    def branch(self) -> Context:
        """A context that knows the same, and learns on its own."""
        twin = Context(self.vocabulary, self.constraints)
        self.copy_into(twin)
        twin.depth, twin.fixed = self.depth + 1, set(self.fixed)
        twin.alls, twin.counts = list(self.alls), list(self.counts)
        return twin

    # What is taken as true

    def take(self, conditions: Sequence[Condition], moment: Moment) -> None:
        """Takes conditions as true; all their variables that are not their own stand for one thing each."""
        for condition in sorted(conditions, key=_reading_order):
            match condition:
                case Atom() | GameStatement():
                    self.establish(condition, moment)
                case Comparison():
                    self.take_comparison(condition)
                case All():
                    self.alls.append((condition, moment))
                case CountIn():
                    self.counts.append((condition, moment))
                    self.integers |= {self.find(v) for v in expression_variables(condition.result)}
                case Absent() | Aggregate():
                    raise RejectedError(f"`{print_condition(condition)}` has no place in a learned rule")

    def close(self) -> None:
        """Takes as true what closed conditions say of the known members of their sets, and that a union of sets has one
        size.
        """
        for condition, moment in self.alls:
            closed = self.closed_set(condition.member, len(condition.variables), moment)
            if closed[0] in self.constraints.closed:
                for row in self.members(closed):
                    inside = apply_to_all(condition.conditions, _of_row(condition, row))
                    self.take(
                        [c for c in inside if {v.name for v in condition_variables(c)} <= self.fixed], moment
                    )
        for (one, at), (other, then) in combinations(self.counts, 2):
            union = self._union(one, at)
            if union == self._union(other, then) and all(s[0] in self.constraints.closed for s in union[0]):
                self.take_comparison(Comparison("=", one.result, other.result))

    # What follows

    def established(self, statement: Statement, moment: Moment) -> bool:
        """Whether a statement without open variables is known."""
        return self.congruence.holds(statement.relation, self.moment_of(statement, moment), statement.terms)

    def holds(self, conditions: Sequence[Condition], bound: Mapping[str, Term], moment: Moment) -> bool:
        """Whether there is something for all open variables under which all conditions hold together."""
        # Statements come first: they say what the open variables of the others stand for.
        return self._hold(sorted(conditions, key=_reading_order), bound, moment)

    def _hold(self, conditions: Sequence[Condition], bound: Mapping[str, Term], moment: Moment) -> bool:
        if not conditions:
            return True
        condition, rest = apply_to_condition(conditions[0], bound), conditions[1:]
        match condition:
            case Atom() | GameStatement():
                return any(self._hold(rest, more, moment) for more in self._matches(condition, bound, moment))
            case Comparison():
                known = not any(map(_is_open, condition_variables(condition))) and self.compares(condition)
            case All():
                known = self._all_holds(condition, moment)
            case CountIn():
                known = self._count_holds(condition, moment)
            case _:
                known = False
        return known and self._hold(rest, bound, moment)

    def _matches(
        self, statement: Statement, bound: Mapping[str, Term], moment: Moment
    ) -> Iterator[Mapping[str, Term]]:
        terms = statement.terms
        pattern = [None if isinstance(t, Variable) and _is_open(t) else t for t in terms]
        for row in self.congruence.rows(statement.relation, self.moment_of(statement, moment), pattern):
            self.effort.spend()
            found = dict(bound)
            if all(
                wanted is not None or found.setdefault(term.name, there) == there
                for wanted, term, there in zip(pattern, terms, row, strict=True)
                if isinstance(term, Variable)
            ):
                yield found

    # Closed sets

    def _all_holds(self, condition: All, moment: Moment) -> bool:
        wanted = self.closed_set(condition.member, len(condition.variables), moment)
        own = self._own_alls().get(wanted, ())
        form = self.form(condition, moment) if own else None
        if any(known == form for _, _, known in own):
            return True
        size = self._size(wanted)
        if size is not None:
            rows = self.members(wanted)
            good = [r for r in rows if self.holds(condition.conditions, _of_row(condition, r), moment)]
            if self._all_distinct(good, size) is not None:
                return True
        return any(self._entails_all(a, at, condition, moment) for a, at, _ in own)

    def _own_alls(self) -> Mapping[ClosedSet, Sequence[tuple[All, Moment, Condition]]]:
        """The closed conditions taken as true, by set, each with its form."""
        state = len(self.alls), len(self.congruence.merged)
        if self._alls_read != state:
            self._alls_read, self._alls_of = state, {}
            for condition, at in self.alls:
                closed = self.closed_set(condition.member, len(condition.variables), at)
                self._alls_of.setdefault(closed, []).append((condition, at, self.form(condition, at)))
        return self._alls_of

    def all_without(self, condition: All, moment: Moment) -> bool:
        """Whether a closed condition that was taken as true might be proved by what else is known."""
        closed = self.closed_set(condition.member, len(condition.variables), moment)
        size = self._size(closed)
        complete = size is not None and len(self.members(closed)) >= size
        return complete or len(self._own_alls().get(closed, ())) > 1

    def _entails_all(self, own: All, own_moment: Moment, wanted: All, moment: Moment) -> bool:
        """Whether a closed condition that is taken as true, of any one member, gives the wanted one."""
        context = self.branch()
        member = tuple(Variable(f"#{context.depth}.{i}") for i in range(len(wanted.variables)))
        context.establish(wanted.member.with_terms((*wanted.member.terms[: -len(member)], *member)), moment)
        # What a member has for a variable of the closed condition's own is not what another member has.
        inside = apply_to_all(own.conditions, _of_row(own, member))
        names = {v.name for v in outer_variables(inside)} - self.fixed - {v.name for v in member}
        local = {name: Variable(f"#{context.depth}.{name}") for name in names}
        context.fixed |= {v.name for v in (*member, *local.values())}
        context.take(apply_to_all(inside, local), own_moment)
        return context.holds(wanted.conditions, _of_row(wanted, member), moment)

    def _count_holds(self, condition: CountIn, moment: Moment) -> bool:
        if any(map(_is_open, expression_variables(condition.result))):
            return False
        wanted = self._union(condition, moment)
        for own, at in self.counts:
            if self._union(own, at) == wanted:
                return self.compares(Comparison("=", condition.result, own.result))
        size = self._size_of_union(condition, moment)
        return size is not None and self.compares(Comparison("=", condition.result, Constant(size)))

    def _union(self, condition: CountIn, moment: Moment) -> tuple[frozenset[ClosedSet], frozenset[Term]]:
        width = len(condition.variables)
        sets = frozenset(self.closed_set(member, width, moment) for member in condition.sets)
        return sets, frozenset(self.find(term) for term in condition.excluded)

    def _size_of_union(self, condition: CountIn, moment: Moment) -> int | None:
        """The number of members of complete sets, less the excluded ones; None where it is not proved."""
        width = len(condition.variables)
        union: list[Row] = []
        for member in condition.sets:
            closed = self.closed_set(member, width, moment)
            if closed[0] not in self.constraints.closed:
                return None  # there may be more members than the count says
            size = self._size(closed)
            chosen = None if size is None else self._all_distinct(self.members(closed), size)
            if chosen is None:
                return None
            for row in chosen:
                if row not in union:
                    if not all(self._different_rows(row, other) for other in union):
                        return None
                    union.append(row)
        excluded = [self.congruence.row((term,)) for term in condition.excluded]
        left = [row for row in union if row not in excluded]
        if not all(self._different_rows(row, other) for row in left for other in excluded):
            return None
        return len(left)

    def overfull(self) -> bool:
        """Whether a closed set before the action has more members that are proved distinct than its count says."""
        for relation, counter in self._counted_by.items():
            declared = self.vocabulary.predicates[relation]
            moment: Moment = "before" if declared.has_tense else None
            if (relation, moment) not in self.constraints.closed:
                continue
            width = self.vocabulary.predicates[counter].arity - 1
            for row in self.congruence.rows(counter, moment, [None] * (width + 1)):
                size = self._size(((relation, moment), row[:-1]))
                if size is None:
                    continue
                members = self.members(((relation, moment), row[:-1]))
                if len(members) > size and self._all_distinct(members, size + 1) is not None:
                    return True
        return False

    def impossible(self) -> bool:
        """Whether what is known can never hold together, by keys, comparisons, closed sorts or closed sets."""
        try:
            self.refuse_contradiction()
            self.refuse_empty_ranges()
        except RejectedError:
            return True
        return self.overfull()

    def closed_set(self, member: Atom, width: int, moment: Moment) -> ClosedSet:
        """The set that a member is of, less its last `width` columns."""
        place = member.predicate, self.moment_of(member, moment)
        return place, self.congruence.row(member.terms[: len(member.terms) - width])

    def _size(self, closed: ClosedSet) -> int | None:
        """How many members a set has, where that is a known number."""
        (relation, moment), key = closed
        counter = self._counted_by.get(relation)
        if counter is not None:
            for row in self.congruence.rows(counter, moment, (*key, None)):
                size = row[-1]
                if isinstance(size, Constant) and isinstance(size.value, int):
                    return size.value
        return None

    def counted_sets(self) -> Iterator[tuple[Place, Row, Term]]:
        """The sets that are closed and whose size is a known term, each with that."""
        for relation, moment in self.constraints.closed:
            counter = self._counted_by[relation]
            for row in self.congruence.rows(
                counter, moment, [None] * self.vocabulary.predicates[counter].arity
            ):
                yield (relation, moment), row[:-1], row[-1]

    def acted_on(self) -> tuple[Term, ...]:
        """The things that the action is about, as far as it is known."""
        actions = (name for name, declared in self.vocabulary.predicates.items() if declared.kind == "action")
        rows = (
            row
            for name in actions
            for row in self.congruence.rows(name, None, [None] * self.vocabulary.predicates[name].arity)
        )
        return tuple(dict.fromkeys(term for row in rows for term in row))

    def members(self, closed: ClosedSet) -> list[Row]:
        """The known members of a set; some may be one thing."""
        (relation, moment), key = closed
        width = self.vocabulary.predicates[relation].arity - len(key)
        return [row[len(key) :] for row in self.congruence.rows(relation, moment, (*key, *[None] * width))]

    def _all_distinct(self, rows: Sequence[Row], size: int) -> list[Row] | None:
        """So many rows that are proved to differ from each other, or None."""
        if size < 0 or size > len(rows):
            return None
        chosen: list[int] = []
        start = 0
        while len(chosen) < size:
            if start > len(rows) - (size - len(chosen)):
                if not chosen:
                    return None
                start = chosen.pop() + 1
            elif all(self._different_rows(rows[start], rows[earlier]) for earlier in chosen):
                chosen.append(start)
                start += 1
            else:
                start += 1
        return [rows[index] for index in chosen]

    def _different_rows(self, one: Row, other: Row) -> bool:
        return any(self.distinct(a, b) for a, b in zip(one, other, strict=True))

    def form(self, condition: All, moment: Moment) -> Condition:
        """A closed condition under representatives, with names for its own variables that do not depend on
        how they were called: two with one form say the same.
        """
        if moment is not None and not any(
            s.tense for s in (condition.member, *statements(condition.conditions))
        ):
            at = at_moment(condition, moment, self.vocabulary)
            assert isinstance(at, All)
            condition = at
        names: dict[str, str] = {}

        def name(old: str) -> str:
            return old if old in self.fixed else names.setdefault(old, f"#{len(names)}")

        kept = {v.name: self.find(v) for v in condition_variables(condition) if v.name in self.fixed}
        return apply_to_condition(rename_condition(condition, name), kept)

    def reason(self, condition: Condition, moment: Moment) -> str:
        """Why a condition is not established, with the learned rule's terms."""
        shown = print_condition(condition).replace("@", "")
        at = "" if moment is None else f" ({moment} the action)"
        match condition:
            case Comparison(operator="!="):
                return f"nothing proves `{shown}`: the two may be one thing"
            case Comparison():
                return f"the rule's conditions do not entail `{shown}` within 64 bits"
            case All() | CountIn():
                return f"the closed set of `{shown}`{at} is not proved member by member"
            case _:
                return f"`{shown}`{at} is neither a condition of the rule nor concluded by an earlier step"


def apply_to_all(conditions: Sequence[Condition], substitution: Mapping[str, Term]) -> list[Condition]:
    return [apply_to_condition(condition, substitution) for condition in conditions]


def _of_row(condition: All, row: Row) -> dict[str, Term]:
    return {variable.name: term for variable, term in zip(condition.variables, row, strict=True)}


def _is_open(variable: Variable) -> bool:
    return variable.name.endswith("@")


def _reading_order(condition: Condition) -> int:
    """Statements first, then what says that its sides are numbers: the others are read in that light."""
    match condition:
        case Atom() | GameStatement():
            return 0
        case Comparison():
            return 1 if is_of_numbers(condition) else 2
        case _:
            return 3
