"""A store: theories, facts, learned rules and statistics of their use, in one SQLite file.

Transactions and snapshots are in session.py. Only one store can be open for writing. Readers see the last
commit.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import repeat
from pathlib import Path
from typing import Any, cast

from hornbook.kb.ast.fact_columns import FactColumns, in_columns
from hornbook.kb.ast.terms import Tense
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.sources.deprecations import renamed_members
from hornbook.kb.store import connection as opening
from hornbook.kb.store.closure import read_theory
from hornbook.kb.store.errors import StoreError, damaged, path_errors
from hornbook.kb.store.rows import (
    STATES,
    Benchmark,
    Event,
    State,
    StoredExample,
    StoredFile,
    StoredRule,
    StoredTheory,
    Use,
    now,
)
from hornbook.kb.store.session import StoreSession
from hornbook.kb.store.versions import versions
from hornbook.kb.text.literals.forms import form_of_kind
from hornbook.kb.text.literals.values import WrittenInteger

_PAGE = 10_000
"""The number of facts in one read."""


@renamed_members
class Store(StoreSession):
    """A store, with its contents as rows of `rows.py`.

    `mode` is "read" or "write". A writer waits `wait` seconds for another. An argument `theory` is a theory's
    name, and may be omitted if the store has one theory. Every method raises StoreError if the file is
    damaged, or has no object of the given name.
    """

    @classmethod
    def create(cls, path: str | Path) -> Store:
        """Return a new store, open for writing. Raises StoreError if the path exists."""
        with path_errors(Path(path)):
            opening.create(Path(path))
        return cls(path, "write")

    # Theories

    def theories(self) -> list[StoredTheory]:
        return [self.theory(name) for (name,) in self._rows("SELECT name FROM theories ORDER BY id")]

    def theory(self, name: str | None = None) -> StoredTheory:
        """Return the theory of a name, or the only one."""
        number = self._theory(name)
        found, target = self._row("SELECT name, target FROM theories WHERE id = ?", number)
        rows = self._rows(
            "SELECT path, text, imports, proofs FROM theory_files WHERE theory = ? ORDER BY number", number
        )
        files = tuple(StoredFile(p, t, self._imports(i), proofs) for p, t, i, proofs in rows)
        return StoredTheory(found, target, files)

    def put_theory(self, theory: StoredTheory | str | Path) -> None:
        """Add a theory, or replace the text of the stored one with this name. Its facts and rules are kept.

        For a name or path, the current files are read, which may raise TheoryError. A changed text can
        invalidate the certificates of rules. The caller must certify the rules again in the same transaction.
        """
        if not isinstance(theory, StoredTheory):
            theory = read_theory(theory)
        with self.transaction():
            self._rows(
                "INSERT INTO theories (name, target, fingerprint, stored, versions) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (name) DO UPDATE SET target = excluded.target, fingerprint = "
                "excluded.fingerprint,"
                " stored = excluded.stored, versions = excluded.versions",
                theory.name, theory.target, theory.fingerprint, now(), versions(),
            )  # fmt: skip
            number = self._theory(theory.name)
            self._rows("DELETE FROM theory_files WHERE theory = ?", number)
            for place, file in enumerate(theory.files):
                row = (number, place, file.path, file.text, _written(dict(file.imports)), file.proofs)
                self._rows("INSERT INTO theory_files VALUES (?, ?, ?, ?, ?, ?)", *row)

    # Facts

    def facts(self, theory: str | None = None) -> list[GroundFact]:
        """Return the facts, in the order of their addition."""
        return list(self._each_fact(theory))

    def facts_in_columns(self, theory: str | None = None) -> list[FactColumns]:
        """Return the facts as columns, so that millions take little memory. Raises as `facts` does."""
        try:
            return in_columns(self._each_fact(theory))
        except OverflowError:
            raise damaged(self.path, "a fact has an integer beyond 64 bits") from None

    def count_facts(self, theory: str | None = None) -> int:
        """Return the number of facts."""
        return int(self._row("SELECT count(*) FROM facts WHERE theory = ?", self._theory(theory))[0])

    def _each_fact(self, theory: str | None) -> Iterator[GroundFact]:
        number, last = self._theory(theory), 0
        while rows := self._rows(
            "SELECT id, relation, moment, cells FROM facts WHERE theory = ? AND id > ? ORDER BY id LIMIT ?",
            number, last, _PAGE,
        ):  # fmt: skip
            # the last id is where the next page begins
            for last, relation, moment, cells in rows:  # noqa: B007
                yield GroundFact(relation, self._cells(cells), self._moment(moment))

    def add_facts(self, facts: Iterable[GroundFact], theory: str | None = None) -> int:
        """Add facts that fit the theory, and return the number of new ones."""
        with self.transaction():
            number, before = self._theory(theory), self._connection.total_changes
            self._write_all(
                "INSERT OR IGNORE INTO facts (theory, relation, moment, cells, place) VALUES (?, ?, ?, ?, ?)",
                ((number, *row, place) for row, place in zip(_as_rows(facts), _places(facts), strict=False)),
            )
            return self._connection.total_changes - before

    def retract_facts(self, facts: Iterable[GroundFact], theory: str | None = None) -> int:
        """Remove facts, and return the number of removed ones."""
        with self.transaction():
            number, before = self._theory(theory), self._connection.total_changes
            self._write_all(
                "DELETE FROM facts WHERE theory = ? AND relation = ? AND moment = ? AND cells = ?",
                ((number, *row) for row in _as_rows(facts)),
            )
            return self._connection.total_changes - before

    def note_places(self, facts: FactColumns, theory: str | None = None) -> None:
        """Record the table rows of existing facts. Known rows are kept."""
        with self.transaction():
            number = self._theory(theory)
            self._write_all(
                "UPDATE facts SET place = ? WHERE theory = ? AND relation = ? AND moment IN ('', "
                "'before') AND cells = ?"
                " AND place IS NULL",
                (
                    (place, number, relation, cells)
                    for (relation, _, cells), place in zip(_as_rows(facts), _places(facts), strict=False)
                    if place is not None
                ),
            )

    def places(
        self, facts: Iterable[tuple[str, tuple[str | int, ...]]], theory: str | None = None
    ) -> dict[tuple[str, tuple[str | int, ...]], str]:
        """Return the table rows of facts, such as `member.csv:17`. Facts are given by relation and values;
        unknown ones are omitted.
        """
        number = self._theory(theory)
        found = {}
        for relation, values in facts:
            rows = self._rows(
                "SELECT place FROM facts WHERE theory = ? AND relation = ? AND moment IN ('', "
                "'before') AND cells = ?"
                " AND place IS NOT NULL",
                number, relation, _row(values),
            )  # fmt: skip
            for (place,) in rows:
                found[relation, values] = place
        return found

    # Rules

    def rules(self, theory: str | None = None, states: Iterable[State] = STATES) -> list[StoredRule]:
        """Return the rules in these states, in the order of their admission."""
        selected = set(states)
        rows = self._rows(
            "SELECT name, text, certificate, provenance, state, reason, learned, versions FROM rules"
            " WHERE theory = ? ORDER BY id",
            self._theory(theory),
        )
        found = [StoredRule(*row) for row in rows]
        for rule in found:
            if rule.state not in STATES:
                raise damaged(self.path, f"the rule `{rule.name}` is in no state")
        return [rule for rule in found if rule.state in selected]

    def put_rule(self, rule: StoredRule, theory: str | None = None) -> None:
        """Add a rule, or replace the rule with this name, which keeps its position and statistics.

        The default time and versions are the current ones.
        """
        rule = replace(rule, learned=rule.learned or now(), versions=rule.versions or versions())
        values = (rule.text, rule.certificate, rule.provenance, rule.fingerprint, rule.learned, rule.versions)
        with self.transaction():
            self._rows(
                "INSERT INTO rules (theory, name, text, certificate, provenance, fingerprint, "
                "learned, versions,"
                " state, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (theory, name) DO "
                "UPDATE SET"
                " text = excluded.text, certificate = excluded.certificate, provenance = excluded.provenance,"
                " fingerprint = excluded.fingerprint, learned = excluded.learned, versions = "
                "excluded.versions,"
                " state = excluded.state, reason = excluded.reason",
                self._theory(theory), rule.name, *values, rule.state, rule.reason,
            )  # fmt: skip

    def set_state(self, names: Iterable[str], state: State, reason: str, theory: str | None = None) -> None:
        """Set the state of rules, with the reason."""
        with self.transaction():
            for name in names:
                number = self._rule(name, theory)
                self._rows("UPDATE rules SET state = ?, reason = ? WHERE id = ?", state, reason, number)

    # Examples

    def examples(self, theory: str | None = None) -> list[StoredExample]:
        """Return the examples used for learning, in order."""
        rows = self._rows(
            "SELECT name, file, task, content, outcome, seconds, learned FROM examples WHERE theory = ?"
            " ORDER BY id",
            self._theory(theory),
        )
        return [StoredExample(*row) for row in rows]

    def put_example(self, example: StoredExample, theory: str | None = None) -> None:
        """Record an example used for learning. A known one is updated."""
        values = (example.name, example.file, example.task, example.content, example.outcome, example.seconds)
        with self.transaction():
            self._rows(
                "INSERT INTO examples (theory, name, file, task, content, outcome, seconds, learned)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (theory, task) DO UPDATE SET name = "
                "excluded.name,"
                " file = excluded.file, content = excluded.content, outcome = excluded.outcome,"
                " seconds = excluded.seconds, learned = excluded.learned",
                self._theory(theory), *values, example.learned or now(),
            )  # fmt: skip

    # Statistics of use

    def usage(self, theory: str | None = None) -> dict[str, Use]:
        """Return the use of each rule. Rules that were never used are omitted."""
        rows = self._rows(
            "SELECT name, asked, fired, states, last FROM use JOIN rules ON rules.id = use.rule"
            " WHERE theory = ? ORDER BY rule",
            self._theory(theory),
        )
        return {name: Use(*row) for name, *row in rows}

    def add_usage(self, used: Mapping[str, Use], theory: str | None = None) -> None:
        """Add to the statistics of rules. Unknown rules are ignored."""
        with self.transaction():
            number = self._theory(theory)
            for name, use in used.items():
                self._rows(
                    "INSERT INTO use (rule, asked, fired, states, last) SELECT id, ?, ?, ?, ? FROM rules"
                    " WHERE theory = ? AND name = ? ON CONFLICT (rule) DO UPDATE SET asked = asked + "
                    "excluded.asked,"
                    " fired = fired + excluded.fired, states = states + excluded.states, last = "
                    "excluded.last",
                    use.asked, use.fired, use.states, use.last or now(), number, name,
                )  # fmt: skip

    def benchmarks(self, theory: str | None = None) -> dict[str, Benchmark]:
        """Return the measured savings and costs of rules."""
        rows = self._rows(
            "SELECT name, saved_seconds, match_seconds, states, measured FROM benchmarks"
            " JOIN rules ON rules.id = benchmarks.rule WHERE theory = ? ORDER BY rule",
            self._theory(theory),
        )
        return {name: Benchmark(*row) for name, *row in rows}

    def put_benchmark(self, name: str, found: Benchmark, theory: str | None = None) -> None:
        """Store the measured savings and costs of a rule, replacing earlier ones."""
        with self.transaction():
            row = (found.saved_seconds, found.match_seconds, found.states, found.measured or now())
            number = self._rule(name, theory)
            self._rows("INSERT OR REPLACE INTO benchmarks VALUES (?, ?, ?, ?, ?)", number, *row)

    def definitions(self, theory: str | None = None) -> str:
        """Return the text of the invented predicates of a theory's learned rules; empty if there are none."""
        rows = self._rows("SELECT text FROM definitions WHERE theory = ?", self._theory(theory))
        return rows[0][0] if rows else ""

    def put_definitions(self, text: str, theory: str | None = None) -> None:
        """Store the invented predicates of a theory's learned rules, replacing the earlier ones."""
        with self.transaction():
            self._rows("INSERT OR REPLACE INTO definitions VALUES (?, ?)", self._theory(theory), text)

    def statistics(self, theory: str | None = None) -> str | None:
        """Return the text of the statistics for ordering conditions (kb/lower/measures.py), or None."""
        rows = self._rows("SELECT statistics FROM selectivity WHERE theory = ?", self._theory(theory))
        return rows[0][0] if rows else None

    def put_statistics(self, text: str, theory: str | None = None) -> None:
        """Store the selectivity of conditions, replacing the earlier one."""
        with self.transaction():
            self._rows("INSERT OR REPLACE INTO selectivity VALUES (?, ?)", self._theory(theory), text)

    # History

    def events(self) -> list[Event]:
        rows = self._rows("SELECT happened, what, detail FROM events ORDER BY id")
        return [Event(*row) for row in rows]

    def add_event(self, what: str, detail: Mapping[str, Any], happened: str = "") -> None:
        """Record an event for later inspection."""
        with self.transaction():
            row = (happened or now(), what, _written(dict(detail)))
            self._rows("INSERT INTO events (happened, what, detail) VALUES (?, ?, ?)", *row)

    # Stored fingerprints, for the detection of damage

    def fingerprint_written(self, theory: str | None = None) -> str:
        """Return the fingerprint that was stored with a theory."""
        return str(self._row("SELECT fingerprint FROM theories WHERE id = ?", self._theory(theory))[0])

    def fingerprints_of_rules(self, theory: str | None = None) -> dict[str, str]:
        """Return the fingerprint that was stored with each rule, by name."""
        return dict(self._rows("SELECT name, fingerprint FROM rules WHERE theory = ?", self._theory(theory)))

    # Internal methods

    def _theory(self, name: str | None) -> int:
        if name is None:
            found = self._rows("SELECT id, name FROM theories ORDER BY id")
            if len(found) == 1:
                return int(found[0][0])
            names = ", ".join(f"`{each}`" for _, each in found)
            problem = (
                f"has several theories ({names}); name one (`FILE#NAME`)" if found else "has no theory yet"
            )
            raise StoreError(f"{self.path}: the store {problem}")
        found = self._rows("SELECT id FROM theories WHERE name = ?", name)
        if not found:
            raise StoreError(f"{self.path}: the store has no theory `{name}`")
        return int(found[0][0])

    def _row(self, sql: str, number: int) -> Any:
        """Return the row with a number that was just found. A damaged index may lead to none."""
        rows = self._rows(sql, number)
        if len(rows) != 1:
            raise damaged(self.path, "an index leads to no row")
        return rows[0]

    def _rule(self, name: str, theory: str | None) -> int:
        found = self._rows("SELECT id FROM rules WHERE theory = ? AND name = ?", self._theory(theory), name)
        if not found:
            raise StoreError(f"{self.path}: the store has no rule `{name}`")
        return int(found[0][0])

    def _read(self, text: str) -> Any:
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as problem:
            raise damaged(self.path, str(problem)) from None

    def _imports(self, text: str) -> dict[str, int]:
        found = self._read(text)
        if not isinstance(found, dict) or not all(type(number) is int for number in found.values()):
            raise damaged(self.path, "the imports of a theory are not by name")
        return found

    def _cells(self, text: str) -> tuple[str | int, ...]:
        found = self._read(text)
        try:
            if isinstance(found, list):
                return tuple(map(_cell, found))
        except ValueError:
            pass
        raise damaged(self.path, "a fact is not a list of words and integers")

    def _moment(self, text: str) -> Tense | None:
        if text not in ("", "before", "after"):
            raise damaged(self.path, "a fact holds at no moment")
        return cast("Tense | None", text or None)


