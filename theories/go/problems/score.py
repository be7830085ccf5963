"""Scores of answers to Go problems: right, unknown or wrong, by value and depth.

An answer has a value and the attacker's move. It is judged twice. *Attacker first*: an answer that begins
with G claims that the move captures, and is right if it does. An unlisted move is judged by a search a few
moves deeper than the solution. An answer that begins with P claims that nothing captures. *Defender
first*: GG means captured, GP and PP mean not captured. If an answer leaves this open (GI, unknown, no
answer), it is unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from hornbook.kb.sources.files import read_text
from hornbook.theories.go.problems.problem import Problem, Value, point_of
from hornbook.theories.go.reader import IllegalMoveError, TooManyNodes, captured_within, play
from hornbook.theories.go.states.board import BoardError
from hornbook.theories.json_lines import Line, by_id
from hornbook.theories.problems import Score

AnswerValue = Literal["GG", "GP", "GI", "PP", "unknown"]
SAID: tuple[AnswerValue, ...] = get_args(AnswerValue)
Outcome = Literal["right", "unknown", "wrong"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
FURTHER = 7
"""Number of the attacker's moves that are searched if a move is not listed as winning."""
MOST_NODES = 20_000_000


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer to one problem: a value, the attacker's move, and the rule that concluded it."""

    id: str
    value: AnswerValue
    move: str | None = None
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """Problem with its answer, and its outcome with either side first; `why` describes an error."""

    problem: Problem
    answer: Answer
    attacker_first: Outcome
    defender_first: Outcome
    why: str = ""


def parse_answers(text: str, problems: Mapping[str, Problem], file: str = "<answers>") -> dict[str, Answer]:
    """Return the answers of a text, one JSON object per line, by problem. Raise TheoryError (HB005)."""
    return by_id(text, file, lambda line: _answer(line, problems), problems)


def _answer(line: Line, problems: Mapping[str, Problem]) -> Answer:
    name = line.get("id", str, needed=True)
    value = line.get("value", str, needed=True)
    if value not in SAID:
        line.fail("value", f"`{value}` is not an answer", f"they are {', '.join(SAID)}")
    move = line.get("move", str)
    if move is not None:
        try:
            point_of(move, problems[name].size)
        except BoardError as problem:
            line.fail("move", str(problem))
    return Answer(name, value, move, line.get("rule", str))


def judge(problem: Problem, answer: Answer) -> Judgement:
    """Return the judgement of an answer. The problem must have a value."""
    assert problem.value is not None
    first, why = _attacker_first(problem, answer)
    second = _defender_first(problem, answer)
    if second == "wrong":
        lost = "captured" if problem.value == "GG" else "not captured"
        why = "; ".join(filter(None, (why, f"{lost} if the defender starts")))
    return Judgement(problem, answer, first, second, why)


def judge_all(problems: Iterable[Problem], answers: Mapping[str, Answer]) -> list[Judgement]:
    """Return a judgement for every problem with a value; a problem without an answer is unknown."""
    return [
        judge(problem, answers.get(problem.id, Answer(problem.id, "unknown")))
        for problem in problems
        if problem.value is not None
    ]


def _attacker_first(problem: Problem, answer: Answer) -> tuple[Outcome, str]:
    if answer.value == "unknown":
        return "unknown", ""
    if answer.value == "PP":
        return ("wrong", "it can be captured") if problem.winning_moves else ("right", "")
    if problem.value == "PP":
        return "wrong", "it cannot be captured"
    if answer.move is None:
        return "wrong", "no move is named"
    point = problem.point(answer.move)
    if point in problem.winning_moves:
        return "right", ""
    try:
        after = play(problem.board, problem.attacker, point)
    except IllegalMoveError as problem_of_move:
        return "wrong", str(problem_of_move)
    try:
        captures = after.colours[problem.target] == "empty" or captured_within(
            after, problem.target, FURTHER - 1, first=problem.defender, nodes=MOST_NODES
        )
    except TooManyNodes:
        return "unknown", f"{answer.move} is not listed, and too hard to read"
    return ("right", "") if captures else ("wrong", f"{answer.move} does not capture in {FURTHER} moves")


