"""The command `hornbook theory report`: answers as pages or a table, for the people concerned."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path
from typing import Annotated, Literal

from hornbook.commands import options
from hornbook.commands.option_groups import FactOptions, LimitOptions
from hornbook.commands.options import argument, flag, option
from hornbook.commands.questions.reports.locale_formats import constants_in
from hornbook.commands.questions.reports.rendering import EXTENSIONS, ReportFormat, ReportTemplate
from hornbook.commands.questions.reports.report_content import report_of
from hornbook.inputs.parameters import read_parameters
from hornbook.kb.explain.fact_places import FactSource
from hornbook.kb.text.counts import counted
from hornbook.kb.text.escaping import on_one_line
from hornbook.terminal.failure import ArgumentError
from hornbook.terminal.messages import print_json
from hornbook.terminal.screen import show_report


def report(
    theory: options.Theory,
    query: Annotated[
        str, argument("QUERY", "Conditions such as 'graduates(?student)'. The first variable is the subject.")
    ],
    settings: options.Parameters = None,
    *,
    into: Annotated[Path, option("--into", "PATH", "The folder of the pages, or the file of the table.")],
    given: FactOptions,
    layout: Annotated[
        Literal["pages", "table"], flag("--layout", "A page for each subject, or one table.")
    ] = "pages",
    form: Annotated[ReportFormat, flag("--format", "The format of the report.")] = "markdown",
    template: Annotated[
        Path | None, option("--template", "FILE", "A template of your own, instead of those that ship.")
    ] = None,
    locale: Annotated[
        str | None, option("--locale", "LOCALE", "Write dates and decimal numbers as in a locale: de, en_GB.")
    ] = None,
    title: Annotated[str | None, option("--title", "TEXT", "The title; by default the query.")] = None,
    proof: Annotated[bool, flag("--proof", "Include the proof of every answer.")] = False,
    most: Annotated[int, option("--max-answers", "N", "Refuse more than N answers.", min=0)] = 10_000,
    bounds: LimitOptions,
    json_output: options.Json = False,
) -> None:
    """Write answers, with reasons, for the people concerned.

    Facts are written as the sentences that the theory declares (`says`), rules as their labels, and given
    facts with their file and row. Templates of Jinja determine the rest.
    """
    from hornbook.kb.lower.errors import TooManyAnswersError  # noqa: PLC0415 - slow to import
    from hornbook.kb.text.writing import write_text  # noqa: PLC0415 - the same

    own = None if template is None else template.read_text(encoding="utf-8")
    shown, renderer = (
        constants_in(locale),
        ReportTemplate(form, "page" if layout == "pages" else "table", own),
    )
    if layout == "pages" and into.suffix[1:] in EXTENSIONS.values():
        raise ArgumentError(
            f"`{into}` must be a folder for pages; `--layout table` writes one file", "--into"
        )
    sources: list[FactSource] = []
    base = given.open(theory, bounds.limits(), engine="demand", seen=sources.append)
    parameters = read_parameters(settings, query, base.theory.vocabulary)
    queries = base.engine.parse_queries(query, parameters)
    try:
        answers = base.query(query, parameters=parameters, max_answers=most)
    except TooManyAnswersError as problem:
        raise ArgumentError(str(problem), "--max-answers") from None
    if not answers.variables:
        raise ArgumentError("a query without variables has no subject", "QUERY")
    content = report_of(
        base,
        queries,
        answers.variables,
        answers.rows,
        sources,
        shown,
        title=query if title is None else title,
        query=query,
        has_proofs=proof,
    )
    language = (locale or "en").replace("_", "-")
    if layout == "table":
        texts = {into: renderer.text(content, language=language)}
    else:
        names = _file_names([each.name for each in content.subjects], EXTENSIONS[form])
        texts = {
            into / name: renderer.text(content, subject=subject, language=language)
            for name, subject in zip(names, content.subjects, strict=True)
        }
        into.mkdir(parents=True, exist_ok=True)
    for path, text in texts.items():
        write_text(path, text)
    if json_output:
        print_json({"subjects": [each.name for each in content.subjects], "files": [*map(str, texts)]})
    else:
        subjects, written = counted(len(content.subjects), "subject"), counted(len(texts), "file")
        show_report(f"{subjects}; wrote {written}: {on_one_line(str(into))}")


def _file_names(names: list[str], extension: str) -> list[str]:
    """Return a different file name for each subject, made of its letters and digits."""
    found: dict[str, str] = {}
    for name in names:
        plain = re.sub(r"[^\w-]+", "-", name).strip("-")[:80] or "subject"
        numbered = (plain if number == 1 else f"{plain}-{number}" for number in count(1))
        # Some systems do not distinguish capital letters in file names.
        file = next(each for each in numbered if each.lower() not in found)
        found[file.lower()] = f"{file}.{extension}"
    return list(found.values())
