"""The uses of variables: the evidence for their sorts in a conjunction, and the settled sort of each
variable.

A variable has the sort of most of its columns, or of the first one if there is no majority. Equal variables
have the same sort. A calculated variable has the unit of its calculation (kb/check/units.py). A variable that
only occurs with numbers is a plain integer. The attribute `unit` is the checked text
(kb/check/check_unit.py); a unit of calculations is an integer sort.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from typing import NamedTuple

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.declarations import INTEGER_SORT, VALUE_SORT
from hornbook.kb.ast.operators import Kind, signature
from hornbook.kb.check.check_unit import CheckUnit, PreparedClause, parts
from hornbook.kb.check.scopes import VariableScope
from hornbook.kb.check.units import Measure, Report, bearers, factors, measure_of
from hornbook.kb.desugar.surface import MARK
from hornbook.matcher.program.dataclass import dataclass

ScopedVariable = tuple[int, str]
"""A variable: the identity of the scope to which it belongs, and its name. Variables of different scopes may
have one name, and a `Variable` term is one occurrence.
"""


class ScopedExpression(NamedTuple):
    """An expression, and the scopes around it, outermost first."""

    expression: t.Expression
    scopes: Sequence[VariableScope]


def uses_of(head: t.Statement | None, scope: VariableScope, unit: CheckUnit) -> VariableUses:
    """Return the uses of the variables of a conjunction, with settled sorts."""
    uses = VariableUses(unit)
    uses.read(head, scope)
    uses.settle()
    return uses


def answer_sorts(prepared: PreparedClause, unit: CheckUnit) -> dict[str, str]:
    """Return the sorts of the variables of an answer to a query."""
    settled = uses_of(prepared.head, prepared.scope, unit).sorts
    return {name: sort for (scope, name), sort in settled.items() if scope == id(prepared.scope)}


def _columns(statement: t.Statement, unit: CheckUnit) -> Iterator[tuple[t.Variable, str, t.Atom]]:
    """Yield the variables of a statement with the sorts of their columns."""
    sorts = unit.vocabulary.sorts
    for atom in parts(statement):
        predicate = unit.fits(atom)
        if predicate is not None:
            for term, column in zip(atom.arguments, predicate.columns, strict=True):
                if isinstance(term, t.Variable) and column.name in sorts:
                    yield term, column.name, atom
    if isinstance(statement, t.GameStatement) and isinstance(statement.value, t.Variable):
        predicate = unit.predicate(statement.game.predicate)
        if predicate is None or predicate.kind == "game":
            yield statement.value, VALUE_SORT, statement.game


@dataclass(frozen=True, slots=True)
class VariableUse:
    """A variable in a column of a sort. `atom` is None if arithmetic or an order requires an integer."""

    sort: str
    variable: t.Variable
    atom: t.Atom | None


@dataclass(slots=True)
class VariableUses:
    """The evidence for the sorts of the variables of a conjunction, and the settled sorts.

    - `of`: The uses of each variable, in order.
    - `equal`: The comparisons of two variables.
    - `calculated`: The terms that must be integers, for each comparison or calculation.
    - `measured`: The variables that must have one unit, for each comparison, sum or aggregate.
    - `definitions`: The variables that `=` can define, each with the expression that gives its unit and form.
    - `equations`: The pairs of expressions that must have one form, such as the sides of a comparison.
    - `summed`: The variables that are added up.
    - `counted`: The results of counts.
    - `compared`: The constants that a variable is compared with.
    - `excluded`: The constants that a count leaves out, with the sort of its members and the set.
    - `unlike`: The comparisons of a word with an integer.
    - `spelled`: The operands of word functions.
    - `given_words`: The variables that are compared with results of word functions.
    - `no_numbers`: The results of word functions in places of numbers.
    - `sorts`: The settled sort of each variable; empty before `settle`.
    """

    unit: CheckUnit
    of: dict[ScopedVariable, list[VariableUse]] = field(default_factory=dict)
    equal: list[tuple[ScopedVariable, ScopedVariable, t.Comparison]] = field(default_factory=list)
    calculated: list[list[tuple[t.Term, ScopedVariable | None]]] = field(default_factory=list)
    measured: list[list[tuple[t.Variable, ScopedVariable]]] = field(default_factory=list)
    definitions: list[tuple[ScopedVariable, ScopedExpression]] = field(default_factory=list)
    equations: list[tuple[ScopedExpression, ScopedExpression]] = field(default_factory=list)
    summed: list[ScopedExpression] = field(default_factory=list)
    counted: list[ScopedExpression] = field(default_factory=list)
    compared: list[tuple[t.Constant, ScopedVariable]] = field(default_factory=list)
    excluded: list[tuple[t.Constant, str, t.Atom]] = field(default_factory=list)
    unlike: list[t.Comparison] = field(default_factory=list)
    spelled: list[tuple[t.Term, ScopedVariable | None]] = field(default_factory=list)
    given_words: list[tuple[t.Variable, ScopedVariable]] = field(default_factory=list)
    no_numbers: list[t.Expression] = field(default_factory=list)
    sorts: dict[ScopedVariable, str] = field(default_factory=dict)

    # Collecting

    def read(
        self, head: t.Statement | None, scope: VariableScope, around: tuple[VariableScope, ...] = ()
    ) -> None:
        """Record the evidence in a scope and its inner scopes.

        `around` are the enclosing scopes, outermost first.
        """
        scopes = (*around, scope)
        for statement in ([] if head is None else [head]) + scope.statements:
            self._statement(statement, scopes)
        for inner in scope.inner:
            for member in t.member_atoms(inner.opener) if inner.opener is not None else ():
                self._statement(member, (*scopes, inner))
            self._read_opener(inner, scopes)
        for comparison in scope.comparisons:
            self._comparison(comparison, scopes)
        for inner in scope.inner:
            self.read(None, inner, scopes)

    def _statement(self, statement: t.Statement, scopes: Sequence[VariableScope]) -> None:
        for variable, sort, atom in _columns(statement, self.unit):
            self._use(variable, sort, atom, scopes)

    def _use(
        self, variable: t.Variable, sort: str, atom: t.Atom | None, scopes: Sequence[VariableScope]
    ) -> None:
        scoped = _scoped_variable(variable, scopes)
        if scoped is not None:
            self.of.setdefault(scoped, []).append(VariableUse(sort, variable, atom))

    def _read_opener(self, inner: VariableScope, scopes: tuple[VariableScope, ...]) -> None:
        """Record the evidence in the condition that opens a scope, such as a count.

        `scopes` are those around it.
        """
        opener = inner.opener
        if isinstance(opener, t.CountIn):
            self._number(opener, scopes)
            self._excluded(opener, scopes)
            self.counted.append(ScopedExpression(opener.result, scopes))
        elif isinstance(opener, t.Aggregate):
            self._number(opener, scopes)
            if opener.function == "count":
                self.counted.append(ScopedExpression(opener.result, scopes))
            if opener.function == "sum" and len(opener.variables) == 1:
                self.summed.append(ScopedExpression(opener.variables[0], (*scopes, inner)))
            if opener.function != "count" and len(opener.variables) == 1:
                self._integers(opener.variables, (*scopes, inner))
                self._measure(opener.result, scopes, opener.variables[0], (*scopes, inner), defines=True)

    def _number(self, opener: t.CountIn | t.Aggregate, scopes: Sequence[VariableScope]) -> None:
        """Record the terms of the result of a count or an aggregate, such as `?n` in `?n = count …`."""
        terms = list(t.leaves_by_kind(opener.result, "integer"))
        self._integers([term for term, needed in terms if needed == "integer"], scopes)
        self._words([term for term, needed in terms if needed == "word"], scopes)
        if _result(opener.result) == "word":
            self.no_numbers.append(opener.result)

    def _words(self, terms: Iterable[t.Term], scopes: Sequence[VariableScope]) -> None:
        """Record terms that must be words because of a word function."""
        for term in terms:
            self.spelled.append(
                (term, _scoped_variable(term, scopes) if isinstance(term, t.Variable) else None)
            )

    def _compared_with_word(
        self, comparison: t.Comparison, results: Sequence[Kind | None], scopes: Sequence[VariableScope]
    ) -> None:
        """Record the sides of a comparison with the result of a word function.

        `results` are the kinds of both.
        """
        left, right = comparison.left, comparison.right
        if comparison.operator not in ("=", "!="):
            self.no_numbers += [s for s, kind in zip((left, right), results, strict=True) if kind == "word"]
        elif results[0] != results[1]:
            self.unlike.append(comparison)
        for side in (left, right):
            if isinstance(side, t.Variable):
                scoped = _scoped_variable(side, scopes)
                if scoped is not None:
                    self.given_words.append((side, scoped))

    def _excluded(self, count: t.CountIn, scopes: Sequence[VariableScope]) -> None:
        """Record the terms that a count leaves out. They have the sort of its members."""
        member = count.sets[0]
        predicate = self.unit.fits(member)
        if predicate is None or len(count.variables) != 1 or not predicate.columns:
            return
        sort = predicate.columns[-1].name
        for term in count.excluded:
            if isinstance(term, t.Variable):
                self._use(term, sort, member, scopes)
            else:
                self.excluded.append((term, sort, member))

    def _integers(self, terms: Iterable[t.Term], scopes: Sequence[VariableScope]) -> None:
        """Record terms that must be integers in arithmetic or an order. Together they give at most one
        mistake.
        """
        noted: list[tuple[t.Term, ScopedVariable | None]] = []
        for term in terms:
            scoped = _scoped_variable(term, scopes) if isinstance(term, t.Variable) else None
            noted.append((term, scoped))
            if isinstance(term, t.Variable):
                self._use(term, INTEGER_SORT, None, scopes)
        self.calculated.append(noted)

    def _comparison(self, comparison: t.Comparison, scopes: Sequence[VariableScope]) -> None:
        left, right = comparison.left, comparison.right
        self._measure(left, scopes, right, scopes, defines=comparison.operator == "=")
        ordered = comparison.operator not in ("=", "!=")
        if ordered or isinstance(left, t.Operation) or isinstance(right, t.Operation):
            kind: Kind | None = "integer" if ordered else _result(left) or _result(right)
            terms = [pair for side in (left, right) for pair in t.leaves_by_kind(side, kind)]
            self._integers([term for term, needed in terms if needed == "integer"], scopes)
            self._words([term for term, needed in terms if needed == "word"], scopes)
            results = [_result(side) or kind for side in (left, right)]
            if "word" in results:
                self._compared_with_word(comparison, results, scopes)
        elif isinstance(left, t.Variable) and isinstance(right, t.Variable):
            left_scoped, right_scoped = _scoped_variable(left, scopes), _scoped_variable(right, scopes)
            if left_scoped is not None and right_scoped is not None:
                self.equal.append((left_scoped, right_scoped, comparison))
        elif isinstance(left, t.Constant) and isinstance(right, t.Constant):
            if isinstance(left.value, str) != isinstance(right.value, str):
                self.unlike.append(comparison)
        else:
            variable, constant = (left, right) if isinstance(left, t.Variable) else (right, left)
            assert isinstance(variable, t.Variable)
            assert isinstance(constant, t.Constant)
            scoped = _scoped_variable(variable, scopes)
            if scoped is not None:
                self.compared.append((constant, scoped))

    def _measure(
        self,
        left: t.Expression,
        of_left: Sequence[VariableScope],
        right: t.Expression,
        of_right: Sequence[VariableScope],
        *,
        defines: bool,
    ) -> None:
        """Record the variables of a comparison that must have one unit, and the variables that it defines.

        `of_left` and `of_right` are the scopes of the two sides. A comparison that `defines` gives a variable
        on one side the unit of the other side. Every comparison gives it to a parameter.
        """
        sides = [_scoped_variables(bearers(left), of_left), _scoped_variables(bearers(right), of_right)]
        groups = [[*sides[0], *sides[1]]]
        groups += [_scoped_variables(bearers(factor), of_left) for factor in factors(left)]
        groups += [_scoped_variables(bearers(factor), of_right) for factor in factors(right)]
        self.measured += [group for group in groups if len(group) > 1]
        both = ScopedExpression(left, of_left), ScopedExpression(right, of_right)
        self.equations.append(both)
        for side, one, other in ((left, sides[0], both[1]), (right, sides[1], both[0])):
            if isinstance(side, t.Variable) and one and (defines or side.name.startswith(MARK)):
                self.definitions.append((one[0][1], other))

    # Settling

    def settle(self) -> None:
        """Assign each variable the sort of most of its columns, then propagate sorts along equalities.

        A defined variable without a unit from its columns gets the unit and form of its definition. A
        variable that only occurs with numbers is a plain integer.
        """
        for scoped, uses in self.of.items():
            columns = [use.sort for use in uses if use.atom is not None]
            named = [sort for sort in columns if sort != INTEGER_SORT]
            if columns:
                self.sorts[scoped] = Counter(named).most_common(1)[0][0] if named else INTEGER_SORT
        self._equate()
        numbers = [scoped for constant, scoped in self.compared if isinstance(constant.value, int)]
        for scoped in (*self.of, *numbers):
            self.sorts.setdefault(scoped, INTEGER_SORT)
        self._equate()
        self._give_units()

    def _equate(self) -> None:
        """Propagate sorts along equalities."""
        equal_to: dict[ScopedVariable, list[ScopedVariable]] = {}
        for one, other, _ in self.equal:
            equal_to.setdefault(one, []).append(other)
            equal_to.setdefault(other, []).append(one)
        ready = [scoped for scoped in equal_to if scoped in self.sorts]
        while ready:
            scoped = ready.pop()
            for other in equal_to[scoped]:
                if other not in self.sorts:
                    self.sorts[other] = self.sorts[scoped]
                    ready.append(other)

    def _give_units(self) -> None:
        """Give units and forms to plain integers that are defined by values with units and forms.

        A definition is read when the variables in it have their units. Those that depend on each other are
        read last, in the order of the text. A variable in a column of plain integers gets no form.
        """
        pending = {scoped for scoped, _ in self.definitions if self.sorts.get(scoped) == INTEGER_SORT}
        waiting = [each for each in self.definitions if each[0] in pending]
        needed = [set(self._variables_of(defined)) & pending for _, defined in waiting]
        readers: dict[ScopedVariable, list[int]] = {}
        for number, sources in enumerate(needed):
            for source in sources:
                readers.setdefault(source, []).append(number)
        ready = [number for number, sources in enumerate(needed) if not sources]
        for number in ready:  # it grows
            scoped, defined = waiting[number]
            self._define(scoped, defined)
            for reader in readers.pop(scoped, ()):
                needed[reader].discard(scoped)
                if not needed[reader]:
                    ready.append(reader)
        for number, sources in enumerate(needed):
            if sources:
                self._define(*waiting[number])

    def _define(self, scoped: ScopedVariable, defined: ScopedExpression) -> None:
        known = self.measure(defined)
        if known is not None and (known.form is None or not self._has_column(scoped)):
            self._give(scoped, known)

    @staticmethod
    def _variables_of(scoped: ScopedExpression) -> list[ScopedVariable]:
        variables = t.expression_variables(scoped.expression)
        return [own for _, own in _scoped_variables(variables, scoped.scopes)]

    def _give(self, scoped: ScopedVariable, known: Measure) -> None:
        if self.sorts.get(scoped) == INTEGER_SORT:
            self.sorts[scoped] = known.sort

    def _has_column(self, scoped: ScopedVariable) -> bool:
        return any(use.atom is not None for use in self.of.get(scoped, ()))

    def measure(self, scoped: ScopedExpression, report: Report = lambda _: None) -> Measure | None:
        """Return the unit and form of an expression, or None if it is a word or not known."""

        def of(variable: t.Variable) -> Measure | None:
            own = _scoped_variable(variable, scoped.scopes)
            sort = None if own is None else self.sorts.get(own)
            return Measure(sort, self.unit.form(sort)) if sort and self.unit.is_integer(sort) else None

        return measure_of(scoped.expression, of, report)


def _result(side: t.Expression) -> Kind | None:
    """Return the kind of the result of a calculation; None for a variable or a constant."""
    return signature(side.operator).result if isinstance(side, t.Operation) else None


def _scoped_variables(
    variables: Iterable[t.Variable], scopes: Sequence[VariableScope]
) -> list[tuple[t.Variable, ScopedVariable]]:
    """Return the occurrences that are not wildcards, each with its variable.

    `scopes` begin with the outermost.
    """
    found = ((variable, _scoped_variable(variable, scopes)) for variable in variables)
    return [(variable, scoped) for variable, scoped in found if scoped is not None]


def _scoped_variable(variable: t.Variable, scopes: Sequence[VariableScope]) -> ScopedVariable | None:
    """Return the variable of an occurrence, or None for a wildcard."""
    for scope in reversed(scopes):
        if variable.name in scope.own:
            return id(scope), variable.name
    return None