def _as_rows(facts: Iterable[GroundFact]) -> Iterator[tuple[str, str, str]]:
    """Return the relation, moment and cells of facts in stored form."""
    if not isinstance(facts, FactColumns):
        return ((fact.relation, fact.tense or "", _row(fact.values)) for fact in facts)
    texts = [
        map(_number_texts(column.number), column.cells)
        if column.words is None
        else map(list(map(_written, column.words)).__getitem__, column.cells)
        for column in facts.columns
    ]
    rows = zip(*texts, strict=True) if texts else repeat((), facts.size)
    return ((facts.relation, facts.tense or "", f"[{','.join(row)}]") for row in rows)


def _places(facts: Iterable[GroundFact]) -> Iterator[str | None]:
    """Return an iterator over the table rows of facts, or infinitely many None for other facts."""
    if isinstance(facts, FactColumns) and facts.rows is not None:
        return map(facts.rows.row, range(facts.size))
    return repeat(None)


def _row(values: Iterable[str | int]) -> str:
    return _written([{v.kind: int(v)} if isinstance(v, WrittenInteger) else v for v in values])


def _number_texts(number: type[int]) -> Callable[[int], str]:
    """Return the function from the integers of a column to their stored form."""
    if not issubclass(number, WrittenInteger):
        return str
    kind = number.kind
    return lambda cell: f'{{"{kind}":{cell}}}'


def _cell(stored: object) -> str | int:
    """Return the value of a stored cell: a word, an integer, or an integer with its form. Raises
    ValueError.
    """
    if isinstance(stored, str) or type(stored) is int:
        return stored
    if isinstance(stored, dict) and len(stored) == 1:
        ((kind, value),) = stored.items()
        if type(value) is int:
            return form_of_kind(kind).number(value)
    raise ValueError(stored)


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
