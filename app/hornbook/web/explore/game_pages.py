"""Pages of games: a game against a search, and the results of planning in a state.

The URL of a game contains its initial state and all moves, so that undo is a link.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from hornbook.games import planned_files, planned_text
from hornbook.games.planned_files import PlayTooLargeToDrawError
from hornbook.games.planning import PlanSettings, planning_knowledge
from hornbook.inputs.native_games import NativeGame, native_game
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.play.native import Native, offered
from hornbook.play.whole.played import PlayedGame
from hornbook.play.whole.thinking import SearchArguments, SearchPlayer
from hornbook.theories.domain import FileState
from hornbook.theories.protocols.missing_member import MissingMemberError
from hornbook.theories.protocols.optional import Planned
from hornbook.web.explore.board import LinkedBoard, LinkedMove, board
from hornbook.web.explore.explored import ExploredTheory
from hornbook.web.explore.refusals import UNPROCESSABLE, Message, messages
from hornbook.web.explore.rendering import drawn_markup, explored_of, link_from, page, scene_of

SEARCHES = ("deepening", "ordered-alpha-beta", "alpha-beta", "best-first")
SECONDS = (1, 0.2, 5, 10)
"""Processor seconds for a move."""
BOTH = "both"
PLANNING = 20.0
"""The time limit for planning in seconds, if the command line gives none."""


@dataclass(frozen=True, slots=True)
class GameSettings:
    """The settings of a game: initial state, moves, the human side, and the search of the other side."""

    start: str
    moves: tuple[str, ...]
    side: str
    search: str
    seconds: float

    def parameters(self, moves: tuple[str, ...]) -> dict[str, str]:
        """Return the parameters of the URL with some moves made."""
        return {
            "start": self.start,
            "moves": " ".join(moves),
            "side": self.side,
            "search": self.search,
            "seconds": f"{self.seconds:g}",
        }


def play_page(request: Request) -> Response:
    """Return the page of a game. If the search is to move, redirect to the URL with its move."""
    explored, scene = explored_of(request), scene_of(request)
    link = link_from(scene)
    try:
        native = native_game(explored.name)
    except HornbookError as problem:
        return page(request, "problem.html", title="No game to play", problems=[_message(problem)])
    domain = native.domain
    try:
        start = request.query_params.get("start") or _start(native, explored, scene.state)
        game = PlayedGame.start(native.native, domain, start)
        moves = tuple(request.query_params.get("moves", "").split())
        for move in moves:
            game = game.after(move)
    except (HornbookError, ValueError) as problem:
        message = f"This game cannot be continued: {_message(problem)}"
        return page(request, "problem.html", status=UNPROCESSABLE, title="No such game", problems=[message])
    first = domain.mover(start)
    sides = (first, *_other(game, first, native))
    settings = _settings(request, native.native, start, moves, sides)
    ending = game.ending
    mover = domain.mover(str(game.state))
    if ending is None and settings.side not in (BOTH, mover):
        player = SearchPlayer(native.native, native.native.search(settings.search, {}))
        found = player.think(game, SearchArguments(seconds=settings.seconds))
        parameters = settings.parameters((*moves, found.move)) | {"ahead": str(found.depth)}
        return RedirectResponse(link("play", **parameters), 303)
    position = domain.position(str(game.state))
    chosen = tuple(filter(None, request.query_params.get("at", "").split(",")))
    back = max(0, len(moves) - (1 if settings.side == BOTH else 2))
    return page(
        request,
        "play.html",
        settings=settings,
        game=game,
        ending=ending,
        by="" if ending is None or not ending.margin else domain.margin(ending.margin),
        mover=mover,
        board=_board(native, game, position, settings, chosen, link),
        text=domain.shown(str(game.state)),
        made=[
            (move, link("play", **settings.parameters(moves[: number + 1])))
            for number, move in enumerate(moves)
        ],
        back=link("play", **settings.parameters(moves[:back])) if moves else None,
        ahead=request.query_params.get("ahead", ""),
        beginnings=list(domain.beginnings()),
        searches=offered(native.native, SEARCHES),
        choices=SECONDS,
        sides=sides,
        looked_at=link("state", state=domain.write_line(position), example="", suppose=""),
        plans=isinstance(explored.domain, Planned),
    )


def strategy_page(request: Request) -> Response:
    """Return the page with the results of planning in a state and the proofs."""
    explored, scene = explored_of(request), scene_of(request)
    wrong: tuple[Message, ...] = ()
    lines: list[str] = []
    picture: Markup | None = None
    try:
        known = planning_knowledge(explored.theory)
        state = explored.read(scene.state).value
        seconds = PLANNING if explored.limits is None else explored.limits.seconds or PLANNING
        found = known.planned(FileState("the state", state), PlanSettings(seconds=seconds))
        lines = planned_text.text(found)
        if found.result.verdict != "open":
            with suppress(PlayTooLargeToDrawError):
                picture = drawn_markup(planned_files.picture(found))
    except (HornbookError, ValueError) as problem:
        wrong = messages(problem)
    return page(
        request,
        "strategy.html",
        wrong=wrong,
        lines=lines,
        picture=picture,
    )


def _message(problem: Exception) -> str:
    return str(getattr(problem, "message", problem))


def _start(native: NativeGame, explored: ExploredTheory, state: str) -> str:
    if not state:
        return native.domain.beginnings()[0]
    return native.domain.write_line(explored.read(state).value)


def _settings(
    request: Request, native: Native, start: str, moves: tuple[str, ...], sides: Sequence[str]
) -> GameSettings:
    """Return the settings of a URL; missing or invalid ones have defaults, so there is always an opponent."""
    parameters = request.query_params
    side = parameters.get("side", "")
    search = parameters.get("search", SEARCHES[0])
    seconds = next((each for each in SECONDS if f"{each:g}" == parameters.get("seconds", "")), SECONDS[0])
    return GameSettings(
        start,
        moves,
        side if side in (*sides, BOTH) else sides[0],
        search if search in offered(native, SEARCHES) else SEARCHES[0],
        seconds,
    )


def _other(game: PlayedGame, first: str, native: NativeGame) -> Iterator[str]:
    """Yield the second side, if a move reveals it."""
    start = game.states[0]
    if not start.is_over:
        second = native.domain.mover(str(start.after(start.moves()[0])))
        if second != first:
            yield second


def _board(
    native: NativeGame,
    game: PlayedGame,
    position: Any,
    settings: GameSettings,
    chosen: tuple[str, ...],
    link: Any,
) -> LinkedBoard | None:
    """Return the board with a link for each move; None if the domain draws none."""
    domain = native.domain
    try:
        svg = domain.picture(position, native.name)
        boxes = domain.places(position)
    except MissingMemberError:
        return None
    written = {
        domain.write_move(position, each): tuple(str(v) for v in each.values if str(v) in boxes)
        for each in domain.actions(position)
    }
    legal = () if game.ending is not None else game.state.moves()
    moves = [
        LinkedMove(
            move, _places(move, written, boxes), link("play", **settings.parameters((*game.moves, move)))
        )
        for move in legal
    ]
    made = settings.parameters(game.moves)
    return board(svg, boxes, moves, chosen, lambda places: link("play", **made, at=",".join(places)))


def _places(move: str, written: dict[str, tuple[str, ...]], boxes: Any) -> tuple[str, ...]:
    """Return the places of a move: those of its action, of the first action of a turn, or of its notation."""
    if move in written:
        return written[move]
    if move in boxes:
        return (move,)
    prefixes = [text for text in written if move.startswith(text)]
    return written[max(prefixes, key=len)] if prefixes else ()
