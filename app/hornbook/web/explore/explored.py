"""Theory with the facts and rules of a command line, and knowledge bases for the displayed scenes.

A scene consists of additional inputs: a state, an example of the theory, and hypothetical facts. It is part
of a page's URL, so that requests change nothing on the server. A query is answered by a knowledge base of its
scene. The latest `CACHED` of them are cached.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import networkx as nx

from hornbook.inputs.domains import domain_of
from hornbook.inputs.opening import open_base
from hornbook.inputs.opening_store import open_store, open_theory, with_rules
from hornbook.inputs.states import State, read_state, reader_for
from hornbook.inputs.store_names import store_named
from hornbook.inputs.table_reading import TableReading
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.examples import example_states
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.explain.fact_places import FactsFromPlace, FactSource, facts_of_state
from hornbook.kb.explain.graph import dependency_graph
from hornbook.kb.load.adapters import has_code
from hornbook.kb.parse.facts import ground_fact
from hornbook.kb.sources.proofs import proofs_path
from hornbook.kb.store.places import facts_in_store
from hornbook.kb.tables.table_folders import table_folder, tables_of
from hornbook.kb.tables.tables import file_of
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.repl.session import Session
from hornbook.repl.what_if import Difference, assume
from hornbook.theories.protocols.missing_member import MissingMemberError

if TYPE_CHECKING:
    from hornbook.api.learned_rules import LearnedRules
    from hornbook.theories.domain import Domain

CACHED = 6
"""The number of cached knowledge bases."""


class NoExampleError(HornbookError):
    """A URL names an example that the theory does not have."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Inputs besides the command line: a state as text, the name of an example, hypothetical facts.

    Each may be empty.
    """

    state: str = ""
    example: str = ""
    suppose: str = ""


@dataclass(frozen=True, slots=True)
class OpenedScene:
    """A knowledge base of a scene, and the sources of its facts."""

    base: KnowledgeBase
    sources: Sequence[FactSource]


class ExploredTheory:
    """A theory opened from a command line. `limits` bound each change and each query."""

    def __init__(
        self,
        theory: str,
        rules: Path | None = None,
        states: Sequence[Path] = (),
        tables: Sequence[str] = (),
        files: Sequence[Path] = (),
        *,
        reading: TableReading = TableReading(),  # noqa: B008 - frozen
        limits: Limits | None = None,
    ) -> None:
        self.again = partial(
            ExploredTheory, theory, rules, states, tables, files, reading=reading, limits=limits
        )
        """A function that reads everything again. It raises the exceptions of the command."""
        self.name, self.limits = theory, limits
        self._sources: list[FactSource] = []
        named = store_named(theory)
        self.rules: LearnedRules | None = None
        if rules is not None or named is not None:
            from hornbook.api.learned_rules import LearnedRules  # noqa: PLC0415 - slow to import

            learned = with_rules(theory, rules)
            self.rules = LearnedRules(learned.theory, learned.base, names=learned.active)
        self.theory: Theory = open_theory(theory) if self.rules is None else self.rules.theory
        self.begins = self._first_scene(states)
        open_with = partial(
            open_base,
            self.theory,
            [] if self.begins.state else [*states],
            [*tables],
            [*files],
            reading=reading,
            limits=limits,
            engine="demand",
            seen=self._sources.append,
        )
        if named is None:
            self.base = open_with()
        else:
            with open_store(named.path) as store, store.snapshot():
                self.base = open_with(store=store)
            self._sources.append(facts_in_store(named.path, self.theory.name))
        if self.rules is not None:
            self.base.add_rules(self.rules.certified)
        self._has_states = bool(states)
        self._signs = {each: _signs(each) for each in self._files_read(rules, states, tables, files)}
        self.at = lru_cache(maxsize=CACHED)(self._at)
        self.supposed = lru_cache(maxsize=CACHED)(self._supposed)

    def _files_read(
        self, rules: Path | None, states: Sequence[Path], tables: Sequence[str], files: Sequence[Path]
    ) -> Iterator[Path]:
        yield from (*states, *files)
        if rules is not None:
            yield from (rules, proofs_path(rules))
        for table in tables:
            yield from map(file_of, tables_of(table, self.theory.vocabulary))
            if (folder := table_folder(table)) is not None:
                yield folder
        if store_named(self.name) is None:  # a store contains the text of its theory
            yield from map(Path, self.theory.sources)

    @property
    def is_current(self) -> bool:
        """Whether no file that was read has changed since."""
        return all(_signs(path) == signs for path, signs in self._signs.items())

    @cached_property
    def domain(self) -> Domain | None:
        """The theory's domain, or None."""
        return domain_of(self.theory)

    @cached_property
    def may_have_game(self) -> bool:
        """Whether the theory has a `domain.py`, which may define a game. The file is not executed."""
        return has_code(self.theory, "domain")

    @cached_property
    def graph(self) -> nx.DiGraph[str]:
        """The dependency graph of the theory's predicates and rules."""
        return dependency_graph(self.theory)

    @cached_property
    def _given(self) -> list[GroundFact]:
        """The given facts besides the theory's own."""
        engine = self.base.engine
        own = {engine.coding.ground(engine.encode(ground_fact(each))) for each in self.theory.facts}
        return [fact for fact in self.base.given() if fact not in own]

    def _first_scene(self, states: Sequence[Path]) -> Scene:
        """Return the scene with the only state of a command line, if the domain can write it."""
        if len(states) != 1 or self.domain is None:
            return Scene()
        with suppress(MissingMemberError):
            return Scene(self.domain.write_line(read_state(self.theory, states[0]).value))
        return Scene()

    def read(self, text: str) -> State:
        """Return a state, read by the theory's adapter.

        Raises NoAdapterError, and the exceptions of the adapter.
        """
        reader = reader_for(self.theory)
        return State(self.theory, "<state>", reader.read(text, "<state>"), reader)

    def _at(self, scene: Scene) -> OpenedScene:
        """Return the knowledge base of a scene, for queries only.

        Raises an exception if its text is invalid.
        """
        if scene == Scene():
            return OpenedScene(self.base, self._sources)
        found = self._fresh(Scene(scene.state, scene.example))
        if scene.suppose:
            session = self._session(scene, found.base)
            supposed = session.supposed_in(scene.suppose)
            found.base.exchange(supposed.retract, [*session.menu(supposed.add), *supposed.add])
            return OpenedScene(found.base, [FactsFromPlace("supposed", supposed.add), *found.sources])
        return found

    def _session(self, scene: Scene, base: KnowledgeBase) -> Session:
        """Return a session with the knowledge base of a scene."""
        example = next((each for each in self.theory.examples if each.name == scene.example), None)
        has_state = (
            bool(scene.state) or self._has_states or (example is not None and example.source is not None)
        )
        return Session(lambda _: base, base, has_state=has_state)

    def _fresh(self, scene: Scene) -> OpenedScene:
        """Return a new knowledge base for a state or an example."""
        base = KnowledgeBase(self.theory, limits=self.limits, engine="demand")
        own = len(self.theory.rules)
        added = [rule for rule in self.base.rules[own:] if not rule.learned]
        base.exchange((), self._given, rules=added)
        sources = [*self._sources]
        if scene.state:
            read = self.read(scene.state)
            given = facts_of_state("state", read.reader, read.value, self.theory.vocabulary)
            base.add(given.facts)
            sources.append(given)
        if scene.example:
            example = next((each for each in self.theory.examples if each.name == scene.example), None)
            if example is None:
                raise NoExampleError(f"the theory `{self.theory.name}` has no example `{scene.example}`")
            *_, of_example = example_states(base, example)
            sources += of_example
        if self.rules is not None:
            base.add_rules(self.rules.certified)
        return OpenedScene(base, sources)

    def _supposed(self, scene: Scene, facts: str) -> Difference:
        """Return the changes that hypothetical facts, with or without an action, make in a scene.

        Raises TheoryError.
        """
        base = self._fresh(Scene(scene.state, scene.example)).base
        return assume(self._session(scene, base), facts)


def _signs(path: Path) -> tuple[int, int, int] | None:
    """Return attributes that reveal a change of a file or of the entries of a folder."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size
