"""Sorts of variables: one variable has one sort, wherever it stands.

The sort of a variable is that of most of the columns it stands in (the first of them where none is most);
the columns that disagree are the mistake. Integer sorts go together with plain integers but not with each
other, and what arithmetic gives is a plain integer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from kb.check.constants import misplaced, problem_of
from kb.check.levels import Level, member_atoms, outermost
from kb.check.plain import QuickLook
from kb.check.subject import Reading, Subject, parts, surroundings
from kb.declarations import INTEGER_SORT, VALUE_SORT
from kb.diagnostics import Diagnostic, error
from kb.terms import (
    Aggregate,
    Atom,
    Comparison,
    Constant,
    CountIn,
    Expression,
    GameStatement,
    Operation,
    Rule,
    Span,
    Statement,
    Term,
    Variable,
)
from kb.theory import Vocabulary
from kb.vocabulary import declaration

Home = tuple[int, str]
"""A variable: the level that it belongs to, by identity, and its name."""


def variable_sorts(rule: Rule, vocabulary: Vocabulary) -> dict[str, str]:
    """The sort of every variable of a rule, local ones too, as far as its columns and arithmetic tell.

    Where two conditions have local variables of the same name and different sorts, the first counts.
    """
    finder = _Finder(surroundings(vocabulary))
    finder.read(rule.head, outermost(rule.body, [rule.head]))
    finder.settle()
    sorts: dict[str, str] = {}
    for (_, name), sort in finder.sorts.items():
        sorts.setdefault(name, sort)
    return sorts


def query_sorts(reading: Reading, subject: Subject) -> dict[str, str]:
    """The sorts of the variables of an answer."""
    finder = _Finder(subject)
    finder.read(reading.head, reading.level)
    finder.settle()
    return {name: sort for (level, name), sort in finder.sorts.items() if level == id(reading.level)}


def check_sorts(subject: Subject) -> Iterator[Diagnostic]:
    """HB017 and HB019, and HB013, HB014 and HB036 for all constants."""
    look = QuickLook(subject)
    given = [fact.head for fact in subject.facts]
    given += [fact for example in subject.examples for fact in example.facts]
    for statement in given:
        if not look.fits((statement,), {}):
            yield from misplaced(statement, subject)
    for reading in subject.readings():
        if not look.is_right(reading):
            for statement in reading.everything():
                yield from misplaced(statement, subject)
            finder = _Finder(subject)
            finder.read(reading.head, reading.level)
            finder.settle()
            yield from finder.mistakes()


def _columns(statement: Statement, subject: Subject) -> Iterator[tuple[Variable, str, Atom]]:
    """The variables of a statement with the sorts of their columns."""
    sorts = subject.vocabulary.sorts
    for atom in parts(statement):
        predicate = subject.fits(atom)
        if predicate is not None:
            for term, column in zip(atom.arguments, predicate.columns, strict=True):
                if isinstance(term, Variable) and column.name in sorts:
                    yield term, column.name, atom
    if isinstance(statement, GameStatement) and isinstance(statement.value, Variable):
        predicate = subject.predicate(statement.game.predicate)
        if predicate is None or predicate.kind == "game":
            yield statement.value, VALUE_SORT, statement.game


@dataclass(frozen=True, slots=True)
class _Use:
    """A variable in a column of a sort; `atom` is None where arithmetic or an order needs an integer."""

    sort: str
    variable: Variable
    atom: Atom | None


@dataclass(slots=True)
class _Finder:
    """Reads the uses of a conjunction's variables, settles a sort for each, and says which uses disagree."""

    subject: Subject
    uses: dict[Home, list[_Use]] = field(default_factory=dict)
    equal: list[tuple[Variable, Home, Variable, Home, Comparison]] = field(default_factory=list)
    calculated: list[list[tuple[Term, Home | None]]] = field(default_factory=list)
    constants: list[tuple[Constant, Home, str]] = field(default_factory=list)
    sorts: dict[Home, str] = field(default_factory=dict)
    found: list[Diagnostic] = field(default_factory=list)

    # Reading

    def read(self, head: Statement | None, level: Level, around: tuple[Level, ...] = ()) -> None:
        levels = (*around, level)
        for statement in ([] if head is None else [head]) + level.statements:
            self._statement(statement, levels)
        for inner in level.inner:
            for member in member_atoms(inner.opener) if inner.opener is not None else ():
                self._statement(member, (*levels, inner))
            self._opener(inner, levels)
        for comparison in level.comparisons:
            self._comparison(comparison, levels)
        for inner in level.inner:
            self.read(None, inner, levels)

    def _statement(self, statement: Statement, levels: Sequence[Level]) -> None:
        for variable, sort, atom in _columns(statement, self.subject):
            self._use(variable, sort, atom, levels)

    def _use(self, variable: Variable, sort: str, atom: Atom | None, levels: Sequence[Level]) -> None:
        home = _home(variable, levels)
        if home is not None:
            self.uses.setdefault(home, []).append(_Use(sort, variable, atom))

    def _opener(self, inner: Level, levels: tuple[Level, ...]) -> None:
        opener = inner.opener
        if isinstance(opener, CountIn):
            self._integers(expression_leaves(opener.result), levels)
            self._excluded(opener, levels)
        elif isinstance(opener, Aggregate):
            self._integers(expression_leaves(opener.result), levels)
            if opener.function != "count" and len(opener.variables) == 1:
                self._integers(opener.variables, (*levels, inner))

    def _excluded(self, count: CountIn, levels: Sequence[Level]) -> None:
        member = count.sets[0]
        predicate = self.subject.fits(member)
        if predicate is None or len(count.variables) != 1 or not predicate.columns:
            return
        sort = predicate.columns[-1].name
        for term in count.excluded:
            if isinstance(term, Variable):
                self._use(term, sort, member, levels)
            else:
                problem = problem_of(term, sort, f"a member of `{member.predicate}`", self.subject)
                self.found += [] if problem is None else [problem]

    def _integers(self, terms: Iterable[Term], levels: Sequence[Level]) -> None:
        """Notes terms that arithmetic or an order needs to be integers: together they make one mistake at most."""
        noted: list[tuple[Term, Home | None]] = []
        for term in terms:
            home = _home(term, levels) if isinstance(term, Variable) else None
            noted.append((term, home))
            if isinstance(term, Variable):
                self._use(term, INTEGER_SORT, None, levels)
        self.calculated.append(noted)

    def _comparison(self, comparison: Comparison, levels: Sequence[Level]) -> None:
        left, right = comparison.left, comparison.right
        ordered = comparison.operator not in ("=", "!=")
        if ordered or isinstance(left, Operation) or isinstance(right, Operation):
            self._integers([*expression_leaves(left), *expression_leaves(right)], levels)
        elif isinstance(left, Variable) and isinstance(right, Variable):
            left_home, right_home = _home(left, levels), _home(right, levels)
            if left_home is not None and right_home is not None:
                self.equal.append((left, left_home, right, right_home, comparison))
        elif isinstance(left, Constant) and isinstance(right, Constant):
            if isinstance(left.value, str) != isinstance(right.value, str):
                self.found.append(_never_equal("a word", "an integer", comparison.span))
        else:
            variable, constant = (left, right) if isinstance(left, Variable) else (right, left)
            assert isinstance(variable, Variable)
            assert isinstance(constant, Constant)
            home = _home(variable, levels)
            if home is not None:
                self.constants.append((constant, home, f"`?{variable.name}`"))

    # Settling

    def settle(self) -> None:
        """Gives each variable the sort that most of its columns say, then those equal to it the same.

        What only arithmetic or a number says something of is a plain integer.
        """
        for home, uses in self.uses.items():
            columns = [use.sort for use in uses if use.atom is not None]
            named = [sort for sort in columns if sort != INTEGER_SORT]
            if columns:
                self.sorts[home] = Counter(named).most_common(1)[0][0] if named else INTEGER_SORT
        self._equate()
        numbers = [home for constant, home, _ in self.constants if isinstance(constant.value, int)]
        for home in (*self.uses, *numbers):
            self.sorts.setdefault(home, INTEGER_SORT)
        self._equate()

    def _equate(self) -> None:
        waiting = [(one, other) for _, one, _, other, _ in self.equal]
        while waiting:
            left = []
            for one, other in waiting:
                if one in self.sorts:
                    self.sorts.setdefault(other, self.sorts[one])
                elif other in self.sorts:
                    self.sorts[one] = self.sorts[other]
                else:
                    left.append((one, other))
            if len(left) == len(waiting):
                return
            waiting = left

    # Mistakes

    def mistakes(self) -> Iterator[Diagnostic]:
        yield from self.found
        conflicts: dict[int, list[tuple[Home, _Use]]] = {}
        for home, uses in self.uses.items():
            for use in self._disagreeing(uses, self.sorts[home]):
                conflicts.setdefault(id(use.atom), []).append((home, use))
        for disagreeing in conflicts.values():
            yield self._conflict(disagreeing)
        for constant, home, place in self.constants:
            problem = problem_of(constant, self.sorts.get(home, ""), place, self.subject)
            if problem is not None:
                yield problem
        yield from self._not_integers()
        for left, one, right, other, comparison in self.equal:
            first, second = self.sorts.get(one), self.sorts.get(other)
            if first is None or second is None or self._alike(first, second):
                continue
            yield _never_equal(
                f"`?{left.name}` is a `{first}`", f"`?{right.name}` a `{second}`", comparison.span
            )

    def _alike(self, first: str, second: str) -> bool:
        """Whether things of two sorts can be compared."""
        return first == second or (self.subject.is_integer(first) and self.subject.is_integer(second))

    def _disagreeing(self, uses: list[_Use], sort: str) -> tuple[_Use, ...]:
        """The first column of another sort."""
        integer = self.subject.is_integer(sort)
        columns = (use for use in uses if use.atom is not None and use.sort != sort)
        wrong = next((use for use in columns if use.sort != INTEGER_SORT or not integer), None)
        return () if wrong is None else (wrong,)

    def _not_integers(self) -> Iterator[Diagnostic]:
        """The first word in each comparison or calculation, each variable once."""
        reported: set[Home | None] = set()
        for terms in self.calculated:
            for term, home in terms:
                sort = "" if home is None else self.sorts[home]
                if isinstance(term, Constant) and isinstance(term.value, str):
                    yield _not_a_number(f"`{term.value}` is a word", term.span)
                    break
                if isinstance(term, Variable) and home is not None and not self.subject.is_integer(sort):
                    if home not in reported:
                        yield _not_a_number(f"`?{term.name}` is a `{sort}`", term.span)
                    reported.add(home)
                    break

    def _conflict(self, disagreeing: list[tuple[Home, _Use]]) -> Diagnostic:
        """Variables whose sorts are not those of their columns in one atom."""
        home, use = disagreeing[0]
        sort, atom = self.sorts[home], use.atom
        assert atom is not None
        predicate = self.subject.predicate(atom.predicate)
        declared = "" if predicate is None else f"it is declared `{declaration(predicate)}`"
        if len(disagreeing) > 1:
            names = " and ".join(f"`?{u.variable.name}`" for _, u in disagreeing)
            message = f"{names} do not have the sorts that `{atom.predicate}` needs here"
            return error(
                "HB017", message, atom.span, f"are its arguments in the right order? {declared}".strip()
            )
        other = next(u for u in self.uses[home] if u.sort == sort and u is not use)
        seen = (
            ""
            if other.atom is None
            else f" in `{other.atom.predicate}` ({_place(other.variable.span, use.variable.span)})"
        )
        message = f"`?{use.variable.name}` is a `{use.sort}` in `{atom.predicate}` but a `{sort}`{seen}"
        return error(
            "HB017",
            message,
            use.variable.span,
            "use another variable" + (f"; {declared}" if declared else ""),
        )


def _home(variable: Variable, levels: Sequence[Level]) -> Home | None:
    """The variable that a place belongs to; None for a wildcard."""
    for level in reversed(levels):
        if variable.name in level.own:
            return id(level), variable.name
    return None


def _place(span: Span, seen_from: Span) -> str:
    return f"column {span.column}" if span.line == seen_from.line else f"line {span.line}"


def expression_leaves(expression: Expression) -> Iterator[Term]:
    """The variables and constants of an expression, in order."""
    if isinstance(expression, Operation):
        yield from expression_leaves(expression.left)
        yield from expression_leaves(expression.right)
    else:
        yield expression


def _not_a_number(what: str, span: Span) -> Diagnostic:
    message = f"{what}, and only integers are ordered and calculated with"
    return error("HB019", message, span, "words are compared with `=` and `!=`")


def _never_equal(first: str, second: str, span: Span) -> Diagnostic:
    return error("HB019", f"{first} and {second}: they are never equal", span, "compare things of one sort")
