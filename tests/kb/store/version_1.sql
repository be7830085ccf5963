PRAGMA application_id=1213157966;
PRAGMA user_version=1;
BEGIN TRANSACTION;
CREATE TABLE benchmarks (
    rule INTEGER PRIMARY KEY REFERENCES rules (id) ON DELETE CASCADE,
    saved_seconds REAL NOT NULL,        -- what proving the example took that the rule was learned from
    match_seconds REAL NOT NULL,        -- what matching the rule against one state takes, mean of `states`
    states INTEGER NOT NULL,
    measured TEXT NOT NULL
) STRICT;
INSERT INTO "benchmarks" VALUES(1,2.0,0.25,10,'2026-11-21T16:00:00Z');
CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    happened TEXT NOT NULL,
    what TEXT NOT NULL,
    detail TEXT NOT NULL                -- JSON
) STRICT;
INSERT INTO "events" VALUES(1,'2026-11-21T16:00:00Z','tried','{"by":"hand"}');
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
INSERT INTO "examples" VALUES(1,1,'e','f.horn','task 1','big(a).','{}',0.5,'2026-11-21T16:00:00Z');
CREATE TABLE facts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    theory INTEGER NOT NULL REFERENCES theories (id) ON DELETE CASCADE,
    relation TEXT NOT NULL,
    moment TEXT NOT NULL CHECK (moment IN ('', 'before', 'after')),
    cells TEXT NOT NULL,                -- JSON: a list of words and integers
    UNIQUE (theory, relation, moment, cells)
) STRICT;
INSERT INTO "facts" VALUES(1,1,'big','','["it''s 1; two\nlines"]');
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
INSERT INTO "rules" VALUES(1,1,'small_1','small_1:
  small(?x) :- big(?x).',NULL,'{"example":"e","file":"f.horn","goal":"g","facts":[]}','c77728d7531adf6f4e43d0022bac9c3ef598aa56d12cf3ad4e177a9dda1a4494','2026-11-21T16:00:00Z','{}','active','');
INSERT INTO "rules" VALUES(2,1,'small_2','small_2:
  small(?y) :- big(?y).',NULL,NULL,'4d58216e738632334dd3a877907c352d069f0b7897faf8afd0164e8ffcc32e65','2026-11-21T16:00:00Z','{}','forgotten','worth too little');
CREATE TABLE selectivity (
    theory INTEGER PRIMARY KEY REFERENCES theories (id) ON DELETE CASCADE,
    statistics TEXT NOT NULL            -- what `hornbook profile --write-statistics` measures
) STRICT;
INSERT INTO "selectivity" VALUES(1,'{}');
CREATE TABLE theories (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    target TEXT NOT NULL,               -- what it was opened by: a registered name, or the path of its file
    fingerprint TEXT NOT NULL,          -- of the texts of all its files
    stored TEXT NOT NULL,               -- when, in UTC
    versions TEXT NOT NULL              -- JSON: what wrote it
) STRICT;
INSERT INTO "theories" VALUES(1,'tiny','tiny.horn','c68392752d70078e6ac0aa620078b40f25b9fb5b8167aaafe6651174bc942a2d','2026-11-21T16:00:00Z','{}');
CREATE TABLE theory_files (
    theory INTEGER NOT NULL REFERENCES theories (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,            -- imports before what imports them; the theory's own file is the last
    path TEXT NOT NULL,
    text TEXT NOT NULL,
    imports TEXT NOT NULL,              -- JSON: the number of the file that each imported name led to
    PRIMARY KEY (theory, number)
) STRICT;
INSERT INTO "theory_files" VALUES(1,0,'tiny.horn','theory tiny.

sort thing.
static big(thing).
static small(thing).

r:
  small(?x) :- big(?x).
','{}');
CREATE TABLE use (
    rule INTEGER PRIMARY KEY REFERENCES rules (id) ON DELETE CASCADE,
    asked INTEGER NOT NULL,             -- states that the rule was matched against
    fired INTEGER NOT NULL              -- those of them, or answers, in which it concluded what was asked for
) STRICT;
INSERT INTO "use" VALUES(1,4,1);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('facts',1);
INSERT INTO "sqlite_sequence" VALUES('rules',2);
INSERT INTO "sqlite_sequence" VALUES('examples',1);
INSERT INTO "sqlite_sequence" VALUES('events',1);
COMMIT;
