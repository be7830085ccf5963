"""Workload of learned rules: rules learned from positions of Go, with the facts of one of them.

Each position is an example whose goals are the legality or illegality of some points. The body of a
learned rule is matched; its head contains its number and all its variables, as in the workload of many
rules. Rules with conditions other than facts and comparisons (for example closed sets) are left out, since
peers cannot express them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from benchmarks.engine.go_search import random_board
from benchmarks.engine.patterns import COLOURS, UPDATES
from benchmarks.engine.program_text import Clause, Condition, Operator, Predicate, Row, Update, write
from hornbook.compiler.learn.learning import Example, learn_all
from hornbook.compiler.rules.admission import RuleBase, admit, free_label
from hornbook.compiler.rules.rulebase import rename
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, Constant, Rule
from hornbook.kb.lower.coding import Coding
from hornbook.kb.parse.facts import ground_fact
from hornbook.matcher.program import coded as program
from hornbook.theories.go.adapter import facts
from hornbook.theories.go.states.board import PLAYERS, GoBoard

GOALS = 20
"""Number of points of a position whose legality is a goal, each for one player."""


def learned_rules(path: Path, positions: int, seed: int) -> None:
    """Write the rules learned from `positions` positions, the facts of another one, and changes of
    its points' colours.
    """
    theory = load("go")
    random = Random(seed)
    examples = [_example(f"position_{number}", random_board(random), random) for number in range(positions)]
    base = RuleBase(theory.name)
    for step in learn_all(examples, theory, base):
        # Rules that only repeat the theory's are work for an engine like any other.
        for entry in (*step.admitted, *(each.entry for each in step.left_out)):
            base = admit(base, rename(entry, free_label("learned", base))).base
    coding = Coding(theory.vocabulary)
    state = random_board(random)
    given = [coding.fact(ground_fact(statement)) for statement in theory.facts]
    given += [coding.fact(fact) for fact in facts(state)]
    bodies = [body for entry in base if (body := _body(entry.rule, coding)) is not None]
    first = len(coding.predicates)
    widest = max(_width(body) for body in bodies)
    predicates = [Predicate(f"p{number}", coded.arity) for number, coded in enumerate(coding.predicates)]
    predicates += [Predicate(f"match_{width}", width + 1) for width in range(1, widest + 1)]
    clauses = (
        Clause(Condition(first + width - 1, (rule, *(-1 - v for v in range(width)))), body)
        for rule, body in enumerate(bodies)
        for width in [_width(body)]
    )
    changes = list(_updates(state, coding, random))
    write(path, predicates, given, clauses, range(first, len(predicates)), changes)


def _example(name: str, board: GoBoard, random: Random) -> Example:
    goals = []
    for _ in range(GOALS):
        terms = (Constant(random.choice(PLAYERS)), Constant(board.name(random.choice(board.points()))))
        goals += [Atom(relation, terms, "before") for relation in ("legal", "illegal")]
    return Example(name, "random play", tuple(facts(board)), tuple(goals))


def _width(body: tuple[Condition, ...]) -> int:
    return max(-term for condition in body for term in condition.terms)


def _body(rule: Rule, coding: Coding) -> tuple[Condition, ...] | None:
    """Return the body of a learned rule in the state before, or None if it has more than
    facts and comparisons.
    """
    coded = coding.rule(0, rule)[0]
    conditions = []
    for condition in coded.body:
        match condition:
            case program.Match(predicate, terms):
                conditions.append(Condition(predicate, tuple(map(_term, terms))))
            case program.Compare(
                "!=" | "<" | "<=" | ">" | ">=" as operator,
                program.Var() | int() as left,
                program.Var() | int() as right,
            ):
                conditions.append(_comparison(operator, left, right))
            case _:
                return None
    return _renumbered(conditions)


def _comparison(operator: Operator, left: program.CodedTerm, right: program.CodedTerm) -> Condition:
    return Condition(operator, (_term(left), _term(right)))


def _term(term: program.CodedTerm) -> int:
    return -1 - term.index if isinstance(term, program.Var) else term


def _renumbered(conditions: list[Condition]) -> tuple[Condition, ...]:
    """Return the facts before the comparisons, with variables numbered in order of appearance."""
    ordered = sorted(conditions, key=lambda condition: isinstance(condition.predicate, str))
    numbers: dict[int, int] = {}
    for condition in ordered:
        for term in condition.terms:
            if term < 0:
                numbers.setdefault(term, -1 - len(numbers))
    return tuple(Condition(c.predicate, tuple(numbers.get(t, t) for t in c.terms)) for c in ordered)


def _updates(board: GoBoard, coding: Coding, random: Random) -> Iterator[Update]:
    """Yield changes of one point's colour at a time, which accumulate. Facts about blocks are unchanged."""
    colour = coding.predicate_id("colour", "before")
    colours = list(board.colours)
    for _ in range(UPDATES):
        point = random.choice(board.points())
        new = random.choice([c for c in COLOURS if c != colours[point]])
        rows: list[Row] = [
            (coding.cell(board.name(point), "word"), coding.cell(value, "word"))
            for value in (colours[point], new)
        ]
        yield Update((colour, rows[0]), (colour, rows[1]))
        colours[point] = new
