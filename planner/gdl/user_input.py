"""User input about a game: a query, the terms of a state, and a sequence of moves."""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError, did_you_mean, error
from hornbook.kb.text.counts import counted
from hornbook.kb.text.lines import lines_of
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.planner.gdl.game import Game, Moves, State
from hornbook.planner.gdl.ground import Ground, ground_of, shape_of, text_of, words_of
from hornbook.planner.gdl.kif import Expression, KifList, KifWord, read

QUESTION = "<query>"
MOVES = "<moves>"


class MoveError(HornbookError, ValueError):
    """A move that is not possible."""


def query_of(text: str, game: Game) -> Expression:
    """Return the query that a text contains: a relation with its terms.

    Raises TheoryError if the game has no such relation.
    """
    found = _read(text, QUESTION)
    if len(found) != 1:
        help_ = "write one relation with its terms, such as `(legal ?role ?move)`"
        raise _query_error(
            "HB102", f"a question is one expression, not {len(found)}", _whole(text), text, help_
        )
    query = found[0]
    head = query.items[0] if isinstance(query, KifList) and query.items else query
    if not isinstance(head, KifWord):
        help_ = "write one relation with its terms, such as `(legal ?role ?move)`"
        raise _query_error("HB102", "a question begins with the name of a relation", query.span, text, help_)
    known = game.relations
    if head.name not in known:
        help_ = did_you_mean(head.name, known) or f"the sheet has the relations {', '.join(sorted(known))}"
        raise _query_error("HB010", f"the sheet does not mention `{head.name}`", head.span, text, help_)
    number = len(query.items) - 1 if isinstance(query, KifList) else 0
    if number not in known[head.name]:
        expected = " or ".join(map(str, sorted(known[head.name])))
        message = f"`{head.name}` has {expected} argument{'s' if expected != '1' else ''}, not {number}"
        raise _query_error("HB103", message, head.span, text)
    return head if number == 0 else query


def state(text: str, file: str, game: Game) -> State:
    """Return the state whose terms a text lists, each with or without `true` around it.

    Raises TheoryError if the text is malformed. It is also raised if a term has a form that no clause makes
    true, or a word of no clause, because no rules could then produce the state. Reachability is not tested.
    """
    found: list[Ground] = []
    for expression in _read(text, file):
        items = expression.items if isinstance(expression, KifList) else ()
        inner = items[1] if len(items) == 2 and items[0] == _TRUE else expression
        term = ground_of(inner)
        if term is None:
            raise _query_error("HB106", "a state has no variables", inner.span, text, file=file)
        if (problem := _why_impossible(term, game)) is not None:
            raise _query_error(problem[0], problem[1], inner.span, text, problem[2], file)
        found.append(term)
    return frozenset(found)


def _why_impossible(term: Ground, game: Game) -> tuple[str, str, str] | None:
    """Return why no state of a game can contain a term (code, message and help), or None if one can."""
    shapes = {shapes[0] for name, shapes in game.program.numbers if name == "true"}
    shape, known = shape_of(term), {each[0] for each in shapes if each}
    name = str(term[0]) if shape else str(term)
    if shape not in shapes and name not in known:
        some = ", ".join(f"`{each}`" for each in sorted(known))
        return "HB010", f"no state has `{name}`", did_you_mean(name, known) or f"states have {some}"
    if shape not in shapes:
        numbers = sorted({len(each[1]) for each in shapes if each and each[0] == name})
        number = len(term) - 1 if shape else 0
        if number in numbers:
            return (
                "HB103",
                f"no state has a term of the form `{text_of(term)}`",
                "write words for its functions, or the reverse",
            )
        expected = " or ".join(map(str, numbers))
        return "HB103", f"`{name}` has {expected} argument{'s' if expected != '1' else ''}, not {number}", ""
    words = set(game.program.words)
    strange = next((word for word in words_of(term) if word not in words), None)
    if strange is not None:
        way_out = did_you_mean(strange, words) or "write words of the sheet"
        return "HB010", f"the sheet has no word `{strange}`", way_out
    return None


def moves_made(text: str, game: Game, start: State) -> Iterator[tuple[State, Moves]]:
    """Yield each state with the moves made in it. `;` separates successive steps.

    If only some roles have a choice, their moves are sufficient. Raises MoveError if a move is not possible.
    """
    now = start
    steps = [part for part in text.split(";") if part.strip()]
    for number, part in enumerate(steps, 1):
        moves = _moves(part.strip(), number, game, now)
        yield now, moves
        now = game.next(now, moves)


def _moves(text: str, number: int, game: Game, now: State) -> Moves:
    found = _read(text, MOVES)
    if game.terminal(now):
        raise MoveError(f"step {number}, `{text}`: the game is over")
    legal = game.legal(now)
    roles = [role for role in game.roles if len(legal[role]) != 1]
    if len(found) == len(game.roles):
        roles = list(game.roles)
    if len(found) != len(roles):
        number_of = counted(len(found), "move")
        choosing = f"{', '.join(roles)} can choose" if roles else "no role has a choice"
        help_ = (
            f"write a move of each of these, or of each of {', '.join(game.roles)}; `;` begins the next step"
        )
        raise MoveError(f"step {number}, `{text}`: {number_of}, and {choosing}; {help_}")
    moves = {role: moves[0] for role, moves in legal.items() if len(moves) == 1}
    for role, expression in zip(roles, found, strict=True):
        term = ground_of(expression)
        if term is None:
            raise MoveError(f"step {number}, `{text}`: a move has no variables")
        if term not in legal[role]:
            near = did_you_mean(text_of(term), map(text_of, legal[role]))
            some = ", ".join(map(text_of, legal[role][:8])) + (", …" if len(legal[role]) > 8 else "")
            help_ = near or (f"{role} may do {some}" if some else f"{role} may do nothing")
            raise MoveError(f"step {number}: {role} may not do `{text_of(term)}`; {help_}")
        moves[role] = term
    return {role: moves[role] for role in game.roles}


_TRUE = KifWord("true", Span("", 1, 1, 1, 1), "true")


def _read(text: str, file: str) -> tuple[Expression, ...]:
    found, mistakes = read(text, file)
    if mistakes:
        raise TheoryError(list(mistakes), {file: text})
    return found


def _whole(text: str) -> Span:
    first = next(iter(lines_of(text)), "")
    return Span(QUESTION, 1, 1, 1, max(2, len(first) + 1))


def _query_error(
    code: str, message: str, span: Span, text: str, help_: str = "", file: str = QUESTION
) -> TheoryError:
    found: Diagnostic = error(code, message, span, help_)
    return TheoryError([found], {file: text})
