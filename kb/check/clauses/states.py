"""States: facts that are given together must agree with declared keys and counts.

A state contains the facts of the theory and its imports. Each example is a further state on top of it. Facts
from adapters and derived facts are unknown here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.substitution import statement_at
from hornbook.kb.ast.terms import Atom, Constant, Rule, Span, Statement
from hornbook.kb.check.check_unit import CheckUnit
from hornbook.kb.format.printer import print_condition
from hornbook.kb.sources.diagnostics import Diagnostic, error

_Values = tuple[str | int, ...]
_Key = tuple[str, _Values]


def check_states(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB050."""
    around = _State(unit)
    for clause in unit.imported:
        if isinstance(clause, Rule) and clause.is_fact:
            around.add(clause.head)
    for fact in unit.facts:
        yield from around.add(fact.head)
    for example in unit.examples:
        yield from around.contradictions_with(example.facts)


class _State:
    """The facts of a state, indexed by key and by closed set, on top of the state `below`."""

    def __init__(self, unit: CheckUnit, below: _State | None = None) -> None:
        self.unit = unit
        self.below = below
        self.values: dict[_Key, Atom] = {}
        self.members: dict[_Key, set[_Values]] = {}

    def contradictions_with(self, facts: Iterable[Statement]) -> list[Diagnostic]:
        """Return the diagnostics for further facts that contradict this state or each other. The state stays
        unchanged.
        """
        state = _State(self.unit, self)
        return [problem for fact in facts for problem in state.add(fact)]

    def add(self, fact: Statement) -> list[Diagnostic]:
        """Add a fact and return the diagnostics for its contradictions."""
        if not isinstance(fact, Atom) or not all(isinstance(term, Constant) for term in fact.arguments):
            return []
        predicate = self.unit.fits(fact)
        if predicate is None or fact.tense == "after" or predicate.kind not in ("static", "fluent"):
            return []
        if predicate.stated and (self.below is not None or self.unit.is_state):
            return []  # another check refuses the fact
        problems = [] if predicate.key is None else self._keyed(fact, predicate, predicate.key)
        for counter in self.unit.counters.get(predicate.name, ()):
            if counter.key is not None:
                problems += self._member(fact, counter, counter.key)
        return problems

    def _keyed(self, fact: Atom, predicate: Predicate, width: int) -> list[Diagnostic]:
        key = predicate.name, _values(fact)[:width]
        known = self.value(key)
        if known is None:
            self.values[key] = fact
            # Members may precede their count.
            return [] if predicate.closes is None else self._counted((predicate.closes, key[1]), fact)
        if known == fact or _values(known) == _values(fact):
            return []
        two = "give one key two values" if width else f"are two values, and `{predicate.name}` has one"
        message = f"{self._shown(known, fact.span)} and {self._shown(fact)} {two}"
        return [error("HB050", message, fact.span, "state one of them")]

    def _member(self, fact: Atom, counter: Predicate, width: int) -> list[Diagnostic]:
        values = _values(fact)
        key = fact.predicate, values[:width]
        if self.has(key, values):
            return []
        self.members.setdefault(key, set()).add(values)
        count = self.value((counter.name, values[:width]))
        return [] if count is None else self._counted(key, count, fact)

    def _counted(self, key: _Key, count: Atom, last: Atom | None = None) -> list[Diagnostic]:
        """Return HB050 if a set has more members than its count. `last` is the added member."""
        number, known = _values(count)[-1], self.size(key)
        if not isinstance(number, int) or known <= number:
            return []
        at = (last or count).span
        stated = "one member is" if known == 1 else f"{known} members are"
        message = f"{self._shown(count, at)} counts all of its set, of which {stated} stated"
        return [error("HB050", message, at, "count them all, or state those that are counted")]

    def value(self, key: _Key) -> Atom | None:
        """Return the fact that gives the value for a key."""
        known = self.values.get(key)
        return self.below.value(key) if known is None and self.below is not None else known

    def has(self, key: _Key, member: _Values) -> bool:
        """Return whether a closed set has a member."""
        return member in self.members.get(key, ()) or (self.below is not None and self.below.has(key, member))

    def size(self, key: _Key) -> int:
        """Return the number of known members of a closed set."""
        return len(self.members.get(key, ())) + (0 if self.below is None else self.below.size(key))

    def _shown(self, fact: Atom, seen_from: Span | None = None) -> str:
        shown = f"`{print_condition(statement_at(fact, None, self.unit.vocabulary))}`"
        if seen_from is None or (seen_from.file, seen_from.line) == (fact.span.file, fact.span.line):
            return shown
        file = "" if seen_from.file == fact.span.file else f"{fact.span.file}, "
        return f"{shown} ({file}line {fact.span.line})"


def _values(fact: Atom) -> _Values:
    return tuple(term.value for term in fact.arguments if isinstance(term, Constant))
