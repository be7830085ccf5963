"""Scores of answers to chess problems: solved, unknown or wrong, by motif and depth.

An answer has a value and the friend's first move. An answer is *solved* if the value begins with G and the
move wins, or if it is PP and the problem is proved not to be won. It is *wrong* if the value begins with G
and the move is missing or does not win, or if it begins with P although there is a win. Everything else is
*unknown*, also unlisted moves that cannot be judged. The second letter counts only if it is a G or a P that
contradicts the problem's value; an `I` of the problem does not contradict it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from hornbook.kb.sources.files import read_text
from hornbook.kb.text.dataclass import dataclass
from hornbook.theories.chess.problems.problem import ChessProblem
from hornbook.theories.problems import ProblemScore
from hornbook.theories.protocols.json_lines import JsonLine, by_id

Outcome = Literal["solved", "unknown", "wrong"]
OUTCOMES: tuple[Outcome, ...] = ("solved", "unknown", "wrong")
JudgeMove = Callable[[ChessProblem, str], bool | None]
"""Function that decides whether an unlisted move wins beyond the horizon; None if this is unknown."""
JudgeReplies = Callable[[ChessProblem], bool | None]
"""Function that decides whether the goal is won with the opponent first, if the problem's
value leaves it open.

It returns None if this is unknown.
"""


@dataclass(frozen=True, slots=True)
class ChessAnswer:
    """Answer to one problem: a value (`GI`, `GG`, `PP`, `unknown` …) and the friend's move."""

    id: str
    value: str
    move: str | None = None


@dataclass(frozen=True, slots=True)
class ChessJudgement:
    problem: ChessProblem
    answer: ChessAnswer
    outcome: Outcome


def _unknown(*_: object) -> None:
    return None


def judge(
    problem: ChessProblem,
    answer: ChessAnswer,
    unlisted: JudgeMove = _unknown,
    second: JudgeReplies = _unknown,
) -> Outcome:
    """Return the outcome of an answer.

    If the problem does not decide it, `unlisted` and `second` are called.
    """
    if answer.value not in {x + y for x in "GIP" for y in "GIP"}:
        return "unknown"
    first, then = answer.value[0], answer.value[1]
    if then in "GP" and (then == "G") != _known(problem.value[1], lambda: second(problem), then == "G"):
        return "wrong"
    if first == "G":
        if answer.move is None:
            return "wrong"
        if answer.move in problem.winning_moves:
            return "solved"
        wins = False if problem.motif == "kpk" else unlisted(problem, answer.move)
        return "unknown" if wins is None else "solved" if wins else "wrong"
    if first == "P":
        return {"G": "wrong", "P": "solved", "I": "unknown"}[problem.value[0]]  # type: ignore[return-value]
    return "unknown"


def _known(letter: str, ask: Callable[[], bool | None], otherwise: bool) -> bool:  # noqa: FBT001
    if letter != "I":
        return letter == "G"
    found = ask()
    return otherwise if found is None else found


def judge_all(
    problems: Iterable[ChessProblem],
    answers: Mapping[str, ChessAnswer],
    unlisted: JudgeMove = _unknown,
    second: JudgeReplies = _unknown,
) -> list[ChessJudgement]:
    """Return a judgement for every problem; a problem without an answer is unknown."""
    found = []
    for problem in problems:
        answer = answers.get(problem.id, ChessAnswer(problem.id, "unknown"))
        found.append(ChessJudgement(problem, answer, judge(problem, answer, unlisted, second)))
    return found


@dataclass(frozen=True, slots=True)
class ChessScoreRow:
    """Counts for the problems of one motif and depth; None means all of them."""

    motif: str | None
    depth: int | None
    outcomes: Mapping[Outcome, int]

    @property
    def problems(self) -> int:
        return sum(self.outcomes.values())


def tally(judgements: Iterable[ChessJudgement]) -> list[ChessScoreRow]:
    """Return the counts of each motif and depth in alphabetical order, followed by the totals."""
    judged = list(judgements)
    counts: dict[tuple[str, int | None], Counter[Outcome]] = {}
    for one in judged:
        counts.setdefault((one.problem.motif, one.problem.depth), Counter())[one.outcome] += 1
    rows = [
        ChessScoreRow(motif, depth, {outcome: counter[outcome] for outcome in OUTCOMES})
        for (motif, depth), counter in sorted(counts.items(), key=lambda item: (item[0][0], item[0][1] or 0))
    ]
    total = Counter(one.outcome for one in judged)
    return [*rows, ChessScoreRow(None, None, {outcome: total[outcome] for outcome in OUTCOMES})]


def parse_answers(text: str, known: Collection[str], file: str = "<answers>") -> dict[str, ChessAnswer]:
    """Return answers by problem, from one JSON object per line.

    Raise TheoryError (HB005) at the position of an error.
    """
    return by_id(text, file, _answer, known)


def _answer(line: JsonLine) -> ChessAnswer:
    name, value = line.get("id", str, needed=True), line.get("value", str, needed=True)
    return ChessAnswer(name, value, line.get("move", str))


def scored(problems: Collection[ChessProblem], answers: Path) -> ProblemScore:
    """Return the score of the answers in a file. A move that no solution lists counts as wrong."""
    found = parse_answers(read_text(answers), {problem.id for problem in problems}, str(answers))
    judged = judge_all(problems, found, unlisted=lambda *_: False)
    wrong = [_fault(each) for each in judged if each.outcome == "wrong"]
    messages = [f"{fault['id']}: {fault['value']}, said {fault['said']} {fault['move']}" for fault in wrong]
    rows = tally(judged)
    return ProblemScore(_table(rows), list(map(_row_as_json, rows)), wrong, messages)


def _row_as_json(row: ChessScoreRow) -> dict[str, object]:
    return {
        "motif": row.motif,
        "depth": row.depth,
        "problems": row.problems,
        **{str(o): n for o, n in row.outcomes.items()},
    }


def _fault(each: ChessJudgement) -> dict[str, str | None]:
    answer = each.answer
    return {"id": each.problem.id, "value": each.problem.value, "said": answer.value, "move": answer.move}


def _table(rows: Sequence[ChessScoreRow]) -> str:
    lines = [f"{'motif':12}{'depth':>6}{'problems':>10}" + "".join(f"{o:>9}" for o in OUTCOMES) + f"{'%':>8}"]
    for row in rows:
        depth = "" if row.depth is None else str(row.depth)
        counts = "".join(f"{row.outcomes[outcome]:>9}" for outcome in OUTCOMES)
        share = 100 * row.outcomes["solved"] / max(row.problems, 1)
        lines.append(f"{row.motif or 'all':12}{depth:>6}{row.problems:>10}{counts}{share:>8.1f}")
    return "\n".join(lines) + "\n"
