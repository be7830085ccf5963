"""An over-approximation of the facts that rules can conclude for derived and meta predicates, by column.

A column is a set of constants, or any value. Any value is assumed for facts from outside, for variables that
are only compared or calculated, and if there are too many constants or patterns. The result is a least fixed
point (Cousot and Cousot 1977).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import field

from hornbook.kb.ast.terms import Atom, Comparison, Constant, Rule, Span, Term, Variable
from hornbook.kb.check.check_unit import CheckUnit
from hornbook.kb.check.scopes import VariableScope, outermost
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.operators import COMPARISONS, MIRRORED

Values = frozenset[str | int] | None
"""The possible constants of a column, or None for any value."""
Pattern = tuple[Values, ...]
MOST_PATTERNS = 50
"""The maximum number of patterns of a predicate. With more, any fact is assumed to be concluded."""
MOST_VALUES = 100
MOST_CONDITIONS = 200
"""The maximum number of conditions of an analysed rule. A larger rule is assumed to conclude any fact."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """The reason why the conditions of a rule have no common values: the failing condition, and possibly a
    variable.
    """

    condition: Atom | Comparison
    variable: str | None = None

    @property
    def span(self) -> Span:
        return self.condition.span


@dataclass(slots=True)
class Conclusions:
    """The patterns of each predicate that only rules conclude. Any fact may hold for other predicates."""

    unit: CheckUnit
    patterns: dict[str, list[Pattern]] = field(default_factory=dict)
    anything: set[str] = field(default_factory=set)
    readers: dict[str, list[Rule]] = field(default_factory=dict)
    """The rules that read a predicate."""

    def possible(self, relation: str) -> Sequence[Pattern] | None:
        """Return the patterns of a predicate, or None if any fact may hold."""
        if relation in self.anything:
            return None
        return self.patterns.get(relation)

    def narrowed(self, statements: Iterable[object], comparisons: Sequence[Comparison]) -> _Domains | Nothing:
        """Return the possible values of variables if all conditions hold, or the reason why there
        are none.
        """
        domains = _Domains(comparisons)
        atoms = [each for each in statements if isinstance(each, Atom)]
        for atom in atoms:
            failed = self._by_sorts(atom, domains)
            if failed is not None:
                return failed
        before = -1
        while before != domains.changes:
            before = domains.changes
            for atom in atoms:
                failed = self._by_patterns(atom, domains)
                if failed is not None:
                    return failed
            for comparison in comparisons:
                left = domains.compare(comparison)
                if left is not None:
                    return Nothing(comparison, left)
        return domains

    def _by_sorts(self, atom: Atom, domains: _Domains) -> Nothing | None:
        predicate = self.unit.fits(atom)
        for term, column in zip(atom.arguments, predicate.columns if predicate else (), strict=False):
            constants = self.unit.constants.get(column.name)
            if constants and isinstance(term, Variable) and not domains.restrict(term, constants):
                return Nothing(atom, term.name)
        return None

    def _by_patterns(self, atom: Atom, domains: _Domains) -> Nothing | None:
        patterns = self.possible(atom.predicate)
        if patterns is None or self.unit.fits(atom) is None:
            return None
        fitting = [pattern for pattern in patterns if domains.fits(atom.arguments, pattern)]
        if not fitting:
            return Nothing(atom)
        for place, term in enumerate(atom.arguments):
            if isinstance(term, Variable) and not domains.restrict(term, _union(p[place] for p in fitting)):
                return Nothing(atom, term.name)
        return None


class _Domains:
    """The possible values of each variable. Variables that are equated share them."""

    def __init__(self, comparisons: Sequence[Comparison]) -> None:
        self._same: dict[str, str] = {}
        self._values: dict[str, Values] = {}
        self.changes = 0
        for comparison in comparisons:
            match comparison:
                case Comparison("=", Variable() as one, Variable() as other):
                    self._same[self._root(one.name)] = self._root(other.name)

    def _root(self, name: str) -> str:
        while name in self._same and self._same[name] != name:
            name = self._same[name]
        return name

    def of(self, term: Term) -> Values:
        """Return the possible values of a term."""
        if isinstance(term, Constant):
            return frozenset([term.value])
        return None if term.is_wildcard else self._values.get(self._root(term.name))

    def restrict(self, variable: Variable, values: Values) -> bool:
        """Restrict a variable to some values. Return whether any value remains."""
        if values is None or variable.is_wildcard:
            return True
        root = self._root(variable.name)
        before = self._values.get(root)
        after = values if before is None else before & values
        if after != before:
            self._values[root] = after
            self.changes += 1
        return bool(after)

    def fits(self, terms: Sequence[Term], pattern: Pattern) -> bool:
        """Return whether terms can match a pattern."""
        found: dict[str, Values] = {}
        for term, values in zip(terms, pattern, strict=True):
            left = _intersection(self.of(term), values)
            if isinstance(term, Variable) and not term.is_wildcard:
                root = self._root(term.name)
                left = found[root] = _intersection(left, found.get(root))
            if left is not None and not left:
                return False
        return True

    def compare(self, comparison: Comparison) -> str | None:
        """Restrict variables to values for which a comparison can hold. Return the variable without remaining
        values.
        """
        sides = comparison.left, comparison.right
        for (one, other), operator in (
            (sides, comparison.operator),
            (sides[::-1], MIRRORED[comparison.operator]),
        ):
            if not isinstance(one, Variable) or not isinstance(other, Variable | Constant):
                continue
            values, others = self.of(one), self.of(other)
            if others is None:
                continue
            if values is None:
                if operator == "=" and not self.restrict(one, others):
                    return one.name
                continue
            left = frozenset(v for v in values if any(_holds(operator, v, o) for o in others))
            if not self.restrict(one, left):
                return one.name
        return None


def concluded(unit: CheckUnit, before: Conclusions) -> Conclusions:
    """Return the possible conclusions of the rules of a unit and its imports. `before` covers
    the imports.
    """
    found = Conclusions(
        unit,
        {name: [*patterns] for name, patterns in before.patterns.items()},
        before.anything | unit.broken.mentioned,
        {name: [*rules] for name, rules in before.readers.items()},
    )
    own = (prepared.rule for prepared in unit.rules if prepared.rule is not None)
    _add(found, (*unit.facts, *own))
    return found


def conclusions_of_imports(unit: CheckUnit) -> Conclusions:
    """Return the possible conclusions of the rules of a unit's imports alone."""
    found = Conclusions(unit)
    _add(found, (clause for clause in unit.imported if isinstance(clause, Rule)))
    return found


