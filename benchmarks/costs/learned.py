"""Cost of a Go position for learned rules: by number of rules, facts of a board, and depth of chains.

Varied rules (variations.py) extend the learned ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import cast

from benchmarks.costs.figures import CostLine, CostTable, Measurement, Panel, number
from benchmarks.costs.variations import varied
from benchmarks.study import timed
from hornbook.games.rule_worth import Worths, rule_worths
from hornbook.games.solving import ProblemSolver
from hornbook.kb.ast.terms import Atom, Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.proved_rules import raw_engine
from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.theories.domain import game
from hornbook.theories.go.domain import DOMAIN
from hornbook.theories.go.problems.making.games import game as random_game
from hornbook.theories.go.problems.making.games import noisy_move
from hornbook.theories.go.problems.problem import CaptureProblem
from hornbook.theories.go.states.board import GoBoard

SIDES = (5, 7, 9, 13, 19)
DEPTHS = (1, 3, 5, 7)
LEVELS = (0, 1, 2)
WARMING = 20
LISTED = 5


@dataclass(frozen=True, slots=True)
class Sizes:
    """Numbers of rules, of positions, of boards of each size, and of problems of each depth."""

    rules: tuple[int, ...]
    positions: int
    boards: int
    problems: int


def by_rules(
    theory: Theory,
    rules: Sequence[Rule],
    problems: Sequence[CaptureProblem],
    sizes: Sequence[int],
    random: Random,
) -> Measurement:
    """Measure a new position with growing numbers of rules.

    Learned ones come first, each set within the next.
    """
    order = random.sample(list(rules), len(rules))
    more = list(varied(rules, max(0, max(sizes) - len(rules)), random))
    queries = [(each.state, each.game) for each in map(DOMAIN.query_of, problems)]
    started = []
    for size in sorted({*sizes, len(rules)}):
        began, solver = timed(ProblemSolver, theory, [*order, *more][:size])
        started.append((size, began + timed(_ask, solver, *queries[0])[0], solver))
    for state, about in queries[1:WARMING]:
        for _, _, solver in started:
            _ask(solver, state, about)
    # All solvers take turns to share disturbances by other work; shared data is prepared before.
    took = []
    for state, about in queries[WARMING:]:
        parts = DOMAIN.question(state, about).parts
        for part in parts:
            part.rows()
        took.append([timed(solver.matcher.first, parts, about)[0] for _, _, solver in started])
    rows = []
    for (size, ready, solver), costs in zip(started, zip(*took, strict=True), strict=True):
        engine = cast(CompiledEngine, raw_engine(solver.matcher.base))
        kind = "learned" if size <= len(rules) else "and varied ones"
        rows.append((size, kind, ready, median(costs), engine.bytes()))
    least, _, _, base, least_bytes = rows[0]
    table = CostTable(
        "rules",
        ("rules of Go", "", "ms to make ready", "ms a position", "µs a rule", "KB a rule"),
        tuple(
            (
                number(size),
                kind,
                number(1e3 * ready),
                number(1e3 * cost),
                number(1e6 * (cost - base) / (size - least)) if size > least else "",
                number((bytes_ - least_bytes) / 1e3 / (size - least)) if size > least else "",
            )
            for size, kind, ready, cost, bytes_ in rows
        ),
    )
    lines = tuple(
        CostLine(label, tuple((size, 1e3 * cost) for size, _, _, cost, _ in some))
        for label, some in (
            ("learned", [row for row in rows if row[0] <= len(rules)]),
            ("learned and varied", [row for row in rows if row[0] >= len(rules)]),
        )
        if some
    )
    panel = Panel("a new position of Go", "rules", "milliseconds", lines)
    return Measurement((table,), (("costs-learned", (panel,)),))


def _ask(solver: ProblemSolver, state: GoBoard, about: Atom) -> None:
    question = DOMAIN.question(state, about)
    solver.matcher.first(question.parts, about)


def by_facts(solver: ProblemSolver, boards: int, random: Random) -> Measurement:
    """Measure a new position, on boards of several sizes late in random games."""
    rows = []
    for side in SIDES:
        costs, facts = [], []
        for state in _boards(side, boards + 2, random):
            weakest = min(state.blocks, key=lambda block: len(block.liberties))
            about = game("take", state.name(min(weakest.stones)))
            question = DOMAIN.question(state, about)
            facts.append(sum(len(rows) for part in question.parts for rows in part.rows().values()))
            costs.append(timed(_ask, solver, state, about)[0])
        rows.append((side, median(facts), median(costs[2:])))
    table = CostTable(
        "facts",
        ("side of the board", "facts", "ms a position", "µs a fact"),
        tuple(
            (str(side), number(facts), number(1e3 * cost), number(1e6 * cost / facts))
            for side, facts, cost in rows
        ),
    )
    line = CostLine("all learned rules of Go", tuple((facts, 1e3 * cost) for _, facts, cost in rows))
    panel = Panel("a new position of Go", "facts of the board", "milliseconds", (line,))
    return Measurement((table,), (("costs-facts", (panel,)),))


def _boards(side: int, boards: int, random: Random) -> list[GoBoard]:
    found: list[GoBoard] = []
    while len(found) < boards:
        played = list(random_game(side, random, noisy_move))
        state = played[-1 - len(played) // 6]
        if state.blocks:
            found.append(state)
    return found


def by_depth(solver: ProblemSolver, problems: Sequence[CaptureProblem], most: int) -> Measurement:
    """Measure a problem in chains of several levels, by the depth of the problem in plies."""
    rows = []
    lines = []
    for depth in DEPTHS:
        some = [each for each in problems if each.depth == depth][:most]
        points = []
        for levels in LEVELS:
            solver.solve(some[0], levels)
            timings = [timed(solver.solve, each, levels) for each in some]
            answered = sum(solved.first is not None for _, solved in timings)
            cost, positions = median(s for s, _ in timings), median(solved.matched for _, solved in timings)
            mean = sum(solved.matched for _, solved in timings)
            each = 1e6 * sum(s for s, _ in timings) / mean
            points.append((levels, 1e3 * cost))
            rows.append(
                (
                    str(depth),
                    str(levels),
                    f"{answered} of {len(some)}",
                    number(positions),
                    number(1e3 * cost),
                    number(each),
                )
            )
        lines.append(CostLine(f"depth {depth}", tuple(points)))
    table = CostTable(
        "chains",
        ("depth of the problem", "levels", "answered", "positions matched", "ms a problem", "µs a position"),
        tuple(rows),
    )
    panel = Panel("a problem of Go", "levels", "milliseconds", tuple(lines), ("linear", "log"))
    return Measurement((table,), (("costs-chains", (panel,)),))


def by_worth(theory: Theory, rules: Sequence[Rule], problems: Sequence[CaptureProblem]) -> Measurement:
    """Measure the worth of each rule, and list those of least and most worth."""
    found = rule_worths(theory, rules, problems)
    known = [each for each in found.rules if each.worth is not None]
    listed = [*known[:LISTED], *known[-LISTED:]]
    table = CostTable(
        "worth",
        ("rule", "worth in µs", "match in µs", "saves in µs", "answers", "says"),
        tuple(
            (
                f"`{each.rule}`",
                number(1e6 * (each.worth or 0.0)),
                number(1e6 * each.match_seconds),
                number(1e6 * each.saved_seconds) if each.answers and each.saved_seconds else "",
                str(each.answers),
                str(each.says),
            )
            for each in listed
        ),
    )
    ranks = tuple((rank, 1e6 * (each.worth or 0.0)) for rank, each in enumerate(known, start=1))
    panel = Panel(
        "a rule's worth",
        "rules, those worth least first",
        "µs a problem",
        (CostLine("worth", ranks),),
        ("linear", "symlog"),
    )
    return Measurement((table, _of_all(found)), (("costs-worth", (panel,)),))


def _of_all(found: Worths) -> CostTable:
    dear = found.dear
    never = [each for each in found.rules if not each.answers]
    return CostTable(
        "worths",
        ("rules of Go", "rules", "ms a problem to match", "answers that only they give"),
        (
            (
                "all",
                str(len(found.rules)),
                number(1e3 * found.match_seconds),
                f"{found.answered} of {found.problems}",
            ),
            (
                "worth less than nothing",
                str(len(dear)),
                number(1e3 * sum(e.match_seconds for e in dear)),
                str(found.needing),
            ),
            (
                "never the reason for an answer",
                str(len(never)),
                number(1e3 * sum(e.match_seconds for e in never)),
                "0",
            ),
        ),
    )
