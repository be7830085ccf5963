"""Where learned rules go: into a file at the end, or into a store as they are admitted.

A store takes each lesson in one transaction, with the rules that it gave and what it came to, and says so only then:
what was reported is there, however the process ends. A lesson that it has is not taken again.
"""

from __future__ import annotations

import json
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import typer

from hornbook.compiler.maintain.retirement import retired_path
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import Entry, RuleBase
from hornbook.compiler.rules.stored_rules import changes, put_rules, read_entry, read_rule_base
from hornbook.compiler.rules.verdict_cache import program
from hornbook.compiler.rules.verification import standing
from hornbook.inputs.opening_store import (
    open_theory,
    opened,
    put_if_new,
    tell_refused,
    theory_and_text,
    theory_in,
    told,
)
from hornbook.inputs.store_names import store_named
from hornbook.kb.ast.theory import Theory
from hornbook.kb.ast.theory_digest import theory_digest
from hornbook.kb.sources.cache import key
from hornbook.kb.store import Benchmark, Store, StoredExample
from hornbook.kb.store.connection import create
from hornbook.kb.store.rows import digest
from hornbook.kb.text.writing import must_have_place

TRIED_WITH = "tried_with"
"""The field of an outcome that is the digest of the theory and program with which not everything was learned."""
SAID_WHERE_INTERRUPTED = "interrupted: what was learned is kept, and the same command goes on from it"


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be learned from: `content` is all of it as text, `asked` what is to be learned."""

    name: str
    file: str
    content: str
    asked: str

    @property
    def fingerprint(self) -> str:
        return digest(json.dumps([self.name, self.content, self.asked]))


class RuleHome(ABC):
    """The rules that were there, and what keeps those that are learned."""

    path: Path
    base: RuleBase

    @abstractmethod
    def retired(self) -> list[Entry]:
        """The rules that are kept only to say what became of them."""

    @abstractmethod
    def finish(self, base: RuleBase) -> None:
        """The rules as they are at the end, or where learning was interrupted."""

    def learned_from(self) -> list[StoredExample]:
        """The examples and problems that it has."""
        return []

    def knows(self, task: Task) -> bool:
        """Whether a task was learned from already."""
        return False

    def start(self) -> None:  # noqa: B027 - who keeps no lessons has nothing to do
        """Learning begins; what each lesson takes is counted from here."""

    def lesson(  # noqa: B027 - the same
        self, task: Task, base: RuleBase, outcome: dict[str, object], *, is_learned: bool
    ) -> None:
        """Keep the rules after a task. If not everything was learned, another theory or program takes the task again."""


class InFile(RuleHome):
    """A rule base with its proofs beside it, written at the end. Raises OSError where it could not be, and TheoryError where
    what is there is no rule base of the theory, or could not be read as one again.
    """

    def __init__(self, path: Path, theory: Theory) -> None:
        must_have_place(path)
        self.path = path
        self._theory = theory
        rulebase.must_lead_to(path, theory)
        self.base = rulebase.read(path, theory) if path.exists() else RuleBase(theory.name)
        tell_refused(self.base, self.base.entries)

    def retired(self) -> list[Entry]:
        aside = retired_path(self.path)
        return rulebase.entries_of(aside) if aside.exists() else []

    def finish(self, base: RuleBase) -> None:
        self.base = base
        rulebase.write(base, self.path)
        # What was learned is replayed once as it was written, so that who reads it need not.
        standing(base, self._theory)


class InStore(RuleHome):
    """A store that is open for writing."""

    def __init__(self, store: Store, theory: Theory, *, reporting: bool, again: bool) -> None:
        self.path = store.path
        self._store = store
        self._known = theory
        self._theory = theory.name
        self._reporting = reporting
        self._tried_with = key("lesson", program(), theory_digest(theory))
        self._done = set() if again else {e.task for e in store.examples(theory.name) if self._is_done(e)}
        self._since = time.perf_counter()
        self.base = read_rule_base(store, theory)
        tell_refused(self.base, self.base.entries)

    def retired(self) -> list[Entry]:
        rows = self._store.rules(self._theory, ["retired"])
        return [read_entry(row, str(self._store.path)) for row in rows]

    def learned_from(self) -> list[StoredExample]:
        return self._store.examples(self._theory)

    def knows(self, task: Task) -> bool:
        return task.fingerprint in self._done

    def start(self) -> None:
        self._since = time.perf_counter()

    def lesson(self, task: Task, base: RuleBase, outcome: dict[str, object], *, is_learned: bool) -> None:
        now = time.perf_counter()
        seconds, self._since = now - self._since, now
        text = json.dumps(outcome if is_learned else {**outcome, TRIED_WITH: self._tried_with})
        example = StoredExample(task.name, task.file, task.fingerprint, task.content, text, seconds)
        self._keep(base, example)

    def _is_done(self, example: StoredExample) -> bool:
        """Whether learning from an example again would come to the same."""
        outcome = json.loads(example.outcome)
        return not isinstance(outcome, dict) or outcome.get(TRIED_WITH, self._tried_with) == self._tried_with

    def finish(self, base: RuleBase) -> None:
        self._keep(base, None)
        # What was learned is replayed once as it was kept, so that who reads it need not.
        read_rule_base(self._store, self._known)

    def _keep(self, base: RuleBase, example: StoredExample | None) -> None:
        """What is new and what is gone since the last lesson, in one transaction; then it is reported."""
        new, gone = changes(self.base, base)
        with self._store.transaction():
            put_rules(self._store, new, self._theory)
            self._store.set_state(gone, "retired", "another rule says it more generally", self._theory)
            if example is not None:
                self._store.put_example(example, self._theory)
                # Several rules of one problem share what proving it took.
                saved = Benchmark(example.seconds / max(len(new), 1), 0.0, 0)
                for entry in new:
                    self._store.put_benchmark(entry.rule.name, saved, self._theory)
        self.base = base
        # Typer flushes, so that who reads this line can rely on it.
        for entry in new if self._reporting else ():
            origin = "" if entry.provenance is None else f" from {entry.provenance.example}"
            typer.echo(f"admitted {entry.rule.name}{origin}")
        if example is not None:
            self._done.add(example.task)


@contextmanager
def rule_home(
    theory: str, into: Path | None, *, reporting: bool, again: bool
) -> Iterator[tuple[Theory, RuleHome]]:
    """A theory, and where its rules go: a file or a store, which is made or told of the theory where need be; by default
    the store that is the theory. Where it is to learn `again`, no lesson is left out. Raises BadParameter where no place is named.
    """
    named = store_named(theory if into is None else into)
    if named is None:
        if into is None:
            raise typer.BadParameter(
                "it is missing; or give a store in the place of THEORY", param_hint="--into"
            )
        known = open_theory(theory, unchanged=True)
        yield known, InFile(into, known)
        return
    if into is None:
        with opened(named.path, "write") as store:
            known = theory_in(store, named.theory, unchanged=True)
            yield known, InStore(store, known, reporting=reporting, again=again)
        return
    # What is wrong with the theory is said before a store is made.
    known, stored = theory_and_text(theory)
    if not named.path.exists():
        with told("--into"):
            create(named.path)
    with opened(named.path, "write", "--into") as store:
        put_if_new(store, known, stored)
        yield known, InStore(store, known, reporting=reporting, again=again)
