"""The command `hornbook firm advise`: decisions with their amounts and reasons."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated

from hornbook.advice import advice_text
from hornbook.advice import what_if as judging
from hornbook.advice.advise_states import AdviseStates
from hornbook.advice.advising import Advised, StateAdviser, adviser_of
from hornbook.advice.ways_out import WaysOut, required_decision
from hornbook.commands import options
from hornbook.commands.options import flag, option
from hornbook.commands.states_option import TableQueryOptions
from hornbook.inputs.answer_files import ENDINGS, Form
from hornbook.inputs.opening import limit_of_facts, reader_and_state
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.format.printer import print_condition
from hornbook.kb.text.writing import new_folder, write_texts
from hornbook.terminal.failure import ArgumentError, ReportedError
from hornbook.terminal.messages import print_json, print_line, warn


def advise(
    theory: options.Theory,
    *,
    state: Annotated[Path | None, option("--state", "FILE", "The state to advise on.")] = None,
    rules: Annotated[
        Path | None, option("--rules", "RULES.horn", "Rules of your own, instead of those that ship.")
    ] = None,
    what_if: Annotated[
        str | None, option("--what-if", "DECISION", "Judge one decision instead, such as 'buy(flour, 400)'.")
    ] = None,
    why: Annotated[
        bool, flag("--why", "Show each rule with the facts and comparisons that bound the amount.")
    ] = False,
    into: Annotated[
        Path | None,
        option(
            "--into",
            "FILE",
            "Write the advice to FILE.csv or FILE.parquet. Another name is a folder for pictures of"
            " the proofs of conflicts, or of --what-if. With --states: write the table with the"
            " advice.",
        ),
    ] = None,
    states: options.TableOfStates = None,
    on: options.Backend = None,
    workers: options.Workers = None,
    part: options.ChunkSize = None,
    skip_bad: options.SkipBad = False,
    most_facts: options.MaxFacts = None,
    limit: options.Limit = None,
    csv_output: options.Csv = False,
    json_output: options.Json = False,
) -> None:
    """Recommend decisions, with their amounts.

    For each level, the command lists the decisions that reach or miss each goal, and the goals that conflict.
    The amounts are exact: the learned rules are solved for them, and no amount is tried. Uncertain demand is
    never taken as certain. A goal counts as reached if it is reached for every demand within the bounds.

    With --states, the command advises on every state of a table instead (column `state`). It writes the table
    with a column `advice`, which has JSON, to another file (--into). If it is interrupted, the finished
    advice is kept.
    """
    others = {
        "--state": state,
        "--what-if": what_if,
        "--why": why,
        "--csv": csv_output,
        "--limit": limit is not None,
    }
    asking = TableQueryOptions.of(
        states, states and into, on, workers, part, skip_bad=skip_bad, others=others
    )
    if asking is None and state is None:
        raise ArgumentError("this argument is required without --states", "--state")
    is_file = asking is None and into is not None and into.suffix in ENDINGS
    form = Form(limit, csv_output, into if is_file else None, json_output)
    if form.is_table and (why or what_if):
        other = "--why" if why else "--what-if"
        raise ArgumentError(f"it cannot be combined with {form.table_option}", other)
    if limit is not None and not form.is_table:
        raise ArgumentError("it is for tables: --csv, or --into FILE.csv", "--limit")
    form.must_be_writable([] if state is None else [state])
    limits = limit_of_facts(most_facts)
    adviser = adviser_of(theory, rules, limits)
    for reason, names in adviser.left_out.items():
        if names:
            warn(f"not used: {', '.join(names)} ({reason})")
    if asking is not None:
        asking.ask(AdviseStates(adviser.theory, adviser.rules, limits), json_output=json_output)
        return
    assert state is not None
    reader, read = reader_and_state(adviser.theory, state)
    facts = list(reader.facts(read))
    if what_if is not None:
        found = judging.what_if(adviser, facts, judging.read_decision(what_if, adviser, facts))
        print_line(
            json.dumps(judging.as_json(found), ensure_ascii=False)
            if json_output
            else "\n".join(judging.lines(found))
        )
        if into is not None:
            _draw([found], into)
        if found.refused is not None:
            raise ReportedError(1)
        return
    advised = adviser.advise(facts)
    if form.is_table:
        form.show_rows(advice_text.COLUMNS, form.first(advice_text.rows(advised)))
        return
    changes = WaysOut(adviser, reader, read)
    ways = advice_text.FurtherDecisions(changes.of_conflicts(advised), changes.to_goals(advised))
    if json_output:
        print_json(advice_text.as_json(advised, ways, adviser.wording))
    else:
        print_line("\n".join(advice_text.lines(advised, ways, adviser.wording, why=why)))
    if into is not None:
        _draw(_at_ends(adviser, facts, advised), into)


def _at_ends(adviser: StateAdviser, facts: list[GroundFact], advised: Advised) -> list[judging.WhatIf]:
    """Return the judged decision of each conflict, with the smallest amount that reaches its goal."""
    decisions = dict.fromkeys(required_decision(conflict) for conflict in advised.conflicts)
    return [judging.what_if(adviser, facts, decision) for decision in decisions]


def _draw(found: list[judging.WhatIf], folder: Path) -> None:
    """Write a picture for each value that the theory proves."""
    files: dict[Path, str] = {}
    for each in found:
        for judged in each.judged:
            if judged.proof is not None:
                title = f"{print_condition(each.decision)} {print_condition(judged.goal.atom)}"
                path = folder / (re.sub(r"\W+", "-", title).strip("-") + ".svg")
                files[path] = judged.proof.to_svg(judged.proof.display_depth)
    with new_folder(folder):
        write_texts(files.items())
    for path in files:
        warn(f"wrote {path}")
