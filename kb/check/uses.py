"""Uses of variables: what a conjunction says of their sorts, and the sort that is settled for each.

The sort of a variable is that of most of the columns it stands in (the first of them where none is most).
What is equal to it has the same sort, and what is calculated the unit of what it is calculated from
(kb/check/units.py); what only a number says something of is a plain integer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.declarations import INTEGER_SORT, VALUE_SORT
from hornbook.kb.ast.operators import Kind, signature
from hornbook.kb.check.levels import Level
from hornbook.kb.check.subject import Reading, Subject, parts
from hornbook.kb.check.units import bearers, factors

Home = tuple[int, str]
"""A variable: the level that it belongs to, by identity, and its name."""


def uses_of(head: t.Statement | None, level: Level, subject: Subject) -> Uses:
    """The uses of the variables of a conjunction, their sorts settled."""
    uses = Uses(subject)
    uses.read(head, level)
    uses.settle()
    return uses


def answer_sorts(reading: Reading, subject: Subject) -> dict[str, str]:
    """The sorts of the variables of an answer to a query."""
    settled = uses_of(reading.head, reading.level, subject).sorts
    return {name: sort for (level, name), sort in settled.items() if level == id(reading.level)}


def _columns(statement: t.Statement, subject: Subject) -> Iterator[tuple[t.Variable, str, t.Atom]]:
    """The variables of a statement with the sorts of their columns."""
    sorts = subject.vocabulary.sorts
    for atom in parts(statement):
        predicate = subject.fits(atom)
        if predicate is not None:
            for term, column in zip(atom.arguments, predicate.columns, strict=True):
                if isinstance(term, t.Variable) and column.name in sorts:
                    yield term, column.name, atom
    if isinstance(statement, t.GameStatement) and isinstance(statement.value, t.Variable):
        predicate = subject.predicate(statement.game.predicate)
        if predicate is None or predicate.kind == "game":
            yield statement.value, VALUE_SORT, statement.game


@dataclass(frozen=True, slots=True)
class Use:
    """A variable in a column of a sort; `atom` is None where arithmetic or an order needs an integer."""

    sort: str
    variable: t.Variable
    atom: t.Atom | None


@dataclass(slots=True)
class Uses:
    """What a conjunction says of the sorts of its variables, and the sort that is settled for each.

    `equal`: the comparisons of two variables. `calculated`: for each comparison or calculation the terms that
    must be integers in it. `measured`: the variables of each comparison, sum or aggregate that must be of one
    unit. `given`: for each variable that `=` can give a value, those that the value has its unit from.
    `compared`: the constants that a variable is compared with. `excluded`: the constants that a count leaves
    out, with the set they should be members of. `spelled`: what functions of words take. `given_words`: the variables
    that stand beside what they give. `no_numbers`: what they give where a number is needed.
    """

    subject: Subject
    of: dict[Home, list[Use]] = field(default_factory=dict)
    equal: list[tuple[Home, Home, t.Comparison]] = field(default_factory=list)
    calculated: list[list[tuple[t.Term, Home | None]]] = field(default_factory=list)
    measured: list[list[tuple[t.Variable, Home]]] = field(default_factory=list)
    given: list[tuple[Home, list[Home]]] = field(default_factory=list)
    compared: list[tuple[t.Constant, Home]] = field(default_factory=list)
    excluded: list[tuple[t.Constant, str, t.Atom]] = field(default_factory=list)
    unlike: list[t.Comparison] = field(default_factory=list)
    spelled: list[tuple[t.Term, Home | None]] = field(default_factory=list)
    given_words: list[tuple[t.Variable, Home]] = field(default_factory=list)
    no_numbers: list[t.Expression] = field(default_factory=list)
    sorts: dict[Home, str] = field(default_factory=dict)

    # Reading

    def read(self, head: t.Statement | None, level: Level, around: tuple[Level, ...] = ()) -> None:
        levels = (*around, level)
        for statement in ([] if head is None else [head]) + level.statements:
            self._statement(statement, levels)
        for inner in level.inner:
            for member in t.member_atoms(inner.opener) if inner.opener is not None else ():
                self._statement(member, (*levels, inner))
            self._opener(inner, levels)
        for comparison in level.comparisons:
            self._comparison(comparison, levels)
        for inner in level.inner:
            self.read(None, inner, levels)

    def _statement(self, statement: t.Statement, levels: Sequence[Level]) -> None:
        for variable, sort, atom in _columns(statement, self.subject):
            self._use(variable, sort, atom, levels)

    def _use(self, variable: t.Variable, sort: str, atom: t.Atom | None, levels: Sequence[Level]) -> None:
        home = _home(variable, levels)
        if home is not None:
            self.of.setdefault(home, []).append(Use(sort, variable, atom))

    def _opener(self, inner: Level, levels: tuple[Level, ...]) -> None:
        opener = inner.opener
        if isinstance(opener, t.CountIn):
            self._number(opener, levels)
            self._excluded(opener, levels)
        elif isinstance(opener, t.Aggregate):
            self._number(opener, levels)
            if opener.function != "count" and len(opener.variables) == 1:
                self._integers(opener.variables, (*levels, inner))
                self._measure(opener.result, levels, opener.variables[0], (*levels, inner), gives=True)

    def _number(self, opener: t.CountIn | t.Aggregate, levels: Sequence[Level]) -> None:
        """Notes what the result of a count or an aggregate is compared with."""
        terms = list(t.leaves_by_kind(opener.result, "integer"))
        self._integers([term for term, needed in terms if needed == "integer"], levels)
        self._words([term for term, needed in terms if needed == "word"], levels)
        if _result(opener.result) == "word":
            self.no_numbers.append(opener.result)

    def _words(self, terms: Iterable[t.Term], levels: Sequence[Level]) -> None:
        """Notes terms that a function of words needs to be words."""
        for term in terms:
            self.spelled.append((term, _home(term, levels) if isinstance(term, t.Variable) else None))

    def _word_beside(
        self, comparison: t.Comparison, results: Sequence[Kind | None], levels: Sequence[Level]
    ) -> None:
        """Notes what stands beside a word that a function gives."""
        left, right = comparison.left, comparison.right
        if comparison.operator not in ("=", "!="):
            self.no_numbers += [s for s, kind in zip((left, right), results, strict=True) if kind == "word"]
        elif results[0] != results[1]:
            self.unlike.append(comparison)
        for side in (left, right):
            if isinstance(side, t.Variable):
                home = _home(side, levels)
                if home is not None:
                    self.given_words.append((side, home))

    def _excluded(self, count: t.CountIn, levels: Sequence[Level]) -> None:
        member = count.sets[0]
        predicate = self.subject.fits(member)
        if predicate is None or len(count.variables) != 1 or not predicate.columns:
            return
        sort = predicate.columns[-1].name
        for term in count.excluded:
            if isinstance(term, t.Variable):
                self._use(term, sort, member, levels)
            else:
                self.excluded.append((term, sort, member))

    def _integers(self, terms: Iterable[t.Term], levels: Sequence[Level]) -> None:
        """Notes terms that arithmetic or an order needs to be integers: together they make one mistake at most."""
        noted: list[tuple[t.Term, Home | None]] = []
        for term in terms:
            home = _home(term, levels) if isinstance(term, t.Variable) else None
            noted.append((term, home))
            if isinstance(term, t.Variable):
                self._use(term, INTEGER_SORT, None, levels)
        self.calculated.append(noted)

    def _comparison(self, comparison: t.Comparison, levels: Sequence[Level]) -> None:
        left, right = comparison.left, comparison.right
        self._measure(left, levels, right, levels, gives=comparison.operator == "=")
        ordered = comparison.operator not in ("=", "!=")
        if ordered or isinstance(left, t.Operation) or isinstance(right, t.Operation):
            kind: Kind | None = "integer" if ordered else _result(left) or _result(right)
            terms = [pair for side in (left, right) for pair in t.leaves_by_kind(side, kind)]
            self._integers([term for term, needed in terms if needed == "integer"], levels)
            self._words([term for term, needed in terms if needed == "word"], levels)
            results = [_result(side) or kind for side in (left, right)]
            if "word" in results:
                self._word_beside(comparison, results, levels)
        elif isinstance(left, t.Variable) and isinstance(right, t.Variable):
            left_home, right_home = _home(left, levels), _home(right, levels)
            if left_home is not None and right_home is not None:
                self.equal.append((left_home, right_home, comparison))
        elif isinstance(left, t.Constant) and isinstance(right, t.Constant):
            if isinstance(left.value, str) != isinstance(right.value, str):
                self.unlike.append(comparison)
        else:
            variable, constant = (left, right) if isinstance(left, t.Variable) else (right, left)
            assert isinstance(variable, t.Variable)
            assert isinstance(constant, t.Constant)
            home = _home(variable, levels)
            if home is not None:
                self.compared.append((constant, home))

    def _measure(
        self,
        left: t.Expression,
        of_left: Sequence[Level],
        right: t.Expression,
        of_right: Sequence[Level],
        *,
        gives: bool,
    ) -> None:
        """Notes what must be of one unit in two sides that are compared, and what they give a unit to."""
        sides = [_at_home(bearers(left), of_left), _at_home(bearers(right), of_right)]
        groups = [[*sides[0], *sides[1]]]
        groups += [_at_home(bearers(factor), of_left) for factor in factors(left)]
        groups += [_at_home(bearers(factor), of_right) for factor in factors(right)]
        self.measured += [group for group in groups if len(group) > 1]
        if gives:
            for side, (one, other) in zip((left, right), (sides, sides[::-1]), strict=True):
                if isinstance(side, t.Variable) and one:
                    self.given.append((one[0][1], [home for _, home in other]))

    # Settling

    def settle(self) -> None:
        """Gives each variable the sort that most of its columns say, then those equal to it the same.

        What is given a value has the unit of that value where its own columns say none. What only a number says
        something of is a plain integer.
        """
        for home, uses in self.of.items():
            columns = [use.sort for use in uses if use.atom is not None]
            named = [sort for sort in columns if sort != INTEGER_SORT]
            if columns:
                self.sorts[home] = Counter(named).most_common(1)[0][0] if named else INTEGER_SORT
        self._equate()
        numbers = [home for constant, home in self.compared if isinstance(constant.value, int)]
        for home in (*self.of, *numbers):
            self.sorts.setdefault(home, INTEGER_SORT)
        self._equate()
        self._give_units()

    def _equate(self) -> None:
        """Carries sorts along equalities."""
        beside: dict[Home, list[Home]] = {}
        for one, other, _ in self.equal:
            beside.setdefault(one, []).append(other)
            beside.setdefault(other, []).append(one)
        ready = [home for home in beside if home in self.sorts]
        while ready:
            home = ready.pop()
            for other in beside[home]:
                if other not in self.sorts:
                    self.sorts[other] = self.sorts[home]
                    ready.append(other)

    def _give_units(self) -> None:
        """Carries units to plain integers that are given values of them."""
        receivers: dict[Home, list[Home]] = {}
        for home, sources in self.given:
            for source in sources:
                receivers.setdefault(source, []).append(home)
        ready = [home for home in receivers if self._has_unit(home)]
        while ready:
            source = ready.pop()
            for home in receivers.get(source, ()):
                if self.sorts.get(home) == INTEGER_SORT:
                    self.sorts[home] = self.sorts[source]
                    ready.append(home)

    def _has_unit(self, home: Home) -> bool:
        sort = self.sorts.get(home, INTEGER_SORT)
        return sort != INTEGER_SORT and self.subject.is_integer(sort)


def _result(side: t.Expression) -> Kind | None:
    """What a calculation gives."""
    return signature(side.operator).result if isinstance(side, t.Operation) else None


def _at_home(variables: Iterable[t.Variable], levels: Sequence[Level]) -> list[tuple[t.Variable, Home]]:
    """The variables that are no wildcards, each with the variable that it is a place of."""
    found = ((variable, _home(variable, levels)) for variable in variables)
    return [(variable, home) for variable, home in found if home is not None]


def _home(variable: t.Variable, levels: Sequence[Level]) -> Home | None:
    """The variable that a place belongs to; None for a wildcard."""
    for level in reversed(levels):
        if variable.name in level.own:
            return id(level), variable.name
    return None
