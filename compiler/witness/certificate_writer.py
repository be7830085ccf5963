"""The writer of certificates: it numbers known facts and adds notes for the consequences of keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from hornbook.compiler.checker.certificate import Witness
from hornbook.compiler.checker.form import form_of_term
from hornbook.compiler.witness.context import EntailedAll, Note, SearchContext
from hornbook.compiler.witness.members import MembersWitness
from hornbook.compiler.witness.proof_state import Found, Ref
from hornbook.kb.ast.terms import Atom


class CertificateWriter:
    """A writer of witnesses and of the notes that precede them."""

    def __init__(self, context: SearchContext) -> None:
        self.context = context
        self.names: dict[int, int] = {}
        self.length = 0
        self.read = 0
        self.notes: list[Witness] = []

    def branch(self, context: SearchContext) -> CertificateWriter:
        """Return a copy of the writer for a copy of its context."""
        result = CertificateWriter(context)
        result.names, result.length, result.read = dict(self.names), self.length, self.read
        result.notes = list(self.notes)
        return result

    def assign_numbers(self, numbers: Iterable[int]) -> None:
        """Assign the next numbers to new facts."""
        for number in numbers:
            self.names[number] = self.length
            self.length += 1

    def add(self, note: Note) -> None:
        """Write a note, after the consequences of keys that precede it."""
        self.write_key_notes(note.merged)
        self._mention(note.witness)
        self.notes.append(self._resolved(note.witness))
        self.assign_numbers(note.numbers)

    def write_key_notes(self, until: int | None = None) -> None:
        """Write the consequences of keys, up to the index `until` of the log or all of them."""
        log = self.context.congruence.log
        until = len(log) if until is None else until
        while self.read < until:
            place, one, other = log[self.read]
            self.read += 1
            self.context.constraints.used.add((place, "key"))
            self._mention((Ref(one), Ref(other)))
            self.notes.append(("key", self.names[one], self.names[other]))

    def written(self, *found: Found, until: int | None = None) -> tuple[Witness, ...]:
        """Return the notes to make first, then each witness.

        Consequences of keys are written up to `until`.
        """
        self.write_key_notes(until)
        self._mention(found)
        notes, self.notes = tuple(self.notes), []
        return (notes, *map(self._resolved, found))

    def _mention(self, found: Found) -> None:
        """Write the facts that a theory states and that a witness mentions."""
        for number in _numbers(found):
            if number < 0 and number not in self.names:
                fact = self.context.stated[number]
                assert isinstance(fact, Atom)
                self.notes.append(("fact", fact.predicate, tuple(map(form_of_term, fact.arguments))))
                self.assign_numbers((number,))

    def _resolved(self, found: Found) -> Witness:
        return _resolved(found, self.names, self.length, self.context)


def _numbers(found: Found) -> Iterator[int]:
    match found:
        case Ref():
            yield found.number
        case tuple():
            for part in found:
                yield from _numbers(part)
        case EntailedAll():
            yield found.known
            for _, one, other in found.merged:
                yield from (one, other)
            yield from _numbers(found.proofs)
        case MembersWitness():
            yield from _numbers(found.witness)


def _resolved(found: Found, names: Mapping[int, int], length: int, context: SearchContext) -> Witness:
    match found:
        case Ref():
            return names[found.number]
        case tuple():
            return tuple(_resolved(part, names, length, context) for part in found)
        case EntailedAll():
            inside = {**names, **{number: length + i for i, number in enumerate(found.numbers)}}
            notes = tuple(("key", inside[one], inside[other]) for _, one, other in found.merged)
            context.constraints.used.update((place, "key") for place, _, _ in found.merged)
            proofs = _resolved(found.proofs, inside, length + len(found.numbers), context)
            return ("any", names[found.known], notes, found.terms, proofs)
        case MembersWitness():
            return _resolved(found.witness, names, length, context)
    return found  # type: ignore[no-any-return]