def _add(found: Conclusions, clauses: Iterable[Rule]) -> None:
    """Add the possible conclusions of further rules, and all consequences."""
    for predicate in found.unit.vocabulary.predicates.values():
        if predicate.kind in ("derived", "meta"):
            found.patterns.setdefault(predicate.name, [])
    rules = [rule for rule in clauses if rule.head.relation in found.patterns]
    for rule in rules:
        for name in {c.predicate for c in rule.body if isinstance(c, Atom) and c.predicate in found.patterns}:
            found.readers.setdefault(name, []).append(rule)
    scopes: dict[int, VariableScope] = {}
    waiting = deque(rules)
    queued = set(map(id, rules))
    while waiting:
        rule = waiting.popleft()
        queued.discard(id(rule))
        relation = rule.head.relation
        if relation in found.anything:
            continue
        if len(rule.body) > MOST_CONDITIONS:
            pattern: Pattern = (None,) * len(rule.head.terms)
        else:
            scope = scopes.get(id(rule))
            if scope is None:
                scope = scopes[id(rule)] = outermost(rule.body, [rule.head])
            left = found.narrowed(scope.statements, scope.comparisons)
            if isinstance(left, Nothing):
                continue
            pattern = tuple(_bounded(left.of(term)) for term in rule.head.terms)
        known = found.patterns[relation]
        if any(all(_within(a, b) for a, b in zip(pattern, other, strict=False)) for other in known):
            continue
        known.append(pattern)
        if len(known) > MOST_PATTERNS:
            found.anything.add(relation)
        for reader in found.readers.get(relation, ()):
            if id(reader) not in queued:
                queued.add(id(reader))
                waiting.append(reader)


def _bounded(values: Values) -> Values:
    return values if values is not None and len(values) <= MOST_VALUES else None


def _intersection(one: Values, other: Values) -> Values:
    if one is None or other is None:
        return other if one is None else one
    return one & other


def _union(parts: Iterable[Values]) -> Values:
    found: frozenset[str | int] = frozenset()
    for part in parts:
        if part is None:
            return None
        found |= part
    return found


def _within(one: Values, other: Values) -> bool:
    return other is None or (one is not None and one <= other)


def _holds(operator: str, one: str | int, other: str | int) -> bool:
    """Return whether a comparison of two constants holds. Constants without a common order count as
    satisfying it.
    """
    if operator in ("=", "!="):
        return (one == other) == (operator == "=")
    if isinstance(one, str) or isinstance(other, str):
        return True
    return COMPARISONS[operator](one, other)
