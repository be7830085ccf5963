"""The requests of a game manager: from a text in KIF to frozen data, and back.

The rules of START and PREVIEW stay text, so that a long request is read quickly; the game reads them.

Source: Genesereth and Thielscher, General Game Playing, 2014, chapter 3; and GGP Base, which adds PREVIEW and
the order of the arguments.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.planner.gdl.ground import Ground, ground_of, text_of
from hornbook.planner.gdl.kif import Expression, KifList, KifWord, read

MAX_MOVES_TEXT = 100_000
"""The maximal number of characters in a request without rules."""
MAX_CLOCK = 1_000_000
"""The maximal clock in seconds."""
_WORD = r"[^\s();?]++"
_NAME = re.compile(r"[^\s();?\"|]+")
_HEAD = re.compile(rf"\(\s*+({_WORD})")
_START = re.compile(rf"\(\s*+start\s++({_WORD})\s++({_WORD})\s*+\(", re.IGNORECASE)
_PREVIEW = re.compile(r"\(\s*+preview\s*+\(", re.IGNORECASE)
_FORMS = {
    "info": "(INFO)",
    "start": "(START MATCH ROLE (RULES) START-CLOCK PLAY-CLOCK)",
    "play": "(PLAY MATCH (MOVES))",
    "stop": "(STOP MATCH (MOVES))",
    "preview": "(PREVIEW (RULES) CLOCK)",
    "abort": "(ABORT MATCH)",
}


class RequestError(HornbookError, ValueError):
    """A text that is no request of the protocol."""


@dataclass(frozen=True, slots=True)
class Info:
    """A question about the name of the player, and whether it is playing."""


@dataclass(frozen=True, slots=True)
class Start:
    """The begin of a match. The clocks are in seconds, for the preparation and for each move."""

    match: str
    role: str
    rules: str
    start_clock: int
    play_clock: int


@dataclass(frozen=True, slots=True)
class Play:
    """A request for a move. `moves` are those of the last step, in the order of the roles; None at first."""

    match: str
    moves: tuple[Ground, ...] | None


@dataclass(frozen=True, slots=True)
class Stop:
    """The end of a match, with the moves of the last step."""

    match: str
    moves: tuple[Ground, ...] | None


@dataclass(frozen=True, slots=True)
class Preview:
    """The rules of a game that may be played later."""

    rules: str
    clock: int


@dataclass(frozen=True, slots=True)
class Abort:
    """The end of a match that has no result."""

    match: str


Request = Info | Start | Play | Stop | Preview | Abort


def request_of(text: str) -> Request:
    """Return the request that a text contains. Raises RequestError.

    The name of a match keeps its case; its role and moves are in lower case. START may have further
    arguments, which are ignored.
    """
    text = text.strip()
    head = _HEAD.match(text)
    name = head[1].lower() if head else ""
    if name not in _FORMS:
        known = ", ".join(each.upper() for each in _FORMS)
        raise RequestError(f"a request is a list that begins with one of {known}")
    if not text.endswith(")"):
        raise RequestError(f"the request does not end with `)`; its form is {_FORMS[name]}")
    if name == "start":
        return _start(text)
    if name == "preview":
        return _preview(text)
    return _short_request(name, text)


def text_of_request(request: Request) -> str:
    """Return a request in KIF."""
    match request:
        case Info():
            return "(INFO)"
        case Start(match, role, rules, start_clock, play_clock):
            return f"(START {match} {role} ({rules}) {start_clock} {play_clock})"
        case Play(match, moves):
            return f"(PLAY {match} {_text_of_moves(moves)})"
        case Stop(match, moves):
            return f"(STOP {match} {_text_of_moves(moves)})"
        case Preview(rules, clock):
            return f"(PREVIEW ({rules}) {clock})"
        case Abort(match):
            return f"(ABORT {match})"


def is_name(text: str) -> bool:
    """Return whether a text may be the name of a match or a player."""
    return _NAME.fullmatch(text) is not None


def move_of(text: str) -> Ground | None:
    """Return the move that a reply contains, or None if it is not one ground term."""
    if len(text) > MAX_MOVES_TEXT:
        return None
    found, mistakes = read(text, "<reply>")
    return ground_of(found[0]) if len(found) == 1 and not mistakes else None


def _text_of_moves(moves: Sequence[Ground] | None) -> str:
    return "NIL" if moves is None else f"({' '.join(map(text_of, moves))})"


def _start(text: str) -> Start:
    head = _START.match(text)
    rules, clocks = _rules_and_clocks(text, head, "start", 2)
    assert head is not None
    return Start(head[1], head[2].lower(), rules, *clocks[:2])


def _preview(text: str) -> Preview:
    rules, clocks = _rules_and_clocks(text, _PREVIEW.match(text), "preview", 1)
    return Preview(rules, clocks[0])


def _rules_and_clocks(
    text: str, head: re.Match[str] | None, name: str, clocks: int
) -> tuple[str, tuple[int, ...]]:
    """Return the text between the head and the last list's end, and the numbers after it."""
    end = text.rfind(")", 0, len(text) - 1)
    if head is None or end < head.end():
        raise RequestError(f"the form of the request is {_FORMS[name]}")
    words = text[end + 1 : -1].split(maxsplit=clocks)[:clocks]
    if len(words) < clocks:
        raise RequestError(f"a clock is missing; the form of the request is {_FORMS[name]}")
    return text[head.end() : end], tuple(map(_clock, words))


def _clock(word: str) -> int:
    if not (word.isascii() and word.isdigit()) or len(word) > 9 or int(word) > MAX_CLOCK:
        raise RequestError(f"a clock is an integer from 0 to {MAX_CLOCK:,}, not `{word[:20]}`")
    return int(word)


def _short_request(name: str, text: str) -> Request:
    """Return a request without rules."""
    if len(text) > MAX_MOVES_TEXT:
        raise RequestError(f"the request has more than {MAX_MOVES_TEXT:,} characters")
    found, mistakes = read(text, "<request>")
    if mistakes:
        raise RequestError(f"{mistakes[0].message}: {mistakes[0].span}")
    request = found[0]
    if len(found) > 1 or not isinstance(request, KifList):
        raise RequestError("a request is one list")
    match name, request.items[1:]:
        case "info", ():
            return Info()
        case "play", (KifWord(written=match), moves):
            return Play(match, _moves(moves))
        case "stop", (KifWord(written=match), moves):
            return Stop(match, _moves(moves))
        case "abort", (KifWord(written=match),):
            return Abort(match)
    raise RequestError(f"the form of the request is {_FORMS[name]}")


def _moves(expression: Expression) -> tuple[Ground, ...] | None:
    if isinstance(expression, KifWord) and expression.name == "nil":
        return None
    if not isinstance(expression, KifList):
        raise RequestError("moves are a list, or NIL before the first step")
    found = [ground_of(each) for each in expression.items]
    moves = tuple(each for each in found if each is not None)
    if len(moves) < len(found):
        raise RequestError("a move has no variables")
    return moves or None
