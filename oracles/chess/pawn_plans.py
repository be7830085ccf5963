"""Hand-written o-plans of pawn endings: to crown a running pawn, and to take one with a pawn or the king.

They hold for both sides and on all files. PL2 and PL3 of Tadepalli (1989, Table 4 and note 3) are one rule
here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hornbook.kb.ast.terms import Rule
from hornbook.kb.parse.syntax import parse

RUNS = 5
"""The greatest number of moves of a running pawn."""


def crowning() -> Iterator[str]:
    yield (
        "crown_1: plan crown(?c, ?x) in 1 by promote(?x, ?t, queen) :- at(?x, ?c, pawn), advance(?c, ?x, ?t),"
        " last(?c, ?t), at(?t, none, empty)."
    )
    for moves in range(2, RUNS + 1):
        squares = [f"?t{number}" for number in range(1, moves + 1)]
        ahead = ", ".join(
            f"advance(?c, {one}, {next_})" for one, next_ in zip(["?x", *squares], squares, strict=False)
        )
        free = ", ".join(f"at({square}, none, empty)" for square in squares)
        yield (
            f"crown_{moves}: plan crown(?c, ?x) in {moves} by move(?x, ?t1) :- at(?x, ?c, pawn), {ahead}, "
            f"{free},"
            f" last(?c, {squares[-1]})."
        )


TAKING = (
    (
        "strike: plan take(?x) in 1 by move(?f, ?x) :- at(?x, ?d, pawn), strikes(?c, ?f, ?x), at(?f, ?c, "
        "pawn), ?c != ?d."
    ),
    (
        "capture: plan take(?x) in 1 by move(?k, ?x) :- at(?x, ?d, pawn), opponent(?c, ?d), king(?c, ?k), "
        "step(?k, ?x)."
    ),
)


def rules(texts: Sequence[str] = (*crowning(), *TAKING)) -> list[Rule]:
    """Return the rules of the given texts."""
    parsed = parse("\n".join(texts), "plans.horn")
    assert not parsed.diagnostics, parsed.diagnostics
    return [clause for clause in parsed.clauses if isinstance(clause, Rule)]
