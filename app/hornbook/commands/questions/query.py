"""The command `hornbook query`: the answers to a query."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from hornbook.commands import options
from hornbook.commands.option_groups import FactOptions, LimitOptions
from hornbook.commands.options import argument, flag, option
from hornbook.commands.states_option import TableQueryOptions
from hornbook.inputs.answer_files import Form
from hornbook.inputs.parameters import read_parameters
from hornbook.kb.lower.engines import EngineName, QueryEngine
from hornbook.kb.tables.answers import Answers
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.coded import Limits
from hornbook.terminal.failure import ArgumentError
from hornbook.terminal.messages import print_line, warn

if TYPE_CHECKING:  # slow to import
    from hornbook.kb.base.knowledge_base import KnowledgeBase

QueryArgument = Annotated[str, argument("QUERY", "Conditions such as 'legal(black, ?p), colour(?p, empty)'.")]


def query(
    theory: options.Theory,
    query: QueryArgument,
    settings: options.Parameters = None,
    *,
    given: FactOptions,
    states: options.TableOfStates = None,
    into: options.IntoTable = None,
    on: options.Backend = None,
    workers: options.Workers = None,
    part: options.ChunkSize = None,
    engine: Annotated[
        Literal[QueryEngine, "duckdb"], flag("--engine", "The engine that answers.")
    ] = "matcher",
    bounds: LimitOptions,
    most: Annotated[int, option("--max-answers", "N", "Refuse more than N answers.", min=0)] = 100_000,
    limit: options.Limit = None,
    csv_output: options.Csv = False,
    json_output: options.Json = False,
) -> None:
    """Answer a query about a theory and the facts that you give.

    A fluent without a tense word is read before the action. With `--engine duckdb`, the facts
    may exceed the memory. `--json` prints a list with one object per answer, keyed by the
    variables. A query without variables is answered by `[{}]` (yes) or `[]` (no). If there are more answers
    than --max-answers, none is printed, and a message suggests alternatives. With --limit, only the first
    answers are printed. `--csv` prints them as CSV, and --into writes them to a file.

    With --states, the command answers the query for every state of a table instead, together with all other
    facts. The column `state` has states in the format of the theory's adapter, or facts if there is no
    adapter. The table is written with a column `answers` to another file (--into). If the command is
    interrupted, the finished answers are kept.
    """
    from hornbook.kb.lower.errors import TooManyAnswersError  # noqa: PLC0415 - slow to import
    from hornbook.kb.sources.diagnostics import render  # noqa: PLC0415 - slow to import

    others = {
        "--state": given.state,
        "--engine": engine != "matcher",
        "--csv": csv_output,
        "--limit": limit is not None,
    }
    is_table = states is not None
    asking = TableQueryOptions.of(
        states,
        into if is_table else None,
        on,
        workers,
        part,
        skip_bad=given.skip_bad and is_table,
        others=others,
    )
    form = Form(limit, csv_output, None if is_table else into, json_output)
    name: EngineName = "duckdb" if engine == "duckdb" else "demand"
    base = given.open(theory, bounds.limits(name), engine=name)
    if form.into is not None:
        form.must_be_writable(given.files(base))
    parameters = read_parameters(settings, query, base.theory.vocabulary)
    if asking is not None:
        limits = bounds.limits()
        _query_table(asking, base, query, parameters, given.add or (), most, limits, json_output=json_output)
        return
    coded = base.engine.coding.query(base.engine.parse_queries(query, parameters)[0].conditions)
    if not coded.names and form.is_table:
        raise ArgumentError(
            "a query without variables has no columns; it is answered yes or no", form.table_option
        )
    table, answers = None, Answers((), ())
    try:
        if form.is_parquet and engine != "pydatalog":
            table = base.query_table(query, parameters=parameters, max_answers=most)
        else:
            answers = base.query(
                query,
                parameters=parameters,
                engine="matcher" if engine == "duckdb" else engine,
                max_answers=most,
            )
    except TooManyAnswersError as problem:
        raise ArgumentError(str(problem), "--max-answers") from None
    if learned := sum(rule.learned for rule in base.rules):
        warn(
            f"answered with {counted(learned, 'learned rule')};"
            " `why` shows which proofs depend on learned rules"
        )
    for diagnostic in base.warnings(query):
        warn(render(diagnostic, {"<query>": query}))
    answers = replace(answers, rows=tuple(form.first(answers.rows)))
    if table is not None:
        form.show_arrow(form.first(table), coded.shown_kinds)
    elif form.is_table:
        form.show(answers, coded.shown_kinds)
    elif json_output:
        _print_json(answers)
    else:
        print_line(answers.to_text())


def _query_table(
    asking: TableQueryOptions,
    base: KnowledgeBase,
    query: str,
    parameters: Mapping[str, str | int],
    files: Sequence[Path],
    most: int,
    limits: Limits,
    *,
    json_output: bool,
) -> None:
    """Answer the query for every state of a table, with the facts and rules of the base."""
    from hornbook.kb.sources.files import read_text  # noqa: PLC0415 - slow to import

    coded = base.engine.coding.query(base.engine.parse_queries(query, parameters)[0].conditions)
    from hornbook.spread.query_states import QueryStates  # noqa: PLC0415 - slow to import

    question = QueryStates(
        base.theory,
        tuple(base.given()),
        tuple(map(read_text, files)),
        tuple(rule for rule in base.rules if rule.learned),
        query,
        tuple(parameters.items()),
        tuple(zip(coded.names, coded.shown_kinds, strict=True)),
        most,
        limits,
    )
    asking.ask(question, json_output=json_output)


def _print_json(answers: Answers) -> None:
    """Print a list with one object per answer, without collecting them in memory."""
    separator = "["
    for binding in answers.json_rows():
        print_line(f"{separator}{json.dumps(binding, ensure_ascii=False)}", end="")
        separator = ", "
    print_line("]" if answers else "[]")
