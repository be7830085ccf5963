"""Earlier: what is known of the rules of a file from its earlier texts, by the vocabulary that they were read with.

A clause that stands where it stood is the same object, and what is said of a rule alone depends on it and on the vocabulary.
What rules say together depends on their forms, which say what each of them rests on. Of a mistake nothing is kept: it is
looked for anew, with the places of the text at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.check.subject import Reading, Subject, read_rule
from hornbook.kb.sources.diagnostics import Diagnostic

T = TypeVar("T")
Check = Callable[[Subject], Iterable[Diagnostic]]
_TOGETHER = 20
"""So many rules are checked at once; where something is found, one by one."""
_KEPT = 40
"""So much that was found of rules together is kept."""


@dataclass(slots=True)
class Earlier:
    """What is known of rules by the numbers of their objects, which live as long as they stand in `readings`.

    `right` are those with which nothing is wrong alone, and `forms` is filled by who groups them. `together` holds what was
    made of rules with certain forms.
    """

    words: Vocabulary | None = None
    readings: dict[int, Reading] = field(default_factory=dict)
    right: set[int] = field(default_factory=set)
    forms: dict[int, Any] = field(default_factory=dict)
    together: dict[Hashable, object] = field(default_factory=dict)

    def begin(self, words: Vocabulary) -> None:
        """Forgets everything where the vocabulary is another one."""
        if words != self.words:
            self.words = words
            self.readings, self.right, self.forms, self.together = {}, set(), {}, {}

    def read(self, rules: Sequence[Rule]) -> tuple[Reading, ...]:
        """The rules of a text made ready; of others nothing is known from then on."""
        known = self.readings
        self.readings = {id(rule): known.get(id(rule)) or read_rule(rule) for rule in rules}
        self.right &= self.readings.keys()
        self.forms = {number: form for number, form in self.forms.items() if number in self.readings}
        return tuple(self.readings[id(rule)] for rule in rules)

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What is made of rules together; `key` says what it depends on besides the vocabulary and the imports."""
        if key not in self.together:
            self.together[key] = make()
            for oldest in list(self.together)[:-_KEPT]:
                del self.together[oldest]
        return cast("T", self.together[key])

    def found(self, subject: Subject, checks: Sequence[Check]) -> Iterator[Diagnostic]:
        """What checks of single rules find in those of a subject, which were read by `read`."""
        alone = Subject(subject.vocabulary, subject.counters, subject.constants)
        fresh = [reading for reading in subject.rules if not self._is_right(reading)]
        for start in range(0, len(fresh), _TOGETHER):
            yield from self._found(fresh[start : start + _TOGETHER], alone, checks)

    def _is_right(self, reading: Reading) -> bool:
        number = id(reading.rule)
        return number in self.right and self.readings.get(number) is reading

    def _found(
        self, readings: Sequence[Reading], alone: Subject, checks: Sequence[Check]
    ) -> Iterator[Diagnostic]:
        subject = alone.with_rules(readings)
        found = [diagnostic for check in checks for diagnostic in check(subject)]
        if not found:
            self.right.update(id(each.rule) for each in readings if self.readings.get(id(each.rule)) is each)
        elif len(readings) == 1:
            yield from found
        else:
            for reading in readings:
                yield from self._found([reading], alone, checks)
