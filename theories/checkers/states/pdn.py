"""Games in PDN, read and printed: tags in brackets, and moves from the beginning or from the tag FEN.

A move names the start and the target of a piece, and the squares in between if two captures would look alike:
`11-15`, `15x24`, `1x10x17`. The reader skips comments in braces or after a semicolon, variations in
parentheses, numbers of moves and of judgements (`$1`), and lines that begin with `%`. If a file has several
games, only the first is read. It ends with its result or before the next tag.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from hornbook.kb.text.dataclass import dataclass
from hornbook.kb.text.lines import lines_of
from hornbook.theories.checkers.states import rules
from hornbook.theories.checkers.states.position import CheckersPosition, start
from hornbook.theories.places import SourcePlace

RESULTS = ("1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", "*")
_ENGLISH = "21"
"""Number of English draughts in the tag `GameType`."""
_FIRST = re.compile(r"\s*+(?:\[\s*+\w|\d++\.|\d++\s*+[-x]\s*+\d|[{;])")
_TAG = re.compile(r'\s*+\[\s*+(?P<name>\w++)\s++"(?P<value>[^"]*+)"\s*+\]\s*+')
_TOKEN = re.compile(
    r"\s++|;.*+|\$\d++|\d++\.++|(?P<open>[{(])|(?P<close>[})])"
    r"|(?P<result>1/2-1/2|1-0|0-1|2-0|0-2|1-1|0-0|\*)(?![\d-])"
    r"|(?P<move>\d++(?:\s*+[-x:]\s*+\d++)++)[!?]*+|(?P<wrong>[^\s{}();]++)"
)
_COMMENT = re.compile(r"(?P<close>\})|[^}]++")
_BETWEEN = re.compile(r"\s*+[-x:]\s*+")


@dataclass(frozen=True, slots=True)
class PdnGame:
    """Moves of a game, as squares, its positions (one more than moves), its tags and its result."""

    moves: tuple[tuple[int, ...], ...]
    positions: tuple[CheckersPosition, ...]
    tags: tuple[tuple[str, str], ...] = ()
    result: str = "*"


def is_game(first: str) -> bool:
    """Return whether a text with this first line is a game."""
    return _FIRST.match(first) is not None


def parse_game(text: str, file: str, read_fen: Callable[[str, SourcePlace], CheckersPosition]) -> PdnGame:
    """Return the first game of a text. Raise TheoryError (HB005) at the first error."""
    tags: list[tuple[str, str]] = []
    moves: list[tuple[int, ...]] = []
    positions = [start()]
    last: dict[str, int] = {}
    for kind, written, place in _tokens(text, file):
        if kind == "tag":
            found = _TAG.fullmatch(written)
            if found is None:
                place.fail("this is no tag", 'a tag is written `[White "Tinsley"]`')
            name = found["name"].upper()
            if moves or _begins_next_game(name, place.line, last):
                break
            last[name] = place.line
            tags.append((found["name"], found["value"]))
            if found["name"].upper() == "GAMETYPE" and found["value"].split(",")[0].strip() != _ENGLISH:
                value = SourcePlace(file, text, place.line, found.start("value") + 1, len(found["value"]))
                value.fail("this is a game of other rules", f"English draughts have the type {_ENGLISH}")
            if found["name"].upper() == "FEN":
                at = SourcePlace(file, text, place.line, found.start("value") + 1, len(found["value"]))
                positions = [read_fen(found["value"], at)]
        elif kind == "result":
            return PdnGame(tuple(moves), tuple(positions), tuple(tags), written)
        else:
            squares, after = _played(positions[-1], written, place)
            moves.append(squares)
            positions.append(after)
    return PdnGame(tuple(moves), tuple(positions), tuple(tags))


def game_starts(text: str, file: str) -> list[int]:
    """Return the offset of each game of a text; no move is played. Raises TheoryError (HB005)."""
    starts: list[int] = []
    lines = [0, *(found.end() for found in re.finditer("\n", text))]
    last: dict[str, int] = {}
    is_in_game, has_moves = False, False
    for kind, written, place in _tokens(text, file):
        found = _TAG.fullmatch(written) if kind == "tag" else None
        name = "" if found is None else found["name"].upper()
        is_next = kind == "tag" and (has_moves or _begins_next_game(name, place.line, last))
        if is_next or not is_in_game:
            starts.append(lines[place.line - 1] + place.column - 1)
            last, is_in_game, has_moves = {}, True, False
        if kind == "tag":
            last[name] = place.line
        elif kind == "result":
            last, is_in_game = {}, False
        else:
            has_moves = True
    return starts


def _begins_next_game(name: str, line: int, last: Mapping[str, int]) -> bool:
    """Whether a tag repeats one of a game, and is `Event` or is apart from them; `last` has the line of each
    tag.
    """
    return name in last and (name == "EVENT" or line > max(last.values()) + 1)


def print_game(game: PdnGame, fen: str | None = None) -> str:
    """Return a game in PDN, with the FEN of its first position if that is not the usual one."""
    tags = [(name, value) for name, value in game.tags if name.upper() not in ("FEN", "SETUP", "RESULT")]
    if fen is not None:
        tags += [("SetUp", "1"), ("FEN", fen)]
    lines = [f'[{name} "{value}"]' for name, value in (*tags, ("Result", game.result))]
    words = []
    first = game.positions[0].to_move
    ahead = 0 if first == "black" else 1
    for number, (position, squares) in enumerate(zip(game.positions[:-1], game.moves, strict=True), ahead):
        if number % 2 == 0:
            words.append(f"{number // 2 + 1}.")
        elif number == ahead:
            words.append("1...")
        words.append(write_turn(position, squares))
    return "\n".join([*lines, "", *_wrapped([*words, game.result])]) + "\n"


def write_turn(position: CheckersPosition, squares: Sequence[int]) -> str:
    """Return a move as players write it: start and target, and the squares in between if ambiguous."""
    captures = (squares[0], squares[-1]) not in rules.steps(position)
    alike = [each for each, _ in rules.turns(position) if (each[0], each[-1]) == (squares[0], squares[-1])]
    named = squares if len(alike) > 1 else (squares[0], squares[-1])
    return ("x" if captures else "-").join(str(at + 1) for at in named)


def _played(
    position: CheckersPosition, written: str, place: SourcePlace
) -> tuple[tuple[int, ...], CheckersPosition]:
    """Return the move with this notation, and the position after it."""
    named = tuple(int(word) - 1 for word in _BETWEEN.split(written))
    fitting = [
        (squares, after)
        for squares, after in rules.turns(position)
        if (squares[0], squares[-1]) == (named[0], named[-1]) and _within(named, squares)
    ]
    exact = [each for each in fitting if each[0] == named]
    if exact:
        return exact[0]
    if not fitting:
        place.fail(f"{position.to_move} cannot play {written}", _legal(position))
    if len({after for _, after in fitting}) > 1:
        ways = ", ".join("x".join(str(at + 1) for at in squares) for squares, _ in fitting)
        place.fail(f"{written} says not which capture it is", f"write one of {ways}")
    return fitting[0]


def _within(named: Sequence[int], squares: Sequence[int]) -> bool:
    """Return whether a piece visits the named squares in their order."""
    path = iter(squares)
    return all(at in path for at in named)


def _legal(position: CheckersPosition) -> str:
    moves = [write_turn(position, squares) for squares, _ in rules.turns(position)]
    return f"{position.to_move} can play {', '.join(moves)}" if moves else "the game is over"


def _tokens(text: str, file: str) -> Iterator[tuple[str, str, SourcePlace]]:
    """Yield tags, moves and results with their positions, without text in braces and parentheses."""
    opened: list[tuple[str, SourcePlace]] = []
    for number, line in enumerate(lines_of(text), 1):
        if not opened and line.startswith("%"):
            continue
        if not opened and line.lstrip().startswith("["):
            yield "tag", line, SourcePlace(file, text, number, 1, len(line))
            continue
        for kind, found in _words(line, opened):
            place = SourcePlace(file, text, number, found.start() + 1, len(found[0]))
            if kind == "open":
                opened.append((found[0], place))
            elif kind == "close":
                expected = {"}": "{", ")": "("}[found[0]]
                if not opened or opened[-1][0] != expected:
                    place.fail(f"`{found[0]}` closes nothing", "comments stand in braces")
                opened.pop()
            elif not opened and kind in ("move", "result"):
                yield kind, found[kind], place
            elif not opened and kind == "wrong":
                place.fail(f"`{found[0]}` is no move", "moves are written `11-15` and `15x24`")
    if opened:
        opened[-1][1].fail(f"`{opened[-1][0]}` is not closed", "comments stand in braces")


def _words(
    line: str, opened: Sequence[tuple[str, SourcePlace]]
) -> Iterator[tuple[str | None, re.Match[str]]]:
    """Yield the words of a line, each with its kind.

    Within braces (`opened` then ends with one), only the closing brace is yielded.
    """
    at = 0
    while at < len(line):
        found = (_COMMENT if opened and opened[-1][0] == "{" else _TOKEN).match(line, at)
        assert found is not None
        yield found.lastgroup, found
        at = found.end()


def _wrapped(words: Sequence[str]) -> Iterator[str]:
    """Yield words as lines of at most 80 letters."""
    line = ""
    for word in words:
        if line and len(line) + len(word) >= 80:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line
