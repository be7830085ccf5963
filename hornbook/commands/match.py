"""`hornbook match`: what learned rules say of one position."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from compiler import rulebase
from compiler.admission import RuleBase
from compiler.lines_of_play import lines_of_play
from compiler.position import Conclusion, Matcher
from hornbook.domains import domain_of
from hornbook.opening import JsonOption, TheoryArgument
from kb.files import read_text
from kb.loader import load
from kb.printer import print_condition, print_term
from kb.substitution import apply_to_condition, statement_at
from kb.theory import Theory
from theories.go import adapter, question
from theories.go.board import PLAYERS


def match(
    theory: TheoryArgument,
    rules: Annotated[Path, typer.Option("--rules", metavar="RULES.horn", help="Rules that were learned.")],
    position: Annotated[
        Path, typer.Argument(metavar="POSITION", help="A position of Go: SGF, or a diagram.")
    ],
    why: Annotated[
        bool,
        typer.Option(
            "--why", help="Show each rule's conditions as they are met, its lines of play, and its proof."
        ),
    ] = False,
    json_output: JsonOption = False,
) -> None:
    """Say every rule that answers in a position, with its value, its move and what its variables stand for.

    All blocks of both players are asked about, whoever is to play: `GI` and a move say that the other player
    captures the block if he plays first, `IG` that he captures it although its owner does. Nothing is searched:
    the position is matched once for each player's blocks. Exit code 1 where no rule answers.
    """
    known = load(theory)
    domain = domain_of(known)
    if domain is None and not any(replies.game.predicate == "take" for replies in known.replies):
        raise typer.BadParameter(f"`{known.name}` says nothing of captures", param_hint="THEORY")
    base = rulebase.read(rules, known)
    found = (
        _conclusions(known, base, position) if domain is None else domain.conclusions(known, base, position)
    )
    if json_output:
        typer.echo(json.dumps([_as_json(each) for each in found], ensure_ascii=False))
    for each in () if json_output else found:
        typer.echo(_line(each, known))
        if why:
            typer.echo(_why(each, base, known))
    if not found:
        if not json_output:
            typer.echo("no rule answers")
        raise typer.Exit(1)


def _conclusions(known: Theory, base: RuleBase, position: Path) -> list[Conclusion]:
    """What the rules say, one conclusion for each rule and statement."""
    board = adapter.read(read_text(position), position.name)
    matcher = Matcher(known, question.spoken_of)
    for entry in base:
        if entry.is_certified:
            matcher.add(entry.rule)
    found: dict[tuple[str, str], Conclusion] = {}
    known_games = [replies.game.predicate for replies in known.replies]
    for defender in PLAYERS:
        parts = question.parts(board, defender)
        for each in matcher.conclusions(parts, question.games(board, defender, known_games)):
            found.setdefault((each.rule, _said(each, known)), each)
    return list(found.values())


def _said(each: Conclusion, known: Theory) -> str:
    return print_condition(statement_at(each.statement, None, known.vocabulary))


def _named(each: Conclusion) -> dict[str, str | int]:
    """What the rule's own variables stand for."""
    return {name: c.value for name, c in sorted(each.bindings.items()) if name.isidentifier()}


def _line(each: Conclusion, known: Theory) -> str:
    bindings = ", ".join(f"?{name} = {value}" for name, value in _named(each).items())
    return f"{_said(each, known)}  [{each.rule}: {bindings}]"


def _why(each: Conclusion, base: RuleBase, known: Theory) -> str:
    """The conditions as they are met, what the proof plays here, and its steps."""
    entry = base.entries[each.rule]
    met = [f"  {print_condition(apply_to_condition(c, each.bindings))}" for c in entry.rule.body]
    played = [f"    {line}" for line in lines_of_play(base, known, each.rule, each.bindings)]
    steps = [f"  {line}" for line in str(entry.certificate).splitlines()]
    return "\n".join([*dict.fromkeys(met), "  lines of play:", *played, *steps])


def _as_json(each: Conclusion) -> dict[str, Any]:
    by = each.statement.by
    return {
        "rule": each.rule,
        "game": _game(each),
        "value": print_term(each.statement.value),
        "move": None if by is None else print_condition(by),
        "bindings": _named(each),
    }


def _game(each: Conclusion) -> str:
    """The game that is concluded about, as text."""
    return print_condition(each.statement.game).removeprefix("before ")
