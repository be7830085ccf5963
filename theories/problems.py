"""Problems of any game: queries about states, the answers of rules, and their scores.

By default the problems of a domain are lines of JSON. Their keys are `id`, `state` (a text that the adapter
reads) and `game` (such as `last(ann)`), with the friend to move. If known, `moves` is the number of the
friend's moves of a win (null without a win). The key `winning` lists the friend's winning first moves. If
`searched` is given, a problem without a win has none within that number of the friend's moves, and may have a
longer one. An answer is a line with `id`, `value` (`GI` if a rule concludes that the game is won) and `move`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, Protocol

from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.format.printer import print_condition
from hornbook.kb.parse.syntax import parse_query
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.text.dataclass import dataclass
from hornbook.kb.text.writing import write_text
from hornbook.theories import search
from hornbook.theories.protocols.json_lines import JsonLine, by_id

UNKNOWN = "unknown"
DEEPEST = 4
"""Maximal number of the friend's moves of a win in generated problems."""
_IDLE = 200
"""Number of games without a new problem after which generation stops."""


@dataclass(frozen=True, slots=True)
class ProofTask:
    """Statement to prove: the friend of a game wins it within `moves` moves when playing first.

    If `moves_if_second` is given, the friend also wins within that number of moves when playing second.
    """

    name: str
    state: Any
    game: Atom
    moves: int
    moves_if_second: int | None = None


@dataclass(frozen=True, slots=True)
class ProblemQuery:
    """Query of a problem: a game of a state. `against` has the games of the other side."""

    id: str
    state: Any
    game: Atom
    against: Sequence[Atom] = ()


class WinReason(Protocol):
    """Rule that concludes a won game, and the first move."""

    @property
    def rule(self) -> str: ...

    @property
    def move(self) -> Atom | None: ...


