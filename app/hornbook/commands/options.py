"""Arguments and options that several commands have, with their help texts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from hornbook.commands.parameters import Parameter


def argument(metavar: str, text: str, **settings: Any) -> Any:
    """Return the declaration of an argument with its name and text in `--help`."""
    return Parameter((), {"metavar": metavar, "help": text, **settings})


def option(name: str, metavar: str, text: str, *other_names: str, **settings: Any) -> Any:
    """Return the declaration of an option with a value. `metavar` is the name of the value in `--help`."""
    return Parameter((name, *other_names), {"metavar": metavar, "help": text, **settings})


def flag(name: str, text: str, *other_names: str, **settings: Any) -> Any:
    """Return the declaration of an option without a value, or one whose values `--help` lists."""
    return Parameter((name, *other_names), {"help": text, **settings})


def theory_names(incomplete: str) -> list[str]:
    """Return the theory names to complete. If none fits, the shell completes file names."""
    from hornbook.kb.sources.locate import known_theories  # noqa: PLC0415 - only shell completion needs it

    return [name for name in known_theories() if name.startswith(incomplete)]


Theory = Annotated[
    str, argument("THEORY", "A theory that ships, a file, a folder or a store.", autocompletion=theory_names)
]
RulesOrStore = Annotated[str, argument("RULES", "A rule base, such as `learn` writes, or a store.")]
RulesOrTheory = Annotated[
    str, argument("RULES", "A theory, a store, or with --theory a rule base such as `learn` writes.")
]
TheoryOfRules = Annotated[
    str | None,
    option(
        "--theory", "THEORY", "The theory of the rules; not needed for a store.", autocompletion=theory_names
    ),
]
Rules = Annotated[Path | None, option("--rules", "RULES.horn", "Learned rules, instead of those of a store.")]
States = Annotated[
    list[Path] | None,
    option(
        "--state",
        "FILE",
        "A state that the theory's adapter reads (SGF, a diagram, …); without an adapter, facts.",
    ),
]
Tables = Annotated[
    list[str] | None,
    option(
        "--facts",
        "PREDICATE=FILE",
        "Facts from a table (.csv, .tsv, .facts, .parquet, .json, .jsonl), or from a database or workbook:"
        " `PREDICATE=FILE.sqlite::TABLE` (.db, .duckdb, .xlsx). `DIR` or `FILE.sqlite`: all tables named"
        " after predicates. `PREDICATE(NAME, …)=FILE` gives the header of a CSV file, or selects"
        " columns of another table. `PREDICATE()=FILE`: the CSV file has no header.",
    ),
]
Added = Annotated[list[Path] | None, option("--add", "FILE", "Facts written in the language.")]
Parameters = Annotated[
    list[str] | None, option("--set", "NAME=VALUE", "The value of the parameter `$NAME` of the query.")
]
TableFormat = Annotated[
    list[str] | None,
    option(
        "--table-format",
        "NAME=VALUE",
        "How texts in tables write values: `decimal=,`, `thousands=.`, `date=%d.%m.%Y`,"
        " `time=%d.%m.%Y %H:%M`, `delimiter=;` (of CSV). `PREDICATE.NAME=VALUE`: for one table.",
    ),
]
SkipBad = Annotated[bool, flag("--skip-bad", "Skip malformed rows, instead of refusing the table.")]
Limit = Annotated[
    int | None, option("--limit", "N", "Show only the first N answers, and the number of all.", min=1)
]
Csv = Annotated[bool, flag("--csv", "Print CSV, with a header.")]
Json = Annotated[bool, flag("--json", "Print JSON.")]
Levels = Annotated[
    int, option("--levels", "N", "The number of the attacker's moves to try in sequence.", min=0)
]
SEARCH_SECONDS = 60.0
SEARCH_MEGABYTES = 4000
SearchSeconds = Annotated[
    float, option("--seconds", "S", "Give up a search after S seconds, and report it.", min=0.001)
]
SearchMemory = Annotated[
    int, option("--memory", "MB", "Give up a search when the process grows by MB megabytes.", min=1)
]
Seconds = Annotated[float | None, option("--seconds", "S", "Stop after S seconds.", min=0.001)]
Memory = Annotated[int, option("--memory", "MB", "Stop when facts and answers take MB megabytes.", min=1)]
MaxFacts = Annotated[
    int | None,
    option("--max-facts", "N", "Stop when there are more than N facts; ten million if not given.", min=0),
]
SearchMaxFacts = Annotated[
    int, option("--max-facts", "N", "Give up a search when it has more than N facts.", min=0)
]
TableOfStates = Annotated[
    Path | None,
    option(
        "--states",
        "FILE",
        "Evaluate every row of a table with a column `state`. The table is a file (.csv, .tsv,"
        " .parquet, .json, .jsonl) or in a database or workbook, `FILE.sqlite::TABLE` (.db, .duckdb, .xlsx).",
    ),
]
IntoTable = Annotated[
    Path | None,
    option(
        "--into",
        "FILE",
        "Write the answers to FILE.csv or FILE.parquet. With --states: write the table with the"
        " answers, also to `FILE.sqlite::TABLE` (.db, .duckdb).",
    ),
]
IntoFile = Annotated[Path | None, option("--into", "FILE", "Write the answers to FILE.csv or FILE.parquet.")]
OnlyRules = Annotated[
    bool,
    flag("--only-rules", "Evaluate the learned rules with the definitions of their conditions alone."),
]
Backend = Annotated[
    str | None,
    option(
        "--backend", "PLACE", "The place of the work: local, dask, ray, dask://HOST:PORT or ray://HOST:PORT."
    ),
]
Workers = Annotated[
    int | None, option("--workers", "N", "The number of processes that share the work.", "-j", min=1)
]
ChunkSize = Annotated[
    int | None,
    option("--chunk-size", "N", "With --states: the number of states for one task of a process.", min=1),
]
Host = Annotated[
    str, option("--host", "ADDRESS", "The address to listen at; by default one for this machine only.")
]
Port = Annotated[
    int, option("--port", "N", "The port to listen at; 0 selects a free port.", min=0, max=65535)
]
