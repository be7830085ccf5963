"""The tables of a store, as the migrations from each version of the schema to the next.

`MIGRATIONS[n]` creates version n + 1 from version n. A new store runs all of them, so that there is only one
definition of each table. A released migration is never changed: a new one is added instead. Every table is
STRICT.
"""

from __future__ import annotations

import contextlib
import sqlite3
from functools import cache

_FIRST = """
CREATE TABLE theories (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    target TEXT NOT NULL,               -- what it was opened by: a registered name, or the path of its file
    fingerprint TEXT NOT NULL,          -- of the texts of all its files
    stored TEXT NOT NULL,               -- when, in UTC
    versions TEXT NOT NULL              -- JSON: what wrote it
) STRICT;

CREATE TABLE theory_files (
    theory INTEGER NOT NULL REFERENCES theories (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,            -- imports before what imports them; the theory's own file is the last
    path TEXT NOT NULL,
    text TEXT NOT NULL,
    imports TEXT NOT NULL,              -- JSON: the number of the file that each imported name led to
    PRIMARY KEY (theory, number)
) STRICT;

CREATE TABLE facts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    theory INTEGER NOT NULL REFERENCES theories (id) ON DELETE CASCADE,
    relation TEXT NOT NULL,
    moment TEXT NOT NULL CHECK (moment IN ('', 'before', 'after')),
    cells TEXT NOT NULL,                -- JSON: a list of words and integers
    UNIQUE (theory, relation, moment, cells)
) STRICT;

CREATE TABLE rules (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    theory INTEGER NOT NULL REFERENCES theories (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    text TEXT NOT NULL,                 -- the rule in the language
    certificate TEXT,                   -- JSON; NULL where there is none
    provenance TEXT,                    -- JSON: example, file, goal, facts; NULL where it was written by hand
    fingerprint TEXT NOT NULL,          -- of text, certificate and provenance, to find damage
    learned TEXT NOT NULL,              -- when, in UTC
    versions TEXT NOT NULL,             -- JSON: what wrote it
    state TEXT NOT NULL CHECK (state IN ('active', 'forgotten', 'retired')),
    reason TEXT NOT NULL,               -- why it is not active; empty where it is
    UNIQUE (theory, name)
) STRICT;

CREATE TABLE examples (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    theory INTEGER NOT NULL REFERENCES theories (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    file TEXT NOT NULL,
    task TEXT NOT NULL,                 -- a fingerprint of all that was to be learned from
    content TEXT NOT NULL,              -- the example itself, as text
    outcome TEXT NOT NULL,              -- JSON: what learning from it came to
    seconds REAL NOT NULL,
    learned TEXT NOT NULL,
    UNIQUE (theory, task)
) STRICT;

CREATE TABLE use (
    rule INTEGER PRIMARY KEY REFERENCES rules (id) ON DELETE CASCADE,
    asked INTEGER NOT NULL,             -- problems and positions that were asked about
    fired INTEGER NOT NULL              -- those of them that it answered
) STRICT;

CREATE TABLE benchmarks (
    rule INTEGER PRIMARY KEY REFERENCES rules (id) ON DELETE CASCADE,
    saved_seconds REAL NOT NULL,        -- what proving the example took that the rule was learned from
    match_seconds REAL NOT NULL,        -- what matching the rule against one state takes, mean of `states`
    states INTEGER NOT NULL,
    measured TEXT NOT NULL
) STRICT;

CREATE TABLE selectivity (
    theory INTEGER PRIMARY KEY REFERENCES theories (id) ON DELETE CASCADE,
    statistics TEXT NOT NULL            -- what `hornbook theory profile --write-statistics` measures
) STRICT;

CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    happened TEXT NOT NULL,
    what TEXT NOT NULL,
    detail TEXT NOT NULL                -- JSON
) STRICT;
"""

_USE_BY_PROBLEM = """
-- A chain of matches looks at many states for one problem, so that its cost is told by states, its gain by problems.
ALTER TABLE use ADD COLUMN states INTEGER NOT NULL DEFAULT 0;
ALTER TABLE use ADD COLUMN last TEXT NOT NULL DEFAULT '';
UPDATE use SET states = asked;
"""

_PLACES = """
-- Where a table had it, `member.csv:17`; NULL where it came otherwise.
ALTER TABLE facts ADD COLUMN place TEXT;
"""

_LEMMAS = """
-- The proofs of lemmas beside the file.
ALTER TABLE theory_files ADD COLUMN proofs TEXT NOT NULL DEFAULT '';
"""

_DEFINITIONS = """
CREATE TABLE definitions (
    theory INTEGER PRIMARY KEY REFERENCES theories (id) ON DELETE CASCADE,
    text TEXT NOT NULL                  -- the invented predicates of the learned rules, with their clauses
) STRICT;
"""

MIGRATIONS: tuple[str, ...] = (_FIRST, _USE_BY_PROBLEM, _PLACES, _LEMMAS, _DEFINITIONS)
"""The SQL scripts that lead from each version to the next."""

TABLES = (
    "theories",
    "theory_files",
    "facts",
    "rules",
    "examples",
    "use",
    "benchmarks",
    "selectivity",
    "events",
    "definitions",
)
"""Every table, each after the tables that it refers to."""


Column = tuple[str, str, bool]
"""The name of a column, its SQLite type, and whether it may be NULL."""


def columns() -> dict[str, tuple[Column, ...]]:
    """Return the columns of every table, as created by the migrations."""
    return _columns_after(MIGRATIONS)


@cache
def _columns_after(steps: tuple[str, ...]) -> dict[str, tuple[Column, ...]]:
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        for step in steps:
            connection.executescript(step)
        return columns_of(connection)


def columns_of(connection: sqlite3.Connection) -> dict[str, tuple[Column, ...]]:
    """Return the columns of the existing tables among the expected ones. Views and tables that are not STRICT
    are ignored.
    """
    strict = {
        name
        for _, name, kind, _, _, strict in connection.execute("PRAGMA table_list")
        if strict and kind == "table"
    }
    return {
        table: tuple(
            (name, kind, not (required or key))
            for _, name, kind, required, _, key in connection.execute(f"PRAGMA table_info ({table})")
        )
        for table in TABLES
        if table in strict
    }


@cache
def types() -> dict[str, tuple[type, ...]]:
    """Return the Python types of each column by name. A name has the same meaning in every table."""
    found: dict[str, tuple[type, ...]] = {}
    for table in columns().values():
        for name, kind, may_be_null in table:
            found.setdefault(name, (_PYTHON[kind], *((type(None),) if may_be_null else ())))
    return found


_PYTHON: dict[str, type] = {"TEXT": str, "INTEGER": int, "REAL": float}


def version() -> int:
    """Return the schema version that this program writes."""
    return len(MIGRATIONS)
