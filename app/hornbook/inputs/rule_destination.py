"""Destinations of learned rules: a file written at the end, or a store updated after each lesson.

A store saves each lesson with its rules and its outcome in one transaction, and reports the rules only after
it. Reported rules are therefore stored even if the process is killed. A lesson that is already stored is
skipped.
"""

from __future__ import annotations

import json
import time
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from hornbook.compiler.learn.shortening.shortening import continued
from hornbook.compiler.maintain.forgotten import forget
from hornbook.compiler.maintain.retirement import retired_path
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import RuleBase, RuleEntry, with_entries
from hornbook.compiler.rules.stored_rules import (
    changes,
    forget_stored,
    put_definitions,
    put_rules,
    read_entry,
    read_rule_base,
)
from hornbook.compiler.rules.verdict_cache import program
from hornbook.compiler.rules.verification import with_verdicts
from hornbook.inputs.opening_store import (
    open_store,
    open_theory,
    put_if_new,
    store_errors_as_usage,
    theory_and_text,
    theory_in,
    warn_refused,
)
from hornbook.inputs.store_names import store_named
from hornbook.kb.ast.theory import Theory
from hornbook.kb.ast.theory_digest import theory_digest
from hornbook.kb.sources.cache import key
from hornbook.kb.store import Benchmark, Store, StoredExample
from hornbook.kb.store.connection import create
from hornbook.kb.store.rows import digest
from hornbook.kb.text.writing import require_writable
from hornbook.matcher.program.dataclass import dataclass
from hornbook.terminal.failure import ArgumentError
from hornbook.terminal.messages import print_line

TRIED_WITH = "tried_with"
"""The outcome field for a task that was not completely learned: the digest of the theory and program used."""
INTERRUPTED_MESSAGE = "interrupted: the learned rules are stored, and the same command continues from them"


@dataclass(frozen=True, slots=True)
class LearningTask:
    """A learning task: `content` is its complete text, and `goals` names the goals to learn."""

    name: str
    file: str
    content: str
    goals: str

    @property
    def fingerprint(self) -> str:
        return digest(json.dumps([self.name, self.content, self.goals]))


class RuleDestination(ABC):
    """The destination of learned rules, with the rules that it already has."""

    path: Path
    base: RuleBase

    @abstractmethod
    def retired(self) -> list[RuleEntry]:
        """Return the retired rules, which are stored only to record their reason."""

    @abstractmethod
    def finish(self, base: RuleBase) -> None:
        """Write the final rules, also after an interruption."""

    @abstractmethod
    def forget(self, reasons: Mapping[str, str], used: Collection[str]) -> None:
        """Mark rules as forgotten, each for its reason, and use forgotten rules among `used` again."""

    def learned_from(self) -> list[StoredExample]:
        """Return the stored examples and problems."""
        return []

    def knows(self, task: LearningTask) -> bool:
        """Return whether a task was already learned from."""
        return False

    def start(self) -> None:  # noqa: B027 - a destination without lessons has nothing to do
        """Start the clock for the first lesson."""

    def lesson(  # noqa: B027 - a destination without lessons has nothing to do
        self, task: LearningTask, base: RuleBase, outcome: dict[str, object], *, is_learned: bool
    ) -> None:
        """Save the rules after a task.

        If the task was not completely learned, another theory or program version tries it again.
        """


class InFile(RuleDestination):
    """A rule base with a sidecar of proofs, written at the end.

    Raises OSError if it cannot be written. Raises TheoryError if the existing file is not a rule base of the
    theory, or if the new file could not be read as one.
    """

    def __init__(self, path: Path, theory: Theory) -> None:
        require_writable(path)
        self.path = path
        self._theory = theory
        rulebase.must_import(path, theory)
        self.base = rulebase.read(path, theory) if path.exists() else RuleBase(theory.name)
        warn_refused(self.base, self.base.entries)

    def retired(self) -> list[RuleEntry]:
        aside = retired_path(self.path)
        return rulebase.entries_of(aside) if aside.exists() else []

    def finish(self, base: RuleBase) -> None:
        self.base = base = continued(base, self._theory)
        rulebase.write(base, self.path)
        # Replay the proofs once in the written form; later readers use the cached result.
        with_verdicts(base, base.definitions.extended(self._theory))

    def forget(self, reasons: Mapping[str, str], used: Collection[str]) -> None:
        forget(self.path, self.base, reasons, used)


