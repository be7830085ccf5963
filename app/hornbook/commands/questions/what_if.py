"""The command `hornbook what-if`: the effects of changed facts, of an action, or of each possible action."""

from __future__ import annotations

from typing import Annotated

from hornbook.commands import options
from hornbook.commands.option_groups import FactOptions, LimitOptions
from hornbook.commands.options import argument, option
from hornbook.kb.ast.terms import condition_variables, statements
from hornbook.kb.lower.budget import Budget
from hornbook.kb.parse.syntax import parse_query
from hornbook.kb.tables.answers import Answers
from hornbook.repl.attempts import ActionEffects
from hornbook.repl.hypotheses import what_if as answer
from hornbook.repl.request import halves
from hornbook.repl.sequences import FoundSequence, SequenceEffects, search_sequence
from hornbook.repl.session import Session
from hornbook.repl.what_if import Difference
from hornbook.terminal.coloured import progress
from hornbook.terminal.failure import ArgumentError
from hornbook.terminal.messages import print_json
from hornbook.terminal.screen import show_report


def what_if(
    theory: options.Theory,
    supposed: Annotated[
        str | None,
        argument(
            "[FACTS|QUERY]",
            "Facts such as 'carry(box, hall)', a sequence such as 'open(hall) then carry(box, hall)', a query"
            " such as 'after at(box, ?place)', or 'FACTS: QUERY'.",
        ),
    ] = None,
    with_facts: Annotated[
        list[str] | None, option("--with", "FACT", "Also assume this fact; may be repeated.")
    ] = None,
    without: Annotated[
        list[str] | None, option("--without", "FACT", "Leave out this given fact; may be repeated.")
    ] = None,
    steps: Annotated[
        int | None,
        option("--steps", "N", "Find a shortest sequence of at most N actions that makes QUERY true.", min=1),
    ] = None,
    *,
    given: FactOptions,
    bounds: LimitOptions,
    json_output: options.Json = False,
) -> None:
    """Show what changed facts or an action would change, or which actions would make a fact true.

    FACTS with or without an action: the command shows the differences as a table. All facts are changed at
    once; those after `absent`, or of `--without`, are left out. `FACTS: QUERY`, or a QUERY with these
    options, answers the query after the changes. A QUERY with `after` alone: the command tries every action
    and shows those that change the answers. `ACTION: QUERY` tries the actions of that form. With --steps,
    it tries sequences of actions, and shows a shortest one after which the query has an answer. Learned rules
    about a sequence for the query give one without a search, which need not be the shortest.
    """
    text = _joined(supposed, with_facts or (), without or ())
    limits = bounds.limits()
    base = given.open(theory, limits)
    session = Session(lambda _: base, base, has_state=bool(given.state))
    found: Difference | Answers | ActionEffects | SequenceEffects | FoundSequence
    with progress("trying", None, enabled=not json_output) as update_progress:
        if steps is None:
            found = answer(session, text, lambda all_of_them: update_progress(advance=1, total=all_of_them))
        else:
            budget = Budget.of(limits)
            found = search_sequence(
                session, text, steps, budget, lambda number: update_progress(advance=number)
            )
    if json_output:
        report = [*found.json_rows()] if isinstance(found, Answers) else found.as_json()
        print_json(report)
        return
    show_report(str(found) if isinstance(found, Answers) else found.text())


def _joined(supposed: str | None, added: list[str] | tuple[()], removed: list[str] | tuple[()]) -> str:
    """Return the text of all changes, with the query at its end."""
    more = [*added, *(f"absent {fact}" for fact in removed)]
    if supposed is None:
        if not more:
            raise ArgumentError("nothing is assumed; write facts, or use `--with` or `--without`", "FACTS")
        return ", ".join(more)
    facts, query = halves(supposed, "COLON")
    if not more:
        return supposed
    if query is None and _is_query(facts):
        facts, query = "", facts
    changes = ", ".join([*([facts] if facts.strip() else []), *more])
    return changes if query is None else f"{changes}: {query.strip()}"


def _is_query(text: str) -> bool:
    """Return whether conditions are not all facts before an action."""
    conditions = parse_query(text).conditions
    return any(map(condition_variables, conditions)) or any(
        statement.tense == "after" for statement in statements(conditions)
    )
