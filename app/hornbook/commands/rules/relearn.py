"""The command `hornbook rules relearn`: rules for the examples and problems of retired rules."""

from __future__ import annotations

import typer

from hornbook.commands import options
from hornbook.commands.rules.learning.from_examples import learn_from_examples
from hornbook.commands.rules.learning.options import Explain, Into, MoreFiles, Problems, Proofs
from hornbook.commands.states_option import backend_of
from hornbook.games.known_examples import learned_from
from hornbook.games.lessons import learn_problems, lines_in, texts_of
from hornbook.inputs.problem_files import problem_files
from hornbook.inputs.rule_destination import rule_destination
from hornbook.kb.lower.budget import Budget
from hornbook.matcher.program.coded import MOST_FACTS
from hornbook.terminal.termination import termination_interrupts


def relearn(
    theory: options.Theory,
    into: Into = None,
    problems: Problems = None,
    more: MoreFiles = None,
    on: options.On = None,
    workers: options.Workers = None,
    proofs: Proofs = 1,
    explain: Explain = False,
    seconds: options.SearchSeconds = 600.0,
    memory: options.SearchMemory = options.SEARCH_MEGABYTES,
    most_facts: options.SearchMostFacts = MOST_FACTS,
    json_output: options.Json = False,
) -> None:
    """Learn again from the examples of retired rules.

    Examples are used again even if the store has already learned from them. --problems names files that have
    moved. The exit code is 1 if the example or problem of some rule is not found.
    """
    files = problem_files(theory, problems, more, of_one_kind=False)
    budget = Budget(seconds=seconds, megabytes=memory, facts=most_facts)
    shared = None if on is None and workers in (None, 1) else backend_of(on, workers)
    where = rule_destination(theory, into, reporting=not json_output, again=True)
    with termination_interrupts(), where as (known, home):
        examples, lessons, lost = learned_from(known, home, files)
        for message in lost:
            typer.echo(message, err=True)
        if not (examples or lessons or lost):
            typer.echo("nothing to learn again: no rule waits for it", err=True)
        if lessons:
            stored = [each.content for each in home.learned_from()]
            texts = texts_of([*stored, *lines_in(files)])
            learn_problems(known, lessons, texts, home, budget, json_output=json_output)
        if examples or not lessons:
            learn_from_examples(
                known, examples, home, shared, proofs, budget.limits, explain=explain, json_output=json_output
            )
        if lost:
            raise typer.Exit(1)
