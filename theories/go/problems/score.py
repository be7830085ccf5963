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
from pathlib import Path
from typing import Literal, get_args

from hornbook.kb.sources.files import read_text
from hornbook.kb.text.dataclass import dataclass
from hornbook.theories.go.problems.problem import CaptureProblem, Value, point_of
from hornbook.theories.go.reader import IllegalGoMoveError, TooManyNodes, captured_within, play
from hornbook.theories.go.states.board import BoardError
from hornbook.theories.problems import ProblemScore
from hornbook.theories.protocols.json_lines import JsonLine, by_id

AnswerValue = Literal["GG", "GP", "GI", "PP", "unknown"]
ANSWER_VALUES: tuple[AnswerValue, ...] = get_args(AnswerValue)
Outcome = Literal["right", "unknown", "wrong"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
FURTHER = 7
"""Number of the attacker's moves that are searched if a move is not listed as winning."""
MOST_NODES = 20_000_000


@dataclass(frozen=True, slots=True)
class CaptureAnswer:
    """Answer to one problem: a value, the attacker's move, and the rule that concluded it."""

    id: str
    value: AnswerValue
    move: str | None = None
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class CaptureJudgement:
    """Problem with its answer, and its outcome with either side first; `why` describes an error."""

    problem: CaptureProblem
    answer: CaptureAnswer
    attacker_first: Outcome
    defender_first: Outcome
    why: str = ""


def parse_answers(
    text: str, problems: Mapping[str, CaptureProblem], file: str = "<answers>"
) -> dict[str, CaptureAnswer]:
    """Return the answers of a text, one JSON object per line, by problem. Raise TheoryError (HB005)."""
    return by_id(text, file, lambda line: _answer(line, problems), problems)


def _answer(line: JsonLine, problems: Mapping[str, CaptureProblem]) -> CaptureAnswer:
    name = line.get("id", str, needed=True)
    value = line.get("value", str, needed=True)
    if value not in ANSWER_VALUES:
        line.fail("value", f"`{value}` is not an answer", f"they are {', '.join(ANSWER_VALUES)}")
    move = line.get("move", str)
    if move is not None:
        try:
            point_of(move, problems[name].size)
        except BoardError as problem:
            line.fail("move", str(problem))
    return CaptureAnswer(name, value, move, line.get("rule", str))


def judge(problem: CaptureProblem, answer: CaptureAnswer) -> CaptureJudgement:
    """Return the judgement of an answer. The problem must have a value."""
    assert problem.value is not None
    first, why = _attacker_first(problem, answer)
    second = _defender_first(problem, answer)
    if second == "wrong":
        lost = "captured" if problem.value == "GG" else "not captured"
        why = "; ".join(filter(None, (why, f"{lost} if the defender starts")))
    return CaptureJudgement(problem, answer, first, second, why)


def judge_all(
    problems: Iterable[CaptureProblem], answers: Mapping[str, CaptureAnswer]
) -> list[CaptureJudgement]:
    """Return a judgement for every problem with a value; a problem without an answer is unknown."""
    return [
        judge(problem, answers.get(problem.id, CaptureAnswer(problem.id, "unknown")))
        for problem in problems
        if problem.value is not None
    ]


def _attacker_first(problem: CaptureProblem, answer: CaptureAnswer) -> tuple[Outcome, str]:
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
    except IllegalGoMoveError as problem_of_move:
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


def _defender_first(problem: CaptureProblem, answer: CaptureAnswer) -> Outcome:
    claimed = {"GG": True, "GP": False, "PP": False}.get(answer.value)
    assert problem.value is not None
    known = _DEFENDER_FIRST.get(problem.value)
    if claimed is None or known is None:
        return "unknown"
    return "right" if claimed == known else "wrong"


@dataclass(frozen=True, slots=True)
class CaptureScoreRow:
    """Counts of some problems. A depth of None means problems that are not captured, or all problems."""

    value: Value | None
    depth: int | None
    attacker_first: Mapping[Outcome, int]
    defender_first: Mapping[Outcome, int]

    @property
    def problems(self) -> int:
        return sum(self.attacker_first.values())


def tally(judgements: Iterable[CaptureJudgement]) -> list[CaptureScoreRow]:
    """Return the counts of each value and depth, then of each depth, then of all, with a value of None."""
    judged = list(judgements)

    def row(value: Value | None, depth: int | None, some: list[CaptureJudgement]) -> CaptureScoreRow:
        first, second = Counter(j.attacker_first for j in some), Counter(j.defender_first for j in some)
        return CaptureScoreRow(
            value, depth, {o: first[o] for o in OUTCOMES}, {o: second[o] for o in OUTCOMES}
        )

    rows = []
    for value in ("GG", "GP", "GI", "PP"):
        of_value = [j for j in judged if j.problem.value == value]
        for depth in sorted({j.problem.depth or 0 for j in of_value}):
            rows.append(row(value, depth or None, [j for j in of_value if (j.problem.depth or 0) == depth]))
    for depth in sorted({j.problem.depth for j in judged if j.problem.depth is not None}):
        rows.append(row(None, depth, [j for j in judged if j.problem.depth == depth]))
    rows.append(row(None, None, judged))
    return rows


def scored(problems: Iterable[CaptureProblem], answers: Path) -> ProblemScore:
    """Return the score of the answers in a file."""
    known = {problem.id: problem for problem in problems}
    judged = judge_all(known.values(), parse_answers(read_text(answers), known, str(answers)))
    rows = tally(judged)
    wrong = [_fault(j) for j in judged if "wrong" in (j.attacker_first, j.defender_first)]
    messages = [f"{fault['id']}: {fault['value']}, said {fault['said']}: {fault['why']}" for fault in wrong]
    return ProblemScore(_table(rows), list(map(_as_json, rows)), wrong, messages)


def _as_json(row: CaptureScoreRow) -> dict[str, object]:
    return {
        "value": row.value,
        "depth": row.depth,
        "problems": row.problems,
        "attacker_first": dict(row.attacker_first),
        "defender_first": dict(row.defender_first),
    }


def _fault(judgement: CaptureJudgement) -> dict[str, str | None]:
    answer = judgement.answer
    return {
        "id": answer.id,
        "value": judgement.problem.value,
        "said": answer.value,
        "move": answer.move,
        "rule": answer.rule,
        "why": judgement.why,
    }


def _table(rows: list[CaptureScoreRow]) -> str:
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
