"""Scope: what the names in a file mean, whether or not it and its imports have mistakes.

The checker asks whether a text is right, and says nothing of files behind an import that has errors. Here each file says
what it can: what a file declares counts in it and in whatever imports it, the first declaration of a name before others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from hornbook.kb.ast.declarations import Clause, Example, Import, Predicate, Sort
from hornbook.kb.ast.terms import NOWHERE, Rule, Span
from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.load.instances import declared_in, instance_of
from hornbook.kb.names.occurrences import GAME_VALUE, Column, Occurrence
from hornbook.kb.parse.vocabulary import BUILT_IN_SORTS

ClausesOf = Callable[[Path], Iterable[Clause] | None]
"""The clauses of a file as far as it can be read; None for one that cannot."""
Follow = Callable[[Import, Path], Path | None]
"""The file that an import in a file leads to; None where there is none."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What can be named in a file: declarations, with those of its imports, and everything that all these files state.

    `files` are the file itself and those that it imports as they are, imports first; `leads` has for each import of the file
    its own place.
    """

    vocabulary: Vocabulary
    clauses: tuple[Clause, ...]
    files: tuple[Path, ...]
    leads: Mapping[str, Path]

    def sort_of(self, column: Column | None) -> Sort | None:
        """The sort of a column, or of a game's value."""
        if column is None:
            return None
        if column == GAME_VALUE:
            return self.vocabulary.sorts.get("value")
        predicate = self.vocabulary.predicates.get(column[0])
        if predicate is None or column[1] >= predicate.arity:
            return None
        return self.vocabulary.sorts.get(predicate.columns[column[1]].name)

    def declaration(self, found: Occurrence) -> Predicate | Sort | None:
        """The declaration of a predicate or a sort that a word names here; of a constant, its sort's."""
        words = self.vocabulary
        match found.role:
            case "predicate":
                return words.predicates.get(found.name) or words.sorts.get(found.name)
            case "sort":
                return words.sorts.get(found.name)
            case "constant":
                return words.sorts.get(found.of or "") or self.sort_of(found.column)
            case _:
                return None

    def rules(self, predicate: str) -> list[Rule]:
        """The rules that conclude something of a predicate, or of a game."""
        return [rule for rule in self._about(predicate) if not rule.is_fact]

    def facts(self, predicate: str) -> list[Rule]:
        """The facts that are stated of a predicate."""
        return [rule for rule in self._about(predicate) if rule.is_fact]

    def _about(self, predicate: str) -> list[Rule]:
        found = (clause for clause in self.clauses if isinstance(clause, Rule))
        return [rule for rule in found if rule.head.relation.partition(" ")[0] == predicate]


def scope_of(path: Path, clauses_of: ClausesOf, follow: Follow) -> Scope:
    """What can be named in a file. Files that import each other are each read once."""
    own: dict[Path, tuple[Clause, ...]] = {}
    leads: dict[str, Path] = {}
    _gather(path, clauses_of, follow, own, set())
    for clause in own.get(path, ()):
        if isinstance(clause, Import):
            place = follow(clause, path)
            if place is not None:
                leads.setdefault(clause.name, place)
    sorts: dict[str, Sort] = dict(BUILT_IN_SORTS)
    predicates: dict[str, Predicate] = {}
    everything = [clause for clauses in own.values() for clause in clauses]
    for clause in everything:
        if isinstance(clause, Sort):
            sorts.setdefault(clause.name, clause)
        elif isinstance(clause, Predicate):
            predicates.setdefault(clause.name, clause)
    return Scope(Vocabulary(sorts, predicates), tuple(everything), tuple(own), leads)


def _gather(
    path: Path, clauses_of: ClausesOf, follow: Follow, own: dict[Path, tuple[Clause, ...]], open_: set[Path]
) -> None:
    """Adds the clauses of a file after those of its imports, and those of its instances after its own."""
    if path in own or path in open_:
        return
    clauses = tuple(clauses_of(path) or ())
    open_.add(path)
    instances: list[tuple[Import, Path]] = []
    for clause in clauses:
        if isinstance(clause, Import):
            place = follow(clause, path)
            if place is not None and clause.as_it_is:
                _gather(place, clauses_of, follow, own, open_)
            elif place is not None:
                instances.append((clause, place))
    open_.discard(path)
    around = [each for others in own.values() for each in others] if instances else []
    for taken, place in instances:
        if place not in open_:
            inside: dict[Path, tuple[Clause, ...]] = {}
            _gather(place, clauses_of, follow, inside, {*open_, path})
            *_, mine = inside.values()
            for other, found in list(inside.items())[:-1]:
                own.setdefault(other, found)
            clauses += instance_of(mine, taken, declared_in([*around, *clauses]))
    own[path] = clauses


def place_of(declared: Predicate | Sort | Example) -> Span | None:
    """Where a declaration stands; None for what is built in."""
    return None if declared.span == NOWHERE else declared.span
