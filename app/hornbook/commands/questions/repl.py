"""The command `hornbook repl`: queries and changes at a prompt."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from hornbook.commands import options
from hornbook.commands.option_groups import LimitOptions
from hornbook.commands.options import argument, flag, option
from hornbook.inputs.store_names import store_named
from hornbook.inputs.table_reading import TableReading
from hornbook.inputs.theories import load_with_warnings
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.sources.extras import extra_module
from hornbook.kb.sources.files import read_text
from hornbook.kb.tables.table_folders import tables_of
from hornbook.repl.files import add_tables, load_state, open_rules
from hornbook.repl.lines import run_lines
from hornbook.repl.session import Session
from hornbook.terminal.failure import ReportedError
from hornbook.terminal.messages import warn


def repl(
    theory: Annotated[
        str | None,
        argument(
            "[THEORY]",
            "A theory that ships, a file, a folder or a store.",
            autocompletion=options.theory_names,
        ),
    ] = None,
    state: options.States = None,
    facts: options.Tables = None,
    table_format: options.TableFormat = None,
    add: options.Added = None,
    rules: Annotated[Path | None, option("--rules", "RULES.horn", "Learned rules.")] = None,
    *,
    bounds: LimitOptions,
    echo: Annotated[
        bool, flag("--echo", "Without a terminal, print the input lines as at a prompt.")
    ] = False,
) -> None:
    """Query and change a theory at a prompt; `:help` lists the inputs.

    Without a terminal, lines are read from standard input; the exit code is 1 if one of them was wrong.
    """
    # Python uses None for a stream that is closed at startup. There is then nothing to read.
    closed = sys.stdin is None
    interactive = not closed and sys.stdin.isatty() and sys.stdout.isatty()
    if interactive:
        extra_module("prompt_toolkit", "repl")

    limits = bounds.limits()

    def open_base(name: str | None) -> KnowledgeBase:
        source = load_text("", "<none>") if name is None else load_with_warnings(name)
        return KnowledgeBase(source, limits=limits)

    def prepare(session: Session) -> None:
        session.reading = TableReading(settings=tuple(table_format or ()))
        for place in state or ():
            load_state(session, place)
        vocabulary = session.base.theory.vocabulary
        for spec in [each for table in facts or () for each in tables_of(table, vocabulary)]:
            warn(f"{spec}: {add_tables(session, spec)}")
        for place in add or ():
            session.add(read_text(place), str(place))
        if rules is not None:
            open_rules(session, rules)
        session.changes.clear()

    store = None if theory is None else store_named(theory)
    if store is None:
        session = Session(open_base, open_base(theory), limits=limits)
        prepare(session)
    else:
        from hornbook.repl.stored_session import begin  # noqa: PLC0415 - few sessions have a store

        session = begin(store, limits, open_base, prepare)
    if not interactive:
        code = run_lines(session, () if closed else sys.stdin, echo=echo)
    else:
        from hornbook.repl.prompt import run_prompt  # noqa: PLC0415 - only for terminals

        code = run_prompt(session)
    if code:
        raise ReportedError(code)