class ProblemSolution(Protocol):
    """Answer of the rules to a problem.

    The friend wins for the reasons `first` and `second` when playing first or second. The reasons `saved` and
    `safe` are the same for the games `against`.
    """

    @property
    def first(self) -> WinReason | None: ...

    @property
    def second(self) -> WinReason | None: ...

    @property
    def saved(self) -> WinReason | None: ...

    @property
    def safe(self) -> WinReason | None: ...

    @property
    def value(self) -> str: ...

    @property
    def matched(self) -> int: ...

    @property
    def stopped(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class ProblemScore:
    """Score of answers: a table as text, the same table as rows for JSON, and the wrong answers."""

    table: str
    rows: Sequence[Mapping[str, Any]]
    wrong: Sequence[Mapping[str, Any]]
    messages: Sequence[str]
    """Descriptions of the wrong answers."""


@dataclass(frozen=True, slots=True)
class ProblemRequest:
    """Options for generating problems.

    A domain ignores options that it does not use; if `sizes` or `depths` is empty, it uses its defaults.
    """

    number: int
    seed: int
    sizes: tuple[int, ...] = ()
    depths: tuple[int | None, ...] = ()
    engine: tuple[str, ...] = ()
    sources: tuple[Any, ...] = ()
    workers: int = 1


@dataclass(frozen=True, slots=True)
class GameProblem:
    """State with a game, the number of moves of a win (or None), and the winning first actions."""

    id: str
    text: str
    state: Any
    game: Atom
    moves: int | None
    winning: tuple[str, ...]
    searched: int | None = None
    """The number of the friend's moves that were searched without a win, if longer wins are possible."""

    @property
    def won(self) -> bool:
        return self.moves is not None

    @property
    def value(self) -> str:
        return "GI" if self.won else "PI" if self.searched is None else "II"

    @property
    def query(self) -> ProblemQuery:
        """Return the query whose answer the problem requests."""
        return ProblemQuery(self.id, self.state, self.game)

    @property
    def lesson(self) -> ProofTask:
        assert self.moves is not None
        return ProofTask(self.id, self.state, self.game, self.moves)


# Files


def parse(text: str, file: str, adapter: ModuleType) -> list[GameProblem]:
    """Return the problems of a text. Raise TheoryError (HB005) at the position of an error."""
    return list(by_id(text, file, lambda line: _problem(line, adapter)).values())


def _problem(line: JsonLine, adapter: ModuleType) -> GameProblem:
    name, source = line.get("id", str, needed=True), line.get("state", str, needed=True)
    try:
        state = adapter.read(source, name)
    except TheoryError as problem:
        line.fail("state", problem.diagnostics[0].message, problem.diagnostics[0].help)
    written = line.get("game", str, needed=True)
    try:
        conditions = parse_query(written).conditions
    except TheoryError:
        conditions = ()
    match conditions:
        case (Atom(predicate=predicate, terms=terms),) if all(isinstance(t, Constant) for t in terms):
            game = Atom(predicate, tuple(Constant(t.value) for t in terms if isinstance(t, Constant)))
        case _:
            line.fail("game", f"`{written}` is no game", "write one such as `win(white)`")
    moves = line.get("moves", int)
    winning = line.get("winning", list) or []
    if moves is not None and moves < 1:
        line.fail("moves", "it is won within one move or more, or not at all (null)")
    searched = line.get("searched", int) if moves is None else None
    return GameProblem(name, source, state, game, moves, tuple(map(str, winning)), searched)


def write(found: Iterable[GameProblem], path: Path) -> None:
    """Write problems atomically."""
    lines = (
        {"id": p.id, "state": p.text, "game": print_condition(p.game), "moves": p.moves, "winning": p.winning}
        | ({} if p.searched is None else {"searched": p.searched})
        for p in found
    )
    write_text(path, "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines))


# Answers


def answer(query: ProblemQuery, solved: ProblemSolution, write_move: Callable[[Any, GroundFact], str]) -> str:
    """Return the answer of the rules as a line of JSON."""
    first = solved.first
    move = None
    if first is not None and first.move is not None:
        values = tuple(term.value for term in first.move.terms if isinstance(term, Constant))
        move = write_move(query.state, GroundFact(first.move.predicate, values))
    keys: dict[str, Any] = {"id": query.id, "value": solved.value, "move": move}
    keys |= {"rule": None if first is None else first.rule, "matched": solved.matched}
    return json.dumps(keys if solved.stopped is None else keys | {"stopped": solved.stopped})


def score(known: Sequence[GameProblem], text: str, file: str) -> ProblemScore:
    """Compare answers with the problems. A move is wrong if it is not a winning one."""
    answers = by_id(text, file, _answer, {problem.id for problem in known})
    outcomes = {problem.id: _outcome(problem, answers.get(problem.id)) for problem in known}
    rows = []
    for moves in (*sorted({p.moves for p in known}, key=lambda moves: moves or 0), "all"):
        of_row = [outcomes[p.id] for p in known if moves in ("all", p.moves)]
        rows.append({"moves": moves, "problems": len(of_row), **_counts(of_row)})
    lines = ["moves  problems    right  unknown    wrong"]
    for row in rows:
        moves = "none" if row["moves"] is None else row["moves"]
        lines.append(f"{moves:>5}  {row['problems']:>8}{row['right']:>9}{row['unknown']:>9}{row['wrong']:>9}")
    wrong = [
        {"id": p.id, "value": p.value, "said": answers[p.id][0], "move": answers[p.id][1]}
        for p in known
        if outcomes[p.id] == "wrong"
    ]
    messages = [f"{each['id']}: {each['value']}, said {each['said']} {each['move']}" for each in wrong]
    return ProblemScore("\n".join(lines) + "\n", rows, wrong, messages)


def _counts(outcomes: Sequence[str]) -> dict[str, int]:
    counted = Counter(outcomes)
    return {outcome: counted[outcome] for outcome in ("right", UNKNOWN, "wrong")}


def _outcome(problem: GameProblem, answer: tuple[str, str | None] | None) -> str:
    if answer is None or not answer[0].startswith(("G", "P")) or problem.value == "II":
        return UNKNOWN
    value, move = answer
    if value.startswith("P"):
        return "wrong" if problem.won else "right"
    return "right" if move in problem.winning else "wrong"


def _answer(line: JsonLine) -> tuple[str, str | None]:
    """Return the value and the move of an answer."""
    return line.get("value", str, needed=True), line.get("move", str)


# Generation


class Maker(search.SearchableDomain, Protocol):
    """Part of a domain's interface that the generation of problems needs."""

    def random_game(self, random: Random) -> list[Any]: ...

    def games(self, state: Any) -> Sequence[Atom]: ...

    def write(self, state: Any) -> str: ...

    def write_move(self, state: Any, action: GroundFact) -> str: ...


Choice = tuple[Any, Atom, int]
"""A state, a game of it, and the maximal number of the friend's moves of a win."""


def make(domain: Maker, request: ProblemRequest) -> Iterator[GameProblem]:
    """Yield distinct problems from random games, with the friend to move.

    Stops early when games give no new problems.
    """

    def choice(random: Random, seen: Collection[tuple[Any, Atom]]) -> Choice | None:
        state = random.choice(domain.random_game(random))
        games = [game for game in open_games(domain, state) if (state, game) not in seen]
        return (state, random.choice(games), DEEPEST) if games else None

    return distinct_problems(domain, request, choice, "g", first=1, most_idle=_IDLE)


def open_games(domain: Maker, state: Any) -> list[Atom]:
    """Return the undecided games whose friend is to move."""
    return [
        game
        for game in domain.games(state)
        if domain.to_move(state) == domain.friend(state, game) and domain.outcome(state, game) is None
    ]


def distinct_problems(
    domain: Maker,
    request: ProblemRequest,
    choose: Callable[[Random, Collection[tuple[Any, Atom]]], Choice | None],
    letter: str,
    *,
    first: int = 0,
    most_idle: int | None = None,
) -> Iterator[GameProblem]:
    """Yield distinct problems, each solved by a search.

    Args:
        request: Its `depths` are in plies; None means problems that are not won.
        choose: Returns the next candidate, given the earlier ones, or None for another attempt.
        letter: The start of the names, before a number that starts at `first`.
        most_idle: The number of attempts without a problem after which the generation stops.
    """
    random = Random(request.seed)  # noqa: S311 - problems are no secrets
    seen: set[tuple[Any, Atom]] = set()
    made, idle = 0, 0
    while made < request.number and (most_idle is None or idle < most_idle):
        idle += 1
        candidate = choose(random, seen)
        if candidate is None or candidate[:2] in seen:
            continue
        state, game, most = candidate
        seen.add((state, game))
        moves = next((m for m in range(1, most + 1) if search.wins(domain, state, game, m)), None)
        if request.depths and (None if moves is None else 2 * moves - 1) not in request.depths:
            continue
        winning = () if moves is None else search.winning(domain, state, game, moves)
        written = tuple(domain.write_move(state, action) for action in winning)
        searched = most if moves is None else None
        name = f"{letter}{made + first:05}"
        yield GameProblem(name, domain.write(state), state, game, moves, written, searched)
        made, idle = made + 1, 0