class InStore(RuleDestination):
    """A store opened for writing."""

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
        self._stored_forms: dict[str, tuple[RuleEntry, RuleEntry]] = {}
        """Each rule as it was learned, and as it was stored."""
        warn_refused(self.base, self.base.entries)

    def retired(self) -> list[RuleEntry]:
        rows = self._store.rules(self._theory, ["retired"])
        return [read_entry(row, str(self._store.path)) for row in rows]

    def learned_from(self) -> list[StoredExample]:
        return self._store.examples(self._theory)

    def knows(self, task: LearningTask) -> bool:
        return task.fingerprint in self._done

    def start(self) -> None:
        self._since = time.perf_counter()

    def lesson(
        self, task: LearningTask, base: RuleBase, outcome: dict[str, object], *, is_learned: bool
    ) -> None:
        now = time.perf_counter()
        seconds, self._since = now - self._since, now
        text = json.dumps(outcome if is_learned else {**outcome, TRIED_WITH: self._tried_with})
        example = StoredExample(task.name, task.file, task.fingerprint, task.content, text, seconds)
        self._keep(base, example)

    def _is_done(self, example: StoredExample) -> bool:
        """Return whether learning from an example again would give the same result."""
        outcome = json.loads(example.outcome)
        return not isinstance(outcome, dict) or outcome.get(TRIED_WITH, self._tried_with) == self._tried_with

    def finish(self, base: RuleBase) -> None:
        self._keep(base, None)
        # Replay the proofs once in the stored form; later readers use the cached result.
        read_rule_base(self._store, self._known)

    def forget(self, reasons: Mapping[str, str], used: Collection[str]) -> None:
        # The forgotten rules of a store are not in the base to learn on, so none is among `used`.
        if reasons:
            forget_stored(self._store, self._theory, reasons, {"measured": "learning"})

    def _keep(self, base: RuleBase, example: StoredExample | None) -> None:
        """Store new rules, retire dropped ones in the same transaction, then report the new ones."""
        learned, before = base, self.base
        base = continued(self._with_stored_forms(base), self._known)
        self._stored_forms = {name: (learned.entries[name], entry) for name, entry in base.entries.items()}
        new, dropped = changes(before, base)
        with self._store.transaction():
            put_definitions(self._store, base.definitions, self._theory)
            put_rules(self._store, new, self._theory)
            self._store.set_state(dropped, "retired", "another rule says it more generally", self._theory)
            if example is not None:
                self._store.put_example(example, self._theory)
                # The rules learned from one problem share the cost of proving them.
                saved = Benchmark(example.seconds / max(len(new), 1), 0.0, 0)
                for entry in new:
                    self._store.put_benchmark(entry.rule.name, saved, self._theory)
        self.base = base
        # Typer flushes the output, so a printed line confirms that the rule is stored.
        for entry in new if self._reporting else ():
            if entry.rule.name in before.entries:
                continue
            origin = "" if entry.provenance is None else f" from {entry.provenance.example}"
            print_line(f"admitted {entry.rule.name}{origin}")
        if example is not None:
            self._done.add(example.task)

    def _with_stored_forms(self, base: RuleBase) -> RuleBase:
        """Return a base with the stored forms of the rules that are stored already."""
        stored = self.base.definitions
        if not stored or base.definitions.conflicts(stored):
            return base
        entries = [
            self._stored_forms[name][1] if self._stored_forms.get(name, ())[:1] == (entry,) else entry
            for name, entry in base.entries.items()
        ]
        return with_entries(replace(base, definitions=stored.merged(base.definitions)), entries)


@contextmanager
def rule_destination(
    theory: str, into: Path | None, *, reporting: bool, again: bool
) -> Iterator[tuple[Theory, RuleDestination]]:
    """Yield a theory and the destination of its rules.

    The destination is a file or a store, by default the store that contains the theory. A missing store is
    created, and a missing theory is added to it. With `again`, completed lessons are repeated. Raises
    ArgumentError if no destination is named.
    """
    named = store_named(theory if into is None else into)
    if named is None:
        if into is None:
            raise ArgumentError("this option is required, unless THEORY is a store", argument="--into")
        known = open_theory(theory, unchanged=True)
        yield known, InFile(into, known)
        return
    if into is None:
        with open_store(named.path, "write") as store:
            known = theory_in(store, named.theory, unchanged=True)
            yield known, InStore(store, known, reporting=reporting, again=again)
        return
    # Report errors of the theory before a store is created.
    known, stored = theory_and_text(theory)
    if not named.path.exists():
        with store_errors_as_usage("--into"):
            create(named.path)
    with open_store(named.path, "write", "--into") as store:
        put_if_new(store, known, stored)
        yield known, InStore(store, known, reporting=reporting, again=again)
