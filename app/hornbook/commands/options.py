"""Arguments and options that several commands have, with their help texts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def theory_names(incomplete: str) -> list[str]:
    """Return the theory names to complete. If none fits, the shell completes file names."""
    from hornbook.kb.sources.locate import known_theories  # noqa: PLC0415 - only shell completion needs it

    return [name for name in known_theories() if name.startswith(incomplete)]


Theory = Annotated[
    str,
    typer.Argument(
        metavar="THEORY",
        help="A theory that ships, a file, a folder or a store.",
        autocompletion=theory_names,
    ),
]
RulesPlace = Annotated[
    str, typer.Argument(metavar="RULES", help="A rule base, such as `learn` writes, or a store.")
]
RulesOrTheory = Annotated[
    str,
    typer.Argument(
        metavar="RULES", help="A theory, a store, or with --theory a rule base such as `learn` writes."
    ),
]
TheoryOfRules = Annotated[
    str | None,
    typer.Option(
        "--theory",
        metavar="THEORY",
        help="The theory of the rules; not needed for a store.",
        autocompletion=theory_names,
    ),
]
Rules = Annotated[
    Path | None,
    typer.Option("--rules", metavar="RULES.horn", help="Learned rules, instead of those of a store."),
]
States = Annotated[
    list[Path] | None,
    typer.Option(
        "--state", metavar="FILE", help="A state that the theory's adapter reads (SGF, a diagram, …)."
    ),
]
Tables = Annotated[
    list[str] | None,
    typer.Option(
        "--facts",
        metavar="PREDICATE=FILE",
        help=(
            "Facts from a table (.csv, .tsv, .facts, .parquet), or from a database:"
            " `PREDICATE=FILE.sqlite::TABLE` (.db, .duckdb). `DIR` or `FILE.sqlite`: all tables named after"
            " predicates. `PREDICATE(NAME, …)=FILE` gives the header of"
            " a CSV file, or selects columns of another"
            " table. `PREDICATE()=FILE`: the CSV file has no header."
        ),
    ),
]
Added = Annotated[
    list[Path] | None, typer.Option("--add", metavar="FILE", help="Facts written in the language.")
]
Parameters = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="The value of the parameter `$NAME` of the query."),
]
SkipBad = Annotated[
    bool, typer.Option("--skip-bad", help="Skip malformed rows, instead of refusing the table.")
]
Limit = Annotated[
    int | None,
    typer.Option("--limit", metavar="N", help="Show only the first N answers, and the number of all.", min=1),
]
Csv = Annotated[bool, typer.Option("--csv", help="Print CSV, with a header.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Levels = Annotated[
    int,
    typer.Option(
        "--levels", metavar="N", help="The number of the attacker's moves to try in sequence.", min=0
    ),
]
SEARCH_SECONDS = 60.0
SEARCH_MEGABYTES = 4000
SearchSeconds = Annotated[
    float,
    typer.Option(
        "--seconds", metavar="S", help="Give up a search after S seconds, and report it.", min=0.001
    ),
]
SearchMemory = Annotated[
    int,
    typer.Option(
        "--memory", metavar="MB", help="Give up a search when the process grows by MB megabytes.", min=1
    ),
]
Seconds = Annotated[
    float | None, typer.Option("--seconds", metavar="S", help="Stop after S seconds.", min=0.001)
]
Memory = Annotated[
    int,
    typer.Option("--memory", metavar="MB", help="Stop when facts and answers take MB megabytes.", min=1),
]
MostFacts = Annotated[
    int | None,
    typer.Option(
        "--max-facts",
        metavar="N",
        help="Stop when there are more than N facts; ten million if not given.",
        min=0,
    ),
]
SearchMostFacts = Annotated[
    int,
    typer.Option("--max-facts", metavar="N", help="Give up a search when it has more than N facts.", min=0),
]
TableOfStates = Annotated[
    Path | None,
    typer.Option(
        "--states",
        metavar="FILE",
        help=(
            "Answer for every row of a table with a column"
            " `state`. The table is a file (.csv, .tsv, .parquet)"
            " or in a database, `FILE.sqlite::TABLE` (.db, .duckdb)."
        ),
    ),
]
IntoTable = Annotated[
    Path | None,
    typer.Option(
        "--into",
        metavar="FILE",
        help=(
            "Write the answers to FILE.csv or FILE.parquet. With --states: write the table with the answers,"
            " also to `FILE.sqlite::TABLE` (.db, .duckdb)."
        ),
    ),
]
IntoFile = Annotated[
    Path | None,
    typer.Option("--into", metavar="FILE", help="Write the answers to FILE.csv or FILE.parquet."),
]
On = Annotated[
    str | None,
    typer.Option(
        "--backend",
        metavar="PLACE",
        help="The place of the work: local, dask, ray, dask://HOST:PORT or ray://HOST:PORT.",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option("--workers", "-j", metavar="N", help="The number of processes that share the work.", min=1),
]
Part = Annotated[
    int | None,
    typer.Option(
        "--chunk-size",
        metavar="N",
        help="With --states: the number of states for one task of a process.",
        min=1,
    ),
]
Host = Annotated[
    str,
    typer.Option(
        "--host", metavar="ADDRESS", help="The address to listen at; by default one for this machine only."
    ),
]
Port = Annotated[
    int,
    typer.Option(
        "--port", metavar="N", help="The port to listen at; 0 selects a free port.", min=0, max=65535
    ),
]
