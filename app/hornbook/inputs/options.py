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
        help="The theory that the rules are for; a store has it.",
        autocompletion=theory_names,
    ),
]
Rules = Annotated[
    Path | None,
    typer.Option("--rules", metavar="RULES.horn", help="Rules that were learned, instead of a store's."),
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
            "Facts from a table (.csv, .tsv, .facts, .parquet), or of a database, `PREDICATE=FILE.sqlite::TABLE` (.db, .duckdb);"
            " or `DIR` or `FILE.sqlite`: all tables that are called as predicates. `PREDICATE(NAME, …)=FILE` says what a"
            " CSV's header is, or which columns of other tables are meant, `PREDICATE()=FILE` that a CSV has no header."
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
    bool, typer.Option("--skip-bad", help="Skip rows that do not fit, instead of refusing all.")
]
Limit = Annotated[
    int | None,
    typer.Option(
        "--limit", metavar="N", help="Show only the first so many, and say how many there are.", min=1
    ),
]
Csv = Annotated[bool, typer.Option("--csv", help="Print CSV, with a header.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Levels = Annotated[
    int, typer.Option("--levels", metavar="N", help="How many of the attacker's moves deep to look.", min=0)
]
SEARCH_SECONDS = 60.0
SEARCH_MEGABYTES = 4000
SearchSeconds = Annotated[
    float,
    typer.Option(
        "--seconds", metavar="S", help="Give up a search after so many seconds, and say so.", min=0.001
    ),
]
SearchMemory = Annotated[
    int,
    typer.Option(
        "--memory", metavar="MB", help="Give up a search when it takes so many more megabytes.", min=1
    ),
]
Seconds = Annotated[
    float | None, typer.Option("--seconds", metavar="S", help="Stop after so many seconds.", min=0.001)
]
Memory = Annotated[
    int,
    typer.Option("--memory", metavar="MB", help="Stop when facts and answers take so many megabytes.", min=1),
]
MostFacts = Annotated[
    int | None,
    typer.Option(
        "--max-facts",
        metavar="N",
        help="Stop when there are more facts than so many; ten million if not given.",
        min=0,
    ),
]
SearchMostFacts = Annotated[
    int,
    typer.Option(
        "--max-facts", metavar="N", help="Give up a search when it has more facts than so many.", min=0
    ),
]
TableOfStates = Annotated[
    Path | None,
    typer.Option(
        "--states",
        metavar="FILE",
        help=(
            "Ask about every row of a table: column `state` has a state. The table is a file (.csv, .tsv, .parquet), or of a"
            " database, `FILE.sqlite::TABLE` (.db, .duckdb)."
        ),
    ),
]
IntoTable = Annotated[
    Path | None,
    typer.Option(
        "--into",
        metavar="FILE",
        help=(
            "Write the answers to FILE.csv or FILE.parquet; with --states: the table with the answers, also to"
            " `FILE.sqlite::TABLE` (.db, .duckdb)."
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
        help="Where the work is done: local, dask, ray, dask://HOST:PORT or ray://HOST:PORT.",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option("--workers", "-j", metavar="N", help="Processes that share the work.", min=1),
]
Part = Annotated[
    int | None,
    typer.Option(
        "--chunk-size", metavar="N", help="With --states: states that a process is given at once.", min=1
    ),
]
Host = Annotated[
    str,
    typer.Option(
        "--host", metavar="ADDRESS", help="The address to listen at; this machine's own by default."
    ),
]
Port = Annotated[
    int,
    typer.Option(
        "--port", metavar="N", help="The port to listen at; 0 is any that is free.", min=0, max=65535
    ),
]
