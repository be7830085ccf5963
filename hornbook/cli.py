"""The command `hornbook`: its list of commands, and how it starts and ends.

Only the module of the command that is asked for is imported, so that `hornbook --version` or a cached check
does not wait for what other commands need.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any, TextIO

import typer

from hornbook import __version__
from hornbook.kb.hornbook_error import RecordWarning
from hornbook.kb.text.escaping import visible
from hornbook.kb.text.streams import forget_streams
from hornbook.terminal.failure import report, wants_traceback
from hornbook.terminal.screen import screened

COMMANDS = {
    "demo": ("problems", "Learn from Go problems that ship, solve others."),
    "new": ("theories", "Write a small theory to edit, with its tests."),
    "template": ("theories", "Write a state of a theory, to fill in."),
    "check": ("theories", "Find the mistakes in theory files."),
    "fmt": ("theories", "Lay theory files out in the one common style."),
    "test": ("theories", "Run the `example` and `expect` clauses of a theory."),
    "foretell": ("theories", "Write what words come to after an action."),
    "graph": ("theories", "Show which predicates and rules depend on which."),
    "query": ("questions", "Answer a query."),
    "run": ("questions", "Write everything that rules conclude."),
    "why": ("questions", "Prove a fact."),
    "why-not": ("questions", "Explain why a fact does not hold."),
    "what-if": ("questions", "Say what an action would change."),
    "repl": ("questions", "Ask, add and try out, line by line."),
    "lsp": ("theories", "Serve an editor, by the Language Server Protocol."),
    "explore": ("questions", "Look at a theory in a browser."),
    "serve": ("questions", "Answer other programs over HTTP."),
    "learn": ("rules", "Learn general rules from examples."),
    "explain-rule": ("rules", "Show a learned rule with its example."),
    "advise": ("questions", "Say what to decide, and for which amounts."),
    "report": ("questions", "Review a year, with advice that would have saved it."),
    "match": ("questions", "Show every rule that answers in a position."),
    "solve": ("problems", "Answer problems with learned rules alone."),
    "prove": ("rules", "Prove the rules of a rule base that have no proof."),
    "verify": ("rules", "Replay the certificate of every rule of a rule base."),
    "trust": ("rules", "Say what a theory assumes, and what proofs rest on."),
    "compile": ("rules", "Write learned rules as one C++ program with a C header."),
    "kb": ("stores", "Make, fill, check, show and copy a store."),
    "prune": ("rules", "Forget the rules of a store that are worth too little."),
    "restore": ("rules", "Take back the forgotten rules of a store."),
    "audit": ("problems", "Compare what rules conclude with exhaustive search."),
    "problems": ("problems", "Make new problems."),
    "score": ("problems", "Tell right answers to problems from wrong ones."),
    "bench": ("problems", "Compare the engine with other systems."),
    "plan": ("questions", "Show the network that matches rules."),
    "profile": ("questions", "Say where the time of matching rules goes."),
    "game": ("games", "Check and play a game written in GDL, and ask about it."),
    "play": ("games", "Play a game, or solve a puzzle, in the terminal."),
    "gtp": ("games", "Play a game by the Go Text Protocol."),
    "uci": ("games", "Play a game by the Universal Chess Interface."),
    "tournament": ("games", "Hold games between two players, and rate them."),
    "strategy": ("games", "Find what a role of a game can guarantee, and how."),
    "strategy-check": ("games", "Check that a strategy guarantees what it says."),
    "think": ("thinking", "Decide on a move of a game within a budget."),
    "gather": ("thinking", "Gather what searches of a game rest on."),
    "allocate": ("thinking", "Learn where a deeper search is worth it."),
    "import-gdl": ("games", "Turn a game written in GDL into a theory to learn from."),
    "import-pydatalog": ("theories", "Turn a pyDatalog program into a theory."),
}
"""Every command with its folder and the first words of its help, in the order of the list in `hornbook --help`."""
WITHOUT_THEORY = (
    "demo",
    "new",
    "fmt",
    "bench",
    "game",
    "import-gdl",
    "import-pydatalog",
)
"""Commands that load no theory but Hornbook's own."""


