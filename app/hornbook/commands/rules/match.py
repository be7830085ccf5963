"""The command `hornbook rules match`: the conclusions of learned rules about a state.

With --states it gives the conclusions about each state of a table.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from hornbook.api.answers import Answer, one_below_the_other
from hornbook.api.best_moves import BestMoves, ConcludedMove, best_of, verdict
from hornbook.api.chains import Chains
from hornbook.api.chains import lines_of as lines_of_chain
from hornbook.api.learned_rules import LearnedRules
from hornbook.api.match_states import MatchStates
from hornbook.commands import options
from hornbook.commands.option_groups import SearchLimitOptions
from hornbook.commands.options import argument, flag, option
from hornbook.commands.rules.match_all import match_all
from hornbook.commands.states_option import TableQueryOptions
from hornbook.inputs.answer_files import Form
from hornbook.inputs.domains import NoPictureError
from hornbook.inputs.opening_store import TheoryWithRules, with_rules
from hornbook.inputs.states import State, has_games, read_state, state_of_facts
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.budget import Budget, SpentError
from hornbook.kb.text.lines import lines_of
from hornbook.kb.text.writing import write_text
from hornbook.stores.use_counts import count_use
from hornbook.terminal.failure import ArgumentError, ReportedError
from hornbook.terminal.messages import print_json, print_line, warn
from hornbook.terminal.screen import show_report

if TYPE_CHECKING:
    import pyarrow


_HINTS = {
    "seconds": "; `--seconds` allows more",
    "megabytes": "; `--memory` allows more",
    "facts": "; `--max-facts` allows more",
}
"""The option that raises each exceeded limit, as the end of a message."""


def match(
    theory: options.Theory,
    position: Annotated[
        Path | None,
        argument(
            "POSITION",
            "A file with a position, for Go SGF or a diagram; for chess also FEN; without an adapter, facts.",
        ),
    ] = None,
    rules: options.Rules = None,
    facts: options.Tables = None,
    add: options.Added = None,
    only_rules: options.OnlyRules = False,
    states: options.TableOfStates = None,
    into: options.IntoTable = None,
    on: options.Backend = None,
    workers: options.Workers = None,
    part: options.ChunkSize = None,
    skip_bad: options.SkipBad = False,
    why: Annotated[
        bool,
        flag("--why", "Show the instantiated conditions of each rule, its lines of play, and its proof."),
    ] = False,
    picture: Annotated[
        Path | None,
        option("--svg", "FILE", "Draw the answers into a file, and mark the places that each rule mentions."),
    ] = None,
    best: Annotated[
        bool, flag("--best", "Show the moves of the player to move with their proved gains, the best first.")
    ] = False,
    levels: options.Levels = 0,
    every_source: Annotated[
        bool,
        flag("--all", "Ask every theory and rule base of the domain, and show the answers of each."),
    ] = False,
    *,
    bounds: SearchLimitOptions,
    limit: options.Limit = None,
    csv_output: options.Csv = False,
    json_output: options.Json = False,
) -> None:
    """Show every rule that answers in a state, with its conclusion and the values of its variables.

    If the theory has no games, a state is a set of facts: those of POSITION, --facts and --add together. All
    clauses of the theory are evaluated with the rules. With --only-rules, only the definitions of their
    conditions are: the clauses about the given state. Rules of games are always matched so.

    In a position of a game, the command asks about the games of both players, regardless of the player to
    move. In Go, these are the captures of all blocks. `GI` with a move means that the other player captures
    the block if he plays first. `IG` means that he captures it although its owner plays first. There is no
    search. The exit code is 1 if no rule answers. It is also 1 if matching took more than --seconds or
    --memory; then the answer is unknown, and the command prints the reason.

    With --best, it shows each move that rules conclude for the player to move, once, with its proved gain. A
    move that wins the game precedes any amount, and ties are reported. Each gain is a lower bound. With
    --levels, it also tries moves and matches the rules on the resulting positions, as `hornbook problems
    solve` does. It then also shows moves that win or gain against every reply, with a line of play.

    With --all, it shows what the theories and the rule bases that the domain lists conclude. Then --rules is
    not required, and adds another rule base.

    With --states, the command matches every state of a table instead (column `state`; a column `game`
    selects one game). It writes the table with a column `answers` to another file (--into). If it is
    interrupted, the finished answers are kept.
    """
    single_position_options = {
        "POSITION": position,
        "--facts": facts,
        "--add": add,
        "--why": why,
        "--best": best,
        "--levels": levels,
        "--all": every_source,
        "--svg": picture,
        "--csv": csv_output,
        "--limit": limit is not None,
    }
    table_query = TableQueryOptions.of(
        states, states and into, on, workers, part, skip_bad=skip_bad, others=single_position_options
    )
    form = Form(limit, csv_output, None if table_query else into, json_output)
    if form.is_table and why:
        raise ArgumentError("it is text, and no table", "--why")
    if levels and not best:
        raise ArgumentError("it needs `--best`", "--levels")
    budget = bounds.budget()
    if table_query is None and not (position or facts or add):
        raise ArgumentError("this argument is required without --states, --facts and --add", "POSITION")
    if every_source:
        if position is None:
            raise ArgumentError("this argument is required with --all", "POSITION")
        others = {"--facts": facts, "--add": add, "--only-rules": only_rules, "--why": why, "--best": best}
        _refuse_with_all(others | {"--svg": picture, "--limit": limit, "--csv": csv_output, "--into": into})
        with _unknown_if_spent(budget, form):
            is_answered = match_all(theory, rules, position, budget.limits, json_output=json_output)
        if not is_answered:
            raise ReportedError(1)
        return
    learned = with_rules(theory, rules)
    of_games = has_games(learned.theory)
    if best and not of_games:
        raise ArgumentError(f"the theory `{learned.theory.name}` has no games", "--best")
    if table_query is not None:
        _match_table(table_query, learned, budget, only_rules=only_rules, json_output=json_output)
        return
    form.must_be_writable([] if position is None else [position])
    state = _state(learned.theory, position, facts or (), add or ())
    with _unknown_if_spent(budget, form):
        of_theory = LearnedRules(learned.theory, learned.base, names=learned.active)
        answers = of_theory.match(state, only_rules=only_rules, limits=budget.limits)
        matched, moves = _best(of_theory, state, answers, levels, budget) if best else (0, [])
    fired = {answer.rule for answer in answers}
    fired |= {chain.rule for move in moves for chain in move.chains.values()}
    count_use(learned, Counter(fired), 1, 1 + matched)
    if best:
        answers = [answer for move in moves for answer in move.answers]
    if picture is not None and answers:
        try:
            write_text(picture, one_below_the_other([answer.to_svg() for answer in answers]))
        except NoPictureError as problem:
            raise ArgumentError(str(problem), "--svg") from None
    if best and moves:
        _show_best(form, moves, why=why)
        return
    shown = form.first(answers)
    if form.is_table and of_games:
        rows = ((a.rule, a.game, a.value, a.move, dict(a.bindings)) for a in shown)
        form.show_rows(("rule", "game", "value", "move", "bindings"), rows)
    elif form.is_table:
        concluded = ((a.rule, a.statement, dict(a.bindings)) for a in shown)
        form.show_rows(("rule", "conclusion", "bindings"), concluded)
    elif json_output:
        print_json([answer.to_dict() for answer in shown])
    for answer in () if json_output or form.is_table else shown:
        show_report(str(answer))
        if why:
            show_report(answer.why())
    if not answers:
        if not json_output and not form.is_table:
            print_line("no rule concludes a move for the player to move" if best else "no rule answers")
        raise ReportedError(1)


@contextmanager
def _unknown_if_spent(budget: Budget, form: Form) -> Iterator[None]:
    """Bound the work of a block. If it exceeds the budget, print the reason, and raise ReportedError."""
    try:
        with budget.bounding():
            yield
    except SpentError as spent:
        message = (
            json.dumps({"stopped": str(spent)})
            if form.json
            else f"unknown: {spent}{_HINTS.get(spent.bound or '', '')}"
        )
        (warn if form.is_table else print_line)(message)
        raise ReportedError(1) from None


def _refuse_with_all(others: Mapping[str, object]) -> None:
    """Raise ArgumentError if an option is given that does not apply to --all."""
    for name, value in others.items():
        if value:
            raise ArgumentError("it cannot be combined with `--all`", name)


def _state(theory: Theory, position: Path | None, tables: Sequence[str], files: Sequence[Path]) -> State:
    """Return the state that the options name: a position, or all facts together."""
    if tables or files:
        return state_of_facts(theory, position, tables, files)
    assert position is not None
    return read_state(theory, position)


def _best(
    rules: LearnedRules, state: State, answers: Sequence[Answer], levels: int, budget: Budget
) -> tuple[int, list[ConcludedMove]]:
    """Return the number of positions matched for chains of at most `levels` moves, and the moves."""
    best = BestMoves(rules.theory, rules.certified, budget.limits)
    if not levels:
        return 0, best.of(state, answers)
    chains = Chains(rules.theory, rules.certified, best.gains, budget)
    won = chains.won(state.value, levels)
    return chains.matched, best.of(state, answers, won)


def _show_best(form: Form, moves: Sequence[ConcludedMove], *, why: bool) -> None:
    """Print the moves with their proved gains, and the best ones."""
    best, shown = best_of(moves), form.first(moves, "move")
    if form.is_table:
        rows = ((m.move, m.wins, m.gains, m in best, m.as_json()["rules"]) for m in shown)
        form.show_rows(("move", "wins", "gains_at_least", "best", "rules"), rows)
    elif form.json:
        report = [{**move.as_json(), "best": move in best} for move in shown]
        print_json(report)
    for move in () if form.json or form.is_table else shown:
        show_report(str(move))
        if why:
            proof = [] if move.proof is None else [*move.proof.lines(move.proof.display_depth)]
            answers = (line for a in move.answers for line in (str(a), *lines_of(a.why())))
            chains = (
                line
                for game, chain in move.chains.items()
                for line in (
                    f"{print_condition(game)} by a chain:",
                    *(f"  {e}" for e in lines_of_chain(chain)),
                )
            )
            for line in (*proof, *answers, *chains):
                show_report(f"  {line}")
    if not form.json and not form.is_table:
        show_report(verdict(moves))


def _match_table(
    table_query: TableQueryOptions,
    learned: TheoryWithRules,
    budget: Budget,
    *,
    only_rules: bool,
    json_output: bool,
) -> None:
    """Match every state of a table, and count the states that each rule answered."""
    entries = [entry for entry in learned.active_base if entry.is_certified]
    fired: Counter[str] = Counter()
    positions = 0

    def count(answers: pyarrow.ChunkedArray) -> None:
        nonlocal positions
        positions += len(answers)
        fired.update(rule for row in answers.to_pylist() for rule in {each["rule"] for each in row or ()})

    question = MatchStates.of(learned.theory, entries, budget.limits, only_rules=only_rules)
    table_query.ask(question, json_output=json_output, seen=count if learned.store else None)
    count_use(learned, fired, positions, positions)
