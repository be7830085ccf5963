"""The list of commands: the module of each, and its line in the list of `--help`.

Invariants: importing this module imports no command. `load` imports only the module of the requested command.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple


class Command(NamedTuple):
    """A command and the module below `hornbook.commands` that defines its function."""

    module: str
    summary: str
    function: str = ""
    """The name of the function, if it is not the last part of `module`."""
    loads_theory: bool = True
    """Whether the command can load a theory that is not shipped, and so has the option `--no-adapters`."""


COMMANDS = {
    "new": Command("theories.new", "Write a small theory to edit, with its tests.", loads_theory=False),
    "check": Command("theories.check", "Find the mistakes in theory files."),
    "fmt": Command("theories.fmt", "Format theory files.", loads_theory=False),
    "test": Command("theories.test", "Run the `example` and `expect` clauses of a theory."),
    "query": Command("questions.query", "Answer a query."),
    "why": Command("questions.why", "Prove a fact."),
    "why-not": Command("questions.why_not", "Explain why a fact does not hold."),
    "what-if": Command("questions.what_if", "Show what changed facts or an action would change."),
    "repl": Command("questions.repl", "Query and change a theory at a prompt."),
    "explore": Command("questions.explore", "Browse a theory and its answers."),
    "serve": Command("questions.serve", "Answer queries over HTTP."),
    "learn": Command("rules.learn", "Learn general rules from examples."),
    "play": Command("games.play", "Play a game, or solve a puzzle, in the terminal."),
    "theory run": Command("theories.run", "Write every fact that the rules derive."),
    "theory report": Command("questions.report", "Write answers, with reasons, for the people concerned."),
    "theory template": Command("theories.template", "Write an empty state of a theory."),
    "theory graph": Command("theories.graph", "Draw how predicates and rules depend on each other."),
    "theory network": Command("theories.network", "Show the network that matches rules."),
    "theory profile": Command("theories.profile", "Show how matching time divides among rules."),
    "theory bench": Command("theories.bench", "Compare the engine with other systems.", loads_theory=False),
    "theory regress": Command("theories.regress", "Write a theory of regressed predicates."),
    "theory import-pydatalog": Command(
        "theories.import_pydatalog", "Convert a pyDatalog program to a theory.", loads_theory=False
    ),
    "theory lsp": Command("theories.lsp", "Serve an editor by the Language Server Protocol."),
    "rules match": Command("rules.match", "Show every rule that answers in a state."),
    "rules explain": Command("rules.explain", "Show a learned rule with its example."),
    "rules learn-plans": Command("rules.learn_plans", "Learn plans from lines of play or problems."),
    "rules invent": Command("rules.invent", "Learn rules with invented predicates."),
    "rules relearn": Command("rules.relearn", "Learn again from the examples of retired rules."),
    "rules prove": Command("rules.prove", "Prove the rules that have no certificate."),
    "rules verify": Command("rules.verify", "Replay the certificate of every rule."),
    "rules trust": Command("rules.trust", "List the assumptions of a theory and its proofs."),
    "rules compile": Command("rules.compile", "Write rules as a C++ program with a C header."),
    "rules prune": Command("rules.prune", "Mark the rules of negative utility as forgotten."),
    "rules restore": Command("rules.restore", "Use forgotten rules again."),
    "problems demo": Command(
        "problems.demo", "Learn from Go problems that ship, and solve others.", loads_theory=False
    ),
    "problems generate": Command("problems.generate", "Generate problems with their solutions."),
    "problems solve": Command("problems.solve", "Solve problems with learned rules alone."),
    "problems grade": Command("problems.grade", "Compare answers with the solutions of problems."),
    "problems audit": Command(
        "problems.audit", "Compare rules with exhaustive search, or with their theory."
    ),
    "game check": Command(
        "games.sheet.check", "Find the mistakes in games written in GDL.", loads_theory=False
    ),
    "game play": Command("games.sheet.play", "Play a game and print each state.", loads_theory=False),
    "game query": Command("games.sheet.query", "Answer a query in a state of a game.", loads_theory=False),
    "game why": Command("games.sheet.why", "Prove a move, a fact, the end or a goal.", loads_theory=False),
    "game strategy": Command(
        "games.strategy", "Find the goal that a role can guarantee.", loads_theory=False
    ),
    "game plan": Command("games.plan", "Find a plan of a problem in PDDL.", loads_theory=False),
    "game verify": Command("games.verify", "Check a strategy or a plan.", loads_theory=False),
    "game serve": Command("games.protocol.serve", "Play for a game manager over HTTP.", loads_theory=False),
    "game manage": Command(
        "games.protocol.manage", "Run a match between players over HTTP.", loads_theory=False
    ),
    "game import": Command(
        "games.import_game", "Convert a game in GDL or a domain in PDDL to a theory.", loads_theory=False
    ),
    "search best-move": Command("search.best_move", "Choose a move within a budget."),
    "search plan": Command("search.plan", "Find and prove winning plans in positions."),
    "search verify": Command("search.verify", "Check the proof of a plan."),
    "search gtp": Command("search.gtp", "Play by the Go Text Protocol."),
    "search uci": Command("search.uci", "Play by the Universal Chess Interface."),
    "search tournament": Command("search.tournament", "Play games between two players, and rate them."),
    "search statistics": Command("search.statistics", "Measure how values change with search depth."),
    "search learn-allocation": Command(
        "search.allocation.learn", "Learn before which moves a deeper search pays off."
    ),
    "search play-allocation": Command(
        "search.allocation.play", "Play games with a learned allocation of search."
    ),
    "search table-allocation": Command(
        "search.allocation.play", "Compare allocations of search in a table.", function="table"
    ),
    "store new": Command("stores.store", "Create a store with theories.", function="new"),
    "store add": Command("stores.store", "Add a theory, or facts to one.", function="add"),
    "store retract": Command("stores.store", "Remove added facts.", function="retract"),
    "store check": Command("stores.store", "Check the integrity of a store.", function="check"),
    "store show": Command("stores.store", "Show the content of a store.", function="show"),
    "store export": Command("stores.store", "Write a store as text.", function="export"),
    "store import": Command(
        "stores.store", "Create a store from text, or add rules to a store.", function="import_"
    ),
    "firm advise": Command("firm.advise", "Recommend decisions, with their amounts."),
    "firm report": Command("firm.report", "Review a year, with advice that would have helped."),
}
"""Every command in the order of the lists in `--help`. A name of two words is a command of a group."""
GROUPS = {
    "theory": "Draw, profile, convert and run theories.",
    "rules": "Learned rules: match, prove, verify, compile and retire them.",
    "problems": "Problems: a demonstration, generate, solve and grade them.",
    "game": "Games written in GDL: check, play and plan.",
    "search": "Game search: best moves, plans, engines, tournaments.",
    "store": "Stores: databases of theories, facts and rules.",
    "firm": "The firm: decisions, and reviews of a year.",
}
"""Every group of commands with its line in `hornbook --help`."""


def load(name: str) -> Any:
    """Import the module of a command and return its function."""
    from hornbook.commands.single_options import with_single_options  # noqa: PLC0415 - only commands need it
    from hornbook.kb.sources.collector import collector_paused  # noqa: PLC0415 - the same

    command = COMMANDS[name]
    with collector_paused():  # an import leaves little garbage
        module = import_module(f"hornbook.commands.{command.module}")
    function: Any = getattr(module, command.function or command.module.rpartition(".")[2])
    return with_single_options(function)


def with_common_options(name: str) -> Any:
    """Import a command and return its function with the common options and checks."""
    from hornbook.commands.no_adapters import with_option  # noqa: PLC0415 - only commands need it
    from hornbook.commands.outputs import with_safe_outputs  # noqa: PLC0415 - the same
    from hornbook.terminal.code_exits import exits_are_errors  # noqa: PLC0415 - the same
    from hornbook.terminal.file_kinds import with_right_files  # noqa: PLC0415 - the same

    function = with_right_files(name, load(name))
    if COMMANDS[name].loads_theory:
        function = with_option(exits_are_errors(function))
    return with_safe_outputs(function)
