"""What is established while a certificate is replayed: statements, equalities, inequalities, arithmetic.

The learned rule's conditions are taken as true of *variables*, not of fresh constants, so two variables may
always stand for one thing: two members of a set are two only when that is proved. Statements hold by being
there; words are equal by the keys of `->` declarations and by the rule's equations, different only by its
`!=` or by unequal values of one key; numbers by linear entailment, with results provably (or by the rule's
own conditions) within 64 bits; a closed set by its count and as many members proved distinct.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from compiler.entailment import Arithmetic
from kb.printer import print_condition
from kb.substitution import apply_to_condition, apply_to_expression
from kb.terms import (
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
    Operation,
    Rule,
    Statement,
    Tense,
    Term,
    Variable,
    condition_variables,
    expression_variables,
)
from kb.theory import Theory, Vocabulary

Moment = Tense | None


class RejectedError(Exception):
    """The certificate does not show that the rule follows; the message says where it breaks."""


class Context:
    """What is established: statements at moments, equalities, inequalities, arithmetic, closed conditions."""

    def __init__(self, theory: Theory) -> None:
        self.vocabulary: Vocabulary = theory.vocabulary
        self.depth = 0
        self.known: dict[tuple[str, Moment], list[tuple[Term, ...]]] = {}
        self.parents: dict[Term, Term] = {}
        self.unequal: list[tuple[Term, Term]] = []
        self.comparisons: list[Comparison] = []
        self.alls: list[tuple[All, Moment]] = []
        self.counts: list[tuple[CountIn, Moment]] = []
        self.integers: set[str] = set()
        self.conflict: tuple[Term, Term] | None = None
        self._arithmetic: Arithmetic | None = None
        for statement in theory.facts:
            if self._moment(statement, None) is None:
                self.establish(statement, None)

    def branch(self) -> Context:
        """A context that knows the same, and learns on its own."""
        twin = object.__new__(Context)
        twin.vocabulary, twin.conflict, twin._arithmetic = self.vocabulary, self.conflict, None
        twin.depth = self.depth + 1
        twin.known = {key: list(rows) for key, rows in self.known.items()}
        twin.parents, twin.integers = dict(self.parents), set(self.integers)
        twin.unequal, twin.comparisons = list(self.unequal), list(self.comparisons)
        twin.alls, twin.counts = list(self.alls), list(self.counts)
        return twin

    # What is taken as true

    def assume(self, rule: Rule) -> None:
        """The conditions of a learned rule, read before its action where it does not say otherwise."""
        names = {v.name for c in rule.body for v in condition_variables(c)}
        if any("@" in name or "#" in name for name in names):
            raise RejectedError("the names of the rule's variables are not of the language")
        if isinstance(rule.head, GameStatement) and rule.head.by is not None and rule.head.tense is None:
            self.establish(rule.head.by, None)
        for condition in rule.body:
            self.take(condition, "before")

    def take(self, condition: Condition, moment: Moment) -> None:
        match condition:
            case Atom() | GameStatement():
                self.establish(condition, moment)
            case Comparison():
                self._take_comparison(condition)
            case All():
                self.alls.append((condition, moment))
                self._note_integers(condition.member)
            case CountIn():
                self.counts.append((condition, moment))
                self.integers |= {v.name for v in expression_variables(condition.result)}
            case Absent() | Aggregate():
                raise RejectedError(f"`{print_condition(condition)}` has no place in a learned rule")

    def _take_comparison(self, comparison: Comparison) -> None:
        left, right = comparison.left, comparison.right
        if self._is_integer(left) or self._is_integer(right):
            self.comparisons.append(comparison)
            self._arithmetic = None
            for side in (left, right):
                self.integers |= {v.name for v in expression_variables(side)}
        if isinstance(left, Operation) or isinstance(right, Operation):
            return
        if comparison.operator == "=":
            self.equate(left, right)
        elif comparison.operator == "!=":
            self.unequal.append((left, right))

    def establish(self, statement: Statement, moment: Moment) -> None:
        moment = self._moment(statement, moment)
        self._note_integers(statement)
        rows = self.known.setdefault((statement.relation, moment), [])
        rows.append(statement.terms)
        key = self._key(statement.relation)
        if key is not None:
            for row in rows[:-1]:
                self._equate_values(row, statement.terms, key)

    def _equate_values(self, one: tuple[Term, ...], other: tuple[Term, ...], key: int) -> None:
        if all(self.equal(a, b) for a, b in zip(one[:key], other[:key], strict=True)):
            for a, b in zip(one[key:], other[key:], strict=True):
                self.equate(a, b)

    # Words and equality

    def find(self, term: Term) -> Term:
        while term in self.parents:
            term = self.parents[term]
        return term

    def equal(self, one: Term, other: Term) -> bool:
        return self.find(one) == self.find(other)

    def equate(self, one: Term, other: Term) -> None:
        one, other = self.find(one), self.find(other)
        if one == other:
            return
        if isinstance(one, Constant) and isinstance(other, Constant):
            self.conflict = (one, other)
            return
        if isinstance(one, Constant):
            one, other = other, one
        self.parents[one] = other
        self._arithmetic = None
        if isinstance(one, Variable) and one.name in self.integers and isinstance(other, Variable):
            self.integers.add(other.name)
        # What was equated may make keys equal that were not.
        for (relation, _), rows in list(self.known.items()):
            key = self._key(relation)
            if key is not None:
                for first, second in combinations(rows, 2):
                    self._equate_values(first, second, key)

    def distinct(self, one: Term, other: Term, without: tuple[tuple[Term, Term], ...] = ()) -> bool:
        """Whether two terms are proved to be different things."""
        one, other = self.find(one), self.find(other)
        if one == other or (one, other) in without:
            return False
        if isinstance(one, Constant) and isinstance(other, Constant):
            return True
        for a, b in self.unequal:
            if {self.find(a), self.find(b)} == {one, other}:
                return True
        if self._is_integer(one) and self._is_integer(other):
            return self.arithmetic().entails(self._resolved(Comparison("!=", one, other)))
        return self._distinct_by_key(one, other, (*without, (one, other), (other, one)))

    def _distinct_by_key(self, one: Term, other: Term, without: tuple[tuple[Term, Term], ...]) -> bool:
        for (relation, _), rows in self.known.items():
            key = self._key(relation)
            if key is None:
                continue
            for first, second in combinations(rows, 2):
                pairs = [
                    {self.find(a), self.find(b)}
                    for a, b in zip(first[:key], second[:key], strict=True)
                    if not self.equal(a, b)
                ]
                if not pairs or any(pair != {one, other} for pair in pairs):
                    continue
                values = zip(first[key:], second[key:], strict=True)
                if any(self.distinct(a, b, without) for a, b in values):
                    return True
        return False

    def refuse_contradiction(self) -> None:
        """Raises where the rule's conditions can never hold together: such a rule says nothing."""
        if self.conflict is not None:
            one, other = (print_condition_term(term) for term in self.conflict)
            raise RejectedError(
                f"the conditions can never hold together: one thing would be {one} and {other}"
            )
        for a, b in self.unequal:
            if self.equal(a, b):
                raise RejectedError("the conditions can never hold together: a thing differs from itself")
        if self.arithmetic().contradictory():
            raise RejectedError("the conditions can never hold together: no numbers satisfy the comparisons")

    # Arithmetic

    def arithmetic(self) -> Arithmetic:
        if self._arithmetic is None:
            self._arithmetic = Arithmetic([self._resolved(c) for c in self.comparisons])
        return self._arithmetic

    def _resolved(self, comparison: Comparison) -> Comparison:
        return Comparison(
            comparison.operator, self._canonical(comparison.left), self._canonical(comparison.right)
        )

    def _canonical(self, expression: Expression) -> Expression:
        variables = {v.name: self.find(v) for v in expression_variables(expression)}
        return apply_to_expression(expression, variables)

    def _is_integer(self, expression: Expression) -> bool:
        match expression:
            case Constant():
                return isinstance(expression.value, int)
            case Variable():
                return expression.name in self.integers
            case Operation():
                return True

    def _compares(self, comparison: Comparison) -> bool:
        left, right = comparison.left, comparison.right
        if not isinstance(left, Operation) and not isinstance(right, Operation):
            if comparison.operator == "=" and self.equal(left, right):
                return True
            if comparison.operator == "!=" and self.distinct(left, right):
                return True
        if not (self._is_integer(left) and self._is_integer(right)):
            return False
        return (
            self.arithmetic().entails(self._resolved(comparison)) and self._fits(left) and self._fits(right)
        )

    def _fits(self, expression: Expression) -> bool:
        """Whether evaluating an expression cannot leave 64 bits, unless the learned rule itself would."""
        if not isinstance(expression, Operation):
            return True
        canonical = self._canonical(expression)
        if any(canonical in operations(self._resolved(c)) for c in self.comparisons):
            return True
        return (
            self._fits(expression.left) and self._fits(expression.right) and self.arithmetic().fits(canonical)
        )

    # What follows

    def established(self, statement: Statement, moment: Moment) -> bool:
        return is_some(self._matches(statement, {}, moment))

    def solve(
        self, conditions: Sequence[Condition], bound: Mapping[str, Term], moment: Moment
    ) -> Iterator[Mapping[str, Term]]:
        """The ways in which conditions hold; variables whose names end in `@` are open, all others are fixed."""
        if not conditions:
            yield bound
            return
        condition, rest = apply_to_condition(conditions[0], bound), conditions[1:]
        match condition:
            case Atom() | GameStatement():
                for more in self._matches(condition, bound, moment):
                    yield from self.solve(rest, more, moment)
            case Comparison() if self._compares(condition):
                yield from self.solve(rest, bound, moment)
            case All() if self._all_holds(condition, moment):
                yield from self.solve(rest, bound, moment)
            case CountIn() if self._count_holds(condition, moment):
                yield from self.solve(rest, bound, moment)

    def _matches(
        self, statement: Statement, bound: Mapping[str, Term], moment: Moment
    ) -> Iterator[Mapping[str, Term]]:
        for row in self.known.get((statement.relation, self._moment(statement, moment)), ()):
            extended = dict(bound)
            for wanted, there in zip(statement.terms, row, strict=True):
                if isinstance(wanted, Variable) and wanted.name.endswith("@"):
                    if not self.equal(extended.setdefault(wanted.name, there), there):
                        break
                elif not self.equal(wanted, there):
                    break
            else:
                yield extended

    def _all_holds(self, condition: All, moment: Moment) -> bool:
        members = self._members(condition.member, len(condition.variables), moment)
        if members is not None:
            size, rows = members
            good = [
                row
                for row in rows
                if is_some(self.solve(condition.conditions, _of_row(condition, row), moment))
            ]
            if self._distinct_rows(good, size) is not None:
                return True
        return any(self._entails_all(own, at, condition, moment) for own, at in self.alls)

    def _entails_all(self, own: All, own_moment: Moment, wanted: All, moment: Moment) -> bool:
        """Whether a closed condition of the learned rule, taken for any one member, gives the wanted one."""
        width = len(wanted.variables)
        if self._set(own.member, own_moment, len(own.variables)) != self._set(wanted.member, moment, width):
            return False
        context = self.branch()
        any_member = tuple(Variable(f"#{context.depth}.{i}") for i in range(width))
        context.establish(wanted.member.with_terms((*wanted.member.terms[:-width], *any_member)), moment)
        for inner in own.conditions:
            context.take(apply_to_condition(inner, _of_row(own, any_member)), own_moment)
        return is_some(context.solve(wanted.conditions, _of_row(wanted, any_member), moment))

    def _count_holds(self, condition: CountIn, moment: Moment) -> bool:
        width = len(condition.variables)
        wanted = {self._set(member, moment, width) for member in condition.sets}
        excluded = {self.find(term) for term in condition.excluded}
        for own, at in self.counts:
            same = {self._set(member, at, len(own.variables)) for member in own.sets} == wanted
            if same and {self.find(term) for term in own.excluded} == excluded:
                return self._compares(Comparison("=", condition.result, own.result))
        size = self._size_of_union(condition, moment)
        return size is not None and self._compares(Comparison("=", condition.result, Constant(size)))

    def _size_of_union(self, condition: CountIn, moment: Moment) -> int | None:
        """The number of members of complete sets, less the excluded ones; None where it is not proved."""
        union: list[tuple[Term, ...]] = []
        for member in condition.sets:
            members = self._members(member, len(condition.variables), moment)
            if members is None:
                return None
            chosen = self._distinct_rows(members[1], members[0])
            if chosen is None:
                return None
            for row in chosen:
                if any(self._same_row(row, other) for other in union):
                    continue
                if not all(self._different_rows(row, other) for other in union):
                    return None
                union.append(row)
        left = []
        for row in union:
            same = any(self._same_row(row, (term,)) for term in condition.excluded)
            if not same and not all(self._different_rows(row, (term,)) for term in condition.excluded):
                return None
            left += [] if same else [row]
        return len(left)

    # Closed sets

    def _members(self, member: Atom, width: int, moment: Moment) -> tuple[int, list[tuple[Term, ...]]] | None:
        """The size of a set, where it is a known number, and its known members (some may be one thing)."""
        at = self._moment(member, moment)
        key = member.terms[: len(member.terms) - width]
        closing = [
            p for p in self.vocabulary.predicates.values() if p.counts and p.counts.name == member.predicate
        ]
        if len(closing) != 1:
            return None
        for row in self.known.get((closing[0].name, at), ()):
            size = self.find(row[-1])
            if self._same_row(row[:-1], key) and isinstance(size, Constant) and isinstance(size.value, int):
                rows = self.known.get((member.predicate, at), ())
                return size.value, [r[len(key) :] for r in rows if self._same_row(r[: len(key)], key)]
        return None

    def _set(self, member: Atom, moment: Moment, width: int) -> tuple[str, Moment, tuple[Term, ...]]:
        key = member.terms[: len(member.terms) - width]
        return member.predicate, self._moment(member, moment), tuple(self.find(term) for term in key)

    def _distinct_rows(self, rows: Sequence[tuple[Term, ...]], size: int) -> list[tuple[Term, ...]] | None:
        """So many rows that are proved to differ from each other, or None."""
        if size < 0:
            return None

        def extend(chosen: list[tuple[Term, ...]], start: int) -> list[tuple[Term, ...]] | None:
            if len(chosen) == size:
                return chosen
            for index in range(start, len(rows) - (size - len(chosen)) + 1):
                if all(self._different_rows(rows[index], row) for row in chosen):
                    found = extend([*chosen, rows[index]], index + 1)
                    if found is not None:
                        return found
            return None

        return extend([], 0)

    def _same_row(self, one: tuple[Term, ...], other: tuple[Term, ...]) -> bool:
        return all(self.equal(a, b) for a, b in zip(one, other, strict=True))

    def _different_rows(self, one: tuple[Term, ...], other: tuple[Term, ...]) -> bool:
        return any(self.distinct(a, b) for a, b in zip(one, other, strict=True))

    # Declarations

    def _moment(self, statement: Statement, moment: Moment) -> Moment:
        """When a statement is read: its own word, else the given moment; nothing for what never changes."""
        if isinstance(statement, Atom) and not self.vocabulary.predicates[statement.predicate].has_tense:
            return None
        return statement.tense or moment or "before"

    def _key(self, relation: str) -> int | None:
        declared = self.vocabulary.predicates.get(relation)
        return None if declared is None else declared.key

    def _note_integers(self, statement: Statement) -> None:
        atoms = (
            [statement] if isinstance(statement, Atom) else [a for a in (statement.game, statement.by) if a]
        )
        for atom in atoms:
            columns = self.vocabulary.predicates[atom.predicate].columns
            for term, column in zip(atom.arguments, columns, strict=True):
                if isinstance(term, Variable) and self.vocabulary.sorts[column.name].kind == "integer":
                    self.integers.add(term.name)

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


def is_some(ways: Iterator[Mapping[str, Term]]) -> bool:
    """Whether there is a way (one that binds nothing is a way too)."""
    return next(ways, None) is not None


def operations(comparison: Comparison) -> set[Expression]:
    """All arithmetic that a comparison evaluates."""
    evaluated: set[Expression] = set()
    todo: list[Expression] = [comparison.left, comparison.right]
    while todo:
        expression = todo.pop()
        if isinstance(expression, Operation):
            evaluated.add(expression)
            todo += [expression.left, expression.right]
    return evaluated


def _of_row(condition: All, row: tuple[Term, ...]) -> dict[str, Term]:
    return {variable.name: term for variable, term in zip(condition.variables, row, strict=True)}


def print_condition_term(term: Term) -> str:
    return f"`?{term.name}`" if isinstance(term, Variable) else f"`{term.value}`"
