"""Problems as SGF, through sgfmill (the extra `go`): one game tree of one node for each.

The node sets up the stones (AB, AW) and the player to move (PL, the attacker). A triangle (TR) marks the
target, and GN is the problem's name. The solution is in the comment, one line each: `value: GP`, `depth: 5`,
`depth when the defender starts: 6`, `winning moves: cd de`, `best moves: cd`, `saving moves: dc`. A comment
may have other lines. A problem without these lines has an unknown solution.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hornbook.kb.text.lines import lines_of, with_plain_ends
from hornbook.theories.go.problems.problem import VALUES, CaptureProblem, letters, point_of
from hornbook.theories.go.states.board import BoardError, GoBoard
from hornbook.theories.go.states.sgf import SgfRecord, print_sgf
from hornbook.theories.go.states.sgf_text import SgfTree, trees
from hornbook.theories.places import SourcePlace

_NUMBERS = {"depth": "depth", "depth when the defender starts": "depth_defender_first"}
MOST_DIGITS = 4
"""Maximal number of digits of a depth."""
_MOVES = {"winning moves": "winning_moves", "best moves": "best_moves", "saving moves": "saving_moves"}


def parse_problems(text: str, file: str = "<sgf>") -> list[CaptureProblem]:
    """Return the problems of a text. Raise TheoryError (HB005) at the position of an error."""
    found: list[CaptureProblem] = []
    seen: set[str] = set()
    for number, tree in enumerate(trees(text, file), 1):
        problem = _problem(tree, f"problem {number}")
        if problem.id in seen:
            tree.place.fail(f"there is a problem `{problem.id}` already")
        seen.add(problem.id)
        found.append(problem)
    if not found:
        SourcePlace(file, with_plain_ends(text), 1).fail("there is no game tree here", "SGF begins with `(;`")
    return found


def _problem(tree: SgfTree, name: str) -> CaptureProblem:
    record = SgfRecord.of_tree(tree)
    record.follow(0)
    board = record.board()
    root, place = record.nodes[0], tree.place
    marks = sorted(_property(root, "TR", [], tree))
    if len(marks) != 1:
        place.fail("a problem marks one stone, its target, with a triangle (TR)")
    target = marks[0][0] * board.columns + marks[0][1]
    if board.to_play is None or board.colours[target] in ("empty", board.to_play):
        place.fail("the target is a stone of the player who is not to play (PL)")
    comment, name = _property(root, "C", "", tree), _property(root, "GN", name, tree)
    try:
        return CaptureProblem(name, board, target, **_solution(comment, board))
    except BoardError as problem:
        place.fail(str(problem))


def _property(root: Any, key: str, otherwise: Any, tree: SgfTree) -> Any:
    """Return a property of the root, or a default if it is missing."""
    try:
        return root.get(key) if root.has_property(key) else otherwise
    except ValueError as problem:
        place = tree.nodes[0].place_of(key)
        place.fail(f"the property {key} does not fit: {str(problem) or 'this is no point of the board'}")


def _solution(comment: str, board: GoBoard) -> dict[str, Any]:
    """Return the solution in a comment. Raise BoardError."""
    found: dict[str, Any] = {}
    for line in lines_of(comment):
        key, value = (part.strip() for part in f"{line}:".split(":", 2)[:2])
        if key == "value":
            if value not in VALUES:
                raise BoardError(f"`{value}` is not a value: they are {', '.join(VALUES)}")
            found["value"] = value
        elif key in _NUMBERS:
            if not (value.isascii() and value.isdecimal() and len(value) <= MOST_DIGITS):
                raise BoardError(f"`{value}` is not a depth")
            found[_NUMBERS[key]] = int(value)
        elif key in _MOVES:
            found[_MOVES[key]] = tuple(point_of(word, board.rows) for word in value.split())
    return found


def print_problems(problems: Iterable[CaptureProblem]) -> str:
    """Return the problems as text, one game tree each."""
    return "".join(_printed(problem) for problem in problems)


def _printed(problem: CaptureProblem) -> str:
    def set_more(root: Any) -> None:
        root.set("GN", problem.id)
        root.set("TR", [divmod(problem.target, problem.size)])

    text = print_sgf(problem.board, comment=_comment(problem), more=set_more)
    return text.strip() + "\n"


def _comment(problem: CaptureProblem) -> str:
    lines = [] if problem.value is None else [f"value: {problem.value}"]
    for words, field in _NUMBERS.items():
        depth = getattr(problem, field)
        lines += [] if depth is None else [f"{words}: {depth}"]
    for words, field in _MOVES.items():
        moves = getattr(problem, field)
        if moves or (field == "saving_moves" and moves is not None):
            lines.append(f"{words}: {' '.join(letters(point, problem.size) for point in moves)}".strip())
    return "\n".join(lines)