_DEFENDER_FIRST: dict[Value, bool] = {"GG": True, "GP": False, "PP": False}
"""Whether a problem of this value is captured with the defender starting; for GI, this is unknown."""


def _defender_first(problem: Problem, answer: Answer) -> Outcome:
    claimed = {"GG": True, "GP": False, "PP": False}.get(answer.value)
    assert problem.value is not None
    known = _DEFENDER_FIRST.get(problem.value)
    if claimed is None or known is None:
        return "unknown"
    return "right" if claimed == known else "wrong"


@dataclass(frozen=True, slots=True)
class Row:
    """Counts of some problems. A depth of None means problems that are not captured, or all problems."""

    value: Value | None
    depth: int | None
    attacker_first: Mapping[Outcome, int]
    defender_first: Mapping[Outcome, int]

    @property
    def problems(self) -> int:
        return sum(self.attacker_first.values())


def tally(judgements: Iterable[Judgement]) -> list[Row]:
    """Return the counts of each value and depth, then of each depth, then of all, with a value of None."""
    judged = list(judgements)

    def row(value: Value | None, depth: int | None, some: list[Judgement]) -> Row:
        first, second = Counter(j.attacker_first for j in some), Counter(j.defender_first for j in some)
        return Row(value, depth, {o: first[o] for o in OUTCOMES}, {o: second[o] for o in OUTCOMES})

    rows = []
    for value in ("GG", "GP", "GI", "PP"):
        of_value = [j for j in judged if j.problem.value == value]
        for depth in sorted({j.problem.depth or 0 for j in of_value}):
            rows.append(row(value, depth or None, [j for j in of_value if (j.problem.depth or 0) == depth]))
    for depth in sorted({j.problem.depth for j in judged if j.problem.depth is not None}):
        rows.append(row(None, depth, [j for j in judged if j.problem.depth == depth]))
    rows.append(row(None, None, judged))
    return rows


def scored(problems: Iterable[Problem], answers: Path) -> Score:
    """Return the score of the answers in a file."""
    known = {problem.id: problem for problem in problems}
    judged = judge_all(known.values(), parse_answers(read_text(answers), known, str(answers)))
    rows = tally(judged)
    wrong = [_fault(j) for j in judged if "wrong" in (j.attacker_first, j.defender_first)]
    messages = [f"{fault['id']}: {fault['value']}, said {fault['said']}: {fault['why']}" for fault in wrong]
    return Score(_table(rows), list(map(_as_json, rows)), wrong, messages)


def _as_json(row: Row) -> dict[str, object]:
    return {
        "value": row.value,
        "depth": row.depth,
        "problems": row.problems,
        "attacker_first": dict(row.attacker_first),
        "defender_first": dict(row.defender_first),
    }


def _fault(judgement: Judgement) -> dict[str, str | None]:
    answer = judgement.answer
    return {
        "id": answer.id,
        "value": judgement.problem.value,
        "said": answer.value,
        "move": answer.move,
        "rule": answer.rule,
        "why": judgement.why,
    }


def _table(rows: list[Row]) -> str:
    """Return a table with both outcomes side by side: attacker first and defender first."""
    outcomes = "".join(f"{outcome:>9}" for outcome in OUTCOMES)
    lines = [f"{'':20}{'attacker first':>33}   {'defender first':>27}"]
    lines.append(f"value  depth  problems{outcomes}       %   {outcomes[1:]}")
    for row in rows:
        value = row.value or "all"
        depth = str(row.depth) if row.depth is not None else "" if row.value == "PP" else "all"
        first = "".join(f"{row.attacker_first[outcome]:>9}" for outcome in OUTCOMES)
        second = "".join(f"{row.defender_first[outcome]:>9}" for outcome in OUTCOMES)
        share = f"{100 * row.attacker_first['right'] / row.problems:>7.1f} " if row.problems else f"{'':8}"
        lines.append(f"{value:5}  {depth:>5}  {row.problems:>8}{first}{share}   {second[1:]}")
    return "\n".join(line.rstrip() for line in lines) + "\n"
