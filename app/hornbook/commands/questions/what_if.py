"""The command `hornbook what-if`: the effects of an action, or of each possible action."""

from __future__ import annotations

from typing import Annotated

from hornbook.commands import options
from hornbook.commands.option_groups import FactOptions, LimitOptions
from hornbook.commands.options import argument
from hornbook.kb.tables.answers import Answers
from hornbook.repl.attempts import what_if as answer
from hornbook.repl.session import Session
from hornbook.terminal.coloured import progress
from hornbook.terminal.messages import print_json
from hornbook.terminal.screen import show_report


def what_if(
    theory: options.Theory,
    supposed: Annotated[
        str,
        argument(
            "FACTS|QUERY",
            "Facts such as 'carry(box, hall)', a query such as 'after at(box, ?place)', or 'ACTION: QUERY'.",
        ),
    ],
    *,
    given: FactOptions,
    bounds: LimitOptions,
    json_output: options.Json = False,
) -> None:
    """Show what an action would change, or which actions would make a fact true.

    FACTS with or without an action: the command shows changes and new consequences. A QUERY with `after`: it
    tries every action and shows those that change the answers. `ACTION: QUERY`: it tries only the actions of
    that form, which are several if ACTION has variables.
    """
    base = given.open(theory, bounds.limits())
    session = Session(lambda _: base, base, has_state=bool(given.state))
    with progress("trying", None, enabled=not json_output) as update_progress:
        found = answer(session, supposed, lambda all_of_them: update_progress(advance=1, total=all_of_them))
    if json_output:
        report = [*found.json_rows()] if isinstance(found, Answers) else found.as_json()
        print_json(report)
        return
    show_report(str(found) if isinstance(found, Answers) else found.text())
