"""`hornbook score`: how well problems were answered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from hornbook.games.domains import domain_of_problems
from hornbook.inputs.opening import JsonOption
from hornbook.kb.sources.files import read_text
from hornbook.theories.go.problems.files import read_problems
from hornbook.theories.go.problems.score import OUTCOMES, Judgement, Row, judge_all, parse_answers, tally


def score(
    problems: Annotated[Path, typer.Argument(metavar="PROBLEMS", help="Problems with their solutions.")],
    answers: Annotated[Path, typer.Argument(metavar="ANSWERS", help="Answers, one JSON object a line.")],
    json_output: JsonOption = False,
) -> None:
    """Tell right answers to problems from wrong ones, by value and depth; of chess by motif and depth.

    An answer is a line `{"id": …, "value": "GG|GP|GI|PP|unknown", "move": "cd" or null, "rule": …}`, as `hornbook
    solve` writes them. Of Go, a move that the solution does not list is judged by search. Exit code 1 where an answer is wrong.
    """
    domain = domain_of_problems(problems)
    if domain is not None:
        if not domain.score(problems, answers, json_output=json_output):
            raise typer.Exit(1)
        return
    known = {problem.id: problem for problem in read_problems(problems)}
    found = parse_answers(read_text(answers), known, str(answers))
    judged = judge_all(known.values(), found)
    rows = tally(judged)
    wrong = [j for j in judged if "wrong" in (j.attacker_first, j.defender_first)]
    if json_output:
        typer.echo(json.dumps({"rows": [_as_json(row) for row in rows], "wrong": list(map(_fault, wrong))}))
    else:
        typer.echo(_table(rows), nl=False)
        for judgement in wrong:
            fault = _fault(judgement)
            typer.echo(f"wrong: {fault['id']}: {fault['value']}, said {fault['said']}: {fault['why']}")
    if wrong:
        raise typer.Exit(1)


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
    """Attacker first and defender first side by side."""
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
