"""The command `hornbook game query`: a query about a state of a game."""

from __future__ import annotations

from typing import Annotated

from hornbook.commands.games.sheet.positions import Done, From, Played, Sheet, done_now, reached
from hornbook.commands.options import argument, flag
from hornbook.planner.gdl.examples import sheet_called
from hornbook.planner.gdl.game import Game
from hornbook.planner.gdl.ground import text_of
from hornbook.planner.gdl.user_input import query_of
from hornbook.terminal.messages import print_json, print_line


def query(
    sheet: Sheet,
    query_text: Annotated[
        str, argument("QUERY", "A relation with terms or variables, such as '(legal ?role ?move)'.")
    ],
    state: From = None,
    moves: Played = None,
    done: Done = None,
    json_output: Annotated[bool, flag("--json", "Print JSON.")] = False,
) -> None:
    """Answer a query in a state of a game, about any relation of its rules."""
    game = Game.read_kif(sheet_called(sheet))
    now = reached(game, state, moves)
    answers = game.query(now, query_of(query_text, game), done_now(game, now, done))
    if json_output:
        found = [{name: text_of(value) for name, value in binding.items()} for _, binding in answers]
        print_json(found)
        return
    for term, _ in answers:
        print_line(text_of(term))
    if not answers:
        print_line("nothing")
