"""Savings by sharing, unlinking and laziness: the same matches with and without each.

The engine has no switch for these. Without sharing, each rule has its own engine, minus the cost of an engine
without rules. Without unlinking, each relation that rules wait for has a fact that matches nothing. Without
laziness, the tries for changes are built before the first change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from statistics import median

from benchmarks.costs.figures import CostTable, Measurement, number
from benchmarks.costs.patterns import (
    PREDICATES,
    by_tries_for_changes,
    changes,
    engine,
    exchanged,
    facts,
    rules,
)
from benchmarks.engine import patterns
from benchmarks.study import timed
from hornbook.games.solving import ProblemSolver
from hornbook.kb.ast.parts import rows_of
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import CodedPredicate, CodedRule, Fact, Limits, Match, PredicateId, Var
from hornbook.theories.go.domain import DOMAIN
from hornbook.theories.go.problems.problem import CaptureProblem

GROUPS = 100
"""Number of relations that rules wait for, in unlinking; every hundredth rule waits for the same one."""
LINKED = (0, 1, 10, 50, 100)
"""Numbers of these relations that have a fact, so that their rules are linked."""
NOWHERE = 10**6
"""Point that no board has."""
READ = (patterns.COLOUR, patterns.NEIGHBOUR, patterns.LIBERTIES)
"""Predicates that the rules read."""
STEPS = 60
"""Number of changes of one point."""
BOARDS = 5
"""Number of measured new boards."""


def sharing(size: int, seed: int) -> Measurement:
    """Measure rules in one engine, and each in its own."""
    some = rules(size, seed)
    together, separate = _work(some, seed), [_work([each], seed) for each in some]
    none = [_work([], seed) for _ in range(9)]
    rows = []
    for what, place in (("a new board", 0), ("a change of one point", 1)):
        nothing = median(each[place] for each in none)
        joint, apart = together[place] - nothing, sum(each[place] - nothing for each in separate)
        rows.append((what, number(1e6 * joint), number(1e6 * apart), number(apart / joint)))
    matcher = engine()
    matcher.update(add=facts(patterns.board(Random(seed))), add_rules=some)
    whole = matcher.network().whole
    changing = matcher.network([patterns.COLOUR]).changes[0]
    rows += [
        (
            f"conditions, {name}",
            number(len(trie.nodes) - 1),
            number(trie.steps),
            number(trie.steps / (len(trie.nodes) - 1)),
        )
        for name, trie in (("full matching", whole), ("a change of colour", changing))
    ]
    return Measurement(
        (
            CostTable(
                "sharing", (f"{size:,} patterns", "µs, or number, shared", "not shared", "ratio"), tuple(rows)
            ),
        )
    )


def _work(some: Sequence[CodedRule], seed: int) -> tuple[float, float]:
    """Return the mean seconds of a new board, and of a change of one point."""
    random = Random(f"{seed} sharing")
    state, *others = (patterns.board(random) for _ in range(BOARDS + 2))
    matcher, now = engine(), facts(state)
    matcher.update(add=now, add_rules=some)
    took: tuple[list[float], list[float]] = ([], [])
    for removed, added in list(changes(state, random))[:STEPS]:
        took[1].append(exchanged(matcher, [removed], [added])[0])
        now = now - {removed} | {added}
    for each in others:
        new = facts(each)
        took[0].append(exchanged(matcher, now - new, new - now)[0])
        now = new
    boards, moves = took
    return sum(boards[1:]) / len(boards[1:]), sum(moves[10:]) / len(moves[10:])


def unlinking(size: int, seed: int) -> Measurement:
    """Measure a change of one point, with a growing share of relations that have a fact for waiting rules."""
    first = len(PREDICATES)
    waiting = [
        CodedRule(rule.id, rule.head, (*rule.body, Match(first + place % GROUPS, (Var(0),))), rule.variables)
        for place, rule in enumerate(rules(size, seed))
    ]
    rows = []
    base = 0.0
    for linked in LINKED:
        random = Random(f"{seed} unlinking")
        state = patterns.board(random)
        matcher = CompiledEngine(
            [*PREDICATES, *(CodedPredicate(1) for _ in range(GROUPS))],
            derivations="none",
            limits=Limits(facts=None),
        )
        matcher.update(add=facts(state), add_rules=waiting)
        matcher.update(add=[Fact(first + place, (NOWHERE,)) for place in range(linked)])
        took = [exchanged(matcher, [removed], [added])[0] for removed, added in changes(state, random)]
        cost = median(took[20:])
        base = base or cost
        rows.append((f"{linked} of {GROUPS}", number(1e6 * cost), number(cost / base)))
    return Measurement(
        (
            CostTable(
                "unlinking",
                (f"relations with a fact, {size:,} patterns", "µs a change", "ratio"),
                tuple(rows),
            ),
        )
    )


def asking(solver: ProblemSolver, problems: Sequence[CaptureProblem]) -> Measurement:
    """Measure Go positions whose facts are added before the query, as in the matcher, and after it."""
    state, base = solver.matcher.state, solver.matcher.base
    questions = [DOMAIN.question(each.state, each.game) for each in map(DOMAIN.query_of, problems)]
    last, first = [], []
    for each in questions:
        facts = [GroundFact(f"asked {game.predicate}", _values(game)) for game in each.games]
        state.withdraw()
        last.append(timed(state.at_parts, each.parts)[0] + timed(state.ask, facts)[0])
    for each in questions:
        state.withdraw()
        group = base.engine.group(
            rows_of(GroundFact(f"asked {game.predicate}", _values(game)) for game in each.games)
        )
        took = timed(base.engine.exchange_groups, [], [group])[0]
        first.append(took + timed(state.at_parts, each.parts)[0])
        base.engine.exchange_groups([group], [])
    rows = [
        (what, number(1e3 * median(took[10:])), number(median(took[10:]) / median(last[10:])))
        for what, took in (("comes last: rules are unlinked until then", last), ("comes first", first))
    ]
    return Measurement((CostTable("asking", ("what is asked", "ms a position", "ratio"), tuple(rows)),))


def _values(game: Atom) -> tuple[str | int, ...]:
    return tuple(term.value for term in game.terms if isinstance(term, Constant))


def laziness(size: int, seed: int) -> Measurement:
    """Measure rules that match one board and a first change, with tries for changes built
    lazily, and in advance.
    """
    some = rules(size, seed)
    state = patterns.board(Random(seed))
    move = next(changes(state, Random(seed)))
    rows = []
    for what, is_lazy in (
        ("tries for changes when they are needed", True),
        ("tries for changes from the start", False),
    ):
        matcher, board = engine(), facts(state)
        matcher.update(add=board)
        empty = matcher.bytes()
        first = timed(lambda matcher=matcher: matcher.update(add_rules=some))[0]
        if not is_lazy:
            first += sum(_making(matcher, board, read) for read in READ)
        growth = matcher.bytes() - empty
        change = exchanged(matcher, *([fact] for fact in move))[0]
        rows.append((what, number(1e3 * first), number(1e3 * change), number(growth / size)))
    headings = (
        f"{size:,} patterns on one board",
        "ms to match once",
        "ms of the first change",
        "bytes a pattern",
    )
    return Measurement((CostTable("laziness", headings, tuple(rows)),))


def _making(matcher: CompiledEngine, board: Iterable[Fact], read: PredicateId) -> float:
    """Return the cost of building the tries for changes to a predicate's facts: the first change
    minus a repeated one.
    """
    fact = min(fact for fact in board if fact.predicate == read)
    nothing = Fact(read, (NOWHERE, fact.cells[1]))
    first, *_, again, _ = by_tries_for_changes(matcher, [(fact, nothing), (nothing, fact)] * 2)
    return first - again
