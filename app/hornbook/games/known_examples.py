"""Search for the origins of retired rules, by the names of examples in the rules' proofs.

Files named by the user come first, then the recorded file, then the folder of the rules. A theory's own
examples are those of its current text.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TypeVar

from hornbook.compiler.learn.learning import Example, read_examples
from hornbook.compiler.learn.lessons import Problem
from hornbook.compiler.maintain.renewal import invalid_retired_rules
from hornbook.compiler.rules.provenance import Provenance
from hornbook.games.lessons import lessons_of, suffixes_of
from hornbook.inputs.domains import domain_of
from hornbook.inputs.rule_destination import RuleDestination
from hornbook.kb.ast.terms import Atom, GameStatement, Statement
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.check.queries import check_query
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.syntax import parse_query
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.store import StoredExample
from hornbook.kb.text.lines import lines_of

Found = TypeVar("Found", Example, Problem)


def learned_from(
    theory: Theory, home: RuleDestination, named: Sequence[Path]
) -> tuple[list[Example], list[Problem], list[str]]:
    """Return the origins of the rules that no longer hold, and the reasons for those not found.

    `named` are files with examples or problems. Raises TheoryError and KnowledgeBaseError if one cannot be
    read.
    """
    examples: dict[tuple[str, str], Example] = {}
    lessons: dict[tuple[str, str], Problem] = {}
    lost: list[str] = []
    with _file_of_problems(home.learned_from()) as problems:
        known = KnownExamples(theory, home.path.parent, [*named, *problems], _examples(home.learned_from()))
        invalid = invalid_retired_rules(home.retired(), home.base, theory)
        certificates = [each.certificate for each in invalid if each.certificate is not None]
        used = {name for certificate in certificates for name in certificate.lemmas}
        for entry in invalid:
            origin = entry.provenance
            if origin is None and entry.rule.name in used:
                continue  # the examples of the rules that use a lemma give it again
            found = "its origin is unknown" if origin is None else known.find(origin)
            if isinstance(found, Example):
                place = found.file, found.name
                goals = (*examples[place].goals, *found.goals) if place in examples else found.goals
                examples[place] = replace(found, goals=tuple(dict.fromkeys(goals)))
            elif isinstance(found, Problem):
                lessons[found.file, found.name] = found
            else:
                lost.append(f"{entry.rule.name}: {found}")
    return list(examples.values()), list(lessons.values()), lost


@contextmanager
def _file_of_problems(stored: Sequence[StoredExample]) -> Iterator[list[Path]]:
    """Yield a file with the problems of a store, one per line."""
    found: dict[str, None] = {}
    for example in stored:
        with suppress(ValueError):
            if isinstance(json.loads(example.content), dict):
                found[example.content] = None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "kept.jsonl"
        file.write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
        yield [file] if found else []


def _examples(stored: Sequence[StoredExample]) -> dict[tuple[str, str], Example]:
    """Return the examples of a store in the language, by file and name."""
    found = {}
    for each in stored:
        # Entries of another form are problems.
        with suppress(ValueError, TypeError, KeyError):
            facts = [json.loads(line) for line in lines_of(each.content)]
            read = tuple(GroundFact(relation, tuple(values), tense) for relation, *values, tense in facts)
            found[each.file, each.name] = Example(each.name, each.file, read, ())
    return found


class KnownExamples:
    """The examples that the rules of a rule base were learned from, under the current theory."""

    def __init__(
        self,
        theory: Theory,
        folder: Path,
        named: Sequence[Path],
        stored: Mapping[tuple[str, str], Example],
    ) -> None:
        """Prepare the search.

        `folder` has the rules, `named` are files with examples, and `kept` are stored examples by file and
        name.
        """
        self._theory = theory
        self._folder = folder
        self._named = named
        self._stored = stored
        self._examples = cache(self._read_examples)
        self._lessons = cache(self._read_lessons)
        self._in_file = cache(self._lessons_in)
        self._domain = domain_of(theory)
        self._suffixes = suffixes_of(theory)

    def find(self, origin: Provenance) -> Example | Problem | str:
        """Return the example or problem that a rule was learned from, or the reason why it is unknown.

        The result has the recorded file name, so that later searches find it.
        """
        if Path(origin.file).suffix in self._suffixes:
            return self._lesson(origin)
        goal = _goal(origin.goal, self._theory)
        facts = self._facts(origin)
        if isinstance(goal, str):
            return f"its goal `{origin.goal}` is no longer valid: {goal}"
        return _unknown(origin) if facts is None else Example(origin.example, origin.file, facts, (goal,))

    def _facts(self, origin: Provenance) -> tuple[GroundFact, ...] | None:
        """Return the facts of an example. If its file is missing, these are the facts that its proof used."""
        stored = self._stored.get((origin.file, origin.example))
        found = self._first(origin, self._examples) or stored
        return found.facts if found is not None else origin.facts or None

    def _lesson(self, origin: Provenance) -> Problem | str:
        found = self._first(origin, self._lessons)
        if found is None:
            return _unknown(origin)
        game = found.game.predicate
        domain = self._domain
        if (
            domain is None
            or domain.play(game) is None
            or (domain.proves_by_part and self._theory.replies_of(game) is None)
        ):
            return f"the theory does not mention the game `{game}` of its example"
        return replace(found, file=origin.file)

    def _first(self, origin: Provenance, read: Callable[[Path, str], Found | None]) -> Found | None:
        for file in self._files(origin):
            found = read(file, origin.example)
            if found is not None:
                return found
        return None

    def _files(self, origin: Provenance) -> Iterator[Path]:
        """Yield the files that may have an example, the most likely first."""
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
        """Return an example of a file; None if the file has no such example or belongs to another theory."""
        try:
            examples = read_examples(file, self._theory)
        except (TheoryError, KnowledgeBaseError):
            if file in self._named:
                raise
            return None
        return next((example for example in examples if example.name == name), None)

    def _read_lessons(self, file: Path, name: str) -> Problem | None:
        """Return a problem of a file."""
        return self._in_file(file).get(name)

    def _lessons_in(self, file: Path) -> dict[str, Problem]:
        found = () if self._domain is None else lessons_of(self._domain, file, self._theory)
        return {lesson.name: lesson for lesson in found}


def _goal(goal: str, theory: Theory) -> Statement | str:
    """Return the goal of a proof, or the reason why the theory has no such goal."""
    try:
        query = parse_query(goal)
    except TheoryError as problem:
        return problem.diagnostics[0].message
    wrong = [d for d in check_query(query, theory.vocabulary) if d.severity == "error"]
    if wrong:
        return wrong[0].message
    (statement,) = query.conditions
    assert isinstance(statement, Atom | GameStatement)
    return statement


def _unknown(origin: Provenance) -> str:
    if not origin.example:
        return "its origin is unknown"
    return f"its example `{origin.example}` of {origin.file} is not found: name the file with --problems"
