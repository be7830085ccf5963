"""Problems of chess for the commands: lessons, answers by matches, what rules say of a position, and scores."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from hornbook.compiler.learn.lessons import Lesson
from hornbook.compiler.match.chains import Chain, Won
from hornbook.compiler.match.position import Matcher
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.lower.budget import Budget, SpentError
from hornbook.kb.sources.files import read_text
from hornbook.theories.chess import question, tactics
from hornbook.theories.chess.notation import print_uci
from hornbook.theories.chess.problems.lessons import game_of_problem, moves_of, position_of
from hornbook.theories.chess.problems.problem import Problem, parse_problems
from hornbook.theories.chess.problems.score import OUTCOMES, Judgement, Row, judge_all, parse_answers, tally

play = tactics
turns = question


def lessons(path: Path) -> list[Lesson]:
    """The problems that are won within as many moves as are learned from, those of few moves first."""
    found = []
    for problem in parse_problems(read_text(path), str(path)):
        moves, game = moves_of(problem), game_of_problem(problem)
        if moves is not None and moves <= tactics.MOST_MOVES[game.predicate]:
            found.append(Lesson(problem.id, str(path), position_of(problem), game, moves))
    return sorted(found, key=lambda lesson: lesson.moves)


@dataclass(frozen=True, slots=True)
class Solved:
    """What the rules say of a problem."""

    problem: Problem
    won: Won | None
    matched: int
    stopped: str | None = None

    @property
    def value(self) -> str:
        return "unknown" if self.won is None else "GI"

    @property
    def rule(self) -> str | None:
        return None if self.won is None else self.won.rule

    @property
    def line(self) -> str:
        move = None if self.won is None or self.won.move is None else _uci(self.won)
        answer = {"id": self.problem.id, "value": self.value, "move": move, "rule": self.rule}
        stopped = {} if self.stopped is None else {"stopped": self.stopped}
        return json.dumps(answer | {"matched": self.matched} | stopped)


def _uci(won: Won) -> str:
    assert won.move is not None
    values = tuple(term.value for term in won.move.terms if not hasattr(term, "name"))
    return print_uci(question.move_of(GroundFact(won.move.predicate, values)))


class Solving:
    """The rules, and the problems of a file."""

    def __init__(
        self, theory: Theory, rules: Sequence[Rule], path: Path, budget: Budget | None = None
    ) -> None:
        self.problems = parse_problems(read_text(path), str(path))
        self.chain = Chain(theory, rules, question, budget)

    def __len__(self) -> int:
        return len(self.problems)

    @property
    def matcher(self) -> Matcher:
        return self.chain.matcher

    def solved(self, number: int, levels: int) -> Solved:
        """What the rules conclude of a problem, where so many moves of the friend are tried by themselves."""
        problem = self.problems[number]
        self.chain.forget()
        won, stopped = None, None
        try:
            won = self.chain.won(position_of(problem), game_of_problem(problem), levels)
        except SpentError as spent:
            stopped = str(spent)
        return Solved(problem, won, self.chain.matched, stopped)


def solving(theory: Theory, rules: Sequence[Rule], path: Path, budget: Budget | None = None) -> Solving:
    return Solving(theory, rules, path, budget)


def score(problems: Path, answers: Path, *, json_output: bool) -> bool:
    """Prints the counts by motif and depth. A move that the solution does not list counts as wrong."""
    known = parse_problems(read_text(problems), str(problems))
    found = parse_answers(read_text(answers), {problem.id for problem in known}, str(answers))
    judged = judge_all(known, found, unlisted=lambda *_: False)
    wrong = [each for each in judged if each.outcome == "wrong"]
    rows = tally(judged)
    if json_output:
        typer.echo(
            json.dumps(
                {"rows": [_row_as_json(row) for row in rows], "wrong": [_fault(each) for each in wrong]}
            )
        )
    else:
        typer.echo(_table(rows), nl=False)
        for each in wrong:
            typer.echo(
                f"wrong: {each.problem.id}: {each.problem.value}, said {each.answer.value} {each.answer.move}"
            )
    return not wrong


def _row_as_json(row: Row) -> dict[str, object]:
    return {
        "motif": row.motif,
        "depth": row.depth,
        "problems": row.problems,
        **{str(o): n for o, n in row.outcomes.items()},
    }


def _fault(each: Judgement) -> dict[str, str | None]:
    said = each.answer
    return {"id": each.problem.id, "value": each.problem.value, "said": said.value, "move": said.move}


def _table(rows: Sequence[Row]) -> str:
    lines = [f"{'motif':12}{'depth':>6}{'problems':>10}" + "".join(f"{o:>9}" for o in OUTCOMES) + f"{'%':>8}"]
    for row in rows:
        depth = "" if row.depth is None else str(row.depth)
        counts = "".join(f"{row.outcomes[outcome]:>9}" for outcome in OUTCOMES)
        share = 100 * row.outcomes["solved"] / max(row.problems, 1)
        lines.append(f"{row.motif or 'all':12}{depth:>6}{row.problems:>10}{counts}{share:>8.1f}")
    return "\n".join(lines) + "\n"
