"""Check results of earlier texts of a file, which are reused if the vocabulary is the same.

An unchanged clause is the same object. Results for a single rule depend on this object and the vocabulary.
Results for several rules depend on the forms of the rules, which describe their dependencies. Diagnostics are
never reused: they are computed again with the positions in the current text.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import field
from typing import Any, TypeVar, cast

from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.check.check_unit import CheckUnit, PreparedClause, prepare_rule
from hornbook.kb.sources.diagnostics import Diagnostic
from hornbook.matcher.program.dataclass import dataclass

T = TypeVar("T")
Check = Callable[[CheckUnit], Iterable[Diagnostic]]
_TOGETHER = 20
"""The number of rules that are checked together. If there are mistakes, the rules are checked one by one."""
_MAX_RESULTS = 40
"""The maximum number of stored results for several rules."""


@dataclass(slots=True)
class CheckCache:
    """Check results by the identity of rules. The rules stay alive as long as their entries in
    `prepared_clauses`.

    - `right`: The rules without mistakes of their own.
    - `forms`: The forms of rules, filled by the caller that groups them.
    - `together`: Results for several rules, by the forms of the rules.
    """

    words: Vocabulary | None = None
    prepared_clauses: dict[int, PreparedClause] = field(default_factory=dict)
    right: set[int] = field(default_factory=set)
    forms: dict[int, Any] = field(default_factory=dict)
    together: dict[Hashable, object] = field(default_factory=dict)

    def begin(self, words: Vocabulary) -> None:
        """Discard everything if the vocabulary has changed."""
        if words != self.words:
            self.words = words
            self.prepared_clauses, self.right, self.forms, self.together = {}, set(), {}, {}

    def read(self, rules: Sequence[Rule]) -> tuple[PreparedClause, ...]:
        """Return the rules of a text as bodies. The results for all other rules are discarded."""
        known = self.prepared_clauses
        self.prepared_clauses = {id(rule): known.get(id(rule)) or prepare_rule(rule) for rule in rules}
        self.right &= self.prepared_clauses.keys()
        self.forms = {number: form for number, form in self.forms.items() if number in self.prepared_clauses}
        return tuple(self.prepared_clauses[id(rule)] for rule in rules)

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the result of `make`, computed once for each key.

        The key contains all dependencies of the result except the vocabulary and the imports.
        """
        if key not in self.together:
            self.together[key] = make()
            for oldest in list(self.together)[:-_MAX_RESULTS]:
                del self.together[oldest]
        return cast("T", self.together[key])

    def found(self, unit: CheckUnit, checks: Sequence[Check]) -> Iterator[Diagnostic]:
        """Yield the diagnostics of single-rule checks for the rules of a unit, which were read
        by `read`.
        """
        context = CheckUnit(unit.vocabulary, unit.counters, unit.constants)
        fresh = [prepared for prepared in unit.rules if not self._is_right(prepared)]
        for start in range(0, len(fresh), _TOGETHER):
            yield from self._found(fresh[start : start + _TOGETHER], context, checks)

    def _is_right(self, prepared: PreparedClause) -> bool:
        number = id(prepared.rule)
        return number in self.right and self.prepared_clauses.get(number) is prepared

    def _found(
        self, prepared_clauses: Sequence[PreparedClause], context: CheckUnit, checks: Sequence[Check]
    ) -> Iterator[Diagnostic]:
        unit = context.with_rules(prepared_clauses)
        found = [diagnostic for check in checks for diagnostic in check(unit)]
        if not found:
            self.right.update(
                id(each.rule) for each in prepared_clauses if self.prepared_clauses.get(id(each.rule)) is each
            )
        elif len(prepared_clauses) == 1:
            yield from found
        else:
            for prepared in prepared_clauses:
                yield from self._found([prepared], context, checks)
