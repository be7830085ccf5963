"""What rules were learned from: examples and lessons, found again by the names that the rules' proofs carry.

Files are looked for among those that are named, then where they stood when the rules were learned, then beside
the rules. A theory's own examples are those of the theory as it is now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from hornbook.compiler.learn.learning import Example, read_examples
from hornbook.compiler.learn.lessons import Lesson
from hornbook.compiler.maintain.relearning import Teaching
from hornbook.compiler.rules.provenance import Provenance
from hornbook.games.lessons import lessons_of, suffixes_of
from hornbook.games.parts import part_of
from hornbook.inputs.domains import domain_of
from hornbook.kb.ast.theory import Theory
from hornbook.kb.lower.faults import KnowledgeBaseError
from hornbook.kb.sources.diagnostics import TheoryError

Found = TypeVar("Found", Example, Lesson)


class KnownExamples:
    """The examples of a rule base's rules, under a theory as it is now."""

    def __init__(
        self,
        theory: Theory,
        folder: Path,
        named: Sequence[Path],
        kept: Mapping[tuple[str, str], Example] = MappingProxyType({}),
    ) -> None:
        """`folder` is where the rules stand, `named` are files with examples, `kept` are others by file and name."""
        self._theory = theory
        self._folder = folder
        self._named = named
        self._kept = kept
        self._examples = cache(self._read_examples)
        self._lessons = cache(self._read_lessons)
        self._in_file = cache(self._lessons_in)
        self._domain = domain_of(theory)
        self._suffixes = suffixes_of(theory)
        self._part = cache(lambda game, domain: part_of(theory, game, domain))

    def find(self, origin: Provenance) -> Example | Teaching | str:
        """What a rule was learned from. An example whose file is not there is known by what its proof used."""
        if Path(origin.file).suffix in self._suffixes:
            return self._teaching(origin)
        found = self._first(origin, self._examples)
        if found is not None:
            return Example(found.name, origin.file, found.facts, ())
        if (origin.file, origin.example) in self._kept:
            return self._kept[origin.file, origin.example]
        if origin.facts:
            return Example(origin.example, origin.file, origin.facts, ())
        return _unknown(origin)

    def _teaching(self, origin: Provenance) -> Teaching | str:
        found = self._first(origin, self._lessons)
        if found is None:
            return _unknown(origin)
        game = found.game.predicate
        domain = self._domain
        play = None if domain is None else domain.play(game)
        if (
            domain is None
            or play is None
            or (domain.proves_by_part and self._theory.replies_of(game) is None)
        ):
            return f"the theory says nothing of the game `{game}` of its example"
        # Under the file's name of before, by which it is found the next time.
        return Teaching(replace(found, file=origin.file), self._part(game, domain), play)

    def _first(self, origin: Provenance, read: Callable[[Path, str], Found | None]) -> Found | None:
        for file in self._files(origin):
            found = read(file, origin.example)
            if found is not None:
                return found
        return None

    def _files(self, origin: Provenance) -> Iterator[Path]:
        """The files that may hold an example, the likeliest first."""
        file = Path(origin.file)
        own = self._theory.path
        yield from sorted(
            (f for f in self._named if (f.suffix in self._suffixes) == (file.suffix in self._suffixes)),
            key=lambda f: f.name != file.name,
        )
        if own is not None and file.name == own.name:
            yield own
            return
        yield from (path for path in (file, self._folder / file.name) if path.is_file())

    def _read_examples(self, file: Path, name: str) -> Example | None:
        """An example of a file; None where the file has none of the name, or is of another theory."""
        try:
            examples = read_examples(file, self._theory)
        except (TheoryError, KnowledgeBaseError):
            if file in self._named:
                raise
            return None
        return next((example for example in examples if example.name == name), None)

    def _read_lessons(self, file: Path, name: str) -> Lesson | None:
        """A lesson of a file of problems."""
        return self._in_file(file).get(name)

    def _lessons_in(self, file: Path) -> dict[str, Lesson]:
        found = () if self._domain is None else lessons_of(self._domain, file, self._theory)
        return {lesson.name: lesson for lesson in found}


def _unknown(origin: Provenance) -> str:
    if not origin.example:
        return "what it was learned from is not known"
    return f"its example `{origin.example}` of {origin.file} is not found: name the file with --problems"
