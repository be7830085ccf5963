"""Scope: the meaning of names in a file, whether or not the file and its imports have mistakes.

The checker reports nothing about files behind an import with errors. Here every file contributes: its
declarations count in the file and in all files that import it. The first declaration of a name takes
precedence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from hornbook.editing.names.occurrences import GAME_VALUE, Column, Occurrence
from hornbook.kb.ast.declarations import Clause, Example, Import, Predicate, Sort, rules_in
from hornbook.kb.ast.terms import NOWHERE, Rule, Span
from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.load.instances import declared_in, instance_of
from hornbook.kb.parse.vocabulary import BUILT_IN_SORTS
from hornbook.matcher.program.dataclass import dataclass

ClausesOf = Callable[[Path], Iterable[Clause] | None]
"""The clauses of a file as far as it can be parsed, or None for an unreadable file."""
Follow = Callable[[Import, Path], Path | None]
"""The file of an import, or None if there is none."""


@dataclass(frozen=True, slots=True)
class FileScope:
    """The names visible in a file: declarations of the file and its imports, and all clauses of these files.

    - `files`: The file itself and its plain imports, imports first.
    - `leads`: The file of each import.
    """

    vocabulary: Vocabulary
    clauses: tuple[Clause, ...]
    files: tuple[Path, ...]
    leads: Mapping[str, Path]

    def sort_of(self, column: Column | None) -> Sort | None:
        """Return the sort of a column, or of a game's value."""
        if column is None:
            return None
        if column == GAME_VALUE:
            return self.vocabulary.sorts.get("value")
        predicate = self.vocabulary.predicates.get(column[0])
        if predicate is None or column[1] >= predicate.arity:
            return None
        return self.vocabulary.sorts.get(predicate.columns[column[1]].name)

    def declaration(self, found: Occurrence) -> Predicate | Sort | None:
        """Return the declaration of the predicate or sort that a word names here. For a constant, return its
        sort.
        """
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
        """Return the rules that conclude a predicate or a game."""
        return [rule for rule in self._about(predicate) if not rule.is_fact]

    def facts(self, predicate: str) -> list[Rule]:
        """Return the facts of a predicate."""
        return [rule for rule in self._about(predicate) if rule.is_fact]

    def _about(self, predicate: str) -> list[Rule]:
        found = rules_in(self.clauses)
        return [rule for rule in found if rule.head.relation.partition(" ")[0] == predicate]


def scope_of(path: Path, clauses_of: ClausesOf, follow: Follow) -> FileScope:
    """Return the names visible in a file. Files that import each other are read once each."""
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
    return FileScope(Vocabulary(sorts, predicates), tuple(everything), tuple(own), leads)


def _gather(
    path: Path, clauses_of: ClausesOf, follow: Follow, own: dict[Path, tuple[Clause, ...]], open_: set[Path]
) -> None:
    """Add the clauses of a file after those of its imports, and those of its instances after its own."""
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
    """Return the span of a declaration, or None for a built-in one."""
    return None if declared.span == NOWHERE else declared.span