def load(command: str) -> Any:
    """The function of a command, or the application of one that has commands of its own. Imports its module."""
    from hornbook.kb.sources.collector import collector_paused  # noqa: PLC0415 - the list of commands needs it not

    name = command.replace("-", "_")
    with collector_paused():  # what is imported stays, so nobody need look whether it is in use
        module = import_module(f"hornbook.commands.{COMMANDS[command][0]}.{name}")
    function: Any = getattr(module, name)
    return function


def _not_loaded() -> None:
    """Stands in the list for a command that is not the one asked for."""
    raise AssertionError("a command ran that was not loaded")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"hornbook {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Write what you know about a domain, check it, query it, and ask why."""


def build(arguments: Sequence[str]) -> typer.Typer:
    """The application for one command line: the command that it names is loaded, the others are listed."""
    app = typer.Typer(
        name="hornbook",
        no_args_is_help=True,
        rich_markup_mode=None,  # brackets in help texts are meant; errors stay one line
        pretty_exceptions_enable=False,
        # Colours are no command's business, so nothing is taken out of what is printed: it is screened.
        context_settings={"help_option_names": ["-h", "--help"], "color": True},
    )
    app.callback()(_root)
    asked_for = next((argument for argument in arguments if not argument.startswith("-")), None)
    for name, (_, summary) in COMMANDS.items():
        if name == asked_for:
            from hornbook.inputs.no_adapters import with_option  # noqa: PLC0415 - it imports what no help needs
            from hornbook.terminal.outputs import with_safe_outputs  # noqa: PLC0415 - the same

            found = load(name)
            of_theory = (lambda command: command) if name in WITHOUT_THEORY else with_option
            if isinstance(found, typer.Typer):
                for inner in found.registered_commands:
                    if inner.callback is not None:
                        inner.callback = with_safe_outputs(of_theory(inner.callback))
                app.add_typer(found, name=name, help=summary)
            else:
                app.command(name)(with_safe_outputs(of_theory(found)))
        else:
            app.command(name, help=summary)(_not_loaded)
    return app


def _given() -> list[str]:
    """The command line; where a shell asks how it could go on, the one that the shell has so far."""
    if "_HORNBOOK_COMPLETE" not in os.environ:
        return sys.argv[1:]
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    return line.split()[1:2]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command line and gives the exit code; prints, and never raises."""
    arguments = _given() if arguments is None else arguments
    forget_streams()
    warnings.showwarning = _show_warning
    warnings.simplefilter("always", RecordWarning)
    with screened(is_help=not {"-h", "--help"}.isdisjoint(arguments)):
        if wants_traceback():
            return _run(arguments)
        try:
            return _run(arguments)
        except (Exception, KeyboardInterrupt) as problem:  # noqa: BLE001 - the last place that can tell
            return report(problem)


_show_usual = warnings.showwarning


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning about a record as commands print warnings, and others as Python does."""
    if issubclass(category, RecordWarning):
        typer.echo(f"warning: {visible(str(message))}", err=True)
    else:
        _show_usual(message, category, filename, lineno, file, line)


MAY_STAND_ALONE = {"learn": ("--plans",)}
"""Options that take a value, or none: then they are given an empty one."""


def _with_values(arguments: Sequence[str]) -> list[str]:
    """The arguments, with an empty value for each option that stands alone where it may."""
    alone = MAY_STAND_ALONE.get(next(iter(arguments), ""), ())
    following = [*arguments, "--"][1:]
    return [
        f"{one}=" if one in alone and then.startswith("-") else one
        for one, then in zip(arguments, following, strict=False)
    ]


def _run(arguments: Sequence[str]) -> int:
    try:
        build(arguments)(_with_values(arguments), prog_name="hornbook")
    except SystemExit as end:
        # A pipe that nobody reads shows itself when the buffer is written.
        sys.stdout.flush()
        return end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    raise AssertionError("typer ends with an exit code")
